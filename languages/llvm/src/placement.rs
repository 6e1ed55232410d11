//! Where objects lie, as far as numbers that were made from addresses depend on it.
//!
//! Knows: the symbol that stands for the distance of an object from its address here, which addresses may be one.
//! Never: what depends on it (`step::placement`).
//!
//! A path is walked with one placement: object `k` lies in its window. Any other is as good that keeps each object
//! aligned, and apart from those that live at the same time: a number that was made from an address is
//! `address + 2^align · placement`, and what it decides must not depend on the placement.

use effigy_term::eval::Evaluator;
use effigy_term::{BvOp, BvValue, Model, Node, Sort, Symbol, SymbolKind, Term, Terms, Value, Width};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// The names of the symbols begin so.
const NAME: &str = "placement of object ";

/// The least address that is that of an object: the first page has none.
pub(crate) const LEAST: u64 = 1 << 12;

/// The least number that is no address of a program.
pub(crate) const END: u64 = 1 << 47;

/// A number that is the address of an object, wherever that lies.
pub(crate) fn placed(terms: &Terms, address: u64, align: u8) -> Term {
    let id = (address >> 32) as u32;
    terms.bv_add(terms.bv_u64(Width::W64, address), shift(terms, id, align))
}

/// The distance of an object from its address here.
pub(crate) fn shift(terms: &Terms, id: u32, align: u8) -> Term {
    let symbol = terms.symbol(&format!("{NAME}{id}"), Sort::BitVec(Width::W64), SymbolKind::Fresh);
    terms.bv_mul(terms.of_symbol(symbol), terms.bv_u64(Width::W64, 1 << align))
}

/// The object whose placement a symbol is.
pub(crate) fn object_of_symbol(terms: &Terms, symbol: Symbol) -> Option<u32> {
    let info = terms.symbol_info(symbol);
    if info.kind != SymbolKind::Fresh {
        return None;
    }
    info.name.strip_prefix(NAME)?.parse().ok()
}

/// Whether a term depends on where objects lie.
pub(crate) fn is_placed(terms: &Terms, term: Term) -> bool {
    terms.symbols(term).iter().any(|it| object_of_symbol(terms, *it).is_some())
}

/// The term as it is where objects have these placements, and lie here otherwise.
pub(crate) fn in_layout(terms: &Terms, term: Term, placements: &BTreeMap<u32, u64>) -> Term {
    terms.substitute(term, &mut |it| {
        let id = object_of_symbol(terms, it)?;
        Some(terms.bv_u64(Width::W64, placements.get(&id).copied().unwrap_or(0)))
    })
}

/// What is known on a path of where objects lie, because decisions depended on it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Layout {
    /// What was decided: terms of sort Bool over placements alone.
    pub facts: Vec<Term>,
    /// Placements of which one makes all facts true, by object: for those that are not here, where all are 0.
    pub placements: BTreeMap<u32, u64>,
}

/// Placements are tried up to so many bits: alignments up to 64 times the object's own are told apart.
const TRIED_BITS: u32 = 6;

impl Layout {
    /// Another placement of one object, for which all that is known holds and `cond`, over placements alone, is `value`.
    pub(crate) fn with(&self, terms: &Terms, cond: Term, value: bool) -> Option<(u32, u64)> {
        let objects: Vec<u32> = terms.symbols(cond).iter().filter_map(|it| object_of_symbol(terms, *it)).collect();
        objects.into_iter().flat_map(|id| (0..1_u64 << TRIED_BITS).map(move |it| (id, it))).find(|(id, placement)| {
            let mut placements = self.placements.clone();
            placements.insert(*id, *placement);
            let truth = |it: Term| terms.as_bool(in_layout(terms, it, &placements));
            truth(cond) == Some(value) && self.facts.iter().all(|it| truth(*it) == Some(true))
        })
    }

    /// Whether there is no other layout than those that [`Layout::with`] tries, as far as `cond` and what is known can tell:
    /// `cond` is about one object, and depends on the low bits of its placement alone.
    pub(crate) fn are_all_tried(&self, terms: &Terms, cond: Term) -> bool {
        let is_placement = |it: &&Symbol| object_of_symbol(terms, **it).is_some();
        let symbols = terms.symbols(cond);
        let [object] = symbols.iter().filter(is_placement).collect::<Vec<_>>()[..] else { return false };
        let about_it = self.facts.iter().filter(|it| terms.symbols(**it).contains(object));
        about_it.chain([&cond]).all(|it| {
            terms.symbols(*it).iter().filter(is_placement).count() == 1 && depends_on_low_bits(terms, *it, TRIED_BITS)
        })
    }
}

/// Whether a term depends on the low bits of placements alone: on so many of them at most.
fn depends_on_low_bits(terms: &Terms, term: Term, bits: u32) -> bool {
    let is_small = |it: Term| terms.as_bv(it).and_then(BvValue::to_u64).is_some_and(|it| it < 1 << bits);
    // Each term with whether only its low bits are asked for.
    let (mut work, mut seen) = (vec![(term, false)], FxHashSet::default());
    while let Some((term, is_low)) = work.pop() {
        if !is_placed(terms, term) || !seen.insert((term, is_low)) {
            continue;
        }
        let keeps_low_bits = match *terms.node(term) {
            Node::Symbol(_) if is_low => continue,
            Node::Symbol(_) => return false,
            Node::Extract { high, arg, .. } if high < bits => {
                work.push((arg, true));
                continue;
            }
            Node::Bv(BvOp::And, a, b) if !is_low && (is_small(a) || is_small(b)) => {
                work.extend([(a, true), (b, true)]);
                continue;
            }
            Node::BvSum(_) | Node::BvNot(_) | Node::ZeroExtend(..) => true,
            Node::Bv(BvOp::And | BvOp::Or | BvOp::Xor, ..) => true,
            Node::Extract { low, .. } => low == 0,
            _ => false,
        };
        if is_low && !keeps_low_bits {
            return false;
        }
        terms.node(term).for_each_argument(|it| work.push((it, is_low)));
    }
    true
}

/// The term as it is where objects lie here.
pub(crate) fn here(terms: &Terms, term: Term) -> Term {
    let zero = terms.bv_u64(Width::W64, 0);
    terms.substitute(term, &mut |it| object_of_symbol(terms, it).map(|_| zero))
}

/// So many parts has a term that is compared with another by values.
const PARTS: usize = 400;

/// Whether two terms are the same bits, moved around and put together again. It is tried on values; every bit of such
/// terms is a sum of bits, in which all carries are made to happen.
pub(crate) fn are_same_bits(terms: &Terms, a: Term, b: Term) -> bool {
    let mut symbols = Vec::new();
    let mut seen = FxHashSet::default();
    let mut work = vec![a, b];
    while let Some(term) = work.pop() {
        if !seen.insert(term) {
            continue;
        }
        let is_constant = |it: Term| terms.as_bv(it).is_some();
        let moves = match terms.node(term) {
            Node::BitVec(_) | Node::BvSum(_) | Node::BvNot(_) | Node::Concat(..) | Node::Extract { .. } => true,
            Node::ZeroExtend(..) => true,
            Node::Symbol(symbol) => {
                symbols.push(*symbol);
                true
            }
            Node::Bv(BvOp::Xor, ..) => true,
            Node::Bv(BvOp::And | BvOp::Or, x, y) => is_constant(*x) || is_constant(*y),
            Node::Bv(BvOp::Shl | BvOp::LShr, _, by) => is_constant(*by),
            _ => false,
        };
        if !moves || seen.len() > PARTS {
            return false;
        }
        terms.node(term).for_each_argument(|it| work.push(it));
    }
    let mut random = 0x9E37_79B9_7F4A_7C15u64;
    (0..3 * 64).all(|round| {
        let mut model = Model::new();
        for symbol in &symbols {
            random = random.wrapping_mul(0xD129_9027_5B93_A7C5).rotate_left(23) ^ 0xA5A5_5A5A_F00F_0FF0;
            let bits = match round % 3 {
                0 => random,
                1 => u64::MAX >> (round / 3),
                _ => random | (u64::MAX >> (round / 3)),
            };
            let Sort::BitVec(width) = terms.symbol_info(*symbol).sort else { return false };
            model.set(*symbol, Value::BitVec(BvValue::from_u64(width, bits)));
        }
        let mut evaluator = Evaluator::new(terms, &model);
        let (x, y) = (evaluator.value(a), evaluator.value(b));
        x.is_some() && x == y
    })
}

/// Whether a number may be an address by its halves alone.
#[inline]
pub(crate) fn looks_like_one(number: u64) -> bool {
    // Nobody makes 2^24 objects; `ObjectId::base`: the lower half is at least 2^30.
    number >> 32 != 0 && number >> 56 == 0 && number & (3 << 30) != 0
}

//! Where objects lie, as far as numbers that were made from addresses depend on it.
//!
//! Knows: the symbol that stands for the distance of an object from its address here, which addresses may be one.
//! Never: what depends on it (`step::placement`).
//!
//! A path is walked with one placement: object `k` lies in its window. Any other is as good that keeps each object
//! aligned, and apart from those that live at the same time: a number that was made from an address is
//! `address + 2^align · placement`, and what it decides must not depend on the placement.

use super::{FOREVER, Life, Memory, ObjectId, ObjectKind};
use effigy_term::eval::Evaluator;
use effigy_term::{BvOp, BvValue, Model, Node, Sort, Symbol, SymbolKind, Term, Terms, Value, Width};
use rustc_hash::FxHashSet;

/// The names of the symbols begin so.
const NAME: &str = "placement of object ";

/// The least address that is that of an object: the first page has none.
pub(crate) const LEAST: u64 = 1 << 12;

/// The least number that is no address of a program.
pub(crate) const END: u64 = 1 << 47;

/// A number that is the address of an object, wherever that lies.
pub(crate) fn placed(terms: &Terms, address: u64, align: u8) -> Term {
    let id = ObjectId::of_address(address).0;
    terms.bv_add(terms.bv_u64(Width::W64, address), shift(terms, id, align))
}

/// The distance of an object from its address here.
pub(crate) fn shift(terms: &Terms, id: ObjectId, align: u8) -> Term {
    let symbol = terms.symbol(&format!("{NAME}{}", id.0), Sort::BitVec(Width::W64), SymbolKind::Fresh);
    terms.bv_mul(terms.of_symbol(symbol), terms.bv_u64(Width::W64, 1 << align))
}

/// The object whose placement a symbol is.
pub(crate) fn object_of_symbol(terms: &Terms, symbol: Symbol) -> Option<ObjectId> {
    let info = terms.symbol_info(symbol);
    if info.kind != SymbolKind::Fresh {
        return None;
    }
    info.name.strip_prefix(NAME)?.parse().ok().map(ObjectId)
}

/// Whether a term depends on where objects lie.
pub(crate) fn is_placed(terms: &Terms, term: Term) -> bool {
    terms.symbols(term).iter().any(|it| object_of_symbol(terms, *it).is_some())
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
    // `ObjectId::base`: the lower half is at least 2^30.
    number >> 32 != 0 && number & (3 << 30) != 0
}

impl Memory {
    /// Whether a number is the address of a byte of an object that exists or has existed, or of its end.
    #[inline]
    pub(crate) fn is_address_of_any(&self, number: u64) -> bool {
        let id = number >> 32;
        id != 0 && id < u64::from(self.next) && self.is_in_place(number)
    }

    fn is_in_place(&self, number: u64) -> bool {
        let (id, offset) = ObjectId::of_address(number);
        let size = match self.get(id) {
            Some(object) => object.size.most(),
            // A local variable that is forgotten.
            None => super::UNIT - 1,
        };
        u64::try_from(offset).is_ok_and(|it| it <= size)
    }

    /// What object `id` is aligned to, as the binary logarithm.
    pub(crate) fn alignment(&self, id: ObjectId) -> u8 {
        self.get(id).map_or(0, |it| it.align)
    }

    /// Whether two addresses, of different objects, differ wherever these lie.
    pub(crate) fn are_apart(&self, (a, at): (ObjectId, i64), (b, other): (ObjectId, i64)) -> bool {
        if self.may_follow(a, b) || self.may_follow(b, a) {
            return false;
        }
        // Objects that live at one time: only the end of one may be where the other begins. `malloc(0)`, and a function,
        // have an address of their own.
        let size = |id: ObjectId| {
            let (size, kind) = self.get(id).map_or((0, ObjectKind::Stack), |it| (it.size.most(), it.kind));
            size.max(u64::from(kind != ObjectKind::Stack)) as i64
        };
        let (here, there) = (size(a), size(b));
        let inside = (0..=here).contains(&at) && (0..=there).contains(&other);
        inside && !(at == here && other == 0) && !(other == there && at == 0)
    }

    /// Whether `later` may lie where `earlier` was.
    fn may_follow(&self, earlier: ObjectId, later: ObjectId) -> bool {
        let stays = |it: ObjectKind| matches!(it, ObjectKind::Global | ObjectKind::Constant | ObjectKind::Function);
        // Only local variables are forgotten.
        let kind = |id: ObjectId| self.get(id).map_or(ObjectKind::Stack, |it| it.kind);
        if stays(kind(earlier)) || kind(earlier) != kind(later) {
            return false;
        }
        let until = match self.get(earlier) {
            Some(it) if it.life == Life::Live && it.ended.is_none() => FOREVER,
            Some(it) if it.until != FOREVER => it.until,
            _ => ObjectId(earlier.0 + 1),
        };
        later >= until
    }
}

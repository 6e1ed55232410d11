//! Ranges and known bits of bitvector terms of at most 100 bits, under what is known of some terms (`bounds`).
//!
//! Knows: the least and the greatest value that each operator can give, unsigned and signed, and the bits that are
//! the same in all. Never: which values between them are possible, a solver.
//!
//! Source: Cousot, Cousot 1977 (intervals); both readings of a bitvector are kept, as in LLVM's `ConstantRange`, with
//! LLVM's `KnownBits` beside them, and each narrows the others. What is not known is the full range, so that an answer is always right.

mod bounds;

use crate::bv::BvValue;
use crate::node::{BvOp, BvSum, Node, Term};
use crate::sort::Sort;
use crate::terms::Terms;
use crate::truth_table::TruthTables;
pub use bounds::Bounds;
use rustc_hash::FxHashMap;

/// Terms looked at for one answer, unless it is said otherwise: beyond, a solver is not slower.
const MOST_TERMS: usize = 2_000;

/// Wider terms are not looked at: their sums must fit an `i128`.
const MOST_BITS: u32 = 100;

/// All values of a term lie between these, read without and with sign, and have these bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Range {
    bits: u32,
    unsigned: (i128, i128),
    signed: (i128, i128),
    known: KnownBits,
}

/// Bits that are zero, and bits that are one, in all values.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct KnownBits {
    zeros: i128,
    ones: i128,
}

impl KnownBits {
    /// The bits of `mask` are those of `value`.
    fn of(mask: i128, value: i128) -> KnownBits {
        KnownBits { zeros: mask & !value, ones: mask & value }
    }

    fn map(self, change: impl Fn(i128) -> i128) -> KnownBits {
        KnownBits { zeros: change(self.zeros), ones: change(self.ones) }
    }

    /// How many of the lowest bits are known.
    fn trailing(self) -> u32 {
        (self.zeros | self.ones).trailing_ones()
    }
}

impl Range {
    /// All values of `bits` bits; `bits` is at most 100.
    fn full(bits: u32) -> Range {
        let (all, half) = (1i128 << bits, 1i128 << (bits - 1));
        Range { bits, unsigned: (0, all - 1), signed: (-half, half - 1), known: KnownBits::default() }
    }

    fn of_unsigned(bits: u32, low: i128, high: i128) -> Range {
        let full = Range::full(bits);
        if low < full.unsigned.0 || high > full.unsigned.1 {
            return full;
        }
        Range { unsigned: (low, high), ..full }.narrowed()
    }

    fn of_signed(bits: u32, low: i128, high: i128) -> Range {
        let full = Range::full(bits);
        if low < full.signed.0 || high > full.signed.1 {
            return full;
        }
        Range { signed: (low, high), ..full }.narrowed()
    }

    /// All numbers from `low` to `high`, modulo 2^bits.
    fn of_integers(bits: u32, low: i128, high: i128) -> Range {
        let all = 1i128 << bits;
        let full = Range::full(bits);
        let base = low.div_euclid(all) * all;
        let unsigned = if high - base < all { (low - base, high - base) } else { full.unsigned };
        let half = all / 2;
        let base = (low + half).div_euclid(all) * all;
        let signed = if high - base < half { (low - base, high - base) } else { full.signed };
        Range { bits, unsigned, signed, known: KnownBits::default() }.narrowed()
    }

    /// With these bits known as well.
    fn with_bits(self, known: KnownBits) -> Range {
        let known = KnownBits { zeros: self.known.zeros | known.zeros, ones: self.known.ones | known.ones };
        if known == self.known || known.zeros & known.ones != 0 {
            return self;
        }
        let least = known.ones;
        let most = ((1 << self.bits) - 1) & !known.zeros;
        Range { unsigned: meet(self.unsigned, (least, most)), known, ..self }.narrowed()
    }

    /// What one reading says of the other: they agree where the sign is known.
    fn narrowed(self) -> Range {
        let all = 1i128 << self.bits;
        let half = all / 2;
        let (mut unsigned, mut signed) = (self.unsigned, self.signed);
        if unsigned.1 < half {
            signed = meet(signed, unsigned);
        } else if unsigned.0 >= half {
            signed = meet(signed, (unsigned.0 - all, unsigned.1 - all));
        }
        if signed.0 >= 0 {
            unsigned = meet(unsigned, signed);
        } else if signed.1 < 0 {
            unsigned = meet(unsigned, (signed.0 + all, signed.1 + all));
        }
        // The bits above the highest in which the ends differ are the same in all values between them.
        let differ = 128 - (unsigned.0 ^ unsigned.1).leading_zeros();
        let prefix = KnownBits::of((all - 1) & !((1 << differ) - 1), unsigned.0);
        let known = KnownBits { zeros: self.known.zeros | prefix.zeros, ones: self.known.ones | prefix.ones };
        let known = if known.zeros & known.ones == 0 { known } else { self.known };
        Range { bits: self.bits, unsigned, signed, known }
    }

    fn join(self, other: Range) -> Range {
        let join = |a: (i128, i128), b: (i128, i128)| (a.0.min(b.0), a.1.max(b.1));
        Range {
            bits: self.bits,
            unsigned: join(self.unsigned, other.unsigned),
            signed: join(self.signed, other.signed),
            known: KnownBits { zeros: self.known.zeros & other.known.zeros, ones: self.known.ones & other.known.ones },
        }
    }

    fn meet(self, other: Range) -> Range {
        Range {
            bits: self.bits,
            unsigned: meet(self.unsigned, other.unsigned),
            signed: meet(self.signed, other.signed),
            known: self.known,
        }
        .narrowed()
        .with_bits(other.known)
    }

    /// The least and the greatest value, read without sign.
    pub fn unsigned(&self) -> (i128, i128) {
        self.unsigned
    }

    /// The bits that are zero in all values, and those that are one.
    pub fn known_bits(&self) -> (i128, i128) {
        (self.known.zeros, self.known.ones)
    }

    /// The least and the greatest value, read with sign.
    pub fn signed(&self) -> (i128, i128) {
        self.signed
    }
}

/// The values in both; what is known is contradictory where there is none, and then the first is as good as any.
fn meet(a: (i128, i128), b: (i128, i128)) -> (i128, i128) {
    let res = (a.0.max(b.0), a.1.min(b.1));
    if res.0 <= res.1 { res } else { a }
}

/// What is known of one term.
#[derive(Clone, Copy, Debug)]
enum Known {
    Truth(Option<bool>),
    Range(Range),
    Nothing,
}

/// Most conditions have fewer terms: what is known of them does not grow into its room step by step.
const USUAL_TERMS: usize = 28;

/// Memory in which ranges were found, for those that are found next.
#[derive(Debug, Default)]
pub struct Room(FxHashMap<Term, Known>);

/// To empty more takes longer than to make it anew.
const MOST_ROOM: usize = 256;

/// The ranges of terms under some assumptions.
#[derive(Debug)]
pub struct Ranges<'a> {
    terms: &'a Terms,
    tables: &'a TruthTables,
    bounds: Bounds,
    memo: FxHashMap<Term, Known>,
    /// Terms that are looked at for one answer.
    limit: usize,
}

impl<'a> Ranges<'a> {
    /// Nothing assumed. `tables` are of the same arena.
    pub fn new(terms: &'a Terms, tables: &'a TruthTables) -> Ranges<'a> {
        Ranges::with_limit(terms, tables, MOST_TERMS)
    }

    /// As [`Ranges::new`], for one that looks at up to `limit` terms before it gives up.
    pub fn with_limit(terms: &'a Terms, tables: &'a TruthTables, limit: usize) -> Ranges<'a> {
        Ranges { terms, tables, bounds: Bounds::default(), memo: FxHashMap::default(), limit }
    }

    /// As [`Ranges::new`], with what these bounds say.
    pub fn under(terms: &'a Terms, tables: &'a TruthTables, bounds: Bounds) -> Ranges<'a> {
        Ranges { bounds, ..Ranges::new(terms, tables) }
    }

    /// As [`Ranges::under`], in memory that earlier ones are done with.
    pub fn within(terms: &'a Terms, tables: &'a TruthTables, bounds: Bounds, room: Room) -> Ranges<'a> {
        Ranges { memo: room.0, ..Ranges::under(terms, tables, bounds) }
    }

    /// The memory in which they were found; what was found in it is forgotten.
    pub fn into_room(mut self) -> Room {
        self.memo.clear();
        if self.memo.capacity() > MOST_ROOM {
            self.memo = FxHashMap::default();
        }
        Room(self.memo)
    }

    /// What was assumed of terms directly.
    pub fn bounds(&self) -> &Bounds {
        &self.bounds
    }

    /// Whether something was assumed of this term directly, not only of those below it.
    pub fn is_bounded(&self, term: Term) -> bool {
        self.bounds.get(term).is_some()
    }

    /// Assumes a term of sort Bool: comparisons with constants and conditions on one small symbol are understood, others
    /// are ignored.
    pub fn assume(&mut self, cond: Term) {
        self.memo.clear();
        self.bounds.assume(self.terms, self.tables, cond);
    }

    /// Whether a term of sort Bool is true, or false, whenever the assumptions hold; `None` where ranges do not tell.
    pub fn truth(&mut self, cond: Term) -> Option<bool> {
        match self.run(cond)? {
            Known::Truth(it) => it,
            _ => None,
        }
    }

    /// The range of a bitvector term of at most 100 bits.
    pub fn range(&mut self, term: Term) -> Option<Range> {
        match self.run(term)? {
            Known::Range(it) => Some(it),
            _ => None,
        }
    }

    fn run(&mut self, term: Term) -> Option<Known> {
        let mut work = vec![term];
        if self.memo.capacity() == 0 {
            self.memo.reserve(USUAL_TERMS);
        }
        while let Some(&next) = work.last() {
            if self.memo.contains_key(&next) {
                work.pop();
                continue;
            }
            let before = work.len();
            let node = self.terms.node(next);
            // What lies under a quantifier is not about one value.
            if !matches!(node, Node::Quantifier(_)) {
                node.for_each_argument(|it| {
                    if !self.memo.contains_key(&it) {
                        work.push(it);
                    }
                });
            }
            if work.len() == before {
                let known = self.apply(next, node);
                self.memo.insert(next, known);
                work.pop();
            }
            if self.memo.len() + work.len() > self.limit {
                return None;
            }
        }
        self.memo.get(&term).copied()
    }

    fn get(&self, term: Term) -> Option<Range> {
        match self.memo.get(&term) {
            Some(Known::Range(it)) => Some(*it),
            _ => None,
        }
    }

    fn get_truth(&self, term: Term) -> Option<bool> {
        match self.memo.get(&term) {
            Some(Known::Truth(it)) => *it,
            _ => None,
        }
    }

    fn apply(&self, term: Term, node: &Node) -> Known {
        match self.terms.sort(term) {
            Sort::Bool => Known::Truth(self.apply_bool(node)),
            Sort::BitVec(width) if width.bits() <= MOST_BITS => {
                let bits = width.bits();
                let range = self.apply_bits(bits, node).unwrap_or_else(|| Range::full(bits));
                let range = range.with_bits(self.known_bits(bits, node));
                Known::Range(self.bounds.get(term).map_or(range, |it| range.meet(*it)))
            }
            _ => Known::Nothing,
        }
    }

    fn apply_bool(&self, node: &Node) -> Option<bool> {
        match *node {
            Node::Bool(value) => Some(value),
            Node::Not(a) => self.get_truth(a).map(|it| !it),
            Node::And(ref args) => self.connective(args, false),
            Node::Or(ref args) => self.connective(args, true),
            Node::Ite(cond, then, other) => match self.get_truth(cond) {
                Some(cond) => self.get_truth(if cond { then } else { other }),
                None => self.get_truth(then).filter(|it| self.get_truth(other) == Some(*it)),
            },
            Node::Ult(a, b) => below(self.get(a)?.unsigned, self.get(b)?.unsigned),
            Node::Slt(a, b) => below(self.get(a)?.signed, self.get(b)?.signed),
            Node::Eq(a, b) => {
                let (a, b) = (self.get(a)?, self.get(b)?);
                let apart = |a: (i128, i128), b: (i128, i128)| a.1 < b.0 || b.1 < a.0;
                let differ = (a.known.zeros & b.known.ones) | (a.known.ones & b.known.zeros);
                if apart(a.unsigned, b.unsigned) || apart(a.signed, b.signed) || differ != 0 {
                    return Some(false);
                }
                (a.unsigned.0 == a.unsigned.1 && a.unsigned == b.unsigned).then_some(true)
            }
            _ => None,
        }
    }

    fn connective(&self, args: &[Term], stop: bool) -> Option<bool> {
        let mut res = Some(!stop);
        for &arg in args {
            match self.get_truth(arg) {
                Some(value) if value == stop => return Some(stop),
                Some(_) => {}
                None => res = None,
            }
        }
        res
    }

    fn apply_bits(&self, bits: u32, node: &Node) -> Option<Range> {
        match *node {
            Node::BitVec(ref value) => {
                let value = unsigned(value);
                Some(Range::of_unsigned(bits, value, value))
            }
            Node::Ite(cond, then, other) => match self.get_truth(cond) {
                Some(cond) => self.get(if cond { then } else { other }),
                None => Some(self.get(then)?.join(self.get(other)?)),
            },
            Node::BvSum(ref sum) => self.sum(bits, sum),
            Node::Bv(op, a, b) => binary(op, self.get(a)?, self.get(b)?),
            Node::BvNot(a) => {
                let (low, high) = self.get(a)?.unsigned;
                let top = (1i128 << bits) - 1;
                Some(Range::of_unsigned(bits, top - high, top - low))
            }
            Node::Extract { high, low, arg } => {
                let arg = self.get(arg)?;
                let kept = 1i128 << (high + 1 - low);
                if low == 0 {
                    let (from, to) = if arg.signed.0 < 0 { arg.signed } else { arg.unsigned };
                    return Some(if to - from < kept { Range::of_integers(bits, from, to) } else { Range::full(bits) });
                }
                let (from, to) = (arg.unsigned.0 >> low, arg.unsigned.1 >> low);
                Some(if to < kept { Range::of_unsigned(bits, from, to) } else { Range::full(bits) })
            }
            Node::Concat(a, b) => {
                let below = self.terms.width(b).bits();
                let (a, b) = (self.get(a)?.unsigned, self.get(b)?.unsigned);
                Some(Range::of_unsigned(bits, (a.0 << below) + b.0, (a.1 << below) + b.1))
            }
            Node::ZeroExtend(_, a) => {
                let (low, high) = self.get(a)?.unsigned;
                Some(Range::of_unsigned(bits, low, high))
            }
            Node::SignExtend(_, a) => {
                let (low, high) = self.get(a)?.signed;
                Some(Range::of_signed(bits, low, high))
            }
            _ => None,
        }
    }

    /// The bits that an operator's arguments decide.
    fn known_bits(&self, bits: u32, node: &Node) -> KnownBits {
        let all = (1i128 << bits) - 1;
        let known = |it: Term| self.get(it).map(|it| it.known).unwrap_or_default();
        match *node {
            Node::BvNot(a) => {
                let KnownBits { zeros, ones } = known(a);
                KnownBits { zeros: ones, ones: zeros }
            }
            Node::Extract { low, arg, .. } => known(arg).map(|it| (it >> low) & all),
            Node::Concat(a, b) => {
                let (a, b, below) = (known(a), known(b), self.terms.width(b).bits());
                KnownBits { zeros: a.zeros << below | b.zeros, ones: a.ones << below | b.ones }
            }
            Node::ZeroExtend(_, a) => {
                let inner = (1i128 << self.terms.width(a).bits()) - 1;
                KnownBits { zeros: known(a).zeros | (all & !inner), ones: known(a).ones }
            }
            Node::SignExtend(_, a) => {
                let sign = 1i128 << (self.terms.width(a).bits() - 1);
                known(a).map(|it| if it & sign != 0 { it | (all & !(sign - 1)) } else { it })
            }
            Node::Bv(op, a, b) => {
                let (x, y) = (known(a), known(b));
                let constant = self.get(b).filter(|it| it.unsigned.0 == it.unsigned.1).map(|it| it.unsigned.0);
                match (op, constant.filter(|it| *it < i128::from(bits))) {
                    (BvOp::And, _) => KnownBits { zeros: x.zeros | y.zeros, ones: x.ones & y.ones },
                    (BvOp::Or, _) => KnownBits { zeros: x.zeros & y.zeros, ones: x.ones | y.ones },
                    (BvOp::Xor, _) => KnownBits {
                        zeros: (x.zeros & y.zeros) | (x.ones & y.ones),
                        ones: (x.zeros & y.ones) | (x.ones & y.zeros),
                    },
                    (BvOp::LShr, Some(amount)) => {
                        let KnownBits { zeros, ones } = x.map(|it| it >> amount);
                        KnownBits { zeros: zeros | (all & !(all >> amount)), ones }
                    }
                    _ => KnownBits::default(),
                }
            }
            // The low bits that are known in every summand decide those of the sum.
            Node::BvSum(ref sum) => {
                let mut value = unsigned(&sum.constant);
                let mut count = bits;
                for (factor, it) in &sum.summands {
                    let shift = (unsigned(factor) | (1 << bits)).trailing_zeros();
                    let it = known(*it);
                    count = count.min(shift + it.trailing());
                    value = value.wrapping_add(unsigned(factor).wrapping_mul(it.ones));
                }
                KnownBits::of((1 << count) - 1, value)
            }
            _ => KnownBits::default(),
        }
    }

    /// The exact sum over the integers, then modulo 2^bits; each summand in the reading that is narrower.
    fn sum(&self, bits: u32, sum: &BvSum) -> Option<Range> {
        let constant = signed(&sum.constant);
        let (mut low, mut high) = (constant, constant);
        for (factor, term) in &sum.summands {
            let factor = signed(factor);
            let range = self.get(*term)?;
            let width = |it: (i128, i128)| it.1 - it.0;
            let it = if width(range.signed) < width(range.unsigned) { range.signed } else { range.unsigned };
            let (a, b) = (factor.checked_mul(it.0)?, factor.checked_mul(it.1)?);
            low = low.checked_add(a.min(b))?;
            high = high.checked_add(a.max(b))?;
        }
        // Room for the rounding of `of_integers`.
        let room = i128::MAX >> 2;
        (low > -room && high < room).then(|| Range::of_integers(bits, low, high))
    }
}

fn below(a: (i128, i128), b: (i128, i128)) -> Option<bool> {
    if a.1 < b.0 {
        return Some(true);
    }
    (a.0 >= b.1).then_some(false)
}

fn binary(op: BvOp, a: Range, b: Range) -> Option<Range> {
    let bits = a.bits;
    let (x, y) = (a.unsigned, b.unsigned);
    // The smallest number of all ones that is not below.
    let ones = |it: i128| (1i128 << (128 - it.leading_zeros())) - 1;
    match op {
        BvOp::Mul => {
            if let Some(high) = x.1.checked_mul(y.1)
                && high < 1i128 << bits
            {
                return Some(Range::of_unsigned(bits, x.0 * y.0, high));
            }
            let (s, t) = (a.signed, b.signed);
            let corners = [s.0.checked_mul(t.0)?, s.0.checked_mul(t.1)?, s.1.checked_mul(t.0)?, s.1.checked_mul(t.1)?];
            let (low, high) = (corners.iter().min()?, corners.iter().max()?);
            Some(Range::of_signed(bits, *low, *high))
        }
        BvOp::UDiv if y.0 > 0 => Some(Range::of_unsigned(bits, x.0 / y.1, x.1 / y.0)),
        // Monotone in either, as long as the divisor keeps its sign.
        BvOp::SDiv if b.signed.0 > 0 || b.signed.1 < 0 => {
            let (s, t) = (a.signed, b.signed);
            let corners = [s.0 / t.0, s.0 / t.1, s.1 / t.0, s.1 / t.1];
            let (low, high) = (corners.iter().min()?, corners.iter().max()?);
            Some(Range::of_signed(bits, *low, *high))
        }
        BvOp::URem if y.0 > 0 => Some(Range::of_unsigned(bits, 0, x.1.min(y.1 - 1))),
        BvOp::URem => Some(Range::of_unsigned(bits, 0, x.1)),
        // It has the sign of the dividend, which it is where the divisor is zero.
        BvOp::SRem => {
            let (s, t) = (a.signed, b.signed);
            let most = if t.0 > 0 || t.1 < 0 { t.0.abs().max(t.1.abs()) - 1 } else { i128::MAX };
            Some(Range::of_signed(bits, s.0.min(0).max(-most), s.1.max(0).min(most)))
        }
        BvOp::And => Some(Range::of_unsigned(bits, 0, x.1.min(y.1))),
        BvOp::Or => Some(Range::of_unsigned(bits, x.0.max(y.0), ones(x.1.max(y.1)))),
        BvOp::Xor => Some(Range::of_unsigned(bits, 0, ones(x.1.max(y.1)))),
        BvOp::Shl if y.1 < i128::from(bits) => {
            let high = x.1.checked_mul(1 << y.1)?;
            (high < 1i128 << bits).then(|| Range::of_unsigned(bits, x.0 << y.0, high))
        }
        BvOp::LShr if y.1 < i128::from(bits) => Some(Range::of_unsigned(bits, x.0 >> y.1, x.1 >> y.0)),
        BvOp::LShr => Some(Range::of_unsigned(bits, 0, x.1)),
        BvOp::AShr if y.0 == y.1 && y.1 < i128::from(bits) => {
            Some(Range::of_signed(bits, a.signed.0 >> y.0, a.signed.1 >> y.0))
        }
        _ => None,
    }
}

fn unsigned(value: &BvValue) -> i128 {
    value.to_u128().map_or(0, |it| it as i128)
}

fn signed(value: &BvValue) -> i128 {
    let bits = value.width().bits();
    let it = unsigned(value);
    if value.is_negative() { it - (1i128 << bits) } else { it }
}

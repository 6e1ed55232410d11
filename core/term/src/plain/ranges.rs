//! What is said of one machine integer in several conjuncts, said once: of `x ≤ 5`, `x ≠ 0`, `x ≥ 5`, `x = 5` is left.
//!
//! Knows: the values that comparisons with constants leave, in the unsigned order and in the signed one. Never: what
//! follows from conditions on different terms, a solver.

use crate::bv::BvValue;
use crate::node::{Node, Term};
use crate::sort::{Sort, Width};
use crate::terms::Terms;

/// Values from the first to the last, both among them.
type Range = (u128, u128);

/// An order of the values of a width: each value has a place in it, and the places have the same comparisons.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    Unsigned,
    Signed,
}

/// A comparison of a term with a constant, as one of what the term is computed from: `4·i + 8 ≤ 12` is `i ≤ 1` where
/// nothing overflows.
struct Comparison {
    term: Term,
    width: Width,
    /// In which order it was written, if in one.
    order: Option<Order>,
    /// As what the term was extended, if it was: a character that is read as one of an `unsigned char`.
    extended: Option<Order>,
    /// The values for which it holds, as ranges of unsigned numbers.
    values: Vec<Range>,
    /// What is compared was computed from the term.
    computed: bool,
}

/// The conjuncts with those on one term taken together, where that is shorter. What is left is equivalent.
pub(super) fn ranges(terms: &Terms, conjuncts: Vec<Term>) -> Vec<Term> {
    let mut about: Vec<(Term, Vec<(usize, Comparison)>)> = Vec::new();
    for (at, &cond) in conjuncts.iter().enumerate() {
        let Some(it) = Comparison::of(terms, cond) else { continue };
        match about.iter_mut().find(|known| known.0 == it.term) {
            Some(known) => known.1.push((at, it)),
            None => about.push((it.term, vec![(at, it)])),
        }
    }
    let mut res: Vec<(usize, Term)> = conjuncts.into_iter().enumerate().collect();
    for (term, comparisons) in about {
        let shorter = shorter(terms, term, &comparisons);
        let (Some(last), Some(shorter)) = (comparisons.last(), shorter) else { continue };
        res.retain(|it| comparisons.iter().all(|known| known.0 != it.0));
        let place = res.partition_point(|it| it.0 < last.0);
        res.splice(place..place, shorter.into_iter().map(|it| (last.0, it)));
    }
    res.into_iter().map(|it| it.1).collect()
}

/// The comparisons in fewer ones, or in those of what they are about. `None` where there are none, or where no value is
/// left.
fn shorter(terms: &Terms, term: Term, comparisons: &[(usize, Comparison)]) -> Option<Vec<Term>> {
    let width = comparisons.first()?.1.width;
    let mut left = vec![(0, last(width))];
    for (_, it) in comparisons {
        left = intersected(&left, &it.values);
    }
    let last_order = comparisons.iter().rev().find_map(|it| it.1.order);
    let extended = comparisons.iter().find_map(|it| it.1.extended);
    let own = match (terms.node(term), extended) {
        (Node::Symbol(symbol), _) if terms.is_unsigned(*symbol) => Order::Unsigned,
        // Whoever computed with it knew; so did whoever compared it last.
        (_, Some(known)) => known,
        (Node::Symbol(_), None) => Order::Signed,
        _ => last_order.unwrap_or(Order::Signed),
    };
    let mut orders = [Order::Signed, Order::Unsigned];
    if own == Order::Unsigned {
        orders.reverse();
    }
    let written = orders.map(|order| written(terms, term, width, order, &left).map(|it| (it, order)));
    let ((length, best), order) = written.into_iter().flatten().min_by_key(|it| it.0.0)?;
    let is_shorter = length < comparisons.len() || best.len() < comparisons.len();
    let is_foreign = |it: &Comparison| it.computed || order == own && it.order.is_some_and(|it| it != own);
    let is_plainer = length == comparisons.len() && comparisons.iter().any(|it| is_foreign(&it.1));
    (is_shorter || is_plainer).then_some(best)
}

/// The condition that a term has one of the values, and how many comparisons a reader sees: two bounds are one.
fn written(terms: &Terms, term: Term, width: Width, order: Order, values: &[Range]) -> Option<(usize, Vec<Term>)> {
    let places = moved(values, width, order);
    let ((first, _), (_, end)) = (*places.first()?, *places.last()?);
    let number = |place: u128| terms.bv(BvValue::from_u128(width, order.place(width, place)));
    if first == end {
        return Some((1, vec![terms.eq(term, number(first))]));
    }
    let below = |a, b| match order {
        Order::Unsigned => terms.bv_ule(a, b),
        Order::Signed => terms.not(terms.bv_slt(b, a)),
    };
    let mut res = Vec::new();
    if first > 0 {
        res.push(below(number(first), term));
    }
    if end < last(width) {
        res.push(below(term, number(end)));
    }
    let bounds = res.len().min(1);
    for gap in places.windows(2) {
        let (from, to) = (gap[0].1 + 1, gap[1].0 - 1);
        // What is not between two values would be a disjunction.
        if from != to {
            return None;
        }
        res.push(terms.ne(term, number(from)));
    }
    Some((bounds + places.len() - 1, res))
}

impl Comparison {
    fn of(terms: &Terms, cond: Term) -> Option<Comparison> {
        let (negated, atom) = match *terms.node(cond) {
            Node::Not(inner) => (true, inner),
            _ => (false, cond),
        };
        let (a, b, order) = match *terms.node(atom) {
            Node::Ult(a, b) => (a, b, Some(Order::Unsigned)),
            Node::Slt(a, b) => (a, b, Some(Order::Signed)),
            Node::Eq(a, b) if matches!(terms.sort(a), Sort::BitVec(_)) => (a, b, None),
            _ => return None,
        };
        let (term, constant, term_is_first) = match (terms.as_bv(a), terms.as_bv(b)) {
            (None, Some(it)) => (a, it, true),
            (Some(it), None) => (b, it, false),
            _ => return None,
        };
        let width = constant.width();
        let value = u128::from(constant.to_u64()?);
        if width.bits() > 64 {
            return None;
        }
        let order_of = order.unwrap_or(Order::Unsigned);
        let place = order_of.place(width, value);
        let holds = match (order, term_is_first) {
            (None, _) => (place, place),
            (Some(_), true) => (0, place.checked_sub(1)?),
            (Some(_), false) => (place + 1, last(width)),
        };
        let places = if negated { outside(holds, width) } else { vec![holds] };
        let mut res =
            Comparison { term, width, order, extended: None, values: moved(&places, width, order_of), computed: false };
        while res.is_of_an_operand(terms) {
            res.computed = true;
        }
        Some(res)
    }

    /// Makes it one of the operand that the term is computed from, if there is one and each value comes from one only.
    fn is_of_an_operand(&mut self, terms: &Terms) -> bool {
        let (factor, constant, inner) = match terms.node(self.term) {
            Node::BvSum(sum) => match &sum.summands[..] {
                [(factor, inner)] => (integer(factor), integer(&sum.constant), *inner),
                _ => return false,
            },
            _ => (Some(1), Some(0), self.term),
        };
        let (Some(factor), Some(constant)) = (factor, constant) else { return false };
        let (operand, extended) = match *terms.node(inner) {
            Node::ZeroExtend(_, it) => (it, Some(Order::Unsigned)),
            Node::SignExtend(_, it) => (it, Some(Order::Signed)),
            _ => (inner, None),
        };
        if operand == self.term {
            return false;
        }
        let width = terms.width(operand);
        let all = 1i128 << self.width.bits();
        let (least, most) = match extended {
            Some(Order::Unsigned) => (0, (1i128 << width.bits()) - 1),
            _ => (-(1i128 << (width.bits() - 1)), (1i128 << (width.bits() - 1)) - 1),
        };
        // Twice the same value would come from two operands.
        if factor == 0 || factor.unsigned_abs() * (most - least).unsigned_abs() >= all.unsigned_abs() {
            return false;
        }
        let mut values = Vec::new();
        for &(from, to) in &self.values {
            // The same values, as often as the sum goes round.
            for round in -2..=2 {
                let [from, to] = [from, to].map(|it| it as i128 + round * all - constant);
                let (from, to) = if factor > 0 { (from, to) } else { (-to, -from) };
                let by = factor.abs();
                let (from, to) = ((-(-from).div_euclid(by)).max(least), to.div_euclid(by).min(most));
                if from <= to {
                    values.push((from, to));
                }
            }
        }
        let unsigned = |it: i128| (it & ((1i128 << width.bits()) - 1)) as u128;
        let parts = values.into_iter().flat_map(|(from, to)| match from < 0 && to >= 0 {
            true => vec![(unsigned(from), last(width)), (0, unsigned(to))],
            false => vec![(unsigned(from), unsigned(to))],
        });
        (self.term, self.width, self.values) = (operand, width, joined(parts.collect()));
        self.extended = extended.or(self.extended);
        true
    }
}

/// A constant as a signed integer.
fn integer(value: &BvValue) -> Option<i128> {
    let bits = value.width().bits();
    let value = i128::from(value.to_u64()?);
    Some(if value >= 1i128 << (bits - 1) { value - (1i128 << bits) } else { value })
}

impl Order {
    /// The place of a value in this order, and the value in a place: the same move there and back.
    fn place(self, width: Width, value: u128) -> u128 {
        match self {
            Order::Unsigned => value,
            Order::Signed => value ^ (1 << (width.bits() - 1)),
        }
    }
}

fn last(width: Width) -> u128 {
    (1 << width.bits()) - 1
}

/// Ranges of values as ranges of places in an order, or back.
fn moved(ranges: &[Range], width: Width, order: Order) -> Vec<Range> {
    if order == Order::Unsigned {
        return ranges.to_vec();
    }
    let half = 1 << (width.bits() - 1);
    let parts = ranges.iter().flat_map(|&(from, to)| match from < half && to >= half {
        true => vec![(from, half - 1), (half, to)],
        false => vec![(from, to)],
    });
    joined(parts.map(|(from, to)| (order.place(width, from), order.place(width, to))).collect())
}

/// All values that are not in a range.
fn outside((from, to): Range, width: Width) -> Vec<Range> {
    let below = from.checked_sub(1).map(|it| (0, it));
    let above = (to < last(width)).then(|| (to + 1, last(width)));
    below.into_iter().chain(above).collect()
}

/// Ranges in their order, those that touch as one.
fn joined(mut ranges: Vec<Range>) -> Vec<Range> {
    ranges.sort_unstable();
    let mut res: Vec<Range> = Vec::with_capacity(ranges.len());
    for (from, to) in ranges {
        match res.last_mut() {
            Some(before) if from <= before.1 + 1 => before.1 = before.1.max(to),
            _ => res.push((from, to)),
        }
    }
    res
}

fn intersected(a: &[Range], b: &[Range]) -> Vec<Range> {
    let both = a.iter().flat_map(|x| b.iter().map(move |y| (x.0.max(y.0), x.1.min(y.1))));
    both.filter(|it| it.0 <= it.1).collect()
}

//! Comparisons as a person writes them: numbers to the right (`y − x > 7`), what came first to the left (`x < y`),
//! two bounds of one sum around it (`0 ≤ x ≤ 9`).
//!
//! Knows: which comparisons mean the same. Never: precedence.
//! Only summands of integers go to the other side: a sum of bitvectors may wrap.

use super::floats::float_format;
use super::{Level, Printer, next};
use crate::bv::BvValue;
use crate::float::FloatOp;
use crate::node::{Monomial, Node, Term};
use crate::sort::Sort;
use crate::symbol::Symbol;
use crate::terms::Terms;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

/// The sign of a comparison, as it is written and from the other side.
#[derive(Clone, Copy)]
pub(super) struct Order {
    sign: &'static str,
    turned: &'static str,
    /// Numbers are shown without sign.
    unsigned: bool,
}

impl Order {
    /// One of `<`, `≤`, and of numbers without sign `<ᵤ`, `≤ᵤ`.
    pub(super) fn of(sign: &'static str) -> Order {
        match sign {
            "<" => Order { sign: " < ", turned: " > ", unsigned: false },
            "<ᵤ" => Order { sign: " <ᵤ ", turned: " >ᵤ ", unsigned: true },
            "≤ᵤ" => Order { sign: " ≤ᵤ ", turned: " ≥ᵤ ", unsigned: true },
            _ => Order { sign: " ≤ ", turned: " ≥ ", unsigned: false },
        }
    }
}

/// `low ≤ middle ≤ high`.
pub(super) struct Between {
    low: Side,
    middle: Side,
    high: Side,
    low_order: Order,
    high_order: Order,
}

/// What stands at one side of a comparison.
enum Side {
    Term(Term),
    /// A sum of integers.
    Sum(Sum),
}

/// Summands with their factors, and a constant.
#[derive(Clone, PartialEq, Default)]
struct Sum {
    parts: Vec<(BigInt, Monomial)>,
    constant: BigInt,
}

/// `more − less ≥ least`, with positive factors on both sides.
struct AtLeast {
    more: Sum,
    less: Sum,
    least: BigInt,
}

/// Whether the two conditions are bounds of one term, so that their conjunction is printed as `low ≤ middle ≤ high`.
pub fn is_between(terms: &Terms, a: Term, b: Term) -> bool {
    between(terms, &[a, b]).is_some()
}

pub(super) fn between(terms: &Terms, args: &[Term]) -> Option<Between> {
    let &[a, b] = args else { return None };
    if let (Some(x), Some(y)) = (at_least(terms, a), at_least(terms, b)) {
        return between_integers(terms, x, y);
    }
    let (a, b) = (bound(terms, a)?, bound(terms, b)?);
    let constant = |it: Term| terms.as_bv(it).is_some();
    let (low, high) = match () {
        () if a.1 == b.0 && constant(a.0) && constant(b.1) => (a, b),
        () if b.1 == a.0 && constant(b.0) && constant(a.1) => (b, a),
        () => return None,
    };
    (low.2.unsigned == high.2.unsigned).then_some(Between {
        low: Side::Term(low.0),
        middle: Side::Term(low.1),
        high: Side::Term(high.1),
        low_order: low.2,
        high_order: high.2,
    })
}

/// A comparison of bitvectors: the lesser, the greater.
fn bound(terms: &Terms, cond: Term) -> Option<(Term, Term, Order)> {
    match *terms.node(cond) {
        Node::Ult(a, b) => Some((a, b, Order::of("<ᵤ"))),
        Node::Slt(a, b) => Some((a, b, Order::of("<"))),
        Node::Not(inner) => match *terms.node(inner) {
            Node::Ult(b, a) => Some((a, b, Order::of("≤ᵤ"))),
            Node::Slt(b, a) => Some((a, b, Order::of("≤"))),
            _ => None,
        },
        _ => None,
    }
}

fn between_integers(terms: &Terms, x: AtLeast, y: AtLeast) -> Option<Between> {
    if x.more != y.less || x.less != y.more {
        return None;
    }
    // The middle is what is added; of two, what came last, so that what it is compared with is known.
    let turn = match (x.more.parts.is_empty(), x.less.parts.is_empty()) {
        (true, _) => true,
        (_, true) => false,
        _ => first_symbol(terms, &x.more) < first_symbol(terms, &x.less),
    };
    let (low, high) = if turn { (y, x) } else { (x, y) };
    // low.least ≤ more − less, and more − less ≤ −high.least.
    if low.least > -&high.least {
        return None;
    }
    let shifted = |by: BigInt| Sum { parts: low.less.parts.clone(), constant: by };
    let (from, to) = (low.least.clone(), -high.least);
    // Of `≥ 1` and `> 0` the one with the smaller number.
    let strict_low = from.is_positive();
    let strict_high = to.is_negative();
    let one = BigInt::one();
    Some(Between {
        low: Side::Sum(shifted(if strict_low { from - &one } else { from })),
        middle: Side::Sum(low.more.clone()),
        high: Side::Sum(shifted(if strict_high { to + &one } else { to })),
        low_order: Order::of(if strict_low { "<" } else { "≤" }),
        high_order: Order::of(if strict_high { "<" } else { "≤" }),
    })
}

/// A comparison of integers, what is added and what is taken away apart.
fn at_least(terms: &Terms, cond: Term) -> Option<AtLeast> {
    let (a, b, strict) = match *terms.node(cond) {
        Node::IntLe(a, b) => (a, b, false),
        Node::Not(inner) => match *terms.node(inner) {
            Node::IntLe(b, a) => (a, b, true),
            _ => return None,
        },
        _ => return None,
    };
    Some(difference(terms, a, b, strict))
}

/// `a ≤ b`, or `a < b`.
fn difference(terms: &Terms, a: Term, b: Term, strict: bool) -> AtLeast {
    let sum = sum_of(terms, terms.int_sub(b, a));
    let least = if strict { BigInt::one() } else { BigInt::zero() } - sum.constant;
    let (more, less): (Vec<_>, Vec<_>) = sum.parts.into_iter().partition(|it| it.0.is_positive());
    let less = less.into_iter().map(|(k, it)| (-k, it)).collect();
    let of = |parts| Sum { parts, constant: BigInt::zero() };
    AtLeast { more: of(more), less: of(less), least }
}

fn sum_of(terms: &Terms, term: Term) -> Sum {
    match terms.node(term) {
        Node::Int(value) => Sum { parts: Vec::new(), constant: value.clone() },
        Node::IntPoly(poly) => Sum { parts: poly.monomials.to_vec(), constant: poly.constant.clone() },
        _ => Sum { parts: vec![(BigInt::one(), Box::from([(term, 1)]))], constant: BigInt::zero() },
    }
}

/// The reference to no object.
fn is_nil(terms: &Terms, term: Term) -> bool {
    let name = match terms.node(term) {
        Node::Symbol(symbol) => &terms.symbol_info(*symbol).name,
        Node::Apply(function, args) if args.is_empty() => &terms.function_info(*function).name,
        _ => return false,
    };
    matches!(terms.sort(term), Sort::Uninterpreted(_)) && matches!(&**name, "nil" | "null")
}

/// Numbers stand to the right, so does what is no object, and of two others what came last.
pub(crate) fn is_turned(terms: &Terms, a: Term, b: Term) -> bool {
    let [a_is_nil, b_is_nil] = [a, b].map(|it| is_nil(terms, it));
    if a_is_nil != b_is_nil {
        return a_is_nil;
    }
    match (terms.symbols(a).first(), terms.symbols(b).first()) {
        (None, Some(_)) => true,
        (Some(a), Some(b)) => b < a,
        (_, None) => false,
    }
}

fn first_symbol(terms: &Terms, sum: &Sum) -> Option<Symbol> {
    let factors = sum.parts.iter().flat_map(|it| it.1.iter());
    factors.filter_map(|it| terms.symbols(it.0).first().copied()).min()
}

impl Printer<'_> {
    /// `a` before `b` in this order.
    pub(super) fn ordered(&mut self, a: Term, b: Term, order: Order) {
        if is_turned(self.terms, a, b) {
            self.side(b, order);
            self.text.push_str(order.turned);
            self.side(a, order);
        } else {
            self.side(a, order);
            self.text.push_str(order.sign);
            self.side(b, order);
        }
    }

    /// `=` or `≠`.
    pub(super) fn equation(&mut self, a: Term, op: &str, b: Term) {
        if let Some(format) = float_format(self.terms, a).or_else(|| float_format(self.terms, b)) {
            return self.float_equation(a, op, b, format);
        }
        match is_turned(self.terms, a, b) {
            true => self.infix(b, op, a, Level::Comparison),
            false => self.infix(a, op, b, Level::Comparison),
        }
    }

    /// Negated comparisons have signs of their own.
    pub(super) fn negation(&mut self, inner: Term) {
        let terms = self.terms;
        match *terms.node(inner) {
            Node::Eq(a, b) => self.equation(a, " ≠ ", b),
            Node::Float(ref it) => match (it.op, &it.arguments[..]) {
                (FloatOp::Equal(format), &[a, b]) if a == b => self.call("isnan", &[a], format),
                (FloatOp::Equal(format), &[a, b]) => self.float_equation(a, " ≠ ", b, format),
                _ => self.not(inner),
            },
            Node::Ult(a, b) => self.ordered(b, a, Order::of("≤ᵤ")),
            Node::Slt(a, b) => self.ordered(b, a, Order::of("≤")),
            Node::IntLe(a, b) => self.integers(b, a, true),
            Node::RealLe(a, b) => self.ordered(b, a, Order::of("<")),
            Node::And(ref args) if between(terms, args).is_some() => {
                let args = [terms.not(args[0]), terms.not(args[1])];
                self.list(&args, " ∨ ", next(Level::Or));
            }
            _ => self.not(inner),
        }
    }

    fn not(&mut self, inner: Term) {
        self.text.push('¬');
        self.term(inner, Level::Atom);
    }

    /// `a ≤ b` or `a < b`: nothing is taken away on either side, and of `≥ 1` and `> 0` the smaller number is chosen.
    pub(super) fn integers(&mut self, a: Term, b: Term, strict: bool) {
        if [a, b].iter().all(|&it| self.terms.sort(it) == Sort::Int) {
            let AtLeast { more, less, least } = difference(self.terms, a, b, strict);
            match (more.parts.is_empty(), less.parts.is_empty()) {
                (true, true) => {}
                // more ≥ least
                (false, true) => {
                    let strict = least.is_positive();
                    self.integer_sum(&more);
                    self.text.push_str(if strict { " > " } else { " ≥ " });
                    return self.number(&if strict { least - 1 } else { least });
                }
                // less ≤ −least
                (true, false) => {
                    let (most, strict) = (-&least, least.is_positive());
                    self.integer_sum(&less);
                    self.text.push_str(if strict { " < " } else { " ≤ " });
                    return self.number(&if strict { most + 1 } else { most });
                }
                (false, false) => return self.apart(more, less, &least),
            }
        }
        self.ordered(a, b, Order::of(if strict { "<" } else { "≤" }));
    }

    /// `more − less ≥ least`: what is left of the number is added where it is positive.
    fn apart(&mut self, mut more: Sum, mut less: Sum, least: &BigInt) {
        let strict = least.is_positive();
        let shift = if strict { least - 1 } else { least.clone() };
        if shift.is_zero() && first_symbol(self.terms, &more) < first_symbol(self.terms, &less) {
            self.integer_sum(&more);
            self.text.push_str(if strict { " > " } else { " ≥ " });
            return self.integer_sum(&less);
        }
        match shift.is_positive() {
            true => less.constant = shift,
            false => more.constant = -shift,
        }
        self.integer_sum(&less);
        self.text.push_str(if strict { " < " } else { " ≤ " });
        self.integer_sum(&more);
    }

    /// Both bounds of one term.
    pub(super) fn within(&mut self, between: &Between) {
        self.bound(&between.low, between.low_order);
        self.text.push_str(between.low_order.sign);
        self.bound(&between.middle, between.low_order);
        self.text.push_str(between.high_order.sign);
        self.bound(&between.high, between.high_order);
    }

    fn bound(&mut self, side: &Side, order: Order) {
        match side {
            Side::Term(term) => self.side(*term, order),
            Side::Sum(sum) => self.integer_sum(sum),
        }
    }

    /// Where numbers have no sign, constants are shown so too.
    fn side(&mut self, term: Term, order: Order) {
        match self.terms.node(term) {
            Node::BitVec(value) if order.unsigned => self.text.push_str(&BvValue::to_string(value)),
            _ => self.term(term, next(Level::Comparison)),
        }
    }

    fn integer_sum(&mut self, sum: &Sum) {
        let parts: Vec<(BigRational, String)> =
            sum.parts.iter().map(|(k, it)| (k.clone().into(), self.product(it))).collect();
        self.sum(&parts, &sum.constant.clone().into());
        if parts.is_empty() && sum.constant.is_zero() {
            self.text.push('0');
        }
    }
}

//! Ints and Reals, as far as terms have their operators: what our own query log writes.
//!
//! Knows: integers and fractions. Never: other theories.

use super::{Call, TermResult};
use crate::error::Problem;
use effigy_term::{Node, Sort, Term, Terms};

/// Products whose numbers have more bits are not read: squares of squares would take all memory.
const MOST_BITS: u64 = 1 << 17;

type Binary = fn(&Terms, Term, Term) -> Term;

/// The term of an operator; none where it is of another theory.
pub(super) fn apply(call: &Call<'_>) -> Option<TermResult> {
    let terms = call.terms;
    if matches!(call.name, "+" | "-" | "*" | "/")
        && call.arguments.iter().map(|&it| bits(terms, it)).sum::<u64>() > MOST_BITS
    {
        return Some(Err(Problem::Limit(format!("{MOST_BITS} bits of numbers"))));
    }
    let built = match call.name {
        "+" => left(call, 1, Terms::int_add, Terms::real_add),
        "*" => left(call, 1, Terms::int_mul, Terms::real_mul),
        "-" => match *call.arguments {
            [one] if terms.sort(one) == Sort::Int => Ok(terms.int_neg(one)),
            [one] if terms.sort(one) == Sort::Real => Ok(terms.real_neg(one)),
            _ => left(call, 2, Terms::int_sub, Terms::real_sub),
        },
        "/" => call.all(Sort::Real, 2).map(|_| call.left(|a, b| terms.real_div(a, b))),
        "div" => call.all(Sort::Int, 2).map(|_| call.left(|a, b| terms.int_div(a, b))),
        "mod" => call.all(Sort::Int, 2).and_then(|_| call.exactly()).map(|[a, b]| terms.int_mod(a, b)),
        "abs" => call
            .all(Sort::Int, 1)
            .and_then(|_| call.exactly())
            .map(|[a]| terms.ite(terms.int_le(terms.int(0), a), a, terms.int_neg(a))),
        "<=" => chain(call, Terms::int_le, Terms::real_le),
        "<" => chain(call, Terms::int_lt, Terms::real_lt),
        ">=" => chain(call, |terms, a, b| terms.int_le(b, a), |terms, a, b| terms.real_le(b, a)),
        ">" => chain(call, |terms, a, b| terms.int_lt(b, a), |terms, a, b| terms.real_lt(b, a)),
        "to_real" => call.all(Sort::Int, 1).and_then(|_| call.exactly()).map(|[a]| terms.int_to_real(a)),
        "to_int" | "is_int" => Err(Problem::Unsupported(format!("`{}`", call.name))),
        _ => return None,
    };
    Some(call.plain().and(built))
}

/// The operator for the sort that all arguments have.
fn of_sort(call: &Call<'_>, least: usize, ints: Binary, reals: Binary) -> Result<Binary, Problem> {
    let is = |sort: Sort| call.arguments.iter().all(|&it| call.terms.sort(it) == sort);
    if call.arguments.len() < least {
        return call.refuse(format!("at least {least} numbers"));
    }
    match (is(Sort::Int), is(Sort::Real)) {
        (true, _) => Ok(ints),
        (_, true) => Ok(reals),
        _ => call.refuse("numbers of one sort"),
    }
}

fn left(call: &Call<'_>, least: usize, ints: Binary, reals: Binary) -> TermResult {
    let of = of_sort(call, least, ints, reals)?;
    Ok(call.left(|a, b| of(call.terms, a, b)))
}

fn chain(call: &Call<'_>, ints: Binary, reals: Binary) -> TermResult {
    let of = of_sort(call, 2, ints, reals)?;
    Ok(call.chain(|a, b| of(call.terms, a, b)))
}

/// The bits of the largest number in a term's sum, beyond what a machine word holds.
fn bits(terms: &Terms, term: Term) -> u64 {
    let fraction = |it: &num_rational::BigRational| it.numer().bits() + it.denom().bits();
    let most = match terms.node(term) {
        Node::Int(it) => it.bits(),
        Node::Real(it) => fraction(it),
        Node::IntPoly(it) => it.monomials.iter().map(|it| it.0.bits()).fold(it.constant.bits(), u64::max),
        Node::RealPoly(it) => it.monomials.iter().map(|it| fraction(&it.0)).fold(fraction(&it.constant), u64::max),
        _ => 0,
    };
    most.saturating_sub(64)
}

//! What a condition says only of an operation: that its result fits.
//!
//! Knows: the conditions that `step::arithmetic` makes of signed sums and products. Never: what φ is.

use effigy_term::{BvValue, Node, Term, Terms, Width};

/// Greater constants are not looked for.
const MOST_ADDED: u64 = 1 << 24;

/// The result of a signed operation of which `cond` says that it is not too small, or not too great.
///
/// The operation is computed with more bits than its result has; it is that of the result only if nothing in it cancels
/// out: that `x + (y - x)` fits is not said by a condition on `y`.
pub(super) fn result(terms: &Terms, cond: Term) -> Option<Term> {
    let Node::Not(inner) = *terms.node(cond) else { return None };
    let Node::Slt(a, b) = *terms.node(inner) else { return None };
    // ¬(wide < least), ¬(most < wide).
    let (wide, limit, is_low) = match (terms.as_bv(a), terms.as_bv(b)) {
        (None, Some(least)) => (a, least, true),
        (Some(most), None) => (b, most, false),
        _ => return None,
    };
    let width = terms.width(wide).bits();
    let fits = |bits: u32| {
        let narrow = Width::new(bits)?;
        let least = BvValue::min_signed(narrow);
        let bound = if is_low { least } else { least.not() };
        (bound.sign_extend(terms.width(wide)) == *limit).then_some(narrow)
    };
    // A sum has one bit more, a product twice as many; `x + 1` fits where x is not the greatest.
    let Some(narrow) = fits(width - 1).or_else(|| fits(width / 2)) else {
        return with_constant(terms, wide, limit, is_low);
    };
    let result = terms.bv_truncate(narrow, wide);
    (summands(terms, result)? == summands(terms, wide)?).then_some(result)
}

/// `x + k` or `x - k`, of which `x` between `least + k` and `most - k` says that it fits.
fn with_constant(terms: &Terms, x: Term, limit: &BvValue, is_low: bool) -> Option<Term> {
    let width = limit.width();
    let least = BvValue::min_signed(width);
    let k = if is_low { limit.sub(&least) } else { least.not().sub(limit) };
    // What is far from both ends is a bound of the program's own.
    if width.bits() < 32 || k.is_zero() || k.is_negative() || k.to_u64()? >= MOST_ADDED {
        return None;
    }
    let k = terms.bv(k);
    Some(if is_low { terms.bv_sub(x, k) } else { terms.bv_add(x, k) })
}

/// How many summands a sum has, those of the sums in it counted; `None` for what is neither sum nor product.
fn summands(terms: &Terms, term: Term) -> Option<usize> {
    let mut work = vec![term];
    let (mut res, mut first) = (0, true);
    while let Some(next) = work.pop() {
        match terms.node(next) {
            Node::BvSum(sum) => {
                work.extend(sum.summands.iter().map(|it| it.1));
                res += usize::from(!sum.constant.is_zero());
            }
            Node::SignExtend(_, inner) => work.push(*inner),
            Node::Bv(..) => res += 1,
            _ if first => return None,
            _ => res += 1,
        }
        if res > 64 {
            return None;
        }
        first = false;
    }
    Some(res)
}

//! What is printed of a comparison is what it means: the text is read again by a reader of its own and evaluated.

use effigy_term::eval::Evaluator;
use effigy_term::print::{is_between, math};
use effigy_term::{BvOp, Model, Sort, SymbolKind, Term, Terms, Value, Width};
use proptest::prelude::*;

/// The value of a sum such as `2·x − y + 3` at x and y.
fn sum(text: &str, x: i64, y: i64) -> i64 {
    let spaced = text.replace(" − ", " + −");
    let summand = |part: &str| {
        let (sign, part) = part.strip_prefix('−').map_or((1, part), |it| (-1, it));
        let factor = |it: &str| match it {
            "x" => x,
            "y" => y,
            number => number.parse().unwrap_or_else(|_| panic!("a number in {text}: {number}")),
        };
        sign * part.split('·').map(factor).product::<i64>()
    };
    spaced.split(" + ").map(summand).sum()
}

/// The truth of `a ≤ b < c`, or of such texts with `∨` between them.
fn holds(text: &str, x: i64, y: i64) -> bool {
    match text {
        "true" => return true,
        "false" => return false,
        _ => {}
    }
    text.split(" ∨ ").any(|chain| {
        let mut left: Option<(i64, &str)> = None;
        let mut rest = chain;
        let mut all = true;
        loop {
            let next =
                [" ≤ ", " < ", " ≥ ", " > ", " = ", " ≠ "].iter().filter_map(|it| Some((rest.find(it)?, *it))).min();
            let (part, after) =
                next.map_or((rest, None), |(at, sign)| (&rest[..at], Some((sign, &rest[at + sign.len()..]))));
            let value = sum(part, x, y);
            if let Some((before, sign)) = left {
                all &= match sign.trim() {
                    "≤" => before <= value,
                    "<" => before < value,
                    "≥" => before >= value,
                    ">" => before > value,
                    "=" => before == value,
                    _ => before != value,
                };
            }
            match after {
                Some((sign, after)) => (left, rest) = (Some((value, sign)), after),
                None => return all,
            }
        }
    })
}

fn linear(terms: &Terms, x: Term, y: Term, factors: (i64, i64, i64)) -> Term {
    let scaled = |k: i64, it| terms.int_mul(terms.int(k), it);
    terms.int_add(terms.int_add(scaled(factors.0, x), scaled(factors.1, y)), terms.int(factors.2))
}

fn factors() -> impl Strategy<Value = (i64, i64, i64)> {
    (-2_i64..=2, -2_i64..=2, -5_i64..=5)
}

proptest! {
    #[test]
    fn the_text_of_a_comparison_means_what_it_says(a in factors(), b in factors(), kind in 0..5_u8) {
        let terms = Terms::new();
        let symbols = ["x", "y"].map(|it| terms.symbol(it, Sort::Int, SymbolKind::Input));
        let [x, y] = symbols.map(|it| terms.of_symbol(it));
        let (a, b) = (linear(&terms, x, y, a), linear(&terms, x, y, b));
        let cond = match kind {
            0 => terms.int_le(a, b),
            1 => terms.int_lt(a, b),
            2 => terms.eq(a, b),
            3 => terms.not(terms.eq(a, b)),
            _ => {
                // Two bounds, printed around what they bound where they bound one thing.
                let bounds = (terms.int_le(a, b), terms.int_le(b, terms.int_add(a, terms.int(3))));
                if !is_between(&terms, bounds.0, bounds.1) {
                    return Ok(());
                }
                terms.and(bounds.0, bounds.1)
            }
        };
        for cond in [cond, terms.not(cond)] {
            let text = math(&terms, cond);
            for x in -4..=4 {
                for y in -4..=4 {
                    let mut model = Model::default();
                    model.set(symbols[0], Value::Int(x.into()));
                    model.set(symbols[1], Value::Int(y.into()));
                    let truth = Evaluator::new(&terms, &model).truth(cond);
                    prop_assert_eq!(truth, Some(holds(&text, x, y)), "{} at {}, {}", text, x, y);
                }
            }
        }
    }
}

#[test]
fn comparisons_read_as_people_write_them() {
    let terms = Terms::new();
    let [x, y] = ["x", "y"].map(|it| terms.of_symbol(terms.symbol(it, Sort::Int, SymbolKind::Input)));
    let int = |it: i64| terms.int(it);
    let text = |it| math(&terms, it).to_string();
    assert_eq!(text(terms.int_lt(int(7), terms.int_sub(y, x))), "x + 7 < y");
    assert_eq!(text(terms.int_lt(y, x)), "x > y");
    assert_eq!(text(terms.int_le(int(1), x)), "x > 0");
    assert_eq!(text(terms.and(terms.int_le(x, y), terms.int_le(y, terms.int_add(x, int(7))))), "x ≤ y ≤ x + 7");
    let outside = terms.not(terms.and(terms.int_le(int(0), x), terms.int_le(x, int(9))));
    assert_eq!(text(outside), "x < 0 ∨ x > 9");
    let width = Width::W32;
    let [a, b] = ["a", "b"].map(|it| terms.of_symbol(terms.symbol(it, Sort::BitVec(width), SymbolKind::Input)));
    // A sum of bitvectors may wrap: nothing goes to the other side.
    assert_eq!(text(terms.bv_slt(terms.bv_u64(width, 7), terms.bv_sub(b, a))), "b − a > 7");
}

/// Conditional terms are as deep as programs run long.
#[test]
fn deep_conditional_terms_are_compared_with_a_number() {
    let terms = Terms::new();
    let mut value = terms.input("x", Sort::BitVec(Width::W8));
    for at in 0..100_000u32 {
        let cond = terms.input(&format!("c{}", at % 7), Sort::Bool);
        let flipped = terms.bv_op(BvOp::Xor, value, terms.bv_u64(Width::W8, u64::from(at % 5) + 1));
        value = terms.ite(cond, terms.bv_u64(Width::W8, u64::from(at % 250)), flipped);
    }
    let equal = terms.eq(value, terms.bv_u64(Width::W8, 251));
    assert_eq!(terms.sort(equal), Sort::Bool);
}

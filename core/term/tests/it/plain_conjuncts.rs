//! What is said of several conditions together is what was there, and the same each time it is asked: conditions on one
//! byte are remembered, and those on two are about both.

use effigy_term::eval::Evaluator;
use effigy_term::plain::plain_conjuncts;
use effigy_term::{BvValue, Model, Sort, Symbol, SymbolKind, Term, Terms, Value, Width};
use proptest::prelude::*;

/// A comparison of a byte, of the other, or of their sum with a constant; negated or not; or several as one.
#[derive(Clone, Debug)]
enum Cond {
    Compared { of: u8, how: u8, with: u8, holds: bool },
    All(Vec<Cond>),
    Any(Vec<Cond>),
}

fn conds() -> impl Strategy<Value = Vec<Cond>> {
    let near = prop_oneof![0_u8..4, 47_u8..50, 126_u8..130, 254_u8..=255];
    let one = (0_u8..7, 0_u8..3, near, any::<bool>());
    let one = one.prop_map(|(of, how, with, holds)| Cond::Compared { of, how, with, holds });
    let some = one.prop_recursive(2, 6, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 2..4).prop_map(Cond::All),
            prop::collection::vec(inner, 2..4).prop_map(Cond::Any),
        ]
    });
    prop::collection::vec(some, 1..7)
}

fn width() -> Width {
    Width::new(8).expect("a width")
}

fn built(terms: &Terms, symbols: &[Symbol; 2], cond: &Cond) -> Term {
    match cond {
        Cond::Compared { of, how, with, holds } => {
            let [x, y] = symbols.map(|it| terms.of_symbol(it));
            // Most are about one byte.
            let value = match of {
                0..3 => x,
                3..6 => y,
                _ => terms.bv_add(x, y),
            };
            let with = terms.bv(BvValue::from_u64(width(), u64::from(*with)));
            let res = match how {
                0 => terms.eq(value, with),
                1 => terms.bv_ult(value, with),
                _ => terms.bv_slt(value, with),
            };
            if *holds { res } else { terms.not(res) }
        }
        Cond::All(all) => terms.and_all(all.iter().map(|it| built(terms, symbols, it))),
        Cond::Any(any) => terms.or_all(any.iter().map(|it| built(terms, symbols, it))),
    }
}

proptest! {
    #[test]
    fn what_is_said_together_is_what_was_there(some in conds(), others in conds()) {
        let terms = Terms::new();
        let symbols = ["x", "y"].map(|it| terms.symbol(it, Sort::BitVec(width()), SymbolKind::Input));
        let all: Vec<Term> = some.iter().map(|it| built(&terms, &symbols, it)).collect();
        let said = plain_conjuncts(&terms, &all);
        // Whatever else was asked, it is the same.
        let more: Vec<Term> = others.iter().map(|it| built(&terms, &symbols, it)).collect();
        plain_conjuncts(&terms, &more);
        let both: Vec<Term> = more.iter().chain(&all).copied().collect();
        let together = plain_conjuncts(&terms, &both);
        prop_assert_eq!(&plain_conjuncts(&terms, &all), &said);
        let edges = [0_u64, 1, 2, 3, 4, 46, 47, 48, 49, 50, 77, 125, 126, 127, 128, 129, 130, 200, 253, 254, 255];
        for x in edges {
            for y in edges {
                let mut model = Model::new();
                for (symbol, value) in symbols.into_iter().zip([x, y]) {
                    model.set(symbol, Value::BitVec(BvValue::from_u64(width(), value)));
                }
                let mut evaluator = Evaluator::new(&terms, &model);
                let mut holds = |of: &[Term]| of.iter().all(|&it| evaluator.truth(it) == Some(true));
                prop_assert_eq!(holds(&all), holds(&said), "at {} and {}", x, y);
                prop_assert_eq!(holds(&both), holds(&together), "at {} and {}", x, y);
            }
        }
    }
}

//! A fingerprint is that of what a term says: the same in another arena, whatever was built there before.

use effigy_term::fingerprint::Fingerprints;
use effigy_term::{BvValue, Sort, SymbolKind, Term, Terms, Width};
use proptest::prelude::*;
use std::collections::HashMap;

/// How to build a term: each step names earlier ones.
type Recipe = Vec<(u8, u8, u8, u8)>;

/// The terms of a recipe, in an arena in which symbols were made in this order.
fn built(terms: &Terms, recipe: &Recipe, backwards: bool) -> Vec<Term> {
    let names = ["a", "b", "c", "d"];
    let make = |it: &&str| terms.symbol_term(it);
    let mut made: HashMap<&str, Term> = HashMap::new();
    let mut order: Vec<&&str> = names.iter().collect();
    if backwards {
        order.reverse();
    }
    for it in order {
        made.insert(it, make(it));
    }
    let mut res: Vec<Term> = names.iter().map(|it| made[it]).collect();
    for &(op, x, y, z) in recipe {
        let at = |it: u8| res[usize::from(it) % res.len()];
        let (a, b) = (at(x), at(y));
        let built = match op % 12 {
            0 => terms.bv_add(a, b),
            1 => terms.bv_mul(a, b),
            2 => terms.bv_and(a, b),
            3 => terms.bv_or(b, a),
            4 => terms.ite(terms.bv_ult(a, b), a, at(z)),
            5 => terms.ite(terms.and(terms.eq(a, b), terms.bv_slt(b, at(z))), b, at(z)),
            6 => terms.bv_shl(a, b),
            7 => terms.bv_udiv(a, b),
            8 => terms.bv_add(a, terms.bv(BvValue::from_u64(Width::of(8), u64::from(z)))),
            9 => terms.bv_not(a),
            10 => terms.bv_concat(terms.bv_extract(3, 0, a), terms.bv_extract(7, 4, b)),
            _ => terms.ite(terms.or(terms.eq(a, b), terms.eq(b, at(z))), terms.bv_xor(a, b), b),
        };
        res.push(built);
    }
    res
}

trait Named {
    fn symbol_term(&self, name: &str) -> Term;
}

impl Named for Terms {
    fn symbol_term(&self, name: &str) -> Term {
        self.of_symbol(self.symbol(name, Sort::BitVec(Width::of(8)), SymbolKind::Input))
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn it_does_not_depend_on_the_arena(recipe in prop::collection::vec(any::<(u8, u8, u8, u8)>(), 1..24)) {
        let (one, other) = (Terms::new(), Terms::new());
        let (first, second) = (built(&one, &recipe, false), built(&other, &recipe, false));
        let (mut of_one, mut of_other) = (Fingerprints::default(), Fingerprints::default());
        // Asked in another order.
        for (a, b) in first.iter().zip(&second).rev() {
            prop_assert_eq!(of_one.of(&one, *a), of_other.of(&other, *b));
        }
        // Where arguments are sorted by their handles, these are others.
        let turned = Terms::new();
        let third = built(&turned, &recipe, true);
        let mut of_turned = Fingerprints::default();
        for (a, b) in first.iter().zip(&third) {
            prop_assert_eq!(of_one.of(&one, *a), of_turned.of(&turned, *b));
        }
    }

    #[test]
    fn two_terms_have_two(recipe in prop::collection::vec(any::<(u8, u8, u8, u8)>(), 1..24)) {
        let terms = Terms::new();
        let all = built(&terms, &recipe, false);
        let mut prints = Fingerprints::default();
        let mut seen: HashMap<u128, Term> = HashMap::new();
        for it in all {
            let print = prints.of(&terms, it).expect("no quantifier");
            prop_assert_eq!(*seen.entry(print).or_insert(it), it);
        }
    }
}

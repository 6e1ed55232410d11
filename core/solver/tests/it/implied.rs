//! A path condition from which what it implies is left out: it says the same.

use crate::words::{SYMBOLS, assignments, conditions, symbol};
use effigy_solver::{LayerKind, LayerSet, PathCondition, Query, QueryBudget, SolverConfig, Statistics, chain};
use effigy_term::eval::Evaluator;
use effigy_term::{Sort, Symbol, Term, Terms, Width};
use proptest::prelude::*;

/// The conjunction under each assignment.
fn truths(terms: &Terms, path: &PathCondition, symbols: &[Symbol]) -> Vec<Option<bool>> {
    let all = terms.and_all(path.conjuncts());
    assignments(symbols.to_vec()).map(|it| Evaluator::new(terms, &it).truth(all)).collect()
}

fn shown(terms: &Terms, conds: &[Term]) -> Vec<String> {
    conds.iter().map(|it| effigy_term::print::math(terms, *it)).collect()
}

fn left_out(path: &PathCondition) -> u64 {
    let mut statistics = Statistics::default();
    path.statistics(&mut statistics);
    statistics.layers.iter().map(|it| it.answered).sum()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: effigy_testing::cases(400), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn it_says_the_same(steps in prop::collection::vec((any::<[u8; 4]>(), any::<bool>()), 2..24)) {
        let terms = Terms::new();
        let conds = conditions(&terms, &steps);
        let symbols: Vec<Symbol> = SYMBOLS.iter().flat_map(|it| terms.symbols(symbol(&terms, it))).copied().collect();
        let (mut short, mut full) = (PathCondition::of(LayerSet::default()), PathCondition::of(LayerSet::NONE));
        let solver = &mut *chain(&SolverConfig::default());
        for &cond in &conds {
            // A goal is answered in the same way, whoever of the layers answers.
            let mut ask = |path: &PathCondition| {
                let budget = QueryBudget { steps: Some(1_000_000), time: None };
                let query = Query { path, only: None, goal: cond, witness: None, tried: false, budget };
                std::mem::discriminant(&solver.check(&terms, &query))
            };
            prop_assert_eq!(ask(&short), ask(&full));
            short.assume(&terms, cond);
            full.assume(&terms, cond);
            prop_assert_eq!(truths(&terms, &short, &symbols), truths(&terms, &full, &symbols), "{:?} of {:?}",
                shown(&terms, &short.conjuncts()), shown(&terms, &full.conjuncts()));
        }
        let (kept, all) = (short.conjuncts(), full.conjuncts());
        let mut rest = all.iter();
        prop_assert!(kept.iter().all(|it| rest.any(|other| it == other)), "{:?} of {:?}", shown(&terms, &kept), shown(&terms, &all));
        prop_assert_eq!(left_out(&full), 0);
    }
}

#[test]
fn what_bounds_imply_is_left_out_and_known_all_the_same() {
    let terms = Terms::new();
    let wide = Width::of(32);
    let byte = |it: &str| terms.bv_zero_extend(wide, terms.input(it, Sort::BitVec(Width::of(8))));
    let (a, b) = (byte("a"), byte("b"));
    let constant = |it: u64| terms.bv_u64(wide, it);
    let digit = |it: Term| terms.and(terms.bv_ule(constant(48), it), terms.bv_ule(it, constant(57)));
    let number = terms.bv_add(terms.bv_mul(terms.bv_sub(a, constant(48)), constant(10)), terms.bv_sub(b, constant(48)));
    let mut path = PathCondition::of(LayerSet::default());
    path.assume(&terms, digit(a));
    path.assume(&terms, digit(b));
    let before = path.conjuncts();
    for implied in [terms.bv_ult(number, constant(100)), terms.ne(a, constant(32)), terms.bv_slt(a, constant(58))] {
        path.assume(&terms, implied);
        assert_eq!(path.conjuncts(), before, "{}", effigy_term::print::math(&terms, implied));
        assert!(path.contains(&terms, implied), "{}", effigy_term::print::math(&terms, implied));
    }
    assert_eq!(left_out(&path), 3);
    // They are still independent of one another.
    assert_eq!(path.touched(terms.symbols(a)).len(), 1);
    assert_ne!(path.touched(terms.symbols(a))[0].symbols(), path.touched(terms.symbols(b))[0].symbols());
    path.assume(&terms, terms.bv_ult(number, constant(42)));
    assert_eq!(path.len(), before.len() + 1);

    let mut full = PathCondition::of(LayerSet::default().without(LayerKind::Implied));
    full.assume(&terms, digit(a));
    let before = full.len();
    full.assume(&terms, terms.ne(a, constant(32)));
    assert_eq!(full.len(), before + 1);
}

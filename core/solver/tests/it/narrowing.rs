//! Circuits under what the path condition says, and the second solver for hard queries: the same answers as without,
//! and as trying all values; over several queries to one backend, as along a path.

use crate::words::{WIDTHS, Words, conditions, satisfiable_by_trying};
use effigy_solver::{
    Answer, Backend, LayerKind, LayerSet, PathCondition, Query, QueryBudget, Solver, SolverConfig, chain,
};
use effigy_term::{BvOp, Sort, Term, Terms, Width};
use proptest::prelude::*;

const STEPS: u64 = 20_000_000;

/// A backend alone, so that nothing else answers.
fn backend(layers: LayerSet, patience: u64) -> Box<dyn Solver> {
    let layers = layers.with(LayerKind::Validate);
    chain(&SolverConfig { backend: Backend::Bits, layers, patience, ..SolverConfig::default() })
}

fn ask(solver: &mut dyn Solver, terms: &Terms, path: &PathCondition, goal: Term) -> Option<bool> {
    let budget = QueryBudget { steps: Some(STEPS), time: None };
    match solver.check(terms, &Query { path, only: None, goal, witness: None, tried: false, budget }) {
        Answer::Sat(_) => Some(true),
        Answer::Unsat => Some(false),
        Answer::Unknown(reason) => panic!(
            "{reason}: {} under {:?}",
            effigy_term::print::math(terms, goal),
            path.conjuncts().iter().map(|it| effigy_term::print::math(terms, *it)).collect::<Vec<_>>()
        ),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: effigy_testing::cases(400), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn answers_along_a_path_are_those_of_trying_all(steps in prop::collection::vec((any::<[u8; 4]>(), any::<bool>()), 2..24)) {
        let terms = Terms::new();
        let conds = conditions(&terms, &steps);
        let both = LayerSet::NONE.with(LayerKind::Narrowing).with(LayerKind::Escalation);
        let mut solvers = [
            backend(LayerSet::NONE.with(LayerKind::Narrowing), 500),
            backend(LayerSet::NONE.with(LayerKind::Escalation), 0),
            backend(both, 1),
        ];
        let mut path = PathCondition::of(LayerSet::NONE);
        for (at, &cond) in conds.iter().enumerate() {
            let mut so_far = conds[..at].to_vec();
            // The path goes on where it can.
            so_far.retain(|it| path.contains(&terms, *it) || terms.as_bool(*it) == Some(true));
            so_far.push(cond);
            let expected = satisfiable_by_trying(&terms, &[path.conjuncts(), vec![cond]].concat());
            for solver in &mut solvers {
                prop_assert_eq!(ask(&mut **solver, &terms, &path, cond), Some(expected), "{} under {:?}",
                    effigy_term::print::math(&terms, cond),
                    path.conjuncts().iter().map(|it| effigy_term::print::math(&terms, *it)).collect::<Vec<_>>());
            }
            if expected {
                path.assume(&terms, cond);
            }
        }
    }

    /// Elements of unknown arrays are related over all queries: their indices are not narrowed, but what is made of
    /// the elements is.
    #[test]
    fn arrays_are_the_same_narrowed_or_not(
        steps in prop::collection::vec((any::<[u8; 4]>(), any::<bool>()), 2..16),
        reads in prop::collection::vec(any::<[u8; 4]>(), 1..5),
    ) {
        let terms = Terms::new();
        let sort = Sort::BitVec(Width::of(WIDTHS[0]));
        let array = terms.input("a", terms.array_sort(sort, sort));
        let mut words = Words::new(&terms);
        let mut conds = Vec::new();
        for (bytes, is_cond) in &steps {
            words.grow(*bytes);
            if *is_cond {
                conds.push(words.cond(*bytes));
            }
        }
        for read in &reads {
            let element = terms.select(array, words.pick(0, read[0]));
            conds.push(terms.bv_slt(element, words.pick(0, read[1])));
            conds.push(terms.bv_ult(terms.bv_op(BvOp::Mul, element, words.pick(0, read[2])), words.pick(0, read[3])));
        }
        let mut narrow = backend(LayerSet::NONE.with(LayerKind::Narrowing), 500);
        let mut plain = backend(LayerSet::NONE, 500);
        let mut path = PathCondition::of(LayerSet::NONE);
        for cond in conds {
            let expected = ask(&mut *plain, &terms, &path, cond);
            prop_assert_eq!(ask(&mut *narrow, &terms, &path, cond), expected);
            if expected == Some(true) {
                path.assume(&terms, cond);
            }
        }
    }
}

//! What comparisons alone say: the same answers as without, and as trying all values, over several queries to one backend.

use effigy_solver::Statistics;
use effigy_solver::{
    Answer, Backend, LayerKind, LayerSet, PathCondition, Query, QueryBudget, Solver, SolverConfig, chain,
};
use effigy_term::eval::Evaluator;
use effigy_term::{BvValue, Model, Sort, Term, Terms, Value, Width};
use proptest::prelude::*;

const WIDTH: u32 = 2;

/// A backend alone, so that nothing else answers.
fn backend(layers: LayerSet) -> Box<dyn Solver> {
    let layers = layers.with(LayerKind::Validate);
    chain(&SolverConfig { backend: Backend::Bits, layers, ..SolverConfig::default() })
}

fn inputs(terms: &Terms, count: usize, width: u32) -> Vec<Term> {
    (0..count).map(|it| terms.input(&format!("x{it}"), Sort::BitVec(Width::of(width)))).collect()
}

/// One more number and one more condition, from four bytes: conditionals, comparisons in both orders, and what no order
/// knows.
fn grow(terms: &Terms, numbers: &mut Vec<Term>, conds: &mut Vec<Term>, [kind, a, b, c]: [u8; 4]) {
    let number = |at: u8| numbers[at as usize % numbers.len()];
    let (a, b) = (number(a), number(b));
    let cond = match kind % 4 {
        0 => terms.bv_ult(a, b),
        1 => terms.bv_slt(a, b),
        2 => terms.not(terms.bv_slt(a, b)),
        _ => terms.eq(a, b),
    };
    let other = conds.get(c as usize % conds.len().max(1)).copied().unwrap_or(cond);
    conds.push(match kind / 4 % 3 {
        0 => terms.or(cond, terms.not(other)),
        _ => cond,
    });
    numbers.push(match kind / 16 % 8 {
        0 => terms.bv_add(a, b),
        1 => terms.bv_not(a),
        2 => terms.bv(BvValue::from_u64(Width::of(WIDTH), u64::from(c) % 4)),
        3 => terms.ite(other, a, b),
        _ => terms.ite(cond, b, a),
    });
}

fn satisfiable_by_trying(terms: &Terms, inputs: &[Term], conds: &[Term]) -> bool {
    (0..1u64 << (WIDTH * inputs.len() as u32)).any(|bits| {
        let mut model = Model::new();
        for (at, &input) in inputs.iter().enumerate() {
            let value = BvValue::from_u64(Width::of(WIDTH), bits >> (WIDTH * at as u32) & 3);
            terms.symbols(input).iter().for_each(|it| model.set(*it, Value::BitVec(value.clone())));
        }
        let mut evaluator = Evaluator::new(terms, &model);
        conds.iter().all(|it| evaluator.truth(*it) == Some(true))
    })
}

fn ask(solver: &mut dyn Solver, terms: &Terms, path: &PathCondition, goal: Term) -> Option<bool> {
    let query = Query { path, only: None, goal, witness: None, tried: false, budget: QueryBudget::default() };
    match solver.check(terms, &query) {
        Answer::Sat(_) => Some(true),
        Answer::Unsat => Some(false),
        Answer::Unknown(_) => None,
    }
}

/// The queries that comparisons alone have answered.
fn answered(solver: &dyn Solver) -> u64 {
    let mut statistics = Statistics::default();
    solver.statistics(&mut statistics);
    statistics.layers.iter().find(|it| it.name == LayerKind::Orders.name()).map_or(0, |it| it.answered)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: effigy_testing::cases(600), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn answers_along_a_path_are_those_of_trying_all(steps in prop::collection::vec(any::<[u8; 4]>(), 2..20)) {
        let terms = Terms::new();
        let inputs = inputs(&terms, 5, WIDTH);
        let (mut numbers, mut conds) = (inputs.clone(), Vec::new());
        steps.iter().for_each(|it| grow(&terms, &mut numbers, &mut conds, *it));
        let mut solver = backend(LayerSet::NONE.with(LayerKind::Orders));
        let mut path = PathCondition::new();
        for cond in conds {
            let expected = satisfiable_by_trying(&terms, &inputs, &[path.conjuncts(), vec![cond]].concat());
            prop_assert_eq!(ask(&mut *solver, &terms, &path, cond), Some(expected), "{} under {:?}",
                effigy_term::print::math(&terms, cond),
                path.conjuncts().iter().map(|it| effigy_term::print::math(&terms, *it)).collect::<Vec<_>>());
            if expected {
                path.assume(&terms, cond);
            }
        }
    }
}

#[test]
fn that_a_maximum_is_one_needs_no_bits() {
    let terms = Terms::new();
    let numbers = inputs(&terms, 9, 64);
    let most = numbers[1..].iter().fold(numbers[0], |most, &it| terms.ite(terms.bv_slt(most, it), it, most));
    let mut solver = backend(LayerSet::NONE.with(LayerKind::Orders));
    let larger = terms.or_all(numbers.iter().map(|&it| terms.bv_slt(most, it)));
    assert_eq!(ask(&mut *solver, &terms, &PathCondition::new(), larger), Some(false));
    assert_eq!(answered(&*solver), 1, "it was answered by comparisons alone");
    let smaller = terms.or_all(numbers.iter().map(|&it| terms.bv_slt(it, most)));
    assert_eq!(ask(&mut *solver, &terms, &PathCondition::new(), smaller), Some(true));
    assert_eq!(answered(&*solver), 1, "a model is the numbers'");
}

//! The backends against each other, and a solver's process at its worst.

use effigy_solver::{
    Answer, Backend, LayerKind, LayerSet, PathCondition, Query, QueryBudget, Reason, SolverConfig, chain,
};
use effigy_term::eval::Evaluator;
use effigy_term::{BvOp, Sort, Term, Terms, Width};
use proptest::prelude::*;
use std::time::Duration;

/// What decides is counted, so that it is the same on every machine: conflicts, or the SMT solver's units of resources.
const STEPS: u64 = 20_000_000;

/// Longer than any test.
const ENDLESS: Duration = Duration::from_secs(3600);

const OPS: [BvOp; 11] = [
    BvOp::Mul,
    BvOp::UDiv,
    BvOp::URem,
    BvOp::SDiv,
    BvOp::SRem,
    BvOp::And,
    BvOp::Or,
    BvOp::Xor,
    BvOp::Shl,
    BvOp::LShr,
    BvOp::AShr,
];

/// A formula over two words from a program of bytes.
fn formula(terms: &Terms, bytes: &[u8]) -> Term {
    let width = Width::of(1 + u32::from(bytes.first().copied().unwrap_or(3)) % 9);
    let mut words: Vec<Term> = vec![terms.input("x", Sort::BitVec(width)), terms.input("y", Sort::BitVec(width))];
    let mut conds: Vec<Term> = Vec::new();
    for step in bytes.get(1..).unwrap_or_default().chunks(3) {
        let pick = |at: usize| words[step.get(at).map_or(0, |it| *it as usize) % words.len()];
        let (a, b) = (pick(1), pick(2));
        match step[0] % 18 {
            it @ 0..=10 => words.push(terms.bv_op(OPS[it as usize], a, b)),
            11 => words.push(terms.bv_add(a, b)),
            12 => words.push(terms.bv_sub(a, b)),
            13 => words.push(terms.bv_u64(width, u64::from(step[0]) * 7 + 1)),
            14 => conds.push(terms.eq(a, b)),
            15 => conds.push(terms.bv_ult(a, b)),
            16 => conds.push(terms.not(terms.bv_slt(a, b))),
            _ => words.push(terms.ite(terms.bv_slt(a, b), a, b)),
        }
    }
    let (first, last) = (words[0], words[words.len() - 1]);
    conds.push(terms.ne(first, last));
    terms.and_all(conds)
}

fn ask(terms: &Terms, config: &SolverConfig, goal: Term) -> Answer {
    let path = PathCondition::new();
    let budget = QueryBudget { steps: Some(STEPS), time: Some(ENDLESS) };
    chain(config).check(terms, &Query { path: &path, only: None, goal, witness: None, tried: false, budget })
}

fn config(backend: Backend) -> SolverConfig {
    SolverConfig { backend, ..SolverConfig::default() }
}

/// Whether some assignment satisfies the formula, by trying all.
fn brute_force(terms: &Terms, goal: Term) -> bool {
    let symbols = terms.symbols(goal);
    let width = symbols.first().map_or(1, |it| terms.symbol_info(*it).sort.width().map_or(1, Width::bits));
    (0..1u64 << (width as usize * symbols.len())).any(|all| {
        let mut model = effigy_term::Model::new();
        for (at, &symbol) in symbols.iter().enumerate() {
            let value = effigy_term::BvValue::from_u64(Width::of(width), all >> (at as u32 * width));
            model.set(symbol, effigy_term::Value::BitVec(value));
        }
        Evaluator::new(terms, &model).truth(goal) == Some(true)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: effigy_testing::cases(300), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn bit_blasting_agrees_with_trying_all(bytes in prop::collection::vec(any::<u8>(), 1..40)) {
        let terms = Terms::new();
        let goal = formula(&terms, &bytes);
        let expected = brute_force(&terms, goal);
        match ask(&terms, &config(Backend::Bits), goal) {
            Answer::Sat(model) => {
                prop_assert!(expected);
                prop_assert_eq!(Evaluator::new(&terms, &model).truth(goal), Some(true));
            }
            Answer::Unsat => prop_assert!(!expected),
            Answer::Unknown(reason) => prop_assert!(false, "{}", reason),
        }
    }
}

/// Whether clauses in the format of DIMACS can be satisfied, as the SAT solver says that reads them.
fn satisfiable(text: &str) -> bool {
    let mut cadical = cadical_sys::CaDiCal::new();
    let lines = text.lines().filter(|it| !it.starts_with(['c', 'p']));
    let mut count = 0;
    for line in lines {
        // The zero at the end of a line ends a clause here, too.
        line.split(' ').for_each(|it| cadical.add(it.parse().expect("a number")));
        count += 1;
    }
    assert!(text.contains(&format!(" {count}\n")), "the clauses are counted");
    cadical.solve() == cadical_sys::Status::SATISFIABLE
}

proptest! {
    #![proptest_config(ProptestConfig { cases: effigy_testing::cases(100), failure_persistence: None, ..ProptestConfig::default() })]

    /// What is written for other tools says what the formula says.
    #[test]
    fn clauses_agree_with_trying_all(bytes in prop::collection::vec(any::<u8>(), 1..40)) {
        let terms = Terms::new();
        let goal = formula(&terms, &bytes);
        let text = effigy_solver::dump::dimacs(&terms, goal).expect("it is made of bits");
        prop_assert_eq!(satisfiable(&text), brute_force(&terms, goal), "{}", text);
    }
}

#[test]
fn z3_agrees_with_bit_blasting() {
    effigy_testing::require!("z3");
    let mut state = 1u64;
    for _ in 0..40 {
        let bytes: Vec<u8> = (0..30)
            .map(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (state >> 33) as u8
            })
            .collect();
        let terms = Terms::new();
        let goal = formula(&terms, &bytes);
        let (bits, smt) = (ask(&terms, &config(Backend::Bits), goal), ask(&terms, &config(Backend::Smt), goal));
        assert_eq!(matches!(bits, Answer::Sat(_)), matches!(smt, Answer::Sat(_)), "{bits:?} and {smt:?}");
        assert_eq!(matches!(bits, Answer::Unsat), matches!(smt, Answer::Unsat), "{bits:?} and {smt:?}");
    }
}

/// A solver that is a shell script.
fn fake(name: &str, script: &str) -> SolverConfig {
    let path = std::env::temp_dir().join(format!("effigy-fake-{}-{name}.sh", std::process::id()));
    std::fs::write(&path, script).expect("a script can be written");
    SolverConfig { smt: format!("sh {}", path.display()), ..config(Backend::Smt) }
}

fn ask_fake(name: &str, script: &str, time: Duration) -> Answer {
    let terms = Terms::new();
    let x = terms.input("x", Sort::BitVec(Width::W8));
    let goal = terms.eq(terms.bv_mul(x, x), terms.bv_u64(Width::W8, 17));
    let path = PathCondition::new();
    let budget = QueryBudget { steps: None, time: Some(time) };
    chain(&fake(name, script))
        .check(&terms, &Query { path: &path, only: None, goal, witness: None, tried: false, budget })
}

#[test]
fn a_solver_that_misbehaves_leaves_the_answer_unknown() {
    assert_eq!(ask_fake("hangs", "sleep 100", Duration::from_millis(100)), Answer::Unknown(Reason::Time));
    assert!(matches!(ask_fake("dies", "exit 1", ENDLESS), Answer::Unknown(Reason::Failed(_))));
    assert!(matches!(ask_fake("dies-late", "echo sat; exit 0", ENDLESS), Answer::Unknown(Reason::Failed(_))));
    assert!(matches!(ask_fake("babbles", "echo what?; cat >/dev/null", ENDLESS), Answer::Unknown(Reason::Failed(_))));
    assert!(matches!(ask_fake("garbles", "echo sat; echo '((x'; exit 0", ENDLESS), Answer::Unknown(_)));
    let lie = "echo sat; echo '((x #x02))'; cat >/dev/null";
    assert_eq!(ask_fake("lies", lie, ENDLESS), Answer::Unknown(Reason::WrongModel));
}

#[test]
fn a_missing_solver_is_named_with_what_to_do() {
    let terms = Terms::new();
    let x = terms.input("n", Sort::Int);
    let goal = terms.int_le(x, terms.int(3));
    let config = SolverConfig {
        smt: "no-such-solver-here".to_owned(),
        layers: LayerSet::default().without(LayerKind::Linear),
        ..SolverConfig::default()
    };
    match ask(&terms, &config, goal) {
        Answer::Unknown(Reason::Failed(what)) => assert!(what.contains("apt install z3"), "{what}"),
        other => panic!("{other:?}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: effigy_testing::cases(20_000), failure_persistence: None, ..ProptestConfig::default() })]

    /// The fuzz target found that a form feed made the reader of answers loop.
    #[test]
    fn whatever_a_solver_prints_is_values_or_an_error(text in "[()|\"# \x0c\n\x0bxb01as-]{0,24}") {
        let terms = Terms::new();
        let byte = Sort::BitVec(Width::of(8));
        for sort in [Sort::Bool, Sort::Int, byte, terms.array_sort(byte, byte)] {
            if let Ok(values) = effigy_solver::backends::pipe::parse_values(&terms, &text, &[sort]) {
                prop_assert_eq!(values.len(), 1);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: effigy_testing::cases(150), failure_persistence: None, ..ProptestConfig::default() })]

    /// Unbounded integers as they are sent to z3 mean what they evaluate to.
    #[test]
    fn z3_agrees_on_integers(bytes in prop::collection::vec(any::<u8>(), 3..60)) {
        let terms = Terms::new();
        let mut integers = effigy_testing::integers::Integers::new(&terms, &bytes);
        let (cond, holds) = integers.truth(2);
        let mut config = config(Backend::Smt);
        config.layers = config.layers.without(LayerKind::Syntactic).without(LayerKind::Linear);
        let goal = terms.and(integers.pinned(), if holds { cond } else { terms.not(cond) });
        prop_assert!(matches!(ask(&terms, &config, goal), Answer::Sat(_)), "{}", effigy_term::print::math(&terms, goal));
        let goal = terms.and(integers.pinned(), if holds { terms.not(cond) } else { cond });
        prop_assert_eq!(ask(&terms, &config, goal), Answer::Unsat, "{}", effigy_term::print::math(&terms, goal));
    }
}

#[test]
fn abbreviations_in_arrays_are_read() {
    let terms = Terms::new();
    let sort = terms.array_sort(Sort::Int, Sort::Int);
    let read = |text: &str| effigy_solver::backends::pipe::parse_values(&terms, text, &[sort]);
    let plain = read("((a (store (store ((as const (Array Int Int)) 0) 1 5) 2 7)))").expect("an array");
    let short = "((a (let ((a!1 (store ((as const (Array Int Int)) 0) 1 5)) (a!2 7)) (store a!1 2 a!2))))";
    assert_eq!(read(short).expect("an array"), plain);
    // What stands for itself has no value, and no end either.
    assert!(read("((a (let ((b c) (c b)) b)))").is_err());
    assert!(read("((a (let ((b b)) (store b 1 b))))").is_err());
}

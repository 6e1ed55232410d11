//! Random programs of the toy language: merged paths against running them on every input.
//!
//! Knows: `effigy_testing::programs`, whose oracle knows no terms. Never: another language.

use effigy_bmc::{Account, Config, Dump, Encoding, Others, Question, Told, Verdict, check};
use effigy_engine::{Budget, Joins, Turning};
use effigy_solver::{QueryBudget, SolverConfig, chain};
use effigy_term::{BvValue, Node, Symbol, Terms, Value, Width};
use effigy_testing::counter_merge::Merging;
use effigy_testing::merging::{Limits, Seen, merged_is_alone, mixed, numbers};
use effigy_testing::programs::{BITS, Behaviour, VALUES, inputs, program, run};
use proptest::test_runner::{Config as ProptestConfig, TestCaseError, TestError, TestRunner};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

const LIMITS: Limits = Limits { models: 48, path_steps: 120, steps: 2_000, assumed: &[] };

/// Tries a property on random programs, which shrink.
fn check_all(cases: u32, property: &dyn Fn(&[u8]) -> Result<(), String>) {
    let config = ProptestConfig {
        cases: effigy_testing::cases(cases),
        failure_persistence: None,
        rng_seed: proptest::test_runner::RngSeed::Fixed(17),
        ..ProptestConfig::default()
    };
    let bytes = proptest::collection::vec(proptest::num::u8::ANY, 8..90);
    let res = TestRunner::new(config).run(&bytes, |bytes| property(&bytes).map_err(TestCaseError::fail));
    if let Err(TestError::Fail(why, bytes)) = res {
        panic!("{why}\n{}", program(&bytes));
    }
}

fn states(bytes: &[u8], wrong: bool, seen: &mut Seen) -> Result<(), String> {
    let mut language = Merging::new(program(bytes));
    language.wrong = wrong;
    let terms = Terms::new();
    let seed = bytes.iter().fold(0, |res: u64, it| res.wrapping_mul(31) + u64::from(*it));
    let value = |model: usize, symbol: Symbol, terms: &Terms| {
        let number = mixed(seed, model, &terms.symbol_info(symbol).name);
        Value::BitVec(BvValue::from_u64(Width::of(BITS), number % u64::from(VALUES)))
    };
    merged_is_alone(&language, &terms, LIMITS, &value, &mut numbers(seed), seen)
}

#[test]
fn a_merged_state_is_the_state_of_the_path_that_the_model_takes() {
    let seen = RefCell::new(Seen::default());
    check_all(400, &|bytes| states(bytes, false, &mut seen.borrow_mut()));
    let seen = seen.into_inner();
    assert!(seen.merges > 300 && seen.shared > 300 && seen.ends > 3_000, "{seen:?}");
    assert!(seen.bugs > 300 && seen.dropped > 100 && seen.apart == 0, "{seen:?}");
}

/// The test would notice.
#[test]
fn arms_that_are_exchanged_are_noticed() {
    let found = RefCell::new(0);
    let bytes = |number: u64| (0..64).map(|at| mixed(number, at, "byte") as u8).collect::<Vec<u8>>();
    for number in 0..200 {
        *found.borrow_mut() += usize::from(states(&bytes(number), true, &mut Seen::default()).is_err());
    }
    assert!(found.into_inner() > 20);
}

/// The lines of which the oracle finds a violation for some input; `None` where some run is too long.
fn violations(bytes: &[u8]) -> Option<BTreeSet<u32>> {
    let program = program(bytes);
    let count = inputs(&program);
    let mut res = BTreeSet::new();
    for number in 0..VALUES.pow(count) {
        let values: Vec<u8> = (0..count).map(|at| (number / VALUES.pow(at) % VALUES) as u8).collect();
        match run(&program, &values, 60) {
            Behaviour::Violates(line) => {
                res.insert(line);
            }
            Behaviour::TooLong => return None,
            Behaviour::Ends(_) | Behaviour::Dropped => {}
        }
    }
    Some(res)
}

#[test]
fn what_is_found_is_what_some_input_does() {
    what_is_found(Encoding::Values, None);
}

#[test]
fn equations_find_what_some_input_does() {
    what_is_found(Encoding::Equations, None);
}

/// Somebody reads them, and so versions are named as the variables, and told by those before them.
#[test]
fn equations_of_named_versions_find_what_some_input_does() {
    let (named, sums) = (RefCell::new(0), RefCell::new(0));
    what_is_found(
        Encoding::Equations,
        Some(&|terms, formula| {
            let mut names = BTreeSet::new();
            for it in &formula.equations {
                assert!(names.insert(&it.name), "two versions are called {}", it.name);
                *named.borrow_mut() += usize::from(it.name.starts_with('x'));
                let is_version = |symbol: &Symbol| terms.symbol_info(*symbol).name.starts_with("version!");
                let of_versions = terms.symbols(it.value).iter().any(is_version);
                *sums.borrow_mut() += usize::from(of_versions && matches!(terms.node(it.value), Node::BvSum(_)));
            }
        }),
    );
    let (named, sums) = (named.into_inner(), sums.into_inner());
    assert!(named >= 5 && sums >= 2, "{named} versions are named, {sums} are sums with versions");
}

/// A check in an arena of its own.
fn checked(bytes: &[u8], encoding: Encoding, dump: Option<Dump<'_>>, others: Option<&dyn Others>) -> Account {
    let language = Merging::new(program(bytes));
    let terms = Terms::new();
    let mut solver = chain(&SolverConfig { smt: "false".to_owned(), ..SolverConfig::default() });
    let config = Config {
        bound: &|_: &Turning| None,
        budget: Budget { path_steps: Some(2_000), steps: Some(20_000), ..Budget::default() },
        query: QueryBudget { steps: Some(20_000), time: None },
        values: 8,
        induction: true,
        invariants: false,
        joins: Joins::Always,
        encoding,
        ends: false,
        dump,
        others,
        progress: &|_| {},
    };
    check(&language, &terms, &mut *solver, &config)
}

fn what_is_found(encoding: Encoding, dump: Option<Dump<'_>>) {
    let (decided, buggy, induced) = (RefCell::new(0), RefCell::new(0), RefCell::new(0));
    check_all(250, &|bytes| {
        // Inputs within loops are as many as there are rounds: the oracle takes those of one round.
        let Some(expected) = violations(bytes) else { return Ok(()) };
        let account = checked(bytes, encoding, dump, None);
        let bugs = account.properties.iter().filter(|it| matches!(it.verdict, Verdict::Bug(_)));
        let found: BTreeSet<u32> = bugs.map(|it| it.place.line).collect();
        *induced.borrow_mut() += account.inductions.len();
        // Each bug was run: none is made up. Where all is decided, none is missed.
        let all = account.properties.iter().all(|it| matches!(it.verdict, Verdict::Bug(_) | Verdict::Correct));
        let is_decided = all && account.missed.is_empty() && account.needs.is_empty() && account.stopped.is_none();
        *decided.borrow_mut() += usize::from(is_decided);
        *buggy.borrow_mut() += usize::from(!expected.is_empty());
        match (found.is_subset(&expected), is_decided && found != expected) {
            (true, false) => Ok(()),
            _ => Err(format!("found on lines {found:?}, expected on {expected:?}: {account:?}")),
        }
    });
    let (decided, buggy) = (decided.into_inner(), buggy.into_inner());
    assert!(decided > 150 && buggy > 60, "{decided} decided, {buggy} with bugs, {induced:?} closed");
}

/// What others have told so far.
#[derive(Default)]
struct Board {
    told: RefCell<BTreeMap<Question, Told>>,
    /// Each value of a model that is heard is another one.
    lies: bool,
}

impl Others for Board {
    fn told(&self, of: Question) -> Option<Told> {
        let mut res = self.told.borrow().get(&of).cloned();
        if let Some(Told::Sat(values)) = res.as_mut().filter(|_| self.lies) {
            values.iter_mut().for_each(|it| it.value = format!("3:{BITS}"));
            values.truncate(1);
        }
        res
    }

    fn take(&self, _: Question) -> bool {
        true
    }

    fn tell(&self, question: Question, told: &Told) {
        self.told.borrow_mut().insert(question, told.clone());
    }

    fn lot(&self) -> u64 {
        7
    }
}

/// What a check says of each property, by line.
fn verdicts(account: &Account) -> Vec<(u32, &'static str)> {
    let said = |it: &Verdict| match it {
        Verdict::Bug(_) => "bug",
        Verdict::Correct => "correct",
        Verdict::Bounded => "bounded",
        Verdict::Unknown => "unknown",
    };
    account.properties.iter().map(|it| (it.place.line, said(&it.verdict))).collect()
}

#[test]
fn answers_of_others_change_nothing() {
    let heard = RefCell::new(0);
    check_all(300, &|bytes| {
        if violations(bytes).is_none() {
            return Ok(());
        }
        let alone = checked(bytes, Encoding::Values, None, None);
        let mut board = Board::default();
        for lies in [false, false, true] {
            board.lies = lies;
            let shared = checked(bytes, Encoding::Values, None, Some(&board));
            *heard.borrow_mut() += shared.heard;
            let (alone, shared) = (verdicts(&alone), verdicts(&shared));
            if alone != shared {
                return Err(format!("{alone:?} alone, {shared:?} with others (lies: {lies})"));
            }
        }
        Ok(())
    });
    let heard = heard.into_inner();
    assert!(heard > 100, "{heard}");
}

//! Entailment along a path: what the solver is told, and a solver's process at its worst.

use effigy_solver::Reason;
use effigy_solver::prover::{Proof, ProofEffort, Prover, ProverConfig};
use effigy_term::{Sort, SymbolKind, Term, Terms};
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

fn config() -> ProverConfig {
    ProverConfig { smt: "z3 -in".to_owned(), steps: 10_000_000, local: false, interrupt: Arc::default() }
}

fn prover() -> Prover {
    Prover::new(config())
}

fn proves(prover: &mut Prover, terms: &Terms, goal: Term) -> bool {
    prover.proves(terms, goal, ProofEffort::Full).is_proved()
}

#[test]
fn a_fact_holds_until_its_scope_is_closed() {
    effigy_testing::require!("z3");
    let terms = Terms::new();
    let [x, y] = ["x", "y"].map(|it| terms.input(it, Sort::Int));
    let mut prover = prover();
    let positive = terms.int_lt(terms.int(0), x);
    let product = terms.int_lt(terms.int(0), terms.int_add(x, y));
    prover.assume(&terms, positive);
    prover.push();
    prover.assume(&terms, terms.int_lt(terms.int(0), y));
    assert!(proves(&mut prover, &terms, product));
    prover.pop();
    assert_eq!(prover.proves(&terms, product, ProofEffort::Full), Proof::NotProved(None));
    assert!(proves(&mut prover, &terms, positive));
    prover.assume(&terms, terms.int_le(terms.int(0), y));
    assert!(proves(&mut prover, &terms, product));
    assert_eq!(prover.statistics().started, 1);
}

#[test]
fn an_axiom_survives_the_scope_in_which_it_arrived() {
    effigy_testing::require!("z3");
    let terms = Terms::new();
    let set = terms.uninterpreted_sort("Set<Int>");
    let size = terms.function("set.size", &[set], Sort::Int);
    let variable = terms.symbol("s", set, SymbolKind::Bound);
    let applied = terms.apply(size, &[terms.of_symbol(variable)]);
    let axiom = terms.forall(&[variable], &[vec![applied]], terms.int_le(terms.int(0), applied));
    let goal = terms.int_le(terms.int(0), terms.apply(size, &[terms.input("a", set)]));
    let mut prover = prover();
    prover.push();
    prover.assume(&terms, terms.input("b", Sort::Bool));
    assert!(!proves(&mut prover, &terms, goal));
    prover.axiom(&terms, axiom);
    assert!(proves(&mut prover, &terms, goal));
    assert!(proves(&mut prover, &terms, terms.input("b", Sort::Bool)));
    prover.pop();
    assert!(proves(&mut prover, &terms, goal));
    assert!(!proves(&mut prover, &terms, terms.input("b", Sort::Bool)));
    assert_eq!(prover.statistics().started, 1);
}

#[test]
fn an_injection_gives_its_arguments_back() {
    effigy_testing::require!("z3");
    let terms = Terms::new();
    let snapshot = terms.uninterpreted_sort("Snap");
    let combine = terms.function("combine", &[snapshot, Sort::Int], snapshot);
    let first = terms.function("first", &[snapshot], snapshot);
    let second = terms.function("second", &[snapshot], Sort::Int);
    let [s, t] = ["s", "t"].map(|it| terms.input(it, snapshot));
    let mut prover = prover();
    prover.injection(&terms, combine, &[first, second]);
    prover.assume(&terms, terms.eq(t, terms.apply(combine, &[s, terms.int(3)])));
    assert!(proves(&mut prover, &terms, terms.eq(terms.apply(first, &[t]), s)));
    assert!(proves(&mut prover, &terms, terms.eq(terms.apply(second, &[t]), terms.int(3))));
    assert!(!proves(&mut prover, &terms, terms.eq(s, t)));
}

/// Nested quantifiers, what is shared in them, names of all kinds: the solver understands it.
#[test]
fn quantified_axioms_are_understood() {
    effigy_testing::require!("z3");
    let terms = Terms::new();
    let list = terms.uninterpreted_sort("Seq<Int>");
    let length = terms.function("list.length", &[list], Sort::Int);
    let at = terms.function("[]", &[list, Sort::Int], Sort::Real);
    let bound = |name: &str, sort| terms.symbol(name, sort, SymbolKind::Bound);
    let (s, i, j) = (bound("s", list), bound("i", Sort::Int), bound("i", Sort::Real));
    let [list_s, index, limit] = [s, i, j].map(|it| terms.of_symbol(it));
    let size = terms.apply(length, &[list_s]);
    let element = terms.apply(at, &[list_s, index]);
    let closed = terms.int_add(terms.input("|n|\\", Sort::Int), terms.int(2));
    let inside = terms.and_all([
        terms.int_le(terms.int(0), index),
        terms.int_lt(index, size),
        terms.int_lt(terms.int_add(size, closed), terms.int_add(terms.int_mul(size, size), index)),
    ]);
    let below = terms.forall(&[i], &[vec![element]], terms.implies(inside, terms.real_lt(element, limit)));
    let bounded = terms.exists(&[j], &[], terms.and(below, terms.real_le(limit, terms.int_to_real(size))));
    let axiom = terms.forall(&[s], &[vec![size]], terms.and(terms.int_le(closed, size), bounded));
    let mut prover = prover();
    prover.axiom(&terms, axiom);
    let a = terms.input("a", list);
    let size = terms.apply(length, &[a]);
    assert!(proves(&mut prover, &terms, terms.int_le(closed, size)));
    prover.assume(&terms, terms.int_lt(terms.int(10), closed));
    prover.assume(&terms, terms.int_le(size, terms.int(1_000)));
    let first = terms.apply(at, &[a, terms.int(0)]);
    assert!(proves(&mut prover, &terms, terms.real_lt(first, terms.int_to_real(terms.int(1_001)))));
    let nonsense = prover.proves(&terms, terms.real_lt(first, terms.int_to_real(terms.int(5))), ProofEffort::Full);
    assert!(!matches!(nonsense, Proof::Proved | Proof::NotProved(Some(Reason::Failed(_)))), "{nonsense:?}");
}

#[test]
fn declared_terms_are_distinct_with_the_core_and_without() {
    effigy_testing::require!("z3");
    let terms = Terms::new();
    let sort = terms.uninterpreted_sort("Color");
    let [red, green, blue, some] = ["red", "green", "blue", "some"].map(|it| terms.input(it, sort));
    for local in [true, false] {
        let mut prover = Prover::new(ProverConfig { local, ..config() });
        prover.push();
        prover.distinct(&terms, &[red, green, blue]);
        prover.pop();
        prover.assume(&terms, terms.eq(some, green));
        assert!(proves(&mut prover, &terms, terms.ne(red, blue)));
        assert!(proves(&mut prover, &terms, terms.ne(some, blue)));
        assert_eq!(prover.started(), !local);
        assert!(!proves(&mut prover, &terms, terms.ne(some, green)));
    }
}

#[test]
fn what_the_solver_proved_is_known_until_its_scope_is_closed() {
    effigy_testing::require!("z3");
    let terms = Terms::new();
    let sort = terms.uninterpreted_sort("T");
    let (f, g) = (terms.function("f", &[sort], sort), terms.function("g", &[sort], sort));
    let variable = terms.symbol("x", sort, SymbolKind::Bound);
    let of = |it, x| terms.apply(it, &[x]);
    let (x, a) = (terms.of_symbol(variable), terms.input("a", sort));
    let mut prover = Prover::new(ProverConfig { local: true, ..config() });
    prover.push();
    prover.assume(&terms, terms.forall(&[variable], &[vec![of(f, x)]], terms.eq(of(f, x), of(g, x))));
    let goal = terms.eq(of(f, a), of(g, a));
    assert!(!prover.proves(&terms, goal, ProofEffort::Local).is_proved());
    assert!(prover.proves(&terms, goal, ProofEffort::Full).is_proved());
    assert!(prover.proves(&terms, goal, ProofEffort::Local).is_proved());
    assert_eq!(prover.representative(&terms, of(f, a)), prover.representative(&terms, of(g, a)));
    prover.pop();
    assert!(!prover.proves(&terms, goal, ProofEffort::Full).is_proved());
    assert_eq!(prover.statistics().sent, 2);
}

#[test]
fn a_new_object_differs_from_what_there_was() {
    effigy_testing::require!("z3");
    let terms = Terms::new();
    let sort = terms.uninterpreted_sort("Ref");
    let [old, other, new, newer] = ["old", "other", "new", "newer"].map(|it| terms.input(it, sort));
    let next = terms.function("next", &[sort], sort);
    let mut prover = prover();
    prover.known(&terms, old);
    assert!(!proves(&mut prover, &terms, terms.ne(old, new)));
    prover.push();
    prover.born(&terms, new);
    prover.known(&terms, terms.apply(next, &[old]));
    prover.born(&terms, newer);
    assert!(proves(&mut prover, &terms, terms.ne(old, new)));
    assert!(proves(&mut prover, &terms, terms.ne(new, newer)));
    assert!(proves(&mut prover, &terms, terms.ne(terms.apply(next, &[old]), newer)));
    assert!(!proves(&mut prover, &terms, terms.ne(terms.apply(next, &[old]), new)));
    assert!(!proves(&mut prover, &terms, terms.ne(other, new)));
    prover.pop();
    assert!(!proves(&mut prover, &terms, terms.ne(old, new)));
}

#[test]
fn a_counterexample_has_a_value_for_each_term() {
    effigy_testing::require!("z3");
    let terms = Terms::new();
    let [x, y] = ["x", "y"].map(|it| terms.input(it, Sort::Int));
    let half = terms.real_div(terms.int_to_real(x), terms.int_to_real(terms.int(2)));
    let mut prover = prover();
    prover.assume(&terms, terms.eq(x, terms.int(7)));
    let goal = terms.int_lt(terms.int(3), y);
    let wanted = [x, terms.int_le(y, terms.int(3)), half];
    let values = prover.counterexample(&terms, goal, &wanted);
    assert_eq!(values, Some(vec!["7".to_owned(), "true".to_owned(), "(/ 7.0 2.0)".to_owned()]));
    assert_eq!(prover.counterexample(&terms, terms.eq(x, terms.int(7)), &wanted), None);
}

#[test]
fn a_budget_of_steps_is_a_reason() {
    effigy_testing::require!("z3");
    let terms = Terms::new();
    let [x, y, z] = ["x", "y", "z"].map(|it| terms.input(it, Sort::Int));
    let cube = |it| terms.int_mul(it, terms.int_mul(it, it));
    let mut prover = Prover::new(ProverConfig { steps: 20_000, ..config() });
    let goal = terms.ne(terms.int_add(cube(x), terms.int_add(cube(y), cube(z))), terms.int(42));
    // Some versions of z3 give up before the steps are used.
    let answer = prover.proves(&terms, goal, ProofEffort::Full);
    assert!(matches!(answer, Proof::NotProved(Some(Reason::Steps | Reason::GaveUp(_)))), "{answer:?}");
    assert!(proves(&mut prover, &terms, terms.eq(x, x)));
    let sum = terms.eq(terms.int_add(x, y), z);
    prover.assume(&terms, sum);
    assert!(proves(&mut prover, &terms, terms.eq(x, terms.int_sub(z, y))));
    assert_eq!(prover.statistics().started, 1);
}

#[test]
fn no_process_is_started_for_what_is_true_or_local() {
    effigy_testing::require!("z3");
    let terms = Terms::new();
    let mut prover = Prover::new(ProverConfig { smt: "/no/such/program".to_owned(), ..config() });
    assert!(prover.proves(&terms, terms.bool(true), ProofEffort::Full).is_proved());
    let x = terms.input("x", Sort::Bool);
    assert_eq!(prover.proves(&terms, x, ProofEffort::Local), Proof::NotProved(None));
    assert_eq!(prover.statistics().started, 0);
    let Proof::NotProved(Some(Reason::Failed(what))) = prover.proves(&terms, x, ProofEffort::Quick) else {
        panic!("a failure was expected");
    };
    assert!(what.contains("/no/such/program"), "{what}");
}

fn temporary(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("effigy-prover-{}-{name}", std::process::id()));
    let _ = std::fs::remove_file(&path);
    path
}

/// Longer than any test: what ends is ended by an event, whatever the machine's speed.
const ENDLESS: Duration = Duration::from_secs(3600);

/// For solvers that never answer.
const SHORT: Duration = Duration::from_millis(100);

/// A solver that is a shell script.
fn fake(name: &str, script: &str, patience: Duration) -> Prover {
    let path = temporary(&format!("{name}.sh"));
    std::fs::write(&path, script).expect("a script can be written");
    let mut prover = Prover::new(ProverConfig { smt: format!("sh {}", path.display()), ..config() });
    prover.set_patience(patience);
    prover
}

/// The reasons of five goals in a row.
fn ask_fake(name: &str, script: &str, patience: Duration) -> (Vec<Option<Reason>>, u64) {
    let terms = Terms::new();
    let mut prover = fake(name, script, patience);
    let reasons = (0..5)
        .map(|at| match prover.proves(&terms, terms.input(&format!("b{at}"), Sort::Bool), ProofEffort::Full) {
            Proof::Proved => panic!("{name} proved something"),
            Proof::NotProved(reason) => reason,
        })
        .collect();
    (reasons, prover.statistics().started)
}

/// A solver that never knows, and notes its budgets.
fn undecided(name: &str, steps: u64) -> (Prover, PathBuf) {
    let noted = temporary(&format!("{name}.noted"));
    let _ = std::fs::remove_file(&noted);
    let note = format!("echo start >> {0}; while read line; do case $line in", noted.display());
    let budget = format!("*rlimit\\ 0*) ;; *rlimit*|*seed*) echo \"$line\" >> {};;", noted.display());
    let answers = "'(check-sat)') echo unknown;; *reason*) echo '(:reason-unknown \"unknown\")';; esac; done";
    let script = temporary(&format!("{name}.sh"));
    std::fs::write(&script, format!("{note} {budget} {answers}")).expect("a script can be written");
    let smt = format!("sh {}", script.display());
    (Prover::new(ProverConfig { smt, steps, ..config() }), noted)
}

fn noted(path: &PathBuf) -> Vec<String> {
    let text = std::fs::read_to_string(path).expect("what the solver has noted");
    let _ = std::fs::remove_file(path);
    text.lines().map(|it| it.trim_start_matches("(set-option :").trim_end_matches(')').to_owned()).collect()
}

#[test]
fn a_goal_is_tried_by_a_process_without_a_past_before_all_steps_are_spent() {
    effigy_testing::require!("z3");
    let terms = Terms::new();
    let (mut prover, path) = undecided("tries", 10_000_000);
    let proof = prover.proves(&terms, terms.input("b", Sort::Bool), ProofEffort::Full);
    assert_eq!(proof, Proof::NotProved(Some(Reason::Steps)));
    let expected = [
        "start",
        "rlimit 500000",
        "start",
        "rlimit 1000000",
        "smt.random_seed 1",
        "rlimit 1000000",
        "smt.random_seed 0",
        "rlimit 7500000",
    ];
    assert_eq!(noted(&path), expected);
}

#[test]
fn what_never_helps_costs_less_each_time() {
    effigy_testing::require!("z3");
    let terms = Terms::new();
    let (mut prover, path) = undecided("quick", 10_000_000);
    for it in 0..7 {
        prover.proves(&terms, terms.input(&format!("b{it}"), Sort::Bool), ProofEffort::Quick);
    }
    let budgets = [100_000, 50_000, 25_000, 12_500, 6_250, 5_000, 5_000].map(|it| format!("rlimit {it}"));
    assert_eq!(noted(&path)[1..], budgets);
}

#[test]
fn a_solver_that_hangs_is_late() {
    effigy_testing::require!("z3");
    let (reasons, started) = ask_fake("hangs", "exec sleep 1000", SHORT);
    assert!(reasons.iter().all(|it| *it == Some(Reason::Time)), "{reasons:?}");
    assert_eq!(started, 5);
}

#[test]
fn a_solver_that_dies_is_given_up() {
    effigy_testing::require!("z3");
    let (reasons, started) = ask_fake("dies", "read line; exit 1", ENDLESS);
    assert!(reasons.iter().all(|it| matches!(it, Some(Reason::Failed(_)))), "{reasons:?}");
    assert_eq!(started, 3);
}

#[test]
fn a_solver_that_babbles_is_given_up() {
    effigy_testing::require!("z3");
    let (reasons, started) = ask_fake("babbles", "while read line; do echo 'hello (('; echo unsat; done", ENDLESS);
    assert!(reasons.iter().all(|it| matches!(it, Some(Reason::Failed(_)))), "{reasons:?}");
    assert_eq!(started, 3);
    let (reasons, _) = ask_fake("floods", "exec yes '(error \"no\")'", ENDLESS);
    assert!(reasons.iter().all(|it| matches!(it, Some(Reason::Failed(_)))), "{reasons:?}");
    let (reasons, _) = ask_fake("opens", "yes '(error \"no\"'", ENDLESS);
    assert!(reasons.iter().all(|it| matches!(it, Some(Reason::Failed(_)))), "{reasons:?}");
}

/// An answer beside which something was not understood is no proof.
#[test]
fn a_complaint_about_the_goal_is_no_proof() {
    effigy_testing::require!("z3");
    let script = "while read line; do case $line in '(check-sat)') echo '(error \"what?\")'; echo unsat;; esac; done";
    let (reasons, started) = ask_fake("complains", script, ENDLESS);
    assert!(reasons.iter().all(|it| matches!(it, Some(Reason::Failed(_)))), "{reasons:?}");
    assert_eq!(started, 1);
}

/// One that does not read blocks nobody.
#[test]
fn a_solver_that_does_not_read_is_late() {
    effigy_testing::require!("z3");
    let terms = Terms::new();
    let mut prover = fake("deaf", "exec sleep 1000", SHORT);
    for at in 0..20_000 {
        prover.assume(&terms, terms.input(&format!("b{at}"), Sort::Bool));
    }
    let proof = prover.proves(&terms, terms.input("c", Sort::Bool), ProofEffort::Full);
    assert_eq!(proof, Proof::NotProved(Some(Reason::Time)));
}

#[test]
fn a_dead_solver_is_replaced_and_told_everything_again() {
    effigy_testing::require!("z3");
    let terms = Terms::new();
    let b = terms.input("b", Sort::Bool);
    let marker = temporary("marker");
    let script = format!("if [ -e {0} ]; then exec z3 -in; fi; touch {0}; read line; exit 1", marker.display());
    let mut prover = fake("mortal", &script, ENDLESS);
    prover.push();
    prover.assume(&terms, b);
    let goal = terms.or(b, terms.input("c", Sort::Bool));
    assert!(!proves(&mut prover, &terms, goal));
    assert!(proves(&mut prover, &terms, goal));
    let _ = std::fs::remove_file(&marker);
}

#[test]
fn an_interrupt_ends_a_question() {
    effigy_testing::require!("z3");
    let terms = Terms::new();
    let interrupt = Arc::new(AtomicBool::new(false));
    // The solver says that it was spoken to, and then nothing: who waits for that word interrupts it.
    let [said, script] = ["said", "sh"].map(|it| temporary(&format!("silent.{it}")));
    let made = Command::new("mkfifo").arg(&said).status().expect("mkfifo runs");
    assert!(made.success());
    std::fs::write(&script, format!("read line; echo word > {}; exec sleep 1000", said.display())).expect("a script");
    let smt = format!("sh {}", script.display());
    let mut prover = Prover::new(ProverConfig { smt, interrupt: interrupt.clone(), ..config() });
    prover.set_patience(ENDLESS);
    let heard = said.clone();
    let other = std::thread::spawn(move || {
        std::fs::read(heard).expect("a word");
        interrupt.store(true, Ordering::Relaxed);
    });
    let proof = prover.proves(&terms, terms.input("b", Sort::Bool), ProofEffort::Full);
    assert_eq!(proof, Proof::NotProved(Some(Reason::Interrupted)));
    other.join().expect("the thread ends");
    let _ = std::fs::remove_file(&said);
}

/// What was said and taken back does not matter: the answers are those of a prover that was only told what holds.
#[test]
fn scopes_leave_nothing_behind() {
    effigy_testing::require!("z3");
    let mut state = 7u64;
    let mut random = move |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    for _ in 0..4 {
        let terms = Terms::new();
        let symbols: Vec<Term> = (0..4).map(|at| terms.input(&format!("n{at}"), Sort::Int)).collect();
        let mut literal = || {
            let (a, b) = (symbols[random(4) as usize], symbols[random(4) as usize]);
            match random(4) {
                0 => terms.eq(a, b),
                1 => terms.ne(a, b),
                2 => terms.int_le(a, b),
                _ => terms.int_lt(a, terms.int_add(b, terms.int(2))),
            }
        };
        let mut choice = 1u64;
        let mut prover = prover();
        let mut scopes: Vec<Vec<Term>> = vec![Vec::new()];
        for step in 0..60 {
            choice = choice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(step);
            match (choice >> 33) % 5 {
                0 => {
                    prover.push();
                    scopes.push(Vec::new());
                }
                1 if scopes.len() > 1 => {
                    prover.pop();
                    scopes.pop();
                }
                2 => {
                    let fact = literal();
                    prover.assume(&terms, fact);
                    scopes.last_mut().expect("a scope").push(fact);
                }
                _ if step % 3 == 0 => {
                    let goal = literal();
                    let mut fresh = Prover::new(config());
                    scopes.iter().flatten().for_each(|&it| fresh.assume(&terms, it));
                    let (found, expected) = (proves(&mut prover, &terms, goal), proves(&mut fresh, &terms, goal));
                    assert_eq!(found, expected, "{}", effigy_term::print::math(&terms, goal));
                }
                _ => {}
            }
        }
    }
}

/// A model that is found without a process, against the solver: what has one does not follow. Facts are about numbers,
/// objects of which some were born, functions, and an injection.
#[test]
fn what_has_a_model_against_it_does_not_follow() {
    effigy_testing::require!("z3");
    let terms = Terms::new();
    let object = terms.uninterpreted_sort("Object");
    let [x, y] = ["x", "y"].map(|it| terms.input(it, Sort::Int));
    let [a, b, c] = ["a", "b", "c"].map(|it| terms.input(it, object));
    let value = terms.function("value", &[object], Sort::Int);
    let pair = terms.function("pair", &[object, object], object);
    let parts = ["first", "second"].map(|it| terms.function(it, &[object], object));
    let mut seed = 1976_u64;
    let mut next = |most: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % most
    };
    let atom = |next: &mut dyn FnMut(u64) -> u64| {
        let mut objects = vec![a, b, c];
        for _ in 0..2 {
            let (left, right) = (objects[next(3) as usize], objects[next(3) as usize]);
            objects.push(terms.apply(pair, &[left, right]));
            objects.push(terms.apply(parts[next(2) as usize], &[objects[next(4) as usize]]));
        }
        let of = |it: u64| objects[it as usize % objects.len()];
        let number = |kind: u64, it: u64| match kind {
            0 => x,
            1 => terms.int_add(x, y),
            2 => terms.int(it as i64 - 2),
            _ => terms.apply(value, &[of(it)]),
        };
        let (left, right) = (number(next(4), next(5)), number(next(4), next(5)));
        match next(4) {
            0 => terms.eq(of(next(7)), of(next(7))),
            1 => terms.ne(of(next(7)), of(next(7))),
            2 => terms.int_lt(left, right),
            _ => terms.eq(left, right),
        }
    };
    let mut slow = prover();
    let (mut found, mut refuted) = (0, 0);
    for _ in 0..150 {
        let mut fast = Prover::new(ProverConfig { local: true, ..config() });
        slow.push();
        for prover in [&mut fast, &mut slow] {
            prover.injection(&terms, pair, &parts);
            prover.known(&terms, a);
        }
        for _ in 0..next(5) {
            let fact = terms.or(atom(&mut next), atom(&mut next));
            fast.assume(&terms, fact);
            slow.assume(&terms, fact);
        }
        for prover in [&mut fast, &mut slow] {
            prover.born(&terms, b);
        }
        let goal = terms.or(atom(&mut next), atom(&mut next));
        let model = fast.countermodel(&terms, goal, &[x, a]);
        let proof = slow.proves(&terms, goal, ProofEffort::Full);
        assert!(model.is_none() || !proof.is_proved(), "{}", effigy_term::print::math(&terms, goal));
        found += u32::from(model.is_some());
        refuted += u32::from(!proof.is_proved());
        slow.pop();
    }
    // Not each that there is, but most.
    assert!(found > 40 && found * 10 > refuted * 7, "{found} of {refuted}");
}

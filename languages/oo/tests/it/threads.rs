//! Interleavings: partial-order reduction skips some, and reaches the same final states and errors.
//! Source: de Boer and Bonsangue 2021, section 5.

use effigy_engine::{Feasibility, Inspect, VariableValue};
use effigy_explore::{Config, End, PathEnd, Sink, explore};
use effigy_oo::run::machine::{Machine, Options, REDUCED, State};
use effigy_oo::run::memory::Memory;
use effigy_oo::run::traces::Traces;
use effigy_solver::{SolverConfig, chain};
use effigy_term::print::math;
use effigy_term::{Term, Terms};
use effigy_walk::Search;
use std::collections::BTreeSet;
use std::rc::Rc;

/// A final state: path condition, values of the globals, or the error.
type Final = (Term, Vec<Term>, String);

struct Finals<'a, M> {
    machine: &'a Machine<M>,
    terms: &'a Terms,
    found: BTreeSet<Final>,
    paths: u64,
}

impl<M: Memory> Sink<State<M>> for Finals<'_, M> {
    fn ended(&mut self, end: &PathEnd<'_, State<M>>) {
        let end_text = match &end.end {
            End::Exit { .. } => "ends".to_owned(),
            End::Bug(violation) => format!("{} {}", violation.kind.0, violation.place.line),
            End::Silent | End::Infeasible => return,
            other => panic!("{other:?}"),
        };
        self.paths += 1;
        // What the other threads had done when one failed is not the same in all interleavings that fail so.
        let (condition, values) = if matches!(end.end, End::Exit { .. }) {
            let value = |id| self.machine.value_of(self.terms, end.state, id, 0);
            let values = self.machine.globals().filter_map(value).collect();
            (self.terms.and_all(end.trail.condition.conjuncts()), values)
        } else {
            (self.terms.bool(true), Vec::new())
        };
        self.found.insert((condition, values, end_text));
    }
}

/// The final states of a program, the number of paths, and how many moves were skipped.
fn finals(terms: &Terms, text: &str, reduce: bool) -> (BTreeSet<Final>, u64, u64) {
    let program = effigy_oo::run::read("test.oo", text).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    let options = Options { reduce, ..Options::default() };
    let machine = Machine::new(Rc::new(program), Traces::default(), options);
    let mut solver = chain(&SolverConfig::default());
    let config = Config {
        search: Search::Dfs,
        seed: 1,
        budget: effigy_engine::Budget::default(),
        query: effigy_solver::QueryBudget::default(),
        values: 1,
        feasibility: Feasibility::Branch,
    };
    let mut sink = Finals { machine: &machine, terms, found: BTreeSet::new(), paths: 0 };
    let exploration = explore(&machine, terms, &mut *solver, &config, &mut (), &mut sink);
    assert!(exploration.is_complete(), "{text}");
    let skipped = exploration.notes.iter().filter(|it| it.0.kind == REDUCED).map(|it| it.2).sum();
    (sink.found, sink.paths, skipped)
}

fn shown(terms: &Terms, finals: &BTreeSet<Final>) -> Vec<String> {
    let text = |it: &Final| {
        let values: Vec<String> = it.1.iter().map(|it| math(terms, *it)).collect();
        format!("{}: {} {}", math(terms, it.0), values.join(", "), it.2)
    };
    let mut res: Vec<String> = finals.iter().map(text).collect();
    res.sort();
    res
}

/// With and without reduction; the numbers of paths, and of what was skipped.
fn compare(text: &str) -> (u64, u64, u64) {
    let terms = Terms::new();
    let (all, paths, none) = finals(&terms, text, false);
    assert_eq!(none, 0);
    let (reduced, fewer, skipped) = finals(&terms, text, true);
    assert_eq!(shown(&terms, &reduced), shown(&terms, &all), "{text}");
    (paths, fewer, skipped)
}

#[test]
fn independent_threads_have_one_interleaving() {
    let (all, reduced, skipped) = compare("int x, y; par { x := 1; x := x + 1 } { y := 2; y := y + 2 }");
    assert_eq!((all, reduced), (6, 1));
    assert!(skipped > 0);
}

#[test]
fn a_race_is_found() {
    let text = "int n, a, b; n := 0; par { a := n; n := a + 1 } { b := n; n := b + 1 } assert n = 2";
    let terms = Terms::new();
    let (found, ..) = finals(&terms, text, true);
    assert!(found.iter().any(|it| it.2.starts_with("assertion")), "{:?}", shown(&terms, &found));
    compare(text);
}

#[test]
fn atomic_statements_do_not_race() {
    let text =
        "int n, a, b; n := 0; par { atomic { a := n; n := a + 1 } } { atomic { b := n; n := b + 1 } } assert n = 2";
    let terms = Terms::new();
    let (found, ..) = finals(&terms, text, true);
    assert!(found.iter().all(|it| it.2 == "ends"), "{:?}", shown(&terms, &found));
    assert_eq!(compare(text).0, 2);
}

#[test]
fn variables_are_seen_by_a_person() {
    let text = "int x; x := x + 1";
    let program = effigy_oo::run::read("test.oo", text).expect("it is well-typed");
    let machine = Machine::new(Rc::new(program), Traces::default(), Options::default());
    let terms = Terms::new();
    let (mut coverage, mut notes) = Default::default();
    let inputs = effigy_engine::Inputs::Symbolic;
    let mut ctx = effigy_engine::Context::new(&terms, &inputs, &mut coverage, &mut notes);
    let mut state = effigy_engine::Language::start(&machine, &mut ctx);
    effigy_engine::Language::step(&machine, &mut ctx, &mut state, &mut 10);
    let results = machine.results(&mut ctx, &state);
    assert!(matches!(results[0].value, VariableValue::Term(it) if math(&terms, it) == "x + 1"), "{results:?}");
}

/// A small generator; what it makes depends on the seed alone.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % sides
    }

    fn of<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.roll(list.len() as u64) as usize]
    }

    fn statement(&mut self) -> String {
        let (x, y) = (self.of(&["x", "y", "z"]), self.of(&["x", "y", "z"]));
        let (p, q) = (self.of(&["p", "q"]), self.of(&["p", "q"]));
        match self.roll(9) {
            0 => format!("{x} := {y} + 1"),
            1 => format!("{x} := {y}"),
            2 => format!("if {x} < {y} {{ {y} := 0 }} {{ {x} := 1 }}"),
            3 => format!("{p} := {q}"),
            4 => format!("{p}.v := {x}"),
            5 => format!("{x} := {p}.v"),
            6 => format!("{p} := new C"),
            7 => format!("atomic {{ {x} := {y} + 2; {y} := {x} }}"),
            _ => format!("a[{x}] := {y}"),
        }
    }

    fn program(&mut self) -> String {
        let threads = 2 + self.roll(2);
        let mut text =
            "class C { int v; }\nint x, y, z; C p, q; int -> int a;\nassume p ≠ nil; assume q ≠ nil;\npar".to_owned();
        for _ in 0..threads {
            let most = if threads == 2 { 3 } else { 2 };
            let count = 1 + self.roll(most);
            let statements: Vec<String> = (0..count).map(|_| self.statement()).collect();
            text.push_str(&format!(" {{ {} }}", statements.join("; ")));
        }
        text
    }
}

#[test]
fn random_threads_reach_the_same_states_with_and_without_reduction() {
    let cases = std::env::var("EFFIGY_CASES_TIMES").ok().and_then(|it| it.parse().ok()).unwrap_or(1) * 60;
    let (mut all, mut fewer) = (0, 0);
    for seed in 0..cases {
        let mut dice = Dice(0x9e37_79b9_7f4a_7c15 ^ ((seed + 1) * 0x1000_0001));
        let text = dice.program();
        let (paths, reduced, _) = compare(&text);
        all += paths;
        fewer += reduced;
    }
    assert!(fewer * 2 < all, "{fewer} of {all} paths");
}

//! Random small programs over a session, against all their inputs one after the other.

use effigy_engine::{Budget, Observer, PathName};
use effigy_explore::{Config, End, PathEnd, Sink, explore as walk_language};
use effigy_session::{Account, Kind, Limits, Program, RunEnding, Session, Term, Value, explore_with, run_on};
use effigy_walk::Search;
use proptest::prelude::*;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

const BITS: u32 = 3;
const MASK: u8 = 7;
const INPUTS: usize = 2;

#[derive(Clone, Debug)]
enum Expr {
    Const(u8),
    Input(usize),
    Var(usize),
    Add(Box<Expr>, Box<Expr>),
    Mul(Box<Expr>, Box<Expr>),
}

#[derive(Clone, Debug)]
enum Cond {
    Less(Expr, Expr),
    Same(Expr, Expr),
}

#[derive(Clone, Debug)]
enum Line {
    Set(usize, Expr),
    If(Cond, Vec<Line>, Vec<Line>),
    While(Cond, Vec<Line>),
    /// As `If`; both sides are run where that can be.
    Both(Cond, Vec<Line>, Vec<Line>),
    Assume(Cond),
    Check(Cond, u8),
    Panic(u8),
    Choose(usize, u8),
    Value(usize, Expr),
}

fn expr() -> impl Strategy<Value = Expr> {
    let leaf = prop_oneof![
        (0..=MASK).prop_map(Expr::Const),
        (0..INPUTS).prop_map(Expr::Input),
        (0..INPUTS).prop_map(Expr::Input),
        (0..2usize).prop_map(Expr::Var)
    ];
    leaf.prop_recursive(2, 4, 2, |it| {
        prop_oneof![
            (it.clone(), it.clone()).prop_map(|(a, b)| Expr::Add(a.into(), b.into())),
            (it.clone(), it).prop_map(|(a, b)| Expr::Mul(a.into(), b.into())),
        ]
    })
}

fn cond() -> impl Strategy<Value = Cond> {
    prop_oneof![
        (expr(), expr()).prop_map(|(a, b)| Cond::Less(a, b)),
        (expr(), expr()).prop_map(|(a, b)| Cond::Same(a, b))
    ]
}

/// `both` says whether there are conditionals of which both sides are run.
fn lines(both: bool) -> impl Strategy<Value = Vec<Line>> {
    let leaf = prop_oneof![
        4 => (0..2usize, expr()).prop_map(|(at, it)| Line::Set(at, it)),
        1 => cond().prop_map(Line::Assume),
        2 => (cond(), 0..3u8).prop_map(|(it, id)| Line::Check(it, id)),
        1 => (3..5u8).prop_map(Line::Panic),
        1 => (0..2usize, 1..4u8).prop_map(|(at, it)| Line::Choose(at, it)),
        1 => (0..2usize, expr()).prop_map(|(at, it)| Line::Value(at, it)),
    ];
    let nested = leaf.prop_recursive(3, 10, 3, move |it| {
        let block = prop::collection::vec(it, 0..3);
        prop_oneof![
            (cond(), block.clone(), block.clone()).prop_map(move |(c, a, b)| match both {
                true => Line::Both(c, a, b),
                false => Line::If(c, a, b),
            }),
            (cond(), block).prop_map(|(c, a)| Line::While(c, a)),
        ]
    });
    prop::collection::vec(nested, 1..6)
}

/// Rounds of a loop, on both sides of the comparison.
const ROUNDS: u32 = 2;

// The program as a closure of the session.

struct Run<'a> {
    session: Session,
    inputs: Vec<Term>,
    vars: Vec<Term>,
    seen: &'a mut Vec<u8>,
}

impl Run<'_> {
    fn expr(&self, expr: &Expr) -> Term {
        let terms = self.session.terms();
        match expr {
            Expr::Const(it) => terms.bv_u64(effigy_session::Width::of(BITS), u64::from(*it)),
            Expr::Input(at) => self.inputs[*at],
            Expr::Var(at) => self.vars[*at],
            Expr::Add(a, b) => terms.bv_add(self.expr(a), self.expr(b)),
            Expr::Mul(a, b) => terms.bv_mul(self.expr(a), self.expr(b)),
        }
    }

    fn cond(&self, cond: &Cond) -> Term {
        let terms = self.session.terms();
        match cond {
            Cond::Less(a, b) => terms.bv_ult(self.expr(a), self.expr(b)),
            Cond::Same(a, b) => terms.eq(self.expr(a), self.expr(b)),
        }
    }

    fn both(&mut self, cond: Term, a: &[Line], b: &[Line]) {
        match self.session.both_sides(cond) {
            Some(true) => self.run(a),
            Some(false) => self.run(b),
            None => {
                let before = self.vars.clone();
                self.run(a);
                let after = std::mem::replace(&mut self.vars, before);
                self.run(b);
                self.session.joined();
                for (own, first) in self.vars.iter_mut().zip(after) {
                    *own = self.session.terms().ite(cond, first, *own);
                }
            }
        }
    }

    fn run(&mut self, lines: &[Line]) {
        for line in lines {
            match line {
                Line::Set(at, it) => self.vars[*at] = self.expr(it),
                Line::If(cond, a, b) => match self.session.decide(self.cond(cond)) {
                    true => self.run(a),
                    false => self.run(b),
                },
                Line::Both(cond, a, b) => self.both(self.cond(cond), a, b),
                Line::While(cond, body) => {
                    for _ in 0..ROUNDS {
                        if !self.session.decide(self.cond(cond)) {
                            break;
                        }
                        self.run(body);
                    }
                }
                Line::Assume(cond) => self.session.assume(self.cond(cond)),
                Line::Check(cond, id) => self.session.check(self.cond(cond), &format!("fails {id}")),
                Line::Panic(id) => panic!("fails {id}"),
                Line::Choose(at, count) => {
                    let chosen = self.session.choose(*count as usize) as u64;
                    self.seen.push(chosen as u8);
                    self.vars[*at] = self.session.terms().bv_u64(effigy_session::Width::of(BITS), chosen);
                }
                Line::Value(at, it) => {
                    let term = self.expr(it);
                    let value = self.session.value(term);
                    self.vars[*at] = self.session.terms().of_value(self.session.terms().sort(term), &value);
                }
            }
        }
    }
}

fn closure(lines: &[Line], seen: &RefCell<Vec<u8>>) {
    let session = Session::current();
    let inputs = (0..INPUTS).map(|at| session.fresh(&format!("in{at}"), Kind::unsigned(BITS))).collect();
    let zero = session.terms().bv_u64(effigy_session::Width::of(BITS), 0);
    let mut seen = seen.borrow_mut();
    seen.clear();
    Run { session, inputs, vars: vec![zero; 2], seen: &mut seen }.run(lines);
}

// The program on numbers.

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Ended {
    Well,
    Fails(u8),
    Dropped,
}

struct Concrete {
    inputs: Vec<u8>,
    vars: Vec<u8>,
    /// What is chosen, of how many.
    choices: Vec<(u8, u8)>,
    chosen: usize,
    /// The answers that were given: runs with the same are one path.
    trace: Vec<u8>,
}

impl Concrete {
    fn expr(&self, expr: &Expr) -> u8 {
        match expr {
            Expr::Const(it) => *it,
            Expr::Input(at) => self.inputs[*at],
            Expr::Var(at) => self.vars[*at],
            Expr::Add(a, b) => (self.expr(a) + self.expr(b)) & MASK,
            Expr::Mul(a, b) => (self.expr(a) * self.expr(b)) & MASK,
        }
    }

    fn cond(&self, cond: &Cond) -> bool {
        match cond {
            Cond::Less(a, b) => self.expr(a) < self.expr(b),
            Cond::Same(a, b) => self.expr(a) == self.expr(b),
        }
    }

    fn run(&mut self, lines: &[Line]) -> Result<(), Ended> {
        for line in lines {
            match line {
                Line::Set(at, it) => self.vars[*at] = self.expr(it),
                Line::If(cond, a, b) | Line::Both(cond, a, b) => {
                    let holds = self.cond(cond);
                    self.trace.push(u8::from(holds));
                    self.run(if holds { a } else { b })?;
                }
                Line::While(cond, body) => {
                    for _ in 0..ROUNDS {
                        let holds = self.cond(cond);
                        self.trace.push(u8::from(holds));
                        if !holds {
                            break;
                        }
                        self.run(body)?;
                    }
                }
                Line::Assume(cond) if !self.cond(cond) => return Err(Ended::Dropped),
                Line::Check(cond, id) if !self.cond(cond) => return Err(Ended::Fails(*id)),
                // Which of several checks fails tells paths apart.
                Line::Assume(_) | Line::Check(..) => self.trace.push(0),
                Line::Panic(id) => return Err(Ended::Fails(*id)),
                Line::Choose(at, count) => {
                    if self.chosen == self.choices.len() {
                        self.choices.push((0, *count));
                    }
                    let chosen = self.choices[self.chosen].0;
                    self.chosen += 1;
                    self.trace.push(chosen);
                    self.vars[*at] = chosen;
                }
                Line::Value(at, it) => {
                    let value = self.expr(it);
                    self.trace.push(value);
                    self.vars[*at] = value;
                }
            }
        }
        Ok(())
    }
}

/// Every way through the program, of every input and every choice.
fn exhaustive(lines: &[Line]) -> BTreeSet<(Vec<u8>, Ended)> {
    let mut res = BTreeSet::new();
    for input in 0..1u32 << (BITS * INPUTS as u32) {
        let inputs: Vec<u8> = (0..INPUTS as u32).map(|at| (input >> (at * BITS)) as u8 & MASK).collect();
        let mut choices = Vec::new();
        loop {
            let (vars, trace) = (vec![0; 2], Vec::new());
            let mut run = Concrete { inputs: inputs.clone(), vars, choices, chosen: 0, trace };
            let ended = run.run(lines).err().unwrap_or(Ended::Well);
            res.insert((run.trace, ended));
            // The last choice that has another answer has the next one; what comes after it is asked for again.
            choices = run.choices;
            while choices.last().is_some_and(|(chosen, count)| chosen + 1 == *count) {
                choices.pop();
            }
            match choices.last_mut() {
                Some(last) => last.0 += 1,
                None => break,
            }
        }
    }
    res
}

/// Loops within loops make every program large.
fn is_small(paths: &BTreeSet<(Vec<u8>, Ended)>) -> bool {
    paths.len() < 200
}

#[derive(Default)]
struct Ends {
    ended: BTreeSet<PathName>,
    failed: BTreeSet<PathName>,
}

impl<S> Sink<S> for Ends {
    fn ended(&mut self, end: &PathEnd<'_, S>) {
        match end.end {
            End::Exit { .. } => drop(self.ended.insert(end.name())),
            End::Bug(_) => drop(self.failed.insert(end.name())),
            _ => {}
        }
    }
}

fn by_session(lines: &[Line]) -> (Account, Ends) {
    in_order(lines, Search::Dfs)
}

fn in_order(lines: &[Line], search: Search) -> (Account, Ends) {
    let seen = RefCell::new(Vec::new());
    let limits = Limits { failures: u64::MAX, search, seed: 7, ..Limits::default() };
    let mut ends = Ends::default();
    let account = explore_with(&limits, &mut || closure(lines, &seen), &mut |end| match end.ending {
        RunEnding::Ended => drop(ends.ended.insert(end.trail.name())),
        RunEnding::Failed(_) => drop(ends.failed.insert(end.trail.name())),
        _ => {}
    });
    (account, ends)
}

/// The same closure as a language, walked by the house's own exploration.
fn by_language(lines: &[Line]) -> Ends {
    let seen = RefCell::new(Vec::new());
    let program = Program::new(&Limits::default(), || closure(lines, &seen));
    let mut solver = effigy_solver::chain(&effigy_solver::SolverConfig::default());
    let config = Config {
        search: Search::Dfs,
        seed: 0,
        budget: Budget::default(),
        query: Default::default(),
        feasibility: Default::default(),
        values: 64,
    };
    let mut ends = Ends::default();
    let observer: &mut dyn Observer<_> = &mut ();
    walk_language(&program, program.terms(), &mut *solver, &config, observer, &mut ends);
    ends
}

fn fails(ended: &Ended) -> Option<u8> {
    match ended {
        Ended::Fails(id) => Some(*id),
        _ => None,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    /// As many paths as inputs tell apart, and every failure that some input runs into, by an input that does.
    #[test]
    fn a_session_finds_what_all_inputs_find(lines in lines(false)) {
        let all = exhaustive(&lines);
        prop_assume!(is_small(&all));
        let (account, ends) = by_session(&lines);
        prop_assert_eq!(&account.error, &None);
        prop_assert!(account.cut.is_empty() && account.undecided.is_empty(), "{}", account);
        let ended = all.iter().filter(|it| it.1 == Ended::Well).count();
        let failed = all.iter().filter(|it| fails(&it.1).is_some()).count();
        prop_assert_eq!(account.paths.ended as usize, ended);
        prop_assert_eq!(account.paths.failed as usize, failed);
        // Names tell paths apart.
        prop_assert_eq!((ends.ended.len(), ends.failed.len()), (ended, failed));
        let ids: BTreeSet<String> = all.iter().filter_map(|it| fails(&it.1)).map(|it| format!("fails {it}")).collect();
        let found: BTreeSet<String> = account.failures.iter().map(|it| it.message.clone()).collect();
        prop_assert_eq!(found, ids);
        for failure in &account.failures {
            let values: BTreeMap<String, Value> =
                failure.values.iter().map(|it| (it.name.clone(), it.value.clone())).collect();
            let seen = RefCell::new(Vec::new());
            let again = run_on(&Limits { failures: u64::MAX, ..Limits::default() }, &values, || closure(&lines, &seen));
            prop_assert!(again.failures.iter().any(|it| it.message == failure.message), "{failure} is not seen again");
        }
    }

    /// The same paths and failures in whichever order they are run.
    #[test]
    fn any_order_runs_the_same_paths(lines in lines(false)) {
        prop_assume!(is_small(&exhaustive(&lines)));
        let (usual, ends) = by_session(&lines);
        for (name, search) in Search::ALL.iter().filter(|it| !it.1.needs_coverage()) {
            let (account, others) = in_order(&lines, *search);
            prop_assert_eq!(&account.paths, &usual.paths, "{}", name);
            prop_assert_eq!((&others.ended, &others.failed), (&ends.ended, &ends.failed), "{}", name);
        }
    }

    /// Where both sides of conditionals are run, nothing fails that does not, and nothing is missed.
    #[test]
    fn both_sides_at_once_find_the_same(lines in lines(true)) {
        let all = exhaustive(&lines);
        prop_assume!(is_small(&all));
        let (account, ends) = by_session(&lines);
        prop_assert!(account.error.is_none() && account.cut.is_empty() && account.undecided.is_empty(), "{}", account);
        let ids: BTreeSet<String> = all.iter().filter_map(|it| fails(&it.1)).map(|it| format!("fails {it}")).collect();
        let found: BTreeSet<String> = account.failures.iter().map(|it| it.message.clone()).collect();
        prop_assert_eq!(found, ids);
        let ended = all.iter().filter(|it| it.1 == Ended::Well).count();
        prop_assert_eq!(account.paths.ended > 0, ended > 0);
        prop_assert!(account.paths.ended as usize <= ended, "merged paths are not more");
        // The same closure as a language.
        let other = by_language(&lines);
        prop_assert_eq!(ends.ended, other.ended);
        prop_assert_eq!(ends.failed, other.failed);
    }

    /// The paths of a session have the names that the engine's own walk gives them.
    #[test]
    fn a_session_walks_as_the_engine_does(lines in lines(false)) {
        let all = exhaustive(&lines);
        prop_assume!(is_small(&all));
        let (_, ends) = by_session(&lines);
        let other = by_language(&lines);
        prop_assert_eq!(ends.ended, other.ended);
        prop_assert_eq!(ends.failed, other.failed);
    }
}

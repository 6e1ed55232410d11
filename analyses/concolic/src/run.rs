//! One run, real and symbolic at once.
//!
//! Knows: the engine's walk along the path of given inputs; it never forks and asks no solver. What cannot be followed
//! is computed with its real value, under the condition that it has it. Never: the other sides' inputs (`expand`).
//! Source: the slides of IA159, "Concolic execution".

use crate::key::Key;
use effigy_engine::{
    Context, Coverage, Event, Given, Guide, Inputs, Language, Notes, Passed, Path, PathId, PathName, PathOutcome,
    Place, Policy, Question, Trail, Valuation, Valued, Witness, advance,
};
use effigy_solver::PathCondition;
use effigy_term::{Symbol, SymbolKind, Terms};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// The limits of one run. What a run has passed when it reaches one of them counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The most transitions that a run makes.
    pub steps: u64,
    /// The most conditions that a run passes.
    pub conditions: usize,
    /// The most wall time of a run; `None` is no limit.
    pub time: Option<Duration>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { steps: 10_000_000, conditions: 100_000, time: None }
    }
}

/// The result of a run.
#[derive(Clone, Debug)]
pub struct Run {
    /// The questions that were passed, in order: PC of the slides.
    pub passed: Vec<Passed>,
    /// For each of them the beginning of the path that leads to it.
    pub before: Vec<Key>,
    /// The name of the path.
    pub name: PathName,
    /// How it ended; `None` where it was stopped by a limit.
    pub outcome: Option<PathOutcome>,
    /// The inputs that were asked for and what was printed.
    pub witness: Witness,
    /// The values of the symbols that were asked for.
    pub values: Valuation,
    /// The number of transitions that were made.
    pub steps: u64,
    /// The sites of the program that were reached.
    pub coverage: Coverage,
    /// The approximations that were made on the way.
    pub notes: Notes,
    /// Values that could not be followed: how often, by place.
    pub pinned: BTreeMap<Place, u64>,
}

/// Transitions between two looks at the clock.
const SLICE: u64 = 100_000;

/// Runs `language` on what is given.
pub fn concolic<L: Language>(language: &L, terms: &Terms, given: &Given, limits: &Limits) -> Run {
    let start = |ctx: &mut Context<'_>| language.start(ctx);
    concolic_from(language, terms, given, limits, start).0
}

/// As [`concolic`], from a state of the caller's choice; with the state at the end.
pub fn concolic_from<L: Language>(
    language: &L,
    terms: &Terms,
    given: &Given,
    limits: &Limits,
    start: impl FnOnce(&mut Context<'_>) -> L::State,
) -> (Run, L::State) {
    let inputs = Inputs::Valued(Valued::symbols(given.clone()));
    let (mut coverage, mut notes) = (Coverage::default(), Notes::default());
    let mut ctx = Context::new(terms, &inputs, &mut coverage, &mut notes);
    let mut path = Path { id: PathId(0), state: start(&mut ctx), trail: Trail::new() };
    let mut guide = Guide::Noted(Vec::new());
    let begun = Instant::now();
    let mut left = limits.steps;
    let outcome = loop {
        let mut fuel = left.min(SLICE);
        let before = fuel;
        let event = advance(language, &mut ctx, &mut path, &mut Policy::Follow(&mut guide), &mut fuel);
        left -= before - fuel;
        match event {
            Event::Ended(outcome) => break Some(outcome),
            Event::Moved | Event::Answered | Event::Held(_) => {}
            _ => break None,
        }
        let long = matches!(&guide, Guide::Noted(passed) if passed.len() >= limits.conditions);
        if left == 0 || long || limits.time.is_some_and(|it| begun.elapsed() > it) {
            break None;
        }
    };
    let passed = match guide {
        Guide::Noted(passed) => passed,
        Guide::Model | Guide::Name(_) => Vec::new(),
    };
    let values = path.trail.witness.clone().unwrap_or_default();
    let witness = language.witness(&ctx, &path.state, &values);
    let name = path.trail.name();
    let before = beginnings(&passed, &name);
    let mut pinned = BTreeMap::new();
    for it in passed.iter().filter(|it| matches!(it.question, Question::Value { .. })) {
        *pinned.entry(it.place.clone()).or_insert(0) += 1;
    }
    let steps = path.trail.steps;
    (Run { passed, before, name, outcome, witness, values, steps, coverage, notes, pinned }, path.state)
}

/// The beginning that leads to each question.
fn beginnings(passed: &[Passed], name: &PathName) -> Vec<Key> {
    let (mut key, mut taken) = (Key::START, 0);
    let before = |it: &Passed| {
        while taken < it.decided {
            key = key.decided(&name.0[taken]);
            taken += 1;
        }
        key
    };
    passed.iter().map(before).collect()
}

impl Run {
    /// Whether the path begins in this way.
    pub fn begins(&self, key: Key) -> bool {
        self.onward().any(|it| it == key)
    }

    /// How the path goes on at each question.
    pub fn onward(&self) -> impl Iterator<Item = Key> {
        self.passed.iter().zip(&self.before).map(|(it, before)| before.onward(&it.onward()))
    }

    /// φ: what the inputs have in common that take this path.
    pub fn path_condition(&self, terms: &Terms) -> PathCondition {
        let mut res = PathCondition::new();
        self.passed.iter().for_each(|it| res.assume(terms, it.cond));
        res
    }

    /// The inputs that were asked for, and whether each is one of the program's own, not a result that was made up.
    pub fn symbols<'r>(&'r self, terms: &'r Terms) -> impl Iterator<Item = (Symbol, bool)> + 'r {
        self.values.symbols().map(|(it, _)| (it, terms.symbol_info(it).kind == SymbolKind::Input))
    }
}

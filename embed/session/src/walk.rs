//! The walk: runs wait in a frontier; of two that wait, the searcher says which is made first.
//!
//! Knows: which sides wait, the limits, the account. Never: what is asked.

use crate::account::{Account, Failure, Limits, NamedValue};
use crate::confirm::{ConfirmResult, Path, confirm, drawn};
use crate::current_session::{ConcreteInputs, CurrentSession};
use crate::kind::Kind;
use crate::panics::{self, Panic};
use crate::question::AnsweredQuestion;
use crate::registry;
use crate::run::{End, GUESSED, Mode, PendingSide, Prefix, Run};
use crate::watchdog;
use effigy_engine::{PathId, Place, Trail};
use effigy_term::print::{Dialect, machine_on};
use effigy_term::{Terms, Value};
use effigy_walk::Frontier;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The ways in which a run ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RunEnding {
    /// The run came to the end of the program.
    Ended,
    /// The run failed, with this message.
    Failed(String),
    /// At an assumption that does not hold.
    Dropped,
    /// A limit, this one, stopped the run.
    Cut(String),
    /// At something that is not supported.
    Unsupported(String),
    /// The solver could not tell.
    Undecided(String),
}

/// The end of one run, for the observer of an exploration.
pub struct RunEnd<'a> {
    /// How the run ended, with a message if it failed.
    pub ending: RunEnding,
    /// The path condition with its model, and the name of the path.
    pub trail: &'a Trail,
    /// The arena of the trail's terms.
    pub terms: &'a Terms,
    /// The symbols that the run asked for, with their values.
    pub symbols: Vec<NamedValue>,
    /// What is reported of it, where it fails as no other did.
    pub failure: Option<&'a Failure>,
}

/// Runs the closure once for each of its paths.
pub fn explore(limits: &Limits, mut run: impl FnMut()) -> Account {
    explore_with(limits, &mut run, &mut |_| {})
}

/// Like [`explore`]; `look` is called at the end of each run.
pub fn explore_with(limits: &Limits, run: &mut dyn FnMut(), look: &mut dyn FnMut(&RunEnd<'_>)) -> Account {
    walk(&CurrentSession::new(limits, Rc::new(Terms::new()), None), limits, false, run, look)
}

/// As [`explore_with`]; each path that ends, and each failure that is reported, is run once more with values. Where that
/// run ends otherwise, the verdict is [`Verdict::Fault`](crate::Verdict::Fault), or an error where the program does not
/// do the same twice.
pub fn explore_confirmed(limits: &Limits, run: &mut dyn FnMut(), look: &mut dyn FnMut(&RunEnd<'_>)) -> Account {
    walk(&CurrentSession::new(limits, Rc::new(Terms::new()), None), limits, true, run, look)
}

/// One run with given values: every question has its answer. A symbol without a value is zero, or false.
pub fn run_on(limits: &Limits, values: &BTreeMap<String, Value>, mut run: impl FnMut()) -> Account {
    let given = ConcreteInputs { values: values.clone(), ..ConcreteInputs::default() };
    walk(&CurrentSession::new(limits, Rc::new(Terms::new()), Some(given)), limits, false, &mut run, &mut |_| {})
}

/// A pending side, with the history of the run that it branches off.
struct PendingRun {
    filed: PendingSide,
    history: Rc<Vec<AnsweredQuestion>>,
    apart: Rc<BTreeSet<u32>>,
}

pub(crate) fn walk(
    live: &Rc<CurrentSession>,
    limits: &Limits,
    confirms: bool,
    run: &mut dyn FnMut(),
    look: &mut dyn FnMut(&RunEnd<'_>),
) -> Account {
    let mut account = Account::default();
    let mut frontier: Frontier<PendingRun> = Frontier::new(limits.search, limits.seed);
    let mut ids = (1..).map(PathId);
    let mut next = Some((PathId(0), Prefix::default(), Trail::new()));
    while let Some((id, prefix, trail)) = next.take() {
        let expected = prefix.shared + usize::from(prefix.turns);
        let (begun, from) = (prefix.clone(), trail.clone());
        live.run.replace(Run::new(prefix, trail, Mode::Answer));
        watchdog::begin(live.id, limits.silence, given_values(live));
        let panic = live.enter(|| panics::catch(run)).err();
        watchdog::end(live.id);
        let mut done = live.run.take();
        done.settle(live, &account);
        if let Some(number) = apart(&done) {
            let mut prefix = begun;
            Rc::make_mut(&mut prefix.apart).insert(number);
            next = Some((id, prefix, from));
            continue;
        }
        account.questions += done.asked.len().saturating_sub(expected) as u64;
        let end = end_of(&mut done, expected, panic);
        if let Some(error) = registry::stray(live.id) {
            account.error.get_or_insert(error);
        }
        let failures = account.failures.len();
        let failed = match &end {
            Some(End::Failed(message, place)) => Some((message.clone(), place.clone())),
            _ => None,
        };
        let is_reported = match &end {
            None => true,
            Some(_) => failed.is_some(),
        };
        count(live, &mut account, &done, end, look);
        if confirms && is_reported && (failed.is_none() || account.failures.len() > failures) {
            let model = match account.failures.get(failures) {
                Some(it) => it.model.clone(),
                None => drawn(live, &done, account.paths.total()),
            };
            let path = Path { begun: &begun, run: &done, failed, model };
            match confirm(live, &path, run) {
                ConfirmResult::Yes => account.confirmed += 1,
                ConfirmResult::Unknown(why) => *account.unconfirmed.entry(why).or_insert(0) += 1,
                ConfirmResult::NotDeterministic(why) => drop(account.error.get_or_insert(why)),
                ConfirmResult::No(why) => {
                    account.failures.truncate(failures);
                    account.fault = Some(why);
                }
            }
        }
        let history = Rc::new(std::mem::take(&mut done.asked));
        let filed = std::mem::take(&mut done.filed);
        let sides: Vec<PathId> = ids.by_ref().take(filed.len()).collect();
        frontier.split(id, &sides);
        for (side, filed) in sides.into_iter().zip(filed) {
            let apart = Rc::new(begun.apart.range(..filed.conditionals).copied().collect());
            frontier.add(side, PendingRun { filed, history: Rc::clone(&history), apart }, false);
        }
        let is_over = account.error.is_some() || account.fault.is_some();
        if is_over || account.failures.len() as u64 >= limits.failures {
            break;
        }
        while let Some((id, PendingRun { filed, history, apart })) = frontier.select() {
            if account.paths.total() >= live.limits.paths {
                let why = format!("{} paths", live.limits.paths);
                *account.cut.entry(why).or_insert(0) += 1;
                return account;
            }
            let Some(mut trail) = live.engine(|it| it.assume(&filed.before, filed.cond)) else {
                account.infeasible += 1;
                frontier.end(id);
                continue;
            };
            if trail.witness.is_none() {
                let reason =
                    trail.undecided.as_ref().map_or_else(|| "no model is known".to_owned(), ToString::to_string);
                *account.undecided.entry(reason).or_insert(0) += 1;
                account.paths.undecided += 1;
                frontier.end(id);
                continue;
            }
            if let Some(decision) = filed.decision {
                trail.decisions.push(decision);
            }
            let PendingSide { at, turn, turns, parts, .. } = filed;
            let prefix = Prefix { history, shared: at, turn, turns, apart, parts };
            next = Some((id, prefix, trail));
            break;
        }
    }
    account
}

/// The conditional that the run has to be made again for: something was asked, or a side was left, also where nobody
/// saw that (a `return` that a macro hides).
pub(crate) fn apart(run: &Run) -> Option<u32> {
    match run.end {
        Some(End::Apart(number)) => Some(number),
        None => run.both.first().copied(),
        Some(_) => None,
    }
}

/// How a run ended that was left or came back.
pub(crate) fn end_of(run: &mut Run, expected: usize, panic: Option<Panic>) -> Option<End> {
    let end = how_it_ended(run, expected, panic);
    match end {
        Some(End::Failed(..) | End::Error(_) | End::Apart(_) | End::Open(..)) => end,
        // The other answers were not followed: that is right only where the path fails anyhow.
        _ if run.guessed => Some(End::Unsupported(GUESSED.to_owned())),
        _ => {
            if run.panic_names_symbols {
                run.witnesses.insert("the text of a panic that the program catches".to_owned());
            }
            end
        }
    }
}

fn how_it_ended(run: &mut Run, expected: usize, panic: Option<Panic>) -> Option<End> {
    match (run.end.take(), panic) {
        (Some(end), _) => Some(end),
        // With other values it does what was not seen: the program itself fails, or ends without a question.
        (None, Some(Panic { message, place })) if run.unseen_use().is_some() => {
            Some(End::Failed(message, place.unwrap_or_default()))
        }
        _ if run.asked.len() < expected && run.unseen_use().is_some() => run.unseen_use(),
        _ if run.asked.len() < expected => Some(End::Error(format!(
            "not deterministic: when the run was made again, it ended after {} of {expected} questions",
            run.asked.len()
        ))),
        (None, Some(Panic { message, place })) => Some(End::Failed(message, place.unwrap_or_default())),
        (None, None) => None,
    }
}

fn count(live: &CurrentSession, account: &mut Account, run: &Run, end: Option<End>, look: &mut dyn FnMut(&RunEnd<'_>)) {
    account.witnesses.extend(run.witnesses.iter().cloned());
    account.compared.extend(run.compared.iter().cloned());
    let again = |into: &mut BTreeMap<String, u64>, what: &str| *into.entry(what.to_owned()).or_insert(0) += 1;
    run.cut.iter().for_each(|it| again(&mut account.cut, it));
    run.undecided.iter().for_each(|it| again(&mut account.undecided, it));
    let paths = &mut account.paths;
    let mut told = false;
    let ending = match end {
        None => {
            paths.ended += 1;
            RunEnding::Ended
        }
        Some(End::Failed(message, place)) => {
            paths.failed += 1;
            let known = account.failures.iter().any(|it| it.message == message && it.place.as_ref() == Some(&place));
            if !known {
                account.failures.push(failure(live, run, message.clone(), place));
                told = true;
            }
            RunEnding::Failed(message)
        }
        Some(End::Dropped) => {
            paths.dropped += 1;
            RunEnding::Dropped
        }
        Some(End::Cut(why)) => {
            paths.cut += 1;
            again(&mut account.cut, &why);
            RunEnding::Cut(why)
        }
        Some(End::Unsupported(what)) => {
            paths.unsupported += 1;
            again(&mut account.unsupported, &what);
            RunEnding::Unsupported(what)
        }
        Some(End::Undecided(why)) => {
            paths.undecided += 1;
            again(&mut account.undecided, &why);
            RunEnding::Undecided(why)
        }
        Some(End::Error(why)) => {
            account.error.get_or_insert(why);
            return;
        }
        // Only a run that is told to is left at a question.
        Some(End::Open(..) | End::Apart(_)) => return,
    };
    let symbols = named(live, run, run.trail.witness.as_deref().unwrap_or(&Default::default()));
    let failure = account.failures.last().filter(|_| told);
    look(&RunEnd { ending, trail: &run.trail, terms: &live.terms, symbols, failure });
}

/// The values of a concrete run, for who is told of it before it has asked for any.
fn given_values(live: &CurrentSession) -> Vec<NamedValue> {
    let value = |(name, value): (&String, &Value)| {
        let kind = match value {
            Value::BitVec(it) => Kind::unsigned(it.width().bits()),
            _ => Kind::Bool,
        };
        NamedValue { name: name.clone(), kind, value: value.clone() }
    };
    live.given().map_or_else(Vec::new, |it| it.values.iter().map(value).collect())
}

/// What was asked for, with the values of a model, or those that were given.
pub(crate) fn named(live: &CurrentSession, run: &Run, model: &effigy_term::Model) -> Vec<NamedValue> {
    let all = live.given();
    let value = |(name, kind, symbol): &(String, Kind, effigy_term::Symbol)| {
        let default = || effigy_term::eval::default_value(&live.terms, kind.sort());
        let given = all.as_ref().and_then(|it| it.values.get(name));
        let value = given.or_else(|| model.get(*symbol)).cloned().unwrap_or_else(default);
        NamedValue { name: name.clone(), kind: *kind, value }
    };
    run.symbols.iter().map(value).collect()
}

fn failure(live: &CurrentSession, run: &Run, message: String, place: Place) -> Failure {
    let trail = &run.trail;
    let model = trail.witness.as_deref().cloned().unwrap_or_default();
    let model = trail.condition.minimize_model(&live.terms, model);
    let (conditions, bounds) = (trail.condition.readable(&live.terms), trail.bounds(&live.terms));
    Failure {
        message,
        place: (place != Place::default()).then_some(place),
        values: named(live, run, &model),
        model,
        notes: run.notes.clone(),
        conditions: conditions.iter().map(|it| machine_on(&live.terms, Dialect::Rust, *it, &bounds)).collect(),
        path: trail.name(),
    }
}

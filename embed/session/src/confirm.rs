//! A path that was said to end, or to fail, is run once more with values: what the run then does is the program's own.
//!
//! Knows: a run that is over, values that satisfy its condition. Never: which path is next, how a value came about.
//! Source: as `effigy replay`, and as the web side does on SQLite.
//!
//! With values, every comparison is that of plain numbers, and one side of each conditional is run. So a fault in what
//! terms mean, in what is asked or in what is merged shows as a run that ends otherwise.

use crate::account::{Account, Limits, Verdict};
use crate::current_session::{ConcreteInputs, CurrentSession};
use crate::panics;
use crate::place::place_text;
use crate::run::{End, Mode, Prefix, Run};
use crate::walk::{end_of, named, walk};
use effigy_engine::{Place, Valuation};
use effigy_term::{BvValue, Model, Value};
use std::collections::BTreeSet;
use std::rc::Rc;

/// What came of a run with values.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Outcome {
    /// It came to its end.
    Ended,
    /// What is assumed does not hold.
    Dropped,
    /// It fails, at these places.
    Failed(BTreeSet<(String, String)>),
    /// The run could not be compared, for this reason.
    Unknown(String),
}

impl Outcome {
    fn of(account: &Account) -> Outcome {
        match account.verdict() {
            Verdict::Passed | Verdict::Witnessed(_) | Verdict::Compared { .. } => Outcome::Ended,
            Verdict::Vacuous => Outcome::Dropped,
            Verdict::Failed => Outcome::Failed(
                account.failures.iter().map(|it| (place(it.place.as_ref()), it.message.clone())).collect(),
            ),
            other => Outcome::Unknown(other.to_string()),
        }
    }

    fn text(&self) -> String {
        match self {
            Outcome::Ended => "it passes".to_owned(),
            Outcome::Dropped => "an assumption does not hold".to_owned(),
            Outcome::Failed(of) => {
                let of: Vec<String> = of.iter().map(|(place, message)| format!("{place}: {message}")).collect();
                format!("it fails ({})", of.join("; "))
            }
            Outcome::Unknown(why) => why.clone(),
        }
    }

    /// Whether both are the same, but for the words of a message: these name values here, and symbols there.
    fn is_like(&self, other: &Outcome) -> bool {
        match (self, other) {
            (Outcome::Failed(one), Outcome::Failed(other)) => {
                one.iter().any(|it| other.iter().any(|that| it.0 == that.0))
            }
            _ => self == other,
        }
    }
}

fn place(place: Option<&Place>) -> String {
    place.map_or_else(|| "at an unknown place".to_owned(), place_text)
}

/// What the walk has found of a path.
pub(crate) enum ConfirmResult {
    /// The run with values ends as the path does.
    Yes,
    /// It could not be made; why.
    Unknown(String),
    /// The program does not do the same twice.
    NotDeterministic(String),
    /// It ends otherwise, which is a fault of ours.
    No(String),
}

/// A path that is over: the run as it was made, and how it ended.
pub(crate) struct Path<'a> {
    pub(crate) begun: &'a Prefix,
    pub(crate) run: &'a Run,
    pub(crate) failed: Option<(String, Place)>,
    /// The values that are reported of it.
    pub(crate) model: Model,
}

/// Runs a path once more with the values of its model.
pub(crate) fn confirm(live: &Rc<CurrentSession>, path: &Path<'_>, run: &mut dyn FnMut()) -> ConfirmResult {
    let expected = match &path.failed {
        None => Outcome::Ended,
        Some((message, at)) => {
            let at = (*at != Place::default()).then_some(at);
            Outcome::Failed(BTreeSet::from([(place(at), message.clone())]))
        }
    };
    let mut outcome = with_values(live, path, false, run);
    let mut are_free = false;
    if let Outcome::Unknown(_) = outcome {
        // A formula over all values of a variable is not one over the value that it has on this path.
        are_free = true;
        outcome = with_values(live, path, true, run);
    }
    if let Outcome::Unknown(why) = outcome {
        return ConfirmResult::Unknown(why);
    }
    if outcome.is_like(&expected) {
        return ConfirmResult::Yes;
    }
    let values: Vec<String> = named(live, path.run, &path.model).iter().map(ToString::to_string).collect();
    let values = if values.is_empty() { "without inputs".to_owned() } else { format!("with {}", values.join(", ")) };
    let again = with_values(live, path, are_free, run);
    if again != outcome {
        let text =
            format!("not deterministic: {values} {}, and when that is run again, {}", outcome.text(), again.text());
        return ConfirmResult::NotDeterministic(text);
    }
    let same = same_path(live, path, run);
    if !same.is_like(&expected) {
        let text = format!(
            "not deterministic: a path ended ({}), and when it was run again, {}",
            expected.text(),
            same.text()
        );
        return ConfirmResult::NotDeterministic(text);
    }
    ConfirmResult::No(format!(
        "{values} {}; of the path {} effigy says: {}",
        outcome.text(),
        name(path),
        expected.text()
    ))
}

fn name(path: &Path<'_>) -> String {
    let name = path.run.trail.name();
    if name.0.is_empty() { "without a decision".to_owned() } else { name.text() }
}

/// The program with the values of the path.
fn with_values(
    live: &Rc<CurrentSession>,
    path: &Path<'_>,
    quantified_are_free: bool,
    run: &mut dyn FnMut(),
) -> Outcome {
    let values = named(live, path.run, &path.model).into_iter().map(|it| (it.name, it.value)).collect();
    let given = ConcreteInputs { values, choices: Some(path.run.choices.clone()), quantified_are_free };
    live.given.replace(Some(Rc::new(given)));
    let limits = Limits { failures: u64::MAX, ..live.limits.clone() };
    let account = walk(live, &limits, false, run, &mut |_| {});
    live.given.replace(None);
    Outcome::of(&account)
}

/// The same path, by the same answers.
fn same_path(live: &Rc<CurrentSession>, path: &Path<'_>, run: &mut dyn FnMut()) -> Outcome {
    let history = Rc::new(path.run.asked.clone());
    let expected = history.len();
    let prefix = Prefix { shared: expected, history, turn: None, turns: false, ..path.begun.clone() };
    live.run.replace(Run::new(prefix, path.run.trail.clone(), Mode::Answer));
    let panic = live.enter(|| panics::catch(run)).err();
    let mut done = live.run.take();
    match end_of(&mut done, expected, panic) {
        None => Outcome::Ended,
        Some(End::Failed(message, at)) => {
            let at = (at != Place::default()).then_some(at);
            Outcome::Failed(BTreeSet::from([(place(at.as_ref()), message)]))
        }
        Some(End::Dropped) => Outcome::Dropped,
        Some(End::Error(what) | End::Cut(what) | End::Unsupported(what) | End::Undecided(what)) => {
            Outcome::Unknown(what)
        }
        Some(End::Apart(_) | End::Open(..)) => Outcome::Unknown("it asks where it did not".to_owned()),
    }
}

/// So many draws of values are tried for a path. Chosen without measuring.
const DRAWS: u64 = 8;

/// A model of a path that passes: drawn where a draw satisfies the path's condition, since the values of a solver are
/// near zero, where most programs do the same whatever they do. The draws are the same in each process.
pub(crate) fn drawn(live: &CurrentSession, run: &Run, seed: u64) -> Model {
    let witness = run.trail.witness.as_deref().cloned().unwrap_or_default();
    if !run.pins.is_empty() {
        return witness;
    }
    let conditions = run.trail.condition.conjuncts();
    for draw in 0..DRAWS {
        let mut state = seed.wrapping_mul(DRAWS).wrapping_add(draw);
        let mut model = witness.clone();
        for (_, kind, symbol) in &run.symbols {
            model.set(*symbol, any_value(*kind, &mut state));
        }
        let model = Valuation::from(model);
        if conditions.iter().all(|it| model.truth(&live.terms, *it) == Some(true)) {
            return (*model).clone();
        }
    }
    witness
}

/// A value of this kind: an edge of the type, a small one, or any.
fn any_value(kind: crate::Kind, state: &mut u64) -> Value {
    let width = match kind {
        crate::Kind::Bool => return Value::Bool(next(state) & 1 == 1),
        crate::Kind::Bits { width, .. } => width,
    };
    let bits = width.bits().min(128);
    let all = u128::MAX >> (128 - bits);
    let any = (u128::from(next(state)) << 64) | u128::from(next(state));
    let value = match next(state) % 6 {
        0 => 1,
        1 => all,
        2 => all >> 1,
        3 => any % 256,
        _ => any,
    };
    Value::BitVec(BvValue::from_u128(width, value & all))
}

/// The next number of SplitMix64 (Steele, Lea, Flood 2014, figure 17).
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let it = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let it = (it ^ (it >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    it ^ (it >> 31)
}

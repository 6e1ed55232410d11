//! Questions that several who check the same program share: what one has found out, the others need not ask.
//!
//! Knows: how a question is named, when the answer of another is taken. Never: how it travels, paths.
//!
//! All walk the program themselves. A question is named by what it says, so that it does not matter whether they come to
//! the same questions, or in which order. That something holds is believed; a model is looked at, and the run of a bug is
//! made by each who reports it.

use effigy_engine::{SymbolValue, fits};
use effigy_term::eval::Evaluator;
use effigy_term::fingerprint::Fingerprint;
use effigy_term::{Model, Symbol, Term, Terms, Value};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::Duration;

/// A question to the solver, by what it says.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Question {
    /// The formula, by its fingerprint.
    pub formula: Fingerprint,
    /// The most conflicts that the solver spends on it; `None` is no limit.
    pub steps: Option<u64>,
}

/// An answer to a question, as it is shared.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Told {
    /// The formula has no model.
    Unsat,
    /// The formula has this model, by names of symbols.
    Sat(Vec<SymbolValue>),
    /// The solver found no answer within the conflicts of the question.
    Hard,
}

/// The other checks of the same program, on other workers.
pub trait Others {
    /// The answer that one of them has shared; `None` if there is none yet.
    fn told(&self, of: Question) -> Option<Told>;

    /// Takes a question. False if another has it; who then asks it all the same loses nothing but time.
    fn take(&self, question: Question) -> bool;

    /// Shares the answer to a question with them.
    fn tell(&self, question: Question, told: &Told);

    /// A number that hardly any other has: by it they choose differently.
    fn lot(&self) -> u64;
}

/// An answer that took less time is not shared: to receive it takes as long.
pub(crate) const WORTH_TELLING: Duration = Duration::from_millis(10);

/// Who has nothing left but what others have taken waits for so long, and then asks it, too: they may have died, and it
/// is not known before whether they are faster.
pub(crate) const PATIENCE: Duration = Duration::from_millis(250);

/// The time between two looks at the answers of others.
pub(crate) const PAUSE: Duration = Duration::from_millis(10);

/// The values of a model that are shared: those that have a text.
pub(crate) fn in_words(terms: &Terms, goal: Term, model: &Model) -> Vec<SymbolValue> {
    let told = |it: &Symbol| {
        let value = model.get(*it)?.text()?;
        Some(SymbolValue { name: terms.symbol_info(*it).name.to_string(), value })
    };
    terms.symbols(goal).iter().filter_map(told).collect()
}

/// The model of a formula from values that somebody has shared; `None` if it does not satisfy the formula.
pub(crate) fn of_words(terms: &Terms, goal: Term, told: &[SymbolValue]) -> Option<Model> {
    let told: BTreeMap<&str, &str> = told.iter().map(|it| (&*it.name, &*it.value)).collect();
    let mut res = Model::new();
    for &symbol in terms.symbols(goal) {
        let info = terms.symbol_info(symbol);
        let Some(text) = told.get(&*info.name) else { continue };
        let value = Value::of_text(text)?;
        if fits(info.sort, &value) {
            res.set(symbol, value);
        }
    }
    (Evaluator::new(terms, &res).truth(goal) == Some(true)).then_some(res)
}

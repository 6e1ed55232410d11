//! Paths that travel: what is sent to another worker, or saved, of a path that waits.
//!
//! Knows: names of paths and of symbols, values. Never: terms and states, which stay in their arena.

use crate::context::Context;
use crate::decision::{PathName, fits};
use crate::language::Language;
use crate::outcome::Place;
use crate::path::{Path, PathId, Trail};
use crate::replay::{ReplayError, Until, replay_while};
use effigy_term::{Model, Terms, Value};
use serde::{Deserialize, Serialize};

/// A path that waits, as data.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Job {
    /// The number of the path, which it keeps when it travels.
    pub id: PathId,
    /// The name of the path: its decisions.
    pub name: PathName,
    /// The transitions that it has made since its last decision.
    pub since: u64,
    /// A model of its path condition, by the names of symbols, where one is known.
    pub witness: Option<Vec<SymbolValue>>,
    /// How many of its decisions had a feasible alternative: what a limit of depth counts.
    pub forks: u64,
    /// The place at which the path has forked most often, with a lower bound of that number.
    pub turns: Option<(Place, u32)>,
}

/// A symbol with its value.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SymbolValue {
    /// The name of the symbol in the arena.
    pub name: String,
    /// Its value, written as in a [`PathName`].
    pub value: String,
}

impl Job {
    /// The job of the whole program: the path on which nothing was decided.
    pub fn root() -> Job {
        Job { id: PathId(0), name: PathName::default(), since: 0, witness: Some(Vec::new()), forks: 0, turns: None }
    }

    /// A path of this name that waits behind its last decision.
    pub fn named(id: PathId, name: PathName, forks: u64) -> Job {
        Job { id, name, since: 0, witness: None, forks, turns: None }
    }

    /// The job of a path that waits: what another arena needs to replay it.
    pub fn of<S>(terms: &Terms, path: &Path<S>) -> Job {
        let model = path.trail.witness.as_deref();
        let value = |(symbol, value): (_, &Value)| {
            Some(SymbolValue { name: terms.symbol_info(symbol).name.to_string(), value: value.text()? })
        };
        let witness = model.map(|model| {
            let mut values: Vec<SymbolValue> = model.symbols().filter_map(value).collect();
            values.sort_by(|a, b| a.name.cmp(&b.name));
            values
        });
        Job {
            id: path.id,
            name: path.trail.name(),
            since: path.trail.since_decided(),
            witness,
            forks: path.trail.forks,
            turns: None,
        }
    }

    /// The path again, in another arena: its name is replayed from this trail of the start state, and its witness used if it
    /// is a model of φ there.
    ///
    /// # Errors
    /// When the name is not the name of a path of this program, or is not come to within `most_steps` transitions, or
    /// before `go_on`, which is asked now and then, says no.
    pub fn path<L: Language>(
        &self,
        language: &L,
        ctx: &mut Context<'_>,
        start: Trail,
        most_steps: u64,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Path<L::State>, ReplayError> {
        let replayed = replay_while(language, ctx, start, &self.name, Until::Since(self.since), most_steps, go_on)?;
        if replayed.outcome.is_some() {
            return Err(ReplayError::EndedEarly { taken: self.name.0.len(), total: self.name.0.len() });
        }
        let mut path = Path { id: self.id, ..replayed.path };
        path.trail.forks = self.forks;
        path.trail.witness = self.model(ctx.terms, &path.trail).map(Into::into);
        Ok(path)
    }

    /// The witness as a model in this arena, if it satisfies the path condition.
    fn model(&self, terms: &Terms, trail: &Trail) -> Option<Model> {
        let values = self.witness.as_ref()?;
        let conjuncts = trail.condition.conjuncts();
        let mut model = Model::new();
        for &symbol in conjuncts.iter().flat_map(|it| terms.symbols(*it)) {
            let info = terms.symbol_info(symbol);
            let Ok(at) = values.binary_search_by(|it| it.name.as_str().cmp(&info.name)) else { continue };
            let value = Value::of_text(&values[at].value)?;
            if fits(info.sort, &value) {
                model.set(symbol, value);
            }
        }
        let valuation = crate::path::Valuation::from(model);
        let holds = conjuncts.iter().all(|it| valuation.truth(terms, *it) == Some(true));
        holds.then(|| valuation.into_model())
    }
}

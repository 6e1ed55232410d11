//! The generational search: `GenerateInputs`.
//!
//! Knows: the work list, what an input is worth, who came from whom. Never: how a path condition is turned (`expand`).
//! Source: Godefroid, Levin, Molnar 2008, figures 3 and 4; the slides of IA159, "The main algorithm".

use crate::expand::{Config, Expander, Layer};
use crate::key::Key;
use crate::run::{Limits, concolic};
use crate::why::Why;
use effigy_engine::{
    AlternativeLabel, Coverage, Given, Language, Outcome, PathName, PathOutcome, Place, Site, Witness,
};
use effigy_solver::Solver;
use effigy_term::{Term, Terms};
use rustc_hash::FxHashSet;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How a search is done, and when it ends.
#[derive(Clone, Debug, Default)]
pub struct Campaign {
    /// The way in which the other sides of branches are asked about.
    pub expand: Config,
    /// The limits of one run.
    pub run: Limits,
    /// The most inputs that are run; `None` is no limit.
    pub inputs: Option<usize>,
    /// The most wall time of the search; `None` is no limit.
    pub time: Option<Duration>,
    /// A flag that is set from outside to stop the search.
    pub interrupt: Arc<AtomicBool>,
}

/// An input that was run.
#[derive(Clone, Debug)]
pub struct Tried {
    /// Its number, in the order of runs.
    pub id: usize,
    /// The input from whose run it was computed; none for the seed.
    pub parent: Option<usize>,
    /// The number of expansions between the seed and it.
    pub generation: u32,
    /// The values of the input, by name.
    pub given: Given,
    /// The inputs that its run asked for, and what it printed.
    pub witness: Witness,
    /// Its bound: the number of the condition of its parent's run that it negates.
    pub bound: usize,
    /// The condition that it negates; `None` for the seed.
    pub turned: Option<Turned>,
    /// Blocks that no input before it covered.
    pub score: usize,
    /// How its run ended; `None` where a limit stopped it.
    pub outcome: Option<PathOutcome>,
    /// The path that it takes.
    pub path: PathName,
    /// The questions of that path: the place of each, and the side that was taken.
    pub turns: Vec<(Place, String)>,
    /// Whether it left the path that was predicted for it.
    pub diverged: bool,
}

/// The condition of its parent's run that an input negates.
#[derive(Clone, Debug)]
pub struct Turned {
    /// The place in the source where the condition stands.
    pub place: Place,
    /// The side that is taken instead.
    pub label: AlternativeLabel,
    /// The condition, of sort Bool, that is to hold instead.
    pub cond: Term,
    /// The layer that found the input.
    pub layer: Layer,
}

/// The result of a search.
#[derive(Clone, Debug, Default)]
pub struct Generated {
    /// The inputs, in the order in which they were run.
    pub inputs: Vec<Tried>,
    /// The counts of what became of the sides of their runs.
    pub why: Why,
    /// The sites that all runs have covered.
    pub coverage: Coverage,
    /// Whether the work list became empty: every input was expanded.
    pub complete: bool,
}

/// An input that waits to be expanded: the highest score first, then the one that was found first.
type Waiting = (usize, Reverse<usize>);

/// `GenerateInputs(seed)`. `is_block` says which sites the score counts.
pub fn generate_inputs<L: Language>(
    language: &L,
    terms: &Terms,
    solver: &mut dyn Solver,
    seed: Given,
    campaign: &Campaign,
    is_block: &dyn Fn(Site) -> bool,
) -> Generated {
    let mut search = Search {
        language,
        terms,
        campaign,
        is_block,
        begun: Instant::now(),
        keys: Vec::new(),
        work_list: BinaryHeap::new(),
        known: FxHashSet::default(),
        res: Generated::default(),
    };
    search.run_and_check(None, 0, seed, 0, None);
    search.work_list.push((search.res.inputs[0].score, Reverse(0)));
    let mut expander = Expander::new(campaign.expand);
    search.res.complete = loop {
        if search.is_over() {
            break false;
        }
        let Some((_, Reverse(at))) = search.work_list.pop() else { break true };
        if !search.expand(&mut expander, solver, at) {
            break false;
        }
    };
    search.res
}

struct Search<'s, L> {
    language: &'s L,
    terms: &'s Terms,
    campaign: &'s Campaign,
    is_block: &'s dyn Fn(Site) -> bool,
    begun: Instant,
    /// How the path of each input was predicted to begin.
    keys: Vec<Option<Key>>,
    work_list: BinaryHeap<Waiting>,
    /// The inputs that were run: an optimistic answer comes to the same one on other ways.
    known: FxHashSet<Given>,
    res: Generated,
}

impl<L: Language> Search<'_, L> {
    fn is_over(&self) -> bool {
        let campaign = self.campaign;
        campaign.interrupt.load(Ordering::Relaxed)
            || campaign.inputs.is_some_and(|it| self.res.inputs.len() >= it)
            || campaign.time.is_some_and(|it| self.begun.elapsed() >= it)
    }

    /// `Run&Check`, and `Score`: the number of blocks that are new. The run is the one that expands the input later,
    /// made twice: what it passed would take more memory than time.
    fn run_and_check(
        &mut self,
        parent: Option<usize>,
        generation: u32,
        given: Given,
        bound: usize,
        turned: Option<(Turned, Key)>,
    ) -> usize {
        let run = concolic(self.language, self.terms, &given, &self.campaign.run);
        let before = self.res.coverage.count();
        self.res.coverage.merge(&run.coverage);
        let new = self.res.coverage.since(before).iter().filter(|it| (self.is_block)(**it));
        let (turned, key) = turned.unzip();
        let id = self.res.inputs.len();
        let tried = Tried {
            id,
            parent,
            generation,
            given,
            bound,
            turned,
            score: new.count(),
            turns: run.passed.iter().map(|it| (it.place.clone(), it.side())).collect(),
            diverged: key.is_some_and(|it| !run.begins(it)),
            witness: run.witness,
            outcome: run.outcome,
            path: run.name,
        };
        self.known.insert(tried.given.clone());
        self.res.inputs.push(tried);
        self.keys.push(key);
        id
    }

    /// `ExpandExecution` of an input, and runs of what comes of it. False where a limit is reached.
    fn expand(&mut self, expander: &mut Expander, solver: &mut dyn Solver, at: usize) -> bool {
        let (given, bound, generation) = {
            let input = &self.res.inputs[at];
            (input.given.clone(), input.bound, input.generation)
        };
        let run = concolic(self.language, self.terms, &given, &self.campaign.run);
        let expansion = expander.expand(self.terms, solver, &run, &given, bound, self.keys[at]);
        if let Some(violation) = expansion.uninitialised {
            self.res.inputs[at].outcome = Some(Ok(Outcome::Violation(violation)));
        }
        self.res.why += expansion.why;
        for child in expansion.children {
            if self.known.contains(&child.given) {
                continue;
            }
            if self.is_over() {
                return false;
            }
            let turned = Turned { place: child.place, label: child.label, cond: child.cond, layer: child.layer };
            let turned = Some((turned, child.key));
            let id = self.run_and_check(Some(at), generation + 1, child.given, child.bound, turned);
            self.work_list.push((self.res.inputs[id].score, Reverse(id)));
        }
        true
    }
}

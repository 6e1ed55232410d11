//! Runs the workers of a walk and writes its journal, so that it can be resumed after a kill.
//!
//! Knows: threads of workers, the journal. Never: what a leaf is for (`collect`), terms and states (`walk`).

use crate::Failure;
use crate::collect::Collector;
use crate::frontend::{Layout, Plan};
use crate::progress::warn;
use crate::walk::{Account, LeafOptions, Receiver, Tail, work};
use effigy_engine::Meter;
use effigy_explore::Config;
use effigy_report::journal::Journal;
use effigy_report::leaf::{Leaf, LeafEnd};
use effigy_solver::SolverConfig;
use effigy_walk::{Crew, Listener, Progress, Start, WalkEvent, Worker, walk_together};
use std::time::Duration;

/// More workers start after this time: each builds the program and a solver again, which is not worth it for short walks.
const WORTH_IT: Duration = Duration::from_secs(1);

/// How many workers there are: as many as were asked for, at once; otherwise the processors, when it is worth it.
pub(crate) fn crew(jobs: Option<u16>, traced: bool) -> Crew {
    let asked = jobs.or_else(|| std::env::var("EFFIGY_JOBS").ok()?.parse().ok().filter(|it| *it > 0));
    let processors = || std::thread::available_parallelism().map_or(1, usize::from);
    let (workers, after) = match asked {
        Some(jobs) => (usize::from(jobs), Duration::ZERO),
        None => (processors(), WORTH_IT),
    };
    // A tree is recorded by one.
    Crew { workers: if traced { 1 } else { workers }, after, stack: crate::STACK }
}

/// What every worker needs to start.
pub(crate) struct WorkerSetup<'a, 't, P: Plan> {
    pub(crate) plan: &'a P,
    pub(crate) solver: &'t SolverConfig,
    pub(crate) config: &'t Config,
    pub(crate) telling: &'t LeafOptions<'t>,
}

impl<'a, P: Plan> WorkerSetup<'a, '_, P> {
    /// Walks the program from `start`; `language` is that of the first worker.
    pub(crate) fn together(
        &self,
        language: &P::Language<'a>,
        crew: Crew,
        start: Start,
        collector: &mut Collector,
        journal: Option<Journal>,
    ) -> Result<Account, Failure> {
        let WorkerSetup { plan, solver, config, telling } = *self;
        let meter = Meter::start(config.budget.clone());
        let first = |worker: &mut Worker<'_, Leaf, Result<Tail, Failure>>| {
            Ok(work(worker, language, solver, config, &meter, telling))
        };
        let other = |worker: &mut Worker<'_, Leaf, Result<Tail, Failure>>| {
            Ok(work(worker, &plan.language()?, solver, config, &meter, telling))
        };
        let mut listening = JournalingListener { collector, journal, layout: telling.layout, failure: None };
        let (exploration, tails) =
            walk_together(crew, start, &meter, first, &other, &mut listening).map_err(Failure::of)?;
        if let Some(journal) = &mut listening.journal {
            journal.time(meter.elapsed()).map_err(Failure::of)?;
        }
        if let Some(failure) = listening.failure {
            return Err(failure);
        }
        let tails: Vec<Tail> = tails.into_iter().collect::<Result<_, _>>()?;
        let workers = tails.len().max(1) as u32;
        let tail = tails.into_iter().reduce(Tail::merge).unwrap_or_default();
        Ok(Account { exploration, tail, workers })
    }
}

/// Collects what workers tell, and writes it down.
struct JournalingListener<'a> {
    collector: &'a mut Collector,
    journal: Option<Journal>,
    layout: Layout,
    /// Why the journal could not be written.
    failure: Option<Failure>,
}

impl JournalingListener<'_> {
    /// Writes an event down. What stands in its test is not told twice.
    fn note(&mut self, heard: &mut WalkEvent<Leaf>) {
        let Some(journal) = &mut self.journal else { return };
        match heard {
            WalkEvent::Ended(it) if self.layout == Layout::Counts && matches!(it.told.end, LeafEnd::Exit(_)) => {
                let output = std::mem::take(&mut it.told.output);
                let path_condition = std::mem::take(&mut it.told.path_condition);
                journal.note(heard);
                if let WalkEvent::Ended(it) = heard {
                    (it.told.output, it.told.path_condition) = (output, path_condition);
                }
            }
            _ => journal.note(heard),
        }
    }
}

impl Listener<Leaf> for JournalingListener<'_> {
    fn hear(&mut self, mut heard: WalkEvent<Leaf>) {
        // It is flushed when the test is there: what is killed in between is done again.
        self.note(&mut heard);
        match heard {
            WalkEvent::Ended(ended) => self.collector.leaf(ended.told),
            WalkEvent::Died { why, paths } => {
                let paths = if paths == 1 { "1 path is".to_owned() } else { format!("{paths} paths are") };
                warn(&format!("a worker has died ({why}); {paths} walked again"));
                self.collector.died();
            }
            WalkEvent::Forked { .. } | WalkEvent::Gone(_) | WalkEvent::Lost(..) | WalkEvent::Found(_) => {}
        }
    }

    fn pause(&mut self) {
        // A path without its test is not done.
        if self.collector.has_failed() {
            self.journal = None;
        }
        if let Some(journal) = &mut self.journal
            && let Err(error) = journal.flush()
        {
            self.failure = Some(Failure::of(error));
            self.journal = None;
        }
    }

    fn progress(&mut self, progress: &Progress) {
        self.collector.progress(progress);
    }
}

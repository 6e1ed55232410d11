//! A walk that is shared with other processes: paths that wait are items of a fleet's list, their ends its finds.
//!
//! Knows: that an item is some names of paths, that a worker explores what comes of them for a while, and gives back in
//! one step what has ended and what waits. Never: terms and states; how an item is kept.
//!
//! An item that was taken by two (its lease has run out) is explored twice, and each end counted once, by its name. So
//! nothing depends on how long a worker explores, nor on who does.

use super::fleet_results::{FleetResults, ItemAccount, gathered};
use crate::Failure;
use crate::STACK;
use crate::collect::Collector;
use crate::frontend::Plan;
use crate::progress::warn;
use crate::walk::{Account, Receiver, Tail, work};
use crate::workers::WorkerSetup;
use effigy_engine::{Job, Limit, Meter, PathId, PathName, Place};
use effigy_fleet::{Find, Fleet, FleetError, Item, ItemId, MOST_INPUT, MOST_TRIES, Report, Ticket};
use effigy_report::journal::{self, Lines};
use effigy_report::leaf::Leaf;
use effigy_report::plural::counted;
use effigy_walk::{Crew, Ending, Exploration, Listener, Progress, Start, WalkEvent, Worker, walk_together};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// An item is leased for so long, and longer while its worker lives.
const LEASE: Duration = Duration::from_secs(10);

/// A server that is away for so long has gone for good.
const PATIENCE: Duration = Duration::from_secs(60);

/// So long is waited for it where the session is over anyway.
const BRIEF_PATIENCE: Duration = Duration::from_secs(2);

/// What comes of an item is explored for so long before others are looked after: twice as long each time, since to come
/// to a path again costs, up to [`LONGEST`].
const SHORTEST: Duration = Duration::from_millis(250);

/// What was not given back after this time is lost with its worker.
const LONGEST: Duration = Duration::from_secs(8);

/// Bytes of ends that are given back at once; a report takes 64 MiB.
const MOST_TEXT: usize = 16 << 20;

/// Paths that wait are so many items, at most, of as many paths each: neighbours, which are come to by similar ways.
const MOST_BUNDLES: usize = 32;

/// The most items that one report carries.
const ITEMS: usize = 256;

/// Without work, and without an answer, it is asked again after this time.
const PAUSE: Duration = Duration::from_millis(200);

/// What all threads of this process share.
struct FleetRun<'s, 'a, 't, P: Plan> {
    work: &'s WorkerSetup<'a, 't, P>,
    meter: Meter,
    collector: Mutex<&'s mut Collector>,
    /// The limit of this session that was reached.
    stopped: Mutex<Option<Limit>>,
    /// Whoever fails ends the others.
    failed: AtomicBool,
    /// The whole program, as a report.
    root: Report,
    bugs: bool,
}

/// Explores a program together with whoever else takes part in the campaign, until nothing is left to do in it or a
/// limit of this session is reached. The account is of the whole campaign, as far as it has come.
pub(crate) fn shared<'a, P: Plan>(
    work: &WorkerSetup<'a, '_, P>,
    language: &P::Language<'a>,
    mut fleet: Box<dyn Fleet>,
    workers: usize,
    collector: &mut Collector,
) -> Result<Account, Failure> {
    let root = bundle(&[Job::root()])?;
    let first = ItemId::of(&root.input);
    let root = Report { items: vec![root], ..Report::default() };
    awaited(PATIENCE, || fleet.push(&root))?;
    let shared = FleetRun {
        work,
        meter: Meter::start(work.config.budget.clone()),
        collector: Mutex::new(collector),
        stopped: Mutex::new(None),
        failed: AtomicBool::new(false),
        root,
        bugs: work.config.budget.bugs.is_some(),
    };
    let tail = std::thread::scope(|scope| {
        let mut others = Vec::new();
        for _ in 1..workers {
            let fleet = awaited(PATIENCE, || fleet.another()).map_err(|it| shared.fails(it))?;
            let shared = &shared;
            let body = move || {
                let language = shared.work.plan.language()?;
                shared.hand(&language, fleet)
            };
            let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, body);
            others.push(thread.map_err(|error| shared.fails(Failure::of(error)))?);
        }
        let own = awaited(PATIENCE, || fleet.another()).map_err(|it| shared.fails(it))?;
        let mut tail = shared.hand(language, own);
        for other in others {
            let other = other.join().unwrap_or_else(|_| Err(Failure("a thread has died".to_owned())));
            tail = tail.and_then(|it| Ok(it.merge(other?)));
        }
        tail
    })?;
    let stopped = *shared.stopped.lock().unwrap_or_else(PoisonError::into_inner);
    let meter = shared.meter.clone();
    drop(shared);
    // Who has interrupted us does not wait long.
    let patience = if stopped == Some(Limit::Interrupt) { BRIEF_PATIENCE } else { PATIENCE };
    // What is not waiting now was told before.
    let status = awaited(patience, || fleet.status())?;
    let mut heard = FleetResults::default();
    awaited(patience, || heard.more(&mut *fleet))?;
    let is_over = status.waiting + status.leased == 0;
    let missing = if is_over { heard.missing(first).saturating_sub(status.given_up) } else { 0 };
    let mut exploration = gathered(heard, collector);
    if missing > 0 {
        let what = format!(
            "{} of the campaign on the fleet's server: its list of news is damaged, or was removed",
            counted(missing, "part")
        );
        exploration.count(&Ending::Undecided(what, Place::default()));
    }
    for _ in 0..status.given_up {
        let what = format!("paths on which {MOST_TRIES} workers of the fleet have come to no end");
        exploration.count(&Ending::Undecided(what, Place::default()));
    }
    if !is_over {
        left(&mut exploration, stopped.unwrap_or(Limit::Interrupt), status.waiting + status.leased);
    }
    exploration.time = meter.elapsed();
    Ok(Account { exploration, tail, workers: u32::try_from(workers).unwrap_or(1) })
}

/// What others still have, or nobody: of each item one path at least.
fn left(exploration: &mut Exploration, limit: Limit, items: u64) {
    exploration.stopped = Some(limit);
    *exploration.paths.cut.entry(limit).or_insert(0) += items;
}

impl<'a, P: Plan> FleetRun<'_, 'a, '_, P> {
    fn fails(&self, failure: Failure) -> Failure {
        self.failed.store(true, Ordering::Relaxed);
        failure
    }

    fn stops(&self, limit: Limit) {
        let mut stopped = self.stopped.lock().unwrap_or_else(PoisonError::into_inner);
        *stopped = stopped.or(Some(limit));
    }

    /// Whether this session is over.
    fn is_over(&self) -> bool {
        if let Some(limit) = self.meter.exceeded() {
            self.stops(limit);
        }
        let stopped = self.stopped.lock().unwrap_or_else(PoisonError::into_inner);
        stopped.is_some() || self.failed.load(Ordering::Relaxed)
    }

    /// One thread: takes items as long as there are some.
    fn hand(&self, language: &P::Language<'a>, mut fleet: Box<dyn Fleet>) -> Result<Tail, Failure> {
        let (mut tail, mut least, mut heard) = (Tail::default(), SHORTEST, FleetResults::default());
        while !self.is_over() {
            if self.bugs && patient(self, || heard.more(&mut *fleet))?.is_some() && heard.has_bug() {
                self.stops(Limit::Bugs);
                break;
            }
            let Some(leased) = patient(self, || fleet.lease(1, LEASE))? else { break };
            let Some(item) = leased.into_iter().next() else {
                let Some(status) = patient(self, || fleet.status())? else { break };
                if status.waiting + status.leased == 0 {
                    // A server that has forgotten all of it gets it again.
                    match patient(self, || fleet.push(&self.root))? {
                        Some(merged) if merged.items > 0 => continue,
                        _ => break,
                    }
                }
                std::thread::sleep(PAUSE);
                continue;
            };
            let Some(jobs) = jobs_of(&item.input) else {
                // Somebody else's: whoever reads the account is told that something was not walked.
                let mut lines = Lines::default();
                let what = "an item of the fleet that is no paths".to_owned();
                lines.note(&WalkEvent::Lost(PathId(0), Ending::Undecided(what, Place::default())));
                let report = Report { finds: pieces(&accounted(item.ticket.id, &[], &lines)?), ..Report::default() };
                patient(self, || fleet.finish(item.ticket, &report))?;
                continue;
            };
            let done = self.item(language, &mut *fleet, item.ticket, &jobs, &mut least);
            tail = tail.merge(done.map_err(|it| self.fails(it))?);
        }
        Ok(tail)
    }

    /// Explores the paths of an item, and gives back the ends and the paths that are pending.
    fn item(
        &self,
        language: &P::Language<'a>,
        fleet: &mut dyn Fleet,
        ticket: Ticket,
        jobs: &[Job],
        least: &mut Duration,
    ) -> Result<Tail, Failure> {
        loop {
            let (lines, tail) = self.walk(language, fleet, ticket, jobs, *least)?;
            *least = (*least * 2).min(LONGEST / 2);
            let waiting = journal::continued(jobs, lines.bytes()).map_err(Failure::of)?.start.jobs;
            let items = bundles(&waiting)?;
            if items.iter().any(|it| ItemId::of(&it.input) == ticket.id) {
                // It has not come to its next decision: given back, it would be taken for done.
                if self.is_over() {
                    return Ok(tail);
                }
                continue;
            }
            let told = accounted(ticket.id, &items, &lines)?;
            let mut calls: Vec<Report> =
                items.chunks(ITEMS).map(|it| Report { items: it.to_vec(), ..Report::default() }).collect();
            let mut last = calls.pop().unwrap_or_default();
            last.finds = pieces(&told);
            // Paths that wait are there before it is told that nobody has them any more.
            for call in calls {
                if insistent(self, || fleet.push(&call))?.is_none() {
                    return Ok(tail);
                }
            }
            insistent(self, || fleet.finish(ticket, &last))?;
            return Ok(tail);
        }
    }

    fn walk(
        &self,
        language: &P::Language<'a>,
        fleet: &mut dyn Fleet,
        ticket: Ticket,
        jobs: &[Job],
        least: Duration,
    ) -> Result<(Lines, Tail), Failure> {
        let WorkerSetup { solver, config, telling, .. } = *self.work;
        let enough = Arc::new(AtomicBool::new(false));
        let meter = self.meter.part(Arc::clone(&enough));
        let start = Start { jobs: jobs.to_vec(), next_id: jobs.len() as u64, ..Start::of_program() };
        let now = Instant::now();
        let mut listening = ItemListener {
            of: self,
            fleet,
            ticket,
            least,
            lines: Lines::default(),
            enough,
            began: now,
            renewed: now,
            asked: now,
        };
        let first = |worker: &mut Worker<'_, Leaf, Result<Tail, Failure>>| {
            Ok(work(worker, language, solver, config, &meter, telling))
        };
        // Who takes the place of a dead one begins anew.
        let other = |worker: &mut Worker<'_, Leaf, Result<Tail, Failure>>| {
            Ok(work(worker, &self.work.plan.language()?, solver, config, &meter, telling))
        };
        let crew = Crew { workers: 1, after: Duration::ZERO, stack: STACK };
        let (explored, tails) =
            walk_together(crew, start, &meter, first, &other, &mut listening).map_err(Failure::of)?;
        if let Some(limit) = explored.stopped.filter(|it| *it != Limit::Interrupt) {
            self.stops(limit);
        }
        let tails: Vec<Tail> = tails.into_iter().collect::<Result<_, _>>()?;
        Ok((listening.lines, tails.into_iter().reduce(Tail::merge).unwrap_or_default()))
    }
}

/// Writes down what is heard of an item, and looks after its lease and the others.
struct ItemListener<'l, 's, 'a, 't, P: Plan> {
    of: &'l FleetRun<'s, 'a, 't, P>,
    fleet: &'l mut dyn Fleet,
    ticket: Ticket,
    least: Duration,
    lines: Lines,
    enough: Arc<AtomicBool>,
    began: Instant,
    renewed: Instant,
    asked: Instant,
}

impl<P: Plan> Listener<Leaf> for ItemListener<'_, '_, '_, '_, P> {
    fn hear(&mut self, heard: WalkEvent<Leaf>) {
        if let WalkEvent::Died { why, .. } = &heard {
            warn(&format!("a worker has died ({why}); its paths are walked again"));
        }
        self.lines.note(&heard);
    }

    fn progress(&mut self, progress: &Progress) {
        if self.renewed.elapsed() >= LEASE / 4 {
            self.renewed = Instant::now();
            // A server that is away for a while may have forgotten the lease; then somebody else has the item, too.
            let _ = self.fleet.renew(&[self.ticket], LEASE);
        }
        let mut shown = progress.clone();
        let mut is_enough =
            self.of.is_over() || self.began.elapsed() >= LONGEST || self.lines.bytes().len() > MOST_TEXT;
        if self.asked.elapsed() >= PAUSE && self.began.elapsed() >= self.least {
            self.asked = Instant::now();
            is_enough |= self.fleet.status().is_ok_and(|it| it.waiting == 0);
        }
        if is_enough {
            self.enough.store(true, Ordering::Relaxed);
        }
        (shown.time, shown.paths) = (self.of.meter.elapsed(), self.of.meter.paths());
        if let Ok(mut collector) = self.of.collector.try_lock() {
            collector.progress(&shown);
        }
    }
}

/// Asks until there is an answer, or the server has been away for too long.
fn awaited<R>(patience: Duration, mut ask: impl FnMut() -> Result<R, FleetError>) -> Result<R, Failure> {
    let began = Instant::now();
    loop {
        match ask() {
            Err(FleetError::Unreachable(_)) if began.elapsed() < patience => std::thread::sleep(PAUSE),
            Err(error @ FleetError::Unreachable(_)) => return Err(away(&error, patience)),
            other => return other.map_err(Failure::of),
        }
    }
}

/// The server does not come back.
fn away(error: &FleetError, patience: Duration) -> Failure {
    Failure(format!(
        "{error}, for {} s now; what was given back is kept there: the same call with the same --fleet goes on",
        patience.as_secs()
    ))
}

/// As [`awaited`]; `None` where the session is over.
fn patient<'a, P: Plan, R>(
    of: &FleetRun<'_, 'a, '_, P>,
    mut ask: impl FnMut() -> Result<R, FleetError>,
) -> Result<Option<R>, Failure> {
    let began = Instant::now();
    loop {
        match ask() {
            Ok(it) => return Ok(Some(it)),
            Err(FleetError::Unreachable(_)) if of.is_over() => return Ok(None),
            Err(FleetError::Unreachable(_)) if began.elapsed() < PATIENCE => std::thread::sleep(PAUSE),
            Err(error @ FleetError::Unreachable(_)) => return Err(of.fails(away(&error, PATIENCE))),
            Err(error) => return Err(of.fails(Failure::of(error))),
        }
    }
}

/// As [`patient`], for what is lost if it is not told: some tries beyond the end of the session.
fn insistent<'a, P: Plan, R>(
    of: &FleetRun<'_, 'a, '_, P>,
    mut ask: impl FnMut() -> Result<R, FleetError>,
) -> Result<Option<R>, Failure> {
    for _ in 0..5 {
        if let Some(it) = patient(of, &mut ask)? {
            return Ok(Some(it));
        }
        std::thread::sleep(PAUSE);
    }
    Ok(None)
}

/// Paths as an item: their names, and how often they have forked.
fn bundle(jobs: &[Job]) -> Result<Item, Failure> {
    let names: Vec<(&PathName, u64)> = jobs.iter().map(|it| (&it.name, it.forks)).collect();
    let input = serde_json::to_vec(&names).map_err(Failure::of)?;
    // What is likely to have most behind it is taken first.
    let forks = jobs.iter().map(|it| it.forks).min().unwrap_or(0);
    let score = u32::MAX / 2 - u32::try_from(forks).unwrap_or(u32::MAX / 2).min(u32::MAX / 2);
    Ok(Item { input, note: Vec::new(), score, bits: Vec::new() })
}

/// The paths of an item; `None` where it is none.
fn jobs_of(input: &[u8]) -> Option<Vec<Job>> {
    let names: Vec<(PathName, u64)> = serde_json::from_slice(input).ok()?;
    let job = |(at, (name, forks))| Job::named(PathId(at as u64), name, forks);
    (!names.is_empty()).then(|| names.into_iter().enumerate().map(job).collect())
}

/// Pending paths as items, each of neighbouring paths.
fn bundles(waiting: &[Job]) -> Result<Vec<Item>, Failure> {
    let mut waiting = waiting.to_vec();
    waiting.sort_by(|a, b| effigy_report::leaf::in_tree_order(&a.name, &b.name));
    let mut res = Vec::new();
    let size = waiting.len().div_ceil(MOST_BUNDLES).max(1);
    let mut open: Vec<&[Job]> = waiting.chunks(size).rev().collect();
    while let Some(jobs) = open.pop() {
        let item = bundle(jobs)?;
        if item.input.len() <= MOST_INPUT {
            res.push(item);
        } else if jobs.len() > 1 {
            let (first, second) = jobs.split_at(jobs.len() / 2);
            open.extend([second, first]);
        } else {
            return Err(Failure(format!(
                "a path has forked so often ({}) that its name is too long for the fleet",
                jobs[0].forks
            )));
        }
    }
    Ok(res)
}

/// What came of an item: which it is, what was given back of it, and the lines.
fn accounted(item: ItemId, left: &[Item], lines: &Lines) -> Result<Vec<u8>, Failure> {
    let left = left.iter().map(|it| ItemId::of(&it.input).to_string()).collect();
    let mut res = serde_json::to_vec(&ItemAccount { item: item.to_string(), left }).map_err(Failure::of)?;
    res.push(b'\n');
    res.extend_from_slice(lines.bytes());
    Ok(res)
}

/// Lines as finds: the name of the whole, which piece, of how many.
fn pieces(lines: &[u8]) -> Vec<Find> {
    let whole = ItemId::of(lines);
    let count = lines.len().div_ceil(MOST_INPUT);
    let piece =
        |(at, it): (usize, &[u8])| Find { key: format!("{whole}.{at}.{count}").into_bytes(), input: it.to_vec() };
    lines.chunks(MOST_INPUT).enumerate().map(piece).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_travel() {
        let job = |name: &str, forks| Job::named(PathId(0), name.parse().expect("a name"), forks);
        let jobs: Vec<Job> = (0..100).map(|it| job(&format!("{:b}", it + 128), it)).collect();
        let items = bundles(&jobs).expect("items");
        assert!(items.len() <= MOST_BUNDLES);
        let mut arrived: Vec<(PathName, u64)> =
            items.iter().flat_map(|it| jobs_of(&it.input).expect("jobs")).map(|it| (it.name, it.forks)).collect();
        arrived.sort_by_key(|it| it.1);
        assert_eq!(arrived, jobs.into_iter().map(|it| (it.name, it.forks)).collect::<Vec<_>>());
    }

    #[test]
    fn what_is_no_item_is_none() {
        for text in ["", "[]", "{}", "[[\"?\",0]]", "[[\"0\",-1]]", "[[\"0\"]]", "null"] {
            assert!(jobs_of(text.as_bytes()).is_none(), "{text}");
        }
    }
}

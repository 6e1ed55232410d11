//! Takes in what the workers of a walk have to tell.
//!
//! Knows: which path waits where, so that what a worker had that dies is done again; the account of all.
//! Never: threads, states.
//!
//! Each worker puts what it has to tell into a box of its own, and takes a full one in by itself: nobody is woken for a
//! fork, and what is told is freed where it was made. What two workers tell is in order where one of them goes on with
//! what the other has given it.

use crate::account::{Ending, Exploration, Progress};
use crate::events::{Child, Listener, WalkEvent};
use crate::exchange::Start;
use crate::loop_detection::Endless;
use effigy_engine::{Decisions, Job, Limit, Meter, PathId, PathName, Place};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What a worker puts into its box.
pub(crate) enum Message<T> {
    Event(WalkEvent<T>),
    /// The path is to be taken by another worker.
    Given(PathId),
    /// The path is this worker's now.
    Taken(PathId),
    /// Which of this worker's paths has no end in sight.
    Turns(Option<Endless>),
}

/// Why a worker stopped early, and what it had before it.
#[derive(Clone, Debug)]
pub(crate) struct Stopped {
    pub(crate) limit: Limit,
    pub(crate) endless: Option<Endless>,
}

/// A box so full is taken in, if nobody else is at it.
const FULL: usize = 64;

/// A box so full has to be taken in.
const FULLEST: usize = 1024;

/// The boxes of a walk, and who takes them in.
pub(crate) struct Coordinator<'l, T> {
    boxes: Vec<Outbox<T>>,
    taking: Mutex<Inbox<'l, T>>,
}

/// What a worker has to tell, and which path it advances, for whoever finds it dead.
struct Outbox<T> {
    news: Mutex<Vec<Message<T>>>,
    running: AtomicU64,
}

/// Whoever has the lock of it takes in.
struct Inbox<'l, T> {
    watch: WalkState,
    listener: &'l mut (dyn Listener<T> + Send),
    /// An empty list whose memory is used again.
    read: Vec<Message<T>>,
}

impl<'l, T> Coordinator<'l, T> {
    pub(crate) fn new(workers: usize, start: Start, listener: &'l mut (dyn Listener<T> + Send)) -> Coordinator<'l, T> {
        let own = || Outbox { news: Mutex::default(), running: AtomicU64::new(u64::MAX) };
        let boxes = (0..workers).map(|_| own()).collect();
        Coordinator { boxes, taking: Mutex::new(Inbox { watch: WalkState::new(start), listener, read: Vec::new() }) }
    }

    /// A worker has something to tell.
    pub(crate) fn put(&self, worker: usize, news: Message<T>) {
        let mut own = lock(&self.boxes[worker].news);
        own.push(news);
        let count = own.len();
        drop(own);
        if count >= FULLEST {
            self.take_in(worker);
        } else if count >= FULL
            && let Ok(mut taking) = self.taking.try_lock()
        {
            taking.take_in(worker, &self.boxes[worker]);
        }
    }

    /// Takes in all that a worker has to tell.
    pub(crate) fn take_in(&self, worker: usize) {
        let own = &self.boxes[worker];
        match self.taking.lock() {
            Ok(mut taking) => taking.take_in(worker, own),
            // Who listened has died: nobody hears it.
            Err(_) => lock(&own.news).clear(),
        }
    }

    /// Whether who listens has died: the walk is over, and [`Coordinator::finish`] says so.
    pub(crate) fn is_broken(&self) -> bool {
        self.taking.is_poisoned()
    }

    /// A worker advances this path.
    pub(crate) fn runs(&self, worker: usize, path: PathId) {
        self.boxes[worker].running.store(path.0, Ordering::Relaxed);
    }

    /// A worker has died, and has told what it had to tell: what it had, to be done again.
    pub(crate) fn died(&self, worker: usize, why: String) -> Vec<Job> {
        let running = PathId(self.boxes[worker].running.load(Ordering::Relaxed));
        let Ok(mut taking) = self.taking.lock() else { return Vec::new() };
        let jobs = taking.watch.jobs_of(worker, running, &why);
        taking.listener.hear(WalkEvent::Died { why, paths: jobs.len() });
        jobs
    }

    /// A worker has finished, perhaps early.
    pub(crate) fn stops(&self, stopped: Option<Stopped>) {
        lock(&self.taking).watch.stops(stopped);
    }

    /// Shows where the walk stands.
    pub(crate) fn show(&self, meter: &Meter) {
        if let Ok(mut taking) = self.taking.lock() {
            let progress = taking.watch.progress(meter);
            taking.listener.progress(&progress);
        }
    }

    /// The account of all, when all have finished.
    pub(crate) fn finish(&self, meter: &Meter) -> Exploration {
        match self.taking.lock() {
            Ok(mut taking) => std::mem::take(&mut taking.watch).finish(meter),
            Err(_) => panic!("who listens to a walk has died; it has said why"),
        }
    }
}

/// Boxes are whole whatever happens: nothing that can fail is done while one is open.
fn lock<R>(mutex: &Mutex<R>) -> MutexGuard<'_, R> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<T> Inbox<'_, T> {
    fn take_in(&mut self, worker: usize, own: &Outbox<T>) {
        std::mem::swap(&mut self.read, &mut *lock(&own.news));
        if self.read.is_empty() {
            return;
        }
        for news in self.read.drain(..) {
            match news {
                Message::Event(heard) => {
                    if self.watch.note(worker, &heard) {
                        self.listener.hear(heard);
                    }
                }
                Message::Given(path) => self.watch.moves(path, NOBODY),
                Message::Taken(path) => self.watch.moves(path, worker),
                Message::Turns(most) => {
                    self.watch.turns.insert(worker, most);
                }
            }
        }
        self.listener.pause();
    }
}

/// The owner of what no worker has.
const NOBODY: usize = usize::MAX;

/// A path that waits: all that is needed to do it again.
#[derive(Debug)]
struct Waiting {
    name: Arc<Link>,
    forks: u64,
    worker: usize,
}

/// The name of a path by what it does not share with that of its parent: read only when a worker dies.
#[derive(Debug)]
struct Link {
    before: Option<Arc<Link>>,
    /// So many decisions are those of the parent.
    kept: usize,
    after: PathName,
}

impl Link {
    /// The whole name of the path.
    fn name(&self) -> PathName {
        let mut links = vec![self];
        while let Some(before) = links.last().and_then(|it| it.before.as_deref()) {
            links.push(before);
        }
        let mut res = Decisions::new();
        for link in links.into_iter().rev() {
            let kept = if link.kept == res.len() { res } else { res.first(link.kept) };
            res = kept;
            link.after.0.iter().for_each(|it| res.push(it.clone()));
        }
        PathName::from(&res)
    }
}

impl Drop for Link {
    /// Names are long: one link after the other.
    fn drop(&mut self) {
        let mut next = self.before.take();
        while let Some(mut link) = next.and_then(Arc::into_inner) {
            next = link.before.take();
        }
    }
}

/// Where each path is, and what was found.
#[derive(Default)]
struct WalkState {
    waiting: FxHashMap<PathId, Waiting>,
    beside: FxHashSet<PathName>,
    /// Paths on which a worker has died.
    died_on: FxHashSet<PathId>,
    /// Where a path of each worker has forked most.
    turns: BTreeMap<usize, Option<Endless>>,
    exploration: Exploration,
}

impl WalkState {
    fn new(start: Start) -> WalkState {
        let waiting = start.jobs.into_iter().map(|it| {
            let name = Arc::new(Link { before: None, kept: 0, after: it.name });
            (it.id, Waiting { name, forks: it.forks, worker: NOBODY })
        });
        WalkState {
            waiting: waiting.collect(),
            beside: start.beside,
            died_on: FxHashSet::default(),
            turns: BTreeMap::new(),
            exploration: start.exploration,
        }
    }

    /// Notes what is heard; false where it was heard before.
    fn note<T>(&mut self, worker: usize, heard: &WalkEvent<T>) -> bool {
        match heard {
            WalkEvent::Forked { parent, children } => {
                let before = self.waiting.remove(parent).map(|it| it.name);
                for Child { path, kept, after, forks } in children {
                    let name = Arc::new(Link { before: before.clone(), kept: *kept, after: after.clone() });
                    self.waiting.insert(*path, Waiting { name, forks: *forks, worker });
                }
            }
            WalkEvent::Ended(ended) => {
                self.waiting.remove(&ended.path);
                let known = ended.beside.as_ref().is_some_and(|it| !self.beside.insert(it.clone()));
                self.exploration.add(&ended.delta);
                if known {
                    return false;
                }
                self.exploration.count(&ended.ending);
            }
            WalkEvent::Gone(path) => drop(self.waiting.remove(path)),
            WalkEvent::Lost(path, ending) => {
                self.waiting.remove(path);
                self.exploration.count(ending);
            }
            WalkEvent::Found(delta) => self.exploration.add(delta),
            WalkEvent::Died { .. } => {}
        }
        true
    }

    fn moves(&mut self, path: PathId, worker: usize) {
        if let Some(waiting) = self.waiting.get_mut(&path) {
            waiting.worker = worker;
        }
    }

    /// What a dead worker had, to be done again; but for a path on which a worker has died before.
    fn jobs_of(&mut self, worker: usize, running: PathId, why: &str) -> Vec<Job> {
        if !self.died_on.insert(running) && self.waiting.remove(&running).is_some() {
            let what = format!("a path on which effigy itself fails ({why})");
            self.exploration.count(&Ending::Undecided(what, Place::default()));
        }
        let own = self.waiting.iter().filter(|it| it.1.worker == worker);
        let mut res: Vec<Job> = own.map(|(id, it)| Job::named(*id, it.name.name(), it.forks)).collect();
        res.sort_by_key(|it| it.id);
        res.iter().for_each(|it| self.moves(it.id, NOBODY));
        res
    }

    fn stops(&mut self, stopped: Option<Stopped>) {
        let Some(Stopped { limit, endless }) = stopped else { return };
        self.exploration.stopped = self.exploration.stopped.or(Some(limit));
        self.exploration.endless = self.exploration.endless.take().max(endless);
    }

    fn progress(&self, meter: &Meter) -> Progress {
        Progress {
            paths: meter.paths(),
            pending: self.waiting.len() as u64,
            bugs: self.exploration.bugs.len() as u64,
            sites: self.exploration.coverage.count() as u64,
            time: meter.elapsed(),
            solver: self.exploration.solver_time,
            endless: self.turns.values().flatten().max().cloned(),
        }
    }

    fn finish(mut self, meter: &Meter) -> Exploration {
        // Whatever the workers say: where a path waits, not every path was explored.
        if !self.waiting.is_empty() && self.exploration.stopped.is_none() {
            self.exploration.stopped = Some(meter.exceeded().unwrap_or(Limit::Interrupt));
        }
        // What was still to be explored is cut, each path by the limit that stopped the walk.
        if let Some(limit) = self.exploration.stopped
            && !self.waiting.is_empty()
        {
            *self.exploration.paths.cut.entry(limit).or_insert(0) += self.waiting.len() as u64;
        }
        self.exploration.time += meter.elapsed();
        self.exploration
    }
}

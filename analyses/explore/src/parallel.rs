//! Several workers, each with its own program, arena and solver; work moves between them as the names of paths.
//!
//! Knows: which path waits where, so that what a worker had that dies is done again; the account of all.
//! Never: states and terms, which do not leave their worker; what is told of an end.

use crate::exchange::{Exchange, Heard, Pool};
use crate::exploration::{Ending, Exploration, Progress};
use effigy_engine::{Decisions, Job, Limit, Meter, PathId, PathName, Place};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::{Duration, Instant};

/// How many workers there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Crew {
    /// At most so many.
    pub workers: usize,
    /// The others begin after this time, if the first is not done by then: building a program and a solver again must
    /// be worth it.
    pub after: Duration,
    /// The stack of each, in bytes.
    pub stack: usize,
}

/// Where a walk begins: at the start of the program, or where an earlier one was stopped.
#[derive(Clone, Debug)]
pub struct Start {
    /// The paths that wait.
    pub jobs: Vec<Job>,
    /// No path has this number, or a greater one.
    pub next_id: u64,
    /// What was found before.
    pub exploration: Exploration,
    /// The names of ends that were told before, and may be come to again.
    pub beside: FxHashSet<PathName>,
}

impl Start {
    /// The start of the program.
    pub fn of_program() -> Start {
        Start { jobs: vec![Job::root()], next_id: 1, exploration: Exploration::default(), beside: FxHashSet::default() }
    }
}

/// A worker's place in a crew.
pub struct Worker<'a, T, A> {
    pool: &'a Pool,
    number: usize,
    sender: SyncSender<(usize, Message<T, A>)>,
    /// The path that runs, for whoever finds the worker dead.
    running: Arc<AtomicU64>,
    stopped: Option<Stopped>,
}

/// Why a worker stopped early, and what it had before it.
#[derive(Clone, Debug)]
struct Stopped {
    limit: Limit,
    endless: Option<(Place, u32)>,
}

/// What a worker sends.
enum Message<T, A> {
    Heard(Heard<T>),
    /// The path is to be taken by another worker.
    Given(PathId),
    /// The path is this worker's now.
    Taken(PathId),
    Finished(A, Option<Stopped>),
    Died(String),
}

impl<T, A> Worker<'_, T, A> {
    /// That nobody listens any more is no error: the walk is over then.
    fn send(&self, message: Message<T, A>) {
        let _ = self.sender.send((self.number, message));
    }

    fn taken(&self, job: Option<Job>) -> Option<Job> {
        if let Some(job) = &job {
            self.send(Message::Taken(job.id));
        }
        job
    }

    /// No worker gets another job: a limit of the whole walk is reached.
    pub(crate) fn stop(&mut self, limit: Limit, endless: Option<(Place, u32)>) {
        self.stopped = Some(Stopped { limit, endless });
        self.pool.close();
    }
}

impl<T, A> Exchange<T> for Worker<'_, T, A> {
    fn next(&mut self) -> Option<Job> {
        let job = self.pool.next();
        self.taken(job)
    }

    fn another(&mut self) -> Option<Job> {
        let job = self.pool.another();
        self.taken(job)
    }

    fn fresh_id(&mut self) -> PathId {
        self.pool.fresh_id()
    }

    fn is_wanted(&self) -> bool {
        self.pool.is_wanted()
    }

    fn give(&mut self, job: Job) {
        self.send(Message::Given(job.id));
        self.pool.give(job);
    }

    fn is_heard(&self) -> bool {
        true
    }

    fn runs(&mut self, path: PathId) {
        self.running.store(path.0, Ordering::Relaxed);
    }

    fn tell(&mut self, heard: Heard<T>) {
        self.send(Message::Heard(heard));
    }
}

/// Lets a crew walk from `start`. `first` is the work of the first worker, in this thread; `work` that of every other in
/// a thread of its own. `hear` is told of it in yet another, and `progress` now and then. The account of all, and what
/// each worker has to say at its end.
///
/// # Errors
/// When a thread cannot be started.
pub fn together<T: Send, A: Send>(
    crew: Crew,
    start: Start,
    meter: &Meter,
    first: impl FnOnce(&mut Worker<'_, T, A>) -> A,
    work: &(dyn Fn(&mut Worker<'_, T, A>) -> A + Sync),
    listener: &mut (dyn Listener<T> + Send),
) -> std::io::Result<(Exploration, Vec<A>)> {
    let pool = Pool::new(start.jobs.clone(), start.next_id);
    let (sender, receiver) = sync_channel(1024);
    std::thread::scope(|scope| {
        let running: Vec<_> = (0..crew.workers.max(1)).map(|_| Arc::new(AtomicU64::new(u64::MAX))).collect();
        let own =
            Worker { pool: &pool, number: 0, sender: sender.clone(), running: Arc::clone(&running[0]), stopped: None };
        let pool = &pool;
        pool.join();
        let listening = move || {
            let mut watch = Watch::new(start, running);
            let begin = |number: usize, running: &Arc<AtomicU64>| -> std::io::Result<()> {
                let (sender, running) = (sender.clone(), Arc::clone(running));
                let worker = Worker { pool, number, sender, running, stopped: None };
                let body = move || worker.work(work);
                let begun = std::thread::Builder::new().stack_size(crew.stack).spawn_scoped(scope, body);
                // The others are not to wait for this one.
                begun.map(|_| ()).inspect_err(|_| pool.close())
            };
            let (mut begun, mut alive, mut deaths, began) = (1, 1, 0, Instant::now());
            let mut shown = Instant::now();
            while alive > 0 {
                if begun < crew.workers && began.elapsed() >= crew.after && pool.join() {
                    begin(begun, &watch.running[begun])?;
                    begun += 1;
                    alive += 1;
                }
                if shown.elapsed() >= SHOW {
                    shown = Instant::now();
                    listener.progress(&watch.progress(meter));
                }
                let Some((from, message)) = receive(&receiver) else { continue };
                match message {
                    Message::Heard(heard) => {
                        if watch.note(from, &heard) {
                            listener.hear(heard);
                        }
                    }
                    Message::Given(path) => watch.moves(path, NOBODY),
                    Message::Taken(path) => watch.moves(path, from),
                    Message::Finished(account, stopped) => {
                        watch.accounts.push(account);
                        watch.stops(stopped);
                        alive -= 1;
                    }
                    Message::Died(why) => {
                        let jobs = watch.jobs_of(from, &why);
                        listener.hear(Heard::Died { why, paths: jobs.len() });
                        pool.again(jobs);
                        deaths += 1;
                        if deaths <= MOST_DEATHS {
                            // Another in its place.
                            begin(from, &watch.running[from])?;
                        } else {
                            pool.leave();
                            alive -= 1;
                        }
                    }
                }
            }
            Ok(watch.finish(meter))
        };
        let builder = std::thread::Builder::new().stack_size(crew.stack);
        let listening = builder.spawn_scoped(scope, listening)?;
        own.work(first);
        match listening.join() {
            Ok(res) => res,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

impl<T, A> Worker<'_, T, A> {
    /// Works until there is nothing left; a panic is the end of this worker only.
    fn work(mut self, work: impl FnOnce(&mut Self) -> A) {
        let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| work(&mut self)));
        let message = match done {
            Ok(account) => {
                // Whoever could not begin is not waited for.
                self.pool.leave();
                Message::Finished(account, self.stopped.take())
            }
            Err(panic) => Message::Died(last_words(&*panic)),
        };
        self.send(message);
    }
}

/// Who listens to a crew.
pub trait Listener<T> {
    /// Something has happened.
    fn hear(&mut self, heard: Heard<T>);

    /// Called now and then.
    fn progress(&mut self, progress: &Progress) {
        let _ = progress;
    }
}

/// So many workers that die are replaced.
const MOST_DEATHS: usize = 100;

/// Progress is shown so often.
const SHOW: Duration = Duration::from_millis(100);

/// The owner of what no worker has.
const NOBODY: usize = usize::MAX;

/// A path that waits: all that is needed to do it again.
#[derive(Debug)]
struct Waiting {
    decisions: Decisions,
    forks: u64,
    worker: usize,
}

/// Where each path is, and what was found.
struct Watch<A> {
    waiting: FxHashMap<PathId, Waiting>,
    beside: FxHashSet<PathName>,
    /// Paths on which a worker has died.
    died_on: FxHashSet<PathId>,
    running: Vec<Arc<AtomicU64>>,
    exploration: Exploration,
    accounts: Vec<A>,
}

impl<A> Watch<A> {
    fn new(start: Start, running: Vec<Arc<AtomicU64>>) -> Watch<A> {
        let waiting = start.jobs.into_iter().map(|it| {
            let decisions = it.name.0.into_iter().collect();
            (it.id, Waiting { decisions, forks: it.forks, worker: NOBODY })
        });
        Watch {
            waiting: waiting.collect(),
            beside: start.beside,
            died_on: FxHashSet::default(),
            running,
            exploration: start.exploration,
            accounts: Vec::new(),
        }
    }

    /// Notes what is heard; false where it was heard before.
    fn note<T>(&mut self, worker: usize, heard: &Heard<T>) -> bool {
        match heard {
            Heard::Forked { parent, children } => {
                let before = self.waiting.remove(parent).map(|it| it.decisions).unwrap_or_default();
                for child in children {
                    self.waiting.insert(
                        child.path,
                        Waiting { decisions: child.decisions(&before), forks: child.forks, worker },
                    );
                }
            }
            Heard::Ended(ended) => {
                self.waiting.remove(&ended.path);
                let known = ended.beside.as_ref().is_some_and(|it| !self.beside.insert(it.clone()));
                self.exploration.add(&ended.delta);
                if known {
                    return false;
                }
                self.exploration.count(&ended.ending);
            }
            Heard::Gone(path) => drop(self.waiting.remove(path)),
            Heard::Lost(path, ending) => {
                self.waiting.remove(path);
                self.exploration.count(ending);
            }
            Heard::Found(delta) => self.exploration.add(delta),
            Heard::Died { .. } => {}
        }
        true
    }

    fn moves(&mut self, path: PathId, worker: usize) {
        if let Some(waiting) = self.waiting.get_mut(&path) {
            waiting.worker = worker;
        }
    }

    /// What a dead worker had, to be done again; but for a path on which a worker has died before.
    fn jobs_of(&mut self, worker: usize, why: &str) -> Vec<Job> {
        let running = PathId(self.running.get(worker).map_or(u64::MAX, |it| it.load(Ordering::Relaxed)));
        if !self.died_on.insert(running) && self.waiting.remove(&running).is_some() {
            let what = format!("a path on which effigy itself fails ({why})");
            self.exploration.count(&Ending::Undecided(what, Place::default()));
        }
        let own = self.waiting.iter().filter(|it| it.1.worker == worker);
        let mut res: Vec<Job> = own.map(|(id, it)| Job::named(*id, PathName::from(&it.decisions), it.forks)).collect();
        res.sort_by_key(|it| it.id);
        res.iter().for_each(|it| self.moves(it.id, NOBODY));
        res
    }

    fn stops(&mut self, stopped: Option<Stopped>) {
        let Some(Stopped { limit, endless }) = stopped else { return };
        self.exploration.stopped = self.exploration.stopped.or(Some(limit));
        let turns = |it: &Option<(Place, u32)>| it.as_ref().map_or(0, |it| it.1);
        if turns(&endless) > turns(&self.exploration.endless) {
            self.exploration.endless = endless;
        }
    }

    fn progress(&self, meter: &Meter) -> Progress {
        Progress {
            paths: meter.paths(),
            pending: self.waiting.len() as u64,
            bugs: self.exploration.bugs.len() as u64,
            sites: self.exploration.coverage.count() as u64,
            time: meter.elapsed(),
            solver: self.exploration.solver_time,
        }
    }

    fn finish(mut self, meter: &Meter) -> (Exploration, Vec<A>) {
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
        (self.exploration, self.accounts)
    }
}

/// The next message, if one comes soon.
fn receive<M>(receiver: &Receiver<M>) -> Option<M> {
    receiver.recv_timeout(SHOW).ok()
}

/// What a panic said.
fn last_words(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("it did not say why").to_owned()
}

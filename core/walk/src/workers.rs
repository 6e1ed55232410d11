//! Several workers, each with its own program, arena and solver; work moves between them as the names of paths.
//!
//! Knows: when a worker begins, dies and is replaced. Never: states and terms, which do not leave their worker; what is
//! told of an end.

use crate::account::Exploration;
use crate::coordinator::{Coordinator, Message, Stopped};
use crate::events::{Listener, WalkEvent};
use crate::exchange::{Exchange, Start};
use crate::job_pool::JobPool;
use crate::loop_detection::Endless;
use effigy_engine::{Job, Limit, Meter, PathId};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

/// How many workers there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Crew {
    /// The number of workers, at most.
    pub workers: usize,
    /// The others begin after this time, if the first is not done by then: building a program and a solver again must
    /// be worth it.
    pub after: Duration,
    /// The stack of each, in bytes.
    pub stack: usize,
}

/// A worker's place in a crew.
pub struct Worker<'a, T, A> {
    pool: &'a JobPool,
    coordinator: &'a Coordinator<'a, T>,
    number: usize,
    sender: Sender<(usize, Farewell<A>)>,
    stopped: Option<Stopped>,
}

/// What a worker says at its end.
enum Farewell<A> {
    Finished(A, Option<Stopped>),
    Died(String),
}

impl<T, A> Worker<'_, T, A> {
    fn taken(&self, job: Option<Job>) -> Option<Job> {
        if let Some(job) = &job {
            self.coordinator.put(self.number, Message::Taken(job.id));
        }
        job
    }

    /// No worker gets another job: a limit of the whole walk is reached.
    pub fn stop(&mut self, limit: Limit, endless: Option<Endless>) {
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

    fn give(&mut self, jobs: Vec<Job>) {
        jobs.iter().for_each(|it| self.coordinator.put(self.number, Message::Given(it.id)));
        // Whoever takes them tells of paths that have to be known by then.
        self.coordinator.take_in(self.number);
        self.pool.give(jobs);
    }

    fn is_heard(&self) -> bool {
        true
    }

    fn runs(&mut self, path: PathId) {
        self.coordinator.runs(self.number, path);
    }

    fn turns(&mut self, most: Option<Endless>) {
        self.coordinator.put(self.number, Message::Turns(most));
    }

    fn tell(&mut self, event: WalkEvent<T>) {
        self.coordinator.put(self.number, Message::Event(event));
    }
}

/// Lets a crew walk from `start`. `first` is the work of the first worker, in this thread; `work` that of every other in
/// a thread of its own. `listener` is told of it by whoever has something to tell, one after the other. The account of
/// all, and what each worker has to say at its end.
///
/// # Errors
/// When a thread cannot be started.
pub fn walk_together<T: Send, A: Send>(
    crew: Crew,
    start: Start,
    meter: &Meter,
    first: impl FnOnce(&mut Worker<'_, T, A>) -> A,
    work: &(dyn Fn(&mut Worker<'_, T, A>) -> A + Sync),
    listener: &mut (dyn Listener<T> + Send),
) -> std::io::Result<(Exploration, Vec<A>)> {
    let pool = JobPool::new(start.jobs.clone(), start.next_id);
    let coordinator = Coordinator::new(crew.workers.max(1), start, listener);
    let (sender, receiver) = channel();
    let accounts: std::io::Result<Vec<A>> = std::thread::scope(|scope| {
        let own = Worker { pool: &pool, coordinator: &coordinator, number: 0, sender: sender.clone(), stopped: None };
        let (pool, coordinator) = (&pool, &coordinator);
        pool.join();
        let watching = move || {
            let begin = |number: usize| -> std::io::Result<()> {
                let worker = Worker { pool, coordinator, number, sender: sender.clone(), stopped: None };
                let body = move || worker.work(work);
                let begun = std::thread::Builder::new().stack_size(crew.stack).spawn_scoped(scope, body);
                // The others are not to wait for this one.
                begun.map(|_| ()).inspect_err(|_| pool.close())
            };
            let mut accounts = Vec::new();
            let (mut begun, mut alive, mut deaths, began) = (1, 1, 0, Instant::now());
            let mut shown = Instant::now();
            while alive > 0 {
                if begun < crew.workers && began.elapsed() >= crew.after && pool.join() {
                    begin(begun)?;
                    begun += 1;
                    alive += 1;
                }
                // A worker may be long about its next question.
                (0..begun).for_each(|it| coordinator.take_in(it));
                if shown.elapsed() >= SHOW {
                    shown = Instant::now();
                    coordinator.show(meter);
                }
                let Some((from, message)) = receive(&receiver) else { continue };
                match message {
                    Farewell::Finished(account, stopped) => {
                        accounts.push(account);
                        coordinator.stops(stopped);
                        alive -= 1;
                    }
                    Farewell::Died(why) => {
                        let jobs = coordinator.died(from, why);
                        pool.again(jobs);
                        deaths += 1;
                        if deaths <= MOST_DEATHS && !coordinator.is_broken() {
                            // Another in its place.
                            begin(from)?;
                        } else {
                            pool.leave();
                            alive -= 1;
                        }
                    }
                }
            }
            Ok(accounts)
        };
        let builder = std::thread::Builder::new().stack_size(crew.stack);
        let watching = builder.spawn_scoped(scope, watching)?;
        own.work(first);
        match watching.join() {
            Ok(res) => res,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    });
    let accounts = accounts?;
    Ok((coordinator.finish(meter), accounts))
}

impl<T, A> Worker<'_, T, A> {
    /// Works until there is nothing left; a panic is the end of this worker only.
    fn work(mut self, work: impl FnOnce(&mut Self) -> A) {
        let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| work(&mut self)));
        self.coordinator.take_in(self.number);
        let message = match done {
            Ok(account) => {
                // Whoever could not begin is not waited for.
                self.pool.leave();
                Farewell::Finished(account, self.stopped.take())
            }
            Err(panic) => Farewell::Died(last_words(&*panic)),
        };
        // That nobody watches any more is no error: the walk is over then.
        let _ = self.sender.send((self.number, message));
    }
}

/// So many workers that die are replaced.
const MOST_DEATHS: usize = 100;

/// Progress is shown so often.
const SHOW: Duration = Duration::from_millis(100);

/// What a worker has to tell is taken in at the latest after this time.
const LATEST: Duration = Duration::from_millis(50);

/// The next message, if one comes soon.
fn receive<M>(receiver: &Receiver<M>) -> Option<M> {
    receiver.recv_timeout(LATEST).ok()
}

/// The message of a panic, for people.
fn last_words(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("it did not say why").to_owned()
}

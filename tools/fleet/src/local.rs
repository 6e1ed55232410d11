//! The work list of one process: several threads, no server.
//!
//! Knows: the rules of `redis/fleet.lua`, in Rust; which is held to them by the same tests. It is as durable as whoever
//! pushes: `effigy fuzz` has each input in its folder before it is pushed, and pushes all of them again when it goes on.

use crate::item::{Item, ItemId, LeasedItem, Report, Ticket};
use crate::{Bits, Cursor, Find, FinishResult, Fleet, FleetError, FleetStatus, MOST_BITS, MOST_TRIES, NewCounts, News};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Milliseconds since some beginning, the same for all workers.
pub type Clock = Arc<dyn Fn() -> u64 + Send + Sync>;

/// The work list of one process. A clone is the same list.
#[derive(Clone)]
pub struct LocalFleet {
    list: Arc<Mutex<List>>,
    clock: Clock,
}

/// What is to be done, as long as it is not done.
struct Work {
    score: u64,
    leases: u32,
    input: Arc<[u8]>,
    note: Vec<u8>,
}

#[derive(Default)]
struct List {
    todo: BTreeSet<(u64, ItemId)>,
    /// Deadlines, by item and by time.
    leased: BTreeMap<ItemId, u64>,
    deadlines: BTreeSet<(u64, ItemId)>,
    work: BTreeMap<ItemId, Work>,
    given_up: BTreeSet<ItemId>,
    seen: BTreeSet<ItemId>,
    covered: Bits,
    found: BTreeSet<Vec<u8>>,
    news: Vec<News>,
    done: u64,
    expired: u64,
}

impl Default for LocalFleet {
    fn default() -> LocalFleet {
        let start = Instant::now();
        LocalFleet::with_clock(Arc::new(move || u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX)))
    }
}

impl LocalFleet {
    /// A list whose leases are of another time: a simulated one.
    pub fn with_clock(clock: Clock) -> LocalFleet {
        LocalFleet { list: Arc::default(), clock }
    }

    fn list(&self) -> MutexGuard<'_, List> {
        // A step that panicked has changed nothing that the next one relies on.
        self.list.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl List {
    fn take(&mut self, report: &Report) -> NewCounts {
        let mut res = NewCounts::default();
        for item in &report.items {
            let id = ItemId::of(&item.input);
            let brought = self.covered.merge(&item.bits);
            res.bits += brought;
            if brought > 0 {
                self.news.push(News::Covered(Item { score: 0, ..item.clone() }));
            }
            if self.seen.insert(id) {
                res.items += 1;
                let score = u64::from(item.score) + brought;
                let input = item.input.clone().into();
                self.work.insert(id, Work { score, leases: 0, input, note: item.note.clone() });
                self.todo.insert((score, id));
            }
        }
        res.bits += self.covered.merge(&report.bits);
        for find in &report.finds {
            if self.found.insert(find.key.clone()) {
                res.finds += 1;
                self.news.push(News::Found(Find { key: find.key.clone(), input: find.input.clone() }));
            }
        }
        res
    }

    /// What is late is given to others.
    fn reclaim(&mut self, now: u64) {
        while let Some((_, id)) = self.deadlines.first().copied().filter(|it| it.0 <= now) {
            self.free(id);
            self.expired += 1;
            let Some(work) = self.work.get(&id) else { continue };
            if work.leases >= MOST_TRIES {
                self.given_up.insert(id);
            } else {
                self.todo.insert((work.score, id));
            }
        }
    }

    fn hold(&mut self, id: ItemId, deadline: u64) {
        self.free(id);
        self.leased.insert(id, deadline);
        self.deadlines.insert((deadline, id));
    }

    fn free(&mut self, id: ItemId) {
        if let Some(deadline) = self.leased.remove(&id) {
            self.deadlines.remove(&(deadline, id));
        }
    }

    fn is_held(&self, ticket: &Ticket) -> bool {
        self.leased.contains_key(&ticket.id) && self.work.get(&ticket.id).is_some_and(|it| it.leases == ticket.lease)
    }
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

impl Fleet for LocalFleet {
    fn push(&mut self, report: &Report) -> Result<NewCounts, FleetError> {
        report.check(MOST_BITS)?;
        Ok(self.list().take(report))
    }

    fn lease(&mut self, most: usize, time: Duration) -> Result<Vec<LeasedItem>, FleetError> {
        let now = (self.clock)();
        let mut list = self.list();
        list.reclaim(now);
        let mut res = Vec::new();
        while res.len() < most
            && let Some((_, id)) = list.todo.pop_last()
        {
            let Some(work) = list.work.get_mut(&id) else { continue };
            work.leases += 1;
            let ticket = Ticket { id, lease: work.leases };
            res.push(LeasedItem { ticket, input: work.input.to_vec(), note: work.note.clone() });
            list.hold(id, now.saturating_add(milliseconds(time)));
        }
        Ok(res)
    }

    fn renew(&mut self, held: &[Ticket], time: Duration) -> Result<Vec<bool>, FleetError> {
        let deadline = (self.clock)().saturating_add(milliseconds(time));
        let mut list = self.list();
        let renewed = held.iter().map(|it| {
            let is_held = list.is_held(it);
            if is_held {
                list.hold(it.id, deadline);
            }
            is_held
        });
        Ok(renewed.collect())
    }

    fn cover(&mut self, bits: &[u32]) -> Result<u64, FleetError> {
        Report { bits: bits.to_vec(), ..Report::default() }.check(MOST_BITS)?;
        Ok(self.list().covered.merge(bits))
    }

    fn finish(&mut self, ticket: Ticket, report: &Report) -> Result<FinishResult, FleetError> {
        report.check(MOST_BITS)?;
        let mut list = self.list();
        let merged = list.take(report);
        let held = list.is_held(&ticket);
        if let Some(work) = list.work.remove(&ticket.id) {
            list.free(ticket.id);
            list.todo.remove(&(work.score, ticket.id));
            list.given_up.remove(&ticket.id);
            list.done += 1;
        }
        Ok(FinishResult { held, merged })
    }

    fn news(&mut self, since: &Cursor, most: usize) -> Result<(Vec<News>, Cursor), FleetError> {
        let since = usize::try_from(since.0.first().copied().unwrap_or(0)).unwrap_or(usize::MAX);
        let list = self.list();
        let news: Vec<News> = list.news.iter().skip(since).take(most).cloned().collect();
        let next = since + news.len();
        Ok((news, Cursor(vec![next as u64])))
    }

    fn status(&mut self) -> Result<FleetStatus, FleetError> {
        let list = self.list();
        Ok(FleetStatus {
            waiting: list.todo.len() as u64,
            leased: list.leased.len() as u64,
            done: list.done,
            given_up: list.given_up.len() as u64,
            expired: list.expired,
            covered: list.covered.count(),
            finds: list.found.len() as u64,
        })
    }

    fn another(&self) -> Result<Box<dyn Fleet>, FleetError> {
        Ok(Box::new(self.clone()))
    }
}

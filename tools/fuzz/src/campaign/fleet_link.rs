//! What the campaign shares with others, as it sees it: what is covered, what it has told them and what not yet.
//!
//! Knows: the fleet's calls, that a server may be away for a while: then what is to be told waits, and after that all is
//! told again. Never: the folder, the loops.

use effigy_fleet::{
    Bits, Cursor, Find, Fleet, FleetError, FleetStatus, Item, MOST_FINDS, MOST_ITEMS, News, Report, Ticket,
};
use std::time::{Duration, Instant};

/// For so long an item is ours; a symbolic run takes less.
pub(crate) const LEASE: Duration = Duration::from_secs(60);

/// Leases are made longer so often.
const RENEW: Duration = Duration::from_secs(15);

/// News are read so often.
const LISTEN: Duration = Duration::from_millis(500);

/// A server that is away is asked again after this.
const AGAIN: Duration = Duration::from_secs(2);

/// The most bytes that one report may have.
const MOST_BYTES: usize = 4 << 20;

/// The campaign's connection to the fleet.
pub(super) struct FleetLink {
    fleet: Box<dyn Fleet>,
    /// Others work on it, too.
    others: bool,
    /// What is known to be covered, and the edges of it.
    covered: Bits,
    edges: Bits,
    /// What the fleet was not told yet.
    untold: Vec<Item>,
    finds: Vec<Find>,
    done: Vec<(Ticket, Vec<Item>)>,
    /// What our symbolic halves hold.
    held: Vec<Ticket>,
    renewed: Instant,
    listened: Instant,
    cursor: Cursor,
    away: Option<Instant>,
    losses: u64,
    status: FleetStatus,
}

/// What the fleet has said.
#[derive(Default)]
pub(super) struct FleetNews {
    pub(super) news: Vec<News>,
    /// It may have forgotten what it was told: all is to be told again.
    pub(super) tell_again: bool,
}

impl FleetLink {
    pub(super) fn new(fleet: Box<dyn Fleet>, others: bool) -> FleetLink {
        let losses = fleet.losses();
        let now = Instant::now();
        FleetLink {
            fleet,
            others,
            covered: Bits::default(),
            edges: Bits::default(),
            untold: Vec::new(),
            finds: Vec::new(),
            done: Vec::new(),
            held: Vec::new(),
            renewed: now,
            listened: now.checked_sub(LISTEN).unwrap_or(now),
            cursor: Cursor::default(),
            away: None,
            losses,
            status: FleetStatus::default(),
        }
    }

    /// Marks as covered; whether something of it was not.
    pub(super) fn cover(&mut self, bits: &[u32]) -> bool {
        bits.iter().for_each(|it| {
            self.edges.set(it / 8);
        });
        self.covered.merge(bits) > 0
    }

    /// Edges and classes that are covered.
    pub(super) fn covered(&self) -> (u64, u64) {
        (self.edges.count(), self.covered.count())
    }

    /// An input brought something: it waits for a symbolic run, of whoever comes first.
    pub(super) fn tell(&mut self, item: Item) {
        self.untold.push(item);
    }

    pub(super) fn tell_find(&mut self, find: Find) {
        self.finds.push(find);
    }

    /// A symbolic half has taken an item.
    pub(super) fn took(&mut self, ticket: Ticket) {
        self.held.push(ticket);
    }

    /// All that came of an item was run.
    pub(super) fn done(&mut self, ticket: Ticket, children: Vec<Item>) {
        self.done.push((ticket, children));
    }

    pub(super) fn status(&self) -> FleetStatus {
        self.status
    }

    /// What is still to be told.
    pub(super) fn untold(&self) -> usize {
        self.untold.len() + self.finds.len() + self.done.len()
    }

    /// Tells what is to be told and hears what others have. A server that is away is waited for; one that refuses us is
    /// an error.
    pub(super) fn exchange(&mut self) -> Result<FleetNews, FleetError> {
        let mut heard = FleetNews::default();
        if self.away.is_some_and(|it| it.elapsed() < AGAIN) {
            return Ok(heard);
        }
        match self.try_exchange(&mut heard) {
            Ok(()) => self.away = None,
            Err(error @ FleetError::AnotherBuild(_)) => return Err(error),
            // Also what a server without memory says, or one that somebody has written nonsense into.
            Err(_) => self.away = Some(Instant::now()),
        }
        if self.losses != self.fleet.losses() && self.away.is_none() {
            self.losses = self.fleet.losses();
            heard.tell_again = true;
        }
        Ok(heard)
    }

    fn try_exchange(&mut self, heard: &mut FleetNews) -> Result<(), FleetError> {
        // Nothing is forgotten before it was taken.
        while !self.untold.is_empty() || !self.finds.is_empty() {
            let (items, finds) = (some(&self.untold), self.finds.len().min(MOST_FINDS));
            let report = Report { items: items.to_vec(), bits: Vec::new(), finds: self.finds[..finds].to_vec() };
            let items = items.len();
            self.fleet.push(&report)?;
            self.untold.drain(..items);
            self.finds.drain(..finds);
        }
        while let Some((ticket, children)) = self.done.first() {
            let some = some(children);
            // With more children than one report has, the others are told before.
            if some.len() < children.len() {
                let report = Report { items: some.to_vec(), ..Report::default() };
                let count = some.len();
                self.fleet.push(&report)?;
                self.done[0].1.drain(..count);
                continue;
            }
            let ticket = *ticket;
            self.fleet.finish(ticket, &Report { items: some.to_vec(), ..Report::default() })?;
            self.held.retain(|it| *it != ticket);
            self.done.remove(0);
        }
        if self.renewed.elapsed() >= RENEW {
            self.renew(LEASE)?;
            self.renewed = Instant::now();
        }
        if self.listened.elapsed() >= LISTEN {
            self.listened = Instant::now();
            self.status = self.fleet.status()?;
            while self.others {
                let (news, next) = self.fleet.news(&self.cursor, 64)?;
                if next == self.cursor {
                    break;
                }
                self.cursor = next;
                heard.news.extend(news);
            }
        }
        Ok(())
    }

    fn renew(&mut self, time: Duration) -> Result<(), FleetError> {
        let held = self.fleet.renew(&self.held, time)?;
        let mut held = held.into_iter();
        self.held.retain(|_| held.next().unwrap_or(false));
        Ok(())
    }

    /// Ends the connection: sends what is left to send, and gives back leased items.
    pub(super) fn leave(&mut self) {
        self.away = None;
        // The folder has all of it, and the leases run out by themselves.
        let _ = self.exchange();
        let _ = self.renew(Duration::ZERO);
        if let Ok(status) = self.fleet.status() {
            self.status = status;
        }
    }
}

/// As many as one report may have.
fn some(items: &[Item]) -> &[Item] {
    let mut bytes = 0;
    let fits = |it: &&Item| {
        bytes += it.input.len() + 4 * it.bits.len();
        bytes <= MOST_BYTES
    };
    let count = items.iter().take(MOST_ITEMS).take_while(fits).count();
    &items[..count.max(1).min(items.len())]
}

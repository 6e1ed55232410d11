//! A campaign on paper: thousands of workers over the real work list, in simulated time.
//!
//! Knows: what a call costs the server (measured by `bench/fleet --speed`), that a server does one call at a time, that
//! workers die. The list is [`LocalFleet`], whose rules are the server's; of a campaign on several servers [`SplitFleet`].
//! Never: what an item is; the program that is fuzzed is a tree of items.

use crate::{Clock, Fleet, FleetError, Item, LocalFleet, Report, SplitFleet};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// What is simulated. Times are in microseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SimulationConfig {
    /// The number of workers at any time.
    pub workers: u32,
    /// The number of servers that share the items.
    pub servers: u32,
    /// Items of the whole campaign.
    pub items: u32,
    /// Items that an item leads to, as long as there are some.
    pub children: u32,
    /// Items that a worker leases at once, at most.
    pub batch: u32,
    /// An item takes between none and twice this time.
    pub item: u64,
    /// A call costs the server this, and this for each item of it.
    pub call: u64,
    /// Of an item in a call.
    pub call_item: u64,
    /// To the server and back.
    pub network: u64,
    /// A worker dies after an item with a chance of one in this number; 0 is never. Another takes its place.
    pub deaths: u64,
    /// How long a lease lasts before another worker may take the item.
    pub lease: u64,
    /// Of all that is random.
    pub seed: u64,
}

/// What a simulated campaign did, and how long it took.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Account {
    /// The number of items that are done.
    pub done: u64,
    /// Items that were worked on, some more than once.
    pub worked: u64,
    /// The number of leases that ran out.
    pub expired: u64,
    /// Items that were given up.
    pub given_up: u64,
    /// The number of workers that died.
    pub deaths: u64,
    /// The simulated time in seconds.
    pub seconds: f64,
    /// The share of the time in which the busiest server was busy.
    pub busy: f64,
    /// The share of the time in which workers worked.
    pub working: f64,
    /// What a call waited for, in milliseconds: in the middle, and of a hundred the longest but one.
    pub median: f64,
    /// Of a hundred waits of a call the longest but one, in milliseconds.
    pub long: f64,
}

/// What a worker does next.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Next {
    Lease,
    Finish,
}

/// A server: until when it is busy, and how long it was.
#[derive(Clone, Copy, Default)]
struct Server {
    until: u64,
    busy: u64,
}

/// Simulates a campaign until nothing is left.
///
/// # Errors
/// Never; the list could.
pub fn simulate(what: &SimulationConfig) -> Result<Account, FleetError> {
    let now = Arc::new(AtomicU64::new(0));
    let clock: Clock = {
        let now = Arc::clone(&now);
        Arc::new(move || now.load(Ordering::Relaxed) / 1000)
    };
    let lists: Vec<LocalFleet> = (0..what.servers.max(1)).map(|_| LocalFleet::with_clock(Arc::clone(&clock))).collect();
    let parts = || lists.iter().map(|it| Box::new(it.clone()) as Box<dyn Fleet>).collect::<Vec<_>>();
    let mut fleet = SplitFleet::new(parts(), what.seed)?;
    fleet.push(&Report { items: vec![item(0)], ..Report::default() })?;
    let mut servers = vec![Server::default(); lists.len()];
    let mut random = what.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut holds: Vec<Vec<crate::LeasedItem>> = vec![Vec::new(); what.workers as usize];
    // All come within the first second.
    let mut events: BinaryHeap<Reverse<(u64, u32, Next)>> =
        (0..what.workers).map(|it| Reverse((next(&mut random) % 1_000_000, it, Next::Lease))).collect();
    let (mut res, mut worked_time, mut waits, mut end) = (Account::default(), 0u64, Vec::new(), 0);
    let lease = Duration::from_micros(what.lease);
    while let Some(Reverse((at, worker, does))) = events.pop() {
        now.store(at, Ordering::Relaxed);
        let hold = &mut holds[worker as usize];
        // Where it asks is drawn anew; what the call costs is known when it was made.
        let server = usize::try_from(next(&mut random)).unwrap_or(0) % servers.len();
        let (items, again) = match does {
            Next::Lease => {
                let leased = fleet.lease(what.batch as usize, lease)?;
                let count = leased.len() as u64;
                *hold = leased;
                (count, if count == 0 { None } else { Some(Next::Finish) })
            }
            Next::Finish => {
                let Some(done) = hold.pop() else { continue };
                res.worked += 1;
                let children = children(&done.input, what);
                let report = Report { items: children, ..Report::default() };
                let count = 1 + report.items.len() as u64;
                fleet.finish(done.ticket, &report)?;
                end = at;
                (count, Some(if hold.is_empty() { Next::Lease } else { Next::Finish }))
            }
        };
        let cost = what.call + what.call_item * items;
        let it = &mut servers[server];
        let begin = it.until.max(at + what.network / 2);
        it.until = begin + cost;
        it.busy += cost;
        let answered = it.until + what.network / 2;
        waits.push(answered - at);
        match again {
            Some(Next::Finish) => {
                let time = next(&mut random) % (2 * what.item.max(1));
                worked_time += time;
                let dies = what.deaths > 0 && next(&mut random).is_multiple_of(what.deaths);
                if dies {
                    // What it holds comes back when its leases have run out; another worker comes after a second.
                    hold.clear();
                    res.deaths += 1;
                    events.push(Reverse((answered + 1_000_000, worker, Next::Lease)));
                } else {
                    events.push(Reverse((answered + time, worker, Next::Finish)));
                }
            }
            Some(Next::Lease) => events.push(Reverse((answered, worker, Next::Lease))),
            // Nothing waits: it asks again, as long as somebody has something.
            None => {
                let status = fleet.status()?;
                if status.waiting + status.leased > 0 {
                    events.push(Reverse((answered + 200_000, worker, Next::Lease)));
                }
            }
        }
    }
    let status = fleet.status()?;
    waits.sort_unstable();
    let wait = |of_a_hundred: usize| waits.get(waits.len() * of_a_hundred / 100).map_or(0.0, |it| *it as f64 / 1000.0);
    let busy = servers.iter().map(|it| it.busy).max().unwrap_or(0);
    res.done = status.done;
    res.expired = status.expired;
    res.given_up = status.given_up;
    res.seconds = end as f64 / 1e6;
    res.busy = busy as f64 / end.max(1) as f64;
    res.working = worked_time as f64 / (end.max(1) as f64 * f64::from(what.workers));
    (res.median, res.long) = (wait(50), wait(99));
    Ok(res)
}

fn item(number: u32) -> Item {
    Item { input: number.to_le_bytes().to_vec(), note: Vec::new(), score: number % 64, bits: Vec::new() }
}

fn children(input: &[u8], what: &SimulationConfig) -> Vec<Item> {
    let number = input.iter().rev().fold(0u64, |sum, it| sum << 8 | u64::from(*it));
    let first = number * u64::from(what.children) + 1;
    let all = first..first + u64::from(what.children);
    all.filter(|it| *it < u64::from(what.items)).filter_map(|it| u32::try_from(it).ok()).map(item).collect()
}

/// The next number of a xorshift64 generator.
fn next(random: &mut u64) -> u64 {
    *random ^= *random << 13;
    *random ^= *random >> 7;
    *random ^= *random << 17;
    *random >> 11
}

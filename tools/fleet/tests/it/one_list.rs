//! One property for every implementation: random calls of several workers, of which some die, against a simple model.
//!
//! Every item is done, none is lost, coverage never shrinks, nothing is done twice unless its lease ran out. No time is
//! waited for: a lease is for an hour or for no time at all, and a worker that has died has its leases cut to nothing.

use crate::common::Server;
use effigy_fleet::{
    Cursor, Find, Fleet, Item, ItemId, LeasedItem, LocalFleet, MOST_TRIES, NewCounts, News, Report, SplitFleet, Ticket,
};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

const WORKERS: usize = 3;
const HOUR: Duration = Duration::from_secs(3600);

/// What a worker does.
#[derive(Clone, Debug)]
enum Act {
    Push(Vec<Born>, Vec<u32>, Vec<u8>),
    Lease(usize),
    /// The n-th that it holds, with what came of it.
    Finish(usize, Vec<Born>, Vec<u32>),
    /// One that it once held.
    FinishLate(usize),
    Renew,
    /// It is gone, and its leases run out.
    Die,
    Cover(Vec<u32>),
}

/// A new item: name, score, what it covers.
#[derive(Clone, Debug)]
struct Born(u8, u32, Vec<u32>);

fn born() -> impl Strategy<Value = Born> {
    (0..40u8, 0..5u32, proptest::collection::vec(0..60u32, 0..4)).prop_map(|it| Born(it.0, it.1, it.2))
}

fn act() -> impl Strategy<Value = Act> {
    let all_born = || proptest::collection::vec(born(), 0..4);
    let bits = || proptest::collection::vec(0..60u32, 0..4);
    prop_oneof![
        3 => (all_born(), bits(), proptest::collection::vec(0..5u8, 0..2)).prop_map(|it| Act::Push(it.0, it.1, it.2)),
        4 => (0..5usize).prop_map(Act::Lease),
        4 => (0..5usize, all_born(), bits()).prop_map(|it| Act::Finish(it.0, it.1, it.2)),
        1 => (0..9usize).prop_map(Act::FinishLate),
        1 => Just(Act::Renew),
        1 => Just(Act::Die),
        1 => bits().prop_map(Act::Cover),
    ]
}

fn input(name: u8) -> Vec<u8> {
    vec![name; 1 + usize::from(name % 3)]
}

fn item(born: &Born) -> Item {
    Item { input: input(born.0), note: vec![born.0], score: born.1, bits: born.2.clone() }
}

fn report(all: &[Born], bits: &[u32], finds: &[u8]) -> Report {
    let find = |it: &u8| Find { key: vec![*it], input: vec![*it, *it] };
    Report { items: all.iter().map(item).collect(), bits: bits.to_vec(), finds: finds.iter().map(find).collect() }
}

/// What must be so.
#[derive(Default)]
struct Model {
    /// Score and leases of what is not done.
    work: BTreeMap<ItemId, (u64, u32)>,
    waiting: BTreeSet<(u64, ItemId)>,
    held: BTreeSet<ItemId>,
    given_up: BTreeSet<ItemId>,
    seen: BTreeSet<ItemId>,
    covered: BTreeSet<u32>,
    found: BTreeSet<Vec<u8>>,
    done: u64,
    /// Inputs that have covered something.
    corpus: Vec<Vec<u8>>,
}

impl Model {
    fn take(&mut self, report: &Report) -> NewCounts {
        let mut res = NewCounts::default();
        for item in &report.items {
            let brought = item.bits.iter().filter(|it| self.covered.insert(**it)).count() as u64;
            res.bits += brought;
            if brought > 0 {
                self.corpus.push(item.input.clone());
            }
            let id = ItemId::of(&item.input);
            if self.seen.insert(id) {
                res.items += 1;
                let score = u64::from(item.score) + brought;
                self.work.insert(id, (score, 0));
                self.waiting.insert((score, id));
            }
        }
        res.bits += report.bits.iter().filter(|it| self.covered.insert(**it)).count() as u64;
        res.finds += report.finds.iter().filter(|it| self.found.insert(it.key.clone())).count() as u64;
        res
    }

    fn lease(&mut self, most: usize) -> Vec<Ticket> {
        let mut res = Vec::new();
        while res.len() < most
            && let Some((_, id)) = self.waiting.pop_last()
        {
            let leases = &mut self.work.get_mut(&id).unwrap().1;
            *leases += 1;
            self.held.insert(id);
            res.push(Ticket { id, lease: *leases });
        }
        res
    }

    fn is_held(&self, ticket: Ticket) -> bool {
        self.held.contains(&ticket.id) && self.work.get(&ticket.id).is_some_and(|it| it.1 == ticket.lease)
    }

    /// Its lease has run out.
    fn expire(&mut self, id: ItemId) {
        self.held.remove(&id);
        let (score, leases) = self.work[&id];
        if leases >= MOST_TRIES {
            self.given_up.insert(id)
        } else {
            self.waiting.insert((score, id))
        };
    }

    fn finish(&mut self, ticket: Ticket) -> bool {
        let held = self.is_held(ticket);
        if let Some((score, _)) = self.work.remove(&ticket.id) {
            self.waiting.remove(&(score, ticket.id));
            self.held.remove(&ticket.id);
            self.given_up.remove(&ticket.id);
            self.done += 1;
        }
        held
    }
}

/// Runs the calls; `exact` compares what one list gives in which order.
fn check(workers: &mut [Box<dyn Fleet>], acts: &[(usize, Act)], exact: bool) {
    let mut model = Model::default();
    let mut holds: Vec<Vec<Ticket>> = vec![Vec::new(); WORKERS];
    let mut once: Vec<Ticket> = Vec::new();
    let mut executed: BTreeMap<ItemId, u32> = BTreeMap::new();
    let mut ran_out: BTreeMap<ItemId, u32> = BTreeMap::new();
    let mut covered = 0;
    for (worker, act) in acts {
        let fleet = &mut workers[*worker];
        match act {
            Act::Push(all, bits, finds) => {
                let report = report(all, bits, finds);
                let (told, expected) = (fleet.push(&report).unwrap(), model.take(&report));
                same(told, expected, exact);
            }
            Act::Cover(bits) => {
                let told = fleet.cover(bits).unwrap();
                let expected = model.take(&report(&[], bits, &[])).bits;
                assert!(told == expected || !exact && told >= expected, "{told} {expected}");
            }
            Act::Lease(most) => {
                let leased = fleet.lease(*most, HOUR).unwrap();
                let tickets: Vec<Ticket> = leased.iter().map(|it| it.ticket).collect();
                if exact {
                    assert_eq!(tickets, model.lease(*most));
                } else {
                    assert!(tickets.len() <= *most && (*most == 0 || tickets.is_empty() == model.waiting.is_empty()));
                    for it in &tickets {
                        let score = model.work[&it.id].0;
                        assert!(model.waiting.remove(&(score, it.id)), "given, and not waiting: {it:?}");
                        model.work.get_mut(&it.id).unwrap().1 += 1;
                        assert_eq!(model.work[&it.id].1, it.lease);
                        model.held.insert(it.id);
                    }
                }
                for LeasedItem { ticket, input, note } in leased {
                    assert_eq!((ItemId::of(&input), &note[..]), (ticket.id, &input[..1]));
                    holds[*worker].push(ticket);
                }
                once.extend(tickets);
            }
            Act::Finish(at, all, bits) => {
                if holds[*worker].is_empty() {
                    continue;
                }
                let at = at % holds[*worker].len();
                let ticket = holds[*worker].remove(at);
                *executed.entry(ticket.id).or_default() += 1;
                let report = report(all, bits, &[]);
                let told = fleet.finish(ticket, &report).unwrap();
                let expected = model.take(&report);
                same(told.merged, expected, exact);
                assert_eq!(told.held, model.finish(ticket));
            }
            Act::FinishLate(at) => {
                if let Some(ticket) = once.get(*at).copied() {
                    let told = fleet.finish(ticket, &Report::default()).unwrap();
                    assert_eq!(told.held, model.finish(ticket));
                }
            }
            Act::Renew => {
                let told = fleet.renew(&holds[*worker], HOUR).unwrap();
                let expected: Vec<bool> = holds[*worker].iter().map(|it| model.is_held(*it)).collect();
                assert_eq!(told, expected);
            }
            Act::Die => {
                let lost = std::mem::take(&mut holds[*worker]);
                let told = fleet.renew(&lost, Duration::ZERO).unwrap();
                for (ticket, was_held) in lost.into_iter().zip(told) {
                    assert_eq!(was_held, model.is_held(ticket));
                    if was_held {
                        *ran_out.entry(ticket.id).or_default() += 1;
                        model.expire(ticket.id);
                    }
                }
                // Whoever asks next sees it; with nothing asked for, nothing is taken.
                assert_eq!(fleet.lease(0, HOUR).unwrap(), []);
                // Its place is taken by another one.
                *fleet = fleet.another().unwrap();
            }
        }
        let status = fleet.status().unwrap();
        assert!(status.covered >= covered, "coverage has shrunk: {status:?}");
        covered = status.covered;
        let counts = (status.waiting, status.leased, status.done, status.given_up, status.finds);
        let expected = (model.waiting.len(), model.held.len(), model.done, model.given_up.len(), model.found.len());
        assert_eq!(counts, (expected.0 as u64, expected.1 as u64, expected.2, expected.3 as u64, expected.4 as u64));
        assert!(covered == model.covered.len() as u64 || !exact && covered >= model.covered.len() as u64);
    }
    // Whoever is left does what is left.
    for hold in &mut holds {
        for ticket in hold.drain(..) {
            *executed.entry(ticket.id).or_default() += 1;
            assert_eq!(workers[0].finish(ticket, &Report::default()).unwrap().held, model.finish(ticket));
        }
    }
    // What was held by nobody's hands any more (finished late by another) is not held.
    loop {
        let leased = workers[1].lease(7, HOUR).unwrap();
        if leased.is_empty() {
            break;
        }
        for it in leased {
            *executed.entry(it.ticket.id).or_default() += 1;
            assert!(workers[1].finish(it.ticket, &Report::default()).unwrap().held);
        }
    }
    let status = workers[2].status().unwrap();
    assert_eq!((status.waiting, status.leased), (0, 0));
    assert_eq!(status.done + status.given_up, model.seen.len() as u64, "an item is lost: {status:?}");
    for (id, times) in &executed {
        let ran_out = ran_out.get(id).copied().unwrap_or(0);
        assert!(*times <= 1 + ran_out, "{id} was done {times} times, and its lease ran out {ran_out} times");
    }
    let mut told: Vec<Vec<u8>> = Vec::new();
    let mut at = Cursor::default();
    loop {
        let (news, next) = workers[0].news(&at, 3).unwrap();
        if news.is_empty() {
            break;
        }
        at = next;
        told.extend(news.into_iter().filter_map(|it| if let News::Covered(it) = it { Some(it.input) } else { None }));
    }
    if exact {
        assert_eq!(told, model.corpus);
    } else {
        assert!(model.corpus.iter().all(|it| told.contains(it)));
    }
}

/// On several servers what two workers found at the same time is new twice.
fn same(told: NewCounts, expected: NewCounts, exact: bool) {
    let equal = (told.items, told.finds) == (expected.items, expected.finds);
    assert!(equal && (told.bits == expected.bits || !exact && told.bits >= expected.bits), "{told:?} {expected:?}");
}

fn acts() -> impl Strategy<Value = Vec<(usize, Act)>> {
    proptest::collection::vec((0..WORKERS, act()), 1..80)
}

fn split(parts: usize) -> Vec<Box<dyn Fleet>> {
    let lists: Vec<LocalFleet> = (0..parts).map(|_| LocalFleet::default()).collect();
    let one = |seed| {
        let parts = lists.iter().map(|it| Box::new(it.clone()) as Box<dyn Fleet>).collect();
        Box::new(SplitFleet::new(parts, seed).unwrap()) as Box<dyn Fleet>
    };
    (0..WORKERS as u64).map(one).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn the_list_of_one_process(acts in acts()) {
        let list = LocalFleet::default();
        let mut workers: Vec<Box<dyn Fleet>> = (0..WORKERS).map(|_| Box::new(list.clone()) as Box<dyn Fleet>).collect();
        check(&mut workers, &acts, true);
    }

    #[test]
    fn the_list_on_several_servers(acts in acts(), parts in 1..5usize) {
        check(&mut split(parts), &acts, false);
    }
}

#[test]
fn the_list_on_redis() {
    let Some(server) = Server::start(&[]) else { return };
    let case = std::sync::atomic::AtomicU32::new(0);
    let config = ProptestConfig { cases: 60, ..ProptestConfig::default() };
    proptest!(config, |(acts in acts())| {
        let name = format!("case-{}", case.fetch_add(1, std::sync::atomic::Ordering::Relaxed));
        let mut workers: Vec<Box<dyn Fleet>> =
            (0..WORKERS).map(|_| Box::new(server.join(&name)) as Box<dyn Fleet>).collect();
        check(&mut workers, &acts, true);
    });
}

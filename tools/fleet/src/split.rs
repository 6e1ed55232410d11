//! One campaign on several servers, for more workers than one server carries.
//!
//! Knows: which server an item is on (its name says it), where work is asked for (the longer list of two), in which order
//! servers are told, so that a worker that dies between two of them loses nothing. Never: how one server works.
//!
//! Each server has the coverage that was told to it. What a worker knows to be covered it does not tell again, so the same
//! bit is on two servers only where two workers found it at the same time; such an input is done twice, never lost.

use crate::{
    Bits, Cursor, FinishResult, Fleet, FleetError, FleetStatus, Item, ItemId, LeasedItem, NewCounts, News, Report,
    Ticket,
};
use std::time::Duration;

/// A campaign on several servers, as one.
pub struct SplitFleet {
    parts: Vec<Box<dyn Fleet>>,
    /// What is known to be covered, on whichever server.
    covered: Bits,
    random: u64,
}

impl SplitFleet {
    /// Of the parts, in an order that is the same for all workers; `seed` is not.
    ///
    /// # Errors
    /// When there are none.
    pub fn new(parts: Vec<Box<dyn Fleet>>, seed: u64) -> Result<SplitFleet, FleetError> {
        if parts.is_empty() {
            return Err(FleetError::Address("a fleet without a server".to_owned()));
        }
        let random = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        Ok(SplitFleet { parts, covered: Bits::default(), random })
    }

    fn part_of(&self, id: ItemId) -> usize {
        usize::from(u16::from_le_bytes([id.0[0], id.0[1]])) % self.parts.len()
    }

    /// A random number below `bound`, by xorshift64.
    fn below(&mut self, bound: usize) -> usize {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        usize::try_from(self.random >> 33).unwrap_or(0) % bound
    }

    /// A report for each part, without what is known.
    fn reports(&mut self, report: &Report) -> Vec<Report> {
        let mut res = vec![Report::default(); self.parts.len()];
        // Set only when they were told: what fails is told again.
        let news = |bits: &[u32]| bits.iter().copied().filter(|it| !self.covered.has(*it)).collect::<Vec<u32>>();
        for item in &report.items {
            let part = self.part_of(ItemId::of(&item.input));
            res[part].items.push(Item { bits: news(&item.bits), ..item.clone() });
        }
        for bit in news(&report.bits) {
            res[bit as usize % self.parts.len()].bits.push(bit);
        }
        for find in &report.finds {
            res[self.part_of(ItemId::of(&find.key))].finds.push(find.clone());
        }
        res
    }

    fn told(&mut self, report: &Report) {
        let bits = report.items.iter().map(|it| &it.bits).chain([&report.bits]);
        bits.for_each(|it| {
            self.covered.merge(it);
        });
    }
}

impl Fleet for SplitFleet {
    fn push(&mut self, report: &Report) -> Result<NewCounts, FleetError> {
        let mut res = NewCounts::default();
        for (at, part) in self.reports(report).iter().enumerate() {
            if *part != Report::default() {
                let merged = self.parts[at].push(part)?;
                res.items += merged.items;
                res.bits += merged.bits;
                res.finds += merged.finds;
                self.told(part);
            }
        }
        Ok(res)
    }

    fn lease(&mut self, most: usize, time: Duration) -> Result<Vec<LeasedItem>, FleetError> {
        let count = self.parts.len();
        let (one, other) = (self.below(count), self.below(count));
        // The longer of two random lists: no list stays long, and nobody has to know all of them.
        let first = match one == other {
            true => one,
            false => {
                let waits = |it: FleetStatus| it.waiting;
                let (a, b) = (waits(self.parts[one].status()?), waits(self.parts[other].status()?));
                if a >= b { one } else { other }
            }
        };
        let mut res = Vec::new();
        for at in 0..count {
            res.extend(self.parts[(first + at) % count].lease(most, time)?);
            // With nothing asked for, all see what is late.
            if !res.is_empty() {
                break;
            }
        }
        Ok(res)
    }

    fn renew(&mut self, held: &[Ticket], time: Duration) -> Result<Vec<bool>, FleetError> {
        let mut res = vec![false; held.len()];
        for part in 0..self.parts.len() {
            let its: Vec<usize> = (0..held.len()).filter(|it| self.part_of(held[*it].id) == part).collect();
            let tickets: Vec<Ticket> = its.iter().map(|it| held[*it]).collect();
            let answers = self.parts[part].renew(&tickets, time)?;
            its.into_iter().zip(answers).for_each(|(at, is_held)| res[at] = is_held);
        }
        Ok(res)
    }

    fn cover(&mut self, bits: &[u32]) -> Result<u64, FleetError> {
        Ok(self.push(&Report { bits: bits.to_vec(), ..Report::default() })?.bits)
    }

    fn finish(&mut self, ticket: Ticket, report: &Report) -> Result<FinishResult, FleetError> {
        let own = self.part_of(ticket.id);
        let mut parts = self.reports(report);
        let last = std::mem::take(&mut parts[own]);
        let mut merged = NewCounts::default();
        // The children on other servers first: who dies here leaves a parent that is done again.
        for (at, part) in parts.iter().enumerate().filter(|it| *it.1 != Report::default()) {
            let its = self.parts[at].push(part)?;
            merged.items += its.items;
            merged.bits += its.bits;
            merged.finds += its.finds;
            self.told(part);
        }
        let mut res = self.parts[own].finish(ticket, &last)?;
        self.told(&last);
        res.merged.items += merged.items;
        res.merged.bits += merged.bits;
        res.merged.finds += merged.finds;
        Ok(res)
    }

    fn news(&mut self, since: &Cursor, most: usize) -> Result<(Vec<News>, Cursor), FleetError> {
        let (mut res, mut next) = (Vec::new(), Cursor::default());
        for at in 0..self.parts.len() {
            let from = Cursor(vec![since.0.get(at).copied().unwrap_or(0)]);
            let (news, to) = self.parts[at].news(&from, most)?;
            for it in &news {
                if let News::Covered(item) = it {
                    self.covered.merge(&item.bits);
                }
            }
            res.extend(news);
            next.0.push(to.0.first().copied().unwrap_or(0));
        }
        Ok((res, next))
    }

    fn status(&mut self) -> Result<FleetStatus, FleetError> {
        let mut res = FleetStatus::default();
        for part in &mut self.parts {
            let its = part.status()?;
            res.waiting += its.waiting;
            res.leased += its.leased;
            res.done += its.done;
            res.given_up += its.given_up;
            res.expired += its.expired;
            // Counted twice where two workers have found the same at the same time.
            res.covered += its.covered;
            res.finds += its.finds;
        }
        Ok(res)
    }

    fn another(&self) -> Result<Box<dyn Fleet>, FleetError> {
        let parts = self.parts.iter().map(|it| it.another()).collect::<Result<Vec<_>, _>>()?;
        let covered = self.covered.clone();
        Ok(Box::new(SplitFleet { parts, covered, random: self.random.wrapping_mul(0x2545_f491_4f6c_dd1d) | 1 }))
    }

    fn losses(&self) -> u64 {
        self.parts.iter().map(|it| it.losses()).sum()
    }
}

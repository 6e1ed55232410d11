//! The accesses to memory that a later access of another thread may race with.
//!
//! Knows: the last access of each thread to each range of bytes. Never: which accesses are bugs.

use super::clock::VectorClock;
use crate::memory::ObjectId;
use crate::memory::spot::{Access, Offset};
use effigy_engine::{Place, ThreadId};
use rpds::RedBlackTreeMap;
use std::rc::Rc;

/// Bytes that are looked up together.
const CELL: usize = 8;

/// An access to more bytes, or at a symbolic offset, is looked up with every access to its object.
const MOST_CELLS: usize = 8;

/// The cell of accesses that are not looked up by their offset.
const WIDE: u64 = u64::MAX;

/// An access to memory.
#[derive(Clone, Debug)]
pub struct AccessRecord {
    /// The thread that made it.
    pub thread: ThreadId,
    /// The epoch of that thread.
    pub epoch: u32,
    /// Where it starts in its object.
    pub(crate) offset: Offset,
    /// How many bytes it touches.
    pub size: u64,
    /// Whether it reads or writes.
    pub(crate) access: Access,
    /// Whether it is atomic, or inside of a lock's own function.
    pub atomic: bool,
    /// The calls in progress, the innermost first.
    pub stack: Rc<[Place]>,
}

impl AccessRecord {
    /// Whether the two form a data race, if they touch the same bytes.
    fn conflicts(&self, later: &AccessRecord, clock: &VectorClock) -> bool {
        self.thread != later.thread
            && (self.access == Access::Write || later.access == Access::Write)
            && !(self.atomic && later.atomic)
            && self.epoch > clock.of(self.thread)
    }

    /// Whether they may touch the same bytes.
    fn may_overlap(&self, other: &AccessRecord) -> bool {
        match (self.offset, other.offset) {
            (Offset::Known(a), Offset::Known(b)) => {
                (a as u64) < (b as u64).saturating_add(other.size) && (b as u64) < (a as u64).saturating_add(self.size)
            }
            _ => true,
        }
    }

    /// Whether `later` makes it superfluous: what races with it races with `later`.
    fn is_replaced_by(&self, later: &AccessRecord) -> bool {
        let same_place = match (self.offset, later.offset) {
            (Offset::Known(a), Offset::Known(b)) => a == b,
            (Offset::Symbolic(a), Offset::Symbolic(b)) => a == b,
            _ => false,
        };
        same_place
            && self.thread == later.thread
            && self.size == later.size
            && self.access == later.access
            && self.atomic == later.atomic
    }

    fn cells(&self) -> Vec<u64> {
        match self.offset {
            Offset::Known(offset) => {
                let last = offset.saturating_add(self.size.max(1) as usize - 1) / CELL;
                let first = offset / CELL;
                if last - first < MOST_CELLS { (first as u64..=last as u64).collect() } else { vec![WIDE] }
            }
            Offset::Symbolic(_) => vec![WIDE],
        }
    }
}

/// What was accessed since there is more than one thread.
#[derive(Clone, Debug, Default)]
pub struct AccessHistory {
    cells: RedBlackTreeMap<(ObjectId, u64), Rc<Vec<AccessRecord>>>,
}

impl AccessHistory {
    /// The accesses that `later`, by a thread that knows what `clock` says, may race with.
    pub fn racing(&self, object: ObjectId, later: &AccessRecord, clock: &VectorClock) -> Vec<AccessRecord> {
        let mut res = Vec::new();
        let mut look = |cell: &Rc<Vec<AccessRecord>>| {
            res.extend(cell.iter().filter(|it| it.conflicts(later, clock) && it.may_overlap(later)).cloned());
        };
        let cells = later.cells();
        if cells == [WIDE] {
            self.cells.range((object, 0)..=(object, WIDE)).for_each(|it| look(it.1));
        } else {
            cells.iter().chain(&[WIDE]).filter_map(|it| self.cells.get(&(object, *it))).for_each(look);
        }
        res
    }

    /// Keeps an access.
    pub fn add(&mut self, object: ObjectId, record: &AccessRecord) {
        for cell in record.cells() {
            let key = (object, cell);
            let mut known = self.cells.get(&key).cloned().unwrap_or_default();
            let list = Rc::make_mut(&mut known);
            match list.iter_mut().find(|it| it.is_replaced_by(record)) {
                Some(old) => *old = record.clone(),
                None => list.push(record.clone()),
            }
            self.cells.insert_mut(key, known);
        }
    }
}

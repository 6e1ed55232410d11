//! Data races: two accesses of two threads to the same bytes, of which one writes, one is not atomic, and neither happens
//! before the other.
//!
//! Knows: when an access is recorded, and compared with those before. Never: which thread moves (`scheduling`).
//! Source: C17 5.1.2.4.

use super::access::{Access, Offset, Spot};
use crate::checks::DATA_RACE;
use crate::code::Opnd;
use crate::ir::attributes::Ordering;
use crate::machine::{Flow, Machine};
use crate::memory::{ObjectId, ObjectKind, Size};
use crate::threads::history::AccessRecord;
use crate::threads::{ATOMIC, ThreadTable, VisibleAction};
use crate::value::Val;
use effigy_engine::Place;
use effigy_term::Width;
use std::rc::Rc;

/// So many calls of an access are told.
const MOST_CALLS: usize = 8;

impl Machine<'_, '_> {
    /// The current thread touches `size` bytes: no other may do so at the same time.
    pub(super) fn touches(&mut self, spot: Spot, size: u64, access: Access) -> Flow<()> {
        if !self.state.threads.are_several() || size == 0 {
            return Ok(());
        }
        let kind = self.state.memory.get(spot.object).map(|it| it.kind);
        if matches!(kind, None | Some(ObjectKind::Constant | ObjectKind::Function)) {
            return Ok(());
        }
        let threads = Rc::clone(&self.state.threads);
        let Some(thread) = threads.running() else { return Ok(()) };
        let record = AccessRecord {
            thread: threads.current,
            epoch: thread.clock.of(threads.current),
            offset: spot.offset,
            size,
            access,
            atomic: self.is_atomic || threads.in_atomic || threads.in_block,
            stack: self.calls_of_access(),
        };
        for earlier in threads.history.racing(spot.object, &record, &thread.clock) {
            let message = self.race_message(spot.object, &earlier, &record);
            let apart = self.lie_apart(&earlier, &record);
            self.require(apart, DATA_RACE, || message)?;
        }
        self.threads_mut().history.add(spot.object, &record);
        Ok(())
    }

    /// The life of an object ends: that is as if all of it were written.
    pub(crate) fn ends_life(&mut self, id: ObjectId) -> Flow<()> {
        if !self.state.threads.are_several() {
            return Ok(());
        }
        let Some(size) = self.state.memory.get(id).map(|it| it.size) else { return Ok(()) };
        let size = match size {
            Size::Known(size) => size,
            Size::Symbolic { most, .. } => most,
        };
        self.touches(Spot { object: id, offset: Offset::Known(0) }, size, Access::Write)
    }

    fn calls_of_access(&self) -> Rc<[Place]> {
        self.program.stack(self.state).into_iter().take(MOST_CALLS).collect()
    }

    fn lie_apart(&self, a: &AccessRecord, b: &AccessRecord) -> effigy_term::Term {
        let terms = self.ctx.terms;
        let number = |it: Offset| match it {
            Offset::Known(offset) => terms.bv_u64(Width::W64, offset as u64),
            Offset::Symbolic(term) => term,
        };
        let ends = |it: &AccessRecord| terms.bv_add(number(it.offset), terms.bv_u64(Width::W64, it.size));
        // Both are in bounds, so that no sum wraps around.
        terms.or(terms.bv_ule(ends(a), number(b.offset)), terms.bv_ule(ends(b), number(a.offset)))
    }

    fn race_message(&self, id: ObjectId, earlier: &AccessRecord, later: &AccessRecord) -> String {
        let verb = |it: &AccessRecord| match (it.access, it.atomic) {
            (Access::Read, false) => "reads",
            (Access::Write, false) => "writes",
            (Access::Read, true) => "atomically reads",
            (Access::Write, true) => "atomically writes",
        };
        let place = earlier.stack.first().cloned().unwrap_or_default();
        let calls: Vec<String> =
            earlier.stack.iter().skip(1).map(|it| format!("{} at line {}", it.function, it.line)).collect();
        let called = if calls.is_empty() { String::new() } else { format!(", called from {}", calls.join(", ")) };
        format!(
            "{} {} {}, which {} {} at line {} (in {}{called}), and nothing orders the two",
            ThreadTable::name(later.thread),
            verb(later),
            self.name_at(id.base()),
            ThreadTable::name(earlier.thread),
            verb(earlier),
            place.line,
            place.function,
        )
    }

    // Atomic instructions.

    /// An atomic access begins: it is visible.
    pub(super) fn begin_atomic(&mut self, ptr: Opnd, size: u16, writes: bool, ordering: Ordering) -> Flow<()> {
        if self.state.threads.are_several() {
            let ptr = self.value(ptr);
            let action = match ptr {
                Val::Int(address) => VisibleAction::atomic(address, u64::from(size), writes),
                _ => VisibleAction::global(ATOMIC),
            };
            self.visible(action)?;
            self.weaker_than_explored(ordering);
            let threads = self.threads_mut();
            threads.in_atomic = true;
            if let Val::Int(address) = ptr {
                let known = threads.clocks.get(&address).cloned().unwrap_or_default();
                if let Some(thread) = threads.running_mut() {
                    let acquires = matches!(ordering, Ordering::Acquire | Ordering::AcqRel | Ordering::SeqCst);
                    let into = if acquires { &mut thread.clock } else { &mut thread.read_relaxed };
                    into.join(&known);
                }
            }
        }
        self.advance();
        Ok(())
    }

    /// An atomic access ends, which has written where `wrote` says so; `reads`: it has read before.
    pub(super) fn end_atomic(&mut self, ptr: Opnd, wrote: Opnd, reads: bool, ordering: Ordering) -> Flow<()> {
        if self.state.threads.are_several() {
            let wrote = self.value(wrote);
            let wrote = self.decide(&wrote)?;
            let ptr = self.value(ptr);
            let threads = self.threads_mut();
            threads.in_atomic = false;
            let current = threads.current;
            if let Val::Int(address) = ptr
                && wrote
            {
                let releases = matches!(ordering, Ordering::Release | Ordering::AcqRel | Ordering::SeqCst);
                let mut known =
                    if reads { threads.clocks.get(&address).cloned().unwrap_or_default() } else { Default::default() };
                if let Some(thread) = threads.running_mut() {
                    known.join(if releases { &thread.clock } else { &thread.released });
                    if releases {
                        thread.clock.tick(current);
                    }
                }
                threads.clocks.insert_mut(address, known);
            }
        }
        self.advance();
        Ok(())
    }

    /// `fence`.
    pub(super) fn fence(&mut self, ordering: Ordering) {
        if self.state.threads.are_several() {
            self.weaker_than_explored(ordering);
            let threads = self.threads_mut();
            let current = threads.current;
            if let Some(thread) = threads.running_mut() {
                if matches!(ordering, Ordering::Acquire | Ordering::AcqRel | Ordering::SeqCst) {
                    let read = std::mem::take(&mut thread.read_relaxed);
                    thread.clock.join(&read);
                }
                if matches!(ordering, Ordering::Release | Ordering::AcqRel | Ordering::SeqCst) {
                    thread.released = thread.clock.clone();
                    thread.clock.tick(current);
                }
            }
        }
        self.advance();
    }

    /// Says so where a program allows more than the interleavings that are explored.
    fn weaker_than_explored(&mut self, ordering: Ordering) {
        if ordering != Ordering::SeqCst {
            let what =
                "atomic accesses with a weaker order than memory_order_seq_cst are explored as if they had that order";
            self.note("memory-order", what, true);
        }
    }

    /// The object of the current thread for a thread-local one.
    pub(crate) fn thread_local(&mut self, address: u64) -> u64 {
        let threads = &self.state.threads;
        if threads.current == 0 {
            return address;
        }
        let (id, offset) = ObjectId::of_address(address);
        let known = threads.running().and_then(|it| it.locals.get(&id).copied());
        let own = match known {
            Some(own) => own,
            None => {
                let Some(object) = self.program.code.memory.get(id) else { return address };
                let own = self.state.memory.allocate(object.clone());
                if let Some(thread) = self.threads_mut().running_mut() {
                    thread.locals.insert(id, own);
                }
                own
            }
        };
        own.base().wrapping_add(offset as u64)
    }
}

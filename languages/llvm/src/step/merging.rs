//! What a walk that merges paths asks of running: where paths can meet, which rounds loops are in.
//!
//! Knows: the counters that all paths share, the rounds of a frame. Never: how two states become one (`merge`).

use crate::flow::Flow;
use crate::machine::Machine;
use crate::state::{State, counter};
use effigy_engine::{Context, Resolution};
use std::rc::Rc;

/// Before a step: whether paths are merged. Then no two paths number different objects or values alike.
pub(super) fn begin(ctx: &mut Context<'_>, state: &mut State) -> bool {
    let Some(common) = ctx.common() else { return false };
    state.marks.closed = None;
    state.memory.skip(common.counters[counter::OBJECTS]);
    state.undefined = state.undefined.max(common.counters[counter::UNDEFINED]);
    state.fresh = state.fresh.max(common.counters[counter::FRESH]);
    true
}

/// After a step.
pub(super) fn end(ctx: &mut Context<'_>, state: &State) {
    if let Some(common) = ctx.common() {
        common.counters[counter::OBJECTS] = state.memory.next_id().0;
        common.counters[counter::UNDEFINED] = state.undefined;
        common.counters[counter::FRESH] = state.fresh;
    }
}

impl Machine<'_, '_> {
    fn flow(&self) -> Rc<Flow> {
        Rc::clone(self.program.flows.of(&self.program.code, self.frame().function))
    }

    /// Whether the instruction has asked for something that the program does not decide by itself.
    fn has_asked(&self) -> bool {
        self.state.answers.iter().any(|it| *it != Resolution::Granted)
    }

    /// After an instruction: whether paths can meet where the state stands now.
    pub(super) fn meets_after(&mut self) -> bool {
        if self.has_asked() {
            self.frame_mut().rounds.asked = true;
            self.meets = true;
        }
        self.meets
    }

    /// The program opens a mark: those that come from here become one where they close it.
    pub(crate) fn open_mark(&mut self) {
        if let Some(common) = self.ctx.common() {
            let number = common.counters[counter::MARKS];
            common.counters[counter::MARKS] += 1;
            self.state.marks.open.push(number);
        }
    }

    /// The program closes the mark that it has opened last.
    pub(crate) fn close_mark(&mut self) {
        if self.ctx.common().is_some() {
            let marks = &mut self.state.marks;
            marks.closed = marks.open.last().copied();
            marks.open.pop();
            self.meets = true;
        }
    }

    /// The state goes along an edge to `target`.
    pub(super) fn count_rounds(&mut self, target: u32) {
        let (flow, asked) = (self.flow(), self.has_asked());
        let frame = self.frame_mut();
        let to = flow.block(target);
        frame.rounds.go(flow.topology(), flow.block(frame.pc), to, asked);
        if flow.topology().joins(to) {
            self.meets = true;
        }
    }
}

//! What a walk that merges paths asks of running: where paths can meet, which rounds loops are in.
//!
//! Knows: the rounds of each call. Never: how two states become one (`merge`).

use crate::state::{Frame, State};
use effigy_engine::{Context, Resolution, Rounds};
use std::rc::Rc;

/// Where a state stood before an operation.
pub(super) struct Before {
    frame: Rc<Frame>,
    pc: u32,
    /// The operation has asked for something that the program does not decide by itself.
    asked: bool,
}

/// Before an operation, in a walk that merges paths.
pub(super) fn before(ctx: &mut Context<'_>, state: &mut State) -> Option<Before> {
    ctx.common()?;
    if state.rounds.is_empty() {
        state.rounds.push_back_mut(Rounds::default());
    }
    let asked = state.answers.iter().any(|it| *it != Resolution::Granted);
    Some(Before { frame: Rc::clone(&state.frame), pc: state.pc, asked })
}

/// After it: counts rounds; whether paths can meet where the state stands now.
pub(super) fn meets(state: &mut State, before: &Before) -> bool {
    let Before { frame, pc, asked } = before;
    if *asked {
        change(state, |it| it.asked = true);
    }
    let procedure = Rc::clone(&state.frame.procedure);
    let topology = procedure.topology();
    if Rc::ptr_eq(&state.frame, frame) {
        let to = state.pc;
        change(state, |it| it.go(topology, *pc, to, *asked));
        return *asked || topology.joins(to);
    }
    if state.frame.depth > frame.depth {
        state.rounds.push_back_mut(Rounds::default());
        return *asked || calls(state).any(|it| Rc::ptr_eq(&it.procedure, &procedure));
    }
    state.rounds.drop_last_mut();
    let to = state.pc;
    change(state, |it| it.go(topology, to.saturating_sub(1), to, false));
    true
}

/// The calls in progress without the innermost, which is first.
fn calls(state: &State) -> impl Iterator<Item = &Rc<Frame>> {
    std::iter::successors(state.frame.caller.as_ref(), |it| it.0.caller.as_ref()).map(|it| &it.0)
}

fn change(state: &mut State, change: impl FnOnce(&mut Rounds)) {
    if let Some(rounds) = state.rounds.last() {
        let mut rounds = rounds.clone();
        change(&mut rounds);
        state.rounds.drop_last_mut();
        state.rounds.push_back_mut(rounds);
    }
}

//! The way of an exception along the calls that have not returned.
//!
//! Knows: which of them have landing pads, how calls are left. Never: what an exception is, which handler takes it
//! (`library/exceptions.cpp`).
//! Source: Itanium C++ ABI, Exception Handling 1.3 (two phases), 1.6 (the personality routine).

use crate::code::{Inst, Target, Unwind};
use crate::machine::{Flow, Machine};

/// A call at which an exception does not simply pass.
pub(crate) struct Station {
    /// The call, counted from the outermost.
    pub(crate) frame: usize,
    /// It has no landing pad, and must not throw.
    pub(crate) terminates: bool,
}

impl<'m> Machine<'m, '_> {
    /// What an exception does at the call where a frame stands.
    pub(crate) fn unwind_at(&self, frame: usize) -> Option<&'m Unwind> {
        let program = self.program;
        let frame = self.state.frames.get(frame)?;
        match program.code.functions[frame.function as usize].code[frame.pc as usize] {
            Inst::Call { call } => program.code.calls[call as usize].unwind.as_deref(),
            _ => None,
        }
    }

    /// The first call below `above` to which an exception comes and where it does not simply pass; `None` where the stack
    /// ends before.
    pub(crate) fn next_station(&self, above: usize) -> Flow<Option<Station>> {
        let code = &self.program.code;
        for at in (0..above.min(self.state.frames.len())).rev() {
            let Some(frame) = self.state.frames.get(at) else { return Ok(None) };
            let func = &code.functions[frame.function as usize];
            let inst = &code.functions[frame.function as usize].code[frame.pc as usize];
            let call = match inst {
                Inst::Call { call } => Some(&code.calls[*call as usize]),
                _ => None,
            };
            // A function that runs before `main`, or at the end of the program, was called by nothing that catches.
            if self.state.frames.get(at + 1).is_some_and(|it| it.ignore_result) {
                return match call.map(|it| &it.target) {
                    Some(Target::Builtin(_)) => {
                        Err(self
                            .unsupported("an exception that leaves a function which runs at the end of the program"))
                    }
                    _ => Ok(None),
                };
            }
            let Some(call) = call else { return Ok(None) };
            if func.of_rust {
                return Err(self.unsupported("an exception of C++ that comes to a function in Rust"));
            }
            if call.unwind.is_some() {
                return Ok(Some(Station { frame: at, terminates: false }));
            }
            if call.normal.is_some() {
                return Err(self.unsupported("an exception that comes to a call without a landing pad that is known"));
            }
            if call.never_throws && func.has_pads {
                return Ok(Some(Station { frame: at, terminates: true }));
            }
        }
        Ok(None)
    }

    /// Leaves all calls above a frame, which goes on at its landing pad.
    pub(crate) fn land(&mut self, frame: usize) {
        let Some(unwind) = self.unwind_at(frame) else { return };
        while self.state.frames.len() > frame + 1 {
            let Some(left) = self.state.frames.pop() else { break };
            for &id in left.allocas.iter().chain(&left.dynamic) {
                self.state.memory.forget(id);
            }
        }
        self.meets = true;
        self.take(unwind.edge);
    }
}

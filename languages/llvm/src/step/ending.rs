//! The end of a program: what was registered for it runs first, the last registered before the others.
//!
//! Knows: which function is next, and that the instruction that ends the program is run again after each.
//! Never: who registers (`libc`), what ends a program.
//! Source: C17 7.22.4.4 (`exit`); glibc for an `exit` inside of a handler: the rest of the handlers run, with its code.

use crate::checks::BAD_CALL;
use crate::code::{Call, Callable, NO_SITE, Target};
use crate::machine::{Flow, Machine};
use crate::options::Externals;
use crate::process::{Handler, Passed, Process};
use crate::value::Val;
use effigy_engine::Site;
use effigy_term::PersistentList;
use std::rc::Rc;

/// Which end it is, by what runs at it.
pub(crate) type Handlers = fn(&mut Process) -> &mut PersistentList<Handler>;

impl Machine<'_, '_> {
    /// Enters the next function that runs at the end with this code, in a frame on top of the instruction that ends
    /// the program: when it returns, that instruction is run again. With none left the program has ended.
    pub(crate) fn end(&mut self, code: &Val, handlers: Handlers) -> Flow<()> {
        while let Some(handler) = handlers(&mut self.state.process).last().cloned() {
            let callable = self.callee(&handler.function)?;
            let arguments = match handler.passed {
                Passed::Nothing => Vec::new(),
                Passed::Argument(argument) => vec![argument],
                Passed::Status(argument) => vec![code.clone(), argument],
            };
            match callable {
                Callable::Function(function) => {
                    let func = &self.program.code.functions[function as usize];
                    if arguments.len() < func.parameters.len() {
                        let message =
                            format!("{} runs at the end of the program without its arguments", func.source_name);
                        return Err(self.violation(BAD_CALL, message));
                    }
                    self.ctx.coverage.reach(Site(func.site));
                    let mut frame = super::new_frame(self.program, function, &arguments);
                    frame.ignore_result = true;
                    handlers(&mut self.state.process).pop();
                    self.state.frames.push(Rc::new(frame));
                    return Ok(());
                }
                Callable::Builtin(builtin) => {
                    self.program.builtins[builtin as usize](self, &nothing_of_it(), &arguments)?;
                    handlers(&mut self.state.process).pop();
                    // What it asked is not asked again by the next one.
                    self.state.answers.clear();
                    self.asked = 0;
                }
                Callable::External(name) => {
                    match self.program.options.externals {
                        Externals::Refused => {
                            return Err(self.unsupported(&format!("the unknown function {name}")));
                        }
                        Externals::Pure => self.assumed_pure(&name),
                        Externals::Any => {
                            self.note("unknown-external", &name, true);
                            self.state.called_unknown = true;
                        }
                    }
                    handlers(&mut self.state.process).pop();
                }
            }
        }
        Err(self.exit(code.clone()))
    }
}

/// A call of which nothing is known but that it happens.
fn nothing_of_it() -> Call {
    Call {
        zero_extended: false,
        never_returns: false,
        leaves: false,
        target: Target::External("".into()),
        arguments: Vec::new(),
        dst: None,
        result: None,
        site: NO_SITE,
        normal: None,
        unwind: None,
        never_throws: false,
    }
}

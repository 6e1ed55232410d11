//! The end of a program: what was registered for it runs first, the last registered before the others.
//!
//! Knows: which function is next, and that the instruction that ends the program is run again after each.
//! Never: who registers (`libc`), what ends a program.
//! Source: C17 7.22.4.4 (`exit`); glibc for an `exit` inside of a handler: the rest of the handlers run, with its code.

use crate::checks::{BAD_CALL, LEAK};
use crate::code::{Call, Callable, NO_SITE, Target};
use crate::leaks::{Leak, LeaksAtEnd, leaks};
use crate::machine::{Flow, Machine};
use crate::memory::{ObjectId, Size};
use crate::options::Externals;
use crate::process::{Handler, Passed, Process};
use crate::value::Val;
use effigy_engine::{Outcome, Place, Site, Step, Violation};
use effigy_term::PersistentList;
use std::rc::Rc;

/// So many other places of leaked blocks a report names.
const MOST_PLACES: usize = 8;

/// Which end it is, by what runs at it.
pub(crate) type Handlers = fn(&mut Process) -> &mut PersistentList<Handler>;

impl Machine<'_, '_> {
    /// Notes where a block was allocated, for the report of its leak.
    pub(crate) fn may_leak(&mut self, id: ObjectId) {
        if self.looks_for_leaks() && self.ctx.common().is_none() && !self.is_making_up() {
            let sites = self.program.call_sites(self.state);
            self.state.process.allocations.insert_mut(id, sites);
        }
    }

    /// Leaks are looked for where a whole program ends; what calls an entry frees nothing.
    fn looks_for_leaks(&self) -> bool {
        self.program.options.entry.is_none() && self.on(LEAK)
    }

    /// The end of a program must leave no block to which nothing leads.
    fn require_no_leak(&mut self, end: LeaksAtEnd) -> Flow<()> {
        if end == LeaksAtEnd::Ignored || !self.looks_for_leaks() {
            return Ok(());
        }
        // What a function does of which only the name is known may free a block, or keep it.
        if self.state.called_unknown {
            return Ok(());
        }
        // What other threads have in their variables is not looked through.
        if self.state.threads.are_several() {
            return Ok(());
        }
        let leaks = leaks(self.state, self.ctx.terms, end == LeaksAtEnd::InCall);
        let Some(first) = leaks.first() else { return Ok(()) };
        let places = |it: &Leak| -> Vec<Place> {
            let sites = self.state.process.allocations.get(&it.object);
            sites.into_iter().flat_map(|it| it.iter()).map(|it| self.program.place_of(*it)).collect()
        };
        let mut message = self.describe_leak(first);
        let mut others: Vec<Place> = leaks.iter().skip(1).filter_map(|it| places(it).into_iter().next()).collect();
        others.sort_by(|a, b| (&a.file, a.line, a.column).cmp(&(&b.file, b.line, b.column)));
        others.dedup();
        let mut stack = places(first).into_iter();
        let place = stack.next().unwrap_or_default();
        others.retain(|it| *it != place);
        if !others.is_empty() {
            let text: Vec<String> =
                others.iter().take(MOST_PLACES).map(|it| format!("{}:{}", it.file, it.line)).collect();
            let more = if others.len() > MOST_PLACES { ", …" } else { "" };
            message = format!("{message}; as are those of {}{more}", text.join(", "));
        }
        let violation = Violation { kind: LEAK, message, place, stack: stack.collect() };
        Err(Step::Exit(Outcome::Violation(Box::new(violation))))
    }

    fn describe_leak(&self, leak: &Leak) -> String {
        let size = self.state.memory.get(leak.object).map(|it| it.size);
        let what = match size {
            Some(Size::Known(1)) => "1 byte that is allocated here is".to_owned(),
            Some(Size::Known(size)) => format!("{size} bytes that are allocated here are"),
            _ => "memory that is allocated here is".to_owned(),
        };
        let indirect = match leak.indirect {
            0 => String::new(),
            1 => ", and 1 block that only it leads to".to_owned(),
            more => format!(", and {more} blocks that only it leads to"),
        };
        format!("{what} leaked: nothing points to the block when the program ends{indirect}")
    }

    /// Enters the next function that runs at the end with this code, in a frame on top of the instruction that ends
    /// the program: when it returns, that instruction is run again. With none left the program has ended.
    pub(crate) fn end(&mut self, code: &Val, handlers: Handlers, looked_for: LeaksAtEnd) -> Flow<()> {
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
        self.require_no_leak(looked_for)?;
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

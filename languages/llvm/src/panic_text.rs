//! The text of a panic of Rust, as the native program prints it.
//!
//! Knows: the program's own `core::fmt::write`, which is run under the values of the path's inputs. Never: how `Display`
//! or `Debug` write anything.
//!
//! The path has ended by then: what the text needs is computed on a copy of its state, and changes nothing.

use crate::code::{Callable, Code};
use crate::frames::Frames;
use crate::libc::{self, rust::panics};
use crate::lower::place_in_code;
use crate::memory::ObjectKind;
use crate::process::Process;
use crate::program::Program;
use crate::state::State;
use crate::step::new_frame;
use crate::value::Val;
use effigy_engine::{Context, Coverage, Inputs, Notes, Outcome, Path, PathId, Trail, Valuation, follow};
use effigy_term::{Model, PersistentList, Terms};
use std::rc::Rc;

/// So many transitions may be spent on a text; chosen without measuring.
const MOST_STEPS: u64 = 1_000_000;

/// What formats a panic's text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TextWriter {
    /// The number of `core::fmt::write`.
    function: u32,
    /// The address of the `dyn fmt::Write` vtable of the writer that takes the text.
    vtable: u64,
}

impl TextWriter {
    /// Adds the writer to a program that has `core::fmt::write`.
    pub(crate) fn install(code: &mut Code) -> Option<TextWriter> {
        let is_write = |name: &str| {
            name.contains("4core3fmt5write")
                && rustc_demangle::try_demangle(name).is_ok_and(|it| format!("{it:#}") == "core::fmt::write")
        };
        let function = code.functions.iter().position(|it| is_write(&it.name))?;
        let mut method = |name: &str| {
            let builtin = libc::find_own(name)?;
            let id = code.memory.allocate(place_in_code(&name.into()));
            code.callables.insert(id.0, Callable::Builtin(builtin));
            Some(id.base())
        };
        // The destructor, size and alignment of the writer, then its methods: of `write_fmt` no formatter makes use.
        let words = [0, 0, 1, method(panics::WRITE_STR)?, method(panics::WRITE_CHAR)?, 0];
        let bytes = words.iter().flat_map(|it| it.to_le_bytes()).collect();
        let vtable = code.add_global("the writer of a panic's text", ObjectKind::Constant, bytes);
        Some(TextWriter { function: u32::try_from(function).ok()?, vtable })
    }
}

impl Program {
    /// The text of the panic in which a path has ended, for inputs with these values; `None` where the path has not
    /// ended so, or the text cannot be computed.
    pub(crate) fn panic_text(&self, terms: &Terms, state: &State, model: &Model) -> Option<String> {
        let [template, rest] = state.panic.clone()?;
        let writer = self.executable.text_writer?;
        let mut state = State {
            frames: Frames::default(),
            answers: Vec::new(),
            output: PersistentList::new(),
            process: Process::default(),
            panic: None,
            ..state.clone()
        };
        // The writer has no bytes: any address that is not null is one of it.
        let arguments = [Val::Int(1), Val::Int(writer.vtable), template, rest];
        state.frames.push(Rc::new(new_frame(&self.executable, writer.function, &arguments)));
        let (mut coverage, mut notes) = (Coverage::default(), Notes::default());
        let mut ctx = Context::new(terms, &Inputs::Symbolic, &mut coverage, &mut notes);
        let trail = Trail { witness: Some(Valuation::from(model.clone())), ..Trail::new() };
        let mut path = Path { id: PathId(0), state, trail };
        match follow(self, &mut ctx, &mut path, MOST_STEPS) {
            Some(Ok(Outcome::Exit { .. })) => {}
            _ => return None,
        }
        let mut text = Vec::new();
        path.state.output.to_vec().iter().for_each(|it| it.write(&mut |_| 0, &mut text));
        Some(String::from_utf8_lossy(&text).into_owned())
    }
}

//! The text of a panic of Rust, as the native program prints it.
//!
//! Knows: the program's own `core::fmt::write`, which is run under the values of the path's inputs. Never: how `Display`
//! or `Debug` write anything.
//!
//! The path has ended by then: what the text needs is computed on a copy of its state, and changes nothing.

use crate::frames::Frames;
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
            outside: None,
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

//! The state of one path: ⟨S, σ⟩ without φ.
//!
//! Knows: the calls in progress, cells, what was read and written. Never: how statements change it (`step`).
//! Everything here is persistent: a clone costs a few handles, and clones share what neither has changed.

use crate::array::Array;
use crate::code::Procedure;
use effigy_engine::{Resolution, Rounds};
use effigy_term::{Term, Terms};
use rpds::{HashTrieMap, Vector};
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

/// A place in the store.
pub type CellId = u32;

/// The state of one path.
#[derive(Clone, Debug)]
pub struct State {
    /// The innermost call in progress.
    pub frame: Rc<Frame>,
    /// The next operation of its procedure.
    pub pc: u32,
    /// The store: the cells that exist, by their ids.
    pub cells: HashTrieMap<CellId, Cell>,
    /// The id that the next new cell gets.
    pub next_cell: CellId,
    /// Where the STATIC variables live that were met.
    pub statics: HashTrieMap<u32, CellId>,
    /// The answers that the operation has got so far; it is run again from its start when it is answered, and changes
    /// nothing before its last question.
    pub answers: Vec<Resolution>,
    /// The operation has begun, and waits for an answer.
    pub begun: bool,
    /// An execution of a statement has begun and not ended.
    pub open: bool,
    /// The number of statements that were finished.
    pub clock: u64,
    /// How many inputs were read.
    pub reads: u32,
    /// The inputs, in the order in which they were met.
    pub inputs: Vector<Term>,
    /// What was assumed of the caller: subscripts within arrays of unknown extent, numbers within the width.
    pub assumed: Vector<Term>,
    /// The values written so far, in order.
    pub output: Vector<Term>,
    /// What the outermost procedure returned.
    pub value: Option<Term>,
    /// Whether the program has ended.
    pub ended: bool,
    /// The assumption that is asked about: should it be impossible, this is what is wrong.
    pub asked: Option<Arc<str>>,
    /// Where a proof stands: at its first cut point, which is assumed, or behind it.
    pub at_cut: bool,
    /// Of each call, from the outermost, the rounds of its loops; where paths are merged.
    pub rounds: Vector<Rounds>,
}

/// A call that has not returned. It never changes: the store does.
#[derive(Debug)]
pub struct Frame {
    /// The procedure that is called.
    pub procedure: Rc<Procedure>,
    /// Where each variable of the procedure lives, by slot.
    pub bindings: Box<[Binding]>,
    /// The cells that end with it.
    pub own: Range<CellId>,
    /// The caller, and its next operation.
    pub caller: Option<(Rc<Frame>, u32)>,
    /// The caller's slot for the value.
    pub result: Option<u32>,
    /// The number of callers; the call that the user typed is none.
    pub depth: usize,
    /// The values at entry, for assertions that name them; empty where none does.
    pub old: Box<[Option<Cell>]>,
}

/// The location of a variable in the store.
#[derive(Clone, Debug)]
pub enum Binding {
    /// A cell of its own.
    Cell(CellId),
    /// In an element of the array in a cell: an argument `A(I)`.
    Element(CellId, Term),
}

/// The content of a cell.
#[derive(Clone, Debug)]
pub enum Cell {
    /// A number; `None` before it has a value.
    Scalar(Option<Term>),
    /// A number that has its value only where this condition holds: on some of the paths that were merged.
    Partly(Term, Term),
    /// An array with all its elements.
    Array(Rc<Array>),
}

impl Cell {
    /// When a number has a value, and which; `None` for an array.
    pub(crate) fn scalar(&self, terms: &Terms) -> Option<(Term, Option<Term>)> {
        match self {
            Cell::Scalar(value) => Some((terms.bool(value.is_some()), *value)),
            Cell::Partly(defined, value) => Some((*defined, Some(*value))),
            Cell::Array(_) => None,
        }
    }

    /// A number that has a value where a condition holds.
    pub(crate) fn of_scalar(terms: &Terms, defined: Term, value: Option<Term>) -> Cell {
        match (terms.as_bool(defined), value) {
            (Some(false), _) | (_, None) => Cell::Scalar(None),
            (Some(true), value) => Cell::Scalar(value),
            (None, Some(value)) => Cell::Partly(defined, value),
        }
    }

    /// Whether two are the same, by their handles.
    pub(crate) fn is(&self, other: &Cell) -> bool {
        match (self, other) {
            (Cell::Scalar(a), Cell::Scalar(b)) => a == b,
            (Cell::Partly(a, x), Cell::Partly(b, y)) => (a, x) == (b, y),
            (Cell::Array(a), Cell::Array(b)) => Rc::ptr_eq(a, b) || a == b,
            _ => false,
        }
    }
}

impl Frame {
    /// The cell of a slot.
    pub fn cell(&self, slot: u32) -> CellId {
        match self.bindings[slot as usize] {
            Binding::Cell(cell) | Binding::Element(cell, _) => cell,
        }
    }
}

impl Drop for Frame {
    /// Frees a deep recursion in a loop: the derived one would overflow the stack.
    fn drop(&mut self) {
        let mut next = self.caller.take();
        while let Some((frame, _)) = next {
            match Rc::try_unwrap(frame) {
                Ok(mut frame) => next = frame.caller.take(),
                Err(_) => break,
            }
        }
    }
}

impl State {
    /// The array of a slot of the innermost procedure.
    pub fn array(&self, slot: u32) -> Option<&Rc<Array>> {
        match self.cells.get(&self.frame.cell(slot)) {
            Some(Cell::Array(array)) => Some(array),
            _ => None,
        }
    }

    /// Records an input of the program, unless it is known already.
    pub fn met(&mut self, input: Term) {
        if !self.inputs.iter().any(|it| *it == input) {
            self.inputs.push_back_mut(input);
        }
    }
}

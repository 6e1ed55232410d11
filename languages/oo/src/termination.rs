//! Pure methods terminate.
//!
//! Knows: which pure method calls which, in the order of the text. Never: symbolic heaps.
//! Source: Smans et al. (2010), section 3.6. Conditions (1), the callee is declared earlier, and (2), the call is
//! inside of an `opening`, are decided here; (3), the precondition of the callee leaves a chunk over, is the verifier's.
//!
//! Condition (2) relies on it that a pure method cannot close: a verifier that infers `close` while it evaluates the body
//! of a pure method must ask for (3) instead ([`PureCall::inside_opening`] tells it where).
//!
//! A postcondition of a pure method (which the paper does not have) may call only methods that are declared earlier: what
//! is assumed of an application must not rest on itself.
//!
//! A precondition that calls its own method, itself or through the preconditions of others, means nothing: an error.

use crate::ReadError;
use effigy_contracts::program::FunctionId;
use effigy_contracts::{Program, Span};

/// A call of a pure method in the body of a pure method.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PureCall {
    /// The method in whose body it stands.
    pub caller: FunctionId,
    /// The method that is called.
    pub callee: FunctionId,
    /// Where it stands.
    pub span: Span,
    /// Condition (2): it stands in the body of an `opening`.
    pub inside_opening: bool,
    /// Neither (1) nor (2) holds: a chunk must be left over by the callee's precondition.
    pub needs_leftover: bool,
}

/// A part of a pure method.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Part {
    Precondition,
    Postcondition,
    Body,
}

/// What is called while members are lowered.
#[derive(Default)]
pub(crate) struct Calls {
    /// The pure method that is lowered, and which part of it.
    current: Option<(FunctionId, Part)>,
    openings: u32,
    bodies: Vec<PureCall>,
    preconditions: Vec<(FunctionId, FunctionId, Span)>,
    /// Calls of methods that are not declared earlier.
    postconditions: Vec<(FunctionId, Span)>,
}

impl Calls {
    pub(crate) fn enter(&mut self, function: FunctionId, part: Part) {
        self.current = Some((function, part));
    }

    pub(crate) fn leave(&mut self) {
        self.current = None;
    }

    pub(crate) fn open(&mut self) {
        self.openings += 1;
    }

    pub(crate) fn close(&mut self) {
        self.openings -= 1;
    }

    pub(crate) fn record(&mut self, callee: FunctionId, span: Span) {
        match self.current {
            Some((caller, Part::Precondition)) => self.preconditions.push((caller, callee, span)),
            Some((caller, Part::Body)) => {
                let inside_opening = self.openings > 0;
                let needs_leftover = callee >= caller && !inside_opening;
                self.bodies.push(PureCall { caller, callee, span, inside_opening, needs_leftover });
            }
            Some((caller, Part::Postcondition)) if callee >= caller => self.postconditions.push((callee, span)),
            _ => {}
        }
    }

    /// The calls in bodies; cycles through preconditions are reported.
    pub(crate) fn finish(self, program: &Program, errors: &mut Vec<ReadError>) -> Vec<PureCall> {
        let mut callees = vec![Vec::new(); program.functions.len()];
        for (caller, callee, span) in &self.preconditions {
            if let Some(list) = callees.get_mut(caller.index()) {
                list.push((callee.index(), *span));
            }
        }
        for (callee, span) in &self.postconditions {
            let name = program.functions.get(callee.index()).map_or("", |it| &it.name);
            let message = format!("a method that is declared earlier was expected in this postcondition, not `{name}`");
            errors.push(ReadError::typechecker(*span, message));
        }
        // Depth-first, on a stack of our own: (method, next callee). 0 is new, 1 is open, 2 is done.
        let mut marks = vec![0u8; callees.len()];
        for root in 0..callees.len() {
            if marks[root] != 0 {
                continue;
            }
            marks[root] = 1;
            let mut stack = vec![(root, 0)];
            while let Some((at, next)) = stack.last_mut() {
                let Some((callee, span)) = callees[*at].get(*next).copied() else {
                    marks[*at] = 2;
                    stack.pop();
                    continue;
                };
                *next += 1;
                match marks.get(callee) {
                    Some(0) => {
                        marks[callee] = 1;
                        stack.push((callee, 0));
                    }
                    Some(1) => {
                        let name = &program.functions[callee].name;
                        let message = format!("another precondition was expected: that of `{name}` calls `{name}`");
                        errors.push(ReadError::typechecker(span, message));
                    }
                    _ => {}
                }
            }
        }
        self.bodies
    }
}

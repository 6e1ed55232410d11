//! Pure methods terminate.
//!
//! Knows: which pure method calls which, in the order of the text. Never: symbolic heaps.
//! Source: Smans et al. (2010), section 3.6. Conditions (1), the callee is declared earlier, and (2), the call is
//! inside of an `opening`, are decided here; (3), the precondition of the callee leaves a chunk over, is the verifier's.
//!
//! All three rely on the verifier ([`Program::functions_terminate`]): `opening` takes the predicate away, a call takes
//! each chunk at most once, and a pure method cannot close.
//!
//! A postcondition of a pure method (which the paper does not have) may call only methods that are declared earlier: what
//! is assumed of an application must not rest on itself.
//!
//! Who calls a method also evaluates its contract, in the same heap. So what a contract calls counts as called: where
//! that leads back to the caller, condition (1) is not enough, and the call must leave a chunk over. A contract that needs
//! itself, directly or through the contracts of others, means nothing: an error.

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
    /// The source range of the call.
    pub span: Span,
    /// Condition (2): it stands in the body of an `opening`.
    pub inside_opening: bool,
    /// Neither (1) nor (2) holds, or a contract leads from the callee back to the caller: a chunk must be left over by
    /// the callee's precondition.
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
    preconditions: Vec<Call>,
    postconditions: Vec<Call>,
}

/// A call in a contract: caller, callee, and where it stands.
type Call = (FunctionId, FunctionId, Span);

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
            Some((caller, Part::Postcondition)) => self.postconditions.push((caller, callee, span)),
            None => {}
        }
    }

    /// The calls in bodies; cycles through contracts are reported.
    pub(crate) fn finish(mut self, program: &Program, errors: &mut Vec<ReadError>) -> Vec<PureCall> {
        for (_, callee, span) in self.postconditions.iter().filter(|it| it.1 >= it.0) {
            let name = program.functions.get(callee.index()).map_or("", |it| &it.name);
            let message = format!("a method that is declared earlier was expected in this postcondition, not `{name}`");
            errors.push(ReadError::typechecker(*span, message));
        }
        // Postconditions that go back in the text close no circle on their own.
        let earlier = self.postconditions.iter().filter(|it| it.1 < it.0);
        let contracts: Vec<Call> = self.preconditions.iter().chain(earlier).copied().collect();
        report_cycles(&contracts, program, errors);
        self.require_leftovers(&contracts, program.functions.len());
        self.bodies
    }

    /// Marks the calls of which condition (1) is all that can be said, where contracts lead from the callee back to the
    /// caller.
    fn require_leftovers(&mut self, contracts: &[Call], count: usize) {
        // Without a call that goes on in the text there is no circle.
        if contracts.iter().all(|it| it.1 < it.0) {
            return;
        }
        let mut callees = vec![Vec::new(); count];
        let plain = self.bodies.iter().filter(|it| !it.needs_leftover && !it.inside_opening);
        let plain = plain.map(|it| (it.caller, it.callee));
        for (caller, callee) in contracts.iter().map(|it| (it.0, it.1)).chain(plain) {
            if let Some(list) = callees.get_mut(caller.index()) {
                list.push(callee);
            }
        }
        for call in self.bodies.iter_mut().filter(|it| !it.inside_opening) {
            call.needs_leftover |= reaches(&callees, call.callee, call.caller);
        }
    }
}

/// Whether calls lead from one method to another one.
fn reaches(callees: &[Vec<FunctionId>], from: FunctionId, to: FunctionId) -> bool {
    let mut reached = vec![false; callees.len()];
    let mut pending = vec![from];
    while let Some(at) = pending.pop() {
        if at == to {
            return true;
        }
        if let Some(new @ false) = reached.get_mut(at.index()) {
            *new = true;
            pending.extend(&callees[at.index()]);
        }
    }
    false
}

/// Reports contracts that depend on themselves.
fn report_cycles(contracts: &[Call], program: &Program, errors: &mut Vec<ReadError>) {
    let mut callees = vec![Vec::new(); program.functions.len()];
    for (caller, callee, span) in contracts {
        if let Some(list) = callees.get_mut(caller.index()) {
            list.push((callee.index(), *span));
        }
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
                    let message = format!("another contract was expected: that of `{name}` needs `{name}` itself");
                    errors.push(ReadError::typechecker(span, message));
                }
                _ => {}
            }
        }
    }
}

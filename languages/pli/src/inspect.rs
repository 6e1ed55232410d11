//! What a person sees of a state, and does to it.
//!
//! Knows: how variables, arrays and results are written. Never: a terminal.

use crate::array::{Array, stores};
use crate::code::{Procedure, Target};
use crate::evaluate::Evaluation;
use crate::program::{Program, compile_call, scalar};
use crate::state::{Binding, Cell, State};
use crate::{lower, reader};
use effigy_engine::{Context, Inspect, InspectError, Language, Place, Statement, Step, Variable, VariableValue};
use effigy_term::{Term, Terms};
use num_traits::ToPrimitive;
use std::rc::Rc;
use std::sync::Arc;

/// Arrays with at most this many elements are shown element by element.
const MOST_ELEMENTS: u64 = 12;

impl Inspect for Program {
    fn statement(&self, state: &State) -> Statement {
        let place = self.place_of(state);
        match self.statement_of(state) {
            Some(it) => Statement {
                number: it.number,
                procedure: Arc::clone(&it.procedure),
                // The call that the user typed is no statement.
                text: if it.procedure.is_empty() { "".into() } else { Arc::clone(&it.text) },
                branches: it.branches,
                place,
            },
            None => Statement { place, ..Statement::default() },
        }
    }

    fn clock(&self, state: &State) -> u64 {
        state.clock
    }

    fn depth(&self, state: &State) -> usize {
        // The call that the user typed is in progress, too.
        let called = !state.ended && !state.frame.procedure.ops.is_empty();
        if called { state.frame.depth.max(1) } else { 0 }
    }

    fn statements(&self) -> Vec<Statement> {
        let mut res = Vec::new();
        for procedure in &self.code.procedures {
            for (id, it) in procedure.statements.iter().enumerate() {
                if !procedure.ops.iter().any(|op| op.statement as usize == id && op.begins) {
                    continue;
                }
                let place = Place {
                    file: Arc::clone(&self.code.file),
                    line: it.line,
                    column: it.column,
                    function: Arc::clone(&it.procedure),
                };
                res.push(Statement {
                    number: it.number,
                    procedure: Arc::clone(&it.procedure),
                    text: Arc::clone(&it.text),
                    branches: it.branches,
                    place,
                });
            }
        }
        res.sort_by_key(|it| it.place.line);
        res
    }

    /// Locals first, then parameters, as in King's figures 2 and 3.
    fn variables(&self, ctx: &mut Context<'_>, state: &State) -> Vec<Variable> {
        let procedure = &state.frame.procedure;
        let slots = (procedure.parameters..procedure.slots.len()).chain(0..procedure.parameters);
        slots
            .filter(|&slot| !procedure.slots[slot].name.is_empty())
            .map(|slot| Variable {
                name: Arc::clone(&procedure.slots[slot].name),
                value: self.value_of_binding(ctx.terms, state, &state.frame.bindings[slot]),
            })
            .collect()
    }

    fn evaluate(&self, ctx: &mut Context<'_>, state: &State, text: &str) -> Result<Term, InspectError> {
        let (expr, errors) = reader::read_expression(text);
        first_error(text, errors)?;
        let procedure = Rc::clone(&state.frame.procedure);
        let (lowered, errors) = lower::lower_in(&self.code, &procedure, text, |it| it.either(&expr));
        first_error(text, errors)?;
        let mut evaluation = Evaluation::total(self, ctx, state);
        let value = match &lowered {
            Ok(cond) => evaluation.condition(cond),
            Err(number) => evaluation.number(number),
        };
        value.map_err(|it| refused(&it))
    }

    fn assign(&self, ctx: &mut Context<'_>, state: &mut State, target: &str, value: &str) -> Result<(), InspectError> {
        let (expr, errors) = reader::read_expression(target);
        first_error(target, errors)?;
        let procedure = Rc::clone(&state.frame.procedure);
        let target_of = |it: &mut lower::Lowering<'_, '_>| {
            let target = lower::as_target(&expr)?;
            it.target(&target)
        };
        let (lowered, errors) = lower::lower_in(&self.code, &procedure, target, target_of);
        first_error(target, errors)?;
        let lowered = lowered.ok_or_else(|| InspectError::Meaning("a variable was expected before `=`".to_owned()))?;
        let value_term = self.evaluate(ctx, state, value)?;
        if ctx.terms.sort(value_term) != effigy_term::Sort::Int {
            return Err(InspectError::Meaning("a number was expected after `=`".to_owned()));
        }
        let at = match &lowered {
            Target::Scalar(slot) => match state.frame.bindings[*slot as usize] {
                Binding::Cell(cell) => {
                    state.cells.insert_mut(cell, Cell::Scalar(Some(value_term)));
                    return self.after_assignment(ctx, state, value_term);
                }
                Binding::Element(cell, at) => (cell, at),
            },
            Target::Element(slot, at) => {
                let at = Evaluation::total(self, ctx, state).number(at).map_err(|it| refused(&it))?;
                (state.frame.cell(*slot), at)
            }
        };
        let Some(Cell::Array(array)) = state.cells.get(&at.0) else {
            return Err(InspectError::Meaning("the array has not come into being yet".to_owned()));
        };
        let mut array = Array::clone(array);
        array.store(ctx.terms, at.1, value_term);
        state.cells.insert_mut(at.0, Cell::Array(Rc::new(array)));
        self.after_assignment(ctx, state, value_term)
    }

    fn call(&self, ctx: &mut Context<'_>, text: &str) -> Result<State, InspectError> {
        let (procedure, _) = compile_call(&self.code, text).map_err(|it| match it.errors.first() {
            Some(error) => {
                let column = text.get(..error.span.start as usize).map_or(0, |it| it.chars().count());
                InspectError::Syntax { message: error.message.clone(), column }
            }
            None => InspectError::Meaning("this is no call".to_owned()),
        })?;
        let start = self.start_of(&Rc::new(procedure));
        // To the first statement of the procedure, if nothing is asked on the way.
        let mut state = start.clone();
        Ok(match crate::step::step(self, ctx, &mut state, &mut 0) {
            Step::Next => state,
            _ => start,
        })
    }

    fn results(&self, ctx: &mut Context<'_>, state: &State) -> Vec<Variable> {
        let mut res = Vec::new();
        if let Some(value) = state.value {
            res.push(Variable { name: "RETURNS".into(), value: VariableValue::Term(value) });
        }
        // The frame of the call that the user typed.
        let mut frame = &state.frame;
        while let Some((caller, _)) = &frame.caller {
            frame = caller;
        }
        for (slot, declared) in frame.procedure.slots.iter().enumerate() {
            let binding = &frame.bindings[slot];
            if declared.name.is_empty() || !passed(&frame.procedure, slot as u32) {
                continue;
            }
            // An array that was not changed is no result.
            if let Binding::Cell(cell) = binding
                && let Some(Cell::Array(array)) = state.cells.get(cell)
                && array.content == array.base
            {
                continue;
            }
            let value = self.value_of_binding(ctx.terms, state, binding);
            // Nor is a variable that has the value that it was declared with.
            if let (VariableValue::Term(value), [(initial, _)]) = (&value, &declared.initial[..])
                && Evaluation::total(self, ctx, state).number(initial).is_ok_and(|it| it == *value)
            {
                continue;
            }
            res.push(Variable { name: Arc::clone(&declared.name), value });
        }
        if !state.output.is_empty() {
            let written: Vec<String> = state.output.iter().map(|&it| self.show(ctx.terms, it)).collect();
            res.push(Variable { name: "WRITES".into(), value: VariableValue::Text(written.join(", ")) });
        }
        res
    }

    fn assumptions(&self, state: &State) -> Vec<Term> {
        state.assumed.iter().copied().collect()
    }

    fn show(&self, terms: &Terms, term: Term) -> String {
        Program::show(self, terms, term)
    }

    fn names(&self, state: Option<&State>) -> Vec<Arc<str>> {
        let mut res: Vec<Arc<str>> = self.code.procedures.iter().map(|it| Arc::clone(&it.name)).collect();
        if let Some(state) = state {
            let slots = state.frame.procedure.slots.iter();
            res.extend(slots.filter(|it| !it.name.is_empty()).map(|it| Arc::clone(&it.name)));
        }
        res
    }
}

impl Program {
    /// An input that the user introduced with `set` belongs to the witness.
    fn after_assignment(&self, ctx: &Context<'_>, state: &mut State, value: Term) -> Result<(), InspectError> {
        for &symbol in ctx.terms.symbols(value) {
            state.met(ctx.terms.of_symbol(symbol));
        }
        Ok(())
    }

    fn value_of_binding(&self, terms: &Terms, state: &State, binding: &Binding) -> VariableValue {
        match binding {
            Binding::Cell(cell) => match state.cells.get(cell) {
                Some(Cell::Array(array)) => VariableValue::Text(self.show_array(terms, array)),
                cell => scalar(cell).map_or(VariableValue::Uninitialised, VariableValue::Term),
            },
            Binding::Element(cell, at) => match state.cells.get(cell) {
                Some(Cell::Array(array)) if terms.as_bool(array.is_defined(terms, *at)) == Some(false) => {
                    VariableValue::Uninitialised
                }
                Some(Cell::Array(array)) => VariableValue::Term(terms.select(array.content, *at)),
                _ => VariableValue::Uninitialised,
            },
        }
    }

    /// A short array element by element, another one as what was stored in it.
    pub fn show_array(&self, terms: &Terms, array: &Array) -> String {
        let bounds = array.upper.and_then(|it| terms.as_int(it)).zip(terms.as_int(array.lower));
        if let Some((upper, lower)) = bounds
            && let Some(count) = (upper - lower + 1u32).to_u64().filter(|it| *it <= MOST_ELEMENTS)
        {
            let element = |step: u64| {
                let at = terms.int(lower + step);
                match terms.as_bool(array.is_defined(terms, at)) {
                    Some(false) => "?".to_owned(),
                    _ => self.show_as_is(terms, terms.select(array.content, at)),
                }
            };
            return format!("({})", (0..count).map(element).collect::<Vec<_>>().join(", "));
        }
        let mut stores = stores(terms, array.content, array.base);
        stores.reverse();
        if stores.is_empty() {
            return if array.defined.is_some() { "?".to_owned() } else { self.show_as_is(terms, array.content) };
        }
        let skipped = stores.len().saturating_sub(MOST_ELEMENTS as usize);
        let shown = stores
            .iter()
            .skip(skipped)
            .map(|&(at, value)| format!("({}) ← {}", self.show_as_is(terms, at), self.show_as_is(terms, value)));
        let dots = if skipped > 0 { "…, " } else { "" };
        format!("{dots}{}", shown.collect::<Vec<_>>().join(", "))
    }

    /// The arrays of unknown extent of the call.
    pub fn open_arrays(&self, state: &State) -> Vec<Arc<str>> {
        let mut frame = &state.frame;
        while let Some((caller, _)) = &frame.caller {
            frame = caller;
        }
        let slots = frame.procedure.slots.iter().zip(frame.bindings.iter());
        let open = slots.filter(|(_, binding)| match binding {
            Binding::Cell(cell) => matches!(state.cells.get(cell), Some(Cell::Array(it)) if it.upper.is_none()),
            Binding::Element(..) => false,
        });
        open.map(|it| Arc::clone(&it.0.name)).collect()
    }

    /// What is wrong where the assumption that a state was asked about cannot hold.
    pub fn asked(&self, state: &State) -> Option<Arc<str>> {
        state.asked.clone()
    }

    /// The place of a state in the source.
    pub fn place_in(&self, state: &State) -> Place {
        Language::place(self, state)
    }
}

/// Whether a variable of the call is passed by reference.
fn passed(call: &Procedure, slot: u32) -> bool {
    use crate::code::{Argument, OpKind};
    call.ops.iter().any(|op| match &op.kind {
        OpKind::Call(_, arguments, _) => arguments.iter().any(|it| match it {
            Argument::Reference(Target::Scalar(it) | Target::Element(it, _)) | Argument::Array(it) => *it == slot,
            Argument::Dummy(_) => false,
        }),
        _ => false,
    })
}

fn first_error(text: &str, errors: Vec<crate::diagnostic::Diagnostic>) -> Result<(), InspectError> {
    match errors.into_iter().min_by_key(|it| it.span) {
        None => Ok(()),
        Some(error) => {
            let column = text.get(..error.span.start as usize).map_or(0, |it| it.chars().count());
            Err(InspectError::Syntax { message: error.message, column })
        }
    }
}

/// Without checks only a missing value can stop an evaluation.
fn refused(step: &Step) -> InspectError {
    InspectError::Meaning(match step {
        Step::Exit(effigy_engine::Outcome::Violation(violation)) => violation.message.clone(),
        Step::GaveUp(it) => it.to_string(),
        _ => "the value is not known".to_owned(),
    })
}

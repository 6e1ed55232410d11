//! Running a state: what each operation does.
//!
//! Knows: the effects of statements. Never: φ, which way is taken.
//! Source: King 1976, section 2 (assignment, IF), section 6 (the language), section 8 (ASSUME, PROVE, ASSERT).
//!
//! An operation with a question is run again from its start when it is answered, so it changes nothing before its last
//! question.

mod merging;

use crate::array::Array;
use crate::bugs;
use crate::code::{Argument, ArrayBounds, OpKind, Procedure, Slot, Target};
use crate::evaluate::{EvalResult, Evaluation};
use crate::options::Asserts;
use crate::program::Program;
use crate::state::{Binding, Cell, CellId, Frame, State};
use effigy_engine::{AlternativeLabel, Context, Note, Outcome, Site, Step};
use effigy_term::{Sort, Term};
use std::rc::Rc;
use std::sync::Arc;

/// Statements are counted; between them is no fuel.
pub(crate) fn step(program: &Program, ctx: &mut Context<'_>, state: &mut State, fuel: &mut u64) -> Step {
    // Someone who goes statement by statement wants to stop behind one that was asked about.
    let resumed = !state.answers.is_empty() && *fuel == 1;
    loop {
        let procedure = Rc::clone(&state.frame.procedure);
        let Some(op) = procedure.ops.get(state.pc as usize) else {
            // Every procedure ends with a RETURN.
            return Step::Exit(Outcome::Exit { code: None });
        };
        if op.begins && !state.begun {
            if state.open {
                state.clock += 1;
                state.open = false;
            }
            if *fuel == 0 || resumed {
                return Step::Next;
            }
            *fuel -= 1;
            state.open = true;
            state.begun = true;
            ctx.coverage.reach(Site(procedure.first_site + op.statement));
        }
        let outer = state.frame.depth == 0;
        let before = merging::before(ctx, state);
        match operate(program, ctx, state, &op.kind) {
            Ok(None) => {
                state.begun = false;
                state.answers.clear();
                if before.is_some_and(|it| merging::meets(state, &it)) {
                    return Step::Next;
                }
                // The first statement of the called procedure is seen before it is executed.
                if outer && state.frame.depth == 1 {
                    return Step::Next;
                }
            }
            Ok(Some(outcome)) => {
                state.ended = true;
                return Step::Exit(outcome);
            }
            Err(question) => {
                if before.is_some()
                    && let Some(what) = &state.asked
                {
                    // Where paths are merged, nobody asks whether one is left.
                    let what = match what.starts_with("the subscript") {
                        true => "subscripts are within arrays of unknown extent",
                        false => "inputs fit the width",
                    };
                    let note = Note { kind: Note::ASSUMED.into(), what: what.to_owned(), incomplete: false };
                    ctx.notes.add(note, || program.place_of(state));
                }
                return *question;
            }
        }
    }
}

/// What an operation will do, once nothing is left to ask.
enum Plan {
    /// Goes on at an operation.
    Goto(u32),
    /// Assigns the value to the place.
    Set(Place, Term),
    /// Reads an input into a place.
    Read(Place, Term),
    /// Appends the values to the output.
    Write(Vec<Term>),
    /// Enters the procedure of the call.
    Call(Call),
    /// Fills the variables of the procedure.
    Enter(Vec<(CellId, Cell)>, Vec<(u32, CellId)>),
    /// Leaves the procedure, with its value.
    Return(Option<Term>),
    /// The next execution of the cut point ends the path.
    PassCut,
    /// Ends the program with this outcome.
    Exit(Outcome),
}

/// The location that a value goes to.
enum Place {
    Cell(CellId),
    Element(CellId, Term),
}

struct Call {
    procedure: Rc<Procedure>,
    bindings: Vec<Binding>,
    /// The dummies among the arguments.
    dummies: Vec<(CellId, Term)>,
    next_cell: CellId,
    result: Option<u32>,
}

/// Executes an operation; the outcome, if the program ends with it.
fn operate(program: &Program, ctx: &Context<'_>, state: &mut State, op: &OpKind) -> EvalResult<Option<Outcome>> {
    let mut evaluation = Evaluation::new(program, ctx, state);
    let planned = plan(&mut evaluation, op);
    let (assumed, met, asked) = (evaluation.assumed, evaluation.met, evaluation.asked);
    met.into_iter().for_each(|it| state.met(it));
    let plan = match planned {
        Ok(plan) => plan,
        Err(question) => {
            state.asked = asked.map(Into::into);
            return Err(question);
        }
    };
    assumed.into_iter().for_each(|it| state.assumed.push_back_mut(it));
    perform(program, ctx, state, plan)
}

fn plan(evaluation: &mut Evaluation<'_, '_>, op: &OpKind) -> EvalResult<Plan> {
    let (program, terms) = (evaluation.program, evaluation.terms());
    let next = evaluation.state.pc + 1;
    Ok(match op {
        OpKind::Null => Plan::Goto(next),
        OpKind::Jump(to) => Plan::Goto(*to),
        OpKind::Branch(cond, then, otherwise) => {
            let cond = evaluation.condition(cond)?;
            let holds = evaluation.branch(cond, || [AlternativeLabel::True, AlternativeLabel::False])?;
            Plan::Goto(if holds { *then } else { *otherwise })
        }
        OpKind::Assign(target, value) => {
            let value = evaluation.number(value)?;
            Plan::Set(place(evaluation, target)?, value)
        }
        OpKind::Read(target) => {
            let place = place(evaluation, target)?;
            let name = format!("READ({})", evaluation.state.reads + 1);
            let input = evaluation.input(&name, Sort::Int);
            evaluation.within_width(input)?;
            Plan::Read(place, input)
        }
        OpKind::Write(values) => {
            let values: EvalResult<Vec<Term>> = values.iter().map(|it| evaluation.number(it)).collect();
            Plan::Write(values?)
        }
        OpKind::Call(callee, arguments, result) => {
            Plan::Call(call(evaluation, Rc::clone(&program.code.procedures[*callee as usize]), arguments, *result)?)
        }
        OpKind::Enter => enter(evaluation)?,
        OpKind::Return(value) => Plan::Return(value.as_ref().map(|it| evaluation.number(it)).transpose()?),
        OpKind::Assume(cond) => {
            let cond = assertion(evaluation, cond)?;
            if terms.as_bool(cond) == Some(false) {
                return Ok(Plan::Exit(Outcome::Silent));
            }
            let asked = terms.as_bool(cond).is_none() && evaluation.state.answers.len() == evaluation.used;
            if asked {
                return Err(Box::new(Step::Assume(cond)));
            }
            Plan::Goto(next)
        }
        OpKind::Prove(cond) => {
            let cond = assertion(evaluation, cond)?;
            evaluation.require(cond, bugs::ASSERTION, || "what is to be proved does not hold".to_owned())?;
            Plan::Goto(next)
        }
        OpKind::Assert(cond) => {
            let cond = assertion(evaluation, cond)?;
            if evaluation.state.at_cut {
                if terms.as_bool(cond) == Some(false) {
                    return Ok(Plan::Exit(Outcome::Silent));
                }
                if terms.as_bool(cond).is_none() && evaluation.state.answers.len() == evaluation.used {
                    return Err(Box::new(Step::Assume(cond)));
                }
                return Ok(Plan::PassCut);
            }
            let cuts = program.options.asserts == Asserts::Cuts;
            if cuts && terms.as_bool(cond) == Some(true) && evaluation.state.answers.len() == evaluation.used {
                // A proof lists what is plainly true as well.
                let violation = program.violation(evaluation.state, bugs::ASSERTION, String::new());
                return Err(Box::new(Step::Require { cond, violation }));
            }
            evaluation.require(cond, bugs::ASSERTION, || "the assertion does not hold".to_owned())?;
            // The cut points are those of the procedure that is proved, not of those that it calls.
            match program.options.asserts {
                Asserts::Cuts if evaluation.state.frame.depth == 1 => Plan::Exit(Outcome::Exit { code: None }),
                Asserts::Cuts | Asserts::Checked => Plan::Goto(next),
            }
        }
    })
}

/// The value of a condition in an assertion, where subscripts and divisions are those of mathematics.
fn assertion(evaluation: &mut Evaluation<'_, '_>, cond: &crate::code::Cond) -> EvalResult<Term> {
    let mut total = Evaluation::total(evaluation.program, evaluation.ctx, evaluation.state);
    total.used = evaluation.used;
    let res = total.condition(cond);
    evaluation.met.append(&mut total.met);
    // A variable without a value is asked about: what follows must not take that answer for its own.
    evaluation.used = total.used;
    res
}

fn place(evaluation: &mut Evaluation<'_, '_>, target: &Target) -> EvalResult<Place> {
    Ok(match target {
        Target::Scalar(slot) => match evaluation.state.frame.bindings[*slot as usize] {
            Binding::Cell(cell) => Place::Cell(cell),
            Binding::Element(cell, at) => Place::Element(cell, at),
        },
        Target::Element(slot, at) => {
            let at = evaluation.number(at)?;
            if let Some(array) = evaluation.state.array(*slot).map(Rc::clone) {
                let name = Arc::clone(evaluation.state.frame.procedure.name_of(*slot));
                evaluation.subscript(&array, at, &name)?;
            }
            Place::Element(evaluation.state.frame.cell(*slot), at)
        }
    })
}

/// PL/I's argument passing: by reference, a dummy for an expression.
fn call(
    evaluation: &mut Evaluation<'_, '_>,
    procedure: Rc<Procedure>,
    arguments: &[Argument],
    result: Option<u32>,
) -> EvalResult<Call> {
    let mut next_cell = evaluation.state.next_cell;
    let mut fresh = || {
        next_cell += 1;
        next_cell - 1
    };
    let mut bindings = Vec::with_capacity(procedure.slots.len());
    let mut dummies = Vec::new();
    for argument in arguments {
        bindings.push(match argument {
            Argument::Reference(target) => match place(evaluation, target)? {
                Place::Cell(cell) => Binding::Cell(cell),
                Place::Element(cell, at) => Binding::Element(cell, at),
            },
            Argument::Array(slot) => Binding::Cell(evaluation.state.frame.cell(*slot)),
            Argument::Dummy(value) => {
                let cell = fresh();
                dummies.push((cell, evaluation.number(value)?));
                Binding::Cell(cell)
            }
        });
    }
    for slot in &procedure.slots[bindings.len()..] {
        bindings.push(Binding::Cell(match slot.is_static {
            // STATIC variables live at the other end of the store, for ever.
            Some(number) => CellId::MAX - number,
            None => fresh(),
        }));
    }
    Ok(Call { procedure, bindings, dummies, next_cell, result })
}

/// The variables of a procedure come into being.
fn enter(evaluation: &mut Evaluation<'_, '_>) -> EvalResult<Plan> {
    let terms = evaluation.terms();
    let state = evaluation.state;
    let procedure = Rc::clone(&state.frame.procedure);
    let mut cells = Vec::new();
    let mut statics = Vec::new();
    for (slot, declared) in procedure.slots.iter().enumerate() {
        let cell = state.frame.cell(slot as u32);
        if slot < procedure.parameters {
            if let (Some(ArrayBounds::Range(lower, upper)), Some(array)) = (&declared.bounds, state.array(slot as u32))
                && array.upper.is_none()
            {
                // An array of unknown extent gets that of the declaration.
                let mut array = Array::clone(array);
                array.lower = evaluation.number(lower)?;
                array.upper = Some(evaluation.number(upper)?);
                cells.push((cell, Cell::Array(Rc::new(array))));
            }
            continue;
        }
        if let Some(number) = declared.is_static {
            if state.statics.contains_key(&number) {
                continue;
            }
            statics.push((number, cell));
        }
        cells.push((cell, variable(evaluation, declared)?));
    }
    let _ = terms;
    Ok(Plan::Enter(cells, statics))
}

/// A variable as it begins.
fn variable(evaluation: &mut Evaluation<'_, '_>, declared: &Slot) -> EvalResult<Cell> {
    let terms = evaluation.terms();
    let mut array = match &declared.bounds {
        None => {
            let initial = match declared.initial.first() {
                Some((value, _)) => Some(evaluation.number(value)?),
                None => None,
            };
            return Ok(Cell::Scalar(initial));
        }
        Some(ArrayBounds::Argument) => {
            let content = evaluation.input(&declared.name, crate::array::content_sort(terms));
            Array::symbolic(content, terms.int(1), None)
        }
        Some(ArrayBounds::Range(lower, upper)) => {
            let lower = evaluation.number(lower)?;
            Array::uninitialised(terms, lower, evaluation.number(upper)?)
        }
    };
    let mut at = array.lower;
    for (value, times) in declared.initial.iter() {
        let value = evaluation.number(value)?;
        for _ in 0..*times {
            evaluation.subscript(&array, at, &declared.name)?;
            array.store(terms, at, value);
            at = terms.int_add(at, terms.int(1));
        }
    }
    Ok(Cell::Array(Rc::new(array)))
}

/// Nothing is asked any more.
fn perform(program: &Program, ctx: &Context<'_>, state: &mut State, plan: Plan) -> EvalResult<Option<Outcome>> {
    state.pc += 1;
    match plan {
        Plan::Goto(to) => state.pc = to,
        Plan::Set(place, value) => set(ctx, state, &place, value),
        Plan::Read(place, input) => {
            state.reads += 1;
            set(ctx, state, &place, input);
        }
        Plan::Write(values) => values.into_iter().for_each(|it| state.output.push_back_mut(it)),
        Plan::Call(call) => enter_frame(ctx, state, call),
        Plan::Enter(cells, statics) => {
            statics.into_iter().for_each(|(number, cell)| {
                state.statics.insert_mut(number, cell);
            });
            cells.into_iter().for_each(|(cell, content)| {
                state.cells.insert_mut(cell, content);
            });
        }
        Plan::Return(value) => return leave_frame(program, ctx, state, value),
        Plan::PassCut => state.at_cut = false,
        Plan::Exit(outcome) => return Ok(Some(outcome)),
    }
    Ok(None)
}

fn set(ctx: &Context<'_>, state: &mut State, place: &Place, value: Term) {
    match *place {
        Place::Cell(cell) => {
            state.cells.insert_mut(cell, Cell::Scalar(Some(value)));
        }
        Place::Element(cell, at) => {
            if let Some(Cell::Array(array)) = state.cells.get(&cell) {
                let mut array = Array::clone(array);
                array.store(ctx.terms, at, value);
                state.cells.insert_mut(cell, Cell::Array(Rc::new(array)));
            }
        }
    }
}

fn enter_frame(ctx: &Context<'_>, state: &mut State, call: Call) {
    let Call { procedure, bindings, dummies, next_cell, result } = call;
    for (cell, value) in dummies {
        state.cells.insert_mut(cell, Cell::Scalar(Some(value)));
    }
    let old = match procedure.uses_old {
        false => Box::default(),
        true => bindings.iter().map(|it| entry_value(ctx, state, it)).collect(),
    };
    let frame = Frame {
        procedure,
        bindings: bindings.into(),
        own: state.next_cell..next_cell,
        caller: Some((Rc::clone(&state.frame), state.pc)),
        result,
        depth: state.frame.depth + 1,
        old,
    };
    state.next_cell = next_cell;
    state.frame = Rc::new(frame);
    state.pc = 0;
}

/// The value at entry that `OLD` refers to.
fn entry_value(ctx: &Context<'_>, state: &State, binding: &Binding) -> Option<Cell> {
    match binding {
        Binding::Cell(cell) => state.cells.get(cell).cloned(),
        Binding::Element(cell, at) => match state.cells.get(cell) {
            Some(Cell::Array(array)) => {
                let value = ctx.terms.select(array.content, *at);
                Some(Cell::of_scalar(ctx.terms, array.is_defined(ctx.terms, *at), Some(value)))
            }
            _ => None,
        },
    }
}

fn leave_frame(
    program: &Program,
    ctx: &Context<'_>,
    state: &mut State,
    value: Option<Term>,
) -> EvalResult<Option<Outcome>> {
    let frame = Rc::clone(&state.frame);
    let Some((caller, pc)) = &frame.caller else {
        return Ok(Some(Outcome::Exit { code: None }));
    };
    if frame.result.is_some() && value.is_none() {
        let message = format!("{} returns without a value, and its value is used", frame.procedure.name);
        // The place of the RETURN.
        state.pc = state.pc.saturating_sub(1);
        return Ok(Some(Outcome::Violation(program.violation(state, bugs::NO_VALUE, message))));
    }
    for cell in frame.own.clone() {
        state.cells.remove_mut(&cell);
    }
    state.next_cell = frame.own.start;
    if caller.depth == 0 {
        state.value = value;
    }
    state.frame = Rc::clone(caller);
    state.pc = *pc;
    if let (Some(slot), Some(value)) = (frame.result, value) {
        let place = Place::Cell(state.frame.cell(slot));
        set(ctx, state, &place, value);
    }
    Ok(None)
}

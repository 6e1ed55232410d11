//! A program as a transition system: the implementation of [`Language`].
//!
//! Knows: how states start, what a report wants to know of them. Never: what instructions do (`step`), analyses.

use crate::code::{Parameter, Shape};
use crate::frames::Frames;
use crate::havoc::Changes;
use crate::machine::{Flow, Machine};
use crate::memory::bytes::Bytes;
use crate::memory::{ObjectKind, Size};
use crate::process::{Handler, Passed, Process};
use crate::program::Program;
use crate::state::{Marks, State};
use crate::step;
use crate::value::Val;
use effigy_engine::{Context, Havoc, Input, InputData, Language, Place, Resolution, Step, Witness};
use effigy_term::eval::Evaluator;
use effigy_term::{BvValue, Model, PersistentList, Sort, Symbol, Term, Value};
use std::rc::Rc;
use std::sync::Arc;

impl Language for Program {
    type State = State;

    fn start(&self, ctx: &mut Context<'_>) -> State {
        let mut state = self.before_start();
        let mut machine = Machine::new(&self.executable, ctx, &mut state);
        // Where the start has a question, it is made again by the first step.
        let begun = self.push_start(&mut machine).is_ok();
        state.begun = begun;
        state
    }

    fn step(&self, ctx: &mut Context<'_>, state: &mut State, fuel: &mut u64) -> Step {
        if !state.begun {
            if let Err(question) = self.push_start(&mut Machine::new(&self.executable, ctx, state)) {
                return question;
            }
            state.begun = true;
            state.answers.clear();
        }
        step::run(&self.executable, ctx, state, fuel)
    }

    fn answer(&self, state: &mut State, resolution: Resolution) {
        state.answers.push(resolution);
    }

    fn place(&self, state: &State) -> Place {
        self.executable.place(state)
    }

    fn comes_again(&self, ctx: &mut Context<'_>, before: &State, after: &State) -> bool {
        let stands = |it: &State| it.frames.last().map(|it| (it.function, it.pc));
        if before.threads.are_several() || after.threads.are_several() {
            return false;
        }
        if stands(before) != stands(after) || before.answers != after.answers {
            return false;
        }
        // What a round makes and loses has another address each time: that must not have decided anything.
        if before.memory.next_id() != after.memory.next_id() && after.placed {
            return false;
        }
        let without = |it: &State| State { answers: Vec::new(), ..it.clone() };
        self.changes(ctx, &without(before), &without(after)).is_ok_and(|it| it == Changes::default())
    }

    fn witness(&self, ctx: &Context<'_>, state: &State, model: &Model) -> Witness {
        let mut evaluator = Evaluator::new(ctx.terms, model);
        let mut put = |term: Term, len: usize, bytes: &mut Vec<u8>| {
            let end = bytes.len() + len;
            if let Some(Value::BitVec(value)) = evaluator.value(term) {
                match value.to_u64() {
                    Some(word) => bytes.extend_from_slice(&word.to_le_bytes()[..len.min(8)]),
                    None => bytes.extend(value.to_biguint().to_bytes_le()),
                }
            }
            bytes.resize(end, 0);
        };
        let inputs = state.inputs.iter().map(|record| {
            // A mathematical integer has no bytes.
            if let [term] = record.pieces[..]
                && ctx.terms.sort(term) == Sort::Int
            {
                let value = match Evaluator::new(ctx.terms, model).value(term) {
                    Some(Value::Int(value)) => value.to_string(),
                    _ => "0".to_owned(),
                };
                return Input::new(record.name.to_string(), InputData::Scalar(value));
            }
            let mut bytes = Vec::with_capacity(record.pieces.len() * record.element as usize);
            record.pieces.iter().for_each(|&it| put(it, record.element as usize, &mut bytes));
            // A file is told as far as it goes.
            if let Some(size) = state.process.sizes.get(&record.name) {
                let mut word = Vec::with_capacity(8);
                put(*size, 8, &mut word);
                let size = word.iter().rev().fold(0, |sum, &it| sum << 8 | u64::from(it));
                bytes.truncate(usize::try_from(size).unwrap_or(usize::MAX));
            }
            Input {
                name: record.name.to_string(),
                ty: record.ty.as_ref().map(ToString::to_string),
                data: InputData::Bytes { bytes, element: record.element, signed: record.signed },
            }
        });
        let inputs = inputs.collect();
        let mut output = Vec::new();
        let mut is_output_defined = true;
        for chunk in state.output.to_vec() {
            chunk.write(
                &mut |term| {
                    is_output_defined &= !ctx.terms.is_undefined(term);
                    match Evaluator::new(ctx.terms, model).value(term) {
                        Some(Value::BitVec(value)) => value.to_u64().unwrap_or(0),
                        _ => 0,
                    }
                },
                &mut output,
            );
        }
        let exit = state.exit.as_ref().and_then(|it| match it {
            Val::Int(bits) => Some(crate::process::status(*bits)),
            // Of uninitialised storage nobody knows the content.
            Val::Term(term) if ctx.terms.is_undefined(*term) => None,
            Val::Term(term) => match Evaluator::new(ctx.terms, model).value(*term) {
                Some(Value::BitVec(value)) => value.to_u64().map(crate::process::status),
                _ => None,
            },
            _ => None,
        });
        let made_up = state.called_unknown;
        let outside = made_up
            || state.process.files.assumed
            || state.placed
            || state.nan_bits
            || !is_output_defined
            || !is_defined(ctx, state, model);
        let message = self.panic_text(ctx.terms, state, model).map(|it| format!("the program panics: {it}"));
        Witness {
            inputs,
            output,
            exit,
            message,
            gap: state.outside.map_or(0, |it| it.gap(ctx.terms, model)),
            assumed: outside || state.fresh > 0 || state.random > 0,
            made_up,
            schedule: state.threads.schedule.to_vec(),
            unlocks_are_turns: self.executable.tries_locks && state.threads.are_several(),
        }
    }

    fn size_hint(&self, state: &State) -> usize {
        state.memory.size_hint() + state.frames.len() * 64
    }
}

/// Whether what the path asked for is the same on the run of a model whatever is in storage that was never written. It is
/// tried with some contents.
fn is_defined(ctx: &Context<'_>, state: &State, model: &Model) -> bool {
    let terms = ctx.terms;
    state.defined.iter().all(|&cond| {
        let is_renamed = |it: &&Symbol| terms.is_renamed_undefined(**it);
        let renamed: Vec<Symbol> = terms.symbols(cond).iter().filter(is_renamed).copied().collect();
        CONTENTS.iter().all(|&content| {
            let mut other = model.clone();
            for (at, &symbol) in renamed.iter().enumerate() {
                let Sort::BitVec(width) = terms.symbol_info(symbol).sort else { return false };
                let bits = content.rotate_left(13 * at as u32);
                other.set(symbol, Value::BitVec(BvValue::from_u64(width, bits)));
            }
            Evaluator::new(terms, &other).value(cond) == Some(Value::Bool(true))
        })
    })
}

/// What may be in storage that was never written, beside what the model has there.
const CONTENTS: [u64; 4] = [0x9E37_79B9_7F4A_7C15, 0x0123_4567_89AB_CDEF, 0xFFFF_0000_00FF_8001, 1];

impl Program {
    /// The call of the entry. Nothing is changed before the last question.
    fn push_start(&self, machine: &mut Machine<'_, '_>) -> Flow<()> {
        let function = &self.executable.code.functions[self.entry as usize];
        let surroundings = &self.executable.options.surroundings;
        let mut arguments = Vec::new();
        if self.executable.options.entry.is_none() {
            let counts = machine.numbers_of_arguments(surroundings)?;
            machine.surround(surroundings);
            arguments = machine.main_arguments(surroundings, &counts);
            arguments.truncate(function.parameters.len());
        } else {
            machine.surround(surroundings);
            for it in &function.parameters {
                arguments.push(self.symbolic_argument(machine, it));
            }
        }
        self.enter(machine, self.entry, &arguments);
        Ok(())
    }

    /// A call of `function`, after the constructors of global objects.
    fn enter(&self, machine: &mut Machine<'_, '_>, function: u32, arguments: &[Val]) {
        machine.state.frames.push(Rc::new(step::new_frame(&self.executable, function, arguments)));
        for &constructor in self.executable.code.constructors.iter().rev() {
            let mut frame = step::new_frame(&self.executable, constructor, &[]);
            frame.ignore_result = true;
            machine.state.frames.push(Rc::new(frame));
        }
        let site = self.executable.code.functions[function as usize].site;
        if site != crate::code::NO_SITE {
            machine.ctx.coverage.reach(effigy_engine::Site(site));
        }
    }

    /// The state before anything is called.
    pub(crate) fn before_start(&self) -> State {
        State {
            memory: self.executable.code.memory.clone(),
            strays: Rc::clone(&self.executable.code.strays),
            frames: Frames::default(),
            begun: true,
            answers: Vec::new(),
            inputs: Rc::default(),
            input_names: Rc::default(),
            undefined: 0,
            defined: Rc::default(),
            poison: Rc::default(),
            fresh: 0,
            nan_bits: false,
            called_unknown: false,
            placed: false,
            layout: Rc::default(),
            output: PersistentList::new(),
            random: 0,
            process: self.process_before_start(),
            threads: Rc::default(),
            marks: Marks::default(),
            exit: None,
            panic: None,
            outside: None,
        }
    }

    /// Destructors run after all that the program registers.
    fn process_before_start(&self) -> Process {
        let mut process = Process { flushed: Some(0), ..Process::default() };
        for &destructor in &self.executable.code.destructors {
            process.at_exit.push(Handler { function: Val::Int(destructor), passed: Passed::Nothing });
        }
        process
    }

    /// The start of a call of `function` with these arguments.
    pub(crate) fn start_call(&self, ctx: &mut Context<'_>, function: u32, arguments: &[Val]) -> State {
        let mut state = self.before_start();
        let mut machine = Machine::new(&self.executable, ctx, &mut state);
        machine.surround(&self.executable.options.surroundings);
        self.enter(&mut machine, function, arguments);
        state
    }

    /// Whether a state began with the program's own `main`.
    pub(crate) fn is_main(&self, state: &State) -> bool {
        let first = state.frames.get(0).map(|it| it.function);
        self.executable.options.entry.is_none() && first == Some(self.entry)
    }

    fn symbolic_argument(&self, machine: &mut Machine<'_, '_>, parameter: &Parameter) -> Val {
        let width = match parameter.shape {
            Shape::Scalar { width, .. } => width,
            Shape::Aggregate(_) => 8,
        };
        let name: Arc<str> = parameter.name.trim_end_matches(".addr").into();
        if parameter.pointer {
            let size = self.executable.options.buffer.min(1 << 20);
            let bytes = Bytes::uninitialised(size as usize);
            let id = machine.allocate(ObjectKind::Heap, Size::Known(size), bytes, 1, &name);
            let address = Val::Int(id.base());
            // A fresh object of the right size is never out of bounds, so there is no question to lose.
            let _ = machine.input_memory(&address, size, &name);
            return address;
        }
        let terms = machine.ctx.terms;
        if width == 1 {
            let byte = machine.input_number(&name, effigy_term::Width::W8, false);
            let bit = terms.bv_extract(0, 0, byte);
            return Val::of_term(terms, terms.eq(bit, terms.bv_u64(effigy_term::Width::W1, 1)));
        }
        let (width, signed) = (effigy_term::Width::of(width), parameter.signed == Some(true));
        let term = machine.input_number_of_type(&name, width, signed, parameter.float);
        if parameter.signed.is_none() {
            terms.set_sign_unknown(term);
        }
        Val::of_term(terms, term)
    }
}

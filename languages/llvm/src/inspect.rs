//! What a person sees of a C program: lines, variables, expressions in C.
//!
//! Knows: debug information, the syntax of C expressions. Never: who asks; files (the source text is given).
//!
//! A statement is a line: its number is the line's, and several executions of one line by a loop in that line are one.
//! Variables whose address is not taken live in registers here, others in memory; where the compiler has optimised
//! (Rust programs), only those that are in memory are known.

mod defined;
mod expression;
mod values;

use crate::code::{Callable, Home, Inst, SourceVariable, Target};
use crate::memory::ObjectId;
use crate::names::nondet;
use crate::process::status;
use crate::program::Program;
use crate::state::{Chunk, State};
use crate::statements::Statements;
use crate::value::{Val, signed};
use effigy_engine::{
    Conditional, Context, Inspect, InspectError, Standing, Statement, ValuePart, Variable, VariableValue,
};
use effigy_term::print::{Dialect, PathBounds, machine_on};
use effigy_term::range::Ranges;
use effigy_term::truth_table::TruthTables;
use effigy_term::{BvOp, Sort, Term, Terms, Value, Width};
use expression::Expression;
use std::collections::BTreeSet;
use std::sync::Arc;
use values::{Access, Slot};

/// Globals are listed with the variables when they are no more than these.
const MOST_GLOBALS: usize = 32;

impl Program {
    /// Gives the lines of the source to the statements; `read` gives the text of a file.
    #[must_use]
    pub fn with_sources(mut self, read: &dyn Fn(&str) -> Option<String>) -> Program {
        self.statements = std::cell::OnceCell::from(Statements::find(&self.executable.code, read));
        self
    }

    fn statement_table(&self) -> &Statements {
        self.statements.get_or_init(|| Statements::find(&self.executable.code, &|_| None))
    }

    /// The variables of the source that can be named in `state`, the innermost first.
    fn in_scope<'p>(&'p self, state: &State) -> Vec<&'p SourceVariable> {
        let Some(frame) = state.frames.last() else { return Vec::new() };
        let line = self.statement(state).number;
        let mut res: Vec<&SourceVariable> = Vec::new();
        for variable in &self.executable.code.functions[frame.function as usize].variables {
            // Where a block's variable is declared below, it does not hide an outer one.
            if variable.inner && variable.line > line {
                continue;
            }
            res.retain(|it| it.name != variable.name);
            res.push(variable);
        }
        res
    }

    /// The variable of this name, local or global.
    fn variable<'p>(&'p self, state: &State, name: &str) -> Option<&'p SourceVariable> {
        let local = self.in_scope(state).into_iter().find(|it| &*it.name == name);
        local.or_else(|| self.executable.code.source_globals.iter().find(|it| &*it.name == name))
    }

    /// Where the value of a variable is.
    fn slot(&self, state: &State, variable: &SourceVariable) -> Option<Slot> {
        if let Home::At(address) = variable.home {
            return Some(Slot::at(address));
        }
        let frame = state.frames.last()?;
        match variable.home {
            Home::At(_) => None,
            Home::Behind(register) => match frame.registers.get(register as usize)? {
                Val::Int(address) => Some(Slot::at(*address)),
                _ => None,
            },
            Home::Register(register, bits) => {
                let value = frame.registers.get(register as usize)?;
                // Before the function's first line its parameters are still where they arrived.
                let function = &self.executable.code.functions[frame.function as usize];
                if let (Val::Undef, Some(parameter)) = (value, variable.parameter)
                    && function.parameters.iter().all(|it| matches!(it.shape, crate::code::Shape::Scalar { .. }))
                    && let Some(Val::Int(_) | Val::Term(_)) = frame.registers.get(parameter as usize - 1)
                    && parameter as usize <= function.parameters.len()
                {
                    return Some(Slot::Register { register: parameter - 1, bits });
                }
                Some(Slot::Register { register, bits })
            }
        }
    }

    /// Whether an object is the home of a variable of the innermost frame, which shows it.
    fn shows(&self, state: &State, object: ObjectId) -> bool {
        self.in_scope(state)
            .into_iter()
            .any(|it| matches!(self.slot(state, it), Some(Slot::Memory { object: id, .. }) if id == object))
    }

    /// The variables of the innermost frame, and globals where they are few.
    fn variables_in_scope(&self, ctx: &mut Context<'_>, state: &State) -> Vec<Variable> {
        let access = Access { program: self, terms: ctx.terms, state };
        let mut res = Vec::new();
        let globals = self.executable.code.source_globals.iter().filter(|it| !it.name.starts_with(['_', '.']));
        let globals = globals.take(MOST_GLOBALS + 1).collect::<Vec<_>>();
        let mut variables = self.in_scope(state);
        if globals.len() <= MOST_GLOBALS {
            let hidden = |it: &&SourceVariable| variables.iter().any(|local| local.name == it.name);
            let shown: Vec<&SourceVariable> = globals.into_iter().filter(|it| !hidden(it)).collect();
            variables.extend(shown);
        }
        for variable in variables {
            let value = match self.slot(state, variable) {
                Some(slot) => access.shown(&slot, variable.ty),
                None => VariableValue::Uninitialised,
            };
            res.push(Variable { name: Arc::clone(&variable.name), value });
        }
        res
    }
}

impl Program {
    /// A formula by the rules of the language that the program is written in.
    fn printed_on(&self, terms: &Terms, term: Term, path: &PathBounds) -> String {
        let dialect = self.dialect.get_or_init(|| {
            let is_rust = self.executable.code.places.iter().any(|it| it.file.ends_with(".rs"));
            if is_rust { Dialect::Rust } else { Dialect::C }
        });
        machine_on(terms, *dialect, term, path)
    }
}

/// [`status`] of a code that depends on the inputs.
fn status_term(terms: &Terms, code: Term) -> Term {
    let tables = TruthTables::new();
    if Ranges::new(terms, &tables).range(code).is_some_and(|it| it.unsigned().1 <= 0xff) {
        return code;
    }
    match terms.sort(code) {
        Sort::BitVec(width) => terms.bv_op(BvOp::And, code, terms.bv_u64(width, 0xff)),
        _ => code,
    }
}

impl Inspect for Program {
    fn is_redundant(&self, state: &State) -> bool {
        state.threads.is_redundant
    }

    fn statement(&self, state: &State) -> Statement {
        let Some(frame) = state.frames.last() else { return Statement::default() };
        let table = self.statement_table();
        table.of_instruction(&self.executable.code, frame.function, frame.pc).cloned().unwrap_or_default()
    }

    fn clock(&self, _state: &State) -> u64 {
        // Lines are the unit: an execution is told by its line and the depth of calls.
        0
    }

    fn depth(&self, state: &State) -> usize {
        if state.exit.is_some() { 0 } else { state.frames.len() }
    }

    fn statements(&self) -> Vec<Statement> {
        let mut res = self.statement_table().all.clone();
        res.sort_by(|a, b| (&a.place.file, a.number, &a.procedure).cmp(&(&b.place.file, b.number, &b.procedure)));
        res
    }

    fn variables(&self, ctx: &mut Context<'_>, state: &State) -> Vec<Variable> {
        match state.exit {
            // What the program has left is gone; its results are told by `results`.
            Some(_) => Vec::new(),
            None => self.variables_in_scope(ctx, state),
        }
    }

    fn evaluate(&self, ctx: &mut Context<'_>, state: &State, text: &str) -> Result<Term, InspectError> {
        Expression::new(self, ctx, state, text).value()
    }

    fn describe(&self, ctx: &mut Context<'_>, state: &State, text: &str) -> Result<VariableValue, InspectError> {
        Expression::new(self, ctx, state, text).described()
    }

    fn assign(&self, ctx: &mut Context<'_>, state: &mut State, target: &str, value: &str) -> Result<(), InspectError> {
        let (slot, size) = Expression::new(self, ctx, state, target).target()?;
        let term = Expression::new(self, ctx, state, value).value()?;
        let terms = ctx.terms;
        let bits = match slot {
            Slot::Register { bits, .. } => bits,
            _ => (size * 8) as u32,
        };
        let Some(width) = Width::new(bits) else {
            return Err(InspectError::Meaning(format!("the type of {target} is not known")));
        };
        let term = match terms.sort(term) {
            Sort::Bool => terms.bv_of_bool(width, term),
            Sort::BitVec(it) if it.bits() < bits => terms.bv_sign_extend(width, term),
            _ => terms.bv_truncate(width, term),
        };
        values::write(terms, state, &slot, term)
            .ok_or_else(|| InspectError::Meaning(format!("{target} cannot be written here")))
    }

    fn call(&self, ctx: &mut Context<'_>, text: &str) -> Result<State, InspectError> {
        let (name, arguments) = expression::call(text)?;
        let functions = &self.executable.code.functions;
        let Some(number) = functions.iter().position(|it| *it.source_name == *name || *it.name == *name) else {
            return Err(InspectError::Meaning(format!("there is no function {name} with a body")));
        };
        let parameters = &functions[number].parameters;
        if parameters.len() != arguments.len() {
            let message = format!("{name} takes {} arguments, not {}", parameters.len(), arguments.len());
            return Err(InspectError::Meaning(message));
        }
        let before = self.before_start();
        let mut values = Vec::new();
        for (parameter, argument) in parameters.iter().zip(arguments) {
            let crate::code::Shape::Scalar { width, .. } = parameter.shape else {
                return Err(InspectError::Unsupported("an argument that is a structure"));
            };
            let term = Expression::new(self, ctx, &before, argument).argument(width)?;
            values.push(Val::of_term(ctx.terms, term));
        }
        Ok(self.start_call(ctx, number as u32, &values))
    }

    fn results(&self, ctx: &mut Context<'_>, state: &State) -> Vec<Variable> {
        let terms = ctx.terms;
        let mut res = Vec::new();
        let returns = if self.is_main(state) { "exit code" } else { "result" };
        let function = state.frames.get(0).map(|it| &self.executable.code.functions[it.function as usize]);
        let width = match function.and_then(|it| it.result.as_ref()) {
            Some(crate::code::Shape::Scalar { width, .. }) => *width,
            _ => 32,
        };
        let value = match &state.exit {
            // A function of type `void` ends with 0 here.
            Some(_) if returns == "result" && function.is_some_and(|it| it.result.is_none()) => None,
            Some(Val::Int(bits)) if returns == "exit code" => Some(VariableValue::Text(status(*bits).to_string())),
            Some(Val::Int(bits)) => Some(VariableValue::Text(signed(*bits, width).to_string())),
            Some(Val::Term(term)) if returns == "exit code" => Some(VariableValue::Term(status_term(terms, *term))),
            Some(Val::Term(term)) => Some(VariableValue::Term(*term)),
            _ => None,
        };
        res.extend(value.map(|value| Variable { name: returns.into(), value }));
        let mut output = vec![ValuePart::Text("\"".to_owned())];
        let mut known = Vec::new();
        let flush = |known: &mut Vec<u8>, output: &mut Vec<ValuePart>| {
            let quoted = format!("{:?}", String::from_utf8_lossy(&std::mem::take(known)));
            output.push(ValuePart::Text(quoted[1..quoted.len() - 1].to_owned()));
        };
        for chunk in state.output.to_vec() {
            match chunk {
                Chunk::Number { term, .. } if terms.as_bv(term).is_none() => {
                    known.extend_from_slice("⟨".as_bytes());
                    flush(&mut known, &mut output);
                    output.push(ValuePart::Term(term));
                    known.extend_from_slice("⟩".as_bytes());
                }
                chunk => {
                    let number = |term| terms.as_bv(term).and_then(effigy_term::BvValue::to_u64).unwrap_or(0);
                    chunk.write(&mut { number }, &mut known);
                }
            }
        }
        if output.len() > 1 || !known.is_empty() {
            flush(&mut known, &mut output);
            output.push(ValuePart::Text("\"".to_owned()));
            res.push(Variable { name: "output".into(), value: VariableValue::composite(output) });
        }
        res
    }

    fn variables_at_end(&self, ctx: &mut Context<'_>, state: &State) -> Vec<Variable> {
        match state.frames.only() {
            Some(_) => self.variables_in_scope(ctx, state),
            None => Vec::new(),
        }
    }

    fn end(&self, state: &State) -> Option<Statement> {
        let frame = state.frames.only()?;
        self.statement_table().ends.get(&frame.function).cloned()
    }

    fn standing(&self, state: &State) -> Option<Standing> {
        let frame = state.frames.last()?;
        Some(Standing { procedure: frame.function, position: frame.pc, depth: state.frames.len() as u32 })
    }

    fn outcome(&self, from: Standing, to: Standing) -> Option<bool> {
        self.statement_table().conditions.outcome(from, to)
    }

    fn conditional(&self, is_file: &dyn Fn(&str) -> bool, line: u32) -> Conditional {
        let table = self.statement_table();
        let mut here = table.all.iter().filter(|it| it.place.line == line && is_file(&it.place.file)).peekable();
        if here.peek().is_none() {
            return Conditional::NoStatement;
        }
        let known = here.map(|it| table.conditions.of_line(&it.place.file, line));
        known.fold(Conditional::NoCondition, |sum, it| match (sum, it) {
            (Conditional::Ambiguous, _) | (_, Conditional::Ambiguous) => Conditional::Ambiguous,
            (Conditional::One, _) | (_, Conditional::One) => Conditional::One,
            _ => Conditional::NoCondition,
        })
    }

    fn may_come_to(&self, state: &State, is_file: &dyn Fn(&str) -> bool, line: u32) -> bool {
        // What was registered for the end of the program may be anything.
        if !state.begun || !state.process.at_exit.is_empty() {
            return true;
        }
        let code = &self.executable.code;
        let table = self.statement_table();
        let places = table.places_on(code, is_file, line);
        state.frames.iter().any(|it| table.reach.may_come_to(code, (it.function, it.pc), &places))
    }

    fn latest_input(&self, state: &State) -> Option<Term> {
        match state.inputs.last()?.pieces[..] {
            [term] => Some(term),
            _ => None,
        }
    }

    fn returns_inputs(&self, is_file: &dyn Fn(&str) -> bool, line: u32) -> bool {
        let code = &self.executable.code;
        let mut found = false;
        for function in &code.functions {
            for (inst, &place) in function.code.iter().zip(&function.places) {
                let place = &code.places[place as usize];
                let Inst::Call { call } = *inst else { continue };
                let call = &code.calls[call as usize];
                if place.line != line || !is_file(&place.file) || call.result.is_none() {
                    continue;
                }
                match &call.target {
                    Target::External(name) if nondet(name).is_some() => found = true,
                    _ => return false,
                }
            }
        }
        found
    }

    fn inputs(&self, state: &State) -> usize {
        state.inputs.len()
    }

    fn name_of_value(&self, value: &Value) -> Option<String> {
        let Value::BitVec(value) = value else { return None };
        let address = value.to_u64().filter(|_| value.width() == Width::W64)?;
        let (object, offset) = ObjectId::of_address(address);
        match self.executable.code.callables.get(&object.0)? {
            _ if offset != 0 => None,
            Callable::Function(number) => {
                Some(self.executable.code.functions.get(*number as usize)?.source_name.to_string())
            }
            Callable::External(name) => Some(name.to_string()),
            Callable::Builtin(_) => None,
        }
    }

    fn defined(&self, terms: &Terms, cond: Term) -> Option<Term> {
        defined::result(terms, cond)
    }

    fn show(&self, terms: &Terms, term: Term) -> String {
        self.printed_on(terms, term, &PathBounds::default())
    }

    fn show_on(&self, terms: &Terms, term: Term, path: &PathBounds) -> String {
        self.printed_on(terms, term, path)
    }

    fn names(&self, state: Option<&State>) -> Vec<Arc<str>> {
        let mut res: BTreeSet<Arc<str>> =
            self.statement_table().all.iter().map(|it| Arc::clone(&it.procedure)).collect();
        res.extend(self.executable.code.source_globals.iter().map(|it| Arc::clone(&it.name)));
        if let Some(state) = state {
            res.extend(self.in_scope(state).into_iter().map(|it| Arc::clone(&it.name)));
        }
        res.into_iter().collect()
    }
}

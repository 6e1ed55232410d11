//! A program and the call that starts it.
//!
//! Knows: how a state begins, where it stands, what its inputs are. Never: what statements do (`step`).

use crate::code::{Code, Procedure, Statement};
use crate::diagnostic::Diagnostics;
use crate::options::Options;
use crate::print::{Forms, show, show_as_is};
use crate::state::{Cell, Frame, State};
use crate::syntax::Comparison;
use crate::{lower, reader};
use effigy_engine::{BugKind, Place, Violation};
use effigy_term::{Node, Term, Terms};
use rpds::{HashTrieMap, Vector};
use std::cell::RefCell;
use std::fmt::Write;
use std::rc::Rc;
use std::sync::Arc;

/// A program with the call that starts it.
#[derive(Debug)]
pub struct Program {
    pub(crate) code: Rc<Code>,
    /// A procedure without a name that makes the call.
    pub(crate) call: Rc<Procedure>,
    /// The call as the user wrote it.
    pub(crate) text: Arc<str>,
    /// The limit of `TEST (n)`.
    limit: Option<u64>,
    pub(crate) options: Options,
    /// How bounds were written: for people only, nothing depends on it.
    forms: RefCell<Forms>,
}

/// The code of a source file, or everything that is wrong with it.
pub fn compile(file: &str, source: &str) -> Result<Rc<Code>, Diagnostics> {
    let (procedures, mut errors, whole) = reader::read(source);
    if !whole {
        return Err(Diagnostics { file: file.to_owned(), text: source.to_owned(), errors });
    }
    let code = lower::lower(file, source, &procedures, &mut errors);
    if errors.is_empty() && procedures.is_empty() {
        let message = "a procedure was expected, such as `NAME: PROCEDURE (X, Y); ... END;`".to_owned();
        errors.push(crate::diagnostic::Diagnostic { message, span: Default::default() });
    }
    if errors.is_empty() {
        return Ok(Rc::new(code));
    }
    errors.sort_by_key(|it| it.span);
    Err(Diagnostics { file: file.to_owned(), text: source.to_owned(), errors })
}

/// A call of the first procedure on which nothing is fixed: every number is an input, as is every array.
pub fn any_call(code: &Code) -> String {
    code.procedures.first().map_or_else(String::new, |it| open_call(it, &|number, _| alpha(number)))
}

/// A call of a procedure on which nothing is fixed; the inputs have the names of the parameters.
pub fn call_of(code: &Code, name: &str) -> Option<String> {
    let procedure = code.procedures.iter().find(|it| *it.name == *name)?;
    Some(open_call(procedure, &|_, name| name.to_owned()))
}

/// The name of an input in King's notation: α₁, α₂, …
fn alpha(number: usize) -> String {
    let digit = |it: char| char::from_u32('₀' as u32 + it.to_digit(10).unwrap_or(0)).unwrap_or(it);
    std::iter::once('α').chain(number.to_string().chars().map(digit)).collect()
}

fn open_call(procedure: &Procedure, input: &dyn Fn(usize, &str) -> String) -> String {
    let mut declarations = String::new();
    let mut arguments = Vec::new();
    for (slot, number) in procedure.slots[..procedure.parameters].iter().zip(1..) {
        if slot.bounds.is_none() {
            let _ = write!(declarations, "DCL {} INTEGER INITIAL(\"{}\"); ", slot.name, input(number, &slot.name));
        }
        arguments.push(slot.name.to_string());
    }
    format!("{declarations}CALL {}({})", procedure.name, arguments.join(", "))
}

impl Program {
    /// The program that makes `call`.
    pub fn new(code: Rc<Code>, call: &str, options: Options) -> Result<Program, Diagnostics> {
        let (call_code, limit) = compile_call(&code, call)?;
        Ok(Program { code, call: Rc::new(call_code), text: call.into(), limit, options, forms: RefCell::default() })
    }

    /// A program that is only proved: it makes no call.
    pub fn without_call(code: Rc<Code>, options: Options) -> Program {
        let call = Procedure {
            name: "".into(),
            parameters: 0,
            slots: Vec::new(),
            statements: Vec::new(),
            first_site: 0,
            ops: Vec::new(),
            uses_old: false,
            flow: Default::default(),
            asked: Default::default(),
        };
        Program { code, call: Rc::new(call), text: "".into(), limit: None, options, forms: RefCell::default() }
    }

    /// The lowered program that is executed.
    pub fn code(&self) -> &Rc<Code> {
        &self.code
    }

    /// The call as the user wrote it.
    pub fn call_text(&self) -> &str {
        &self.text
    }

    /// The statements on a path that the call's `TEST (n)` allows.
    pub fn limit(&self) -> Option<u64> {
        self.limit
    }

    /// The inputs that a call on which nothing is fixed names ([`call_of`]): numbers, arrays and their upper bounds.
    pub fn inputs_of_call(&self) -> Vec<Arc<str>> {
        let mut res: Vec<Arc<str>> = Vec::new();
        for slot in &self.call.slots {
            if slot.bounds.is_some() {
                res.push(Arc::clone(&slot.name));
                res.push(format!("HBOUND({})", slot.name).into());
            } else if let [(crate::code::Expr::Symbol(name), _)] = &slot.initial[..] {
                res.push(Arc::clone(name));
            }
        }
        res
    }

    /// The options under which the program is executed.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// A formula in the notation of the language.
    pub fn show(&self, terms: &Terms, term: Term) -> String {
        show(terms, &self.forms.borrow(), term)
    }

    /// As [`Program::show`], as it is: what conditional values become depends on the arena, and long ones take a while.
    pub(crate) fn show_as_is(&self, terms: &Terms, term: Term) -> String {
        show_as_is(terms, &self.forms.borrow(), term)
    }

    /// Notes in which of two equal forms a comparison with a constant was written.
    pub(crate) fn remember(&self, terms: &Terms, cond: Term, op: Comparison) {
        let Some(strict) = lower::is_strict(op) else { return };
        let (atom, negated) = match terms.node(cond) {
            Node::Not(inner) => (*inner, true),
            _ => (cond, false),
        };
        if matches!(terms.node(atom), Node::IntLe(_, bound) if terms.as_int(*bound).is_some()) {
            self.forms.borrow_mut().entry(atom).or_insert(strict != negated);
        }
    }

    pub(crate) fn start_of(&self, call: &Rc<Procedure>) -> State {
        let mut frame = Frame {
            procedure: Rc::clone(call),
            bindings: Box::default(),
            own: 0..0,
            caller: None,
            result: None,
            depth: 0,
            old: Box::default(),
        };
        frame.bindings = (0..call.slots.len() as u32).map(crate::state::Binding::Cell).collect();
        let next_cell = call.slots.len() as u32;
        frame.own = 0..next_cell;
        State {
            frame: Rc::new(frame),
            pc: 0,
            cells: HashTrieMap::new(),
            next_cell,
            statics: HashTrieMap::new(),
            answers: Vec::new(),
            begun: false,
            open: false,
            clock: 0,
            reads: 0,
            inputs: Vector::new(),
            assumed: Vector::new(),
            output: Vector::new(),
            value: None,
            ended: false,
            asked: None,
            at_cut: false,
            rounds: Vector::new(),
        }
    }

    /// The statement that a state stands at.
    pub(crate) fn statement_of<'s>(&self, state: &'s State) -> Option<&'s Statement> {
        let procedure = &state.frame.procedure;
        let op = procedure.ops.get(state.pc as usize)?;
        procedure.statements.get(op.statement as usize)
    }

    pub(crate) fn place_of(&self, state: &State) -> Place {
        self.place_of_statement(self.statement_of(state))
    }

    pub(crate) fn place_of_statement(&self, statement: Option<&Statement>) -> Place {
        match statement {
            // What the user typed has no place in the source.
            Some(it) if !it.procedure.is_empty() => Place {
                file: Arc::clone(&self.code.file),
                line: it.line,
                column: it.column,
                function: Arc::clone(&it.procedure),
            },
            _ => Place { file: "the call".into(), line: 1, column: 1, function: "".into() },
        }
    }

    pub(crate) fn violation(&self, state: &State, kind: BugKind, message: String) -> Box<Violation> {
        let mut stack = Vec::new();
        let mut next = &state.frame.caller;
        while let Some((frame, pc)) = next {
            // The caller stands behind its CALL.
            let at = frame.procedure.ops.get((*pc as usize).saturating_sub(1));
            let statement = at.and_then(|it| frame.procedure.statements.get(it.statement as usize));
            if let Some(it) = statement.filter(|it| !it.procedure.is_empty()) {
                stack.push(Place {
                    file: Arc::clone(&self.code.file),
                    line: it.line,
                    column: it.column,
                    function: Arc::clone(&it.procedure),
                });
            }
            if stack.len() >= Violation::MOST_CALLS {
                break;
            }
            next = &frame.caller;
        }
        Box::new(Violation { kind, message, place: self.place_of(state), stack })
    }
}

/// The code of a call and the limit of its `TEST (n)`.
pub(crate) fn compile_call(code: &Code, call: &str) -> Result<(Procedure, Option<u64>), Diagnostics> {
    let (statements, limit, mut errors) = reader::read_call(call);
    let (procedure, more) = lower::lower_call(code, call, &statements);
    errors.extend(more);
    if errors.is_empty() && !statements.iter().any(|it| matches!(it.kind, crate::syntax::StatementKind::Call(..))) {
        let message = "a call was expected, such as SEARCH(A, 1, 5, \"X\", FOUND, J)".to_owned();
        errors.push(crate::diagnostic::Diagnostic { message, span: Default::default() });
    }
    if errors.is_empty() {
        return Ok((procedure, limit));
    }
    errors.sort_by_key(|it| it.span);
    Err(Diagnostics { file: "the call".to_owned(), text: call.to_owned(), errors })
}

/// The value of a cell, for people and for tests.
pub(crate) fn scalar(cell: Option<&Cell>) -> Option<Term> {
    match cell {
        Some(Cell::Scalar(value)) => *value,
        _ => None,
    }
}

//! From syntax to code: names become slots, loops become tests and jumps, calls in expressions become statements.
//!
//! Knows: declarations, labels, arity, the difference of numbers and conditions. Never: values.
//! All errors of a file are reported; what is wrong becomes nothing.

pub(crate) mod expression;
mod statement;

pub(crate) use expression::is_strict;

use crate::code::{ArrayBounds, Code, Expr, Op, OpKind, Procedure, Slot, Statement, StatementId};
use crate::diagnostic::{Diagnostic, Lines, note};
use crate::syntax::{self, DeclaredBounds, Name, Span, StatementKind};
use num_bigint::BigInt;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

/// The code of a file.
pub(crate) fn lower(file: &str, source: &str, procedures: &[syntax::Procedure], errors: &mut Vec<Diagnostic>) -> Code {
    let mut code = Code { file: file.into(), ..Code::default() };
    let signatures = signatures(procedures, errors);
    let lines = Lines::new(source);
    for procedure in procedures {
        let name = Arc::clone(&procedure.name.text);
        let numbers = numbers(procedure, &lines);
        let mut lowering = Lowering::new(&mut code, &signatures, source, &lines, numbers, name, errors);
        lowering.procedure(procedure);
        let mut lowered = lowering.finish(procedure.parameters.len());
        lowered.first_site = code.procedures.last().map_or(0, |it| it.first_site + it.statements.len() as u32);
        code.procedures.push(Rc::new(lowered));
    }
    code
}

/// The code of a call that the user typed: a procedure without a name that makes the call and ends. Variables that it
/// does not declare are declared by use: where the procedure expects an array, an array of unknown extent.
pub(crate) fn lower_call(code: &Code, source: &str, call: &[syntax::Statement]) -> (Procedure, Vec<Diagnostic>) {
    let mut errors = Vec::new();
    let signatures =
        code.procedures.iter().zip(0..).map(|(it, index)| (Arc::clone(&it.name), Signature::of(it, index)));
    let signatures = signatures.collect();
    let lines = Lines::new(source);
    let mut scratch = Code { file: Arc::clone(&code.file), statics: code.statics, ..Code::default() };
    let numbers = BTreeMap::new();
    let mut lowering = Lowering::new(&mut scratch, &signatures, source, &lines, numbers, "".into(), &mut errors);
    lowering.is_call = true;
    lowering.declare_all(call);
    lowering.enter(Span::default());
    lowering.statements(call);
    lowering.begin(Span::default(), false);
    lowering.emit(OpKind::Return(None));
    let lowered = lowering.finish(0);
    (lowered, errors)
}

/// The code of an expression in the scope of a procedure. Names that are no variables are errors.
pub(crate) fn lower_in<T>(
    code: &Code,
    procedure: &Procedure,
    source: &str,
    of: impl FnOnce(&mut Lowering<'_, '_>) -> T,
) -> (T, Vec<Diagnostic>) {
    let mut errors = Vec::new();
    let signatures = BTreeMap::new();
    let lines = Lines::new(source);
    let mut scratch = Code { file: Arc::clone(&code.file), ..Code::default() };
    let name = Arc::clone(&procedure.name);
    let mut lowering = Lowering::new(&mut scratch, &signatures, source, &lines, BTreeMap::new(), name, &mut errors);
    for slot in &procedure.slots {
        lowering.push_slot(slot.clone());
    }
    lowering.closed = true;
    let res = of(&mut lowering);
    (res, errors)
}

/// What a caller must know of a procedure.
#[derive(Clone, Debug)]
pub(crate) struct Signature {
    index: u32,
    /// For each parameter, whether it is an array.
    arrays: Vec<bool>,
}

impl Signature {
    fn of(procedure: &Procedure, index: u32) -> Signature {
        let arrays = procedure.slots[..procedure.parameters].iter().map(|it| it.bounds.is_some()).collect();
        Signature { index, arrays }
    }
}

type Signatures = BTreeMap<Arc<str>, Signature>;

fn signatures(procedures: &[syntax::Procedure], errors: &mut Vec<Diagnostic>) -> Signatures {
    let mut res = Signatures::new();
    for (index, procedure) in procedures.iter().enumerate() {
        let mut declared = BTreeSet::new();
        for_each_declaration(&procedure.body, &mut |it| {
            declared.extend(it.bounds.is_some().then(|| Arc::clone(&it.name.text)));
        });
        let array = |name: &Name| declared.contains(&name.text);
        let arrays = procedure.parameters.iter().map(array).collect();
        let signature = Signature { index: index as u32, arrays };
        if res.insert(Arc::clone(&procedure.name.text), signature).is_some() {
            let message = format!("there is a procedure {} already", procedure.name.text);
            errors.push(Diagnostic { message, span: procedure.name.span });
        }
    }
    res
}

pub(super) fn for_each_statement<'a>(
    statements: &'a [syntax::Statement],
    visit: &mut dyn FnMut(&'a syntax::Statement),
) {
    for statement in statements {
        visit(statement);
        match &statement.kind {
            StatementKind::If(_, then, otherwise) => {
                for_each_statement(std::slice::from_ref(then), visit);
                if let Some(otherwise) = otherwise {
                    for_each_statement(std::slice::from_ref(otherwise), visit);
                }
            }
            StatementKind::Group(body, _) => for_each_statement(body, visit),
            StatementKind::Loop(it) => for_each_statement(&it.body, visit),
            _ => {}
        }
    }
}

fn for_each_declaration(statements: &[syntax::Statement], visit: &mut dyn FnMut(&syntax::Declaration)) {
    for_each_statement(statements, &mut |it| {
        if let StatementKind::Declare(declarations) = &it.kind {
            declarations.iter().for_each(&mut *visit);
        }
    });
}

/// The number of each line of a procedure on which a statement begins, counted from 1 (King 1976, figures 4, 7, 10).
fn numbers(procedure: &syntax::Procedure, lines: &Lines<'_>) -> BTreeMap<u32, u32> {
    let mut starts = vec![lines.line(procedure.head.start), lines.line(procedure.end.start)];
    for_each_statement(&procedure.body, &mut |it| {
        // `DO;` and END on a line of their own are numbered too, as in figure 10.
        starts.push(lines.line(it.span.start));
        match &it.kind {
            StatementKind::Group(_, end) => starts.push(lines.line(end.start)),
            StatementKind::Loop(it) => starts.push(lines.line(it.end.start)),
            _ => {}
        }
    });
    starts.sort_unstable();
    starts.dedup();
    starts.into_iter().zip(1..).collect()
}

pub(crate) struct Lowering<'a, 's> {
    code: &'a mut Code,
    signatures: &'a Signatures,
    source: &'s str,
    lines: &'a Lines<'s>,
    numbers: BTreeMap<u32, u32>,
    name: Arc<str>,
    errors: &'a mut Vec<Diagnostic>,
    slots: Vec<Slot>,
    /// The slots that have a name.
    named: BTreeMap<Arc<str>, u32>,
    statements: Vec<Statement>,
    ops: Vec<Op>,
    uses_old: bool,
    /// The statement that operations belong to, and whether the next one begins it.
    statement: StatementId,
    begins: bool,
    labels: BTreeMap<Arc<str>, Label>,
    gotos: Vec<(Name, usize, Vec<u32>)>,
    /// The loops around the statement, by number.
    loops: Vec<u32>,
    n_loops: u32,
    /// The variables of the quantifiers around the expression.
    bound: Vec<Arc<str>>,
    /// This is the call that the user typed.
    is_call: bool,
    /// No function is called here.
    plain: bool,
    /// No further variables come into being.
    closed: bool,
}

struct Label {
    op: u32,
    loops: Vec<u32>,
}

impl<'a, 's> Lowering<'a, 's> {
    fn new(
        code: &'a mut Code,
        signatures: &'a Signatures,
        source: &'s str,
        lines: &'a Lines<'s>,
        numbers: BTreeMap<u32, u32>,
        name: Arc<str>,
        errors: &'a mut Vec<Diagnostic>,
    ) -> Lowering<'a, 's> {
        Lowering {
            code,
            signatures,
            source,
            lines,
            numbers,
            name,
            errors,
            slots: Vec::new(),
            named: BTreeMap::new(),
            statements: Vec::new(),
            ops: Vec::new(),
            uses_old: false,
            statement: 0,
            begins: false,
            labels: BTreeMap::new(),
            gotos: Vec::new(),
            loops: Vec::new(),
            n_loops: 0,
            bound: Vec::new(),
            is_call: false,
            plain: false,
            closed: false,
        }
    }

    fn error(&mut self, span: Span, message: impl Into<String>) {
        note(self.errors, span, message.into());
    }

    fn procedure(&mut self, procedure: &syntax::Procedure) {
        for parameter in &procedure.parameters {
            if self.find(&parameter.text).is_some() {
                self.error(parameter.span, format!("there is a parameter {} already", parameter.text));
            }
            self.add_slot(Arc::clone(&parameter.text), None);
        }
        self.declare_all(&procedure.body);
        self.enter(procedure.head);
        self.statements(&procedure.body);
        self.begin(procedure.end, false);
        self.emit(OpKind::Return(None));
    }

    fn enter(&mut self, span: Span) {
        self.begin(span, false);
        self.emit(OpKind::Enter);
    }

    fn finish(mut self, parameters: usize) -> Procedure {
        for (name, at, loops) in std::mem::take(&mut self.gotos) {
            let target = self.labels.get(&name.text).map(|it| (it.op, loops.starts_with(&it.loops)));
            match target {
                Some((op, true)) => self.ops[at].kind = OpKind::Jump(op),
                Some((_, false)) => self.error(name.span, format!("GO TO {} leads into a loop", name.text)),
                None if name.text.is_empty() => {}
                None => {
                    self.error(name.span, format!("GO TO nowhere: there is no label {} in {}", name.text, self.name))
                }
            }
        }
        Procedure {
            name: self.name,
            parameters,
            slots: self.slots,
            statements: self.statements,
            first_site: 0,
            ops: self.ops,
            uses_old: self.uses_old,
            flow: Default::default(),
            asked: Default::default(),
        }
    }

    // Variables.

    fn find(&self, name: &str) -> Option<u32> {
        self.named.get(name).copied()
    }

    fn add_slot(&mut self, name: Arc<str>, bounds: Option<ArrayBounds>) -> u32 {
        self.push_slot(Slot { name, bounds, is_static: None, initial: Rc::from([]), mirrors: None })
    }

    fn push_slot(&mut self, slot: Slot) -> u32 {
        let index = self.slots.len() as u32;
        if !slot.name.is_empty() {
            self.named.entry(Arc::clone(&slot.name)).or_insert(index);
        }
        self.slots.push(slot);
        index
    }

    /// A variable that the user did not name.
    fn temporary(&mut self) -> u32 {
        self.add_slot("".into(), None)
    }

    fn declare_all(&mut self, statements: &[syntax::Statement]) {
        let mut declarations = Vec::new();
        for_each_declaration(statements, &mut |it| declarations.push(it.clone()));
        let parameters = self.slots.len();
        let mut declared: BTreeSet<Arc<str>> = BTreeSet::new();
        for it in &declarations {
            if !declared.insert(Arc::clone(&it.name.text)) {
                if !it.name.text.is_empty() {
                    self.error(it.name.span, format!("{} is declared already", it.name.text));
                }
                continue;
            }
            if self.find(&it.name.text).is_none() {
                self.add_slot(Arc::clone(&it.name.text), None);
            }
        }
        // Bounds and initial values may name variables that are declared later.
        for it in declarations {
            let Some(slot) = self.find(&it.name.text).filter(|_| declared.remove(&it.name.text)) else { continue };
            self.declare(slot, &it, (slot as usize) < parameters);
        }
    }

    fn declare(&mut self, slot: u32, declaration: &syntax::Declaration, parameter: bool) {
        let name = &declaration.name;
        let bounds = match &declaration.bounds {
            None => None,
            Some(DeclaredBounds::Argument) if parameter => Some(ArrayBounds::Argument),
            Some(DeclaredBounds::Argument) => {
                self.error(
                    name.span,
                    format!(
                        "bounds were expected: only a parameter has those of its argument, and {} is none",
                        name.text
                    ),
                );
                None
            }
            Some(DeclaredBounds::Range(lower, upper)) => {
                let lower = match lower {
                    Some(lower) => self.plain_number(lower),
                    None => Expr::Number(BigInt::from(1)),
                };
                Some(ArrayBounds::Range(lower, self.plain_number(upper)))
            }
        };
        if parameter && (declaration.is_static || !declaration.initial.is_empty()) {
            self.error(name.span, format!("{} is a parameter: STATIC and INITIAL are for variables", name.text));
        } else if declaration.is_static {
            if let Some(ArrayBounds::Range(lower, upper)) = &bounds
                && !matches!((lower, upper), (Expr::Number(_), Expr::Number(_)))
            {
                self.error(name.span, format!("constant bounds were expected, since {} is STATIC", name.text));
            }
            self.slots[slot as usize].is_static = Some(self.code.statics);
            self.code.statics += 1;
        }
        if bounds.is_none() && declaration.initial.iter().map(|it| u64::from(it.1)).sum::<u64>() > 1 {
            self.error(name.span, format!("one initial value was expected, since {} is no array", name.text));
        }
        let initial: Vec<(Expr, u32)> =
            declaration.initial.iter().map(|(it, times)| (self.plain_number(it), *times)).collect();
        self.slots[slot as usize].bounds = bounds;
        self.slots[slot as usize].initial = initial.into();
    }

    // Operations.

    /// What follows belongs to an execution of this statement.
    fn begin(&mut self, span: Span, branches: bool) {
        let (line, column) = self.lines.position(span.start);
        let text = self.source.get(span.start as usize..span.end as usize).unwrap_or("");
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let number = self.numbers.get(&line).copied().unwrap_or(0);
        let statement =
            Statement { number, procedure: Arc::clone(&self.name), text: text.into(), branches, line, column };
        self.statement = self.statements.len() as u32;
        self.statements.push(statement);
        self.begins = true;
    }

    /// What follows belongs to another execution of a statement.
    fn begin_again(&mut self, statement: StatementId) {
        self.statement = statement;
        self.begins = true;
    }

    fn emit(&mut self, kind: OpKind) -> usize {
        // The call that the user typed is not counted.
        let begins = std::mem::take(&mut self.begins) && !self.is_call;
        self.ops.push(Op { kind, statement: self.statement, begins });
        self.ops.len() - 1
    }

    fn here(&self) -> u32 {
        self.ops.len() as u32
    }

    /// Sets where a jump or a branch leads that was emitted before its target.
    fn land(&mut self, at: usize, target: u32) {
        match &mut self.ops[at].kind {
            OpKind::Jump(to) | OpKind::Branch(_, _, to) => *to = target,
            _ => {}
        }
    }
}

/// An expression as what is assigned to, if it is one.
pub(crate) fn as_target(expr: &syntax::Expr) -> Option<syntax::Target> {
    let span = expr.span;
    match &expr.kind {
        syntax::ExprKind::Name(name) => {
            let name = Name { text: Arc::clone(name), span };
            Some(syntax::Target { name, subscript: None, span })
        }
        syntax::ExprKind::Apply(name, arguments) => match arguments.as_slice() {
            [subscript] => Some(syntax::Target { name: name.clone(), subscript: Some(subscript.clone()), span }),
            _ => None,
        },
        _ => None,
    }
}

//! The oracle: runs programs on numbers.
//!
//! By reference, dummies for expressions, loop bounds once, `& | ⊃` from left to right as far as needed, truncated
//! division, MOD never negative. A call of a function is made before the expression that it stands in is evaluated.

use super::{Actual, Argument, Cond, Expr, Loop, Op, Procedure, Program, Shape, Statement, StatementKind, Target};
use std::collections::{BTreeMap, HashMap};

/// The values of the inputs.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Inputs {
    /// The values of numbers, by the names of the inputs.
    pub numbers: BTreeMap<&'static str, i128>,
    /// The elements of arrays that are inputs, with the value of all others.
    pub arrays: BTreeMap<&'static str, (BTreeMap<i128, i128>, i128)>,
    /// What READ reads; zero when it is used up.
    pub reads: Vec<i128>,
}

/// A class of errors, by the name that effigy gives it.
pub type Kind = &'static str;

/// The observable behaviour of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Behaviour {
    /// The program ends without an error.
    Ends {
        /// The value that the call returned.
        value: Option<i128>,
        /// The values that it wrote, in order.
        output: Vec<i128>,
        /// The variables of the call by name.
        variables: BTreeMap<&'static str, Content>,
    },
    /// It makes an error on this line.
    Error(Kind, u32),
    /// It meets an assumption that does not hold.
    Dropped,
    /// It leaves an array of unknown extent on this line, which is assumed not to happen.
    Leaves(u32),
    /// It takes too many steps, or its numbers become too large.
    TooLong,
}

/// The value of a variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Content {
    /// A number, if it has a value.
    Number(Option<i128>),
    /// An array: its elements, the others' value, its bounds.
    Array(BTreeMap<i128, i128>, Option<i128>, i128, Option<i128>),
}

/// What a program does on these inputs, with machine integers of so many bits if any.
pub fn run(program: &Program, inputs: &Inputs, width: Option<u32>, max_steps: u32) -> Behaviour {
    let range = width.map(|it| (-(1i128 << (it - 1)), (1i128 << (it - 1)) - 1));
    let code: Vec<Vec<(u32, Instruction<'_>)>> = program.procedures.iter().map(flat).collect();
    let mut machine = Machine {
        program,
        code: &code,
        inputs,
        range,
        cells: Vec::new(),
        statics: HashMap::new(),
        output: Vec::new(),
        reads: 0,
        steps: max_steps,
    };
    let mut variables = BTreeMap::new();
    let mut bindings = Vec::new();
    for actual in &program.call {
        bindings.push(Binding::Cell(match actual {
            Actual::Constant(value) => machine.cell(Content::Number(Some(*value))),
            Actual::Number(name) | Actual::Nothing(name) | Actual::Open(name) | Actual::Declared(name, ..) => {
                *variables.entry(*name).or_insert_with(|| machine.cell(actual_content(actual, inputs)))
            }
        }));
    }
    match machine.call(0, bindings) {
        Ok(value) => Behaviour::Ends {
            value,
            output: machine.output,
            variables: variables.into_iter().map(|(name, cell)| (name, machine.cells[cell].clone())).collect(),
        },
        Err(Stop::Error(kind, line)) => Behaviour::Error(kind, line),
        Err(Stop::Dropped) => Behaviour::Dropped,
        Err(Stop::Leaves(line)) => Behaviour::Leaves(line),
        Err(Stop::TooLong) => Behaviour::TooLong,
    }
}

fn actual_content(actual: &Actual, inputs: &Inputs) -> Content {
    let number = |name: &&'static str| inputs.numbers.get(name).copied().unwrap_or(0);
    match actual {
        Actual::Number(name) => Content::Number(Some(number(name))),
        Actual::Nothing(_) => Content::Number(None),
        Actual::Constant(value) => Content::Number(Some(*value)),
        Actual::Open(name) => {
            let (elements, others) = inputs.arrays.get(name).cloned().unwrap_or_default();
            Content::Array(elements, Some(others), 1, None)
        }
        Actual::Declared(_, lower, upper, initial) => {
            let elements = initial.iter().zip(*lower..).map(|(name, at)| (at, number(name))).collect();
            Content::Array(elements, None, *lower, Some(*upper))
        }
    }
}

/// A program without structure: what GO TO needs.
enum Instruction<'a> {
    Null,
    Assign(&'a [Target], &'a Expr),
    Unless(&'a Cond, usize),
    Jump(usize),
    Begin(&'a Loop),
    Test(&'a Loop, usize),
    Advance(&'a Loop),
    Call(usize, &'a [Argument]),
    Return(Option<&'a Expr>),
    Read(&'a Target),
    Write(&'a [Expr]),
    Assume(&'a Cond),
    Prove(&'a Cond),
}

fn flat(procedure: &Procedure) -> Vec<(u32, Instruction<'_>)> {
    let mut flattening = Flattening::default();
    flattening.statements(&procedure.body);
    for (at, label) in flattening.gotos {
        flattening.code[at].1 = Instruction::Jump(flattening.labels[&label]);
    }
    flattening.code.push((procedure.lines.1, Instruction::Return(None)));
    flattening.code
}

#[derive(Default)]
struct Flattening<'a> {
    code: Vec<(u32, Instruction<'a>)>,
    labels: HashMap<usize, usize>,
    gotos: Vec<(usize, usize)>,
}

impl<'a> Flattening<'a> {
    fn statements(&mut self, statements: &'a [Statement]) {
        for statement in statements {
            if let Some(label) = statement.label {
                self.labels.insert(label, self.code.len());
            }
            self.statement(statement.line, &statement.kind);
        }
    }

    fn emit(&mut self, line: u32, instruction: Instruction<'a>) -> usize {
        self.code.push((line, instruction));
        self.code.len() - 1
    }

    fn statement(&mut self, line: u32, kind: &'a StatementKind) {
        match kind {
            StatementKind::Null => self.emit(line, Instruction::Null),
            StatementKind::Assign(targets, value) => self.emit(line, Instruction::Assign(targets, value)),
            StatementKind::Goto(label) => {
                let at = self.emit(line, Instruction::Null);
                self.gotos.push((at, *label));
                at
            }
            StatementKind::Call(callee, arguments) => self.emit(line, Instruction::Call(*callee, arguments)),
            StatementKind::Return(value) => self.emit(line, Instruction::Return(value.as_ref())),
            StatementKind::Read(target) => self.emit(line, Instruction::Read(target)),
            StatementKind::Write(values) => self.emit(line, Instruction::Write(values)),
            StatementKind::Assume(cond) => self.emit(line, Instruction::Assume(cond)),
            StatementKind::Prove(cond) => self.emit(line, Instruction::Prove(cond)),
            StatementKind::If(cond, then, otherwise) => {
                let branch = self.emit(line, Instruction::Unless(cond, 0));
                self.statements(then);
                let over = self.emit(line, Instruction::Jump(0));
                self.code[branch].1 = Instruction::Unless(cond, self.code.len());
                self.statements(otherwise.as_deref().unwrap_or_default());
                self.code[over].1 = Instruction::Jump(self.code.len());
                over
            }
            StatementKind::Loop(it) => {
                if it.control.is_some() {
                    self.emit(line, Instruction::Begin(it));
                }
                let head = self.emit(line, Instruction::Null);
                let test = self.emit(line, Instruction::Test(it, 0));
                let condition = it.condition.as_ref().map(|cond| (self.emit(line, Instruction::Unless(cond, 0)), cond));
                self.statements(&it.body);
                if it.control.is_some() {
                    self.emit(line, Instruction::Advance(it));
                }
                let back = self.emit(line, Instruction::Jump(head));
                self.code[test].1 = Instruction::Test(it, back + 1);
                if let Some((at, cond)) = condition {
                    self.code[at].1 = Instruction::Unless(cond, back + 1);
                }
                back
            }
        };
    }
}

/// Why a run stops early.
enum Stop {
    Error(Kind, u32),
    Dropped,
    Leaves(u32),
    TooLong,
}

type Ran<T> = Result<T, Stop>;

#[derive(Clone, Copy)]
enum Binding {
    Cell(usize),
    Element(usize, i128),
}

struct Machine<'a> {
    program: &'a Program,
    code: &'a [Vec<(u32, Instruction<'a>)>],
    inputs: &'a Inputs,
    range: Option<(i128, i128)>,
    cells: Vec<Content>,
    statics: HashMap<(usize, usize), usize>,
    output: Vec<i128>,
    reads: usize,
    steps: u32,
}

struct Frame {
    bindings: Vec<Binding>,
    /// The values of calls of functions, by the calls' numbers.
    values: HashMap<usize, i128>,
    /// The last value and the step of each loop's variable.
    loops: HashMap<*const Loop, (i128, i128)>,
    line: u32,
    /// In an assertion there is no overflow.
    total: bool,
}

impl<'a> Machine<'a> {
    fn cell(&mut self, content: Content) -> usize {
        self.cells.push(content);
        self.cells.len() - 1
    }

    fn call(&mut self, index: usize, mut bindings: Vec<Binding>) -> Ran<Option<i128>> {
        let procedure = &self.program.procedures[index];
        for (at, variable) in procedure.variables.iter().enumerate() {
            if at < procedure.parameters {
                if let (Shape::Array(lower, upper), Binding::Cell(cell)) = (variable.shape, bindings[at])
                    && let Content::Array(_, _, low, high @ None) = &mut self.cells[cell]
                {
                    // An array of unknown extent gets the declared one.
                    (*low, *high) = (lower, Some(upper));
                }
                continue;
            }
            if variable.is_static
                && let Some(&cell) = self.statics.get(&(index, at))
            {
                bindings.push(Binding::Cell(cell));
                continue;
            }
            let cell = self.cell(match variable.shape {
                Shape::Number | Shape::Star => Content::Number(variable.initial.first().copied()),
                Shape::Array(lower, upper) => {
                    let elements = variable.initial.iter().zip(lower..).map(|(&value, at)| (at, value)).collect();
                    Content::Array(elements, None, lower, Some(upper))
                }
            });
            if variable.is_static {
                self.statics.insert((index, at), cell);
            }
            bindings.push(Binding::Cell(cell));
        }
        let mut frame = Frame { bindings, values: HashMap::new(), loops: HashMap::new(), line: 0, total: false };
        let mut pc = 0;
        let code: &'a [(u32, Instruction<'a>)] = &self.code[index];
        loop {
            self.steps = self.steps.checked_sub(1).ok_or(Stop::TooLong)?;
            let (line, instruction) = &code[pc];
            frame.line = *line;
            pc += 1;
            match instruction {
                Instruction::Null => {}
                Instruction::Assign(targets, value) => {
                    self.calls(&mut frame, value)?;
                    let value = self.number(&frame, value)?;
                    for target in *targets {
                        self.assign(&frame, target, value)?;
                    }
                }
                Instruction::Unless(cond, to) => {
                    self.calls_in(&mut frame, cond)?;
                    if !self.truth(&frame, cond)? {
                        pc = *to;
                    }
                }
                Instruction::Jump(to) => pc = *to,
                Instruction::Begin(it) => {
                    let Some((variable, from, to, by)) = &it.control else { continue };
                    self.calls(&mut frame, from)?;
                    let from = self.number(&frame, from)?;
                    self.calls(&mut frame, to)?;
                    let to = self.number(&frame, to)?;
                    let by = match by {
                        None => 1,
                        Some(by) => {
                            self.calls(&mut frame, by)?;
                            self.number(&frame, by)?
                        }
                    };
                    frame.loops.insert(*it, (to, by));
                    self.assign(&frame, &Target::Number(*variable), from)?;
                }
                Instruction::Test(it, exit) => {
                    if let Some((variable, ..)) = &it.control {
                        let now = self.load(&frame, *variable)?;
                        let (to, by) = frame.loops[&std::ptr::from_ref(*it)];
                        if if by < 0 { now < to } else { now > to } {
                            pc = *exit;
                        }
                    }
                }
                Instruction::Advance(it) => {
                    if let Some((variable, ..)) = &it.control {
                        let now = self.load(&frame, *variable)?;
                        let (_, by) = frame.loops[&std::ptr::from_ref(*it)];
                        let next = self.fits(&frame, now.checked_add(by))?;
                        self.assign(&frame, &Target::Number(*variable), next)?;
                    }
                }
                Instruction::Call(callee, arguments) => {
                    self.calls_of(&mut frame, arguments)?;
                    let bindings = self.arguments(&frame, arguments)?;
                    self.call(*callee, bindings)?;
                }
                Instruction::Return(value) => {
                    let Some(value) = value else { return Ok(None) };
                    self.calls(&mut frame, value)?;
                    return Ok(Some(self.number(&frame, value)?));
                }
                Instruction::Read(target) => {
                    let place = self.place(&frame, target)?;
                    let value = self.inputs.reads.get(self.reads).copied().unwrap_or(0);
                    self.reads += 1;
                    self.store(place, value);
                }
                Instruction::Write(values) => {
                    for value in *values {
                        self.calls(&mut frame, value)?;
                    }
                    let written: Ran<Vec<i128>> = values.iter().map(|it| self.number(&frame, it)).collect();
                    self.output.extend(written?);
                }
                Instruction::Assume(cond) | Instruction::Prove(cond) => {
                    frame.total = true;
                    let holds = self.truth(&frame, cond)?;
                    frame.total = false;
                    if !holds && matches!(instruction, Instruction::Assume(_)) {
                        return Err(Stop::Dropped);
                    }
                    if !holds {
                        return Err(Stop::Error("assertion-failed", *line));
                    }
                }
            }
        }
    }

    fn assign(&mut self, frame: &Frame, target: &Target, value: i128) -> Ran<()> {
        let place = self.place(frame, target)?;
        self.store(place, value);
        Ok(())
    }

    fn store(&mut self, place: Binding, value: i128) {
        match place {
            Binding::Cell(cell) => self.cells[cell] = Content::Number(Some(value)),
            Binding::Element(cell, at) => {
                if let Content::Array(elements, ..) = &mut self.cells[cell] {
                    elements.insert(at, value);
                }
            }
        }
    }

    fn place(&mut self, frame: &Frame, target: &Target) -> Ran<Binding> {
        match target {
            Target::Number(it) => Ok(frame.bindings[*it]),
            Target::Element(it, at) => {
                let at = self.number(frame, at)?;
                let Binding::Cell(cell) = frame.bindings[*it] else { unreachable!("an array is a cell") };
                self.within(frame, cell, at)?;
                Ok(Binding::Element(cell, at))
            }
        }
    }

    fn within(&self, frame: &Frame, cell: usize, at: i128) -> Ran<()> {
        let Content::Array(_, _, lower, upper) = &self.cells[cell] else { unreachable!("an array") };
        match upper {
            Some(upper) if at < *lower || at > *upper => Err(Stop::Error("subscript-out-of-bounds", frame.line)),
            None if at < *lower => Err(Stop::Leaves(frame.line)),
            _ => Ok(()),
        }
    }

    fn arguments(&mut self, frame: &Frame, arguments: &[Argument]) -> Ran<Vec<Binding>> {
        let mut res = Vec::new();
        for argument in arguments {
            res.push(match argument {
                Argument::Reference(target) => self.place(frame, target)?,
                Argument::Array(it) => frame.bindings[*it],
                Argument::Dummy(value) => {
                    let value = self.number(frame, value)?;
                    Binding::Cell(self.cell(Content::Number(Some(value))))
                }
            });
        }
        Ok(res)
    }

    // Calls of functions, before the expression.

    fn calls(&mut self, frame: &mut Frame, expr: &Expr) -> Ran<()> {
        match expr {
            Expr::Constant(_) | Expr::Variable(_) => Ok(()),
            Expr::Element(_, a) | Expr::Minus(a) | Expr::Abs(a) => self.calls(frame, a),
            Expr::Binary(_, a, b) => {
                self.calls(frame, a)?;
                self.calls(frame, b)
            }
            Expr::Call(callee, number, arguments) => {
                self.calls_of(frame, arguments)?;
                let bindings = self.arguments(frame, arguments)?;
                let value = self.call(*callee, bindings)?;
                let end = self.program.procedures[*callee].lines.1;
                frame.values.insert(*number, value.ok_or(Stop::Error("no-value", end))?);
                Ok(())
            }
        }
    }

    fn calls_of(&mut self, frame: &mut Frame, arguments: &[Argument]) -> Ran<()> {
        arguments.iter().try_for_each(|it| match it {
            Argument::Dummy(value) | Argument::Reference(Target::Element(_, value)) => self.calls(frame, value),
            Argument::Reference(Target::Number(_)) | Argument::Array(_) => Ok(()),
        })
    }

    fn calls_in(&mut self, frame: &mut Frame, cond: &Cond) -> Ran<()> {
        match cond {
            Cond::Compare(_, a, b) => {
                self.calls(frame, a)?;
                self.calls(frame, b)
            }
            Cond::And(a, b) | Cond::Or(a, b) | Cond::Implies(a, b) => {
                self.calls_in(frame, a)?;
                self.calls_in(frame, b)
            }
            Cond::Not(a) => self.calls_in(frame, a),
        }
    }

    // Values.

    fn load(&self, frame: &Frame, variable: usize) -> Ran<i128> {
        match frame.bindings[variable] {
            Binding::Cell(cell) => match &self.cells[cell] {
                Content::Number(value) => value.ok_or(Stop::Error("uninitialised-value", frame.line)),
                Content::Array(..) => unreachable!("a number was generated"),
            },
            Binding::Element(cell, at) => self.element(frame, cell, at),
        }
    }

    fn element(&self, frame: &Frame, cell: usize, at: i128) -> Ran<i128> {
        self.within(frame, cell, at)?;
        let Content::Array(elements, others, ..) = &self.cells[cell] else { unreachable!("an array") };
        let value = elements.get(&at).copied().or(*others);
        value.ok_or(Stop::Error("uninitialised-value", frame.line))
    }

    fn fits(&self, frame: &Frame, value: Option<i128>) -> Ran<i128> {
        let value = value.filter(|it| it.unsigned_abs() < 1 << 100).ok_or(Stop::TooLong)?;
        match self.range {
            Some((low, high)) if !frame.total && (value < low || value > high) => {
                Err(Stop::Error("signed-overflow", frame.line))
            }
            _ => Ok(value),
        }
    }

    fn number(&self, frame: &Frame, expr: &Expr) -> Ran<i128> {
        match expr {
            Expr::Constant(value) => Ok(*value),
            Expr::Variable(it) => self.load(frame, *it),
            Expr::Element(it, at) => {
                let at = self.number(frame, at)?;
                let Binding::Cell(cell) = frame.bindings[*it] else { unreachable!("an array is a cell") };
                self.element(frame, cell, at)
            }
            Expr::Minus(a) => {
                let a = self.number(frame, a)?;
                self.fits(frame, Some(-a))
            }
            Expr::Abs(a) => {
                let a = self.number(frame, a)?;
                self.fits(frame, a.checked_abs())
            }
            Expr::Call(_, number, _) => Ok(frame.values[number]),
            Expr::Binary(op, a, b) => {
                let a = self.number(frame, a)?;
                let b = self.number(frame, b)?;
                if matches!(op, Op::Divide | Op::Mod | Op::Rem) && b == 0 {
                    return Err(Stop::Error("division-by-zero", frame.line));
                }
                match op {
                    Op::Add => self.fits(frame, a.checked_add(b)),
                    Op::Subtract => self.fits(frame, a.checked_sub(b)),
                    Op::Multiply => self.fits(frame, a.checked_mul(b)),
                    Op::Divide => self.fits(frame, a.checked_div(b)),
                    Op::Mod => Ok(a.rem_euclid(b)),
                    Op::Rem => Ok(a % b),
                    Op::Min => Ok(a.min(b)),
                    Op::Max => Ok(a.max(b)),
                    Op::Power if b < 0 => Err(Stop::Error("negative-exponent", frame.line)),
                    Op::Power => self.power(frame, a, b),
                }
            }
        }
    }

    fn power(&self, frame: &Frame, a: i128, b: i128) -> Ran<i128> {
        let value = match (a, u32::try_from(b)) {
            (0 | 1, _) => Some(if b == 0 { 1 } else { a }),
            (-1, _) => Some(if b % 2 == 0 { 1 } else { -1 }),
            (_, Ok(b)) => a.checked_pow(b),
            (_, Err(_)) => None,
        };
        // Too large for us is too large for any width.
        match (value, self.range) {
            (None, Some(_)) if !frame.total => Err(Stop::Error("signed-overflow", frame.line)),
            _ => self.fits(frame, value),
        }
    }

    fn truth(&self, frame: &Frame, cond: &Cond) -> Ran<bool> {
        Ok(match cond {
            Cond::Compare(sign, a, b) => {
                let (a, b) = (self.number(frame, a)?, self.number(frame, b)?);
                match *sign {
                    "=" => a == b,
                    "¬=" => a != b,
                    "<" => a < b,
                    "<=" => a <= b,
                    ">" => a > b,
                    _ => a >= b,
                }
            }
            Cond::And(a, b) => self.truth(frame, a)? && self.truth(frame, b)?,
            Cond::Or(a, b) => self.truth(frame, a)? || self.truth(frame, b)?,
            Cond::Implies(a, b) => !self.truth(frame, a)? || self.truth(frame, b)?,
            Cond::Not(a) => !self.truth(frame, a)?,
        })
    }
}

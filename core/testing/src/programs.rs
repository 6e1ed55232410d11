//! Random programs of the toy language `counter`, and what they do on given inputs, computed without terms.

use crate::counter::{Cond, Expr, Line, Program};

/// Bytes have three bits here, so that all inputs of a program can be tried.
pub const BITS: u32 = 3;

/// The number of values of one input.
pub const VALUES: u32 = 1 << BITS;

const VARIABLES: usize = 3;

/// What a program does on given inputs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Behaviour {
    /// It ends by itself, having printed this.
    Ends(Vec<u8>),
    /// It violates what this line requires.
    Violates(u32),
    /// It meets an assumption that does not hold.
    Dropped,
    /// It makes more than the allowed transitions.
    TooLong,
}

/// A program from bytes: first one to three inputs, then any lines, jumps among them.
pub fn program(bytes: &[u8]) -> Program {
    let mut source = Source { bytes: bytes.iter() };
    let inputs = 1 + source.byte() % VARIABLES;
    let mut lines: Vec<Line> = (0..inputs).map(Line::Input).collect();
    let count = source.byte() % 12;
    let last = inputs + count;
    for _ in 0..count {
        let target = inputs + source.byte() % (last + 1 - inputs);
        lines.push(source.line(target));
    }
    Program { bits: BITS, variables: VARIABLES, lines }
}

/// How many inputs a generated program reads.
pub fn inputs(program: &Program) -> u32 {
    program.lines.iter().filter(|it| matches!(it, Line::Input(_))).count() as u32
}

struct Source<'a> {
    bytes: std::slice::Iter<'a, u8>,
}

impl Source<'_> {
    fn byte(&mut self) -> usize {
        usize::from(self.bytes.next().copied().unwrap_or(0))
    }

    fn line(&mut self, target: usize) -> Line {
        let into = self.byte() % VARIABLES;
        match self.byte() % 10 {
            0 | 1 => Line::Set(into, self.expr(2)),
            2 => Line::Print(self.expr(1)),
            3 => Line::Divide(into, self.expr(1), self.expr(1)),
            4 => Line::Concretise(into),
            5 => Line::Assert(self.cond()),
            6 => Line::Assume(self.cond()),
            7 => Line::Goto(target),
            _ => Line::Unless(self.cond(), target),
        }
    }

    fn cond(&mut self) -> Cond {
        match self.byte() % 4 {
            0 | 1 => Cond::Less(self.expr(1), self.expr(1)),
            2 => Cond::Equal(self.expr(1), self.expr(1)),
            _ => Cond::Not(Box::new(Cond::Less(self.expr(1), self.expr(1)))),
        }
    }

    fn expr(&mut self, depth: u32) -> Expr {
        let op = self.byte() % if depth == 0 { 2 } else { 5 };
        match op {
            0 => Expr::Var(self.byte() % VARIABLES),
            1 => Expr::Const((self.byte() % VALUES as usize) as u8),
            _ => {
                let (a, b) = (Box::new(self.expr(depth - 1)), Box::new(self.expr(depth - 1)));
                match op {
                    2 => Expr::Add(a, b),
                    3 => Expr::Sub(a, b),
                    _ => Expr::Mul(a, b),
                }
            }
        }
    }
}

/// Runs a program on numbers: the oracle.
pub fn run(program: &Program, inputs: &[u8], max_steps: u32) -> Behaviour {
    let mut store = vec![0u32; program.variables];
    let mut inputs = inputs.iter().copied();
    let mut output = Vec::new();
    let mut at = 0;
    for _ in 0..max_steps {
        let Some(line) = program.lines.get(at) else { return Behaviour::Ends(output) };
        let mut next = at + 1;
        match line {
            Line::Input(into) => store[*into] = u32::from(inputs.next().unwrap_or(0)),
            Line::Set(into, expr) => store[*into] = value(expr, &store),
            Line::Divide(into, a, b) => match value(a, &store).checked_div(value(b, &store)) {
                Some(quotient) => store[*into] = quotient,
                None => return Behaviour::Violates(at as u32),
            },
            Line::Concretise(_) => {}
            Line::Unless(cond, target) if !truth(cond, &store) => next = *target,
            Line::Unless(..) => {}
            Line::Goto(target) => next = *target,
            Line::Assert(cond) if !truth(cond, &store) => return Behaviour::Violates(at as u32),
            Line::Assume(cond) if !truth(cond, &store) => return Behaviour::Dropped,
            Line::Assert(_) | Line::Assume(_) => {}
            Line::Print(expr) => output.push(value(expr, &store) as u8),
        }
        at = next;
    }
    Behaviour::TooLong
}

fn value(expr: &Expr, store: &[u32]) -> u32 {
    let res = match expr {
        Expr::Const(value) => u32::from(*value),
        Expr::Var(at) => store[*at],
        Expr::Add(a, b) => value(a, store) + value(b, store),
        Expr::Sub(a, b) => VALUES + value(a, store) - value(b, store),
        Expr::Mul(a, b) => value(a, store) * value(b, store),
    };
    res % VALUES
}

fn truth(cond: &Cond, store: &[u32]) -> bool {
    match cond {
        Cond::Less(a, b) => value(a, store) < value(b, store),
        Cond::Equal(a, b) => value(a, store) == value(b, store),
        Cond::Not(inner) => !truth(inner, store),
    }
}

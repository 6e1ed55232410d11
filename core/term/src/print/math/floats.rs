//! Operations on floats: infix where mathematics has a sign, conversions as `f64(n)` and `i32(x)`.
//!
//! Rounding to the nearest even number is not shown; another mode stands around what it rounds: `RTZ(x + y)`.

use super::{Level, Printer, next};
use crate::float::{FloatOp, Format, Rounding, literal};
use crate::node::{BvOp, FloatApplication, Node, Term};
use crate::terms::Terms;

/// How deeply it is looked into conditional terms for what their sides are.
const MOST_LOOKS: u32 = 8;

/// The format of a term that is known to be a float: one side of an if-then-else says it for both.
pub(crate) fn float_format(terms: &Terms, term: Term) -> Option<Format> {
    fn look(terms: &Terms, term: Term, looks: u32) -> Option<Format> {
        match terms.node(term) {
            Node::Float(it) => it.op.result_format(),
            &Node::Ite(_, a, b) if looks > 0 => look(terms, a, looks - 1).or_else(|| look(terms, b, looks - 1)),
            &Node::Bv(BvOp::Xor | BvOp::And, a, b) if looks > 0 => {
                let format = look(terms, a, looks - 1)?;
                let by = terms.as_bv(b)?;
                (*by == format.sign_bit() || *by == format.magnitude_bits()).then_some(format)
            }
            _ => None,
        }
    }
    look(terms, term, MOST_LOOKS)
}

/// The rounding mode of an operation, where it is known.
fn rounding(terms: &Terms, it: &FloatApplication) -> Option<Rounding> {
    terms.as_bv(*it.arguments.first()?).map(Rounding::of_number)
}

/// What a number is the negation of.
fn negated(terms: &Terms, term: Term, format: Format) -> Option<Term> {
    match *terms.node(term) {
        Node::Bv(BvOp::Xor, a, by) if terms.as_bv(by).is_some_and(|it| *it == format.sign_bit()) => Some(a),
        _ => None,
    }
}

impl Printer<'_> {
    /// How tightly an operation binds as it is printed.
    pub(super) fn float_level(&self, it: &FloatApplication) -> Level {
        match it.op {
            FloatOp::Equal(_) if it.arguments[0] == it.arguments[1] => Level::Prefix,
            FloatOp::Less(_) | FloatOp::LessOrEqual(_) | FloatOp::Equal(_) => Level::Comparison,
            FloatOp::Add(_) | FloatOp::MulAdd(_) if self.is_usual(it) => Level::Sum,
            FloatOp::Mul(_) if self.is_usual(it) => Level::Product,
            FloatOp::Div(_) if self.is_usual(it) => Level::Quotient,
            _ => Level::Atom,
        }
    }

    fn is_usual(&self, it: &FloatApplication) -> bool {
        rounding(self.terms, it) == Some(Rounding::NearestEven)
    }

    pub(super) fn float(&mut self, it: &FloatApplication) {
        let rounds = matches!(it.op, FloatOp::Add(_) | FloatOp::Mul(_) | FloatOp::Div(_) | FloatOp::MulAdd(_))
            || matches!(it.op, FloatOp::Sqrt(_) | FloatOp::Convert { .. } | FloatOp::FromInteger { .. });
        if !rounds || self.is_usual(it) {
            return self.rounded(it);
        }
        self.mode(it);
        self.text.push('(');
        self.rounded(it);
        self.text.push(')');
    }

    /// The name of the mode, or what it is computed by.
    fn mode(&mut self, it: &FloatApplication) {
        match rounding(self.terms, it) {
            Some(mode) => self.text.push_str(mode.smtlib()),
            None => {
                self.text.push_str("round[");
                self.term(it.arguments[0], Level::Quantifier);
                self.text.push(']');
            }
        }
    }

    fn rounded(&mut self, it: &FloatApplication) {
        let arguments = &it.arguments;
        match it.op {
            FloatOp::Add(format) => self.float_sum(arguments[1], arguments[2], format),
            FloatOp::Mul(format) => self.float_infix(arguments[1], "·", arguments[2], format, Level::Product),
            FloatOp::Div(format) => self.float_infix(arguments[1], "/", arguments[2], format, Level::Product),
            FloatOp::Less(format) => self.float_order([" < ", " > "], arguments, format),
            FloatOp::LessOrEqual(format) => self.float_order([" ≤ ", " ≥ "], arguments, format),
            FloatOp::Equal(format) if arguments[0] == arguments[1] => {
                self.text.push('¬');
                self.call("isnan", &arguments[1..], format);
            }
            FloatOp::Equal(format) => self.float_equation(arguments[0], " = ", arguments[1], format),
            FloatOp::MulAdd(format) => self.call("fma", &arguments[1..], format),
            FloatOp::Sqrt(format) => self.call("sqrt", &arguments[1..], format),
            FloatOp::Remainder(format) => self.call("remainder", arguments, format),
            FloatOp::Modulo(format) => self.call("fmod", arguments, format),
            FloatOp::RoundToIntegral(format) => {
                let name = match rounding(self.terms, it) {
                    Some(Rounding::NearestEven) => "rint",
                    Some(Rounding::NearestAway) => "round",
                    Some(Rounding::Up) => "ceil",
                    Some(Rounding::Down) => "floor",
                    Some(Rounding::TowardZero) => "trunc",
                    None => "rint",
                };
                if rounding(self.terms, it).is_none() {
                    self.mode(it);
                }
                self.call(name, &arguments[1..], format);
            }
            FloatOp::Convert { from, to } => self.call(&to.to_string(), &arguments[1..], from),
            FloatOp::FromInteger { signed, from, to } => {
                let unsigned = if signed { "" } else { "u" };
                self.text.push_str(&format!("{to}({unsigned}"));
                if !signed {
                    self.text.push_str(&format!("{}(", from.bits()));
                }
                self.term(arguments[1], Level::Quantifier);
                self.text.push_str(if signed { ")" } else { "))" });
            }
            FloatOp::ToInteger { signed, from, to } => {
                let usual = rounding(self.terms, it) == Some(Rounding::TowardZero);
                if !usual {
                    self.mode(it);
                    self.text.push('(');
                }
                let sign = if signed { 'i' } else { 'u' };
                self.call(&format!("{sign}{}", to.bits()), &arguments[1..], from);
                if !usual {
                    self.text.push(')');
                }
            }
        }
    }

    /// `a + b`, or `a − b`.
    fn float_sum(&mut self, a: Term, b: Term, format: Format) {
        let (a, b) = if negated(self.terms, a, format).is_some() { (b, a) } else { (a, b) };
        match negated(self.terms, b, format) {
            Some(b) => self.float_infix(a, " − ", b, format, Level::Sum),
            None => self.float_infix(a, " + ", b, format, Level::Sum),
        }
    }

    fn float_infix(&mut self, a: Term, op: &str, b: Term, format: Format, level: Level) {
        self.operand(a, format, level);
        self.text.push_str(op);
        self.operand(b, format, next(level));
    }

    /// A comparison: a number stands to the right, for which there is another sign.
    fn float_order(&mut self, [sign, turned]: [&str; 2], arguments: &[Term], format: Format) {
        let (a, b) = (arguments[0], arguments[1]);
        match self.terms.as_bv(a).is_some() {
            true => self.float_infix(b, turned, a, format, Level::Comparison),
            false => self.float_infix(a, sign, b, format, Level::Comparison),
        }
    }

    /// Two floats of which the text says that they are equal, or not: a number stands to the right.
    pub(super) fn float_equation(&mut self, a: Term, op: &str, b: Term, format: Format) {
        let (a, b) = if self.terms.as_bv(a).is_some() { (b, a) } else { (a, b) };
        self.float_infix(a, op, b, format, Level::Comparison);
    }

    pub(super) fn call(&mut self, name: &str, arguments: &[Term], format: Format) {
        self.text.push_str(name);
        self.text.push('(');
        for (at, &it) in arguments.iter().enumerate() {
            if at > 0 {
                self.text.push_str(", ");
            }
            self.operand(it, format, Level::Quantifier);
        }
        self.text.push(')');
    }

    /// What is a float because an operation takes it for one.
    pub(super) fn operand(&mut self, term: Term, format: Format, outer: Level) {
        let terms = self.terms;
        match *terms.node(term) {
            Node::BitVec(ref bits) => {
                let text = literal(format, bits).replace('-', "−");
                let text = if text.starts_with('−') && outer > Level::Sum { format!("({text})") } else { text };
                self.text.push_str(&text);
            }
            Node::Bv(BvOp::Xor, a, _) if negated(terms, term, format).is_some() => {
                self.text.push('−');
                self.operand(a, format, Level::Prefix);
            }
            Node::Bv(BvOp::And, a, by) if terms.as_bv(by).is_some_and(|it| *it == format.magnitude_bits()) => {
                self.text.push_str("abs(");
                self.operand(a, format, Level::Quantifier);
                self.text.push(')');
            }
            Node::Ite(cond, then, other) if self.depth < super::MOST_DEPTH => {
                self.depth += 1;
                self.text.push('(');
                self.term(cond, next(Level::Quantifier));
                self.text.push_str(" ? ");
                self.operand(then, format, next(Level::Quantifier));
                self.text.push_str(" : ");
                self.operand(other, format, next(Level::Quantifier));
                self.text.push(')');
                self.depth -= 1;
            }
            _ => self.term(term, outer),
        }
    }
}

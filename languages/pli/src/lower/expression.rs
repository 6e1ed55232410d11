//! Expressions: numbers and conditions are told apart here. A call of a function in an expression is made before the
//! expression is evaluated.

use super::Lowering;
use crate::code::{Arithmetic, Cond, Expr, SourcePosition};
use crate::syntax::{self, Comparison, ExprKind, Infix, Name, Prefix, Span};
use num_bigint::BigInt;
use std::sync::Arc;

impl Lowering<'_, '_> {
    /// A number without calls of functions: for declarations and assertions.
    pub(super) fn plain_number(&mut self, expr: &syntax::Expr) -> Expr {
        let before = std::mem::replace(&mut self.plain, true);
        let res = self.number(expr);
        self.plain = before;
        res
    }

    /// A condition without calls of functions.
    pub(crate) fn plain_condition(&mut self, expr: &syntax::Expr) -> Cond {
        let before = std::mem::replace(&mut self.plain, true);
        let res = self.condition(expr);
        self.plain = before;
        res
    }

    pub(crate) fn number(&mut self, expr: &syntax::Expr) -> Expr {
        match &expr.kind {
            ExprKind::Error => zero(),
            ExprKind::Number(value) => Expr::Number(value.clone()),
            ExprKind::Symbol(name) => Expr::Symbol(Arc::clone(name)),
            ExprKind::Name(name) => {
                if self.bound.contains(name) {
                    return Expr::Bound(Arc::clone(name));
                }
                if self.find(name).is_none() && matches!(&**name, "TRUE" | "FALSE") {
                    self.error(expr.span, format!("a number was expected, and {name} is a condition"));
                    return zero();
                }
                let Some(slot) = self.variable(&Name { text: Arc::clone(name), span: expr.span }) else {
                    return zero();
                };
                if self.slots[slot as usize].bounds.is_some() {
                    self.error(expr.span, format!("a subscript was expected: {name} is an array"));
                    return zero();
                }
                self.at(expr.span.start, Expr::Load(slot))
            }
            ExprKind::Apply(name, arguments) => self.apply(name, arguments, expr.span),
            ExprKind::Prefix(Prefix::Plus, inner) => self.number(inner),
            ExprKind::Prefix(Prefix::Minus, inner) => match self.number(inner) {
                Expr::Number(value) => Expr::Number(-value),
                inner => Expr::Binary(Arithmetic::Subtract, Box::new(zero()), Box::new(inner)),
            },
            ExprKind::Infix(op, a, b) => {
                let op = match op {
                    Infix::Plus => Arithmetic::Add,
                    Infix::Minus => Arithmetic::Subtract,
                    Infix::Times => Arithmetic::Multiply,
                    Infix::Divide => Arithmetic::Divide,
                    Infix::Power => Arithmetic::Power,
                    Infix::Compare(_) | Infix::And | Infix::Or | Infix::Implies => {
                        self.error(expr.span, "a number was expected, and this is a condition");
                        return zero();
                    }
                };
                let sign = self.sign_between(a.span, b.span);
                let a = self.number(a);
                let b = self.number(b);
                let res = Expr::Binary(op, Box::new(a), Box::new(b));
                match op {
                    Arithmetic::Divide | Arithmetic::Power => self.at(sign, res),
                    _ => res,
                }
            }
            ExprKind::Conditional(cond, then, other) => {
                let cond = Box::new(self.condition(cond));
                let [then, other] = [then, other].map(|it| Box::new(self.number(it)));
                Expr::Conditional(cond, then, other)
            }
            ExprKind::Prefix(Prefix::Not, _) | ExprKind::Quantifier(..) => {
                self.error(expr.span, "a number was expected, and this is a condition");
                zero()
            }
        }
    }

    /// An expression with its place in the program; what is typed has none there.
    fn at(&self, start: u32, expr: Expr) -> Expr {
        if self.numbers.is_empty() {
            return expr;
        }
        let (line, column) = self.lines.position(start);
        Expr::At(SourcePosition { line, column }, Box::new(expr))
    }

    /// Where the operator stands between two operands: behind what closes the first.
    fn sign_between(&self, a: Span, b: Span) -> u32 {
        let between = self.source.get(a.end as usize..b.start as usize).unwrap_or("");
        let sign = between.find(['/', '*']).filter(|at| !between[*at..].starts_with("/*"));
        sign.map_or(a.start, |it| a.end + it as u32)
    }

    fn binary_at(&mut self, op: Arithmetic, a: &syntax::Expr, b: &syntax::Expr, span: Span) -> Expr {
        let res = self.binary(op, a, b);
        self.at(span.start, res)
    }

    fn apply(&mut self, name: &Name, arguments: &[syntax::Expr], span: Span) -> Expr {
        if self.is_array(&name.text) {
            let [subscript] = arguments else {
                self.error(span, format!("one subscript was expected: {} has one dimension", name.text));
                return zero();
            };
            let Some(slot) = self.find(&name.text) else { return zero() };
            let subscript = self.number(subscript);
            return self.at(span.start, Expr::Element(slot, Box::new(subscript)));
        }
        if self.signatures.contains_key(&name.text) && (self.plain || !self.bound.is_empty()) {
            self.error(span, "no call of a function is possible here; give its value to a variable before");
            return zero();
        }
        if self.signatures.contains_key(&name.text) {
            let result = self.temporary();
            self.call(name, arguments, Some(result));
            return Expr::Load(result);
        }
        match (&*name.text, arguments) {
            ("ABS", [a]) => Expr::Abs(Box::new(self.number(a))),
            ("MOD", [a, b]) => self.binary_at(Arithmetic::Mod, a, b, span),
            ("REM", [a, b]) => self.binary_at(Arithmetic::Rem, a, b, span),
            ("MIN", [a, b]) => self.binary(Arithmetic::Min, a, b),
            ("MAX", [a, b]) => self.binary(Arithmetic::Max, a, b),
            ("LBOUND", [array]) => self.array(array).map_or_else(zero, Expr::LowerBound),
            ("HBOUND", [array]) => self.array(array).map_or_else(zero, Expr::UpperBound),
            ("OLD", [what]) => self.old(what),
            ("ABS" | "LBOUND" | "HBOUND" | "OLD", _) => {
                self.error(span, format!("one argument was expected for {}", name.text));
                zero()
            }
            ("MOD" | "REM" | "MIN" | "MAX", _) => {
                self.error(span, format!("two arguments were expected for {}", name.text));
                zero()
            }
            _ if self.find(&name.text).is_some() => {
                self.no_array(span, &name.text);
                zero()
            }
            _ => {
                self.error(name.span, format!("there is no array, procedure or function {}", name.text));
                zero()
            }
        }
    }

    pub(super) fn no_array(&mut self, span: Span, name: &str) {
        let message = format!("{name} is no array; DCL {name}(*) makes a parameter one, DCL {name}(10) a variable");
        self.error(span, message);
    }

    fn binary(&mut self, op: Arithmetic, a: &syntax::Expr, b: &syntax::Expr) -> Expr {
        let a = self.number(a);
        let b = self.number(b);
        Expr::Binary(op, Box::new(a), Box::new(b))
    }

    fn array(&mut self, expr: &syntax::Expr) -> Option<u32> {
        if let ExprKind::Name(name) = &expr.kind
            && self.is_array(name)
        {
            return self.find(name);
        }
        self.error(expr.span, "an array was expected");
        None
    }

    fn old(&mut self, expr: &syntax::Expr) -> Expr {
        self.uses_old = true;
        match &expr.kind {
            ExprKind::Name(name) if !self.is_array(name) && !self.bound.contains(name) => {
                let name = Name { text: Arc::clone(name), span: expr.span };
                self.variable(&name).map_or_else(zero, Expr::Old)
            }
            ExprKind::Apply(name, arguments) if self.is_array(&name.text) => {
                match (self.find(&name.text), &arguments[..]) {
                    (Some(slot), [subscript]) => Expr::OldElement(slot, Box::new(self.number(subscript))),
                    _ => {
                        self.error(expr.span, "one subscript was expected");
                        zero()
                    }
                }
            }
            _ => {
                self.error(expr.span, "a variable or an element of an array was expected in OLD");
                zero()
            }
        }
    }

    pub(crate) fn condition(&mut self, expr: &syntax::Expr) -> Cond {
        match &expr.kind {
            ExprKind::Error => Cond::Constant(true),
            ExprKind::Name(name)
                if !self.bound.contains(name) && self.find(name).is_none() && matches!(&**name, "TRUE" | "FALSE") =>
            {
                Cond::Constant(&**name == "TRUE")
            }
            ExprKind::Prefix(Prefix::Not, inner) => Cond::Not(Box::new(self.condition(inner))),
            ExprKind::Infix(Infix::Compare(op), a, b) => {
                if let Some(wrong) = [a, b].into_iter().find(|it| matches!(it.kind, ExprKind::Prefix(Prefix::Not, _))) {
                    self.error(wrong.span, "a number was expected: ¬ binds tighter than a comparison, write ¬(a = b)");
                    return Cond::Constant(true);
                }
                let a = self.number(a);
                let b = self.number(b);
                Cond::Compare(*op, a, b)
            }
            ExprKind::Infix(op @ (Infix::And | Infix::Or | Infix::Implies), a, b) => {
                let a = Box::new(self.condition(a));
                let b = Box::new(self.condition(b));
                match op {
                    Infix::And => Cond::And(a, b),
                    Infix::Or => Cond::Or(a, b),
                    _ => Cond::Implies(a, b),
                }
            }
            ExprKind::Quantifier(universal, variables, body) => {
                let depth = self.bound.len();
                self.bound.extend(variables.iter().map(|it| Arc::clone(&it.text)));
                let body = Box::new(self.condition(body));
                self.bound.truncate(depth);
                Cond::Quantifier(*universal, variables.iter().map(|it| Arc::clone(&it.text)).collect(), body)
            }
            ExprKind::Conditional(cond, then, other) => {
                let [cond, then, other] = [cond, then, other].map(|it| Box::new(self.condition(it)));
                let then = Cond::Implies(cond.clone(), then);
                Cond::And(Box::new(then), Box::new(Cond::Or(cond, other)))
            }
            ExprKind::Apply(name, _) if matches!(&*name.text, "FORALL" | "EXISTS") => {
                self.error(expr.span, format!("a variable was expected, such as {} K (A(K) > 0)", name.text));
                Cond::Constant(true)
            }
            _ => {
                self.error(expr.span, "a condition was expected, such as X > 0, and this is a number");
                Cond::Constant(true)
            }
        }
    }

    /// A number or a condition, whichever it is.
    pub(crate) fn either(&mut self, expr: &syntax::Expr) -> Result<Cond, Expr> {
        if self.is_condition(expr) { Ok(self.plain_condition(expr)) } else { Err(self.plain_number(expr)) }
    }

    fn is_condition(&self, expr: &syntax::Expr) -> bool {
        match &expr.kind {
            ExprKind::Prefix(Prefix::Not, _) | ExprKind::Quantifier(..) => true,
            ExprKind::Infix(op, ..) => {
                matches!(op, Infix::Compare(_) | Infix::And | Infix::Or | Infix::Implies)
            }
            ExprKind::Name(name) => self.find(name).is_none() && matches!(&**name, "TRUE" | "FALSE"),
            ExprKind::Conditional(_, then, _) => self.is_condition(then),
            _ => false,
        }
    }
}

fn zero() -> Expr {
    Expr::Number(BigInt::from(0))
}

/// Whether a comparison is one of order, and strict.
pub(crate) fn is_strict(op: Comparison) -> Option<bool> {
    match op {
        Comparison::Less | Comparison::Greater => Some(true),
        Comparison::LessEqual | Comparison::GreaterEqual => Some(false),
        Comparison::Equal | Comparison::NotEqual => None,
    }
}

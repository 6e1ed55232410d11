//! The values of expressions and conditions in a state.
//!
//! Knows: what each operator does to symbols, and what must be asked for it. Never: φ, the effects of statements.
//! Source: King 1976, section 2 (evaluation rules), section 9 (arrays: cases, or conditional values).

mod condition;

use crate::array::Array;
use crate::code::{Arithmetic, Expr, SourcePosition};
use crate::options::{Arrays, Asserts};
use crate::program::Program;
use crate::state::{Binding, Cell, State};
use effigy_engine::{Alternative, AlternativeLabel, BugKind, Context, Outcome, Resolution, Step, Violation};
use effigy_term::{Node, Sort, Symbol, SymbolKind, Term, Terms};
use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive, Zero};
use rustc_hash::FxHashSet;
use std::rc::Rc;
use std::sync::Arc;

/// Numbers of more bits end the path: computing with them takes all the memory there is.
const MOST_BITS: u64 = 1 << 20;

/// So do polynomials with more summands,
const MOST_MONOMIALS: usize = 20_000;

/// and with more factors in a summand.
const MOST_DEGREE: u32 = 5_000;

/// How large a number is as a polynomial, at most.
#[derive(Clone, Copy)]
struct Size {
    monomials: usize,
    /// The bits of the largest coefficient.
    bits: u64,
    degree: u32,
}

impl Size {
    fn of(terms: &Terms, term: Term) -> Size {
        match terms.node(term) {
            Node::Int(value) => Size { monomials: 1, bits: value.bits(), degree: 0 },
            Node::IntPoly(poly) => {
                let bits = poly.monomials.iter().map(|it| it.0.bits()).chain([poly.constant.bits()]).max();
                let degree = poly.monomials.iter().map(|it| it.1.iter().fold(0, |res, it| it.1.saturating_add(res)));
                Size {
                    monomials: poly.monomials.len() + usize::from(!poly.constant.is_zero()),
                    bits: bits.unwrap_or(0),
                    degree: degree.max().unwrap_or(0),
                }
            }
            _ => Size { monomials: 1, bits: 1, degree: 1 },
        }
    }

    /// Equal monomials are added up; this counts them apart.
    fn times(self, other: Size) -> Size {
        Size {
            monomials: self.monomials.saturating_mul(other.monomials),
            bits: self.bits + other.bits,
            degree: self.degree.saturating_add(other.degree),
        }
    }

    fn power(self, exponent: u32) -> Size {
        // n summands to the power of e: (n+e-1 choose e) different monomials.
        let grown = (0..exponent.min(MOST_DEGREE) as usize).try_fold(1_usize, |res, it| {
            let next = res.checked_mul(self.monomials + it)? / (it + 1);
            (next <= MOST_MONOMIALS).then_some(next)
        });
        let (bits, degree) = (self.bits * u64::from(exponent), self.degree.saturating_mul(exponent));
        Size { monomials: grown.unwrap_or(usize::MAX), bits, degree }
    }

    fn is_too_large(self) -> bool {
        self.monomials > MOST_MONOMIALS || self.bits > MOST_BITS || self.degree > MOST_DEGREE
    }
}

/// The evaluation of expressions for one operation.
pub(crate) struct Evaluation<'a, 'c> {
    pub(crate) program: &'a Program,
    pub(crate) ctx: &'a Context<'c>,
    pub(crate) state: &'a State,
    /// The answers that were used.
    pub(crate) used: usize,
    /// Where the expression matters: questions are only asked there.
    guard: Term,
    /// In an assertion: subscripts and divisions are those of mathematics, and nothing is asked.
    total: bool,
    /// The part of the statement that is evaluated.
    spot: Option<SourcePosition>,
    bound: Vec<(Arc<str>, Term)>,
    /// Instances of quantifiers written out so far.
    instances: usize,
    /// What the operation assumed, for the state.
    pub(crate) assumed: Vec<Term>,
    /// Symbolic inputs that the operation used, for the state.
    pub(crate) met: Vec<Term>,
    /// What is wrong should the assumption that is asked be impossible.
    pub(crate) asked: Option<String>,
}

/// A value, or the question that comes first.
pub(crate) type EvalResult<T> = Result<T, Box<Step>>;

impl<'a, 'c> Evaluation<'a, 'c> {
    pub(crate) fn new(program: &'a Program, ctx: &'a Context<'c>, state: &'a State) -> Evaluation<'a, 'c> {
        Evaluation {
            program,
            ctx,
            state,
            used: 0,
            guard: ctx.terms.bool(true),
            total: false,
            spot: None,
            bound: Vec::new(),
            instances: 0,
            assumed: Vec::new(),
            met: Vec::new(),
            asked: None,
        }
    }

    /// For assertions, and for what a person asks.
    pub(crate) fn total(program: &'a Program, ctx: &'a Context<'c>, state: &'a State) -> Evaluation<'a, 'c> {
        Evaluation { total: true, ..Evaluation::new(program, ctx, state) }
    }

    pub(crate) fn terms(&self) -> &'c Terms {
        self.ctx.terms
    }

    // Questions.

    fn answer(&mut self) -> Option<&'a Resolution> {
        let answer = self.state.answers.get(self.used);
        self.used += usize::from(answer.is_some());
        answer
    }

    /// What is wrong, at the operator or variable that it is about.
    fn violation(&self, kind: BugKind, message: String) -> Box<Violation> {
        let mut res = self.program.violation(self.state, kind, message);
        if let Some(spot) = self.spot.filter(|_| res.place.line > 0) {
            (res.place.line, res.place.column) = (spot.line, spot.column);
        }
        res
    }

    /// Requires that `cond` holds here; reports a bug of `kind` where it does not.
    pub(crate) fn require(&mut self, cond: Term, kind: BugKind, message: impl FnOnce() -> String) -> EvalResult<()> {
        let terms = self.terms();
        let guarded = terms.implies(self.guard, cond);
        if terms.as_bool(guarded) == Some(true) {
            return Ok(());
        }
        if terms.as_bool(guarded) == Some(false) {
            let violation = self.violation(kind, message());
            return Err(Box::new(Step::Exit(Outcome::Violation(violation))));
        }
        if self.answer().is_some() {
            return Ok(());
        }
        let violation = self.violation(kind, message());
        Err(Box::new(Step::Require { cond: guarded, violation }))
    }

    /// `cond` is what the caller answers for. Where it cannot hold, `wrong` is.
    fn assume(&mut self, cond: Term, kind: BugKind, wrong: impl FnOnce() -> String) -> EvalResult<()> {
        let terms = self.terms();
        let guarded = terms.implies(self.guard, cond);
        if terms.as_bool(guarded) == Some(true) {
            return Ok(());
        }
        if terms.as_bool(guarded) == Some(false) {
            let violation = self.violation(kind, wrong());
            return Err(Box::new(Step::Exit(Outcome::Violation(violation))));
        }
        if self.answer().is_some() {
            self.assumed.push(guarded);
            return Ok(());
        }
        self.asked = Some(wrong());
        Err(Box::new(Step::Assume(guarded)))
    }

    /// Does `cond` hold? Both are followed where both are possible.
    pub(crate) fn branch(&mut self, cond: Term, labels: impl FnOnce() -> [AlternativeLabel; 2]) -> EvalResult<bool> {
        let terms = self.terms();
        if let Some(known) = terms.as_bool(cond) {
            return Ok(known);
        }
        if let Some(answer) = self.answer() {
            return Ok(*answer == Resolution::Alternative(0));
        }
        let [yes, no] = labels();
        let alternatives = vec![Alternative { cond, label: yes }, Alternative { cond: terms.not(cond), label: no }];
        Err(Box::new(Step::Branch(alternatives)))
    }

    // Numbers.

    /// An input; it is met by its name, whatever its value is.
    pub(crate) fn input(&mut self, name: &str, sort: Sort) -> Term {
        let terms = self.terms();
        self.met.push(terms.of_symbol(terms.symbol(name, sort, SymbolKind::Input)));
        self.ctx.input(name, sort, SymbolKind::Input)
    }

    pub(crate) fn number(&mut self, expr: &Expr) -> EvalResult<Term> {
        let terms = self.terms();
        match expr {
            Expr::Number(value) => Ok(terms.int(value.clone())),
            Expr::Symbol(name) => {
                // At a cut point, variables are inputs of their own names: `"X"` is not X.
                let input = match self.program.options.asserts {
                    Asserts::Checked => self.input(name, Sort::Int),
                    Asserts::Cuts => self.input(&format!("\"{name}\""), Sort::Int),
                };
                self.within_width(input)?;
                Ok(input)
            }
            Expr::At(spot, inner) => {
                let outer = self.spot.replace(*spot);
                let res = self.number(inner);
                self.spot = outer;
                res
            }
            Expr::Load(slot) => self.load(*slot),
            Expr::Element(slot, at) => {
                let at = self.number(at)?;
                let Some(array) = self.state.array(*slot).map(Rc::clone) else { return Ok(terms.int(0)) };
                let name = self.name(*slot);
                self.element(&array, at, &name)
            }
            Expr::Binary(op, a, b) => {
                let a = self.number(a)?;
                let b = self.number(b)?;
                self.binary(*op, a, b)
            }
            Expr::Abs(a) => {
                let a = self.number(a)?;
                let zero = terms.int(0);
                let res = terms.ite(terms.int_lt(a, zero), terms.int_neg(a), a);
                self.in_range(res, "ABS")
            }
            Expr::Conditional(cond, then, other) => {
                let cond = self.condition(cond)?;
                let then = self.where_it_holds(cond, |it| it.number(then))?;
                let other = self.where_it_holds(terms.not(cond), |it| it.number(other))?;
                Ok(terms.ite(cond, then, other))
            }
            Expr::Bound(name) => {
                let found = self.bound.iter().rev().find(|it| it.0 == *name);
                Ok(found.map_or_else(|| terms.int(0), |it| it.1))
            }
            Expr::Old(slot) => match self.state.frame.old.get(*slot as usize) {
                Some(Some(Cell::Scalar(Some(value)))) => Ok(*value),
                Some(Some(Cell::Partly(defined, value))) => {
                    let name = self.name(*slot);
                    self.require_always(*defined, || format!("OLD({name}) has no value"))?;
                    Ok(*value)
                }
                _ => {
                    let name = self.name(*slot);
                    self.require(terms.bool(false), crate::bugs::UNINITIALISED, || {
                        format!("OLD({name}) has no value")
                    })?;
                    Ok(terms.int(0))
                }
            },
            Expr::OldElement(slot, at) => {
                let at = self.number(at)?;
                match self.state.frame.old.get(*slot as usize) {
                    Some(Some(Cell::Array(array))) => Ok(terms.select(array.content, at)),
                    _ => Ok(terms.int(0)),
                }
            }
            Expr::LowerBound(slot) => Ok(self.state.array(*slot).map_or_else(|| terms.int(1), |it| it.lower)),
            Expr::UpperBound(slot) => {
                let upper = self.state.array(*slot).and_then(|it| it.upper);
                match upper {
                    Some(upper) => Ok(upper),
                    None => {
                        // By the array's own name: two may be passed to one parameter.
                        let base = self.state.array(*slot).map(|it| it.base);
                        let name = match base.map(|it| terms.node(it)) {
                            Some(Node::Symbol(symbol)) => format!("HBOUND({})", terms.symbol_info(*symbol).name),
                            _ => format!("HBOUND({})", self.name(*slot)),
                        };
                        Ok(self.input(&name, Sort::Int))
                    }
                }
            }
        }
    }

    fn name(&self, slot: u32) -> Arc<str> {
        Arc::clone(self.state.frame.procedure.name_of(slot))
    }

    fn load(&mut self, slot: u32) -> EvalResult<Term> {
        let terms = self.terms();
        let name = self.name(slot);
        match &self.state.frame.bindings[slot as usize] {
            Binding::Cell(cell) => match self.state.cells.get(cell) {
                Some(Cell::Scalar(Some(value))) => Ok(*value),
                Some(Cell::Partly(defined, value)) => {
                    self.require_always(*defined, || format!("{} is used before it has a value", shown(&name)))?;
                    Ok(*value)
                }
                _ => {
                    let message = || format!("{} is used before it has a value", shown(&name));
                    self.require(terms.bool(false), crate::bugs::UNINITIALISED, message)?;
                    Ok(terms.int(0))
                }
            },
            Binding::Element(cell, at) => match self.state.cells.get(cell) {
                Some(Cell::Array(array)) => self.element(&Rc::clone(array), *at, &name),
                _ => Ok(terms.int(0)),
            },
        }
    }

    /// The element of an array.
    fn element(&mut self, array: &Array, at: Term, name: &str) -> EvalResult<Term> {
        let terms = self.terms();
        if self.total {
            if let Some(defined) = array.defined {
                self.require_always(terms.select(defined, at), || {
                    let shown = self.program.show(terms, at);
                    format!("{name}({shown}) is used before it has a value")
                })?;
            }
            return Ok(terms.select(array.content, at));
        }
        self.subscript(array, at, name)?;
        if let Some(defined) = array.defined {
            let defined = self.resolved(defined, at)?;
            let shown = self.program.show(terms, at);
            let message = || format!("{name}({shown}) is used before it has a value");
            self.require(defined, crate::bugs::UNINITIALISED, message)?;
        }
        let value = self.resolved(array.content, at)?;
        if self.program.options.width.is_some() && array.defined.is_none() && has_select(terms, value) {
            self.within_width(value)?;
        }
        Ok(value)
    }

    /// In an assertion: an element has a value, for all values of the variables of quantifiers for which it matters.
    fn require_always(&mut self, defined: Term, message: impl FnOnce() -> String) -> EvalResult<()> {
        let terms = self.terms();
        let cond = terms.implies(self.guard, defined);
        let symbols: Vec<Symbol> = self.bound.iter().flat_map(|it| terms.symbols(it.1).to_vec()).collect();
        let always = if symbols.is_empty() { cond } else { terms.forall(&symbols, &[], cond) };
        let outer = std::mem::replace(&mut self.guard, terms.bool(true));
        let res = self.require(always, crate::bugs::UNINITIALISED, message);
        self.guard = outer;
        res
    }

    /// The element of a chain of stores: by cases, or as it is (King 1976, section 9, approaches 1 and 2).
    fn resolved(&mut self, content: Term, at: Term) -> EvalResult<Term> {
        let terms = self.terms();
        if self.program.options.arrays == Arrays::Conditional {
            return Ok(terms.select(content, at));
        }
        let mut below = content;
        while let Node::Store(inner, index, value) = *terms.node(below) {
            let same = terms.eq(index, at);
            let program = self.program;
            let label = |not: &str, to: &str| {
                let text = format!("{}{not}{to}{}", program.show(terms, at), program.show(terms, index));
                AlternativeLabel::Case(text.into())
            };
            if self.branch(same, || [label(" ", "= "), label(" ¬", "= ")])? {
                return Ok(value);
            }
            below = inner;
        }
        Ok(terms.select(below, at))
    }

    /// Asks whether a subscript is within its bounds.
    pub(crate) fn subscript(&mut self, array: &Array, at: Term, name: &str) -> EvalResult<()> {
        let terms = self.terms();
        let low = terms.int_le(array.lower, at);
        let (program, lower) = (self.program, array.lower);
        let Some(upper) = array.upper else {
            let message = move || {
                let (at, lower) = (program.show(terms, at), program.show(terms, lower));
                format!("the subscript {at} of {name} is below {lower}")
            };
            return self.assume(low, crate::bugs::SUBSCRIPT, message);
        };
        let cond = terms.and(low, terms.int_le(at, upper));
        self.require(cond, crate::bugs::SUBSCRIPT, move || {
            let (at, lower, upper) = (program.show(terms, at), program.show(terms, lower), program.show(terms, upper));
            format!("the subscript {at} of {name} is not within {lower}:{upper}")
        })
    }

    fn binary(&mut self, op: Arithmetic, a: Term, b: Term) -> EvalResult<Term> {
        let terms = self.terms();
        let zero = terms.int(0);
        if matches!(op, Arithmetic::Divide | Arithmetic::Mod | Arithmetic::Rem) && !self.total {
            let cond = terms.ne(b, zero);
            self.require(cond, crate::bugs::DIVISION_BY_ZERO, || "the divisor can be zero".to_owned())?;
        }
        let (res, sign) = match op {
            Arithmetic::Add => (terms.int_add(a, b), "+"),
            Arithmetic::Subtract => (terms.int_sub(a, b), "-"),
            Arithmetic::Multiply => (self.product(a, b)?, "*"),
            Arithmetic::Divide => (terms.int_quot(a, b), "/"),
            Arithmetic::Mod => return Ok(terms.int_mod(a, b)),
            Arithmetic::Rem => return Ok(terms.int_rem(a, b)),
            Arithmetic::Min => return Ok(terms.ite(terms.int_le(a, b), a, b)),
            Arithmetic::Max => return Ok(terms.ite(terms.int_le(a, b), b, a)),
            Arithmetic::Power => {
                if !self.total {
                    let cond = terms.int_le(zero, b);
                    let message = || "the exponent can be negative".to_owned();
                    self.require(cond, crate::bugs::NEGATIVE_EXPONENT, message)?;
                }
                (self.power(a, b)?, "**")
            }
        };
        self.in_range(res, sign)
    }

    fn product(&mut self, a: Term, b: Term) -> EvalResult<Term> {
        let terms = self.terms();
        if Size::of(terms, a).times(Size::of(terms, b)).is_too_large() {
            return Err(self.too_large());
        }
        Ok(terms.int_mul(a, b))
    }

    fn power(&mut self, a: Term, b: Term) -> EvalResult<Term> {
        let terms = self.terms();
        if let (Some(base), Some(exponent)) = (terms.as_int(a), terms.as_int(b))
            && !exponent.is_negative()
        {
            if base.bits() <= 1 {
                let odd = exponent.bit(0);
                let res = if exponent.sign() == num_bigint::Sign::NoSign {
                    BigInt::from(1)
                } else if base.is_negative() && !odd {
                    -base
                } else {
                    base.clone()
                };
                return Ok(terms.int(res));
            }
            return match exponent.to_u32().filter(|it| base.bits() * u64::from(*it) <= MOST_BITS) {
                Some(exponent) => Ok(terms.int(base.pow(exponent))),
                None => Err(self.too_large()),
            };
        }
        // Small powers of sums are written out; others stay as they are.
        if let Some(exponent) = terms.as_int(b).and_then(ToPrimitive::to_u32).filter(|it| *it <= 16)
            && Size::of(terms, a).power(exponent).is_too_large()
        {
            return Err(self.too_large());
        }
        Ok(terms.int_pow(a, b))
    }

    fn too_large(&self) -> Box<Step> {
        let what = format!(
            "a number of more than {MOST_BITS} bits, {MOST_MONOMIALS} summands or {MOST_DEGREE} factors in a summand"
        );
        Box::new(Step::unsupported(what, self.program.place_of(self.state)))
    }

    /// The bounds of machine integers, if they are asked for.
    fn range(&self) -> Option<(Term, Term)> {
        let width = self.program.options.width?;
        let half = BigInt::from(1) << (width - 1);
        Some((self.terms().int(-half.clone()), self.terms().int(half - 1)))
    }

    /// A result that must fit a machine integer.
    fn in_range(&mut self, res: Term, sign: &str) -> EvalResult<Term> {
        let terms = self.terms();
        if let Some((low, high)) = self.range().filter(|_| !self.total) {
            let cond = terms.and(terms.int_le(low, res), terms.int_le(res, high));
            let width = self.program.options.width.unwrap_or(0);
            let message = || format!("the result of {sign} does not fit {width} bits");
            self.require(cond, crate::bugs::OVERFLOW, message)?;
        }
        Ok(res)
    }

    /// An input that fits a machine integer, by assumption.
    pub(crate) fn within_width(&mut self, input: Term) -> EvalResult<()> {
        let terms = self.terms();
        let Some((low, high)) = self.range().filter(|_| !self.total) else { return Ok(()) };
        let cond = terms.and(terms.int_le(low, input), terms.int_le(input, high));
        self.assume(cond, crate::bugs::OVERFLOW, || "an input does not fit the width".to_owned())
    }
}

/// Whether a value may be an element that is an input.
fn has_select(terms: &Terms, value: Term) -> bool {
    let mut seen = FxHashSet::default();
    let mut work = vec![value];
    while let Some(next) = work.pop() {
        if !seen.insert(next) {
            continue;
        }
        match *terms.node(next) {
            Node::Select(..) => return true,
            Node::Ite(_, a, b) => work.extend([a, b]),
            _ => {}
        }
    }
    false
}

/// The name of a variable as people read it.
fn shown(name: &str) -> &str {
    if name.is_empty() { "a function's value" } else { name }
}

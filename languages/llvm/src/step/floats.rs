//! Instructions on floating-point numbers.
//!
//! Knows: which comparisons and conversions there are, and when a conversion is undefined. `float` and `double` are computed
//! by this machine where they are concrete: it rounds as IEEE 754 wants. Never: functions of `math.h`.
//! Source: LLVM Language Reference, "Floating-Point Environment", "fcmp", "fptosi".

use crate::checks::{FLOAT_DIVISION_BY_ZERO, INFINITY, NAN, UNDEFINED_BEHAVIOUR};
use crate::floats;
use crate::ir::{BinaryOp, CastOp, FloatPredicate};
use crate::machine::{Flow, Machine};
use crate::value::{Val, signed, truncate};
use effigy_term::float::{FloatOp, Format, Rounding};
use effigy_term::{Node, Term, Terms, Width};

/// The class of the note that bits of a NaN were looked at.
const NAN_BITS: &str = "nan-bits";

/// Whether an operation is one on floats.
pub(super) fn is_float(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::FAdd | BinaryOp::FSub | BinaryOp::FMul | BinaryOp::FDiv | BinaryOp::FRem)
}

fn name_of(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::FAdd => "a sum",
        BinaryOp::FSub => "a difference",
        BinaryOp::FMul => "a product",
        BinaryOp::FDiv => "a quotient",
        _ => "a remainder",
    }
}

/// The result on concrete numbers, where this machine has the format.
pub(super) fn concrete(op: BinaryOp, width: u32, a: u64, b: u64) -> Option<u64> {
    macro_rules! apply {
        ($x:expr, $y:expr) => {
            match op {
                BinaryOp::FAdd => $x + $y,
                BinaryOp::FSub => $x - $y,
                BinaryOp::FMul => $x * $y,
                BinaryOp::FDiv => $x / $y,
                _ => $x % $y,
            }
        };
    }
    match width {
        32 => Some(u64::from(apply!(f32::from_bits(a as u32), f32::from_bits(b as u32)).to_bits())),
        64 => Some(apply!(f64::from_bits(a), f64::from_bits(b)).to_bits()),
        _ => None,
    }
}

impl Machine<'_, '_> {
    /// The mode that the program has set, or that with which it begins: to the nearest.
    pub(crate) fn rounding(&self) -> Rounding {
        self.state.process.rounding.unwrap_or(Rounding::NearestEven)
    }

    /// Whether results are rounded as this machine rounds them.
    pub(crate) fn rounds_to_nearest(&self) -> bool {
        self.rounding() == Rounding::NearestEven
    }

    /// A binary operation.
    pub(crate) fn float_binary(&mut self, op: BinaryOp, width: u32, a: &Val, b: &Val) -> Flow<Val> {
        let (a, b) = (self.float_value(a), self.float_value(b));
        if let (Val::Int(x), Val::Int(y)) = (&a, &b)
            && self.rounds_to_nearest()
            && let Some(res) = concrete(op, width, *x, *y)
            && !self.looks_at_floats()
        {
            return Ok(Val::Int(res));
        }
        if matches!((&a, &b), (Val::Undef, _) | (_, Val::Undef)) {
            return Ok(Val::Undef);
        }
        let (x, y) = (self.term(&a, Width::of(width)), self.term(&b, Width::of(width)));
        if op == BinaryOp::FDiv && self.on(FLOAT_DIVISION_BY_ZERO) {
            let terms = self.ctx.terms;
            let is_zero = terms.float_is_zero(floats::format_of(width), floats::number(terms, y));
            self.require(terms.not(is_zero), FLOAT_DIVISION_BY_ZERO, || "a floating-point division by zero".into())?;
        }
        let terms = self.ctx.terms;
        let y = if op == BinaryOp::FSub { floats::negated(terms, y) } else { y };
        let of = match op {
            BinaryOp::FAdd | BinaryOp::FSub => FloatOp::Add,
            BinaryOp::FMul => FloatOp::Mul,
            BinaryOp::FDiv => FloatOp::Div,
            _ => FloatOp::Modulo,
        };
        let res = floats::apply(terms, of, self.rounding(), &[x, y]);
        self.check_float(&[x, y], res, name_of(op))?;
        Ok(Val::of_term(terms, res))
    }

    fn looks_at_floats(&self) -> bool {
        self.program.options.checks.look_at_floats()
    }

    /// A result of an operation on bits in memory is no NaN that was made of numbers, and no infinity that was made of
    /// finite ones, where these are looked for.
    pub(crate) fn check_float(&mut self, arguments: &[Term], res: Term, what: &str) -> Flow<()> {
        let terms = self.ctx.terms;
        let format = |it: Term| floats::format_of(terms.width(it).bits());
        if self.on(NAN) {
            let is_nan = |it: Term| terms.float_is_nan(format(it), floats::number(terms, it));
            let some = terms.or_all(arguments.iter().map(|it| is_nan(*it)));
            let cond = terms.or(some, terms.not(is_nan(res)));
            self.require(cond, NAN, || format!("{what} of numbers makes a NaN"))?;
        }
        if self.on(INFINITY) {
            let is_finite = |it: Term| terms.not(terms.float_is_not_finite(format(it), floats::number(terms, it)));
            let all = terms.and_all(arguments.iter().map(|it| is_finite(*it)));
            let is_infinite = terms.float_is_infinite(format(res), floats::number(terms, res));
            let cond = terms.not(terms.and(all, is_infinite));
            self.require(cond, INFINITY, || format!("{what} of finite numbers makes an infinity"))?;
        }
        Ok(())
    }

    /// A comparison.
    pub(super) fn fcmp(&mut self, pred: FloatPredicate, width: u32, a: &Val, b: &Val) -> Flow<Val> {
        let (a, b) = (self.float_value(a), self.float_value(b));
        if matches!((&a, &b), (Val::Undef, _) | (_, Val::Undef)) {
            return Ok(Val::Undef);
        }
        if let (Val::Int(x), Val::Int(y)) = (&a, &b)
            && matches!(width, 32 | 64)
        {
            let bit = match to_f64(*x, width).partial_cmp(&to_f64(*y, width)) {
                None => 8,
                Some(std::cmp::Ordering::Less) => 4,
                Some(std::cmp::Ordering::Greater) => 2,
                Some(std::cmp::Ordering::Equal) => 1,
            };
            return Ok(Val::Int(u64::from(pred.0 & bit != 0)));
        }
        let (x, y) = (self.term(&a, Width::of(width)), self.term(&b, Width::of(width)));
        let res = self.compared(pred, x, y);
        Ok(Val::of_term(self.ctx.terms, res))
    }

    /// The condition of a comparison. With an order that is not asked for, it is the negation of the opposite.
    fn compared(&self, pred: FloatPredicate, x: Term, y: Term) -> Term {
        const EQUAL: u8 = 1;
        const GREATER: u8 = 2;
        const LESS: u8 = 4;
        const UNORDERED: u8 = 8;
        let terms = self.ctx.terms;
        let is = |op: fn(_) -> FloatOp, a: Term, b: Term| floats::apply(terms, op, Rounding::NearestEven, &[a, b]);
        let ordered = |pred: u8| match pred {
            0 => terms.bool(false),
            EQUAL => is(FloatOp::Equal, x, y),
            GREATER => is(FloatOp::Less, y, x),
            LESS => is(FloatOp::Less, x, y),
            3 => is(FloatOp::LessOrEqual, y, x),
            5 => is(FloatOp::LessOrEqual, x, y),
            6 => terms.or(is(FloatOp::Less, x, y), is(FloatOp::Less, y, x)),
            _ => terms.and(is(FloatOp::Equal, x, x), is(FloatOp::Equal, y, y)),
        };
        match pred.0 & UNORDERED != 0 {
            true => terms.not(ordered(!pred.0 & (EQUAL | GREATER | LESS))),
            false => ordered(pred.0),
        }
    }

    /// The negation: the sign bit flipped, exact for symbolic values too.
    pub(super) fn fneg(&mut self, width: u32, a: &Val) -> Flow<Val> {
        let a = self.float_value(a);
        match a {
            Val::Undef => Ok(Val::Undef),
            Val::Int(bits) if width <= 64 => Ok(Val::Int(bits ^ 1 << (width - 1))),
            _ => {
                let term = self.term(&a, Width::of(width));
                Ok(Val::of_term(self.ctx.terms, floats::negated(self.ctx.terms, term)))
            }
        }
    }

    /// A conversion to or from a float.
    pub(super) fn float_cast(&mut self, op: CastOp, from: u32, to: u32, a: &Val) -> Flow<Val> {
        if self.float_here(a).is_some() {
            self.depends_on_placement("a floating-point number");
        }
        let a = self.float_value(a);
        if let Val::Int(bits) = a
            && self.rounds_to_nearest()
            && let Some(res) = concrete_cast(op, from, to, bits)
            && (op != CastOp::FpTrunc || !self.looks_at_floats())
        {
            return Ok(Val::Int(res));
        }
        let x = self.term(&a, Width::of(from));
        let (terms, mode) = (self.ctx.terms, self.rounding());
        let value = match op {
            CastOp::SiToFp => floats::of_integer(terms, true, to, mode, x),
            CastOp::UiToFp => floats::of_integer(terms, false, to, mode, x),
            CastOp::FpToSi | CastOp::FpToUi => return self.integer_of(op == CastOp::FpToSi, Width::of(to), x),
            _ => floats::convert(terms, to, mode, x),
        };
        if op == CastOp::FpTrunc {
            self.check_float(&[x], value, "the conversion")?;
        }
        Ok(Val::of_term(terms, value))
    }

    /// The integer that is left when a number is cut off after its point. One that does not fit is undefined.
    fn integer_of(&mut self, signed: bool, to: Width, x: Term) -> Flow<Val> {
        let terms = self.ctx.terms;
        let value = floats::to_integer(terms, signed, to, Rounding::TowardZero, x);
        let fits = floats::fits_integer(terms, signed, to, x);
        let text = match terms.as_bv(floats::number(terms, x)) {
            Some(known) => {
                let number = effigy_term::float::literal(floats::format_of(terms.width(x).bits()), known);
                format!("the number {number} does not fit {} bits", to.bits())
            }
            None => format!("a floating-point number can be no integer of {} bits", to.bits()),
        };
        let function = self.frame().function as usize;
        let may_be_optimised = self.program.code.functions[function].may_be_optimised;
        if may_be_optimised || !self.on(UNDEFINED_BEHAVIOUR) {
            let value = self.poison_unless(fits, value, UNDEFINED_BEHAVIOUR, || text)?;
            return Ok(Val::of_term(terms, value));
        }
        self.require_defined(x, "a floating-point number that is made an integer")?;
        self.require(fits, UNDEFINED_BEHAVIOUR, || text)?;
        Ok(Val::of_term(terms, value))
    }

    /// Asks whether a number whose bits a program looks at is a NaN: no rule says which of its bits it has, and here they are
    /// those of one.
    pub(super) fn look_at_bits(&mut self, value: &Val) -> Flow<()> {
        let &Val::Term(term) = value else { return Ok(()) };
        let terms = self.ctx.terms;
        for (float, width) in floats_within(terms, term) {
            let is_nan = terms.float_is_nan(width, float);
            if self.decide_term(is_nan)? {
                self.state.nan_bits = true;
                self.note(NAN_BITS, "the bits of a NaN are those that x86-64 makes; others are possible", true);
            }
        }
        Ok(())
    }

    /// A number that was made of a pointer is where the object lies here.
    fn float_value(&self, value: &Val) -> Val {
        self.float_here(value).unwrap_or_else(|| value.clone())
    }
}

/// How many terms are looked at for floats whose bits an integer is made of.
const MOST_LOOKS: usize = 16;

/// The results of floating-point operations whose bits a term has.
fn floats_within(terms: &Terms, term: Term) -> Vec<(Term, Format)> {
    let (mut work, mut res) = (vec![term], Vec::new());
    for _ in 0..MOST_LOOKS {
        let Some(next) = work.pop() else { break };
        match *terms.node(next) {
            Node::Float(ref it) => {
                let is_new = |it: &Term| res.iter().all(|known: &(Term, Format)| known.0 != *it);
                if let Some(format) = it.op.result_format().filter(|_| is_new(&next)) {
                    res.push((next, format));
                }
            }
            Node::Ite(_, a, b) | Node::Concat(a, b) => work.extend([a, b]),
            Node::Extract { arg, .. } | Node::ZeroExtend(_, arg) | Node::SignExtend(_, arg) => work.push(arg),
            _ => {}
        }
    }
    res
}

fn to_f64(bits: u64, width: u32) -> f64 {
    if width == 32 { f64::from(f32::from_bits(bits as u32)) } else { f64::from_bits(bits) }
}

/// A conversion that this machine has; `None` for one that it has not, or whose result does not fit.
fn concrete_cast(op: CastOp, from: u32, to: u32, bits: u64) -> Option<u64> {
    let has = |width: u32| matches!(width, 32 | 64);
    let of_f64 = |value: f64| if to == 32 { u64::from((value as f32).to_bits()) } else { value.to_bits() };
    match op {
        CastOp::FpTrunc | CastOp::FpExt if has(from) && has(to) => Some(of_f64(to_f64(bits, from))),
        CastOp::SiToFp if from <= 64 && to == 32 => Some(u64::from((signed(bits, from) as f32).to_bits())),
        CastOp::SiToFp if from <= 64 && to == 64 => Some((signed(bits, from) as f64).to_bits()),
        CastOp::UiToFp if from <= 64 && to == 32 => Some(u64::from((bits as f32).to_bits())),
        CastOp::UiToFp if from <= 64 && to == 64 => Some((bits as f64).to_bits()),
        CastOp::FpToSi if has(from) && to <= 64 => {
            let value = to_f64(bits, from).trunc();
            let limit = (2f64).powi(to as i32 - 1);
            (value >= -limit && value < limit).then(|| truncate(value as i64 as u64, to))
        }
        CastOp::FpToUi if has(from) && to <= 64 => {
            let value = to_f64(bits, from).trunc();
            let limit = (2f64).powi(to as i32);
            (value > -1.0 && value < limit).then(|| truncate(value as u64, to))
        }
        _ => None,
    }
}

//! LLVM's intrinsics, but for those on floats (`math`).
//!
//! Knows: LLVM Language Reference, "Intrinsic Functions".

use super::{result_width, width_of};
use crate::call_frame::Variadic;
use crate::checks::{ABORT, SIGNED_OVERFLOW, UNREACHABLE_REACHED};
use crate::code::{Call, Shape};
use crate::ir::BinaryOp;
use crate::machine::{Flow, Machine};
use crate::memory::bytes::Bytes;
use crate::memory::{ObjectId, ObjectKind, Size};
use crate::step::access::{Access, Offset, Spot};
use crate::step::arithmetic::no_signed_overflow;
use crate::value::Val;
use effigy_engine::Note;
use effigy_term::{BvValue, Term, Terms, Width};

type Done = Flow<Option<Val>>;

/// Applies `op` to scalars, or to each lane of vectors. The width is that of the lanes.
pub(super) fn lanes(
    it: &mut Machine<'_, '_>,
    call: &Call,
    arguments: &[Val],
    count: usize,
    op: impl Fn(&Terms, &[Term]) -> Term,
) -> Done {
    let shape = call.arguments.first().map(|it| it.shape.clone());
    let scalar = |it: &mut Machine<'_, '_>, values: &[Val], width: u32| -> Val {
        if values.iter().any(|it| matches!(it, Val::Undef)) {
            return Val::Undef;
        }
        let terms: Vec<Term> = values.iter().map(|value| it.term(value, Width::of(width))).collect();
        let res = op(it.ctx.terms, &terms);
        it.of_term(res)
    };
    match shape {
        Some(Shape::Scalar { width, .. }) => {
            let values: Vec<Val> = (0..count).map(|index| it.argument(arguments, index)).collect();
            Ok(Some(scalar(it, &values, width)))
        }
        Some(Shape::Aggregate(elements)) => {
            let mut res = Vec::new();
            for (lane, (_, element)) in elements.iter().enumerate() {
                let Shape::Scalar { width, .. } = element else {
                    return Err(it.unsupported("this intrinsic on structures"));
                };
                let values: Vec<Val> = (0..count)
                    .map(|index| match arguments.get(index) {
                        Some(Val::Agg(elements)) => elements.get(lane).cloned().unwrap_or(Val::Undef),
                        Some(other) if !matches!(call.arguments[index].shape, Shape::Aggregate(_)) => other.clone(),
                        _ => Val::Undef,
                    })
                    .collect();
                res.push(scalar(it, &values, *width));
            }
            Ok(Some(Val::Agg(res.into())))
        }
        None => Ok(Some(Val::Undef)),
    }
}

/// `cpuid`: a processor without extensions, which every program has to do with. What one with them does is not followed.
pub(crate) fn cpuid(it: &mut Machine<'_, '_>, _: &Call, _: &[Val]) -> Done {
    it.note(Note::ASSUMED, "the processor has no extensions that the program asks for (cpuid)", false);
    Ok(Some(Val::Agg([Val::Int(0), Val::Int(0), Val::Int(0), Val::Int(0)].into())))
}

/// `llvm.ucmp`: −1, 0 or 1, as the first number is less than, equal to or greater than the second.
pub(crate) fn ucmp(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    three_way(it, call, arguments, Terms::bv_ult)
}

/// `llvm.scmp`: the same for numbers with a sign.
pub(crate) fn scmp(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    three_way(it, call, arguments, Terms::bv_slt)
}

fn three_way(
    it: &mut Machine<'_, '_>,
    call: &Call,
    arguments: &[Val],
    is_less: impl Fn(&Terms, Term, Term) -> Term,
) -> Done {
    let width = match &call.result {
        Some(Shape::Aggregate(lanes)) => match lanes.first() {
            Some((_, Shape::Scalar { width, .. })) => Width::of(*width),
            _ => return Err(it.unsupported("this intrinsic on structures")),
        },
        _ => result_width(call),
    };
    lanes(it, call, arguments, 2, |terms, args| {
        let number = |it: u64| terms.bv_u64(width, it);
        let (less, greater) = (is_less(terms, args[0], args[1]), is_less(terms, args[1], args[0]));
        terms.ite(less, terms.bv_sub(number(0), number(1)), terms.ite(greater, number(1), number(0)))
    })
}

macro_rules! per_lane {
    ($($(#[$doc:meta])* $name:ident, $count:literal, |$terms:ident, $args:ident| $body:expr;)*) => {
        $($(#[$doc])*
        pub(crate) fn $name(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
            lanes(it, call, arguments, $count, |$terms, $args| $body)
        })*
    };
}

per_lane! {
    /// `llvm.smax`
    smax, 2, |terms, args| terms.ite(terms.bv_slt(args[0], args[1]), args[1], args[0]);
    /// `llvm.smin`
    smin, 2, |terms, args| terms.ite(terms.bv_slt(args[0], args[1]), args[0], args[1]);
    /// `llvm.umax`
    umax, 2, |terms, args| terms.ite(terms.bv_ult(args[0], args[1]), args[1], args[0]);
    /// `llvm.umin`
    umin, 2, |terms, args| terms.ite(terms.bv_ult(args[0], args[1]), args[0], args[1]);
    /// `llvm.abs` of numbers that have an absolute value
    absolute, 1, |terms, args| {
        let zero = terms.bv(BvValue::zero(terms.width(args[0])));
        terms.ite(terms.bv_slt(args[0], zero), terms.bv_neg(args[0]), args[0])
    };
    /// `llvm.uadd.sat`
    uadd_sat, 2, |terms, args| {
        let (sum, over) = overflow(terms, BinaryOp::Add, false, args[0], args[1]);
        terms.ite(over, terms.bv(BvValue::ones(terms.width(args[0]))), sum)
    };
    /// `llvm.usub.sat`
    usub_sat, 2, |terms, args| {
        let (difference, over) = overflow(terms, BinaryOp::Sub, false, args[0], args[1]);
        terms.ite(over, terms.bv(BvValue::zero(terms.width(args[0]))), difference)
    };
    /// `llvm.sadd.sat`
    sadd_sat, 2, |terms, args| saturated(terms, BinaryOp::Add, args[0], args[1]);
    /// `llvm.ssub.sat`
    ssub_sat, 2, |terms, args| saturated(terms, BinaryOp::Sub, args[0], args[1]);
    /// `llvm.bswap`
    bswap, 1, |terms, args| {
        let bytes = terms.width(args[0]).bits() / 8;
        let byte = |at: u32| terms.bv_extract(at * 8 + 7, at * 8, args[0]);
        (1..bytes).fold(byte(0), |high, at| terms.bv_concat(high, byte(at)))
    };
    /// `llvm.bitreverse`
    bitreverse, 1, |terms, args| {
        let bits = terms.width(args[0]).bits();
        let bit = |at: u32| terms.bv_extract(at, at, args[0]);
        (1..bits).fold(bit(0), |high, at| terms.bv_concat(high, bit(at)))
    };
    /// `llvm.ctpop`
    ctpop, 1, |terms, args| {
        let width = terms.width(args[0]);
        let bit = |at: u32| terms.bv_zero_extend(width, terms.bv_extract(at, at, args[0]));
        (1..width.bits()).fold(bit(0), |sum, at| terms.bv_add(sum, bit(at)))
    };
    /// `llvm.ctlz`; the width for zero.
    ctlz, 1, |terms, args| {
        let width = terms.width(args[0]);
        let bits = width.bits();
        let set = |at: u32| terms.eq(terms.bv_extract(at, at, args[0]), terms.bv_u64(Width::W1, 1));
        let number = |it: u32| terms.bv_u64(width, u64::from(it));
        (0..bits).fold(number(bits), |res, at| terms.ite(set(at), number(bits - 1 - at), res))
    };
    /// `llvm.cttz`; the width for zero.
    cttz, 1, |terms, args| {
        let width = terms.width(args[0]);
        let bits = width.bits();
        let set = |at: u32| terms.eq(terms.bv_extract(at, at, args[0]), terms.bv_u64(Width::W1, 1));
        let number = |it: u32| terms.bv_u64(width, u64::from(it));
        (0..bits).rev().fold(number(bits), |res, at| terms.ite(set(at), number(at), res))
    };
    /// `llvm.fshl`
    fshl, 3, |terms, args| funnel(terms, args, true);
    /// `llvm.fshr`
    fshr, 3, |terms, args| funnel(terms, args, false);
}

/// `llvm.abs(x, poison)`: of the smallest number it is poison, if the flag says so.
pub(crate) fn abs(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    let res = absolute(it, call, arguments)?;
    let flagged = it.argument(arguments, 1) == Val::Int(1) && it.on(SIGNED_OVERFLOW);
    let Some(Shape::Scalar { width, .. }) = call.arguments.first().map(|it| &it.shape).filter(|_| flagged) else {
        return Ok(res);
    };
    let (width, Some(value)) = (Width::of(*width), res) else { return Ok(None) };
    if matches!(value, Val::Undef) {
        return Ok(Some(value));
    }
    let (x, value) = (it.term(&it.argument(arguments, 0), width), it.term(&value, width));
    let fits = it.ctx.terms.ne(x, it.ctx.terms.bv(BvValue::min_signed(width)));
    let message = || "abs of the smallest value does not fit".to_owned();
    let value = it.poison_unless(fits, value, SIGNED_OVERFLOW, message)?;
    Ok(Some(it.of_term(value)))
}

fn funnel(terms: &Terms, args: &[Term], left: bool) -> Term {
    let width = terms.width(args[0]);
    let bits = terms.bv_u64(width, u64::from(width.bits()));
    let double = Width::of(width.bits() * 2);
    let amount = terms.bv_zero_extend(double, terms.bv_urem(args[2], bits));
    let both = terms.bv_concat(args[0], args[1]);
    if left {
        terms.bv_extract(double.bits() - 1, width.bits(), terms.bv_shl(both, amount))
    } else {
        terms.bv_extract(width.bits() - 1, 0, terms.bv_lshr(both, amount))
    }
}

/// The wrapped result of a sum, difference or product and the condition of an overflow.
fn overflow(terms: &Terms, operation: BinaryOp, signed: bool, a: Term, b: Term) -> (Term, Term) {
    let res = match operation {
        BinaryOp::Add => terms.bv_add(a, b),
        BinaryOp::Sub => terms.bv_sub(a, b),
        _ => terms.bv_mul(a, b),
    };
    let over = match (operation, signed) {
        (_, true) => terms.not(no_signed_overflow(terms, operation, a, b)),
        (BinaryOp::Add, false) => terms.bv_ult(res, a),
        (BinaryOp::Sub, false) => terms.bv_ult(a, b),
        _ => {
            let wide = Width::of(terms.width(a).bits() * 2);
            let exact = terms.bv_mul(terms.bv_zero_extend(wide, a), terms.bv_zero_extend(wide, b));
            let most = BvValue::ones(terms.width(a)).zero_extend(wide);
            terms.bv_ult(terms.bv(most), exact)
        }
    };
    (res, over)
}

fn saturated(terms: &Terms, operation: BinaryOp, a: Term, b: Term) -> Term {
    let width = terms.width(a);
    let (res, over) = overflow(terms, operation, true, a, b);
    let least = BvValue::min_signed(width);
    let negative = terms.bv_slt(a, terms.bv(BvValue::zero(width)));
    let limit = terms.ite(negative, terms.bv(least.clone()), terms.bv(least.not()));
    terms.ite(over, limit, res)
}

fn with_overflow(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val], operation: BinaryOp, signed: bool) -> Done {
    if matches!(call.arguments.first().map(|it| &it.shape), Some(Shape::Aggregate(_))) {
        return Err(it.unsupported("arithmetic with overflow on vectors"));
    }
    let width = width_of(call, 0);
    let (a, b) = (it.argument(arguments, 0), it.argument(arguments, 1));
    let (a, b) = (it.term(&a, width), it.term(&b, width));
    let (res, over) = overflow(it.ctx.terms, operation, signed, a, b);
    let pair = [it.of_term(res), it.of_term(over)];
    Ok(Some(Val::Agg(std::rc::Rc::from(pair))))
}

macro_rules! overflowing {
    ($($name:ident = $operation:expr, $signed:literal;)*) => {
        $(#[doc = concat!("`llvm.", stringify!($name), "`")]
        pub(crate) fn $name(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
            with_overflow(it, call, arguments, $operation, $signed)
        })*
    };
}

overflowing! {
    sadd_with_overflow = BinaryOp::Add, true;
    uadd_with_overflow = BinaryOp::Add, false;
    ssub_with_overflow = BinaryOp::Sub, true;
    usub_with_overflow = BinaryOp::Sub, false;
    smul_with_overflow = BinaryOp::Mul, true;
    umul_with_overflow = BinaryOp::Mul, false;
}

/// An intrinsic that returns its first argument.
pub(crate) fn first(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    Ok(Some(it.argument(arguments, 0)))
}

/// `llvm.is.constant`: the answer without optimisation.
pub(crate) fn is_constant(_: &mut Machine<'_, '_>, call: &Call, _: &[Val]) -> Done {
    let is_constant = call.arguments.first().is_some_and(|it| it.value.decode().is_err());
    Ok(Some(Val::Int(u64::from(is_constant))))
}

/// `llvm.objectsize(ptr, min, ...)`: unknown.
pub(crate) fn objectsize(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    let least = it.argument(arguments, 1) == Val::Int(1);
    Ok(Some(Val::Int(if least { 0 } else { crate::value::truncate(u64::MAX, result_width(call).bits()) })))
}

/// `llvm.assume`: the optimiser's promise; a false one is undefined behaviour.
pub(crate) fn assume(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let value = it.argument(arguments, 0);
    if matches!(value, Val::Undef) {
        return Ok(None);
    }
    let cond = it.truth(&value);
    it.require(cond, UNREACHABLE_REACHED, || "what the compiler was told to assume can be false".to_owned())?;
    Ok(None)
}

/// `llvm.ubsantrap`: a check of clang's fails.
pub(crate) fn checked(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let (kind, what) = it.argument(arguments, 0).as_int().map_or((ABORT, "the program traps"), crate::checks::of_clang);
    Err(it.violation(kind, what.to_owned()))
}

/// `llvm.trap`, `llvm.debugtrap`
pub(crate) fn trap(it: &mut Machine<'_, '_>, _: &Call, _: &[Val]) -> Done {
    Err(it.violation(ABORT, "the program traps".to_owned()))
}

/// `llvm.stacksave`: the height of the stack is an object of its own: what comes to lie on it later has a greater number,
/// on every path.
pub(crate) fn stacksave(it: &mut Machine<'_, '_>, _: &Call, _: &[Val]) -> Done {
    let name = "the height of the stack".into();
    let id = it.allocate(ObjectKind::Stack, Size::Known(0), Bytes::empty(), 1, &name);
    it.frame_mut().dynamic.push(id);
    Ok(Some(Val::Int(id.base())))
}

/// `llvm.stackrestore`
pub(crate) fn stackrestore(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let height = match it.argument(arguments, 0) {
        Val::Int(height) => height,
        Val::Term(height) => it.choose_value(height)?,
        _ => return Ok(None),
    };
    it.restore_stack(ObjectId::of_address(height).0);
    Ok(None)
}

/// `llvm.va_start`: lays out the unnamed arguments as the x86-64 ABI does, all of them in the overflow area.
pub(crate) fn va_start(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let list = it.argument(arguments, 0);
    let spot = it.resolve(&list, 24, Access::Write)?;
    let variadic = std::rc::Rc::clone(&it.frame().variadic);
    let words = |it: &Variadic| match it {
        Variadic::Word(_) => 1,
        Variadic::Copy(_, size) => size.div_ceil(8) as usize,
    };
    let size = variadic.iter().map(words).sum::<usize>().max(1) * 8;
    let bytes = Bytes::uninitialised(size);
    let name = "the variable arguments".into();
    let id = it.allocate(ObjectKind::Stack, Size::Known(size as u64), bytes, 8, &name);
    it.frame_mut().allocas.push(id);
    let mut word = 0;
    for argument in variadic.iter() {
        let at = Spot { object: id, offset: Offset::Known(word * 8) };
        word += words(argument);
        let value = match argument {
            Variadic::Word(value) => value,
            Variadic::Copy(copy, size) => {
                if let Some(copy) = it.state.memory.get(*copy) {
                    let bytes = std::rc::Rc::clone(&copy.bytes);
                    it.write_from(at, &bytes, *size as usize);
                }
                continue;
            }
        };
        match value {
            Val::Agg(_) | Val::Wide(_) => return Err(it.unsupported("a variable argument of more than 8 bytes")),
            Val::Term(term) => {
                let width = it.ctx.terms.sort(*term).width().map_or(1, Width::bits);
                it.write(at, value, 8, width);
            }
            _ => it.write(at, value, 8, 64),
        }
    }
    // gp_offset = 48 and fp_offset = 176: the register area is used up, so va_arg reads the overflow area.
    let terms = it.ctx.terms;
    it.write(spot, &Val::Int(48), 4, 32);
    it.write(spot.plus(terms, 4), &Val::Int(176), 4, 32);
    it.write(spot.plus(terms, 8), &Val::Int(id.base()), 8, 64);
    it.write(spot.plus(terms, 16), &Val::Int(id.base()), 8, 64);
    Ok(None)
}

/// `llvm.va_copy(to, from)`
pub(crate) fn va_copy(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    let arguments = [it.argument(arguments, 0), it.argument(arguments, 1), Val::Int(24)];
    super::string::memmove_intrinsic(it, call, &arguments)
}

/// `llvm.ptrmask(pointer, mask)`: the bits that the mask does not have are taken off, so that its object is kept.
pub(crate) fn ptrmask(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    let (pointer, mask) = (it.argument(arguments, 0), it.argument(arguments, 1));
    if matches!(pointer, Val::Undef) || matches!(mask, Val::Undef) {
        return Ok(Some(Val::Undef));
    }
    let (pointer, mask) = (it.term(&pointer, width_of(call, 0)), it.term(&mask, width_of(call, 1)));
    let terms = it.ctx.terms;
    Ok(Some(it.of_term(terms.bv_sub(pointer, terms.bv_and(pointer, terms.bv_not(mask))))))
}

//! `stdlib.h` without memory, `assert.h`, `errno.h`.
//!
//! Never: numbers from text (`numbers`), ends of the program (`ending`).

use super::{result_width, width_of};
use crate::checks::{ASSERTION_FAILED, SIGNED_OVERFLOW};
use crate::code::Call;
use crate::machine::{Flow, Machine};
use crate::options::Externals;
use crate::value::Val;
use effigy_term::{BvValue, Width};

type Done = Flow<Option<Val>>;

/// A function that does nothing and returns 0.
pub(crate) fn zero(_: &mut Machine<'_, '_>, call: &Call, _: &[Val]) -> Done {
    Ok(call.result.as_ref().map(|_| Val::Int(0)))
}

/// A function that does nothing.
pub(crate) fn nothing(_: &mut Machine<'_, '_>, _: &Call, _: &[Val]) -> Done {
    Ok(None)
}

/// `int abs(int x)`; undefined for the smallest value.
pub(crate) fn abs(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    let width = width_of(call, 0);
    let value = it.argument(arguments, 0);
    let x = it.term(&value, width);
    let terms = it.ctx.terms;
    if it.on(SIGNED_OVERFLOW) {
        let fits = terms.ne(x, terms.bv(BvValue::min_signed(width)));
        it.require(fits, SIGNED_OVERFLOW, || "abs of the smallest value does not fit".to_owned())?;
    }
    let negative = terms.bv_slt(x, terms.bv(BvValue::zero(width)));
    let res = terms.ite(negative, terms.bv_neg(x), x);
    Ok(Some(it.of_term(res)))
}

/// `__assert_fail(text, file, line, function)`: what `assert` calls.
pub(crate) fn assert_fail(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let text = it.argument(arguments, 0);
    let text = it.text(&text)?;
    let message = format!("the assertion `{}` fails", String::from_utf8_lossy(&text));
    Err(it.violation(ASSERTION_FAILED, message))
}

/// `int *__errno_location(void)`
pub(crate) fn errno_location(it: &mut Machine<'_, '_>, _: &Call, _: &[Val]) -> Done {
    let errno = it.program.library.errno;
    Ok(Some(Val::Int(it.thread_local(errno))))
}

/// `int rand(void)`: any number that `rand` may return.
pub(crate) fn rand(it: &mut Machine<'_, '_>, call: &Call, _: &[Val]) -> Done {
    it.note("random", "rand returns any number from 0 to RAND_MAX", false);
    let term = if it.program.options.externals == Externals::Pure {
        let whole = it.input_number("rand", Width::W32, false);
        it.ctx.terms.bv_extract(30, 0, whole)
    } else {
        let name = format!("rand#{}", it.state.random);
        it.state.random += 1;
        it.ctx.input(&name, effigy_term::Sort::BitVec(Width::of(31)), effigy_term::SymbolKind::Fresh)
    };
    let term = it.ctx.terms.bv_zero_extend(result_width(call), term);
    Ok(Some(it.of_term(term)))
}

/// `void srand(unsigned seed)`
pub(crate) fn srand(_: &mut Machine<'_, '_>, _: &Call, _: &[Val]) -> Done {
    Ok(None)
}

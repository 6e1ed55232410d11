//! The rounding mode that a program sets.
//!
//! Source: C17, 7.6.3; the numbers of the modes are those of `fenv.h` on x86-64.

use super::Done;
use crate::code::Call;
use crate::machine::Machine;
use crate::value::Val;
use effigy_term::Width;
use effigy_term::float::Rounding;

/// The modes by the numbers that `fenv.h` gives them on x86-64.
const MODES: [(u64, Rounding); 4] =
    [(0, Rounding::NearestEven), (0x400, Rounding::Down), (0x800, Rounding::Up), (0xc00, Rounding::TowardZero)];

/// `int fesetround(int mode)`
pub(crate) fn fesetround(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let mode = it.argument(arguments, 0);
    let mode = it.term(&mode, Width::W32);
    it.require_defined(mode, "a rounding mode")?;
    let terms = it.ctx.terms;
    for (number, rounding) in MODES {
        if it.decide_term(terms.eq(mode, terms.bv_u64(Width::W32, number)))? {
            it.state.process.rounding = (rounding != Rounding::NearestEven).then_some(rounding);
            return Ok(Some(Val::Int(0)));
        }
    }
    Ok(Some(Val::Int(1)))
}

/// `int fegetround(void)`
pub(crate) fn fegetround(it: &mut Machine<'_, '_>, _: &Call, _: &[Val]) -> Done {
    let mode = it.rounding();
    Ok(MODES.iter().find(|known| known.1 == mode).map(|known| Val::Int(known.0)))
}

/// `llvm.get.rounding`: the number that `FLT_ROUNDS` of C has for the mode.
pub(crate) fn flt_rounds(it: &mut Machine<'_, '_>, _: &Call, _: &[Val]) -> Done {
    Ok(Some(Val::Int(match it.rounding() {
        Rounding::TowardZero => 0,
        Rounding::NearestEven => 1,
        Rounding::Up => 2,
        Rounding::Down => 3,
        Rounding::NearestAway => 4,
    })))
}

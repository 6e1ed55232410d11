//! The environment of a program and its clocks: nothing is known of them.
//!
//! Knows: getenv(3), time(2), clock(3). Never: what the variables of this process are.

use crate::code::Call;
use crate::machine::{Flow, Machine};
use crate::memory::bytes::Bytes;
use crate::memory::{ObjectKind, Size};
use crate::step::access::Access;
use crate::value::Val;
use effigy_term::{Sort, SymbolKind, Width};
use std::rc::Rc;
use std::sync::Arc;

/// The longest value of a variable that is looked at.
const MOST: usize = 16;

/// `char *getenv(const char *name)`: null, or any text of a few characters; the same for the same name.
pub(crate) fn getenv(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Flow<Option<Val>> {
    let name = it.text(&it.argument(arguments, 0))?;
    let name: Arc<str> = String::from_utf8_lossy(&name).into();
    if let Some(known) = it.state.process.environment.get(&name) {
        return Ok(Some(known.clone()));
    }
    let is_set = it.ctx.input(&format!("getenv({name})"), Sort::BitVec(Width::W8), SymbolKind::Fresh);
    let terms = it.ctx.terms;
    let is_set = it.decide_term(terms.ne(is_set, terms.bv_u64(Width::W8, 0)))?;
    let what = format!("getenv(\"{name}\") is null or any text of at most {MOST} characters");
    it.note("environment", &what, true);
    it.state.fresh += 1;
    let value = if is_set {
        let mut bytes = Bytes::concrete(vec![0; MOST + 1]);
        for at in 0..MOST {
            let byte = it.ctx.input(&format!("getenv({name})[{at}]"), Sort::BitVec(Width::W8), SymbolKind::Fresh);
            match it.of_term(byte) {
                Val::Int(bits) => bytes.store_concrete(it.ctx.terms, at, 1, bits),
                _ => bytes.store_term(it.ctx.terms, at, 1, byte),
            }
        }
        let size = Size::Known(MOST as u64 + 1);
        let named = format!("the value of {name} in the environment").into();
        Val::Int(it.allocate(ObjectKind::Global, size, bytes, 1, &named).base())
    } else {
        Val::Int(0)
    };
    Rc::make_mut(&mut it.state.process.environment).insert(name, value.clone());
    Ok(Some(value))
}

/// `time_t time(time_t *at)`
pub(crate) fn time(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Flow<Option<Val>> {
    let at = it.argument(arguments, 0);
    let spot = match at {
        Val::Int(0) => None,
        _ => Some(it.resolve(&at, 8, Access::Write)?),
    };
    let res = some_time(it, "time");
    if let Some(spot) = spot {
        it.write(spot, &res, 8, 64);
    }
    Ok(Some(res))
}

/// `clock_t clock(void)`
pub(crate) fn clock(it: &mut Machine<'_, '_>, _: &Call, _: &[Val]) -> Flow<Option<Val>> {
    Ok(Some(some_time(it, "clock")))
}

/// Any number of 40 bits that is not negative (seconds of some ten thousand years), or -1: no clock answers.
fn some_time(it: &mut Machine<'_, '_>, function: &str) -> Val {
    it.note("clock", &format!("{function} returns any number, or -1"), false);
    let name = format!("{function}#{}", it.state.fresh);
    it.state.fresh += 1;
    let term = it.ctx.input(&name, Sort::BitVec(Width::of(41)), SymbolKind::Fresh);
    let terms = it.ctx.terms;
    let fails = terms.eq(terms.bv_extract(40, 40, term), terms.bv_u64(Width::W1, 1));
    let seconds = terms.bv_zero_extend(Width::W64, terms.bv_extract(39, 0, term));
    it.of_term(terms.ite(fails, terms.bv_u64(Width::W64, u64::MAX), seconds))
}

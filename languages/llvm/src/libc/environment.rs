//! The environment of a program and its clocks: nothing is known of them.
//!
//! Knows: getenv(3), time(2), clock(3), timespec_get(3), clock_gettime(2), gettimeofday(2). Never: what the variables
//! of this process are, what time it is.

use crate::code::Call;
use crate::machine::{Flow, Machine};
use crate::memory::bytes::Bytes;
use crate::memory::{ObjectKind, Size};
use crate::options::Externals;
use crate::step::access::Access;
use crate::value::Val;
use effigy_term::{Sort, SymbolKind, Term, Width};
use std::rc::Rc;
use std::sync::Arc;

/// The longest value of a variable that is looked at.
const MOST: usize = 16;

/// `char *getenv(const char *name)`: null, or any text of a few characters; the same for the same name.
pub(crate) fn getenv(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Flow<Option<Val>> {
    let name = it.text(&it.argument(arguments, 0))?;
    if name.is_empty() {
        // No variable has no name.
        return Ok(Some(Val::Int(0)));
    }
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

/// `int timespec_get(struct timespec *at, int base)`: the base, or 0 where there is no such clock or it does not answer.
pub(crate) fn timespec_get(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Flow<Option<Val>> {
    let utc = Val::Int(1);
    if it.argument(arguments, 1) != utc {
        return Ok(Some(Val::Int(0)));
    }
    Ok(Some(if write_time(it, "timespec_get", &it.argument(arguments, 0), 1_000_000_000)? { utc } else { Val::Int(0) }))
}

/// `int clock_gettime(clockid_t clock, struct timespec *at)`: 0, or -1 where no clock answers.
pub(crate) fn clock_gettime(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Flow<Option<Val>> {
    let answers = write_time(it, "clock_gettime", &it.argument(arguments, 1), 1_000_000_000)?;
    Ok(Some(Val::Int(if answers { 0 } else { u64::from(u32::MAX) })))
}

/// `int gettimeofday(struct timeval *at, void *zone)`: of the zone nothing is written, as on Linux where none is set.
pub(crate) fn gettimeofday(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Flow<Option<Val>> {
    let answers = write_time(it, "gettimeofday", &it.argument(arguments, 0), 1_000_000)?;
    Ok(Some(Val::Int(if answers { 0 } else { u64::from(u32::MAX) })))
}

/// Writes seconds and the part of a second, of which there are so many; false where no clock answers.
fn write_time(it: &mut Machine<'_, '_>, function: &str, at: &Val, parts: u64) -> Flow<bool> {
    let spot = it.resolve(at, 16, Access::Write)?;
    let any = Anything::new(it, function, 71);
    let terms = it.ctx.terms;
    let answers = it.decide_term(terms.eq(terms.bv_extract(70, 70, any.term), terms.bv_u64(Width::W1, 0)))?;
    any.take(it);
    it.note("clock", &format!("{function} gives any time, or fails"), false);
    if answers {
        let part = terms.bv_zero_extend(Width::W64, terms.bv_extract(69, 40, any.term));
        let within = terms.bv_ult(part, terms.bv_u64(Width::W64, parts));
        let part = terms.ite(within, part, terms.bv_u64(Width::W64, 0));
        let seconds = terms.bv_zero_extend(Width::W64, terms.bv_extract(39, 0, any.term));
        let both = it.of_term(terms.bv_concat(part, seconds));
        it.write(spot, &both, 16, 128);
    }
    Ok(answers)
}

/// Any number of 40 bits that is not negative (seconds of some ten thousand years), or -1: no clock answers.
fn some_time(it: &mut Machine<'_, '_>, function: &str) -> Val {
    it.note("clock", &format!("{function} returns any number, or -1"), false);
    let any = Anything::new(it, function, 41);
    any.take(it);
    let terms = it.ctx.terms;
    let fails = terms.eq(terms.bv_extract(40, 40, any.term), terms.bv_u64(Width::W1, 1));
    let seconds = terms.bv_zero_extend(Width::W64, terms.bv_extract(39, 0, any.term));
    it.of_term(terms.ite(fails, terms.bv_u64(Width::W64, u64::MAX), seconds))
}

/// A number of which nothing is known. It is taken when nothing more is asked.
struct Anything {
    name: String,
    term: Term,
}

impl Anything {
    fn new(it: &mut Machine<'_, '_>, name: &str, bits: u32) -> Anything {
        if it.program.options.externals == Externals::Pure {
            let whole = it.peek_input(name, Width::of(128));
            let term = it.ctx.terms.bv_extract(bits - 1, 0, whole);
            return Anything { name: name.to_owned(), term };
        }
        let symbol = format!("{name}#{}", it.state.fresh);
        let term = it.ctx.input(&symbol, Sort::BitVec(Width::of(bits)), SymbolKind::Fresh);
        Anything { name: name.to_owned(), term }
    }

    /// Where what is outside is pure, it is an input as any other; else what rests on it is possible.
    fn take(&self, it: &mut Machine<'_, '_>) {
        match it.program.options.externals {
            Externals::Pure => drop(it.input_number(&self.name, Width::of(128), false)),
            _ => it.state.fresh += 1,
        }
    }
}

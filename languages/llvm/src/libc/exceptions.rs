//! What `library/exceptions.cpp` cannot do itself: look at the calls that have not returned, leave them, end the program.
//!
//! Knows: how an exception is told. Never: what it is, which handler takes it.

use crate::checks::{ABORT, UNCAUGHT_EXCEPTION};
use crate::code::{Call, Clause};
use crate::machine::{Flow, Machine};
use crate::memory::ObjectId;
use crate::names::type_name;
use crate::value::Val;
use effigy_engine::Step;

type Done = Flow<Option<Val>>;

/// Longer texts of exceptions are not read.
const MOST_TEXT: u64 = 1000;

fn number(value: i64) -> Done {
    Ok(Some(Val::Int(value as u64)))
}

/// `long effigy_unwind_next(long frame)`
pub(crate) fn next(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let above = it.size_argument(arguments, 0)?;
    let above = usize::try_from(above).unwrap_or(usize::MAX);
    match it.next_station(above)? {
        Some(station) => number(2 * station.frame as i64 + i64::from(station.terminates)),
        None => number(-1),
    }
}

fn clause_of<'m>(it: &mut Machine<'m, '_>, arguments: &[Val]) -> Flow<Option<&'m Clause>> {
    let (frame, clause) = (it.size_argument(arguments, 0)?, it.size_argument(arguments, 1)?);
    Ok(it.unwind_at(frame as usize).and_then(|it| it.clauses.get(clause as usize)))
}

/// `long effigy_unwind_clause(long frame, long clause)`
pub(crate) fn clause(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    match clause_of(it, arguments)? {
        None => number(-1),
        Some(Clause::Catch(_)) => number(-2),
        Some(Clause::Filter(types)) => number(types.len() as i64),
    }
}

/// `const type_info *effigy_unwind_type(long frame, long clause, long index)`
pub(crate) fn clause_type(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let index = it.size_argument(arguments, 2)?;
    let address = match clause_of(it, arguments)? {
        Some(Clause::Catch(address)) => *address,
        Some(Clause::Filter(types)) => types.get(index as usize).copied().unwrap_or(0),
        None => 0,
    };
    Ok(Some(Val::Int(address)))
}

/// `bool effigy_unwind_cleans(long frame)`
pub(crate) fn cleans(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let frame = it.size_argument(arguments, 0)?;
    number(i64::from(it.unwind_at(frame as usize).is_some_and(|it| it.cleans)))
}

/// `int effigy_unwind_selector(const type_info *type)`, `llvm.eh.typeid.for`: the number of the object, which no other has.
pub(crate) fn selector(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let address = it.size_argument(arguments, 0)?;
    Ok(Some(Val::Int(u64::from(ObjectId::of_address(address).0.0 & 0x3fff_ffff))))
}

/// `void effigy_unwind_land(long frame)`
pub(crate) fn land(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let frame = it.size_argument(arguments, 0)?;
    it.land(frame as usize);
    // It goes on elsewhere than behind this call.
    it.state.answers.clear();
    Err(Step::Next)
}

/// The text at an address, as far as it is known.
fn known_text(it: &mut Machine<'_, '_>, at: &Val) -> Flow<Option<String>> {
    if !matches!(at, Val::Int(address) if *address != 0) {
        return Ok(None);
    }
    let mut res = Vec::new();
    for offset in 0..MOST_TEXT {
        match it.byte_at(at, offset)? {
            Val::Int(0) => break,
            Val::Int(byte) => res.push(byte as u8),
            _ => return Ok(None),
        }
    }
    Ok(Some(String::from_utf8_lossy(&res).into_owned()))
}

/// `void effigy_terminate(const char *type, const char *what, bool handled)`
pub(crate) fn terminate(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let (name, what) = (it.argument(arguments, 0), it.argument(arguments, 1));
    let Some(name) = known_text(it, &name)? else {
        return Err(it.violation(ABORT, "std::terminate is called".to_owned()));
    };
    let says = known_text(it, &what)?.map_or(String::new(), |it| format!(": {it}"));
    let name = type_name(&name);
    let is_promise = |function: u32| &*it.program.code.functions[function as usize].name == "__clang_call_terminate";
    let is_handled = it.argument(arguments, 2) != Val::Int(0);
    let message = if it.state.frames.iter().rev().take(8).any(|it| is_promise(it.function)) {
        format!("an exception of type {name} leaves a function that must not throw{says}")
    } else if is_handled {
        format!("std::terminate is called while an exception of type {name} is handled{says}")
    } else {
        format!("no handler catches an exception of type {name}{says}")
    };
    Err(it.violation(UNCAUGHT_EXCEPTION, message))
}

/// `void effigy_unsupported(const char *what)`
pub(crate) fn unsupported(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let what = it.argument(arguments, 0);
    let what = known_text(it, &what)?.unwrap_or_default();
    Err(it.unsupported(&what))
}

/// `void __cxa_pure_virtual(void)`
pub(crate) fn pure_virtual(it: &mut Machine<'_, '_>, _: &Call, _: &[Val]) -> Done {
    Err(it.violation(ABORT, "a virtual function is called that the class does not define".to_owned()))
}

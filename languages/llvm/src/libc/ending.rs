//! How a program ends (`stdlib.h`), and what C++ registers for its end.
//!
//! Knows: exit(3), atexit(3), on_exit(3), _exit(2), abort(3); Itanium C++ ABI 3.3.6 (destructors).
//! Never: how handlers are run (`step/ending`).

use crate::checks::ABORT;
use crate::code::Call;
use crate::leaks::LeaksAtEnd;
use crate::machine::{Flow, Machine};
use crate::process::{Handler, Passed};
use crate::state::{Chunk, State};
use crate::step::ending::Handlers;
use crate::value::Val;
use effigy_engine::{Outcome, Step};

/// What standard output holds back until it is written, where it is no terminal.
const BUFFER: usize = 4096;

/// A number without a field width is not written longer.
const MOST_DIGITS: usize = 24;

type Done = Flow<Option<Val>>;

/// `void exit(int code)`
pub(crate) fn exit(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    end(it, arguments, |process| &mut process.at_exit, LeaksAtEnd::InCall)
}

/// `void quick_exit(int code)`
pub(crate) fn quick_exit(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let end = end(it, arguments, |process| &mut process.at_quick_exit, LeaksAtEnd::Ignored);
    if matches!(end, Err(Step::Exit(Outcome::Exit { .. }))) {
        drop_buffered(it);
    }
    end
}

/// What standard output still holds back is lost: it is a pipe in a native run, or a file.
fn drop_buffered(it: &mut Machine<'_, '_>) {
    let Some(flushed) = it.state.process.flushed else { return };
    if !held_too_long(it.state) {
        it.state.output = it.state.output.first(flushed);
    }
}

/// Whether standard output may have written some of what it held back: whether more was written is not followed.
pub(super) fn held_too_long(state: &State) -> bool {
    let length = |chunk: &Chunk| match chunk {
        Chunk::Bytes(bytes) => bytes.len(),
        Chunk::Number { .. } => MOST_DIGITS,
    };
    let held = state.output.len() - state.process.flushed.unwrap_or(0);
    state.output.iter_back().take(held).map(length).sum::<usize>() > BUFFER
}

fn end(it: &mut Machine<'_, '_>, arguments: &[Val], handlers: Handlers, leaks: LeaksAtEnd) -> Done {
    let code = it.argument(arguments, 0);
    it.visible_end()?;
    it.end(&code, handlers, leaks)?;
    // The handler runs now; then this call is made again.
    it.state.answers.clear();
    it.end_visible();
    Err(Step::Next)
}

/// `void _exit(int code)`, `_Exit`: without handlers.
pub(crate) fn leave(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let code = it.argument(arguments, 0);
    it.visible_end()?;
    drop_buffered(it);
    Err(it.exit(code))
}

/// `void abort(void)`
pub(crate) fn abort(it: &mut Machine<'_, '_>, _: &Call, _: &[Val]) -> Done {
    Err(it.violation(ABORT, "abort is called".to_owned()))
}

/// `int atexit(void (*handler)(void))`
pub(crate) fn atexit(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let handler = Handler { function: it.argument(arguments, 0), passed: Passed::Nothing };
    it.state.process.at_exit.push(handler);
    Ok(Some(Val::Int(0)))
}

/// `int at_quick_exit(void (*handler)(void))`
pub(crate) fn at_quick_exit(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let handler = Handler { function: it.argument(arguments, 0), passed: Passed::Nothing };
    it.state.process.at_quick_exit.push(handler);
    Ok(Some(Val::Int(0)))
}

/// `int on_exit(void (*handler)(int, void *), void *argument)`
pub(crate) fn on_exit(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let passed = Passed::Status(it.argument(arguments, 1));
    it.state.process.at_exit.push(Handler { function: it.argument(arguments, 0), passed });
    Ok(Some(Val::Int(0)))
}

/// `int __cxa_atexit(void (*destructor)(void *), void *object, void *library)`
pub(crate) fn cxa_atexit(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let passed = Passed::Argument(it.argument(arguments, 1));
    it.state.process.at_exit.push(Handler { function: it.argument(arguments, 0), passed });
    Ok(Some(Val::Int(0)))
}

/// `int __cxa_thread_atexit(void (*destructor)(void *), void *object, void *library)`
pub(crate) fn cxa_thread_atexit(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    if it.state.threads.current != 0 {
        return Err(it.unsupported("a thread-local object with a destructor, in a second thread"));
    }
    cxa_atexit(it, call, arguments)
}

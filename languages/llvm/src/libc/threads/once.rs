//! Initialisation once: `pthread_once`, `call_once`, the guards of static variables in C++, atomic blocks.
//!
//! Source: pthread_once(3p); C17 7.26.2.1; Itanium C++ ABI 3.3.2; SV-COMP's rules for `__VERIFIER_atomic_begin`.

use super::{Done, result};
use crate::code::{Call, Callable};
use crate::machine::{Flow, Machine};
use crate::step::access::Access;
use crate::threads::{VisibleAction, WaitCondition};
use crate::value::Val;
use std::rc::Rc;

/// The function runs.
const RUNNING: u32 = 1;
/// The function has run.
const DONE: u32 = 2;

/// `int pthread_once(pthread_once_t *once, void (*function)(void))`
pub(crate) fn once(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let at = it.sync_address(arguments, 0)?;
    if it.state.threads.running().is_some_and(|it| it.initialising.last() == Some(&at))
        && it.sync_word(at, 0)? == RUNNING
    {
        // The function has returned, and the call is made again.
        it.set_sync_word(at, 0, DONE)?;
        if let Some(thread) = it.threads_mut().running_mut() {
            thread.initialising.pop();
        }
        it.releases(at);
        return result(0);
    }
    it.sync_word(at, 0)?;
    it.visible(VisibleAction::on(at, WaitCondition::Once(at), "once"))?;
    match it.sync_word(at, 0)? {
        0 => {
            let function = it.argument(arguments, 1);
            let Callable::Function(function) = it.callee(&function)? else {
                return Err(it.unsupported("an initialisation by a function that the program does not define"));
            };
            it.set_sync_word(at, 0, RUNNING)?;
            if let Some(thread) = it.threads_mut().running_mut() {
                thread.initialising.push(at);
            }
            let mut frame = crate::step::new_frame(it.program, function, &[]);
            frame.ignore_result = true;
            it.state.frames.push(Rc::new(frame));
            it.state.answers.clear();
            it.end_visible();
            Err(effigy_engine::Step::Next)
        }
        RUNNING => {
            let name = it.name_at(at);
            Err(it.self_deadlock(format!("the initialisation {name} waits for itself")))
        }
        _ => {
            it.acquires(at);
            result(0)
        }
    }
}

/// `void call_once(once_flag *flag, void (*function)(void))`
pub(crate) fn call_once(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    once(it, call, arguments)?;
    Ok(None)
}

/// `int __cxa_guard_acquire(uint64_t *guard)`: whether the variable is still to be initialised. The first byte says that it
/// was; the second half which thread does it.
pub(crate) fn guard_acquire(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let at = it.sync_address(arguments, 0)?;
    it.visible(VisibleAction::on(at, WaitCondition::Mutex(at + 4), "guard"))?;
    let done = guard_byte(it, at)?;
    if done {
        it.acquires(at);
        return result(0);
    }
    let own = it.owner();
    it.set_sync_word(at, 4, own)?;
    it.acquires(at);
    result(1)
}

fn guard_byte(it: &mut Machine<'_, '_>, at: u64) -> Flow<bool> {
    it.is_atomic = true;
    let done = it.byte_at(&Val::Int(at), 0);
    it.is_atomic = false;
    let open = it.is_zero(&done?)?;
    Ok(!open)
}

/// `void __cxa_guard_release(uint64_t *guard)`: it is initialised.
pub(crate) fn guard_release(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let at = it.sync_address(arguments, 0)?;
    it.is_atomic = true;
    let spot = it.resolve(&Val::Int(at), 1, Access::Write)?;
    it.write(spot, &Val::Int(1), 1, 8);
    it.set_sync_word(at, 4, 0)?;
    it.releases(at);
    Ok(None)
}

/// `void __cxa_guard_abort(uint64_t *guard)`: an exception has left the initialisation.
pub(crate) fn guard_abort(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let at = it.sync_address(arguments, 0)?;
    it.set_sync_word(at, 4, 0)?;
    it.releases(at);
    Ok(None)
}

/// The address that stands for all atomic blocks; no object lies there.
const BLOCKS: u64 = 1;

/// How the names of functions begin that are atomic blocks as a whole.
const ATOMIC_FUNCTIONS: &str = "__VERIFIER_atomic_";

/// Whether a function is an atomic block as a whole, by SV-COMP's rules.
pub(crate) fn is_atomic_function(name: &str) -> bool {
    name.starts_with(ATOMIC_FUNCTIONS)
}

impl Machine<'_, '_> {
    /// A function that is an atomic block is about to be called.
    pub(crate) fn before_atomic_function(&mut self, name: &str) -> Flow<()> {
        let threads = &self.state.threads;
        if threads.are_several() && !threads.in_block && is_atomic_function(name) {
            self.visible(VisibleAction::global("block"))?;
        }
        Ok(())
    }

    /// It was called, and is the innermost call.
    pub(crate) fn begin_atomic_function(&mut self, name: &str) {
        let threads = &self.state.threads;
        if threads.are_several() && !threads.in_block && is_atomic_function(name) {
            let calls = self.state.frames.len();
            self.acquires(BLOCKS);
            let threads = self.threads_mut();
            threads.in_block = true;
            threads.block_calls = Some(calls);
        }
    }

    /// Ends the atomic block of a function that was left.
    pub(crate) fn end_atomic_function(&mut self) {
        if self.state.threads.block_calls.is_some_and(|it| self.state.frames.len() < it) {
            self.releases(BLOCKS);
            let threads = self.threads_mut();
            threads.in_block = false;
            threads.block_calls = None;
        }
    }
}

/// `void __VERIFIER_atomic_begin(void)`
pub(crate) fn block_begin(it: &mut Machine<'_, '_>, _: &Call, _: &[Val]) -> Done {
    if it.state.threads.are_several() {
        if it.state.threads.in_block {
            return Err(it.unsupported("an atomic block inside of another"));
        }
        it.visible(VisibleAction::global("block"))?;
        it.acquires(BLOCKS);
        it.threads_mut().in_block = true;
    }
    Ok(None)
}

/// `void __VERIFIER_atomic_end(void)`
pub(crate) fn block_end(it: &mut Machine<'_, '_>, _: &Call, _: &[Val]) -> Done {
    // Inside of an atomic function it ends nothing.
    if it.state.threads.in_block && it.state.threads.block_calls.is_none() {
        it.releases(BLOCKS);
        it.threads_mut().in_block = false;
    }
    Ok(None)
}

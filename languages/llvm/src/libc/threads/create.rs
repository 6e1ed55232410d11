//! Threads: `pthread_create`, `pthread_join` and their kin, `thrd_*`.
//!
//! Source: pthread_create(3p), pthread_join(3p), pthread_detach(3p), pthread_exit(3p); C17 7.26.5.

use super::{Done, WOULD_DEADLOCK, result};
use crate::checks::THREAD_MISUSE;
use crate::code::{Call, Callable};
use crate::frames::Frames;
use crate::machine::{Flow, Machine};
use crate::memory::ObjectId;
use crate::step::access::{Access, Spot};
use crate::threads::{ProgramThread, ThreadProgress, ThreadTable, VisibleAction, WaitCondition};
use crate::value::Val;
use effigy_engine::ThreadId;
use std::rc::Rc;

/// More threads than this are refused. No number was measured: each has a clock as long as there are threads.
const MOST_THREADS: usize = 64;

/// `PTHREAD_CREATE_DETACHED`.
const DETACHED: u32 = 1;

/// The addresses that stand for threads in the footprints of actions: no object lies there. Number 0 is that of the list of
/// threads.
fn place_of(thread: ThreadId) -> u64 {
    16 + u64::from(thread) * 2
}

/// `int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument)`
pub(crate) fn create(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let attributes = it.sync_address(arguments, 1)?;
    let detached = attributes != 0 && it.sync_word(attributes, 0)? == DETACHED;
    begin(it, (0, 2, 3), detached, arguments)
}

/// `int thrd_create(thrd_t *thread, thrd_start_t start, void *argument)`
pub(crate) fn thrd_create(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    begin(it, (0, 1, 2), false, arguments)
}

fn begin(
    it: &mut Machine<'_, '_>,
    (into, start, argument): (usize, usize, usize),
    detached: bool,
    arguments: &[Val],
) -> Done {
    if it.ctx.common().is_some() {
        return Err(it.unsupported("a second thread where paths are merged: threads are explored by `effigy run`"));
    }
    if it.ctx.follows_values() {
        return Err(it.unsupported("a second thread along one run: threads are explored by `effigy run`"));
    }
    if it.running().is_some_and(|it| it.of_rust) {
        return Err(it.unsupported("a thread of Rust"));
    }
    if it.state.threads.all.len() >= MOST_THREADS {
        return Err(it.unsupported("more than 64 threads"));
    }
    it.visible(VisibleAction::on(place_of(0), WaitCondition::Nothing, "create"))?;
    let into = it.argument(arguments, into);
    let spot = it.resolve(&into, 8, Access::Write)?;
    let (start, argument) = (it.argument(arguments, start), it.argument(arguments, argument));
    let Callable::Function(function) = it.callee(&start)? else {
        return Err(it.unsupported("a thread that starts in a function which the program does not define"));
    };
    let Some(func) = it.program.code.functions.get(function as usize) else {
        return Err(it.unsupported("a thread that starts nowhere"));
    };
    if func.parameters.len() > 1 {
        let message = format!("{} takes {} arguments and is started with one", func.source_name, func.parameters.len());
        return Err(it.violation(crate::checks::BAD_CALL, message));
    }
    let given: Vec<Val> = func.parameters.iter().map(|_| argument.clone()).collect();
    let mut frames = Frames::default();
    frames.push(Rc::new(crate::step::new_frame(it.program, function, &given)));
    it.ctx.coverage.reach(effigy_engine::Site(func.site));
    write_that_there_are_several(it);
    let threads = it.threads_mut();
    let (id, current) = (threads.all.len() as ThreadId, threads.current);
    let Some(parent) = threads.running_mut() else { return result(0) };
    let mut clock = parent.clock.clone();
    parent.clock.tick(current);
    clock.tick(id);
    threads.all.push(ProgramThread { detached, ..ProgramThread::new(frames, clock) });
    it.write(spot, &Val::Int(u64::from(id) + 1), 8, 64);
    result(0)
}

/// glibc's `__libc_single_threaded` says whether there is only one thread.
fn write_that_there_are_several(it: &mut Machine<'_, '_>) {
    let Some(&address) = it.program.code.addresses.get("__libc_single_threaded") else { return };
    let object = ObjectId::of_address(address).0;
    let spot = Spot { object, offset: crate::step::access::Offset::Known(0) };
    it.write(spot, &Val::Int(0), 1, 8);
}

/// The thread that an argument names, which may still be joined or detached.
fn named(it: &mut Machine<'_, '_>, arguments: &[Val], verb: &str) -> Flow<ThreadId> {
    let number = it.size_argument(arguments, 0)?;
    let id = number.wrapping_sub(1);
    let thread = usize::try_from(id).ok().and_then(|id| it.state.threads.all.get(id));
    let reason = match thread {
        None => format!("the number {number}, which belongs to no thread, is {verb}"),
        Some(thread) if thread.progress == ThreadProgress::Joined => {
            format!("{} is {verb} after it was joined", ThreadTable::name(id as ThreadId))
        }
        Some(thread) if thread.detached => {
            format!("{} is {verb} after it was detached", ThreadTable::name(id as ThreadId))
        }
        Some(_) => return Ok(id as ThreadId),
    };
    Err(it.violation(THREAD_MISUSE, reason))
}

/// Waits for the end of a thread; its result.
fn wait_for_end(it: &mut Machine<'_, '_>, arguments: &[Val]) -> Flow<Option<(ThreadId, Val)>> {
    let id = named(it, arguments, "joined")?;
    if id == it.state.threads.current {
        return Ok(None);
    }
    it.visible(VisibleAction::on(place_of(id), WaitCondition::End(id), "join"))?;
    named(it, arguments, "joined")?;
    let result = it.state.threads.all.get(id as usize).map_or(Val::Int(0), |it| it.result.clone());
    Ok(Some((id, result)))
}

fn is_joined(it: &mut Machine<'_, '_>, id: ThreadId) {
    let threads = it.threads_mut();
    let Some(thread) = threads.all.get_mut(id as usize) else { return };
    thread.progress = ThreadProgress::Joined;
    let clock = thread.clock.clone();
    if let Some(own) = threads.running_mut() {
        own.clock.join(&clock);
    }
}

/// `int pthread_join(pthread_t thread, void **result)`
pub(crate) fn join(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let Some((id, value)) = wait_for_end(it, arguments)? else { return result(WOULD_DEADLOCK) };
    let into = it.argument(arguments, 1);
    if into != Val::Int(0) {
        let spot = it.resolve(&into, 8, Access::Write)?;
        it.write(spot, &value, 8, 64);
    }
    is_joined(it, id);
    result(0)
}

/// `int thrd_join(thrd_t thread, int *result)`
pub(crate) fn thrd_join(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let Some((id, value)) = wait_for_end(it, arguments)? else { return result(super::C_ERROR) };
    let into = it.argument(arguments, 1);
    if into != Val::Int(0) {
        let spot = it.resolve(&into, 4, Access::Write)?;
        it.write(spot, &value, 4, 32);
    }
    is_joined(it, id);
    result(0)
}

/// `int pthread_detach(pthread_t thread)`, `int thrd_detach(thrd_t thread)`
pub(crate) fn detach(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let id = named(it, arguments, "detached")?;
    it.visible(VisibleAction::on(place_of(id), WaitCondition::Nothing, "detach"))?;
    named(it, arguments, "detached")?;
    if let Some(thread) = it.threads_mut().all.get_mut(id as usize) {
        thread.detached = true;
    }
    result(0)
}

/// `void pthread_exit(void *result)`, `void thrd_exit(int result)`
pub(crate) fn exit(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let value = it.argument(arguments, 0);
    let functions = &it.program.code.functions;
    if it.state.frames.iter().any(|it| functions.get(it.function as usize).is_some_and(|it| it.has_pads)) {
        return Err(it.unsupported("the end of a thread inside of functions of C++ that have to clean up"));
    }
    for at in 0..it.state.frames.len() {
        let frame = it.state.frames.get(at).map(|it| it.allocas.iter().chain(&it.dynamic).copied().collect::<Vec<_>>());
        for id in frame.unwrap_or_default() {
            it.ends_life(id)?;
        }
    }
    it.end_thread(value)?;
    it.state.answers.clear();
    Err(effigy_engine::Step::Next)
}

/// `pthread_t pthread_self(void)`, `thrd_t thrd_current(void)`
pub(crate) fn current(it: &mut Machine<'_, '_>, _: &Call, _: &[Val]) -> Done {
    result(u64::from(it.owner()))
}

/// `int pthread_equal(pthread_t a, pthread_t b)`
pub(crate) fn equal(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let (a, b) = (it.size_argument(arguments, 0)?, it.size_argument(arguments, 1)?);
    result(u64::from(a == b))
}

/// `int pthread_attr_init(pthread_attr_t *attributes)`
pub(crate) fn attributes_init(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let at = it.sync_address(arguments, 0)?;
    it.init_sync(at, 56, (0, 0))?;
    result(0)
}

/// `int pthread_attr_setdetachstate(pthread_attr_t *attributes, int state)`
pub(crate) fn attributes_set_detached(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let at = it.sync_address(arguments, 0)?;
    let state = it.size_argument(arguments, 1)? as u32;
    it.set_sync_word(at, 0, state)?;
    result(0)
}

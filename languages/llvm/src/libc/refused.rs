//! What is neither built in nor compiled in, and must not be skipped: it ends the path by its name.
//!
//! Knows: functions that change where execution goes on, or who executes. Never: how to do it.

use crate::machine::Builtin;

macro_rules! refused {
    ($($name:ident)*) => {
        /// By their names.
        pub(crate) const REFUSED: &[(&str, Builtin)] =
            &[$((stringify!($name), |it, _, _| Err(it.unsupported(stringify!($name))))),*];
    };
}

refused! {
    setjmp _setjmp __sigsetjmp sigsetjmp longjmp _longjmp siglongjmp __longjmp_chk
    getcontext setcontext makecontext swapcontext
    pthread_cancel pthread_kill pthread_tryjoin_np pthread_timedjoin_np pthread_sigmask sem_open _pthread_cleanup_push
    __pthread_register_cancel __pthread_unregister_cancel pthread_setcancelstate pthread_setcanceltype pthread_testcancel
    pthread_mutex_consistent pthread_atfork
    fork vfork clone
    execl execlp execle execv execvp execvpe execve fexecve
    __cxa_throw __cxa_rethrow __cxa_begin_catch __cxa_allocate_exception __cxa_end_catch __cxa_get_exception_ptr
    __cxa_get_globals __cxa_get_globals_fast _ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE
    _Unwind_Resume _Unwind_RaiseException _Unwind_Resume_or_Rethrow _Unwind_ForcedUnwind _Unwind_DeleteException
    __dynamic_cast __cxa_bad_cast __cxa_bad_typeid
    klee_define_fixed_object
}

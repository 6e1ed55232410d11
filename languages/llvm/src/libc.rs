//! The functions that the interpreter knows: libc, intrinsics, and what marks inputs.
//!
//! Knows: a function by its name. Each file is one header, each function one man page.
//! Never: instructions.

pub(crate) mod annotations;
mod container;
mod contents;
pub(crate) mod ctype;
pub(crate) mod ending;
pub(crate) mod environment;
pub(crate) mod exceptions;
pub(crate) mod files;
pub(crate) mod interrupted;
mod intrinsics;
pub(crate) mod malloc;
pub(crate) mod mapping;
pub(crate) mod math;
mod numbers;
pub(crate) mod pipes;
mod primitives;
mod printf;
mod reductions;
pub(crate) mod refused;
pub(crate) mod rust;
mod rust_alloc;
mod spans;
pub(crate) mod stdio;
pub(crate) mod stdlib;
pub(crate) mod streams;
pub(crate) mod string;
mod threads;

use crate::code::{Call, Code};
use crate::lower::BuiltinNames;
use crate::machine::{Builtin, Flow, Library, Machine};
use crate::memory::bytes::Bytes;
use crate::memory::{ObjectId, ObjectKind};
use crate::step::access::Access;
use crate::value::Val;
use effigy_term::{Term, Width};
use std::rc::Rc;

/// What becomes of a call of a function that the program does not define.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Standing {
    /// The interpreter knows it.
    BuiltIn,
    /// The interpreter knows which values it may return; it returns any of them.
    AnyValue,
    /// Its name marks an input.
    Input,
    /// It is compiled in from our own C source.
    CompiledIn,
    /// It may do anything, within reason: what rests on it is a possible bug.
    Unknown,
    /// A path that comes to it ends as unsupported.
    Refused,
}

/// All builtins of C; a name that ends with `.` stands for all names that it begins.
pub(crate) const BUILTINS: &[(&str, Builtin)] = &[
    // Inputs and assumptions.
    ("effigy_symbolic", annotations::make_symbolic),
    ("klee_make_symbolic", annotations::make_symbolic),
    ("effigy_number", annotations::number),
    ("effigy_natural", annotations::natural),
    ("klee_int", annotations::klee_int),
    ("klee_range", annotations::klee_range),
    ("effigy_choose", annotations::choose),
    ("effigy_assume", annotations::assume),
    ("effigy_rust_any", rust::harness::any),
    ("effigy_rust_cover", rust::harness::cover),
    (CPUID, intrinsics::cpuid),
    ("klee_assume", annotations::assume),
    ("effigy_assert_failed", annotations::assert_failed),
    ("klee_is_symbolic", annotations::is_symbolic),
    ("effigy_is_symbolic", annotations::is_symbolic),
    ("klee_silent_exit", annotations::silent_exit),
    ("effigy_silent_exit", annotations::silent_exit),
    ("klee_report_error", annotations::report_error),
    ("klee_abort", annotations::abort),
    ("klee_warning", annotations::warning),
    ("klee_warning_once", annotations::warning),
    ("klee_prefer_cex", annotations::nothing),
    ("klee_posix_prefer_cex", annotations::nothing),
    ("klee_mark_global", annotations::nothing),
    ("klee_set_forking", annotations::set_forking),
    ("klee_choose", annotations::klee_choose),
    ("klee_get_obj_size", annotations::get_obj_size),
    ("klee_get_errno", annotations::get_errno),
    ("__sanitizer_annotate_contiguous_container", container::annotate),
    (container::DISJUNCT, container::disjunct),
    ("klee_is_replay", stdlib::zero),
    ("klee_stack_trace", annotations::nothing),
    ("klee_open_merge", annotations::open_merge),
    ("klee_close_merge", annotations::close_merge),
    ("klee_print_expr", annotations::nothing),
    ("klee_print_range", annotations::nothing),
    ("klee_check_memory_access", annotations::check_memory_access),
    ("klee_get_value_i32", annotations::get_value),
    ("klee_get_value_i64", annotations::get_value),
    ("klee_get_value_f", annotations::get_value),
    ("klee_get_value_d", annotations::get_value),
    ("klee_get_valuef", annotations::get_value),
    ("klee_get_valued", annotations::get_value),
    ("klee_get_valuel", annotations::get_value),
    ("klee_get_valuell", annotations::get_value),
    // Other verifiers' marks.
    ("__VERIFIER_assume", annotations::assume),
    ("__VERIFIER_assert", annotations::assert),
    ("__VERIFIER_error", annotations::verifier_error),
    ("reach_error", annotations::verifier_error),
    ("__VERIFIER_atomic_begin", threads::once::block_begin),
    ("__VERIFIER_atomic_end", threads::once::block_end),
    ("__CPROVER_assume", annotations::assume),
    ("__CPROVER_assert", annotations::assert_with_text),
    ("__CPROVER_r_ok", primitives::r_ok),
    ("__CPROVER_w_ok", primitives::w_ok),
    ("__CPROVER_rw_ok", primitives::w_ok),
    ("__CPROVER_OBJECT_SIZE", primitives::object_size),
    ("__CPROVER_POINTER_OFFSET", primitives::pointer_offset),
    ("__CPROVER_POINTER_OBJECT", primitives::pointer_object),
    ("__CPROVER_same_object", primitives::same_object),
    ("__CPROVER_DYNAMIC_OBJECT", primitives::dynamic_object),
    ("__CPROVER_LIVE_OBJECT", primitives::live_object),
    ("__ESBMC_assume", annotations::assume),
    ("__ESBMC_assert", annotations::assert_with_text),
    // stdlib.h
    ("malloc", malloc::malloc),
    ("calloc", malloc::calloc),
    ("realloc", malloc::realloc),
    ("reallocarray", malloc::reallocarray),
    ("aligned_alloc", malloc::aligned_alloc),
    ("memalign", malloc::aligned_alloc),
    ("posix_memalign", malloc::posix_memalign),
    ("free", malloc::free),
    ("_Znwm", malloc::new),
    ("_ZnwmRKSt9nothrow_t", malloc::new),
    ("_ZnwmSt11align_val_t", malloc::new),
    ("_ZnwmSt11align_val_tRKSt9nothrow_t", malloc::new),
    ("_Znam", malloc::new_array),
    ("_ZnamRKSt9nothrow_t", malloc::new_array),
    ("_ZnamSt11align_val_t", malloc::new_array),
    ("_ZnamSt11align_val_tRKSt9nothrow_t", malloc::new_array),
    ("_ZdlPv", malloc::delete),
    ("_ZdlPvm", malloc::delete),
    ("_ZdlPvRKSt9nothrow_t", malloc::delete),
    ("_ZdlPvSt11align_val_t", malloc::delete),
    ("_ZdlPvmSt11align_val_t", malloc::delete),
    ("_ZdaPv", malloc::delete_array),
    ("_ZdaPvm", malloc::delete_array),
    ("_ZdaPvRKSt9nothrow_t", malloc::delete_array),
    ("_ZdaPvSt11align_val_t", malloc::delete_array),
    ("_ZdaPvmSt11align_val_t", malloc::delete_array),
    ("abs", stdlib::abs),
    ("labs", stdlib::abs),
    ("llabs", stdlib::abs),
    ("imaxabs", stdlib::abs),
    ("atoi", numbers::atol),
    ("atol", numbers::atol),
    ("atoll", numbers::atol),
    ("strtol", numbers::strtol),
    ("strtoll", numbers::strtol),
    ("strtoimax", numbers::strtol),
    ("strtoq", numbers::strtol),
    ("__isoc23_strtol", numbers::strtol),
    ("__isoc23_strtoll", numbers::strtol),
    ("__isoc23_strtoimax", numbers::strtol),
    ("strtoul", numbers::strtoul),
    ("strtoull", numbers::strtoul),
    ("strtoumax", numbers::strtoul),
    ("strtouq", numbers::strtoul),
    ("__isoc23_strtoul", numbers::strtoul),
    ("__isoc23_strtoull", numbers::strtoul),
    ("__isoc23_strtoumax", numbers::strtoul),
    ("strtod", numbers::strtod),
    ("strtof", numbers::strtod),
    ("atof", numbers::atof),
    ("exit", ending::exit),
    ("quick_exit", ending::quick_exit),
    ("_exit", ending::leave),
    ("_Exit", ending::leave),
    ("abort", ending::abort),
    ("atexit", ending::atexit),
    ("at_quick_exit", ending::at_quick_exit),
    ("on_exit", ending::on_exit),
    ("__cxa_atexit", ending::cxa_atexit),
    ("__cxa_thread_atexit", ending::cxa_thread_atexit),
    ("effigy_unwind_next", exceptions::next),
    ("effigy_unwind_clause", exceptions::clause),
    ("effigy_unwind_type", exceptions::clause_type),
    ("effigy_unwind_cleans", exceptions::cleans),
    ("effigy_unwind_selector", exceptions::selector),
    ("llvm.eh.typeid.for", exceptions::selector),
    ("effigy_unwind_land", exceptions::land),
    ("effigy_terminate", exceptions::terminate),
    ("effigy_unsupported", exceptions::unsupported),
    ("effigy_assertion_fails", stdlib::assert_fail),
    ("__cxa_pure_virtual", exceptions::pure_virtual),
    ("__cxa_deleted_virtual", exceptions::pure_virtual),
    ("__cxa_guard_acquire", threads::once::guard_acquire),
    ("__cxa_guard_release", threads::once::guard_release),
    ("__cxa_guard_abort", threads::once::guard_abort),
    // pthread.h, threads.h, semaphore.h
    ("pthread_create", threads::create::create),
    ("pthread_join", threads::create::join),
    ("pthread_detach", threads::create::detach),
    ("pthread_exit", threads::create::exit),
    ("pthread_self", threads::create::current),
    ("pthread_equal", threads::create::equal),
    ("pthread_attr_init", threads::create::attributes_init),
    ("pthread_attr_setdetachstate", threads::create::attributes_set_detached),
    ("pthread_attr_setstacksize", threads::succeed),
    ("pthread_attr_setscope", threads::succeed),
    ("pthread_attr_setinheritsched", threads::succeed),
    ("pthread_attr_setschedpolicy", threads::succeed),
    ("pthread_attr_destroy", threads::succeed),
    ("pthread_mutex_init", threads::mutex::init),
    ("pthread_mutex_destroy", threads::mutex::destroy),
    ("pthread_mutex_lock", threads::mutex::lock),
    ("pthread_mutex_trylock", threads::mutex::trylock),
    ("pthread_mutex_timedlock", threads::mutex::timedlock),
    ("pthread_mutex_clocklock", threads::mutex::timedlock),
    ("pthread_mutex_unlock", threads::mutex::unlock),
    ("pthread_mutexattr_init", threads::mutex::attributes_init),
    ("pthread_mutexattr_settype", threads::mutex::attributes_settype),
    ("pthread_mutexattr_gettype", threads::mutex::attributes_gettype),
    ("pthread_mutexattr_destroy", threads::succeed),
    ("pthread_spin_init", threads::mutex::spin_init),
    ("pthread_spin_lock", threads::mutex::spin_lock),
    ("pthread_spin_trylock", threads::mutex::spin_trylock),
    ("pthread_spin_unlock", threads::mutex::spin_unlock),
    ("pthread_spin_destroy", threads::mutex::spin_init),
    ("pthread_rwlock_init", threads::rwlock::init),
    ("pthread_rwlock_destroy", threads::rwlock::destroy),
    ("pthread_rwlock_rdlock", threads::rwlock::read_lock),
    ("pthread_rwlock_wrlock", threads::rwlock::write_lock),
    ("pthread_rwlock_tryrdlock", threads::rwlock::try_read_lock),
    ("pthread_rwlock_trywrlock", threads::rwlock::try_write_lock),
    ("pthread_rwlock_timedrdlock", threads::rwlock::timed_read_lock),
    ("pthread_rwlock_timedwrlock", threads::rwlock::timed_write_lock),
    ("pthread_rwlock_unlock", threads::rwlock::unlock),
    ("pthread_cond_init", threads::condition::init),
    ("pthread_cond_destroy", threads::condition::destroy),
    ("pthread_cond_wait", threads::condition::wait),
    ("pthread_cond_timedwait", threads::condition::timed_wait),
    ("pthread_cond_clockwait", threads::condition::clock_wait),
    ("pthread_cond_signal", threads::condition::signal),
    ("pthread_cond_broadcast", threads::condition::broadcast),
    ("pthread_condattr_init", threads::succeed),
    ("pthread_condattr_setclock", threads::succeed),
    ("pthread_condattr_destroy", threads::succeed),
    ("pthread_barrier_init", threads::barrier::init),
    ("pthread_barrier_wait", threads::barrier::wait),
    ("pthread_barrier_destroy", threads::barrier::destroy),
    ("pthread_once", threads::once::once),
    ("pthread_key_create", threads::keys::create),
    ("pthread_key_delete", threads::keys::delete),
    ("pthread_getspecific", threads::keys::get),
    ("pthread_setspecific", threads::keys::set),
    ("pthread_setname_np", threads::succeed),
    ("thrd_create", threads::create::thrd_create),
    ("thrd_join", threads::create::thrd_join),
    ("thrd_detach", threads::create::detach),
    ("thrd_exit", threads::create::exit),
    ("thrd_current", threads::create::current),
    ("thrd_equal", threads::create::equal),
    ("thrd_yield", threads::succeed),
    ("thrd_sleep", threads::succeed),
    ("mtx_init", threads::mutex::mtx_init),
    ("mtx_destroy", threads::mutex::mtx_destroy),
    ("mtx_lock", threads::mutex::mtx_lock),
    ("mtx_trylock", threads::mutex::mtx_trylock),
    ("mtx_timedlock", threads::mutex::mtx_timedlock),
    ("mtx_unlock", threads::mutex::mtx_unlock),
    ("cnd_init", threads::condition::init),
    ("cnd_destroy", threads::condition::cnd_destroy),
    ("cnd_wait", threads::condition::cnd_wait),
    ("cnd_timedwait", threads::condition::cnd_timedwait),
    ("cnd_signal", threads::condition::cnd_signal),
    ("cnd_broadcast", threads::condition::cnd_broadcast),
    ("call_once", threads::once::call_once),
    ("tss_create", threads::keys::create),
    ("tss_delete", threads::keys::tss_delete),
    ("tss_get", threads::keys::get),
    ("tss_set", threads::keys::set),
    ("sem_init", threads::semaphore::init),
    ("sem_destroy", threads::semaphore::destroy),
    ("sem_wait", threads::semaphore::wait),
    ("sem_trywait", threads::semaphore::try_wait),
    ("sem_timedwait", threads::semaphore::timed_wait),
    ("sem_post", threads::semaphore::post),
    ("sem_getvalue", threads::semaphore::get_value),
    ("sched_yield", threads::succeed),
    ("pthread_yield", threads::succeed),
    ("sleep", threads::succeed),
    ("usleep", threads::succeed),
    ("nanosleep", threads::succeed),
    ("clock_nanosleep", threads::succeed),
    ("rand", stdlib::rand),
    ("random", stdlib::rand),
    ("srand", stdlib::srand),
    ("srandom", stdlib::srand),
    ("time", environment::time),
    ("clock", environment::clock),
    ("timespec_get", environment::timespec_get),
    ("clock_gettime", environment::clock_gettime),
    ("gettimeofday", environment::gettimeofday),
    ("getenv", environment::getenv),
    ("secure_getenv", environment::getenv),
    ("__assert_fail", stdlib::assert_fail),
    ("__assert", stdlib::assert_fail),
    ("__assert_rtn", stdlib::assert_fail),
    ("__errno_location", stdlib::errno_location),
    // string.h
    ("memcpy", string::memcpy),
    ("__memcpy_chk", string::memcpy_chk),
    ("mempcpy", string::mempcpy),
    ("__mempcpy_chk", string::mempcpy_chk),
    ("memmove", string::memmove),
    ("__memmove_chk", string::memmove_chk),
    ("memset", string::memset),
    ("__memset_chk", string::memset_chk),
    ("bzero", string::bzero),
    ("memcmp", string::memcmp),
    ("bcmp", string::memcmp),
    ("memchr", string::memchr),
    ("strlen", string::strlen),
    ("strnlen", string::strnlen),
    ("strcmp", string::strcmp),
    ("strcoll", string::strcmp),
    ("strncmp", string::strncmp),
    ("strcasecmp", string::strcasecmp),
    ("strncasecmp", string::strncasecmp),
    ("strcpy", string::strcpy),
    ("__strcpy_chk", string::strcpy_chk),
    ("stpcpy", string::stpcpy),
    ("__stpcpy_chk", string::stpcpy_chk),
    ("strncpy", string::strncpy),
    ("__strncpy_chk", string::strncpy_chk),
    ("stpncpy", string::stpncpy),
    ("__stpncpy_chk", string::stpncpy_chk),
    ("strcat", string::strcat),
    ("__strcat_chk", string::strcat_chk),
    ("strncat", string::strncat),
    ("__strncat_chk", string::strncat_chk),
    ("strchr", string::strchr),
    ("index", string::strchr),
    ("strrchr", string::strrchr),
    ("rindex", string::strrchr),
    ("strstr", string::strstr),
    ("strspn", string::strspn),
    ("strcspn", string::strcspn),
    ("strpbrk", string::strpbrk),
    ("strdup", string::strdup),
    ("strndup", string::strndup),
    // ctype.h
    ("isalpha", ctype::isalpha),
    ("isdigit", ctype::isdigit),
    ("isalnum", ctype::isalnum),
    ("isspace", ctype::isspace),
    ("isblank", ctype::isblank),
    ("isupper", ctype::isupper),
    ("islower", ctype::islower),
    ("isxdigit", ctype::isxdigit),
    ("ispunct", ctype::ispunct),
    ("isprint", ctype::isprint),
    ("isgraph", ctype::isgraph),
    ("iscntrl", ctype::iscntrl),
    ("isascii", ctype::isascii),
    ("toascii", ctype::toascii),
    ("tolower", ctype::tolower),
    ("toupper", ctype::toupper),
    ("__ctype_b_loc", ctype::b_loc),
    ("__ctype_tolower_loc", ctype::tolower_loc),
    ("__ctype_toupper_loc", ctype::toupper_loc),
    // stdio.h
    ("printf", stdio::printf),
    ("fprintf", stdio::fprintf),
    ("sprintf", stdio::sprintf),
    ("snprintf", stdio::snprintf),
    ("vprintf", stdio::vprintf),
    ("vfprintf", stdio::vfprintf),
    ("vsprintf", stdio::vsprintf),
    ("vsnprintf", stdio::vsnprintf),
    ("__printf_chk", stdio::printf_chk),
    ("__fprintf_chk", stdio::fprintf_chk),
    ("__sprintf_chk", stdio::sprintf_chk),
    ("__snprintf_chk", stdio::snprintf_chk),
    ("__vprintf_chk", stdio::vprintf_chk),
    ("__vfprintf_chk", stdio::vfprintf_chk),
    ("__vsprintf_chk", stdio::vsprintf_chk),
    ("__vsnprintf_chk", stdio::vsnprintf_chk),
    ("puts", stdio::puts),
    ("putchar", stdio::putchar),
    ("putchar_unlocked", stdio::putchar),
    ("fputs", stdio::fputs),
    ("fputs_unlocked", stdio::fputs),
    ("fputc", stdio::fputc),
    ("putc", stdio::fputc),
    ("_IO_putc", stdio::fputc),
    ("putc_unlocked", stdio::fputc),
    ("fputc_unlocked", stdio::fputc),
    ("fwrite", stdio::fwrite),
    ("fwrite_unlocked", stdio::fwrite),
    ("fflush", streams::fflush),
    ("fflush_unlocked", streams::fflush),
    ("getchar", streams::getchar),
    ("getchar_unlocked", streams::getchar),
    ("getc", streams::fgetc),
    ("fgetc", streams::fgetc),
    ("_IO_getc", streams::fgetc),
    ("getc_unlocked", streams::fgetc),
    ("fgetc_unlocked", streams::fgetc),
    ("ungetc", streams::ungetc),
    ("fgets", streams::fgets),
    ("fgets_unlocked", streams::fgets),
    ("__fgets_chk", streams::fgets_chk),
    ("gets", streams::gets),
    ("getline", streams::getline),
    ("getdelim", streams::getdelim),
    ("__getdelim", streams::getdelim),
    ("fread", streams::fread),
    ("fread_unlocked", streams::fread),
    ("__fread_chk", streams::fread_chk),
    ("feof", streams::feof),
    ("feof_unlocked", streams::feof),
    ("ferror", streams::ferror),
    ("ferror_unlocked", streams::ferror),
    ("clearerr", streams::clearerr),
    ("clearerr_unlocked", streams::clearerr),
    ("__fpending", streams::fpending),
    ("__freading", streams::freading),
    ("fopen", streams::fopen),
    ("fopen64", streams::fopen),
    ("fdopen", streams::fdopen),
    ("fclose", streams::fclose),
    ("fseek", streams::fseek),
    ("fseeko", streams::fseek),
    ("fseeko64", streams::fseek),
    ("ftell", streams::ftell),
    ("ftello", streams::ftell),
    ("ftello64", streams::ftell),
    ("rewind", streams::rewind),
    ("fileno", streams::fileno),
    // fcntl.h, unistd.h, sys/stat.h
    ("open", files::open),
    ("open64", files::open),
    ("__open_2", files::open),
    ("openat", files::openat),
    ("openat64", files::openat),
    ("creat", files::creat),
    ("read", files::read),
    ("__read_chk", files::read_chk),
    ("write", files::write),
    ("lseek", files::lseek),
    ("lseek64", files::lseek),
    ("pread", files::pread),
    ("pread64", files::pread),
    ("pipe", pipes::pipe),
    ("pipe2", pipes::pipe2),
    ("dup", files::dup),
    ("dup2", files::dup2),
    ("close", files::close),
    ("stat", files::stat),
    ("stat64", files::stat),
    ("lstat", files::stat),
    ("fstat", files::fstat),
    ("fstat64", files::fstat),
    ("access", files::access),
    ("unlink", files::unlink),
    ("remove", files::unlink),
    ("isatty", files::isatty),
    // sys/mman.h
    ("mmap", mapping::mmap),
    ("mmap64", mapping::mmap),
    ("munmap", mapping::munmap),
    ("setvbuf", stdio::set_buffer),
    ("setbuf", stdio::set_buffer),
    ("setlinebuf", stdio::set_buffer),
    ("perror", stdlib::nothing),
    // Intrinsics.
    ("llvm.memcpy.", string::memcpy_intrinsic),
    ("llvm.memmove.", string::memmove_intrinsic),
    ("llvm.memset.", string::memset_intrinsic),
    ("llvm.sadd.with.overflow.", intrinsics::sadd_with_overflow),
    ("llvm.uadd.with.overflow.", intrinsics::uadd_with_overflow),
    ("llvm.ssub.with.overflow.", intrinsics::ssub_with_overflow),
    ("llvm.usub.with.overflow.", intrinsics::usub_with_overflow),
    ("llvm.smul.with.overflow.", intrinsics::smul_with_overflow),
    ("llvm.umul.with.overflow.", intrinsics::umul_with_overflow),
    ("llvm.sadd.sat.", intrinsics::sadd_sat),
    ("llvm.uadd.sat.", intrinsics::uadd_sat),
    ("llvm.ssub.sat.", intrinsics::ssub_sat),
    ("llvm.usub.sat.", intrinsics::usub_sat),
    ("llvm.vector.reduce.add.", reductions::add),
    ("llvm.vector.reduce.mul.", reductions::mul),
    ("llvm.vector.reduce.and.", reductions::and),
    ("llvm.vector.reduce.or.", reductions::or),
    ("llvm.vector.reduce.xor.", reductions::xor),
    ("llvm.vector.reduce.smax.", reductions::smax),
    ("llvm.vector.reduce.smin.", reductions::smin),
    ("llvm.vector.reduce.umax.", reductions::umax),
    ("llvm.vector.reduce.umin.", reductions::umin),
    ("llvm.smax.", intrinsics::smax),
    ("llvm.smin.", intrinsics::smin),
    ("llvm.umax.", intrinsics::umax),
    ("llvm.umin.", intrinsics::umin),
    ("llvm.ucmp.", intrinsics::ucmp),
    ("llvm.scmp.", intrinsics::scmp),
    ("llvm.abs.", intrinsics::abs),
    ("llvm.bswap.", intrinsics::bswap),
    ("llvm.bitreverse.", intrinsics::bitreverse),
    ("llvm.ctpop.", intrinsics::ctpop),
    ("llvm.ctlz.", intrinsics::ctlz),
    ("llvm.cttz.", intrinsics::cttz),
    ("llvm.fshl.", intrinsics::fshl),
    ("llvm.fshr.", intrinsics::fshr),
    ("llvm.expect.", intrinsics::first),
    ("llvm.expect.with.probability.", intrinsics::first),
    ("llvm.launder.invariant.group.", intrinsics::first),
    ("llvm.strip.invariant.group.", intrinsics::first),
    ("llvm.threadlocal.address.", intrinsics::first),
    ("llvm.ssa.copy.", intrinsics::first),
    ("llvm.is.constant.", intrinsics::is_constant),
    ("llvm.objectsize.", intrinsics::objectsize),
    ("llvm.assume", intrinsics::assume),
    ("llvm.trap", intrinsics::trap),
    ("llvm.ubsantrap", intrinsics::checked),
    ("llvm.debugtrap", intrinsics::trap),
    ("llvm.stacksave", intrinsics::stacksave),
    ("llvm.stackrestore", intrinsics::stackrestore),
    ("llvm.va_start", intrinsics::va_start),
    ("llvm.va_end", annotations::nothing),
    ("llvm.va_copy", intrinsics::va_copy),
    ("llvm.eh.typeid.for", stdlib::zero),
    ("llvm.ptrmask.", intrinsics::ptrmask),
    ("sqrt", math::errors::sqrt),
    ("sqrtf", math::errors::sqrt),
    ("sqrtl", math::errors::sqrt),
    ("llvm.sqrt.", math::errors::silent_sqrt),
    ("floor", math::arithmetic::floor),
    ("floorf", math::arithmetic::floor),
    ("floorl", math::arithmetic::floor),
    ("llvm.floor.", math::arithmetic::floor),
    ("ceil", math::arithmetic::ceil),
    ("ceilf", math::arithmetic::ceil),
    ("ceill", math::arithmetic::ceil),
    ("llvm.ceil.", math::arithmetic::ceil),
    ("trunc", math::arithmetic::trunc),
    ("truncf", math::arithmetic::trunc),
    ("truncl", math::arithmetic::trunc),
    ("llvm.trunc.", math::arithmetic::trunc),
    ("rint", math::arithmetic::rint),
    ("rintf", math::arithmetic::rint),
    ("rintl", math::arithmetic::rint),
    ("llvm.rint.", math::arithmetic::rint),
    ("nearbyint", math::arithmetic::rint),
    ("nearbyintf", math::arithmetic::rint),
    ("nearbyintl", math::arithmetic::rint),
    ("llvm.nearbyint.", math::arithmetic::rint),
    ("roundeven", math::arithmetic::roundeven),
    ("roundevenf", math::arithmetic::roundeven),
    ("roundevenl", math::arithmetic::roundeven),
    ("llvm.roundeven.", math::arithmetic::roundeven),
    ("round", math::arithmetic::round),
    ("roundf", math::arithmetic::round),
    ("roundl", math::arithmetic::round),
    ("llvm.round.", math::arithmetic::round),
    ("fmin", math::arithmetic::fmin),
    ("fminf", math::arithmetic::fmin),
    ("fminl", math::arithmetic::fmin),
    ("llvm.minnum.", math::arithmetic::fmin),
    ("fmax", math::arithmetic::fmax),
    ("fmaxf", math::arithmetic::fmax),
    ("fmaxl", math::arithmetic::fmax),
    ("llvm.maxnum.", math::arithmetic::fmax),
    ("fmod", math::errors::fmod),
    ("fmodf", math::errors::fmod),
    ("fmodl", math::errors::fmod),
    ("remainder", math::errors::remainder),
    ("remainderf", math::errors::remainder),
    ("remainderl", math::errors::remainder),
    ("drem", math::errors::remainder),
    ("dremf", math::errors::remainder),
    ("dreml", math::errors::remainder),
    ("fabs", math::arithmetic::fabs),
    ("fabsf", math::arithmetic::fabs),
    ("fabsl", math::arithmetic::fabs),
    ("llvm.fabs.", math::arithmetic::fabs),
    ("copysign", math::arithmetic::copysign),
    ("copysignf", math::arithmetic::copysign),
    ("copysignl", math::arithmetic::copysign),
    ("llvm.copysign.", math::arithmetic::copysign),
    ("fma", math::arithmetic::fma),
    ("fmaf", math::arithmetic::fma),
    ("fmal", math::arithmetic::fma),
    ("llvm.fma.", math::arithmetic::fma),
    ("llvm.fmuladd.", math::arithmetic::fmuladd),
    ("fdim", math::errors::fdim),
    ("fdimf", math::errors::fdim),
    ("fdiml", math::errors::fdim),
    ("llvm.minimum.", math::arithmetic::minimum),
    ("llvm.maximum.", math::arithmetic::maximum),
    ("llvm.canonicalize.", math::arithmetic::canonicalize),
    ("nextafter", math::errors::nextafter),
    ("nextafterf", math::errors::nextafter),
    ("nextafterl", math::errors::nextafter),
    ("llvm.fptosi.sat.", math::integers::to_signed_saturated),
    ("llvm.fptoui.sat.", math::integers::to_unsigned_saturated),
    ("lrint", math::integers::lrint),
    ("lrintf", math::integers::lrint),
    ("lrintl", math::integers::lrint),
    ("llvm.lrint.", math::integers::lrint),
    ("llrint", math::integers::lrint),
    ("llrintf", math::integers::lrint),
    ("llrintl", math::integers::lrint),
    ("llvm.llrint.", math::integers::lrint),
    ("lround", math::integers::lround),
    ("lroundf", math::integers::lround),
    ("lroundl", math::integers::lround),
    ("llvm.lround.", math::integers::lround),
    ("llround", math::integers::lround),
    ("llroundf", math::integers::lround),
    ("llroundl", math::integers::lround),
    ("llvm.llround.", math::integers::lround),
    ("llvm.is.fpclass.", math::classes::is_fpclass),
    ("__isnan", math::classes::isnan),
    ("__isnanf", math::classes::isnan),
    ("__isnanl", math::classes::isnan),
    ("isnan", math::classes::isnan),
    ("isnanf", math::classes::isnan),
    ("isnanl", math::classes::isnan),
    ("__isinf", math::classes::isinf),
    ("__isinff", math::classes::isinf),
    ("__isinfl", math::classes::isinf),
    ("isinf", math::classes::isinf),
    ("isinff", math::classes::isinf),
    ("isinfl", math::classes::isinf),
    ("__finite", math::classes::finite),
    ("__finitef", math::classes::finite),
    ("__finitel", math::classes::finite),
    ("finite", math::classes::finite),
    ("finitef", math::classes::finite),
    ("finitel", math::classes::finite),
    ("__signbit", math::classes::signbit),
    ("__signbitf", math::classes::signbit),
    ("__signbitl", math::classes::signbit),
    ("__fpclassify", math::classes::fpclassify),
    ("__fpclassifyf", math::classes::fpclassify),
    ("__fpclassifyl", math::classes::fpclassify),
    ("fesetround", math::rounding_mode::fesetround),
    ("fegetround", math::rounding_mode::fegetround),
    ("llvm.get.rounding", math::rounding_mode::flt_rounds),
    ("llvm.flt.rounds", math::rounding_mode::flt_rounds),
    ("frexp", math::exponents::frexp),
    ("frexpf", math::exponents::frexp),
    ("frexpl", math::exponents::frexp),
    ("modf", math::exponents::modf),
    ("modff", math::exponents::modf),
    ("modfl", math::exponents::modf),
    ("ilogb", math::errors::ilogb),
    ("ilogbf", math::errors::ilogb),
    ("ilogbl", math::errors::ilogb),
    ("ldexp", math::errors::ldexp),
    ("ldexpf", math::errors::ldexp),
    ("ldexpl", math::errors::ldexp),
    ("scalbn", math::errors::ldexp),
    ("scalbnf", math::errors::ldexp),
    ("scalbnl", math::errors::ldexp),
    ("scalbln", math::errors::ldexp),
    ("scalblnf", math::errors::ldexp),
    ("scalblnl", math::errors::ldexp),
    ("sin", math::of_machine::sin),
    ("sinf", math::of_machine::sin),
    ("sinl", math::of_machine::sin),
    ("llvm.sin.", math::of_machine::sin),
    ("cos", math::of_machine::cos),
    ("cosf", math::of_machine::cos),
    ("cosl", math::of_machine::cos),
    ("llvm.cos.", math::of_machine::cos),
    ("tan", math::of_machine::tan),
    ("tanf", math::of_machine::tan),
    ("tanl", math::of_machine::tan),
    ("llvm.tan.", math::of_machine::tan),
    ("exp", math::of_machine::exp),
    ("expf", math::of_machine::exp),
    ("expl", math::of_machine::exp),
    ("llvm.exp.", math::of_machine::exp),
    ("exp2", math::of_machine::exp2),
    ("exp2f", math::of_machine::exp2),
    ("exp2l", math::of_machine::exp2),
    ("llvm.exp2.", math::of_machine::exp2),
    ("log", math::of_machine::log),
    ("logf", math::of_machine::log),
    ("logl", math::of_machine::log),
    ("llvm.log.", math::of_machine::log),
    ("log2", math::of_machine::log2),
    ("log2f", math::of_machine::log2),
    ("log2l", math::of_machine::log2),
    ("llvm.log2.", math::of_machine::log2),
    ("log10", math::of_machine::log10),
    ("log10f", math::of_machine::log10),
    ("log10l", math::of_machine::log10),
    ("llvm.log10.", math::of_machine::log10),
    ("pow", math::of_machine::pow),
    ("powf", math::of_machine::pow),
    ("powl", math::of_machine::pow),
    ("llvm.pow.", math::of_machine::pow),
    ("asin", math::of_machine::asin),
    ("asinf", math::of_machine::asin),
    ("asinl", math::of_machine::asin),
    ("acos", math::of_machine::acos),
    ("acosf", math::of_machine::acos),
    ("acosl", math::of_machine::acos),
    ("atan", math::of_machine::atan),
    ("atanf", math::of_machine::atan),
    ("atanl", math::of_machine::atan),
    ("sinh", math::of_machine::sinh),
    ("sinhf", math::of_machine::sinh),
    ("sinhl", math::of_machine::sinh),
    ("cosh", math::of_machine::cosh),
    ("coshf", math::of_machine::cosh),
    ("coshl", math::of_machine::cosh),
    ("tanh", math::of_machine::tanh),
    ("tanhf", math::of_machine::tanh),
    ("tanhl", math::of_machine::tanh),
    ("expm1", math::of_machine::expm1),
    ("expm1f", math::of_machine::expm1),
    ("expm1l", math::of_machine::expm1),
    ("log1p", math::of_machine::log1p),
    ("log1pf", math::of_machine::log1p),
    ("log1pl", math::of_machine::log1p),
    ("cbrt", math::of_machine::cbrt),
    ("cbrtf", math::of_machine::cbrt),
    ("cbrtl", math::of_machine::cbrt),
    ("atan2", math::of_machine::atan2),
    ("atan2f", math::of_machine::atan2),
    ("atan2l", math::of_machine::atan2),
    ("hypot", math::of_machine::hypot),
    ("hypotf", math::of_machine::hypot),
    ("hypotl", math::of_machine::hypot),
];

/// The instruction `cpuid` of x86, as a function that no program can name.
pub(crate) const CPUID: &str = "<effigy>::cpuid";

/// Builtins that return any of the values that the function may return.
const ANY_VALUE: &[&str] =
    &["rand", "random", "getenv", "secure_getenv", "time", "clock", "timespec_get", "clock_gettime", "gettimeofday"];

/// Builtins that ask nothing of what they are given.
const ASKS_NOTHING: &[&str] = &[
    "effigy_symbolic",
    "effigy_number",
    "effigy_natural",
    "klee_make_symbolic",
    "klee_int",
    "klee_range",
    "printf",
    "puts",
    "putchar",
    "fprintf",
    "fputs",
    "klee_open_merge",
    "klee_close_merge",
];

/// The builtin of this name.
pub(crate) fn find(name: &str) -> Option<u32> {
    let exact = BUILTINS.iter().position(|it| it.0 == name);
    // Of 16 bits there are two kinds of floats, and a call tells only the width: `bfloat` is refused, as it is elsewhere.
    let is_bfloat = name.starts_with("llvm.") && name.split('.').any(|it| it.ends_with("bf16"));
    let found = exact.or_else(|| {
        if is_bfloat {
            return None;
        }
        // Intrinsics are overloaded by type: `llvm.memcpy.p0.p0.i64`; `llvm.va_start.p0` since LLVM 19.
        let matches = |prefix: &str| match prefix.strip_suffix('.') {
            Some(_) => name.starts_with(prefix),
            None => prefix.starts_with("llvm.") && name.strip_prefix(prefix).is_some_and(|it| it.starts_with('.')),
        };
        (0..BUILTINS.len()).filter(|&it| matches(BUILTINS[it].0)).max_by_key(|&it| BUILTINS[it].0.len())
    });
    let rust = || Some(BUILTINS.len() + rust::find(name)?);
    let refused = || Some(first_refused() + refused::REFUSED.iter().position(|it| it.0 == name)?);
    found.or_else(rust).or_else(refused).map(|it| it as u32)
}

/// The builtin that takes the place of a function which the program defines.
pub(crate) fn find_defined(name: &str, own_allocator: bool) -> Option<u32> {
    if name == container::DISJUNCT {
        return find(name);
    }
    rust::find_defined(name, own_allocator).map(|it| (BUILTINS.len() + it) as u32)
}

/// What lowering asks of this room.
pub(crate) fn names() -> BuiltinNames<'static> {
    BuiltinNames { undefined: &find, defined: &find_defined, is_own_allocator: &is_own_allocator, cpuid: find(CPUID) }
}

/// The builtin of this name, which no function of a program has.
pub(crate) fn find_own(name: &str) -> Option<u32> {
    rust::find_own(name).map(|it| (BUILTINS.len() + it) as u32)
}

/// Whether a function of this name is an allocator of the program's own, in Rust.
pub(crate) fn is_own_allocator(name: &str) -> bool {
    name.contains("__rg_alloc")
        && rustc_demangle::try_demangle(name).is_ok_and(|it| format!("{it:#}") == rust::OWN_ALLOCATOR)
}

fn first_refused() -> usize {
    BUILTINS.len() + rust::RUST.len()
}

/// What becomes of a call of the function with this number.
pub(crate) fn standing(number: u32) -> Standing {
    match BUILTINS.get(number as usize) {
        Some((name, _)) if ANY_VALUE.contains(name) => Standing::AnyValue,
        None if number as usize >= first_refused() => Standing::Refused,
        _ => Standing::BuiltIn,
    }
}

/// Whether the builtin with this number asks nothing of what it is given.
pub(crate) fn asks_nothing(number: u32) -> bool {
    BUILTINS.get(number as usize).is_some_and(|it| ASKS_NOTHING.contains(&it.0))
}

pub(crate) use threads::tries_locks;

/// All builtins, by the numbers that [`find`] gives.
pub(crate) fn builtins() -> Box<[Builtin]> {
    BUILTINS.iter().chain(rust::RUST).chain(refused::REFUSED).map(|it| it.1).collect()
}

/// Adds the objects to a program, and the streams to the globals that name them.
pub(crate) fn install(code: &mut Code) -> Library {
    let errno = code.add_global("errno", ObjectKind::Global, vec![0; 4]);
    let mut table = |name: &str, bytes: Vec<u8>, zero_at: u64| {
        let table = code.add_global(name, ObjectKind::Constant, bytes);
        let pointer = (table + zero_at).to_le_bytes().to_vec();
        code.add_global(name, ObjectKind::Constant, pointer)
    };
    let ctype_b = table("the ctype table", ctype::b_table(), 256);
    let ctype_tolower = table("the tolower table", ctype::case_table(|it| it.to_ascii_lowercase()), 512);
    let ctype_toupper = table("the toupper table", ctype::case_table(|it| it.to_ascii_uppercase()), 512);
    let mut streams = [0; 3];
    for (name, address) in ["stdin", "stdout", "stderr"].into_iter().zip(&mut streams) {
        let stream = code.add_global(name, ObjectKind::Global, vec![0; 216]);
        *address = stream;
        if let Some(&address) = code.addresses.get(name)
            && let Some(object) = code.memory.object_mut(ObjectId::of_address(address).0)
            && object.bytes.len() == 8
        {
            object.bytes = Rc::new(Bytes::concrete(stream.to_le_bytes().to_vec()));
            object.unknown = None;
        }
    }
    name_program(code);
    let computes = BUILTINS.iter().map(|it| it.0.starts_with("llvm.") || it.0.contains("printf")).collect();
    Library { errno, ctype_b, ctype_tolower, ctype_toupper, streams, computes }
}

/// Gives the variables of the program's name, where it has them, what `main` gets as its first argument.
fn name_program(code: &mut Code) {
    let declared = |variable: &str| code.addresses.get(variable).map(|it| ObjectId::of_address(*it).0);
    let variables: Vec<ObjectId> =
        ["program_invocation_name", "program_invocation_short_name"].into_iter().filter_map(declared).collect();
    if variables.is_empty() {
        return;
    }
    let name = code.add_global("the program's name", ObjectKind::Global, b"program\0".to_vec());
    for variable in variables {
        if let Some(object) = code.memory.object_mut(variable).filter(|it| it.unknown.is_some() && it.bytes.len() == 8)
        {
            object.bytes = Rc::new(Bytes::concrete(name.to_le_bytes().to_vec()));
            object.unknown = None;
        }
    }
}

/// The bits of an argument's type.
pub(crate) fn width_of(call: &Call, index: usize) -> Width {
    match call.arguments.get(index).map(|it| &it.shape) {
        Some(crate::code::Shape::Scalar { width, .. }) => Width::of(*width),
        _ => Width::W64,
    }
}

/// The bits of the result's type.
pub(crate) fn result_width(call: &Call) -> Width {
    match &call.result {
        Some(crate::code::Shape::Scalar { width, .. }) => Width::of(*width),
        _ => Width::W32,
    }
}

impl Machine<'_, '_> {
    /// Argument `index`, or undefined.
    pub(crate) fn argument(&self, arguments: &[Val], index: usize) -> Val {
        arguments.get(index).cloned().unwrap_or(Val::Undef)
    }

    /// The value of a size argument; a symbolic one is asked for.
    pub(crate) fn size_argument(&mut self, arguments: &[Val], index: usize) -> Flow<u64> {
        match self.argument(arguments, index) {
            Val::Int(bits) => Ok(bits),
            other => {
                let width = match &other {
                    Val::Term(term) => self.ctx.terms.sort(*term).width().unwrap_or(Width::W1),
                    _ => Width::W64,
                };
                let term = self.term(&other, width);
                self.require_defined(term, "a size")?;
                self.choose_value(term)
            }
        }
    }

    /// The byte at `ptr + at`, checked.
    pub(crate) fn byte_at(&mut self, ptr: &Val, at: u64) -> Flow<Val> {
        let ptr = self.add_distance(ptr, at);
        let spot = self.resolve(&ptr, 1, Access::Read)?;
        Ok(self.read(spot, 1, 8))
    }

    /// `ptr + distance`.
    pub(crate) fn add_distance(&mut self, ptr: &Val, distance: u64) -> Val {
        self.add_offset(ptr, distance as i64)
    }

    /// Whether a byte is zero: known, or decided.
    pub(crate) fn is_zero(&mut self, byte: &Val) -> Flow<bool> {
        match byte {
            Val::Int(bits) => Ok(*bits == 0),
            _ => {
                let term = self.term(byte, Width::W8);
                self.require_defined(term, "a character of a string")?;
                let terms = self.ctx.terms;
                self.decide_term(terms.eq(term, terms.bv_u64(Width::W8, 0)))
            }
        }
    }

    /// The concrete text of a string, as far as it must be concrete (formats, messages).
    pub(crate) fn text(&mut self, ptr: &Val) -> Flow<Rc<[u8]>> {
        let mut res = Vec::new();
        for at in 0..1 << 20 {
            let byte = match self.byte_at(ptr, at)? {
                Val::Int(bits) => bits as u8,
                other => {
                    let term = self.term(&other, Width::W8);
                    self.require_defined(term, "a character of a string")?;
                    self.choose_value(term)? as u8
                }
            };
            if byte == 0 {
                return Ok(res.into());
            }
            res.push(byte);
        }
        Err(self.unsupported("a format or a name of more than 1 MiB"))
    }

    pub(crate) fn of_term(&self, term: Term) -> Val {
        Val::of_term(self.ctx.terms, term)
    }
}

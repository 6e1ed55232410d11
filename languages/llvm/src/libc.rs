//! The functions that the interpreter knows: libc, intrinsics, and what marks inputs.
//!
//! Knows: a function by its name. Each file is one header, each function one man page.
//! Never: instructions.

pub(crate) mod annotations;
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
    ("__VERIFIER_atomic_begin", annotations::nothing),
    ("__VERIFIER_atomic_end", annotations::nothing),
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
    ("__cxa_thread_atexit", ending::cxa_atexit),
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
    ("__cxa_guard_acquire", ending::guard_acquire),
    ("__cxa_guard_release", ending::guard_release),
    ("__cxa_guard_abort", stdlib::nothing),
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
    ("sqrt", math::sqrt),
    ("sqrtf", math::sqrt),
    ("sqrtl", math::sqrt),
    ("llvm.sqrt.", math::sqrt),
    ("floor", math::floor),
    ("floorf", math::floor),
    ("floorl", math::floor),
    ("llvm.floor.", math::floor),
    ("ceil", math::ceil),
    ("ceilf", math::ceil),
    ("ceill", math::ceil),
    ("llvm.ceil.", math::ceil),
    ("trunc", math::trunc),
    ("truncf", math::trunc),
    ("truncl", math::trunc),
    ("llvm.trunc.", math::trunc),
    ("rint", math::rint),
    ("rintf", math::rint),
    ("rintl", math::rint),
    ("llvm.rint.", math::rint),
    ("nearbyint", math::rint),
    ("nearbyintf", math::rint),
    ("nearbyintl", math::rint),
    ("llvm.nearbyint.", math::rint),
    ("roundeven", math::roundeven),
    ("roundevenf", math::roundeven),
    ("roundevenl", math::roundeven),
    ("llvm.roundeven.", math::roundeven),
    ("round", math::round),
    ("roundf", math::round),
    ("roundl", math::round),
    ("llvm.round.", math::round),
    ("fmin", math::fmin),
    ("fminf", math::fmin),
    ("fminl", math::fmin),
    ("llvm.minnum.", math::fmin),
    ("fmax", math::fmax),
    ("fmaxf", math::fmax),
    ("fmaxl", math::fmax),
    ("llvm.maxnum.", math::fmax),
    ("fmod", math::fmod),
    ("fmodf", math::fmod),
    ("fmodl", math::fmod),
    ("remainder", math::remainder),
    ("remainderf", math::remainder),
    ("remainderl", math::remainder),
    ("drem", math::remainder),
    ("dremf", math::remainder),
    ("dreml", math::remainder),
    ("fabs", math::fabs),
    ("fabsf", math::fabs),
    ("fabsl", math::fabs),
    ("llvm.fabs.", math::fabs),
    ("copysign", math::copysign),
    ("copysignf", math::copysign),
    ("copysignl", math::copysign),
    ("llvm.copysign.", math::copysign),
    ("fma", math::fma),
    ("fmaf", math::fma),
    ("fmal", math::fma),
    ("llvm.fma.", math::fma),
    ("llvm.fmuladd.", math::fmuladd),
    ("fdim", math::fdim),
    ("fdimf", math::fdim),
    ("fdiml", math::fdim),
    ("llvm.minimum.", math::minimum),
    ("llvm.maximum.", math::maximum),
    ("llvm.canonicalize.", math::canonicalize),
    ("nextafter", math::nextafter),
    ("nextafterf", math::nextafter),
    ("nextafterl", math::nextafter),
    ("llvm.fptosi.sat.", math::to_signed_saturated),
    ("llvm.fptoui.sat.", math::to_unsigned_saturated),
    ("lrint", math::lrint),
    ("lrintf", math::lrint),
    ("lrintl", math::lrint),
    ("llvm.lrint.", math::lrint),
    ("llrint", math::lrint),
    ("llrintf", math::lrint),
    ("llrintl", math::lrint),
    ("llvm.llrint.", math::lrint),
    ("lround", math::lround),
    ("lroundf", math::lround),
    ("lroundl", math::lround),
    ("llvm.lround.", math::lround),
    ("llround", math::lround),
    ("llroundf", math::lround),
    ("llroundl", math::lround),
    ("llvm.llround.", math::lround),
    ("llvm.is.fpclass.", math::is_fpclass),
    ("__isnan", math::isnan),
    ("__isnanf", math::isnan),
    ("__isnanl", math::isnan),
    ("isnan", math::isnan),
    ("isnanf", math::isnan),
    ("isnanl", math::isnan),
    ("__isinf", math::isinf),
    ("__isinff", math::isinf),
    ("__isinfl", math::isinf),
    ("isinf", math::isinf),
    ("isinff", math::isinf),
    ("isinfl", math::isinf),
    ("__finite", math::finite),
    ("__finitef", math::finite),
    ("__finitel", math::finite),
    ("finite", math::finite),
    ("finitef", math::finite),
    ("finitel", math::finite),
    ("__signbit", math::signbit),
    ("__signbitf", math::signbit),
    ("__signbitl", math::signbit),
    ("__fpclassify", math::fpclassify),
    ("__fpclassifyf", math::fpclassify),
    ("__fpclassifyl", math::fpclassify),
    ("fesetround", math::fesetround),
    ("fegetround", math::fegetround),
    ("llvm.get.rounding", math::flt_rounds),
    ("llvm.flt.rounds", math::flt_rounds),
    ("frexp", math::frexp),
    ("frexpf", math::frexp),
    ("frexpl", math::frexp),
    ("modf", math::modf),
    ("modff", math::modf),
    ("modfl", math::modf),
    ("ilogb", math::ilogb),
    ("ilogbf", math::ilogb),
    ("ilogbl", math::ilogb),
    ("ldexp", math::ldexp),
    ("ldexpf", math::ldexp),
    ("ldexpl", math::ldexp),
    ("scalbn", math::ldexp),
    ("scalbnf", math::ldexp),
    ("scalbnl", math::ldexp),
    ("scalbln", math::ldexp),
    ("scalblnf", math::ldexp),
    ("scalblnl", math::ldexp),
    ("sin", math::sin),
    ("sinf", math::sin),
    ("sinl", math::sin),
    ("llvm.sin.", math::sin),
    ("cos", math::cos),
    ("cosf", math::cos),
    ("cosl", math::cos),
    ("llvm.cos.", math::cos),
    ("tan", math::tan),
    ("tanf", math::tan),
    ("tanl", math::tan),
    ("llvm.tan.", math::tan),
    ("exp", math::exp),
    ("expf", math::exp),
    ("expl", math::exp),
    ("llvm.exp.", math::exp),
    ("exp2", math::exp2),
    ("exp2f", math::exp2),
    ("exp2l", math::exp2),
    ("llvm.exp2.", math::exp2),
    ("log", math::log),
    ("logf", math::log),
    ("logl", math::log),
    ("llvm.log.", math::log),
    ("log2", math::log2),
    ("log2f", math::log2),
    ("log2l", math::log2),
    ("llvm.log2.", math::log2),
    ("log10", math::log10),
    ("log10f", math::log10),
    ("log10l", math::log10),
    ("llvm.log10.", math::log10),
    ("pow", math::pow),
    ("powf", math::pow),
    ("powl", math::pow),
    ("llvm.pow.", math::pow),
    ("asin", math::asin),
    ("asinf", math::asin),
    ("asinl", math::asin),
    ("acos", math::acos),
    ("acosf", math::acos),
    ("acosl", math::acos),
    ("atan", math::atan),
    ("atanf", math::atan),
    ("atanl", math::atan),
    ("sinh", math::sinh),
    ("sinhf", math::sinh),
    ("sinhl", math::sinh),
    ("cosh", math::cosh),
    ("coshf", math::cosh),
    ("coshl", math::cosh),
    ("tanh", math::tanh),
    ("tanhf", math::tanh),
    ("tanhl", math::tanh),
    ("expm1", math::expm1),
    ("expm1f", math::expm1),
    ("expm1l", math::expm1),
    ("log1p", math::log1p),
    ("log1pf", math::log1p),
    ("log1pl", math::log1p),
    ("cbrt", math::cbrt),
    ("cbrtf", math::cbrt),
    ("cbrtl", math::cbrt),
    ("atan2", math::atan2),
    ("atan2f", math::atan2),
    ("atan2l", math::atan2),
    ("hypot", math::hypot),
    ("hypotf", math::hypot),
    ("hypotl", math::hypot),
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
                break;
            }
            res.push(byte);
        }
        Ok(res.into())
    }

    pub(crate) fn of_term(&self, term: Term) -> Val {
        Val::of_term(self.ctx.terms, term)
    }
}

//! `effigy.h` and `klee.h`: inputs, assumptions, assertions.
//!
//! Knows: what each of them means here; in a native replay the runtime library gives them the recorded values.

use super::width_of;
use crate::checks::{ABORT, ASSERTION_FAILED, REPORTED};
use crate::code::Call;
use crate::ir::IntPredicate;
use crate::machine::{Flow, Machine};
use crate::memory::Size;
use crate::step::access::Access;
use crate::value::Val;
use effigy_engine::{Outcome, Step};
use effigy_term::{Sort, Width};

type Done = Flow<Option<Val>>;

/// `effigy_symbolic(void *at, size_t size, const char *name)`
pub(crate) fn make_symbolic(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let name = name_argument(it, arguments, 2)?;
    let size = it.size_argument(arguments, 1)?;
    let ptr = it.argument(arguments, 0);
    it.input_memory(&ptr, size, &name)?;
    Ok(None)
}

fn name_argument(it: &mut Machine<'_, '_>, arguments: &[Val], index: usize) -> Flow<String> {
    let ptr = it.argument(arguments, index);
    if ptr == Val::Int(0) {
        return Ok("unnamed".to_owned());
    }
    let text = it.text(&ptr)?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// `unsigned long effigy_number(unsigned bytes, const char *name)`: what the typed functions of `effigy.h` call.
pub(crate) fn number(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    number_of(it, call, arguments, true)
}

/// `unsigned long effigy_natural(unsigned bytes, const char *name)`: the same for unsigned types.
pub(crate) fn natural(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    number_of(it, call, arguments, false)
}

fn number_of(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val], signed: bool) -> Done {
    let bytes = it.size_argument(arguments, 0)?;
    let width = match bytes {
        1 | 2 | 4 | 8 => Width::of(bytes as u32 * 8),
        _ => return Err(it.unsupported("effigy_number with a size other than 1, 2, 4 or 8")),
    };
    let name = name_argument(it, arguments, 1)?;
    let term = it.input_number(&name, width, signed);
    if it.ctx.terms.sort(term) == Sort::Int {
        return Ok(Some(Val::Term(term)));
    }
    let term = it.ctx.terms.bv_zero_extend(super::result_width(call), term);
    Ok(Some(it.of_term(term)))
}

/// `int klee_int(const char *name)`
pub(crate) fn klee_int(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let name = name_argument(it, arguments, 0)?;
    let term = it.input_number(&name, Width::W32, true);
    Ok(Some(it.of_term(term)))
}

/// `int klee_range(int begin, int end, const char *name)`: begin <= result < end.
pub(crate) fn klee_range(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let name = name_argument(it, arguments, 2)?;
    let (begin, end) = (it.argument(arguments, 0), it.argument(arguments, 1));
    let (begin, end) = (it.term(&begin, Width::W32), it.term(&end, Width::W32));
    in_range(it, &name, begin, end)
}

/// `int effigy_choose(int n)`: 0 <= result < n.
pub(crate) fn choose(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let end = it.argument(arguments, 0);
    let end = it.term(&end, Width::W32);
    let begin = it.ctx.terms.bv_u64(Width::W32, 0);
    in_range(it, "choice", begin, end)
}

fn in_range(it: &mut Machine<'_, '_>, name: &str, begin: effigy_term::Term, end: effigy_term::Term) -> Done {
    let terms = it.ctx.terms;
    // The name that the record will have, so that the assumption comes before anything is recorded.
    let term = it.peek_input(name, Width::W32);
    it.assume(terms.bv_sle(begin, term))?;
    it.assume(terms.bv_slt(term, end))?;
    let term = it.input_number(name, Width::W32, true);
    Ok(Some(it.of_term(term)))
}

/// `effigy_assume(int)`, `klee_assume(uintptr_t)`: not zero.
pub(crate) fn assume(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    let cond = condition(it, call, arguments);
    it.require_defined(cond, "an assumption")?;
    it.assume(cond)?;
    Ok(None)
}

/// `uintptr_t klee_choose(uintptr_t n)`: 0 <= result < n.
pub(crate) fn klee_choose(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let end = it.argument(arguments, 0);
    let end = it.term(&end, Width::W64);
    let term = it.peek_input("klee_choose", Width::W64);
    it.assume(it.ctx.terms.bv_ult(term, end))?;
    let term = it.input_number("klee_choose", Width::W64, false);
    Ok(Some(it.of_term(term)))
}

/// `size_t klee_get_obj_size(void *ptr)`: of the object that it points into.
pub(crate) fn get_obj_size(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let spot = it.resolve(&it.argument(arguments, 0), 0, Access::Read)?;
    Ok(Some(match it.state.memory.get(spot.object).map(|it| it.size) {
        Some(Size::Known(size)) => Val::Int(size),
        Some(Size::Symbolic { term, .. }) => it.of_term(term),
        None => Val::Int(0),
    }))
}

/// `int klee_get_errno(void)`
pub(crate) fn get_errno(it: &mut Machine<'_, '_>, _: &Call, _: &[Val]) -> Done {
    let errno = it.program.library.errno;
    let errno = Val::Int(it.thread_local(errno));
    Ok(Some(it.load_scalar(&errno, 4, 32)?))
}

/// `void klee_set_forking(unsigned enable)`: every side is explored all the same, which is no less.
pub(crate) fn set_forking(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    if it.argument(arguments, 0) == Val::Int(0) {
        it.note("forking", "klee_set_forking(0) is not obeyed: every side is explored", false);
    }
    Ok(None)
}

/// `__VERIFIER_assert(int condition)`
pub(crate) fn assert(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    require_assertion(it, call, arguments, "an assertion fails".to_owned())
}

/// `__CPROVER_assert(_Bool condition, const char *text)`, `__ESBMC_assert`
pub(crate) fn assert_with_text(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    let text = name_argument(it, arguments, 1)?;
    require_assertion(it, call, arguments, format!("the assertion `{text}` fails"))
}

fn require_assertion(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val], message: String) -> Done {
    let cond = condition(it, call, arguments);
    it.require_defined(cond, "an assertion")?;
    it.require(cond, ASSERTION_FAILED, || message)?;
    Ok(None)
}

/// `__VERIFIER_error()`, `reach_error()`
pub(crate) fn verifier_error(it: &mut Machine<'_, '_>, _: &Call, _: &[Val]) -> Done {
    Err(it.violation(ASSERTION_FAILED, "the place of an error is reached".to_owned()))
}

/// Whether argument 0 is not zero.
fn condition(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> effigy_term::Term {
    let value = it.argument(arguments, 0);
    let width = width_of(call, 0);
    if width == Width::W1 {
        return it.truth(&value);
    }
    if it.is_integer(&value) {
        let zero = Val::Int(0);
        if let Ok(cond) = it.ideal_comparison(IntPredicate::Ne, &value, &zero) {
            return it.truth(&cond);
        }
    }
    let term = it.term(&value, width);
    it.ctx.terms.ne(term, it.ctx.terms.bv(effigy_term::BvValue::zero(width)))
}

/// `effigy_assert_failed(text, file, line)`: what the macro `effigy_assert` calls.
pub(crate) fn assert_failed(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let text = name_argument(it, arguments, 0)?;
    Err(it.violation(ASSERTION_FAILED, format!("the assertion `{text}` fails")))
}

/// `unsigned klee_is_symbolic(uintptr_t)`
pub(crate) fn is_symbolic(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let symbolic = matches!(it.argument(arguments, 0), Val::Term(_));
    Ok(Some(Val::Int(u64::from(symbolic))))
}

/// `klee_silent_exit(int)`
pub(crate) fn silent_exit(_: &mut Machine<'_, '_>, _: &Call, _: &[Val]) -> Done {
    Err(Step::Exit(Outcome::Silent))
}

/// `klee_report_error(file, line, message, suffix)`
pub(crate) fn report_error(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let message = name_argument(it, arguments, 2)?;
    // What `klee_assert` reports has this suffix.
    let kind = if name_argument(it, arguments, 3)? == "assert.err" { ASSERTION_FAILED } else { REPORTED };
    Err(it.violation(kind, message))
}

/// `klee_abort()`
pub(crate) fn abort(it: &mut Machine<'_, '_>, _: &Call, _: &[Val]) -> Done {
    Err(it.violation(ABORT, "klee_abort is called".to_owned()))
}

/// `klee_warning(message)`
pub(crate) fn warning(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let message = name_argument(it, arguments, 0)?;
    it.note("warning", &message, false);
    Ok(None)
}

/// What has no meaning here.
pub(crate) fn nothing(_: &mut Machine<'_, '_>, call: &Call, _: &[Val]) -> Done {
    Ok(call.result.as_ref().map(|_| Val::Int(0)))
}

/// `klee_open_merge()`
pub(crate) fn open_merge(it: &mut Machine<'_, '_>, _: &Call, _: &[Val]) -> Done {
    it.open_mark();
    Ok(None)
}

/// `klee_close_merge()`
pub(crate) fn close_merge(it: &mut Machine<'_, '_>, _: &Call, _: &[Val]) -> Done {
    it.close_mark();
    Ok(None)
}

/// `klee_check_memory_access(address, size)`
pub(crate) fn check_memory_access(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let size = it.size_argument(arguments, 1)?;
    let ptr = it.argument(arguments, 0);
    it.resolve(&ptr, size, Access::Read)?;
    Ok(None)
}

/// `klee_get_value_i32(expression)`: one of its values, each on a path of its own.
pub(crate) fn get_value(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    let value = it.argument(arguments, 0);
    let term = it.term(&value, width_of(call, 0));
    let bits = it.choose_value(term)?;
    Ok(Some(Val::Int(bits)))
}

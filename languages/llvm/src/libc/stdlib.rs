//! `stdlib.h` without memory, `assert.h`, `errno.h`.
//!
//! Knows: numbers from text, ends of the program.

use super::{result_width, width_of};
use crate::checks::{ASSERTION_FAILED, SIGNED_OVERFLOW};
use crate::code::Call;
use crate::machine::{Flow, Machine};
use crate::step::access::Access;
use crate::value::Val;
use effigy_term::{BvValue, Term, Width};

type Done = Flow<Option<Val>>;

/// A function that does nothing and returns 0.
pub(crate) fn zero(_: &mut Machine<'_, '_>, call: &Call, _: &[Val]) -> Done {
    Ok(call.result.as_ref().map(|_| Val::Int(0)))
}

/// A function that does nothing.
pub(crate) fn nothing(_: &mut Machine<'_, '_>, _: &Call, _: &[Val]) -> Done {
    Ok(None)
}

/// `int abs(int x)`; undefined for the smallest value.
pub(crate) fn abs(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    let width = width_of(call, 0);
    let value = it.argument(arguments, 0);
    let x = it.term(&value, width);
    let terms = it.ctx.terms;
    if it.on(SIGNED_OVERFLOW) {
        let fits = terms.ne(x, terms.bv(BvValue::min_signed(width)));
        it.require(fits, SIGNED_OVERFLOW, || "abs of the smallest value does not fit".to_owned())?;
    }
    let negative = terms.bv_slt(x, terms.bv(BvValue::zero(width)));
    let res = terms.ite(negative, terms.bv_neg(x), x);
    Ok(Some(it.of_term(res)))
}

/// `int atoi(const char *s)`
pub(crate) fn atoi(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    atol(it, call, arguments)
}

/// `long atol(const char *s)`
pub(crate) fn atol(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    let (value, _) = number(it, &it.argument(arguments, 0), 10, true)?;
    let res = it.ctx.terms.bv_truncate(result_width(call), value);
    Ok(Some(it.of_term(res)))
}

/// `long strtol(const char *s, char **end, int base)`
pub(crate) fn strtol(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    convert(it, call, arguments, true)
}

/// `unsigned long strtoul(const char *s, char **end, int base)`
pub(crate) fn strtoul(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    convert(it, call, arguments, false)
}

fn convert(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val], signed: bool) -> Done {
    let base = it.size_argument(arguments, 2)?;
    let s = it.argument(arguments, 0);
    let (value, end) = number(it, &s, base, signed)?;
    let at = it.argument(arguments, 1);
    if at != Val::Int(0) {
        let spot = it.resolve(&at, 8, Access::Write)?;
        let end = it.add_distance(&s, end);
        it.write(spot, &end, 8, 64);
    }
    let res = it.ctx.terms.bv_truncate(result_width(call), value);
    Ok(Some(it.of_term(res)))
}

/// The number at the start of a string, saturated to 64 bits, and where it ends. Forks at each character.
fn number(it: &mut Machine<'_, '_>, s: &Val, base: u64, signed: bool) -> Flow<(Term, u64)> {
    let terms = it.ctx.terms;
    let byte = |it: &mut Machine<'_, '_>, at: u64| -> Flow<Term> {
        let value = it.byte_at(s, at)?;
        let term = it.term(&value, Width::W8);
        it.require_defined(term, "a character of a number")?;
        Ok(term)
    };
    let is = |term: Term, c: u8| terms.eq(term, terms.bv_u64(Width::W8, u64::from(c)));
    let within = |term: Term, low: u8, high: u8| {
        let shifted = terms.bv_sub(term, terms.bv_u64(Width::W8, u64::from(low)));
        terms.bv_ule(shifted, terms.bv_u64(Width::W8, u64::from(high - low)))
    };
    let mut at = 0;
    loop {
        let c = byte(it, at)?;
        if !it.decide_term(terms.or(is(c, b' '), within(c, 9, 13)))? {
            break;
        }
        at += 1;
    }
    let mut negative = false;
    let c = byte(it, at)?;
    if it.decide_term(is(c, b'-'))? {
        negative = true;
        at += 1;
    } else if it.decide_term(is(c, b'+'))? {
        at += 1;
    }
    let mut base = base;
    if base == 0 || base == 16 {
        let c = byte(it, at)?;
        if it.decide_term(is(c, b'0'))? {
            let x = byte(it, at + 1)?;
            if it.decide_term(terms.or(is(x, b'x'), is(x, b'X')))? {
                let digit = byte(it, at + 2)?;
                let hex =
                    terms.or_all([within(digit, b'0', b'9'), within(digit, b'a', b'f'), within(digit, b'A', b'F')]);
                if it.decide_term(hex)? {
                    base = 16;
                    at += 2;
                }
            }
            if base == 0 {
                base = 8;
            }
        }
        if base == 0 {
            base = 10;
        }
    }
    if !(2..=36).contains(&base) {
        return Err(it.unsupported("strtol with a base outside of 2 to 36"));
    }
    // 128 bits hold a saturated 64-bit number times 36.
    let wide = Width::of(128);
    let limit = terms.bv_u64(
        wide,
        if signed && !negative {
            i64::MAX as u64
        } else if signed {
            1 << 63
        } else {
            u64::MAX
        },
    );
    let mut value = terms.bv_u64(wide, 0);
    let start = at;
    loop {
        let c = byte(it, at)?;
        let digit = within(c, b'0', b'0' + (base.min(10) - 1) as u8);
        let zero = |low: u8, add: u64| terms.bv_add(terms.bv_u64(Width::W8, add.wrapping_sub(u64::from(low))), c);
        let mut amount = None;
        if it.decide_term(digit)? {
            amount = Some(zero(b'0', 0));
        } else if base > 10 {
            let last = (base - 11) as u8;
            if it.decide_term(within(c, b'a', b'a' + last))? {
                amount = Some(zero(b'a', 10));
            } else if it.decide_term(within(c, b'A', b'A' + last))? {
                amount = Some(zero(b'A', 10));
            }
        }
        let Some(amount) = amount else { break };
        let next = terms.bv_add(terms.bv_mul(value, terms.bv_u64(wide, base)), terms.bv_zero_extend(wide, amount));
        value = terms.ite(terms.bv_ule(next, limit), next, limit);
        at += 1;
    }
    let value = terms.bv_truncate(Width::W64, value);
    let value = if negative { terms.bv_neg(value) } else { value };
    Ok((value, if at == start { 0 } else { at }))
}

/// `double strtod(const char *s, char **end)`: a symbolic character of the number is asked for by value.
pub(crate) fn strtod(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    let s = it.argument(arguments, 0);
    let mut text = String::new();
    let mut spaces = 0;
    // The longest prefix that is a number; 400 characters are beyond what changes a double.
    for at in 0..400 {
        let byte = it.byte_at(&s, at)?;
        let term = it.term(&byte, Width::W8);
        it.require_defined(term, "a character of a number")?;
        let terms = it.ctx.terms;
        let one_of =
            |set: &[u8]| terms.or_all(set.iter().map(|&c| terms.eq(term, terms.bv_u64(Width::W8, u64::from(c)))));
        let expected: &[u8] = if text.is_empty() { b"+-.0123456789 \t\n\x0b\x0c\r" } else { b"+-.0123456789eE" };
        let special = one_of(b"xXiInN");
        if it.decide_term(special)? {
            return Err(it.unsupported("strtod of hexadecimal, infinite or NaN text"));
        }
        let part = one_of(expected);
        if !it.decide_term(part)? {
            break;
        }
        let c = it.choose_value(term)? as u8;
        if text.is_empty() && c.is_ascii_whitespace() {
            spaces += 1;
        } else {
            text.push(c as char);
        }
    }
    let length = (1..=text.len()).rev().find(|&it| is_number(&text[..it])).unwrap_or(0);
    let value: f64 = text[..length].parse().unwrap_or(0.0);
    let at = it.argument(arguments, 1);
    if at != Val::Int(0) {
        let spot = it.resolve(&at, 8, Access::Write)?;
        let end = it.add_distance(&s, if length == 0 { 0 } else { spaces + length as u64 });
        it.write(spot, &end, 8, 64);
    }
    Ok(Some(Val::Int(match result_width(call).bits() {
        32 => u64::from((value as f32).to_bits()),
        _ => value.to_bits(),
    })))
}

/// Whether a text is a decimal number as a whole.
fn is_number(text: &str) -> bool {
    let digits = text.trim_start_matches(['+', '-']);
    text.len() - digits.len() <= 1
        && digits.starts_with(|c: char| c.is_ascii_digit() || c == '.')
        && text.parse::<f64>().is_ok()
}

/// `__assert_fail(text, file, line, function)`: what `assert` calls.
pub(crate) fn assert_fail(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let text = it.argument(arguments, 0);
    let text = it.text(&text)?;
    let message = format!("the assertion `{}` fails", String::from_utf8_lossy(&text));
    Err(it.violation(ASSERTION_FAILED, message))
}

/// `int *__errno_location(void)`
pub(crate) fn errno_location(it: &mut Machine<'_, '_>, _: &Call, _: &[Val]) -> Done {
    Ok(Some(Val::Int(it.program.library.errno)))
}

/// `int rand(void)`: any number that `rand` may return.
pub(crate) fn rand(it: &mut Machine<'_, '_>, _: &Call, _: &[Val]) -> Done {
    it.note("random", "rand returns any number from 0 to RAND_MAX", false);
    let name = format!("rand#{}", it.state.random);
    it.state.random += 1;
    let term = it.ctx.input(&name, effigy_term::Sort::BitVec(Width::of(31)), effigy_term::SymbolKind::Fresh);
    let term = it.ctx.terms.bv_zero_extend(Width::W32, term);
    Ok(Some(it.of_term(term)))
}

/// `void srand(unsigned seed)`
pub(crate) fn srand(_: &mut Machine<'_, '_>, _: &Call, _: &[Val]) -> Done {
    Ok(None)
}

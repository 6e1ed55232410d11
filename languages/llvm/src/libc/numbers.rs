//! Numbers from text: `strtol`, `strtod` and their kin.
//!
//! Knows: strtol(3), strtoul(3), strtod(3) as glibc has them, with `errno`. Forks at each symbolic character.
//! Never: how a decimal number becomes a `double` (Rust's own reader rounds as IEEE 754 wants).

use super::result_width;
use crate::code::Call;
use crate::machine::{Flow, Machine};
use crate::memory::ObjectId;
use crate::step::access::{Access, Offset, Spot};
use crate::value::Val;
use effigy_term::{Term, Width};

type Done = Flow<Option<Val>>;

const EINVAL: u64 = 22;
const ERANGE: u64 = 34;

/// Longer numbers are not read.
const MOST_TEXT: u64 = 4096;

impl Machine<'_, '_> {
    /// Sets `errno` where `cond` holds.
    pub(super) fn set_errno(&mut self, cond: Term, value: u64) {
        let terms = self.ctx.terms;
        if terms.as_bool(cond) == Some(false) {
            return;
        }
        let (object, _) = ObjectId::of_address(self.thread_local(self.program.library.errno));
        let spot = Spot { object, offset: Offset::Known(0) };
        let value = terms.bv_u64(Width::W32, value);
        let value = match terms.as_bool(cond) {
            Some(_) => value,
            None => {
                let old = self.read(spot, 4, 32);
                let old = self.term(&old, Width::W32);
                self.ctx.terms.ite(cond, value, old)
            }
        };
        let value = self.of_term(value);
        self.write(spot, &value, 4, 32);
    }
}

/// `int atoi(const char *s)`, `long atol(const char *s)`
pub(crate) fn atol(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    let number = integer(it, &it.argument(arguments, 0), 10, true)?;
    it.set_errno(number.too_large, ERANGE);
    let res = it.ctx.terms.bv_truncate(result_width(call), number.value);
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
    if base == 1 || base > 36 {
        let always = it.ctx.terms.bool(true);
        it.set_errno(always, EINVAL);
        return Ok(Some(Val::Int(0)));
    }
    let s = it.argument(arguments, 0);
    let number = integer(it, &s, base, signed)?;
    store_end(it, arguments, &s, number.end)?;
    it.set_errno(number.too_large, ERANGE);
    let res = it.ctx.terms.bv_truncate(result_width(call), number.value);
    Ok(Some(it.of_term(res)))
}

/// Where the number ends, for those who want to know.
fn store_end(it: &mut Machine<'_, '_>, arguments: &[Val], s: &Val, end: u64) -> Flow<()> {
    let at = it.argument(arguments, 1);
    if at != Val::Int(0) {
        let spot = it.resolve(&at, 8, Access::Write)?;
        let end = it.add_distance(s, end);
        it.write(spot, &end, 8, 64);
    }
    Ok(())
}

/// What was read.
struct Integer {
    /// 64 bits, saturated.
    value: Term,
    /// Where it ends; 0 if there is none.
    end: u64,
    /// It does not fit.
    too_large: Term,
}

/// The integer at the start of a string.
fn integer(it: &mut Machine<'_, '_>, s: &Val, base: u64, signed: bool) -> Flow<Integer> {
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
    // 128 bits hold a saturated 64-bit number times 36.
    let wide = Width::of(128);
    let limit = match (signed, negative) {
        (true, false) => i64::MAX as u64,
        (true, true) => 1 << 63,
        (false, _) => u64::MAX,
    };
    let limit = terms.bv_u64(wide, limit);
    let mut value = terms.bv_u64(wide, 0);
    let mut too_large = terms.bool(false);
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
        let fits = terms.bv_ule(next, limit);
        value = terms.ite(fits, next, limit);
        too_large = terms.or(too_large, terms.not(fits));
        at += 1;
    }
    let value = terms.bv_truncate(Width::W64, value);
    let value = match (negative, signed) {
        (false, _) => value,
        (true, true) => terms.bv_neg(value),
        // What does not fit is not negated.
        (true, false) => terms.ite(too_large, value, terms.bv_neg(value)),
    };
    Ok(Integer { value, end: if at == start { 0 } else { at }, too_large })
}

/// `double atof(const char *s)`
pub(crate) fn atof(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    strtod(it, call, &[it.argument(arguments, 0), Val::Int(0)])
}

/// `double strtod(const char *s, char **end)`, `strtof`: a symbolic character of the number is asked for by value.
pub(crate) fn strtod(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    let s = it.argument(arguments, 0);
    let single = result_width(call).bits() == 32;
    let mut text = String::new();
    let mut spaces = 0;
    for at in 0.. {
        if at > MOST_TEXT {
            return Err(it.unsupported("a floating-point number of more than 4096 characters"));
        }
        let goes_on = |c: u8| {
            let mut longer = text.clone();
            longer.push(c as char);
            c.is_ascii() && begins_number(&longer)
        };
        let is_space = |c: u8| text.is_empty() && matches!(c, b' ' | 9..=13);
        let c = match it.byte_at(&s, at)? {
            Val::Int(bits) if is_space(bits as u8) || goes_on(bits as u8) => bits as u8,
            Val::Int(_) => break,
            other => {
                let term = it.term(&other, Width::W8);
                it.require_defined(term, "a character of a number")?;
                let terms = it.ctx.terms;
                let wanted = (1..128u8).filter(|&c| is_space(c) || goes_on(c));
                let part = wanted.map(|c| terms.eq(term, terms.bv_u64(Width::W8, u64::from(c))));
                let part = terms.or_all(part.collect::<Vec<_>>());
                if !it.decide_term(part)? {
                    break;
                }
                it.choose_value(term)? as u8
            }
        };
        if is_space(c) {
            spaces += 1;
        } else {
            text.push(c as char);
        }
    }
    let found = (1..=text.len()).rev().find_map(|length| Some((length, float(&text[..length], single)?)));
    let (length, (value, too_large)) = found.unwrap_or((0, (0.0, false)));
    store_end(it, arguments, &s, if length == 0 { 0 } else { spaces + length as u64 })?;
    let too_large = it.ctx.terms.bool(too_large);
    it.set_errno(too_large, ERANGE);
    Ok(Some(Val::Int(if single { u64::from((value as f32).to_bits()) } else { value.to_bits() })))
}

/// Whether a text, perhaps with more behind it, is a floating-point number.
fn begins_number(text: &str) -> bool {
    let text = text.strip_prefix(['+', '-']).unwrap_or(text).to_ascii_lowercase();
    let payload = text.strip_prefix("nan(").is_some_and(|it| {
        let inner = it.strip_suffix(')').unwrap_or(it);
        inner.chars().all(|it| it.is_ascii_alphanumeric() || it == '_')
    });
    payload
        || "infinity".starts_with(&text)
        || "nan(".starts_with(&text)
        || "0x".starts_with(&text)
        || text.strip_prefix("0x").is_some_and(|it| Digits::of(it, 16).is_some())
        || Digits::of(&text, 10).is_some()
}

/// A number's parts in lower case, each perhaps unfinished.
struct Digits<'a> {
    whole: &'a str,
    fraction: &'a str,
    /// With its sign.
    exponent: Option<&'a str>,
}

impl<'a> Digits<'a> {
    fn of(text: &'a str, base: u32) -> Option<Digits<'a>> {
        let (mantissa, exponent) = match text.split_once(if base == 16 { 'p' } else { 'e' }) {
            Some((mantissa, exponent)) => (mantissa, Some(exponent)),
            None => (text, None),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let res = Digits { whole, fraction, exponent };
        let digits = whole.chars().chain(fraction.chars()).all(|it| it.is_digit(base));
        let exponent = exponent.is_none_or(|it| {
            let number = it.strip_prefix(['+', '-']).unwrap_or(it);
            number.chars().all(|it| it.is_ascii_digit()) && res.has_digits()
        });
        (digits && exponent).then_some(res)
    }

    fn has_digits(&self) -> bool {
        !self.whole.is_empty() || !self.fraction.is_empty()
    }

    fn is_finished(&self) -> bool {
        self.has_digits() && self.exponent.is_none_or(|it| it.ends_with(|it: char| it.is_ascii_digit()))
    }

    fn is_zero(&self) -> bool {
        self.whole.chars().chain(self.fraction.chars()).all(|it| it == '0')
    }
}

/// The value of a text that is a number as a whole, and whether it is out of range.
fn float(text: &str, single: bool) -> Option<(f64, bool)> {
    let negative = text.starts_with('-');
    let text = text.strip_prefix(['+', '-']).unwrap_or(text).to_ascii_lowercase();
    let (value, out_of_range) = if text == "inf" || text == "infinity" {
        (f64::INFINITY, false)
    } else if text == "nan" || (text.starts_with("nan(") && text.ends_with(')')) {
        (f64::NAN, false)
    } else if let Some(text) = text.strip_prefix("0x") {
        hexadecimal(&Digits::of(text, 16).filter(Digits::is_finished)?, single)
    } else {
        let digits = Digits::of(&text, 10).filter(Digits::is_finished)?;
        let (value, least) = match single {
            true => (f64::from(text.parse::<f32>().ok()?), f64::from(f32::MIN_POSITIVE)),
            false => (text.parse().ok()?, f64::MIN_POSITIVE),
        };
        (value, value.is_infinite() || (value < least && !digits.is_zero()))
    };
    Some((if negative { -value } else { value }, out_of_range))
}

/// The nearest number, ties to even, and whether it is out of range.
fn hexadecimal(digits: &Digits<'_>, single: bool) -> (f64, bool) {
    let (precision, least) = if single { (24, -126) } else { (53, -1022) };
    let (mut mantissa, mut exponent, mut more) = (0u128, 0i64, false);
    for (at, digit) in digits.whole.chars().chain(digits.fraction.chars()).enumerate() {
        let digit = u128::from(digit.to_digit(16).unwrap_or(0));
        if mantissa >> 120 == 0 {
            mantissa = mantissa * 16 + digit;
        } else {
            exponent += 4;
            more |= digit != 0;
        }
        exponent -= if at >= digits.whole.len() { 4 } else { 0 };
    }
    if mantissa == 0 {
        return (0.0, false);
    }
    let given = digits.exponent.unwrap_or("0");
    let limit = if given.starts_with('-') { -100_000 } else { 100_000 };
    exponent += given.parse().unwrap_or(limit).clamp(-100_000, 100_000);
    let length = 128 - i64::from(mantissa.leading_zeros());
    let room = precision - (least - (exponent + length - 1)).max(0);
    let dropped = length - room;
    let mut inexact = more;
    if dropped > 127 {
        return (0.0, true);
    }
    if dropped > 0 {
        let rest = mantissa & ((1 << dropped) - 1);
        let half = 1u128 << (dropped - 1);
        mantissa >>= dropped;
        exponent += dropped;
        inexact |= rest != 0;
        if rest > half || (rest == half && (more || mantissa & 1 == 1)) {
            mantissa += 1;
        }
    }
    // Exact: what does not fit was rounded away before. Two steps, as 2 to the exponent alone may not be a number.
    let first = exponent.clamp(-1000, 1000);
    let value = mantissa as f64 * 2f64.powi(first as i32) * 2f64.powi((exponent - first).clamp(-1000, 1000) as i32);
    let value = if single && value > f64::from(f32::MAX) { f64::INFINITY } else { value };
    let tiny = value < if single { f64::from(f32::MIN_POSITIVE) } else { f64::MIN_POSITIVE };
    (value, value.is_infinite() || (tiny && inexact))
}

#[cfg(test)]
mod tests;

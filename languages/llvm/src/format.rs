//! How `printf` writes a number.
//!
//! Knows: printf(3)'s flags, width, precision and conversions, of known numbers and of terms.
//! Never: where a format comes from, what is written to.

use crate::value::{Val, signed, truncate};
use effigy_term::{Term, Terms, Width};

/// How one argument of `printf` is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Conversion {
    pub(crate) left: bool,
    pub(crate) plus: bool,
    pub(crate) space: bool,
    pub(crate) alternative: bool,
    pub(crate) zero: bool,
    pub(crate) width: usize,
    pub(crate) precision: Option<usize>,
    /// Bits of the argument that count.
    pub(crate) bits: u32,
    pub(crate) kind: u8,
}

impl Conversion {
    /// One character.
    pub(crate) const CHARACTER: Conversion = Conversion {
        left: false,
        plus: false,
        space: false,
        alternative: false,
        zero: false,
        width: 0,
        precision: None,
        bits: 32,
        kind: b'c',
    };

    fn is_signed(&self) -> bool {
        matches!(self.kind, b'd' | b'i')
    }

    fn base(&self) -> u64 {
        match self.kind {
            b'd' | b'i' | b'u' => 10,
            b'o' => 8,
            _ => 16,
        }
    }
}

/// Writes a number that is not floating, of which these are the bits.
pub(crate) fn write_number(format: &Conversion, bits: u64, into: &mut Vec<u8>) {
    if format.kind == b'c' {
        return pad(format, b"", &[bits as u8], false, into);
    }
    let value = truncate(bits, format.bits);
    let (sign, digits): (&[u8], String) = match format.kind {
        b'd' | b'i' => {
            let number = signed(value, format.bits);
            let sign: &[u8] = match () {
                () if number < 0 => b"-",
                () if format.plus => b"+",
                () if format.space => b" ",
                () => b"",
            };
            (sign, number.unsigned_abs().to_string())
        }
        b'u' => (b"", value.to_string()),
        b'o' => (b"", format!("{value:o}")),
        b'X' => (if format.alternative && value != 0 { b"0X" } else { b"" }, format!("{value:X}")),
        b'p' if value == 0 => return pad(format, b"", b"(nil)", false, into),
        b'p' => (b"0x", format!("{value:x}")),
        _ => (if format.alternative && value != 0 { b"0x" } else { b"" }, format!("{value:x}")),
    };
    let mut digits = match format.precision {
        Some(0) if value == 0 => String::new(),
        Some(least) => format!("{}{digits}", "0".repeat(least.saturating_sub(digits.len()))),
        None => digits,
    };
    // The precision is raised until the first digit is 0.
    if format.kind == b'o' && format.alternative && !digits.starts_with('0') {
        digits.insert(0, '0');
    }
    pad(format, sign, digits.as_bytes(), format.zero && format.precision.is_none(), into);
}

/// Writes digits with their sign to the width of the format.
pub(crate) fn pad(format: &Conversion, sign: &[u8], text: &[u8], zeros: bool, into: &mut Vec<u8>) {
    let missing = format.width.saturating_sub(sign.len() + text.len());
    let fill = |byte: u8| std::iter::repeat_n(byte, missing);
    if !format.left && !zeros {
        into.extend(fill(b' '));
    }
    into.extend_from_slice(sign);
    if !format.left && zeros {
        into.extend(fill(b'0'));
    }
    into.extend_from_slice(text);
    if format.left {
        into.extend(fill(b' '));
    }
}

/// Numbers that are written with the same sign and as many digits each: those from `low` up to the next range's, as
/// unsigned bits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Range {
    pub(crate) low: u64,
    /// How the lowest of them is written.
    pub(crate) text: Vec<u8>,
}

/// All ranges of a conversion of an integer, from the lowest bits to the highest.
pub(crate) fn ranges(format: &Conversion) -> Vec<Range> {
    let most = truncate(u64::MAX, format.bits);
    let half = most / 2;
    let powers = || {
        let base = format.base();
        std::iter::successors(Some(1u64), move |it| it.checked_mul(base))
    };
    let mut lows = vec![0];
    let last = if format.is_signed() { half } else { most };
    lows.extend(powers().take_while(|it| *it <= last));
    if format.is_signed() {
        // -1 to -9, -10 to -99, ..., the most negative number's range first.
        let mut negative = vec![half + 1];
        negative.extend(powers().skip(1).filter(|it| *it <= half + 1).map(|it| most - (it - 1) + 1));
        negative.sort_unstable();
        negative.dedup();
        lows.extend(negative);
    }
    if format.kind == b'c' {
        lows.truncate(1);
    }
    let mut res: Vec<Range> = Vec::new();
    for low in lows {
        let mut text = Vec::new();
        write_number(format, low, &mut text);
        // 0 is written as the other numbers of one digit are, unless a flag says otherwise.
        let like_zero = low == 1 && res.first().is_some_and(|it| it.text.len() == text.len()) && format.kind != b'p';
        if !(like_zero
            && format.precision != Some(0)
            && !(format.alternative && format.kind != b'u' && !format.is_signed()))
        {
            res.push(Range { low, text });
        }
    }
    res
}

/// The argument as it counts: of the conversion's bits.
pub(crate) fn counted(terms: &Terms, format: &Conversion, term: Term) -> Term {
    let width = Width::of(format.bits);
    match terms.width(term).bits() < format.bits {
        true => terms.bv_zero_extend(width, term),
        false => terms.bv_truncate(width, term),
    }
}

/// How many characters a symbolic number is written with, as 64 bits.
pub(crate) fn length(terms: &Terms, format: &Conversion, term: Term) -> Term {
    let value = counted(terms, format, term);
    let width = Width::of(format.bits);
    let ranges = ranges(format);
    let of = |range: &Range| terms.bv_u64(Width::W64, range.text.len() as u64);
    let Some(last) = ranges.last() else { return terms.bv_u64(Width::W64, 0) };
    let pairs = ranges.iter().zip(ranges.iter().skip(1)).rev();
    pairs.fold(of(last), |rest, (range, next)| {
        terms.ite(terms.bv_ult(value, terms.bv_u64(width, next.low)), of(range), rest)
    })
}

/// The characters of a number that lies in a range; `last` is the range's highest number.
pub(crate) fn characters(terms: &Terms, format: &Conversion, range: &Range, last: u64, term: Term) -> Vec<Val> {
    let mut res: Vec<Val> = range.text.iter().map(|&it| Val::Int(u64::from(it))).collect();
    let value = counted(terms, format, term);
    if format.kind == b'c' {
        let at = if format.left { 0 } else { res.len() - 1 };
        res[at] = Val::of_term(terms, terms.bv_truncate(Width::W8, value));
        return res;
    }
    if range.low == last {
        return res;
    }
    let negative = format.is_signed() && range.low > truncate(u64::MAX, format.bits) / 2;
    let magnitude = if negative { terms.bv_neg(value) } else { value };
    let base = format.base();
    let largest = match negative {
        true => signed(range.low, format.bits).unsigned_abs(),
        false => last,
    };
    let count = std::iter::successors(Some(largest / base), |it| Some(it / base)).take_while(|it| *it > 0).count() + 1;
    // All of them fit in fewer bits, where they are divided more easily; but the base has to fit as well.
    let bits = (64 - largest.leading_zeros()).max(8).min(format.bits);
    let width = Width::of(bits);
    let magnitude = terms.bv_truncate(width, magnitude);
    let end = res.iter().rposition(|it| *it != Val::Int(u64::from(b' '))).map_or(0, |it| it + 1);
    let mut scale = 1u64;
    for index in 0..count {
        let shifted = terms.bv_udiv(magnitude, terms.bv_u64(width, scale));
        let digit = terms.bv_truncate(Width::W8, terms.bv_urem(shifted, terms.bv_u64(width, base)));
        let byte = |it: u8| terms.bv_u64(Width::W8, u64::from(it));
        let letter = if format.kind == b'X' { b'A' } else { b'a' } - 10;
        let decimal = terms.bv_add(digit, byte(b'0'));
        let character = match base {
            16 => terms.ite(terms.bv_ult(digit, byte(10)), decimal, terms.bv_add(digit, byte(letter))),
            _ => decimal,
        };
        if let Some(at) = (end).checked_sub(index + 1) {
            res[at] = Val::of_term(terms, character);
        }
        scale = scale.saturating_mul(base);
    }
    res
}

/// How a floating-point number is written; `None` for a format of integers.
pub(crate) fn write_float(format: &Conversion, value: f64, into: &mut Vec<u8>) -> Option<()> {
    let sign: &[u8] = match () {
        () if value.is_sign_negative() => b"-",
        () if format.plus => b"+",
        () if format.space => b" ",
        () => b"",
    };
    let value = value.abs();
    let text = if value.is_finite() {
        finite_text(format, value)?
    } else {
        finite_text(format, 0.0)?;
        if value.is_nan() { "nan" } else { "inf" }.to_owned()
    };
    let text = if format.kind.is_ascii_uppercase() { text.to_uppercase() } else { text };
    pad(format, sign, text.as_bytes(), format.zero && value.is_finite(), into);
    Some(())
}

/// The digits of a number that is not negative.
fn finite_text(format: &Conversion, value: f64) -> Option<String> {
    let precision = format.precision.unwrap_or(6);
    // The flag `#` keeps the point where no digit follows it.
    let point = if format.alternative { "." } else { "" };
    let exponential = |precision: usize| {
        let text = format!("{value:.precision$e}");
        let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let exponent: i32 = exponent.parse().unwrap_or(0);
        let mark = if exponent < 0 { '-' } else { '+' };
        (digits.to_owned(), exponent, format!("e{mark}{:02}", exponent.abs()))
    };
    let pointed = |digits: String| if digits.contains('.') { digits } else { format!("{digits}{point}") };
    Some(match format.kind {
        b'f' | b'F' => pointed(format!("{value:.precision$}")),
        b'e' | b'E' => {
            let (digits, _, tail) = exponential(precision);
            pointed(digits) + &tail
        }
        b'g' | b'G' => {
            let precision = precision.max(1);
            let (digits, exponent, tail) = exponential(precision - 1);
            let strip = |it: String| match it.contains('.') && !format.alternative {
                true => it.trim_end_matches('0').trim_end_matches('.').to_owned(),
                false => pointed(it),
            };
            if exponent < -4 || exponent >= precision as i32 {
                strip(digits) + &tail
            } else {
                strip(format!("{value:.*}", (precision as i32 - 1 - exponent).max(0) as usize))
            }
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests;

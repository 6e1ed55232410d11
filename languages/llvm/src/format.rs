//! How `printf` writes a number.
//!
//! Knows: printf(3)'s flags, width, precision and conversions. Never: where a format comes from, what is written to.

use crate::value::{signed, truncate};

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
        b'o' => (if format.alternative { b"0" } else { b"" }, format!("{value:o}")),
        b'X' => (if format.alternative && value != 0 { b"0X" } else { b"" }, format!("{value:X}")),
        b'p' if value == 0 => return pad(format, b"", b"(nil)", false, into),
        b'p' => (b"0x", format!("{value:x}")),
        _ => (if format.alternative && value != 0 { b"0x" } else { b"" }, format!("{value:x}")),
    };
    let digits = match format.precision {
        Some(0) if value == 0 => String::new(),
        Some(least) => format!("{}{digits}", "0".repeat(least.saturating_sub(digits.len()))),
        None => digits,
    };
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

/// The sign and the digits of a floating-point number; `None` for a format of integers.
pub(crate) fn float_text(format: &Conversion, value: f64) -> Option<(Vec<u8>, String)> {
    let sign = if value.is_sign_negative() {
        b"-".to_vec()
    } else if format.plus {
        b"+".to_vec()
    } else if format.space {
        b" ".to_vec()
    } else {
        Vec::new()
    };
    let value = value.abs();
    if !value.is_finite() {
        return Some((sign, if value.is_nan() { "nan" } else { "inf" }.to_owned()));
    }
    let precision = format.precision.unwrap_or(6);
    let exponential = |precision: usize| {
        let text = format!("{value:.precision$e}");
        let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let exponent: i32 = exponent.parse().unwrap_or(0);
        let mark = if exponent < 0 { '-' } else { '+' };
        (digits.to_owned(), exponent, format!("{digits}e{mark}{:02}", exponent.abs()))
    };
    let text = match format.kind {
        b'f' | b'F' => format!("{value:.precision$}"),
        b'e' | b'E' => exponential(precision).2,
        b'g' | b'G' => {
            let precision = precision.max(1);
            let (digits, exponent, text) = exponential(precision - 1);
            let strip = |it: &str| match it.contains('.') {
                true => it.trim_end_matches('0').trim_end_matches('.').to_owned(),
                false => it.to_owned(),
            };
            if exponent < -4 || exponent >= precision as i32 {
                let mantissa = strip(&digits);
                format!("{mantissa}{}", &text[digits.len()..])
            } else {
                strip(&format!("{value:.*}", (precision as i32 - 1 - exponent).max(0) as usize))
            }
        }
        _ => return None,
    };
    Some((sign, if format.kind.is_ascii_uppercase() { text.to_uppercase() } else { text }))
}

//! Floats as programmers write them.

use super::exact::Number;
use super::format::Format;
use crate::bv::BvValue;
use num_bigint::BigUint;

/// The number as a literal: decimal in the formats that languages print so (`0.1`, `1e16`), hexadecimal in others
/// (`0x1.8p3`), always with what tells it from an integer; `NaN`, `inf`, `-inf`.
pub fn literal(format: Format, bits: &BvValue) -> String {
    let number = match Number::of_bits(format, bits) {
        Number::Nan => return "NaN".to_owned(),
        Number::Infinite(negative) => return if negative { "-inf" } else { "inf" }.to_owned(),
        Number::Finite(it) => it,
    };
    match (format, bits.to_u64()) {
        // The shortest text that is read as this number.
        (Format::SINGLE, Some(bits)) => format!("{:?}", f32::from_bits(bits as u32)),
        (Format::DOUBLE, Some(bits)) => format!("{:?}", f64::from_bits(bits)),
        _ => {
            let sign = if number.negative { "-" } else { "" };
            if number.is_zero() {
                return format!("{sign}0x0p0");
            }
            let after = number.significand.bits() - 1;
            // Whole hexadecimal digits after the point.
            let digits = &number.significand << ((4 - after % 4) % 4);
            let text = digits.to_str_radix(16);
            let (first, rest) = text.split_at(1);
            let rest = rest.trim_end_matches('0');
            let point = if rest.is_empty() { "" } else { "." };
            debug_assert!(first == "1" && digits >= BigUint::from(1u32));
            format!("{sign}0x{first}{point}{rest}p{}", number.exponent + after as i64)
        }
    }
}

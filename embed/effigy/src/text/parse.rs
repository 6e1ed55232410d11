//! Texts that are numbers.
//!
//! Knows: what `str::parse` accepts for integers, and which error it has. Never: other bases.

use super::SymStr;
use crate::scalar::Int;
use crate::sym::Sym;
use std::num::ParseIntError;
use std::str::FromStr;

/// The error that Rust has for this text.
fn error<T: FromStr<Err = ParseIntError>>(text: &str) -> ParseIntError {
    match text.parse::<T>() {
        Err(it) => it,
        Ok(_) => unreachable!("{text} is no number of the type"),
    }
}

/// More digits than any number has.
const LARGE: &str = "9999999999999999999999999999999999999999";
const SMALL: &str = "-9999999999999999999999999999999999999999";

impl SymStr {
    /// The number that it is, as `str::parse`; asks which characters are digits and whether there is such a number.
    ///
    /// # Errors
    /// As `str::parse`.
    #[track_caller]
    pub fn parse<T: Int + FromStr<Err = ParseIntError>>(&self) -> Result<Sym<T>, ParseIntError> {
        let (negative, digits) = match &self.chars[..] {
            [] => return Err(error::<T>("")),
            [only] => (false, std::slice::from_ref(only)),
            [first, rest @ ..] if first.equals('+').holds() => (false, rest),
            [first, rest @ ..] if T::SIGNED && first.equals('-').holds() => (true, rest),
            all => (false, all),
        };
        // As many digits as can be no larger number need not be asked about.
        let fits = digits.len() <= T::BITS as usize / 4 - usize::from(T::SIGNED);
        let ten = Sym::plain(T::of_bits(10));
        let mut res = Sym::plain(T::of_bits(0));
        for it in digits {
            if !it.is_ascii_digit().holds() {
                return Err(error::<T>("x"));
            }
            let digit: Sym<T> = it.code().wrapping_sub(u32::from('0')).cast();
            let next = match (fits, negative) {
                (true, false) => Some(res.wrapping_mul(ten).wrapping_add(digit)),
                (true, true) => Some(res.wrapping_mul(ten).wrapping_sub(digit)),
                (false, false) => res.checked_mul(ten).and_then(|it| it.checked_add(digit)),
                (false, true) => res.checked_mul(ten).and_then(|it| it.checked_sub(digit)),
            };
            res = next.ok_or_else(|| error::<T>(if negative { SMALL } else { LARGE }))?;
        }
        Ok(res)
    }
}

//! Products as circuits: sums of rows, one for each digit of the sparser factor.
//!
//! Knows: digits with signs, squares, how wide a product can be. Never: terms.
//!
//! A number is a sum of digits, each a bit with a weight 2^k or -2^k: of a word in two's complement the last bit counts
//! negative (Baugh, Wooley 1973), and the digits of a constant are those of its non-adjacent form, of which no other
//! form with the digits -1, 0 and 1 has fewer (Reitwiesner 1960). All of it is modulo 2^width.

use super::circuits::{Word, sign_extended, signed_width, unsigned_width, zero_extended};
use super::gates::{Bit, Gates};

/// A bit with its weight: 2^shift, or -2^shift.
#[derive(Clone, Copy)]
struct Digit {
    bit: Bit,
    shift: usize,
    negative: bool,
}

/// The digits of a word that are not constantly zero.
fn digits(a: &[Bit]) -> Vec<Digit> {
    if a.iter().all(|it| it.constant().is_some()) {
        return digits_of_constant(a);
    }
    let digit = |(shift, &bit): (usize, &Bit)| Digit { bit, shift, negative: false };
    let (unsigned, signed) = (unsigned_width(a), signed_width(a));
    let mut res: Vec<Digit> = if unsigned <= signed {
        a[..unsigned].iter().enumerate().map(digit).collect()
    } else {
        a[..signed].iter().enumerate().map(digit).collect()
    };
    if unsigned > signed
        && let Some(sign) = res.last_mut()
    {
        sign.negative = true;
    }
    res.retain(|it| it.bit != Bit::FALSE);
    res
}

/// The non-adjacent form of a constant word, or its bits where they are as few.
fn digits_of_constant(a: &[Bit]) -> Vec<Digit> {
    let ones = a.iter().enumerate().filter(|it| *it.1 == Bit::TRUE);
    let bits: Vec<Digit> = ones.map(|(shift, &bit)| Digit { bit, shift, negative: false }).collect();
    let signed = non_adjacent_form(a);
    if signed.len() < bits.len() { signed } else { bits }
}

fn non_adjacent_form(a: &[Bit]) -> Vec<Digit> {
    let mut res = Vec::new();
    let mut carry = false;
    for (shift, &bit) in a.iter().enumerate() {
        let (value, next) = (bit == Bit::TRUE, a.get(shift + 1) == Some(&Bit::TRUE));
        if value != carry {
            res.push(Digit { bit: Bit::TRUE, shift, negative: next });
            carry = next;
        }
    }
    res
}

impl Gates {
    /// The product `a · b`, modulo 2^width.
    pub(super) fn multiply(&mut self, a: &[Bit], b: &[Bit]) -> Word {
        let (unsigned, signed) = (unsigned_width(a) + unsigned_width(b), signed_width(a) + signed_width(b));
        let without_sign = unsigned <= signed;
        let needed = unsigned.min(signed).min(a.len());
        let product = if a == b {
            self.square(&a[..needed])
        } else {
            let (x, y) = (digits(a), digits(b));
            let (rows, column) = if x.len() <= y.len() { (x, b) } else { (y, a) };
            self.sum_of_rows(&rows, &column[..needed])
        };
        if without_sign { zero_extended(product, a.len()) } else { sign_extended(product, a.len()) }
    }

    /// `sum + factor · a`, modulo 2^width, with a constant factor.
    pub(super) fn add_multiple(&mut self, sum: &[Bit], factor: &[Bit], a: &[Bit]) -> Word {
        digits_of_constant(factor).into_iter().fold(sum.to_vec(), |res, it| self.add_row(&res, it, a))
    }

    fn sum_of_rows(&mut self, rows: &[Digit], column: &[Bit]) -> Word {
        let zero = vec![Bit::FALSE; column.len()];
        let rows = rows.iter().filter(|it| it.shift < column.len());
        rows.fold(zero, |res, &row| self.add_row(&res, row, column))
    }

    /// The word `sum + row · column`, modulo 2^width.
    fn add_row(&mut self, sum: &[Bit], row: Digit, column: &[Bit]) -> Word {
        let (low, high) = sum.split_at(row.shift);
        let part: Word = column[..high.len()].iter().map(|&it| self.and(row.bit, it)).collect();
        let upper = if row.negative { self.subtract(high, &part) } else { self.add_word(high, &part, Bit::FALSE) };
        [low, &upper].concat()
    }

    /// `a · a`, modulo 2^width: each pair of different digits once, in twice its weight.
    fn square(&mut self, a: &[Bit]) -> Word {
        let width = a.len();
        let digits = digits(a);
        let mut res = vec![Bit::FALSE; width];
        for (at, row) in digits.iter().enumerate() {
            // What is added and what is taken away, from the square of the digit up.
            let from = 2 * row.shift;
            if from >= width {
                break;
            }
            let mut parts = [vec![Bit::FALSE; width - from], vec![Bit::FALSE; width - from]];
            parts[0][0] = row.bit;
            for other in &digits[at + 1..] {
                let place = row.shift + other.shift + 1 - from;
                if place < width - from {
                    parts[usize::from(row.negative != other.negative)][place] = self.and(row.bit, other.bit);
                }
            }
            let sum = self.add_word(&res[from..], &parts[0], Bit::FALSE);
            let sum = if unsigned_width(&parts[1]) == 0 { sum } else { self.subtract(&sum, &parts[1]) };
            res.splice(from.., sum);
        }
        res
    }
}

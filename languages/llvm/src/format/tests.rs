//! Symbolic numbers are written as known ones are.

use super::*;
use effigy_term::eval::Evaluator;
use effigy_term::{Model, Value};

fn conversions() -> Vec<Conversion> {
    let mut res = Vec::new();
    for kind in *b"diuoxXpc" {
        for bits in [8, 16, 32, 64] {
            for (flags, width, precision) in [
                (0, 0, None),
                (1, 7, None),
                (2, 7, None),
                (4, 3, Some(0)),
                (8, 0, Some(4)),
                (24, 12, None),
                (6, 0, Some(0)),
            ] {
                let bits = if kind == b'p' { 64 } else { bits };
                res.push(Conversion {
                    left: flags & 1 != 0,
                    plus: flags & 4 != 0,
                    space: flags & 16 != 0,
                    alternative: flags & 8 != 0 || flags & 4 != 0,
                    zero: flags & 2 != 0,
                    width,
                    precision,
                    bits,
                    kind,
                });
            }
        }
    }
    res
}

/// Every range's characters are those of the number, for numbers around every end of a range.
#[test]
fn symbolic_numbers_are_written_as_known_ones() {
    let terms = Terms::new();
    let mut compared = 0;
    for format in conversions() {
        let most = truncate(u64::MAX, format.bits);
        let ranges = ranges(&format);
        let symbol =
            terms.symbol("x", effigy_term::Sort::BitVec(Width::of(format.bits)), effigy_term::SymbolKind::Input);
        let term = terms.of_symbol(symbol);
        let written_length = length(&terms, &format, term);
        for (index, range) in ranges.iter().enumerate() {
            let last = ranges.get(index + 1).map_or(most, |it| it.low - 1);
            let shown = characters(&terms, &format, range, last, term);
            for value in [range.low, range.low + 1, (range.low / 2) + (last / 2), last.saturating_sub(1), last] {
                if value < range.low || value > last {
                    continue;
                }
                let mut expected = Vec::new();
                write_number(&format, value, &mut expected);
                let mut model = Model::default();
                model.set(symbol, Value::BitVec(effigy_term::BvValue::from_u64(Width::of(format.bits), value)));
                let mut evaluator = Evaluator::new(&terms, &model);
                let mut number = |it: Term| match evaluator.value(it) {
                    Some(Value::BitVec(value)) => value.to_u64().unwrap_or(0),
                    _ => 0,
                };
                let text: Vec<u8> = shown
                    .iter()
                    .map(|it| match it {
                        Val::Int(bits) => *bits as u8,
                        Val::Term(term) => number(*term) as u8,
                        _ => 0,
                    })
                    .collect();
                assert_eq!(text, expected, "{format:?} of {value}");
                assert_eq!(number(written_length) as usize, expected.len(), "{format:?} of {value}");
                compared += 1;
            }
        }
    }
    assert!(compared > 1000);
}

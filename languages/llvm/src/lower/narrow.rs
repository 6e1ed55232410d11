//! Sums, differences and products that cannot overflow, whatever their operands are: these come from narrower types.
//!
//! Knows: ranges of results, by their types. Never: values, paths.
//!
//! `s += v` of two `unsigned char` is computed as an `int` (C17 6.3.1.1), which holds each such sum. What no value of the
//! operands makes overflow is no check.

use crate::ir::{BinaryOp, CastOp, Constant, Function, LocalId, Module, Op, Operand, Type, TypeId};
use rustc_hash::{FxHashMap, FxHashSet};

/// The narrowest type that is looked at: a truth value is no number of the program.
const LEAST_BITS: u32 = 8;

/// The widest type that is looked at, so that no range is beyond `i128`.
const MOST_BITS: u32 = 64;

/// The least and the largest value of a number, as a signed one.
type Range = (i128, i128);

/// The results of signed operations of a function that overflow for no operands.
pub(super) fn never_overflowing(module: &Module, function: &Function) -> FxHashSet<LocalId> {
    let mut ranges: FxHashMap<LocalId, Range> = FxHashMap::default();
    let mut res = FxHashSet::default();
    for instruction in function.blocks.iter().flat_map(|it| &it.instructions) {
        let Some(result) = instruction.result else { continue };
        match instruction.op {
            Op::Cast { op: op @ (CastOp::ZExt | CastOp::SExt), from, to, .. } => {
                let (Some(from), Some(_)) = (bits(module, from), bits(module, to)) else { continue };
                ranges.insert(result, if op == CastOp::SExt { signed(from) } else { (0, (1 << from) - 1) });
            }
            Op::Binary { op, ty, a, b, nsw, .. } => {
                let Some(width) = bits(module, ty) else { continue };
                let range = |it: Operand| match it {
                    Operand::Local(local) => ranges.get(&local).copied(),
                    Operand::Const(id) => match module.constant(id) {
                        Constant::Bits(value) => constant(value.to_u64()?, width),
                        _ => None,
                    },
                };
                let (least, most) = signed(width);
                let (a, b) = (range(a), range(b));
                let range = match op {
                    BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => a.zip(b).and_then(|(a, b)| computed(op, a, b)),
                    _ => bounded(op, a.unwrap_or((least, most)), b.unwrap_or((least, most))),
                };
                let Some(range) = range.filter(|it| least <= it.0 && it.1 <= most) else { continue };
                ranges.insert(result, range);
                if nsw {
                    res.insert(result);
                }
            }
            _ => {}
        }
    }
    res
}

/// The width of an integer type that is looked at.
fn bits(module: &Module, ty: TypeId) -> Option<u32> {
    match module.ty(ty) {
        Type::Int(bits) => Some(*bits).filter(|it| (LEAST_BITS..=MOST_BITS).contains(it)),
        _ => None,
    }
}

fn signed(bits: u32) -> Range {
    let half = 1i128 << (bits - 1);
    (-half, half - 1)
}

fn constant(value: u64, width: u32) -> Option<Range> {
    let value = i128::from(value);
    let value = if value > signed(width).1 { value - (1 << width) } else { value };
    Some((value, value))
}

/// The range of a result, had it no width; `None` where it has none.
fn computed(op: BinaryOp, a: Range, b: Range) -> Option<Range> {
    match op {
        BinaryOp::Add => Some((a.0.checked_add(b.0)?, a.1.checked_add(b.1)?)),
        BinaryOp::Sub => Some((a.0.checked_sub(b.1)?, a.1.checked_sub(b.0)?)),
        BinaryOp::Mul => {
            let mut corners = [0; 4];
            for (corner, (x, y)) in corners.iter_mut().zip([(a.0, b.0), (a.0, b.1), (a.1, b.0), (a.1, b.1)]) {
                *corner = x.checked_mul(y)?;
            }
            Some((*corners.iter().min()?, *corners.iter().max()?))
        }
        _ => None,
    }
}

/// The range of what makes no number larger: a mask, a shift to the right, a division by a constant.
fn bounded(op: BinaryOp, a: Range, b: Range) -> Option<Range> {
    let constant = (b.0 == b.1).then_some(b.0);
    match (op, constant) {
        (BinaryOp::And, _) if a.0 >= 0 && b.0 >= 0 => Some((0, a.1.min(b.1))),
        (BinaryOp::And, _) if a.0 >= 0 => Some((0, a.1)),
        (BinaryOp::And, _) if b.0 >= 0 => Some((0, b.1)),
        (BinaryOp::AShr, Some(by @ 0..=63)) => Some((a.0 >> by, a.1 >> by)),
        (BinaryOp::LShr, Some(by @ 0..=63)) if a.0 >= 0 => Some((a.0 >> by, a.1 >> by)),
        (BinaryOp::SDiv, Some(by @ 1..)) => Some((a.0 / by, a.1 / by)),
        (BinaryOp::UDiv, Some(by @ 1..)) if a.0 >= 0 => Some((a.0 / by, a.1 / by)),
        (BinaryOp::SRem, Some(by @ 1..)) if a.0 < 0 => Some((1 - by, by - 1)),
        (BinaryOp::SRem, Some(by @ 1..)) => Some((0, a.1.min(by - 1))),
        (BinaryOp::URem, Some(by @ 1..)) => Some((0, by - 1)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against every pair of small numbers.
    #[test]
    fn a_range_has_each_result() {
        for (op, apply) in [
            (BinaryOp::Add, (|a, b| a + b) as fn(i128, i128) -> i128),
            (BinaryOp::Sub, |a, b| a - b),
            (BinaryOp::Mul, |a, b| a * b),
        ] {
            for (a, b) in [((-3, 5), (-7, 2)), ((0, 4), (1, 6)), ((-5, -2), (-4, -1)), ((3, 3), (-2, 0))] {
                let results = || (a.0..=a.1).flat_map(|x| (b.0..=b.1).map(move |y| apply(x, y)));
                let expected = results().min().zip(results().max());
                assert_eq!(computed(op, a, b), expected, "{op:?} {a:?} {b:?}");
            }
        }
        for (op, apply) in [
            (BinaryOp::And, (|a, b| a & b) as fn(i128, i128) -> i128),
            (BinaryOp::AShr, |a, b| a >> b),
            (BinaryOp::SDiv, |a, b| a / b),
            (BinaryOp::SRem, |a, b| a % b),
        ] {
            for a in [(-9, 5), (0, 12), (3, 3), (-7, -2)] {
                for by in 1..6 {
                    let Some(range) = bounded(op, a, (by, by)) else { panic!("{op:?} {a:?} {by}") };
                    let is_in = |it: i128| range.0 <= it && it <= range.1;
                    assert!((a.0..=a.1).all(|x| is_in(apply(x, by))), "{op:?} {a:?} {by}: {range:?}");
                }
            }
        }
        for (op, a) in [(BinaryOp::LShr, (-1, 5)), (BinaryOp::UDiv, (-1, 5)), (BinaryOp::Or, (0, 5))] {
            assert_eq!(bounded(op, a, (2, 2)), None, "{op:?} takes what is negative as large");
        }
        assert_eq!((signed(8), constant(255, 8), constant(127, 8)), ((-128, 127), Some((-1, -1)), Some((127, 127))));
    }
}

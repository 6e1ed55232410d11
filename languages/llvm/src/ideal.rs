//! Programs that compute with `int` alone, for `--integers ideal`: which they are.
//!
//! Knows: the instructions that mean something for mathematical integers too. Never: what they do (`step::ideal`).
//! Everything else is refused by its name and place: it would have to be read as bits.

use crate::code::{Call, Code, Flags, Func, Inst, Shape, Target};
use crate::ir::{BinaryOp, CastOp, IntPredicate};
use crate::libc::BUILTINS;
use crate::options::Externals;
use std::collections::BTreeSet;

/// The bits of an `int`.
pub(crate) const INT: u32 = 32;

/// The functions that the interpreter knows and that take integers of any size, or none.
const TAKEN: &[&str] = &[
    "effigy_assume",
    "effigy_assert_failed",
    "effigy_silent_exit",
    "klee_int",
    "klee_assume",
    "klee_silent_exit",
    "__VERIFIER_assume",
    "__VERIFIER_assert",
    "__VERIFIER_error",
    "reach_error",
    "__assert_fail",
    "abort",
    "exit",
];

/// What the program does that is no arithmetic of `int`, with its place.
pub(crate) fn refused(code: &Code, entry: u32, externals: Externals) -> Option<String> {
    let mut work = vec![entry];
    let mut seen = BTreeSet::from([entry]);
    while let Some(next) = work.pop() {
        let function = &code.functions[next as usize];
        // It calls `effigy_number`, which gives an integer.
        if &*function.source_name == "effigy_int" {
            continue;
        }
        for (inst, &place) in function.code.iter().zip(&function.places) {
            if let Some(what) = instruction(code, inst, externals) {
                let place = &code.places[place as usize];
                let at = if place.line == 0 { String::new() } else { format!("{}:{}: ", place.file, place.line) };
                return Some(format!("{at}{what} in {}", function.source_name));
            }
            if let Inst::Call { call } = inst
                && let Target::Function(callee) = code.calls[*call as usize].target
                && seen.insert(callee)
            {
                work.push(callee);
            }
        }
        if let Some(what) = signature(function).filter(|_| next == entry) {
            return Some(format!("{what} of {}", function.source_name));
        }
    }
    let first = code.constructors.first().map(|&it| &code.functions[it as usize]);
    first.map(|it| format!("the constructor {}", it.source_name))
}

/// What of the parameters is no `int`.
fn signature(function: &Func) -> Option<String> {
    let main = &*function.source_name == "main" && function.parameters.len() == 2;
    let other = function.parameters.iter().find(|it| !is_int(&it.shape) || it.pointer);
    other.filter(|_| !main).map(|it| format!("the parameter {}", it.name))
}

fn is_int(shape: &Shape) -> bool {
    matches!(shape, Shape::Scalar { width, .. } if *width == INT)
}

/// What an instruction does, if that is no arithmetic of `int`.
fn instruction(code: &Code, inst: &Inst, externals: Externals) -> Option<String> {
    let said = |text: &str| Some(text.to_owned());
    match *inst {
        Inst::Mov { .. }
        | Inst::Jump { .. }
        | Inst::Branch { .. }
        | Inst::Check { .. }
        | Inst::Ret { .. }
        | Inst::Unreachable => None,
        Inst::Bin { op, flags, lanes: 0, width, .. } => operation(op, flags, u32::from(width)),
        Inst::Icmp { pred, lanes: 0, width, .. } => match (pred, u32::from(width)) {
            (IntPredicate::Eq | IntPredicate::Ne, 1 | INT) => None,
            (IntPredicate::Slt | IntPredicate::Sle | IntPredicate::Sgt | IntPredicate::Sge, INT) => None,
            (IntPredicate::Eq | IntPredicate::Ne, 64) => said("a comparison of pointers or of `long`"),
            (IntPredicate::Ult | IntPredicate::Ule | IntPredicate::Ugt | IntPredicate::Uge, _) => {
                said("a comparison without sign")
            }
            (_, width) => Some(format!("a comparison of {width} bits")),
        },
        Inst::IcmpPtr { .. } => said("a comparison of pointers or of `long`"),
        // `x > y` as a number.
        Inst::Cast { op: CastOp::ZExt, lanes: 0, from: 1, to, .. } if u32::from(to) == INT => None,
        Inst::Cast { from, to, .. } => Some(format!("a conversion of {from} to {to} bits")),
        Inst::Call { call } => called(code, &code.calls[call as usize], externals),
        Inst::Switch { .. } => said("a switch"),
        Inst::Select { .. } => said("a choice of the optimiser"),
        Inst::Fcmp { .. } | Inst::FNeg { .. } => said("a floating-point number"),
        Inst::Alloca { alloca, .. } => {
            Some(format!("the variable {}, which is in memory", code.allocas[alloca as usize].name))
        }
        Inst::Load { .. } | Inst::LoadShape { .. } | Inst::Store { .. } | Inst::StoreShape { .. } => {
            said("a variable that is in memory (a global, an array, one whose address is taken)")
        }
        Inst::Offset { .. } | Inst::Index { .. } | Inst::Life { .. } | Inst::AnyContent { .. } => said("an address"),
        _ => said("something that is no arithmetic of `int`"),
    }
}

fn operation(op: BinaryOp, flags: Flags, width: u32) -> Option<String> {
    match (op, width) {
        (BinaryOp::And | BinaryOp::Or | BinaryOp::Xor, 1) => None,
        (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, INT) if flags.nsw => None,
        (BinaryOp::SDiv | BinaryOp::SRem, INT) => None,
        (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::UDiv | BinaryOp::URem, INT) => {
            Some("arithmetic without sign".to_owned())
        }
        (BinaryOp::FAdd | BinaryOp::FSub | BinaryOp::FMul | BinaryOp::FDiv | BinaryOp::FRem, _) => {
            Some("a floating-point number".to_owned())
        }
        (_, INT) => Some("an operation on bits".to_owned()),
        _ => Some(format!("arithmetic of {width} bits")),
    }
}

fn called(code: &Code, call: &Call, externals: Externals) -> Option<String> {
    match &call.target {
        Target::Function(callee) => {
            let callee = &code.functions[*callee as usize];
            if &*callee.source_name == "effigy_int" {
                return None;
            }
            let other = call.arguments.iter().map(|it| &it.shape).chain(&call.result).any(|it| !is_int(it));
            other.then(|| format!("a call of {}, which has other types than `int`,", callee.source_name))
        }
        Target::Builtin(number) => {
            let name = BUILTINS.get(*number as usize).map_or("a function of the library", |it| it.0);
            (!TAKEN.contains(&name)).then(|| format!("a call of {name}"))
        }
        Target::External(name) => {
            let input = crate::names::nondet(name).is_some_and(|it| !crate::names::is_unsigned(it));
            let fits = call.result.as_ref().is_some_and(is_int);
            // What a function that is only declared returns is an input, too, where that is asked for.
            let may_be_input = fits && !name.starts_with("__");
            match externals {
                Externals::Pure if may_be_input => None,
                _ if input && fits => None,
                _ if may_be_input => Some(format!("a call of {name}, an input with --pure-externals,")),
                _ => Some(format!("a call of {name}")),
            }
        }
        Target::Address(_) => Some("a call by a pointer".to_owned()),
    }
}

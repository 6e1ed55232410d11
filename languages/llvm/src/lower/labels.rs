//! What the objects of a program are called in reports.
//!
//! Knows: how clang and rustc name in LLVM IR what a programmer wrote: a string, a `static` of a function, a variable.
//! Never: what an object holds while the program runs.

use crate::ir::{Constant, Function, Global, GlobalKind, LocalId, Metadata, Module, Op, Operand};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Longer strings are cut.
const MOST_TEXT: usize = 24;

/// A global variable: a string by its text, a `static` of a function by its own name, anything else by its name.
pub(super) fn global(module: &Module, global: &Global) -> Arc<str> {
    let GlobalKind::Variable { init, constant, local: true, .. } = &global.kind else {
        return Arc::clone(&global.name);
    };
    if let (Some(init), true) = (init, *constant)
        && let Some(text) = string(module.constant(*init))
    {
        return text.into();
    }
    // clang: `f.count`, and `f.count.1` for a second one in another block.
    if let Some((function, rest)) = global.name.split_once('.')
        && module.globals.iter().any(|it| matches!(it.kind, GlobalKind::Function(_)) && &*it.name == function)
    {
        let name = match rest.rsplit_once('.') {
            Some((name, number)) if number.bytes().all(|it| it.is_ascii_digit()) => name,
            _ => rest,
        };
        if !name.is_empty() {
            return name.into();
        }
    }
    crate::names::readable(&global.name)
}

/// A text in quotation marks, without the zero that ends it; `None` for what is no text.
fn string(constant: &Constant) -> Option<String> {
    let Constant::Bytes(bytes) = constant else { return None };
    let text = std::str::from_utf8(bytes.strip_suffix(b"\0").unwrap_or(bytes)).ok()?;
    if text.chars().any(|it| it.is_control() && !it.is_ascii_whitespace()) {
        return None;
    }
    let mut shown: String = text.chars().take(MOST_TEXT).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    Some(format!("{shown:?}"))
}

/// A local variable: as it is declared, else as the compiler calls it.
pub(super) fn local(module: &Module, function: &Function, local: LocalId) -> Arc<str> {
    let declared = function.variables.iter().find(|it| it.local == local);
    if let Some(Metadata::Variable { name, .. }) = declared.and_then(|it| module.metadata.get(&it.metadata))
        && !name.is_empty()
    {
        return Arc::clone(name);
    }
    let name = function.names[local.index()].as_ref();
    name.map_or_else(|| "a local variable".into(), |it| it.trim_end_matches(".addr").into())
}

/// What a parameter of a function in LLVM IR is in the source.
pub(super) struct ParameterLabel {
    pub(super) name: Arc<str>,
    /// It is a whole variable of the source, and no part of one: the name is that of the variable.
    pub(super) is_variable: bool,
}

/// The parameters of a function, by where its first block stores them: `d` for the parameter that is stored to the copy
/// of which a debug record says that it is `d`, `e.0` and `e.1` for the two that are stored to parts of one.
pub(super) fn parameters(module: &Module, function: &Function) -> Vec<ParameterLabel> {
    let count = function.parameters.len();
    let first = function.blocks.first().map(|it| it.instructions.as_slice()).unwrap_or_default();
    // For each local the parameter that it is, perhaps with more bits, or the variable in which it points.
    let mut origin: FxHashMap<LocalId, LocalId> = (0..count as u32).map(|it| (LocalId(it), LocalId(it))).collect();
    let mut copies: Vec<Option<(LocalId, bool)>> = vec![None; count];
    let mut sizes: FxHashMap<LocalId, u64> = FxHashMap::default();
    for instruction in first {
        match (&instruction.op, instruction.result) {
            (Op::Alloca { ty, count: None }, Some(local)) => {
                origin.insert(local, local);
                sizes.extend(module.layout(*ty).map(|it| (local, it.size)));
            }
            (Op::Cast { value: Operand::Local(of), .. } | Op::Gep { base: Operand::Local(of), .. }, Some(local)) => {
                origin.extend(origin.get(of).copied().map(|it| (local, it)));
            }
            (Op::Store { ty, value: Operand::Local(value), ptr: Operand::Local(pointer) }, _) => {
                let (Some(value), Some(variable)) = (origin.get(value), origin.get(pointer)) else { continue };
                let Some(copy) = copies.get_mut(value.index()) else { continue };
                let is_whole =
                    variable == pointer && sizes.get(variable) == module.layout(*ty).map(|it| it.size).as_ref();
                copy.get_or_insert((*variable, is_whole));
            }
            _ => {}
        }
    }
    let mut parts: FxHashMap<LocalId, usize> = FxHashMap::default();
    let label = |(index, copy): (usize, Option<(LocalId, bool)>)| {
        let own = LocalId(index as u32);
        let declared = |local: LocalId| declared_parameter(module, function, local);
        let written = function.names[index].clone();
        match copy.and_then(|(local, is_whole)| Some((declared(local)?, local, is_whole))) {
            Some((name, _, true)) => ParameterLabel { name, is_variable: true },
            Some((name, local, false)) => {
                let part = parts.entry(local).or_default();
                *part += 1;
                let name = written.unwrap_or_else(|| format!("{name}.{}", *part - 1).into());
                ParameterLabel { name, is_variable: false }
            }
            None => match declared(own) {
                Some(name) => ParameterLabel { name, is_variable: true },
                None => {
                    let name = written.unwrap_or_else(|| format!("arg{index}").into());
                    ParameterLabel { name, is_variable: false }
                }
            },
        }
    };
    copies.into_iter().enumerate().map(label).collect()
}

/// The name of the parameter of the source that a local holds, by its debug record.
fn declared_parameter(module: &Module, function: &Function, local: LocalId) -> Option<Arc<str>> {
    let mut of_local = function.variables.iter().filter(|it| it.local == local);
    of_local.find_map(|it| match module.metadata.get(&it.metadata)? {
        Metadata::Variable { name, parameter: Some(_), .. } => Some(Arc::clone(name)),
        _ => None,
    })
}

//! Which local variables a function may look at before it has written them.
//!
//! Knows: the order of a function's blocks, what writes a variable as a whole. Never: code.
//!
//! A variable counts as written once it was stored to as a whole on every way since its life began; whatever else is done
//! with it before, its address given away included, looks at it.

use super::promotion::{callee_name, for_each_operand, is_lifetime};
use crate::ir::{Block, BlockId, Call, CastOp, Constant, Function, LocalId, Module, Op, Operand, TypeId};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Where the life of a variable begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Beginning {
    /// Where it is allocated.
    Allocation,
    /// At marks, each time anew.
    Mark,
}

/// For each local of a function, if it is such a variable, where its life begins.
pub(super) fn unwritten(module: &Module, function: &Function) -> Vec<Option<Beginning>> {
    let mut res = vec![None; function.types.len()];
    let variables = Variables::of(module, function);
    if variables.types.is_empty() {
        return res;
    }
    // What is written on every way to a block; a block that is not here was not come to yet.
    let mut known: BTreeMap<u32, BTreeSet<LocalId>> = BTreeMap::from([(0, BTreeSet::new())]);
    let mut work = VecDeque::from([BlockId(0)]);
    while let Some(id) = work.pop_front() {
        let Some(block) = function.blocks.get(id.index()) else { continue };
        let written = variables.after(block, known[&id.0].clone(), &mut |_| {});
        for next in successors(block) {
            let met = match known.get(&next.0) {
                Some(before) => before.intersection(&written).copied().collect(),
                None => written.clone(),
            };
            if known.get(&next.0) != Some(&met) {
                known.insert(next.0, met);
                work.push_back(next);
            }
        }
    }
    for (id, written) in known {
        let Some(block) = function.blocks.get(id as usize) else { continue };
        variables.after(block, written, &mut |it| res[it.index()] = Some(variables.beginning(it)));
    }
    res
}

/// The variables of a function.
struct Variables<'a> {
    module: &'a Module,
    types: BTreeMap<LocalId, TypeId>,
    /// Casts of their addresses, as LLVM had them before opaque pointers.
    casts: BTreeMap<LocalId, LocalId>,
    /// Those whose lives are marked.
    marked: BTreeSet<LocalId>,
}

impl<'a> Variables<'a> {
    fn of(module: &'a Module, function: &Function) -> Variables<'a> {
        let mut res = Variables { module, types: BTreeMap::new(), casts: BTreeMap::new(), marked: BTreeSet::new() };
        for instruction in function.blocks.iter().flat_map(|it| &it.instructions) {
            match (instruction.result, &instruction.op) {
                (Some(local), Op::Alloca { ty, .. }) => {
                    res.types.insert(local, *ty);
                }
                (Some(local), Op::Cast { op: CastOp::BitCast, value: Operand::Local(of), .. })
                    if res.types.contains_key(of) =>
                {
                    res.casts.insert(local, *of);
                }
                (_, Op::Call(call)) => res.marked.extend(res.begun(call)),
                _ => {}
            }
        }
        res
    }

    fn beginning(&self, variable: LocalId) -> Beginning {
        if self.marked.contains(&variable) { Beginning::Mark } else { Beginning::Allocation }
    }

    /// The variable whose address an operand is.
    fn named(&self, operand: Operand) -> Option<LocalId> {
        let Operand::Local(local) = operand else { return None };
        let variable = self.casts.get(&local).copied().unwrap_or(local);
        self.types.contains_key(&variable).then_some(variable)
    }

    /// The variable whose life a call says to begin.
    fn begun(&self, call: &Call) -> Option<LocalId> {
        let begins = callee_name(self.module, call).is_some_and(|it| it.starts_with("llvm.lifetime.start"));
        call.arguments.last().and_then(|it| it.value).filter(|_| begins).and_then(|it| self.named(it))
    }

    /// What is written after a block; `looked` is told of each variable that is looked at before.
    fn after(
        &self,
        block: &Block,
        mut written: BTreeSet<LocalId>,
        looked: &mut impl FnMut(LocalId),
    ) -> BTreeSet<LocalId> {
        for instruction in &block.instructions {
            let whole = match &instruction.op {
                Op::Call(call) if is_lifetime(self.module, call) => {
                    self.begun(call).map(|it| written.remove(&it));
                    continue;
                }
                Op::Cast { .. } if instruction.result.is_some_and(|it| self.casts.contains_key(&it)) => continue,
                Op::Store { ty, ptr, .. } => self.named(*ptr).filter(|it| self.types.get(it) == Some(ty)),
                Op::Call(call) => self.filled(call),
                _ => None,
            };
            let mut uses = Vec::new();
            for_each_operand(&instruction.op, &mut |it| uses.extend(self.named(it)));
            // What is written as a whole is named once for that: more often, it is looked at, too.
            if let Some(at) = uses.iter().position(|it| Some(*it) == whole) {
                uses.swap_remove(at);
            }
            uses.into_iter().filter(|it| !written.contains(it)).for_each(&mut *looked);
            written.extend(whole);
        }
        written
    }

    /// The variable that `memset` or `memcpy` writes as a whole.
    fn filled(&self, call: &Call) -> Option<LocalId> {
        let name = callee_name(self.module, call)?;
        if !name.starts_with("llvm.memset.") && !name.starts_with("llvm.memcpy.") {
            return None;
        }
        let argument = |at: usize| call.arguments.get(at).and_then(|it| it.value);
        let Operand::Const(length) = argument(2)? else { return None };
        let Constant::Bits(length) = self.module.constant(length) else { return None };
        let to = self.named(argument(0)?)?;
        let size = self.module.layout(*self.types.get(&to)?)?.size;
        (length.to_u64()? >= size).then_some(to)
    }
}

pub(super) fn successors(block: &Block) -> Vec<BlockId> {
    match block.instructions.last().map(|it| &it.op) {
        Some(Op::Br(to)) => vec![*to],
        Some(Op::CondBr { then, other, .. }) => vec![*then, *other],
        Some(Op::Call(call)) => call.normal.into_iter().chain(call.unwind).collect(),
        Some(Op::Switch { default, cases, .. }) => cases.iter().map(|it| it.1).chain([*default]).collect(),
        _ => Vec::new(),
    }
}

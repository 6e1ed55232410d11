//! Lowering of calls: who is called, with what, and what is no call at all.
//!
//! Knows: callees by name and by address, intrinsics that mean nothing here. Never: what a builtin does.

use super::function::{Lowering, Result};
use super::promotion::callee_name;
use super::shape;
use super::tail::may_be_a_jump;
use super::unwritten::Beginning;
use crate::code::{Call, CallArgument, Callable, Inst, NO_SITE, SiteKind, Target};
use crate::ir::attributes::{FunctionFlags, ParameterFlags};
use crate::ir::{self, BlockId, Callee, Constant, GlobalKind, LocalId, Operand, Type};
use crate::memory::ObjectId;
use crate::value::Val;
use std::sync::Arc;

impl Lowering<'_, '_> {
    /// Lowers a call; what it computes is register `result`.
    pub(super) fn call(&mut self, block: BlockId, call: &ir::Call, result: Option<LocalId>) -> Result<()> {
        let name = callee_name(self.module, call);
        if let Some(name) = name
            && self.drop_intrinsic(name, call)?
        {
            return Ok(());
        }
        let target = match &call.callee {
            Callee::Assembly(text) if text.trim().is_empty() && result.is_none() => return Ok(()),
            Callee::Assembly(text) => self.assembly(text, call)?,
            Callee::Operand(operand) => self.target(*operand)?,
        };
        let mut arguments = Vec::with_capacity(call.arguments.len());
        for argument in &call.arguments {
            let Some(value) = argument.value else { continue };
            let byval = match argument.byval {
                Some(ty) => Some(self.module.layout(ty).ok_or("an argument without a size")?.size),
                None => None,
            };
            let value = self.operand(value, argument.ty)?;
            arguments.push(CallArgument { value, shape: shape(self.module, argument.ty)?, byval });
        }
        let result_shape = match self.module.ty(call.result) {
            Type::Void => None,
            _ => Some(shape(self.module, call.result)?),
        };
        let normal = match call.normal {
            Some(target) => Some(self.edge(block, target, None)?),
            None => None,
        };
        let unwind = match call.unwind {
            Some(target) => self.unwind(block, target)?,
            None => None,
        };
        // What follows the call is reached only if it returns: a site of its own.
        let site = if normal.is_none() { self.new_site(SiteKind::Code, Vec::new()) } else { NO_SITE };
        let never_returns = self.has_flag(call, FunctionFlags::NORETURN);
        let never_throws = self.has_flag(call, FunctionFlags::NOUNWIND);
        let dst = result.map(|it| it.0);
        let leaves = may_be_a_jump(self.module, self.function, block, call);
        let zero_extended = call.result_flags.has(ParameterFlags::ZEROEXT);
        let result = result_shape;
        let lowered = Call {
            never_returns,
            leaves,
            target,
            arguments,
            dst,
            result,
            zero_extended,
            site,
            normal,
            unwind,
            never_throws,
        };
        let calls = &mut self.code_tables().calls;
        calls.push(lowered);
        let number = calls.len() as u32 - 1;
        self.emit(Inst::Call { call: number });
        self.site = site;
        Ok(())
    }

    /// Whether a call has an attribute, or what it calls.
    fn has_flag(&self, call: &ir::Call, flag: FunctionFlags) -> bool {
        let callee = match call.callee {
            Callee::Operand(Operand::Const(id)) => match self.module.constant(id) {
                Constant::Global(global) => Some(&self.module.globals[global.index()].kind),
                _ => None,
            },
            _ => None,
        };
        let of_callee = match callee {
            Some(GlobalKind::Function(it)) => self.module.flags(&it.attributes).has(flag),
            _ => false,
        };
        of_callee || self.module.flags(&call.attributes).has(flag)
    }

    /// What executes inline assembly: nothing but `cpuid`, by which Rust's libraries ask for extensions of the processor.
    fn assembly(&self, text: &str, call: &ir::Call) -> Result<Target> {
        let of_four = matches!(self.module.elements(call.result), Some(4));
        let cpuid = self.linker.builtins.cpuid.filter(|_| of_four && text.contains("cpuid"));
        cpuid.map(Target::Builtin).ok_or_else(|| "inline assembly".to_owned())
    }

    fn target(&mut self, operand: Operand) -> Result<Target> {
        let callee = self.pointer(operand)?;
        if let Err(constant) = callee.decode()
            && let Val::Int(address) = self.linker.code.constants[constant]
        {
            let (object, offset) = ObjectId::of_address(address);
            if let (0, Some(callable)) = (offset, self.linker.code.callables.get(&object.0)) {
                return Ok(match callable {
                    Callable::Function(number) => Target::Function(*number),
                    Callable::Builtin(number) => Target::Builtin(*number),
                    Callable::External(name) => Target::External(Arc::clone(name)),
                });
            }
        }
        Ok(Target::Address(callee))
    }

    /// Intrinsics that mean nothing here, or that are other instructions.
    fn drop_intrinsic(&mut self, name: &str, call: &ir::Call) -> Result<bool> {
        if let Some(rest) = name.strip_prefix("llvm.lifetime.") {
            let begins = rest.starts_with("start");
            let variable = match call.arguments.last().and_then(|it| it.value) {
                Some(Operand::Local(local)) => Operand::Local(*self.marks.get(&local).unwrap_or(&local)),
                _ => return Ok(true),
            };
            match self.is_promoted(variable) {
                Some(dst) if begins => {
                    let a = self.constant(Val::Undef);
                    self.emit(Inst::Mov { dst, a });
                }
                Some(_) => {}
                None => {
                    let ptr = self.pointer(variable)?;
                    self.emit(Inst::Life { ptr, begins });
                    if begins && matches!(variable, Operand::Local(it) if self.is_input(it, Beginning::Mark)) {
                        self.emit(Inst::AnyContent { ptr });
                    }
                }
            }
            return Ok(true);
        }
        let nothing = [
            "llvm.dbg.",
            "llvm.invariant.",
            "llvm.prefetch",
            "llvm.donothing",
            "llvm.experimental.noalias.scope.decl",
            "llvm.var.annotation",
            "llvm.sideeffect",
            "llvm.pseudoprobe",
        ];
        Ok(nothing.iter().any(|it| name.starts_with(it)))
    }
}

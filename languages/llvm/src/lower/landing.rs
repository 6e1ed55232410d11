//! Lowering of landing pads: which exceptions they take, and what they are told.
//!
//! Knows: `invoke`, `landingpad`, `resume`, and the names in `library/exceptions.cpp` that they stand for. Never: how an
//! exception finds its way (`step/unwinding`, `library/exceptions.cpp`).

use super::function::{Lowering, Result};
use super::shape;
use crate::code::{Call, CallArgument, Callable, Clause, Inst, NO_SITE, Opnd, Reg, Shape, Target, Unwind};
use crate::ir::{self, BlockId, Op, Operand, TypeId};
use crate::memory::ObjectId;
use crate::value::Val;

/// The variable that says what the landing pad is told which is entered next.
const LANDING: &str = "effigy_landing";

/// The function by which an exception goes on its way.
const RESUME: &str = "effigy_resume";

impl Lowering<'_, '_> {
    /// What an exception does that comes out of an `invoke`. `None` where nothing in the program throws.
    pub(super) fn unwind(&mut self, from: BlockId, to: BlockId) -> Result<Option<Box<Unwind>>> {
        if self.of_rust || !self.linker.code.addresses.contains_key(LANDING) {
            return Ok(None);
        }
        let instructions = &self.function.blocks[to.index()].instructions;
        let pad = instructions.iter().find_map(|it| match &it.op {
            Op::LandingPad { cleanup, clauses, .. } => Some((*cleanup, clauses)),
            _ => None,
        });
        let Some((cleans, clauses)) = pad else { return Ok(None) };
        let clauses = clauses.iter().map(|it| self.clause(it)).collect::<Result<_>>()?;
        let edge = self.edge(from, to, None)?;
        Ok(Some(Box::new(Unwind { edge, cleans, clauses })))
    }

    fn clause(&mut self, clause: &ir::Clause) -> Result<Clause> {
        let Operand::Const(id) = clause.value else { return Err("a landing pad whose types are computed".to_owned()) };
        let value = self.linker.constant_value(self.at, id, clause.ty)?;
        let address = |it: &Val| it.as_int().ok_or_else(|| "a landing pad without the address of a type".to_owned());
        if clause.catches {
            return Ok(Clause::Catch(address(&value)?));
        }
        match (&value, shape(self.module, clause.ty)?) {
            (Val::Agg(types), _) => Ok(Clause::Filter(types.iter().map(address).collect::<Result<_>>()?)),
            (_, Shape::Aggregate(elements)) if elements.is_empty() => Ok(Clause::Filter(Box::new([]))),
            _ => Err("a landing pad with a filter that is no list of types".to_owned()),
        }
    }

    /// `landingpad`: reads what `exceptions.cpp` has written for it.
    pub(super) fn landing_pad(&mut self, ty: TypeId, dst: Reg) -> Result<()> {
        let Some(&address) = self.linker.code.addresses.get(LANDING).filter(|_| !self.of_rust) else {
            return Err("the instruction landingpad".to_owned());
        };
        let ptr = self.constant(Val::Int(address));
        let shape = self.shape_id(ty)?;
        self.emit(Inst::LoadShape { dst, ptr, shape });
        Ok(())
    }

    /// `resume`: a call of what takes the exception further.
    pub(super) fn resume(&mut self, ty: TypeId, value: Operand) -> Result<()> {
        let refused = || "the instruction resume".to_owned();
        let function = self.linker.code.addresses.get(RESUME).map(|it| ObjectId::of_address(*it).0.0);
        let callable = function.and_then(|it| self.linker.code.callables.get(&it));
        let Some(&Callable::Function(function)) = callable.filter(|_| !self.of_rust) else { return Err(refused()) };
        let a = self.operand(value, ty)?;
        let (dst, path) = (self.temporary(), self.path(&[0]));
        self.emit(Inst::ExtractValue { dst, a, path });
        let exception =
            CallArgument { value: Opnd::reg(dst), shape: Shape::Scalar { size: 8, width: 64 }, byval: None };
        let calls = &mut self.code_tables().calls;
        calls.push(Call {
            target: Target::Function(function),
            arguments: vec![exception],
            dst: None,
            result: None,
            zero_extended: false,
            never_returns: true,
            leaves: false,
            site: NO_SITE,
            normal: None,
            unwind: None,
            never_throws: false,
        });
        let call = calls.len() as u32 - 1;
        self.emit(Inst::Call { call });
        Ok(())
    }
}

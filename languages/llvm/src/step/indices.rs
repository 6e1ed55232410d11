//! How an element of an array of arrays is spoken of: by the indices with which its address was computed.
//!
//! Knows: the instructions before an access, which compute its address. Never: whether the access is in bounds.

use crate::code::{Inst, Opnd, Reg};
use crate::flow::written;
use crate::machine::Machine;
use crate::memory::Object;
use crate::value::{Val, signed};

impl Machine<'_, '_> {
    /// `index 4 of a[2], which has 4 elements`, for the element at an address of an array of arrays of which it is
    /// outside; `None` for any other object.
    pub(super) fn outside_of_rows(&self, object: &Object, base: u64, offset: i64) -> Option<String> {
        let counts = object.rows.as_ref()?;
        let element = i64::from(object.element);
        // Bytes of what each index steps over.
        let mut strides = vec![element; counts.len()];
        for at in (1..counts.len()).rev() {
            strides[at - 1] = strides[at].checked_mul(i64::try_from(counts[at]).ok()?)?;
        }
        let (&outer, &inner) = (counts.first()?, counts.last()?);
        let size = strides.first()?.checked_mul(i64::try_from(outer).ok()?)?;
        let row = self.row(base.wrapping_add_signed(offset)).map(|it| it.wrapping_sub(base) as i64);
        let step = strides[counts.len() - 2];
        let Some(row) = row.filter(|it| (0..size).contains(it) && it % step == 0 && (offset - it) % element == 0)
        else {
            let index = offset.div_euclid(strides[0]);
            return Some(format!("index {index} of {}, which has {outer} elements", object.name));
        };
        let mut rest = row;
        let indices: String = strides[..counts.len() - 1]
            .iter()
            .map(|stride| {
                let index = rest / stride;
                rest %= stride;
                format!("[{index}]")
            })
            .collect();
        let index = (offset - row) / element;
        Some(format!("index {index} of {}{indices}, which has {inner} elements", object.name))
    }

    /// The address to which the last index was added for the access that is executed; `None` where that is not known
    /// any more.
    fn row(&self, address: u64) -> Option<u64> {
        let program = &self.program.code;
        let frame = self.state.frames.last()?;
        let code = &program.functions[frame.function as usize].code;
        let pc = frame.pc as usize;
        let pointer: Reg = match *code.get(pc)? {
            Inst::Load { ptr, .. } | Inst::Store { ptr, .. } => u32::try_from(ptr.decode().ok()?).ok()?,
            _ => return None,
        };
        // Of one block: what stands before a jump need not have been executed before the access.
        let stays = |it: &&Inst| {
            !matches!(
                it,
                Inst::Jump { .. } | Inst::Branch { .. } | Inst::Switch { .. } | Inst::Call { .. } | Inst::Ret { .. }
            )
        };
        let before = code[..pc].iter().rev().take_while(stays);
        let distance = before.take_while(|it| written(program, it) != Some(pointer)).count() + 1;
        let at = pc.checked_sub(distance)?;
        let is_kept = |operand: Opnd| match operand.decode() {
            Ok(reg) => code[at..pc].iter().all(|it| written(program, it) != Some(reg as Reg)),
            Err(_) => true,
        };
        let number = |operand: Opnd| match self.value(operand) {
            Val::Int(bits) | Val::Address { bits, .. } => Some(bits),
            _ => None,
        };
        match code[at] {
            Inst::Offset { dst, offset, .. } if dst == pointer => Some(address.wrapping_add_signed(-offset)),
            Inst::Index { dst, base, .. } if dst == pointer && is_kept(base) => number(base),
            Inst::Index { dst, index, width, scale, .. } if dst == pointer && is_kept(index) => {
                let distance = signed(number(index)?, u32::from(width)).wrapping_mul(scale);
                Some(address.wrapping_add_signed(distance.wrapping_neg()))
            }
            _ => None,
        }
    }
}

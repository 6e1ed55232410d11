//! A call that has not returned: its function, its registers and the objects that end with it.
//!
//! Knows: what one call needs. Never: the other calls of its path (`frames`), or whose path it is (`state`).

use crate::code::{Code, Inst};
use crate::memory::ObjectId;
use crate::value::Val;
use effigy_engine::Rounds;
use std::rc::Rc;

/// A call that has not returned.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The function.
    pub function: u32,
    /// The next instruction.
    pub pc: u32,
    /// The registers.
    pub registers: Vec<Val>,
    /// The local variables in memory.
    pub allocas: Vec<ObjectId>,
    /// Those whose size the program computes, the last one last: `llvm.stackrestore` ends them.
    pub dynamic: Vec<ObjectId>,
    /// The arguments that the function does not name.
    pub variadic: Rc<[Variadic]>,
    /// For the calls of builtins that call back (`qsort`): nothing waits for the result.
    pub ignore_result: bool,
    /// The rounds of the loops around `pc`, where paths are merged.
    pub rounds: Rounds,
    /// What was known of the calls around it when it was called.
    pub around: Around,
}

impl Frame {
    /// The register that waits for the result of the call where the frame stands.
    pub(crate) fn called_for(&self, code: &Code) -> Option<u32> {
        match code.functions[self.function as usize].code[self.pc as usize] {
            Inst::Call { call } => code.calls[call as usize].dst,
            _ => None,
        }
    }
}

/// The calls around a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Around {
    /// Bytes that they take on the stack, at least.
    pub stack: u64,
    /// Which functions can be among them, by their numbers modulo 128.
    pub functions: u128,
    /// One of them is of the same function.
    pub recursive: bool,
    /// How many of those have decided what the program does not decide by itself.
    pub open: u32,
}

impl Around {
    /// That of two paths that stand at one place.
    pub(crate) fn joined(&self, other: &Around) -> Around {
        Around {
            stack: self.stack.min(other.stack),
            functions: self.functions | other.functions,
            recursive: self.recursive,
            open: self.open.max(other.open),
        }
    }
}

/// An argument that the function does not name.
#[derive(Clone, PartialEq, Debug)]
pub enum Variadic {
    /// In one word of 8 bytes.
    Word(Val),
    /// A structure that is passed by value: its copy, and its size in bytes.
    Copy(ObjectId, u64),
}

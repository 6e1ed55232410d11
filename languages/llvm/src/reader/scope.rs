//! The names of the function that is being read.
//!
//! Knows: which locals and blocks are mentioned or defined, with what types. Never: text.

use super::Name;
use crate::ir::attributes::{InstructionFlags, Ordering};
use crate::ir::role::BlockRole;
use crate::ir::{Block, BlockId, GlobalId, Instruction, LocalId, Op, TypeId, Variable};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// What is known of a local.
pub(super) struct Local {
    pub name: Option<Arc<str>>,
    pub ty: TypeId,
    pub defined: bool,
    /// Where it was mentioned first.
    pub at: usize,
}

/// A block that was mentioned or opened.
pub(super) struct Body {
    /// Its instructions; `None` if it was only mentioned.
    pub block: Option<Block>,
    /// Where it was mentioned first.
    pub at: usize,
}

/// What an instruction says beside its operation.
#[derive(Clone, Copy, Default)]
pub(super) struct Extra {
    pub flags: InstructionFlags,
    pub ordering: Ordering,
    pub align: u32,
    pub debug: Option<u32>,
    pub range: Option<u32>,
}

pub(super) struct Scope<'a> {
    locals_by_name: FxHashMap<Name<'a>, LocalId>,
    blocks_by_name: FxHashMap<Name<'a>, BlockId>,
    pub locals: Vec<Local>,
    pub bodies: Vec<Body>,
    /// The blocks in the order of the text.
    pub order: Vec<BlockId>,
    /// Blocks of our own, which come after all others.
    pub hidden: Vec<BlockId>,
    /// The number of the next local or block without a name.
    pub next: u32,
    /// The function.
    pub function: GlobalId,
    /// The result of the function.
    pub result: TypeId,
    pub variables: Vec<Variable>,
    /// Of the instruction that is being read.
    pub extra: Extra,
}

impl<'a> Scope<'a> {
    pub(super) fn new(function: GlobalId, result: TypeId) -> Scope<'a> {
        Scope {
            locals_by_name: FxHashMap::default(),
            blocks_by_name: FxHashMap::default(),
            locals: Vec::new(),
            bodies: Vec::new(),
            order: Vec::new(),
            hidden: Vec::new(),
            next: 0,
            function,
            result,
            variables: Vec::new(),
            extra: Extra::default(),
        }
    }

    /// The name of the next local or block without one.
    pub(super) fn unnamed(&mut self) -> Name<'a> {
        self.next = self.next.saturating_add(1);
        Name::Number(self.next - 1)
    }

    /// A definition under `name`: numbers go on after it.
    pub(super) fn count(&mut self, name: &Name<'_>) {
        if let Name::Number(number) = name {
            self.next = self.next.max(number.saturating_add(1));
        }
    }

    /// The local of this name; one that is new is mentioned with this type.
    pub(super) fn local(&mut self, name: Name<'a>, ty: TypeId, at: usize) -> LocalId {
        if let Some(&id) = self.locals_by_name.get(&name) {
            return id;
        }
        let id = LocalId(self.locals.len() as u32);
        self.locals.push(Local { name: name.text(), ty, defined: false, at });
        self.locals_by_name.insert(name, id);
        id
    }

    /// A block of our own, to which no label leads, and to which no execution may come.
    pub(super) fn unreachable(&mut self, at: usize) -> BlockId {
        let id = BlockId(self.bodies.len() as u32);
        let instruction = Instruction {
            result: None,
            op: Op::Unreachable,
            debug: u32::MAX,
            flags: InstructionFlags::default(),
            ordering: Ordering::default(),
            align: 0,
            range: u32::MAX,
        };
        self.bodies.push(Body { block: Some(Block { instructions: vec![instruction], role: BlockRole::Other }), at });
        self.hidden.push(id);
        id
    }

    /// The block of this name.
    pub(super) fn block(&mut self, name: Name<'a>, at: usize) -> BlockId {
        if let Some(&id) = self.blocks_by_name.get(&name) {
            return id;
        }
        let id = BlockId(self.bodies.len() as u32);
        self.bodies.push(Body { block: None, at });
        self.blocks_by_name.insert(name, id);
        id
    }
}

//! Functions: signatures, blocks, and the names in them.
//!
//! Knows: how locals and blocks are named and numbered. Never: what an instruction does.

use super::{Reader, Result};
use crate::ir::{Block, BlockId, Function, GlobalKind, Instruction, LocalId, Parameter, Type, TypeId};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::rc::Rc;

/// The names of the function that is being read.
pub(super) struct Scope<'a> {
    locals: FxHashMap<Cow<'a, [u8]>, LocalId>,
    blocks: FxHashMap<Cow<'a, [u8]>, BlockId>,
    names: Vec<Option<Rc<str>>>,
    types: Vec<Option<TypeId>>,
    /// Instructions by block; `None` is a block that was only mentioned.
    bodies: Vec<Option<Block>>,
    order: Vec<BlockId>,
}

impl<'a> Scope<'a> {
    /// The local of this name, known or only mentioned so far.
    pub(super) fn local(&mut self, name: Cow<'a, [u8]>) -> LocalId {
        if let Some(&id) = self.locals.get(&*name) {
            return id;
        }
        let id = LocalId(self.names.len() as u32);
        let numbered = name.iter().all(u8::is_ascii_digit);
        self.names.push((!numbered).then(|| String::from_utf8_lossy(&name).into()));
        self.types.push(None);
        self.locals.insert(name, id);
        id
    }

    /// The block of this name.
    pub(super) fn block(&mut self, name: Cow<'a, [u8]>) -> BlockId {
        if let Some(&id) = self.blocks.get(&*name) {
            return id;
        }
        let id = BlockId(self.bodies.len() as u32);
        self.bodies.push(None);
        self.blocks.insert(name, id);
        id
    }
}

/// A function's head: what stands before its body.
struct Head {
    result: TypeId,
    parameters: Vec<Parameter>,
    names: Vec<Option<Vec<u8>>>,
    varargs: bool,
    local: bool,
}

impl<'a> Reader<'a> {
    /// `declare ...`
    pub(super) fn declare(&mut self) -> Result<()> {
        // Metadata may stand before the type: `declare !dbg !5 i32 @f()`.
        self.cursor.skip_space();
        while self.cursor.peek() == Some(b'!') {
            self.cursor.expect(b"!")?;
            self.cursor.word();
            self.cursor.expect(b"!")?;
            self.cursor.word();
            self.cursor.skip_space();
        }
        let (id, head) = self.head()?;
        self.cursor.skip_line();
        if !matches!(&self.module.globals[id.index()].kind, GlobalKind::Unknown) {
            return Err(self.cursor.error_here("a function is declared twice".to_owned()));
        }
        let function = Function {
            result: head.result,
            types: head.parameters.iter().map(|it| it.ty).collect(),
            names: vec![None; head.parameters.len()],
            parameters: head.parameters,
            varargs: head.varargs,
            local: head.local,
            blocks: Vec::new(),
            debug: None,
        };
        self.set_global(id, GlobalKind::Function(Box::new(function)))
    }

    /// `define ... { ... }`
    pub(super) fn define(&mut self) -> Result<()> {
        let (id, head) = self.head()?;
        let start = self.cursor.position();
        self.cursor.skip_line();
        let line = self.cursor.since(start);
        if line.trim_ascii_end().last() != Some(&b'{') {
            self.cursor.rewind(start);
            return Err(self.cursor.error("a line that ends with `{`"));
        }
        let debug = debug_number(line).filter(|&it| it != u32::MAX);
        let mut scope = Scope {
            locals: FxHashMap::default(),
            blocks: FxHashMap::default(),
            names: Vec::new(),
            types: Vec::new(),
            bodies: Vec::new(),
            order: Vec::new(),
        };
        let mut unnamed = 0u32;
        for (parameter, name) in head.parameters.iter().zip(head.names) {
            let name = name.unwrap_or_else(|| unnamed.to_string().into_bytes());
            if name.iter().all(u8::is_ascii_digit) {
                unnamed += 1;
            }
            let before = scope.names.len();
            let local = scope.local(Cow::Owned(name));
            if local.index() != before {
                return Err(self.cursor.error_here("two parameters have one name".to_owned()));
            }
            scope.types[local.index()] = Some(parameter.ty);
        }
        self.body(&mut scope, unnamed)?;
        let (blocks, names, types) = self.finish(scope)?;
        let function = Function {
            result: head.result,
            parameters: head.parameters,
            varargs: head.varargs,
            local: head.local,
            blocks,
            names,
            types,
            debug,
        };
        self.set_global(id, GlobalKind::Function(Box::new(function)))
    }

    fn head(&mut self) -> Result<(crate::ir::GlobalId, Head)> {
        let mut local = false;
        while !self.at_type() {
            self.cursor.skip_space();
            match self.cursor.peek() {
                Some(b'a'..=b'z') => {
                    let word = self.cursor.word();
                    local |= word == b"internal" || word == b"private";
                    self.skip_attribute_argument(word)?;
                }
                _ => return Err(self.cursor.error("a result type")),
            }
        }
        let result = self.ty_before_name()?;
        let id = self.global_name()?;
        self.cursor.expect(b"(")?;
        let mut head = Head { result, parameters: Vec::new(), names: Vec::new(), varargs: false, local };
        if !self.cursor.take(b")") {
            loop {
                if self.cursor.take(b"...") {
                    head.varargs = true;
                    break;
                }
                let ty = self.ty()?;
                let byval = self.skip_attributes()?;
                head.parameters.push(Parameter { ty, byval });
                self.cursor.skip_space();
                head.names.push(match self.cursor.peek() {
                    Some(b'%') => {
                        self.cursor.expect(b"%")?;
                        Some(self.cursor.name()?.into_owned())
                    }
                    _ => None,
                });
                if !self.cursor.take(b",") {
                    break;
                }
            }
            self.cursor.expect(b")")?;
        }
        Ok((id, head))
    }

    /// A result type: `(` after it belongs to the name that follows, unless it is a pointer to a function.
    fn ty_before_name(&mut self) -> Result<TypeId> {
        self.ty()
    }

    /// What follows an attribute's word: `(...)`, or a number after `align`, `cc` and a few others.
    pub(super) fn skip_attribute_argument(&mut self, word: &[u8]) -> Result<()> {
        if word == b"align" || word == b"cc" || word == b"alignstack" {
            self.cursor.skip_space();
            if matches!(self.cursor.peek(), Some(b'0'..=b'9')) {
                self.cursor.number()?;
                return Ok(());
            }
        }
        if self.cursor.peek() == Some(b'(') {
            self.cursor.skip_group()?;
        }
        Ok(())
    }

    /// Skips attributes of a parameter or argument; `byval(type)` is returned.
    pub(super) fn skip_attributes(&mut self) -> Result<Option<TypeId>> {
        let mut byval = None;
        loop {
            self.cursor.skip_space();
            match self.cursor.peek() {
                Some(b'"') => {
                    self.cursor.string()?;
                    if self.cursor.take(b"=") {
                        self.cursor.string()?;
                    }
                }
                Some(b'a'..=b'z') => {
                    let start = self.cursor.position();
                    let word = self.cursor.word();
                    if super::instruction::starts_value(word) || self.cursor.peek() == Some(b'"') {
                        self.cursor.rewind(start);
                        return Ok(byval);
                    }
                    if word == b"byval" && self.cursor.take(b"(") {
                        byval = Some(self.ty()?);
                        self.cursor.expect(b")")?;
                    } else {
                        self.skip_attribute_argument(word)?;
                    }
                }
                _ => return Ok(byval),
            }
        }
    }

    fn body(&mut self, scope: &mut Scope<'a>, unnamed: u32) -> Result<()> {
        let mut current: Option<BlockId> = None;
        let mut terminated = false;
        loop {
            self.cursor.skip_space();
            if self.cursor.take(b"}") {
                if !terminated {
                    return Err(self.cursor.error_here("the last block of the function is not terminated".to_owned()));
                }
                return Ok(());
            }
            if let Some(label) = self.label()? {
                if current.is_some() && !terminated {
                    return Err(self.cursor.error_here("the block before this label is not terminated".to_owned()));
                }
                current = Some(self.open_block(scope, label)?);
                terminated = false;
                continue;
            }
            if self.cursor.peek() == Some(b'#') || self.cursor.starts_with(b"uselistorder") {
                self.cursor.skip_line();
                continue;
            }
            if self.cursor.peek().is_none() {
                return Err(self.cursor.error("`}`"));
            }
            let block = match current {
                Some(block) if !terminated => block,
                Some(_) => return Err(self.cursor.error("a label")),
                None => {
                    let block = self.open_block(scope, Cow::Owned(unnamed.to_string().into_bytes()))?;
                    current = Some(block);
                    block
                }
            };
            if let Some(instruction) = self.instruction(scope)? {
                terminated = instruction.op.is_terminator();
                if let Some(body) = &mut scope.bodies[block.index()] {
                    body.instructions.push(instruction);
                }
            }
        }
    }

    fn open_block(&mut self, scope: &mut Scope<'a>, name: Cow<'a, [u8]>) -> Result<BlockId> {
        let id = scope.block(name);
        if scope.bodies[id.index()].replace(Block::default()).is_some() {
            return Err(self.cursor.error_here("two blocks have one label".to_owned()));
        }
        scope.order.push(id);
        Ok(id)
    }

    /// `name:` at the start of a line.
    fn label(&mut self) -> Result<Option<Cow<'a, [u8]>>> {
        let start = self.cursor.position();
        let ok = match self.cursor.peek() {
            Some(b'"') => true,
            Some(byte) => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'$' | b'-') || byte >= 0x80,
            None => false,
        };
        if ok {
            let name = self.cursor.name()?;
            if self.cursor.peek() == Some(b':') {
                self.cursor.expect(b":")?;
                return Ok(Some(name));
            }
        }
        self.cursor.rewind(start);
        Ok(None)
    }

    /// Defines the result of an instruction.
    pub(super) fn define_local(&mut self, scope: &mut Scope<'a>, name: Cow<'a, [u8]>, ty: TypeId) -> Result<LocalId> {
        let id = scope.local(name);
        if scope.types[id.index()].replace(ty).is_some() {
            return Err(self.cursor.error_here("a local is defined twice".to_owned()));
        }
        Ok(id)
    }

    /// Blocks in the order of the text, renumbered accordingly; everything mentioned must be defined.
    #[expect(clippy::type_complexity, reason = "the three parts of a function, taken apart at once")]
    fn finish(&mut self, scope: Scope<'a>) -> Result<(Vec<Block>, Vec<Option<Rc<str>>>, Vec<TypeId>)> {
        let undefined = scope.locals.iter().find(|(_, id)| scope.types[id.index()].is_none());
        if let Some((name, _)) = undefined {
            let message = format!("%{} is used but not defined in this function", String::from_utf8_lossy(name));
            return Err(self.cursor.error_here(message));
        }
        let missing = scope.blocks.iter().find(|(_, id)| scope.bodies[id.index()].is_none());
        if let Some((name, _)) = missing {
            let message = format!("the block %{} does not exist in this function", String::from_utf8_lossy(name));
            return Err(self.cursor.error_here(message));
        }
        let mut renumbered = vec![BlockId(0); scope.bodies.len()];
        for (at, id) in scope.order.iter().enumerate() {
            renumbered[id.index()] = BlockId(at as u32);
        }
        let mut bodies = scope.bodies;
        let mut blocks = Vec::with_capacity(scope.order.len());
        for id in &scope.order {
            let mut block = bodies[id.index()].take().unwrap_or_default();
            for instruction in &mut block.instructions {
                renumber(instruction, &renumbered);
            }
            blocks.push(block);
        }
        let types = scope.types.into_iter().flatten().collect();
        Ok((blocks, scope.names, types))
    }
}

fn renumber(instruction: &mut Instruction, renumbered: &[BlockId]) {
    instruction.op.for_each_block(|it| *it = renumbered[it.index()]);
}

/// The number after `!dbg !` in the rest of a line; `u32::MAX` for none.
pub(super) fn debug_number(rest: &[u8]) -> Option<u32> {
    let at = memchr::memmem::find(rest, b"!dbg !")? + 6;
    let digits = rest[at..].iter().take_while(|it| it.is_ascii_digit()).count();
    std::str::from_utf8(&rest[at..at + digits]).ok()?.parse().ok()
}

impl Reader<'_> {
    /// A type that stands for what has no layout.
    pub(super) fn opaque(&mut self, name: &str) -> TypeId {
        self.type_id(Type::Other(name.into()))
    }
}

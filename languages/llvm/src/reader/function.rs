//! Functions: declarations, bodies, blocks.
//!
//! Knows: how locals and blocks are named and numbered. Never: what an instruction does.

use super::scope::{Body, Scope};
use super::{Name, Reader, Result};
use crate::ir::role::BlockRole;
use crate::ir::{Block, BlockId, Function, GlobalKind, LocalId, TypeId};

impl<'a> Reader<'a> {
    /// `declare ...`
    pub(super) fn declare(&mut self) -> Result<()> {
        let head = self.head()?;
        let known = self.module.globals.get(head.id.index()).map(|it| &it.kind);
        if !matches!(known, Some(GlobalKind::Unknown)) {
            return Err(self.cursor.error_at(head.at, "this name is declared twice".to_owned()));
        }
        let function = Function {
            result: head.result,
            types: head.parameters.iter().map(|it| it.ty).collect(),
            names: head.names.iter().map(|it| it.as_ref().and_then(Name::text)).collect(),
            parameters: head.parameters,
            varargs: head.varargs,
            local: head.traits.linkage.is_local(),
            blocks: Vec::new(),
            debug: head.debug,
            result_flags: head.result_flags,
            attributes: head.attributes,
            variables: Vec::new(),
        };
        self.define_global(head.id, GlobalKind::Function(Box::new(function)), head.traits, head.at)
    }

    /// `define ... { ... }`
    pub(super) fn define(&mut self) -> Result<()> {
        let head = self.head()?;
        self.cursor.expect(b"{")?;
        let mut scope = Scope::new(head.id, head.result);
        for (parameter, name) in head.parameters.iter().zip(head.names) {
            let name = name.unwrap_or_else(|| scope.unnamed());
            self.define_local(&mut scope, name, parameter.ty, head.at)?;
        }
        self.body(&mut scope)?;
        self.check_defined(&scope)?;
        scope.order.append(&mut scope.hidden);
        let variables = std::mem::take(&mut scope.variables);
        let (names, types) = scope.locals.into_iter().map(|it| (it.name, it.ty)).unzip();
        let function = Function {
            result: head.result,
            parameters: head.parameters,
            varargs: head.varargs,
            local: head.traits.linkage.is_local(),
            blocks: in_order(scope.bodies, &scope.order),
            names,
            types,
            debug: head.debug,
            result_flags: head.result_flags,
            attributes: head.attributes,
            variables,
        };
        self.define_global(head.id, GlobalKind::Function(Box::new(function)), head.traits, head.at)
    }

    fn body(&mut self, scope: &mut Scope<'a>) -> Result<()> {
        let mut current: Option<BlockId> = None;
        loop {
            match self.cursor.peek_token() {
                None => return Err(self.cursor.error("`}`")),
                Some(b'}') => {
                    if current.is_some() || scope.order.is_empty() {
                        return Err(self.cursor.error("a terminator of the last block"));
                    }
                    self.cursor.advance(1);
                    return Ok(());
                }
                Some(b'#') => {
                    self.debug_record(scope)?;
                    continue;
                }
                _ => {}
            }
            let start = self.cursor.position();
            if let Some(label) = self.label()? {
                if current.is_some() {
                    return Err(self
                        .cursor
                        .error_at(start, "the block before this label is not terminated".to_owned()));
                }
                current = Some(self.open_block(scope, label, start)?);
                continue;
            }
            if self.cursor.starts_with(b"uselistorder") {
                self.cursor.skip_line();
                continue;
            }
            let block = match current {
                Some(block) => block,
                None => {
                    let name = scope.unnamed();
                    self.open_block(scope, name, start)?
                }
            };
            current = Some(block);
            if let Some(instruction) = self.instruction(scope)? {
                if instruction.op.is_terminator() {
                    current = None;
                }
                if let Some(Body { block: Some(block), .. }) = scope.bodies.get_mut(block.index()) {
                    block.instructions.push(instruction);
                }
            }
        }
    }

    fn open_block(&mut self, scope: &mut Scope<'a>, name: Name<'a>, at: usize) -> Result<BlockId> {
        scope.count(&name);
        let role = name.text().map_or(BlockRole::Other, |it| BlockRole::of_label(&it));
        let id = scope.block(name, at);
        let block = Block { instructions: Vec::new(), role };
        let opened = scope.bodies.get_mut(id.index()).is_some_and(|it| it.block.replace(block).is_none());
        if !opened {
            return Err(self.cursor.error_at(at, "two blocks have this label".to_owned()));
        }
        scope.order.push(id);
        Ok(id)
    }

    /// `name:`
    fn label(&mut self) -> Result<Option<Name<'a>>> {
        let start = self.cursor.position();
        if matches!(self.cursor.peek(), Some(b'%' | b'@' | b'!')) {
            return Ok(None);
        }
        let name = self.cursor.name()?;
        if self.cursor.peek() == Some(b':') {
            self.cursor.advance(1);
            return Ok(Some(name));
        }
        self.cursor.rewind(start);
        Ok(None)
    }

    /// Defines a parameter or the result of an instruction.
    pub(super) fn define_local(
        &mut self,
        scope: &mut Scope<'a>,
        name: Name<'a>,
        ty: TypeId,
        at: usize,
    ) -> Result<LocalId> {
        scope.count(&name);
        let id = scope.local(name, ty, at);
        let Some(local) = scope.locals.get_mut(id.index()) else {
            return Ok(id);
        };
        if local.defined {
            return Err(self.cursor.error_at(at, "a local of this name is defined before".to_owned()));
        }
        if local.ty != ty {
            let (used, defined) = (self.type_text(local.ty), self.type_text(ty));
            let message = format!("this local is used with type {used}, but defined with type {defined}");
            return Err(self.cursor.error_at(local.at, message));
        }
        local.defined = true;
        Ok(id)
    }

    /// Everything that is mentioned must be defined.
    fn check_defined(&self, scope: &Scope<'_>) -> Result<()> {
        if let Some(local) = scope.locals.iter().find(|it| !it.defined) {
            return Err(self.cursor.error_at(local.at, "this local is not defined in the function".to_owned()));
        }
        if let Some(body) = scope.bodies.iter().find(|it| it.block.is_none()) {
            return Err(self.cursor.error_at(body.at, "this block does not exist in the function".to_owned()));
        }
        Ok(())
    }
}

/// The blocks in the order of the text, with that order's numbers.
fn in_order(bodies: Vec<Body>, order: &[BlockId]) -> Vec<Block> {
    let mut numbers = vec![BlockId(0); bodies.len()];
    for (at, id) in order.iter().enumerate() {
        if let Some(number) = numbers.get_mut(id.index()) {
            *number = BlockId(at as u32);
        }
    }
    let number = |id: BlockId| numbers.get(id.index()).copied().unwrap_or(id);
    let mut blocks: Vec<(BlockId, Block)> = Vec::with_capacity(bodies.len());
    for (at, body) in bodies.into_iter().enumerate() {
        let mut block = body.block.unwrap_or_default();
        for instruction in &mut block.instructions {
            instruction.op.for_each_block(|it| *it = number(*it));
        }
        blocks.push((number(BlockId(at as u32)), block));
    }
    blocks.sort_by_key(|it| it.0);
    blocks.into_iter().map(|it| it.1).collect()
}

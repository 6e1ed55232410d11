//! Global variables, aliases and their names.
//!
//! Knows: the grammar of `@name = ...`, what may be said twice. Never: linking of modules.

use super::{Name, Reader, Result, printable};
use crate::ir::attributes::Linkage;
use crate::ir::{Constant, Global, GlobalId, GlobalKind};
use std::sync::Arc;

/// What is said of a global beside its kind.
#[derive(Default)]
pub(super) struct Traits {
    pub linkage: Linkage,
    pub align: u32,
    pub thread_local: bool,
    pub section: Option<Arc<str>>,
}

impl<'a> Reader<'a> {
    /// `@name = ...`
    pub(super) fn global_definition(&mut self) -> Result<()> {
        let start = self.cursor.position();
        let id = self.global_name()?;
        self.cursor.expect(b"=")?;
        let mut traits = Traits::default();
        let mut declared = false;
        let kind = loop {
            match self.cursor.peek_word() {
                b"global" | b"constant" => break self.variable(&mut traits, declared)?,
                b"alias" => {
                    self.cursor.word();
                    break GlobalKind::Alias(self.aliasee()?);
                }
                b"ifunc" => {
                    self.cursor.word();
                    self.aliasee()?;
                    // Its address is what a function returns when the program is loaded.
                    break GlobalKind::Alias(self.add_constant(Constant::Unsupported("an ifunc".into())));
                }
                // A linkage, visibility, dll or thread-local word, some with parentheses.
                word if word.first().is_some_and(u8::is_ascii_lowercase) => {
                    self.cursor.word();
                    if let Some(linkage) = Linkage::of_word(word) {
                        traits.linkage = linkage;
                        declared = matches!(linkage, Linkage::External | Linkage::ExternWeak);
                    }
                    traits.thread_local |= word == b"thread_local";
                    self.cursor.skip_parentheses()?;
                }
                _ => return Err(self.cursor.error("`global`, `constant` or `alias`")),
            }
        };
        self.define_global(id, kind, traits, start)
    }

    fn variable(&mut self, traits: &mut Traits, declared: bool) -> Result<GlobalKind> {
        let constant = self.cursor.word() == b"constant";
        let ty = self.ty()?;
        if !self.is_value_type(ty) {
            return Err(self.cursor.error_here(format!("a variable of type {} has no content", self.type_text(ty))));
        }
        let init = if declared { None } else { Some(self.constant(ty)?) };
        self.variable_suffix(traits)?;
        Ok(GlobalKind::Variable { ty, init, constant, local: traits.linkage.is_local() })
    }

    /// `, section "x", comdat($c), align 8, !dbg !3 #1`
    fn variable_suffix(&mut self, traits: &mut Traits) -> Result<()> {
        while self.cursor.take(b",") {
            if self.cursor.peek_token() == Some(b'!') {
                self.attachment()?;
                continue;
            }
            match self.cursor.word() {
                b"align" => traits.align = self.cursor.number_u32()?,
                b"section" => traits.section = Some(printable(&self.cursor.string()?)),
                b"" => return Err(self.cursor.error("an attribute of the variable")),
                b"code_model" | b"partition" => {
                    self.cursor.string()?;
                }
                _ => self.cursor.skip_parentheses()?,
            }
        }
        while !self.cursor.at_line_end() {
            self.function_attribute()?;
        }
        Ok(())
    }

    /// The target of an alias, or the resolver of an `ifunc`.
    fn aliasee(&mut self) -> Result<crate::ir::ConstId> {
        self.ty()?;
        self.cursor.expect(b",")?;
        // The constant may stand without a type: `bitcast (...)`.
        let ty = if self.at_type() { self.ty()? } else { super::PTR };
        let target = self.constant(ty)?;
        self.variable_suffix(&mut Traits::default())?;
        Ok(target)
    }

    /// Gives a global its kind. What is only declared may be declared again or defined.
    pub(super) fn define_global(&mut self, id: GlobalId, kind: GlobalKind, traits: Traits, at: usize) -> Result<()> {
        let Some(global) = self.module.globals.get_mut(id.index()) else {
            return Ok(());
        };
        if is_definition(&global.kind) {
            let message = format!("@{} is defined twice", global.name);
            return Err(self.cursor.error_at(at, message));
        }
        global.kind = kind;
        global.linkage = traits.linkage;
        global.align = traits.align;
        global.thread_local = traits.thread_local;
        global.section = traits.section;
        Ok(())
    }

    /// A name after `@`, known or new.
    pub(super) fn global_name(&mut self) -> Result<GlobalId> {
        self.cursor.expect(b"@")?;
        let name = self.cursor.name()?;
        Ok(self.global_named(name))
    }

    fn global_named(&mut self, name: Name<'a>) -> GlobalId {
        if let Some(&id) = self.global_ids.get(&name) {
            return id;
        }
        let id = GlobalId(self.module.globals.len() as u32);
        let text = name.text().unwrap_or_else(|| name.to_string().into());
        self.module.globals.push(Global {
            name: text,
            kind: GlobalKind::Unknown,
            linkage: Linkage::External,
            align: 0,
            thread_local: false,
            section: None,
        });
        self.global_ids.insert(name, id);
        id
    }
}

fn is_definition(kind: &GlobalKind) -> bool {
    match kind {
        GlobalKind::Unknown | GlobalKind::Variable { init: None, .. } => false,
        GlobalKind::Function(function) => !function.blocks.is_empty(),
        GlobalKind::Variable { .. } | GlobalKind::Alias(_) => true,
    }
}

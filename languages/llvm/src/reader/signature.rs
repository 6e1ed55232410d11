//! Heads of functions: what stands before a body.
//!
//! Knows: `declare ...` and `define ...` up to the brace. Never: instructions.

use super::attributes::ValueAttributes;
use super::globals::Traits;
use super::{Name, Reader, Result, printable};
use crate::ir::attributes::{Linkage, ParameterFlags};
use crate::ir::{Attributes, GlobalId, Parameter, TypeId};

/// A function's head.
pub(super) struct Head<'a> {
    pub id: GlobalId,
    /// Where its name stands.
    pub at: usize,
    pub result: TypeId,
    pub result_flags: ParameterFlags,
    pub parameters: Vec<Parameter>,
    pub names: Vec<Option<Name<'a>>>,
    pub varargs: bool,
    pub attributes: Attributes,
    pub debug: Option<u32>,
    pub traits: Traits,
}

impl<'a> Reader<'a> {
    pub(super) fn head(&mut self) -> Result<Head<'a>> {
        let mut debug = None;
        // In declarations, metadata stands first: `declare !dbg !5 i32 @f()`.
        while self.cursor.peek_token() == Some(b'!') {
            debug = self.attachment()?.debug().or(debug);
        }
        let mut traits = Traits::default();
        let mut attributes = ValueAttributes::default();
        while !self.at_type() {
            match self.cursor.peek_word() {
                b"" if self.cursor.peek() == Some(b'"') => self.string_attribute()?,
                b"" => return Err(self.cursor.error("a result type")),
                word => {
                    self.cursor.word();
                    match Linkage::of_word(word) {
                        Some(linkage) => traits.linkage = linkage,
                        None => self.value_attribute(word, &mut attributes)?,
                    }
                }
            }
        }
        let result = self.ty()?;
        self.cursor.skip_space();
        let at = self.cursor.position();
        let id = self.global_name()?;
        let mut head = Head {
            id,
            at,
            result,
            result_flags: attributes.flags,
            parameters: Vec::new(),
            names: Vec::new(),
            varargs: false,
            attributes: Attributes::default(),
            debug,
            traits,
        };
        self.parameters(&mut head)?;
        self.head_suffix(&mut head)?;
        Ok(head)
    }

    fn parameters(&mut self, head: &mut Head<'a>) -> Result<()> {
        self.cursor.expect(b"(")?;
        if self.cursor.take(b")") {
            return Ok(());
        }
        loop {
            if self.cursor.take(b"...") {
                head.varargs = true;
                break;
            }
            let ty = self.ty()?;
            if !self.is_value_type(ty) {
                return Err(self.cursor.error_here(format!("a parameter of type {} has no value", self.type_text(ty))));
            }
            let ValueAttributes { flags, byval, align } = self.value_attributes()?;
            head.parameters.push(Parameter { ty, byval, flags, align });
            head.names.push(if self.cursor.take(b"%") { Some(self.cursor.name()?) } else { None });
            if !self.cursor.take(b",") {
                break;
            }
        }
        self.cursor.expect(b")")
    }

    /// What stands between the parameters and the end of the line, or the brace.
    fn head_suffix(&mut self, head: &mut Head<'a>) -> Result<()> {
        while !self.cursor.at_line_end() {
            match self.cursor.peek() {
                Some(b'{') => return Ok(()),
                Some(b'!') => head.debug = self.attachment()?.debug().or(head.debug),
                Some(b'#') => {
                    self.cursor.advance(1);
                    head.attributes.groups.push(self.cursor.number_u32()?);
                }
                Some(b'"') => {
                    self.function_attribute()?;
                }
                _ => self.head_word(head)?,
            }
        }
        Ok(())
    }

    fn head_word(&mut self, head: &mut Head<'a>) -> Result<()> {
        match self.cursor.peek_word() {
            b"section" => {
                self.cursor.word();
                head.traits.section = Some(printable(&self.cursor.string()?));
            }
            b"gc" | b"partition" => {
                self.cursor.word();
                self.cursor.string()?;
            }
            b"align" => {
                self.cursor.word();
                head.traits.align = self.cursor.number_u32()?;
            }
            b"personality" | b"prefix" | b"prologue" => {
                self.cursor.word();
                let ty = self.ty()?;
                self.constant(ty)?;
            }
            _ => head.attributes.own = head.attributes.own | self.function_attribute()?,
        }
        Ok(())
    }
}

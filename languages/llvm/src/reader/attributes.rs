//! Attributes of functions, parameters and results, and metadata attachments.
//!
//! Knows: how each is written, so that what comes after it is found. Never: what they promise.

use super::{Reader, Result};
use crate::ir::TypeId;
use crate::ir::attributes::{FunctionFlags, ParameterFlags};

/// Attributes of a parameter, argument or result.
#[derive(Clone, Copy, Default)]
pub(super) struct ValueAttributes {
    pub flags: ParameterFlags,
    pub byval: Option<TypeId>,
    pub align: u32,
}

/// Metadata that is attached to an instruction, a function or a global, by its number.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Attachment {
    /// `!dbg !7`
    Debug(u32),
    /// `!range !7`
    Range(u32),
    /// `!noundef !7`
    Defined,
    /// Any other.
    Other,
}

impl Attachment {
    /// The number of the debug location.
    pub(super) fn debug(self) -> Option<u32> {
        match self {
            Attachment::Debug(number) => Some(number),
            _ => None,
        }
    }
}

impl Reader<'_> {
    /// One attribute of a function, other than a group: a word with its argument, or a string.
    pub(super) fn function_attribute(&mut self) -> Result<FunctionFlags> {
        match self.cursor.peek_token() {
            Some(b'"') => {
                self.string_attribute()?;
                Ok(FunctionFlags::NONE)
            }
            Some(b'#') => {
                self.cursor.expect(b"#")?;
                self.cursor.number()?;
                Ok(FunctionFlags::NONE)
            }
            Some(b'a'..=b'z') => {
                let word = self.cursor.word();
                let start = self.cursor.position();
                self.attribute_argument(word)?;
                Ok(match (word, self.cursor.since(start)) {
                    (b"memory", b"(none)") => FunctionFlags::READNONE,
                    (b"memory", b"(read)") => FunctionFlags::READONLY,
                    _ => FunctionFlags::of_word(word).unwrap_or_default(),
                })
            }
            _ => Err(self.cursor.error("an attribute")),
        }
    }

    /// `"key"` or `"key"="value"`
    pub(super) fn string_attribute(&mut self) -> Result<()> {
        self.cursor.string()?;
        if self.cursor.take(b"=") {
            self.cursor.string()?;
        }
        Ok(())
    }

    /// What follows an attribute's word: `(...)`, or a number as in `align 8`, `cc 10` and `align=8`.
    pub(super) fn attribute_argument(&mut self, word: &[u8]) -> Result<Option<u32>> {
        if self.cursor.peek() == Some(b'=') {
            self.cursor.expect(b"=")?;
            return self.cursor.number_u32().map(Some);
        }
        if matches!(word, b"align" | b"cc" | b"alignstack") && matches!(self.cursor.peek_token(), Some(b'0'..=b'9')) {
            return self.cursor.number_u32().map(Some);
        }
        if self.cursor.peek() == Some(b'(') {
            self.cursor.skip_group()?;
        }
        Ok(None)
    }

    /// Attributes of a parameter or argument, up to its value or name.
    pub(super) fn value_attributes(&mut self) -> Result<ValueAttributes> {
        let mut res = ValueAttributes::default();
        loop {
            match self.cursor.peek_token() {
                Some(b'"') => self.string_attribute()?,
                Some(b'a'..=b'z') => {
                    let word = self.cursor.peek_word();
                    if self.at_constant(word) {
                        return Ok(res);
                    }
                    self.cursor.word();
                    self.value_attribute(word, &mut res)?;
                }
                _ => return Ok(res),
            }
        }
    }

    /// One attribute of a value, whose word is taken.
    pub(super) fn value_attribute(&mut self, word: &[u8], res: &mut ValueAttributes) -> Result<()> {
        res.flags = res.flags | ParameterFlags::of_word(word).unwrap_or_default();
        match word {
            b"byval" if self.cursor.take(b"(") => {
                res.byval = Some(self.ty()?);
                self.cursor.expect(b")")
            }
            b"align" => {
                // `align 8` or `align(8)`.
                let parentheses = self.cursor.take(b"(");
                res.align = self.cursor.number_u32()?;
                if parentheses { self.cursor.expect(b")") } else { Ok(()) }
            }
            _ => self.attribute_argument(word).map(|_| ()),
        }
    }

    /// `!dbg !7`, `!prof !{...}`
    pub(super) fn attachment(&mut self) -> Result<Attachment> {
        self.cursor.expect(b"!")?;
        let name = self.cursor.name()?;
        self.cursor.expect(b"!")?;
        match self.cursor.peek() {
            Some(b'0'..=b'9') => {
                let number = self.cursor.number_u32()?;
                Ok(match &name {
                    super::Name::Text(it) if **it == *b"dbg" => Attachment::Debug(number),
                    super::Name::Text(it) if **it == *b"range" => Attachment::Range(number),
                    super::Name::Text(it) if **it == *b"noundef" => Attachment::Defined,
                    _ => Attachment::Other,
                })
            }
            Some(b'{') => {
                self.cursor.skip_group()?;
                Ok(Attachment::Other)
            }
            // `!DIExpression(...)`
            _ => {
                if self.cursor.word().is_empty() {
                    return Err(self.cursor.error("metadata"));
                }
                self.cursor.skip_parentheses()?;
                Ok(Attachment::Other)
            }
        }
    }
}

//! Debug metadata: the kinds that source positions, names and types of variables need.
//!
//! Knows: `!N = !DILocation(...)` and its like. Never: what else metadata may say; it is skipped by the line.

use super::cursor::unescaped;
use super::scope::Scope;
use super::{PTR, Reader, Result, printable};
use crate::ir::{Metadata, Variable};
use std::sync::Arc;

impl<'a> Reader<'a> {
    /// A line that starts with `!`.
    pub(super) fn metadata_line(&mut self) -> Result<()> {
        let start = self.cursor.position();
        self.cursor.skip_line();
        if let Some((number, metadata)) = parse(self.cursor.since(start)) {
            self.module.metadata.insert(number, metadata);
        }
        Ok(())
    }

    /// `#dbg_declare(ptr %x, !12, !DIExpression(), !13)`: where a variable lives. Other records are skipped.
    pub(super) fn debug_record(&mut self, scope: &mut Scope<'a>) -> Result<()> {
        if self.cursor.take(b"#dbg_declare(") && self.at_type() {
            self.declared_variable(scope)?;
        }
        self.cursor.skip_line();
        Ok(())
    }

    /// `(metadata ptr %x, metadata !12, metadata !DIExpression())` of `llvm.dbg.declare`, from the parenthesis on.
    pub(super) fn debug_declaration(&mut self, scope: &mut Scope<'a>) -> Result<()> {
        if self.cursor.take(b"(") && self.cursor.take_word(b"metadata") && self.at_type() {
            self.declared_variable(scope)?;
        }
        Ok(())
    }

    /// `ptr %x, !12`; addresses that are no locals are left to the caller.
    fn declared_variable(&mut self, scope: &mut Scope<'a>) -> Result<()> {
        if self.ty()? != PTR || !self.cursor.take(b"%") {
            return Ok(());
        }
        let at = self.cursor.position();
        let name = self.cursor.name()?;
        self.cursor.expect(b",")?;
        self.cursor.take_word(b"metadata");
        if !self.cursor.take(b"!") || !matches!(self.cursor.peek(), Some(b'0'..=b'9')) {
            return Ok(());
        }
        let metadata = self.cursor.number_u32()?;
        let local = scope.local(name, PTR, at);
        scope.variables.push(Variable { local, metadata });
        Ok(())
    }
}

fn parse(line: &[u8]) -> Option<(u32, Metadata)> {
    let rest = line.strip_prefix(b"!")?;
    let (number, rest) = number(rest)?;
    let rest = rest.strip_prefix(b" = ")?;
    let rest = rest.strip_prefix(b"distinct ").unwrap_or(rest);
    if let Some(rest) = rest.strip_prefix(b"!{") {
        return Some((number, ranges(rest).or_else(|| list(rest))?));
    }
    let rest = rest.strip_prefix(b"!DI")?;
    let kind = rest.get(..memchr::memchr(b'(', rest)?)?;
    let fields = Fields { rest: rest.get(kind.len() + 1..)? };
    let metadata = match kind {
        b"Location" => location(fields)?,
        b"Subprogram" => subprogram(fields)?,
        b"LexicalBlock" | b"LexicalBlockFile" => block(fields)?,
        b"File" => file(fields)?,
        b"LocalVariable" => variable(fields)?,
        b"CompileUnit" => unit(fields)?,
        b"GlobalVariable" => global_variable(fields)?,
        b"BasicType" => basic_type(fields)?,
        b"DerivedType" | b"CompositeType" => made_type(fields, kind == b"CompositeType")?,
        b"SubroutineType" => signature(fields),
        b"Subrange" => subrange(fields),
        _ => return None,
    };
    Some((number, metadata))
}

fn location(fields: Fields<'_>) -> Option<Metadata> {
    let (mut line, mut column, mut scope, mut inlined_at) = (0, 0, None, None);
    for (key, value) in fields {
        match key {
            b"line" => line = plain(value)?,
            b"column" => column = plain(value)?,
            b"scope" => scope = reference(value),
            b"inlinedAt" => inlined_at = reference(value),
            _ => {}
        }
    }
    Some(Metadata::Location { line, column, scope: scope?, inlined_at })
}

fn subprogram(fields: Fields<'_>) -> Option<Metadata> {
    let (mut name, mut file, mut line, mut optimised, mut ty) = (None, None, 0, false, None);
    for (key, value) in fields {
        match key {
            b"name" => name = text(value),
            b"file" => file = reference(value),
            b"line" => line = plain(value)?,
            b"type" => ty = reference(value),
            b"isOptimized" => optimised |= value == b"true",
            b"spFlags" => optimised |= printable(value).contains("DISPFlagOptimized"),
            _ => {}
        }
    }
    Some(Metadata::Subprogram { name: name?, file, line, optimised, ty })
}

fn block(fields: Fields<'_>) -> Option<Metadata> {
    let (mut scope, mut file) = (None, None);
    for (key, value) in fields {
        match key {
            b"scope" => scope = reference(value),
            b"file" => file = reference(value),
            _ => {}
        }
    }
    Some(Metadata::Block { scope: scope?, file })
}

fn file(fields: Fields<'_>) -> Option<Metadata> {
    let (mut name, mut directory) = (None, None);
    for (key, value) in fields {
        match key {
            b"filename" => name = text(value),
            b"directory" => directory = text(value),
            _ => {}
        }
    }
    Some(Metadata::File { name: name?, directory: directory.unwrap_or_default() })
}

fn variable(fields: Fields<'_>) -> Option<Metadata> {
    let (mut name, mut scope, mut parameter, mut line, mut ty) = (None, None, None, 0, None);
    for (key, value) in fields {
        match key {
            b"name" => name = text(value),
            b"scope" => scope = reference(value),
            b"arg" => parameter = plain(value).filter(|&it| it != 0),
            b"line" => line = plain(value)?,
            b"type" => ty = reference(value),
            _ => {}
        }
    }
    Some(Metadata::Variable { name: name?, scope: scope?, parameter, line, ty })
}

fn global_variable(fields: Fields<'_>) -> Option<Metadata> {
    let (mut name, mut linkage, mut ty) = (None, None, None);
    for (key, value) in fields {
        match key {
            b"name" => name = text(value),
            b"linkageName" => linkage = text(value),
            b"type" => ty = reference(value),
            _ => {}
        }
    }
    Some(Metadata::GlobalVariable { name: name?, linkage, ty })
}

fn basic_type(fields: Fields<'_>) -> Option<Metadata> {
    let (mut name, mut bits, mut encoding) = (None, 0, None);
    for (key, value) in fields {
        match key {
            b"name" => name = text(value),
            b"size" => bits = long(value)?,
            b"encoding" => encoding = Some(printable(value)),
            _ => {}
        }
    }
    Some(Metadata::BasicType { name: name.unwrap_or_default(), bits, encoding: encoding? })
}

fn made_type(fields: Fields<'_>, composite: bool) -> Option<Metadata> {
    let (mut tag, mut name, mut base, mut bits, mut offset, mut elements) = (None, None, None, 0, 0, None);
    let mut bit_field = false;
    for (key, value) in fields {
        match key {
            b"tag" => tag = Some(printable(value)),
            b"name" => name = text(value),
            b"baseType" => base = reference(value),
            b"size" => bits = long(value)?,
            b"offset" => offset = long(value)?,
            b"elements" => elements = reference(value),
            b"flags" => bit_field = memchr::memmem::find(value, b"DIFlagBitField").is_some(),
            _ => {}
        }
    }
    let (tag, name) = (tag?, name.unwrap_or_default());
    Some(match composite {
        true => Metadata::CompositeType { tag, name, base, bits, elements },
        false => Metadata::DerivedType { tag, name, base, bits, offset, bit_field },
    })
}

fn signature(mut fields: Fields<'_>) -> Metadata {
    Metadata::Signature { types: fields.find(|it| it.0 == b"types").and_then(|it| reference(it.1)) }
}

fn subrange(mut fields: Fields<'_>) -> Metadata {
    Metadata::Subrange { count: fields.find(|it| it.0 == b"count").and_then(|it| long(it.1)) }
}

/// `!1, !2, null}`; lists of anything else are left out.
fn list(rest: &[u8]) -> Option<Metadata> {
    let inner = rest.get(..memchr::memchr(b'}', rest)?)?.trim_ascii();
    if inner.is_empty() {
        return None;
    }
    let item = |it: &[u8]| if it == b"null" { Some(u32::MAX) } else { reference(it) };
    let items: Option<Box<[u32]>> = inner.split(|&it| it == b',').map(|it| item(it.trim_ascii())).collect();
    Some(Metadata::List(items?))
}

/// `i8 0, i8 2}`: pairs of numbers of one type.
fn ranges(rest: &[u8]) -> Option<Metadata> {
    let inner = std::str::from_utf8(rest.get(..memchr::memchr(b'}', rest)?)?).ok()?;
    let number = |it: &str| -> Option<i128> {
        let (ty, number) = it.trim().strip_prefix('i')?.split_once(' ')?;
        ty.parse::<u32>().ok()?;
        number.parse().ok()
    };
    let numbers: Option<Vec<i128>> = inner.split(',').map(number).collect();
    let (pairs, rest) = numbers.as_deref()?.as_chunks();
    if !rest.is_empty() || pairs.is_empty() {
        return None;
    }
    Some(Metadata::Ranges(pairs.iter().map(|&[from, to]| (from, to)).collect()))
}

fn unit(fields: Fields<'_>) -> Option<Metadata> {
    let (mut language, mut file) = (None, None);
    for (key, value) in fields {
        match key {
            // `sourceLanguageName` of DWARF 6.
            b"language" | b"sourceLanguageName" => language = Some(printable(value)),
            b"file" => file = reference(value),
            _ => {}
        }
    }
    Some(Metadata::Unit { language: language?, file })
}

/// The fields `key: value` of a node, to the parenthesis that ends it.
struct Fields<'a> {
    rest: &'a [u8],
}

impl<'a> Iterator for Fields<'a> {
    type Item = (&'a [u8], &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        let start = self.rest.iter().position(|it| !matches!(it, b' ' | b','))?;
        let rest = self.rest.get(start..)?;
        let colon = memchr::memchr(b':', rest)?;
        let key = rest.get(..colon)?;
        let rest = rest.get(colon + 1..)?.trim_ascii_start();
        let length = value_length(rest);
        self.rest = rest.get(length..)?;
        Some((key, rest.get(..length)?))
    }
}

/// The length of a value: to the next `,` or `)` outside of quotes and brackets.
fn value_length(text: &[u8]) -> usize {
    let (mut depth, mut quoted) = (0usize, false);
    for (at, byte) in text.iter().enumerate() {
        match byte {
            b'"' => quoted = !quoted,
            _ if quoted => {}
            b'(' | b'{' => depth += 1,
            b')' | b'}' if depth > 0 => depth -= 1,
            b',' | b')' if depth == 0 => return at,
            _ => {}
        }
    }
    text.len()
}

/// A number at the start of `text`, and what follows it.
fn number(text: &[u8]) -> Option<(u32, &[u8])> {
    let digits = text.iter().take_while(|it| it.is_ascii_digit()).count();
    let (digits, rest) = text.split_at_checked(digits)?;
    Some((std::str::from_utf8(digits).ok()?.parse().ok()?, rest))
}

fn plain(value: &[u8]) -> Option<u32> {
    Some(number(value)?.0)
}

fn long(value: &[u8]) -> Option<u64> {
    let digits = value.iter().take_while(|it| it.is_ascii_digit()).count();
    std::str::from_utf8(value.get(..digits)?).ok()?.parse().ok()
}

/// `!7`
fn reference(value: &[u8]) -> Option<u32> {
    plain(value.strip_prefix(b"!")?)
}

fn text(value: &[u8]) -> Option<Arc<str>> {
    Some(printable(&unescaped(value.strip_prefix(b"\"")?.strip_suffix(b"\"")?)))
}

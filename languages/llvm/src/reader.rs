//! The reader of textual LLVM IR, of any version from 14 to 22.
//!
//! Knows: the grammar of modules. Never: execution, layouts.
//! Tolerant of what execution does not need (attributes, most metadata), strict where a wrong guess would change
//! the meaning. Typed pointers (up to LLVM 16) are read and erased. Never panics, recursion is bounded by
//! [`MAX_DEPTH`].

mod constants;
mod cursor;
mod function;
mod instruction;
mod metadata;
mod types;

use crate::ir::{ConstId, Constant, Global, GlobalId, GlobalKind, Module, Type, TypeId};
use cursor::Cursor;
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::rc::Rc;

/// How deep types and constants may nest.
pub const MAX_DEPTH: u32 = 200;

/// What was wrong with a text, and where.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}, column {column}: {message}")]
pub struct ReadError {
    /// The line, from 1.
    pub line: u32,
    /// The column in bytes, from 1.
    pub column: u32,
    /// What was expected and what was found.
    pub message: String,
    /// The line's text, shortened.
    pub excerpt: String,
}

type Result<T> = std::result::Result<T, ReadError>;

/// Reads a module.
///
/// # Errors
/// The first place at which the text is not what LLVM writes.
pub fn read(text: &[u8]) -> Result<Module> {
    let mut reader = Reader::new(text);
    reader.module()?;
    Ok(reader.module)
}

/// The state of reading one module.
struct Reader<'a> {
    cursor: Cursor<'a>,
    module: Module,
    type_ids: FxHashMap<Type, TypeId>,
    named_types: FxHashMap<Cow<'a, [u8]>, TypeId>,
    global_ids: FxHashMap<Vec<u8>, GlobalId>,
    small_constants: FxHashMap<(TypeId, u64), ConstId>,
    global_constants: FxHashMap<GlobalId, ConstId>,
    depth: u32,
}

impl<'a> Reader<'a> {
    fn new(text: &'a [u8]) -> Reader<'a> {
        Reader {
            cursor: Cursor::new(text),
            module: Module::default(),
            type_ids: FxHashMap::default(),
            named_types: FxHashMap::default(),
            global_ids: FxHashMap::default(),
            small_constants: FxHashMap::default(),
            global_constants: FxHashMap::default(),
            depth: 0,
        }
    }

    fn module(&mut self) -> Result<()> {
        loop {
            self.cursor.skip_space();
            match self.cursor.peek() {
                None => return Ok(()),
                Some(b'!') => self.metadata_line()?,
                Some(b'%') => self.type_definition()?,
                Some(b'@') => self.global_definition()?,
                Some(b'^') => self.cursor.skip_summary(),
                Some(b'$') => self.cursor.skip_line(),
                Some(_) => self.keyword_line()?,
            }
        }
    }

    fn keyword_line(&mut self) -> Result<()> {
        match self.cursor.word() {
            b"source_filename" => {
                self.cursor.expect(b"=")?;
                let name = self.cursor.string()?;
                self.module.source = String::from_utf8_lossy(&name).into();
                Ok(())
            }
            b"target" => self.target(),
            b"define" => self.define(),
            b"declare" => self.declare(),
            b"attributes" => {
                self.cursor.skip_balanced_line();
                Ok(())
            }
            b"module" | b"uselistorder" | b"uselistorder_bb" => {
                self.cursor.skip_line();
                Ok(())
            }
            _ => Err(self.cursor.error("a definition, declaration or module-level line")),
        }
    }

    /// `target datalayout = "..."`: what execution assumes is checked here.
    fn target(&mut self) -> Result<()> {
        let what = self.cursor.word();
        self.cursor.expect(b"=")?;
        let place = self.cursor.position();
        let value = self.cursor.string()?;
        if what == b"datalayout" {
            let text = String::from_utf8_lossy(&value).into_owned();
            let narrow = text.split('-').any(|it| {
                let mut parts = it.split(':');
                let name = parts.next().unwrap_or("");
                (name == "p" || name == "p0") && parts.next().is_some_and(|size| size != "64")
            });
            if narrow || text.split('-').any(|it| it == "E") {
                let message = "a little-endian target with 64-bit pointers was expected (x86-64, AArch64)";
                return Err(self.cursor.error_at(place, message.to_owned()));
            }
        }
        Ok(())
    }

    /// `@name = ...`
    fn global_definition(&mut self) -> Result<()> {
        let id = self.global_name()?;
        self.cursor.expect(b"=")?;
        let mut local = false;
        let mut external = false;
        loop {
            let start = self.cursor.position();
            match self.cursor.word() {
                b"internal" | b"private" => local = true,
                b"external" | b"extern_weak" => external = true,
                b"global" => return self.variable(id, false, local, external),
                b"constant" => return self.variable(id, true, local, external),
                b"alias" | b"ifunc" => return self.alias(id),
                b"" => return Err(self.cursor.error("`global`, `constant` or `alias`")),
                word => {
                    // A linkage, visibility, dll or thread-local word, some with parentheses.
                    if !word.first().is_some_and(u8::is_ascii_lowercase) {
                        return Err(self.cursor.error_at(start, "a linkage word was expected".to_owned()));
                    }
                    self.cursor.skip_parentheses()?;
                }
            }
        }
    }

    fn variable(&mut self, id: GlobalId, constant: bool, local: bool, external: bool) -> Result<()> {
        let ty = self.ty()?;
        let init = if external { None } else { Some(self.constant(ty)?) };
        self.cursor.skip_line();
        self.set_global(id, GlobalKind::Variable { ty, init, constant, local })
    }

    fn alias(&mut self, id: GlobalId) -> Result<()> {
        self.ty()?;
        self.cursor.expect(b",")?;
        let ty = self.ty()?;
        let target = self.constant(ty)?;
        self.cursor.skip_line();
        self.set_global(id, GlobalKind::Alias(target))
    }

    fn set_global(&mut self, id: GlobalId, kind: GlobalKind) -> Result<()> {
        let global = &mut self.module.globals[id.index()];
        let redeclared = matches!(&global.kind, GlobalKind::Unknown)
            || matches!(&global.kind, GlobalKind::Function(it) if it.blocks.is_empty())
            || matches!(&global.kind, GlobalKind::Variable { init: None, .. });
        if !redeclared {
            let message = format!("@{} is defined twice", global.name);
            return Err(self.cursor.error_here(message));
        }
        global.kind = kind;
        Ok(())
    }

    /// A name after `@`, known or new.
    fn global_name(&mut self) -> Result<GlobalId> {
        self.cursor.expect(b"@")?;
        let name = self.cursor.name()?;
        Ok(self.global_id(&name))
    }

    fn global_id(&mut self, name: &[u8]) -> GlobalId {
        if let Some(&id) = self.global_ids.get(name) {
            return id;
        }
        let id = GlobalId(self.module.globals.len() as u32);
        let text: Rc<str> = String::from_utf8_lossy(name).into();
        self.module.globals.push(Global { name: text, kind: GlobalKind::Unknown });
        self.global_ids.insert(name.to_vec(), id);
        id
    }

    fn add_constant(&mut self, constant: Constant) -> ConstId {
        self.module.constants.push(constant);
        ConstId(self.module.constants.len() as u32 - 1)
    }

    /// Runs `read` one level deeper, or refuses.
    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth >= MAX_DEPTH {
            return Err(self.cursor.error_here(format!("types and constants nest more than {MAX_DEPTH} deep")));
        }
        self.depth += 1;
        let res = read(self);
        self.depth -= 1;
        res
    }
}

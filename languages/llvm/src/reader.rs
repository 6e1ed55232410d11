//! The reader of textual LLVM IR, of any version from 14 to 22.
//!
//! Knows: the grammar of modules. Never: execution, layouts.
//!
//! Tolerant of what execution does not need (attributes, most metadata), strict where a wrong guess would change
//! the meaning: operands have the types that instructions name, constants those of their places. Typed pointers (up
//! to LLVM 16) are read and erased. The text may be anything: reading never panics, recursion is bounded by
//! [`MAX_DEPTH`], memory by the length of the text.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod attributes;
mod check;
mod constants;
mod cursor;
mod floats;
mod function;
mod globals;
mod instruction;
mod metadata;
mod names;
mod opcodes;
mod scope;
mod signature;
mod types;

use crate::ir::attributes::FunctionFlags;
use crate::ir::layout::MeasureError;
use crate::ir::target::DataLayout;
use crate::ir::{ConstId, Constant, GlobalId, Module, Type, TypeId};
use cursor::Cursor;
use names::{Name, printable};
use rustc_hash::FxHashMap;

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
    if u32::try_from(text.len()).is_err() {
        return Err(reader.cursor.error_here("a text of less than 4 GiB was expected".to_owned()));
    }
    reader.module()?;
    reader.measure()?;
    Ok(reader.module)
}

/// The state of reading one module.
struct Reader<'a> {
    cursor: Cursor<'a>,
    module: Module,
    type_ids: FxHashMap<Type, TypeId>,
    named_types: FxHashMap<Name<'a>, TypeId>,
    /// Where named types are defined.
    type_places: FxHashMap<TypeId, usize>,
    /// Lanes of vectors whose number only the target knows; to others they are types without layout.
    scalable: FxHashMap<TypeId, types::Lanes>,
    global_ids: FxHashMap<Name<'a>, GlobalId>,
    small_constants: FxHashMap<(TypeId, u64), ConstId>,
    zero_constants: FxHashMap<TypeId, ConstId>,
    undefined_constants: FxHashMap<TypeId, ConstId>,
    global_constants: FxHashMap<GlobalId, ConstId>,
    /// How many elements `splat` may still stand for, in all.
    splat_budget: u64,
    depth: u32,
}

/// Types that instructions need without naming them; the reader interns them first.
const VOID: TypeId = TypeId(0);
const PTR: TypeId = TypeId(1);
const BIT: TypeId = TypeId(2);

impl<'a> Reader<'a> {
    fn new(text: &'a [u8]) -> Reader<'a> {
        let mut reader = Reader {
            cursor: Cursor::new(text),
            module: Module::default(),
            type_ids: FxHashMap::default(),
            named_types: FxHashMap::default(),
            type_places: FxHashMap::default(),
            scalable: FxHashMap::default(),
            global_ids: FxHashMap::default(),
            small_constants: FxHashMap::default(),
            zero_constants: FxHashMap::default(),
            undefined_constants: FxHashMap::default(),
            global_constants: FxHashMap::default(),
            splat_budget: constants::MAX_SPLAT + text.len() as u64,
            depth: 0,
        };
        for (ty, id) in [(Type::Void, VOID), (Type::Ptr, PTR), (Type::Int(1), BIT)] {
            let interned = reader.type_id(ty);
            debug_assert_eq!(interned, id);
        }
        reader
    }

    fn module(&mut self) -> Result<()> {
        loop {
            match self.cursor.peek_token() {
                None => return Ok(()),
                Some(b'!') => self.metadata_line()?,
                Some(b'%') => self.type_definition()?,
                Some(b'@') => self.global_definition()?,
                // Summaries and comdats: a line each.
                Some(b'^' | b'$') => self.cursor.skip_line(),
                Some(_) => self.keyword_line()?,
            }
        }
    }

    fn keyword_line(&mut self) -> Result<()> {
        match self.cursor.peek_word() {
            b"source_filename" => {
                self.cursor.word();
                self.cursor.expect(b"=")?;
                self.module.source = printable(&self.cursor.string()?);
            }
            b"target" => {
                self.cursor.word();
                self.target()?;
            }
            b"define" => {
                self.cursor.word();
                self.define()?;
            }
            b"declare" => {
                self.cursor.word();
                self.declare()?;
            }
            b"attributes" => {
                self.cursor.word();
                self.attribute_group()?;
            }
            b"module" => {
                self.cursor.word();
                self.cursor.expect_word(b"asm")?;
                let line = printable(&self.cursor.string()?);
                self.module.assembly.push(line);
            }
            b"uselistorder" | b"uselistorder_bb" => self.cursor.skip_line(),
            _ => {
                return Err(self.cursor.error("a definition, declaration or module-level line"));
            }
        }
        Ok(())
    }

    /// `target datalayout = "..."`, `target triple = "..."`: what execution assumes is checked here.
    fn target(&mut self) -> Result<()> {
        let what = self.cursor.word();
        self.cursor.expect(b"=")?;
        self.cursor.skip_space();
        let place = self.cursor.position();
        let text = printable(&self.cursor.string()?);
        match what {
            b"triple" => self.module.triple = text,
            b"datalayout" => {
                let layout = DataLayout::parse(&text).map_err(|it| self.cursor.error_at(place, it))?;
                if !layout.little_endian || layout.pointer_bits != 64 {
                    let message = "a little-endian target with 64-bit pointers was expected (x86-64, AArch64)";
                    return Err(self.cursor.error_at(place, message.to_owned()));
                }
                self.module.target = layout;
            }
            _ => {
                return Err(self.cursor.error_at(place, "`datalayout` or `triple` was expected".to_owned()));
            }
        }
        Ok(())
    }

    /// `attributes #0 = { noreturn "key"="value" ... }`
    fn attribute_group(&mut self) -> Result<()> {
        self.cursor.expect(b"#")?;
        let number = self.cursor.number_u32()?;
        self.cursor.expect(b"=")?;
        self.cursor.expect(b"{")?;
        let mut flags = FunctionFlags::NONE;
        while !self.cursor.take(b"}") {
            flags = flags | self.function_attribute()?;
        }
        self.module.attribute_groups.insert(number, flags);
        Ok(())
    }

    /// Measures the types when all are known.
    fn measure(&mut self) -> Result<()> {
        let error = match self.module.measure() {
            Ok(()) => return Ok(()),
            Err(error) => error,
        };
        let (types, problem) = match error {
            MeasureError::Cycle(types) => (types, "contains itself".to_owned()),
            MeasureError::Depth(ty) => (vec![ty], format!("nests more than {} deep", crate::ir::layout::MAX_DEPTH)),
        };
        let named = types.iter().find_map(|it| Some((*it, *self.type_places.get(it)?)));
        Err(match named {
            Some((ty, place)) => self.cursor.error_at(place, format!("the type {} {problem}", self.type_text(ty))),
            None => self.cursor.error_at(0, format!("a type of this module {problem}")),
        })
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

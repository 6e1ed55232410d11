//! Follows imports: every file once, cycles or not.
//!
//! Knows: which file imports which. Never: how a path becomes a file (the [`Loader`] knows), what is in a declaration.
//! Source: `RecParser` of silver's `FastParser.scala`.

use crate::ast::{Import, Item, Program, Span};
use crate::error::ReadError;
use crate::{Loader, parser};
use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

/// So many files may import one another in a row.
const MAX_CHAIN: u32 = 200;

/// So many files may be read in all.
const MAX_FILES: usize = 2_000;

struct Imports<'a> {
    loader: &'a mut dyn Loader,
    files: Vec<Arc<str>>,
    items: Vec<Item>,
    errors: Vec<ReadError>,
    /// What was asked for: path, standard, from which file.
    asked: HashSet<(Arc<str>, bool, Arc<str>)>,
    /// The files that were read: name, standard.
    seen: HashSet<(Arc<str>, bool)>,
}

/// The declarations of all files, imports replaced by what they import, and of these files of the standard library.
pub(crate) fn follow(
    name: &str,
    text: &str,
    standard: &BTreeSet<&str>,
    loader: &mut dyn Loader,
) -> Result<Program, Vec<ReadError>> {
    let mut imports = Imports {
        loader,
        files: Vec::new(),
        items: Vec::new(),
        errors: Vec::new(),
        asked: HashSet::new(),
        seen: HashSet::new(),
    };
    let name: Arc<str> = name.into();
    imports.seen.insert((name.clone(), false));
    imports.file(name.clone(), text, None, 0);
    for path in standard {
        if let Err(what) = imports.load((*path).into(), true, &name, 0) {
            imports.errors.push(ReadError::parser(Span::default(), what));
        }
    }
    let Imports { files, items, errors, .. } = imports;
    if errors.is_empty() { Ok(Program { files, items, warnings: Vec::new() }) } else { Err(errors) }
}

impl Imports<'_> {
    /// Reads a file; `standard` is its path in the standard library, if it is of that.
    fn file(&mut self, name: Arc<str>, text: &str, standard: Option<String>, chain: u32) {
        let (items, errors) = parser::parse(text, self.files.len() as u32);
        self.files.push(name.clone());
        self.errors.extend(errors);
        let mut imports = Vec::new();
        for item in items {
            match item {
                Item::Import(it) => imports.push(it),
                item => self.items.push(item),
            }
        }
        for it in imports {
            if let Err(what) = self.import(&it, &name, standard.as_deref(), chain) {
                self.errors.push(ReadError::parser(it.span, what));
            }
        }
    }

    /// What a file of the standard library imports is of the standard library, however it is written.
    fn import(&mut self, import: &Import, from: &Arc<str>, library: Option<&str>, chain: u32) -> Result<(), String> {
        let standard = import.standard || library.is_some();
        let path: Arc<str> = match library {
            Some(library) if !import.standard => beside(library, &import.path.text).into(),
            _ => import.path.text.clone(),
        };
        self.load(path, standard, from, chain)
    }

    fn load(&mut self, path: Arc<str>, standard: bool, from: &Arc<str>, chain: u32) -> Result<(), String> {
        if !self.asked.insert((path.clone(), standard, from.clone())) {
            return Ok(());
        }
        if chain >= MAX_CHAIN || self.files.len() >= MAX_FILES {
            return Err(format!("cannot import {path}: too many imports"));
        }
        let loaded = self.loader.load(&path, standard, from).map_err(|what| format!("cannot import {path}: {what}"))?;
        if self.seen.insert((loaded.name.clone(), standard)) {
            let library = if standard { Some(path.to_string()) } else { None };
            self.file(loaded.name, &loaded.text, library, chain + 1);
        }
        Ok(())
    }
}

/// The path of the library that `path` names in the library's file `library`, without `.` and `..`.
fn beside(library: &str, path: &str) -> String {
    let mut res: Vec<&str> = library.split('/').collect();
    res.pop();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(res.pop()),
            _ => res.push(part),
        }
    }
    res.join("/")
}

//! The program that calls one function of a C file, compiled.
//!
//! Knows: how a file becomes part of the program that calls a function in it. Never: how arguments are made up (`entry`).
//!
//! The file's own `main`, and that of any other file, is another function then.

use super::unit::with_files_from_here;
use super::{CompileUnit, DriverError, Kind, Scratch, add_library, io, run, write_headers};
use crate::entry::{EntryError, Harness, Signature, Wishes};
use crate::library;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

/// What another `main` is called.
const OTHER_MAIN: &str = "-Dmain=effigy_unused_main";

/// What the statements of `main` need, after the program's own text.
const NEEDS: &str = "#include <klee/klee.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\n";

/// A program that calls a function, and takes the place of the file in which that stands.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Driven {
    /// The file, absolute.
    pub file: PathBuf,
    /// The function.
    pub function: String,
    /// Its `main`.
    pub text: String,
    /// What is not any value of the arguments, a sentence each.
    #[serde(default)]
    pub remarks: Vec<String>,
}

/// Types of the headers that files define as macros, where they do without a header.
const OFTEN_DEFINED: [&str; 10] =
    ["int8_t", "int16_t", "int32_t", "int64_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t", "uintptr_t", "size_t"];

/// Puts such macros away while our headers are read, which come after the file, or brings them back.
fn set_aside(how: &str, then: &str) -> String {
    OFTEN_DEFINED.map(|it| format!("#pragma {how}_macro(\"{it}\")\n{then} {it}\n")).concat()
}

impl Driven {
    /// Puts the calling program in the place of the file with the function. `None` where the function stands in no C
    /// file.
    ///
    /// # Errors
    /// When the function cannot be called with any arguments, or clang refuses what calls it.
    pub fn find(
        modules: &mut Vec<(String, Vec<u8>)>,
        units: &[CompileUnit],
        entry: &str,
        wishes: &Wishes,
    ) -> Result<Option<Driven>, DriverError> {
        let (wanted, name) = match entry.rsplit_once(':') {
            Some((file, name)) if units.iter().any(|it| it.file.ends_with(file)) => (Some(file), name),
            _ => (None, entry),
        };
        let is_candidate = |it: &&CompileUnit| {
            matches!(it.kind(), Ok(Kind::C)) && wanted.is_none_or(|wanted| it.file.ends_with(wanted))
        };
        let candidates: Vec<&CompileUnit> = units.iter().filter(is_candidate).collect();
        let mut found = signatures(modules, &candidates, name);
        if found.is_empty() {
            // A static function that nothing calls is not in the module.
            let mut texts = Vec::new();
            for unit in candidates.iter().filter(|it| mentions(&it.file, name)) {
                texts.push((unit.file.display().to_string(), compile(unit, &["-O0", "-femit-all-decls"])?));
            }
            found = signatures(&texts, &candidates, name);
        }
        let (unit, signature) = match &found[..] {
            [] => return Ok(None),
            [one] => one,
            _ => {
                let files = found.iter().map(|it| it.0.file.display().to_string()).collect();
                return Err(EntryError::Several { name: name.to_owned(), files }.into());
            }
        };
        let Harness { text, remarks } = signature.harness(wishes)?;
        let absolute = std::path::absolute(&unit.file).map_err(io(&unit.file))?;
        let driven = Driven { file: absolute, function: name.to_owned(), text, remarks };
        modules.retain(|it| !library::is_part(&it.0));
        for (module, other) in modules.iter_mut().zip(units) {
            if other.file == unit.file {
                module.1 = driven.module(other)?;
            } else if matches!(other.kind(), Ok(Kind::C | Kind::Cpp)) && library::defines(&module.1, "main") {
                module.1 = compile(other, &[OTHER_MAIN])?;
            }
        }
        add_library(modules, units)?;
        Ok(Some(driven))
    }

    /// The C file that a user goes on with.
    pub fn written(&self) -> String {
        format!(
            "/* Calls {} with any arguments. Written by effigy, to be edited: effigy run --no-check leak THIS-FILE\n   (what it allocates, it does not free) */\n\
             #define main program_main\n#include \"{}\"\n#undef main\n\n{NEEDS}{}",
            self.function,
            self.file.display(),
            self.text
        )
    }

    /// Adds to a command of clang what it compiles: this program, from its standard input.
    pub(super) fn compile(&self, command: &mut Command, scratch: &Scratch) -> Result<(), DriverError> {
        let path = scratch.path().join("driven.c");
        // What is called stays a call, however the program is optimised.
        let text = format!(
            "{}#undef main\n#line 1 \"{}driver.c\"\n{NEEDS}{}{}",
            set_aside("push", "#undef"),
            library::ROOM,
            set_aside("pop", "//"),
            self.text.replace("int main(void)", "__attribute__((optnone, noinline)) int main(void)")
        );
        std::fs::write(&path, text).map_err(io(&path))?;
        let input = std::fs::File::open(&path).map_err(io(&path))?;
        command.arg(OTHER_MAIN).arg("-include").arg(&self.file).args(["-x", "c", "-"]).stdin(Stdio::from(input));
        Ok(())
    }

    /// The module of it: that of the file, and `main`.
    fn module(&self, unit: &CompileUnit) -> Result<Vec<u8>, DriverError> {
        let scratch = Scratch::new()?;
        let include = write_headers(&scratch)?;
        let output = scratch.path().join("driven.ll");
        let mut command = super::to_ir(&include)?;
        unit.enter(&mut command);
        // Places are told as the user has named the file.
        if let (None, true, Ok(here)) = (&unit.directory, unit.file.is_relative(), std::env::current_dir()) {
            command.arg(format!("-fdebug-prefix-map={}/=", here.display()));
        }
        command.arg("-w").args(&unit.flags);
        self.compile(&mut command, &scratch)?;
        run(command.arg("-o").arg(&output))?;
        named_from_here(unit, &output)
    }
}

/// The function in each file that defines it.
fn signatures<'f>(
    modules: &[(String, Vec<u8>)],
    units: &[&'f CompileUnit],
    name: &str,
) -> Vec<(&'f CompileUnit, Signature)> {
    let mut res = Vec::new();
    for (module, text) in modules {
        let Some(unit) = units.iter().find(|it| it.file.display().to_string() == *module) else { continue };
        if !library::defines(text, name) {
            continue;
        }
        // What cannot be read is told when the program is loaded.
        let Ok(module) = crate::reader::read(text) else { continue };
        res.extend(Signature::find(&Arc::new(module), name).map(|it| (*unit, it)));
    }
    res
}

/// Whether the text of a file has a name in it, or takes from other files.
fn mentions(file: &Path, name: &str) -> bool {
    let text = std::fs::read(file).unwrap_or_default();
    let has = |it: &[u8]| memchr::memmem::find(&text, it).is_some();
    has(name.as_bytes()) || has(b"#include")
}

fn compile(unit: &CompileUnit, more: &[&str]) -> Result<Vec<u8>, DriverError> {
    let scratch = Scratch::new()?;
    let include = write_headers(&scratch)?;
    let output = scratch.path().join("one.ll");
    run(&mut super::clang_to_ir(unit, more, None, &include, &output)?)?;
    named_from_here(unit, &output)
}

/// The text of a module, with files named as the user names them.
fn named_from_here(unit: &CompileUnit, module: &Path) -> Result<Vec<u8>, DriverError> {
    let text = std::fs::read(module).map_err(io(module))?;
    Ok(if unit.directory.is_some() { with_files_from_here(&text) } else { text })
}

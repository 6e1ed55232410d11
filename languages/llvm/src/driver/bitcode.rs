//! LLVM bitcode as textual IR: files of bitcode, and object files and archives that carry it.
//!
//! Knows: where bitcode lies in an object file, which programs disassemble it. Never: what is in the text.

use super::project::{LinkerSymbols, is_archive, members};
use super::{DriverError, Scratch, clang, ending_with_us, io, shortened, unit};
use object::{Object, ObjectSection};
use rustc_hash::FxHashSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// How bitcode begins, and bitcode with a head in front of it.
const MAGIC: &[u8] = b"BC\xc0\xde";
const WRAPPED: &[u8] = b"\xde\xc0\x17\x0b";

/// The section in which `-fembed-bitcode` puts it, and that of GCC's `-flto`, which is another language.
const SECTION: &str = ".llvmbc";
const SECTION_OF_GCC: &str = ".gnu.lto_.opts";

/// Versions of LLVM whose disassemblers are looked for, the newest first: each reads the bitcode of all before it.
const VERSIONS: std::ops::RangeInclusive<u32> = 14..=24;

/// Where a file has its bitcode.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Carrier<'a> {
    /// It is bitcode.
    Whole,
    /// A section of an object file.
    Section(&'a [u8]),
    /// Nowhere: why.
    None(&'static str),
}

fn carrier(bytes: &[u8]) -> Carrier<'_> {
    if is_bitcode(bytes) {
        return Carrier::Whole;
    }
    let Ok(file) = object::File::parse(bytes) else {
        return Carrier::None("an object file was expected");
    };
    if let Some(data) = file.section_by_name(SECTION).and_then(|it| it.data().ok())
        && is_bitcode(data)
    {
        return Carrier::Section(data);
    }
    match file.sections().any(|it| it.name().is_ok_and(|it| it.starts_with(SECTION_OF_GCC))) {
        true => Carrier::None("it has the code of GCC, and no LLVM bitcode"),
        false => Carrier::None("it has no LLVM bitcode"),
    }
}

/// Whether these are the bytes of LLVM bitcode.
pub(super) fn is_bitcode(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC) || bytes.starts_with(WRAPPED)
}

/// Whether a file is an archive, by its name: a linker takes of it what is missing.
pub(super) fn is_library(file: &Path) -> bool {
    file.extension().is_some_and(|it| it == "a" || it == "rlib")
}

/// The modules of a file: one of bitcode or of an object file, those of an archive's members.
///
/// # Errors
/// When the file cannot be read, has no bitcode, or nothing here can disassemble it.
pub(super) fn modules(file: &Path, scratch: &Scratch) -> Result<Vec<(String, Vec<u8>)>, DriverError> {
    let bytes = std::fs::read(file).map_err(io(file))?;
    let name = file.display().to_string();
    if !is_archive(&bytes) {
        return Ok(vec![(name.clone(), module(&name, &bytes, scratch)?)]);
    }
    let folder = file.parent().unwrap_or(Path::new(""));
    let mut res = Vec::new();
    for member in members(&bytes).unwrap_or_default() {
        let name = format!("{name}({})", member.name.display());
        let thin;
        let bytes = match member.bytes {
            Some(bytes) => bytes,
            None => {
                let path = folder.join(&member.name);
                thin = std::fs::read(&path).map_err(io(&path))?;
                &thin
            }
        };
        res.push((name.clone(), module(&name, bytes, scratch)?));
    }
    Ok(res)
}

fn module(name: &str, bytes: &[u8], scratch: &Scratch) -> Result<Vec<u8>, DriverError> {
    let bitcode = match carrier(bytes) {
        Carrier::Whole => bytes,
        Carrier::Section(data) => data,
        Carrier::None(what) => return Err(DriverError::NoBitcode { file: PathBuf::from(name), what }),
    };
    let (input, output) = (scratch.path().join("module.bc"), scratch.path().join("module.ll"));
    std::fs::write(&input, bitcode).map_err(io(&input))?;
    let disassembled = disassemble(&input, &output);
    disassembled.map_err(|words| DriverError::Bitcode { file: PathBuf::from(name), words })?;
    let text = std::fs::read(&output).map_err(io(&output))?;
    Ok(unit::with_files_from_here(&text))
}

/// What a user reads of bitcode without a module.
const NO_MODULE: &str = "there is no module in it";

/// Writes the text of bitcode: by clang, or where that is older than the bitcode by the `llvm-dis` that is there. The error
/// is in the words of a user.
fn disassemble(input: &Path, output: &Path) -> Result<(), String> {
    let mut tried = Vec::new();
    let mut commands = Vec::new();
    if let Ok(clang) = clang() {
        let mut command = Command::new(clang);
        command.args(["-x", "ir", "-S", "-emit-llvm", "-O0", "-Xclang", "-disable-llvm-passes", "-w"]);
        commands.push(command);
    }
    let versions = VERSIONS.rev().map(|it| format!("llvm-dis-{it}"));
    commands.extend(versions.chain(["llvm-dis".to_owned()]).map(Command::new));
    for mut command in commands {
        match ending_with_us(command.arg(input).arg("-o").arg(output)).output() {
            Ok(it) if it.status.success() && output.is_file() => return Ok(()),
            // Of a file without a module `llvm-dis` says nothing, and writes nothing.
            Ok(it) if it.status.success() => return Err(NO_MODULE.to_owned()),
            Ok(it) => tried.push(String::from_utf8_lossy(&it.stderr).trim().to_owned()),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => tried.push(error.to_string()),
        }
    }
    tried.dedup();
    let words = tried.join("\n");
    Err(match producer(&words) {
        _ if words.contains("Expected a single module") => NO_MODULE.to_owned(),
        Some(version) => {
            format!("its bitcode is that of LLVM {version}: install llvm-{version}, which has llvm-dis-{version}")
        }
        None if words.is_empty() => "neither clang nor llvm-dis was found".to_owned(),
        None => shortened(&words),
    })
}

/// The major version of LLVM that wrote bitcode, as a reader that is too old names it: `(Producer: 'LLVM19.1.7' Reader:
/// 'LLVM 14.0.6')`.
fn producer(words: &str) -> Option<u32> {
    let rest = words.split_once("Producer: 'LLVM")?.1.trim_start();
    rest.split(|it: char| !it.is_ascii_digit()).next()?.parse().ok()
}

/// Of the members of archives those that a linker takes: each that defines something that is missing. All of them where
/// the program has nothing else.
pub(super) fn linked(program: &[(String, Vec<u8>)], members: Vec<(String, Vec<u8>)>) -> Vec<(String, Vec<u8>)> {
    if program.is_empty() {
        return members;
    }
    let mut defined: FxHashSet<String> = FxHashSet::default();
    let mut missing: FxHashSet<String> = FxHashSet::from_iter(["main".to_owned()]);
    let mut add = |symbols: LinkerSymbols, missing: &mut FxHashSet<String>| {
        missing.extend(symbols.undefined);
        defined.extend(symbols.defined);
        missing.retain(|it| !defined.contains(it));
    };
    program.iter().for_each(|it| add(LinkerSymbols::of(&it.1), &mut missing));
    let mut waiting: Vec<_> = members.into_iter().map(|it| (LinkerSymbols::of(&it.1), it)).collect();
    let mut res = Vec::new();
    while let Some(at) = waiting.iter().position(|it| it.0.defined.iter().any(|name| missing.contains(name))) {
        let (symbols, member) = waiting.remove(at);
        add(symbols, &mut missing);
        res.push(member);
    }
    res
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reader_that_is_too_old_names_the_version() {
        let words = "error: Unknown attribute kind (86) (Producer: 'LLVM19.1.7' Reader: 'LLVM 14.0.6')";
        assert_eq!(producer(words), Some(19));
        assert_eq!(producer("error: file doesn't start with bitcode header"), None);
    }

    #[test]
    fn of_an_archive_what_is_missing_is_taken() {
        let module = |name: &str, text: &str| (name.to_owned(), text.as_bytes().to_vec());
        let program = [module("main.c", "define i32 @main() {\ndeclare i32 @f()\n")];
        let members = || {
            vec![
                module("g.o", "define i32 @g() {\n"),
                module("f.o", "define i32 @f() {\ndeclare i32 @g()\n"),
                module("main.o", "define i32 @main() {\n"),
            ]
        };
        let names = |it: Vec<(String, Vec<u8>)>| it.into_iter().map(|it| it.0).collect::<Vec<_>>();
        assert_eq!(names(linked(&program, members())), ["f.o", "g.o"]);
        assert_eq!(names(linked(&[], members())), ["g.o", "f.o", "main.o"]);
    }

    #[test]
    fn what_is_no_object_file_has_no_bitcode() {
        assert_eq!(carrier(b"BC\xc0\xde\x35"), Carrier::Whole);
        assert!(matches!(carrier(b"int main(void);"), Carrier::None(_)));
        assert!(matches!(carrier(b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\xff"), Carrier::None(_)));
        assert!(matches!(carrier(b""), Carrier::None(_)));
    }
}

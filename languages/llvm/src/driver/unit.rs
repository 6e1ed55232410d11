//! A source file as a build compiles it: its flags, its directory.
//!
//! Knows: paths and flags. Never: processes, how flags came from a build (`project`).

use super::{DriverError, Kind, kind};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A source file of a program, with the flags and the directory with which it is compiled.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CompileUnit {
    /// The file, relative to the current directory or absolute.
    pub file: PathBuf,
    /// The flags for its compiler.
    pub flags: Vec<String>,
    /// The directory in which its compiler runs, absolute. `None` for a file that was named on the command line: its
    /// compiler runs in the current directory, and is given the name as it was typed.
    #[serde(default)]
    pub directory: Option<PathBuf>,
}

impl CompileUnit {
    /// The units of files that are all compiled with the same flags, in the current directory.
    pub fn all(files: &[PathBuf], flags: &[String]) -> Vec<CompileUnit> {
        let mut flags = flags.to_vec();
        let is_made = |it: &PathBuf| {
            it.extension().is_some_and(|it| it == "ii") || matches!(kind(it), Ok(Kind::Ir | Kind::Object))
        };
        if files.iter().any(is_made) && files.iter().any(|it| matches!(kind(it), Ok(Kind::Cpp))) {
            // Where some of the code does not say how much of a vector is in use, no other code may say it.
            flags.push("-U_GLIBCXX_SANITIZE_VECTOR".to_owned());
        }
        let unit = |it: &PathBuf| CompileUnit { file: it.clone(), flags: flags.clone(), directory: None };
        files.iter().map(unit).collect()
    }

    /// This unit with its file absolute, for a later process that runs in another directory.
    pub fn absolute(&self) -> CompileUnit {
        CompileUnit { file: std::path::absolute(&self.file).unwrap_or_else(|_| self.file.clone()), ..self.clone() }
    }

    /// The language of the file. The last `-x` among its flags decides, as for clang, or the extension.
    pub(super) fn kind(&self) -> Result<Kind, DriverError> {
        let named = self.flags.iter().rposition(|it| it == "-x").and_then(|at| self.flags.get(at + 1));
        let joined = || self.flags.iter().rev().find_map(|it| it.strip_prefix("-x"));
        match named.map(String::as_str).or_else(joined) {
            Some("c" | "cpp-output") if self.directory.is_some() => Ok(Kind::C),
            Some("c++" | "c++-cpp-output") if self.directory.is_some() => Ok(Kind::Cpp),
            _ => kind(&self.file),
        }
    }

    /// Whether it is source of C or C++, of which a sanitizer sees each access, and not LLVM IR.
    pub fn is_source(&self) -> bool {
        matches!(self.kind(), Ok(Kind::C | Kind::Cpp))
    }

    /// The name of the file as its compiler is given it.
    pub(super) fn input(&self) -> PathBuf {
        if self.directory.is_some() { self.absolute().file } else { self.file.clone() }
    }

    /// Makes a compiler run in the directory of the unit.
    pub(super) fn enter(&self, command: &mut Command) {
        if let Some(directory) = &self.directory {
            command.current_dir(directory);
        }
    }
}

/// The flags that choose the machine of a program, and so how its values lie in memory: `-m32`, `-march=native`,
/// `--target=x86_64-linux-gnu`. What is passed through to a part of the compiler (`-Xclang`) is none of them.
pub(super) fn target_flags(flags: &[String]) -> Vec<String> {
    /// Flags whose value is the next argument, which may look like a flag of ours.
    const PASSED_THROUGH: &[&str] = &["-Xclang", "-Xpreprocessor", "-Xlinker", "-Xassembler", "-mllvm", "-Xanalyzer"];
    const MACHINE: &[&str] = &[
        "-m32",
        "-m64",
        "-mx32",
        "-m16",
        "-march=",
        "-mcpu=",
        "-mtune=",
        "-mabi=",
        "-mfloat-abi=",
        "-mfpu=",
        "-mlong-double-",
        "-msoft-float",
        "-mhard-float",
        "-malign-double",
        "-mms-bitfields",
        "--target=",
    ];
    let mut res = Vec::new();
    let mut rest = flags.iter();
    while let Some(flag) = rest.next() {
        if PASSED_THROUGH.contains(&&**flag) {
            rest.next();
        } else if flag == "-target" {
            res.extend(rest.next().map(|it| format!("--target={it}")));
        } else if MACHINE.iter().any(|it| flag == it || it.ends_with(['=', '-']) && flag.starts_with(it)) {
            res.push(flag.clone());
        }
    }
    res
}

/// The text of a module in which each file is named relative to the current directory, or absolutely where it lies
/// elsewhere. A compiler names files relative to the directory in which it runs.
pub(super) fn with_files_from_here(text: &[u8]) -> Vec<u8> {
    const FILE: &[u8] = b"!DIFile(filename: \"";
    let here = std::env::current_dir().unwrap_or_default();
    let mut res = Vec::with_capacity(text.len());
    for line in text.split_inclusive(|it| *it == b'\n') {
        let start = (line.first() == Some(&b'!')).then(|| memchr::memmem::find(line, FILE)).flatten();
        match start.and_then(|at| renamed(&line[at + FILE.len()..], &here).map(|it| (at, it))) {
            Some((at, (name, rest))) => {
                res.extend_from_slice(&line[..at]);
                res.extend_from_slice(FILE);
                res.extend_from_slice(name.as_bytes());
                res.extend_from_slice(b"\", directory: \"\"");
                res.extend_from_slice(rest);
            }
            None => res.extend_from_slice(line),
        }
    }
    res
}

/// The new name of a file, and what stands behind its directory. `None` for a name with escapes, which stays.
fn renamed<'a>(fields: &'a [u8], here: &Path) -> Option<(String, &'a [u8])> {
    const DIRECTORY: &str = "\", directory: \"";
    let text = std::str::from_utf8(fields).ok()?;
    let (name, rest) = text.split_once(DIRECTORY)?;
    let (directory, rest) = rest.split_once('"')?;
    if name.contains('\\') || directory.contains('\\') {
        return None;
    }
    // What is no file of the project, and a header of ours, lie in no directory.
    if name.starts_with('<') || name.starts_with("effigy-include") {
        return Some((name.to_owned(), rest.as_bytes()));
    }
    let name = from(here, &Path::new(directory).join(name));
    Some((name.to_str()?.to_owned(), rest.as_bytes()))
}

/// A path as somebody in the directory `here` would name it: relative below that directory, else absolute.
pub(super) fn from(here: &Path, path: &Path) -> PathBuf {
    let path = normalized(&here.join(path));
    match path.strip_prefix(here) {
        Ok(below) if !below.as_os_str().is_empty() => below.to_owned(),
        _ => path,
    }
}

/// A path without `.` and `..`, by its text alone.
pub(super) fn normalized(path: &Path) -> PathBuf {
    use std::path::Component;
    let mut res = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if res.file_name().is_some() => {
                res.pop();
            }
            other => res.push(other),
        }
    }
    res
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(flags: &str) -> String {
        let flags: Vec<String> = flags.split_whitespace().map(str::to_owned).collect();
        target_flags(&flags).join(" ")
    }

    #[test]
    fn only_flags_of_the_machine_reach_the_library() {
        assert_eq!(target("-m32 -O2 -march=native -DX"), "-m32 -march=native");
        assert_eq!(target("-target riscv64 --target=arm"), "--target=riscv64 --target=arm");
        assert_eq!(target("-Xclang -mno-constructor-aliases -mllvm -m32 -Xpreprocessor -m64"), "");
        assert_eq!(target("-mno-red-zone -march"), "");
        assert_eq!(target("-Xclang"), "");
    }

    #[test]
    fn paths_are_named_from_where_the_user_stands() {
        let here = Path::new("/work/project");
        assert_eq!(from(here, Path::new("/work/project/src/./a.c")), Path::new("src/a.c"));
        assert_eq!(from(here, Path::new("/work/project/build/../src/a.c")), Path::new("src/a.c"));
        assert_eq!(from(here, Path::new("../a.c")), Path::new("/work/a.c"));
        assert_eq!(from(here, Path::new("/work/project")), here);
    }

    #[test]
    fn only_files_of_a_project_are_renamed() {
        let name = |line: &str| renamed(line.as_bytes(), Path::new("/work")).map(|it| it.0);
        assert_eq!(name("../a.h\", directory: \"/work/build\")\n").as_deref(), Some("a.h"));
        assert_eq!(name("/usr/include/a.h\", directory: \"/work\")\n").as_deref(), Some("/usr/include/a.h"));
        assert_eq!(name("<library>/a.c\", directory: \"/work\")\n").as_deref(), Some("<library>/a.c"));
        assert_eq!(name("effigy-include/effigy.h\", directory: \"\")").as_deref(), Some("effigy-include/effigy.h"));
        assert_eq!(name("a\\22\", directory: \"/\")"), None);
        assert_eq!(name("a.c"), None);
    }

    #[test]
    fn a_module_keeps_its_other_lines() {
        let text =
            b"define i32 @f()\n!1 = !DIFile(filename: \"/a/b/../c.c\", directory: \"/x\", checksumkind: CSK_MD5)\n";
        let expected = "define i32 @f()\n!1 = !DIFile(filename: \"/a/c.c\", directory: \"\", checksumkind: CSK_MD5)\n";
        assert_eq!(String::from_utf8_lossy(&with_files_from_here(text)), expected);
    }
}

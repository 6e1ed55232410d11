//! The compiler driver: clang for C and C++, rustc for Rust, to LLVM IR; clang to native programs for replay.
//!
//! Knows: processes of the compiler (the only ones in this crate), its flags. Never: what is in the text.

mod bitcode;
mod entry;
mod fuzz;
mod kept_modules;
mod library_cache;
mod native;
pub mod project;
mod repeats;
mod rust;
mod unit;

pub use entry::Driven;
pub use fuzz::{AssumptionPlace, FuzzProgram, Fuzzed, Offers, fuzzed};
pub use kept_modules::KEPT_MODULES;
pub use library_cache::keep_library_in;
pub use native::{Instrumentation, Native, NativeProgram, Sanitizer, native};
pub use rust::{NO_CODE, NO_LLVM_PASSES, RustLevel, WHOLE_PROGRAM};
pub use unit::CompileUnit;

use crate::entry::EntryError;
use crate::library::{self, Source};
use kept_modules::KeptModule;
use library_cache::CachedModule;
use project::ProjectError;
use rust::{run_compiler_of_rust, run_rustc};
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, MutexGuard};
use unit::target_flags;

/// Our headers, as they are written beside the compiler's for the time of a call.
const HEADERS: &[(&str, &str)] = &[
    ("effigy.h", include_str!("../include/effigy.h")),
    ("klee/klee.h", include_str!("../include/klee/klee.h")),
    ("bits/c++config.h", include_str!("../include/bits/c++config.h")),
];

/// Names under which clang is looked for.
const CLANGS: &[&str] = &["clang", "clang-19", "clang-18", "clang-17", "clang-16", "clang-15", "clang-14"];

/// Why nothing was compiled.
#[derive(Debug, thiserror::Error)]
pub enum DriverError {
    /// There is no clang.
    #[error("clang was not found; install it (`apt install clang`) or name it with EFFIGY_CLANG")]
    NoClang,
    /// There is no rustc.
    #[error("rustc was not found; install it from https://rustup.rs")]
    NoRustc,
    /// The compiler refused the program; its own words.
    #[error("{0}")]
    Compile(String),
    /// A function cannot be called with any arguments.
    #[error(transparent)]
    Entry(#[from] EntryError),
    /// No program was found in a build.
    #[error(transparent)]
    Project(#[from] ProjectError),
    /// A file is of a kind that we do not know.
    #[error(
        "{0}: a C (.c, .i), C++ (.cc, .cpp, .cxx, .ii), Rust (.rs), LLVM IR (.ll, .bc) or object file with bitcode (.o, .a) \
         was expected"
    )]
    Kind(PathBuf),
    /// An object file has nothing that can be explored.
    #[error("{file}: {what}; compile it with `effigy cc`, or with clang and -flto or -fembed-bitcode")]
    NoBitcode {
        /// The file, or the member of an archive.
        file: PathBuf,
        /// What is there instead.
        what: &'static str,
    },
    /// Bitcode could not be disassembled.
    #[error("{file}: {words}")]
    Bitcode {
        /// The file, or the member of an archive.
        file: PathBuf,
        /// What the disassemblers say, or which one is missing.
        words: String,
    },
    /// A command needs a source.
    #[error("{0}: this command compiles the program, and takes no object files and no bitcode")]
    NoSource(PathBuf),
    /// A source has bytes that no text has.
    #[error("{path}:{line}: the text of a program was expected, and there is a byte 0")]
    NotText {
        /// The file.
        path: PathBuf,
        /// The line, from one.
        line: usize,
    },
    /// A file could not be read or written.
    #[error("{path}: {error}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What happened.
        error: std::io::Error,
    },
}

fn io(path: &Path) -> impl FnOnce(std::io::Error) -> DriverError {
    let path = path.to_owned();
    move |error| DriverError::Io { path, error }
}

/// What a file is, by its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    C,
    Cpp,
    Rust,
    Ir,
    /// Bitcode, an object file or an archive with bitcode.
    Object,
}

fn kind(path: &Path) -> Result<Kind, DriverError> {
    match path.extension().and_then(|it| it.to_str()) {
        Some("c" | "i") => Ok(Kind::C),
        Some("cc" | "cpp" | "cxx" | "c++" | "C" | "ii") => Ok(Kind::Cpp),
        Some("rs") => Ok(Kind::Rust),
        Some("ll") => Ok(Kind::Ir),
        Some("bc" | "o" | "a" | "lo" | "rlib") => Ok(Kind::Object),
        _ => Err(DriverError::Kind(path.to_owned())),
    }
}

/// Whether a native program can be made: any of the files is C or C++.
pub fn has_sources(units: &[CompileUnit]) -> bool {
    units.iter().any(|it| matches!(it.kind(), Ok(Kind::C | Kind::Cpp)))
}

/// What was looked at of files in C, C++ and Rust that were compiled with these flags, a sentence each: the compiler
/// decides which bugs are still there. Of clang without an optimiser nothing is told.
pub fn remarks(units: &[CompileUnit]) -> Vec<String> {
    let mut res = Vec::new();
    let last = |it: &CompileUnit| it.flags.iter().rfind(|it| it.starts_with("-O")).filter(|it| *it != "-O0").cloned();
    if let (Some(level), true) = (units.iter().find_map(last), has_sources(units)) {
        res.push(format!("compiled with {level}: a bug in what the optimiser has removed is not found"));
    }
    let relaxes = |it: &String| FAST_MATH.contains(&&**it);
    if let Some(flag) = units.iter().flat_map(|it| &it.flags).rfind(|it| relaxes(it)) {
        res.push(format!("{flag} is not followed: floats are those of IEEE 754, and natively they may be others"));
    }
    if let Some(rust) = units.iter().find(|it| matches!(it.kind(), Ok(Kind::Rust))) {
        res.push(RustLevel::of(&rust.flags).remark());
        res.push("Rust's aliasing rules (Stacked Borrows, Tree Borrows) are not checked".to_owned());
    }
    res
}

/// Flags that allow a compiler to compute with floats by other rules than IEEE 754's.
const FAST_MATH: &[&str] = &[
    "-ffast-math",
    "-Ofast",
    "-funsafe-math-optimizations",
    "-ffinite-math-only",
    "-fassociative-math",
    "-freciprocal-math",
    "-fno-signed-zeros",
];

/// Whether all files are C.
pub fn is_c(units: &[CompileUnit]) -> bool {
    units.iter().all(|it| matches!(it.kind(), Ok(Kind::C)))
}

/// The clang to use: what `EFFIGY_CLANG` names, or the first of the known names that answers. It is asked once: a
/// process has many compilations, and each would wait for it again.
///
/// # Errors
/// When there is none.
pub fn clang() -> Result<OsString, DriverError> {
    if let Some(named) = std::env::var_os("EFFIGY_CLANG") {
        return Ok(named);
    }
    let found = CLANGS.iter().find(|it| !version_of(OsStr::new(it)).is_empty()).ok_or(DriverError::NoClang)?;
    Ok(found.into())
}

/// What a compiler says of its version: nothing, if it is not there. Each is asked once.
fn version_of(clang: &OsStr) -> String {
    static ANSWERS: Mutex<BTreeMap<OsString, String>> = Mutex::new(BTreeMap::new());
    let known = |it: MutexGuard<'_, BTreeMap<OsString, String>>| it.get(clang).cloned();
    if let Some(answer) = ANSWERS.lock().ok().and_then(known) {
        return answer;
    }
    let output = Command::new(clang).arg("--version").output().ok().filter(|it| it.status.success());
    let answer = output.map(|it| String::from_utf8_lossy(&it.stdout).into_owned()).unwrap_or_default();
    if let Ok(mut answers) = ANSWERS.lock() {
        answers.insert(clang.to_owned(), answer.clone());
    }
    answer
}

/// A directory that is gone when this value is.
#[derive(Debug)]
pub struct Scratch {
    path: PathBuf,
}

impl Scratch {
    /// A new directory that only this user can read.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn new() -> Result<Scratch, DriverError> {
        let base = std::env::temp_dir();
        for attempt in 0..1000u32 {
            let path = base.join(format!("effigy-{}-{attempt}", std::process::id()));
            let mut builder = std::fs::DirBuilder::new();
            #[cfg(unix)]
            std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
            match builder.create(&path) {
                Ok(()) => return Ok(Scratch { path }),
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(io(&path)(error)),
            }
        }
        Err(io(&base)(std::io::Error::other("no temporary directory could be made")))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.path);
    }
}

fn write_headers(scratch: &Scratch) -> Result<PathBuf, DriverError> {
    let include = scratch.path().join("include");
    for (name, text) in HEADERS {
        let path = include.join(name);
        let parent = path.parent().unwrap_or(&include);
        std::fs::create_dir_all(parent).map_err(io(parent))?;
        std::fs::write(&path, text).map_err(io(&path))?;
    }
    Ok(include)
}

/// A command that is killed when we are: nobody waits for what it compiles.
fn ending_with_us(command: &mut Command) -> &mut Command {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{Signal, set_parent_process_death_signal};
        let kill = || set_parent_process_death_signal(Some(Signal::KILL)).map_err(std::io::Error::from);
        // SAFETY: between fork and exec it makes one call of the system, and allocates nothing.
        unsafe { std::os::unix::process::CommandExt::pre_exec(command, kill) };
    }
    command
}

fn run(command: &mut Command) -> Result<(), DriverError> {
    heard(command).map(drop)
}

/// Runs a compiler; its warnings.
fn heard(command: &mut Command) -> Result<String, DriverError> {
    let output = ending_with_us(command).output().map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => DriverError::NoClang,
        _ => DriverError::Compile(format!("clang could not be started: {error}")),
    })?;
    let words = String::from_utf8_lossy(&output.stderr).trim_end().to_owned();
    if output.status.success() {
        return Ok(words);
    }
    Err(DriverError::Compile(if words.is_empty() {
        format!("clang ended with {}", output.status)
    } else {
        shortened(&words)
    }))
}

/// So many lines of a compiler are shown, chosen without measuring: a few errors with their notes.
const MOST_LINES: usize = 60;

/// So many characters of a line.
const LONGEST_LINE: usize = 400;

/// The first lines, and how many more there are: what is no source makes a compiler write megabytes.
fn shortened(words: &str) -> String {
    let line = |it: &str| match it.char_indices().nth(LONGEST_LINE) {
        Some((at, _)) => format!("{} …", &it[..at]),
        None => it.to_owned(),
    };
    let mut res: Vec<String> = words.lines().take(MOST_LINES).map(line).collect();
    let more = words.lines().count().saturating_sub(MOST_LINES);
    if more > 0 {
        res.push(format!("(the compiler says {more} more lines)"));
    }
    res.join("\n")
}

/// The texts of the programs' modules: C and C++ through clang with `flags`, LLVM IR as it is, bitcode disassembled; before
/// them what they need of the C library ([`library`]).
///
/// # Errors
/// When a file cannot be read, or clang refuses it.
pub fn modules(files: &[PathBuf], flags: &[String]) -> Result<Vec<(String, Vec<u8>)>, DriverError> {
    modules_heard(&CompileUnit::all(files, flags), &mut |_| {})
}

/// As [`modules`], of files that have flags of their own; `hear` is told what the compiler warns of, as the flags ask
/// for it.
///
/// # Errors
/// As for [`modules`].
pub fn modules_heard(units: &[CompileUnit], hear: &mut dyn FnMut(&str)) -> Result<Vec<(String, Vec<u8>)>, DriverError> {
    let mut res = Vec::with_capacity(units.len());
    let mut members = Vec::new();
    let mut scratch = None;
    for (index, unit) in units.iter().enumerate() {
        match unit.kind()? {
            Kind::Ir => res.push((unit.file.display().to_string(), std::fs::read(&unit.file).map_err(io(&unit.file))?)),
            Kind::Object => {
                let modules = bitcode::modules(&unit.file, the_scratch(&mut scratch)?)?;
                if bitcode::is_library(&unit.file) { &mut members } else { &mut res }.extend(modules);
            }
            kind => res.push(compiled(unit, kind, index, the_scratch(&mut scratch)?, hear)?),
        }
    }
    let members = bitcode::linked(&res, members);
    res.extend(members);
    add_library(&mut res, units)?;
    Ok(res)
}

/// The directory of a call, made when it is first needed.
fn the_scratch(scratch: &mut Option<Scratch>) -> Result<&Scratch, DriverError> {
    Ok(match scratch {
        Some(scratch) => scratch,
        None => scratch.insert(Scratch::new()?),
    })
}

/// The module of a source file.
fn compiled(
    unit: &CompileUnit,
    kind: Kind,
    index: usize,
    scratch: &Scratch,
    hear: &mut dyn FnMut(&str),
) -> Result<(String, Vec<u8>), DriverError> {
    let file = &unit.file;
    let output = scratch.path().join(format!("{index}.ll"));
    if kind == Kind::Rust {
        is_text(file)?;
        run_rustc(file, &unit.flags, &output)?;
    } else {
        let include = write_headers(scratch)?;
        let warnings = compile_unit(unit, &include, &output)?;
        if !warnings.is_empty() {
            hear(&warnings);
        }
    }
    let text = std::fs::read(&output).map_err(io(&output))?;
    let text = if unit.directory.is_some() { unit::with_files_from_here(&text) } else { text };
    Ok((file.display().to_string(), text))
}

/// Compiles a C or C++ file to LLVM IR. What clang warns of is returned, with files named as a user in the current
/// directory names them.
fn compile_unit(unit: &CompileUnit, include: &Path, output: &Path) -> Result<String, DriverError> {
    is_text(&unit.input())?;
    let kept = KeptModule::of(unit);
    if kept.as_ref().is_some_and(|it| it.read(output)) {
        return Ok(String::new());
    }
    let words = compile(unit, &[], include, output);
    if let (Some(kept), Ok(_)) = (kept, &words) {
        kept.write(output);
    }
    let here = std::env::current_dir().map(|it| format!("{}/", it.display())).unwrap_or_default();
    let from_here = |words: String| if unit.directory.is_some() { words.replace(&here, "") } else { words };
    match words {
        Ok(words) => Ok(shortened(&from_here(words))),
        Err(DriverError::Compile(words)) => Err(DriverError::Compile(from_here(words))),
        Err(other) => Err(other),
    }
}

/// A source that can be read. A compiler has many words for a file that is none.
fn is_text(file: &Path) -> Result<(), DriverError> {
    let bytes = std::fs::read(file).map_err(io(file))?;
    match bytes.iter().position(|it| *it == 0) {
        None => Ok(()),
        Some(at) => {
            let line = 1 + bytes[..at].iter().filter(|it| **it == b'\n').count();
            Err(DriverError::NotText { path: file.to_owned(), line })
        }
    }
}

/// What was compiled of the library, by source and flags.
static COMPILED: Mutex<Compiled> = Mutex::new(BTreeMap::new());

/// Texts of LLVM IR by the names of their sources and the flags.
type Compiled = BTreeMap<(&'static str, Vec<String>), Vec<u8>>;

/// Adds the parts of the library that the modules need, in front: definitions of later modules win. Without clang there
/// are none, and their functions stay unknown.
fn add_library(modules: &mut Vec<(String, Vec<u8>)>, units: &[CompileUnit]) -> Result<(), DriverError> {
    // What decides how the program's own values lie in memory: files that disagree in it are no program.
    let of_clang = |it: &&CompileUnit| matches!(it.kind(), Ok(Kind::C | Kind::Cpp));
    let flags = units.iter().find(of_clang).map(|it| target_flags(&it.flags)).unwrap_or_default();
    while let Some(source) = library::needed(modules) {
        let text = match compile_library(source, &flags) {
            Err(DriverError::NoClang) => return Ok(()),
            other => other?,
        };
        modules.insert(0, (source.name.to_owned(), text));
    }
    Ok(())
}

fn compile_library(source: &'static Source, flags: &[String]) -> Result<Vec<u8>, DriverError> {
    let key = (source.name, flags.to_vec());
    let known = |it: MutexGuard<'_, Compiled>| it.get(&key).cloned();
    if let Some(text) = COMPILED.lock().ok().and_then(known) {
        return Ok(text);
    }
    let kind = if source.is_cpp() { Kind::Cpp } else { Kind::C };
    let text = compile_text(&source.whole(), kind, source.has_headers(), flags)?;
    if let Ok(mut compiled) = COMPILED.lock() {
        compiled.insert(key, text.clone());
    }
    Ok(text)
}

/// The text of LLVM IR of a source of ours: what was kept of it (`library_cache`), or what clang makes of it now.
fn compile_text(text: &str, kind: Kind, has_headers: bool, flags: &[String]) -> Result<Vec<u8>, DriverError> {
    let clang = clang()?;
    let arguments = library_arguments(kind, has_headers, flags);
    let cached = CachedModule::of(text, &arguments, &clang);
    if let Some(text) = cached.as_ref().and_then(CachedModule::read) {
        return Ok(text);
    }
    let scratch = Scratch::new()?;
    let name = if kind == Kind::Cpp { "source.cpp" } else { "source.c" };
    let (input, output) = (scratch.path().join(name), scratch.path().join("source.ll"));
    let dependencies = scratch.path().join("source.d");
    std::fs::write(&input, text).map_err(io(&input))?;
    let mut command = Command::new(clang);
    command.args(&arguments).arg("-MD").arg("-MF").arg(&dependencies).arg(&input).arg("-o").arg(&output);
    run(&mut command)?;
    let text = std::fs::read_to_string(&output).map_err(io(&output))?;
    // The same source has the same text each time, wherever it was put.
    let lines = text.lines().filter(|it| !it.starts_with("; ModuleID") && !it.starts_with("source_filename"));
    let text: String = lines.flat_map(|it| [it, "\n"]).collect();
    if let Some(cached) = cached {
        cached.write(text.as_bytes(), &dependencies, scratch.path());
    }
    Ok(text.into_bytes())
}

/// With what clang compiles sources of ours, without names of files.
fn library_arguments(kind: Kind, has_headers: bool, flags: &[String]) -> Vec<String> {
    // As it is written, without lines: what is unsigned wraps, and no call is replaced by another.
    let mut res = vec!["-S", "-emit-llvm", "-O0", "-Xclang", "-disable-O0-optnone", "-w", "-fno-builtin"];
    res.extend(["-fwrapv", "-fno-stack-protector"]);
    if !has_headers {
        res.extend(["-ffreestanding", "-nostdinc++"]);
    }
    if kind == Kind::Cpp {
        res.extend(["-std=c++17", "-fexceptions", "-fcxx-exceptions", "-frtti"]);
        // Each constructor is a function of its own name, also where another does the same.
        res.extend(["-Xclang", "-mno-constructor-aliases"]);
    }
    res.into_iter().map(str::to_owned).chain(flags.iter().cloned()).collect()
}

/// The `main` of a program that has a target of libFuzzer and none of its own: it gives the target each text of at most
/// `most` bytes. `None` for other programs.
pub fn fuzzer(modules: &[(String, Vec<u8>)], most: u64) -> Option<String> {
    let defines = |name: &str| modules.iter().any(|it| library::defines(&it.1, name));
    (defines("LLVMFuzzerTestOneInput") && !defines("main")).then(|| library::fuzzer(most))
}

/// As [`fuzzer`], for runs that follow one input each: the size is no number of turns of a loop, but a value that the run
/// keeps, so that what the target asks of it is asked of the input.
pub fn followed_fuzzer(modules: &[(String, Vec<u8>)], most: u64) -> Option<String> {
    fuzzer(modules, most).map(|_| library::followed_fuzzer(most))
}

/// A module from a C text that we made.
///
/// # Errors
/// When clang refuses it.
pub fn module_of(text: &str) -> Result<(String, Vec<u8>), DriverError> {
    Ok(("<library>/main.c".to_owned(), compile_text(text, Kind::C, false, &[])?))
}

fn clang_to_ir(
    unit: &CompileUnit,
    more: &[&str],
    without: Option<&str>,
    include: &Path,
    output: &Path,
) -> Result<Command, DriverError> {
    let mut command = to_ir(include)?;
    unit.enter(&mut command);
    if unit.file.extension().is_some_and(|it| it == "i" || it == "ii") {
        // What is preprocessed includes nothing.
        command.arg("-Wno-unused-command-line-argument");
    }
    if unit.directory.is_some() {
        // The flags are those of another compiler.
        command.args(["-Wno-unknown-warning-option", "-Wno-ignored-optimization-argument"]);
        command.arg("-Wno-unused-command-line-argument");
    }
    command.args(unit.flags.iter().filter(|it| Some(it.as_str()) != without)).args(more);
    command.arg(unit.input()).arg("-o").arg(output);
    Ok(command)
}

/// Compiles a file with its flags and `more`. clang computes a sum of constants that overflows while it compiles, and only
/// tells of it (`-Winteger-overflow`): such a program is compiled again with clang's own check, so that a run comes to the
/// sum. What clang warns of is returned; of that sum it warns by itself.
fn compile(unit: &CompileUnit, more: &[&str], include: &Path, output: &Path) -> Result<String, DriverError> {
    const TOLD: &str = "-Winteger-overflow";
    const CHECKED: &str = "-fsanitize=signed-integer-overflow";
    const SILENCE: &str = "-w";
    let loud = [TOLD, "-Wno-error=integer-overflow", "-fdiagnostics-show-option"];
    let with = |own: &[&'static str]| -> Vec<&str> { more.iter().copied().chain(own.iter().copied()).collect() };
    let mut warnings = heard(&mut clang_to_ir(unit, &with(&loud), None, include, output)?)?;
    let mut asked_for = warnings.clone();
    if unit.flags.iter().any(|it| it == SILENCE) {
        // That silences whatever else is said: only to hear of it, the file is looked at without it.
        let all = with(&["-fsyntax-only", "-Wno-everything", loud[0], loud[1], loud[2]]);
        warnings = heard(&mut clang_to_ir(unit, &all, Some(SILENCE), include, output)?)?;
        asked_for = String::new();
    }
    if warnings.contains(&format!("[{TOLD}]")) && !unit.flags.iter().any(|it| it == "-fwrapv") {
        run(&mut clang_to_ir(unit, &with(&[CHECKED, loud[0], loud[1]]), None, include, output)?)?;
    }
    Ok(asked_for)
}

/// A command of clang without what it compiles.
fn to_ir(include: &Path) -> Result<Command, DriverError> {
    let mut command = Command::new(clang()?);
    command.args(["-S", "-emit-llvm", "-g", "-O0", "-Xclang", "-disable-O0-optnone"]);
    command.args(["-fno-discard-value-names", "-fno-stack-protector", "-fstandalone-debug"]);
    // The checks of undefined behaviour that the user asks clang for become requirements of ours.
    command.arg("-fsanitize-trap=undefined");
    // Marks of where variables begin and cease to live, which clang leaves out without optimisation.
    command.args(["-Xclang", "-fsanitize-address-use-after-scope"]);
    // `std::vector` says which part of its storage it uses, as it does under AddressSanitizer.
    command.args(["-D_GLIBCXX_SANITIZE_STD_ALLOCATOR=1", "-D_GLIBCXX_SANITIZE_VECTOR=1"]);
    // The same program has the same text each time, wherever our headers were put: a run that goes on is told by it.
    let mut named = OsString::from("-fdebug-prefix-map=");
    named.push(include);
    named.push("=effigy-include");
    command.arg(named);
    command.arg("-I").arg(include);
    Ok(command)
}

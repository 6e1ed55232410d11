//! Native programs that tests are replayed on: clang with sanitizers, and our runtime.
//!
//! Knows: flags of the compiler and the linker. Never: tests, what a run says.

use super::{Driven, DriverError, Kind, Scratch, clang, io, kind, repeats, run, write_headers};
use std::path::PathBuf;
use std::process::Command;

/// The native side of our headers.
const RUNTIME: &str = concat!(
    include_str!("../../runtime/replay.c"),
    include_str!("../../runtime/server.c"),
    include_str!("../../runtime/repeat.c")
);

/// What we do not look for must not make a difference: bounds inside of one object, alignment, left shifts of negative
/// numbers (the IR of a shift does not say whether it is signed), the types of function pointers, arithmetic on pointers
/// that are not used, a null pointer with no bytes behind it.
pub(super) const ADDRESS_UNDEFINED: &[&str] = &[
    "-fsanitize=address,undefined",
    "-fno-sanitize=bounds,alignment,function,pointer-overflow,object-size,bool,enum,vptr,shift-base,nonnull-attribute",
    "-fno-sanitize-recover=undefined",
];

/// `new` and `new[]`, as `malloc` wrapped for the sake of blocks of no bytes.
pub(super) const ALLOCATIONS_OF_CPP: &[&str] = &["_Znwm", "_Znam"];

/// Which errors a native program looks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sanitizer {
    /// Addresses and undefined behaviour.
    AddressUndefined,
    /// Uninitialised memory.
    Memory,
}

/// A native program that takes its inputs from a test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Native {
    /// The program.
    pub program: PathBuf,
    /// One process can run it on one test after the other: all that a run may change is put back.
    pub repeats: bool,
}

/// What the variables of the program lie between.
const MARKER: &str = "__attribute__((aligned(64))) char effigy_data_AT[64] = {1};
__attribute__((aligned(64))) char effigy_bss_AT[64];
";

/// Compiles a native program that takes its inputs from a test.
///
/// # Errors
/// When clang refuses it.
pub fn native(
    files: &[PathBuf],
    flags: &[String],
    sanitizer: Sanitizer,
    harness: Option<&str>,
    driven: Option<&Driven>,
    scratch: &Scratch,
) -> Result<Native, DriverError> {
    let include = write_headers(scratch)?;
    let runtime = scratch.path().join("replay.c");
    std::fs::write(&runtime, RUNTIME).map_err(io(&runtime))?;
    let (name, sanitize): (_, &[&str]) = match sanitizer {
        Sanitizer::AddressUndefined => ("native", ADDRESS_UNDEFINED),
        Sanitizer::Memory => ("native-memory", &["-fsanitize=memory"]),
    };
    let output = scratch.path().join(name);
    let marker = |at: &str| -> Result<PathBuf, DriverError> {
        let (source, object) =
            (scratch.path().join(format!("{name}-{at}.c")), scratch.path().join(format!("{name}-{at}.o")));
        std::fs::write(&source, MARKER.replace("AT", at)).map_err(io(&source))?;
        run(Command::new(clang()?).arg("-c").arg(&source).arg("-o").arg(&object))?;
        Ok(object)
    };
    let (begin, end) = (marker("begin")?, marker("end")?);
    let map = scratch.path().join(format!("{name}.map"));
    // The runtime is compiled apart: it is C also where the program is C++.
    let object = scratch.path().join(format!("{name}.o"));
    let mut command = Command::new(clang()?);
    command.args(["-c", "-g", "-O0"]).args(sanitize).arg(&runtime).arg("-o").arg(&object);
    run(&mut command)?;
    let mut command = Command::new(clang()?);
    command.args(["-g", "-O0", "-fno-omit-frame-pointer", "-w", "-fno-stack-protector"]).args(sanitize);
    if files.iter().any(|it| matches!(kind(it), Ok(Kind::Cpp))) {
        // The runtime of C++ knows which allocation belongs to new, new[] and malloc.
        command.args(["-fsanitize-link-c++-runtime", "-lstdc++"]);
        command.args(ALLOCATIONS_OF_CPP.iter().map(|it| format!("-Wl,--wrap={it}")));
    }
    command.arg("-I").arg(&include).args(flags).arg(&begin);
    if let Some(driven) = driven {
        let object = scratch.path().join("driven.o");
        let mut compile = Command::new(clang()?);
        compile.args(["-c", "-g", "-O0", "-fno-omit-frame-pointer", "-w", "-fno-stack-protector"]).args(sanitize);
        compile.arg("-I").arg(&include).args(flags);
        driven.compile(&mut compile, scratch)?;
        run(compile.arg("-o").arg(&object))?;
        command.arg("-Dmain=effigy_unused_main").arg(&object);
    }
    let files: Vec<&PathBuf> = files.iter().filter(|it| driven.is_none_or(|driven| **it != driven.file)).collect();
    if let Some(text) = harness {
        let path = scratch.path().join("harness.c");
        std::fs::write(&path, text).map_err(io(&path))?;
        // The program's own main would clash with the harness's, if that has one.
        if text.contains("\nint main(") {
            command.arg("-Dmain=effigy_unused_main");
        }
        let harness_object = scratch.path().join("harness.o");
        let mut compile = Command::new(clang()?);
        compile.args(["-c", "-g", "-O0", "-w"]).args(sanitize).arg(&path).arg("-o").arg(&harness_object);
        run(&mut compile)?;
        command.arg(&harness_object);
    }
    command
        .args(files)
        .arg(&end)
        .arg(&object)
        .arg("-Wl,--wrap=main,--wrap=stat,--wrap=lstat,--wrap=fstat")
        .arg("-Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=reallocarray,--wrap=aligned_alloc,--wrap=posix_memalign")
        .arg("-Wl,--wrap=mmap,--wrap=mmap64")
        .arg("-Wl,--wrap=read,--wrap=pread,--wrap=pread64,--wrap=write,--wrap=close,--wrap=exit")
        .arg(format!("-Wl,--cref,-Map={}", map.display()))
        .arg("-lm")
        .arg("-o")
        .arg(&output);
    run(&mut command)?;
    let repeats = sanitizer == Sanitizer::AddressUndefined
        && std::fs::read(&map).is_ok_and(|it| repeats::repeats(&String::from_utf8_lossy(&it), &begin, &end));
    Ok(Native { program: output, repeats })
}

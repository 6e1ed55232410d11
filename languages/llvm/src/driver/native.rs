//! Native programs that tests are replayed on: clang with sanitizers, and our runtime.
//!
//! Knows: flags of the compiler and the linker. Never: tests, what a run says.

use super::{CompileUnit, Driven, DriverError, Kind, Scratch, bitcode, clang, io, repeats, run, write_headers};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The native side of our headers.
const RUNTIME: &str = concat!(
    include_str!("../../runtime/replay.c"),
    include_str!("../../runtime/server.c"),
    include_str!("../../runtime/repeat.c")
);

/// What holds the threads of a program to a schedule, behind the runtime.
const SCHEDULER: &str = concat!(
    include_str!("../../runtime/schedule.c"),
    include_str!("../../runtime/locks.c"),
    include_str!("../../runtime/waits.c"),
    include_str!("../../runtime/threads.c"),
    include_str!("../../runtime/atomic_blocks.c"),
    include_str!("../../runtime/atomics.c")
);

/// What we do not look for must not make a difference: bounds inside of one object, alignment, left shifts of negative
/// numbers (the IR of a shift does not say whether it is signed), the types of function pointers, arithmetic on pointers
/// that are not used, a null pointer with no bytes behind it.
pub(super) const ADDRESS_UNDEFINED: &[&str] = &[
    "-fsanitize=address,undefined",
    "-fno-sanitize=bounds,alignment,function,pointer-overflow,object-size,bool,enum,vptr,shift-base,nonnull-attribute",
    "-fno-sanitize-recover=undefined",
    // The storage of a vector beyond its elements is not to be used.
    "-D_GLIBCXX_SANITIZE_VECTOR=1",
];

/// `new` and `new[]`, as `malloc` wrapped for the sake of blocks of no bytes.
pub(super) const ALLOCATIONS_OF_CPP: &[&str] = &["_Znwm", "_Znam"];

/// Calls for atomic accesses alone, beside another sanitizer: clang's driver takes one of the two, its compiler both.
const ATOMIC_CALLS: &[&str] = &[
    "-Xclang",
    "-fsanitize=thread",
    "-mllvm",
    "-tsan-instrument-memory-accesses=0",
    "-mllvm",
    "-tsan-instrument-func-entry-exit=0",
    "-mllvm",
    "-tsan-instrument-memintrinsics=0",
    "-mllvm",
    "-tsan-handle-cxx-exceptions=0",
];

/// Which errors a native program looks for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Sanitizer {
    /// Addresses and undefined behaviour.
    AddressUndefined,
    /// Uninitialised memory.
    Memory,
    /// Data races, and locks that are misused.
    Thread,
}

/// How a native program is instrumented.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Instrumentation {
    /// The errors that it looks for.
    pub sanitizer: Sanitizer,
    /// Whether its threads are held to the schedule of a test.
    pub holds_schedule: bool,
}

impl Instrumentation {
    /// The name of the executable.
    fn file_name(self) -> &'static str {
        match (self.sanitizer, self.holds_schedule) {
            (Sanitizer::AddressUndefined, false) => "native",
            (Sanitizer::AddressUndefined, true) => "native-scheduled",
            (Sanitizer::Memory, false) => "native-memory",
            (Sanitizer::Memory, true) => "native-memory-scheduled",
            (Sanitizer::Thread, false) => "native-threads",
            (Sanitizer::Thread, true) => "native-threads-scheduled",
        }
    }

    /// The flags with which the runtime is compiled.
    fn runtime_flags(self) -> &'static [&'static str] {
        match self.sanitizer {
            Sanitizer::AddressUndefined => ADDRESS_UNDEFINED,
            Sanitizer::Memory => &["-fsanitize=memory"],
            // What the scheduler does is not looked at: it would be a data race, or would hide one.
            Sanitizer::Thread => &["-DEFFIGY_THREAD_SANITIZER"],
        }
    }

    /// The flags with which the program is compiled.
    fn program_flags(self) -> Vec<&'static str> {
        match (self.sanitizer, self.holds_schedule) {
            // A read in front of a write to the same place is left out otherwise, and may be the race.
            (Sanitizer::Thread, _) => vec!["-fsanitize=thread", "-mllvm", "-tsan-instrument-read-before-write"],
            (_, false) => self.runtime_flags().to_vec(),
            (_, true) => [self.runtime_flags(), ATOMIC_CALLS].concat(),
        }
    }

    /// The functions in front of which the linker puts the scheduler's.
    fn wrapped(self) -> Vec<String> {
        const OPERATIONS: &[&str] = &[
            "load",
            "store",
            "exchange",
            "fetch_add",
            "fetch_sub",
            "fetch_and",
            "fetch_or",
            "fetch_xor",
            "fetch_nand",
            "compare_exchange_val",
        ];
        if !self.holds_schedule {
            return Vec::new();
        }
        const ENDS_AND_GUARDS: &[&str] = &[
            "_exit",
            "_Exit",
            "quick_exit",
            "atexit",
            "on_exit",
            "__cxa_atexit",
            "__cxa_guard_acquire",
            "__cxa_guard_release",
            "__cxa_guard_abort",
        ];
        let mut res: Vec<String> = ENDS_AND_GUARDS.iter().map(|it| (*it).to_owned()).collect();
        if self.sanitizer == Sanitizer::Thread {
            res.push("__tsan_atomic_thread_fence".to_owned());
            for bits in [8, 16, 32, 64, 128] {
                res.extend(OPERATIONS.iter().map(|it| format!("__tsan_atomic{bits}_{it}")));
            }
        }
        res
    }
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

/// What a native program is made of.
#[derive(Clone, Copy, Debug)]
pub struct NativeProgram<'a> {
    /// The files of the program.
    pub units: &'a [CompileUnit],
    /// Flags for the linker, of a program whose files have directories of their own.
    pub link: &'a [String],
    /// The C program that calls the entry, if it is not main.
    pub harness: Option<&'a str>,
    /// The program that calls the entry in the place of a file.
    pub driven: Option<&'a Driven>,
}

/// What the program's own objects are compiled with, beside the sanitizer.
const OWN: &[&str] = &["-g", "-O0", "-fno-omit-frame-pointer", "-w", "-fno-stack-protector"];

/// Another name for a `main` that gives way to ours.
const OTHER_MAIN: &str = "-Dmain=effigy_unused_main";

/// Compiles a native program that takes its inputs from a test.
///
/// # Errors
/// When clang refuses it.
pub fn native(
    what: &NativeProgram<'_>,
    instrumentation: Instrumentation,
    scratch: &Scratch,
) -> Result<Native, DriverError> {
    let NativeProgram { units, link, harness, driven } = *what;
    // Files that were named on the command line have the same flags.
    let flags: &[String] = units.iter().find(|it| it.directory.is_none()).map_or(&[], |it| &it.flags);
    let include = write_headers(scratch)?;
    let name = instrumentation.file_name();
    let mut sanitize = instrumentation.program_flags();
    if instrumentation.holds_schedule && units.iter().any(may_have_atomic_functions) {
        sanitize.push("-finstrument-functions");
    }
    let sanitize = &sanitize[..];
    let runtime = scratch.path().join(format!("{name}-runtime.c"));
    let text = if instrumentation.holds_schedule { [RUNTIME, SCHEDULER].concat() } else { RUNTIME.to_owned() };
    std::fs::write(&runtime, text).map_err(io(&runtime))?;
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
    let runtime_flags = instrumentation.runtime_flags();
    command.args(["-c", "-g", "-O0"]).args(runtime_flags).arg(&runtime).arg("-o").arg(&object);
    run(&mut command)?;
    let mut command = Command::new(clang()?);
    command.args(OWN).args(sanitize);
    if units.iter().any(|it| matches!(it.kind(), Ok(Kind::Cpp))) {
        // The runtime of C++ knows which allocation belongs to new, new[] and malloc.
        command.args(["-fsanitize-link-c++-runtime", "-lstdc++"]);
        command.args(ALLOCATIONS_OF_CPP.iter().map(|it| format!("-Wl,--wrap={it}")));
    }
    command.arg("-I").arg(&include).args(flags).arg(&begin);
    let mut replaces_main = false;
    if let Some(driven) = driven {
        let object = scratch.path().join(format!("{name}-driven.o"));
        let mut compile = Command::new(clang()?);
        compile.arg("-c").args(OWN).args(sanitize).arg("-I").arg(&include);
        if let Some(unit) = units.iter().find(|it| it.file == driven.file) {
            unit.enter(&mut compile);
            compile.args(&unit.flags);
        }
        driven.compile(&mut compile, scratch)?;
        run(compile.arg("-o").arg(&object))?;
        command.arg(OTHER_MAIN).arg(&object);
        replaces_main = true;
    }
    if let Some(text) = harness {
        let path = scratch.path().join(format!("{name}-harness.c"));
        std::fs::write(&path, text).map_err(io(&path))?;
        // The program's own main would clash with the harness's, if that has one.
        if text.contains("\nint main(") {
            command.arg(OTHER_MAIN);
            replaces_main = true;
        }
        let harness_object = scratch.path().join(format!("{name}-harness.o"));
        let mut compile = Command::new(clang()?);
        compile.args(["-c", "-g", "-O0", "-w"]).args(sanitize).arg(&path).arg("-o").arg(&harness_object);
        run(&mut compile)?;
        command.arg(&harness_object);
    }
    for (index, unit) in units.iter().enumerate().filter(|it| driven.is_none_or(|driven| it.1.file != driven.file)) {
        if unit.directory.is_none() {
            // What `-flto` makes has the name of an object file, and a linker does not take it.
            let is_bitcode =
                unit.kind()? == Kind::Object && std::fs::read(&unit.file).is_ok_and(|it| bitcode::is_bitcode(&it));
            match is_bitcode {
                true => command.args(["-x", "ir"]).arg(&unit.file).args(["-x", "none"]),
                false => command.arg(&unit.file),
            };
            continue;
        }
        let object = scratch.path().join(format!("{name}-{index}.o"));
        let main: &[&str] = if replaces_main { &[OTHER_MAIN] } else { &[] };
        compile_object(unit, &[sanitize, main].concat(), &include, &object)?;
        command.arg(object);
    }
    command
        .args(link)
        .arg(&end)
        .arg(&object)
        .arg("-Wl,--wrap=main,--wrap=stat,--wrap=lstat,--wrap=fstat")
        .arg("-Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=reallocarray,--wrap=aligned_alloc,--wrap=posix_memalign")
        .arg("-Wl,--wrap=mmap,--wrap=mmap64")
        .arg("-Wl,--wrap=read,--wrap=pread,--wrap=pread64,--wrap=write,--wrap=close,--wrap=exit")
        .args(instrumentation.wrapped().iter().map(|it| format!("-Wl,--wrap={it}")))
        .arg(format!("-Wl,--cref,-Map={}", map.display()))
        .arg("-lm")
        .arg("-o")
        .arg(&output);
    run(&mut command)?;
    let repeats = !instrumentation.holds_schedule
        && instrumentation.sanitizer == Sanitizer::AddressUndefined
        && std::fs::read(&map).is_ok_and(|it| repeats::repeats(&String::from_utf8_lossy(&it), &begin, &end));
    Ok(Native { program: output, repeats })
}

/// Whether a file may define functions that are atomic blocks (SV-COMP): the scheduler sees where they begin and end.
fn may_have_atomic_functions(unit: &CompileUnit) -> bool {
    let text = std::fs::read(unit.input()).unwrap_or_default();
    memchr::memmem::find(&text, b"__VERIFIER_atomic_").is_some()
}

/// Compiles a file of a project with its own flags, in its own directory.
fn compile_object(unit: &CompileUnit, more: &[&str], include: &Path, object: &Path) -> Result<(), DriverError> {
    let mut command = Command::new(clang()?);
    unit.enter(&mut command);
    command.arg("-c").args(OWN);
    command.arg("-I").arg(include).args(&unit.flags).args(more).arg(unit.input()).arg("-o").arg(object);
    run(&mut command)
}

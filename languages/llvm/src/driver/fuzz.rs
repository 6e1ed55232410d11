//! Native programs that run one input after another: with coverage and compares watched, or with sanitizers.
//!
//! Knows: clang's flags for both, and rustc's, the linker's --wrap, which compares clang's own tracing leaves out. Never: the loop
//! that runs the inputs, a text of C that is given to us.
//!
//! clang's `trace-cmp` sees integers of 8, 16, 32 and 64 bits. Floating point and integers of other widths get a call in
//! the text of the module, before it is optimised, so that they are input-to-state like the others.

mod assumptions;

pub use assumptions::AssumptionPlace;

use super::native::{ADDRESS_UNDEFINED, ALLOCATIONS_OF_CPP};
use super::{CompileUnit, Driven, DriverError, Kind, Scratch, clang, io, run, write_headers};
use crate::library;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Functions of the C library whose operands are compared: calls stay calls, and are seen.
const COMPARES: &[&str] = &["memcmp", "bcmp", "strcmp", "strncmp", "strcasecmp", "strncasecmp", "strstr", "memmem"];

/// Functions that end a program without a word, that say why it ends, or that make another process of it.
const WATCHED: &[&str] = &["_exit", "_Exit", "__assert_fail", "fork", "vfork"];

/// Functions that allocate: a block of no bytes is made such that AddressSanitizer sees an access to it.
const ALLOCATIONS: &[&str] = &["malloc", "calloc", "realloc", "reallocarray", "aligned_alloc"];

/// What an optimiser would otherwise take for impossible, and leave out with all that leads there. What overflows wraps
/// here, and is left to the sanitizers: programs that do it everywhere would end in each run.
const DEFINED: &[&str] = &[
    "-fsanitize=integer-divide-by-zero,unreachable,return,vla-bound",
    "-fsanitize-trap=all",
    "-fwrapv",
    "-fno-delete-null-pointer-checks",
];

/// clang's `-fsanitize-coverage=inline-8bit-counters,pc-table,trace-cmp`, as a stable rustc takes it; cargo-fuzz has the
/// same.
const COVERAGE_OF_RUST: &[&str] = &[
    "-Copt-level=3",
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
];

/// The widest integer that is watched.
const WIDEST: u32 = 128;

/// What is built.
#[derive(Clone, Copy, Debug)]
pub struct Fuzzed<'a> {
    /// The files of the program.
    pub units: &'a [CompileUnit],
    /// Flags for the linker, of a program whose files have directories of their own.
    pub link: &'a [String],
    /// The program that calls an entry, in the place of its file.
    pub driven: Option<&'a Driven>,
    /// The loop, in C, with a `__wrap_main`.
    pub runtime: &'a str,
    /// With sanitizers, unoptimised, as tests are replayed; otherwise fast, with coverage.
    pub sanitized: bool,
}

/// Calls by which a program asks for an input.
const MARKS: &[&str] = &[
    "@klee_make_symbolic",
    "@klee_int",
    "@klee_range",
    "@klee_choose",
    "@effigy_symbolic",
    "@effigy_n",
    "@effigy_choose",
    "@__VERIFIER_nondet_",
];

/// What a program offers to whoever gives it an input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Offers {
    /// `LLVMFuzzerTestOneInput`.
    pub target: bool,
    /// `main`.
    pub main: bool,
    /// Inputs that it asks for by name: effigy.h, klee/klee.h, `__VERIFIER_nondet_*`.
    pub marks: bool,
}

impl Offers {
    /// What the modules of a program offer.
    pub fn of(modules: &[(String, Vec<u8>)]) -> Offers {
        let own = || modules.iter().filter(|it| !library::is_part(&it.0));
        let defines = |name: &str| own().any(|it| library::defines(&it.1, name));
        let calls = |name: &str| own().any(|it| memchr::memmem::find(&it.1, name.as_bytes()).is_some());
        Offers {
            target: defines("LLVMFuzzerTestOneInput"),
            main: defines("main"),
            marks: MARKS.iter().any(|it| calls(it)),
        }
    }
}

/// A program that is fuzzed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FuzzProgram {
    /// The program.
    pub program: PathBuf,
    /// What it assumes, in the order of the loop's numbers; nothing where it is built with sanitizers.
    pub assumptions: Vec<AssumptionPlace>,
}

/// Compiles a program with the loop that gives it inputs.
///
/// # Errors
/// When clang refuses it, or a file is of a language that is not compiled so.
pub fn fuzzed(what: &Fuzzed<'_>, scratch: &Scratch) -> Result<FuzzProgram, DriverError> {
    let include = write_headers(scratch)?;
    let name = if what.sanitized { "fuzz-sanitized" } else { "fuzz" };
    let mut assumptions = Vec::new();
    let mut objects = Vec::new();
    let (mut is_cpp, mut is_rust) = (false, false);
    for (index, unit) in what.units.iter().enumerate() {
        let driven = what.driven.filter(|it| unit.absolute().file == it.file);
        let kind = unit.kind()?;
        is_cpp |= kind == Kind::Cpp;
        is_rust |= kind == Kind::Rust;
        let object = scratch.path().join(format!("{name}.{index}.o"));
        let part = Part { unit, kind, driven, include: &include, what };
        match what.sanitized {
            true => part.sanitized(&object, scratch)?,
            false => part.watched(&object, scratch, &mut assumptions)?,
        }
        objects.push(object);
    }
    let runtime = scratch.path().join(format!("{name}.c"));
    std::fs::write(&runtime, what.runtime).map_err(io(&runtime))?;
    let object = scratch.path().join(format!("{name}.runtime.o"));
    let mut command = Command::new(clang()?);
    // The loop itself is neither counted nor checked.
    command.args(["-c", "-O2", "-g", "-w"]).arg(format!("-DFZ_ASSUMPTIONS={}", assumptions.len()));
    run(command.arg(&runtime).arg("-o").arg(&object))?;
    let output = scratch.path().join(name);
    let mut command = Command::new(clang()?);
    // Flags behind `--` are rustc's where there is a Rust file, and not clang's.
    let named = what.units.iter().find(|it| it.directory.is_none() && !is_rust);
    let flags: &[String] = named.map_or(&[], |it| &it.flags);
    command.args(objects).arg(&object).args(flags).args(what.link).arg("-w").arg("-Wl,--wrap=main");
    if what.sanitized {
        command.args(ADDRESS_UNDEFINED).args(ALLOCATIONS.iter().map(|it| format!("-Wl,--wrap={it}")));
        if is_cpp {
            command.args(ALLOCATIONS_OF_CPP.iter().map(|it| format!("-Wl,--wrap={it}")));
        }
    }
    for wrapped in COMPARES.iter().chain(WATCHED) {
        command.arg(format!("-Wl,--wrap={wrapped}"));
    }
    if is_cpp {
        command.arg("-fsanitize-link-c++-runtime").arg("-lstdc++");
    }
    if is_rust {
        // Of an archive only what is asked for is taken.
        command.args(["-Wl,-u,LLVMFuzzerTestOneInput", "-lpthread", "-ldl", "-lgcc_s"]);
    }
    run(command.args(["-lm", "-lpthread"]).arg("-o").arg(&output))?;
    Ok(FuzzProgram { program: output, assumptions })
}

/// A file of the program.
struct Part<'a> {
    unit: &'a CompileUnit,
    kind: Kind,
    driven: Option<&'a Driven>,
    include: &'a Path,
    what: &'a Fuzzed<'a>,
}

impl Part<'_> {
    /// Adds what is compiled.
    fn source(&self, command: &mut Command, scratch: &Scratch) -> Result<(), DriverError> {
        self.unit.enter(command);
        command.arg("-g").arg("-w").arg("-I").arg(self.include).args(&self.unit.flags);
        match self.driven {
            Some(driven) => driven.compile(command, scratch)?,
            None => {
                // Another file's main gives way to the one that calls the entry.
                if self.what.driven.is_some() {
                    command.arg("-Dmain=effigy_unused_main");
                }
                command.arg(self.unit.input());
            }
        }
        Ok(())
    }

    fn sanitized(&self, object: &Path, scratch: &Scratch) -> Result<(), DriverError> {
        match self.kind {
            Kind::Rust => return self.rust(object, &["-Copt-level=1"]),
            Kind::Object => return Err(DriverError::NoSource(self.unit.file.clone())),
            Kind::C | Kind::Cpp | Kind::Ir => {}
        }
        let mut command = Command::new(clang()?);
        command.args(["-c", "-O0", "-fno-omit-frame-pointer", "-fno-stack-protector"]).args(ADDRESS_UNDEFINED);
        self.source(&mut command, scratch)?;
        run(command.arg("-o").arg(object))
    }

    /// A Rust file with its standard library, as an archive: with all checks on, a panic aborts.
    fn rust(&self, archive: &Path, more: &[&str]) -> Result<(), DriverError> {
        let mut command = Command::new("rustc");
        command.args(["--crate-type=staticlib", "--crate-name=program", "--edition=2024", "-g", "-Ccodegen-units=1"]);
        command.args(["-Cpanic=abort", "-Coverflow-checks=on", "-Cdebug-assertions=on", "-Awarnings"]);
        command.args(more).args(&self.unit.flags).arg(&self.unit.file).arg("-o").arg(archive);
        super::run_compiler_of_rust(&mut command)
    }

    fn watched(&self, object: &Path, scratch: &Scratch, places: &mut Vec<AssumptionPlace>) -> Result<(), DriverError> {
        let text = scratch.path().join("watched.ll");
        match self.kind {
            // Its LLVM is another one than clang's: what is watched is what its own pass sees.
            Kind::Rust => return self.rust(object, COVERAGE_OF_RUST),
            Kind::Object => return Err(DriverError::NoSource(self.unit.file.clone())),
            Kind::Ir => {
                std::fs::copy(&self.unit.file, &text).map_err(io(&self.unit.file))?;
            }
            Kind::C | Kind::Cpp => {
                let mut command = Command::new(clang()?);
                command.args(["-S", "-emit-llvm"]).args(DEFINED);
                command.args(COMPARES.iter().map(|it| format!("-fno-builtin-{it}")));
                self.source(&mut command, scratch)?;
                // After the user's own level: what is meant for an optimiser, and not yet optimised.
                run(command.args(["-O2", "-Xclang", "-disable-llvm-passes"]).arg("-o").arg(&text))?;
            }
        }
        let module = std::fs::read_to_string(&text).map_err(io(&text))?;
        let module = assumptions::watched(&module, places);
        std::fs::write(&text, watched(&module)).map_err(io(&text))?;
        let mut command = Command::new(clang()?);
        command.args(["-c", "-O2", "-w", "-fsanitize-coverage=inline-8bit-counters,pc-table,trace-cmp"]);
        run(command.arg(&text).arg("-o").arg(object))
    }
}

/// Types of floating point whose compares are watched.
const FLOATS: &[&str] = &["float", "double", "x86_fp80"];

/// The text of a module with a call before each compare that clang does not trace.
fn watched(module: &str) -> String {
    let mut res = String::with_capacity(module.len() + module.len() / 16);
    let (mut number, mut wide) = (0u32, false);
    let mut floats = [false; FLOATS.len()];
    for line in module.lines() {
        if let Some(compare) = Compare::of(line) {
            let place = compare.place;
            let (a, b) = compare.operands;
            if let Some(index) = FLOATS.iter().position(|it| *it == compare.ty) {
                let ty = compare.ty;
                floats[index] = true;
                let _ = writeln!(res, "  call void @effigy_watch_{ty}({ty} {a}, {ty} {b}){place}");
            } else if let Some(bits) = unwatched_width(compare.ty) {
                wide = true;
                number += 1;
                let mut words = Vec::new();
                for (operand, side) in [(a, 'a'), (b, 'b')] {
                    let name = format!("%effigy.{number}{side}");
                    // Temporary values with names do not disturb the numbers of the others.
                    let widened = match bits {
                        WIDEST => format!("add i128 {operand}, 0"),
                        _ => format!("zext i{bits} {operand} to i128"),
                    };
                    let _ = writeln!(
                        res,
                        "  {name} = {widened}\n  {name}.low = trunc i128 {name} to i64\n  \
                         {name}.rest = lshr i128 {name}, 64\n  {name}.high = trunc i128 {name}.rest to i64"
                    );
                    words.push(format!("i64 {name}.low, i64 {name}.high"));
                }
                let _ = writeln!(res, "  call void @effigy_watch_wide({}, i32 {bits}){place}", words.join(", "));
            }
        }
        match line.strip_prefix("define ").and_then(|_| line.rfind(" #")) {
            // Branches stay branches, as for libFuzzer: what is folded into one condition is one edge.
            Some(at) => {
                let (head, attributes) = line.split_at(at);
                let _ = write!(res, "{head} optforfuzzing{attributes}");
            }
            None => res.push_str(line),
        }
        res.push('\n');
    }
    for (ty, _) in FLOATS.iter().zip(floats).filter(|it| it.1) {
        let _ = writeln!(res, "declare void @effigy_watch_{ty}({ty}, {ty})");
    }
    if wide {
        res.push_str("declare void @effigy_watch_wide(i64, i64, i64, i64, i32)\n");
    }
    res
}

/// The width of an integer type whose compares clang does not trace.
fn unwatched_width(ty: &str) -> Option<u32> {
    let bits = ty.strip_prefix('i')?.parse().ok()?;
    (bits > 1 && bits <= WIDEST && !matches!(bits, 8 | 16 | 32 | 64)).then_some(bits)
}

/// A line `%x = fcmp olt double %a, %b, !dbg !7`.
struct Compare<'a> {
    ty: &'a str,
    operands: (&'a str, &'a str),
    /// `, !dbg !7`, or nothing.
    place: &'a str,
}

impl Compare<'_> {
    fn of(line: &str) -> Option<Compare<'_>> {
        let (name, rest) = line.strip_prefix("  %")?.split_once(" = ")?;
        let rest = rest.strip_prefix("fcmp ").or_else(|| rest.strip_prefix("icmp "))?;
        // Operands that are expressions or vectors have commas of their own.
        if name.contains(' ') || rest.contains(['(', '<', '[', '{']) {
            return None;
        }
        let (head, rest) = rest.split_once(", ")?;
        let mut words = head.rsplitn(3, ' ');
        let (first, ty) = (words.next()?, words.next()?);
        words.next()?;
        let (second, place) = match rest.find(", !dbg ") {
            Some(at) => rest.split_at(at),
            None => (rest, ""),
        };
        let is_plain = |it: &str| !it.is_empty() && !it.contains([' ', ',']);
        // Other marks on the instruction are not ours.
        let place = place.split(", ").nth(1).map_or("", |it| &place[..2 + it.len()]);
        (is_plain(first) && is_plain(second)).then_some(Compare { ty, operands: (first, second), place })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compares_that_clang_leaves_out_get_a_call() {
        let text = "  %5 = fcmp olt double %4, 1.5e+00, !dbg !7\n  %6 = icmp ne i24 %1, 3\n  %7 = icmp eq i32 %2, 3\n";
        let expected = "  call void @effigy_watch_double(double %4, double 1.5e+00), !dbg !7\n\
                        \x20 %5 = fcmp olt double %4, 1.5e+00, !dbg !7\n\
                        \x20 %effigy.1a = zext i24 %1 to i128\n\
                        \x20 %effigy.1a.low = trunc i128 %effigy.1a to i64\n\
                        \x20 %effigy.1a.rest = lshr i128 %effigy.1a, 64\n\
                        \x20 %effigy.1a.high = trunc i128 %effigy.1a.rest to i64\n\
                        \x20 %effigy.1b = zext i24 3 to i128\n\
                        \x20 %effigy.1b.low = trunc i128 %effigy.1b to i64\n\
                        \x20 %effigy.1b.rest = lshr i128 %effigy.1b, 64\n\
                        \x20 %effigy.1b.high = trunc i128 %effigy.1b.rest to i64\n\
                        \x20 call void @effigy_watch_wide(i64 %effigy.1a.low, i64 %effigy.1a.high, i64 %effigy.1b.low, \
                        i64 %effigy.1b.high, i32 24)\n\
                        \x20 %6 = icmp ne i24 %1, 3\n\
                        \x20 %7 = icmp eq i32 %2, 3\n\
                        declare void @effigy_watch_double(double, double)\n\
                        declare void @effigy_watch_wide(i64, i64, i64, i64, i32)\n";
        assert_eq!(watched(text), expected);
    }

    #[test]
    fn branches_stay() {
        let text = "define dso_local i32 @f(i32 noundef %0) #0 !dbg !9 {\n";
        assert_eq!(watched(text), "define dso_local i32 @f(i32 noundef %0) optforfuzzing #0 !dbg !9 {\n");
    }

    #[test]
    fn what_is_no_plain_compare_stays() {
        for line in [
            "  %5 = fcmp fast olt <4 x float> %4, %3",
            "  %5 = icmp eq i8* %4, null",
            "  %5 = icmp ult i128 ptrtoint (i8* @x to i128), %3",
            "  store double %1, double* %2",
            "  %5 = fcmp",
        ] {
            assert_eq!(watched(line), format!("{line}\n"));
        }
        assert!(
            watched("  %1 = fcmp nnan ogt float %a, %b, !dbg !1, !fpmath !2")
                .starts_with("  call void @effigy_watch_float(float %a, float %b), !dbg !1\n")
        );
    }
}

//! What the compilers that are installed write for small programs.

use super::{global, place};
use effigy_llvm::ir::{GlobalKind, Module};
use effigy_llvm::reader::read;
use std::path::{Path, PathBuf};
use std::process::Command;

const CLANGS: [&str; 10] = [
    "clang", "clang-14", "clang-15", "clang-16", "clang-17", "clang-18", "clang-19", "clang-20", "clang-21", "clang-22",
];

fn programs(extension: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/reader_corpus/programs");
    let files = std::fs::read_dir(folder).expect("the programs are there").flatten().map(|it| it.path());
    let mut res: Vec<PathBuf> = files.filter(|it| it.extension().is_some_and(|it| it == extension)).collect();
    res.sort();
    res
}

/// What a compiler writes, or `None` if it is not installed or refuses the program.
fn compiled(compiler: &str, program: &Path, flags: &[&str]) -> Option<(String, Vec<u8>)> {
    let mut command = Command::new(compiler);
    if compiler == "rustc" {
        command.args(["--emit=llvm-ir", "--crate-type=lib", "-o", "-"]);
    } else {
        command.args(["-S", "-emit-llvm", "-w", "-o", "-"]);
    }
    let output = command.args(flags).arg(program).output().ok()?;
    let what = format!("{compiler} {} {}", flags.join(" "), program.display());
    output.status.success().then_some((what, output.stdout))
}

/// What all clangs write for all C and C++ programs.
pub fn outputs(flags: &[&str]) -> Vec<(String, Vec<u8>)> {
    let programs = [programs("c"), programs("cc")].concat();
    CLANGS.iter().flat_map(|clang| programs.iter().filter_map(|it| compiled(clang, it, flags))).collect()
}

fn check(what: &str, text: &[u8]) -> Module {
    read(text).unwrap_or_else(|error| panic!("{what}: {error}\n  {}", error.excerpt))
}

fn check_all(flags: &[&str]) {
    for (what, text) in outputs(flags) {
        check(&what, &text);
    }
}

#[test]
fn clang_without_optimisation_is_read_with_places() {
    for (what, text) in outputs(&["-O0", "-g"]) {
        let module = check(&what, &text);
        let GlobalKind::Function(main) = &global(&module, "main").kind else { panic!("{what}: main") };
        let calls = main.blocks.iter().flat_map(|it| &it.instructions).filter(|it| it.op.is_terminator());
        let places: Vec<_> = calls.filter_map(|it| place(&module, it)).collect();
        assert!(places.iter().any(|it| it.2 == "main" && it.0 > 1), "{what}: {places:?}");
        assert!(main.variables.len() > 1, "{what}: variables");
        for variable in &main.variables {
            assert!(module.variable_name(main, variable.local).is_some(), "{what}: the name of a variable");
        }
    }
}

#[test]
fn clang_with_optimisation_is_read() {
    check_all(&["-O2"]);
    check_all(&["-O3", "-g", "-march=haswell", "-ffast-math"]);
}

#[test]
fn clang_with_sanitizers_is_read() {
    check_all(&["-O1", "-g", "-fsanitize=undefined,address"]);
}

#[test]
fn clang_for_other_targets_is_read() {
    // Freestanding, as the headers of these targets need not be there.
    let flags = [
        &["-O2", "--target=aarch64-linux-gnu", "-march=armv8-a+sve", "-DFREESTANDING", "-ffreestanding"][..],
        &["-O1", "--target=x86_64-pc-windows-msvc", "-fexceptions", "-DFREESTANDING", "-ffreestanding"],
        &["-O0", "--target=riscv64-linux-gnu", "-DFREESTANDING", "-ffreestanding"],
    ];
    for flags in flags {
        check_all(flags);
    }
}

#[test]
fn rustc_is_read() {
    for flags in [&["-g"][..], &["-O"], &["-Copt-level=3", "-Cpanic=abort", "-Ctarget-cpu=haswell"]] {
        for program in programs("rs") {
            if let Some((what, text)) = compiled("rustc", &program, flags) {
                check(&what, &text);
            }
        }
    }
}

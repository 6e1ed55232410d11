//! `cargo effigy`: the harnesses of a package are run by `effigy cargo`, which this program calls.
//! `cargo effigy test`: as `cargo test`, with the members of the workspace compiled to tell what they compare.
//!
//! Knows: cargo's and rustc's command lines. Never: what becomes of a comparison (`effigy-watch`), what a harness is.
//!
//! Of `cargo effigy test`:
//! Cargo calls this program instead of the compiler for members of the workspace, and for these only
//! (`RUSTC_WORKSPACE_WRAPPER`). It adds a pass that every stable compiler has. The hooks that the pass calls are those of
//! `effigy-watch`; what is linked without it gets others that do nothing.

use std::error::Error;
use std::ffi::{OsStr, OsString};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// Set for the compiler, and for the build script of `effigy-watch`: where the hooks are that do nothing.
const HOOKS: &str = "EFFIGY_WATCH";

const WRAPPER: &str = "RUSTC_WORKSPACE_WRAPPER";

/// Each comparison of the source is one: with optimisation some are folded.
const PASSES: [&str; 5] = [
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=1",
    "-Cllvm-args=-sanitizer-coverage-trace-pc-guard",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "-Copt-level=0",
];

const USAGE: &str = "cargo effigy test: as `cargo test`, and comparisons of values that an application was sent from a \
                     symbolic database are followed (of texts: of one length)\n\nusage: cargo effigy test [arguments of cargo test]\n";

/// Hooks for what is linked without `effigy-watch`.
const NOTHING: &str = r#"#![no_std]
macro_rules! nothing { ($($name:ident($($type:ty),*);)*) => { $(
    #[unsafe(no_mangle)]
    extern "C" fn $name($(_: $type),*) {}
)* }; }
nothing! {
    __sanitizer_cov_trace_cmp1(u8, u8); __sanitizer_cov_trace_const_cmp1(u8, u8);
    __sanitizer_cov_trace_cmp2(u16, u16); __sanitizer_cov_trace_const_cmp2(u16, u16);
    __sanitizer_cov_trace_cmp4(u32, u32); __sanitizer_cov_trace_const_cmp4(u32, u32);
    __sanitizer_cov_trace_cmp8(u64, u64); __sanitizer_cov_trace_const_cmp8(u64, u64);
    __sanitizer_cov_trace_switch(u64, *const u64);
    __sanitizer_cov_trace_pc_guard(*mut u32); __sanitizer_cov_trace_pc_guard_init(*mut u32, *mut u32);
}
"#;

fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    let done = match (arguments.first().and_then(|it| it.to_str()), std::env::var_os(HOOKS)) {
        (Some("effigy"), _) => command(&arguments[1..]),
        (Some(_), Some(hooks)) => compiler(&arguments, &hooks),
        _ => command(&arguments),
    };
    done.unwrap_or_else(|error| {
        let _ = writeln!(std::io::stderr(), "cargo effigy: {error}");
        ExitCode::from(2)
    })
}

/// What the user has called.
fn command(arguments: &[OsString]) -> Result<ExitCode, Box<dyn Error>> {
    let rest = match arguments {
        [first, rest @ ..] if first == "test" => rest,
        _ => return harnesses(arguments),
    };
    if rest.iter().take_while(|it| *it != "--").any(|it| it == "--help" || it == "-h") {
        return help();
    }
    if let Some(other) = std::env::var_os(WRAPPER) {
        return Err(format!("{WRAPPER} is set to {}: only one can be", other.display()).into());
    }
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let hooks = nothing(&target_folder(&cargo, rest)?.join("effigy"))?;
    let mut documentation = std::env::var_os("RUSTDOCFLAGS").unwrap_or_default();
    documentation.push(" -Clink-arg=");
    documentation.push(&hooks);
    let mut test = Command::new(cargo);
    test.arg("test").args(rest).env(WRAPPER, std::env::current_exe()?);
    test.env(HOOKS, &hooks).env("RUSTDOCFLAGS", documentation);
    code(&mut test)
}

/// Runs the harnesses of the package: `effigy` does, which is installed beside this program or found by its name.
fn harnesses(arguments: &[OsString]) -> Result<ExitCode, Box<dyn Error>> {
    let name = format!("effigy{}", std::env::consts::EXE_SUFFIX);
    let beside = std::env::current_exe()?.with_file_name(&name);
    let program = if beside.is_file() { beside } else { PathBuf::from(name) };
    match code(Command::new(&program).arg("cargo").args(arguments)) {
        Err(error) => Err(format!("{}: {error}; install it by `cargo install effigy-cli`", program.display()).into()),
        done => done,
    }
}

fn help() -> Result<ExitCode, Box<dyn Error>> {
    std::io::stdout().write_all(USAGE.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

fn code(command: &mut Command) -> Result<ExitCode, Box<dyn Error>> {
    let status = command.status()?;
    Ok(ExitCode::from(status.code().and_then(|it| u8::try_from(it).ok()).unwrap_or(1)))
}

/// The value of an option of cargo, in either way of writing it; not one of the tests' own, behind `--`.
fn option(arguments: &[OsString], name: &str) -> Option<OsString> {
    let mut rest = arguments.iter().take_while(|it| *it != "--");
    while let Some(it) = rest.next() {
        let text = it.to_string_lossy();
        match text.strip_prefix(name) {
            Some("") => return rest.next().cloned(),
            Some(value) if value.starts_with('=') => return Some(value[1..].into()),
            _ => {}
        }
    }
    None
}

fn target_folder(cargo: &OsStr, arguments: &[OsString]) -> Result<PathBuf, Box<dyn Error>> {
    if let Some(it) = option(arguments, "--target-dir") {
        return Ok(std::path::absolute(it)?);
    }
    let mut metadata = Command::new(cargo);
    metadata.args(["metadata", "--format-version=1", "--no-deps"]);
    if let Some(it) = option(arguments, "--manifest-path") {
        metadata.arg("--manifest-path").arg(it);
    }
    let out = metadata.output()?;
    if !out.status.success() {
        return Err(String::from_utf8_lossy(&out.stderr).trim().into());
    }
    let metadata: serde_json::Value = serde_json::from_slice(&out.stdout)?;
    Ok(metadata["target_directory"].as_str().ok_or("cargo metadata names no target folder")?.into())
}

/// The hooks that do nothing, as an archive: what else defines them comes first.
fn nothing(folder: &Path) -> Result<PathBuf, Box<dyn Error>> {
    std::fs::create_dir_all(folder)?;
    let (source, archive) = (folder.join("nothing.rs"), folder.join("libnothing.rlib"));
    std::fs::write(&source, NOTHING)?;
    let compiler = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let mut compile = Command::new(compiler);
    compile.args(["--edition=2024", "--crate-type=rlib", "-Cpanic=abort", "-o"]).arg(&archive).arg(&source);
    let out = compile.output()?;
    if !out.status.success() {
        return Err(String::from_utf8_lossy(&out.stderr).trim().into());
    }
    Ok(archive)
}

/// What cargo calls for a member of the workspace: the compiler and its arguments.
fn compiler(arguments: &[OsString], hooks: &OsStr) -> Result<ExitCode, Box<dyn Error>> {
    let [compiler, rest @ ..] = arguments else { return Err("cargo names no compiler".into()) };
    let mut compile = Command::new(compiler);
    compile.args(rest);
    if is_program(rest) && !is_ours(&std::env::var("CARGO_PKG_NAME").unwrap_or_default()) {
        let mut link = OsString::from("-Clink-arg=");
        link.push(hooks);
        compile.args(PASSES).arg(link);
    }
    code(&mut compile)
}

/// Whether it is part of the program under test, and not of what compiles it.
fn is_program(arguments: &[OsString]) -> bool {
    let name = option(arguments, "--crate-name");
    let kind = option(arguments, "--crate-type");
    name.is_some_and(|it| !it.to_string_lossy().starts_with("build_script_"))
        && kind.is_none_or(|it| it != "proc-macro")
}

/// What looks at comparisons must not tell of its own.
fn is_ours(package: &str) -> bool {
    package == "effigy" || package.starts_with("effigy-")
}

//! The flags of `effigy fuzz`.
//!
//! Knows: names, defaults and help; they are AFL++'s and libFuzzer's where they have them. Never: what is done with them.

use super::{FleetArgs, MaxTime, duration, limit};
use clap::Args as ClapArgs;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
A libFuzzer target (LLVMFuzzerTestOneInput) needs no change, and runs many times in one process; a
program with a main gets a process for each run. Crashes are confirmed under sanitizers, deduplicated
by their stacks and minimized. The folder has AFL++'s layout: queue, crashes, hangs; to resume a
campaign that was stopped or killed, give its folder again.

Examples:
  effigy fuzz target.c
  effigy fuzz target.c --seeds corpus --max-time 10min -- -Iinclude
  effigy fuzz --stdin prog.c
  effigy fuzz --entry parse parser.c
  effigy fuzz --project build --target fuzz_parse
  effigy fuzz target.c --out out/effigy --sync out
  effigy fuzz target.c --jobs 4
  effigy fuzz target.c --fleet redis://:password@host --out worker1

Exit codes: 0 nothing found, 1 a bug, 2 usage or input error (also a sanitizer that cannot start),
            3 no bug, but a crash that was not reproduced or not triaged in time, or an assumption that no
            input satisfied, 70 internal error")]
pub(crate) struct FuzzArgs {
    /// C (.c), C++ (.cc, .cpp), Rust (.rs) or LLVM IR (.ll) files of one program, or a program that was built with
    /// `effigy cc`
    #[arg(required_unless_present = "project", value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Take a program of this build instead of files: a compile_commands.json, or a folder with one
    #[arg(long, value_name = "JSON|DIR")]
    pub(crate) project: Option<PathBuf>,
    /// With --project: the program to take, by the name of its target in CMake or Meson, or by its file with main or
    /// LLVMFuzzerTestOneInput
    #[arg(long, value_name = "NAME")]
    pub(crate) target: Option<String>,
    /// Flags for the compiler
    #[arg(last = true, value_name = "COMPILER FLAGS")]
    pub(crate) flags: Vec<String>,
    /// The program reads its input from standard input
    #[arg(long, conflicts_with_all = ["file_arg", "entry"])]
    pub(crate) stdin: bool,
    /// The program reads its input from the file that its argument names
    #[arg(long, conflicts_with = "entry")]
    pub(crate) file_arg: bool,
    /// Call this function of a C file, with arguments built from the input
    #[arg(long, value_name = "NAME")]
    pub(crate) entry: Option<String>,
    /// Bytes behind each pointer argument of --entry that does not point to a structure
    #[arg(long, value_name = "N", default_value_t = 64, requires = "entry")]
    pub(crate) buffer: u64,
    /// Start with these inputs: a file, or a folder of files (repeatable)
    #[arg(long, value_name = "DIR")]
    pub(crate) seeds: Vec<PathBuf>,
    /// Stop after this time, from when the program is built (30s, 5min, 1h, none)
    #[arg(long, value_name = "TIME", value_parser = limit, default_value = "5min")]
    pub(crate) max_time: MaxTime,
    /// Stop after N runs
    #[arg(long, value_name = "N")]
    pub(crate) max_runs: Option<u64>,
    /// Maximum size of an input in bytes
    #[arg(long, value_name = "N", default_value_t = 4096, value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    pub(crate) max_len: u32,
    /// Time limit for one run; a run that takes longer is a hang
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = duration)]
    pub(crate) timeout: Duration,
    /// Memory limit for one run, in megabytes
    #[arg(long, value_name = "MB", default_value_t = 2048)]
    pub(crate) max_memory: u64,
    /// Use a process for each run, even if one process could do all runs
    #[arg(long)]
    pub(crate) isolate: bool,
    /// Only fuzz natively: execute no input symbolically
    #[arg(long)]
    pub(crate) no_symbolic: bool,
    /// Seed of the random generator; each worker of a fleet derives its own
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Stop at the first bug
    #[arg(long)]
    pub(crate) stop_at_first_bug: bool,
    /// The corpus folder: inputs, crashes, their tests, the report
    #[arg(long = "out", alias = "output", value_name = "DIR", default_value = "effigy-fuzz")]
    pub(crate) output: PathBuf,
    /// Read the queues of other fuzzers below this folder (AFL++'s -o) every few seconds
    #[arg(long, value_name = "DIR")]
    pub(crate) sync: Option<PathBuf>,
    /// Run N fuzzing loops, each with a symbolic worker, at the same time
    #[arg(long, short, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256))]
    pub(crate) jobs: u32,
    #[command(flatten)]
    pub(crate) shared: FleetArgs,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// Print bugs only
    #[arg(long, short)]
    pub(crate) quiet: bool,
    /// Refuse to execute anything natively, as EFFIGY_NO_NATIVE=1 does
    #[arg(long)]
    pub(crate) no_native: bool,
}

//! The arguments of the command.
//!
//! Knows: names, defaults and help of the flags that no language owns. Names follow KLEE and cargo.

mod bmc;
mod cargo;
mod compiler;
mod feasible;
mod fleet;
mod fuzz;
mod layers;
mod shell;
mod solve;
mod verify;

pub(crate) use bmc::BmcArgs;
pub(crate) use cargo::{CargoArgs, CargoSelection};
pub(crate) use compiler::CompilerArgs;
pub(crate) use feasible::FeasibleArgs;
pub(crate) use fleet::FleetArgs;
pub(crate) use fuzz::FuzzArgs;
use layers::LayerArgs;
pub(crate) use shell::{CompletionsArgs, ManArgs};
pub(crate) use solve::SolveArgs;
pub(crate) use verify::{InferenceArgs, LibraryArgs, VerifyArgs, search_name};

use clap::{Args as ClapArgs, Parser, Subcommand};
use effigy_engine::Joins;
use effigy_walk::Search;
use std::path::PathBuf;
use std::time::Duration;

/// Symbolic execution: explore every path of a program, and get each bug with an input that triggers it.
#[derive(Debug, Parser)]
#[command(name = "effigy", version, max_term_width = 100, after_help = AFTER)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

const AFTER: &str = "\
Examples:
  effigy run prog.c          explore, report bugs, write tests (effigy-out links to them)
  effigy replay              run those tests on the native program
  effigy bmc prog.c          is there a bug at all? every path at once, loops up to a bound
  effigy debug prog.c        choose a side at each branch, with breakpoints, save and undo
  effigy run search.pli --call 'SEARCH(A, 1, 5, \"X\", FOUND, J)'
  effigy tree power.pli --svg power.svg
  effigy prove power.pli     prove its ASSERT statements, or refute them
  effigy verify list.vpr     verify each method against its contract (.vpr, .oo)
  effigy feasible prog.c --trace report.sarif
                             is an error trace of another tool one of the program's paths?
  effigy fuzz target.c       run a libFuzzer target natively on generated inputs
  effigy solve query.smt2    answer the queries of an SMT-LIB 2 script

Exit codes: 0 nothing found, 1 bugs found (or a replay that differs), 2 usage or input error,
            3 cut short (or only possible bugs found), 70 internal error";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Explore every feasible path of a C, C++, Rust, LLVM IR, PL/I or .oo program
    Run(Box<RunArgs>),
    /// Check every path at once, merged, with loops unwound up to a bound: bounded model checking
    Bmc(Box<BmcArgs>),
    /// Draw the execution tree of a program, or its tree of states (text, SVG, HTML, Graphviz)
    Tree(Box<TreeArgs>),
    /// Prove a PL/I program correct with respect to its ASSERT statements
    Prove(Box<ProveArgs>),
    /// Verify Viper (.vpr) and object-oriented (.oo) programs against their contracts
    Verify(Box<VerifyArgs>),
    /// Walk the execution tree of a program by hand: an interactive symbolic debugger
    Debug(Box<DebugArgs>),
    /// Run the tests of an exploration on the native program, with sanitizers
    Replay(ReplayArgs),
    /// Decide whether some input follows an error trace, or which of its steps contradict each other
    Feasible(Box<FeasibleArgs>),
    /// Fuzz a C, C++ or Rust program natively, with symbolic execution where fuzzing is stuck
    Fuzz(Box<FuzzArgs>),
    /// Run the harnesses of a cargo package (kani::proof) on all of their inputs; also `cargo effigy`
    Cargo(Box<CargoArgs>),
    /// Compile with the user's clang, and note what was compiled: `CC="effigy cc" make`, then `effigy run ./prog`; `effigy
    /// c++` for C++
    #[command(alias = "c++", disable_version_flag = true)]
    Cc(CompilerArgs),
    /// List the classes of bugs that are looked for
    Bugs(BugsArgs),
    /// Answer the queries of SMT-LIB 2 scripts: bitvectors and arrays in the process
    Solve(SolveArgs),
    /// Print a completion script for a shell
    Completions(CompletionsArgs),
    /// Write the manual pages into a folder
    #[command(hide = true)]
    Man(ManArgs),
}

/// What is executed. Languages add flags of their own (`languages/`).
#[derive(Clone, Debug, ClapArgs)]
pub(crate) struct StartArgs {
    /// (described by the languages)
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Flags for the compiler
    #[arg(last = true, value_name = "COMPILER FLAGS")]
    pub(crate) flags: Vec<String>,
    /// Take a program of this build instead of files: a compile_commands.json, or a folder with one. Each file is compiled
    /// with its own flags, in its own directory
    #[arg(long, value_name = "JSON|DIR")]
    pub(crate) project: Option<PathBuf>,
    /// With --project: the program to take, by the name of its target in CMake or Meson, or by its file with main
    #[arg(long, value_name = "NAME")]
    pub(crate) target: Option<String>,
    /// Start at this function or procedure, with symbolic arguments; for .vpr and .oo: verify this method, function or
    /// predicate. `run` and `bmc` take several, one after the other
    #[arg(long, alias = "method", value_name = "NAME")]
    pub(crate) entry: Vec<String>,
    /// Start at each function of this list, one name a line
    #[arg(long, value_name = "FILE")]
    pub(crate) entries: Option<PathBuf>,
    /// The call to execute, "X" being an input: 'SEARCH(A, 1, 5, "X", FOUND, J)', 'TEST (200) P("X")' (PL/I)
    #[arg(long, value_name = "CALL")]
    pub(crate) call: Option<String>,
    /// Look only for these classes of bugs, separated by commas (`effigy bugs` lists them); `default` stands for all that
    /// are looked for without this flag. For .oo: check whether a path is feasible at each `branch` (the default) or only
    /// at its `leaf`
    #[arg(long, value_name = "BUG", value_delimiter = ',')]
    pub(crate) check: Vec<String>,
    /// Do not look for these classes of bugs
    #[arg(long, value_name = "BUG", value_delimiter = ',')]
    pub(crate) no_check: Vec<String>,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Mark inputs with effigy.h or klee/klee.h (no include path is needed), or choose a function with --entry.

Examples:
  effigy run maze.c
  effigy run --entry parse --buffer 6 parser.c util.c -- -DNDEBUG -Iinclude
  effigy run --entry decode src/decode.rs
  effigy run --project build/compile_commands.json --target prog
  effigy run search.pli --call 'SEARCH(A, 1, 5, \"X\", FOUND, J)'
  effigy run --model traces --explain reverse.oo
  effigy run --max-time 30s --search covnew --json prog.c
  effigy run --resume effigy-out
  effigy run parser.c --fleet redis://:password@host --out worker1")]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) start: StartArgs,
    /// Resume the run of this output folder, which was stopped or killed. Program and flags are those in the folder, so
    /// resume only folders of your own; --max-time, --max-paths and --max-steps are those given now
    #[arg(long, value_name = "DIR", conflicts_with = "fleet")]
    pub(crate) resume: Option<PathBuf>,
    /// Execute one input concretely and symbolically: print its path, the path condition, and the branches not taken.
    /// INPUT is a test (.json, .ktest), a file of bytes (for --sym-stdin, --sym-file or a libFuzzer target), or
    /// x=3,name="text"
    #[arg(long, value_name = "INPUT", conflicts_with_all = ["resume", "merge", "jobs", "out", "ktest", "trace", "fleet"])]
    pub(crate) concolic: Option<String>,
    /// Where to merge paths that reach the same location: never; between klee_open_merge and klee_close_merge (marked);
    /// where they agree on the values that the next branches depend on (heuristic); or always. Merged paths give a test
    /// for each end of the program, not for each path
    #[arg(long, value_name = "WHERE", default_value = "never", value_parser = merging, conflicts_with = "fleet")]
    pub(crate) merge: MergeMode,
    /// Number of workers [default: 1 for the first second, then one for each processor]
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) jobs: Option<u16>,
    #[command(flatten)]
    pub(crate) shared: FleetArgs,
    /// What was typed of the flags that decide what is walked ([`crate::resume::identity`]).
    #[arg(skip)]
    pub(crate) identity: String,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    #[command(flatten)]
    pub(crate) solver: SolverArgs,
}

/// The order in which paths are explored, and the limits of the walk.
#[derive(Debug, ClapArgs)]
pub(crate) struct LimitArgs {
    /// Which path to continue: dfs, bfs, random-path, random-state, covnew, interleaved
    #[arg(long, value_name = "NAME", default_value = "interleaved", value_parser = search)]
    pub(crate) search: Search,
    /// Seed of the random searchers
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Stop after this time (30s, 5min, 1h, none) [default: 5min at a terminal if the run has no other limit, else none]
    #[arg(long, value_name = "TIME", value_parser = limit)]
    pub(crate) max_time: Option<MaxTime>,
    /// Stop when the process uses MB megabytes of memory
    #[arg(long, value_name = "MB", default_value_t = 8000)]
    pub(crate) max_memory: u64,
    /// Stop after N paths
    #[arg(long, value_name = "N")]
    pub(crate) max_paths: Option<u64>,
    /// Stop after N instructions, over all paths
    #[arg(long, value_name = "N")]
    pub(crate) max_steps: Option<u64>,
    /// Stop at the first bug (a possible bug does not count)
    #[arg(long)]
    pub(crate) stop_at_first_bug: bool,
    /// Cut a path after N forks
    #[arg(long, value_name = "N")]
    pub(crate) max_depth: Option<u64>,
    /// Cut a path after N instructions
    #[arg(long, value_name = "N")]
    pub(crate) max_path_steps: Option<u64>,
    /// Follow at most N values of one symbolic address or size
    #[arg(long, value_name = "N", default_value_t = 64)]
    pub(crate) max_values: u32,
    /// Time limit for one solver query
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = duration)]
    pub(crate) solver_timeout: Duration,
    /// Step limit for one solver query (conflicts, or resource units of an SMT solver): the same answer on every machine
    #[arg(long, value_name = "N")]
    pub(crate) solver_steps: Option<u64>,
}

/// Bugs that are known already.
#[derive(Clone, Debug, Default, ClapArgs)]
pub(crate) struct BaselineArgs {
    /// Known bugs, from an earlier --update-baseline: they are counted, and only new ones give exit code 1
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,
    /// Write the bugs of this run to the baseline
    #[arg(long, requires = "baseline")]
    pub(crate) update_baseline: bool,
}

/// What is shown and written.
#[derive(Debug, ClapArgs)]
pub(crate) struct OutputArgs {
    #[command(flatten)]
    pub(crate) baseline: BaselineArgs,
    /// Output folder for tests, summary and coverage [default: for C, C++ and Rust a new effigy-out-N, which the link
    /// effigy-out points to; none for other languages]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Write .ktest files too
    #[arg(long)]
    pub(crate) ktest: bool,
    /// Path conditions of leaves: short (nothing that the rest implies) or full (every conjunct)
    #[arg(long, value_name = "short|full", default_value = "short", value_parser = condition_form)]
    pub(crate) pc: ConditionForm,
    /// Print the values after each statement, as in King's figures 2, 3 and 5
    #[arg(long)]
    pub(crate) trace: bool,
    /// Print each path on standard error as it ends, even if that is not a terminal
    #[arg(long)]
    pub(crate) live: bool,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// Print what each layer of the solver answered
    #[arg(long)]
    pub(crate) stats: bool,
    /// Print bugs only
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

/// Whether paths that meet become one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum MergeMode {
    Never,
    Where(Joins),
}

fn merging(name: &str) -> Result<MergeMode, String> {
    match name {
        "never" => Ok(MergeMode::Never),
        "marked" => Ok(MergeMode::Where(Joins::Marked)),
        "heuristic" => Ok(MergeMode::Where(Joins::Heuristic)),
        "always" => Ok(MergeMode::Where(Joins::Always)),
        _ => Err("never, marked, heuristic or always was expected".to_owned()),
    }
}

/// How path conditions are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ConditionForm {
    Short,
    Full,
}

fn condition_form(name: &str) -> Result<ConditionForm, String> {
    match name {
        "short" => Ok(ConditionForm::Short),
        "full" => Ok(ConditionForm::Full),
        _ => Err("short or full was expected".to_owned()),
    }
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  effigy tree power.pli --call 'POWER(\"X\", \"Y\")' --max-depth 4
  effigy tree search.pli --call 'SEARCH(A, 1, 5, \"X\", FOUND, J)' --svg search.svg --dot search.dot
  effigy tree --states --full --entry foo foo.c --integers ideal --html foo.html
  effigy tree list.vpr --entry insert --svg insert.svg
  effigy tree reverse.oo --model traces --svg reverse.svg")]
pub(crate) struct TreeArgs {
    #[command(flatten)]
    pub(crate) start: StartArgs,
    /// Cut a path after N forks
    #[arg(long, alias = "depth", value_name = "N", default_value_t = 6)]
    pub(crate) max_depth: u64,
    /// Cut a path after N statements (instructions in C)
    #[arg(long, value_name = "N")]
    pub(crate) max_path_steps: Option<u64>,
    /// Stop after N paths
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub(crate) max_paths: u64,
    /// Stop after this time (30s, 5min, 1h)
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "60s")]
    pub(crate) max_time: Duration,
    /// Draw the generational search of whitebox fuzzing from this input: the paths of the inputs that it finds, and which
    /// input was derived from which; INPUT as for `effigy run --concolic`
    #[arg(long, value_name = "INPUT", conflicts_with = "states")]
    pub(crate) generations: Option<String>,
    /// Draw states: a node shows its location and what has changed in symbolic memory and path condition
    #[arg(long)]
    pub(crate) states: bool,
    /// With --states: show each state completely
    #[arg(long, requires = "states")]
    pub(crate) full: bool,
    /// Write an SVG picture
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
    /// Write an HTML page with the picture and the text
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// Write a graph for Graphviz
    #[arg(long, value_name = "FILE")]
    pub(crate) dot: Option<PathBuf>,
    /// Overwrite files that exist
    #[arg(long)]
    pub(crate) force: bool,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) solver: SolverArgs,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Put ASSERT statements at the beginning, in every loop and at the end of the procedure.

Examples:
  effigy prove power.pli
  effigy prove search.pli --entry SEARCH --json")]
pub(crate) struct ProveArgs {
    /// A PL/I file (.pli)
    #[arg(required = true, value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Prove only this procedure (repeatable) [default: every procedure with an ASSERT]
    #[arg(long, alias = "procedure", value_name = "NAME")]
    pub(crate) entry: Vec<String>,
    /// Use machine integers of BITS bits, and prove that none overflows, instead of unbounded ones
    #[arg(long, value_name = "BITS", value_parser = clap::value_parser!(u32).range(2..=4096))]
    pub(crate) width: Option<u32>,
    /// Time limit for one verification condition
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = duration)]
    pub(crate) solver_timeout: Duration,
    /// Give up a path after N statements without an ASSERT
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub(crate) max_path_steps: u64,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) solver: SolverArgs,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Commands come from the terminal, from a script or from standard input; `help` lists them.
At a branch that the path condition does not decide, execution stops and waits for your choice.

Examples:
  effigy debug maze.c
  effigy debug --entry parse --buffer 6 parser.c
  echo 'break 12; go; show; witness' | effigy debug prog.c
  effigy debug --script session.txt --json prog.c
  effigy debug --entry insert list.vpr

Exit codes: 0 the session has ended, 2 usage or input error, or a command of a script failed")]
pub(crate) struct DebugArgs {
    #[command(flatten)]
    pub(crate) start: StartArgs,
    /// Read the commands from this file, and stop at the first one that fails
    #[arg(long, value_name = "FILE")]
    pub(crate) script: Option<PathBuf>,
    /// Time limit for one solver query
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = duration)]
    pub(crate) solver_timeout: Duration,
    /// Print one JSON object for each line of commands
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) solver: SolverArgs,
}

#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Solver")]
pub(crate) struct SolverArgs {
    /// Command of the SMT-LIB 2 solver for queries beyond bitvectors
    #[arg(long, value_name = "COMMAND", default_value = "z3 -in")]
    pub(crate) smt: String,
    /// Backend: route, bits (in the process), smt
    #[arg(long, value_name = "NAME", default_value = "route", value_parser = backend)]
    pub(crate) solver: effigy_solver::Backend,
    /// Write the backend's queries to this folder as SMT-LIB 2
    #[arg(long, value_name = "DIR")]
    pub(crate) query_log: Option<PathBuf>,
    /// Switch off this simplification rule of terms, to find a wrong one (--stats lists them)
    #[arg(long, value_name = "RULE", value_delimiter = ',', value_parser = rule)]
    pub(crate) no_rule: Vec<effigy_term::Rule>,
    #[command(flatten)]
    pub(crate) layers: LayerArgs,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Example:
  effigy replay effigy-out
  effigy replay effigy-out/tests/test000003.json")]
pub(crate) struct ReplayArgs {
    /// An output folder, or tests in one [default: effigy-out]
    #[arg(value_name = "DIR|TEST")]
    pub(crate) what: Vec<PathBuf>,
    /// Give up a test after this time
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = duration)]
    pub(crate) timeout: Duration,
    /// Run N tests at once [default: the number of processors]
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) jobs: Option<u16>,
    /// Start a new process for each test, instead of forking one or running several tests in it
    #[arg(long)]
    pub(crate) isolate: bool,
    /// Refuse to execute anything natively, as EFFIGY_NO_NATIVE=1 does
    #[arg(long)]
    pub(crate) no_native: bool,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// Print only the tests that differ
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Example:
  effigy bugs
  effigy run --no-check signed-overflow prog.c")]
pub(crate) struct BugsArgs {
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

fn search(name: &str) -> Result<Search, String> {
    let found = Search::ALL.iter().find(|it| it.0 == name);
    found.map(|it| it.1).ok_or_else(|| {
        let names: Vec<&str> = Search::ALL.iter().map(|it| it.0).collect();
        format!("one of {} was expected", names.join(", "))
    })
}

fn rule(name: &str) -> Result<effigy_term::Rule, String> {
    effigy_term::Rule::of_name(name).ok_or_else(|| {
        let all: Vec<&str> = effigy_term::Rule::ALL.iter().map(|it| it.name()).collect();
        format!("there is no such rule; there are: {}", all.join(", "))
    })
}

fn backend(name: &str) -> Result<effigy_solver::Backend, String> {
    match name {
        "route" => Ok(effigy_solver::Backend::Route),
        "bits" => Ok(effigy_solver::Backend::Bits),
        "smt" => Ok(effigy_solver::Backend::Smt),
        _ => Err("route, bits or smt was expected".to_owned()),
    }
}

/// How long a run may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum MaxTime {
    /// The run stops after this time.
    Of(Duration),
    /// As long as it takes.
    None,
}

fn limit(text: &str) -> Result<MaxTime, String> {
    match text {
        "none" => Ok(MaxTime::None),
        _ => duration(text).map(|it| if it.is_zero() { MaxTime::None } else { MaxTime::Of(it) }),
    }
}

/// `30`, `30s`, `500ms`, `5min`, `5m`, `1h`
fn duration(text: &str) -> Result<Duration, String> {
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let number: f64 = text[..digits].parse().map_err(|_| "a time was expected, such as 30s or 5min".to_owned())?;
    let seconds = match &text[digits..] {
        "ms" => number / 1000.0,
        "" | "s" => number,
        "m" | "min" => number * 60.0,
        "h" => number * 3600.0,
        _ => return Err("a time was expected, such as 30s or 5min".to_owned()),
    };
    Duration::try_from_secs_f64(seconds).map_err(|_| "this time is too long".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_as_klee_and_people_do() {
        assert_eq!(duration("30"), Ok(Duration::from_secs(30)));
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("5min"), Ok(Duration::from_secs(300)));
        assert_eq!(limit("none"), Ok(MaxTime::None));
        assert_eq!(limit("0"), Ok(MaxTime::None));
        assert!(duration("five").is_err());
        assert!(duration("5 years").is_err());
    }

    #[test]
    fn the_command_line_is_consistent() {
        crate::languages::with_options(<Args as clap::CommandFactory>::command()).debug_assert();
    }
}

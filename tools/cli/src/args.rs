//! The arguments of the command.
//!
//! Knows: names, defaults and help of all flags. Names follow KLEE and cargo.

mod layers;

use clap::{Args as ClapArgs, Parser, Subcommand};
use effigy_engine::Feasibility;
use effigy_explore::Search;
use effigy_oo::run::forward::Updates;
use effigy_oo::run::machine::Errors;
use layers::LayerArgs;
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
  effigy run prog.c          explore, report bugs, write tests to effigy-out/
  effigy replay              run those tests on the native program
  effigy debug prog.c        choose the way at each branch, with breakpoints, save and undo
  effigy run search.pli --call 'SEARCH(A, 1, 5, \"X\", FOUND, J)'
  effigy tree power.pli --svg power.svg
  effigy prove power.pli     prove its ASSERT statements, or refute them
  effigy verify list.vpr     verify each method against its contract (.vpr, .oo)

Exit codes: 0 nothing found, 1 bugs found (or a replay that differs), 2 usage or input error,
            3 cut short and nothing found, 70 internal error";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Explore every feasible path of a C, C++, Rust, LLVM IR, PL/I or .oo program
    Run(Box<RunArgs>),
    /// Draw the execution tree of a program (text, SVG, Graphviz)
    Tree(Box<TreeArgs>),
    /// Prove a PL/I program correct with respect to its ASSERT statements
    Prove(Box<ProveArgs>),
    /// Verify Viper (.vpr) and object-oriented (.oo) programs against their contracts
    Verify(Box<VerifyArgs>),
    /// Walk the execution tree of a program by hand: an interactive symbolic debugger
    Debug(Box<DebugArgs>),
    /// Run the tests of an exploration on the native program, with sanitizers
    Replay(ReplayArgs),
    /// List the classes of bugs that are looked for
    Bugs(BugsArgs),
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Mark inputs with effigy.h or klee/klee.h (both are found by themselves), or choose a function with --entry.

Examples:
  effigy run maze.c
  effigy run --entry parse --buffer 6 parser.c util.c -- -DNDEBUG -Iinclude
  effigy run --entry decode src/decode.rs
  effigy run search.pli --call 'SEARCH(A, 1, 5, \"X\", FOUND, J)'
  effigy run --model traces --explain reverse.oo
  effigy run --max-time 30s --search covnew --json prog.c")]
pub(crate) struct RunArgs {
    /// C (.c), C++ (.cc, .cpp), Rust (.rs) or LLVM IR (.ll) files of one program, or a PL/I file (.pli),
    /// or an object-oriented one (.oo)
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Flags for the compiler
    #[arg(last = true, value_name = "COMPILER FLAGS")]
    pub(crate) flags: Vec<String>,
    /// Explore this function with symbolic arguments instead of main
    #[arg(long, value_name = "NAME")]
    pub(crate) entry: Option<String>,
    /// Bytes of the symbolic buffer behind each pointer argument of --entry
    #[arg(long, value_name = "N", default_value_t = 8)]
    pub(crate) buffer: u64,
    /// An argument for main (repeatable)
    #[arg(long = "arg", value_name = "TEXT")]
    pub(crate) args: Vec<String>,
    /// Output folder [default: effigy-out]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Which path goes on: dfs, bfs, random-path, random-state, covnew, interleaved
    #[arg(long, value_name = "NAME", default_value = "interleaved", value_parser = search)]
    pub(crate) search: Search,
    /// Seed of the random searchers
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Stop after this time (30s, 5min, 1h)
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) max_time: Option<Duration>,
    /// Stop when the process takes so many megabytes
    #[arg(long, value_name = "MB", default_value_t = 8000)]
    pub(crate) max_memory: u64,
    /// Stop after so many paths
    #[arg(long, value_name = "N")]
    pub(crate) max_paths: Option<u64>,
    /// Stop after so many instructions
    #[arg(long, value_name = "N")]
    pub(crate) max_steps: Option<u64>,
    /// Cut a path after so many forks
    #[arg(long, value_name = "N")]
    pub(crate) max_depth: Option<u64>,
    /// Cut a path after so many instructions
    #[arg(long, value_name = "N")]
    pub(crate) max_path_steps: Option<u64>,
    /// Follow so many values of one symbolic address or size
    #[arg(long, value_name = "N", default_value_t = 64)]
    pub(crate) max_values: u32,
    /// Time for one query to the solver
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = duration)]
    pub(crate) solver_timeout: Duration,
    /// Look only for this class of bugs (repeatable; `effigy bugs` lists them). For .oo: ask for a path's feasibility
    /// at each `branch` (the default) or only at its `leaf`
    #[arg(long, value_name = "BUG")]
    pub(crate) check: Vec<String>,
    /// Do not look for this class of bugs (repeatable)
    #[arg(long, value_name = "BUG")]
    pub(crate) no_check: Vec<String>,
    /// End a path at a call of an unknown function instead of returning any value
    #[arg(long)]
    pub(crate) strict_externals: bool,
    /// Write .ktest files too
    #[arg(long)]
    pub(crate) ktest: bool,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// Print what each layer of the solver answered
    #[arg(long)]
    pub(crate) stats: bool,
    /// Print bugs only
    #[arg(long, short)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) pli: PliArgs,
    /// Print the values after each statement, as King's figures 2, 3 and 5 (PL/I)
    #[arg(long, help_heading = "PL/I")]
    pub(crate) trace: bool,
    /// Print each transition with the name of its rule (.oo)
    #[arg(long, help_heading = "Object language (.oo)")]
    pub(crate) explain: bool,
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    #[command(flatten)]
    pub(crate) solver: SolverArgs,
}

/// How an object-oriented program is executed.
#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Object language (.oo)")]
pub(crate) struct ModelArgs {
    /// The model: forward (substitutions and a path condition) or traces (weakest preconditions) [default: forward]
    #[arg(long, value_name = "forward|traces", value_parser = model)]
    pub(crate) model: Option<ModelName>,
    /// Errors of expressions (nil, subscripts, division): report a path for each, or exclude their inputs
    #[arg(long, value_name = "report|exclude", default_value = "report", value_parser = errors)]
    pub(crate) errors: Errors,
    /// As the paper stipulates: x div 0 = 0, subscripts 0 ≤ e ≤ |a|, strict operations
    #[arg(long)]
    pub(crate) paper_semantics: bool,
    /// What is read from updated fields and arrays: terms of the theory of arrays, or conditional expressions (forward)
    #[arg(long, value_name = "stores|conditional", default_value = "stores", value_parser = updates)]
    pub(crate) updates: Updates,
    /// Explore every interleaving of threads, also those that do what another does
    #[arg(long)]
    pub(crate) no_por: bool,
}

/// A model of symbolic execution.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum ModelName {
    #[default]
    Forward,
    Traces,
}

fn model(name: &str) -> Result<ModelName, String> {
    match name {
        "forward" => Ok(ModelName::Forward),
        "traces" => Ok(ModelName::Traces),
        _ => Err("forward or traces was expected".to_owned()),
    }
}

fn errors(name: &str) -> Result<Errors, String> {
    match name {
        "report" => Ok(Errors::Report),
        "exclude" => Ok(Errors::Exclude),
        _ => Err("report or exclude was expected".to_owned()),
    }
}

fn updates(name: &str) -> Result<Updates, String> {
    match name {
        "stores" => Ok(Updates::Stores),
        "conditional" => Ok(Updates::Conditional),
        _ => Err("stores or conditional was expected".to_owned()),
    }
}

/// When feasibility is asked for (`--check` of .oo programs).
pub(crate) fn check_timing(name: &str) -> Result<Feasibility, String> {
    match name {
        "branch" => Ok(Feasibility::Branch),
        "leaf" => Ok(Feasibility::Leaf),
        _ => Err(format!("--check {name}: branch or leaf was expected for a .oo program")),
    }
}

/// What a PL/I program is called with.
#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "PL/I")]
pub(crate) struct PliArgs {
    /// The call to execute, "X" being an input: 'SEARCH(A, 1, 5, "X", FOUND, J)', 'TEST (200) P("X")'
    #[arg(long, value_name = "CALL")]
    pub(crate) call: Option<String>,
    /// Arrays with symbolic subscripts: by cases, or as conditional values
    #[arg(long, value_name = "cases|conditional", default_value = "conditional", value_parser = arrays)]
    pub(crate) arrays: effigy_pli::Arrays,
    /// Machine integers of so many bits, with overflow reported, instead of unbounded ones
    #[arg(long, value_name = "BITS", value_parser = clap::value_parser!(u32).range(2..=4096))]
    pub(crate) width: Option<u32>,
    /// Path conditions: short (nothing that the rest implies) or full (every conjunct)
    #[arg(long, value_name = "short|full", default_value = "short", value_parser = condition_form)]
    pub(crate) pc: ConditionForm,
}

/// How path conditions are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ConditionForm {
    Short,
    Full,
}

fn arrays(name: &str) -> Result<effigy_pli::Arrays, String> {
    match name {
        "cases" => Ok(effigy_pli::Arrays::Cases),
        "conditional" => Ok(effigy_pli::Arrays::Conditional),
        _ => Err("cases or conditional was expected".to_owned()),
    }
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
  effigy tree power.pli --call 'POWER(\"X\", \"Y\")' --depth 4
  effigy tree search.pli --call 'SEARCH(A, 1, 5, \"X\", FOUND, J)' --svg search.svg --dot search.dot
  effigy tree list.vpr --method insert --svg insert.svg
  effigy tree reverse.oo --model traces --svg reverse.svg")]
pub(crate) struct TreeArgs {
    /// A PL/I (.pli), Viper (.vpr) or .oo file, or the C, C++, Rust or LLVM IR files of one program
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Flags for the compiler
    #[arg(last = true, value_name = "COMPILER FLAGS")]
    pub(crate) flags: Vec<String>,
    /// Draw the verification of this method, function or predicate (.vpr, .oo)
    #[arg(long, value_name = "NAME")]
    pub(crate) method: Option<String>,
    /// Draw this function with symbolic arguments instead of main (C)
    #[arg(long, value_name = "NAME")]
    pub(crate) entry: Option<String>,
    /// Cut a path after so many forks
    #[arg(long, value_name = "N", default_value_t = 6)]
    pub(crate) depth: u64,
    /// Cut a path after so many statements (instructions in C)
    #[arg(long, value_name = "N")]
    pub(crate) max_path_steps: Option<u64>,
    /// Stop after so many paths
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub(crate) max_paths: u64,
    /// Stop after this time (30s, 5min, 1h)
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "60s")]
    pub(crate) max_time: Duration,
    /// Write a picture
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
    /// Write a graph for Graphviz
    #[arg(long, value_name = "FILE")]
    pub(crate) dot: Option<PathBuf>,
    /// Overwrite files that exist
    #[arg(long)]
    pub(crate) force: bool,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// Ask for a path's feasibility at each branch, or only at its leaf (.oo with --model)
    #[arg(long, value_name = "branch|leaf", default_value = "branch", value_parser = check_timing, help_heading = "Object language (.oo)")]
    pub(crate) check: Feasibility,
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    #[command(flatten)]
    pub(crate) inference: InferenceArgs,
    #[command(flatten)]
    pub(crate) pli: PliArgs,
    #[command(flatten)]
    pub(crate) solver: SolverArgs,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Put ASSERT statements at the beginning, in every loop and at the end of the procedure.

Examples:
  effigy prove power.pli
  effigy prove search.pli --procedure SEARCH --json")]
pub(crate) struct ProveArgs {
    /// A PL/I file (.pli)
    #[arg(required = true, value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Prove only this procedure (repeatable) [default: every procedure with an ASSERT]
    #[arg(long, value_name = "NAME")]
    pub(crate) procedure: Vec<String>,
    /// Machine integers of so many bits, with overflow to be excluded, instead of unbounded ones
    #[arg(long, value_name = "BITS", value_parser = clap::value_parser!(u32).range(2..=4096))]
    pub(crate) width: Option<u32>,
    /// Time for one verification condition
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = duration)]
    pub(crate) solver_timeout: Duration,
    /// Give a path up after so many statements without an ASSERT
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
Examples:
  effigy verify list.vpr
  effigy verify --only insert --trace list.vpr
  effigy verify --json --sarif out.sarif programs/
  effigy verify --expect-annotations --suite --census census.tsv silver/src/test/resources

Exit codes: 0 every member verified, 1 some member failed, 2 usage or input error,
            3 some member undecided or unsupported and none failed, 70 internal error")]
pub(crate) struct VerifyArgs {
    /// Viper (.vpr) and object-oriented (.oo) files, or folders of them
    #[arg(required = true, value_name = "FILE|DIR")]
    pub(crate) files: Vec<PathBuf>,
    /// Verify only members of this name (repeatable)
    #[arg(long, value_name = "NAME")]
    pub(crate) only: Vec<String>,
    /// Report so many errors of a member [default: 1; all of them with --expect-annotations]
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    pub(crate) errors: Option<usize>,
    /// Verify so many members at once [default: the processors]
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    pub(crate) jobs: Option<usize>,
    /// A member is undecided after this time
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) time_limit: Option<Duration>,
    /// Stop after this time; what is not decided by then is undecided
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) max_time: Option<Duration>,
    /// A member is undecided after so many steps
    #[arg(long, value_name = "N", default_value_t = 10_000_000)]
    pub(crate) steps: u64,
    /// Show the symbolic states on the way to each error
    #[arg(long)]
    pub(crate) trace: bool,
    /// Show values for which a goal does not hold
    #[arg(long)]
    pub(crate) counterexample: bool,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// Write SARIF 2.1.0, for editors and code hosts
    #[arg(long, value_name = "FILE")]
    pub(crate) sarif: Option<PathBuf>,
    /// Write a page with each error and the symbolic states on the way to it
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// Print what each member took
    #[arg(long)]
    pub(crate) stats: bool,
    /// Neither read nor write the cache of earlier verdicts
    #[arg(long)]
    pub(crate) no_cache: bool,
    #[command(flatten)]
    pub(crate) inference: InferenceArgs,
    #[command(flatten)]
    pub(crate) prover: ProverArgs,
    #[command(flatten)]
    pub(crate) suite: SuiteArgs,
}

/// Which ghost statements of `.oo` are inferred.
#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Inference (.oo)")]
pub(crate) struct InferenceArgs {
    /// Infer no ghost statements
    #[arg(long)]
    pub(crate) no_infer: bool,
    /// Do not open predicates in which a missing field may be
    #[arg(long)]
    pub(crate) no_infer_open: bool,
    /// Do not close predicates that are missing
    #[arg(long)]
    pub(crate) no_infer_close: bool,
    /// Do not unfold pure methods where they are evaluated
    #[arg(long)]
    pub(crate) no_infer_use: bool,
    /// Do not unfold contracts
    #[arg(long)]
    pub(crate) no_infer_contracts: bool,
    /// Close predicates nested at most so deep
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub(crate) close_bound: u32,
}

/// How goals are proved.
#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Prover")]
pub(crate) struct ProverArgs {
    /// Command of the SMT-LIB 2 solver
    #[arg(long, value_name = "COMMAND", default_value = "z3 -in")]
    pub(crate) smt: String,
    /// What one query may spend, in the solver's resource units
    #[arg(long, value_name = "N", default_value_t = 40_000_000)]
    pub(crate) query_steps: u64,
    /// Switch off the local core: every goal goes to the solver
    #[arg(long)]
    pub(crate) no_local: bool,
}

/// Annotated tests.
#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Annotated tests")]
pub(crate) struct SuiteArgs {
    /// Compare errors with the `//:: ExpectedOutput(id)` comments of all .vpr files, and print a table
    #[arg(long)]
    pub(crate) expect_annotations: bool,
    /// Only the folders of Silicon's suite
    #[arg(long, requires = "expect_annotations")]
    pub(crate) suite: bool,
    /// Annotations that need not be met: `path:line id reason` on each line
    #[arg(long, value_name = "FILE", requires = "expect_annotations")]
    pub(crate) waive: Option<PathBuf>,
    /// A table of the tests by tier, for a row of each
    #[arg(long, value_name = "FILE", requires = "expect_annotations")]
    pub(crate) census: Option<PathBuf>,
    /// Give a test up after this time
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = duration)]
    pub(crate) file_time: Duration,
    /// Show how each test differs
    #[arg(long, requires = "expect_annotations")]
    pub(crate) verbose: bool,
}

fn at_least_one(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|&it| it > 0).ok_or_else(|| "a number from 1 was expected".to_owned())
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Commands come from the terminal, from a script or from standard input; `help` lists them.
At a branch that the path condition does not decide, execution stops and waits for the choice.

Examples:
  effigy debug maze.c
  effigy debug --entry parse --buffer 6 parser.c
  echo 'break 12; go; show; witness' | effigy debug prog.c
  effigy debug --script session.txt --json prog.c
  effigy debug --method insert list.vpr

Exit codes: 0 the session has ended, 2 usage or input error, or a command of a script failed")]
pub(crate) struct DebugArgs {
    /// C (.c), C++ (.cc, .cpp), Rust (.rs) or LLVM IR (.ll) files of one program, or a PL/I (.pli), Viper (.vpr) or
    /// .oo file
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Flags for the compiler
    #[arg(last = true, value_name = "COMPILER FLAGS")]
    pub(crate) flags: Vec<String>,
    /// Walk the verification of this method, function or predicate (.vpr, .oo)
    #[arg(long, value_name = "NAME")]
    pub(crate) method: Option<String>,
    /// Read the commands from this file; it stops at the first that fails
    #[arg(long, value_name = "FILE")]
    pub(crate) script: Option<PathBuf>,
    /// Start at this function with symbolic arguments instead of main
    #[arg(long, value_name = "NAME")]
    pub(crate) entry: Option<String>,
    /// Bytes of the symbolic buffer behind each pointer argument of --entry
    #[arg(long, value_name = "N", default_value_t = 8)]
    pub(crate) buffer: u64,
    /// An argument for main (repeatable)
    #[arg(long = "arg", value_name = "TEXT")]
    pub(crate) args: Vec<String>,
    /// Time for one query to the solver
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = duration)]
    pub(crate) solver_timeout: Duration,
    /// Stop only at this class of bugs (repeatable; `effigy bugs` lists them)
    #[arg(long, value_name = "BUG")]
    pub(crate) check: Vec<String>,
    /// Do not stop at this class of bugs (repeatable)
    #[arg(long, value_name = "BUG")]
    pub(crate) no_check: Vec<String>,
    /// End a path at a call of an unknown function instead of returning any value
    #[arg(long)]
    pub(crate) strict_externals: bool,
    /// Print one JSON object for each line of commands
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) inference: InferenceArgs,
    #[command(flatten)]
    pub(crate) pli: PliArgs,
    #[command(flatten)]
    pub(crate) solver: SolverArgs,
}

#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Solver")]
pub(crate) struct SolverArgs {
    /// Command of the SMT-LIB 2 solver for what is not bitvectors
    #[arg(long, value_name = "COMMAND", default_value = "z3 -in")]
    pub(crate) smt: String,
    /// Backend: route, bits (in the process), smt
    #[arg(long, value_name = "NAME", default_value = "route", value_parser = backend)]
    pub(crate) solver: effigy_solver::Backend,
    /// Write the backend's queries to this folder as SMT-LIB 2
    #[arg(long, value_name = "DIR")]
    pub(crate) query_log: Option<PathBuf>,
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
    /// Give a test up after this time
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = duration)]
    pub(crate) timeout: Duration,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
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

fn backend(name: &str) -> Result<effigy_solver::Backend, String> {
    match name {
        "route" => Ok(effigy_solver::Backend::Route),
        "bits" => Ok(effigy_solver::Backend::Bits),
        "smt" => Ok(effigy_solver::Backend::Smt),
        _ => Err("route, bits or smt was expected".to_owned()),
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
        assert!(duration("five").is_err());
        assert!(duration("5 years").is_err());
    }

    #[test]
    fn the_command_line_is_consistent() {
        <Args as clap::CommandFactory>::command().debug_assert();
    }
}

//! The flags of `effigy verify`.
//!
//! Knows: names, defaults and help. Never: what is done with them.

use super::duration;
use clap::Args as ClapArgs;
use effigy_verify::MERGE_AFTER;
use effigy_walk::Search;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  effigy verify list.vpr
  effigy verify --entry insert --trace list.vpr
  effigy verify --json --sarif out.sarif programs/
  effigy verify --expect-annotations --suite --census census.tsv silver/src/test/resources

Exit codes: 0 every member verified, 1 some member failed, 2 usage or input error,
            3 some member undecided or unsupported and none failed, 70 internal error")]
pub(crate) struct VerifyArgs {
    /// Viper (.vpr) and object-oriented (.oo) files, or folders of them
    #[arg(required = true, value_name = "FILE|DIR")]
    pub(crate) files: Vec<PathBuf>,
    /// Verify only members of this name (repeatable)
    #[arg(long, alias = "only", value_name = "NAME")]
    pub(crate) entry: Vec<String>,
    /// Report at most N errors of a member [default: 1; all of them with --expect-annotations]
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    pub(crate) errors: Option<usize>,
    /// Verify N members at once [default: the number of processors]
    #[arg(long, short, value_name = "N", value_parser = at_least_one)]
    pub(crate) jobs: Option<usize>,
    /// Time limit for one member, which is then undecided [default: only steps are limited]
    #[arg(long, alias = "time-limit", value_name = "TIME", value_parser = duration)]
    pub(crate) timeout: Option<Duration>,
    /// Stop after this time; the remaining members are undecided
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) max_time: Option<Duration>,
    /// Where to merge paths that reach the same location: never; in methods with many paths (many); or in every method
    /// (always). Errors are reported on single paths in any case
    #[arg(long, value_name = "WHERE", default_value = "many", value_parser = merging)]
    pub(crate) merge: MergingMembers,
    /// Which path to continue: dfs, bfs, random-path, random-state; it decides which error is found first
    #[arg(long, value_name = "NAME", default_value = "dfs", value_parser = search)]
    pub(crate) search: Search,
    /// Seed of the random searchers
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Step limit for one member, which is then undecided
    #[arg(long, alias = "steps", value_name = "N", default_value_t = 10_000_000)]
    pub(crate) max_steps: u64,
    /// Show the symbolic states on the way to each error
    #[arg(long)]
    pub(crate) trace: bool,
    /// Ask the solver for a counterexample where none is found without it
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
    /// Print only members that were not verified
    #[arg(long, short)]
    pub(crate) quiet: bool,
    /// Print time and steps of each member
    #[arg(long)]
    pub(crate) stats: bool,
    /// Neither read nor write the cache of earlier verdicts
    #[arg(long)]
    pub(crate) no_cache: bool,
    #[command(flatten)]
    pub(crate) library: LibraryArgs,
    #[command(flatten)]
    pub(crate) inference: InferenceArgs,
    #[command(flatten)]
    pub(crate) prover: ProverArgs,
    #[command(flatten)]
    pub(crate) suite: SuiteArgs,
}

/// In which methods paths that meet become one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum MergingMembers {
    Never,
    Many,
    Always,
}

impl MergingMembers {
    const ALL: [(&'static str, MergingMembers); 3] =
        [("never", MergingMembers::Never), ("many", MergingMembers::Many), ("always", MergingMembers::Always)];

    /// As the flag has it.
    pub(crate) fn name(self) -> &'static str {
        MergingMembers::ALL.iter().find(|it| it.1 == self).map_or("", |it| it.0)
    }

    /// After how many forks of a method that is.
    pub(crate) fn after(self) -> Option<u64> {
        match self {
            MergingMembers::Never => None,
            MergingMembers::Many => Some(MERGE_AFTER),
            MergingMembers::Always => Some(0),
        }
    }
}

fn merging(name: &str) -> Result<MergingMembers, String> {
    let found = MergingMembers::ALL.iter().find(|it| it.0 == name).map(|it| it.1);
    found.ok_or_else(|| "never, many or always was expected".to_owned())
}

/// As the flag has it.
pub(crate) fn search_name(search: Search) -> &'static str {
    Search::ALL.iter().find(|it| it.1 == search).map_or("", |it| it.0)
}

/// The verifier counts no coverage: an order that follows it is none.
fn search(name: &str) -> Result<Search, String> {
    let found = Search::ALL.iter().find(|it| it.0 == name && !it.1.needs_coverage());
    found.map(|it| it.1).ok_or_else(|| "dfs, bfs, random-path or random-state was expected".to_owned())
}

/// What `import <path>` of `.vpr` names.
#[derive(Debug, ClapArgs)]
pub(crate) struct LibraryArgs {
    /// Resolve `import <path>` of .vpr below this folder first, then in Viper's own library (repeatable)
    #[arg(long, value_name = "DIR")]
    pub(crate) import_path: Vec<PathBuf>,
}

/// Which ghost statements of `.oo` are inferred.
#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Inference (.oo)")]
pub(crate) struct InferenceArgs {
    /// Infer no ghost statements
    #[arg(long)]
    pub(crate) no_infer: bool,
    /// Do not open predicates that may hold a missing field
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
    /// Close predicates that are nested at most N deep
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub(crate) close_bound: u32,
}

/// The flags of the prover.
#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Prover")]
pub(crate) struct ProverArgs {
    /// Command of the SMT-LIB 2 solver
    #[arg(long, value_name = "COMMAND", default_value = "z3 -in")]
    pub(crate) smt: String,
    /// Step limit for one query, in the solver's own steps (Z3's rlimit), so that no verdict depends on the clock
    #[arg(long, alias = "query-steps", value_name = "N", default_value_t = 40_000_000)]
    pub(crate) solver_steps: u64,
    /// Switch off the local core: every goal goes to the solver
    #[arg(long)]
    pub(crate) no_local: bool,
}

/// The flags for annotated tests.
#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Annotated tests")]
pub(crate) struct SuiteArgs {
    /// Compare errors with the `//:: ExpectedOutput(id)` comments of all .vpr files, and print a table
    #[arg(long)]
    pub(crate) expect_annotations: bool,
    /// Only the folders of Silicon's suite
    #[arg(long, requires = "expect_annotations")]
    pub(crate) suite: bool,
    /// File of annotations that may be missed: `path:line id reason` on each line
    #[arg(long, value_name = "FILE", requires = "expect_annotations")]
    pub(crate) waive: Option<PathBuf>,
    /// Table that assigns tests to tiers; the results have a row for each tier
    #[arg(long, value_name = "FILE", requires = "expect_annotations")]
    pub(crate) census: Option<PathBuf>,
    /// Give up a test after this time
    #[arg(
        long,
        alias = "file-time",
        value_name = "TIME",
        default_value = "60s",
        value_parser = duration,
        requires = "expect_annotations"
    )]
    pub(crate) test_timeout: Duration,
    /// Show how each test differs
    #[arg(long, requires = "expect_annotations")]
    pub(crate) verbose: bool,
}

fn at_least_one(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|&it| it > 0).ok_or_else(|| "a number from 1 was expected".to_owned())
}

//! The arguments of `effigy feasible`.
//!
//! Knows: names, defaults and help. Never: what a trace is.

use super::{SolverArgs, StartArgs, duration};
use clap::Args as ClapArgs;
use effigy_feasible::reader::Format;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
A trace is a code flow of SARIF, a violation witness 2.0 (YAML) or text, a line `file:line`, `file:line:T` or
`file:line:F` for each step: a line that is passed, or how the condition on it comes out. Between two steps anything
may happen, unless the trace is --complete.

The verdicts:
  feasible    some input takes all steps; it is printed, and a test of it is written
  infeasible  no input does; the steps are printed that contradict each other, none of which can be left out
  unknown     a limit was reached, or something is not supported: nothing follows

Examples:
  effigy feasible prog.c --trace report.sarif
  effigy feasible prog.c --trace witness.yml --out OUT && effigy replay OUT
  printf 'prog.c:7:T\\nprog.c:12\\n' | effigy feasible prog.c --trace -

Exit codes: 0 feasible, 1 infeasible, 2 usage or input error (the program, the trace), 3 unknown, 70 internal error")]
pub(crate) struct FeasibleArgs {
    #[command(flatten)]
    pub(crate) start: StartArgs,
    /// The trace; `-` is standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) trace: PathBuf,
    /// How it is written: sarif, witness, plain [default: what it looks like]
    #[arg(long, value_name = "NAME", value_parser = format)]
    pub(crate) format: Option<Format>,
    /// Of several traces in the file, the one with this number
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) choose: usize,
    /// The trace tells how every condition comes out: others than those that it tells do not
    #[arg(long)]
    pub(crate) complete: bool,
    /// Folder for the test of a feasible trace [default: a new effigy-out-N, to which effigy-out leads]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Stop after this time (30s, 5min, 1h)
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "60s")]
    pub(crate) max_time: Duration,
    /// Stop after so many instructions
    #[arg(long, value_name = "N", default_value_t = 20_000_000)]
    pub(crate) max_steps: u64,
    /// Time for one query to the solver
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = duration)]
    pub(crate) solver_timeout: Duration,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) solver: SolverArgs,
}

fn format(name: &str) -> Result<Format, String> {
    match name {
        "sarif" => Ok(Format::Sarif),
        "witness" => Ok(Format::Witness),
        "plain" => Ok(Format::Plain),
        _ => Err("sarif, witness or plain was expected".to_owned()),
    }
}

//! The arguments of `effigy feasible`.
//!
//! Knows: names, defaults and help. Never: what a trace is.

use super::{SolverArgs, StartArgs, duration};
use clap::Args as ClapArgs;
use effigy_feasible::reader::TraceFormat;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
A trace is a code flow of SARIF, a violation witness 2.0 (YAML), or text with one step on each line: `file:line` (the
line is executed), `file:line:T` or `file:line:F` (the condition on the line is true or false). Anything may happen
between two steps, unless the trace is --complete.

The verdicts:
  feasible    some input follows all steps; it is printed and written as a test
  infeasible  no input does; a minimal set of contradictory steps is printed
  unknown     a limit was reached, or a construct is not supported: nothing follows

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
    /// Format of the trace: sarif, witness, plain [default: detected from its content]
    #[arg(long, value_name = "NAME", value_parser = format)]
    pub(crate) format: Option<TraceFormat>,
    /// Number of the trace, if the file has several
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) choose: usize,
    /// The trace lists every outcome of every condition on the path; no other condition is evaluated
    #[arg(long)]
    pub(crate) complete: bool,
    /// Folder for the test of a feasible trace [default: a new effigy-out-N, which the link effigy-out points to]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Stop after this time (30s, 5min, 1h)
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "60s")]
    pub(crate) max_time: Duration,
    /// Stop after N instructions
    #[arg(long, value_name = "N", default_value_t = 20_000_000)]
    pub(crate) max_steps: u64,
    /// Time limit for one solver query
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = duration)]
    pub(crate) solver_timeout: Duration,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) solver: SolverArgs,
}

fn format(name: &str) -> Result<TraceFormat, String> {
    match name {
        "sarif" => Ok(TraceFormat::Sarif),
        "witness" => Ok(TraceFormat::Witness),
        "plain" => Ok(TraceFormat::Plain),
        _ => Err("sarif, witness or plain was expected".to_owned()),
    }
}

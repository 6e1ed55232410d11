//! The flags of `effigy bmc`.
//!
//! Knows: names, defaults and help; they are CBMC's where it has them. Never: what is done with them.

use super::{BaselineArgs, FleetArgs, MaxTime, SolverArgs, StartArgs, duration, limit};
use clap::Args as ClapArgs;
use effigy_bmc::Encoding;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Checks all paths at once, merged where they meet: does any run violate a check, and does a loop need
more iterations? Without --unwind each loop gets as many as it needs, within --max-time. A loop whose
number of iterations depends on no input needs no bound.

Examples:
  effigy bmc prog.c
  effigy bmc prog.c --unwind 10
  effigy bmc prog.c --unwindset main.0:5,fib:8 --check assertion-failed
  effigy bmc prog.c --property unreach-call.prp --witness witness.yml
  effigy bmc --entry parse parser.c --max-time 1min --json
  effigy bmc prog.c --jobs 2

Exit codes: 0 every property holds on every run, 1 a bug, 2 usage or input error,
            3 something holds only up to a bound, or is not known, 70 internal error")]
pub(crate) struct BmcArgs {
    #[command(flatten)]
    pub(crate) start: StartArgs,
    /// Unwind each loop and each recursive function K times [default: as often as it needs]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) unwind: Option<u32>,
    /// Bounds of single loops: function.number:iterations, as the report names them, or function:depth for a recursive
    /// function
    #[arg(long, value_name = "LOOP:K,...", value_delimiter = ',', value_parser = unwound)]
    pub(crate) unwindset: Vec<LoopBound>,
    /// Close loops by induction even if --unwind is given
    #[arg(long)]
    pub(crate) k_induction: bool,
    /// Do not close loops by induction
    #[arg(long, conflicts_with = "k_induction")]
    pub(crate) no_k_induction: bool,
    /// How the formula represents values: as conditional values where paths were merged, or as one variable and one
    /// equation for each value (the memoryless encoding)
    #[arg(long, value_name = "HOW", default_value = "values", value_parser = encoding)]
    pub(crate) encoding: Encoding,
    /// Cut a path after N instructions
    #[arg(long, alias = "depth", value_name = "N", default_value_t = 10_000_000)]
    pub(crate) max_path_steps: u64,
    /// Stop after this time (30s, 5min, 1h, none)
    #[arg(long, value_name = "TIME", value_parser = limit, default_value = "5min")]
    pub(crate) max_time: MaxTime,
    /// Stop after N instructions, over all paths
    #[arg(long, value_name = "N")]
    pub(crate) max_steps: Option<u64>,
    /// Stop when the process uses MB megabytes of memory
    #[arg(long, value_name = "MB", default_value_t = 8000)]
    pub(crate) max_memory: u64,
    /// Follow at most N values of one symbolic address or size
    #[arg(long, value_name = "N", default_value_t = 64)]
    pub(crate) max_values: u32,
    /// Time limit for one solver query
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = duration)]
    pub(crate) solver_timeout: Duration,
    /// Step limit for one solver query (conflicts, or resource units of an SMT solver): the same answer on every machine
    #[arg(long, value_name = "N")]
    pub(crate) solver_steps: Option<u64>,
    /// Number of workers that share the solver queries
    #[arg(long, short, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256))]
    pub(crate) jobs: u32,
    #[command(flatten)]
    pub(crate) shared: FleetArgs,
    /// Stop at the first bug
    #[arg(long)]
    pub(crate) stop_at_first_bug: bool,
    #[command(flatten)]
    pub(crate) baseline: BaselineArgs,
    /// Write the tests of bugs to this folder, for `effigy replay` [default: a new effigy-out-N, which the link
    /// effigy-out points to]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Write .ktest files too
    #[arg(long)]
    pub(crate) ktest: bool,
    /// Print the run into each bug line by line: inputs, outcomes of conditions, values that change
    #[arg(long)]
    pub(crate) trace: bool,
    /// Check the property of this SV-COMP property file, instead of --check
    #[arg(long, value_name = "FILE", conflicts_with_all = ["check", "entry"])]
    pub(crate) property: Option<PathBuf>,
    /// Write a verification witness 2.0 (YAML) to this file: of the first bug, or of correctness
    #[arg(long, value_name = "FILE")]
    pub(crate) witness: Option<PathBuf>,
    /// Write the formula to this file (.smt2: SMT-LIB 2, .cnf: DIMACS): it is satisfiable if a run within the last bounds
    /// has a bug that smaller bounds did not find
    #[arg(long, value_name = "FILE")]
    pub(crate) dump: Option<PathBuf>,
    /// Print every property, not only violated ones
    #[arg(long)]
    pub(crate) show_properties: bool,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// Print bugs only
    #[arg(long, short)]
    pub(crate) quiet: bool,
    /// Print what the check cost
    #[arg(long)]
    pub(crate) stats: bool,
    #[command(flatten)]
    pub(crate) solver: SolverArgs,
}

fn encoding(name: &str) -> Result<Encoding, String> {
    match name {
        "values" => Ok(Encoding::Values),
        "equations" => Ok(Encoding::Equations),
        _ => Err("values or equations was expected".to_owned()),
    }
}

/// A bound for one loop or function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct LoopBound {
    pub(crate) function: String,
    /// The number of the loop; `None` for a recursive function.
    pub(crate) index: Option<u32>,
    pub(crate) bound: u32,
}

fn unwound(text: &str) -> Result<LoopBound, String> {
    let expected = || format!("`{text}`: a loop and a number were expected, such as main.0:5, or fib:8");
    let (name, bound) = text.rsplit_once(':').ok_or_else(expected)?;
    let bound = bound.parse().ok().filter(|it| *it > 0).ok_or_else(expected)?;
    let index = name.rsplit_once('.').and_then(|(function, index)| Some((function, index.parse().ok()?)));
    let (function, index) = match index {
        Some((function, index)) => (function, Some(index)),
        None => (name, None),
    };
    if function.is_empty() {
        return Err(expected());
    }
    Ok(LoopBound { function: function.to_owned(), index, bound })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_written_as_cbmc_has_them() {
        let of = |function: &str, index, bound| Ok(LoopBound { function: function.to_owned(), index, bound });
        assert_eq!(unwound("main.0:5"), of("main", Some(0), 5));
        assert_eq!(unwound("fib:8"), of("fib", None, 8));
        assert_eq!(unwound("a.b.2:1"), of("a.b", Some(2), 1));
        assert!(unwound("main.0").is_err());
        assert!(unwound(":3").is_err());
        assert!(unwound("main.0:0").is_err());
    }
}

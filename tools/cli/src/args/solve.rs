//! The flags of `effigy solve`.
//!
//! Knows: names, defaults and help. Never: what is done with them.

use super::{SolverArgs, duration};
use clap::Args as ClapArgs;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
For one file, prints what its script asks for: sat, unsat or unknown for each (check-sat), models, values.
For several files, prints a line for each and a table. A folder stands for its .smt2 files.

Examples:
  effigy solve query.smt2
  effigy solve --solver-timeout 20s benchmarks/
  effigy run --query-log log prog.c && effigy solve --together log
  echo '(declare-const p Bool) (assert p) (check-sat) (get-model)' | effigy solve -

Exit codes: 0 every query answered, 1 an answer differs from the script's :status,
            2 usage or input error, 3 some answer unknown, 70 internal error")]
pub(crate) struct SolveArgs {
    /// SMT-LIB 2 scripts, or folders of them (.smt2); - is standard input
    #[arg(required = true, value_name = "FILE|DIR")]
    pub(crate) files: Vec<PathBuf>,
    /// Time limit for one query, which is then unknown
    #[arg(long, alias = "time-limit", value_name = "TIME", value_parser = duration)]
    pub(crate) solver_timeout: Option<Duration>,
    /// Step limit for one query, which is then unknown (conflicts of the SAT solver)
    #[arg(long, alias = "steps", value_name = "N")]
    pub(crate) solver_steps: Option<u64>,
    /// Stop when the process uses MB megabytes of memory
    #[arg(long, value_name = "MB", default_value_t = 8000)]
    pub(crate) max_memory: u64,
    /// Use one solver for all files, so that it keeps what it learns, as within a run
    #[arg(long)]
    pub(crate) together: bool,
    /// Print one JSON object, with the seconds of reading and solving of each query
    #[arg(long)]
    pub(crate) json: bool,
    /// Print what each layer of the solver answered, on standard error
    #[arg(long)]
    pub(crate) stats: bool,
    #[command(flatten)]
    pub(crate) solver: SolverArgs,
}

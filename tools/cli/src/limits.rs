//! What a walk may spend, by the arguments, and what the process takes.
//!
//! Knows: flags of limits, `/proc`. Never: which path is cut.

use crate::Code;
use crate::args::{LimitArgs, MaxTime, TreeArgs};
use crate::frontend::About;
use effigy_engine::{Budget, Limit};
use effigy_explore::Config;
use effigy_solver::QueryBudget;
use effigy_walk::Search;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// A run takes so long at a terminal, where nobody has said how long.
pub(crate) const USUAL_TIME: Duration = Duration::from_secs(300);

/// How long a run may take, and whether that is what is usual at a terminal: somebody waits there, who has not said for
/// what.
pub(crate) fn time(args: &LimitArgs, at_terminal: bool) -> (Option<Duration>, bool) {
    let unbounded = args.max_paths.is_none() && args.max_steps.is_none();
    match args.max_time {
        Some(MaxTime::Of(time)) => (Some(time), false),
        Some(MaxTime::None) => (None, false),
        None if at_terminal && unbounded => (Some(USUAL_TIME), true),
        None => (None, false),
    }
}

/// How the arguments of `run` want a program to be explored; `about` is what the program itself says.
pub(crate) fn of_run(args: &LimitArgs, time: Option<Duration>, about: &About, interrupt: &Arc<AtomicBool>) -> Config {
    Config {
        search: args.search,
        seed: args.seed,
        budget: Budget {
            time,
            memory: Some(most_memory(args.max_memory)),
            paths: args.max_paths,
            steps: args.max_steps,
            path_steps: args.max_path_steps.or(about.path_steps),
            depth: args.max_depth,
            bugs: args.stop_at_first_bug.then_some(1),
            interrupt: Arc::clone(interrupt),
        },
        query: QueryBudget { steps: args.solver_steps, time: Some(args.solver_timeout) },
        values: args.max_values.max(1),
        feasibility: about.feasibility,
    }
}

/// The same for `tree`: depth first, since the picture is drawn so.
pub(crate) fn of_tree(args: &TreeArgs, about: &About, interrupt: &Arc<AtomicBool>) -> Config {
    Config {
        search: Search::Dfs,
        seed: 1,
        budget: Budget {
            time: Some(args.max_time),
            memory: Some(most_memory(8000)),
            paths: Some(args.max_paths),
            steps: None,
            path_steps: args.max_path_steps.or(about.path_steps),
            depth: Some(args.max_depth),
            bugs: None,
            interrupt: Arc::clone(interrupt),
        },
        query: QueryBudget { steps: None, time: Some(Duration::from_secs(10)) },
        values: 64,
        feasibility: about.feasibility,
    }
}

/// The flag of `run` that raises a limit.
pub(crate) fn flag(limit: Limit) -> Option<&'static str> {
    match limit {
        Limit::Time => Some("--max-time"),
        Limit::Memory => Some("--max-memory"),
        Limit::Paths => Some("--max-paths"),
        Limit::Steps => Some("--max-steps"),
        Limit::PathSteps => Some("--max-path-steps"),
        Limit::Depth => Some("--max-depth"),
        Limit::Values => Some("--max-values"),
        Limit::Repeats | Limit::Bugs | Limit::Interrupt => None,
    }
}

/// What the process takes, in bytes.
pub(crate) fn resident_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = text.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * 4096)
}

/// The bytes that the process may take, of the megabytes that were asked for: where its address space is limited
/// (`ulimit -v`), half of that, so that it is not ended in the middle of something, but can tell what it has found.
pub(crate) fn most_memory(asked: u64) -> u64 {
    // Stacks of threads, and what an allocator keeps to itself, are in the address space, too.
    let limits = std::fs::read_to_string("/proc/self/limits").unwrap_or_default();
    address_space(&limits).map_or(u64::MAX, |it| it / 2).min(asked << 20)
}

/// The limit of the address space in bytes, of the text of `/proc/self/limits`; `None` for none.
fn address_space(limits: &str) -> Option<u64> {
    let line = limits.lines().find_map(|it| it.strip_prefix("Max address space"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// Whether it was memory that ended a walk which only knows that it was stopped.
#[must_use]
pub(crate) struct MemoryWatch(Arc<AtomicBool>);

impl MemoryWatch {
    /// The limit that was reached, of which the walk says this.
    pub(crate) fn limit(&self, told: Option<Limit>) -> Option<Limit> {
        match told {
            Some(Limit::Interrupt) if self.0.load(Ordering::Relaxed) => Some(Limit::Memory),
            told => told,
        }
    }
}

/// Watches what the process takes, from a thread that lives as long as the watch: beyond so many bytes it sets the flag,
/// and where nobody minds the flag (a formula is being turned into a circuit) it ends the process.
pub(crate) fn watch_memory(most: u64, interrupt: &Arc<AtomicBool>) -> MemoryWatch {
    let interrupt = Arc::clone(interrupt);
    let watch = MemoryWatch(Arc::default());
    let reached = Arc::downgrade(&watch.0);
    std::thread::spawn(move || {
        loop {
            std::thread::sleep(Duration::from_millis(100));
            let Some(reached) = reached.upgrade() else { return };
            let taken = resident_memory().unwrap_or(0);
            if taken > most && !interrupt.load(Ordering::Relaxed) {
                reached.store(true, Ordering::Relaxed);
                interrupt.store(true, Ordering::Relaxed);
            }
            if taken > most + most / 4 {
                eprintln!("effigy: the memory limit was reached (--max-memory)");
                std::process::exit(Code::Cut as i32);
            }
        }
    });
    watch
}

/// The most that the process ever took, in bytes, where it is known.
pub(crate) fn peak_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|it| it.strip_prefix("VmHWM:"))?;
    Some(line.trim().trim_end_matches("kB").trim().parse::<u64>().ok()? * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{Args, Command};
    use clap::Parser;

    fn time_of(flags: &[&str], at_terminal: bool) -> (Option<Duration>, bool) {
        let words = ["effigy", "run", "a.c"].iter().chain(flags);
        let Command::Run(args) = Args::parse_from(words).command else { panic!("a run") };
        time(&args.limits, at_terminal)
    }

    #[test]
    fn a_walk_that_memory_has_stopped_says_so() {
        let interrupt = Arc::default();
        let watch = watch_memory(u64::MAX / 2, &interrupt);
        assert_eq!(watch.limit(Some(Limit::Interrupt)), Some(Limit::Interrupt));
        watch.0.store(true, Ordering::Relaxed);
        assert_eq!(watch.limit(Some(Limit::Interrupt)), Some(Limit::Memory));
        assert_eq!(watch.limit(Some(Limit::Time)), Some(Limit::Time));
        assert_eq!(watch.limit(None), None);
    }

    #[test]
    fn a_limit_of_the_address_space_is_read() {
        let line =
            "Max cpu time  unlimited  unlimited  seconds\nMax address space      6442450944   unlimited   bytes\n";
        assert_eq!(address_space(line), Some(6 << 30));
        assert_eq!(address_space("Max address space      unlimited   unlimited   bytes"), None);
    }

    #[test]
    fn a_run_at_a_terminal_has_a_limit_unless_one_is_given() {
        assert_eq!(time_of(&[], true), (Some(USUAL_TIME), true));
        assert_eq!(time_of(&[], false), (None, false));
        assert_eq!(time_of(&["--max-time", "none"], true), (None, false));
        assert_eq!(time_of(&["--max-time", "1h"], true), (Some(Duration::from_secs(3600)), false));
        assert_eq!(time_of(&["--max-paths", "7"], true), (None, false));
    }
}

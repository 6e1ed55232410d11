//! What the command asks of a language: which files it claims, how it is opened, what only it tells.
//!
//! Knows: the questions. Never: an answer (`languages/`), which languages there are (`languages`).

use crate::args::{BmcArgs, DebugArgs, FeasibleArgs, ProveArgs, RunArgs, StartArgs, TreeArgs};
use crate::files::has_extension;
use crate::{Code, Failure};
use clap::ArgMatches;
use effigy_concolic::ByteLayout;
use effigy_engine::{BugKind, Feasibility, Inspect, Joins, Turning, Violation};
use effigy_explore::PathEnd;
use effigy_llvm::driver::{CompileUnit, Driven};
use effigy_llvm::surroundings::Surroundings;
use effigy_report::document::ProgramSection;
use effigy_report::leaf::Explanation;
use effigy_report::tree::StateDetail;
use effigy_solver::Solver;
use effigy_term::Terms;
use effigy_walk::Exploration;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The commands that take a program of any language.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Purpose {
    Run,
    Bmc,
    Tree,
    Debug,
    Feasible,
}

impl Purpose {
    pub(crate) const ALL: [Purpose; 5] = [Purpose::Run, Purpose::Bmc, Purpose::Tree, Purpose::Debug, Purpose::Feasible];

    /// The name of the command.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Purpose::Run => "run",
            Purpose::Bmc => "bmc",
            Purpose::Tree => "tree",
            Purpose::Debug => "debug",
            Purpose::Feasible => "feasible",
        }
    }
}

/// What the user asks for.
pub(crate) struct Request<'a> {
    pub(crate) purpose: Purpose,
    /// Whether the program is walked in every way, whatever the purpose is.
    pub(crate) every_walk: bool,
    pub(crate) start: &'a StartArgs,
    /// The command of the SMT-LIB 2 solver, for a language that proves on its own.
    pub(crate) smt: &'a str,
    /// Set when the user presses Ctrl-C.
    pub(crate) interrupt: &'a Arc<AtomicBool>,
    /// The flags, in which a language finds its own.
    pub(crate) matches: &'a ArgMatches,
}

/// What the command knows of a language.
pub(crate) trait Frontend: Sync {
    /// Its name in reports for programs: that of its room.
    fn name(&self) -> &'static str;

    /// The name of the language, as people know it.
    fn title(&self) -> &'static str;

    /// Its programs, as messages name them: "C, C++ and Rust programs".
    fn programs(&self) -> &'static str;

    /// Its files as help describes them; `None` if the command does not take them.
    fn files(&self, purpose: Purpose) -> Option<&'static str>;

    /// The extensions of its files.
    fn extensions(&self) -> &'static [&'static str];

    /// Whether this is a request for it.
    fn claims(&self, request: &Request<'_>) -> bool {
        self.files(request.purpose).is_some() && has_extension(&request.start.files, self.extensions())
    }

    /// Adds its own flags to a command.
    fn options(&self, purpose: Purpose, command: clap::Command) -> clap::Command {
        let _ = purpose;
        command
    }

    /// The classes of bugs that are looked for.
    fn bugs(&self) -> &'static [(BugKind, &'static str)] {
        &[]
    }

    /// Reads files and flags, compiles once.
    fn open(&self, request: &Request<'_>) -> Result<Box<dyn OpenProgram>, Failure>;

    /// Proves a program correct with respect to its own assertions; `None` where there is no such proof.
    fn prove(&self, args: &ProveArgs, interrupt: &Arc<AtomicBool>) -> Option<Result<Code, Failure>> {
        let _ = (args, interrupt);
        None
    }
}

/// A program that was opened: everything but the language itself, which each thread builds for its own.
pub(crate) trait Plan: Sync {
    /// What is walked. It need not be `Send`.
    type Language<'a>: ReportHooks
    where
        Self: 'a;

    /// Builds it. Every call builds the same, so that a path has the same name in each.
    fn language(&self) -> Result<Self::Language<'_>, Failure>;

    /// The same for a walk that merges paths, which may not look for all bugs.
    ///
    /// # Errors
    /// As for [`Plan::language`].
    fn merging_language(&self) -> Result<Self::Language<'_>, Failure> {
        self.language()
    }

    /// A fingerprint of the program, so that a run is not resumed with another one.
    fn fingerprint(&self) -> u64;

    /// What reports say of the program.
    fn about<'a>(&'a self, language: &Self::Language<'a>) -> About;
}

/// What reports say of a program.
#[derive(Clone, Debug, Default)]
pub(crate) struct About {
    /// The name of the language.
    pub(crate) language: &'static str,
    /// Files and where it starts.
    pub(crate) program: ProgramSection,
    /// What stands above a tree.
    pub(crate) title: String,
    /// The transitions on one path that the program itself allows.
    pub(crate) path_steps: Option<u64>,
    /// When it is asked whether a path exists.
    pub(crate) feasibility: Feasibility,
    /// How a file of bytes becomes its inputs, where it can.
    pub(crate) bytes: Option<ByteLayout>,
    /// What a native replay needs, if there is one.
    pub(crate) native: Option<Native>,
    /// How a walk is shown.
    pub(crate) layout: Layout,
    /// What a tree shows of its nodes, where no states are asked for.
    pub(crate) showing: StateDetail,
}

/// How a walk is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Layout {
    /// Only counts and coverage are printed; the tests in the output folder describe each path.
    Counts,
    /// A table with a row for each leaf; a folder only where it is asked for.
    #[default]
    Table,
}

/// How the program is built and called natively.
#[derive(Clone, Debug, Default)]
pub(crate) struct Native {
    /// The files, each with the flags that clang is given.
    pub(crate) units: Vec<CompileUnit>,
    /// Flags for the linker of a project.
    pub(crate) link: Vec<String>,
    /// What it is started with.
    pub(crate) surroundings: Surroundings,
    /// The C program that calls the entry, if it is not main.
    pub(crate) harness: Option<String>,
    /// The program that calls the entry in the place of a file.
    pub(crate) driven: Option<Driven>,
    /// Whether a native run must do what is predicted: there are sources.
    pub(crate) replayable: bool,
}

/// A stretch of code or a branch's way on, for coverage.
pub(crate) struct SiteLines {
    pub(crate) lines: Vec<(String, u32)>,
    pub(crate) branch: bool,
}

/// What a report asks of a language beside what a person asks of its states. The defaults are those of a language that
/// has nothing of its own to say.
pub(crate) trait ReportHooks: Inspect {
    /// What a path that was dropped without a report was, if it was an error all the same.
    fn dropped(&self, state: &Self::State) -> Option<Violation> {
        let _ = state;
        None
    }

    /// What must hold, checked on all paths at once; `None` where states of the language do not merge.
    fn check_bounded(
        &self,
        terms: &Terms,
        solver: &mut dyn Solver,
        config: &effigy_bmc::Config<'_>,
    ) -> Option<effigy_bmc::Account> {
        let _ = (terms, solver, config);
        None
    }

    /// All that can go round, so that a bound for anything else is a mistake.
    fn turnings(&self) -> Vec<Turning> {
        Vec::new()
    }

    /// Whether states can be merged in these places only.
    fn joins(&self, joins: Joins) -> bool {
        joins == Joins::Always
    }

    /// Arrays of unknown extent whose subscripts were assumed to be in them.
    fn assumed_within(&self, state: &Self::State) -> Vec<String> {
        let _ = state;
        Vec::new()
    }

    /// Each transition of the path, where it was asked for.
    fn explained(&self, terms: &Terms, end: &PathEnd<'_, Self::State>) -> Option<Explanation> {
        let _ = (terms, end);
        None
    }

    /// Remarks about the walk, a sentence each.
    fn remarks(&self, exploration: &Exploration) -> Vec<String> {
        let _ = exploration;
        Vec::new()
    }

    /// What coverage counts, by number; empty where there is none.
    fn sites(&self) -> Vec<SiteLines> {
        Vec::new()
    }

    /// Whether the sizes of path conditions are counted.
    fn counts_sizes(&self) -> bool {
        false
    }

    /// Whether two violations of one class at one place are two bugs if they are told in other words: not where the words
    /// hold the values of a path.
    fn words_distinguish_bugs(&self) -> bool {
        true
    }
}

/// A program with its language forgotten: what the commands do with it.
pub(crate) trait OpenProgram {
    fn run(&self, args: &RunArgs, interrupt: &Arc<AtomicBool>) -> Result<Code, Failure>;
    fn bmc(&self, args: &BmcArgs, interrupt: &Arc<AtomicBool>) -> Result<Code, Failure>;
    fn tree(&self, args: &TreeArgs, interrupt: &Arc<AtomicBool>) -> Result<Code, Failure>;
    fn debug(&self, args: &DebugArgs, interrupt: &Arc<AtomicBool>) -> Result<Code, Failure>;
    fn feasible(&self, args: &FeasibleArgs, interrupt: &Arc<AtomicBool>) -> Result<Code, Failure>;
}

//! C, C++ and Rust programs by way of LLVM IR.
//!
//! Knows: the compiler driver, the flags of these languages. Never: what an instruction means.

mod entry;
mod surroundings;

use crate::args::{BmcArgs, DebugArgs, FeasibleArgs, RunArgs, StartArgs, TreeArgs};
use crate::files::{fingerprint, has_extension};
use crate::frontend::{About, Frontend, Layout, Native, OpenProgram, Plan, Purpose, ReportHooks, Request, SiteLines};
use crate::progress::say;
use crate::project;
use crate::{Code, Failure};
use clap::{Args, FromArgMatches};
use effigy_concolic::ByteLayout;
use effigy_engine::{BugKind, Joins, Turning};
use effigy_llvm::checks::LEAK;
use effigy_llvm::driver::project::ProjectProgram;
use effigy_llvm::driver::{CompileUnit, Driven};
use effigy_llvm::surroundings::{ASSUMED_STDIN, Argument};
use effigy_llvm::{
    BUG_KINDS, Checks, External, Externals, Integers, LoadError, Options, Program, SiteKind, Standing, Uninitialised,
    driver,
};
use effigy_report::bugs::Style;
use effigy_report::document::ProgramSection;
use effigy_report::excerpt::{Stretch, excerpt};
use effigy_solver::Solver;
use effigy_term::Terms;
use effigy_walk::Exploration;
use entry::EntryArgs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use surroundings::SurroundingsArgs;
pub(super) use surroundings::respelled;

/// C, C++, Rust, LLVM IR.
pub(crate) struct Llvm;

/// The flags of these languages.
#[derive(Debug, Args)]
#[command(next_help_heading = "C, C++ and Rust")]
struct LlvmArgs {
    #[command(flatten)]
    entry: EntryArgs,
    #[command(flatten)]
    surroundings: SurroundingsArgs,
    /// End a path at a call of an unknown function instead of returning any value
    #[arg(long)]
    strict_externals: bool,
    /// An unknown function returns any value, as an input, and changes nothing; a variable that is only declared has any
    /// value
    #[arg(long, conflicts_with = "strict_externals")]
    pure_externals: bool,
    /// Print the functions that the program uses and does not define, and how calls of them are executed, then stop
    #[arg(long)]
    list_externals: bool,
    /// Meaning of `int`: machine integers, or ideal, the mathematical integers, for teaching (`effigy tree`, programs
    /// that compute with int alone)
    #[arg(long, value_name = "machine|ideal", default_value = "machine", value_parser = integers, hide_default_value = true)]
    integers: Integers,
    /// Content of storage that was never written: bug (whatever depends on it is a bug), or input (any value, as in other
    /// model checkers)
    #[arg(long, value_name = "bug|input", default_value = "bug", value_parser = uninitialised, hide_default_value = true)]
    uninitialised: Uninitialised,
    /// Let each call of malloc, calloc, realloc and the like return null, on a path of its own with the input malloc_fails
    #[arg(long)]
    malloc_may_fail: bool,
    /// Let up to N calls of read, pread, write and close on a path fail (EIO, EINTR) or move fewer bytes than requested, on
    /// paths of their own with the input io_result
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    max_fail: u64,
}

fn uninitialised(name: &str) -> Result<Uninitialised, String> {
    match name {
        "bug" => Ok(Uninitialised::Bug),
        "input" => Ok(Uninitialised::Input),
        _ => Err("bug or input was expected".to_owned()),
    }
}

fn integers(name: &str) -> Result<Integers, String> {
    match name {
        "machine" => Ok(Integers::Machine),
        "ideal" => Ok(Integers::Ideal),
        _ => Err("machine or ideal was expected".to_owned()),
    }
}

impl Frontend for Llvm {
    fn name(&self) -> &'static str {
        "llvm"
    }

    fn title(&self) -> &'static str {
        "C, C++ and Rust"
    }

    fn programs(&self) -> &'static str {
        "C, C++ and Rust programs"
    }

    fn files(&self, _: Purpose) -> Option<&'static str> {
        Some(
            "C (.c), C++ (.cc, .cpp), Rust (.rs), LLVM IR (.ll, .bc) or object files with bitcode (.o, .a) of one program",
        )
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["c", "i", "cc", "cpp", "cxx", "c++", "C", "ii", "rs", "ll", "bc", "o", "lo", "a", "rlib"]
    }

    fn claims(&self, request: &Request<'_>) -> bool {
        let start = request.start;
        start.project.is_some() || has_extension(&start.files, self.extensions()) || project::is_recorded(&start.files)
    }

    fn options(&self, _: Purpose, command: clap::Command) -> clap::Command {
        LlvmArgs::augment_args(command)
    }

    fn bugs(&self) -> &'static [(BugKind, &'static str)] {
        BUG_KINDS
    }

    fn open(&self, request: &Request<'_>) -> Result<Box<dyn OpenProgram>, Failure> {
        let own = LlvmArgs::from_arg_matches(request.matches).map_err(Failure::of)?;
        let start = request.start;
        let surroundings = own.surroundings.surroundings(request.matches)?;
        let wishes = own.entry.wishes()?;
        let several = surroundings.arguments.iter().any(|it| matches!(it, Argument::Several { .. }));
        if request.purpose == Purpose::Debug && several {
            return Err(Failure(
                "--sym-args: a session begins with one call; say --sym-arg for each argument".to_owned(),
            ));
        }
        if own.integers == Integers::Ideal && request.purpose != Purpose::Tree {
            let what = "--integers ideal goes with `effigy tree`: what is found so is nothing that the program does";
            return Err(Failure(what.to_owned()));
        }
        let project = project::program(start)?;
        let ProjectProgram { units, mut modules, link, mut remarks, .. } = match project {
            Some(program) => program,
            None => {
                let units = CompileUnit::all(&start.files, &start.flags);
                let modules = driver::modules_heard(&units, &mut |it| eprintln!("{it}")).map_err(Failure::of)?;
                ProjectProgram { units, modules, ..ProjectProgram::default() }
            }
        };
        remarks.extend(driver::remarks(&units));
        let mut options = Options {
            integers: own.integers,
            uninitialised: own.uninitialised,
            malloc_may_fail: own.malloc_may_fail,
            max_fail: own.max_fail,
            // The program's own start has arguments of its own.
            entry: start.entry().filter(|it| *it != "main" || !driver::is_c(&units)).map(str::to_owned),
            assumed: Vec::new(),
            buffer: own.entry.buffer(),
            checks: checks(start, request.purpose)?,
            externals: match (own.strict_externals, own.pure_externals) {
                (true, _) => Externals::Refused,
                (_, true) => Externals::Pure,
                (false, false) => Externals::Any,
            },
            surroundings,
            compiled: remarks,
        };
        effigy_llvm::reachable::keep(&mut modules, options.entry.as_deref());
        let fuzzer = driver::fuzzer(&modules, own.entry.buffer()).filter(|_| options.entry.is_none());
        if let Some(text) = &fuzzer {
            modules.insert(0, driver::module_of(text).map_err(Failure::of)?);
        }
        if own.list_externals {
            let program = effigy_llvm::load(&modules, options).map_err(refused)?;
            return Ok(Box::new(PrintedText::externals(&program.externals())));
        }
        let mut driven = None;
        // A program calls the function of a C file; a person's session begins in the function itself.
        if let (Some(entry), Purpose::Run | Purpose::Bmc | Purpose::Feasible) = (&options.entry, request.purpose) {
            driven = Driven::find(&mut modules, &units, entry, &wishes).map_err(Failure::of)?;
        }
        match &driven {
            Some(driven) => {
                options.entry = None;
                options.assumed = driven.remarks.clone();
            }
            None if !wishes.is_empty() || own.entry.write_harness.is_some() => {
                let what = "--array, --string, --null and --write-harness go with `effigy run --entry F`, where F is a \
                            function of a C file";
                return Err(Failure(what.to_owned()));
            }
            None if own.entry.names_buffer() && fuzzer.is_none() && options.entry.is_none() => {
                let what = "--buffer has no effect without --entry: the program starts in its main, whose input the other \
                            flags describe";
                return Err(Failure(what.to_owned()));
            }
            None => {}
        }
        if driven.is_some() || fuzzer.is_some() || options.entry.is_some() {
            if start.check.iter().chain(&start.no_check).any(|it| it == LEAK.0) {
                let what = "leaks are looked for in a whole program only: with --entry nothing says who frees what";
                return Err(Failure(what.to_owned()));
            }
            options.checks.set(LEAK, false);
        }
        if let (Some(path), Some(driven)) = (&own.entry.write_harness, &driven) {
            entry::write(path, driven)?;
            return Ok(Box::new(PrintedText::written(path)));
        }
        Ok(Box::new(Compiled {
            modules,
            fuzzer,
            driven,
            options,
            units,
            link,
            // Witnesses of `run` do without.
            with_sources: request.every_walk || request.purpose != Purpose::Run,
        }))
    }
}

/// A text that is printed instead of executing the program.
struct PrintedText(String);

impl PrintedText {
    /// A program that calls an entry was written.
    fn written(file: &Path) -> PrintedText {
        let file = file.display();
        PrintedText(format!(
            "{file} written: edit it, then `effigy run --no-check leak {file}`, with the other files of the program\n"
        ))
    }

    /// What a program refers to and does not define.
    fn externals(externals: &[External]) -> PrintedText {
        let width = externals.iter().map(|it| it.name.len()).max().unwrap_or(0);
        let line = |external: &External| {
            let standing = match external.standing {
                Standing::BuiltIn => "built in",
                Standing::AnyValue => "built in, returns any value",
                Standing::Input => "an input",
                Standing::CompiledIn => "compiled in",
                Standing::Unknown => "unknown",
                Standing::Refused => "refused",
            };
            format!("{:width$}  {standing}\n", external.name)
        };
        PrintedText(externals.iter().map(line).collect())
    }

    fn tell(&self) -> Result<Code, Failure> {
        say(&self.0)?;
        Ok(Code::Nothing)
    }
}

impl OpenProgram for PrintedText {
    fn run(&self, _: &RunArgs, _: &Arc<AtomicBool>) -> Result<Code, Failure> {
        self.tell()
    }

    fn bmc(&self, _: &BmcArgs, _: &Arc<AtomicBool>) -> Result<Code, Failure> {
        self.tell()
    }

    fn tree(&self, _: &TreeArgs, _: &Arc<AtomicBool>) -> Result<Code, Failure> {
        self.tell()
    }

    fn debug(&self, _: &DebugArgs, _: &Arc<AtomicBool>) -> Result<Code, Failure> {
        self.tell()
    }

    fn feasible(&self, _: &FeasibleArgs, _: &Arc<AtomicBool>) -> Result<Code, Failure> {
        self.tell()
    }
}

/// The classes of bugs to look for.
fn checks(start: &StartArgs, purpose: Purpose) -> Result<Checks, Failure> {
    let mut checks = Checks::default();
    checks.set(LEAK, purpose == Purpose::Run);
    if purpose == Purpose::Bmc && start.check.iter().chain(&start.no_check).any(|it| it == LEAK.0) {
        return Err(Failure("effigy bmc does not look for leaks; `effigy run` does".to_owned()));
    }
    let by_name = |name: &String| {
        Checks::by_name(name).ok_or_else(|| Failure(format!("`{name}` is no class of bugs; `effigy bugs` lists them")))
    };
    if !start.check.is_empty() {
        if !start.check.iter().any(|it| it == "default") {
            BUG_KINDS.iter().for_each(|it| checks.set(it.0, false));
        }
        for name in start.check.iter().filter(|it| *it != "default") {
            checks.set(by_name(name)?, true);
        }
    }
    for name in &start.no_check {
        let kind = by_name(name)?;
        if !checks.is_on(kind) {
            return Err(Failure(format!(
                "--no-check {name} has no effect: `{name}` is looked for only with --check {name}"
            )));
        }
        checks.set(kind, false);
    }
    Ok(checks)
}

/// What the compiler made of a program.
struct Compiled {
    /// Names and texts of LLVM IR.
    modules: Vec<(String, Vec<u8>)>,
    /// The `main` that calls a target of libFuzzer.
    fuzzer: Option<String>,
    /// The program that calls the entry.
    driven: Option<Driven>,
    options: Options,
    units: Vec<CompileUnit>,
    /// Flags for the linker of a project.
    link: Vec<String>,
    /// Statements are shown by their source.
    with_sources: bool,
}

impl Compiled {
    fn program(&self, options: Options) -> Result<Program, Failure> {
        let program = effigy_llvm::load(&self.modules, options).map_err(refused)?;
        Ok(match self.with_sources {
            true => program.with_sources(&|file| std::fs::read_to_string(file).ok()),
            false => program,
        })
    }
}

impl Plan for Compiled {
    type Language<'a> = Program;

    fn language(&self) -> Result<Program, Failure> {
        self.program(self.options.clone())
    }

    fn merging_language(&self) -> Result<Program, Failure> {
        let mut options = self.options.clone();
        options.checks.set(LEAK, false);
        self.program(options)
    }

    fn fingerprint(&self) -> u64 {
        fingerprint(self.modules.iter().map(|it| it.1.as_slice()))
    }

    fn about(&self, program: &Program) -> About {
        let entry = match &self.driven {
            Some(driven) => driven.function.clone(),
            None => self.options.entry.clone().unwrap_or_else(|| "main".to_owned()),
        };
        About {
            language: Llvm.name(),
            program: ProgramSection {
                files: self.units.iter().map(|it| it.file.display().to_string()).collect(),
                entry: Some(entry.clone()),
                ..ProgramSection::default()
            },
            bytes: bytes(self),
            title: entry,
            native: Some(Native {
                units: self.units.clone(),
                link: self.link.clone(),
                surroundings: self.options.surroundings.clone(),
                harness: match (&self.fuzzer, program.harness()) {
                    (Some(main), other) => Some(format!("{}{main}", other.unwrap_or_default())),
                    (None, other) => other,
                },
                driven: self.driven.clone(),
                // No native run can be told what is in its memory at first, or what a function returns that it does not have.
                replayable: driver::has_sources(&self.units)
                    && self.options.uninitialised == Uninitialised::Bug
                    && self.options.externals != Externals::Pure,
            }),
            layout: Layout::Counts,
            ..About::default()
        }
    }
}

/// How a file of bytes becomes the inputs of a program: libFuzzer's, standard input, or its one file.
fn bytes(program: &Compiled) -> Option<ByteLayout> {
    let Options { surroundings, buffer, entry, .. } = &program.options;
    let size = |it: u64| usize::try_from(it).unwrap_or(usize::MAX);
    if program.fuzzer.is_some() {
        return Some(ByteLayout::fuzzer(size(*buffer)));
    }
    let layout = match (&surroundings.files[..], surroundings.stdin) {
        ([file], None) => ByteLayout::file(&format!("./{}", file.name), size(file.size)),
        (_, Some(most)) => ByteLayout::file("stdin", size(most)),
        ([], None) if entry.is_none() => ByteLayout::file("stdin", size(ASSUMED_STDIN)),
        _ => return None,
    };
    Some(if surroundings.exact { ByteLayout { size: None, ..layout } } else { layout })
}

fn refused(error: LoadError) -> Failure {
    match &error {
        LoadError::Read { error: inner, .. } => {
            let excerpt = excerpt(inner.line, &inner.excerpt, Stretch::at(inner.column), Style::default());
            Failure(format!("{error}\n{}", excerpt.trim_end()))
        }
        _ => Failure::of(error),
    }
}

impl ReportHooks for Program {
    fn check_bounded(
        &self,
        terms: &Terms,
        solver: &mut dyn Solver,
        config: &effigy_bmc::Config<'_>,
    ) -> Option<effigy_bmc::Account> {
        Some(effigy_bmc::check(self, terms, solver, config))
    }

    fn turnings(&self) -> Vec<Turning> {
        Program::turnings(self)
    }

    fn joins(&self, _: Joins) -> bool {
        true
    }

    fn remarks(&self, _: &Exploration) -> Vec<String> {
        let mut res = self.options().compiled.clone();
        if self.options().integers == Integers::Ideal {
            res.push("`int` is read as the mathematical integers: nothing overflows (--integers ideal)".to_owned());
        }
        if !self.options().assumed.is_empty() {
            res.push(format!("not any argument: {}", self.options().assumed.join(", ")));
        }
        res
    }

    fn sites(&self) -> Vec<SiteLines> {
        let site = |it: &effigy_llvm::SiteInfo| SiteLines {
            lines: it.lines.iter().map(|(file, line)| (file.to_string(), *line)).collect(),
            branch: it.kind != SiteKind::Code,
        };
        Program::sites(self).iter().map(site).collect()
    }

    /// Messages tell offsets, which differ from path to path.
    fn words_distinguish_bugs(&self) -> bool {
        false
    }
}

//! C, C++ and Rust programs by way of LLVM IR.
//!
//! Knows: the compiler driver, the flags of these languages. Never: what an instruction means.

mod surroundings;

use crate::args::{DebugArgs, RunArgs, StartArgs, TreeArgs};
use crate::files::fingerprint;
use crate::frontend::{About, Frontend, Layout, Native, Opened, Plan, Purpose, Reported, Request, SiteLines};
use crate::{Code, Failure};
use clap::{Args, FromArgMatches};
use effigy_engine::BugKind;
use effigy_explore::Exploration;
use effigy_llvm::surroundings::Argument;
use effigy_llvm::{BUG_KINDS, Checks, External, LoadError, Options, Program, SiteKind, Standing, driver};
use effigy_report::bugs::Style;
use effigy_report::document::ProgramSection;
use effigy_report::excerpt::{Stretch, excerpt};
use std::path::PathBuf;
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
    /// Bytes of the symbolic buffer behind each pointer argument of --entry; the most of what LLVMFuzzerTestOneInput gets
    #[arg(long, value_name = "N", default_value_t = 8)]
    buffer: u64,
    #[command(flatten)]
    surroundings: SurroundingsArgs,
    /// End a path at a call of an unknown function instead of returning any value
    #[arg(long)]
    strict_externals: bool,
    /// Print the functions that the program refers to and does not define, and what becomes of their calls, and stop
    #[arg(long)]
    list_externals: bool,
}

impl Frontend for Llvm {
    fn name(&self) -> &'static str {
        "llvm"
    }

    fn title(&self) -> &'static str {
        "C, C++ and Rust"
    }

    fn files(&self, _: Purpose) -> Option<&'static str> {
        Some("C (.c), C++ (.cc, .cpp), Rust (.rs) or LLVM IR (.ll) files of one program")
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["c", "cc", "cpp", "cxx", "rs", "ll"]
    }

    fn options(&self, _: Purpose, command: clap::Command) -> clap::Command {
        LlvmArgs::augment_args(command)
    }

    fn bugs(&self) -> &'static [(BugKind, &'static str)] {
        BUG_KINDS
    }

    fn open(&self, request: &Request<'_>) -> Result<Box<dyn Opened>, Failure> {
        let own = LlvmArgs::from_arg_matches(request.matches).map_err(Failure::of)?;
        let start = request.start;
        let surroundings = own.surroundings.surroundings(request.matches)?;
        let several = surroundings.arguments.iter().any(|it| matches!(it, Argument::Several { .. }));
        if request.purpose == Purpose::Debug && several {
            return Err(Failure(
                "--sym-args: a session begins with one call; say --sym-arg for each argument".to_owned(),
            ));
        }
        let options = Options {
            entry: start.entry.clone(),
            buffer: own.buffer,
            checks: checks(start)?,
            strict_externals: own.strict_externals,
            surroundings,
            optimised: optimisation(&start.flags).filter(|_| driver::has_sources(&start.files)),
        };
        let mut modules = driver::modules(&start.files, &start.flags).map_err(Failure::of)?;
        let fuzzer = driver::fuzzer(&modules, own.buffer).filter(|_| options.entry.is_none());
        if let Some(text) = &fuzzer {
            modules.insert(0, driver::module_of(text).map_err(Failure::of)?);
        }
        if own.list_externals {
            let program = effigy_llvm::load(&modules, options).map_err(refused)?;
            return Ok(Box::new(Externals(program.externals())));
        }
        Ok(Box::new(Compiled {
            modules,
            fuzzer,
            options,
            files: start.files.clone(),
            flags: start.flags.clone(),
            with_sources: request.purpose != Purpose::Run,
        }))
    }
}

/// What a program refers to and does not define: told instead of anything else.
struct Externals(Vec<External>);

impl Externals {
    fn tell(&self) -> Result<Code, Failure> {
        let width = self.0.iter().map(|it| it.name.len()).max().unwrap_or(0);
        for external in &self.0 {
            let standing = match external.standing {
                Standing::BuiltIn => "built in",
                Standing::AnyValue => "built in, returns any value",
                Standing::Input => "an input",
                Standing::CompiledIn => "compiled in",
                Standing::Unknown => "unknown",
                Standing::Refused => "refused",
            };
            println!("{:width$}  {standing}", external.name);
        }
        Ok(Code::Nothing)
    }
}

impl Opened for Externals {
    fn run(&self, _: &RunArgs, _: &Arc<AtomicBool>) -> Result<Code, Failure> {
        self.tell()
    }

    fn tree(&self, _: &TreeArgs, _: &Arc<AtomicBool>) -> Result<Code, Failure> {
        self.tell()
    }

    fn debug(&self, _: &DebugArgs, _: &Arc<AtomicBool>) -> Result<Code, Failure> {
        self.tell()
    }
}

/// What the user says of optimisation to the compiler: the last word counts.
fn optimisation(flags: &[String]) -> Option<String> {
    let last = flags.iter().rfind(|it| it.starts_with("-O"))?;
    (last != "-O0").then(|| last.clone())
}

/// The classes of bugs to look for.
fn checks(start: &StartArgs) -> Result<Checks, Failure> {
    let mut checks = Checks::default();
    let by_name = |name: &String| {
        Checks::by_name(name).ok_or_else(|| Failure(format!("`{name}` is no class of bugs; `effigy bugs` lists them")))
    };
    if !start.check.is_empty() {
        BUG_KINDS.iter().for_each(|it| checks.set(it.0, false));
        for name in &start.check {
            checks.set(by_name(name)?, true);
        }
    }
    for name in &start.no_check {
        checks.set(by_name(name)?, false);
    }
    Ok(checks)
}

/// What the compiler made of a program.
struct Compiled {
    /// Names and texts of LLVM IR.
    modules: Vec<(String, Vec<u8>)>,
    /// The `main` that calls a target of libFuzzer.
    fuzzer: Option<String>,
    options: Options,
    files: Vec<PathBuf>,
    flags: Vec<String>,
    /// Statements are shown by their source.
    with_sources: bool,
}

impl Plan for Compiled {
    type Language<'a> = Program;

    fn language(&self) -> Result<Program, Failure> {
        let program = effigy_llvm::load(&self.modules, self.options.clone()).map_err(refused)?;
        Ok(match self.with_sources {
            true => program.with_sources(&|file| std::fs::read_to_string(file).ok()),
            false => program,
        })
    }

    fn fingerprint(&self) -> u64 {
        fingerprint(self.modules.iter().map(|it| it.1.as_slice()))
    }

    fn about(&self, program: &Program) -> About {
        About {
            language: Llvm.name(),
            program: ProgramSection {
                files: self.files.iter().map(|it| it.display().to_string()).collect(),
                entry: Some(self.options.entry.clone().unwrap_or_else(|| "main".to_owned())),
                ..ProgramSection::default()
            },
            title: self.options.entry.clone().unwrap_or_else(|| "main".to_owned()),
            native: Some(Native {
                flags: self.flags.clone(),
                surroundings: self.options.surroundings.clone(),
                harness: match (&self.fuzzer, program.harness()) {
                    (Some(main), other) => Some(format!("{}{main}", other.unwrap_or_default())),
                    (None, other) => other,
                },
                replayable: driver::has_sources(&self.files),
            }),
            layout: Layout::Counts,
            ..About::default()
        }
    }
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

impl Reported for Program {
    fn remarks(&self, _: &Exploration) -> Vec<String> {
        let told = |it: &String| format!("compiled with {it}: a bug in what the optimiser has removed is not found");
        self.options().optimised.iter().map(told).collect()
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

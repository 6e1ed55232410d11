//! PL/I programs: King's language.
//!
//! Knows: how files and calls become programs. Never: what statements mean.

mod prove;

use crate::args::ProveArgs;
use crate::files::{fingerprint, one_file};
use crate::frontend::{About, Frontend, OpenProgram, Plan, Purpose, ReportHooks, Request};
use crate::{Code, Failure};
use clap::{Args, FromArgMatches};
use effigy_engine::{BugKind, Joins, Turning, Violation};
use effigy_pli::{Arrays, Diagnostics, Options, Program, State, any_call, call_of, compile};
use effigy_report::bugs::Style;
use effigy_report::document::ProgramSection;
use effigy_report::excerpt::{Stretch, excerpt};
use effigy_report::plural::counted;
use effigy_solver::Solver;
use effigy_term::Terms;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The frontend of King's PL/I-style language.
pub(crate) struct Pli;

/// The flags of PL/I programs.
#[derive(Debug, Args)]
#[command(next_help_heading = "PL/I")]
struct PliArgs {
    /// Treat symbolic subscripts by cases, or as conditional values
    #[arg(long, value_name = "cases|conditional", default_value = "conditional", value_parser = arrays)]
    arrays: Arrays,
    /// Use machine integers of BITS bits, and report overflow, instead of unbounded ones
    #[arg(long, value_name = "BITS", value_parser = clap::value_parser!(u32).range(2..=4096))]
    width: Option<u32>,
}

fn arrays(name: &str) -> Result<Arrays, String> {
    match name {
        "cases" => Ok(Arrays::Cases),
        "conditional" => Ok(Arrays::Conditional),
        _ => Err("cases or conditional was expected".to_owned()),
    }
}

impl Frontend for Pli {
    fn name(&self) -> &'static str {
        "pli"
    }

    fn title(&self) -> &'static str {
        "PL/I"
    }

    fn programs(&self) -> &'static str {
        "PL/I programs"
    }

    fn files(&self, purpose: Purpose) -> Option<&'static str> {
        (purpose != Purpose::Feasible).then_some("a PL/I file (.pli)")
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["pli"]
    }

    fn options(&self, purpose: Purpose, command: clap::Command) -> clap::Command {
        if purpose == Purpose::Feasible {
            return command;
        }
        PliArgs::augment_args(command)
    }

    fn bugs(&self) -> &'static [(BugKind, &'static str)] {
        effigy_pli::BUG_KINDS
    }

    fn open(&self, request: &Request<'_>) -> Result<Box<dyn OpenProgram>, Failure> {
        let own = PliArgs::from_arg_matches(request.matches).map_err(Failure::of)?;
        let (name, text) = one_file(
            &request.start.files,
            "one PL/I file was expected; procedures that call one another stand in one file",
        )?;
        let options = Options { arrays: own.arrays, width: own.width, ..Options::default() };
        let call = match (request.purpose, &request.start.call, request.start.entry()) {
            // The debugger makes the call that it is given, as its first command.
            (Purpose::Debug, ..) => Call::None,
            (_, Some(call), _) => Call::Typed(call.clone()),
            (_, None, Some(procedure)) => Call::Of(procedure.to_owned()),
            (_, None, None) => Call::First,
        };
        Ok(Box::new(Source { name, text, options, call }))
    }

    fn prove(&self, args: &ProveArgs, interrupt: &Arc<AtomicBool>) -> Option<Result<Code, Failure>> {
        Some(prove::run(args, interrupt))
    }
}

/// The call that is executed.
enum Call {
    None,
    Typed(String),
    /// Of this procedure, with inputs.
    Of(String),
    /// Of the first procedure, with inputs.
    First,
}

/// The text of a program, with its options.
struct Source {
    name: String,
    text: String,
    options: Options,
    call: Call,
}

impl Plan for Source {
    type Language<'a> = Program;

    fn language(&self) -> Result<Program, Failure> {
        let code = code(&self.name, &self.text)?;
        let call = match &self.call {
            Call::None => return Ok(Program::without_call(code, self.options.clone())),
            Call::Typed(call) => call.clone(),
            Call::Of(name) => {
                call_of(&code, &name.to_ascii_uppercase()).ok_or_else(|| no_procedure("--entry", name, &code))?
            }
            Call::First => any_call(&code),
        };
        Program::new(code, &call, self.options.clone()).map_err(|errors| refused(&errors))
    }

    fn fingerprint(&self) -> u64 {
        fingerprint([self.text.as_bytes()])
    }

    fn about(&self, program: &Program) -> About {
        let text = program.call_text();
        // A call that was not typed is told without its declarations.
        let title = match (&self.call, text.rsplit_once("CALL ")) {
            (Call::Of(_) | Call::First, Some((_, call))) => call.to_owned(),
            _ => text.to_owned(),
        };
        About {
            language: Pli.name(),
            program: ProgramSection {
                files: vec![self.name.clone()],
                call: Some(text.to_owned()),
                ..ProgramSection::default()
            },
            title,
            path_steps: program.limit(),
            ..About::default()
        }
    }
}

/// A name that no procedure has.
fn no_procedure(flag: &str, name: &str, code: &effigy_pli::Code) -> Failure {
    let names = crate::names::listed(code.procedures.iter().map(|it| &*it.name));
    Failure(format!("{flag}: there is no procedure {name}; the procedures are: {names}"))
}

/// The code of a text, or what is wrong with it.
fn code(name: &str, text: &str) -> Result<Rc<effigy_pli::Code>, Failure> {
    compile(name, text).map_err(|errors| refused(&errors))
}

/// Each error with its line.
fn refused(errors: &Diagnostics) -> Failure {
    let (shown, more) = errors.located();
    let told = shown.iter().map(|it| {
        let marked = Stretch { column: it.column, end: it.end };
        let excerpt = excerpt(it.line, it.text, marked, Style::default());
        format!("{}:{}:{}: {}\n{}", errors.file, it.line, it.column, it.message, excerpt.trim_end())
    });
    let more = (more > 0).then(|| format!("and {}", counted(more as u64, "more error")));
    Failure(told.chain(more).collect::<Vec<_>>().join("\n"))
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

    fn joins(&self, joins: Joins) -> bool {
        joins != Joins::Marked
    }

    /// What was to be assumed of an array cannot hold: every input of such a path is wrong.
    fn dropped(&self, state: &State) -> Option<Violation> {
        Some(Violation {
            kind: effigy_pli::SUBSCRIPT,
            message: self.asked(state)?.to_string(),
            place: self.place_in(state),
            stack: Vec::new(),
        })
    }

    fn assumed_within(&self, state: &State) -> Vec<String> {
        use effigy_engine::Inspect;
        match self.assumptions(state).is_empty() {
            true => Vec::new(),
            false => self.open_arrays(state).iter().map(|it| it.to_string()).collect(),
        }
    }
}

//! The object language, executed.
//!
//! Knows: files, flags, which model of symbolic execution. Never: what statements mean.
//! Source: de Boer and Bonsangue 2021.

mod explain;

use crate::Failure;
use crate::files::{fingerprint, has_extension, one_file};
use crate::frontend::{About, Frontend, OpenProgram, Plan, Purpose, ReportHooks, Request};
use clap::{Args, FromArgMatches};
use effigy_engine::{BugKind, Feasibility, Joins, Turning};
use effigy_explore::PathEnd;
use effigy_oo::ReadError;
use effigy_oo::run::forward::{Forward, Updates};
use effigy_oo::run::machine::{Errors, Machine, Options, REDUCED, State};
use effigy_oo::run::memory::Memory;
use effigy_oo::run::program::Semantics;
use effigy_oo::run::traces::Traces;
use effigy_report::bugs::Style;
use effigy_report::document::ProgramSection;
use effigy_report::excerpt::{Stretch, excerpt};
use effigy_report::leaf::Explanation;
use effigy_solver::Solver;
use effigy_term::Terms;
use effigy_walk::Exploration;
use std::fmt::Write;
use std::rc::Rc;

/// The frontend of the object language.
pub(crate) struct Oo;

/// How an object-oriented program is executed.
#[derive(Debug, Args)]
#[command(next_help_heading = "Object language (.oo)")]
struct OoArgs {
    /// The model: forward (substitutions and a path condition) or traces (weakest preconditions) [default: forward]
    #[arg(long, value_name = "forward|traces", value_parser = model)]
    model: Option<ModelName>,
    /// Errors of expressions (nil, subscripts, division): report a path for each, or exclude their inputs
    #[arg(long, value_name = "report|exclude", default_value = "report", value_parser = errors)]
    errors: Errors,
    /// Use the semantics of the paper: x div 0 = 0, subscripts 0 ≤ e ≤ |a|, strict operations
    #[arg(long)]
    paper_semantics: bool,
    /// Represent reads of updated fields and arrays as terms of the theory of arrays, or as conditional expressions
    /// (model forward)
    #[arg(long, value_name = "stores|conditional", default_value = "stores", value_parser = updates)]
    updates: Updates,
    /// Explore every interleaving of threads, even those that are equivalent to another
    #[arg(long)]
    no_por: bool,
}

/// What only a run takes.
#[derive(Debug, Args)]
#[command(next_help_heading = "Object language (.oo)")]
struct ExplainArgs {
    /// Print each transition with the name of its rule (.oo)
    #[arg(long)]
    explain: bool,
}

/// A model of symbolic execution.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum ModelName {
    #[default]
    Forward,
    Traces,
}

fn model(name: &str) -> Result<ModelName, String> {
    match name {
        "forward" => Ok(ModelName::Forward),
        "traces" => Ok(ModelName::Traces),
        _ => Err("forward or traces was expected".to_owned()),
    }
}

fn errors(name: &str) -> Result<Errors, String> {
    match name {
        "report" => Ok(Errors::Report),
        "exclude" => Ok(Errors::Exclude),
        _ => Err("report or exclude was expected".to_owned()),
    }
}

fn updates(name: &str) -> Result<Updates, String> {
    match name {
        "stores" => Ok(Updates::Stores),
        "conditional" => Ok(Updates::Conditional),
        _ => Err("stores or conditional was expected".to_owned()),
    }
}

/// When feasibility is asked for: `--check`, which for other languages names classes of bugs.
fn check(given: &[String]) -> Result<Feasibility, Failure> {
    match given {
        [] => Ok(Feasibility::default()),
        [only] => match only.as_str() {
            "branch" => Ok(Feasibility::Branch),
            "leaf" => Ok(Feasibility::Leaf),
            name => Err(Failure(format!("--check {name}: branch or leaf was expected for a .oo program"))),
        },
        _ => Err(Failure("--check: branch or leaf was expected, once".to_owned())),
    }
}

impl Frontend for Oo {
    fn name(&self) -> &'static str {
        "oo"
    }

    fn title(&self) -> &'static str {
        "Object language"
    }

    fn programs(&self) -> &'static str {
        ".oo programs that are executed"
    }

    fn files(&self, purpose: Purpose) -> Option<&'static str> {
        match purpose {
            Purpose::Run | Purpose::Bmc => Some("an object-oriented file (.oo)"),
            Purpose::Tree => Some("an object-oriented file (.oo) with --model"),
            Purpose::Debug | Purpose::Feasible => None,
        }
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["oo"]
    }

    fn claims(&self, request: &Request<'_>) -> bool {
        let modelled = || OoArgs::from_arg_matches(request.matches).is_ok_and(|it| it.model.is_some());
        let wanted = match request.purpose {
            Purpose::Run | Purpose::Bmc => true,
            Purpose::Tree => modelled(),
            Purpose::Debug | Purpose::Feasible => false,
        };
        wanted && has_extension(&request.start.files, self.extensions())
    }

    fn options(&self, purpose: Purpose, command: clap::Command) -> clap::Command {
        match purpose {
            Purpose::Run => OoArgs::augment_args(ExplainArgs::augment_args(command)),
            Purpose::Tree | Purpose::Bmc => OoArgs::augment_args(command),
            Purpose::Debug | Purpose::Feasible => command,
        }
    }

    fn bugs(&self) -> &'static [(BugKind, &'static str)] {
        effigy_oo::run::obligation::BUG_KINDS
    }

    fn open(&self, request: &Request<'_>) -> Result<Box<dyn OpenProgram>, Failure> {
        let own = OoArgs::from_arg_matches(request.matches).map_err(Failure::of)?;
        let explain = match request.purpose {
            Purpose::Run => ExplainArgs::from_arg_matches(request.matches).map_err(Failure::of)?.explain,
            _ => false,
        };
        let (name, text) = one_file(&request.start.files, "one .oo file was expected")?;
        let options = Options {
            semantics: Semantics { paper: own.paper_semantics },
            errors: own.errors,
            reduce: !own.no_por,
            explain,
        };
        let updates = own.updates;
        let check = check(&request.start.check)?;
        Ok(match own.model.unwrap_or_default() {
            ModelName::Forward => Box::new(Source { name, text, options, updates, check, start: Forward::new }),
            ModelName::Traces => Box::new(Source { name, text, options, updates, check, start: |_| Traces::default() }),
        })
    }
}

/// A program as text, with its model.
struct Source<M> {
    name: String,
    text: String,
    options: Options,
    updates: Updates,
    check: Feasibility,
    /// Makes the model's empty state.
    start: fn(Updates) -> M,
}

impl<M: Memory + 'static> Plan for Source<M> {
    type Language<'a> = Machine<M>;

    fn language(&self) -> Result<Machine<M>, Failure> {
        let program = effigy_oo::run::read(&self.name, &self.text)
            .map_err(|errors| Failure(render(&self.name, &self.text, &errors)))?;
        Ok(Machine::new(Rc::new(program), (self.start)(self.updates), self.options))
    }

    fn fingerprint(&self) -> u64 {
        fingerprint([self.text.as_bytes()])
    }

    fn about(&self, _: &Machine<M>) -> About {
        About {
            language: Oo.name(),
            program: ProgramSection {
                files: vec![self.name.clone()],
                model: Some(M::NAME.to_owned()),
                ..ProgramSection::default()
            },
            title: self.name.clone(),
            feasibility: self.check,
            ..About::default()
        }
    }
}

/// More errors of one file are counted, not shown.
const MOST_SHOWN: usize = 10;

/// The first errors, each with its line and a caret.
fn render(name: &str, text: &str, errors: &[ReadError]) -> String {
    let mut res = String::new();
    for error in errors.iter().take(MOST_SHOWN) {
        let span = error.span;
        let line = text.lines().nth(span.line.saturating_sub(1) as usize).unwrap_or_default();
        let _ = writeln!(res, "{name}:{}:{}: {}", span.line, span.column, error.message);
        res.push_str(&excerpt(span.line, line, Stretch::at(span.column), Style::default()));
    }
    if errors.len() > MOST_SHOWN {
        let _ = writeln!(res, "... and {} more", errors.len() - MOST_SHOWN);
    }
    res.trim_end().to_owned()
}

impl<M: Memory> ReportHooks for Machine<M> {
    /// What a round changes of objects is not known: no loop is closed by induction.
    fn check_bounded(
        &self,
        terms: &Terms,
        solver: &mut dyn Solver,
        config: &effigy_bmc::Config<'_>,
    ) -> Option<effigy_bmc::Account> {
        M::MERGES.then(|| effigy_bmc::check(self, terms, solver, config))
    }

    fn turnings(&self) -> Vec<Turning> {
        Machine::turnings(self)
    }

    fn joins(&self, joins: Joins) -> bool {
        joins != Joins::Marked
    }

    fn explained(&self, terms: &Terms, end: &PathEnd<'_, State<M>>) -> Option<Explanation> {
        self.options().explain.then(|| explain::explained(self, terms, end))
    }

    fn remarks(&self, exploration: &Exploration) -> Vec<String> {
        let reduced = exploration.notes.iter().filter(|it| it.0.kind == REDUCED);
        let told = |count: u64| {
            let moves = if count == 1 { "move" } else { "moves" };
            format!("{count} {moves} of threads skipped: another order does the same (--no-por shows all)")
        };
        reduced.map(|it| told(it.2)).collect()
    }

    fn counts_sizes(&self) -> bool {
        true
    }
}

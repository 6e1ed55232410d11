//! Any SMT-LIB 2 solver over a pipe.
//!
//! Knows: the protocol, the process and its death. Never: which solver it is.
//!
//! The process starts with the first query. What it prints is read by a thread of its own, so that a solver that
//! hangs is killed at the limit; one that dies, floods or talks nonsense is replaced for the next query, and given
//! up after a few failures in a row. An answer is used only when its model could be read.

mod model;
pub(crate) mod process;
pub(crate) mod sexpr;

use crate::statistics::Counter;
use crate::theories::powers::Powers;
use crate::{Answer, Query, Reason, Solver, SolverConfig, Statistics};
use effigy_term::print::SmtPrinter;
use effigy_term::{Symbol, Term, Terms};
use model::Conversation;
use process::Process;
use rustc_hash::FxHashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

pub use sexpr::{ParseError, parse_values};

/// The number of consecutive failures after which no process is started any more.
const MOST_FAILURES: u32 = 3;

/// A query without a limit of its own is given up after this time.
const PATIENCE: Duration = Duration::from_secs(60);

/// So often a model in which a power has a wrong value is refuted by an instance of the power's definition.
const MOST_REFINEMENTS: usize = 12;

/// The commands that a process is sent first.
const OPTIONS: &str = "(set-option :print-success false)\n(set-option :produce-models true)\n(set-logic ALL)\n";

/// With more definitions than this, a fresh process is started.
const MOST_DEFINITIONS: usize = 200_000;

/// A backend that speaks SMT-LIB 2 with the process of an SMT solver over a pipe.
pub struct Pipe {
    command: String,
    interrupt: Arc<AtomicBool>,
    running: Option<SolverProcess>,
    failures: u32,
    last_failure: String,
    counter: Counter,
}

struct SolverProcess {
    process: Process,
    printer: SmtPrinter,
}

impl Pipe {
    /// The backend of this configuration.
    pub fn new(config: &SolverConfig) -> Pipe {
        Pipe {
            command: config.smt.clone(),
            interrupt: Arc::clone(&config.interrupt),
            running: None,
            failures: 0,
            last_failure: String::new(),
            counter: Counter::new("smt"),
        }
    }

    fn decide(&mut self, terms: &Terms, query: &Query<'_>) -> Answer {
        if self.failures >= MOST_FAILURES {
            return Answer::Unknown(Reason::Failed(format!("{}; it is not started again", self.last_failure)));
        }
        if self.interrupt.load(Ordering::Relaxed) {
            return Answer::Unknown(Reason::Interrupted);
        }
        match self.converse(terms, query) {
            Ok(answer) => {
                self.failures = 0;
                answer
            }
            Err(Trouble::Late) => {
                self.running = None;
                Answer::Unknown(if self.interrupt.load(Ordering::Relaxed) { Reason::Interrupted } else { Reason::Time })
            }
            Err(Trouble::Failed(what)) => {
                self.running = None;
                self.failures += 1;
                self.last_failure = what.clone();
                Answer::Unknown(Reason::Failed(what))
            }
        }
    }

    fn converse(&mut self, terms: &Terms, query: &Query<'_>) -> Result<Answer, Trouble> {
        if self.running.as_ref().is_some_and(|it| it.printer.len() > MOST_DEFINITIONS) {
            self.running = None;
        }
        let running = match &mut self.running {
            Some(running) => running,
            None => self.running.insert(SolverProcess {
                process: Process::start(&self.command, OPTIONS).map_err(Trouble::Failed)?,
                printer: SmtPrinter::new(),
            }),
        };
        let deadline = Instant::now() + query.budget.time.unwrap_or(PATIENCE);
        let mut roots = query.conjuncts();
        roots.push(query.goal);
        let powers = Powers::of(terms, &roots);
        let mut asserted: Vec<Term> = roots.iter().copied().chain(powers.instances(terms)).collect();
        let mut refinements = 0;
        let after = if query.budget.steps.is_some() { "(set-option :rlimit 0)\n(pop 1)\n" } else { "(pop 1)\n" };
        let answer = loop {
            let patience = deadline.saturating_duration_since(Instant::now());
            // Definitions stay, assertions go.
            let mut text = String::new();
            let names: Vec<String> = asserted.iter().map(|&it| running.printer.define(terms, it, &mut text)).collect();
            text.push_str("(push 1)\n");
            names.iter().for_each(|it| text.push_str(&format!("(assert {it})\n")));
            if let Some(steps) = query.budget.steps {
                // Only of the search; zero is no limit.
                text.push_str(&format!("(set-option :rlimit {})\n", steps.max(1)));
            }
            text.push_str("(check-sat)\n");
            running.process.send(&text)?;
            let verdict = running.process.line(patience, &self.interrupt)?;
            match verdict.as_str() {
                "unsat" => break Answer::Unsat,
                "sat" => {
                    let symbols = scalar_symbols(terms, &roots);
                    let mut conversation = Conversation {
                        terms,
                        process: &mut running.process,
                        printer: &mut running.printer,
                        patience,
                        interrupt: &self.interrupt,
                    };
                    let Some(model) = conversation.model(&symbols, &roots)? else {
                        let reason = "its model has an array that cannot be written as a value".to_owned();
                        break Answer::Unknown(Reason::GaveUp(reason));
                    };
                    let model = query.complete(model);
                    let confirmed = powers.confirmed(terms, &model);
                    if confirmed == Some(true) {
                        break Answer::Sat(model);
                    }
                    let mut instances = powers.instances_at(terms, &model);
                    instances.retain(|it| !asserted.contains(it));
                    match confirmed {
                        _ if !instances.is_empty() && refinements < MOST_REFINEMENTS => {
                            refinements += 1;
                            asserted.extend(instances);
                            running.process.send(after)?;
                        }
                        // That the model is wrong is for the layer `validate` to say.
                        Some(_) => break Answer::Sat(model),
                        None => break Answer::Unknown(Reason::GaveUp("a power cannot be evaluated".to_owned())),
                    }
                }
                "unknown" | "timeout" => {
                    running.process.send("(get-info :reason-unknown)\n")?;
                    let reason = running.process.answer(patience, &self.interrupt)?;
                    let limited = query.budget.steps.is_some() && is_limit(&reason);
                    let gave_up = || Reason::GaveUp(reason.trim().to_owned());
                    break Answer::Unknown(if limited { Reason::Steps } else { gave_up() });
                }
                other => return Err(Trouble::Failed(format!("the solver said `{}`", shortened(other)))),
            }
        };
        running.process.send(after)?;
        Ok(answer)
    }
}

/// Why a conversation with the process ended without an answer.
pub(crate) enum Trouble {
    /// Out of time, or interrupted.
    Late,
    /// The process is dead, or its output is not understood.
    Failed(String),
}

/// Whether a solver's reason for *unknown* is that its resources were used up.
pub(crate) fn is_limit(reason: &str) -> bool {
    ["resource", "canceled", "rlimit"].iter().any(|it| reason.contains(it))
}

fn shortened(text: &str) -> String {
    text.chars().take(200).collect()
}

fn scalar_symbols(terms: &Terms, roots: &[Term]) -> Vec<Symbol> {
    let symbols: FxHashSet<Symbol> = roots.iter().flat_map(|&it| terms.symbols(it)).copied().collect();
    let mut symbols: Vec<Symbol> = symbols.into_iter().collect();
    symbols.sort_unstable();
    symbols
}

impl Solver for Pipe {
    fn check(&mut self, terms: &Terms, query: &Query<'_>) -> Answer {
        let since = self.counter.begin();
        let answer = self.decide(terms, query);
        self.counter.answered(since);
        answer
    }

    fn statistics(&self, into: &mut Statistics) {
        self.counter.report(into);
    }
}

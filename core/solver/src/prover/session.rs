//! A solver's process that is told what is assumed, and asked whether a goal follows.
//!
//! Knows: SMT-LIB 2 commands, which of the assumptions the process was told, its budgets and its death.
//! Never: what is decided without it.
//! Source: the options are those that Viper's backend Silicon sets (notes, section 2a); unlike there no command is
//! answered but `check-sat`, so that telling costs no round trip, and instances of instances are bounded: Z3 does not
//! count the steps of a matching loop, so that its budget does not end one (`sequences.vpr` of Silver's tests).
//!
//! Scopes are mirrored when something is asked: what was opened and closed in between is never told. Axioms stand below
//! all scopes, and definitions are global: both survive a pop.

use super::assumptions::{Assumptions, Fact};
use super::{Proof, ProverConfig};
use crate::Reason;
use crate::backends::pipe::process::Process;
use crate::backends::pipe::sexpr::{is_balanced, value_texts};
use crate::backends::pipe::{Trouble, is_limit};
use effigy_term::print::SmtPrinter;
use effigy_term::{Term, Terms};
use std::fmt::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The commands that a process is sent first.
const OPTIONS: &str = "\
(set-option :print-success false)
(set-option :global-declarations true)
(set-option :auto_config false)
(set-option :smt.mbqi false)
(set-option :smt.case_split 3)
(set-option :smt.delay_units true)
(set-option :smt.qi.eager_threshold 20)
(set-option :smt.qi.max_multi_patterns 1000)
(set-option :smt.arith.solver 2)
(set-option :model.v2 true)
(set-option :model.partial true)
(set-option :pp.bv_literals false)
(set-option :type_check true)
";

/// The number of consecutive failures after which no process is started any more.
const MOST_FAILURES: u32 = 3;

/// With more definitions than this, a fresh process is started.
const MOST_DEFINITIONS: usize = 200_000;

/// So many complaints are read before an answer.
const MOST_ERRORS: usize = 100;

/// What [`super::ProofEffort::Quick`] may spend at most: about ten milliseconds.
pub(super) const MOST_QUICK_STEPS: u64 = 100_000;

/// What it may spend where nothing ever came of it.
pub(super) const LEAST_QUICK_STEPS: u64 = 5_000;

/// What each attempt at a goal may spend, before all that is left is spent on one. A proof that is not found soon may be
/// found at once by a process that was asked nothing before, or with other random choices.
const ATTEMPTS: [Attempt; 3] = [
    Attempt { steps: 500_000, fresh: false, seed: 0 },
    Attempt { steps: 1_000_000, fresh: true, seed: 0 },
    Attempt { steps: 1_000_000, fresh: false, seed: 1 },
];

/// One search for a proof.
#[derive(Clone, Copy)]
struct Attempt {
    steps: u64,
    /// By a process of its own.
    fresh: bool,
    seed: u32,
}

/// What looking for a model may spend: about fifty milliseconds.
const MODEL_STEPS: u64 = 500_000;

/// A process that says nothing for so long hangs: it is ended, and counts as one that failed. What a query may spend is
/// its steps, which end it long before.
const PATIENCE: Duration = Duration::from_secs(3600);

/// The process, if there is one, and what became of those before it.
pub(super) struct SolverSession {
    running: Option<SolverProcess>,
    failures: u32,
    last_failure: String,
    pub(super) patience: Duration,
    /// A query that is not answered by then is given up.
    pub(super) deadline: Option<Instant>,
    /// The number of processes started so far.
    pub(super) started: u64,
}

struct SolverProcess {
    process: Process,
    printer: SmtPrinter,
    /// The scopes that are open, the outermost first.
    levels: Vec<Level>,
    axioms: usize,
    /// Whether the process was told the ages of objects.
    ages: bool,
    /// The seed of the solver's random choices.
    seed: u32,
    /// What is to be sent with the next question.
    text: String,
}

/// A scope of the process.
struct Level {
    identity: u64,
    /// The facts that were told before the next level, from the first of all.
    told: usize,
}

enum Reply {
    Unsat,
    Sat,
    Unknown,
    /// Something of what was told was not understood.
    Error(String),
}

impl SolverSession {
    pub(super) fn new() -> SolverSession {
        SolverSession {
            running: None,
            failures: 0,
            last_failure: String::new(),
            patience: PATIENCE,
            deadline: None,
            started: 0,
        }
    }

    /// Whether the assumptions imply `goal`.
    pub(super) fn proves(
        &mut self,
        terms: &Terms,
        config: &ProverConfig,
        assumptions: &Assumptions,
        goal: Term,
        steps: u64,
    ) -> Proof {
        let mut left = steps;
        for attempt in ATTEMPTS {
            if left <= attempt.steps {
                break;
            }
            let proof = self.attempt(terms, config, assumptions, goal, attempt);
            if proof != Proof::NotProved(Some(Reason::Steps)) {
                return proof;
            }
            left -= attempt.steps;
        }
        self.attempt(terms, config, assumptions, goal, Attempt { steps: left, fresh: false, seed: 0 })
    }

    fn attempt(
        &mut self,
        terms: &Terms,
        config: &ProverConfig,
        assumptions: &Assumptions,
        goal: Term,
        attempt: Attempt,
    ) -> Proof {
        if attempt.fresh {
            self.running = None;
        }
        let asked = self.converse(config, |running, patience| {
            running.set_seed(attempt.seed);
            Ok(match running.ask(terms, assumptions, goal, attempt.steps, patience, &config.interrupt)? {
                Reply::Unsat => Proof::Proved,
                Reply::Sat => Proof::NotProved(None),
                Reply::Unknown => Proof::NotProved(Some(running.reason(patience, &config.interrupt)?)),
                Reply::Error(what) => Proof::NotProved(Some(Reason::Failed(what))),
            })
        });
        asked.unwrap_or_else(|reason| Proof::NotProved(Some(reason)))
    }

    /// The same with a model looked for in which each quantified formula holds, where triggers have found nothing: that
    /// there is one says that the goal does not follow.
    pub(super) fn proves_by_models(
        &mut self,
        terms: &Terms,
        config: &ProverConfig,
        assumptions: &Assumptions,
        goal: Term,
    ) -> Proof {
        if let Some(running) = &mut self.running {
            running.text.push_str("(set-option :smt.mbqi true)\n");
        }
        let proof = self.proves(terms, config, assumptions, goal, config.steps.min(MODEL_STEPS));
        if let Some(running) = &mut self.running {
            running.text.push_str("(set-option :smt.mbqi false)\n");
        }
        proof
    }

    /// The texts of values in a model of the assumptions and of `not goal`.
    pub(super) fn counterexample(
        &mut self,
        terms: &Terms,
        config: &ProverConfig,
        assumptions: &Assumptions,
        goal: Term,
        wanted: &[Term],
    ) -> Option<Vec<String>> {
        let asked = self.converse(config, |running, patience| {
            // Definitions must not come between the answer and its model.
            let names: Vec<String> =
                wanted.iter().map(|&it| running.printer.define(terms, it, &mut running.text)).collect();
            let verdict = running.ask(terms, assumptions, goal, config.steps, patience, &config.interrupt)?;
            if names.is_empty() || !matches!(verdict, Reply::Sat | Reply::Unknown) {
                return Ok(matches!(verdict, Reply::Sat | Reply::Unknown).then(Vec::new));
            }
            running.process.send(&format!("(get-value ({}))\n", names.join(" ")))?;
            let text = running.process.answer(patience, &config.interrupt)?;
            Ok(value_texts(&text, names.len()).ok())
        });
        asked.ok().flatten()
    }

    /// Talks to a process, which is started if there is none; one that fails is replaced for the next question.
    fn converse<T>(
        &mut self,
        config: &ProverConfig,
        talk: impl FnOnce(&mut SolverProcess, Duration) -> Result<T, Trouble>,
    ) -> Result<T, Reason> {
        if self.failures >= MOST_FAILURES {
            return Err(Reason::Failed(format!("{}; it is not started again", self.last_failure)));
        }
        if config.interrupt.load(Ordering::Relaxed) {
            return Err(Reason::Interrupted);
        }
        let left = self.deadline.map(|it| it.saturating_duration_since(Instant::now()));
        if left.is_some_and(|it| it.is_zero()) {
            return Err(Reason::Time);
        }
        let patience = left.map_or(self.patience, |it| it.min(self.patience));
        if self.running.as_ref().is_some_and(|it| it.printer.len() > MOST_DEFINITIONS) {
            self.running = None;
        }
        let talked = match &mut self.running {
            Some(running) => talk(running, patience),
            None => match Process::start(&config.smt, OPTIONS) {
                Ok(process) => {
                    self.started += 1;
                    talk(self.running.insert(SolverProcess::new(process)), patience)
                }
                Err(what) => Err(Trouble::Failed(what)),
            },
        };
        match talked {
            Ok(res) => {
                self.failures = 0;
                Ok(res)
            }
            Err(Trouble::Late) => {
                self.running = None;
                Err(if config.interrupt.load(Ordering::Relaxed) { Reason::Interrupted } else { Reason::Time })
            }
            Err(Trouble::Failed(what)) => {
                tracing::warn!("the solver failed: {what}");
                self.running = None;
                self.failures += 1;
                self.last_failure = what.clone();
                Err(Reason::Failed(what))
            }
        }
    }
}

impl SolverProcess {
    fn new(process: Process) -> SolverProcess {
        let printer = SmtPrinter::new();
        SolverProcess { process, printer, levels: Vec::new(), axioms: 0, ages: false, seed: 0, text: String::new() }
    }

    fn ask(
        &mut self,
        terms: &Terms,
        assumptions: &Assumptions,
        goal: Term,
        steps: u64,
        patience: Duration,
        interrupt: &AtomicBool,
    ) -> Result<Reply, Trouble> {
        self.mirror(terms, assumptions);
        // What was not understood was not assumed: once more, without it. Only a complaint about the goal comes again.
        let mut verdict = Reply::Unknown;
        for _ in 0..2 {
            let name = self.printer.define(terms, terms.not(goal), &mut self.text);
            // Only of the search: Z3 counts what it prepares at `push` too, and a `push` that is stopped is none. Zero is no
            // limit.
            let limit = steps.max(1);
            let _ = writeln!(self.text, "(push 1)\n(assert {name})\n(set-option :rlimit {limit})\n(check-sat)");
            self.process.send(&std::mem::take(&mut self.text))?;
            self.text.push_str("(set-option :rlimit 0)\n(pop 1)\n");
            verdict = self.verdict(patience, interrupt)?;
            match &verdict {
                Reply::Error(what) => tracing::warn!("the solver did not understand: {what}"),
                _ => break,
            }
        }
        Ok(verdict)
    }

    fn set_seed(&mut self, seed: u32) {
        if self.seed != seed {
            let _ = writeln!(self.text, "(set-option :smt.random_seed {seed})");
            self.seed = seed;
        }
    }

    /// Tells what it does not know yet, and takes back what is not assumed any more.
    fn mirror(&mut self, terms: &Terms, assumptions: &Assumptions) {
        let ages = assumptions.has_births();
        let mut common =
            self.levels.iter().zip(&assumptions.scopes).take_while(|(it, scope)| it.identity == scope.identity).count();
        if self.axioms < assumptions.axioms.len() || self.ages != ages {
            common = 0;
        }
        if self.levels.len() > common {
            let _ = writeln!(self.text, "(pop {})", self.levels.len() - common);
            self.levels.truncate(common);
        }
        self.ages = ages;
        for &axiom in &assumptions.axioms[self.axioms..] {
            self.assert(terms, axiom);
        }
        self.axioms = assumptions.axioms.len();
        for (at, scope) in assumptions.scopes.iter().enumerate().skip(common.saturating_sub(1)) {
            if at >= self.levels.len() {
                self.text.push_str("(push 1)\n");
                self.levels.push(Level { identity: scope.identity, told: scope.start });
            }
            let end = assumptions.end(at);
            for fact in &assumptions.facts[self.levels[at].told..end] {
                self.tell(terms, *fact);
            }
            self.levels[at].told = end;
        }
    }

    fn tell(&mut self, terms: &Terms, fact: Fact) {
        if self.ages || matches!(fact, Fact::Holds(_)) {
            self.assert(terms, fact.formula(terms));
        }
    }

    fn assert(&mut self, terms: &Terms, fact: Term) {
        let name = self.printer.define(terms, fact, &mut self.text);
        let _ = writeln!(self.text, "(assert {name})");
    }

    fn verdict(&mut self, patience: Duration, interrupt: &AtomicBool) -> Result<Reply, Trouble> {
        let mut error: Option<String> = None;
        for _ in 0..MOST_ERRORS {
            let mut line = self.process.line(patience, interrupt)?;
            let verdict = match line.as_str() {
                "unsat" => Reply::Unsat,
                "sat" => Reply::Sat,
                "unknown" | "timeout" => Reply::Unknown,
                "unsupported" | "success" => continue,
                _ if line.starts_with("(error") => {
                    while !is_balanced(&line) && line.len() < 10_000 {
                        line.push_str(&self.process.line(patience, interrupt)?);
                    }
                    error.get_or_insert(line);
                    continue;
                }
                _ => return Err(Trouble::Failed(format!("the solver said `{}`", shortened(&line)))),
            };
            return Ok(match error {
                Some(what) => Reply::Error(shortened(&what)),
                None => verdict,
            });
        }
        Err(Trouble::Failed(format!("the solver said `{}`", shortened(&error.unwrap_or_default()))))
    }

    fn reason(&mut self, patience: Duration, interrupt: &AtomicBool) -> Result<Reason, Trouble> {
        self.process.send("(get-info :reason-unknown)\n")?;
        let text = self.process.answer(patience, interrupt)?;
        let text = text.trim().trim_start_matches("(:reason-unknown").trim_end_matches(')').trim().trim_matches('"');
        // Z3 4.8 has no other word for the end of its budget.
        Ok(if is_limit(text) || text == "unknown" { Reason::Steps } else { Reason::GaveUp(shortened(text)) })
    }
}

fn shortened(text: &str) -> String {
    text.chars().take(200).collect()
}

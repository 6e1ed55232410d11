//! The session: takes a line, carries its commands out, replies.
//!
//! Knows: where it stands, what is saved, what was before. Never: the terminal, files.

use crate::points::{Breakpoint, Traced};
use crate::position::{Position, Progress, is_known};
use crate::tree::Tree;
use effigy_engine::{Context, Coverage, Engine, Entailment, Inputs, Inspect, JudgeQuestion, Notes, Statement, Trail};
use effigy_solver::{Answer, LayerSet, PathCondition, QueryBudget, Solver};
use effigy_term::{Sort, Term, Terms};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The budgets and switches of a session.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// What one query may spend.
    pub query: QueryBudget,
    /// One command makes at most so many transitions, then it stops where it is; `None` is no limit.
    pub transitions: Option<u64>,
    /// Set from outside (Ctrl-C): a running command stops, and the session clears it.
    pub interrupt: Arc<AtomicBool>,
    /// The layers that are on, of which some are a part of the path condition.
    pub layers: LayerSet,
}

/// The reply to a line that the user typed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Reply {
    /// For the person; lines without the last line's end. What could not be carried out begins with `error: `.
    pub text: String,
    /// Whether the session is over: `quit` was typed.
    pub ends: bool,
    /// Whether a command could not be carried out; those after it on the line were not tried.
    pub error: bool,
}

/// What a command says: its answer, or why it could not be carried out.
pub(crate) type Said = Result<String, String>;

/// A walk through the execution tree of one program, step by step.
pub struct Session<'a, L: Inspect> {
    pub(crate) language: &'a L,
    pub(crate) terms: &'a Terms,
    pub(crate) solver: &'a mut dyn Solver,
    pub(crate) config: Config,
    pub(crate) coverage: Coverage,
    pub(crate) notes: Notes,
    pub(crate) inputs: Inputs,
    pub(crate) here: Rc<Position<L::State>>,
    /// The positions before each command that moved or changed something.
    before: Vec<Rc<Position<L::State>>>,
    saved: Vec<Rc<Position<L::State>>>,
    pub(crate) breakpoints: Vec<Breakpoint>,
    pub(crate) last_breakpoint: u64,
    pub(crate) traced: Option<Traced>,
    pub(crate) tree: Tree,
}

impl<L: Inspect> std::fmt::Debug for Session<'_, L> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Session({} saved, {} to undo)", self.saved.len(), self.before.len())
    }
}

impl<'a, L: Inspect> Session<'a, L> {
    /// A session at the program's own start.
    pub fn new(language: &'a L, terms: &'a Terms, solver: &'a mut dyn Solver, config: Config) -> Session<'a, L> {
        let (mut coverage, mut notes) = (Coverage::default(), Notes::default());
        let inputs = Inputs::Symbolic;
        let mut ctx = Context::new(terms, &inputs, &mut coverage, &mut notes);
        let state = language.start(&mut ctx);
        let mut tree = Tree::default();
        let node = tree.root("start".to_owned());
        let here = Rc::new(Position {
            state,
            trail: Trail::of(PathCondition::of(config.layers)),
            progress: Progress::default(),
            question: None,
            end: None,
            within: false,
            node,
            origin: None,
            edited: false,
        });
        let mut session = Session {
            language,
            terms,
            solver,
            config,
            coverage,
            notes,
            inputs,
            here,
            before: Vec::new(),
            saved: Vec::new(),
            breakpoints: Vec::new(),
            last_breakpoint: 0,
            traced: None,
            tree,
        };
        session.begin_progress();
        session
    }

    /// The statement that is executed next; `None` when the program has ended, or has no statements there.
    pub fn statement(&self) -> Option<Statement> {
        if self.here.end.is_some() || self.language.depth(&self.here.state) == 0 {
            return None;
        }
        Some(self.language.statement(&self.here.state)).filter(is_known)
    }

    /// The path condition, conjunct by conjunct.
    pub fn path_condition(&mut self) -> Vec<String> {
        let here = Rc::clone(&self.here);
        let conjuncts = self.readable(&here.trail);
        conjuncts.into_iter().map(|it| self.formula(it)).collect()
    }

    /// The names of the program that can be typed here: of procedures, then of variables.
    pub fn names(&self) -> Vec<String> {
        self.language.names(Some(&self.here.state)).into_iter().map(|it| it.to_string()).collect()
    }

    /// What a language needs to run.
    pub(crate) fn context(&mut self) -> Context<'_> {
        Context::new(self.terms, &self.inputs, &mut self.coverage, &mut self.notes)
    }

    /// The engine that answers the questions of the program.
    pub(crate) fn engine(&mut self) -> Engine<'_> {
        Engine { terms: self.terms, solver: self.solver, budget: self.config.query }
    }

    /// The conjuncts of a path condition, without those that others imply.
    pub(crate) fn readable(&mut self, trail: &Trail) -> Vec<Term> {
        let language = self.language;
        let assumptions = language.assumptions(&self.here.state);
        self.engine().readable_in(language, trail, &assumptions)
    }

    pub(crate) fn interrupted(&self) -> bool {
        self.config.interrupt.load(Ordering::Relaxed)
    }

    pub(crate) fn clear_interrupt(&self) {
        self.config.interrupt.store(false, Ordering::Relaxed);
    }

    /// Goes to a new position; `undo` comes back.
    pub(crate) fn arrive(&mut self, position: Position<L::State>) {
        self.before.push(std::mem::replace(&mut self.here, Rc::new(position)));
    }

    /// Notes the statement before which a state without history stands.
    fn begin_progress(&mut self) {
        let mut position = (*self.here).clone();
        position.progress = self.first_progress(&position.state);
        self.here = Rc::new(position);
    }

    pub(crate) fn call(&mut self, text: &str) -> Said {
        let text = text.trim().trim_end_matches(';').trim_end();
        let language = self.language;
        let state = language.call(&mut self.context(), text).map_err(|it| it.to_string())?;
        let node = self.tree.root(format!("call {text}"));
        let progress = self.first_progress(&state);
        self.arrive(Position {
            state,
            trail: Trail::of(PathCondition::of(self.config.layers)),
            progress,
            question: None,
            end: None,
            within: false,
            node,
            origin: Some(text.into()),
            edited: false,
        });
        Ok(self.whereabouts())
    }

    /// The value of a condition that the user typed.
    pub(crate) fn condition(&mut self, state: &L::State, text: &str) -> Result<Term, String> {
        let language = self.language;
        let term = language.evaluate(&mut self.context(), state, text).map_err(|it| it.to_string())?;
        match self.terms.sort(term) {
            Sort::Bool => Ok(term),
            _ => Err(format!("a condition was expected; the value of {text} is {}", self.formula(term))),
        }
    }

    pub(crate) fn assume(&mut self, text: &str) -> Said {
        let here = Rc::clone(&self.here);
        let condition = self.condition(&here.state, text)?;
        let Some(trail) = self.engine().assume(&here.trail, condition) else {
            return Err(format!(
                "{} is inconsistent with the path condition; nothing is changed",
                self.formula(condition)
            ));
        };
        let note = undecided(&trail);
        let node = match self.terms.as_bool(condition) {
            Some(_) => here.node,
            None => self.tree.taken(here.node, "assume", &self.formula(condition)),
        };
        // The question is asked again, with the stronger path condition.
        self.arrive(Position { trail, question: None, node, ..(*here).clone() });
        Ok(format!("pc: {}{note}", self.path_condition_text(&Rc::clone(&self.here).trail)))
    }

    pub(crate) fn prove(&mut self, text: &str) -> Said {
        let here = Rc::clone(&self.here);
        let condition = self.condition(&here.state, text)?;
        let negated = self.terms.not(condition);
        let known = self.language.judge().is_some_and(|mut judge| {
            let (state, trail, budget) = (&here.state, &here.trail, self.config.query);
            let question = JudgeQuestion { state, trail, cond: condition, budget };
            judge.entails(self.terms, &question) == Entailment::Holds
        });
        let answer = match self.terms.as_bool(condition) {
            Some(true) => Answer::Unsat,
            _ if known => Answer::Unsat,
            _ => self.engine().check(&here.trail, negated),
        };
        let note = undecided(&here.trail);
        Ok(match answer {
            Answer::Unsat => format!("true{note}"),
            Answer::Unknown(reason) => format!("unknown: {reason}"),
            Answer::Sat(model) => {
                let inputs = self.inputs_under(&here, &model, &[condition]);
                match inputs.is_empty() {
                    true => "false".to_owned(),
                    false => format!("false, for example where {}", inputs.join(", ")),
                }
            }
        })
    }

    pub(crate) fn set(&mut self, target: &str, value: &str) -> Said {
        let here = Rc::clone(&self.here);
        if here.end.is_some() {
            return Err(ENDED.to_owned());
        }
        if here.within {
            return Err("the statement is half executed here: finish it, or `undo`".to_owned());
        }
        let mut state = here.state.clone();
        let language = self.language;
        language.assign(&mut self.context(), &mut state, target, value).map_err(|it| it.to_string())?;
        let node = self.tree.taken(here.node, "set", &format!("{target} = {value}"));
        self.arrive(Position { state, question: None, node, edited: true, ..(*here).clone() });
        let shown = crate::command::Shown::Expression(target.to_owned());
        Ok(self.show(&shown).unwrap_or_default())
    }

    pub(crate) fn save(&mut self) -> String {
        self.saved.push(Rc::clone(&self.here));
        let number = self.saved.len();
        self.tree.saved(self.here.node, number);
        format!("saved as state {number}")
    }

    pub(crate) fn restore(&mut self, number: u64) -> Said {
        let at = usize::try_from(number).ok().and_then(|it| it.checked_sub(1));
        let Some(position) = at.and_then(|it| self.saved.get(it)) else {
            return Err(match self.saved.len() {
                0 => "no state is saved".to_owned(),
                count => format!("there is no state {number}; states 1 to {count} are saved"),
            });
        };
        let position = Rc::clone(position);
        self.before.push(std::mem::replace(&mut self.here, position));
        Ok(self.situation())
    }

    pub(crate) fn undo(&mut self) -> Said {
        let Some(position) = self.before.pop() else { return Err("there is nothing to undo".to_owned()) };
        self.here = position;
        Ok(self.situation())
    }

    pub(crate) fn states(&mut self) -> String {
        if self.saved.is_empty() {
            return "no state is saved".to_owned();
        }
        let saved = self.saved.clone();
        let mut rows = vec![vec!["state".to_owned(), "statement".to_owned(), "path condition".to_owned()]];
        for (at, position) in saved.iter().enumerate() {
            rows.push(vec![(at + 1).to_string(), self.place_of(position), self.path_condition_text(&position.trail)]);
        }
        crate::table::table(&rows)
    }
}

/// What a command says that needs a running program.
pub(crate) const ENDED: &str = "the program has ended; `undo`, `restore N` or `call` go on";

/// A remark where a trail is not known to be possible.
pub(crate) fn undecided(trail: &Trail) -> String {
    match &trail.undecided {
        Some(reason) => format!("\n(the solver could not tell whether this is possible: {reason})"),
        None => String::new(),
    }
}

//! A language is a symbolic transition system; an analysis is a way of walking it; a report is a way of looking at
//! the walk.
//!
//! Knows: paths, questions, decisions, budgets. The state of a path, ⟨S, σ⟩, belongs to the language; its path
//! condition φ and a model of φ belong here (de Boer and Bonsangue 2021, section 2).
//! Never: what a bitvector is, what a statement is, where a report goes.

pub mod advance;
pub mod budget;
pub mod concrete;
pub mod context;
pub mod coverage;
pub mod cuts;
pub mod decision;
pub mod engine;
pub mod fork;
pub mod gather;
pub mod given;
pub mod guide;
pub mod inspect;
pub mod job;
mod joins;
pub mod judge;
pub mod language;
pub mod merge;
pub mod notes;
pub mod observer;
pub mod outcome;
pub mod passed;
pub mod path;
pub mod question;
pub mod readable;
pub mod replay;
pub mod sleep_sets;
pub mod topology;

pub use advance::{Asked, Event, Forking, Forks, Held, Policy, Stuck, Violated, advance};
pub use budget::{Budget, Limit, Meter};
pub use concrete::{ConcreteRun, follow, run_concretely, run_concretely_from};
pub use context::{Common, Context, Inputs, Ordered};
pub use coverage::{Coverage, Site};
pub use cuts::{CutProcedure, Cuts};
pub use decision::{Decision, Decisions, PathName, PathNameError, Resolution, fits};
pub use engine::Engine;
pub use fork::{Feasibility, Requirement, Way};
pub use gather::{Gathered, Merged, gather};
pub use given::{Given, Valued, Worth};
pub use guide::Guide;
pub use inspect::{
    Conditional, Inspect, InspectError, Standing, Statement, ValuePart, Variable, VariableValue, formulas_of,
};
pub use job::{Job, SymbolValue};
pub use joins::Joins;
pub use judge::{Entailment, Judge, JudgeQuestion};
pub use language::Language;
pub use merge::{Apart, Content, Guard, Havoc, IntegerVariable, Meeting, Merge, Origin, Round, Thing, TurnId, Turning};
pub use notes::{Note, Notes};
pub use observer::{Ended, Observer};
pub use outcome::{
    BugKind, GaveUp, GiveUpCause, Input, InputData, Outcome, PathOutcome, Place, ThreadTurn, Violation, Witness,
};
pub use passed::{Onward, Other, Passed, Question};
pub use path::{Path, PathId, RecentValuations, Trail, Valuation};
pub use question::{Alternative, AlternativeLabel, Step};
pub use replay::{ReplayError, Replayed, Until, replay};
pub use sleep_sets::{AwakeThread, SleepSet, ThreadId, awake_threads};
pub use topology::{LoopRounds, Rounds, Topology};

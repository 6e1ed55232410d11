//! What a path has passed that is followed by its own model: each question with its answer, and the answers that it was
//! not given.
//!
//! Knows: conditions on both sides, where they were asked, how the path goes on by name. Never: whether the other sides
//! are feasible (that is for whoever asks a solver), what becomes of them.
//! Source: Godefroid, Levin, Molnar 2008, section 2: the path constraint.

use crate::decision::Decision;
use crate::outcome::{Place, Violation};
use crate::path::Trail;
use crate::question::{Alternative, AlternativeLabel, Step};
use effigy_term::{Term, Terms, Value};

/// A question that the path has passed, with the answer that its inputs give.
#[derive(Clone, Debug)]
pub struct Passed {
    /// The place in the source where the question was asked.
    pub place: Place,
    /// The number of decisions that were taken before it.
    pub decided: usize,
    /// What holds of the inputs: a conjunct of the path condition.
    pub cond: Term,
    /// The question, with its answer and alternatives.
    pub question: Question,
}

/// A question of the language with the answer that was given and those that were not.
#[derive(Clone, Debug)]
pub enum Question {
    /// The program branched; one side was taken.
    Branch {
        /// The side that was taken.
        taken: u32,
        /// All sides, in the order of the language.
        sides: Vec<Alternative>,
    },
    /// A value that cannot be followed: the path goes on with this one, for inputs that have it.
    Value {
        /// The term whose value was asked for.
        term: Term,
        /// The value that the inputs give the term.
        value: Value,
    },
    /// Something must hold. It did, or the path has ended in the violation.
    Required {
        /// Whether the condition held on these inputs.
        held: bool,
        /// The decision of the path on which it fails.
        fails: Decision,
        /// The violation to report where the condition is false.
        violation: Box<Violation>,
    },
    /// Only inputs matter of which this holds. It did, or the path was dropped.
    Assumed {
        /// Whether the condition held on these inputs.
        held: bool,
        /// The decision of the path on which it fails.
        fails: Decision,
    },
}

/// How a path goes on from a question.
#[derive(Clone, PartialEq, Debug)]
pub enum Onward {
    /// The path goes on by taking this decision.
    Decided(Decision),
    /// Past a condition that holds, of which the name of a path says nothing; where it fails, this is decided.
    Past(Decision),
}

/// An answer to a question that the path did not give.
#[derive(Clone, Debug)]
pub struct Other {
    /// The condition, of sort Bool, on inputs that give this answer.
    pub cond: Term,
    /// How the paths of such inputs go on.
    pub onward: Onward,
    /// The label of the side in pictures.
    pub label: AlternativeLabel,
}

impl Passed {
    /// How the path itself goes on.
    pub fn onward(&self) -> Onward {
        match &self.question {
            Question::Branch { taken, .. } => Onward::Decided(Decision::Alternative(*taken)),
            Question::Value { value, .. } => Onward::Decided(Decision::Is(value.clone())),
            Question::Required { held, fails, .. } | Question::Assumed { held, fails } => match held {
                true => Onward::Past(fails.clone()),
                false => Onward::Decided(fails.clone()),
            },
        }
    }

    /// The side that was taken, in a word.
    pub fn side(&self) -> String {
        let label = match &self.question {
            Question::Branch { taken, sides } => sides.get(*taken as usize).map(|it| it.label.clone()),
            Question::Value { value, .. } => value.text().map(|it| AlternativeLabel::Case(it.into())),
            Question::Required { held: true, .. } | Question::Assumed { held: true, .. } => {
                Some(AlternativeLabel::True)
            }
            Question::Required { held: false, violation, .. } => Some(AlternativeLabel::Case(violation.kind.0.into())),
            Question::Assumed { held: false, .. } => Some(AlternativeLabel::False),
        };
        label.map_or_else(String::new, |it| it.text().to_owned())
    }

    /// The answers that the path did not give. What was assumed has none: where it fails, the run is of no interest.
    pub fn others(&self, terms: &Terms) -> Vec<Other> {
        match &self.question {
            Question::Branch { taken, sides } => {
                let others = sides.iter().enumerate().filter(|it| it.0 as u32 != *taken);
                let other = |(at, side): (usize, &Alternative)| Other {
                    cond: side.cond,
                    onward: Onward::Decided(Decision::Alternative(at as u32)),
                    label: side.label.clone(),
                };
                others.map(other).collect()
            }
            Question::Value { value, .. } => vec![Other {
                cond: terms.not(self.cond),
                onward: Onward::Decided(Decision::Not(value.clone())),
                label: AlternativeLabel::False,
            }],
            Question::Required { held: true, fails, violation } => vec![Other {
                cond: terms.not(self.cond),
                onward: Onward::Decided(fails.clone()),
                label: AlternativeLabel::Case(violation.kind.0.into()),
            }],
            Question::Required { held: false, fails, .. } => vec![Other {
                cond: terms.not(self.cond),
                onward: Onward::Past(fails.clone()),
                label: AlternativeLabel::Case("no bug".into()),
            }],
            // An assumption that fails is turned, so that a run that was dropped leads to one that was not.
            Question::Assumed { held: false, fails } => vec![Other {
                cond: terms.not(self.cond),
                onward: Onward::Past(fails.clone()),
                label: AlternativeLabel::True,
            }],
            Question::Assumed { held: true, .. } => Vec::new(),
        }
    }
}

/// A question that is about to be answered.
pub(crate) struct Standing {
    place: Place,
    decided: usize,
    fails: Decision,
    asked: Step,
}

impl Standing {
    /// The path with this trail stands at `asked`.
    pub(crate) fn new(place: Place, trail: &Trail, asked: Step) -> Standing {
        Standing { place, decided: trail.decisions.len(), fails: trail.decisions.failing(), asked }
    }

    /// What was passed, after the answer; `held` says whether the path goes on from it.
    pub(crate) fn passed(self, terms: &Terms, held: bool, trail: &Trail) -> Option<Passed> {
        let (cond, question) = match (self.asked, trail.decisions.last()) {
            (Step::Branch(sides), Some(Decision::Alternative(taken))) => {
                let taken = *taken;
                (sides.get(taken as usize)?.cond, Question::Branch { taken, sides })
            }
            (Step::Value(term), Some(Decision::Is(value))) => {
                let value = value.clone();
                let cond = terms.eq(term, terms.of_value(terms.sort(term), &value));
                (cond, Question::Value { term, value })
            }
            (Step::Require { cond, violation }, _) => {
                let holds = if held { cond } else { terms.not(cond) };
                (holds, Question::Required { held, fails: self.fails, violation })
            }
            (Step::Assume(cond), _) => {
                (if held { cond } else { terms.not(cond) }, Question::Assumed { held, fails: self.fails })
            }
            _ => return None,
        };
        Some(Passed { place: self.place, decided: self.decided, cond, question })
    }
}

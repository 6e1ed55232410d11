//! What a person sees of a state: statements, variables, expressions in the language's own notation.
//!
//! Knows: the questions that a debugger, a trace or a picture asks a language. Never: how they are shown.
//! A language that implements this beside [`Language`] gets the debugger, the traces and the trees.

use crate::context::Context;
use crate::language::Language;
use crate::outcome::Place;
use effigy_term::print::PathBounds;
use effigy_term::{Symbol, Term, Terms, Value};
use std::sync::Arc;

/// A statement, as a person counts and reads it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Statement {
    /// Its number within the procedure (PL/I: as in King's figures; C: the line).
    pub number: u32,
    /// The name of the procedure or function that contains it.
    pub procedure: Arc<str>,
    /// Its source text, trimmed, on one line; empty where it is not known.
    pub text: Arc<str>,
    /// Whether it chooses between ways on (IF, a loop's test), by its syntax.
    pub branches: bool,
    /// The place of the statement in the source.
    pub place: Place,
}

/// A variable that is in scope, with its value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// Its name in the source.
    pub name: Arc<str>,
    /// Its value in the state that is inspected.
    pub value: VariableValue,
}

/// The value of a variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum VariableValue {
    /// Declared and not initialised: King's `?`.
    Uninitialised,
    /// A formula over the inputs.
    Term(Term),
    /// Something that is not one formula (an array, a pointer, a structure), in the language's notation.
    Text(String),
    /// The same with formulas between the texts, which are shown on the path where the value is.
    Composite(Vec<ValuePart>),
}

/// A part of a composite value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ValuePart {
    /// Text in the language's notation: braces, names of members, constants.
    Text(String),
    /// A formula over the inputs.
    Term(Term),
}

impl VariableValue {
    /// The value of these parts: neighbouring texts become one; a text alone is a text, a formula alone a formula.
    pub fn composite(parts: impl IntoIterator<Item = ValuePart>) -> VariableValue {
        let mut res: Vec<ValuePart> = Vec::new();
        for part in parts {
            match (res.last_mut(), part) {
                (Some(ValuePart::Text(before)), ValuePart::Text(text)) => before.push_str(&text),
                (_, part) => res.push(part),
            }
        }
        match &mut res[..] {
            [] => VariableValue::Text(String::new()),
            [ValuePart::Text(text)] => VariableValue::Text(std::mem::take(text)),
            [ValuePart::Term(term)] => VariableValue::Term(*term),
            _ => VariableValue::Composite(res),
        }
    }

    /// The formulas in the value, in the order in which they are shown.
    pub fn terms(&self) -> Vec<Term> {
        match self {
            VariableValue::Uninitialised | VariableValue::Text(_) => Vec::new(),
            VariableValue::Term(term) => vec![*term],
            VariableValue::Composite(parts) => {
                let term = |it: &ValuePart| match it {
                    ValuePart::Term(term) => Some(*term),
                    ValuePart::Text(_) => None,
                };
                parts.iter().filter_map(term).collect()
            }
        }
    }

    /// The value as text, with each formula as `show` writes it; `None` where it is not initialised.
    pub fn text(&self, mut show: impl FnMut(Term) -> String) -> Option<String> {
        match self {
            VariableValue::Uninitialised => None,
            VariableValue::Text(text) => Some(text.clone()),
            VariableValue::Term(term) => Some(show(*term)),
            VariableValue::Composite(parts) => {
                let text = |it: &ValuePart| match it {
                    ValuePart::Text(text) => text.clone(),
                    ValuePart::Term(term) => show(*term),
                };
                Some(parts.iter().map(text).collect())
            }
        }
    }
}

/// The variables that hold one formula each, with the formula.
pub fn formulas_of(variables: Vec<Variable>) -> Vec<(Arc<str>, Term)> {
    let formula = |it: Variable| match it.value {
        VariableValue::Term(term) => Some((it.name, term)),
        _ => None,
    };
    variables.into_iter().filter_map(formula).collect()
}

/// Where a path stands, as exactly as it takes to tell how a condition came out.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Standing {
    /// The number of the procedure, as the language counts.
    pub procedure: u32,
    /// The number of the place in the procedure.
    pub position: u32,
    /// The number of calls in progress.
    pub depth: u32,
}

/// What a language knows of the condition on a line of its source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Conditional {
    /// The line has no statement that is executed.
    NoStatement,
    /// The line has statements, but no condition.
    NoCondition,
    /// It cannot be told which of several conditions an outcome is of.
    Ambiguous,
    /// [`Inspect::outcome`] says how it comes out.
    One,
}

/// Why a text that the user typed could not be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum InspectError {
    /// The text could not be parsed.
    #[error("{message}")]
    Syntax {
        /// The message: what was expected, or what is wrong.
        message: String,
        /// The offset of the error in the text, in characters from zero.
        column: usize,
    },
    /// There is no such variable, procedure, or it has no value.
    #[error("{0}")]
    Meaning(String),
    /// The language does not offer this operation, which is named.
    #[error("{0} is not possible in this language")]
    Unsupported(&'static str),
}

/// A language whose states can be looked at and changed by a person.
pub trait Inspect: Language {
    /// The statement that is executed next.
    fn statement(&self, state: &Self::State) -> Statement;

    /// How many statements this path has finished, as far as the language counts them. Two states of one path that
    /// stand before different executions of a statement differ in this, in the statement or in the depth of calls.
    fn clock(&self, state: &Self::State) -> u64;

    /// The number of calls in progress; 1 in the outermost procedure, 0 when the program has ended.
    fn depth(&self, state: &Self::State) -> usize;

    /// All statements that can be executed, in the order of the source: for listings, breakpoints and completion.
    fn statements(&self) -> Vec<Statement>;

    /// The variables of the innermost procedure that are in scope, in the order in which they are to be shown.
    fn variables(&self, ctx: &mut Context<'_>, state: &Self::State) -> Vec<Variable>;

    /// The value of an expression or condition of the language in `state`. A formula of sort Bool is a condition.
    fn evaluate(&self, ctx: &mut Context<'_>, state: &Self::State, text: &str) -> Result<Term, InspectError>;

    /// What an expression is in `state`, for a person: what is no formula (an array, a structure) can be shown too.
    fn describe(&self, ctx: &mut Context<'_>, state: &Self::State, text: &str) -> Result<VariableValue, InspectError> {
        self.evaluate(ctx, state, text).map(VariableValue::Term)
    }

    /// Gives the variable (or array element) `target` the value of the expression `value`.
    fn assign(
        &self,
        ctx: &mut Context<'_>,
        state: &mut Self::State,
        target: &str,
        value: &str,
    ) -> Result<(), InspectError>;

    /// The start of a call that the user typed (`SEARCH(A, 1, 5, "X", FOUND, J)`).
    fn call(&self, ctx: &mut Context<'_>, text: &str) -> Result<Self::State, InspectError>;

    /// The results of a path that has ended, by name: what it returned, output parameters, what it wrote.
    fn results(&self, ctx: &mut Context<'_>, state: &Self::State) -> Vec<Variable>;

    /// The variables of the outermost procedure that a person still knows when the program has ended.
    fn variables_at_end(&self, ctx: &mut Context<'_>, state: &Self::State) -> Vec<Variable> {
        self.variables(ctx, state)
    }

    /// Where a program that has ended stands, as a person counts it (C: the line of the brace that closes the function);
    /// `None` where that is no place of its own.
    fn end(&self, state: &Self::State) -> Option<Statement> {
        let _ = state;
        None
    }

    /// Where a path stands; `None` where the language does not tell conditions apart.
    fn standing(&self, state: &Self::State) -> Option<Standing> {
        let _ = state;
        None
    }

    /// How the condition of a statement came out between two standings that are one transition apart, as the source has
    /// it (`if (!x)` holds where x is zero); `None` where none came out there.
    fn outcome(&self, from: Standing, to: Standing) -> Option<bool> {
        let _ = (from, to);
        None
    }

    /// What is known of the condition on a line; `is_file` says whether a file is meant.
    fn conditional(&self, is_file: &dyn Fn(&str) -> bool, line: u32) -> Conditional {
        let _ = (is_file, line);
        Conditional::NoStatement
    }

    /// Whether the path may still come to a line, that on which it stands included; `true` where that is not known.
    fn may_come_to(&self, state: &Self::State, is_file: &dyn Fn(&str) -> bool, line: u32) -> bool {
        let _ = (state, is_file, line);
        true
    }

    /// The number that the program got from outside last.
    fn latest_input(&self, state: &Self::State) -> Option<Term> {
        let _ = state;
        None
    }

    /// Whether the calls on a line that return something all return what the program gets from outside, and there are
    /// such; `false` where that is not known.
    fn returns_inputs(&self, is_file: &dyn Fn(&str) -> bool, line: u32) -> bool {
        let _ = (is_file, line);
        false
    }

    /// The number of times that the program has got something from outside.
    fn inputs(&self, state: &Self::State) -> usize {
        let _ = state;
        0
    }

    /// The result that a conjunct of φ is about, where all that it says is that an operation has one (a signed sum of C
    /// does not overflow): it is not shown beside a condition on that result, which says it too.
    fn defined(&self, terms: &Terms, cond: Term) -> Option<Term> {
        let _ = (terms, cond);
        None
    }

    /// Whether a path was given up in silence since another does the same: the same moves in another order.
    fn is_redundant(&self, state: &Self::State) -> bool {
        let _ = state;
        false
    }

    /// The thread that moves next, where there are several: `thread 1`. A choice between them is no condition.
    fn mover(&self, state: &Self::State) -> Option<String> {
        let _ = state;
        None
    }

    /// The name that a person knows for a value that a question was answered by: the function at an address. `None` where
    /// the value is a number.
    fn name_of_value(&self, value: &Value) -> Option<String> {
        let _ = value;
        None
    }

    /// Whether a symbol is a name of the language for one value (nil, the first object that was created), and so no input.
    fn is_named_value(&self, terms: &Terms, symbol: Symbol) -> bool {
        let _ = (terms, symbol);
        false
    }

    /// What the path condition says beyond the program's own branches: assumptions that a report tells once, and not in
    /// every path condition.
    fn assumptions(&self, state: &Self::State) -> Vec<Term> {
        let _ = state;
        Vec::new()
    }

    /// A formula in the notation of the language.
    fn show(&self, terms: &Terms, term: Term) -> String;

    /// A formula in the notation of the language on a path, where a sum that the path does not let overflow is written
    /// as one that must not. For a language whose sums are those of mathematics it is [`Inspect::show`].
    fn show_on(&self, terms: &Terms, term: Term, path: &PathBounds) -> String {
        let _ = path;
        self.show(terms, term)
    }

    /// The names that a user may type, for completion: procedures and, in a state, variables.
    fn names(&self, state: Option<&Self::State>) -> Vec<Arc<str>>;
}

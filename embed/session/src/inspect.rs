//! What a person sees of a closure: the lines on which it asks, and its inputs.
//!
//! Knows: a question is a statement; its text is the line of the source. Never: the values of the program's variables,
//! which are in its own memory.

use crate::kind::Kind;
use crate::language::{Program, Stands, State};
use crate::question::Question;
use crate::run;
use effigy_engine::{Context, Inspect, InspectError, Place, Statement, Variable, VariableValue};
use effigy_term::print::{Dialect, PathBounds, machine, machine_on};
use effigy_term::{Symbol, Term, Terms};
use std::sync::Arc;

impl<F: FnMut()> Inspect for Program<F> {
    fn statement(&self, state: &State) -> Statement {
        let Place { file, line, .. } = &state.place;
        let question = match &state.stands {
            Stands::Before => return Statement::default(),
            Stands::Asks(question, ..) => Some(question),
            Stands::Answered(question) => Some(question),
            Stands::Ended(_) => None,
        };
        let text = self.sources.line(file, *line);
        let text = match question {
            Some(question) if text.is_empty() => run::text(self.terms(), question).into(),
            Some(_) => text,
            None if text.is_empty() => "end".into(),
            None => text,
        };
        Statement {
            number: *line,
            procedure: Arc::clone(&self.name),
            text,
            branches: matches!(question, Some(Question::Decide(..))),
            place: state.place.clone(),
        }
    }

    fn clock(&self, state: &State) -> u64 {
        state.clock
    }

    fn depth(&self, state: &State) -> usize {
        usize::from(!matches!(state.stands, Stands::Ended(_)))
    }

    /// No statement is known before the run has reached it.
    fn statements(&self) -> Vec<Statement> {
        Vec::new()
    }

    /// The inputs that the run has asked for so far.
    fn variables(&self, ctx: &mut Context<'_>, state: &State) -> Vec<Variable> {
        let input = |(name, _, symbol): &(String, Kind, Symbol)| Variable {
            name: name.as_str().into(),
            value: VariableValue::Term(ctx.terms.of_symbol(*symbol)),
        };
        state.symbols.iter().map(input).collect()
    }

    fn evaluate(&self, ctx: &mut Context<'_>, state: &State, text: &str) -> Result<Term, InspectError> {
        let text = text.trim();
        let known = state.symbols.iter().find(|it| it.0 == text);
        let (_, _, symbol) = known.ok_or_else(|| InspectError::Meaning(format!("there is no input {text}")))?;
        Ok(ctx.terms.of_symbol(*symbol))
    }

    fn assign(&self, _: &mut Context<'_>, _: &mut State, _: &str, _: &str) -> Result<(), InspectError> {
        Err(InspectError::Unsupported("an assignment"))
    }

    fn call(&self, _: &mut Context<'_>, _: &str) -> Result<State, InspectError> {
        Err(InspectError::Unsupported("a call"))
    }

    /// What was noted on the path.
    fn results(&self, _: &mut Context<'_>, state: &State) -> Vec<Variable> {
        let note = |(at, text): (usize, &String)| Variable {
            name: format!("note {}", at + 1).into(),
            value: VariableValue::Text(text.clone()),
        };
        state.notes.iter().enumerate().map(note).collect()
    }

    fn show(&self, terms: &Terms, term: Term) -> String {
        machine(terms, Dialect::Rust, term)
    }

    fn show_on(&self, terms: &Terms, term: Term, path: &PathBounds) -> String {
        machine_on(terms, Dialect::Rust, term, path)
    }

    fn names(&self, state: Option<&State>) -> Vec<Arc<str>> {
        state.into_iter().flat_map(|it| it.symbols.iter()).map(|it| it.0.as_str().into()).collect()
    }
}

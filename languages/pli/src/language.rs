//! A program as a transition system: the implementation of [`Language`].
//!
//! Knows: that a program begins, steps (`step`), is answered, has a place and a witness. Never: what statements do.

use crate::program::Program;
use crate::state::State;
use crate::step;
use effigy_engine::{Context, Input, InputData, Language, Place, Resolution, Step, Witness};
use effigy_term::eval::Evaluator;
use effigy_term::{Model, Node, Value};
use std::fmt::Write;

impl Language for Program {
    type State = State;

    fn start(&self, _ctx: &mut Context<'_>) -> State {
        self.start_of(&self.call)
    }

    fn step(&self, ctx: &mut Context<'_>, state: &mut State, fuel: &mut u64) -> Step {
        step::step(self, ctx, state, fuel)
    }

    fn answer(&self, state: &mut State, resolution: Resolution) {
        state.answers.push(resolution);
        state.asked = None;
    }

    fn place(&self, state: &State) -> Place {
        self.place_of(state)
    }

    fn witness(&self, ctx: &Context<'_>, state: &State, model: &Model) -> Witness {
        let terms = ctx.terms;
        let mut evaluator = Evaluator::new(terms, model);
        let mut inputs = Vec::new();
        for &input in state.inputs.iter() {
            let Node::Symbol(symbol) = terms.node(input) else { continue };
            let name = terms.symbol_info(*symbol).name.to_string();
            let data = evaluator.value(input).map_or_else(String::new, |it| value_text(&it));
            inputs.push(Input { name, data: InputData::Scalar(data) });
        }
        let written =
            state.output.iter().map(|&it| evaluator.value(it).map_or_else(|| "?".to_owned(), |it| value_text(&it)));
        let output: Vec<String> = written.collect();
        Witness { inputs, output: output.join(" ").into_bytes(), exit: None, ..Witness::default() }
    }

    fn size_hint(&self, state: &State) -> usize {
        state.cells.size() * 16
    }
}

/// A value for people: `3`; an array as its elements, then the value of the others.
pub fn value_text(value: &Value) -> String {
    match value {
        Value::Int(it) => it.to_string(),
        Value::Bool(it) => it.to_string(),
        Value::Array(array) => {
            let mut res = String::from("(");
            for (index, element) in &array.entries {
                let _ = write!(res, "{}: {}, ", value_text(index), value_text(element));
            }
            let _ = write!(res, "others: {})", value_text(&array.default));
            res
        }
        _ => "?".to_owned(),
    }
}

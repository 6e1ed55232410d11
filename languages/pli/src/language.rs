//! A program as a transition system: the implementation of [`Language`].
//!
//! Knows: that a program begins, steps (`step`), is answered, has a place and a witness. Never: what statements do.

use crate::program::Program;
use crate::state::{Cell, State};
use crate::step;
use effigy_engine::{Context, Input, InputData, Language, Place, Resolution, Step, Witness};
use effigy_term::eval::Evaluator;
use effigy_term::value::ArrayValue;
use effigy_term::{Model, Node, Value};
use num_bigint::BigInt;
use num_traits::One;
use std::fmt::Write;
use std::sync::Arc;

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
            let arrays = state.cells.values().filter_map(|it| match it {
                Cell::Array(array) if array.base == input => Some(array),
                _ => None,
            });
            // The elements are shown that it has.
            let bounds = arrays.filter_map(|it| Some((evaluator.value(it.lower)?, evaluator.value(it.upper?)?))).next();
            let data = match (evaluator.value(input), bounds) {
                (Some(Value::Array(array)), Some((Value::Int(lower), Value::Int(upper)))) => {
                    elements_text(&array, &lower, &upper)
                }
                (value, _) => value.map_or_else(String::new, |it| value_text(&it)),
            };
            inputs.push(Input::new(name, InputData::Scalar(data)));
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

/// So many elements of an array are shown one by one.
const MOST_ELEMENTS: u32 = 16;

/// The elements from `lower` to `upper`: `(3, 1, 2)`, with their subscripts where these do not begin with 1; of a longer
/// array as [`value_text`], without what is beyond its bounds.
fn elements_text(array: &ArrayValue, lower: &BigInt, upper: &BigInt) -> String {
    let extent: BigInt = upper - lower + 1;
    let Some(extent) = u32::try_from(&extent).ok().filter(|it| *it <= MOST_ELEMENTS) else {
        let within = |it: &Value| matches!(it, Value::Int(at) if at >= lower && at <= upper);
        let entries = array.entries.iter().filter(|it| within(it.0)).map(|(at, it)| (at.clone(), it.clone()));
        let array = ArrayValue { default: array.default.clone(), entries: entries.collect() };
        return value_text(&Value::Array(Arc::new(array)));
    };
    let element = |at: u32| {
        let at = lower + at;
        let value = value_text(array.select(&Value::Int(at.clone())));
        if lower.is_one() { value } else { format!("{at}: {value}") }
    };
    format!("({})", (0..extent).map(element).collect::<Vec<_>>().join(", "))
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

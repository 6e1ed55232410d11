//! A solution as a model.
//!
//! Knows: which symbol, array or function each unknown belongs to. Never: whether the model satisfies anything.

use super::facts::{Facts, Head};
use super::form::Unknown;
use super::translate::{Meaning, Translator};
use effigy_term::eval::{Evaluator, default_value};
use effigy_term::model::FunctionValue;
use effigy_term::value::ArrayValue;
use effigy_term::{Model, Node, Sort, Terms, Value};
use num_bigint::BigInt;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

/// The value of an unknown in the witness, zero without one.
pub(super) fn initial(translator: &Translator, witness: &mut Evaluator<'_>, unknown: Unknown) -> i128 {
    let small = |value: Option<Value>| match value {
        Some(Value::Int(value)) => super::translate::small(&value),
        Some(Value::Bool(value)) => Some(i128::from(value)),
        _ => None,
    };
    let value = match translator.meaning(unknown) {
        Some(Meaning::Term(term)) => small(witness.value(*term)),
        Some(Meaning::Product(monomial)) => monomial.iter().try_fold(1i128, |res, &(term, exponent)| {
            res.checked_mul(small(witness.value(term))?.checked_pow(exponent)?)
        }),
        None => None,
    };
    // What is far away may not be reached from.
    value.filter(|it| it.unsigned_abs() < 1 << 64).unwrap_or(0)
}

/// The model in which the unknowns have these values.
pub(super) fn model(
    terms: &Terms,
    translator: &Translator,
    facts: &BTreeMap<Unknown, Rc<Facts>>,
    solution: &BTreeMap<Unknown, i128>,
    witness: Option<&Model>,
) -> Option<Model> {
    let mut model = Model::new();
    for (unknown, &value) in solution {
        if let Some(Meaning::Term(term)) = translator.meaning(*unknown)
            && let Node::Symbol(symbol) = terms.node(*term)
        {
            let value = if terms.sort(*term) == Sort::Bool { Value::Bool(value >= 1) } else { integer(value) };
            model.set(*symbol, value);
        }
        let Some(application) = facts.get(unknown).and_then(|it| it.application.as_ref()) else { continue };
        let value_of = |it: Unknown| solution.get(&it).copied();
        let arguments: Option<Vec<Value>> =
            application.arguments.iter().map(|it| it.value(value_of).map(integer)).collect();
        let arguments = arguments?;
        match application.head {
            Head::Array(symbol) => {
                let sort = terms.symbol_info(symbol).sort;
                let array = model.get(symbol).or_else(|| witness?.get(symbol)).cloned();
                let array = array.unwrap_or_else(|| default_value(terms, sort));
                model.set(symbol, with_element(&array, &arguments, integer(value))?);
            }
            Head::Function(function) => {
                let known = model.function(function).or_else(|| witness?.function(function)).cloned();
                let mut known = known.unwrap_or_else(|| {
                    let default = default_value(terms, terms.function_info(function).result);
                    FunctionValue { default, entries: BTreeMap::new() }
                });
                known.entries.insert(arguments, integer(value));
                model.set_function(function, known);
            }
        }
    }
    Some(model)
}

fn integer(value: i128) -> Value {
    Value::Int(BigInt::from(value))
}

/// The array, perhaps of arrays, with one element replaced.
fn with_element(array: &Value, indices: &[Value], element: Value) -> Option<Value> {
    let Some((first, rest)) = indices.split_first() else { return Some(element) };
    let Value::Array(array) = array else { return None };
    let below = with_element(array.select(first), rest, element)?;
    let ArrayValue { default, mut entries } = (**array).clone();
    if below == default {
        entries.remove(first);
    } else {
        entries.insert(first.clone(), below);
    }
    Some(Value::Array(Arc::new(ArrayValue { default, entries })))
}

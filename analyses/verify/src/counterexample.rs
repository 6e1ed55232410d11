//! Values for which a goal does not hold, in the program's own words.
//!
//! Knows: what variables and fields are called, which of them a goal speaks of, and whether what is shown agrees with what
//! the member assumes. Never: where a model comes from.
//!
//! The words are those of the member that is verified: a callee's parameters have no values that its caller knows by name.

mod assumed;

use crate::failure::Failure;
use crate::machine::{Machine, Scene};
use crate::state::Env;
use effigy_contracts::program::{Type, VarId};
use effigy_heap::heap::Resource;
use effigy_term::eval::Evaluator;
use effigy_term::{Symbol, Term, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// The most values that are read from a model.
const MOST_SHOWN: usize = 12;

/// What a model makes of a term.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Meant {
    /// As the program writes it.
    Constant(String),
    /// An element of a sort without literals, by a name that only tells it from others.
    Element(String),
    /// Nothing that can be told in a word.
    Unsaid,
}

/// A variable, or a field of something, with its value.
struct Named {
    name: String,
    typ: Type,
    term: Term,
    value: Meant,
}

impl<'a, 't> Machine<'a, 't> {
    /// Adds values of what the goal speaks of, in a model in which it does not hold: one that is found without the
    /// solver, or the solver's if that is asked for.
    pub(crate) fn with_counterexample(
        &mut self,
        mut failure: Box<Failure>,
        scene: &Scene<'_, 'a>,
        goal: Term,
    ) -> Box<Failure> {
        if scene.mode.trying || self.merging {
            return failure;
        }
        let env = self.own_store(scene);
        let variables: Vec<(VarId, Term)> =
            (0..env.table.len() as u32).filter_map(|at| Some((VarId(at), env.get(VarId(at))?))).collect();
        let null = self.vocabulary.null(self.terms);
        // Where an expression looks into a predicate, or into the past, what is held now comes first.
        let now = self.store_heap.clone();
        let chunks = now.iter().chain(scene.heap.iter());
        let chunks: Vec<_> = chunks.filter(|it| matches!(it.resource, Resource::Field(_))).collect();
        let mut wanted: Vec<Term> = vec![null];
        wanted.extend(variables.iter().map(|it| it.1));
        wanted.extend(chunks.iter().flat_map(|it| [it.args[0], it.value]));
        let Some(values) = self.values_against(goal, &wanted) else { return failure };
        let meant: FxHashMap<Term, Meant> = wanted.into_iter().zip(values).collect();
        let value = |term: Term| meant.get(&term).cloned().unwrap_or(Meant::Unsaid);

        let mut named: Vec<Named> = Vec::new();
        for (id, term) in variables {
            let info = &env.table[id.index()];
            named.push(Named { name: info.name.to_string(), typ: info.typ.clone(), term, value: value(term) });
        }
        // Fields of what has a name, then fields of what these hold.
        let mut rest = chunks;
        while let Some(at) = rest.iter().position(|it| owner(&named, &value(it.args[0])).is_some()) {
            let chunk = rest.remove(at);
            let (Resource::Field(field), Some(of)) = (chunk.resource, owner(&named, &value(chunk.args[0]))) else {
                continue;
            };
            let info = &self.program.fields[field.index()];
            let field = info.name.rsplit('.').next().unwrap_or(&info.name);
            let name = format!("{of}.{field}");
            let term = chunk.value;
            if !named.iter().any(|it| it.name == name) {
                named.push(Named { name, typ: info.typ.clone(), term, value: value(term) });
            }
        }
        let entry = self.values_at_entry(&env, &value, &value(null));
        if self.entry.0.iter().any(|it| assumed::truth(it, &entry) == Some(false)) {
            failure.undecided = Some("the values that were found contradict what is assumed".into());
            return failure;
        }
        let spoken = self.spoken_of(goal);
        named.retain(|it| self.terms.symbols(it.term).iter().any(|it| spoken.contains(it)));
        failure.counterexample = shown(&named, &value(null)).into_iter().take(MOST_SHOWN).collect();
        failure
    }

    /// The store of the member that is verified, with what the expression binds, if the expression is its own.
    fn own_store(&self, scene: &Scene<'_, 'a>) -> Env<'a> {
        let own = &self.store;
        let extends = std::ptr::eq(own.table, scene.env.table)
            && (0..own.table.len() as u32)
                .map(VarId)
                .all(|it| own.get(it).is_none_or(|value| scene.env.get(it) == Some(value)));
        if extends { scene.env.clone() } else { own.clone() }
    }

    /// What the variables are that still have the values with which the member was entered.
    fn values_at_entry(
        &self,
        env: &Env<'a>,
        value: &dyn Fn(Term) -> Meant,
        null: &Meant,
    ) -> Vec<Option<assumed::Known>> {
        let known = |at: u32| {
            let term = self.entry.1.get(VarId(at)).filter(|&it| env.get(VarId(at)) == Some(it))?;
            match value(term) {
                it if it == *null => Some(assumed::Known::Null),
                Meant::Constant(text) => assumed::Known::of_text(&text),
                Meant::Element(name) => Some(assumed::Known::Object(name)),
                Meant::Unsaid => None,
            }
        };
        (0..self.entry.1.table.len() as u32).map(known).collect()
    }

    /// The values of terms in a model in which what is assumed holds and the goal does not.
    fn values_against(&mut self, goal: Term, wanted: &[Term]) -> Option<Vec<Meant>> {
        if let Some(model) = self.prover.countermodel(self.terms, goal, wanted) {
            let mut evaluator = Evaluator::new(self.terms, &model);
            return Some(wanted.iter().map(|&it| of_value(evaluator.value(it))).collect());
        }
        if !self.config.counterexample {
            return None;
        }
        let texts = self.prover.counterexample(self.terms, goal, wanted)?;
        Some(texts.iter().map(|it| of_text(it)).collect())
    }

    /// What the goal, and the branches that lead to it, are about.
    fn spoken_of(&self, goal: Term) -> FxHashSet<Symbol> {
        let null = self.terms.symbols(self.vocabulary.null(self.terms)).to_vec();
        let formulas = self.conditions().chain([goal]);
        let all = formulas.flat_map(|it| self.terms.symbols(it).to_vec());
        all.filter(|it| !null.contains(it)).collect()
    }
}

/// The first name of an object.
fn owner(named: &[Named], object: &Meant) -> Option<String> {
    let Meant::Element(_) = object else { return None };
    named.iter().find(|it| it.typ == Type::Ref && it.value == *object).map(|it| it.name.clone())
}

/// Names and values as the program would write them. An object is told by its number, and only where it has several
/// names; the numbers are given as objects come.
fn shown(named: &[Named], null: &Meant) -> Vec<(Arc<str>, String)> {
    let mut numbers: Vec<&Meant> = Vec::new();
    let mut res: Vec<(Arc<str>, String)> = Vec::new();
    let names = |value: &Meant| named.iter().filter(|it| it.typ == Type::Ref && it.value == *value).count();
    for it in named {
        let text = match &it.value {
            Meant::Constant(text) => text.clone(),
            value if it.typ == Type::Ref && value == null => "null".to_owned(),
            value @ Meant::Element(_) if it.typ == Type::Ref && names(value) > 1 => {
                let at = numbers.iter().position(|it| *it == value).unwrap_or_else(|| {
                    numbers.push(value);
                    numbers.len() - 1
                });
                format!("object {}", at + 1)
            }
            _ => continue,
        };
        if !res.iter().any(|known| *known.0 == *it.name) {
            res.push((it.name.as_str().into(), text));
        }
    }
    res
}

fn of_value(value: Option<Value>) -> Meant {
    match value {
        Some(Value::Bool(it)) => Meant::Constant(it.to_string()),
        Some(Value::Int(it)) => Meant::Constant(it.to_string()),
        Some(Value::Real(it)) => Meant::Constant(it.to_string()),
        Some(Value::Element(it)) => Meant::Element(it.to_string()),
        _ => Meant::Unsaid,
    }
}

/// What a solver prints: `(- 3)`, `(/ 1.0 2.0)`, `true`, `Ref!val!1`.
fn of_text(text: &str) -> Meant {
    if text.contains("!val!") {
        return Meant::Element(text.to_owned());
    }
    if matches!(text, "true" | "false") {
        return Meant::Constant(text.to_owned());
    }
    let negative = text.contains('-');
    let words: Vec<&str> = text.split(['(', ')', ' ', '-', '/']).filter(|it| !it.is_empty()).collect();
    let numbers: Vec<&str> = words.iter().map(|it| it.strip_suffix(".0").unwrap_or(it)).collect();
    let plain = |it: &&str| it.chars().all(|c| c.is_ascii_digit());
    if numbers.is_empty() || numbers.len() > 2 || !numbers.iter().all(plain) {
        return Meant::Unsaid;
    }
    let sign = if negative { "-" } else { "" };
    Meant::Constant(format!("{sign}{}", numbers.join("/")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solvers_numbers_are_the_programs() {
        let constant = |text: &str| Meant::Constant(text.to_owned());
        assert_eq!(of_text("(- 3)"), constant("-3"));
        assert_eq!(of_text("(/ 1.0 2.0)"), constant("1/2"));
        assert_eq!(of_text("(- (/ 1.0 2.0))"), constant("-1/2"));
        assert_eq!(of_text("12.0"), constant("12"));
        assert_eq!(of_text("u0!Ref!val!1"), Meant::Element("u0!Ref!val!1".to_owned()));
        assert_eq!(of_text("((as const (Array Int Int)) 0)"), Meant::Unsaid);
    }
}

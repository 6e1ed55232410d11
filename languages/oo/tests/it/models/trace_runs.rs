//! Theorem 4.5: traces are executed concretely, action by action, and compared with their path conditions.
//!
//! Knows: the concrete semantics of traces (section 4, "Concrete assignment" to "Concrete Boolean test"). A state is a
//! model of the symbols that stand for the current state; terms are only evaluated.

use super::follow::{Answer, Asked, ByValuation, Decide, follow};
use super::generate::{Generator, LAYERS};
use super::harness::{Case, check};
use super::inputs;
use super::numbers::Numbers;
use super::theorems::{OTHERS, machine, model_of, run_of};
use effigy_oo::run::memory::{At, Memory};
use effigy_oo::run::program::{ClassId, Expr, Type, VarId};
use effigy_oo::run::traces::{Action, AssignedPlace, Traces};
use effigy_oo::run::vocabulary::{Family, ProgramSymbols, sort_of};
use effigy_term::eval::Evaluator;
use effigy_term::value::ArrayValue;
use effigy_term::{Model, Node, Sort, Symbol, Term, Terms, Value};
use std::cell::RefCell;
use std::sync::Arc;

/// Answers as a valuation does, but now and then otherwise: its trace may be nobody's.
struct Wrong<'a> {
    right: ByValuation<'a>,
    numbers: Numbers,
}

impl Decide for Wrong<'_> {
    fn decide(&mut self, asked: Asked<'_>) -> Result<Answer, String> {
        let test = matches!(asked, Asked::Test(_));
        let random = self.numbers.once_in(2);
        // Behind a wrong answer a condition may have no value.
        match self.right.decide(asked) {
            Ok(Answer::Test(holds)) if self.numbers.once_in(6) => Ok(Answer::Test(!holds)),
            Ok(answer @ (Answer::Thread(..) | Answer::Test(_))) => Ok(answer),
            _ if test => Ok(Answer::Test(random)),
            Ok(Answer::Assumed(_)) => Ok(Answer::Assumed(true)),
            Ok(Answer::Required(holds)) => Ok(Answer::Required(holds || self.numbers.below(4) > 0)),
            Err(_) => Ok(Answer::Required(true)),
        }
    }
}

/// ⟨V, ρ⟩: the state, as a model.
struct Running<'a> {
    case: &'a Case,
    terms: &'a Terms,
    words: &'a ProgramSymbols,
    state: Model,
}

impl Running<'_> {
    fn value(&self, term: Term) -> Option<Value> {
        Evaluator::new(self.terms, &self.state).value(term)
    }

    fn symbol(&self, term: Term) -> Option<Symbol> {
        match *self.terms.node(term) {
            Node::Symbol(symbol) => Some(symbol),
            _ => None,
        }
    }

    /// One action; whether there is a next state.
    fn step(&mut self, action: &Action) -> Option<()> {
        let holds = |value: Option<Value>| value.filter(|it| *it == Value::Bool(true)).map(|_| ());
        match *action {
            Action::Test(cond) => holds(self.value(cond)),
            Action::Assign { place, value, defined } => {
                holds(self.value(defined))?;
                let value = self.value(value)?;
                match place {
                    AssignedPlace::Variable(symbol) => self.state.set(symbol, value),
                    AssignedPlace::Element(family, key) => {
                        let first = self.value(key.first)?;
                        let second = match key.second {
                            Some(second) => Some(self.value(second)?),
                            None => None,
                        };
                        self.update(family, first, second, value)?;
                    }
                }
                Some(())
            }
            Action::New(symbol, class) => {
                let new = self.state.get(symbol)?.clone();
                let program = &self.case.program;
                for field in &program.class(class).fields {
                    let sort = sort_of(self.terms, self.words.object, &program.field(*field).typ);
                    let default = self.value(self.words.default_of(self.terms, sort))?;
                    self.update(Family::Field(*field), new.clone(), None, default)?;
                }
                for (var, variable) in (0..).map(VarId).zip(&program.variables) {
                    if let Type::Map(map) = &variable.typ
                        && map.index == Type::Object(class)
                    {
                        let sort = sort_of(self.terms, self.words.object, &map.element);
                        let default = self.value(self.words.default_of(self.terms, sort))?;
                        self.update(Family::Map(var), new.clone(), None, default)?;
                    }
                }
                if let Some(element) = &program.class(class).element {
                    let element = sort_of(self.terms, self.words.object, element);
                    let row = self.words.default_of(self.terms, self.terms.array_sort(Sort::Int, element));
                    let row = self.value(row)?;
                    self.update(Family::Items(class), new, None, row)?;
                }
                Some(())
            }
        }
    }

    fn update(&mut self, family: Family, first: Value, second: Option<Value>, value: Value) -> Option<()> {
        let base = self.words.base(family)?;
        let Value::Array(array) = self.value(base)? else { return None };
        let value = match second {
            None => value,
            Some(second) => {
                let Value::Array(row) = array.select(&first) else { return None };
                updated(row, second, value)
            }
        };
        self.state.set(self.symbol(base)?, updated(&array, first, value));
        Some(())
    }
}

fn updated(array: &ArrayValue, at: Value, value: Value) -> Value {
    let mut array = array.clone();
    if value == array.default {
        array.entries.remove(&at);
    } else {
        array.entries.insert(at, value);
    }
    Value::Array(Arc::new(array))
}

/// ⟨V, ρ⟩ →* ε iff V(path(ρ)) = true; and then V'(e) = V(e[...]), the substitutions of all of ρ.
fn theorem(case: &Case, feasible: &RefCell<[usize; 2]>) -> Result<(), String> {
    let (terms, machine) = (Terms::new(), machine(case, Traces::default()));
    let words = super::theorems::words(case, &terms);
    let models: Vec<Model> = (0..=OTHERS)
        .map(|number| match number {
            0 => case.valuation.clone(),
            _ => inputs::changed(&case.program, &case.valuation, case.seed * OTHERS + number),
        })
        .map(|it| {
            // Enough new objects for any path.
            let mut run = run_of(case, &it);
            (0..case.moves).for_each(|_| {
                run.valuation.heap.create(ClassId(0));
            });
            model_of(case, &terms, &it, &run)
        })
        .collect();
    let right = ByValuation::new(&terms, &models[0], &case.schedule);
    let path = follow(&machine, &terms, &mut Wrong { right, numbers: Numbers::new(case.seed) }, case.moves)?;
    let translation = machine.translation(&terms, &path.state);
    let condition = path.state.memory.condition(translation).ok_or("traces have path conditions")?;
    let mut actions: Vec<Action> = path.state.memory.actions().copied().collect();
    actions.reverse();
    for model in &models {
        let mut running = Running { case, terms: &terms, words: &words, state: model.clone() };
        let ends = actions.iter().all(|it| running.step(it).is_some());
        let holds = Evaluator::new(&terms, model).truth(condition) == Some(true);
        if ends != holds {
            return Err(format!("that ρ runs to its end is {ends}, its path condition {holds}"));
        }
        feasible.borrow_mut()[usize::from(holds)] += 1;
        if !holds {
            continue;
        }
        let mut random = Generator::over(&case.program, case.seed);
        for _ in 0..4 {
            let types = random.types();
            let Some(typ) = random.numbers.one_of(&types).cloned() else { continue };
            let expr = random.expr(&typ, 2);
            let at = At { translation, instance: 0 };
            let behind = running.value(path.state.memory.shown(at, &expr));
            let before = Evaluator::new(&terms, model).value(path.state.memory.value(at, &expr));
            if behind.is_some() && before.is_some() && behind != before && is_defined(case, &running, &expr) {
                let text = case.program.show(&expr);
                return Err(format!("behind ρ {text} is {behind:?}, by substitution {before:?}"));
            }
        }
    }
    Ok(())
}

/// Whether an expression over the state has a value: no nil in it is dereferenced, and no bound exceeded.
fn is_defined(case: &Case, running: &Running<'_>, expr: &Expr) -> bool {
    let last = inputs::valuation_of(running.terms, &case.program, running.words, &running.state);
    let locals = Default::default();
    last.is_some_and(|it| effigy_oo::run::concrete::evaluate(&case.program, case.semantics, &it, &locals, expr).is_ok())
}

#[test]
fn theorem_4_5_a_trace_runs_to_its_end_iff_its_path_condition_holds() {
    let feasible = RefCell::new([0, 0]);
    for layer in LAYERS {
        check(layer, 250, &|case| theorem(case, &feasible));
    }
    let [no, yes] = feasible.into_inner();
    assert!(no > yes / 8 && yes > no / 8, "{no} {yes}");
}

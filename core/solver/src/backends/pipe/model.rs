//! Models as the solver tells them.
//!
//! Knows: which values are asked for. Never: the query that they satisfy.
//!
//! Beside quantifiers a solver's arrays are functions with conditions in them, which no finite list of exceptions is.
//! Such an array is read at the indices that are likely to matter, and the solver is asked whether the query holds
//! for the array that is made of these elements. Elements of uninterpreted sorts have no name that the solver could be
//! asked with: whether such a model is one is left to the layer `validate`.

use super::process::Process;
use super::{Trouble, parse_values};
use effigy_term::eval::Evaluator;
use effigy_term::print::{SmtPrinter, sort_text, symbol_name};
use effigy_term::{Model, Node, Sort, Symbol, SymbolKind, Term, Terms, Value};
use num_bigint::BigInt;
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// So far around zero elements are read.
const WINDOW: i64 = 24;

/// More elements are not read.
const MOST_INDICES: usize = 4000;

/// A solver process that has answered sat, and the printer that declared its symbols.
pub(super) struct Conversation<'a> {
    pub(super) terms: &'a Terms,
    pub(super) process: &'a mut Process,
    pub(super) printer: &'a mut SmtPrinter,
    pub(super) patience: Duration,
    pub(super) interrupt: &'a AtomicBool,
}

/// An element of an uninterpreted sort.
struct Element {
    sort: Sort,
    /// An expression that has this value in the model.
    name: String,
    value: Value,
}

impl Conversation<'_> {
    /// The model of the last `sat`; `None` where its arrays cannot be written as values.
    pub(super) fn model(&mut self, symbols: &[Symbol], roots: &[Term]) -> Result<Option<Model>, Trouble> {
        let mut model = Model::new();
        let sort = |it: &Symbol| self.terms.symbol_info(*it).sort;
        let (arrays, scalars): (Vec<Symbol>, Vec<Symbol>) =
            symbols.iter().partition(|it| matches!(sort(it), Sort::Array(_)));
        let names: Vec<String> = scalars.iter().map(|&it| symbol_name(self.terms, it)).collect();
        let sorts: Vec<Sort> = scalars.iter().map(sort).collect();
        for (&symbol, value) in scalars.iter().zip(self.values(&names, &sorts)?) {
            model.set(symbol, value);
        }
        if arrays.is_empty() {
            return Ok(Some(model));
        }
        let names: Vec<String> = arrays.iter().map(|&it| symbol_name(self.terms, it)).collect();
        let sorts: Vec<Sort> = arrays.iter().map(|it| self.terms.symbol_info(*it).sort).collect();
        let text = self.ask(&names)?;
        if let Ok(values) = parse_values(self.terms, &text, &sorts) {
            for (&symbol, value) in arrays.iter().zip(values) {
                model.set(symbol, value);
            }
            return Ok(Some(model));
        }
        let elements = self.elements(roots)?;
        let indices = indices(self.terms, &model, roots);
        let mut far = model.clone();
        for (&symbol, &sort) in arrays.iter().zip(&sorts) {
            let name = symbol_name(self.terms, symbol);
            let Some((usual, distant)) = self.sampled(&name, sort, &indices, &elements)? else { return Ok(None) };
            model.set(symbol, usual);
            far.set(symbol, distant);
        }
        if sorts.iter().any(|it| is_uninterpreted(self.terms, *it)) {
            return Ok(Some(model));
        }
        // The shorter array is what a person wants to see, the other what the solver said.
        for model in [model, far] {
            if self.confirmed(symbols, &model)? {
                return Ok(Some(model));
            }
        }
        Ok(None)
    }

    fn ask(&mut self, expressions: &[String]) -> Result<String, Trouble> {
        self.process.send(&format!("(get-value ({}))\n", expressions.join(" ")))?;
        self.process.answer(self.patience, self.interrupt)
    }

    fn values(&mut self, expressions: &[String], sorts: &[Sort]) -> Result<Vec<Value>, Trouble> {
        if expressions.is_empty() {
            return Ok(Vec::new());
        }
        let text = self.ask(expressions)?;
        parse_values(self.terms, &text, sorts).map_err(|it| Trouble::Failed(it.to_string()))
    }

    /// The elements of uninterpreted sorts at which the query reads arrays: of which sort, how the solver is asked for
    /// each, and which it is.
    fn elements(&mut self, roots: &[Term]) -> Result<Vec<Element>, Trouble> {
        let mut met: Vec<Term> = Vec::new();
        subterms(self.terms, roots, |node| {
            if let Node::Select(_, at) | Node::Store(_, at, _) = node
                && matches!(self.terms.sort(*at), Sort::Uninterpreted(_))
                && met.len() < MOST_INDICES
                && !self.terms.symbols(*at).iter().any(|it| self.terms.symbol_info(*it).kind == SymbolKind::Bound)
            {
                met.push(*at);
            }
        });
        // Subterms of the query are defined already.
        let mut more = String::new();
        let names: Vec<String> = met.iter().map(|it| self.printer.define(self.terms, *it, &mut more)).collect();
        if !more.is_empty() {
            return Err(Trouble::Failed("an index of the query was not defined".to_owned()));
        }
        let sorts: Vec<Sort> = met.iter().map(|it| self.terms.sort(*it)).collect();
        let values = self.values(&names, &sorts)?;
        let mut res: Vec<Element> = Vec::new();
        for ((sort, name), value) in sorts.into_iter().zip(names).zip(values) {
            if !res.iter().any(|it| it.sort == sort && it.value == value) {
                res.push(Element { sort, name, value });
            }
        }
        Ok(res)
    }

    /// An array, read at `indices` or `elements`: with its most frequent element everywhere else, and, for integers, with
    /// that of the last index, which is far from the others.
    fn sampled(
        &mut self,
        array: &str,
        sort: Sort,
        indices: &[BigInt],
        elements: &[Element],
    ) -> Result<Option<(Value, Value)>, Trouble> {
        let Sort::Array(parts) = sort else { return Ok(None) };
        let (index, element) = self.terms.array_parts(parts);
        let keys: Vec<(String, Value)> = match index {
            Sort::Int => indices.iter().map(|it| (integer(it), Value::Int(it.clone()))).collect(),
            Sort::Uninterpreted(_) => {
                let own = elements.iter().filter(|it| it.sort == index);
                own.map(|it| (it.name.clone(), it.value.clone())).collect()
            }
            _ => return Ok(None),
        };
        let selects: Vec<String> = keys.iter().map(|it| format!("(select {array} {})", it.0)).collect();
        let values = if matches!(element, Sort::Array(_)) {
            let mut rows = Vec::new();
            for select in &selects {
                let Some((row, _)) = self.sampled(select, element, indices, elements)? else { return Ok(None) };
                rows.push(row);
            }
            rows
        } else {
            self.values(&selects, &vec![element; keys.len()])?
        };
        let Some(distant) = values.last().cloned() else {
            let any = effigy_term::eval::default_value(self.terms, element);
            let constant =
                Value::Array(effigy_term::value::ArrayValue { default: any, entries: BTreeMap::new() }.into());
            return Ok(Some((constant.clone(), constant)));
        };
        let mut frequency: BTreeMap<&Value, usize> = BTreeMap::new();
        values.iter().for_each(|it| *frequency.entry(it).or_default() += 1);
        let usual = frequency.iter().max_by_key(|it| it.1).map_or_else(|| distant.clone(), |it| (*it.0).clone());
        let with_default = |default: Value| {
            let elements = keys.iter().map(|it| it.1.clone()).zip(values.iter().cloned());
            let entries = elements.filter(|it| it.1 != default).collect();
            Value::Array(effigy_term::value::ArrayValue { default, entries }.into())
        };
        Ok(Some((with_default(usual), with_default(distant.clone()))))
    }

    /// Whether the assertions hold under exactly this model.
    fn confirmed(&mut self, symbols: &[Symbol], model: &Model) -> Result<bool, Trouble> {
        let mut text = String::from("(push 1)\n");
        for &symbol in symbols {
            let Some(value) = model.get(symbol) else { continue };
            // Nothing may be defined here: definitions after the query's push go with its pop.
            let Some(value) = literal(self.terms, self.terms.symbol_info(symbol).sort, value) else { return Ok(false) };
            text.push_str(&format!("(assert (= {} {value}))\n", symbol_name(self.terms, symbol)));
        }
        text.push_str("(check-sat)\n");
        self.process.send(&text)?;
        let holds = self.process.line(self.patience, self.interrupt)? == "sat";
        self.process.send("(pop 1)\n")?;
        Ok(holds)
    }
}

fn integer(value: &BigInt) -> String {
    match value.sign() {
        num_bigint::Sign::Minus => format!("(- {})", value.magnitude()),
        _ => value.to_string(),
    }
}

fn decimal(value: &BigInt) -> String {
    match value.sign() {
        num_bigint::Sign::Minus => format!("(- {}.0)", value.magnitude()),
        _ => format!("{value}.0"),
    }
}

/// A value in SMT-LIB, if it has a name there.
fn literal(terms: &Terms, sort: Sort, value: &Value) -> Option<String> {
    Some(match (value, sort) {
        (Value::Bool(it), _) => it.to_string(),
        (Value::Int(it), _) => integer(it),
        (Value::Real(it), _) => format!("(/ {} {})", decimal(it.numer()), decimal(it.denom())),
        (Value::BitVec(it), _) => format!("(_ bv{it} {})", it.width().bits()),
        (Value::Array(array), Sort::Array(parts)) => {
            let (index, element) = terms.array_parts(parts);
            let default = literal(terms, element, &array.default)?;
            let mut res = format!("((as const {}) {default})", sort_text(terms, sort));
            for (at, it) in &array.entries {
                res = format!("(store {res} {} {})", literal(terms, index, at)?, literal(terms, element, it)?);
            }
            res
        }
        _ => return None,
    })
}

/// Looks at each subterm once.
fn subterms(terms: &Terms, roots: &[Term], mut look: impl FnMut(&Node)) {
    let mut work = roots.to_vec();
    let mut seen: FxHashSet<Term> = work.iter().copied().collect();
    while let Some(next) = work.pop() {
        let node = terms.node(next);
        look(node);
        node.for_each_argument(|it| {
            if seen.insert(it) {
                work.push(it);
            }
        });
    }
}

/// Whether elements of an uninterpreted sort occur in an array's values.
fn is_uninterpreted(terms: &Terms, sort: Sort) -> bool {
    match sort {
        Sort::Uninterpreted(_) => true,
        Sort::Array(parts) => {
            let (index, element) = terms.array_parts(parts);
            is_uninterpreted(terms, index) || is_uninterpreted(terms, element)
        }
        _ => false,
    }
}

/// Around zero, around each integer of the model, where the query reads, and one far from all of them at the end.
fn indices(terms: &Terms, model: &Model, roots: &[Term]) -> Vec<BigInt> {
    let mut res: BTreeSet<BigInt> = (-2..WINDOW).map(BigInt::from).collect();
    for (_, value) in model.symbols() {
        if let Value::Int(it) = value {
            res.extend([it - 1, it.clone(), it + 1]);
        }
    }
    let mut evaluator = Evaluator::new(terms, model);
    subterms(terms, roots, |node| {
        if let Node::Select(_, at) | Node::Store(_, at, _) = node
            && res.len() < MOST_INDICES
            && let Some(Value::Int(at)) = evaluator.value(*at)
        {
            res.insert(at);
        }
    });
    let mut res: Vec<BigInt> = res.into_iter().collect();
    let far = res.last().map_or_else(BigInt::default, |it| it + 1_000);
    res.push(far);
    res
}

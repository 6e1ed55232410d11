//! The result of a statement as the program receives it: values that are concrete on this path.
//!
//! Knows: which values fork and which are witnesses. Never: how a program takes them.
//!
//! Names are certain already; a value out of few forks; of any other, one stands for all, and the verdict says so.

use crate::database::Outcome;
use crate::error::SqlError;
use crate::expression::Evaluator;
use crate::logic::{self, Compare};
use crate::scope::Name;
use crate::sentinels;
use crate::text::{self, Text};
use crate::value::{Const, Data, SentValue, Val, int};
use effigy_term::range::Ranges;
use effigy_term::truth_table::TruthTables;
use effigy_term::{Term, Value};
use std::rc::Rc;

/// Numbers of which there are no more than these are each followed.
const FEW: i128 = 32;

impl Evaluator<'_> {
    pub(crate) fn concretize(&mut self, names: &[Name], lines: Vec<Vec<Val>>) -> Result<Outcome, SqlError> {
        let mut rows = Vec::new();
        for line in lines {
            let row: Result<Vec<SentValue>, SqlError> =
                line.iter().zip(names).map(|(val, name)| self.sent(val, name)).collect();
            rows.push(row?);
        }
        Ok(Outcome {
            columns: names.iter().map(|it| it.name.to_string()).collect(),
            origins: names.iter().map(|it| it.origin.clone()).collect(),
            rows,
            unordered: false,
            changed: 0,
            last_number: self.db.last_number,
        })
    }

    /// The value as the program takes it.
    fn sent(&mut self, val: &Val, name: &Name) -> Result<SentValue, SqlError> {
        if self.is_symbolic(name) {
            let null = match val.data {
                Data::Cell(cell) => self.db.null_of(cell, self.ask),
                _ => val.null,
            };
            if self.db.decide(null, self.ask) {
                return Ok(SentValue::Certain(Const::Null));
            }
            if let Data::Int(it) = self.db.seen(val, self.ask).data {
                let plain = self.terms.as_bv(it).and_then(|it| it.to_i64());
                return Ok(plain.map_or(SentValue::Number(it), |it| SentValue::Certain(Const::Int(it))));
            }
        }
        self.certain(val, &shown(name)).map(SentValue::Certain)
    }

    fn is_symbolic(&self, name: &Name) -> bool {
        let Some((table, column)) = &name.origin else { return false };
        let table = self.db.schema.table(table).map(|it| &self.db.schema.tables[it]);
        table.and_then(|it| it.column(column).map(|at| it.columns[at].symbolic)).unwrap_or(false)
    }

    /// The value on this path.
    pub(crate) fn certain(&mut self, val: &Val, name: &str) -> Result<Const, SqlError> {
        let Data::Cell(cell) = val.data else { return self.of_terms(val, name) };
        if let Some(it) = self.db.bound(cell) {
            return Ok(it.clone());
        }
        let null = self.db.null_of(cell, self.ask);
        if self.db.decide(null, self.ask) {
            self.db.bind(cell, Const::Null);
            return Ok(Const::Null);
        }
        let value = if let Some(domain) = self.db.domain(cell, self.ask) {
            let looked = self.db.look(cell, self.ask);
            let looked = Val { null: self.terms.bool(false), ..looked };
            self.out_of(&looked, &domain)
        } else if self.ask.watches() || self.db.is_looked(cell) || self.db.is_unique_among_looked(cell) {
            let looked = self.db.look(cell, self.ask);
            let looked = Val { null: self.terms.bool(false), ..looked };
            let value = self.of_terms(&looked, name)?;
            if self.ask.watches() {
                // It is what the program has, not what the cell is.
                self.db.send(cell, value.clone());
                return Ok(value);
            }
            value
        } else {
            let bound = self.db.bind_name(cell, self.ask);
            return Ok(bound.certain(&self.terms).unwrap_or(Const::Null));
        };
        self.db.bind(cell, value.clone());
        Ok(value)
    }

    fn of_terms(&mut self, val: &Val, name: &str) -> Result<Const, SqlError> {
        let terms = Rc::clone(&self.terms);
        if self.db.decide(val.null, self.ask) {
            return Ok(Const::Null);
        }
        Ok(match &val.data {
            Data::Nothing => Const::Null,
            Data::Bool(it) => Const::Bool(self.db.decide(*it, self.ask)),
            Data::Int(it) => Const::Int(self.number(*it, name)),
            Data::Text(Text::OneOf(of)) => {
                let conds: Vec<Term> = of.iter().map(|it| it.0).collect();
                let at = self.db.among(&conds, self.ask);
                of.get(at).map_or(Const::Null, |it| Const::Text(Rc::clone(&it.1)))
            }
            Data::Text(Text::Bits(bits)) => {
                let value = self.one(*bits, name, sentinels::texts);
                match text::decode(&value) {
                    Some(it) => Const::text(&it),
                    None => return self.refuse("a text of no characters", sqlparser::tokenizer::Span::empty()),
                }
            }
            Data::Real(it) => Const::Real(*it),
            Data::Bytes(it) => Const::Bytes(Rc::clone(it)),
            Data::Cell(_) => {
                let seen = self.db.seen(val, self.ask);
                debug_assert!(!matches!(seen.data, Data::Cell(_)), "a cell that was looked at is one no more");
                return match seen.certain(&terms) {
                    Some(it) => Ok(it),
                    None => self.of_terms(&seen, name),
                };
            }
        })
    }

    /// One of these, as the path decides.
    fn out_of(&mut self, val: &Val, domain: &[Const]) -> Const {
        let terms = Rc::clone(&self.terms);
        let conds: Vec<Term> = domain
            .iter()
            .map(|it| {
                let same = logic::compare(&terms, Compare::Equal, val, &Val::of(&terms, it));
                same.map_or(terms.bool(false), |it| it.yes)
            })
            .collect();
        let at = self.db.among(&conds, self.ask);
        domain.get(at).cloned().unwrap_or(Const::Null)
    }

    /// A number out of few, such as a count, or one for all.
    fn number(&mut self, term: Term, name: &str) -> i64 {
        let terms = Rc::clone(&self.terms);
        let tables = TruthTables::new();
        let range = Ranges::new(&terms, &tables).range(term).map(|it| it.signed());
        if let Some((low, high)) = range
            && high - low < FEW
            && let (Ok(low), Ok(high)) = (i64::try_from(low), i64::try_from(high))
        {
            let conds: Vec<Term> = (low..=high).map(|it| terms.eq(term, int(&terms, it))).collect();
            return low + self.db.among(&conds, self.ask) as i64;
        }
        match self.one(term, name, sentinels::numbers) {
            Value::BitVec(it) => it.to_i64().unwrap_or(0),
            _ => 0,
        }
    }

    /// One value for all, or for all that the program is not seen to tell apart.
    fn one(&mut self, term: Term, name: &str, likely: fn(usize) -> Vec<Value>) -> Value {
        if self.ask.watches() {
            let candidates = likely(self.db.watched_term(term));
            return self.ask.watched(term, name, &candidates);
        }
        self.ask.witness(term, name)
    }
}

fn shown(name: &Name) -> String {
    match &name.origin {
        Some((table, column)) => format!("{table}.{column}"),
        None => name.name.to_string(),
    }
}

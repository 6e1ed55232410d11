//! Expressions and conditions.
//!
//! Knows: what operators mean on values with NULL. Never: where rows come from (`select`), what is written (`write`).
//! Source: SQLite, "SQL Language Expressions".

use crate::ask::Questions;
use crate::database::{Database, Outcome};
use crate::error::{Refusal, SqlError};
use crate::logic::{self, Compare, Kinds, Tri, compare};
use crate::names::{last, of_value};
use crate::scope::{Name, Rel, ResolutionError, Scope};
use crate::text::Text;
use crate::value::{Const, Data, Val, int};
use effigy_term::{Term, Terms, Width};
use sqlparser::ast::{BinaryOperator as Op, CaseWhen, Expr, InTarget, Query, Spanned, Statement, UnaryOperator, Value};
use sqlparser::tokenizer::Span;
use std::rc::Rc;

/// The evaluation of one statement on a database.
pub(crate) struct Evaluator<'a> {
    pub(crate) db: &'a mut Database,
    pub(crate) ask: &'a mut dyn Questions,
    pub(crate) sql: &'a str,
    values: &'a [Val],
    pub(crate) terms: Rc<Terms>,
    /// Rows may be equal in the order that the statement gives.
    pub(crate) ties: bool,
    /// The queries that WITH names, the innermost last; `None` while it is not known what they are.
    pub(crate) with: Vec<(String, Option<Rel>)>,
    /// Tuples that the statement has looked at, those of queries within it each time.
    pub(crate) looked_at: usize,
}

impl<'a> Evaluator<'a> {
    pub(crate) fn new(
        db: &'a mut Database,
        ask: &'a mut dyn Questions,
        sql: &'a str,
        values: &'a [Val],
    ) -> Evaluator<'a> {
        let terms = Rc::clone(&db.terms);
        Evaluator { db, ask, sql, values, terms, ties: false, with: Vec::new(), looked_at: 0 }
    }

    pub(crate) fn statement(&mut self, statement: &Statement) -> Result<Outcome, SqlError> {
        match statement {
            Statement::Query(query) => {
                let rel = self.query(query, None)?;
                let lines = self.settled(rel.lines);
                let unordered = lines.len() > 1 && (query.order_by.is_none() || self.ties);
                Ok(Outcome { unordered, ..self.concretize(&rel.names, lines)? })
            }
            Statement::Insert(it) => self.insert(it),
            Statement::Update(it) => self.update(it),
            Statement::Delete(it) => self.delete(it),
            other => self.refuse("this statement", other.span()),
        }
    }

    pub(crate) fn refuse<T>(&self, what: impl Into<String>, span: Span) -> Result<T, SqlError> {
        Err(Refusal::at(what, span, self.sql).into())
    }

    pub(crate) fn kinds<T>(&self, of: Result<T, Kinds>, expr: &Expr) -> Result<T, SqlError> {
        match of {
            Ok(it) => Ok(it),
            Err(Kinds(a, b)) => self.refuse(format!("{a} with {b}"), expr.span()),
        }
    }

    /// A CHECK of a row.
    pub(crate) fn check(&mut self, table: usize, cells: &[Val], check: &Expr) -> Result<Tri, SqlError> {
        let names = self.names_of(table, None);
        self.cond(check, &Scope::row(&names, cells, None))
    }

    /// The columns of a table, under a name that the statement gives it.
    pub(crate) fn names_of(&self, table: usize, alias: Option<&str>) -> Vec<Name> {
        let table = &self.db.schema.tables[table];
        let shown: Rc<str> = alias.map_or_else(|| Rc::clone(&table.name), Rc::from);
        let name = |it: &Rc<str>| Name {
            table: Rc::clone(&shown),
            name: Rc::clone(it),
            origin: Some((Rc::clone(&table.name), Rc::clone(it))),
        };
        table.columns.iter().map(|it| name(&it.name)).collect()
    }

    fn parameter(&self, text: &str, span: Span) -> Result<Val, SqlError> {
        let at = match text.trim_start_matches(['?', '$', ':', '@']).parse::<usize>() {
            Ok(number) => number.checked_sub(1),
            Err(_) => self.db.placeholder(self.sql, span),
        };
        match at.and_then(|it| self.values.get(it)) {
            Some(it) => Ok(it.clone()),
            None => self.refuse(format!("no value for {text}"), span),
        }
    }

    /// A constant, or a parameter.
    pub(crate) fn constant(&mut self, expr: &Expr) -> Result<Option<Const>, SqlError> {
        let value = self.value(expr, &Scope::EMPTY)?;
        Ok(value.certain(&self.terms))
    }

    /// The value of an expression, looked at.
    pub(crate) fn value(&mut self, expr: &Expr, scope: &Scope<'_>) -> Result<Val, SqlError> {
        let value = self.expr(expr, scope)?;
        Ok(self.db.seen(&value, self.ask))
    }

    /// The value of an expression; a cell at which nobody has looked stays one.
    pub(crate) fn expr(&mut self, expr: &Expr, scope: &Scope<'_>) -> Result<Val, SqlError> {
        let name = |table: Option<&str>, name: &str| match scope.value(table, name) {
            Ok(it) => Ok(it.clone()),
            Err(ResolutionError::Unknown) => self.refuse(format!("no such column: {expr}"), expr.span()),
            Err(ResolutionError::Ambiguous) => self.refuse(format!("ambiguous column name: {expr}"), expr.span()),
        };
        match expr {
            Expr::Identifier(it) => name(None, &it.value),
            Expr::CompoundIdentifier(parts) => match parts.as_slice() {
                [.., table, column] => name(Some(&table.value), &column.value),
                _ => self.refuse("this name", expr.span()),
            },
            Expr::Value(it) => {
                if let Value::Placeholder(text) = &it.value {
                    return self.parameter(text, it.span);
                }
                match of_value(&it.value) {
                    Some(it) => Ok(Val::of(&self.terms, &it)),
                    None => self.refuse("this literal", it.span),
                }
            }
            Expr::Nested(it) => self.expr(it, scope),
            Expr::Tuple(of) if of.len() == 1 => self.expr(&of[0], scope),
            Expr::Function(it) => self.function(it, expr, scope),
            Expr::Subquery(it) => self.scalar(it, scope),
            Expr::Case { operand, conditions, else_result, .. } => {
                self.case(operand.as_deref(), conditions, else_result.as_deref(), scope)
            }
            Expr::Cast { expr: inner, data_type, .. } => {
                let value = self.value(inner, scope)?;
                self.cast(value, &data_type.to_string(), expr)
            }
            Expr::UnaryOp { op: UnaryOperator::Plus, expr } => self.value(expr, scope),
            Expr::UnaryOp { op: UnaryOperator::Minus, expr: inner } => {
                let zero = Val::of(&self.terms, &Const::Int(0));
                let value = self.value(inner, scope)?;
                if let Some(Const::Real(it)) = value.certain(&self.terms) {
                    return Ok(Val::of(&self.terms, &Const::Real(-it)));
                }
                self.arithmetic(&Op::Minus, &zero, &value, expr)
            }
            Expr::BinaryOp { left, op, right }
                if matches!(op, Op::Plus | Op::Minus | Op::Multiply | Op::Divide | Op::Modulo) =>
            {
                let a = self.value(left, scope)?;
                let b = self.value(right, scope)?;
                self.arithmetic(op, &a, &b, expr)
            }
            Expr::BinaryOp { left, op: Op::StringConcat, right } => {
                let a = self.value(left, scope)?;
                let b = self.value(right, scope)?;
                self.concatenated(&a, &b, expr)
            }
            _ => {
                let tri = self.cond(expr, scope)?;
                Ok(tri.value(&self.terms))
            }
        }
    }

    /// When an expression is true and when it is false.
    pub(crate) fn cond(&mut self, expr: &Expr, scope: &Scope<'_>) -> Result<Tri, SqlError> {
        let terms = Rc::clone(&self.terms);
        match expr {
            Expr::Nested(it) => self.cond(it, scope),
            Expr::BinaryOp { left, op: Op::And, right } => {
                let a = self.cond(left, scope)?;
                // False with anything is false, and what is not looked at forks nothing.
                if terms.as_bool(a.no) == Some(true) {
                    return Ok(a);
                }
                let b = self.cond(right, scope)?;
                Ok(a.and(b, &terms))
            }
            Expr::BinaryOp { left, op: Op::Or, right } => {
                let a = self.cond(left, scope)?;
                if terms.as_bool(a.yes) == Some(true) {
                    return Ok(a);
                }
                let b = self.cond(right, scope)?;
                Ok(a.or(b, &terms))
            }
            Expr::UnaryOp { op: UnaryOperator::Not, expr } => Ok(self.cond(expr, scope)?.not()),
            Expr::BinaryOp { left, op, right }
                if matches!(op, Op::Eq | Op::NotEq | Op::Lt | Op::LtEq | Op::Gt | Op::GtEq) =>
            {
                if let (Expr::Tuple(these), Expr::Tuple(those)) = (&**left, &**right)
                    && matches!(op, Op::Eq)
                    && these.len() == those.len()
                {
                    let mut res = Tri::certain(&terms, terms.bool(true));
                    for (a, b) in these.iter().zip(those) {
                        let a = self.value(a, scope)?;
                        let b = self.value(b, scope)?;
                        res = res.and(self.kinds(compare(&terms, Compare::Equal, &a, &b), expr)?, &terms);
                    }
                    return Ok(res);
                }
                let a = self.value(left, scope)?;
                let b = self.value(right, scope)?;
                self.compared(op, &a, &b, expr)
            }
            Expr::IsNull(it) => self.is_null(it, scope),
            Expr::IsNotNull(it) => Ok(self.is_null(it, scope)?.not()),
            Expr::IsTrue(it) => Ok(Tri::certain(&terms, self.cond(it, scope)?.yes)),
            Expr::IsNotTrue(it) => Ok(Tri::certain(&terms, self.cond(it, scope)?.yes).not()),
            Expr::IsFalse(it) => Ok(Tri::certain(&terms, self.cond(it, scope)?.no)),
            Expr::IsNotFalse(it) => Ok(Tri::certain(&terms, self.cond(it, scope)?.no).not()),
            Expr::IsDistinctFrom(a, b) => Ok(self.same(a, b, expr, scope)?.not()),
            Expr::IsNotDistinctFrom(a, b) => self.same(a, b, expr, scope),
            Expr::Between { expr: inner, negated, low, high } => {
                let value = self.value(inner, scope)?;
                let low = self.value(low, scope)?;
                let high = self.value(high, scope)?;
                let res = self.compared(&Op::GtEq, &value, &low, expr)?;
                let res = res.and(self.compared(&Op::LtEq, &value, &high, expr)?, &terms);
                Ok(if *negated { res.not() } else { res })
            }
            Expr::In { expr: inner, target, negated, .. } => {
                let res = self.among(inner, target, expr, scope)?;
                Ok(if *negated { res.not() } else { res })
            }
            Expr::Like { negated, any: false, expr: inner, pattern, escape_char } => {
                let res = self.like(inner, pattern, escape_char.as_deref(), expr, scope)?;
                Ok(if *negated { res.not() } else { res })
            }
            Expr::Exists { subquery, negated } => {
                let rel = self.query(subquery, Some(scope))?;
                let any = Tri::certain(&terms, terms.or_all(rel.lines.iter().map(|it| it.cond)));
                Ok(if *negated { any.not() } else { any })
            }
            Expr::Identifier(_)
            | Expr::CompoundIdentifier(_)
            | Expr::Value(_)
            | Expr::Function(_)
            | Expr::Subquery(_)
            | Expr::Case { .. }
            | Expr::Cast { .. }
            | Expr::UnaryOp { op: UnaryOperator::Plus | UnaryOperator::Minus, .. }
            | Expr::BinaryOp { op: Op::Plus | Op::Minus | Op::Multiply | Op::Divide | Op::Modulo, .. } => {
                let value = self.value(expr, scope)?;
                self.kinds(Tri::of(&value, &terms), expr)
            }
            _ => self.refuse(format!("the expression {expr}"), expr.span()),
        }
    }

    fn is_null(&mut self, expr: &Expr, scope: &Scope<'_>) -> Result<Tri, SqlError> {
        let value = self.expr(expr, scope)?;
        let null = match value.data {
            // Whether it is null says nothing of what it is.
            Data::Cell(cell) if !self.db.is_looked(cell) => self.db.null_of(cell, self.ask),
            _ => self.db.seen(&value, self.ask).null,
        };
        Ok(Tri::certain(&self.terms, null))
    }

    fn same(&mut self, a: &Expr, b: &Expr, expr: &Expr, scope: &Scope<'_>) -> Result<Tri, SqlError> {
        let a = self.value(a, scope)?;
        let b = self.value(b, scope)?;
        let same = self.kinds(logic::same(&self.terms, &a, &b), expr)?;
        Ok(Tri::certain(&self.terms, same))
    }

    fn compared(&mut self, op: &Op, a: &Val, b: &Val, expr: &Expr) -> Result<Tri, SqlError> {
        let terms = &self.terms;
        let res = match op {
            Op::Eq => compare(terms, Compare::Equal, a, b),
            Op::NotEq => compare(terms, Compare::Equal, a, b).map(Tri::not),
            Op::Lt => compare(terms, Compare::Less, a, b),
            Op::GtEq => compare(terms, Compare::Less, a, b).map(Tri::not),
            Op::Gt => compare(terms, Compare::Less, b, a),
            _ => compare(terms, Compare::Less, b, a).map(Tri::not),
        };
        self.kinds(res, expr)
    }

    fn among(&mut self, inner: &Expr, target: &InTarget, expr: &Expr, scope: &Scope<'_>) -> Result<Tri, SqlError> {
        let terms = Rc::clone(&self.terms);
        let mut res = Tri::certain(&terms, terms.bool(false));
        match target {
            InTarget::List(list) => {
                for it in list {
                    let same =
                        Expr::BinaryOp { left: Box::new(inner.clone()), op: Op::Eq, right: Box::new(it.clone()) };
                    res = res.or(self.cond(&same, scope)?, &terms);
                }
                Ok(res)
            }
            InTarget::Subquery(query) => {
                let value = self.value(inner, scope)?;
                let rel = self.query(query, Some(scope))?;
                if rel.names.len() != 1 {
                    return self.refuse("IN with a result of several columns", expr.span());
                }
                for line in rel.lines {
                    let other = self.db.seen(&line.values[0], self.ask);
                    let equal = self.kinds(compare(&terms, Compare::Equal, &value, &other), expr)?;
                    // A row that is not in has nothing to say.
                    let said =
                        Tri { yes: terms.and(line.cond, equal.yes), no: terms.or(terms.not(line.cond), equal.no) };
                    res = res.or(said, &terms);
                }
                Ok(res)
            }
            InTarget::Unnest(_) | InTarget::Table { .. } => self.refuse("this IN", expr.span()),
        }
    }

    fn like(
        &mut self,
        inner: &Expr,
        pattern: &Expr,
        escape: Option<&Expr>,
        expr: &Expr,
        scope: &Scope<'_>,
    ) -> Result<Tri, SqlError> {
        let terms = Rc::clone(&self.terms);
        let pattern_value = self.value(pattern, scope)?;
        let escape = match escape {
            None => None,
            Some(it) => match self.constant(it)? {
                Some(Const::Text(it)) if it.chars().count() == 1 => it.chars().next(),
                _ => return self.refuse("this ESCAPE", expr.span()),
            },
        };
        let value = self.value(inner, scope)?;
        match (pattern_value.certain(&terms), &value.data) {
            (Some(Const::Null), _) | (_, Data::Nothing) => Ok(Tri { yes: terms.bool(false), no: terms.bool(false) }),
            (Some(Const::Text(pattern)), Data::Text(text)) => {
                Ok(Tri::known(&terms, terms.not(value.null), text.like(&pattern, escape, &terms)))
            }
            (None, _) => self.refuse("LIKE with a pattern that is not known", pattern.span()),
            (_, other) => self.refuse(format!("LIKE on {}", logic::name(other)), expr.span()),
        }
    }

    /// The value of a query in an expression: of its first row, or null.
    fn scalar(&mut self, query: &Query, scope: &Scope<'_>) -> Result<Val, SqlError> {
        let terms = Rc::clone(&self.terms);
        let Rel { names, lines } = self.query(query, Some(scope))?;
        if names.len() != 1 {
            return self.refuse("a value of several columns", query.span());
        }
        let mut res = Val::null(&terms);
        for line in lines.iter().rev() {
            let value = self.db.seen(&line.values[0], self.ask);
            res = match logic::ite(&terms, line.cond, &value, &res) {
                Ok(it) => it,
                Err(Kinds(a, b)) => return self.refuse(format!("{a} with {b}"), query.span()),
            };
        }
        Ok(res)
    }

    fn case(
        &mut self,
        operand: Option<&Expr>,
        conditions: &[CaseWhen],
        other: Option<&Expr>,
        scope: &Scope<'_>,
    ) -> Result<Val, SqlError> {
        let terms = Rc::clone(&self.terms);
        let mut res = match other {
            Some(it) => self.value(it, scope)?,
            None => Val::null(&terms),
        };
        for when in conditions.iter().rev() {
            let yes = match operand {
                None => self.cond(&when.condition, scope)?.yes,
                Some(operand) => {
                    let a = self.value(operand, scope)?;
                    let b = self.value(&when.condition, scope)?;
                    self.compared(&Op::Eq, &a, &b, &when.condition)?.yes
                }
            };
            let value = self.value(&when.result, scope)?;
            res = self.kinds(logic::ite(&terms, yes, &value, &res), &when.result)?;
        }
        Ok(res)
    }

    /// A cast to the kind that the value has: sea-orm casts enumerations to text.
    fn cast(&mut self, value: Val, to: &str, expr: &Expr) -> Result<Val, SqlError> {
        let to = to.to_ascii_lowercase();
        let text = ["text", "char", "clob"].iter().any(|it| to.contains(it));
        match &value.data {
            Data::Nothing => Ok(value),
            Data::Text(_) if text => Ok(value),
            Data::Int(_) if to.contains("int") => Ok(value),
            Data::Bool(it) if to.contains("int") => {
                let number = self.terms.ite(*it, int(&self.terms, 1), int(&self.terms, 0));
                Ok(Val { null: value.null, data: Data::Int(number) })
            }
            other => self.refuse(format!("a cast of {} to {to}", logic::name(other)), expr.span()),
        }
    }

    fn arithmetic(&mut self, op: &Op, a: &Val, b: &Val, expr: &Expr) -> Result<Val, SqlError> {
        let terms = Rc::clone(&self.terms);
        if matches!(a.data, Data::Nothing) || matches!(b.data, Data::Nothing) {
            return Ok(Val::null(&terms));
        }
        let number = |it: &Data| match it {
            Data::Int(it) => Some(*it),
            Data::Bool(it) => Some(terms.ite(*it, int(&terms, 1), int(&terms, 0))),
            _ => None,
        };
        let (Some(x), Some(y)) = (number(&a.data), number(&b.data)) else {
            let (a, b) = (logic::name(&a.data), logic::name(&b.data));
            return self.refuse(format!("arithmetic of {a} with {b}"), expr.span());
        };
        let null = terms.or(a.null, b.null);
        let zero = int(&terms, 0);
        let by_zero = terms.eq(y, zero);
        let wide = |it: Term| terms.bv_sign_extend(Width::of(128), it);
        let (null, exact) = match op {
            Op::Plus => (null, terms.bv_add(wide(x), wide(y))),
            Op::Minus => (null, terms.bv_sub(wide(x), wide(y))),
            Op::Multiply => (null, terms.bv_mul(wide(x), wide(y))),
            Op::Divide => (terms.or(null, by_zero), terms.bv_sdiv(wide(x), wide(y))),
            _ => (terms.or(null, by_zero), terms.bv_srem(wide(x), wide(y))),
        };
        let res = terms.bv_truncate(Width::W64, exact);
        // What does not fit becomes a number with a fraction.
        let fits = terms.or(null, terms.eq(wide(res), exact));
        if !self.db.decide(fits, self.ask) {
            return self.refuse("a result of more than 64 bits", expr.span());
        }
        Ok(Val { null, data: Data::Int(res) })
    }

    fn concatenated(&mut self, a: &Val, b: &Val, expr: &Expr) -> Result<Val, SqlError> {
        let terms = Rc::clone(&self.terms);
        let null = terms.or(a.null, b.null);
        match (&a.data, &b.data) {
            (Data::Nothing, _) | (_, Data::Nothing) => Ok(Val::null(&terms)),
            (Data::Text(Text::OneOf(a)), Data::Text(Text::OneOf(b))) => {
                let both = a.iter().flat_map(|a| b.iter().map(move |b| (a, b)));
                let of = both.map(|(a, b)| (terms.and(a.0, b.0), Rc::from(format!("{}{}", a.1, b.1))));
                Ok(Val { null, data: Data::Text(Text::OneOf(of.collect())) })
            }
            _ => self.refuse("|| of texts that are not known", expr.span()),
        }
    }
}

/// The name of a function, in small letters.
pub(crate) fn function_name(name: &sqlparser::ast::ObjectName) -> String {
    last(name).map(|it| it.value.to_ascii_lowercase()).unwrap_or_default()
}

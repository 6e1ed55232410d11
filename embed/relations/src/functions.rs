//! Functions of values.
//!
//! Knows: the functions that sea-query writes, and their like. Never: aggregates (`aggregate`).

use crate::aggregate::{Arguments, is_aggregate};
use crate::error::SqlError;
use crate::expression::{Evaluator, function_name};
use crate::logic::{self, Compare, compare};
use crate::scope::Scope;
use crate::text::Text;
use crate::value::{Data, Val, int};
use sqlparser::ast::{Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, Spanned};
use std::rc::Rc;

impl Evaluator<'_> {
    pub(crate) fn function(&mut self, call: &Function, expr: &Expr, scope: &Scope<'_>) -> Result<Val, SqlError> {
        let name = function_name(&call.name);
        if call.over.is_some() || !call.within_group.is_empty() || call.null_treatment.is_some() {
            return self.refuse(format!("the window function {name}"), expr.span());
        }
        let args = self.arguments(call, expr)?;
        // MIN and MAX of several values are no aggregates.
        if is_aggregate(&name)
            && !(matches!(name.as_str(), "min" | "max") && args.as_ref().is_some_and(|it| it.len() > 1))
        {
            return self.aggregate(&name, call, &args, expr, scope);
        }
        let terms = Rc::clone(&self.terms);
        let Some(args) = args else { return self.refuse(format!("{name}(*)"), expr.span()) };
        let mut values = Vec::new();
        for it in args {
            values.push(self.value(it, scope)?);
        }
        match (name.as_str(), values.as_slice()) {
            ("coalesce" | "ifnull", [_, _, ..]) => {
                let mut res = Val::null(&terms);
                for it in values.iter().rev() {
                    res = self.kinds(logic::ite(&terms, terms.not(it.null), it, &res), expr)?;
                }
                Ok(res)
            }
            ("nullif", [a, b]) => {
                let same = self.kinds(compare(&terms, Compare::Equal, a, b), expr)?.yes;
                Ok(Val { null: terms.or(a.null, same), data: a.data.clone() })
            }
            ("min" | "max", [first, rest @ ..]) => {
                let mut res = first.clone();
                for it in rest {
                    let less = self.kinds(compare(&terms, Compare::Less, it, &res), expr)?;
                    let take = if name == "min" { less.yes } else { less.no };
                    let null = terms.or(res.null, it.null);
                    res = Val { null, ..self.kinds(logic::ite(&terms, take, it, &res), expr)? };
                }
                Ok(res)
            }
            ("lower" | "upper", [Val { null, data: Data::Text(text) }]) => {
                let change = |it: &str| if name == "lower" { it.to_ascii_lowercase() } else { it.to_ascii_uppercase() };
                match text.map(change) {
                    Some(it) => Ok(Val { null: *null, data: Data::Text(it) }),
                    None => self.refuse(format!("{name} of a text that is not known"), expr.span()),
                }
            }
            ("length", [Val { null, data: Data::Text(Text::OneOf(of)) }]) => {
                let mut res = int(&terms, 0);
                for (cond, text) in of.iter() {
                    res = terms.ite(*cond, int(&terms, text.chars().count() as i64), res);
                }
                Ok(Val { null: *null, data: Data::Int(res) })
            }
            (_, [Val { data: Data::Nothing, .. }]) if matches!(name.as_str(), "lower" | "upper" | "length" | "abs") => {
                Ok(Val::null(&terms))
            }
            _ => self.refuse(format!("the function {name}"), expr.span()),
        }
    }

    /// The arguments of a call; `None` for a star.
    fn arguments<'e>(&self, call: &'e Function, expr: &Expr) -> Result<Arguments<'e>, SqlError> {
        let FunctionArguments::List(list) = &call.args else {
            return if matches!(call.args, FunctionArguments::None) {
                Ok(Some(Vec::new()))
            } else {
                self.refuse("a query as the arguments", expr.span())
            };
        };
        if !list.clauses.is_empty() {
            return self.refuse("these arguments", expr.span());
        }
        let mut res = Vec::new();
        for it in &list.args {
            match it {
                FunctionArg::Unnamed(FunctionArgExpr::Expr(it)) => res.push(it),
                FunctionArg::Unnamed(FunctionArgExpr::Wildcard) if list.args.len() == 1 => return Ok(None),
                _ => return self.refuse("these arguments", expr.span()),
            }
        }
        Ok(Some(res))
    }
}

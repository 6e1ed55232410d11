//! Aggregates: COUNT, SUM, MIN, MAX over rows that may be in.
//!
//! Knows: rows with conditions. Never: which rows these are.

use crate::error::SqlError;
use crate::expression::{Evaluator, function_name};
use crate::logic::{self, Compare, compare};
use crate::scope::Scope;
use crate::value::{Data, Val, int};
use effigy_term::{BvValue, Width};
use sqlparser::ast::{DuplicateTreatment, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, Spanned};
use std::rc::Rc;

/// The arguments of a call; `None` for a star.
pub(crate) type Arguments<'e> = Option<Vec<&'e Expr>>;

/// Whether a function is an aggregate.
pub(crate) fn is_aggregate(name: &str) -> bool {
    matches!(name, "count" | "sum" | "min" | "max" | "avg" | "total" | "group_concat" | "string_agg")
}

/// Whether an expression has an aggregate in it.
pub(crate) fn has_aggregate(expr: &Expr) -> bool {
    match expr {
        Expr::Function(call) => is_aggregate(&function_name(&call.name)) || arguments(call).any(has_aggregate),
        Expr::Nested(it) | Expr::Cast { expr: it, .. } | Expr::UnaryOp { expr: it, .. } => has_aggregate(it),
        Expr::IsNull(it) | Expr::IsNotNull(it) => has_aggregate(it),
        Expr::BinaryOp { left, right, .. } => has_aggregate(left) || has_aggregate(right),
        Expr::Case { conditions, else_result, .. } => {
            else_result.as_deref().is_some_and(has_aggregate)
                || conditions.iter().any(|it| has_aggregate(&it.condition) || has_aggregate(&it.result))
        }
        _ => false,
    }
}

fn arguments(call: &Function) -> impl Iterator<Item = &Expr> {
    let list = match &call.args {
        FunctionArguments::List(list) => list.args.as_slice(),
        FunctionArguments::None | FunctionArguments::Subquery(_) => &[],
    };
    list.iter().filter_map(|it| match it {
        FunctionArg::Unnamed(FunctionArgExpr::Expr(it)) => Some(it),
        _ => None,
    })
}

impl Evaluator<'_> {
    pub(crate) fn aggregate(
        &mut self,
        name: &str,
        call: &Function,
        args: &Arguments<'_>,
        expr: &Expr,
        scope: &Scope<'_>,
    ) -> Result<Val, SqlError> {
        let Some(lines) = scope.group else { return self.refuse(format!("misuse of {name}"), expr.span()) };
        if call.filter.is_some() {
            return self.refuse("FILTER", expr.span());
        }
        let terms = Rc::clone(&self.terms);
        let distinct = matches!(&call.args, FunctionArguments::List(it)
            if it.duplicate_treatment == Some(DuplicateTreatment::Distinct));
        // The values of the rows, each with the condition that it counts.
        let mut values: Vec<Val> = Vec::new();
        for line in lines {
            let inner = Scope::row(scope.names, &line.values, scope.outer);
            let value = match args.as_deref() {
                None => Val::of(&terms, &crate::value::Const::Int(1)),
                Some([only]) => self.value(only, &inner)?,
                Some(_) => return self.refuse(format!("these arguments of {name}"), expr.span()),
            };
            let mut null = terms.or(value.null, terms.not(line.cond));
            if distinct {
                for before in &values {
                    let same = self.kinds(compare(&terms, Compare::Equal, &value, before), expr)?.yes;
                    null = terms.or(null, same);
                }
            }
            values.push(Val { null, data: value.data });
        }
        let counted = |it: &Val| terms.ite(it.null, int(&terms, 0), int(&terms, 1));
        let none = terms.and_all(values.iter().map(|it| it.null));
        match name {
            "count" => {
                let sum = values.iter().fold(int(&terms, 0), |sum, it| terms.bv_add(sum, counted(it)));
                Ok(Val::some(&terms, Data::Int(sum)))
            }
            "sum" => {
                let wide = Width::of(96);
                let mut sum = terms.bv(BvValue::zero(wide));
                for it in &values {
                    let number = match &it.data {
                        Data::Int(it) => *it,
                        Data::Bool(it) => terms.ite(*it, int(&terms, 1), int(&terms, 0)),
                        Data::Nothing => continue,
                        other => return self.refuse(format!("SUM of {}", logic::name(other)), expr.span()),
                    };
                    let zero = terms.bv(BvValue::zero(wide));
                    sum = terms.bv_add(sum, terms.ite(it.null, zero, terms.bv_sign_extend(wide, number)));
                }
                let res = terms.bv_truncate(Width::W64, sum);
                if !self.db.decide(terms.eq(terms.bv_sign_extend(wide, res), sum), self.ask) {
                    return self.refuse("a sum of more than 64 bits", expr.span());
                }
                Ok(Val { null: none, data: Data::Int(res) })
            }
            "min" | "max" => {
                let mut res = Val::null(&terms);
                for it in &values {
                    let (a, b) = if name == "min" { (it, &res) } else { (&res, it) };
                    let better = self.kinds(compare(&terms, Compare::Less, a, b), expr)?.yes;
                    let take = terms.and(terms.not(it.null), terms.or(res.null, better));
                    res = self.kinds(logic::ite(&terms, take, it, &res), expr)?;
                }
                Ok(Val { null: none, data: res.data })
            }
            _ => self.refuse(format!("the aggregate {name}"), expr.span()),
        }
    }
}

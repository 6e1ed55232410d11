//! ORDER BY, LIMIT, OFFSET.
//!
//! Knows: rows with keys. Never: where they come from.
//!
//! Rows that are equal in the order stay in the order of their numbers, as in SQLite; another database may give them in
//! another one, and [`crate::Questions::note`] is told where a limit cuts among such rows.

use crate::error::SqlError;
use crate::expression::Evaluator;
use crate::logic;
use crate::scope::{Line, Name, Rel, Scope};
use crate::select::{Item, named};
use crate::value::{Const, Val};
use sqlparser::ast::{Expr, LimitClause, OrderBy, OrderByExpr, OrderByKind, OrderBySort, Spanned, Value};
use sqlparser::tokenizer::Span;
use std::rc::Rc;

/// A row of a result with the rows of its group.
type GroupedLine = (Line, Option<Vec<Line>>);

struct Direction {
    descending: bool,
    nulls_first: bool,
}

impl Evaluator<'_> {
    /// Rows in order, as many as are asked for.
    pub(crate) fn ordered(
        &mut self,
        lines: Vec<GroupedLine>,
        names: &[Name],
        items: &[Result<Item<'_>, usize>],
        order: Option<&OrderBy>,
        limit: Option<&LimitClause>,
        outer: Option<&Scope<'_>>,
    ) -> Result<Vec<GroupedLine>, SqlError> {
        let (limit, offset) = self.limits(limit)?;
        let certain = self.terms.bool(true);
        let terms_of = self.order_terms(order)?;
        if terms_of.is_empty() {
            return Ok(self.first(lines, limit, offset));
        }
        let mut keyed: Vec<(Vec<Val>, GroupedLine)> = Vec::new();
        for (line, group) in lines {
            if !self.db.decide(line.cond, self.ask) {
                continue;
            }
            let mut keys = Vec::new();
            for it in terms_of {
                let scope = Scope { names, values: &line.values, group: group.as_deref(), outer };
                keys.push(self.key(&it.expr, items, &scope)?);
            }
            keyed.push((keys, (Line { cond: certain, ..line }, group)));
        }
        let sorted = self.sorted(keyed, terms_of, limit.map(|it| it.saturating_add(offset)))?;
        Ok(sorted.into_iter().skip(offset).take(limit.unwrap_or(usize::MAX)).collect())
    }

    /// The same of a result whose expressions are gone: by its columns.
    pub(crate) fn ordered_result(
        &mut self,
        rel: Rel,
        order: Option<&OrderBy>,
        limit: Option<&LimitClause>,
    ) -> Result<Rel, SqlError> {
        if order.is_none() && limit.is_none() {
            return Ok(rel);
        }
        let items: Vec<Result<Item<'_>, usize>> = (0..rel.names.len()).map(Err).collect();
        let lines = rel.lines.into_iter().map(|it| (it, None)).collect();
        // A table's name may stand before a column, though the result has none.
        let ordered = self.ordered(lines, &rel.names, &items, order, limit, None)?;
        Ok(Rel { names: rel.names, lines: ordered.into_iter().map(|it| it.0).collect() })
    }

    /// Rows from the start, decided until there are enough.
    fn first(&mut self, lines: Vec<GroupedLine>, limit: Option<usize>, offset: usize) -> Vec<GroupedLine> {
        let Some(limit) = limit else { return lines };
        let certain = self.terms.bool(true);
        let mut res = Vec::new();
        let mut skipped = 0;
        for (line, group) in lines {
            if res.len() == limit {
                break;
            }
            if !self.db.decide(line.cond, self.ask) {
                continue;
            }
            if skipped < offset {
                skipped += 1;
                continue;
            }
            res.push((Line { cond: certain, ..line }, group));
        }
        res
    }

    fn limits(&mut self, limit: Option<&LimitClause>) -> Result<(Option<usize>, usize), SqlError> {
        let (limit, offset) = match limit {
            None => return Ok((None, 0)),
            Some(LimitClause::LimitOffset { limit, offset, limit_by }) if limit_by.is_empty() => {
                (limit.as_ref(), offset.as_ref().map(|it| &it.value))
            }
            Some(LimitClause::OffsetCommaLimit { offset, limit }) => (Some(limit), Some(offset)),
            Some(_) => return self.refuse("this LIMIT", Span::empty()),
        };
        let mut number = |expr: Option<&Expr>| match expr {
            None => Ok(None),
            Some(expr) => match self.constant(expr)? {
                // A negative one is none.
                Some(Const::Int(it)) => Ok(usize::try_from(it).ok()),
                _ => self.refuse("this LIMIT", expr.span()),
            },
        };
        let limit = number(limit)?;
        let offset = number(offset)?;
        Ok((limit, offset.unwrap_or(0)))
    }

    fn order_terms<'q>(&self, order: Option<&'q OrderBy>) -> Result<&'q [OrderByExpr], SqlError> {
        let Some(order) = order else { return Ok(&[]) };
        match &order.kind {
            OrderByKind::Expressions(of) if order.interpolate.is_none() => Ok(of),
            _ => self.refuse("this ORDER BY", order.span()),
        }
    }

    /// The value of a term of ORDER BY: the number of a column, the name of one, or an expression.
    fn key(&mut self, expr: &Expr, items: &[Result<Item<'_>, usize>], scope: &Scope<'_>) -> Result<Val, SqlError> {
        if let Expr::Value(it) = expr
            && let Value::Number(number, _) = &it.value
        {
            let at = number.parse::<usize>().ok().and_then(|it| it.checked_sub(1));
            return match at.and_then(|it| items.get(it)) {
                Some(Ok(item)) => self.value(item.expr, scope),
                Some(Err(at)) => Ok(self.db.seen(&scope.values[*at], self.ask)),
                None => self.refuse("ORDER BY a column that there is not", expr.span()),
            };
        }
        self.value(named(items, expr).unwrap_or(expr), scope)
    }

    fn sorted(
        &mut self,
        lines: Vec<(Vec<Val>, GroupedLine)>,
        by: &[OrderByExpr],
        cut: Option<usize>,
    ) -> Result<Vec<GroupedLine>, SqlError> {
        let terms = Rc::clone(&self.terms);
        let mut directions = Vec::new();
        for it in by {
            let descending = match &it.options.sort {
                None | Some(OrderBySort::Asc) => false,
                Some(OrderBySort::Desc) => true,
                Some(OrderBySort::Using(_)) => return self.refuse("ORDER BY USING", it.expr.span()),
            };
            // SQLite takes NULL for the least of all values.
            directions.push(Direction { descending, nulls_first: it.options.nulls_first.unwrap_or(!descending) });
        }
        let mut res: Vec<(Vec<Val>, GroupedLine)> = Vec::new();
        for line in lines {
            let mut at = res.len();
            while at > 0 {
                // Strictly before: what is equal stays behind.
                let before = self.before(&line.0, &res[at - 1].0, by, &directions)?;
                if !self.db.decide(before, self.ask) {
                    break;
                }
                at -= 1;
            }
            res.insert(at, line);
        }
        for at in 1..res.len() {
            let apart = self.before(&res[at - 1].0, &res[at].0, by, &directions)?;
            let apart = self.db.simplified(apart);
            if terms.as_bool(apart) != Some(true) {
                self.ties = true;
                if cut == Some(at) {
                    self.ask.note("a limit cuts among rows that may be equal in their order");
                }
            }
        }
        Ok(res.into_iter().map(|it| it.1).collect())
    }

    /// When one row comes before another.
    fn before(
        &mut self,
        one: &[Val],
        other: &[Val],
        by: &[OrderByExpr],
        directions: &[Direction],
    ) -> Result<effigy_term::Term, SqlError> {
        let terms = Rc::clone(&self.terms);
        let mut res = terms.bool(false);
        for (at, direction) in directions.iter().enumerate().rev() {
            let expr = &by[at].expr;
            let less = if direction.descending {
                self.kinds(logic::before(&terms, &other[at], &one[at], !direction.nulls_first), expr)?
            } else {
                self.kinds(logic::before(&terms, &one[at], &other[at], direction.nulls_first), expr)?
            };
            let same = self.kinds(logic::same(&terms, &one[at], &other[at]), expr)?;
            res = terms.or(less, terms.and(same, res));
        }
        Ok(res)
    }
}

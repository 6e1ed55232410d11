//! SELECT: rows with the conditions under which they are in the result.
//!
//! Knows: FROM, WHERE, GROUP BY, HAVING, DISTINCT, UNION; what comes first is `order`. Never: what is sent to a program.
//! Source: SQLite, "SELECT", section 2.

use crate::aggregate::has_aggregate;
use crate::error::SqlError;
use crate::expression::Evaluator;
use crate::logic;
use crate::names::last;
use crate::scope::{Line, Name, Rel, Scope};
use crate::value::Val;
use effigy_term::Term;
use sqlparser::ast::{
    Distinct, Expr, GroupByExpr, Join, JoinConstraint, JoinOperator, LimitClause, OrderBy, Query, Select, SelectItem,
    SelectItemQualifiedWildcardKind, SetExpr, SetOperator, SetQuantifier, Spanned, TableFactor, TableWithJoins, With,
};
use std::rc::Rc;

/// More tuples than this are not looked at one by one for a statement: a query within another counts for each of its rows.
const MOST_LINES: usize = 200_000;

/// The rows of a join that are in the result without another.
#[derive(Clone, Copy, Default)]
pub(crate) struct OuterSides {
    left: bool,
    right: bool,
}

/// An expression of the result with its name.
pub(crate) struct Item<'q> {
    pub(crate) expr: &'q Expr,
    pub(crate) name: Rc<str>,
}

impl Evaluator<'_> {
    /// A query. Rows that are not there for sure are in the result with their conditions.
    pub(crate) fn query(&mut self, query: &Query, outer: Option<&Scope<'_>>) -> Result<Rel, SqlError> {
        if query.fetch.is_some()
            || query.for_clause.is_some()
            || query.settings.is_some()
            || query.format_clause.is_some()
            || !query.pipe_operators.is_empty()
        {
            return self.refuse("this query", query.span());
        }
        let before = self.with.len();
        if let Some(with) = &query.with {
            self.name_queries(with)?;
        }
        let res = self.set(&query.body, query.order_by.as_ref(), query.limit_clause.as_ref(), outer);
        self.with.truncate(before);
        res
    }

    /// The queries of WITH, each once. All names hide tables from the start on, as SQLite has it: a query that refers to
    /// itself or to a later one is refused.
    fn name_queries(&mut self, with: &With) -> Result<(), SqlError> {
        if with.recursive {
            return self.refuse("WITH RECURSIVE", with.span());
        }
        let before = self.with.len();
        self.with.extend(with.cte_tables.iter().map(|it| (it.alias.name.value.clone(), None)));
        for (at, it) in with.cte_tables.iter().enumerate() {
            let mut rel = self.query(&it.query, None)?;
            let columns = &it.alias.columns;
            if !columns.is_empty() && columns.len() != rel.names.len() {
                return self.refuse("names for another number of columns", it.span());
            }
            for (name, column) in rel.names.iter_mut().zip(columns) {
                name.name = column.name.value.as_str().into();
            }
            self.with[before + at].1 = Some(rel);
        }
        Ok(())
    }

    fn set(
        &mut self,
        body: &SetExpr,
        order: Option<&OrderBy>,
        limit: Option<&LimitClause>,
        outer: Option<&Scope<'_>>,
    ) -> Result<Rel, SqlError> {
        match body {
            SetExpr::Select(select) => self.select(select, order, limit, outer),
            SetExpr::Query(inner) if order.is_none() && limit.is_none() => self.query(inner, outer),
            SetExpr::SetOperation { left, op: SetOperator::Union, set_quantifier, right } => {
                let mut res = self.set(left, None, None, outer)?;
                let other = self.set(right, None, None, outer)?;
                if res.names.len() != other.names.len() {
                    return self.refuse("UNION of results with different numbers of columns", body.span());
                }
                res.lines.extend(other.lines);
                // The columns of a union are those of no table.
                res.names.iter_mut().for_each(|it| it.table = Rc::from(""));
                if !matches!(set_quantifier, SetQuantifier::All) {
                    res.lines = self.distinct(res.lines, body)?;
                }
                self.ordered_result(res, order, limit)
            }
            _ => self.refuse("this query", body.span()),
        }
    }

    fn select(
        &mut self,
        select: &Select,
        order: Option<&OrderBy>,
        limit: Option<&LimitClause>,
        outer: Option<&Scope<'_>>,
    ) -> Result<Rel, SqlError> {
        if select.top.is_some()
            || select.into.is_some()
            || !select.lateral_views.is_empty()
            || select.prewhere.is_some()
            || !select.named_window.is_empty()
            || select.qualify.is_some()
            || !select.connect_by.is_empty()
            || select.exclude.is_some()
        {
            return self.refuse("this SELECT", select.span());
        }
        let mut base = Rel { names: Vec::new(), lines: vec![Line { cond: self.terms.bool(true), values: Vec::new() }] };
        for from in &select.from {
            let more = self.from(from, outer)?;
            base = self.joined(base, more, None, OuterSides::default(), outer)?;
        }
        if let Some(cond) = &select.selection {
            base = self.filtered(base, cond, outer)?;
        }
        let items = self.items(&select.projection, &base.names)?;
        let group_by = match &select.group_by {
            GroupByExpr::Expressions(of, modifiers) if modifiers.is_empty() => of.as_slice(),
            _ => return self.refuse("this GROUP BY", select.span()),
        };
        let aggregates = items.iter().any(|it| it.as_ref().is_ok_and(|it| has_aggregate(it.expr)))
            || select.having.as_ref().is_some_and(has_aggregate);
        let grouped = aggregates || !group_by.is_empty();
        if select.having.is_some() && !grouped {
            return self.refuse("HAVING without GROUP BY", select.span());
        }
        let groups = if grouped {
            self.groups(base.lines, &base.names, group_by, &items, outer)?
        } else {
            base.lines.into_iter().map(|line| (line, None)).collect()
        };
        let names = base.names;
        let groups = match &select.having {
            None => groups,
            Some(having) => {
                let mut res = Vec::new();
                for (line, group) in groups {
                    let scope = Scope { names: &names, values: &line.values, group: group.as_deref(), outer };
                    let yes = self.cond(having, &scope)?.yes;
                    let cond = self.terms.and(line.cond, yes);
                    res.push((Line { cond, ..line }, group));
                }
                res
            }
        };
        let distinct = match &select.distinct {
            None | Some(Distinct::All) => false,
            Some(Distinct::Distinct) => true,
            Some(Distinct::On(_)) => return self.refuse("DISTINCT ON", select.span()),
        };
        // What is thrown away is not put in order.
        let groups = if distinct || (order.is_none() && limit.is_none()) {
            groups
        } else {
            self.ordered(groups, &names, &items, order, limit, outer)?
        };
        let mut lines = Vec::new();
        for (line, group) in groups {
            let scope = Scope { names: &names, values: &line.values, group: group.as_deref(), outer };
            lines.push(Line { cond: line.cond, values: self.projected(&items, &scope)? });
        }
        let mut res = Rel { names: self.result_names(&items, &names), lines };
        if distinct {
            res.lines = self.distinct(res.lines, &SetExpr::Select(Box::new(select.clone())))?;
            res = self.ordered_result(res, order, limit)?;
        }
        Ok(res)
    }

    fn projected(&mut self, items: &[Result<Item<'_>, usize>], scope: &Scope<'_>) -> Result<Vec<Val>, SqlError> {
        items
            .iter()
            .map(|it| match it {
                Ok(item) => self.expr(item.expr, scope),
                Err(at) => Ok(scope.values[*at].clone()),
            })
            .collect()
    }

    /// The expressions of a result; a column of a star is its number.
    fn items<'q>(&self, of: &'q [SelectItem], names: &[Name]) -> Result<Vec<Result<Item<'q>, usize>>, SqlError> {
        let mut res = Vec::new();
        for it in of {
            match it {
                SelectItem::UnnamedExpr(expr) => {
                    let name = match expr {
                        Expr::Identifier(it) => it.value.clone(),
                        Expr::CompoundIdentifier(parts) => parts.last().map(|it| it.value.clone()).unwrap_or_default(),
                        other => other.to_string(),
                    };
                    res.push(Ok(Item { expr, name: name.into() }));
                }
                SelectItem::ExprWithAlias { expr, alias } => {
                    res.push(Ok(Item { expr, name: alias.value.as_str().into() }));
                }
                SelectItem::Wildcard(_) => res.extend((0..names.len()).map(Err)),
                SelectItem::QualifiedWildcard(SelectItemQualifiedWildcardKind::ObjectName(table), _) => {
                    let table = last(table).map(|it| it.value.clone()).unwrap_or_default();
                    let all = names.iter().enumerate().filter(|it| it.1.table.eq_ignore_ascii_case(&table));
                    res.extend(all.map(|it| Err(it.0)));
                }
                other => return self.refuse("this column of the result", other.span()),
            }
        }
        Ok(res)
    }

    fn result_names(&self, items: &[Result<Item<'_>, usize>], names: &[Name]) -> Vec<Name> {
        let of_item = |item: &Item<'_>| {
            let found = match item.expr {
                Expr::Identifier(it) => crate::scope::position(names, None, &it.value).ok(),
                Expr::CompoundIdentifier(parts) => match parts.as_slice() {
                    [.., table, column] => crate::scope::position(names, Some(&table.value), &column.value).ok(),
                    _ => None,
                },
                Expr::Cast { expr, .. } => match &**expr {
                    Expr::CompoundIdentifier(parts) if parts.len() >= 2 => {
                        let [.., table, column] = parts.as_slice() else { return None };
                        crate::scope::position(names, Some(&table.value), &column.value).ok()
                    }
                    _ => None,
                },
                _ => None,
            };
            found.and_then(|at| names[at].origin.clone())
        };
        items
            .iter()
            .map(|it| match it {
                Err(at) => Name { table: Rc::from(""), ..names[*at].clone() },
                Ok(item) => Name { table: Rc::from(""), name: Rc::clone(&item.name), origin: of_item(item) },
            })
            .collect()
    }

    fn filtered(&mut self, rel: Rel, cond: &Expr, outer: Option<&Scope<'_>>) -> Result<Rel, SqlError> {
        let mut lines = Vec::new();
        for line in rel.lines {
            let yes = self.cond(cond, &Scope::row(&rel.names, &line.values, outer))?.yes;
            let cond = self.terms.and(line.cond, yes);
            if self.terms.as_bool(cond) != Some(false) {
                lines.push(Line { cond, values: line.values });
            }
        }
        Ok(Rel { names: rel.names, lines })
    }

    pub(crate) fn from(&mut self, from: &TableWithJoins, outer: Option<&Scope<'_>>) -> Result<Rel, SqlError> {
        let mut res = self.factor(&from.relation, outer)?;
        for Join { relation, join_operator, global } in &from.joins {
            if *global {
                return self.refuse("GLOBAL", relation.span());
            }
            let kept = |left, right| OuterSides { left, right };
            let (constraint, kept) = match join_operator {
                JoinOperator::Join(it) | JoinOperator::Inner(it) | JoinOperator::CrossJoin(it) => {
                    (it, kept(false, false))
                }
                JoinOperator::Left(it) | JoinOperator::LeftOuter(it) => (it, kept(true, false)),
                JoinOperator::Right(it) | JoinOperator::RightOuter(it) => (it, kept(false, true)),
                JoinOperator::FullOuter(it) => (it, kept(true, true)),
                _ => return self.refuse("this JOIN", relation.span()),
            };
            let on = match constraint {
                JoinConstraint::On(it) => Some(it),
                JoinConstraint::None => None,
                _ => return self.refuse("USING and NATURAL", relation.span()),
            };
            let more = self.factor(relation, outer)?;
            res = self.joined(res, more, on, kept, outer)?;
        }
        Ok(res)
    }

    fn factor(&mut self, factor: &TableFactor, outer: Option<&Scope<'_>>) -> Result<Rel, SqlError> {
        match factor {
            TableFactor::Table { name, alias, args: None, .. } => {
                let shown = last(name).map(|it| it.value.clone()).unwrap_or_default();
                let named = self.with.iter().rev().find(|it| name.0.len() == 1 && it.0.eq_ignore_ascii_case(&shown));
                if let Some((_, query)) = named {
                    let Some(mut rel) = query.clone() else {
                        return self.refuse("WITH that refers to itself or to a later one", name.span());
                    };
                    let shown = alias.as_ref().map_or(shown.as_str(), |it| it.name.value.as_str());
                    if alias.as_ref().is_some_and(|it| !it.columns.is_empty()) {
                        return self.refuse("names for columns", name.span());
                    }
                    rel.names.iter_mut().for_each(|it| it.table = shown.into());
                    return Ok(rel);
                }
                let Some(table) = self.db.schema.table(&shown) else {
                    return self.refuse(format!("no such table: {shown}"), name.span());
                };
                if alias.as_ref().is_some_and(|it| !it.columns.is_empty()) {
                    return self.refuse("names for columns", name.span());
                }
                let names = self.names_of(table, alias.as_ref().map(|it| it.name.value.as_str()));
                let rows = Rc::clone(&self.db.tables[table]);
                let lines = rows.iter().map(|it| Line { cond: it.present, values: it.cells.to_vec() }).collect();
                Ok(Rel { names, lines })
            }
            TableFactor::Derived { lateral: false, subquery, alias, .. } => {
                let mut rel = self.query(subquery, None)?;
                let table: Rc<str> = alias.as_ref().map_or("".into(), |it| it.name.value.as_str().into());
                rel.names.iter_mut().for_each(|it| it.table = Rc::clone(&table));
                Ok(rel)
            }
            TableFactor::NestedJoin { table_with_joins, alias: None } => self.from(table_with_joins, outer),
            other => self.refuse("this table", other.span()),
        }
    }

    /// Every row of the one with every row of the other where `on` is true, and the rows without another that are kept.
    fn joined(
        &mut self,
        one: Rel,
        other: Rel,
        on: Option<&Expr>,
        kept: OuterSides,
        outer: Option<&Scope<'_>>,
    ) -> Result<Rel, SqlError> {
        let terms = Rc::clone(&self.terms);
        let mut names = one.names;
        let before = names.len();
        let width = other.names.len();
        names.extend(other.names);
        self.looked_at = self.looked_at.saturating_add(one.lines.len().saturating_mul(other.lines.len()));
        if self.looked_at > MOST_LINES {
            return self.refuse("a join of so many rows", sqlparser::tokenizer::Span::empty());
        }
        let mut lines = Vec::new();
        // When a row of the other has one.
        let mut found: Vec<Vec<Term>> = vec![Vec::new(); other.lines.len()];
        for line in one.lines {
            let mut matched: Vec<Term> = Vec::new();
            for (more, found) in other.lines.iter().zip(&mut found) {
                let values: Vec<Val> = line.values.iter().chain(&more.values).cloned().collect();
                let mut fits = more.cond;
                if let Some(on) = on
                    && terms.as_bool(terms.and(line.cond, fits)) != Some(false)
                {
                    fits = terms.and(fits, self.cond(on, &Scope::row(&names, &values, outer))?.yes);
                }
                let cond = terms.and(line.cond, fits);
                if terms.as_bool(cond) != Some(false) {
                    matched.push(fits);
                    found.push(cond);
                    lines.push(Line { cond, values });
                }
            }
            if kept.left {
                let cond = terms.and(line.cond, terms.not(terms.or_all(matched)));
                if terms.as_bool(cond) != Some(false) {
                    let mut values = line.values;
                    values.extend((0..width).map(|_| Val::null(&terms)));
                    lines.push(Line { cond, values });
                }
            }
        }
        if kept.right {
            for (more, found) in other.lines.into_iter().zip(found) {
                let cond = terms.and(more.cond, terms.not(terms.or_all(found)));
                if terms.as_bool(cond) != Some(false) {
                    let values = (0..before).map(|_| Val::null(&terms)).chain(more.values).collect();
                    lines.push(Line { cond, values });
                }
            }
        }
        Ok(Rel { names, lines })
    }

    /// The rows in groups. Without GROUP BY there is one group, of which nothing has to be decided.
    #[expect(clippy::type_complexity, reason = "a group is a row that stands for it, with its rows")]
    fn groups(
        &mut self,
        lines: Vec<Line>,
        names: &[Name],
        by: &[Expr],
        items: &[Result<Item<'_>, usize>],
        outer: Option<&Scope<'_>>,
    ) -> Result<Vec<(Line, Option<Vec<Line>>)>, SqlError> {
        let terms = Rc::clone(&self.terms);
        if by.is_empty() {
            // SQLite takes what is no aggregate from some row; who writes that is not understood here.
            let plain =
                items.iter().any(|it| !it.as_ref().is_ok_and(|it| has_aggregate(it.expr) || is_constant(it.expr)));
            if plain {
                return self.refuse("a column beside aggregates without GROUP BY", sqlparser::tokenizer::Span::empty());
            }
            let values = vec![Val::null(&terms); names.len()];
            return Ok(vec![(Line { cond: terms.bool(true), values }, Some(lines))]);
        }
        let mut groups: Vec<(Vec<Val>, Vec<Line>)> = Vec::new();
        for line in self.settled(lines) {
            let line = Line { cond: terms.bool(true), values: line };
            let mut key = Vec::new();
            for it in by {
                let expr = named(items, it).unwrap_or(it);
                key.push(self.value(expr, &Scope::row(names, &line.values, outer))?);
            }
            let mut found = None;
            for (at, (other, _)) in groups.iter().enumerate() {
                let mut same = terms.bool(true);
                for (a, b) in key.iter().zip(other) {
                    same = terms.and(same, self.kinds(logic::same(&terms, a, b), &by[0])?);
                }
                if self.db.decide(same, self.ask) {
                    found = Some(at);
                    break;
                }
            }
            match found {
                Some(at) => groups[at].1.push(line),
                None => groups.push((key, vec![line])),
            }
        }
        Ok(groups.into_iter().map(|(_, lines)| (lines[0].clone(), Some(lines))).collect())
    }

    fn distinct(&mut self, lines: Vec<Line>, body: &SetExpr) -> Result<Vec<Line>, SqlError> {
        let terms = Rc::clone(&self.terms);
        let mut res: Vec<Line> = Vec::new();
        'next: for values in self.settled(lines) {
            let seen: Vec<Val> = values.iter().map(|it| self.db.seen(it, self.ask)).collect();
            for before in &res {
                let mut same = terms.bool(true);
                for (a, b) in seen.iter().zip(&before.values) {
                    match logic::same(&terms, a, b) {
                        Ok(it) => same = terms.and(same, it),
                        Err(it) => return self.refuse(format!("{} and {} in one column", it.0, it.1), body.span()),
                    }
                }
                if self.db.decide(same, self.ask) {
                    continue 'next;
                }
            }
            res.push(Line { cond: terms.bool(true), values: seen });
        }
        Ok(res)
    }

    /// Which rows are in, decided one after the other.
    pub(crate) fn settled(&mut self, lines: Vec<Line>) -> Vec<Vec<Val>> {
        lines.into_iter().filter(|it| self.db.decide(it.cond, self.ask)).map(|it| it.values).collect()
    }
}

/// The expression of the result that has this name.
pub(crate) fn named<'q>(items: &[Result<Item<'q>, usize>], expr: &Expr) -> Option<&'q Expr> {
    let Expr::Identifier(name) = expr else { return None };
    let mut all = items.iter().filter_map(|it| it.as_ref().ok());
    all.find(|it| it.name.eq_ignore_ascii_case(&name.value)).map(|it| it.expr)
}

fn is_constant(expr: &Expr) -> bool {
    matches!(expr, Expr::Value(_))
}

//! INSERT, UPDATE, DELETE.
//!
//! Knows: which rows a statement writes, and with which values. Never: what these must keep (`violation`).
//! Source: SQLite, "INSERT", "UPDATE", "DELETE", "UPSERT".
//!
//! A statement that does not keep a constraint changes nothing.

use crate::database::{Outcome, Row};
use crate::error::SqlError;
use crate::expression::Evaluator;
use crate::names::last;
use crate::scope::{Name, Scope};
use crate::value::{Const, Val};
use sqlparser::ast::{
    Assignment, AssignmentTarget, ConflictTarget, Delete, Expr, FromTable, Insert, OnConflictAction, OnInsert, Query,
    SelectItem, SetExpr, Spanned, TableFactor, TableObject, TableWithJoins, Update,
};
use sqlparser::tokenizer::Span;
use std::rc::Rc;

/// What an INSERT does with a key that is there already.
struct Upsert<'q> {
    /// The columns of the key; none: any.
    key: Option<Vec<usize>>,
    /// What is changed then; none: nothing.
    set: Option<(&'q [Assignment], Option<&'q Expr>)>,
}

impl Evaluator<'_> {
    /// All of it, or nothing.
    fn whole<T>(&mut self, write: impl FnOnce(&mut Self) -> Result<T, SqlError>) -> Result<T, SqlError> {
        self.db.begin();
        let res = write(self);
        if res.is_ok() {
            self.db.commit();
        } else {
            self.db.roll_back();
        }
        res
    }

    fn returned(
        &mut self,
        table: usize,
        returning: Option<&Vec<SelectItem>>,
        written: Vec<Vec<Val>>,
    ) -> Result<Outcome, SqlError> {
        let changed = written.len() as u64;
        let names = self.names_of(table, None);
        let (names, lines) = match returning {
            None => (Vec::new(), Vec::new()),
            Some(items) => self.projection(items, &names, &written)?,
        };
        Ok(Outcome { changed, ..self.concretize(&names, lines)? })
    }

    fn projection(
        &mut self,
        items: &[SelectItem],
        names: &[Name],
        rows: &[Vec<Val>],
    ) -> Result<(Vec<Name>, Vec<Vec<Val>>), SqlError> {
        let mut shown = Vec::new();
        let mut lines = vec![Vec::new(); rows.len()];
        for item in items {
            let (expr, name) = match item {
                SelectItem::Wildcard(_) => {
                    shown.extend(names.iter().cloned());
                    lines.iter_mut().zip(rows).for_each(|(line, row)| line.extend(row.iter().cloned()));
                    continue;
                }
                SelectItem::UnnamedExpr(expr) => (expr, None),
                SelectItem::ExprWithAlias { expr, alias } => (expr, Some(Rc::from(alias.value.as_str()))),
                other => return self.refuse("this column of the result", other.span()),
            };
            let column = match expr {
                Expr::Identifier(it) => names.iter().find(|name| name.name.eq_ignore_ascii_case(&it.value)),
                _ => None,
            };
            let origin = column.and_then(|it| it.origin.clone());
            let of = name.or_else(|| column.map(|it| Rc::clone(&it.name)));
            shown.push(Name { table: "".into(), name: of.unwrap_or_else(|| expr.to_string().into()), origin });
            for (line, row) in lines.iter_mut().zip(rows) {
                line.push(self.expr(expr, &Scope::row(names, row, None))?);
            }
        }
        Ok((shown, lines))
    }

    fn table(&self, name: &sqlparser::ast::ObjectName) -> Result<usize, SqlError> {
        let shown = last(name).map(|it| it.value.clone()).unwrap_or_default();
        match self.db.schema.table(&shown) {
            Some(it) => Ok(it),
            None => self.refuse(format!("no such table: {shown}"), name.span()),
        }
    }

    fn column(&self, table: usize, name: &sqlparser::ast::ObjectName) -> Result<usize, SqlError> {
        let shown = last(name).map(|it| it.value.clone()).unwrap_or_default();
        match self.db.schema.tables[table].column(&shown) {
            Some(it) => Ok(it),
            None => self.refuse(format!("no such column: {shown}"), name.span()),
        }
    }

    pub(crate) fn insert(&mut self, insert: &Insert) -> Result<Outcome, SqlError> {
        if insert.or.is_some() || insert.ignore || insert.replace_into || insert.overwrite {
            return self.refuse("INSERT OR", insert.insert_token.0.span);
        }
        let TableObject::TableName(name) = &insert.table else {
            return self.refuse("this INSERT", insert.insert_token.0.span);
        };
        let table = self.table(name)?;
        let columns: Vec<usize> = if insert.columns.is_empty() {
            (0..self.db.schema.tables[table].columns.len()).collect()
        } else {
            insert.columns.iter().map(|it| self.column(table, it)).collect::<Result<_, _>>()?
        };
        let rows = match insert.source.as_deref() {
            None => vec![Vec::new()],
            Some(source) => self.source(source)?,
        };
        if insert.source.is_some() && rows.iter().any(|it| it.len() != columns.len()) {
            return self.refuse("as many values as columns are not given", name.span());
        }
        let upsert = self.upsert(table, insert.on.as_ref())?;
        let written = self.whole(|it| {
            let mut written = Vec::new();
            for row in rows {
                if let Some(cells) = it.insert_row(table, &columns, row, upsert.as_ref())? {
                    written.push(cells);
                }
            }
            for cells in &written {
                it.keeps_references(table, cells)?;
            }
            Ok(written)
        })?;
        self.returned(table, insert.returning.as_ref(), written)
    }

    fn source(&mut self, source: &Query) -> Result<Vec<Vec<Val>>, SqlError> {
        if let SetExpr::Values(values) = &*source.body {
            let mut res = Vec::new();
            for row in &values.rows {
                let row: Result<Vec<Val>, SqlError> = row.iter().map(|it| self.expr(it, &Scope::EMPTY)).collect();
                res.push(row?);
            }
            return Ok(res);
        }
        let rel = self.query(source, None)?;
        Ok(self.settled(rel.lines))
    }

    fn upsert<'q>(&self, table: usize, on: Option<&'q OnInsert>) -> Result<Option<Upsert<'q>>, SqlError> {
        let on = match on {
            None => return Ok(None),
            Some(OnInsert::OnConflict(it)) => it,
            Some(_) => return self.refuse("this INSERT", Span::empty()),
        };
        let key = match &on.conflict_target {
            None => None,
            Some(ConflictTarget::Columns { columns, predicate: None }) => {
                let found = columns.iter().map(|it| self.db.schema.tables[table].column(&it.value));
                match found.collect::<Option<Vec<usize>>>() {
                    Some(mut it) => {
                        it.sort_unstable();
                        Some(it)
                    }
                    None => return self.refuse("no such column", columns[0].span),
                }
            }
            Some(_) => return self.refuse("this ON CONFLICT", Span::empty()),
        };
        let set = match &on.action {
            OnConflictAction::DoNothing => None,
            OnConflictAction::DoUpdate(it) => Some((it.assignments.as_slice(), it.selection.as_ref())),
        };
        Ok(Some(Upsert { key, set }))
    }

    /// The row that was written, if one was.
    fn insert_row(
        &mut self,
        table: usize,
        columns: &[usize],
        values: Vec<Val>,
        upsert: Option<&Upsert<'_>>,
    ) -> Result<Option<Vec<Val>>, SqlError> {
        let schema = Rc::clone(&self.db.schema);
        let it = &schema.tables[table];
        let mut cells: Vec<Val> =
            it.columns.iter().map(|it| Val::of(&self.terms, it.default.as_ref().unwrap_or(&Const::Null))).collect();
        for (column, value) in columns.iter().zip(values) {
            cells[*column] = value;
        }
        let number = self.number_for(table, &mut cells)?;
        self.keeps_its_own(table, &cells)?;
        for key in self.keys(table) {
            let Some(other) = self.sharing(table, &key, &cells, None)? else { continue };
            let mut sorted = key.clone();
            sorted.sort_unstable();
            return match upsert {
                Some(it) if it.key.as_ref().is_none_or(|it| *it == sorted) => match it.set {
                    None => Ok(None),
                    Some((set, cond)) => self.update_instead(table, other, set, cond, &cells),
                },
                _ => Err(self.shared(table, &key)),
            };
        }
        let rows = Rc::make_mut(&mut self.db.tables[table]);
        let at = rows.partition_point(|it| it.number < number);
        rows.insert(at, Row { present: self.terms.bool(true), number, cells: cells.as_slice().into() });
        self.db.highest[table] = self.db.highest[table].max(number);
        self.db.last_number = number;
        Ok(Some(cells))
    }

    /// The number of a new row: one more than the highest that is there, or, with AUTOINCREMENT, that ever was.
    fn number_for(&mut self, table: usize, cells: &mut [Val]) -> Result<i64, SqlError> {
        let schema = Rc::clone(&self.db.schema);
        let it = &schema.tables[table];
        let column = it.row_number();
        if let Some(column) = column {
            match self.db.seen(&cells[column], self.ask).certain(&self.terms) {
                Some(Const::Null) => {}
                Some(Const::Int(number)) => return Ok(number),
                _ => return self.refuse("a number of a row that is not known", Span::empty()),
            }
        }
        let mut number = self.db.highest[table];
        if column.is_some() && !it.autoincrement {
            let rows = Rc::clone(&self.db.tables[table]);
            number = 0;
            for row in rows.iter().rev() {
                if self.db.decide(row.present, self.ask) {
                    number = row.number;
                    break;
                }
            }
        }
        let Some(number) = number.checked_add(1) else {
            return self.refuse("no number is left for a row", Span::empty());
        };
        if let Some(column) = column {
            cells[column] = Val::of(&self.terms, &Const::Int(number));
        }
        Ok(number)
    }

    /// Updates the row instead: ON CONFLICT DO UPDATE.
    fn update_instead(
        &mut self,
        table: usize,
        number: i64,
        set: &[Assignment],
        cond: Option<&Expr>,
        excluded: &[Val],
    ) -> Result<Option<Vec<Val>>, SqlError> {
        let rows = Rc::clone(&self.db.tables[table]);
        let Some(row) = rows.iter().find(|it| it.number == number) else { return Ok(None) };
        let mut names = self.names_of(table, None);
        names.extend(self.names_of(table, Some("excluded")));
        // A bare name is the row's; the other's are reached by `excluded` only.
        let inner = &names[..row.cells.len()];
        let outer = Scope::row(&names[row.cells.len()..], excluded, None);
        let scope = Scope::row(inner, &row.cells, Some(&outer));
        if let Some(cond) = cond {
            let yes = self.cond(cond, &scope)?.yes;
            if !self.db.decide(yes, self.ask) {
                return Ok(None);
            }
        }
        let cells = self.assigned(table, &row.cells, set, &scope)?;
        self.update_row(table, number, cells).map(Some)
    }

    fn assigned(
        &mut self,
        table: usize,
        old: &[Val],
        set: &[Assignment],
        scope: &Scope<'_>,
    ) -> Result<Vec<Val>, SqlError> {
        let mut cells = old.to_vec();
        for it in set {
            let AssignmentTarget::ColumnName(name) = &it.target else {
                return self.refuse("an assignment to several columns", it.value.span());
            };
            let column = self.column(table, name)?;
            let value = self.expr(&it.value, scope)?;
            if self.db.schema.tables[table].primary.contains(&column) && value != old[column] {
                return self.refuse("an UPDATE of a primary key", name.span());
            }
            cells[column] = value;
        }
        Ok(cells)
    }

    fn update_row(&mut self, table: usize, number: i64, cells: Vec<Val>) -> Result<Vec<Val>, SqlError> {
        self.keeps_its_own(table, &cells)?;
        for key in self.keys(table) {
            if self.sharing(table, &key, &cells, Some(number))?.is_some() {
                return Err(self.shared(table, &key));
            }
        }
        self.replace(table, number, cells.clone());
        Ok(cells)
    }

    fn only_table(&self, from: &TableWithJoins) -> Result<(usize, Vec<Name>), SqlError> {
        let TableFactor::Table { name, alias, args: None, .. } = &from.relation else {
            return self.refuse("this table", from.span());
        };
        if !from.joins.is_empty() {
            return self.refuse("a JOIN here", from.span());
        }
        let table = self.table(name)?;
        Ok((table, self.names_of(table, alias.as_ref().map(|it| it.name.value.as_str()))))
    }

    /// The rows of a table of which a condition is true, decided one after the other.
    fn chosen(&mut self, table: usize, names: &[Name], cond: Option<&Expr>) -> Result<Vec<Row>, SqlError> {
        let rows = Rc::clone(&self.db.tables[table]);
        let mut res = Vec::new();
        for row in rows.iter() {
            let yes = match cond {
                None => self.terms.bool(true),
                Some(it) => self.cond(it, &Scope::row(names, &row.cells, None))?.yes,
            };
            let cond = self.terms.and(row.present, yes);
            if self.db.decide(cond, self.ask) {
                res.push(row.clone());
            }
        }
        Ok(res)
    }

    pub(crate) fn update(&mut self, update: &Update) -> Result<Outcome, SqlError> {
        if update.or.is_some() || update.from.is_some() || !update.order_by.is_empty() || update.limit.is_some() {
            return self.refuse("this UPDATE", update.table.span());
        }
        let (table, names) = self.only_table(&update.table)?;
        let written = self.whole(|it| {
            let mut written = Vec::new();
            let rows = it.chosen(table, &names, update.selection.as_ref())?;
            // What is assigned is computed from the rows as they were.
            let mut news = Vec::new();
            for row in &rows {
                let scope = Scope::row(&names, &row.cells, None);
                news.push(it.assigned(table, &row.cells, &update.assignments, &scope)?);
            }
            for (row, cells) in rows.iter().zip(news) {
                written.push(it.update_row(table, row.number, cells)?);
            }
            for cells in &written {
                it.keeps_references(table, cells)?;
            }
            Ok(written)
        })?;
        self.returned(table, update.returning.as_ref(), written)
    }

    pub(crate) fn delete(&mut self, delete: &Delete) -> Result<Outcome, SqlError> {
        let from = match &delete.from {
            FromTable::WithFromKeyword(it) | FromTable::WithoutKeyword(it) => it.as_slice(),
        };
        let [from] = from else { return self.refuse("this DELETE", delete.span()) };
        if !delete.tables.is_empty() || delete.using.is_some() || !delete.order_by.is_empty() || delete.limit.is_some()
        {
            return self.refuse("this DELETE", delete.span());
        }
        let (table, names) = self.only_table(from)?;
        let deleted = self.whole(|it| {
            let rows = it.chosen(table, &names, delete.selection.as_ref())?;
            it.remove(table, &rows.iter().map(|it| it.number).collect::<Vec<_>>());
            let cells: Vec<Vec<Val>> = rows.iter().map(|it| it.cells.to_vec()).collect();
            it.after_deletion(table, cells.clone())?;
            Ok(cells)
        })?;
        self.returned(table, delete.returning.as_ref(), deleted)
    }
}

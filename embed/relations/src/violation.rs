//! What a row that is written must keep.
//!
//! Knows: NOT NULL, CHECK, UNIQUE, references. Never: which statement writes it.
//!
//! Whether a constraint is kept is decided on the path: the program is told of what it does not keep, as by SQLite.

use crate::error::{SqlError, Violation};
use crate::expression::Evaluator;
use crate::logic::{Compare, compare};
use crate::schema::OnDelete;
use crate::value::Val;
use effigy_term::Term;
use sqlparser::tokenizer::Span;
use std::rc::Rc;

impl Evaluator<'_> {
    /// Checks NOT NULL and CHECK constraints of a new row.
    pub(crate) fn keeps_its_own(&mut self, table: usize, cells: &[Val]) -> Result<(), SqlError> {
        let schema = Rc::clone(&self.db.schema);
        let it = &schema.tables[table];
        for (column, value) in it.columns.iter().zip(cells) {
            let value = self.db.seen(value, self.ask);
            if !column.nullable && self.db.decide(value.null, self.ask) {
                return Err(Violation::NotNull(format!("{}.{}", it.name, column.name)).into());
            }
        }
        for check in &it.checks {
            let no = self.check(table, cells, check)?.no;
            if self.db.decide(no, self.ask) {
                return Err(Violation::Check(check.to_string()).into());
            }
        }
        Ok(())
    }

    /// The keys of a table: the primary one, then those that are unique.
    pub(crate) fn keys(&self, table: usize) -> Vec<Vec<usize>> {
        let it = &self.db.schema.tables[table];
        let mut res = vec![it.primary.clone()];
        res.extend(it.unique.iter().cloned());
        res.retain(|it| !it.is_empty());
        res
    }

    /// The row with which another of these values would share a key, if there is one; `but` is not looked at.
    pub(crate) fn sharing(
        &mut self,
        table: usize,
        key: &[usize],
        cells: &[Val],
        but: Option<i64>,
    ) -> Result<Option<i64>, SqlError> {
        let rows = Rc::clone(&self.db.tables[table]);
        for row in rows.iter().filter(|it| Some(it.number) != but) {
            let same = self.db.same_key(key, &row.cells, cells, self.ask)?;
            let cond = self.terms.and(row.present, same);
            if self.db.decide(cond, self.ask) {
                return Ok(Some(row.number));
            }
        }
        Ok(None)
    }

    /// What SQLite says of a key that two rows would share.
    pub(crate) fn shared(&self, table: usize, key: &[usize]) -> SqlError {
        let it = &self.db.schema.tables[table];
        let names = key.iter().map(|column| format!("{}.{}", it.name, it.columns[*column].name));
        Violation::Unique(names.collect()).into()
    }

    /// The references of a row are to rows that are there.
    pub(crate) fn keeps_references(&mut self, table: usize, cells: &[Val]) -> Result<(), SqlError> {
        let schema = Rc::clone(&self.db.schema);
        for foreign in &schema.tables[table].foreign {
            let Some((other, column)) = schema.target(foreign) else { continue };
            let value = self.db.seen(&cells[foreign.column], self.ask);
            let mut kept = vec![value.null];
            let rows = Rc::clone(&self.db.tables[other]);
            for row in rows.iter() {
                kept.push(self.refers(row.present, &value, &row.cells[column])?);
            }
            let kept = self.terms.or_all(kept);
            if !self.db.decide(kept, self.ask) {
                return Err(Violation::ForeignKey.into());
            }
        }
        Ok(())
    }

    fn refers(&mut self, present: Term, value: &Val, target: &Val) -> Result<Term, SqlError> {
        let target = self.db.seen(target, self.ask);
        match compare(&self.terms, Compare::Equal, value, &target) {
            Ok(same) => Ok(self.terms.and(present, same.yes)),
            Err(it) => self.refuse(format!("a reference by {} to {}", it.0, it.1), Span::empty()),
        }
    }

    /// Rows were deleted: what refers to them is deleted, too, or refers to nothing, or does not allow it.
    pub(crate) fn after_deletion(&mut self, table: usize, deleted: Vec<Vec<Val>>) -> Result<(), SqlError> {
        let schema = Rc::clone(&self.db.schema);
        let mut work = vec![(table, deleted)];
        let mut gone: Vec<(usize, Vec<Vec<Val>>)> = Vec::new();
        while let Some((table, deleted)) = work.pop() {
            gone.push((table, deleted.clone()));
            for (from, it) in schema.tables.iter().enumerate() {
                for foreign in &it.foreign {
                    let Some((target, column)) = schema.target(foreign) else { continue };
                    if target != table {
                        continue;
                    }
                    let mut more = Vec::new();
                    let rows = Rc::clone(&self.db.tables[from]);
                    for row in rows.iter() {
                        let value = self.db.seen(&row.cells[foreign.column], self.ask);
                        let mut any = Vec::new();
                        for gone in &deleted {
                            any.push(self.refers(row.present, &value, &gone[column])?);
                        }
                        let refers = self.terms.or_all(any);
                        match foreign.on_delete {
                            // Looked at when the statement is done: such a row may be deleted by then.
                            OnDelete::Refuse => {}
                            OnDelete::Restrict => {
                                if self.db.decide(refers, self.ask) {
                                    return Err(Violation::ForeignKey.into());
                                }
                            }
                            OnDelete::Cascade => {
                                if self.db.decide(refers, self.ask) {
                                    more.push((row.number, row.cells.to_vec()));
                                }
                            }
                            OnDelete::SetNull => {
                                if self.db.decide(refers, self.ask) {
                                    let mut cells = row.cells.to_vec();
                                    cells[foreign.column] = Val::null(&self.terms);
                                    self.keeps_its_own(from, &cells)?;
                                    self.replace(from, row.number, cells);
                                }
                            }
                        }
                    }
                    self.remove(from, &more.iter().map(|it| it.0).collect::<Vec<_>>());
                    if !more.is_empty() {
                        work.push((from, more.into_iter().map(|it| it.1).collect()));
                    }
                }
            }
        }
        self.nothing_refers_to(&gone)
    }

    fn nothing_refers_to(&mut self, gone: &[(usize, Vec<Vec<Val>>)]) -> Result<(), SqlError> {
        let schema = Rc::clone(&self.db.schema);
        let mut any = Vec::new();
        for (from, it) in schema.tables.iter().enumerate() {
            for foreign in it.foreign.iter().filter(|it| it.on_delete == OnDelete::Refuse) {
                let Some((target, column)) = schema.target(foreign) else { continue };
                let rows = Rc::clone(&self.db.tables[from]);
                for row in rows.iter() {
                    let value = self.db.seen(&row.cells[foreign.column], self.ask);
                    for deleted in gone.iter().filter(|it| it.0 == target).flat_map(|it| &it.1) {
                        any.push(self.refers(row.present, &value, &deleted[column])?);
                    }
                }
            }
        }
        let any = self.terms.or_all(any);
        if self.db.decide(any, self.ask) { Err(Violation::ForeignKey.into()) } else { Ok(()) }
    }

    pub(crate) fn remove(&mut self, table: usize, numbers: &[i64]) {
        if !numbers.is_empty() {
            Rc::make_mut(&mut self.db.tables[table]).retain(|it| !numbers.contains(&it.number));
        }
    }

    pub(crate) fn replace(&mut self, table: usize, number: i64, cells: Vec<Val>) {
        for row in Rc::make_mut(&mut self.db.tables[table]).iter_mut().filter(|it| it.number == number) {
            row.cells = cells.as_slice().into();
        }
    }
}

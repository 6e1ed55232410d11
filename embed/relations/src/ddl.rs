//! CREATE TABLE and its kin, into a schema.
//!
//! Knows: how SQLite and sea-query write definitions. Never: rows.

use crate::error::{Refusal, SqlError};
use crate::names::{last, literal};
use crate::schema::{Column, ForeignKey, Kind, OnDelete, Schema, Table};
use crate::value::Const;
use sqlparser::ast::{
    AlterTableOperation, ColumnDef, ColumnOption, CreateIndex, CreateTable, Expr, ForeignKeyConstraint, Ident,
    InTarget, IndexColumn, ObjectName, ObjectType, ReferentialAction, Spanned, Statement, TableConstraint,
};
use sqlparser::dialect::SQLiteDialect;
use sqlparser::parser::Parser;
use sqlparser::tokenizer::Span;
use std::rc::Rc;

/// More columns than this are nobody's table.
const MOST_COLUMNS: usize = 2_000;

impl Schema {
    /// The schema after these statements: CREATE TABLE, CREATE INDEX, DROP TABLE, ALTER TABLE ADD COLUMN.
    pub fn read(statements: &str) -> Result<Schema, SqlError> {
        let mut schema = Schema::default();
        schema.apply(statements)?;
        Ok(schema)
    }

    /// Applies statements that define tables.
    pub fn apply(&mut self, sql: &str) -> Result<(), SqlError> {
        crate::bounds::tokens(sql)?;
        let statements =
            Parser::parse_sql(&SQLiteDialect {}, sql).map_err(|it| Refusal::at(it.to_string(), Span::empty(), sql))?;
        for statement in statements {
            Reader { schema: self, sql }.statement(&statement)?;
        }
        Ok(())
    }
}

struct Reader<'a> {
    schema: &'a mut Schema,
    sql: &'a str,
}

impl Reader<'_> {
    fn refuse<T>(&self, what: impl Into<String>, span: Span) -> Result<T, SqlError> {
        Err(Refusal::at(what, span, self.sql).into())
    }

    fn statement(&mut self, statement: &Statement) -> Result<(), SqlError> {
        match statement {
            Statement::CreateTable(it) => self.create_table(it),
            Statement::CreateIndex(it) => self.create_index(it),
            Statement::Drop { object_type: ObjectType::Table, names, .. } => {
                for name in names {
                    let name = self.name(name)?;
                    self.schema.tables.retain(|it| !it.name.eq_ignore_ascii_case(&name));
                }
                Ok(())
            }
            Statement::Drop { object_type: ObjectType::Index, .. } => {
                // Whether it was a unique one is not known here.
                self.refuse("DROP INDEX", statement.span())
            }
            Statement::AlterTable(alter) => {
                let name = self.name(&alter.name)?;
                let Some(at) = self.schema.table(&name) else {
                    return self.refuse(format!("no such table: {name}"), statement.span());
                };
                for operation in &alter.operations {
                    let AlterTableOperation::AddColumn { column_def, .. } = operation else {
                        return self.refuse("ALTER TABLE other than ADD COLUMN", statement.span());
                    };
                    let mut table = self.schema.tables[at].clone();
                    self.column(&mut table, column_def)?;
                    self.schema.tables[at] = table;
                }
                Ok(())
            }
            _ => self.refuse("a statement that is no definition of a table", statement.span()),
        }
    }

    fn name(&self, name: &ObjectName) -> Result<Rc<str>, SqlError> {
        match last(name) {
            Some(it) => Ok(Rc::from(it.value.as_str())),
            None => self.refuse("a name that is computed", name.span()),
        }
    }

    fn create_table(&mut self, create: &CreateTable) -> Result<(), SqlError> {
        let name = self.name(&create.name)?;
        if self.schema.table(&name).is_some() {
            if create.if_not_exists {
                return Ok(());
            }
            return self.refuse(format!("table {name} already exists"), create.name.span());
        }
        if create.query.is_some() || create.like.is_some() || create.clone.is_some() {
            return self.refuse("CREATE TABLE from another table", create.name.span());
        }
        if create.columns.len() > MOST_COLUMNS {
            return self.refuse("a table of so many columns", create.name.span());
        }
        let mut table = Table {
            name,
            columns: Vec::new(),
            primary: Vec::new(),
            autoincrement: false,
            unique: Vec::new(),
            foreign: Vec::new(),
            checks: Vec::new(),
        };
        for column in &create.columns {
            self.column(&mut table, column)?;
        }
        for constraint in &create.constraints {
            self.constraint(&mut table, constraint)?;
        }
        // A primary key of SQLite may be null, but for the number of the row; who declares one does not mean that.
        for column in table.primary.clone() {
            table.columns[column].nullable = false;
        }
        self.schema.tables.push(table);
        Ok(())
    }

    fn constraint(&mut self, table: &mut Table, constraint: &TableConstraint) -> Result<(), SqlError> {
        match constraint {
            TableConstraint::PrimaryKey(it) => table.primary = self.columns(table, &it.columns)?,
            TableConstraint::Unique(it) => {
                let columns = self.columns(table, &it.columns)?;
                table.unique.push(columns);
            }
            TableConstraint::ForeignKey(it) => {
                let [column] = it.columns.as_slice() else {
                    return self.refuse("a foreign key of several columns", it.foreign_table.span());
                };
                let column = self.column_of(table, column)?;
                let foreign = self.foreign(column, it)?;
                table.foreign.push(foreign);
            }
            TableConstraint::Check(it) => self.check(table, &it.expr),
            TableConstraint::Index(_) => {}
            other => return self.refuse(format!("this constraint: {other}"), Span::empty()),
        }
        Ok(())
    }

    fn column(&mut self, table: &mut Table, def: &ColumnDef) -> Result<(), SqlError> {
        let at = table.columns.len();
        let name: Rc<str> = Rc::from(def.name.value.as_str());
        if table.column(&name).is_some() {
            return self.refuse(format!("duplicate column name: {name}"), def.name.span);
        }
        let kind = kind_of(&def.data_type.to_string());
        table.columns.push(Column {
            name,
            kind,
            nullable: true,
            default: None,
            domain: None,
            opaque: false,
            symbolic: false,
        });
        for option in &def.options {
            match &option.option {
                ColumnOption::Null => {}
                ColumnOption::NotNull => table.columns[at].nullable = false,
                ColumnOption::Default(expr) => {
                    let Some(value) = literal(expr) else {
                        // It matters only where an INSERT leaves it to the database.
                        table.columns[at].default = None;
                        if !table.columns[at].nullable {
                            return self.refuse("a default that is no literal", expr.span());
                        }
                        continue;
                    };
                    table.columns[at].default = Some(of_kind(value, kind));
                }
                ColumnOption::PrimaryKey(_) => table.primary = vec![at],
                ColumnOption::Unique(_) => table.unique.push(vec![at]),
                ColumnOption::ForeignKey(it) => {
                    let foreign = self.foreign(at, it)?;
                    table.foreign.push(foreign);
                }
                ColumnOption::Check(it) => self.check(table, &it.expr),
                ColumnOption::DialectSpecific(tokens) => {
                    let text = tokens.iter().map(ToString::to_string).collect::<String>();
                    if !text.eq_ignore_ascii_case("autoincrement") {
                        return self.refuse(format!("the option {text} of a column"), def.name.span);
                    }
                    table.autoincrement = true;
                }
                ColumnOption::Comment(_) => {}
                other => return self.refuse(format!("the option {other} of a column"), def.name.span),
            }
        }
        Ok(())
    }

    fn foreign(&self, column: usize, it: &ForeignKeyConstraint) -> Result<ForeignKey, SqlError> {
        let span = it.foreign_table.span();
        let target = match it.referred_columns.as_slice() {
            [] => None,
            [one] => Some(Rc::from(one.value.as_str())),
            _ => return self.refuse("a foreign key of several columns", span),
        };
        let on_delete = match it.on_delete {
            None | Some(ReferentialAction::NoAction) => OnDelete::Refuse,
            Some(ReferentialAction::Restrict) => OnDelete::Restrict,
            Some(ReferentialAction::Cascade) => OnDelete::Cascade,
            Some(ReferentialAction::SetNull) => OnDelete::SetNull,
            Some(ReferentialAction::SetDefault) => return self.refuse("ON DELETE SET DEFAULT", span),
        };
        Ok(ForeignKey { column, table: self.name(&it.foreign_table)?, target, on_delete })
    }

    fn check(&self, table: &mut Table, expr: &Expr) {
        if let Some((column, values)) = listed(expr)
            && let Some(at) = table.column(&column.value)
        {
            table.columns[at].domain = Some(values.into());
        }
        table.checks.push(expr.clone());
    }

    fn columns(&self, table: &Table, columns: &[IndexColumn]) -> Result<Vec<usize>, SqlError> {
        columns
            .iter()
            .map(|it| match &it.column.expr {
                Expr::Identifier(name) => self.column_of(table, name),
                other => self.refuse("an index on an expression", other.span()),
            })
            .collect()
    }

    fn column_of(&self, table: &Table, name: &Ident) -> Result<usize, SqlError> {
        match table.column(&name.value) {
            Some(it) => Ok(it),
            None => self.refuse(format!("no such column: {name}"), name.span),
        }
    }

    fn create_index(&mut self, create: &CreateIndex) -> Result<(), SqlError> {
        if !create.unique {
            return Ok(());
        }
        let name = self.name(&create.table_name)?;
        let Some(at) = self.schema.table(&name) else {
            return self.refuse(format!("no such table: {name}"), create.table_name.span());
        };
        if create.predicate.is_some() {
            return self.refuse("a unique index with a condition", create.table_name.span());
        }
        let columns = self.columns(&self.schema.tables[at], &create.columns)?;
        self.schema.tables[at].unique.push(columns);
        Ok(())
    }
}

/// The column and the values of `column IN ('a', 'b')`; `None` for anything else.
fn listed(expr: &Expr) -> Option<(&Ident, Vec<Const>)> {
    match expr {
        Expr::Nested(it) => listed(it),
        Expr::In { expr, target: InTarget::List(list), negated: false, .. } => {
            let Expr::Identifier(column) = &**expr else { return None };
            Some((column, list.iter().map(literal).collect::<Option<Vec<Const>>>()?))
        }
        _ => None,
    }
}

/// The kind of a declared type. SQLite's own affinity knows no truth values; sea-query writes dates as `..._text`.
fn kind_of(name: &str) -> Kind {
    let name = name.to_ascii_lowercase();
    let has = |parts: &[&str]| parts.iter().any(|it| name.contains(it));
    if name.starts_with("enum") {
        Kind::Text
    } else if has(&["date", "time", "uuid", "json"]) {
        Kind::Other
    } else if has(&["bool"]) {
        Kind::Bool
    } else if has(&["bigint", "int8"]) {
        Kind::Int(64)
    } else if has(&["int"]) {
        Kind::Int(32)
    } else if has(&["char", "text", "clob"]) {
        Kind::Text
    } else if has(&["real", "float", "double", "decimal", "numeric"]) {
        Kind::Real
    } else if has(&["blob", "binary"]) {
        Kind::Bytes
    } else {
        Kind::Other
    }
}

/// SQLite has 0 and 1 for truth values.
fn of_kind(value: Const, kind: Kind) -> Const {
    match (value, kind) {
        (Const::Int(it), Kind::Bool) => Const::Bool(it != 0),
        (Const::Bool(it), Kind::Int(_)) => Const::Int(i64::from(it)),
        (it, _) => it,
    }
}

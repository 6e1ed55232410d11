//! Values of the database as those of sea-orm, and back.
//!
//! Knows: which kind of value a column of an entity has. Never: rows.
//!
//! sea-orm reads a value only as the kind that it was sent as: an `i32` is no `i64`.

use crate::sym;
use effigy_relations::Const;
use sea_orm::{ColumnType, Value};

/// A value that a statement carries.
pub(crate) fn from_sea(value: &Value) -> Result<Const, String> {
    let int = |it: Option<i64>| it.map_or(Const::Null, Const::Int);
    Ok(match value {
        Value::Bool(it) => it.map_or(Const::Null, Const::Bool),
        Value::TinyInt(it) => int(it.map(i64::from)),
        Value::SmallInt(it) => int(it.map(i64::from)),
        Value::Int(it) => int(it.map(i64::from)),
        Value::BigInt(it) => int(*it),
        Value::TinyUnsigned(it) => int(it.map(i64::from)),
        Value::SmallUnsigned(it) => int(it.map(i64::from)),
        Value::Unsigned(it) => int(it.map(i64::from)),
        Value::BigUnsigned(None) => Const::Null,
        Value::BigUnsigned(Some(it)) => match i64::try_from(*it) {
            Ok(it) => Const::Int(it),
            Err(_) => return Err(format!("the number {it} as a parameter")),
        },
        Value::Float(it) => it.map_or(Const::Null, |it| Const::Real(f64::from(it))),
        Value::Double(it) => it.map_or(Const::Null, Const::Real),
        Value::String(it) => it.as_deref().map_or(Const::Null, Const::text),
        Value::Char(it) => it.map_or(Const::Null, |it| Const::text(it.encode_utf8(&mut [0; 4]))),
        Value::Bytes(it) => it.as_deref().map_or(Const::Null, |it| Const::Bytes(it.into())),
        other => return Err(format!("the parameter {other:?}")),
    })
}

/// A value that a program is sent, as its column is declared.
pub(crate) fn to_sea(value: &Const, kind: Option<&ColumnType>) -> Result<Value, String> {
    let fails = || Err(format!("the value {value} in a column of {kind:?}"));
    // A truth value is 0 or 1 in SQLite.
    let number = match value {
        Const::Int(it) => Some(*it),
        Const::Bool(it) => Some(i64::from(*it)),
        _ => None,
    };
    let null = *value == Const::Null;
    let text = match value {
        Const::Text(it) => Some(it.to_string()),
        _ => None,
    };
    macro_rules! narrow {
        ($variant:ident) => {
            match number.map(TryFrom::try_from) {
                Some(Ok(it)) => Value::$variant(Some(it)),
                _ if null => Value::$variant(None),
                _ => return fails(),
            }
        };
    }
    Ok(match kind {
        Some(ColumnType::Boolean) => match number {
            Some(it) => Value::Bool(Some(it != 0)),
            None if null => Value::Bool(None),
            None => return fails(),
        },
        // A field of symbolic numbers takes plain ones of any size.
        Some(it) if sym::is_symbolic(it) => narrow!(BigInt),
        Some(ColumnType::TinyInteger) => narrow!(TinyInt),
        Some(ColumnType::SmallInteger) => narrow!(SmallInt),
        Some(ColumnType::Integer) => narrow!(Int),
        Some(ColumnType::BigInteger) => narrow!(BigInt),
        Some(ColumnType::TinyUnsigned) => narrow!(TinyUnsigned),
        Some(ColumnType::SmallUnsigned) => narrow!(SmallUnsigned),
        Some(ColumnType::Unsigned) => narrow!(Unsigned),
        Some(ColumnType::BigUnsigned) => narrow!(BigUnsigned),
        Some(ColumnType::Float) => match value {
            Const::Real(it) => Value::Float(Some(*it as f32)),
            Const::Null => Value::Float(None),
            _ => return fails(),
        },
        Some(ColumnType::Double) => match value {
            Const::Real(it) => Value::Double(Some(*it)),
            Const::Null => Value::Double(None),
            _ => return fails(),
        },
        Some(ColumnType::Char(_) | ColumnType::String(_) | ColumnType::Text | ColumnType::Enum { .. }) => match text {
            Some(it) => Value::String(Some(it)),
            None if null => Value::String(None),
            None => return fails(),
        },
        Some(ColumnType::Binary(_) | ColumnType::VarBinary(_) | ColumnType::Blob) => match value {
            Const::Bytes(it) => Value::Bytes(Some(it.to_vec())),
            Const::Null => Value::Bytes(None),
            _ => return fails(),
        },
        Some(_) => return fails(),
        None => match value {
            Const::Null => Value::BigInt(None),
            Const::Int(it) => Value::BigInt(Some(*it)),
            Const::Bool(it) => Value::Bool(Some(*it)),
            Const::Text(it) => Value::String(Some(it.to_string())),
            Const::Real(it) => Value::Double(Some(*it)),
            Const::Bytes(it) => Value::Bytes(Some(it.to_vec())),
        },
    })
}

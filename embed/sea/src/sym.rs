//! A field of an entity whose numbers are symbolic: the application's own comparisons fork, none stands for all.
//!
//! Knows: how a term passes through sea-orm's values, and back. Never: what operators mean (`effigy`), SQL.
//! Source: the survey of embeddings, way (e), "aliased entity fields".
//!
//! ```
//! #[cfg(not(feature = "effigy"))]
//! pub type Amount = i64;
//! #[cfg(feature = "effigy")]
//! pub type Amount = effigy_sea::Sym<i64>;
//! ```
//!
//! A value of sea-orm has no place for a term, so one is passed as a ticket: bytes with the number of a term of this path.
//! Nothing but the field's type and the seam reads it.

use effigy_session::{Session, SessionId, Term, Terms, Width};
use sea_orm::sea_query::{ArrayType, Nullable, ValueType, ValueTypeErr};
use sea_orm::{ActiveValue, ColIdx, ColumnType, DbErr, IntoActiveValue, QueryResult, TryGetError, TryGetable, Value};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::cell::RefCell;
use std::fmt;
use std::ops::Deref;

mod operators;

/// A number of a column, symbolic or plain: what [`effigy::Sym`] is, where sea-orm can read and write it.
///
/// Where it is written as text or JSON, one value stands for all, and the verdict names the column.
#[derive(Clone, Copy)]
pub struct Sym<T>(effigy::Sym<T>);

/// Numbers that a column can have.
pub trait Number: effigy::Int + Ord + fmt::Display + TryFrom<i64> + Into<i64> + Into<Value> {
    /// The name of the column's type: SQLite takes it for a number, the schema's reader for one of these bits.
    const COLUMN: &'static str;
}

macro_rules! numbers {
    ($($type:ty: $column:literal),*) => { $(
        impl Number for $type {
            const COLUMN: &'static str = $column;
        }
    )* };
}

numbers!(i8: "effigy_integer", i16: "effigy_integer", i32: "effigy_integer", i64: "effigy_bigint",
    u8: "effigy_integer", u16: "effigy_integer", u32: "effigy_bigint");

/// Whether a column of this kind is a field of symbolic numbers.
pub(crate) fn is_symbolic(kind: &ColumnType) -> bool {
    matches!(kind, ColumnType::Custom(it) if matches!(it.to_string().as_str(), "effigy_integer" | "effigy_bigint"))
}

/// A term that is under way, in 64 bits, and the column that it comes from.
struct Ticket {
    session: SessionId,
    term: Term,
    column: Option<String>,
}

thread_local! {
    /// Those of the path that this thread is on.
    static TICKETS: RefCell<Vec<Ticket>> = const { RefCell::new(Vec::new()) };
}

/// The bytes with which a ticket begins.
const MARK: &[u8] = b"effigy's number ";

/// Forgets the tickets of the last path.
pub(crate) fn forget() {
    TICKETS.with_borrow_mut(Vec::clear);
}

/// A term of 64 bits as a value of sea-orm.
pub(crate) fn send(session: &Session, term: Term, column: Option<String>) -> Value {
    let number = TICKETS.with_borrow_mut(|it| {
        it.push(Ticket { session: session.id(), term, column });
        it.len() - 1
    });
    Value::Bytes(Some([MARK, &(number as u64).to_le_bytes()].concat()))
}

/// The session and the term of a ticket.
fn taken(value: &Value) -> Option<(SessionId, Term)> {
    let Value::Bytes(Some(bytes)) = value else { return None };
    let number = bytes.strip_prefix(MARK)?.try_into().ok().map(u64::from_le_bytes)?;
    TICKETS.with_borrow(|it| it.get(usize::try_from(number).ok()?).map(|it| (it.session, it.term)))
}

/// The term of 64 bits that a statement is given, if it is one.
pub(crate) fn given(session: &Session, value: &Value) -> Option<Term> {
    let (id, term) = taken(value)?;
    (id == session.id()).then_some(term)
}

fn widened<T: Number>(terms: &Terms, term: Term) -> Term {
    if T::SIGNED { terms.bv_sign_extend(Width::W64, term) } else { terms.bv_zero_extend(Width::W64, term) }
}

impl<T: Number> Sym<T> {
    /// A plain value, of which nothing is symbolic.
    pub const fn plain(value: T) -> Sym<T> {
        Sym(effigy::Sym::plain(value))
    }

    /// The value as the library has it.
    pub fn sym(self) -> effigy::Sym<T> {
        self.0
    }

    /// The value of a ticket. A path on which the type is too narrow for it is not followed, and says so.
    fn of_ticket((id, wide): (SessionId, Term)) -> Sym<T> {
        let session = Session::of(id);
        let terms = session.terms();
        let narrow = terms.bv_extract(T::BITS - 1, 0, wide);
        if !session.decide(terms.eq(widened::<T>(terms, narrow), wide)) {
            session.unsupported(&format!("a number of a column that is no {}", T::NAME));
        }
        Sym(effigy::Sym::of(&session, narrow))
    }

    /// One value, which stands for all.
    fn witness(self) -> T {
        if let Some(it) = self.0.as_plain() {
            return it;
        }
        let session = Session::current();
        let term = self.0.term(&session);
        let wide = widened::<T>(session.terms(), term);
        let column = TICKETS.with_borrow(|all| all.iter().find(|it| it.term == wide).and_then(|it| it.column.clone()));
        T::of_value(&session.witness(term, column.as_deref().unwrap_or("a number that is computed of columns")))
    }
}

impl<T: Number> From<T> for Sym<T> {
    fn from(value: T) -> Sym<T> {
        Sym::plain(value)
    }
}

impl<T: Number> From<effigy::Sym<T>> for Sym<T> {
    fn from(value: effigy::Sym<T>) -> Sym<T> {
        Sym(value)
    }
}

impl<T: Number + Default> Default for Sym<T> {
    fn default() -> Sym<T> {
        Sym::plain(T::default())
    }
}

/// What the library's values can do: checked arithmetic, comparisons that ask nothing.
impl<T> Deref for Sym<T> {
    type Target = effigy::Sym<T>;

    fn deref(&self) -> &effigy::Sym<T> {
        &self.0
    }
}

/// As [`fmt::Display`], but in a report, which names symbols.
impl<T: Number> fmt::Debug for Sym<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if effigy::written::is_report() { fmt::Debug::fmt(&self.0, f) } else { fmt::Debug::fmt(&self.witness(), f) }
    }
}

/// What a program writes it may send, so that it is a value.
impl<T: Number> fmt::Display for Sym<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.witness(), f)
    }
}

impl<T: Number + Serialize> Serialize for Sym<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.witness().serialize(serializer)
    }
}

impl<'de, T: Number + Deserialize<'de>> Deserialize<'de> for Sym<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Sym<T>, D::Error> {
        T::deserialize(deserializer).map(Sym::plain)
    }
}

impl<T: Number> From<Sym<T>> for Value {
    fn from(value: Sym<T>) -> Value {
        match value.0.as_plain() {
            Some(it) => it.into(),
            None => {
                let session = Session::current();
                let term = widened::<T>(session.terms(), value.0.term(&session));
                send(&session, term, None)
            }
        }
    }
}

impl<T: Number> ValueType for Sym<T> {
    fn try_from(value: Value) -> Result<Sym<T>, ValueTypeErr> {
        if let Some(it) = taken(&value) {
            return Ok(Sym::of_ticket(it));
        }
        let number = match value {
            Value::TinyInt(Some(it)) => i64::from(it),
            Value::SmallInt(Some(it)) => i64::from(it),
            Value::Int(Some(it)) => i64::from(it),
            Value::BigInt(Some(it)) => it,
            Value::TinyUnsigned(Some(it)) => i64::from(it),
            Value::SmallUnsigned(Some(it)) => i64::from(it),
            Value::Unsigned(Some(it)) => i64::from(it),
            _ => return Err(ValueTypeErr),
        };
        T::try_from(number).map(Sym::plain).map_err(|_| ValueTypeErr)
    }

    fn type_name() -> String {
        format!("Sym<{}>", T::NAME)
    }

    fn array_type() -> ArrayType {
        ArrayType::BigInt
    }

    fn column_type() -> ColumnType {
        ColumnType::custom(T::COLUMN)
    }
}

impl<T: Number> Nullable for Sym<T> {
    fn null() -> Value {
        Value::BigInt(None)
    }
}

impl<T: Number> TryGetable for Sym<T> {
    fn try_get_by<I: ColIdx>(row: &QueryResult, index: I) -> Result<Sym<T>, TryGetError> {
        if let Ok(bytes) = Vec::<u8>::try_get_by(row, index)
            && let Some(it) = taken(&Value::Bytes(Some(bytes)))
        {
            return Ok(Sym::of_ticket(it));
        }
        let number = i64::try_get_by(row, index)?;
        let narrow = T::try_from(number).map(Sym::plain);
        narrow.map_err(|_| TryGetError::DbErr(DbErr::Type(format!("{number} is no {}", T::NAME))))
    }
}

impl<T: Number> IntoActiveValue<Sym<T>> for Sym<T> {
    fn into_active_value(self) -> ActiveValue<Sym<T>> {
        ActiveValue::Set(self)
    }
}

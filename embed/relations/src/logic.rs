//! Three-valued truth, and comparisons.
//!
//! Knows: when a condition is true and when it is false; it is unknown otherwise. Never: statements.
//! Source: ISO 9075-2, section 6.39 (boolean value expression); SQLite, "Datatypes", section 4 (comparisons).

use crate::text::{HasZero, Text};
use crate::value::{Data, Val, int};
use effigy_term::{Term, Terms};

/// A truth value of SQL.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tri {
    /// The condition under which it is true.
    pub yes: Term,
    /// The condition under which it is false.
    pub no: Term,
}

/// Values of kinds that are not compared here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kinds(pub &'static str, pub &'static str);

impl Tri {
    /// A truth value that is never unknown: true where `cond` holds, else false.
    pub fn certain(terms: &Terms, cond: Term) -> Tri {
        Tri { yes: cond, no: terms.not(cond) }
    }

    /// `cond` where `known`, otherwise unknown.
    pub fn known(terms: &Terms, known: Term, cond: Term) -> Tri {
        Tri { yes: terms.and(known, cond), no: terms.and(known, terms.not(cond)) }
    }

    /// The operator NOT; the negation of unknown is unknown.
    #[expect(clippy::should_implement_trait, reason = "the name of SQL; a Tri is nothing without its arena")]
    pub fn not(self) -> Tri {
        Tri { yes: self.no, no: self.yes }
    }

    /// The operator AND of three-valued logic.
    pub fn and(self, other: Tri, terms: &Terms) -> Tri {
        Tri { yes: terms.and(self.yes, other.yes), no: terms.or(self.no, other.no) }
    }

    /// The operator OR of three-valued logic.
    pub fn or(self, other: Tri, terms: &Terms) -> Tri {
        Tri { yes: terms.or(self.yes, other.yes), no: terms.and(self.no, other.no) }
    }

    /// The truth value as a value, which is null where it is unknown.
    pub fn value(self, terms: &Terms) -> Val {
        Val { null: terms.not(terms.or(self.yes, self.no)), data: Data::Bool(self.yes) }
    }

    /// A value as a condition: a number is true where it is not zero.
    pub fn of(value: &Val, terms: &Terms) -> Result<Tri, Kinds> {
        let known = terms.not(value.null);
        match &value.data {
            Data::Nothing => Ok(Tri { yes: terms.bool(false), no: terms.bool(false) }),
            Data::Bool(it) => Ok(Tri::known(terms, known, *it)),
            Data::Int(it) => Ok(Tri::known(terms, known, terms.ne(*it, int(terms, 0)))),
            Data::Real(it) => Ok(Tri::known(terms, known, terms.bool(*it != 0.0))),
            other => Err(Kinds(name(other), "a condition")),
        }
    }
}

/// The two comparisons from which the others are made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Compare {
    /// `=`: the two values are equal.
    Equal,
    /// `<`: the first value is less.
    Less,
}

/// Compares two values; unknown where one is null.
pub fn compare(terms: &Terms, how: Compare, a: &Val, b: &Val) -> Result<Tri, Kinds> {
    let known = terms.and(terms.not(a.null), terms.not(b.null));
    if matches!(a.data, Data::Nothing) || matches!(b.data, Data::Nothing) {
        return Ok(Tri { yes: terms.bool(false), no: terms.bool(false) });
    }
    Ok(Tri::known(terms, known, of_data(terms, how, &a.data, &b.data)?))
}

fn of_data(terms: &Terms, how: Compare, a: &Data, b: &Data) -> Result<Term, Kinds> {
    let number = |it: &Data| match it {
        Data::Bool(it) => Some(terms.ite(*it, int(terms, 1), int(terms, 0))),
        Data::Int(it) => Some(*it),
        _ => None,
    };
    let fails = Kinds(name(a), name(b));
    Ok(match (a, b) {
        (Data::Bool(a), Data::Bool(b)) => match how {
            Compare::Equal => terms.eq(*a, *b),
            Compare::Less => terms.and(terms.not(*a), *b),
        },
        (Data::Bool(_) | Data::Int(_), Data::Bool(_) | Data::Int(_)) => {
            let (Some(a), Some(b)) = (number(a), number(b)) else { return Err(fails) };
            match how {
                Compare::Equal => terms.eq(a, b),
                Compare::Less => terms.bv_slt(a, b),
            }
        }
        (Data::Text(a), Data::Text(b)) => match how {
            Compare::Equal => a.equal(b, terms),
            Compare::Less => a.less(b, terms).map_err(|HasZero| Kinds("a text with the character zero", "a text"))?,
        },
        (Data::Real(a), Data::Real(b)) => terms.bool(match how {
            Compare::Equal => a == b,
            Compare::Less => a < b,
        }),
        (Data::Bytes(a), Data::Bytes(b)) => terms.bool(match how {
            Compare::Equal => a == b,
            Compare::Less => a < b,
        }),
        _ => return Err(fails),
    })
}

/// When two values are the same, null being the same as null: GROUP BY, DISTINCT, IS.
pub fn same(terms: &Terms, a: &Val, b: &Val) -> Result<Term, Kinds> {
    let equal = compare(terms, Compare::Equal, a, b)?.yes;
    Ok(terms.or(terms.and(a.null, b.null), equal))
}

/// When `a` comes before `b` in an ascending order: null comes before all.
pub fn before(terms: &Terms, a: &Val, b: &Val, nulls_first: bool) -> Result<Term, Kinds> {
    let less = compare(terms, Compare::Less, a, b)?.yes;
    let by_null = if nulls_first { terms.and(a.null, terms.not(b.null)) } else { terms.and(b.null, terms.not(a.null)) };
    Ok(terms.or(by_null, less))
}

/// The first where the condition holds, the second elsewhere.
pub fn ite(terms: &Terms, cond: Term, then: &Val, other: &Val) -> Result<Val, Kinds> {
    match terms.as_bool(cond) {
        Some(true) => return Ok(then.clone()),
        Some(false) => return Ok(other.clone()),
        None => {}
    }
    let number = |it: &Term| terms.ite(*it, int(terms, 1), int(terms, 0));
    let data = match (&then.data, &other.data) {
        (Data::Nothing, it) | (it, Data::Nothing) => it.clone(),
        (Data::Bool(a), Data::Bool(b)) => Data::Bool(terms.ite(cond, *a, *b)),
        (Data::Int(a), Data::Int(b)) => Data::Int(terms.ite(cond, *a, *b)),
        (Data::Bool(a), Data::Int(b)) => Data::Int(terms.ite(cond, number(a), *b)),
        (Data::Int(a), Data::Bool(b)) => Data::Int(terms.ite(cond, *a, number(b))),
        (Data::Text(a), Data::Text(b)) => {
            Data::Text(Text::ite(cond, a, b, terms).ok_or(Kinds("a long text", "a text that is not known"))?)
        }
        (a, b) if a == b => a.clone(),
        (a, b) => return Err(Kinds(name(a), name(b))),
    };
    Ok(Val { null: terms.ite(cond, then.null, other.null), data })
}

/// The kind of a value, as messages name it.
pub fn name(data: &Data) -> &'static str {
    match data {
        Data::Nothing => "NULL",
        Data::Bool(_) => "a truth value",
        Data::Int(_) => "an integer",
        Data::Text(_) => "a text",
        Data::Real(_) => "a number with a fraction",
        Data::Bytes(_) => "bytes",
        Data::Cell(_) => "a cell",
    }
}

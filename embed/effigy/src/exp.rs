//! The paper's symbolic expressions: what was computed, as it was written, and not simplified.
//!
//! Knows: operators by name, and the two ways in which the paper writes an expression. Never: what an operator means.
//! Source: Near and Jackson 2014, section 2.

use crate::written::for_report;
use effigy_session::{BvOp, Session, Term, Terms};
use effigy_term::{Node, print::math};
use std::cell::Cell;
use std::fmt;

/// An expression. Written by `{}` as a person writes it, by [`Exp::tree`] as `Exp(==, [x, 1])`.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Exp {
    /// A symbol, or a value.
    Atom(String),
    /// An operator with its operands.
    Of(String, Vec<Exp>),
    /// For all values of a type.
    All(String, String, Box<Exp>),
    /// For some value of a type.
    Some(String, String, Box<Exp>),
}

impl Exp {
    /// A symbol or a value of this name.
    pub fn atom(name: impl Into<String>) -> Exp {
        Exp::Atom(name.into())
    }

    /// A value as a report writes it: symbols by their names. Nothing is asked.
    pub(crate) fn of_debug(value: &impl fmt::Debug) -> Exp {
        Exp::Atom(for_report(|| format!("{value:?}")))
    }

    /// A value as a report writes it: symbolic parts by their terms. Nothing is asked, so the text is not that of a value,
    /// and the verdict says so.
    pub fn written(value: &impl fmt::Debug) -> Exp {
        if let Some(session) = Session::try_current().filter(|it| !it.is_concrete()) {
            session.witnessed("a value that was written as a term");
        }
        Exp::of_debug(value)
    }

    /// An operator with its operands.
    pub fn of(operator: &str, operands: impl IntoIterator<Item = Exp>) -> Exp {
        Exp::Of(operator.to_owned(), operands.into_iter().collect())
    }

    /// The paper's internal notation: `Exp(==, [Exp(+, [x, y]), Exp(+, [y, x])])`.
    pub fn tree(&self) -> String {
        match self {
            Exp::Atom(name) => name.clone(),
            Exp::Of(operator, operands) => {
                let operands: Vec<String> = operands.iter().map(Exp::tree).collect();
                format!("Exp({operator}, [{}])", operands.join(", "))
            }
            Exp::All(_, of, body) => format!("Exp(forall, [{of}, {}])", body.tree()),
            Exp::Some(_, of, body) => format!("Exp(exists, [{of}, {}])", body.tree()),
        }
    }

    fn level(&self) -> u8 {
        match self {
            Exp::Atom(_) => 9,
            Exp::All(..) | Exp::Some(..) => 0,
            Exp::Of(operator, operands) => match (operator.as_str(), operands.len()) {
                ("iff", 2) => 1,
                ("implies", 2) => 2,
                ("or", _) => 3,
                ("and", _) => 4,
                ("not", 1) => 5,
                ("==" | "!=" | "<" | "<=" | "include", 2) => 6,
                ("+" | "-" | "|" | "^", 2) => 7,
                ("*" | "/" | "%" | "&" | "<<" | ">>", 2) => 8,
                _ => 9,
            },
        }
    }

    /// Writes an operand of something that binds as tightly as `level`.
    fn within(&self, level: u8, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.level() < level { write!(f, "({self})") } else { write!(f, "{self}") }
    }
}

impl fmt::Display for Exp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let level = self.level();
        match self {
            Exp::Atom(name) => f.write_str(name),
            Exp::All(..) | Exp::Some(..) => {
                let universal = matches!(self, Exp::All(..));
                f.write_str(if universal { "all " } else { "some " })?;
                // Variables of the same quantifier are written together.
                let mut body = self;
                let mut first = true;
                loop {
                    body = match body {
                        Exp::All(name, of, inner) if universal => {
                            write!(f, "{}{name}: {of}", if first { "" } else { ", " })?;
                            inner
                        }
                        Exp::Some(name, of, inner) if !universal => {
                            write!(f, "{}{name}: {of}", if first { "" } else { ", " })?;
                            inner
                        }
                        _ => break,
                    };
                    first = false;
                }
                write!(f, " | {body}")
            }
            Exp::Of(operator, operands) => match (operator.as_str(), &operands[..]) {
                ("field_ref", [of, field]) => {
                    of.within(9, f)?;
                    write!(f, ".{}", field.to_string().trim_start_matches(':'))
                }
                ("not", [it]) => {
                    f.write_str("not ")?;
                    // The paper writes `not (o in c.opportunities)`.
                    it.within(9, f)
                }
                ("include", [list, element]) => {
                    element.within(level + 1, f)?;
                    f.write_str(" in ")?;
                    list.within(level + 1, f)
                }
                ("and" | "or", operands) => {
                    for (at, it) in operands.iter().enumerate() {
                        if at > 0 {
                            write!(f, " {operator} ")?;
                        }
                        it.within(level + 1, f)?;
                    }
                    Ok(())
                }
                ("implies" | "iff", [a, b]) => {
                    a.within(level + 1, f)?;
                    write!(f, " {operator} ")?;
                    // What follows an implication is its right side, whatever it is.
                    b.within(if operator == "implies" { 0 } else { level + 1 }, f)
                }
                (_, [a, b]) if (6..=8).contains(&level) => {
                    a.within(level, f)?;
                    write!(f, " {} ", if operator == "==" { "=" } else { operator })?;
                    b.within(level + 1, f)
                }
                (_, operands) => {
                    write!(f, "{operator}(")?;
                    for (at, it) in operands.iter().enumerate() {
                        write!(f, "{}{it}", if at > 0 { ", " } else { "" })?;
                    }
                    f.write_str(")")
                }
            },
        }
    }
}

/// Nothing is written below so many operators, and nothing after so many.
const DEEPEST: u32 = 24;
const MOST: u32 = 120;

/// A term with the names of its symbols. Numbers are written with a sign where `signed` says so.
pub fn of_term(terms: &Terms, term: Term, signed: bool) -> Exp {
    convert(terms, term, signed, DEEPEST, &Cell::new(MOST))
}

fn convert(terms: &Terms, term: Term, signed: bool, left: u32, most: &Cell<u32>) -> Exp {
    let (Some(left), Some(rest)) = (left.checked_sub(1), most.get().checked_sub(1)) else {
        return Exp::Atom("…".to_owned());
    };
    most.set(rest);
    let sub = |it: Term| convert(terms, it, signed, left, most);
    let with = |it: Term, signed: bool| convert(terms, it, signed, left, most);
    match terms.node(term) {
        Node::Bool(value) => Exp::Atom(value.to_string()),
        Node::BitVec(value) if signed => Exp::Atom(value.to_bigint_signed().to_string()),
        Node::BitVec(value) => Exp::Atom(value.to_biguint().to_string()),
        Node::Symbol(symbol) => Exp::Atom(terms.symbol_info(*symbol).name.to_string()),
        Node::Not(it) => match terms.node(*it) {
            Node::Eq(a, b) if !is_bool(terms, *a) => Exp::of("!=", [sub(*a), sub(*b)]),
            // match: not (a < b)   result: b <= a
            Node::Ult(a, b) => Exp::of("<=", [with(*b, false), with(*a, false)]),
            Node::Slt(a, b) => Exp::of("<=", [with(*b, true), with(*a, true)]),
            _ => Exp::of("not", [sub(*it)]),
        },
        Node::And(all) => Exp::of("and", all.iter().map(|it| sub(*it))),
        Node::Or(all) => Exp::of("or", all.iter().map(|it| sub(*it))),
        Node::Eq(a, b) if is_bool(terms, *a) => Exp::of("iff", [sub(*a), sub(*b)]),
        Node::Eq(a, b) => Exp::of("==", [sub(*a), sub(*b)]),
        Node::Ite(c, a, b) => Exp::of("if", [sub(*c), sub(*a), sub(*b)]),
        Node::Ult(a, b) => Exp::of("<", [with(*a, false), with(*b, false)]),
        Node::Slt(a, b) => Exp::of("<", [with(*a, true), with(*b, true)]),
        Node::Bv(op, a, b) => {
            let name = match op {
                BvOp::Mul => "*",
                BvOp::UDiv | BvOp::SDiv => "/",
                BvOp::URem | BvOp::SRem => "%",
                BvOp::And => "&",
                BvOp::Or => "|",
                BvOp::Xor => "^",
                BvOp::Shl => "<<",
                BvOp::LShr | BvOp::AShr => ">>",
            };
            Exp::of(name, [sub(*a), sub(*b)])
        }
        Node::BvSum(sum) => {
            let mut parts = Vec::new();
            for (factor, it) in &sum.summands {
                let it = sub(*it);
                parts.push(match (factor.is_one(), factor.is_ones()) {
                    (true, _) => (false, it),
                    (_, true) => (true, it),
                    _ if factor.is_negative() => {
                        (true, Exp::of("*", [Exp::Atom(factor.neg().to_biguint().to_string()), it]))
                    }
                    _ => (false, Exp::of("*", [Exp::Atom(factor.to_biguint().to_string()), it])),
                });
            }
            if sum.constant.is_negative() && sum.constant.width().bits() > 1 {
                parts.push((true, Exp::Atom(sum.constant.neg().to_biguint().to_string())));
            } else if !sum.constant.is_zero() {
                parts.push((false, Exp::Atom(sum.constant.to_biguint().to_string())));
            }
            parts.sort_by_key(|it| it.0);
            let signs =
                parts.into_iter().reduce(|(_, a), (minus, b)| (false, Exp::of(if minus { "-" } else { "+" }, [a, b])));
            match signs {
                Some((true, it)) => Exp::of("-", [Exp::atom("0"), it]),
                Some((false, it)) => it,
                None => Exp::atom("0"),
            }
        }
        Node::Quantifier(it) => it.variables.iter().rev().fold(sub(it.body), |body, symbol| {
            let info = terms.symbol_info(*symbol);
            let (name, of) = (info.name.to_string(), effigy_term::print::sort_text(terms, info.sort));
            match it.universal {
                true => Exp::All(name, of, Box::new(body)),
                false => Exp::Some(name, of, Box::new(body)),
            }
        }),
        _ => Exp::Atom(math(terms, term)),
    }
}

fn is_bool(terms: &Terms, term: Term) -> bool {
    terms.sort(term) == effigy_session::Sort::Bool
}

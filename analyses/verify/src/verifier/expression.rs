//! Expressions that a person types: variables, fields that are in the heap, `old`, arithmetic, comparisons, connectives.
//!
//! Knows: a small common part of the languages that are verified. Never: functions, predicates, quantifiers.

use crate::moment::Moment;
use effigy_contracts::program::{FieldId, LabelId, MemberVariable, Program};
use effigy_engine::InspectError;
use effigy_heap::heap::{Heap, Resource};
use effigy_heap::vocabulary::Vocabulary;
use effigy_term::{Sort, Term, Terms};
use num_bigint::BigInt;
use std::sync::Arc;

/// The deepest nesting of parentheses; nobody types more.
const DEEPEST: u32 = 60;
/// The most bytes of an expression; longer ones are refused.
const LONGEST: usize = 10_000;

/// The surroundings in which an expression is read.
#[derive(Clone, Copy)]
pub(crate) struct Scope<'s> {
    pub(crate) terms: &'s Terms,
    pub(crate) program: &'s Program,
    pub(crate) table: &'s [MemberVariable],
    /// The names of the labels.
    pub(crate) labels: &'s [Arc<str>],
    pub(crate) moment: &'s Moment,
    pub(crate) heap: &'s Heap,
}

/// The value of an expression.
pub(crate) fn read(text: &str, scope: &Scope<'_>) -> Result<Term, InspectError> {
    if text.len() > LONGEST {
        return Err(InspectError::Meaning("this is too long".to_owned()));
    }
    let tokens = tokens(text)?;
    let mut reader = Reader { tokens, at: 0, depth: 0 };
    let res = reader.connected(scope, 0)?;
    match reader.tokens.get(reader.at) {
        None => Ok(res),
        Some(_) => reader.expected("the end"),
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum CollectionKind {
    Name(String),
    Number(BigInt),
    Sign(&'static str),
}

struct Token {
    kind: CollectionKind,
    column: usize,
}

/// Signs as they are typed and what they mean, longer ones first.
const SIGNS: [(&str, &str); 31] = [
    ("==>", "==>"),
    ("==", "=="),
    ("!=", "!="),
    ("<=", "<="),
    (">=", ">="),
    ("&&", "&&"),
    ("||", "||"),
    ("⇒", "==>"),
    ("∧", "&&"),
    ("∨", "||"),
    ("¬", "!"),
    ("≠", "!="),
    ("≤", "<="),
    ("≥", ">="),
    ("·", "*"),
    ("−", "-"),
    ("=", "=="),
    ("<", "<"),
    (">", ">"),
    ("!", "!"),
    ("+", "+"),
    ("-", "-"),
    ("*", "*"),
    ("(", "("),
    (")", ")"),
    ("[", "["),
    ("]", "]"),
    (".", "."),
    ("&", "&&"),
    ("|", "||"),
    ("→", "==>"),
];

fn tokens(text: &str) -> Result<Vec<Token>, InspectError> {
    let mut res = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let column = text.chars().count() - rest.chars().count();
        let word = |accepted: fn(char) -> bool| rest.find(|c| !accepted(c)).unwrap_or(rest.len());
        let (kind, length) = if first.is_whitespace() {
            rest = &rest[first.len_utf8()..];
            continue;
        } else if first.is_ascii_digit() {
            let length = word(|c| c.is_ascii_digit());
            let number = BigInt::parse_bytes(&rest.as_bytes()[..length], 10).unwrap_or_default();
            (CollectionKind::Number(number), length)
        } else if first.is_alphabetic() || matches!(first, '_' | '$') {
            let length = word(|c| c.is_alphanumeric() || matches!(c, '_' | '$' | '\''));
            (CollectionKind::Name(rest[..length].to_owned()), length)
        } else if let Some((written, sign)) = SIGNS.iter().find(|it| rest.starts_with(it.0)) {
            (CollectionKind::Sign(sign), written.len())
        } else {
            return Err(InspectError::Syntax { message: format!("`{first}` is not known"), column });
        };
        res.push(Token { kind, column });
        rest = &rest[length..];
    }
    Ok(res)
}

struct Reader {
    tokens: Vec<Token>,
    at: usize,
    depth: u32,
}

/// The connectives by level, the loosest first.
const LEVELS: [&str; 3] = ["==>", "||", "&&"];

impl Reader {
    fn expected<T>(&self, what: &str) -> Result<T, InspectError> {
        let column = self.tokens.get(self.at).or(self.tokens.last()).map_or(0, |it| it.column);
        Err(InspectError::Syntax { message: format!("{what} was expected"), column })
    }

    fn accept(&mut self, sign: &str) -> bool {
        let found =
            self.tokens.get(self.at).is_some_and(|it| matches!(it.kind, CollectionKind::Sign(it) if it == sign));
        self.at += usize::from(found);
        found
    }

    fn require(&mut self, sign: &str) -> Result<(), InspectError> {
        if self.accept(sign) { Ok(()) } else { self.expected(&format!("`{sign}`")) }
    }

    fn connected(&mut self, scope: &Scope<'_>, level: usize) -> Result<Term, InspectError> {
        let Some(sign) = LEVELS.get(level) else { return self.compared(scope) };
        let mut operands = vec![self.connected(scope, level + 1)?];
        while self.accept(sign) {
            operands.push(self.connected(scope, level + 1)?);
        }
        let Some(mut res) = operands.pop() else { return self.expected("a condition") };
        // From the right, as implications are read.
        while let Some(left) = operands.pop() {
            let (left, right) = (self.of_sort(scope, left, Sort::Bool)?, self.of_sort(scope, res, Sort::Bool)?);
            res = match *sign {
                "&&" => scope.terms.and(left, right),
                "||" => scope.terms.or(left, right),
                _ => scope.terms.implies(left, right),
            };
        }
        Ok(res)
    }

    fn of_sort(&self, scope: &Scope<'_>, term: Term, sort: Sort) -> Result<Term, InspectError> {
        let what = if sort == Sort::Bool { "a condition" } else { "a number" };
        if scope.terms.sort(term) == sort {
            return Ok(term);
        }
        let shown = effigy_term::print::math(scope.terms, term);
        Err(InspectError::Meaning(format!("{what} was expected; this is {shown}")))
    }

    fn compared(&mut self, scope: &Scope<'_>) -> Result<Term, InspectError> {
        let left = self.sum(scope)?;
        let signs = ["==", "!=", "<=", ">=", "<", ">"];
        let Some(sign) = signs.into_iter().find(|it| self.accept(it)) else { return Ok(left) };
        let right = self.sum(scope)?;
        let terms = scope.terms;
        if let "==" | "!=" = sign {
            if terms.sort(left) != terms.sort(right) {
                return Err(InspectError::Meaning("the two sides are of different types".to_owned()));
            }
            return Ok(if sign == "==" { terms.eq(left, right) } else { terms.ne(left, right) });
        }
        let (small, large) = if matches!(sign, "<=" | "<") { (left, right) } else { (right, left) };
        let strict = matches!(sign, "<" | ">");
        if terms.sort(small) == Sort::Real && terms.sort(large) == Sort::Real {
            return Ok(if strict { terms.real_lt(small, large) } else { terms.real_le(small, large) });
        }
        let (small, large) = (self.of_sort(scope, small, Sort::Int)?, self.of_sort(scope, large, Sort::Int)?);
        Ok(if strict { terms.int_lt(small, large) } else { terms.int_le(small, large) })
    }

    fn sum(&mut self, scope: &Scope<'_>) -> Result<Term, InspectError> {
        let mut res = self.product(scope)?;
        loop {
            let plus = self.accept("+");
            if !plus && !self.accept("-") {
                return Ok(res);
            }
            let next = self.product(scope)?;
            let (a, b) = (self.of_sort(scope, res, Sort::Int)?, self.of_sort(scope, next, Sort::Int)?);
            res = if plus { scope.terms.int_add(a, b) } else { scope.terms.int_sub(a, b) };
        }
    }

    fn product(&mut self, scope: &Scope<'_>) -> Result<Term, InspectError> {
        let mut res = self.prefixed(scope)?;
        while self.accept("*") {
            let next = self.prefixed(scope)?;
            let (a, b) = (self.of_sort(scope, res, Sort::Int)?, self.of_sort(scope, next, Sort::Int)?);
            res = scope.terms.int_mul(a, b);
        }
        Ok(res)
    }

    fn prefixed(&mut self, scope: &Scope<'_>) -> Result<Term, InspectError> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(InspectError::Meaning(format!("this is nested more than {DEEPEST} deep")));
        }
        let res = if self.accept("!") {
            let operand = self.prefixed(scope)?;
            scope.terms.not(self.of_sort(scope, operand, Sort::Bool)?)
        } else if self.accept("-") {
            let operand = self.prefixed(scope)?;
            scope.terms.int_neg(self.of_sort(scope, operand, Sort::Int)?)
        } else {
            self.fields(scope)?
        };
        self.depth -= 1;
        Ok(res)
    }

    fn fields(&mut self, scope: &Scope<'_>) -> Result<Term, InspectError> {
        let mut res = self.atom(scope)?;
        while self.accept(".") {
            let Some(Token { kind: CollectionKind::Name(name), .. }) = self.tokens.get(self.at) else {
                return self.expected("a field");
            };
            res = field(scope, res, name)?;
            self.at += 1;
        }
        Ok(res)
    }

    fn atom(&mut self, scope: &Scope<'_>) -> Result<Term, InspectError> {
        if self.accept("(") {
            let res = self.connected(scope, 0)?;
            self.require(")")?;
            return Ok(res);
        }
        let Some(Token { kind, .. }) = self.tokens.get(self.at) else { return self.expected("an expression") };
        let kind = kind.clone();
        if let CollectionKind::Sign(_) = kind {
            return self.expected("an expression");
        }
        self.at += 1;
        match kind {
            CollectionKind::Number(value) => Ok(scope.terms.int(value)),
            CollectionKind::Name(name) => match &*name {
                "true" => Ok(scope.terms.bool(true)),
                "false" => Ok(scope.terms.bool(false)),
                "null" => Ok(Vocabulary::new(scope.terms, scope.program).null(scope.terms)),
                "old" => self.old(scope),
                name => variable(scope, name),
            },
            CollectionKind::Sign(_) => self.expected("an expression"),
        }
    }

    /// Reads `old(e)` or `old[label](e)` and evaluates it in that heap.
    fn old(&mut self, scope: &Scope<'_>) -> Result<Term, InspectError> {
        let heap = if self.accept("[") {
            let Some(Token { kind: CollectionKind::Name(name), .. }) = self.tokens.get(self.at) else {
                return self.expected("a label");
            };
            let label = scope.labels.iter().position(|it| **it == **name);
            let heap = label.and_then(|it| scope.moment.labels.get(&LabelId(it as u32)));
            self.at += 1;
            self.require("]")?;
            heap
        } else {
            scope.moment.old.as_ref()
        };
        let Some(heap) = heap else {
            return Err(InspectError::Meaning("there is no such old state here".to_owned()));
        };
        self.require("(")?;
        let res = self.connected(&Scope { heap, ..*scope }, 0)?;
        self.require(")")?;
        Ok(res)
    }
}

/// A variable, or a field of `this`.
fn variable(scope: &Scope<'_>, name: &str) -> Result<Term, InspectError> {
    let value = |name: &str| {
        let at = scope.table.iter().zip(scope.moment.store.iter()).rfind(|it| &*it.0.name == name && it.1.is_some())?;
        *at.1
    };
    if let Some(value) = value(name) {
        return Ok(value);
    }
    match value("this") {
        Some(this) if fields_named(scope.program, name).next().is_some() => field(scope, this, name),
        _ => Err(InspectError::Meaning(format!("there is no variable {name} with a value here"))),
    }
}

/// The fields that a name may mean: `x` is `C.x` in every class C.
fn fields_named<'p>(program: &'p Program, name: &'p str) -> impl Iterator<Item = FieldId> + 'p {
    let means = move |it: &str| it == name || it.strip_suffix(name).is_some_and(|it| it.ends_with('.'));
    let all = program.fields.iter().enumerate();
    all.filter(move |it| means(&it.1.name)).map(|it| FieldId(it.0 as u32))
}

/// The value in the chunk with literally this receiver.
fn field(scope: &Scope<'_>, receiver: Term, name: &str) -> Result<Term, InspectError> {
    let mut known = false;
    for field in fields_named(scope.program, name) {
        known = true;
        let found = scope.heap.literally(Resource::Field(field), &[receiver]);
        if let Some(chunk) = found.and_then(|it| scope.heap.get(it)) {
            return Ok(chunk.value);
        }
    }
    let shown = effigy_term::print::math(scope.terms, receiver);
    Err(InspectError::Meaning(match known {
        true => format!("no chunk {shown}.{name} is in the heap; `show heap` lists what is"),
        false => format!("there is no field {name}"),
    }))
}

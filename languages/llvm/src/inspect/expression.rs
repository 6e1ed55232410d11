//! Expressions of C over the variables of a state: `buf[i] != 0 && n < 4`, `p->next == 0`, `"a" > 10`.
//!
//! Knows: C's operators, precedences and conversions. Never: side effects (there is no assignment and no call).
//! A quoted name is an input: the program's own of that name, or a new one of 32 bits.

use super::values::{Access, Slot, constant};
use crate::code::SourceKind;
use crate::program::Program;
use crate::state::State;
use effigy_engine::{Context, InspectError, VariableValue};
use effigy_term::{Sort, SymbolKind, Term, Terms, Width};

/// Expressions nest at most this deep.
const DEPTH: u32 = 100;

type Result<T> = std::result::Result<T, InspectError>;

/// A reader of one text.
pub(super) struct Expression<'a, 'c> {
    program: &'a Program,
    ctx: &'a mut Context<'c>,
    state: &'a State,
    text: &'a str,
    at: usize,
    depth: u32,
}

/// What a part of an expression is.
#[derive(Clone, Debug)]
enum Part {
    /// A condition.
    Truth(Term),
    /// A number.
    Number { term: Term, signed: bool },
    /// An address of something of this type.
    Pointer { term: Term, to: u32 },
    /// Something with a place.
    Place { slot: Slot, ty: u32 },
}

/// Binary operators by precedence, the loosest first.
const LEVELS: &[&[&str]] = &[
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<=", ">=", "<", ">"],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];

impl<'a, 'c> Expression<'a, 'c> {
    pub(super) fn new(
        program: &'a Program,
        ctx: &'a mut Context<'c>,
        state: &'a State,
        text: &'a str,
    ) -> Expression<'a, 'c> {
        Expression { program, ctx, state, text, at: 0, depth: 0 }
    }

    /// The value of the whole text.
    pub(super) fn value(mut self) -> Result<Term> {
        let part = self.whole()?;
        match self.loaded(part)? {
            Part::Truth(term) | Part::Number { term, .. } | Part::Pointer { term, .. } => Ok(term),
            Part::Place { .. } => Err(self.meaning("this is not a number")),
        }
    }

    /// The value of the whole text as an argument of `width` bits: a condition for one bit.
    pub(super) fn argument(mut self, width: u32) -> Result<Term> {
        let part = self.whole()?;
        if width == 1 {
            return self.truth(part);
        }
        let (term, signed) = self.promoted(part)?;
        let terms = self.ctx.terms;
        Ok(terms.bv_truncate(Width::of(width), widened(terms, term, width, signed)))
    }

    /// The whole text as a person reads it: structures and arrays with their content.
    pub(super) fn described(mut self) -> Result<VariableValue> {
        let part = self.whole()?;
        Ok(match part {
            Part::Truth(term) => VariableValue::Term(term),
            Part::Number { term, signed: false } if self.ctx.terms.as_bv(term).is_some() => {
                let value = self.ctx.terms.as_bv(term).map(|it| it.to_biguint().to_string());
                VariableValue::Text(value.unwrap_or_default())
            }
            Part::Number { term, .. } => VariableValue::Term(term),
            Part::Pointer { term, .. } => VariableValue::Text(self.access().pointer(term)),
            Part::Place { slot, ty } => self.access().shown(&slot, ty),
        })
    }

    /// Where the whole text can be assigned to, and how many bytes that are.
    pub(super) fn target(mut self) -> Result<(Slot, u64)> {
        let part = self.whole()?;
        let Part::Place { slot, ty } = part else { return Err(self.meaning("this cannot be assigned to")) };
        let source = self.access().source_type(ty);
        let scalar = matches!(source.kind, SourceKind::Integer { .. } | SourceKind::Pointer { .. });
        match slot {
            Slot::Element { .. } => Err(self.meaning("the index must be known here")),
            _ if scalar => Ok((slot, source.size)),
            _ => Err(self.meaning("only integers and pointers can be assigned to")),
        }
    }

    fn whole(&mut self) -> Result<Part> {
        let part = self.conditional()?;
        self.space();
        if self.at < self.text.len() { Err(self.expected("an operator or the end")) } else { Ok(part) }
    }

    fn access(&self) -> Access<'a> {
        Access { program: self.program, terms: self.ctx.terms, state: self.state }
    }

    fn meaning(&self, what: &str) -> InspectError {
        InspectError::Meaning(format!("{}: {what}", self.text))
    }

    fn expected(&self, what: &str) -> InspectError {
        let column = self.text[..self.at].chars().count();
        InspectError::Syntax { message: format!("{what} was expected at column {}", column + 1), column }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn space(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    fn take(&mut self, what: &str) -> bool {
        self.space();
        let found = self.rest().starts_with(what);
        self.at += if found { what.len() } else { 0 };
        found
    }

    fn deeper<T>(&mut self, inner: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.depth += 1;
        if self.depth > DEPTH {
            return Err(self.expected("something less deep"));
        }
        let res = inner(self);
        self.depth -= 1;
        res
    }

    // Syntax.

    fn conditional(&mut self) -> Result<Part> {
        self.deeper(|it| {
            let cond = it.binary(0)?;
            if !it.take("?") {
                return Ok(cond);
            }
            let cond = it.truth(cond)?;
            let then = it.conditional()?;
            if !it.take(":") {
                return Err(it.expected("`:`"));
            }
            let other = it.conditional()?;
            let terms = it.ctx.terms;
            let (a, b, signed) = it.numbers(then, other)?;
            Ok(Part::Number { term: terms.ite(cond, a, b), signed })
        })
    }

    fn operator(&mut self, level: &[&'static str]) -> Option<&'static str> {
        self.space();
        let rest = self.rest();
        let fits = |it: &&&str| {
            let after = rest[it.len()..].chars().next();
            // `&` is no half of `&&`, nor `<` of `<<`.
            match **it {
                "&" => after != Some('&'),
                "|" => after != Some('|'),
                "<" => after != Some('<'),
                ">" => after != Some('>'),
                _ => true,
            }
        };
        let found = level.iter().filter(|it| rest.starts_with(**it)).find(fits).copied()?;
        self.at += found.len();
        Some(found)
    }

    fn binary(&mut self, level: usize) -> Result<Part> {
        let Some(operators) = LEVELS.get(level) else { return self.unary() };
        let mut left = self.binary(level + 1)?;
        while let Some(operator) = self.operator(operators) {
            let right = self.binary(level + 1)?;
            left = self.apply(operator, left, right)?;
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Part> {
        self.deeper(|it| {
            let terms = it.ctx.terms;
            if it.take("!") {
                let operand = it.unary()?;
                return Ok(Part::Truth(terms.not(it.truth(operand)?)));
            }
            if it.take("-") {
                let operand = it.unary()?;
                let (term, signed) = it.promoted(operand)?;
                return Ok(Part::Number { term: terms.bv_neg(term), signed });
            }
            if it.take("~") {
                let operand = it.unary()?;
                let (term, signed) = it.promoted(operand)?;
                return Ok(Part::Number { term: terms.bv_not(term), signed });
            }
            if it.take("+") {
                let operand = it.unary()?;
                let (term, signed) = it.promoted(operand)?;
                return Ok(Part::Number { term, signed });
            }
            if it.take("*") {
                let operand = it.unary()?;
                let zero = terms.bv_u64(Width::W64, 0);
                return it.element(operand, zero);
            }
            if it.take("&") {
                let operand = it.unary()?;
                return match operand {
                    Part::Place { slot: Slot::Memory { object, offset }, ty } => {
                        let address = object.base().wrapping_add(offset as u64);
                        Ok(Part::Pointer { term: terms.bv_u64(Width::W64, address), to: ty })
                    }
                    _ => Err(it.meaning("this has no address here")),
                };
            }
            let mut res = it.primary()?;
            loop {
                if it.take("[") {
                    let index = it.conditional()?;
                    if !it.take("]") {
                        return Err(it.expected("`]`"));
                    }
                    let (index, signed) = it.promoted(index)?;
                    let index = widened(terms, index, 64, signed);
                    res = it.element(res, index)?;
                } else if it.take("->") {
                    let zero = terms.bv_u64(Width::W64, 0);
                    let place = it.element(res, zero)?;
                    res = it.member(place)?;
                } else if it.take(".") {
                    res = it.member(res)?;
                } else {
                    return Ok(res);
                }
            }
        })
    }

    fn word(&mut self) -> &'a str {
        self.space();
        let rest = self.rest();
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    fn primary(&mut self) -> Result<Part> {
        if self.take("(") {
            let inner = self.conditional()?;
            return if self.take(")") { Ok(inner) } else { Err(self.expected("`)`")) };
        }
        self.space();
        let terms = self.ctx.terms;
        let rest = self.rest();
        if let Some(quoted) = rest.strip_prefix('"') {
            let Some((name, _)) = quoted.split_once('"').filter(|it| !it.0.is_empty()) else {
                return Err(self.expected("a closed quote"));
            };
            self.at += name.len() + 2;
            return Ok(Part::Number { term: self.symbol(name), signed: true });
        }
        if let Some(quoted) = rest.strip_prefix('\'') {
            let (value, length) = character(quoted).ok_or_else(|| self.expected("a character"))?;
            self.at += length + 1;
            return Ok(Part::Number { term: terms.bv_u64(Width::W32, value), signed: true });
        }
        let start = self.at;
        let word = self.word();
        if word.starts_with(|c: char| c.is_ascii_digit()) {
            let number = literal(terms, word);
            self.at = if number.is_some() { self.at } else { start };
            return number.ok_or_else(|| self.expected("a number"));
        }
        if word.is_empty() {
            return Err(self.expected("a number, a variable or a symbol"));
        }
        let Some(variable) = self.program.variable(self.state, word) else {
            return Err(InspectError::Meaning(format!("there is no variable {word} here")));
        };
        match self.program.slot(self.state, variable) {
            Some(slot) => Ok(Part::Place { slot, ty: variable.ty }),
            None => Err(InspectError::Meaning(format!("{word} has no value here"))),
        }
    }

    /// The input of this name: the program's own, or a new one.
    fn symbol(&mut self, name: &str) -> Term {
        for record in self.state.inputs.iter() {
            if *record.name == *name && record.pieces.len() == 1 {
                return record.pieces[0];
            }
            let index = name.strip_prefix(&*record.name).and_then(|it| it.strip_prefix('[')?.strip_suffix(']'));
            if let Some(piece) = index.and_then(|it| record.pieces.get(it.parse::<usize>().ok()?)) {
                return *piece;
            }
        }
        self.ctx.input(name, Sort::BitVec(Width::W32), SymbolKind::Input)
    }

    // Meaning.

    /// The value of something with a place; an array is a pointer to its first element.
    fn loaded(&self, part: Part) -> Result<Part> {
        let Part::Place { slot, ty } = part else { return Ok(part) };
        let access = self.access();
        let source = access.source_type(ty);
        let not_there = || self.meaning("the value is not initialised, or not there");
        match &source.kind {
            SourceKind::Integer { signed, .. } => {
                let term = access.read(&slot, source.size).ok_or_else(not_there)?;
                Ok(Part::Number { term, signed: *signed })
            }
            SourceKind::Pointer { to } => {
                let term = access.read(&slot, source.size).ok_or_else(not_there)?;
                Ok(Part::Pointer { term, to: *to })
            }
            SourceKind::Array { element, .. } => match slot {
                Slot::Memory { object, offset } => {
                    let address = object.base().wrapping_add(offset as u64);
                    Ok(Part::Pointer { term: self.ctx.terms.bv_u64(Width::W64, address), to: *element })
                }
                _ => Err(self.meaning("this array is not in memory")),
            },
            SourceKind::Structure { .. } => Err(self.meaning("a structure is no number; name a member")),
            SourceKind::Float => Err(self.meaning("floating-point numbers cannot be computed with here")),
            SourceKind::Other => Err(self.meaning("its type is not known")),
        }
    }

    fn member(&mut self, part: Part) -> Result<Part> {
        let name = self.word();
        let Part::Place { slot: Slot::Memory { object, offset }, ty } = part else {
            return Err(self.meaning("only what is in memory has members"));
        };
        let access = self.access();
        let SourceKind::Structure { members } = &access.source_type(ty).kind else {
            return Err(self.meaning("this is no structure"));
        };
        match members.iter().find(|it| &*it.name == name) {
            Some(it) => {
                let offset = offset.wrapping_add(it.offset as i64);
                Ok(Part::Place { slot: Slot::Memory { object, offset }, ty: it.ty })
            }
            None => Err(InspectError::Meaning(format!("there is no member {name}"))),
        }
    }

    /// `base[index]`, the index of 64 bits.
    fn element(&mut self, base: Part, index: Term) -> Result<Part> {
        let terms = self.ctx.terms;
        let in_array = match &base {
            Part::Place { ty, .. } => match self.access().source_type(*ty).kind {
                SourceKind::Array { count, .. } => Some(count),
                _ => None,
            },
            _ => None,
        };
        let Part::Pointer { term, to } = self.loaded(base)? else {
            return Err(self.meaning("only pointers and arrays have elements"));
        };
        let Some(address) = constant(terms, term) else {
            return Err(self.meaning("the pointer is symbolic; what it points to is not known"));
        };
        let Slot::Memory { object, offset } = Slot::at(address as u64) else {
            return Err(self.meaning("this is no pointer"));
        };
        let stride = self.access().source_type(to).size;
        if stride == 0 {
            return Err(self.meaning("the size of what it points to is not known"));
        }
        if let Some(index) = constant(terms, index) {
            let offset = offset.wrapping_add(index.wrapping_mul(stride as i64));
            return Ok(Part::Place { slot: Slot::Memory { object, offset }, ty: to });
        }
        let length = self.state.memory.get(object).map_or(0, |it| it.bytes.len() as u64);
        let room = length.saturating_sub(offset.max(0) as u64) / stride;
        let count = in_array.unwrap_or(room).min(room);
        Ok(Part::Place { slot: Slot::Element { object, offset, index, stride, count }, ty: to })
    }

    fn truth(&self, part: Part) -> Result<Term> {
        let terms = self.ctx.terms;
        match self.loaded(part)? {
            Part::Truth(term) => Ok(term),
            Part::Number { term, .. } | Part::Pointer { term, .. } => {
                Ok(terms.ne(term, terms.bv_u64(terms.width(term), 0)))
            }
            Part::Place { .. } => Err(self.meaning("this is no condition")),
        }
    }

    /// A number of at least 32 bits, and whether it is signed.
    fn promoted(&self, part: Part) -> Result<(Term, bool)> {
        let terms = self.ctx.terms;
        match self.loaded(part)? {
            Part::Truth(term) => Ok((terms.bv_of_bool(Width::W32, term), true)),
            Part::Number { term, signed } => {
                let narrow = terms.width(term).bits() < 32;
                Ok((widened(terms, term, 32, signed), signed || narrow))
            }
            Part::Pointer { term, .. } => Ok((term, false)),
            Part::Place { .. } => Err(self.meaning("this is no number")),
        }
    }

    /// Two numbers of one width, by the usual arithmetic conversions.
    fn numbers(&self, a: Part, b: Part) -> Result<(Term, Term, bool)> {
        let terms = self.ctx.terms;
        let ((a, a_signed), (b, b_signed)) = (self.promoted(a)?, self.promoted(b)?);
        let (wide_a, wide_b) = (terms.width(a).bits(), terms.width(b).bits());
        let signed = match wide_a.cmp(&wide_b) {
            std::cmp::Ordering::Equal => a_signed && b_signed,
            std::cmp::Ordering::Greater => a_signed,
            std::cmp::Ordering::Less => b_signed,
        };
        let width = wide_a.max(wide_b);
        Ok((widened(terms, a, width, a_signed), widened(terms, b, width, b_signed), signed))
    }

    fn apply(&mut self, operator: &str, left: Part, right: Part) -> Result<Part> {
        let terms = self.ctx.terms;
        if operator == "&&" || operator == "||" {
            let (a, b) = (self.truth(left)?, self.truth(right)?);
            return Ok(Part::Truth(if operator == "&&" { terms.and(a, b) } else { terms.or(a, b) }));
        }
        let (left, right) = (self.loaded(left)?, self.loaded(right)?);
        // Pointers move by elements.
        if let (Part::Pointer { term, to }, Part::Number { .. }, "+" | "-") = (&left, &right, operator) {
            let (index, signed) = self.promoted(right)?;
            let index = widened(terms, index, 64, signed);
            let stride = self.access().source_type(*to).size.max(1);
            let distance = terms.bv_mul(index, terms.bv_u64(Width::W64, stride));
            let moved = if operator == "+" { terms.bv_add(*term, distance) } else { terms.bv_sub(*term, distance) };
            return Ok(Part::Pointer { term: moved, to: *to });
        }
        let (a, b, signed) = self.numbers(left, right)?;
        let number = |term| Ok(Part::Number { term, signed });
        let less = |a, b| if signed { terms.bv_slt(a, b) } else { terms.bv_ult(a, b) };
        match operator {
            "+" => number(terms.bv_add(a, b)),
            "-" => number(terms.bv_sub(a, b)),
            "*" => number(terms.bv_mul(a, b)),
            "/" if signed => number(terms.bv_sdiv(a, b)),
            "/" => number(terms.bv_udiv(a, b)),
            "%" if signed => number(terms.bv_srem(a, b)),
            "%" => number(terms.bv_urem(a, b)),
            "&" => number(terms.bv_and(a, b)),
            "|" => number(terms.bv_or(a, b)),
            "^" => number(terms.bv_xor(a, b)),
            "<<" => number(terms.bv_shl(a, b)),
            ">>" if signed => number(terms.bv_ashr(a, b)),
            ">>" => number(terms.bv_lshr(a, b)),
            "<" => Ok(Part::Truth(less(a, b))),
            ">" => Ok(Part::Truth(less(b, a))),
            "<=" => Ok(Part::Truth(terms.not(less(b, a)))),
            ">=" => Ok(Part::Truth(terms.not(less(a, b)))),
            "==" => Ok(Part::Truth(terms.eq(a, b))),
            _ => Ok(Part::Truth(terms.ne(a, b))),
        }
    }
}

/// The name and the arguments of `find("key", 4)`.
pub(super) fn call(text: &str) -> Result<(&str, Vec<&str>)> {
    let wrong = |column| InspectError::Syntax { message: "a call is written `find(\"key\", 4)`".to_owned(), column };
    let text = text.trim();
    let (name, rest) = text.split_once('(').ok_or_else(|| wrong(0))?;
    let inner = rest.strip_suffix(')').ok_or_else(|| wrong(text.chars().count()))?;
    let mut arguments = Vec::new();
    let (mut start, mut depth, mut quoted) = (0, 0i64, false);
    for (at, c) in inner.char_indices() {
        match c {
            '"' => quoted = !quoted,
            _ if quoted => {}
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            ',' if depth == 0 => {
                arguments.push(inner[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    if !arguments.is_empty() || !inner.trim().is_empty() {
        arguments.push(inner[start..].trim());
    }
    Ok((name.trim(), arguments))
}

/// A term of at least `width` bits.
fn widened(terms: &Terms, term: Term, width: u32, signed: bool) -> Term {
    if terms.width(term).bits() >= width {
        return term;
    }
    let width = Width::of(width);
    if signed { terms.bv_sign_extend(width, term) } else { terms.bv_zero_extend(width, term) }
}

/// `10`, `0x1f`, `017`, `10u`, `10UL`
fn literal(terms: &Terms, word: &str) -> Option<Part> {
    let digits = word.trim_end_matches(['u', 'U', 'l', 'L']);
    let suffix = word[digits.len()..].to_lowercase();
    let value = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hex) => u64::from_str_radix(hex, 16).ok()?,
        None if digits.len() > 1 && digits.starts_with('0') => u64::from_str_radix(digits, 8).ok()?,
        None => digits.parse().ok()?,
    };
    let unsigned = suffix.contains('u');
    let most = if unsigned { u64::from(u32::MAX) } else { i32::MAX as u64 };
    let width = if suffix.contains('l') || value > most { Width::W64 } else { Width::W32 };
    Some(Part::Number { term: terms.bv_u64(width, value), signed: !unsigned })
}

/// The value of a character after its quote, and its length with the closing quote.
fn character(text: &str) -> Option<(u64, usize)> {
    let mut chars = text.chars();
    let first = chars.next()?;
    let (value, length) = match first {
        '\\' => {
            let value = match chars.next()? {
                'n' => 10,
                't' => 9,
                'r' => 13,
                '0' => 0,
                it @ ('\\' | '\'' | '"') => u64::from(u32::from(it)),
                _ => return None,
            };
            (value, 2)
        }
        it if it.is_ascii() => (u64::from(u32::from(it)), 1),
        _ => return None,
    };
    (chars.next()? == '\'').then_some((value, length + 1))
}

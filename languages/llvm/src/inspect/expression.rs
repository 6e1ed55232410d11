//! Expressions of C over the variables of a state: `buf[i] != 0 && n < 4`, `p->next == 0`, `"a" > 10`.
//!
//! Knows: C's operators, precedences and conversions, and the signs with which formulas are printed (`·`, `≤`, `∧`), so
//! that what was printed can be typed. Never: side effects (there is no assignment and no call).
//! A quoted name is an input: the program's own of that name, or a new one of 32 bits. So is a name that no variable has.

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
    &["||", "∨"],
    &["&&", "∧"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!=", "=", "≠"],
    &["<=", ">=", "<", ">", "≤", "≥"],
    &["<<", ">>"],
    &["+", "-", "−"],
    &["*", "/", "%", "·"],
];

/// The spelling of C.
fn spelling(operator: &'static str) -> &'static str {
    match operator {
        "∨" => "||",
        "∧" => "&&",
        "=" => "==",
        "≠" => "!=",
        "≤" => "<=",
        "≥" => ">=",
        "−" => "-",
        "·" => "*",
        it => it,
    }
}

/// Words of which the names of integer types are made.
const TYPE_WORDS: &[&str] = &["unsigned", "signed", "char", "short", "int", "long", "__int128"];

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
            Part::Pointer { term, .. } => VariableValue::composite([self.access().pointer(term)]),
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
        Some(spelling(found))
    }

    fn binary(&mut self, level: usize) -> Result<Part> {
        let Some(operators) = LEVELS.get(level) else { return self.unary() };
        let mut left = self.binary(level + 1)?;
        // The last operand of a comparison: `0 ≤ x ≤ 9` says both, as it is printed.
        let mut compared: Option<Part> = None;
        while let Some(operator) = self.operator(operators) {
            let right = self.binary(level + 1)?;
            if !matches!(operator, "<" | "<=" | ">" | ">=") {
                left = self.apply(operator, left, right)?;
                continue;
            }
            left = match compared.replace(right.clone()) {
                None => self.apply(operator, left, right)?,
                Some(middle) => {
                    let (before, after) = (self.truth(left)?, self.apply(operator, middle, right)?);
                    let after = self.truth(after)?;
                    Part::Truth(self.ctx.terms.and(before, after))
                }
            };
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Part> {
        self.deeper(|it| {
            let terms = it.ctx.terms;
            if let Some((width, signed)) = it.cast() {
                let operand = it.unary()?;
                let (term, from) = it.promoted(operand)?;
                let term = terms.bv_truncate(Width::of(width), widened(terms, term, width, from));
                return Ok(Part::Number { term, signed });
            }
            if it.take("!") || it.take("¬") {
                let operand = it.unary()?;
                return Ok(Part::Truth(terms.not(it.truth(operand)?)));
            }
            if it.take("-") || it.take("−") {
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

    /// The width and the sign of the type that a cast names, if one is here.
    fn cast(&mut self) -> Option<(u32, bool)> {
        let start = self.at;
        let mut words = Vec::new();
        if self.take("(") {
            let mut word = self.word();
            while TYPE_WORDS.contains(&word) {
                words.push(word);
                word = self.word();
            }
        }
        if words.is_empty() || !self.take(")") {
            self.at = start;
            return None;
        }
        let has = |it: &str| words.contains(&it);
        let width = match () {
            () if has("char") => 8,
            () if has("short") => 16,
            () if has("long") => 64,
            () if has("__int128") => 128,
            () => 32,
        };
        Some((width, !has("unsigned")))
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
            return Ok(self.input(name).unwrap_or_else(|| {
                let term = self.ctx.input(name, Sort::BitVec(Width::W32), SymbolKind::Input);
                Part::Number { term, signed: true }
            }));
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
            // The longest name of an input that the text goes on with: `p->key`, `text[1]`, `n#2`.
            let ends = (start + word.len()..=self.text.len()).rev().filter(|&it| self.text.is_char_boundary(it));
            let found = ends.filter_map(|end| Some((end, self.input(&self.text[start..end])?))).next();
            return match found {
                Some((end, input)) => {
                    self.at = end;
                    Ok(input)
                }
                None => Err(InspectError::Meaning(format!("there is no variable and no input {word} here"))),
            };
        };
        match self.program.slot(self.state, variable) {
            Some(slot) => Ok(Part::Place { slot, ty: variable.ty }),
            None => Err(InspectError::Meaning(format!("{word} has no value here"))),
        }
    }

    /// The program's input of this name, or the piece of one.
    fn input(&self, name: &str) -> Option<Part> {
        for record in self.state.inputs.iter() {
            let signed = record.signed;
            if *record.name == *name && record.pieces.len() == 1 {
                return Some(Part::Number { term: record.pieces[0], signed });
            }
            let index = name.strip_prefix(&*record.name).and_then(|it| it.strip_prefix('[')?.strip_suffix(']'));
            if let Some(piece) = index.and_then(|it| record.pieces.get(it.parse::<usize>().ok()?)) {
                return Some(Part::Number { term: *piece, signed });
            }
        }
        None
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
        // Of two conditions it is one: so conjuncts of a path condition are joined where they are printed.
        if let (Part::Truth(a), Part::Truth(b), "&" | "|") = (&left, &right, operator) {
            return Ok(Part::Truth(if operator == "&" { terms.and(*a, *b) } else { terms.or(*a, *b) }));
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
        // A shift is computed in the type of what is shifted.
        if operator == "<<" || operator == ">>" {
            let ((a, signed), (by, by_signed)) = (self.promoted(left)?, self.promoted(right)?);
            let width = terms.width(a);
            let by = terms.bv_truncate(width, widened(terms, by, width.bits(), by_signed));
            let term = match (operator, signed) {
                ("<<", _) => terms.bv_shl(a, by),
                (_, true) => terms.bv_ashr(a, by),
                (_, false) => terms.bv_lshr(a, by),
            };
            return Ok(Part::Number { term, signed });
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

/// `10`, `0x1f`, `017`, `10u`, `10UL`, with the first type that holds the value (C17, 6.4.4.1): of `int`, `long` and, as
/// clang has it, `unsigned long`; without sign after each where the number is not decimal.
fn literal(terms: &Terms, word: &str) -> Option<Part> {
    let digits = word.trim_end_matches(['u', 'U', 'l', 'L']);
    let suffix = word[digits.len()..].to_lowercase();
    let is_decimal = !(digits.len() > 1 && digits.starts_with('0'));
    let value = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hex) => u64::from_str_radix(hex, 16).ok()?,
        None if is_decimal => digits.parse().ok()?,
        None => u64::from_str_radix(digits, 8).ok()?,
    };
    let is_unsigned = suffix.contains('u');
    let types = [(Width::W32, true), (Width::W32, false), (Width::W64, true), (Width::W64, false)];
    let (width, signed) = types.into_iter().find(|&(width, signed)| {
        let most = u64::MAX >> (64 - width.bits() + u32::from(signed));
        let is_a_choice = match signed {
            true => !is_unsigned,
            false => is_unsigned || !is_decimal || width == Width::W64,
        };
        is_a_choice && value <= most && !(width == Width::W32 && suffix.contains('l'))
    })?;
    Some(Part::Number { term: terms.bv_u64(width, value), signed })
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

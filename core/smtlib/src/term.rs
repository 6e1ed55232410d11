//! Terms: tokens into the arena.
//!
//! Knows: `let`, quantifiers, annotations, constants, applications; what is open is on a stack, so that a term of any
//! depth is read. Never: what an operator makes of its arguments.

use crate::error::{Problem, ScriptError};
use crate::operators::{self, Call, Special};
use crate::print::sort_text;
use crate::reader::Reader;
use crate::scope::Meaning;
use crate::sorts::{self, MOST_WIDTH, small};
use crate::tokens::{Kind, Tokens};
use crate::typed::{ScriptSort, Typed};
use crate::words::is_reserved;
use effigy_term::{BvValue, Sort, Symbol, SymbolKind, Term, Width};
use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use std::collections::HashMap;

/// Longer decimal numbers are not read: that takes quadratic time.
const MOST_DIGITS: usize = 20_000;

/// What is applied to arguments.
enum Head<'a> {
    Named(&'a str),
    Indexed(&'a str, Vec<u32>),
    /// The head of `((as const S) ..)`: a constant array of sort S.
    Everywhere(ScriptSort),
}

/// What was opened and is not closed. The values of arguments and bindings are on a stack, from `base` on.
enum Frame<'a> {
    Apply { head: Head<'a>, at: usize, base: usize },
    Bindings { names: Vec<&'a str>, base: usize },
    Body { names: Vec<&'a str> },
    Quantified { universal: bool, names: Vec<&'a str>, symbols: Vec<Symbol> },
    Annotated { close: usize },
}

/// A term that is being read.
struct Work<'a, 'b> {
    tokens: &'b Tokens<'a>,
    frames: Vec<Frame<'a>>,
    /// Values that are complete, and their sorts.
    values: Vec<Term>,
    sorts: Vec<ScriptSort>,
    /// What names stand for here and not everywhere; the last holds.
    locals: HashMap<&'a str, Vec<Typed>>,
}

impl<'a> Work<'a, '_> {
    fn push(&mut self, value: Typed) {
        self.values.push(value.term);
        self.sorts.push(value.sort);
    }

    fn pop(&mut self) -> Option<Typed> {
        let (term, sort) = (self.values.pop()?, self.sorts.pop()?);
        Some(Typed { term, sort })
    }

    fn enter(&mut self, name: &'a str, value: Typed) {
        self.locals.entry(name).or_default().push(value);
    }

    fn leave(&mut self, names: &[&'a str]) {
        for name in names {
            if let Some(values) = self.locals.get_mut(name) {
                values.pop();
            }
        }
    }

    /// A name at `index`, in a binding.
    fn name(&self, index: usize) -> Result<&'a str, ScriptError> {
        match self.tokens.kind(index) {
            Kind::Name => self.tokens.text(index),
            _ => Err(self.tokens.expected(index, "a name")),
        }
    }

    fn require(&self, index: usize, kind: Kind, what: &str) -> Result<(), ScriptError> {
        if self.tokens.kind(index) == kind { Ok(()) } else { Err(self.tokens.expected(index, what)) }
    }
}

impl Reader<'_> {
    /// The formula that is written at `index`.
    pub(crate) fn formula(&mut self, tokens: &Tokens<'_>, index: usize) -> Result<Term, ScriptError> {
        let term = self.term(tokens, index, &[])?;
        self.of_sort(tokens, index, &term, &Sort::Bool.into())?;
        Ok(term.term)
    }

    /// That a term has the sort that is due.
    pub(crate) fn of_sort(
        &self,
        tokens: &Tokens<'_>,
        index: usize,
        term: &Typed,
        sort: &ScriptSort,
    ) -> Result<(), ScriptError> {
        if term.sort == *sort {
            return Ok(());
        }
        let (expected, found) = (sort_text(self.terms, sort), sort_text(self.terms, &term.sort));
        Err(tokens.error(index, Problem::Sort { expected, found }))
    }

    /// The term that is written at `index`, with these names for the parameters of a definition.
    pub(crate) fn term<'a>(
        &mut self,
        tokens: &Tokens<'a>,
        index: usize,
        parameters: &[(&'a str, Typed)],
    ) -> Result<Typed, ScriptError> {
        let mut work =
            Work { tokens, frames: Vec::new(), values: Vec::new(), sorts: Vec::new(), locals: HashMap::new() };
        for (name, value) in parameters {
            work.enter(name, value.clone());
        }
        let mut at = index;
        loop {
            let complete = match tokens.kind(at) {
                Kind::Open => {
                    let (next, complete) = self.open(&mut work, at)?;
                    at = next;
                    complete
                }
                Kind::Close => {
                    self.apply(&mut work, at)?;
                    at += 1;
                    true
                }
                _ => {
                    let value = self.atom(&work, at)?;
                    work.push(value);
                    at += 1;
                    true
                }
            };
            if complete {
                at = self.complete(&mut work, at)?;
                if work.frames.is_empty() {
                    return work.pop().ok_or_else(|| tokens.expected(index, "a term"));
                }
            }
        }
    }

    /// A name or a constant.
    fn atom(&self, work: &Work<'_, '_>, at: usize) -> Result<Typed, ScriptError> {
        let tokens = work.tokens;
        let plain = |term: Term| Ok(Typed::plain(self.terms, term));
        match tokens.kind(at) {
            Kind::Name => {
                let name = tokens.text(at)?;
                if let Some(local) = work.locals.get(name).and_then(|it| it.last()) {
                    return Ok(local.clone());
                }
                match self.scope.get(name) {
                    Some(Meaning::Term(term)) => Ok(term.clone()),
                    Some(_) => Err(tokens.expected(at, "a term, and a function has arguments,")),
                    None if name == "true" => plain(self.terms.bool(true)),
                    None if name == "false" => plain(self.terms.bool(false)),
                    None => operators::constant(self.terms, name)
                        .ok_or_else(|| tokens.error(at, Problem::Unknown(name.to_owned()))),
                }
            }
            Kind::Numeral if self.numerals_are_reals => plain(self.terms.real(decimal(tokens, at)?)),
            Kind::Numeral => plain(self.terms.int(number(tokens, at)?)),
            Kind::Decimal => plain(self.terms.real(decimal(tokens, at)?)),
            kind @ (Kind::Hex | Kind::Binary) => {
                let digits = &tokens.text(at)?[2..];
                let (radix, bits) = if kind == Kind::Hex { (16, 4 * digits.len()) } else { (2, digits.len()) };
                let width = u32::try_from(bits).ok().filter(|it| *it <= MOST_WIDTH).and_then(Width::new);
                let value = match u64::from_str_radix(digits, radix) {
                    Ok(small) => width.map(|it| BvValue::from_u64(it, small)),
                    Err(_) => width.and_then(|it| {
                        let value = BigUint::parse_bytes(digits.as_bytes(), radix)?;
                        Some(BvValue::from_biguint(it, value))
                    }),
                };
                let limit = || Problem::Limit(format!("bitvectors of {MOST_WIDTH} bits"));
                plain(self.terms.bv(value.ok_or_else(|| tokens.error(at, limit()))?))
            }
            Kind::Text => Err(tokens.error(at, Problem::Unsupported("the theory of strings".to_owned()))),
            Kind::Open | Kind::Close | Kind::Keyword => Err(tokens.expected(at, "a term")),
        }
    }

    /// What a parenthesis opens; where to go on, and whether a value is complete.
    fn open(&mut self, work: &mut Work<'_, '_>, at: usize) -> Result<(usize, bool), ScriptError> {
        let tokens = work.tokens;
        let base = work.values.len();
        if tokens.kind(at + 1) == Kind::Open {
            let head = self.compound(tokens, at + 1)?;
            work.frames.push(Frame::Apply { head, at: at + 1, base });
            return Ok((tokens.behind(at + 1), false));
        }
        match tokens.word(at + 1) {
            Some("let") => {
                work.require(at + 2, Kind::Open, "a list of bindings")?;
                work.require(at + 3, Kind::Open, "a binding")?;
                work.frames.push(Frame::Bindings { names: vec![work.name(at + 4)?], base });
                Ok((at + 5, false))
            }
            Some(word @ ("forall" | "exists")) => {
                work.require(at + 2, Kind::Open, "a list of variables")?;
                let (mut names, mut symbols) = (Vec::new(), Vec::new());
                for (name, sort) in self.variables(tokens, at + 2)? {
                    let symbol = self.bind(name, sort.in_arena());
                    work.enter(name, Typed::free(self.terms, sort, self.terms.of_symbol(symbol)));
                    names.push(name);
                    symbols.push(symbol);
                }
                work.frames.push(Frame::Quantified { universal: word == "forall", names, symbols });
                Ok((tokens.behind(at + 2), false))
            }
            Some("!") => {
                work.frames.push(Frame::Annotated { close: tokens.close(at) });
                Ok((at + 2, false))
            }
            Some("_") => {
                work.push(self.indexed_constant(tokens, at)?);
                Ok((tokens.behind(at), true))
            }
            Some("as") => {
                if tokens.close(at) != tokens.behind(at + 3) || tokens.kind(at + 2) != Kind::Name {
                    return Err(tokens.expected(at + 2, "a name and its sort"));
                }
                let sort = self.sorts.read(self.terms, &self.scope, tokens, at + 3)?;
                let value = self.atom(work, at + 2)?;
                self.of_sort(tokens, at + 2, &value, &sort)?;
                work.push(value);
                Ok((tokens.behind(at), true))
            }
            Some(word @ ("match" | "par")) => Err(tokens.error(at + 1, Problem::Unsupported(format!("`{word}`")))),
            _ if tokens.kind(at + 1) == Kind::Name => {
                let head = Head::Named(tokens.text(at + 1)?);
                work.frames.push(Frame::Apply { head, at: at + 1, base });
                Ok((at + 2, false))
            }
            _ => Err(tokens.expected(at + 1, "a function or an operator")),
        }
    }

    /// Reads a list of sorted variables, `((x S) (y T) ..)`.
    pub(crate) fn variables<'a>(
        &mut self,
        tokens: &Tokens<'a>,
        open: usize,
    ) -> Result<Vec<(&'a str, ScriptSort)>, ScriptError> {
        let mut res = Vec::new();
        let mut at = open + 1;
        while at < tokens.close(open) {
            let is_pair = tokens.kind(at) == Kind::Open && tokens.kind(at + 1) == Kind::Name;
            if !is_pair || tokens.behind(at + 2) != tokens.close(at) {
                return Err(tokens.expected(at, "a variable and its sort"));
            }
            let name = tokens.text(at + 1)?;
            res.push((name, self.sorts.read(self.terms, &self.scope, tokens, at + 2)?));
            at = tokens.behind(at);
        }
        Ok(res)
    }

    /// `(_ name index ..)` or `(as const S)` before arguments.
    fn compound<'a>(&mut self, tokens: &Tokens<'a>, open: usize) -> Result<Head<'a>, ScriptError> {
        let close = tokens.close(open);
        match tokens.word(open + 1) {
            Some("_") if tokens.kind(open + 2) == Kind::Name => {
                let mut indices = Vec::new();
                for at in open + 3..close {
                    indices.push(small(tokens, at, "an index")?);
                }
                Ok(Head::Indexed(tokens.text(open + 2)?, indices))
            }
            Some("as") if tokens.word(open + 2) == Some("const") && close > open + 3 => {
                let sort = self.sorts.read(self.terms, &self.scope, tokens, open + 3)?;
                match sort.in_arena() {
                    Sort::Array(_) if tokens.behind(open + 3) == close => Ok(Head::Everywhere(sort)),
                    _ => Err(tokens.expected(open + 3, "the sort of an array")),
                }
            }
            _ => Err(tokens.expected(open + 1, "`_ operator index` or `as const sort`")),
        }
    }

    /// Reads the bitvector constant `(_ bv5 32)`, or a float like `(_ NaN 8 24)`.
    fn indexed_constant(&self, tokens: &Tokens<'_>, open: usize) -> Result<Typed, ScriptError> {
        if let Some(special) = tokens.word(open + 2).and_then(Special::of_name) {
            if tokens.close(open) != open + 5 {
                return Err(tokens.expected(open + 3, "a format, as bits of exponent and significand,"));
            }
            let format = sorts::format(tokens, open + 3)?;
            return Ok(Typed::float(format, self.terms.bv(special.bits(format))));
        }
        let expected = |at: usize| tokens.expected(at, "`bv` with a number, and a width");
        let digits = tokens.word(open + 2).and_then(|it| it.strip_prefix("bv"));
        let digits = digits.filter(|it| !it.is_empty() && it.bytes().all(|it| it.is_ascii_digit()));
        let Some(digits) = digits.filter(|_| tokens.close(open) == open + 4) else { return Err(expected(open + 2)) };
        let width = small(tokens, open + 3, "a width")?;
        let width = Width::new(width).filter(|it| it.bits() <= MOST_WIDTH).ok_or_else(|| expected(open + 3))?;
        let value = match digits.parse::<u64>() {
            Ok(small) => BigUint::from(small),
            Err(_) if digits.len() > MOST_DIGITS => {
                return Err(tokens.error(open + 2, Problem::Limit(format!("{MOST_DIGITS} digits"))));
            }
            Err(_) => BigUint::parse_bytes(digits.as_bytes(), 10).ok_or_else(|| expected(open + 2))?,
        };
        if value.bits() > u64::from(width.bits()) {
            let found = format!("{} bits", value.bits());
            return Err(tokens.error(open + 2, Problem::expected(format!("a number of {} bits", width.bits()), found)));
        }
        Ok(Typed::plain(self.terms, self.terms.bv(BvValue::from_biguint(width, value))))
    }

    /// Applies the innermost open operator: all arguments are there.
    fn apply(&mut self, work: &mut Work<'_, '_>, close: usize) -> Result<(), ScriptError> {
        let tokens = work.tokens;
        let Some(Frame::Apply { head, at, base }) = work.frames.pop() else {
            return Err(tokens.expected(close, "a term"));
        };
        let value = self
            .applied(&head, &work.values[base..], &work.sorts[base..])
            .map_err(|problem| tokens.error(at, problem))?;
        self.charge().map_err(|problem| tokens.error(at, problem))?;
        work.values.truncate(base);
        work.sorts.truncate(base);
        work.push(value);
        Ok(())
    }

    fn applied(&mut self, head: &Head<'_>, arguments: &[Term], sorts: &[ScriptSort]) -> Result<Typed, Problem> {
        let terms = self.terms;
        let unknown = |name: &str| Problem::Unknown(name.to_owned());
        match head {
            Head::Named(name) => match self.scope.get(name) {
                Some(Meaning::Function(function, signature)) => {
                    self.fit(name, &signature.arguments, arguments, sorts)?;
                    Ok(Typed::free(terms, signature.result.clone(), terms.apply(*function, arguments)))
                }
                Some(Meaning::Macro(defined)) => {
                    self.fit(name, &defined.signature.arguments, arguments, sorts)?;
                    let by: HashMap<Symbol, Term> =
                        defined.parameters.iter().copied().zip(arguments.iter().copied()).collect();
                    let term = terms.substitute(defined.body, &mut |it| by.get(&it).copied());
                    Ok(Typed { term, sort: defined.signature.result.clone() })
                }
                Some(Meaning::Term(_)) => Err(Problem::expected("a function", format!("the constant `{name}`"))),
                None => {
                    let call = Call { terms, name, indices: &[], arguments, sorts };
                    operators::apply(&call).unwrap_or_else(|| Err(unknown(name)))
                }
            },
            Head::Indexed(name, indices) => {
                let call = Call { terms, name, indices, arguments, sorts };
                operators::apply(&call).unwrap_or_else(|| Err(unknown(name)))
            }
            Head::Everywhere(sort) => {
                let Some((_, element)) = sort.array_parts(terms) else { return Err(unknown("const")) };
                self.fit("const", &[element], arguments, sorts)?;
                Ok(Typed { term: terms.const_array(sort.in_arena(), arguments[0]), sort: sort.clone() })
            }
        }
    }

    /// That arguments have the sorts of a signature.
    fn fit(&self, name: &str, due: &[ScriptSort], arguments: &[Term], sorts: &[ScriptSort]) -> Result<(), Problem> {
        if due == sorts {
            return Ok(());
        }
        let expected: Vec<String> = due.iter().map(|it| sort_text(self.terms, it)).collect();
        Call { terms: self.terms, name, indices: &[], arguments, sorts }.refuse(expected.join(" "))
    }

    /// A value is complete: what it completes is closed. Where to go on.
    fn complete(&mut self, work: &mut Work<'_, '_>, mut at: usize) -> Result<usize, ScriptError> {
        let tokens = work.tokens;
        loop {
            match work.frames.last_mut() {
                None | Some(Frame::Apply { .. }) => return Ok(at),
                Some(Frame::Bindings { base, .. }) => {
                    let base = *base;
                    work.require(at, Kind::Close, "the end of a binding")?;
                    at += 1;
                    if tokens.kind(at) == Kind::Open {
                        let name = work.name(at + 1)?;
                        if let Some(Frame::Bindings { names, .. }) = work.frames.last_mut() {
                            names.push(name);
                        }
                        return Ok(at + 2);
                    }
                    work.require(at, Kind::Close, "a binding or the end of bindings")?;
                    let (values, sorts) = (work.values.split_off(base), work.sorts.split_off(base));
                    let values = values.into_iter().zip(sorts).map(|(term, sort)| Typed { term, sort });
                    if let Some(Frame::Bindings { names, .. }) = work.frames.pop() {
                        names.iter().zip(values).for_each(|(name, value)| work.enter(name, value));
                        work.frames.push(Frame::Body { names });
                    }
                    return Ok(at + 1);
                }
                Some(Frame::Body { names }) => {
                    let names = std::mem::take(names);
                    work.require(at, Kind::Close, "`)`")?;
                    work.leave(&names);
                    work.frames.pop();
                    at += 1;
                }
                Some(Frame::Quantified { universal, names, symbols }) => {
                    let (universal, names, symbols) = (*universal, std::mem::take(names), std::mem::take(symbols));
                    work.require(at, Kind::Close, "`)`")?;
                    work.leave(&names);
                    work.frames.pop();
                    if let Some(body) = work.pop() {
                        self.of_sort(tokens, at, &body, &Sort::Bool.into())?;
                        let quantified = if universal {
                            self.terms.forall(&symbols, &[], body.term)
                        } else {
                            self.terms.exists(&symbols, &[], body.term)
                        };
                        work.push(Typed::plain(self.terms, quantified));
                    }
                    at += 1;
                }
                Some(Frame::Annotated { close }) => {
                    let close = *close;
                    if let Some(value) = work.pop() {
                        self.annotations(tokens, at, close, &value)?;
                        work.push(value);
                    }
                    work.frames.pop();
                    at = close + 1;
                }
            }
        }
    }

    /// `:named n` gives a name; patterns and the like are hints.
    fn annotations(
        &mut self,
        tokens: &Tokens<'_>,
        from: usize,
        close: usize,
        value: &Typed,
    ) -> Result<(), ScriptError> {
        let mut at = from;
        if at == close {
            return Err(tokens.expected(at, "an attribute"));
        }
        while at < close {
            if tokens.kind(at) != Kind::Keyword {
                return Err(tokens.expected(at, "an attribute"));
            }
            let is_name = tokens.word(at) == Some(":named");
            at += 1;
            if is_name {
                if tokens.kind(at) != Kind::Name {
                    return Err(tokens.expected(at, "a name"));
                }
                let name = tokens.text(at)?;
                let bound = |it: &&Symbol| self.terms.symbol_info(**it).kind == SymbolKind::Bound;
                if self.terms.symbols(value.term).iter().find(bound).is_some() {
                    return Err(tokens.error(at, Problem::Now("a term with a bound variable has no name")));
                }
                self.say(tokens, at, name, Meaning::Term(value.clone()))?;
            }
            if at < close && tokens.kind(at) != Kind::Keyword {
                at = tokens.behind(at);
            }
        }
        Ok(())
    }

    /// Gives a name its meaning.
    pub(crate) fn say(
        &mut self,
        tokens: &Tokens<'_>,
        at: usize,
        name: &str,
        meaning: Meaning,
    ) -> Result<(), ScriptError> {
        if is_reserved(name) || !self.scope.say(name, meaning) {
            return Err(tokens.error(at, Problem::Taken(name.to_owned())));
        }
        Ok(())
    }
}

fn number(tokens: &Tokens<'_>, at: usize) -> Result<BigInt, ScriptError> {
    let digits = tokens.text(at)?;
    if digits.len() > MOST_DIGITS {
        return Err(tokens.error(at, Problem::Limit(format!("{MOST_DIGITS} digits"))));
    }
    BigInt::parse_bytes(digits.as_bytes(), 10).ok_or_else(|| tokens.expected(at, "a number"))
}

/// `1.25`, or `5` as a fraction.
fn decimal(tokens: &Tokens<'_>, at: usize) -> Result<BigRational, ScriptError> {
    let text = tokens.text(at)?;
    if text.len() > MOST_DIGITS {
        return Err(tokens.error(at, Problem::Limit(format!("{MOST_DIGITS} digits"))));
    }
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let amount = BigInt::parse_bytes(format!("{whole}{part}").as_bytes(), 10);
    let amount = amount.ok_or_else(|| tokens.expected(at, "a number"))?;
    Ok(BigRational::new(amount, BigInt::from(10).pow(part.len() as u32)))
}

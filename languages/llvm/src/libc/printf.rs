//! What `printf` makes of a format and its arguments: pieces of text, in which numbers may stay symbolic.
//!
//! Knows: printf(3)'s directives, arguments of a call and those behind a `va_list`. Never: where the text goes (`stdio`).

use super::width_of;
use crate::code::Call;
use crate::format::{Conversion, characters, length, pad, ranges, write_float, write_number};
use crate::machine::{Flow, Machine};
use crate::memory::bytes::Bytes;
use crate::placement::here;
use crate::state::Chunk;
use crate::step::access::{Access, Spot};
use crate::value::{Val, truncate};
use effigy_term::{Term, Terms, Width};

/// The most characters that one conversion or one string writes. Chosen without measuring.
const MOST_WRITTEN: u64 = 1 << 20;

/// Where arguments come from.
pub(super) enum Arguments<'a> {
    /// The call itself, from this one on.
    Call(&'a Call, &'a [Val], usize),
    /// Eight bytes each, from this address on.
    List(Val),
}

impl<'a> Arguments<'a> {
    /// The unnamed arguments of a call, from argument `first` on.
    pub(super) fn of_call(call: &'a Call, arguments: &'a [Val], first: usize) -> Arguments<'a> {
        Arguments::Call(call, arguments, first)
    }

    /// The arguments behind the `va_list` at `list`: `va_start` lays all of them out in the overflow area.
    pub(super) fn of_list(it: &mut Machine<'_, '_>, list: &Val) -> Flow<Arguments<'a>> {
        let area = it.add_distance(list, 8);
        Ok(Arguments::List(it.load_scalar(&area, 8, 64)?))
    }

    /// The next one, with its width; `bits` of it count.
    fn next(&mut self, it: &mut Machine<'_, '_>, bits: u32) -> Flow<(Val, Width)> {
        match self {
            Arguments::Call(call, arguments, next) => {
                let at = *next;
                *next += 1;
                Ok((it.argument(arguments, at), width_of(call, at)))
            }
            Arguments::List(at) => {
                let bits = if bits == 64 { 64 } else { 32 };
                let value = it.load_scalar(at, u64::from(bits / 8), bits)?;
                *at = it.add_distance(at, 8);
                Ok((value, Width::of(bits)))
            }
        }
    }
}

/// What a format has made.
#[derive(Default)]
pub(super) struct Text {
    chunks: Vec<Chunk>,
    plain: Vec<u8>,
    /// What `%n` stores, and where.
    counts: Vec<(Spot, Val, u32)>,
}

impl Text {
    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        self.plain.extend_from_slice(bytes);
    }

    fn number(&mut self, format: Conversion, term: Term) {
        self.flush();
        self.chunks.push(Chunk::Number { format, term });
    }

    fn flush(&mut self) {
        if !self.plain.is_empty() {
            self.chunks.push(Chunk::Bytes(std::mem::take(&mut self.plain).into()));
        }
    }

    /// A character: known, or decided by the witness.
    pub(super) fn character(&mut self, it: &mut Machine<'_, '_>, value: &Val, width: Width) -> Flow<()> {
        match value {
            Val::Int(bits) => self.plain.push(*bits as u8),
            _ => {
                let term = it.term(value, width);
                it.require_defined(term, "a character that is printed")?;
                self.number(Conversion::CHARACTER, term);
            }
        }
        Ok(())
    }

    /// How long it is, as 64 bits.
    pub(super) fn length(&self, it: &Machine<'_, '_>) -> Term {
        let terms = it.ctx.terms;
        let zero = terms.bv_u64(Width::W64, self.plain.len() as u64);
        self.chunks.iter().fold(zero, |sum, chunk| match chunk {
            Chunk::Bytes(bytes) => terms.bv_add(sum, terms.bv_u64(Width::W64, bytes.len() as u64)),
            Chunk::Number { format, term } => terms.bv_add(sum, length(terms, format, *term)),
        })
    }

    /// Its characters. How long a symbolic number is written is asked for; its digits stay symbolic.
    pub(super) fn characters(mut self, it: &mut Machine<'_, '_>) -> Flow<(Vec<Val>, Counts)> {
        self.flush();
        let mut res = Vec::new();
        for chunk in &self.chunks {
            match chunk {
                Chunk::Bytes(bytes) => res.extend(bytes.iter().map(|&it| Val::Int(u64::from(it)))),
                Chunk::Number { format, term } => {
                    let terms = it.ctx.terms;
                    let value = crate::format::counted(terms, format, *term);
                    let width = Width::of(format.bits);
                    let ranges = ranges(format);
                    let most = truncate(u64::MAX, format.bits);
                    let last = |index: usize| ranges.get(index + 1).map_or(most, |it| it.low - 1);
                    let within = |index: usize| {
                        let distance = terms.bv_sub(value, terms.bv_u64(width, ranges[index].low));
                        terms.bv_ule(distance, terms.bv_u64(width, last(index) - ranges[index].low))
                    };
                    let label = |index: usize| format!("as {}", String::from_utf8_lossy(&ranges[index].text)).into();
                    let cases: Vec<_> = (0..ranges.len()).map(|it| (within(it), label(it))).collect();
                    let chosen = it.decide_among(&cases)?;
                    res.extend(characters(it.ctx.terms, format, &ranges[chosen], last(chosen), *term));
                }
            }
        }
        Ok((res, Counts(self.counts)))
    }

    /// Its pieces, as they are printed: what is printed of addresses decides nothing.
    pub(super) fn pieces(mut self, terms: &Terms) -> (Vec<Chunk>, Counts) {
        self.flush();
        let shown = self.chunks.into_iter().map(|it| match it {
            Chunk::Number { format, term } => Chunk::Number { format, term: here(terms, term) },
            bytes => bytes,
        });
        (shown.collect(), Counts(self.counts))
    }
}

/// What `%n` stores when the text is written.
#[must_use]
pub(super) struct Counts(Vec<(Spot, Val, u32)>);

impl Counts {
    pub(super) fn store(self, it: &mut Machine<'_, '_>) {
        for (spot, value, bits) in self.0 {
            it.write(spot, &value, bits as usize / 8, bits);
        }
    }
}

/// Characters as the bytes that are written to memory.
pub(super) fn bytes_of(it: &Machine<'_, '_>, characters: &[Val]) -> Bytes {
    let mut bytes = Bytes::concrete(vec![0; characters.len()]);
    for (at, value) in characters.iter().enumerate() {
        match value {
            Val::Int(bits) => bytes.store_concrete(it.ctx.terms, at, 1, *bits),
            Val::Term(term) => bytes.store_term(it.ctx.terms, at, 1, *term),
            _ => {}
        }
    }
    bytes
}

/// One `%...` of a format after the percent sign, with its length; `None` if it is malformed. `star` gives the
/// values of `*`.
fn parse(format: &[u8], star: &mut dyn FnMut() -> Flow<i32>) -> Flow<Option<(Conversion, bool, usize)>> {
    let mut res = Conversion { kind: b'd', ..Conversion::CHARACTER };
    let mut at = 0;
    let peek = |at: usize| format.get(at).copied().unwrap_or(0);
    loop {
        match peek(at) {
            b'-' => res.left = true,
            b'+' => res.plus = true,
            b' ' => res.space = true,
            b'#' => res.alternative = true,
            b'0' => res.zero = true,
            _ => break,
        }
        at += 1;
    }
    let mut count = |at: &mut usize| -> Flow<i64> {
        if peek(*at) == b'*' {
            *at += 1;
            return Ok(i64::from(star()?));
        }
        let mut number = 0;
        while peek(*at).is_ascii_digit() {
            number = (number * 10 + i64::from(peek(*at) - b'0')).min(1 << 40);
            *at += 1;
        }
        Ok(number)
    };
    let width = count(&mut at)?;
    res.left |= width < 0;
    res.width = width.unsigned_abs() as usize;
    if peek(at) == b'.' {
        at += 1;
        // A negative one is as if there were none.
        res.precision = usize::try_from(count(&mut at)?).ok();
    }
    let mut long = false;
    loop {
        match peek(at) {
            b'h' => res.bits = if res.bits == 16 { 8 } else { 16 },
            b'L' | b'l' | b'j' | b'z' | b't' | b'q' => {
                res.bits = 64;
                long = true;
            }
            _ => break,
        }
        at += 1;
    }
    res.kind = peek(at);
    if matches!(res.kind, b'p' | b's' | b'a' | b'A' | b'e' | b'E' | b'f' | b'F' | b'g' | b'G') {
        res.bits = 64;
    }
    if res.kind == b'c' && !long {
        res.bits = 32;
    }
    Ok((res.kind != 0).then_some((res, long, at + 1)))
}

/// What the format at `ptr` makes of its arguments.
pub(super) fn formatted(it: &mut Machine<'_, '_>, ptr: &Val, mut arguments: Arguments<'_>) -> Flow<Text> {
    let format = it.text(ptr)?;
    let mut res = Text::default();
    let mut at = 0;
    while let Some(&byte) = format.get(at) {
        at += 1;
        if byte != b'%' {
            res.plain.push(byte);
            continue;
        }
        if format.get(at) == Some(&b'%') {
            res.plain.push(b'%');
            at += 1;
            continue;
        }
        let mut star = || match arguments.next(it, 32)?.0 {
            Val::Int(bits) => Ok(bits as i32),
            other => {
                let term = it.term(&other, Width::W32);
                it.require_defined(term, "a field width of printf")?;
                Ok(it.choose_value(term)? as i32)
            }
        };
        let Some((conversion, long, length)) = parse(&format[at..], &mut star)? else {
            return Err(it.unsupported("a format that ends in the middle of a conversion"));
        };
        let precision = conversion.precision.filter(|_| conversion.kind != b's').unwrap_or(0);
        if conversion.width.max(precision) as u64 > MOST_WRITTEN {
            return Err(it.unsupported("a conversion of printf that writes more than 1 MiB"));
        }
        at += length;
        directive(it, conversion, long, &mut arguments, &mut res)?;
    }
    Ok(res)
}

fn directive(
    it: &mut Machine<'_, '_>,
    conversion: Conversion,
    long: bool,
    arguments: &mut Arguments<'_>,
    res: &mut Text,
) -> Flow<()> {
    let named = |kind: u8| format!("printf with %{}{}", if long { "l" } else { "" }, kind as char);
    match conversion.kind {
        b's' | b'c' if long => return Err(it.unsupported(&named(conversion.kind))),
        b'd' | b'i' | b'u' | b'o' | b'x' | b'X' | b'c' | b'p' => {
            let (value, width) = arguments.next(it, conversion.bits)?;
            let value = if conversion.kind == b'p' { it.number_of(value) } else { value };
            match value {
                Val::Int(bits) => write_number(&conversion, bits, &mut res.plain),
                _ => {
                    let term = it.term(&value, width);
                    it.require_defined(term, "a number that is printed")?;
                    let term = it.ctx.terms.bv_truncate(width.min(Width::W64), term);
                    res.number(conversion, term);
                }
            }
        }
        b's' => {
            let (value, _) = arguments.next(it, 64)?;
            string(it, &conversion, &value, res)?;
        }
        b'n' => {
            let (value, _) = arguments.next(it, 64)?;
            let bits = conversion.bits;
            let spot = it.resolve(&value, u64::from(bits / 8), Access::Write)?;
            let length = it.ctx.terms.bv_truncate(Width::of(bits), res.length(it));
            res.counts.push((spot, it.of_term(length), bits));
        }
        b'e' | b'E' | b'f' | b'F' | b'g' | b'G' => {
            let (value, width) = arguments.next(it, 64)?;
            match it.run_value(&value)? {
                Val::Int(bits) if width == Width::W64 => {
                    if write_float(&conversion, f64::from_bits(bits), &mut res.plain).is_none() {
                        return Err(it.unsupported(&named(conversion.kind)));
                    }
                }
                _ => return Err(it.unsupported("printf of a symbolic or long floating-point value")),
            }
        }
        _ => return Err(it.unsupported(&named(conversion.kind))),
    }
    Ok(())
}

/// `%s`: where the text ends is decided, its characters stay symbolic.
fn string(it: &mut Machine<'_, '_>, conversion: &Conversion, ptr: &Val, res: &mut Text) -> Flow<()> {
    let null = match ptr {
        Val::Int(address) => *address == 0,
        Val::Term(term) => {
            it.require_defined(*term, "a string that is printed")?;
            let terms = it.ctx.terms;
            it.decide_term(terms.eq(*term, terms.bv_u64(Width::W64, 0)))?
        }
        _ => false,
    };
    let mut characters = Vec::new();
    if null {
        // Undefined in C; glibc writes this, or nothing where the precision has no room for it.
        it.note("null-string", "%s of printf is given the null pointer, as only glibc allows", false);
        if conversion.precision.is_none_or(|it| it >= 6) {
            characters.extend(b"(null)".iter().map(|&it| Val::Int(u64::from(it))));
        }
    } else {
        characters = characters_of(it, ptr, conversion.precision.map_or(u64::MAX, |it| it as u64))?;
    }
    let mut padding = Vec::new();
    pad(&Conversion { left: false, ..*conversion }, b"", &vec![b' '; characters.len()], false, &mut padding);
    let padding = vec![b' '; padding.len() - characters.len()];
    if !conversion.left {
        res.bytes(&padding);
    }
    for character in &characters {
        res.character(it, character, Width::W8)?;
    }
    if conversion.left {
        res.bytes(&padding);
    }
    Ok(())
}

/// The characters of a string, at most so many.
fn characters_of(it: &mut Machine<'_, '_>, ptr: &Val, most: u64) -> Flow<Vec<Val>> {
    let mut res = Vec::new();
    for at in 0..most {
        if at == MOST_WRITTEN {
            return Err(it.unsupported("writing a string of more than 1 MiB"));
        }
        let byte = it.byte_at(ptr, at)?;
        if it.is_zero(&byte)? {
            break;
        }
        res.push(byte);
    }
    Ok(res)
}

/// The text of a string, as `fputs` writes it.
pub(super) fn plain_text(it: &mut Machine<'_, '_>, ptr: &Val) -> Flow<Text> {
    let mut res = Text::default();
    for character in characters_of(it, ptr, u64::MAX)? {
        res.character(it, &character, Width::W8)?;
    }
    Ok(res)
}

//! `stdio.h`: what is written to standard output is kept with the path.
//!
//! Knows: printf(3)'s formats, on numbers that the witness decides too. Never: files.

use super::width_of;
use crate::code::Call;
use crate::format::{Conversion, float_text, pad, write_number};
use crate::machine::{Flow, Machine};
use crate::memory::bytes::Bytes;
use crate::state::Chunk;
use crate::step::access::Access;
use crate::value::Val;
use effigy_term::Width;
use std::rc::Rc;

type Done = Flow<Option<Val>>;

/// One `%...` of a format after the percent sign, with its length; `None` if it is malformed. `star` gives the
/// values of `*`.
fn parse(format: &[u8], star: &mut dyn FnMut() -> Flow<i32>) -> Flow<Option<(Conversion, usize)>> {
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
    let mut count = |at: &mut usize| -> Flow<usize> {
        if peek(*at) == b'*' {
            *at += 1;
            return Ok(star()?.unsigned_abs() as usize);
        }
        let mut number = 0usize;
        while peek(*at).is_ascii_digit() {
            number = (number * 10 + usize::from(peek(*at) - b'0')).min(1 << 16);
            *at += 1;
        }
        Ok(number)
    };
    res.width = count(&mut at)?;
    if peek(at) == b'.' {
        at += 1;
        res.precision = Some(count(&mut at)?);
    }
    loop {
        match peek(at) {
            b'h' => res.bits = if res.bits == 16 { 8 } else { 16 },
            b'l' | b'j' | b'z' | b't' | b'q' | b'L' => res.bits = 64,
            _ => break,
        }
        at += 1;
    }
    res.kind = peek(at);
    if res.kind == b'p' {
        res.bits = 64;
    }
    Ok((res.kind != 0).then_some((res, at + 1)))
}

/// The pieces that a format and its arguments make.
fn formatted(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val], format: usize) -> Flow<Vec<Chunk>> {
    let ptr = it.argument(arguments, format);
    let text = it.text(&ptr)?;
    let mut chunks = Vec::new();
    let mut plain: Vec<u8> = Vec::new();
    let mut next = format + 1;
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        at += 1;
        if byte != b'%' {
            plain.push(byte);
            continue;
        }
        if text.get(at) == Some(&b'%') {
            plain.push(b'%');
            at += 1;
            continue;
        }
        let mut star = || {
            let value = it.argument(arguments, next);
            next += 1;
            match value {
                Val::Int(bits) => Ok(bits as i32),
                _ => Err(it.unsupported("printf with a symbolic field width")),
            }
        };
        let Some((conversion, length)) = parse(&text[at..], &mut star)? else { break };
        at += length;
        let value = it.argument(arguments, next);
        let width = width_of(call, next);
        next += 1;
        match conversion.kind {
            b'd' | b'i' | b'u' | b'o' | b'x' | b'X' | b'c' | b'p' => match value {
                Val::Int(bits) => write_number(&conversion, bits, &mut plain),
                _ => {
                    let term = it.term(&value, width);
                    it.require_defined(term, "a number that is printed")?;
                    if !plain.is_empty() {
                        chunks.push(Chunk::Bytes(std::mem::take(&mut plain).into()));
                    }
                    let term = it.ctx.terms.bv_truncate(width.min(Width::W64), term);
                    chunks.push(Chunk::Number { format: conversion, term });
                }
            },
            // Without a field width the length of the text does not matter: its characters may stay symbolic.
            b's' if conversion.width == 0 && value != Val::Int(0) => {
                let most = conversion.precision.map_or(1 << 20, |it| it as u64);
                for at in 0..most {
                    let byte = it.byte_at(&value, at)?;
                    if it.is_zero(&byte)? {
                        break;
                    }
                    match character(it, &byte)? {
                        Chunk::Bytes(bytes) => plain.extend_from_slice(&bytes),
                        number => {
                            if !plain.is_empty() {
                                chunks.push(Chunk::Bytes(std::mem::take(&mut plain).into()));
                            }
                            chunks.push(number);
                        }
                    }
                }
            }
            b's' => {
                let most = conversion.precision.map_or(u64::MAX, |it| it as u64);
                let bytes = if value == Val::Int(0) { Rc::from(*b"(null)") } else { it.text_of(&value, most)? };
                pad(&conversion, b"", &bytes, false, &mut plain);
            }
            b'n' => return Err(it.unsupported("printf with %n")),
            _ => match value {
                Val::Int(bits) => match float_text(&conversion, f64::from_bits(bits)) {
                    Some((sign, text)) => pad(&conversion, &sign, text.as_bytes(), conversion.zero, &mut plain),
                    None => return Err(it.unsupported(&format!("printf with %{}", conversion.kind as char))),
                },
                _ => return Err(it.unsupported("printf of a symbolic or long floating-point value")),
            },
        }
    }
    if !plain.is_empty() {
        chunks.push(Chunk::Bytes(plain.into()));
    }
    Ok(chunks)
}

impl Machine<'_, '_> {
    /// The text of a string up to `most` bytes; symbolic characters are asked for.
    fn text_of(&mut self, ptr: &Val, most: u64) -> Flow<Rc<[u8]>> {
        let mut res = Vec::new();
        for at in 0..most.min(1 << 20) {
            let byte = match self.byte_at(ptr, at)? {
                Val::Int(bits) => bits as u8,
                other => {
                    let term = self.term(&other, Width::W8);
                    self.require_defined(term, "a character that is printed")?;
                    self.choose_value(term)? as u8
                }
            };
            if byte == 0 {
                break;
            }
            res.push(byte);
        }
        Ok(res.into())
    }

    fn emit(&mut self, chunks: Vec<Chunk>) -> Val {
        let mut count = 0;
        for chunk in chunks {
            if let Chunk::Bytes(bytes) = &chunk {
                count += bytes.len() as u64;
            }
            self.state.output.push(chunk);
        }
        Val::Int(count)
    }

    /// Whether a stream is standard output.
    fn is_stdout(&self, stream: &Val) -> bool {
        *stream == Val::Int(self.program.library.stdout)
    }
}

/// `int printf(const char *format, ...)`; the result counts symbolic numbers as nothing.
pub(crate) fn printf(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    let chunks = formatted(it, call, arguments, 0)?;
    Ok(Some(it.emit(chunks)))
}

/// `int fprintf(FILE *stream, const char *format, ...)`
pub(crate) fn fprintf(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    let chunks = formatted(it, call, arguments, 1)?;
    if it.is_stdout(&it.argument(arguments, 0)) {
        return Ok(Some(it.emit(chunks)));
    }
    Ok(Some(Val::Int(0)))
}

fn print_to_memory(it: &mut Machine<'_, '_>, chunks: &[Chunk], to: &Val, most: u64) -> Done {
    let mut text = Vec::new();
    for chunk in chunks {
        match chunk {
            Chunk::Bytes(bytes) => text.extend_from_slice(bytes),
            Chunk::Number { format: Conversion { kind: b'c', width: 0 | 1, .. }, term } => {
                let bits = it.choose_value(*term)?;
                text.push(bits as u8);
            }
            Chunk::Number { .. } => return Err(it.unsupported("sprintf of a symbolic number")),
        }
    }
    let count = text.len() as u64;
    if most > 0 {
        text.truncate((most - 1).min(count) as usize);
        text.push(0);
        let spot = it.resolve(to, text.len() as u64, Access::Write)?;
        let len = text.len();
        it.write_from(spot, &Bytes::concrete(text), len);
    }
    Ok(Some(Val::Int(count)))
}

/// `int sprintf(char *to, const char *format, ...)`
pub(crate) fn sprintf(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    let chunks = formatted(it, call, arguments, 1)?;
    let to = it.argument(arguments, 0);
    print_to_memory(it, &chunks, &to, u64::MAX)
}

/// `int snprintf(char *to, size_t size, const char *format, ...)`
pub(crate) fn snprintf(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    let most = it.size_argument(arguments, 1)?;
    let chunks = formatted(it, call, arguments, 2)?;
    let to = it.argument(arguments, 0);
    print_to_memory(it, &chunks, &to, most)
}

fn write_string(it: &mut Machine<'_, '_>, ptr: &Val, newline: bool) -> Flow<()> {
    let mut chunks = Vec::new();
    for at in 0..1 << 20 {
        let byte = it.byte_at(ptr, at)?;
        if it.is_zero(&byte)? {
            break;
        }
        chunks.push(character(it, &byte)?);
    }
    if newline {
        chunks.push(Chunk::Bytes(Rc::from(*b"\n")));
    }
    it.emit(joined(chunks));
    Ok(())
}

/// Neighbouring known pieces as one.
fn joined(chunks: Vec<Chunk>) -> Vec<Chunk> {
    let mut res: Vec<Chunk> = Vec::new();
    let mut plain: Vec<u8> = Vec::new();
    for chunk in chunks {
        match chunk {
            Chunk::Bytes(bytes) => plain.extend_from_slice(&bytes),
            number => {
                if !plain.is_empty() {
                    res.push(Chunk::Bytes(std::mem::take(&mut plain).into()));
                }
                res.push(number);
            }
        }
    }
    if !plain.is_empty() {
        res.push(Chunk::Bytes(plain.into()));
    }
    res
}

/// One character of output.
fn character(it: &mut Machine<'_, '_>, value: &Val) -> Flow<Chunk> {
    match value {
        Val::Int(bits) => Ok(Chunk::Bytes(Rc::from([*bits as u8]))),
        _ => {
            let width = match value {
                Val::Term(term) => it.ctx.terms.sort(*term).width().unwrap_or(Width::W1),
                _ => Width::W8,
            };
            let term = it.term(value, width);
            it.require_defined(term, "a character that is printed")?;
            Ok(Chunk::Number { format: Conversion::CHARACTER, term })
        }
    }
}

/// `int puts(const char *s)`
pub(crate) fn puts(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let s = it.argument(arguments, 0);
    write_string(it, &s, true)?;
    Ok(Some(Val::Int(1)))
}

/// `int fputs(const char *s, FILE *stream)`
pub(crate) fn fputs(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let s = it.argument(arguments, 0);
    if it.is_stdout(&it.argument(arguments, 1)) {
        write_string(it, &s, false)?;
    }
    Ok(Some(Val::Int(1)))
}

/// `int putchar(int c)`
pub(crate) fn putchar(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let c = it.argument(arguments, 0);
    let chunk = character(it, &c)?;
    it.emit(vec![chunk]);
    Ok(Some(c))
}

/// `int fputc(int c, FILE *stream)`
pub(crate) fn fputc(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    if it.is_stdout(&it.argument(arguments, 1)) {
        return putchar(it, call, arguments);
    }
    Ok(Some(it.argument(arguments, 0)))
}

/// `size_t fwrite(const void *at, size_t size, size_t count, FILE *stream)`
pub(crate) fn fwrite(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let (size, count) = (it.size_argument(arguments, 1)?, it.size_argument(arguments, 2)?);
    let at = it.argument(arguments, 0);
    let mut chunks = Vec::new();
    for index in 0..size.saturating_mul(count).min(1 << 24) {
        let byte = it.byte_at(&at, index)?;
        chunks.push(character(it, &byte)?);
    }
    if it.is_stdout(&it.argument(arguments, 3)) {
        it.emit(joined(chunks));
    }
    Ok(Some(Val::Int(count)))
}

//! Deterministic mutations of texts: each is read, or refused with a place in it.

use super::compilers;
use effigy_llvm::reader::read;

/// A small generator of numbers: the same mutations on every run (Knuth's MMIX constants).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound.max(1)
    }
}

/// The tokens of a text, roughly: runs of name bytes, runs of spaces, single other bytes.
fn tokens(text: &[u8]) -> Vec<&[u8]> {
    let class = |byte: u8| match byte {
        b' ' | b'\n' => 0,
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'.' => 1,
        _ => 2,
    };
    text.chunk_by(|&a, &b| class(a) == class(b) && class(a) != 2).collect()
}

const JUNK: &[&[u8]] = &[
    b"(",
    b")",
    b"}",
    b"{",
    b"]",
    b"[",
    b"<",
    b"\"",
    b"%",
    b"@",
    b"!",
    b"#",
    b",",
    b"*",
    b"=",
    b";",
    b":",
    b"\xff",
    b"\0",
    b"[999999999999 x i8]",
    b"i0",
    b"i8388608",
    b"<vscale x 4 x i32>",
    b"-",
    b"99999999999999999999",
    b"void",
    b"label",
    b"metadata",
    b"splat (i8 1)",
    b"zeroinitializer",
    b"undef",
    b"null",
    b"to",
    b"!dbg !0",
    b"%0",
    b"@0",
    b"\n}\n",
];

fn mutated(text: &[u8], numbers: &mut Numbers) -> Vec<u8> {
    let mut tokens: Vec<Vec<u8>> = tokens(text).into_iter().map(<[u8]>::to_vec).collect();
    for _ in 0..1 + numbers.below(4) {
        let at = numbers.below(tokens.len());
        match numbers.below(7) {
            0 => tokens.truncate(at),
            1 => {
                if let Some(token) = tokens.get_mut(at) {
                    let byte = numbers.below(token.len());
                    token[byte] ^= 1 << numbers.below(8);
                }
            }
            2 => drop(tokens.drain(at..(at + 1 + numbers.below(4)).min(tokens.len()))),
            3 => {
                let copy = tokens[at..(at + 1 + numbers.below(30)).min(tokens.len())].to_vec();
                let to = numbers.below(tokens.len());
                tokens.splice(to..to, copy);
            }
            4 => tokens.insert(at, JUNK[numbers.below(JUNK.len())].to_vec()),
            5 => tokens[at] = JUNK[numbers.below(JUNK.len())].to_vec(),
            _ => {
                let other = numbers.below(tokens.len());
                tokens.swap(at, other);
            }
        }
        if tokens.is_empty() {
            break;
        }
    }
    tokens.concat()
}

/// `Ok`, or an error with a line of the text, that line, and a message.
fn check(text: &[u8]) {
    if let Err(error) = read(text) {
        let lines = text.split(|&it| it == b'\n').count();
        assert!(error.line >= 1 && error.line as usize <= lines, "{error}");
        assert!(error.column >= 1 && !error.message.is_empty(), "{error}");
        let line = text.split(|&it| it == b'\n').nth(error.line as usize - 1).unwrap_or_default();
        let start = String::from_utf8_lossy(&line[..line.len().min(150)]).into_owned();
        let start = start.trim_end_matches(['\r', char::REPLACEMENT_CHARACTER]);
        assert!(error.excerpt.starts_with(start.split('\r').next().unwrap_or("")), "{error}\n{}", error.excerpt);
    }
}

#[test]
fn mutated_modules_are_read_or_refused_with_a_place() {
    let texts = [
        include_str!("modules/llvm-14.ll"),
        include_str!("modules/llvm-16.ll"),
        include_str!("modules/llvm-19.ll"),
        include_str!("modules/llvm-22.ll"),
    ];
    let mut numbers = Numbers(1);
    for text in texts {
        for _ in 0..500 {
            check(&mutated(text.as_bytes(), &mut numbers));
        }
    }
}

#[test]
fn mutated_output_of_compilers_is_read_or_refused_with_a_place() {
    let mut numbers = Numbers(2);
    for (_, text) in compilers::outputs(&["-O0", "-g"]) {
        for _ in 0..20 {
            check(&mutated(&text, &mut numbers));
        }
    }
}

#[test]
fn every_prefix_of_a_module_is_read_or_refused() {
    let text = include_str!("modules/llvm-19.ll").as_bytes();
    for end in 0..text.len() {
        check(&text[..end]);
    }
}

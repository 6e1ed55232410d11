//! Deterministic mutations of texts: each is read, or refused with a place in it.

use super::compilers;
use effigy_llvm::reader::read;
use effigy_testing::reader_trial::{try_reader, try_reader_times};

/// Words of the language that the examples may lack.
const WORDS: &[&str] = &[
    "[999999999999 x i8]",
    "i0",
    "i8388608",
    "<vscale x 4 x i32>",
    "void",
    "label",
    "metadata",
    "splat (i8 1)",
    "zeroinitializer",
    "undef",
    "null",
    "to",
    "!dbg !0",
    "%0",
    "@0",
    "\n}\n",
];

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
    try_reader_times("llvm-modules", 2_000, texts, WORDS, check);
}

#[test]
fn mutated_output_of_compilers_is_read_or_refused_with_a_place() {
    let texts = compilers::outputs(&["-O0", "-g"]).into_iter().map(|it| it.1);
    try_reader("llvm-compilers", texts, WORDS, check);
}

#[test]
fn every_prefix_of_a_module_is_read_or_refused() {
    let text = include_str!("modules/llvm-19.ll").as_bytes();
    for end in 0..text.len() {
        check(&text[..end]);
    }
}

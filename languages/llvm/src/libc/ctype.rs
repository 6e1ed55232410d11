//! `ctype.h` in the C locale.
//!
//! Knows: the character classes as conditions on a byte, without forks. Source: isalpha(3), and the layout of
//! glibc's tables for its macros.

use crate::code::Call;
use crate::machine::{Flow, Machine};
use crate::value::Val;
use effigy_term::{Term, Width};

type Done = Flow<Option<Val>>;

/// Bits of glibc's table on little-endian machines.
const UPPER: u16 = 1 << 8;
const LOWER: u16 = 1 << 9;
const ALPHA: u16 = 1 << 10;
const DIGIT: u16 = 1 << 11;
const XDIGIT: u16 = 1 << 12;
const SPACE: u16 = 1 << 13;
const PRINT: u16 = 1 << 14;
const GRAPH: u16 = 1 << 15;
const BLANK: u16 = 1;
const CNTRL: u16 = 2;
const PUNCT: u16 = 4;
const ALNUM: u16 = 8;

fn class(byte: u8) -> u16 {
    let mut res = 0;
    let mut add = |cond: bool, bit: u16| res |= if cond { bit } else { 0 };
    add(byte.is_ascii_uppercase(), UPPER);
    add(byte.is_ascii_lowercase(), LOWER);
    add(byte.is_ascii_alphabetic(), ALPHA);
    add(byte.is_ascii_digit(), DIGIT);
    add(byte.is_ascii_hexdigit(), XDIGIT);
    add(byte.is_ascii_whitespace() || byte == 11, SPACE);
    add((32..127).contains(&byte), PRINT);
    add(byte.is_ascii_graphic(), GRAPH);
    add(byte == b' ' || byte == b'\t', BLANK);
    add(byte.is_ascii_control(), CNTRL);
    add(byte.is_ascii_punctuation(), PUNCT);
    add(byte.is_ascii_alphanumeric(), ALNUM);
    res
}

/// What `__ctype_b_loc` points into: classes of -128 to 255.
pub(crate) fn b_table() -> Vec<u8> {
    (-128i32..256).flat_map(|it| if it < 0 { 0 } else { class(it as u8) }.to_le_bytes()).collect()
}

/// What `__ctype_tolower_loc` points into.
pub(crate) fn case_table(map: impl Fn(&u8) -> u8) -> Vec<u8> {
    let entry = |it: i32| if (0..128).contains(&it) { i32::from(map(&(it as u8))) } else { it };
    (-128i32..256).flat_map(|it| entry(it).to_le_bytes()).collect()
}

/// `const unsigned short **__ctype_b_loc(void)`
pub(crate) fn b_loc(it: &mut Machine<'_, '_>, _: &Call, _: &[Val]) -> Done {
    Ok(Some(Val::Int(it.program.library.ctype_b)))
}

/// `const int **__ctype_tolower_loc(void)`
pub(crate) fn tolower_loc(it: &mut Machine<'_, '_>, _: &Call, _: &[Val]) -> Done {
    Ok(Some(Val::Int(it.program.library.ctype_tolower)))
}

/// `const int **__ctype_toupper_loc(void)`
pub(crate) fn toupper_loc(it: &mut Machine<'_, '_>, _: &Call, _: &[Val]) -> Done {
    Ok(Some(Val::Int(it.program.library.ctype_toupper)))
}

fn between(it: &Machine<'_, '_>, c: Term, low: u64, high: u64) -> Term {
    let terms = it.ctx.terms;
    let width = terms.width(c);
    let shifted = terms.bv_sub(c, terms.bv_u64(width, low));
    terms.bv_ule(shifted, terms.bv_u64(width, high - low))
}

/// The result of a class function: the table's bit, as glibc's functions return it.
fn test(it: &mut Machine<'_, '_>, arguments: &[Val], ranges: &[(u64, u64)], bit: u16) -> Done {
    let value = it.argument(arguments, 0);
    let c = it.term(&value, Width::W32);
    let hits: Vec<Term> = ranges.iter().map(|&(low, high)| between(it, c, low, high)).collect();
    let terms = it.ctx.terms;
    let res = terms.ite(terms.or_all(hits), terms.bv_u64(Width::W32, u64::from(bit)), terms.bv_u64(Width::W32, 0));
    Ok(Some(it.of_term(res)))
}

macro_rules! classes {
    ($($(#[$doc:meta])* $name:ident = $bit:expr, [$($range:expr),*];)*) => {
        $($(#[$doc])*
        pub(crate) fn $name(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
            test(it, arguments, &[$($range),*], $bit)
        })*
    };
}

classes! {
    /// `int isalpha(int c)`
    isalpha = ALPHA, [(65, 90), (97, 122)];
    /// `int isdigit(int c)`
    isdigit = DIGIT, [(48, 57)];
    /// `int isalnum(int c)`
    isalnum = ALNUM, [(48, 57), (65, 90), (97, 122)];
    /// `int isspace(int c)`
    isspace = SPACE, [(9, 13), (32, 32)];
    /// `int isblank(int c)`
    isblank = BLANK, [(9, 9), (32, 32)];
    /// `int isupper(int c)`
    isupper = UPPER, [(65, 90)];
    /// `int islower(int c)`
    islower = LOWER, [(97, 122)];
    /// `int isxdigit(int c)`
    isxdigit = XDIGIT, [(48, 57), (65, 70), (97, 102)];
    /// `int ispunct(int c)`
    ispunct = PUNCT, [(33, 47), (58, 64), (91, 96), (123, 126)];
    /// `int isprint(int c)`
    isprint = PRINT, [(32, 126)];
    /// `int isgraph(int c)`
    isgraph = GRAPH, [(33, 126)];
    /// `int iscntrl(int c)`
    iscntrl = CNTRL, [(0, 31), (127, 127)];
    /// `int isascii(int c)`
    isascii = 1, [(0, 127)];
}

/// `int toascii(int c)`
pub(crate) fn toascii(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let value = it.argument(arguments, 0);
    let c = it.term(&value, Width::W32);
    let terms = it.ctx.terms;
    Ok(Some(it.of_term(terms.bv_and(c, terms.bv_u64(Width::W32, 127)))))
}

fn shift_case(it: &Machine<'_, '_>, c: Term, low: u64, high: u64, by: i64) -> Term {
    let terms = it.ctx.terms;
    let width = terms.width(c);
    let shifted = terms.bv_add(c, terms.bv(effigy_term::BvValue::from_i64(width, by)));
    terms.ite(between(it, c, low, high), shifted, c)
}

/// The lower-case form of a byte.
pub(crate) fn lower(it: &Machine<'_, '_>, byte: Term) -> Term {
    shift_case(it, byte, 65, 90, 32)
}

/// `int tolower(int c)`
pub(crate) fn tolower(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let value = it.argument(arguments, 0);
    let c = it.term(&value, Width::W32);
    let res = shift_case(it, c, 65, 90, 32);
    Ok(Some(it.of_term(res)))
}

/// `int toupper(int c)`
pub(crate) fn toupper(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let value = it.argument(arguments, 0);
    let c = it.term(&value, Width::W32);
    let res = shift_case(it, c, 97, 122, -32);
    Ok(Some(it.of_term(res)))
}

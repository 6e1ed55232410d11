//! What is printed of machine integers, read by a compiler of the language, is the term: formulas that are made up are
//! printed, written with the characters of C or Rust, compiled by clang or rustc, and run; each must have the value that
//! arithmetic on `BigInt` gives it (`effigy_testing::expressions`), and none may have undefined behaviour or overflow:
//! C is compiled with UndefinedBehaviorSanitizer, Rust with overflow checks.
//!
//! For each rule of precedence and width there are mutants: the same texts without one pair of parentheses or one cast.
//! Of each kind that occurs, some must have another value, so that the property would not hold without the rule.

mod paths;
mod spelling;

use effigy_term::print::{Dialect, PathBounds, machine, machine_on};
use effigy_term::{Model, Sort, Symbol, SymbolKind, Term, Terms, Value, Width};
use effigy_testing::expressions::{Builder, has_a_value, has_long_literal};
use num_bigint::BigUint;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use spelling::{Mutant, mutants, spelled};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A text with the values of its variables and what it must be.
struct Case {
    text: String,
    /// Declarations of the variables, in the language.
    variables: String,
    /// Bits of the value; 0 for a condition.
    width: u32,
    value: BigUint,
}

/// Formulas that are printed whole and have a value in the language, by bytes that a seeded generator draws.
fn cases(dialect: Dialect, count: usize) -> Vec<Case> {
    let mut runner = TestRunner::deterministic();
    let bytes = proptest::collection::vec(proptest::prelude::any::<u8>(), 0..90);
    let mut draw = || bytes.new_tree(&mut runner).expect("bytes can be drawn").current();
    let mut res = Vec::new();
    while res.len() < count {
        let terms = Terms::new();
        let (bytes, corners) = (draw(), draw());
        let mut builder = Builder::new(&terms, &bytes, &corners);
        let depth = 1 + builder.byte() % 4;
        let width = [0, 0, 8, 16, 32, 64][builder.byte() as usize % 6];
        let pair = if width == 0 { builder.bool(depth) } else { builder.word(width, depth) };
        let symbols = terms.symbols(pair.term).to_vec();
        symbols.iter().filter(|it| it.index() % 2 == 0).for_each(|&it| terms.set_unsigned(it));
        // No language has integers of more than 128 bits.
        let is_wide = |it: &Symbol| terms.symbol_info(*it).sort.width().is_some_and(|it| it.bits() > 128);
        if symbols.is_empty() || symbols.iter().any(is_wide) || !has_a_value(&terms, pair.term, &builder.model) {
            continue;
        }
        let text = machine(&terms, dialect, pair.term);
        if text.contains('…') || has_long_literal(&text) {
            continue;
        }
        let variables = symbols.iter().map(|&it| declaration(&terms, dialect, it, &builder.model)).collect();
        // Half of a million formulas would be names.
        if !res.iter().any(|it: &Case| it.text == text) || text.len() > 20 {
            res.push(Case { text, variables, width, value: pair.value });
        }
    }
    res
}

fn declaration(terms: &Terms, dialect: Dialect, symbol: Symbol, model: &Model) -> String {
    let info = terms.symbol_info(symbol);
    let value = model.get(symbol);
    let (name, bits) = (&info.name, info.sort.width().map_or(0, Width::bits));
    let ty = bits.next_power_of_two().max(8);
    let signed = bits == ty && !terms.is_unsigned(symbol);
    let number = match value {
        Some(Value::BitVec(value)) => value.to_biguint(),
        Some(Value::Bool(value)) => u32::from(*value).into(),
        _ => BigUint::default(),
    };
    let (high, low) = (&number >> 64u32, &number % (BigUint::from(1u32) << 64u32));
    match dialect {
        Dialect::C if info.sort == Sort::Bool => format!("_Bool {name} = {number};"),
        Dialect::C => {
            let sign = if signed { "signed" } else { "unsigned" };
            let of = [(8, "char"), (16, "short"), (32, "int"), (64, "long"), (128, "__int128")];
            let ty = of.iter().find(|it| it.0 == ty).expect("widths of the generator have a type").1;
            format!("{sign} {ty} {name} = ({sign} {ty})(((unsigned __int128){high}ul << 64) | {low}ul);")
        }
        Dialect::Rust if info.sort == Sort::Bool => format!("let {name} = {number} != 0;"),
        Dialect::Rust => {
            let sign = if signed { 'i' } else { 'u' };
            format!("let {name} = (({high}u128 << 64) | {low}u128) as {sign}{ty};")
        }
    }
}

/// What a text is in the language.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Meaning {
    /// The compiler refuses it.
    Refused,
    /// Its evaluation is undefined behaviour, or panics.
    Undefined,
    Value(BigUint),
}

/// What the texts are, by the compiler.
fn run(dialect: Dialect, cases: &[(&str, &Case)]) -> Vec<Meaning> {
    static RUNS: AtomicUsize = AtomicUsize::new(0);
    let number = RUNS.fetch_add(1, Ordering::Relaxed);
    let folder = std::env::temp_dir().join(format!("effigy-printed-{}-{number}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for the program");
    let program = folder.join("program");
    let mut refused = vec![false; cases.len()];
    let lines = loop {
        let (source, lines) = source(dialect, cases, &refused);
        let file = folder.join(if dialect == Dialect::C { "program.c" } else { "program.rs" });
        std::fs::write(&file, source).expect("the program is written");
        let mut command = match dialect {
            Dialect::C => {
                let mut command = Command::new("clang");
                command.args(["-w", "-O0", "-ferror-limit=0", "-fsanitize=undefined"]);
                command
            }
            Dialect::Rust => {
                let mut command = Command::new("rustc");
                command.args(["--edition=2024", "-Awarnings", "-Aoverflowing_literals", "-Coverflow-checks=on"]);
                command.args(["-Aarithmetic_overflow", "--error-format=short"]);
                command
            }
        };
        let output = command.arg(&file).arg("-o").arg(&program).output().expect("the compiler runs");
        if output.status.success() {
            break lines;
        }
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        let found = blamed(&text, &lines);
        assert!(!found.is_empty(), "{text}");
        found.into_iter().for_each(|it| refused[it] = true);
    };
    let output = Command::new(&program).env("UBSAN_OPTIONS", "print_summary=0").output().expect("the program runs");
    assert!(output.status.success(), "the program ends by {:?}", output.status);
    let text = String::from_utf8(output.stdout).expect("it prints digits");
    let _ = std::fs::remove_dir_all(&folder);
    let mut res: Vec<Meaning> =
        refused.into_iter().map(|it| if it { Meaning::Refused } else { Meaning::Undefined }).collect();
    for line in text.lines() {
        let (at, value) = line.split_once(' ').expect("a number and a value");
        let at: usize = at.parse().expect("the number of a case");
        let value = BigUint::parse_bytes(value.as_bytes(), 16).expect("a hexadecimal number");
        res[at] = Meaning::Value(match cases[at].1.width {
            0 => value,
            width => value % (BigUint::from(1u32) << width),
        });
    }
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    blamed(&text, &lines).into_iter().for_each(|it| res[it] = Meaning::Undefined);
    res
}

/// The cases that errors of the compiler, or of the sanitizer, are about.
fn blamed(text: &str, lines: &BTreeMap<usize, usize>) -> Vec<usize> {
    let of_line = |line: &str| -> Option<usize> {
        let (_, rest) = line.split_once("program.")?;
        let mut parts = rest.split(':').skip(1);
        let at: usize = parts.next()?.parse().ok()?;
        line.contains("error").then(|| lines.get(&at).copied()).flatten()
    };
    text.lines().filter_map(of_line).collect()
}

/// The program that prints the value of each text, and which case stands in which line.
fn source(dialect: Dialect, cases: &[(&str, &Case)], refused: &[bool]) -> (String, BTreeMap<usize, usize>) {
    let mut source = match dialect {
        Dialect::C => "#include <stdio.h>\n#include <sys/wait.h>\n#include <unistd.h>\nstatic void out(int at, unsigned __int128 it) { printf(\"%d %016lx%016lx\\n\", at, (unsigned long)(it >> 64), (unsigned long)it); }\n".to_owned(),
        Dialect::Rust => String::new(),
    };
    let mut lines = BTreeMap::new();
    let mut calls = String::new();
    let kept = cases.iter().enumerate().filter(|it| !refused[it.0]);
    for (at, (text, case)) in kept {
        let (text, variables) = (spelled(dialect, text), &case.variables);
        lines.insert(source.lines().count() + 1, at);
        let _ = match (dialect, case.width) {
            (Dialect::C, _) => {
                writeln!(source, "static void f{at}(void) {{ {variables} out({at}, (unsigned __int128)({text})); }}")
            }
            (Dialect::Rust, 0) => writeln!(
                source,
                "fn f{at}() {{ {variables} let it: bool = {text}; println!(\"{at} {{:x}}\", u128::from(it)); }}"
            ),
            (Dialect::Rust, _) => writeln!(
                source,
                "fn f{at}() {{ {variables} let it = {text}; println!(\"{at} {{:x}}\", it as i128 as u128); }}"
            ),
        };
        let _ = match dialect {
            // One that divides by zero ends only its own process.
            Dialect::C => write!(calls, "if (!fork()) {{ f{at}(); fflush(stdout); _exit(0); }} wait(0); "),
            Dialect::Rust => write!(calls, "let _ = std::panic::catch_unwind(f{at}); "),
        };
    }
    let _ = match dialect {
        Dialect::C => writeln!(source, "int main(void) {{ {calls} }}"),
        Dialect::Rust => writeln!(source, "fn main() {{ std::panic::set_hook(Box::new(|_| ())); {calls} }}"),
    };
    (source, lines)
}

fn all_are_read_as_meant(dialect: Dialect, cases: &[Case]) {
    let texts: Vec<(&str, &Case)> = cases.iter().map(|it| (it.text.as_str(), it)).collect();
    let meanings = run(dialect, &texts);
    let mut wrong: Vec<String> = Vec::new();
    for (case, meaning) in cases.iter().zip(meanings) {
        let Case { text, variables, width, value } = case;
        if meaning != Meaning::Value(value.clone()) {
            wrong.push(format!("{text}\n  is {meaning:x?}, not {value:x}, in {width} bits: {variables}"));
        }
    }
    wrong.sort_by_key(String::len);
    let shown: Vec<&String> = wrong.iter().take(8).collect();
    assert!(wrong.is_empty(), "{} of {} differ, the shortest:\n{shown:#?}", wrong.len(), cases.len());
}

/// Kinds of parentheses and casts, and how many of their mutants have another value, or none.
fn killed(dialect: Dialect, count: usize) -> BTreeMap<String, (usize, usize)> {
    let cases = cases(dialect, count);
    let mutated: Vec<(Mutant, &Case)> =
        cases.iter().flat_map(|case| mutants(&case.text).into_iter().map(move |it| (it, case))).collect();
    let texts: Vec<(&str, &Case)> = mutated.iter().map(|(it, case)| (it.text.as_str(), *case)).collect();
    let mut res: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for ((mutant, case), meaning) in mutated.iter().zip(run(dialect, &texts)) {
        let entry = res.entry(mutant.kind.clone()).or_default();
        entry.0 += usize::from(meaning != Meaning::Value(case.value.clone()));
        entry.1 += 1;
    }
    res
}

#[test]
fn c_reads_what_is_meant() {
    effigy_testing::require!("clang");
    all_are_read_as_meant(Dialect::C, &cases(Dialect::C, effigy_testing::cases(2_000) as usize));
}

#[test]
fn rust_reads_what_is_meant() {
    effigy_testing::require!("rustc");
    all_are_read_as_meant(Dialect::Rust, &cases(Dialect::Rust, effigy_testing::cases(2_000) as usize));
}

/// Without the parentheses or the cast that a rule asks for, the property does not hold.
#[test]
fn each_rule_of_precedence_and_width_is_needed() {
    effigy_testing::require!("clang");
    let expected = [
        "parentheses: & in =",
        "parentheses: % in ·",
        "parentheses: + in ·",
        // Beside a product a quotient stands behind a cast, since a product may wrap around: `examples` has that.
        "parentheses: / in %",
        "parentheses: + in %",
        "parentheses: − in /",
        "parentheses: | in /",
        "parentheses: − in −",
        "parentheses: ^ in −",
        "parentheses: >> in −",
        "parentheses: & in <<",
        "parentheses: | in &",
        "cast: unsigned char",
        "cast: signed char",
        "cast: unsigned short",
        "cast: short",
        "cast: unsigned",
        "cast: int",
        "cast: unsigned long",
        "cast: long",
    ];
    some_are_killed(Dialect::C, &expected);
}

#[test]
fn each_rule_of_overflow_is_needed() {
    effigy_testing::require!("rustc");
    some_are_killed(Dialect::Rust, &["wraps: wrapping_add", "wraps: wrapping_sub", "wraps: wrapping_mul"]);
}

fn some_are_killed(dialect: Dialect, expected: &[&str]) {
    let killed = killed(dialect, 1_500);
    for &kind in expected {
        let (dead, all) = killed.get(kind).copied().unwrap_or_default();
        assert!(dead > 0, "{kind}: none of {all} mutants has another value; {killed:#?}");
    }
}

/// The examples of the reviews, by name.
#[test]
fn examples() {
    let terms = Terms::new();
    let of = |name: &str, bits: u32, unsigned: bool| {
        let symbol = terms.symbol(name, Sort::BitVec(Width::of(bits)), SymbolKind::Input);
        if unsigned {
            terms.set_unsigned(symbol);
        }
        terms.of_symbol(symbol)
    };
    let number = |bits: u32, value: i64| terms.bv(effigy_term::BvValue::from_i64(Width::of(bits), value));
    let show = |it: Term| machine(&terms, Dialect::C, it);
    let (n, byte, i) = (of("n", 32, false), of("c", 8, true), of("i", 32, false));
    let two = number(32, 2);
    let three = number(32, 3);
    let product = terms.bv_mul(three, terms.bv_sdiv(n, two));
    let quotient = terms.bv_sdiv(terms.bv_mul(three, n), two);
    assert_eq!(show(product), "3·(unsigned)(n / 2)");
    assert_eq!(show(quotient), "(int)(3·(unsigned)n) / 2");
    let thousand = number(32, 1_000);
    let small = PathBounds::of(&terms, &[terms.bv_sle(n, thousand), terms.bv_sle(number(32, 0), n)]);
    assert_eq!(machine_on(&terms, Dialect::C, product, &small), "3·(n / 2)");
    assert_eq!(machine_on(&terms, Dialect::C, quotient, &small), "(3·n) / 2");
    let (y, z) = (of("y", 8, false), of("z", 8, false));
    let [wide_y, wide_z] = [y, z].map(|it| terms.bv_sign_extend(Width::W32, it));
    let quotient = terms.bv_sdiv(wide_y, wide_z);
    assert_eq!(machine(&terms, Dialect::Rust, quotient), "(y as i32) / (z as i32)");
    assert_eq!(show(quotient), "y / z");
    let narrow = terms.bv_zero_extend(Width::W32, terms.bv_add(byte, number(8, 1)));
    let wide = terms.bv_add(terms.bv_zero_extend(Width::W32, byte), number(32, 1));
    assert_eq!(show(terms.bv_slt(narrow, wide)), "(unsigned char)(c + 1) < c + 1");
    assert_eq!(show(terms.eq(byte, number(8, 255))), "c = 255");
    assert_eq!(show(terms.bv_ult(i, number(32, 4))), "(unsigned)i < 4");
    let bounds = terms.and(terms.bv_ule(number(8, 97), byte), terms.bv_ule(byte, number(8, 122)));
    assert_eq!(show(bounds), "97 ≤ c ≤ 122");
}

//! What is printed of a formula of C, typed into the debugger, is the formula: it has the same value, by arithmetic on
//! `BigInt`. `effigy-term` shows the same of clang itself.

use effigy_engine::{Context, Coverage, Inputs, Inspect, Language, Notes, Step};
use effigy_llvm::driver::{Scratch, modules};
use effigy_llvm::state::State;
use effigy_llvm::{Options, Program, load};
use effigy_term::eval::Evaluator;
use effigy_term::{Model, Sort, Symbol, Terms, Value};
use effigy_testing::expressions::{Builder, has_a_value, has_long_literal};
use num_bigint::BigUint;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use std::fmt::Write as _;

/// Widths of the variables, with the types of C.
const TYPES: [(u32, &str); 4] = [(8, "char"), (16, "short"), (32, "int"), (64, "long")];

/// Whether the variable `x0w8` has no sign: those of even numbers have none.
fn is_unsigned(name: &str) -> bool {
    name.as_bytes().get(1).is_some_and(|it| (it - b'0').is_multiple_of(2))
}

/// A program with the symbols of [`Builder`] as inputs. Half of them are variables, too; the others are only inputs.
fn program() -> (Program, u32) {
    let mut lines =
        vec!["void klee_make_symbolic(void *, unsigned long, const char *);".to_owned(), "int main(void) {".into()];
    for number in 0..3 {
        for (width, ty) in TYPES {
            let name = format!("x{number}w{width}");
            let sign = if is_unsigned(&name) { "unsigned" } else { "signed" };
            lines.push(format!("  {sign} {ty} {name};"));
            lines.push(format!("  klee_make_symbolic(&{name}, sizeof {name}, \"{name}\");"));
        }
    }
    lines.push("  return 0;".to_owned());
    let last = lines.len() as u32;
    lines.push("}".to_owned());
    let scratch = Scratch::new().expect("a folder");
    let file = scratch.path().join("program.c");
    std::fs::write(&file, lines.join("\n")).expect("the program can be written");
    let modules = modules(&[file], &["-w".to_owned()]).expect("clang compiles it");
    (load(&modules, Options::default()).expect("what clang writes is read"), last)
}

/// The state before the last statement.
fn reached(program: &Program, ctx: &mut Context<'_>, line: u32) -> State {
    let mut state = program.start(ctx);
    while program.place(&state).line != line {
        let step = program.step(ctx, &mut state, &mut 1);
        assert!(matches!(step, Step::Next), "nothing is asked: {step:?}");
    }
    state
}

#[test]
fn what_is_printed_can_be_typed() {
    effigy_testing::require!("clang");
    let (program, line) = program();
    let mut runner = TestRunner::deterministic();
    let bytes = proptest::collection::vec(proptest::prelude::any::<u8>(), 0..90);
    let mut draw = || bytes.new_tree(&mut runner).expect("bytes can be drawn").current();
    let terms = Terms::new();
    let (inputs, mut coverage, mut notes) = (Inputs::Symbolic, Coverage::default(), Notes::default());
    let mut ctx = Context::new(&terms, &inputs, &mut coverage, &mut notes);
    let state = reached(&program, &mut ctx, line);
    let (mut count, mut wrong) = (0, Vec::new());
    while count < effigy_testing::cases(3_000) {
        let (bytes, corners) = (draw(), draw());
        let mut builder = Builder::new(&terms, &bytes, &corners);
        let depth = 1 + builder.byte() % 4;
        let width = [0, 0, 8, 16, 32, 64][builder.byte() as usize % 6];
        let pair = if width == 0 { builder.bool(depth) } else { builder.word(width, depth) };
        let symbols = terms.symbols(pair.term).to_vec();
        let is_input = |it: &Symbol| match terms.symbol_info(*it).sort {
            Sort::BitVec(width) => TYPES.iter().any(|ty| ty.0 == width.bits()),
            _ => false,
        };
        if symbols.is_empty() || !symbols.iter().all(is_input) || !has_a_value(&terms, pair.term, &builder.model) {
            continue;
        }
        let text = program.show(&terms, pair.term);
        if text.contains('…') || has_long_literal(&text) {
            continue;
        }
        count += 1;
        // A number is converted as an assignment converts it.
        let typed = if width == 0 { text.clone() } else { format!("(unsigned __int128)({text})") };
        let value = match program.evaluate(&mut ctx, &state, &typed) {
            Ok(term) => value(&terms, term, &builder.model, width),
            Err(error) => Err(error.to_string()),
        };
        if value.as_ref() != Ok(&pair.value) {
            let mut message = format!("{text}\n  is {value:?}, not {:x}, in {width} bits", pair.value);
            for symbol in symbols {
                let _ = write!(message, ", {} = {:?}", terms.symbol_info(symbol).name, builder.model.get(symbol));
            }
            wrong.push(message);
        }
    }
    wrong.sort_by_key(String::len);
    let shown: Vec<&String> = wrong.iter().take(8).collect();
    assert!(wrong.is_empty(), "{} of {count} differ, the shortest:\n{shown:#?}", wrong.len());
}

/// The value of a term in so many bits; of a condition 0 or 1.
fn value(terms: &Terms, term: effigy_term::Term, model: &Model, width: u32) -> Result<BigUint, String> {
    let number = match Evaluator::new(terms, model).value(term) {
        Some(Value::BitVec(value)) => value.to_biguint(),
        Some(Value::Bool(value)) => BigUint::from(u8::from(value)),
        other => return Err(format!("{other:?}")),
    };
    Ok(if width == 0 { number } else { number % (BigUint::from(1u32) << width) })
}

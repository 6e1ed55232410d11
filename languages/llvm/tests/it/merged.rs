//! Random C programs, merged: each merged state is the state of the one path that a model takes.
//!
//! Knows: `effigy_programs::c` and `c_memory`, and their walk of merged paths. Never: how states are merged.

use effigy_llvm::driver::{Scratch, modules};
use effigy_llvm::{Options, Program, load};
use effigy_programs::merging::{Limits, Seen, merged_is_alone, mixed, numbers};
use effigy_programs::{c, c_lives, c_memory, c_merge};
use effigy_term::{BvValue, Sort, Symbol, Terms, Value};
use proptest::test_runner::{Config as ProptestConfig, RngSeed, TestCaseError, TestError, TestRunner};
use std::cell::RefCell;

const LIMITS: Limits = Limits { models: 16, path_steps: 20_000, steps: 6_000, assumed: &[] };

fn program(scratch: &Scratch, text: &str) -> Program {
    let file = scratch.path().join("program.c");
    std::fs::write(&file, text).expect("the program can be written");
    let modules = modules(&[file], &["-w".to_owned()]).expect("clang compiles it");
    load(&modules, Options::default()).expect("what clang writes is read")
}

fn states_agree(text: &str, scratch: &Scratch, seed: u64, seen: &mut Seen) -> Result<(), String> {
    let (program, terms) = (program(scratch, text), Terms::new());
    let value = |model: usize, symbol: Symbol, terms: &Terms| {
        let info = terms.symbol_info(symbol);
        let number = mixed(seed, model, &info.name);
        let number = if number.is_multiple_of(4) { number >> 8 } else { (number >> 8) % 8 };
        match info.sort {
            Sort::BitVec(width) => {
                Value::BitVec(BvValue::from_u64(width, number & (u64::MAX >> (64 - width.bits().min(64)))))
            }
            _ => Value::Bool(number % 2 == 1),
        }
    };
    merged_is_alone(&program, &terms, LIMITS, &value, &mut numbers(seed), seen)
}

#[test]
fn numbers_of_a_merged_state_are_those_of_the_path_that_the_model_takes() {
    let scratch = Scratch::new().expect("a folder");
    let mut seen = Seen::default();
    for number in 0..u64::from(effigy_programs::cases(24)) {
        let text = c::program(number);
        states_agree(&text, &scratch, number, &mut seen).unwrap_or_else(|it| panic!("{number}: {it}\n{text}"));
    }
    assert!(seen.merges > 20 && seen.shared > 100 && seen.bugs > 20 && seen.ends > 50, "{seen:?}");
}

/// Tries random programs, which shrink.
fn all_agree(cases: u32, text: &dyn Fn(&[u8]) -> String) -> Seen {
    let scratch = Scratch::new().expect("a folder");
    let seen = RefCell::new(Seen::default());
    let config = ProptestConfig {
        cases: effigy_programs::cases(cases),
        failure_persistence: None,
        max_shrink_iters: 400,
        rng_seed: RngSeed::Fixed(31),
        ..ProptestConfig::default()
    };
    let bytes = proptest::collection::vec(proptest::num::u8::ANY, 8..160);
    let res = TestRunner::new(config).run(&bytes, |bytes| {
        let seed = bytes.iter().fold(11, |res: u64, it| res.wrapping_mul(31) + u64::from(*it));
        states_agree(&text(&bytes), &scratch, seed, &mut seen.borrow_mut()).map_err(TestCaseError::fail)
    });
    if let Err(TestError::Fail(why, bytes)) = res {
        panic!("{why}\n{}", text(&bytes));
    }
    seen.into_inner()
}

#[test]
fn memory_of_a_merged_state_is_that_of_the_path_that_the_model_takes() {
    let seen = all_agree(30, &|bytes| {
        let function = c_memory::function("f", bytes);
        let [a, b] = function.inputs;
        let call = format!("f(effigy_uchar(\"a\") % {a}, effigy_uchar(\"b\") % {b})");
        format!("#include <effigy.h>\n{}{}int main(void) {{ return {call}; }}\n", c_memory::HEAD, function.text)
    });
    assert!(seen.merges > 5 && seen.shared > 100 && seen.ends > 100, "{seen:?}");
}

#[test]
fn paths_that_part_and_meet_all_the_time_agree() {
    let seen = all_agree(100, &c_merge::program);
    assert!(seen.merges > 100 && seen.shared > 1_000 && seen.ends > 500, "{seen:?}");
}

#[test]
fn objects_that_only_some_paths_have_ended_agree() {
    let seen = all_agree(80, &c_lives::program);
    assert!(seen.merges > 100 && seen.shared > 1_000 && seen.ends > 300 && seen.bugs > 50, "{seen:?}");
    assert!(seen.apart < seen.merges / 20, "{seen:?}");
}

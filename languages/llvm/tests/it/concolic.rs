//! Random C programs, compiled: a concolic run has the path and the path condition that the exploration has.

use effigy_llvm::driver::{Scratch, modules};
use effigy_llvm::{Options, Program, load};
use effigy_programs::c;
use effigy_programs::concolic::{Bounds, ConcolicTally, runs_agree, searches_agree};

const BOUNDS: Bounds = Bounds { path_steps: 20_000, paths: 8, inputs: 6 };

fn check(text: &str, file: &str, property: &mut dyn FnMut(&Program) -> Result<(), String>) {
    let scratch = Scratch::new().expect("a folder");
    let file = scratch.path().join(file);
    std::fs::write(&file, text).expect("the program can be written");
    let modules = modules(&[file], &["-w".to_owned()]).expect("clang compiles it");
    let program = load(&modules, Options::default()).expect("what clang writes is read");
    property(&program).unwrap_or_else(|it| panic!("{it}\n{text}"));
}

#[test]
fn runs_have_the_paths_of_the_exploration() {
    let mut seen = ConcolicTally::default();
    for number in 0..u64::from(effigy_programs::cases(6)) {
        let mut property = |it: &Program| runs_agree(it, BOUNDS, &mut seen);
        check(&c::program(number), &format!("program{number}.c"), &mut property);
    }
    assert!(seen.same > 20 && seen.word_for_word * 10 > seen.same * 9 && seen.bugs > 2, "{seen:?}");
}

#[test]
fn searches_find_what_they_predict() {
    let mut seen = ConcolicTally::default();
    for number in 0..u64::from(effigy_programs::cases(6)) {
        let mut property = |it: &Program| searches_agree(it, BOUNDS, &mut seen);
        check(&c::program(number), &format!("program{number}.c"), &mut property);
    }
    assert!(seen.children > 10, "{seen:?}");
}

//! Random C programs, compiled: every path is come to again by its name alone, and crews and interruptions change
//! nothing.

use effigy_llvm::driver::{Scratch, modules};
use effigy_llvm::{Options, Program, load};
use effigy_programs::c;
use effigy_programs::walks::{Bounds, WalkTally, crews_agree, names_lead_back};

const BOUNDS: Bounds = Bounds { path_steps: 20_000, paths: 8, depth: None };

/// Tries a property on random programs, by what the compiler makes of them.
/// Builds a program, in any thread.
type Build<'a> = &'a (dyn Fn() -> Program + Sync);

fn check(programs: u32, property: &mut dyn FnMut(Build<'_>) -> Result<(), String>) {
    let scratch = Scratch::new().expect("a folder");
    for number in 0..u64::from(effigy_programs::cases(programs)) {
        let file = scratch.path().join(format!("program{number}.c"));
        let text = c::program(number);
        std::fs::write(&file, &text).expect("the program can be written");
        let modules = modules(&[file], &["-w".to_owned()]).expect("clang compiles it");
        let build = || load(&modules, Options::default()).expect("what clang writes is read");
        property(&build).unwrap_or_else(|it| panic!("{number}: {it}\n{text}"));
    }
}

#[test]
fn names_lead_back_to_their_paths() {
    let mut seen = WalkTally::default();
    check(4, &mut |build| names_lead_back(&build, BOUNDS, &mut seen));
    assert!(seen.ends > 8 && seen.bugs > 1 && seen.waiting > 1 && seen.witnesses > 0, "{seen:?}");
}

#[test]
fn crews_and_interruptions_change_nothing() {
    let mut seen = WalkTally::default();
    check(5, &mut |build| crews_agree(build, BOUNDS, &mut seen));
    assert!(seen.crews > 1 && seen.forked > 0, "{seen:?}");
}

//! The reader on what compilers write, and on what nobody should.

use effigy_engine::{Context, Coverage, Inputs, Inspect, Language, Notes};
use effigy_llvm::reader::read;
use effigy_term::Terms;
use effigy_testing::reader_trial::{corpus, try_reader};

const TEXT: &str = include_str!("../reader/module.ll");

#[test]
fn constructs_of_old_and_new_versions_are_read() {
    let module = read(TEXT.as_bytes()).expect("the module is well-formed");
    let names: Vec<&str> = module.globals.iter().map(|it| &*it.name).collect();
    assert!(names.contains(&"main") && names.contains(&"a quoted name"), "{names:?}");
}

#[test]
fn mutated_files_are_linked_or_refused_with_a_place() {
    let words =
        ["[999999999999 x i8]", "i0", "<vscale x 4 x i32>", "zeroinitializer", "undef", "poison", "ptr", "alias"];
    let examples = corpus("llvm", "ll").into_iter().chain([TEXT.as_bytes().to_vec()]);
    try_reader("llvm", examples, &words, |text| {
        let texts = [("mutated.ll".to_owned(), text.to_vec())];
        match read(text) {
            // What is read can be laid out and linked, or is refused by name.
            Ok(_) => drop(effigy_llvm::load(&texts, effigy_llvm::Options::default())),
            Err(error) => {
                let lines = 1 + text.iter().filter(|it| **it == b'\n').count();
                assert!((1..=lines).contains(&(error.line as usize)), "{error}");
            }
        }
    });
}

/// What a person types into the debugger, with tokens deleted, doubled, swapped and replaced.
#[test]
fn mutated_expressions_have_a_value_or_an_error() {
    let expressions = [
        "buf[i] != 0 && n < 4 || !(p == 0)",
        "(int)(2·(unsigned)x) > (int)((unsigned)y + 3) ∧ t.key ≠ −1",
        "*(p + 1) << 2 >> (x & 7) ^ ~y",
        "&table[key % 3]->next.data[0]",
        "\"a\" > 10 ? (c = 255) : 0x1fu",
        "main(1, \"A\", &x)",
    ];
    let text = corpus("debug", "ll").remove(0);
    try_reader(
        "c-expressions",
        expressions,
        &["sizeof", "unsigned char", "__int128", "'a'", "->", "1e3"],
        move |typed| {
            let typed = String::from_utf8_lossy(typed);
            let texts = [("hostile.ll".to_owned(), text.clone())];
            let program =
                effigy_llvm::load(&texts, effigy_llvm::Options::default()).expect("the program is well-formed");
            let (terms, inputs) = (Terms::new(), Inputs::Symbolic);
            let (mut coverage, mut notes) = (Coverage::default(), Notes::default());
            let mut ctx = Context::new(&terms, &inputs, &mut coverage, &mut notes);
            let mut state = program.start(&mut ctx);
            let mut fuel = 20;
            let _ = program.step(&mut ctx, &mut state, &mut fuel);
            if let Ok(value) = program.evaluate(&mut ctx, &state, &typed) {
                program.show(&terms, value);
            }
            let _ = program.describe(&mut ctx, &state, &typed);
            let _ = program.assign(&mut ctx, &mut state, &typed, "1");
            let _ = program.assign(&mut ctx, &mut state, "x", &typed);
            let _ = program.call(&mut ctx, &typed);
        },
    );
}

#[test]
fn nesting_is_bounded() {
    let deep = format!("@x = global {}i8{} zeroinitializer", "[1 x ".repeat(100_000), "]".repeat(100_000));
    let error = read(deep.as_bytes()).expect_err("too deep");
    assert!(error.message.contains("nest more than"), "{error}");
}

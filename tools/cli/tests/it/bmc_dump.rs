//! Formulas that `effigy bmc --dump` writes: equations are read by people, and say what the values say.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn effigy(args: &[&str], folder: &Path) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_effigy")).args(args).current_dir(folder).output();
    let output = output.expect("effigy starts");
    let text = |it: Vec<u8>| String::from_utf8_lossy(&it).into_owned();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// The formula of a program of the corpus, and what `effigy solve` says of it.
fn dumped(program: &Path, unwind: &str, encoding: &str, folder: &Path) -> (String, String) {
    let file = folder.join(format!("{encoding}.smt2"));
    let _ = fs::remove_file(&file);
    let (program, name) = (program.to_string_lossy(), file.to_string_lossy());
    let args = ["bmc", &*program, "--unwind", unwind, "--encoding", encoding, "--dump", &*name, "-q"];
    let (code, _, errors) = effigy(&args, folder);
    assert!(matches!(code, Some(0 | 1 | 3)), "{program}: {errors}");
    let (_, answer, errors) = effigy(&["solve", &*name], folder);
    let text = fs::read_to_string(&file).unwrap_or_else(|it| panic!("{program}: {it}"));
    assert!(errors.is_empty(), "{program}: {errors}");
    (text, answer)
}

#[test]
fn equations_have_the_names_of_variables_and_say_what_the_values_say() {
    let folder = std::env::temp_dir().join(format!("effigy-dump-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    let corpus = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../corpus/cli");
    let corpus = fs::canonicalize(corpus).expect("the corpus");
    let mut answers = Vec::new();
    for name in ["bmc_sum.c", "bmc_sum_wide.c", "bmc_steps.pli"] {
        for unwind in ["1", "2", "3"] {
            let program = corpus.join(name);
            let (text, answer) = dumped(&program, unwind, "equations", &folder);
            let (_, expected) = dumped(&program, unwind, "values", &folder);
            assert_eq!(answer, expected, "{name} unwound {unwind} times:\n{text}");
            answers.push(answer.trim().to_owned());
            if (name, unwind) == ("bmc_sum.c", "3") {
                // `s += v` in the third round, on the version of the second.
                assert!(text.contains("(assert (= s.2 (bvadd |s3!nondet_uchar#4| s.1)))"), "{text}");
            }
        }
    }
    assert!(answers.contains(&"sat".to_owned()) && answers.contains(&"unsat".to_owned()), "{answers:?}");
    fs::remove_dir_all(&folder).expect("the folder");
}

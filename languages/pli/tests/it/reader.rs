//! Every error of a source file in one go: `errors/*.pli`, each with what is printed of it beside it.
//!
//! `EFFIGY_BLESS=1 cargo test -p effigy-pli --test reader` rewrites the texts; read the diff.

use std::fs;
use std::path::{Path, PathBuf};

fn cases() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/errors");
    let mut res: Vec<PathBuf> = fs::read_dir(folder).expect("the cases").flatten().map(|it| it.path()).collect();
    res.retain(|it| it.extension().is_some_and(|it| it == "pli"));
    res.sort();
    res
}

#[test]
fn every_error_is_told_with_its_place() {
    let bless = std::env::var_os("EFFIGY_BLESS").is_some();
    let cases = cases();
    assert!(cases.len() > 20, "the cases are where they should be");
    let mut differ = Vec::new();
    for path in cases {
        let source = fs::read_to_string(&path).expect("a case");
        let file = path.file_name().map(|it| it.to_string_lossy().into_owned()).unwrap_or_default();
        let errors = effigy_pli::compile(&file, &source).expect_err(&file);
        let (shown, more) = errors.located();
        assert_eq!(more, 0, "{file}");
        let line = |it: &effigy_pli::LocatedError<'_>| {
            format!("{file}:{}:{}-{}: {}\n", it.line, it.column, it.end, it.message)
        };
        let told: String = shown.iter().map(line).collect();
        let golden = path.with_extension("txt");
        if bless {
            fs::write(&golden, &told).expect("the text can be written");
        } else if fs::read_to_string(&golden).unwrap_or_default() != told {
            differ.push(told);
        }
    }
    assert!(differ.is_empty(), "EFFIGY_BLESS=1 accepts this:\n{}", differ.join("\n"));
}

#[test]
fn a_line_says_where_what_was_expected_and_shows_it() {
    let source = "P: PROCEDURE (X);\n   X = 1 + ;\nEND;\n";
    let errors = effigy_pli::compile("p.pli", source).expect_err("an error");
    assert_eq!(errors.to_string(), "p.pli:2:12: an expression was expected, not `;`");
    let (shown, more) = errors.located();
    assert_eq!((shown[0].text, shown[0].column, shown[0].end, more), ("   X = 1 + ;", 12, 13, 0));
}

#[test]
fn figures_are_read_as_they_are_printed() {
    let printed = "1 P: PROCEDURE (X);\n2   IF X <-1 THEN\n3   X <- X +\n  1; ELSE\n4 A(1), X <--2;\n5 DO X <- 1 TO 2;\n6 END;\n\
                   7 RETURN (X <-5);\n 8 END;\n";
    let plain = "P: PROCEDURE (X);\n IF X < -1 THEN\n X = X +\n 1; ELSE\n A(1), X = -2;\n DO X = 1 TO 2;\n END;\n\
                 RETURN (X < -5);\n END;\n";
    let errors = |text: &str| match effigy_pli::compile("p.pli", text) {
        Ok(_) => Vec::new(),
        Err(errors) => errors.located().0.iter().map(|it| it.message.to_string()).collect::<Vec<_>>(),
    };
    assert_eq!(errors(printed), errors(plain));
    let numbered = "P: PROCEDURE (X);\n1 IF MOD(X, 2)\n  = 1\n2 THEN X = 1;\n3 ELSE IF X = 2\n4 THEN X = 3;\n5 END;\n";
    assert_eq!(errors(numbered), Vec::<String>::new());
    // What is compared with is no number of a statement.
    let compared = |number: &str| format!("P: PROCEDURE (X);\n IF X =\n {number} THEN X = 1;\nEND;\n");
    assert_eq!(errors(&compared("4")), Vec::<String>::new());
    assert_ne!(errors(&compared("4 4")), Vec::<String>::new());
    // A number is left out of the margin only.
    assert!(effigy_pli::compile("p.pli", "P: PROCEDURE;\n  X = 1; 5 Y = 2;\nEND;\n").is_err());
    assert!(effigy_pli::compile("p.pli", "P: PROCEDURE;\n  X = 1\n  5 Y = 2;\nEND;\n").is_err());
}

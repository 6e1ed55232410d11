//! Programs that are executed, from text to statements.

use effigy_oo::run::read;
use std::fs;
use std::path::{Path, PathBuf};

fn files(folder: &str) -> Vec<(PathBuf, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/oo").join(folder);
    let mut res: Vec<PathBuf> =
        fs::read_dir(folder).expect("the corpus").map(|it| it.expect("a file").path()).collect();
    res.sort();
    res.into_iter().map(|it| (it.clone(), fs::read_to_string(it).expect("text"))).collect()
}

fn errors(text: &str) -> String {
    match read("test.oo", text) {
        Ok(_) => "read".to_owned(),
        Err(errors) => errors.iter().map(|it| it.to_string()).collect::<Vec<_>>().join("\n"),
    }
}

#[test]
fn every_program_of_the_corpus_is_read_and_says_what_it_does() {
    let programs = files("run");
    assert!(programs.len() >= 15);
    for (path, text) in programs {
        assert!(text.starts_with("// "), "{}", path.display());
        assert_eq!(errors(&text), "read", "{}", path.display());
    }
}

#[test]
fn programs_with_contracts_are_executed_if_they_have_a_main_statement() {
    for (path, text) in files("verified") {
        println!("{}: {}", path.display(), errors(&text));
    }
}

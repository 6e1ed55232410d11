//! Viper programs with their errors in comments: the whole corpus is verified and compared, as `--expect-annotations`
//! does with Viper's own tests.

use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// Verifies all files of a folder of `corpus/viper`; each must have exactly the errors that it announces.
fn agrees(folder: &str, least: usize) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/viper").join(folder);
    let output = Command::new(env!("CARGO_BIN_EXE_effigy"))
        .args(["verify", "--expect-annotations", "--json"])
        .arg(&folder)
        .output()
        .expect("effigy starts");
    let text = String::from_utf8_lossy(&output.stdout);
    let json: Value = serde_json::from_str(&text).expect("JSON");
    let tests = json["tests"].as_array().expect("a list of tests");
    assert!(tests.len() >= least, "the corpus is where it should be");
    let wrong: Vec<&Value> = tests.iter().filter(|it| it["class"] != "agree").collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn what_holds_verifies_and_what_does_not_fails_where_it_should() {
    agrees("verify", 5);
}

/// Constructs with a rule of their own; `verify` is for mutants, too.
#[test]
fn each_construct_has_its_case() {
    agrees("features", 17);
}

/// Programs that were verified once although they have a failing run.
#[test]
fn what_once_was_unsound_stays_found() {
    agrees("sound", 9);
}

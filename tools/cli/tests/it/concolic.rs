//! `effigy run --concolic` on the tests that `effigy run` writes: the run of each is the path that the test was made
//! for, by name, and ends as the test expects. The two come to it on different ways: one asks a solver, one follows.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the tree")
}

fn effigy(args: &[&str]) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_effigy")).args(args).current_dir(root()).output().expect("effigy");
    let text = String::from_utf8_lossy(&output.stdout);
    serde_json::from_str(&text)
        .unwrap_or_else(|error| panic!("{args:?}: {error}\n{text}{}", String::from_utf8_lossy(&output.stderr)))
}

/// How a test expects the program to end, and how a run has ended, in one notation.
fn expected(test: &Value) -> String {
    match (&test["expect"]["exit"], &test["expect"]["bug"]) {
        (Value::Null, bug) => format!("{} at {}", bug["kind"], bug["place"]["line"]),
        (exit, _) => format!("exit {exit}"),
    }
}

fn ended(run: &Value) -> String {
    match &run["end"] {
        Value::Object(end) if end.contains_key("exit") => match &end["exit"] {
            Value::Null => "exit 0".to_owned(),
            exit => format!("exit {exit}"),
        },
        Value::Object(end) if end.contains_key("bug") => {
            format!("{} at {}", end["bug"]["kind"], end["bug"]["place"]["line"])
        }
        other => other.to_string(),
    }
}

/// Runs each test of an exploration; how many there were.
fn agree(folder: &Path, program: &[&str], most: &str) -> usize {
    let out = folder.to_string_lossy().into_owned();
    let mut args = vec!["run"];
    args.extend(program);
    effigy(&[&args[..], &["--out", &out, "--max-paths", most, "--json"]].concat());
    let mut count = 0;
    let tests = std::fs::read_dir(folder.join("tests")).expect("tests").flatten().map(|it| it.path());
    for path in tests.filter(|it| it.extension().is_some_and(|it| it == "json")) {
        let test: Value = serde_json::from_str(&std::fs::read_to_string(&path).expect("a test")).expect("JSON");
        // A run has zeros in uninitialised storage, and no results of foreign functions are in a test.
        let conditions = test["path_condition"].as_array().expect("conjuncts");
        let undefined = conditions.iter().any(|it| it.as_str().is_some_and(|it| it.contains("undefined")));
        if undefined || test["assumed"] == true || !test["expect"]["cut"].is_null() {
            continue;
        }
        let name = path.to_string_lossy();
        let run = effigy(&[&args[..], &["--concolic", &name, "--json"]].concat());
        assert_eq!(run["decisions"], test["decisions"], "{program:?} {name}\n{run:#}");
        assert_eq!(ended(&run), expected(&test), "{program:?} {name}");
        assert_eq!(run["inputs"], test["inputs"], "{program:?} {name}");
        assert_eq!(run["unasked"], Value::Array(Vec::new()), "{program:?} {name}");
        count += 1;
    }
    std::fs::remove_dir_all(folder).expect("the folder");
    count
}

#[test]
fn the_run_of_a_test_is_its_path() {
    let folder = std::env::temp_dir().join(format!("effigy-concolic-{}", std::process::id()));
    let mut tests = agree(&folder, &["examples/key_value.c"], "30");
    tests += agree(&folder, &["corpus/cli/concolic_chunk.c", "--buffer", "12"], "30");
    tests += agree(&folder, &["corpus/cli/concolic_choose.c", "--sym-stdin", "2"], "30");
    tests += agree(&folder, &["corpus/cli/generations_top.c", "--entry", "top"], "30");
    tests += agree(&folder, &["corpus/cli/runs.c", "corpus/cli/runs_main.c", "--sym-arg", "3"], "10");
    let folders = ["inputs", "sizes", "pointers", "paths", "bugs"];
    for room in folders {
        let mut files: Vec<PathBuf> = std::fs::read_dir(root().join("corpus/llvm").join(room))
            .expect("a room")
            .flatten()
            .map(|it| it.path())
            .collect();
        files.sort();
        let plain = |it: &&PathBuf| {
            let text = std::fs::read_to_string(it).unwrap_or_default();
            it.extension().is_some_and(|it| it == "c") && text.contains("int main") && !text.contains("//@ flags")
        };
        for file in files.iter().filter(plain).take(6) {
            tests += agree(&folder, &[&file.to_string_lossy()], "12");
        }
    }
    assert!(tests > 60, "{tests}");
}

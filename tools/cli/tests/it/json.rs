//! What is printed for programs is what the book's schema says, for every command that walks and every language.

use crate::schema::{errors, errors_by, root};
use serde_json::Value;
use std::path::Path;
use std::process::Command;

fn effigy(args: &[&str]) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_effigy")).args(args).current_dir(root()).output().expect("effigy");
    let text = String::from_utf8_lossy(&output.stdout);
    serde_json::from_str(&text)
        .unwrap_or_else(|error| panic!("{args:?}: {error}\n{text}{}", String::from_utf8_lossy(&output.stderr)))
}

fn folder() -> String {
    std::env::temp_dir().join(format!("effigy-json-{}", std::process::id())).to_string_lossy().into_owned()
}

#[test]
fn every_command_prints_what_the_schema_says() {
    let out = folder();
    let search = "SEARCH(A, \"N\", \"N\"+4, \"X\", FOUND, J)";
    // Arguments, and the language that answers.
    let cases: &[(&[&str], &str)] = &[
        (&["run", "examples/key_value.c", "--out", &out], "llvm"),
        (&["run", "corpus/cli/external.c", "--out", &out], "llvm"),
        (&["run", "corpus/cli/inline_assembly.c", "--out", &out], "llvm"),
        (&["run", "corpus/cli/runs_main.c", "--max-paths", "2", "--out", &out], "llvm"),
        (&["run", "corpus/pli/search.pli", "--call", search], "pli"),
        (&["run", "corpus/pli/search.pli", "--out", &out, "--max-paths", "4"], "pli"),
        (&["run", "corpus/pli/power.pli", "--max-paths", "3"], "pli"),
        (&["run", "corpus/pli/fork.pli", "--trace"], "pli"),
        (&["run", "corpus/oo/run/reverse.oo"], "oo"),
        (&["run", "corpus/oo/run/abs.oo", "--model", "traces", "--explain"], "oo"),
        (&["tree", "corpus/cli/runs_main.c"], "llvm"),
        (&["tree", "corpus/pli/power.pli", "--depth", "2"], "pli"),
        (&["tree", "corpus/oo/run/reverse.oo", "--model", "forward"], "oo"),
        (&["tree", "corpus/cli/verify_cell.vpr", "--method", "set"], "verified"),
        (&["prove", "corpus/pli/proved/power.pli"], "pli"),
        (&["prove", "corpus/pli/mutants/twoloops_bound.pli"], "pli"),
        (&["prove", "corpus/pli/power.pli", "--procedure", "POWER"], "pli"),
    ];
    let mut wrong = Vec::new();
    for (args, language) in cases {
        let args: Vec<&str> = args.iter().copied().chain(["--json"]).collect();
        let value = effigy(&args);
        assert_eq!(value["command"], args[0]);
        assert_eq!(value["language"], *language, "{args:?}");
        wrong.extend(errors(&value).into_iter().map(|it| format!("{args:?}: {it}")));
        if args.contains(&"--out") {
            let written = std::fs::read_to_string(Path::new(&out).join("summary.json")).expect("the summary");
            assert_eq!(serde_json::from_str::<Value>(&written).expect("JSON"), value, "{args:?}");
        }
    }
    let _ = std::fs::remove_dir_all(&out);
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn the_checker_sees_what_is_wrong() {
    let good = effigy(&["run", "corpus/pli/fork.pli", "--json"]);
    assert_eq!(errors(&good), Vec::<String>::new());
    let broken = |change: &dyn Fn(&mut Value)| {
        let mut value = good.clone();
        change(&mut value);
        !errors(&value).is_empty()
    };
    assert!(broken(&|it| it["command"] = "walk".into()));
    assert!(broken(&|it| it["paths"]["completed"] = (-1).into()));
    assert!(broken(&|it| it["paths"]["silent"] = 0.into()));
    assert!(broken(&|it| it["leaves"][0]["inputs"] = Value::Null));
    assert!(broken(&|it| it["leaves"][0]["results"]["RETURNS"] = 1.into()));
    assert!(broken(&|it| drop(it.as_object_mut().expect("an object").remove("complete"))));
}

#[test]
fn the_order_of_leaves_and_bugs_is_that_of_the_tree_whatever_the_searcher() {
    let call = "SEARCH(A, 1, 5, \"X\", FOUND, J)";
    let cases: &[&[&str]] = &[
        &["run", "corpus/pli/search.pli", "--call", call],
        &["run", "corpus/oo/run/reverse.oo"],
        &["run", "examples/key_value.c"],
    ];
    for (number, args) in cases.iter().enumerate() {
        let mut first: Option<(Value, Value)> = None;
        for search in ["interleaved", "dfs", "bfs", "random-state", "covnew"] {
            let out = format!("{}-{number}-{search}", folder());
            let mut value = effigy(&[args, &["--json", "--search", search, "--seed", "3", "--out", &out][..]].concat());
            let _ = std::fs::remove_dir_all(&out);
            // Which test a leaf has depends on the order in which leaves were met; which input, on earlier queries.
            let strip = |it: &mut Value| {
                for it in it.as_array_mut().expect("a list") {
                    let it = it.as_object_mut().expect("an object");
                    it.remove("test");
                    it.remove("inputs");
                }
            };
            strip(&mut value["leaves"]);
            strip(&mut value["bugs"]);
            let found = (value["leaves"].take(), value["bugs"].take());
            match &first {
                None => first = Some(found),
                Some(it) => assert_eq!(*it, found, "{args:?} {search}"),
            }
        }
    }
}

#[test]
fn a_folder_of_any_language_has_a_test_for_each_leaf() {
    let out = format!("{}-tests", folder());
    let value = effigy(&["run", "corpus/pli/fork.pli", "--json", "--out", &out]);
    assert_eq!(value["tests"], value["paths"]["completed"]);
    for leaf in value["leaves"].as_array().expect("leaves") {
        let path = Path::new(&out).join(leaf["test"].as_str().expect("a test"));
        let test: effigy_report::test_case::Test =
            serde_json::from_str(&std::fs::read_to_string(path).expect("the test")).expect("a test");
        assert_eq!(leaf["decisions"], test.decisions.to_string());
    }
    let _ = std::fs::remove_dir_all(&out);
}

#[test]
fn reports_of_inputs_are_what_their_schemas_say() {
    let out = format!("{}-inputs", folder());
    let top = &["input=\"good\"", "--entry", "top", "--buffer", "4", "corpus/cli/generations_top.c"];
    let bad = &["input=\"bad!\"", "--entry", "top", "--buffer", "4", "corpus/cli/generations_top.c"];
    let campaign = &["fuzz", "corpus/fuzz/checksum.c", "--max-time", "60s", "--stop-at-first-bug", "--output"];
    let cases: &[(&str, &[&[&str]])] = &[
        ("concolic", &[&["run", "--concolic"], top]),
        ("concolic", &[&["run", "--concolic"], bad]),
        ("concolic", &[&["run", "--concolic", "α₁=3", "corpus/pli/fork.pli"]]),
        ("concolic", &[&["run", "--concolic", "x=3", "corpus/oo/run/abs.oo"]]),
        ("generations", &[&["tree", "--generations"], top]),
        ("generations", &[&["tree", "--generations", "α₁=3", "corpus/pli/fork.pli"]]),
        ("fuzz", &[campaign, &[&out]]),
        // In the folder of the one before.
        ("fuzz", &[campaign, &[&out, "--no-symbolic", "--max-runs", "1000"]]),
    ];
    let mut wrong = Vec::new();
    for (schema, args) in cases {
        let args = [&args.concat()[..], &["--json"]].concat();
        let value = effigy(&args);
        wrong.extend(errors_by(schema, &value).into_iter().map(|it| format!("{args:?}: {it}")));
        // No account is that of another kind.
        for other in ["walk", "fuzz", "concolic", "generations"].iter().filter(|it| *it != schema) {
            assert!(!errors_by(other, &value).is_empty(), "{args:?} is {other}, too");
        }
        if *schema == "fuzz" {
            let written = std::fs::read_to_string(Path::new(&out).join("summary.json")).expect("the summary");
            assert_eq!(serde_json::from_str::<Value>(&written).expect("JSON"), value);
        }
    }
    let _ = std::fs::remove_dir_all(&out);
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

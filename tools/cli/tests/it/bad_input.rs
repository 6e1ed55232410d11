//! Bad input gets a clear error and exit code 2, and never overwrites what the user made.

use std::path::PathBuf;
use std::process::Command;

fn effigy(args: &[&str]) -> (i32, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_effigy")).args(args).output().expect("effigy starts");
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code().unwrap_or(-1), text)
}

fn scratch(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("effigy-bad-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("a folder can be made");
    path
}

fn write(folder: &std::path::Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    std::fs::write(&path, text).expect("a file can be written");
    path.to_string_lossy().into_owned()
}

#[test]
fn a_broken_c_file_gets_clangs_own_message() {
    let folder = scratch("c");
    let file = write(&folder, "broken.c", "int main(void) { return 1 +; }\n");
    let out = folder.join("out").to_string_lossy().into_owned();
    let (code, errors) = effigy(&["run", &file, "--out", &out]);
    assert_eq!(code, 2);
    assert!(errors.contains("expected expression"), "{errors}");
}

#[test]
fn broken_ir_gets_file_line_and_what_was_expected() {
    let folder = scratch("ll");
    let file = write(&folder, "broken.ll", "define i32 @main() {\n  ret i33333333333 0\n}\n");
    let out = folder.join("out").to_string_lossy().into_owned();
    let (code, errors) = effigy(&["run", &file, "--out", &out]);
    assert_eq!(code, 2);
    assert!(errors.contains("broken.ll:2:7: an integer of 1 to 8388608 bits was expected"), "{errors}");
}

#[test]
fn a_missing_entry_names_what_there_is() {
    let folder = scratch("entry");
    let file = write(&folder, "a.c", "int f(int x) { return x; }\n");
    let out = folder.join("out").to_string_lossy().into_owned();
    let (code, errors) = effigy(&["run", &file, "--out", &out]);
    assert_eq!(code, 2);
    assert!(errors.contains("no function `main`") && errors.contains("there are f"), "{errors}");
}

#[test]
fn a_folder_that_is_not_ours_is_left_alone() {
    let folder = scratch("folder");
    let file = write(&folder, "a.c", "int main(void) { return 0; }\n");
    write(&folder, "precious.txt", "mine");
    let out = folder.to_string_lossy().into_owned();
    let (code, errors) = effigy(&["run", &file, "--out", &out]);
    assert_eq!(code, 2);
    assert!(errors.contains("was not made by effigy"), "{errors}");
    assert!(folder.join("precious.txt").exists());
}

#[test]
fn what_the_user_put_into_our_folder_survives_the_next_run() {
    let folder = scratch("ours");
    let file = write(&folder, "a.c", "int main(void) { return 0; }\n");
    let out = folder.join("out");
    let name = out.to_string_lossy().into_owned();
    assert_eq!(effigy(&["run", &file, "--out", &name]).0, 0);
    write(&out, "notes.txt", "mine");
    assert_eq!(effigy(&["run", &file, "--out", &name]).0, 0);
    assert!(out.join("notes.txt").exists());
}

#[test]
fn an_unknown_bug_class_is_refused() {
    let folder = scratch("class");
    let file = write(&folder, "a.c", "int main(void) { return 0; }\n");
    let (code, errors) = effigy(&["run", &file, "--check", "everything"]);
    assert_eq!(code, 2);
    assert!(errors.contains("`effigy bugs` lists them"), "{errors}");
}

#[test]
fn an_output_file_in_the_way_is_named() {
    let folder = scratch("file");
    let file = write(&folder, "a.c", "int main(void) { return 0; }\n");
    let (code, errors) = effigy(&["run", &file, "--out", &file]);
    assert_eq!(code, 2);
    assert!(errors.contains("a.c"), "{errors}");
}

#[test]
fn limits_are_told_and_exit_with_3() {
    let folder = scratch("limits");
    let text =
        "#include <effigy.h>\nint main(void) { unsigned n = effigy_uint(\"n\"); while (n > 0) n--; return 0; }\n";
    let file = write(&folder, "a.c", text);
    let out = folder.join("out").to_string_lossy().into_owned();
    let (code, _) = effigy(&["run", &file, "--out", &out, "--max-paths", "10"]);
    assert_eq!(code, 3);
    assert!(folder.join("out/tests/test000010.json").exists());
}

#[test]
fn a_folder_that_cannot_be_written_is_named() {
    // A file where a folder must be; permissions do not stop root, who runs the tests in a container.
    let folder = scratch("readonly");
    let file = write(&folder, "a.c", "int main(void) { return 0; }\n");
    write(&folder, "file", "mine");
    let out = folder.join("file/out").to_string_lossy().into_owned();
    let (code, errors) = effigy(&["run", &file, "--out", &out]);
    assert_eq!(code, 2);
    assert!(errors.contains("file/out"), "{errors}");
    let full = "/dev/full/out";
    assert_eq!(effigy(&["run", &file, "--out", full]).0, 2);
}

#[test]
fn a_ktest_holds_the_inputs_of_its_test() {
    let folder = scratch("ktest");
    let text = "#include <effigy.h>\nint main(void) { int x; effigy_symbolic(&x, sizeof x, \"x\"); return x == 7; }\n";
    let file = write(&folder, "a.c", text);
    let out = folder.join("out");
    let name = out.to_string_lossy().into_owned();
    assert_eq!(effigy(&["run", &file, "--ktest", "--out", &name]).0, 0);
    let mut found = 0;
    for entry in std::fs::read_dir(out.join("tests")).expect("tests").flatten() {
        let path = entry.path();
        if path.extension().is_some_and(|it| it == "ktest") {
            let ktest = effigy_report::ktest::read(&std::fs::read(&path).expect("bytes")).expect("a ktest");
            let json = std::fs::read_to_string(path.with_extension("json")).expect("the test beside it");
            let test: effigy_report::test_case::Test = serde_json::from_str(&json).expect("a test");
            let inputs = test.inputs.iter().map(|it| (it.name.clone(), it.to_bytes().expect("bytes")));
            assert_eq!(ktest.objects, inputs.collect::<Vec<_>>());
            assert_eq!(ktest.objects[0].1.len(), 4);
            found += 1;
        }
    }
    assert!(found > 0);
}

#[test]
fn logged_queries_are_smt_lib_that_z3_answers_alike() {
    effigy_testing::require!("z3");
    let folder = scratch("log");
    let text = "#include <effigy.h>\nint main(void) { int x; effigy_symbolic(&x, sizeof x, \"x\"); \
                unsigned y = (unsigned)x * (unsigned)x; if (y == 49) return 1; if (y == 3) return 2; return 0; }\n";
    let file = write(&folder, "a.c", text);
    let (out, log) = (folder.join("out"), folder.join("log"));
    let (out, log) = (out.to_string_lossy().into_owned(), log.to_string_lossy().into_owned());
    assert_eq!(effigy(&["run", &file, "--query-log", &log, "--out", &out]).0, 0);
    let mut answers = Vec::new();
    for entry in std::fs::read_dir(&log).expect("queries").flatten() {
        let text = std::fs::read_to_string(entry.path()).expect("a query");
        let expected = text.lines().find_map(|it| it.strip_prefix("(set-info :status ")).expect("the answer");
        let output = Command::new("z3").arg(entry.path()).output().expect("z3 starts");
        let answer = String::from_utf8_lossy(&output.stdout);
        assert_eq!(answer.lines().next(), expected.strip_suffix(')'), "{text}");
        answers.push(expected.to_owned());
    }
    assert!(answers.contains(&"sat)".to_owned()) && answers.contains(&"unsat)".to_owned()), "{answers:?}");
}

#[test]
fn an_interrupted_run_keeps_what_it_found() {
    let folder = scratch("interrupt");
    let text = "#include <effigy.h>\nint main(void) { int n = 0; \
                for (;;) { unsigned char c; effigy_symbolic(&c, 1, \"c\"); if (c == 7) return n; n++; } }\n";
    let file = write(&folder, "a.c", text);
    let out = folder.join("out");
    let mut child = Command::new(env!("CARGO_BIN_EXE_effigy"))
        .args(["run", &file, "--quiet", "--out"])
        .arg(&out)
        .stderr(std::process::Stdio::null())
        .spawn()
        .expect("effigy starts");
    // It runs for ever, so there is time.
    while !out.join("tests/test000005.json").exists() {
        std::thread::sleep(std::time::Duration::from_millis(20));
        assert!(child.try_wait().expect("a status").is_none(), "it ended by itself");
    }
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill");
    assert_eq!(child.wait().expect("it ends").code(), Some(3));
    let summary = std::fs::read_to_string(out.join("summary.txt")).expect("the summary is written");
    assert!(summary.contains("interrupted"), "{summary}");
}

#[test]
fn nothing_is_executed_natively_where_that_is_forbidden() {
    let folder = scratch("native");
    // The program leaves a file where it runs.
    let text = "#include <stdio.h>\nint main(void) { FILE *f = fopen(\"ran\", \"w\"); return f ? fclose(f) : 1; }\n";
    let file = write(&folder, "a.c", text);
    let out = folder.join("out").to_string_lossy().into_owned();
    let run = |args: &[&str], variable: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_effigy"));
        let output = command.args(args).env("EFFIGY_NO_NATIVE", variable).current_dir(&folder).output();
        let output = output.expect("effigy starts");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    assert_eq!(run(&["run", &file, "--out", &out], "1").0, Some(0));
    for (args, variable, by) in [
        (&["replay", &*out, "--no-native"][..], "", "--no-native"),
        (&["replay", &out], "1", "EFFIGY_NO_NATIVE"),
        (&["fuzz", &file, "--no-native"], "0", "--no-native"),
        (&["fuzz", &file], "yes", "EFFIGY_NO_NATIVE"),
    ] {
        let (code, errors) = run(args, variable);
        assert_eq!(code, Some(2), "{errors}");
        assert!(errors.contains(&format!("{by} forbids that")), "{errors}");
    }
    // What executes nothing has nothing to forbid.
    let (code, errors) = run(&["run", &file, "--no-native"], "");
    assert!(code == Some(2) && errors.contains("--no-native"), "{errors}");
    assert!(!folder.join("ran").exists() && !folder.join("effigy-fuzz").exists());
    assert_eq!(run(&["replay", &out], "0").0, Some(0));
}

//! Sessions with the debugger: every `corpus/debug/NAME.script` is played with the program beside it and compared with
//! `NAME.transcript`. A line `#@ flags: ...` gives flags of the command. `EFFIGY_BLESS=1` rewrites the transcripts.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the tree")
}

fn effigy(args: &[&str], input: &str) -> (i32, String, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_effigy"))
        .args(args)
        .current_dir(root())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("effigy starts");
    // It may end before it has read everything.
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    let output = child.wait_with_output().expect("effigy ends");
    let text = |it: Vec<u8>| String::from_utf8_lossy(&it).into_owned();
    (output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
}

/// Plays a script from its file and again from standard input: the same is said.
fn play(script: &Path) -> String {
    let text = std::fs::read_to_string(script).expect("a script");
    let program = ["c", "ll"].iter().map(|it| script.with_extension(it)).find(|it| it.exists()).expect("a program");
    let relative = |it: &Path| it.strip_prefix(root()).expect("in the tree").to_string_lossy().into_owned();
    let (program, file) = (relative(&program), relative(script));
    let mut args = vec!["debug", &program];
    args.extend(text.lines().filter_map(|it| it.strip_prefix("#@ flags: ")).flat_map(str::split_whitespace));
    let from_input = effigy(&args, &text);
    args.extend(["--script", &file]);
    let from_file = effigy(&args, "");
    assert_eq!(from_input, from_file, "{}", script.display());
    let (code, output, errors) = from_file;
    let end = if code == 0 { String::new() } else { format!("[exit {code}]\n") };
    format!("{output}{errors}{end}")
}

#[test]
fn every_script_replies_what_is_written() {
    let bless = std::env::var_os("EFFIGY_BLESS").is_some();
    let mut scripts: Vec<PathBuf> =
        std::fs::read_dir(root().join("corpus/debug")).expect("the scripts").flatten().map(|it| it.path()).collect();
    scripts.retain(|it| it.extension().is_some_and(|it| it == "script"));
    scripts.sort();
    assert!(scripts.len() >= 3, "the scripts are where they should be");
    let mut differ = Vec::new();
    for script in scripts {
        let played = play(&script);
        let transcript = script.with_extension("transcript");
        if bless {
            std::fs::write(&transcript, &played).expect("the transcript can be written");
        } else if std::fs::read_to_string(&transcript).unwrap_or_default() != played {
            differ.push(format!("{}:\n{played}", script.display()));
        }
    }
    assert!(differ.is_empty(), "EFFIGY_BLESS=1 accepts this:\n{}", differ.join("\n"));
}

#[test]
fn each_line_is_an_object_of_json() {
    let (code, output, errors) =
        effigy(&["debug", "corpus/debug/find.c", "--json"], "step\n\n# no command\nfly\nstep\n");
    assert_eq!(code, 2, "{errors}");
    let objects: Vec<serde_json::Value> = output.lines().map(|it| serde_json::from_str(it).expect("JSON")).collect();
    assert_eq!(objects.len(), 2, "a command that fails is the last: {output}");
    assert_eq!(objects[0]["command"], "step");
    assert_eq!(objects[0]["error"], false);
    assert_eq!(objects[0]["statement"]["procedure"], "main");
    assert_eq!(objects[0]["statement"]["text"], "char name[8] = \"pair\";");
    assert_eq!(objects[0]["path_condition"], serde_json::json!([]));
    assert_eq!(objects[1]["error"], true);
}

#[test]
fn hostile_expressions_are_errors() {
    let deep = "(".repeat(20_000);
    let lines = [
        format!("assume {deep}"),
        format!("show {}1", "!".repeat(20_000)),
        format!("show {}1", "-".repeat(20_000)),
        format!("show 1{}", " ? 1 : 1".repeat(20_000)),
        "show table[99999999999999999999]".to_owned(),
        "show *table[0]".to_owned(),
        "show \"é\" + é".to_owned(),
        "show '\\".to_owned(),
        "show \"".to_owned(),
        "show p..key".to_owned(),
        "show &1".to_owned(),
        "set 1 = 2".to_owned(),
        "set p = 2".to_owned(),
        "set table[1 = 2".to_owned(),
        "break find.c:1".to_owned(),
        "call find".to_owned(),
        "call find(".to_owned(),
        "call (1)".to_owned(),
        "call find(1, 2, )".to_owned(),
        "call find(p, 2)".to_owned(),
        format!("call find({deep}1, 2)"),
        "test (9) find(1,é)".to_owned(),
    ];
    for line in lines {
        let (code, output, errors) = effigy(&["debug", "corpus/debug/find.c"], &format!("step 4\n{line}\n"));
        let short: String = line.chars().take(40).collect();
        assert_eq!(code, 2, "{short}: {errors}");
        assert!(output.contains("error: ") && errors.is_empty(), "{short}: {output}{errors}");
    }
}

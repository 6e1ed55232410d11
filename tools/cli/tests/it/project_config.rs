//! `effigy.toml`, and the bugs that a project knows.

use crate::common::build_folder::BuildFolder;
use std::fs;

const TWO_BUGS: &str =
    "int ratio(int a, int b) {\n  return a / b;\n}\nint scaled(int a, int b) { return ratio(a, b); }\n";

fn configured(name: &str) -> BuildFolder {
    let folder = BuildFolder::new(name);
    folder.write("sub/ratio.c", TWO_BUGS).write("sub/one.c", "int one(int n) { return N; }\n");
    let config = "baseline = 'known.json'\nlimits.max-time = '60s'\n[target.ratio]\nfiles = ['sub/ratio.c']\n\
                  entry = ['scaled']\noptions = ['--check', 'division-by-zero']\n\
                  [target.one]\nfiles = ['sub/one.c']\nentry = ['one']\nflags = ['-DN=1']\n";
    folder.write("effigy.toml", config);
    folder
}

#[test]
fn known_bugs_are_counted_and_new_ones_end_the_run() {
    let folder = configured("baseline");
    let (code, _, errors) = folder.effigy("run --target ratio");
    assert_eq!(code, Some(2), "there is no baseline yet");
    assert!(errors.contains("--update-baseline"), "{errors}");
    let (code, out, errors) = folder.effigy("run --target ratio --update-baseline");
    assert_eq!(code, Some(0), "{errors}");
    assert!(out.contains("bugs      0, and 1 that the baseline has"), "{out}");
    // What stands above a bug may change.
    folder.write("sub/ratio.c", &format!("/* A ratio. */\n{TWO_BUGS}"));
    for command in ["run", "bmc"] {
        let (code, out, errors) = folder.effigy(&format!("{command} --target ratio"));
        assert_eq!((code, &*errors), (Some(0), ""), "{command}: {out}");
        assert!(!out.contains("-->"), "a known bug is not told again: {out}");
    }
    folder.write("sub/ratio.c", &TWO_BUGS.replace("return a / b", "a %= b;\n  return a / b"));
    let (code, out, _) = folder.effigy("run --target ratio");
    assert_eq!(code, Some(1), "{out}");
    assert!(out.contains("sub/ratio.c:2:5 in ratio") && out.contains("1 bug of known.json was not found"), "{out}");
}

#[test]
fn a_baseline_is_no_other_file() {
    let folder = configured("baseline-other");
    let mine = "{\"mine\": 1}";
    folder.write("known.json", mine);
    let (code, _, errors) = folder.effigy("run --target ratio --update-baseline");
    assert_eq!(code, Some(2), "{errors}");
    assert!(errors.contains("known.json"), "{errors}");
    assert_eq!(fs::read_to_string(folder.0.join("known.json")).expect("it is there"), mine);
}

#[test]
fn a_target_has_its_flags_and_what_is_typed_wins() {
    let folder = configured("config");
    folder.write("known.json", "{\"format\": 1, \"bugs\": []}");
    let (code, out, errors) = folder.effigy("run --target one --jobs 1");
    assert_eq!((code, &*errors), (Some(0), ""), "{out}");
    let (code, out, _) = folder.effigy("run --target one --jobs 1 -- -UN -DN=2/n");
    assert_eq!(code, Some(1), "{out}");
    let (code, _, errors) = folder.effigy("run");
    assert_eq!(code, Some(2));
    assert!(errors.contains("effigy.toml has 2 targets") && errors.contains("--target one"), "{errors}");
    folder.write("effigy.toml", "[target.one]\nfile = 'a.c'\n");
    let (code, _, errors) = folder.effigy("run");
    assert_eq!(code, Some(2));
    assert!(errors.contains("effigy.toml") && errors.contains("unknown field `file`"), "{errors}");
}

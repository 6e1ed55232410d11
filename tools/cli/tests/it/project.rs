//! `effigy cc`: a build notes what its programs are made of, and they are run and replayed as they were linked.

use crate::common::build_folder::BuildFolder;
use std::fs;

const MAIN: &str =
    "int half(int);\nextern int offset;\nint main(int argc, char **argv) { return half(SCALE * argc) + offset; }\n";
const HALF: &str = "int spare(void);\nint half(int n) { return 12 / (n - WIDTH); }\n";
const SPARE: &str = "int unused(void) { return 1; }\nint spare(int n) { return 4 / n; }\n";

/// Builds a program of an object and an archive with a member that is not needed.
fn built(name: &str) -> BuildFolder {
    let folder = BuildFolder::new(name);
    folder.write("main.c", MAIN).write("sub/half.c", HALF).write("sub/spare.c", SPARE);
    folder.write("flags", "-DSCALE=3 '-DNAME=\"a b\"'").write("offset.c", "int offset = NUMBER;\n");
    folder.succeeds("cc @flags -c main.c -o main.o");
    folder.succeeds("cc -DWIDTH=2 -c -o sub/half.o sub/half.c");
    folder.succeeds("cc -c sub/spare.c -o sub/spare.o");
    assert!(folder.output("ar", "rcs libhalf.a sub/half.o sub/spare.o").status.success());
    folder
}

#[test]
fn a_program_is_run_as_it_was_linked() {
    let folder = built("cc-linked");
    folder.succeeds("cc -DNUMBER=4 -o prog main.o offset.c -L. -lhalf -lm");
    assert!(folder.has(".prog.effigy.json") && folder.has(".main.o.effigy.json"));
    let (code, out, errors) = folder.effigy("run --jobs 1 --json prog");
    let document: serde_json::Value = serde_json::from_str(&out).unwrap_or_else(|it| panic!("{it}: {errors}"));
    assert_eq!(code, Some(0), "{out}");
    let files = &document["program"]["files"];
    assert_eq!(files, &serde_json::json!(["offset.c", "main.c", "sub/half.c"]), "{errors}");
    let test = fs::read_to_string(folder.0.join("effigy-out/tests/test000001.json")).expect("a test");
    let test: serde_json::Value = serde_json::from_str(&test).expect("it is JSON");
    assert_eq!(test["expect"]["exit"], 16, "12 / (3 - 2) + 4: {test}");
    let (code, out, errors) = folder.effigy("replay");
    assert_eq!(code, Some(0), "{out}{errors}");
    assert!(out.contains("1 test replayed: 1 as predicted"), "{out}");
}

#[test]
fn an_archive_is_run_at_one_of_its_functions() {
    let folder = built("cc-archive");
    let (code, out, errors) = folder.effigy("run --jobs 1 libhalf.a --entry half");
    assert_eq!(code, Some(1), "{errors}");
    assert!(out.contains("division-by-zero") && out.contains("sub/half.c:2") && out.contains("input n = 2"), "{out}");
    let (code, out, errors) = folder.effigy("replay");
    assert_eq!(code, Some(0), "{out}{errors}");
    let (code, _, errors) = folder.effigy("run libhalf.a");
    assert_eq!(code, Some(2), "it has no main");
    assert!(errors.contains("--entry"), "{errors}");
}

#[test]
fn the_compiler_speaks_for_itself() {
    let folder = BuildFolder::new("cc-plain");
    folder.write("conftest.c", "int main(void) { return 0; }\n").write("broken.c", "int main(void) {\n");
    let clang = std::env::var("EFFIGY_CLANG").unwrap_or_else(|_| "clang".to_owned());
    for words in
        ["--version", "-E conftest.c", "-print-search-dirs", "-c broken.c", "-dumpmachine", "-Wno-odd -c nosuch.c"]
    {
        let (plain, wrapped) =
            (folder.output(&clang, words), folder.output(env!("CARGO_BIN_EXE_effigy"), &format!("cc {words}")));
        assert_eq!(plain.status.code(), wrapped.status.code(), "{words}");
        let text = |it: &[u8]| String::from_utf8_lossy(it).into_owned();
        assert_eq!(text(&plain.stdout), text(&wrapped.stdout), "{words}");
        assert_eq!(text(&plain.stderr), text(&wrapped.stderr), "{words}");
    }
    folder.succeeds("cc conftest.c -o conftest");
    folder.succeeds("cc -x c /dev/null -c -o empty.o");
    folder.succeeds("c++ -x c++ -fsyntax-only conftest.c");
    assert!(folder.has("conftest") && folder.has("empty.o"));
    // A folder in the place of the record.
    fs::create_dir(folder.0.join(".conftest.o.effigy.json")).expect("a folder");
    folder.succeeds("cc -c conftest.c");
}

#[test]
fn a_damaged_record_is_refused_with_its_place() {
    let folder = BuildFolder::new("cc-damaged");
    folder.write("prog", "").write(".prog.effigy.json", "{\"format\": 1,\n \"sources\": 3}");
    let (code, _, errors) = folder.effigy("run prog");
    assert_eq!(code, Some(2));
    assert!(errors.contains(".prog.effigy.json:2:"), "{errors}");
}

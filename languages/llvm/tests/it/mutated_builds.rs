//! Mutants of what a build says of its files: compilation databases, records of `effigy cc`, archives, command lines.

use effigy_llvm::driver::project::{
    build_target, expanded, kept_flags, members, read_database, read_record, shell_words,
};
use effigy_testing::reader_trial::try_reader;
use std::path::Path;

const DATABASES: [&str; 2] = [
    r#"[
  { "directory": "/b", "file": "../src/a.c", "output": "CMakeFiles/app.dir/a.c.o",
    "arguments": ["clang", "-std=c11", "-DN=4", "-I", "inc", "-include", "x.h", "-c", "../src/a.c", "-o", "a.o"] },
  { "directory": "/b", "file": "b.cpp", "command": "c++ -O2 '-DTEXT=\"a b\"' -isystem sys @flags.rsp -c b.cpp" }
]"#,
    r#"[{"directory":".","file":"c.c","command":"gcc -Wall -fsanitize=address \\\n c.c","output":"c"}]"#,
];

const RECORD: &str = r#"{ "format": 1, "link": ["-lm"], "unknown": ["/b/x.o"],
  "sources": [{ "directory": "/b", "file": "/b/a.c", "arguments": ["cc", "-c", "a.c"], "output": "/b/a.o" },
              { "directory": "/b", "file": "/b/l.c", "arguments": ["cc", "l.c"], "is_member": true }] }"#;

/// An archive of two members, one with a long name.
fn archive() -> Vec<u8> {
    let mut res = b"!<arch>\n".to_vec();
    for (name, bytes) in [("//", "long_name.o/\n"), ("/0", "BC\u{40}\u{5e}"), ("b.o/", "abc")] {
        let head = format!("{name:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`\n", 0, 0, 0, 644, bytes.len());
        res.extend(head.bytes().chain(bytes.bytes()));
        // Members begin at even offsets.
        res.resize(res.len().next_multiple_of(2), b'\n');
    }
    res
}

#[test]
fn databases_are_read_or_refused_at_a_place() {
    try_reader("database", DATABASES, &["null", "{}", "[]", "\\u0000", "\"arguments\"", "@", "-o"], |bytes| {
        match read_database(bytes, Path::new("/build")) {
            Ok(commands) => {
                for command in commands {
                    let flags = kept_flags(&command.arguments, &command.file);
                    assert!(flags.kept.len() <= command.arguments.len() + 2, "{command:?}");
                    assert!(expanded(&command.arguments, Path::new("/nowhere")).len() <= command.arguments.len());
                    let _ = command.output.as_deref().and_then(build_target);
                }
            }
            Err(what) => assert!(what.contains(':'), "{what}"),
        }
    });
}

#[test]
fn records_are_read_as_they_are_written_or_refused() {
    try_reader("record", [RECORD], &["null", "true", "[]", "\"is_member\"", "\\u0000"], |bytes| {
        if let Ok(record) = read_record(bytes) {
            let text = serde_json::to_vec(&record).expect("it can be written");
            assert_eq!(read_record(&text), Ok(record));
        }
    });
}

#[test]
fn archives_have_members_within_them() {
    assert!(members(&archive()).is_some_and(|it| it.len() == 2), "the example is an archive");
    try_reader("archive", [archive()], &["!<arch>\n", "`\n", "/0", "#1/4", "//"], |bytes| {
        if let Some(members) = members(bytes) {
            let sizes = members.iter().filter_map(|it| it.bytes).map(<[u8]>::len);
            assert!(sizes.sum::<usize>() <= bytes.len(), "members do not overlap");
        }
    });
}

#[test]
fn command_lines_are_words_or_refused() {
    let lines = ["cc -c 'a b.c' \"-DX=\\\"y\\\"\" -o a\\ b.o", "clang $(pwd)/x.c `pkg-config` # comment"];
    try_reader("shell-words", lines, &["'", "\"", "\\", "\n", "$"], |bytes| {
        let text = String::from_utf8_lossy(bytes);
        if let Some(words) = shell_words(&text) {
            assert!(words.iter().map(String::len).sum::<usize>() <= text.len());
        }
    });
}

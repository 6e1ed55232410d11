//! Files of an output folder that were damaged: whoever reads them says where, or comes to what they said before.
//!
//! A byte is changed, or all from it on is gone. `make test-all` does so at every byte, `make test` at some.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

struct Room(PathBuf);

impl Room {
    /// A program of three paths, and the folder of its run.
    fn new(name: &str) -> Room {
        let text = "#include <effigy.h>\nint main(void) { int x = effigy_int(\"x\"); if (x == 7) return 1; \
                    return x > 9 ? 2 : 0; }\n";
        Room::of(name, text, &[], 0)
    }

    /// A program with a bug, and the folder of its run, which these flags end with this exit code.
    fn with_bug(name: &str, flags: &[&str], code: i32) -> Room {
        let text = "#include <assert.h>\n#include <effigy.h>\nint main(void) { int x = effigy_int(\"x\"); \
                    if (x == 7) return 1; assert(x != 9); return x > 9 ? 2 : 0; }\n";
        Room::of(name, text, flags, code)
    }

    fn of(name: &str, text: &str, flags: &[&str], code: i32) -> Room {
        let path = std::env::temp_dir().join(format!("effigy-damaged-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a folder");
        fs::write(path.join("a.c"), text).expect("a program");
        let room = Room(path);
        let (ended, _, errors) = room.effigy(&[&["run", "a.c", "--jobs", "1", "--quiet"], flags].concat());
        assert_eq!(ended, Some(code), "{errors}");
        room
    }

    /// Exit code, standard output, standard error.
    fn effigy(&self, args: &[&str]) -> (Option<i32>, String, String) {
        let output = Command::new(env!("CARGO_BIN_EXE_effigy")).args(args).current_dir(&self.0).output();
        let output = output.expect("effigy starts");
        let text = |it: Vec<u8>| String::from_utf8_lossy(&it).into_owned();
        (output.status.code(), text(output.stdout), text(output.stderr))
    }

    /// What a reader tells that does not depend on the clock, nor on the numbers that tests were free to take.
    fn told(&self, args: &[&str]) -> (Option<i32>, String, String) {
        let (code, text, errors) = self.effigy(args);
        let is_timeless = |it: &&str| !it.starts_with("time ") && !it.starts_with("  shown by tests/");
        (code, text.lines().filter(is_timeless).collect::<Vec<_>>().join("\n"), errors)
    }

    /// Damages a file in each way at some bytes; `args` read it.
    fn check(&self, file: &str, args: &[&str], accepted: &[&str], some: usize) {
        let path = self.0.join("effigy-out").join(file);
        let whole = self.saved();
        let good = fs::read(&path).expect("a file");
        let expected = self.told(args);
        self.restore(&whole);
        assert!(expected.0.is_some_and(|it| it != 2), "{expected:?}");
        let is_all = std::env::var_os("EFFIGY_CASES_TIMES").is_some();
        let step = if is_all { 1 } else { good.len().div_ceil(some) };
        let name = Path::new(file).file_name().expect("a name").to_string_lossy().into_owned();
        for at in (0..good.len()).step_by(step) {
            let mut flipped = good.clone();
            flipped[at] ^= 1 << (at % 8);
            for bytes in [&flipped[..], &good[..at]] {
                fs::write(&path, bytes).expect("a file");
                let got = self.told(args);
                self.restore(&whole);
                let is_named = got.0 == Some(2) && got.2.contains(&format!("{name}:"));
                let is_same = (got.0, &got.1) == (expected.0, &expected.1);
                let is_accepted = accepted.iter().any(|it| got.0 == Some(0) && got.2.contains(it));
                let place = format!("byte {at} of {} of {file}: {got:?}", good.len());
                assert!(is_named || is_same || is_accepted, "{place}");
                assert!(!got.2.contains("panicked"), "{place}");
            }
        }
    }

    /// The small files of the folder: a reader may write there.
    fn saved(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let out = fs::canonicalize(self.0.join("effigy-out")).expect("the folder");
        let folders = [out.clone(), out.join("tests")];
        let files = folders.iter().flat_map(|it| fs::read_dir(it).expect("a folder").flatten());
        files.filter(|it| it.path().is_file()).map(|it| (it.path(), fs::read(it.path()).expect("a file"))).collect()
    }

    fn restore(&self, files: &[(PathBuf, Vec<u8>)]) {
        files.iter().for_each(|(path, bytes)| fs::write(path, bytes).expect("a file"));
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

const REPLAY: &[&str] = &["replay", "effigy-out", "--jobs", "1"];

#[test]
fn a_damaged_test_is_named_by_replay() {
    // A run that is killed leaves an empty file, which is told.
    Room::new("test").check("tests/test000001.json", REPLAY, &["is empty: the run was killed"], 8);
}

#[test]
fn a_damaged_test_of_a_bug_is_named_by_replay() {
    let room = Room::with_bug("bug", &[], 1);
    room.check("tests/test000002.json", REPLAY, &["is empty: the run was killed"], 8);
}

#[test]
fn a_damaged_test_is_named_by_a_concolic_run() {
    let args = ["run", "a.c", "--concolic", "effigy-out/tests/test000001.json"];
    Room::new("concolic").check("tests/test000001.json", &args, &[], 8);
}

#[test]
fn a_damaged_mark_is_named_by_replay() {
    Room::new("mark").check("effigy.json", REPLAY, &[], 8);
}

#[test]
fn a_damaged_mark_is_named_by_a_run_that_goes_on() {
    let args = ["run", "--resume", "effigy-out", "--jobs", "1"];
    Room::new("resumed-mark").check("effigy.json", &args, &[], 10);
}

#[test]
fn a_damaged_journal_is_named_or_ends_where_it_is_cut() {
    let args = ["run", "--resume", "effigy-out", "--jobs", "1"];
    Room::new("journal").check("walk.jsonl", &args, &[], 16);
}

/// A run that goes on explores the rest: what the journal tells must not lead it elsewhere.
#[test]
fn a_damaged_journal_of_an_unfinished_run_is_named_or_ends_where_it_is_cut() {
    let room = Room::with_bug("unfinished", &["--max-paths", "1"], 3);
    let args = ["run", "--resume", "effigy-out", "--jobs", "1", "--max-paths", "9"];
    room.check("walk.jsonl", &args, &[], 16);
}

/// Each file of the folder is one of those that are damaged above, or one that no command reads: reports for people and
/// for other programs, and the lock.
#[test]
fn what_is_written_for_others_is_not_read() {
    let room = Room::with_bug("others", &["--ktest"], 1);
    let whole = room.saved();
    let others: Vec<&PathBuf> = whole.iter().map(|it| &it.0).filter(|it| !is_read(it)).collect();
    let name = |it: &&PathBuf| it.file_name().expect("a name").to_string_lossy().into_owned();
    assert!(others.iter().any(|it| name(it) == "summary.json"), "{others:?}");
    let commands: [&[&str]; 2] = [REPLAY, &["run", "--resume", "effigy-out", "--jobs", "1"]];
    for args in commands {
        let expected = room.told(args);
        room.restore(&whole);
        for bytes in [&b""[..], b"{\"version\": 1, \"paths\": [[[", &[0xff; 100]] {
            others.iter().for_each(|it| fs::write(it, bytes).expect("a file"));
            let got = room.told(args);
            room.restore(&whole);
            assert_eq!((got.0, &got.1), (expected.0, &expected.1), "{others:?} with {bytes:?}: {got:?}");
        }
    }
}

/// Whether a command reads the file: the tests above damage it.
fn is_read(path: &Path) -> bool {
    let name = path.file_name().map(|it| it.to_string_lossy().into_owned()).unwrap_or_default();
    let is_test = path.parent().is_some_and(|it| it.ends_with("tests")) && name.ends_with(".json");
    is_test || matches!(&*name, "effigy.json" | "walk.jsonl")
}

/// Tests in KLEE's format are inputs of concolic runs.
#[test]
fn a_damaged_test_of_klee_is_refused_or_another_input() {
    let room = Room::with_bug("ktest", &["--ktest"], 1);
    let whole = room.saved();
    let path = whole.iter().map(|it| &it.0).find(|it| it.extension().is_some_and(|it| it == "ktest"));
    let path = path.expect("a test in KLEE's format").clone();
    let name = path.file_name().expect("a name").to_string_lossy().into_owned();
    let file = format!("effigy-out/tests/{name}");
    let args = ["run", "a.c", "--concolic", &file];
    // A byte of the value is another value: what runs then is another path.
    let good = fs::read(&path).expect("a file");
    let step = if std::env::var_os("EFFIGY_CASES_TIMES").is_some() { 1 } else { good.len().div_ceil(12) };
    for at in (0..good.len()).step_by(step) {
        let mut flipped = good.clone();
        flipped[at] ^= 1 << (at % 8);
        for (bytes, is_cut) in [(&flipped[..], false), (&good[..at], true)] {
            fs::write(&path, bytes).expect("a file");
            let got = room.effigy(&args);
            let place = format!("byte {at} of {} of {file}: {got:?}", good.len());
            assert!(!got.2.contains("panicked"), "{place}");
            assert!(matches!(got.0, Some(0..=3)), "{place}");
            assert!(!is_cut || got.0 == Some(2), "a file that is cut off is refused: {place}");
            assert!(got.0 != Some(2) || got.2.contains(&name), "{place}");
        }
    }
    room.restore(&whole);
}

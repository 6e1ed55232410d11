//! What another build wrote, or what another solver decided, is not used.

#[allow(dead_code, clippy::print_stdout, reason = "cargo calls it by `main`, and reads what it prints")]
#[path = "../../build.rs"]
mod build_script;

use serde_json::Value;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;

const PROGRAM: &str = "\
P: PROC (A, B, R);
  DCL (A, B, R) INTEGER;
  R = 0;
  IF A > 0 THEN R = 1;
  IF B > A THEN R = R + 1;
END;
";

const VERIFIED: &str = "method twice(n: Int) returns (r: Int)\n  ensures r == n + n\n{\n  r := 2 * n\n}\n";

/// Text of the command's help, which no test compares: a copy with a letter changed still runs.
const TEXT: &[u8] = b"with breakpoints, save and undo";

/// A folder of the test's own, removed at the end.
struct Room(PathBuf);

impl Room {
    fn new(name: &str) -> Room {
        let path = std::env::temp_dir().join(format!("effigy-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a folder");
        Room(path)
    }

    fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A copy of the command whose bytes differ in one letter of a text.
fn changed_copy(folder: &Path) -> PathBuf {
    let mut bytes = fs::read(env!("CARGO_BIN_EXE_effigy")).expect("the command");
    let at = bytes.windows(TEXT.len()).position(|it| it == TEXT).expect("the help is in the command");
    bytes[at] = b'W';
    let path = folder.join("changed");
    fs::copy(env!("CARGO_BIN_EXE_effigy"), &path).expect("a copy, with its permissions");
    fs::write(&path, bytes).expect("a copy");
    path
}

/// The exit code, standard output and standard error of a command in `folder`.
fn run(program: &Path, folder: &Path, args: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::new(program);
    command.args(args).current_dir(folder).env("XDG_CACHE_HOME", folder.join("cache"));
    let output = loop {
        match command.output() {
            // A process that another test has just started still holds the copy as we wrote it.
            Err(error) if error.kind() == ErrorKind::ExecutableFileBusy => std::thread::yield_now(),
            output => break output.expect("the command starts"),
        }
    };
    let text = |it: Vec<u8>| String::from_utf8_lossy(&it).into_owned();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

fn effigy() -> PathBuf {
    PathBuf::from(env!("CARGO_BIN_EXE_effigy"))
}

#[test]
fn a_build_with_changed_bytes_does_not_resume_a_run() {
    let room = Room::new("builds-resume");
    fs::write(room.path().join("p.pli"), PROGRAM).expect("a program");
    let (code, output, errors) = run(&effigy(), room.path(), &["run", "p.pli", "--max-paths", "1", "--out", "out"]);
    assert_eq!(code, Some(3), "{output}{errors}");
    let journal = room.path().join("out/walk.jsonl");
    let before = fs::read(&journal).expect("a journal");

    let other = changed_copy(room.path());
    let (code, output, errors) = run(&other, room.path(), &["run", "--resume", "out"]);
    assert_eq!((code, output.as_str()), (Some(2), ""), "{errors}");
    assert!(errors.contains("effigy has changed") && errors.contains("begin it anew"), "{errors}");
    assert_eq!(fs::read(&journal).expect("a journal"), before, "a build that refuses a run changes nothing");

    let (code, output, errors) = run(&effigy(), room.path(), &["run", "--resume", "out"]);
    assert_eq!(code, Some(0), "{output}{errors}");
}

#[test]
fn a_run_that_does_not_name_its_build_is_not_resumed() {
    let room = Room::new("builds-unnamed");
    fs::write(room.path().join("p.pli"), PROGRAM).expect("a program");
    run(&effigy(), room.path(), &["run", "p.pli", "--max-paths", "1", "--out", "out"]);
    let mark = room.path().join("out/effigy.json");
    let mut named: Value = serde_json::from_slice(&fs::read(&mark).expect("a mark")).expect("JSON");
    named.as_object_mut().expect("an object").remove("build").expect("a run names its build");
    fs::write(&mark, named.to_string()).expect("a mark as older versions wrote it");
    let (code, _, errors) = run(&effigy(), room.path(), &["run", "--resume", "out"]);
    assert_eq!(code, Some(2), "{errors}");
    assert!(errors.contains("effigy has changed"), "{errors}");
}

#[test]
fn the_version_names_the_commit_and_the_build() {
    let room = Room::new("builds-version");
    let version = |it: &Path| {
        let (code, output, errors) = run(it, room.path(), &["--version"]);
        assert_eq!((code, errors.as_str()), (Some(0), ""));
        output
    };
    let own = version(&effigy());
    let (head, build) = own.trim_end().strip_suffix(')').and_then(|it| it.rsplit_once(", build ")).expect(&own);
    let commit = head.strip_prefix(concat!("effigy ", env!("CARGO_PKG_VERSION"), " (")).expect(&own);
    let is_hash = |it: &str| it.bytes().all(|it| it.is_ascii_hexdigit());
    assert!(commit == "unknown" || commit.len() == 7 && is_hash(commit), "{own}");
    assert!(build.len() == 12 && is_hash(build), "{own}");

    let copy = room.path().join("copy");
    fs::copy(effigy(), &copy).expect("a copy");
    assert_eq!(version(&copy), own, "the same bytes in another place are the same build");
    let other = version(&changed_copy(room.path()));
    assert!(other.starts_with(head) && other != own, "{other}");
}

/// How many members have a verdict of an earlier run.
fn cached(command: &Path, folder: &Path, smt: &str) -> usize {
    let (code, output, errors) = run(command, folder, &["verify", "--json", "--stats", "--smt", smt, "twice.vpr"]);
    assert_eq!(code, Some(0), "{output}{errors}");
    output.matches("\"cached\": true").count()
}

#[cfg(unix)]
#[test]
fn another_version_of_the_solver_and_another_build_miss_the_cache() {
    use std::os::unix::fs::PermissionsExt;
    if !effigy_testing::requirements::has("z3") {
        return;
    }
    let room = Room::new("builds-cache");
    fs::write(room.path().join("twice.vpr"), VERIFIED).expect("a program");
    let wrapper = room.path().join("solver");
    let of_version = |version: &str| {
        let tells = if version.is_empty() { String::new() } else { format!("echo '{version}'; ") };
        let text = format!("#!/bin/sh\ncase \"$*\" in *--version) {tells}exit;; esac\nexec z3 \"$@\"\n");
        fs::write(&wrapper, text).expect("a script");
        fs::set_permissions(&wrapper, fs::Permissions::from_mode(0o755)).expect("it can be started");
        // It is not held any more when effigy starts it.
        run(&wrapper, room.path(), &["--version"]);
    };
    let smt = format!("{} -in", wrapper.display());
    of_version("Z3 version 4.8.12");
    assert_eq!(cached(&effigy(), room.path(), &smt), 0);
    assert_eq!(cached(&effigy(), room.path(), &smt), 1);
    of_version("Z3 version 4.8.13");
    assert_eq!(cached(&effigy(), room.path(), &smt), 0, "another version may decide otherwise");
    assert_eq!(cached(&effigy(), room.path(), &smt), 1);
    of_version("");
    assert_eq!(cached(&effigy(), room.path(), &smt), 0, "a solver without a version may be any");
    assert_eq!(cached(&effigy(), room.path(), &smt), 0);
    of_version("Z3 version 4.8.12");
    assert_eq!(cached(&effigy(), room.path(), &smt), 1);
    assert_eq!(cached(&changed_copy(room.path()), room.path(), &smt), 0, "another build may decide otherwise");
}

const COMMIT: &str = "0123456789abcdef0123456789abcdef01234567";

/// A file below a folder, with the folders on the way to it.
fn file(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
    fs::write(path, text).expect("a file");
}

#[test]
fn the_commit_is_read_wherever_git_keeps_it() {
    let room = Room::new("builds-commit");
    let git = room.path().join(".git");
    let other = "f".repeat(40);
    assert_eq!(build_script::checked_out(&git), None, "there is no repository");
    file(&git, "HEAD", "ref: refs/heads/a/branch\n");
    fs::create_dir_all(git.join("refs/heads")).expect("folders");
    assert_eq!(build_script::checked_out(&git), None, "there is no commit yet");
    file(
        &git,
        "packed-refs",
        &format!("# pack-refs with: peeled\n{other} refs/heads/branch\n{COMMIT} refs/heads/a/branch\n"),
    );
    assert_eq!(build_script::checked_out(&git).as_deref(), Some(COMMIT));
    file(&git, "refs/heads/a/branch", &format!("{other}\n"));
    assert_eq!(build_script::checked_out(&git), Some(other.clone()), "a file is newer than the packed names");

    // A worktree, whose head is detached at first.
    let worktree = room.path().join("worktree");
    file(&worktree, ".git", "gitdir: ../.git/worktrees/one\n");
    file(&git, "worktrees/one/HEAD", &format!("{COMMIT}\n"));
    assert_eq!(build_script::checked_out(&worktree.join(".git")).as_deref(), Some(COMMIT));
    file(&git, "worktrees/one/HEAD", "ref: refs/heads/a/branch\n");
    file(&git, "worktrees/one/commondir", "../..\n");
    assert_eq!(build_script::checked_out(&worktree.join(".git")), Some(other));
}

#[test]
fn a_published_package_knows_its_commit() {
    let room = Room::new("builds-published");
    assert_eq!(build_script::published(room.path()), None);
    file(room.path(), ".cargo_vcs_info.json", &format!("{{\n  \"git\": {{\n    \"sha1\": \"{COMMIT}\"\n  }}\n}}\n"));
    assert_eq!(build_script::published(room.path()).as_deref(), Some(COMMIT));
}

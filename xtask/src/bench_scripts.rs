//! Every script below `bench` answers `--help` without running anything, refuses a flag that it does not know, and says
//! what it lacks before it measures.
//!
//! Knows: files that begin with `#!`; a room with interpreters and nothing else, in which scripts are run. Never: what
//! they measure.

use crate::tests::{root, tracked_files};
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

/// What a script may call before it has read its arguments.
const INTERPRETERS: [&str; 6] = ["sh", "bash", "env", "dirname", "awk", "cat"];

/// Lines that the help of each script has, beside what it measures.
const SECTIONS: [&str; 3] = ["needs:", "takes:", "example:"];

/// Held while programs are written and run: a program that is open for writing, also in a process that another thread has
/// just forked, cannot be run.
static ALONE: Mutex<()> = Mutex::new(());

/// Tracked files below `bench` that begin with `#!`.
fn scripts() -> Vec<String> {
    let begins = |path: &str| fs::read(root().join(path)).is_ok_and(|it| it.starts_with(b"#!"));
    let res: Vec<String> = tracked_files().into_iter().filter(|it| it.starts_with("bench/") && begins(it)).collect();
    assert!(res.len() > 10, "the scripts are found: {res:?}");
    res
}

/// A folder in which a script finds an empty home, an empty working folder and interpreters, but no other program.
struct Room {
    folder: PathBuf,
}

/// What a run of a script did.
struct Outcome {
    status: ExitStatus,
    stdout: String,
    stderr: String,
    /// Files that it left, in the room or beside the script.
    left: Vec<PathBuf>,
}

impl Outcome {
    /// Whether the script ended with code 2 and a complaint, without doing anything.
    fn is_refusal(&self) -> bool {
        self.status.code() == Some(2) && self.stdout.is_empty() && !self.stderr.is_empty() && self.left.is_empty()
    }

    fn describe(&self) -> String {
        format!("{} {}{} left {:?}", self.status, self.stdout, self.stderr.trim(), self.left)
    }
}

impl Room {
    /// `bench` is the folder of the scripts.
    fn new(bench: &Path) -> Room {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("effigy-bench-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let folder = std::env::temp_dir().join(name);
        for it in ["bin", "home", "tmp", "work"] {
            fs::create_dir_all(folder.join(it)).expect("a room");
        }
        let path = std::env::var_os("PATH").expect("a path");
        for it in INTERPRETERS {
            let found = std::env::split_paths(&path).map(|path| path.join(it)).find(|it| it.is_file());
            symlink(found.unwrap_or_else(|| panic!("{it} is missing")), folder.join("bin").join(it)).expect("a link");
        }
        // The interpreter itself, not a shim; without packages that somebody installed.
        let python = Command::new("python3").args(["-c", "import sys; print(sys.executable)"]).output();
        let python = python.expect("python3 is missing: xtask/setup tests installs it");
        let python = String::from_utf8(python.stdout).expect("a path");
        let shim = folder.join("bin/python3");
        fs::write(&shim, format!("#!/bin/sh\nexec '{}' -S \"$@\"\n", python.trim())).expect("a file");
        fs::set_permissions(&shim, fs::Permissions::from_mode(0o755)).expect("a program");
        symlink(bench, folder.join("work/bench")).expect("a link");
        Room { folder }
    }

    /// Runs a line of shell. The shell and each process that it starts has a second of the processor's time.
    fn run(&self, line: &str) -> Outcome {
        let before = self.files();
        let command = format!("ulimit -t 1; {line}");
        let output = Command::new("/bin/sh")
            .args(["-c", &command])
            .current_dir(self.folder.join("work"))
            .env_clear()
            .env("PATH", self.folder.join("bin"))
            .env("HOME", self.folder.join("home"))
            .env("TMPDIR", self.folder.join("tmp"))
            .env("EFFIGY", self.folder.join("none/effigy"))
            .output()
            .expect("a shell");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let left = self.files().difference(&before).cloned().collect();
        Outcome { status: output.status, stdout: text(&output.stdout), stderr: text(&output.stderr), left }
    }

    /// All files of the room, through the link to the scripts as well.
    fn files(&self) -> BTreeSet<PathBuf> {
        let mut res = BTreeSet::new();
        let mut pending = vec![self.folder.clone()];
        while let Some(folder) = pending.pop() {
            for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
                if entry.path().is_dir() {
                    pending.push(entry.path());
                }
                res.insert(entry.path());
            }
        }
        res
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// What is wrong with a script's answers.
fn complaints(room: &Room, script: &str) -> Vec<String> {
    let help = room.run(&format!("{script} --help"));
    let mut res = complaints_about_help(&help);
    let short = room.run(&format!("{script} -h"));
    if short.stdout != help.stdout || short.status != help.status {
        res.push(format!("-h: another answer than that to --help: {}", short.describe()));
    }
    let Some(example) = example_of(&help.stdout).filter(|it| it.contains(script)) else {
        res.push("the example does not call the script".to_owned());
        return res;
    };
    let refused = room.run(&format!("{script} --no-such-flag"));
    if !refused.is_refusal() {
        res.push(format!("--no-such-flag: {}", refused.describe()));
    }
    // Beside arguments that are right, so that it is the flag that is refused.
    let flagged = example.replacen(script, &format!("{script} --no-such-flag"), 1);
    let refused = room.run(&flagged);
    if !refused.is_refusal() || !refused.stderr.contains("--no-such-flag") {
        res.push(format!("`{flagged}`: {}", refused.describe()));
    }
    let it = room.run(example);
    let needs_nothing = help.stdout.lines().any(|it| it.split_whitespace().eq(["needs:", "nothing"]));
    let says_what = it.stderr.lines().any(|line| line.contains(" is missing: "));
    let is_right = if needs_nothing { it.status.success() && it.left.is_empty() } else { it.is_refusal() && says_what };
    if !is_right {
        res.push(format!("`{example}`, where nothing is installed: {}", it.describe()));
    }
    res
}

fn complaints_about_help(help: &Outcome) -> Vec<String> {
    let mut res = Vec::new();
    if !help.status.success() || !help.stderr.is_empty() || !help.left.is_empty() {
        res.push(format!("--help: {}", help.describe()));
    }
    for section in SECTIONS {
        if !help.stdout.lines().any(|line| line.trim_start().starts_with(section)) {
            res.push(format!("--help: no line `{section}`"));
        }
    }
    res
}

/// The command after `example:` in a help text.
fn example_of(help: &str) -> Option<&str> {
    help.lines().find_map(|it| it.trim_start().strip_prefix("example:")).map(str::trim)
}

#[test]
fn every_script_answers_help_refuses_flags_and_names_what_is_missing() {
    let scripts = scripts();
    let threads = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
    let check = |room: &Room, scripts: &[String]| {
        let of =
            |script: &String| complaints(room, script).iter().map(|it| format!("{script}: {it}")).collect::<Vec<_>>();
        scripts.iter().flat_map(of).collect::<Vec<String>>()
    };
    let _alone = ALONE.lock();
    let parts = scripts.chunks(scripts.len().div_ceil(threads));
    let rooms: Vec<(Room, &[String])> = parts.map(|part| (Room::new(&root().join("bench")), part)).collect();
    let found: Vec<String> = std::thread::scope(|scope| {
        let started: Vec<_> = rooms.iter().map(|(room, part)| scope.spawn(move || check(room, part))).collect();
        started.into_iter().flat_map(|it| it.join().expect("no panic")).collect()
    });
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// A file without `#!` that could be run is a script that the other tests do not see.
#[test]
fn what_can_be_run_begins_as_a_script() {
    let tracked: Vec<String> = tracked_files().into_iter().filter(|it| it.starts_with("bench/")).collect();
    let scripts = scripts();
    let texts: Vec<String> = tracked.iter().filter_map(|it| fs::read_to_string(root().join(it)).ok()).collect();
    for path in &tracked {
        let Ok(metadata) = fs::metadata(root().join(path)) else { continue };
        let can_be_run = metadata.permissions().mode() & 0o111 != 0;
        assert_eq!(can_be_run, scripts.contains(path), "{path}: a file is executable if it begins with #!");
        assert!(can_be_run || !is_lone_program(path, &texts), "{path} is imported by nothing: make it a script");
    }
}

/// Whether a file of Python or shell is used by none of `texts`.
fn is_lone_program(path: &str, texts: &[String]) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    match name.rsplit_once('.') {
        Some((stem, "py")) => {
            let imports = [format!("import {stem}"), format!("from {stem} import ")];
            !texts
                .iter()
                .flat_map(|it| it.lines())
                .any(|line| imports.iter().any(|it| line.trim().starts_with(it.as_str())))
        }
        Some((_, "sh")) => !texts.iter().any(|it| it.contains(&format!("/{name}\""))),
        _ => false,
    }
}

#[test]
fn faults_of_planted_scripts_are_found() {
    const GOOD: &str = "case ${1-} in -h|--help) printf 'It.\\nneeds:  a\\ntakes:  b\\nexample:  bench/IT 1\\n'; exit 0;; \
        -*) echo \"unknown $1\" >&2; exit 2;; esac\necho 'a is missing: get it' >&2\nexit 2\n";
    let _alone = ALONE.lock();
    let bench = std::env::temp_dir().join(format!("effigy-planted-{}", std::process::id()));
    fs::create_dir_all(&bench).expect("a folder");
    let room = Room::new(&bench);
    let plant = |name: &str, text: String| {
        let path = bench.join(name);
        fs::write(&path, format!("#!/bin/sh\n{}", text.replace("IT", name))).expect("a script");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("a program");
        complaints(&room, &format!("bench/{name}"))
    };
    assert_eq!(plant("good", GOOD.to_owned()), Vec::<String>::new());
    // The name, the text, and the beginning of the first complaint.
    let faulty = [
        ("writes", format!(": >\"$HOME/left-by$1\"\n{GOOD}"), "--help: exit status: 0"),
        ("beside", format!(": >\"$0$1.pyc\"\n{GOOD}"), "--help: exit status: 0"),
        ("silent", GOOD.replace("needs:", "wants:"), "--help: no line `needs:`"),
        ("busy", "while :; do :; done\n".to_owned(), "--help: "),
        ("failing", GOOD.replace("exit 0", "exit 1"), "--help: exit status: 1"),
        ("lengthy", GOOD.replace("-h|", ""), "-h: another answer"),
        ("another", GOOD.replace("bench/IT", "bench/else"), "the example does not call"),
        ("accepts", GOOD.replace("-*)", "-x)").replace("exit 2\n", "exit 0\n"), "--no-such-flag: exit status: 0"),
        ("ignores", GOOD.replace("-*)", "-x)"), "`bench/ignores --no-such-flag 1`"),
        ("measures", GOOD.replace("echo 'a is", "echo 'program seconds'; echo 'a is"), "`bench/measures 1`, where"),
        ("falls", GOOD.replace("is missing: get it", "not found"), "`bench/falls 1`, where"),
    ];
    for (name, text, first) in faulty {
        let found = plant(name, text);
        assert!(found.first().is_some_and(|it| it.starts_with(first)), "{name}: {found:?}");
    }
    drop(room);
    fs::remove_dir_all(&bench).expect("the folder");

    let texts = ["import chart\n".to_owned(), ". \"$here/common/script.sh\"\n".to_owned()];
    assert!(!is_lone_program("bench/a.d/chart.py", &texts) && !is_lone_program("bench/common/script.sh", &texts));
    assert!(is_lone_program("bench/a.d/run_it.py", &texts) && is_lone_program("bench/other.sh", &texts));
}

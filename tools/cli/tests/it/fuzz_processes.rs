//! No process outlives `effigy`, however it ends.
//!
//! Knows: which processes are of a campaign, by the folder that they are told of. Waiting has a limit that is never
//! reached unless a process stays.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// No process takes so long to end, or to start.
const LIMIT: Duration = Duration::from_secs(120);

/// A folder of a test's own, with a file in it.
fn room(name: &str, file: &str, text: &str) -> PathBuf {
    let room = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&room);
    std::fs::create_dir_all(&room).unwrap();
    std::fs::write(room.join(file), text).unwrap();
    room
}

/// Processes whose environment has this text.
fn processes_with(text: &str) -> Vec<String> {
    let has = |it: &PathBuf| {
        let environment = std::fs::read(it.join("environ")).unwrap_or_default();
        String::from_utf8_lossy(&environment).contains(text)
    };
    let all = std::fs::read_dir("/proc").unwrap().flatten().map(|it| it.path());
    all.filter(has).map(|it| it.display().to_string()).collect()
}

fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let end = Instant::now() + LIMIT;
    while !holds() {
        assert!(Instant::now() < end, "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Sends a signal to one process.
fn signal(name: &str, to: &Child) {
    assert!(Command::new("kill").arg(name).arg(to.id().to_string()).status().unwrap().success());
}

/// A target whose runs leave children behind that never end.
const LEAVES_CHILDREN: &str = "#include <stdlib.h>\n#include <unistd.h>\n#include <stddef.h>\n\
    int LLVMFuzzerTestOneInput(const unsigned char *d, size_t n) {\n\
    if (n > 3 && fork() == 0) { if (fork() == 0) setsid(); for (;;) sleep(1000); }\n return n > 4 && d[0] == 'x'; }\n";

#[test]
fn a_campaign_that_is_ended_by_a_signal_leaves_no_process() {
    for name in ["-KILL", "-TERM", "-INT"] {
        let room = room(&format!("fuzz-ended{name}"), "target.c", LEAVES_CHILDREN);
        let mut campaign = Command::new(env!("CARGO_BIN_EXE_effigy"));
        campaign.current_dir(&room).args([
            "fuzz",
            "target.c",
            "--no-symbolic",
            "--max-time",
            "none",
            "--output",
            "out",
        ]);
        campaign.stdout(Stdio::null()).stderr(Stdio::null());
        let mark = format!("EFFIGY_TEST_MARK=fuzz-ended{name}-{}", std::process::id());
        let (key, value) = mark.split_once('=').unwrap();
        let mut campaign = campaign.env(key, value).spawn().unwrap();
        wait_until("it runs, and has found something", || {
            std::fs::read_dir(room.join("out/queue")).is_ok_and(|mut it| it.next().is_some())
        });
        signal(name, &campaign);
        let status = campaign.wait().unwrap();
        assert_eq!(status.code().is_some(), name != "-KILL", "{name}: {status}");
        wait_until("a process stays", || processes_with(&mark).is_empty());
    }
}

#[test]
fn a_compiler_ends_with_whoever_waits_for_it() {
    let room = room("fuzz-compiler", "target.c", LEAVES_CHILDREN);
    let compiler = room.join("clang.sh");
    std::fs::write(&compiler, "#!/bin/sh\necho > started\nexec sleep 1000\n").unwrap();
    assert!(Command::new("chmod").arg("+x").arg(&compiler).status().unwrap().success());
    let mark = format!("EFFIGY_TEST_MARK=fuzz-compiler-{}", std::process::id());
    let (key, value) = mark.split_once('=').unwrap();
    let mut campaign = Command::new(env!("CARGO_BIN_EXE_effigy"))
        .current_dir(&room)
        .args(["fuzz", "target.c"])
        .env("EFFIGY_CLANG", &compiler)
        .env(key, value)
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    wait_until("the compiler starts", || room.join("started").exists());
    campaign.kill().unwrap();
    campaign.wait().unwrap();
    wait_until("the compiler stays", || processes_with(&mark).is_empty());
}

/// A command under a limit of addresses that AddressSanitizer cannot live with.
fn limited(room: &Path, words: &str) -> (Option<i32>, String) {
    let script = format!("ulimit -v 6000000; exec \"$0\" {words}");
    let output = Command::new("/bin/sh").args(["-c", &script, env!("CARGO_BIN_EXE_effigy")]).current_dir(room).output();
    let output = output.unwrap();
    (output.status.code(), String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned())
}

#[test]
fn a_sanitizer_that_cannot_start_is_no_bug_and_no_difference() {
    let text = "#include <effigy.h>\nint main(void) { return effigy_int(\"x\") == 7; }\n";
    let room = room("fuzz-limited", "program.c", text);
    let run =
        Command::new(env!("CARGO_BIN_EXE_effigy")).args(["run", "program.c"]).current_dir(&room).output().unwrap();
    assert_eq!(run.status.code(), Some(0));
    for words in ["fuzz program.c --max-runs 10", "replay", "replay --isolate"] {
        let (code, said) = limited(&room, words);
        assert_eq!(code, Some(2), "{words}: {said}");
        assert!(said.contains("under AddressSanitizer cannot start") && said.contains("ulimit -v"), "{words}: {said}");
    }
}

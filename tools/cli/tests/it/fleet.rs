//! `effigy fuzz --fleet`: workers that are processes, a server that is one, both killed.
//!
//! Knows: folders and `--json`. Time decides only when somebody is killed, never what must be there.

use crate::common::server::Server;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

fn effigy(target: &str, url: &str, output: &Path, time: &str) -> Command {
    let target = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/fuzz").join(target);
    let mut command = Command::new(env!("CARGO_BIN_EXE_effigy"));
    command.arg("fuzz").arg(target).args(["--json", "--max-time", time, "--fleet", url]).arg("--output").arg(output);
    command
}

fn told(command: &mut Command) -> serde_json::Value {
    let output = command.output().unwrap();
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)))
}

fn inputs(output: &Path) -> BTreeSet<Vec<u8>> {
    let Ok(entries) = std::fs::read_dir(output.join("queue")) else { return BTreeSet::new() };
    entries.flatten().map(|it| std::fs::read(it.path()).unwrap()).collect()
}

/// The account of the first campaign that satisfies `holds`; each is longer than the one before. A busy machine may
/// take long to start a campaign, so that a short one ends before its worker has read what the others found. `output`
/// is the folder of a campaign of a length: one that is to hear of others' inputs must not have found them before.
fn campaign_until(
    (target, url): (&str, &str),
    output: impl Fn(&str) -> PathBuf,
    holds: impl Fn(&serde_json::Value) -> bool,
) -> serde_json::Value {
    let mut account = serde_json::Value::Null;
    for time in ["1s", "5s", "20s", "80s"] {
        account = told(&mut effigy(target, url, &output(time), time));
        if holds(&account) {
            return account;
        }
    }
    panic!("no campaign has what is expected: {account}")
}

/// A worker that is killed when it has found so much and sent some of it: its files are written first, so that a
/// worker that is killed at once has sent nothing.
fn killed(server: &Server, output: &Path, queue: usize) {
    let mut process =
        effigy("chunks.c", &server.url(), output, "120s").stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let is_enough = || {
        let inputs = inputs(output);
        let magic = inputs.iter().find(|it| it.starts_with(b"\x89EFF\r\n\x1a\n"));
        inputs.len() >= queue && magic.is_some_and(|it| server.was_sent(it))
    };
    let found = (0..6000).any(|_| {
        std::thread::sleep(Duration::from_millis(10));
        is_enough()
    });
    process.kill().unwrap();
    process.wait().unwrap();
    assert!(found, "{} inputs", inputs(output).len());
}

#[test]
fn nothing_that_was_found_is_lost_by_kills() {
    let Some(mut server) = Server::start("fleet") else { return };
    let room = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fleet");
    let _ = std::fs::remove_dir_all(&room);
    let one = room.join("one");
    killed(&server, &one, 8);
    let first = inputs(&one);
    // Another one has what the first has found, and goes on from there.
    let heard = |account: &serde_json::Value| account["fleet"]["heard"].as_u64() > Some(0);
    let second = campaign_until(("chunks.c", &server.url()), |time| room.join(format!("other-{time}")), heard);
    let covered = second["fleet"]["covered"].as_u64().unwrap();
    assert!(covered > 0, "{second}");
    // The server and then the first one again, in its folder.
    server.dies_and_comes_again();
    let again = campaign_until(
        ("chunks.c", &server.url()),
        |_| one.clone(),
        |account| account["fleet"]["covered"].as_u64() >= Some(covered) && account["fleet"]["untold"] == 0,
    );
    assert!(first.is_subset(&inputs(&one)));
    // A third one has all that is covered without a folder of its own.
    campaign_until(
        ("chunks.c", &server.url()),
        |time| room.join(format!("third-{time}")),
        |third| heard(third) && third["edges"]["covered"].as_u64() >= again["edges"]["covered"].as_u64(),
    );
}

#[test]
fn a_bug_is_heard_of_and_another_build_refused() {
    let Some(server) = Server::start("heard") else { return };
    let room = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fleet-heard");
    let _ = std::fs::remove_dir_all(&room);
    let mut finder = effigy("checksum.c", &server.url(), &room.join("finder"), "120s");
    let found = told(finder.args(["--stop-at-first-bug", "--campaign", "named"]));
    // Loops that run side by side may find a second one before they hear that they are to stop.
    let stacks: Vec<&serde_json::Value> =
        found["bugs"].as_array().into_iter().flatten().map(|it| &it["stack"]).collect();
    assert!(!stacks.is_empty(), "{found}");
    // Without a run of its own: it is confirmed here, and in this folder, too.
    let mut hears = effigy("checksum.c", &server.url(), &room.join("hears"), "120s");
    let heard = told(hears.args(["--stop-at-first-bug", "--campaign", "named", "--no-symbolic"]));
    assert!(stacks.contains(&&heard["bugs"][0]["stack"]), "{heard} {found}");
    let mut refused = effigy("lengths.c", &server.url(), &room.join("refused"), "5s");
    let refused = refused.args(["--campaign", "named"]).output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
    let text = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(text.contains("another build"), "{text}");
    for url in ["redis://127.0.0.1:1", "http://x", "redis+unix:///nowhere,redis+unix:///nowhere"] {
        let refused = effigy("lengths.c", url, &room.join("refused"), "5s").output().unwrap();
        assert_eq!(refused.status.code(), Some(2), "{url}");
    }
}

#[test]
fn several_loops_find_what_one_finds() {
    let room = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fleet-jobs");
    let _ = std::fs::remove_dir_all(&room);
    let target = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/fuzz/password.c");
    let mut command = Command::new(env!("CARGO_BIN_EXE_effigy"));
    command.arg("fuzz").arg(target).args(["--json", "--max-time", "120s", "--jobs", "3", "--stop-at-first-bug"]);
    let account = told(command.arg("--output").arg(&room));
    assert_eq!(account["bugs"].as_array().map(Vec::len), Some(1), "{account}");
    assert_eq!((&account["jobs"], &account["fleet"]), (&serde_json::json!(3), &serde_json::Value::Null));
    // Each input once, whichever loop has found it first.
    let files = std::fs::read_dir(room.join("queue")).unwrap().count();
    assert_eq!((files, inputs(&room).len()), (account["queue"].as_u64().unwrap() as usize, files));
}

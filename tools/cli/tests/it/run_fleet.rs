//! `effigy run --fleet`: processes share one walk, and are killed in it; what they say together is what one says alone.
//!
//! Knows: folders and `--json`. Time decides only who walks what, never what must be there.

use crate::common::server::Server;
use effigy_fleet::{Address, Build, Find, Fleet, Item, MOST_BITS, RedisFleet, Report};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

fn room(name: &str) -> PathBuf {
    let room = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("run-fleet-{name}"));
    let _ = std::fs::remove_dir_all(&room);
    std::fs::create_dir_all(&room).unwrap();
    room
}

/// A program with 2^10 paths, of which some end in a bug and one in something that is not executed.
fn program(room: &Path) -> PathBuf {
    let file = room.join("flags.c");
    let text = "#include <effigy.h>\n#include <stdlib.h>\n\
        int main(void) {\n\
          int sum = 0;\n\
          for (int i = 0; i < 10; i++) if (effigy_int(\"x\") > 7) sum += 1 << i;\n\
          if (sum == 513) abort();\n\
          int a[1000] = {0};\n\
          return a[sum] + sum % 3;\n\
        }\n";
    std::fs::write(&file, text).unwrap();
    file
}

fn run(program: &Path, out: &Path, more: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_effigy"));
    command.arg("run").arg(program).args(["--json", "--out"]).arg(out).args(more);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn told(child: Child) -> Value {
    let output = child.wait_with_output().unwrap();
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)))
}

/// A campaign that is there, as anybody may join it: its build is told to whoever asks with another one.
fn campaign(url: &str, name: &str) -> Option<RedisFleet> {
    let mut asked = redis::Client::open(url).unwrap().get_connection().unwrap();
    let key = format!("effigy:{{{name}}}:meta");
    if !redis::cmd("EXISTS").arg(key).query::<bool>(&mut asked).unwrap() {
        return None;
    }
    let address = Address::new(url, name).unwrap();
    let error = RedisFleet::join(address.clone(), Build { hash: "another".to_owned(), bits: MOST_BITS }).err()?;
    let hash = error.to_string().rsplit(' ').next()?.to_owned();
    RedisFleet::join(address, Build { hash, bits: MOST_BITS }).ok()
}

/// What does not depend on who has walked what: paths by how they ended, their bugs, the coverage.
fn account(told: &Value) -> Value {
    let bugs: Vec<Value> = told["bugs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| serde_json::json!([it["kind"], it["place"], it["paths"], it["path_condition"]]))
        .collect();
    serde_json::json!([told["paths"], bugs, told["coverage"], told["complete"], told["incomplete"], told["tests"]])
}

/// The tests of a folder, but for their numbers and the inputs that happen to show the path.
fn tests(out: &Path) -> BTreeSet<String> {
    let files = std::fs::read_dir(out.join("tests")).unwrap();
    let decisions = |path: PathBuf| {
        let test: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
        format!("{} {}", test["decisions"], test["expect"])
    };
    files.map(|it| decisions(it.unwrap().path())).collect()
}

#[test]
fn workers_that_are_killed_leave_one_account_and_it_is_that_of_one_alone() {
    let Some(server) = Server::start("run") else { return };
    let room = room("killed");
    let program = program(&room);
    let alone = told(run(&program, &room.join("alone"), &["--jobs", "1"]).spawn().unwrap());
    assert_eq!(alone["paths"]["completed"].as_u64(), Some(999), "{alone}");
    let url = server.url();
    let fleet = ["--fleet", &url, "--campaign", "killed", "--jobs", "1"];
    let mut first = run(&program, &room.join("first"), &fleet).spawn().unwrap();
    // Killed with an item in its hands.
    let holds = (0..5000).any(|_| {
        std::thread::sleep(Duration::from_millis(2));
        campaign(&url, "killed").is_some_and(|mut it| it.status().unwrap().leased > 0)
    });
    first.kill().unwrap();
    first.wait().unwrap();
    assert!(holds && campaign(&url, "killed").unwrap().status().unwrap().leased == 1);
    let second = run(&program, &room.join("second"), &fleet).spawn().unwrap();
    let third = run(&program, &room.join("third"), &[&fleet[..4], &["--jobs", "2"]].concat()).spawn().unwrap();
    let (second, third) = (told(second), told(third));
    for (it, name) in [(&second, "second"), (&third, "third")] {
        assert_eq!(account(it), account(&alone), "{name}");
        assert_eq!(tests(&room.join(name)), tests(&room.join("alone")), "{name}");
    }
    // Whoever comes later has the account without a walk of its own.
    let later = told(run(&program, &room.join("later"), &fleet).spawn().unwrap());
    assert_eq!(account(&later), account(&alone));
    assert!(campaign(&url, "killed").unwrap().status().unwrap().expired > 0);
}

#[test]
fn a_session_that_is_cut_short_says_so_and_the_next_one_goes_on() {
    let Some(server) = Server::start("cut") else { return };
    let room = room("cut");
    let program = program(&room);
    let url = server.url();
    let cut =
        told(run(&program, &room.join("cut"), &["--fleet", &url, "--jobs", "1", "--max-paths", "20"]).spawn().unwrap());
    assert_eq!(cut["complete"], false);
    assert_eq!(cut["stopped"], "limit of paths");
    let whole = told(run(&program, &room.join("whole"), &["--fleet", &url, "--jobs", "1"]).spawn().unwrap());
    let alone = told(run(&program, &room.join("alone"), &["--jobs", "1"]).spawn().unwrap());
    assert_eq!(account(&whole), account(&alone));
}

#[test]
fn another_program_and_other_flags_are_another_campaign() {
    let Some(server) = Server::start("other") else { return };
    let room = room("other");
    let program = program(&room);
    let url = server.url();
    let named = ["--fleet", &url, "--campaign", "named", "--max-paths", "1"];
    told(run(&program, &room.join("one"), &named).spawn().unwrap());
    let refused = run(&program, &room.join("two"), &[&named[..], &["--no-check", "abort"]].concat()).output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
    let text = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(text.contains("another build"), "{text}");
}

#[test]
fn what_somebody_else_wrote_there_is_no_path_and_nobody_claims_all() {
    let Some(server) = Server::start("hostile") else { return };
    let room = room("hostile");
    let program = program(&room);
    let url = server.url();
    let more = ["--fleet", &url, "--campaign", "hostile", "--jobs", "1"];
    let first = told(run(&program, &room.join("first"), &[&more[..], &["--max-paths", "3"]].concat()).spawn().unwrap());
    assert_eq!(first["complete"], false);
    let mut fleet = campaign(&url, "hostile").unwrap();
    let item =
        |text: &str| Item { input: text.as_bytes().to_vec(), note: Vec::new(), score: u32::MAX, bits: Vec::new() };
    let find = |key: &str, text: &str| Find { key: key.as_bytes().to_vec(), input: text.as_bytes().to_vec() };
    let report = Report {
        // A path that this program does not have.
        items: vec![item("[[\"7.7.7\",3]]"), item("[[\"(99)(99)\",1]]")],
        bits: Vec::new(),
        finds: vec![find("nonsense", "nonsense"), find(&format!("{}.0.1", "0".repeat(32)), "{\"gone\":0}\n")],
    };
    fleet.push(&report).unwrap();
    let whole = told(run(&program, &room.join("whole"), &more).spawn().unwrap());
    assert_eq!(whole["complete"], false, "{whole}");
    assert_eq!(whole["paths"]["completed"].as_u64(), Some(999), "{whole}");
    assert!(whole["paths"]["undecided"].as_u64() >= Some(1), "{whole}");
}

/// A command that damages what stands under a name of the server.
type Damage = fn(&str) -> redis::Cmd;

#[test]
fn a_list_of_news_that_was_damaged_is_told_and_never_a_verdict() {
    let Some(server) = Server::start("news") else { return };
    let room = room("news");
    let program = program(&room);
    let url = server.url();
    let mut own = redis::Client::open(url.as_str()).unwrap().get_connection().unwrap();
    let damages: [(&str, Damage); 4] = [
        ("first", |key| redis::Cmd::lset(key, 0, "garbage")),
        ("last", |key| redis::Cmd::lset(key, -1, "garbage")),
        ("removed", |key| redis::Cmd::del(key)),
        ("cut", |key| redis::Cmd::ltrim(key, 0, 0)),
    ];
    for (name, damage) in damages {
        let more = ["--fleet", &url, "--campaign", name, "--jobs", "1"];
        let whole = told(run(&program, &room.join(name), &more).spawn().unwrap());
        assert_eq!(whole["complete"], true, "{whole}");
        let news: u64 = redis::cmd("LLEN").arg(format!("effigy:{{{name}}}:news")).query(&mut own).unwrap();
        damage(&format!("effigy:{{{name}}}:news")).exec(&mut own).unwrap();
        let output = run(&program, &room.join("after"), &more).output().unwrap();
        let after: Value = serde_json::from_slice(&output.stdout).unwrap();
        if name == "cut" && news < 2 {
            continue;
        }
        assert_eq!(
            (after["complete"].as_bool(), after["vacuous"].as_bool().unwrap_or(false)),
            (Some(false), false),
            "{after}"
        );
        let told = after["incomplete"].to_string();
        assert!(told.contains("is damaged, or was removed"), "{name}: {told}");
        // A bug that was heard of is one all the same.
        assert!(matches!(output.status.code(), Some(1 | 3)), "{name}: {:?}", output.status);
    }
}

#[test]
fn a_server_that_restarts_ends_no_worker() {
    let Some(mut server) = Server::start("restart") else { return };
    let room = room("restart");
    let program = program(&room);
    let url = server.url();
    let alone = told(run(&program, &room.join("alone"), &["--jobs", "1"]).spawn().unwrap());
    let mut restarts = 0;
    for round in 0..4 {
        let campaign = format!("restart{round}");
        let more = ["--fleet", &url, "--campaign", &campaign, "--jobs", "2"];
        let worker = run(&program, &room.join("worker"), &more).spawn().unwrap();
        // What it says is read while it runs.
        let worker = std::thread::spawn(move || told(worker));
        // Each time at another point of the walk, for as long as there is one.
        while !worker.is_finished() {
            std::thread::sleep(Duration::from_millis(150 + 90 * round));
            server.dies_and_comes_again();
            restarts += 1;
            std::thread::sleep(Duration::from_millis(700));
        }
        let whole = worker.join().unwrap();
        assert_eq!(account(&whole), account(&alone), "round {round}");
    }
    assert!(restarts >= 4);
}

#[test]
fn a_server_that_is_none_is_an_error_of_each_command() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("redis://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        use std::io::{Read, Write};
        for mut stream in listener.incoming().flatten() {
            let _ = stream.read(&mut [0; 4096]);
            let _ = stream.write_all(b"-ERR \x1b[31mnothing\x07 here\r\n");
        }
    });
    let room = room("none");
    let program = program(&room);
    for command in ["run", "bmc"] {
        let mut it = Command::new(env!("CARGO_BIN_EXE_effigy"));
        it.arg(command).arg(&program).args(["--fleet", &url, "--out"]).arg(room.join(command));
        let output = it.output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{command}: {text}");
        assert!(text.contains("refuses") && text.contains("nothing"), "{command}: {text}");
        assert!(!text.contains('\u{1b}') && !text.contains("panicked"), "{command}: {text}");
    }
}

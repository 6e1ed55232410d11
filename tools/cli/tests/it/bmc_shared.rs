//! `effigy bmc --jobs` and `--fleet`: several share the questions of a check, and one is killed; what each says is what
//! one says alone.
//!
//! Knows: `--json`. Time decides only who asks what.

use crate::common::server::Server;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// A folder with a program of which each check is a question that takes a while: 32-bit products and quotients.
fn program(name: &str) -> PathBuf {
    let room = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("bmc-shared-{name}"));
    let _ = std::fs::remove_dir_all(&room);
    std::fs::create_dir_all(&room).unwrap();
    let mut text = "#include <assert.h>\n#include <effigy.h>\nint main(void) {\n".to_owned();
    for at in 0..6 {
        let bits = 5 + at % 3;
        text.push_str(&format!(
            "  {{ unsigned a = effigy_uint(\"a{at}\") % {modulus}u, b = effigy_uint(\"b{at}\") % {modulus}u;\n\
             \x20   assert((a + b) * (a + b) == a * a + 2 * a * b + b * b);\n\
             \x20   assert((a + {at}) * b != {bug}u || a < 3); }}\n",
            modulus = (1_u32 << bits) - 3,
            bug = 7 * 11 * 13 + at,
        ));
    }
    text.push_str("  return 0;\n}\n");
    let file = room.join("products.c");
    std::fs::write(&file, text).unwrap();
    file
}

/// A check with a folder of its own for its tests: several are at work at once.
fn bmc(program: &Path, more: &[&str]) -> Command {
    static CHECKS: AtomicUsize = AtomicUsize::new(0);
    let out = program.with_extension(format!("out{}", CHECKS.fetch_add(1, Ordering::Relaxed)));
    let mut command = Command::new(env!("CARGO_BIN_EXE_effigy"));
    command.arg("bmc").arg(program).args(["--json", "--out"]).arg(out).args(more);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn told(child: Child) -> Value {
    let output = child.wait_with_output().unwrap();
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)))
}

/// What does not depend on who has asked.
fn account(told: &Value) -> Value {
    let properties = told["properties"].as_array().unwrap();
    let said: Vec<Value> =
        properties.iter().map(|it| serde_json::json!([it["kind"], it["line"], it["verdict"]])).collect();
    serde_json::json!([told["verdict"], said, told["missed"]])
}

#[test]
fn two_workers_of_one_process_say_what_one_says() {
    let program = program("jobs");
    let alone = told(bmc(&program, &[]).spawn().unwrap());
    let shared = told(bmc(&program, &["--jobs", "2"]).spawn().unwrap());
    assert_eq!(account(&shared), account(&alone));
    assert_eq!(alone["heard"], 0);
}

#[test]
fn a_worker_that_is_killed_leaves_the_others_the_whole_check() {
    let Some(server) = Server::start("bmc") else { return };
    let program = program("fleet");
    let alone = told(bmc(&program, &[]).spawn().unwrap());
    let url = server.url();
    let fleet = ["--fleet", &url, "--campaign", "products"];
    let mut first = bmc(&program, &fleet).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(150));
    first.kill().unwrap();
    first.wait().unwrap();
    let (second, third) = (bmc(&program, &fleet).spawn().unwrap(), bmc(&program, &fleet).spawn().unwrap());
    for it in [told(second), told(third)] {
        assert_eq!(account(&it), account(&alone));
    }
    // Whoever comes later has all answers.
    let later = told(bmc(&program, &fleet).spawn().unwrap());
    assert_eq!(account(&later), account(&alone));
    assert!(later["heard"].as_u64().unwrap() > 0, "{later}");
}

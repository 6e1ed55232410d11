//! `effigy fuzz` as a process: killed at any moment, it goes on where it was.
//!
//! Knows: its folder. Time decides only when it is killed, never what must be there.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

fn corpus(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/fuzz").join(name)
}

fn effigy(target: &str, output: &Path, time: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_effigy"));
    command.arg("fuzz").arg(corpus(target)).arg("--output").arg(output).args(["--json", "--max-time", time]);
    command.stderr(Stdio::null());
    command
}

fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let Ok(entries) = std::fs::read_dir(folder) else { return BTreeMap::new() };
    entries
        .flatten()
        .map(|it| (it.file_name().to_string_lossy().into_owned(), std::fs::read(it.path()).unwrap()))
        .collect()
}

#[test]
fn nothing_is_lost_by_a_kill() {
    let room = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fuzz-killed");
    let _ = std::fs::remove_dir_all(&room);
    let mut before = BTreeMap::new();
    for _ in 0..3 {
        let mut process = effigy("chunks.c", &room, "600s").stdout(Stdio::null()).spawn().unwrap();
        // Until it has found something more; it may be killed in the middle of writing that.
        for _ in 0..6000 {
            std::thread::sleep(Duration::from_millis(10));
            if files(&room.join("queue")).len() > before.len() {
                break;
            }
        }
        process.kill().unwrap();
        process.wait().unwrap();
        let after = files(&room.join("queue"));
        assert!(after.len() > before.len());
        for (name, bytes) in &before {
            assert_eq!(after.get(name), Some(bytes), "{name}");
        }
        before = after;
    }
    // The last one comes to its end, and begins with all of them. Whether it finds the bug is a matter of luck.
    let output = effigy("chunks.c", &room, "3s").output().unwrap();
    let told: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(told["queue"].as_u64() >= Some(before.len() as u64), "{told}");
    let after = files(&room.join("queue"));
    assert!(before.iter().all(|(name, bytes)| after.get(name) == Some(bytes)));
    // No two files are the same input.
    let mut inputs: Vec<_> = after.values().collect();
    inputs.sort();
    inputs.dedup();
    assert_eq!(inputs.len(), after.len());
}

#[test]
fn the_guarded_bugs_are_found_and_replayed() {
    for target in ["checksum.c", "lengths.c", "password.c", "chunks.c"] {
        let room = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("fuzz-{target}"));
        let _ = std::fs::remove_dir_all(&room);
        let output = effigy(target, &room, "600s").arg("--stop-at-first-bug").output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{target}: {}", String::from_utf8_lossy(&output.stdout));
        let replay = Command::new(env!("CARGO_BIN_EXE_effigy")).arg("replay").arg(&room).output().unwrap();
        let told = String::from_utf8_lossy(&replay.stdout).into_owned();
        assert_eq!(told, "1 test replayed: 1 as predicted, 0 differ\n", "{target}");
        let page = std::fs::read_to_string(room.join("report.html")).unwrap();
        assert!(page.contains("<polyline") && page.contains("<h3>abort</h3>"));
    }
}

/// Two sums and an exclusive or of two words hold at the same time: no change of one operand leads there.
const NEEDS_A_SOLVER: &str = "if (a * 7u + b == 0x11223344u) if ((a ^ b) == 0x55aa1234u) abort();";

#[test]
fn what_is_asked_for_in_parts_and_what_is_long_is_run_on_symbols() {
    let room = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fuzz-parts");
    let _ = std::fs::remove_dir_all(&room);
    std::fs::create_dir_all(&room).unwrap();
    std::fs::write(room.join("seed"), [b'x'; 1500]).unwrap();
    let entry = format!(
        "#include <stdlib.h>\nvoid check(unsigned a, const unsigned *p) {{ unsigned b = *p; {NEEDS_A_SOLVER} }}"
    );
    let marks = format!(
        "#include <klee/klee.h>\n#include <stdlib.h>\n\
         int main(void) {{ unsigned a = klee_int(\"x\"), b = klee_int(\"x\"); {NEEDS_A_SOLVER} return 0; }}"
    );
    let long = format!(
        "#include <stdlib.h>\n#include <string.h>\n\
         int LLVMFuzzerTestOneInput(const unsigned char *d, size_t n) {{ unsigned a, b; if (n < 1000) return 0; \
         memcpy(&a, d + 900, 4); memcpy(&b, d + 950, 4); {NEEDS_A_SOLVER} return 0; }}"
    );
    for (name, text, flags) in
        [("entry", entry, &["--entry", "check"][..]), ("marks", marks, &[]), ("long", long, &["--seeds", "seed"])]
    {
        std::fs::write(room.join(format!("{name}.c")), text).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_effigy"));
        command.current_dir(&room).arg("fuzz").arg(format!("{name}.c")).args(flags);
        command.args(["--json", "--stop-at-first-bug", "--max-time", "600s", "--output", name]);
        let output = command.output().unwrap();
        let told: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(output.status.code(), Some(1), "{name}: {told}");
        assert!(told["symbolic"]["why"]["runs"].as_u64() > Some(0), "{name}: {told}");
        let mut replay = Command::new(env!("CARGO_BIN_EXE_effigy"));
        let replay = replay.current_dir(&room).arg("replay").arg(name).output().unwrap();
        let told = String::from_utf8_lossy(&replay.stdout).into_owned();
        assert_eq!(told, "1 test replayed: 1 as predicted, 0 differ\n", "{name}");
    }
}

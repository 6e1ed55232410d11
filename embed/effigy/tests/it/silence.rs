//! A test whose loop asks nothing ends with its process, and says so.

use effigy::prelude::*;

const CHILD: &str = "EFFIGY_TEST_NEVER_ENDS";

#[effigy::test(silence = 3)]
fn never_ends_where_it_is_a_child(x: Sym<u8>) {
    if x == 7 && std::env::var_os(CHILD).is_some() {
        loop {
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
    }
}

#[test]
fn a_loop_that_asks_nothing_ends_the_process_with_a_report() {
    let mut child = std::process::Command::new(std::env::current_exe().expect("this program"));
    let name = "silence::never_ends_where_it_is_a_child";
    let done = child.args([name, "--exact"]).env(CHILD, "1").output().expect("a process");
    let text = String::from_utf8_lossy(&done.stderr);
    assert_eq!(done.status.code(), Some(101), "{text}");
    assert!(text.contains(name) && text.contains("no verdict") && text.contains("without a question"), "{text}");
    assert!(text.contains("tests/it/silence.rs:9:8, with x = 7"), "{text}");
}

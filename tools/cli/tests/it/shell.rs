//! Completion scripts and manual pages describe every argument, those of the languages included.

use std::fs;
use std::process::Command;

fn effigy(args: &[&str]) -> (Option<i32>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_effigy")).args(args).output().expect("effigy starts");
    (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn completions_know_subcommands_and_flags_of_languages() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let (code, script) = effigy(&["completions", shell]);
        assert_eq!(code, Some(0), "{shell}");
        for it in ["feasible", "max-time", "sym-stdin"] {
            assert!(script.contains(it), "{shell}: {it}");
        }
    }
    assert_eq!(effigy(&["completions", "cmd"]).0, Some(2));
}

#[test]
fn each_command_has_a_manual_page() {
    let folder = std::env::temp_dir().join(format!("effigy-man-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    assert_eq!(effigy(&["man", &folder.to_string_lossy()]), (Some(0), String::new()));
    let (_, help) = effigy(&["--help"]);
    let listed = help.split("Commands:\n").nth(1).and_then(|it| it.split("\n\n").next()).expect("the commands");
    let commands = listed.lines().filter_map(|it| it.strip_prefix("  ")?.split(' ').next());
    let commands: Vec<&str> = commands.filter(|it| !it.is_empty() && *it != "help").collect();
    assert!(commands.len() > 10 && !commands.contains(&"man"), "{help}");
    for it in commands {
        let page = fs::read_to_string(folder.join(format!("effigy-{it}.1"))).expect(it);
        assert!(page.contains(".SH OPTIONS"), "{it}: {page}");
    }
    let main = fs::read_to_string(folder.join("effigy.1")).expect("a page");
    assert!(main.contains(concat!("effigy ", env!("CARGO_PKG_VERSION"))), "{main}");
    let run = fs::read_to_string(folder.join("effigy-run.1")).expect("a page");
    assert!(run.contains("sym\\-stdin"), "{run}");
    let _ = fs::remove_dir_all(&folder);
}

//! What the user sees: every file of `corpus/cli` is a session at the terminal, run again and compared.
//!
//! A line `$ effigy ...` is run from the root of the tree; below it stand what it prints (standard output, then errors)
//! and its exit code where that is not zero. `OUT` is a folder of the session's own, and times are written `#.## s`.
//! `make bless` rewrites what is printed. The sessions in the README and the book are played in the same way.

use super::case::{files, root, trial};
use libtest_mimic::Trial;
use std::path::Path;
use std::process::Command;

pub fn trials() -> Vec<Trial> {
    let sessions = files("corpus/cli", &["session"]);
    assert!(sessions.len() > 5, "the sessions are where they should be");
    let mut pages = files("book/src", &["md"]);
    pages.push(root().join("README.md"));
    pages.retain(|it| std::fs::read_to_string(it).expect("a page").contains(SESSION));
    assert!(pages.len() > 5, "the pages have sessions");
    let sessions = sessions.into_iter().map(|it| trial(it, check_session));
    sessions.chain(pages.into_iter().map(|it| trial(it, check_page))).collect()
}

/// How a session of a page begins.
const SESSION: &str = "```console\n$ effigy ";

/// The words of a command, as a shell takes them: what stands between single quotes is one word.
fn words(command: &str) -> Vec<String> {
    let mut res: Vec<String> = Vec::new();
    let (mut quoted, mut open) = (false, false);
    for c in command.chars() {
        match c {
            '\'' => {
                quoted = !quoted;
                if !open {
                    res.push(String::new());
                    open = true;
                }
            }
            ' ' if !quoted => open = false,
            c => {
                if !open {
                    res.push(String::new());
                    open = true;
                }
                if let Some(word) = res.last_mut() {
                    word.push(c);
                }
            }
        }
    }
    res
}

/// A line that ends in a time, as `effigy solve` tells of a file.
fn timeless(line: &str) -> String {
    let words: Vec<&str> = line.rsplitn(3, ' ').collect();
    match words[..] {
        ["s", number, start] if number.parse::<f64>().is_ok() => match start.strip_suffix(" of") {
            // So much of the time.
            Some(part) => format!("{} of #.## s", timeless(part)),
            None => format!("{start} #.## s"),
        },
        _ => line.to_owned(),
    }
}

/// Runs the commands of a session in `folder`; the session as it should be written.
fn play(session: &str, folder: &Path, out: &Path) -> String {
    let mut res = String::new();
    // Comments at the top say what the session shows.
    for line in session.lines().take_while(|it| !it.starts_with("$ ")) {
        res.push_str(line);
        res.push('\n');
    }
    let out = out.to_string_lossy();
    for command in session.lines().filter_map(|it| it.strip_prefix("$ ")) {
        let mut words = words(command).into_iter().map(|it| it.replace("OUT", &out));
        assert_eq!(words.next().as_deref(), Some("effigy"), "{command}");
        let output = Command::new(env!("CARGO_BIN_EXE_effigy"))
            .args(words)
            .current_dir(folder)
            .env("COLUMNS", "100")
            .output()
            .expect("effigy starts");
        res.push_str(&format!("$ {command}\n"));
        for text in [&output.stdout, &output.stderr] {
            let text = String::from_utf8_lossy(text).replace(&*root().to_string_lossy(), "ROOT");
            // On a page the default folder is shown.
            let text = if out == "effigy-out" { text } else { text.replace(&*out, "OUT") };
            for line in text.lines() {
                let line = if line.starts_with("time ") { "time      #.## s" } else { line.trim_end() };
                res.push_str(&timeless(line));
                res.push('\n');
            }
        }
        match output.status.code() {
            Some(0) => {}
            Some(code) => res.push_str(&format!("[exit {code}]\n")),
            None => res.push_str("[killed]\n"),
        }
    }
    res
}

/// What is told of a program that has used up its time.
const LATE: &str = "did not end in time";

/// Writes the text that was played where it is asked for; else it is the one that the file has.
fn compare(file: &Path, text: &str, played: &str) -> Result<(), String> {
    if std::env::var_os("EFFIGY_BLESS").is_some() {
        // That is of a busy machine, not of the program.
        let late = |it: &str| it.matches(LATE).count();
        if late(played) > late(text) {
            return Err(format!("this is not accepted, since it {LATE}:\n{played}"));
        }
        return std::fs::write(file, played).map_err(|it| it.to_string());
    }
    if played == text { Ok(()) } else { Err(format!("`make bless` accepts this:\n{played}")) }
}

fn check_session(file: &Path, folder: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(file).map_err(|it| it.to_string())?;
    let played = play(&text, &root(), &folder.join("out"));
    compare(file, &text, &played)
}

/// A page with its sessions played anew. A block `console` whose commands are effigy's is one; those of a page have one
/// folder.
fn check_page(file: &Path, folder: &Path) -> Result<(), String> {
    let page = std::fs::read_to_string(file).map_err(|it| it.to_string())?;
    for name in ["examples", "corpus"] {
        std::os::unix::fs::symlink(root().join(name), folder.join(name)).map_err(|it| it.to_string())?;
    }
    let mut played = String::new();
    let mut rest = &*page;
    while let Some(at) = rest.find(SESSION) {
        let start = at + "```console\n".len();
        let length = rest[start..].find("```\n").ok_or("a block has no end")?;
        played.push_str(&rest[..start]);
        played.push_str(&play(&rest[start..start + length], folder, Path::new("effigy-out")));
        rest = &rest[start + length..];
    }
    played.push_str(rest);
    compare(file, &page, &played)
}

//! What the user sees: every file of `corpus/cli` is a session at the terminal, run again and compared.
//!
//! A line `$ effigy ...` is run from the root of the tree; below it stand what it prints (standard output, then errors)
//! and its exit code where that is not zero. `OUT` is a folder of the session's own, and times are written `#.## s`.
//! `make bless` rewrites what is printed. The sessions in the README and the book are played in the same way.

use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the tree")
}

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

#[test]
fn every_session_prints_what_is_written() {
    let bless = std::env::var_os("EFFIGY_BLESS").is_some();
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(root().join("corpus/cli")).expect("the sessions").flatten().map(|it| it.path()).collect();
    paths.retain(|it| it.extension().is_some_and(|it| it == "session"));
    paths.sort();
    assert!(paths.len() > 5, "the sessions are where they should be");
    let mut differ = Vec::new();
    for path in paths {
        let text = std::fs::read_to_string(&path).expect("a session");
        let name = path.file_stem().map(|it| it.to_string_lossy().into_owned()).unwrap_or_default();
        let out = std::env::temp_dir().join(format!("effigy-session-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&out);
        let played = play(&text, &root(), &out);
        let _ = std::fs::remove_dir_all(&out);
        if bless {
            std::fs::write(&path, &played).expect("the session can be written");
        } else if played != text {
            differ.push(format!("{}:\n{played}", path.display()));
        }
    }
    assert!(differ.is_empty(), "`make bless` accepts this:\n{}", differ.join("\n"));
}

/// A page with its sessions played anew. A block `console` whose commands are effigy's is one.
fn play_page(page: &str, folder: &Path) -> String {
    let mut res = String::new();
    let mut rest = page;
    while let Some(at) = rest.find("```console\n$ effigy ") {
        let start = at + "```console\n".len();
        let length = rest[start..].find("```\n").expect("a block ends");
        res.push_str(&rest[..start]);
        res.push_str(&play(&rest[start..start + length], folder, Path::new("effigy-out")));
        rest = &rest[start + length..];
    }
    res.push_str(rest);
    res
}

#[test]
fn every_page_shows_what_is_printed() {
    let bless = std::env::var_os("EFFIGY_BLESS").is_some();
    let folder = std::env::temp_dir().join(format!("effigy-pages-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    for name in ["examples", "corpus"] {
        std::os::unix::fs::symlink(root().join(name), folder.join(name)).expect("a link");
    }
    let book = std::fs::read_dir(root().join("book/src")).expect("the book").flatten().map(|it| it.path());
    let book = book.filter(|it| it.is_file());
    let mut pages: Vec<PathBuf> = book.chain([root().join("README.md")]).collect();
    pages.sort();
    let mut differ = Vec::new();
    let mut sessions = 0;
    for path in pages {
        let text = std::fs::read_to_string(&path).expect("a page");
        sessions += text.matches("```console\n$ effigy ").count();
        let played = play_page(&text, &folder);
        if bless {
            std::fs::write(&path, &played).expect("the page can be written");
        } else if played != text {
            differ.push(format!("{}:\n{played}", path.display()));
        }
    }
    let _ = std::fs::remove_dir_all(&folder);
    assert!(sessions >= 5, "the pages have sessions");
    assert!(differ.is_empty(), "`make bless` accepts this:\n{}", differ.join("\n"));
}

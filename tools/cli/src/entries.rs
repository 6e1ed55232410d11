//! Several entries of one program: each is run by a process of its own, one after the other, and a table ends it.
//!
//! Knows: how a command line names one entry, what the summary of a run says. Never: how a run goes.

use crate::args::{Command as Subcommand, StartArgs};
use crate::progress::{say, warn};
use crate::{Code, Failure};
use effigy_llvm::driver::{KEPT_MODULES, Scratch};
use serde_json::Value;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// A list of entries is no longer. Chosen without measuring.
const LARGEST_LIST: u64 = 1 << 20;

/// Flags of the whole command that the process of an entry is given in another form, each with its value.
const REPLACED: &[&str] = &["--entry", "--method", "--entries", "--out"];

/// How one entry ended.
struct EntryResult {
    name: String,
    code: i32,
    /// Paths that came to an end, and new bugs; `None` where no summary was written.
    counts: Option<(u64, usize)>,
    /// The JSON that the run has printed, if it was asked for.
    json: String,
}

/// The entries of a command that names several, or a list of them; `None` for other commands.
///
/// # Errors
/// When the list cannot be read or is empty, or the command takes one entry.
pub(crate) fn several(command: &Subcommand) -> Result<Option<Vec<String>>, Failure> {
    let (start, many) = match command {
        Subcommand::Run(args) => (&args.start, true),
        Subcommand::Bmc(args) => (&args.start, true),
        Subcommand::Tree(args) => (&args.start, false),
        Subcommand::Debug(args) => (&args.start, false),
        Subcommand::Feasible(args) => (&args.start, false),
        _ => return Ok(None),
    };
    let names = match &start.entries {
        Some(file) => [start.entry.clone(), listed(file)?].concat(),
        None if start.entry.len() < 2 => return Ok(None),
        None => start.entry.clone(),
    };
    if !many {
        return Err(Failure("one --entry was expected: `effigy run` and `effigy bmc` take several".to_owned()));
    }
    if let Subcommand::Run(args) = command
        && (args.resume.is_some() || args.concolic.is_some() || args.shared.fleet.is_some())
    {
        let what = "--resume, --concolic and --fleet go with one --entry: each entry has a run and a folder of its own";
        return Err(Failure(what.to_owned()));
    }
    Ok(Some(names))
}

/// The names in a list, one a line. What stands behind `#` is a comment.
fn listed(file: &Path) -> Result<Vec<String>, Failure> {
    use std::io::Read;
    let failed = |what: String| Failure(format!("--entries {}: {what}", file.display()));
    let mut text = String::new();
    let opened = std::fs::File::open(file).map_err(|it| failed(it.to_string()))?;
    opened.take(LARGEST_LIST + 1).read_to_string(&mut text).map_err(|it| failed(it.to_string()))?;
    if text.len() as u64 > LARGEST_LIST {
        return Err(failed("a list of names was expected, and this file has more than a megabyte".to_owned()));
    }
    let names = names(&text);
    if names.is_empty() {
        Err(failed("a name on each line was expected, and there is none".to_owned()))
    } else {
        Ok(names)
    }
}

fn names(text: &str) -> Vec<String> {
    let name = |line: &str| line.split('#').next().map(|it| it.trim().to_owned()).filter(|it| !it.is_empty());
    text.lines().filter_map(name).collect()
}

/// Runs each entry, and prints a table of them. A bug is told before all else by the exit code, then an entry that could
/// not be run.
///
/// # Errors
/// When effigy cannot be started.
pub(crate) fn run_each(names: &[String], command: &Subcommand, interrupt: &AtomicBool) -> Result<Code, Failure> {
    let (out, as_json, quiet) = match command {
        Subcommand::Run(args) => (&args.output.out, args.output.json, args.output.quiet),
        Subcommand::Bmc(args) => (&args.out, args.json, args.quiet),
        _ => return Err(Failure("one --entry was expected".to_owned())),
    };
    // Each process would compile the same files.
    let modules = Scratch::new().map_err(Failure::of)?;
    let words: Vec<OsString> = std::env::args_os().skip(1).collect();
    let mut results = Vec::new();
    for (at, name) in names.iter().enumerate() {
        if interrupt.load(Ordering::Relaxed) {
            warn(&format!("stopped: {} of {} entries were not begun", names.len() - at, names.len()));
            break;
        }
        if !as_json {
            say(&format!("{}entry {name}\n", if at == 0 { "" } else { "\n" }))?;
        }
        let folder = out.as_ref().map(|it| it.join(name.replace('/', "_")));
        let words = words_of_entry(&words, name, folder.as_deref());
        let (code, json) = run_one(&words, modules.path(), as_json, interrupt)?;
        let folder = folder.unwrap_or_else(|| PathBuf::from("effigy-out"));
        // An entry that was refused has no folder: the one that is there is another's.
        let counts = if code == Code::Input as i32 { None } else { counts(&folder) };
        results.push(EntryResult { name: name.clone(), code, counts, json });
    }
    match as_json {
        true => say(&document(&results))?,
        false if !quiet => say(&format!("\n{}", table(&results)))?,
        false => {}
    }
    let has = |code: Code| results.iter().any(|it| it.code == code as i32);
    let is_known = |it: &EntryResult| [0, 1, 2, 3].contains(&it.code);
    Ok(match results.iter().all(is_known) {
        _ if has(Code::Found) => Code::Found,
        false => Code::Internal,
        true if has(Code::Input) => Code::Input,
        true if has(Code::Cut) || results.len() < names.len() => Code::Cut,
        true => Code::Nothing,
    })
}

/// The words of the command with one entry, and the folder of that entry.
fn words_of_entry(words: &[OsString], name: &str, out: Option<&Path>) -> Vec<OsString> {
    let end = words.iter().position(|it| it == "--").unwrap_or(words.len());
    let mut res = Vec::with_capacity(words.len() + 2);
    let mut own = words[..end].iter();
    while let Some(word) = own.next() {
        let is = |flag: &&str| {
            let rest = word.to_str().and_then(|it| it.strip_prefix(*flag));
            rest.is_some_and(|it| it.is_empty() || it.starts_with('='))
        };
        match REPLACED.iter().find(|it| is(it)) {
            Some(flag) if word == OsStr::new(flag) => drop(own.next()),
            Some(_) => {}
            None => res.push(word.clone()),
        }
    }
    res.extend([OsString::from("--entry"), name.into()]);
    if let Some(out) = out {
        res.extend(["--out".into(), out.as_os_str().to_owned()]);
    }
    res.extend_from_slice(&words[end..]);
    res
}

/// Runs effigy with these words; its exit code, and what it printed where that is captured.
fn run_one(
    words: &[OsString],
    modules: &Path,
    captures: bool,
    interrupt: &AtomicBool,
) -> Result<(i32, String), Failure> {
    let own = std::env::current_exe().map_err(|error| Failure(format!("effigy does not find itself: {error}")))?;
    let mut command = Command::new(own);
    command.args(words).env(KEPT_MODULES, modules).stdin(Stdio::null());
    if captures {
        command.stdout(Stdio::piped());
    }
    let mut child = command.spawn().map_err(|error| Failure(format!("effigy could not be started: {error}")))?;
    let printed = child.stdout.take().map(|mut it| {
        std::thread::spawn(move || {
            let mut text = String::new();
            let _ = std::io::Read::read_to_string(&mut it, &mut text);
            text
        })
    });
    let code = wait(&mut child, interrupt).map_err(Failure::of)?;
    let printed = printed.and_then(|it| it.join().ok()).unwrap_or_default();
    Ok((code, printed))
}

/// Waits for a process. Where the user stops the command the process is asked to stop as well; it writes what it has.
fn wait(child: &mut Child, interrupt: &AtomicBool) -> std::io::Result<i32> {
    const PAUSE: Duration = Duration::from_millis(20);
    let mut is_asked = false;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status.code().unwrap_or(Code::Internal as i32));
        }
        if interrupt.load(Ordering::Relaxed) && !is_asked {
            is_asked = true;
            if let Some(process) = rustix::process::Pid::from_raw(child.id().cast_signed()) {
                let _ = rustix::process::kill_process(process, rustix::process::Signal::TERM);
            }
        }
        std::thread::sleep(PAUSE);
    }
}

/// The paths that came to an end, and the bugs, of the run in a folder.
fn counts(folder: &Path) -> Option<(u64, usize)> {
    let text = std::fs::read(folder.join("summary.json")).ok()?;
    let summary: Value = serde_json::from_slice(&text).ok()?;
    let is_new = |it: &&Value| it["possible"] != true && it["known"] != true;
    Some((summary["paths"]["completed"].as_u64()?, summary["bugs"].as_array()?.iter().filter(is_new).count()))
}

fn table(results: &[EntryResult]) -> String {
    let width = results.iter().map(|it| it.name.chars().count()).max().unwrap_or(0);
    let mut res = String::new();
    for EntryResult { name, code, counts, .. } in results {
        let word = match code {
            0 => "no bug",
            1 => "bugs",
            2 => "refused",
            3 => "not finished",
            _ => "internal error",
        };
        let counts = counts.map_or(String::new(), |(paths, bugs)| {
            let s = |count: u64| if count == 1 { "" } else { "s" };
            format!("  {paths} path{}, {bugs} bug{}", s(paths), s(bugs as u64))
        });
        res.push_str(format!("{name:width$}  {word:12}{counts}").trim_end());
        res.push('\n');
    }
    let with_bugs = results.iter().filter(|it| it.code == Code::Found as i32).count();
    res.push_str(&format!("{} entries, {with_bugs} with bugs\n", results.len()));
    res
}

/// One JSON object of all entries, with what each run has printed.
fn document(results: &[EntryResult]) -> String {
    let one = |it: &EntryResult| {
        let run = if it.json.trim().is_empty() { "null" } else { it.json.trim() };
        format!("{{\"entry\": {}, \"exit_code\": {}, \"run\": {run}}}", Value::from(&*it.name), it.code)
    };
    format!("{{\"entries\": [\n{}\n]}}\n", results.iter().map(one).collect::<Vec<_>>().join(",\n"))
}

impl StartArgs {
    /// The only entry of a command that takes one.
    pub(crate) fn entry(&self) -> Option<&str> {
        self.entry.first().map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_given_one_entry_and_its_own_folder() {
        let words = |text: &str| text.split_whitespace().map(OsString::from).collect::<Vec<_>>();
        let typed = words("run --entry f --entry=g --entries list --out o a.c --jobs 2 -- --entry -O1");
        let own = words_of_entry(&typed, "g", Some(Path::new("o/g")));
        assert_eq!(own, words("run a.c --jobs 2 --entry g --out o/g -- --entry -O1"));
        assert_eq!(words_of_entry(&words("run a.c --method"), "f", None), words("run a.c --entry f"));
    }
}

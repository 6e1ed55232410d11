//! A native run, with a time limit, in a directory of its own.

use effigy_llvm::surroundings::Given;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use std::ffi::OsString;
use std::fs::File;
use std::io::Read;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

fn pid(process: u32) -> Option<Pid> {
    Pid::from_raw(process.cast_signed())
}

/// Whether a child has ended. It is not reaped, so that its number and that of its session stay its own.
fn has_ended(process: u32) -> bool {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    pid(process).is_none_or(|it| !matches!(waitid(WaitId::Pid(it), options), Ok(None)))
}

/// More output than this is not compared.
pub(super) const MOST_BYTES: u64 = 16 << 20;

/// The exit code of a program that was asked whether it starts (`languages/llvm/runtime/replay.c`).
const STARTS: i32 = 77;

/// The options of AddressSanitizer for native runs.
const CHECKS: &str = "detect_leaks=0:detect_stack_use_after_return=1:abort_on_error=0:exitcode=99:\
                      allocator_may_return_null=1:strict_string_checks=0:detect_invalid_pointer_pairs=0";

/// The options of ThreadSanitizer: the schedule is what it is, so the order of locks says nothing of deadlocks, and threads
/// may be left at the end. A run goes on after a report: not each is a bug, such as that of an error-checking mutex.
const RACES: &str = "exitcode=99:halt_on_error=0:atexit_sleep_ms=0:detect_deadlocks=0:report_thread_leaks=0:\
                     report_signal_unsafe=0:die_after_fork=0:history_size=7:allocator_may_return_null=1";

/// How the names of the files begin that sanitizers write; a point and a number follow.
const REPORT: &str = "sanitizer-report";

/// What a native run did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct NativeRun {
    /// The exit code; `None` for a signal or when the time was up.
    pub(crate) code: Option<i32>,
    /// The signal that ended it.
    pub(crate) signal: Option<i32>,
    /// Whether the run was stopped because it took too long.
    pub(crate) late: bool,
    /// What the run wrote to standard output.
    pub(crate) output: Vec<u8>,
    /// What the run wrote to standard error.
    pub(crate) errors: String,
    /// What the sanitizers report, apart from what the program writes.
    pub(crate) report: String,
}

/// Whether a program starts: its sanitizer has set itself up before anything else runs.
///
/// # Errors
/// When it does not; the error is what it said.
pub(super) fn starts(program: &Path, scratch: &Path) -> std::io::Result<()> {
    let mut command = prepared(program, Stack::Ample, scratch);
    let output = command.env("EFFIGY_STARTS", "1").current_dir(scratch).stdin(Stdio::null()).output()?;
    if output.status.code() == Some(STARTS) {
        return Ok(());
    }
    let said = reports(scratch)? + &String::from_utf8_lossy(&output.stderr);
    let line = said.lines().find(|it| it.len() > 5).map(str::to_owned);
    Err(std::io::Error::other(line.unwrap_or_else(|| output.status.to_string())))
}

/// What sanitizers have written, each process of a run into a file of its own. The files are gone afterwards.
pub(super) fn reports(scratch: &Path) -> std::io::Result<String> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(scratch)?.flatten().map(|it| it.path()).collect();
    files.retain(|it| it.file_name().is_some_and(|it| it.to_string_lossy().starts_with(REPORT)));
    files.sort();
    let mut bytes = Vec::new();
    for file in files {
        File::open(&file)?.take(MOST_BYTES).read_to_end(&mut bytes)?;
        std::fs::remove_file(&file)?;
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Where a program runs: a directory in which there is nothing but its files.
pub(crate) struct Room {
    pub(super) directory: PathBuf,
    pub(super) stdin: PathBuf,
}

/// Makes room for a run, in place of the last one.
pub(crate) fn room(scratch: &Path, given: &Given) -> std::io::Result<Room> {
    let room = Room { directory: scratch.join("room"), stdin: scratch.join("stdin") };
    let is_empty = || std::fs::read_dir(&room.directory).is_ok_and(|mut it| it.next().is_none());
    if !is_empty() {
        match std::fs::remove_dir_all(&room.directory) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
            _ => std::fs::create_dir(&room.directory)?,
        }
    }
    for (name, content) in &given.files {
        let path = room.directory.join(name);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent)?;
        }
        std::fs::write(path, content)?;
    }
    std::fs::write(&room.stdin, &given.stdin)?;
    Ok(room)
}

/// What a program has for its calls.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stack {
    /// 8 MiB, which are to be too little.
    Usual,
    /// More: under sanitizers a call takes several times what it takes without them.
    Ample,
}

/// What a run is held to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Limits {
    /// The room for its calls.
    pub(crate) stack: Stack,
    /// After so long it is stopped.
    pub(crate) timeout: Duration,
    /// Whether LeakSanitizer looks for leaks at its end.
    pub(crate) leaks: bool,
}

/// A program with what is the same in all of its runs. Its sanitizers report into files of `scratch`.
pub(super) fn prepared(program: &Path, stack: Stack, scratch: &Path) -> Command {
    // In KiB. Where the machine allows no more, it has what there is.
    let set = match stack {
        Stack::Usual => "ulimit -S -s 8192 2>/dev/null; exec \"$0\" \"$@\"",
        Stack::Ample => "ulimit -S -s 65536 2>/dev/null; exec \"$0\" \"$@\"",
    };
    let log = log_option(scratch);
    let mut command = Command::new("/bin/sh");
    command
        .args(["-c", set])
        .arg(program)
        .env("LC_ALL", "C")
        .env("ASAN_OPTIONS", asan_options(scratch))
        .env("UBSAN_OPTIONS", format!("print_stacktrace=1:exitcode=99:{log}"))
        .env("MSAN_OPTIONS", format!("exitcode=99:{log}"))
        .env("TSAN_OPTIONS", format!("{RACES}:{log}"));
    command
}

/// The option that says where sanitizers report. Quoted: a path may have what separates options.
fn log_option(scratch: &Path) -> String {
    format!("log_path='{}'", scratch.join(REPORT).display())
}

fn asan_options(scratch: &Path) -> String {
    format!("{CHECKS}:{}", log_option(scratch))
}

/// Runs a program on a test, in a process of its own.
pub(crate) fn run(
    program: &Path,
    given: &Given,
    inputs: &Path,
    room: &Room,
    limits: Limits,
) -> std::io::Result<NativeRun> {
    let scratch = room.directory.parent().unwrap_or(&room.directory);
    reports(scratch)?;
    let text = |it: &[u8]| OsString::from_vec(it.to_vec());
    let mut command = prepared(program, limits.stack, scratch);
    if limits.leaks {
        command.env("ASAN_OPTIONS", format!("{}:detect_leaks=1", asan_options(scratch))).env("EFFIGY_LEAKS", "1");
    }
    for name in &given.unset {
        command.env_remove(name);
    }
    if given.stdin_is_file {
        command.env("EFFIGY_STDIN_IS_FILE", "1");
    }
    let mut child = command
        .args(given.arguments.iter().map(|it| text(it)))
        .envs(given.variables.iter().map(|it| (it.0.as_str(), text(&it.1))))
        .current_dir(&room.directory)
        .env("EFFIGY_TEST", inputs)
        .stdin(File::open(&room.stdin)?)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let collect = |stream: Option<Box<dyn Read + Send>>| {
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            if let Some(stream) = stream {
                // What is beyond the limit is dropped with the pipe.
                let _ = stream.take(MOST_BYTES).read_to_end(&mut bytes);
            }
            bytes
        })
    };
    let output = collect(child.stdout.take().map(|it| Box::new(it) as Box<dyn Read + Send>));
    let errors = collect(child.stderr.take().map(|it| Box::new(it) as Box<dyn Read + Send>));
    let deadline = Instant::now() + limits.timeout;
    let mut late = false;
    while !has_ended(child.id()) && !late {
        std::thread::sleep(Duration::from_micros(500));
        late = Instant::now() >= deadline;
    }
    // What it has started ends with it: it leads a session of its own.
    let _ = pid(child.id()).map(|it| kill_process_group(it, Signal::KILL));
    child.kill()?;
    let status = child.wait()?;
    Ok(NativeRun {
        code: status.code().filter(|_| !late),
        signal: std::os::unix::process::ExitStatusExt::signal(&status).filter(|_| !late),
        late,
        output: output.join().unwrap_or_default(),
        errors: String::from_utf8_lossy(&errors.join().unwrap_or_default()).into_owned(),
        report: reports(scratch)?,
    })
}

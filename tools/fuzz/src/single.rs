//! One input in a process of its own: how it ends there, under sanitizers or without.
//!
//! Knows: a time and a memory limit; that sanitizers and our marks report into files of their own, which the program
//! does not write. Never: what a report means (`sanitizers`).

use crate::Kind;
use crate::corpus::read;
use crate::sanitizers::{Evidence, Report, report};
use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use std::fs;
use std::io::{self, Read};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// Bytes of a report, and of standard error, that are read.
const MOST_ERRORS: u64 = 1 << 20;

/// The options of AddressSanitizer. A trap and an abort are reported with their stack.
const CHECKS: &str = "detect_leaks=0:detect_stack_use_after_return=1:handle_abort=1:handle_sigill=1:handle_sigtrap=1:\
                      exitcode=99:allocator_may_return_null=1:strict_string_checks=0";

/// Lines of inputs that were asked for.
const MOST_ASKED: usize = 1 << 16;

/// The exit code of a program that was asked whether it starts (`runtime/marks.h`).
const STARTS: i32 = 77;

/// A program whose sanitizer sets itself up has done so by then.
const START: Duration = Duration::from_secs(60);

/// What a process that is asked for its stack has to write it.
const LAST_WORDS: Duration = Duration::from_secs(5);

/// How single inputs are run.
#[derive(Clone, Debug)]
pub struct Single {
    /// The program with its loop.
    pub program: PathBuf,
    /// How it takes its input.
    pub kind: Kind,
    /// A folder that is this value's own.
    pub room: PathBuf,
    /// A run may take so long.
    pub timeout: Duration,
    /// The limit of a run's memory, in megabytes.
    pub memory: u64,
}

/// An input that the program has asked for by name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedInput {
    /// The name that the program gave it.
    pub name: String,
    /// Its size in bytes, as the program asked for it.
    pub size: usize,
}

/// How one run of the program ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    /// The signal that ended it.
    pub signal: Option<i32>,
    /// Whether it was stopped because it took too long.
    pub late: bool,
    /// It took too much memory.
    pub large: bool,
    /// What a sanitizer or an assertion says.
    pub report: Option<Report>,
    /// The inputs that it has asked for by name.
    pub asked: Vec<NamedInput>,
}

/// How a run is watched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Detail {
    /// Stacks are addresses, which is several times faster.
    Addresses,
    /// Stacks have functions and lines.
    Lines,
    /// The same, and a run whose time is up is asked where it is.
    LinesOfHangs,
}

impl Single {
    /// Runs an input.
    ///
    /// # Errors
    /// When the program cannot be started, or its sanitizer not set up.
    pub fn run(&self, input: &[u8]) -> io::Result<Run> {
        self.run_with(input, Detail::Lines)
    }

    /// Runs an input; its stack is in addresses, which is several times faster.
    ///
    /// # Errors
    /// When the program cannot be started, or its sanitizer not set up.
    pub fn run_raw(&self, input: &[u8]) -> io::Result<Run> {
        self.run_with(input, Detail::Addresses)
    }

    /// Runs an input that is known not to end; the report has the stack that it had when its time was up.
    ///
    /// # Errors
    /// When the program cannot be started, or its sanitizer not set up.
    pub fn run_hang(&self, input: &[u8]) -> io::Result<Run> {
        self.run_with(input, Detail::LinesOfHangs)
    }

    /// Starts the program and ends it before anything of its own runs.
    ///
    /// # Errors
    /// When it does not come so far; the error is what it said.
    pub fn start(&self) -> io::Result<()> {
        let errors = self.room.join("errors");
        let mut command = self.command(&self.room, Detail::Addresses);
        let mut process = command.env("EFFIGY_FUZZ_STARTS", "1").stderr(fs::File::create(&errors)?).spawn()?;
        let deadline = Instant::now() + START;
        let status = wait(&mut process, |_| Instant::now() >= deadline)?;
        if status.is_some_and(|it| it.code() == Some(STARTS)) {
            return Ok(());
        }
        let said = self.reports(process.id())?.into_iter().chain([text_of(&errors)?]);
        let line = said.flat_map(|it| it.lines().map(str::to_owned).collect::<Vec<_>>()).find(|it| it.len() > 5);
        let how = status.map_or("it does not end".to_owned(), |it| it.to_string());
        Err(io::Error::other(line.unwrap_or(how)))
    }

    fn command(&self, directory: &Path, detail: Detail) -> Command {
        let mut command = Command::new(&self.program);
        let symbolised = u8::from(detail != Detail::Addresses);
        // Quoted: a path may have what separates options.
        let log = format!("log_path='{}'", self.room.join("report").display());
        command
            .current_dir(directory)
            .env("LC_ALL", "C")
            .env("ASAN_OPTIONS", format!("{CHECKS}:symbolize={symbolised}:{log}"))
            .env("UBSAN_OPTIONS", format!("print_stacktrace=1:exitcode=99:symbolize={symbolised}:{log}"))
            .stdin(Stdio::null())
            .stdout(Stdio::null());
        command
    }

    fn run_with(&self, input: &[u8], detail: Detail) -> io::Result<Run> {
        let directory = self.room.join("room");
        match fs::remove_dir_all(&directory) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => fs::create_dir_all(&directory)?,
        }
        let [path, names, errors, statement] = ["input", "names", "errors", "statement"].map(|it| self.room.join(it));
        fs::write(&path, input)?;
        for old in [&names, &statement] {
            let _ = fs::remove_file(old);
        }
        let mut process = self
            .command(&directory, detail)
            .env("EFFIGY_FUZZ_ONE", &path)
            .env("EFFIGY_FUZZ_NAMES", &names)
            .env("EFFIGY_FUZZ_STATEMENT", &statement)
            .env("EFFIGY_FUZZ_KIND", (self.kind as u32).to_string())
            .stderr(fs::File::create(&errors)?)
            .spawn()?;
        let number = process.id();
        let deadline = Instant::now() + self.timeout;
        let (mut late, mut large) = (false, false);
        let mut status = wait(&mut process, |it| {
            late = Instant::now() >= deadline;
            large = !late && resident(it).is_some_and(|it| it > self.memory << 20);
            late || large
        })?;
        if status.is_none() && late && detail == Detail::LinesOfHangs {
            let deadline = Instant::now() + LAST_WORDS;
            let _ = pid(number).map(|it| kill_process(it, Signal::ABORT));
            status = wait(&mut process, |_| Instant::now() >= deadline)?;
        }
        let status = match status {
            Some(status) => status,
            None => end(&mut process)?,
        };
        let reports = self.reports(number)?;
        if !statement.is_file() && !late {
            let said = reports.first().cloned().unwrap_or(text_of(&errors)?);
            let line = said.lines().find(|it| it.len() > 5).unwrap_or("it says nothing").to_owned();
            return Err(io::Error::other(format!("the program did not start: {line}")));
        }
        let evidence = Evidence {
            sanitizer: reports.first().map_or("", String::as_str),
            statement: &text_of(&statement).unwrap_or_default(),
            errors: &text_of(&errors)?,
        };
        let is_cut = (late && detail != Detail::LinesOfHangs) || large;
        Ok(Run {
            signal: status.signal().filter(|_| !late && !large),
            late,
            large,
            report: report(&evidence).filter(|_| !is_cut),
            asked: asked(&read(&names).unwrap_or_default()),
        })
    }

    /// What sanitizers have written, each process into a file of its own; that of the program itself is the first. They
    /// are gone afterwards.
    fn reports(&self, process: u32) -> io::Result<Vec<String>> {
        let own = format!("report.{process}");
        let mut res = Vec::new();
        for entry in fs::read_dir(&self.room)?.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if name.starts_with("report.") {
                res.push((name != own, name, text_of(&entry.path())?));
                fs::remove_file(entry.path())?;
            }
        }
        res.sort();
        Ok(res.into_iter().map(|it| it.2).collect())
    }
}

/// The first megabyte of a file.
fn text_of(path: &Path) -> io::Result<String> {
    let mut bytes = Vec::new();
    fs::File::open(path)?.take(MOST_ERRORS).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn pid(process: u32) -> Option<Pid> {
    Pid::from_raw(process.cast_signed())
}

/// Waits for a process until it ends, or `gives_up`; what it has started ends with it. `None` where it still runs.
fn wait(process: &mut Child, mut gives_up: impl FnMut(u32) -> bool) -> io::Result<Option<ExitStatus>> {
    let mut pause = Duration::from_micros(500);
    loop {
        if has_ended(process.id()) {
            return end(process).map(Some);
        }
        if gives_up(process.id()) {
            return Ok(None);
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(5));
    }
}

/// Whether a child has ended. It is not reaped, so that its number and that of its session stay its own.
fn has_ended(process: u32) -> bool {
    use rustix::process::{WaitId, WaitIdOptions, waitid};
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    pid(process).is_none_or(|it| !matches!(waitid(WaitId::Pid(it), options), Ok(None)))
}

/// Ends a process and its session, which the program leads (`runtime/main.h`).
fn end(process: &mut Child) -> io::Result<ExitStatus> {
    let _ = pid(process.id()).map(|it| kill_process_group(it, Signal::KILL));
    // It may not have made its session yet.
    let _ = process.kill();
    process.wait()
}

/// Bytes of memory that a process has.
fn resident(process: u32) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{process}/statm")).ok()?;
    Some(text.split(' ').nth(1)?.parse::<u64>().ok()? * 4096)
}

fn asked(text: &[u8]) -> Vec<NamedInput> {
    let text = String::from_utf8_lossy(text);
    let line = |it: &str| {
        let (name, size) = it.rsplit_once(' ')?;
        Some(NamedInput { name: name.to_owned(), size: size.parse().ok()? })
    };
    text.lines().take(MOST_ASKED).filter_map(line).collect()
}

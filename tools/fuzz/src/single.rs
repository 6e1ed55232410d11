//! One input in a process of its own: how it ends there, under sanitizers or without.
//!
//! Knows: a time and a memory limit, what the run writes to standard error. Never: what the end means
//! (`sanitizers`).

use crate::Kind;
use crate::corpus::read;
use crate::sanitizers::{Report, report};
use std::fs;
use std::io::{self, Read};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Bytes of standard error that are read.
const MOST_ERRORS: u64 = 1 << 20;

/// The options of AddressSanitizer.
const CHECKS: &str = "detect_leaks=0:detect_stack_use_after_return=1:handle_abort=1:exitcode=99:\
                      allocator_may_return_null=1:strict_string_checks=0";

/// Lines of inputs that were asked for.
const MOST_ASKED: usize = 1 << 16;

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
    /// And so many megabytes.
    pub memory: u64,
}

/// An input that the program has asked for by name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Asked {
    /// Its name.
    pub name: String,
    /// Its bytes.
    pub size: usize,
}

/// How a run ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    /// The signal that ended it.
    pub signal: Option<i32>,
    /// The time was up.
    pub late: bool,
    /// It took too much memory.
    pub large: bool,
    /// What a sanitizer or an assertion says.
    pub report: Option<Report>,
    /// The inputs that it has asked for by name.
    pub asked: Vec<Asked>,
}

impl Single {
    /// Runs an input.
    ///
    /// # Errors
    /// When the program cannot be started.
    pub fn run(&self, input: &[u8]) -> io::Result<Run> {
        self.run_with(input, true)
    }

    /// Runs an input; its stack is told in addresses, which is several times faster.
    ///
    /// # Errors
    /// When the program cannot be started.
    pub fn run_raw(&self, input: &[u8]) -> io::Result<Run> {
        self.run_with(input, false)
    }

    fn run_with(&self, input: &[u8], symbolised: bool) -> io::Result<Run> {
        let directory = self.room.join("room");
        match fs::remove_dir_all(&directory) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => fs::create_dir_all(&directory)?,
        }
        let (path, names, errors) = (self.room.join("input"), self.room.join("names"), self.room.join("errors"));
        fs::write(&path, input)?;
        let _ = fs::remove_file(&names);
        let mut process = Command::new(&self.program)
            .current_dir(&directory)
            .env("EFFIGY_FUZZ_ONE", &path)
            .env("EFFIGY_FUZZ_NAMES", &names)
            .env("EFFIGY_FUZZ_KIND", (self.kind as u32).to_string())
            .env("LC_ALL", "C")
            // As tests are replayed, but abort() is told with its stack.
            .env("ASAN_OPTIONS", format!("{CHECKS}:symbolize={}", u8::from(symbolised)))
            .env("UBSAN_OPTIONS", "print_stacktrace=1:exitcode=99")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(fs::File::create(&errors)?)
            .spawn()?;
        let deadline = Instant::now() + self.timeout;
        let (mut late, mut large) = (false, false);
        let mut pause = Duration::from_micros(500);
        let status = loop {
            if let Some(status) = process.try_wait()? {
                break status;
            }
            late = Instant::now() >= deadline;
            large = !late && resident(process.id()).is_some_and(|it| it > self.memory << 20);
            if late || large {
                process.kill()?;
                break process.wait()?;
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(5));
        };
        let mut text = Vec::new();
        fs::File::open(&errors)?.take(MOST_ERRORS).read_to_end(&mut text)?;
        Ok(Run {
            signal: std::os::unix::process::ExitStatusExt::signal(&status).filter(|_| !late && !large),
            late,
            large,
            report: report(&String::from_utf8_lossy(&text)).filter(|_| !late && !large),
            asked: asked(&read(&names).unwrap_or_default()),
        })
    }
}

/// Bytes of memory that a process has.
fn resident(process: u32) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{process}/statm")).ok()?;
    Some(text.split(' ').nth(1)?.parse::<u64>().ok()? * 4096)
}

fn asked(text: &[u8]) -> Vec<Asked> {
    let text = String::from_utf8_lossy(text);
    let line = |it: &str| {
        let (name, size) = it.rsplit_once(' ')?;
        Some(Asked { name: name.to_owned(), size: size.parse().ok()? })
    };
    text.lines().take(MOST_ASKED).filter_map(line).collect()
}

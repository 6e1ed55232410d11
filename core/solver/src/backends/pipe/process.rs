//! A solver's process: started, talked to, killed.
//!
//! Knows: lines and parentheses. Never: what they mean.

use super::Trouble;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel};
use std::time::{Duration, Instant};

/// A longer line is no answer.
const MOST_BYTES: u64 = 64 << 20;

/// So many lines wait to be read; a solver that floods is blocked by its pipe.
const LINES: usize = 1024;

/// How often an interrupt is looked for.
const TICK: Duration = Duration::from_millis(20);

pub(crate) struct Process {
    child: Child,
    /// What is to be written: a solver that does not read blocks the thread that writes, not us.
    input: Sender<String>,
    lines: Receiver<String>,
}

impl Process {
    /// Starts a command, its words separated by spaces, and tells it `options`.
    pub(crate) fn start(command: &str, options: &str) -> Result<Process, String> {
        let mut words = command.split_whitespace();
        let program = words.next().ok_or("no solver command is given")?;
        let mut child = Command::new(program)
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| match error.kind() {
                std::io::ErrorKind::NotFound => format!(
                    "`{program}` was not found; install it (`apt install z3`, or `pipx install z3-solver`, or \
                     `python3 -m venv ~/z3 && ~/z3/bin/pip install z3-solver` with ~/z3/bin in PATH) \
                     or name another with --smt"
                ),
                _ => format!("`{program}` could not be started: {error}"),
            })?;
        let (Some(stdin), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(format!("`{program}` has no pipes"));
        };
        let (sender, lines) = sync_channel(LINES);
        std::thread::spawn(move || {
            let mut reader = BufReader::new(output);
            loop {
                let mut line = Vec::new();
                let mut limited = std::io::Read::take(&mut reader, MOST_BYTES);
                match limited.read_until(b'\n', &mut line) {
                    Ok(0) | Err(_) => return,
                    Ok(_) => {
                        let text = String::from_utf8_lossy(&line).trim_end().to_owned();
                        if sender.send(text).is_err() {
                            return;
                        }
                    }
                }
            }
        });
        let (input, texts) = channel();
        std::thread::spawn(move || write_all(stdin, &texts));
        let mut process = Process { child, input, lines };
        process.send(options).map_err(|_| format!("`{program}` ended as soon as it was started"))?;
        Ok(process)
    }

    pub(crate) fn send(&mut self, text: &str) -> Result<(), Trouble> {
        self.input.send(text.to_owned()).map_err(|_| Trouble::Failed("the solver's process has ended".to_owned()))
    }

    /// The next line that is not empty.
    pub(crate) fn line(&mut self, patience: Duration, interrupt: &AtomicBool) -> Result<String, Trouble> {
        let deadline = Instant::now() + patience;
        loop {
            match self.lines.recv_timeout(TICK.min(patience)) {
                Ok(line) if line.trim().is_empty() => {}
                Ok(line) => return Ok(line.trim().to_owned()),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(Trouble::Failed("the solver's process has ended".to_owned()));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
            if Instant::now() >= deadline || interrupt.load(Ordering::Relaxed) {
                return Err(Trouble::Late);
            }
        }
    }

    /// The next answer in balanced parentheses, perhaps over several lines.
    pub(crate) fn answer(&mut self, patience: Duration, interrupt: &AtomicBool) -> Result<String, Trouble> {
        let mut res = String::new();
        loop {
            res.push_str(&self.line(patience, interrupt)?);
            res.push('\n');
            if res.len() as u64 > MOST_BYTES {
                return Err(Trouble::Failed("the solver's answer does not end".to_owned()));
            }
            if super::sexpr::is_balanced(&res) {
                return Ok(res);
            }
        }
    }
}

/// Writes until the pipe or the process is closed.
fn write_all(mut stdin: ChildStdin, texts: &Receiver<String>) {
    while let Ok(text) = texts.recv() {
        if stdin.write_all(text.as_bytes()).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

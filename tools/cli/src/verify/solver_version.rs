//! The version of the external solver, as it tells it.
//!
//! Knows: one process, started with `--version`. Never: a query.

use std::io::{ErrorKind, Read};
use std::process::{Command, Stdio};
use std::sync::mpsc::channel;
use std::time::Duration;

/// A solver that says nothing for so long does not know `--version`. Chosen without measuring: z3 takes 20 ms.
const PATIENCE: Duration = Duration::from_secs(5);

/// The most bytes that are read of a version.
const MOST_BYTES: u64 = 4096;

/// What the solver that `command` starts prints for `--version`: empty where it is not installed, so that nothing is
/// decided by it, and nothing where it does not tell.
pub(crate) fn solver_version(command: &str) -> Option<String> {
    let mut words = command.split_whitespace();
    let mut solver = Command::new(words.next()?);
    solver.args(words).arg("--version").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = match solver.spawn() {
        Ok(child) => child,
        Err(error) if error.kind() == ErrorKind::NotFound => return Some(String::new()),
        Err(_) => return None,
    };
    let output = child.stdout.take()?;
    let (sender, told) = channel();
    std::thread::spawn(move || {
        let mut text = Vec::new();
        let read = output.take(MOST_BYTES).read_to_end(&mut text);
        let _ = sender.send(read.map(|_| text));
    });
    let text = told.recv_timeout(PATIENCE);
    // It may hang, or have more to say.
    let _ = child.kill();
    let _ = child.wait();
    let text = String::from_utf8_lossy(&text.ok()?.ok()?).trim().to_owned();
    (!text.is_empty()).then_some(text)
}

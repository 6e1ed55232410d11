//! What goes to the terminal: results, and a progress line where there is somebody to see it.

use crate::Failure;
use effigy_report::plural::counted;
use effigy_walk::{Endless, Progress};
use std::cell::RefCell;
use std::io::{IsTerminal, Write};

/// Shows progress on standard error during a run.
#[derive(Debug)]
pub(crate) struct ProgressLine {
    on: bool,
    shown: bool,
}

impl ProgressLine {
    pub(crate) fn new(wanted: bool) -> ProgressLine {
        ProgressLine { on: wanted && std::io::stderr().is_terminal(), shown: false }
    }

    pub(crate) fn show(&mut self, progress: &Progress) {
        let seconds = progress.time.as_secs_f64();
        let share = if seconds > 0.0 { 100.0 * progress.solver.as_secs_f64() / seconds } else { 0.0 };
        let mut line = format!(
            "{seconds:.0} s  {}, {} waiting  {}  {}  solver {share:.0} %",
            counted(progress.paths, "path"),
            progress.pending,
            counted(progress.bugs, "bug"),
            counted(progress.sites, "site")
        );
        if let Some(endless) = &progress.endless {
            let (often, place) = match endless {
                Endless::Forks(times, place) => (format!("{times} turns"), place),
                Endless::Straight(steps, place) => (format!("{steps} transitions"), place),
            };
            let file = place.file.rsplit('/').next().unwrap_or_default();
            line.push_str(&format!("  no end in sight: {often} at {file}:{}", place.line));
        }
        self.line(&line);
    }

    /// Shows this in place of what was shown before.
    pub(crate) fn line(&mut self, text: &str) {
        if !self.on {
            return;
        }
        self.shown = true;
        eprint!("\r\x1b[K{text}");
        let _ = std::io::stderr().flush();
    }

    /// Shows a line that stays, above what is shown.
    pub(crate) fn above(&mut self, text: &str) {
        self.clear();
        eprintln!("{text}");
    }

    pub(crate) fn clear(&mut self) {
        if self.shown {
            eprint!("\r\x1b[K");
            self.shown = false;
        }
    }
}

/// Whether somebody sees standard error as it comes.
pub(crate) fn to_terminal() -> bool {
    std::io::stderr().is_terminal()
}

/// Whether somebody sees standard output as it comes.
pub(crate) fn is_shown() -> bool {
    std::io::stdout().is_terminal()
}

/// Whether standard output takes colours.
pub(crate) fn colours() -> bool {
    std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none()
}

thread_local! {
    /// What results are written to in place of standard output: a harness that runs commands in this thread reads them.
    static CAPTURED: RefCell<Option<Vec<u8>>> = const { RefCell::new(None) };
}

/// Runs `command`; what it writes to standard output in this thread is returned beside its result.
pub(crate) fn captured<T>(command: impl FnOnce() -> T) -> (T, Vec<u8>) {
    CAPTURED.set(Some(Vec::new()));
    let result = command();
    (result, CAPTURED.take().unwrap_or_default())
}

/// Writes to standard output, or to what stands in its place. That nobody reads any more (`effigy run ... | head`) is no
/// error.
fn write_output(write: impl FnOnce(&mut dyn Write) -> std::io::Result<()>) -> Result<(), Failure> {
    let written = CAPTURED.with_borrow_mut(|captured| match captured {
        Some(buffer) => write(buffer),
        None => {
            let mut out = std::io::BufWriter::new(std::io::stdout().lock());
            write(&mut out).and_then(|()| out.flush())
        }
    });
    match written {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(Failure(format!("standard output: {error}")))
        }
        _ => Ok(()),
    }
}

/// Writes results to standard output.
pub(crate) fn say(text: &str) -> Result<(), Failure> {
    write_output(|out| out.write_all(text.as_bytes()))
}

/// Writes one JSON object to standard output. It may be large: it is written as it is made.
pub(crate) fn say_json(value: &impl serde::Serialize) -> Result<(), Failure> {
    write_output(|mut out| {
        effigy_report::pretty::to_writer(&mut out, value).map_err(std::io::Error::from)?;
        out.write_all(b"\n")
    })
}

/// Writes one JSON object that is in a file already to standard output.
pub(crate) fn say_json_of(path: &std::path::Path) -> Result<(), Failure> {
    let mut file = std::fs::File::open(path).map_err(|error| Failure(format!("{}: {error}", path.display())))?;
    write_output(|mut out| {
        std::io::copy(&mut file, &mut out)?;
        out.write_all(b"\n")
    })
}

/// Tells on standard error what is wrong and no reason to stop.
pub(crate) fn warn(text: &str) {
    eprintln!("effigy: {text}");
}

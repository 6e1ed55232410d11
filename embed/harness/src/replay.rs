//! Native replay: a harness run on many recorded inputs in one process, for `cargo effigy --replay`.
//!
//! The file that `EFFIGY_REPLAY` names has a line for each run: the harness, a number, and the values in hexadecimal,
//! with tabulators between these three and commas between values. What becomes of a run is written to the file that
//! `EFFIGY_REPLAY_RESULTS` names: first that it begins, then how it ends.

use crate::recorded::concrete_playback_run;
use std::io::Write;
use std::panic::AssertUnwindSafe;
use std::sync::{Mutex, PoisonError};

/// The text of the last panic, and where it was.
static PANIC: Mutex<String> = Mutex::new(String::new());

/// Runs a harness on all inputs that were recorded for it, if this process is to do so.
pub fn replay(name: &str, harness: fn()) {
    let (Some(runs), Some(results)) = (std::env::var_os("EFFIGY_REPLAY"), std::env::var_os("EFFIGY_REPLAY_RESULTS"))
    else {
        return;
    };
    let runs = std::fs::read_to_string(runs).expect("the recorded runs can be read");
    let mut results = std::fs::File::options().append(true).create(true).open(results).expect("results can be written");
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(|info| {
        let text = info.payload().downcast_ref::<&str>().map(ToString::to_string);
        let text = text.or_else(|| info.payload().downcast_ref::<String>().cloned()).unwrap_or_default();
        *PANIC.lock().unwrap_or_else(PoisonError::into_inner) = text;
    }));
    for line in runs.lines() {
        let mut parts = line.split('\t');
        let (Some(of), Some(id), Some(values)) = (parts.next(), parts.next(), parts.next()) else { continue };
        if of != name {
            continue;
        }
        let mut tell = |what: &str| {
            let written = writeln!(results, "{name}\t{id}\t{what}");
            written.expect("a result can be written");
        };
        tell("begins");
        let values = values.split(',').filter(|it| !it.is_empty()).map(bytes).collect();
        let run = std::panic::catch_unwind(AssertUnwindSafe(|| concrete_playback_run(values, harness)));
        match run {
            Ok(()) => tell("ends"),
            Err(_) => {
                let text = PANIC.lock().unwrap_or_else(PoisonError::into_inner).clone();
                tell(&format!("panics\t{}", text.escape_debug()));
            }
        }
    }
    std::panic::set_hook(usual);
}

/// Bytes from hexadecimal digits.
fn bytes(text: &str) -> Vec<u8> {
    let digit = |at: usize| text.get(at..at + 2).and_then(|it| u8::from_str_radix(it, 16).ok());
    (0..text.len() / 2).filter_map(|it| digit(2 * it)).collect()
}

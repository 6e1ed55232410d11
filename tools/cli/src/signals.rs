//! Signals: Ctrl-C and SIGTERM end a walk, not the process, so that the results so far are reported.
//!
//! Knows: one flag. Never: who looks at it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The flag that a first signal sets; a second one ends the process.
pub(crate) fn interrupts() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    let set = Arc::clone(&flag);
    let handler = move || {
        if set.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    };
    if let Err(error) = ctrlc::set_handler(handler) {
        tracing::warn!(%error, "Ctrl-C will not be caught");
    }
    flag
}

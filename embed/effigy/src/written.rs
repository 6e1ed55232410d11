//! How a symbolic value becomes text: it is one of its values, each on a path of its own, but for the two texts that
//! people read.
//!
//! Knows: whether a panic is being told, or a specification written. Never: what the text is used for.
//!
//! A program can do anything with a text: compare it, parse it, take it for a key. So text has a value, as `value()` has.
//! Two texts name symbols instead, and ask nothing:
//!
//! * The message of a panic. It is made once the panic has begun (`std::thread::panicking`), so a path on which such a text
//!   is made fails, or catches the panic. A path that catches it is not *passed*: its verdict names the text.
//! * What the library writes for a report: a specification. No program reads it.

use effigy_session::{Session, SessionId};
use std::cell::Cell;

thread_local! {
    /// What is written on this thread is for a report of the library.
    static IS_REPORT: Cell<bool> = const { Cell::new(false) };
}

/// How a symbolic value is written here.
pub(crate) enum Style {
    /// By one of its values; each is followed.
    Value,
    /// By its term, as reports do.
    Term(Session),
    /// By nothing: its session is elsewhere, or over.
    Unknown,
}

/// How a symbolic value of this session is written now.
#[track_caller]
pub(crate) fn style(id: SessionId) -> Style {
    if IS_REPORT.get() {
        return Session::try_current().filter(|it| it.id() == id).map_or(Style::Unknown, Style::Term);
    }
    if std::thread::panicking() {
        return Session::writing_panic_of(id).map_or(Style::Unknown, Style::Term);
    }
    Style::Value
}

/// Whether what is written on this thread is for a report, which names symbols.
#[doc(hidden)]
pub fn is_report() -> bool {
    IS_REPORT.get()
}

/// Writes for a report: symbolic values by their terms.
pub(crate) fn for_report<R>(write: impl FnOnce() -> R) -> R {
    struct Before(bool);
    impl Drop for Before {
        fn drop(&mut self) {
            IS_REPORT.set(self.0);
        }
    }
    let _before = Before(IS_REPORT.replace(true));
    write()
}

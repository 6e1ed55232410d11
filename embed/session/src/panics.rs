//! Panics of the closure: message and place, and nothing printed, since a path that fails is reported with its inputs.
//!
//! Knows: the process's panic hook. Never: what a panic means.

use crate::place::place_of;
use effigy_engine::Place;
use std::any::Any;
use std::cell::{Cell, RefCell};
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

/// The message and the location of a panic.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Panic {
    pub(crate) message: String,
    pub(crate) place: Option<Place>,
}

/// The payload with which a run is left at its end: it is no panic, the hook is not called.
pub(crate) struct Leave;

thread_local! {
    /// So many runs are going on on this thread.
    static RUNNING: Cell<u32> = const { Cell::new(0) };
    static LAST: RefCell<Option<Panic>> = const { RefCell::new(None) };
}

fn text(payload: &dyn Any) -> String {
    match (payload.downcast_ref::<&str>(), payload.downcast_ref::<String>()) {
        (Some(it), _) => (*it).to_owned(),
        (_, Some(it)) => it.clone(),
        _ => "a panic with a value that is no text".to_owned(),
    }
}

/// Panics on threads that run a closure of ours are kept, the others go where they went.
fn install() {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            let ours = RUNNING.try_with(|it| it.get() > 0).unwrap_or(false);
            if !ours {
                return before(info);
            }
            let place = info.location().map(place_of);
            let panic = Panic { message: text(info.payload()), place };
            // A hook must not fail: on a thread that ends there is nobody to tell.
            let _ = LAST.try_with(|it| it.replace(Some(panic)));
        }));
    });
}

/// Runs the closure; an error where it panics.
pub(crate) fn catch(run: &mut dyn FnMut()) -> Result<(), Panic> {
    install();
    RUNNING.set(RUNNING.get() + 1);
    LAST.take();
    // What the closure leaves half done is its own: the next run starts it anew, or it is not deterministic.
    let res = panic::catch_unwind(AssertUnwindSafe(run));
    RUNNING.set(RUNNING.get() - 1);
    res.map_err(|payload| {
        let message = text(&*payload);
        // The panic that was heard last may be one that the closure has caught.
        LAST.take().filter(|it| it.message == message).unwrap_or(Panic { message, place: None })
    })
}

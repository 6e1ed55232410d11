//! The current session of a thread: its number, and the run in progress.
//!
//! Knows: who is current on this thread. Never: what a question means.

use crate::account::Limits;
use crate::registry::{self, SessionId};
use crate::run::{Choices, Run};
use crate::surroundings::Surroundings;
use effigy_term::{Terms, Value};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::Deref;
use std::rc::Rc;

pub(crate) struct CurrentSession {
    pub(crate) id: SessionId,
    surroundings: Surroundings,
    /// The values of a concrete run; `None` where inputs are symbolic.
    pub(crate) given: RefCell<Option<Rc<ConcreteInputs>>>,
    pub(crate) run: RefCell<Run>,
}

/// The values with which a concrete run is made.
#[derive(Debug, Default)]
pub(crate) struct ConcreteInputs {
    /// The value of each symbol, by its name.
    pub(crate) values: BTreeMap<String, Value>,
    /// The answers to the choices of the run; `None`: each is followed.
    pub(crate) choices: Option<Choices>,
    /// The variables of quantifiers have no values.
    pub(crate) quantified_are_free: bool,
}

impl Deref for CurrentSession {
    type Target = Surroundings;

    fn deref(&self) -> &Surroundings {
        &self.surroundings
    }
}

thread_local! {
    static CURRENT: RefCell<Vec<Rc<CurrentSession>>> = const { RefCell::new(Vec::new()) };
}

impl CurrentSession {
    pub(crate) fn new(limits: &Limits, terms: Rc<Terms>, given: Option<ConcreteInputs>) -> Rc<CurrentSession> {
        let surroundings = Surroundings::new(limits, terms);
        let given = RefCell::new(given.map(Rc::new));
        Rc::new(CurrentSession { id: registry::open(), surroundings, given, run: RefCell::default() })
    }

    /// The inputs of the concrete run in progress.
    pub(crate) fn given(&self) -> Option<Rc<ConcreteInputs>> {
        self.given.borrow().clone()
    }

    /// The session that this thread is in now.
    pub(crate) fn current() -> Option<Rc<CurrentSession>> {
        CURRENT.with_borrow(|it| it.last().cloned())
    }

    /// The same for who may be called at any time: while a thread ends, or while this is being written.
    pub(crate) fn try_current() -> Option<Rc<CurrentSession>> {
        CURRENT.try_with(|it| it.try_borrow().ok()?.last().cloned()).ok()?
    }

    /// The session of this number, if this thread is in it.
    pub(crate) fn of(id: SessionId) -> Option<Rc<CurrentSession>> {
        CURRENT.with_borrow(|it| it.iter().rev().find(|it| it.id == id).cloned())
    }

    /// Does something within the session.
    pub(crate) fn enter<R>(self: &Rc<CurrentSession>, inside: impl FnOnce() -> R) -> R {
        struct Within;
        impl Drop for Within {
            fn drop(&mut self) {
                CURRENT.with_borrow_mut(|it| it.pop());
            }
        }
        CURRENT.with_borrow_mut(|it| it.push(Rc::clone(self)));
        let _within = Within;
        inside()
    }
}

impl Drop for CurrentSession {
    fn drop(&mut self) {
        registry::close(self.id);
    }
}

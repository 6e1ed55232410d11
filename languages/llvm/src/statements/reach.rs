//! Which lines a path may still come to, as far as the code alone says.
//!
//! Knows: edges and calls. Never: conditions; when in doubt a line may be come to.

use crate::code::{Code, Inst, Target};
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

/// What lies ahead of a place in a function, calls included.
#[derive(Clone, Debug, Default)]
struct Ahead {
    /// Places by number.
    places: BTreeSet<u32>,
    /// Anything: what is called is not known.
    open: bool,
}

/// What was found out.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reach {
    ahead: RefCell<HashMap<(u32, u32), Rc<Ahead>>>,
}

impl Reach {
    /// Whether one of these places lies ahead of this one, in the function or in what it calls.
    pub(crate) fn may_come_to(&self, code: &Code, from: (u32, u32), places: &[u32]) -> bool {
        let known = self.ahead.borrow().get(&from).cloned();
        let ahead = known.unwrap_or_else(|| {
            let found = Rc::new(ahead(code, from));
            self.ahead.borrow_mut().insert(from, Rc::clone(&found));
            found
        });
        ahead.open || places.iter().any(|it| ahead.places.contains(it))
    }
}

fn ahead(code: &Code, from: (u32, u32)) -> Ahead {
    let mut res = Ahead::default();
    let mut seen = BTreeSet::from([from]);
    let mut work = vec![from];
    while let Some((number, at)) = work.pop() {
        let function = &code.functions[number as usize];
        res.places.insert(function.places[at as usize]);
        let mut next = |it: (u32, u32)| {
            if seen.insert(it) {
                work.push(it);
            }
        };
        let edge = |it: u32| (number, code.edges[it as usize].target);
        match function.code[at as usize] {
            Inst::Jump { edge: to } => next(edge(to)),
            Inst::Branch { then, other, .. } => {
                next(edge(then));
                next(edge(other));
            }
            Inst::Switch { switch } => {
                let switch = &code.switches[switch as usize];
                switch.cases.iter().for_each(|it| next(edge(it.1)));
                next(edge(switch.default));
            }
            Inst::Ret { .. } | Inst::Unreachable => {}
            Inst::Call { call } => {
                let call = &code.calls[call as usize];
                match &call.target {
                    Target::Function(callee) => next((*callee, 0)),
                    // A function that is handed over may be called.
                    Target::Builtin(_) | Target::External(_) => {
                        res.open |=
                            call.arguments.iter().any(|it| it.value.decode().is_err_and(|it| is_function(code, it)));
                    }
                    Target::Address(_) => res.open = true,
                }
                if let Some(unwind) = &call.unwind {
                    next(edge(unwind.edge));
                }
                match call.normal {
                    _ if call.never_returns => {}
                    Some(to) => next(edge(to)),
                    None => next((number, at + 1)),
                }
            }
            _ => next((number, at + 1)),
        }
    }
    res
}

/// Whether a constant is the address of a function.
fn is_function(code: &Code, constant: usize) -> bool {
    let address = code.constants.get(constant).and_then(crate::value::Val::as_int);
    address.is_some_and(|it| code.callables.contains_key(&crate::memory::ObjectId::of_address(it).0.0))
}

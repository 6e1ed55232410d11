//! A path of the verifier moves to where a person sees it, or where others can come.
//!
//! Knows: what stops a path, and what its end is. Never: the walk.

use super::{Came, Detail, Fork};
use crate::machine::{Machine, Stop};
use crate::moment::{End, action};
use crate::state::State;
use crate::walk::Next;

impl<'a> Machine<'a, '_> {
    /// Moves a path until its fuel is used up, or until it comes to work that a person sees.
    pub(super) fn move_path(&mut self, mut path: State<'a>, detail: Detail, unseen: bool, fuel: &mut u64) -> Came<'a> {
        let mut stands = unseen;
        loop {
            let seen = stands && detail != Detail::Nothing;
            if seen && path.work.last().is_some_and(|it| action(it, self.code.as_deref()).is_some()) {
                return Came::Stands(path);
            }
            if *fuel == 0 || (stands && self.merging && self.meets(&path)) {
                return Came::Stands(path);
            }
            *fuel -= 1;
            stands = true;
            let mode = path.mode;
            let before = if detail == Detail::Nothing { State::default() } else { path.clone() };
            let step = match path.work.pop() {
                None => return Came::Ends(End::Verified, before),
                Some(work) => self.step(path, work),
            };
            match step {
                Ok(None) => return Came::Ends(End::Verified, before),
                Ok(Some(Next::On(next))) => path = next,
                Ok(Some(Next::Fork { cond, span, then, other })) => match self.terms.as_bool(cond) {
                    Some(true) => path = then,
                    Some(false) => path = other,
                    None => {
                        let negated = self.terms.not(cond);
                        return Came::Forks(Box::new(Fork { cond, negated, span, then, other }));
                    }
                },
                Err(stop) => return Came::Ends(self.ended(stop, mode), before),
            }
        }
    }

    /// Whether a path stands where others can come.
    fn meets(&self, path: &State<'a>) -> bool {
        let at = path.stands_at();
        self.code.as_ref().zip(at).is_some_and(|(code, at)| code.meeting(at).is_some())
    }

    /// What the end of a path is. A failure is noted; it is the last one of all if no more are wanted.
    fn ended(&mut self, stop: Stop, mode: crate::state::Mode) -> End {
        match stop {
            Stop::Infeasible => End::Infeasible,
            Stop::Failed(failure) if self.merging => End::Failed(failure),
            Stop::Failed(failure) => match self.report(failure.clone(), mode) {
                Err(Stop::Failed(last)) => {
                    self.account.failures.push((*last).clone());
                    self.account.closed = true;
                    End::Failed(last)
                }
                _ => End::Failed(failure),
            },
            Stop::Undecided(why) => End::Undecided(why),
            Stop::Unsupported(what, span) => End::Unsupported(what, span),
        }
    }
}

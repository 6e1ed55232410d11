//! One walk over the terms below a term, arguments first.
//!
//! Knows: sharing (each term is met once) and that terms are deep (no recursion). Never: what is computed.

use crate::node::Term;
use crate::terms::Terms;
use rustc_hash::FxHashMap;

impl Terms {
    /// What `build` makes of `term`, from what it made of each argument. `stop` is asked first: where it has an answer,
    /// the arguments are not looked at.
    pub fn fold<T: Clone>(
        &self,
        term: Term,
        stop: impl FnMut(Term) -> Option<T>,
        build: impl FnMut(Term, &FxHashMap<Term, T>) -> T,
    ) -> T {
        self.fold_into(&mut FxHashMap::default(), term, stop, build)
    }

    /// As [`Terms::fold`], with the answers in `done`: what is there already is not asked for again, and what is met is
    /// there afterwards.
    pub fn fold_into<T: Clone>(
        &self,
        done: &mut FxHashMap<Term, T>,
        term: Term,
        mut stop: impl FnMut(Term) -> Option<T>,
        mut build: impl FnMut(Term, &FxHashMap<Term, T>) -> T,
    ) -> T {
        let mut work = vec![term];
        while let Some(&next) = work.last() {
            if done.contains_key(&next) {
                work.pop();
                continue;
            }
            if let Some(answer) = stop(next) {
                done.insert(next, answer);
                work.pop();
                continue;
            }
            let before = work.len();
            self.node(next).for_each_argument(|it| {
                if !done.contains_key(&it) {
                    work.push(it);
                }
            });
            if work.len() == before {
                let answer = build(next, done);
                done.insert(next, answer);
                work.pop();
            }
        }
        done[&term].clone()
    }
}

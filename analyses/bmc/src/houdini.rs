//! What rounds of a loop keep: guessed of the numbers that change, and kept while each round keeps it.
//!
//! Knows: where guesses come from, how they are refuted. Never: how a round is walked.
//! Source: Flanagan, Leino, "Houdini, an annotation assistant for ESC/Java", FME 2001.

use crate::guesses::{Bound, Guess};
use crate::unwind::Unwinding;
use effigy_engine::{Havoc, Merged};
use effigy_solver::Answer;
use effigy_term::eval::Evaluator;
use effigy_term::{BvValue, Node, Symbol, Term, Terms, Width};
use std::collections::BTreeSet;

/// A guess of more comparisons than this is none.
const MOST_GUESSES: usize = 256;

impl<L: Havoc> Unwinding<'_, '_, L> {
    /// What may be so in each state in which a round begins, and is in the path's own.
    pub(crate) fn guess(
        &mut self,
        start: &Merged<L::State>,
        before: &[Option<Term>],
        now: &[Option<Term>],
        arrivals: &[Merged<L::State>],
        changes: &L::Changes,
    ) -> Vec<Guess> {
        let numbers: Vec<usize> = (0..now.len()).filter(|&at| now[at].is_some() && before[at].is_some()).collect();
        let mut res = Vec::new();
        for &at in &numbers {
            res.extend(Bound::ALL.map(|bound| Guess::Start(at, bound)));
        }
        for (at, &a) in numbers.iter().enumerate() {
            for &b in &numbers[at + 1..] {
                if self.width(now[a]) == self.width(now[b]) {
                    res.extend([Guess::Difference(a, b), Guess::Sum(a, b)]);
                }
            }
        }
        // What a round compares with what was there before it, is often kept below it. An input that the round asks for
        // has the same name in each walk of it, and is another one in each round.
        let mut known: BTreeSet<Symbol> = self.terms.symbols(start.guard.term(self.terms)).iter().copied().collect();
        known.extend(before.iter().flatten().flat_map(|it| self.terms.symbols(*it)));
        let mut limits: Vec<(usize, Term)> = Vec::new();
        for path in arrivals {
            for cond in path.guard.conjuncts().take(path.guard.len().saturating_sub(start.guard.len())) {
                self.compared(cond, now, &known, &mut limits);
            }
        }
        for (at, limit) in limits {
            res.extend(Bound::ALL.map(|bound| Guess::Limit(at, limit, bound)));
        }
        let mut constants: Vec<BvValue> = Vec::new();
        for path in arrivals {
            path.guard.conjuncts().for_each(|it| self.constants(it, &mut constants));
            // What a branch within the round compares, is in the values that were merged after it.
            let after = self.with_context(|language, ctx| language.numbers(ctx, &path.state, changes));
            after.into_iter().flatten().for_each(|it| self.constants(it, &mut constants));
        }
        for &at in &numbers {
            let Some(width) = now[at].and_then(|it| self.terms.sort(it).width()) else { continue };
            let one = BvValue::from_u64(width, 1);
            let near = constants.iter().filter_map(|it| narrowed(it, width)).flat_map(|it| [it.sub(&one), it]);
            let mut limits: Vec<Term> = near.chain([BvValue::from_u64(width, 0)]).map(|it| self.terms.bv(it)).collect();
            limits.sort_unstable();
            limits.dedup();
            for limit in limits {
                res.extend(Bound::ALL.map(|bound| Guess::Limit(at, limit, bound)));
            }
        }
        // Few values only.
        for &at in &numbers {
            let mut values = Vec::new();
            let mut few = self.leaves(before[at], &mut values);
            for path in arrivals {
                let after = self.with_context(|language, ctx| language.numbers(ctx, &path.state, changes));
                few &= self.leaves(after.get(at).copied().flatten(), &mut values);
            }
            if few {
                res.push(Guess::Among(at, values));
            }
        }
        res.truncate(MOST_GUESSES);
        // Of these, what holds in the path itself.
        let own: Vec<Option<Term>> = before.to_vec();
        self.holding(start.guard.term(self.terms), &mut res, |it, terms| it.of(terms, before, &own));
        res
    }

    /// Keeps those that hold where a guard does: each model takes all away that it refutes.
    pub(crate) fn holding(&mut self, guard: Term, guesses: &mut Vec<Guess>, said: impl Fn(&Guess, &Terms) -> Term) {
        loop {
            let fails = guesses.iter().map(|it| self.terms.not(said(it, self.terms)));
            let some_fails = self.terms.or_all(fails.collect::<Vec<_>>());
            match self.ask_to_close(self.terms.and(guard, some_fails)) {
                Answer::Unsat => return,
                Answer::Sat(model) => {
                    let mut evaluator = Evaluator::new(self.terms, &model);
                    let before = guesses.len();
                    guesses.retain(|it| evaluator.truth(said(it, self.terms)) == Some(true));
                    if guesses.len() == before {
                        return guesses.clear();
                    }
                }
                Answer::Unknown(_) => return guesses.clear(),
            }
        }
    }

    /// The guesses that each round keeps.
    pub(crate) fn keeps(
        &mut self,
        guesses: &[Guess],
        before: &[Option<Term>],
        arrivals: &[Merged<L::State>],
        changes: &L::Changes,
    ) -> Vec<Guess> {
        let mut res = guesses.to_vec();
        for path in arrivals {
            let after = self.with_context(|language, ctx| language.numbers(ctx, &path.state, changes));
            let guard = path.guard.term(self.terms);
            res.retain(|it| it.can_be_said(&after));
            self.holding(guard, &mut res, |it, terms| it.of(terms, before, &after));
        }
        res
    }

    fn width(&self, term: Option<Term>) -> Option<u32> {
        self.terms.sort(term?).width().map(|it| it.bits())
    }

    /// The numbers that change which a condition compares with what is known before.
    fn compared(&self, cond: Term, now: &[Option<Term>], known: &BTreeSet<Symbol>, into: &mut Vec<(usize, Term)>) {
        let mut work = vec![cond];
        while let Some(cond) = work.pop() {
            match self.terms.node(cond) {
                Node::Not(inner) => work.push(*inner),
                Node::And(parts) | Node::Or(parts) => work.extend(parts.iter().copied()),
                Node::Ult(a, b) | Node::Slt(a, b) | Node::Eq(a, b) => {
                    for (here, there) in [(*a, *b), (*b, *a)] {
                        let Some(at) = now.iter().position(|it| *it == Some(here)) else { continue };
                        let stays = self.terms.symbols(there).iter().all(|it| known.contains(it));
                        if stays && !into.contains(&(at, there)) {
                            into.push((at, there));
                        }
                    }
                }
                _ => {}
            }
            if into.len() > MOST_GUESSES {
                return;
            }
        }
    }

    /// The numbers that a condition, or those within a value, compare something with.
    fn constants(&self, of: Term, into: &mut Vec<BvValue>) {
        let mut work = vec![of];
        let mut left = 1_000;
        while let Some(term) = work.pop() {
            left -= 1;
            if left == 0 || into.len() > 16 {
                return;
            }
            match self.terms.node(term) {
                Node::Ult(a, b) | Node::Slt(a, b) | Node::Eq(a, b) => {
                    for it in [a, b].into_iter().filter_map(|it| self.terms.as_bv(*it)) {
                        if !into.contains(it) {
                            into.push(it.clone());
                        }
                    }
                }
                Node::Not(inner) => work.push(*inner),
                Node::And(parts) | Node::Or(parts) => work.extend(parts.iter().copied()),
                Node::Ite(cond, then, other) => work.extend([*cond, *then, *other]),
                _ => {}
            }
        }
    }

    /// The numbers that a term is one of, where they are few; what is not changed is none.
    fn leaves(&self, term: Option<Term>, into: &mut Vec<Term>) -> bool {
        let mut work: Vec<Term> = term.into_iter().collect();
        let mut seen = 0;
        while let Some(term) = work.pop() {
            seen += 1;
            match *self.terms.node(term) {
                Node::Ite(_, then, other) => work.extend([then, other]),
                _ if self.terms.as_bv(term).is_some() => {
                    if !into.contains(&term) {
                        into.push(term);
                    }
                }
                // What a round leaves as it is: one of those that it was.
                Node::Symbol(_) => {}
                _ => return false,
            }
            if seen > 64 || into.len() > 8 {
                return false;
            }
        }
        true
    }
}

/// A number in a width that it fits in: narrow variables are compared as wider ones.
fn narrowed(number: &BvValue, width: Width) -> Option<BvValue> {
    if number.width() < width {
        return None;
    }
    let res = number.extract(width.bits() - 1, 0);
    let wide = number.width();
    (res.zero_extend(wide) == *number || res.sign_extend(wide) == *number).then_some(res)
}

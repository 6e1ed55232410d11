//! What rounds of a loop keep: guessed of the numbers that change, and kept while each round keeps it.
//!
//! Knows: where guesses come from, how they are refuted. Never: how a round is walked.
//! Source: Flanagan, Leino, "Houdini, an annotation assistant for ESC/Java", FME 2001.

use crate::guesses::{Bound, Guess};
use crate::unwind::Unwinding;
use effigy_engine::{Havoc, Merged};
use effigy_solver::Answer;
use effigy_term::eval::Evaluator;
use effigy_term::{BvValue, Node, Sort, Symbol, Term, Terms, Width};
use std::collections::BTreeSet;

/// The most candidate invariants of a loop, and the most comparisons that are collected for them.
const MOST_GUESSES: usize = 256;

impl<L: Havoc> Unwinding<'_, '_, L> {
    /// The candidate invariants that hold where the path waits.
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
            res.extend(self.bounds(now[at]).map(|bound| Guess::Start(at, bound)));
        }
        for (at, &a) in numbers.iter().enumerate() {
            for &b in &numbers[at + 1..] {
                if self.sort(now[a]) == self.sort(now[b]) {
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
            res.extend(self.bounds(now[at]).map(|bound| Guess::Limit(at, limit, bound)));
        }
        let mut constants: Vec<Term> = Vec::new();
        for path in arrivals {
            path.guard.conjuncts().for_each(|it| self.constants(it, &mut constants));
            // What a branch within the round compares, is in the values that were merged after it.
            let after = self.with_context(|language, ctx| language.numbers(ctx, &path.state, changes));
            after.into_iter().flatten().for_each(|it| self.constants(it, &mut constants));
        }
        for &at in &numbers {
            let Some(sort) = self.sort(now[at]) else { continue };
            let mut limits: Vec<Term> = constants.iter().flat_map(|it| self.near(*it, sort)).collect();
            limits.extend(self.zero(sort));
            limits.sort_unstable();
            limits.dedup();
            for limit in limits {
                res.extend(self.bounds(now[at]).map(|bound| Guess::Limit(at, limit, bound)));
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

    /// Keeps the candidates that hold where a guard does: each model removes all that it refutes.
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

    /// The candidates that each iteration preserves.
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

    /// The sort of a number that candidates are made of.
    fn sort(&self, term: Option<Term>) -> Option<Sort> {
        Some(self.terms.sort(term?)).filter(|it| !Bound::of(*it).is_empty())
    }

    fn bounds(&self, term: Option<Term>) -> impl Iterator<Item = Bound> + use<L> {
        self.sort(term).map_or(&[][..], Bound::of).iter().copied()
    }

    fn zero(&self, sort: Sort) -> Option<Term> {
        match sort {
            Sort::BitVec(width) => Some(self.terms.bv(BvValue::from_u64(width, 0))),
            Sort::Int => Some(self.terms.int(0)),
            _ => None,
        }
    }

    fn is_number(&self, term: Term) -> bool {
        self.terms.as_bv(term).is_some() || self.terms.as_int(term).is_some()
    }

    /// A number and those beside it, in a sort that it fits in.
    fn near(&self, number: Term, sort: Sort) -> Vec<Term> {
        let terms = self.terms;
        match (sort, terms.as_bv(number), terms.as_int(number)) {
            (Sort::BitVec(width), Some(it), _) => narrowed(it, width)
                .map(|it| vec![terms.bv(it.sub(&BvValue::from_u64(width, 1))), terms.bv(it)])
                .unwrap_or_default(),
            (Sort::Int, _, Some(it)) => vec![terms.int(it - 1), terms.int(it.clone()), terms.int(it + 1)],
            _ => Vec::new(),
        }
    }

    /// The numbers that change which a condition compares with what is known before.
    fn compared(&self, cond: Term, now: &[Option<Term>], known: &BTreeSet<Symbol>, into: &mut Vec<(usize, Term)>) {
        let mut work = vec![cond];
        while let Some(cond) = work.pop() {
            match self.terms.node(cond) {
                Node::Not(inner) => work.push(*inner),
                Node::And(parts) | Node::Or(parts) => work.extend(parts.iter().copied()),
                Node::IntLe(a, b) => self.compared_sums(*a, *b, now, known, into),
                Node::Eq(a, b) if self.terms.sort(*a) == Sort::Int => self.compared_sums(*a, *b, now, known, into),
                Node::Ult(a, b) | Node::Slt(a, b) | Node::Eq(a, b) => {
                    for (here, there) in [(*a, *b), (*b, *a)] {
                        let Some(at) = now.iter().position(|it| *it == Some(here)) else { continue };
                        if self.stays(there, known) && !into.contains(&(at, there)) {
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

    fn stays(&self, term: Term, known: &BTreeSet<Symbol>) -> bool {
        self.terms.symbols(term).iter().all(|it| known.contains(it))
    }

    /// Comparisons of integers are kept as sums: what the numbers that change are compared with is the rest of them.
    /// `i < n` is `i ≤ n - 1`, and what every round keeps is `i ≤ n`.
    fn compared_sums(
        &self,
        a: Term,
        b: Term,
        now: &[Option<Term>],
        known: &BTreeSet<Symbol>,
        into: &mut Vec<(usize, Term)>,
    ) {
        let terms = self.terms;
        let less = terms.int_sub(b, a);
        let of_integers = now.iter().enumerate().filter(|it| self.sort(*it.1) == Some(Sort::Int));
        for (at, number) in of_integers.filter_map(|(at, it)| Some((at, (*it)?))) {
            for rest in [terms.int_add(less, number), terms.int_sub(number, less)] {
                if terms.symbols(number).is_empty() || !self.stays(rest, known) {
                    continue;
                }
                for limit in [-1, 0, 1].map(|it| terms.int_add(rest, terms.int(it))) {
                    if !into.contains(&(at, limit)) {
                        into.push((at, limit));
                    }
                }
            }
        }
    }

    /// The numbers that a condition, or those within a value, compare something with.
    fn constants(&self, of: Term, into: &mut Vec<Term>) {
        let mut work = vec![of];
        let mut left = 1_000;
        while let Some(term) = work.pop() {
            left -= 1;
            if left == 0 || into.len() > 16 {
                return;
            }
            match self.terms.node(term) {
                Node::Ult(a, b) | Node::Slt(a, b) | Node::IntLe(a, b) | Node::Eq(a, b) => {
                    for it in [*a, *b].into_iter().filter(|it| self.is_number(*it)) {
                        if !into.contains(&it) {
                            into.push(it);
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
                _ if self.is_number(term) => {
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

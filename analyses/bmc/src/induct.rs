//! Induction: a loop of which a round that begins anywhere leads to no bug needs no more rounds.
//!
//! Knows: what a round changes, what it keeps. Never: how a state is made of it.
//! Source: Strejček, IA159, "Bounded model checking" (correct only where no bound is reachable); Donaldson et al., SAS
//! 2011; the invariants are those of Flanagan, Leino, "Houdini", FME 2001: guessed, and kept while a round keeps them.
//!
//! The state of a path that waits at a loop's header gets anything for what a round was seen to change, until a round
//! changes nothing else; then it stands for each state in which a later round begins, and all that follows from it is
//! walked and asked as always. What is guessed of it holds in the path itself, and after each round that it holds
//! before. Loops that are come to on the way are closed in the same manner, or the attempt is given up.

use crate::obligations::Obligations;
use crate::paths::{Closed, Parking, Target, Waiting};
use crate::unwind::Unwinding;
use effigy_engine::{Context, Havoc, Inputs, Limit, Meeting, Merged, TurnId};
use effigy_solver::Answer;
use effigy_term::eval::Evaluator;
use effigy_term::{BvValue, Node, Sort, Symbol, SymbolKind, Term, Terms};
use std::collections::BTreeSet;

/// Loops within loops, and after them, are closed so deep.
const MOST_TARGETS: usize = 3;

/// A round is walked so often, each time with more that it changes, or less that is guessed.
const MOST_ATTEMPTS: usize = 12;

/// What is kept is told in so many characters, or not.
const MOST_TOLD: usize = 80;

/// A guess of more comparisons than this is none.
const MOST_GUESSES: usize = 256;

/// What a walk from a header has come to.
struct Walked<S> {
    obligations: Obligations,
    gaps: Vec<Term>,
    parked: Vec<(TurnId, Parking<S>)>,
}

impl<L: Havoc> Unwinding<'_, '_, L> {
    /// Whether this path has come to the header of a loop that is being closed; if so it is heard.
    pub(crate) fn arrives(&mut self, path: &Merged<L::State>) -> bool {
        if self.targets.is_empty() {
            return false;
        }
        let at = self.language.meeting(&path.state);
        let Some(index) = self.targets.iter().position(|it| is_next_round(&it.header, &at)) else { return false };
        // On the runs that go on, all held that had to.
        let mut arrived = path.clone();
        arrived.guard.assume(self.terms, self.obligations.held(self.terms));
        self.targets[index].arrivals.push(arrived);
        true
    }

    /// Whether no run that makes more rounds than a path that waits for this loop has a bug; what the loops keep is told
    /// then.
    ///
    /// # Errors
    /// Why it is not known.
    pub(crate) fn close(&mut self, id: TurnId, parked: &Parking<L::State>) -> Result<Closed, String> {
        if self.targets.len() >= MOST_TARGETS {
            return Err("loops within loops".to_owned());
        }
        let start = &parked.path;
        let mut changes = L::Changes::default();
        let mut guesses: Option<Vec<Guess>> = None;
        // Guessed once, and never more: what is dropped stays so.
        let mut guessed = false;
        for _ in 0..MOST_ATTEMPTS {
            if self.meter.exceeded().is_some() {
                return Err("the time is over".to_owned());
            }
            let (state, before, now) = self.with_context(|language, ctx| {
                let state = language.havoc(ctx, &start.state, &changes);
                let before = language.numbers(ctx, &start.state, &changes);
                let now = language.numbers(ctx, &state, &changes);
                (state, before, now)
            });
            let kept = guesses.take().unwrap_or_default();
            let mut guard = start.guard.clone();
            let assumed = self.terms.and_all(kept.iter().map(|it| it.of(self.terms, &before, &now)));
            guard.assume(self.terms, assumed);
            let mut begun = start.clone();
            (begun.state, begun.guard) = (state, guard);
            self.targets.push(Target { header: self.language.meeting(&start.state), arrivals: Vec::new() });
            let walked = self.walk_from(begun);
            let closed = walked.and_then(|it| self.close_all(it));
            let arrivals = self.targets.pop().map(|it| it.arrivals).unwrap_or_default();
            let (walked, mut inductions) = closed?;
            // More may change than was thought.
            let mut more = changes.clone();
            for path in &arrivals {
                let seen = self.with_context(|language, ctx| language.changes(ctx, &start.state, &path.state));
                more = self.language.joined(&more, &seen.map_err(|it| format!("a round changes {}", it.0))?);
            }
            if more != changes {
                changes = more;
                guesses = Some(Vec::new());
                guessed = false;
                continue;
            }
            // What is guessed must hold after each round that it holds before.
            if !std::mem::replace(&mut guessed, true) {
                let fresh = self.guess(start, &before, &now, &arrivals, &changes);
                if !fresh.is_empty() {
                    guesses = Some(fresh);
                    continue;
                }
            }
            // What was walked was walked with all of them: with fewer it is walked again.
            let still = self.keeps(&kept, &before, &arrivals, &changes);
            if still.len() < kept.len() {
                guesses = Some(still);
                continue;
            }
            // What was not walked can come back to the header, too: there is no second round of it.
            self.is_whole(&walked)?;
            if let Err(why) = self.settle(&walked) {
                inductions.extend(self.two_rounds(start, &arrivals, why)?);
            }
            if !arrivals.is_empty() {
                let names = self.language.names(&start.state, &changes);
                inductions.push((id, told(self.terms, &kept, &names, &before, &now)));
            }
            return Ok(inductions);
        }
        Err("too many attempts".to_owned())
    }

    fn with_context<R>(&mut self, of: impl FnOnce(&L, &mut Context<'_>) -> R) -> R {
        let inputs = Inputs::Symbolic;
        let ctx = Context::new(self.terms, &inputs, &mut self.coverage, &mut self.notes);
        let res = of(self.language, &mut ctx.merging(&mut self.common));
        self.common.asked.get_mut().clear();
        res
    }

    /// Walks all that follows from a state, apart from what waits.
    fn walk_from(&mut self, path: Merged<L::State>) -> Result<Walked<L::State>, String> {
        let waiting = std::mem::replace(&mut self.waiting, Waiting::new());
        let outer = std::mem::take(&mut self.parked);
        let obligations = std::mem::take(&mut self.obligations);
        let gaps = std::mem::take(&mut self.gaps);
        let stopped = self.advance(path).or_else(|| self.walk());
        self.waiting = waiting;
        let parked = std::mem::replace(&mut self.parked, outer);
        let walked = Walked {
            obligations: std::mem::replace(&mut self.obligations, obligations),
            gaps: std::mem::replace(&mut self.gaps, gaps).into_values().flatten().map(|it| it.0).collect(),
            parked: parked.into_iter().flat_map(|(id, it)| it.paths.into_iter().map(move |it| (id, it))).collect(),
        };
        match stopped {
            Some(Limit::Interrupt) => Err("interrupted".to_owned()),
            Some(limit) => Err(limit.to_string()),
            None => Ok(walked),
        }
    }

    /// Closes the loops that a walk has come to.
    fn close_all(&mut self, mut walked: Walked<L::State>) -> Result<(Walked<L::State>, Closed), String> {
        let mut closed = Closed::new();
        for (id, inner) in std::mem::take(&mut walked.parked) {
            if self.ask_to_close(inner.path.guard.term(self.terms)) == Answer::Unsat {
                continue;
            }
            closed.extend(self.close(id, &inner)?);
        }
        Ok((walked, closed))
    }

    /// Whether no bug is in a round after one without a bug, which begins anywhere, nor in the first round after the path
    /// that waits. `rounds` are where the first of the two ends, on the runs on which all that must hold does.
    fn two_rounds(
        &mut self,
        start: &Merged<L::State>,
        arrivals: &[Merged<L::State>],
        why: String,
    ) -> Result<Closed, String> {
        if !self.targets.is_empty() || arrivals.is_empty() {
            return Err(why);
        }
        let mut inductions = Closed::new();
        let mut from = vec![start.clone()];
        from.extend(arrivals.iter().cloned());
        for path in from {
            let header = self.language.meeting(&path.state);
            self.targets.push(Target { header, arrivals: Vec::new() });
            let walked = self.walk_from(path);
            let closed = walked.and_then(|it| self.close_all(it));
            self.targets.pop();
            let (walked, inner) = closed?;
            self.settle(&walked)?;
            inductions.extend(inner);
        }
        Ok(inductions)
    }

    /// Whether no run comes to what was not walked.
    fn is_whole(&mut self, walked: &Walked<L::State>) -> Result<(), String> {
        for &gap in &walked.gaps {
            if self.ask_to_close(gap) != Answer::Unsat {
                return Err("a round comes to what is not walked".to_owned());
            }
        }
        Ok(())
    }

    /// Whether all that must hold on a walk does, and all of it was walked.
    fn settle(&mut self, walked: &Walked<L::State>) -> Result<(), String> {
        self.is_whole(walked)?;
        for goal in walked.obligations.all_fail(self.terms) {
            if self.ask_to_close(goal) != Answer::Unsat {
                return Err("a round that begins anywhere can fail".to_owned());
            }
        }
        Ok(())
    }

    /// What may be so in each state in which a round begins, and is in the path's own.
    fn guess(
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
        }
        for &at in &numbers {
            let Some(width) = now[at].and_then(|it| self.terms.sort(it).width()) else { continue };
            let one = BvValue::from_u64(width, 1);
            let of_width = constants.iter().filter(|it| it.width() == width);
            let near = of_width.flat_map(|it| [it.sub(&one), it.clone()]);
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
    fn holding(&mut self, guard: Term, guesses: &mut Vec<Guess>, said: impl Fn(&Guess, &Terms) -> Term) {
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
    fn keeps(
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

    /// The numbers that a condition compares something with.
    fn constants(&self, cond: Term, into: &mut Vec<BvValue>) {
        let mut work = vec![cond];
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

/// Whether a path stands where another does, one round of one loop later.
fn is_next_round(header: &Meeting, at: &Meeting) -> bool {
    let mut differ = header.0.iter().zip(&at.0).filter(|(a, b)| a != b);
    let next = matches!(differ.next(), Some((a, b)) if *b == *a + 1);
    header.0.len() == at.0.len() && next && differ.next().is_none()
}

/// A comparison.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Bound {
    Least,
    Most,
    LeastUnsigned,
    MostUnsigned,
}

impl Bound {
    const ALL: [Bound; 4] = [Bound::Least, Bound::Most, Bound::LeastUnsigned, Bound::MostUnsigned];

    /// Whether the first limit leaves fewer numbers than the second.
    fn is_narrower(self, first: &BvValue, second: &BvValue) -> bool {
        match self {
            Bound::Least => first.to_bigint_signed() > second.to_bigint_signed(),
            Bound::Most => first.to_bigint_signed() < second.to_bigint_signed(),
            Bound::LeastUnsigned => first.to_biguint() > second.to_biguint(),
            Bound::MostUnsigned => first.to_biguint() < second.to_biguint(),
        }
    }
}

/// What may be so in each state in which a round begins, of the numbers that change.
#[derive(Clone, PartialEq, Debug)]
enum Guess {
    /// Bounded by what it was when the path came to wait.
    Start(usize, Bound),
    /// Bounded by what does not change.
    Limit(usize, Term, Bound),
    /// The difference of two stays as it was.
    Difference(usize, usize),
    /// The sum of two stays as it was.
    Sum(usize, usize),
    /// One of these numbers.
    Among(usize, Vec<Term>),
}

impl Guess {
    fn can_be_said(&self, of: &[Option<Term>]) -> bool {
        let known = |at: usize| of.get(at).is_some_and(Option::is_some);
        match *self {
            Guess::Start(at, _) | Guess::Limit(at, ..) | Guess::Among(at, _) => known(at),
            Guess::Difference(a, b) | Guess::Sum(a, b) => known(a) && known(b),
        }
    }

    /// Said of numbers `of`, which were `before` when the path came to wait.
    fn of(&self, terms: &Terms, before: &[Option<Term>], of: &[Option<Term>]) -> Term {
        let pair = |at: usize| Some((before.get(at).copied().flatten()?, of.get(at).copied().flatten()?));
        let bounded = |bound: Bound, it: Term, limit: Term| match bound {
            Bound::Least => terms.bv_sle(limit, it),
            Bound::Most => terms.bv_sle(it, limit),
            Bound::LeastUnsigned => terms.bv_ule(limit, it),
            Bound::MostUnsigned => terms.bv_ule(it, limit),
        };
        let said = match self {
            Guess::Start(at, bound) => pair(*at).map(|(was, is)| bounded(*bound, is, was)),
            Guess::Limit(at, limit, bound) => pair(*at).map(|(_, is)| bounded(*bound, is, *limit)),
            Guess::Difference(a, b) => pair(*a)
                .zip(pair(*b))
                .map(|((was_a, a), (was_b, b))| terms.eq(terms.bv_sub(a, b), terms.bv_sub(was_a, was_b))),
            Guess::Sum(a, b) => pair(*a)
                .zip(pair(*b))
                .map(|((was_a, a), (was_b, b))| terms.eq(terms.bv_add(a, b), terms.bv_add(was_a, was_b))),
            Guess::Among(at, values) => {
                pair(*at).map(|(_, is)| terms.or_all(values.iter().map(|it| terms.eq(is, *it))))
            }
        };
        // What cannot be said is not assumed.
        said.filter(|it| terms.sort(*it) == Sort::Bool).unwrap_or_else(|| terms.bool(true))
    }

    /// The number that a bound is, with what is bounded.
    fn constant<'t>(&self, terms: &'t Terms, before: &[Option<Term>]) -> Option<(usize, Bound, &'t BvValue)> {
        let (at, bound, limit) = match *self {
            Guess::Start(at, bound) => (at, bound, before.get(at).copied().flatten()?),
            Guess::Limit(at, limit, bound) => (at, bound, limit),
            _ => return None,
        };
        Some((at, bound, terms.as_bv(limit)?))
    }
}

/// What is kept, for people: of bounds that are numbers the narrowest, of what has a name only, nothing that is long.
fn told(
    terms: &Terms,
    kept: &[Guess],
    names: &[Option<String>],
    before: &[Option<Term>],
    now: &[Option<Term>],
) -> Vec<String> {
    let named = |(at, term): (usize, &Option<Term>)| {
        let (sort, name) = (terms.sort((*term)?), names.get(at)?.as_ref()?);
        Some(terms.of_symbol(terms.symbol(name, sort, SymbolKind::Fresh)))
    };
    let called: Vec<Option<Term>> = now.iter().enumerate().map(named).collect();
    let is_weaker = |it: &Guess| {
        let Some((at, bound, limit)) = it.constant(terms, before) else { return false };
        kept.iter()
            .filter_map(|other| other.constant(terms, before))
            .any(|(other, same, narrower)| (at, bound) == (other, same) && bound.is_narrower(narrower, limit))
    };
    let texts = kept.iter().filter(|it| !is_weaker(it)).map(|it| it.of(terms, before, &called));
    let texts = texts.filter(|it| terms.as_bool(*it).is_none()).map(|it| effigy_term::print::math(terms, it));
    texts.filter(|it| it.chars().count() <= MOST_TOLD).collect()
}

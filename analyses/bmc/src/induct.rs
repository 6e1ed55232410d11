//! Induction: a loop of which a round that begins anywhere leads to no bug needs no more rounds.
//!
//! Knows: what a round changes, what it keeps. Never: how a state is made of it.
//! Source: Strejček, IA159, "Bounded model checking" (correct only where no bound is reachable); Donaldson et al., SAS
//! 2011. What a round keeps is guessed (`houdini.rs`).
//!
//! The state of a path that waits at a loop's header gets anything for what a round was seen to change, until a round
//! changes nothing else; then it stands for each state in which a later round begins, and all that follows from it is
//! walked and asked as always. What is guessed of it holds in the path itself, and after each round that it holds
//! before. Loops that are come to on the way are closed in the same manner, or the attempt is given up.

use crate::guesses::{Guess, told};
use crate::invariants::Closing;
use crate::obligations::Obligations;
use crate::paths::{Closed, Parking, Target};
use crate::unwind::Unwinding;
use effigy_engine::{Context, Havoc, Inputs, Limit, Meeting, Merged, TurnId};
use effigy_solver::Answer;
use effigy_term::Term;

/// The depth to which loops within loops, and after them, are closed.
const MOST_TARGETS: usize = 3;

/// The most walks of one iteration, each with more that it changes or with fewer candidates.
const MOST_ATTEMPTS: usize = 12;

/// The result of a walk from a loop header.
struct Walked<S> {
    obligations: Obligations,
    gaps: Vec<Term>,
    parked: Vec<(TurnId, Parking<S>)>,
}

impl<L: Havoc> Unwinding<'_, '_, L> {
    /// Whether this path has come to the header of a loop that is being closed; if so it is added to its arrivals.
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
    /// # Errors The reason why it is not known.
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
            if self.config.invariants {
                let start = start.clone();
                self.closings.push(Closing { id, start, changes, kept, before });
            }
            return Ok(inductions);
        }
        Err("too many attempts".to_owned())
    }

    pub(crate) fn with_context<R>(&mut self, of: impl FnOnce(&L, &mut Context<'_>) -> R) -> R {
        let inputs = Inputs::Symbolic;
        let ctx = Context::new(self.terms, &inputs, &mut self.coverage, &mut self.notes);
        let res = of(self.language, &mut ctx.merging(&mut self.common));
        self.common.asked.get_mut().clear();
        res
    }

    /// Walks all that follows from a state, apart from what waits.
    fn walk_from(&mut self, path: Merged<L::State>) -> Result<Walked<L::State>, String> {
        let waiting = std::mem::take(&mut self.waiting);
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
}

/// Whether a path stands where another does, one round of one loop later.
fn is_next_round(header: &Meeting, at: &Meeting) -> bool {
    let mut differ = header.0.iter().zip(&at.0).filter(|(a, b)| a != b);
    let next = matches!(differ.next(), Some((a, b)) if *b == *a + 1);
    header.0.len() == at.0.len() && next && differ.next().is_none()
}

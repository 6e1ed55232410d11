//! What a loop that was closed by induction keeps in every round.
//!
//! Knows: who reads an invariant elsewhere asks for each time that the loop's header is come to. Induction has kept it
//! from a later round on (`induct.rs`); the rounds before were walked one by one, and it is asked of each. Never: how it
//! is written down.

use crate::guesses::Guess;
use crate::invariants::{Closing, Invariant, MOST_VISITS, narrowest, said};
use crate::unwind::Unwinding;
use effigy_engine::{Havoc, TurnId, Turning};
use effigy_term::Terms;
use std::collections::BTreeMap;

impl<L: Havoc> Unwinding<'_, '_, L> {
    /// What each loop that was closed keeps in every round.
    pub(crate) fn invariants(&mut self) -> Vec<(Turning, Vec<Invariant>)> {
        let mut res: BTreeMap<TurnId, Vec<Invariant>> = BTreeMap::new();
        for closing in std::mem::take(&mut self.closings) {
            let kept = self.kept_always(&closing);
            // A loop that was closed from several places keeps what all of them say.
            match res.entry(closing.id) {
                std::collections::btree_map::Entry::Vacant(entry) => {
                    entry.insert(kept);
                }
                std::collections::btree_map::Entry::Occupied(mut entry) => {
                    entry.get_mut().retain(|it| kept.contains(it));
                }
            }
        }
        let told = res.into_iter().map(|(id, all)| (self.language.turning(id), narrowest(all)));
        told.filter(|it| !it.1.is_empty()).collect()
    }

    fn kept_always(&mut self, closing: &Closing<L>) -> Vec<Invariant> {
        let visits = self.visits.at.get(&closing.id).cloned().unwrap_or_default();
        let variables = self.language.variables(&closing.start.state, &closing.changes);
        let said = |it: &Guess, terms: &Terms| said(terms, it, &variables, &closing.before);
        let mut kept = closing.kept.clone();
        kept.retain(|it| said(it, self.terms).is_some());
        let depth = self.language.meeting(&closing.start.state).0.len();
        if visits.len() > MOST_VISITS || visits.iter().any(|it| self.language.meeting(&it.state).0.len() != depth) {
            return Vec::new();
        }
        for visit in &visits {
            if kept.is_empty() {
                break;
            }
            let now = self.with_context(|language, ctx| language.numbers(ctx, &visit.state, &closing.changes));
            kept.retain(|it| it.can_be_said(&now));
            let guard = self.terms.and(self.alive(), visit.guard.term(self.terms));
            self.holding(guard, &mut kept, |it, terms| it.of(terms, &closing.before, &now));
        }
        kept.iter().filter_map(|it| said(it, self.terms)).collect()
    }
}

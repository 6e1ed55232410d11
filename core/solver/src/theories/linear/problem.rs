//! One query as a system, with what follows from the terms that its unknowns stand for.
//!
//! Knows: the facts of each unknown, the congruence of arrays and functions. Never: how a system is solved.

use super::facts::{Application, Facts};
use super::form::{Form, Formula, Unknown};
use super::system::{System, simplified};
use super::translate::Translator;
use effigy_term::Terms;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Systems of more unknowns are left to others.
const MOST_UNKNOWNS: usize = 1_500;

/// Systems of more case distinctions are left to others.
const MOST_CASES: usize = 2_000;

/// Pairs of elements of one array that are compared; a pair that is not says less, and is sound.
const MOST_PAIRS: usize = 300;

/// A system, and what its unknowns are.
#[derive(Debug, Default)]
pub(super) struct Problem {
    pub(super) system: System,
    /// Each unknown that occurs, with what is known of it.
    pub(super) facts: BTreeMap<Unknown, Rc<Facts>>,
}

impl Problem {
    /// Adds what holds of the unknowns, and of those that this brings in. `None` when it is too much.
    pub(super) fn close(&mut self, terms: &Terms, translator: &mut Translator) -> Option<()> {
        let mut work: BTreeSet<Unknown> = BTreeSet::new();
        self.system.for_each_unknown(&mut |it| work.extend([it]));
        while let Some(unknown) = work.pop_first() {
            if self.facts.len() >= MOST_UNKNOWNS || self.system.cases.len() >= MOST_CASES {
                return None;
            }
            let facts = translator.facts(terms, unknown);
            self.facts.insert(unknown, Rc::clone(&facts));
            let mut visit = |it: Unknown| {
                if !self.facts.contains_key(&it) {
                    work.insert(it);
                }
            };
            facts.formulas.iter().for_each(|it| it.for_each_unknown(&mut visit));
            facts.mentions.iter().flat_map(|it| &it.parts).for_each(|it| visit(it.0));
            facts.formulas.iter().for_each(|it| self.system.assume(it));
        }
        self.congruence()
    }

    /// Equal arguments give equal values.
    fn congruence(&mut self) -> Option<()> {
        let applications: Vec<(Unknown, Rc<Facts>)> =
            self.facts.iter().map(|(&it, facts)| (it, Rc::clone(facts))).collect();
        let applications: Vec<(Unknown, &Application)> =
            applications.iter().filter_map(|(it, facts)| Some((*it, facts.application.as_ref()?))).collect();
        let mut pairs = 0;
        for (at, (left, a)) in applications.iter().enumerate() {
            for (right, b) in &applications[..at] {
                if a.head != b.head || a.arguments.len() != b.arguments.len() {
                    continue;
                }
                let mut parts = Vec::new();
                for (x, y) in a.arguments.iter().zip(&b.arguments) {
                    parts.push(Formula::not_zero(&x.minus(y)?)?);
                }
                parts.push(Formula::zero(Form::unknown(*left).minus(&Form::unknown(*right))?)?);
                let formula = simplified(&Formula::Any(parts));
                if formula != Formula::truth(true) {
                    pairs += 1;
                    self.system.assume(&formula);
                }
                if pairs >= MOST_PAIRS {
                    return Some(());
                }
            }
        }
        Some(())
    }
}

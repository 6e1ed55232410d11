//! Quantified formulas: the body is evaluated for bound variables of which nothing is known.

use crate::machine::{Machine, Res, Scene};
use crate::state::Mode;
use effigy_contracts::program::{Exp, ExpKind, Quantified};
use effigy_heap::vocabulary::substituted;
use effigy_term::{Node, Symbol, Term};

impl<'a, 't> Machine<'a, 't> {
    pub(super) fn quantified(&mut self, scene: &Scene<'_, 'a>, quantified: &'a Quantified, exp: &'a Exp) -> Res<Term> {
        if !quantified.body.is_pure() {
            return self.unsupported("quantified permissions", exp.span);
        }
        let mut env = scene.env.clone();
        let mut bound: Vec<Symbol> = Vec::new();
        for &variable in &quantified.variables {
            let Some(info) = scene.env.table.get(variable.index()) else {
                return self.unsupported("a bound variable without a type", exp.span);
            };
            let typ = substituted(&info.typ, &scene.env.types);
            let sort = self.vocabulary.sort(self.terms, &typ);
            let symbol = self.fresh_bound(&info.name, sort);
            env.set(variable, self.terms.of_symbol(symbol));
            bound.push(symbol);
        }
        let inner = Scene { env: &env, ..*scene };
        let depth = self.bound.len();
        self.bound.extend(&bound);
        self.push();
        let mut triggers: Vec<Vec<Term>> = Vec::new();
        let body = self.eval(&inner, &quantified.body);
        if body.is_ok() {
            // What the body means where it matters has been checked; the triggers are only terms.
            for trigger in &quantified.triggers {
                let mode = Mode { in_trigger: true, ..inner.mode };
                let unchecked = Scene { checked: false, mode, ..inner };
                // What is not checked must not be learnt: the preconditions of functions in it.
                self.push();
                let terms: Res<Vec<Term>> = trigger.iter().map(|it| self.trigger(&unchecked, it)).collect();
                self.pop();
                triggers.extend(terms);
            }
        }
        let learnt = self.pop();
        self.bound.truncate(depth);
        let body = body?;
        self.assume_for_all(&bound, learnt);
        triggers.retain(|it| !it.is_empty() && it.iter().all(|&term| is_trigger(self, term)));
        if triggers.is_empty() {
            return Ok(self.with_triggers(quantified.universal, &bound, body));
        }
        Ok(self.quantifier(quantified.universal, &bound, &triggers, body))
    }

    fn quantifier(&self, universal: bool, bound: &[Symbol], triggers: &[Vec<Term>], body: Term) -> Term {
        match universal {
            true => self.terms.forall(bound, triggers, body),
            false => self.terms.exists(bound, triggers, body),
        }
    }

    /// A quantified formula with triggers that are chosen for it.
    fn with_triggers(&mut self, universal: bool, bound: &[Symbol], body: Term) -> Term {
        let whole = self.triggered(universal, bound, body);
        let Node::And(parts) = self.terms.node(body) else { return whole };
        if !universal {
            return whole;
        }
        // A part that speaks of some of the variables only is said of these, too: no term has to be there for the others.
        let mut all = vec![whole];
        for &part in parts.iter() {
            let symbols = self.terms.symbols(part);
            let spoken_of: Vec<Symbol> = bound.iter().copied().filter(|it| symbols.contains(it)).collect();
            if spoken_of.len() < bound.len() {
                all.push(if spoken_of.is_empty() { part } else { self.triggered(true, &spoken_of, part) });
            }
        }
        self.terms.and_all(all)
    }

    fn triggered(&mut self, universal: bool, bound: &[Symbol], body: Term) -> Term {
        let prepared = effigy_heap::triggers::prepare(self.terms, universal, bound, body);
        let mut triggers = prepared.triggers;
        for pattern in triggers.iter_mut().flatten() {
            *pattern = self.vocabulary.collections.in_trigger(self.terms, *pattern);
        }
        self.quantifier(universal, &prepared.variables, &triggers, prepared.body)
    }

    /// A term as it stands in a trigger: not simplified away.
    fn trigger(&mut self, scene: &Scene<'_, 'a>, exp: &'a Exp) -> Res<Term> {
        let ExpKind::Collection(op, args) = &*exp.kind else { return self.eval(scene, exp) };
        let values = self.eval_all(scene, args)?;
        match self.kind_of_operation(scene, *op, args, exp) {
            Some(kind) => Ok(self.vocabulary.collections.apply_in_trigger(self.terms, *op, kind, &values)),
            None => self.eval(scene, exp),
        }
    }

    /// Assumes for all values of the variables what was learnt of any values of them.
    pub(crate) fn assume_for_all(&mut self, bound: &[Symbol], learnt: Vec<Term>) {
        for fact in learnt {
            let general = self.for_all(bound, fact);
            self.assume_as(fact, general);
        }
    }

    /// A fact for all values of the variables, if it mentions them.
    pub(crate) fn for_all(&mut self, bound: &[Symbol], fact: Term) -> Term {
        if !self.terms.symbols(fact).iter().any(|it| bound.contains(it)) {
            return fact;
        }
        self.with_triggers(true, bound, fact)
    }
}

/// Whether the solver takes a term as (part of) a trigger: an application.
fn is_trigger(machine: &Machine<'_, '_>, term: Term) -> bool {
    matches!(machine.terms.node(term), Node::Apply(..) | Node::Select(..))
}

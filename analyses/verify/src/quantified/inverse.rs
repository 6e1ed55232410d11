//! Inverse functions: from a receiver, or the arguments of a predicate, to the instance of a quantified permission that it belongs to.
//!
//! Knows: the functions of each permission, which the same permission has again wherever it is asked for; when receivers
//! are different. Never: heaps.

use super::Access;
use crate::failure::ReasonKind;
use crate::machine::{Machine, Res, Scene};
use crate::state::Mode;
use effigy_term::{Node, Sort, Symbol, SymbolKind, Term};

impl<'a> Machine<'a, '_> {
    /// What an access gives to the formal arguments. That different instances have different arguments is required where
    /// that is checked, and assumed.
    pub(super) fn amount_of_formals(&mut self, scene: &Scene<'_, 'a>, access: &mut Access) -> Res<Term> {
        let formals = self.formal_args(access.resource);
        let none = self.no_permission();
        if let Some(amount) = self.amount_by_variables(access, &formals) {
            return Ok(amount);
        }
        let domain = self.terms.and(access.guard, access.any);
        let outer = self.outer_variables(access.args.iter().copied().chain([domain]));
        let number = self.inverse_number(access, domain);
        let outer: Vec<Term> = outer.iter().map(|&it| self.terms.of_symbol(it)).collect();
        let inverse = |machine: &Self, args: &[Term]| -> Vec<Term> {
            let args: Vec<Term> = outer.iter().chain(args).copied().collect();
            let sorts = access.bound.iter().map(|&it| machine.terms.symbol_info(it).sort).enumerate();
            sorts.map(|(at, sort)| machine.named(&format!("inverse {number}.{at}"), sort, &args)).collect()
        };
        let found = inverse(self, &access.args);
        let same = access.bound.iter().zip(&found).map(|(&it, &found)| self.terms.eq(found, self.terms.of_symbol(it)));
        let same = self.terms.and_all(same);
        access.inverse = self.terms.implies(domain, same);
        let fact = self.for_each_instance(access, access.inverse);
        // Also of what has been checked elsewhere: Silicon tells whoever calls a method whose contract is not injective.
        let checked = scene.checked || Mode { trusting: false, ..scene.mode }.checks() && scene.mode.trusting;
        if checked && !self.is_assumed(fact) {
            self.require_injective(scene, access, domain)?;
        }
        self.assume(fact);
        let instance = inverse(self, &formals);
        let at = |it: Term| self.at_values(it, &access.bound, &instance);
        let is_it = access.args.iter().zip(&formals).map(|(&it, &formal)| self.terms.eq(at(it), formal));
        let is_it = self.terms.and_all(is_it);
        let held = self.terms.and(at(access.guard), is_it);
        Ok(self.terms.ite(held, at(access.amount.term), none))
    }

    /// The same where each variable is an argument itself: then no inverse is needed.
    fn amount_by_variables(&self, access: &Access, formals: &[Term]) -> Option<Term> {
        let place = |variable: &Symbol| {
            let variable = self.terms.of_symbol(*variable);
            access.args.iter().position(|it| *it == variable)
        };
        let places: Vec<usize> = access.bound.iter().map(place).collect::<Option<_>>()?;
        let values: Vec<Term> = places.iter().map(|&it| formals[it]).collect();
        let at = |it: Term| self.at_values(it, &access.bound, &values);
        let others = (0..formals.len()).filter(|it| !places.contains(it));
        let is_it = self.terms.and_all(others.map(|it| self.terms.eq(at(access.args[it]), formals[it])));
        let held = self.terms.and(at(access.guard), is_it);
        Some(self.terms.ite(held, at(access.amount.term), self.no_permission()))
    }

    /// The variables bound around an evaluation that are in these terms: what is named for the terms depends on them.
    pub(super) fn outer_variables(&self, of: impl Iterator<Item = Term> + Clone) -> Vec<Symbol> {
        let said = |it: &Symbol| of.clone().any(|term| self.terms.symbols(term).contains(it));
        self.bound.iter().copied().filter(said).collect()
    }

    /// The number of the inverse functions of an access.
    fn inverse_number(&mut self, access: &Access, domain: Term) -> usize {
        let canonical = access.bound.iter().enumerate().map(|(at, &it)| {
            let sort = self.terms.symbol_info(it).sort;
            self.terms.of_symbol(self.terms.symbol(&format!("instance {at}"), sort, SymbolKind::Bound))
        });
        let canonical: Vec<Term> = canonical.collect();
        let at = |it: Term| self.at_values(it, &access.bound, &canonical);
        let key = (access.args.iter().map(|&it| at(it)).collect::<Vec<Term>>(), at(domain));
        let count = self.inverses.known.len();
        *self.inverses.known.entry(key).or_insert(count)
    }

    /// A function of these arguments about which nothing is known, applied; without arguments a constant.
    pub(super) fn named(&self, name: &str, sort: Sort, args: &[Term]) -> Term {
        if args.is_empty() {
            return self.terms.of_symbol(self.terms.symbol(name, sort, SymbolKind::Fresh));
        }
        let sorts: Vec<Sort> = args.iter().map(|&it| self.terms.sort(it)).collect();
        self.terms.apply(self.terms.function(name, &sorts, sort), args)
    }

    /// Different instances have different arguments, where any permission is given to them.
    fn require_injective(&mut self, scene: &Scene<'_, 'a>, access: &Access, domain: Term) -> Res<()> {
        self.push();
        let (left, right) = (self.some_values(&access.bound), self.some_values(&access.bound));
        let at = |it: Term, values: &[Term]| self.at_values(it, &access.bound, values);
        let both = self.terms.and(at(domain, &left), at(domain, &right));
        let same = self.terms.and_all(access.args.iter().map(|&it| self.terms.eq(at(it, &left), at(it, &right))));
        let given = self.terms.and(both, same);
        let equal = self.terms.and_all(left.iter().zip(&right).map(|(&a, &b)| self.terms.eq(a, b)));
        self.branch_on(given);
        let res = self.holds(scene, equal, ReasonKind::QpNotInjective, access.culprit);
        self.pop();
        self.pop();
        res.map(|_| ())
    }

    /// Whether a term is an application in which nothing is interpreted: it can be a trigger.
    pub(super) fn is_plain_application(&self, term: Term) -> bool {
        let Node::Apply(_, _) = self.terms.node(term) else { return false };
        let mut work = vec![term];
        while let Some(term) = work.pop() {
            match self.terms.node(term) {
                Node::Apply(_, args) => work.extend(args.iter().copied()),
                Node::Symbol(_) => {}
                // A number, or another constant.
                _ if self.terms.symbols(term).is_empty() => {}
                _ => return false,
            }
        }
        true
    }
}

//! Inverse functions: from a receiver to the instance of a quantified permission that it belongs to.
//!
//! Knows: the functions of each permission, which the same permission has again wherever it is asked for; when receivers
//! are different. Never: heaps.

use super::Access;
use crate::failure::ReasonKind;
use crate::machine::{Machine, Res, Scene};
use effigy_term::{FunctionSymbol, Node, Sort, Symbol, SymbolKind, Term};
use rustc_hash::FxHashMap;

/// The inverse functions of permissions, by receiver and condition over canonical variables. They are only names: what is
/// known of them is assumed on each path.
#[derive(Debug, Default)]
pub(crate) struct Inverses {
    known: FxHashMap<(Term, Term), Vec<FunctionSymbol>>,
}

impl<'a> Machine<'a, '_> {
    /// What an access gives to the object that the formal receiver stands for. That the receivers are different is
    /// required where that is checked, and assumed.
    pub(super) fn amount_of_receiver(&mut self, scene: &Scene<'_, 'a>, access: &Access) -> Res<Term> {
        let formal = self.terms.of_symbol(self.vocabulary.receiver(self.terms));
        let none = self.no_permission();
        if let [only] = access.bound[..]
            && self.terms.of_symbol(only) == access.receiver
        {
            let [guard, amount] =
                [access.guard, access.amount.term].map(|it| self.at_values(it, &access.bound, &[formal]));
            return Ok(self.terms.ite(guard, amount, none));
        }
        let domain = self.terms.and(access.guard, access.any);
        let functions = self.inverse_functions(access, domain);
        let outer: Vec<Term> = self.bound.iter().map(|&it| self.terms.of_symbol(it)).collect();
        let inverse = |machine: &Self, object: Term| -> Vec<Term> {
            let args: Vec<Term> = outer.iter().copied().chain([object]).collect();
            functions.iter().map(|&it| machine.terms.apply(it, &args)).collect()
        };
        let found = inverse(self, access.receiver);
        let same = access.bound.iter().zip(&found).map(|(&it, &found)| self.terms.eq(found, self.terms.of_symbol(it)));
        let same = self.terms.and_all(same);
        let fact = self.terms.implies(domain, same);
        let fact = self.for_each_receiver(access, fact);
        if scene.checked && !self.is_assumed(fact) {
            self.require_injective(scene, access, domain)?;
        }
        self.assume(fact);
        let instance = inverse(self, formal);
        let at = |it: Term| self.at_values(it, &access.bound, &instance);
        let is_it = self.terms.eq(at(access.receiver), formal);
        let held = self.terms.and(at(access.guard), is_it);
        Ok(self.terms.ite(held, at(access.amount.term), none))
    }

    /// The inverse functions of an access, one for each of its variables.
    fn inverse_functions(&mut self, access: &Access, domain: Term) -> Vec<FunctionSymbol> {
        let canonical = access.bound.iter().enumerate().map(|(at, &it)| {
            let sort = self.terms.symbol_info(it).sort;
            self.terms.of_symbol(self.terms.symbol(&format!("instance {at}"), sort, SymbolKind::Bound))
        });
        let canonical: Vec<Term> = canonical.collect();
        let key = (
            self.at_values(access.receiver, &access.bound, &canonical),
            self.at_values(domain, &access.bound, &canonical),
        );
        if let Some(known) = self.inverses.known.get(&key) {
            return known.clone();
        }
        let number = self.inverses.known.len();
        let outer = self.bound.iter().map(|&it| self.terms.symbol_info(it).sort);
        let sorts: Vec<Sort> = outer.chain([self.vocabulary.reference()]).collect();
        let function = |(at, it): (usize, &Symbol)| {
            let name = format!("inverse {number}.{at}");
            self.terms.function(&name, &sorts, self.terms.symbol_info(*it).sort)
        };
        let functions: Vec<FunctionSymbol> = access.bound.iter().enumerate().map(function).collect();
        self.inverses.known.insert(key, functions.clone());
        functions
    }

    /// Different instances have different receivers, where any permission is given to them.
    fn require_injective(&mut self, scene: &Scene<'_, 'a>, access: &Access, domain: Term) -> Res<()> {
        self.push();
        let (left, right) = (self.some_values(&access.bound), self.some_values(&access.bound));
        let at = |it: Term, values: &[Term]| self.at_values(it, &access.bound, values);
        let both = self.terms.and(at(domain, &left), at(domain, &right));
        let same = self.terms.eq(at(access.receiver, &left), at(access.receiver, &right));
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

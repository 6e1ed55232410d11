//! Poison: the result of an operation that has none.
//!
//! Knows: which undefined values stand for poison, and what was done to get them. Never: which operations give it.
//! Source: LLVM Language Reference, "Poison Values", "freeze".
//!
//! Poison is an undefined value of its own kind. It may be computed with and thrown away (`select`); it is a bug where
//! something depends on it: a branch, an address, a divisor, whom to call.

use crate::machine::{Flow, Machine};
use crate::state::Poison;
use crate::value::Val;
use effigy_engine::{BugKind, Violation};
use effigy_term::{Sort, SymbolKind, Term, Width};
use std::rc::Rc;

impl Machine<'_, '_> {
    /// The result of something that is a bug of class `kind` once it decides something.
    pub(crate) fn poison(&mut self, width: Width, kind: BugKind, message: String) -> Term {
        let violation = self.describe(kind, message);
        self.poison_of(width, violation, false)
    }

    /// The result of something that is this bug once it decides something. `wrapped`: it is an address.
    pub(super) fn poison_of(&mut self, width: Width, violation: Violation, wrapped: bool) -> Term {
        let term = self.undefined().fresh(width);
        Rc::make_mut(&mut self.state.poison).push(Poison { term, violation, wrapped });
        term
    }

    /// `value` where `fits` holds, poison elsewhere: asked for, so that values stay as simple as the program's.
    pub(crate) fn poison_unless(
        &mut self,
        fits: Term,
        value: Term,
        kind: BugKind,
        message: impl FnOnce() -> String,
    ) -> Flow<Term> {
        if self.decide_term(fits)? {
            return Ok(value);
        }
        Ok(self.poison(self.ctx.terms.width(value), kind, message()))
    }

    /// The bug of `what` depending on poison, if there is poison in `term`.
    pub(super) fn poisoned(&self, term: Term, what: &str) -> Option<Violation> {
        let symbols = self.ctx.terms.symbols(term);
        let of_symbol = |it: &&Poison| symbols.iter().any(|symbol| self.ctx.terms.of_symbol(*symbol) == it.term);
        let found = self.state.poison.iter().find(of_symbol)?;
        let message = format!("{}, and {what} depends on it", found.violation.message);
        Some(Violation { message, ..found.violation.clone() })
    }

    /// A value of which every undefined part, poison included, is any value, but one.
    pub(super) fn frozen_term(&mut self, term: Term) -> Val {
        let terms = self.ctx.terms;
        if !terms.is_undefined(term) {
            return Val::Term(term);
        }
        let undefined = |it: &effigy_term::Symbol| terms.symbol_info(*it).kind == SymbolKind::Undefined;
        let parts: Vec<_> = terms.symbols(term).iter().copied().filter(undefined).collect();
        let mut fixed = Vec::with_capacity(parts.len());
        for part in parts {
            if let Sort::BitVec(width) = terms.symbol_info(part).sort {
                fixed.push((part, self.frozen(width)));
            }
        }
        let of = |symbol| fixed.iter().find(|it| it.0 == symbol).map(|it| it.1);
        Val::of_term(terms, terms.substitute(term, &mut { of }))
    }

    /// An arbitrary but fixed value: defined, unknown.
    pub(super) fn frozen(&mut self, width: Width) -> Term {
        let name = format!("frozen{}", self.state.fresh);
        self.state.fresh += 1;
        self.ctx.input(&name, Sort::BitVec(width), SymbolKind::Fresh)
    }
}

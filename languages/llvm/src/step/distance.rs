//! Arithmetic on addresses: `base + distance`, `base + index * size`.
//!
//! Knows: which distances wrap around in 64 bits, and that the address is poison then. Never: whether an address may be
//! used (`access`).
//! Source: LLVM Language Reference, "getelementptr", "Pointer Aliasing Rules"; C17 6.5.6 (additive operators).
//!
//! An address keeps the object of its base, however far it goes. One whose distance from its object is no signed number of
//! 64 bits has no value, although the sum may look like an address in the object: `a[1L << 62]` of an array of `int` is
//! not `a[0]`. A concrete one becomes poison. A symbolic one is computed as if nothing had wrapped, and the condition for
//! that is kept beside it ([`Strays`](crate::memory::Strays)); whoever uses the address asks for it.

use super::arithmetic::no_signed_overflow;
use super::provenance::MOST_LEAVES;
use crate::checks::{UNDEFINED_BEHAVIOUR, WRAPS_AROUND};
use crate::ir::BinaryOp;
use crate::ir::distance::Distance;
use crate::machine::{Flow, Machine};
use crate::memory::ObjectId;
use crate::placement::is_placed;
use crate::value::{Val, signed};
use effigy_engine::BugKind;
use effigy_term::range::Ranges;
use effigy_term::truth_table::TruthTables;
use effigy_term::{BvValue, Node, Term, Width};
use std::rc::Rc;

impl Machine<'_, '_> {
    /// `base + offset`, which may be any address.
    pub(crate) fn add_offset(&mut self, base: &Val, offset: i64) -> Val {
        self.add_constant(base, offset, Distance::Wrapping)
    }

    /// `base + offset`, poison where that is no address of this distance.
    pub(super) fn add_constant(&mut self, base: &Val, offset: i64, distance: Distance) -> Val {
        match base {
            Val::Int(address) | Val::Address { bits: address, .. } => self.moved(*address, offset, distance),
            Val::Undef => Val::Undef,
            _ => {
                let base = self.term(base, Width::W64);
                let offset = self.ctx.terms.bv_u64(Width::W64, offset as u64);
                let fits = self.sum_fits(base, offset, distance);
                self.moved_term(base, offset, fits)
            }
        }
    }

    /// `base + index * size`, the index extended from `width` bits.
    pub(super) fn add_index(&mut self, base: &Val, index: &Val, width: u32, (size, distance): (i64, Distance)) -> Val {
        let terms = self.ctx.terms;
        if let (Val::Int(base), Val::Int(index)) = (base, index) {
            let index = signed(*index, width);
            return match distance.bytes(index, size) {
                Some(bytes) => self.moved(*base, bytes, distance),
                None => self.wrapped(format!("the distance to index {index} ({size} bytes each) {WRAPS_AROUND}")),
            };
        }
        if matches!((base, index), (Val::Undef, _) | (_, Val::Undef)) {
            return Val::Undef;
        }
        // The distance between two objects, or a whole address, is added as a number.
        let is_address = |it: &Val| match it {
            Val::Address { .. } => true,
            Val::Term(term) => is_placed(terms, *term),
            _ => false,
        };
        let as_numbers = is_address(base) || is_address(index);
        let base = if as_numbers { self.number_of(base.clone()) } else { base.clone() };
        let (base, index) = (self.term(&base, Width::W64), self.term(index, Width::of(width)));
        let index =
            if width < 64 { terms.bv_sign_extend(Width::W64, index) } else { terms.bv_truncate(Width::W64, index) };
        let scaled = terms.bv_mul(index, terms.bv_u64(Width::W64, size as u64));
        if as_numbers {
            let number = Val::of_term(terms, terms.bv_add(base, scaled));
            return self.pointer_of(&number);
        }
        let product = self.product_fits(index, size, distance);
        let sum = self.sum_fits(base, scaled, distance);
        self.moved_term(base, scaled, terms.and(product, sum))
    }

    /// A concrete pointer, moved: it stays one into its object, however far it goes.
    fn moved(&mut self, base: u64, bytes: i64, distance: Distance) -> Val {
        let address = base.wrapping_add(bytes as u64);
        let strayed = self.state.strays.of_number(base);
        let object = strayed.unwrap_or(ObjectId::of_address(base).0);
        if (strayed.is_some() || address >> 32 != base >> 32) && self.existed(object) {
            if distance.is_signed() && self.locate(base).1.checked_add(bytes).is_none() {
                return self.wrapped(format!("the distance from the object {WRAPS_AROUND} after {bytes} bytes"));
            }
            Rc::make_mut(&mut self.state.strays).moved(base, address);
        }
        Val::Int(address)
    }

    /// A pointer, moved by a symbolic distance or itself symbolic: likewise. Where `fits` does not hold it is poison.
    fn moved_term(&mut self, base: Term, distance: Term, fits: Term) -> Val {
        let terms = self.ctx.terms;
        let address = terms.bv_add(base, distance);
        let fits = match self.unwrapped(base) {
            Some(before) => terms.and(before, fits),
            None => fits,
        };
        match terms.as_bool(fits) {
            Some(true) => {}
            Some(false) => return self.wrapped(format!("the distance from the object {WRAPS_AROUND}")),
            None if terms.as_bv(address).is_none() => Rc::make_mut(&mut self.state.strays).add_condition(address, fits),
            None => {}
        }
        if let Some(object) = self.object_of(base)
            && self.object_of(address) != Some(object)
        {
            let strays = Rc::make_mut(&mut self.state.strays);
            match terms.as_bv(address).and_then(BvValue::to_u64) {
                Some(address) => strays.add_number(address, object),
                None => strays.add_term(address, object),
            }
        }
        Val::of_term(terms, address)
    }

    /// The address that an address becomes that wraps around.
    fn wrapped(&mut self, message: String) -> Val {
        let violation = self.describe(UNDEFINED_BEHAVIOUR, message);
        Val::Term(self.poison_of(Width::W64, violation, true))
    }

    // The conditions under which nothing wraps around.

    /// The condition that `index * size` is a distance of this kind.
    fn product_fits(&self, index: Term, size: i64, distance: Distance) -> Term {
        let terms = self.ctx.terms;
        let number = |it: i64| terms.bv_u64(Width::W64, it as u64);
        let fits = match distance {
            Distance::Wrapping => return terms.bool(true),
            Distance::Unsigned if size > 0 => terms.bv_ule(index, number((u64::MAX / size as u64) as i64)),
            // Not negative and no more than the largest: one comparison without sign.
            Distance::NotNegative if size > 0 => terms.bv_ule(index, number(i64::MAX / size)),
            _ => no_signed_overflow(terms, BinaryOp::Mul, index, number(size)),
        };
        self.simplified(fits)
    }

    /// The condition that a pointer that is moved on stays at a distance from its object that is a signed number.
    fn sum_fits(&self, base: Term, bytes: Term, distance: Distance) -> Term {
        let terms = self.ctx.terms;
        let holds = terms.bool(true);
        if !distance.is_signed() {
            return holds;
        }
        let Some(object) = self.object_of(base) else { return holds };
        let from = terms.bv_sub(base, terms.bv_u64(Width::W64, object.base()));
        let constant = |it: Term| terms.as_bv(it).and_then(BvValue::to_u64).map(|it| it as i64);
        match (constant(from), constant(bytes)) {
            (Some(0), _) => holds,
            // A member of an element: the distance of the element is a multiple of more than that.
            (None, Some(bytes)) if (0..stride(self, from)).contains(&bytes) => holds,
            _ => self.simplified(no_signed_overflow(terms, BinaryOp::Add, from, bytes)),
        }
    }

    /// A condition, or its truth where ranges say it.
    pub(super) fn simplified(&self, cond: Term) -> Term {
        let terms = self.ctx.terms;
        if terms.as_bool(cond).is_some() {
            return cond;
        }
        let tables = TruthTables::new();
        Ranges::new(terms, &tables).truth(cond).map_or(cond, |it| terms.bool(it))
    }

    /// The condition under which an address has not wrapped around, if there is one.
    pub(super) fn unwrapped(&self, address: Term) -> Option<Term> {
        if !self.state.strays.has_conditions() {
            return None;
        }
        let mut left = MOST_LEAVES;
        self.unwrapped_within(address, &mut left)
    }

    /// Of a choice, that of each side; `left` bounds how many addresses are looked at.
    fn unwrapped_within(&self, address: Term, left: &mut usize) -> Option<Term> {
        *left = left.checked_sub(1)?;
        let terms = self.ctx.terms;
        if let Some(condition) = self.state.strays.condition(address) {
            return Some(condition);
        }
        let (cond, then, other) = match terms.node(address) {
            Node::Ite(cond, then, other) => (*cond, *then, *other),
            Node::BvSum(sum) => {
                let is_choice = |it: &&(BvValue, Term)| it.0.is_one() && matches!(terms.node(it.1), Node::Ite(..));
                let &(_, choice) = sum.summands.iter().find(is_choice)?;
                let rest = terms.bv_sub(address, choice);
                let Node::Ite(cond, then, other) = *terms.node(choice) else { return None };
                (cond, terms.bv_add(then, rest), terms.bv_add(other, rest))
            }
            _ => return None,
        };
        let (then, other) = (self.unwrapped_within(then, left), self.unwrapped_within(other, left));
        if then.is_none() && other.is_none() {
            return None;
        }
        let holds = terms.bool(true);
        Some(terms.ite(cond, then.unwrap_or(holds), other.unwrap_or(holds)))
    }

    // Whoever uses an address.

    /// An address that is used, for which it is a bug of class `kind` to have wrapped around: poison.
    pub(super) fn require_no_poison(&mut self, address: Term, kind: BugKind, what: &str) -> Flow<()> {
        let Some((symbol, poison)) = self.wrapped_poison(address) else { return Ok(()) };
        let terms = self.ctx.terms;
        let is_summand = match terms.node(address) {
            Node::BvSum(sum) => sum.summands.iter().any(|it| it.1 == symbol),
            _ => address == symbol,
        };
        // Not one of several: the path ends.
        if is_summand {
            return Err(self.violation(kind, format!("{what}: {poison}")));
        }
        let is_defined = terms.eq(address, terms.rename_undefined(address));
        self.require(is_defined, kind, || format!("{what}: {poison}"))
    }

    /// An address that is used, for which it is a bug of class `kind` to have wrapped around: its condition.
    pub(super) fn require_unwrapped(&mut self, condition: Option<Term>, kind: BugKind, what: &str) -> Flow<()> {
        match condition {
            Some(condition) => self.require(condition, kind, || format!("{what} at a distance that {WRAPS_AROUND}")),
            None => Ok(()),
        }
    }

    /// The poison in an address, if that is one which has wrapped around, and what was done to get it.
    fn wrapped_poison(&self, address: Term) -> Option<(Term, String)> {
        let terms = self.ctx.terms;
        if !terms.is_undefined(address) {
            return None;
        }
        let symbols = terms.symbols(address);
        let is_in = |it: &Term| symbols.iter().any(|symbol| terms.of_symbol(*symbol) == *it);
        let found = self.state.poison.iter().find(|it| it.wrapped && is_in(&it.term))?;
        Some((found.term, found.violation.message.clone()))
    }

    /// A pointer that is compared or made a number must have a value; the poison that comes of it where it has none.
    pub(super) fn valued(&mut self, pointer: &Val, width: Width) -> Flow<Option<Val>> {
        let Val::Term(term) = *pointer else { return Ok(None) };
        let what = "arithmetic on a pointer";
        let function = self.frame().function as usize;
        if !self.program.code.functions[function].may_be_optimised {
            self.require_no_poison(term, UNDEFINED_BEHAVIOUR, what)?;
            let condition = self.unwrapped(term);
            self.require_unwrapped(condition, UNDEFINED_BEHAVIOUR, what)?;
            return Ok(None);
        }
        match self.unwrapped(term) {
            Some(condition) if !self.decide_term(condition)? => {
                let violation = self.describe(UNDEFINED_BEHAVIOUR, format!("{what} at a distance that {WRAPS_AROUND}"));
                Ok(Some(Val::Term(self.poison_of(width, violation, true))))
            }
            _ => Ok(None),
        }
    }
}

/// The largest power of 2 that divides all of a distance but a constant that is less; 0 if there is none.
fn stride(machine: &Machine<'_, '_>, distance: Term) -> i64 {
    let Node::BvSum(sum) = machine.ctx.terms.node(distance) else { return 0 };
    let zeros = |it: &BvValue| it.to_u64().map_or(0, u64::trailing_zeros);
    let shift = sum.summands.iter().map(|it| zeros(&it.0)).min().unwrap_or(0).min(40);
    let within = sum.constant.to_u64().unwrap_or(0) & ((1 << shift) - 1);
    (1i64 << shift) - within as i64
}

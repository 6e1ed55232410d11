//! Numbers that are made from addresses.
//!
//! Knows: which of them are the same wherever objects lie, and that what decides something and is not must be named.
//! Never: how addresses are used as such (`access`, `provenance`).
//! Source: C17 6.3.2.3 (pointers and integers), 6.5.8 (comparisons), 6.5.9 (equality).
//!
//! The walk goes on with the addresses that there are here: what would come of another placement is missed, and said.

use super::arithmetic::compare;
use crate::code::{Call, Shape};
use crate::ir::IntPredicate;
use crate::machine::{Flow, Machine};
use crate::memory::bytes::Bytes;
use crate::memory::{Lookup, ObjectId, Size};
use crate::names::readable;
use crate::placement::{END, LEAST, are_same_bits, here, in_layout, is_placed, object_of_symbol, placed, shift};
use crate::step::access::{Offset, Spot};
use crate::value::Val;
use effigy_engine::{Alternative, AlternativeLabel, Resolution, Step};
use effigy_term::range::Ranges;
use effigy_term::truth_table::TruthTables;
use effigy_term::{BvValue, Node, Term, Width};
use std::rc::Rc;

/// The class of the notes.
pub(crate) const PLACEMENT: &str = "placement";

impl Machine<'_, '_> {
    /// What depends on where objects lie is missed where they lie elsewhere.
    pub(crate) fn depends_on_placement(&mut self, what: &str) {
        self.state.placed = true;
        let what = self.described(what);
        self.note(PLACEMENT, &format!("{what} depends on where objects lie"), true);
    }

    /// `what`, with the line of the program in which it is, and the function of the library.
    fn described(&self, what: &str) -> String {
        let line = self.place().line;
        let at = if line == 0 { String::new() } else { format!(" in line {line}") };
        let of = self.running().filter(|it| it.library).map(|it| format!(" (in {})", readable(&it.name)));
        format!("{what}{at}{}", of.unwrap_or_default())
    }

    /// Whether a number is 0 that is the address of a place in an object, or right behind it: it is not, wherever the
    /// object lies. Whether it leads there is asked first. `None` where that is not asked, or it does not.
    pub(crate) fn decide_null(&mut self, cond: Term) -> Flow<Option<bool>> {
        let terms = self.ctx.terms;
        let (equality, is_null) = match *terms.node(cond) {
            Node::Not(inner) => (inner, false),
            _ => (cond, true),
        };
        let Node::Eq(a, b) = *terms.node(equality) else { return Ok(None) };
        if !is_placed(terms, equality) || terms.sort(a).width() != Some(Width::W64) {
            return Ok(None);
        }
        // Terms of an equality may stand on either side of it.
        let Some((offset, size)) = [terms.bv_sub(a, b), terms.bv_sub(b, a)].into_iter().find_map(|number| {
            let symbols = terms.symbols(number);
            let mut objects = symbols.iter().filter_map(|it| object_of_symbol(terms, *it));
            let object = ObjectId(objects.next()?);
            let size = self.state.memory.get(object)?.size.most();
            let offset = terms.bv_sub(number, placed(terms, object.base(), self.state.memory.alignment(object)));
            (!is_placed(terms, offset)).then_some((offset, size))
        }) else {
            return Ok(None);
        };
        let leads_there = terms.bv_ule(offset, terms.bv_u64(Width::W64, size));
        Ok(if self.decide_term(leads_there)? { Some(!is_null) } else { None })
    }

    /// A decision in Rust that depends on where objects lie and on nothing else: both sides are
    /// followed, each with a layout for which it is so. The one that is right where objects lie on the path comes first.
    /// `None` where it is another decision, or no layout is found for the other side.
    pub(crate) fn decide_placement(&mut self, cond: Term) -> Flow<Option<bool>> {
        let terms = self.ctx.terms;
        let is_pure = || terms.symbols(cond).iter().all(|it| object_of_symbol(terms, *it).is_some());
        if !is_placed(terms, cond)
            || !is_pure()
            || !self.running().is_some_and(|it| it.of_rust)
            || self.ctx.common().is_some()
        {
            return Ok(None);
        }
        if let Some(known) = self.everywhere(cond) {
            return Ok(Some(known));
        }
        let layout = Rc::clone(&self.state.layout);
        let Some(first) = terms.as_bool(in_layout(terms, cond, &layout.placements)) else { return Ok(None) };
        let Some(other) = layout.with(terms, cond, !first) else {
            return Ok(layout.are_all_tried(terms, cond).then_some(first));
        };
        let side = |it: bool| Alternative {
            cond: terms.bool(true),
            label: if it { AlternativeLabel::True } else { AlternativeLabel::False },
        };
        let is_first = self.ask(Step::Branch(vec![side(first), side(!first)]))? == Resolution::Alternative(0);
        let what = self.described("a decision");
        self.note(PLACEMENT, &format!("{what} depends on where objects lie: both ways are followed"), false);
        let taken = if is_first { first } else { !first };
        let fact = if taken { cond } else { terms.not(cond) };
        self.placed.push((fact, (!is_first).then_some(other)));
        Ok(Some(taken))
    }

    /// After an instruction: what it has decided of where objects lie is so on the path.
    pub(super) fn settle_placements(&mut self) {
        if self.placed.is_empty() {
            return;
        }
        // A native run lies here or elsewhere; what is so elsewhere alone, it need not show.
        self.state.placed |= self.placed.iter().any(|it| it.1.is_some());
        let layout = Rc::make_mut(&mut self.state.layout);
        for (fact, placement) in self.placed.drain(..) {
            layout.facts.push(fact);
            layout.placements.extend(placement);
        }
    }

    /// A term that decides something, where objects lie here; named if it would be another elsewhere.
    pub(crate) fn settled(&mut self, term: Term, what: &str) -> Term {
        let terms = self.ctx.terms;
        if !is_placed(terms, term) {
            return term;
        }
        if terms.sort(term).width().is_none()
            && let Some(known) = self.everywhere(term)
        {
            return terms.bool(known);
        }
        self.depends_on_placement(what);
        in_layout(terms, term, &self.state.layout.placements)
    }

    /// The truth of a condition, if that is one wherever objects lie.
    fn everywhere(&self, cond: Term) -> Option<bool> {
        let terms = self.ctx.terms;
        let tables = TruthTables::new();
        let mut ranges = Ranges::new(terms, &tables);
        for symbol in terms.symbols(cond) {
            let Some(id) = object_of_symbol(terms, *symbol).map(ObjectId) else { continue };
            let size = self.state.memory.get(id).map_or(0, |it| it.size.most());
            let base = terms.bv_u64(Width::W64, id.base());
            let address = terms.bv_add(base, shift(terms, id.0, self.state.memory.alignment(id)));
            let bound = |it: u64| terms.bv_u64(Width::W64, it);
            ranges.assume(terms.bv_ule(bound(LEAST), address));
            ranges.assume(terms.bv_ule(address, bound(END - size)));
        }
        self.state.layout.facts.iter().for_each(|it| ranges.assume(*it));
        ranges.truth(cond)
    }

    /// The number that a pointer is.
    pub(crate) fn number_of(&mut self, pointer: Val) -> Val {
        match pointer {
            Val::Int(address) => self.number_of_address(address),
            Val::Term(term) => {
                let res = self.placed_term(term);
                Val::of_term(self.ctx.terms, res)
            }
            other => other,
        }
    }

    fn number_of_address(&self, address: u64) -> Val {
        let (id, _) = self.locate(address);
        let memory = &self.state.memory;
        if matches!(memory.lookup(id), Lookup::Null | Lookup::Wild) {
            return Val::Int(address);
        }
        let align = memory.alignment(id);
        if id == ObjectId::of_address(address).0 {
            return Val::Address { bits: address, align };
        }
        let terms = self.ctx.terms;
        Val::Term(terms.bv_add(terms.bv_u64(Width::W64, address), shift(terms, id.0, align)))
    }

    /// The pointer that a number is; named if it is into another object, or to another place in it, elsewhere.
    pub(crate) fn pointer_of(&mut self, number: &Val) -> Val {
        match number {
            Val::Address { bits, .. } => Val::Int(*bits),
            Val::Term(term) if is_placed(self.ctx.terms, *term) => {
                let terms = self.ctx.terms;
                let pointer = here(terms, *term);
                if self.is_moved_along(pointer, *term) {
                    return Val::of_term(terms, pointer);
                }
                self.depends_on_placement("an address");
                let pointer = self.pointer_in_layout(*term);
                Val::of_term(terms, pointer)
            }
            other => other.clone(),
        }
    }

    /// The pointer that a number is in the layout of the path: the place in its object that has this address there.
    fn pointer_in_layout(&self, number: Term) -> Term {
        let terms = self.ctx.terms;
        let placements = &self.state.layout.placements;
        let address = in_layout(terms, number, placements);
        let moved = self.object_of(here(terms, number)).and_then(|it| Some((it, *placements.get(&it.0)?)));
        match moved {
            Some((id, placement)) => {
                let distance = placement << self.state.memory.alignment(id);
                terms.bv_sub(address, terms.bv_u64(Width::W64, distance))
            }
            None => address,
        }
    }

    /// Whether a number is the pointer `here`, wherever its object lies.
    fn is_moved_along(&mut self, here: Term, number: Term) -> bool {
        let pointer = self.placed_term(here);
        self.is_number_of(here, number) || are_same_bits(self.ctx.terms, pointer, number)
    }

    /// The arguments of a function that the interpreter brings along, where objects lie here; `None` if they are the
    /// same anywhere. What computes with numbers is given them as they are.
    pub(super) fn settled_arguments(&mut self, builtin: u32, call: &Call, arguments: &[Val]) -> Option<Vec<Val>> {
        let terms = self.ctx.terms;
        let placed = |it: &Val| match it {
            Val::Address { .. } => true,
            Val::Term(term) => is_placed(terms, *term),
            _ => false,
        };
        if !arguments.iter().any(placed) || self.program.library.computes(builtin) {
            return None;
        }
        let settled = arguments.iter().zip(&call.arguments).map(|(value, argument)| match &argument.shape {
            Shape::Scalar { width, .. } => self.settled_argument(value, Width::of(*width), "an argument"),
            Shape::Aggregate(_) => value.clone(),
        });
        Some(settled.collect())
    }

    /// An argument of a function that is not followed: a number that is a pointer is that pointer.
    pub(super) fn settled_argument(&mut self, value: &Val, width: Width, what: &str) -> Val {
        match value {
            Val::Term(term) if is_placed(self.ctx.terms, *term) => {
                let terms = self.ctx.terms;
                let plain = here(terms, *term);
                if width == Width::W64 && self.is_moved_along(plain, *term) {
                    return Val::of_term(terms, plain);
                }
                if width == Width::W64 && self.object_of(plain).is_some() {
                    self.depends_on_placement(what);
                    let pointer = self.pointer_in_layout(*term);
                    return Val::of_term(terms, pointer);
                }
                Val::of_term(terms, self.settled(*term, what))
            }
            other => self.pointer_of(other),
        }
    }

    /// A number of floating point that is an address here.
    pub(super) fn float_here(&self, value: &Val) -> Option<Val> {
        let terms = self.ctx.terms;
        match value {
            Val::Address { bits, .. } => Some(Val::Int(*bits)),
            Val::Term(term) if is_placed(terms, *term) => Some(Val::of_term(terms, here(terms, *term))),
            _ => None,
        }
    }

    /// What was read as an integer, where it was a pointer when it was written, or is a part of one.
    pub(super) fn number_read(&mut self, spot: Spot, size: usize, width: u32, value: Val) -> Val {
        let Val::Int(bits) = value else {
            return if size > 8 { self.large_number_read(spot, size, width, value) } else { value };
        };
        if size == 8 {
            return if self.state.memory.is_address_of_any(bits) { self.number_of_address(bits) } else { value };
        }
        let Offset::Known(offset) = spot.offset else { return value };
        let Some(object) = self.state.memory.get(spot.object) else { return value };
        let Some((start, address)) = self.state.memory.address_around(&object.bytes, offset, size) else {
            return value;
        };
        let terms = self.ctx.terms;
        let number = self.number_of_address(address);
        let number = self.term(&number, Width::W64);
        let first = offset as i64 - start as i64;
        // What lies in the word; beyond it are other bytes.
        let (low, high) = (first.max(0) as u32, ((first + size as i64).min(8)) as u32);
        let mut part = terms.bv_extract(high * 8 - 1, low * 8, number);
        if first < 0 {
            let below = Width::of((-first) as u32 * 8);
            part = terms.bv_concat(part, terms.bv(BvValue::from_u64(below, bits)));
        }
        let missing = size as u32 * 8 - terms.width(part).bits();
        if missing > 0 {
            let above = bits >> terms.width(part).bits();
            part = terms.bv_concat(terms.bv_u64(Width::of(missing), above), part);
        }
        let term = terms.bv_truncate(Width::of(width), part);
        let term = if width == 1 { terms.eq(term, terms.bv_u64(Width::W1, 1)) } else { term };
        Val::of_term(terms, term)
    }

    /// Of an address of which not all bytes were copied the others are parts of a number.
    pub(super) fn cut_addresses(&mut self, source: &Bytes, offset: usize, size: usize, into: &mut Bytes) {
        let end = offset + size;
        for at in [offset, end - 1] {
            let Some((start, address)) = self.state.memory.address_around(source, at, 1) else { continue };
            if start >= offset && start + 8 <= end {
                continue;
            }
            let number = self.number_of_address(address);
            let number = self.term(&number, Width::W64);
            let terms = self.ctx.terms;
            for byte in start.max(offset)..(start + 8).min(end) {
                let low = (byte - start) as u32 * 8;
                into.store_term(terms, byte - offset, 1, terms.bv_extract(low + 7, low, number));
            }
        }
    }

    /// Several words at once, as optimised copies of structures.
    fn large_number_read(&mut self, spot: Spot, size: usize, width: u32, value: Val) -> Val {
        let Offset::Known(offset) = spot.offset else { return value };
        let Some(object) = self.state.memory.get(spot.object) else { return value };
        if width as usize != size * 8 || !size.is_multiple_of(8) || !object.bytes.may_hold_addresses() {
            return value;
        }
        let mut whole: Option<Term> = None;
        for at in (0..size).step_by(8) {
            let spot = Spot { object: spot.object, offset: Offset::Known(offset + at) };
            let word = self.read(spot, 8, 64);
            let word = self.number_read(spot, 8, 64, word);
            let word = self.term(&word, Width::W64);
            whole = Some(whole.map_or(word, |low| self.ctx.terms.bv_concat(word, low)));
        }
        whole.map_or(value, |it| Val::of_term(self.ctx.terms, it))
    }

    /// A number as simple as it can be said.
    pub(super) fn simplest(&self, value: &Val) -> Val {
        let Val::Term(term) = value else { return value.clone() };
        let terms = self.ctx.terms;
        let Node::BvSum(sum) = terms.node(*term) else { return value.clone() };
        let ([_], Some(address)) = (&sum.summands[..], sum.constant.to_u64()) else { return value.clone() };
        let (id, offset) = ObjectId::of_address(address);
        let align = self.state.memory.alignment(id);
        // Not if it has left the object's window.
        let near = (-(1 << 29)..=1 << 30).contains(&offset);
        if id != ObjectId(0) && near && placed(terms, address, align) == *term {
            return Val::Address { bits: address, align };
        }
        value.clone()
    }

    /// A comparison of numbers of which one at least is an address; `None` where terms must say.
    pub(super) fn compare_numbers(&mut self, pred: IntPredicate, a: &Val, b: &Val) -> Option<bool> {
        match (a, b) {
            (&Val::Address { bits: x, .. }, &Val::Address { bits: y, .. }) => self.compare_addresses(pred, x, y),
            (&Val::Address { bits, align }, &Val::Int(number)) => compare_with(pred, bits, align, number),
            (&Val::Int(number), &Val::Address { bits, align }) => compare_with(swapped(pred), bits, align, number),
            _ => None,
        }
    }

    /// A comparison of addresses; `None` where that depends on where objects lie.
    fn compare_addresses(&self, pred: IntPredicate, a: u64, b: u64) -> Option<bool> {
        let (x, y) = (self.locate(a), self.locate(b));
        if x.0 == y.0 {
            return Some(compare(pred, 64, a, b));
        }
        let is_equality = matches!(pred, IntPredicate::Eq | IntPredicate::Ne);
        // Where the end of an object of symbolic size is, its arm says.
        let is_known = |(id, offset): (ObjectId, i64)| {
            offset == 0 || !self.state.memory.get(id).is_some_and(|it| matches!(it.size, Size::Symbolic { .. }))
        };
        (is_equality && is_known(x) && is_known(y) && self.state.memory.are_apart(x, y))
            .then_some(pred == IntPredicate::Ne)
    }

    /// A comparison of pointers.
    pub(super) fn icmp_pointers(&mut self, pred: IntPredicate, a: Val, b: Val) -> Flow<Val> {
        for pointer in [&a, &b] {
            if let Some(poison) = self.valued(pointer, Width::W1)? {
                return Ok(poison);
            }
        }
        if let (Val::Int(x), Val::Int(y)) = (&a, &b) {
            let (x, y) = (*x, *y);
            let is_object =
                |it: u64| !matches!(self.state.memory.lookup(self.locate(it).0), Lookup::Null | Lookup::Wild);
            let known = match (is_object(x), is_object(y)) {
                (true, true) => self.compare_addresses(pred, x, y),
                _ => Some(compare(pred, 64, x, y)),
            };
            if let Some(known) = known {
                return Ok(Val::Int(u64::from(known)));
            }
        }
        if matches!((&a, &b), (Val::Undef, _) | (_, Val::Undef)) {
            return Ok(Val::Undef);
        }
        if let Some(res) = self.compare_arms(pred, &a, &b)? {
            return Ok(res);
        }
        // An unknown pointer is no address of an object that is known.
        let is_equality = matches!(pred, IntPredicate::Eq | IntPredicate::Ne);
        if is_equality && !self.have_arms(&a, &b) {
            return self.icmp(pred, 64, &a, &b);
        }
        let (a, b) = (self.number_of(a), self.number_of(b));
        self.icmp(pred, 64, &a, &b)
    }
}

fn swapped(pred: IntPredicate) -> IntPredicate {
    match pred {
        IntPredicate::Ugt => IntPredicate::Ult,
        IntPredicate::Uge => IntPredicate::Ule,
        IntPredicate::Ult => IntPredicate::Ugt,
        IntPredicate::Ule => IntPredicate::Uge,
        IntPredicate::Sgt => IntPredicate::Slt,
        IntPredicate::Sge => IntPredicate::Sle,
        IntPredicate::Slt => IntPredicate::Sgt,
        IntPredicate::Sle => IntPredicate::Sge,
        same => same,
    }
}

/// A comparison of an address with a number, if that is the same wherever the object lies.
fn compare_with(pred: IntPredicate, address: u64, align: u8, number: u64) -> Option<bool> {
    let low = (1u64 << align) - 1;
    let is_address = (LEAST..END).contains(&number);
    match pred {
        IntPredicate::Eq | IntPredicate::Ne if !is_address || number & low != address & low => {
            Some(pred == IntPredicate::Ne)
        }
        IntPredicate::Eq | IntPredicate::Ne => None,
        // Any address stands for all.
        _ => (!is_address).then(|| compare(pred, 64, LEAST, number)),
    }
}

impl crate::memory::Memory {
    /// Whether some bytes are an address, or a part of one.
    pub(super) fn is_part_of_address(&self, bytes: &Bytes, offset: usize, size: usize) -> bool {
        match size {
            8 => bytes.word_at(offset).is_some_and(|it| self.is_address_of_any(it)),
            _ => self.address_around(bytes, offset, size).is_some(),
        }
    }

    /// The word around some bytes that is an address, and where it begins.
    pub(super) fn address_around(&self, bytes: &Bytes, offset: usize, size: usize) -> Option<(usize, u64)> {
        if !bytes.may_hold_addresses() {
            return None;
        }
        let at = |start: usize| {
            let word = bytes.word_at(start)?;
            self.is_address_of_any(word).then_some((start, word))
        };
        let first = offset / 8 * 8;
        if bytes.addresses_are_aligned() {
            return (first..offset + size).step_by(8).find_map(at);
        }
        ((offset + 1).saturating_sub(8)..offset + size).find_map(at)
    }
}

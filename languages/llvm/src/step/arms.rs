//! The objects that a merged pointer leads into, each with the condition of its arm.
//!
//! Knows: if-then-elses of addresses, also with a distance added; which of two pointers lead into one object, on which
//! arms, so that their order and their distance are the same wherever objects lie. Never: whether an address may be used
//! (`access`), what depends on where objects lie (`placement`).
//! Source: C17 6.5.6 (difference of pointers), 6.5.8 (order), 6.5.9 (equality).

use crate::ir::IntPredicate;
use crate::machine::{Flow, Machine};
use crate::memory::{Lookup, ObjectId, ObjectKind, Size};
use crate::placement::{LEAST, here, is_placed, shift};
use crate::value::Val;
use effigy_term::{BvValue, Node, Term, Width};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A merged pointer is looked through up to so many nodes. Chosen without measuring.
const MOST_NODES: usize = 1 << 14;

/// The most objects that one pointer is known to lead into. Chosen without measuring.
const MOST_OBJECTS: usize = 256;

/// An if-then-else of numbers is compared side by side so deep: without a memory of its nodes it may take long.
const DEPTH: u32 = 16;

/// The object of a pointer that leads nowhere: null, or a number.
pub(super) const NOWHERE: ObjectId = ObjectId(0);

/// One object that a pointer can lead into.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arm {
    pub(super) object: ObjectId,
    /// The condition under which the pointer leads into it. The conditions of all arms exclude each other.
    pub(super) cond: Term,
    /// The address where the condition holds.
    pub(super) address: Term,
}

type Arms = Rc<[Arm]>;

/// How a term is taken apart.
enum Parts {
    Leaf,
    /// Condition and both sides.
    Choice(Term, Term, Term),
    /// Summands that are a choice, of which one may be the pointer.
    Sum(Vec<Term>),
}

impl Machine<'_, '_> {
    /// The objects that a pointer can lead into, in the order of its sides; `None` where that is not known of one.
    pub(super) fn arms(&self, pointer: Term) -> Option<Arms> {
        let terms = self.ctx.terms;
        // What was found of each node; `None` of a summand that leads into no object.
        let mut known: FxHashMap<Term, Option<Arms>> = FxHashMap::default();
        let mut work = vec![pointer];
        while let Some(&term) = work.last() {
            if known.contains_key(&term) {
                work.pop();
                continue;
            }
            let parts = self.parts(term);
            let open = |it: &Term| !known.contains_key(it);
            let before = work.len();
            match &parts {
                Parts::Leaf => {}
                Parts::Choice(_, then, other) => work.extend([*then, *other].into_iter().filter(open)),
                Parts::Sum(choices) => work.extend(choices.iter().copied().filter(open)),
            }
            if work.len() > before {
                continue;
            }
            if known.len() > MOST_NODES {
                return None;
            }
            let of = |it: &Term| known.get(it).cloned().flatten();
            let found = match parts {
                Parts::Leaf => self.leaf(term).map(|it| Rc::from([it])),
                Parts::Choice(cond, then, other) => match (of(&then), of(&other)) {
                    (Some(then), Some(other)) => self.either(cond, &then, &other),
                    _ => None,
                },
                Parts::Sum(choices) => {
                    let leads = |it: &Arms| it.iter().any(|arm| arm.object != NOWHERE);
                    let mut pointers = choices.iter().filter_map(|it| of(it).filter(leads).map(|arms| (*it, arms)));
                    match (pointers.next(), pointers.next()) {
                        (Some((choice, arms)), None) => {
                            let rest = terms.bv_sub(term, choice);
                            let moved = |it: &Arm| Arm { address: terms.bv_add(it.address, rest), ..*it };
                            Some(arms.iter().map(moved).collect())
                        }
                        _ => None,
                    }
                }
            };
            known.insert(term, found);
            work.pop();
        }
        known.remove(&pointer).flatten()
    }

    /// The arms of a value that is a pointer.
    fn arms_of(&self, pointer: &Val) -> Option<Arms> {
        match pointer {
            Val::Int(address) => self.arms(self.ctx.terms.bv_u64(Width::W64, *address)),
            Val::Term(term) => self.arms(*term),
            _ => None,
        }
    }

    /// Whether it is known of both of two pointers which objects they can lead into.
    pub(super) fn have_arms(&self, a: &Val, b: &Val) -> bool {
        self.arms_of(a).is_some() && self.arms_of(b).is_some()
    }

    fn parts(&self, term: Term) -> Parts {
        let terms = self.ctx.terms;
        if self.object_of(term).is_some() {
            return Parts::Leaf;
        }
        match terms.node(term) {
            Node::Ite(cond, then, other) => Parts::Choice(*cond, *then, *other),
            Node::BvSum(sum) => {
                let choices =
                    sum.summands.iter().filter(|(k, it)| k.is_one() && matches!(terms.node(*it), Node::Ite(..)));
                Parts::Sum(choices.map(|it| it.1).collect())
            }
            _ => Parts::Leaf,
        }
    }

    /// The object of an address that is no choice.
    fn leaf(&self, term: Term) -> Option<Arm> {
        let terms = self.ctx.terms;
        let cond = terms.bool(true);
        if let Some(object) = self.object_of(term) {
            return Some(Arm { object, cond, address: term });
        }
        let address = terms.as_bv(term).and_then(BvValue::to_u64)?;
        let (id, _) = self.locate(address);
        let is_none = matches!(self.state.memory.lookup(id), Lookup::Null | Lookup::Wild);
        is_none.then_some(Arm { object: NOWHERE, cond, address: term })
    }

    /// The arms of a choice between two pointers.
    fn either(&self, cond: Term, then: &[Arm], other: &[Arm]) -> Option<Arms> {
        let terms = self.ctx.terms;
        let not = terms.not(cond);
        let under = |cond: Term, it: &Arm| Arm { cond: terms.and(cond, it.cond), ..*it };
        let mut res: Vec<Arm> = Vec::with_capacity(then.len() + other.len());
        for arm in then {
            res.push(match other.iter().find(|it| it.object == arm.object) {
                Some(same) => Arm {
                    object: arm.object,
                    cond: terms.ite(cond, arm.cond, same.cond),
                    address: terms.ite(cond, arm.address, same.address),
                },
                None => under(cond, arm),
            });
        }
        let more = other.iter().filter(|it| !then.iter().any(|arm| arm.object == it.object));
        res.extend(more.map(|it| under(not, it)));
        (res.len() <= MOST_OBJECTS).then(|| res.into())
    }

    /// The number that a symbolic pointer is: on each of its arms it moves along with that object.
    pub(super) fn placed_term(&self, pointer: Term) -> Term {
        let terms = self.ctx.terms;
        let Some(arms) = self.arms(pointer) else { return pointer };
        let zero = terms.bv_u64(Width::W64, 0);
        let objects = arms.iter().filter(|it| it.object != NOWHERE);
        objects.fold(pointer, |number, it| {
            let distance = shift(terms, it.object.0, self.state.memory.alignment(it.object));
            terms.bv_add(number, terms.ite(it.cond, distance, zero))
        })
    }

    /// Whether a number is this pointer wherever objects lie, by the form in which it was computed: from a merged pointer,
    /// or on each of the paths that were merged.
    pub(super) fn is_number_of(&self, pointer: Term, number: Term) -> bool {
        self.placed_term(pointer) == number || self.placed_on_each_side(pointer, DEPTH) == number
    }

    /// The number that a pointer is, as an if-then-else of the numbers of its sides.
    fn placed_on_each_side(&self, pointer: Term, depth: u32) -> Term {
        let terms = self.ctx.terms;
        if let Node::Ite(cond, then, other) = *terms.node(pointer)
            && depth > 0
        {
            let (then, other) = (self.placed_on_each_side(then, depth - 1), self.placed_on_each_side(other, depth - 1));
            return terms.ite(cond, then, other);
        }
        match self.object_of(pointer) {
            Some(id) if id != NOWHERE => terms.bv_add(pointer, shift(terms, id.0, self.state.memory.alignment(id))),
            _ => pointer,
        }
    }

    /// The pointer that a number is, wherever objects lie; `None` where it is another elsewhere, or none.
    fn pointer_behind(&self, number: &Val) -> Option<Val> {
        let terms = self.ctx.terms;
        match number {
            Val::Address { bits, .. } => Some(Val::Int(*bits)),
            Val::Int(number) => Some(Val::Int(*number)),
            Val::Term(term) => {
                let pointer = here(terms, *term);
                self.is_number_of(pointer, *term).then(|| Val::of_term(terms, pointer))
            }
            _ => None,
        }
    }

    /// A comparison of pointers as far as each is into one object on each arm, or nowhere; `None` where that is not known
    /// of one, or where no two arms can be compared.
    pub(super) fn compare_arms(&mut self, pred: IntPredicate, a: &Val, b: &Val) -> Flow<Option<Val>> {
        let (Some(left), Some(right)) = (self.arms_of(a), self.arms_of(b)) else { return Ok(None) };
        let is_equality = matches!(pred, IntPredicate::Eq | IntPredicate::Ne);
        let question = if is_equality { Question::Equality } else { Question::Order };
        match self.decide_comparable(question, &left, &right)? {
            Comparable::Always | Comparable::Here => self.icmp_plain(pred, 64, a, b).map(Some),
            Comparable::Never => Ok(None),
            Comparable::NotHere => {
                let (a, b) = (self.number_of(a.clone()), self.number_of(b.clone()));
                let res = self.icmp_plain(pred, 64, &a, &b)?;
                Ok(Some(self.settled_apart(res, "a comparison")))
            }
        }
    }

    /// A comparison of numbers that are pointers, at least one of them a merged one, likewise.
    pub(super) fn compare_behind(&mut self, pred: IntPredicate, a: &Val, b: &Val) -> Flow<Option<Val>> {
        match self.pointers_behind(a, b) {
            Some((a, b)) => self.compare_arms(pred, &a, &b),
            None => Ok(None),
        }
    }

    /// The difference of two numbers that are pointers, as far as both are into one object on each arm.
    pub(super) fn difference_behind(&mut self, a: &Val, b: &Val) -> Flow<Option<Val>> {
        // From a pointer a plain number is taken away, too.
        if matches!((a, b), (Val::Int(_), _) | (_, Val::Int(_))) {
            return Ok(None);
        }
        let Some((pointer, start)) = self.pointers_behind(a, b) else { return Ok(None) };
        let (Some(left), Some(right)) = (self.arms_of(&pointer), self.arms_of(&start)) else { return Ok(None) };
        let (from, to) = match self.decide_comparable(Question::Difference, &left, &right)? {
            Comparable::Always | Comparable::Here => (&pointer, &start),
            Comparable::Never => return Ok(None),
            Comparable::NotHere => (a, b),
        };
        let (from, to) = (self.term(from, Width::W64), self.term(to, Width::W64));
        let terms = self.ctx.terms;
        let res = Val::of_term(terms, terms.bv_sub(from, to));
        Ok(Some(self.settled_apart(res, "a difference")))
    }

    /// The pointers that two numbers are, where one of them is a placed term.
    fn pointers_behind(&self, a: &Val, b: &Val) -> Option<(Val, Val)> {
        let is_merged = |it: &Val| matches!(it, Val::Term(term) if is_placed(self.ctx.terms, *term));
        if !is_merged(a) && !is_merged(b) {
            return None;
        }
        Some((self.pointer_behind(a)?, self.pointer_behind(b)?))
    }

    /// Where merged paths go on together, what depends on where objects lie is named on the arms where it does.
    fn settled_apart(&mut self, value: Val, what: &str) -> Val {
        match value {
            Val::Term(term) if self.ctx.common().is_some() => {
                let settled = self.settled(term, what);
                Val::of_term(self.ctx.terms, settled)
            }
            value => value,
        }
    }

    /// Whether the arms that two pointers take are ones that compare alike wherever objects lie.
    fn decide_comparable(&mut self, question: Question, left: &[Arm], right: &[Arm]) -> Flow<Comparable> {
        let terms = self.ctx.terms;
        let mut pairs = Vec::new();
        for a in left {
            for b in right.iter().filter(|b| b.object != a.object) {
                let alike = match question {
                    Question::Equality => self.are_apart(a, b),
                    Question::Order => terms.bool(self.is_below_all(a) || self.is_below_all(b)),
                    Question::Difference => terms.bool(false),
                };
                pairs.push(terms.and_all([a.cond, b.cond, terms.not(alike)]));
            }
        }
        let comparable = terms.not(terms.or_all(pairs));
        let comparable = self.simplified(comparable);
        Ok(match terms.as_bool(comparable) {
            Some(true) => Comparable::Always,
            Some(false) => Comparable::Never,
            None if self.decide_term(comparable)? => Comparable::Here,
            None => Comparable::NotHere,
        })
    }

    /// Whether an arm is null, or a number in the page of null.
    fn is_below_all(&self, arm: &Arm) -> bool {
        let number = self.ctx.terms.as_bv(arm.address).and_then(BvValue::to_u64);
        arm.object == NOWHERE && number.is_some_and(|it| it < LEAST)
    }

    /// The condition under which two pointers into different objects, or nowhere, differ wherever these lie.
    fn are_apart(&self, a: &Arm, b: &Arm) -> Term {
        let terms = self.ctx.terms;
        if a.object == NOWHERE || b.object == NOWHERE {
            return terms.bool(true);
        }
        let offset = |it: &Arm| terms.bv_sub(it.address, terms.bv_u64(Width::W64, it.object.base()));
        let (at, other) = (offset(a), offset(b));
        let (mine, theirs) = (self.extent(a.object), self.extent(b.object));
        let constant = |it: Term| terms.as_bv(it).and_then(BvValue::to_u64).map(|it| it as i64);
        let are_known = [mine, theirs].iter().all(|it| terms.as_bv(*it).is_some());
        if let (true, Some(at), Some(other)) = (are_known, constant(at), constant(other)) {
            return terms.bool(self.state.memory.are_apart((a.object, at), (b.object, other)));
        }
        // Objects that lived at different times may lie at one address.
        if !self.state.memory.live_together(a.object, b.object) {
            return terms.bool(false);
        }
        let is_start = |it: Term| terms.eq(it, terms.bv_u64(Width::W64, 0));
        let inside = terms.and(terms.bv_ule(at, mine), terms.bv_ule(other, theirs));
        let touch =
            terms.or(terms.and(terms.eq(at, mine), is_start(other)), terms.and(terms.eq(other, theirs), is_start(at)));
        terms.and(inside, terms.not(touch))
    }

    /// The bytes that no other object that lives at the same time may have: those of the object, one at least if it is no
    /// local variable.
    fn extent(&self, id: ObjectId) -> Term {
        let terms = self.ctx.terms;
        let number = |it: u64| terms.bv_u64(Width::W64, it);
        let Some(object) = self.state.memory.get(id) else { return number(0) };
        let least = u64::from(object.kind != ObjectKind::Stack);
        match object.size {
            Size::Known(size) => number(size.max(least)),
            Size::Symbolic { term, .. } if least == 0 => term,
            Size::Symbolic { term, .. } => terms.ite(terms.eq(term, number(0)), number(1), term),
        }
    }
}

/// What is asked of two pointers.
#[derive(Clone, Copy)]
enum Question {
    Equality,
    Order,
    Difference,
}

/// Whether two pointers compare alike wherever objects lie.
enum Comparable {
    /// On all of their arms.
    Always,
    /// On none of them.
    Never,
    /// On the arms that the path has taken.
    Here,
    /// Not on the arms that the path has taken.
    NotHere,
}

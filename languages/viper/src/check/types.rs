//! Types while they are inferred: with unknowns, and with the kinds of assertions that silver tells apart.
//!
//! Knows: unification, which type may stand where which is wanted. Never: expressions, names.
//! Source: silver's `PTypeSubstitution` and `TypeHelper`: Bool, wands and predicate instances are assertions.

use effigy_contracts::program::DomainId;
use std::fmt;
use std::rc::Rc;
use std::sync::Arc;

/// A type, perhaps not known yet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ty {
    Int,
    Bool,
    Ref,
    Perm,
    Seq(Rc<Ty>),
    Set(Rc<Ty>),
    Multiset(Rc<Ty>),
    Map(Rc<Ty>, Rc<Ty>),
    Domain(DomainId, Rc<[Ty]>),
    Adt(AdtId, Rc<[Ty]>),
    /// A type variable of the domain or ADT in which this stands.
    Rigid(u32),
    /// A type that inference has yet to find.
    Unknown(Unknown),
    /// An assertion that may ask for permission.
    Impure,
    /// A magic wand, which is an assertion.
    Wand,
    /// A predicate instance, which is an assertion.
    Instance,
    /// `#P(e)`: only as a termination measure.
    Measure,
    /// A type that is not declared, which was reported; equal to itself, so that there is no second error.
    Undeclared(Arc<str>),
    /// Something is wrong with the expression, which was reported: its surroundings are not checked further.
    Error,
}

/// Index into the ADTs of the program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AdtId(pub u32);

/// A type to be found out.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Unknown(u32);

/// What was found out, one step after the other: `Unknown` is `Ty`.
pub type Steps = Rc<[(Unknown, Ty)]>;

/// What is known of the unknowns. Every step is recorded, so that it can be taken back.
#[derive(Default)]
pub struct Unifier {
    known: Vec<Option<Ty>>,
    /// Stands for this type variable of that domain: what it is inside this domain if nothing else is known.
    origin: Vec<Option<(DomainId, u32)>>,
    trail: Vec<(Unknown, Ty)>,
}

/// So many steps had been taken.
#[derive(Clone, Copy)]
pub struct UnifierMark(usize);

impl Ty {
    pub fn seq(element: Ty) -> Ty {
        Ty::Seq(Rc::new(element))
    }

    pub fn set(element: Ty) -> Ty {
        Ty::Set(Rc::new(element))
    }

    pub fn multiset(element: Ty) -> Ty {
        Ty::Multiset(Rc::new(element))
    }

    pub fn map(key: Ty, value: Ty) -> Ty {
        Ty::Map(Rc::new(key), Rc::new(value))
    }

    /// Whether it is an assertion's type that no pure expression has.
    pub fn asks_permission(&self) -> bool {
        matches!(self, Ty::Impure | Ty::Wand | Ty::Instance)
    }

    /// The same with another type for each part.
    pub fn map_parts(&self, f: &mut dyn FnMut(&Ty) -> Ty) -> Ty {
        match self {
            Ty::Seq(a) => Ty::seq(f(a)),
            Ty::Set(a) => Ty::set(f(a)),
            Ty::Multiset(a) => Ty::multiset(f(a)),
            Ty::Map(a, b) => Ty::map(f(a), f(b)),
            Ty::Domain(id, args) => Ty::Domain(*id, args.iter().map(f).collect()),
            Ty::Adt(id, args) => Ty::Adt(*id, args.iter().map(f).collect()),
            _ => self.clone(),
        }
    }

    /// The same with these types for the type variables of its domain.
    pub fn instantiate(&self, args: &[Ty]) -> Ty {
        match self {
            Ty::Rigid(it) => args.get(*it as usize).cloned().unwrap_or(Ty::Error),
            _ => self.map_parts(&mut |it| it.instantiate(args)),
        }
    }

    /// Shows it with the names of domains and ADTs.
    pub fn show<'a>(&'a self, names: &'a dyn TypeNames) -> impl fmt::Display + 'a {
        TypeDisplay { ty: self, names }
    }
}

/// Who knows what domains are called.
pub trait TypeNames {
    fn domain(&self, id: DomainId) -> &str;
    fn adt(&self, id: AdtId) -> &str;
}

fn generic(f: &mut fmt::Formatter<'_>, name: &str, args: &[Ty], names: &dyn TypeNames) -> fmt::Result {
    write!(f, "{name}")?;
    for (idx, arg) in args.iter().enumerate() {
        write!(f, "{}{}", if idx == 0 { "[" } else { ", " }, arg.show(names))?;
    }
    if args.is_empty() { Ok(()) } else { write!(f, "]") }
}

struct TypeDisplay<'a> {
    ty: &'a Ty,
    names: &'a dyn TypeNames,
}

impl fmt::Display for TypeDisplay<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.ty {
            Ty::Int => write!(f, "Int"),
            Ty::Bool => write!(f, "Bool"),
            Ty::Ref => write!(f, "Ref"),
            Ty::Perm => write!(f, "Perm"),
            Ty::Seq(a) => write!(f, "Seq[{}]", a.show(self.names)),
            Ty::Set(a) => write!(f, "Set[{}]", a.show(self.names)),
            Ty::Multiset(a) => write!(f, "Multiset[{}]", a.show(self.names)),
            Ty::Map(a, b) => write!(f, "Map[{}, {}]", a.show(self.names), b.show(self.names)),
            Ty::Domain(id, args) => generic(f, self.names.domain(*id), args, self.names),
            Ty::Adt(id, args) => generic(f, self.names.adt(*id), args, self.names),
            Ty::Rigid(_) => write!(f, "a type variable"),
            Ty::Unknown(_) => write!(f, "any type"),
            Ty::Impure => write!(f, "an assertion"),
            Ty::Wand => write!(f, "a magic wand"),
            Ty::Instance => write!(f, "a predicate instance"),
            Ty::Measure => write!(f, "PredicateInstance"),
            Ty::Undeclared(name) => write!(f, "{name}"),
            Ty::Error => write!(f, "an error"),
        }
    }
}

impl Unifier {
    /// Something new to be found out.
    pub fn fresh(&mut self) -> Ty {
        self.fresh_for(None)
    }

    /// Something new to be found out, which stands for a type variable.
    pub fn fresh_for(&mut self, origin: Option<(DomainId, u32)>) -> Ty {
        self.known.push(None);
        self.origin.push(origin);
        Ty::Unknown(self.next(1))
    }

    /// The oldest unknown that is not made yet.
    pub fn horizon(&self) -> Unknown {
        self.next(0)
    }

    pub fn mark(&self) -> UnifierMark {
        UnifierMark(self.trail.len())
    }

    /// Takes back what was found out since.
    pub fn undo(&mut self, mark: UnifierMark) {
        for (unknown, _) in self.trail.drain(mark.0..) {
            self.known[unknown.0 as usize] = None;
        }
    }

    /// What was found out since.
    pub fn since(&self, mark: UnifierMark) -> Steps {
        self.trail[mark.0..].into()
    }

    /// Finds it out again. False: it contradicts what is known.
    pub fn apply(&mut self, steps: &[(Unknown, Ty)]) -> bool {
        steps.iter().all(|(unknown, ty)| self.equal(&Ty::Unknown(*unknown), ty))
    }

    /// The type as far as its head is known.
    pub fn head(&self, ty: &Ty) -> Ty {
        let mut ty = ty;
        while let Ty::Unknown(it) = ty {
            match &self.known[it.0 as usize] {
                Some(next) => ty = next,
                None => break,
            }
        }
        ty.clone()
    }

    /// The type as far as it is known.
    pub fn whole(&self, ty: &Ty) -> Ty {
        let head = self.head(ty);
        head.map_parts(&mut |it| self.whole(it))
    }

    /// Whether an expression of type `actual` may stand where `wanted` is wanted.
    pub fn fits(&mut self, actual: &Ty, wanted: &Ty) -> bool {
        let (actual, wanted) = (self.head(actual), self.head(wanted));
        match (&actual, &wanted) {
            (Ty::Bool | Ty::Wand | Ty::Instance, Ty::Impure) => true,
            // A generic function's result as an assertion: it is a truth value.
            (Ty::Unknown(_), Ty::Impure) => self.equal(&actual, &Ty::Bool),
            _ => self.equal(&actual, &wanted),
        }
    }

    /// Whether both are, or can be made, the same. What was found out on the way to "no" has to be undone.
    pub fn equal(&mut self, a: &Ty, b: &Ty) -> bool {
        let (a, b) = (self.head(a), self.head(b));
        match (&a, &b) {
            (Ty::Unknown(x), Ty::Unknown(y)) if x == y => true,
            // The younger becomes the older one: what an inner expression leaves open may be decided outside.
            (Ty::Unknown(x), Ty::Unknown(y)) => {
                if x > y {
                    self.learn(*x, b.clone())
                } else {
                    self.learn(*y, a.clone())
                }
                true
            }
            (Ty::Unknown(x), other) | (other, Ty::Unknown(x)) => {
                let possible = !self.occurs(*x, other);
                if possible {
                    self.learn(*x, other.clone());
                }
                possible
            }
            (Ty::Seq(a), Ty::Seq(b)) | (Ty::Set(a), Ty::Set(b)) | (Ty::Multiset(a), Ty::Multiset(b)) => {
                self.equal(a, b)
            }
            (Ty::Map(a, c), Ty::Map(b, d)) => self.equal(a, b) && self.equal(c, d),
            (Ty::Domain(x, a), Ty::Domain(y, b)) => x == y && self.all_equal(a, b),
            (Ty::Adt(x, a), Ty::Adt(y, b)) => x == y && self.all_equal(a, b),
            _ => a == b,
        }
    }

    /// Chooses types for what is still open and not older than `horizon`: silver's defaults, which are Int, but inside
    /// a domain its own type variables.
    pub fn settle(&mut self, horizon: Unknown, inside: Option<DomainId>) {
        for idx in horizon.0..self.next(0).0 {
            if self.known[idx as usize].is_none() {
                let ty = match self.origin[idx as usize] {
                    Some((domain, var)) if inside == Some(domain) => Ty::Rigid(var),
                    _ => Ty::Int,
                };
                self.learn(Unknown(idx), ty);
            }
        }
    }

    fn next(&self, back: u32) -> Unknown {
        Unknown(self.known.len() as u32 - back)
    }

    fn learn(&mut self, unknown: Unknown, ty: Ty) {
        self.known[unknown.0 as usize] = Some(ty.clone());
        self.trail.push((unknown, ty));
    }

    fn all_equal(&mut self, a: &[Ty], b: &[Ty]) -> bool {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| self.equal(a, b))
    }

    fn occurs(&self, unknown: Unknown, ty: &Ty) -> bool {
        match self.head(ty) {
            Ty::Unknown(it) => it == unknown,
            Ty::Seq(a) | Ty::Set(a) | Ty::Multiset(a) => self.occurs(unknown, &a),
            Ty::Map(a, b) => self.occurs(unknown, &a) || self.occurs(unknown, &b),
            Ty::Domain(_, args) | Ty::Adt(_, args) => args.iter().any(|it| self.occurs(unknown, it)),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_learnt_can_be_taken_back_and_learnt_again() {
        let mut unifier = Unifier::default();
        let a = unifier.fresh();
        let mark = unifier.mark();
        assert!(unifier.equal(&Ty::seq(a.clone()), &Ty::seq(Ty::Ref)));
        let steps = unifier.since(mark);
        unifier.undo(mark);
        assert!(matches!(unifier.head(&a), Ty::Unknown(_)));
        assert!(unifier.apply(&steps));
        assert_eq!(unifier.head(&a), Ty::Ref);
    }

    #[test]
    fn a_type_does_not_contain_itself() {
        let mut unifier = Unifier::default();
        let a = unifier.fresh();
        assert!(!unifier.equal(&a, &Ty::set(a.clone())));
    }

    #[test]
    fn truth_values_are_assertions_but_not_the_other_way_round() {
        let mut unifier = Unifier::default();
        assert!(unifier.fits(&Ty::Bool, &Ty::Impure));
        assert!(!unifier.fits(&Ty::Impure, &Ty::Bool));
    }
}

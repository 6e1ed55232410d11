//! Classes of equal terms, and the trail by which every change is taken back.
//!
//! Knows: which terms are in which class, what is known of a class, who uses it. Never: why they are equal.
//!
//! Every member knows its class, the smaller class is renamed when two unite: n unions rename n · log n members at
//! most, and no look-up walks a path.

use super::bounds::Bounds;
use effigy_term::{FunctionSymbol, Term};
use rustc_hash::FxHashMap;

/// A term in the classes, by number; arguments before what they are arguments of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Id(u32);

impl Id {
    fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Debug)]
struct Member {
    term: Term,
    class: Id,
    /// The members of a class are a ring.
    next: Id,
}

/// What is known of a class; kept at the member that it is named by.
#[derive(Debug)]
pub(super) struct Class {
    size: usize,
    traits: Traits,
    /// Terms that have a member as an argument, or whose truth depends on its bounds.
    pub(super) uses: Vec<Id>,
    /// A member of each class that differs by assumption.
    pub(super) different: Vec<Id>,
    /// Applications of injections, one of each.
    pub(super) built: Vec<(FunctionSymbol, Id)>,
}

/// What unites when classes unite.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Traits {
    /// The member that stands for the others: a constant, or the first that was added, as simple as it is known to be.
    pub(super) canonical: Id,
    /// The first that was added. What stands for a class is made of classes whose first came before: no circles.
    pub(super) first: Id,
    /// The number of the birth of a member.
    pub(super) birth: Option<u64>,
    /// It existed before the birth of this number.
    pub(super) known: Option<u64>,
    pub(super) bounds: Bounds,
}

impl Traits {
    /// Whether an object can have them: nothing exists before its birth.
    pub(super) fn is_possible(&self) -> bool {
        self.birth.zip(self.known).is_none_or(|(birth, known)| birth < known) && !self.bounds.is_empty()
    }

    /// Whether two objects with these traits are two.
    pub(super) fn excludes(&self, other: &Traits) -> bool {
        let before = |known: Option<u64>, birth: Option<u64>| known.zip(birth).is_some_and(|(it, birth)| it <= birth);
        self.birth.zip(other.birth).is_some_and(|(a, b)| a != b)
            || before(self.known, other.birth)
            || before(other.known, self.birth)
    }
}

/// What a change was; changes of the classes themselves are undone here.
#[derive(Debug)]
pub(super) enum Change {
    Added,
    United {
        small: Id,
        large: Id,
        traits: Traits,
        uses: usize,
        different: usize,
        built: usize,
    },
    Traits(Id, Traits),
    Use(Id),
    Different(Id, Id),
    Built(Id),
    Signature(Signature),
    /// A fact of numbers was noted.
    Arithmetic,
    /// An axiom was added to the assumptions.
    Axiom,
    /// A contradiction was found in this scope.
    Inconsistent,
}

/// A function and the classes that it is applied to.
pub(super) type Signature = (FunctionSymbol, Box<[Id]>);

/// The congruence classes of all terms, with an undo trail.
#[derive(Debug, Default)]
pub(super) struct Classes {
    members: Vec<Member>,
    classes: Vec<Class>,
    numbers: FxHashMap<Term, Id>,
    /// Applications by their arguments' classes. What is there under a name that no class has any more is never found,
    /// and right again when the union is undone.
    signatures: FxHashMap<Signature, Id>,
    pub(super) trail: Vec<Change>,
}

impl Classes {
    pub(super) fn find(&self, term: Term) -> Option<Id> {
        self.numbers.get(&term).copied()
    }

    pub(super) fn term(&self, id: Id) -> Term {
        self.members[id.index()].term
    }

    /// The name of the class of a member.
    pub(super) fn of(&self, id: Id) -> Id {
        self.members[id.index()].class
    }

    pub(super) fn class(&self, class: Id) -> &Class {
        &self.classes[class.index()]
    }

    pub(super) fn traits(&self, class: Id) -> &Traits {
        &self.classes[class.index()].traits
    }

    /// The term that stands for the class of a member.
    pub(super) fn canonical(&self, id: Id) -> Term {
        self.term(self.traits(self.of(id)).canonical)
    }

    /// All terms that were added, in the order in which they were.
    pub(super) fn ids(&self) -> impl Iterator<Item = Id> + use<> {
        (0..self.members.len() as u32).map(Id)
    }

    /// The members of a class.
    pub(super) fn members(&self, class: Id) -> Vec<Id> {
        let mut res = vec![class];
        let mut next = self.members[class.index()].next;
        while next != class {
            res.push(next);
            next = self.members[next.index()].next;
        }
        res
    }

    /// How much there is to do when this class is renamed.
    pub(super) fn weight(&self, class: Id) -> usize {
        self.class(class).size + self.class(class).uses.len()
    }

    pub(super) fn insert(&mut self, term: Term) -> Id {
        let id = Id(self.members.len() as u32);
        self.members.push(Member { term, class: id, next: id });
        let traits = Traits { canonical: id, first: id, birth: None, known: None, bounds: Bounds::default() };
        let class = Class { size: 1, traits, uses: Vec::new(), different: Vec::new(), built: Vec::new() };
        self.classes.push(class);
        self.numbers.insert(term, id);
        self.trail.push(Change::Added);
        id
    }

    pub(super) fn set_traits(&mut self, class: Id, traits: Traits) {
        let before = std::mem::replace(&mut self.classes[class.index()].traits, traits);
        self.trail.push(Change::Traits(class, before));
    }

    /// `user` is to be looked at when something is known of this class.
    pub(super) fn add_use(&mut self, class: Id, user: Id) {
        self.classes[class.index()].uses.push(user);
        self.trail.push(Change::Use(class));
    }

    pub(super) fn add_difference(&mut self, a: Id, b: Id) {
        self.classes[a.index()].different.push(b);
        self.classes[b.index()].different.push(a);
        self.trail.push(Change::Different(a, b));
    }

    pub(super) fn add_built(&mut self, class: Id, injection: FunctionSymbol, application: Id) {
        self.classes[class.index()].built.push((injection, application));
        self.trail.push(Change::Built(class));
    }

    /// The application with these arguments that was there first; this one if there was none.
    pub(super) fn sign(&mut self, function: FunctionSymbol, arguments: &[Term], id: Id) -> Id {
        let classes = arguments.iter().map(|it| self.of(self.numbers[it])).collect();
        let signature: Signature = (function, classes);
        if let Some(&known) = self.signatures.get(&signature) {
            return known;
        }
        self.signatures.insert(signature.clone(), id);
        self.trail.push(Change::Signature(signature));
        id
    }

    /// Renames the class `small` to `large`, which has the traits from then on.
    pub(super) fn unite(&mut self, small: Id, large: Id, traits: Traits) {
        self.rename(small, large);
        self.splice(small, large);
        let lost = &mut self.classes[small.index()];
        let (uses, different, built) = (lost.uses.clone(), lost.different.clone(), lost.built.clone());
        let size = lost.size;
        let kept = &mut self.classes[large.index()];
        self.trail.push(Change::United {
            small,
            large,
            traits: std::mem::replace(&mut kept.traits, traits),
            uses: kept.uses.len(),
            different: kept.different.len(),
            built: kept.built.len(),
        });
        kept.size += size;
        kept.uses.extend(uses);
        kept.different.extend(different);
        for it in built {
            if !kept.built.iter().any(|known| known.0 == it.0) {
                kept.built.push(it);
            }
        }
    }

    fn rename(&mut self, from: Id, to: Id) {
        let mut next = from;
        loop {
            let member = &mut self.members[next.index()];
            member.class = to;
            next = member.next;
            if next == from {
                return;
            }
        }
    }

    /// Joins two rings; the same again takes them apart.
    fn splice(&mut self, a: Id, b: Id) {
        let next = self.members[a.index()].next;
        self.members[a.index()].next = self.members[b.index()].next;
        self.members[b.index()].next = next;
    }

    /// Takes the last change back, and says what it was.
    pub(super) fn undo(&mut self) -> Option<Change> {
        let change = self.trail.pop()?;
        match &change {
            Change::Added => {
                if let Some(member) = self.members.pop() {
                    self.numbers.remove(&member.term);
                }
                self.classes.pop();
            }
            Change::United { small, large, traits, uses, different, built } => {
                self.splice(*small, *large);
                self.rename(*small, *small);
                let size = self.classes[small.index()].size;
                let kept = &mut self.classes[large.index()];
                kept.size -= size;
                kept.traits = traits.clone();
                kept.uses.truncate(*uses);
                kept.different.truncate(*different);
                kept.built.truncate(*built);
            }
            Change::Traits(class, traits) => self.classes[class.index()].traits = traits.clone(),
            Change::Use(class) => {
                self.classes[class.index()].uses.pop();
            }
            Change::Different(a, b) => {
                self.classes[a.index()].different.pop();
                self.classes[b.index()].different.pop();
            }
            Change::Built(class) => {
                self.classes[class.index()].built.pop();
            }
            Change::Signature(signature) => {
                self.signatures.remove(signature);
            }
            Change::Arithmetic | Change::Axiom | Change::Inconsistent => {}
        }
        Some(change)
    }
}

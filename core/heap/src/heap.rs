//! The symbolic heap: a multiset of chunks, found by resource and arguments.
//!
//! Knows: chunks and where they are. Never: what follows from what (that is the prover's).
//! Source: Smans et al. 2010, definition 1; permission amounts as in Viper.
//!
//! Persistent: a clone shares everything, so that old heaps and forks cost nothing.

use effigy_contracts::program::{FieldId, PredicateId, Program};
use effigy_term::{Term, Terms};
use num_traits::One;
use rpds::{HashTrieMap, RedBlackTreeMap};
use std::rc::Rc;

/// What a chunk gives permission to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Resource {
    /// A field of the object that is the only argument.
    Field(FieldId),
    /// An instance of a predicate.
    Predicate(PredicateId),
}

/// `t.f ↦ v # p` or `q[s](t, ...) # p`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chunk {
    /// What the chunk gives permission to.
    pub resource: Resource,
    /// The receiver of a field; all arguments of a predicate.
    pub args: Rc<[Term]>,
    /// The value of a field; the snapshot of a predicate.
    pub value: Term,
    /// The amount, of sort Real; never the constant zero.
    pub perm: Term,
}

/// `∀ r · r.f ↦ v(r) # p(r)`: permission to one field of many objects, or to many instances of a predicate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct QuantifiedChunk {
    /// What the chunk gives permission to.
    pub resource: Resource,
    /// The amount for the arguments that `Vocabulary::formals` stand for, of sort Real; never negative.
    pub perm: Term,
    /// The snapshot in which `Vocabulary::lookup` finds the value for each arguments.
    pub values: Term,
}

/// An amount of permission, of sort Real.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Amount {
    /// The amount as a term.
    pub term: Term,
    /// It is some positive amount, as small as needed.
    pub wildcard: bool,
}

/// The place of a chunk in its heap. The order is the order of insertion.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ChunkId(Resource, u32);

/// A symbolic heap: chunks, found by resource and arguments.
#[derive(Clone, Debug, Default)]
pub struct Heap {
    chunks: RedBlackTreeMap<ChunkId, Rc<Chunk>>,
    by_args: HashTrieMap<(Resource, Rc<[Term]>), ChunkId>,
    quantified: RedBlackTreeMap<ChunkId, Rc<QuantifiedChunk>>,
    next: u32,
}

impl Heap {
    /// Adds a chunk. The caller has looked for one with the same arguments.
    pub fn insert(&mut self, chunk: Chunk) {
        let id = ChunkId(chunk.resource, self.next);
        self.next += 1;
        self.by_args.insert_mut((chunk.resource, Rc::clone(&chunk.args)), id);
        self.chunks.insert_mut(id, Rc::new(chunk));
    }

    /// Takes a chunk out, if it is there.
    pub fn remove(&mut self, id: ChunkId) {
        if let Some(chunk) = self.chunks.get(&id) {
            let key = (chunk.resource, Rc::clone(&chunk.args));
            if self.by_args.get(&key) == Some(&id) {
                self.by_args.remove_mut(&key);
            }
            self.chunks.remove_mut(&id);
        }
    }

    /// Puts another chunk with the same resource and arguments in the place of one.
    pub fn replace(&mut self, id: ChunkId, chunk: Chunk) {
        self.chunks.insert_mut(id, Rc::new(chunk));
    }

    /// The chunk in a place.
    pub fn get(&self, id: ChunkId) -> Option<&Chunk> {
        self.chunks.get(&id).map(|it| &**it)
    }

    /// The chunk with literally these arguments.
    pub fn literally(&self, resource: Resource, args: &[Term]) -> Option<ChunkId> {
        self.by_args.get(&(resource, Rc::from(args))).copied()
    }

    /// The chunks of a resource, oldest first.
    pub fn of(&self, resource: Resource) -> impl Iterator<Item = (ChunkId, &Chunk)> {
        let all = ChunkId(resource, 0)..=ChunkId(resource, u32::MAX);
        self.chunks.range(all).map(|(&id, chunk)| (id, &**chunk))
    }

    /// Adds a quantified chunk beside those that are there.
    pub fn insert_quantified(&mut self, chunk: QuantifiedChunk) {
        let id = ChunkId(chunk.resource, self.next);
        self.next += 1;
        self.quantified.insert_mut(id, Rc::new(chunk));
    }

    /// Puts a quantified chunk in the place of one, or nothing.
    pub fn replace_quantified(&mut self, id: ChunkId, chunk: Option<QuantifiedChunk>) {
        match chunk {
            Some(chunk) => self.quantified.insert_mut(id, Rc::new(chunk)),
            None => drop(self.quantified.remove_mut(&id)),
        }
    }

    /// The quantified chunks of a resource, oldest first.
    pub fn quantified_of(&self, resource: Resource) -> impl Iterator<Item = (ChunkId, &QuantifiedChunk)> {
        let all = ChunkId(resource, 0)..=ChunkId(resource, u32::MAX);
        self.quantified.range(all).map(|(&id, chunk)| (id, &**chunk))
    }

    /// All quantified chunks, ordered by resource.
    pub fn quantified(&self) -> impl Iterator<Item = &QuantifiedChunk> {
        self.quantified.values().map(|it| &**it)
    }

    /// Whether there is no chunk.
    pub fn is_empty(&self) -> bool {
        self.chunks.is_empty() && self.quantified.is_empty()
    }

    /// All chunks, ordered by resource.
    pub fn iter(&self) -> impl Iterator<Item = &Chunk> {
        self.chunks.values().map(|it| &**it)
    }

    /// All chunks with their places, by resource.
    pub fn entries(&self) -> impl Iterator<Item = (ChunkId, &Chunk)> {
        self.chunks.iter().map(|(&id, chunk)| (id, &**chunk))
    }

    /// This heap, or another one that has chunks in the same places with the same amounts: one with a value of both for
    /// each. `None` where that is not so.
    pub fn merged(&self, other: &Heap, both: &mut dyn FnMut(Term, Term) -> Term) -> Option<Heap> {
        if self.chunks.size() != other.chunks.size() || !self.same_quantified(other) {
            return None;
        }
        let mut res = self.clone();
        res.next = self.next.max(other.next);
        let mut met = Vec::with_capacity(other.chunks.size());
        for (&id, mine) in &self.chunks {
            let same_place = other.chunks.get(&id).filter(|it| it.args == mine.args).map(|_| id);
            let at = same_place.or_else(|| other.literally(mine.resource, &mine.args))?;
            let theirs = other.chunks.get(&at)?;
            if mine.perm != theirs.perm {
                return None;
            }
            met.push(at);
            if mine.value != theirs.value {
                let value = both(mine.value, theirs.value);
                res.replace(id, Chunk { value, ..Chunk::clone(mine) });
            }
        }
        // Each of the other's is one of these.
        met.sort_unstable();
        met.dedup();
        (met.len() == self.chunks.size()).then_some(res)
    }

    /// Whether another heap has the same quantified chunks.
    fn same_quantified(&self, other: &Heap) -> bool {
        self.quantified.size() == other.quantified.size() && self.quantified().eq(other.quantified())
    }

    /// The heap as the paper writes it, a chunk each; amounts that are not the whole follow `#`. `show` writes a term.
    pub fn shown<'s>(
        &'s self,
        terms: &'s Terms,
        program: &'s Program,
        show: &'s dyn Fn(Term) -> String,
    ) -> impl Iterator<Item = String> + 's {
        let text = move |chunk: &Rc<Chunk>| {
            let args: Vec<String> = chunk.args.iter().map(|&it| show(it)).collect();
            let args = args.join(", ");
            let whole = terms.as_real(chunk.perm).is_some_and(|it| it.is_one());
            let amount = if whole { String::new() } else { format!(" # {}", show(chunk.perm)) };
            match chunk.resource {
                Resource::Field(field) => {
                    let name = &program.fields[field.index()].name;
                    format!("{args}.{name} ↦ {}{amount}", show(chunk.value))
                }
                Resource::Predicate(predicate) => {
                    let name = &program.predicates[predicate.index()].name;
                    format!("{name}[{}]({args}){amount}", show(chunk.value))
                }
            }
        };
        let quantified = move |chunk: &QuantifiedChunk| {
            let (values, amount) = (show(chunk.values), show(chunk.perm));
            match chunk.resource {
                Resource::Field(field) => {
                    let name = &program.fields[field.index()].name;
                    format!("∀ receiver · receiver.{name} ↦ {values}(receiver) # {amount}")
                }
                Resource::Predicate(predicate) => {
                    let predicate = &program.predicates[predicate.index()];
                    let names: Vec<&str> =
                        predicate.variables[..predicate.parameters].iter().map(|it| &*it.name).collect();
                    let names = names.join(", ");
                    format!("∀ {names} · {}[{values}({names})]({names}) # {amount}", predicate.name)
                }
            }
        };
        self.chunks.values().map(text).chain(self.quantified().map(quantified))
    }
}

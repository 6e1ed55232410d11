//! Model 1, forward: substitutions σ and τ from variables to expressions over the start state, fields as arrays.
//!
//! Knows: values of variables, updates of fields and arrays. Never: statements, φ.
//! Source: de Boer and Bonsangue 2021, sections 2, 2.1, 3 and 4.1.
//!
//! An array expression `(a[e1] := e1')[e2] := e2'` is the list of its updates over the array at the start; so is a field.
//! What is read from it is either the array expression applied (`Updates::Stores`: a term `select` over `store`, which
//! the solver's theory of arrays decides), or the conditional expression that section 2.1 defines it to be
//! (`Updates::Conditional`). New objects never reach the solver: a key that is a new object meets only the updates of
//! that object, an old key none of them, and section 4.1's removal of fresh variables has nothing left to do.

mod havoc;
mod merge;

use super::memory::{At, Change, ChangedSite, Holders, MOST_UPDATES, Memory};
use super::program::{ClassId, Expr, FieldId, Target, Type, VarId};
use super::vocabulary::{Family, Instance, Key, ProgramSymbols, StateReader, Translation, is_length};
use effigy_engine::{Apart, Content};
use effigy_term::eval::Evaluator;
use effigy_term::{Node, Sort, Term, Terms};
use rpds::{HashTrieMap, List};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// How array expressions are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Updates {
    /// As terms `select` over `store`, where the theory of arrays can take them.
    #[default]
    Stores,
    /// As conditional expressions in every case.
    Conditional,
}

/// The state of the forward model.
#[derive(Clone, Debug)]
pub struct Forward {
    updates: Updates,
    /// σ (instance 0) and the τ of the calls in progress.
    variables: HashTrieMap<(VarId, Instance), Term>,
    /// What calls returned, until it is assigned.
    results: HashTrieMap<Instance, Term>,
    families: HashTrieMap<Family, Array>,
    created: u32,
}

/// An array expression: updates, the last first.
#[derive(Clone, Debug, Default)]
struct Array {
    updates: List<Update>,
    /// The term of the updates at old keys. `None` where there is none: for lengths (they are updated at creation
    /// only), and where an update's key may be old or new, or its value mentions a new object.
    chain: Option<Term>,
    /// What it was before all updates, where that is not what the program started with.
    begun: Option<Rc<Begun>>,
}

/// What an array expression stood for when all that was known of it was forgotten.
#[derive(PartialEq, Debug)]
struct Begun {
    /// Of indices, and of objects of the start: an array.
    base: Term,
    /// Of the objects that were made until then.
    new: FxHashMap<Term, Term>,
}

impl Array {
    fn begun(family: Family, begun: Rc<Begun>) -> Array {
        // Elements by reference are two arrays deep; they are always read by cases.
        let chain = (!matches!(family, Family::Items(_))).then_some(begun.base);
        Array { updates: List::new(), chain, begun: Some(begun) }
    }
}

#[derive(Clone, Copy, PartialEq, Debug)]
struct Update {
    key: Key,
    value: Term,
}

struct Reader<'a> {
    memory: &'a Forward,
    at: At<'a>,
}

impl StateReader for Reader<'_> {
    fn variable(&self, id: VarId) -> Term {
        self.memory.variable(self.at, id)
    }

    fn at(&self, family: Family, key: Key) -> Term {
        self.memory.read(self.at.translation, family, key)
    }

    fn equal(&self, a: Term, b: Term) -> Term {
        self.at.translation.words.equal(self.at.translation.terms, a, b)
    }
}

/// Whether a reference is a conditional expression with new objects in it.
fn is_choice(with: Translation<'_>, of: Term) -> bool {
    matches!(with.terms.node(of), Node::Ite(..)) && with.words.mentions_new(with.terms, of)
}

/// The references that a conditional expression chooses from, each once.
fn cases(with: Translation<'_>, of: Term) -> Vec<Term> {
    let (mut res, mut seen, mut work) = (Vec::new(), FxHashSet::default(), vec![of]);
    while let Some(next) = work.pop() {
        if !seen.insert(next) {
            continue;
        }
        match *with.terms.node(next) {
            Node::Ite(_, yes, no) if is_choice(with, next) => work.extend([no, yes]),
            _ => res.push(next),
        }
    }
    res
}

/// A term of each case, chosen as the conditional expression chooses. What it shares is looked at once.
fn by_cases(with: Translation<'_>, of: Term, of_case: &mut dyn FnMut(Term) -> Term) -> Term {
    let mut known: FxHashMap<Term, Term> = FxHashMap::default();
    let mut work = vec![of];
    while let Some(&next) = work.last() {
        if known.contains_key(&next) {
            work.pop();
            continue;
        }
        let value = match *with.terms.node(next) {
            Node::Ite(cond, yes, no) if is_choice(with, next) => match (known.get(&yes), known.get(&no)) {
                (Some(&yes), Some(&no)) => with.terms.ite(cond, yes, no),
                _ => {
                    work.extend([no, yes]);
                    continue;
                }
            },
            _ => of_case(next),
        };
        known.insert(next, value);
    }
    known[&of]
}

/// Whether two keys are the same.
fn same_key(words: &ProgramSymbols, terms: &Terms, a: Key, b: Key) -> Term {
    let first = words.equal(terms, a.first, b.first);
    match (a.second, b.second) {
        (Some(a), Some(b)) => terms.and(first, terms.eq(a, b)),
        _ => first,
    }
}

impl Forward {
    /// The start: both substitutions are the identity.
    pub fn new(updates: Updates) -> Forward {
        Forward {
            updates,
            variables: HashTrieMap::new(),
            results: HashTrieMap::new(),
            families: HashTrieMap::new(),
            created: 0,
        }
    }

    fn variable(&self, at: At<'_>, id: VarId) -> Term {
        let Translation { terms, program, words, .. } = at.translation;
        let variable = program.variable(id);
        let instance = if variable.global { 0 } else { at.instance };
        match (self.variables.get(&(id, instance)), words.globals[id.index()]) {
            (Some(&value), _) => value,
            (None, Some(start)) => start,
            (None, None) => words.default_of_type(terms, &variable.typ),
        }
    }

    fn read(&self, with: Translation<'_>, family: Family, key: Key) -> Term {
        let Translation { terms, program, words, .. } = with;
        // match: (if b then o1 else o2 fi).f   result: if b then o1.f else o2.f fi
        if is_choice(with, key.first) {
            return by_cases(with, key.first, &mut |first| self.read(with, family, Key { first, ..key }));
        }
        let Some(base) = words.base(family) else { return terms.int(0) };
        let new = words.is_new(terms, key.first);
        let begun = self.families.get(&family).and_then(|it| it.begun.as_deref());
        let forgotten = begun.map(|it| if new { it.new.get(&key.first).copied() } else { Some(it.base) });
        let start = if let Some(value) = forgotten.flatten() {
            match (new, key.second) {
                (false, _) => key.of(terms, value),
                (true, second) => second.map_or(value, |second| terms.select(value, second)),
            }
        } else if new {
            let Sort::Array(parts) = terms.sort(base) else { return base };
            let row = words.default_of(terms, terms.array_parts(parts).1);
            key.second.map_or(row, |second| terms.select(row, second))
        } else {
            words.at_start(terms, program, family, key)
        };
        let Some(array) = self.families.get(&family) else { return start };
        if let (false, Updates::Stores, Some(chain)) = (new, self.updates, array.chain) {
            return key.of(terms, chain);
        }
        let mut met = Vec::new();
        let mut below = start;
        for update in array.updates.iter() {
            let same = same_key(words, terms, key, update.key);
            match terms.as_bool(same) {
                Some(true) => {
                    below = update.value;
                    break;
                }
                Some(false) => {}
                None => met.push((same, update.value)),
            }
        }
        // (a[e] := e')[e''] = if e = e'' then e' else a[e''] fi
        met.into_iter().rev().fold(below, |below, (same, value)| terms.ite(same, value, below))
    }

    fn update(&mut self, with: Translation<'_>, family: Family, key: Key, value: Term) {
        let Translation { terms, words, .. } = with;
        let mut array = match (self.families.get(&family), words.base(family)) {
            (Some(array), _) => array.clone(),
            (None, base) => Array { updates: List::new(), chain: base, begun: None },
        };
        let length = match family {
            Family::Field(field) => is_length(with.program, field),
            _ => false,
        };
        // Elements by reference are two arrays deep; they are always read by cases.
        array.chain = match array.chain {
            _ if length || key.second.is_some() => None,
            Some(chain) if words.is_new(terms, key.first) => Some(chain),
            Some(chain) if !words.mentions_new(terms, key.first) && !words.mentions_new(terms, value) => {
                Some(terms.store(chain, key.first, value))
            }
            _ => None,
        };
        // match: (a[e] := e')[e] := e''   result: a[e] := e''
        if array.updates.first().is_some_and(|it| it.key == key) {
            array.updates = array.updates.drop_first().unwrap_or_default();
        }
        array.updates.push_front_mut(Update { key, value });
        self.families.insert_mut(family, array);
    }

    fn set(&mut self, at: At<'_>, target: &Target, value: Term) -> ChangedSite {
        let with = at.translation;
        let reader = Reader { memory: self, at };
        let term = |it: &Expr| with.term(&reader, it);
        let (family, key) = match target {
            Target::Var(id) => {
                let global = with.program.variable(*id).global;
                self.variables.insert_mut((*id, if global { 0 } else { at.instance }), value);
                return ChangedSite::Variable(*id, at.instance);
            }
            Target::Field(of, field) => (Family::Field(*field), Key { first: term(of), second: None }),
            Target::Element(map, index) => (Family::Map(*map), Key { first: term(index), second: None }),
            Target::Item(of, index) => {
                let key = Key { first: term(of), second: Some(term(index)) };
                match with.program.class_of(of) {
                    Some(class) => (Family::Items(class), key),
                    None => return ChangedSite::None,
                }
            }
        };
        self.write(with, family, key, value);
        ChangedSite::Element(family, key)
    }

    /// An update; one whose key is a conditional expression with new objects in it becomes one for each case.
    fn write(&mut self, with: Translation<'_>, family: Family, key: Key, value: Term) {
        let terms = with.terms;
        if is_choice(with, key.first) {
            for first in cases(with, key.first) {
                let here = by_cases(with, key.first, &mut |it| terms.bool(it == first));
                let key = Key { first, ..key };
                let old = self.read(with, family, key);
                self.update(with, family, key, terms.ite(here, value, old));
            }
            return;
        }
        self.update(with, family, key, value);
    }
}

impl Memory for Forward {
    const NAME: &'static str = "forward";

    fn value(&self, at: At<'_>, expr: &Expr) -> Term {
        at.translation.term(&Reader { memory: self, at }, expr)
    }

    fn shown(&self, at: At<'_>, expr: &Expr) -> Term {
        self.value(at, expr)
    }

    fn assign(&mut self, at: At<'_>, target: &Target, expr: &Expr, _defined: &Expr) -> Change {
        let value = self.value(at, expr);
        Change::Set(self.set(at, target, value), value)
    }

    fn create(&mut self, at: At<'_>, target: &Target, class: ClassId, length: Option<(&Expr, FieldId)>) -> Vec<Change> {
        let Translation { terms, program, words, .. } = at.translation;
        let length = length.map(|(size, field)| (self.value(at, size), field));
        self.created += 1;
        let object = terms.of_symbol(words.new_object(terms, program, class, self.created));
        let mut res = vec![Change::Created(object, class)];
        if let Some((size, field)) = length {
            let key = Key { first: object, second: None };
            self.update(at.translation, Family::Field(field), key, size);
            res.push(Change::Set(ChangedSite::Element(Family::Field(field), key), size));
        }
        res.push(Change::Set(self.set(at, target, object), object));
        res
    }

    fn enter(&mut self, at: At<'_>, callee: Instance, bindings: &[(VarId, &Expr)]) -> Vec<Change> {
        let values: Vec<Term> = bindings.iter().map(|(_, it)| self.value(at, it)).collect();
        let mut res = Vec::new();
        for ((id, _), value) in bindings.iter().zip(values) {
            self.variables.insert_mut((*id, callee), value);
            res.push(Change::Set(ChangedSite::Variable(*id, callee), value));
        }
        res
    }

    fn returns(&mut self, at: At<'_>, value: &Expr) -> Change {
        let value = self.value(at, value);
        self.results.insert_mut(at.instance, value);
        Change::Set(ChangedSite::Result(at.instance), value)
    }

    fn leave(
        &mut self,
        at: At<'_>,
        callee: Instance,
        locals: &[VarId],
        target: Option<(&Target, &Type)>,
    ) -> Option<Change> {
        let Translation { terms, words, .. } = at.translation;
        let result = self.results.get(&callee).copied();
        let res = target.map(|(target, typ)| {
            let value = result.unwrap_or_else(|| words.default_of_type(terms, typ));
            Change::Set(self.set(at, target, value), value)
        });
        self.results.remove_mut(&callee);
        for id in locals {
            self.variables.remove_mut(&(*id, callee));
        }
        res
    }

    fn test(&mut self, _at: At<'_>, _cond: &Expr) {}

    fn condition(&self, _with: Translation<'_>) -> Option<Term> {
        None
    }

    const MERGES: bool = true;

    fn merge(&self, other: &Forward, cond: Term, asked: &Holders, with: Translation<'_>) -> Result<Forward, Apart> {
        merge::merge(self, other, cond, asked, with)
    }

    fn changes(&self, before: &Forward, with: Translation<'_>) -> Result<Holders, Apart> {
        havoc::changes(before, self, with)
    }

    fn havoc(&self, changes: &Holders, with: Translation<'_>, any: &mut dyn FnMut(Sort) -> Term) -> Forward {
        havoc::havoc(self, changes, with, any)
    }

    fn element(&self, family: Family, key: Key, with: Translation<'_>) -> Option<Term> {
        Some(self.read(with, family, key))
    }

    fn content(&self, with: Translation<'_>, calls: &[Instance], evaluator: &mut Evaluator<'_>) -> Content {
        merge::content(self, with, calls, evaluator)
    }

    fn updates(&self, _with: Translation<'_>) -> Option<Vec<(Family, Key, Term)>> {
        let mut res = Vec::new();
        for (&family, array) in self.families.iter() {
            let before = res.len();
            res.extend(array.updates.iter().take(MOST_UPDATES + 1).map(|it| (family, it.key, it.value)));
            res[before..].reverse();
        }
        (res.len() <= MOST_UPDATES).then_some(res)
    }

    fn effort(&self) -> usize {
        1
    }

    fn size(&self) -> usize {
        let updates: usize = self.families.values().map(|it| it.updates.len()).sum();
        self.variables.size() * 48 + updates * 40
    }
}

impl Forward {
    /// σ and the τ: what is assigned so far, in the order of the variables.
    pub fn substitution(&self) -> Vec<((VarId, Instance), Term)> {
        let mut res: Vec<_> = self.variables.iter().map(|(key, value)| (*key, *value)).collect();
        res.sort_by_key(|it| (it.0.1, it.0.0));
        res
    }

    /// The updates of the fields and arrays, the first first.
    pub fn updates(&self) -> Vec<(Family, Vec<(Key, Term)>)> {
        let of = |it: &Array| {
            let mut list: Vec<(Key, Term)> = it.updates.iter().map(|it| (it.key, it.value)).collect();
            list.reverse();
            list
        };
        let mut res: Vec<_> = self.families.iter().map(|(family, it)| (*family, of(it))).collect();
        res.sort_by_key(|it| it.0);
        res
    }
}

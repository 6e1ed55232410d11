//! Operations simplify to terms of the same value; and what they simplify to, by example.

use super::evaluate::{Evaluator, Store, Value};
use super::random::{Random, value};
use super::z3;
use effigy_contracts::program::CollectionOp::{self, *};
use effigy_heap::collections::{CollectionKind, Collections, is_equality, name_of_sort, plain_equality};
use effigy_term::{Node, Sort, SymbolKind, Term, Terms};

const OPERATIONS: [CollectionOp; 30] = [
    SeqLiteral,
    SeqRange,
    SeqLength,
    SeqIndex,
    SeqUpdate,
    SeqTake,
    SeqDrop,
    SeqAppend,
    SeqContains,
    SetLiteral,
    SetCardinality,
    SetContains,
    SetUnion,
    SetIntersection,
    SetDifference,
    SetSubset,
    MultisetLiteral,
    MultisetCardinality,
    MultisetCount,
    MultisetUnion,
    MultisetIntersection,
    MultisetDifference,
    MultisetSubset,
    MapLiteral,
    MapCardinality,
    MapContains,
    MapLookup,
    MapUpdate,
    MapDomain,
    MapRange,
];

/// The sorts of an operation's arguments (of a literal: of as many as `count` says).
fn arguments(op: CollectionOp, kind: CollectionKind, own: Sort, count: usize) -> Vec<Sort> {
    let (key, of) = match kind {
        CollectionKind::Seq(it) | CollectionKind::Set(it) | CollectionKind::Multiset(it) => (it, it),
        CollectionKind::Map(key, of) => (key, of),
    };
    match op {
        SeqLiteral | SetLiteral | MultisetLiteral => vec![key; count],
        MapLiteral => [key, of].repeat(count),
        SeqRange => vec![Sort::Int; 2],
        SeqIndex | SeqTake | SeqDrop => vec![own, Sort::Int],
        SeqUpdate => vec![own, Sort::Int, key],
        MapUpdate => vec![own, key, of],
        MapLookup => vec![own, key],
        SeqContains | SetContains | MultisetCount | MapContains => vec![key, own],
        SeqLength | SetCardinality | MultisetCardinality | MapCardinality | MapDomain | MapRange => vec![own],
        _ => vec![own, own],
    }
}

fn applies(op: CollectionOp, kind: CollectionKind) -> bool {
    let name = format!("{op:?}");
    match kind {
        CollectionKind::Seq(element) => name.starts_with("Seq") && (op != SeqRange || element == Sort::Int),
        CollectionKind::Set(_) => name.starts_with("Set"),
        CollectionKind::Multiset(_) => name.starts_with("Multiset"),
        CollectionKind::Map(..) => name.starts_with("Map"),
    }
}

/// Terms over symbols and constants, put together at random, each with the value that it must have.
struct Pool {
    terms: Terms,
    collections: Collections,
    store: Store,
    all: Vec<(Term, Value)>,
    symbols: usize,
}

impl Pool {
    fn pick(&mut self, random: &mut Random, sort: Sort) -> (Term, Value) {
        let fitting: Vec<&(Term, Value)> = self.all.iter().filter(|it| self.terms.sort(it.0) == sort).collect();
        if !fitting.is_empty() && random.below(3) > 0 {
            return fitting[random.below(fitting.len() as u64) as usize].clone();
        }
        let value = value(random, &self.collections, sort);
        let term = match &value {
            Value::Int(it) if random.below(3) > 0 => self.terms.int(*it),
            _ => {
                self.symbols += 1;
                let symbol = self.terms.symbol(&format!("c{}", self.symbols), sort, SymbolKind::Input);
                self.store.insert(symbol, value.clone());
                self.terms.of_symbol(symbol)
            }
        };
        self.all.push((term, value.clone()));
        (term, value)
    }
}

/// The value of an operation, by way of a term that is not simplified: its arguments are symbols.
fn meaning(pool: &mut Pool, op: CollectionOp, kind: CollectionKind, args: &[(Term, Value)], seed: u64) -> Value {
    let mut store = Store::new();
    let symbols: Vec<Term> = args
        .iter()
        .enumerate()
        .map(|(at, (term, value))| {
            let symbol = pool.terms.symbol(&format!("argument{at}"), pool.terms.sort(*term), SymbolKind::Fresh);
            store.insert(symbol, value.clone());
            pool.terms.of_symbol(symbol)
        })
        .collect();
    let term = pool.collections.apply(&pool.terms, op, kind, &symbols);
    Evaluator { terms: &pool.terms, collections: &pool.collections, seed }.eval(term, &store)
}

fn kinds(terms: &Terms, collections: &Collections) -> Vec<CollectionKind> {
    let unknown = terms.uninterpreted_sort("Ref");
    let seq = collections.sort(terms, CollectionKind::Seq(Sort::Int));
    vec![
        CollectionKind::Seq(Sort::Int),
        CollectionKind::Set(Sort::Int),
        CollectionKind::Multiset(Sort::Int),
        CollectionKind::Map(Sort::Int, Sort::Int),
        CollectionKind::Seq(unknown),
        CollectionKind::Map(unknown, seq),
        CollectionKind::Seq(seq),
        CollectionKind::Set(seq),
        CollectionKind::Multiset(unknown),
    ]
}

/// A random pool; checks every term in it against its value.
fn pool(seed: u64, steps: usize) -> Pool {
    let mut random = Random::new(seed);
    let mut pool =
        Pool { terms: Terms::new(), collections: Collections::new(), store: Store::new(), all: Vec::new(), symbols: 0 };
    let kinds = kinds(&pool.terms, &pool.collections);
    for _ in 0..steps {
        let kind = kinds[random.below(kinds.len() as u64) as usize];
        let op = OPERATIONS[random.below(OPERATIONS.len() as u64) as usize];
        if !applies(op, kind) {
            continue;
        }
        let own = pool.collections.sort(&pool.terms, kind);
        let sorts = arguments(op, kind, own, random.below(4) as usize);
        let args: Vec<(Term, Value)> = sorts.into_iter().map(|it| pool.pick(&mut random, it)).collect();
        let arg_terms: Vec<Term> = args.iter().map(|it| it.0).collect();
        let term = pool.collections.apply(&pool.terms, op, kind, &arg_terms);
        let wanted = meaning(&mut pool, op, kind, &args, seed);
        let evaluator = Evaluator { terms: &pool.terms, collections: &pool.collections, seed };
        let found = evaluator.eval(term, &pool.store);
        let text = effigy_term::print::math(&pool.terms, term);
        assert_eq!(found, wanted, "{op:?} of {args:?} became {text}");
        // What grows without end is left behind.
        if pool.terms.sort(term) != Sort::Int || matches!(found, Value::Int(-3..=9)) {
            pool.all.push((term, found));
        }
    }
    pool
}

#[test]
fn operations_simplify_to_terms_of_the_same_value() {
    for seed in 0..400 {
        pool(seed, 60);
    }
}

#[test]
fn equalities_simplify_to_terms_of_the_same_value() {
    for seed in 0..300 {
        let mut it = pool(seed, 60);
        for a in 0..it.all.len() {
            for b in 0..a {
                let ((a, x), (b, y)) = (it.all[a].clone(), it.all[b].clone());
                if it.terms.sort(a) == it.terms.sort(b) {
                    let equal = it.collections.equal(&it.terms, a, b);
                    let evaluator = Evaluator { terms: &it.terms, collections: &it.collections, seed };
                    assert_eq!(evaluator.truth(equal, &it.store), x == y, "{x:?} = {y:?}");
                }
            }
        }
    }
}

/// What is true of particular collections never contradicts the axioms.
#[test]
fn facts_about_particular_collections_do_not_contradict_the_axioms() {
    effigy_testing::require!("z3");
    let mut queries = Vec::new();
    for seed in 0..40 {
        let mut it = pool(seed + 10_000, 50);
        let mut facts = Vec::new();
        for a in 0..it.all.len() {
            for b in 0..a {
                let ((a, x), (b, y)) = (it.all[a].clone(), it.all[b].clone());
                if it.terms.sort(a) == it.terms.sort(b) && (a.index() + b.index()) % 5 == 0 {
                    let equal = it.collections.equal(&it.terms, a, b);
                    facts.push(if x == y { equal } else { it.terms.not(equal) });
                }
            }
            let (term, value) = &it.all[a];
            match value {
                Value::Int(value) => facts.push(it.terms.eq(*term, it.terms.int(*value))),
                Value::Bool(value) => facts.push(it.terms.eq(*term, it.terms.bool(*value))),
                _ => {}
            }
        }
        facts.extend(it.collections.take_axioms().into_iter().map(|it| it.1));
        queries.push(z3::query(&it.terms, &facts, false, 2_000_000));
    }
    for (seed, answer) in z3::answers(&queries).into_iter().enumerate() {
        assert_ne!(answer, "unsat", "seed {seed}");
    }
}

#[test]
fn sorts_are_named_after_their_elements() {
    let (terms, collections) = (Terms::new(), Collections::new());
    let seq = collections.sort(&terms, CollectionKind::Seq(Sort::Int));
    let nested =
        collections.sort(&terms, CollectionKind::Map(seq, collections.sort(&terms, CollectionKind::Set(Sort::Bool))));
    assert_eq!(name_of_sort(&terms, nested), "Map<Seq<Int>, Set<Bool>>");
    assert_eq!(name_of_sort(&terms, collections.sort(&terms, CollectionKind::Seq(Sort::Real))), "Seq<Real>");
    assert_eq!(collections.kind(seq), Some(CollectionKind::Seq(Sort::Int)));
    assert_eq!(collections.kind(Sort::Int), None);
    assert_eq!(collections.kind(terms.uninterpreted_sort("Seq<Ref>")), None);
}

#[test]
fn what_is_certain_is_simplified() {
    let (terms, mut collections) = (Terms::new(), Collections::new());
    let kind = CollectionKind::Seq(Sort::Int);
    let sort = collections.sort(&terms, kind);
    let (s, x) = (terms.input("s", sort), terms.input("x", Sort::Int));
    let int = |it: i64| terms.int(it);
    let mut apply = |op, args: &[Term]| collections.apply(&terms, op, kind, args);
    let three = apply(SeqLiteral, &[int(4), x, int(6)]);
    let empty = apply(SeqLiteral, &[]);
    let length = apply(SeqLength, &[s]);
    let longer = apply(SeqAppend, &[three, s]);

    assert_eq!(apply(SeqLength, &[longer]), terms.int_add(length, int(3)));
    assert_eq!(apply(SeqIndex, &[longer, int(1)]), x);
    assert_eq!(apply(SeqAppend, &[s, empty]), s);
    assert_eq!(apply(SeqContains, &[x, longer]), terms.bool(true));
    assert_eq!(apply(SeqTake, &[longer, int(3)]), three);
    assert_eq!(apply(SeqDrop, &[longer, int(3)]), s);
    assert_eq!(apply(SeqTake, &[s, length]), s);
    assert_eq!(apply(SeqDrop, &[s, length]), empty);
    let changed = apply(SeqUpdate, &[three, int(1), int(5)]);
    assert_eq!(changed, apply(SeqLiteral, &[int(4), int(5), int(6)]));
    assert_eq!(apply(SeqContains, &[int(9), changed]), terms.bool(false));
    assert_eq!(collections.equal(&terms, three, changed), terms.eq(x, int(5)));

    let kind = CollectionKind::Map(Sort::Int, Sort::Int);
    let m = terms.input("m", collections.sort(&terms, kind));
    let updated = collections.apply(&terms, MapUpdate, kind, &[m, x, int(1)]);
    assert_eq!(collections.apply(&terms, MapLookup, kind, &[updated, x]), int(1));
    assert_eq!(collections.apply(&terms, MapContains, kind, &[x, updated]), terms.bool(true));
}

/// Nothing is decided of `s[9]` where `s` has three elements, nor of `m[k]` where `k` is no key.
#[test]
fn what_is_not_defined_stays() {
    let (terms, mut collections) = (Terms::new(), Collections::new());
    let kind = CollectionKind::Seq(Sort::Int);
    let literal = collections.apply(&terms, SeqLiteral, kind, &[terms.int(1), terms.int(2)]);
    for outside in [-1, 2, 9] {
        let element = collections.apply(&terms, SeqIndex, kind, &[literal, terms.int(outside)]);
        assert!(matches!(terms.node(element), Node::Apply(..)));
    }
    let kind = CollectionKind::Map(Sort::Int, Sort::Int);
    let literal = collections.apply(&terms, MapLiteral, kind, &[terms.int(1), terms.int(2)]);
    let value = collections.apply(&terms, MapLookup, kind, &[literal, terms.int(7)]);
    assert!(matches!(terms.node(value), Node::Apply(..)));
}

#[test]
fn equality_of_collections_is_extensional() {
    let (terms, mut collections) = (Terms::new(), Collections::new());
    let sort = collections.sort(&terms, CollectionKind::Set(Sort::Int));
    let (s, t) = (terms.input("s", sort), terms.input("t", sort));
    let equal = collections.equal(&terms, s, t);
    assert_eq!(equal, collections.equal(&terms, t, s));
    assert_eq!(plain_equality(&terms, equal), Some(terms.eq(s, t)));
    assert_eq!(plain_equality(&terms, terms.eq(s, t)), None);
    assert_eq!(collections.equal(&terms, s, s), terms.bool(true));
}

/// A user's function of the same last name is no equality.
#[test]
fn only_our_own_predicates_are_equalities() {
    let (terms, mut collections) = (Terms::new(), Collections::new());
    let sort = collections.sort(&terms, CollectionKind::Set(Sort::Int));
    let user = terms.function("equal", &[sort, sort], Sort::Bool);
    let other = terms.function("Other.equal", &[Sort::Int], Sort::Bool);
    assert!(!is_equality(&terms, user) && !is_equality(&terms, other));
    let (s, t) = (terms.input("s", sort), terms.input("t", sort));
    let equal = collections.equal(&terms, s, t);
    assert!(matches!(terms.node(equal), Node::Apply(function, _) if is_equality(&terms, *function)));
}

/// Doubling a sequence forty times makes forty terms, not 2^40 steps.
#[test]
fn shared_terms_take_no_exponential_time() {
    let (terms, mut collections) = (Terms::new(), Collections::new());
    for (kind, append, size) in [
        (CollectionKind::Seq(Sort::Int), SeqAppend, SeqLength),
        (CollectionKind::Set(Sort::Int), SetUnion, SetCardinality),
        (CollectionKind::Multiset(Sort::Int), MultisetUnion, MultisetCardinality),
    ] {
        let mut s = terms.input("s", collections.sort(&terms, kind));
        for _ in 0..40 {
            s = collections.apply(&terms, append, kind, &[s, s]);
            collections.apply(&terms, size, kind, &[s]);
            let other = terms.input("t", terms.sort(s));
            collections.equal(&terms, s, other);
        }
    }
}

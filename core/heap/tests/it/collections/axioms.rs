//! Each axiom, with thousands of random small collections for its variables.

use super::evaluate::{Evaluator, Store};
use super::random::{Random, value};
use super::z3;
use effigy_heap::collections::{CollectionKind, Collections};
use effigy_term::{Node, Sort, Symbol, Term, Terms};

const INSTANCES: u64 = 2000;

/// Kinds over integers, over an unknown sort, and over one another.
fn kinds(terms: &Terms, collections: &Collections) -> Vec<(&'static str, Vec<CollectionKind>)> {
    let unknown = terms.uninterpreted_sort("Ref");
    let seq = collections.sort(terms, CollectionKind::Seq(Sort::Int));
    let set = collections.sort(terms, CollectionKind::Set(unknown));
    let map = collections.sort(terms, CollectionKind::Map(unknown, seq));
    vec![
        (
            "sequences",
            vec![CollectionKind::Seq(Sort::Int), CollectionKind::Seq(unknown), CollectionKind::Seq(Sort::Bool)],
        ),
        ("sets", vec![CollectionKind::Set(Sort::Int), CollectionKind::Set(unknown), CollectionKind::Set(Sort::Bool)]),
        (
            "multisets",
            vec![
                CollectionKind::Multiset(Sort::Int),
                CollectionKind::Multiset(unknown),
                CollectionKind::Multiset(Sort::Bool),
            ],
        ),
        ("maps", vec![CollectionKind::Map(Sort::Int, Sort::Int), CollectionKind::Map(unknown, Sort::Bool)]),
        (
            "nested",
            vec![
                CollectionKind::Seq(seq),
                CollectionKind::Seq(set),
                CollectionKind::Set(seq),
                CollectionKind::Multiset(set),
                CollectionKind::Map(set, seq),
            ],
        ),
        ("deep", vec![CollectionKind::Seq(map), CollectionKind::Set(map), CollectionKind::Map(seq, map)]),
    ]
}

fn axioms_of(terms: &Terms, collections: &mut Collections, kinds: &[CollectionKind]) -> Vec<(String, Term)> {
    kinds.iter().for_each(|&it| collections.use_everything(terms, it));
    collections.take_axioms()
}

fn parts(terms: &Terms, axiom: Term) -> (Vec<Symbol>, Term) {
    match terms.node(axiom) {
        Node::Quantifier(it) => (it.variables.to_vec(), it.body),
        _ => (Vec::new(), axiom),
    }
}

fn store(random: &mut Random, terms: &Terms, collections: &Collections, variables: &[Symbol]) -> Store {
    variables.iter().map(|&it| (it, value(random, collections, terms.symbol_info(it).sort))).collect()
}

#[test]
fn axioms_hold_of_finite_collections() {
    let terms = Terms::new();
    let mut collections = Collections::new();
    let mut random = Random::new(1);
    let mut instances = 0;
    for (_, kinds) in kinds(&terms, &collections) {
        for (name, axiom) in axioms_of(&terms, &mut collections, &kinds) {
            let (variables, body) = parts(&terms, axiom);
            for seed in 0..INSTANCES {
                let store = store(&mut random, &terms, &collections, &variables);
                let evaluator = Evaluator { terms: &terms, collections: &collections, seed };
                instances += 1;
                assert!(evaluator.truth(body, &store), "{name} does not hold of {:#?}", store.values());
            }
        }
    }
    assert!(instances > 1_000_000, "only {instances} instances");
}

/// An axiom says something if each alternative of each of its conjuncts is the only true one for some values: no
/// premise is impossible, and none may be left out.
#[test]
fn no_axiom_is_weaker_than_it_looks() {
    let terms = Terms::new();
    let mut collections = Collections::new();
    let mut random = Random::new(2);
    let mut idle = Vec::new();
    let first_kinds: Vec<CollectionKind> = kinds(&terms, &collections).iter().take(4).map(|it| it.1[0]).collect();
    for (name, axiom) in axioms_of(&terms, &mut collections, &first_kinds) {
        let (variables, body) = parts(&terms, axiom);
        let conjuncts = match terms.node(body) {
            Node::And(args) => args.to_vec(),
            _ => vec![body],
        };
        for conjunct in conjuncts {
            let Node::Or(alternatives) = terms.node(conjunct) else { continue };
            let mut needed = vec![false; alternatives.len()];
            for seed in 0..8 * INSTANCES {
                let store = store(&mut random, &terms, &collections, &variables);
                let evaluator = Evaluator { terms: &terms, collections: &collections, seed };
                let mut holding = (0..alternatives.len()).filter(|&it| evaluator.truth(alternatives[it], &store));
                if let (Some(only), None) = (holding.next(), holding.next()) {
                    needed[only] = true;
                }
            }
            for (at, _) in needed.iter().enumerate().filter(|it| !*it.1) {
                idle.push(format!("{name}: {}", effigy_term::print::math(&terms, alternatives[at])));
            }
        }
    }
    assert!(idle.is_empty(), "alternatives that are never needed:\n{}", idle.join("\n"));
}

#[test]
fn axioms_do_not_contradict_one_another() {
    effigy_testing::require!("z3");
    let mut queries = Vec::new();
    // Each theme alone, and all of them together.
    for round in 0..=6 {
        let terms = Terms::new();
        let mut collections = Collections::new();
        let themes = kinds(&terms, &collections);
        let chosen: Vec<CollectionKind> = match themes.get(round) {
            Some(theme) => theme.1.clone(),
            None => themes.into_iter().flat_map(|it| it.1).collect(),
        };
        let axioms = axioms_of(&terms, &mut collections, &chosen);
        assert!(axioms.len() > 10);
        let facts: Vec<Term> = axioms.into_iter().map(|it| it.1).collect();
        for mbqi in [false, true] {
            queries.push(z3::query(&terms, &facts, mbqi, 1_000_000));
        }
    }
    for (at, answer) in z3::answers(&queries).into_iter().enumerate() {
        assert_ne!(answer, "unsat", "query {at}");
    }
}

/// Axioms are told once their triggers can match, and not before.
#[test]
fn axioms_come_with_the_functions_that_they_speak_of() {
    use effigy_contracts::program::CollectionOp;
    let terms = Terms::new();
    let mut collections = Collections::new();
    let kind = CollectionKind::Seq(Sort::Int);
    let sort = collections.sort(&terms, kind);
    let (s, t) = (terms.input("s", sort), terms.input("t", sort));
    let told = |collections: &mut Collections| {
        let mut names: Vec<String> = collections.take_axioms().into_iter().map(|it| it.0).collect();
        names.iter_mut().for_each(|it| *it = it.replace("Seq<Int>.", ""));
        names
    };
    assert_eq!(told(&mut collections), Vec::<String>::new());
    collections.apply(&terms, CollectionOp::SeqLength, kind, &[s]);
    assert_eq!(told(&mut collections), ["length_not_negative", "length_zero", "length_empty"]);
    collections.apply(&terms, CollectionOp::SeqAppend, kind, &[s, t]);
    let names = told(&mut collections);
    assert_eq!(names, ["append_length", "append_empty"]);
    collections.apply(&terms, CollectionOp::SeqIndex, kind, &[s, terms.int(0)]);
    let names = told(&mut collections);
    assert_eq!(names, ["append_index_left", "append_index_right", "append_index_shifted"]);
    collections.apply(&terms, CollectionOp::SeqIndex, kind, &[t, terms.int(0)]);
    assert_eq!(told(&mut collections), Vec::<String>::new());
}

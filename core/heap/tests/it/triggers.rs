//! Which triggers a quantified formula gets.

use effigy_contracts::program::CollectionOp;
use effigy_heap::collections::{CollectionKind, Collections};
use effigy_heap::triggers::{PreparedQuantifier, infer, prepare};
use effigy_term::print::math;
use effigy_term::{Sort, Symbol, SymbolKind, Term, Terms};

/// Integers x, y, z that are bound, n that is not; f, g, h of one, p, q of two arguments.
struct Scene {
    terms: Terms,
}

impl Scene {
    fn new() -> Scene {
        Scene { terms: Terms::new() }
    }

    fn bound(&self, name: &str) -> Symbol {
        self.terms.symbol(name, Sort::Int, SymbolKind::Bound)
    }

    fn var(&self, name: &str) -> Term {
        self.terms.of_symbol(self.bound(name))
    }

    fn apply(&self, name: &str, args: &[Term]) -> Term {
        let sorts: Vec<Sort> = args.iter().map(|&it| self.terms.sort(it)).collect();
        self.terms.apply(self.terms.function(name, &sorts, Sort::Int), args)
    }

    fn f(&self, x: Term) -> Term {
        self.apply("f", &[x])
    }

    fn positive(&self, x: Term) -> Term {
        self.terms.int_lt(self.terms.int(0), x)
    }

    fn plus(&self, x: Term, n: i64) -> Term {
        self.terms.int_add(x, self.terms.int(n))
    }

    /// The triggers of a formula over these variables, printed.
    fn triggers(&self, bound: &[&str], body: Term) -> Vec<String> {
        let bound: Vec<Symbol> = bound.iter().map(|it| self.bound(it)).collect();
        self.print(&infer(&self.terms, &bound, body))
    }

    fn print(&self, triggers: &[Vec<Term>]) -> Vec<String> {
        let print = |it: &Vec<Term>| it.iter().map(|&it| math(&self.terms, it)).collect::<Vec<_>>().join(", ");
        triggers.iter().map(print).collect()
    }

    fn prepared(&self, universal: bool, bound: &[&str], body: Term) -> PreparedQuantifier {
        let bound: Vec<Symbol> = bound.iter().map(|it| self.bound(it)).collect();
        let res = prepare(&self.terms, universal, &bound, body);
        for trigger in &res.triggers {
            for it in &res.variables {
                assert!(trigger.iter().any(|term| self.terms.symbols(*term).contains(it)), "a variable is missing");
            }
        }
        let free = |it: &Symbol| !res.variables.contains(it);
        let loose = self.terms.symbols(res.body).iter().filter(|it| free(it));
        assert!(loose.clone().all(|&it| self.terms.symbol_info(it).kind != SymbolKind::Bound), "a variable is loose");
        res
    }
}

#[test]
fn an_application_with_the_variable_is_a_trigger() {
    let s = Scene::new();
    assert_eq!(s.triggers(&["x"], s.positive(s.f(s.var("x")))), ["f(x)"]);
}

#[test]
fn each_application_is_a_trigger_of_its_own() {
    let s = Scene::new();
    let (f, g) = (s.f(s.var("x")), s.apply("g", &[s.var("x")]));
    assert_eq!(s.triggers(&["x"], s.terms.int_lt(f, g)), ["f(x)", "g(x)"]);
}

#[test]
fn arithmetic_and_comparisons_alone_have_no_trigger() {
    let s = Scene::new();
    assert!(s.triggers(&["x"], s.positive(s.plus(s.var("x"), 1))).is_empty());
}

#[test]
fn an_application_without_the_variable_is_no_trigger() {
    let s = Scene::new();
    let n = s.terms.input("n", Sort::Int);
    assert!(s.triggers(&["x"], s.terms.int_lt(s.var("x"), s.f(n))).is_empty());
}

#[test]
fn several_variables_need_several_applications() {
    let s = Scene::new();
    let (f, g) = (s.f(s.var("x")), s.apply("g", &[s.var("y")]));
    assert_eq!(s.triggers(&["x", "y"], s.terms.int_lt(f, g)), ["f(x), g(y)"]);
}

#[test]
fn no_set_has_more_than_it_needs() {
    let s = Scene::new();
    let (x, y) = (s.var("x"), s.var("y"));
    let (f, p) = (s.f(x), s.apply("p", &[x, y]));
    assert_eq!(s.triggers(&["x", "y"], s.terms.int_lt(f, p)), ["p(x, y)"]);
}

#[test]
fn variables_that_no_application_mentions_leave_no_trigger() {
    let s = Scene::new();
    let body = s.terms.or(s.positive(s.f(s.var("x"))), s.positive(s.var("y")));
    assert!(s.triggers(&["x", "y"], body).is_empty());
}

#[test]
fn larger_terms_are_better_than_their_parts() {
    let s = Scene::new();
    let body = s.positive(s.f(s.apply("g", &[s.var("x")])));
    assert_eq!(s.triggers(&["x"], body), ["f(g(x))"]);
}

#[test]
fn arithmetic_inside_spoils_an_application_but_not_its_parts() {
    let s = Scene::new();
    let g = s.apply("g", &[s.var("x")]);
    assert_eq!(s.triggers(&["x"], s.positive(s.f(s.plus(g, 1)))), ["g(x)"]);
}

#[test]
fn what_makes_larger_instances_of_itself_is_avoided() {
    let s = Scene::new();
    let x = s.var("x");
    let (g, h) = (s.apply("g", &[x]), s.apply("h", &[x]));
    let body = s.terms.or(s.positive(h), s.terms.int_lt(s.f(x), s.f(g)));
    assert_eq!(s.triggers(&["x"], body), ["h(x)", "f(g(x))"]);
}

#[test]
fn what_makes_larger_instances_of_itself_is_taken_if_there_is_nothing_else() {
    let s = Scene::new();
    let body = s.terms.int_lt(s.f(s.var("x")), s.f(s.plus(s.var("x"), 1)));
    assert_eq!(s.triggers(&["x"], body), ["f(x)"]);
}

#[test]
fn variables_of_inner_quantifiers_are_not_mentioned() {
    let s = Scene::new();
    let (x, y) = (s.var("x"), s.var("y"));
    let inner = s.terms.int_lt(s.apply("p", &[x, y]), s.f(x));
    let body = s.terms.exists(&[s.bound("y")], &[], inner);
    assert_eq!(s.triggers(&["x"], body), ["f(x)"]);
}

#[test]
fn a_variable_that_is_bound_again_is_another_one() {
    let s = Scene::new();
    let body = s.terms.exists(&[s.bound("x")], &[], s.positive(s.f(s.var("x"))));
    assert!(s.triggers(&["x"], body).is_empty());
    let outside = s.positive(s.apply("g", &[s.var("x")]));
    assert_eq!(s.triggers(&["x"], s.terms.or(outside, body)), ["g(x)"]);
}

#[test]
fn elements_of_arrays_are_triggers() {
    let s = Scene::new();
    let array = s.terms.input("a", s.terms.array_sort(Sort::Int, Sort::Int));
    let element = s.terms.select(array, s.var("x"));
    let bound = [s.bound("x")];
    assert_eq!(infer(&s.terms, &bound, s.positive(element)), [vec![element]]);
}

#[test]
fn equality_of_collections_is_no_trigger() {
    let s = Scene::new();
    let mut collections = Collections::new();
    let kind = CollectionKind::Seq(Sort::Int);
    let sort = collections.sort(&s.terms, kind);
    let symbol = s.terms.symbol("s", sort, SymbolKind::Bound);
    let (bound, other) = (s.terms.of_symbol(symbol), s.terms.input("t", sort));
    let appended = collections.apply(&s.terms, CollectionOp::SeqAppend, kind, &[bound, other]);
    let equal = collections.equal(&s.terms, appended, other);
    assert_eq!(infer(&s.terms, &[symbol], equal), [vec![appended]]);
}

#[test]
fn membership_in_a_sequence_fires_for_its_elements_too() {
    let s = Scene::new();
    let mut collections = Collections::new();
    let kind = CollectionKind::Seq(Sort::Int);
    let seq = s.terms.input("s", collections.sort(&s.terms, kind));
    let contains = collections.apply(&s.terms, CollectionOp::SeqContains, kind, &[s.var("x"), seq]);
    let triggers = infer(&s.terms, &[s.bound("x")], contains);
    assert_eq!(triggers, [vec![contains]]);
    let fires = collections.in_trigger(&s.terms, triggers[0][0]);
    assert_eq!(fires, collections.apply_in_trigger(&s.terms, CollectionOp::SeqContains, kind, &[s.var("x"), seq]));
    assert_ne!(fires, contains);
}

/// ∀x. 0 < x ⇒ 0 < f(x + 1)   is   ∀x'. 0 < x' - 1 ⇒ 0 < f(x')
#[test]
fn a_sum_becomes_a_variable() {
    let s = Scene::new();
    let x = s.var("x");
    let body = s.terms.implies(s.positive(x), s.positive(s.f(s.plus(x, 1))));
    let res = s.prepared(true, &["x"], body);
    assert_eq!(s.print(&res.triggers), ["f(x')"]);
    let new = s.var("x'");
    assert_eq!(res.body, s.terms.implies(s.positive(s.plus(new, -1)), s.positive(s.f(new))));
}

/// ∀x. 0 < f(n - x)   is   ∀x'. 0 < f(x')
#[test]
fn a_difference_becomes_a_variable() {
    let s = Scene::new();
    let n = s.terms.input("n", Sort::Int);
    let body = s.terms.or(s.positive(s.f(s.terms.int_sub(n, s.var("x")))), s.positive(s.var("x")));
    let res = s.prepared(true, &["x"], body);
    assert_eq!(s.print(&res.triggers), ["f(x')"]);
    let old = s.terms.int_sub(n, s.var("x'"));
    assert_eq!(res.body, s.terms.or(s.positive(s.f(s.var("x'"))), s.positive(old)));
}

#[test]
fn of_two_sums_one_becomes_a_variable() {
    let s = Scene::new();
    let x = s.var("x");
    let body = s.terms.int_lt(s.f(s.plus(x, 1)), s.f(s.plus(x, 2)));
    let res = s.prepared(true, &["x"], body);
    assert_eq!(s.print(&res.triggers), ["f(x')"]);
}

#[test]
fn each_variable_may_be_in_a_sum() {
    let s = Scene::new();
    let sums = [s.plus(s.var("x"), 1), s.plus(s.var("y"), 2)];
    let res = s.prepared(true, &["x", "y"], s.positive(s.apply("p", &sums)));
    assert_eq!(s.print(&res.triggers), ["p(x', y')"]);
}

/// Not every integer is twice another: 2·x is named, not solved.
#[test]
fn what_cannot_be_solved_is_named() {
    let s = Scene::new();
    let x = s.var("x");
    let twice = s.terms.int_mul(s.terms.int(2), x);
    let inside = s.positive(s.apply("p", &[x, twice]));
    let res = s.prepared(true, &["x"], inside);
    assert_eq!(s.print(&res.triggers), ["p(x, argument')"]);
    let defined = s.terms.eq(s.var("argument'"), twice);
    assert_eq!(res.body, s.terms.implies(defined, inside));
    let res = s.prepared(false, &["x"], inside);
    assert_eq!(res.body, s.terms.and(defined, inside));
}

#[test]
fn a_variable_that_is_nowhere_a_whole_argument_has_no_trigger() {
    let s = Scene::new();
    let twice = s.terms.int_mul(s.terms.int(2), s.var("x"));
    let body = s.positive(s.f(twice));
    assert_eq!(
        s.prepared(true, &["x"], body),
        PreparedQuantifier { variables: vec![s.bound("x")], triggers: vec![], body }
    );
}

/// Replacing x by x' - y inside would let the inner y catch the outer one.
#[test]
fn nothing_is_replaced_that_would_be_caught_inside() {
    let s = Scene::new();
    let (x, y) = (s.var("x"), s.var("y"));
    let inner = s.terms.exists(&[s.bound("y")], &[], s.terms.int_lt(x, s.apply("g", &[y])));
    let body = s.terms.or(inner, s.positive(s.f(s.terms.int_add(x, y))));
    let bound = [s.bound("x"), s.bound("y")];
    assert_eq!(prepare(&s.terms, true, &bound, body).body, body);
}

#[test]
fn a_large_body_takes_bounded_time() {
    let s = Scene::new();
    let names: Vec<String> = (0..12).map(|it| format!("v{it}")).collect();
    let all = (0..200).map(|it| {
        let (a, b) = (s.var(&names[it % 12]), s.var(&names[(it / 12) % 12]));
        s.positive(s.apply(&format!("q{it}"), &[a, b]))
    });
    let body = s.terms.and_all(all.collect::<Vec<_>>());
    let bound: Vec<&str> = names.iter().map(String::as_str).collect();
    assert!(!s.triggers(&bound, body).is_empty());
    let mut deep = s.var("x");
    (0..100_000).for_each(|_| deep = s.f(deep));
    assert_eq!(infer(&s.terms, &[s.bound("x")], s.positive(deep)).len(), 1);
}

/// Integers modulo 8, functions as a hash says: sums with a factor of 1 or -1 take each value once there too, so that a
/// formula and what it becomes can be compared by trying all values. (Comparisons are not among the bodies: modulo 8
/// they do not survive moving a summand to the other side.)
mod modulo_eight {
    use super::*;
    use effigy_term::Node;
    use num_traits::ToPrimitive;
    use std::collections::HashMap;
    use std::hash::{DefaultHasher, Hash, Hasher};

    fn eval(terms: &Terms, term: Term, store: &HashMap<Symbol, i64>, seed: u64) -> i64 {
        let of = |it: Term| eval(terms, it, store, seed);
        match terms.node(term) {
            Node::Bool(it) => i64::from(*it),
            Node::Int(it) => it.to_i64().expect("small").rem_euclid(8),
            Node::Symbol(it) => store[it],
            &Node::Not(a) => 1 - of(a),
            Node::And(args) => args.iter().map(|&it| of(it)).min().expect("not empty"),
            Node::Or(args) => args.iter().map(|&it| of(it)).max().expect("not empty"),
            &Node::Eq(a, b) => i64::from(of(a) == of(b)),
            Node::IntPoly(poly) => {
                let monomials = poly.monomials.iter().map(|(factor, monomial)| {
                    let product: i64 = monomial.iter().map(|&(it, exponent)| of(it).pow(exponent)).product();
                    factor.to_i64().expect("small") * product
                });
                (poly.constant.to_i64().expect("small") + monomials.sum::<i64>()).rem_euclid(8)
            }
            Node::Apply(function, args) => {
                let mut hasher = DefaultHasher::new();
                let args: Vec<i64> = args.iter().map(|&it| of(it)).collect();
                (seed, function, args).hash(&mut hasher);
                let values = if terms.sort(term) == Sort::Bool { 2 } else { 8 };
                (hasher.finish() % values) as i64
            }
            it => panic!("no body has {it:?}"),
        }
    }

    /// Whether the formula holds, by all values of its variables.
    fn holds(terms: &Terms, universal: bool, variables: &[Symbol], body: Term, seed: u64) -> bool {
        let mut store = HashMap::new();
        let mut all = (0..8_u64.pow(variables.len() as u32)).map(|number| {
            for (at, &it) in variables.iter().enumerate() {
                store.insert(it, (number >> (3 * at) & 7) as i64);
            }
            eval(terms, body, &store, seed) == 1
        });
        if universal { all.all(|it| it) } else { all.any(|it| it) }
    }

    fn body(s: &Scene, mut number: impl FnMut(u64) -> u64) -> Term {
        let (x, y) = (s.var("x"), s.var("y"));
        let argument = |number: &mut dyn FnMut(u64) -> u64| {
            let n = number(5) as i64 - 2;
            match number(8) {
                0 => x,
                1 => s.plus(x, n),
                2 => s.plus(s.terms.int_neg(x), n),
                3 => s.plus(y, n),
                4 => s.plus(s.terms.int_add(x, y), n),
                5 => s.plus(s.terms.int_mul(s.terms.int(2), x), n),
                6 => s.plus(s.terms.int_add(s.f(x), x), n),
                _ => s.plus(s.terms.int_sub(s.f(y), x), n),
            }
        };
        let atoms: Vec<Term> = (0..1 + number(3))
            .map(|_| {
                let (a, b) = (argument(&mut number), argument(&mut number));
                let args = if number(2) == 0 { vec![a, b] } else { vec![a] };
                let name = format!("P{}{}", number(2), args.len());
                let function = s.terms.function(&name, &vec![Sort::Int; args.len()], Sort::Bool);
                let atom = s.terms.apply(function, &args);
                if number(3) == 0 { s.terms.not(atom) } else { atom }
            })
            .collect();
        if number(2) == 0 { s.terms.and_all(atoms) } else { s.terms.or_all(atoms) }
    }

    #[test]
    fn a_formula_and_what_it_becomes_are_equivalent() {
        let (mut changed, mut named, mut truths) = (0, 0, [0; 2]);
        for seed in 0..3000_u64 {
            let s = Scene::new();
            let mut count = 0_u64;
            let body = body(&s, |bound| {
                count += 1;
                let mut hasher = DefaultHasher::new();
                (seed, count).hash(&mut hasher);
                hasher.finish() % bound
            });
            let all = [s.bound("x"), s.bound("y")];
            let bound: Vec<Symbol> = all.into_iter().filter(|it| s.terms.symbols(body).contains(it)).collect();
            for universal in [true, false] {
                let res = prepare(&s.terms, universal, &bound, body);
                changed += usize::from(res.body != body && res.variables.len() == bound.len());
                named += usize::from(res.variables.len() > bound.len());
                if res.variables.len() > 4 {
                    continue;
                }
                let before = holds(&s.terms, universal, &bound, body, seed);
                let after = holds(&s.terms, universal, &res.variables, res.body, seed);
                truths[usize::from(before)] += 1;
                assert_eq!(before, after, "{} became {}", math(&s.terms, body), math(&s.terms, res.body));
            }
        }
        assert!(changed > 200 && named > 200, "{changed} with other variables, {named} with named arguments");
        assert!(truths.iter().all(|&it| it > 200), "{truths:?}");
    }
}

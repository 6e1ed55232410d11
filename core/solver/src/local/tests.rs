//! What the local core knows, one idea a test.

use super::Local;
use effigy_term::{FunctionSymbol, Sort, Term, Terms};

struct World {
    terms: Terms,
    local: Local,
}

impl World {
    fn new() -> World {
        World { terms: Terms::new(), local: Local::default() }
    }

    fn reference(&self, name: &str) -> Term {
        self.terms.input(name, self.sort())
    }

    fn sort(&self) -> Sort {
        self.terms.uninterpreted_sort("Ref")
    }

    fn int(&self, name: &str) -> Term {
        self.terms.input(name, Sort::Int)
    }

    fn real(&self, name: &str) -> Term {
        self.terms.input(name, Sort::Real)
    }

    fn truth(&self, name: &str) -> Term {
        self.terms.input(name, Sort::Bool)
    }

    fn function(&self, name: &str, result: Sort) -> FunctionSymbol {
        self.terms.function(name, &[self.sort()], result)
    }

    fn assume(&mut self, fact: Term) {
        self.local.assume(&self.terms, fact);
    }

    fn proves(&mut self, goal: Term) -> bool {
        self.local.proves(&self.terms, goal, false)
    }

    fn same(&mut self, a: Term, b: Term) -> bool {
        self.local.representative(&self.terms, a) == self.local.representative(&self.terms, b)
    }
}

#[test]
fn equality_goes_through_functions() {
    let mut world = World::new();
    let next = world.function("next", world.sort());
    let [a, b, c] = ["a", "b", "c"].map(|it| world.reference(it));
    let of = |world: &World, it| world.terms.apply(next, &[it]);
    let (na, nb, nnb) = (of(&world, a), of(&world, b), of(&world, of(&world, b)));
    assert!(!world.same(na, nb));
    world.assume(world.terms.eq(a, b));
    assert!(world.same(na, nb));
    world.assume(world.terms.eq(nb, a));
    // next(next(b)) = next(a) = next(b) = a
    assert!(world.same(nnb, a));
    assert!(world.proves(world.terms.eq(nnb, b)));
    assert!(!world.proves(world.terms.eq(nnb, c)));
}

#[test]
fn a_closed_scope_takes_everything_back() {
    let mut world = World::new();
    let next = world.function("next", world.sort());
    let [a, b, c] = ["a", "b", "c"].map(|it| world.reference(it));
    let (na, nb) = (world.terms.apply(next, &[a]), world.terms.apply(next, &[b]));
    world.assume(world.terms.ne(a, c));
    world.local.push();
    world.assume(world.terms.eq(a, b));
    assert!(world.same(na, nb));
    assert!(world.proves(world.terms.ne(b, c)));
    world.local.push();
    world.assume(world.terms.eq(b, c));
    assert!(world.local.is_inconsistent());
    assert!(world.proves(world.truth("anything")));
    world.local.pop();
    assert!(!world.local.is_inconsistent());
    assert!(world.same(na, nb));
    world.local.pop();
    assert!(!world.same(na, nb));
    assert!(!world.proves(world.terms.ne(b, c)));
    assert!(world.proves(world.terms.ne(a, c)));
}

#[test]
fn what_was_built_is_taken_apart() {
    let mut world = World::new();
    let sort = world.sort();
    let combine = world.terms.function("combine", &[sort, sort], sort);
    let (first, second) = (world.function("first", sort), world.function("second", sort));
    let [a, b, c, d, s] = ["a", "b", "c", "d", "s"].map(|it| world.reference(it));
    world.local.injection(&world.terms, combine, &[first, second]);
    let (ab, cd) = (world.terms.apply(combine, &[a, b]), world.terms.apply(combine, &[c, d]));
    let taken = world.terms.apply(second, &[s]);
    assert!(!world.same(taken, b));
    world.assume(world.terms.eq(s, ab));
    assert!(world.same(taken, b));
    let taken = world.terms.apply(first, &[s]);
    assert!(world.same(taken, a));
    world.local.push();
    world.assume(world.terms.ne(a, c));
    assert!(world.proves(world.terms.ne(ab, cd)));
    assert!(world.proves(world.terms.ne(s, cd)));
    world.local.pop();
    world.assume(world.terms.eq(ab, cd));
    assert!(world.same(a, c) && world.same(b, d));
}

#[test]
fn objects_are_as_old_as_they_are() {
    let mut world = World::new();
    let [old, new, newer, stranger] = ["old", "new", "newer", "stranger"].map(|it| world.reference(it));
    world.local.known(&world.terms, old, 0);
    world.local.born(&world.terms, new, 0);
    world.local.known(&world.terms, new, 1);
    world.local.born(&world.terms, newer, 1);
    assert!(world.proves(world.terms.ne(old, new)));
    assert!(world.proves(world.terms.ne(new, newer)));
    assert!(!world.proves(world.terms.ne(stranger, new)));
    world.local.push();
    world.assume(world.terms.eq(stranger, old));
    assert!(world.proves(world.terms.ne(stranger, newer)));
    world.local.pop();
    assert!(!world.proves(world.terms.ne(stranger, newer)));
    world.assume(world.terms.or(world.terms.eq(old, new), world.truth("b")));
    assert!(world.proves(world.truth("b")));
    world.assume(world.terms.eq(newer, old));
    assert!(world.local.is_inconsistent());
}

#[test]
fn what_is_left_of_a_disjunction_holds() {
    let mut world = World::new();
    let [b, c, d] = ["b", "c", "d"].map(|it| world.truth(it));
    let [x, y, z] = ["x", "y", "z"].map(|it| world.reference(it));
    world.assume(world.terms.or_all([b, c, world.terms.eq(x, y)]));
    world.assume(world.terms.implies(world.terms.eq(x, y), d));
    world.assume(world.terms.not(b));
    assert!(!world.proves(d));
    assert!(world.proves(world.terms.implies(world.terms.not(c), d)));
    world.assume(world.terms.eq(c, world.terms.bool(false)));
    assert!(world.proves(d));
    assert!(world.same(x, y));
    let choice = world.terms.ite(d, x, z);
    assert!(world.same(choice, y));
    assert!(world.proves(world.terms.implies(world.terms.eq(y, z), world.terms.eq(x, z))));
}

#[test]
fn sums_are_normal_over_what_is_known() {
    let mut world = World::new();
    let [x, y, z] = ["x", "y", "z"].map(|it| world.int(it));
    let t = |world: &World, it: i64| world.terms.int(it);
    let sum = world.terms.int_add(x, y);
    world.assume(world.terms.eq(sum, t(&world, 3)));
    world.assume(world.terms.eq(world.terms.int_add(z, t(&world, 1)), sum));
    assert!(world.proves(world.terms.eq(z, t(&world, 2))));
    world.assume(world.terms.eq(y, t(&world, 1)));
    assert!(world.proves(world.terms.eq(x, t(&world, 2))));
    assert!(world.same(x, z));
    assert!(world.proves(world.terms.ne(x, world.terms.int_add(x, y))));
}

/// In whatever order they were mentioned.
#[test]
fn sums_of_equal_numbers_are_equal() {
    for swapped in [false, true] {
        let mut world = World::new();
        let (x, z) = if swapped { (world.int("z"), world.int("x")) } else { (world.int("x"), world.int("z")) };
        let [above, beside] = [x, z].map(|it| world.terms.int_add(it, world.terms.int(1)));
        world.same(x, z);
        world.assume(world.terms.eq(x, z));
        assert!(world.proves(world.terms.int_lt(z, above)) && world.proves(world.terms.int_lt(x, beside)));
        assert!(world.same(above, beside));
        assert!(world.proves(world.terms.ne(x, beside)));
    }
}

#[test]
fn bounds_decide_comparisons() {
    let mut world = World::new();
    let [x, y, z] = ["x", "y", "z"].map(|it| world.int(it));
    let t = |world: &World, it: i64| world.terms.int(it);
    world.assume(world.terms.int_le(t(&world, 0), x));
    world.assume(world.terms.int_le(x, world.terms.int_add(y, t(&world, 3))));
    assert!(world.proves(world.terms.int_lt(t(&world, -1), x)));
    assert!(world.proves(world.terms.int_le(x, world.terms.int_add(y, t(&world, 4)))));
    assert!(!world.proves(world.terms.int_le(x, world.terms.int_add(y, t(&world, 2)))));
    assert!(world.proves(world.terms.ne(x, t(&world, -5))));
    world.assume(world.terms.int_lt(y, z));
    assert!(world.proves(world.terms.int_le(x, world.terms.int_add(z, t(&world, 2)))));
    world.assume(world.terms.int_le(x, t(&world, 0)));
    assert!(world.proves(world.terms.eq(x, t(&world, 0))));
    world.assume(world.terms.int_lt(z, t(&world, -2)));
    assert!(world.proves(world.terms.bool(false)));
}

#[test]
fn permissions_are_compared() {
    let mut world = World::new();
    let [p, q, r] = ["p", "q", "r"].map(|it| world.real(it));
    let one = world.terms.int_to_real(world.terms.int(1));
    let zero = world.terms.int_to_real(world.terms.int(0));
    let half = world.terms.real_div(one, world.terms.int_to_real(world.terms.int(2)));
    world.assume(world.terms.real_lt(zero, p));
    world.assume(world.terms.real_le(p, half));
    assert!(world.proves(world.terms.real_lt(zero, world.terms.real_mul(half, p))));
    assert!(world.proves(world.terms.real_lt(p, one)));
    assert!(world.proves(world.terms.ne(p, one)));
    assert!(world.proves(world.terms.real_le(world.terms.real_add(p, p), one)));
    assert!(!world.proves(world.terms.real_lt(world.terms.real_add(p, p), one)));
    world.assume(world.terms.real_le(q, p));
    world.assume(world.terms.real_lt(r, q));
    assert!(world.proves(world.terms.real_lt(r, p)));
    assert!(world.proves(world.terms.real_lt(world.terms.real_add(r, q), one)));
}

/// With 1,000 objects a question costs no more than with ten.
#[test]
fn the_work_grows_with_the_objects_and_not_with_their_pairs() {
    let work = |count: u64| {
        let mut world = World::new();
        let value = world.function("value", Sort::Int);
        let null = world.reference("null");
        world.local.known(&world.terms, null, 0);
        let mut objects: Vec<Term> = Vec::new();
        for at in 0..count {
            let object = world.reference(&format!("o{at}"));
            let alias = world.reference(&format!("alias{at}"));
            world.local.born(&world.terms, object, at);
            world.local.known(&world.terms, object, at + 1);
            world.assume(world.terms.ne(object, null));
            world.assume(world.terms.eq(world.terms.apply(value, &[object]), world.terms.int(at)));
            world.local.push();
            world.assume(world.terms.eq(alias, object));
            let read = world.terms.apply(value, &[alias]);
            assert!(world.proves(world.terms.eq(read, world.terms.int(at))));
            assert!(world.proves(world.terms.ne(alias, null)));
            let other = objects.get(objects.len() / 2).copied().unwrap_or(null);
            assert!(world.proves(world.terms.ne(alias, other)));
            assert!(!world.proves(world.terms.eq(alias, other)));
            objects.push(object);
        }
        for _ in 0..count {
            world.local.pop();
        }
        world.local.work()
    };
    let (few, many) = (work(500), work(1000));
    assert!(many < 2 * few + few / 5, "{few} steps for 500 objects, {many} for 1000");
    assert!(many < 100_000, "{many} steps for 1000 objects");
}

/// Nonsense is bounded: a term of any depth, a chain of definitions, a disjunction that loses one part at a time.
#[test]
fn large_formulas_take_bounded_work() {
    let mut world = World::new();
    let next = world.function("next", world.sort());
    let mut deep = world.reference("a");
    for _ in 0..20_000 {
        deep = world.terms.apply(next, &[deep]);
    }
    let a = world.reference("a");
    world.assume(world.terms.eq(deep, a));
    assert!(world.same(deep, a));
    let parts: Vec<Term> = (0..2_000).map(|at| world.truth(&format!("b{at}"))).collect();
    world.assume(world.terms.or_all(parts.iter().copied()));
    for &part in &parts[1..] {
        world.assume(world.terms.not(part));
    }
    let mut cond = world.truth("c");
    for &part in &parts {
        cond = world.terms.eq(world.terms.and(cond, part), world.truth("d"));
    }
    world.assume(cond);
    assert!(!world.proves(world.truth("e")));
    assert!(world.local.work() < 2_000_000, "{}", world.local.work());
}

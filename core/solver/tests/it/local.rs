//! The local core against a solver: what it claims, the solver proves; what was taken back does not matter.

use effigy_solver::prover::{ProofEffort, Prover, ProverConfig};
use effigy_term::print::math;
use effigy_term::{FunctionSymbol, Sort, Term, Terms};
use num_bigint::BigInt;
use num_rational::BigRational;
use std::sync::Arc;

fn prover(local: bool) -> Prover {
    Prover::new(ProverConfig { smt: "z3 -in".to_owned(), steps: 20_000_000, local, interrupt: Arc::default() })
}

struct Random(u64);

impl Random {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % count
    }
}

/// A few constants and functions of each sort.
struct World<'a> {
    terms: &'a Terms,
    random: Random,
    references: Vec<Term>,
    integers: Vec<Term>,
    reals: Vec<Term>,
    truths: Vec<Term>,
    next: FunctionSymbol,
    value: FunctionSymbol,
    holds: FunctionSymbol,
    combine: FunctionSymbol,
    first: FunctionSymbol,
    second: FunctionSymbol,
}

impl<'a> World<'a> {
    fn new(terms: &'a Terms, seed: u64) -> World<'a> {
        let reference = terms.uninterpreted_sort("Ref");
        let inputs = |names: &[&str], sort| names.iter().map(|it| terms.input(it, sort)).collect::<Vec<_>>();
        World {
            terms,
            random: Random(seed),
            references: inputs(&["a", "b", "c", "d", "null"], reference),
            integers: inputs(&["x", "y", "z"], Sort::Int),
            reals: inputs(&["p", "q"], Sort::Real),
            truths: inputs(&["s", "t"], Sort::Bool),
            next: terms.function("next", &[reference], reference),
            value: terms.function("value", &[reference], Sort::Int),
            holds: terms.function("holds", &[reference, Sort::Int], Sort::Bool),
            combine: terms.function("combine", &[reference, Sort::Int], reference),
            first: terms.function("first", &[reference], reference),
            second: terms.function("second", &[reference], Sort::Int),
        }
    }

    fn reference(&mut self, depth: u32) -> Term {
        let terms = self.terms;
        match if depth == 0 { 0 } else { self.random.below(9) } {
            5 => terms.apply(self.next, &[self.reference(depth - 1)]),
            6 => {
                let (a, n) = (self.reference(depth - 1), self.integer(depth - 1));
                terms.apply(self.combine, &[a, n])
            }
            7 => terms.apply(self.first, &[self.reference(depth - 1)]),
            8 => {
                let (c, a, b) = (self.truth(depth - 1), self.reference(depth - 1), self.reference(depth - 1));
                terms.ite(c, a, b)
            }
            _ => self.references[self.random.below(5)],
        }
    }

    fn integer(&mut self, depth: u32) -> Term {
        let terms = self.terms;
        match if depth == 0 { self.random.below(2) } else { self.random.below(10) } {
            0 => terms.int(self.random.below(5) as i64 - 2),
            2 => terms.apply(self.value, &[self.reference(depth - 1)]),
            3 => terms.apply(self.second, &[self.reference(depth - 1)]),
            4 => {
                let (a, b) = (self.integer(depth - 1), self.integer(depth - 1));
                terms.int_add(a, b)
            }
            5 => {
                let (a, b) = (self.integer(depth - 1), self.integer(depth - 1));
                terms.int_sub(a, b)
            }
            6 => {
                let (a, b) = (self.integer(depth - 1), self.integer(depth - 1));
                if self.random.below(3) == 0 { terms.int_mul(a, b) } else { terms.int_mod(a, terms.int(3)) }
            }
            7 => {
                let (c, a, b) = (self.truth(depth - 1), self.integer(depth - 1), self.integer(depth - 1));
                terms.ite(c, a, b)
            }
            _ => self.integers[self.random.below(3)],
        }
    }

    fn real(&mut self, depth: u32) -> Term {
        let terms = self.terms;
        match if depth == 0 { self.random.below(2) } else { self.random.below(7) } {
            0 => {
                let (numerator, denominator) = (self.random.below(5) as i64 - 1, 1 + self.random.below(3) as i64);
                terms.real(BigRational::new(BigInt::from(numerator), BigInt::from(denominator)))
            }
            2 => {
                let (a, b) = (self.real(depth - 1), self.real(depth - 1));
                terms.real_add(a, b)
            }
            3 => {
                let (a, b) = (self.real(depth - 1), self.real(depth - 1));
                terms.real_sub(a, b)
            }
            4 => terms.int_to_real(self.integer(depth - 1)),
            5 => {
                let (c, a, b) = (self.truth(depth - 1), self.real(depth - 1), self.real(depth - 1));
                terms.ite(c, a, b)
            }
            _ => self.reals[self.random.below(2)],
        }
    }

    fn atom(&mut self, depth: u32) -> Term {
        let terms = self.terms;
        match self.random.below(9) {
            0..=2 => {
                let (a, b) = (self.reference(depth), self.reference(depth));
                terms.eq(a, b)
            }
            3 => {
                let (a, b) = (self.integer(depth), self.integer(depth));
                terms.eq(a, b)
            }
            4 => {
                let (a, b) = (self.integer(depth), self.integer(depth));
                terms.int_le(a, b)
            }
            5 => {
                let (a, b) = (self.real(depth), self.real(depth));
                if self.random.below(3) == 0 { terms.eq(a, b) } else { terms.real_le(a, b) }
            }
            6 => {
                let (a, n) = (self.reference(depth), self.integer(depth));
                terms.apply(self.holds, &[a, n])
            }
            _ => self.truths[self.random.below(2)],
        }
    }

    fn truth(&mut self, depth: u32) -> Term {
        let terms = self.terms;
        match if depth == 0 { 0 } else { self.random.below(10) } {
            5 => {
                let (a, b) = (self.truth(depth - 1), self.truth(depth - 1));
                terms.and(a, b)
            }
            6 => {
                let (a, b) = (self.truth(depth - 1), self.truth(depth - 1));
                terms.or(a, b)
            }
            7 => {
                let (a, b, c) = (self.truth(depth - 1), self.truth(depth - 1), self.truth(depth - 1));
                terms.ite(a, b, c)
            }
            8 => {
                let (a, b) = (self.truth(depth - 1), self.truth(depth - 1));
                terms.eq(a, b)
            }
            _ => {
                let atom = self.atom(depth.saturating_sub(1));
                if self.random.below(2) == 0 { atom } else { terms.not(atom) }
            }
        }
    }
}

/// What a prover is told, in order.
#[derive(Clone, Copy, Debug)]
enum Said {
    Holds(Term),
    Born(Term),
    Known(Term),
}

fn say(prover: &mut Prover, terms: &Terms, said: Said) {
    match said {
        Said::Holds(fact) => prover.assume(terms, fact),
        Said::Born(object) => prover.born(terms, object),
        Said::Known(reference) => prover.known(terms, reference),
    }
}

/// How much was asked, and how it was answered.
#[derive(Debug, Default)]
struct Counts {
    asked: u32,
    proved: u32,
    locally: u32,
    thoroughly: u32,
    contradictions: u32,
    found: u32,
}

fn declared(local: bool, world: &World<'_>) -> Prover {
    let mut res = prover(local);
    res.injection(world.terms, world.combine, &[world.first, world.second]);
    res
}

fn run(seed: u64, counts: &mut Counts) {
    let terms = Terms::new();
    let mut world = World::new(&terms, seed);
    let (mut local, mut solver) = (declared(true, &world), declared(false, &world));
    let mut scopes: Vec<Vec<Said>> = vec![Vec::new()];
    let mut births = 0;
    for _ in 0..40 {
        let said = match world.random.below(16) {
            0 => {
                local.push();
                solver.push();
                scopes.push(Vec::new());
                continue;
            }
            1 if scopes.len() > 1 => {
                local.pop();
                solver.pop();
                scopes.pop();
                continue;
            }
            2 => {
                births += 1;
                let object = terms.input(&format!("new{births}"), terms.sort(world.references[0]));
                let at = world.random.below(4);
                world.references[at] = object;
                Said::Born(object)
            }
            3 => Said::Known(world.reference(1)),
            4..=9 => {
                let depth = world.random.below(3) as u32;
                Said::Holds(world.truth(depth))
            }
            _ => {
                let depth = world.random.below(4) as u32;
                let goal = world.truth(depth);
                ask(&terms, &world, &mut local, &mut solver, &scopes, goal, counts);
                continue;
            }
        };
        // A contradiction would decide everything that follows.
        local.push();
        solver.push();
        say(&mut local, &terms, said);
        say(&mut solver, &terms, said);
        if solver.proves(&terms, terms.bool(false), ProofEffort::Full).is_proved() {
            counts.contradictions += 1;
            counts.found += u32::from(local.is_inconsistent());
            local.pop();
            solver.pop();
        } else {
            assert!(!local.is_inconsistent());
            scopes.push(vec![said]);
        }
    }
    // Equal representatives are equal.
    for at in 0..4 {
        let (a, b) = (world.references[at], world.references[at + 1]);
        if local.representative(&terms, a) == local.representative(&terms, b) {
            assert!(solver.proves(&terms, terms.eq(a, b), ProofEffort::Full).is_proved());
        }
    }
}

fn ask(
    terms: &Terms,
    world: &World<'_>,
    local: &mut Prover,
    solver: &mut Prover,
    scopes: &[Vec<Said>],
    goal: Term,
    counts: &mut Counts,
) {
    let quickly = local.proves(terms, goal, ProofEffort::Local).is_proved();
    let sent = local.statistics().sent;
    let found = local.proves(terms, goal, ProofEffort::Full).is_proved();
    let thoroughly = found && local.statistics().sent == sent;
    let expected = solver.proves(terms, goal, ProofEffort::Full).is_proved();
    let describe = || {
        let facts: Vec<String> = scopes
            .iter()
            .flatten()
            .map(|it| match it {
                Said::Holds(it) => math(terms, *it),
                Said::Born(it) => format!("born {}", math(terms, *it)),
                Said::Known(it) => format!("known {}", math(terms, *it)),
            })
            .collect();
        format!("{}\n|- {}", facts.join("\n"), math(terms, goal))
    };
    assert!(!quickly || thoroughly, "{}", describe());
    assert!(expected || !thoroughly, "this does not follow:\n{}", describe());
    assert_eq!(found, expected, "{}", describe());
    let mut fresh = declared(true, world);
    scopes.iter().flatten().for_each(|it| say(&mut fresh, terms, *it));
    let afresh = fresh.proves(terms, goal, ProofEffort::Local).is_proved();
    assert_eq!(quickly, afresh, "as if nothing had been taken back:\n{}", describe());
    counts.asked += 1;
    counts.proved += u32::from(expected);
    counts.locally += u32::from(quickly);
    counts.thoroughly += u32::from(thoroughly);
}

#[test]
fn what_is_claimed_follows() {
    effigy_testing::require!("z3");
    let mut counts = Counts::default();
    let from = std::env::var("SEED").ok().and_then(|it| it.parse().ok()).unwrap_or(0);
    for seed in from..from + u64::from(effigy_testing::cases(60)) {
        run(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15), &mut counts);
    }
    assert!(counts.locally * 2 > counts.proved, "the core decides most of what can be proved: {counts:?}");
}

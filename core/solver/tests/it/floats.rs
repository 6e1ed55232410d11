//! Questions about floats, to the SAT solver alone: models are tried by the evaluator, and what holds of all numbers has no
//! counterexample.

use effigy_solver::{Answer, Backend, LayerKind, LayerSet, PathCondition, Query, QueryBudget, SolverConfig, chain};
use effigy_term::eval::Evaluator;
use effigy_term::float::{FloatOp, Format, Rounding};
use effigy_term::{BvValue, Sort, SymbolKind, Term, Terms};
use proptest::prelude::*;

/// Whether there is a model, which is one.
fn is_satisfiable(terms: &Terms, goal: Term) -> bool {
    let layers = LayerSet::NONE.with(LayerKind::Narrowing).with(LayerKind::Escalation);
    let mut solver = chain(&SolverConfig { backend: Backend::Bits, layers, ..SolverConfig::default() });
    let path = PathCondition::of(LayerSet::NONE);
    let budget = QueryBudget { steps: Some(10_000_000), time: None };
    match solver.check(terms, &Query { path: &path, only: None, goal, witness: None, tried: false, budget }) {
        Answer::Sat(model) => {
            assert_eq!(Evaluator::new(terms, &model).truth(goal), Some(true), "a model is one");
            true
        }
        Answer::Unsat => false,
        Answer::Unknown(reason) => panic!("{reason}: {}", effigy_term::print::math(terms, goal)),
    }
}

/// A format with terms, in the mode that programs use.
struct Floats<'a> {
    terms: &'a Terms,
    format: Format,
}

impl Floats<'_> {
    fn symbol(&self, name: &str) -> Term {
        let sort = Sort::BitVec(self.format.width());
        self.terms.of_symbol(self.terms.symbol(name, sort, SymbolKind::Input))
    }

    fn rounded<const N: usize>(&self, op: fn(Format) -> FloatOp, arguments: [Term; N]) -> Term {
        let mode = self.terms.rounding(Rounding::NearestEven);
        self.terms.float(op(self.format), &[&[mode], arguments.as_slice()].concat())
    }

    fn add(&self, a: Term, b: Term) -> Term {
        self.rounded(FloatOp::Add, [a, b])
    }

    fn less(&self, a: Term, b: Term) -> Term {
        self.terms.float(FloatOp::Less(self.format), &[a, b])
    }

    fn equal(&self, a: Term, b: Term) -> Term {
        self.terms.float(FloatOp::Equal(self.format), &[a, b])
    }

    fn is_finite(&self, a: Term) -> Term {
        self.terms.not(self.terms.float_is_not_finite(self.format, a))
    }

    fn double(&self, value: f64) -> Term {
        self.terms.bv(BvValue::from_u64(Format::DOUBLE.width(), value.to_bits()))
    }

    fn single(&self, value: f32) -> Term {
        self.terms.bv(BvValue::from_u64(Format::SINGLE.width(), u64::from(value.to_bits())))
    }
}

fn floats(terms: &Terms, format: Format) -> Floats<'_> {
    Floats { terms, format }
}

#[test]
fn a_number_is_not_more_than_its_successor() {
    let terms = Terms::new();
    let it = floats(&terms, Format::DOUBLE);
    let x = it.symbol("x");
    let next = it.add(x, it.double(1.0));
    assert!(!is_satisfiable(&terms, terms.and(it.is_finite(x), it.less(next, x))));
    // Beyond 2^53 it is the same.
    assert!(is_satisfiable(&terms, terms.and(it.is_finite(x), it.equal(next, x))));
}

#[test]
fn sums_commute_and_do_not_associate() {
    let terms = Terms::new();
    let it = floats(&terms, Format::HALF);
    let [x, y, z, p, q] = ["x", "y", "z", "p", "q"].map(|name| it.symbol(name));
    let left = it.add(it.add(x, y), z);
    let right = it.add(x, it.add(y, z));
    let finite = terms.and(it.is_finite(left), it.is_finite(right));
    assert!(is_satisfiable(&terms, terms.and(finite, terms.not(it.equal(left, right)))));
    // The arena orders the arguments of a sum: the order is turned behind its back.
    let zero = terms.bv(BvValue::zero(Format::HALF.width()));
    let same = terms.and(terms.eq(p, x), terms.eq(q, y));
    let swapped = it.add(terms.ite(terms.eq(z, zero), q, y), terms.ite(terms.eq(z, zero), p, x));
    assert!(!is_satisfiable(&terms, terms.and(same, terms.not(terms.eq(it.add(x, y), swapped)))));
}

#[test]
fn products_and_quotients_are_found() {
    let terms = Terms::new();
    let it = floats(&terms, Format::DOUBLE);
    let [a, b] = ["a", "b"].map(|name| it.symbol(name));
    let product = it.equal(it.rounded(FloatOp::Mul, [a, b]), it.double(3.0));
    assert!(is_satisfiable(&terms, terms.and(product, it.less(it.double(1.5), a))));

    let it = floats(&terms, Format::SINGLE);
    let [x, y] = ["x", "y"].map(|name| it.symbol(name));
    assert!(is_satisfiable(&terms, it.equal(it.rounded(FloatOp::Div, [x, y]), it.single(0.1))));
}

#[test]
fn the_square_of_the_root_of_two_is_not_two() {
    let terms = Terms::new();
    let it = floats(&terms, Format::DOUBLE);
    let x = it.symbol("x");
    let root = it.rounded(FloatOp::Sqrt, [x]);
    let square = it.rounded(FloatOp::Mul, [root, root]);
    let same = it.equal(square, x);
    assert!(!is_satisfiable(&terms, terms.and(it.equal(x, it.double(2.0)), same)));
    assert!(is_satisfiable(&terms, terms.and(it.equal(x, it.double(4.0)), same)));
}

#[test]
fn a_widened_number_is_the_same() {
    let terms = Terms::new();
    let it = floats(&terms, Format::SINGLE);
    let x = it.symbol("x");
    let mode = terms.rounding(Rounding::NearestEven);
    let wide = terms.float(FloatOp::Convert { from: Format::SINGLE, to: Format::DOUBLE }, &[mode, x]);
    let back = terms.float(FloatOp::Convert { from: Format::DOUBLE, to: Format::SINGLE }, &[mode, wide]);
    let differs = terms.not(terms.eq(back, x));
    assert!(!is_satisfiable(&terms, terms.and(it.equal(x, x), differs)));
    // NaNs lose their payload.
    assert!(is_satisfiable(&terms, differs));
}

#[test]
fn remainders_of_double_are_named() {
    let terms = Terms::new();
    let it = floats(&terms, Format::DOUBLE);
    let rest = terms.float(FloatOp::Modulo(Format::DOUBLE), &[it.symbol("x"), it.symbol("y")]);
    let mut solver = chain(&SolverConfig { backend: Backend::Bits, layers: LayerSet::NONE, ..SolverConfig::default() });
    let path = PathCondition::of(LayerSet::NONE);
    let goal = it.equal(rest, it.double(0.5));
    let budget = QueryBudget::default();
    match solver.check(&terms, &Query { path: &path, only: None, goal, witness: None, tried: false, budget }) {
        Answer::Unknown(reason) => assert!(reason.to_string().contains("remainders of floats of 64 bits"), "{reason}"),
        answer => panic!("{answer:?}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: effigy_testing::cases(24), failure_persistence: None, ..ProptestConfig::default() })]

    /// Conditions that a known assignment satisfies have a model.
    #[test]
    fn conditions_on_doubles_have_their_models(a in any::<f64>(), b in any::<f64>(), choice in 0..5usize) {
        let terms = Terms::new();
        let it = floats(&terms, Format::DOUBLE);
        let (x, y) = (it.symbol("x"), it.symbol("y"));
        let (known_x, known_y) = (it.double(a), it.double(b));
        let operation = |x: Term, y: Term| match choice {
            0 => it.add(x, y),
            1 => it.rounded(FloatOp::Sqrt, [it.add(x, y)]),
            2 => it.rounded(FloatOp::RoundToIntegral, [it.add(x, y)]),
            3 => it.rounded(FloatOp::MulAdd, [known_x, known_y, it.add(x, y)]),
            _ => it.rounded(FloatOp::Mul, [it.add(x, y), known_x]),
        };
        let is = terms.eq(operation(x, y), operation(known_x, known_y));
        let bounded = terms.and(it.equal(x, known_x), is);
        prop_assert_eq!(is_satisfiable(&terms, bounded), terms.as_bool(it.equal(known_x, known_x)) == Some(true));
    }
}

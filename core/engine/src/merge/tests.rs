//! Guards and origins, beside the sets of assignments that they stand for.

use super::{Guard, Origin};
use effigy_term::eval::Evaluator;
use effigy_term::{Model, Sort, Symbol, SymbolKind, Term, Terms, Value};
use proptest::prelude::*;

/// So many truth values are decided on.
const SYMBOLS: usize = 5;

/// A path, with the assignments that take it, and the inputs that it has asked for on each of them.
#[derive(Clone)]
struct Path {
    guard: Guard,
    origin: Origin,
    runs: Vec<(u32, Vec<(usize, u32)>)>,
}

struct Bench {
    terms: Terms,
    symbols: Vec<Symbol>,
}

impl Bench {
    fn new() -> Bench {
        let terms = Terms::new();
        let symbols = (0..SYMBOLS).map(|it| terms.symbol(&format!("p{it}"), Sort::Bool, SymbolKind::Input)).collect();
        Bench { terms, symbols }
    }

    fn model(&self, assignment: u32) -> Model {
        let mut res = Model::new();
        for (at, symbol) in self.symbols.iter().enumerate() {
            res.set(*symbol, Value::Bool(assignment >> at & 1 == 1));
        }
        res
    }

    fn holds(&self, cond: Term, assignment: u32) -> bool {
        let model = self.model(assignment);
        Evaluator::new(&self.terms, &model).truth(cond).expect("a truth value")
    }

    fn fork(&self, path: &Path, symbol: usize) -> (Path, Path) {
        let cond = self.terms.of_symbol(self.symbols[symbol]);
        let side = |cond: Term, value: u32| {
            let mut res = path.clone();
            res.guard.assume(&self.terms, cond);
            res.origin.asks(self.symbols[symbol]);
            res.runs.retain(|it| it.0 >> symbol & 1 == value);
            for (_, asked) in &mut res.runs {
                // An input is one, however often it is asked for.
                if asked.iter().all(|it| it.0 != symbol) {
                    asked.push((symbol, value));
                }
            }
            res
        };
        (side(cond, 1), side(self.terms.not(cond), 0))
    }

    /// The path that both are, and what tells them apart.
    fn merge(&self, a: &Path, b: &Path) -> Path {
        let (guard, cond) = a.guard.merge(&b.guard, &self.terms).expect("paths that exclude one another");
        a.runs.iter().for_each(|it| assert!(self.holds(cond, it.0), "the first is told from the second"));
        b.runs.iter().for_each(|it| assert!(!self.holds(cond, it.0), "the second is told from the first"));
        let runs = a.runs.iter().chain(&b.runs).cloned().collect();
        Path { guard, origin: a.origin.merge(&b.origin, cond), runs }
    }

    fn check(&self, path: &Path) {
        for assignment in 0..1 << SYMBOLS {
            let takes = path.runs.iter().find(|it| it.0 == assignment);
            assert_eq!(self.holds(path.guard.term(&self.terms), assignment), takes.is_some(), "{assignment:b}");
            if let Some((_, asked)) = takes {
                let inputs = path.origin.inputs(&self.terms, &self.model(assignment)).expect("inputs");
                let values: Vec<Value> = asked.iter().map(|it| Value::Bool(it.1 == 1)).collect();
                assert_eq!(inputs, values, "{assignment:b}");
            }
        }
    }
}

proptest! {
    /// Paths fork and meet in any order: each guard is true on the runs of its paths and on no other, what tells two
    /// apart does, and each run has asked for its own inputs in its own order.
    #[test]
    fn a_merged_guard_stands_for_both(steps in proptest::collection::vec((any::<u8>(), any::<u8>(), any::<u8>()), 1..24)) {
        let bench = Bench::new();
        let all = (0..1 << SYMBOLS).map(|it| (it, Vec::new())).collect();
        let mut paths = vec![Path { guard: Guard::default(), origin: Origin::default(), runs: all }];
        for (what, a, b) in steps {
            let (a, b) = (usize::from(a) % paths.len(), usize::from(b));
            if what % 2 == 0 || paths.len() == 1 {
                let path = paths.swap_remove(a);
                let (then, other) = bench.fork(&path, b % SYMBOLS);
                paths.extend([then, other].into_iter().filter(|it| !it.runs.is_empty()));
            } else {
                let first = paths.swap_remove(a);
                let second = paths.swap_remove(b % paths.len());
                paths.push(bench.merge(&first, &second));
            }
            paths.iter().for_each(|it| bench.check(it));
        }
    }

    /// What has forked and met is as it was before.
    #[test]
    fn a_closed_fork_leaves_nothing(symbols in proptest::collection::vec(0..SYMBOLS, 1..6)) {
        let bench = Bench::new();
        let all = (0..1 << SYMBOLS).map(|it| (it, Vec::new())).collect();
        let start = Path { guard: Guard::default(), origin: Origin::default(), runs: all };
        let mut path = start;
        for symbol in symbols {
            let (then, other) = bench.fork(&path, symbol);
            path = bench.merge(&then, &other);
            prop_assert!(path.guard.is_empty());
        }
    }
}

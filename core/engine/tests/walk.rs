//! The engine by itself, on programs of the toy language: what each question means for its path, who answers it, and
//! what is remembered.

#[path = "../examples/counter.rs"]
#[allow(dead_code, reason = "the example is the test bed; its main is not used here")]
mod counter;

use counter::{Cond, Expr, Line, Program, State};
use effigy_engine::{
    Asked, Context, Coverage, Decision, Engine, Event, Feasibility, Forking, Guide, Inputs, Job, Language, Notes,
    Outcome, Path, PathId, PathName, Policy, SymbolValue, Trail, Until, Valuation, advance, replay,
};
use effigy_solver::{Answer, Query, QueryBudget, Solver, SolverConfig, Statistics, chain};
use effigy_term::{BvValue, Model, Sort, SymbolKind, Terms, Value, Width};

fn x(at: usize) -> Expr {
    Expr::Var(at)
}

fn number(value: u8) -> Expr {
    Expr::Const(value)
}

fn less(a: Expr, b: Expr) -> Cond {
    Cond::Less(a, b)
}

fn program(variables: usize, lines: Vec<Line>) -> Program {
    Program { bits: 8, variables, lines }
}

/// One walk with all that it needs.
struct Bed {
    terms: Terms,
    solver: Box<dyn Solver>,
    coverage: Coverage,
    notes: Notes,
}

impl Bed {
    fn new() -> Bed {
        Bed::with(chain(&SolverConfig::default()))
    }

    fn with(solver: Box<dyn Solver>) -> Bed {
        Bed { terms: Terms::new(), solver, coverage: Coverage::default(), notes: Notes::default() }
    }

    fn start(&mut self, program: &Program) -> Path<State> {
        let mut ctx = Context::new(&self.terms, &Inputs::Symbolic, &mut self.coverage, &mut self.notes);
        Path { id: PathId(0), state: program.start(&mut ctx), trail: Trail::new() }
    }

    /// The next event under the policy that forks.
    fn next(&mut self, program: &Program, path: &mut Path<State>, feasibility: Feasibility) -> Event {
        let mut ctx = Context::new(&self.terms, &Inputs::Symbolic, &mut self.coverage, &mut self.notes);
        let budget = QueryBudget::default();
        let mut engine = Engine { terms: &self.terms, solver: &mut *self.solver, budget };
        let mut policy = Policy::Fork(Forking { engine: &mut engine, feasibility, requirements: budget });
        advance(program, &mut ctx, path, &mut policy, &mut 1_000)
    }

    /// The end of the path that a guide leads along.
    fn follow(&mut self, program: &Program, path: &mut Path<State>, guide: &mut Guide) -> Event {
        let mut ctx = Context::new(&self.terms, &Inputs::Symbolic, &mut self.coverage, &mut self.notes);
        loop {
            match advance(program, &mut ctx, path, &mut Policy::Follow(guide), &mut 1_000_000) {
                Event::Answered | Event::Held(_) | Event::Moved => {}
                event => return event,
            }
        }
    }

    fn model(&self, inputs: &[u8]) -> Model {
        let mut model = Model::new();
        for (at, value) in inputs.iter().enumerate() {
            let symbol = self.terms.symbol(&format!("in{at}"), Sort::BitVec(Width::W8), SymbolKind::Input);
            model.set(symbol, byte(*value));
        }
        model
    }
}

fn byte(value: u8) -> Value {
    Value::BitVec(BvValue::from_u64(Width::W8, u64::from(value)))
}

/// A solver that must not be asked.
struct Silent;

impl Solver for Silent {
    fn check(&mut self, _: &Terms, _: &Query<'_>) -> Answer {
        panic!("nothing is to be asked");
    }

    fn statistics(&self, _: &mut Statistics) {}
}

#[test]
fn a_branch_with_two_feasible_sides_forks() {
    let program = program(1, vec![Line::Input(0), Line::Unless(less(x(0), number(10)), 3), Line::Print(x(0))]);
    let mut bed = Bed::new();
    let mut path = bed.start(&program);
    let Event::Forked(forks) = bed.next(&program, &mut path, Feasibility::Branch) else { panic!("a fork") };
    assert_eq!(forks.asked, Asked::Branch);
    let names: Vec<String> = forks.ways.iter().map(|it| it.trail.name().to_string()).collect();
    assert_eq!(names, ["0", "1"]);
    assert!(forks.ways.iter().all(|it| it.trail.forks == 1 && it.trail.witness.is_some()));
    assert!(path.trail.decisions.is_empty(), "the path itself stands before the question");
}

#[test]
fn a_branch_with_one_feasible_side_is_taken_and_named() {
    let twice = less(x(0), number(10));
    let lines = vec![Line::Input(0), Line::Assume(less(x(0), number(5))), Line::Unless(twice, 3)];
    let program = program(1, lines);
    let mut bed = Bed::new();
    let mut path = bed.start(&program);
    assert!(matches!(bed.next(&program, &mut path, Feasibility::Branch), Event::Answered), "the assumption");
    assert!(matches!(bed.next(&program, &mut path, Feasibility::Branch), Event::Answered), "the branch");
    assert_eq!((path.trail.name().to_string(), path.trail.forks), ("0".to_owned(), 0));
    assert!(matches!(bed.next(&program, &mut path, Feasibility::Branch), Event::Ended(Ok(Outcome::Exit { .. }))));
}

#[test]
fn a_requirement_holds_or_is_violated() {
    let below = |it| Line::Assert(less(x(0), number(it)));
    let lines = vec![Line::Input(0), Line::Assume(less(x(0), number(50))), below(100), below(30), below(20)];
    let program = program(1, lines);
    let mut bed = Bed::new();
    let mut path = bed.start(&program);
    assert!(matches!(bed.next(&program, &mut path, Feasibility::Branch), Event::Answered));
    let Event::Held(held) = bed.next(&program, &mut path, Feasibility::Branch) else { panic!("it holds") };
    assert_eq!(held.before.condition.len(), 1, "what implies it");
    for (number, name) in [(30, "x(2)"), (20, "x(3)")] {
        let Event::Violated(violated) = bed.next(&program, &mut path, Feasibility::Branch) else { panic!("it fails") };
        // What was granted before is counted, so that two violations after one decision have two names.
        assert_eq!(violated.into.name().to_string(), name);
        let witness = violated.into.witness.as_ref().expect("a model");
        let Some(Value::BitVec(value)) = witness.value(&bed.terms, path.state.inputs[0]) else { panic!("a byte") };
        assert!((number..50).contains(&value.to_u64().expect("small")));
        path.grant(&program, violated.past.expect("smaller numbers pass"));
    }
    assert!(path.trail.name().0.is_empty(), "what has no alternative on this path is not recorded");
}

#[test]
fn an_assumption_that_cannot_hold_ends_the_path_under_a_name_of_its_own() {
    let lines = vec![Line::Input(0), Line::Assume(less(x(0), number(5))), Line::Assume(less(number(7), x(0)))];
    let program = program(1, lines);
    let mut bed = Bed::new();
    let mut path = bed.start(&program);
    assert!(matches!(bed.next(&program, &mut path, Feasibility::Branch), Event::Answered));
    assert!(matches!(bed.next(&program, &mut path, Feasibility::Branch), Event::Ended(Ok(Outcome::Silent))));
    assert_eq!(path.trail.name().to_string(), "x(1)");
}

#[test]
fn values_are_named_by_what_they_are_and_the_rest_by_what_they_are_not() {
    let lines = vec![Line::Input(0), Line::Assume(less(x(0), number(2))), Line::Concretise(0), Line::Print(x(0))];
    let program = program(1, lines);
    let mut bed = Bed::new();
    let mut path = bed.start(&program);
    assert!(matches!(bed.next(&program, &mut path, Feasibility::Branch), Event::Answered));
    let Event::Forked(forks) = bed.next(&program, &mut path, Feasibility::Branch) else { panic!("two values") };
    assert!(matches!(forks.asked, Asked::Value(_)));
    let [is, not] = &forks.ways[..] else { panic!("one value and the rest") };
    let (Decision::Is(value), Decision::Not(other)) = (&is.decision, &not.decision) else { panic!("{forks:?}") };
    assert_eq!(value, other);
    let mut rest = path.clone();
    rest.take(&program, not.clone());
    assert_eq!(rest.trail.decisions.excluded().collect::<Vec<_>>(), [value]);
    // Asked again, there is one value left, and what it is not goes without saying.
    assert!(matches!(bed.next(&program, &mut rest, Feasibility::Branch), Event::Answered));
    let last = if *value == byte(0) { "=1:8;" } else { "=0:8;" };
    assert_eq!(rest.trail.name().to_string(), last);
}

#[test]
fn at_the_leaf_nothing_is_asked_on_the_way() {
    let lines = vec![
        Line::Input(0),
        Line::Unless(less(x(0), number(10)), 3),
        Line::Unless(less(x(0), number(5)), 3),
        Line::Assert(less(x(0), number(200))),
    ];
    let program = program(1, lines);
    let mut bed = Bed::with(Box::new(Silent));
    let mut waiting = vec![bed.start(&program)];
    let (mut names, mut violations) = (Vec::new(), Vec::new());
    while let Some(mut path) = waiting.pop() {
        match bed.next(&program, &mut path, Feasibility::Leaf) {
            Event::Forked(forks) => {
                for way in forks.ways {
                    let mut side = path.clone();
                    side.take(&program, way);
                    waiting.push(side);
                }
            }
            Event::Violated(violated) => {
                violations.push(violated.into.name().to_string());
                path.grant(&program, violated.past.expect("nobody was asked"));
                waiting.push(path);
            }
            Event::Ended(_) => names.push(path.trail.name().to_string()),
            Event::Answered | Event::Held(_) | Event::Moved => waiting.push(path),
            event => panic!("{event:?}"),
        }
    }
    names.sort();
    violations.sort();
    assert_eq!((names, violations), (words(&["00", "01", "1"]), words(&["00x", "01x", "1x"])));
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|it| (*it).to_owned()).collect()
}

#[test]
fn a_name_leads_where_a_model_leads() {
    let lines = vec![
        Line::Input(0),
        Line::Unless(less(x(0), number(100)), 4),
        Line::Concretise(0),
        Line::Goto(5),
        Line::Assert(less(x(0), number(200))),
        Line::Print(x(0)),
    ];
    let program = program(1, lines);
    for (input, name) in [(7, "0=7:8;"), (150, "1"), (220, "1x")] {
        let mut bed = Bed::new();
        let mut path = bed.start(&program);
        path.trail.witness = Some(Valuation::from(bed.model(&[input])));
        let Event::Ended(outcome) = bed.follow(&program, &mut path, &mut Guide::Model) else { panic!("{name}") };
        assert_eq!(path.trail.name().to_string(), name);
        let text: PathName = name.parse().expect("a name");
        let (mut coverage, mut notes) = (Coverage::default(), Notes::default());
        let mut ctx = Context::new(&bed.terms, &Inputs::Symbolic, &mut coverage, &mut notes);
        let replayed = replay(&program, &mut ctx, &text, Until::End, 1_000).expect("it leads there");
        assert_eq!(replayed.outcome, Some(outcome));
        assert_eq!(format!("{:?}", replayed.path.state.store), format!("{:?}", path.state.store));
    }
}

#[test]
fn what_is_no_name_is_refused() {
    let lines = vec![Line::Input(0), Line::Unless(less(x(0), number(100)), 2), Line::Concretise(0)];
    let program = program(1, lines);
    let terms = Terms::new();
    for (name, error) in [
        ("x", "decision 0 does not fit the question there"),
        ("2", "decision 0 does not fit the question there"),
        ("0=7:9;", "decision 1 does not fit the question there"),
        ("0=7;", "decision 1 does not fit the question there"),
        ("0=7:8;0", "the path ended after 2 of 3 decisions"),
    ] {
        let name: PathName = name.parse().expect("it can be read");
        let (mut coverage, mut notes) = (Coverage::default(), Notes::default());
        let mut ctx = Context::new(&terms, &Inputs::Symbolic, &mut coverage, &mut notes);
        let refused = replay(&program, &mut ctx, &name, Until::End, 1_000).expect_err("it is no path");
        assert_eq!(refused.to_string(), error, "{name}");
    }
    for text in ["=;", "=5", "(1", "()", "a", "=5:0;", "=5:99999999;", "x(", "!t", "\u{3b1}", "=\u{3b1};"] {
        let error = text.parse::<PathName>().expect_err(text).to_string();
        assert!(error.starts_with("character "), "{text}: {error}");
    }
}

#[test]
fn a_program_that_asks_nothing_is_not_replayed_for_ever() {
    let program = program(1, vec![Line::Goto(0)]);
    let terms = Terms::new();
    let (mut coverage, mut notes) = (Coverage::default(), Notes::default());
    let mut ctx = Context::new(&terms, &Inputs::Symbolic, &mut coverage, &mut notes);
    let name: PathName = "0".parse().expect("a name");
    let error = replay(&program, &mut ctx, &name, Until::End, 5_000).expect_err("no end");
    assert_eq!(error.to_string(), "decision 0 was not come to within 5000 steps");
}

#[test]
fn a_job_is_the_same_path_in_another_arena() {
    let lines = vec![
        Line::Input(0),
        Line::Unless(less(x(0), number(100)), 4),
        Line::Set(0, Expr::Add(Box::new(x(0)), Box::new(number(1)))),
        Line::Unless(less(x(0), number(50)), 4),
        Line::Print(x(0)),
    ];
    let program = program(1, lines);
    let mut bed = Bed::new();
    let mut path = bed.start(&program);
    for _ in 0..2 {
        let Event::Forked(forks) = bed.next(&program, &mut path, Feasibility::Branch) else { panic!("a fork") };
        path.take(&program, forks.ways[0].clone());
    }
    let job = Job::of(&bed.terms, &path);
    let text = serde_json::to_string(&job).expect("data");
    let read: Job = serde_json::from_str(&text).expect("the same data");
    assert_eq!(read, job);
    let other = Bed::new();
    // Other numbers for the same symbols.
    other.terms.symbol("another", Sort::Int, SymbolKind::Input);
    let (mut coverage, mut notes) = (Coverage::default(), Notes::default());
    let mut ctx = Context::new(&other.terms, &Inputs::Symbolic, &mut coverage, &mut notes);
    let again = read.path(&program, &mut ctx, Trail::new(), 1_000, &mut || true).expect("the same path");
    assert_eq!(again.trail.name(), path.trail.name());
    assert_eq!((again.trail.forks, again.trail.since_decided()), (path.trail.forks, path.trail.since_decided()));
    assert!(again.trail.witness.is_some(), "the witness is a model there, too");
    // A witness that is none is not believed.
    let mut lying = job.clone();
    lying.witness = Some(vec![SymbolValue { name: "in0".to_owned(), value: "200:8".to_owned() }]);
    let mistrusted = lying.path(&program, &mut ctx, Trail::new(), 1_000, &mut || true).expect("the path is right");
    assert!(mistrusted.trail.witness.is_none());
}

/// One path of `n` branches over a term that grows from one to the next: each node is evaluated once.
#[test]
fn a_growing_term_is_evaluated_once() {
    let n = 10_000u32;
    // x1 = x1 * (x1 + x0), and a branch on it, again and again.
    let sum = Expr::Add(Box::new(x(1)), Box::new(x(0)));
    let lines = vec![
        Line::Input(0),
        Line::Set(1, x(0)),
        Line::Set(1, Expr::Mul(Box::new(x(1)), Box::new(sum))),
        Line::Unless(less(x(1), x(0)), 2),
        Line::Goto(2),
    ];
    let program = Program { bits: 16, variables: 2, lines };
    let mut bed = Bed::with(Box::new(Silent));
    let mut path = bed.start(&program);
    // Inputs that the model does not name are zero.
    path.trail.witness = Some(Valuation::from(Model::new()));
    let mut ctx = Context::new(&bed.terms, &Inputs::Symbolic, &mut bed.coverage, &mut bed.notes);
    let mut guide = Guide::Model;
    while path.trail.decisions.len() < n as usize {
        let event = advance(&program, &mut ctx, &mut path, &mut Policy::Follow(&mut guide), &mut 1_000);
        assert!(matches!(event, Event::Answered | Event::Moved), "{event:?}");
    }
    let remembered = path.trail.witness.as_ref().map_or(0, Valuation::remembered);
    assert!(remembered <= bed.terms.len() && remembered > n as usize, "{remembered} of {}", bed.terms.len());
}

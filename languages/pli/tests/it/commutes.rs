//! The commutative diagram of section 5 (King 1976): random programs on random inputs.
//!
//! Symbolic execution and then instantiation gives what instantiation and then execution gives. The execution is that of
//! an oracle that knows no terms ([`effigy_programs::pli`]).

use effigy_engine::{
    Budget, Context, Coverage, Engine, Feasibility, Inputs as Given, Inspect, Language, Notes, Outcome, Step, Trail,
    VariableValue, run_concretely,
};
use effigy_explore::{Config, End, PathEnd, Sink, explore};
use effigy_pli::{Arrays, Options, Program, SUBSCRIPT, State, compile};
use effigy_programs::pli::{self, Behaviour, Content, Inputs};
use effigy_solver::{Answer, QueryBudget, Solver, SolverConfig, chain};
use effigy_term::eval::Evaluator;
use effigy_term::value::ArrayValue;
use effigy_term::{Model, Sort, SymbolKind, Term, Terms, Value};
use effigy_walk::{Exploration, Search};
use num_bigint::BigInt;
use proptest::test_runner::{Config as ProptestConfig, TestCaseError, TestError, TestRunner};
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

/// Statements on one path.
const MOST_STEPS: u64 = 60;

/// Instructions of the oracle: more than a path of so many statements can have.
const MOST_INSTRUCTIONS: u32 = 1_000;

const MOST_PATHS: u64 = 40;

/// Inputs on which each program is tried.
const SAMPLES: usize = 8;

/// One end, as the sink saw it.
struct Leaf {
    state: State,
    trail: Trail,
    end: End,
}

#[derive(Default)]
struct Collect(Vec<Leaf>);

impl Sink<State> for Collect {
    fn ended(&mut self, end: &PathEnd<'_, State>) {
        self.0.push(Leaf { state: end.state.clone(), trail: end.trail.clone(), end: end.end.clone() });
    }
}

/// No process is started, and no clock asked: what the layers in the process cannot answer stays unknown.
const QUERY: QueryBudget = QueryBudget { steps: Some(20_000), time: None };

fn solver() -> Box<dyn Solver> {
    chain(&SolverConfig { smt: "false".to_owned(), ..SolverConfig::default() })
}

fn explored(program: &Program, terms: &Terms, solver: &mut dyn Solver, steps: u64) -> (Vec<Leaf>, Exploration) {
    let all = Some(steps * MOST_PATHS);
    let budget_of_walk = Budget { path_steps: Some(steps), paths: Some(MOST_PATHS), steps: all, ..Budget::default() };
    let config = Config {
        search: Search::Dfs,
        seed: 7,
        budget: budget_of_walk,
        query: QUERY,
        values: 4,
        feasibility: Feasibility::Branch,
    };
    let mut sink = Collect::default();
    let exploration = explore(program, terms, solver, &config, &mut (), &mut sink);
    (sink.0, exploration)
}

/// A chain of pseudo-random numbers, from the bytes of the program.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self, below: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % below
    }

    /// Mostly small; under a width also near its ends.
    fn number(&mut self, width: Option<u32>) -> i128 {
        match (self.next(12), width) {
            (0, Some(width)) => (1i128 << (width - 1)) - 1 - i128::from(self.next(3)),
            (1, Some(width)) => -(1i128 << (width - 1)) + i128::from(self.next(3)),
            (0, None) => i128::from(self.next(2_000)) - 1_000,
            _ => i128::from(self.next(9)) - 3,
        }
    }

    fn inputs(&mut self, width: Option<u32>) -> Inputs {
        let names = ["X", "Y", "Z", "V0", "V1", "V2", "V3"];
        let numbers = names.into_iter().map(|it| (it, self.number(width))).collect();
        let elements = (-2..6).map(|at| (at, self.number(width))).collect();
        let arrays = BTreeMap::from([("V", (elements, self.number(width)))]);
        Inputs { numbers, arrays, reads: (0..10).map(|_| self.number(width)).collect() }
    }
}

fn array_of(elements: &BTreeMap<i128, i128>, others: i128) -> Value {
    let entries = elements.iter().filter(|it| *it.1 != others);
    let entries = entries.map(|(at, it)| (Value::Int(BigInt::from(*at)), Value::Int(BigInt::from(*it)))).collect();
    Value::Array(ArrayValue { default: Value::Int(BigInt::from(others)), entries }.into())
}

/// The inputs by the names that effigy gives them.
fn named(inputs: &Inputs) -> HashMap<String, Value> {
    let number = |it: i128| Value::Int(BigInt::from(it));
    let mut res: HashMap<String, Value> =
        inputs.numbers.iter().map(|(name, it)| ((*name).to_owned(), number(*it))).collect();
    res.extend(inputs.reads.iter().zip(1..).map(|(it, at)| (format!("READ({at})"), number(*it))));
    res.extend(
        inputs.arrays.iter().map(|(name, (elements, others))| ((*name).to_owned(), array_of(elements, *others))),
    );
    res
}

fn model_of(terms: &Terms, inputs: &Inputs) -> Model {
    let mut model = Model::new();
    #[expect(clippy::iter_over_hash_type, reason = "a model has no order")]
    for (name, value) in named(inputs) {
        let sort = match value {
            Value::Array(_) => terms.array_sort(Sort::Int, Sort::Int),
            _ => Sort::Int,
        };
        model.set(terms.symbol(&name, sort, SymbolKind::Input), value);
    }
    model
}

fn integer(value: Option<Value>) -> Option<BigInt> {
    match value {
        Some(Value::Int(it)) => Some(it),
        _ => None,
    }
}

/// What the state of a program that has ended says, under a model.
fn results(program: &Program, terms: &Terms, state: &State, model: &Model) -> Result<Behaviour, String> {
    let (mut coverage, mut notes) = (Coverage::default(), Notes::default());
    let mut ctx = Context::new(terms, &Given::Symbolic, &mut coverage, &mut notes);
    let mut evaluator = Evaluator::new(terms, model);
    let mut number = |it: Term| -> Result<i128, String> {
        let value = integer(evaluator.value(it)).ok_or("a result has no value")?;
        i128::try_from(&value).map_err(|_| "a result is too large".to_owned())
    };
    let mut variables = BTreeMap::new();
    let mut value = None;
    let returned = state.value.map(&mut number).transpose()?;
    for it in program.results(&mut ctx, state) {
        if let (VariableValue::Term(term), "RETURNS") = (&it.value, &*it.name) {
            value = Some(number(*term)?);
        }
    }
    if value != returned {
        return Err(format!("RETURNS {value:?}, not {returned:?}"));
    }
    for it in program.variables(&mut ctx, state) {
        let name = ["X", "Y", "Z", "V"].into_iter().find(|name| **name == *it.name).ok_or("an unknown variable")?;
        let content = match &it.value {
            VariableValue::Uninitialised => Content::Number(None),
            VariableValue::Term(term) => Content::Number(Some(number(*term)?)),
            VariableValue::Text(_) | VariableValue::Composite(_) => {
                let slot = state.frame.procedure.slot(name).ok_or("no slot")?;
                let array = state.array(slot).ok_or("no array")?;
                let lower = number(array.lower)?;
                let upper = array.upper.map(&mut number).transpose()?;
                let mut elements = BTreeMap::new();
                for at in -3i128..9 {
                    let index = terms.int(BigInt::from(at));
                    let mut evaluator = Evaluator::new(terms, model);
                    if evaluator.truth(array.is_defined(terms, index)) == Some(true) {
                        elements.insert(at, number(terms.select(array.content, index))?);
                    }
                }
                Content::Array(elements, None, lower, upper)
            }
        };
        variables.insert(name, content);
    }
    let output: Result<Vec<i128>, String> = state.output.iter().map(|it| number(*it)).collect();
    Ok(Behaviour::Ends { value, output: output?, variables })
}

/// The oracle's behaviour with arrays as far as they are compared.
fn visible(behaviour: Behaviour) -> Behaviour {
    let Behaviour::Ends { value, output, mut variables } = behaviour else { return behaviour };
    for content in variables.values_mut() {
        if let Content::Array(elements, others, ..) = content {
            if let Some(value) = others.take() {
                (-3..9).for_each(|at| {
                    elements.entry(at).or_insert(value);
                });
            }
            elements.retain(|at, _| (-3..9).contains(at));
        }
    }
    Behaviour::Ends { value, output, variables }
}

/// What one leaf says under a model; `None` where it does not say how the program ends.
fn predicted(program: &Program, terms: &Terms, leaf: &Leaf, model: &Model) -> Result<Option<Behaviour>, String> {
    Ok(Some(match &leaf.end {
        End::Exit { .. } => results(program, terms, &leaf.state, model)?,
        End::Bug(violation) => Behaviour::Error(violation.kind.0, violation.place.line),
        End::Silent | End::Infeasible => Behaviour::Dropped,
        End::Cut(_) | End::Undecided { .. } | End::GaveUp(_) => return Ok(None),
    }))
}

/// `expected` is the oracle's.
fn agrees(found: &Behaviour, expected: &Behaviour) -> bool {
    match (found, expected) {
        (Behaviour::Error(kind, line), Behaviour::Leaves(at)) => *kind == SUBSCRIPT.0 && line == at,
        (Behaviour::Dropped, Behaviour::Leaves(_)) => true,
        _ => found == expected,
    }
}

/// The same program on given inputs.
fn concretely(program: &Program, terms: &Terms, inputs: &Inputs) -> Result<Option<Behaviour>, String> {
    let given = Given::Concrete(named(inputs));
    let run = run_concretely(program, terms, &given, 10_000);
    let (mut coverage, mut notes) = (Coverage::default(), Notes::default());
    let mut ctx = Context::new(terms, &given, &mut coverage, &mut notes);
    let mut state = program.start(&mut ctx);
    let mut fuel = 10_000;
    let outcome = loop {
        match program.step(&mut ctx, &mut state, &mut fuel) {
            Step::Next if fuel == 0 => return Ok(None),
            Step::Next => {}
            Step::Exit(outcome) => break Ok(outcome),
            Step::GaveUp(it) => break Err(*it),
            step => return Err(format!("a concrete run asks {step:?}")),
        }
    };
    if run.outcome.as_ref() != Some(&outcome) {
        return Err(format!("{:?}, and step by step {outcome:?}", run.outcome));
    }
    Ok(match outcome {
        Ok(Outcome::Exit { .. }) => {
            let res = results(program, terms, &state, &Model::new())?;
            let Behaviour::Ends { output, .. } = &res else { return Err("an end".to_owned()) };
            let text: Vec<String> = output.iter().map(ToString::to_string).collect();
            if run.witness.output != text.join(" ").into_bytes() {
                return Err("the witness has another output".to_owned());
            }
            Some(res)
        }
        Ok(Outcome::Violation(it)) => Some(Behaviour::Error(it.kind.0, it.place.line)),
        Ok(Outcome::Silent) => Some(Behaviour::Dropped),
        Err(_) => None,
    })
}

/// `None` where a condition has no value that fits a machine (`1000**1000` under `**` again).
fn truth(terms: &Terms, model: &Model, conditions: &[Term]) -> Option<bool> {
    let mut evaluator = Evaluator::new(terms, model);
    let truths: Option<Vec<bool>> = conditions.iter().map(|it| evaluator.truth(*it)).collect();
    Some(truths?.into_iter().all(|it| it))
}

fn holds(terms: &Terms, model: &Model, conditions: &[Term]) -> bool {
    truth(terms, model, conditions) == Some(true)
}

/// How often what was checked, so that a test cannot check nothing.
#[derive(Default, Debug)]
struct Account {
    programs: u64,
    leaves: u64,
    instantiated: u64,
    errors: u64,
    results: u64,
    exclusive: u64,
    covering: u64,
    readable: u64,
}

/// One program under one treatment, on `inputs`.
fn check(
    random: &pli::Program,
    options: &Options,
    terms: &Terms,
    solver: &mut dyn Solver,
    inputs: &[Inputs],
    account: &mut Account,
) -> Result<(), String> {
    let code = compile("random.pli", &random.source).map_err(|it| format!("{it}"))?;
    let program = Program::new(Rc::clone(&code), &random.call_text, options.clone()).map_err(|it| format!("{it}"))?;
    let (leaves, exploration) = explored(&program, terms, solver, MOST_STEPS);
    account.leaves += leaves.len() as u64;
    let conditions: Vec<Vec<Term>> = leaves.iter().map(|it| it.trail.condition.conjuncts()).collect();
    for values in inputs {
        let model = model_of(terms, values);
        let expected = visible(pli::run(random, values, options.width, MOST_INSTRUCTIONS));
        // (b)
        if expected != Behaviour::TooLong
            && let Some(found) = concretely(&program, terms, values)?
            && !agrees(&found, &expected)
        {
            return Err(format!("{values:?}: concretely {found:?}, not {expected:?}"));
        }
        // (a), (c), (d)
        let taken: Vec<usize> = (0..leaves.len()).filter(|it| holds(terms, &model, &conditions[*it])).collect();
        let may_be_missing = matches!(expected, Behaviour::Dropped | Behaviour::Leaves(_) | Behaviour::TooLong)
            || exploration.stopped.is_some();
        if taken.len() > 1 || taken.is_empty() && !may_be_missing {
            return Err(format!("{values:?}: {expected:?} is what {} leaves say: {taken:?}", taken.len()));
        }
        let Some(&index) = taken.first() else { continue };
        if expected == Behaviour::TooLong {
            continue;
        }
        if let Some(found) = predicted(&program, terms, &leaves[index], &model)? {
            account.instantiated += 1;
            match &found {
                Behaviour::Error(..) => account.errors += 1,
                Behaviour::Ends { .. } => account.results += 1,
                _ => {}
            }
            if !agrees(&found, &expected) {
                return Err(format!("{values:?}: symbolically {found:?}, not {expected:?}"));
            }
        }
    }
    Ok(())
}

/// What solvers say of all inputs: (c), (d), (e).
fn check_with_solver(
    random: &pli::Program,
    options: &Options,
    terms: &Terms,
    solver: &mut dyn Solver,
    inputs: &[Inputs],
    account: &mut Account,
) -> Result<(), String> {
    let code = compile("random.pli", &random.source).map_err(|it| format!("{it}"))?;
    let program = Program::new(code, &random.call_text, options.clone()).map_err(|it| format!("{it}"))?;
    let (leaves, exploration) = explored(&program, terms, solver, MOST_STEPS);
    if leaves.len() > 8 {
        return Ok(());
    }
    let models: Vec<Model> = inputs.iter().map(|it| model_of(terms, it)).collect();
    let conditions: Vec<Term> =
        leaves.iter().map(|it| terms.and_all(it.trail.condition.conjuncts().iter().copied())).collect();
    let mut engine = Engine { terms, solver, budget: QUERY };
    for (at, leaf) in leaves.iter().enumerate() {
        for other in &conditions[at + 1..] {
            account.exclusive += 1;
            if let Answer::Sat(model) = engine.check(&leaf.trail, *other) {
                return Err(format!("two leaves' conditions hold under {model:?}"));
            }
        }
        readable(&program, &mut engine, leaf, &models)?;
        account.readable += 1;
    }
    let assumes = random.assumes || options.width.is_some() || random.call_text.contains("V");
    if exploration.stopped.is_none() && !assumes {
        account.covering += 1;
        let none = terms.not(terms.or_all(conditions));
        if let Answer::Sat(model) = engine.check(&Trail::new(), none) {
            return Err(format!("no leaf's condition holds under {model:?}"));
        }
    }
    Ok(())
}

/// What people are shown is equivalent to what was computed.
fn readable(program: &Program, engine: &mut Engine<'_>, leaf: &Leaf, models: &[Model]) -> Result<(), String> {
    let terms = engine.terms;
    let assumptions = program.assumptions(&leaf.state);
    let all = leaf.trail.condition.conjuncts();
    let shown = engine.readable(&leaf.trail, &assumptions);
    let told: Vec<Term> = shown.iter().chain(&assumptions).copied().collect();
    for model in models {
        if let (Some(all), Some(told_truth)) = (truth(terms, model, &all), truth(terms, model, &told))
            && all != told_truth
        {
            return Err(format!("shown: {}", texts(program, terms, &told)));
        }
    }
    // φ implies each of them; they imply φ.
    let mut trail = Trail { witness: None, ..Trail::new() };
    told.iter().for_each(|it| trail.condition.assume(terms, *it));
    let not_told = terms.not(terms.and_all(told.iter().copied()));
    let not_all = terms.not(terms.and_all(all.iter().copied()));
    for (trail, goal) in [(&leaf.trail, not_told), (&trail, not_all)] {
        if let Answer::Sat(model) = engine.check(trail, goal) {
            let (told, all) = (texts(program, terms, &told), texts(program, terms, &all));
            return Err(format!("shown: {told}; it is {all}; {model:?}"));
        }
    }
    let values = leaf.state.output.iter().copied().chain(leaf.state.value);
    for term in values {
        let simple = engine.simplified(&leaf.trail, term);
        for model in models.iter().filter(|it| holds(terms, it, &all)) {
            let mut evaluator = Evaluator::new(terms, model);
            if evaluator.value(simple) != evaluator.value(term) {
                return Err(format!("{} is not {}", program.show(terms, simple), program.show(terms, term)));
            }
        }
        if let Answer::Sat(model) = engine.check(&leaf.trail, terms.ne(simple, term)) {
            return Err(format!("{} is not {}: {model:?}", program.show(terms, simple), program.show(terms, term)));
        }
    }
    Ok(())
}

fn texts(program: &Program, terms: &Terms, conditions: &[Term]) -> String {
    conditions.iter().map(|it| program.show(terms, *it)).collect::<Vec<_>>().join(" & ")
}

/// Runs `cases` random programs through both checks.
fn commutes(cases: u32, options: &[Options]) {
    let cases = effigy_programs::cases(cases);
    let config =
        ProptestConfig { cases, failure_persistence: None, max_shrink_iters: 4_000, ..ProptestConfig::default() };
    let account = RefCell::new(Account::default());
    // A number that a shrunk program keeps.
    let seeds = proptest::num::u64::ANY;
    let bytes = proptest::collection::vec(proptest::num::u8::ANY, 0..160);
    let res = TestRunner::new(config).run(&(proptest::strategy::Strategy::no_shrink(seeds), bytes), |(seed, bytes)| {
        let random = pli::program(&bytes);
        let terms = Terms::new();
        let mut solver = solver();
        let mut account = account.borrow_mut();
        account.programs += 1;
        let mut numbers = Numbers(seed);
        for options in options {
            let inputs: Vec<Inputs> = (0..SAMPLES).map(|_| numbers.inputs(options.width)).collect();
            let fail = |it: String| {
                let (source, call) = (&random.source, &random.call_text);
                TestCaseError::fail(format!("{options:?}\n{source}{call}\n{it}"))
            };
            check(&random, options, &terms, &mut *solver, &inputs, &mut account).map_err(fail)?;
            if seed.is_multiple_of(4) {
                check_with_solver(&random, options, &terms, &mut *solver, &inputs, &mut account).map_err(fail)?;
            }
        }
        Ok(())
    });
    if let Err(error) = res {
        match error {
            TestError::Fail(reason, _) => panic!("{reason}"),
            TestError::Abort(reason) => panic!("aborted: {reason}"),
        }
    }
    let account = account.into_inner();
    assert!(account.results > account.programs && account.errors > account.programs / 4, "{account:?}");
    assert!(account.exclusive > 0 && account.readable > 0, "{account:?}");
}

#[test]
fn a_leaf_instantiated_is_the_concrete_run() {
    commutes(1_000, &[Options::default()]);
}

#[test]
fn both_treatments_of_arrays_are_the_concrete_run() {
    let options = |arrays| Options { arrays, ..Options::default() };
    commutes(500, &[options(Arrays::Cases), options(Arrays::Conditional)]);
}

#[test]
fn machine_integers_overflow_where_the_concrete_run_does() {
    let options = |arrays| Options { arrays, width: Some(8), ..Options::default() };
    commutes(500, &[options(Arrays::Conditional), options(Arrays::Cases)]);
}

/// Section 9's two treatments of arrays, on every example: where two leaves overlap, their results are equal.
#[test]
fn both_treatments_give_logically_equal_results() {
    let examples = [
        ("search", "SEARCH(A, 1, 3, \"X\", FOUND, J)"),
        ("power", "POWER(\"X\", \"Y\")"),
        ("sum", "SUM(\"A\", \"B\", \"C\")"),
        ("twoloops", "TWOLOOPS(\"N\")"),
        ("proved/search", "SEARCH(A, 1, 2, \"X\", FOUND, J)"),
        ("proved/power", "POWER(\"X\", 3)"),
        ("proved/sum", "SUM(\"A\", \"B\", \"C\")"),
        ("proved/twoloops", "TWOLOOPS(\"N\")"),
        ("proved/fill", "FILL(A, 2, \"V\")"),
        ("proved/maximum", "DCL M INTEGER; CALL MAXIMUM(A, 3, M)"),
        ("proved/sort", "SORT(A, 3)"),
    ];
    let mut compared = 0;
    for (name, call) in examples {
        let path = format!("{}/../../corpus/pli/{name}.pli", env!("CARGO_MANIFEST_DIR"));
        let code = compile(name, &std::fs::read_to_string(path).expect("it is there")).expect("it is right");
        let program = |arrays| {
            let options = Options { arrays, ..Options::default() };
            Program::new(Rc::clone(&code), call, options).unwrap_or_else(|it| panic!("{it}"))
        };
        let (terms, mut solver) = (Terms::new(), solver());
        let programs = [program(Arrays::Cases), program(Arrays::Conditional)];
        let [cases, conditional] = programs.each_ref().map(|it| explored(it, &terms, &mut *solver, 40).0);
        let mut engine = Engine { terms: &terms, solver: &mut *solver, budget: QUERY };
        for one in &cases {
            let of = |leaf: &Leaf| terms.and_all(leaf.trail.condition.conjuncts().iter().copied());
            for other in &conditional {
                // That there is no overlap is known only from an answer.
                let Some(both) = engine.assume(&one.trail, of(other)) else { continue };
                compared += u32::from(both.witness.is_some());
                let same = equal(&programs[1], &terms, one, other);
                if let Answer::Sat(model) = engine.check(&both, terms.not(same)) {
                    panic!("{name}: {:?} and {:?} under {model:?}", one.end, other.end);
                }
            }
        }
    }
    assert!(compared > 40, "{compared}");
}

/// When two leaves end the same, with the same results.
fn equal(program: &Program, terms: &Terms, one: &Leaf, other: &Leaf) -> Term {
    if matches!(one.end, End::Cut(_) | End::Undecided { .. })
        || matches!(other.end, End::Cut(_) | End::Undecided { .. })
    {
        return terms.bool(true);
    }
    if let (End::Bug(a), End::Bug(b)) = (&one.end, &other.end) {
        return terms.bool(a.kind == b.kind && a.place == b.place);
    }
    if std::mem::discriminant(&one.end) != std::mem::discriminant(&other.end) {
        return terms.bool(false);
    }
    let (mut coverage, mut notes) = (Coverage::default(), Notes::default());
    let mut ctx = Context::new(terms, &Given::Symbolic, &mut coverage, &mut notes);
    let [a, b] = [one, other].map(|it| program.variables(&mut ctx, &it.state));
    let mut parts = vec![terms.bool(a.len() == b.len())];
    for (a, b) in a.iter().zip(&b) {
        parts.push(match (&a.value, &b.value) {
            (VariableValue::Term(a), VariableValue::Term(b)) => terms.eq(*a, *b),
            (VariableValue::Text(_), VariableValue::Text(_)) => {
                let content = |leaf: &Leaf, at: Term| {
                    let slot = leaf.state.frame.procedure.slot(&a.name).expect("a slot");
                    terms.select(leaf.state.array(slot).expect("an array").content, at)
                };
                terms.and_all((0..6).map(|at| terms.eq(content(one, terms.int(at)), content(other, terms.int(at)))))
            }
            (a, b) => terms.bool(a == b),
        });
    }
    parts.push(match (one.state.value, other.state.value) {
        (Some(a), Some(b)) => terms.eq(a, b),
        (a, b) => terms.bool(a.is_none() && b.is_none()),
    });
    terms.and_all(parts)
}

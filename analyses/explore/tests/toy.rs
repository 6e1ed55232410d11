//! Exploration of random programs of the toy language, against running them on every input.

use effigy_engine::{
    Budget, Context, Coverage, Decision, Decisions, Event, Feasibility, Guide, InputData, Inputs, Job, Language, Meter,
    Notes, Outcome, Path, PathId, PathName, Policy, Trail, Until, advance, replay, run_concretely,
};
use effigy_explore::{Config, End, PathEnd, Sink, Tools, explore, explore_as, explore_with};
use effigy_solver::{
    Answer, LayerKind, LayerSet, PathCondition, Query, QueryBudget, Reason, Solver, SolverConfig, Statistics, chain,
};
use effigy_term::eval::Evaluator;
use effigy_term::truth_table::value_of;
use effigy_term::{Model, Sort, SymbolKind, Term, Terms, Value, Width};
use effigy_testing::counter::{Program, State};
use effigy_testing::programs::{BITS, Behaviour, VALUES, inputs, program, run};
use effigy_walk::{Child, Crew, Delta, Ending, Exploration, Listener, Search, Start, WalkEvent, Worker, walk_together};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// Transitions on one path; the oracle is trusted where it needs a third of them, since a question counts twice.
const MOST_STEPS: u32 = 150;

/// More paths than inputs there are only where a solver gives up.
const MOST_PATHS: u64 = 600;

/// One end, as the sink saw it.
#[derive(Clone, PartialEq, Debug)]
struct Ended {
    name: PathName,
    store: String,
    line: usize,
    steps: u64,
    conjuncts: Vec<Term>,
    end: End,
    inputs: Vec<u8>,
    output: Vec<u8>,
    certain: bool,
}

#[derive(Default)]
struct Collect(Vec<Ended>);

impl Sink<State> for Collect {
    fn ended(&mut self, end: &PathEnd<'_, State>) {
        let scalar = |data: &InputData| match data {
            InputData::Scalar(text) => text.parse().expect("a number"),
            InputData::Bytes { .. } => panic!("the toy language has no memory"),
        };
        self.0.push(Ended {
            name: end.trail.name(),
            store: format!("{:?}", end.state.store),
            line: end.state.line,
            steps: end.trail.since_decided(),
            conjuncts: end.trail.condition.conjuncts(),
            end: end.end.clone(),
            inputs: end.witness.inputs.iter().map(|it| scalar(&it.data)).collect(),
            output: end.witness.output.clone(),
            certain: end.certain,
        });
    }
}

fn config(search: Search, budget: Budget) -> Config {
    let query = QueryBudget::default();
    Config { search, seed: 7, budget, query, values: VALUES + 1, feasibility: Feasibility::Branch }
}

fn explored(program: &Program, terms: &Terms, solver: &mut dyn Solver, search: Search) -> (Vec<Ended>, Exploration) {
    let budget = Budget { path_steps: Some(u64::from(MOST_STEPS)), paths: Some(MOST_PATHS), ..Budget::default() };
    let config = config(search, budget);
    let mut sink = Collect::default();
    let exploration = explore(program, terms, solver, &config, &mut (), &mut sink);
    (sink.0, exploration)
}

/// The names of all paths and how they end, with path conditions that leave out what they imply or not.
fn names(program: &Program, layers: LayerSet) -> (BTreeMap<PathName, String>, usize) {
    let terms = Terms::new();
    let budget = Budget { path_steps: Some(u64::from(MOST_STEPS)), paths: Some(MOST_PATHS), ..Budget::default() };
    let (config, known) = (config(Search::Dfs, budget), PathCondition::of(layers));
    let (mut solver, mut sink) = (chain(&SolverConfig::default()), Collect::default());
    let meter = Meter::start(config.budget.clone());
    let tools = Tools { terms: &terms, solver: &mut *solver, known: &known, config: &config, meter: &meter };
    explore_with(program, tools, &mut (), &mut sink);
    let conjuncts = sink.0.iter().map(|it| it.conjuncts.len()).sum();
    // In which order the values of a term come, a model says; a path that takes a later one has made more steps.
    let end = |it: Ended| match it.end {
        End::Cut(_) => (it.name, format!("{:?}", it.end)),
        _ => (it.name, format!("{:?} at {}", it.end, it.line)),
    };
    (sink.0.into_iter().map(end).collect(), conjuncts)
}

fn assignment(terms: &Terms, values: &[u8]) -> Model {
    let mut model = Model::new();
    let sort = Sort::BitVec(Width::of(BITS));
    for (at, value) in values.iter().enumerate() {
        let symbol = terms.symbol(&format!("in{at}"), sort, SymbolKind::Input);
        model.set(symbol, value_of(sort, u32::from(*value)));
    }
    model
}

/// All inputs of a program.
fn all_inputs(program: &Program) -> impl Iterator<Item = Vec<u8>> {
    let count = inputs(program);
    (0..VALUES.pow(count)).map(move |code| (0..count).map(|at| (code / VALUES.pow(at) % VALUES) as u8).collect())
}

fn agrees(ended: &Ended, behaviour: &Behaviour) -> bool {
    match (&ended.end, behaviour) {
        (End::Exit { .. }, Behaviour::Ends(_)) | (End::Silent, Behaviour::Dropped) => true,
        (End::Bug(violation), Behaviour::Violates(line)) => violation.place.line == *line,
        _ => false,
    }
}

/// A program as bytes: what fails is shrunk to few lines, and printed as a person writes it.
fn bytes() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), 0..120)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: effigy_testing::cases(1_000), failure_persistence: None, ..ProptestConfig::default() })]

    /// Where what φ implies is left out of it, the paths are the same, and φ is not longer.
    #[test]
    fn paths_are_the_same_whatever_is_left_out_of_their_conditions(bytes in bytes()) {
        let program = program(&bytes);
        let (short, kept) = names(&program, LayerSet::default());
        let (full, all) = names(&program, LayerSet::default().without(LayerKind::Implied));
        prop_assert_eq!(short, full, "{}", program);
        prop_assert!(kept <= all, "{} conjuncts, {} before", kept, all);
    }

    /// Path conditions exclude one another, cover every input, and each says truly what happens on its inputs.
    #[test]
    fn every_input_takes_the_path_that_its_condition_names(bytes in bytes()) {
        let program = program(&bytes);
        let terms = Terms::new();
        let (ends, _) = explored(&program, &terms, &mut *chain(&SolverConfig::default()), Search::Dfs);
        for values in all_inputs(&program) {
            let model = assignment(&terms, &values);
            let mut evaluator = Evaluator::new(&terms, &model);
            let taken: Vec<&Ended> = ends
                .iter()
                .filter(|it| it.conjuncts.iter().all(|&cond| evaluator.truth(cond) == Some(true)))
                .collect();
            let behaviour = run(&program, &values, MOST_STEPS / 3);
            // An assumption that does not hold drops its inputs without an end.
            if behaviour == Behaviour::Dropped {
                prop_assert!(taken.iter().all(|it| agrees(it, &behaviour)), "{program}{values:?}: {taken:?}");
                continue;
            }
            // It may be dropped later than the oracle looked.
            if taken.is_empty() && behaviour == Behaviour::TooLong {
                let later = run(&program, &values, 3 * MOST_STEPS);
                prop_assert!(later == Behaviour::Dropped, "{program}{values:?} is on no path: {later:?}");
                continue;
            }
            prop_assert_eq!(taken.len(), 1, "{}{:?}: {:?}", program, values, taken);
            if behaviour != Behaviour::TooLong {
                prop_assert!(agrees(taken[0], &behaviour), "{program}{values:?}: {taken:?}, not {behaviour:?}");
            }
        }
    }

    /// A witness, run concretely and by the oracle, does what its path did.
    #[test]
    fn a_witness_does_what_was_predicted(bytes in bytes()) {
        let program = program(&bytes);
        let terms = Terms::new();
        let (ends, _) = explored(&program, &terms, &mut *chain(&SolverConfig::default()), Search::Bfs);
        for ended in ends.iter().filter(|it| !matches!(it.end, End::Cut(_))) {
            prop_assert!(ended.certain);
            let behaviour = run(&program, &ended.inputs, 3 * MOST_STEPS);
            prop_assert!(agrees(ended, &behaviour), "{program}{ended:?}, not {behaviour:?}");
            if let Behaviour::Ends(output) = behaviour {
                prop_assert_eq!(&ended.output, &output, "{}", program);
            }
            let named = |(at, value): (usize, &u8)| {
                (format!("in{at}"), value_of(Sort::BitVec(Width::of(BITS)), u32::from(*value)))
            };
            let values: HashMap<String, Value> = ended.inputs.iter().enumerate().map(named).collect();
            let concrete = run_concretely(&program, &terms, &Inputs::Concrete(values), 10_000);
            let same = match (&ended.end, concrete.outcome) {
                (End::Exit { code }, Some(Ok(Outcome::Exit { .. }))) => *code == concrete.witness.exit,
                (End::Bug(violation), Some(Ok(Outcome::Violation(it)))) => *violation == it,
                (End::Silent, Some(Ok(Outcome::Silent))) => true,
                _ => false,
            };
            prop_assert!(same, "{program}{ended:?}");
            prop_assert_eq!(&ended.output, &concrete.witness.output, "{}", program);
        }
    }

    /// A name leads back to its path: to the same end, state and inputs, whether it ended, in a bug or otherwise, or was
    /// cut; and what does not fit is refused.
    #[test]
    fn decisions_lead_back_to_the_path(bytes in bytes()) {
        let program = program(&bytes);
        let terms = Terms::new();
        let (ends, _) = explored(&program, &terms, &mut *chain(&SolverConfig::default()), Search::Dfs);
        let mut names = BTreeSet::new();
        for ended in &ends {
            prop_assert!(names.insert(ended.name.to_string()), "{program}: two paths are called {}", ended.name);
            let read: PathName = ended.name.to_string().parse().expect("a name is read as it is written");
            prop_assert_eq!(&read, &ended.name);
            let (mut coverage, mut notes) = (Coverage::default(), Notes::default());
            let mut ctx = Context::new(&terms, &Inputs::Symbolic, &mut coverage, &mut notes);
            let until = match &ended.end {
                End::Cut(_) => Until::Since(ended.steps),
                _ => Until::End,
            };
            let replayed = replay(&program, &mut ctx, &ended.name, until, 10_000).expect("the decisions fit");
            let same = match (&ended.end, &replayed.outcome) {
                (End::Exit { .. }, Some(Ok(Outcome::Exit { .. }))) | (End::Silent, Some(Ok(Outcome::Silent))) => true,
                (End::Bug(one), Some(Ok(Outcome::Violation(other)))) => one == other,
                (End::Cut(_), None) => true,
                _ => false,
            };
            prop_assert!(same, "{program}{ended:?}: {:?}", replayed.outcome);
            prop_assert_eq!(replayed.path.trail.name(), ended.name.clone());
            prop_assert_eq!(format!("{:?}", replayed.path.state.store), ended.store.clone(), "{}{:?}", program, ended);
            prop_assert_eq!(replayed.path.state.line, ended.line, "{}{:?}", program, ended);
            let model = assignment(&terms, &ended.inputs);
            let mut evaluator = Evaluator::new(&terms, &model);
            for cond in replayed.path.trail.condition.conjuncts() {
                prop_assert!(!ended.certain || evaluator.truth(cond) == Some(true), "{program}{ended:?}");
            }
            if !matches!(ended.end, End::Cut(_)) {
                let mut longer = ended.name.clone();
                longer.0.push(Decision::Alternative(0));
                prop_assert!(replay(&program, &mut ctx, &longer, Until::End, 10_000).is_err());
            }
            if !ended.name.0.is_empty() {
                let mut other = ended.name.clone();
                other.0[0] = Decision::Alternative(9);
                prop_assert!(replay(&program, &mut ctx, &other, Until::End, 10_000).is_err());
            }
        }
    }

    /// A model leads along the path that it is a model of, also where the language answers its questions in place.
    #[test]
    fn a_model_leads_along_its_path(bytes in bytes()) {
        let program = program(&bytes);
        let terms = Terms::new();
        let (ends, _) = explored(&program, &terms, &mut *chain(&SolverConfig::default()), Search::Dfs);
        for ended in ends.iter().filter(|it| it.certain && !matches!(it.end, End::Cut(_))) {
            let (mut coverage, mut notes) = (Coverage::default(), Notes::default());
            let mut ctx = Context::new(&terms, &Inputs::Symbolic, &mut coverage, &mut notes);
            let witness = Some(assignment(&terms, &ended.inputs).into());
            let trail = Trail { witness, ..Trail::new() };
            let mut path = Path { id: PathId(0), state: program.start(&mut ctx), trail };
            let outcome = loop {
                match advance(&program, &mut ctx, &mut path, &mut Policy::Follow(&mut Guide::Model), &mut 100) {
                    Event::Ended(outcome) => break outcome,
                    Event::Answered | Event::Moved => {}
                    event => panic!("{program}{ended:?}: {event:?}"),
                }
            };
            prop_assert_eq!(path.trail.name(), ended.name.clone(), "{}{:?}: {:?}", program, ended, outcome);
        }
    }

    /// Every order finds the same paths, and the same seed walks in the same order.
    #[test]
    fn the_order_changes_nothing_but_the_order(bytes in bytes()) {
        let program = program(&bytes);
        let terms = Terms::new();
        let walk = |search| explored(&program, &terms, &mut *chain(&SolverConfig::default()), search).0;
        // Which value is chosen first depends on the model; the decisions of other questions do not.
        let set = |ends: &[Ended]| {
            // Where a path is cut depends on how often a question was asked again.
            let whole = ends.iter().filter(|it| !matches!(it.end, End::Cut(_)));
            let mut res: Vec<String> = whole.map(|it| format!("{} {:?}", it.name, it.end)).collect();
            res.sort();
            res
        };
        let first = walk(Search::Dfs);
        for (name, search) in Search::ALL {
            let ends = walk(*search);
            prop_assert_eq!(set(&ends), set(&first), "{}: {}", name, program);
            prop_assert_eq!(ends, walk(*search), "{}: {}", name, program);
        }
    }

    /// A solver that often gives up loses no behaviour, and nothing that it left open is called certain.
    #[test]
    fn an_unknown_answer_is_never_an_answer(bytes in bytes(), rate in 1u64..4) {
        let program = program(&bytes);
        let terms = Terms::new();
        let mut solver = Forgetful { inner: chain(&SolverConfig::default()), asked: 0, rate };
        let (ends, exploration) = explored(&program, &terms, &mut solver, Search::Dfs);
        for ended in &ends {
            let open = matches!(ended.end, End::Undecided { .. });
            // What an assumption drops is reported to nobody, so whether it exists is not asked.
            // Nor is what turns out to be taken by no input.
            // Of a path that is cut nothing is said.
            let dropped = matches!(ended.end, End::Silent | End::Infeasible | End::Cut(_));
            prop_assert!(ended.certain || open || dropped, "{program}{ended:?}");
            if ended.certain && !matches!(ended.end, End::Cut(_)) && !open {
                let behaviour = run(&program, &ended.inputs, 3 * MOST_STEPS);
                prop_assert!(agrees(ended, &behaviour), "{program}{ended:?}, not {behaviour:?}");
            }
        }
        let open = ends.iter().any(|it| matches!(it.end, End::Undecided { .. }));
        prop_assert!(!(open && exploration.is_complete()), "{program}");
        let whole = exploration.stopped.is_none();
        for values in all_inputs(&program).filter(|_| whole) {
            let model = assignment(&terms, &values);
            let mut evaluator = Evaluator::new(&terms, &model);
            let behaviour = run(&program, &values, MOST_STEPS / 3);
            let covered = ends.iter().any(|it| {
                (agrees(it, &behaviour) || matches!(it.end, End::Undecided { .. } | End::Cut(_)))
                    && it.conjuncts.iter().all(|&cond| evaluator.truth(cond) == Some(true))
            });
            let may_be_missing = matches!(behaviour, Behaviour::Dropped | Behaviour::TooLong);
            prop_assert!(covered || may_be_missing, "{program}{values:?}: {behaviour:?} is in no path");
        }
    }
}

/// Gives up on some queries.
struct Forgetful {
    inner: Box<dyn Solver>,
    asked: u64,
    rate: u64,
}

impl Solver for Forgetful {
    fn check(&mut self, terms: &Terms, query: &Query<'_>) -> Answer {
        self.asked += 1;
        if self.asked.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 62 < self.rate {
            return Answer::Unknown(Reason::GaveUp("for the test".to_owned()));
        }
        self.inner.check(terms, query)
    }

    fn statistics(&self, into: &mut Statistics) {
        self.inner.statistics(into);
    }
}

/// A program on which an equation of two sums, too long to be flattened, was simplified for ever.
#[test]
fn an_equation_of_long_sums_is_built_in_the_end() {
    let text: Vec<u8> = vec![
        5, 118, 221, 53, 140, 59, 26, 158, 235, 30, 27, 22, 9, 166, 139, 205, 152, 105, 57, 214, 153, 18, 162, 3, 250,
        92, 10, 143, 174, 244, 65, 140, 233, 22, 70, 200, 196, 93, 222, 81, 218, 134, 106, 110, 200, 29, 214, 218, 124,
        148, 228, 167, 41, 4, 146, 76, 197, 20, 194, 208, 195, 22, 230, 187, 205, 16, 230, 138, 18, 235, 180, 239, 128,
        184, 6, 217, 103, 44,
    ];
    let program = program(&text);
    let terms = Terms::new();
    let (ends, _) = explored(&program, &terms, &mut *chain(&SolverConfig::default()), Search::Bfs);
    assert!(!ends.is_empty());
}

/// What comes of a walk, whoever walked: the names and ends of paths, each once.
fn set_of(ends: &[Ended]) -> BTreeSet<String> {
    let names: Vec<String> = ends.iter().map(|it| format!("{} {:?} {:?}", it.name, it.end, it.output.len())).collect();
    let res: BTreeSet<String> = names.iter().cloned().collect();
    assert_eq!(res.len(), names.len(), "a path ended twice");
    res
}

/// What is heard of a walk, as somebody who writes it down knows it.
#[derive(Default)]
struct Journal {
    /// Names, and how often they have forked.
    waiting: BTreeMap<PathId, (PathName, u64)>,
    beside: Vec<PathName>,
    exploration: Exploration,
    ends: Vec<Ended>,
    next_id: u64,
    died: usize,
}

impl Journal {
    fn begin() -> Journal {
        Journal { waiting: [(PathId(0), (PathName::default(), 0))].into(), next_id: 1, ..Journal::default() }
    }

    fn hear(&mut self, heard: WalkEvent<Ended>) {
        match heard {
            WalkEvent::Forked { parent, children } => {
                let name = self.waiting.remove(&parent).expect("a path that waits");
                for child in children {
                    self.next_id = self.next_id.max(child.path.0 + 1);
                    let parent: Decisions = name.0.0.iter().cloned().collect();
                    let name = PathName::from(&child.decisions(&parent));
                    self.waiting.insert(child.path, (name, child.forks));
                }
            }
            WalkEvent::Ended(ended) => {
                self.waiting.remove(&ended.path);
                self.next_id = self.next_id.max(ended.path.0 + 1);
                self.beside.extend(ended.beside);
                self.exploration.add(&ended.delta);
                self.exploration.count(&ended.ending);
                self.ends.push(ended.told);
            }
            WalkEvent::Gone(path) => drop(self.waiting.remove(&path).expect("a path that waits")),
            WalkEvent::Lost(path, ending) => panic!("{path:?} {ending:?}"),
            WalkEvent::Found(delta) => self.exploration.add(&delta),
            WalkEvent::Died { .. } => self.died += 1,
        }
    }

    fn start(&self) -> Start {
        let jobs = self.waiting.iter().map(|(id, name)| Job::named(*id, name.0.clone(), name.1));
        Start {
            jobs: jobs.collect(),
            next_id: self.next_id,
            exploration: self.exploration.clone(),
            beside: self.beside.iter().cloned().collect(),
        }
    }

    /// Lets a crew go on from here, until it has heard of so many events. Whether it came to its end.
    fn go_on(&mut self, program: &Program, workers: usize, most: Option<usize>, dies: Option<u64>) -> bool {
        let interrupt = std::sync::Arc::default();
        let budget = Budget { path_steps: Some(u64::from(MOST_STEPS)), interrupt, ..Budget::default() };
        let meter = Meter::start(budget.clone());
        let crew = Crew { workers, after: Duration::ZERO, stack: 8 << 20 };
        let deaths = AtomicU64::new(0);
        let work = |worker: &mut Worker<'_, Ended, ()>| {
            let terms = Terms::new();
            let mut solver = chain(&SolverConfig::default());
            let config = config(Search::Interleaved, budget.clone());
            let known = PathCondition::new();
            let tools = Tools { terms: &terms, solver: &mut *solver, known: &known, config: &config, meter: &meter };
            let mut mortal = Mortal { sink: Tell, deaths: &deaths, dies };
            explore_as(worker, program, tools, &mut (), &mut mortal);
        };
        let start = self.start();
        let mut listener = Kill { journal: self, heard: 0, most, interrupt: &budget.interrupt };
        let (account, _) = walk_together(crew, start, &meter, work, &work, &mut listener).expect("threads");
        let heard = listener.heard;
        let done = account.stopped.is_none() && most.is_none_or(|most| heard <= most);
        if done {
            assert_eq!(account.paths, self.exploration.paths, "the account is that of what was heard");
            assert!(self.waiting.is_empty(), "{:?}", self.waiting);
        }
        done
    }
}

/// As if killed: what comes after so many events is not written down.
struct Kill<'a> {
    journal: &'a mut Journal,
    heard: usize,
    most: Option<usize>,
    interrupt: &'a AtomicBool,
}

impl Listener<Ended> for Kill<'_> {
    fn hear(&mut self, heard: WalkEvent<Ended>) {
        self.heard += 1;
        if self.most.is_none_or(|most| self.heard <= most) {
            self.journal.hear(heard);
        } else {
            self.interrupt.store(true, Ordering::Relaxed);
        }
    }
}

/// Tells an end as it is.
struct Tell;

impl Sink<State, Ended> for Tell {
    fn ended(&mut self, end: &PathEnd<'_, State>) -> Ended {
        let mut collect = Collect::default();
        Sink::<State>::ended(&mut collect, end);
        collect.0.remove(0)
    }
}

/// Fails at the end with this number, once.
struct Mortal<'a> {
    sink: Tell,
    deaths: &'a AtomicU64,
    dies: Option<u64>,
}

impl Sink<State, Ended> for Mortal<'_> {
    fn ended(&mut self, end: &PathEnd<'_, State>) -> Ended {
        let number = self.deaths.fetch_add(1, Ordering::Relaxed);
        assert!(self.dies != Some(number), "this worker is to die");
        self.sink.ended(end)
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: effigy_testing::cases(60), failure_persistence: None, ..ProptestConfig::default() })]

    /// One worker and several find the same, also where one of them dies; and a walk that was stopped at any point goes
    /// on to the same end, with one worker or several.
    #[test]
    fn workers_and_interruptions_change_nothing(bytes in bytes(), dies in 0u64..12) {
        let program = program(&bytes);
        let terms = Terms::new();
        let (ends, exploration) = explored(&program, &terms, &mut *chain(&SolverConfig::default()), Search::Dfs);
        // Where values are cut, which ones depends on who came first; where steps are, on how often it was asked again.
        prop_assume!(exploration.paths.total_cut() == 0);
        let expected = set_of(&ends);
        for workers in [1, 3] {
            let mut journal = Journal::begin();
            prop_assert!(journal.go_on(&program, workers, None, None));
            prop_assert_eq!(&set_of(&journal.ends), &expected, "{} workers: {}", workers, program);
            prop_assert_eq!(&journal.exploration.paths, &exploration.paths);
            prop_assert_eq!(journal.exploration.coverage.count(), exploration.coverage.count());
            let mut journal = Journal::begin();
            prop_assert!(journal.go_on(&program, workers, None, Some(dies)));
            prop_assert_eq!(&set_of(&journal.ends), &expected, "{} workers, one dies: {}", workers, program);
            prop_assert_eq!(journal.died, usize::from(dies < ends.len() as u64));
            // Stopped again and again, each time after a little more.
            for step in [1, 2, 3, 7] {
                let mut journal = Journal::begin();
                let mut most = 0;
                while !journal.go_on(&program, workers, Some(most), None) {
                    most += step;
                    prop_assert!(most < 10_000, "no end");
                }
                prop_assert_eq!(&set_of(&journal.ends), &expected, "{} workers: {}", workers, program);
                prop_assert_eq!(&journal.exploration.paths, &exploration.paths);
            }
        }
    }
}

/// What travels may cross threads, and be written.
#[test]
fn what_travels_is_data() {
    fn travels<T: Send + serde::Serialize + for<'a> serde::Deserialize<'a>>() {}
    travels::<Job>();
    travels::<PathName>();
    travels::<Child>();
    travels::<Ending>();
    travels::<Delta>();
}

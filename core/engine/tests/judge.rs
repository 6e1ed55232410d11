//! A language whose states know more than φ says: its judge is asked before the solver, and what it answers is no part
//! of φ.

#[path = "../examples/counter.rs"]
#[allow(dead_code, reason = "the example is the test bed; its main is not used here")]
mod counter;

use counter::{Cond, Expr, Line, Program, State};
use effigy_engine::{
    Context, Coverage, Engine, Entailment, Event, Guide, Inputs, Judge, JudgeQuestion, Language, Notes, Outcome, Path,
    PathId, Place, Policy, Resolution, Step, Trail, Witness, advance,
};
use effigy_solver::{Answer, QueryBudget, Reason, SolverConfig, chain};
use effigy_term::{BvValue, Model, Sort, SymbolKind, Term, Terms, Width};

/// The toy language for a first input below a limit: its states know that, and nothing says it in φ.
struct SmallInput {
    program: Program,
    limit: u64,
}

/// Answers by what is known of the first input, and by nothing else.
struct SmallInputJudge {
    limit: u64,
}

impl SmallInputJudge {
    /// Whether a condition holds for some input below the limit.
    fn holds_for_some(&self, terms: &Terms, cond: Term) -> Answer {
        let input = terms.of_symbol(terms.symbol("in0", Sort::BitVec(Width::W8), SymbolKind::Input));
        let small = terms.bv_ult(input, terms.bv(BvValue::from_u64(Width::W8, self.limit)));
        let mut solver = chain(&SolverConfig::default());
        let mut engine = Engine { terms, solver: &mut *solver, budget: QueryBudget::default() };
        engine.check(&Trail::new(), terms.and(small, cond))
    }
}

impl Judge<State> for SmallInputJudge {
    fn feasible(&mut self, terms: &Terms, question: &JudgeQuestion<'_, State>) -> Answer {
        match self.holds_for_some(terms, question.cond) {
            Answer::Unsat => Answer::Unsat,
            _ => Answer::Unknown(Reason::GaveUp("φ is not looked at".to_owned())),
        }
    }

    fn entails(&mut self, terms: &Terms, question: &JudgeQuestion<'_, State>) -> Entailment {
        match self.holds_for_some(terms, terms.not(question.cond)) {
            Answer::Unsat => Entailment::Holds,
            _ => Entailment::Unknown(Reason::GaveUp("φ is not looked at".to_owned())),
        }
    }
}

impl Language for SmallInput {
    type State = State;

    fn start(&self, ctx: &mut Context<'_>) -> State {
        self.program.start(ctx)
    }

    fn step(&self, ctx: &mut Context<'_>, state: &mut State, fuel: &mut u64) -> Step {
        self.program.step(ctx, state, fuel)
    }

    fn answer(&self, state: &mut State, resolution: Resolution) {
        self.program.answer(state, resolution);
    }

    fn judge(&self) -> Option<Box<dyn Judge<State> + '_>> {
        Some(Box::new(SmallInputJudge { limit: self.limit }))
    }

    fn place(&self, state: &State) -> Place {
        self.program.place(state)
    }

    fn witness(&self, ctx: &Context<'_>, state: &State, model: &Model) -> Witness {
        self.program.witness(ctx, state, model)
    }
}

fn below(number: u8) -> Cond {
    Cond::Less(Expr::Var(0), Expr::Const(number))
}

fn program(lines: Vec<Line>) -> SmallInput {
    SmallInput { program: Program { bits: 8, variables: 1, lines }, limit: 10 }
}

/// The events of the one path that goes on by every answer, under a policy.
fn events(language: &SmallInput, terms: &Terms, policy: &mut Policy<'_, '_>) -> (Vec<Event>, Trail) {
    let (mut coverage, mut notes) = (Coverage::default(), Notes::default());
    let mut ctx = Context::new(terms, &Inputs::Symbolic, &mut coverage, &mut notes);
    let mut path = Path { id: PathId(0), state: language.start(&mut ctx), trail: Trail::new() };
    let mut res = Vec::new();
    loop {
        let event = advance(language, &mut ctx, &mut path, policy, &mut 1_000);
        if let Event::Violated(violated) = &event
            && let Some(past) = violated.past.clone()
        {
            path.grant(language, past);
        }
        let ends = matches!(event, Event::Ended(_) | Event::Forked(_) | Event::Undecided(..));
        if !matches!(event, Event::Moved) {
            res.push(event);
        }
        if ends {
            return (res, path.trail);
        }
    }
}

#[test]
fn what_a_state_knows_leaves_one_side_of_a_branch() {
    let lines = vec![Line::Input(0), Line::Unless(below(10), 3), Line::Print(Expr::Var(0))];
    let (language, terms) = (program(lines), Terms::new());
    let mut solver = chain(&SolverConfig::default());
    let mut engine = Engine { terms: &terms, solver: &mut *solver, budget: QueryBudget::default() };
    let (events_of_solver, trail) = events(&language, &terms, &mut Policy::fork(&mut engine));
    assert!(matches!(events_of_solver[..], [Event::Answered, Event::Ended(Ok(Outcome::Exit { .. }))]));
    // A branch is recorded whoever has answered it.
    assert_eq!((trail.name().to_string(), trail.forks, trail.condition.len()), ("0".to_owned(), 0, 1));
    // Without a solver it is the same.
    let (events_of_proof, alone) = events(&language, &terms, &mut Policy::Prove(QueryBudget::default()));
    assert!(matches!(events_of_proof[..], [Event::Answered, Event::Ended(Ok(Outcome::Exit { .. }))]));
    assert_eq!((alone.name(), alone.condition.conjuncts()), (trail.name(), trail.condition.conjuncts()));
}

#[test]
fn a_branch_of_which_nothing_is_known_forks() {
    let lines = vec![Line::Input(0), Line::Unless(below(5), 3), Line::Print(Expr::Var(0))];
    let (language, terms) = (program(lines), Terms::new());
    let (events, _) = events(&language, &terms, &mut Policy::Prove(QueryBudget::default()));
    let [Event::Forked(forks)] = &events[..] else { panic!("{events:?}") };
    assert!(forks.ways.len() == 2 && forks.ways.iter().all(|it| it.is_one_of_several));
}

#[test]
fn of_sides_that_are_all_refuted_the_last_one_is_taken() {
    let lines = vec![Line::Input(0), Line::Unless(below(5), 3), Line::Print(Expr::Var(0))];
    // There is no such input, so that everything follows.
    let (language, terms) = (SmallInput { limit: 0, ..program(lines) }, Terms::new());
    let (events, trail) = events(&language, &terms, &mut Policy::Prove(QueryBudget::default()));
    assert!(matches!(events[..], [Event::Answered, Event::Ended(Ok(Outcome::Exit { .. }))]), "{events:?}");
    assert_eq!(trail.name().to_string(), "1");
}

#[test]
fn an_assumption_that_contradicts_a_state_ends_the_path() {
    let lines = vec![Line::Input(0), Line::Assume(Cond::Less(Expr::Const(20), Expr::Var(0)))];
    let (language, terms) = (program(lines), Terms::new());
    let (events, _) = events(&language, &terms, &mut Policy::Prove(QueryBudget::default()));
    assert!(matches!(events[..], [Event::Ended(Ok(Outcome::Silent))]), "{events:?}");
}

#[test]
fn what_follows_from_a_state_is_no_part_of_the_path_condition() {
    let lines = vec![Line::Input(0), Line::Assert(below(20)), Line::Assert(below(5)), Line::Assert(below(12))];
    let (language, terms) = (program(lines), Terms::new());
    let mut solver = chain(&SolverConfig::default());
    let mut engine = Engine { terms: &terms, solver: &mut *solver, budget: QueryBudget::default() };
    let (events_of_solver, trail) = events(&language, &terms, &mut Policy::fork(&mut engine));
    let [Event::Held(_), Event::Violated(violated), Event::Held(_), Event::Ended(Ok(_))] = &events_of_solver[..] else {
        panic!("{events_of_solver:?}")
    };
    // The language's judge has the last word: the solver is not asked for a model.
    assert!(violated.into.witness.is_none() && violated.into.undecided.is_some());
    assert_eq!(violated.into.name().to_string(), "x(1)");
    assert!(trail.condition.is_empty(), "{:?}", trail.condition.conjuncts());
    // Along its name the path is the same.
    let mut guide = Guide::along(&trail.name());
    let (along, followed) = events(&language, &terms, &mut Policy::Follow(&mut guide));
    assert!(along.iter().take(3).all(|it| matches!(it, Event::Answered)), "{along:?}");
    assert!(followed.condition.is_empty(), "{:?}", followed.condition.conjuncts());
}

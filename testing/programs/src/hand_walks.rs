//! Walks a verification by hand, or in another order, and compares the verdict with that of the verifier.
//!
//! Knows: walks that answer every question in every way, and the orders of paths. Never: which programs are tried.

use crate::mutation::files;
use effigy_engine::{
    Alternative, Context, Coverage, Inputs, Inspect, JudgeQuestion, Language, Notes, Outcome, PathOutcome, Resolution,
    Step, Trail, VariableValue,
};
use effigy_solver::{Answer, QueryBudget};
use effigy_term::{Terms, print};
use effigy_testing::merging::numbers;
use effigy_verify::failure::Failure;
use effigy_verify::{
    Config, Detail, Member, Program, SourceText, Span, Verdict, Verifier, VerifierState, members, verify,
};
use effigy_walk::Search;

/// Nothing is known of the source.
struct NoText;

impl SourceText for NoText {
    fn line(&self, _: Span) -> Option<String> {
        None
    }

    fn quote(&self, _: Span) -> Option<String> {
        None
    }

    fn message(&self, _: &Failure) -> String {
        String::new()
    }
}

/// What a language is given.
fn with_context<T>(terms: &Terms, body: impl FnOnce(&mut Context<'_>) -> T) -> T {
    let (mut coverage, mut notes, inputs) = (Coverage::default(), Notes::default(), Inputs::Symbolic);
    body(&mut Context::new(terms, &inputs, &mut coverage, &mut notes))
}

/// All states of a walk in which every question is answered in every way, and how the paths end. `order` says which of
/// so many states goes on.
fn walk<L: Language>(
    language: &L,
    ctx: &mut Context<'_>,
    start: L::State,
    order: &mut dyn FnMut(usize) -> usize,
) -> (Vec<L::State>, Vec<PathOutcome>) {
    let (mut pending, mut states, mut ends) = (vec![start], Vec::new(), Vec::new());
    while !pending.is_empty() {
        let mut state = pending.remove(order(pending.len()));
        states.push(state.clone());
        match language.step(ctx, &mut state, &mut 1) {
            Step::Next => pending.push(state),
            Step::Branch(alternatives) => {
                let feasible: Vec<u32> = feasible(language, ctx.terms, &state, &alternatives);
                for &index in &feasible {
                    let mut side = state.clone();
                    language.answer(&mut side, Resolution::Alternative(index));
                    if feasible.len() > 1 {
                        language.forked(&mut side);
                    }
                    pending.push(side);
                }
            }
            Step::Assume(_) | Step::Require { .. } => {
                language.answer(&mut state, Resolution::Granted);
                pending.push(state);
            }
            Step::Exit(outcome) => {
                states.push(state);
                ends.push(Ok(outcome));
            }
            Step::GaveUp(it) => {
                states.push(state);
                ends.push(Err(*it));
            }
            other => panic!("a verification asks no such thing: {other:?}"),
        }
    }
    (states, ends)
}

/// The sides of a branch that the language's judge does not refute; at least one.
fn feasible<L: Language>(language: &L, terms: &Terms, state: &L::State, alternatives: &[Alternative]) -> Vec<u32> {
    let trail = Trail::default();
    let mut judge = language.judge().expect("a verification has a judge");
    let mut res = Vec::new();
    for (index, it) in alternatives.iter().enumerate() {
        let question = JudgeQuestion { state, trail: &trail, cond: it.cond, budget: QueryBudget::default() };
        let is_left = res.is_empty() && index + 1 == alternatives.len();
        if is_left || judge.feasible(terms, &question) != Answer::Unsat {
            res.push(index as u32);
        }
    }
    res
}

/// What the ends of all paths say together.
fn verdict(ends: &[PathOutcome]) -> &'static str {
    if ends.iter().any(|it| matches!(it, Ok(Outcome::Violation(_)))) {
        "failed"
    } else if ends.iter().any(Result::is_err) {
        "unknown"
    } else {
        "verified"
    }
}

/// What is different when the programs in a folder of the tree are verified with their paths in other orders, or merged.
pub fn order_differences(folder: &str, read: &dyn Fn(&str, &str) -> Option<Program>, config: &Config) -> Vec<String> {
    // A failure is one of a place; which of two comes first is a matter of the order.
    let places = |verdict: &Verdict| match verdict {
        Verdict::Failed(failures) => {
            let mut res: Vec<_> = failures.iter().map(|it| (it.error, it.reason, it.span, it.culprit)).collect();
            res.sort_unstable();
            format!("failed: {res:?}")
        }
        other => format!("{other:?}"),
    };
    let infers = config.inference.open || config.inference.close > 0;
    let said = |verdict: &Verdict| match verdict {
        // With inference the first failure is the last.
        Verdict::Failed(_) if infers => "failed".to_owned(),
        verdict => places(verdict),
    };
    let config = Config { errors: 1000, merge_after: None, ..config.clone() };
    let merging = Config { merge_after: Some(0), ..config.clone() };
    let mut res = Vec::new();
    let mut programs = 0;
    for (name, text) in files(folder) {
        let Some(program) = read(&name, &text) else { continue };
        programs += 1;
        for member in members(&program) {
            let usual = said(&verify(&program, member, &config).verdict);
            let in_order = |search: Search| {
                let config = Config { search, seed: 1, ..config.clone() };
                said(&verify(&program, member, &config).verdict)
            };
            let (oldest_first, jumping) = (in_order(Search::Bfs), in_order(Search::RandomState));
            let merged = said(&verify(&program, member, &merging).verdict);
            if usual != oldest_first || usual != jumping || usual != merged {
                let others = format!("oldest first {oldest_first}; jumping {jumping}; merged {merged}");
                res.push(format!("{name}, {member:?}: {usual}; {others}"));
            }
        }
    }
    assert!(programs > 0, "the corpora are where they should be");
    res
}

/// What is different when the verifications of the programs in a folder of the tree are walked by hand instead.
pub fn differences(folder: &str, read: &dyn Fn(&str, &str) -> Option<Program>, config: &Config) -> Vec<String> {
    let mut res = Vec::new();
    let mut programs = 0;
    for (name, text) in files(folder) {
        let Some(program) = read(&name, &text) else { continue };
        programs += 1;
        for member in members(&program) {
            res.extend(difference(&program, member, config).map(|it| format!("{name}: {it}")));
        }
    }
    assert!(programs > 0, "the corpora are where they should be");
    res
}

/// What is different when the verification of a member is walked by hand instead.
fn difference(program: &Program, member: Member, config: &Config) -> Option<String> {
    let said = match verify(program, member, config).verdict {
        Verdict::Verified => "verified",
        Verdict::Failed(_) => "failed",
        Verdict::Undecided(_) | Verdict::Unsupported(..) => "unknown",
    };
    let terms = Terms::new();
    with_context(&terms, |ctx| {
        let walked = Verifier::new(program, member, config.clone(), &NoText, Detail::Conjuncts);
        let start = walked.start(ctx);
        let (states, ends) = walk(&walked, ctx, start, &mut |waiting| waiting - 1);
        if verdict(&ends) != said {
            return Some(format!("{} is {said}; walked, {ends:?}", walked.name()));
        }
        // Of a long walk some states will do.
        let every = 1 + states.len() / 200;
        if let Some(state) = states.iter().step_by(every).find(|it| !can_be_looked_at(&walked, ctx, it)) {
            return Some(format!("{} at {state:?}: {:?}", walked.name(), walked.statement(state)));
        }
        // Statements alone: the same paths, no more states.
        let coarse = Verifier::new(program, member, config.clone(), &NoText, Detail::Statements);
        let start = coarse.start(ctx);
        let (fewer, same) = walk(&coarse, ctx, start.clone(), &mut |waiting| waiting - 1);
        let agree = same == ends && fewer.len() <= states.len();
        if !agree {
            let name = walked.name();
            return Some(format!("{name}: statements alone end in {same:?}, with conjuncts in {ends:?}"));
        }
        // In any order: no path depends on another one.
        let (_, jumped) = walk(&coarse, ctx, start, &mut numbers(1));
        let sorted = |ends: &[PathOutcome]| {
            let mut res: Vec<String> = ends.iter().map(|it| format!("{it:?}")).collect();
            res.sort_unstable();
            res
        };
        let agree = sorted(&jumped) == sorted(&same);
        (!agree).then(|| format!("{}: jumping from path to path ends in {jumped:?}, not in {same:?}", walked.name()))
    })
}

/// The requirements of a member with one path, as a walk is told them that shows statements.
pub fn requirements(program: &Program, member: Member, config: &Config) -> Vec<String> {
    let verifier = Verifier::new(program, member, config.clone(), &NoText, Detail::Statements);
    let terms = Terms::new();
    with_context(&terms, |ctx| {
        let mut state = verifier.start(ctx);
        let mut res = Vec::new();
        loop {
            match verifier.step(ctx, &mut state, &mut 1) {
                Step::Next => {}
                Step::Require { cond, violation } => {
                    res.push(format!("{}: {}", violation.kind.0, print::math(&terms, cond)));
                    verifier.answer(&mut state, Resolution::Granted);
                }
                Step::Assume(_) => verifier.answer(&mut state, Resolution::Granted),
                Step::Exit(_) => return res,
                other => panic!("one path is asked no such thing: {other:?}"),
            }
        }
    })
}

/// A state has its heap, a place, and a value for each variable that is shown.
fn can_be_looked_at<'a>(walked: &Verifier<'a>, ctx: &mut Context<'_>, state: &VerifierState<'a>) -> bool {
    let variables = walked.variables(ctx, state);
    let valued = variables.iter().all(|it| match it.value {
        VariableValue::Term(_) => walked.evaluate(ctx, state, &it.name).is_ok(),
        _ => true,
    });
    valued && variables.iter().any(|it| &*it.name == "heap") && walked.statement(state).place.line > 0
}

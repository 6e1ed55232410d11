//! A recorded verification, walked, says what the verification says.
//!
//! Knows: walks that answer every question in every way. Never: which programs are tried.

use crate::mutation::files;
use effigy_engine::{Context, Coverage, Inputs, Inspect, Language, Notes, Outcome, Resolution, Step, VariableValue};
use effigy_term::Terms;
use effigy_verify::failure::Failure;
use effigy_verify::{Config, Detail, Member, Program, SourceText, Span, Verdict, Walked, WalkedState, members, verify};

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

/// All states of a walk in which every question is answered in every way, and how the paths end.
fn walk<L: Language>(language: &L, ctx: &mut Context<'_>, start: L::State) -> (Vec<L::State>, Vec<Outcome>) {
    let (mut pending, mut states, mut ends) = (vec![start], Vec::new(), Vec::new());
    while let Some(mut state) = pending.pop() {
        states.push(state.clone());
        match language.step(ctx, &mut state, &mut 1) {
            Step::Next => pending.push(state),
            Step::Branch(alternatives) => {
                for index in 0..alternatives.len() as u32 {
                    let mut side = state.clone();
                    language.answer(&mut side, Resolution::Alternative(index));
                    pending.push(side);
                }
            }
            Step::Assume(_) => {
                language.answer(&mut state, Resolution::Granted);
                pending.push(state);
            }
            Step::Exit(outcome) => {
                states.push(state);
                ends.push(outcome);
            }
            other => panic!("a verification asks no such thing: {other:?}"),
        }
    }
    (states, ends)
}

/// What the ends of all paths say together.
fn verdict(ends: &[Outcome]) -> &'static str {
    if ends.iter().any(|it| matches!(it, Outcome::Violation(_))) {
        "failed"
    } else if ends.iter().any(|it| matches!(it, Outcome::Unsupported { .. })) {
        "unknown"
    } else {
        "verified"
    }
}

/// What is different when the recorded verifications of the programs in a folder of the tree are walked instead.
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

/// What is different when the recorded verification of a member is walked instead.
fn difference(program: &Program, member: Member, config: &Config) -> Option<String> {
    let said = match verify(program, member, config).verdict {
        Verdict::Verified => "verified",
        Verdict::Failed(_) => "failed",
        Verdict::Undecided(_) | Verdict::Unsupported(..) => "unknown",
    };
    let terms = Terms::new();
    with_context(&terms, |ctx| {
        let walked = Walked::new(program, member, config.clone(), &NoText, Detail::Conjuncts);
        let start = walked.start(ctx);
        let (states, ends) = walk(&walked, ctx, start.clone());
        if verdict(&ends) != said {
            return Some(format!("{} is {said}; walked, {ends:?}", walked.name()));
        }
        // Of a long walk some states will do.
        let every = 1 + states.len() / 200;
        if let Some(state) = states.iter().step_by(every).find(|it| !can_be_looked_at(&walked, ctx, it)) {
            return Some(format!("{} at {state:?}: {:?}", walked.name(), walked.statement(state)));
        }
        // Statements alone: the same paths, no more states.
        let coarse = Walked::new(program, member, config.clone(), &NoText, Detail::Statements);
        let (fewer, same) = walk(&coarse, ctx, start);
        let agree = same == ends && fewer.len() <= states.len();
        (!agree).then(|| format!("{}: statements alone end in {same:?}, with conjuncts in {ends:?}", walked.name()))
    })
}

/// A state has its heap, a place, and a value for each variable that is shown.
fn can_be_looked_at(walked: &Walked<'_>, ctx: &mut Context<'_>, state: &WalkedState) -> bool {
    let variables = walked.variables(ctx, state);
    let valued = variables.iter().all(|it| match it.value {
        VariableValue::Term(_) => walked.evaluate(ctx, state, &it.name).is_ok(),
        _ => true,
    });
    valued && variables.iter().any(|it| &*it.name == "heap") && walked.statement(state).place.line > 0
}

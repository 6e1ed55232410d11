//! Two paths of a verification that stand at one place, as one.
//!
//! Knows: what of two states can be said in one. Never: which paths meet, what fails.
//! Source: Kuznetsov, Kinder, Bucur, Candea, "Efficient state merging in symbolic execution", PLDI 2012; what was learnt
//! on one side holds under its condition, as the paper's Σ has it within an expression.
//!
//! Names are made by a counter that all paths have in common while they are merged: so no name means one thing on one
//! path, and another one on another.

use crate::code::Pc;
use crate::sigma;
use crate::state::{Env, Frame, State, Work};
use crate::verifier::{Verifier, VerifierState};
use effigy_engine::{Apart, Content, Context, Meeting, Merge, Round, Thing, TurnId, Turning};
use effigy_term::eval::Evaluator;
use effigy_term::{Term, Terms};
use rpds::RedBlackTreeMap;
use std::rc::Rc;

impl<'a> Merge for Verifier<'a> {
    fn meeting(&self, state: &VerifierState<'a>) -> Meeting {
        let shared = self.shared.borrow();
        let code = shared.as_ref().and_then(|it| it.code.as_ref());
        let order = code.and_then(|code| code.meeting(state.path.stands_at()?));
        Meeting(order.unwrap_or_default().into())
    }

    fn round(&self, _: &VerifierState<'a>) -> Option<Round> {
        // An invariant stands for all of them.
        None
    }

    fn turning(&self, _: TurnId) -> Turning {
        Turning { index: None, place: self.place_at(self.head()) }
    }

    fn merge(
        &self,
        ctx: &mut Context<'_>,
        cond: Term,
        then: &VerifierState<'a>,
        other: &VerifierState<'a>,
    ) -> Result<VerifierState<'a>, Apart> {
        let parts = [then, other];
        if parts.iter().any(|it| it.asked.is_some() || it.coming.is_some() || it.end.is_some()) {
            return Err(Apart("a question"));
        }
        let terms = ctx.terms;
        let path = merged_path(terms, cond, &then.path, &other.path)?;
        let sigma = self.with(terms, |machine, _| {
            let null = machine.vocabulary.null(terms);
            let always = |it| machine.unconditional.contains(&it);
            sigma::merged(terms, cond, [&then.sigma, &other.sigma], null, &always)
        });
        Ok(VerifierState {
            path,
            sigma: sigma.ok_or(Apart("the walk has not started"))?,
            counter: then.counter.max(other.counter),
            ..then.clone()
        })
    }

    fn content(&self, state: &VerifierState<'a>, evaluator: &mut Evaluator<'_>) -> Content {
        let mut res = Content::new();
        let mut tell = |name: String, term: Term| {
            let value = evaluator.value(term).map_or(Thing::Nothing, |it| Thing::Value(format!("{it:?}")));
            res.insert(name, value);
        };
        let env = &state.path.env;
        for (variable, term) in env.table.iter().zip(env.vars.iter()) {
            term.iter().for_each(|it| tell(variable.name.to_string(), *it));
        }
        for (at, chunk) in state.path.heap.iter().enumerate() {
            tell(format!("chunk {at}"), chunk.value);
            tell(format!("amount {at}"), chunk.perm);
        }
        res
    }
}

/// What stands before an instruction: nothing else is left to do but that, and what is due at the end.
fn at_statement(state: &State<'_>) -> Option<(Pc, bool)> {
    match state.work[..] {
        [Work::CheckPost { lenient }, Work::Run(pc)] if state.snapshots.is_empty() => Some((pc, lenient)),
        _ => None,
    }
}

fn merged_path<'a>(terms: &Terms, cond: Term, then: &State<'a>, other: &State<'a>) -> Result<State<'a>, Apart> {
    let place = at_statement(then);
    if place.is_none() || place != at_statement(other) || then.mode != other.mode {
        return Err(Apart("what is left to do"));
    }
    let both = &mut |a: Term, b: Term| terms.ite(cond, a, b);
    let env = merged_env(&then.env, &other.env, both)?;
    let heap = then.heap.merged(&other.heap, both).ok_or(Apart("the heaps"))?;
    let heads = |it: &State<'_>| it.loops.iter().map(|it| it.head).collect::<Vec<_>>();
    if heads(then) != heads(other) {
        return Err(Apart("the loops"));
    }
    let frames = then.loops.iter().zip(&other.loops).map(|(a, b)| {
        let heap = a.heap.merged(&b.heap, both)?;
        Some(Frame { head: a.head, heap })
    });
    let loops = frames.collect::<Option<Vec<_>>>().ok_or(Apart("what loops leave alone"))?;
    // For people, to whom no merged path is shown.
    let branches = then.branches.clone();
    let work = then.work.clone();
    // What was known when the body began is asked for by `join`, and then paths are not merged.
    let entry = then.entry.clone();
    Ok(State { env, heap, work, loops, snapshots: Vec::new(), branches, mode: then.mode, entry, opened: Vec::new() })
}

fn merged_env<'a>(then: &Env<'a>, other: &Env<'a>, both: &mut dyn FnMut(Term, Term) -> Term) -> Result<Env<'a>, Apart> {
    let old = match (&then.old, &other.old) {
        (Some(a), Some(b)) => Some(a.merged(b, both).ok_or(Apart("the heaps of the start"))?),
        (None, None) => None,
        _ => return Err(Apart("the heaps of the start")),
    };
    // A label that was passed on one side only was not passed.
    let mut labels = RedBlackTreeMap::new();
    for (label, a) in &then.labels {
        if let Some(b) = other.labels.get(label) {
            labels.insert_mut(*label, a.merged(b, both).ok_or(Apart("the heaps of a label"))?);
        }
    }
    if then.vars.len() != other.vars.len() || then.result != other.result || then.types != other.types {
        return Err(Apart("the variables"));
    }
    let vars = match Rc::ptr_eq(&then.vars, &other.vars) {
        true => Rc::clone(&then.vars),
        false => Rc::new(then.vars.iter().zip(other.vars.iter()).map(|(a, b)| one(*a, *b, both)).collect()),
    };
    Ok(Env { vars, old, labels, ..then.clone() })
}

/// A variable of both; one that only one side has was not declared.
fn one(then: Option<Term>, other: Option<Term>, both: &mut dyn FnMut(Term, Term) -> Term) -> Option<Term> {
    let (then, other) = (then?, other?);
    Some(if then == other { then } else { both(then, other) })
}

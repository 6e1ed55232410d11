//! Which functions apply which.
//!
//! Knows: bodies, contracts, predicates that are opened. Never: states, terms.

use effigy_contracts::program::{Exp, ExpKind, FunctionId, PredicateId, Program};
use rustc_hash::FxHashSet;

/// The functions that can reach themselves.
pub(super) fn recursive(program: &Program) -> FxHashSet<FunctionId> {
    let callees = callees(program, true);
    let all = (0..callees.len() as u32).map(FunctionId);
    all.filter(|&it| reached(&callees, it).contains(&it)).collect()
}

/// The functions that each function applies, in its body or contract, or also in a predicate that it may open.
pub(super) fn callees(program: &Program, also_in_predicates: bool) -> Vec<Vec<FunctionId>> {
    let in_predicates: Vec<(Vec<FunctionId>, Vec<PredicateId>)> =
        program.predicates.iter().map(|it| mentioned(it.body.iter())).collect();
    let of = |function: &effigy_contracts::program::Function| {
        let (mut res, mut opened) = mentioned(function.body.iter().chain(&function.post).chain(&function.pre));
        if !also_in_predicates {
            return res;
        }
        let mut seen = FxHashSet::default();
        while let Some(predicate) = opened.pop() {
            if seen.insert(predicate) {
                let (functions, predicates) = &in_predicates[predicate.index()];
                res.extend(functions);
                opened.extend(predicates);
            }
        }
        res
    };
    program.functions.iter().map(of).collect()
}

/// The functions and predicates in some expressions.
fn mentioned<'e>(exps: impl Iterator<Item = &'e Exp>) -> (Vec<FunctionId>, Vec<PredicateId>) {
    let (mut functions, mut predicates) = (Vec::new(), Vec::new());
    for exp in exps {
        exp.walk(&mut |it| match &*it.kind {
            ExpKind::Call(callee, _) => functions.push(*callee),
            ExpKind::AccPredicate(it) | ExpKind::Unfolding(it, _) => predicates.push(it.predicate),
            _ => {}
        });
    }
    (functions, predicates)
}

/// The functions that a function applies, directly or by others.
pub(super) fn reached(callees: &[Vec<FunctionId>], start: FunctionId) -> FxHashSet<FunctionId> {
    let mut res = FxHashSet::default();
    let mut work = callees[start.index()].clone();
    while let Some(at) = work.pop() {
        if res.insert(at) {
            work.extend(&callees[at.index()]);
        }
    }
    res
}

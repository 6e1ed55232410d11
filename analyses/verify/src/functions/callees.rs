//! Which functions apply which.
//!
//! Knows: bodies, contracts, predicates that are opened. Never: states, terms.

use effigy_contracts::Member;
use effigy_contracts::program::{Exp, ExpKind, FunctionId, PredicateId, Program, StmtKind};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// The functions that can reach themselves.
pub(super) fn recursive(program: &Program) -> FxHashSet<FunctionId> {
    let callees = callees(program, true);
    let all = (0..callees.len() as u32).map(FunctionId);
    all.filter(|&it| reached(&callees, it).contains(&it)).collect()
}

/// The recursive functions of a program of which nothing shows that they terminate. A function that equals its body
/// although it does not end makes every proof that rests on it worthless.
pub struct UnprovedRecursion<'p> {
    program: &'p Program,
    recursive: FxHashSet<FunctionId>,
}

impl<'p> UnprovedRecursion<'p> {
    /// The recursive functions of this program of which nothing shows that they terminate. None where termination is a
    /// part of verification.
    pub fn new(program: &'p Program) -> UnprovedRecursion<'p> {
        let callees = callees(program, false);
        // One without a body equals nothing that could run on.
        let may_run_on = |it: &FunctionId| {
            let info = &program.functions[it.index()];
            info.body.is_some() && !info.measured && reached(&callees, *it).contains(it)
        };
        let all = (0..program.functions.len() as u32).map(FunctionId);
        let recursive =
            if program.functions_terminate { FxHashSet::default() } else { all.filter(may_run_on).collect() };
        UnprovedRecursion { program, recursive }
    }

    /// The names of those on which a proof of this member rests, in the order of the text.
    pub fn of(&self, member: Member) -> Vec<Arc<str>> {
        if self.recursive.is_empty() {
            return Vec::new();
        }
        let (mut functions, mut predicates) = self.mentioned_by(member);
        let (mut found, mut seen) = (FxHashSet::default(), FxHashSet::default());
        loop {
            let (more, opened) = if let Some(it) = functions.pop() {
                if !found.insert(it) {
                    continue;
                }
                let info = &self.program.functions[it.index()];
                mentioned(info.body.iter().chain(&info.post).chain(&info.pre))
            } else if let Some(it) = predicates.pop() {
                if !seen.insert(it) {
                    continue;
                }
                mentioned(self.program.predicates[it.index()].body.iter())
            } else {
                break;
            };
            functions.extend(more);
            predicates.extend(opened);
        }
        let mut res: Vec<FunctionId> = found.intersection(&self.recursive).copied().collect();
        res.sort_unstable();
        res.into_iter().map(|it| Arc::clone(&self.program.functions[it.index()].name)).collect()
    }

    /// The functions and predicates in a member, and in the contracts of what it calls.
    fn mentioned_by(&self, member: Member) -> (Vec<FunctionId>, Vec<PredicateId>) {
        let program = self.program;
        match member {
            Member::Function(it) => (vec![it], Vec::new()),
            Member::Predicate(it) => (Vec::new(), vec![it]),
            Member::Method(it) => {
                let info = &program.methods[it.index()];
                let mut exps: Vec<&Exp> = info.pre.iter().chain(&info.post).collect();
                let mut used = Vec::new();
                for stmt in info.body.iter().flatten() {
                    stmt.walk(&mut |it| {
                        it.for_each_exp(|exp| exps.push(exp));
                        match &it.kind {
                            StmtKind::Call { method, .. } => {
                                let callee = &program.methods[method.index()];
                                exps.extend(callee.pre.iter().chain(&callee.post));
                            }
                            StmtKind::Fold(it) | StmtKind::Unfold(it) => used.push(it.predicate),
                            _ => {}
                        }
                    });
                }
                let (functions, mut predicates) = mentioned(exps.into_iter());
                predicates.extend(used);
                (functions, predicates)
            }
        }
    }
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

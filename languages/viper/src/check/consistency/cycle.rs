//! Functions that apply themselves.
//!
//! Knows: which function mentions which. Never: what else is wrong with them.
//! Source: silver's `Functions.scala`.

use super::Consistency;
use crate::check::tree::{Bodies, Function, Node, Op};
use rustc_hash::FxHashSet;

/// For each function, the functions that it mentions.
pub type Mentions = Vec<Vec<usize>>;

impl<'a> Consistency<'_, 'a> {
    /// No function comes back to itself through its own precondition.
    pub fn recursive_preconditions(&mut self, bodies: &Bodies<'a>) {
        let everything = mentions(bodies, |it| contract(it).chain(&it.post).chain(&it.body));
        let from_contract = mentions(bodies, contract);
        for (idx, function) in bodies.functions.iter().enumerate() {
            if comes_back(idx, &from_contract[idx], &everything) {
                let name = &function.decl.name.text;
                self.error(function.decl.span, format!("function {name} recurses via its precondition"));
            }
        }
    }
}

fn contract<'f, 'a>(function: &'f Function<'a>) -> impl Iterator<Item = &'f Node<'a>> {
    function.pre.iter().chain(function.decreases.iter().flat_map(|it| it.exps()))
}

/// What these parts of each function mention.
pub fn mentions<'f, 'a: 'f, I: Iterator<Item = &'f Node<'a>>>(
    bodies: &'f Bodies<'a>,
    parts: impl Fn(&'f Function<'a>) -> I,
) -> Mentions {
    let mut res = Vec::new();
    for function in &bodies.functions {
        let mut mentioned = Vec::new();
        parts(function).for_each(|it| {
            it.each(&mut |it| {
                if let Op::Function(id) = it.op {
                    mentioned.push(id.index());
                }
            })
        });
        mentioned.sort_unstable();
        mentioned.dedup();
        res.push(mentioned);
    }
    res
}

/// Whether one comes from `first` to `start`.
pub fn comes_back(start: usize, first: &[usize], graph: &Mentions) -> bool {
    reachable(first, graph).contains(&start)
}

/// What one comes to from these, themselves included.
pub fn reachable(from: &[usize], graph: &Mentions) -> FxHashSet<usize> {
    let mut seen: FxHashSet<usize> = FxHashSet::default();
    let mut todo = from.to_vec();
    while let Some(it) = todo.pop() {
        if seen.insert(it) {
            todo.extend(&graph[it]);
        }
    }
    seen
}

//! Functions that apply themselves.
//!
//! Knows: which function mentions which. Never: what else is wrong with them.
//! Source: silver's `Functions.scala`.

use super::Consistency;
use crate::check::tree::{Bodies, Function, Node, Op};

/// For each function, the functions that it mentions.
pub type Mentions = Vec<Vec<usize>>;

impl<'a> Consistency<'_, 'a> {
    /// No function comes back to itself through its own precondition.
    pub fn recursive_preconditions(&mut self, bodies: &Bodies<'a>) {
        let everything = components(&mentions(bodies, |it| contract(it).chain(&it.post).chain(&it.body)));
        let from_contract = mentions(bodies, contract);
        for (idx, function) in bodies.functions.iter().enumerate() {
            // What it mentions in its contract leads back to it just if both are in one component.
            if from_contract[idx].iter().any(|it| everything[*it] == everything[idx]) {
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

/// The strongly connected component of each function: two have the same number if each leads to the other.
pub fn components(graph: &Mentions) -> Vec<usize> {
    let mut backwards: Mentions = vec![Vec::new(); graph.len()];
    for (from, all) in graph.iter().enumerate() {
        all.iter().for_each(|to| backwards[*to].push(from));
    }
    // Kosaraju: backwards from the function that is left last, and so on, each walk is one component.
    let mut res = vec![usize::MAX; graph.len()];
    for root in leaving_order(graph).into_iter().rev() {
        let mut todo = vec![root];
        while let Some(it) = todo.pop() {
            if res[it] == usize::MAX {
                res[it] = root;
                todo.extend(backwards[it].iter().filter(|it| res[**it] == usize::MAX));
            }
        }
    }
    res
}

/// The functions in the order in which a depth-first walk leaves them.
fn leaving_order(graph: &Mentions) -> Vec<usize> {
    let (mut seen, mut res) = (vec![false; graph.len()], Vec::new());
    for root in 0..graph.len() {
        // Each with the number of its edges that were taken.
        let mut path = if seen[root] { Vec::new() } else { vec![(root, 0)] };
        seen[root] = true;
        while let Some((at, edge)) = path.last_mut() {
            match graph[*at].get(*edge) {
                Some(&next) => {
                    *edge += 1;
                    if !std::mem::replace(&mut seen[next], true) {
                        path.push((next, 0));
                    }
                }
                None => {
                    res.push(*at);
                    path.pop();
                }
            }
        }
    }
    res
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_are_what_leads_to_each_other() {
        let graph = vec![vec![1], vec![2, 3], vec![0], vec![4], vec![3], vec![5], vec![0]];
        let res = components(&graph);
        let same = |a: usize, b: usize| res[a] == res[b];
        assert!(same(0, 1) && same(1, 2) && same(3, 4));
        assert!(!same(2, 3) && !same(0, 6) && !same(5, 6) && !same(5, 0));
    }

    #[test]
    fn long_chains_need_no_stack() {
        let n = 100_000;
        let ring: Mentions = (0..n).map(|it| vec![(it + 1) % n]).collect();
        assert!(components(&ring).windows(2).all(|it| it[0] == it[1]));
    }
}

//! The loops of a function, and an order of its blocks in which each comes after all that lead to it, but for rounds.

use super::blocks::Blocks;

/// What is found: see [`super::Flow`].
pub(super) struct Loops {
    pub(super) orders: Vec<Box<[u32]>>,
    pub(super) nests: Vec<Box<[u32]>>,
    pub(super) headers: Vec<u32>,
}

/// Blocks that are looked at together: those of a function, or of a loop without the edges to its header.
struct Part {
    blocks: Vec<u32>,
    header: Option<u32>,
}

pub(super) fn loops(blocks: &Blocks) -> Loops {
    let count = blocks.len();
    let mut orders: Vec<Vec<u32>> = vec![Vec::new(); count];
    let mut nests: Vec<Vec<u32>> = vec![Vec::new(); count];
    let mut headers = Vec::new();
    // The innermost part that a block was found to be in.
    let mut part_of = vec![0; count];
    let mut parts = vec![Part { blocks: (0..count as u32).collect(), header: None }];
    let mut at = 0;
    while at < parts.len() {
        let part = std::mem::replace(&mut parts[at], Part { blocks: Vec::new(), header: None });
        let within = |from: u32| {
            let ways = blocks.ways(from as usize).iter().map(|it| it.1);
            ways.filter(|&to| part_of[to as usize] == at && Some(to) != part.header).collect::<Vec<u32>>()
        };
        let components = components(&part.blocks, count, &within);
        let mut found = Vec::new();
        for (order, component) in components.into_iter().enumerate() {
            component.iter().for_each(|&it| orders[it as usize].push(order as u32));
            let goes_round = component.len() > 1 || within(component[0]).contains(&component[0]);
            if goes_round {
                found.push(component);
            }
        }
        for mut component in found {
            component.sort_unstable();
            let inside = |block: u32| component.binary_search(&block).is_ok();
            // Entered first: the start of the function, or a block that one outside of it leads to.
            let is_entered = |it: &u32| blocks.before(*it as usize).iter().any(|&from| !inside(from));
            let entered = component.iter().copied().find(is_entered);
            let start = inside(0).then_some(0);
            let header = start.or(entered).unwrap_or(component[0]);
            let number = headers.len() as u32;
            headers.push(header);
            for &block in &component {
                nests[block as usize].push(number);
                part_of[block as usize] = parts.len();
            }
            parts.push(Part { blocks: component, header: Some(header) });
        }
        at += 1;
    }
    let boxed = |it: Vec<Vec<u32>>| it.into_iter().map(Vec::into_boxed_slice).collect();
    Loops { orders: boxed(orders), nests: boxed(nests), headers }
}

/// The strong components of some blocks, each before those that it leads to. Tarjan's, with a stack of its own.
fn components(blocks: &[u32], count: usize, within: &dyn Fn(u32) -> Vec<u32>) -> Vec<Vec<u32>> {
    const NEW: u32 = u32::MAX;
    let mut index = vec![NEW; count];
    let mut low = vec![0; count];
    let mut waits = vec![false; count];
    let mut stack: Vec<u32> = Vec::new();
    let mut next = 0;
    let mut res = Vec::new();
    for &root in blocks {
        if index[root as usize] != NEW {
            continue;
        }
        let mut work: Vec<(u32, Vec<u32>)> = Vec::new();
        let mut open = Some(root);
        loop {
            if let Some(block) = open.take() {
                index[block as usize] = next;
                low[block as usize] = next;
                next += 1;
                stack.push(block);
                waits[block as usize] = true;
                work.push((block, within(block)));
            }
            let Some((block, ways)) = work.last_mut() else { break };
            let block = *block;
            match ways.pop() {
                Some(to) if index[to as usize] == NEW => open = Some(to),
                Some(to) if waits[to as usize] => {
                    low[block as usize] = low[block as usize].min(index[to as usize]);
                }
                Some(_) => {}
                None => {
                    work.pop();
                    if let Some((before, _)) = work.last() {
                        low[*before as usize] = low[*before as usize].min(low[block as usize]);
                    }
                    if low[block as usize] == index[block as usize] {
                        let mut component = Vec::new();
                        while let Some(it) = stack.pop() {
                            waits[it as usize] = false;
                            component.push(it);
                            if it == block {
                                break;
                            }
                        }
                        component.sort_unstable();
                        res.push(component);
                    }
                }
            }
        }
    }
    res.reverse();
    res
}

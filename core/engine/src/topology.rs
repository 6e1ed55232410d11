//! Graphs of control: their loops, and an order in which each place comes after all that lead to it, but for rounds.
//!
//! Knows: places by number, edges, how often loops have gone round. Never: what stands at a place, states.
//! Source: Tarjan 1972 (strong components); a loop is a strong component, its header the place by which it is entered
//! first, and what is left without the edges to the header has its loops in turn: so irreducible graphs need nothing
//! of their own.

use smallvec::SmallVec;

/// The order and the loops of a graph of control.
#[derive(Debug)]
pub struct Topology {
    /// The edges out of each place.
    ways: Vec<Vec<u32>>,
    /// For each place those from which an edge leads to it, as often as one does.
    before: Vec<Vec<u32>>,
    /// For each place whether no way leads from it to where control is given back.
    only_ends: Vec<bool>,
    /// For each place its place in the order: at each level, from the outermost, that among its loop's parts.
    orders: Vec<Box<[u32]>>,
    /// For each place the loops that it is in, by number, from the outermost: one less than it has orders.
    nests: Vec<Box<[u32]>>,
    /// For each loop, whether a way leads out of it to where the program goes on.
    exits: Vec<bool>,
    /// The header of each loop.
    headers: Vec<u32>,
}

impl Topology {
    /// The topology of a graph which is entered at place 0; `returns` tells of a place whether control is given back
    /// there.
    pub fn of(ways: Vec<Vec<u32>>, returns: &dyn Fn(u32) -> bool) -> Topology {
        let mut before = vec![Vec::new(); ways.len()];
        for (from, to) in ways.iter().enumerate() {
            to.iter().for_each(|it| before[*it as usize].push(from as u32));
        }
        let mut only_ends = vec![true; ways.len()];
        let mut work: Vec<u32> = (0..ways.len() as u32).filter(|it| returns(*it)).collect();
        while let Some(place) = work.pop() {
            if std::mem::take(&mut only_ends[place as usize]) {
                work.extend(&before[place as usize]);
            }
        }
        let Loops { orders, nests, headers } = loops(&ways, &before);
        let mut exits = vec![false; headers.len()];
        for (place, nest) in nests.iter().enumerate() {
            for &to in ways[place].iter().filter(|it| !only_ends[**it as usize]) {
                let kept = nest.iter().zip(&nests[to as usize]).take_while(|(a, b)| a == b).count();
                nest[kept..].iter().for_each(|it| exits[*it as usize] = true);
            }
        }
        Topology { ways, before, only_ends, orders, nests, exits, headers }
    }

    /// The place of the parts that a place is in, in the order.
    pub fn orders(&self, place: u32) -> &[u32] {
        &self.orders[place as usize]
    }

    /// The loops around a place, the outermost first.
    pub fn nest(&self, place: u32) -> &[u32] {
        &self.nests[place as usize]
    }

    /// How many loops there are; they are numbered from 0.
    pub fn loops(&self) -> u32 {
        self.headers.len() as u32
    }

    /// The first place of a loop.
    pub fn header(&self, of: u32) -> u32 {
        self.headers[of as usize]
    }

    /// The loop whose header this place is.
    pub fn headed(&self, place: u32) -> Option<u32> {
        let innermost = *self.nests[place as usize].last()?;
        (self.headers[innermost as usize] == place).then_some(innermost)
    }

    /// The number of a loop among those of its function, in the order in which their headers stand in the code.
    pub fn index(&self, of: u32) -> u32 {
        let header = self.header(of);
        self.headers.iter().filter(|it| **it < header).count() as u32
    }

    /// Whether several ways lead to a place.
    pub fn joins(&self, place: u32) -> bool {
        self.before[place as usize].len() > 1
    }

    /// The places from which an edge leads to a place, as often as one does.
    pub fn before(&self, place: u32) -> &[u32] {
        &self.before[place as usize]
    }

    /// The level of the outermost loop that can be left from a place by one of its edges; that of none, if none is.
    /// A way to where the program can only end (a failed assertion) does not leave a loop that has others.
    pub fn left_by(&self, place: u32) -> usize {
        let nest = self.nest(place);
        let left = |&to: &u32| {
            let kept = nest.iter().zip(self.nest(to)).take_while(|(a, b)| a == b).count();
            let only_ends = self.only_ends[to as usize];
            kept + nest[kept..].iter().take_while(|it| only_ends && self.exits[**it as usize]).count()
        };
        self.ways[place as usize].iter().map(left).min().unwrap_or(nest.len())
    }
}

/// The iterations of the loops around a place, counted within one call.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Rounds {
    /// The iterations of each loop around the place, the outermost first.
    pub loops: SmallVec<[LoopRounds; 2]>,
    /// Whether something was decided in this call that the program does not decide by itself.
    pub asked: bool,
}

/// The iterations of one loop, counted since it was entered.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LoopRounds {
    /// The number of iterations that were begun.
    pub made: u32,
    /// The number of iterations of which the program did not decide by itself whether they are made.
    pub open: u32,
    /// Whether a decision in this iteration that could leave the loop was not the program's own.
    pub asked: bool,
}

impl Rounds {
    /// Control goes from one place to another; `asked` says whether the program did not decide that by itself.
    pub fn go(&mut self, topology: &Topology, from: u32, to: u32, asked: bool) {
        if asked {
            self.loops.iter_mut().skip(topology.left_by(from)).for_each(|it| it.asked = true);
        }
        let (before, after) = (topology.nest(from), topology.nest(to));
        let common = before.iter().zip(after).take_while(|(a, b)| a == b).count();
        self.loops.truncate(common);
        let goes_round = common == after.len() && topology.headed(to).is_some();
        self.loops.resize(after.len(), LoopRounds::default());
        if goes_round && let Some(round) = self.loops.last_mut() {
            round.made += 1;
            round.open += u32::from(round.asked);
            round.asked = false;
        }
    }

    /// The counts of a path merged from two that stand at one place: for each loop the larger number of open
    /// iterations.
    pub fn joined(&self, other: &Rounds) -> Rounds {
        let mut res = self.clone();
        res.asked |= other.asked;
        for (mine, theirs) in res.loops.iter_mut().zip(&other.loops) {
            mine.open = mine.open.max(theirs.open);
            mine.asked |= theirs.asked;
        }
        res
    }

    /// Appends where a place is in the order, with the rounds of the loops around it.
    pub fn order(&self, topology: &Topology, place: u32, into: &mut Vec<u32>) {
        for (level, order) in topology.orders(place).iter().enumerate() {
            into.push(*order);
            into.extend(self.loops.get(level).map(|it| it.made));
        }
    }
}

struct Loops {
    orders: Vec<Box<[u32]>>,
    nests: Vec<Box<[u32]>>,
    headers: Vec<u32>,
}

/// Places that are looked at together: all, or those of a loop without the edges to its header.
struct Part {
    places: Vec<u32>,
    header: Option<u32>,
}

fn loops(ways: &[Vec<u32>], before: &[Vec<u32>]) -> Loops {
    let count = ways.len();
    let mut orders: Vec<Vec<u32>> = vec![Vec::new(); count];
    let mut nests: Vec<Vec<u32>> = vec![Vec::new(); count];
    let mut headers = Vec::new();
    // The innermost part that a place was found to be in.
    let mut part_of = vec![0; count];
    let mut parts = vec![Part { places: (0..count as u32).collect(), header: None }];
    let mut at = 0;
    while at < parts.len() {
        let part = std::mem::replace(&mut parts[at], Part { places: Vec::new(), header: None });
        let within = |from: u32| {
            let ways = ways[from as usize].iter().copied();
            ways.filter(|&to| part_of[to as usize] == at && Some(to) != part.header).collect::<Vec<u32>>()
        };
        let components = components(&part.places, count, &within);
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
            let inside = |place: u32| component.binary_search(&place).is_ok();
            // Entered first: the start, or a place that one outside of it leads to.
            let is_entered = |it: &u32| before[*it as usize].iter().any(|&from| !inside(from));
            let entered = component.iter().copied().find(is_entered);
            let start = inside(0).then_some(0);
            let header = start.or(entered).unwrap_or(component[0]);
            let number = headers.len() as u32;
            headers.push(header);
            for &place in &component {
                nests[place as usize].push(number);
                part_of[place as usize] = parts.len();
            }
            parts.push(Part { places: component, header: Some(header) });
        }
        at += 1;
    }
    let boxed = |it: Vec<Vec<u32>>| it.into_iter().map(Vec::into_boxed_slice).collect();
    Loops { orders: boxed(orders), nests: boxed(nests), headers }
}

/// The strong components of some places, each before those that it leads to. Tarjan's, with a stack of its own.
fn components(places: &[u32], count: usize, within: &dyn Fn(u32) -> Vec<u32>) -> Vec<Vec<u32>> {
    const NEW: u32 = u32::MAX;
    let mut index = vec![NEW; count];
    let mut low = vec![0; count];
    let mut waits = vec![false; count];
    let mut stack: Vec<u32> = Vec::new();
    let mut next = 0;
    let mut res = Vec::new();
    for &root in places {
        if index[root as usize] != NEW {
            continue;
        }
        let mut work: Vec<(u32, Vec<u32>)> = Vec::new();
        let mut open = Some(root);
        loop {
            if let Some(place) = open.take() {
                index[place as usize] = next;
                low[place as usize] = next;
                next += 1;
                stack.push(place);
                waits[place as usize] = true;
                work.push((place, within(place)));
            }
            let Some((place, ways)) = work.last_mut() else { break };
            let place = *place;
            match ways.pop() {
                Some(to) if index[to as usize] == NEW => open = Some(to),
                Some(to) if waits[to as usize] => {
                    low[place as usize] = low[place as usize].min(index[to as usize]);
                }
                Some(_) => {}
                None => {
                    work.pop();
                    if let Some((before, _)) = work.last() {
                        low[*before as usize] = low[*before as usize].min(low[place as usize]);
                    }
                    if low[place as usize] == index[place as usize] {
                        let mut component = Vec::new();
                        while let Some(it) = stack.pop() {
                            waits[it as usize] = false;
                            component.push(it);
                            if it == place {
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

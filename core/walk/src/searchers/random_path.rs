//! A random walk from the root of the execution tree: at each node either side is as likely, so that a loop that
//! forks many paths does not crowd out the rest.
//!
//! Source: Cadar, Dunbar, Engler 2008 (KLEE), section 3.4.

use super::{Random, Searcher};
use effigy_engine::PathId;
use rustc_hash::FxHashMap;

/// A node of the tree. Leaves are paths; inner nodes have at least two children, but for the root: where one side is done
/// with, there is nothing to choose.
#[derive(Debug)]
struct Node {
    parent: Option<usize>,
    children: Vec<usize>,
    path: Option<PathId>,
    /// The number of waiting paths below.
    waiting: usize,
}

#[derive(Debug)]
pub(super) struct RandomPath {
    nodes: Vec<Node>,
    free: Vec<usize>,
    leaf_of: FxHashMap<PathId, usize>,
    random: Random,
}

impl RandomPath {
    pub(super) fn new(random: Random) -> RandomPath {
        let root = Node { parent: None, children: Vec::new(), path: None, waiting: 0 };
        RandomPath { nodes: vec![root], free: Vec::new(), leaf_of: FxHashMap::default(), random }
    }

    fn node(&mut self, parent: usize, path: PathId) -> usize {
        let node = Node { parent: Some(parent), children: Vec::new(), path: Some(path), waiting: 0 };
        let at = match self.free.pop() {
            Some(at) => {
                self.nodes[at] = node;
                at
            }
            None => {
                self.nodes.push(node);
                self.nodes.len() - 1
            }
        };
        self.nodes[parent].children.push(at);
        self.leaf_of.insert(path, at);
        at
    }

    fn count(&mut self, mut at: usize, up: bool) {
        loop {
            let node = &mut self.nodes[at];
            node.waiting = if up { node.waiting + 1 } else { node.waiting - 1 };
            match node.parent {
                Some(parent) => at = parent,
                None => return,
            }
        }
    }

    /// Removes a leaf; a node that has one other child gives its place to it.
    fn prune(&mut self, at: usize) {
        let Some(parent) = self.nodes[at].parent else { return };
        self.nodes[parent].children.retain(|it| *it != at);
        self.free.push(at);
        let (&[only], Some(above)) = (&self.nodes[parent].children[..], self.nodes[parent].parent) else { return };
        self.nodes[only].parent = Some(above);
        let places = self.nodes[above].children.iter_mut();
        places.filter(|it| **it == parent).for_each(|it| *it = only);
        self.free.push(parent);
    }
}

impl Searcher for RandomPath {
    fn add(&mut self, path: PathId, _: bool) {
        let leaf = match self.leaf_of.get(&path) {
            Some(&leaf) => leaf,
            None => self.node(0, path),
        };
        if self.nodes[leaf].waiting == 0 {
            self.count(leaf, true);
        }
    }

    fn split(&mut self, parent: PathId, children: &[PathId]) {
        let node = self.leaf_of.remove(&parent).unwrap_or_default();
        match children {
            [] => return self.prune(node),
            // It goes on in another's name.
            &[only] if node != 0 => {
                self.nodes[node].path = Some(only);
                self.leaf_of.insert(only, node);
                return;
            }
            _ => self.nodes[node].path = None,
        }
        for &child in children {
            self.node(node, child);
        }
    }

    fn ended(&mut self, path: PathId) {
        if let Some(leaf) = self.leaf_of.remove(&path) {
            if self.nodes[leaf].waiting > 0 {
                self.count(leaf, false);
            }
            self.prune(leaf);
        }
    }

    fn remove(&mut self, path: PathId) {
        if let Some(&leaf) = self.leaf_of.get(&path)
            && self.nodes[leaf].waiting > 0
        {
            self.count(leaf, false);
        }
    }

    fn select(&mut self) -> Option<PathId> {
        let mut at = 0;
        if self.nodes[0].waiting == 0 {
            return None;
        }
        loop {
            if let Some(path) = self.nodes[at].path {
                self.count(at, false);
                return Some(path);
            }
            let open = || self.nodes[at].children.iter().copied().filter(|&it| self.nodes[it].waiting > 0);
            at = match open().count() {
                0 | 1 => open().next()?,
                count => open().nth(self.random.below(count))?,
            };
        }
    }
}

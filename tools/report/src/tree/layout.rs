//! Where the parts of a drawn tree stand.
//!
//! Knows: sizes and places. Never: how anything is drawn.
//! Source: Buchheim, Jünger, Leipert 2002, "Improving Walker's algorithm to run in linear time",
//! with widths of nodes, and without recursion: a parent stands before its children, so the first walk runs backwards.

use super::shown::{self, Shape};
use super::{Showing, Tree, children, states};
use unicode_width::UnicodeWidthStr;

/// A column of text in a box, and its line height.
pub(crate) const COLUMN: f64 = 7.25;
pub(crate) const LINE: f64 = 16.0;
/// Between two neighbours.
const GAP: f64 = 22.0;
/// Below a level, and below one with forks: their arcs have labels.
const LEVEL_GAP: f64 = 18.0;
const FORK_GAP: f64 = 34.0;

/// A drawn tree.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Layout {
    /// For each node of the tree its place, then the boxes at the ends of the paths; a parent before its children.
    pub places: Vec<Place>,
    /// The height of each level, and its upper edge.
    pub levels: Vec<Level>,
    /// Of all.
    pub width: f64,
    /// Of all.
    pub height: f64,
}

/// A level.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Level {
    /// Its upper edge.
    pub y: f64,
    /// The height of its highest part.
    pub height: f64,
    /// What is free below it.
    pub gap: f64,
}

/// A node, or the box at the end of a path.
#[derive(Clone, PartialEq, Debug)]
pub struct Place {
    /// The node that it shows.
    pub node: usize,
    /// Whether it is the box at the end of the path that ends there.
    pub end: bool,
    /// The index of the place above.
    pub parent: Option<usize>,
    /// The number of its level.
    pub level: usize,
    /// The middle.
    pub x: f64,
    /// The upper edge.
    pub y: f64,
    /// From side to side.
    pub width: f64,
    /// From the upper edge down.
    pub height: f64,
}

/// Places without overlaps; a parent is in the middle above its children.
pub fn layout(tree: &Tree) -> Layout {
    let count = tree.nodes.len();
    let mut places: Vec<Place> = Vec::with_capacity(count);
    let mut below: Vec<Vec<usize>> = Vec::with_capacity(count);
    for (at, node) in tree.nodes.iter().enumerate() {
        if tree.showing != Showing::Statements {
            let (width, height) = box_size(&states::boxed(&states::of_node(tree, at)));
            places.push(Place { node: at, end: false, parent: None, level: 0, x: 0.0, y: 0.0, width, height });
            below.push(children(tree, at).collect());
            continue;
        }
        let size = 16.0 + 7.0 * node.statement.to_string().len().max(2) as f64;
        let size = if shown::shape(tree, at) == Shape::Forking { size + 10.0 } else { size };
        places.push(Place { node: at, end: false, parent: None, level: 0, x: 0.0, y: 0.0, width: size, height: size });
        below.push(children(tree, at).collect());
    }
    for (at, node) in tree.nodes.iter().enumerate() {
        if let Some(leaf) = node.leaf.as_ref().filter(|_| states::has_own_end(tree, node)) {
            let (width, height) = match states::of_end(tree, node, leaf) {
                Some(said) if tree.showing != Showing::Statements => box_size(&states::boxed(&said)),
                _ => size_of(shown::end_box(node, leaf).lines.iter().map(String::as_str)),
            };
            below[at].push(places.len());
            below.push(Vec::new());
            places.push(Place { node: at, end: true, parent: None, level: 0, x: 0.0, y: 0.0, width, height });
        }
    }
    for at in 0..places.len() {
        for child in &below[at] {
            places[*child].parent = Some(at);
            places[*child].level = places[at].level + 1;
        }
    }
    let widths: Vec<f64> = places.iter().map(|it| it.width).collect();
    for (place, x) in places.iter_mut().zip(columns(&below, &widths)) {
        place.x = x;
    }
    let mut levels: Vec<Level> = Vec::new();
    for (at, it) in places.iter().enumerate() {
        if levels.len() <= it.level {
            levels.resize(it.level + 1, Level { y: 0.0, height: 0.0, gap: LEVEL_GAP });
        }
        let level = &mut levels[it.level];
        level.height = level.height.max(it.height);
        if below[at].len() > 1 {
            level.gap = FORK_GAP;
        }
    }
    let (mut y, mut height) = (0.0, 0.0);
    for level in &mut levels {
        level.y = y;
        height = y + level.height;
        y = height + level.gap;
    }
    // A node that hangs on nothing (there is none in a tree) has its column like the root.
    let left = places.iter().map(|it| it.x - it.width / 2.0).fold(f64::INFINITY, f64::min);
    let mut width: f64 = 0.0;
    for it in &mut places {
        it.x -= left;
        it.y = levels[it.level].y;
        width = width.max(it.x + it.width / 2.0);
    }
    Layout { places, levels, width, height }
}

fn box_size(lines: &[(&'static str, String)]) -> (f64, f64) {
    size_of(lines.iter().map(|it| it.1.as_str()))
}

/// Width and height of a box with these lines.
fn size_of<'a>(lines: impl Iterator<Item = &'a str> + Clone) -> (f64, f64) {
    let columns = lines.clone().map(UnicodeWidthStr::width).max().unwrap_or(0);
    (columns as f64 * COLUMN + 16.0, lines.count() as f64 * LINE + 10.0)
}

/// The middles, for the children and the width of each node. Children have greater indices than their parents.
fn columns(below: &[Vec<usize>], widths: &[f64]) -> Vec<f64> {
    let mut walk = Walk::new(below, widths);
    for at in (0..below.len()).rev() {
        walk.arrange(at);
    }
    // Second walk: what was moved as a whole moves all below it.
    let mut moved = vec![0.0; below.len()];
    for at in 0..below.len() {
        for child in &below[at] {
            moved[*child] = moved[at] + walk.modifier[at];
        }
    }
    walk.x.iter().zip(&moved).map(|(x, moved)| x + moved).collect()
}

/// The first walk, in the paper's words.
struct Walk<'a> {
    below: &'a [Vec<usize>],
    widths: &'a [f64],
    /// Preliminary, relative to the parent's modifier.
    x: Vec<f64>,
    /// The middle above the children, in the children's coordinates.
    middle: Vec<f64>,
    modifier: Vec<f64>,
    thread: Vec<Option<usize>>,
    ancestor: Vec<usize>,
    parent: Vec<usize>,
    /// The place among the siblings.
    number: Vec<usize>,
    shift: Vec<f64>,
    change: Vec<f64>,
}

impl<'a> Walk<'a> {
    fn new(below: &'a [Vec<usize>], widths: &'a [f64]) -> Self {
        let count = below.len();
        let (mut parent, mut number) = (vec![usize::MAX; count], vec![0; count]);
        for (at, children) in below.iter().enumerate() {
            for (place, child) in children.iter().enumerate() {
                parent[*child] = at;
                number[*child] = place;
            }
        }
        Walk {
            below,
            widths,
            x: vec![0.0; count],
            middle: vec![0.0; count],
            modifier: vec![0.0; count],
            thread: vec![None; count],
            ancestor: (0..count).collect(),
            parent,
            number,
            shift: vec![0.0; count],
            change: vec![0.0; count],
        }
    }

    /// Places the finished subtrees of `at` beside each other.
    fn arrange(&mut self, at: usize) {
        let children = &self.below[at];
        let (Some(first), Some(last)) = (children.first(), children.last()) else { return };
        let mut default = *first;
        for (place, child) in children.iter().enumerate() {
            let child = *child;
            if place == 0 {
                self.x[child] = self.middle[child];
            } else {
                let left = children[place - 1];
                self.x[child] = self.x[left] + self.distance(left, child);
                self.modifier[child] = self.x[child] - self.middle[child];
                default = self.apportion(child, left, *first, default);
            }
        }
        let (mut shift, mut change) = (0.0, 0.0);
        for child in children.iter().rev() {
            self.x[*child] += shift;
            self.modifier[*child] += shift;
            change += self.change[*child];
            shift += self.shift[*child] + change;
        }
        self.middle[at] = (self.x[*first] + self.x[*last]) / 2.0;
        self.x[at] = self.middle[at];
    }

    fn distance(&self, left: usize, right: usize) -> f64 {
        (self.widths[left] + self.widths[right]) / 2.0 + GAP
    }

    fn next_left(&self, at: usize) -> Option<usize> {
        self.below[at].first().copied().or(self.thread[at])
    }

    fn next_right(&self, at: usize) -> Option<usize> {
        self.below[at].last().copied().or(self.thread[at])
    }

    /// Moves the subtree of `at` so far that it does not touch those to its left: along the two contours between them.
    fn apportion(&mut self, at: usize, left: usize, leftmost: usize, mut default: usize) -> usize {
        let (mut inner_right, mut outer_right, mut inner_left, mut outer_left) = (at, at, left, leftmost);
        let mut sum_inner_right = self.modifier[inner_right];
        let mut sum_outer_right = self.modifier[outer_right];
        let mut sum_inner_left = self.modifier[inner_left];
        let mut sum_outer_left = self.modifier[outer_left];
        while let (Some(l), Some(r)) = (self.next_right(inner_left), self.next_left(inner_right)) {
            (inner_left, inner_right) = (l, r);
            // The outer contours reach at least as deep as the inner ones.
            outer_left = self.next_left(outer_left).unwrap_or(outer_left);
            outer_right = self.next_right(outer_right).unwrap_or(outer_right);
            self.ancestor[outer_right] = at;
            let gap = self.x[inner_left] + sum_inner_left - self.x[inner_right] - sum_inner_right;
            let shift = gap + self.distance(inner_left, inner_right);
            if shift > 0.0 {
                let owner = self.ancestor[inner_left];
                let owner = if self.parent[owner] == self.parent[at] { owner } else { default };
                self.move_subtree(owner, at, shift);
                sum_inner_right += shift;
                sum_outer_right += shift;
            }
            sum_inner_left += self.modifier[inner_left];
            sum_inner_right += self.modifier[inner_right];
            sum_outer_left += self.modifier[outer_left];
            sum_outer_right += self.modifier[outer_right];
        }
        let beyond = self.next_right(inner_left);
        if beyond.is_some() && self.next_right(outer_right).is_none() {
            self.thread[outer_right] = beyond;
            self.modifier[outer_right] += sum_inner_left - sum_outer_right;
        }
        let beyond = self.next_left(inner_right);
        if beyond.is_some() && self.next_left(outer_left).is_none() {
            self.thread[outer_left] = beyond;
            self.modifier[outer_left] += sum_inner_right - sum_outer_left;
            default = at;
        }
        default
    }

    /// Moves `right`; what stands between it and `left` will get its share.
    fn move_subtree(&mut self, left: usize, right: usize, shift: f64) {
        let between = (self.number[right] - self.number[left]) as f64;
        self.change[right] -= shift / between;
        self.shift[right] += shift;
        self.change[left] += shift / between;
        self.x[right] += shift;
        self.modifier[right] += shift;
    }
}

//! Where the parts of a drawn tree stand.
//!
//! Knows: sizes and places. Never: how anything is drawn.
//! Source: van der Ploeg 2014, "Drawing non-layered tidy trees in linear time": each subtree as close to its neighbour as
//! their outlines let it, so that a high box moves nothing but what hangs on it. Without recursion: a parent stands before
//! its children, so the walk runs backwards; outlines are lists that are joined at their lower ends, not threads.

use super::wording::{self, Shape};
use super::{StateDetail, Tree, children, states};
use unicode_width::UnicodeWidthStr;

/// A column of text in a box, and its line height.
pub(crate) const COLUMN: f64 = 7.25;
pub(crate) const LINE: f64 = 16.0;
/// The horizontal gap between two neighbours.
const GAP: f64 = 22.0;
/// Below a node, and below one that forks: its arcs have labels.
const NODE_GAP: f64 = 18.0;
const FORK_GAP: f64 = 34.0;

/// The drawing of a tree: where each node is.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Layout {
    /// For each node of the tree its place, then the boxes at the ends of the paths; a parent before its children.
    pub places: Vec<Place>,
    /// The width of the whole drawing.
    pub width: f64,
    /// The height of the whole drawing.
    pub height: f64,
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
    /// The horizontal position of the middle.
    pub x: f64,
    /// The vertical position of the upper edge.
    pub y: f64,
    /// The width, from side to side.
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
        if tree.showing != StateDetail::Statements {
            let (width, height) = box_size(&states::boxed(&states::of_node(tree, at)));
            places.push(Place { node: at, end: false, parent: None, x: 0.0, y: 0.0, width, height });
            below.push(children(tree, at).collect());
            continue;
        }
        let size = 16.0 + 7.0 * node.statement.to_string().len().max(2) as f64;
        let size = if wording::shape(tree, at) == Shape::Forking { size + 10.0 } else { size };
        places.push(Place { node: at, end: false, parent: None, x: 0.0, y: 0.0, width: size, height: size });
        below.push(children(tree, at).collect());
    }
    for (at, node) in tree.nodes.iter().enumerate() {
        if let Some(leaf) = node.leaf.as_ref().filter(|_| states::has_own_end(tree, node)) {
            let (width, height) = match states::of_end(tree, node, leaf) {
                Some(said) if tree.showing != StateDetail::Statements => box_size(&states::boxed(&said)),
                _ => size_of(wording::end_box(node, leaf).lines.iter().map(String::as_str)),
            };
            below[at].push(places.len());
            below.push(Vec::new());
            places.push(Place { node: at, end: true, parent: None, x: 0.0, y: 0.0, width, height });
        }
    }
    for at in 0..places.len() {
        let gap = if below[at].len() > 1 { FORK_GAP } else { NODE_GAP };
        let y = places[at].y + places[at].height + gap;
        for child in &below[at] {
            places[*child].parent = Some(at);
            places[*child].y = y;
        }
    }
    for (at, x) in columns(&below, &places).into_iter().enumerate() {
        places[at].x = x;
    }
    // A node that hangs on nothing (there is none in a tree) has its column like the root.
    let left = places.iter().map(|it| it.x - it.width / 2.0).fold(f64::INFINITY, f64::min);
    let (mut width, mut height) = (0.0_f64, 0.0_f64);
    for it in &mut places {
        it.x -= left;
        width = width.max(it.x + it.width / 2.0);
        height = height.max(it.y + it.height);
    }
    Layout { places, width, height }
}

fn box_size(lines: &[(&'static str, String)]) -> (f64, f64) {
    size_of(lines.iter().map(|it| it.1.as_str()))
}

/// Width and height of a box with these lines.
fn size_of<'a>(lines: impl Iterator<Item = &'a str> + Clone) -> (f64, f64) {
    let columns = lines.clone().map(UnicodeWidthStr::width).max().unwrap_or(0);
    (columns as f64 * COLUMN + 16.0, lines.count() as f64 * LINE + 10.0)
}

/// One side of a subtree: how far out it reaches, from its root down.
#[derive(Default)]
struct Contour {
    /// Lower edges, each with what is outermost above it and below the next; the highest last.
    parts: Vec<(f64, f64)>,
    /// To be added to all of these.
    shift: f64,
}

impl Contour {
    fn bottom(&self) -> f64 {
        self.parts.first().map_or(f64::NEG_INFINITY, |it| it.0)
    }

    /// The parts from the highest down.
    fn down_the_rows(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        self.parts.iter().rev().map(|it| (it.0, it.1 + self.shift))
    }

    /// What is seen from the side on which `self` stands before `behind`.
    fn before(self, mut behind: Contour) -> Contour {
        let bottom = self.bottom();
        if bottom >= behind.bottom() {
            return self;
        }
        while behind.parts.last().is_some_and(|it| it.0 <= bottom) {
            behind.parts.pop();
        }
        let shift = self.shift - behind.shift;
        behind.parts.extend(self.parts.into_iter().map(|it| (it.0, it.1 + shift)));
        behind
    }
}

/// Both sides of a subtree, its root at 0.
#[derive(Default)]
struct Outline {
    left: Contour,
    right: Contour,
}

/// The middles, for the children and the size of each node. Children have greater indices than their parents.
fn columns(below: &[Vec<usize>], places: &[Place]) -> Vec<f64> {
    let mut outlines: Vec<Outline> = Vec::new();
    outlines.resize_with(places.len(), Outline::default);
    // Relative to the parent.
    let mut x = vec![0.0; places.len()];
    for at in (0..places.len()).rev() {
        let place = &places[at];
        let mut outline = Outline::default();
        for (number, &child) in below[at].iter().enumerate() {
            let mut next = std::mem::take(&mut outlines[child]);
            if number > 0 {
                x[child] = apart(&outline.right, &next.left) + GAP;
                next.left.shift += x[child];
                next.right.shift += x[child];
                next.left = outline.left.before(next.left);
                next.right = next.right.before(outline.right);
            }
            outline = next;
        }
        let middle = match (below[at].first(), below[at].last()) {
            (Some(&first), Some(&last)) => (x[first] + x[last]) / 2.0,
            _ => 0.0,
        };
        below[at].iter().for_each(|&child| x[child] -= middle);
        // Nothing comes close to an end from below.
        let bottom = place.y + place.height + if below[at].is_empty() { NODE_GAP } else { 0.0 };
        for (side, edge) in [(&mut outline.left, -place.width / 2.0), (&mut outline.right, place.width / 2.0)] {
            side.shift -= middle;
            side.parts.push((bottom, edge - side.shift));
        }
        outlines[at] = outline;
    }
    for at in 0..places.len() {
        below[at].iter().for_each(|&child| x[child] += x[at]);
    }
    x
}

/// How far the root of what is to the right has to be moved, so that it touches what is to the left.
fn apart(left: &Contour, right: &Contour) -> f64 {
    let (mut lefts, mut rights) = (left.down_the_rows().peekable(), right.down_the_rows().peekable());
    let mut res = f64::NEG_INFINITY;
    while let (Some(&(left_bottom, left_x)), Some(&(right_bottom, right_x))) = (lefts.peek(), rights.peek()) {
        res = res.max(left_x - right_x);
        if left_bottom <= right_bottom {
            lefts.next();
        }
        if right_bottom <= left_bottom {
            rights.next();
        }
    }
    res
}

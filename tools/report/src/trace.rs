//! An execution tree as a table of values after each statement, case by case.
//!
//! Knows: the layout of King's tables. Never: how values came about, widths of cells (`table`).
//! Source: King 1976, figures 2, 3 and 5.

use crate::table::Table;
use crate::tree::{Node, Tree, children, condition, end, qualified, several_procedures};

/// The same as in the line above.
const UNCHANGED: &str = "-";

/// Renders the whole table as text.
pub fn render(tree: &Tree) -> String {
    table(tree).render()
}

/// A row for each execution; a column for each variable, and one for the path condition if any path has one.
///
/// After a fork each case has a heading and begins with the forking statement again,
/// its values and the new path condition written out (figure 5).
/// The false side of a fork stands before the true one, which often goes on for long.
pub fn table(tree: &Tree) -> Table {
    let has_condition = tree.nodes.iter().any(|it| condition(it).is_some());
    let mut head = vec!["After statement".to_owned()];
    head.extend(tree.variables.iter().cloned());
    if has_condition {
        head.push("pc".to_owned());
    }
    let table = Table { head, rows: Vec::new() };
    let mut writer = Writer { tree, several: several_procedures(tree), has_condition, table, above: None };
    let forks_within = forks_within(tree);
    let mut todo = if tree.nodes.is_empty() { Vec::new() } else { vec![Part::Execution(0)] };
    while let Some(part) = todo.pop() {
        match part {
            Part::Execution(at) => {
                writer.execution(at);
                let cases = cases(tree, at);
                if let [child] = cases[..] {
                    todo.push(Part::Execution(child));
                } else {
                    let back = |place: usize| cases[..place].iter().any(|it| forks_within[*it]);
                    let parts = cases.iter().enumerate();
                    let parts = parts.map(|(place, child)| Part::Case { fork: at, child: *child, back: back(place) });
                    let parts: Vec<_> = parts.collect();
                    todo.extend(parts.into_iter().rev());
                }
            }
            Part::Case { fork, child, back } => {
                writer.case(fork, child, back);
                todo.push(Part::Execution(child));
            }
        }
    }
    writer.table
}

/// What is still to be written.
enum Part {
    /// The row of an execution, and what follows it.
    Execution(usize),
    /// A case of a fork; `back` if rows of other forks stand between it and its own.
    Case { fork: usize, child: usize, back: bool },
}

/// The children in the order of the table: F before T, or as they are.
fn cases(tree: &Tree, at: usize) -> Vec<usize> {
    let mut res: Vec<usize> = children(tree, at).collect();
    let arc = |it: usize| tree.nodes[it].arc.as_deref();
    if res.iter().all(|it| matches!(arc(*it), Some("T" | "F"))) {
        res.sort_by_key(|it| arc(*it) != Some("F"));
    }
    res
}

/// For each node, whether there is a fork at or below it.
fn forks_within(tree: &Tree) -> Vec<bool> {
    let mut res = vec![false; tree.nodes.len()];
    for at in (0..res.len()).rev() {
        let below = children(tree, at).any(|it| res[it]);
        res[at] = below || children(tree, at).nth(1).is_some();
    }
    res
}

struct Writer<'a> {
    tree: &'a Tree,
    several: bool,
    has_condition: bool,
    table: Table,
    /// The values, and the node whose path condition stand in the lines above.
    above: Option<(Vec<String>, usize)>,
}

impl Writer<'_> {
    fn execution(&mut self, at: usize) {
        let node = &self.tree.nodes[at];
        let (values, pc) = match self.above.take() {
            None => (self.values(at), shown_condition(node)),
            Some((old, pc)) => {
                let mut res = self.values(at);
                for (new, old) in res.iter_mut().zip(&old) {
                    if new == old {
                        *new = UNCHANGED.to_owned();
                    }
                }
                let old = shown_condition(&self.tree.nodes[pc]);
                let new = shown_condition(node);
                (res, if new == old { UNCHANGED } else { new })
            }
        };
        let changed = values.iter().map(String::as_str).chain([pc]).any(|it| it != UNCHANGED);
        let statement = qualified(node, self.several);
        self.above = Some((self.values(at), at));
        let Some(leaf) = &node.leaf else { return self.row(statement, values, pc) };
        let result = format!("({})", end(leaf, "cut: the tree goes on", "; "));
        if changed {
            self.row(statement, values, pc);
            self.table.rows.push(vec![String::new(), result]);
        } else {
            self.table.rows.push(vec![statement, result]);
        }
    }

    fn case(&mut self, fork: usize, child: usize, back: bool) {
        let (forking, first) = (&self.tree.nodes[fork], &self.tree.nodes[child]);
        let holds = first.arc_condition.as_deref().or(first.arc.as_deref()).unwrap_or("of the fork");
        let mut heading = format!("Case {holds}");
        if back {
            heading.push_str(&format!(", back at statement {}", qualified(forking, self.several)));
            if let Some(pc) = condition(forking) {
                heading.push_str(&format!(" when {pc}"));
            }
        }
        heading.push(':');
        self.table.rows.push(vec![heading]);
        // An assignment that forked, at a subscript, has its effect on one side.
        let values = match forking.branches {
            true => self.values(fork),
            false => self.shown_values(&first.values_on_arc),
        };
        self.row(qualified(forking, self.several), values.clone(), shown_condition(first));
        self.above = Some((values, child));
    }

    fn row(&mut self, statement: String, values: Vec<String>, pc: &str) {
        let mut row = vec![statement];
        row.extend(values);
        if self.has_condition {
            row.push(pc.to_owned());
        }
        self.table.rows.push(row);
    }

    /// The values at a node, one for each variable.
    fn values(&self, at: usize) -> Vec<String> {
        self.shown_values(&self.tree.nodes[at].values)
    }

    fn shown_values(&self, values: &[String]) -> Vec<String> {
        let value = |place| values.get(place).map_or("?", String::as_str).to_owned();
        (0..self.tree.variables.len()).map(value).collect()
    }
}

fn shown_condition(node: &Node) -> &str {
    condition(node).unwrap_or("true")
}

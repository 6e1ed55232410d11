//! Small trees, built by hand or at random.

use effigy_report::tree::{Leaf, LeafKind, Node, Tree};

/// Builds a tree, node by node.
pub struct Builder {
    pub tree: Tree,
}

impl Builder {
    pub fn new(call: &str, variables: &str) -> Builder {
        let variables = variables.split_whitespace().map(str::to_owned).collect();
        Builder { tree: Tree { call: call.to_owned(), variables, ..Tree::default() } }
    }

    /// A node below `parent`; values are separated by spaces.
    pub fn node(&mut self, parent: Option<usize>, statement: u32, values: &str, condition: &str) -> usize {
        let at = self.tree.nodes.len();
        if let Some(parent) = parent {
            self.tree.nodes[parent].children.push(at);
        }
        self.tree.nodes.push(Node {
            statement,
            procedure: "P".to_owned(),
            parent,
            values: values.split_whitespace().map(str::to_owned).collect(),
            condition: condition.to_owned(),
            ..Node::default()
        });
        at
    }

    pub fn text(&mut self, at: usize, text: &str) {
        self.tree.nodes[at].text = text.to_owned();
    }

    pub fn arc(&mut self, at: usize, label: &str, condition: &str) {
        self.tree.nodes[at].arc = Some(label.to_owned());
        self.tree.nodes[at].arc_condition = Some(condition.to_owned());
    }

    pub fn leaf(&mut self, at: usize, kind: LeafKind, result: &str) {
        self.tree.nodes[at].leaf = Some(Leaf { kind, result: result.to_owned(), state: None });
    }
}

/// Figures 2 and 3.
pub fn sum(a: [&str; 3], sums: [&str; 3]) -> Tree {
    let mut it = Builder::new(&format!("SUM({})", a.join(", ")), "X Y Z A B C");
    let [a, b, c] = a;
    let [x, y, z] = sums;
    let texts =
        ["SUM: PROCEDURE(A, B, C)", "X ← A + B", "Y ← B + C", "Z ← X + Y − B", "RETURN(Z)"].into_iter().enumerate();
    let known = [("?", "?", "?"), (x, "?", "?"), (x, y, "?"), (x, y, z), (x, y, z)];
    let mut last = None;
    for (at, text) in texts {
        let (x, y, z) = known[at];
        let node = it.node(last, at as u32 + 1, &format!("{x} {y} {z} {a} {b} {c}"), "true");
        it.text(node, text);
        last = Some(node);
    }
    it.leaf(4, LeafKind::Completed, &format!("RETURNS {z}"));
    it.tree
}

/// Figures 5 and 6: POWER(α₁, α₂), cut after `rounds` rounds.
pub fn power(rounds: usize) -> Tree {
    let mut it = Builder::new("POWER(α₁, α₂)", "J X Y Z");
    let first = it.node(None, 1, "? α₁ α₂ ?", "true");
    it.text(first, "POWER: PROCEDURE(X, Y)");
    let mut last = it.node(Some(first), 2, "? α₁ α₂ 1", "true");
    it.text(last, "Z ← 1");
    last = it.node(Some(last), 3, "1 α₁ α₂ 1", "true");
    it.text(last, "J ← 1");
    let power = |n: usize| ["1".to_owned(), "α₁".to_owned()].get(n).cloned().unwrap_or(format!("α₁**{n}"));
    let mut pc = "true".to_owned();
    for j in 1..=rounds + 1 {
        let z = power(j - 1);
        let test = it.node(Some(last), 4, &format!("{j} α₁ α₂ {z}"), &pc);
        it.text(test, "IF Y ≥ J THEN");
        it.tree.nodes[test].branches = true;
        if j > rounds {
            it.leaf(test, LeafKind::Cut, "");
            break;
        }
        let (yes, not) = (format!("α₂ ≥ {j}"), format!("¬(α₂ ≥ {j})"));
        let exactly = if j == 1 { not.clone() } else { format!("α₂ = {}", j - 1) };
        let body = it.node(Some(test), 5, &format!("{j} α₁ α₂ {}", power(j)), &yes);
        it.arc(body, "T", &yes);
        it.text(body, "Z ← Z * X");
        let end = it.node(Some(test), 8, &format!("{j} α₁ α₂ {z}"), &exactly);
        it.arc(end, "F", &not);
        it.text(end, "RETURN(Z)");
        it.leaf(end, LeafKind::Completed, &format!("RETURNS {z}"));
        let next = it.node(Some(body), 6, &format!("{} α₁ α₂ {}", j + 1, power(j)), &yes);
        it.text(next, "J ← J + 1");
        last = it.node(Some(next), 7, &format!("{} α₁ α₂ {}", j + 1, power(j)), &yes);
        it.text(last, "GO TO LAB");
        pc = yes;
    }
    it.tree
}

/// Figure 8 for two rounds: the second loop asks again, and never forks.
pub fn two_loops() -> Tree {
    let mut it = Builder::new("TWOLOOPS(α)", "N J K");
    let mut last = it.node(None, 1, "α ? ?", "true");
    let mut pc = "true".to_owned();
    for j in 1..=3 {
        let test = it.node(Some(last), 2, &format!("α {j} ?"), &pc);
        it.tree.nodes[test].branches = true;
        if j == 3 {
            it.leaf(test, LeafKind::Cut, "20 statements");
            break;
        }
        let (yes, not) = (format!("α ≥ {j}"), format!("¬(α ≥ {j})"));
        let exactly = if j == 1 { not.clone() } else { format!("α = {}", j - 1) };
        last = it.node(Some(test), 3, &format!("α {j} ?"), &yes);
        it.arc(last, "T", &yes);
        let mut end = test;
        for k in 1..=j {
            end = it.node(Some(end), 4, &format!("α {j} {k}"), &exactly);
            it.tree.nodes[end].branches = true;
            if k == 1 {
                it.arc(end, "F", &not);
            }
            if k < j {
                end = it.node(Some(end), 5, &format!("α {j} {k}"), &exactly);
            }
        }
        end = it.node(Some(end), 6, &format!("α {j} {j}"), &exactly);
        it.leaf(end, LeafKind::Completed, &format!("RETURNS after {}", j - 1));
        pc = yes;
    }
    it.tree
}

/// A tree in which every number of `choices` adds children to the node that it picks, with a result at each end.
pub fn random(choices: &[(usize, usize)]) -> Tree {
    let mut it = Builder::new("RANDOM()", "A");
    it.node(None, 1, "0", "true");
    for (pick, count) in choices {
        let ends: Vec<usize> = (0..it.tree.nodes.len()).filter(|at| it.tree.nodes[*at].children.is_empty()).collect();
        let parent = ends[pick % ends.len()];
        for case in 0..*count {
            let statement = 1 + (pick * 7 + case) as u32 % 2000;
            let pc = format!("a ≥ {case}{}", " ∧ b ≠ a + 1".repeat(pick % 9));
            let child = it.node(Some(parent), statement, &format!("{case}"), &pc);
            if *count > 1 {
                it.arc(child, &format!("case {case}"), &pc);
            }
        }
        it.tree.nodes[parent].branches = *count > 1 || pick % 2 == 0;
    }
    let kinds = [LeafKind::Completed, LeafKind::Error, LeafKind::Cut, LeafKind::Dropped, LeafKind::Unknown];
    for at in 0..it.tree.nodes.len() {
        if it.tree.nodes[at].children.is_empty() {
            it.leaf(at, kinds[at % kinds.len()], &format!("result-{at:05}."));
        }
    }
    it.tree
}

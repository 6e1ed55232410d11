//! stub
use crate::tree::Tree;
/// stub
pub fn render(tree: &Tree) -> String {
    let mut head = vec!["After".to_owned()];
    head.extend(tree.variables.iter().cloned());
    head.push("pc".into());
    head.push("leaf".into());
    crate::table::Table {
        head,
        rows: tree
            .nodes
            .iter()
            .map(|n| {
                let mut r = vec![n.statement.to_string()];
                r.extend(n.values.iter().cloned());
                r.push(n.condition.clone());
                r.push(n.leaf.as_ref().map_or(String::new(), |l| l.result.clone()));
                r
            })
            .collect(),
    }
    .render()
}

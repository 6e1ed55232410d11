//! stub
/// A table.
pub struct Table {
    /// Head.
    pub head: Vec<String>,
    /// Rows.
    pub rows: Vec<Vec<String>>,
}
impl Table {
    /// Text.
    pub fn render(&self) -> String {
        let all: Vec<&Vec<String>> = std::iter::once(&self.head).chain(&self.rows).collect();
        let n = self.head.len();
        let w: Vec<usize> = (0..n).map(|i| all.iter().map(|r| r[i].chars().count()).max().unwrap_or(0)).collect();
        all.iter()
            .map(|r| {
                (0..n)
                    .map(|i| format!("{}{}  ", r[i], " ".repeat(w[i] - r[i].chars().count())))
                    .collect::<String>()
                    .trim_end()
                    .to_owned()
                    + "\n"
            })
            .collect()
    }
}

//! Tables of a session: columns as wide as their widest entry.
//!
//! Knows: text. Never: what is in it.

/// A table: columns as wide as their widest entry.
pub(crate) fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| rows.iter().filter_map(|it| it.get(column)).map(|it| it.chars().count()).max();
    let widths: Vec<usize> = (0..columns).map(|it| width(it).unwrap_or(0)).collect();
    let mut res = String::new();
    for row in rows {
        let mut line = String::new();
        for (at, entry) in row.iter().enumerate() {
            line.push_str(entry);
            line.push_str(&" ".repeat(widths[at] - entry.chars().count() + 2));
        }
        res.push_str(line.trim_end());
        res.push('\n');
    }
    res.trim_end().to_owned()
}

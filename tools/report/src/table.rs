//! A table of text, its columns aligned by what a terminal shows.
//!
//! Knows: cells and their display widths. Never: what they mean.

use crate::tree::one_line;
use std::borrow::Cow;
use unicode_width::UnicodeWidthStr;

/// Between two columns.
const GAP: usize = 2;

/// A table.
///
/// A row that is shorter than the head ends in a cell that may run over the columns to its right:
/// it neither widens its column nor decides how that is aligned.
/// So a row of one cell is a heading within the table, and an empty row an empty line.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Table {
    /// The names of the columns.
    pub head: Vec<String>,
    /// The rows.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// The table as lines. A column whose cells are all numbers is aligned to the right; the last one is not padded.
    pub fn render(&self) -> String {
        let columns = self.rows.iter().map(Vec::len).chain([self.head.len()]).max().unwrap_or(0);
        let mut widths = vec![0; columns];
        let mut numeric = vec![None; columns];
        for (at, name) in self.head.iter().enumerate() {
            widths[at] = one_line(name).width();
        }
        for row in &self.rows {
            let aligned = if row.len() < columns { row.len().saturating_sub(1) } else { columns };
            for (at, cell) in row[..aligned].iter().enumerate() {
                widths[at] = widths[at].max(one_line(cell).width());
                if !cell.is_empty() {
                    numeric[at] = Some(numeric[at].unwrap_or(true) && is_number(cell));
                }
            }
        }
        let mut res = String::new();
        let head = (!self.head.is_empty()).then_some(&self.head);
        for row in head.into_iter().chain(&self.rows) {
            let aligned = if row.len() < columns { row.len().saturating_sub(1) } else { columns };
            // Spaces are owed until something follows them: no line ends in one.
            let mut owed = 0;
            for (at, cell) in row.iter().enumerate() {
                let cell: Cow<'_, str> = one_line(cell);
                let missing = if at < aligned { widths[at].saturating_sub(cell.width()) } else { 0 };
                let right = numeric[at] == Some(true);
                if right {
                    owed += missing;
                }
                let shown = cell.trim_end_matches(' ');
                if !shown.is_empty() {
                    res.push_str(&" ".repeat(owed));
                    res.push_str(shown);
                    owed = 0;
                }
                owed += cell.len() - shown.len() + GAP;
                if !right {
                    owed += missing;
                }
            }
            res.push('\n');
        }
        res
    }
}

/// Digits, with a sign before and a point within, if any.
fn is_number(cell: &str) -> bool {
    let digits = cell.strip_prefix(['-', '+', '−']).unwrap_or(cell);
    let (whole, part) = digits.split_once('.').unwrap_or((digits, "0"));
    [whole, part].iter().all(|it| !it.is_empty() && it.bytes().all(|byte| byte.is_ascii_digit()))
}

//! A table of text, its columns aligned by what a terminal shows.
//!
//! Knows: cells and their display widths. Never: what they mean.

use crate::tree::one_line;
use std::borrow::Cow;
use unicode_width::UnicodeWidthStr;

/// The spaces between two columns.
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
    /// The cells of each row, from the first column on.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// The table as lines, where they have at most so many columns; else each row as a record: its first cell, and below
    /// it the others with their names.
    pub fn render_within(&self, width: usize) -> String {
        let table = self.render();
        if table.lines().all(|it| it.width() <= width) {
            return table;
        }
        let names = self.head.iter().skip(1).map(|it| one_line(it).width()).max().unwrap_or(0);
        let mut res = String::new();
        for row in &self.rows {
            let mut cells = self.head.iter().zip(row);
            if let Some((name, cell)) = cells.next() {
                res.push_str(&wrapped(&one_line(name), &one_line(cell), width));
            }
            for (name, cell) in cells.filter(|it| !it.1.is_empty()) {
                let name = one_line(name);
                let indent = " ".repeat(names.saturating_sub(name.width()));
                res.push_str(&wrapped(&format!("  {name}{indent}"), &one_line(cell), width));
            }
            res.push('\n');
        }
        res.pop();
        res
    }

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

/// `name  text`, broken before conjuncts, and within one that is too wide between words, outside of parentheses where
/// that is possible; what follows stays behind the name where there is place for it.
fn wrapped(name: &str, text: &str, width: usize) -> String {
    let mut res = format!("{name}  ");
    let indent = res.width().min(width / 2);
    let mut used = res.width();
    for (at, part) in parts(text, width - indent).into_iter().enumerate() {
        if at > 0 && used + 1 + part.width() > width {
            res.push('\n');
            res.push_str(&" ".repeat(indent));
            used = indent;
        } else if at > 0 {
            res.push(' ');
            used += 1;
        }
        res.push_str(part);
        used += part.width();
    }
    res.push('\n');
    res
}

/// Whether a line may end at a space, by what follows it and how many parentheses are open.
type MayEnd = fn(&str, i32) -> bool;

/// The parts of a text between which a line may end, none wider than `width` where that is possible.
fn parts(text: &str, width: usize) -> Vec<&str> {
    let rules: [MayEnd; 3] =
        [|rest, open| open <= 0 && rest.starts_with(['&', '∧', '|', '∨']), |_, open| open <= 0, |_, _| true];
    rules.into_iter().fold(vec![text], |parts, may_end| {
        let split = |it| if UnicodeWidthStr::width(it) > width { split(it, may_end) } else { vec![it] };
        parts.into_iter().flat_map(split).collect()
    })
}

fn split(text: &str, may_end: MayEnd) -> Vec<&str> {
    let (mut res, mut start, mut open) = (Vec::new(), 0, 0);
    for (at, it) in text.char_indices() {
        open += i32::from(it == '(') - i32::from(it == ')');
        if it == ' ' && may_end(&text[at + 1..], open) {
            res.push(&text[start..at]);
            start = at + 1;
        }
    }
    res.push(&text[start..]);
    res
}

/// Digits, with a sign before and a point within, if any.
fn is_number(cell: &str) -> bool {
    let digits = cell.strip_prefix(['-', '+', '−']).unwrap_or(cell);
    let (whole, part) = digits.split_once('.').unwrap_or((digits, "0"));
    [whole, part].iter().all(|it| !it.is_empty() && it.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_before_conjuncts_and_outside_of_parentheses() {
        let text = "A((\"N\" + 1)/2/2/2) ≥ 1 & (\"N\" = 2 | \"N\" = 3) & \"X\" < A((\"N\" + 1)/2)";
        let lines = |width: usize| wrapped("when", text, width);
        assert_eq!(
            lines(40),
            "when  A((\"N\" + 1)/2/2/2) ≥ 1\n      & (\"N\" = 2 | \"N\" = 3)\n      & \"X\" < A((\"N\" + 1)/2)\n"
        );
        // Too narrow for a conjunct, wide enough for what stands in parentheses.
        let is_balanced = |it: &str| it.matches('(').count() == it.matches(')').count();
        assert!(lines(26).lines().all(is_balanced), "{}", lines(26));
    }
}

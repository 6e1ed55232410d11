//! Excerpts: a line of a source with carets under what is meant. Every command shows source through this.
//!
//! Knows: widths of characters, lines that are too long. Never: files, what is wrong there.

use crate::style::Style;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// So many characters of a line are shown; a generated file may have one line.
const LINE: usize = 160;

/// A stretch of one line: its first column, counted from 1 in characters, and the one behind it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stretch {
    /// Where it begins; 0 where only the line is known.
    pub column: u32,
    /// Where it ends; what is not behind the beginning is one character.
    pub end: u32,
}

impl Stretch {
    /// One character; none where the column is 0.
    pub fn at(column: u32) -> Stretch {
        Stretch { column, end: column.saturating_add(1) }
    }

    /// From a column to the end of the line.
    pub fn from(column: u32) -> Stretch {
        Stretch { column, end: u32::MAX }
    }
}

/// The line `number`, whose text is `line`, with carets under `marked`.
pub fn excerpt(number: u32, line: &str, marked: Stretch, style: Style) -> String {
    let column = (marked.column.max(1) - 1) as usize;
    let length = line.chars().count();
    let end = ((marked.end.max(1) - 1) as usize).min(length);
    // A window of a line that is too long.
    let start = if length > LINE { column.min(length).saturating_sub(LINE / 2) } else { 0 };
    let shown: String = line.chars().skip(start).take(LINE).map(clean).collect();
    let before = if start > 0 { "…" } else { "" };
    let after = if start + LINE < length { "…" } else { "" };
    let number = number.to_string();
    let gutter = " ".repeat(number.len());
    let carets = if marked.column == 0 {
        String::new()
    } else {
        let ahead = column - start.min(column);
        let lead: String = shown.chars().take(ahead).collect();
        // What is missing behind the last character is marked there.
        let under: String = shown.chars().skip(ahead).take(end.saturating_sub(column)).collect();
        let space = " ".repeat(before.width() + lead.width());
        format!(" {}", style.error(&format!("{space}{}", "^".repeat(under.trim_end().width().max(1)))))
    };
    format!("   {gutter} |\n   {number} | {before}{}{after}\n   {gutter} |{carets}\n", shown.trim_end())
}

/// Nothing in a source moves the cursor.
fn clean(c: char) -> char {
    if c.is_control() || c.width().is_none() { ' ' } else { c }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(line: &str, marked: Stretch) -> String {
        excerpt(7, line, marked, Style::default())
    }

    #[test]
    fn carets_stand_under_what_is_meant() {
        assert_eq!(shown("a + bc;", Stretch { column: 5, end: 7 }), "     |\n   7 | a + bc;\n     |     ^^\n");
        assert_eq!(shown("a +", Stretch::from(3)), "     |\n   7 | a +\n     |   ^\n");
        assert_eq!(shown("a", Stretch::at(0)), "     |\n   7 | a\n     |\n");
    }

    #[test]
    fn wide_characters_take_two_columns_and_control_characters_one() {
        assert_eq!(shown("日\t本 x", Stretch::at(5)), "     |\n   7 | 日 本 x\n     |       ^\n");
        assert_eq!(shown("\u{1b}[31m", Stretch::at(1)), "     |\n   7 |  [31m\n     | ^\n");
    }

    #[test]
    fn a_long_line_is_a_window() {
        let line = format!("{}x{}", "a".repeat(1000), "b".repeat(1000));
        let text = shown(&line, Stretch::at(1001));
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[1].starts_with("   7 | …a") && lines[1].ends_with("b…"), "{text}");
        let at = lines[2].chars().position(|it| it == '^').expect("a caret");
        assert_eq!(lines[1].chars().nth(at), Some('x'), "{text}");
    }

    #[test]
    fn a_column_behind_the_line_is_no_harm() {
        assert_eq!(shown("ab", Stretch::at(3)), "     |\n   7 | ab\n     |   ^\n");
        assert!(shown("ab", Stretch::at(90)).ends_with("^\n"));
        assert!(shown("", Stretch { column: 4, end: 2 }).ends_with("^\n"));
    }
}

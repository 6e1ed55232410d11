//! Aligned tables.

use effigy_report::table::Table;
use expect_test::{Expect, expect};

fn check(head: &str, rows: &[&[&str]], expected: Expect) {
    let rows = rows.iter().map(|row| row.iter().map(|it| (*it).to_owned()).collect()).collect();
    let head = head.split_whitespace().map(str::to_owned).collect();
    let res = Table { head, rows }.render();
    assert!(res.lines().all(|it| !it.ends_with(' ')), "{res}");
    expected.assert_eq(&res);
}

#[test]
fn columns_have_the_width_of_their_display() {
    check(
        "pc FOUND J",
        &[&["α₁ ≥ 1", "1", "3"], &["日本", "0", "12"], &["", "10", "−4"]],
        expect![[r#"
        pc      FOUND   J
        α₁ ≥ 1      1   3
        日本        0  12
                   10  −4
    "#]],
    );
}

#[test]
fn only_a_column_of_numbers_is_aligned_to_the_right() {
    check(
        "name count size",
        &[&["a", "1.5", "-"], &["b", "100", "7"], &["c", "", "12"]],
        expect![[r#"
        name  count  size
        a       1.5  -
        b       100  7
        c            12
    "#]],
    );
}

#[test]
fn a_short_row_runs_over_the_columns_to_its_right() {
    check(
        "n A B",
        &[&["1", "x", "y"], &["2", "(a long remark)"], &["a heading"], &[], &["12", "x", "y"]],
        expect![[r#"
         n  A  B
         1  x  y
         2  (a long remark)
        a heading

        12  x  y
    "#]],
    );
}

#[test]
fn a_cell_is_one_line_and_a_table_may_be_empty() {
    check(
        "a b",
        &[&["x\ny", "\u{1b}[1m"], &["x ", ""]],
        expect![[r#"
        a    b
        x␊y  ␛[1m
        x
    "#]],
    );
    check("", &[], expect![""]);
}

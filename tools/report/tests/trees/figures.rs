//! King's figures as we draw them.

use crate::samples::{power, sum, two_loops};
use effigy_report::trace;
use effigy_report::tree::{Tree, dot, svg, text};
use expect_test::expect;
use std::path::Path;

/// Compares a picture with the file beside this test; `EFFIGY_BLESS=1` rewrites it.
fn same_file(name: &str, drawn: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/trees").join(name);
    if std::env::var_os("EFFIGY_BLESS").is_some() {
        std::fs::write(&path, drawn).expect("the picture can be written");
    }
    let known = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(known == drawn, "{} differs; EFFIGY_BLESS=1 accepts this:\n{drawn}", path.display());
}

fn symbolic_sum() -> Tree {
    sum(["α₁", "α₂", "α₃"], ["α₁+α₂", "α₂+α₃", "α₁+α₂+α₃"])
}

#[test]
fn figure_2_the_execution_of_sum() {
    let tree = sum(["1", "3", "5"], ["4", "8", "9"]);
    expect![[r#"
        After statement  X  Y  Z  A  B  C
                      1  ?  ?  ?  1  3  5
                      2  4  -  -  -  -  -
                      3  -  8  -  -  -  -
                      4  -  -  9  -  -  -
                      5  (RETURNS 9)
    "#]]
    .assert_eq(&trace::render(&tree));
    expect![[r#"
        SUM(1, 3, 5)
        1 → 2 → 3 → 4 → 5  RETURNS 9
    "#]]
    .assert_eq(&text::render(&tree, text::WIDTH));
}

#[test]
fn figure_3_the_symbolic_execution_of_sum() {
    let mut tree = symbolic_sum();
    expect![[r#"
        After statement  X      Y      Z         A   B   C
                      1  ?      ?      ?         α₁  α₂  α₃
                      2  α₁+α₂  -      -         -   -   -
                      3  -      α₂+α₃  -         -   -   -
                      4  -      -      α₁+α₂+α₃  -   -   -
                      5  (RETURNS α₁+α₂+α₃)
    "#]]
    .assert_eq(&trace::render(&tree));
    // Under an assumption there is a path condition.
    for node in &mut tree.nodes[1..] {
        node.condition = "α₁ > 0".to_owned();
    }
    expect![[r#"
        After statement  X      Y      Z         A   B   C   pc
                      1  ?      ?      ?         α₁  α₂  α₃  true
                      2  α₁+α₂  -      -         -   -   -   α₁ > 0
                      3  -      α₂+α₃  -         -   -   -   -
                      4  -      -      α₁+α₂+α₃  -   -   -   -
                      5  (RETURNS α₁+α₂+α₃)
    "#]]
    .assert_eq(&trace::render(&tree));
}

#[test]
fn figure_5_the_symbolic_execution_of_power() {
    expect![[r#"
        After statement  J  X   Y   Z      pc
                      1  ?  α₁  α₂  ?      true
                      2  -  -   -   1      -
                      3  1  -   -   -      -
                      4  -  -   -   -      -
        Case ¬(α₂ ≥ 1):
                      4  1  α₁  α₂  1      ¬(α₂ ≥ 1)
                      8  (RETURNS 1)
        Case α₂ ≥ 1:
                      4  1  α₁  α₂  1      α₂ ≥ 1
                      5  -  -   -   α₁     -
                      6  2  -   -   -      -
                      7  -  -   -   -      -
                      4  -  -   -   -      -
        Case ¬(α₂ ≥ 2):
                      4  2  α₁  α₂  α₁     α₂ = 1
                      8  (RETURNS α₁)
        Case α₂ ≥ 2:
                      4  2  α₁  α₂  α₁     α₂ ≥ 2
                      5  -  -   -   α₁**2  -
                      6  3  -   -   -      -
                      7  -  -   -   -      -
                      4  (cut: the tree goes on)
    "#]]
    .assert_eq(&trace::render(&power(2)));
}

#[test]
fn figure_6_the_execution_tree_of_power() {
    expect![[r#"
        POWER(α₁, α₂)
        1 → 2 → 3 → 4◆
        ├─ T ─ 5 → 6 → 7 → 4◆
        │  ├─ T ─ 5 → 6 → 7 → 4◆
        │  │  ├─ T ─ 5 → 6 → 7 → 4  ✂ cut  when α₂ ≥ 3
        │  │  └─ F ─ 8  RETURNS α₁**2  when α₂ = 2
        │  └─ F ─ 8  RETURNS α₁  when α₂ = 1
        └─ F ─ 8  RETURNS 1  when ¬(α₂ ≥ 1)

        ◆ forks   ✂ the tree goes on
    "#]]
    .assert_eq(&text::render(&power(3), text::WIDTH));
    same_file("figures/power.dot", &dot::render(&power(2)));
    same_file("figures/power.svg", &svg::render(&power(2)));
}

#[test]
fn figure_8_the_execution_tree_of_twoloops() {
    expect![[r#"
        TWOLOOPS(α)
        1 → 2◆
        ├─ T ─ 3 → 2◆
        │  ├─ T ─ 3 → 2  ✂ cut: 20 statements  when α ≥ 2
        │  └─ F ─ 4◇ → 5 → 4◇ → 6  RETURNS after 1  when α = 1
        └─ F ─ 4◇ → 6  RETURNS after 0  when ¬(α ≥ 1)

        ◆ forks   ◇ branches, one way only is possible   ✂ the tree goes on
    "#]]
    .assert_eq(&text::render(&two_loops(), text::WIDTH));
    expect![[r#"
        After statement  N  J  K  pc
                      1  α  ?  ?  true
                      2  -  1  -  -
        Case ¬(α ≥ 1):
                      2  α  1  ?  ¬(α ≥ 1)
                      4  -  -  1  -
                      6  (RETURNS after 0)
        Case α ≥ 1:
                      2  α  1  ?  α ≥ 1
                      3  -  -  -  -
                      2  -  2  -  -
        Case ¬(α ≥ 2):
                      2  α  2  ?  α = 1
                      4  -  -  1  -
                      5  -  -  -  -
                      4  -  -  2  -
                      6  (RETURNS after 1)
        Case α ≥ 2:
                      2  α  2  ?  α ≥ 2
                      3  -  -  -  -
                      2  -  3  -  -
                         (cut: the tree goes on; 20 statements)
    "#]]
    .assert_eq(&trace::render(&two_loops()));
    same_file("figures/twoloops.svg", &svg::render(&two_loops()));
}

#[test]
fn the_later_case_of_a_fork_says_where_it_goes_back() {
    let mut tree = power(2);
    // The other way round, the case that goes on stands first.
    for node in &mut tree.nodes {
        node.arc = node.arc.as_ref().map(|it| if it == "T" { "true".to_owned() } else { "false".to_owned() });
    }
    expect![[r#"
        After statement  J  X   Y   Z      pc
                      1  ?  α₁  α₂  ?      true
                      2  -  -   -   1      -
                      3  1  -   -   -      -
                      4  -  -   -   -      -
        Case α₂ ≥ 1:
                      4  1  α₁  α₂  1      α₂ ≥ 1
                      5  -  -   -   α₁     -
                      6  2  -   -   -      -
                      7  -  -   -   -      -
                      4  -  -   -   -      -
        Case α₂ ≥ 2:
                      4  2  α₁  α₂  α₁     α₂ ≥ 2
                      5  -  -   -   α₁**2  -
                      6  3  -   -   -      -
                      7  -  -   -   -      -
                      4  (cut: the tree goes on)
        Case ¬(α₂ ≥ 2):
                      4  2  α₁  α₂  α₁     α₂ = 1
                      8  (RETURNS α₁)
        Case ¬(α₂ ≥ 1), back at statement 4:
                      4  1  α₁  α₂  1      ¬(α₂ ≥ 1)
                      8  (RETURNS 1)
    "#]]
    .assert_eq(&trace::render(&tree));
}

#[test]
fn long_chains_are_wrapped_and_deep_forks_stand_further_below() {
    let mut tree = power(9);
    for node in &mut tree.nodes {
        node.statement += 1000;
        if node.statement == 1008 {
            node.procedure = "DONE".to_owned();
        }
    }
    let res = text::render(&tree, 60);
    assert!(res.lines().all(|it| it.chars().count() <= 60), "{res}");
    expect![[r#"
        POWER(α₁, α₂)
        P:1001 → 1002 → 1003 → 1004◆
        ├─ T ─ P:1005 → 1006 → 1007 → 1004◆
        │  ├─ T ─ P:1005 → 1006 → 1007 → 1004◆
        │  │  ├─ T ─ P:1005 → 1006 → 1007 → 1004◆
        │  │  │  ├─ T ─ P:1005 → 1006 → 1007 → 1004◆
        │  │  │  │  ├─ T ─ P:1005 → 1006 → 1007 → 1004◆
        │  │  │  │  │  ├─ T ─ P:1005 → 1006 → 1007 → 1004◆
        │  │  │  │  │  │  ├─ T ─ P:1005 → 1006 → 1007 → 1004◆
        │  │  │  │  │  │  │  ├─ T ─ P:1005 → 1006 → 1007 → 1004◆
        │  │  │  │  │  │  │  │  ├─ T ─ P:1005 → 1006 → 1007 → 1004
        │  │  │  │  │  │  │  │  │      ✂ cut  when α₂ ≥ 9
        │  │  │  │  │  │  │  │  └─ F ─ DONE:1008  RETURNS α₁**8
        │  │  │  │  │  │  │  │         when α₂ = 8
        │  │  │  │  │  │  │  └─ F ─ DONE:1008  RETURNS α₁**7
        │  │  │  │  │  │  │         when α₂ = 7
        │  │  │  │  │  │  └─ F ─ DONE:1008  RETURNS α₁**6
        │  │  │  │  │  │         when α₂ = 6
        │  │  │  │  │  └─ F ─ DONE:1008  RETURNS α₁**5
        │  │  │  │  │         when α₂ = 5
        │  │  │  │  └─ F ─ DONE:1008  RETURNS α₁**4  when α₂ = 4
        │  │  │  └─ F ─ DONE:1008  RETURNS α₁**3  when α₂ = 3
        │  │  └─ F ─ DONE:1008  RETURNS α₁**2  when α₂ = 2
        │  └─ F ─ DONE:1008  RETURNS α₁  when α₂ = 1
        └─ F ─ DONE:1008  RETURNS 1  when ¬(α₂ ≥ 1)

        ◆ forks   ✂ the tree goes on
    "#]]
    .assert_eq(&res);
}

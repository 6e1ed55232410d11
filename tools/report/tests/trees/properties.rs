//! What holds for the pictures of every tree.

use crate::samples::{Builder, random};
use effigy_report::trace;
use effigy_report::tree::layout::{Place, layout};
use effigy_report::tree::{LeafKind, Tree, dot, svg, text};
use proptest::prelude::*;
use std::collections::BTreeMap;

/// All text that a reader of the SVG sees or may point at.
fn texts(svg: &str) -> String {
    let document = roxmltree::Document::parse(svg).expect("well-formed");
    let text =
        document.descendants().filter(|it| it.is_text() && !it.parent().is_some_and(|it| it.has_tag_name("style")));
    text.flat_map(|it| [it.text().unwrap_or(""), "\n"]).collect()
}

/// The strings of the Graphviz text, as Graphviz reads them.
fn strings(dot: &str) -> Vec<String> {
    let mut res = Vec::new();
    let mut rest = dot.chars();
    while rest.by_ref().any(|it| it == '"') {
        let mut string = String::new();
        loop {
            match rest.next().expect("a string ends") {
                '"' => break,
                '\\' => match rest.next().expect("something is escaped") {
                    'n' => string.push('\n'),
                    it @ ('"' | '\\') => string.push(it),
                    it => panic!("\\{it}"),
                },
                it => string.push(it),
            }
        }
        assert!(!string.replace("&amp;", "").contains('&'), "{string}");
        res.push(string.replace("&amp;", "&"));
    }
    res
}

fn trees() -> impl Strategy<Value = Tree> {
    prop::collection::vec((0..1000usize, 1..5usize), 0..60).prop_map(|choices| random(&choices))
}

fn check_layout(tree: &Tree) {
    let layout = layout(tree);
    let near = 1e-6;
    // Bands that are lower than every box: two that overlap do so in one of them.
    let mut bands: BTreeMap<usize, Vec<&Place>> = BTreeMap::new();
    for it in &layout.places {
        assert!(it.x - it.width / 2.0 >= -near && it.x + it.width / 2.0 <= layout.width + near);
        assert!(it.y >= 0.0 && it.y + it.height <= layout.height + near);
        for band in (it.y / 16.0) as usize..=((it.y + it.height) / 16.0) as usize {
            bands.entry(band).or_default().push(it);
        }
        if let Some(parent) = it.parent.map(|it| &layout.places[it]) {
            let gap = it.y - parent.y - parent.height;
            assert!((18.0 - near..=34.0 + near).contains(&gap), "gaps are even");
        }
    }
    for band in bands.values_mut() {
        let left = |it: &Place| it.x - it.width / 2.0;
        band.sort_by(|a, b| left(a).total_cmp(&left(b)));
        for (at, it) in band.iter().enumerate() {
            for other in band[at + 1..].iter().take_while(|other| left(other) < left(it) + it.width + 5.0) {
                assert!(it.y + it.height < other.y || other.y + other.height < it.y, "{it:?} {other:?}");
            }
        }
    }
    let mut below = vec![Vec::new(); layout.places.len()];
    for it in &layout.places {
        if let Some(parent) = it.parent {
            below[parent].push(it.x);
        }
    }
    for (at, xs) in below.iter().enumerate().filter(|it| !it.1.is_empty()) {
        assert!(xs.is_sorted(), "the order of the children is kept");
        assert!((layout.places[at].x - (xs[0] + xs[xs.len() - 1]) / 2.0).abs() < near);
    }
}

fn check_results(tree: &Tree) {
    let pictures = [
        trace::render(tree),
        text::render(tree, 80),
        strings(&dot::render(tree)).join("\n"),
        texts(&svg::render(tree)),
    ];
    for leaf in tree.nodes.iter().filter_map(|it| it.leaf.as_ref()) {
        for picture in &pictures {
            assert_eq!(picture.matches(&leaf.result).count(), 1, "{} in {picture}", leaf.result);
        }
    }
    for picture in &pictures[..2] {
        assert!(picture.lines().all(|it| !it.ends_with(' ')), "{picture}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nothing_overlaps_and_parents_stand_in_the_middle(tree in trees()) {
        check_layout(&tree);
    }

    #[test]
    fn every_result_stands_once_in_each_picture(tree in trees()) {
        check_results(&tree);
    }

    #[test]
    fn any_label_survives(label in any::<String>(), kind in 0..5usize) {
        hostile(&label, kind);
    }
}

/// A tree that says `label` everywhere.
fn hostile(label: &str, kind: usize) {
    let kinds = [LeafKind::Completed, LeafKind::Error, LeafKind::Cut, LeafKind::Dropped, LeafKind::Unknown];
    let mut it = Builder::new(label, "A");
    it.node(None, 1, "", label);
    for at in 1..3 {
        it.node(Some(0), at, "", label);
        it.arc(at as usize, label, label);
        it.leaf(at as usize, kinds[(kind + at as usize) % 5], label);
    }
    for node in &mut it.tree.nodes {
        node.values = vec![label.to_owned()];
        (node.text, node.procedure) = (label.to_owned(), label.to_owned());
    }
    it.tree.variables = vec![label.to_owned()];
    let harmless = |it: char| !it.is_control() && !matches!(it, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let harmless = |text: &str| text.chars().all(|it| it == '\n' || harmless(it));
    // Characters that cannot be shown are pictures; all others are found again.
    let shown = label.chars().all(|it| !it.is_control() && !('\u{2028}'..='\u{2069}').contains(&it) && it < '\u{fffe}');
    for picture in [strings(&dot::render(&it.tree)).join("\n"), texts(&svg::render(&it.tree))] {
        assert!(harmless(&picture), "{picture:?}");
        assert!(!shown || picture.contains(label.trim()), "{label:?} in {picture}");
    }
    for picture in [trace::render(&it.tree), text::render(&it.tree, 80)] {
        assert!(harmless(&picture), "{picture:?}");
        assert!(!shown || picture.contains(label.trim_end_matches(' ')), "{label:?} in {picture}");
    }
}

#[test]
fn hostile_labels_survive() {
    let labels = [
        "",
        " ",
        "<b>",
        "]]>",
        "\"",
        "\\",
        "\\\"",
        "\\N",
        "&",
        "&lt;",
        "&#60;",
        "a & b ∧ c",
        "--> n1",
        "a\nb\r\tc",
        "\0\u{1b}[2J\u{7f}\u{9b}",
        "\u{202e}abc",
        "\u{ffff}",
        "日本語",
        "e\u{301}",
        "'",
        "true",
    ];
    for (at, label) in labels.iter().enumerate() {
        hostile(label, at);
    }
    hostile(&"very long ∧ ".repeat(2000), 0);
    hostile(&"x".repeat(20_000), 2);
}

/// A chain, each statement after the one before.
fn chain(length: usize) -> Tree {
    let mut it = Builder::new("CHAIN()", "A");
    let mut last = None;
    for at in 0..length {
        last = Some(it.node(last, at as u32 % 100, "1", "true"));
    }
    it.leaf(length - 1, LeafKind::Completed, "RETURNS 1");
    it.tree
}

/// A loop that forks `rounds` times, going on in its first or last child.
fn comb(rounds: usize, first: bool) -> Tree {
    let mut it = Builder::new("COMB()", "A");
    let mut last = it.node(None, 1, "1", "true");
    for round in 0..rounds {
        let (a, b) = (it.node(Some(last), 2, "1", "a"), it.node(Some(last), 3, "1", "b"));
        it.arc(a, "T", "a");
        it.arc(b, "F", "b");
        let (end, next) = if first { (b, a) } else { (a, b) };
        it.leaf(end, LeafKind::Completed, &format!("result-{round:05}."));
        last = next;
    }
    it.leaf(last, LeafKind::Cut, "");
    it.tree
}

/// A fork of many cases.
fn fan(cases: usize) -> Tree {
    let mut it = Builder::new("FAN()", "A");
    it.node(None, 1, "1", "true");
    for case in 0..cases {
        let at = it.node(Some(0), 2, "1", "a");
        it.leaf(at, LeafKind::Completed, &format!("result-{case:05}."));
    }
    it.tree
}

#[test]
fn deep_and_broad_trees_need_little_stack() {
    let draw = || {
        for tree in [chain(100_000), comb(10_000, true), comb(10_000, false), fan(10_000)] {
            let leaves = tree.nodes.iter().filter(|it| it.leaf.is_some()).count();
            let (trace, text) = (trace::render(&tree), text::render(&tree, 100));
            let (dot, svg) = (dot::render(&tree), svg::render(&tree));
            assert_eq!(svg.matches("<rect").count(), leaves);
            assert_eq!(dot.matches("shape=box").count(), leaves);
            if leaves > 1 {
                for picture in [&trace, &text, &dot, &svg] {
                    assert_eq!(picture.matches("result-").count(), 10_000);
                }
            }
            assert!(trace.len() + text.len() + dot.len() + svg.len() < 100_000_000);
            check_layout(&tree);
        }
    };
    let thread = std::thread::Builder::new().stack_size(512 * 1024).spawn(draw);
    thread.expect("a thread").join().expect("no overflow");
}

#[test]
fn a_tree_that_is_none_is_drawn_without_harm() {
    check_results(&Tree::default());
    check_layout(&Tree::default());
    // A child that is its own parent, one that is not there, one that names another.
    let mut it = Builder::new("ODD()", "A");
    it.node(None, 1, "", "true");
    it.node(Some(0), 2, "", "true");
    it.tree.nodes[1].children = vec![0, 1, 7];
    it.tree.nodes[0].children.push(0);
    check_results(&it.tree);
    check_layout(&it.tree);
}

#[test]
fn the_same_tree_gives_the_same_picture() {
    let tree = random(&[(3, 3), (1, 2), (5, 4)]);
    assert_eq!(svg::render(&tree), svg::render(&tree));
}

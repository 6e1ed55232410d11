//! Messages, excerpts and quotes of failures made by hand.

use super::*;

fn sources(text: &str) -> Sources {
    Sources(vec![Source::new("a.vpr", text)])
}

fn span(line: u32, column: u32, end_line: u32, end_column: u32) -> Span {
    Span { file: 0, line, column, end_line, end_column }
}

fn failure(error: ErrorKind, reason: ReasonKind, at: Span) -> Failure {
    Failure {
        error,
        reason,
        span: at,
        culprit: at,
        branches: Vec::new(),
        trace: Vec::new(),
        counterexample: Vec::new(),
        undecided: None,
    }
}

fn says(text: &str, error: ErrorKind, reason: ReasonKind) -> String {
    let end = text.chars().count() as u32 + 1;
    message(&failure(error, reason, span(1, 1, 1, end)), "owner", &sources(text))
}

#[test]
fn a_message_speaks_of_the_source() {
    let permission = ReasonKind::InsufficientPermission;
    assert_eq!(
        says("x.f", ErrorKind::Assignment, permission),
        "Assignment might fail. There might be insufficient permission to access x.f."
    );
    assert_eq!(
        says("fold acc(list(x), 1/2)", ErrorKind::Fold, permission).split(" There").next(),
        Some("Folding acc(list(x), 1/2) might fail.")
    );
}

#[test]
fn a_contract_is_named_by_its_owner() {
    let owner = says("r > 0", ErrorKind::Postcondition, ReasonKind::AssertionFalse);
    assert_eq!(owner, "Postcondition of owner might not hold. Assertion r > 0 might not hold.");
    for call in ["get(x)", "a, b := get(x, (1))", "r := c.get()"] {
        let callee = says(call, ErrorKind::CallPrecondition, ReasonKind::AssertionFalse);
        assert!(callee.starts_with("The precondition of method get might not hold."), "{callee}");
    }
}

#[test]
fn parentheses_at_the_ends_of_a_span_are_quoted() {
    let sources = sources("requires (0 <= bal) * (0 <= ops) * (f(x));");
    assert_eq!(sources.quote(span(1, 11, 1, 32)).as_deref(), Some("(0 <= bal) * (0 <= ops)"));
    assert_eq!(sources.quote(span(1, 11, 1, 41)).as_deref(), Some("(0 <= bal) * (0 <= ops) * (f(x))"));
    assert_eq!(sources.quote(span(1, 11, 1, 19)).as_deref(), Some("0 <= bal"));
}

#[test]
fn what_spans_lines_is_quoted_on_one() {
    let sources = sources("a &&\n\t b\n   && c\nd");
    assert_eq!(sources.quote(span(1, 1, 3, 8)).as_deref(), Some("a && b && c"));
    assert_eq!(sources.quote(span(4, 1, 4, 2)).as_deref(), Some("d"));
}

#[test]
fn places_that_do_not_exist_are_no_panic() {
    let sources = sources("ab\n");
    for (line, column, end_line, end_column) in
        [(0, 0, 0, 0), (1, 9, 1, 12), (9, 1, 9, 2), (1, 3, 1, 1), (1, u32::MAX, u32::MAX, u32::MAX), (2, 1, 1, 1)]
    {
        let at = span(line, column, end_line, end_column);
        let _ = (sources.quote(at), excerpt(&sources, at, Style::default()), sources.place(at));
        let failure = failure(ErrorKind::Fold, ReasonKind::AssertionFalse, Span { file: 0, ..at });
        let _ = render(&failure, "m", &sources, Detail { trace: true }, Style::default());
        let elsewhere = Span { file: 7, ..at };
        assert_eq!(sources.quote(elsewhere), None);
        assert_eq!(excerpt(&sources, elsewhere, Style::default()), "");
    }
}

#[test]
fn carets_stand_under_wide_characters_and_tabs() {
    let sources = sources("\tαβ := 字 + x\n");
    let shown = excerpt(&sources, span(1, 8, 1, 9), Style::default());
    assert_eq!(shown, "     |\n   1 |  αβ := 字 + x\n     |        ^^\n");
}

#[test]
fn of_a_long_line_a_window_is_shown() {
    let text = format!("{}needle{}", "a".repeat(5000), "b".repeat(5000));
    let shown = excerpt(&sources(&text), span(1, 5001, 1, 5007), Style::default());
    assert!(shown.lines().all(|it| it.chars().count() < 200), "{shown}");
    let lines: Vec<&str> = shown.lines().collect();
    let at = lines[2].chars().position(|it| it == '^').expect("carets");
    assert_eq!(lines[1].chars().skip(at).take(6).collect::<String>(), "needle");
}

#[test]
fn ids_are_read_back() {
    assert!(ErrorKind::ALL.iter().all(|it| error_by_id(it.id()) == Some(*it)));
    assert!(ReasonKind::ALL.iter().all(|it| reason_by_id(it.id()) == Some(*it)));
    assert_eq!(error_by_id("assert.faded"), None);
}

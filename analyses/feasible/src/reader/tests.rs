//! What is read, and what is refused where.

use super::{TraceError, TraceFormat, read};
use crate::trace::{Constraint, Relation, Step};
use effigy_testing::reader_trial::{corpus, try_reader};

fn step(file: &str, line: u32, outcome: Option<bool>) -> Step {
    Step { file: file.to_owned(), line, outcome, constraint: None }
}

fn steps(text: &str) -> Vec<Step> {
    read(text.as_bytes(), None, 1).unwrap_or_else(|error| panic!("{error}")).steps
}

fn refused(text: &str) -> TraceError {
    read(text.as_bytes(), None, 1).expect_err("this is no trace")
}

#[test]
fn plain_lines_are_steps() {
    let text = "# of a tool\n\n a.c:3:T  # taken\nC:\\x\\b.c:4\nb.c:5:false\n";
    assert_eq!(steps(text), [step("a.c", 3, Some(true)), step("C:\\x\\b.c", 4, None), step("b.c", 5, Some(false))]);
    let error = refused("a.c:3\n  a.c\n");
    assert_eq!((error.line, error.column), (2, 3));
    assert!(refused("a.c:0").message.contains("was expected"));
    assert!(refused("").message.contains("no step"));
}

#[test]
fn code_flows_of_sarif_are_steps() {
    let location = |line: u32, more: &str| {
        format!(
            r#"{{"location":{{"physicalLocation":{{"artifactLocation":{{"uri":"file:///w/a%20b.c"}},"region":{{"startLine":{line}}}}}{more}}}"#
        )
    };
    let text = format!(
        r#"{{"version":"2.1.0","runs":[{{"results":[{{}},{{"codeFlows":[{{"threadFlows":[{{"locations":[{}}},{}}},{},"kinds":["branch","false"]}},{{"location":{{}}}}]}}]}}]}}]}}]}}"#,
        location(1, r#","message":{"text":"Taking true branch"}"#),
        location(2, r#","message":{"text":"'x' is 3"}"#),
        location(3, "")
    );
    assert_eq!(TraceFormat::of(&text), TraceFormat::Sarif);
    let expected = [("/w/a b.c", 1, Some(true)), ("/w/a b.c", 2, None), ("/w/a b.c", 3, Some(false))];
    assert_eq!(steps(&text), expected.map(|(file, line, outcome)| step(file, line, outcome)));
    assert!(refused("{\"runs\":[]}").message.contains("no code flow"));
    let damaged = refused("{\n  \"runs\": [}");
    // The place is told once.
    assert_eq!((damaged.line, damaged.message.contains("line")), (2, false), "{}", damaged.message);
    assert!(refused("{}").message.contains("no SARIF"));
    let deep = format!("{{\"runs\":{}", "[".repeat(100_000));
    assert!(refused(&deep).message.contains("recursion"));
}

const WITNESS: &str = r#"
- entry_type: violation_sequence
  metadata: {format_version: "2.0"}
  content:
  - segment:
    - waypoint:
        type: function_return
        action: follow
        location: {file_name: "./a.c", line: 3, column: 11}
        constraint: {value: "(\\result == -5)", format: ext_c_expression}
  - segment:
    - waypoint:
        type: branching
        action: follow
        location:
          file_name: a.c
          line: 4
        constraint:
          value: 'false'
  - segment:
    - waypoint: {type: assumption, action: follow, location: {file_name: a.c, line: 5}, constraint: {value: x > 3, format: c_expression}}
  - segment:
    - waypoint: {type: target, action: follow, location: {file_name: a.c, line: 9}}
"#;

#[test]
fn violation_witnesses_are_steps() {
    assert_eq!(TraceFormat::of(WITNESS), TraceFormat::Witness);
    let found = steps(WITNESS);
    assert_eq!(found, steps(&WITNESS.replace("ext_c_expression", "c_expression")));
    assert_eq!(found[0].constraint, Some(Constraint::Input(Relation::Equal, -5)));
    assert_eq!(found[1], step("a.c", 4, Some(false)));
    assert_eq!(found[2].constraint, Some(Constraint::Condition("x > 3".to_owned())));
    assert_eq!(found[3], step("a.c", 9, None));
}

#[test]
fn what_cannot_be_followed_is_refused_where_it_stands() {
    for other in ["acsl_expression", "ext_c_expression"] {
        let error = refused(&WITNESS.replace("format: c_expression", &format!("format: {other}")));
        assert_eq!((error.line, error.message.contains(other)), (21, true), "{}", error.message);
    }
    let text = WITNESS;
    assert!(
        refused(&text.replace(
            "action: follow, location: {file_name: a.c, line: 9",
            "action: avoid, location: {file_name: a.c, line: 9"
        ))
        .message
        .contains("avoided")
    );
    assert!(refused(&text.replace("type: target", "type: jump")).message.contains("`jump`"));
    assert!(refused(&text.replace("line: 9", "line: many")).message.contains("line"));
    assert!(refused(&text.replace("violation_sequence", "invariant_set")).message.contains("no violation sequence"));
}

#[test]
fn hostile_yaml_is_refused_soon() {
    let deep = format!("entry_type: {}", "[".repeat(10_000));
    let _ = refused(&deep);
    let laughs = "- entry_type: violation_sequence\n  content: [&a [x, x], *a, *a]\n";
    assert!(refused(laughs).message.contains("alias"));
    let _ = refused("entry_type: \"");
    assert!(read(b"\xff\xfe", None, 1).is_err());
}

#[test]
fn mutants_of_traces_are_read_or_refused_at_a_place() {
    let files = [("sarif", TraceFormat::Sarif), ("yml", TraceFormat::Witness), ("txt", TraceFormat::Plain)];
    for (extension, format) in files {
        let words = ["null", "- ", "&a", "*a", "!!str", "|", ">", "\\u0000", "\"", "#", "branching", "follow", "avoid"];
        try_reader(&format!("trace-{extension}"), corpus("cli", extension), &words, move |text| {
            for format in [Some(format), None] {
                let Err(error) = read(text, format, 1) else { continue };
                // A carriage return ends a line of YAML, too.
                let ends = text.iter().filter(|it| matches!(it, b'\n' | b'\r')).count();
                assert!(!error.message.is_empty() && error.column >= 1, "{error}");
                assert!((1..=2 + ends).contains(&error.line), "{error}");
            }
        });
    }
}

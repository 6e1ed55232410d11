//! Verdicts made by hand, as people and tools see them.

use super::*;
use crate::bugs::Style;
use crate::failures::{Detail, Source};
use effigy_contracts::program::{Method, MethodId, Predicate, PredicateId};
use effigy_verify::failure::TracedState;
use effigy_verify::{ErrorKind, ReasonKind};
use expect_test::{Expect, expect};

const TEXT: &str = "\
field f: Int

method get(x: Ref) returns (r: Int)
  requires acc(x.f)
  ensures r > 0 && acc(x.f)
{
  if (x.f > 7) {
    assert x.f > 8 && x.f < 3
  }
  r := x.f
}
";

fn at(line: u32, column: u32, end_column: u32) -> Span {
    Span { file: 0, line, column, end_line: line, end_column }
}

fn program() -> Program {
    let method = |name: &str, span| Method {
        name: name.into(),
        variables: Vec::new(),
        parameters: 0,
        results: 0,
        labels: Vec::new(),
        pre: Vec::new(),
        post: Vec::new(),
        body: None,
        span,
    };
    let predicate =
        Predicate { name: "list".into(), variables: Vec::new(), parameters: 0, body: None, span: at(1, 1, 6) };
    Program {
        files: vec!["cell.vpr".into()],
        methods: vec![method("get", at(3, 8, 11)), method("slow", at(3, 8, 11)), method("wand", at(3, 8, 11))],
        predicates: vec![predicate],
        ..Program::default()
    }
}

fn assertion() -> Failure {
    let state = |span, action, facts: &[&str]| TracedState {
        span,
        action,
        store: vec![("x".into(), "x₀".to_owned()), ("r".into(), "<r>".to_owned())],
        heap: vec!["acc(x₀.f) ↦ v₀".to_owned()],
        facts: facts.iter().map(|it| (*it).to_owned()).collect(),
    };
    Failure {
        error: ErrorKind::Assert,
        reason: ReasonKind::AssertionFalse,
        span: at(8, 12, 30),
        culprit: at(8, 12, 19),
        branches: vec![(at(7, 7, 14), true)],
        trace: vec![state(at(7, 3, 14), "exec", &[]), state(at(8, 5, 30), "consume", &["v₀ > 7"])],
        counterexample: vec![("x.f".into(), "8".to_owned())],
        undecided: None,
    }
}

fn postcondition() -> Failure {
    Failure {
        error: ErrorKind::Postcondition,
        reason: ReasonKind::InsufficientPermission,
        span: at(5, 11, 28),
        culprit: at(10, 8, 11),
        branches: Vec::new(),
        trace: Vec::new(),
        counterexample: Vec::new(),
        undecided: Some("the budget of the query is spent".into()),
    }
}

/// A file with a member of each verdict.
fn report() -> FileReport {
    let program = program();
    let outcome = |member, verdict| MemberOutcome {
        member,
        verdict,
        effort: Effort { steps: 12, paths: 2, queries: 1, checks: 9 },
    };
    let verdicts = [
        (Member::Predicate(PredicateId(0)), Verdict::Verified),
        (Member::Method(MethodId(0)), Verdict::Failed(vec![assertion(), postcondition()])),
        (Member::Method(MethodId(1)), Verdict::Undecided("its steps are spent".into())),
        (Member::Method(MethodId(2)), Verdict::Unsupported("magic wands".into(), at(4, 12, 20))),
    ];
    let members = verdicts.map(|(member, verdict)| {
        MemberReport::new(&program, outcome(member, verdict), Duration::from_millis(5), false)
    });
    FileReport {
        name: "cell.vpr".to_owned(),
        sources: Sources(vec![Source::new("cell.vpr", TEXT)]),
        problems: Vec::new(),
        members: members.to_vec(),
    }
}

fn rejected() -> FileReport {
    let problem = |id: &str, message: &str, span| Problem { id: id.into(), message: message.to_owned(), span };
    FileReport {
        name: "wrong file.vpr".to_owned(),
        sources: Sources(vec![Source::new("wrong file.vpr", "method m(x: Foo)\n")]),
        problems: vec![
            problem("typechecker.error", "there is no type Foo", Some(at(1, 13, 16))),
            problem(INPUT, "it cannot be read", None),
        ],
        members: Vec::new(),
    }
}

fn check(actual: &str, expected: &Expect) {
    expected.assert_eq(actual);
}

#[test]
fn a_line_a_member_then_each_error() {
    let shown = text::file(&report(), &|_| true, Detail::default(), false, Style::default());
    check(
        &shown,
        &expect![[r#"
        verified     predicate  list
        failed       method     get
        undecided    method     slow: its steps are spent
        unsupported  method     wand: magic wands (cell.vpr:4:12)

        error: Assert might fail. Assertion x.f > 8 might not hold. [assert.failed:assertion.false]
          --> cell.vpr:8:12 in get
             |
           8 |     assert x.f > 8 && x.f < 3
             |            ^^^^^^^
          cell.vpr:7:7 where x.f > 7 is true
          counterexample x.f = 8

        error: Postcondition of get might not hold. There might be insufficient permission to access x.f. [postcondition.violated:insufficient.permission]
          --> cell.vpr:5:11 in get
             |
           5 |   ensures r > 0 && acc(x.f)
             |           ^^^^^^^^^^^^^^^^^
          because of cell.vpr:10:8
              |
           10 |   r := x.f
              |        ^^^
          the solver did not decide this (the budget of the query is spent): it may hold all the same
    "#]],
    );
}

#[test]
fn states_are_shown_on_request() {
    let mut report = report();
    report.members.truncate(2);
    let shown = text::failures(&report.members[1], &report.sources, Detail { trace: true }, Style::default());
    assert!(shown.contains("state 2 of 2: consume at cell.vpr:8:5"), "{shown}");
    assert!(shown.contains("    store  x = x₀\n"), "{shown}");
    assert!(shown.contains("    heap   acc(x₀.f) ↦ v₀\n"), "{shown}");
    assert!(shown.contains("    fact   v₀ > 7\n"), "{shown}");
}

#[test]
fn times_are_shown_on_request() {
    let report = report();
    let shown = text::member(&report.members[0], &report.sources, true, Style::default());
    assert_eq!(shown, "verified     predicate  list  0.005 s, 12 steps, 2 paths, 9 checks, 1 query\n");
    let (plain, timed) =
        (json::json(std::slice::from_ref(&report), false), json::json(std::slice::from_ref(&report), true));
    assert!(plain["files"][0]["members"][0].get("time").is_none());
    assert_eq!(timed["files"][0]["members"][0]["steps"], 12);
    assert_eq!(timed["files"][0]["members"][0]["checks"], 9);
}

#[test]
fn what_is_wrong_with_the_input() {
    let shown = text::file(&rejected(), &|_| true, Detail::default(), false, Style::default());
    check(
        &shown,
        &expect![[r#"
        error: there is no type Foo [typechecker.error]
          --> wrong file.vpr:1:13
             |
           1 | method m(x: Foo)
             |             ^^^
        error: it cannot be read [input.error]
    "#]],
    );
}

#[test]
fn the_summary_counts() {
    let counts = Counts::of(&[report(), rejected()]);
    check(
        &text::summary(&counts),
        &expect![[r#"
        4 members of 2 files: 1 verified, 1 failed, 1 undecided, 1 unsupported, 2 input errors
    "#]],
    );
    check(
        &text::summary(&Counts { files: 1, members: 1, verified: 1, ..Counts::default() }),
        &expect![[r#"
        1 member: 1 verified
    "#]],
    );
}

#[test]
fn as_json() {
    let json = json::json(&[report(), rejected()], false);
    check(
        &serde_json::to_string_pretty(&json).expect("JSON"),
        &expect![[r#"
        {
          "files": [
            {
              "file": "cell.vpr",
              "members": [
                {
                  "kind": "predicate",
                  "name": "list",
                  "place": {
                    "column": 1,
                    "end_column": 6,
                    "end_line": 1,
                    "file": "cell.vpr",
                    "line": 1,
                    "text": "field"
                  },
                  "verdict": "verified"
                },
                {
                  "errors": [
                    {
                      "branches": [
                        {
                          "place": {
                            "column": 7,
                            "end_column": 14,
                            "end_line": 7,
                            "file": "cell.vpr",
                            "line": 7,
                            "text": "x.f > 7"
                          },
                          "side": true
                        }
                      ],
                      "counterexample": {
                        "x.f": "8"
                      },
                      "culprit": {
                        "column": 12,
                        "end_column": 19,
                        "end_line": 8,
                        "file": "cell.vpr",
                        "line": 8,
                        "text": "x.f > 8"
                      },
                      "id": "assert.failed:assertion.false",
                      "message": "Assert might fail. Assertion x.f > 8 might not hold.",
                      "place": {
                        "column": 12,
                        "end_column": 30,
                        "end_line": 8,
                        "file": "cell.vpr",
                        "line": 8,
                        "text": "x.f > 8 && x.f < 3"
                      },
                      "trace": [
                        {
                          "action": "exec",
                          "facts": [],
                          "heap": [
                            "acc(x₀.f) ↦ v₀"
                          ],
                          "place": {
                            "column": 3,
                            "end_column": 14,
                            "end_line": 7,
                            "file": "cell.vpr",
                            "line": 7,
                            "text": "if (x.f > 7)"
                          },
                          "store": {
                            "r": "<r>",
                            "x": "x₀"
                          }
                        },
                        {
                          "action": "consume",
                          "facts": [
                            "v₀ > 7"
                          ],
                          "heap": [
                            "acc(x₀.f) ↦ v₀"
                          ],
                          "place": {
                            "column": 5,
                            "end_column": 30,
                            "end_line": 8,
                            "file": "cell.vpr",
                            "line": 8,
                            "text": "assert x.f > 8 && x.f < 3"
                          },
                          "store": {
                            "r": "<r>",
                            "x": "x₀"
                          }
                        }
                      ]
                    },
                    {
                      "branches": [],
                      "culprit": {
                        "column": 8,
                        "end_column": 11,
                        "end_line": 10,
                        "file": "cell.vpr",
                        "line": 10,
                        "text": "x.f"
                      },
                      "id": "postcondition.violated:insufficient.permission",
                      "message": "Postcondition of get might not hold. There might be insufficient permission to access x.f.",
                      "place": {
                        "column": 11,
                        "end_column": 28,
                        "end_line": 5,
                        "file": "cell.vpr",
                        "line": 5,
                        "text": "r > 0 && acc(x.f)"
                      },
                      "undecided": "the budget of the query is spent"
                    }
                  ],
                  "kind": "method",
                  "name": "get",
                  "place": {
                    "column": 8,
                    "end_column": 11,
                    "end_line": 3,
                    "file": "cell.vpr",
                    "line": 3,
                    "text": "get"
                  },
                  "verdict": "failed"
                },
                {
                  "kind": "method",
                  "name": "slow",
                  "place": {
                    "column": 8,
                    "end_column": 11,
                    "end_line": 3,
                    "file": "cell.vpr",
                    "line": 3,
                    "text": "get"
                  },
                  "reason": "its steps are spent",
                  "verdict": "undecided"
                },
                {
                  "at": {
                    "column": 12,
                    "end_column": 20,
                    "end_line": 4,
                    "file": "cell.vpr",
                    "line": 4,
                    "text": "acc(x.f)"
                  },
                  "kind": "method",
                  "name": "wand",
                  "place": {
                    "column": 8,
                    "end_column": 11,
                    "end_line": 3,
                    "file": "cell.vpr",
                    "line": 3,
                    "text": "get"
                  },
                  "reason": "magic wands",
                  "verdict": "unsupported"
                }
              ],
              "problems": []
            },
            {
              "file": "wrong file.vpr",
              "members": [],
              "problems": [
                {
                  "id": "typechecker.error",
                  "message": "there is no type Foo",
                  "place": {
                    "column": 13,
                    "end_column": 16,
                    "end_line": 1,
                    "file": "wrong file.vpr",
                    "line": 1,
                    "text": "Foo"
                  }
                },
                {
                  "id": "input.error",
                  "message": "it cannot be read",
                  "place": null
                }
              ]
            }
          ],
          "summary": {
            "crashed": 0,
            "failed": 1,
            "files": 2,
            "input_errors": 2,
            "members": 4,
            "undecided": 1,
            "unsupported": 1,
            "verified": 1
          }
        }"#]],
    );
}

#[test]
fn as_sarif() {
    let sarif = sarif::sarif(&[report(), rejected()], "0.0.0");
    check(
        &serde_json::to_string_pretty(&sarif).expect("JSON"),
        &expect![[r#"
        {
          "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
          "runs": [
            {
              "columnKind": "unicodeCodePoints",
              "results": [
                {
                  "codeFlows": [
                    {
                      "threadFlows": [
                        {
                          "locations": [
                            {
                              "location": {
                                "message": {
                                  "text": "where this is true"
                                },
                                "physicalLocation": {
                                  "artifactLocation": {
                                    "uri": "cell.vpr"
                                  },
                                  "region": {
                                    "endColumn": 14,
                                    "endLine": 7,
                                    "startColumn": 7,
                                    "startLine": 7
                                  }
                                }
                              }
                            }
                          ]
                        }
                      ]
                    }
                  ],
                  "kind": "fail",
                  "level": "error",
                  "locations": [
                    {
                      "physicalLocation": {
                        "artifactLocation": {
                          "uri": "cell.vpr"
                        },
                        "region": {
                          "endColumn": 30,
                          "endLine": 8,
                          "startColumn": 12,
                          "startLine": 8
                        }
                      }
                    }
                  ],
                  "message": {
                    "text": "Assert might fail. Assertion x.f > 8 might not hold."
                  },
                  "relatedLocations": [
                    {
                      "message": {
                        "text": "Assertion this might not hold."
                      },
                      "physicalLocation": {
                        "artifactLocation": {
                          "uri": "cell.vpr"
                        },
                        "region": {
                          "endColumn": 19,
                          "endLine": 8,
                          "startColumn": 12,
                          "startLine": 8
                        }
                      }
                    }
                  ],
                  "ruleId": "assert.failed:assertion.false"
                },
                {
                  "kind": "fail",
                  "level": "error",
                  "locations": [
                    {
                      "physicalLocation": {
                        "artifactLocation": {
                          "uri": "cell.vpr"
                        },
                        "region": {
                          "endColumn": 28,
                          "endLine": 5,
                          "startColumn": 11,
                          "startLine": 5
                        }
                      }
                    }
                  ],
                  "message": {
                    "text": "Postcondition of get might not hold. There might be insufficient permission to access x.f."
                  },
                  "relatedLocations": [
                    {
                      "message": {
                        "text": "There might be insufficient permission to access this."
                      },
                      "physicalLocation": {
                        "artifactLocation": {
                          "uri": "cell.vpr"
                        },
                        "region": {
                          "endColumn": 11,
                          "endLine": 10,
                          "startColumn": 8,
                          "startLine": 10
                        }
                      }
                    }
                  ],
                  "ruleId": "postcondition.violated:insufficient.permission"
                },
                {
                  "kind": "open",
                  "level": "none",
                  "locations": [
                    {
                      "physicalLocation": {
                        "artifactLocation": {
                          "uri": "cell.vpr"
                        },
                        "region": {
                          "endColumn": 11,
                          "endLine": 3,
                          "startColumn": 8,
                          "startLine": 3
                        }
                      }
                    }
                  ],
                  "message": {
                    "text": "method slow is undecided: its steps are spent"
                  },
                  "ruleId": "undecided"
                },
                {
                  "kind": "open",
                  "level": "none",
                  "locations": [
                    {
                      "physicalLocation": {
                        "artifactLocation": {
                          "uri": "cell.vpr"
                        },
                        "region": {
                          "endColumn": 20,
                          "endLine": 4,
                          "startColumn": 12,
                          "startLine": 4
                        }
                      }
                    }
                  ],
                  "message": {
                    "text": "method wand uses magic wands"
                  },
                  "ruleId": "unsupported"
                },
                {
                  "kind": "fail",
                  "level": "error",
                  "locations": [
                    {
                      "physicalLocation": {
                        "artifactLocation": {
                          "uri": "wrong%20file.vpr"
                        },
                        "region": {
                          "endColumn": 16,
                          "endLine": 1,
                          "startColumn": 13,
                          "startLine": 1
                        }
                      }
                    }
                  ],
                  "message": {
                    "text": "there is no type Foo"
                  },
                  "ruleId": "typechecker.error"
                },
                {
                  "kind": "fail",
                  "level": "error",
                  "locations": [
                    {
                      "physicalLocation": {
                        "artifactLocation": {
                          "uri": "wrong%20file.vpr"
                        }
                      }
                    }
                  ],
                  "message": {
                    "text": "it cannot be read"
                  },
                  "ruleId": "input.error"
                }
              ],
              "tool": {
                "driver": {
                  "name": "effigy",
                  "rules": [
                    {
                      "id": "assert.failed:assertion.false",
                      "shortDescription": {
                        "text": "Assert might fail. Assertion … might not hold."
                      }
                    },
                    {
                      "id": "input.error",
                      "shortDescription": {
                        "text": "The input is not valid"
                      }
                    },
                    {
                      "id": "postcondition.violated:insufficient.permission",
                      "shortDescription": {
                        "text": "Postcondition of … might not hold. There might be insufficient permission to access …."
                      }
                    },
                    {
                      "id": "typechecker.error",
                      "shortDescription": {
                        "text": "The input is not valid"
                      }
                    },
                    {
                      "id": "undecided",
                      "shortDescription": {
                        "text": "There is no verdict"
                      }
                    },
                    {
                      "id": "unsupported",
                      "shortDescription": {
                        "text": "A construct that the verifier does not know"
                      }
                    }
                  ],
                  "version": "0.0.0"
                }
              }
            }
          ],
          "version": "2.1.0"
        }"#]],
    );
}

#[test]
fn as_a_page() {
    let page = html::html(&[report(), rejected()]);
    let body = page.split_once("<body>").expect("a body").1;
    check(
        body,
        &expect![[r#"

        <h1>effigy verify</h1>
        <p>4 members of 2 files: 1 verified, 1 failed, 1 undecided, 1 unsupported, 2 input errors</p>
        <h2>cell.vpr</h2>
        <table>
        <tr><td class="verified">verified</td><td>predicate</td><td>list</td><td></td></tr>
        <tr><td class="failed">failed</td><td>method</td><td>get</td><td></td></tr>
        <tr><td class="undecided">undecided</td><td>method</td><td>slow</td><td>its steps are spent</td></tr>
        <tr><td class="unsupported">unsupported</td><td>method</td><td>wand</td><td>magic wands (cell.vpr:4:12)</td></tr>
        </table>
        <h3>Assert might fail. Assertion x.f &gt; 8 might not hold.</h3>
        <p><code>cell.vpr:8:12</code> in get <code>[assert.failed:assertion.false]</code></p>
        <pre>8 |     assert <mark>x.f &gt; 8</mark> &amp;&amp; x.f &lt; 3</pre>
        <ul>
        <li><code>cell.vpr:7:7</code>: <code>x.f &gt; 7</code> is true</li>
        </ul>
        <p>Counterexample</p>
        <table>
        <tr><td>x.f</td><td>8</td></tr>
        </table>
        <details><summary>1. exec <code>if (x.f &gt; 7)</code> <small>cell.vpr:7:3</small></summary>
        <table class="state">
        <tr><th>store</th><td>x = x₀</td></tr>
        <tr><th></th><td>r = &lt;r&gt;</td></tr>
        <tr><th>heap</th><td>acc(x₀.f) ↦ v₀</td></tr>
        </table>
        </details>
        <details open="open"><summary>2. consume <code>assert x.f &gt; 8 &amp;&amp; x.f &lt; 3</code> <small>cell.vpr:8:5</small></summary>
        <table class="state">
        <tr><th>store</th><td>x = x₀</td></tr>
        <tr><th></th><td>r = &lt;r&gt;</td></tr>
        <tr><th>heap</th><td>acc(x₀.f) ↦ v₀</td></tr>
        <tr class="new"><th>path condition</th><td>v₀ &gt; 7</td></tr>
        </table>
        </details>
        <h3>Postcondition of get might not hold. There might be insufficient permission to access x.f.</h3>
        <p><code>cell.vpr:5:11</code> in get <code>[postcondition.violated:insufficient.permission]</code></p>
        <pre>5 |   ensures <mark>r &gt; 0 &amp;&amp; acc(x.f)</mark></pre>
        <pre>10 |   r := <mark>x.f</mark></pre>
        <p>The solver did not decide this (the budget of the query is spent): it may hold all the same.</p>
        <h2>wrong file.vpr</h2>
        <p class="failed">there is no type Foo <code>[typechecker.error]</code> at wrong file.vpr:1:13</p>
        <pre>1 | method m(x: <mark>Foo</mark>)</pre>
        <p class="failed">it cannot be read <code>[input.error]</code></p>
        </body>
        </html>
    "#]],
    );
}

#[test]
fn the_page_is_well_formed_and_stands_alone() {
    let page = html::html(&[report(), rejected()]);
    let markup = page.strip_prefix("<!DOCTYPE html>\n").expect("HTML");
    let parsed = roxmltree::Document::parse(markup).expect("well-formed");
    for node in parsed.descendants().filter(roxmltree::Node::is_element) {
        assert!(!["script", "link", "img", "iframe"].contains(&node.tag_name().name()), "{node:?}");
        assert!(node.attributes().all(|it| !["src", "href"].contains(&it.name())), "{node:?}");
    }
    assert!(!page.contains("http") && !page.contains("url("));
}

#[test]
fn names_and_values_do_not_leave_their_place() {
    let mut report = report();
    report.members[0].name = "<script>alert(1)</script>\u{1b}[2J\nx".into();
    let page = html::html(std::slice::from_ref(&report));
    assert!(!page.contains("<script>") && !page.contains('\u{1b}'));
    let shown = text::member(&report.members[0], &report.sources, false, Style::default());
    assert!(!shown.contains('\u{1b}'));
    assert_eq!(shown.matches('\n').count(), 1);
}

#[test]
fn a_verifier_that_fails_without_a_failure_has_a_bug() {
    assert!(matches!(MemberVerdict::from(Verdict::Failed(Vec::new())), MemberVerdict::Crashed(_)));
}

/// What a proof rests on is told wherever it is told that it holds.
#[test]
fn termination_is_no_secret_of_one_format() {
    let mut report = report();
    report.members[0].rests_on = vec!["length".into(), "sum".into()];
    let told = "holds if these functions terminate, which nothing shows: length, sum";
    let files = [report];
    let text = text::file(&files[0], &|_| true, Detail::default(), false, Style::default());
    let formats = [text, html::html(&files), sarif::sarif(&files, "0.0.0").to_string()];
    for format in formats {
        assert!(format.contains(told), "{format}");
    }
    // Of a member without a proof there is nothing to reserve.
    let mut files = files;
    files[0].members[0].verdict = MemberVerdict::Undecided("its steps are spent".into());
    assert!(!html::html(&files).contains(told));
}

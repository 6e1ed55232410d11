//! What agrees, and what each class of disagreement is.

use super::*;

const FALSE: &str = "assert.failed:assertion.false";

fn member(line: u32, verdict: Word, errors: &[(u32, &str)]) -> Member {
    let errors = errors.iter().map(|it| (it.1.to_owned(), it.0)).collect();
    Member { line: Some(line), verdict, errors }
}

fn found(members: Vec<Member>) -> TestOutcome {
    TestOutcome::Report(Report { members, ..Report::default() })
}

fn judged(text: &str, found: &TestOutcome) -> Judgement {
    judge(found, &Annotations::of([text]), &|_, _| false)
}

fn class_of(text: &str, found: &TestOutcome) -> Class {
    judged(text, found).class
}

const ONE: &str = "method m()\n{\n//:: ExpectedOutput(assert.failed:assertion.false)\nassert false\n}\n";

#[test]
fn the_error_that_is_due_agrees() {
    assert_eq!(class_of(ONE, &found(vec![member(1, Word::Failed, &[(4, FALSE)])])), Class::Agree);
}

#[test]
fn verifying_what_must_fail_is_unsound() {
    let verified = found(vec![member(1, Word::Verified, &[])]);
    assert_eq!(class_of(ONE, &verified), Class::Unsound(Unsoundness::Verified));
}

#[test]
fn a_file_without_members_does_not_hide_an_error_that_is_due() {
    assert_eq!(class_of(ONE, &found(Vec::new())), Class::Unsound(Unsoundness::Verified));
}

#[test]
fn another_line_or_id_misses_the_error_that_is_due() {
    let line = found(vec![member(1, Word::Failed, &[(5, FALSE)])]);
    assert_eq!(class_of(ONE, &line), Class::Unsound(Unsoundness::OtherError));
    let id = found(vec![member(1, Word::Failed, &[(4, "assert.failed:insufficient.permission")])]);
    assert_eq!(class_of(ONE, &id), Class::Unsound(Unsoundness::OtherError));
}

#[test]
fn a_second_error_of_a_member_that_fails_is_missed() {
    let text = "method m()\n//:: ExpectedOutput(a:b)\nx\n//:: ExpectedOutput(a:b)\ny\n";
    let one = found(vec![member(1, Word::Failed, &[(3, "a:b")])]);
    assert_eq!(class_of(text, &one), Class::Unsound(Unsoundness::Missed));
}

#[test]
fn a_wrong_verdict_counts_though_another_member_has_none() {
    let text = format!("{ONE}method n()\n");
    let both = found(vec![member(1, Word::Verified, &[]), member(6, Word::Open, &[])]);
    assert_eq!(class_of(&text, &both), Class::Unsound(Unsoundness::Verified));
}

#[test]
fn no_verdict_is_no_wrong_verdict() {
    let open = found(vec![member(1, Word::Open, &[])]);
    assert_eq!(class_of(ONE, &open), Class::Undecided);
    let TestOutcome::Report(mut report) = open else { unreachable!("it is a report") };
    report.unsupported.insert("magic wands".to_owned());
    assert_eq!(class_of(ONE, &TestOutcome::Report(report)), Class::Unsupported);
}

#[test]
fn an_error_that_is_not_due_is_incomplete() {
    let text = "method m()\n{ assert 1 + 1 == 2 }\n";
    assert_eq!(class_of(text, &found(vec![member(1, Word::Failed, &[(2, FALSE)])])), Class::Incomplete);
}

#[test]
fn one_annotation_absorbs_any_number_of_errors() {
    let twice = found(vec![member(1, Word::Failed, &[(4, FALSE), (4, FALSE)])]);
    assert_eq!(class_of(ONE, &twice), Class::Agree);
}

#[test]
fn what_the_front_end_must_reject_and_is_verified_is_unsound() {
    let text = "//:: ExpectedOutput(typechecker.error)\nmethod m(x: Foo)\n";
    let verified = found(vec![member(2, Word::Verified, &[])]);
    assert_eq!(class_of(text, &verified), Class::Unsound(Unsoundness::Accepted));
    let rejected = Report { rejected: vec![("typechecker.error".to_owned(), 2)], ..Report::default() };
    assert_eq!(class_of(text, &TestOutcome::Report(rejected)), Class::Agree);
    let elsewhere = Report { rejected: vec![("parser.error".to_owned(), 1)], ..Report::default() };
    assert_eq!(class_of(text, &TestOutcome::Report(elsewhere)), Class::Incomplete);
}

#[test]
fn what_silver_knows_to_be_missing_must_be_missing() {
    let text = "method m()\n//:: ExpectedOutput(a:b)\n//:: MissingOutput(a:b, /silver/issue/1/)\nx\n";
    assert_eq!(class_of(text, &found(vec![member(1, Word::Verified, &[])])), Class::Agree);
    assert_eq!(class_of(text, &found(vec![member(1, Word::Failed, &[(4, "a:b")])])), Class::Incomplete);
}

#[test]
fn ignore_others_absorbs_what_is_not_due() {
    let text = "method m()\n//:: IgnoreOthers\nx\n";
    assert_eq!(class_of(text, &found(vec![member(1, Word::Failed, &[(3, FALSE)])])), Class::Agree);
}

#[test]
fn a_waived_annotation_may_be_met_or_not() {
    let annotations = Annotations::of([ONE]);
    let waived = |line: u32, id: &Id| line == 4 && id.to_string() == FALSE;
    let verified = judge(&found(vec![member(1, Word::Verified, &[])]), &annotations, &waived);
    assert_eq!((verified.class, verified.waived.len()), (Class::Agree, 1));
    let failed = judge(&found(vec![member(1, Word::Failed, &[(4, FALSE)])]), &annotations, &waived);
    assert_eq!((failed.class, failed.waived.len()), (Class::Agree, 0));
}

#[test]
fn what_other_provers_say_may_be_waived() {
    let text = "method m()\n//:: UnexpectedOutput(assert.failed:assertion.false, /silicon/issue/1/)\nassert x\n";
    let annotations = Annotations::of([text]);
    let failed = found(vec![member(1, Word::Failed, &[(3, FALSE)])]);
    let waived = |line: u32, id: &Id| line == 3 && id.to_string() == FALSE;
    assert_eq!(judge(&failed, &annotations, &waived).class, Class::Agree);
    assert_eq!(judge(&failed, &annotations, &|_, _| false).class, Class::Incomplete);
    // Another error in the same line is none of theirs.
    let other = found(vec![member(1, Word::Failed, &[(3, "assert.failed:insufficient.permission")])]);
    assert_eq!(judge(&other, &annotations, &waived).class, Class::Incomplete);
    assert_eq!(judge(&found(vec![member(1, Word::Verified, &[])]), &annotations, &waived).class, Class::Agree);
}

#[test]
fn a_crash_is_a_crash_whatever_else_agrees() {
    let members = vec![member(1, Word::Failed, &[(4, FALSE)])];
    let report = Report { members, crashed: Some("index out of bounds".to_owned()), ..Report::default() };
    assert_eq!(class_of(ONE, &TestOutcome::Report(report)), Class::Crash);
}

//! What cannot be merged is an error at the user's own words.

use super::rewrite;

/// What is refused in a function: the words, and why.
fn errors(source: &str) -> Vec<(String, String)> {
    let mut function = syn::parse_str(source).expect("a function");
    rewrite(&mut function).into_iter().map(|(words, why)| (words.to_string(), why)).collect()
}

/// These words of the user's are refused.
fn refused(source: &str, words: &str, why: &str) {
    assert_eq!(errors(source), [(words.to_owned(), why.to_owned())], "{source}");
}

#[test]
fn exits_are_refused_where_they_stand() {
    refused("fn f(c: B) -> i32 { if c { return 1; } 2 }", "return 1", "`return` leaves one side only");
    refused("fn f(c: B) { loop { if c { 1 } else { break }; } }", "break", "`break` leaves one side only");
    refused("fn f(c: B) { for x in y { if c { continue; } } }", "continue", "`continue` leaves one side only");
    refused("fn f(c: B) -> R { let x = if c { y? } else { 1 }; R(x) }", "?", "`?` leaves one side only");
    refused("async fn f(c: B) { if c { y.await } }", "await", "others run at `.await`");
}

#[test]
fn loops_within_a_side_may_be_left() {
    assert_eq!(errors("fn f(c: B) { if c { loop { break; } while c { continue; } } }"), []);
    assert_eq!(errors("fn f(c: B) { if c { let g = || { return 1; }; } }"), []);
}

#[test]
fn writes_that_are_not_seen_are_refused() {
    let why = "what a `&mut` refers to can be written by both sides";
    refused("fn f(c: B, x: &mut i32) { if c { *x = 1; } }", "x : & mut i32", why);
    refused("fn f(c: B) { let mut x = 1; if c { g(&mut x); } }", "& mut x", why);
    refused("fn f(&mut self, c: B) { if c { self.x = 1; } }", "& mut self", "`&mut self` can be written by both sides");
}

#[test]
fn a_variable_without_a_value_is_refused() {
    refused("fn f(c: B) { let x; if c { x = 1; } else { } }", "x", "`x` has no value before the conditional");
}

#[test]
fn a_conditional_that_binds_is_left_as_it_is() {
    assert_eq!(errors("fn f(c: Option<i32>) -> i32 { if let Some(x) = c { return x; } 0 }"), []);
}

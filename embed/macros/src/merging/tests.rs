//! What cannot be merged is an error at the user's own words.

use super::rewrite;
use quote::ToTokens;
use syn::ItemFn;

/// What is refused in a function: the words, and why.
fn errors(source: &str) -> Vec<(String, String)> {
    let mut function: ItemFn = syn::parse_str(source).expect("a function");
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

#[test]
fn macros_that_may_write_or_declare_are_refused() {
    let written = "what the macro `set!` writes cannot be seen";
    refused("fn f(c: B) { let mut x = 1; if c { let y = set!(x); } }", "set", written);
    refused("fn f(c: B) { let mut x = 1; if c { set!(x); } }", "set", written);
    let declared = "what a macro declares cannot be seen";
    refused("fn f(c: B) { declare!(x); if c { g(x); } }", "declare", declared);
    refused("fn f(c: B) { let any!(x) = 1; if c { g(x); } }", "any ! (x)", declared);
    assert_eq!(errors("fn f(c: B) { if c { assert!(matches!(a, Some(x) if x), \"{x}\"); vec![1; 2]; } }"), []);
}

#[test]
fn exits_within_macros_are_seen() {
    refused("fn f(c: B) { if c { vec![y?]; } }", "?", "`?` leaves one side only");
    refused("fn f(c: B) { if c { assert!(return); } }", "return", "`return` leaves one side only");
}

#[test]
fn unsafe_blocks_are_refused() {
    refused("fn f(c: B) { if c { unsafe { X = 1; } } }", "unsafe", "what an `unsafe` block writes cannot be seen");
}

/// What is kept for each conditional, the outermost last, and what must not be written there.
fn sides(source: &str) -> Vec<(Vec<String>, Vec<String>)> {
    let mut function: ItemFn = syn::parse_str(source).expect("a function");
    assert_eq!(rewrite(&mut function).len(), 0, "{source}");
    let text = function.to_token_stream().to_string();
    let conditionals = text.split("let effigy_cond =").skip(1);
    let words = |text: &str, before: &str| {
        let found = text.split(before).skip(1).map(|it| it[..it.find(')').expect("an end")].trim().to_owned());
        found.collect::<Vec<_>>()
    };
    conditionals
        .map(|it| {
            let head = &it[..it.find("let effigy_first").expect("the first side")];
            (words(head, "Clone :: clone (&"), words(head, "read_only (effigy_cond , &"))
        })
        .collect()
}

/// In each function `x` is declared where it is written.
#[test]
fn bindings_of_every_shape_are_kept() {
    for source in [
        "fn f(mut x: N) { if c { x = 1; } }",
        "fn f((mut x, y): N) { if c { x = 1; } }",
        "fn f() { let mut x = 1; if c { x = 1; } }",
        "fn f() { let (P { mut x, .. } | Q { b: mut x }) = a else { return }; if c { x = 1; } }",
        "fn f() { let [mut x, ..] = a; if c { x = 1; } }",
        "fn f() { match a { Some(mut x) => { if c { x = 1; } } } }",
        "fn f() { match a { mut x @ 1..=2 if d => if c { x = 1; } } }",
        "fn f() { if let Some(mut x) = a { if c { x = 1; } } }",
        "fn f() { if d && let Some(mut x) = a && x { if c { x = 1; } } }",
        "fn f() { while let Some(mut x) = a { if c { x = 1; } } }",
        "fn f() { for mut x in a { if c { x = 1; } } }",
        "fn f() { let g = |mut x| if c { x = 1; }; }",
        "fn f() { let mut x = 1; let mut g = || { if c { x = 1; } }; }",
    ] {
        let found = sides(source);
        assert_eq!(found.len(), 1, "{source}");
        assert_eq!(found[0].0, ["x"], "{source}");
        assert!(!found[0].1.contains(&"x".to_owned()), "{source}");
    }
    assert_eq!(sides("fn f(mut self) { if c { self.x = 1; } }")[0].0, ["self"]);
}

/// In each function `x` is not a variable whose value is kept, so its type is to say that nothing is written through it.
#[test]
fn what_is_not_kept_is_checked_by_its_type() {
    for source in [
        "fn f(x: Out) { if c { x.push(1); } }",
        "fn f() { for x in v.iter_mut() { if c { *x = 1; } } }",
        "fn f() { let x = v.get_mut(0); if c { *x = 1; } }",
        "fn f() { let (x, y) = v.split_at_mut(1); if c { x[0] = 1; } }",
        "fn f() { match v.as_mut() { Some(x) => if c { *x = 1; } } }",
        "fn f() { let ref mut x = v; if c { *x = 1; } }",
        "fn f() { if let Some(ref mut x) = v { if c { *x = 1; } } }",
        "fn f() { let mut x = 1; { let x = v.last_mut(); if c { *x = 1; } } }",
        "fn f() { let mut x = 1; let g = |x| if c { *x = 1; }; }",
        "fn f() { let x = w.entry(k).or_insert(0); if c { *x += 1; } }",
        "fn f() { let x = || v.push(1); if c { x(); } }",
        "fn f(x: impl FnMut()) { if c { g(x); } }",
        "fn f() { if c { x.set(1); } }",
        "fn f() { if c { g(vec![&x]); } }",
        "fn f() { if c { let y = P { x }; } }",
        "fn f() { if c { let x = x; } }",
        "fn f() { if c { for x in x.iter() {} } }",
        "fn f() { if c { match x { x => {} } } }",
        "fn f() { if c { { let x = 1; } g(x); } }",
    ] {
        let found = sides(source);
        assert_eq!(found.last().map(|it| it.1.contains(&"x".to_owned())), Some(true), "{source}: {found:?}");
        assert!(!found.iter().any(|it| it.0.contains(&"x".to_owned())), "{source}: {found:?}");
    }
    assert_eq!(sides("fn f() { if c { state::COUNT.add(1); } }")[0].1, ["state :: COUNT"]);
    assert_eq!(sides("fn f() { if c { State::COUNT.add(1); } }")[0].1, ["State :: COUNT"]);
    assert_eq!(sides("fn f() { if c { g(State::Open, Sym::MAX); } }")[0].1, [""; 0]);
    assert_eq!(sides("fn f(&self) { if c { self.count.set(1); } }")[0].1, ["self"]);
}

/// What the side declares itself, and functions, need nothing.
#[test]
fn what_is_the_sides_own_is_free() {
    for source in [
        "fn f() { if c { let mut x = 1; x = 2; } }",
        "fn f() { if c { for x in 0..3 { g(x); } } }",
        "fn f() { if c { let Some(x) = h() else { panic!() }; g(x); } }",
        "fn f() { if c { if let Some(x) = h() && x { g(x); } } }",
        "fn f() { if c { h().map(|x| x + 1); } }",
        "fn f() { if c { match h() { Some(x) if x => g(x), None => {} } } }",
        "fn f() { if c { x(1); Sym::MAX; Sym::from(1); } }",
    ] {
        assert_eq!(sides(source)[0], (vec![], vec![]), "{source}");
    }
}

#[test]
fn names_of_the_attribute_are_refused() {
    let why = "names that begin with `effigy_` are the attribute's own";
    refused("fn f(c: B) { let effigy_cond = 1; if c { g(effigy_cond); } }", "effigy_cond", why);
    refused("fn f(effigy_x: B) {}", "effigy_x", why);
}

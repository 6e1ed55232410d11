//! The attributes and the derive of `effigy-harness`, and of the crate `kani` that has the same content.
//!
//! Without dependencies: `cargo effigy` compiles it with nothing but rustc.

mod arbitrary;
mod tokens;

use proc_macro::{Delimiter, TokenStream, TokenTree};
use tokens::{error, parsed};

/// The crate whose attributes these are, as paths begin.
pub(crate) const CRATE: &str = if cfg!(kani_crate) { "::kani" } else { "::effigy_harness" };

/// A function without parameters that is run on all values of what it asks for with `any`.
#[proc_macro_attribute]
pub fn proof(arguments: TokenStream, item: TokenStream) -> TokenStream {
    if !arguments.is_empty() {
        return error("#[proof] takes no arguments");
    }
    recorded("Proof", "", item)
}

/// The harness must panic on some run, and have no other bug.
#[proc_macro_attribute]
pub fn should_panic(_: TokenStream, item: TokenStream) -> TokenStream {
    recorded("ShouldPanic", "", item)
}

macro_rules! without_effect {
    ($($(#[$doc:meta])* $name:ident)*) => { $(
        $(#[$doc])*
        #[proc_macro_attribute]
        pub fn $name(_: TokenStream, item: TokenStream) -> TokenStream {
            item
        }
    )* };
}

without_effect! {
    /// How often Kani unwinds loops: loops are followed to their end here, and need no bound.
    unwind
    /// Which solver Kani uses.
    solver
    /// A contract's condition at the entry of a function. It means something to `proof_for_contract` alone.
    requires
    /// A contract's condition at the end of a function. It means something to `proof_for_contract` alone.
    ensures
    /// What a function may write. It means something to `proof_for_contract` alone.
    modifies
    /// A function that calls itself and has a contract.
    recursion
    /// What holds in each round of a loop: loops are followed to their end here.
    loop_invariant
    /// What a loop may write: loops are followed to their end here.
    loop_modifies
}

macro_rules! refused {
    ($($(#[$doc:meta])* $name:ident)*) => { $(
        $(#[$doc])*
        #[proc_macro_attribute]
        pub fn $name(_: TokenStream, item: TokenStream) -> TokenStream {
            recorded("Refused", concat!("#[", stringify!($name), "]"), item)
        }
    )* };
}

refused! {
    /// Checks a function against its contract: refused.
    proof_for_contract
    /// Replaces a function by another one: refused.
    stub
    /// Replaces a function by its contract: refused.
    stub_verified
}

/// `any` makes each field, or one of the variants with its fields.
#[proc_macro_derive(Arbitrary, attributes(safety_constraint))]
pub fn arbitrary(item: TokenStream) -> TokenStream {
    arbitrary::derive(item).unwrap_or_else(|it| error(&it))
}

/// `any` makes each field up to a bound where that is marked `#[bounded]`.
#[proc_macro_derive(BoundedArbitrary, attributes(bounded))]
pub fn bounded_arbitrary(_: TokenStream) -> TokenStream {
    error("#[derive(BoundedArbitrary)] is not supported: implement the trait")
}

/// The function with a record of it. `what` is what is refused.
fn recorded(kind: &str, what: &str, item: TokenStream) -> TokenStream {
    let tokens: Vec<TokenTree> = item.clone().into_iter().collect();
    let keyword = tokens.iter().position(|it| matches!(it, TokenTree::Ident(it) if it.to_string() == "fn"));
    let (Some(keyword), Some(TokenTree::Ident(name))) = (keyword, keyword.and_then(|it| tokens.get(it + 1))) else {
        return error("a function was expected: fn check() { ... }");
    };
    if tokens[..keyword].iter().any(|it| matches!(it, TokenTree::Ident(it) if it.to_string() == "async")) {
        return error("a harness cannot be async");
    }
    match tokens.get(keyword + 2) {
        Some(TokenTree::Group(it)) if it.delimiter() == Delimiter::Parenthesis && it.stream().is_empty() => {}
        _ => return error("a harness has neither parameters nor type parameters: any() makes its values"),
    }
    let own_name = name.to_string();
    let name = own_name.trim_start_matches("r#");
    let is_word = |it: &TokenTree, word: &str| matches!(it, TokenTree::Ident(it) if it.to_string() == word);
    let head = &tokens[..keyword];
    let returns = !matches!(tokens.get(keyword + 3), Some(TokenTree::Group(it)) if it.delimiter() == Delimiter::Brace);
    let is_unsafe = head.iter().any(|it| is_word(it, "unsafe"));
    let call = if is_unsafe { format!("unsafe {{ {own_name}() }}") } else { format!("{own_name}()") };
    let function = match (returns, is_unsafe || head.iter().any(|it| is_word(it, "extern"))) {
        (true, _) => format!("{{ fn call() {{ {CRATE}::HarnessEnd::check({call}); }} call }}"),
        (_, true) => format!("{{ fn call() {{ {call} }} call }}"),
        _ => own_name.clone(),
    };
    let record = format!(
        "#[doc(hidden)] const _: () = {{ #[used] static EFFIGY_HARNESS: {CRATE}::Harness = {CRATE}::Harness::new(\
         {CRATE}::HarnessKind::{kind}, concat!(module_path!(), \"::{}\"), file!(), line!(), {function}); }};",
        if what.is_empty() { name.to_owned() } else { format!("{name} {what}") }
    );
    let mut res = item;
    res.extend(parsed(&record));
    if cfg!(native_replay) && kind == "Proof" {
        res.extend(parsed(&format!(
            "#[cfg(test)] #[test] fn effigy_replay_{name}() {{ \
             {CRATE}::replay(concat!(module_path!(), \"::{name}\"), {function}) }}"
        )));
    }
    res
}

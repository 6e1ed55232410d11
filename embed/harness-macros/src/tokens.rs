//! Token trees, as far as attributes need them: there is no parser of Rust here.

use proc_macro::{Delimiter, TokenStream, TokenTree};

/// A compile error with this message.
pub(crate) fn error(message: &str) -> TokenStream {
    parsed(&format!("::core::compile_error!({message:?});"))
}

/// The tokens of a text of our own.
pub(crate) fn parsed(text: &str) -> TokenStream {
    text.parse().unwrap_or_else(|_| panic!("a text of our own is Rust: {text}"))
}

/// The pieces between commas that stand in no angle brackets; an empty one at the end is none.
pub(crate) fn between_commas(tokens: &[TokenTree]) -> Vec<&[TokenTree]> {
    let mut res = Vec::new();
    let (mut from, mut depth, mut arrow) = (0, 0, false);
    for (at, token) in tokens.iter().enumerate() {
        let TokenTree::Punct(it) = token else {
            arrow = false;
            continue;
        };
        match it.as_char() {
            '<' => depth += 1,
            '>' if !arrow => depth -= 1,
            ',' if depth == 0 => {
                res.push(&tokens[from..at]);
                from = at + 1;
            }
            _ => {}
        }
        // `->` closes nothing.
        arrow = it.as_char() == '-';
    }
    if from < tokens.len() {
        res.push(&tokens[from..]);
    }
    res
}

/// The tokens behind attributes and visibility.
pub(crate) fn without_attributes(mut tokens: &[TokenTree]) -> &[TokenTree] {
    loop {
        tokens = match tokens {
            [TokenTree::Punct(hash), TokenTree::Group(_), rest @ ..] if hash.as_char() == '#' => rest,
            [TokenTree::Ident(word), TokenTree::Group(scope), rest @ ..]
                if word.to_string() == "pub" && scope.delimiter() == Delimiter::Parenthesis =>
            {
                rest
            }
            [TokenTree::Ident(word), rest @ ..] if word.to_string() == "pub" => rest,
            _ => return tokens,
        };
    }
}

/// These tokens as text.
pub(crate) fn text(tokens: &[TokenTree]) -> String {
    tokens.iter().cloned().collect::<TokenStream>().to_string()
}

//! `#[derive(Arbitrary)]`.

use crate::CRATE;
use crate::tokens::{between_commas, parsed, text, without_attributes};
use proc_macro::{Delimiter, TokenStream, TokenTree};

/// The implementation for a structure or an enumeration, or why there is none.
pub(crate) fn derive(item: TokenStream) -> Result<TokenStream, String> {
    let tokens: Vec<TokenTree> = item.into_iter().collect();
    if text(&tokens).contains("safety_constraint") {
        return Err("#[safety_constraint] is not supported: use any_where".to_owned());
    }
    let rest = without_attributes(&tokens);
    let [TokenTree::Ident(keyword), TokenTree::Ident(name), rest @ ..] = rest else {
        return Err("a struct or an enum was expected".to_owned());
    };
    let (parameters, rest) = generics(rest);
    let body = rest.iter().rev().find_map(|it| match it {
        TokenTree::Group(it) => Some(it),
        _ => None,
    });
    let name = name.to_string();
    let value = match keyword.to_string().as_str() {
        "struct" => fields(&name, body.map(|it| (it.delimiter(), it.stream())))?,
        "enum" => variants(&name, body.map(|it| it.stream()).unwrap_or_default())?,
        other => return Err(format!("#[derive(Arbitrary)] takes a struct or an enum, not a {other}")),
    };
    let mut declared = String::new();
    let mut used = String::new();
    for parameter in between_commas(&parameters) {
        let (declaration, name) = parameter_of(parameter);
        declared.push_str(&format!("{declaration}, "));
        used.push_str(&format!("{name}, "));
    }
    let condition = where_clause(rest);
    Ok(parsed(&format!(
        "#[automatically_derived] impl<{declared}> {CRATE}::Arbitrary for {name}<{used}> {condition} {{ \
         #[track_caller] fn any() -> Self {{ {value} }} }}"
    )))
}

/// The tokens between `<` and `>`, and those behind them.
fn generics(tokens: &[TokenTree]) -> (Vec<TokenTree>, &[TokenTree]) {
    let is_punct = |it: &TokenTree, sign: char| matches!(it, TokenTree::Punct(it) if it.as_char() == sign);
    if !tokens.first().is_some_and(|it| is_punct(it, '<')) {
        return (Vec::new(), tokens);
    }
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate() {
        depth += i32::from(is_punct(token, '<')) - i32::from(is_punct(token, '>'));
        if depth == 0 {
            return (tokens[1..at].to_vec(), &tokens[at + 1..]);
        }
    }
    (Vec::new(), tokens)
}

/// How a parameter of the type is declared for the implementation, and how it is named.
fn parameter_of(tokens: &[TokenTree]) -> (String, String) {
    let end = tokens.iter().position(|it| matches!(it, TokenTree::Punct(it) if it.as_char() == '='));
    let tokens = &tokens[..end.unwrap_or(tokens.len())];
    let whole = text(tokens);
    match tokens {
        [TokenTree::Punct(quote), TokenTree::Ident(name), ..] if quote.as_char() == '\'' => (whole, format!("'{name}")),
        [TokenTree::Ident(word), TokenTree::Ident(name), ..] if word.to_string() == "const" => {
            (whole, name.to_string())
        }
        [TokenTree::Ident(name)] => (format!("{name}: {CRATE}::Arbitrary"), name.to_string()),
        [TokenTree::Ident(name), ..] => (format!("{whole} + {CRATE}::Arbitrary"), name.to_string()),
        _ => (whole.clone(), whole),
    }
}

/// What stands between `where` and the body.
fn where_clause(tokens: &[TokenTree]) -> String {
    let from = tokens.iter().position(|it| matches!(it, TokenTree::Ident(it) if it.to_string() == "where"));
    let Some(from) = from else { return String::new() };
    let is_end = |it: &TokenTree| match it {
        TokenTree::Group(it) => it.delimiter() == Delimiter::Brace,
        TokenTree::Punct(it) => it.as_char() == ';',
        _ => false,
    };
    let end = tokens[from..].iter().position(is_end).map_or(tokens.len(), |it| from + it);
    text(&tokens[from..end])
}

/// A value of a structure, or of a variant, with any fields.
fn fields(path: &str, body: Option<(Delimiter, TokenStream)>) -> Result<String, String> {
    let Some((delimiter, body)) = body else { return Ok(path.to_owned()) };
    let tokens: Vec<TokenTree> = body.into_iter().collect();
    let pieces = between_commas(&tokens);
    let any = format!("{CRATE}::any()");
    match delimiter {
        Delimiter::Brace => {
            let mut res = format!("{path} {{ ");
            for piece in pieces {
                let [TokenTree::Ident(name), ..] = without_attributes(piece) else {
                    return Err(format!("a field was expected, not `{}`", text(piece)));
                };
                res.push_str(&format!("{name}: {any}, "));
            }
            Ok(res + "}")
        }
        _ => Ok(format!("{path}({})", vec![any; pieces.len()].join(", "))),
    }
}

/// One of the variants of an enumeration.
fn variants(name: &str, body: TokenStream) -> Result<String, String> {
    let tokens: Vec<TokenTree> = body.into_iter().collect();
    let mut values = Vec::new();
    for piece in between_commas(&tokens) {
        let [TokenTree::Ident(variant), rest @ ..] = without_attributes(piece) else {
            return Err(format!("a variant was expected, not `{}`", text(piece)));
        };
        let body = match rest.first() {
            Some(TokenTree::Group(it)) => Some((it.delimiter(), it.stream())),
            _ => None,
        };
        values.push(fields(&format!("{name}::{variant}"), body)?);
    }
    let Some(last) = values.pop() else {
        return Err(format!("{name} has no variants: there is no value of it"));
    };
    if values.is_empty() {
        return Ok(last);
    }
    let count = values.len();
    let arms: String = values.iter().enumerate().map(|(at, value)| format!("{at} => {value}, ")).collect();
    Ok(format!(
        "let variant: u16 = {CRATE}::any(); {CRATE}::assume(variant <= {count}); \
         match variant {{ {arms} _ => {last}, }}"
    ))
}

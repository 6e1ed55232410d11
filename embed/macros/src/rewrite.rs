//! `#[effigy::symbolic]`: conditions are asked, literal matches are resolved, and with `merge` both sides are run.
//!
//! Knows: conditionals and matches, and where control leaves them. Never: types.

use crate::merging::{self, binds};
use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};
use syn::parse::{Parse, ParseStream};
use syn::visit_mut::{self, VisitMut};
use syn::{Arm, BinOp, Error, Expr, Ident, ItemFn, Pat, RangeLimits, Result};

/// What becomes of conditionals.
pub(crate) enum Mode {
    Fork,
    Merge,
}

impl Parse for Mode {
    fn parse(input: ParseStream<'_>) -> Result<Mode> {
        if input.is_empty() {
            return Ok(Mode::Fork);
        }
        let word: Ident = input.parse()?;
        match word == "merge" {
            true => Ok(Mode::Merge),
            false => Err(Error::new(word.span(), "the only word here is `merge`")),
        }
    }
}

pub(crate) fn expand(mode: Mode, mut function: ItemFn) -> Result<TokenStream> {
    let mut errors = None;
    if let Mode::Merge = mode {
        errors = merging::merge(&mut function);
        // A side that panics has no value to merge; the user's own words are checked in the plain function.
        function.attrs.push(syn::parse_quote!(#[allow(unreachable_code)]));
    }
    Fork.visit_block_mut(&mut function.block);
    match errors {
        Some(error) => Err(error),
        None => Ok(function.into_token_stream()),
    }
}

/// Conditions are asked where they stand.
struct Fork;

fn ask(cond: &mut Expr) {
    if !binds(cond) && !matches!(cond, Expr::Lit(_)) {
        *cond = syn::parse_quote!(::effigy::rewritten::Condition::cond(&(#cond)));
    }
}

impl VisitMut for Fork {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        visit_mut::visit_expr_mut(self, expr);
        match expr {
            Expr::If(it) => ask(&mut it.cond),
            Expr::While(it) => ask(&mut it.cond),
            Expr::Binary(it) if matches!(it.op, BinOp::And(_) | BinOp::Or(_)) => {
                ask(&mut it.left);
                ask(&mut it.right);
            }
            Expr::Match(it) => {
                for arm in &mut it.arms {
                    if let Some((_, guard)) = &mut arm.guard {
                        ask(guard);
                    }
                }
                if let Some(tests) = tests(&it.arms) {
                    let scrutinee = &it.expr;
                    let value = format_ident!("effigy_scrutinee");
                    let arms = it.arms.iter().map(|arm| bound(arm, &value));
                    *expr = syn::parse_quote!({
                        let #value = &(#scrutinee);
                        match ::effigy::rewritten::Resolve::resolve(#value, &[#(#tests),*]) { #(#arms)* }
                    });
                }
            }
            _ => {}
        }
    }

    // A function within has an attribute of its own.
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// A name in capitals is a constant.
fn is_constant(ident: &Ident) -> bool {
    let text = ident.to_string();
    text.chars().any(char::is_uppercase) && !text.chars().any(char::is_lowercase)
}

/// The tests of a match with literals only; `None` where it is of another kind.
fn tests(arms: &[Arm]) -> Option<Vec<TokenStream>> {
    let mut res = Vec::new();
    arms.iter().try_for_each(|arm| collect(&arm.pat, &mut res))?;
    (!res.is_empty()).then_some(res)
}

fn collect(pat: &Pat, into: &mut Vec<TokenStream>) -> Option<()> {
    let test = quote!(::effigy::rewritten::Test);
    match pat {
        Pat::Wild(_) => {}
        Pat::Paren(it) => collect(&it.pat, into)?,
        Pat::Or(it) => it.cases.iter().try_for_each(|it| collect(it, into))?,
        Pat::Lit(it) => into.push(quote!(#test::Is(#it))),
        Pat::Range(it) => {
            let closed = matches!(it.limits, RangeLimits::Closed(_));
            into.push(match (&it.start, &it.end, closed) {
                (Some(low), Some(high), true) => quote!(#test::Range(#low, #high)),
                (Some(low), Some(end), false) => quote!(#test::Below(#low, #end)),
                (Some(low), None, _) => quote!(#test::From(#low)),
                (None, Some(high), true) => quote!(#test::To(#high)),
                (None, Some(end), false) => quote!(#test::Until(#end)),
                (None, None, _) => return None,
            });
        }
        Pat::Ident(it) if it.by_ref.is_none() => match &it.subpat {
            Some((_, inner)) => collect(inner, into)?,
            None if is_constant(&it.ident) => into.push(quote!(#test::Is(#it))),
            None => {}
        },
        _ => return None,
    }
    Some(())
}

/// The arm with its name for the whole value, which is the value itself and not the literal that stands for it.
fn bound(arm: &Arm, value: &Ident) -> TokenStream {
    let (pat, name) = match &arm.pat {
        Pat::Ident(it) if !is_constant(&it.ident) || it.subpat.is_some() => {
            let inner = it.subpat.as_ref().map_or_else(|| quote!(_), |it| it.1.to_token_stream());
            let (mutability, ident) = (&it.mutability, &it.ident);
            (
                inner,
                Some(
                    quote!(#[allow(unused_variables, unused_mut)] let #mutability #ident = ::core::clone::Clone::clone(#value);),
                ),
            )
        }
        other => (other.to_token_stream(), None),
    };
    let body = &arm.body;
    let guard = arm.guard.as_ref().map(|(_, guard)| quote!(if { #name #guard }));
    quote!(#pat #guard => { #name #body })
}

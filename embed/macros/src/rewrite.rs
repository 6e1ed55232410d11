//! `#[effigy::symbolic]`: conditions are asked, literal matches are resolved, and with `merge` both sides are run.
//!
//! Knows: conditionals and matches, and where control leaves them. Never: types.

use crate::merging::{self, binds};
use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::visit_mut::{self, VisitMut};
use syn::{
    Arm, BinOp, Block, Error, Expr, Ident, ImplItemConst, ImplItemFn, Item, ItemConst, ItemFn, ItemStatic, Pat,
    RangeLimits, Result, Token, Type, Variant,
};

/// What is rewritten beside conditions and literal matches.
#[derive(Default)]
pub(crate) struct Mode {
    /// Both sides of a conditional are run.
    merge: bool,
    /// `as` is of symbolic numbers too.
    casts: bool,
}

impl Parse for Mode {
    fn parse(input: ParseStream<'_>) -> Result<Mode> {
        let mut res = Mode::default();
        for word in Punctuated::<Ident, Token![,]>::parse_terminated(input)? {
            match word.to_string().as_str() {
                "merge" => res.merge = true,
                "casts" => res.casts = true,
                _ => return Err(Error::new(word.span(), "the words here are `merge` and `casts`")),
            }
        }
        Ok(res)
    }
}

pub(crate) fn expand(mode: &Mode, mut item: Item) -> Result<TokenStream> {
    if let (true, Item::Fn(function)) = (mode.merge, &mut item) {
        let errors = merging::merge(function);
        // A side that panics has no value to merge; the user's own words are checked in the plain function.
        function.attrs.push(syn::parse_quote!(#[allow(unreachable_code, unused_braces)]));
        if let Some(errors) = errors {
            return Err(errors);
        }
    } else if mode.merge {
        return Err(Error::new_spanned(&item, "`merge` is for a function: write it there"));
    }
    match &item {
        Item::Fn(_) | Item::Impl(_) | Item::Trait(_) => {}
        Item::Mod(it) if it.content.is_some() => {}
        _ => {
            return Err(Error::new_spanned(&item, "a function, an `impl` block, a trait or a module with its content"));
        }
    }
    Within { casts: mode.casts }.visit_item_mut(&mut item);
    Ok(item.into_token_stream())
}

/// Each function of an item.
struct Within {
    casts: bool,
}

impl VisitMut for Within {
    fn visit_block_mut(&mut self, block: &mut Block) {
        Fork { casts: self.casts }.visit_block_mut(block);
    }

    // What is known when a program is compiled is plain.
    fn visit_item_const_mut(&mut self, it: &mut ItemConst) {
        Plain.visit_type_mut(&mut it.ty);
    }

    fn visit_item_static_mut(&mut self, it: &mut ItemStatic) {
        Plain.visit_type_mut(&mut it.ty);
    }

    fn visit_impl_item_const_mut(&mut self, it: &mut ImplItemConst) {
        Plain.visit_type_mut(&mut it.ty);
    }

    fn visit_item_fn_mut(&mut self, it: &mut ItemFn) {
        // A `const fn` may ask nothing.
        if it.sig.constness.is_none() {
            self.visit_block_mut(&mut it.block);
        }
    }

    fn visit_impl_item_fn_mut(&mut self, it: &mut ImplItemFn) {
        if it.sig.constness.is_none() {
            self.visit_block_mut(&mut it.block);
        }
    }

    // Lengths and discriminants.
    fn visit_type_mut(&mut self, _: &mut Type) {}

    fn visit_variant_mut(&mut self, _: &mut Variant) {}
}

/// The types of the language, whatever their names stand for here.
struct Plain;

const PRIMITIVES: [&str; 16] = [
    "bool", "char", "f32", "f64", "i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32", "u64", "u128",
    "usize",
];

impl VisitMut for Plain {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        visit_mut::visit_type_mut(self, ty);
        if let Type::Path(it) = ty
            && it.qself.is_none()
            && let Some(ident) = it.path.get_ident()
            && PRIMITIVES.iter().any(|it| ident == it)
        {
            *ty = syn::parse_quote!(::core::primitive::#ident);
        }
    }

    fn visit_expr_mut(&mut self, _: &mut Expr) {}
}

/// Conditions are asked where they stand.
struct Fork {
    casts: bool,
}

/// Whether it is a number as it is written.
fn is_literal(expr: &Expr) -> bool {
    match expr {
        Expr::Lit(_) => true,
        Expr::Paren(it) => is_literal(&it.expr),
        Expr::Group(it) => is_literal(&it.expr),
        Expr::Unary(it) => is_literal(&it.expr),
        _ => false,
    }
}

/// An argument needs none of its own.
fn without_brackets(expr: &Expr) -> &Expr {
    match expr {
        Expr::Paren(it) => without_brackets(&it.expr),
        _ => expr,
    }
}

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
            Expr::Cast(it) if self.casts && !is_literal(&it.expr) => {
                if let Type::Path(ty) = &*it.ty {
                    let value = without_brackets(&it.expr);
                    *expr = syn::parse_quote!(::effigy::rewritten::As::<#ty>::cast_as(#value));
                }
            }
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
    fn visit_item_mut(&mut self, _: &mut Item) {}

    // Known when the program is compiled.
    fn visit_expr_const_mut(&mut self, _: &mut syn::ExprConst) {}

    fn visit_expr_repeat_mut(&mut self, it: &mut syn::ExprRepeat) {
        self.visit_expr_mut(&mut it.expr);
    }

    fn visit_type_mut(&mut self, _: &mut Type) {}
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
        Pat::Lit(it) if matches!(it.lit, syn::Lit::ByteStr(_) | syn::Lit::CStr(_)) => return None,
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

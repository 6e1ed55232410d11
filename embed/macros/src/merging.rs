//! `#[effigy::symbolic(merge)]`: both sides of a conditional are run, one after the other, and what they assign is merged.
//!
//! Knows: variables that are declared `mut`, exits. Never: types.
//! Source: Near and Jackson 2014, figure 1.
//!
//! The sides stand once, and without closures. What the variables that are declared `mut` were before is kept; a write
//! that is not seen (through `&mut`) would be seen by the other side, so it is refused.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};
use std::collections::BTreeSet;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{BinOp, Block, Error, Expr, ExprIf, FnArg, Ident, ItemFn, Local, Pat, PatIdent};

/// Merges the conditionals of a function; what cannot be merged is an error at its place.
pub(crate) fn merge(function: &mut ItemFn) -> Option<Error> {
    let errors = rewrite(function).into_iter().map(|(words, why)| {
        let text = format!("cannot be merged: {why}; use fork, `#[effigy::symbolic]` without `merge`");
        Error::new_spanned(words, text)
    });
    errors.reduce(|mut all, it| {
        all.combine(it);
        all
    })
}

fn rewrite(function: &mut ItemFn) -> Vec<Refused> {
    let mut res = Merging { known: vec![BTreeSet::new()], deferred: BTreeSet::new(), refused: Vec::new() };
    for parameter in &function.sig.inputs {
        match parameter {
            FnArg::Receiver(it) if it.mutability.is_some() && it.reference.is_some() => {
                res.refuse(it, "`&mut self` can be written by both sides");
            }
            FnArg::Typed(it) if matches!(&*it.ty, syn::Type::Reference(ty) if ty.mutability.is_some()) => {
                res.refuse(it, "what a `&mut` refers to can be written by both sides");
            }
            FnArg::Typed(it) => res.declare(&it.pat),
            FnArg::Receiver(_) => {}
        }
    }
    res.visit_block_mut(&mut function.block);
    res.refused
}

struct Merging {
    /// Variables that are declared `mut`, by scope.
    known: Vec<BTreeSet<Ident>>,
    /// Variables that have no value when they are declared.
    deferred: BTreeSet<Ident>,
    refused: Vec<Refused>,
}

/// The words that keep a conditional from being merged, and why.
type Refused = (TokenStream, String);

impl Merging {
    fn refuse(&mut self, words: &impl ToTokens, why: &str) {
        self.refused.push((words.to_token_stream(), why.to_owned()));
    }

    fn declare(&mut self, pat: &Pat) {
        struct Names<'a>(&'a mut BTreeSet<Ident>);
        impl Visit<'_> for Names<'_> {
            fn visit_pat_ident(&mut self, it: &PatIdent) {
                // What is declared anew hides what had the name before.
                self.0.remove(&it.ident);
                if it.mutability.is_some() {
                    self.0.insert(it.ident.clone());
                }
                visit::visit_pat_ident(self, it);
            }
        }
        if let Some(scope) = self.known.last_mut() {
            Names(scope).visit_pat(pat);
        }
    }

    /// The variables that a side can write.
    fn written(&self, it: &ExprIf) -> Vec<Ident> {
        let mut mentioned = Mentioned::default();
        mentioned.visit_block(&it.then_branch);
        if let Some((_, other)) = &it.else_branch {
            mentioned.visit_expr(other);
        }
        let all = self.known.last();
        all.into_iter().flatten().filter(|it| mentioned.0.contains(it)).cloned().collect()
    }

    /// What keeps a conditional from being merged.
    fn look(&mut self, it: &ExprIf) {
        let mut exits = Exits { loops: 0, found: Vec::new() };
        exits.visit_block(&it.then_branch);
        if let Some((_, other)) = &it.else_branch {
            exits.visit_expr(other);
        }
        self.refused.extend(exits.found);
        let mut assigned = Assigned(Vec::new());
        assigned.visit_block(&it.then_branch);
        if let Some((_, other)) = &it.else_branch {
            assigned.visit_expr(other);
        }
        for ident in assigned.0 {
            if self.deferred.contains(&ident) {
                self.refuse(&ident, &format!("`{ident}` has no value before the conditional"));
            }
        }
    }
}

impl VisitMut for Merging {
    fn visit_block_mut(&mut self, block: &mut Block) {
        // A block sees what is around it; what it declares ends with it.
        self.known.push(self.known.last().cloned().unwrap_or_default());
        visit_mut::visit_block_mut(self, block);
        self.known.pop();
    }

    fn visit_local_mut(&mut self, local: &mut Local) {
        visit_mut::visit_local_mut(self, local);
        self.declare(&local.pat);
        if local.init.is_none()
            && let Pat::Ident(it) = &local.pat
        {
            self.deferred.insert(it.ident.clone());
        }
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}

    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if let Expr::Reference(it) = expr
            && it.mutability.is_some()
        {
            self.refuse(it, "what a `&mut` refers to can be written by both sides");
        }
        let (look, written) = match expr {
            Expr::If(it) if !binds(&it.cond) => {
                self.look(it);
                (true, self.written(it))
            }
            _ => (false, Vec::new()),
        };
        visit_mut::visit_expr_mut(self, expr);
        if !look {
            return;
        }
        let Expr::If(it) = expr else { return };
        let (cond, then) = (&it.cond, &it.then_branch);
        let other = it.else_branch.as_ref().map_or_else(
            || quote!({}),
            |it| {
                let it = &it.1;
                quote!({ #it })
            },
        );
        let before: Vec<Ident> = written.iter().map(|it| format_ident!("effigy_{it}")).collect();
        let path = quote!(::effigy::rewritten);
        *expr = syn::parse_quote!({
            let effigy_cond = #cond;
            let (effigy_then, effigy_else) = #path::Conditional::sides(effigy_cond);
            let effigy_before = if effigy_then && effigy_else {
                ::core::option::Option::Some((#(::core::clone::Clone::clone(&#written),)*))
            } else {
                ::core::option::Option::None
            };
            let effigy_first = if effigy_then { ::core::option::Option::Some(#then) } else { ::core::option::Option::None };
            let effigy_after = match effigy_before {
                ::core::option::Option::Some((#(#before,)*)) => {
                    ::core::option::Option::Some((#(::core::mem::replace(&mut #written, #before),)*))
                }
                ::core::option::Option::None => ::core::option::Option::None,
            };
            let effigy_second = if effigy_else { ::core::option::Option::Some(#other) } else { ::core::option::Option::None };
            if let ::core::option::Option::Some((#(#before,)*)) = effigy_after {
                #path::Conditional::joined(effigy_cond);
                #(#written = #path::MergeUnder::merge_under(effigy_cond, #before, ::core::clone::Clone::clone(&#written));)*
            }
            #path::result(effigy_cond, effigy_first, effigy_second)
        });
    }
}

/// Whether a condition binds something: `if let`, and chains of it.
pub(crate) fn binds(cond: &Expr) -> bool {
    match cond {
        Expr::Let(_) => true,
        Expr::Binary(it) if matches!(it.op, BinOp::And(_)) => binds(&it.left) || binds(&it.right),
        Expr::Paren(it) => binds(&it.expr),
        _ => false,
    }
}

/// The names that are mentioned; those within other macros are taken from their words.
#[derive(Default)]
struct Mentioned(BTreeSet<Ident>);

impl Visit<'_> for Mentioned {
    fn visit_ident(&mut self, ident: &Ident) {
        self.0.insert(ident.clone());
    }

    fn visit_macro(&mut self, it: &syn::Macro) {
        fn words(tokens: TokenStream, into: &mut BTreeSet<Ident>) {
            for token in tokens {
                match token {
                    proc_macro2::TokenTree::Ident(it) => drop(into.insert(it)),
                    proc_macro2::TokenTree::Group(it) => words(it.stream(), into),
                    _ => {}
                }
            }
        }
        words(it.tokens.clone(), &mut self.0);
    }
}

/// Where control leaves a side.
struct Exits {
    loops: u32,
    found: Vec<Refused>,
}

impl Visit<'_> for Exits {
    fn visit_expr(&mut self, expr: &Expr) {
        let leaves = |what: &str| format!("{what} leaves one side only");
        match expr {
            Expr::Return(it) => self.found.push((it.to_token_stream(), leaves("`return`"))),
            Expr::Break(it) if self.loops == 0 || it.label.is_some() => {
                self.found.push((it.to_token_stream(), leaves("`break`")));
            }
            Expr::Continue(it) if self.loops == 0 || it.label.is_some() => {
                self.found.push((it.to_token_stream(), leaves("`continue`")));
            }
            Expr::Try(it) => self.found.push((it.question_token.to_token_stream(), leaves("`?`"))),
            Expr::Await(it) => self.found.push((it.await_token.to_token_stream(), "others run at `.await`".to_owned())),
            Expr::Closure(_) => return,
            _ => {}
        }
        let is_loop = matches!(expr, Expr::Loop(_) | Expr::While(_) | Expr::ForLoop(_));
        self.loops += u32::from(is_loop);
        visit::visit_expr(self, expr);
        self.loops -= u32::from(is_loop);
    }
}

/// The variables that are assigned.
struct Assigned(Vec<Ident>);

impl Visit<'_> for Assigned {
    fn visit_expr_assign(&mut self, it: &syn::ExprAssign) {
        if let Expr::Path(path) = &*it.left
            && let Some(ident) = path.path.get_ident()
        {
            self.0.push(ident.clone());
        }
        visit::visit_expr_assign(self, it);
    }
}

#[cfg(test)]
mod tests;

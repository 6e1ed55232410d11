//! `#[effigy::symbolic(merge)]`: both sides of a conditional are run, one after the other, and what they assign is merged.
//!
//! Knows: variables that are declared `mut`, exits. Never: types.
//! Source: Near and Jackson 2014, figure 1.
//!
//! The sides stand once, and without closures. A variable that a side mentions and that is not its own is of one of two
//! kinds:
//!
//! * It is declared `mut` around the conditional. Its value is kept before the first side and put back before the second;
//!   what both have left is merged. Its type must be `Clone` and `Merge`, which no reference to something written is.
//! * It is any other. Then nothing may be written through it, which its type must say (`ReadOnly`).
//!
//! So each write of a side is to a variable of the first kind. What the attribute cannot read, it refuses: macros of the
//! user, `unsafe`, `&mut`. What a function that is called writes elsewhere (in a static) it does not see.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote, quote_spanned};
use std::collections::BTreeSet;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{Arm, BinOp, Block, Error, Expr, ExprIf, ExprPath, FnArg, Ident, ItemFn, Local, Pat, Stmt};

mod free;

use free::{Free, full_path, names};

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

fn rewrite(function: &mut ItemFn) -> Vec<Refusal> {
    let mut res = MergeRewrite { scopes: vec![Scope::default()], deferred: BTreeSet::new(), refused: Vec::new() };
    for parameter in &function.sig.inputs {
        match parameter {
            FnArg::Receiver(it) if it.mutability.is_some() && it.reference.is_some() => {
                res.refuse(it, "`&mut self` can be written by both sides");
            }
            FnArg::Typed(it) if matches!(&*it.ty, syn::Type::Reference(ty) if ty.mutability.is_some()) => {
                res.refuse(it, "what a `&mut` refers to can be written by both sides");
            }
            FnArg::Typed(it) => res.declare(&it.pat),
            FnArg::Receiver(it) => {
                let ident = Ident::new("self", it.self_token.span);
                res.declare_name(&ident, it.mutability.is_some());
            }
        }
    }
    res.visit_block_mut(&mut function.block);
    // A conditional within a side is looked at as part of the side, too.
    let mut told = BTreeSet::new();
    let place = |words: &TokenStream| words.clone().into_iter().next().map(|it| format!("{:?}", it.span()));
    res.refused.retain(|(words, _)| told.insert((words.to_string(), place(words))));
    res.refused
}

/// The variables that are in scope.
#[derive(Clone, Default)]
struct Scope {
    /// Those that are declared `mut`.
    written: BTreeSet<Ident>,
    /// The variables that are declared in the scope.
    declared: BTreeSet<Ident>,
}

struct MergeRewrite {
    /// A scope holds what is around it.
    scopes: Vec<Scope>,
    /// Variables that have no value when they are declared.
    deferred: BTreeSet<Ident>,
    refused: Vec<Refusal>,
}

/// The words that keep a conditional from being merged, and why.
type Refusal = (TokenStream, String);

/// What the sides of a conditional need of the variables around it.
#[derive(Default)]
struct Sides {
    /// The variables that a side may write.
    written: Vec<Ident>,
    /// What they must not write.
    read: Vec<ExprPath>,
}

impl MergeRewrite {
    fn refuse(&mut self, words: &impl ToTokens, why: &str) {
        self.refused.push((words.to_token_stream(), why.to_owned()));
    }

    fn declare_name(&mut self, ident: &Ident, is_written: bool) {
        if ident.to_string().starts_with("effigy_") {
            self.refuse(ident, "names that begin with `effigy_` are the attribute's own");
        }
        let Some(scope) = self.scopes.last_mut() else { return };
        // What is declared anew hides what had the name before.
        scope.written.remove(ident);
        scope.declared.insert(ident.clone());
        if is_written {
            scope.written.insert(ident.clone());
        }
    }

    fn declare(&mut self, pat: &Pat) {
        let mut all = Vec::new();
        // `ref mut x` is a reference to what may be written.
        names(pat, &mut |it| all.push((it.ident.clone(), it.mutability.is_some() && it.by_ref.is_none())));
        all.iter().for_each(|(ident, is_written)| self.declare_name(ident, *is_written));
    }

    fn scope(&mut self, within: impl FnOnce(&mut Self)) {
        self.scopes.push(self.scopes.last().cloned().unwrap_or_default());
        within(self);
        self.scopes.pop();
    }

    /// What the sides mention, and what of it can be written.
    fn sides(&mut self, it: &ExprIf) -> Sides {
        let Some(scope) = self.scopes.last() else { return Sides::default() };
        let mut mentioned = MentionedNames::default();
        let mut free = Free::new(&scope.declared);
        mentioned.visit_block(&it.then_branch);
        free.visit_block(&it.then_branch);
        if let Some((_, other)) = &it.else_branch {
            mentioned.visit_expr(other);
            free.visit_expr(other);
        }
        let written: Vec<Ident> = scope.written.iter().filter(|it| mentioned.0.contains(it)).cloned().collect();
        let is_written = |it: &ExprPath| it.path.get_ident().is_some_and(|it| written.contains(it));
        let read = free.found.into_iter().filter(|it| !is_written(it)).collect();
        self.refused.extend(free.refused);
        Sides { written, read }
    }

    /// What keeps a conditional from being merged.
    fn look(&mut self, it: &ExprIf) {
        let mut exits = Exits { loops: 0, found: Vec::new() };
        exits.visit_block(&it.then_branch);
        if let Some((_, other)) = &it.else_branch {
            exits.visit_expr(other);
        }
        self.refused.extend(exits.found);
        let mut assigned = AssignedNames(Vec::new());
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

impl VisitMut for MergeRewrite {
    fn visit_block_mut(&mut self, block: &mut Block) {
        // A block sees what is around it; what it declares ends with it.
        self.scope(|it| visit_mut::visit_block_mut(it, block));
    }

    fn visit_arm_mut(&mut self, arm: &mut Arm) {
        self.scope(|it| {
            it.declare(&arm.pat);
            visit_mut::visit_arm_mut(it, arm);
        });
    }

    fn visit_expr_let_mut(&mut self, it: &mut syn::ExprLet) {
        visit_mut::visit_expr_let_mut(self, it);
        self.declare(&it.pat);
    }

    fn visit_expr_if_mut(&mut self, it: &mut ExprIf) {
        self.scope(|this| {
            this.visit_expr_mut(&mut it.cond);
            this.visit_block_mut(&mut it.then_branch);
        });
        if let Some((_, other)) = &mut it.else_branch {
            self.visit_expr_mut(other);
        }
    }

    fn visit_expr_while_mut(&mut self, it: &mut syn::ExprWhile) {
        self.scope(|this| {
            this.visit_expr_mut(&mut it.cond);
            this.visit_block_mut(&mut it.body);
        });
    }

    fn visit_expr_for_loop_mut(&mut self, it: &mut syn::ExprForLoop) {
        self.visit_expr_mut(&mut it.expr);
        self.scope(|this| {
            this.declare(&it.pat);
            this.visit_block_mut(&mut it.body);
        });
    }

    fn visit_expr_closure_mut(&mut self, it: &mut syn::ExprClosure) {
        self.scope(|this| {
            it.inputs.iter().for_each(|pat| this.declare(pat));
            this.visit_expr_mut(&mut it.body);
        });
    }

    fn visit_stmt_mut(&mut self, stmt: &mut Stmt) {
        if let Stmt::Macro(it) = stmt
            && full_path(&it.mac.path).is_none()
        {
            self.refuse(&it.mac.path, "what a macro declares cannot be seen");
        }
        visit_mut::visit_stmt_mut(self, stmt);
    }

    fn visit_macro_mut(&mut self, it: &mut syn::Macro) {
        if let Some(path) = full_path(&it.path) {
            it.path = path;
        }
    }

    fn visit_pat_mut(&mut self, pat: &mut Pat) {
        if let Pat::Macro(it) = pat {
            self.refuse(it, "what a macro declares cannot be seen");
        }
        visit_mut::visit_pat_mut(self, pat);
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
        let sides = match expr {
            Expr::If(it) if !binds(&it.cond) => {
                self.look(it);
                Some(self.sides(it))
            }
            _ => None,
        };
        visit_mut::visit_expr_mut(self, expr);
        let (Expr::If(it), Some(Sides { written, read })) = (&*expr, sides) else { return };
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
        // What the compiler says of a variable it says at the user's words. Only a name keeps the place where it is resolved.
        let held = Ident::new("effigy_cond", proc_macro2::Span::call_site());
        let reads = read.iter().map(|it| quote_spanned!(it.span()=> #path::read_only(#held, &#it);));
        let clones: Vec<TokenStream> =
            written.iter().map(|it| quote_spanned!(it.span()=> ::core::clone::Clone::clone(&#it))).collect();
        let merges = written.iter().zip(&before).zip(&clones).map(|((it, before), clone)| {
            quote_spanned!(it.span()=> #it = #path::MergeUnder::merge_under(#held, #before, #clone);)
        });
        *expr = syn::parse_quote!({
            let #held = #cond;
            #(#reads)*
            let (effigy_then, effigy_else) = #path::Conditional::sides(#held);
            let effigy_before = if effigy_then && effigy_else {
                ::core::option::Option::Some((#(#clones,)*))
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
                #path::Conditional::joined(#held);
                #(#merges)*
            }
            #path::result(#held, effigy_first, effigy_second)
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
struct MentionedNames(BTreeSet<Ident>);

impl Visit<'_> for MentionedNames {
    fn visit_ident(&mut self, ident: &Ident) {
        self.0.insert(ident.clone());
    }

    fn visit_macro(&mut self, it: &syn::Macro) {
        // Words of a format that stand for variables are in its text, and only read.
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
    found: Vec<Refusal>,
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

    fn visit_macro(&mut self, it: &syn::Macro) {
        free::arguments(it).iter().flatten().for_each(|it| self.visit_expr(it));
    }
}

/// The variables that are assigned.
struct AssignedNames(Vec<Ident>);

impl Visit<'_> for AssignedNames {
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

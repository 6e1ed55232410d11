//! What a side of a conditional mentions of the function around it, and what of it the attribute cannot see.
//!
//! Knows: scopes of Rust, which macros of the standard library only read. Never: types.

use super::Refusal;
use quote::{ToTokens, quote};
use std::collections::BTreeSet;
use syn::parse::{ParseStream, Parser};
use syn::visit::{self, Visit};
use syn::{Block, Expr, ExprPath, Ident, Pat, PatIdent, Path, Token};

/// Macros that read their arguments and write nothing but a stream. In a side they are called by their full path, so that
/// none of the user's has the name.
const READS: [&str; 19] = [
    "assert",
    "assert_eq",
    "assert_ne",
    "dbg",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "eprint",
    "eprintln",
    "format",
    "format_args",
    "matches",
    "panic",
    "print",
    "println",
    "todo",
    "unimplemented",
    "unreachable",
    "vec",
];

/// The full path of a macro whose arguments are known to be expressions.
pub(super) fn full_path(of: &Path) -> Option<Path> {
    let name = &of.segments.last()?.ident;
    if name == "assume" {
        return Some(syn::parse_quote!(::effigy::assume));
    }
    READS.iter().any(|it| name == it).then(|| syn::parse_quote!(::std::#name))
}

/// The arguments of such a macro; `None` where they are not expressions.
pub(super) fn arguments(of: &syn::Macro) -> Option<Vec<Expr>> {
    let name = of.path.segments.last()?.ident.to_string();
    let arguments = |input: ParseStream<'_>| -> syn::Result<Vec<Expr>> {
        if name == "matches" {
            let value: Expr = input.parse()?;
            input.parse::<Token![,]>()?;
            let pat = Pat::parse_multi_with_leading_vert(input)?;
            let guard = match input.parse::<Option<Token![if]>>()? {
                Some(it) => Some((it, input.parse::<Expr>()?)),
                None => None,
            };
            input.parse::<Option<Token![,]>>()?;
            let guard = guard.map(|(word, guard)| quote!(#word #guard));
            return Ok(vec![syn::parse_quote!(match #value { #pat #guard => true, _ => false })]);
        }
        let mut all = Vec::new();
        while !input.is_empty() {
            // `name = value` of formatted text.
            let is_named = input.peek(Ident) && input.peek2(Token![=]) && !input.peek2(Token![==]);
            if is_named && name != "vec" {
                input.parse::<Ident>()?;
                input.parse::<Token![=]>()?;
            }
            all.push(input.parse()?);
            if input.parse::<Option<Token![,]>>()?.is_none() && input.parse::<Option<Token![;]>>()?.is_none() {
                break;
            }
        }
        Ok(all)
    };
    arguments.parse2(of.tokens.clone()).ok()
}

/// The names that a pattern binds.
pub(super) fn names(pat: &Pat, each: &mut dyn FnMut(&PatIdent)) {
    struct Names<'a>(&'a mut dyn FnMut(&PatIdent));
    impl Visit<'_> for Names<'_> {
        fn visit_pat_ident(&mut self, it: &PatIdent) {
            (self.0)(it);
            visit::visit_pat_ident(self, it);
        }

        fn visit_expr(&mut self, _: &Expr) {}
    }
    Names(each).visit_pat(pat);
}

/// What the sides of a conditional mention that is not their own.
pub(super) struct Free<'a> {
    /// Names that are declared around the conditional.
    pub(super) declared: &'a BTreeSet<Ident>,
    /// Names that are declared in the side, by scope.
    locals: Vec<BTreeSet<Ident>>,
    /// Paths that are mentioned as values, each once.
    pub(super) found: Vec<ExprPath>,
    /// What cannot be seen through.
    pub(super) refused: Vec<Refusal>,
}

impl<'a> Free<'a> {
    pub(super) fn new(declared: &'a BTreeSet<Ident>) -> Free<'a> {
        Free { declared, locals: vec![BTreeSet::new()], found: Vec::new(), refused: Vec::new() }
    }

    fn refuse(&mut self, words: &impl ToTokens, why: &str) {
        self.refused.push((words.to_token_stream(), why.to_owned()));
    }

    fn is_local(&self, ident: &Ident) -> bool {
        self.locals.iter().any(|it| it.contains(ident))
    }

    fn declare(&mut self, pat: &Pat) {
        let mut all = BTreeSet::new();
        names(pat, &mut |it| all.extend([it.ident.clone()]));
        if let Some(scope) = self.locals.last_mut() {
            scope.extend(all);
        }
    }

    fn scope(&mut self, within: impl FnOnce(&mut Self)) {
        self.locals.push(BTreeSet::new());
        within(self);
        self.locals.pop();
    }

    fn mention(&mut self, it: &ExprPath) {
        if let Some(ident) = it.path.get_ident() {
            if self.is_local(ident) || ident == "None" {
                return;
            }
        } else {
            // A variant (`State::Open`) or a function of a type is no static. A constant may be one, of a module in capitals;
            // of `Sym::MAX` the type is not known here.
            let mut last = it.path.segments.iter().rev().map(|it| it.ident.to_string());
            let (name, owner) = (last.next().unwrap_or_default(), last.next().unwrap_or_default());
            let is_of_type = owner.starts_with(char::is_uppercase);
            if it.qself.is_some() || is_of_type && (name.contains(char::is_lowercase) || owner == "Sym") {
                return;
            }
        }
        if !self.found.contains(it) {
            self.found.push(it.clone());
        }
    }
}

impl Visit<'_> for Free<'_> {
    fn visit_block(&mut self, block: &Block) {
        self.scope(|it| visit::visit_block(it, block));
    }

    fn visit_local(&mut self, local: &syn::Local) {
        if let Some(init) = &local.init {
            self.visit_expr(&init.expr);
            if let Some((_, diverge)) = &init.diverge {
                self.visit_expr(diverge);
            }
        }
        self.visit_pat(&local.pat);
        self.declare(&local.pat);
    }

    fn visit_arm(&mut self, arm: &syn::Arm) {
        self.scope(|it| {
            it.visit_pat(&arm.pat);
            it.declare(&arm.pat);
            if let Some((_, guard)) = &arm.guard {
                it.visit_expr(guard);
            }
            it.visit_expr(&arm.body);
        });
    }

    fn visit_expr_let(&mut self, it: &syn::ExprLet) {
        self.visit_expr(&it.expr);
        self.visit_pat(&it.pat);
        self.declare(&it.pat);
    }

    fn visit_expr_if(&mut self, it: &syn::ExprIf) {
        self.scope(|this| {
            this.visit_expr(&it.cond);
            this.visit_block(&it.then_branch);
        });
        if let Some((_, other)) = &it.else_branch {
            self.visit_expr(other);
        }
    }

    fn visit_expr_while(&mut self, it: &syn::ExprWhile) {
        self.scope(|this| {
            this.visit_expr(&it.cond);
            this.visit_block(&it.body);
        });
    }

    fn visit_expr_for_loop(&mut self, it: &syn::ExprForLoop) {
        self.visit_expr(&it.expr);
        self.scope(|this| {
            this.visit_pat(&it.pat);
            this.declare(&it.pat);
            this.visit_block(&it.body);
        });
    }

    fn visit_expr_closure(&mut self, it: &syn::ExprClosure) {
        self.scope(|this| {
            for pat in &it.inputs {
                this.visit_pat(pat);
                this.declare(pat);
            }
            this.visit_expr(&it.body);
        });
    }

    fn visit_expr_call(&mut self, it: &syn::ExprCall) {
        // A function; but what is declared here is a value that is called.
        let is_function = match &*it.func {
            Expr::Path(path) => {
                path.path.get_ident().is_none_or(|it| !self.declared.contains(it) && !self.is_local(it))
            }
            _ => false,
        };
        if !is_function {
            self.visit_expr(&it.func);
        }
        it.args.iter().for_each(|it| self.visit_expr(it));
    }

    fn visit_expr_path(&mut self, it: &ExprPath) {
        self.mention(it);
    }

    fn visit_expr(&mut self, expr: &Expr) {
        if let Expr::Verbatim(it) = expr {
            self.refuse(it, "the attribute cannot read this");
        }
        visit::visit_expr(self, expr);
    }

    fn visit_expr_unsafe(&mut self, it: &syn::ExprUnsafe) {
        self.refuse(&it.unsafe_token, "what an `unsafe` block writes cannot be seen");
    }

    fn visit_macro(&mut self, it: &syn::Macro) {
        match full_path(&it.path).and_then(|_| arguments(it)) {
            Some(arguments) => arguments.iter().for_each(|it| self.visit_expr(it)),
            None => {
                let path = &it.path;
                let name = quote!(#path).to_string().replace(' ', "");
                self.refuse(path, &format!("what the macro `{name}!` writes cannot be seen"));
            }
        }
    }

    // What an item does it does where it is called.
    fn visit_item(&mut self, _: &syn::Item) {}

    fn visit_type(&mut self, _: &syn::Type) {}
}

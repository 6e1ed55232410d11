//! `#[effigy::test]`.
//!
//! Knows: a function's name and parameters. Never: its body.
//!
//! The body becomes `NAME::on`, which a counterexample calls as a plain test.

use proc_macro2::TokenStream;
use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Error, FnArg, Ident, ItemFn, LitInt, LitStr, Pat, Result, ReturnType, Token};

/// The options that are given, each with the tokens of its value.
#[derive(Default)]
pub(crate) struct Options(Vec<(Ident, TokenStream)>);

const LIMITS: [&str; 7] = ["paths", "decisions", "values", "failures", "solver_steps", "silence", "seed"];

/// The orders in which paths can be run, by their names in `search = "NAME"`, each with its variant of `Search`.
const SEARCHES: [(&str, &str); 4] =
    [("dfs", "Dfs"), ("bfs", "Bfs"), ("random-path", "RandomPath"), ("random-state", "RandomState")];

fn search(name: &LitStr) -> Result<TokenStream> {
    let found = SEARCHES.iter().find(|it| it.0 == name.value()).ok_or_else(|| {
        let known: Vec<&str> = SEARCHES.iter().map(|it| it.0).collect();
        Error::new(name.span(), format!("not one of \"{}\"", known.join("\", \"")))
    })?;
    let variant = Ident::new(found.1, name.span());
    Ok(quote!(::effigy::session::Search::#variant))
}

impl Parse for Options {
    fn parse(input: ParseStream<'_>) -> Result<Options> {
        let one = |input: ParseStream<'_>| {
            let name: Ident = input.parse()?;
            input.parse::<Token![=]>()?;
            if name == "search" {
                return Ok((name, search(&input.parse()?)?));
            }
            if name != "bound" && !LIMITS.iter().any(|it| name == it) {
                let known = LIMITS.join("`, `");
                return Err(Error::new(name.span(), format!("not one of `bound`, `search`, `{known}`")));
            }
            let value: LitInt = input.parse()?;
            Ok((name, quote!(#value)))
        };
        Ok(Options(Punctuated::<_, Token![,]>::parse_terminated_with(input, one)?.into_iter().collect()))
    }
}

pub(crate) fn expand(options: &Options, function: ItemFn) -> Result<TokenStream> {
    let ItemFn { attrs, sig, block, .. } = &function;
    if !sig.generics.params.is_empty() {
        return Err(Error::new_spanned(&sig.generics, "a test has no generic parameters: nobody says what they are"));
    }
    let name = &sig.ident;
    let text = name.to_string();
    let mut inputs = Vec::new();
    for parameter in &sig.inputs {
        let FnArg::Typed(parameter) = parameter else {
            return Err(Error::new_spanned(parameter, "a test has no `self`"));
        };
        let Pat::Ident(pattern) = &*parameter.pat else {
            return Err(Error::new_spanned(&parameter.pat, "an input has a name, so that its values can be reported"));
        };
        let (word, ty) = (pattern.ident.to_string(), &parameter.ty);
        inputs.push(quote!(::effigy::input::<#ty>(#word)));
    }
    let set = options.0.iter().map(|(name, value)| match name == "bound" {
        true => quote!(options.bound = #value;),
        false => quote!(options.limits.#name = #value;),
    });
    let is_async = sig.asyncness.is_some();
    let (parameters, output) = (&sig.inputs, &sig.output);
    let asyncness = &sig.asyncness;
    let call = quote!(#name::on(#(#inputs),*));
    let call = if is_async { quote!(::effigy::block_on(#call)) } else { call };
    let conclude = match output {
        ReturnType::Default => quote!(#call),
        ReturnType::Type(..) => quote!(::effigy::Conclude::conclude(#call)),
    };
    Ok(quote! {
        #(#attrs)*
        #[::core::prelude::v1::test]
        fn #name() {
            #[allow(unused_mut, reason = "there may be nothing to set")]
            let mut options = ::effigy::Options::default();
            #(#set)*
            ::effigy::test::test(::core::module_path!(), #text, &options, #is_async, || { #conclude });
        }

        #[doc(hidden)]
        pub(crate) mod #name {
            #[allow(unused_imports, reason = "the test may name nothing around it")]
            use super::*;

            #[allow(missing_docs, unreachable_pub, reason = "the body of the test")]
            pub(crate) #asyncness fn on(#parameters) #output #block
        }
    })
}

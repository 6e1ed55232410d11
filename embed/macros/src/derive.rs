//! `#[derive(Symbolic)]`.
//!
//! Knows: fields and variants. Never: what a field's type is.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput, Error, Fields, Result};

/// `{ a: .., b: .. }` or `(.., ..)`: each field any value, named after it.
fn made(fields: &Fields) -> TokenStream {
    let parts = fields.iter().enumerate().map(|(at, field)| {
        let ty = &field.ty;
        let word = field.ident.as_ref().map_or_else(|| at.to_string(), ToString::to_string);
        let value = quote!(<#ty as ::effigy::Symbolic>::symbolic(&::std::format!("{}.{}", name, #word)));
        match &field.ident {
            Some(ident) => quote!(#ident: #value),
            None => value,
        }
    });
    match fields {
        Fields::Named(_) => quote!({ #(#parts),* }),
        Fields::Unnamed(_) => quote!((#(#parts),*)),
        Fields::Unit => TokenStream::new(),
    }
}

/// A pattern that binds each field, and how the value is written.
fn written(path: &str, fields: &Fields) -> (TokenStream, TokenStream) {
    let bound: Vec<_> = (0..fields.len()).map(|at| quote::format_ident!("field{at}")).collect();
    let pattern = match fields {
        Fields::Named(named) => {
            let names = named.named.iter().map(|it| &it.ident);
            quote!({ #(#names: #bound),* })
        }
        Fields::Unnamed(_) => quote!((#(#bound),*)),
        Fields::Unit => TokenStream::new(),
    };
    let words = fields.iter().map(|it| it.ident.as_ref().map_or_else(String::new, |it| format!("{it}: ")));
    let (open, close) = match fields {
        Fields::Named(_) => (format!("{path} {{ "), " }"),
        Fields::Unnamed(_) => (format!("{path}("), ")"),
        Fields::Unit => (path.to_owned(), ""),
    };
    let expression = quote!(::effigy::Expression::List(
        ::std::string::String::from(#open),
        ::std::vec![#((::std::string::String::from(#words), ::effigy::Symbolic::expression(#bound))),*],
        ::std::string::String::from(#close),
    ));
    (pattern, expression)
}

pub(crate) fn expand(item: &DeriveInput) -> Result<TokenStream> {
    let ident = &item.ident;
    let mut generics = item.generics.clone();
    for parameter in generics.type_params_mut() {
        parameter.bounds.push(syn::parse_quote!(::effigy::Symbolic));
    }
    let (impl_generics, type_generics, clause) = generics.split_for_impl();
    let (make, write) = match &item.data {
        Data::Struct(data) => {
            let value = made(&data.fields);
            let (pattern, expression) = written(&ident.to_string(), &data.fields);
            (quote!(#ident #value), quote!(let #ident #pattern = self; #expression))
        }
        Data::Enum(data) if data.variants.is_empty() => {
            return Err(Error::new_spanned(ident, "an enum without variants has no values"));
        }
        Data::Enum(data) => {
            let count = data.variants.len();
            let sides = data.variants.iter().enumerate().map(|(at, variant)| {
                let (variant_ident, value) = (&variant.ident, made(&variant.fields));
                quote!(#at => #ident::#variant_ident #value)
            });
            let texts = data.variants.iter().map(|variant| {
                let variant_ident = &variant.ident;
                let (pattern, expression) = written(&format!("{ident}::{variant_ident}"), &variant.fields);
                quote!(#ident::#variant_ident #pattern => #expression)
            });
            (
                quote!(match ::effigy::session::Session::current().choose(#count) {
                    #(#sides,)*
                    _ => ::std::unreachable!("a choice is one of those that there are"),
                }),
                quote!(match self { #(#texts),* }),
            )
        }
        Data::Union(_) => return Err(Error::new_spanned(ident, "a union has no symbolic values")),
    };
    Ok(quote! {
        impl #impl_generics ::effigy::Symbolic for #ident #type_generics #clause {
            fn symbolic(name: &str) -> Self {
                let _ = name;
                #make
            }

            fn expression(&self) -> ::effigy::Expression {
                #write
            }
        }
    })
}

/// Expands `#[derive(ReadOnly)]`: each field must be read-only.
pub(crate) fn read_only(item: &DeriveInput) -> Result<TokenStream> {
    let ident = &item.ident;
    let mut generics = item.generics.clone();
    for parameter in generics.type_params_mut() {
        parameter.bounds.push(syn::parse_quote!(::effigy::ReadOnly));
    }
    let (impl_generics, type_generics, clause) = generics.split_for_impl();
    let types: Vec<&syn::Type> = match &item.data {
        Data::Struct(data) => data.fields.iter().map(|it| &it.ty).collect(),
        Data::Enum(data) => data.variants.iter().flat_map(|it| it.fields.iter().map(|it| &it.ty)).collect(),
        Data::Union(_) => return Err(Error::new_spanned(ident, "of a union it is not known what is written")),
    };
    Ok(quote! {
        impl #impl_generics ::effigy::ReadOnly for #ident #type_generics #clause {
            fn fields() {
                #(::effigy::merge::is_read_only::<#types>();)*
            }
        }
    })
}

//! Writes a published crate as a module under the attribute of the library: `utf8parse.rs`.
//!
//! Its source is where cargo has put it; nothing of it is copied into the tree. What is added is the attribute and the
//! alias of a type; what is left out is what only a crate can say of itself (`#![no_std]`), and its tests.

use quote::ToTokens;
use std::error::Error;
use std::path::{Path, PathBuf};
use syn::{Attribute, Item};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=../../Cargo.lock");
    println!("cargo::rustc-check-cfg=cfg(source_found)");
    let out = PathBuf::from(std::env::var_os("OUT_DIR").ok_or("cargo gives OUT_DIR")?);
    let Some(source) = source_of("utf8parse")? else {
        println!(
            "cargo::warning=the source of utf8parse is in no registry folder of cargo's; there is nothing to test"
        );
        return Ok(());
    };
    println!("cargo::rustc-cfg=source_found");
    let whole = module(&source.join("lib.rs"), "utf8parse")?;
    let table = module(&source.join("types.rs"), "table")?;
    std::fs::write(out.join("utf8parse.rs"), format!("{whole}\n\n{table}\n"))?;
    Ok(())
}

/// The folder of the sources of a dependency, at the version that `Cargo.lock` has: cargo unpacks every crate of a build
/// before it runs a build script. `None` where the sources are elsewhere, as in a vendored tree.
fn source_of(package: &str) -> Result<Option<PathBuf>, Box<dyn Error>> {
    let lock = std::fs::read_to_string("../../Cargo.lock")?;
    let entry = format!("name = \"{package}\"\nversion = \"");
    let version =
        lock.split(&entry).nth(1).and_then(|it| it.split('"').next()).ok_or("the package is in Cargo.lock")?;
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cargo"))).ok_or("a cargo home")?;
    let Ok(registries) = std::fs::read_dir(home.join("registry/src")) else { return Ok(None) };
    let folders = registries.flatten().map(|it| it.path().join(format!("{package}-{version}/src")));
    Ok(folders.filter(|it| it.is_dir()).min())
}

/// A file as a module of this name.
fn module(file: &Path, name: &str) -> Result<String, Box<dyn Error>> {
    let items = items(file)?;
    let items: String = items.iter().map(|it| format!("{}\n", it.to_token_stream())).collect();
    Ok(format!("#[effigy::symbolic(casts)]\npub mod {name} {{\nuse super::symbolic::*;\n{items}}}"))
}

/// What is in a file, modules of its own with what is in theirs.
fn items(file: &Path) -> Result<Vec<Item>, Box<dyn Error>> {
    let parsed = syn::parse_file(&std::fs::read_to_string(file)?)?;
    let mut res = Vec::new();
    for mut item in parsed.items {
        if let Item::Mod(it) = &mut item {
            if is_for_tests(&it.attrs) {
                continue;
            }
            if it.content.is_none() {
                let file = file.with_file_name(format!("{}.rs", it.ident));
                let mut within: Vec<Item> = vec![syn::parse_quote!(
                    use super::super::symbolic::*;
                )];
                within.extend(items(&file)?);
                it.content = Some((syn::token::Brace::default(), within));
                it.semi = None;
            }
        }
        res.push(item);
    }
    Ok(res)
}

fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|it| {
        it.path().is_ident("cfg")
            && it.to_token_stream().to_string().split(|c: char| !c.is_alphanumeric()).any(|it| it == "test")
    })
}

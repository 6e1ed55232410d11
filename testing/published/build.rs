//! Writes a published crate as a module under the attribute of the library: `utf8parse.rs`.
//!
//! Its source is where cargo has put it; nothing of it is copied into the tree. What is added is the attribute and the
//! alias of a type; what is left out is what only a crate can say of itself (`#![no_std]`), and its tests.

use quote::ToTokens;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;
use syn::{Attribute, Item};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=../../Cargo.lock");
    let source = source_of("utf8parse")?;
    let out = PathBuf::from(std::env::var_os("OUT_DIR").ok_or("cargo gives OUT_DIR")?);
    let whole = module(&source.join("lib.rs"), "utf8parse")?;
    let table = module(&source.join("types.rs"), "table")?;
    std::fs::write(out.join("utf8parse.rs"), format!("{whole}\n\n{table}\n"))?;
    Ok(())
}

/// The folder of the sources of a dependency.
fn source_of(package: &str) -> Result<PathBuf, Box<dyn Error>> {
    let cargo = std::env::var_os("CARGO").ok_or("cargo gives its own path")?;
    // It is here already, since cargo compiles it; what other platforms need may not be.
    let target = std::env::var("TARGET")?;
    let mut metadata = Command::new(cargo);
    metadata.args(["metadata", "--format-version=1", "--offline", "--locked", "--filter-platform"]).arg(target);
    let out = metadata.output()?;
    if !out.status.success() {
        return Err(String::from_utf8_lossy(&out.stderr).into());
    }
    let metadata: serde_json::Value = serde_json::from_slice(&out.stdout)?;
    let packages = metadata["packages"].as_array().ok_or("packages")?;
    let found = packages.iter().find(|it| it["name"] == package).ok_or("the package is a dependency")?;
    let library = |it: &&serde_json::Value| it["kind"].as_array().is_some_and(|it| it.iter().any(|it| it == "lib"));
    let target = found["targets"].as_array().and_then(|it| it.iter().find(library)).ok_or("it has a library")?;
    let root = target["src_path"].as_str().ok_or("a library has a source")?;
    println!("cargo::rerun-if-changed={root}");
    Ok(Path::new(root).parent().ok_or("a source is in a folder")?.to_owned())
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

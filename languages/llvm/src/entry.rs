//! `--entry` for C: a program that calls one function with any arguments, written in C.
//!
//! Knows: how a function is found, how its parameters are asked for. Never: the compiler (`driver`), what an input is.
//!
//! One text serves for the run, for the native replay and for the user who wants to edit it. It includes the file in
//! which the function stands, so it can name what is only visible there: static functions, types without a header.

mod text;
mod types;

use crate::ir::{GlobalKind, Metadata, Module};
use std::sync::Arc;
use types::Types;

/// How the arguments of a function are made up.
#[derive(Clone, Debug, Default)]
pub struct Wishes {
    /// The bytes behind a pointer to something that is no structure.
    pub buffer: u64,
    /// Parameters that point to as many elements as another parameter says: both names.
    pub arrays: Vec<(String, String)>,
    /// Parameters that are texts, and the most characters of each.
    pub strings: Vec<(String, Option<u64>)>,
    /// Pointers that may also be null: parameters and members (`p`, `p->next`).
    pub null: Vec<String>,
}

impl Wishes {
    /// Whether none was said.
    pub fn is_empty(&self) -> bool {
        self.arrays.is_empty() && self.strings.is_empty() && self.null.is_empty()
    }
}

/// Why a function cannot be called with any arguments.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum EntryError {
    /// A function is wanted as argument.
    #[error("the parameter `{parameter}` of `{function}` is a function; write a program that passes one")]
    FunctionPointer {
        /// The function.
        function: String,
        /// The parameter.
        parameter: String,
    },
    /// The type has no content that can be seen here.
    #[error(
        "the parameter `{parameter}` of `{function}` is of type `{ty}`, of which nothing is known in this file; write a program that calls it"
    )]
    Opaque {
        /// The function.
        function: String,
        /// The parameter.
        parameter: String,
        /// The type.
        ty: String,
    },
    /// The type cannot be written down.
    #[error("the parameter `{parameter}` of `{function}` has a type without a name; write a program that calls it")]
    Nameless {
        /// The function.
        function: String,
        /// The parameter.
        parameter: String,
    },
    /// A flag names what is not there.
    #[error("{flag} {name}: `{function}` has no such {what}{hint}")]
    NoParameter {
        /// The flag.
        flag: &'static str,
        /// What it names.
        name: String,
        /// The function.
        function: String,
        /// What was looked for.
        what: &'static str,
        /// What there is.
        hint: String,
    },
    /// The function stands in several files.
    #[error("`{name}` is defined in {}: choose one with --entry FILE:{name}", files.join(" and in "))]
    Several {
        /// The function.
        name: String,
        /// The files.
        files: Vec<String>,
    },
}

/// What is to be called.
#[derive(Clone, Debug)]
pub struct Signature {
    name: String,
    /// Names and numbers of types.
    parameters: Vec<(String, Option<u32>)>,
    result: Option<u32>,
    /// It takes more arguments than it names.
    more: bool,
    module: Arc<Module>,
}

/// A program that calls a function with any arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Harness {
    /// Its `main`, to stand behind the file's own text.
    pub text: String,
    /// What is not any value, a sentence each.
    pub remarks: Vec<String>,
}

impl Signature {
    /// The function of this name that a module defines.
    pub fn find(module: &Arc<Module>, name: &str) -> Option<Signature> {
        let debug = module.globals.iter().find_map(|it| match &it.kind {
            GlobalKind::Function(function) if &*it.name == name && !function.blocks.is_empty() => function.debug,
            _ => None,
        })?;
        let Some(Metadata::Subprogram { ty, .. }) = module.metadata.get(&debug) else { return None };
        let types = match ty.and_then(|it| module.metadata.get(&it)) {
            Some(Metadata::Signature { types: Some(types) }) => match module.metadata.get(types) {
                Some(Metadata::List(types)) => types,
                _ => return None,
            },
            _ => return None,
        };
        let known = |it: &u32| (*it != u32::MAX).then_some(*it);
        let (result, mut parameters) = (types.first().and_then(known), types.get(1..).unwrap_or_default());
        let mut more = false;
        if let [rest @ .., u32::MAX] = parameters {
            (parameters, more) = (rest, true);
        }
        let mut parameters: Vec<(String, Option<u32>)> =
            parameters.iter().enumerate().map(|(at, it)| (format!("arg{}", at + 1), known(it))).collect();
        // Their names; and all that is known of them where the head has no types (K&R).
        let mut numbers: Vec<&u32> = module.metadata.keys().collect();
        numbers.sort_unstable();
        for metadata in numbers.into_iter().filter_map(|it| module.metadata.get(it)) {
            let Metadata::Variable { name, scope, parameter: Some(number), ty, .. } = metadata else { continue };
            let at = (*number as usize).wrapping_sub(1);
            if *scope != debug || at >= MOST_PARAMETERS {
                continue;
            }
            if at >= parameters.len() {
                parameters.resize(at + 1, (String::new(), None));
            }
            parameters[at] = (name.to_string(), *ty);
        }
        Some(Signature { name: name.to_owned(), parameters, result, more, module: Arc::clone(module) })
    }

    /// The program that calls it.
    ///
    /// # Errors
    /// When an argument cannot be made up, or a wish names what is not there.
    pub fn harness(&self, wishes: &Wishes) -> Result<Harness, EntryError> {
        text::write(self, wishes)
    }

    fn types(&self) -> Types<'_> {
        Types::new(&self.module.metadata)
    }
}

/// More parameters are not counted: debug information that says so is not believed.
const MOST_PARAMETERS: usize = 256;

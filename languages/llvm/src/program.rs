//! A program: modules that are read, linked and ready to start.
//!
//! Knows: the entry, the options. Never: states, what is done with them (`language`).

use crate::code::{Callable, Code, Func, Shape, SiteInfo};
use crate::flow::Flows;
use crate::ideal;
use crate::ir::Module;
use crate::libc::{self, Standing};
use crate::library;
use crate::lower::{self, LinkError};
use crate::machine::Executable;
use crate::names::is_named;
use crate::options::{Externals, Integers, Options};
use crate::reader::ReadError;
use crate::statements::Statements;
use crate::text_writer;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Why there is no program.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LoadError {
    /// A text is no LLVM IR.
    #[error("{name}:{}:{}: {}", error.line, error.column, error.message)]
    Read {
        /// The file.
        name: String,
        /// What is wrong with it.
        error: ReadError,
    },
    /// The modules do not fit together.
    #[error(transparent)]
    Link(#[from] LinkError),
    /// A variable is called as the record of a harness is, and is none.
    #[error("`{0}` is no record of a harness that this version of effigy can read")]
    Harness(String),
    /// There is no function of the entry's name.
    #[error("there is no function `{name}` to start from{hint}")]
    NoEntry {
        /// The entry's name.
        name: String,
        /// What there is.
        hint: String,
    },
    /// The program does what means nothing for mathematical integers.
    #[error("--integers ideal takes programs that compute with `int` alone: {0}")]
    NotIdeal(String),
    /// The entry takes what we cannot make up.
    #[error("the parameter `{parameter}` of `{function}` has a type for which no symbolic value can be made")]
    EntryParameter {
        /// The function.
        function: String,
        /// The parameter.
        parameter: String,
    },
}

/// A program.
pub struct Program {
    pub(crate) executable: Executable,
    pub(crate) entry: u32,
    /// Found when they are first asked for.
    pub(crate) statements: std::cell::OnceCell<Statements>,
    /// By whose rules formulas are printed; found when one is first printed.
    pub(crate) dialect: std::cell::OnceCell<effigy_term::print::Dialect>,
}

impl std::fmt::Debug for Program {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Program({} functions)", self.executable.code.functions.len())
    }
}

/// Reads and links modules: names and texts.
///
/// # Errors
/// What is wrong with the texts, or with the entry.
pub fn load(texts: &[(String, Vec<u8>)], options: Options) -> Result<Program, LoadError> {
    let mut modules: Vec<Module> = Vec::with_capacity(texts.len());
    for (name, text) in texts {
        let module = crate::reader::read(text);
        let mut module = module.map_err(|error| LoadError::Read { name: name.clone(), error })?;
        module.library = library::is_part(name);
        modules.push(module);
    }
    let mut code = lower::link(&modules, libc::names(), options.uninitialised)?;
    let library = libc::install(&mut code);
    let text_writer = text_writer::install(&mut code);
    let name = options.entry.as_deref().unwrap_or("main");
    let Some(entry) = entry(&code, options.entry.as_deref()) else {
        return Err(LoadError::NoEntry { name: name.to_owned(), hint: entry_hint(&code) });
    };
    if options.entry.is_some() {
        let function = &code.functions[entry];
        for parameter in &function.parameters {
            let supported =
                matches!(parameter.shape, Shape::Scalar { width, .. } if width == 1 || width.is_multiple_of(8));
            if !supported {
                let (function, parameter) = (function.name.to_string(), parameter.name.to_string());
                return Err(LoadError::EntryParameter { function, parameter });
            }
        }
    }
    if options.integers == Integers::Ideal
        && let Some(what) = ideal::refused(&code, entry as u32, options.externals)
    {
        return Err(LoadError::NotIdeal(what));
    }
    let flows = Flows::new(&code, libc::asks_nothing);
    let tries_locks = libc::tries_locks(&code);
    let executable = Executable { tries_locks, code, options, builtins: libc::builtins(), library, flows, text_writer };
    Ok(Program {
        executable,
        entry: entry as u32,
        statements: std::cell::OnceCell::new(),
        dialect: std::cell::OnceCell::new(),
    })
}

/// The number of the function that the user calls so; of the program's own start where it is `None`. The start of a Rust
/// program is its `main`, not the C function of that name, which prepares what no path depends on.
fn entry(code: &Code, wanted: Option<&str>) -> Option<usize> {
    let find = |is_it: &dyn Fn(&Func) -> bool| code.functions.iter().position(is_it);
    let Some(wanted) = wanted else {
        let of_rust = |it: &Func| &*it.name != "main" && &*it.source_name == "main" && is_named(&it.name, "main");
        return find(&of_rust).or_else(|| find(&|it| &*it.name == "main"));
    };
    find(&|it| &*it.name == wanted)
        .or_else(|| find(&|it| !it.library && is_named(&it.name, wanted)))
        .or_else(|| find(&|it| &*it.source_name == wanted))
}

fn entry_hint(code: &Code) -> String {
    let own = code.functions.iter().filter(|it| !it.library && !code.is_of_our_headers(it));
    let names: Vec<&str> = own.clone().take(5).map(|it| &*it.source_name).collect();
    if names.is_empty() {
        return "; no function here has a body".to_owned();
    }
    let more = if own.count() > names.len() { ", …" } else { "" };
    format!("; there are {}{more} (choose one with --entry)", names.join(", "))
}

/// A function that the program refers to and does not define.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct External {
    /// Its name.
    pub name: Arc<str>,
    /// What becomes of a call.
    pub standing: Standing,
}

impl Program {
    /// The functions that the program refers to and does not define, by name. The linker has decided each once, for
    /// this list and for the run.
    pub fn externals(&self) -> Vec<External> {
        let code = &self.executable.code;
        let strict = self.executable.options.externals == Externals::Refused;
        let mut res = BTreeMap::new();
        for (id, object) in code.memory.objects() {
            let Some(callable) = code.callables.get(&id.0) else { continue };
            let standing = match callable {
                Callable::Function(number) if code.functions[*number as usize].library => {
                    // The library's own parts call one another; the program has to refer to it.
                    if !code.wanted.contains(&object.name) {
                        continue;
                    }
                    Standing::CompiledIn
                }
                Callable::Function(_) => continue,
                Callable::Builtin(number) => libc::standing(*number),
                Callable::External(name) if code.marks_input(name) => Standing::Input,
                Callable::External(name) if strict || name.contains("::") => Standing::Refused,
                Callable::External(_) => Standing::Unknown,
            };
            if code.wanted.contains(&object.name) && !object.name.starts_with("llvm.") {
                res.insert(Arc::clone(&object.name), standing);
            }
        }
        res.into_iter().map(|(name, standing)| External { name: crate::names::readable(&name), standing }).collect()
    }

    /// How it is run.
    pub fn options(&self) -> &Options {
        &self.executable.options
    }

    /// The coverage sites, by number.
    pub fn sites(&self) -> &[SiteInfo] {
        &self.executable.code.sites
    }
}

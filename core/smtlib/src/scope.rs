//! What names mean, level by level: `push` opens a level, `pop` forgets what was said in it.
//!
//! Knows: names. Never: how they are written.

use crate::typed::{ScriptSort, Typed};
use effigy_term::{FunctionSymbol, Symbol, Term};
use std::collections::HashMap;
use std::rc::Rc;

/// What a name stands for in a term.
#[derive(Clone, Debug)]
pub(crate) enum Meaning {
    /// A constant, or a term that has this name.
    Term(Typed),
    /// An uninterpreted function that was declared.
    Function(FunctionSymbol, Rc<Signature>),
    /// A function that is its definition.
    Macro(Rc<Macro>),
}

/// The sorts of a function.
#[derive(Debug)]
pub(crate) struct Signature {
    pub(crate) arguments: Vec<ScriptSort>,
    pub(crate) result: ScriptSort,
}

/// A function that a script has declared.
#[derive(Debug)]
pub struct DeclaredFunction {
    pub(crate) name: String,
    pub(crate) function: FunctionSymbol,
    pub(crate) signature: Rc<Signature>,
}

/// A function with a definition, which is expanded.
#[derive(Debug)]
pub(crate) struct Macro {
    /// Each of them a symbol of its own.
    pub(crate) parameters: Vec<Symbol>,
    pub(crate) signature: Signature,
    pub(crate) body: Term,
}

/// A sort with holes for the parameters of a definition.
#[derive(Clone, Debug)]
pub(crate) enum Shape {
    Sort(ScriptSort),
    Parameter(usize),
    Array(Box<(Shape, Shape)>),
}

/// A sort that the script has declared or defined.
#[derive(Debug)]
pub(crate) struct NamedSort {
    pub(crate) parameters: usize,
    pub(crate) shape: Shape,
}

#[derive(Debug)]
enum Declaration {
    Constant(Symbol, ScriptSort),
    Function(FunctionSymbol, Rc<Signature>),
    Other,
}

#[derive(Debug, Default)]
struct Level {
    names: Vec<(Rc<str>, Declaration)>,
    sorts: Vec<Rc<str>>,
}

/// The names of a script. Who chose them is unknown, so they are hashed with a secret.
#[derive(Debug)]
pub(crate) struct Scope {
    names: HashMap<Rc<str>, Meaning>,
    sorts: HashMap<Rc<str>, Rc<NamedSort>>,
    /// The first is never closed.
    levels: Vec<Level>,
    /// What is said stays when its level is closed.
    pub(crate) global: bool,
}

impl Scope {
    pub(crate) fn new() -> Scope {
        Scope { names: HashMap::new(), sorts: HashMap::new(), levels: vec![Level::default()], global: false }
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Meaning> {
        self.names.get(name)
    }

    pub(crate) fn sort(&self, name: &str) -> Option<Rc<NamedSort>> {
        self.sorts.get(name).cloned()
    }

    /// Gives a name its meaning; false where it has one.
    pub(crate) fn say(&mut self, name: &str, meaning: Meaning) -> bool {
        self.insert(name, meaning, Declaration::Other)
    }

    /// Declares a constant, which a model has a value for.
    pub(crate) fn declare(&mut self, name: &str, symbol: Symbol, term: Typed) -> bool {
        let sort = term.sort.clone();
        self.insert(name, Meaning::Term(term), Declaration::Constant(symbol, sort))
    }

    /// Declares a function, which a model has an interpretation for.
    pub(crate) fn declare_function(&mut self, name: &str, function: FunctionSymbol, signature: Signature) -> bool {
        let signature = Rc::new(signature);
        self.insert(
            name,
            Meaning::Function(function, Rc::clone(&signature)),
            Declaration::Function(function, signature),
        )
    }

    fn insert(&mut self, name: &str, meaning: Meaning, said: Declaration) -> bool {
        if self.names.contains_key(name) {
            return false;
        }
        let name: Rc<str> = name.into();
        self.names.insert(Rc::clone(&name), meaning);
        let level = if self.global { self.levels.first_mut() } else { self.levels.last_mut() };
        if let Some(level) = level {
            level.names.push((name, said));
        }
        true
    }

    pub(crate) fn say_sort(&mut self, name: &str, sort: NamedSort) -> bool {
        if self.sorts.contains_key(name) {
            return false;
        }
        let name: Rc<str> = name.into();
        self.sorts.insert(Rc::clone(&name), Rc::new(sort));
        let level = if self.global { self.levels.first_mut() } else { self.levels.last_mut() };
        if let Some(level) = level {
            level.sorts.push(name);
        }
        true
    }

    /// How many levels are open.
    pub(crate) fn open(&self) -> usize {
        self.levels.len() - 1
    }

    pub(crate) fn push(&mut self) {
        self.levels.push(Level::default());
    }

    /// Closes the innermost level that is open.
    pub(crate) fn pop(&mut self) {
        if self.levels.len() < 2 {
            return;
        }
        let Some(level) = self.levels.pop() else { return };
        for (name, _) in level.names {
            self.names.remove(&name);
        }
        for name in level.sorts {
            self.sorts.remove(&name);
        }
    }

    /// The declared constants, in order, with their names.
    pub(crate) fn constants(&self) -> impl Iterator<Item = (&str, Symbol, &ScriptSort)> {
        let said = self.levels.iter().flat_map(|it| &it.names);
        said.filter_map(|(name, said)| match said {
            Declaration::Constant(symbol, sort) => Some((&**name, *symbol, sort)),
            _ => None,
        })
    }

    /// The declared functions, in order, with their names.
    pub(crate) fn functions(&self) -> impl Iterator<Item = DeclaredFunction> {
        let said = self.levels.iter().flat_map(|it| &it.names);
        said.filter_map(|(name, said)| match said {
            Declaration::Function(function, signature) => Some(DeclaredFunction {
                name: (**name).to_owned(),
                function: *function,
                signature: Rc::clone(signature),
            }),
            _ => None,
        })
    }
}

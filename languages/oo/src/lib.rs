//! The paper's language: from the text of a `.oo` file to a checked [`effigy_contracts::Program`].
//!
//! Knows: classes, contracts, ghost statements. Never: terms, verification, files, the terminal.
//! Source: Smans, Jacobs, Piessens (2010), figure 4 and the sugar of section 4.
//!
//! What becomes of what:
//!
//! | in the text | in the program |
//! |---|---|
//! | field `x` of class `C` | field `C.x` |
//! | mutator `m` | method `C.m`; parameter 0 is `this`, with the precondition `this != null` |
//! | constructor | method `C.init`, which may access all fields and finds them `null`, `0` or `false` |
//! | `pure` method | function `C.p`, with the precondition `this != null` |
//! | `predicate` | predicate `C.q` |
//! | the main routine | method `main` |
//! | `new C(e)` | `new`, the fields set to `null`, `0` or `false` (figure 8), and the call of `C.init` |
//! | `new T[n]` | `new` of an object with a field `T[].elems`, a sequence; `array.length` of it is assumed to be `n` |
//! | `acc(a.elems)` | access, and the sequence is as long as the array |
//! | `a[i]`, `a[i] := e` | index into, update of the sequence; both check the bounds |
//! | `acc(e.f)`, `e.q()`, `e.p()`, `e.m()` | `e != null` is checked (figures 5, 6, 8) unless `e` is `this` |
//! | `*` and `∧` of assertions | the separating conjunction, as in Viper |
//!
//! *Constructors.* Section 4's sugar gives `init` only access to the fields. Figure 10 relies on their values
//! (`Iterator` never sets `index`), which figure 8's `new` has set: so the precondition says them too.
//!
//! *`*`.* Between two operands of type `int` it multiplies, otherwise it separates, and binds looser than comparisons
//! (`items ≠ null * acc(items.elems)`). Where two numbers stand around it and comparisons on both sides
//! (`a ≤ b * c ≤ d`), parentheses are asked for. Chains are of order only: `a = b = c` is an error.
//!
//! *Effects inside expressions* (`list.items[index++]`, `x.f := e.m()`, `new`). In a statement they happen from left to
//! right, each where it stands: what stands to the left keeps its value. They may not stand where evaluation is
//! conditional (the right of `&&`, `||`, `==>`, the branches of `? :`), in a loop's condition, or in assertions.
//!
//! *Parameters* may be assigned; contracts mean the value at entry.
//!
//! *`old`, `untouched`* stand in postconditions; also in invariants, `assert` and `join` inside of a mutator.
//!
//! *`/`, `%`* are Viper's (Euclidean), integers are unbounded.
//!
//! *Programs that are executed* ([`run`]) share the parser. Their notation is read here, too (`while b {..}`, `nil`,
//! `div`, `if b then e1 else e2 fi`); procedures, `par`, `atomic`, `assume`, `skip`, `|a|` and arrays `T -> T'` are
//! errors here.

#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "texts may be anything: a reader reports, it does not panic"
)]

mod parse;
mod syntax;
mod token;

mod classes;
mod lower;
pub mod run;
pub mod termination;

pub use termination::PureCall;

use effigy_contracts::program::MethodId;
use effigy_contracts::{Program, Span};

/// A text that was read.
#[derive(Clone, Debug)]
pub struct LoweredFile {
    /// The program with contracts that the text is lowered to.
    pub program: Program,
    /// Calls of pure methods in bodies of pure methods, for the check of section 3.6.
    pub pure_calls: Vec<PureCall>,
    /// The main routine, if there are statements behind the classes.
    pub main: Option<MethodId>,
}

/// Which family an error belongs to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ErrorId {
    /// The text is not in the grammar.
    Parser,
    /// A name or type is wrong.
    Typechecker,
}

impl ErrorId {
    /// As annotations and JSON write it.
    pub fn id(self) -> &'static str {
        match self {
            ErrorId::Parser => "parser.error",
            ErrorId::Typechecker => "typechecker.error",
        }
    }
}

/// Something that is wrong with a text.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}:{}: {message}", span.line, span.column)]
pub struct ReadError {
    /// The stage of reading that found the error.
    pub id: ErrorId,
    /// The source range that is wrong.
    pub span: Span,
    /// What was expected, or what is wrong.
    pub message: String,
}

impl ReadError {
    fn parser(span: Span, message: impl Into<String>) -> ReadError {
        ReadError { id: ErrorId::Parser, span, message: message.into() }
    }

    fn typechecker(span: Span, message: impl Into<String>) -> ReadError {
        ReadError { id: ErrorId::Typechecker, span, message: message.into() }
    }
}

/// Reads and checks a program. The errors are never empty, and in the order of the text.
pub fn read(name: &str, text: &str) -> Result<LoweredFile, Vec<ReadError>> {
    let tokens = token::tokens(text).map_err(|it| vec![it])?;
    let source = parse::parse(tokens).map_err(|it| vec![*it])?;
    lower::lower(name, &source)
}

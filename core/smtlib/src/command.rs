//! Commands: a list of tokens into what is to be done. What only names something is done here.
//!
//! Knows: the commands of SMT-LIB 2.6. Never: what is asserted, who answers.

use crate::error::{Problem, ScriptError};
use crate::reader::Reader;
use crate::scope::{DeclaredFunction, Macro, Meaning, NamedSort, Scope, Signature};
use crate::sorts::{self, small};
use crate::split::RawCommand;
use crate::tokens::{Kind, Tokens};
use crate::typed::{ScriptSort, Typed};
use crate::words::is_reserved;
use effigy_term::{Sort, Symbol, SymbolKind, Term};
use std::fmt;
use std::rc::Rc;

/// The most levels that may be open.
const MOST_LEVELS: usize = 100_000;

/// What a query's answer is, or should be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// The assertions have a model.
    Sat,
    /// The assertions have no model.
    Unsat,
    /// The query was not decided.
    Unknown,
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Status::Sat => "sat",
            Status::Unsat => "unsat",
            Status::Unknown => "unknown",
        })
    }
}

/// What a script asks for.
#[derive(Debug)]
pub enum ScriptCommand {
    /// Something was named or noted.
    Noted,
    /// The answer that is due to the next query.
    Expect(Status),
    /// Whether commands without an answer say `success`.
    PrintSuccess(bool),
    /// An option or a question that is not known here; no error by the standard.
    Unsupported,
    /// `assert`: adds a conjunct, of sort Bool.
    Assert(Term),
    /// Are the assertions satisfiable, together with these?
    CheckSat(Vec<Term>),
    /// `push`: opens this number of levels.
    Push(usize),
    /// `pop`: closes this number of levels.
    Pop(usize),
    /// The values of all that was declared.
    GetModel {
        /// The declared constants, by name.
        constants: Vec<(String, Symbol, ScriptSort)>,
        /// The functions that the script has declared.
        functions: Vec<DeclaredFunction>,
    },
    /// The values of terms, each with how it was written.
    GetValue(Vec<(String, Term, ScriptSort)>),
    /// A question about the solver.
    GetInfo(String),
    /// A text to be printed.
    Echo(String),
    /// `reset-assertions`: forgets what was asserted.
    ResetAssertions,
    /// `reset`: forgets assertions, declarations and options.
    Reset,
    /// `exit`: no command after it is read.
    Exit,
}

impl Reader<'_> {
    /// The command that was written.
    ///
    /// # Errors
    /// When it is none, or one that has no sense here; the command should then be taken as not given.
    pub fn command(&mut self, written: RawCommand<'_>) -> Result<ScriptCommand, ScriptError> {
        let tokens = Tokens::of(written)?;
        let Some(word) = tokens.word(1) else { return Err(tokens.expected(1, "a command")) };
        match word {
            "set-logic" => {
                let [logic] = arguments(&tokens)?;
                let logic = name(&tokens, logic)?;
                // Without Ints, as in QF_LRA, RDL and QF_FP, a number is a Real.
                let theory = logic.strip_prefix("QF_").unwrap_or(logic);
                let has_reals = theory.contains("RA") || theory.contains("RDL") || theory.contains("FP");
                self.numerals_are_reals = !theory.contains('I') && has_reals;
                Ok(ScriptCommand::Noted)
            }
            "set-info" => self.set_info(&tokens),
            "set-option" => self.set_option(&tokens),
            "declare-const" => {
                let [at, sort] = arguments(&tokens)?;
                let sort = self.sorts.read(self.terms, &self.scope, &tokens, sort)?;
                self.declare(&tokens, at, Vec::new(), sort)
            }
            "declare-fun" => {
                let [at, from, to] = arguments(&tokens)?;
                let from = self.sort_list(&tokens, from)?;
                let to = self.sorts.read(self.terms, &self.scope, &tokens, to)?;
                self.declare(&tokens, at, from, to)
            }
            "define-const" => {
                let [at, sort, body] = arguments(&tokens)?;
                self.define(&tokens, at, Vec::new(), sort, body)
            }
            "define-fun" => {
                let [at, parameters, sort, body] = arguments(&tokens)?;
                if tokens.kind(parameters) != Kind::Open {
                    return Err(tokens.expected(parameters, "a list of parameters"));
                }
                let parameters = self.variables(&tokens, parameters)?;
                self.define(&tokens, at, parameters, sort, body)
            }
            "declare-sort" => {
                let [at, arity] = arguments(&tokens)?;
                let sort_name = name(&tokens, at)?;
                if small(&tokens, arity, "a number of parameters")? != 0 {
                    return Err(tokens.error(arity, Problem::Unsupported("a sort with parameters".to_owned())));
                }
                let sort = self.sorts.declare(self.terms, sort_name).map_err(|it| tokens.error(at, it))?;
                self.say_sort(&tokens, at, sort)
            }
            "define-sort" => {
                let [at, list, shape] = arguments(&tokens)?;
                let mut parameters = Vec::new();
                for it in list_of(&tokens, list, "a list of parameters")? {
                    parameters.push(name(&tokens, it)?);
                }
                let shape = sorts::read(&self.scope, &tokens, shape, &parameters, sorts::MOST_DEPTH)?;
                self.say_sort(&tokens, at, NamedSort { parameters: parameters.len(), shape })
            }
            "assert" => {
                let [at] = arguments(&tokens)?;
                Ok(ScriptCommand::Assert(self.formula(&tokens, at)?))
            }
            "check-sat" => arguments(&tokens).map(|[]| ScriptCommand::CheckSat(Vec::new())),
            "check-sat-assuming" => {
                let [list] = arguments(&tokens)?;
                let mut assumed = Vec::new();
                for it in list_of(&tokens, list, "a list of formulas")? {
                    assumed.push(self.formula(&tokens, it)?);
                }
                Ok(ScriptCommand::CheckSat(assumed))
            }
            "push" => {
                let levels = levels(&tokens)?;
                if self.scope.open() + levels > MOST_LEVELS {
                    return Err(tokens.error(1, Problem::Limit(format!("{MOST_LEVELS} levels"))));
                }
                (0..levels).for_each(|_| self.scope.push());
                Ok(ScriptCommand::Push(levels))
            }
            "pop" => {
                let levels = levels(&tokens)?;
                if levels > self.scope.open() {
                    return Err(tokens.error(1, Problem::Now("so many levels are not open")));
                }
                (0..levels).for_each(|_| self.scope.pop());
                Ok(ScriptCommand::Pop(levels))
            }
            "get-model" => arguments(&tokens).map(|[]| ScriptCommand::GetModel {
                constants: self.scope.constants().map(|it| (it.0.to_owned(), it.1, it.2.clone())).collect(),
                functions: self.scope.functions().collect(),
            }),
            "get-value" => {
                let [list] = arguments(&tokens)?;
                let mut values = Vec::new();
                for it in list_of(&tokens, list, "a list of terms")? {
                    let value = self.term(&tokens, it, &[])?;
                    values.push((tokens.shown(it), value.term, value.sort));
                }
                Ok(ScriptCommand::GetValue(values))
            }
            "get-info" => {
                let [at] = arguments(&tokens)?;
                Ok(ScriptCommand::GetInfo(keyword(&tokens, at)?.to_owned()))
            }
            "echo" => {
                let [at] = arguments(&tokens)?;
                match tokens.kind(at) {
                    Kind::Text => Ok(ScriptCommand::Echo(tokens.shown(at))),
                    _ => Err(tokens.expected(at, "a text in quotes")),
                }
            }
            "reset" => {
                arguments(&tokens).map(|[]| ())?;
                self.scope = Scope::new();
                self.numerals_are_reals = false;
                Ok(ScriptCommand::Reset)
            }
            "reset-assertions" => {
                arguments(&tokens).map(|[]| ())?;
                if self.scope.global {
                    (0..self.scope.open()).for_each(|_| self.scope.pop());
                } else {
                    self.scope = Scope::new();
                }
                Ok(ScriptCommand::ResetAssertions)
            }
            "exit" => arguments(&tokens).map(|[]| ScriptCommand::Exit),
            "get-option"
            | "get-assertions"
            | "get-assignment"
            | "get-proof"
            | "get-unsat-core"
            | "get-unsat-assumptions" => Ok(ScriptCommand::Unsupported),
            "declare-datatype" | "declare-datatypes" | "define-fun-rec" | "define-funs-rec" => {
                Err(tokens.error(1, Problem::Unsupported(format!("`{word}`"))))
            }
            _ => Err(tokens.expected(1, "a command")),
        }
    }

    fn set_info(&mut self, tokens: &Tokens<'_>) -> Result<ScriptCommand, ScriptError> {
        if keyword(tokens, 2)? != ":status" {
            return Ok(ScriptCommand::Noted);
        }
        match tokens.word(3) {
            Some("sat") => Ok(ScriptCommand::Expect(Status::Sat)),
            Some("unsat") => Ok(ScriptCommand::Expect(Status::Unsat)),
            Some("unknown") => Ok(ScriptCommand::Expect(Status::Unknown)),
            _ => Err(tokens.expected(3, "`sat`, `unsat` or `unknown`")),
        }
    }

    fn set_option(&mut self, tokens: &Tokens<'_>) -> Result<ScriptCommand, ScriptError> {
        let option = keyword(tokens, 2)?;
        let truth = || match tokens.word(3) {
            Some("true") => Ok(true),
            Some("false") => Ok(false),
            _ => Err(tokens.expected(3, "`true` or `false`")),
        };
        match option {
            ":print-success" => Ok(ScriptCommand::PrintSuccess(truth()?)),
            ":global-declarations" => {
                self.scope.global = truth()?;
                Ok(ScriptCommand::Noted)
            }
            // There is always a model.
            ":produce-models" | ":random-seed" | ":verbosity" => Ok(ScriptCommand::Noted),
            _ => Ok(ScriptCommand::Unsupported),
        }
    }

    fn sort_list(&mut self, tokens: &Tokens<'_>, list: usize) -> Result<Vec<ScriptSort>, ScriptError> {
        let mut res = Vec::new();
        for it in list_of(tokens, list, "a list of sorts")? {
            res.push(self.sorts.read(self.terms, &self.scope, tokens, it)?);
        }
        Ok(res)
    }

    fn declare(
        &mut self,
        tokens: &Tokens<'_>,
        at: usize,
        from: Vec<ScriptSort>,
        to: ScriptSort,
    ) -> Result<ScriptCommand, ScriptError> {
        let declared = name(tokens, at)?;
        if is_reserved(declared) {
            return Err(tokens.error(at, Problem::Taken(declared.to_owned())));
        }
        let is_new = if from.is_empty() {
            let symbol = self.terms.symbol(declared, to.in_arena(), SymbolKind::Input);
            let term = Typed::free(self.terms, to, self.terms.of_symbol(symbol));
            self.scope.declare(declared, symbol, term)
        } else {
            // Two such arguments may be equal and differ in bits.
            if from.iter().any(ScriptSort::is_array_of_floats) {
                return Err(tokens.error(at, Problem::Unsupported("a function of arrays of floats".to_owned())));
            }
            let arguments: Vec<Sort> = from.iter().map(ScriptSort::in_arena).collect();
            let function = self.terms.function(declared, &arguments, to.in_arena());
            self.scope.declare_function(declared, function, Signature { arguments: from, result: to })
        };
        self.charge().map_err(|problem| tokens.error(at, problem))?;
        if is_new { Ok(ScriptCommand::Noted) } else { Err(tokens.error(at, Problem::Taken(declared.to_owned()))) }
    }

    fn define(
        &mut self,
        tokens: &Tokens<'_>,
        at: usize,
        parameters: Vec<(&str, ScriptSort)>,
        sort: usize,
        body: usize,
    ) -> Result<ScriptCommand, ScriptError> {
        let defined = name(tokens, at)?;
        let sort = self.sorts.read(self.terms, &self.scope, tokens, sort)?;
        let symbols: Vec<Symbol> = parameters.iter().map(|(name, sort)| self.bind(name, sort.in_arena())).collect();
        // What is put in the place of a parameter is a term of its sort, and so canonical.
        let names: Vec<(&str, Typed)> = parameters
            .iter()
            .zip(&symbols)
            .map(|((name, sort), &it)| (*name, Typed { term: self.terms.of_symbol(it), sort: sort.clone() }))
            .collect();
        let term = self.term(tokens, body, &names)?;
        self.of_sort(tokens, body, &term, &sort)?;
        let meaning = match symbols.is_empty() {
            true => Meaning::Term(term),
            false => {
                let arguments = parameters.into_iter().map(|it| it.1).collect();
                let signature = Signature { arguments, result: sort };
                Meaning::Macro(Rc::new(Macro { parameters: symbols, signature, body: term.term }))
            }
        };
        self.say(tokens, at, defined, meaning)?;
        Ok(ScriptCommand::Noted)
    }

    fn say_sort(&mut self, tokens: &Tokens<'_>, at: usize, sort: NamedSort) -> Result<ScriptCommand, ScriptError> {
        let sort_name = name(tokens, at)?;
        let is_reserved = matches!(sort_name, "Array" | "BitVec" | "FloatingPoint" | "_");
        let is_reserved =
            is_reserved || sorts::of_language(sort_name).is_some_and(|it| matches!(it, ScriptSort::Plain(_)));
        if is_reserved || !self.scope.say_sort(sort_name, sort) {
            return Err(tokens.error(at, Problem::Taken(sort_name.to_owned())));
        }
        Ok(ScriptCommand::Noted)
    }
}

/// The indices of a command's arguments, if there are exactly this many.
fn arguments<const N: usize>(tokens: &Tokens<'_>) -> Result<[usize; N], ScriptError> {
    let close = tokens.close(0);
    let mut res = [0; N];
    let mut at = 2;
    for it in &mut res {
        if at >= close {
            return Err(tokens.expected(at, "another argument"));
        }
        *it = at;
        at = tokens.behind(at);
    }
    if at < close { Err(tokens.expected(at, "`)`")) } else { Ok(res) }
}

/// The indices of what stands in a list.
fn list_of(tokens: &Tokens<'_>, open: usize, expected: &str) -> Result<Vec<usize>, ScriptError> {
    if tokens.kind(open) != Kind::Open {
        return Err(tokens.expected(open, expected));
    }
    let mut res = Vec::new();
    let mut at = open + 1;
    while at < tokens.close(open) {
        res.push(at);
        at = tokens.behind(at);
    }
    Ok(res)
}

fn name<'a>(tokens: &Tokens<'a>, at: usize) -> Result<&'a str, ScriptError> {
    match tokens.kind(at) {
        Kind::Name => tokens.text(at),
        _ => Err(tokens.expected(at, "a name")),
    }
}

fn keyword<'a>(tokens: &Tokens<'a>, at: usize) -> Result<&'a str, ScriptError> {
    match (tokens.kind(at), tokens.word(at)) {
        (Kind::Keyword, Some(word)) => Ok(word),
        _ => Err(tokens.expected(at, "a keyword")),
    }
}

/// The number of levels of `push` or `pop`; `(push)` is `(push 1)`.
fn levels(tokens: &Tokens<'_>) -> Result<usize, ScriptError> {
    if tokens.close(0) == 2 {
        return Ok(1);
    }
    let [at] = arguments(tokens)?;
    Ok(small(tokens, at, "a number of levels")? as usize)
}

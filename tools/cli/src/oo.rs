//! Executed `.oo` programs at the terminal: how `run` and `tree` come by them.
//!
//! Knows: files, flags, which model. Never: what statements mean.

pub(crate) mod explain;
pub(crate) mod run;

use crate::Failure;
use crate::args::ModelArgs;
use effigy_oo::ReadError;
use effigy_oo::run::forward::Forward;
use effigy_oo::run::machine::{Machine, Options};
use effigy_oo::run::program::{Program, Semantics};
use effigy_oo::run::traces::Traces;
use std::fmt::Write;
use std::path::PathBuf;
use std::rc::Rc;

/// Whether these are object-oriented programs.
pub(crate) fn is_oo(files: &[PathBuf]) -> bool {
    files.iter().any(|it| it.extension().is_some_and(|it| it.eq_ignore_ascii_case("oo")))
}

/// A program under the model that the user chose.
pub(crate) enum Modelled {
    Forward(Machine<Forward>),
    Traces(Machine<Traces>),
}

/// The program of the one file.
pub(crate) fn program(files: &[PathBuf]) -> Result<Rc<Program>, Failure> {
    let [file] = files else { return Err(Failure("one .oo file was expected".to_owned())) };
    let name = file.display().to_string();
    let bytes = std::fs::read(file).map_err(|error| Failure(format!("{name}: {error}")))?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let line = 1 + error.as_bytes()[..at].iter().filter(|it| **it == b'\n').count();
        Failure(format!("{name}:{line}: UTF-8 text was expected"))
    })?;
    effigy_oo::run::read(&name, &text).map(Rc::new).map_err(|errors| Failure(render(&name, &text, &errors)))
}

/// The first errors, each with its line and a caret.
fn render(name: &str, text: &str, errors: &[ReadError]) -> String {
    let mut res = String::new();
    for error in errors.iter().take(10) {
        let span = error.span;
        let line = text.lines().nth(span.line.saturating_sub(1) as usize).unwrap_or_default();
        let indent: String = line
            .chars()
            .take(span.column.saturating_sub(1) as usize)
            .map(|it| if it == '\t' { '\t' } else { ' ' })
            .collect();
        let _ = write!(res, "{name}:{}:{}: {}\n  {line}\n  {indent}^\n", span.line, span.column, error.message);
    }
    if errors.len() > 10 {
        let _ = writeln!(res, "... and {} more", errors.len() - 10);
    }
    res.trim_end().to_owned()
}

/// A program under the model that the arguments name.
pub(crate) fn modelled(program: Rc<Program>, args: &ModelArgs, explain: bool) -> Modelled {
    let options = Options {
        semantics: Semantics { paper: args.paper_semantics },
        errors: args.errors,
        reduce: !args.no_por,
        explain,
    };
    match args.model.unwrap_or_default() {
        crate::args::ModelName::Forward => {
            Modelled::Forward(Machine::new(program, Forward::new(args.updates), options))
        }
        crate::args::ModelName::Traces => Modelled::Traces(Machine::new(program, Traces::default(), options)),
    }
}

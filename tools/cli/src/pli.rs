//! PL/I programs at the terminal: how `run`, `tree`, `debug` and `prove` come by them.
//!
//! Knows: how files and calls become programs. Never: what statements mean.

pub(crate) mod prove;
pub(crate) mod run;

use crate::Failure;
use crate::args::PliArgs;
use effigy_pli::{Code, Options, Program, any_call, call_of, compile};
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Whether these are PL/I files.
pub(crate) fn is_pli(files: &[PathBuf]) -> bool {
    files.iter().any(|it| it.extension().is_some_and(|it| it.eq_ignore_ascii_case("pli")))
}

/// The code of the one file.
pub(crate) fn code(files: &[PathBuf]) -> Result<Rc<Code>, Failure> {
    let [file] = files else {
        return Err(Failure(
            "one PL/I file was expected; procedures that call one another stand in one file".to_owned(),
        ));
    };
    read(file)
}

/// The code of a file.
pub(crate) fn read(file: &Path) -> Result<Rc<Code>, Failure> {
    let name = file.display().to_string();
    let bytes = std::fs::read(file).map_err(|error| Failure(format!("{name}: {error}")))?;
    let source = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let line = 1 + error.as_bytes()[..at].iter().filter(|it| **it == b'\n').count();
        Failure(format!("{name}:{line}: UTF-8 text was expected"))
    })?;
    compile(&name, &source).map_err(Failure::of)
}

/// The program of the one file with its call; without one, `entry` or the first procedure is called with inputs.
pub(crate) fn program(files: &[PathBuf], args: &PliArgs, entry: Option<&str>) -> Result<Program, Failure> {
    let code = code(files)?;
    let options = Options { arrays: args.arrays, width: args.width, ..Options::default() };
    let call = match (&args.call, entry) {
        (Some(call), _) => call.clone(),
        (None, None) => any_call(&code),
        (None, Some(name)) => call_of(&code, &name.to_ascii_uppercase())
            .ok_or_else(|| Failure(format!("there is no procedure {name}; --entry names one of them")))?,
    };
    Program::new(code, &call, options).map_err(Failure::of)
}

/// The call as a person reads it: without the declarations of a call that was not typed.
pub(crate) fn title(program: &Program, args: &PliArgs) -> String {
    let text = program.call_text();
    match (&args.call, text.rsplit_once("CALL ")) {
        (None, Some((_, call))) => call.to_owned(),
        _ => text.to_owned(),
    }
}

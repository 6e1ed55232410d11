//! `--dump`: the formula of a check for other tools.
//!
//! Knows: which format a file's name stands for. Never: what the formula says.

use crate::Failure;
use crate::args::BmcArgs;
use crate::overwrite_guard;
use effigy_bmc::{EncodedFormula, VersionEquation};
use effigy_solver::dump;
use effigy_term::Terms;
use std::path::Path;

/// What a file begins with that is ours, by its format.
fn head(file: &Path) -> Option<&'static str> {
    match file.extension().and_then(|it| it.to_str()) {
        Some("smt2") => Some("; Written by effigy."),
        Some("cnf") => Some("c Written by effigy."),
        _ => None,
    }
}

/// Whether a file has a format, and nothing there is a user's.
pub(super) fn may_be_written(file: &Path) -> Result<(), Failure> {
    let Some(head) = head(file) else {
        return Err(Failure(format!("--dump {}: a name that ends in .smt2 or .cnf was expected", file.display())));
    };
    overwrite_guard::may_be_written(file, head)
}

/// The formula in the format that the user wants.
pub(super) fn text(args: &BmcArgs, terms: &Terms, formula: &EncodedFormula) -> Result<String, Failure> {
    let file = args.dump.as_deref().unwrap_or(Path::new(""));
    let head = head(file).unwrap_or_default();
    match head.starts_with('c') {
        false => {
            let definition = |it: &VersionEquation| (it.version, it.name.clone(), it.value);
            let definitions: Vec<_> = formula.equations.iter().map(definition).collect();
            Ok(dump::smt2(terms, &definitions, vec![formula.goal], &format!("{head}\n(set-logic ALL)\n")))
        }
        true => dump::dimacs(terms, formula.term(terms))
            .map(|it| format!("{head}\n{it}"))
            .map_err(|what| Failure(format!("--dump {}: {what} is not made of bits; .smt2 has it", file.display()))),
    }
}

pub(super) fn write(file: &Path, text: &str) -> Result<(), Failure> {
    overwrite_guard::write(file, head(file).unwrap_or_default(), text)
}

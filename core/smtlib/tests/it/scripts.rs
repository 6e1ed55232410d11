//! The scripts of `corpus/smt`, each with what it prints: a line `; expect: TEXT` for each line, and `; error: TEXT` for
//! the error that ends it. `; solver: z3` is a script that the process cannot decide.

use effigy_smtlib::{QueryForm, ReadLimits, Reader, Script, ScriptSession};
use effigy_solver::{Backend, LayerKind, LayerSet, QueryBudget, SolverConfig, chain};
use effigy_term::Terms;
use std::path::{Path, PathBuf};

fn run(text: &[u8], layers: bool, backend: Backend) -> (Vec<String>, Option<String>) {
    let mut config = SolverConfig { backend, ..SolverConfig::default() };
    if !layers {
        let needed = [LayerKind::Validate, LayerKind::Substitution, LayerKind::Refinement];
        config.layers = needed.into_iter().fold(LayerSet::NONE, LayerSet::with);
    }
    let posing = if layers { QueryForm::Grown } else { QueryForm::Logged };
    let terms = Terms::new();
    let mut solver = chain(&config);
    let session = ScriptSession::new(&terms, &mut *solver, QueryBudget::default(), posing);
    let mut script = Script::new(Reader::new(&terms, ReadLimits::default()), session);
    let mut out = String::new();
    let mut error = None;
    // In pieces, as it comes through a pipe.
    for piece in text.chunks(7) {
        match script.feed(piece, &mut |it| out.push_str(it)) {
            Ok(true) => {}
            Ok(false) => return (out.lines().map(str::to_owned).collect(), None),
            Err(it) => {
                error = Some(it.to_string());
                break;
            }
        }
    }
    let error = error.or_else(|| script.finish().err().map(|it| it.to_string()));
    (out.lines().map(str::to_owned).collect(), error)
}

fn scripts() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/smt");
    let mut res: Vec<PathBuf> = std::fs::read_dir(folder).expect("the corpus").flatten().map(|it| it.path()).collect();
    res.retain(|it| it.extension().is_some_and(|it| it == "smt2"));
    res.sort();
    res
}

fn said<'a>(text: &'a str, word: &str) -> Vec<&'a str> {
    text.lines().filter_map(|it| it.trim().strip_prefix("; ")?.strip_prefix(word)?.strip_prefix(": ")).collect()
}

#[test]
fn every_script_prints_what_is_written() {
    let scripts = scripts();
    assert!(scripts.len() > 10, "the scripts are where they should be");
    for path in scripts {
        let bytes = std::fs::read(&path).expect("a script");
        let text = String::from_utf8_lossy(&bytes);
        let backend = if said(&text, "solver").is_empty() { Backend::Bits } else { Backend::Route };
        for layers in [true, false] {
            let (lines, error) = run(&bytes, layers, backend);
            let place = format!("{}, with layers: {layers}", path.display());
            assert_eq!(lines, said(&text, "expect"), "{place} {error:?}");
            assert_eq!(error.as_deref(), said(&text, "error").first().copied(), "{place}");
        }
    }
}

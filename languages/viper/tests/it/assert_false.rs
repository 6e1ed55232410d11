//! Nothing follows from nothing: behind each statement of each method that verifies, `assert false` fails.
//!
//! Cases: the programs of `corpus/viper/verify` and `corpus/viper/features`. Where `assert false` holds, as no run comes
//! there, `corpus/viper/unreached.txt` names the statement and says why.

use effigy_contracts::program::{Exp, ExpKind, Stmt, StmtKind, Type};
use effigy_programs::verification;
use effigy_verify::{Config, Member, Program, Span, Verdict, members, verify};
use effigy_viper::{Loader, SourceFile, read, standard};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The standard library, and nothing else.
struct Library;

impl Loader for Library {
    fn load(&mut self, path: &str, is_standard: bool, _: &str) -> Result<SourceFile, String> {
        match standard(path) {
            Some(text) if is_standard => Ok(SourceFile { name: path.into(), text: text.to_owned() }),
            _ => Err(format!("{path} cannot be imported here")),
        }
    }
}

/// Puts `assert false` behind the statement number `left`, counted through all bodies; the place of that statement.
fn put(body: &mut Vec<Stmt>, left: &mut usize) -> Option<Span> {
    for at in 0..body.len() {
        let span = body[at].span;
        if *left == 0 {
            let never = Exp::new(ExpKind::Bool(false), Type::Bool, span);
            body.insert(at + 1, Stmt { kind: StmtKind::Assert(never), span });
            return Some(span);
        }
        *left -= 1;
        let inside = match &mut body[at].kind {
            StmtKind::If(_, then, or) => put(then, left).or_else(|| put(or, left)),
            StmtKind::While(_, _, body) | StmtKind::Block(body) => put(body, left),
            _ => None,
        };
        if inside.is_some() {
            return inside;
        }
    }
    None
}

/// `folder/file:line method`, for each statement behind which `assert false` is no failure; and how many there are in all.
fn holding(file: &Path) -> (Vec<String>, usize) {
    let text = std::fs::read_to_string(file).expect("the corpus can be read");
    let name = file.file_name().expect("a file").to_string_lossy();
    let program: Program = read(&name, &text, &mut Library).expect("a case is a program");
    let config = Config { errors: 64, ..verification::config(100_000, 2_000_000, verification::VIPER) };
    let (mut res, mut count) = (Vec::new(), 0);
    for member in members(&program) {
        let Member::Method(method) = member else { continue };
        if !matches!(verify(&program, member, &config).verdict, Verdict::Verified) {
            continue;
        }
        for number in 0.. {
            let mut changed = program.clone();
            let of = &mut changed.methods[method.index()];
            let Some(span) = of.body.as_mut().and_then(|it| put(it, &mut { number })) else { break };
            count += 1;
            if matches!(verify(&changed, member, &config).verdict, Verdict::Verified) {
                res.push(format!("{name}:{} {}", span.line, program.methods[method.index()].name));
            }
        }
    }
    (res, count)
}

#[test]
fn false_holds_nowhere() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/viper");
    let (mut found, mut count) = (BTreeSet::new(), 0);
    for folder in ["verify", "features"] {
        let files = std::fs::read_dir(root.join(folder)).expect("the corpus can be read").flatten();
        let mut files: Vec<PathBuf> = files.map(|it| it.path()).collect();
        files.retain(|it| it.extension().is_some_and(|it| it == "vpr"));
        files.sort();
        for file in files {
            let (holding, statements) = holding(&file);
            found.extend(holding.into_iter().map(|it| format!("{folder}/{it}")));
            count += statements;
        }
    }
    let named = std::fs::read_to_string(root.join("unreached.txt")).expect("unreached.txt");
    let named: BTreeSet<String> = named
        .lines()
        .filter(|it| !it.starts_with('#'))
        .filter_map(|it| Some(it.split_once(" | ")?.0.to_owned()))
        .collect();
    assert!(count > 90, "{count} statements");
    assert_eq!(found, named, "behind these `assert false` holds");
}

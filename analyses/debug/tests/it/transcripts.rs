//! Sessions with programs of the toy language: every file of `tests/transcripts` is played again and compared.
//!
//! A file begins with the program (`program: NAME`); each line `> commands` is followed by the reply.
//! `EFFIGY_BLESS=1` rewrites the replies; read the diff.

use effigy_debug::{Config, Session};
use effigy_solver::{SolverConfig, chain};
use effigy_term::Terms;
use effigy_testing::counter::{Cond, Expr, Line, Program};
use std::path::{Path, PathBuf};

fn x(at: usize) -> Expr {
    Expr::Var(at)
}

fn less(a: Expr, b: Expr) -> Cond {
    Cond::Less(a, b)
}

/// The programs that the transcripts name.
fn program(name: &str) -> Program {
    let lines = match name {
        // King's dialogue: `IF X > 5`.
        "branch" => vec![
            Line::Input(0),
            Line::Unless(less(Expr::Const(5), x(0)), 4),
            Line::Print(Expr::Const(1)),
            Line::Goto(5),
            Line::Print(Expr::Const(2)),
        ],
        // Counts x1 up to the input.
        "loop" => vec![
            Line::Input(0),
            Line::Set(1, Expr::Const(0)),
            Line::Unless(less(x(1), x(0)), 5),
            Line::Set(1, Expr::Add(Box::new(x(1)), Box::new(Expr::Const(1)))),
            Line::Goto(2),
            Line::Print(x(1)),
        ],
        // A division that can fail, a value that must be concrete, an assertion.
        "errors" => vec![
            Line::Input(0),
            Line::Input(1),
            Line::Divide(2, Expr::Const(100), x(0)),
            Line::Assume(less(x(1), Expr::Const(4))),
            Line::Concretise(1),
            Line::Assert(less(x(2), Expr::Const(100))),
            Line::Print(x(1)),
        ],
        _ => panic!("there is no program {name}"),
    };
    Program { bits: 8, variables: 3, lines }
}

fn play(text: &str) -> String {
    let mut lines = text.lines();
    let first = lines.next().unwrap_or("");
    let program = program(first.strip_prefix("program: ").expect("the first line names the program"));
    let terms = Terms::new();
    let mut solver = chain(&SolverConfig::default());
    let mut session = Session::new(&program, &terms, &mut *solver, Config::default());
    let mut res = format!("{first}\n");
    for line in lines.filter_map(|it| it.strip_prefix("> ")) {
        let reply = session.execute(line);
        res.push_str(&format!("> {line}\n"));
        if !reply.text.is_empty() {
            res.push_str(&reply.text);
            res.push('\n');
        }
    }
    res
}

#[test]
fn every_transcript_is_what_is_replied() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts");
    let bless = std::env::var_os("EFFIGY_BLESS").is_some();
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("the transcripts").flatten().map(|it| it.path()).collect();
    paths.sort();
    assert!(paths.len() >= 5, "the transcripts are where they should be");
    let mut differ = Vec::new();
    for path in paths {
        let text = std::fs::read_to_string(&path).expect("a transcript");
        let played = play(&text);
        if bless {
            std::fs::write(&path, &played).expect("the transcript can be written");
        } else if played != text {
            differ.push(format!("{}:\n{played}", path.display()));
        }
    }
    assert!(differ.is_empty(), "EFFIGY_BLESS=1 accepts this:\n{}", differ.join("\n"));
}

//! `effigy debug`: a session with the debugger, at the terminal or from a script.
//!
//! Knows: where lines come from and where replies go. Never: what a command means.

use crate::args::DebugArgs;
use crate::frontend::Plan;
use crate::solver::solver_config;
use crate::{Code, Failure};
use effigy_debug::{Config, Reply, Session, completions};
use effigy_engine::Inspect;
use effigy_solver::{QueryBudget, chain};
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{Editor, Helper};
use std::io::{BufRead, BufReader, IsTerminal, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Where a program starts, for the person at the terminal.
struct Surroundings<'a> {
    /// The file that is debugged.
    file: &'a Path,
    script: Option<&'a Path>,
    json: bool,
}

/// Begins a session, with the call that was given at the command line.
pub(crate) fn debug<P: Plan>(plan: &P, args: &DebugArgs, interrupt: &Arc<AtomicBool>) -> Result<Code, Failure> {
    let program = plan.language()?;
    let solver = solver_config(&args.solver, interrupt)?;
    let terms = solver.terms();
    let query = QueryBudget { steps: None, time: Some(args.solver_timeout) };
    let config = Config { query, transitions: None, interrupt: Arc::clone(interrupt), layers: solver.layers };
    let mut solver = chain(&solver);
    let mut session = Session::new(&program, &terms, &mut *solver, config);
    if let Some(call) = &args.start.call {
        let reply = session.execute(&format!("call {call}"));
        if reply.error {
            return Err(Failure(reply.text));
        }
    }
    let file = args.start.files.first().map_or(Path::new(""), |it| it);
    drive(session, &Surroundings { file, script: args.script.as_deref(), json: args.json })
}

/// Leads a session to its end, whatever the language.
fn drive<L: Inspect>(mut session: Session<'_, L>, around: &Surroundings<'_>) -> Result<Code, Failure> {
    if let Some(script) = around.script {
        let file = std::fs::File::open(script).map_err(|error| Failure(format!("{}: {error}", script.display())))?;
        return play(&mut session, BufReader::new(file), around.json);
    }
    if around.json || !std::io::stdin().is_terminal() {
        return play(&mut session, std::io::stdin().lock(), around.json);
    }
    converse(&mut session, around.file)
}

/// Plays a script: each line is shown with its reply, and the first that fails ends it.
fn play<L: Inspect>(session: &mut Session<'_, L>, lines: impl BufRead, json: bool) -> Result<Code, Failure> {
    let mut out = std::io::stdout().lock();
    for line in lines.split(b'\n') {
        let line = line.map_err(Failure::of)?;
        let line = String::from_utf8_lossy(&line);
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let reply = session.execute(line);
        let written = if json {
            writeln!(out, "{}", object(session, line, &reply))
        } else if reply.text.is_empty() {
            writeln!(out, "> {line}")
        } else {
            writeln!(out, "> {line}\n{}", reply.text)
        };
        // Whoever reads has gone: `effigy debug ... | head`.
        if written.and_then(|()| out.flush()).is_err() {
            return Ok(Code::Nothing);
        }
        if reply.error {
            return Ok(Code::Input);
        }
        if reply.ends {
            break;
        }
    }
    Ok(Code::Nothing)
}

fn object<L: Inspect>(session: &mut Session<'_, L>, line: &str, reply: &Reply) -> serde_json::Value {
    let statement = session.statement().map(|it| {
        serde_json::json!({
            "procedure": it.procedure,
            "number": it.number,
            "text": it.text,
            "file": it.place.file,
            "line": it.place.line,
        })
    });
    serde_json::json!({
        "command": line,
        "reply": reply.text,
        "error": reply.error,
        "statement": statement,
        "path_condition": session.path_condition(),
    })
}

/// Runs an interactive session at the terminal.
fn converse<L: Inspect>(session: &mut Session<'_, L>, file: &Path) -> Result<Code, Failure> {
    let settings = rustyline::Config::builder().auto_add_history(true).build();
    let mut editor: Editor<Names, MemHistory> =
        Editor::with_history(settings, MemHistory::new()).map_err(Failure::of)?;
    editor.set_helper(Some(Names { names: session.names() }));
    println!("{}: `help` lists the commands, `quit` ends", file.display());
    println!("{}", session.execute("where").text);
    loop {
        match editor.readline("> ") {
            Ok(line) => {
                let reply = session.execute(&line);
                if !reply.text.is_empty() {
                    println!("{}", coloured(&reply));
                }
                if reply.ends {
                    return Ok(Code::Nothing);
                }
                if let Some(helper) = editor.helper_mut() {
                    helper.names = session.names();
                }
            }
            // Ctrl-C drops the line, Ctrl-D ends the session.
            Err(ReadlineError::Interrupted) => {}
            Err(ReadlineError::Eof) => return Ok(Code::Nothing),
            Err(error) => return Err(Failure::of(error)),
        }
    }
}

/// The reply with its error in red, on a terminal that wants colours.
fn coloured(reply: &Reply) -> String {
    if !crate::progress::colours() || !std::io::stdout().is_terminal() {
        return reply.text.clone();
    }
    let line = |it: &str| match it.strip_prefix("error: ") {
        Some(rest) => format!("\x1b[31merror:\x1b[0m {rest}"),
        None => it.to_owned(),
    };
    reply.text.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// Completes commands and the names of the program.
struct Names {
    names: Vec<String>,
}

impl Completer for Names {
    type Candidate = String;

    fn complete(&self, line: &str, at: usize, _: &rustyline::Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        Ok(completions(line.get(..at).unwrap_or(""), &self.names))
    }
}

impl Hinter for Names {
    type Hint = String;
}

impl Highlighter for Names {}

impl Validator for Names {}

impl Helper for Names {}

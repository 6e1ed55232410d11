//! `effigy solve`: scripts of SMT-LIB 2, answered by our own solver.
//!
//! Knows: files, what is printed of them, exit codes. Never: the language of scripts.

mod table;

use crate::args::SolveArgs;
use crate::limits::{most_memory, resident_memory, watch_memory};
use crate::progress::{is_shown, say, say_json, warn};
use crate::solver::solver_config;
use crate::{Code, Failure};
use effigy_smtlib::{CheckedQuery, QueryForm, ReadLimits, Reader, Script, ScriptError, ScriptSession, Status};
use effigy_solver::{LayerKind, LayerSet, QueryBudget, Solver, SolverConfig, Statistics, chain};
use effigy_term::Terms;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What became of one script.
pub(crate) struct ScriptOutcome {
    pub(crate) name: String,
    pub(crate) queries: Vec<CheckedQuery>,
    pub(crate) error: Option<String>,
    /// The error stands on standard output, as SMT-LIB has it.
    told: bool,
}

/// An arena and the solver that belongs to it.
struct Room {
    terms: Terms,
    solver: Box<dyn Solver>,
}

impl Room {
    fn new(config: &SolverConfig) -> Room {
        Room { terms: config.terms(), solver: chain(config) }
    }

    fn statistics(&self, into: &mut Statistics) {
        self.solver.statistics(into);
        into.count_rules(&self.terms);
    }
}

pub(crate) fn solve(args: &SolveArgs, interrupt: &Arc<AtomicBool>) -> Result<Code, Failure> {
    let config = solver_config(&args.solver, interrupt)?;
    let files = files(&args.files)?;
    // What one script prints is printed as it comes: who asks may wait for the answer before asking more.
    let single = !args.json && files.len() == 1 && args.files.iter().all(|it| !it.is_dir());
    let _watch = watch_memory(most_memory(args.max_memory), interrupt);
    let mut room = Room::new(&config);
    let mut statistics = Statistics::default();
    let mut solved = Vec::new();
    for file in &files {
        if !args.together && !solved.is_empty() {
            room.statistics(&mut statistics);
            room = Room::new(&config);
        }
        let one = script(args, file, &mut room, interrupt, single)?;
        if !single && !args.json {
            say(&table::line(&one))?;
        }
        // Who sees both streams has read it among the answers.
        if let Some(error) = one.error.as_ref().filter(|_| !(one.told && is_shown())) {
            warn(error);
        }
        if single && one.error.is_none() && one.queries.is_empty() {
            warn(&format!("{}: nothing is asked: there is no (check-sat)", one.name));
        }
        for it in one.queries.iter().filter(|it| it.is_wrong()) {
            warn(&format!("{}:{}: {}, but :status is {}", one.name, it.place, it.answer, expected(it)));
        }
        solved.push(one);
        if interrupt.load(Ordering::Relaxed) {
            break;
        }
    }
    room.statistics(&mut statistics);
    if !args.stats {
        statistics.rules.clear();
    }
    if args.json {
        say_json(&table::json(&solved, &statistics))?;
    } else if !single {
        say(&table::summary(&solved))?;
    }
    if args.stats {
        eprint!("{}{}", table::layers(&statistics), table::rules(&statistics));
    }
    Ok(code(&solved, interrupt.load(Ordering::Relaxed)))
}

fn expected(query: &CheckedQuery) -> Status {
    query.expected.unwrap_or(Status::Unknown)
}

/// A wrong answer is reported before everything else.
fn code(solved: &[ScriptOutcome], interrupted: bool) -> Code {
    let queries = || solved.iter().flat_map(|it| &it.queries);
    if queries().any(CheckedQuery::is_wrong) {
        Code::Found
    } else if solved.iter().any(|it| it.error.is_some()) {
        Code::Input
    } else if interrupted || queries().any(|it| it.answer == Status::Unknown) {
        Code::Cut
    } else {
        Code::Nothing
    }
}

/// The files, and those of the folders, by name.
fn files(given: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut res = Vec::new();
    for path in given {
        if !path.is_dir() {
            res.push(path.clone());
            continue;
        }
        let fail = |error: std::io::Error| Failure(format!("{}: {error}", path.display()));
        let mut inside = Vec::new();
        for entry in std::fs::read_dir(path).map_err(fail)? {
            let file = entry.map_err(fail)?.path();
            if file.extension().is_some_and(|it| it == "smt2") {
                inside.push(file);
            }
        }
        if inside.is_empty() {
            return Err(Failure(format!("{}: no .smt2 file is in this folder", path.display())));
        }
        inside.sort();
        res.append(&mut inside);
    }
    Ok(res)
}

/// Layers build on φ being satisfiable; without them queries are asked as a log has them.
fn posing(layers: LayerSet) -> QueryForm {
    let builds = |it: LayerKind| it != LayerKind::Validate && !it.is_part();
    let bare = LayerKind::ALL.iter().all(|&it| !(builds(it) && layers.has(it)));
    if bare { QueryForm::Logged } else { QueryForm::Grown }
}

/// Carries out one script; what it prints is printed if it is `shown`.
fn script(
    args: &SolveArgs,
    file: &Path,
    room: &mut Room,
    interrupt: &Arc<AtomicBool>,
    shown: bool,
) -> Result<ScriptOutcome, Failure> {
    let budget = QueryBudget { steps: args.solver_steps, time: args.solver_timeout };
    let (stop, most) = (Arc::clone(interrupt), most_memory(args.max_memory));
    let limits = ReadLimits {
        stop: Box::new(move || match resident_memory() {
            Some(taken) if taken > most => Some("the memory limit was reached"),
            _ => stop.load(Ordering::Relaxed).then_some("interrupted"),
        }),
        ..ReadLimits::default()
    };
    let session = ScriptSession::new(&room.terms, &mut *room.solver, budget, posing(args.solver.layers.on));
    let mut script = Script::new(Reader::new(&room.terms, limits), session);
    let name = if file == Path::new("-") { "<stdin>".to_owned() } else { file.display().to_string() };
    // A file that cannot be read is told of like one that is no script: others may follow.
    let unread = |error: std::io::Error, queries: &[CheckedQuery]| {
        Ok(ScriptOutcome {
            error: Some(format!("{name}: {error}")),
            name: name.clone(),
            queries: queries.to_vec(),
            told: false,
        })
    };
    let mut input: Box<dyn Read> = match file == Path::new("-") {
        true => Box::new(std::io::stdin().lock()),
        false => match std::fs::File::open(file) {
            Ok(file) => Box::new(file),
            Err(error) => return unread(error, &[]),
        },
    };
    let mut buffer = vec![0; 1 << 16];
    let mut unsaid = None;
    let mut error: Option<ScriptError> = None;
    loop {
        let count = match input.read(&mut buffer) {
            Ok(count) => count,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(error) => return unread(error, script.session.queries()),
        };
        if count == 0 {
            error = script.finish().err();
            break;
        }
        let mut print = |text: &str| {
            if shown && let Err(failure) = say(text) {
                unsaid = Some(failure);
            }
        };
        match script.feed(&buffer[..count], &mut print) {
            Ok(true) => {}
            Ok(false) => break,
            Err(it) => {
                error = Some(it);
                break;
            }
        }
        if let Some(failure) = unsaid {
            return Err(failure);
        }
    }
    if let (true, Some(error)) = (shown, &error) {
        say(&format!("(error \"{}\")\n", error.to_string().replace('"', "\"\"")))?;
    }
    let queries = script.session.queries().to_vec();
    Ok(ScriptOutcome { told: shown && error.is_some(), error: error.map(|it| format!("{name}:{it}")), name, queries })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_without_the_layers_over_the_backend_queries_are_posed_as_a_log_has_them() {
        let off = LayerKind::ALL.iter().filter(|it| it.help().is_some() && !it.is_part());
        let bare = off.fold(LayerSet::default(), |res, &it| res.without(it));
        assert!(bare.has(LayerKind::Narrowing) && bare.has(LayerKind::Validate));
        assert_eq!(posing(bare), QueryForm::Logged);
        assert_eq!(posing(bare.without(LayerKind::Narrowing)), QueryForm::Logged);
        assert_eq!(posing(bare.with(LayerKind::Witness)), QueryForm::Grown);
        assert_eq!(posing(LayerSet::default()), QueryForm::Grown);
    }
}

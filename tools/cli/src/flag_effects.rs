//! Which flags have an effect on which programs, and which have none beside another flag: what has none is refused.
//!
//! Knows: one table, command × flag × language. Never: what a flag does.
//! To add a flag: its row in [`FLAGS`]. A test goes over all flags of all commands and all languages.

use crate::Failure;
use crate::frontend::{Frontend, Purpose};
use crate::languages::LANGUAGES;
use crate::solver::{serves_many_questions, serves_one_question};
use crate::typed_flags::{is_typed, spelled};
use clap::ArgMatches;
use effigy_solver::LayerKind;

use Purpose::{Bmc, Debug, Feasible, Run, Tree};

/// Flags that have an effect on programs of the same languages.
struct Row {
    /// The ids of the flags in clap.
    flags: &'static [&'static str],
    /// The languages, each with the commands in which they have an effect.
    effects: &'static [(&'static str, &'static [Purpose])],
}

const EVERY: &[Purpose] = &Purpose::ALL;

const ALL_LANGUAGES: &[(&str, &[Purpose])] = &[("llvm", EVERY), ("pli", EVERY), ("oo", EVERY), ("verified", EVERY)];

const FLAGS: &[Row] = &[
    Row {
        flags: &[
            "files",
            "help",
            "concolic",
            "merge",
            "jobs",
            "fleet",
            "campaign",
            "resume",
            "search",
            "seed",
            "max_time",
            "max_memory",
            "max_paths",
            "max_steps",
            "stop_at_first_bug",
            "max_depth",
            "max_path_steps",
            "solver_timeout",
            "solver_steps",
            "out",
            "baseline",
            "update_baseline",
            "ktest",
            "trace",
            "live",
            "json",
            "stats",
            "quiet",
            "smt",
            "solver",
            "query_log",
            "no_rule",
            "unwind",
            "unwindset",
            "k_induction",
            "no_k_induction",
            "encoding",
            "witness",
            "property",
            "dump",
            "show_properties",
            "generations",
            "states",
            "full",
            "svg",
            "html",
            "dot",
            "force",
            "script",
            "format",
            "choose",
            "complete",
        ],
        effects: ALL_LANGUAGES,
    },
    // What is behind `--` is for the compiler.
    Row {
        flags: &[
            "flags",
            "project",
            "target",
            "no_check",
            "buffer",
            "array",
            "string",
            "null",
            "write_harness",
            "args",
            "sym_arg",
            "sym_args",
            "sym_stdin",
            "sym_file",
            "sym_files",
            "exact_sizes",
            "env",
            "unset",
            "sym_env",
            "strict_externals",
            "pure_externals",
            "list_externals",
            "integers",
            "uninitialised",
            "malloc_may_fail",
            "max_fail",
            "max_values",
        ],
        effects: &[("llvm", EVERY)],
    },
    // A session with a PL/I program begins without a call, or with that of --call.
    Row { flags: &["entry"], effects: &[("llvm", EVERY), ("pli", &[Run, Bmc, Tree]), ("verified", EVERY)] },
    Row { flags: &["entries"], effects: &[("llvm", &[Run, Bmc]), ("pli", &[Run, Bmc])] },
    Row { flags: &["call"], effects: &[("pli", EVERY)] },
    Row { flags: &["check"], effects: &[("llvm", EVERY), ("oo", EVERY)] },
    // Tests have them in a file, with every conjunct.
    Row { flags: &["pc"], effects: &[("pli", EVERY), ("oo", EVERY)] },
    Row { flags: &["arrays", "width"], effects: &[("pli", EVERY)] },
    Row { flags: &["model", "errors", "paper_semantics", "updates", "no_por", "explain"], effects: &[("oo", EVERY)] },
    Row {
        flags: &[
            "import_path",
            "no_infer",
            "no_infer_open",
            "no_infer_close",
            "no_infer_use",
            "no_infer_contracts",
            "close_bound",
        ],
        effects: &[("verified", EVERY)],
    },
];

/// Flags that say how tests are written. Languages other than C, C++ and Rust write tests only where --out says so.
const ABOUT_TESTS: &[&str] = &["ktest"];

/// Flags that have no effect unless one of others is typed, too.
const NEEDS: &[(&str, &[&str])] =
    &[("exact_sizes", &["sym_stdin", "sym_file", "sym_files"]), ("force", &["svg", "html", "dot"])];

/// Flags that have no effect beside another.
struct Mode {
    command: Purpose,
    /// The other flag's id in clap.
    flag: &'static str,
    /// The value with which it changes nothing.
    off: &'static str,
    without_effect: &'static [&'static str],
    why: &'static str,
}

const MODES: &[Mode] = &[
    Mode {
        command: Run,
        flag: "concolic",
        off: "",
        without_effect: &[
            "search",
            "seed",
            "max_memory",
            "max_paths",
            "stop_at_first_bug",
            "max_depth",
            "max_values",
            "solver_timeout",
            "solver_steps",
            "pc",
            "live",
            "stats",
            "quiet",
            "explain",
            "smt",
            "solver",
            "query_log",
        ],
        why: "it is one run, and nothing is asked of a solver",
    },
    Mode {
        command: Run,
        flag: "merge",
        off: "never",
        without_effect: &["search", "seed", "pc", "explain"],
        why: "merged paths have no order, and no condition of their own",
    },
    of_a_call(Run, &["entry", "entries"]),
    of_a_call(Bmc, &["entry", "entries"]),
    of_a_call(Tree, &["entry"]),
    Mode {
        command: Tree,
        flag: "generations",
        off: "",
        without_effect: &["max_depth"],
        why: "each input is run to its end",
    },
];

/// `--call` names the procedure itself.
const fn of_a_call(command: Purpose, without_effect: &'static [&'static str]) -> Mode {
    Mode { command, flag: "call", off: "", without_effect, why: "the call says which procedure is called" }
}

/// Whether a walk has this layer of the solver, so that it can be switched off. `--merge` asks as `bmc` does.
fn has_layer(command: Purpose, merged: bool, layer: LayerKind) -> bool {
    match (command, merged) {
        (Bmc, _) | (_, true) => serves_one_question(layer),
        (Run | Tree | Debug | Feasible, false) => serves_many_questions(layer),
    }
}

/// The commands in which a flag has an effect on programs of a language; `None` for a flag that is in no row.
fn commands(flag: &str, language: &str) -> Option<&'static [Purpose]> {
    let row = FLAGS.iter().find(|it| it.flags.contains(&flag))?;
    Some(row.effects.iter().find(|it| it.0 == language).map_or(&[], |it| it.1))
}

/// Refuses what was typed and has no effect.
///
/// # Errors
/// The first such flag, with what it is for.
pub(crate) fn check(command: Purpose, language: &dyn Frontend, matches: &ArgMatches) -> Result<(), Failure> {
    // Groups of flags are no flags.
    let is_flag = |it: &&str| !it.ends_with("Args") && matches.try_get_raw(it).is_ok();
    let ids = matches.ids().map(clap::Id::as_str).filter(is_flag);
    let mut typed: Vec<&str> = ids.filter(|it| is_typed(matches, it)).collect();
    typed.sort_unstable();
    let modes: Vec<&Mode> = MODES.iter().filter(|it| it.command == command && is_on(matches, it)).collect();
    let merged = modes.iter().any(|it| it.flag == "merge");
    let concolic = modes.iter().find(|it| it.flag == "concolic");
    for flag in typed {
        let name = spelled(flag);
        if let Some(layer) = LayerKind::ALL.iter().find(|it| it.flag().0 == flag) {
            if let Some(mode) = concolic {
                return Err(beside(&name, mode));
            }
            if !has_layer(command, merged, *layer) {
                let own = if merged { "--merge" } else { command.name() };
                return Err(Failure(format!("{name} has no effect on `{own}`, which does without this layer anyway")));
            }
            continue;
        }
        if let Some(mode) = modes.iter().find(|it| it.without_effect.contains(&flag)) {
            return Err(beside(&name, mode));
        }
        if commands(flag, language.name()).is_some_and(|it| it.contains(&command)) {
            if ABOUT_TESTS.contains(&flag) && language.name() != "llvm" && !is_typed(matches, "out") {
                let own = language.programs();
                return Err(Failure(format!(
                    "{name} has no effect without --out: for {own} tests are written only there"
                )));
            }
            if let Some((_, others)) = NEEDS.iter().find(|it| it.0 == flag)
                && !others.iter().any(|it| is_typed(matches, it))
            {
                let others: Vec<String> = others.iter().map(|it| spelled(it)).collect();
                return Err(Failure(format!("{name} has no effect without one of {}", others.join(", "))));
            }
            continue;
        }
        let has_effect = |it: &&&dyn Frontend| {
            it.files(command).is_some() && commands(flag, it.name()).is_some_and(|it| it.contains(&command))
        };
        let others: Vec<&str> = LANGUAGES.iter().filter(has_effect).map(|it| it.programs()).collect();
        let (own, command) = (language.programs(), command.name());
        return Err(Failure(match others[..] {
            [] => format!("{name} has no effect on `effigy {command}`"),
            _ => {
                format!("{name} has no effect on {own}; in `effigy {command}` it is for {}", others.join(", and for "))
            }
        }));
    }
    Ok(())
}

/// Refuses the switch of a layer that a command does without, which asks many questions of no walk.
///
/// # Errors
/// The first such flag.
pub(crate) fn check_layers(command: &str, matches: &ArgMatches) -> Result<(), Failure> {
    let matches = matches.subcommand().map_or(matches, |it| it.1);
    let is_idle = |it: &&LayerKind| it.help().is_some() && !serves_many_questions(**it);
    match LayerKind::ALL.iter().filter(is_idle).find(|it| is_typed(matches, it.flag().0)) {
        Some(layer) => {
            let name = spelled(layer.flag().0);
            Err(Failure(format!("{name} has no effect on `{command}`, which does without this layer anyway")))
        }
        None => Ok(()),
    }
}

fn beside(name: &str, mode: &Mode) -> Failure {
    Failure(format!("{name} has no effect beside {}: {}", spelled(mode.flag), mode.why))
}

fn is_on(matches: &ArgMatches, mode: &Mode) -> bool {
    let mut values = matches.try_get_raw(mode.flag).ok().flatten().into_iter().flatten();
    is_typed(matches, mode.flag) && values.any(|it| it != mode.off)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Args;
    use crate::languages::with_options;
    use clap::{ArgAction, CommandFactory};

    /// Values of which each flag takes one.
    const VALUES: &[&str] = &[
        "1", "8", "x", "10s", "main", "a:b", "a=b", "dfs", "never", "always", "short", "route", "values", "bug",
        "machine", "cases", "forward", "report", "stores", "plain", "f.0:2", "ult-zero",
    ];

    /// A command line of `command` with a flag; `None` for what cannot be typed with one of the values.
    fn typed(command: Purpose, arg: &clap::Arg) -> Option<ArgMatches> {
        let start: &[&str] = match command {
            Feasible if arg.get_id() != "trace" => &["effigy", "feasible", "prog", "--trace", "t"],
            _ => &["effigy", command.name(), "prog"],
        };
        let flag = match (arg.get_long(), arg.get_id().as_str()) {
            (Some(long), _) => format!("--{long}"),
            (None, "flags") => "--".to_owned(),
            (None, _) => return None,
        };
        let requires: &[&str] = match arg.get_id().as_str() {
            "campaign" => &["--fleet", "redis://localhost"],
            "full" => &["--states"],
            "write_harness" => &["--entry", "f"],
            "update_baseline" => &["--baseline", "known.json"],
            "ktest" => &["--out", "tests"],
            "force" => &["--svg", "x.svg"],
            "exact_sizes" => &["--sym-stdin", "3"],
            _ => &[],
        };
        let values: Vec<Vec<&str>> = match arg.get_action() {
            ArgAction::Set | ArgAction::Append => {
                let count = arg.get_num_args().map_or(1, |it| it.min_values()).max(1);
                VALUES.iter().map(|it| vec![*it; count]).collect()
            }
            _ => vec![Vec::new()],
        };
        values.iter().find_map(|values| {
            // What stands behind `--` stands last.
            let words = start.iter().chain(requires).copied().chain([&*flag]).chain(values.iter().copied());
            let matches = with_options(Args::command()).try_get_matches_from(words).ok()?;
            matches.subcommand().map(|it| it.1.clone())
        })
    }

    #[test]
    fn each_flag_of_each_command_is_refused_where_it_has_no_effect_on_a_language_and_nowhere_else() {
        let all = with_options(Args::command());
        let mut refused = 0;
        for command in Purpose::ALL {
            let own = all.find_subcommand(command.name()).expect("a command");
            for arg in own.get_arguments().filter(|it| it.get_id() != "help" && it.get_id() != "files") {
                let flag = arg.get_id().as_str();
                let is_layer = LayerKind::ALL.iter().any(|it| it.flag().0 == flag);
                if !is_layer {
                    let rows = FLAGS.iter().filter(|it| it.flags.contains(&flag)).count();
                    assert_eq!(rows, 1, "{flag} of {} has one row in the table", command.name());
                }
                let matches =
                    typed(command, arg).unwrap_or_else(|| panic!("{flag} of {} can be typed", command.name()));
                assert!(is_typed(&matches, flag), "{flag} of {} was typed", command.name());
                for language in LANGUAGES.iter().filter(|it| it.files(command).is_some()) {
                    // A mode takes a value that is not the one with which it is off.
                    let expected = match is_layer {
                        true => LayerKind::ALL.iter().any(|it| it.flag().0 == flag && has_layer(command, false, *it)),
                        false => commands(flag, language.name()).expect("a row").contains(&command),
                    };
                    match check(command, *language, &matches) {
                        Ok(()) => assert!(expected, "{flag} of {} on {}", command.name(), language.name()),
                        Err(failure) => {
                            assert!(!expected, "{failure}");
                            // Without --entry it cannot be typed, which is refused first.
                            let is_named = |it: &str| failure.0.contains(&spelled(it));
                            assert!(is_named(flag) || flag == "write_harness" && is_named("entry"), "{failure}");
                            refused += 1;
                        }
                    }
                }
            }
        }
        assert!(refused > 100, "{refused} cells of the table are empty");
    }

    #[test]
    fn a_flag_of_one_language_only_is_added_by_that_language() {
        let plain = Args::command();
        for command in Purpose::ALL {
            let before = plain.find_subcommand(command.name()).expect("a command");
            for language in LANGUAGES {
                let after = language.options(command, before.clone());
                let is_new = |it: &&clap::Arg| before.get_arguments().all(|other| other.get_id() != it.get_id());
                for arg in after.get_arguments().filter(is_new) {
                    let flag = arg.get_id().as_str();
                    let has = commands(flag, language.name()).expect("a row");
                    assert!(has.contains(&command), "{flag} has an effect on {}", language.name());
                }
            }
        }
    }

    #[test]
    fn each_flag_that_has_no_effect_beside_another_is_refused_there() {
        for mode in MODES {
            let on = match mode.flag {
                "merge" => "always",
                _ => "x=1",
            };
            let all = with_options(Args::command());
            let own = all.find_subcommand(mode.command.name()).expect("a command");
            for flag in mode.without_effect {
                let arg = own.get_arguments().find(|it| it.get_id() == *flag).expect("a flag of the command");
                let name = spelled(flag);
                let refused = VALUES.iter().any(|value| {
                    let mut words = vec!["effigy", mode.command.name(), "prog", &name];
                    if matches!(arg.get_action(), ArgAction::Set | ArgAction::Append) {
                        words.push(value);
                    }
                    let switch = spelled(mode.flag);
                    words.extend([&*switch, on]);
                    let Ok(matches) = all.clone().try_get_matches_from(words) else { return false };
                    let matches = matches.subcommand().expect("a command").1;
                    LANGUAGES.iter().filter(|it| it.files(mode.command).is_some()).all(|language| {
                        // The other flag itself may be refused first: it has no effect on the language.
                        let is_named = |it: Failure| it.0.contains(&name) || it.0.contains(&switch);
                        check(mode.command, *language, matches).is_err_and(is_named)
                    })
                });
                assert!(refused, "{flag} beside {}", mode.flag);
            }
        }
    }
}

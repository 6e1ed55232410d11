//! `-h`: the flags that most calls need, on one screen. `--help` says all.
//!
//! Knows: which flags these are, in few words. Never: what they do.

use std::ffi::OsString;

/// The columns of a screen.
const COLUMNS: usize = 80;

/// A command on one screen.
struct Screen {
    command: &'static str,
    /// What it does, where a list of all commands says it.
    about: &'static str,
    /// Ids in clap, in the order in which the command has them.
    flags: &'static [&'static str],
    example: &'static str,
}

const SCREENS: &[Screen] = &[
    Screen {
        command: "run",
        about: "Explore every path of a program, one by one; write tests",
        flags: &[
            "files",
            "flags",
            "project",
            "target",
            "entry",
            "call",
            "check",
            "resume",
            "jobs",
            "max_time",
            "max_paths",
            "out",
            "json",
            "quiet",
            "sym_arg",
            "sym_stdin",
        ],
        example: "effigy run prog.c",
    },
    Screen {
        command: "bmc",
        about: "Check every path at once: bounded model checking",
        flags: &[
            "files",
            "flags",
            "entry",
            "check",
            "unwind",
            "unwindset",
            "max_time",
            "jobs",
            "out",
            "trace",
            "property",
            "witness",
            "json",
            "quiet",
        ],
        example: "effigy bmc prog.c --unwind 10",
    },
    Screen {
        command: "tree",
        about: "Draw the execution tree (text, SVG, HTML, Graphviz)",
        flags: &["files", "flags", "entry", "call", "max_depth", "states", "svg", "html", "dot", "force", "json"],
        example: "effigy tree power.pli --svg power.svg",
    },
    Screen {
        command: "prove",
        about: "Prove a PL/I program by its ASSERT statements",
        flags: &["file", "entry", "width", "solver_timeout", "json"],
        example: "effigy prove power.pli",
    },
    Screen {
        command: "verify",
        about: "Verify .vpr and .oo programs against their contracts",
        flags: &[
            "files",
            "entry",
            "jobs",
            "timeout",
            "max_time",
            "trace",
            "counterexample",
            "json",
            "sarif",
            "html",
            "quiet",
        ],
        example: "effigy verify --entry insert --trace list.vpr",
    },
    Screen {
        command: "debug",
        about: "Walk the execution tree by hand, in a debugger",
        flags: &["files", "flags", "entry", "call", "script", "json", "sym_arg", "sym_stdin"],
        example: "effigy debug prog.c",
    },
    Screen {
        command: "replay",
        about: "Run the tests of a run natively, with sanitizers",
        flags: &["what", "timeout", "jobs", "isolate", "json", "quiet"],
        example: "effigy replay effigy-out/tests/test000003.json",
    },
    Screen {
        command: "feasible",
        about: "Decide whether some input follows an error trace",
        flags: &["files", "flags", "entry", "trace", "format", "choose", "complete", "out", "max_time", "json"],
        example: "effigy feasible prog.c --trace report.sarif",
    },
    Screen {
        command: "fuzz",
        about: "Run a program natively on generated inputs",
        flags: &[
            "files", "flags", "stdin", "file_arg", "entry", "seeds", "max_time", "timeout", "output", "sync", "jobs",
            "json", "quiet",
        ],
        example: "effigy fuzz target.c --seeds corpus --max-time 10min",
    },
    Screen {
        command: "cargo",
        about: "Run the harnesses of a cargo package on all inputs",
        flags: &[
            "harness",
            "list",
            "jobs",
            "max_time",
            "replay",
            "write_tests",
            "json",
            "quiet",
            "package",
            "features",
        ],
        example: "effigy cargo -p parser --harness round_trip",
    },
    Screen {
        command: "cc",
        about: "Compile as clang does; note what a program is made of",
        flags: &["arguments"],
        example: "effigy cc -c main.c",
    },
    Screen {
        command: "bugs",
        about: "List the classes of bugs that are looked for",
        flags: &["json"],
        example: "effigy bugs",
    },
    Screen {
        command: "solve",
        about: "Answer the queries of SMT-LIB 2 scripts",
        flags: &["files", "solver_timeout", "solver_steps", "together", "json", "stats"],
        example: "effigy solve query.smt2",
    },
    Screen {
        command: "completions",
        about: "Print a completion script for a shell",
        flags: &["shell"],
        example: "effigy completions bash > effigy.bash",
    },
];

/// Flags in few words, where the words of `--help` do not fit.
const BRIEF: &[(&str, &str)] = &[
    ("flags", "Flags for the compiler"),
    ("project", "A build's compile_commands.json, or a folder with one"),
    ("target", "The program of --project"),
    ("entry", "Start at this function, procedure or member"),
    ("call", "The call to execute (PL/I): 'P(A, \"X\")'"),
    ("check", "Look only for this class of bugs (see `effigy bugs`)"),
    ("resume", "Resume the run of this output folder"),
    ("jobs", "Number of workers"),
    ("max_time", "Stop after this time (30s, 5min, 1h)"),
    ("max_paths", "Stop after N paths"),
    ("max_depth", "Cut a path after N forks"),
    ("out", "Write to this folder, not to a new effigy-out-N"),
    ("output", "The folder of the campaign"),
    ("json", "Print one JSON object"),
    ("quiet", "Print less: only what was found"),
    ("sym_arg", "A symbolic argument of at most LEN bytes (C)"),
    ("sym_stdin", "Standard input is any text of at most N bytes (C)"),
    ("unwind", "Unwind each loop K times"),
    ("unwindset", "Bounds of single loops: main.0:5,fib:8"),
    ("trace", "Print the steps into each bug or error"),
    ("property", "Check the property of this SV-COMP file"),
    ("witness", "Write a verification witness 2.0 (YAML)"),
    ("states", "Draw states instead of statements"),
    ("width", "Machine integers of BITS bits"),
    ("solver_timeout", "Time limit for one query"),
    ("solver_steps", "Step limit for one query"),
    ("timeout", "Time limit for one member, test or run"),
    ("counterexample", "Ask the solver for a counterexample"),
    ("sarif", "Write SARIF 2.1.0"),
    ("script", "Read the commands from this file"),
    ("isolate", "Start a process for each test"),
    ("complete", "The trace lists the outcome of every condition"),
    ("format", "sarif, witness or plain"),
    ("choose", "Number of the trace, if the file has several"),
    ("sync", "Read the queues of other fuzzers in this folder"),
    ("seeds", "Start with these inputs"),
    ("together", "One solver for all files"),
    ("stats", "Print what each layer answered"),
];

/// Whether a command line asks for the short help: what stands behind `--` is for the compiler.
pub(crate) fn is_asked_for(words: &[OsString]) -> bool {
    words.iter().take_while(|it| *it != "--").any(|it| it == "-h")
}

/// The commands as `-h` shows them. They take the same arguments.
pub(crate) fn shortened(command: clap::Command) -> clap::Command {
    let all = "`effigy COMMAND -h`: its flags in short; `effigy --help`: examples, exit codes";
    let command = command.term_width(COLUMNS).after_help(all);
    command.mut_subcommands(|it| {
        let name = it.get_name().to_owned();
        let Some(screen) = SCREENS.iter().find(|it| it.command == name) else { return it };
        let brief = |arg: clap::Arg| {
            let id = arg.get_id().as_str();
            let is_shown = screen.flags.contains(&id);
            let words = match (screen.command, id) {
                ("feasible", "trace") => Some("The trace; `-` is standard input"),
                _ => BRIEF.iter().find(|it| it.0 == id).map(|it| it.1),
            };
            let arg = arg.hide(!is_shown).help_heading(None::<&'static str>);
            // A default that fits is in the words.
            let has_value = arg.get_action().takes_values();
            match words {
                Some(words) => arg.help(words).hide_default_value(has_value),
                None => arg,
            }
        };
        let after = format!("Example: {}\n`effigy {name} --help` has all flags and more examples", screen.example);
        let it = it.mut_args(brief).about(screen.about).after_help(after);
        match screen.command {
            // With the flags of the compiler it is too long.
            "feasible" => it.override_usage("effigy feasible [OPTIONS] --trace <FILE> <FILE>..."),
            _ => it,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Args;
    use crate::languages::with_options;
    use clap::CommandFactory;

    /// The lines of a screen.
    const LINES: usize = 30;

    fn help(words: &[&str]) -> String {
        let command = shortened(with_options(Args::command()));
        let words = std::iter::once("effigy").chain(words.iter().copied()).chain(["-h"]);
        command.try_get_matches_from(words).expect_err("help is no command").render().to_string()
    }

    #[test]
    fn each_command_fits_on_a_screen() {
        let full = with_options(Args::command());
        let names = full.get_subcommands().map(clap::Command::get_name).filter(|it| *it != "man");
        for words in names.map(|it| vec![it]).chain([Vec::new()]) {
            let text = help(&words);
            assert!(text.lines().count() <= LINES, "{} lines:\n{text}", text.lines().count());
            let longest = text.lines().map(|it| it.chars().count()).max().unwrap_or(0);
            assert!(longest <= COLUMNS, "{longest} columns:\n{text}");
            let own = words.first().map_or("effigy --help".to_owned(), |it| format!("effigy {it} --help"));
            assert!(text.contains(&own), "{text}");
        }
    }

    #[test]
    fn each_command_has_a_screen_and_each_screen_names_flags_of_its_command() {
        let full = with_options(Args::command());
        for command in full.get_subcommands().filter(|it| it.get_name() != "man") {
            let screen = SCREENS.iter().find(|it| it.command == command.get_name()).expect("a screen");
            for flag in screen.flags {
                assert!(command.get_arguments().any(|it| it.get_id() == *flag), "{flag} of {}", screen.command);
            }
            assert!(screen.example.starts_with(&format!("effigy {}", screen.command)));
        }
    }

    #[test]
    fn only_a_word_of_our_own_asks_for_it() {
        let words = |it: &str| it.split(' ').map(OsString::from).collect::<Vec<_>>();
        assert!(is_asked_for(&words("effigy run -h")));
        assert!(!is_asked_for(&words("effigy run --help")));
        assert!(!is_asked_for(&words("effigy run a.c -- -h")));
    }
}

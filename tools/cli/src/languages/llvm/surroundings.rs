//! The flags that say what a program is started with: arguments, standard input, files, the environment.
//!
//! Knows: names and help of these flags, in which order arguments were given. Never: what a program does with them.
//! Source of names: the POSIX runtime of KLEE.

use crate::Failure;
use clap::{ArgMatches, Args};
use effigy_llvm::surroundings::{Argument, File, Surroundings, Value, Variable};

/// No argument is longer, and there are no more of them.
const MOST_ARGUMENTS: u64 = 4096;

/// No input is larger: 1 MiB.
const MOST_BYTES: u64 = 1 << 20;

/// The flags that KLEE's runtime writes with one dash, or under two names, with the same meaning.
pub(in crate::languages) fn respelled(word: &str) -> Option<&'static str> {
    match word {
        "-sym-arg" => Some("--sym-arg"),
        "-sym-args" => Some("--sym-args"),
        "-sym-stdin" => Some("--sym-stdin"),
        "-sym-files" => Some("--sym-files"),
        _ => None,
    }
}

/// What a program is started with.
#[derive(Debug, Args)]
pub(super) struct SurroundingsArgs {
    /// An argument for main (repeatable; arguments stand in the order given)
    #[arg(long = "arg", value_name = "TEXT", allow_hyphen_values = true)]
    args: Vec<String>,
    /// A symbolic argument for main, of at most LEN bytes (repeatable)
    #[arg(long = "sym-arg", value_name = "LEN", value_parser = clap::value_parser!(u64).range(0..=MOST_ARGUMENTS))]
    sym_arg: Vec<u64>,
    /// Between MIN and MAX symbolic arguments, of at most LEN bytes each (repeatable)
    #[arg(long = "sym-args", num_args = 3, value_names = ["MIN", "MAX", "LEN"], value_parser = clap::value_parser!(u64).range(0..=MOST_ARGUMENTS))]
    sym_args: Vec<u64>,
    /// Standard input is any text of at most N bytes [default: 16, and the run is reported as incomplete]
    #[arg(long = "sym-stdin", value_name = "N", value_parser = clap::value_parser!(u64).range(0..=MOST_BYTES))]
    sym_stdin: Option<u64>,
    /// A file NAME with any content of at most N bytes, below the directory in which the program runs (repeatable; no other
    /// file exists then)
    #[arg(long = "sym-file", num_args = 2, value_names = ["NAME", "N"])]
    sym_file: Vec<String>,
    /// COUNT files, called A, B, C and so on, with any content of at most N bytes each
    #[arg(long = "sym-files", num_args = 2, value_names = ["COUNT", "N"], value_parser = clap::value_parser!(u64).range(0..=MOST_BYTES))]
    sym_files: Vec<u64>,
    /// Standard input and files have exactly as many bytes as --sym-stdin and --sym-file say, as in KLEE
    #[arg(long)]
    exact_sizes: bool,
    /// An environment variable (repeatable)
    #[arg(long, value_name = "NAME=VALUE")]
    env: Vec<String>,
    /// An environment variable that is not set (repeatable)
    #[arg(long, value_name = "NAME")]
    unset: Vec<String>,
    /// An environment variable with any value of at most N bytes (repeatable)
    #[arg(long = "sym-env", num_args = 2, value_names = ["NAME", "N"])]
    sym_env: Vec<String>,
}

impl SurroundingsArgs {
    /// What they say; `matches` knows where each stood.
    pub(super) fn surroundings(self, matches: &ArgMatches) -> Result<Surroundings, Failure> {
        let places = |id: &str| matches.indices_of(id).map(Iterator::collect::<Vec<_>>).unwrap_or_default();
        let mut arguments: Vec<(usize, Argument)> = Vec::new();
        arguments.extend(places("args").into_iter().zip(self.args.into_iter().map(Argument::Text)));
        arguments.extend(places("sym_arg").into_iter().zip(self.sym_arg.into_iter().map(Argument::Symbolic)));
        for (place, group) in places("sym_args").chunks(3).zip(self.sym_args.chunks(3)) {
            let &[least, most, length] = group else { continue };
            if least > most {
                return Err(Failure(format!("--sym-args {least} {most} {length}: {least} is more than {most}")));
            }
            arguments.push((place[0], Argument::Several { least, most, length }));
        }
        arguments.sort_by_key(|it| it.0);
        let mut files: Vec<File> = Vec::new();
        for pair in self.sym_file.chunks(2) {
            let file = File { name: file_name(&pair[0])?, size: number("--sym-file", pair)? };
            if files.iter().any(|it| it.name == file.name) {
                return Err(Failure(format!("--sym-file {}: this file was named already", file.name)));
            }
            files.push(file);
        }
        if let &[count, size] = &self.sym_files[..] {
            if count > 26 {
                return Err(Failure(format!("--sym-files {count} {size}: at most 26 files were expected")));
            }
            let named = |at: u64| File { name: char::from(b'A' + at as u8).to_string(), size };
            files.extend((0..count).map(named).filter(|it| !self.sym_file.contains(&it.name)).collect::<Vec<_>>());
        }
        let mut variables = Vec::new();
        for text in self.env {
            let Some((name, value)) = text.split_once('=').filter(|it| !it.0.is_empty()) else {
                return Err(Failure(format!("--env {text}: NAME=VALUE was expected")));
            };
            variables.push(Variable { name: name.to_owned(), value: Value::Text(value.to_owned()) });
        }
        for name in self.unset {
            if name.is_empty() || name.contains('=') {
                return Err(Failure(format!("--unset {name}: this is no name of a variable")));
            }
            variables.push(Variable { name, value: Value::Unset });
        }
        for pair in self.sym_env.chunks(2) {
            if pair[0].is_empty() || pair[0].contains('=') {
                return Err(Failure(format!("--sym-env {}: this is no name of a variable", pair[0])));
            }
            variables.push(Variable { name: pair[0].clone(), value: Value::Symbolic(number("--sym-env", pair)?) });
        }
        let arguments = arguments.into_iter().map(|it| it.1).collect();
        Ok(Surroundings { arguments, stdin: self.sym_stdin, files, variables, exact: self.exact_sizes })
    }
}

fn number(flag: &str, pair: &[String]) -> Result<u64, Failure> {
    let wrong = || Failure(format!("{flag} {} {}: a number of at most {MOST_BYTES} was expected", pair[0], pair[1]));
    pair[1].parse().ok().filter(|it| *it <= MOST_BYTES).ok_or_else(wrong)
}

/// A name below the directory where the program runs: a native run makes the file there, and nowhere else.
fn file_name(name: &str) -> Result<String, Failure> {
    let own = name.strip_prefix("./").unwrap_or(name);
    let wrong = own.split('/').any(|it| matches!(it, "" | "." | ".."));
    match wrong {
        true => Err(Failure(format!("--sym-file {name}: a name below the directory of the program was expected"))),
        false => Ok(own.to_owned()),
    }
}

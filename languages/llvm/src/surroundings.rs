//! What a program is given by whoever starts it: arguments, standard input, files, variables of the environment.
//!
//! Knows: which of it is known and which is an input, and what those inputs are called; so a test says what a native run
//! is started with. Never: how the program gets at it (`libc/files`, `libc/streams`), how it is started natively.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Standard input has so many bytes at most where nobody says how many.
pub const ASSUMED_STDIN: u64 = 16;

/// What a program is given.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Surroundings {
    /// The arguments of `main`, without the program's name.
    pub arguments: Vec<Argument>,
    /// The bytes of standard input; nobody has said how many where absent.
    pub stdin: Option<u64>,
    /// The files.
    pub files: Vec<File>,
    /// Variables of the environment; of others nothing is known.
    pub variables: Vec<Variable>,
    /// Standard input and files have as many bytes as is said, and not fewer.
    pub exact: bool,
}

/// Arguments of `main`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Argument {
    /// This one.
    Text(String),
    /// One of at most so many bytes.
    Symbolic(u64),
    /// Some.
    Several {
        /// At least so many.
        least: u64,
        /// At most so many.
        most: u64,
        /// The bytes of each, at most.
        length: u64,
    },
}

/// A file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct File {
    /// Its name, below the directory in which the program runs.
    pub name: String,
    /// Its bytes, at most.
    pub size: u64,
}

/// A variable of the environment.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: Value,
}

/// The value of a variable.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Value {
    /// This one.
    Text(String),
    /// One of at most so many bytes.
    Symbolic(u64),
    /// None: it is not set.
    Unset,
}

/// What a native run is started with.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Given {
    /// The arguments of `main`, without the program's name.
    pub arguments: Vec<Vec<u8>>,
    /// Standard input.
    pub stdin: Vec<u8>,
    /// Its size is declared: it is a file.
    pub stdin_is_file: bool,
    /// The files: names and contents.
    pub files: Vec<(String, Vec<u8>)>,
    /// Variables of the environment.
    pub variables: Vec<(String, Vec<u8>)>,
    /// Variables of the environment that are not set.
    pub unset: Vec<String>,
}

/// The input that says how many arguments there are.
pub(crate) const COUNT: &str = "n_args";

/// The input that standard input is.
pub(crate) const STDIN: &str = "stdin";

/// The input that the argument at this place of `argv` is.
pub(crate) fn argument_name(place: usize) -> String {
    format!("arg{place}")
}

/// The input that a file is. Its name tells it apart from the other inputs here.
pub(crate) fn file_name(name: &str) -> String {
    format!("./{name}")
}

/// The input that a variable of the environment is.
pub(crate) fn variable_name(name: &str) -> String {
    format!("${name}")
}

/// The input that says how long another is.
pub(crate) fn size_name(name: &str) -> String {
    format!("{name}_size")
}

/// The input that says how many of the arguments of the `index`th group there are.
pub(crate) fn count_name(index: usize) -> String {
    if index == 0 { COUNT.to_owned() } else { format!("{COUNT}#{}", index + 1) }
}

impl Surroundings {
    /// What a native run is started with, by the inputs of a test; those are taken out, the others the program asks for.
    pub fn given(&self, inputs: &mut BTreeMap<String, Vec<u8>>) -> Given {
        let mut given = Given::default();
        let mut groups = 0;
        for argument in &self.arguments {
            let count = match argument {
                Argument::Text(text) => {
                    given.arguments.push(text.clone().into_bytes());
                    continue;
                }
                Argument::Symbolic(_) => 1,
                Argument::Several { least, .. } => {
                    let count = inputs.remove(&count_name(groups)).map(|it| number(&it));
                    groups += 1;
                    count.unwrap_or(*least)
                }
            };
            for _ in 0..count {
                let text = inputs.remove(&argument_name(given.arguments.len() + 1)).unwrap_or_default();
                given.arguments.push(until_zero(text));
            }
        }
        given.stdin_is_file = self.stdin.is_some();
        given.stdin = inputs.remove(STDIN).unwrap_or_default();
        for file in &self.files {
            given.files.push((file.name.clone(), inputs.remove(&file_name(&file.name)).unwrap_or_default()));
        }
        for variable in &self.variables {
            let value = match &variable.value {
                Value::Text(text) => text.clone().into_bytes(),
                Value::Symbolic(_) => until_zero(inputs.remove(&variable_name(&variable.name)).unwrap_or_default()),
                Value::Unset => {
                    given.unset.push(variable.name.clone());
                    continue;
                }
            };
            given.variables.push((variable.name.clone(), value));
        }
        given
    }
}

fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |sum, &byte| sum << 8 | u64::from(byte))
}

fn until_zero(mut text: Vec<u8>) -> Vec<u8> {
    let end = text.iter().position(|&it| it == 0).unwrap_or(text.len());
    text.truncate(end);
    text
}

//! A test: its inputs, its limits, and the report that a person reads.
//!
//! Knows: what `cargo test` shows. Never: how paths are walked.

use crate::spec;
use crate::symbolic::{Expression, Symbolic, set_bound};
use effigy_session::{Account, Failure, Limits, RunEnd, Session, explore_confirmed, place_text};
use std::cell::RefCell;
use std::fmt;

/// How a test is run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// What the exploration of a test may cost.
    pub limits: Limits,
    /// The most elements of lists and texts that are made up.
    pub bound: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options { limits: Limits::default(), bound: 3 }
    }
}

/// A failure of a test, with inputs that show it.
#[derive(Clone, Debug)]
pub struct Counterexample {
    /// What fails, where, with which symbols.
    pub failure: Failure,
    /// The inputs of the test as they are written in a program.
    pub inputs: Vec<(String, String)>,
    /// A plain test that fails in the same way.
    pub test: String,
}

/// What came of a test.
#[derive(Clone, Debug)]
pub struct Report {
    /// The name of the test.
    pub name: String,
    /// The counts and the verdict of the exploration.
    pub account: Account,
    /// Counterexamples, the first at each place.
    pub counterexamples: Vec<Counterexample>,
    /// The verification conditions that were checked, as the paper writes them.
    pub conditions: Vec<String>,
}

thread_local! {
    /// The inputs of the run in progress.
    static INPUTS: RefCell<Vec<(String, Expression)>> = const { RefCell::new(Vec::new()) };
}

/// An input of the test: any value of its type.
pub fn input<T: Symbolic>(name: &str) -> T {
    let value = T::symbolic(name);
    let expression = value.expression();
    INPUTS.with_borrow_mut(|it| it.push((name.to_owned(), expression)));
    value
}

/// A run begins, which has asked for no input yet.
pub(crate) fn begin() {
    INPUTS.take();
}

/// Runs a closure on each of its paths. Its inputs are [`input`]s.
pub fn verify(name: &str, options: &Options, is_async: bool, mut body: impl FnMut()) -> Report {
    let mut counterexamples = Vec::new();
    let mut run = || {
        begin();
        body();
    };
    let mut look = |end: &RunEnd<'_>| {
        let Some(failure) = end.failure else { return };
        let written = INPUTS.take().into_iter();
        let inputs: Vec<(String, String)> =
            written.map(|(name, it)| (name, it.text(end.terms, &failure.model))).collect();
        let test = plain_test(name, &inputs, counterexamples.len() + 1, is_async);
        counterexamples.push(Counterexample { failure: failure.clone(), inputs, test });
    };
    let before = set_bound(options.bound);
    spec::concluded();
    let account = explore_confirmed(&options.limits, &mut run, &mut look);
    set_bound(before);
    // A counterexample that its own values do not confirm is none.
    counterexamples.truncate(account.failures.len());
    Report { name: name.to_owned(), account, counterexamples, conditions: spec::concluded() }
}

/// The test with these inputs, which runs without a session.
fn plain_test(name: &str, inputs: &[(String, String)], number: usize, is_async: bool) -> String {
    let arguments: Vec<&str> = inputs.iter().map(|it| it.1.as_str()).collect();
    let call = format!("{name}::on({})", arguments.join(", "));
    let call = if is_async { format!("effigy::block_on({call})") } else { call };
    format!("#[test]\nfn {name}_fails_{number}() {{\n    {call};\n}}\n")
}

impl Report {
    /// Writes each counterexample as a plain test, to a file of its own in this folder. (`EFFIGY_TESTS=folder cargo
    /// test` does; the files are for the module that the test is in.)
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn write_tests(&self, folder: &std::path::Path) -> std::io::Result<()> {
        if self.counterexamples.is_empty() {
            return Ok(());
        }
        std::fs::create_dir_all(folder)?;
        for (at, it) in self.counterexamples.iter().enumerate() {
            std::fs::write(folder.join(format!("{}_fails_{}.rs", self.name, at + 1)), &it.test)?;
        }
        Ok(())
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}: {}", self.name, self.account.verdict())?;
        for it in &self.counterexamples {
            let failure = &it.failure;
            match &failure.place {
                Some(place) => writeln!(f, "{}: {}", place_text(place), failure.message)?,
                None => writeln!(f, "{}", failure.message)?,
            }
            for (name, value) in &it.inputs {
                writeln!(f, "  let {name} = {value};")?;
            }
            // Symbols that are no input: variables of quantifiers, what the test made up.
            let own = |name: &str| {
                let of = |input: &String| {
                    name == input || name.strip_prefix(input.as_str()).is_some_and(|it| it.starts_with(['.', '[']))
                };
                it.inputs.iter().any(|it| of(&it.0))
            };
            for value in failure.values.iter().filter(|it| !own(&it.name)) {
                writeln!(f, "  {value}")?;
            }
            failure.notes.iter().try_for_each(|it| writeln!(f, "  note: {it}"))?;
            writeln!(f, "as a plain test:\n{}", it.test)?;
        }
        if !self.conditions.is_empty() {
            writeln!(f, "what was checked:")?;
            let most = 8;
            self.conditions.iter().take(most).try_for_each(|it| writeln!(f, "  {it}"))?;
            if self.conditions.len() > most {
                writeln!(f, "  and {} more", self.conditions.len() - most)?;
            }
        }
        for (why, count) in &self.account.unconfirmed {
            writeln!(f, "not run again with values ({count} times): {why}")?;
        }
        let paths = &self.account.paths;
        write!(f, "{} paths, {} questions", paths.total(), self.account.questions)
    }
}

/// Only inputs matter of which this holds.
#[track_caller]
pub fn assume(cond: impl crate::sym::Operand<bool>) {
    let cond = cond.sym();
    match (cond.as_plain(), Session::try_current()) {
        (Some(true), _) => {}
        (_, Some(session)) => session.assume(cond.term(&session)),
        // A plain test is of inputs that satisfy what is assumed.
        (_, None) => panic!("what is assumed does not hold"),
    }
}

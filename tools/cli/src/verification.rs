//! What is verified (`.vpr`, `.oo`), walked by hand and drawn: how `debug` and `tree` come by it.
//!
//! Knows: files, names of members. Never: what a statement means.

use crate::Failure;
use crate::args::{InferenceArgs, LibraryArgs};
use crate::verify::inference;
use crate::verify::read;
use effigy_report::bugs::Style;
use effigy_report::failures::{self, Sources};
use effigy_report::verify::head;
use effigy_solver::prover::ProverConfig;
use effigy_verify::{Config, Detail, Member, Program, SourceText, Span, Verifier, members};
use effigy_walk::Search;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A member of a program with its source.
pub(crate) struct Verification {
    program: Program,
    sources: Sources,
    member: Member,
    config: Config,
    detail: Detail,
}

impl Verification {
    /// Reads the one file and finds the member that the user means.
    pub(crate) fn load(files: &[PathBuf], name: Option<&str>, how: &How<'_>) -> Result<Verification, Failure> {
        let [file] = files else { return Err(Failure("one .vpr or .oo file was expected".to_owned())) };
        let input = read::read(file, &how.library.import_path);
        let sources = input.report.sources;
        let Some(program) = input.program else {
            let problems = input.report.problems.iter().map(|it| match it.span {
                Some(span) => {
                    let excerpt = failures::excerpt(&sources, span, Style::default());
                    format!("{}: {}\n{}", sources.place(span), it.message, excerpt.trim_end())
                }
                None => it.message.clone(),
            });
            return Err(Failure(problems.collect::<Vec<_>>().join("\n")));
        };
        let member = member(file, &program, name)?;
        let config = Config {
            prover: ProverConfig {
                smt: how.smt.to_owned(),
                steps: 40_000_000,
                local: true,
                interrupt: Arc::clone(how.interrupt),
            },
            errors: 1,
            steps: 10_000_000,
            time: None,
            trace: false,
            counterexample: false,
            inference: inference(how.inference, input.language),
            // Who looks at paths wants to see each of them.
            merge_after: None,
            search: Search::Dfs,
            seed: 1,
        };
        Ok(Verification { program, sources, member, config, detail: how.detail })
    }

    /// The name of the member.
    pub(crate) fn name(&self) -> Arc<str> {
        head(&self.program, self.member).1
    }

    /// The files that it was read from.
    pub(crate) fn files(&self) -> Vec<String> {
        self.sources.0.iter().map(|it| it.name.to_string()).collect()
    }

    /// Its verification, to be walked.
    pub(crate) fn verifier(&self) -> Verifier<'_> {
        Verifier::new(&self.program, self.member, self.config.clone(), self, self.detail)
    }
}

/// The flags that decide how the member is verified.
pub(crate) struct How<'a> {
    pub(crate) smt: &'a str,
    pub(crate) inference: &'a InferenceArgs,
    pub(crate) library: &'a LibraryArgs,
    pub(crate) interrupt: &'a Arc<AtomicBool>,
    pub(crate) detail: Detail,
}

/// The member of this name, `setX` or `Cell.setX`; without a name the only method.
fn member(file: &Path, program: &Program, name: Option<&str>) -> Result<Member, Failure> {
    let all = members(program);
    let called = |it: &Member| head(program, *it).1;
    let named = |wanted: &str, it: &Member| {
        let name = called(it);
        &*name == wanted || name.strip_suffix(wanted).is_some_and(|it| it.ends_with('.'))
    };
    let found: Vec<Member> = match name {
        Some(name) => match all.iter().find(|it| &*called(it) == name) {
            Some(it) => vec![*it],
            None => all.iter().copied().filter(|it| named(name, it)).collect(),
        },
        None => all.iter().copied().filter(|it| matches!(it, Member::Method(_))).collect(),
    };
    if let [only] = found[..] {
        return Ok(only);
    }
    let shown = if found.is_empty() { &all } else { &found };
    let names: Vec<Arc<str>> = shown.iter().take(20).map(called).collect();
    let dots = if shown.len() > 20 { ", …" } else { "" };
    let file = file.display();
    Err(Failure(match (name, found.is_empty()) {
        (Some(name), true) => format!("{file}: there is no member {name}; there are {}{dots}", names.join(", ")),
        (_, true) => format!("{file}: there is no method; --entry also takes {}{dots}", names.join(", ")),
        (_, false) => format!("{file}: --entry must name one of {}{dots}", names.join(", ")),
    }))
}

impl SourceText for Verification {
    fn line(&self, span: Span) -> Option<String> {
        let line = self.sources.of(span)?.line(span.line)?;
        Some(line.split_whitespace().collect::<Vec<_>>().join(" "))
    }

    fn quote(&self, span: Span) -> Option<String> {
        self.sources.quote(span)
    }

    fn message(&self, failure: &effigy_verify::Failure) -> String {
        failures::message(failure, &self.name(), &self.sources)
    }
}

//! Verdicts of earlier runs, by content.
//!
//! Knows: where they are kept, and when one may be used. Never: how a verdict comes about.
//!
//! A file holds the verdicts of one program. Its name is a hash of all that a verdict depends on (the texts with their
//! names, the configuration, the build of effigy, the version of the external solver), and all of that stands in it again and is compared: a hash that
//! coincides, a file of another build or one that is damaged is no verdict. Nothing here ever fails a run.

use crate::build_identity::build_identity;
use effigy_report::checksum;
use effigy_report::failures::{Sources, error_by_id, reason_by_id};
use effigy_verify::{Config, Effort, Failure, Member, MemberOutcome, Span, Verdict};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;
use std::sync::Arc;

/// The format of the files.
const FORMAT: u32 = 3;

/// The verdicts of one program.
pub(crate) struct Cache {
    path: Option<PathBuf>,
    key: Key,
    entries: BTreeMap<u32, Entry>,
    changed: bool,
}

/// What a verdict depends on.
#[derive(Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
struct Key {
    format: u32,
    build: String,
    /// What the external solver says of itself: another version may decide otherwise, under the same command.
    solver: String,
    config: String,
    texts: Vec<(String, String)>,
}

#[derive(Serialize, Deserialize)]
struct CacheFile {
    key: Key,
    entries: BTreeMap<u32, Entry>,
}

impl CacheFile {
    /// One line of JSON with its checksum: a digit that changes would give a verdict to another member.
    fn sealed(&self) -> Result<Vec<u8>, serde_json::Error> {
        let mut res = serde_json::to_vec(self)?;
        checksum::seal_line(&mut res, 0);
        Ok(res)
    }

    fn read(bytes: &[u8]) -> Option<CacheFile> {
        let own = checksum::unsealed_line(bytes).filter(|it| it.len() < bytes.len())?;
        serde_json::from_slice(own).ok()
    }
}

#[derive(Clone, PartialEq, Serialize, Deserialize)]
struct Entry {
    steps: u64,
    paths: u64,
    queries: u64,
    checks: u64,
    verdict: StoredVerdict,
}

/// Spelt out: that failures are missing must not read as a proof.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
enum StoredVerdict {
    Verified,
    Failed(Vec<StoredFailure>),
}

#[derive(Clone, PartialEq, Serialize, Deserialize)]
struct StoredFailure {
    error: String,
    reason: String,
    span: [u32; 5],
    culprit: [u32; 5],
    branches: Vec<([u32; 5], bool)>,
    counterexample: Vec<(String, String)>,
}

/// All of a configuration that may change a verdict.
fn config_text(config: &Config) -> String {
    let Config { prover, errors, steps, time, trace: _, counterexample, inference, merge_after, search, seed } = config;
    let order = format!("{merge_after:?} {search:?} {seed}");
    let (smt, local, query) = (&prover.smt, prover.local, prover.steps);
    format!("{smt:?} {local} {query} {errors} {steps} {time:?} {counterexample} {inference:?} {order}")
}

impl Cache {
    /// No cache: it knows nothing and keeps nothing.
    pub(crate) fn none() -> Cache {
        let (build, solver, config) = (String::new(), String::new(), String::new());
        let key = Key { format: FORMAT, build, solver, config, texts: Vec::new() };
        Cache { path: None, key, entries: BTreeMap::new(), changed: false }
    }

    /// What earlier runs left in `folder` for this program. `solver` is the version of the external solver.
    pub(crate) fn open(folder: PathBuf, sources: &Sources, config: &Config, solver: &str) -> Cache {
        // States on the way to an error are not kept.
        if config.trace {
            return Cache::none();
        }
        let Ok(build) = build_identity() else { return Cache::none() };
        let (build, solver) = (build.to_owned(), solver.to_owned());
        let texts = sources.0.iter().map(|it| (it.name.to_string(), it.text.to_string())).collect();
        let key = Key { format: FORMAT, build, solver, config: config_text(config), texts };
        let hash = |seed: u64| {
            let mut hasher = DefaultHasher::new();
            (seed, &key).hash(&mut hasher);
            hasher.finish()
        };
        let path = folder.join(format!("{:016x}{:016x}.json", hash(1), hash(2)));
        let stored = std::fs::read(&path).ok().and_then(|it| CacheFile::read(&it));
        let entries = stored.filter(|it| it.key == key).map(|it| it.entries).unwrap_or_default();
        Cache { path: Some(path), key, entries, changed: false }
    }

    /// The outcome of the member of this number, if it is known.
    pub(crate) fn get(&self, number: usize, member: Member) -> Option<MemberOutcome> {
        let entry = self.entries.get(&u32::try_from(number).ok()?)?;
        let verdict = match &entry.verdict {
            StoredVerdict::Verified => Verdict::Verified,
            StoredVerdict::Failed(stored) if stored.is_empty() => return None,
            StoredVerdict::Failed(stored) => {
                Verdict::Failed(stored.iter().map(StoredFailure::failure).collect::<Option<Vec<Failure>>>()?)
            }
        };
        let effort = Effort { steps: entry.steps, paths: entry.paths, queries: entry.queries, checks: entry.checks };
        Some(MemberOutcome { member, verdict, effort })
    }

    /// Caches an outcome, if it does not depend on the clock or the machine.
    pub(crate) fn put(&mut self, number: usize, outcome: &MemberOutcome) {
        let verdict = match &outcome.verdict {
            Verdict::Verified => StoredVerdict::Verified,
            // Where the solver gave up, another day it may not.
            Verdict::Failed(it) if !it.is_empty() && it.iter().all(|it| it.undecided.is_none()) => {
                StoredVerdict::Failed(it.iter().map(StoredFailure::new).collect())
            }
            Verdict::Failed(_) | Verdict::Undecided(_) | Verdict::Unsupported(..) => return,
        };
        let Ok(number) = u32::try_from(number) else { return };
        let Effort { steps, paths, queries, checks } = outcome.effort;
        self.entries.insert(number, Entry { steps, paths, queries, checks, verdict });
        self.changed = true;
    }

    /// Writes what is new: whole or not at all.
    pub(crate) fn write(&self) {
        let (Some(path), true) = (&self.path, self.changed) else { return };
        let written = || -> std::io::Result<()> {
            let folder = path.parent().unwrap_or(path);
            std::fs::create_dir_all(folder)?;
            let stored = CacheFile { key: self.key.clone(), entries: self.entries.clone() };
            let partial = path.with_extension(format!("{}.part", std::process::id()));
            let res = std::fs::write(&partial, stored.sealed()?).and_then(|()| std::fs::rename(&partial, path));
            if res.is_err() {
                let _ = std::fs::remove_file(&partial);
            }
            res
        };
        if let Err(error) = written() {
            tracing::warn!(%error, path = %path.display(), "verdicts are not kept");
        }
    }
}

fn numbers(span: Span) -> [u32; 5] {
    [span.file, span.line, span.column, span.end_line, span.end_column]
}

fn span([file, line, column, end_line, end_column]: [u32; 5]) -> Span {
    Span { file, line, column, end_line, end_column }
}

impl StoredFailure {
    fn new(failure: &Failure) -> StoredFailure {
        StoredFailure {
            error: failure.error.id().to_owned(),
            reason: failure.reason.id().to_owned(),
            span: numbers(failure.span),
            culprit: numbers(failure.culprit),
            branches: failure.branches.iter().map(|it| (numbers(it.0), it.1)).collect(),
            counterexample: failure.counterexample.iter().map(|it| (it.0.to_string(), it.1.clone())).collect(),
        }
    }

    fn failure(&self) -> Option<Failure> {
        Some(Failure {
            error: error_by_id(&self.error)?,
            reason: reason_by_id(&self.reason)?,
            span: span(self.span),
            culprit: span(self.culprit),
            branches: self.branches.iter().map(|it| (span(it.0), it.1)).collect(),
            trace: Vec::new(),
            counterexample: self.counterexample.iter().map(|it| (Arc::from(&*it.0), it.1.clone())).collect(),
            undecided: None,
        })
    }
}

#[cfg(test)]
mod tests;

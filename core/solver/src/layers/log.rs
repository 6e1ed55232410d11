//! A log of every query that reaches a backend, as SMT-LIB 2 files.
//!
//! Knows: a directory. Never: answers' use.

use crate::{Answer, Query, Solver, Statistics};
use effigy_term::Terms;
use std::path::PathBuf;

/// The layer `log`. A file that cannot be written is left out: the log never changes an answer.
pub(crate) struct Log {
    directory: PathBuf,
    below: Box<dyn Solver>,
    count: u64,
}

impl Log {
    /// Over `below`, writing to `directory`.
    pub(crate) fn new(directory: PathBuf, below: Box<dyn Solver>) -> Log {
        Log { directory, below, count: 0 }
    }
}

impl Solver for Log {
    fn check(&mut self, terms: &Terms, query: &Query<'_>) -> Answer {
        let answer = self.below.check(terms, query);
        self.count += 1;
        let mut roots = query.conjuncts();
        roots.push(query.goal);
        let status = match answer {
            Answer::Sat(_) => "sat",
            Answer::Unsat => "unsat",
            Answer::Unknown(_) => "unknown",
        };
        let text = crate::dump::smt2(terms, &[], roots, &format!("(set-info :status {status})\n"));
        let path = self.directory.join(format!("query{:06}.smt2", self.count));
        if let Err(error) = std::fs::write(&path, text) {
            tracing::warn!(path = %path.display(), %error, "the query log cannot be written");
        }
        answer
    }

    fn statistics(&self, into: &mut Statistics) {
        self.below.statistics(into);
    }
}

//! Bad ends: an input is in the folder before anything else is done with it, and stays there.
//!
//! Knows: the names of the files, which ends are one bug. An end that a process of its own does not repeat is reported as
//! such, and one that is like another keeps its file. Never: how an input is run.

use super::triage::{LoopEnd, TriageJob, TriageResult};
use super::{Campaign, failed, find_of, hash};
use crate::account::{Bug, FindingKind, FuzzError, UnrepeatedEnd, Watcher};
use crate::corpus::{Shelf, number};
use std::path::PathBuf;
use std::time::Duration;

/// Hangs that are looked at; ends for memory likewise: those of one kind are hard to tell apart, and each takes long.
const MOST_SLOW_ENDS: u32 = 100;

/// Files of bad ends: a target that ends badly in each run shall not fill the disk. Chosen without measuring.
const MOST_FILES: u64 = 10_000;

/// The most bugs of a report: a wrong deduplication must not fill it.
const MOST_BUGS: usize = 1000;

/// How the name of a file ends whose input was made short.
const SHORT: &str = ",short";

impl Campaign<'_> {
    /// Looks again at the bad ends that an earlier campaign has left, those that were made short first: a bug is shown
    /// by the shortest input.
    pub(super) fn look_at_what_is_left(&mut self) -> Result<(), FuzzError> {
        for (shelf, ended) in [(Shelf::Crashes, LoopEnd::Signal(0)), (Shelf::Hangs, LoopEnd::Late)] {
            let mut left = self.corpus.left(shelf).map_err(failed(&self.config.output))?;
            left.sort_by_key(|(name, _)| (!name.ends_with(SHORT), name.clone()));
            for (name, bytes) in left {
                self.next_end = self.next_end.max(number(&name).map_or(0, |it| it.saturating_add(1)));
                let file = Some(self.config.output.join(shelf.name()).join(name));
                self.ended.insert(hash(&bytes));
                self.looker.look(TriageJob { ended, bytes, time: Duration::ZERO, file, is_left: true });
            }
        }
        Ok(())
    }

    /// An input has ended badly in a loop, or in another worker of the fleet. It is written; then it is looked at.
    pub(super) fn ended_badly(&mut self, ended: LoopEnd, bytes: Vec<u8>) -> Result<(), FuzzError> {
        if !self.ended.insert(hash(&bytes)) {
            return Ok(());
        }
        let file = self.write_end(ended, &bytes)?;
        // Each kind has its own bound: greed is reported at each end, and must not use up what hangs are due.
        let of_its_kind = match ended {
            LoopEnd::Late => Some(&mut self.hangs),
            LoopEnd::Large => Some(&mut self.large_ends),
            LoopEnd::Well | LoopEnd::Signal(_) => None,
        };
        if let Some(count) = of_its_kind {
            *count = count.saturating_add(1);
            if *count > MOST_SLOW_ENDS {
                self.status.left_out += 1;
                return Ok(());
            }
        }
        self.looker.look(TriageJob { ended, bytes, time: self.start.elapsed(), file, is_left: false });
        Ok(())
    }

    /// Writes the input of a bad end; `None` where there are too many.
    fn write_end(&mut self, ended: LoopEnd, bytes: &[u8]) -> Result<Option<PathBuf>, FuzzError> {
        if self.next_end >= MOST_FILES {
            self.status.unkept += 1;
            return Ok(None);
        }
        let (shelf, how) = match ended {
            LoopEnd::Late => (Shelf::Hangs, String::new()),
            LoopEnd::Large => (Shelf::Crashes, ",memory".to_owned()),
            LoopEnd::Signal(signal) => (Shelf::Crashes, format!(",sig:{signal:02}")),
            LoopEnd::Well => (Shelf::Crashes, ",sanitizer".to_owned()),
        };
        let (time, runs) = (self.start.elapsed().as_millis(), self.natives.board().runs);
        let name = format!("id:{:06}{how},time:{time},execs:{runs}", self.next_end);
        self.next_end += 1;
        self.corpus.write(shelf, &name, bytes).map(Some).map_err(failed(&self.config.output))
    }

    /// An input was run alone.
    pub(super) fn seen(&mut self, seen: TriageResult, watcher: &mut dyn Watcher) -> Result<(), FuzzError> {
        let was_queue = seen.ended == LoopEnd::Well;
        if was_queue {
            self.status.looked_at += 1;
        }
        let Some(end) = seen.end else {
            if !was_queue {
                let how = match seen.ended {
                    LoopEnd::Signal(0) | LoopEnd::Well => "it ended in a signal".to_owned(),
                    LoopEnd::Signal(signal) => format!("signal {signal}"),
                    LoopEnd::Late => "it did not end in time".to_owned(),
                    LoopEnd::Large => "it took too much memory".to_owned(),
                };
                self.unrepeated.push(UnrepeatedEnd { how, file: seen.file, time: seen.time });
            }
            return Ok(());
        };
        let file = match seen.file {
            // It was predicted, and no loop has met it.
            None if was_queue && self.ended.insert(hash(&seen.original)) => {
                self.write_end(LoopEnd::Well, &seen.original)?
            }
            file => file,
        };
        let (kind, frames) = end.report.key();
        let key = (end.found, kind, frames);
        if let Some(at) = self.keys.get(&key) {
            if !was_queue {
                self.bugs[*at].others.extend(file);
            }
            return Ok(());
        }
        if self.bugs.len() >= MOST_BUGS {
            return Ok(());
        }
        let is_in_its_folder = file.as_ref().is_some_and(|it| {
            let shelf = if end.found == FindingKind::Hang { Shelf::Hangs } else { Shelf::Crashes };
            it.parent().is_some_and(|it| it.ends_with(shelf.name()))
        });
        let path = match &file {
            Some(file) if seen.bytes == seen.original && is_in_its_folder => file.clone(),
            file => self.write_short(file.as_ref(), kind, end.found, &seen.bytes)?,
        };
        let others = Vec::from_iter(file.filter(|it| *it != path && is_in_its_folder));
        let bug = Bug {
            found: end.found,
            report: end.report,
            input: seen.bytes,
            path,
            others,
            asked: end.asked,
            confirmed: end.confirmed,
            time: seen.time,
            known: seen.is_left,
        };
        watcher.bug(&bug);
        self.shared.tell_find(find_of(&bug));
        self.keys.insert(key, self.bugs.len());
        self.bugs.push(bug);
        Ok(())
    }

    /// Writes the input that shows a bug, beside the one that it was made of.
    fn write_short(
        &mut self,
        original: Option<&PathBuf>,
        kind: &str,
        found: FindingKind,
        bytes: &[u8],
    ) -> Result<PathBuf, FuzzError> {
        let shelf = if found == FindingKind::Crash { Shelf::Crashes } else { Shelf::Hangs };
        let name = original.and_then(|it| it.file_name()).map(|it| it.to_string_lossy().into_owned());
        let start = name.as_ref().and_then(|it| it.split(",op:").next()).unwrap_or("id:000000");
        let number = number(start).filter(|_| is_end(original)).unwrap_or_else(|| {
            self.next_end += 1;
            self.next_end - 1
        });
        let rest = start.split_once(',').map_or(String::new(), |it| format!(",{}", it.1));
        let name = format!("id:{number:06}{rest},op:{kind}{SHORT}");
        self.ended.insert(hash(bytes));
        self.corpus.write(shelf, &name, bytes).map_err(failed(&self.config.output))
    }
}

/// Whether a file is one of a bad end, not of the queue.
fn is_end(file: Option<&PathBuf>) -> bool {
    let shelf = file.and_then(|it| it.parent());
    shelf.is_some_and(|it| it.ends_with(Shelf::Crashes.name()) || it.ends_with(Shelf::Hangs.name()))
}

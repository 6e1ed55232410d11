//! The files of tests: each worker writes those of its own paths.
//!
//! Knows: the output folder, which number each test has, the simplest path into each bug. Never: terms, states.
//!
//! A test is there before anybody hears of its path: what is killed in between is done again, and what it had written is
//! removed then ([`TestFiles::go_on`]).

use crate::Failure;
use effigy_report::checksum::sealed;
use effigy_report::folder::{Folder, FolderError};
use effigy_report::ktest::{self, KTest};
use effigy_report::leaf::{Leaf, LeafEnd, simplest_first};
use effigy_report::pretty;
use effigy_report::test_case::{Test, TestBug, TestPlace};
use std::cmp::Ordering;
use std::collections::{BTreeSet, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What makes two violations one bug: class, place, and the words where they distinguish.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct BugKey {
    kind: String,
    place: TestPlace,
    words: Option<String>,
    /// What is certain does not depend on which path came first.
    possible: bool,
}

impl BugKey {
    pub(crate) fn new(bug: &TestBug, words: bool) -> BugKey {
        BugKey {
            kind: bug.kind.clone(),
            place: bug.place.clone(),
            words: words.then(|| bug.message.clone()),
            possible: bug.possible,
        }
    }
}

/// The tests of a run.
pub(crate) struct TestFiles {
    /// Where they are written, if they are.
    folder: Option<Folder>,
    /// Whether .ktest files are written, too.
    ktest: bool,
    /// Whether a native run must do what is predicted.
    replayable: bool,
    /// Whether messages distinguish bugs: see `ReportHooks::words_distinguish_bugs`.
    words_distinguish_bugs: bool,
    taken: Mutex<TestNumbers>,
}

/// How a file is written.
type Write = fn(&Folder, &str, &[u8]) -> Result<(), FolderError>;

/// The numbers of tests that are taken.
#[derive(Default)]
struct TestNumbers {
    /// The greatest number that is taken.
    last: u64,
    /// Numbers below it that no test has, the smallest last.
    free: Vec<u64>,
    /// The simplest path into each bug so far, and the number of its test.
    bugs: HashMap<BugKey, (effigy_engine::PathName, Option<u64>)>,
    /// Why a test could not be written.
    failure: Option<Failure>,
}

impl TestNumbers {
    fn number(&mut self) -> u64 {
        self.free.pop().unwrap_or_else(|| {
            self.last += 1;
            self.last
        })
    }
}

/// The name of the file of a test.
pub(crate) fn test_file(id: u64) -> String {
    format!("tests/test{id:06}.json")
}

impl TestFiles {
    /// Tests in `folder`, if there is one.
    pub(crate) fn new(
        folder: Option<Folder>,
        ktest: bool,
        replayable: bool,
        words_distinguish_bugs: bool,
    ) -> TestFiles {
        TestFiles { folder, ktest, replayable, words_distinguish_bugs, taken: Mutex::default() }
    }

    /// A worker that dies leaves it whole.
    fn taken(&self) -> MutexGuard<'_, TestNumbers> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What makes a bug of a leaf the same as that of another.
    pub(crate) fn key(&self, leaf: &Leaf) -> Option<BugKey> {
        let LeafEnd::Bug(bug) = &leaf.end else { return None };
        Some(BugKey::new(bug, self.words_distinguish_bugs))
    }

    /// Goes on behind an earlier session, which has written the tests with these numbers; the simplest path into each
    /// bug so far is `bugs`. What else it has written it did not tell of.
    pub(crate) fn go_on(
        &self,
        tests: &BTreeSet<u64>,
        bugs: impl Iterator<Item = (BugKey, effigy_engine::PathName, Option<u64>)>,
    ) {
        let mut taken = self.taken();
        taken.last = tests.last().copied().unwrap_or(0);
        taken.free = (1..taken.last).rev().filter(|it| !tests.contains(it)).collect();
        drop(taken);
        self.told(bugs);
        self.keep(tests);
    }

    /// The simplest path into each bug of those that were told is this one: what else a worker had found died with it.
    pub(crate) fn told(&self, bugs: impl Iterator<Item = (BugKey, effigy_engine::PathName, Option<u64>)>) {
        self.taken().bugs = bugs.map(|(key, name, test)| (key, (name, test))).collect();
    }

    /// Removes all tests but these.
    pub(crate) fn keep(&self, tests: &BTreeSet<u64>) {
        if let Some(Err(error)) = self.folder.as_ref().map(|it| it.keep_tests(tests)) {
            self.fails(Failure::of(error));
        }
    }

    /// Whether a leaf is on the simplest path into its bug so far; it has the number of the bug's test then. Whoever comes
    /// to that path again, since a worker has died on it, tells it again.
    pub(crate) fn is_simplest(&self, leaf: &mut Leaf) -> bool {
        let Some(key) = self.key(leaf) else { return false };
        let mut taken = self.taken();
        let number = (self.folder.is_some() && leaf.is_testable()).then_some(());
        leaf.test = match taken.bugs.get(&key) {
            Some((known, _)) if simplest_first(&leaf.decisions, known) == Ordering::Greater => return false,
            Some((_, Some(test))) => number.map(|()| *test),
            _ => number.map(|()| taken.number()),
        };
        let test = leaf.test.or_else(|| taken.bugs.get(&key).and_then(|it| it.1));
        taken.bugs.insert(key, (leaf.decisions.clone(), test));
        true
    }

    /// Writes the test of a path that came to its end, under a number of its own.
    pub(crate) fn add(&self, leaf: &mut Leaf) {
        if self.folder.is_some() && leaf.is_testable() {
            leaf.test = Some(self.taken().number());
            self.write_by(leaf, Folder::write_new);
        }
    }

    /// Writes the test of a leaf that has a number, which another may have had.
    pub(crate) fn write(&self, leaf: &mut Leaf) {
        self.write_by(leaf, Folder::write);
    }

    fn write_by(&self, leaf: &mut Leaf, write: Write) {
        let (Some(folder), Some(id)) = (&self.folder, leaf.test) else { return };
        let written = leaf.with_test(id, self.replayable, |test| self.write_test(folder, id, test, write));
        if let Some(Err(failure)) = written {
            leaf.test = None;
            self.fails(failure);
        }
    }

    fn write_test(&self, folder: &Folder, id: u64, test: &Test, write: Write) -> Result<(), Failure> {
        let put = |name: &str, bytes: &[u8]| write(folder, name, bytes).map_err(Failure::of);
        let name = test_file(id);
        put(&name, &sealed(pretty::to_vec(test).map_err(Failure::of)?))?;
        if self.ktest {
            let objects = test.inputs.iter().map(|it| (it.name.clone(), it.to_bytes().unwrap_or_default()));
            let ktest = KTest { arguments: vec!["program".to_owned()], objects: objects.collect() };
            put(&name.replace(".json", ".ktest"), &ktest::write(&ktest))?;
        }
        Ok(())
    }

    fn fails(&self, failure: Failure) {
        let mut taken = self.taken();
        taken.failure = taken.failure.take().or(Some(failure));
    }

    /// Whether a test could not be written.
    pub(crate) fn has_failed(&self) -> bool {
        self.taken().failure.is_some()
    }

    /// Why a test could not be written, if so.
    pub(crate) fn failure(&self) -> Option<Failure> {
        self.taken().failure.take()
    }

    /// The folder of the tests, if they are written.
    pub(crate) fn folder(&self) -> Option<&Folder> {
        self.folder.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leaf(name: &str, end: LeafEnd) -> Leaf {
        Leaf::new(name.parse().expect("a name"), end, 1)
    }

    fn bug(name: &str) -> Leaf {
        let (kind, message) = ("trap".to_owned(), String::new());
        leaf(
            name,
            LeafEnd::Bug(TestBug { kind, message, place: Default::default(), stack: Vec::new(), possible: false }),
        )
    }

    fn in_room(name: &str, test: impl FnOnce(&TestFiles, &std::path::Path)) {
        let path = std::env::temp_dir().join(format!("effigy-tests-{name}-{}", std::process::id()));
        let folder = Folder::create(&path, "{}").expect("a folder");
        test(&TestFiles::new(Some(folder), false, false, false), &path);
        std::fs::remove_dir_all(&path).expect("removed");
    }

    #[test]
    fn what_was_not_told_is_removed_and_its_number_is_free() {
        in_room("free", |files, path| {
            for name in ["0", "1", "2", "3"] {
                files.add(&mut leaf(name, LeafEnd::Exit(None)));
            }
            files.go_on(&[1, 3].into(), std::iter::empty());
            assert!(path.join(test_file(1)).exists() && path.join(test_file(3)).exists());
            assert!(!path.join(test_file(2)).exists() && !path.join(test_file(4)).exists());
            let mut again: Vec<Leaf> = ["4", "5"].map(|it| leaf(it, LeafEnd::Exit(None))).into();
            again.iter_mut().for_each(|it| files.add(it));
            assert_eq!(again.iter().map(|it| it.test).collect::<Vec<_>>(), [Some(2), Some(4)]);
            assert!(files.failure().is_none());
        });
    }

    #[test]
    fn a_bug_has_one_number_and_is_told_again_on_the_path_on_which_it_was_lost() {
        in_room("bug", |files, _| {
            let mut first = bug("10");
            assert!(files.is_simplest(&mut first) && first.test == Some(1));
            let mut longer = bug("100");
            assert!(!files.is_simplest(&mut longer) && longer.test.is_none());
            let mut simpler = bug("01");
            assert!(files.is_simplest(&mut simpler) && simpler.test == Some(1));
            let mut lost = bug("01");
            assert!(files.is_simplest(&mut lost) && lost.test == Some(1));
        });
    }
}

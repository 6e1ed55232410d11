//! What is kept, and when it is no verdict.

use super::*;
use effigy_contracts::program::MethodId;
use effigy_report::failures::Source;
use effigy_solver::prover::ProverConfig;
use effigy_testing::reader_trial::try_reader;
use effigy_verify::{ErrorKind, Inference, ReasonKind};
use effigy_walk::Search;
use std::sync::atomic::AtomicBool;

const MEMBER: Member = Member::Method(MethodId(0));

fn config() -> Config {
    Config {
        prover: ProverConfig {
            smt: "z3 -in".to_owned(),
            steps: 1,
            local: true,
            interrupt: Arc::new(AtomicBool::new(false)),
        },
        errors: 1,
        steps: 1,
        time: None,
        trace: false,
        counterexample: false,
        inference: Inference { contracts: false, close: 0, open: false, functions: true },
        merge_after: None,
        search: Search::Dfs,
        seed: 1,
    }
}

fn sources(text: &str) -> Sources {
    Sources(vec![Source::new("a.vpr", text)])
}

fn failure() -> Failure {
    let at = Span { file: 0, line: 2, column: 3, end_line: 2, end_column: 9 };
    Failure {
        error: ErrorKind::Assert,
        reason: ReasonKind::AssertionFalse,
        span: at,
        culprit: at,
        branches: vec![(at, true)],
        trace: Vec::new(),
        counterexample: vec![("x".into(), "-1".to_owned())],
        undecided: None,
    }
}

fn outcome(verdict: Verdict) -> MemberOutcome {
    MemberOutcome { member: MEMBER, verdict, effort: Effort { steps: 7, paths: 2, queries: 1, checks: 3 } }
}

/// A folder of the test's own.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let path = std::env::temp_dir().join(format!("effigy-cache-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        Scratch(path)
    }

    fn open(&self, text: &str, config: &Config) -> Cache {
        self.open_with(text, config, "Z3 version 4.8.12")
    }

    fn open_with(&self, text: &str, config: &Config, solver: &str) -> Cache {
        Cache::open(self.0.clone(), &sources(text), config, solver)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn kept(scratch: &Scratch, verdict: Verdict) -> Option<MemberOutcome> {
    let mut cache = scratch.open("x", &config());
    cache.put(0, &outcome(verdict));
    cache.write();
    scratch.open("x", &config()).get(0, MEMBER)
}

#[test]
fn a_verdict_comes_back_as_it_was() {
    let scratch = Scratch::new("back");
    let failed = outcome(Verdict::Failed(vec![failure()]));
    let known = kept(&scratch, failed.verdict.clone()).expect("it is known");
    assert_eq!(format!("{known:?}"), format!("{failed:?}"));
    assert!(matches!(kept(&Scratch::new("verified"), Verdict::Verified).map(|it| it.verdict), Some(Verdict::Verified)));
}

#[test]
fn what_another_run_might_decide_is_not_kept() {
    let open = Failure { undecided: Some("the budget of the query is spent".into()), ..failure() };
    let verdicts = [
        Verdict::Undecided("time".into()),
        Verdict::Unsupported("magic wands".into(), Span::default()),
        Verdict::Failed(vec![open]),
    ];
    for verdict in verdicts {
        assert!(kept(&Scratch::new("open"), verdict.clone()).is_none(), "{verdict:?}");
    }
}

#[test]
fn another_text_or_configuration_is_another_question() {
    let scratch = Scratch::new("other");
    assert!(kept(&scratch, Verdict::Verified).is_some());
    assert!(scratch.open("y", &config()).get(0, MEMBER).is_none());
    assert!(scratch.open("x", &config()).get(1, MEMBER).is_none());
    let mut other = config();
    other.inference.close = 2;
    assert!(scratch.open("x", &other).get(0, MEMBER).is_none());
    assert!(scratch.open_with("x", &config(), "Z3 version 4.8.13").get(0, MEMBER).is_none());
    let traced = Config { trace: true, ..config() };
    assert!(scratch.open("x", &traced).get(0, MEMBER).is_none());
}

#[test]
fn a_damaged_file_is_no_verdict() {
    let scratch = Scratch::new("damaged");
    assert!(kept(&scratch, Verdict::Failed(vec![failure()])).is_some());
    let path = std::fs::read_dir(&scratch.0).expect("the folder").flatten().next().expect("a file").path();
    let whole = std::fs::read_to_string(&path).expect("text");
    let damages = [
        whole[..whole.len() / 2].to_owned(),
        String::new(),
        // The name fits, what stands in it does not.
        whole.replace("\"x\"]", "\"y\"]"),
        whole.replace("assert.failed", "assert.faded"),
        whole.replace("{\"Failed\":[", "{\"Failed\":[],\"x\":["),
    ];
    for damage in damages {
        assert_ne!(damage, whole);
        std::fs::write(&path, &damage).expect("it can be written");
        assert!(scratch.open("x", &config()).get(0, MEMBER).is_none(), "{damage}");
    }
}

#[test]
fn a_byte_that_changes_is_no_verdict() {
    let scratch = Scratch::new("bytes");
    let mut cache = scratch.open("x", &config());
    cache.put(0, &outcome(Verdict::Failed(vec![failure()])));
    cache.put(1, &outcome(Verdict::Verified));
    cache.write();
    let path = std::fs::read_dir(&scratch.0).expect("the folder").flatten().next().expect("a file").path();
    let whole = std::fs::read(&path).expect("bytes");
    for at in 0..whole.len() {
        for bit in 0..8 {
            let mut flipped = whole.clone();
            flipped[at] ^= 1 << bit;
            assert!(CacheFile::read(&flipped).is_none(), "bit {bit} of byte {at}");
        }
        assert!(CacheFile::read(&whole[..at]).is_none(), "cut at byte {at}");
    }
    // With its checksum a damaged file still is none, whatever its tokens are.
    let text = whole.split(|it| *it == b'\t').next().unwrap_or_default().to_vec();
    try_reader("verdicts", [text], &["null", "\"Verified\"", "\"Failed\"", "[]"], |text| {
        let mut sealed = text.to_vec();
        checksum::seal_line(&mut sealed, 0);
        let entries = CacheFile::read(&sealed).map(|it| it.entries).unwrap_or_default();
        for entry in entries.into_values() {
            if let StoredVerdict::Failed(failures) = entry.verdict {
                failures.iter().for_each(|it| drop(it.failure()));
            }
        }
    });
}

#[test]
fn a_folder_that_cannot_be_made_is_no_error() {
    let file = Scratch::new("file");
    std::fs::write(&file.0, "").expect("a file where the folder should be");
    assert!(kept(&file, Verdict::Verified).is_none());
    let _ = std::fs::remove_file(&file.0);
}

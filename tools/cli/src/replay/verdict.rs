//! Whether a native run did what was predicted.
//!
//! Knows: how each sanitizer words each class of bugs. A class may show in several ways: reading far out of bounds
//! can hit another object's guard, or nothing at all, which then is a crash. What the program has written counts only
//! where it ended as a failure does: anybody can write `runtime error:`.

use super::native::NativeRun;
use effigy_llvm::checks::{LEAK, LOCK_MISUSE, THREAD_MISUSE};
use effigy_report::test_case::{Expectation, Test, hex};

/// The comparison of a native run with its prediction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    /// The native run does what was predicted.
    Agrees,
    /// The native run does something else: this.
    Differs(String),
    /// The native run went on: there is no check for this class of bugs.
    Unseen(String),
}

/// The exit codes of our runtime (`languages/llvm/runtime/replay.c`): a run that left its test, and a failed assertion.
const DIVERGED: i32 = 86;
const FAILED: i32 = 88;

/// What LeakSanitizer says where it cannot stop the threads of a program to look at their memory.
const LEAKS_UNSEEN: &str = "LeakSanitizer has encountered a fatal error";

/// Signals of abort(3), of a trap and of a breakpoint.
const ABORTS: &[i32] = &[6, 4, 5];

/// What of a report, or of the last words of a program that failed, shows a class of bugs.
pub(super) fn signs(kind: &str) -> &'static [&'static str] {
    match kind {
        "out-of-bounds-read" | "out-of-bounds-write" => &[
            "buffer-overflow",
            "buffer-underflow",
            "out of bounds",
            "AddressSanitizer: SEGV",
            "unknown-crash",
            "use-after-poison",
            "heap-use-after-free",
            "stack-use-after-scope",
            "insufficient space",
            "pointer index expression",
            "AddressSanitizer: BUS",
            "applying non-zero offset",
            "stack-use-after-return",
            "dynamic-stack-buffer-overflow",
            "param-overlap",
            "wild-",
            "outside the range",
            "buffer overflow detected",
            "container-overflow",
        ],
        "null-dereference" => &["null pointer", "AddressSanitizer: SEGV"],
        "use-after-free" => &["heap-use-after-free", "AddressSanitizer: SEGV"],
        "use-after-scope" => {
            &["stack-use-after-return", "stack-use-after-scope", "AddressSanitizer: SEGV", "stack-buffer"]
        }
        "wild-pointer" => &["AddressSanitizer: SEGV", "buffer-overflow", "misaligned", "unknown-crash"],
        "write-to-constant" => &["AddressSanitizer: SEGV", "AddressSanitizer: BUS"],
        "double-free" => &["attempting double-free"],
        // What is not from malloc has no head before it that could be read.
        "invalid-free" => &["attempting free on address", "bad-free", "AddressSanitizer: SEGV"],
        "alloc-dealloc-mismatch" => &["alloc-dealloc-mismatch"],
        "uninitialised-value" => &["use-of-uninitialized-value"],
        "division-by-zero" => &["division by zero", "AddressSanitizer: FPE"],
        "signed-overflow" => &["signed integer overflow", "cannot be represented"],
        "shift-too-large" => &["shift exponent", "left shift"],
        "index-out-of-bounds" => &["runtime error: index"],
        "undefined-behaviour" => &["runtime error: "],
        "unreachable-reached" => &["execution reached an unreachable program point", "without returning a value"],
        "assertion-failed" => &["Assertion `", "Assertion '", "effigy: "],
        "array-length" => &["variable length array bound"],
        "stack-overflow" => &["AddressSanitizer: stack-overflow", "MemorySanitizer: stack-overflow"],
        "reported" => &["effigy: "],
        "overlapping-copy" => &["param-overlap"],
        "leak" => &["LeakSanitizer: detected memory leaks"],
        "data-race" => {
            &["ThreadSanitizer: data race", "ThreadSanitizer: heap-use-after-free", "ThreadSanitizer: race on"]
        }
        "lock-misuse" => &[
            "ThreadSanitizer: unlock of an unlocked mutex",
            "ThreadSanitizer: destroy of a locked mutex",
            "ThreadSanitizer: double lock of a mutex",
            "ThreadSanitizer: read unlock of a write locked mutex",
            "ThreadSanitizer: read lock of a write locked mutex",
            "ThreadSanitizer: use of an invalid mutex",
            "effigy: misuse: ",
        ],
        "thread-misuse" => &["effigy: misuse: "],
        "bad-call" => &["AddressSanitizer: SEGV", "incorrect function type"],
        _ => &[],
    }
}

/// Compares a test with the native run.
pub(crate) fn compare(test: &Test, run: &NativeRun) -> Verdict {
    let differs = |what: String| Verdict::Differs(what);
    if run.late {
        return differs("it did not end in time".to_owned());
    }
    match &test.expect {
        Expectation::Exit(code) => {
            if run.code != Some(code & 0xff) {
                return differs(describe(run));
            }
            if let Some(report) = first_report(&run.report) {
                return differs(format!("exit code {}, but {report}", code & 0xff));
            }
            if hex(&run.output) != test.output {
                return differs(format!("other output: {:?}", String::from_utf8_lossy(&run.output)));
            }
            Verdict::Agrees
        }
        Expectation::Bug(bug) if matches!(&*bug.kind, "abort" | "uncaught-exception") => match run.signal {
            Some(signal) if ABORTS.contains(&signal) => Verdict::Agrees,
            _ => differs(describe(run)),
        },
        Expectation::Bug(bug) => {
            let failed = run.code == Some(FAILED) || run.signal.is_some_and(|it| ABORTS.contains(&it));
            let last_words = if failed { &*run.errors } else { "" };
            if signs(&bug.kind).iter().any(|it| run.report.contains(it) || last_words.contains(it)) {
                Verdict::Agrees
            } else if bug.kind == LEAK.0 && run.report.contains(LEAKS_UNSEEN) {
                Verdict::Unseen("LeakSanitizer cannot look for leaks here: ptrace is not allowed".to_owned())
            } else if is_unseen(&bug.kind) && first_report(&run.report).is_none() {
                Verdict::Unseen(format!("{}: nothing natively checks for {}", describe(run), bug.kind))
            } else {
                differs(describe(run))
            }
        }
        Expectation::Cut(_) => Verdict::Agrees,
    }
}

/// Whether a run ended by itself, along the way of its test, and no sanitizer said a word.
pub(super) fn is_silent(run: &NativeRun) -> bool {
    let left_its_way = matches!(run.code, None | Some(DIVERGED..=FAILED));
    !left_its_way && first_report(&run.report).is_none()
}

/// Whether no sanitizer looks for a class of bugs: a wrong call takes what it finds in the registers, of floats IEEE 754
/// defines all, and not each misuse of a lock or a thread is seen.
fn is_unseen(kind: &str) -> bool {
    ["bad-call", "nan", "infinity", "float-division-by-zero", LOCK_MISUSE.0, THREAD_MISUSE.0].contains(&kind)
}

/// The first line of a sanitizer's report.
pub(super) fn first_report(errors: &str) -> Option<&str> {
    errors.lines().find(|it| {
        it.contains("ERROR: AddressSanitizer")
            || it.contains("ERROR: LeakSanitizer")
            || it.contains("runtime error:")
            || it.contains("WARNING: MemorySanitizer")
            || it.contains("WARNING: ThreadSanitizer")
            || it.contains("ERROR: ThreadSanitizer")
    })
}

pub(super) fn describe(run: &NativeRun) -> String {
    let end = match (run.code, run.signal) {
        (Some(86), _) => "it went another way than the test".to_owned(),
        (Some(87), _) => "an assumption does not hold".to_owned(),
        (Some(code), _) => format!("exit code {code}"),
        (None, Some(signal)) => format!("signal {signal}"),
        (None, None) => "it ended without a code".to_owned(),
    };
    match first_report(&run.report) {
        Some(report) => format!("{end}: {}", report.trim()),
        None => end,
    }
}

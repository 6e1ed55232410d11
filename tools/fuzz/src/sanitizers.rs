//! What a sanitizer, an assertion or a signal says of the end of a run.
//!
//! Knows: how AddressSanitizer, UBSan, assert(3) and our marks word it, and which of our classes of bugs that is. What
//! the program itself has written decides nothing: it only says more of an abort that a sanitizer has seen. Never:
//! whether it is a bug that was seen before.

/// A call on the stack.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Frame {
    /// The name of the function.
    pub function: String,
    /// The file, as the debug information has it.
    pub file: String,
    /// The line number, from 1; 0 where the compiler gives the instruction none.
    pub line: u32,
    /// The column; zero where it is not known.
    pub column: u32,
}

/// How a run ended badly.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// The class, as `effigy bugs` lists it, or `crash`, `stack-overflow`, `hang`, `out-of-memory`.
    pub kind: &'static str,
    /// What went wrong, on one line.
    pub message: String,
    /// The calls that lead there, innermost first: those in the program's own files.
    pub frames: Vec<Frame>,
}

/// Classes of bugs that the program itself reports, often through functions that all its checks share.
const FAILURES: &[&str] = &["abort", "assertion-failed", "reported", "panic"];

/// Calls that tell two failures apart, with recursion counted once. Other ends have three calls.
const FAILURE_CALLS: usize = 6;

impl Report {
    /// What tells this end from others: the class, and the innermost calls.
    pub fn key(&self) -> (&'static str, Vec<Frame>) {
        if self.kind == HANG {
            return (self.kind, self.calls_of_hang());
        }
        let without_column = |it: &Frame| Frame { column: 0, ..it.clone() };
        let mut frames: Vec<Frame> = Vec::new();
        if FAILURES.contains(&self.kind) {
            for frame in self.frames.iter().map(without_column) {
                if frames.len() < FAILURE_CALLS && !frames.contains(&frame) {
                    frames.push(frame);
                }
            }
        } else {
            frames.extend(self.frames.iter().take(3).map(without_column));
        }
        (self.kind, frames)
    }

    /// The two outermost calls. Where a loop is when its time is up is a matter of chance, so the innermost call has no
    /// line.
    fn calls_of_hang(&self) -> Vec<Frame> {
        let mut frames: Vec<Frame> = self.frames.iter().map(|it| Frame { column: 0, ..it.clone() }).collect();
        if let Some(innermost) = frames.first_mut() {
            innermost.line = 0;
        }
        frames.split_off(frames.len().saturating_sub(2))
    }
}

/// The class of runs that do not end.
pub(crate) const HANG: &str = "hang";

/// What a run has left behind.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Evidence<'a> {
    /// The file of the sanitizers.
    pub(crate) sanitizer: &'a str,
    /// The file of our marks and of assert(3): lines `CLASS`, a tab, the text.
    pub(crate) statement: &'a str,
    /// What the program wrote to standard error.
    pub(crate) errors: &'a str,
}

/// Frames that are read of a stack.
const MOST_FRAMES: usize = 64;

/// The most characters of a message that are kept.
const MOST_MESSAGE: usize = 300;

/// Words of a report, and the class that they mean. The first that fits counts.
const WORDS: &[(&str, &str)] = &[
    ("AddressSanitizer: stack-overflow", "stack-overflow"),
    ("AddressSanitizer: heap-use-after-free", "use-after-free"),
    ("AddressSanitizer: stack-use-after", "use-after-scope"),
    ("AddressSanitizer: attempting double-free", "double-free"),
    ("AddressSanitizer: attempting free", "invalid-free"),
    ("AddressSanitizer: alloc-dealloc-mismatch", "alloc-dealloc-mismatch"),
    ("-param-overlap", "overlapping-copy"),
    ("AddressSanitizer: FPE", "division-by-zero"),
    ("AddressSanitizer: out-of-memory", "out-of-memory"),
    ("AddressSanitizer: allocation-size-too-big", "out-of-memory"),
    ("runtime error: division by zero", "division-by-zero"),
    ("runtime error: signed integer overflow", "signed-overflow"),
    ("runtime error: negation of", "signed-overflow"),
    ("runtime error: shift", "shift-too-large"),
    ("runtime error: index", "index-out-of-bounds"),
    ("runtime error: execution reached", "unreachable-reached"),
    ("runtime error: variable length array", "array-length"),
    ("cannot be represented", "signed-overflow"),
    ("null pointer", "null-dereference"),
];

/// The class of the first line of a sanitizer's report.
fn class(line: &str, evidence: &Evidence<'_>) -> Option<&'static str> {
    let text = evidence.sanitizer;
    if let Some(found) = WORDS.iter().find(|it| line.contains(it.0)) {
        return Some(found.1);
    }
    if line.contains("AddressSanitizer: SEGV") || line.contains("AddressSanitizer: BUS") {
        let near_null = text.contains("address points to the zero page");
        return Some(if near_null { "null-dereference" } else { "wild-pointer" });
    }
    if line.contains("AddressSanitizer: ABRT") {
        if let Some((class, _)) = stated(evidence.statement) {
            return Some(class);
        }
        return Some(if panicked(evidence.errors).is_some() { "panic" } else { "abort" });
    }
    // `__builtin_trap`.
    if line.contains("AddressSanitizer: ILL") || line.contains("AddressSanitizer: TRAP") {
        return Some("abort");
    }
    if line.contains("AddressSanitizer: ") {
        let writes = text.lines().any(|it| it.starts_with("WRITE of size"));
        let is_access = writes || text.lines().any(|it| it.starts_with("READ of size"));
        return Some(match (is_access, writes) {
            (true, true) => "out-of-bounds-write",
            (true, false) => "out-of-bounds-read",
            _ => "crash",
        });
    }
    line.contains(": runtime error: ").then_some("crash")
}

/// What an assertion or a mark says: its class, and the text.
fn stated(statement: &str) -> Option<(&'static str, &str)> {
    let (class, text) = statement.lines().next()?.split_once('\t')?;
    ["assertion-failed", "reported"].into_iter().find(|it| *it == class).map(|it| (it, text))
}

/// What an exception of C++ says that nobody catches: its type, and its text where it has one.
fn uncaught(errors: &str) -> Option<String> {
    const THROWN: &str = "terminate called after throwing an instance of '";
    let mut lines = errors.lines().skip_while(|it| !it.starts_with(THROWN));
    let class = lines.next()?.strip_prefix(THROWN)?.trim_end_matches('\'');
    let text = lines.next().and_then(|it| it.trim_start().strip_prefix("what():"));
    let text = text.map_or(String::new(), |it| format!(": {}", it.trim()));
    Some(format!("uncaught exception {class}{text}"))
}

/// What a panic of Rust says: `thread 'main' (7) panicked at src/lib.rs:3:9:`, and the line behind it.
fn panicked(text: &str) -> Option<&str> {
    let mut lines = text.lines().skip_while(|it| !(it.starts_with("thread '") && it.contains(" panicked at ")));
    lines.next()?;
    Some(lines.next().unwrap_or(""))
}

/// What a run has left behind of a bad end; `None` where there was none.
pub(crate) fn report(evidence: &Evidence<'_>) -> Option<Report> {
    let is_head = |it: &&str| it.contains("ERROR: AddressSanitizer: ") || it.contains(": runtime error: ");
    let Some(head) = evidence.sanitizer.lines().find(is_head) else {
        let (kind, message) = stated(evidence.statement)?;
        return Some(Report { kind, message: shortened(message), frames: Vec::new() });
    };
    let kind = class(head, evidence)?;
    let mut frames = stack(evidence.sanitizer);
    if let Some((place, _)) = head.split_once(": runtime error: ") {
        // UBSan names the place before the stack, and the stack only where it can.
        match (located(place), frames.first_mut()) {
            // The call of the check itself may have no line.
            (Some(at), Some(first)) if first.line == 0 && first.file == at.file => {
                (first.line, first.column) = (at.line, at.column);
            }
            (Some(at), first) if first.as_ref().is_none_or(|it| it.line != at.line) => frames.insert(0, at),
            _ => {}
        }
    }
    let own = head.split_once("ERROR: AddressSanitizer: ").or(head.split_once(": runtime error: "));
    let own = own.map_or(head, |it| it.1);
    let exception = uncaught(evidence.errors);
    let message = match kind {
        "assertion-failed" | "reported" => stated(evidence.statement).map_or(own, |it| it.1),
        "panic" => panicked(evidence.errors).unwrap_or(own),
        "abort" => exception.as_deref().unwrap_or(own),
        _ => own,
    };
    // Addresses and processes differ from run to run.
    let message = message.split(" on address ").next().unwrap_or(message);
    let message = message.split(" on unknown address ").next().unwrap_or(message);
    Some(Report { kind, message: shortened(message), frames })
}

fn shortened(message: &str) -> String {
    message.chars().filter(|it| !it.is_control()).take(MOST_MESSAGE).collect()
}

/// The first stack of a report: `    #1 0x55d0 in parse /home/me/parse.c:12:5`.
fn stack(errors: &str) -> Vec<Frame> {
    let mut res = Vec::new();
    let mut started = false;
    for line in errors.lines() {
        let Some(rest) = line.trim_start().strip_prefix('#') else {
            if started {
                break;
            }
            continue;
        };
        started = true;
        let Some((_, rest)) = rest.split_once(" in ") else {
            // Not symbolised, for speed: `#1 0x55d0 (/tmp/effigy-1-0/fuzz-sanitized+0x1234)`.
            if let Some((_, place)) = rest.split_once("/fuzz-sanitized+0x") {
                let function = place.chars().take_while(char::is_ascii_hexdigit).take(16).collect();
                res.push(Frame { function, ..Frame::default() });
            }
            if res.len() >= MOST_FRAMES {
                break;
            }
            continue;
        };
        let Some((function, place)) = rest.rsplit_once(' ') else { continue };
        let Some(mut frame) = located(place) else { continue };
        // The loop that has called the program, and the C library's own sources, are not the program.
        let ours = ["/fuzz-sanitized.c", "/<library>/driver.c"].iter().any(|it| frame.file.ends_with(it));
        let theirs = frame.file.contains("/sanitizer_common/") || frame.file.starts_with("/rustc/");
        if frame.file.starts_with('/') && !ours && !theirs && res.len() < MOST_FRAMES {
            frame.function = shortened(without_hash(function));
            res.push(frame);
        }
    }
    res
}

/// `program::parse` of `program::parse::hb62979a8e68c668e`, as rustc names it.
fn without_hash(function: &str) -> &str {
    let is_hash = |it: &str| it.len() == 17 && it.starts_with('h') && it[1..].bytes().all(|it| it.is_ascii_hexdigit());
    function.rsplit_once("::").filter(|it| it.1.is_ascii() && is_hash(it.1)).map_or(function, |it| it.0)
}

/// Reads a location such as `/home/me/parse.c:12:5` or `parse.c:12`, or `/home/me/parse.c` of an instruction without a
/// line.
fn located(place: &str) -> Option<Frame> {
    if place.starts_with('/') && !place.contains(':') {
        return Some(Frame { file: shortened(place), ..Frame::default() });
    }
    let (rest, last) = place.rsplit_once(':')?;
    let last: u32 = last.parse().ok()?;
    let of = |file: &str, line, column| Some(Frame { function: String::new(), file: shortened(file), line, column });
    match rest.rsplit_once(':').and_then(|(file, line)| Some((file, line.parse().ok()?))) {
        Some((file, line)) => of(file, line, last),
        None => of(rest, last, 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn an_overflow_is_told_with_its_stack() {
        let text = "=================================================================\n\
            ==7==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x602 at pc 0x5 bp 0x7 sp 0x7\n\
            WRITE of size 1 at 0x602 thread T0\n    \
            #0 0x4c5b in fill /home/me/fill.c:4:12\n    \
            #1 0x4c5c in LLVMFuzzerTestOneInput /home/me/fill.c:9\n    \
            #2 0x4c5d in fz_one /tmp/effigy-1-0/fuzz-sanitized.c:9:3\n\n\
            0x602 is located 0 bytes to the right\n    #0 0x4 in malloc /x/asan_malloc.cpp:1:1\n";
        let report = report(&Evidence { sanitizer: text, ..Evidence::default() }).unwrap();
        assert_eq!((report.kind, &*report.message), ("out-of-bounds-write", "heap-buffer-overflow"));
        let calls: Vec<_> = report.frames.iter().map(|it| (&*it.function, it.line, it.column)).collect();
        assert_eq!(calls, [("fill", 4, 12), ("LLVMFuzzerTestOneInput", 9, 0)]);
    }

    /// The class and the message of what a sanitizer, our marks and the program have written.
    fn told(sanitizer: &str, statement: &str, errors: &str) -> Option<(&'static str, String)> {
        report(&Evidence { sanitizer, statement, errors }).map(|it| (it.kind, it.message))
    }

    fn is(kind: &'static str, message: &str) -> Option<(&'static str, String)> {
        Some((kind, message.to_owned()))
    }

    /// Compilers give some instructions of a line no line: the call that is there is one all the same.
    #[test]
    fn a_call_without_a_line_is_no_call_less() {
        let hang = |top: &str| {
            let text = format!("{ABORTED}    #0 0x1 in spin {top}\n    #1 0x2 in LLVMFuzzerTestOneInput /a.c:24:33\n");
            report(&Evidence { sanitizer: &text, ..Evidence::default() }).map(|it| Report { kind: HANG, ..it }.key())
        };
        assert!(hang("/a.c").is_some_and(|it| it.1.len() == 2));
        assert_eq!(hang("/a.c"), hang("/a.c:15:16"));
        assert_ne!(hang("/a.c"), hang("(/tmp/fuzz-sanitized+0x12)"));
    }

    #[test]
    fn a_check_whose_call_has_no_line_is_where_it_says() {
        let text = "/a.c:3:9: runtime error: division by zero\n    #0 0x1 in half /a.c\n    #1 0x2 in main /a.c:7:3\n";
        let report = report(&Evidence { sanitizer: text, ..Evidence::default() }).unwrap();
        let calls: Vec<_> = report.frames.iter().map(|it| (&*it.function, it.line, it.column)).collect();
        assert_eq!(calls, [("half", 3, 9), ("main", 7, 3)]);
    }

    const ABORTED: &str = "==1==ERROR: AddressSanitizer: ABRT on unknown address 0x1 (pc 0x2)\n";

    #[test]
    fn words_of_sanitizers_are_classes() {
        let overflow = "signed integer overflow: 2147483647 + 1 cannot be represented in type 'int'";
        assert_eq!(told(&format!("/a.c:3:9: runtime error: {overflow}\n"), "", ""), is("signed-overflow", overflow));
        let null =
            "==1==ERROR: AddressSanitizer: SEGV on unknown address 0x0\nHint: address points to the zero page.\n";
        assert_eq!(told(null, "", ""), is("null-dereference", "SEGV"));
        assert_eq!(told(ABORTED, "", ""), is("abort", "ABRT"));
        assert_eq!(told("==1==ERROR: AddressSanitizer: ILL on unknown address 0x1\n", "", ""), is("abort", "ILL"));
        assert_eq!(told("all is well\n#0 0x1 in f /a.c:1\n", "", ""), None);
    }

    #[test]
    fn an_assertion_is_one_with_and_without_its_abort() {
        let statement = "assertion-failed\tAssertion `x' failed.\n";
        assert_eq!(told("", statement, ""), is("assertion-failed", "Assertion `x' failed."));
        assert_eq!(told(ABORTED, statement, ""), is("assertion-failed", "Assertion `x' failed."));
    }

    #[test]
    fn what_the_program_writes_only_says_more_of_an_abort() {
        let panic = "\nthread 'main' (7) panicked at t.rs:3:9:\nbang\n";
        assert_eq!(told(ABORTED, "", panic), is("panic", "bang"));
        let thrown = "terminate called after throwing an instance of 'std::runtime_error'\n  what():  bang\n";
        assert_eq!(told(ABORTED, "", thrown), is("abort", "uncaught exception std::runtime_error: bang"));
        for text in [panic, thrown, ABORTED, "a.c:1:1: runtime error: none\n", "a: a.c:3: f: Assertion `x' failed.\n"] {
            assert_eq!(told("", "", text), None);
        }
    }

    #[test]
    fn failures_behind_shared_functions_are_told_apart() {
        let of = |calls: &[&str]| {
            let frame = |it: &&str| Frame { function: (*it).to_owned(), ..Frame::default() };
            Report { kind: "abort", message: String::new(), frames: calls.iter().map(frame).collect() }.key()
        };
        assert_ne!(of(&["die", "fail", "check", "must", "parse"]), of(&["die", "fail", "check", "must", "eval"]));
        assert_eq!(of(&["die", "walk", "main"]), of(&["die", "walk", "walk", "walk", "main"]));
    }

    proptest! {
        #[test]
        fn any_text_is_read(text in "(.|\n|ERROR: AddressSanitizer: |: runtime error: |#1 0x1 in f |:12:){0,60}") {
            let _ = report(&Evidence { sanitizer: &text, statement: &text, errors: &text });
        }
    }
}

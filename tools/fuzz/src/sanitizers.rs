//! What a sanitizer, an assertion or a signal says of the end of a run.
//!
//! Knows: how AddressSanitizer, UBSan, assert(3) and our marks word it, and which of our classes of bugs that is. The
//! text is the program's to write, so nothing in it is believed beyond its form. Never: whether it is a bug that was
//! seen before.

/// A call on the stack.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Frame {
    /// The function.
    pub function: String,
    /// The file, as the debug information has it.
    pub file: String,
    /// The line.
    pub line: u32,
    /// The column; zero where it is not known.
    pub column: u32,
}

/// How a run ended badly.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// The class, as `effigy bugs` lists it, or `crash`, `stack-overflow`, `hang`, `out-of-memory`.
    pub kind: &'static str,
    /// One line.
    pub message: String,
    /// The calls that lead there, innermost first: those with a line in the program's own files.
    pub frames: Vec<Frame>,
}

impl Report {
    /// What tells this end from others: the class, and the innermost calls.
    pub fn key(&self) -> (&'static str, Vec<Frame>) {
        let mut frames: Vec<Frame> = self.frames.iter().take(3).cloned().collect();
        frames.iter_mut().for_each(|it| it.column = 0);
        (self.kind, frames)
    }
}

/// Frames that are read of a stack.
const MOST_FRAMES: usize = 64;

/// Characters of a message.
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

/// The class of the first line of a report, with the whole of it.
fn class(line: &str, text: &str) -> Option<&'static str> {
    if let Some(found) = WORDS.iter().find(|it| line.contains(it.0)) {
        return Some(found.1);
    }
    if line.contains("AddressSanitizer: SEGV") || line.contains("AddressSanitizer: BUS") {
        let near_null = text.contains("address points to the zero page");
        return Some(if near_null { "null-dereference" } else { "wild-pointer" });
    }
    if line.contains("AddressSanitizer: ABRT") {
        if panicked(text).is_some() {
            return Some("panic");
        }
        let failed = text.lines().find_map(asserted);
        return Some(failed.map_or("abort", |it| it.0));
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

/// A failed assertion: its class, and the line.
fn asserted(line: &str) -> Option<(&'static str, &str)> {
    if line.ends_with("failed.")
        && let Some(at) = line.find(": Assertion `")
    {
        return Some(("assertion-failed", &line[at + 2..]));
    }
    let own = line.strip_prefix("effigy: ")?;
    [(": assertion-failed: ", "assertion-failed"), (": reported: ", "reported")]
        .into_iter()
        .find(|it| own.contains(it.0))
        .map(|it| (it.1, own))
}

/// What a panic of Rust says: `thread 'main' (7) panicked at src/lib.rs:3:9:`, and the line behind it.
fn panicked(text: &str) -> Option<&str> {
    let mut lines = text.lines().skip_while(|it| !(it.starts_with("thread '") && it.contains(" panicked at ")));
    lines.next()?;
    Some(lines.next().unwrap_or(""))
}

/// What standard error of a run says; `None` where it says nothing of a bad end.
pub(crate) fn report(errors: &str) -> Option<Report> {
    let is_head = |it: &&str| it.contains("ERROR: AddressSanitizer: ") || it.contains(": runtime error: ");
    let Some(head) = errors.lines().find(is_head) else {
        let (kind, message) = errors.lines().find_map(asserted)?;
        return Some(Report { kind, message: shortened(message), frames: Vec::new() });
    };
    let kind = class(head, errors)?;
    let mut frames = stack(errors);
    if let Some((place, _)) = head.split_once(": runtime error: ") {
        // UBSan names the place before the stack, and the stack only where it can.
        let at = located(place);
        if let Some(at) = at.filter(|at| frames.first().is_none_or(|it| it.line != at.line)) {
            frames.insert(0, at);
        }
    }
    let message = match (errors.lines().find_map(asserted), kind) {
        (Some((_, line)), "assertion-failed" | "reported") => line,
        (_, "panic") => panicked(errors).unwrap_or(head),
        _ => head
            .split_once("ERROR: AddressSanitizer: ")
            .or(head.split_once(": runtime error: "))
            .map_or(head, |it| it.1),
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

/// `/home/me/parse.c:12:5`, `parse.c:12`
fn located(place: &str) -> Option<Frame> {
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
        let report = report(text).unwrap();
        assert_eq!((report.kind, &*report.message), ("out-of-bounds-write", "heap-buffer-overflow"));
        let calls: Vec<_> = report.frames.iter().map(|it| (&*it.function, it.line, it.column)).collect();
        assert_eq!(calls, [("fill", 4, 12), ("LLVMFuzzerTestOneInput", 9, 0)]);
    }

    #[test]
    fn words_are_classes() {
        let of = |text: &str| report(text).map(|it| (it.kind, it.message));
        let told = |kind, message: &str| Some((kind, message.to_owned()));
        assert_eq!(
            of(
                "/a.c:3:9: runtime error: signed integer overflow: 2147483647 + 1 cannot be represented in type 'int'\n"
            ),
            told("signed-overflow", "signed integer overflow: 2147483647 + 1 cannot be represented in type 'int'")
        );
        assert_eq!(of("a: a.c:3: f: Assertion `x' failed.\n"), told("assertion-failed", "Assertion `x' failed."));
        assert_eq!(
            of(
                "a: a.c:3: f: Assertion `x' failed.\n==1==ERROR: AddressSanitizer: ABRT on unknown address 0x1 (pc 0x2)\n"
            ),
            told("assertion-failed", "Assertion `x' failed.")
        );
        assert_eq!(of("==1==ERROR: AddressSanitizer: ABRT on unknown address 0x1\n"), told("abort", "ABRT"));
        assert_eq!(
            of("==1==ERROR: AddressSanitizer: SEGV on unknown address 0x0\nHint: address points to the zero page.\n"),
            told("null-dereference", "SEGV")
        );
        assert_eq!(
            of(
                "\nthread 'main' (7) panicked at t.rs:3:9:\nbang\n==1==ERROR: AddressSanitizer: ABRT on unknown address 0x1\n"
            ),
            told("panic", "bang")
        );
        assert_eq!(of("all is well\n#0 0x1 in f /a.c:1\n"), None);
    }

    proptest! {
        #[test]
        fn any_text_is_read(text in "(.|\n|ERROR: AddressSanitizer: |: runtime error: |#1 0x1 in f |:12:){0,60}") {
            let _ = report(&text);
        }
    }
}

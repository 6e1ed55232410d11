//! What AddressSanitizer does not see: it checks the accesses of compiled code, and of functions of the C library only
//! where it has an interceptor that knows them. Likewise UndefinedBehaviorSanitizer and `abs`.
//!
//! Knows: which functions have none, or one that measures what was written by its text; addresses that have wrapped
//! around, or lie beyond a red zone. Never: whether the prediction is right, which such a run does not show.

use super::native::NativeRun;
use super::verdict::{Verdict, is_silent};
use effigy_llvm::checks::{SIGNED_OVERFLOW, WRAPS_AROUND};
use effigy_report::test_case::{Expectation, Test, TestPlace};
use std::path::Path;

/// Accesses that AddressSanitizer looks for.
const ACCESSES: &[&str] = &["out-of-bounds-read", "out-of-bounds-write", "use-after-free", "use-after-scope"];

/// Functions that LLVM 14's AddressSanitizer does not intercept, by its symbols `__interceptor_*`; and scanf's family,
/// whose interceptor takes the length of what `%s` wrote from `strlen`, so that it ends at the first zero.
const UNCHECKED: &str = "
    scanf fscanf sscanf vscanf vfscanf vsscanf swprintf vswprintf memccpy rawmemchr swab strsep strlcpy strlcat strftime
    basename dirname wcschr wcscmp wcscpy wcsncmp wcsncpy wcsrchr wcsstr wcwidth wmemchr wmemcmp wmemcpy wmemmove wmemset";

/// Functions whose overflow UndefinedBehaviorSanitizer does not check before LLVM 18.
const ABSOLUTE: &str = "abs labs llabs imaxabs";

/// The smallest red zone that AddressSanitizer puts around an object, in bytes. Behind it another object may lie.
const RED_ZONE: u64 = 16;

/// A difference that only shows what AddressSanitizer does not see is none.
pub(super) fn judged(verdict: Verdict, test: &Test, run: &NativeRun, directory: &Path) -> Verdict {
    match (verdict, &test.expect) {
        (Verdict::Differs(what), Expectation::Bug(bug)) if bug.message.contains(WRAPS_AROUND) && is_silent(run) => {
            Verdict::Unseen(format!("{what}: not visible to AddressSanitizer, which sees the address that is left"))
        }
        (Verdict::Differs(what), Expectation::Bug(bug)) if ACCESSES.contains(&&*bug.kind) && is_silent(run) => {
            match called(UNCHECKED, &bug.place, directory) {
                Some(name) => Verdict::Unseen(format!(
                    "{what}: not visible to AddressSanitizer, which does not check all that {name} accesses"
                )),
                None if test.gap >= RED_ZONE => Verdict::Unseen(format!(
                    "{what}: not visible to AddressSanitizer: the access is {} bytes away from the object",
                    test.gap
                )),
                None => Verdict::Differs(what),
            }
        }
        (Verdict::Differs(what), Expectation::Bug(bug)) if bug.kind == SIGNED_OVERFLOW.0 && is_silent(run) => {
            match called(ABSOLUTE, &bug.place, directory) {
                Some(name) => Verdict::Unseen(format!(
                    "{what}: not visible to UndefinedBehaviorSanitizer, which does not check {name}"
                )),
                None => Verdict::Differs(what),
            }
        }
        (verdict, _) => verdict,
    }
}

/// The function that is called at a place, where it is one of these. Where the source has changed there is another word.
fn called(names: &'static str, place: &TestPlace, directory: &Path) -> Option<&'static str> {
    let text = std::fs::read(directory.join(&place.file)).ok()?;
    let line = text.split(|it| *it == b'\n').nth(place.line.checked_sub(1)? as usize)?;
    let rest = line.get(place.column.checked_sub(1)? as usize..)?;
    let is_word = |it: &u8| it.is_ascii_alphanumeric() || *it == b'_';
    let word = &rest[..rest.iter().position(|it| !is_word(it)).unwrap_or(rest.len())];
    names.split_whitespace().find(|it| it.as_bytes() == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_known_by_the_word_at_its_place() {
        let folder = std::env::temp_dir().join(format!("effigy-blind-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("a.c"), "int main(void) {\n  if (scanf(\"%s\", s)) strcpy(a, b);\n}\n").unwrap();
        let at = |line, column| {
            let place = TestPlace { file: "a.c".to_owned(), line, column, ..TestPlace::default() };
            called(UNCHECKED, &place, &folder)
        };
        assert_eq!(at(2, 7), Some("scanf"));
        assert_eq!(at(2, 23), None);
        assert_eq!(at(2, 8), None);
        assert_eq!(at(9, 1), None);
        assert_eq!(at(0, 0), None);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}

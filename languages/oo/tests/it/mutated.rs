//! Programs of the corpus with tokens deleted, doubled, swapped and replaced: each is read, or refused with a place, by
//! the reader of contracts and by that of programs that are executed.

use effigy_oo::ReadError;
use effigy_programs::reader_trial::{corpus, try_reader};

fn have_places(text: &str, errors: &[ReadError]) {
    assert!(!errors.is_empty());
    let lines = 1 + text.matches('\n').count();
    for it in errors {
        assert!(!it.message.is_empty() && it.span.column >= 1, "{it}");
        assert!((1..=lines).contains(&(it.span.line as usize)), "{it}");
    }
}

#[test]
fn mutants_are_read_or_refused_with_a_place() {
    try_reader("oo", corpus("oo", "oo"), &["par", "thread", "untouched", "∧", "⇒", "nil", "/*", "//"], |text| {
        let text = String::from_utf8_lossy(text);
        if let Err(errors) = effigy_oo::read("mutant.oo", &text) {
            have_places(&text, &errors);
        }
        if let Err(errors) = effigy_oo::run::read("mutant.oo", &text) {
            have_places(&text, &errors);
        }
    });
}

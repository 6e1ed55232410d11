//! Programs of the corpus with tokens deleted, doubled, swapped and replaced: each is read, or refused with a place.

use effigy_programs::reader_trial::{corpus, try_reader};
use effigy_viper::{NoImports, read};

#[test]
fn mutants_are_read_or_refused_with_a_place() {
    try_reader("viper", corpus("viper", "vpr"), &["define", "import", "forall", "--*", "|", "@", "\"", "/*"], |text| {
        let text = String::from_utf8_lossy(text);
        let Err(errors) = read("mutant.vpr", &text, &mut NoImports) else { return };
        assert!(!errors.is_empty());
        let lines = 1 + text.matches('\n').count();
        for it in &errors {
            assert!(!it.message.is_empty() && it.span.line >= 1 && it.span.column >= 1, "{it:?}");
            assert!(it.span.file > 0 || it.span.line as usize <= lines, "{it:?}");
        }
    });
}

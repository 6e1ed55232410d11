//! Texts as bits against texts as they are: order, equality, patterns.

use effigy_relations::text::{LONGEST, Text};
use effigy_term::Terms;

const TEXTS: [&str; 12] =
    ["", "a", "A", "ab", "abc", "b", "a_b", "a%b", "0123456789abcde", "0123456789abcdef", "0123456789abcdefg", "zz"];

#[test]
fn bits_compare_as_texts_do() {
    let terms = Terms::new();
    for one in TEXTS.iter().filter(|it| it.len() <= LONGEST) {
        let bits = Text::Bits(Text::certain(&terms, one).bits(&terms).expect("a short text"));
        assert_eq!(bits.certainly(&terms).as_deref(), Some(*one));
        for other in TEXTS {
            let text = Text::certain(&terms, other);
            let said = |it| terms.as_bool(it).expect("a constant");
            assert_eq!(said(bits.equal(&text, &terms)), *one == other, "{one} = {other}");
            assert_eq!(said(bits.less(&text, &terms).expect("no zero")), *one < other, "{one} < {other}");
            assert_eq!(said(text.less(&bits, &terms).expect("no zero")), other < *one, "{other} < {one}");
        }
    }
}

#[test]
fn patterns_match_bits_as_they_match_texts() {
    let terms = Terms::new();
    let patterns = ["", "%", "_", "a%", "%B", "%b%", "a_b", "a\\_b", "a\\%b", "__", "0%f", "0%g", "%%", "a\\"];
    for text in TEXTS.iter().filter(|it| it.len() <= LONGEST) {
        let certain = Text::certain(&terms, text);
        let bits = Text::Bits(certain.bits(&terms).expect("a short text"));
        for pattern in patterns {
            let like = |it: &Text| terms.as_bool(it.like(pattern, Some('\\'), &terms)).expect("a constant");
            assert_eq!(like(&bits), like(&certain), "{text} LIKE {pattern}");
        }
    }
}

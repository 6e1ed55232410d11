//! What strtod reads, by hand-made examples.

use super::*;

#[test]
fn the_longest_beginning_is_read() {
    let longest = |text: &str| {
        let end = (1..=text.len()).take_while(|&it| begins_number(&text[..it])).last().unwrap_or(0);
        (1..=end).rev().find_map(|it| Some((it, float(&text[..it], false)?.0)))
    };
    assert_eq!(longest("3e2x"), Some((3, 300.0)));
    assert_eq!(longest("1.5 in"), Some((3, 1.5)));
    assert_eq!(longest("3e+"), Some((1, 3.0)));
    assert_eq!(longest("0x"), Some((1, 0.0)));
    assert_eq!(longest("0x1.8p1z"), Some((7, 3.0)));
    assert_eq!(longest("-infinitive"), Some((4, f64::NEG_INFINITY)));
    assert_eq!(longest(".5."), Some((2, 0.5)));
    assert_eq!(longest("e5"), None);
    assert_eq!(longest("."), None);
    assert_eq!(longest("nan(12)").map(|it| it.0), Some(7));
    assert_eq!(longest("nan(1-").map(|it| it.0), Some(3));
}

#[test]
fn hexadecimal_numbers_are_rounded_once() {
    let hex = |text: &str| float(text, false).expect("a number");
    assert_eq!(hex("0x1p-1074"), (5e-324, false));
    assert_eq!(hex("0x1.8p-1074"), (1e-323, true));
    assert_eq!(hex("0x1p-1080"), (0.0, true));
    assert_eq!(hex("0x1.00000000000008p0"), (1.0, false));
    assert_eq!(hex("0x1.000000000000080000000000000000000001p0"), (1.000_000_000_000_000_2, false));
    assert_eq!(hex("0x1p1024"), (f64::INFINITY, true));
    assert_eq!(hex("0x1.fffffffffffffp1023"), (f64::MAX, false));
    assert_eq!(hex("-0xap-1"), (-5.0, false));
    assert_eq!(float("0x1.ffffffp127", true), Some((f64::INFINITY, true)));
    assert_eq!(float("0x1.fffffep127", true), Some((f64::from(f32::MAX), false)));
    assert_eq!(float("1e400", false), Some((f64::INFINITY, true)));
    assert_eq!(float("1e-400", false), Some((0.0, true)));
    assert_eq!(float("0e-400", false), Some((0.0, false)));
}

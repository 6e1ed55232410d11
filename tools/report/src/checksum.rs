//! Checksums of what is written, so that a damaged file is told from another result.
//!
//! Knows: where a checksum stands in a JSON object and on a line. Never: what is in a file.
//!
//! Each step of the checksum can be undone, so that no change of a single byte keeps it. It protects from accidents, not
//! from people: what has none was written by somebody else, or edited, and is taken as it is.
//! Source: Fowler, Noll, Vo, FNV-1a with 64 bits.

use crate::damage::Damage;

/// What stands before the checksum of an object, its last member.
const MEMBER: &[u8] = b",\n  \"checksum\": \"";

/// The bytes that follow the checksum.
const END: &[u8] = b"\"\n}";

/// The number of hexadecimal digits of a checksum.
const DIGITS: usize = 16;

fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, it| (hash ^ u64::from(*it)).wrapping_mul(0x0100_0000_01b3))
}

/// An object of JSON, over several lines, with its checksum as a last member.
pub fn sealed(mut json: Vec<u8>) -> Vec<u8> {
    if !json.ends_with(b"\n}") || json.len() < 4 {
        return json;
    }
    json.truncate(json.len() - 2);
    let sum = checksum(&json);
    json.extend_from_slice(MEMBER);
    json.extend_from_slice(format!("{sum:0DIGITS$x}").as_bytes());
    json.extend_from_slice(END);
    json
}

/// Whether an object is as it was sealed, if it was.
///
/// # Errors
/// Where it is not, with the place of the checksum.
pub fn check(json: &[u8]) -> Result<(), Damage> {
    let Some(at) = json.windows(MEMBER.len()).rposition(|it| it == MEMBER) else { return Ok(()) };
    let rest = &json[at + MEMBER.len()..];
    let expected = format!("{:0DIGITS$x}", checksum(&json[..at]));
    match rest.strip_prefix(expected.as_bytes()).and_then(|it| it.strip_prefix(END)) {
        Some(b"" | b"\n") => Ok(()),
        _ => {
            let line = 2 + json[..at].iter().filter(|it| **it == b'\n').count();
            let what = "the file is damaged: it does not have this checksum; whoever has edited it removes the line";
            Err(Damage { at: Some((line, 3)), what: what.to_owned() })
        }
    }
}

/// Appends the checksum to a line from `start` on, which has no tab.
pub fn seal_line(bytes: &mut Vec<u8>, start: usize) {
    let sum = checksum(&bytes[start..]);
    bytes.extend_from_slice(format!("\t{sum:0DIGITS$x}").as_bytes());
}

/// A line without its checksum, if it has one; `None` where it is another.
pub fn unsealed_line(line: &[u8]) -> Option<&[u8]> {
    let Some(tab) = line.iter().rposition(|it| *it == b'\t') else { return Some(line) };
    let (text, sum) = (&line[..tab], &line[tab + 1..]);
    (sum == format!("{:0DIGITS$x}", checksum(text)).as_bytes()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_change_of_a_byte_is_seen_or_changes_nothing() {
        let text = b"{\n  \"a\": [\n    1\n  ]\n}".to_vec();
        let value = |it: &[u8]| serde_json::from_slice::<serde_json::Value>(it).ok();
        let good = sealed(text.clone());
        assert_eq!(value(&good).expect("JSON")["a"], value(&text).expect("JSON")["a"]);
        assert!(check(&good).is_ok() && check(&text).is_ok());
        for at in 0..good.len() {
            for bit in 0..8 {
                let mut other = good.clone();
                other[at] ^= 1 << bit;
                if let (Ok(()), Some(read)) = (check(&other), value(&other)) {
                    assert_eq!(read["a"], serde_json::json!([1]), "{}", String::from_utf8_lossy(&other));
                }
            }
            assert!(value(&good[..at]).is_none(), "{at}");
        }
    }

    #[test]
    fn each_change_of_a_line_is_seen() {
        let mut line = b"{\"gone\":0}".to_vec();
        seal_line(&mut line, 0);
        assert_eq!(unsealed_line(&line), Some(&b"{\"gone\":0}"[..]));
        for at in 0..line.len() {
            let mut other = line.clone();
            other[at] ^= 1;
            // Without its tab it is no JSON.
            let is_line = |it: &[u8]| serde_json::from_slice::<serde_json::Value>(it).is_ok();
            assert!(!unsealed_line(&other).is_some_and(is_line), "byte {at}");
        }
    }
}

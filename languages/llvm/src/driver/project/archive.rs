//! The members of an `ar` archive (`libx.a`).
//!
//! Knows: the format of GNU and BSD `ar`, and thin archives. Never: what is in an object file.

use std::path::PathBuf;

/// How an archive begins; a thin one has only the names of its members.
const MAGIC: &[u8] = b"!<arch>\n";
const THIN: &[u8] = b"!<thin>\n";

/// The size of the head of a member.
const HEAD: usize = 60;

/// A member of an archive.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ArchiveMember<'a> {
    /// The name of the object file; in a thin archive its path from the archive.
    pub name: PathBuf,
    /// The bytes of the object file. `None` in a thin archive.
    pub bytes: Option<&'a [u8]>,
}

/// Whether these are the bytes of an archive.
pub fn is_archive(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC) || bytes.starts_with(THIN)
}

/// The members of an archive, without its tables of symbols and names. `None` where the bytes are no archive; a damaged
/// one has the members before the damage.
pub fn members(archive: &[u8]) -> Option<Vec<ArchiveMember<'_>>> {
    if !is_archive(archive) {
        return None;
    }
    let is_thin = archive.starts_with(THIN);
    let mut res = Vec::new();
    let mut long_names: &[u8] = &[];
    let mut at = MAGIC.len();
    while let Some(head) = archive.get(at..at.saturating_add(HEAD)) {
        let name = String::from_utf8_lossy(&head[..16]).trim_end().to_owned();
        let Some(size) = number(&head[48..58]) else { break };
        let start = at + HEAD;
        let is_table = matches!(&*name, "/" | "//" | "/SYM64/");
        let own_size = if is_thin && !is_table { 0 } else { size };
        let Some(end) = start.checked_add(own_size) else { break };
        let Some(mut bytes) = archive.get(start..end) else { break };
        // Members begin at even offsets.
        at = end + end % 2;
        if name == "//" {
            long_names = bytes;
        }
        if is_table {
            continue;
        }
        let name = if let Some(length) = name.strip_prefix("#1/") {
            // BSD: the name stands before the bytes.
            let Some(length) = length.parse().ok().filter(|it| *it <= bytes.len()) else { break };
            let (name, rest) = bytes.split_at(length);
            bytes = rest;
            String::from_utf8_lossy(name).trim_end_matches('\0').to_owned()
        } else if let Some(offset) = name.strip_prefix('/').and_then(|it| it.parse::<usize>().ok()) {
            let Some(rest) = long_names.get(offset..) else { break };
            let end = rest.iter().position(|it| *it == b'\n').unwrap_or(rest.len());
            String::from_utf8_lossy(&rest[..end]).trim_end_matches('/').to_owned()
        } else {
            name.trim_end_matches('/').to_owned()
        };
        if name.starts_with("__.SYMDEF") || name.is_empty() {
            continue;
        }
        res.push(ArchiveMember { name: name.into(), bytes: (!is_thin).then_some(bytes) });
    }
    Some(res)
}

/// A decimal number with spaces behind it.
fn number(text: &[u8]) -> Option<usize> {
    std::str::from_utf8(text).ok()?.trim_end().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(name: &str, bytes: &str) -> String {
        let padding = if bytes.len() % 2 == 1 { "\n" } else { "" };
        format!("{name:16}{:12}{:6}{:6}{:8}{:<10}`\n{bytes}{padding}", 0, 0, 0, 644, bytes.len())
    }

    fn names(archive: &str) -> Option<String> {
        let names: Vec<String> = members(archive.as_bytes())?.iter().map(|it| it.name.display().to_string()).collect();
        Some(names.join(" "))
    }

    #[test]
    fn members_of_each_kind_are_read() {
        let text = format!(
            "!<arch>\n{}{}{}{}{}",
            member("/", "symbols"),
            member("//", "a_very_long_name.c.o/\nother.o/\n"),
            member("short.o/", "abc"),
            member("/0", "defg"),
            member("#1/6", "bsd.o\0rest")
        );
        assert_eq!(names(&text).as_deref(), Some("short.o a_very_long_name.c.o bsd.o"));
        let read = members(text.as_bytes()).unwrap_or_default();
        assert_eq!(read[0].bytes, Some(&b"abc"[..]));
        assert_eq!(read[2].bytes, Some(&b"rest"[..]));
    }

    #[test]
    fn what_is_damaged_ends_the_list() {
        assert_eq!(names("no archive"), None);
        assert_eq!(names("!<arch>\n").as_deref(), Some(""));
        let text = format!("!<arch>\n{}{}", member("a.o/", "abc"), member("/99", "x"));
        assert_eq!(names(&text).as_deref(), Some("a.o"));
        assert_eq!(names(&text[..30]).as_deref(), Some(""));
        let huge = format!("!<arch>\n{}", member("a.o/", "").replace("6440 ", "64499"));
        assert_eq!(names(&huge).as_deref(), Some(""));
    }
}

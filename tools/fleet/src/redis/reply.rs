//! Answers of a server, read within bounds.
//!
//! Knows: RESP2; that whoever answers may send anything, of any size, as slowly as it likes. Never: what was asked.
//! Source: the specification of the Redis serialization protocol, version 2.

use crate::item::MOST_ANSWER;
use std::io::{self, BufRead};

/// Values of one answer: the library answers with three for each of 1,024 items at most.
const MOST_VALUES: usize = 1 << 14;

/// Lists within lists: the library answers with one.
const DEEPEST: usize = 4;

/// Bytes of a line: a status, an error, a length.
const LONGEST_LINE: usize = 4096;

/// A value that is announced as large is read in pieces of so many bytes: memory is taken for what has come.
const PIECE: usize = 64 << 10;

/// Characters of a server's text in a message.
const LONGEST_TEXT: usize = 300;

/// A reply of the server, in RESP2.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Reply {
    /// A simple status, such as `OK`.
    Status(Vec<u8>),
    /// A refusal: its first word is a code.
    Error(Vec<u8>),
    Int(i64),
    Bulk(Vec<u8>),
    Nil,
    List(Vec<Reply>),
}

/// Why there is no answer.
#[derive(Debug)]
pub(super) enum ReadError {
    /// The connection broke, or nothing came in time.
    Io(io::Error),
    /// It is no answer of a server of Redis.
    Malformed(String),
    /// It is larger than an answer may be.
    Oversized,
    /// The server refuses who asks.
    Refused(Vec<u8>),
}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> ReadError {
        ReadError::Io(error)
    }
}

/// Reads one whole reply of the server.
pub(super) fn read(from: &mut impl BufRead) -> Result<Reply, ReadError> {
    ReplyReader { from, bytes: MOST_ANSWER, values: MOST_VALUES }.reply(0)
}

/// Text of a server for people: whatever would steer a terminal is written as its number.
pub(super) fn shown(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let steers = |it: char| {
        it.is_control()
            || matches!(it, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
    };
    let mut res = String::new();
    for (count, it) in text.chars().enumerate() {
        if count == LONGEST_TEXT {
            res.push_str(" …");
            break;
        }
        if steers(it) { res.extend(it.escape_default()) } else { res.push(it) }
    }
    res
}

/// One answer, with what is left of its bounds.
struct ReplyReader<'a, R> {
    from: &'a mut R,
    bytes: usize,
    values: usize,
}

impl<R: BufRead> ReplyReader<'_, R> {
    fn take(&mut self, bytes: usize) -> Result<(), ReadError> {
        self.bytes = self.bytes.checked_sub(bytes).ok_or(ReadError::Oversized)?;
        Ok(())
    }

    fn reply(&mut self, depth: usize) -> Result<Reply, ReadError> {
        self.values = self.values.checked_sub(1).ok_or(ReadError::Oversized)?;
        let line = self.line()?;
        let malformed = || ReadError::Malformed(format!("`{}` begins no value", shown(&line)));
        let (kind, rest) = line.split_first().ok_or_else(|| ReadError::Malformed("an empty line".to_owned()))?;
        match kind {
            b'+' => Ok(Reply::Status(rest.to_vec())),
            b'-' => Ok(Reply::Error(rest.to_vec())),
            b':' => Ok(Reply::Int(number(rest).ok_or_else(malformed)?)),
            b'$' => match number(rest) {
                Some(-1) => Ok(Reply::Nil),
                Some(length) => self.bulk(usize::try_from(length).map_err(|_| malformed())?),
                None => Err(malformed()),
            },
            b'*' => match number(rest) {
                Some(-1) => Ok(Reply::Nil),
                Some(length) => self.list(usize::try_from(length).map_err(|_| malformed())?, depth),
                None => Err(malformed()),
            },
            _ => Err(malformed()),
        }
    }

    /// A line without its end.
    fn line(&mut self) -> Result<Vec<u8>, ReadError> {
        let mut res = Vec::new();
        loop {
            let buffer = match self.from.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                other => other?,
            };
            if buffer.is_empty() {
                return Err(ReadError::Io(io::ErrorKind::UnexpectedEof.into()));
            }
            let end = buffer.iter().position(|it| *it == b'\n');
            let length = end.map_or(buffer.len(), |it| it + 1);
            res.extend_from_slice(&buffer[..length]);
            self.from.consume(length);
            self.take(length)?;
            if res.len() > LONGEST_LINE {
                return Err(ReadError::Oversized);
            }
            if end.is_some() {
                res.pop();
                return match res.pop() {
                    Some(b'\r') => Ok(res),
                    _ => Err(ReadError::Malformed("a line without a carriage return".to_owned())),
                };
            }
        }
    }

    fn bulk(&mut self, length: usize) -> Result<Reply, ReadError> {
        self.take(length.checked_add(2).ok_or(ReadError::Oversized)?)?;
        let mut res = Vec::with_capacity(length.min(PIECE));
        while res.len() < length {
            let start = res.len();
            res.resize(length.min(start + PIECE), 0);
            self.from.read_exact(&mut res[start..])?;
        }
        let mut end = [0; 2];
        self.from.read_exact(&mut end)?;
        match &end {
            b"\r\n" => Ok(Reply::Bulk(res)),
            _ => Err(ReadError::Malformed("a text without its end".to_owned())),
        }
    }

    fn list(&mut self, length: usize, depth: usize) -> Result<Reply, ReadError> {
        if depth >= DEEPEST || length > self.values {
            return Err(ReadError::Oversized);
        }
        (0..length).map(|_| self.reply(depth + 1)).collect::<Result<_, _>>().map(Reply::List)
    }
}

fn number(text: &[u8]) -> Option<i64> {
    std::str::from_utf8(text).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of(mut bytes: &[u8]) -> Result<Reply, ReadError> {
        read(&mut bytes)
    }

    #[test]
    fn what_a_server_answers_is_read() {
        let text = b"*5\r\n:-7\r\n$3\r\na\r\n\r\n$-1\r\n+OK\r\n*1\r\n-ERR no\r\n";
        let expected = Reply::List(vec![
            Reply::Int(-7),
            Reply::Bulk(b"a\r\n".to_vec()),
            Reply::Nil,
            Reply::Status(b"OK".to_vec()),
            Reply::List(vec![Reply::Error(b"ERR no".to_vec())]),
        ]);
        assert_eq!(of(text).unwrap(), expected);
        for length in 0..text.len() {
            assert!(matches!(of(&text[..length]), Err(ReadError::Io(_))), "the first {length} bytes");
        }
    }

    #[test]
    fn what_is_too_large_is_not_read() {
        for text in [
            "$99999999999\r\n".to_owned(),
            format!("${MOST_ANSWER}\r\n"),
            format!("*{}\r\n", MOST_VALUES + 1),
            "*1\r\n".repeat(100),
            "*1000\r\n".repeat(5),
            "+".repeat(LONGEST_LINE + 2),
            format!("*2\r\n*{}\r\n{}", MOST_VALUES - 2, ":1\r\n".repeat(MOST_VALUES)),
        ] {
            assert!(matches!(of(text.as_bytes()), Err(ReadError::Oversized)), "{}", &text[..20.min(text.len())]);
        }
        // What is announced and does not come takes no memory.
        assert!(matches!(of(b"$60000000\r\nabc"), Err(ReadError::Io(_))));
    }

    #[test]
    fn what_is_no_answer_is_none() {
        for text in ["\r\n", "HTTP/1.1 400\r\n", "$x\r\n", "$-2\r\n", "*-2\r\n", ":\r\n", ":99999999999999999999\r\n"] {
            assert!(matches!(of(text.as_bytes()), Err(ReadError::Malformed(_))), "{text}");
        }
        assert!(matches!(of(b"+OK\n"), Err(ReadError::Malformed(_))));
        assert!(matches!(of(b"$1\r\nabc"), Err(ReadError::Malformed(_))));
    }

    #[test]
    fn no_text_of_a_server_steers_a_terminal() {
        assert_eq!(shown(b"a \x1b[31mred\x07\r"), "a \\u{1b}[31mred\\u{7}\\r");
        assert_eq!(shown("\u{9b}2J \u{202e}".as_bytes()), "\\u{9b}2J \\u{202e}");
        assert!(shown(&[0xff; 10_000]).chars().count() < 400);
    }

    /// Answers that are nearly right: lengths that lie, lists within lists, lines without an end.
    #[test]
    fn mutants_of_answers_are_read_or_refused() {
        let answers = [
            "*3\r\n$3\r\na\r\n\r\n:-7\r\n$-1\r\n",
            "*2\r\n*2\r\n$1\r\nx\r\n+OK\r\n*0\r\n",
            "-ERR no such function\r\n",
            "-NOSCRIPT no\r\n",
            "$5\r\nhello\r\n",
            ":1048576\r\n",
        ];
        effigy_testing::reader_trial::try_reader("redis", answers, &["*", "$", ":", "+", "-", "\r\n"], |bytes| {
            let mut left = bytes;
            if let Ok(reply) = read(&mut left) {
                // What was read takes no more than what came: each value has a line, each text its bytes.
                assert!(size(&reply) <= bytes.len() - left.len(), "{reply:?}");
            }
        });
    }

    /// The bytes that a reply has at least.
    fn size(reply: &Reply) -> usize {
        match reply {
            Reply::Status(text) | Reply::Error(text) | Reply::Bulk(text) => text.len() + 3,
            Reply::Int(_) | Reply::Nil => 4,
            Reply::List(items) => 4 + items.iter().map(size).sum::<usize>(),
        }
    }

    proptest! {
        #[test]
        fn anything_may_come(bytes in proptest::collection::vec(prop_oneof![any::<u8>(), Just(b'*'), Just(b'$'), Just(b'1'), Just(b'\r'), Just(b'\n')], 0..200)) {
            let _ = of(&bytes);
        }
    }
}

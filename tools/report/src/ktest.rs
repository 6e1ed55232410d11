//! The `.ktest` files that KLEE's tools read.
//!
//! Knows: format version 3: `KTEST`, version, arguments, two numbers for symbolic arguments, objects; all numbers
//! are 32 bits, big-endian.

/// A test in this format.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct KTest {
    /// The command line, the program first.
    pub arguments: Vec<String>,
    /// Name and bytes of each object.
    pub objects: Vec<(String, Vec<u8>)>,
}

const MAGIC: &[u8] = b"KTEST";
const VERSION: u32 = 3;

/// The bytes of the file.
pub fn write(test: &KTest) -> Vec<u8> {
    let mut res = MAGIC.to_vec();
    let number = |res: &mut Vec<u8>, it: usize| res.extend((it as u32).to_be_bytes());
    number(&mut res, VERSION as usize);
    number(&mut res, test.arguments.len());
    for argument in &test.arguments {
        number(&mut res, argument.len());
        res.extend(argument.as_bytes());
    }
    number(&mut res, 0);
    number(&mut res, 0);
    number(&mut res, test.objects.len());
    for (name, bytes) in &test.objects {
        number(&mut res, name.len());
        res.extend(name.as_bytes());
        number(&mut res, bytes.len());
        res.extend(bytes);
    }
    res
}

/// Whether the file begins as such a file does; it may still be damaged.
pub fn is_marked(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// Reads such a file; `None` if it is none.
pub fn read(bytes: &[u8]) -> Option<KTest> {
    let mut rest = bytes.strip_prefix(MAGIC)?;
    fn take<'a>(rest: &mut &'a [u8], count: usize) -> Option<&'a [u8]> {
        let (head, tail) = rest.split_at_checked(count)?;
        *rest = tail;
        Some(head)
    }
    fn number(rest: &mut &[u8]) -> Option<usize> {
        Some(u32::from_be_bytes(take(rest, 4)?.try_into().ok()?) as usize)
    }
    fn text(rest: &mut &[u8]) -> Option<String> {
        let length = number(rest)?;
        Some(String::from_utf8_lossy(take(rest, length)?).into_owned())
    }
    let version = number(&mut rest)?;
    if version > VERSION as usize {
        return None;
    }
    let mut test = KTest::default();
    for _ in 0..number(&mut rest)? {
        test.arguments.push(text(&mut rest)?);
    }
    if version >= 2 {
        take(&mut rest, 8)?;
    }
    for _ in 0..number(&mut rest)? {
        let name = text(&mut rest)?;
        let length = number(&mut rest)?;
        test.objects.push((name, take(&mut rest, length)?.to_vec()));
    }
    Some(test)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let test = KTest {
            arguments: vec!["a.out".to_owned()],
            objects: vec![("x".to_owned(), vec![1, 2, 3]), ("empty".to_owned(), Vec::new())],
        };
        assert_eq!(read(&write(&test)), Some(test));
    }

    #[test]
    fn a_cut_file_is_refused() {
        let bytes = write(&KTest { arguments: vec!["a".to_owned()], objects: vec![("x".to_owned(), vec![1])] });
        for length in 0..bytes.len() {
            assert_eq!(read(&bytes[..length]), None, "the first {length} bytes");
        }
    }
}

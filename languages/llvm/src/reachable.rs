//! The part of a whole program of Rust that a run can come to.
//!
//! Knows: the lines of textual LLVM IR and the names on them. Never: what they mean.
//!
//! A program that is linked with Rust's standard library is some 40 MB of text, of which one entry uses a hundredth. What
//! it cannot come to becomes empty lines, so that errors name the lines of the file. A function that is built in
//! becomes a declaration, so that what it would call is left out as well.

use crate::libc;
use crate::library;
use crate::names::{is_named, is_text_writer, is_whole_rust_program};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

/// What is always kept: what runs before and after the program.
const KEPT: [&[u8]; 2] = [b"llvm.global_ctors", b"llvm.global_dtors"];

/// Where a program starts that has no entry of the user's choice, and no `main` of Rust.
const STARTS: [&str; 2] = ["main", "LLVMFuzzerTestOneInput"];

/// Empties the lines of each module that a run from `entry` cannot come to (from the program's start, where it is `None`),
/// and nothing in another module refers to. Of modules that are no whole programs of Rust everything stays.
pub fn keep(modules: &mut [(String, Vec<u8>)], entry: Option<&str>) {
    for at in 0..modules.len() {
        if !is_whole_rust_program(&modules[at].1) {
            continue;
        }
        let others = modules.iter().enumerate().filter(|it| it.0 != at).map(|it| &it.1.1);
        let wanted: FxHashSet<&[u8]> = others.flat_map(|it| library::declared(it)).collect();
        let text = Text::new(&modules[at].1);
        // What calls the `main` of Rust is the start of every program.
        let is_main = |it: &str| it != "main" && is_named(it, "main");
        let has_main = text.defines(is_main);
        let is_start = |it: &str| match entry {
            Some(entry) => is_named(it, entry),
            None if has_main => is_main(it),
            None => STARTS.contains(&it),
        };
        let kept = text.kept(|it| is_start(it) || wanted.contains(it.as_bytes()), Bodies::Kept);
        modules[at].1 = kept;
    }
}

/// The text of a module without what is not reachable from its functions and variables with these names.
pub fn from(text: &[u8], names: &FxHashSet<&str>) -> Vec<u8> {
    Text::new(text).kept(|it| names.contains(it), Bodies::Kept)
}

/// The variables of a module whose name `is_wanted`, with what they refer to: functions are declared only.
pub(crate) fn variables(text: &[u8], is_wanted: impl Fn(&str) -> bool) -> Vec<u8> {
    Text::new(text).kept(is_wanted, Bodies::Left)
}

/// What becomes of the bodies of functions that are reachable.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bodies {
    Kept,
    /// All functions become declarations.
    Left,
}

/// The lines of a module, by what they define.
struct Text<'a> {
    text: &'a [u8],
    /// The bytes of the definition of each function, variable and alias.
    definitions: FxHashMap<&'a [u8], Range<usize>>,
    /// The bytes of each numbered node of metadata.
    metadata: FxHashMap<u32, Range<usize>>,
    /// What is neither.
    others: Vec<Range<usize>>,
    own_allocator: bool,
}

impl<'a> Text<'a> {
    fn new(text: &'a [u8]) -> Text<'a> {
        let mut res = Text {
            text,
            definitions: FxHashMap::default(),
            metadata: FxHashMap::default(),
            others: Vec::new(),
            own_allocator: false,
        };
        let mut at = 0;
        while at < text.len() {
            let mut end = line_end(text, at);
            let line = &text[at..end];
            if line.starts_with(b"define ") {
                // A body ends with the first line that begins with its brace.
                end = memchr::memmem::find(&text[at..], b"\n}").map_or(text.len(), |it| line_end(text, at + it + 1));
            }
            let defines = line.starts_with(b"define ") || line.starts_with(b"@");
            match (defines.then(|| name(line)).flatten(), node(line)) {
                (Some(name), _) => {
                    res.own_allocator |= std::str::from_utf8(name).is_ok_and(libc::is_own_allocator);
                    res.definitions.insert(name, at..end);
                }
                (None, Some(number)) => drop(res.metadata.insert(number, at..end)),
                (None, None) => res.others.push(at..end),
            }
            at = end;
        }
        res
    }

    /// Whether it defines something that is called so.
    fn defines(&self, is_it: impl Fn(&str) -> bool) -> bool {
        self.definitions.keys().any(|it| std::str::from_utf8(it).is_ok_and(&is_it))
    }

    /// The text without what is not reachable from the names that are roots.
    fn kept(&self, is_root: impl Fn(&str) -> bool, bodies: Bodies) -> Vec<u8> {
        let text_of = |it: &[u8]| std::str::from_utf8(it).is_ok_and(&is_root);
        let mut waiting: Vec<&[u8]> = self.definitions.keys().copied().filter(|it| text_of(it)).collect();
        waiting.extend(KEPT);
        if bodies == Bodies::Kept {
            // Nobody calls it where panics are built in, and it makes their texts.
            let writes = |it: &&[u8]| std::str::from_utf8(it).is_ok_and(is_text_writer);
            waiting.extend(self.definitions.keys().copied().filter(writes));
        }
        let mut kept: Vec<Range<usize>> = self.others.clone();
        let (mut found, mut nodes) = (FxHashSet::default(), Vec::new());
        let mut declared: FxHashSet<usize> = FxHashSet::default();
        while let Some(name) = waiting.pop() {
            let Some(range) = self.definitions.get(name).filter(|_| found.insert(name)) else { continue };
            kept.push(range.clone());
            let text = &self.text[range.clone()];
            let left = bodies == Bodies::Left && text.starts_with(b"define ");
            if left || self.is_built_in(name, text) {
                declared.insert(range.start);
                continue;
            }
            waiting.extend(references(text, b'@').filter_map(|it| leading_name(it)));
            nodes.extend(references(text, b'!').filter_map(number));
        }
        for range in &self.others {
            nodes.extend(references(&self.text[range.clone()], b'!').filter_map(number));
        }
        let mut known = FxHashSet::default();
        while let Some(node) = nodes.pop() {
            let Some(range) = self.metadata.get(&node).filter(|_| known.insert(node)) else { continue };
            kept.push(range.clone());
            let line = &self.text[range.clone()];
            // A compilation unit lists all that it has.
            if memchr::memmem::find(line, b"!DICompileUnit(").is_none() {
                let content = memchr::memchr(b'=', line).map_or(line, |it| &line[it..]);
                nodes.extend(references(content, b'!').filter_map(number));
            }
        }
        kept.sort_by_key(|it| it.start);
        self.written(&kept, &declared)
    }

    fn is_built_in(&self, name: &[u8], text: &[u8]) -> bool {
        let name = std::str::from_utf8(name).ok().filter(|_| text.starts_with(b"define "));
        name.is_some_and(|it| libc::find_defined(it, self.own_allocator).is_some())
    }

    /// These stretches of the text, of which those that begin at `declared` become declarations, and empty lines
    /// for the rest.
    fn written(&self, kept: &[Range<usize>], declared: &FxHashSet<usize>) -> Vec<u8> {
        let mut res = Vec::new();
        let mut at = 0;
        let blank = |res: &mut Vec<u8>, range: Range<usize>| {
            let lines = memchr::memchr_iter(b'\n', &self.text[range]).count();
            res.resize(res.len() + lines, b'\n');
        };
        for range in kept {
            blank(&mut res, at..range.start);
            if declared.contains(&range.start) {
                res.extend(declaration(&self.text[range.start..line_end(self.text, range.start)]));
                blank(&mut res, range.clone());
            } else {
                res.extend(&self.text[range.clone()]);
            }
            at = range.end;
        }
        blank(&mut res, at..self.text.len());
        res
    }
}

/// Where the line ends that has the byte at `at`, its end of line included.
fn line_end(text: &[u8], at: usize) -> usize {
    memchr::memchr(b'\n', &text[at..]).map_or(text.len(), |it| at + it + 1)
}

/// The declaration of a function whose definition begins with this line: up to the end of its parameters.
fn declaration(line: &[u8]) -> Vec<u8> {
    let rest = line.strip_prefix(b"define ").unwrap_or(line);
    let rest = [&b"internal "[..], b"private ", b"linkonce_odr ", b"weak_odr "]
        .iter()
        .find_map(|it| rest.strip_prefix(*it))
        .unwrap_or(rest);
    let mut depth = 0;
    let from = memchr::memchr(b'@', rest).unwrap_or(0);
    let end = rest[from..].iter().position(|it| {
        depth += i32::from(*it == b'(') - i32::from(*it == b')');
        *it == b')' && depth == 0
    });
    let end = end.map_or(rest.len(), |it| from + it + 1);
    [b"declare ", &rest[..end]].concat()
}

/// The name that a definition gives.
fn name(line: &[u8]) -> Option<&[u8]> {
    leading_name(&line[memchr::memchr(b'@', line)? + 1..])
}

/// The name at the beginning of a text, without its quotation marks.
fn leading_name(text: &[u8]) -> Option<&[u8]> {
    if let Some(quoted) = text.strip_prefix(b"\"") {
        return Some(&quoted[..memchr::memchr(b'"', quoted)?]);
    }
    let is_part = |it: &u8| it.is_ascii_alphanumeric() || matches!(it, b'_' | b'.' | b'$' | b'-');
    let length = text.iter().position(|it| !is_part(it)).unwrap_or(text.len());
    (length > 0).then_some(&text[..length])
}

/// What follows each occurrence of a sign.
fn references(text: &[u8], sign: u8) -> impl Iterator<Item = &[u8]> {
    memchr::memchr_iter(sign, text).map(|it| &text[it + 1..])
}

/// The number at the beginning of a text.
fn number(text: &[u8]) -> Option<u32> {
    let length = text.iter().position(|it| !it.is_ascii_digit()).unwrap_or(text.len());
    std::str::from_utf8(&text[..length]).ok()?.parse().ok()
}

/// The number of the node that a line `!12 = …` defines.
fn node(line: &[u8]) -> Option<u32> {
    let rest = line.strip_prefix(b"!")?;
    let number = number(rest)?;
    let digits = rest.iter().take_while(|it| it.is_ascii_digit()).count();
    rest[digits..].starts_with(b" = ").then_some(number)
}

#[cfg(test)]
mod tests {
    use super::{Bodies, Text};

    const PROGRAM: &str = "\
source_filename = \"p\"
@used = constant ptr @callee
@unused = constant i32 1
define internal i32 @entry() unnamed_addr !dbg !4 {
  %1 = load ptr, ptr @used
  call void @_RNvNtCsgEmfK2I1SDS_4core9panicking9panic_fmt(ptr %1)
  ret i32 0
}

define void @callee() {
  ret void
}

define internal void @_RNvNtCsgEmfK2I1SDS_4core9panicking9panic_fmt(ptr align 8 captures(none) %0) #3 !dbg !5 {
  call void @elsewhere()
  unreachable
}
define void @elsewhere() {
  ret void
}
!llvm.dbg.cu = !{!1}
!1 = !DICompileUnit(globals: !6)
!2 = !DIFile(filename: \"a\")
!4 = !DISubprogram(file: !2)
!5 = !DISubprogram(file: !2)
!6 = !{!7}
";

    #[test]
    fn what_an_entry_uses_is_kept_on_its_lines() {
        let kept = Text::new(PROGRAM.as_bytes()).kept(|it| it == "entry", Bodies::Kept);
        let kept = String::from_utf8(kept).expect("text");
        let mut expected: Vec<&str> = PROGRAM.split('\n').collect();
        let panic = "declare void @_RNvNtCsgEmfK2I1SDS_4core9panicking9panic_fmt(ptr align 8 captures(none) %0)";
        let (at, end) = (13, 16);
        expected[at] = panic;
        expected[at + 1..=end].fill("");
        for lost in ["@unused =", "define void @elsewhere", "!5 =", "!6 ="] {
            let at = expected.iter().position(|it| it.starts_with(lost)).expect(lost);
            expected[at] = "";
            if lost.starts_with("define") {
                expected[at + 1..at + 3].fill("");
            }
        }
        assert_eq!(kept, expected.join("\n"));
        assert!(crate::reader::read(kept.as_bytes()).is_ok());
    }

    #[test]
    fn what_is_no_module_is_no_panic() {
        for text in ["define ", "@", "!", "!7", "define @\"", "define @x(\n", "@\"\n!1 = !1", "\n}\ndefine void @a("] {
            Text::new(text.as_bytes()).kept(|_| true, Bodies::Kept);
        }
    }
}

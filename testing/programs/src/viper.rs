//! Random small Viper programs, as text, of which a good share verifies.
//!
//! Knows: what is held and what values are at each point of the program that it writes, roughly, so that most of what it
//! writes is right; now and then it writes something that need not be. Never: grammar trees, terms, verdicts.
//! Generators read bytes; a zero is the simplest choice. Each statement and each conjunct has a line of its own, so
//! that a program shrinks by dropping lines ([`without`]).

mod abstract_state;
mod body;

use body::Writer;

/// The declarations that all programs have.
const HEAD: &str = "\
field f: Int
field g: Int
field n: Ref

predicate cell(it: Ref) {
  acc(it.f) &&
  it.f >= 0
}

predicate half(it: Ref) {
  acc(it.g, 1/2)
}

predicate list(it: Ref) {
  acc(it.f) &&
  acc(it.n) &&
  (it.n != null ==> list(it.n))
}

function get(it: Ref): Int
  requires cell(it)
{
  unfolding cell(it) in it.f
}

function peek(it: Ref): Int
  requires half(it)
{
  unfolding half(it) in it.g
}

function sum(it: Ref): Int
  requires list(it)
{
  unfolding list(it) in it.f + (it.n == null ? 0 : sum(it.n))
}
";

/// Random bytes, read as choices.
pub(crate) struct Source<'a> {
    bytes: std::slice::Iter<'a, u8>,
}

impl Source<'_> {
    /// A number below `count`; 0 when the bytes are used up.
    pub(crate) fn below(&mut self, count: usize) -> usize {
        usize::from(self.bytes.next().copied().unwrap_or(0)) % count.max(1)
    }

    /// True once in this number of times.
    pub(crate) fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == times - 1
    }

    pub(crate) fn one<'t, T: ?Sized>(&mut self, choices: &[&'t T]) -> &'t T {
        choices[self.below(choices.len())]
    }
}

/// A program from bytes: one to three methods, of which the later call the earlier.
pub fn program(bytes: &[u8]) -> String {
    let mut source = Source { bytes: bytes.iter() };
    let mut text = HEAD.to_owned();
    let mut callees = Vec::new();
    for at in 0..1 + source.below(3) {
        let (method, contract) = Writer::new(&mut source, &callees).method(&format!("m{at}"));
        text.push('\n');
        text.push_str(&method);
        callees.push(contract);
    }
    text
}

/// The program without a line, and where it opens a block without the block, or with only its inside. The smallest
/// first; most are not programs any more, the reader tells.
pub fn without(text: &str, line: usize) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let Some(first) = lines.get(line) else { return Vec::new() };
    let join = |kept: Vec<&str>| kept.join("\n") + "\n";
    let mut res = Vec::new();
    if first.ends_with('{') {
        let depth = |it: &&&str| it.len() - it.trim_start().len();
        let end = lines[line + 1..].iter().position(|it| depth(&it) <= depth(&first) && it.trim() == "}");
        if let Some(end) = end.map(|it| line + 1 + it) {
            res.push(join(lines[..line].iter().chain(&lines[end + 1..]).copied().collect()));
            let inside = lines[..line].iter().chain(&lines[line + 1..end]).chain(&lines[end + 1..]);
            res.push(join(inside.copied().collect()));
        }
    }
    res.push(join(lines[..line].iter().chain(&lines[line + 1..]).copied().collect()));
    // The last of several conjuncts has no conjunction after it.
    if let (false, Some(before)) = (first.ends_with("&&"), line.checked_sub(1).map(|it| lines[it]))
        && let Some(before) = before.strip_suffix(" &&")
    {
        res.push(join(lines[..line - 1].iter().copied().chain([before]).chain(lines[line + 1..].to_vec()).collect()));
    }
    res
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_of_no_bytes_is_small() {
        let text = program(&[]);
        assert!(text.lines().count() < HEAD.lines().count() + 30, "{text}");
    }

    #[test]
    fn lines_can_be_dropped_with_their_blocks() {
        let text = "a {\n  b &&\n  c\n}\nd\n";
        assert_eq!(without(text, 0), ["d\n", "  b &&\n  c\nd\n", "  b &&\n  c\n}\nd\n"]);
        assert_eq!(without(text, 2), ["a {\n  b &&\n}\nd\n", "a {\n  b\n}\nd\n"]);
    }
}

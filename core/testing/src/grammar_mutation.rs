//! Texts that are nearly right: tokens of a grammar deleted, doubled, swapped and replaced by others of it, numbers made
//! extreme, nesting made deep.
//!
//! Knows: what a token is in the texts that we read. Never: a grammar; its words are those of the examples, and those
//! that a test adds. The same seed makes the same texts.

/// A small generator of numbers, the same on every machine (Knuth's MMIX constants).
#[derive(Clone, Debug)]
pub struct Numbers(u64);

impl Numbers {
    /// The generator that begins with this seed.
    pub fn new(seed: u64) -> Numbers {
        Numbers(seed)
    }

    /// A number below `bound`; 0 where there is none.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound.max(1)
    }
}

/// The kind of a token: what may stand in its place and leave a text nearly right.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Space,
    Name,
    Number,
    Operator,
    /// A single byte: a bracket, a quote, a separator, what is no text.
    Mark,
}

/// A piece of a text.
type Token = Vec<u8>;

/// Numbers at the edges of what machines and readers hold.
const NUMBERS: &[&str] = &[
    "0",
    "-1",
    "1",
    "255",
    "65536",
    "2147483647",
    "-2147483648",
    "4294967296",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "99999999999999999999999999999999999999999",
    "0x",
    "0xffffffffffffffffffffff",
    "00000000000000000000001",
    "1.",
    ".5",
    "1e308",
    "1e999999999",
    "-0.0",
    "NaN",
];

/// What no grammar has a place for.
const JUNK: &[&[u8]] = &[b"\0", b"\xff", b"\xc3", "\u{feff}".as_bytes(), "☃".as_bytes(), b"\r", b"\x1b[31m"];

/// How often a stretch is repeated, or a pair of brackets laid around one.
const DEPTHS: &[usize] = &[2, 7, 40, 300, 3_000];

/// Repeated text is no longer than this.
const MOST_REPEATED: usize = 60_000;

/// Pairs of brackets that nest.
const BRACKETS: &[(&[u8], &[u8])] = &[(b"(", b")"), (b"[", b"]"), (b"{", b"}"), (b"<", b">")];

/// A source of mutants of examples, by a seed.
#[derive(Clone, Debug)]
pub struct Mutator {
    numbers: Numbers,
    examples: Vec<Vec<u8>>,
    /// The tokens of all examples and the words that a test adds, without spaces, each once.
    words: Vec<Token>,
}

impl Mutator {
    /// Mutants of these texts, from which the words of the grammar are learnt; `words` are more of them.
    pub fn new<T: Into<Vec<u8>>>(seed: u64, examples: impl IntoIterator<Item = T>, words: &[&str]) -> Mutator {
        let examples: Vec<Vec<u8>> = examples.into_iter().map(Into::into).collect();
        let mut all: Vec<Token> =
            examples.iter().flat_map(|it| tokens(it)).filter(|it| kind(it) != Kind::Space).collect();
        all.extend(words.iter().map(|it| it.as_bytes().to_vec()));
        all.sort_unstable();
        all.dedup();
        Mutator { numbers: Numbers::new(seed), examples, words: all }
    }

    /// A mutant of one of the examples.
    pub fn mutant(&mut self) -> Vec<u8> {
        let example = self.numbers.below(self.examples.len());
        let text = self.examples.get(example).cloned().unwrap_or_default();
        self.mutated(&text)
    }

    /// A mutant of this text, changed in one to four places.
    pub fn mutated(&mut self, text: &[u8]) -> Vec<u8> {
        let mut tokens = tokens(text);
        for _ in 0..1 + self.numbers.below(4) {
            self.change(&mut tokens);
        }
        tokens.concat()
    }

    fn change(&mut self, tokens: &mut Vec<Token>) {
        let count = tokens.len();
        if count == 0 {
            return tokens.extend(self.word(None));
        }
        let at = self.numbers.below(count);
        let end = |length: usize| (at + length).min(count);
        match self.numbers.below(12) {
            0 => drop(tokens.drain(at..end(1 + self.numbers.below(4)))),
            1 => {
                let copy = tokens[at..end(1 + self.numbers.below(30))].to_vec();
                let to = self.numbers.below(count);
                tokens.splice(to..to, copy);
            }
            2 | 3 => {
                let other = self.numbers.below(count);
                tokens.swap(at, other);
            }
            // Another word of the same kind, so that the text may well be one of the language.
            4..=6 => {
                let kind = kind(&tokens[at]);
                tokens[at] = self.word(Some(kind)).unwrap_or_default();
            }
            7 => {
                let word = self.word(None).unwrap_or_default();
                tokens.splice(at..at, [b" ".to_vec(), word, b" ".to_vec()]);
            }
            8 => {
                let number = (0..count).map(|it| (at + it) % count).find(|&it| kind(&tokens[it]) == Kind::Number);
                if let Some(number) = number {
                    tokens[number] = NUMBERS[self.numbers.below(NUMBERS.len())].into();
                }
            }
            9 => {
                let end = end(1 + self.numbers.below(8));
                let depth = DEPTHS[self.numbers.below(DEPTHS.len())];
                self.nest(tokens, at, end, depth);
            }
            10 => match self.numbers.below(4) {
                0 => tokens.truncate(at),
                _ => tokens.insert(at, JUNK[self.numbers.below(JUNK.len())].to_vec()),
            },
            _ => {
                let byte = self.numbers.below(tokens[at].len());
                let bit = self.numbers.below(8);
                if let Some(byte) = tokens[at].get_mut(byte) {
                    *byte ^= 1 << bit;
                }
            }
        }
    }

    /// Brackets around a stretch, or the stretch again and again: `if (a) {if (a) {`.
    fn nest(&mut self, tokens: &mut Vec<Token>, at: usize, end: usize, depth: usize) {
        let stretch = tokens[at..end].concat();
        let nested = match self.numbers.below(2) {
            0 => {
                let (open, close) = BRACKETS[self.numbers.below(BRACKETS.len())];
                [open.repeat(depth), stretch, close.repeat(depth)].concat()
            }
            _ => stretch.repeat(depth.min(1 + MOST_REPEATED / stretch.len().max(1))),
        };
        tokens.splice(at..end, [nested]);
    }

    /// A word of the grammar, of this kind if there is one.
    fn word(&mut self, of: Option<Kind>) -> Option<Token> {
        let from = self.numbers.below(self.words.len());
        let mut words = self.words[from..].iter().chain(&self.words[..from]);
        words.find(|it| of.is_none_or(|of| kind(it) == of)).cloned()
    }
}

fn class(byte: u8) -> Kind {
    match byte {
        b' ' | b'\t' | b'\n' | b'\r' => Kind::Space,
        b'a'..=b'z' | b'A'..=b'Z' | b'_' | 0x80.. => Kind::Name,
        b'0'..=b'9' => Kind::Number,
        b'=' | b'!' | b'&' | b'|' | b'+' | b'-' | b'*' | b'/' | b':' => Kind::Operator,
        _ => Kind::Mark,
    }
}

fn kind(token: &[u8]) -> Kind {
    token.first().map_or(Kind::Mark, |it| class(*it))
}

/// A text as tokens: names with their digits, numbers, runs of spaces, operators of up to three signs, single marks.
fn tokens(text: &[u8]) -> Vec<Token> {
    let mut res: Vec<Token> = Vec::new();
    for &byte in text {
        let class = class(byte);
        let joins = |token: &Token| match (kind(token), class) {
            (Kind::Mark, _) | (_, Kind::Mark) => false,
            (Kind::Name, Kind::Number) => true,
            (Kind::Operator, Kind::Operator) => token.len() < 3,
            (before, class) => before == class,
        };
        match res.last_mut() {
            Some(token) if joins(token) => token.push(byte),
            _ => res.push(vec![byte]),
        }
    }
    res
}

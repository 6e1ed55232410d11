//! Mutants of programs with contracts (`.vpr` and `.oo`): each with one small change in its text.
//!
//! Knows: tokens and lines. Never: grammar or types: most mutants are programs, the reader drops the others.

/// A program with one change.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mutant {
    /// The line that was changed, from 1.
    pub line: usize,
    /// What was changed on it; with the line it names the mutant.
    pub change: String,
    /// The text of the program.
    pub text: String,
}

/// A token of a line: bytes from, bytes to.
type Token = (usize, usize);

/// Symbols of more than one character, longest first.
const SYMBOLS: [&str; 13] = ["<==>", "==>", ":=", "==", "!=", "<=", ">=", "&&", "||", "++", "--", "//", "**"];

/// What a symbol or word is changed to.
const CHANGES: [(&str, &str); 22] = [
    ("+", "-"),
    ("-", "+"),
    ("<", "<="),
    ("<=", "<"),
    (">", ">="),
    (">=", ">"),
    ("≤", "<"),
    ("≥", ">"),
    ("==", "!="),
    ("!=", "=="),
    ("=", "≠"),
    ("≠", "="),
    ("&&", "||"),
    ("||", "&&"),
    ("++", "--"),
    ("true", "false"),
    ("false", "true"),
    ("old", ""),
    ("fold", "unfold"),
    ("unfold", "fold"),
    ("write", "1/2"),
    ("\\", "*"),
];

/// Words that no other word may take the place of.
const WORDS: [&str; 24] = [
    "field",
    "predicate",
    "function",
    "method",
    "domain",
    "axiom",
    "requires",
    "ensures",
    "invariant",
    "class",
    "pure",
    "if",
    "else",
    "while",
    "var",
    "returns",
    "return",
    "acc",
    "opening",
    "unfolding",
    "in",
    "int",
    "Int",
    "new",
];

/// All mutants of a text, in its order. The number of identifiers that take another's place is bounded: the next
/// `others` in the file.
pub fn mutants(text: &str, others: usize) -> Vec<Mutant> {
    let lines: Vec<&str> = text.lines().collect();
    let mut names: Vec<&str> = Vec::new();
    for line in &lines {
        for (from, to) in tokens(line) {
            let word = &line[from..to];
            if is_name(word) && !names.contains(&word) {
                names.push(word);
            }
        }
    }
    let mut res = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let mut add = |change: String, new: String| {
            let text: Vec<&str> =
                lines[..at].iter().copied().chain([new.as_str()]).chain(lines[at + 1..].to_vec()).collect();
            res.push(Mutant { line: at + 1, change, text: text.join("\n") + "\n" });
        };
        for (from, to) in tokens(line) {
            let token = &line[from..to];
            let mut put = |new: &str| {
                let shown = if new.is_empty() { "nothing" } else { new };
                add(format!("{}: {token} to {shown}", from + 1), format!("{}{new}{}", &line[..from], &line[to..]));
            };
            if let Ok(number) = token.parse::<u32>() {
                put(&(number + 1).to_string());
            }
            for (_, new) in CHANGES.iter().filter(|it| it.0 == token) {
                put(new);
            }
            if is_name(token) {
                let place = names.iter().position(|it| *it == token).unwrap_or(0);
                for other in names.iter().cycle().skip(place + 1).take(others.min(names.len() - 1)) {
                    put(other);
                }
            }
        }
        let trimmed = line.trim();
        if is_statement(trimmed) || trimmed.starts_with("requires ") || trimmed.starts_with("invariant ") {
            // The end of a block that the line ends stays.
            let rest = if trimmed.ends_with('}') && !trimmed.contains('{') { "}" } else { "" };
            add("dropped".to_owned(), rest.to_owned());
        }
        let is_contract = ["requires ", "invariant "].iter().any(|it| trimmed.starts_with(it));
        if let (true, Some(from)) = (is_contract, last_conjunct(line)) {
            let end = if trimmed.ends_with(';') { ";" } else { "" };
            add("last conjunct dropped".to_owned(), format!("{}{end}", &line[..from]));
        }
    }
    res
}

/// So many of them, by a seed; each at most once.
pub fn chosen<T>(mut all: Vec<T>, count: usize, seed: u64) -> Vec<T> {
    let mut state = seed;
    let mut res = Vec::new();
    while res.len() < count && !all.is_empty() {
        // Knuth's generator; its high bits are the better ones.
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let at = (state >> 33) as usize % all.len();
        res.push(all.swap_remove(at));
    }
    res
}

fn is_name(token: &str) -> bool {
    let starts = token.starts_with(|it: char| it.is_ascii_alphabetic() || it == '_');
    starts && !WORDS.contains(&token) && CHANGES.iter().all(|it| it.0 != token)
}

fn is_statement(line: &str) -> bool {
    let ghost = ["fold ", "unfold ", "close ", "open ", "use ", "exhale ", "inhale ", "assume "];
    let declares = ["var ", "field ", "requires ", "ensures ", "invariant ", "//"];
    let balanced = line.matches('{').count() == line.matches('}').count();
    let calls = line.ends_with(");") && line.starts_with(|it: char| it.is_ascii_alphabetic());
    balanced
        && !declares.iter().any(|it| line.starts_with(it))
        && (line.contains(":=") || ghost.iter().any(|it| line.starts_with(it)) || calls)
}

/// Where the last conjunct of a line starts, with the conjunction before it.
fn last_conjunct(line: &str) -> Option<usize> {
    let mut depth = 0;
    let mut res = None;
    for (from, to) in tokens(line) {
        match &line[from..to] {
            "(" | "[" => depth += 1,
            ")" | "]" => depth -= 1,
            "&&" | "∧" | "*" if depth == 0 => res = Some(from),
            _ => {}
        }
    }
    res
}

fn tokens(line: &str) -> Vec<Token> {
    let mut res = Vec::new();
    let mut at = 0;
    while let Some(first) = line[at..].chars().next() {
        let rest = &line[at..];
        let word = rest.find(|it: char| !it.is_ascii_alphanumeric() && it != '_').unwrap_or(rest.len());
        let symbol = SYMBOLS.iter().find(|it| rest.starts_with(*it)).map_or(first.len_utf8(), |it| it.len());
        let length = if word > 0 { word } else { symbol };
        if &rest[..length] == "//" {
            break;
        }
        if !first.is_whitespace() {
            res.push((at, at + length));
        }
        at += length;
    }
    res
}

//! The printed notation in the characters of C and of Rust, and the same texts with a rule left out.
//!
//! Knows: parentheses and signs. Never: what a text means.

use effigy_term::print::Dialect;

const SIGNS: &[(&str, &str)] = &[
    ("·", "*"),
    ("−", "-"),
    ("≤", "<="),
    ("≥", ">="),
    ("≠", "!="),
    (" = ", " == "),
    ("∧", "&&"),
    ("∨", "||"),
    ("¬", "!"),
];

/// The text as the compiler reads it.
pub(super) fn spelled(dialect: Dialect, text: &str) -> String {
    let text = group(dialect, text);
    let text = SIGNS.iter().fold(text, |text, (sign, spelling)| text.replace(sign, spelling));
    if dialect == Dialect::Rust { text.replace('~', "!") } else { text }
}

/// A text without parentheses around it: chains of comparisons apart, and conditional values as Rust has them.
fn group(dialect: Dialect, text: &str) -> String {
    let split = |sign: &str| parts(text, sign);
    if let ([cond, rest], Dialect::Rust) = (&split(" ? ")[..], dialect)
        && let [then, other] = &parts(rest, " : ")[..]
    {
        let [cond, then, other] = [cond, then, other].map(|it| group(dialect, it));
        return format!("if {cond} {{ {then} }} else {{ {other} }}");
    }
    for sign in [" ? ", " : ", " ∨ ", " ∧ "] {
        let split = split(sign);
        if split.len() > 1 {
            return split.iter().map(|it| group(dialect, it)).collect::<Vec<_>>().join(sign);
        }
    }
    for (low, high) in [(" ≤ ", " ≤ "), (" < ", " < "), (" ≤ ", " < "), (" < ", " ≤ ")] {
        if let [first, rest @ ..] = &split(low)[..]
            && !rest.is_empty()
            && let [middle, last] = &parts(&rest.join(low), high)[..]
        {
            let [first, middle, last] = [first, middle, last].map(|it| group(dialect, it));
            return format!("({first}{low}{middle} ∧ {middle}{high}{last})");
        }
    }
    let mut res = String::new();
    let mut rest = text;
    while let Some(open) = rest.find('(') {
        let close = open + closing(&rest[open..]);
        res.push_str(&rest[..=open]);
        res.push_str(&group(dialect, &rest[open + 1..close]));
        res.push(')');
        rest = &rest[close + 1..];
    }
    res + rest
}

/// Where the parenthesis that a text begins with is closed.
fn closing(text: &str) -> usize {
    let mut depth = 0;
    text.char_indices()
        .find_map(|(at, it)| {
            depth += i32::from(it == '(') - i32::from(it == ')');
            (depth == 0).then_some(at)
        })
        .expect("parentheses are closed")
}

/// The text, split at a sign outside of all parentheses.
fn parts(text: &str, sign: &str) -> Vec<String> {
    let mut res = vec![String::new()];
    let (mut depth, mut rest) = (0, text);
    while let Some(it) = rest.chars().next() {
        if depth == 0 && rest.starts_with(sign) {
            res.push(String::new());
            rest = &rest[sign.len()..];
            continue;
        }
        depth += i32::from(it == '(') - i32::from(it == ')');
        res.last_mut().expect("there is a part").push(it);
        rest = &rest[it.len_utf8()..];
    }
    res
}

/// A text without one pair of parentheses, without one cast, or with one sum that does not wrap.
pub(super) struct Mutant {
    pub text: String,
    /// Which rule it breaks: `parentheses: + in ·`, `cast: int`, `wraps: wrapping_add`.
    pub kind: String,
}

/// Operators outside of all parentheses, as a rule names them.
const OPERATORS: &[&str] = &[
    " ∨ ", " ∧ ", " = ", " ≠ ", " ≤ ", " ≥ ", " < ", " > ", " | ", " ^ ", " & ", " << ", " >> ", " + ", " − ", " / ",
    " % ", "·",
];

fn operator(text: &str) -> Option<&'static str> {
    OPERATORS.iter().find(|it| parts(text, it).len() > 1).map(|it| it.trim())
}

pub(super) fn mutants(text: &str) -> Vec<Mutant> {
    let mut res = Vec::new();
    for (open, _) in text.match_indices('(') {
        let close = open + closing(&text[open..]);
        let (before, inside, after) = (&text[..open], &text[open + 1..close], &text[close + 1..]);
        let method = METHODS.iter().find(|it| before.ends_with(it.0));
        if let Some((method, sign)) = method {
            // What the method is called on stands before it: `x.wrapping_add(1)` as `x + 1`, in parentheses of its own.
            let begin = receiver(before.len() - method.len(), text);
            let (outside, on) = (&text[..begin], &text[begin..before.len() - method.len()]);
            let text = format!("{outside}({on}{sign}{inside}){after}");
            res.push(Mutant { text, kind: format!("wraps: {}", &method[1..]) });
            continue;
        }
        if is_cast(inside) {
            res.push(Mutant { text: format!("{before}{after}"), kind: format!("cast: {inside}") });
            continue;
        }
        let around = around(text, open, close);
        if let (Some(inner), Some(outer)) = (operator(inside), around)
            && !inside.contains(" ? ")
        {
            let kind = format!("parentheses: {inner} in {outer}");
            res.push(Mutant { text: format!("{before}{inside}{after}"), kind });
        }
    }
    res
}

/// Whether what stands in parentheses is a type of C.
fn is_cast(inside: &str) -> bool {
    let is_type = ["char", "short", "int", "long", "unsigned", "int128"].iter().any(|it| inside.ends_with(it));
    is_type && operator(inside).is_none()
}

/// Methods that wrap around, and the operators that do not.
const METHODS: &[(&str, &str)] = &[(".wrapping_add", " + "), (".wrapping_sub", " − "), (".wrapping_mul", "·")];

/// Where that begins on which a method is called whose dot stands at `end`: a name, or a pair of parentheses.
fn receiver(end: usize, text: &str) -> usize {
    let mut depth = 0;
    let mut begin = end;
    for (at, it) in text[..end].char_indices().rev() {
        depth += i32::from(it == ')') - i32::from(it == '(');
        if depth < 0 || depth == 0 && it != '(' && it != ')' && !it.is_alphanumeric() && it != '_' && it != '.' {
            break;
        }
        begin = at;
    }
    begin
}

/// The operator beside a pair of parentheses, or beside the cast before it.
fn around(text: &str, open: usize, close: usize) -> Option<&'static str> {
    let (before, after) = (&text[..open], &text[close + 1..]);
    let cast =
        before.strip_suffix(')').and_then(|it| it.rfind('(')).filter(|at| is_cast(&before[at + 1..before.len() - 1]));
    let before = cast.map_or(before, |at| &before[..at]);
    let beside = |it: &&&str| after.starts_with(**it) || before.ends_with(**it);
    OPERATORS.iter().find(beside).map(|it| it.trim())
}

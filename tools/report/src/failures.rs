//! What could not be proved, for people: the source line with carets, the text, the id, the states on the way.
//!
//! Knows: layout, and how the texts of errors are filled from the source. Never: how a failure came about, files.

use crate::bugs::Style;
use crate::excerpt::Stretch;
use crate::verify::named::named;
use effigy_verify::failure::TracedState;
use effigy_verify::{ErrorKind, Failure, ReasonKind, Span};
use std::ops::Range;
use std::sync::Arc;
use unicode_width::UnicodeWidthChar;

/// So many characters of the source stand in a message.
const QUOTE: usize = 80;

/// The text of one file, with its lines.
#[derive(Clone, Debug)]
pub struct Source {
    /// Its name as the user gave it.
    pub name: Arc<str>,
    /// The whole text of the file.
    pub text: Arc<str>,
    lines: Vec<Range<usize>>,
}

impl Source {
    /// A file with this name and text.
    pub fn new(name: &str, text: &str) -> Source {
        let mut lines = Vec::new();
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            let shown = line.strip_suffix('\n').unwrap_or(line);
            let shown = shown.strip_suffix('\r').unwrap_or(shown);
            lines.push(start..start + shown.len());
            start += line.len();
        }
        Source { name: name.into(), text: text.into(), lines }
    }

    /// A line, counted from 1.
    pub fn line(&self, number: u32) -> Option<&str> {
        let range = self.lines.get((number as usize).checked_sub(1)?)?;
        self.text.get(range.clone())
    }
}

/// The files that a program was read from, by [`Span::file`].
#[derive(Clone, Debug, Default)]
pub struct Sources(pub Vec<Source>);

impl Sources {
    /// The file of a place.
    pub fn of(&self, span: Span) -> Option<&Source> {
        self.0.get(span.file as usize)
    }

    /// The place as text: `file:line:column`.
    pub fn place(&self, span: Span) -> String {
        let name = self.of(span).map_or("?", |it| &*it.name);
        // A place without a line is the file.
        if span.line == 0 { name.to_owned() } else { format!("{name}:{}:{}", span.line, span.column) }
    }

    /// What stands there, on one line and not too long.
    pub fn quote(&self, span: Span) -> Option<String> {
        let source = self.of(span)?;
        let mut res = String::new();
        for number in span.line..=span.end_line.max(span.line) {
            let line = source.line(number)?;
            let from = if number == span.line { (span.column.max(1) - 1) as usize } else { 0 };
            let to = if number == span.end_line { (span.end_column.max(1) - 1) as usize } else { usize::MAX };
            let part: String = line.chars().take(to).skip(from).take(2 * QUOTE).collect();
            let words: Vec<&str> = part.split_whitespace().collect();
            if !res.is_empty() && !words.is_empty() {
                res.push(' ');
            }
            res.push_str(&words.join(" "));
            if res.len() > 4 * QUOTE {
                break;
            }
        }
        let first = source.line(span.line)?.chars().take((span.column.max(1) - 1) as usize).collect::<String>();
        let last = source.line(span.end_line.max(span.line))?.chars().skip((span.end_column.max(1) - 1) as usize);
        res = balanced(&first, res, &last.collect::<String>());
        if res.chars().count() > QUOTE {
            res = res.chars().take(QUOTE - 1).chain(['…']).collect();
        }
        (!res.is_empty()).then_some(res)
    }
}

/// A text with those parentheses around it that it closes or opens itself: the span of `(a) * (b)` begins behind the
/// first, where its first operand does, and ends before the last.
fn balanced(before: &str, text: String, after: &str) -> String {
    let (mut unopened, mut unclosed) = (0, 0);
    for it in text.chars() {
        match it {
            '(' => unclosed += 1,
            ')' if unclosed > 0 => unclosed -= 1,
            ')' => unopened += 1,
            _ => {}
        }
    }
    let (mut before, mut after, mut res) = (before.trim_end(), after.trim_start(), text);
    while let Some(rest) = before.strip_suffix('(').filter(|_| unopened > 0) {
        (before, unopened) = (rest.trim_end(), unopened - 1);
        res.insert(0, '(');
    }
    while let Some(rest) = after.strip_prefix(')').filter(|_| unclosed > 0) {
        (after, unclosed) = (rest.trim_start(), unclosed - 1);
        res.push(')');
    }
    res
}

/// The failure's identifier, such as `assert.failed:assertion.false`.
pub fn id(failure: &Failure) -> String {
    format!("{}:{}", failure.error.id(), failure.reason.id())
}

/// What failed and why, in one line. `member` is the name of what was being verified.
pub fn message(failure: &Failure, member: &str, sources: &Sources) -> String {
    format!("{} {}", error_text(failure.error, failure.span, member, sources), reason_text(failure, sources))
}

fn error_text(error: ErrorKind, span: Span, member: &str, sources: &Sources) -> String {
    if !error.text().contains("{}") {
        return error.text().to_owned();
    }
    let quote = sources.quote(span).unwrap_or_else(|| "this".to_owned());
    let subject = match error {
        // The contract is another's; the text speaks of its owner.
        ErrorKind::Postcondition => member.to_owned(),
        ErrorKind::CallPrecondition | ErrorKind::ApplicationPrecondition => callee(&quote).to_owned(),
        ErrorKind::Fold | ErrorKind::Unfold => without_keyword(&quote).to_owned(),
        _ => quote,
    };
    error.text().replace("{}", &subject)
}

fn reason_text(failure: &Failure, sources: &Sources) -> String {
    let text = failure.reason.text();
    if !text.contains("{}") {
        return text.to_owned();
    }
    text.replace("{}", &sources.quote(failure.culprit).unwrap_or_else(|| "here".to_owned()))
}

/// The name that is called in `x, y := c.m(a)`.
fn callee(quote: &str) -> &str {
    let call = quote.split_once(":=").map_or(quote, |it| it.1);
    let name = call.split('(').next().unwrap_or(call).trim();
    let name = name.rsplit(|c: char| c.is_whitespace() || c == '.').next().unwrap_or(name);
    if name.is_empty() { quote } else { name }
}

fn without_keyword(quote: &str) -> &str {
    let keywords = ["fold ", "unfold ", "open ", "close ", "unfolding ", "opening "];
    keywords.iter().find_map(|it| quote.strip_prefix(it)).unwrap_or(quote).trim_end_matches(';').trim()
}

/// The source line of a place, with carets under it.
pub fn excerpt(sources: &Sources, span: Span, style: Style) -> String {
    let Some(line) = sources.of(span).and_then(|it| it.line(span.line)) else { return String::new() };
    let column = span.column.max(1);
    let marked =
        if span.end_line > span.line { Stretch::from(column) } else { Stretch { column, end: span.end_column } };
    crate::excerpt::excerpt(span.line, line, marked, style)
}

/// How much of a failure is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Detail {
    /// The symbolic states on the way.
    pub trace: bool,
}

/// One failure, as the terminal shows it.
pub fn render(failure: &Failure, member: &str, sources: &Sources, detail: Detail, style: Style) -> String {
    let head = style.strong(&message(failure, member, sources));
    let mut res = format!("{}: {head} [{}]\n", style.error("error"), id(failure));
    res.push_str(&format!("  --> {} in {}\n", sources.place(failure.span), one_line(member)));
    // One excerpt where the culprit is part of what is reported, two where it stands elsewhere.
    let (span, culprit) = (failure.span, failure.culprit);
    if culprit.line == 0 || (span.file, span.line) != (culprit.file, culprit.line) {
        res.push_str(&excerpt(sources, span, style));
    }
    if culprit.line > 0 {
        if (span.file, span.line) != (culprit.file, culprit.line) {
            res.push_str(&format!("  because of {}\n", sources.place(culprit)));
        }
        res.push_str(&excerpt(sources, culprit, style));
    }
    for (at, side) in &failure.branches {
        let quote = sources.quote(*at).unwrap_or_default();
        res.push_str(&format!("  {} where {quote} is {side}\n", style.faint(&sources.place(*at))));
    }
    for (name, value) in &failure.counterexample {
        res.push_str(&format!("  counterexample {} = {}\n", style.strong(&one_line(name)), one_line(value)));
    }
    if let Some(why) = &failure.undecided {
        let note = format!("the solver did not decide this ({}): it may hold all the same", one_line(why));
        res.push_str(&format!("  {}\n", style.faint(&note)));
    }
    if detail.trace {
        for (number, state) in (1..).zip(&named(&failure.trace)) {
            res.push_str(&state_text(number, failure.trace.len(), state, sources));
        }
    }
    res
}

fn state_text(number: usize, of: usize, state: &TracedState, sources: &Sources) -> String {
    let quote = sources.quote(state.span).unwrap_or_default();
    let mut res = format!("  state {number} of {of}: {} at {}  {quote}\n", state.action, sources.place(state.span));
    for (name, value) in &state.store {
        res.push_str(&format!("    store  {} = {}\n", one_line(name), one_line(value)));
    }
    state.heap.iter().for_each(|it| res.push_str(&format!("    heap   {}\n", one_line(it))));
    state.facts.iter().for_each(|it| res.push_str(&format!("    fact   {}\n", one_line(it))));
    res
}

/// Names and values come from the program: nothing in them moves the cursor.
pub(crate) fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() || c.width().is_none() { ' ' } else { c }).collect()
}

/// The error kind of an id.
pub fn error_by_id(id: &str) -> Option<ErrorKind> {
    ErrorKind::ALL.iter().copied().find(|it| it.id() == id)
}

/// The reason of an id.
pub fn reason_by_id(id: &str) -> Option<ReasonKind> {
    ReasonKind::ALL.iter().copied().find(|it| it.id() == id)
}

#[cfg(test)]
mod tests;

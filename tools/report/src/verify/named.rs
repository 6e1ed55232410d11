//! States in the names of the program: `this.val at entry` for `toInt(first(snapshot@14))`, `a` for `a@2`.
//!
//! Knows: how the verifier writes symbols, snapshots and chunks. Never: terms, what is proved.
//!
//! A snapshot is what a heap was at one moment. A place that is first seen with a part of a snapshot had that value then,
//! so the place names it. What only says how a snapshot is made up is left out.

use effigy_verify::failure::TracedState;
use std::sync::Arc;

/// The states of a trace as people read them.
pub fn named(trace: &[TracedState]) -> Vec<TracedState> {
    let names = Names::of(trace);
    let state = |it: &TracedState| TracedState {
        store: it.store.iter().map(|(name, value)| (Arc::clone(name), names.apply(value))).collect(),
        heap: it.heap.iter().map(|it| names.chunk(it)).collect(),
        facts: it.facts.iter().filter(|it| !is_about_parts(it)).map(|it| names.apply(it)).collect(),
        ..it.clone()
    };
    trace.iter().map(state).collect()
}

/// Texts of terms, each with its name; the longest first.
#[derive(Default)]
struct Names {
    names: Vec<(String, String)>,
}

impl Names {
    fn of(trace: &[TracedState]) -> Names {
        let mut res = Names::default();
        let assigned =
            |name: &str, value: &str| trace.iter().flat_map(|it| &it.store).any(|it| *it.0 == *name && it.1 != value);
        let entry = trace.iter().take_while(|it| it.action == "produce").count();
        for (name, value) in trace.first().iter().flat_map(|it| &it.store) {
            if is_symbol(value) {
                let at_entry = if assigned(name, value) { " at entry" } else { "" };
                res.add(value, format!("{name}{at_entry}"));
            }
        }
        for (number, state) in trace.iter().enumerate() {
            for (place, value) in state.heap.iter().filter_map(|it| split_chunk(it)) {
                if receiver_of(place) == place
                    || !is_part_of_snapshot(value)
                    || res.names.iter().any(|it| it.0 == value)
                {
                    continue;
                }
                // A heap is there when it was produced, though its places are opened later.
                let since = first_seen(trace, snapshot_in(value)).unwrap_or(number);
                let when = match since <= entry {
                    true => " at entry".to_owned(),
                    false => format!(" after line {}", trace[since - 1].span.line),
                };
                // One moment is told once.
                let receiver = res.apply(receiver_of(place));
                let receiver = match receiver.strip_suffix(&*when) {
                    Some(same) => same.to_owned(),
                    None if receiver.contains(' ') => format!("({receiver})"),
                    None => receiver,
                };
                let field = place.rsplit('.').next().unwrap_or(place);
                res.add(value, format!("{receiver}.{field}{when}"));
            }
        }
        res
    }

    fn add(&mut self, term: &str, name: String) {
        let at = self.names.partition_point(|it| it.0.len() >= term.len());
        self.names.insert(at, (term.to_owned(), name));
    }

    /// A text with names in place of what they name.
    fn apply(&self, text: &str) -> String {
        let mut res = String::new();
        let mut at = 0;
        while let Some(c) = text[at..].chars().next() {
            let begins = !res.ends_with(is_word) || !is_word(c);
            let found = self.names.iter().find(|(term, _)| {
                begins && text[at..].starts_with(term.as_str()) && !text[at + term.len()..].starts_with(is_word)
            });
            match found {
                Some((term, name)) => {
                    res.push_str(name);
                    at += term.len();
                }
                None => {
                    res.push(c);
                    at += c.len_utf8();
                }
            }
        }
        res
    }

    /// `a.balance ↦ v`, `account(a)`: what a predicate holds is told by its places.
    fn chunk(&self, text: &str) -> String {
        if let Some((place, value)) = split_chunk(text).filter(|it| receiver_of(it.0) != it.0) {
            let field = place.rsplit('.').next().unwrap_or(place);
            let amount = &text[text.find(value).map_or(text.len(), |it| it + value.len())..];
            let receiver = self.apply(receiver_of(place));
            let receiver = if receiver.contains(' ') { format!("({receiver})") } else { receiver };
            return format!("{receiver}.{field} ↦ {}{amount}", self.apply(value));
        }
        let closed = text.find('[').and_then(|open| Some((open, open + closing(&text[open..])?)));
        match closed {
            Some((open, close)) => format!("{}{}", &text[..open], self.apply(&text[close + 1..])),
            None => self.apply(text),
        }
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '@' | '$')
}

/// Whether the text names a symbol, such as `a@2`.
fn is_symbol(text: &str) -> bool {
    text.split_once('@').is_some_and(|(name, number)| {
        !name.is_empty() && name.chars().all(is_word) && number.chars().all(|it| it.is_ascii_digit())
    })
}

/// `toInt(first(second(snapshot@6)))`, and nothing that computes with it.
fn is_part_of_snapshot(text: &str) -> bool {
    let inner = text.rsplit('(').next().unwrap_or(text).trim_end_matches(')');
    let selects = |it: &str| matches!(it, "first" | "second") || it.starts_with("to");
    let outer: Vec<&str> = text.split('(').collect();
    inner.starts_with("snapshot@")
        && is_symbol(inner)
        && outer[..outer.len() - 1].iter().all(|it| selects(it))
        && text.len() == outer[..outer.len() - 1].iter().map(|it| it.len() + 2).sum::<usize>() + inner.len()
}

fn snapshot_in(text: &str) -> &str {
    text.rsplit('(').next().unwrap_or(text).trim_end_matches(')')
}

/// The number of the first state with this snapshot.
fn first_seen(trace: &[TracedState], snapshot: &str) -> Option<usize> {
    let has = |text: &String| {
        text.match_indices(snapshot)
            .any(|(at, _)| !text[at + snapshot.len()..].starts_with(|it: char| it.is_ascii_digit()))
    };
    trace.iter().position(|it| it.heap.iter().chain(&it.facts).any(has) || it.store.iter().any(|it| has(&it.1)))
}

/// Place and value of a field's chunk.
fn split_chunk(text: &str) -> Option<(&str, &str)> {
    let (place, value) = text.split_once(" ↦ ")?;
    Some((place, value.split(" # ").next().unwrap_or(value)))
}

/// `this@5` of `this@5.Cell.x`: what is behind it are names of classes and fields.
fn receiver_of(place: &str) -> &str {
    let mut depth = 0;
    let dot = place.char_indices().find(|(_, it)| {
        depth += i32::from(*it == '(') - i32::from(*it == ')');
        depth == 0 && *it == '.'
    });
    dot.map_or(place, |it| &place[..it.0])
}

/// Where the bracket closes that the text begins with.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0;
    text.char_indices().find_map(|(at, it)| {
        depth += i32::from(it == '[') - i32::from(it == ']');
        (depth == 0).then_some(at)
    })
}

/// Whether a fact says only what a snapshot is made up of.
fn is_about_parts(fact: &str) -> bool {
    fact.split_once(" = ").is_some_and(|(left, right)| {
        is_part_of_snapshot(left) && (right == "unit" || right.starts_with("combine(") || right.starts_with("from"))
    })
}

#[cfg(test)]
mod tests {
    use super::{is_part_of_snapshot, named};
    use effigy_verify::Span;
    use effigy_verify::failure::TracedState;

    fn state(action: &'static str, line: u32, store: &[&str], heap: &[&str], facts: &[&str]) -> TracedState {
        let text = |all: &[&str]| all.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
        let store = store.iter().filter_map(|it| it.split_once(" = ")).map(|(a, b)| (a.into(), b.to_owned())).collect();
        let span = Span { line, ..Span::default() };
        TracedState { span, action, store, heap: text(heap), facts: text(facts) }
    }

    #[test]
    fn places_name_what_they_held() {
        let store = ["a = a@2", "n = n@3"];
        let made = "snapshot@6 = combine(first(snapshot@6), second(snapshot@6))";
        let trace = [
            state("produce", 3, &store, &[], &[]),
            state("exec", 5, &store, &["account[snapshot@6](a@2)"], &["n@3 ≥ 0"]),
            state(
                "exec",
                6,
                &store,
                &["a@2.Acc.val ↦ toInt(first(snapshot@6))", "a@2.Acc.next ↦ toRef(second(snapshot@6)) # 1/2"],
                &["n@3 ≥ 0", made, "toInt(first(snapshot@6)) > n@3"],
            ),
            state(
                "exec",
                7,
                &["a = a@2", "n = 4"],
                &[
                    "a@2.Acc.val ↦ toInt(first(snapshot@6)) − n@3",
                    "toRef(second(snapshot@6)).Acc.val ↦ toInt(snapshot@60)",
                ],
                &["toInt(snapshot@60) > 0", "a@22 > 0"],
            ),
            state("consume", 9, &store, &["account[combine(fromInt(toInt(first(snapshot@6)) − n@3), unit)](a@2)"], &[]),
        ];
        let res = named(&trace);
        assert_eq!(res[1].heap, ["account(a)"]);
        assert_eq!(res[1].facts, ["n at entry ≥ 0"]);
        assert_eq!(res[2].heap, ["a.val ↦ a.val at entry", "a.next ↦ a.next at entry # 1/2"]);
        assert_eq!(res[2].facts, ["n at entry ≥ 0", "a.val at entry > n at entry"]);
        assert_eq!(
            res[3].heap,
            ["a.val ↦ a.val at entry − n at entry", "(a.next at entry).val ↦ (a.next at entry).val after line 6"]
        );
        assert_eq!(res[3].facts, ["(a.next at entry).val after line 6 > 0", "a@22 > 0"]);
        assert_eq!(res[4].heap, ["account(a)"]);
        assert_eq!((&*res[3].store[0].1, &*res[0].store[1].1), ("a", "n at entry"));
    }

    #[test]
    fn only_parts_of_snapshots_are_named() {
        for (text, is) in [
            ("toInt(first(snapshot@6))", true),
            ("snapshot@6", true),
            ("toInt(first(snapshot@6)) − 1", false),
            ("f(snapshot@6)", false),
            ("toInt(first(combine(snapshot@6, unit)))", false),
            ("a@1", false),
        ] {
            assert_eq!(is_part_of_snapshot(text), is, "{text}");
        }
    }
}

//! The results of all workers of a fleet, reassembled from the fragments that they sent.
//!
//! Knows: pieces, lines of a journal, that whoever can write to the server may have written anything; that an end may be
//! told twice. Never: how paths are walked.

use crate::collect::Collector;
use crate::progress::warn;
use effigy_fleet::{Cursor, Fleet, FleetError, ItemId, News};
use effigy_report::checksum;
use effigy_report::journal::{self, JournalEvent};
use effigy_report::leaf::{Leaf, LeafEnd, in_tree_order};
use effigy_walk::{Delta, Ending, Exploration};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Entries of the news that are asked for at once: a piece may be a megabyte.
const AT_ONCE: usize = 16;

/// The first line of what a worker tells of an item. By these it is seen whether all of it was heard: what was given back
/// must have been told of, too.
#[derive(Serialize, Deserialize)]
pub(super) struct ItemAccount {
    /// The name of the item.
    pub(super) item: String,
    /// The names of those that were given back.
    pub(super) left: Vec<String>,
}

/// The results that were received so far.
#[derive(Default)]
pub(super) struct FleetResults {
    since: Cursor,
    /// Lines that have not wholly arrived: by their name, the pieces.
    pieces: HashMap<ItemId, BTreeMap<usize, Vec<u8>>>,
    deltas: Vec<Delta>,
    /// Ends by the name of their path: each is counted once.
    ends: BTreeMap<String, (Ending, Leaf)>,
    /// Paths that could not be reached again by their names.
    lost: Vec<Ending>,
    malformed: usize,
    /// Items of which somebody has told.
    done: BTreeSet<ItemId>,
    /// Items that somebody has given back.
    left: BTreeSet<ItemId>,
}

impl FleetResults {
    /// Reads the fragments that are new on the server.
    pub(super) fn more(&mut self, fleet: &mut dyn Fleet) -> Result<(), FleetError> {
        loop {
            let (news, since) = fleet.news(&self.since, AT_ONCE)?;
            if since == self.since {
                return Ok(());
            }
            self.since = since;
            for it in news {
                if let News::Found(find) = it {
                    self.piece(&find.key, find.input);
                }
            }
        }
    }

    /// The number of items without an account, of those that were given back and the `first`.
    pub(super) fn missing(&self, first: ItemId) -> u64 {
        let wanted = self.left.iter().copied().chain([first]).collect::<BTreeSet<ItemId>>();
        wanted.difference(&self.done).count() as u64
    }

    /// Whether one of the ends is a bug, and not only a possible one.
    pub(super) fn has_bug(&self) -> bool {
        self.ends.values().any(|it| matches!(&it.1.end, LeafEnd::Bug(bug) if !bug.possible))
    }

    fn piece(&mut self, key: &[u8], text: Vec<u8>) {
        let Some((whole, at, count)) = named(key) else {
            self.malformed += 1;
            return;
        };
        let pieces = self.pieces.entry(whole).or_default();
        pieces.insert(at, text);
        if pieces.len() < count {
            return;
        }
        let lines: Vec<u8> = self.pieces.remove(&whole).into_iter().flatten().flat_map(|it| it.1).collect();
        if ItemId::of(&lines) != whole || self.account(&lines).is_none() {
            self.malformed += 1;
        }
    }

    /// Takes in the whole account of an item, or nothing of it.
    fn account(&mut self, text: &[u8]) -> Option<()> {
        let head = text.iter().position(|it| *it == b'\n')?;
        let ItemAccount { item, left } = serde_json::from_slice(&text[..head]).ok()?;
        let item = ItemId::parse(item.as_bytes())?;
        let left: Vec<ItemId> = left.iter().map(|it| ItemId::parse(it.as_bytes())).collect::<Option<_>>()?;
        self.lines(&harmless(&text[head + 1..])).ok()?;
        self.done.insert(item);
        self.left.extend(left);
        Some(())
    }

    /// All of them, or none.
    fn lines(&mut self, lines: &[u8]) -> Result<(), journal::JournalError> {
        for it in journal::ends(lines, "what a worker of the fleet tells")? {
            match it {
                JournalEvent::Found(delta) => self.deltas.push(delta),
                JournalEvent::Ended(ending, leaf) => {
                    self.ends.entry(leaf.decisions.to_string()).or_insert((ending, *leaf));
                }
                JournalEvent::Lost(ending) => self.lost.push(ending),
            }
        }
        Ok(())
    }
}

/// Lines of JSON in which no text steers a terminal: a character that would is written as its number.
fn harmless(lines: &[u8]) -> Vec<u8> {
    let Ok(text) = std::str::from_utf8(lines) else { return lines.to_vec() };
    // JSON has most of them as numbers.
    if !text.contains("\\u") && !text.chars().any(|it| steers(it) && it != '\n') {
        return lines.to_vec();
    }
    let mut res = Vec::with_capacity(lines.len());
    for line in text.lines() {
        let own = checksum::unsealed_line(line.as_bytes());
        let cleaned = own.and_then(|it| {
            let mut value: serde_json::Value = serde_json::from_slice(it).ok()?;
            clean(&mut value).then(|| value.to_string())
        });
        // What is no line is refused where it is read.
        res.extend_from_slice(cleaned.as_deref().unwrap_or(line).as_bytes());
        res.push(b'\n');
    }
    res
}

/// Whether there was something to clean.
fn clean(value: &mut serde_json::Value) -> bool {
    match value {
        serde_json::Value::String(text) if text.chars().any(steers) => {
            let written = text.chars().map(|it| if steers(it) { it.escape_default().to_string() } else { it.into() });
            *text = written.collect();
            true
        }
        // Each of them, also behind one that was not clean.
        serde_json::Value::Array(all) => all.iter_mut().filter_map(|it| clean(it).then_some(())).count() > 0,
        serde_json::Value::Object(all) => all.values_mut().filter_map(|it| clean(it).then_some(())).count() > 0,
        _ => false,
    }
}

/// Whether a terminal does something else with a character than to show it. Lines and columns are ours.
fn steers(it: char) -> bool {
    it.is_control() && !matches!(it, '\n' | '\t')
        || matches!(it, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// Parses the key of a fragment into the item, the index of the fragment, and their number.
fn named(key: &[u8]) -> Option<(ItemId, usize, usize)> {
    let mut parts = std::str::from_utf8(key).ok()?.split('.');
    let whole = ItemId::parse(parts.next()?.as_bytes())?;
    let (at, count): (usize, usize) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    (parts.next().is_none() && at < count && count <= effigy_fleet::MOST_FINDS).then_some((whole, at, count))
}

/// The account of all that was heard; the collector is given each end once, in the order of the tree, so that tests have
/// the same numbers whoever has walked what.
pub(super) fn gathered(heard: FleetResults, collector: &mut Collector) -> Exploration {
    if heard.malformed > 0 {
        warn(&format!(
            "entries of the campaign that are not what a worker writes, and are passed over: {}",
            heard.malformed
        ));
    }
    let mut res = Exploration::default();
    heard.deltas.iter().for_each(|it| res.add(it));
    heard.lost.iter().for_each(|it| res.count(it));
    let mut ends: Vec<(Ending, Leaf)> = heard.ends.into_values().collect();
    ends.sort_by(|a, b| in_tree_order(&a.1.decisions, &b.1.decisions));
    for (ending, leaf) in ends {
        res.count(&ending);
        collector.heard(leaf);
    }
    res
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(item: &str, left: &[&str]) -> (Vec<u8>, Vec<u8>) {
        let name = |it: &str| ItemId::of(it.as_bytes()).to_string();
        let head = ItemAccount { item: name(item), left: left.iter().map(|it| name(it)).collect() };
        let text = format!("{}\n{{\"gone\":0}}\n", serde_json::to_string(&head).expect("JSON")).into_bytes();
        (format!("{}.0.1", ItemId::of(&text)).into_bytes(), text)
    }

    #[test]
    fn what_was_given_back_and_not_told_of_is_missing() {
        let first = ItemId::of(b"root");
        let mut heard = FleetResults::default();
        assert_eq!(heard.missing(first), 1);
        for (item, left, missing) in [("root", &["a", "b"][..], 2), ("b", &["c"], 2), ("a", &[], 1), ("c", &[], 0)] {
            let (key, text) = told(item, left);
            heard.piece(&key, text);
            assert_eq!(heard.missing(first), missing, "{item}");
        }
        // Whoever was late has given back other parts.
        let (key, text) = told("root", &["d"]);
        heard.piece(&key, text);
        assert_eq!((heard.missing(first), heard.malformed), (1, 0));
    }

    #[test]
    fn what_is_damaged_is_not_heard_of() {
        let (key, text) = told("root", &[]);
        for at in 0..text.len() {
            let mut other = text.clone();
            other[at] ^= 1;
            let mut heard = FleetResults::default();
            heard.piece(&key, other);
            assert_eq!((heard.missing(ItemId::of(b"root")), heard.malformed), (1, 1), "byte {at}");
        }
    }

    #[test]
    fn no_text_of_others_steers_a_terminal() {
        let line = "{\"a\":[\"x\\u001b[31m\\n\",\"\u{9b}\"],\"b\":1}\n";
        let read: serde_json::Value = serde_json::from_slice(&harmless(line.as_bytes())).expect("JSON");
        assert_eq!(read["a"], serde_json::json!(["x\\u{1b}[31m\n", "\\u{9b}"]));
        assert_eq!(harmless(b"{\"a\":\"b\"}\n"), b"{\"a\":\"b\"}\n");
    }
}

//! What the workers of a fleet have told of paths that ended, put together again.
//!
//! Knows: pieces, lines of a journal, that whoever can write to the server may have written anything; that an end may be
//! told twice. Never: how paths are walked.

use crate::collect::Collector;
use crate::progress::warn;
use effigy_explore::{Delta, Ending, Exploration};
use effigy_fleet::{Cursor, Fleet, FleetError, ItemId, News};
use effigy_report::journal::{self, Told};
use effigy_report::leaf::{Leaf, LeafEnd, in_tree_order};
use std::collections::{BTreeMap, HashMap};

/// Entries of the news that are asked for at once: a piece may be a megabyte.
const AT_ONCE: usize = 16;

/// What was heard so far.
#[derive(Default)]
pub(super) struct HeardOf {
    since: Cursor,
    /// Lines that have not wholly arrived: by their name, the pieces.
    pieces: HashMap<ItemId, BTreeMap<usize, Vec<u8>>>,
    deltas: Vec<Delta>,
    /// Ends by the name of their path: each is counted once.
    ends: BTreeMap<String, (Ending, Leaf)>,
    /// Paths that could not be come to again.
    lost: Vec<Ending>,
    malformed: usize,
}

impl HeardOf {
    /// Reads what was told since.
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
        if ItemId::of(&lines) != whole || self.lines(&lines).is_err() {
            self.malformed += 1;
        }
    }

    /// All of them, or none.
    fn lines(&mut self, lines: &[u8]) -> Result<(), journal::JournalError> {
        for it in journal::ends(lines, "what a worker of the fleet tells")? {
            match it {
                Told::Found(delta) => self.deltas.push(delta),
                Told::Ended(ending, leaf) => {
                    self.ends.entry(leaf.decisions.to_string()).or_insert((ending, *leaf));
                }
                Told::Lost(ending) => self.lost.push(ending),
            }
        }
        Ok(())
    }
}

/// The name of the whole, which piece it is, and of how many.
fn named(key: &[u8]) -> Option<(ItemId, usize, usize)> {
    let mut parts = std::str::from_utf8(key).ok()?.split('.');
    let whole = ItemId::parse(parts.next()?.as_bytes())?;
    let (at, count): (usize, usize) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    (parts.next().is_none() && at < count && count <= effigy_fleet::MOST_FINDS).then_some((whole, at, count))
}

/// The account of all that was heard; the collector is given each end once, in the order of the tree, so that tests have
/// the same numbers whoever has walked what.
pub(super) fn gathered(heard: HeardOf, collector: &mut Collector) -> Exploration {
    if heard.malformed > 0 {
        warn(&format!(
            "{} entries of the campaign are not what a worker writes; they are passed over",
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

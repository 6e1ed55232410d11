//! What is kept of a path that is one of many: not the path, but what its line in the account says.
//!
//! Knows: names as they are written, and their order. Never: bugs, tables, why a path is in doubt.

use super::{Leaf, LeafEnd, in_tree_order};
use effigy_engine::PathName;
use std::cmp::Ordering;
use std::sync::Arc;

/// A path that came to its end, is known to exist and is told by its inputs alone. A walk has a hundred thousand of them:
/// a name is one byte for most decisions here, where a list of decisions has forty.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BriefLeaf {
    /// The path's name, as it is written.
    pub name: Arc<str>,
    /// The exit code, where the language has one.
    pub code: Option<i32>,
    /// Inputs that take it, as text.
    pub inputs: Box<[(Arc<str>, Arc<str>)]>,
    /// The number of transitions on the path.
    pub steps: u64,
    /// The number of its test, if it has one.
    pub test: Option<u64>,
}

impl BriefLeaf {
    /// The line of a leaf; `None` where more has to be kept of it. `shared` gives the one copy of a name of an input.
    pub fn of(leaf: &Leaf, mut shared: impl FnMut(&str) -> Arc<str>) -> Option<BriefLeaf> {
        let LeafEnd::Exit(code) = leaf.end else { return None };
        let is_brief = leaf.certain && !leaf.assumed && leaf.assumed_within.is_empty() && leaf.explained.is_none();
        is_brief.then(|| BriefLeaf {
            name: leaf.decisions.text().into(),
            code,
            inputs: leaf.inputs.iter().map(|it| (shared(&it.name), it.display().into())).collect(),
            steps: leaf.steps,
            test: leaf.test,
        })
    }
}

/// The order of the tree of two names as they are written, as [`in_tree_order`] has it.
pub fn written_in_tree_order(a: &str, b: &str) -> Ordering {
    // Most decisions are a digit, where a name is as good as its text; a sort looks at millions of them.
    let same = shared(a.as_bytes(), b.as_bytes());
    let digits = a.as_bytes()[..same].iter().all(u8::is_ascii_digit);
    if let (true, Some(x @ b'0'..=b'9'), Some(y @ b'0'..=b'9')) =
        (digits, a.as_bytes().get(same), b.as_bytes().get(same))
    {
        return x.cmp(y);
    }
    let (mut left, mut right) = (a, b);
    loop {
        let (x, y) = (first(left), first(right));
        if x != y || x.is_empty() {
            return match (x.parse::<PathName>(), y.parse::<PathName>()) {
                (Ok(x), Ok(y)) => in_tree_order(&x, &y),
                // What cannot be read has no place in the tree.
                _ => a.cmp(b),
            };
        }
        left = &left[x.len()..];
        right = &right[y.len()..];
    }
}

/// So many bytes at the beginning are the same.
fn shared(a: &[u8], b: &[u8]) -> usize {
    const WORD: usize = 8;
    let words = a.chunks_exact(WORD).zip(b.chunks_exact(WORD)).take_while(|(x, y)| x == y).count() * WORD;
    words + a[words..].iter().zip(&b[words..]).take_while(|(x, y)| x == y).count()
}

/// The first decision of a name; empty where there is none.
fn first(name: &str) -> &str {
    let bytes = name.as_bytes();
    let end = match (bytes.first(), bytes.get(1)) {
        (Some(b'('), _) | (Some(b'x'), Some(b'(')) => b')',
        (Some(b'=' | b'!'), _) => b';',
        (Some(_), _) => return name.get(..1).unwrap_or(name),
        (None, _) => return name,
    };
    let length = bytes.iter().position(|it| *it == end).map_or(bytes.len(), |it| it + 1);
    name.get(..length).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use effigy_engine::Decision;
    use effigy_term::{BvValue, Value, Width};

    /// Every name of up to three of these decisions; nothing comes after a condition that fails.
    fn names() -> Vec<PathName> {
        let byte = |it| Value::BitVec(BvValue::from_u64(Width::new(8).expect("a width"), it));
        let some = [
            Decision::Alternative(0),
            Decision::Alternative(9),
            Decision::Alternative(10),
            Decision::Alternative(101),
            Decision::Is(byte(2)),
            Decision::Is(byte(10)),
            Decision::Is(Value::Bool(true)),
            Decision::Not(byte(2)),
            Decision::Fails(0),
            Decision::Fails(1),
            Decision::Fails(12),
        ];
        let mut res = vec![PathName::default()];
        let mut begun = res.clone();
        for _ in 0..3 {
            let longer = |it: &PathName| {
                let longer = some.iter().map(|more| PathName(it.0.iter().chain([more]).cloned().collect()));
                longer.collect::<Vec<_>>()
            };
            begun = begun.iter().flat_map(longer).collect();
            res.extend(begun.iter().cloned());
            begun.retain(|it| !matches!(it.0.last(), Some(Decision::Fails(_))));
        }
        res
    }

    #[test]
    fn names_as_they_are_written_have_the_order_of_the_tree() {
        let names = names();
        let texts: Vec<String> = names.iter().map(PathName::text).collect();
        for (a, x) in names.iter().zip(&texts) {
            for (b, y) in names.iter().zip(&texts) {
                assert_eq!(written_in_tree_order(x, y), in_tree_order(a, b), "{x} and {y}");
            }
        }
    }

    #[test]
    fn what_is_not_a_name_has_an_order_all_the_same() {
        for (x, y) in [("?", "0"), ("=?;", "=3:8;"), ("(", "((("), ("x(", "x"), ("é", "e"), ("0é", "0ö")] {
            assert_eq!(written_in_tree_order(x, y), written_in_tree_order(y, x).reverse(), "{x} and {y}");
        }
    }
}

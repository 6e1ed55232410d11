//! The checker against `corpus/viper/check`: a line with `//~ id` has that error, other lines have none. A file without
//! marks has to check. A new case is a new file.

use effigy_viper::{NoImports, read};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn corpus() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/viper/check");
    let mut todo = vec![root];
    let mut res = Vec::new();
    while let Some(folder) = todo.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder of the corpus").flatten() {
            let path = entry.path();
            if path.is_dir() {
                todo.push(path);
            } else {
                let text = std::fs::read_to_string(&path).expect("a file of the corpus");
                res.push((path, text));
            }
        }
    }
    res.sort();
    assert!(res.len() > 15, "only {} files", res.len());
    res
}

#[test]
fn errors_are_on_the_lines_that_are_marked() {
    let mut differences = String::new();
    for (path, text) in corpus() {
        let marked = text.lines().enumerate().filter_map(|(idx, line)| {
            let (_, id) = line.split_once("//~ ")?;
            Some((idx as u32 + 1, id.trim().to_owned()))
        });
        let expected: BTreeSet<_> = marked.collect();
        let errors = read("case.vpr", &text, &mut NoImports).err().unwrap_or_default();
        let actual: BTreeSet<_> = errors.iter().map(|it| (it.span.line, it.kind.id().to_owned())).collect();
        if expected != actual {
            let missing: Vec<_> = expected.difference(&actual).collect();
            let found = errors.iter().filter(|it| !expected.contains(&(it.span.line, it.kind.id().to_owned())));
            let found: Vec<_> = found.map(|it| (it.span.line, it.kind.id(), &it.message)).collect();
            differences += &format!("{}:\n  missing {missing:?}\n  found {found:?}\n", path.display());
        }
    }
    assert!(differences.is_empty(), "{differences}");
}

/// Texts that are nearly programs: with parts left out, doubled, exchanged. They are read or refused; nothing panics.
#[test]
fn damaged_programs_are_read_or_refused() {
    let corpus = corpus();
    let mut random = Random(0x5eed_cafe_f00d_0001);
    for _ in 0..1_500 {
        let mut text: Vec<&str> = words(&corpus[random.below(corpus.len())].1);
        let other = words(&corpus[random.below(corpus.len())].1);
        for _ in 0..=random.below(3) {
            let (at, from) = (random.below(text.len()), random.below(other.len()));
            match random.below(4) {
                0 => drop(text.remove(at)),
                1 => text.insert(at, other[from]),
                2 => text[at] = other[from],
                _ => {
                    let with = random.below(text.len());
                    text.swap(at, with);
                }
            }
        }
        let _ = read("damaged.vpr", &text.concat(), &mut NoImports);
    }
}

/// Names, numbers, spaces and single signs.
fn words(text: &str) -> Vec<&str> {
    let mut res = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_word = |it: char| it.is_alphanumeric() || it == '_';
        let end = if is_word(first) { rest.find(|it| !is_word(it)).unwrap_or(rest.len()) } else { first.len_utf8() };
        let (word, after) = rest.split_at(end);
        res.push(word);
        rest = after;
    }
    res
}

/// Xorshift: the same cases on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }
}

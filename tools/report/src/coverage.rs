//! Line and branch coverage.
//!
//! Knows: sites as a language describes them. Never: how they were reached.

use serde::Serialize;
use std::collections::BTreeMap;

/// A site, and whether it was reached.
#[derive(Clone, Debug)]
pub struct CoverageSite {
    /// The lines of the stretch of code, or the line of the branch.
    pub lines: Vec<(String, u32)>,
    /// It is one of a branch's ways on.
    pub branch: bool,
    /// Whether any path reached it.
    pub reached: bool,
}

/// The coverage of all files of a program, with totals.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Coverage {
    /// The coverage of each file, by its name.
    pub files: BTreeMap<String, FileCoverage>,
    /// The number of lines that were executed.
    pub lines_covered: usize,
    /// The number of lines that have code.
    pub lines_total: usize,
    /// Ways on from branches that were taken.
    pub branches_covered: usize,
    /// The number of outcomes that all branches have.
    pub branches_total: usize,
}

/// The line and branch coverage of one file.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct FileCoverage {
    /// Whether each line was executed.
    pub lines: BTreeMap<u32, bool>,
    /// For each line with branches: how many ways on were taken, of how many.
    pub branches: BTreeMap<u32, (usize, usize)>,
}

/// The coverage of these sites. Sites without a line do not count.
pub fn coverage(sites: impl IntoIterator<Item = CoverageSite>) -> Coverage {
    let mut res = Coverage::default();
    for site in sites {
        for (file, line) in site.lines {
            if line == 0 || file.is_empty() {
                continue;
            }
            let file = res.files.entry(file).or_default();
            if site.branch {
                let branches = file.branches.entry(line).or_insert((0, 0));
                branches.0 += usize::from(site.reached);
                branches.1 += 1;
            } else {
                *file.lines.entry(line).or_insert(false) |= site.reached;
            }
        }
    }
    for file in res.files.values() {
        res.lines_covered += file.lines.values().filter(|it| **it).count();
        res.lines_total += file.lines.len();
        res.branches_covered += file.branches.values().map(|it| it.0).sum::<usize>();
        res.branches_total += file.branches.values().map(|it| it.1).sum::<usize>();
    }
    res
}

/// The tracefile that `genhtml` and editors read (lcov's `.info`).
pub fn lcov(coverage: &Coverage) -> String {
    let mut res = String::new();
    for (name, file) in &coverage.files {
        res.push_str(&format!("TN:effigy\nSF:{name}\n"));
        for (line, (taken, total)) in &file.branches {
            for way in 0..*total {
                res.push_str(&format!("BRDA:{line},0,{way},{}\n", usize::from(way < *taken)));
            }
        }
        for (line, executed) in &file.lines {
            res.push_str(&format!("DA:{line},{}\n", u32::from(*executed)));
        }
        let hit = file.lines.values().filter(|it| **it).count();
        res.push_str(&format!("LH:{hit}\nLF:{}\nend_of_record\n", file.lines.len()));
    }
    res
}

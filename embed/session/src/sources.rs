//! Lines of the user's sources, for pictures.
//!
//! Knows: where a compiler's path leads from the folder of a test. Never: what is written there.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// Files that were read, by the path that the compiler has for them.
#[derive(Debug, Default)]
pub(crate) struct Sources {
    files: RefCell<BTreeMap<Arc<str>, Vec<Arc<str>>>>,
}

impl Sources {
    /// A line, trimmed; empty where it is not known.
    pub(crate) fn line(&self, file: &Arc<str>, line: u32) -> Arc<str> {
        let mut files = self.files.borrow_mut();
        let lines = files.entry(Arc::clone(file)).or_insert_with(|| read(file).unwrap_or_default());
        let at = (line as usize).checked_sub(1);
        at.and_then(|it| lines.get(it)).cloned().unwrap_or_default()
    }
}

/// A test runs in the folder of its package; a path begins at the folder of its workspace, which is above it.
fn read(file: &str) -> Option<Vec<Arc<str>>> {
    let here = std::env::current_dir().ok()?;
    let text =
        here.ancestors().map(|it| PathBuf::from(it).join(file)).find_map(|it| std::fs::read_to_string(it).ok())?;
    Some(text.lines().map(|it| it.trim().into()).collect())
}

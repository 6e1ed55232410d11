//! The texts of a program: its file and what that imports from beside it, from the user's library and from Viper's.
//!
//! Knows: folders. Never: what a program means.

use effigy_report::failures::Source;
use effigy_viper::{Loader, SourceFile};
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// A larger file is a mistake.
const LARGEST: u64 = 256 << 20;

/// The text of a file.
pub(super) fn text(path: &Path) -> Result<String, String> {
    let about = fs::metadata(path).map_err(|error| error.to_string())?;
    if !about.is_file() {
        return Err("a file was expected".to_owned());
    }
    if about.len() > LARGEST {
        return Err(format!("this file is larger than {} MB", LARGEST >> 20));
    }
    let bytes = fs::read(path).map_err(|error| error.to_string())?;
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let line = 1 + error.as_bytes()[..at].iter().filter(|it| **it == b'\n').count();
        format!("line {line}: UTF-8 text was expected")
    })
}

/// The files of one program.
pub(super) struct Files<'a> {
    pub(super) read: Vec<Source>,
    /// Where `import <path>` is looked up before Viper's own library.
    library: &'a [PathBuf],
}

impl<'a> Files<'a> {
    /// The files of a program; `own` is the first.
    pub(super) fn new(own: Source, library: &'a [PathBuf]) -> Files<'a> {
        Files { read: vec![own], library }
    }

    fn file(&mut self, path: &Path) -> Result<SourceFile, String> {
        let path = normal(path);
        let name: Arc<str> = path.display().to_string().into();
        let text = match self.read.iter().find(|it| it.name == name) {
            Some(known) => known.text.to_string(),
            None => {
                let text = text(&path).map_err(|error| format!("{name}: {error}"))?;
                self.read.push(Source::new(&name, &text));
                text
            }
        };
        Ok(SourceFile { name, text })
    }

    fn standard(&mut self, path: &str) -> Result<SourceFile, String> {
        // A library is closed: what it has is inside of its folder.
        let inside = Path::new(path).components().all(|it| matches!(it, Component::Normal(_) | Component::CurDir));
        if inside && let Some(own) = self.library.iter().map(|it| it.join(path)).find(|it| it.exists()) {
            return self.file(&own);
        }
        let name: Arc<str> = format!("<{path}>").into();
        let Some(text) = effigy_viper::standard(path) else {
            return Err(format!("there is no standard file <{path}>; --import-path names a folder with more of them"));
        };
        if !self.read.iter().any(|it| it.name == name) {
            self.read.push(Source::new(&name, text));
        }
        Ok(SourceFile { name, text: text.to_owned() })
    }
}

impl Loader for Files<'_> {
    fn load(&mut self, path: &str, standard: bool, from: &str) -> Result<SourceFile, String> {
        match standard {
            true => self.standard(path),
            false => self.file(&Path::new(from).parent().unwrap_or(Path::new("")).join(path)),
        }
    }
}

/// Without `.` and `..`, so that one file has one name.
fn normal(path: &Path) -> PathBuf {
    let mut res = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if matches!(res.components().next_back(), Some(Component::Normal(_))) => {
                res.pop();
            }
            part => res.push(part),
        }
    }
    res
}

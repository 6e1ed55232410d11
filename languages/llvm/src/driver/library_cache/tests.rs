//! Entries that may be used, and those that may not.

use super::*;
use crate::driver::Scratch;
use std::time::Duration;

const TEXT: &[u8] = b"define i32 @f() {\n  ret i32 0\n}\n";

/// A folder with a header and a rule that names it.
struct Given {
    scratch: Scratch,
    header: PathBuf,
}

impl Given {
    fn new() -> Given {
        let scratch = Scratch::new().expect("a folder");
        let header = scratch.path().join("include/12/a b.h");
        fs::create_dir_all(header.parent().expect("a folder")).expect("a folder");
        fs::write(&header, "int f(void);").expect("a header");
        age(&header);
        age(&scratch.path().join("include"));
        Given { scratch, header }
    }

    fn rule(&self) -> PathBuf {
        let rule = self.scratch.path().join("source.d");
        let named = self.header.display().to_string().replace(' ', "\\ ");
        let own = self.own().join("source.c");
        fs::write(&rule, format!("source.ll: \\\n  {} {named}\n", own.display())).expect("a rule");
        rule
    }

    /// Where the source of ours was.
    fn own(&self) -> PathBuf {
        self.scratch.path().join("own")
    }

    fn entry(&self, text: &str, arguments: &[&str]) -> CachedModule {
        let arguments: Vec<String> = arguments.iter().map(|it| (*it).to_owned()).collect();
        CachedModule::within(&self.scratch.path().join("cache"), text, &arguments, OsStr::new("no-clang-at-all"))
    }

    fn kept(&self) -> CachedModule {
        let entry = self.entry("int f;", &["-O0"]);
        entry.write(TEXT, &self.rule(), &self.own());
        assert_eq!(entry.read().as_deref(), Some(TEXT));
        entry
    }
}

/// Makes a file an hour older than now.
fn age(path: &Path) {
    let file = fs::File::open(path).expect("a file");
    file.set_modified(SystemTime::now() - Duration::from_secs(3600)).expect("an hour ago");
}

#[test]
fn an_entry_is_for_its_source_and_flags_alone() {
    let given = Given::new();
    given.kept();
    assert_eq!(given.entry("int f;", &["-O0"]).read().as_deref(), Some(TEXT));
    assert!(given.entry("int g;", &["-O0"]).read().is_none());
    assert!(given.entry("int f;", &["-O", "0"]).read().is_none());
    assert!(given.entry("int f;", &[]).read().is_none());
}

#[test]
fn a_damaged_entry_is_none() {
    let given = Given::new();
    let entry = given.kept();
    let whole = fs::read(&entry.path).expect("an entry");
    for at in 0..whole.len() {
        let mut damaged = whole.clone();
        damaged[at] ^= 1;
        fs::write(&entry.path, &damaged).expect("it is written");
        assert!(entry.read().is_none(), "the byte {at} was changed");
        fs::write(&entry.path, &whole[..at]).expect("it is written");
        assert!(entry.read().is_none(), "it ends after {at} bytes");
    }
    fs::write(&entry.path, &whole).expect("it is written");
    assert!(entry.read().is_some());
    fs::remove_file(&entry.path).expect("it is there");
    fs::create_dir(&entry.path).expect("a folder in its place");
    assert!(entry.read().is_none());
}

#[test]
fn an_entry_ends_with_the_headers_that_it_was_made_of() {
    let given = Given::new();
    let entry = given.kept();
    fs::write(&given.header, "int f(int);").expect("another text");
    assert!(entry.read().is_none());

    let given = Given::new();
    let entry = given.kept();
    fs::create_dir(given.scratch.path().join("include/13")).expect("another version");
    assert!(entry.read().is_none());

    let given = Given::new();
    let entry = given.kept();
    fs::remove_file(&given.header).expect("it is there");
    assert!(entry.read().is_none());
}

#[test]
fn a_header_that_changes_while_clang_reads_it_is_not_kept() {
    let given = Given::new();
    let entry = given.entry("int f;", &[]);
    fs::write(&given.header, "int f(void);").expect("it is written");
    fs::File::open(&given.header)
        .and_then(|it| it.set_modified(SystemTime::now() + Duration::from_secs(1)))
        .expect("a second later");
    entry.write(TEXT, &given.rule(), &given.own());
    assert!(entry.read().is_none());
}

#[test]
fn no_folder_is_no_error() {
    let given = Given::new();
    fs::write(given.scratch.path().join("cache"), "a file").expect("it is written");
    let entry = given.entry("int f;", &[]);
    entry.write(TEXT, &given.rule(), &given.own());
    assert!(entry.read().is_none());
}

#[test]
fn the_oldest_entries_are_dropped() {
    let scratch = Scratch::new().expect("a folder");
    let path = |name: &str| scratch.path().join(name);
    for (name, hours) in [("a", 3), ("b", 1), ("c", 2)] {
        fs::write(path(name), [0; 100]).expect("it is written");
        let file = fs::File::open(path(name)).expect("it is there");
        file.set_modified(SystemTime::now() - Duration::from_secs(3600 * hours)).expect("some time ago");
    }
    bound(scratch.path(), 300);
    assert!(path("a").exists());
    bound(scratch.path(), 150);
    assert_eq!([path("a").exists(), path("b").exists(), path("c").exists()], [false, true, false]);
}

#[test]
fn rules_of_make_are_read() {
    let files = |it: &str| dependencies(it.as_bytes()).map(|it| it.iter().map(|it| it.display().to_string()).collect());
    let expected: Vec<String> = ["a.c", "/x y/$b.h", "c#.h"].iter().map(|it| (*it).to_owned()).collect();
    assert_eq!(files("a.o: a.c \\\n  /x\\ y/$$b.h \\\n c\\#.h\n"), Some(expected));
    assert_eq!(files("nothing"), None);
}

#[test]
fn folders_of_versions_are_watched() {
    let files = [PathBuf::from("/usr/bin/../lib/gcc/x86/12/../../../../include/c++/12/string")];
    let found: Vec<PathBuf> = watched(&files, Path::new("/tmp/own")).into_iter().collect();
    let expected = ["/usr/bin/../lib/gcc/x86", "/usr/bin/../lib/gcc/x86/12/../../../../include/c++"];
    assert!(expected.iter().all(|it| found.contains(&PathBuf::from(it))), "{found:?}");
    assert_eq!(found.len(), 3);
}

//! Compilation databases (`compile_commands.json`), as CMake, Meson, Bear and others write them.
//!
//! Knows: their JSON, as clang documents it. Never: whether the files that they name exist, what a flag means.
//! Source: clang, "JSON Compilation Database Format Specification".

use super::shell_words::shell_words;
use serde::Deserialize;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The size in bytes up to which a database is read: the largest that are known (Chromium, LLVM) have some 100 MB.
pub const LARGEST_DATABASE: u64 = 512 << 20;

/// How deep response files may name others. Chosen without measuring.
const DEEPEST_RESPONSE: usize = 8;

/// The bytes of response files that are read for one command, a file counted as often as it is named. Chosen without
/// measuring.
const MOST_RESPONSE: u64 = 4 << 20;

/// How one file is compiled, as a database tells it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CompileCommand {
    /// The directory in which the compiler runs.
    pub directory: PathBuf,
    /// The source file, absolute where the directory is.
    pub file: PathBuf,
    /// The words of the command, of which the first is the compiler.
    pub arguments: Vec<String>,
    /// The file that the compiler writes, if the entry or the command names one.
    pub output: Option<PathBuf>,
}

/// An entry as it is written.
#[derive(Deserialize)]
struct Entry {
    directory: PathBuf,
    file: PathBuf,
    command: Option<String>,
    arguments: Option<Vec<String>>,
    output: Option<PathBuf>,
}

/// Reads a database. Its relative directories are relative to `folder`, in which it lies.
///
/// # Errors
/// What is wrong and where: the line and column of the JSON, or the number of the entry.
pub fn read_database(bytes: &[u8], folder: &Path) -> Result<Vec<CompileCommand>, String> {
    let entries: Vec<Entry> = serde_json::from_slice(bytes).map_err(|error| {
        let text = error.to_string();
        let words = text.rsplit_once(" at line ").map_or(&*text, |it| it.0);
        format!("{}:{}: {words}", error.line(), error.column())
    })?;
    let command = |(at, entry): (usize, Entry)| {
        let place = format!("entry {} ({})", at + 1, entry.file.display());
        compile_command(entry, folder).map_err(|what| format!(" {place}: {what}"))
    };
    entries.into_iter().enumerate().map(command).collect()
}

fn compile_command(entry: Entry, folder: &Path) -> Result<CompileCommand, &'static str> {
    let arguments = match (entry.arguments, entry.command) {
        (Some(arguments), _) => arguments,
        (None, Some(command)) => shell_words(&command).ok_or("a quote in its command is not closed")?,
        (None, None) => return Err("it has neither `arguments` nor `command`"),
    };
    if arguments.is_empty() {
        return Err("its command is empty");
    }
    let has_zero = |it: &str| it.contains('\0');
    let paths = [Some(&entry.directory), Some(&entry.file), entry.output.as_ref()];
    if arguments.iter().any(|it| has_zero(it)) || paths.into_iter().flatten().any(|it| has_zero(&it.to_string_lossy()))
    {
        return Err("there is a character 0 in it");
    }
    if entry.file.as_os_str().is_empty() {
        return Err("it names no file");
    }
    let directory = folder.join(entry.directory);
    let file = directory.join(entry.file);
    let output = entry.output.or_else(|| output(&arguments)).map(|it| directory.join(it));
    Ok(CompileCommand { directory, file, arguments, output })
}

/// The file that a command writes: `-o X` or `-oX`.
fn output(arguments: &[String]) -> Option<PathBuf> {
    let separate = arguments.iter().position(|it| it == "-o").and_then(|at| arguments.get(at + 1));
    let joined = || arguments.iter().find_map(|it| it.strip_prefix("-o").filter(|it| !it.is_empty()));
    separate.map(String::as_str).or_else(joined).map(PathBuf::from)
}

/// Puts the words of response files (`@file`) in their place. Compilers take a name for itself if it is no file.
pub fn expanded(arguments: &[String], directory: &Path) -> Vec<String> {
    let mut res = Vec::with_capacity(arguments.len());
    expand_into(&mut res, arguments, directory, (DEEPEST_RESPONSE, &mut { MOST_RESPONSE }));
    res
}

/// `depth` is how many files may still be in each other, `left` how many bytes of them are still read.
fn expand_into(res: &mut Vec<String>, arguments: &[String], directory: &Path, (depth, left): (usize, &mut u64)) {
    for argument in arguments {
        let named = argument.strip_prefix('@').filter(|it| depth > 0 && !it.is_empty());
        match named.and_then(|it| response(&directory.join(it), left)) {
            Some(words) => expand_into(res, &words, directory, (depth - 1, left)),
            None => res.push(argument.clone()),
        }
    }
}

/// The words in a file of arguments; `None` where it is no file of text, or `left` has not as many bytes.
fn response(path: &Path, left: &mut u64) -> Option<Vec<String>> {
    // A pipe or a device may never end.
    let length = std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file)?.len();
    let rest = left.checked_sub(length.max(1))?;
    let mut text = String::new();
    std::fs::File::open(path).ok()?.take(length).read_to_string(&mut text).ok()?;
    let words = shell_words(&text)?;
    *left = rest;
    Some(words)
}

/// The target of a build system for which a file is compiled, as the path of its object says it: CMake's
/// `CMakeFiles/prog.dir/main.c.o`, Meson's `prog.p/main.c.o`.
pub fn build_target(output: &Path) -> Option<BuildTarget> {
    let names: Vec<&str> = output.components().filter_map(|it| it.as_os_str().to_str()).collect();
    let cmake = |at: &usize| names[at - 1] == "CMakeFiles" && names[*at].ends_with(".dir");
    let at = (1..names.len()).find(cmake).or_else(|| (0..names.len()).rfind(|at| names[*at].ends_with(".p")))?;
    let name = names[at].strip_suffix(".dir").or_else(|| names[at].strip_suffix(".p"))?;
    let folder: PathBuf = output.components().take(at + 1).collect();
    (!name.is_empty() && at + 1 < names.len()).then(|| BuildTarget { name: name.to_owned(), folder })
}

/// A target of a build system: a program or a library.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BuildTarget {
    /// The name that the build system knows.
    pub name: String,
    /// The folder of its objects: two folders of a build may have targets of one name.
    pub folder: PathBuf,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        read_database(text.as_bytes(), Path::new("/b")).expect_err("it is refused")
    }

    fn one(text: &str) -> CompileCommand {
        read_database(text.as_bytes(), Path::new("/b")).expect("it is read").remove(0)
    }

    #[test]
    fn both_forms_of_a_command_are_read() {
        let it = one(
            r#"[{"directory": "sub", "file": "../a.c", "command": "cc -DA=\\\"x\\\" -c -o a.o ../a.c", "more": 1}]"#,
        );
        assert_eq!((&*it.directory, &*it.file), (Path::new("/b/sub"), Path::new("/b/sub/../a.c")));
        assert_eq!(it.arguments, ["cc", "-DA=\"x\"", "-c", "-o", "a.o", "../a.c"]);
        assert_eq!(it.output.as_deref(), Some(Path::new("/b/sub/a.o")));
        let it = one(r#"[{"directory": "/d", "file": "/a.c", "arguments": ["cc", "-oa b.o"], "output": null}]"#);
        assert_eq!((&*it.file, it.output.as_deref()), (Path::new("/a.c"), Some(Path::new("/d/a b.o"))));
    }

    #[test]
    fn what_is_wrong_is_told_with_its_place() {
        assert_eq!(error("[\n  {\"directory\": \"/d\",\n"), "3:0: EOF while parsing a value");
        assert_eq!(error("{}"), "1:0: invalid type: map, expected a sequence");
        assert!(error("[{\"file\": \"a.c\"}]").ends_with("missing field `directory`"));
        assert!(error("[3]").starts_with("1:2: invalid type: integer `3`"), "{}", error("[3]"));
        let own = |rest: &str| error(&format!("[{{\"directory\": \"/d\", \"file\": \"a.c\"{rest}}}]"));
        assert_eq!(own(""), " entry 1 (a.c): it has neither `arguments` nor `command`");
        assert_eq!(own(", \"arguments\": []"), " entry 1 (a.c): its command is empty");
        assert_eq!(own(", \"command\": \"cc 'x\""), " entry 1 (a.c): a quote in its command is not closed");
        assert_eq!(own(", \"command\": \"cc \\u0000\""), " entry 1 (a.c): there is a character 0 in it");
        let deep = "[".repeat(100_000);
        assert!(
            error(&deep).contains("recursion limit exceeded") || error(&deep).contains("invalid type"),
            "{}",
            error(&deep)
        );
    }

    #[test]
    fn files_of_arguments_are_read_within_bounds() {
        let folder = std::env::temp_dir().join(format!("effigy-response-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).expect("a file");
        write("flags", "-DA '-DB=1 2' @more");
        write("more", "-DC");
        write("itself", &"@itself ".repeat(1_000));
        let of = |words: &[&str]| expanded(&words.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>(), &folder);
        assert_eq!(of(&["cc", "@flags", "a.c"]), ["cc", "-DA", "-DB=1 2", "-DC", "a.c"]);
        // A device that never ends, a folder and what is not there stay as they are.
        let words = ["cc", "@/dev/zero", "@/", "@none", "@"];
        assert_eq!(of(&words), words);
        assert!(of(&["@itself"]).len() < 2_000_000);
        std::fs::remove_dir_all(&folder).expect("the folder");
    }

    #[test]
    fn targets_are_known_by_their_objects() {
        let target = |it: &str| build_target(Path::new(it)).map(|it| format!("{} {}", it.name, it.folder.display()));
        let own = |it: &str| Some(it.to_owned());
        assert_eq!(target("/b/src/CMakeFiles/cmark.dir/main.c.o"), own("cmark /b/src/CMakeFiles/cmark.dir"));
        assert_eq!(target("/b/x.p/CMakeFiles/a.dir/b.p/main.c.o"), own("a /b/x.p/CMakeFiles/a.dir"));
        assert_eq!(target("sub/prog.p/main.c.o"), own("prog sub/prog.p"));
        assert_eq!(target("/b/prog.p"), None);
        assert_eq!(target("/b/main.o"), None);
    }
}

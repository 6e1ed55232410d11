//! `effigy cc` and `effigy c++`: the user's clang, with a record of what it compiled and linked.
//!
//! Knows: how compilers are called. Never: where records lie (`build_records`), what flags mean.
//! A build must not notice: the compiler gets the very arguments, and a record that cannot be written is no error.

use crate::build_records;
use effigy_llvm::driver::project::{LinkRecord, RecordedSource, expanded, real_compiler, takes_value};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Set, to anything, where the user wants to hear why a record was not written.
const VERBOSE: &str = "EFFIGY_CC_VERBOSE";

/// Runs the compiler, where a build has called this process for it; `None` for every other command.
pub(crate) fn called_by_build(words: &[OsString]) -> Option<ExitCode> {
    let [_, name, arguments @ ..] = words else { return None };
    let is_cpp = match name.to_str()? {
        "cc" => false,
        "c++" => true,
        _ => return None,
    };
    if let [only] = arguments
        && only == "-h"
    {
        // No compiler has this flag.
        return None;
    }
    let mut command = match real_compiler(is_cpp) {
        Ok(command) => command,
        Err(error) => {
            eprintln!("effigy: {error}");
            return Some(ExitCode::from(2));
        }
    };
    let status = match command.args(arguments).status() {
        Ok(status) => status,
        Err(error) => {
            eprintln!("effigy: {}: {error}", command.get_program().display());
            return Some(ExitCode::from(2));
        }
    };
    if status.success()
        && let Err(what) = note(name, arguments)
        && std::env::var_os(VERBOSE).is_some()
    {
        eprintln!("effigy: no record of this compilation: {what}");
    }
    let signal = std::os::unix::process::ExitStatusExt::signal(&status).map_or(1, |it| 128 + it);
    Some(ExitCode::from(u8::try_from(status.code().unwrap_or(signal)).unwrap_or(1)))
}

/// What a compiler is asked to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Task {
    Compile,
    Link,
    /// It preprocesses, or tells of itself.
    Other,
}

/// A call of a compiler.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Invocation {
    task: Task,
    sources: Vec<PathBuf>,
    /// Objects, archives and shared libraries, in their order; libraries by name are `-lm`.
    inputs: Vec<String>,
    folders: Vec<PathBuf>,
    output: Option<PathBuf>,
}

/// Extensions of what clang compiles; assembly has no meaning for us, and is told of when the program is taken.
const SOURCES: &[&str] = &["c", "i", "cc", "cpp", "cxx", "c++", "C", "ii", "s", "S"];

impl Invocation {
    fn of(arguments: &[String]) -> Invocation {
        let mut res =
            Invocation { task: Task::Link, sources: Vec::new(), inputs: Vec::new(), folders: Vec::new(), output: None };
        let mut has_language = false;
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            let value = if takes_value(argument) { rest.next() } else { None };
            match (argument.as_str(), value) {
                ("-c", _) if res.task == Task::Link => res.task = Task::Compile,
                ("-E" | "-S" | "-M" | "-MM" | "-fsyntax-only" | "-###" | "--version", _) => res.task = Task::Other,
                ("-o", Some(value)) => res.output = Some(value.into()),
                ("-L", Some(value)) => res.folders.push(value.into()),
                ("-l", Some(value)) => res.inputs.push(format!("-l{value}")),
                ("-x", Some(value)) => has_language = value != "none",
                (_, Some(_)) => {}
                (flag, None) if flag.starts_with("-print-") || flag.starts_with("--print-") => res.task = Task::Other,
                (flag, None) if flag.len() > 2 && flag.starts_with("-o") => res.output = Some(flag[2..].into()),
                (flag, None) if flag.len() > 2 && flag.starts_with("-L") => res.folders.push(flag[2..].into()),
                (flag, None) if flag.starts_with("-l") => res.inputs.push(flag.to_owned()),
                (flag, None) if flag.starts_with("-x") => has_language = flag != "-xnone",
                (flag, None) if flag.starts_with('-') => {}
                (file, None) => {
                    let extension = Path::new(file).extension().and_then(|it| it.to_str()).unwrap_or_default();
                    match has_language || SOURCES.contains(&extension) {
                        true => res.sources.push(file.into()),
                        false => res.inputs.push(file.to_owned()),
                    }
                }
            }
        }
        res
    }
}

/// Writes the records of a compilation.
fn note(compiler: &OsString, arguments: &[OsString]) -> Result<(), String> {
    let words: Option<Vec<String>> =
        std::iter::once(compiler).chain(arguments).map(|it| it.to_str().map(str::to_owned)).collect();
    let words = words.ok_or("its arguments are not UTF-8")?;
    let here = std::env::current_dir().map_err(|it| it.to_string())?;
    let arguments = expanded(&words, &here);
    let call = Invocation::of(&arguments[1..]);
    let source = |file: &PathBuf, output: Option<PathBuf>| RecordedSource {
        directory: here.clone(),
        file: here.join(file),
        arguments: arguments.clone(),
        output,
        is_member: false,
    };
    match call.task {
        Task::Other => Ok(()),
        Task::Compile => {
            for file in &call.sources {
                let object = file.with_extension("o");
                let usual = || PathBuf::from(object.file_name().unwrap_or_default());
                let object = here.join(call.output.clone().unwrap_or_else(usual));
                // Without a file that was written (`-o /dev/null`) there is nothing to link later.
                if object.is_file() {
                    build_records::write(&object, &LinkRecord::new(vec![source(file, Some(object.clone()))]))?;
                }
            }
            Ok(())
        }
        Task::Link => {
            if call.sources.is_empty() && call.inputs.is_empty() {
                return Ok(());
            }
            let program = here.join(call.output.clone().unwrap_or_else(|| "a.out".into()));
            if !program.is_file() {
                return Ok(());
            }
            let mut record = LinkRecord::new(call.sources.iter().map(|it| source(it, None)).collect());
            record.link.extend(arguments.iter().filter(|it| *it == "-pthread").cloned());
            call.folders.iter().for_each(|it| record.link.push(format!("-L{}", here.join(it).display())));
            for input in &call.inputs {
                add_input(&mut record, input, &call, &here);
            }
            build_records::write(&program, &record)
        }
    }
}

/// Adds the sources of an object or a library to the record of a program.
fn add_input(record: &mut LinkRecord, input: &str, call: &Invocation, here: &Path) {
    let file = match input.strip_prefix("-l") {
        Some(name) => {
            let names = [format!("lib{name}.so"), format!("lib{name}.a")];
            let mut places =
                call.folders.iter().flat_map(|folder| names.iter().map(move |it| here.join(folder).join(it)));
            match places.find(|it| build_records::exists(it)) {
                Some(file) => file,
                // A library of the system.
                None => return record.link.push(input.to_owned()),
            }
        }
        None => here.join(input),
    };
    let is_object = file.extension().is_some_and(|it| it == "o" || it == "lo" || it == "obj");
    match build_records::read(&file) {
        Ok(own) => {
            let member = |it: RecordedSource| RecordedSource { is_member: it.is_member || !is_object, ..it };
            record.sources.extend(own.sources.into_iter().map(member));
            record.unknown.extend(own.unknown);
            record.link.extend(own.link);
        }
        Err(_) => {
            record.link.push(file.display().to_string());
            record.unknown.push(file);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(words: &str) -> String {
        let words: Vec<String> = words.split_whitespace().map(str::to_owned).collect();
        let it = Invocation::of(&words);
        format!("{:?} {:?} {:?} {:?} {:?}", it.task, it.sources, it.inputs, it.folders, it.output)
    }

    #[test]
    fn a_call_is_read_as_a_compiler_reads_it() {
        assert_eq!(call("-c a.c -o x/a.o -DX=b.c -include c.h"), r#"Compile ["a.c"] [] [] Some("x/a.o")"#);
        assert_eq!(
            call("a.c b.o -Lsub -L t libz.a -lm -l z"),
            r#"Link ["a.c"] ["b.o", "libz.a", "-lm", "-lz"] ["sub", "t"] None"#
        );
        assert_eq!(call("-x c - -o a -x none b.o"), r#"Link [] ["b.o"] [] Some("a")"#);
        assert_eq!(call("-xc++ a.txt -oprog"), r#"Link ["a.txt"] [] [] Some("prog")"#);
        for other in ["-E a.c", "-c -E a.c", "--version", "-print-search-dirs", "-MM a.c", "-S a.c"] {
            assert!(call(other).starts_with("Other"), "{other}");
        }
        assert_eq!(call("-v"), "Link [] [] [] None");
        assert_eq!(call("-Xclang -c -o"), "Link [] [] [] None");
    }
}

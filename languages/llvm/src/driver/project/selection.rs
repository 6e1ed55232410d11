//! Which files of a build make one program.
//!
//! Knows: targets, the names that files define and need. Never: how a build was described.

use super::super::{CompileUnit, DriverError, Kind, Scratch, add_library, clang, compile_unit, unit, write_headers};
use super::compiler_check::take_refused;
use super::symbols::LinkerSymbols;
use super::{BuildTarget, Project, ProjectError, ProjectFile, Role};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Names at which a program starts by itself.
const STARTS: &[&str] = &["main", "LLVMFuzzerTestOneInput"];

/// What of a build is to be a program.
#[derive(Clone, Copy, Debug, Default)]
pub struct Selection<'a> {
    /// The target of the build system, or the file with `main`.
    pub target: Option<&'a str>,
    /// The function at which the program starts.
    pub entry: Option<&'a str>,
    /// Flags of the user's own, behind those of the build.
    pub flags: &'a [String],
}

/// A program of a build, compiled.
#[derive(Clone, Debug, Default)]
pub struct ProjectProgram {
    /// Its files.
    pub units: Vec<CompileUnit>,
    /// The names of its files, and the text of each one's module.
    pub modules: Vec<(String, Vec<u8>)>,
    /// Flags for the linker of the native program.
    pub link: Vec<String>,
    /// What the user should know of how the program was put together, a sentence each.
    pub remarks: Vec<String>,
    /// What the compiler warned of.
    pub warnings: Vec<String>,
}

/// A file after its compiler ran.
struct CompiledFile {
    unit: CompileUnit,
    module: Vec<u8>,
    symbols: LinkerSymbols,
    warnings: String,
    /// Flags that the clang of this machine does not know.
    refused: Vec<String>,
}

type Outcome = Result<CompiledFile, String>;

impl Project {
    /// Compiles what is needed to find the files of a program, and puts it together.
    ///
    /// # Errors
    /// When no program or several fit, or a file of the program cannot be compiled.
    pub fn program(&self, selection: &Selection<'_>) -> Result<ProjectProgram, DriverError> {
        let own = match selection.target {
            Some(name) => self.named(name)?,
            None => Vec::new(),
        };
        let build = Compilation::new(self, selection, &own)?;
        let seeds = build.seeds(&own)?;
        let chosen = build.linked(&seeds)?;
        build.program(&chosen)
    }

    /// The files of a target, or of a file with `main` and its target.
    fn named(&self, name: &str) -> Result<Vec<usize>, ProjectError> {
        let is_target = |it: &BuildTarget| it.name == name || it.folder.ends_with(name);
        let targets: BTreeSet<&BuildTarget> =
            self.files.iter().filter_map(|it| it.target.as_ref()).filter(|it| is_target(it)).collect();
        let of = |target: &BuildTarget| -> Vec<usize> {
            let is_one = |it: &usize| self.files[*it].target.as_ref() == Some(target);
            (0..self.files.len()).filter(is_one).collect()
        };
        match targets.len() {
            0 => {}
            1 => return Ok(targets.into_iter().flat_map(of).collect()),
            _ => {
                let candidate = |it: &BuildTarget| (it.folder.display().to_string(), PathBuf::new());
                return Err(ProjectError::Several {
                    what: format!("several targets are called {name}"),
                    candidates: targets.into_iter().map(candidate).collect(),
                });
            }
        }
        let path = super::normalized(Path::new(name));
        let by_path = |it: &usize| self.files[*it].unit.file.ends_with(&path);
        let by_stem = |it: &usize| self.files[*it].unit.file.file_stem().is_some_and(|it| it == name);
        let mut found: Vec<usize> = (0..self.files.len()).filter(by_path).collect();
        if found.is_empty() {
            found = (0..self.files.len()).filter(by_stem).collect();
        }
        let files: BTreeSet<&Path> = found.iter().map(|it| &*self.files[*it].unit.file).collect();
        match (found.first(), files.len()) {
            (Some(first), 1) => Ok(self.files[*first].target.as_ref().map_or_else(|| vec![*first], of)),
            (Some(_), _) => Err(ProjectError::Several {
                what: format!("several files are called {name}"),
                candidates: files.into_iter().map(|it| (it.display().to_string(), PathBuf::new())).collect(),
            }),
            (None, _) => Err(ProjectError::NoTarget { name: name.to_owned(), candidates: self.likely_programs() }),
        }
    }

    /// The targets of files whose text has a `main`, without compiling anything.
    fn likely_programs(&self) -> Vec<(String, PathBuf)> {
        let has_main = |it: &ProjectFile| {
            let text = std::fs::read(it.unit.input()).unwrap_or_default();
            memchr::memmem::find_iter(&text, b"main")
                .any(|at| text[at + 4..].iter().find(|it| !it.is_ascii_whitespace()) == Some(&b'('))
        };
        self.files
            .iter()
            .filter(|it| has_main(it))
            .map(ProjectFile::candidate)
            .collect::<BTreeMap<_, _>>()
            .into_iter()
            .collect()
    }
}

impl ProjectFile {
    /// What a user says for the program of this file, and the file.
    fn candidate(&self) -> (String, PathBuf) {
        let name = self.target.as_ref().map(|it| it.name.clone());
        (name.unwrap_or_else(|| self.unit.file.display().to_string()), self.unit.file.clone())
    }
}

/// The files of a build with what came of compiling them.
struct Compilation<'a> {
    project: &'a Project,
    selection: &'a Selection<'a>,
    /// By file of the project; `None` for one that another entry of the same file stands for.
    outcomes: Vec<Option<Outcome>>,
}

impl<'a> Compilation<'a> {
    /// Compiles each source once: where several targets have it, as a wanted one does.
    fn new(project: &'a Project, selection: &'a Selection<'a>, own: &[usize]) -> Result<Compilation<'a>, DriverError> {
        let mut wanted: Vec<usize> = own.to_vec();
        let mut taken: FxHashSet<&Path> = own.iter().map(|it| &*project.files[*it].unit.file).collect();
        for (at, file) in project.files.iter().enumerate() {
            // What was linked was linked, even if it is the same source twice.
            if file.role != Role::Unknown || taken.insert(&file.unit.file) {
                wanted.push(at);
            }
        }
        clang()?;
        let scratch = Scratch::new()?;
        // Once, before the compilers read them.
        let include = write_headers(&scratch)?;
        let slots: Vec<OnceLock<Outcome>> = project.files.iter().map(|_| OnceLock::new()).collect();
        let next = AtomicUsize::new(0);
        let work = || {
            while let Some(at) = wanted.get(next.fetch_add(1, Ordering::Relaxed)) {
                let outcome = compiled(&project.files[*at].unit, selection.flags, &include, *at);
                let _ = slots[*at].set(outcome);
            }
        };
        let workers = std::thread::available_parallelism().map_or(1, NonZero::get).min(wanted.len());
        std::thread::scope(|scope| {
            (1..workers).for_each(|_| drop(scope.spawn(work)));
            work();
        });
        Ok(Compilation { project, selection, outcomes: slots.into_iter().map(OnceLock::into_inner).collect() })
    }

    fn compiled(&self, at: usize) -> Option<&CompiledFile> {
        self.outcomes[at].as_ref()?.as_ref().ok()
    }

    /// The files that were compiled.
    fn all(&self) -> impl Iterator<Item = (usize, &CompiledFile)> {
        self.outcomes.iter().enumerate().filter_map(|(at, it)| Some((at, it.as_ref()?.as_ref().ok()?)))
    }

    /// The files that a program has in any case.
    fn seeds(&self, own: &[usize]) -> Result<Vec<usize>, ProjectError> {
        let files = &self.project.files;
        let objects: Vec<usize> = (0..files.len()).filter(|it| files[*it].role == Role::Object).collect();
        if let Some(entry) = self.selection.entry.filter(|it| *it != "main") {
            let defining = self.defining(entry, own)?;
            return Ok(match (own.is_empty(), objects.is_empty()) {
                (false, _) => own.to_vec(),
                (true, false) => objects,
                (true, true) => defining,
            });
        }
        let starts = |at: &usize| {
            self.compiled(*at).is_some_and(|it| STARTS.iter().any(|name| it.symbols.defined.contains(*name)))
        };
        if !own.is_empty() {
            // A file that cannot be compiled may be the one with `main`.
            let is_open = own.iter().any(|it| self.compiled(*it).is_none());
            return match own.iter().any(starts) || is_open {
                true => Ok(own.to_vec()),
                false => Err(ProjectError::NoMain {
                    what: format!("--target {}", self.selection.target.unwrap_or_default()),
                    candidates: self.project.likely_programs(),
                }),
            };
        }
        if !objects.is_empty() {
            return Ok(objects);
        }
        let found: Vec<usize> = (0..files.len()).filter(starts).collect();
        // A target with both a `main` and a function for libFuzzer is one program.
        let programs: BTreeMap<String, PathBuf> = found.iter().map(|it| files[*it].candidate()).collect();
        match (found.first(), programs.len()) {
            (None, _) => Err(match self.failed(|_| true).next() {
                Some((file, said)) => ProjectError::Uncompiled { file: file.to_owned(), said: said.to_owned() },
                None => ProjectError::NoMain { what: self.project.path.display().to_string(), candidates: Vec::new() },
            }),
            (Some(first), 1) => Ok(match &files[*first].target {
                Some(target) => (0..files.len()).filter(|it| files[*it].target.as_ref() == Some(target)).collect(),
                None => vec![*first],
            }),
            _ => Err(ProjectError::Several {
                what: format!("the project has {} programs", programs.len()),
                candidates: programs.into_iter().collect(),
            }),
        }
    }

    /// The file that defines a function at which the program starts: `parse`, or `lib/parser.c:parse`.
    fn defining(&self, entry: &str, own: &[usize]) -> Result<Vec<usize>, ProjectError> {
        let (file, name) = match entry.rsplit_once(':') {
            Some((file, name)) if self.project.files.iter().any(|it| it.unit.file.ends_with(file)) => {
                (Some(file), name)
            }
            _ => (None, entry),
        };
        let files = &self.project.files;
        let is_candidate = |at: usize| {
            (own.is_empty() || own.contains(&at)) && file.is_none_or(|it| files[at].unit.file.ends_with(it))
        };
        let candidates: Vec<(usize, &CompiledFile)> = self.all().filter(|it| is_candidate(it.0)).collect();
        let has = |symbols: &LinkerSymbols, name: &str| {
            symbols.defined.contains(name)
                || symbols.internal.contains(name)
                || symbols.defined.iter().any(|it| crate::names::is_named(it, name))
        };
        let mut found: Vec<usize> = candidates.iter().filter(|it| has(&it.1.symbols, name)).map(|it| it.0).collect();
        if found.is_empty() {
            // A static function that nothing calls is not in the module of its file.
            let text = |unit: &CompileUnit| std::fs::read(unit.input()).unwrap_or_default();
            let mentions = |unit: &CompileUnit| memchr::memmem::find(&text(unit), name.as_bytes()).is_some();
            let all = ["-femit-all-decls".to_owned()];
            for (at, it) in candidates.iter().filter(|it| mentions(&it.1.unit)) {
                let scratch = Scratch::new().and_then(|it| Ok((write_headers(&it)?, it)));
                let module = scratch.ok().and_then(|(include, _scratch)| compiled(&it.unit, &all, &include, *at).ok());
                if module.is_some_and(|it| has(&it.symbols, name)) {
                    found.push(*at);
                }
            }
        }
        let sources: BTreeSet<&Path> = found.iter().map(|it| &*files[*it].unit.file).collect();
        match (found.first(), sources.len()) {
            (Some(first), 1) => Ok(vec![*first]),
            (Some(_), _) => Err(ProjectError::Several {
                what: format!("several files define {name}"),
                candidates: found.iter().map(|it| files[*it].candidate()).collect(),
            }),
            (None, _) => {
                let failed = self.failed(is_candidate).next();
                let why = failed.map(|(file, said)| format!("; {} cannot be compiled:\n{said}", file.display()));
                Err(ProjectError::NoEntry { name: entry.to_owned(), why: why.unwrap_or_default() })
            }
        }
    }

    /// The files that could not be compiled, and why.
    fn failed(&self, which: impl Fn(usize) -> bool) -> impl Iterator<Item = (&Path, &str)> {
        let failure = move |(at, it): (usize, &'_ Option<Outcome>)| match it {
            Some(Err(_)) if which(at) => Some(at),
            _ => None,
        };
        let said = |at: usize| {
            let said = self.outcomes[at].as_ref().and_then(|it| it.as_ref().err()).map_or("", |it| it);
            (&*self.project.files[at].unit.file, said)
        };
        self.outcomes.iter().enumerate().filter_map(failure).map(said)
    }

    /// The files of a program: the seeds, and what defines something that is missing, as a linker takes it from archives.
    fn linked(&self, seeds: &[usize]) -> Result<Vec<usize>, ProjectError> {
        if let Some((file, said)) = self.failed(|it| seeds.contains(&it)).next() {
            return Err(ProjectError::Uncompiled { file: file.to_owned(), said: said.to_owned() });
        }
        let files = &self.project.files;
        let programs: FxHashSet<&BuildTarget> = self
            .all()
            .filter(|it| STARTS.iter().any(|name| it.1.symbols.defined.contains(*name)))
            .filter_map(|it| files[it.0].target.as_ref())
            .collect();
        let mut providers: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
        for (at, it) in self.all().filter(|it| !seeds.contains(&it.0)) {
            if it.symbols.defined.contains("main") {
                continue;
            }
            it.symbols.defined.iter().for_each(|name| providers.entry(name).or_default().push(at));
        }
        let mut chosen: BTreeSet<usize> = BTreeSet::new();
        let mut defined: FxHashSet<&str> = FxHashSet::default();
        let mut missing: BTreeSet<&str> = BTreeSet::new();
        let mut waiting: Vec<usize> = seeds.to_vec();
        let mut libraries: FxHashSet<Option<&BuildTarget>> = FxHashSet::default();
        loop {
            for at in waiting.drain(..) {
                let Some(it) = self.compiled(at).filter(|_| chosen.insert(at)) else { continue };
                libraries.insert(files[at].target.as_ref());
                defined.extend(it.symbols.defined.iter().map(String::as_str));
                missing.extend(it.symbols.undefined.iter().map(String::as_str));
            }
            missing.retain(|it| !defined.contains(it));
            // Of several, one of a library that the program has already; no part of another program.
            let rank = |at: &usize| {
                let target = files[*at].target.as_ref();
                (!libraries.contains(&target), target.is_some_and(|it| programs.contains(it)), *at)
            };
            let provider = missing.iter().find_map(|it| providers.get(it)?.iter().min_by_key(|it| rank(it)));
            match provider {
                Some(at) => waiting.push(*at),
                None => return Ok(chosen.into_iter().collect()),
            }
        }
    }

    /// The program of these files.
    fn program(&self, chosen: &[usize]) -> Result<ProjectProgram, DriverError> {
        let mut res = ProjectProgram { link: self.project.link.clone(), ..ProjectProgram::default() };
        let (mut dropped, mut refused) = (BTreeMap::new(), BTreeMap::new());
        let count = |flags: &[String], into: &mut BTreeMap<String, usize>| {
            flags.iter().for_each(|it| *into.entry(it.clone()).or_default() += 1);
        };
        for at in chosen {
            let Some(it) = self.compiled(*at) else { continue };
            count(&self.project.files[*at].dropped, &mut dropped);
            count(&it.refused, &mut refused);
            res.units.push(it.unit.clone());
            res.modules.push((it.unit.file.display().to_string(), it.module.clone()));
            if !it.warnings.is_empty() {
                res.warnings.push(it.warnings.clone());
            }
        }
        let names = |flags: BTreeMap<String, usize>| flags.into_keys().collect::<Vec<_>>().join(" ");
        let all = self.outcomes.iter().flatten().count();
        res.remarks.push(format!(
            "the program has {} of the {all} files of {}",
            chosen.len(),
            self.project.path.display()
        ));
        if !dropped.is_empty() {
            res.remarks.push(format!("compiled without flags of the build: {}", names(dropped)));
        }
        if !refused.is_empty() {
            res.remarks.push(format!("compiled without flags that clang does not know: {}", names(refused)));
        }
        let failed: Vec<String> = self.failed(|_| true).map(|it| it.0.display().to_string()).collect();
        if !failed.is_empty() {
            res.remarks.push(format!("left out, since they cannot be compiled: {}", first_of(&failed)));
        }
        let foreign: Vec<String> = self.project.foreign.iter().map(|it| it.display().to_string()).collect();
        if !foreign.is_empty() {
            res.remarks.push(format!("left out, since they are neither C nor C++: {}", first_of(&foreign)));
        }
        add_library(&mut res.modules, &res.units)?;
        Ok(res)
    }
}

/// The first names of a list, and how many more there are.
fn first_of(names: &[String]) -> String {
    /// More are not shown. Chosen without measuring.
    const MOST: usize = 8;
    let more = names.len().saturating_sub(MOST);
    let text = names[..names.len() - more].join(", ");
    if more > 0 { format!("{text} and {more} more") } else { text }
}

/// Compiles a file with its own flags and `more`. What clang refuses of the flags is left out.
fn compiled(unit: &CompileUnit, more: &[String], include: &Path, at: usize) -> Outcome {
    let mut unit = unit.clone();
    let directory = unit.directory.clone().unwrap_or_default();
    if !directory.is_dir() {
        return Err(format!("{}: the directory of its compiler does not exist", directory.display()));
    }
    if !unit.input().is_file() {
        return Err("there is no such file; is it made by the build? Then build the project first".to_owned());
    }
    unit.flags.extend(more.iter().cloned());
    let output = include.with_file_name(format!("{at}.ll"));
    let mut refused = Vec::new();
    let said = match compile_unit(&unit, include, &output) {
        Ok(warnings) => return read(unit, &output, warnings, refused),
        Err(error) => error,
    };
    let language = if unit.kind().is_ok_and(|it| it == Kind::Cpp) { "c++" } else { "c" };
    refused = take_refused(&mut unit.flags, language, &directory).map_err(|it| it.to_string())?;
    if refused.is_empty() && !said.to_string().contains("invalid value") {
        return Err(said.to_string());
    }
    match compile_unit(&unit, include, &output) {
        Ok(warnings) => read(unit, &output, warnings, refused),
        Err(error) => Err(error.to_string()),
    }
}

fn read(unit: CompileUnit, output: &Path, warnings: String, refused: Vec<String>) -> Outcome {
    let module = std::fs::read(output).map_err(|error| format!("{}: {error}", output.display()))?;
    let module = unit::with_files_from_here(&module);
    let symbols = LinkerSymbols::of(&module);
    let _ = std::fs::remove_file(output);
    Ok(CompiledFile { unit, module, symbols, warnings, refused })
}

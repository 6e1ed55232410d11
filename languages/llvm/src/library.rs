//! The part of the C library that is compiled in: small C sources of our own, for functions in which nothing but the
//! program's own branches matters (what forks by itself is built in: `libc`).
//!
//! Knows: which source defines which functions, which of them a program needs, by its text. Never: the compiler
//! (`driver`), what the functions do.
//!
//! A source is compiled when a program refers to one of its functions and does not define it; the program's own
//! definitions win. Reports show the line of the program that calls into it.

/// A source.
#[derive(Debug)]
pub struct Source {
    /// The module's name.
    pub name: &'static str,
    text: &'static str,
    /// What it defines.
    pub functions: &'static [&'static str],
}

const PRELUDE: &str = include_str!("../library/prelude.h");

const FUZZER: &str = include_str!("../library/fuzzer.h");

/// How the names of its modules begin; no file of a program is called so.
pub(crate) const ROOM: &str = "<library>/";

macro_rules! sources {
    ($($name:literal: $($function:ident)*;)*) => {
        /// All sources.
        pub const SOURCES: &[Source] = &[$(Source {
            name: concat!("<library>/", $name, ".c"),
            text: include_str!(concat!("../library/", $name, ".c")),
            functions: &[$(stringify!($function)),*],
        }),*];
    };
}

sources! {
    "sort": qsort qsort_r bsearch;
    "text": strtok strtok_r __strtok_r strsep strchrnul rawmemchr memrchr memmem memccpy strcasestr strlcpy strlcat
        strxfrm strverscmp swab basename __xpg_basename dirname ffs ffsl ffsll;
    "numbers": div ldiv lldiv imaxdiv htons ntohs htonl ntohl rand_r;
    "print": asprintf vasprintf __asprintf_chk __vasprintf_chk;
    "scan": sscanf vsscanf __isoc99_sscanf __isoc99_vsscanf __isoc23_sscanf __isoc23_vsscanf
        scanf fscanf vscanf vfscanf __isoc99_scanf __isoc99_fscanf __isoc99_vscanf __isoc99_vfscanf __isoc23_scanf
        __isoc23_fscanf __isoc23_vscanf __isoc23_vfscanf;
    "errors": strerror strerror_r __xpg_strerror_r;
    "time": gmtime gmtime_r localtime localtime_r mktime timelocal timegm difftime asctime asctime_r ctime ctime_r
        strftime;
    "options": getopt getopt_long;
    "locale": setlocale nl_langinfo __ctype_get_mb_cur_max textdomain bindtextdomain bind_textdomain_codeset gettext
        dgettext dcgettext ngettext wcwidth mbrtowc;
    "system": getpagesize posix_fadvise error;
    "wide_print": swprintf vswprintf;
    "wide": wcslen wcsnlen wcscpy wcsncpy wcscat wcsncat wcscmp wcsncmp wcschr wcsrchr wcsstr wmemcpy wmemmove
        wmemset wmemcmp wmemchr iswalnum iswalpha iswblank iswcntrl iswdigit iswgraph iswlower iswprint iswpunct
        iswspace iswupper iswxdigit towlower towupper btowc wctob mbsinit;
}

impl Source {
    /// The whole text, as the compiler gets it.
    pub fn whole(&self) -> String {
        format!("{PRELUDE}#line 1 \"{}\"\n{}", self.name, self.text)
    }
}

/// Whether a module of this name is a part of the library.
pub fn is_part(name: &str) -> bool {
    name.starts_with(ROOM)
}

/// The first source that modules need and that is not among them.
pub fn needed(modules: &[(String, Vec<u8>)]) -> Option<&'static Source> {
    let lacks = |source: &&Source| modules.iter().all(|it| it.0 != source.name);
    let mut wanted: Vec<&[u8]> = modules.iter().flat_map(|it| declared(&it.1)).collect();
    let defined: Vec<&[u8]> = modules.iter().flat_map(|it| names(&it.1, "define ")).collect();
    wanted.retain(|it| !defined.contains(it));
    SOURCES.iter().filter(lacks).find(|it| it.functions.iter().any(|name| wanted.contains(&name.as_bytes())))
}

/// Whether a module defines a function.
pub(crate) fn defines(module: &[u8], name: &str) -> bool {
    names(module, "define ").any(|it| it == name.as_bytes())
}

/// A `main` that calls libFuzzer's target with each text of at most `most` bytes.
pub(crate) fn fuzzer(most: u64) -> String {
    FUZZER.replace("MOST", &most.min(1 << 16).to_string())
}

/// The same for a run that follows one input: its size stays a symbol, which has the value that it has.
pub(crate) fn followed_fuzzer(most: u64) -> String {
    fuzzer(most).replace("while (size < given) size++;", "size = given;")
}

/// The names of the functions that a module refers to and does not define.
pub(crate) fn declared(module: &[u8]) -> impl Iterator<Item = &[u8]> {
    names(module, "declare ")
}

/// The functions that lines with this beginning name.
fn names<'a>(text: &'a [u8], prefix: &'static str) -> impl Iterator<Item = &'a [u8]> {
    let lines = text.split(|it| *it == b'\n').filter(move |it| it.starts_with(prefix.as_bytes()));
    lines.filter_map(|line| {
        let start = line.iter().position(|it| *it == b'@')? + 1;
        let length = line[start..].iter().position(|it| *it == b'(')?;
        Some(&line[start..start + length])
    })
}

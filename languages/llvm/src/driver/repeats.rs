//! Which native programs one process can run again and again.
//!
//! Knows: the map that a linker of binutils writes, the functions of C that leave nothing behind that is not put back
//! (`runtime/repeat.c`). Never: tests. In doubt a program is none of them: then each test has a process of its own.

use std::collections::BTreeSet;
use std::path::Path;

/// Whether the objects between two markers are such a program: their variables lie between the markers', and what they
/// call from outside changes nothing but memory that they were given, standard streams and `errno`.
pub(super) fn repeats(map: &str, begin: &Path, end: &Path) -> bool {
    let (begin, end) = (begin.to_string_lossy(), end.to_string_lossy());
    let loaded = map.lines().filter_map(|it| it.strip_prefix("LOAD "));
    let own: BTreeSet<&str> = loaded.skip_while(|it| *it != begin).skip(1).take_while(|it| *it != end).collect();
    let Some((_, rest)) = map.split_once("\nLinker script and memory map\n") else { return false };
    let Some((sections, references)) = rest.split_once("\nCross Reference Table\n") else { return false };
    // What is put together only while it is linked has other files.
    let all_are_there = sections_of(sections, &own).map(|it| it.1).collect::<BTreeSet<_>>() == own;
    !own.is_empty()
        && all_are_there
        && own.iter().all(|it| it.ends_with(".o"))
        && sections_of(sections, &own).all(|it| is_put_back(it.0))
        && imports(references, &own).all(leaves_nothing)
}

/// The sections of these files that are not empty, with their files. A long name has a line of its own.
fn sections_of<'a>(text: &'a str, own: &'a BTreeSet<&'a str>) -> impl Iterator<Item = (&'a str, &'a str)> {
    let mut named = "";
    text.lines().filter_map(move |line| {
        let mut words = line.split_whitespace();
        if line.starts_with(' ') && !line.starts_with("  ") {
            named = words.next().unwrap_or_default();
        }
        let (address, size) = (words.next()?, words.next()?);
        let is_number = |it: &str| it.starts_with("0x");
        let file = line.split_once(address)?.1.trim_start().strip_prefix(size)?.trim_start();
        let is_one = is_number(address) && is_number(size) && size != "0x0" && own.contains(file);
        is_one.then_some((named, file))
    })
}

/// Whether what is in a section does not change, or is put back.
fn is_put_back(section: &str) -> bool {
    // Of the sanitizer's own are the functions of priority 1.
    const WHOLE: &[&str] = &[".data", ".bss", ".fini_array.1", ".comment", "asan_globals", ".llvm_addrsig"];
    const BEGINS: &[&str] = &[".text", ".rodata", ".data.rel.ro", ".init_array", ".eh_frame", ".debug", ".note"];
    WHOLE.contains(&section) || BEGINS.iter().any(|it| section.starts_with(it))
}

/// What these files refer to and others define.
fn imports<'a>(text: &'a str, own: &'a BTreeSet<&'a str>) -> impl Iterator<Item = &'a str> {
    let (mut symbol, mut is_own) = ("", false);
    text.lines().filter_map(move |line| {
        if line.starts_with(' ') {
            return (own.contains(line.trim()) && !is_own).then_some(symbol);
        }
        // A long name has a line of its own: then the next one names who defines it.
        let (name, file) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        (symbol, is_own) = (name, own.contains(file.trim()));
        None
    })
}

/// Whether a function, called as often as one likes, changes nothing that is not put back.
fn leaves_nothing(symbol: &str) -> bool {
    const OF_TOOLS: &[&str] =
        &["__asan_", "__ubsan_", "__sanitizer_", "effigy_", "klee_", "__VERIFIER_", "__CPROVER_", "__ESBMC_"];
    let name = symbol.split('@').next().unwrap_or_default();
    let name = name.strip_prefix("__wrap_").unwrap_or(name);
    OF_TOOLS.iter().any(|it| name.starts_with(it)) || PURE.split_whitespace().any(|it| it == name)
}

/// Functions and variables of C of which all that they change is put back. `abort` and a failed assertion end the process,
/// and the test is run again.
const PURE: &str = "
    reach_error memcpy memmove memset memcmp bcmp bzero memchr memrchr mempcpy strlen strnlen strcmp strncmp strcasecmp
    strncasecmp strcpy strncpy stpcpy stpncpy strcat strncat strchr strchrnul strrchr strstr strspn strcspn strpbrk strdup
    strndup malloc calloc realloc reallocarray free aligned_alloc posix_memalign isalnum isalpha isblank iscntrl isdigit
    isgraph islower isprint ispunct isspace isupper isxdigit tolower toupper __ctype_b_loc __ctype_tolower_loc
    __ctype_toupper_loc atoi atol atoll strtol strtoul strtoll strtoull __isoc23_strtol __isoc23_strtoul __isoc23_strtoll
    __isoc23_strtoull abs labs llabs div ldiv lldiv qsort bsearch printf puts putchar fputs fputc putc fwrite fprintf vprintf
    vfprintf sprintf snprintf vsprintf vsnprintf getchar getc fgetc fgets fread ungetc feof ferror clearerr fflush read
    write stdin stdout stderr __errno_location exit abort __assert_fail floor ceil trunc round fabs sqrt fmod";

#[cfg(test)]
mod tests {
    use super::*;

    fn map(section: &str, import: &str) -> String {
        format!(
            "LOAD crt.o\nLOAD b.o\nLOAD own.o\nLOAD e.o\nLOAD libc.so\n\nLinker script and memory map\n\n .text \
             0x01 0x20 own.o\n {section}\n                0x0040        0x8 own.o\n .tbss 0x80 0x4 libc.so\n\nCross \
             Reference Table\n\nSymbol  File\nrand  libc.so\n      other.o\n{import}  libc.so\n      own.o\nmain  own.o\n \
             crt.o\n"
        )
    }

    fn is_one(section: &str, import: &str) -> bool {
        repeats(&map(section, import), Path::new("b.o"), Path::new("e.o"))
    }

    #[test]
    fn what_is_put_back_is_repeated() {
        assert!(is_one(".data", "printf@@GLIBC_2.2.5"));
        assert!(is_one(".bss", "__wrap_malloc"));
    }

    #[test]
    fn files_without_sections_are_unknown() {
        let text = map(".data", "printf").replace("LOAD own.o\n", "LOAD own.o\nLOAD linked_later.o\n");
        assert!(!repeats(&text, Path::new("b.o"), Path::new("e.o")));
    }

    #[test]
    fn what_stays_is_not() {
        assert!(!is_one(".data", "rand"));
        assert!(!is_one(".data", "atexit"));
        assert!(!is_one(".tbss", "printf"));
        assert!(!is_one(".fini_array", "printf"));
        assert!(!is_one("counters", "printf"));
        assert!(!repeats("", Path::new("b.o"), Path::new("e.o")));
    }
}

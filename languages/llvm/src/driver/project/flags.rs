//! Which flags of a user's build decide what a program means, and which only how it is built.
//!
//! Knows: the flags of gcc and clang. Never: whether the clang of this machine takes a flag (`compiler_check`).

use std::path::Path;

/// What is kept of the arguments of a compiler.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct KeptFlags {
    /// The flags that decide what the program means, in their order.
    pub kept: Vec<String>,
    /// The other flags, without those that every build has: `-c`, `-o`, dependencies, debug information.
    pub dropped: Vec<String>,
}

/// What becomes of a flag.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fate {
    /// It decides what the program means.
    Kept,
    /// It decides how the program is built, and a note says that it was left out.
    Dropped,
    /// Every build has it: nobody needs to hear that it was left out.
    Silent,
}

use Fate::{Dropped, Kept, Silent};

/// Flags whose value is the next argument.
const WITH_VALUE: &[(&str, Fate)] = &[
    ("-D", Kept),
    ("-U", Kept),
    ("-I", Kept),
    ("-F", Kept),
    ("-B", Kept),
    ("-x", Kept),
    ("-include", Kept),
    ("-imacros", Kept),
    ("-isystem", Kept),
    ("-isystem-after", Kept),
    ("-iquote", Kept),
    ("-idirafter", Kept),
    ("-iprefix", Kept),
    ("-iwithprefix", Kept),
    ("-iwithprefixbefore", Kept),
    ("-isysroot", Kept),
    ("--sysroot", Kept),
    ("-target", Kept),
    ("-arch", Kept),
    ("-o", Silent),
    ("-MF", Silent),
    ("-MT", Silent),
    ("-MQ", Silent),
    ("-MJ", Silent),
    ("-L", Silent),
    ("-l", Silent),
    ("-T", Silent),
    ("-u", Silent),
    ("-z", Silent),
    ("-e", Silent),
    ("-framework", Silent),
    ("-Xlinker", Silent),
    ("-Xassembler", Dropped),
    ("-Xanalyzer", Silent),
    ("-mllvm", Dropped),
    ("--param", Dropped),
    ("-dumpbase", Silent),
    ("-dumpdir", Silent),
    ("-aux-info", Silent),
    ("--serialize-diagnostics", Silent),
];

/// Flags that are one argument.
const WHOLE: &[(&str, Fate)] = &[
    ("-c", Silent),
    ("-S", Silent),
    ("-E", Silent),
    ("-P", Silent),
    ("-v", Silent),
    ("-###", Silent),
    ("-pipe", Silent),
    ("-s", Silent),
    ("-fsyntax-only", Silent),
    ("-emit-llvm", Dropped),
    ("-shared", Silent),
    ("-static", Silent),
    ("-rdynamic", Silent),
    ("-pie", Silent),
    ("-no-pie", Silent),
    ("-p", Dropped),
    ("-pg", Dropped),
    ("-coverage", Dropped),
    ("--coverage", Dropped),
    ("-Werror", Silent),
    ("-pedantic-errors", Dropped),
    ("-mindirect-branch-register", Dropped),
    // As every file is compiled here.
    ("-O0", Silent),
];

/// Flags by how they begin. The first that fits decides.
const BEGINS: &[(&str, Fate)] = &[
    ("-MF", Silent),
    ("-MT", Silent),
    ("-MQ", Silent),
    ("-M", Silent),
    ("-o", Silent),
    ("-l", Silent),
    ("-L", Silent),
    ("-O", Dropped),
    ("-gcc-", Kept),
    ("-g", Silent),
    ("-Wl,", Silent),
    ("-Wa,", Dropped),
    ("-Werror=", Silent),
    ("-Wp,-M", Silent),
    ("-save-temps", Silent),
    ("-static-", Silent),
    ("-specs", Dropped),
    ("-fsanitize", Dropped),
    ("-fno-sanitize", Dropped),
    ("-fprofile", Dropped),
    ("-fno-profile", Dropped),
    ("-ftest-coverage", Dropped),
    ("-fcoverage", Dropped),
    ("-fauto-profile", Dropped),
    ("-flto", Dropped),
    ("-fno-lto", Silent),
    ("-ffat-lto-objects", Dropped),
    ("-fuse-ld", Silent),
    ("-fuse-linker-plugin", Silent),
    ("-fthinlto", Dropped),
    ("-fxray", Dropped),
    ("-finstrument-functions", Dropped),
    // The hardening of a build is found out by other means, or would be run.
    ("-fstack-protector", Dropped),
    ("-fstack-clash-protection", Dropped),
    ("-fstack-check", Dropped),
    ("-fcf-protection", Dropped),
    ("-mharden-sls", Dropped),
    ("-mindirect-branch", Dropped),
    ("-mfunction-return", Dropped),
    // Where code lies is decided when the native program is linked.
    ("-fPIC", Silent),
    ("-fpic", Silent),
    ("-fPIE", Silent),
    ("-fpie", Silent),
    ("-fno-pic", Silent),
    ("-fno-PIC", Silent),
    ("-fno-pie", Silent),
    ("-fno-PIE", Silent),
    ("-ffunction-sections", Silent),
    ("-fdata-sections", Silent),
    ("-fno-plt", Silent),
    ("-fno-semantic-interposition", Silent),
    ("-fomit-frame-pointer", Silent),
    ("-fno-omit-frame-pointer", Silent),
    ("-fdiagnostics", Silent),
    ("-fno-diagnostics", Silent),
    ("-fcolor-diagnostics", Silent),
    ("-fno-color-diagnostics", Silent),
    ("-fansi-escape-codes", Silent),
    ("-fdebug-", Silent),
    ("-ffile-prefix-map", Silent),
    ("-fmacro-prefix-map", Silent),
    ("-fdiscard-value-names", Silent),
    ("-fmodule-file", Dropped),
    ("-fmodules-ts", Dropped),
    ("-fdeps-", Dropped),
];

/// Whether the value of a flag is the next argument: `-o`, `-Xclang`.
pub fn takes_value(flag: &str) -> bool {
    matches!(flag, "-Xclang" | "-Xpreprocessor") || WITH_VALUE.iter().any(|it| it.0 == flag)
}

/// Macros of the C library's own checks, which it has only where an optimiser runs.
fn is_fortification(definition: &str) -> bool {
    definition.split('=').next() == Some("_FORTIFY_SOURCE")
}

/// Sorts the arguments of a compiler, whose own name is the first of them. A file that is not named as C or C++ by a flag
/// or its extension is C++ where the compiler is one of C++ (`g++ -c a.c`).
pub fn kept_flags(arguments: &[String], source: &Path) -> KeptFlags {
    let mut res = KeptFlags::default();
    let mut rest = arguments.iter().skip(1).peekable();
    let mut names_language = false;
    while let Some(argument) = rest.next() {
        if !argument.starts_with('-') || argument == "-" {
            // The source itself, a launcher's compiler (`ccache gcc`), what is linked.
            continue;
        }
        if argument == "-Xclang" || argument == "-Xpreprocessor" {
            let Some(value) = rest.next() else { break };
            res.pass_through(argument, value, &mut rest);
            continue;
        }
        if let Some((_, fate)) = WITH_VALUE.iter().find(|it| it.0 == argument) {
            let Some(value) = rest.next() else { break };
            names_language |= argument == "-x";
            let fate = if argument == "-D" && is_fortification(value) { Dropped } else { *fate };
            res.add(fate, &[argument, value]);
            continue;
        }
        names_language |= argument.starts_with("-x");
        let fortifies = |it: &str| argument.strip_prefix(it).is_some_and(is_fortification);
        let fate = if fortifies("-D") || fortifies("-Wp,-D") || fortifies("-Wp,-U_FORTIFY_SOURCE,-D") {
            Dropped
        } else {
            let whole = WHOLE.iter().find(|it| it.0 == argument);
            whole.or_else(|| BEGINS.iter().find(|it| argument.starts_with(it.0))).map_or(Kept, |it| it.1)
        };
        res.add(fate, &[argument]);
    }
    let is_c = source.extension().is_some_and(|it| it == "c");
    if is_c && !names_language && arguments.iter().take(2).any(|it| is_compiler_of_cpp(it)) {
        res.kept.extend(["-x".to_owned(), "c++".to_owned()]);
    }
    res
}

/// Whether a command is a compiler of C++ by its name: `g++-12`, `/usr/bin/clang++`.
fn is_compiler_of_cpp(command: &str) -> bool {
    let name = command.rsplit('/').next().unwrap_or_default();
    !name.starts_with('-') && name.contains("++")
}

impl KeptFlags {
    fn add(&mut self, fate: Fate, words: &[&String]) {
        let words = words.iter().map(|it| (*it).clone());
        match fate {
            Kept => self.kept.extend(words),
            Dropped => self.dropped.push(words.collect::<Vec<_>>().join(" ")),
            Silent => {}
        }
    }

    /// Sorts what is passed through to a part of the compiler. What was compiled before (headers, plugins) was compiled
    /// with other flags.
    fn pass_through<'a>(
        &mut self,
        flag: &'a String,
        value: &'a String,
        rest: &mut std::iter::Peekable<impl Iterator<Item = &'a String>>,
    ) {
        const WITH_FILE: &[&str] =
            &["-include-pch", "-load", "-plugin", "-add-plugin", "-emit-pch", "-MF", "-MT", "-dependency-file"];
        let name = value.as_str();
        if WITH_FILE.contains(&name) || name.starts_with("-plugin-arg") {
            self.add(Dropped, &[flag, value]);
            if rest.peek().is_some_and(|it| *it == flag) {
                rest.next();
                rest.next();
            }
        } else if name.starts_with("-M") || name.starts_with("-fno-pch") || name.starts_with("-debug-info") {
            // Nobody misses it.
        } else {
            self.add(Kept, &[flag, value]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(arguments: &str, source: &str) -> (String, String) {
        let arguments: Vec<String> = arguments.split_whitespace().map(str::to_owned).collect();
        let KeptFlags { kept, dropped } = kept_flags(&arguments, Path::new(source));
        (kept.join(" "), dropped.join(", "))
    }

    fn kept(arguments: &str) -> String {
        sorted(arguments, "a.c").0
    }

    #[test]
    fn what_decides_the_meaning_is_kept() {
        let flags = "-DA=1 -D B -UC -Iinc -I inc2 -isystem sys -iquote q -include config.h -std=c99 -funsigned-char \
                     -fno-signed-char -fwrapv -m32 -march=native -mno-red-zone -fshort-enums -fno-builtin -ansi \
                     -pthread -fopenmp -Wall -Wno-unused -w -pedantic -fexceptions -nostdinc -trigraphs";
        assert_eq!(kept(&format!("cc {flags} -c a.c")), flags.split_whitespace().collect::<Vec<_>>().join(" "));
    }

    #[test]
    fn what_only_builds_is_left_out() {
        let (kept, dropped) = sorted(
            "gcc -c -o a.o -oa.o a.c -MD -MMD -MP -MF a.d -MFa.d -MT a.o -MQ a.o -Wp,-MD,a.d -O0 -O2 -O -Os -g -g3 -ggdb \
             -gdwarf-4 -gsplit-dwarf -fsanitize=address,undefined -fno-sanitize-recover --coverage -fprofile-arcs \
             -ftest-coverage -pg -flto=auto -Werror -Werror=format -Wl,-z,now -L/lib -lm -l m -fPIC -fPIE -no-pie \
             -fstack-protector-strong -D_FORTIFY_SOURCE=2 -D _FORTIFY_SOURCE -Wp,-D_FORTIFY_SOURCE=3 -mllvm -x \
             --param ssp-buffer-size=4",
            "a.c",
        );
        assert_eq!(kept, "");
        assert_eq!(
            dropped,
            "-O2, -O, -Os, -fsanitize=address,undefined, -fno-sanitize-recover, --coverage, -fprofile-arcs, \
             -ftest-coverage, -pg, -flto=auto, -fstack-protector-strong, -D_FORTIFY_SOURCE=2, -D _FORTIFY_SOURCE, \
             -Wp,-D_FORTIFY_SOURCE=3, -mllvm -x, --param ssp-buffer-size=4"
        );
    }

    #[test]
    fn what_is_passed_through_keeps_its_prefix() {
        assert_eq!(kept("clang -Xclang -mno-constructor-aliases -c a.c"), "-Xclang -mno-constructor-aliases");
        let with_header = "clang -Winvalid-pch -Xclang -include-pch -Xclang p.pch -Xclang -include -Xclang p.hxx a.c";
        assert_eq!(kept(with_header), "-Winvalid-pch -Xclang -include -Xclang p.hxx");
        assert_eq!(kept("clang -Xclang"), "");
    }

    #[test]
    fn a_compiler_of_cpp_compiles_cpp() {
        assert_eq!(sorted("g++-12 -c a.c", "a.c").0, "-x c++");
        assert_eq!(sorted("ccache /usr/bin/clang++ -c a.c", "a.c").0, "-x c++");
        assert_eq!(sorted("g++ -xc a.c", "a.c").0, "-xc");
        assert_eq!(sorted("gcc -DX=c++ -c a.c", "a.c").0, "-DX=c++");
        assert_eq!(sorted("g++ -c a.cpp", "a.cpp").0, "");
    }

    #[test]
    fn no_flag_is_torn_from_its_value() {
        // The value looks like a flag of its own, or is missing.
        assert_eq!(kept("cc -D -DX -I -c -o -DY"), "-D -DX -I -c");
        assert_eq!(kept("cc -DX -o"), "-DX");
        assert_eq!(kept("cc -DX -D"), "-DX");
        assert_eq!(kept(""), "");
    }
}

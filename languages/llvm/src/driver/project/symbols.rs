//! The names that a module offers to the linker, and those that it needs.
//!
//! Knows: the lines of textual LLVM IR that define and declare. Never: what is behind a name, other modules.

use rustc_hash::FxHashSet;

/// The names of a module that its linker sees.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(in crate::driver) struct LinkerSymbols {
    /// Functions and variables that other modules can refer to.
    pub(in crate::driver) defined: FxHashSet<String>,
    /// Functions and variables that another module has to define.
    pub(in crate::driver) undefined: FxHashSet<String>,
    /// Functions that only this module sees.
    pub(super) internal: FxHashSet<String>,
}

/// Linkage of what no other module refers to.
const INTERNAL: &[&str] = &["internal", "private"];

/// Linkage of what each module that needs it defines for itself: nobody takes in a file for it.
const OF_EVERY_MODULE: &[&str] = &["linkonce", "linkonce_odr", "available_externally", "appending"];

impl LinkerSymbols {
    /// The symbols of the text of a module.
    pub(in crate::driver) fn of(module: &[u8]) -> LinkerSymbols {
        let mut res = LinkerSymbols::default();
        for line in module.split(|it| *it == b'\n') {
            let Some(first) = line.first() else { continue };
            if !matches!(first, b'd' | b'@') {
                continue;
            }
            let line = String::from_utf8_lossy(line);
            let (name, linkage, is_defined) = if let Some(rest) = line.strip_prefix("define ") {
                (symbol(rest), rest.split(' ').next(), true)
            } else if let Some(rest) = line.strip_prefix("declare ") {
                (symbol(rest), None, false)
            } else if let Some((name, rest)) = line.strip_prefix('@').and_then(|it| it.split_once(" = ")) {
                let linkage = rest.split(' ').next();
                (Some(name.trim_matches('"')), linkage, !matches!(linkage, Some("external" | "extern_weak")))
            } else {
                continue;
            };
            let Some(name) = name.filter(|it| !it.starts_with("llvm.")) else { continue };
            let linkage = linkage.unwrap_or_default();
            let names = match is_defined {
                true if INTERNAL.contains(&linkage) => &mut res.internal,
                true if OF_EVERY_MODULE.contains(&linkage) => continue,
                true => &mut res.defined,
                false => &mut res.undefined,
            };
            names.insert(name.to_owned());
        }
        res
    }
}

/// The name behind the first `@` of a line that defines or declares a function.
fn symbol(line: &str) -> Option<&str> {
    let rest = line.split_once('@')?.1;
    match rest.strip_prefix('"') {
        Some(quoted) => quoted.split('"').next(),
        None => rest.split('(').next(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn linkage_decides_who_sees_a_name() {
        let text = b"@a = dso_local global i32 0, align 4\n@b = external global i32\n@c = internal global i32 1\n\
                     @.str = private unnamed_addr constant [2 x i8] c\"d\\00\"\n@w = common dso_local global i32 0\n\
                     @al = dso_local alias i32 (), i32 ()* @f\n@llvm.used = appending global [1 x i8*] []\n\
                     define dso_local i32 @f(i32 noundef %0) #0 {\ndefine internal void @g() {\n\
                     define linkonce_odr void @h() comdat {\ndefine weak void @\"i j\"() {\n\
                     declare i32 @printf(i8* noundef, ...) #1\ndeclare void @llvm.dbg.declare(metadata)\n";
        let symbols = LinkerSymbols::of(text);
        let sorted = |it: &FxHashSet<String>| {
            let mut res: Vec<&str> = it.iter().map(String::as_str).collect();
            res.sort_unstable();
            res.join(" ")
        };
        assert_eq!(sorted(&symbols.defined), "a al f i j w");
        assert_eq!(sorted(&symbols.undefined), "b printf");
        assert_eq!(sorted(&symbols.internal), ".str c g");
    }
}

//! Which flags the clang of this machine does not take: it is asked once for each list of flags.
//!
//! Knows: how clang words its refusals. Never: what a flag does.

use super::super::{DriverError, clang, ending_with_us};
use std::path::Path;
use std::process::{Command, Stdio};

/// The number of times that clang is asked, since it may name a flag only when another one is gone. Chosen without
/// measuring.
const ROUNDS: usize = 4;

/// Names of standards that an older clang knows by their working titles.
const WORKING_TITLES: &[(&str, &str)] =
    &[("++20", "++2a"), ("++23", "++2b"), ("++26", "++2c"), ("23", "2x"), ("26", "2y")];

/// Takes the flags that clang refuses out of a list, and returns them.
///
/// # Errors
/// When there is no clang.
pub(super) fn take_refused(
    flags: &mut Vec<String>,
    language: &str,
    directory: &Path,
) -> Result<Vec<String>, DriverError> {
    let mut res = Vec::new();
    for _ in 0..ROUNDS {
        let mut command = Command::new(clang()?);
        command.args(["-fsyntax-only", "-w"]).args(&*flags).args(["-x", language, "/dev/null"]);
        command.current_dir(directory).stdin(Stdio::null()).stdout(Stdio::null());
        // Where it cannot be asked, compiling the file says why.
        let Ok(output) = ending_with_us(&mut command).output() else { break };
        if output.status.success() {
            break;
        }
        let said = String::from_utf8_lossy(&output.stderr);
        let mut changed = false;
        for refusal in said.lines().filter_map(Refusal::of) {
            changed |= refusal.apply(flags, &mut res);
        }
        if !changed {
            break;
        }
    }
    Ok(res)
}

/// A flag that clang does not take.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Refusal {
    /// It does not know the flag.
    Flag(String),
    /// It knows the flag, and not this value of it.
    Value(String),
}

impl Refusal {
    /// The refusal that a line of clang's tells of.
    fn of(line: &str) -> Option<Refusal> {
        let (_, said) = line.split_once("error: ")?;
        let mut quoted = said.split('\'').skip(1).step_by(2);
        if said.starts_with("unknown argument") || said.starts_with("unsupported option") {
            // clang may show a flag and its value as one: `-foo=bar`.
            return quoted.next().map(|it| Refusal::Flag(it.to_owned()));
        }
        if said.starts_with("invalid value") || said.starts_with("unsupported argument") {
            let (value, flag) = (quoted.next()?, quoted.next()?);
            let whole = if flag.ends_with(value) { flag.to_owned() } else { format!("{flag}{value}") };
            return Some(Refusal::Value(whole));
        }
        None
    }

    /// Takes the flag out of a list, or puts in its place what an older clang calls it. Whether anything changed.
    fn apply(self, flags: &mut Vec<String>, refused: &mut Vec<String>) -> bool {
        let (flag, is_value) = match self {
            Refusal::Flag(it) => (it, false),
            Refusal::Value(it) => (it, true),
        };
        let Some(at) = flags.iter().position(|it| *it == flag) else { return false };
        let older = WORKING_TITLES.iter().find_map(|(new, old)| Some(format!("{}{old}", flag.strip_suffix(new)?)));
        match older.filter(|_| is_value && flag.starts_with("-std=")) {
            Some(older) => flags[at] = older,
            None => {
                flags.remove(at);
                refused.push(flag);
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_are_known_by_their_words() {
        let flag = |it: &str| Some(Refusal::Flag(it.to_owned()));
        let value = |it: &str| Some(Refusal::Value(it.to_owned()));
        assert_eq!(Refusal::of("clang: error: unknown argument: '-fno-odd'"), flag("-fno-odd"));
        let hint = "clang: error: unknown argument '-fno-od', did you mean '-fno-odr'?";
        assert_eq!(Refusal::of(hint), flag("-fno-od"));
        assert_eq!(Refusal::of("error: invalid value 'gnu23' in '-std=gnu23'"), value("-std=gnu23"));
        assert_eq!(Refusal::of("clang: error: unsupported argument 'x' to option '-mabi='"), value("-mabi=x"));
        assert_eq!(Refusal::of("a.c:1:1: error: unknown type name 'x'"), None);
        assert_eq!(Refusal::of("error: invalid value"), None);
    }

    #[test]
    fn a_newer_standard_has_an_older_name() {
        let (mut flags, mut refused) = (vec!["-std=c++23".to_owned(), "-fodd".to_owned()], Vec::new());
        assert!(Refusal::Value("-std=c++23".to_owned()).apply(&mut flags, &mut refused));
        assert!(Refusal::Flag("-fodd".to_owned()).apply(&mut flags, &mut refused));
        assert!(!Refusal::Flag("-fodd".to_owned()).apply(&mut flags, &mut refused));
        assert_eq!((flags, refused), (vec!["-std=c++2b".to_owned()], vec!["-fodd".to_owned()]));
    }
}

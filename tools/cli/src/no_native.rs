//! `--no-native`: no program that is analysed is executed natively.
//!
//! Knows: the commands that execute one, and how that is forbidden. Never: how a program is executed; compilers and
//! solvers, which are not analysed.

use crate::Failure;
use crate::args::Command;

/// With this variable set, to anything but the empty text or `0`, every command behaves as with `--no-native`.
const VARIABLE: &str = "EFFIGY_NO_NATIVE";

/// Refuses a command that would execute a program natively, where that is forbidden.
///
/// # Errors
/// For such a command, with what it would execute and who forbids it.
pub(crate) fn check(command: &Command) -> Result<(), Failure> {
    let (name, what, is_flag) = match command {
        Command::Replay(args) => ("replay", "runs tests on the native program", args.no_native),
        Command::Fuzz(args) => ("fuzz", "runs the target natively", args.no_native),
        Command::Cargo(args) if args.replay => ("cargo --replay", "runs tests natively", args.no_native),
        Command::Cargo(args) if args.action.is_some() => ("cargo playback", "runs tests natively", args.no_native),
        // Build scripts and macros are executed in any case: they compile the package.
        Command::Cargo(_) => return Ok(()),
        // These compile, and interpret what they compile.
        Command::Run(_)
        | Command::Bmc(_)
        | Command::Tree(_)
        | Command::Debug(_)
        | Command::Feasible(_)
        | Command::Prove(_)
        | Command::Verify(_)
        | Command::Cc(_)
        | Command::Bugs(_)
        | Command::Solve(_)
        | Command::Completions(_)
        | Command::Man(_) => return Ok(()),
    };
    let is_set = std::env::var_os(VARIABLE).is_some_and(|it| !it.is_empty() && it != "0");
    let by = match (is_flag, is_set) {
        (true, _) => "--no-native",
        (false, true) => VARIABLE,
        (false, false) => return Ok(()),
    };
    Err(Failure(format!("`effigy {name}` {what}, and {by} forbids that")))
}

//! The arguments of `effigy cc` and `effigy c++`, as help shows them.
//!
//! Knows: that all of them are the compiler's. Never: what they mean; they are taken before clap reads them.

use clap::Args as ClapArgs;
use std::ffi::OsString;

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
The compiler is clang, or what EFFIGY_CLANG names; its output and exit code are passed on. Beside each
object and program a record is written: .prog.effigy.json. With EFFIGY_CC_VERBOSE set, a record that
cannot be written is told of on standard error; the build goes on in any case.

Examples:
  CC='effigy cc' CXX='effigy c++' ./configure && make
  effigy run ./prog
  effigy run libparser.a --entry parse")]
pub(crate) struct CompilerArgs {
    /// Arguments of the compiler
    #[arg(value_name = "ARGUMENTS", trailing_var_arg = true, allow_hyphen_values = true)]
    pub(crate) arguments: Vec<OsString>,
}

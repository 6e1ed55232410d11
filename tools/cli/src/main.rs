//! The `effigy` binary.

use std::process::ExitCode;

/// A walk makes and drops many small things: a quarter of the time of programs of many short paths is the allocator's.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    effigy_cli::run_command(std::env::args_os().collect())
}

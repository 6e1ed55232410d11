//! The corpus: each file is a test of its own, so that both cores are busy and a failure names its file.
//!
//! A program is opened once, in this process, and walked in every way (`llvm`, `bmc`); what replays is a process of its
//! own. Sessions at the terminal, and the pages of the book, are played by the command itself (`sessions`).

mod bmc;
mod case;
mod fuzz;
mod llvm;
mod sessions;

use libtest_mimic::{Arguments, Trial};

fn main() -> std::process::ExitCode {
    let arguments = Arguments::from_args();
    let trials: Vec<Trial> =
        [llvm::trials(), bmc::trials(), fuzz::trials(), sessions::trials()].into_iter().flatten().collect();
    libtest_mimic::run(&arguments, trials).exit_code()
}

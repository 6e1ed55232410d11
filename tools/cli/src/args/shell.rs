//! The arguments of what is installed beside the command.
//!
//! Knows: names and help. Never: what is printed.

use clap::Args as ClapArgs;
use clap_complete::Shell;
use std::path::PathBuf;

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  effigy completions bash > ~/.local/share/bash-completion/completions/effigy
  effigy completions zsh > ~/.zfunc/_effigy
  effigy completions fish > ~/.config/fish/completions/effigy.fish")]
pub(crate) struct CompletionsArgs {
    /// The shell that reads the script
    #[arg(value_enum, value_name = "SHELL")]
    pub(crate) shell: Shell,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ManArgs {
    /// The folder to which the pages are written
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,
}

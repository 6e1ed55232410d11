//! The arguments of `effigy cargo`, which `cargo effigy` calls.

use super::{MaxTime, limit};
use clap::Args as ClapArgs;
use std::path::PathBuf;

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
A harness is a function with #[kani::proof], or #[effigy_harness::proof], under #[cfg(kani)] or #[cfg(effigy)];
the crate need not be a dependency.

Examples:
  cargo effigy
  cargo effigy -p parser --features strict --harness round_trip
  cargo effigy --jobs 4 --max-time 1min --write-tests
  cargo effigy --replay
  cargo effigy playback -- effigy_round_trip
  cargo effigy --list")]
pub(crate) struct CargoArgs {
    /// Instead of running harnesses: run `cargo test` with the crates of harnesses, for the tests of --write-tests
    #[arg(
        value_name = "playback",
        value_parser = ["playback"],
        conflicts_with_all = ["harness", "list", "bmc", "merge", "replay", "write_tests", "json"]
    )]
    pub(crate) action: Option<String>,
    /// With `playback`: arguments of the test program
    #[arg(last = true, value_name = "ARGS", requires = "action")]
    pub(crate) words: Vec<String>,
    /// Run only the harnesses whose name contains this (repeatable)
    #[arg(long, value_name = "NAME")]
    pub(crate) harness: Vec<String>,
    /// The names of --harness are whole paths
    #[arg(long, requires = "harness")]
    pub(crate) exact: bool,
    /// List the harnesses and stop
    #[arg(long)]
    pub(crate) list: bool,
    /// Number of harnesses that run at the same time [default: one for each processor]
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) jobs: Option<u16>,
    /// Check each harness by bounded model checking instead of exploring its paths
    #[arg(long, conflicts_with = "merge")]
    pub(crate) bmc: bool,
    /// Where to merge paths: never, heuristic or always (see `effigy run --help`)
    #[arg(long, value_name = "WHERE", value_parser = ["never", "marked", "heuristic", "always"])]
    pub(crate) merge: Option<String>,
    /// Stop a harness after this time (30s, 5min, none)
    #[arg(long, value_name = "TIME", default_value = "5min", value_parser = limit)]
    pub(crate) max_time: MaxTime,
    /// Run the test of each path natively, in one process, and compare how it ends
    #[arg(long)]
    pub(crate) replay: bool,
    /// Refuse to execute anything of the program natively
    #[arg(long)]
    pub(crate) no_native: bool,
    /// Append each counterexample as a #[test] to the file of its harness
    #[arg(long)]
    pub(crate) write_tests: bool,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// Print failures and the result only
    #[arg(long, short)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) cargo: CargoSelection,
}

/// What cargo builds: its own flags.
#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Cargo")]
pub(crate) struct CargoSelection {
    /// Package to build (repeatable)
    #[arg(long, short, value_name = "SPEC")]
    pub(crate) package: Vec<String>,
    /// Build all packages of the workspace
    #[arg(long)]
    pub(crate) workspace: bool,
    /// Leave a package out (repeatable)
    #[arg(long, value_name = "SPEC", requires = "workspace")]
    pub(crate) exclude: Vec<String>,
    /// Harnesses in the library only
    #[arg(long)]
    pub(crate) lib: bool,
    /// Harnesses in this integration test only (repeatable)
    #[arg(long, value_name = "NAME")]
    pub(crate) test: Vec<String>,
    /// Harnesses in this program only (repeatable)
    #[arg(long, value_name = "NAME")]
    pub(crate) bin: Vec<String>,
    /// Features to activate (repeatable)
    #[arg(long, short = 'F', value_name = "FEATURES")]
    pub(crate) features: Vec<String>,
    /// Activate all features
    #[arg(long)]
    pub(crate) all_features: bool,
    /// Do not activate the default features
    #[arg(long)]
    pub(crate) no_default_features: bool,
    /// The target to build for
    #[arg(long, value_name = "TRIPLE")]
    pub(crate) target: Option<String>,
    /// Path to Cargo.toml
    #[arg(long, value_name = "PATH")]
    pub(crate) manifest_path: Option<PathBuf>,
    /// Folder for what is generated [default: effigy in cargo's target folder]
    #[arg(long, value_name = "DIR")]
    pub(crate) target_dir: Option<PathBuf>,
    /// Cargo.lock stays as it is
    #[arg(long)]
    pub(crate) locked: bool,
    /// Run without the network
    #[arg(long)]
    pub(crate) offline: bool,
    /// Both
    #[arg(long)]
    pub(crate) frozen: bool,
}

impl CargoSelection {
    /// The flags as cargo is given them, without the folder.
    pub(crate) fn words(&self) -> Vec<std::ffi::OsString> {
        let mut res: Vec<std::ffi::OsString> = Vec::new();
        let mut flag = |name: &str, is_given: bool| {
            if is_given {
                res.push(name.into());
            }
        };
        flag("--workspace", self.workspace);
        flag("--lib", self.lib);
        flag("--all-features", self.all_features);
        flag("--no-default-features", self.no_default_features);
        flag("--locked", self.locked);
        flag("--offline", self.offline);
        flag("--frozen", self.frozen);
        let several = [
            ("--package", &self.package),
            ("--exclude", &self.exclude),
            ("--test", &self.test),
            ("--bin", &self.bin),
            ("--features", &self.features),
        ];
        for (name, values) in several {
            values.iter().for_each(|it| res.extend([name.into(), it.into()]));
        }
        if let Some(path) = &self.manifest_path {
            res.extend(["--manifest-path".into(), path.into()]);
        }
        res
    }
}

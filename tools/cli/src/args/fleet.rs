//! The arguments of commands that share their work.
//!
//! Knows: names and help. Never: the calls.

use clap::Args as ClapArgs;

/// The flags of commands that share work through a server.
#[derive(Clone, Debug, Default, ClapArgs)]
pub(crate) struct FleetArgs {
    /// Share the work with others, on Redis 7 or Valkey (redis://, rediss://, redis+unix://; several with commas)
    #[arg(long, value_name = "URL")]
    pub(crate) fleet: Option<String>,
    /// The name of the campaign there, which one build of one program has [default: its hash]
    #[arg(long, value_name = "NAME", requires = "fleet")]
    pub(crate) campaign: Option<String>,
}

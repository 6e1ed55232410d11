//! The arguments of commands that share their work.
//!
//! Knows: names and help. Never: the calls.

use clap::Args as ClapArgs;

/// The flags of commands that share work through a server.
#[derive(Clone, Debug, Default, ClapArgs)]
pub(crate) struct FleetArgs {
    /// Share the work with other processes through Redis 7 or Valkey (redis://, rediss://, redis+unix://; several URLs
    /// are separated by commas)
    #[arg(long, value_name = "URL")]
    pub(crate) fleet: Option<String>,
    /// Name of the campaign on the server; it belongs to one build of one program [default: a hash of both]
    #[arg(long, value_name = "NAME", requires = "fleet")]
    pub(crate) campaign: Option<String>,
}

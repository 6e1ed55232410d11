//! The campaign that a command takes part in.
//!
//! Knows: addresses, one or several. Never: the calls, what an item is.

use crate::Failure;
use crate::args::FleetArgs;
use effigy_fleet::{Build, Fleet};

/// There is no campaign to join in a command that was built without the client of the server.
#[cfg(not(feature = "fleet"))]
pub(crate) fn join(_: &FleetArgs, _: Build) -> Result<Box<dyn Fleet>, Failure> {
    Err(Failure("--fleet: this effigy was built without it; build it with `--features fleet`".to_owned()))
}

/// Joins the campaign of `args`, or begins it. Without a name it has that of the build.
#[cfg(feature = "fleet")]
pub(crate) fn join(args: &FleetArgs, build: Build) -> Result<Box<dyn Fleet>, Failure> {
    use effigy_fleet::{Address, FleetError, RedisFleet, SplitFleet};
    use std::time::{Duration, Instant};
    /// Who joins waits so long for a server that starts again, and so long between two tries.
    const PATIENCE: Duration = Duration::from_secs(3);
    const PAUSE: Duration = Duration::from_millis(200);
    let campaign = args.campaign.clone().unwrap_or_else(|| build.hash.chars().take(16).collect());
    let mut parts: Vec<Box<dyn Fleet>> = Vec::new();
    for url in args.fleet.iter().flat_map(|it| it.split(',')) {
        let address = Address::new(url, &campaign).map_err(|error| Failure(format!("--fleet {error}")))?;
        let began = Instant::now();
        let joined = loop {
            match RedisFleet::join(address.clone(), build.clone()) {
                // It may be starting again.
                Err(FleetError::Unreachable(_)) if began.elapsed() < PATIENCE => std::thread::sleep(PAUSE),
                other => break other,
            }
        };
        let joined = joined.map_err(|error| Failure(format!("--fleet {address}: {error}")))?;
        parts.push(Box::new(joined));
    }
    match parts.len() {
        1 => Ok(parts.remove(0)),
        // Workers ask different servers first.
        _ => Ok(Box::new(SplitFleet::new(parts, u64::from(std::process::id())).map_err(Failure::of)?)),
    }
}

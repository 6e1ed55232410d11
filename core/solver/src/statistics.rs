//! Counters of the chain of layers: what each layer is worth.
//!
//! Knows: counts and durations. Never: who prints them.

use std::collections::BTreeMap;
use std::time::Duration;

/// Counters by layer, in the order of the chain.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// The layers from the top of the chain to the backends.
    pub layers: Vec<LayerStatistics>,
    /// Unknown answers by reason.
    pub unknown: BTreeMap<String, u64>,
}

/// The counters of one layer.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LayerStatistics {
    /// The name of the layer, as in its flag (`--no-cache` is the layer `cache`).
    pub name: &'static str,
    /// Queries that came in.
    pub queries: u64,
    /// Queries that this layer answered without the layers below.
    pub answered: u64,
    /// Time spent in this layer, those below it not included.
    pub time: Duration,
}

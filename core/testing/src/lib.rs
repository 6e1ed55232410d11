//! Generators of random inputs and independent oracles, for property tests and fuzz targets alike.
//!
//! Knows: how bytes become expressions and programs of the toy language, and what these mean, computed without terms.
//! Never: what is tested with them; any other language (`testing/programs`). Generators read bytes, so that any shrinker of byte strings shrinks programs.

#[path = "../../engine/examples/counter.rs"]
#[allow(dead_code, reason = "the engine's example is the test bed; its main is not used here")]
pub mod counter;
mod counter_inspect;
pub mod counter_merge;
pub mod expressions;
pub mod grammar_mutation;
pub mod integers;
pub mod merging;
pub mod programs;
pub mod reader_trial;
pub mod requirements;

/// How many random cases a property is tried on: `usual`, times EFFIGY_CASES_TIMES (`make test-all`).
pub fn cases(usual: u32) -> u32 {
    usual.saturating_mul(times())
}

/// Whether this is a long campaign, which draws new programs; the usual run tries the same ones each time.
pub fn is_campaign() -> bool {
    times() > 1
}

fn times() -> u32 {
    std::env::var("EFFIGY_CASES_TIMES").ok().and_then(|it| it.parse().ok()).unwrap_or(1)
}

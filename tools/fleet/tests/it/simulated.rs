//! Two thousand workers on paper: what the server does then, and what several servers do.
//!
//! The costs are those that `bench/fleet --speed` measures; with `--nocapture` the table of the book is printed.

use effigy_fleet::{Account, SimulationConfig, simulate};
use std::io::Write;

const CAMPAIGN: SimulationConfig = SimulationConfig {
    workers: 2_000,
    servers: 1,
    items: 60_000,
    children: 8,
    batch: 4,
    // A symbolic run and its solving.
    item: 1_000_000,
    call: 40,
    call_item: 30,
    network: 500,
    deaths: 0,
    lease: 60_000_000,
    seed: 1976,
};

fn run(name: &str, what: SimulationConfig) -> Account {
    let it = simulate(&what).unwrap();
    assert_eq!(it.done + it.given_up, u64::from(what.items), "{name}: an item is lost");
    assert!(it.worked <= it.done + it.expired, "{name}: done twice while it was held: {it:?}");
    let line = format!(
        "| {name} | {:.0} s | {:.0} % | {:.0} % | {:.1} ms | {:.1} ms | {} | {} |\n",
        it.seconds,
        100.0 * it.busy,
        100.0 * it.working,
        it.median,
        it.long,
        it.deaths,
        it.expired
    );
    if std::env::args().any(|it| it == "--nocapture") {
        std::io::stderr().write_all(line.as_bytes()).unwrap();
    }
    it
}

#[test]
fn one_server_carries_two_thousand_workers() {
    let it = run("2,000 workers, 1 s an item", CAMPAIGN);
    assert_eq!((it.worked, it.expired), (60_000, 0));
    assert!(it.busy < 0.5 && it.working > 0.5 && it.long < 50.0, "{it:?}");
}

#[test]
fn workers_that_die_lose_nothing() {
    let it = run("the same, one in 200 items kills its worker", SimulationConfig { deaths: 200, ..CAMPAIGN });
    assert!(it.deaths > 100 && it.expired > 100, "{it:?}");
    assert_eq!(it.given_up, 0);
}

#[test]
fn short_items_fill_a_server_and_several_share_them() {
    let short = SimulationConfig { item: 50_000, ..CAMPAIGN };
    let one = run("2,000 workers, 50 ms an item", short);
    let four = run("the same on 4 servers", SimulationConfig { servers: 4, ..short });
    assert!(one.busy > 0.9, "{one:?}");
    assert!(four.seconds < 0.6 * one.seconds && four.long < one.long, "{one:?} {four:?}");
}

//! How many items a second go through a server: `speed URL [WORKERS] [ITEMS] [BATCH]`, as `bench/fleet --speed` runs it.
//!
//! Each item is pushed with a kilobyte, leased, and finished with two bits of coverage that are known already, as almost
//! all are.

#![expect(clippy::print_stdout, reason = "it is a program that prints")]

use effigy_fleet::{Address, Build, Fleet, FleetError, Item, RedisFleet, Report};
use std::time::{Duration, Instant};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let url = arguments.next().ok_or("speed URL [WORKERS] [ITEMS] [BATCH]")?;
    let mut number = |otherwise: u64| arguments.next().map_or(Ok(otherwise), |it| it.parse::<u64>());
    let (workers, items, batch) = (number(4)?, number(20_000)?, number(16)?);
    let build = Build { hash: "speed".to_owned(), bits: 1 << 16 };
    let name = format!("speed-{}", std::process::id());
    let join = || RedisFleet::join(Address::new(&url, &name)?, build.clone());
    let each = items / workers;
    let timed = |what: &str, work: &(dyn Fn(u64, &mut RedisFleet) -> Result<(), FleetError> + Sync)| {
        let begin = Instant::now();
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..workers).map(|at| scope.spawn(move || work(at, &mut join()?))).collect();
            threads.into_iter().try_for_each(|it| it.join().unwrap_or(Ok(())))
        })?;
        let seconds = begin.elapsed().as_secs_f64();
        let rate = (each * workers) as f64 / seconds;
        println!("{what:24} {rate:10.0} items/s  ({workers} workers, batch {batch}, {:.1} s)", seconds);
        Ok::<(), FleetError>(())
    };
    timed("push", &|at, fleet| {
        for first in (0..each).step_by(usize::try_from(batch).unwrap_or(1)) {
            let item = |it: u64| {
                let mut input = vec![b'x'; 1024];
                input[..16].copy_from_slice(format!("{at:07}{it:09}").as_bytes());
                Item { input, note: Vec::new(), score: 1, bits: vec![1, 2] }
            };
            let items = (first..each.min(first + batch)).map(item).collect();
            fleet.push(&Report { items, ..Report::default() })?;
        }
        Ok(())
    })?;
    timed("lease, finish one by one", &|_, fleet| {
        loop {
            let leased = fleet.lease(usize::try_from(batch).unwrap_or(1), Duration::from_secs(60))?;
            if leased.is_empty() {
                return Ok(());
            }
            for it in leased {
                fleet.finish(it.ticket, &Report { bits: vec![1, 2], ..Report::default() })?;
            }
        }
    })?;
    println!("{:?}", join()?.status()?);
    Ok(())
}

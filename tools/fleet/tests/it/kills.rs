//! Workers that are processes, and the server, are killed (-9) while they work: every item is done, coverage never
//! shrinks.
//!
//! When is told by what was done until then, not by a clock; the limits only keep a failure from taking for ever.

use crate::common::{Server, build};
use effigy_fleet::{Address, Fleet, FleetError, Item, LeasedItem, RedisFleet, Report};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Item n has the children 3n + 1, 3n + 2, 3n + 3 below this.
const ITEMS: u32 = 2500;

/// Longer than any work here, so that only what was killed is late.
const LEASE: Duration = Duration::from_secs(2);

const LIMIT: Duration = Duration::from_secs(100);

fn item(number: u32) -> Item {
    Item { input: number.to_le_bytes().to_vec(), note: Vec::new(), score: number % 7, bits: vec![number] }
}

fn children(of: &LeasedItem) -> Report {
    let mut bytes = [0; 4];
    bytes.copy_from_slice(&of.input);
    let number = u32::from_le_bytes(bytes);
    Report {
        items: (3 * number + 1..=3 * number + 3).filter(|it| *it < ITEMS).map(item).collect(),
        ..Report::default()
    }
}

/// The process of a worker: this very program, started again. Run as a test it does nothing.
#[test]
fn worker() {
    let Ok(url) = std::env::var("EFFIGY_FLEET_WORKER") else { return };
    let begin = Instant::now();
    let mut fleet = None;
    // Until it is killed; or nobody has killed it.
    while begin.elapsed() < LIMIT {
        let joined = || RedisFleet::join(Address::new(&url, "kills")?, build());
        let Some(list) = fleet.as_mut() else {
            fleet = joined().ok();
            std::thread::sleep(Duration::from_millis(5));
            continue;
        };
        // A server that is away comes back; what was half done is done again by whoever gets it.
        let _ = work(list);
    }
}

fn work(list: &mut RedisFleet) -> Result<(), FleetError> {
    let leased = list.lease(8, LEASE)?;
    if leased.is_empty() {
        std::thread::sleep(Duration::from_millis(5));
    }
    for it in leased {
        std::thread::sleep(Duration::from_millis(1));
        list.finish(it.ticket, &children(&it))?;
    }
    Ok(())
}

struct Worker(Child);

impl Worker {
    fn start(url: &str) -> Worker {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", "kills::worker"]).env("EFFIGY_FLEET_WORKER", url).stdout(Stdio::null());
        Worker(command.spawn().unwrap())
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

#[test]
fn nothing_is_lost() {
    // What the server has answered is on its disk.
    let Some(mut server) = Server::start(&["--appendonly", "yes", "--appendfsync", "always"]) else { return };
    let url = server.url();
    let mut list = server.join("kills");
    list.push(&Report { items: vec![item(0)], ..Report::default() }).unwrap();
    let mut workers: Vec<Worker> = (0..3).map(|_| Worker::start(&url)).collect();
    // Each kill may cost an item a lease: fewer than it has.
    let mut kills: Vec<(u64, Kill)> =
        vec![(300, Kill::Worker), (700, Kill::Server), (1100, Kill::All), (1600, Kill::Server)];
    let (begin, mut covered, mut told) = (Instant::now(), 0, 0);
    loop {
        assert!(begin.elapsed() < LIMIT, "{:?}", list.status());
        let status = list.status().unwrap();
        assert!(status.covered >= covered && status.done >= told, "something was forgotten: {status:?}");
        (covered, told) = (status.covered, status.done);
        if status.waiting + status.leased == 0 {
            break;
        }
        if kills.first().is_some_and(|it| status.done >= it.0) {
            match kills.remove(0).1 {
                Kill::Worker => workers[0] = Worker::start(&url),
                Kill::All => workers = (0..3).map(|_| Worker::start(&url)).collect(),
                Kill::Server => {
                    server.kill();
                    server.go();
                }
            }
        }
    }
    let status = list.status().unwrap();
    assert!(kills.is_empty(), "it was over before all was killed");
    assert_eq!((status.done, status.given_up, status.covered), (u64::from(ITEMS), 0, u64::from(ITEMS)), "{status:?}");
    assert!(status.expired > 0, "nobody was killed with work in their hands: {status:?}");
    assert!(list.losses() >= 2);
}

enum Kill {
    Worker,
    All,
    Server,
}

//! How the native half and those that look at its finds share processors.
//!
//! Knows: how many processors there are, when the native half has found something by itself. Where there are enough
//! nobody stands in another's way. Where they share one, a symbolic run takes the time of many thousand native runs, a run
//! under sanitizers that of some hundreds: they stand back while the native half brings something, and have their share
//! once it brings nothing more.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// So long after a find more are expected.
const LATELY: Duration = Duration::from_secs(2);

/// After a run one rests for so many times as long, and at most so long.
const REST: u32 = 5;
const LONGEST: Duration = Duration::from_secs(20);

/// The interval at which the symbolic half checks whether it may continue.
const LOOK: Duration = Duration::from_millis(20);

/// Shared by all threads of a campaign.
#[derive(Debug)]
pub struct Pace {
    scarce: bool,
    /// When the native half has found something by itself.
    last: Mutex<Instant>,
}

impl Pace {
    /// The pace for this number of loops, with one symbolic half each.
    pub fn new(jobs: u32) -> Pace {
        let processors = std::thread::available_parallelism().map_or(1, |it| it.get());
        Pace { scarce: processors < 2 * jobs as usize, last: Mutex::new(Instant::now()) }
    }

    /// The native half has found something by itself.
    pub(crate) fn found(&self) {
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    }

    fn found_lately(&self) -> bool {
        self.last.lock().unwrap_or_else(PoisonError::into_inner).elapsed() < LATELY
    }

    /// Rests after a run of this length, while the native half finds something and nothing asks to continue.
    pub fn rest(&self, run: Duration, goes_on: impl Fn() -> bool) {
        if !self.scarce {
            return;
        }
        let begin = Instant::now();
        let time = (run * REST).min(LONGEST);
        while begin.elapsed() < time && self.found_lately() && !goes_on() {
            std::thread::sleep(LOOK.min(time));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pace(scarce: bool, last: Duration) -> Pace {
        let last = Instant::now().checked_sub(last).expect("the machine is up for longer");
        Pace { scarce, last: Mutex::new(last) }
    }

    fn rests(pace: &Pace, stop: bool) -> bool {
        let begin = Instant::now();
        pace.rest(Duration::from_millis(100), || stop);
        begin.elapsed() >= Duration::from_millis(500)
    }

    #[test]
    fn it_rests_only_where_processors_are_scarce_and_the_other_half_finds_something() {
        assert!(rests(&pace(true, Duration::ZERO), false));
        assert!(!rests(&pace(false, Duration::ZERO), false));
        assert!(!rests(&pace(true, LATELY), false));
        assert!(!rests(&pace(true, Duration::ZERO), true));
        let again = pace(true, LATELY);
        again.found();
        assert!(rests(&again, false));
    }
}

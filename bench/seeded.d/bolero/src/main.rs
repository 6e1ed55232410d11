//! The ten seeded bugs by bolero: its engine for tests (random bytes, no coverage), as `cargo test` runs it; as many cases
//! as proptest has.

use std::panic::catch_unwind;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Cases after which it gives up.
const CASES: usize = 1_000_000;

/// How often the function was called.
static CALLS: AtomicU64 = AtomicU64::new(0);

macro_rules! seeded {
    ($($name:ident ($($parameter:ident: $type:ident),*) $body:block)*) => {
        mod plain {
            type Wide = u32;

            $( pub fn $name($($parameter: $type),*) $body )*
        }

        fn main() {
            std::panic::set_hook(Box::new(|_| ()));
            println!("| bug | bolero: found | ms | cases |");
            println!("|---|---|---|---|");
            $( {
                CALLS.store(0, Ordering::Relaxed);
                let start = Instant::now();
                let outcome = catch_unwind(|| {
                    let check = bolero::check!().with_iterations(CASES).with_shrink_time(Duration::ZERO);
                    check.with_type::<($($type,)*)>().cloned().for_each(|($($parameter,)*)| {
                        CALLS.fetch_add(1, Ordering::Relaxed);
                        plain::$name($($parameter),*);
                    });
                });
                let took = start.elapsed().as_secs_f64() * 1e3;
                let found = if outcome.is_err() { "yes" } else { "no" };
                println!("| {} | {found} | {took:.1} | {} |", stringify!($name), CALLS.load(Ordering::Relaxed));
            } )*
        }
    };
}

include!("../../../../embed/effigy/examples/seeded/bugs.rs");

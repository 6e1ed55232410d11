//! The ten seeded bugs of `bugs.rs`, by this library and by proptest. `bench/seeded` runs it, bolero on the same functions
//! (`bench/seeded.d/bolero`), and CrossHair on the same in Python.

#![allow(clippy::print_stdout, reason = "a table")]
#![allow(clippy::manual_is_multiple_of, reason = "the words are also about symbolic numbers")]

use effigy::prelude::*;
use effigy::{input, verify};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestError, TestRunner};
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

/// Cases after which proptest gives up.
const CASES: u32 = 1_000_000;

/// The same words about plain and about symbolic numbers.
macro_rules! seeded {
    ($($name:ident ($($parameter:ident: $type:ident),*) $body:block)*) => {
        mod plain {
            /// What a byte fits in.
            type Wide = u32;

            $( pub fn $name($($parameter: $type),*) $body )*
        }

        mod symbolic {
            use effigy::prelude::*;

            /// What a byte fits in.
            type Wide = Sym<u32>;

            $( pub fn $name($($parameter: Sym<$type>),*) $body )*
        }

        fn main() {
            println!("| bug | effigy: found | ms | paths | proptest: found | ms | cases |");
            println!("|---|---|---|---|---|---|---|");
            let mut all = (0u64, 0.0f64);
            $( {
                let start = Instant::now();
                let report = verify(stringify!($name), &Options::default(), false, || {
                    symbolic::$name($(input::<Sym<$type>>(stringify!($parameter))),*);
                });
                let took = start.elapsed().as_secs_f64() * 1e3;
                all = (all.0 + report.account.paths.total(), all.1 + took);
                let found = report.counterexamples.first().map_or("no".to_owned(), |it| {
                    let values: Vec<String> = it.inputs.iter().map(|(_, value)| value.replace("Sym::from", "")).collect();
                    values.join(" ")
                });
                let config = Config { cases: CASES, failure_persistence: None, max_shrink_iters: 0, ..Config::default() };
                let start = Instant::now();
                let cases = Cell::new(0u64);
                let outcome = TestRunner::new(config).run(&($(any::<$type>(),)* Just(())), |values| {
                    cases.set(cases.get() + 1);
                    let ($($parameter,)* ()) = values;
                    let ran = catch_unwind(AssertUnwindSafe(|| plain::$name($($parameter),*)));
                    ran.map_err(|_| TestCaseError::fail("fails"))
                });
                let random = start.elapsed().as_secs_f64() * 1e3;
                let by_random = if matches!(outcome, Err(TestError::Fail(..))) { "yes" } else { "no" };
                println!(
                    "| {} | {found} | {took:.1} | {} | {by_random} | {random:.1} | {} |",
                    stringify!($name), report.account.paths.total(), cases.get()
                );
            } )*
            println!("\n{} paths in {:.1} ms: {:.0} paths a second", all.0, all.1, all.0 as f64 / all.1 * 1e3);
        }
    };
}

include!("bugs.rs");

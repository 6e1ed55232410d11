//! Ten seeded bugs, five shallow and five that random testing misses: by this library and by proptest. `bench/seeded`
//! runs it, and CrossHair on the same functions in Python.

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

seeded! {
    // Shallow.
    average(a: u32, b: u32) {
        assert!(a.checked_add(b).is_some(), "the sum does not fit");
    }

    negated(x: i8) {
        assert!(x.wrapping_abs() >= 0);
    }

    divided(x: u8, y: u8) {
        let _ = x / (y % 8);
    }

    largest(a: i8, b: i8, c: i8) {
        let largest = if a > b && a > c { a } else if b > c { b } else { c };
        assert!(largest >= a && largest >= b && largest >= c);
        assert!(!(a == b && b > c) || largest != b, "two are the largest");
    }

    counted(x: u8) {
        let mut left = x;
        let mut count = 0;
        while left > 0 {
            left /= 2;
            count += 1;
        }
        assert!(count < 8);
    }

    // Missed by chance.
    magic(x: u32) {
        assert!(x != 0x5a17_0001);
    }

    header(a: u8, b: u8, c: u8, d: u8) {
        if a == b'P' && b == b'U' && c == b'T' {
            assert!(d != b'!', "the command has no handler");
        }
    }

    checksum(a: u16, b: u16) {
        let (a, b) = (Wide::from(a), Wide::from(b));
        if a > 40_000 && b > 50_000 && a & 0xff == 17 {
            assert!(a * 31 + b * 17 != 2_345_678);
        }
    }

    leap(year: u16, month: u8, day: u8) {
        let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        if month == 2 && day == 29 && leap {
            assert!(year % 100 != 0 || year < 2_001, "the table ends in 2000");
        }
    }

    root(x: u32) {
        if x > 1 && x < 0xffff_ffff {
            assert!(x.wrapping_mul(x) != 1, "only one and its opposite are their own inverse");
        }
    }
}

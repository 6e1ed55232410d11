//! Symbolic numbers against Rust's own, for every integer type and every operator.

use effigy::prelude::*;
use effigy::session::{Limits, Verdict, explore};
use proptest::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What an operator gives, or `None` where it panics.
fn tried<R>(run: impl FnOnce() -> R) -> Option<R> {
    catch_unwind(AssertUnwindSafe(run)).ok()
}

/// The symbolic result is the native one. All is done on a path on which the operands have one value each.
macro_rules! same {
    ($what:expr, $symbolic:expr, $native:expr) => {
        match ($symbolic, $native) {
            (Some(symbolic), Some(native)) => assert!(symbolic == native, "{}: {native:?}", $what),
            (symbolic, native) => {
                assert!(symbolic.is_none() && native.is_none(), "{}: {:?}", $what, native)
            }
        }
    };
}

macro_rules! numbers {
    ($($test:ident $type:ident $($signed:ident)?;)*) => { $(
        #[test]
        fn $test() {
            let edges = prop_oneof![
                Just(0 as $type), Just(1 as $type), Just($type::MAX), Just($type::MIN), Just((0 as $type).wrapping_sub(1)),
                Just($type::MAX - 1), any::<$type>(), any::<u8>().prop_map(|it| it as $type),
            ];
            // Of wide numbers only the path of the values is run: that there is no other says a solver, slowly.
            let wide = $type::BITS > 32;
            let limits = Limits { paths: if wide { 1 } else { 100 }, ..Limits::default() };
            let config = ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() };
            let mut runner = proptest::test_runner::TestRunner::new(config);
            let outcome = runner.run(&(edges.clone(), edges, 0u32..140), |(x, y, by)| {
                let account = explore(&limits, || {
                    let (a, b, n) = (Sym::<$type>::any("a"), Sym::<$type>::any("b"), Sym::<u32>::any("n"));
                    effigy::assume(a.equals(x) & b.equals(y) & n.equals(by));
                    same!("+", tried(|| a + b), x.checked_add(y));
                    same!("-", tried(|| a - b), x.checked_sub(y));
                    same!("*", tried(|| a * b), x.checked_mul(y));
                    same!("/", tried(|| a / b), x.checked_div(y));
                    same!("%", tried(|| a % b), x.checked_rem(y));
                    same!("<<", tried(|| a << n), x.checked_shl(by));
                    same!(">>", tried(|| a >> n), x.checked_shr(by));
                    same!("<<", tried(|| a << by), x.checked_shl(by));
                    same!("<< by its own type", tried(|| a << b), u32::try_from(y).ok().and_then(|y| x.checked_shl(y)));
                    same!("&", tried(|| a & b), Some(x & y));
                    same!("|", tried(|| a | b), Some(x | y));
                    same!("^", tried(|| a ^ b), Some(x ^ y));
                    same!("!", tried(|| !a), Some(!x));
                    same!("plain +", tried(|| a + y), x.checked_add(y));
                    same!("plain first -", tried(|| x - b), x.checked_sub(y));
                    let mut c = a;
                    same!("-=", tried(|| { c -= b; c }), x.checked_sub(y));
                    same!("checked_add", a.checked_add(b), x.checked_add(y));
                    same!("checked_sub", a.checked_sub(b), x.checked_sub(y));
                    same!("checked_mul", a.checked_mul(b), x.checked_mul(y));
                    same!("checked_div", a.checked_div(b), x.checked_div(y));
                    same!("checked_rem", a.checked_rem(b), x.checked_rem(y));
                    same!("checked_neg", a.checked_neg(), x.checked_neg());
                    same!("checked_shl", a.checked_shl(n), x.checked_shl(by));
                    same!("checked_shr", a.checked_shr(n), x.checked_shr(by));
                    same!("wrapping_add", Some(a.wrapping_add(b)), Some(x.wrapping_add(y)));
                    same!("wrapping_sub", Some(a.wrapping_sub(b)), Some(x.wrapping_sub(y)));
                    same!("wrapping_mul", Some(a.wrapping_mul(b)), Some(x.wrapping_mul(y)));
                    same!("wrapping_neg", Some(a.wrapping_neg()), Some(x.wrapping_neg()));
                    same!("wrapping_shl", Some(a.wrapping_shl(n)), Some(x.wrapping_shl(by)));
                    same!("wrapping_shr", Some(a.wrapping_shr(n)), Some(x.wrapping_shr(by)));
                    same!("wrapping_div", tried(|| a.wrapping_div(b)), (y != 0).then(|| x.wrapping_div(y)));
                    same!("wrapping_rem", tried(|| a.wrapping_rem(b)), (y != 0).then(|| x.wrapping_rem(y)));
                    same!("saturating_add", Some(a.saturating_add(b)), Some(x.saturating_add(y)));
                    same!("saturating_sub", Some(a.saturating_sub(b)), Some(x.saturating_sub(y)));
                    same!("saturating_mul", Some(a.saturating_mul(b)), Some(x.saturating_mul(y)));
                    let (value, over) = a.overflowing_add(b);
                    assert!((value, over) == { let it = x.overflowing_add(y); (it.0.into(), it.1.into()) });
                    let (value, over) = a.overflowing_sub(b);
                    assert!((value, over) == { let it = x.overflowing_sub(y); (it.0.into(), it.1.into()) });
                    let (value, over) = a.overflowing_mul(b);
                    assert!((value, over) == { let it = x.overflowing_mul(y); (it.0.into(), it.1.into()) });
                    assert_eq!((a < b, a <= b, a > b, a >= b), (x < y, x <= y, x > y, x >= y));
                    assert_eq!((a == b, a != b, a == y, x == b), (x == y, x != y, x == y, x == y));
                    assert_eq!((a.cmp(&b), a.partial_cmp(&y)), (x.cmp(&y), x.partial_cmp(&y)));
                    assert!(a.max(b) == x.max(y) && a.min(b) == x.min(y));
                    assert!(a.most(b) == x.max(y) && a.least(b) == x.min(y));
                    assert!(a.cast::<u8>() == x as u8 && a.cast::<i8>() == x as i8);
                    assert!(a.cast::<u32>() == x as u32 && a.cast::<i64>() == x as i64);
                    assert!(a.cast::<u128>() == x as u128 && a.cast::<i128>() == x as i128);
                    same!("try_cast", a.try_cast::<u16>(), u16::try_from(x).ok());
                    same!("try_cast", a.try_cast::<i32>(), i32::try_from(x).ok());
                    same!("try_cast", a.try_cast::<u128>(), u128::try_from(x).ok());
                    same!("pow", tried(|| a.pow(3)), x.checked_pow(3));
                    $( let _: &str = stringify!($signed);
                       same!("-x", tried(|| -a), x.checked_neg());
                       same!("abs", tried(|| a.abs()), x.checked_abs());
                       same!("signum", Some(a.signum()), Some(x.signum()));
                       same!("unsigned_abs", Some(a.unsigned_abs()), Some(x.unsigned_abs())); )?
                    let _ = n;
                });
                prop_assert!(wide && account.failures.is_empty() || account.verdict() == Verdict::Passed, "{}", account);
                prop_assert_eq!((account.paths.ended, account.paths.failed), (1, 0));
                // Plain values need no session.
                let (a, b) = (Sym::plain(x), Sym::plain(y));
                prop_assert_eq!(a.checked_mul(b).and_then(Sym::as_plain), x.checked_mul(y));
                prop_assert_eq!(a.saturating_sub(b).as_plain(), Some(x.saturating_sub(y)));
                prop_assert_eq!(a.checked_shr(by).and_then(Sym::as_plain), x.checked_shr(by));
                prop_assert_eq!(a.wrapping_shl(by).as_plain(), Some(x.wrapping_shl(by)));
                prop_assert_eq!(a.cast::<i16>().as_plain(), Some(x as i16));
                prop_assert_eq!(a.cast::<u128>().as_plain(), Some(x as u128));
                Ok(())
            });
            if let Err(error) = outcome {
                panic!("{error}");
            }
        }
    )* };
}

numbers! {
    u8_as_native u8;
    u16_as_native u16;
    u32_as_native u32;
    u64_as_native u64;
    u128_as_native u128;
    usize_as_native usize;
    i8_as_native i8 signed;
    i16_as_native i16 signed;
    i32_as_native i32 signed;
    i64_as_native i64 signed;
    i128_as_native i128 signed;
    isize_as_native isize signed;
}

/// Without an assumption about values: as many paths as there are outcomes, and each of 2^16 inputs has its own.
#[test]
fn all_bytes_divided() {
    let account = explore(&Limits { failures: 9, ..Limits::default() }, || {
        let (a, b) = (Sym::<i8>::any("a"), Sym::<i8>::any("b"));
        let (quotient, rest) = (a / b, a % b);
        assert!(quotient.wrapping_mul(b).wrapping_add(rest) == a);
    });
    let mut messages: Vec<&str> = account.failures.iter().map(|it| it.message.as_str()).collect();
    messages.sort_unstable();
    assert_eq!(messages, ["attempt to divide by zero", "attempt to divide with overflow"]);
    assert_eq!(account.paths.ended, 1, "{account}");
}

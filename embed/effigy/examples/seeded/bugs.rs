// Ten seeded bugs, five shallow and five that random testing misses. Each program that compares includes this file, with a
// macro `seeded!` of its own; `Wide` is what a byte fits in, a plain or a symbolic number.

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

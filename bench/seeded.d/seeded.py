"""The ten functions of embed/effigy/examples/seeded.rs. What an input is in Rust, the first assertion says."""


def average(a: int, b: int) -> None:
    assert 0 <= a < 2**32 and 0 <= b < 2**32
    assert a + b < 2**32


def negated(x: int) -> None:
    assert -128 <= x < 128
    assert -x < 128


def divided(x: int, y: int) -> None:
    assert 0 <= x < 256 and 0 <= y < 256
    assert y % 8 != 0


def largest(a: int, b: int, c: int) -> None:
    assert all(-128 <= it < 128 for it in (a, b, c))
    if a > b and a > c:
        res = a
    elif b > c:
        res = b
    else:
        res = c
    assert not (a == b and b > c) or res != b


def counted(x: int) -> None:
    assert 0 <= x < 256
    count = 0
    while x > 0:
        x = x // 2
        count += 1
    assert count < 8


def magic(x: int) -> None:
    assert 0 <= x < 2**32
    assert x != 0x5A170001


def header(a: int, b: int, c: int, d: int) -> None:
    assert all(0 <= it < 256 for it in (a, b, c, d))
    if a == ord("P") and b == ord("U") and c == ord("T"):
        assert d != ord("!")


def checksum(a: int, b: int) -> None:
    assert 0 <= a < 2**16 and 0 <= b < 2**16
    if a > 40_000 and b > 50_000 and (a & 0xFF) == 17:
        assert a * 31 + b * 17 != 2_345_678


def leap(year: int, month: int, day: int) -> None:
    assert 0 <= year < 2**16 and 0 <= month < 256 and 0 <= day < 256
    is_leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    if month == 2 and day == 29 and is_leap:
        assert year % 100 != 0 or year < 2001


def root(x: int) -> None:
    assert 0 <= x < 2**32
    if 1 < x < 0xFFFFFFFF:
        assert (x * x) % 2**32 != 1

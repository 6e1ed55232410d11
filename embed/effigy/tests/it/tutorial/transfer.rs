use effigy::prelude::*;

/// Generic code, or code about `Sym<u32>`: arithmetic and comparisons are written as always.
fn transfer(from: Sym<u32>, to: Sym<u32>, amount: Sym<u32>) -> (Sym<u32>, Sym<u32>) {
    if amount > from {
        return (from, to);
    }
    (from - amount, to + amount)
}

#[effigy::test]
fn transfer_keeps_the_total(from: Sym<u32>, to: Sym<u32>, amount: Sym<u32>) {
    assume!(from.checked_add(to).is_some());
    let (a, b) = transfer(from, to, amount);
    expect(a + b).to_equal(from + to);
}

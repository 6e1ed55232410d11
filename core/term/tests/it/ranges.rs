//! Comparisons of machine integers, said once: no longer than they were, and equivalent.

use effigy_term::eval::Evaluator;
use effigy_term::plain::said_once;
use effigy_term::print::{Dialect, machine};
use effigy_term::{BvValue, Model, Sort, Symbol, SymbolKind, Term, Terms, Value, Width};
use proptest::prelude::*;

/// A comparison of what is computed from the byte `x` with a constant: which, with what, negated, on which side.
type Atom = (u8, u8, bool, bool);

/// What is computed from `x`: extended so, times this, and so much more.
type Linear = (u8, u8, u8);

/// The number that is compared, of 8 or 16 bits.
fn linear(terms: &Terms, x: Term, (extension, factor, constant): Linear) -> Term {
    let (x, width) = match extension % 3 {
        0 => (x, Width::W8),
        1 => (terms.bv_zero_extend(Width::W16, x), Width::W16),
        _ => (terms.bv_sign_extend(Width::W16, x), Width::W16),
    };
    // Small factors of both signs, and constants near both ends.
    let factor = u64::from(factor % 11).wrapping_sub(5);
    let constant = i64::from(constant as i8).wrapping_mul(if constant % 3 == 0 { 257 } else { 1 });
    let number = |it: i64| terms.bv(BvValue::from_i64(width, it));
    terms.bv_add(terms.bv_mul(number(factor as i64), x), number(constant))
}

fn byte(terms: &Terms, is_unsigned: bool) -> (Symbol, Term) {
    let symbol = terms.symbol("x", Sort::BitVec(Width::W8), SymbolKind::Input);
    if is_unsigned {
        terms.set_unsigned(symbol);
    }
    (symbol, terms.of_symbol(symbol))
}

fn atom(terms: &Terms, number: Term, (which, constant, negated, number_first): Atom) -> Term {
    let constant = terms.bv(BvValue::from_i64(terms.width(number), i64::from(constant as i8)));
    let (a, b) = if number_first { (number, constant) } else { (constant, number) };
    let cond = match which % 3 {
        0 => terms.bv_ult(a, b),
        1 => terms.bv_slt(a, b),
        _ => terms.eq(a, b),
    };
    if negated { terms.not(cond) } else { cond }
}

fn holds(terms: &Terms, symbol: Symbol, conjuncts: &[Term], value: u8) -> bool {
    let mut model = Model::new();
    model.set(symbol, Value::BitVec(BvValue::from_u64(Width::W8, u64::from(value))));
    let value = |it: &Term| Evaluator::new(terms, &model).value(*it);
    conjuncts.iter().all(|it| value(it) == Some(Value::Bool(true)))
}

proptest! {
    /// For all 256 values.
    #[test]
    fn what_is_said_once_is_equivalent_and_no_longer(
        atoms in proptest::collection::vec((any::<Atom>(), any::<bool>()), 1..7),
        of: Linear,
        is_unsigned: bool,
    ) {
        let terms = Terms::new();
        let (symbol, x) = byte(&terms, is_unsigned);
        let number = linear(&terms, x, of);
        let conjuncts: Vec<Term> =
            atoms.into_iter().map(|(it, plain)| atom(&terms, if plain { x } else { number }, it)).collect();
        let said = said_once(&terms, conjuncts.clone());
        // Two bounds are printed as one condition.
        prop_assert!(said.len() <= conjuncts.len() + 1);
        for value in 0..=u8::MAX {
            let (before, after) = (&conjuncts, &said);
            prop_assert_eq!(holds(&terms, symbol, before, value), holds(&terms, symbol, after, value), "x = {}", value);
        }
    }
}

/// What is left of comparisons `x SIGN constant`, as C has them.
fn said(is_unsigned: bool, atoms: &[Atom]) -> String {
    let terms = Terms::new();
    let (_, x) = byte(&terms, is_unsigned);
    let conjuncts = atoms.iter().map(|it| atom(&terms, x, *it)).collect();
    let said = said_once(&terms, conjuncts);
    said.iter().map(|it| machine(&terms, Dialect::C, *it)).collect::<Vec<_>>().join(", ")
}

#[test]
fn examples() {
    // x ≤ 5, x ≠ 0, x ≥ 2, x ≥ 3, x ≥ 4, x ≥ 5.
    let least = |it| (0, it, true, true);
    assert_eq!(said(true, &[(0, 6, false, true), (2, 0, true, true), least(2), least(3), least(4), least(5)]), "x = 5");
    // x ≥ 0 and x < 4, in the signed order.
    assert_eq!(said(false, &[(1, 0, true, true), (1, 4, false, true), (2, 3, true, true)]), "x ≥ 0, x ≤ 2");
    // In the unsigned order, of a signed variable.
    assert_eq!(said(false, &[(0, 4, false, true)]), "x ≥ 0, x ≤ 3");
    assert_eq!(said(false, &[(0, 4, true, true)]), "(unsigned char)x ≥ 4");
    // A gap of one value is left.
    assert_eq!(
        said(true, &[least(3), (0, 9, false, true), (2, 5, true, true), (2, 9, true, true)]),
        "x ≥ 3, x ≤ 8, x ≠ 5"
    );
}

/// Offsets in bytes are told as indices, and characters as they are.
#[test]
fn examples_of_computed_numbers() {
    let terms = Terms::new();
    let i = terms.of_symbol(terms.symbol("i", Sort::BitVec(Width::W32), SymbolKind::Input));
    let c = terms.symbol("c", Sort::BitVec(Width::W8), SymbolKind::Input);
    terms.set_unsigned(c);
    let number = |width, it| terms.bv(BvValue::from_i64(width, it));
    let offset = terms.bv_mul(number(Width::W64, 4), terms.bv_sign_extend(Width::W64, i));
    let said = |it: Term| {
        let said = said_once(&terms, vec![it]);
        said.iter().map(|it| machine(&terms, Dialect::C, *it)).collect::<Vec<_>>().join(", ")
    };
    let fits = terms.bv_ule(offset, number(Width::W64, 12));
    assert_eq!(said(fits), "i ≥ 0, i ≤ 3");
    assert_eq!(said(terms.not(fits)), "(unsigned)i ≥ 4");
    let digit = terms.bv_sub(terms.bv_zero_extend(Width::W32, terms.of_symbol(c)), number(Width::W32, 48));
    assert_eq!(said(terms.bv_ult(digit, number(Width::W32, 10))), "c ≥ 48, c ≤ 57");
    // Where a sum can overflow, nothing shorter says the same.
    let next = terms.bv_add(i, number(Width::W32, 1));
    assert_eq!(said(terms.bv_slt(next, number(Width::W32, 5))), "(int)((unsigned)i + 1) < 5");
}

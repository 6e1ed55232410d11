//! What the printer writes the reader reads: the same term again.

use effigy_smtlib::{ReadLimits, Reader, ScriptCommand, Splitter};
use effigy_term::eval::Evaluator;
use effigy_term::print::{SmtPrinter, math, symbol_name};
use effigy_term::{Sort, Symbol, SymbolKind, Term, Terms, Value};
use effigy_testing::{cases, expressions::Builder};
use proptest::prelude::*;

/// The last term that a script asserts.
fn asserted(terms: &Terms, text: &str) -> Term {
    let mut splitter = Splitter::new();
    let mut reader = Reader::new(terms, ReadLimits::default());
    splitter.push(text.as_bytes());
    let mut res = None;
    while let Some(written) = splitter.next_command().expect("commands") {
        if let ScriptCommand::Assert(term) = reader.command(written).unwrap_or_else(|error| panic!("{error}\n{text}")) {
            res = Some(term);
        }
    }
    splitter.finish().expect("the script is whole");
    res.expect("something is asserted")
}

/// Prints a formula and reads it, with the symbols that it had.
fn printed_and_read(terms: &Terms, term: Term) -> Term {
    let mut text = String::new();
    let name = SmtPrinter::new().define(terms, term, &mut text);
    text.push_str(&format!("(assert {name})\n"));
    let read = asserted(terms, &text);
    let own: Vec<Symbol> = terms.symbols(term).to_vec();
    terms.substitute(read, &mut |symbol| {
        let name = format!("|{}|", terms.symbol_info(symbol).name);
        own.iter().find(|it| symbol_name(terms, **it) == name).map(|it| terms.of_symbol(*it))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(2000)))]

    #[test]
    fn a_formula_over_bitvectors_is_read_as_it_was(
        bytes in prop::collection::vec(any::<u8>(), 0..300), corners in prop::collection::vec(any::<u8>(), 0..40)
    ) {
        let terms = Terms::new();
        let mut builder = Builder::new(&terms, &bytes, &corners);
        let pair = builder.bool(5);
        let read = printed_and_read(&terms, pair.term);
        let value = Evaluator::new(&terms, &builder.model).truth(read);
        prop_assert_eq!(value, Some(pair.value.bit(0)));
        prop_assert_eq!(read, pair.term);
    }
}

#[test]
fn arrays_functions_and_numbers_are_read_as_they_were() {
    let terms = Terms::new();
    let byte = Sort::BitVec(effigy_term::Width::W8);
    let memory = terms.array_sort(byte, byte);
    let (x, y) = (terms.input("x", byte), terms.input("a |strange\\ name", byte));
    let f = terms.function("f", &[byte, byte], Sort::Bool);
    let array = terms.store(terms.const_array(memory, x), y, terms.bv_add(x, y));
    let (n, m) = (terms.input("n", Sort::Int), terms.input("m", Sort::Int));
    let real = terms.real_div(terms.input("r", Sort::Real), terms.int_to_real(n));
    let sum = terms.int_sub(terms.int_mul(n, terms.int_mul(n, m)), terms.int(-7));
    let half = terms.real(num_rational::BigRational::new((-1).into(), 2.into()));
    let bound = terms.symbol("k", Sort::Int, SymbolKind::Bound);
    let k = terms.of_symbol(bound);
    let formulas = [
        terms.eq(terms.select(array, terms.bv_mul(x, x)), y),
        terms.eq(terms.input("memory", memory), array),
        terms.int_le(sum, terms.int_div(n, m)),
        terms.eq(terms.int_mod(n, terms.int(3)), m),
        terms.real_lt(real, half),
    ];
    for formula in formulas {
        assert_eq!(printed_and_read(&terms, formula), formula, "{}", math(&terms, formula));
    }
    // Functions and sorts have the names that the printer gave them.
    let sort = terms.uninterpreted_sort("T");
    let others = [
        (terms.apply(f, &[x, terms.bv_not(y)]), "f"),
        (terms.int_le(terms.int_pow(m, n), terms.int(5)), "int.pow"),
        (terms.eq(terms.input("t", sort), terms.input("u", sort)), "t"),
    ];
    for (formula, name) in others {
        let read = math(&terms, printed_and_read(&terms, formula));
        assert!(read.contains(name), "{read}");
    }
    let quantified = terms.forall(&[bound], &[], terms.exists(&[bound], &[], terms.int_le(k, n)));
    let read = asserted(&terms, &{
        let mut text = String::new();
        let name = SmtPrinter::new().define(&terms, quantified, &mut text);
        format!("{text}(assert {name})")
    });
    assert_eq!(terms.symbols(read).len(), 1, "only n is free");
}

#[test]
fn what_is_bound_is_not_captured() {
    let terms = Terms::new();
    let read = asserted(
        &terms,
        "(declare-const y Int)
         (define-fun some ((a Int)) Bool (exists ((x Int)) (< a x)))
         (assert (forall ((x Int)) (let ((y x)) (exists ((x Int)) (and (some y) (< x y))))))",
    );
    // With a capture `x < x` would make it false.
    assert_ne!(terms.as_bool(read), Some(false));
    assert!(terms.symbols(read).is_empty());
    let text = math(&terms, read);
    let variables: std::collections::BTreeSet<&str> =
        text.split(|it: char| !it.is_alphanumeric() && it != '~').filter(|it| it.starts_with("x~")).collect();
    assert_eq!(variables.len(), 3, "{text}");
}

#[test]
fn a_value_is_printed_so_that_it_is_read() {
    let terms = Terms::new();
    for (width, number) in [(1, 1u64), (3, 5), (8, 200), (64, u64::MAX), (70, 77)] {
        let width = effigy_term::Width::of(width);
        let value = Value::BitVec(effigy_term::BvValue::from_u64(width, number));
        let term = terms.of_value(Sort::BitVec(width), &value);
        let input = terms.input("v", Sort::BitVec(width));
        let equal = terms.eq(input, term);
        assert_eq!(printed_and_read(&terms, equal), equal);
    }
}

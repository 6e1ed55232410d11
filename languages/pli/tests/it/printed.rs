//! What is printed of a formula, typed again, is the formula: it has the same value, by arithmetic on `BigInt`.
//!
//! For each rule of precedence there are mutants: the same texts without one pair of parentheses. Of each kind that
//! occurs, some must have another value, or none.

use effigy_engine::{Context, Coverage, Inputs, Inspect, Language, Notes};
use effigy_pli::{Options, Program, compile};
use effigy_term::eval::Evaluator;
use effigy_term::{Model, Term, Terms, Value};
use effigy_testing::integers::Integers;
use num_bigint::BigInt;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use std::collections::BTreeMap;

/// A formula as it is printed, and its value: a condition is 0 or 1.
struct Case {
    text: String,
    model: Model,
    value: BigInt,
}

/// The language, asked as the debugger asks it.
struct Reader {
    terms: Terms,
    program: Program,
}

impl Reader {
    fn new() -> Reader {
        let code = compile("p.pli", "P: PROC;\n X = 1;\nEND;\n").unwrap_or_else(|it| panic!("{it}"));
        let program = Program::new(code, "P", Options::default()).unwrap_or_else(|it| panic!("{it}"));
        Reader { terms: Terms::new(), program }
    }

    fn cases(&self, count: u32) -> Vec<Case> {
        let mut runner = TestRunner::deterministic();
        let bytes = proptest::collection::vec(proptest::prelude::any::<u8>(), 0..60);
        let mut res = Vec::new();
        while res.len() < count as usize {
            let bytes = bytes.new_tree(&mut runner).expect("bytes can be drawn").current();
            let mut integers = Integers::new(&self.terms, &bytes);
            let (term, value) = match res.len() % 2 {
                0 => integers.number(3),
                _ => {
                    let (term, value) = integers.truth(3);
                    (term, BigInt::from(u8::from(value)))
                }
            };
            let text = self.program.show(&self.terms, term);
            if text.contains('…') || (text.len() < 12 && res.iter().any(|it: &Case| it.text == text)) {
                continue;
            }
            res.push(Case { text, model: integers.model, value });
        }
        res
    }

    fn read(&self, text: &str) -> Result<Term, String> {
        let (inputs, mut coverage, mut notes) = (Inputs::Symbolic, Coverage::default(), Notes::default());
        let mut ctx = Context::new(&self.terms, &inputs, &mut coverage, &mut notes);
        let state = self.program.start(&mut ctx);
        self.program.evaluate(&mut ctx, &state, text).map_err(|it| it.to_string())
    }

    /// The value of what is typed, where the divisors that it has there are not zero.
    fn value(&self, text: &str, model: &Model) -> Result<BigInt, String> {
        let term = self.read(text)?;
        match Evaluator::new(&self.terms, model).value(term) {
            Some(Value::Int(value)) => Ok(value),
            Some(Value::Bool(value)) => Ok(BigInt::from(u8::from(value))),
            other => Err(format!("{other:?}")),
        }
    }
}

#[test]
fn what_is_printed_can_be_typed() {
    let reader = Reader::new();
    for case in reader.cases(effigy_testing::cases(3_000)) {
        let value = reader.value(&case.text, &case.model);
        assert_eq!(value.as_ref(), Ok(&case.value), "{}", case.text);
    }
}

/// The signs of the language's operators as they are printed, the loosest first.
const OPERATORS: &[&str] =
    &[" ⊃ ", " | ", " & ", " = ", " ≠ ", " ≤ ", " ≥ ", " < ", " > ", " + ", " - ", "**", "*", "/"];

/// Where the parenthesis at the start of a text is closed.
fn closing(text: &str) -> usize {
    let mut depth = 0;
    let closes = text.char_indices().find(|it| {
        depth += i32::from(it.1 == '(') - i32::from(it.1 == ')');
        depth == 0
    });
    closes.expect("parentheses are closed").0
}

/// The loosest operator outside of all parentheses.
fn operator(text: &str) -> Option<&'static str> {
    let mut depth = 0;
    let mut outside = String::new();
    for it in text.chars() {
        depth += i32::from(it == '(') - i32::from(it == ')');
        outside.push(if depth == 0 { it } else { ' ' });
    }
    OPERATORS.iter().find(|it| outside.contains(**it)).map(|it| it.trim())
}

/// The text without one pair of parentheses, and the rule that this breaks: `+ in *`.
fn mutants(text: &str) -> Vec<(String, String)> {
    let mut res = Vec::new();
    for (open, _) in text.match_indices('(') {
        let close = open + closing(&text[open..]);
        let (before, inside, after) = (&text[..open], &text[open + 1..close], &text[close + 1..]);
        let beside = |it: &&&str| after.starts_with(**it) || before.ends_with(**it);
        let outer = if before.ends_with('¬') { Some("¬") } else { OPERATORS.iter().find(beside).map(|it| it.trim()) };
        if let (Some(inner), Some(outer)) = (operator(inside), outer)
            && !inside.starts_with("if ")
        {
            res.push((format!("{before}{inside}{after}"), format!("{inner} in {outer}")));
        }
    }
    res
}

/// Without the parentheses that a rule asks for, the property does not hold.
#[test]
fn each_rule_of_precedence_is_needed() {
    let reader = Reader::new();
    let mut found: BTreeMap<String, (u32, u32)> = BTreeMap::new();
    for case in reader.cases(1_500) {
        for (text, kind) in mutants(&case.text) {
            let entry = found.entry(kind).or_default();
            entry.0 += u32::from(reader.value(&text, &case.model).as_ref() != Ok(&case.value));
            entry.1 += 1;
        }
    }
    let expected =
        ["| in &", "⊃ in &", "& in ¬", "- in -", "+ in -", "- in /", "+ in /", "/ in *", "* in /", "/ in /", "/ in **"];
    for kind in expected {
        let (dead, all) = found.get(kind).copied().unwrap_or_default();
        assert!(dead > 0, "{kind}: none of {all} mutants has another value; {found:#?}");
    }
}

/// The examples of the reviews.
#[test]
fn examples() {
    let reader = Reader::new();
    for text in ["3*(\"N\"/2)", "3*\"N\"/2", "(\"N\" + 1)/2", "2*MOD(\"N\", 3)"] {
        let term = reader.read(text).unwrap_or_else(|it| panic!("{text}: {it}"));
        let printed = reader.program.show(&reader.terms, term);
        assert_eq!(reader.read(&printed), Ok(term), "{text} is printed as {printed}");
    }
    let of = |text| reader.program.show(&reader.terms, reader.read(text).expect("it can be read"));
    assert_eq!(of("3*(\"N\"/2)"), "3*(\"N\"/2)");
    assert_eq!(of("(3*\"N\")/2"), "3*\"N\"/2");
}

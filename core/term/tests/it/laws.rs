//! Each law of `laws.txt` by its name: both sides, once built, are one term. That what is built is right is the matter
//! of `construction.rs`.

use effigy_term::float::{FloatOp, Format, Rounding};
use effigy_term::{BvOp, BvValue, Rule, Sort, Term, Terms, Width};

/// Floats of 8 bits.
const SMALL: Format = match Format::new(4, 4) {
    Some(it) => it,
    None => panic!("a format"),
};

fn words(text: &str) -> Vec<String> {
    text.replace('(', " ( ").replace(')', " ) ").split_whitespace().map(str::to_owned).collect()
}

/// Builds one expression from the front of `words`.
fn build(terms: &Terms, words: &mut std::iter::Peekable<std::vec::IntoIter<String>>) -> Term {
    let word = words.next().expect("an expression");
    if word != "(" {
        return atom(terms, &word);
    }
    let op = words.next().expect("an operator");
    let number = |words: &mut std::iter::Peekable<std::vec::IntoIter<String>>| -> u32 {
        words.next().expect("a number").parse().expect("a number")
    };
    let numbers: Vec<u32> = match op.as_str() {
        "zext" | "sext" => vec![number(words)],
        "extract" => vec![number(words), number(words)],
        _ => Vec::new(),
    };
    let mut args = Vec::new();
    while words.peek().expect("a parenthesis") != ")" {
        args.push(build(terms, words));
    }
    words.next();
    let nearest = terms.rounding(Rounding::NearestEven);
    let bv = |op| terms.bv_op(op, args[0], args[1]);
    match op.as_str() {
        "not" => terms.not(args[0]),
        "and" => terms.and(args[0], args[1]),
        "or" => terms.or(args[0], args[1]),
        "=" => terms.eq(args[0], args[1]),
        "ite" => terms.ite(args[0], args[1], args[2]),
        "bvadd" => terms.bv_add(args[0], args[1]),
        "bvsub" => terms.bv_sub(args[0], args[1]),
        "bvneg" => terms.bv_neg(args[0]),
        "bvmul" => terms.bv_mul(args[0], args[1]),
        "bvnot" => terms.bv_not(args[0]),
        "bvand" => bv(BvOp::And),
        "bvor" => bv(BvOp::Or),
        "bvxor" => bv(BvOp::Xor),
        "bvshl" => bv(BvOp::Shl),
        "bvlshr" => bv(BvOp::LShr),
        "bvashr" => bv(BvOp::AShr),
        "bvudiv" => bv(BvOp::UDiv),
        "bvurem" => bv(BvOp::URem),
        "bvsdiv" => bv(BvOp::SDiv),
        "bvsrem" => bv(BvOp::SRem),
        "bvult" => terms.bv_ult(args[0], args[1]),
        "bvslt" => terms.bv_slt(args[0], args[1]),
        "concat" => terms.bv_concat(args[0], args[1]),
        "extract" => terms.bv_extract(numbers[0], numbers[1], args[0]),
        "zext" => terms.bv_zero_extend(Width::of(numbers[0]), args[0]),
        "sext" => terms.bv_sign_extend(Width::of(numbers[0]), args[0]),
        "either" => terms.either(args[0], args[1], args[2]),
        "+" => terms.int_add(args[0], args[1]),
        "-" => terms.int_sub(args[0], args[1]),
        "*" => terms.int_mul(args[0], args[1]),
        "<=" => terms.int_le(args[0], args[1]),
        "<" => terms.int_lt(args[0], args[1]),
        "quot" => terms.int_quot(args[0], args[1]),
        "rem" => terms.int_rem(args[0], args[1]),
        "div" => terms.int_div(args[0], args[1]),
        "mod" => terms.int_mod(args[0], args[1]),
        "pow" => terms.int_pow(args[0], args[1]),
        "select" => terms.select(args[0], args[1]),
        "store" => terms.store(args[0], args[1], args[2]),
        "fp.neg" => terms.float_neg(SMALL, args[0]),
        "fp.add" => terms.float(FloatOp::Add(SMALL), &[nearest, args[0], args[1]]),
        "fp.lt" => terms.float(FloatOp::Less(SMALL), &args),
        "fp.leq" => terms.float(FloatOp::LessOrEqual(SMALL), &args),
        "fp.eq" => terms.float(FloatOp::Equal(SMALL), &args),
        "fp.of" => terms.float(FloatOp::FromInteger { signed: true, from: Width::W8, to: SMALL }, &[nearest, args[0]]),
        "fp.same" => terms.float(FloatOp::Convert { from: SMALL, to: SMALL }, &[nearest, args[0]]),
        "const" => terms.const_array(bytes_by_bytes(terms), args[0]),
        _ => panic!("the operator {op} is not known"),
    }
}

fn bytes_by_bytes(terms: &Terms) -> Sort {
    terms.array_sort(Sort::BitVec(Width::W8), Sort::BitVec(Width::W8))
}

fn atom(terms: &Terms, word: &str) -> Term {
    if let Some(digits) = word.strip_prefix("#x") {
        let value = u64::from_str_radix(digits, 16).expect("hexadecimal digits");
        return terms.bv(BvValue::from_u64(Width::of(4 * digits.len() as u32), value));
    }
    if let Ok(value) = word.parse::<i64>() {
        return terms.int(value);
    }
    let sort = match word {
        "true" => return terms.bool(true),
        "false" => return terms.bool(false),
        "x" | "y" | "z" => Sort::BitVec(Width::W8),
        "p" | "q" => Sort::BitVec(Width::of(4)),
        "b" | "c" => Sort::Bool,
        "i" | "j" | "k" => Sort::Int,
        "a" => bytes_by_bytes(terms),
        _ => panic!("{word} is not known"),
    };
    terms.input(word, sort)
}

#[test]
fn every_law_holds_by_construction() {
    let mut names = std::collections::HashSet::new();
    let mut broken = Vec::new();
    for line in include_str!("../laws.txt").lines().filter(|it| !it.is_empty() && !it.starts_with('#')) {
        let (name, law) = line.split_once(':').expect("NAME: LEFT => RIGHT");
        let (left, right) = law.split_once("=>").expect("LEFT => RIGHT");
        assert!(names.insert(name), "two laws are called {name}");
        let terms = Terms::new();
        // The names first, so that handles do not depend on the side.
        for name in ["x", "y", "z", "p", "q", "b", "c", "i", "j", "k", "a"] {
            atom(&terms, name);
        }
        let (left, right) = (words(left), words(right));
        let found = build(&terms, &mut left.into_iter().peekable());
        let wanted = build(&terms, &mut right.into_iter().peekable());
        if found != wanted {
            let math = |it| effigy_term::print::math(&terms, it).to_string();
            broken.push(format!("{name}: {} is not {}", math(found), math(wanted)));
        }
    }
    assert!(names.len() > 100, "the laws are where they should be");
    assert!(broken.is_empty(), "\n{}", broken.join("\n"));
}

/// The laws by name, each with its left side.
fn laws() -> impl Iterator<Item = (&'static str, &'static str)> {
    let lines = include_str!("../laws.txt").lines().filter(|it| !it.is_empty() && !it.starts_with('#'));
    lines.map(|it| it.split_once(':').expect("NAME: LEFT => RIGHT"))
}

#[test]
fn every_rule_has_a_law_and_a_switch() {
    let uses = |rule: Rule, terms: &Terms| {
        let own = laws().filter(|it| it.0.starts_with(rule.name()));
        for (_, law) in own {
            build(terms, &mut words(law).into_iter().peekable());
        }
        terms.rules_used().iter().any(|it| it.0 == rule)
    };
    for rule in Rule::ALL {
        assert!(uses(*rule, &Terms::new()), "no law shows what {} does", rule.name());
        assert!(!uses(*rule, &Terms::without(&[*rule])), "{} is used where it is switched off", rule.name());
        assert_eq!(Rule::of_name(rule.name()), Some(*rule), "a rule has a name of its own");
    }
}

//! What is shown is what was there: a term in plain words has its value on all small values, and so has its text, which
//! is read again by a reader of its own.

use effigy_term::eval::Evaluator;
use effigy_term::plain::{by_cases, plain};
use effigy_term::print::math;
use effigy_term::value::ArrayValue;
use effigy_term::{Model, Sort, Symbol, SymbolKind, Term, Terms, Value};
use proptest::prelude::*;

/// A term of x, y (integers), p (a truth value) and an array, before it is built.
#[derive(Clone, Debug)]
enum Shape {
    X,
    Y,
    Number(i64),
    Sum(Box<Shape>, Box<Shape>, i64),
    /// An element of the array after two updates: index, index and value, index and value.
    Element(Box<[Shape; 5]>),
    Choice(Box<Cond>, Box<Shape>, Box<Shape>),
}

#[derive(Clone, Debug)]
enum Cond {
    P,
    AtMost(Box<Shape>, Box<Shape>),
    Equal(Box<Shape>, Box<Shape>),
    Not(Box<Cond>),
    And(Vec<Cond>),
    Or(Vec<Cond>),
    Choice(Box<[Cond; 3]>),
}

fn shapes() -> impl Strategy<Value = (Cond, Shape)> {
    let leaf = prop_oneof![Just(Shape::X), Just(Shape::Y), (-2_i64..=3).prop_map(Shape::Number)].boxed();
    (0..4_u8).prop_flat_map(move |depth| {
        let mut numbers = leaf.clone();
        let mut conds = Just(Cond::P).boxed();
        for _ in 0..=depth {
            let (n, c) = (numbers.clone(), conds.clone());
            let two = (n.clone(), n.clone());
            conds = prop_oneof![
                1 => c.clone(),
                3 => two.clone().prop_map(|(a, b)| Cond::AtMost(Box::new(a), Box::new(b))),
                3 => two.clone().prop_map(|(a, b)| Cond::Equal(Box::new(a), Box::new(b))),
                1 => c.clone().prop_map(|it| Cond::Not(Box::new(it))),
                2 => prop::collection::vec(c.clone(), 2..4).prop_map(Cond::And),
                2 => prop::collection::vec(c.clone(), 2..4).prop_map(Cond::Or),
                1 => [c.clone(), c.clone(), c.clone()].prop_map(|it| Cond::Choice(Box::new(it))),
            ]
            .boxed();
            numbers = prop_oneof![
                2 => n.clone(),
                2 => (n.clone(), n.clone(), -2_i64..=2).prop_map(|(a, b, k)| Shape::Sum(Box::new(a), Box::new(b), k)),
                1 => [n.clone(), n.clone(), n.clone(), n.clone(), n.clone()].prop_map(|it| Shape::Element(Box::new(it))),
                4 => (c, n.clone(), n).prop_map(|(c, a, b)| Shape::Choice(Box::new(c), Box::new(a), Box::new(b))),
            ]
            .boxed();
        }
        (conds, numbers)
    })
}

struct Words {
    terms: Terms,
    symbols: [Symbol; 4],
}

impl Words {
    fn new() -> Words {
        let terms = Terms::new();
        let array = terms.array_sort(Sort::Int, Sort::Int);
        let symbol = |name: &str, sort| terms.symbol(name, sort, SymbolKind::Input);
        let symbols = [symbol("x", Sort::Int), symbol("y", Sort::Int), symbol("p", Sort::Bool), symbol("a", array)];
        Words { terms, symbols }
    }

    fn number(&self, it: &Shape) -> Term {
        let terms = &self.terms;
        match it {
            Shape::X => terms.of_symbol(self.symbols[0]),
            Shape::Y => terms.of_symbol(self.symbols[1]),
            Shape::Number(it) => terms.int(*it),
            Shape::Sum(a, b, k) => terms.int_add(self.number(a), terms.int_mul(terms.int(*k), self.number(b))),
            Shape::Element(parts) => {
                let [at, i, v, j, w] = &**parts;
                let array = terms.store(terms.of_symbol(self.symbols[3]), self.number(i), self.number(v));
                terms.select(terms.store(array, self.number(j), self.number(w)), self.number(at))
            }
            Shape::Choice(c, a, b) => terms.ite(self.cond(c), self.number(a), self.number(b)),
        }
    }

    fn cond(&self, it: &Cond) -> Term {
        let terms = &self.terms;
        match it {
            Cond::P => terms.of_symbol(self.symbols[2]),
            Cond::AtMost(a, b) => terms.int_le(self.number(a), self.number(b)),
            Cond::Equal(a, b) => terms.eq(self.number(a), self.number(b)),
            Cond::Not(it) => terms.not(self.cond(it)),
            Cond::And(parts) => terms.and_all(parts.iter().map(|it| self.cond(it))),
            Cond::Or(parts) => terms.or_all(parts.iter().map(|it| self.cond(it))),
            Cond::Choice(parts) => {
                let [c, a, b] = &**parts;
                terms.ite(self.cond(c), self.cond(a), self.cond(b))
            }
        }
    }

    /// Every model of small values; the array is `a[i] = i·i` and 1 beyond.
    fn models(&self) -> Vec<(i64, i64, bool, Model)> {
        let mut res = Vec::new();
        for x in -3..=3 {
            for y in -3..=3 {
                for p in [false, true] {
                    let mut model = Model::default();
                    model.set(self.symbols[0], Value::Int(x.into()));
                    model.set(self.symbols[1], Value::Int(y.into()));
                    model.set(self.symbols[2], Value::Bool(p));
                    let entries = (-9..9_i64).map(|i| (Value::Int(i.into()), Value::Int((i * i).into()))).collect();
                    let array = ArrayValue { default: Value::Int(1.into()), entries };
                    model.set(self.symbols[3], Value::Array(array.into()));
                    res.push((x, y, p, model));
                }
            }
        }
        res
    }
}

/// Reads a formula of `math` and evaluates it; truth is 0 and 1.
struct Reader<'a> {
    rest: &'a str,
    x: i64,
    y: i64,
    p: bool,
}

impl Reader<'_> {
    fn eats(&mut self, text: &str) -> bool {
        let rest = self.rest.strip_prefix(text);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn or(&mut self) -> i64 {
        let mut res = self.and();
        while self.eats(" ∨ ") {
            res |= self.and();
        }
        assert!(!self.rest.starts_with(" ∧ "), "`∧` and `∨` mixed without parentheses: {}", self.rest);
        res
    }

    fn and(&mut self) -> i64 {
        let mut res = self.comparison();
        while self.eats(" ∧ ") {
            res &= self.comparison();
        }
        res
    }

    fn comparison(&mut self) -> i64 {
        let mut left = self.sum();
        let mut truth = None;
        loop {
            let signs = [" ≤ ", " < ", " ≥ ", " > ", " = ", " ≠ "];
            let Some(sign) = signs.into_iter().find(|it| self.eats(it)) else { return truth.unwrap_or(left) };
            let right = self.sum();
            let holds = match sign.trim() {
                "≤" => left <= right,
                "<" => left < right,
                "≥" => left >= right,
                ">" => left > right,
                "=" => left == right,
                _ => left != right,
            };
            truth = Some(truth.unwrap_or(1) & i64::from(holds));
            left = right;
        }
    }

    fn sum(&mut self) -> i64 {
        let mut res = self.product();
        loop {
            match () {
                () if self.eats(" + ") => res += self.product(),
                () if self.eats(" − ") => res -= self.product(),
                () => return res,
            }
        }
    }

    fn product(&mut self) -> i64 {
        let sign = if self.eats("−") { -1 } else { 1 };
        let mut res = self.atom();
        while self.eats("·") {
            res *= self.atom();
        }
        sign * res
    }

    fn atom(&mut self) -> i64 {
        match () {
            () if self.eats("¬") => 1 - self.atom(),
            () if self.eats("abs(") => {
                let res = self.or().abs();
                assert!(self.eats(")"), "{}", self.rest);
                res
            }
            () if self.eats("(") => {
                let mut res = self.or();
                if self.eats(" ? ") {
                    let then = self.or();
                    assert!(self.eats(" : "), "{}", self.rest);
                    let other = self.or();
                    res = if res == 1 { then } else { other };
                }
                assert!(self.eats(")"), "{}", self.rest);
                res
            }
            () if self.eats("true") => 1,
            () if self.eats("false") => 0,
            () if self.eats("x") => self.x,
            () if self.eats("y") => self.y,
            () if self.eats("p") => i64::from(self.p),
            () => {
                let end = self.rest.find(|it: char| !it.is_ascii_digit()).unwrap_or(self.rest.len());
                let number = self.rest[..end].parse().unwrap_or_else(|_| panic!("a number: {}", self.rest));
                self.rest = &self.rest[end..];
                number
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, ..ProptestConfig::default() })]

    #[test]
    fn plain_terms_have_the_value_of_what_they_say(of in shapes(), known in shapes()) {
        let words = Words::new();
        let (terms, known) = (&words.terms, words.cond(&known.0));
        for term in [words.cond(&of.0), words.number(&of.1)] {
            let (alone, under) = (plain(terms, term, &[]), plain(terms, term, &[known]));
            let cases = by_cases(terms, term);
            let text = math(terms, alone);
            let readable = !text.contains(['…', '[']);
            for (x, y, p, model) in words.models() {
                let mut evaluator = Evaluator::new(terms, &model);
                let value = evaluator.value(term);
                prop_assert!(value.is_some());
                prop_assert_eq!(&value, &evaluator.value(alone), "{} of {}", &text, math(terms, term));
                prop_assert_eq!(&value, &evaluator.value(cases));
                if evaluator.truth(known) == Some(true) {
                    prop_assert_eq!(&value, &evaluator.value(under), "under {}", math(terms, known));
                }
                if readable {
                    let mut reader = Reader { rest: &text, x, y, p };
                    let read = reader.or();
                    prop_assert_eq!(reader.rest, "", "{}", &text);
                    let expected = match value {
                        Some(Value::Int(it)) => i64::try_from(it).unwrap_or(i64::MAX),
                        Some(Value::Bool(it)) => i64::from(it),
                        _ => i64::MIN,
                    };
                    prop_assert_eq!(read, expected, "{}", &text);
                }
            }
        }
    }
}

#[test]
fn conditional_values_are_told_without_what_their_own_conditions_decide() {
    let words = Words::new();
    let terms = &words.terms;
    let [x, y, p, a] = words.symbols.map(|it| terms.of_symbol(it));
    let int = |it: i64| terms.int(it);
    let text = |it| math(terms, plain(terms, it, &[]));
    let same = terms.eq(x, y);
    // F7 of the review: what a condition decides within itself, a number that is known, a table.
    assert_eq!(text(terms.eq(terms.ite(same, int(2), int(1)), int(1))), "x ≠ y");
    let inner = terms.ite(terms.eq(y, x), int(2), int(1));
    assert_eq!(text(terms.ite(same, terms.int_add(inner, int(1)), int(2))), "(x = y ? 3 : 2)");
    let table = |at: &[i64]| {
        at.iter().zip(0..).fold(int(0), |rest, (value, at)| terms.ite(terms.eq(x, int(at)), int(*value), rest))
    };
    assert_eq!(text(terms.eq(table(&[3, 7, 7, 1]), int(7))), "x = 1 ∨ x = 2");
    assert_eq!(text(terms.int_add(table(&[3, 3]), terms.int_mul(int(10), table(&[4, 4])))), "(x = 0 ∨ x = 1 ? 43 : 0)");
    // An element of an array: by cases where none is left.
    let array = terms.store(terms.store(a, x, int(1)), y, int(2));
    assert_eq!(text(terms.eq(terms.select(array, x), int(1))), "x ≠ y");
    assert_eq!(text(terms.select(array, x)), "a[x := 1][y := 2][x]");
    let size = terms.ite(terms.int_le(x, int(-1)), terms.int_neg(x), x);
    assert_eq!(text(terms.int_lt(int(2), size)), "abs(x) > 2");
    // Connectives: parts under one another, negations inwards.
    assert_eq!(text(terms.not(terms.or(terms.eq(x, int(1)), p))), "x ≠ 1 ∧ ¬p");
    assert_eq!(text(terms.and(terms.int_le(int(2), x), terms.or(terms.int_le(int(1), x), p))), "x > 1");
}

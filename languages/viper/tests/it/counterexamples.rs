//! The values that are printed of a call that fails are the caller's, and satisfy what the caller assumes.
//!
//! Knows: random callers and callees over integers, and what their conditions are on numbers. Never: terms.

use effigy_programs::{cases, verification};
use effigy_verify::{Config, Failure, Verdict, members, verify};
use effigy_viper::{NoImports, read};
use std::collections::BTreeMap;

/// The names of parameters: a callee's are a caller's too, in another order.
const NAMES: [&str; 3] = ["i", "j", "k"];

/// Knuth's generator; its high bits are the better ones.
struct Random(u64);

impl Random {
    fn below(&mut self, count: i64) -> i64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as i64 % count
    }
}

type Values = BTreeMap<String, i64>;

/// `a·x + b·y + c`.
struct Sum {
    parts: Vec<(i64, &'static str)>,
    constant: i64,
}

impl Sum {
    fn random(random: &mut Random) -> Sum {
        let parts = (0..1 + random.below(2)).map(|_| (random.below(5) - 2, NAMES[random.below(3) as usize])).collect();
        Sum { parts, constant: random.below(21) - 10 }
    }

    fn text(&self) -> String {
        let parts = self.parts.iter().map(|(factor, name)| format!("({factor}) * {name} + "));
        format!("({}({}))", parts.collect::<String>(), self.constant)
    }

    /// `None` where a value is not known.
    fn value(&self, values: &Values) -> Option<i64> {
        self.parts.iter().try_fold(self.constant, |sum, (factor, name)| Some(sum + factor * values.get(*name)?))
    }
}

/// A comparison of sums.
struct Comparison {
    left: Sum,
    operator: &'static str,
    right: Sum,
}

impl Comparison {
    fn random(random: &mut Random) -> Comparison {
        let operator = ["<", "<=", ">", ">=", "==", "!="][random.below(6) as usize];
        Comparison { left: Sum::random(random), operator, right: Sum::random(random) }
    }

    fn text(&self) -> String {
        format!("{} {} {}", self.left.text(), self.operator, self.right.text())
    }

    fn truth(&self, values: &Values) -> Option<bool> {
        let (left, right) = (self.left.value(values)?, self.right.value(values)?);
        Some(match self.operator {
            "<" => left < right,
            "<=" => left <= right,
            ">" => left > right,
            ">=" => left >= right,
            "==" => left == right,
            _ => left != right,
        })
    }
}

/// A caller of something that asks for more than the caller is sure of.
struct Case {
    text: String,
    /// What the caller requires.
    required: Vec<Comparison>,
    /// The condition of the branch in which the call stands.
    branch: Comparison,
    arguments: Vec<Sum>,
    /// What the callee requires, in words of its own.
    asked: Comparison,
}

fn case(random: &mut Random) -> Case {
    let required: Vec<Comparison> = (0..1 + random.below(2)).map(|_| Comparison::random(random)).collect();
    let (branch, asked) = (Comparison::random(random), Comparison::random(random));
    let arguments: Vec<Sum> = (0..3).map(|_| Sum::random(random)).collect();
    let requires: String = required.iter().map(|it| format!("  requires {}\n", it.text())).collect();
    let given = arguments.iter().map(Sum::text).collect::<Vec<_>>().join(", ");
    let (declared, call) = match random.below(3) {
        0 => ("method callee(i: Int, j: Int, k: Int)", format!("callee({given})")),
        1 => ("function callee(i: Int, j: Int, k: Int): Int", format!("r := callee({given})")),
        _ => ("function callee(i: Int, j: Int, k: Int): Int", format!("assert callee({given}) == callee({given})")),
    };
    let text = format!(
        "{declared}\n  requires {}\nmethod caller(k: Int, i: Int, j: Int) returns (r: Int)\n{requires}{{\n  if ({}) {{ {call} }}\n}}\n",
        asked.text(),
        branch.text(),
    );
    Case { text, required, branch, arguments, asked }
}

impl Case {
    /// What is wrong with the values of a failure.
    fn fault(&self, failure: &Failure) -> Option<String> {
        let mut values = Values::new();
        for (name, value) in &failure.counterexample {
            if !["i", "j", "k", "r"].contains(&&**name) {
                return Some(format!("the caller has no {name}"));
            }
            values.insert(name.to_string(), value.parse().ok()?);
        }
        let assumed = self.required.iter().chain([&self.branch]);
        if let Some(wrong) = assumed.into_iter().find(|it| it.truth(&values) == Some(false)) {
            return Some(format!("{} does not hold", wrong.text()));
        }
        let given: Option<Vec<i64>> = self.arguments.iter().map(|it| it.value(&values)).collect();
        let inside: Values = NAMES.iter().map(|it| (*it).to_owned()).zip(given?).collect();
        (self.asked.truth(&inside) == Some(true)).then(|| "what is asked for holds".to_owned())
    }
}

#[test]
fn values_of_failing_calls_are_the_callers() {
    let mut random = Random(20261127);
    let (mut failed, mut complete, mut branched) = (0, 0, 0);
    for _ in 0..cases(150) {
        let case = case(&mut random);
        let program =
            read("test.vpr", &case.text, &mut NoImports).unwrap_or_else(|it| panic!("{}\n{}", it[0], case.text));
        let config = Config { trace: false, ..verification::config(20_000, 1_000_000, verification::VIPER) };
        for member in members(&program) {
            let Verdict::Failed(failures) = verify(&program, member, &config).verdict else { continue };
            for failure in &failures {
                failed += 1;
                // Some conditions are constant.
                branched += usize::from(failure.branches.len() == 1);
                complete += usize::from(failure.counterexample.iter().any(|it| NAMES.contains(&&*it.0)));
                if let Some(fault) = case.fault(failure) {
                    panic!("{fault}: {:?}\n{}", failure.counterexample, case.text);
                }
            }
        }
    }
    // Most of them fail, and most of those have values, and the branch.
    let told = format!("{failed} failed, {complete} with values, {branched} with a branch");
    assert!(failed * 3 > cases(150) as usize && complete * 2 > failed && branched * 2 > failed, "{told}");
}

/// The values, and how many branches there are, of the failures of a member.
fn told(text: &str, name: &str) -> Vec<(Vec<(String, String)>, usize)> {
    let program = read("test.vpr", text, &mut NoImports).unwrap_or_else(|it| panic!("{}", it[0]));
    let config = verification::config(20_000, 1_000_000, verification::VIPER);
    let mut all = members(&program).into_iter();
    let member = all.find(|it| **effigy_programs::mutation::name(&program, *it) == *name).expect("the member");
    let Verdict::Failed(failures) = verify(&program, member, &config).verdict else { panic!("{name} did not fail") };
    let of = |it: &Failure| {
        (it.counterexample.iter().map(|it| (it.0.to_string(), it.1.clone())).collect(), it.branches.len())
    };
    failures.iter().map(of).collect()
}

#[test]
fn a_method_that_calls_itself_is_told_by_its_own_values() {
    let text = "method m(i: Int) requires i > 5 { if (i < 30) { m(i - 17) } }";
    let [(values, 1)] = &told(text, "m")[..] else { panic!("one failure on one branch") };
    let [(name, value)] = &values[..] else { panic!("{values:?}") };
    let value: i64 = value.parse().expect("a number");
    assert!(name == "i" && value > 5 && value < 30 && value - 17 <= 5, "{value}");
}

#[test]
fn a_missing_permission_of_a_function_is_told_with_its_branches() {
    let text = "field v: Int field n: Ref
predicate inv(s: Ref) { acc(s.v) && acc(s.n) && (s.n != null ==> inv(s.n)) }
function at(a: Ref, j: Int): Int requires inv(a)
method m(s: Ref, i: Int) returns (r: Int) requires inv(s)
{ unfold inv(s)  if (i == 0) { r := s.v } else { r := at(s.n, i - 1) } }";
    let [(values, branches)] = &told(text, "m")[..] else { panic!("one failure") };
    assert!(*branches >= 1, "{branches}");
    for (name, value) in values {
        assert!(["s", "i", "r", "s.v", "s.n"].contains(&&**name), "{name}");
        assert!(name != "i" || value != "0", "i = 0");
        assert!(name != "s" || value != "null", "s = null");
    }
}

//! Pure methods that verify terminate: random ones that call each other are evaluated on small heaps.
//!
//! Knows: how such methods are evaluated, calls within calls. Never: permissions, which are the verifier's question.

use super::verdicts::outcomes;
use effigy_oo::read;
use effigy_programs::{cases, verification};
use effigy_verify::Verdict;

/// Knuth's generator; its high bits are the better ones.
struct Random(u64);

impl Random {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % count
    }

    fn one<'s>(&mut self, of: &[&'s str]) -> &'s str {
        of[self.below(of.len())]
    }
}

/// Preconditions, each with predicates that can be opened under it, one inside of the other.
const PRECONDITIONS: [(&str, &[&str]); 11] = [
    ("p()", &["p()"]),
    ("acc(v)", &[]),
    ("w()", &["w()", "w() p()"]),
    ("l()", &["l()", "l()"]),
    ("true", &[]),
    ("p() * e()", &["p()", "e()"]),
    ("p() * y ≠ null * y.p()", &["p()", "y.p()"]),
    ("acc(v) * y ≠ null * acc(y.v)", &[]),
    ("l() * y ≠ null * y.l()", &["l()", "y.l()"]),
    ("w() * y ≠ null * y.w()", &["w()", "y.w()"]),
    ("y ≠ null * y.p()", &["y.p()"]),
];

/// A body.
enum Body {
    Number(i64),
    /// Method, receiver and argument: `this`, `y` or `n`.
    Call(usize, &'static str, &'static str),
    Sum(Box<Body>, Box<Body>),
    /// `this = y` or `n = null`.
    Cond(&'static str, Box<Body>, Box<Body>),
    Opening(&'static str, Box<Body>),
    Using(Box<Body>, Box<Body>),
}

struct Method {
    precondition: &'static str,
    /// A call in the precondition, and what it must be.
    needed: Option<(Body, i64)>,
    body: Body,
}

fn body(random: &mut Random, depth: u32, methods: usize, is_list: bool) -> Body {
    let inner = |random: &mut Random| Box::new(body(random, depth.saturating_sub(1), methods, is_list));
    match random.below(20) {
        0..5 => Body::Number(random.below(3) as i64),
        5..12 => {
            let places: &[&str] = if is_list { &["n", "n", "n", "this", "y"] } else { &["this", "this", "y"] };
            Body::Call(random.below(methods), random.one(places), random.one(&places[places.len() - 2..]))
        }
        _ if depth == 0 => Body::Number(0),
        12..16 => Body::Sum(inner(random), inner(random)),
        16..19 => {
            let cond = if is_list && random.below(5) > 0 { "n = null" } else { "this = y" };
            Body::Cond(cond, inner(random), inner(random))
        }
        _ => Body::Using(Box::new(Body::Call(random.below(methods), "this", "y")), inner(random)),
    }
}

fn methods(random: &mut Random) -> Vec<Method> {
    let count = 1 + random.below(3);
    let common = random.below(PRECONDITIONS.len());
    let method = |random: &mut Random| {
        let at = if random.below(2) == 0 { common } else { random.below(PRECONDITIONS.len()) };
        let (precondition, opened) = PRECONDITIONS[at];
        let depth = 1 + random.below(3) as u32;
        let mut body = body(random, depth, count, precondition.starts_with('l'));
        if !opened.is_empty() && random.below(5) < 3 {
            for it in random.one(opened).split(' ').rev() {
                body = Body::Opening(it, Box::new(body));
            }
        }
        let needed =
            (random.below(7) == 0).then(|| (Body::Call(random.below(count), "this", "y"), random.below(2) as i64));
        Method { precondition, needed, body }
    };
    (0..count).map(|_| method(random)).collect()
}

impl Body {
    fn text(&self) -> String {
        match self {
            Body::Number(it) => it.to_string(),
            Body::Call(method, receiver, argument) => format!("{receiver}.f{method}({argument})"),
            Body::Sum(left, right) => format!("({} + {})", left.text(), right.text()),
            Body::Cond(cond, then, other) => format!("({cond} ? {} : {})", then.text(), other.text()),
            Body::Opening(predicate, body) => format!("(opening {predicate} in {})", body.text()),
            Body::Using(call, body) => format!("(using {} in {})", call.text(), body.text()),
        }
    }
}

fn text(methods: &[Method]) -> String {
    let mut res = "class T { int v; T n;
  predicate p() { return acc(v); }
  predicate w() { return p(); }
  predicate e() { return true; }
  predicate l() { return acc(v) * acc(n) * (n ≠ null ⇒ n.l()); }\n"
        .to_owned();
    for (at, method) in methods.iter().enumerate() {
        let needed = method.needed.as_ref().map_or(String::new(), |it| format!(" * {} = {}", it.0.text(), it.1));
        let (precondition, body) = (method.precondition, method.body.text());
        res.push_str(&format!("  pure int f{at}(T y) requires {precondition}{needed}; {{ return {body}; }}\n"));
    }
    res + "}\n"
}

/// Why there is no value.
enum NoValue {
    /// A method is called while it is evaluated, for the same objects.
    Circle,
    /// The precondition does not hold.
    Undefined,
}

type Object = Option<usize>;

/// Methods on a heap: the `n` of each object.
struct Heap<'m> {
    methods: &'m [Method],
    next: &'m [Object],
}

impl Heap<'_> {
    fn call(&self, call: (usize, Object, Object), around: &mut Vec<(usize, Object, Object)>) -> Result<i64, NoValue> {
        if around.contains(&call) {
            return Err(NoValue::Circle);
        }
        let (method, this, y) = (&self.methods[call.0], call.1, call.2);
        if this.is_none() || (y.is_none() && method.precondition.contains("y ≠ null")) {
            return Err(NoValue::Undefined);
        }
        around.push(call);
        if let Some((needed, expected)) = &method.needed
            && self.value(needed, this, y, around)? != *expected
        {
            return Err(NoValue::Undefined);
        }
        let res = self.value(&method.body, this, y, around);
        around.pop();
        res
    }

    fn value(
        &self,
        body: &Body,
        this: Object,
        y: Object,
        around: &mut Vec<(usize, Object, Object)>,
    ) -> Result<i64, NoValue> {
        let next = this.and_then(|it| self.next[it]);
        let place = |name: &str| match name {
            "this" => this,
            "y" => y,
            _ => next,
        };
        match body {
            Body::Number(it) => Ok(*it),
            Body::Call(method, receiver, argument) => self.call((*method, place(receiver), place(argument)), around),
            Body::Sum(left, right) => Ok(self.value(left, this, y, around)? + self.value(right, this, y, around)?),
            Body::Cond(cond, then, other) => {
                let holds = if *cond == "this = y" { this == y } else { next.is_none() };
                self.value(if holds { then } else { other }, this, y, around)
            }
            Body::Opening(_, body) => self.value(body, this, y, around),
            Body::Using(call, body) => {
                self.value(call, this, y, around)?;
                self.value(body, this, y, around)
            }
        }
    }

    /// Whether two lists can be held at once.
    fn are_apart(&self, left: Object, right: Object) -> bool {
        let list = |start: Object| std::iter::successors(start, |it| self.next[*it]);
        list(left).all(|it| list(right).all(|other| it != other))
    }
}

#[test]
fn pure_methods_that_verify_terminate() {
    let mut random = Random(3);
    let (mut all_verified, total) = (0, cases(150) as usize);
    for _ in 0..total {
        let methods = methods(&mut random);
        let text = text(&methods);
        // Contracts that need themselves are errors.
        let Ok(reading) = read("test.oo", &text) else { continue };
        if !outcomes(&reading, verification::ALL).iter().all(|it| matches!(it.verdict, Verdict::Verified)) {
            continue;
        }
        all_verified += 1;
        for next in [&[Some(1), None][..], &[None, None], &[Some(1), Some(2), None]] {
            let heap = Heap { methods: &methods, next };
            let objects = || (0..next.len()).map(Some);
            for (method, this, y) in (0..methods.len())
                .flat_map(|method| objects().map(move |this| (method, this)))
                .flat_map(|(method, this)| objects().chain([None]).map(move |y| (method, this, y)))
            {
                if methods[method].precondition.contains("y.l()") && this != y && !heap.are_apart(this, y) {
                    continue;
                }
                if let Err(NoValue::Circle) = heap.call((method, this, y), &mut Vec::new()) {
                    panic!("f{method} of {this:?} and {y:?} does not end on {next:?}\n{text}");
                }
            }
        }
    }
    assert!(all_verified * 12 > total, "{all_verified} of {total} verify");
}

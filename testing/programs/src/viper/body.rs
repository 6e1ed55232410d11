//! Methods: contracts and bodies.

use super::Source;
use super::abstract_state::{AbstractState, FULL, Held, Object};
use std::collections::BTreeMap;

/// The names of the integer fields.
const INTS: [&str; 2] = ["f", "g"];
/// The names of all fields.
const FIELDS: [&str; 3] = ["f", "g", "n"];

/// What a caller must know of a method.
#[derive(Clone, Debug)]
pub(crate) struct Contract {
    name: String,
    /// What it asks for of its references `x` and `y`.
    asks: [Held; 2],
    /// Whether the condition of its precondition is on `i`.
    positive: bool,
    /// Pure preconditions beside, over its parameters.
    conditions: Vec<String>,
    /// What it gives back of them.
    gives: [Held; 2],
    /// The value of `r` over `i` and `j`.
    result: Option<String>,
}

/// Writes the body of one method.
pub(crate) struct Writer<'s, 'b> {
    source: &'s mut Source<'b>,
    callees: &'s [Contract],
    known: AbstractState,
    lines: Vec<String>,
    depth: usize,
    names: usize,
    /// Blocks around the current one.
    nested: usize,
}

impl<'s, 'b> Writer<'s, 'b> {
    pub(crate) fn new(source: &'s mut Source<'b>, callees: &'s [Contract]) -> Self {
        Writer { source, callees, known: AbstractState::default(), lines: Vec::new(), depth: 1, names: 0, nested: 0 }
    }

    fn line(&mut self, text: &str) {
        self.lines.push(format!("{}{text}", "  ".repeat(self.depth)));
    }

    fn fresh(&mut self, name: &str) -> String {
        self.names += 1;
        format!("{name}{}", self.names)
    }

    /// The text of a method, and what callers must know.
    pub(crate) fn method(mut self, name: &str) -> (String, Contract) {
        let mut conditions = Vec::new();
        let mut pre = Vec::new();
        let positive = self.source.once_in(4);
        for variable in ["x", "y"] {
            let object = self.known.object();
            self.known.refs.insert(variable.to_owned(), object);
            let held = self.asked();
            pre.extend(permissions(variable, &held));
            self.known.held.insert(object, held);
        }
        for variable in ["i", "j"] {
            self.known.ints.insert(variable.to_owned(), Some(variable.to_owned()));
        }
        self.known.ints.insert("r".to_owned(), None);
        if positive {
            pre.push("i > 0".to_owned());
        }
        if self.source.once_in(3) {
            conditions.push(self.condition_on_parameters());
        }
        pre.extend(conditions.iter().cloned());
        for (variable, field) in self.known.locations(&INTS, 1) {
            let object = self.known.refs[&variable];
            self.known.values.insert((object, field), format!("old({variable}.{field})"));
        }
        let start = self.known.clone();
        let asks = [start.held("x"), start.held("y")];
        let count = 2 + self.source.below(7);
        self.statements(count);
        if self.source.below(3) > 0 {
            let (text, value) = self.integer(1);
            self.line(&format!("r := {text}"));
            self.known.ints.insert("r".to_owned(), value);
        }
        let gives = [self.given("x"), self.given("y")];
        let mut post: Vec<String> = Vec::new();
        post.extend(permissions("x", &gives[0]));
        post.extend(permissions("y", &gives[1]));
        let result = self.known.ints["r"].clone().filter(|it| !it.contains("old"));
        if let Some(value) = self.known.ints["r"].clone()
            && gives_old(&value, &asks)
        {
            let value = self.perhaps_wrong(value);
            post.push(format!("r == {value}"));
        }
        for (at, variable) in ["x", "y"].into_iter().enumerate() {
            for field in INTS {
                let value = self.known.value(variable, field).cloned();
                if let (true, Some(value)) = (gives[at].of(field) > 0, value) {
                    let value = self.perhaps_wrong(value);
                    post.push(format!("{variable}.{field} == {value}"));
                }
            }
        }
        let mut text = format!("method {name}(x: Ref, y: Ref, i: Int, j: Int) returns (r: Int)\n");
        write_contract(&mut text, "requires", &pre);
        write_contract(&mut text, "ensures", &post);
        text.push_str(&format!("{{\n{}\n}}\n", self.lines.join("\n")));
        (text, Contract { name: name.to_owned(), asks, positive, conditions, gives, result })
    }

    /// What a method asks for of an object.
    fn asked(&mut self) -> Held {
        let mut res = Held::default();
        match self.source.below(8) {
            0 => {}
            1 => res.predicates.push("cell"),
            2 => res.predicates.push("half"),
            3 => res.predicates.push("list"),
            _ => {
                for field in FIELDS {
                    let amount = [FULL, 0, FULL, 3, 2, 4][self.source.below(6)];
                    if amount > 0 {
                        res.fields.insert(field, amount);
                    }
                }
            }
        }
        res
    }

    /// What is left of a parameter's resources, or a part of it.
    fn given(&mut self, variable: &str) -> Held {
        let mut res = self.known.held(variable);
        if self.source.once_in(12) {
            res.predicates.clear();
        }
        if self.source.once_in(12) {
            res.fields.values_mut().for_each(|it| *it = (*it).min(3));
        }
        res.fields.retain(|_, it| *it > 0);
        res
    }

    fn condition_on_parameters(&mut self) -> String {
        let choices = ["x != y", "i >= 0", "i < j", "i == j", "x == y", "x != null", "y != null", "j != 0"];
        self.source.one(&choices).to_owned()
    }

    fn perhaps_wrong(&mut self, value: String) -> String {
        if self.source.once_in(14) { format!("{value} + 1") } else { value }
    }

    // Expressions.

    /// An integer with its value, if that is known.
    fn integer(&mut self, depth: usize) -> (String, Option<String>) {
        let locations = self.known.locations(&INTS, 1);
        let predicates = self.known.predicates();
        match self.source.below(8) {
            0 => {
                let value = ["0", "1", "2", "3", "-1"][self.source.below(5)].to_owned();
                (value.clone(), Some(value))
            }
            1 | 2 => {
                let all: Vec<(String, Option<String>)> = self.known.ints.clone().into_iter().collect();
                let (name, value) = all[self.source.below(all.len())].clone();
                (name, value)
            }
            3 | 4 if !locations.is_empty() => {
                let (variable, field) = locations[self.source.below(locations.len())].clone();
                (format!("{variable}.{field}"), self.known.value(&variable, field).cloned())
            }
            5 if !predicates.is_empty() => {
                let (variable, predicate) = predicates[self.source.below(predicates.len())].clone();
                let text = match (predicate, self.source.below(2)) {
                    ("cell", 0) => format!("get({variable})"),
                    ("cell", _) => format!("(unfolding cell({variable}) in {variable}.f)"),
                    ("half", 0) => format!("peek({variable})"),
                    ("half", _) => format!("(unfolding half({variable}) in {variable}.g)"),
                    _ => format!("sum({variable})"),
                };
                (text, None)
            }
            _ if depth > 0 => {
                let (a, a_value) = self.integer(depth - 1);
                let (b, b_value) = self.integer(depth - 1);
                let op = ["+", "-", "+", "*"][self.source.below(4)];
                let both = |a: &str, b: &str| format!("({a} {op} {b})");
                (both(&a, &b), a_value.zip(b_value).map(|(a, b)| both(&a, &b)))
            }
            _ => ("i".to_owned(), Some("i".to_owned())),
        }
    }

    fn reference(&mut self) -> String {
        let all: Vec<String> = self.known.refs.keys().cloned().collect();
        all[self.source.below(all.len())].clone()
    }

    fn condition(&mut self) -> String {
        if self.source.once_in(3) {
            let (a, b) = (self.reference(), self.reference());
            let op = self.source.one(&["==", "!="]);
            return format!("{a} {op} {}", if self.source.once_in(3) { "null".to_owned() } else { b });
        }
        let (a, b) = (self.integer(0).0, self.integer(1).0);
        let op = self.source.one(&["<", ">=", "==", "!=", ">"]);
        format!("{a} {op} {b}")
    }

    // Statements.

    fn statements(&mut self, count: usize) {
        for _ in 0..count {
            self.statement();
        }
    }

    fn statement(&mut self) {
        let writable = self.known.locations(&INTS, if self.source.once_in(25) { 1 } else { FULL });
        match self.source.below(18) {
            0..=2 => self.assertion(),
            3..=6 if !writable.is_empty() => {
                let (variable, field) = writable[self.source.below(writable.len())].clone();
                let (text, value) = self.integer(1);
                self.line(&format!("{variable}.{field} := {text}"));
                self.known.write(&variable, field, value);
            }
            7 => {
                let name = self.fresh("a");
                let (text, value) = self.integer(2);
                self.line(&format!("var {name}: Int := {text}"));
                self.known.ints.insert(name, value);
            }
            8 => self.new_object(),
            9 | 10 => self.ghost(),
            11 if self.nested < 2 => self.conditional(),
            12 if self.nested < 2 => self.looping(),
            13 | 14 if !self.callees.is_empty() => self.call(),
            15 => self.link(),
            16 if self.source.once_in(2) => self.exhale(),
            16 => {
                let condition = self.condition();
                self.line(&format!("assume {condition}"));
            }
            _ => {
                let name = self.fresh("z");
                let from = self.reference();
                self.line(&format!("var {name}: Ref := {from}"));
                let object = self.known.refs[&from];
                self.known.refs.insert(name, object);
            }
        }
    }

    /// Mostly something that is so.
    fn assertion(&mut self) {
        let ints: Vec<(String, String)> =
            self.known.ints.iter().filter_map(|(name, value)| Some((name.clone(), value.clone()?))).collect();
        let locations = self.known.locations(&INTS, 1);
        let text = match self.source.below(6) {
            0 | 1 if !locations.is_empty() => {
                let (variable, field) = locations[self.source.below(locations.len())].clone();
                match self.known.value(&variable, field).cloned() {
                    Some(value) => format!("{variable}.{field} == {}", self.perhaps_wrong(value)),
                    None => format!("{variable} != null"),
                }
            }
            2 | 3 if !ints.is_empty() => {
                let (name, value) = ints[self.source.below(ints.len())].clone();
                format!("{name} == {}", self.perhaps_wrong(value))
            }
            4 => {
                // Those that hold too much together are not the same.
                let all = self.known.locations(&FIELDS, 1);
                let apart = all.iter().flat_map(|a| all.iter().map(move |b| (a, b))).find(|((a, f), (b, g))| {
                    f == g && self.known.refs[a] != self.known.refs[b] && {
                        let sum = self.known.held(a).of(f) + self.known.held(b).of(g);
                        sum > FULL || (sum == FULL && self.source.once_in(10))
                    }
                });
                match apart {
                    Some(((a, _), (b, _))) => format!("{a} != {b}"),
                    None => return,
                }
            }
            5 if self.source.once_in(4) => self.condition(),
            _ => return,
        };
        self.line(&format!("assert {text}"));
    }

    fn new_object(&mut self) {
        let name = self.fresh("z");
        self.line(&format!("var {name}: Ref"));
        self.line(&format!("{name} := new(f, g, n)"));
        let object = self.known.object();
        self.known.refs.insert(name, object);
        let fields: BTreeMap<&'static str, u8> = FIELDS.into_iter().map(|it| (it, FULL)).collect();
        self.known.held.insert(object, Held { fields, predicates: Vec::new() });
    }

    fn ghost(&mut self) {
        let folded = self.known.predicates();
        if !folded.is_empty() && self.source.once_in(2) {
            let (variable, predicate) = folded[self.source.below(folded.len())].clone();
            self.line(&format!("unfold {predicate}({variable})"));
            let object = self.known.refs[&variable];
            let held = self.known.held_mut(&variable);
            held.predicates.retain(|it| *it != predicate);
            let (field, amount) = if predicate == "half" { ("g", 3) } else { ("f", FULL) };
            *held.fields.entry(field).or_default() += amount;
            if predicate == "list" {
                *held.fields.entry("n").or_default() += FULL;
            }
            self.known.values.remove(&(object, field));
            return;
        }
        let variable = self.reference();
        let held = self.known.held(&variable);
        let right = held.of("f") == FULL;
        if held.of("g") >= 3 && (!right || self.source.once_in(2)) {
            self.line(&format!("fold half({variable})"));
            self.give_away(&variable, &[("g", 3)]);
            self.known.held_mut(&variable).predicates.push("half");
        } else if right && held.of("n") == FULL && self.source.once_in(2) {
            self.line(&format!("{variable}.n := null"));
            self.line(&format!("fold list({variable})"));
            self.give_away(&variable, &[("f", FULL), ("n", FULL)]);
            self.known.held_mut(&variable).predicates.push("list");
        } else if right {
            let value = self.integer(0).0;
            if !self.source.once_in(8) {
                self.line(&format!("{variable}.f := {value} < 0 ? 0 : {value}"));
            }
            self.line(&format!("fold cell({variable})"));
            self.known.write(&variable, "f", None);
            self.give_away(&variable, &[("f", FULL)]);
            self.known.held_mut(&variable).predicates.push("cell");
        }
    }

    fn give_away(&mut self, variable: &str, amounts: &[(&'static str, u8)]) {
        let object = self.known.refs[variable];
        for &(field, amount) in amounts {
            let held = self.known.held_mut(variable);
            let left = held.of(field).saturating_sub(amount);
            held.fields.insert(field, left);
            held.fields.retain(|_, it| *it > 0);
            if left == 0 {
                self.known.values.remove(&(object, field));
            }
        }
    }

    fn exhale(&mut self) {
        let all = self.known.locations(&FIELDS, 1);
        if all.is_empty() {
            return;
        }
        let (variable, field) = all[self.source.below(all.len())].clone();
        let held = self.known.held(&variable).of(field);
        let amount = if self.source.once_in(2) { held } else { held.div_ceil(2) };
        self.line(&format!("exhale acc({variable}.{field}, {amount}/6)"));
        self.give_away(&variable, &[(field, amount)]);
    }

    /// One object gets to know another.
    fn link(&mut self) {
        let all = self.known.locations(&["n"], FULL);
        if all.is_empty() {
            return;
        }
        let (variable, _) = all[self.source.below(all.len())].clone();
        let to = self.reference();
        self.line(&format!("{variable}.n := {to}"));
        if self.source.once_in(2) {
            self.line(&format!("assert {variable}.n == {to}"));
        }
        let held = self.known.held(&variable);
        let is_list = self.known.held(&to).predicates.contains(&"list");
        if is_list && held.of("f") == FULL {
            self.line(&format!("fold list({variable})"));
            self.known.held_mut(&to).predicates.retain(|it| *it != "list");
            self.give_away(&variable, &[("f", FULL), ("n", FULL)]);
            self.known.held_mut(&variable).predicates.push("list");
            let total = format!("sum({variable}) == {variable}.f");
            if self.source.once_in(6) {
                self.line(&format!("assert {total}"));
            }
        }
    }

    fn block(&mut self, count: usize) -> AbstractState {
        let before = self.known.clone();
        self.depth += 1;
        self.nested += 1;
        self.statements(count);
        self.depth -= 1;
        self.nested -= 1;
        std::mem::replace(&mut self.known, before)
    }

    fn conditional(&mut self) {
        let condition = self.condition();
        self.line(&format!("if ({condition}) {{"));
        let count = 1 + self.source.below(3);
        let then = self.block(count);
        self.line("}");
        let mut other = self.known.clone();
        if self.source.once_in(2) {
            self.line("else {");
            let count = 1 + self.source.below(2);
            other = self.block(count);
            self.line("}");
        }
        self.scoped(then.either(&other));
    }

    /// What is declared inside of a block is not known after it.
    fn scoped(&mut self, after: AbstractState) {
        let before = std::mem::replace(&mut self.known, after);
        self.known.refs.retain(|it, _| before.refs.contains_key(it));
        self.known.ints.retain(|it, _| before.ints.contains_key(it));
    }

    fn looping(&mut self) {
        let counter = self.fresh("c");
        let total = self.fresh("t");
        let bound = ["3", "i", "j"][self.source.below(3)];
        let (start, step) = (self.integer(0), self.source.below(3));
        self.line(&format!("var {counter}: Int := 0"));
        self.line(&format!("var {total}: Int := {}", start.0));
        self.line(&format!("while ({counter} < {bound})"));
        let mut invariants = vec![format!("{counter} >= 0")];
        if bound == "3" {
            invariants.push(format!("{counter} <= {bound}"));
        }
        let wrong = self.source.once_in(12);
        if let Some(value) = &start.1 {
            let times = if wrong { step + 1 } else { step };
            invariants.push(format!("{total} == {value} + {times} * {counter}"));
        }
        let kept: Vec<((Object, &'static str), String)> = self.known.values.clone().into_iter().collect();
        let mut done: Vec<Object> = Vec::new();
        let mut frame = AbstractState::clone(&self.known);
        for (variable, object) in self.known.refs.clone() {
            if done.contains(&object) {
                continue;
            }
            done.push(object);
            // What the invariant does not ask for is left outside.
            if self.source.once_in(8) {
                frame.held.remove(&object);
                continue;
            }
            invariants.extend(permissions(&variable, &self.known.held(&variable)));
        }
        frame.values.clear();
        let keeps = self.source.once_in(2);
        for ((object, field), value) in kept {
            let variable = self.known.refs.iter().find(|it| *it.1 == object).map(|it| it.0.clone());
            let held = frame.held.get(&object).is_some_and(|it| it.of(field) > 0);
            if let (true, true, Some(variable)) = (keeps, held, variable) {
                invariants.push(format!("{variable}.{field} == {value}"));
                frame.values.insert((object, field), value);
            }
        }
        self.depth += 1;
        let text = "  ".repeat(self.depth);
        let mut lines = String::new();
        write_contract(&mut lines, "invariant", &invariants);
        self.lines.extend(lines.lines().map(|it| format!("{text}{}", it.trim_start_matches("  "))));
        self.depth -= 1;
        self.line("{");
        let values: BTreeMap<(Object, &'static str), String> = frame.values.clone();
        let before = std::mem::replace(&mut self.known, frame);
        self.known.ints.insert(counter.clone(), None);
        self.known.ints.insert(total.clone(), None);
        let inside = self.known.clone();
        let count = 1 + self.source.below(3);
        let after = self.block(count);
        self.depth += 1;
        self.line(&format!("{total} := {total} + {step}"));
        self.line(&format!("{counter} := {counter} + 1"));
        self.depth -= 1;
        self.line("}");
        // What the body changed of the invariants' values is no longer sure.
        self.known = inside.either(&after);
        self.known.values.retain(|at, it| values.get(at) == Some(it));
        for (object, held) in &before.held {
            let kept = self.known.held.entry(*object).or_insert_with(|| held.clone());
            if kept.fields.is_empty() && kept.predicates.is_empty() {
                *kept = held.clone();
            }
        }
        if bound == "3" {
            let value = start.1.map(|it| format!("{it} + {step} * 3"));
            self.known.ints.insert(total, value);
        }
    }

    fn call(&mut self) {
        let callee = self.callees[self.source.below(self.callees.len())].clone();
        let mut args = Vec::new();
        for asks in &callee.asks {
            let fits = |held: &Held| {
                asks.fields.iter().all(|(field, it)| held.of(field) >= *it)
                    && asks.predicates.iter().all(|it| held.predicates.contains(it))
            };
            let all: Vec<String> = self.known.refs.keys().filter(|it| fits(&self.known.held(it))).cloned().collect();
            if all.is_empty() && !self.source.once_in(20) {
                return;
            }
            let any = if all.is_empty() { self.reference() } else { all[self.source.below(all.len())].clone() };
            args.push(any);
        }
        let (i, j) = (self.integer(0), self.integer(0));
        let mut conditions: Vec<String> = callee.conditions.clone();
        if callee.positive {
            conditions.push("i > 0".to_owned());
        }
        let word = |text: &str| match text {
            "x" => args[0].clone(),
            "y" => args[1].clone(),
            "i" => i.0.clone(),
            "j" => j.0.clone(),
            other => other.to_owned(),
        };
        let put = |text: &str| text.split(' ').map(word).collect::<Vec<_>>().join(" ");
        let conditions: Vec<String> = conditions.iter().map(|it| put(it)).collect();
        let guarded = !conditions.is_empty() && !self.source.once_in(10);
        let before = self.known.clone();
        if guarded {
            self.line(&format!("if ({}) {{", conditions.join(" && ")));
            self.depth += 1;
        }
        self.line(&format!("r := {}({}, {}, {}, {})", callee.name, args[0], args[1], i.0, j.0));
        let value = |it: &String| {
            Some(
                it.replace('i', "#")
                    .replace('j', &format!("({})", j.1.clone()?))
                    .replace('#', &format!("({})", i.1.clone()?)),
            )
        };
        let result = callee.result.as_ref().and_then(value).filter(|it| it.len() < 40);
        self.known.ints.insert("r".to_owned(), result);
        for (at, arg) in args.iter().enumerate() {
            let object = self.known.refs[arg];
            let held = self.known.held_mut(arg);
            for (field, amount) in &callee.asks[at].fields {
                let left = held.of(field).saturating_sub(*amount);
                held.fields.insert(field, left);
            }
            held.predicates.retain(|it| !callee.asks[at].predicates.contains(it));
            for (field, amount) in &callee.gives[at].fields {
                *held.fields.entry(field).or_default() += amount;
            }
            held.predicates.extend(callee.gives[at].predicates.iter().copied());
            held.fields.retain(|_, it| *it > 0);
            self.known.values.retain(|(it, field), _| *it != object || callee.asks[at].of(field) == 0);
        }
        if guarded {
            self.depth -= 1;
            self.line("}");
            self.known = self.known.either(&before);
        }
    }
}

/// What is held of a variable, as conjuncts.
fn permissions(variable: &str, held: &Held) -> Vec<String> {
    let amount = |it: u8| match it {
        FULL => String::new(),
        it => format!(", {it}/6"),
    };
    let fields = held.fields.iter().filter(|it| *it.1 > 0);
    let fields = fields.map(|(field, it)| format!("acc({variable}.{field}{})", amount(*it)));
    fields.chain(held.predicates.iter().map(|it| format!("{it}({variable})"))).collect()
}

/// Whether all that a value says of the old heap could be read there.
fn gives_old(value: &str, asks: &[Held; 2]) -> bool {
    ["x", "y"].iter().zip(asks).all(|(variable, held)| {
        INTS.iter().all(|field| held.of(field) > 0 || !value.contains(&format!("old({variable}.{field})")))
    })
}

fn write_contract(text: &mut String, keyword: &str, conjuncts: &[String]) {
    if conjuncts.is_empty() {
        return;
    }
    text.push_str(&format!("  {keyword}\n    {}\n", conjuncts.join(" &&\n    ")));
}

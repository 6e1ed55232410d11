//! Random C programs over integers: what a compiler gives them is compared with what their exploration predicted.
//!
//! Knows: expressions of all integer types, arrays, structures, branches, bounded loops, functions. A program may have
//! undefined behaviour (an overflow, a division by zero, a shift too large, an index out of bounds): the sanitizers of
//! the native run must say the same.

use std::fmt::Write;

const TYPES: &[&str] =
    &["signed char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long", "unsigned long"];

/// The program of this number; the same number gives the same program.
pub fn program(number: u64) -> String {
    let mut source = Source { state: number, names: Vec::new(), loops: 0, text: String::new() };
    source.program();
    source.text
}

struct Source {
    state: u64,
    /// Variables of number type in scope.
    names: Vec<String>,
    loops: usize,
    text: String,
}

impl Source {
    /// A random number below `bound`, by SplitMix64.
    fn below(&mut self, bound: u64) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut res = self.state;
        res = (res ^ (res >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        res = (res ^ (res >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (res ^ (res >> 31)) % bound
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len() as u64) as usize]
    }

    fn line(&mut self, depth: usize, text: &str) {
        let _ = writeln!(self.text, "{}{text}", "  ".repeat(depth));
    }

    fn program(&mut self) {
        self.line(0, "#include <effigy.h>\n#include <stdio.h>");
        let (first, second) = (self.pick(TYPES), self.pick(TYPES));
        self.line(0, &format!("struct pair {{ {first} first; {second} second; }};"));
        let (result, parameter) = (self.pick(TYPES), self.pick(TYPES));
        self.line(0, &format!("static {result} mix({parameter} p, int q) {{"));
        self.names = vec!["p".to_owned(), "q".to_owned()];
        self.statements(1, 1);
        let expr = self.expr(2);
        self.line(1, &format!("return {expr};\n}}"));
        self.line(0, "int main(void) {");
        self.names.clear();
        for at in 0..1 + self.below(3) {
            let ty = self.pick(TYPES);
            let name = format!("in{at}");
            self.line(1, &format!("{ty} {name};\n  effigy_symbolic(&{name}, sizeof {name}, \"{name}\");"));
            self.names.push(name);
        }
        let element = self.pick(TYPES);
        let elements: Vec<String> = (0..4).map(|_| self.constant()).collect();
        self.line(1, &format!("{element} array[4] = {{{}}};", elements.join(", ")));
        self.line(1, "struct pair pair = {1, 2};");
        self.names.extend(["pair.first", "pair.second", "array[1]"].map(str::to_owned));
        for at in 0..2 {
            let (ty, expr) = (self.pick(TYPES), self.expr(2));
            self.line(1, &format!("{ty} v{at} = ({ty})({expr});"));
            self.names.push(format!("v{at}"));
        }
        self.statements(1, 2);
        let (a, b) = (self.name(), self.expr(1));
        self.line(1, &format!("{a} = mix({a}, (int)({b}));"));
        self.statements(1, 1);
        let shown = self.names.clone();
        for name in shown {
            self.line(1, &format!("printf(\"{name} %ld\\n\", (long){name});"));
        }
        let last = self.name();
        self.line(1, &format!("return (unsigned char){last};\n}}"));
    }

    fn name(&mut self) -> String {
        let at = self.below(self.names.len() as u64) as usize;
        self.names[at].clone()
    }

    fn constant(&mut self) -> String {
        match self.below(6) {
            0 => format!("({})", self.below(256) as i64 - 128),
            1 => format!("{}u", self.below(70000)),
            // Small enough that the compiler never folds an overflow away.
            2 => format!("{}L", self.below(1 << 14)),
            _ => self.below(10).to_string(),
        }
    }

    fn expr(&mut self, depth: u32) -> String {
        if depth == 0 || self.below(5) == 0 {
            return if self.below(3) == 0 { self.constant() } else { self.name() };
        }
        let (a, b) = (self.expr(depth - 1), self.expr(depth - 1));
        match self.below(16) {
            0..=3 => format!("({a} + {b})"),
            4 | 5 => format!("({a} - {b})"),
            6 => format!("({a} * {b})"),
            7 => format!("({a} / ({b} | 1))"),
            // By a variable: the compiler folds a division of constants by zero to poison, and nobody sees it again.
            8 => format!("({a} % {})", self.name()),
            9 => format!("({a} & {b})"),
            10 => format!("({a} ^ {b})"),
            11 => format!("({a} << (({b}) & 7))"),
            12 => format!("({a} >> (({b}) & 15))"),
            13 => format!("(({})({a}))", self.pick(TYPES)),
            14 => {
                let (op, other) = (self.pick(&["<", "==", ">="]), self.expr(depth - 1));
                format!("({a} {op} {b} ? {a} : {other})")
            }
            _ => format!("(~{a} | -({b}))"),
        }
    }

    fn statements(&mut self, depth: usize, nesting: u32) {
        for _ in 0..1 + self.below(3) {
            self.statement(depth, nesting);
        }
    }

    fn statement(&mut self, depth: usize, nesting: u32) {
        let in_main = self.names.iter().any(|it| it == "pair.first");
        match self.below(7) {
            0 | 1 if nesting > 0 => {
                let (a, op, b) = (self.expr(1), self.pick(&["<", ">", "==", "!=", "<="]), self.expr(1));
                self.line(depth, &format!("if ({a} {op} {b}) {{"));
                self.statements(depth + 1, nesting - 1);
                if self.below(2) == 0 {
                    self.line(depth, "} else {");
                    self.statements(depth + 1, nesting - 1);
                }
                self.line(depth, "}");
            }
            2 if nesting > 0 => {
                let counter = format!("i{}", self.loops);
                self.loops += 1;
                let (count, bound) = (1 + self.below(3), self.expr(1));
                self.line(
                    depth,
                    &format!("for (int {counter} = 0; {counter} < {count} && {counter} < {bound}; {counter}++) {{"),
                );
                self.statements(depth + 1, nesting - 1);
                self.line(depth, "}");
            }
            3 if nesting > 0 => {
                let (value, other) = (self.expr(1), self.name());
                self.line(depth, &format!("switch (({value}) & 3) {{"));
                self.line(depth, &format!("case 0: {other} = 1; break;"));
                self.line(depth, &format!("case 2: {other} = 7; /* and */"));
                let value = self.expr(1);
                self.line(depth, &format!("default: {other} = {value};"));
                self.line(depth, "}");
            }
            4 if in_main => {
                // Mostly inside; sometimes not.
                let mask = if self.below(8) == 0 { 7 } else { 3 };
                let (index, value) = (self.expr(1), self.expr(1));
                self.line(depth, &format!("array[({index}) & {mask}] = {value};"));
            }
            _ => {
                let (name, value) = (self.name(), self.expr(2));
                self.line(depth, &format!("{name} = {value};"));
            }
        }
    }
}

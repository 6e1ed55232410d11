//! Random C programs whose paths part and meet all the time: branches, loops and calls that inputs decide, around
//! numbers, elements, structures, and pointers to locals and to the heap.
//!
//! Knows: C without undefined behaviour, but for what a pointer that was freed, or null, is read through. Never: what
//! walks the programs.
//! A byte of the source is one choice, and 0, which is also what follows the end, the simplest one: a shorter source is a
//! smaller program.

use std::fmt::Write;

/// The program that these bytes describe; `main` is in it.
pub fn program(source: &[u8]) -> String {
    let mut writer = Writer { source: source.iter(), depth: 1, loops: 0, in_helper: false, text: String::new() };
    writer.text.push_str(
        "#include <effigy.h>\n#include <stdlib.h>\nstruct pair {\n  int first;\n  short second;\n  int *link;\n};\n\
         static int total;\nstatic int table[4] = {3, 1, 4, 1};\n\
         static unsigned char wide[300];\n",
    );
    writer.text.push_str("static int help(int x, int y, int *p, int left) {\n");
    writer.in_helper = true;
    let count = writer.below(3);
    (0..count).for_each(|_| writer.statement(1));
    if writer.below(2) == 1 {
        writer.line("if (left > 0 && (x & 1)) return help(x >> 1, y + 1, p, left - 1);");
    }
    writer.text.push_str("  return x ^ y;\n}\n");
    writer.in_helper = false;
    writer.text.push_str(
        "int main(void) {\n  unsigned char in = effigy_uchar(\"in\");\n  int x = in, y = 2, a[4] = {1, 2, 3, 4};\n  \
         struct pair one = {1, 2, &x}, two = {5, 6, &y};\n  int *p = &x;\n  struct pair *q = &one;\n",
    );
    let count = 3 + writer.below(8);
    (0..count).for_each(|_| writer.statement(2));
    writer.text.push_str(
        "  return (x + y + a[0] + a[1] * 2 + a[2] * 3 + a[3] + one.first + two.second + *p + q->first + total) & 127;\n}\n",
    );
    writer.text
}

struct Writer<'a> {
    source: std::slice::Iter<'a, u8>,
    depth: usize,
    loops: usize,
    in_helper: bool,
    text: String,
}

impl Writer<'_> {
    fn below(&mut self, bound: usize) -> usize {
        self.source.next().map_or(0, |it| usize::from(*it) % bound)
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "{}{text}", "  ".repeat(self.depth));
    }

    fn number(&mut self) -> String {
        let places: &[&str] = match self.in_helper {
            true => &["x", "y", "total", "*p", "left"],
            false => &["x", "y", "total", "*p", "in", "a[1]", "one.first", "two.second", "q->first", "*q->link"],
        };
        match self.below(5) {
            0 => places[self.below(places.len())].to_owned(),
            1 => self.below(8).to_string(),
            2 => format!("table[{} & 3]", places[self.below(places.len())]),
            3 => format!("wide[{} & 255]", places[self.below(places.len())]),
            _ if self.in_helper => "y".to_owned(),
            _ => format!("a[{} & 3]", places[self.below(places.len())]),
        }
    }

    fn value(&mut self) -> String {
        let a = self.number();
        match self.below(5) {
            0 => a,
            1 => format!("({a} & 63) + ({} & 63)", self.number()),
            2 => format!("({a} & 63) - ({} & 63)", self.number()),
            3 => format!("{a} ^ {}", self.number()),
            _ => format!("({a} & 7) * ({} & 7)", self.number()),
        }
    }

    fn cond(&mut self) -> String {
        let bit = 1 << self.below(4);
        match self.below(6) {
            0 if !self.in_helper => format!("in & {bit}"),
            1 => format!("effigy_uchar(\"more\") & {bit}"),
            2 => format!("{} < {}", self.number(), self.number()),
            3 => format!("({} & {bit}) && {} != 2", self.number(), self.number()),
            4 if !self.in_helper => format!("p == &x || ({} & {bit})", self.number()),
            _ => format!("{} & {bit}", self.number()),
        }
    }

    fn block(&mut self, nesting: usize) {
        self.depth += 1;
        for _ in 0..1 + self.below(2) {
            self.statement(nesting - 1);
        }
        self.depth -= 1;
    }

    fn statement(&mut self, nesting: usize) {
        match self.below(16) {
            1..=5 if nesting > 0 => {
                let cond = self.cond();
                self.line(&format!("if ({cond}) {{"));
                self.block(nesting);
                if self.below(2) == 1 {
                    self.line("} else {");
                    self.block(nesting);
                }
                self.line("}");
            }
            6 if nesting > 0 => {
                let counter = format!("i{}", self.loops);
                self.loops += 1;
                let (count, cond) = (1 + self.below(3), self.cond());
                self.line(&format!("for (int {counter} = 0; {counter} < {count}; {counter}++) {{"));
                self.depth += 1;
                let way = ["break", "continue"][self.below(2)];
                self.line(&format!("if ({cond}) {way};"));
                self.depth -= 1;
                self.block(nesting);
                self.line("}");
            }
            7 if nesting > 0 => {
                let value = self.number();
                self.line(&format!("switch ({value} & 3) {{"));
                self.line("case 0:");
                self.block(nesting);
                let end = if self.below(2) == 1 { "" } else { "break;" };
                self.line(&format!("  {end}"));
                self.line("case 2:");
                self.block(nesting);
                self.line("}");
            }
            8 if !self.in_helper => {
                let to = ["&x", "&y", "&a[2]", "&two.first", "q->link", "&table[1]"][self.below(6)];
                self.line(&format!("p = {to};"));
            }
            9 if !self.in_helper => {
                let to = ["&one", "&two"][self.below(2)];
                self.line(&format!("q = {to};"));
            }
            10 if !self.in_helper => {
                let (cond, value) = (self.cond(), self.value());
                self.line(&format!("if ({cond}) {{ p = malloc(sizeof *p); if (!p) exit(3); *p = {value}; }}"));
            }
            11 if !self.in_helper => {
                let (a, b, p) = (self.value(), self.number(), ["p", "&y", "q->link"][self.below(3)]);
                self.line(&format!("x = help({a}, {b}, {p}, 2);"));
            }
            12 if !self.in_helper => {
                let whole = ["one = two;", "two.link = p;", "*q = two;", "q->link = &a[in & 3];"][self.below(4)];
                self.line(whole);
            }
            13 => {
                let cond = self.cond();
                self.line(&format!("if ({cond}) return {};", if self.in_helper { "y & 15" } else { "x & 15" }));
            }
            14 if !self.in_helper => {
                let (cond, value) = (self.cond(), self.value());
                self.line(&format!("{{ int *r = ({cond}) ? &x : p; *r = {value}; }}"));
            }
            _ => {
                let to: &[&str] = match self.in_helper {
                    true => &["y", "*p", "total", "table[x & 3]", "wide[y & 255]"],
                    false => &[
                        "x",
                        "y",
                        "a[in & 3]",
                        "*p",
                        "q->first",
                        "q->second",
                        "total",
                        "a[y & 3]",
                        "*q->link",
                        "wide[in]",
                        "wide[x & 255]",
                    ],
                };
                let (to, value) = (to[self.below(to.len())], self.value());
                self.line(&format!("{to} = {value};"));
            }
        }
    }
}

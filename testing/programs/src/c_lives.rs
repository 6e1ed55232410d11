//! Random C programs in which objects come and go on some ways only: `malloc`, `free`, `realloc`, blocks, arrays of
//! computed length and `alloca`, under conditions that inputs decide, and pointers to them that stay behind.
//!
//! Knows: C in which the life of an object is the only thing that can go wrong. Never: what walks the programs.
//! A byte of the source is one choice, and 0, which is also what follows the end, the simplest one.

use std::fmt::Write;

/// The program that these bytes describe; `main` is in it.
pub fn program(source: &[u8]) -> String {
    let mut writer = Writer { source: source.iter(), depth: 1, names: 0, text: String::new() };
    writer.text.push_str(
        "#include <effigy.h>\n#include <stdlib.h>\nstatic int total;\nstatic int *kept;\n\
         static int *fresh(int x) {\n  int *res = malloc(2 * sizeof *res);\n  if (!res) exit(3);\n  res[0] = x;\n  \
         res[1] = 7;\n  return res;\n}\n\
         static int *drop(int *p, int way) {\n  if (way & 1) {\n    free(p);\n    return 0;\n  }\n  if (way & 2) kept = p;\n  \
         return p;\n}\n\
         int main(void) {\n  unsigned char in = effigy_uchar(\"in\");\n  int x = in, y = 2;\n  \
         int *a = fresh(1), *b = fresh(2), *c = 0, *p = a;\n  kept = &y;\n",
    );
    let count = 4 + writer.below(8);
    (0..count).for_each(|_| writer.statement(2));
    writer.text.push_str("  return (x + y + total) & 127;\n}\n");
    writer.text
}

struct Writer<'a> {
    source: std::slice::Iter<'a, u8>,
    depth: usize,
    names: usize,
    text: String,
}

impl Writer<'_> {
    fn below(&mut self, bound: usize) -> usize {
        self.source.next().map_or(0, |it| usize::from(*it) % bound)
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "{}{text}", "  ".repeat(self.depth));
    }

    fn owner(&mut self) -> &'static str {
        ["a", "b", "c"][self.below(3)]
    }

    fn pointer(&mut self) -> &'static str {
        ["a", "b", "c", "p", "kept"][self.below(5)]
    }

    fn cond(&mut self) -> String {
        let bit = 1 << self.below(4);
        match self.below(6) {
            1 => format!("effigy_uchar(\"more\") & {bit}"),
            2 => "a == p".to_owned(),
            3 => format!("(x & {bit}) == (y & {bit})"),
            4 => format!("{} != 0", self.pointer()),
            _ => format!("in & {bit}"),
        }
    }

    fn block(&mut self, nesting: usize) {
        self.depth += 1;
        for _ in 0..1 + self.below(2) {
            self.statement(nesting - 1);
        }
        self.depth -= 1;
    }

    fn name(&mut self) -> String {
        self.names += 1;
        format!("t{}", self.names)
    }

    fn statement(&mut self, nesting: usize) {
        match self.below(18) {
            1..=3 if nesting > 0 => {
                let cond = self.cond();
                self.line(&format!("if ({cond}) {{"));
                self.block(nesting);
                if self.below(2) == 1 {
                    self.line("} else {");
                    self.block(nesting);
                }
                self.line("}");
            }
            4 if nesting > 0 => {
                let (turn, count, cond) = (self.name(), 1 + self.below(3), self.cond());
                self.line(&format!("for (int {turn} = 0; {turn} < {count}; {turn}++) {{"));
                self.block(nesting);
                let way = ["break", "continue"][self.below(2)];
                self.line(&format!("  if ({cond}) {way};"));
                self.block(nesting);
                self.line("}");
            }
            5 if nesting > 0 => {
                let (name, cond) = (self.name(), self.cond());
                self.line("{");
                self.line(&format!("  int {name}[1 + (x & 1)];"));
                self.line(&format!("  {name}[0] = y;"));
                self.line(&format!("  if ({cond}) p = {name};"));
                self.block(nesting);
                self.line("}");
            }
            6 => {
                let (name, cond) = (self.name(), self.cond());
                self.line(&format!("{{ int {name} = y + 1; if ({cond}) kept = &{name}; total += {name}; }}"));
            }
            7 => {
                let cond = self.cond();
                self.line(&format!("if ({cond}) {{ p = __builtin_alloca(8); p[0] = x; p[1] = y; }}"));
            }
            8 | 9 => {
                let (cond, it) = (self.cond(), self.owner());
                let after = ["", &format!(" {it} = 0;")][usize::from(self.below(4) > 0)].to_owned();
                self.line(&format!("if ({cond}) {{ free({it});{after} }}"));
            }
            10 => {
                let (cond, it) = (self.cond(), self.owner());
                self.line(&format!("if ({cond}) {it} = fresh(y);"));
            }
            11 => {
                let (cond, it, size) = (self.cond(), self.owner(), [4, 12][self.below(2)]);
                self.line(&format!("if (({cond}) && {it}) {it} = realloc({it}, {size});"));
            }
            12 => {
                let (cond, it, other) = (self.cond(), self.owner(), self.owner());
                let name = self.name();
                self.line(&format!("if ({cond}) {{ int *{name} = {it}; {it} = {other}; {other} = {name}; }}"));
            }
            13 => {
                let (it, other, cond) = (self.owner(), self.owner(), self.cond());
                self.line(&format!("{it} = drop({it}, ({cond}) ? 1 : x); if ({other}) y ^= *{other} & 7;"));
            }
            14 => {
                let (cond, it, other) = (self.cond(), self.owner(), self.owner());
                self.line(&format!("free(({cond}) ? {it} : {other});"));
                self.line(&format!("{it} = {other} = 0;"));
            }
            15 => {
                let cond = self.cond();
                self.line(&format!("if ({cond}) return total & 15;"));
            }
            16 => {
                let (name, it) = (["p", "kept"][self.below(2)], self.pointer());
                self.line(&format!("{name} = {it};"));
            }
            _ => {
                let (it, cond) = (self.pointer(), self.cond());
                match self.below(3) {
                    0 => self.line(&format!("if ({it}) total += *{it};")),
                    1 => self.line(&format!("if ({it} && ({cond})) *{it} = x & 63;")),
                    _ => self.line("y = (y + x) & 63;"),
                }
            }
        }
    }
}

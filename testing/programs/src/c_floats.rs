//! Random C programs that compute with `float`, `double`, `long double` and integers: inputs of all values, conditions on
//! what is computed, and the bits of results as output.
//!
//! Knows: what IEEE 754 and C define to the last bit. Never: what a NaN's bits are (it is printed as one), functions that
//! are not exact. A byte of the source is one choice, and 0, which is also what follows the end, the simplest one.

use std::fmt::Write;

const HEAD: &str = r#"#include <klee/klee.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
static void show(double x) {
  unsigned long bits;
  if (x != x) {
    puts("nan");
    return;
  }
  memcpy(&bits, &x, sizeof bits);
  printf("%lx\n", bits);
}
int main(void) {
  double a, b;
  float f, g;
  int n;
  unsigned long m;
  klee_make_symbolic(&a, sizeof a, "a");
  klee_make_symbolic(&b, sizeof b, "b");
  klee_make_symbolic(&f, sizeof f, "f");
  klee_make_symbolic(&g, sizeof g, "g");
  klee_make_symbolic(&n, sizeof n, "n");
  klee_make_symbolic(&m, sizeof m, "m");
  double x = a, y = b;
  float u = f, v = g;
  long double z = 1;
"#;

/// The program that these bytes describe.
pub fn program(source: &[u8]) -> String {
    let mut writer = Writer { source: source.iter(), depth: 1, text: HEAD.to_owned() };
    (0..2 + writer.below(4)).for_each(|_| writer.statement(1));
    writer.text.push_str("  show(x);\n  show(y);\n  show(u);\n  show(v);\n  show((double)z);\n  return n & 63;\n}\n");
    writer.text
}

struct Writer<'a> {
    source: std::slice::Iter<'a, u8>,
    depth: usize,
    text: String,
}

impl Writer<'_> {
    fn below(&mut self, bound: usize) -> usize {
        self.source.next().map_or(0, |it| usize::from(*it) % bound)
    }

    fn pick<'t>(&mut self, from: &[&'t str]) -> &'t str {
        from[self.below(from.len())]
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "{}{text}", "  ".repeat(self.depth));
    }

    fn statement(&mut self, nesting: usize) {
        match self.below(9) {
            0 => {
                let (to, value) = (self.pick(&["u", "v"]), self.float(2));
                self.line(&format!("{to} = {value};"));
            }
            1 | 2 => {
                let (to, value) = (self.pick(&["x", "y"]), self.double(2));
                self.line(&format!("{to} = {value};"));
            }
            3 | 4 if nesting > 0 => {
                let condition = self.condition();
                self.line(&format!("if ({condition}) {{"));
                self.depth += 1;
                self.statement(nesting - 1);
                self.depth -= 1;
                self.line("}");
            }
            5 => {
                let (type_of, low, high) = [
                    ("int", "-2147483648.0", "2147483647.0"),
                    ("unsigned char", "0.0", "255.0"),
                    ("long", "-1e15", "1e15"),
                ][self.below(3)];
                let value = self.double(1);
                self.line(&format!("{{ double t = {value}; if (t >= {low} && t <= {high}) n = (int)({type_of})t; }}"));
            }
            6 => {
                let (op, value) = (self.pick(&["+", "-", "*", "/"]), self.double(1));
                self.line(&format!("z = z {op} {value};"));
            }
            7 => {
                let value = self.double(1);
                let parts = self.pick(&["frexp", "modf", "ldexp", "ilogb"]);
                self.line(&match parts {
                    "frexp" => format!("{{ int e; x = frexp({value}, &e); n = (unsigned char)e; }}"),
                    "modf" => format!("{{ double w; x = modf({value}, &w); y = w; }}"),
                    "ldexp" => format!("x = ldexp({value}, (int)(signed char)n);"),
                    _ => format!("n = (unsigned char)ilogb({value});"),
                });
            }
            _ => {
                let condition = self.condition();
                self.line(&format!("n = {condition};"));
            }
        }
    }

    fn condition(&mut self) -> String {
        let sign = self.pick(&["<", "<=", ">", ">=", "==", "!="]);
        match self.below(6) {
            0 | 1 => format!("{} {sign} {}", self.float(1), self.float(0)),
            2 => format!("{} {sign} {}", self.double(1), self.double(1)),
            3 => format!("!({} {sign} {})", self.double(1), self.double(0)),
            4 => {
                let class = self.pick(&["isnan", "isinf", "isfinite", "isnormal", "signbit"]);
                // The sign of a NaN is nobody's to say.
                let value = self.double(1);
                if class == "signbit" { format!("signbit(fabs({value}) + 0.0)") } else { format!("{class}({value})") }
            }
            _ => format!("{} {sign} {}", self.float(2), self.constant(true)),
        }
    }

    fn constant(&mut self, single: bool) -> String {
        let text = self.pick(&[
            "1.0",
            "0.0",
            "0.5",
            "-1.0",
            "2.0",
            "-0.0",
            "3.0",
            "0.1",
            "1e10",
            "-1e-10",
            "1e-310",
            "1.7976931348623157e308",
            "3.4028234e38",
            "1e-45",
            "16777217.0",
            "0x1p-149",
            "0x1.fffffep127",
        ]);
        if single { format!("(float){text}") } else { text.to_owned() }
    }

    fn double(&mut self, depth: usize) -> String {
        match self.below(if depth == 0 { 6 } else { 14 }) {
            0 => self.pick(&["x", "y", "a", "b"]).to_owned(),
            1 => self.pick(&["x", "a"]).to_owned(),
            2 => self.constant(false),
            3 => self.pick(&["(double)u", "(double)f", "(double)z"]).to_owned(),
            4 => self.pick(&["(double)n", "(double)m", "(double)(long)m", "(double)(n & 7)"]).to_owned(),
            5 => self.pick(&["-x", "fabs(y)"]).to_owned(),
            6..=8 => {
                let op = self.pick(&["+", "-", "+", "*", "-", "/"]);
                format!("({} {op} {})", self.double(depth - 1), self.double(depth - 1))
            }
            9 | 10 => {
                let function = self.pick(&["floor", "ceil", "trunc", "rint", "round", "nearbyint", "sqrt", "fabs"]);
                format!("{function}({})", self.double(depth - 1))
            }
            11 => {
                let function = self.pick(&["fmin", "fmax", "nextafter", "fdim"]);
                format!("({function}({}, {}) + 0.0)", self.double(depth - 1), self.double(depth - 1))
            }
            12 => format!("(double)(float){}", self.double(depth - 1)),
            _ => format!("({} ? {} : {})", self.condition(), self.double(0), self.double(0)),
        }
    }

    fn float(&mut self, depth: usize) -> String {
        match self.below(if depth == 0 { 5 } else { 12 }) {
            0 => self.pick(&["u", "v", "f", "g"]).to_owned(),
            1 => self.pick(&["u", "f"]).to_owned(),
            2 => self.constant(true),
            3 => self.pick(&["(float)n", "(float)m", "(float)(n & 15)"]).to_owned(),
            4 => self.pick(&["-u", "fabsf(v)"]).to_owned(),
            5..=8 => {
                let op = self.pick(&["+", "-", "*", "+", "/"]);
                format!("({} {op} {})", self.float(depth - 1), self.float(depth - 1))
            }
            9 => {
                let function = self.pick(&["floorf", "sqrtf", "ceilf", "roundf", "truncf"]);
                format!("{function}({})", self.float(depth - 1))
            }
            10 => format!("fmaf({}, {}, {})", self.float(0), self.float(0), self.float(0)),
            _ => format!("(float){}", self.double(depth - 1)),
        }
    }
}

//! Random C++ programs that throw: classes with single, multiple, virtual and private bases, nests of handlers, objects
//! whose construction, copies and destruction are printed, casts along the bases of what is caught.
//!
//! Knows: which casts and handlers C++ lets a program write. Never: which handler takes an exception. A byte of the source
//! is one choice, and 0, which is also what follows the end, the simplest one.

use std::fmt::Write;

const HEAD: &str = r#"#include <effigy.h>
#include <exception>
#include <stdio.h>
#include <typeinfo>
struct Mark {
  int id;
  explicit Mark(int id) : id(id) { printf("+%d ", id); }
  Mark(const Mark &other) : id(other.id) { printf("*%d ", id); }
  ~Mark() { printf("-%d ", id); }
};
"#;

/// The program that these bytes describe.
pub fn program(source: &[u8]) -> String {
    let mut writer = Writer { source: source.iter(), depth: 1, marks: 100, text: HEAD.to_owned() };
    let classes = 2 + writer.below(5);
    (0..classes).for_each(|it| writer.class(it));
    let functions = 1 + writer.below(4);
    for function in (0..functions).rev() {
        // What promises not to throw mostly breaks the promise: one in sixteen does.
        let promise = if writer.below(16) == 15 { " noexcept" } else { "" };
        let _ = writeln!(writer.text, "static int f{function}(int n){promise} {{");
        let scope = Scope { function, functions, classes, caught: None, nesting: 3 };
        (0..1 + writer.below(4)).for_each(|_| writer.statement(scope));
        writer.text.push_str("  return n;\n}\n");
    }
    writer.text.push_str("int main() {\n  int n = effigy_uchar(\"n\");\n  effigy_assume(n < 8);\n");
    match writer.below(5) {
        4 => writer.text.push_str("  f0(n);\n"),
        _ => writer.text.push_str("  try {\n    f0(n);\n  } catch (...) {\n    puts(\"end\");\n  }\n"),
    }
    writer.text.push_str("  printf(\"%d\\n\", std::uncaught_exceptions());\n  return n;\n}\n");
    writer.text
}

/// Where a statement stands.
#[derive(Clone, Copy)]
struct Scope {
    function: usize,
    functions: usize,
    classes: usize,
    /// The class whose object the innermost handler has as `e`; `None` outside of handlers, and `Some(None)` where it has
    /// no name.
    caught: Option<Option<usize>>,
    nesting: usize,
}

struct Writer<'a> {
    source: std::slice::Iter<'a, u8>,
    depth: usize,
    marks: u32,
    text: String,
}

impl Writer<'_> {
    fn below(&mut self, bound: usize) -> usize {
        self.source.next().map_or(0, |it| usize::from(*it) % bound)
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "{}{text}", "  ".repeat(self.depth));
    }

    fn mark(&mut self) -> u32 {
        self.marks += 1;
        self.marks
    }

    /// A class with bases among those before it, and an object of it.
    fn class(&mut self, number: usize) {
        let mut bases: Vec<usize> = Vec::new();
        for _ in 0..self.below(4).min(number) {
            let base = self.below(number);
            if !bases.contains(&base) {
                bases.push(base);
            }
        }
        let written: Vec<String> = bases
            .iter()
            .map(|base| {
                let access = ["public", "public", "public", "private"][self.below(4)];
                // A class derived from one with a private virtual base could not construct that.
                let shared = if self.below(3) == 2 && access == "public" { "virtual " } else { "" };
                format!("{shared}{access} C{base}")
            })
            .collect();
        let list = if written.is_empty() { String::new() } else { format!(" : {}", written.join(", ")) };
        let _ = writeln!(
            self.text,
            "struct C{number}{list} {{\n  Mark m{number}{{{number}}};\n  int v{number} = {};\n  \
             virtual ~C{number}() {{}}\n  virtual int tag() {{ return {number}; }}\n}};\nstatic C{number} g{number};",
            10 + number
        );
    }

    fn statement(&mut self, scope: Scope) {
        match self.below(8) {
            0 => {
                let mark = self.mark();
                self.line(&format!("Mark mark{mark}({mark});"));
            }
            1 if scope.function + 1 < scope.functions => {
                let other = scope.function + 1 + self.below(scope.functions - scope.function - 1);
                let more = self.below(3);
                self.line(&format!("n += f{other}(n ^ {more});"));
            }
            2 | 3 => {
                let (bit, thrown) = (self.below(8), self.thrown(scope));
                self.line(&format!("if (n == {bit}) {thrown};"));
            }
            4 | 5 if scope.nesting > 0 => self.handlers(scope),
            6 => self.cast(scope),
            7 => self.line("printf(\"u%d \", std::uncaught_exceptions());"),
            _ => {
                let bit = self.below(8);
                self.line(&format!("if (n > {bit}) printf(\"n%d \", n);"));
            }
        }
    }

    fn thrown(&mut self, scope: Scope) -> String {
        let class = self.below(scope.classes);
        match self.below(8) {
            0 => "throw n".to_owned(),
            1 => format!("throw &g{class}"),
            2 => format!("throw (const C{class} *)&g{class}"),
            3 if scope.caught.is_some() => "throw".to_owned(),
            4 => "throw nullptr".to_owned(),
            _ => format!("throw C{class}()"),
        }
    }

    fn handlers(&mut self, scope: Scope) {
        let inner = Scope { nesting: scope.nesting - 1, ..scope };
        self.line("try {");
        self.depth += 1;
        (0..1 + self.below(3)).for_each(|_| self.statement(inner));
        self.depth -= 1;
        let several = 1 + self.below(3);
        for last in (0..several).map(|it| it + 1 == several) {
            let class = self.below(scope.classes);
            let (written, caught) = match self.below(8) {
                0 => ("int i".to_owned(), None),
                1 => (format!("C{class} *"), None),
                2 => (format!("const C{class} *"), None),
                3 => ("const void *".to_owned(), None),
                4 if last => ("...".to_owned(), None),
                5 => (format!("C{class} e"), Some(class)),
                _ => (format!("C{class} &e"), Some(class)),
            };
            self.line(&format!("}} catch ({written}) {{"));
            self.depth += 1;
            if let Some(class) = caught {
                self.line(&format!("printf(\"c%d,%d,%s \", e.v{class}, e.tag(), typeid(e).name());"));
            } else {
                self.line("printf(\"c \");");
            }
            let handler = Scope { caught: Some(caught), ..inner };
            (0..self.below(3)).for_each(|_| self.statement(handler));
            self.depth -= 1;
        }
        self.line("}");
    }

    /// A cast to a class that comes later: it is a derived one, or one on another side.
    fn cast(&mut self, scope: Scope) {
        let from = match scope.caught {
            Some(Some(class)) => class,
            _ => self.below(scope.classes),
        };
        let to = (from + 1 + self.below(scope.classes)).min(scope.classes - 1);
        if to <= from {
            return self.line("printf(\". \");");
        }
        let object = match scope.caught {
            Some(Some(_)) => "&e".to_owned(),
            _ => format!("&g{from}"),
        };
        let mark = self.mark();
        self.line(&format!(
            "if (C{to} *p{mark} = dynamic_cast<C{to} *>({object})) printf(\"d%d \", p{mark}->v{to}); else printf(\"d \");"
        ));
    }
}

//! Random C++ functions over inputs of a few values, to be run on every input: containers, strings, smart pointers,
//! virtual functions, lambdas, exceptions, objects whose destruction counts.
//!
//! Knows: C++17, and where AddressSanitizer looks. Never: what explores the functions, or finds their bugs.
//! A statement is a line, so that a bug has one place whichever header it happens in. Nothing recurs, every loop ends. A
//! byte of the source is one choice, and 0, which is also what follows the end, the simplest one.
//!
//! What is undefined and yet unnoticed by sanitizers is kept out: elements are removed only where there are some, strings
//! and maps are indexed by functions that throw, a vector's elements are read at most a few places beyond its end, and a
//! pointer is dangling only to the heap.

use crate::c_memory::Function;
use std::fmt::Write;

/// What every file needs above its functions.
pub const HEAD: &str = r#"#include <algorithm>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>
struct Shape {
  virtual ~Shape() {}
  virtual unsigned area(unsigned n) const { return n; }
};
struct Square : Shape {
  unsigned side;
  explicit Square(unsigned side) : side(side) {}
  unsigned area(unsigned n) const override { return side * side + n; }
};
struct Named {
  std::string name;
  virtual unsigned length() const { return name.size(); }
  virtual ~Named() {}
};
struct Box : Square, Named {
  explicit Box(unsigned side) : Square(side) { name.assign(side & 7, 'b'); }
  unsigned area(unsigned n) const override { return Square::area(n) + length(); }
};
struct Error : std::runtime_error {
  unsigned code;
  explicit Error(unsigned code) : std::runtime_error("error"), code(code) {}
};
struct Mark {
  unsigned &sum;
  explicit Mark(unsigned &sum) : sum(sum) {}
  ~Mark() { sum = sum * 3 + 1; }
};
template <class T> struct Ring {
  T items[4] = {};
  unsigned next = 0;
  void push(T item) { items[next++ % 4] = std::move(item); }
  const T &at(unsigned index) const {
    if (index >= 4) throw std::out_of_range("ring");
    return items[(next + index) % 4];
  }
};
struct Key {
  unsigned a, b;
  bool operator<(const Key &other) const { return a != other.a ? a < other.a : b < other.b; }
  Key operator+(const Key &other) const { return {a + other.a, b ^ other.b}; }
};
"#;

/// So many statements a function has at most.
const MOST_STATEMENTS: usize = 24;

/// The variables of each function: what the statements use.
const VARIABLES: &str = "  unsigned sum = 0;
  std::vector<unsigned> v = {3, 1, 2};
  std::string s = \"ab\";
  std::map<unsigned, unsigned> m;
  std::map<Key, std::string> k;
  std::set<unsigned> t;
  std::deque<unsigned> d;
  std::list<unsigned> l = {1, 2};
  std::unique_ptr<Shape> p;
  std::shared_ptr<Shape> q;
  std::optional<unsigned> o;
  Ring<std::string> r;
  std::function<unsigned(unsigned)> g = [&](unsigned n) { return n + sum; };
";

/// The function that these bytes describe.
pub fn function(name: &str, source: &[u8]) -> Function {
    let mut bytes = source.iter().copied();
    let mut below = |bound: u32| bytes.next().map_or(0, |it| u32::from(it) % bound);
    let inputs = [2 + below(5), 1 + below(3)];
    let mut writer = Writer {
        source: source.get(2..).unwrap_or_default().iter(),
        depth: 1,
        statements: 0,
        nesting: 3,
        text: String::new(),
    };
    while writer.source.len() > 0 && writer.statements < MOST_STATEMENTS {
        writer.statement();
    }
    let body = writer.text;
    let text = format!(
        "static int {name}(int first, int second) {{\n  const unsigned a = first, b = second;\n{VARIABLES}{body}  \
         sum += v.size() + s.size() + m.size() + d.size() + l.size();\n  return (int)(sum & 15);\n}}\n"
    );
    Function { text, inputs }
}

struct Writer<'a> {
    source: std::slice::Iter<'a, u8>,
    depth: usize,
    statements: usize,
    /// How many blocks may still be opened inside of each other.
    nesting: usize,
    text: String,
}

impl Writer<'_> {
    fn below(&mut self, bound: usize) -> usize {
        self.source.next().map_or(0, |it| usize::from(*it) % bound)
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "{}{text}", "  ".repeat(self.depth));
    }

    /// An expression of small values.
    fn value(&mut self) -> String {
        match self.below(10) {
            0 => "1".to_owned(),
            1 => "a".to_owned(),
            2 => "b".to_owned(),
            3 => format!("(a + {})", self.below(4)),
            4 => "(a * 2 + b)".to_owned(),
            5 => "(sum & 3)".to_owned(),
            6 => "(v.size() & 7)".to_owned(),
            7 => "(a ^ b)".to_owned(),
            8 => "(s.length() & 3)".to_owned(),
            _ => format!("{}", self.below(6)),
        }
    }

    fn condition(&mut self) -> String {
        match self.below(6) {
            0 => format!("a == {}", self.below(6)),
            1 => format!("a > {}", self.below(5)),
            2 => "b == 1".to_owned(),
            3 => "a < b".to_owned(),
            4 => format!("v.size() > {}", self.below(6)),
            _ => format!("(sum & 1) == {}", self.below(2)),
        }
    }

    fn statement(&mut self) {
        self.statements += 1;
        match self.below(7) {
            0 => self.of_vector(),
            1 => self.of_text(),
            2 => self.of_map(),
            3 => self.of_sequence(),
            4 => self.of_object(),
            5 => self.of_call(),
            _ => self.block(),
        }
    }

    fn of_vector(&mut self) {
        let value = self.value();
        let text = match self.below(16) {
            0 => format!("v.push_back({value});"),
            1 => "if (!v.empty()) v.pop_back();".to_owned(),
            2 => format!("sum += v[{value}];"),
            3 => format!("sum += v.at({value});"),
            4 => format!("v.at({value}) += 3;"),
            5 => "std::sort(v.begin(), v.end());".to_owned(),
            6 => "std::reverse(v.begin(), v.end());".to_owned(),
            7 => "sum = std::accumulate(v.begin(), v.end(), sum);".to_owned(),
            8 => format!("v.erase(std::remove(v.begin(), v.end(), {value}), v.end());"),
            9 => format!("sum += std::count_if(v.begin(), v.end(), [&](unsigned it) {{ return it > {value}; }});"),
            10 => format!("v.insert(v.begin() + std::min<size_t>({value}, v.size()), {});", self.value()),
            11 => format!("{{ unsigned &it = v.at({value}); v.push_back(1); sum += it; }}"),
            12 => format!("v.reserve({value} + 4);"),
            13 => format!("v.resize({value});"),
            14 => {
                let second = self.value();
                format!("{{ auto w = v; w.push_back({value}); std::swap(v, w); sum += w.size() > {second}; }}")
            }
            _ => "{ std::vector<unsigned> w = std::move(v); v.assign(w.rbegin(), w.rend()); }".to_owned(),
        };
        self.line(&text);
    }

    fn of_text(&mut self) {
        let value = self.value();
        let text = match self.below(10) {
            0 => format!("s += (char)('a' + ({value} & 3));"),
            1 => format!("s.append({value}, 'c');"),
            2 => format!("sum += s.find((char)('a' + ({value} & 3))) & 15;"),
            3 => format!("sum += s.substr({value}).size();"),
            4 => format!("sum += s.at({value});"),
            5 => format!("if (s < \"abc\") sum += {value};"),
            6 => format!("s = std::to_string({value}) + s.substr(0, 2);"),
            7 => format!("s.insert({value}, \"xy\");"),
            8 => format!("r.push(s + 'r'); sum += r.at({value}).size();"),
            _ => format!("sum += std::stoi(\"1\" + std::string({value} & 1, '2'));"),
        };
        self.line(&text);
    }

    fn of_map(&mut self) {
        let (value, second) = (self.value(), self.value());
        let text = match self.below(11) {
            0 => format!("m[{value}] += {second};"),
            1 => "for (auto &it : m) sum += it.first * 2 + it.second;".to_owned(),
            2 => format!("sum += m.at({value});"),
            3 => format!("sum += m.erase({value});"),
            4 => {
                let lambda = format!("it = it->first == {value} ? m.erase(it) : std::next(it)");
                format!("for (auto it = m.begin(); it != m.end();) {lambda};")
            }
            5 => format!("if (auto it = m.find({value}); it != m.end()) it->second = {second};"),
            6 => format!("k[Key{{unsigned({value}), b}} + Key{{1, unsigned({second})}}] += 'k';"),
            7 => "for (auto &[key, text] : k) sum += key.a + key.b + text.size();".to_owned(),
            8 => format!("t.insert({value}); t.insert({second});"),
            9 => format!("sum += t.count({value}) + std::distance(t.lower_bound({second}), t.end());"),
            _ => format!("if (!m.emplace({value}, {second}).second) sum ^= 5;"),
        };
        self.line(&text);
    }

    fn of_sequence(&mut self) {
        let value = self.value();
        let text = match self.below(9) {
            0 => format!("d.push_back({value});"),
            1 => format!("d.push_front({value});"),
            2 => "if (!d.empty()) { sum += d.front(); d.pop_front(); }".to_owned(),
            3 => format!("sum += d.at({value});"),
            4 => format!("l.push_front({value});"),
            5 => format!("l.remove({value});"),
            6 => "l.sort(); l.unique(); if (!l.empty()) sum += l.back();".to_owned(),
            7 => format!(
                "{{ auto it = l.insert(l.end(), {value}); l.erase(it); if ({}) sum += *it; }}",
                self.condition()
            ),
            _ => "for (unsigned it : l) sum = sum * 2 + it;".to_owned(),
        };
        self.line(&text);
    }

    fn of_object(&mut self) {
        let value = self.value();
        let text = match self.below(12) {
            0 => format!("p = std::make_unique<Square>({value});"),
            1 => format!("p = std::make_unique<Box>({value});"),
            2 => format!("sum += p->area({value});"),
            3 => format!("if (p) sum += p->area({value});"),
            4 => "q = std::move(p);".to_owned(),
            5 => format!("{{ auto w = q; sum += w.use_count(); if ({}) q.reset(); }}", self.condition()),
            6 => "if (auto *it = dynamic_cast<Square *>(q.get())) sum += it->side;".to_owned(),
            7 => "if (auto it = std::dynamic_pointer_cast<Box>(q)) sum += it->length();".to_owned(),
            8 => format!("sum += dynamic_cast<Named &>(*std::make_unique<Box>({value})).length();"),
            9 => {
                let condition = self.condition();
                format!(
                    "{{ Shape *it = new Square({value}); if ({condition}) delete it; else sum += it->area(1), delete it; }}"
                )
            }
            10 => {
                let condition = self.condition();
                format!("{{ Square *it = new Square({value}); delete it; if ({condition}) sum += it->side; }}")
            }
            _ => {
                format!("{{ std::weak_ptr<Shape> w = q; q = std::make_shared<Square>({value}); sum += w.expired(); }}")
            }
        };
        self.line(&text);
    }

    fn of_call(&mut self) {
        let value = self.value();
        let text = match self.below(8) {
            0 => format!("sum = g({value});"),
            1 => format!("g = [x = {value}, &sum](unsigned n) {{ return (n ^ x) + sum; }};"),
            2 => format!("if ({}) g = nullptr;", self.condition()),
            3 => format!("o = {value};"),
            4 => format!("sum += o.value_or({value});"),
            5 => "sum += o.value();".to_owned(),
            6 => format!("if ({}) throw Error({value});", self.condition()),
            _ => format!("sum += [&, n = {value}]() mutable {{ n += sum & 1; return n * 2; }}();"),
        };
        self.line(&text);
    }

    fn block(&mut self) {
        if self.nesting == 0 {
            return self.line("sum++;");
        }
        self.nesting -= 1;
        let kind = self.below(5);
        let opening = match kind {
            0 => format!("if ({}) {{", self.condition()),
            1 => format!("for (unsigned i = 0; i < {}; i++) {{", 1 + self.below(3)),
            2 => "{".to_owned(),
            _ => "try {".to_owned(),
        };
        self.line(&opening);
        self.depth += 1;
        if kind == 2 {
            self.line("Mark mark(sum);");
        }
        for _ in 0..1 + self.below(3) {
            self.statement();
        }
        self.depth -= 1;
        match kind {
            3 => self
                .line("} catch (const Error &it) { sum += it.code; } catch (const std::out_of_range &) { sum += 5; }"),
            4 => self.line("} catch (const std::exception &it) { sum += it.what()[0] & 7; } catch (...) { sum = 1; }"),
            _ => self.line("}"),
        }
        self.nesting += 1;
    }
}

//! Random C functions with memory, over inputs of a few values, to be run on every input: pointers to locals, globals and
//! the heap, blocks whose variables end, arrays, structures and copies of them, lengths that are computed.
//!
//! Knows: C, and where AddressSanitizer looks. Never: what explores the functions, or finds their bugs.
//! A statement is a line. Nothing recurs, every loop ends. A byte of the source is one choice, and 0, which is also what
//! follows the end, the simplest one: a shorter source is a smaller function.
//!
//! What is undefined and yet unnoticed by sanitizers is kept out by ranges: the generator knows for each pointer between
//! which elements of its object it points (`Place`), and lets no access *begin* farther than `RED_ZONE` bytes from the
//! object, or unaligned. Where one begins there, and runs on, it meets the red zone. For the same reason no block of a
//! loop has a variable, no array of variable length is in a block, `malloc` gets no 0, addresses are compared only with
//! null, nothing is copied between two pointers that may be null, and every byte is initialised before it can be read.

use std::fmt::Write;

/// AddressSanitizer's red zone beside a local of 4 bytes has 12; all others are wider.
const RED_ZONE: i64 = 12;

/// The function of a source, and how many values each of its two inputs has, from 0.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Function {
    /// Globals, helpers and the function `static int NAME(int a, int b)`, which returns 0 to 15.
    pub text: String,
    /// How many values `a` and `b` have.
    pub inputs: [u32; 2],
}

/// What every file needs above its functions. The globals are not static, so that these are the leftmost.
pub const HEAD: &str = "#include <stdlib.h>\n#include <string.h>\n\
    struct box {\n  int size;\n  int data[3];\n};\n\
    char before_zeros[64];\nchar before_others[64] = {1};\n";

/// The function that these bytes describe.
pub fn function(name: &str, source: &[u8]) -> Function {
    let mut bytes = source.iter().copied();
    let mut below = |bound: u32| bytes.next().map_or(0, |it| u32::from(it) % bound);
    let inputs = [2 + below(6), 1 + below(4)];
    let rest = source.get(2..).unwrap_or_default();
    let mut writer = Writer {
        name: name.to_owned(),
        source: rest.iter().copied().collect(),
        inputs,
        places: Vec::new(),
        fresh: 0,
        depth: 1,
        before: String::new(),
        text: String::new(),
    };
    writer.local(None);
    while !writer.source.is_empty() && writer.text.lines().count() < 40 {
        writer.statement();
    }
    let Writer { before, text, .. } = writer;
    let text = format!(
        "{before}static int {name}(int a, int b) {{\n  unsigned sum = 0;\n{text}  return (int)(sum & 15);\n}}\n"
    );
    Function { text, inputs }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Element {
    Int,
    Char,
    Long,
    Short,
}

impl Element {
    fn name(self) -> &'static str {
        match self {
            Element::Int => "int",
            Element::Char => "char",
            Element::Long => "long",
            Element::Short => "short",
        }
    }

    /// So many elements are within a red zone.
    fn zone(self) -> i64 {
        match self {
            Element::Int => RED_ZONE / 4,
            Element::Char => RED_ZONE,
            Element::Long => RED_ZONE / 8,
            Element::Short => RED_ZONE / 2,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// A variable that points; it can be assigned.
    Pointer,
    /// An array that is no heap block, or what points to its first element for ever.
    Array,
    /// Another way to a pointer, which is never assigned.
    View,
}

/// What can be indexed: it points to the elements `from` to `to` of an object of at least `length` elements, or to
/// nothing any more.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Place {
    text: String,
    element: Element,
    from: i64,
    to: i64,
    length: i64,
    kind: Kind,
    /// Whether the pointer may be null.
    null: bool,
}

impl Place {
    fn join(&mut self, other: &Place) {
        self.from = self.from.min(other.from);
        self.to = self.to.max(other.to);
        self.length = self.length.min(other.length);
        self.null |= other.null;
    }

    /// The indices that stay inside.
    fn inside(&self) -> (i64, i64) {
        (-self.from, self.length - 1 - self.to)
    }

    /// The indices that stay near enough.
    fn near(&self) -> (i64, i64) {
        (-self.element.zone() - self.from, self.length + self.element.zone() - 1 - self.to)
    }

    fn moved(&self, text: String, by: (i64, i64), kind: Kind) -> Place {
        Place { text, from: self.from + by.0, to: self.to + by.1, kind, ..self.clone() }
    }
}

/// An expression of type `int` and between which numbers it is.
type Ranged = (String, i64, i64);

struct Writer {
    name: String,
    source: std::collections::VecDeque<u8>,
    inputs: [u32; 2],
    /// In scope, inner ones last.
    places: Vec<Place>,
    fresh: u32,
    depth: usize,
    /// The text of globals and helper functions.
    before: String,
    text: String,
}

impl Writer {
    fn below(&mut self, bound: usize) -> usize {
        self.source.pop_front().map_or(0, |it| usize::from(it) % bound)
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "{}{text}", "  ".repeat(self.depth));
    }

    fn fresh(&mut self, what: &str) -> String {
        self.fresh += 1;
        format!("{what}{}", self.fresh)
    }

    fn element(&mut self) -> Element {
        [Element::Int, Element::Int, Element::Char, Element::Char, Element::Long, Element::Short][self.below(6)]
    }

    fn constant(&mut self, bound: usize) -> i64 {
        self.below(bound) as i64
    }

    /// One of the places for which `which` holds, later ones more often.
    fn place(&mut self, which: impl Fn(&Place) -> bool) -> Option<usize> {
        let found: Vec<usize> = (0..self.places.len()).filter(|it| which(&self.places[*it])).collect();
        let back = self.below(found.len().max(1)).min(self.below(found.len().max(1)));
        found.len().checked_sub(1 + back).map(|it| found[it])
    }

    fn input(&mut self) -> (&'static str, i64) {
        let at = self.below(3) / 2;
        (["a", "b"][at], i64::from(self.inputs[at]) - 1)
    }

    /// An expression within these bounds; none if there are none.
    fn between(&mut self, (low, high): (i64, i64)) -> Option<Ranged> {
        if low > high {
            return None;
        }
        for _ in 0..3 {
            let res = self.ranged();
            if low <= res.1 && res.2 <= high {
                return Some(res);
            }
        }
        let it = low.max(0).min(high);
        let it = (it + self.constant(4)).min(high);
        Some((it.to_string(), it, it))
    }

    fn ranged(&mut self) -> Ranged {
        let (x, most) = self.input();
        let constant = 1 + self.constant(3);
        match self.below(9) {
            0 | 1 => (x.to_owned(), 0, most),
            2 => (format!("{x} - {constant}"), -constant, most - constant),
            3 => (format!("{constant} - {x}"), constant - most, constant),
            4 => {
                let (y, other) = self.input();
                (format!("{x} + {y}"), 0, most + other)
            }
            5 => ("(int)(sum & 3)".to_owned(), 0, 3),
            6 => (format!("({x} ^ {constant}) & 3"), 0, 3),
            7 => (format!("({x} > {constant} ? {constant} : 0)"), 0, constant),
            _ => match self.inside() {
                Some(value) => (format!("(int)({value} & 3)"), 0, 3),
                None => (x.to_owned(), 0, most),
            },
        }
    }

    /// An access that, if its pointer is good, is inside of the object.
    fn inside(&mut self) -> Option<String> {
        let at = self.place(|_| true)?;
        let place = self.places[at].clone();
        let index = place.inside();
        let index = self.constant(4).max(index.0).min(index.1);
        (place.inside().0 <= index).then(|| format!("{}[{index}]", place.text))
    }

    /// Mostly inside; sometimes not, or not for every input.
    fn index(&mut self, place: &Place) -> Option<Ranged> {
        let (inside, near) = (place.inside(), place.near());
        if inside.0 <= inside.1 && self.below(4) != 3 { self.between(inside) } else { self.between(near) }
    }

    /// An element to read or write.
    fn access(&mut self) -> Option<String> {
        let at = self.place(|_| true)?;
        let place = self.places[at].clone();
        let (index, ..) = self.index(&place)?;
        let text = &place.text;
        Some(match self.below(4) {
            3 => format!("*({text} + ({index}))"),
            _ if index == "0" && place.kind == Kind::Pointer => format!("*{text}"),
            _ => format!("{text}[{index}]"),
        })
    }

    /// A pointer value of this element type, where it points, and whether to a single element.
    fn pointer(&mut self, element: Option<Element>) -> Option<Place> {
        let at = self.place(|it| element.is_none_or(|wanted| it.element == wanted))?;
        let place = self.places[at].clone();
        if self.below(2) == 0 {
            return Some(place);
        }
        let (index, low, high) = self.index(&place)?;
        let text = match self.below(2) {
            0 => format!("{} + ({index})", place.text),
            _ => format!("&{}[{index}]", place.text),
        };
        Some(place.moved(text, (low, high), Kind::View))
    }

    fn value(&mut self) -> String {
        match self.below(6) {
            0 | 1 => self.constant(9).to_string(),
            2 => self.input().0.to_owned(),
            3 => {
                let constant = 2 + self.constant(5);
                format!("{} * {constant} - b", self.input().0)
            }
            4 => "(int)(sum & 255)".to_owned(),
            _ => self.access().unwrap_or_else(|| "7".to_owned()),
        }
    }

    fn condition(&mut self) -> String {
        let (x, most) = self.input();
        let constant = self.constant(most as usize + 1);
        match self.below(8) {
            0..=2 => format!("{x} == {constant}"),
            3 => format!("{x} < {constant}"),
            4 => format!("{x} != {constant}"),
            5 => "sum & 1".to_owned(),
            6 => match self.place(|it| it.kind == Kind::Pointer) {
                Some(at) => self.places[at].text.clone(),
                None => "a > b".to_owned(),
            },
            _ => match self.inside() {
                Some(value) => format!("{value} > {constant}"),
                None => "a > b".to_owned(),
            },
        }
    }

    fn statement(&mut self) {
        match self.below(24) {
            0..=2 => self.load(),
            3 | 4 => self.store(),
            5 => self.local(None),
            6 => self.new_pointer(),
            7 | 8 => self.move_pointer(),
            9 => self.assign_pointer(),
            10 | 11 if self.depth < 3 => self.branch(),
            12 | 13 if self.depth < 3 => self.block(),
            14 => self.heap(),
            15 => self.free(),
            16 => self.copy(),
            17 => self.string(),
            18 => self.set(),
            19 => self.walk(),
            20 => self.structure(),
            21 => self.indirect(),
            22 => self.call(),
            _ => self.far(),
        }
    }

    fn load(&mut self) {
        let Some(from) = self.access() else { return };
        match self.below(3) {
            0 => self.line(&format!("sum += {from};")),
            1 => self.line(&format!("sum = sum * 3 + {from};")),
            _ => self.line(&format!("sum ^= {from};")),
        }
    }

    fn store(&mut self) {
        let (Some(to), value) = (self.access(), self.value()) else { return };
        self.line(&format!("{to} = {value};"));
    }

    fn elements(&mut self, count: i64) -> String {
        let all: Vec<String> = (0..count).map(|_| (1 + self.constant(8)).to_string()).collect();
        all.join(", ")
    }

    fn local(&mut self, element: Option<Element>) {
        let element = element.unwrap_or_else(|| self.element());
        let length = 1 + self.constant(5);
        let (ty, form) = (element.name(), self.below(6));
        let (mut text, mut length) = (self.fresh("v"), length);
        match form {
            0 if element == Element::Char => {
                let (word, room) = (&"abcd"[..length.min(4) as usize], self.constant(3));
                length = word.len() as i64 + 1 + room;
                self.line(&format!("char {text}[{length}] = \"{word}\";"));
            }
            1 => {
                let value = self.value();
                self.line(&format!("{ty} {text} = {value};"));
                (text, length) = (format!("(&{text})"), 1);
            }
            2 => {
                text = format!("{}_{text}", self.name);
                let init = if self.below(2) == 0 { String::new() } else { format!(" = {{{}}}", self.elements(length)) };
                let _ = writeln!(self.before, "{ty} {text}[{length}]{init};");
            }
            3 if self.depth == 1 => {
                let Some((size, low, _)) = self.between((1, 7)) else { return };
                self.line(&format!("{ty} {text}[{size}];"));
                self.line(&format!("memset({text}, {}, sizeof {text});", self.fresh % 3));
                length = low;
            }
            _ => {
                let all = self.elements(length);
                self.line(&format!("{ty} {text}[{length}] = {{{all}}};"));
            }
        }
        self.places.push(Place { text, element, from: 0, to: 0, length, kind: Kind::Array, null: false });
    }

    fn new_pointer(&mut self) {
        let Some(value) = self.pointer(None) else { return };
        let name = self.fresh("p");
        self.line(&format!("{} *{name} = {};", value.element.name(), value.text));
        self.places.push(value.moved(name, (0, 0), Kind::Pointer));
    }

    fn move_pointer(&mut self) {
        let Some(at) = self.place(|it| it.kind == Kind::Pointer) else { return self.new_pointer() };
        let place = self.places[at].clone();
        let Some((by, low, high)) = self.index(&place) else { return };
        let text = &place.text;
        match self.below(4) {
            0 => self.line(&format!("{text} += {by};")),
            1 => self.line(&format!("{text} = {text} + ({by});")),
            2 if place.near().1 >= 1 => {
                self.line(&format!("{text}++;"));
                self.places[at] = place.moved(text.clone(), (1, 1), Kind::Pointer);
                return;
            }
            2 => return,
            _ => self.line(&format!("{text} -= -({by});")),
        }
        self.places[at] = place.moved(text.clone(), (low, high), Kind::Pointer);
    }

    fn assign_pointer(&mut self) {
        let Some(at) = self.place(|it| it.kind == Kind::Pointer) else { return self.new_pointer() };
        let to = self.places[at].text.clone();
        if self.below(8) == 7 {
            self.places[at].null = true;
            return self.line(&format!("{to} = 0;"));
        }
        let Some(value) = self.pointer(Some(self.places[at].element)) else { return };
        self.line(&format!("{to} = {};", value.text));
        self.places[at] = value.moved(to, (0, 0), Kind::Pointer);
    }

    /// Statements whose variables end with them.
    fn inner(&mut self, also: impl Fn(&mut Writer)) {
        let outside = self.places.len();
        self.depth += 1;
        also(self);
        for _ in 0..1 + self.below(3) {
            self.statement();
        }
        self.depth -= 1;
        self.places.truncate(outside);
    }

    fn branch(&mut self) {
        let cond = self.condition();
        self.line(&format!("if ({cond}) {{"));
        let before = self.places.clone();
        self.inner(|_| ());
        let then = std::mem::replace(&mut self.places, before);
        if self.below(2) == 1 {
            self.line("} else {");
            self.inner(|_| ());
        }
        for (one, other) in self.places.iter_mut().zip(&then) {
            one.join(other);
        }
        self.line("}");
    }

    /// A block, of whose variable a pointer outside may remain.
    fn block(&mut self) {
        let Some(at) = self.place(|it| it.kind == Kind::Pointer) else { return self.new_pointer() };
        let pointer = self.places[at].clone();
        self.line("{");
        self.inner(|it| {
            it.local(Some(pointer.element));
            if let Some(own) = it.places.last().cloned()
                && let Some((index, low, high)) = it.index(&own)
            {
                it.line(&format!("{} = &{}[{index}];", pointer.text, own.text));
                it.places[at] = own.moved(pointer.text.clone(), (low, high), Kind::Pointer);
            }
        });
        self.line("}");
    }

    fn heap(&mut self) {
        let (element, name) = (self.element(), self.fresh("h"));
        let Some((count, low, _)) = self.between((1, 7)) else { return };
        let ty = element.name();
        match self.below(3) {
            0 => self.line(&format!("{ty} *{name} = calloc({count}, sizeof *{name});")),
            1 => {
                self.line(&format!("{ty} *{name} = malloc(({count}) * sizeof *{name});"));
                self.line(&format!("memset({name}, {}, ({count}) * sizeof *{name});", self.fresh % 3));
            }
            _ => match self.place(|it| it.kind == Kind::Pointer && it.text.starts_with('h') && it.element == element) {
                Some(at) => {
                    let old = self.places[at].text.clone();
                    self.line(&format!("{ty} *{name} = realloc({old}, ({count}) * sizeof *{name});"));
                    self.line(&format!("memset({name}, 1, ({count}) * sizeof *{name});"));
                }
                None => self.line(&format!("{ty} *{name} = calloc(sizeof *{name}, {count});")),
            },
        }
        self.places.push(Place { text: name, element, from: 0, to: 0, length: low, kind: Kind::Pointer, null: false });
    }

    fn free(&mut self) {
        let Some(at) = self.place(|it| it.kind == Kind::Pointer) else { return };
        let name = self.places[at].text.clone();
        // Few pointers are of the heap: the others are freed for one input.
        if name.starts_with('h') && self.below(2) == 0 {
            self.line(&format!("free({name});"));
        } else {
            let cond = self.condition();
            self.line(&format!("if ({cond})"));
            self.line(&format!("  free({name});"));
        }
    }

    fn bytes(&mut self, element: Element) -> String {
        let Some((count, ..)) = self.between((-1, 6)) else { return "1".to_owned() };
        match self.below(3) {
            0 => format!("({count}) * sizeof({})", element.name()),
            1 => count,
            _ => format!("(unsigned char)({count})"),
        }
    }

    fn copy(&mut self) {
        let (Some(to), other) = (self.pointer(None), self.below(3)) else { return };
        let Some(from) = self.pointer((other > 0).then_some(to.element)) else { return };
        if to.null && from.null {
            return;
        }
        let (length, function) = (self.bytes(to.element), ["memcpy", "memmove", "memcmp"][self.below(3)]);
        let (to, from) = (to.text, from.text);
        match function {
            "memcmp" => self.line(&format!("sum += memcmp({to}, {from}, {length}) != 0;")),
            _ => self.line(&format!("{function}({to}, {from}, {length});")),
        }
    }

    fn set(&mut self) {
        let Some(to) = self.pointer(None) else { return };
        let (length, value) = (self.bytes(to.element), self.value());
        self.line(&format!("memset({}, {value}, {length});", to.text));
    }

    fn string(&mut self) {
        let Some(one) = self.pointer(Some(Element::Char)) else { return };
        let Some(two) = self.pointer(Some(Element::Char)) else { return };
        let (one, two) = (one.text, two.text);
        match self.below(6) {
            0 => self.line(&format!("sum += strlen({one});")),
            1 => self.line(&format!("strcpy({one}, {two});")),
            2 => self.line(&format!("strcat({one}, {two});")),
            3 => self.line(&format!("sum += strcmp({one}, {two}) == 0;")),
            4 => {
                let length = self.bytes(Element::Char);
                self.line(&format!("strncpy({one}, {two}, {length});"));
            }
            _ => {
                let value = self.value();
                self.line(&format!("sum += strchr({one}, {value}) != 0;"));
            }
        }
    }

    /// A loop over the elements from a pointer on.
    fn walk(&mut self) {
        let (Some(place), Some((count, low, high))) = (self.pointer(None), self.between((0, 8))) else { return };
        let (text, value) = (place.text.clone(), self.value());
        match self.below(3) {
            0 => self.line(&format!("for (int i = 0; i < {count}; i++) ({text})[i] = {value};")),
            1 => self.line(&format!("for (int i = {count}; i-- > 0;) sum += ({text})[i];")),
            _ => {
                let Some(at) = self.place(|it| it.kind == Kind::Pointer && it.near().1 >= 0) else { return };
                let place = self.places[at].clone();
                let name = &place.text;
                self.line(&format!("for (int i = 0; i < {count}; i++) *{name}++ = {value};"));
                // Who has passed the end has not come here.
                let to = (place.to + high).min(place.length.max(place.to));
                self.places[at] = Place { from: (place.from + low).min(to), to, ..place };
            }
        }
    }

    /// Structures are copied, as a whole and through pointers to something smaller.
    fn structure(&mut self) {
        let name = self.fresh("s");
        let all = self.elements(3);
        self.line(&format!("struct box {name} = {{a, {{{all}}}}};"));
        let inside = |name: &str| Place {
            text: format!("{name}.data"),
            element: Element::Int,
            from: 1,
            to: 1,
            length: 4,
            kind: Kind::Array,
            null: false,
        };
        self.places.push(inside(&name));
        match self.below(4) {
            0 => {
                let other = self.fresh("s");
                self.line(&format!("struct box {other} = {name};"));
                self.places.push(inside(&other));
            }
            1 => {
                let Some(to) = self.pointer(Some(Element::Int)) else { return };
                self.line(&format!("*(struct box *)({}) = {name};", to.text));
            }
            2 => {
                let Some(from) = self.pointer(Some(Element::Int)) else { return };
                self.line(&format!("{name} = *(struct box *)({});", from.text));
            }
            _ => {
                let helper = self.helper("changed");
                let (x, most) = self.input();
                let index = if most <= 3 { "it.size".to_owned() } else { format!("it.size & {}", 3 + self.below(2)) };
                let _ = writeln!(
                    self.before,
                    "static struct box {helper}(struct box it) {{\n  it.data[{index}] += 2;\n  return it;\n}}"
                );
                self.line(&format!("{name}.size = {x};"));
                self.line(&format!("{name} = {helper}({name});"));
            }
        }
    }

    /// Pointers in memory: to a pointer, in an array, in a structure.
    fn indirect(&mut self) {
        let Some(at) = self.place(|it| it.kind == Kind::Pointer) else { return self.new_pointer() };
        let place = self.places[at].clone();
        let ty = place.element.name();
        match self.below(2) {
            0 => {
                let name = self.fresh("pp");
                self.line(&format!("{ty} **{name} = &{};", place.text));
                let to = self.pointer(Some(place.element)).filter(|it| it.text != place.text);
                if let Some(to) = to {
                    self.line(&format!("*{name} = {};", to.text));
                    self.places[at] = to.moved(place.text, (0, 0), Kind::Pointer);
                }
                let text = format!("(*{name})");
                if let (Some(index), kept) = (self.index(&self.places[at].clone()), &self.places[at]) {
                    let _ = kept;
                    self.line(&format!("sum += {text}[{}];", index.0));
                }
            }
            _ => {
                let Some(other) = self.pointer(Some(place.element)) else { return };
                let name = self.fresh("row");
                self.line(&format!("{ty} *{name}[2] = {{{}, {}}};", place.text, other.text));
                let Some((index, ..)) = self.between((0, 1)) else { return };
                let mut both = place.moved(format!("{name}[{index}]"), (0, 0), Kind::View);
                both.join(&other);
                self.places.push(both);
            }
        }
    }

    fn helper(&mut self, what: &str) -> String {
        let name = self.fresh(what);
        format!("{}_{name}", self.name)
    }

    /// Pointers that are passed and returned.
    fn call(&mut self) {
        let Some(place) = self.pointer(None) else { return };
        let ty = place.element.name();
        let text = place.text.clone();
        match self.below(5) {
            0 => {
                let Some((index, ..)) = self.index(&place) else { return };
                let helper = self.helper("get");
                let _ = writeln!(self.before, "static {ty} {helper}({ty} *it, int at) {{\n  return it[at];\n}}");
                self.line(&format!("sum += {helper}({text}, {index});"));
            }
            1 => {
                let Some((index, low, high)) = self.index(&place) else { return };
                let (helper, name) = (self.helper("at"), self.fresh("p"));
                let _ = writeln!(self.before, "static {ty} *{helper}({ty} *it, int at) {{\n  return it + at;\n}}");
                self.line(&format!("{ty} *{name} = {helper}({text}, {index});"));
                self.places.push(place.moved(name, (low, high), Kind::Pointer));
            }
            2 => {
                let (helper, name) = (self.helper("local"), self.fresh("p"));
                let _ = writeln!(
                    self.before,
                    "static {ty} *{helper}({ty} *it, int c) {{\n  {ty} own = 3;\n  {ty} *res = c ? it : &own;\n  \
                     return res;\n}}"
                );
                let cond = self.condition();
                self.line(&format!("{ty} *{name} = {helper}({text}, !!({cond}));"));
                let own = Place { from: 0, to: 0, length: 1, ..place.clone() };
                let mut res = place.moved(name, (0, 0), Kind::Pointer);
                res.join(&own);
                self.places.push(res);
            }
            3 => {
                let Some((count, ..)) = self.between((0, 6)) else { return };
                let helper = self.helper("fill");
                let _ = writeln!(
                    self.before,
                    "static void {helper}({ty} *it, int n) {{\n  for (int i = 0; i < n; i++)\n    it[i] = i + n;\n}}"
                );
                self.line(&format!("{helper}({text}, {count});"));
            }
            _ => {
                let helper = self.helper("drop");
                let _ = writeln!(self.before, "static void {helper}(void *it, int c) {{\n  if (c)\n    free(it);\n}}");
                let cond = self.condition();
                self.line(&format!("{helper}({text}, !!({cond}));"));
            }
        }
    }

    /// An unsigned number that is negated goes 4 GiB beyond, where nothing is.
    fn far(&mut self) {
        let Some(at) = self.place(|it| it.kind == Kind::Array && it.inside().0 <= 0) else { return };
        let place = self.places[at].clone();
        let (x, _) = self.input();
        let constant = self.constant(4);
        match self.below(2) {
            0 => self.line(&format!("if ({x} >= {constant}) sum += {}[-(unsigned){x}];", place.text)),
            _ => self.line(&format!("sum += {}[{x} == {constant} ? -1u : 0];", place.text)),
        }
    }
}

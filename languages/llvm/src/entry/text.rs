//! The text of a program that calls a function with any arguments.
//!
//! Knows: which statements of C make up a value of a type. Never: how types are read (`types`).
//!
//! Every value is any that its type has, with these bounds, which are told: what a pointer leads to has a size, pointers
//! in structures lead to structures of their own up to a depth and are null there, functions among them are null.

use super::types::{Kind, Member, Types};
use super::{EntryError, Harness, Signature, Wishes};

/// Structures that pointers in structures lead to are made up so deep.
const MOST_DEPTH: u32 = 2;

/// Structures in structures, arrays in arrays: deeper ones stay zero.
const MOST_NESTING: u32 = 32;

/// The text gets no longer.
const MOST_TEXT: usize = 1 << 20;

/// The most bytes behind a pointer, and the most elements of an array.
const MOST_BYTES: u64 = 1 << 20;

/// A truth value.
const ANY_BIT: &str = "static int any_bit(const char *name) {
  unsigned char byte;
  klee_make_symbolic(&byte, 1, name);
  return byte & 1;
}

";

type Result<T> = std::result::Result<T, EntryError>;

pub(super) fn write(signature: &Signature, wishes: &Wishes) -> Result<Harness> {
    check(signature, wishes)?;
    let mut writer = Writer {
        types: signature.types(),
        wishes,
        function: &signature.name,
        text: String::new(),
        indent: 1,
        remarks: Vec::new(),
    };
    // Lengths come before the arrays that they are of.
    let is_array = |name: &str| wishes.arrays.iter().find(|it| it.0 == name);
    for (name, ty) in signature.parameters.iter().filter(|it| is_array(&it.0).is_none()) {
        writer.parameter(name, *ty)?;
    }
    for (name, ty) in &signature.parameters {
        if let Some((_, length)) = is_array(name) {
            writer.array(name, *ty, length, signature)?;
        }
    }
    let arguments: Vec<String> = signature.parameters.iter().map(|it| writer.local(&it.0)).collect();
    let call = format!("{}({})", signature.name, arguments.join(", "));
    match signature.types().is_integer(signature.result) {
        true => writer.line(&format!("return (int){call};")),
        false => {
            writer.line(&format!("{call};"));
            writer.line("return 0;");
        }
    }
    if signature.more {
        writer.remarks.push(format!("{} is called without the arguments that it does not name", signature.name));
    }
    let Writer { text, mut remarks, .. } = writer;
    remarks.dedup();
    let bits = if text.contains("any_bit(") { ANY_BIT } else { "" };
    Ok(Harness { text: format!("{bits}int main(void) {{\n{text}}}\n"), remarks })
}

/// Whether what is wished for is there.
fn check(signature: &Signature, wishes: &Wishes) -> Result<()> {
    let types = signature.types();
    let names: Vec<&str> = signature.parameters.iter().map(|it| &*it.0).collect();
    let missing = |flag, name: &str, what| {
        let hint = match names.is_empty() {
            true => "; it has none".to_owned(),
            false => format!("; its parameters are {}", names.join(", ")),
        };
        EntryError::NoParameter { flag, name: name.to_owned(), function: signature.name.clone(), what, hint }
    };
    let ty = |name: &str| signature.parameters.iter().find(|it| it.0 == name).map(|it| it.1);
    let points = |name: &str| match ty(name).map(|it| types.kind(it)) {
        Some(Kind::Pointer(to)) => Some(to),
        _ => None,
    };
    for (array, length) in &wishes.arrays {
        if points(array).is_none() {
            return Err(missing("--array", array, "pointer"));
        }
        if !ty(length).is_some_and(|it| types.is_integer(it)) {
            return Err(missing("--array", &format!("{array}:{length}"), "integer"));
        }
    }
    for (string, _) in &wishes.strings {
        if !points(string).is_some_and(|to| types.is_character(to)) {
            return Err(missing("--string", string, "pointer to characters"));
        }
    }
    for pointer in &wishes.null {
        let root = pointer.split(['-', '.', '[']).next().unwrap_or_default();
        if ty(root).is_none() || (root == pointer && points(root).is_none()) {
            return Err(missing("--null", pointer, "pointer"));
        }
    }
    Ok(())
}

struct Writer<'w> {
    types: Types<'w>,
    wishes: &'w Wishes,
    function: &'w str,
    text: String,
    indent: usize,
    remarks: Vec<String>,
}

impl Writer<'_> {
    fn line(&mut self, line: &str) {
        self.text.push_str(&"  ".repeat(self.indent));
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// A statement that is executed where a pointer is not null, if it may be.
    fn unless_null(&mut self, lvalue: &str, body: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        if !self.wishes.null.iter().any(|it| it == lvalue) {
            return body(self);
        }
        self.line(&format!("if (any_bit(\"{lvalue} is set\")) {{"));
        self.indent += 1;
        let res = body(self);
        self.indent -= 1;
        self.line("}");
        res
    }

    /// The variable for a parameter: it does not hide the function.
    fn local(&self, name: &str) -> String {
        if name == self.function { format!("{name}_") } else { name.to_owned() }
    }

    fn nameless(&self, name: &str) -> EntryError {
        EntryError::Nameless { function: self.function.to_owned(), parameter: name.to_owned() }
    }

    fn parameter(&mut self, name: &str, ty: Option<u32>) -> Result<()> {
        let types = self.types;
        let local = self.local(name);
        let pointed = match types.kind(ty) {
            Kind::Pointer(to) => to,
            _ => ty,
        };
        self.refuse(name, pointed, types.kind(pointed))?;
        let spelling = types.spelling(ty).ok_or_else(|| self.nameless(name))?;
        if let Some((_, most)) = self.wishes.strings.iter().find(|it| it.0 == name) {
            let most = most.unwrap_or(self.wishes.buffer).min(MOST_BYTES);
            self.line(&format!("{spelling}{}{local} = 0;", space(&spelling)));
            return self.unless_null(name, |it| {
                it.line(&format!("char {local}_text[{}];", most + 1));
                if most > 0 {
                    it.line(&format!("klee_make_symbolic({local}_text, {most}, \"{name}\");"));
                }
                it.line(&format!("{local}_text[{most}] = 0;"));
                it.line(&format!("{local} = (void *)strdup({local}_text);"));
                Ok(())
            });
        }
        match types.kind(ty) {
            Kind::Pointer(to) => {
                self.line(&format!("{spelling}{}{local} = 0;", space(&spelling)));
                self.unless_null(name, |it| it.target(&local, name, to, 0))
            }
            _ => {
                self.line(&format!("{spelling} {local};"));
                if !matches!(types.kind(ty), Kind::Scalar | Kind::Bool) {
                    self.line(&format!("memset(&{local}, 0, sizeof {local});"));
                }
                self.fill(&local, ty, 0, 0)
            }
        }
    }

    /// What no value can be made up for.
    fn refuse(&self, name: &str, ty: Option<u32>, kind: Kind) -> Result<()> {
        let (function, parameter) = (self.function.to_owned(), name.to_owned());
        match kind {
            Kind::Function => Err(EntryError::FunctionPointer { function, parameter }),
            Kind::Opaque if ty.is_some() => {
                let ty = self.types.spelling(ty).unwrap_or_else(|| "an unknown one".to_owned());
                Err(EntryError::Opaque { function, parameter, ty })
            }
            _ => Ok(()),
        }
    }

    /// A pointer to as many elements as another parameter says: a path for each number.
    fn array(&mut self, name: &str, ty: Option<u32>, length: &str, signature: &Signature) -> Result<()> {
        let types = self.types;
        let Kind::Pointer(element) = types.kind(ty) else { return Ok(()) };
        self.refuse(name, element, types.kind(element))?;
        let (local, count) = (self.local(name), self.local(length));
        let spelling = types.spelling(ty).ok_or_else(|| self.nameless(name))?;
        let size = types.size(element).max(1);
        let most = (self.wishes.buffer.min(MOST_BYTES) / size).max(1);
        let length = signature.parameters.iter().find(|it| it.0 == length).and_then(|it| it.1);
        let least = if types.is_signed(length) { format!("{count} >= 0 & ") } else { String::new() };
        self.line(&format!("klee_assume({least}{count} <= {most});"));
        self.line(&format!("unsigned long {local}_count = 0; /* a path for each */"));
        self.line(&format!("while ({local}_count < {count}) {local}_count++;"));
        self.line(&format!("{spelling}{}{local} = 0;", space(&spelling)));
        let (inner, bytes) = match element {
            Some(_) => (element, format!("{local}_count * sizeof *{local}")),
            None => (None, format!("{local}_count")),
        };
        self.unless_null(name, |it| {
            if inner.is_some() && types.has_parts(inner, 0) {
                it.line(&format!("{local} = calloc({local}_count, sizeof *{local});"));
                it.line(&format!("for (unsigned long i = 0; i < {local}_count; i++) {{"));
                it.indent += 1;
                let res = it.fill(&format!("{local}[i]"), inner, 0, 0);
                it.indent -= 1;
                it.line("}");
                return res;
            }
            it.line(&format!("{local} = malloc({bytes});"));
            it.line(&format!("klee_make_symbolic({local}, {bytes}, \"{name}\");"));
            Ok(())
        })
    }

    fn null(&mut self, lvalue: &str, name: &str) {
        self.line(&format!("{lvalue} = 0;"));
        self.remarks.push(format!("{name} is null"));
    }

    /// What a pointer leads to: an object of its own.
    fn target(&mut self, lvalue: &str, name: &str, to: Option<u32>, depth: u32) -> Result<()> {
        let types = self.types;
        match types.kind(to) {
            Kind::Stream => self.line(&format!("{lvalue} = stdin;")),
            Kind::Function | Kind::Opaque if to.is_some() => self.null(lvalue, name),
            Kind::Scalar | Kind::Opaque => {
                let size = types.size(to).max(1);
                let bytes = (self.wishes.buffer.min(MOST_BYTES) / size).max(1) * size;
                self.line(&format!("{lvalue} = malloc({bytes});"));
                self.line(&format!("klee_make_symbolic({lvalue}, {bytes}, \"{name}\");"));
            }
            Kind::Structure(_) | Kind::Union(_) | Kind::Pointer(_) if depth >= MOST_DEPTH => {
                self.null(lvalue, name);
            }
            Kind::Structure(_) | Kind::Union(_) => {
                self.line(&format!("{lvalue} = calloc(1, sizeof *{lvalue});"));
                self.content(&format!("{lvalue}->"), &format!("*{lvalue}"), to, depth + 1, 0)?;
            }
            _ => {
                self.line(&format!("{lvalue} = calloc(1, sizeof *{lvalue});"));
                self.fill(&format!("{lvalue}[0]"), to, depth + 1, 0)?;
            }
        }
        Ok(())
    }

    /// Gives a place any value of its type.
    fn fill(&mut self, lvalue: &str, ty: Option<u32>, depth: u32, nesting: u32) -> Result<()> {
        let types = self.types;
        if nesting > MOST_NESTING || self.text.len() > MOST_TEXT {
            self.remarks.push(format!("{lvalue} is zero"));
            return Ok(());
        }
        let place = match types.bare(ty).1 {
            true => format!("*(void **)&{lvalue}"),
            false => lvalue.to_owned(),
        };
        match types.kind(ty) {
            Kind::Bool => self.line(&format!("*(_Bool *)&{lvalue} = any_bit(\"{lvalue}\");")),
            Kind::Pointer(to) if place == lvalue => {
                if self.wishes.null.iter().any(|it| it == lvalue) {
                    self.line(&format!("{lvalue} = 0;"));
                }
                self.unless_null(lvalue, |it| it.target(lvalue, lvalue, to, depth))?;
            }
            // A constant member gets its value from a variable.
            Kind::Pointer(to) => {
                let Some(spelling) = types.spelling(ty) else {
                    self.remarks.push(format!("{lvalue} is null"));
                    return Ok(());
                };
                self.line("{");
                self.indent += 1;
                self.line(&format!("{spelling}{}pointer = 0;", space(&spelling)));
                let res = self.unless_null(lvalue, |it| it.target("pointer", lvalue, to, depth));
                self.line(&format!("{place} = (void *)pointer;"));
                self.indent -= 1;
                self.line("}");
                res?;
            }
            Kind::Array(_, 0) => {}
            Kind::Array(element, count) if types.has_parts(element, 0) => {
                let counter = format!("i{nesting}");
                self.line(&format!("for (unsigned long {counter} = 0; {counter} < {count}; {counter}++) {{"));
                self.indent += 1;
                let res = self.fill(&format!("{lvalue}[{counter}]"), element, depth, nesting + 1);
                self.indent -= 1;
                self.line("}");
                res?;
            }
            Kind::Structure(_) | Kind::Union(_) => {
                self.content(&format!("{lvalue}."), lvalue, ty, depth, nesting)?;
            }
            Kind::Matrix(element) if types.has_parts(element, 0) => self.remarks.push(format!("{lvalue} is zero")),
            Kind::Scalar | Kind::Array(..) | Kind::Matrix(_) => {
                self.line(&format!("klee_make_symbolic((void *)&{lvalue}, sizeof {lvalue}, \"{lvalue}\");"));
            }
            Kind::Function | Kind::Stream | Kind::Opaque => self.remarks.push(format!("{lvalue} is zero")),
        }
        Ok(())
    }

    /// The members of a structure, each after `prefix`.
    fn content(&mut self, prefix: &str, whole: &str, ty: Option<u32>, depth: u32, nesting: u32) -> Result<()> {
        let types = self.types;
        let all = |it: &mut Self| {
            let size = format!("sizeof({whole})");
            it.line(&format!("klee_make_symbolic((void *)&({whole}), {size}, \"{whole}\");"));
        };
        match types.kind(ty) {
            Kind::Union(_) if !types.has_parts(ty, 0) => all(self),
            Kind::Union(_) => {
                self.line(&format!("memset((void *)&({whole}), 0, sizeof({whole}));"));
                self.remarks.push(format!("the union {whole} is zero"));
            }
            Kind::Structure(members) => {
                // What has no address is made up with everything around it.
                let with_bits = members.iter().any(|it| it.bit_field);
                if with_bits {
                    all(self);
                }
                for Member { name, ty, bit_field } in members {
                    if !bit_field && (!with_bits || types.has_parts(ty, 0)) {
                        self.member(prefix, whole, &name, ty, depth, nesting + 1)?;
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// A member. Those of a nameless one are named as if they were the structure's own.
    fn member(
        &mut self,
        prefix: &str,
        whole: &str,
        name: &str,
        ty: Option<u32>,
        depth: u32,
        nesting: u32,
    ) -> Result<()> {
        let types = self.types;
        match types.kind(ty) {
            _ if !name.is_empty() => self.fill(&format!("{prefix}{name}"), ty, depth, nesting),
            Kind::Structure(_) => self.content(prefix, whole, ty, depth, nesting),
            Kind::Union(members) => {
                // The largest member has all bytes of the others, where any bytes are a value.
                let largest = members.iter().filter(|it| !it.bit_field).max_by_key(|it| types.size(it.ty));
                match largest.filter(|it| !types.has_parts(ty, 0) && !it.name.is_empty()) {
                    Some(it) => self.fill(&format!("{prefix}{}", it.name), it.ty, depth, nesting),
                    None => {
                        let zeroed = members.iter().find(|it| !it.name.is_empty() && !it.bit_field);
                        if let Some(it) = zeroed {
                            self.line(&format!("memset((void *)&{prefix}{0}, 0, sizeof {prefix}{0});", it.name));
                        }
                        self.remarks.push(format!("a nameless union of {whole} is zero"));
                        Ok(())
                    }
                }
            }
            _ => Ok(()),
        }
    }
}

/// Between a type and a name.
fn space(spelling: &str) -> &'static str {
    if spelling.ends_with('*') { "" } else { " " }
}

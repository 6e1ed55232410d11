//! The C program that calls an entry with its inputs, for a native replay (beside `runtime/replay.c`).
//!
//! Knows: how the inputs of an entry are asked for in C. Never: the compiler (`driver`), what the inputs are.

use crate::code::Shape;
use crate::names::nondet;
use crate::program::Program;
use std::collections::BTreeMap;

const HEAD: &str = "void *malloc(unsigned long);
void effigy_symbolic(void *, unsigned long, const char *);
unsigned long effigy_number(unsigned, const char *);
";

/// A function that returns the next input of its name; the program's own wins.
fn input_function(name: &str, width: u32) -> String {
    let input = nondet(name).unwrap_or(name);
    let ty = match width {
        32 if name.ends_with("float") => "float",
        64 if name.ends_with("double") => "double",
        1 => "_Bool",
        8 => "signed char",
        16 => "short",
        32 => "int",
        128 => "__int128",
        _ => "long",
    };
    let bytes = width.div_ceil(8);
    let result = if width == 1 { "*(unsigned char *)&x & 1" } else { "x" };
    format!(
        "__attribute__((weak)) {ty} {name}(void) {{ {ty} x; effigy_symbolic(&x, {bytes}, \"{input}\"); return {result}; }}\n"
    )
}

impl Program {
    /// What a native replay needs beside the program: the functions without a body that are inputs, and a `main` that
    /// calls the entry with its inputs; `None` when there is neither.
    pub fn harness(&self) -> Option<String> {
        let inputs: BTreeMap<&str, u32> = self.executable.code.inputs().collect();
        let inputs: String = inputs.iter().map(|(name, width)| input_function(name, *width)).collect();
        let entry = self.entry_harness();
        (!inputs.is_empty() || entry.is_some()).then(|| format!("{HEAD}{inputs}{}", entry.unwrap_or_default()))
    }

    fn entry_harness(&self) -> Option<String> {
        self.executable.options.entry.as_ref()?;
        let function = &self.executable.code.functions[self.entry as usize];
        let mut declared = Vec::new();
        let mut text = String::new();
        let mut arguments = Vec::new();
        for (index, parameter) in function.parameters.iter().enumerate() {
            let name = parameter.name.trim_end_matches(".addr");
            let width = match parameter.shape {
                Shape::Scalar { width, .. } => width,
                Shape::Aggregate(_) => return None,
            };
            if parameter.pointer {
                let size = self.executable.options.buffer.min(1 << 20);
                text.push_str(&format!(
                    "  void *a{index} = malloc({size}); effigy_symbolic(a{index}, {size}, \"{name}\");\n"
                ));
                declared.push("void *".to_owned());
            } else {
                let (ty, bytes) = match width {
                    1 => ("_Bool", 1),
                    8 => ("signed char", 1),
                    16 => ("short", 2),
                    32 => ("int", 4),
                    64 => ("long", 8),
                    _ => return None,
                };
                let mask = if width == 1 { " & 1" } else { "" };
                text.push_str(&format!("  {ty} a{index} = ({ty})(effigy_number({bytes}, \"{name}\"){mask});\n"));
                declared.push(ty.to_owned());
            }
            arguments.push(format!("a{index}"));
        }
        let (result, call) = match &function.result {
            None => ("void", "  "),
            Some(Shape::Scalar { width: 64, .. }) => ("long", "  return (int)"),
            Some(Shape::Scalar { width: 32, .. }) => ("int", "  return "),
            Some(Shape::Scalar { width: 16, .. }) => ("unsigned short", "  return "),
            Some(Shape::Scalar { width: 8, .. }) => ("unsigned char", "  return "),
            Some(Shape::Scalar { width: 1, .. }) => ("_Bool", "  return "),
            Some(_) => return None,
        };
        let parameters = if declared.is_empty() { "void".to_owned() } else { declared.join(", ") };
        Some(format!(
            "{result} {0}({parameters});\nint main(void) {{\n{text}{call}{0}({1});\n  return 0;\n}}\n",
            function.name,
            arguments.join(", ")
        ))
    }
}

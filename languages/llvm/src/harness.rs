//! The C program that calls an entry with its inputs, for a native replay (beside `runtime/replay.c`).
//!
//! Knows: how the inputs of an entry are asked for in C. Never: the compiler (`driver`), what the inputs are.

use crate::code::Shape;
use crate::program::Program;

impl Program {
    /// The C program that calls the entry with its inputs, for a native replay; `None` when `main` is the entry.
    pub fn harness(&self) -> Option<String> {
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
        let head = "void *malloc(unsigned long);\nvoid effigy_symbolic(void *, unsigned long, const char *);\nunsigned long effigy_number(unsigned, const char *);\n";
        let parameters = if declared.is_empty() { "void".to_owned() } else { declared.join(", ") };
        Some(format!(
            "{head}{result} {0}({parameters});\nint main(void) {{\n{text}{call}{0}({1});\n  return 0;\n}}\n",
            function.name,
            arguments.join(", ")
        ))
    }
}

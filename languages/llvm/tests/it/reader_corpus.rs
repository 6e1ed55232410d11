//! The reader of textual LLVM IR: each construct, each compiler that is installed, and texts that nobody should write.

mod compilers;
mod constants;
mod hostile;
mod instructions;
mod layouts;
mod modules;
mod mutations;
mod oracle;

use effigy_llvm::ReadError;
use effigy_llvm::ir::{Function, Global, GlobalKind, Instruction, Metadata, Module};
use effigy_llvm::reader::read;

/// Reads a module that is well-formed.
fn module(text: &str) -> Module {
    read(text.as_bytes()).unwrap_or_else(|error| panic!("{error}\n  {}", error.excerpt))
}

/// The error of a module that is not.
fn error(text: &str) -> ReadError {
    match read(text.as_bytes()) {
        Ok(_) => panic!("this was read:\n{text}"),
        Err(error) => error,
    }
}

/// Reads a function `@f` with these parameters and this body; the body's last line need not be a terminator.
fn body(parameters: &str, text: &str) -> (Module, Function) {
    let module = module(&format!("define void @f({parameters}) {{\n{text}\nret void\n}}\n"));
    let function = function(&module, "f").clone();
    (module, function)
}

/// The first instruction of such a function.
fn instruction(parameters: &str, text: &str) -> (Module, Instruction) {
    let (module, function) = body(parameters, text);
    let first = function.blocks[0].instructions[0].clone();
    (module, first)
}

fn global<'a>(module: &'a Module, name: &str) -> &'a Global {
    module.globals.iter().find(|it| &*it.name == name).unwrap_or_else(|| panic!("there is no @{name}"))
}

fn function<'a>(module: &'a Module, name: &str) -> &'a Function {
    match &global(module, name).kind {
        GlobalKind::Function(function) => function,
        kind => panic!("@{name} is {kind:?}"),
    }
}

/// Line, column and function of an instruction, by way of the scopes around it.
fn place(module: &Module, instruction: &Instruction) -> Option<(u32, u32, String)> {
    let Some(Metadata::Location { line, column, scope, .. }) = module.metadata.get(&instruction.debug) else {
        return None;
    };
    let mut scope = *scope;
    loop {
        match module.metadata.get(&scope)? {
            Metadata::Subprogram { name, .. } => return Some((*line, *column, name.to_string())),
            Metadata::Block { scope: outer, .. } => scope = *outer,
            _ => return None,
        }
    }
}

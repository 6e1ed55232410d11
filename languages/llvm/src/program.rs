//! A program, ready to be walked: the implementation of [`Language`].
//!
//! Knows: the entry, the options, how states start and what a report wants to know of them.
//! Never: analyses.

use crate::code::{Code, Shape, SiteInfo};
use crate::ir::Module;
use crate::libc;
use crate::lower::{self, LinkError};
use crate::machine::{Executable, Machine};
use crate::memory::bytes::Bytes;
use crate::memory::{ObjectKind, Size};
use crate::options::Options;
use crate::reader::ReadError;
use crate::state::{Output, State};
use crate::statements::Statements;
use crate::step;
use crate::value::Val;
use effigy_engine::{Context, Input, InputData, Language, Place, Resolution, Step, Witness};
use effigy_term::eval::Evaluator;
use effigy_term::{Model, Term, Value};
use std::rc::Rc;

/// Why there is no program.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LoadError {
    /// A text is no LLVM IR.
    #[error("{name}:{}:{}: {}", error.line, error.column, error.message)]
    Read {
        /// The file.
        name: String,
        /// What is wrong with it.
        error: ReadError,
    },
    /// The modules do not fit together.
    #[error(transparent)]
    Link(#[from] LinkError),
    /// There is no function of the entry's name.
    #[error("there is no function `{name}` to start from{hint}")]
    NoEntry {
        /// The entry's name.
        name: String,
        /// What there is.
        hint: String,
    },
    /// The entry takes what we cannot make up.
    #[error("the parameter `{parameter}` of `{function}` has a type for which no symbolic value can be made")]
    EntryParameter {
        /// The function.
        function: String,
        /// The parameter.
        parameter: String,
    },
}

/// A program.
pub struct Program {
    pub(crate) executable: Executable,
    pub(crate) entry: u32,
    /// Found when they are first asked for.
    pub(crate) statements: std::cell::OnceCell<Statements>,
}

impl std::fmt::Debug for Program {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Program({} functions)", self.executable.code.functions.len())
    }
}

/// Reads and links modules: names and texts.
///
/// # Errors
/// What is wrong with the texts, or with the entry.
pub fn load(texts: &[(String, Vec<u8>)], options: Options) -> Result<Program, LoadError> {
    let mut modules: Vec<Module> = Vec::with_capacity(texts.len());
    for (name, text) in texts {
        let module = crate::reader::read(text);
        modules.push(module.map_err(|error| LoadError::Read { name: name.clone(), error })?);
    }
    let mut code = lower::link(&modules, &libc::find)?;
    let library = libc::install(&mut code);
    let name = options.entry.as_deref().unwrap_or("main");
    let found = code.functions.iter().position(|it| &*it.name == name || &*it.source_name == name);
    let Some(entry) = found else {
        return Err(LoadError::NoEntry { name: name.to_owned(), hint: entry_hint(&code) });
    };
    if options.entry.is_some() {
        let function = &code.functions[entry];
        for parameter in &function.parameters {
            let supported =
                matches!(parameter.shape, Shape::Scalar { width, .. } if width == 1 || width.is_multiple_of(8));
            if !supported {
                let (function, parameter) = (function.name.to_string(), parameter.name.to_string());
                return Err(LoadError::EntryParameter { function, parameter });
            }
        }
    }
    let executable = Executable { code, options, builtins: libc::builtins(), library };
    Ok(Program { executable, entry: entry as u32, statements: std::cell::OnceCell::new() })
}

fn entry_hint(code: &Code) -> String {
    let names: Vec<&str> = code.functions.iter().take(5).map(|it| &*it.source_name).collect();
    if names.is_empty() {
        return "; no function here has a body".to_owned();
    }
    let more = if code.functions.len() > names.len() { ", …" } else { "" };
    format!("; there are {}{more} (choose one with --entry)", names.join(", "))
}

impl Program {
    /// The coverage sites, by number.
    pub fn sites(&self) -> &[SiteInfo] {
        &self.executable.code.sites
    }

    /// The places of the calls that have not returned, the innermost first.
    pub fn stack(&self, state: &State) -> Vec<Place> {
        self.executable.stack(state)
    }

    fn push_start(&self, machine: &mut Machine<'_, '_>) {
        let function = &self.executable.code.functions[self.entry as usize];
        let mut arguments = Vec::new();
        if self.executable.options.entry.is_none() {
            arguments = self.main_arguments(machine, function.parameters.len());
        } else {
            for it in &function.parameters {
                arguments.push(self.symbolic_argument(machine, &it.shape, &it.name, it.pointer));
            }
        }
        self.enter(machine, self.entry, &arguments);
    }

    /// A call of `function`, after the constructors of global objects.
    fn enter(&self, machine: &mut Machine<'_, '_>, function: u32, arguments: &[Val]) {
        machine.state.frames.push(Rc::new(step::new_frame(&self.executable, function, arguments)));
        for &constructor in self.executable.code.constructors.iter().rev() {
            let mut frame = step::new_frame(&self.executable, constructor, &[]);
            frame.ignore_result = true;
            machine.state.frames.push(Rc::new(frame));
        }
        let site = self.executable.code.functions[function as usize].site;
        if site != crate::code::NO_SITE {
            machine.ctx.coverage.reach(effigy_engine::Site(site));
        }
    }

    /// The state before anything is called.
    pub(crate) fn before_start(&self) -> State {
        State {
            memory: self.executable.code.memory.clone(),
            frames: Vec::new(),
            answers: Vec::new(),
            inputs: Rc::default(),
            input_names: Rc::default(),
            undefined: 0,
            fresh: 0,
            called_unknown: false,
            output: Output::default(),
            random: 0,
            exit: None,
        }
    }

    /// The start of a call of `function` with these arguments.
    pub(crate) fn start_call(&self, ctx: &mut Context<'_>, function: u32, arguments: &[Val]) -> State {
        let mut state = self.before_start();
        self.enter(&mut Machine::new(&self.executable, ctx, &mut state), function, arguments);
        state
    }

    /// Whether a state began with the program's own `main`.
    pub(crate) fn is_main(&self, state: &State) -> bool {
        let first = state.frames.first().map(|it| it.function);
        self.executable.options.entry.is_none() && first == Some(self.entry)
    }

    fn symbolic_argument(&self, machine: &mut Machine<'_, '_>, shape: &Shape, name: &Rc<str>, pointer: bool) -> Val {
        let width = match shape {
            Shape::Scalar { width, .. } => *width,
            Shape::Aggregate(_) => 8,
        };
        let name: Rc<str> = name.trim_end_matches(".addr").into();
        if pointer {
            let size = self.executable.options.buffer.min(1 << 20);
            let bytes = Bytes::uninitialised(size as usize);
            let id = machine.allocate(ObjectKind::Heap, Size::Known(size), bytes, 1, &name);
            let address = Val::Int(id.base());
            // A fresh object of the right size is never out of bounds, so there is no question to lose.
            let _ = machine.input_memory(&address, size, &name);
            return address;
        }
        let terms = machine.ctx.terms;
        if width == 1 {
            let byte = machine.input_number(&name, effigy_term::Width::W8);
            let bit = terms.bv_extract(0, 0, byte);
            return Val::of_term(terms, terms.eq(bit, terms.bv_u64(effigy_term::Width::W1, 1)));
        }
        let term = machine.input_number(&name, effigy_term::Width::of(width));
        Val::of_term(terms, term)
    }

    /// `argc`, `argv`, `envp`.
    fn main_arguments(&self, machine: &mut Machine<'_, '_>, count: usize) -> Vec<Val> {
        let mut addresses = Vec::new();
        let texts = std::iter::once("program").chain(self.executable.options.args.iter().map(String::as_str));
        for text in texts {
            let mut bytes = text.as_bytes().to_vec();
            bytes.push(0);
            let size = Size::Known(bytes.len() as u64);
            let id =
                machine.allocate(ObjectKind::Global, size, Bytes::concrete(bytes), 1, &"an argument of main".into());
            addresses.push(id.base());
        }
        let argc = addresses.len() as u64;
        addresses.push(0);
        let table = |machine: &mut Machine<'_, '_>, addresses: &[u64], name: &str| {
            let bytes: Vec<u8> = addresses.iter().flat_map(|it| it.to_le_bytes()).collect();
            let size = Size::Known(bytes.len() as u64);
            machine.allocate(ObjectKind::Global, size, Bytes::concrete(bytes), 8, &name.into()).base()
        };
        let argv = table(machine, &addresses, "argv");
        let envp = table(machine, &[0], "envp");
        [argc, argv, envp].into_iter().take(count).map(Val::Int).collect()
    }
}

impl Language for Program {
    type State = State;

    fn start(&self, ctx: &mut Context<'_>) -> State {
        let mut state = self.before_start();
        let mut machine = Machine::new(&self.executable, ctx, &mut state);
        self.push_start(&mut machine);
        state
    }

    fn step(&self, ctx: &mut Context<'_>, state: &mut State, fuel: &mut u64) -> Step {
        step::run(&self.executable, ctx, state, fuel)
    }

    fn answer(&self, state: &mut State, resolution: Resolution) {
        state.answers.push(resolution);
    }

    fn place(&self, state: &State) -> Place {
        self.stack(state).into_iter().next().unwrap_or_default()
    }

    fn witness(&self, ctx: &Context<'_>, state: &State, model: &Model) -> Witness {
        let mut evaluator = Evaluator::new(ctx.terms, model);
        let mut bytes_of = |term: Term, len: usize| -> Vec<u8> {
            let mut bytes = match evaluator.value(term) {
                Some(Value::BitVec(value)) => value.to_biguint().to_bytes_le(),
                _ => Vec::new(),
            };
            bytes.resize(len, 0);
            bytes
        };
        let inputs = state.inputs.iter().map(|record| {
            let bytes = record.pieces.iter().flat_map(|&it| bytes_of(it, record.element as usize)).collect();
            Input { name: record.name.to_string(), data: InputData::Bytes { bytes, element: record.element } }
        });
        let inputs = inputs.collect();
        let mut output = Vec::new();
        for chunk in state.output.chunks() {
            chunk.write(
                &mut |term| match Evaluator::new(ctx.terms, model).value(term) {
                    Some(Value::BitVec(value)) => value.to_u64().unwrap_or(0),
                    _ => 0,
                },
                &mut output,
            );
        }
        let exit = state.exit.as_ref().and_then(|it| match it {
            Val::Int(bits) => Some(*bits as i32),
            Val::Term(term) => match Evaluator::new(ctx.terms, model).value(*term) {
                Some(Value::BitVec(value)) => value.to_u64().map(|it| it as i32),
                _ => None,
            },
            _ => None,
        });
        Witness { inputs, output, exit, assumed: state.called_unknown || state.fresh > 0 || state.random > 0 }
    }

    fn size_hint(&self, state: &State) -> usize {
        state.memory.size_hint() + state.frames.len() * 64
    }
}

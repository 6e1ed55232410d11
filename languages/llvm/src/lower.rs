//! Lowering: from modules as read to one dense program.
//!
//! Knows: linking by name, layouts, initial memory. Never: execution.

mod amounts;
mod block_places;
mod calls;
mod constants;
mod function;
mod labels;
mod landing;
mod narrow;
mod operations;
mod places;
mod promises;
mod promotion;
mod registers;
mod source;
mod tail;
mod trapped;
mod unwritten;

use crate::code::{Callable, Code, Shape};
use crate::ir::attributes::Linkage;
use crate::ir::{Constant, Global, GlobalId, GlobalKind, Module, Type, TypeId};
use crate::memory::bytes::Bytes;
use crate::memory::{FOREVER, Life, MADE_UP, MAX_SIZE, Memory, Object, ObjectId, ObjectKind, Size, Strays};
use crate::options::Uninitialised;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

/// Why modules do not make a program.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LinkError {
    /// Two modules define one name, and neither definition is weak.
    #[error("`{name}` is defined in {first} and in {second}")]
    DefinedTwice {
        /// The name, as the program writes it.
        name: Arc<str>,
        /// The source file of the first definition.
        first: Arc<str>,
        /// The source file of the second one.
        second: Arc<str>,
    },
    /// A global is larger than memory.
    #[error("the global variable `{0}` has no size that fits")]
    Size(Arc<str>),
    /// An initialiser that we do not evaluate.
    #[error("the initialiser of `{name}` is not supported: {what}")]
    Initialiser {
        /// The global.
        name: Arc<str>,
        /// What is in it.
        what: String,
    },
}

/// The numbers of the functions that the interpreter knows, by name.
#[derive(Clone, Copy)]
pub struct BuiltinNames<'a> {
    /// Of a function that no module defines.
    pub undefined: &'a dyn Fn(&str) -> Option<u32>,
    /// Of a function whose definition is not executed: the builtin takes its place. It is told whether the program
    /// brings an allocator of its own along.
    pub defined: &'a dyn Fn(&str, bool) -> Option<u32>,
    /// Whether a function is an allocator that the program brings along.
    pub is_own_allocator: &'a dyn Fn(&str) -> bool,
    /// What executes the instruction `cpuid` of x86.
    pub cpuid: Option<u32>,
}

/// Links modules into a program.
///
/// # Errors
/// When two modules define one name, or a global cannot be laid out.
pub fn link(modules: &[Module], builtins: BuiltinNames<'_>, uninitialised: Uninitialised) -> Result<Code, LinkError> {
    let has_body = |it: &Global| matches!(&it.kind, GlobalKind::Function(function) if !function.blocks.is_empty());
    let mut defined = modules.iter().flat_map(|it| &it.globals).filter(|it| has_body(it));
    let own_allocator = defined.any(|it| (builtins.is_own_allocator)(&it.name));
    let mut linker = Linker {
        modules,
        builtins,
        own_allocator,
        uninitialised,
        code: Code { memory: Memory::new(), ..Code::default() },
        visible: FxHashMap::default(),
        declared: FxHashMap::default(),
        addresses: modules.iter().map(|it| vec![None; it.globals.len()]).collect(),
        labels: FxHashMap::default(),
        functions: Vec::new(),
        source_types: FxHashMap::default(),
        library_site: None,
        strays: RefCell::default(),
    };
    linker.code.places.push(effigy_engine::Place::default());
    linker.declare()?;
    linker.initialise()?;
    linker.lower_functions();
    linker.source_globals();
    linker.constructors();
    linker.code.strays = Rc::new(linker.strays.into_inner());
    Ok(linker.code)
}

/// How strong a definition is: of several of a name the strongest is taken, of equal ones the first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// A copy for inlining of what another module defines.
    Copy,
    /// A part of the library that is compiled in: any definition of the program takes its place.
    Library,
    /// A definition of which the linker keeps one: weak, inline, a template's.
    Weak,
    /// The one definition.
    Strong,
}

impl Rank {
    /// `None` for what defines nothing that other modules see.
    fn of(module: &Module, global: &Global) -> Option<Rank> {
        let defines = match &global.kind {
            GlobalKind::Function(it) => !it.blocks.is_empty(),
            GlobalKind::Variable { init, .. } => init.is_some(),
            GlobalKind::Alias(_) => true,
            GlobalKind::Unknown => false,
        };
        // Arrays such as `llvm.global_ctors` are joined.
        if !defines || global.linkage.is_local() || global.linkage == Linkage::Appending {
            return None;
        }
        Some(match global.linkage {
            Linkage::AvailableExternally => Rank::Copy,
            _ if module.library => Rank::Library,
            weak if weak.is_weak() => Rank::Weak,
            _ => Rank::Strong,
        })
    }
}

struct Linker<'a> {
    modules: &'a [Module],
    builtins: BuiltinNames<'a>,
    /// The program is in Rust and has a `#[global_allocator]`.
    own_allocator: bool,
    uninitialised: Uninitialised,
    code: Code,
    /// Module and global of each name that other modules see.
    visible: FxHashMap<Arc<str>, (usize, GlobalId)>,
    /// Module and global of each name that modules only declare: it is one thing for all of them.
    declared: FxHashMap<Arc<str>, (usize, GlobalId)>,
    /// The address of each global of each module.
    addresses: Vec<Vec<Option<u64>>>,
    /// The address of each label of which the address is taken.
    labels: FxHashMap<(usize, GlobalId, Arc<str>), u64>,
    /// Module and global of each function with a body, by its number.
    functions: Vec<(usize, GlobalId)>,
    /// The coverage site of the library that is compiled in.
    library_site: Option<u32>,
    /// The constant pointers that lie outside of their objects' windows.
    strays: RefCell<Strays>,
    /// The numbers of source types, by module and metadata.
    source_types: FxHashMap<(usize, u32), u32>,
}

/// An address that leads into code: of a function, of a label.
pub(crate) fn place_in_code(name: &Arc<str>) -> Object {
    Object {
        kind: ObjectKind::Function,
        life: Life::Live,
        ended: None,
        size: Size::Known(0),
        used: None,
        bytes: Rc::new(Bytes::empty()),
        element: 1,
        rows: None,
        name: Arc::clone(name),
        unknown: None,
        open: false,
        align: 1,
        until: FOREVER,
    }
}

impl Linker<'_> {
    /// Gives each global an object.
    fn declare(&mut self) -> Result<(), LinkError> {
        self.find_visible()?;
        self.find_declared();
        self.find_wanted();
        for (at, module) in self.modules.iter().enumerate() {
            for (index, global) in module.globals.iter().enumerate() {
                let id = GlobalId(index as u32);
                let definition = self.definition(at, id);
                if definition != (at, id) {
                    continue;
                }
                let address = match &global.kind {
                    GlobalKind::Function(function) if !function.blocks.is_empty() => {
                        let callable = match (self.builtins.defined)(&global.name, self.own_allocator) {
                            Some(number) => Callable::Builtin(number),
                            None => {
                                self.functions.push((at, id));
                                Callable::Function(self.functions.len() as u32 - 1)
                            }
                        };
                        Some(self.declare_function(&global.name, callable))
                    }
                    GlobalKind::Function(_) => {
                        let callable = match (self.builtins.undefined)(&global.name) {
                            Some(number) => Some(Callable::Builtin(number)),
                            // Nothing defines it, nothing needs to.
                            None if global.linkage == Linkage::ExternWeak => None,
                            None => Some(Callable::External(crate::names::readable(&global.name))),
                        };
                        Some(callable.map_or(0, |it| self.declare_function(&global.name, it)))
                    }
                    GlobalKind::Variable { init: None, .. } if global.linkage == Linkage::ExternWeak => Some(0),
                    GlobalKind::Variable { ty, constant, init, .. } => {
                        let layout = module.layout(*ty);
                        // `extern int a[];`, `extern struct incomplete x;`: only where it is defined its size is known.
                        let open = init.is_none() && layout.is_none_or(|it| it.size == 0);
                        let size = if open { Some(MADE_UP) } else { layout.map(|it| it.size) };
                        let Some(size) = size.filter(|it| *it <= MAX_SIZE) else {
                            return Err(LinkError::Size(Arc::clone(&global.name)));
                        };
                        let bytes = if init.is_some() {
                            Bytes::concrete(vec![0; size as usize])
                        } else {
                            Bytes::uninitialised(size as usize)
                        };
                        let object = Object {
                            kind: if *constant { ObjectKind::Constant } else { ObjectKind::Global },
                            life: Life::Live,
                            ended: None,
                            size: Size::Known(size),
                            used: None,
                            bytes: Rc::new(bytes),
                            element: element_bytes(module, *ty),
                            rows: rows(module, *ty),
                            name: labels::global(module, global),
                            unknown: init.is_none().then(|| Arc::clone(&global.name)),
                            open,
                            align: alignment(global.align, module.layout(*ty)),
                            until: FOREVER,
                        };
                        let object = self.code.memory.allocate(object);
                        if global.thread_local {
                            self.code.thread_locals.insert(object);
                        }
                        Some(object.base())
                    }
                    GlobalKind::Alias(_) | GlobalKind::Unknown => None,
                };
                self.addresses[at][index] = address;
                if let Some(address) = address {
                    self.code.addresses.insert(Arc::clone(&global.name), address);
                }
            }
        }
        // An alias may stand for one of another module. Each round but the last resolves one more link of a chain.
        self.take_addresses_of_definitions();
        while self.resolve_aliases() {
            self.take_addresses_of_definitions();
        }
        self.declare_labels();
        Ok(())
    }

    /// What the program wants from outside of it.
    fn find_wanted(&mut self) {
        for (at, module) in self.modules.iter().enumerate().filter(|it| !it.1.library) {
            for (index, global) in module.globals.iter().enumerate() {
                let (home, _) = self.definition(at, GlobalId(index as u32));
                let declared = matches!(&global.kind, GlobalKind::Function(it) if it.blocks.is_empty());
                if declared && (home == at || self.modules[home].library) {
                    self.code.wanted.insert(Arc::clone(&global.name));
                }
            }
        }
    }

    /// The definition of each name that other modules see, as the system's linker chooses it.
    fn find_visible(&mut self) -> Result<(), LinkError> {
        let mut ranks: FxHashMap<Arc<str>, Rank> = FxHashMap::default();
        for (at, module) in self.modules.iter().enumerate() {
            for (index, global) in module.globals.iter().enumerate() {
                let Some(rank) = Rank::of(module, global) else { continue };
                let best = ranks.get(&global.name).copied();
                if best == Some(Rank::Strong) && rank == Rank::Strong {
                    return Err(LinkError::DefinedTwice {
                        name: crate::names::readable(&global.name),
                        first: Arc::clone(&self.modules[self.visible[&global.name].0].source),
                        second: Arc::clone(&module.source),
                    });
                }
                if best.is_none_or(|it| it < rank) {
                    ranks.insert(Arc::clone(&global.name), rank);
                    self.visible.insert(Arc::clone(&global.name), (at, GlobalId(index as u32)));
                }
            }
        }
        Ok(())
    }

    /// The declaration that stands for all of a name that nothing defines: one that says most.
    fn find_declared(&mut self) {
        let mut best: FxHashMap<Arc<str>, u64> = FxHashMap::default();
        for (at, module) in self.modules.iter().enumerate() {
            for (index, global) in module.globals.iter().enumerate() {
                let says = match &global.kind {
                    _ if global.linkage == Linkage::ExternWeak => 0,
                    GlobalKind::Function(it) if !it.local && it.blocks.is_empty() => 1,
                    GlobalKind::Variable { local: false, init: None, ty, .. } => {
                        1 + module.layout(*ty).map_or(0, |it| it.size)
                    }
                    _ => continue,
                };
                if best.get(&global.name).is_none_or(|it| *it < says) {
                    best.insert(Arc::clone(&global.name), says);
                    self.declared.insert(Arc::clone(&global.name), (at, GlobalId(index as u32)));
                }
            }
        }
    }

    /// Where the global is defined, or declared for all modules: elsewhere, if it is only declared here.
    fn definition(&self, at: usize, id: GlobalId) -> (usize, GlobalId) {
        let global = &self.modules[at].globals[id.index()];
        if global.linkage.is_local() || global.name.starts_with("llvm.") {
            return (at, id);
        }
        let home = self.visible.get(&global.name).or_else(|| self.declared.get(&global.name));
        home.copied().unwrap_or((at, id))
    }

    fn declare_function(&mut self, name: &Arc<str>, callable: Callable) -> u64 {
        let id = self.code.memory.allocate(place_in_code(name));
        self.code.callables.insert(id.0, callable);
        id.base()
    }

    /// Gives each label an object whose address is taken.
    fn declare_labels(&mut self) {
        for (at, module) in self.modules.iter().enumerate() {
            for constant in &module.constants {
                let Constant::Label(function, label) = constant else { continue };
                let (home, function) = self.definition(at, *function);
                let key = (home, function, Arc::clone(label));
                if !self.labels.contains_key(&key) {
                    let address = self.code.memory.allocate(place_in_code(label)).base();
                    self.labels.insert(key, address);
                }
            }
        }
    }

    fn take_addresses_of_definitions(&mut self) {
        for (at, module) in self.modules.iter().enumerate() {
            for index in 0..module.globals.len() {
                let (other, id) = self.definition(at, GlobalId(index as u32));
                self.addresses[at][index] = self.addresses[other][id.index()];
            }
        }
    }

    /// Gives aliases the addresses of what they stand for; whether one got an address that it did not have.
    fn resolve_aliases(&mut self) -> bool {
        let mut changed = false;
        for (at, module) in self.modules.iter().enumerate() {
            for (index, global) in module.globals.iter().enumerate() {
                let id = GlobalId(index as u32);
                if let GlobalKind::Alias(target) = global.kind
                    && self.addresses[at][index].is_none()
                    && self.definition(at, id) == (at, id)
                    && let Ok(crate::value::Val::Int(address)) = self.constant_bits(at, target, 64)
                {
                    self.addresses[at][index] = Some(address);
                    changed = true;
                }
            }
        }
        changed
    }

    /// Writes the initialisers.
    fn initialise(&mut self) -> Result<(), LinkError> {
        for (at, module) in self.modules.iter().enumerate() {
            for (index, global) in module.globals.iter().enumerate() {
                let GlobalKind::Variable { ty, init: Some(init), .. } = global.kind else { continue };
                if self.definition(at, GlobalId(index as u32)) != (at, GlobalId(index as u32)) {
                    continue;
                }
                let Some(address) = self.addresses[at][index] else { continue };
                if global.name.starts_with("llvm.") {
                    continue;
                }
                let (id, _) = ObjectId::of_address(address);
                let mut bytes = match self.code.memory.get(id) {
                    Some(object) => (*object.bytes).clone(),
                    None => continue,
                };
                self.write_constant(at, init, ty, &mut bytes, 0)
                    .map_err(|what| LinkError::Initialiser { name: Arc::clone(&global.name), what })?;
                if let Some(object) = self.code.memory.object_mut(id) {
                    object.bytes = Rc::new(bytes);
                }
            }
        }
        Ok(())
    }

    fn lower_functions(&mut self) {
        for number in 0..self.functions.len() {
            let (at, id) = self.functions[number];
            let func = function::lower(self, at, id);
            self.code.functions.push(func);
            registers::share(&mut self.code, number as u32);
        }
    }

    /// `@llvm.global_ctors` and `@llvm.global_dtors`.
    fn constructors(&mut self) {
        let callables = &self.code.callables;
        let function = |address: u64| match callables.get(&ObjectId::of_address(address).0.0) {
            Some(Callable::Function(number)) => Some(*number),
            _ => None,
        };
        let constructors = self.by_priority("llvm.global_ctors").into_iter().filter_map(function).collect();
        self.code.destructors = self.by_priority("llvm.global_dtors");
        self.code.constructors = constructors;
    }

    /// The addresses in arrays of {priority, function, data}, in the order of the linker's sections.
    fn by_priority(&self, name: &str) -> Vec<u64> {
        let mut found: Vec<(u64, u64)> = Vec::new();
        for (at, module) in self.modules.iter().enumerate() {
            for global in &module.globals {
                let GlobalKind::Variable { init: Some(init), .. } = global.kind else { continue };
                if &*global.name != name {
                    continue;
                }
                let Constant::Aggregate(_, entries) = module.constant(init) else { continue };
                for entry in entries {
                    let Constant::Aggregate(_, fields) = module.constant(*entry) else { continue };
                    let priority = self.constant_bits(at, fields[0], 32).ok().and_then(|it| it.as_int());
                    let address = self.constant_bits(at, fields[1], 64).ok().and_then(|it| it.as_int());
                    if let (Some(priority), Some(address)) = (priority, address) {
                        found.push((priority, address));
                    }
                }
            }
        }
        found.sort_by_key(|it| it.0);
        found.into_iter().map(|it| it.1).collect()
    }
}

/// The most elements that a first-class aggregate may have.
const MAX_ELEMENTS: u64 = 65_536;

/// How values of a type lie in memory; an error names what is not supported.
fn shape(module: &Module, ty: TypeId) -> Result<Shape, String> {
    let too_large = || "a value of this size in a register".to_owned();
    match module.ty(ty) {
        Type::Int(bits) if *bits > 4096 => Err(format!("integers of {bits} bits")),
        Type::Int(_) | Type::Float(_) | Type::Ptr => {
            let width = module.bits(ty).ok_or_else(too_large)?;
            Ok(Shape::Scalar { size: width.div_ceil(8), width })
        }
        Type::Struct { .. } | Type::Array(..) | Type::Vector(..) => {
            let count = module.elements(ty).filter(|&it| it <= MAX_ELEMENTS).ok_or_else(too_large)?;
            let mut elements = Vec::new();
            let vector_of_bits =
                matches!(module.ty(ty), Type::Vector(_, it) if module.bits(*it).is_some_and(|it| it % 8 != 0));
            for index in 0..count {
                let element = module.element(ty, index).ok_or_else(too_large)?;
                let offset = if vector_of_bits {
                    // Packed bits in memory are not addressed by bytes; loads and stores of them are refused.
                    u64::MAX
                } else {
                    module.element_offset(ty, index).ok_or_else(too_large)?
                };
                elements.push((offset, shape(module, element)?));
            }
            Ok(Shape::Aggregate(elements.into()))
        }
        Type::Other(name) => Err(format!("values of type {name}")),
        Type::Void | Type::Function { .. } => Err("a value without a size".to_owned()),
    }
}

/// What a variable is aligned to, as the binary logarithm: as is written, else as its type wants it.
fn alignment(written: u32, layout: Option<crate::ir::layout::Layout>) -> u8 {
    let align = if written > 0 { u64::from(written) } else { layout.map_or(1, |it| it.align) };
    align.max(1).ilog2() as u8
}

/// How many elements each index of an array of arrays has; `None` for other types.
fn rows(module: &Module, ty: TypeId) -> Option<Arc<[u64]>> {
    let mut counts = Vec::new();
    let mut inner = ty;
    while let Type::Array(count, element) = *module.ty(inner) {
        counts.push(count);
        inner = element;
    }
    let is_number = matches!(module.ty(inner), Type::Int(_) | Type::Float(_) | Type::Ptr);
    (is_number && counts.len() > 1).then(|| counts.into())
}

/// The width in bytes of the integers that a type consists of; 1 if they differ.
fn element_bytes(module: &Module, ty: TypeId) -> u32 {
    match module.ty(ty) {
        Type::Int(bits @ (8 | 16 | 32 | 64)) => bits / 8,
        Type::Array(_, element) | Type::Vector(_, element) => element_bytes(module, *element),
        Type::Float(kind) if kind.bits() <= 64 => kind.bits() / 8,
        Type::Ptr => 8,
        _ => 1,
    }
}

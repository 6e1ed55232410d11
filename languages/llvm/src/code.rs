//! The dense form of a program: numbered registers, resolved branches and offsets.
//!
//! Knows: what an executable program looks like. Never: text, how it came about (`lower`), how it runs (`step`).

use crate::ir::attributes::Ordering;
use crate::ir::distance::Distance;
use crate::ir::role::BlockRole;
use crate::ir::{BinaryOp, CastOp, FloatPredicate, IntPredicate};
use crate::memory::bytes::Bytes;
use crate::memory::{Life, Memory, Object, ObjectId, ObjectKind, Size, Strays};
use crate::value::Val;
use effigy_engine::{BugKind, Place};
use std::rc::Rc;
use std::sync::Arc;

/// A register or a constant: constants have the highest bit set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Opnd(pub u32);

const CONSTANT: u32 = 1 << 31;

impl Opnd {
    /// Register `index`.
    pub fn reg(index: u32) -> Opnd {
        Opnd(index)
    }

    /// Constant `index` of the program.
    pub fn constant(index: u32) -> Opnd {
        Opnd(index | CONSTANT)
    }

    /// The register, or the number of the constant as error.
    #[inline]
    pub fn decode(self) -> Result<usize, usize> {
        if self.0 & CONSTANT == 0 { Ok(self.0 as usize) } else { Err((self.0 & !CONSTANT) as usize) }
    }
}

/// A register.
pub type Reg = u32;

/// How a first-class value lies in memory.
#[derive(Clone, PartialEq, Debug)]
pub enum Shape {
    /// An integer, pointer or float.
    Scalar {
        /// Bytes in memory.
        size: u32,
        /// Bits of the value.
        width: u32,
    },
    /// Elements with their offsets.
    Aggregate(Rc<[(u64, Shape)]>),
}

/// Flags of an integer operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Flags {
    /// Unsigned overflow is undefined.
    pub nuw: bool,
    /// Signed overflow is undefined.
    pub nsw: bool,
    /// What is undefined gives poison, which is a bug where it decides something: in optimised code, which computes what
    /// the program may never have asked for. Otherwise it is a bug at once.
    pub poison: bool,
}

/// An instruction. `lanes` is 0 for scalars and the number of elements for vectors.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "the operands of LLVM's own instructions")]
pub enum Inst {
    /// The variable at `ptr` begins to live (its content is undefined), or its scope ends.
    Life {
        ptr: Opnd,
        begins: bool,
    },
    /// What is in the variable at `ptr` is an input: it was not written yet.
    AnyContent {
        ptr: Opnd,
    },
    /// `cond` must be `holds`, or it is the bug of this number.
    Check {
        cond: Opnd,
        holds: bool,
        trap: u32,
    },
    Mov {
        dst: Reg,
        a: Opnd,
    },
    Bin {
        op: BinaryOp,
        flags: Flags,
        lanes: u16,
        width: u16,
        dst: Reg,
        a: Opnd,
        b: Opnd,
    },
    FNeg {
        lanes: u16,
        width: u16,
        dst: Reg,
        a: Opnd,
    },
    Icmp {
        pred: IntPredicate,
        lanes: u16,
        width: u16,
        dst: Reg,
        a: Opnd,
        b: Opnd,
    },
    /// Of pointers.
    IcmpPtr {
        pred: IntPredicate,
        dst: Reg,
        a: Opnd,
        b: Opnd,
    },
    Fcmp {
        pred: FloatPredicate,
        lanes: u16,
        width: u16,
        dst: Reg,
        a: Opnd,
        b: Opnd,
    },
    Cast {
        op: CastOp,
        lanes: u16,
        from: u16,
        to: u16,
        dst: Reg,
        a: Opnd,
    },
    /// Between vectors, or a vector and a scalar.
    BitCast {
        from_lanes: u16,
        from: u16,
        to_lanes: u16,
        to: u16,
        dst: Reg,
        a: Opnd,
    },
    /// `width` is that of the elements; 0 for structures.
    Select {
        width: u16,
        dst: Reg,
        cond: Opnd,
        a: Opnd,
        b: Opnd,
    },
    Freeze {
        dst: Reg,
        a: Opnd,
        shape: u32,
    },
    Alloca {
        dst: Reg,
        alloca: u32,
    },
    /// `number`: of an integer, which may be one that was a pointer when it was written. `defined`: it is undefined
    /// behaviour to read what is undefined.
    Load {
        dst: Reg,
        ptr: Opnd,
        size: u16,
        width: u16,
        number: bool,
        defined: bool,
    },
    /// It is undefined behaviour if a value of `width` bits is undefined.
    Defined {
        a: Opnd,
        width: u16,
    },
    LoadShape {
        dst: Reg,
        ptr: Opnd,
        shape: u32,
    },
    Store {
        ptr: Opnd,
        value: Opnd,
        size: u16,
        width: u16,
    },
    StoreShape {
        ptr: Opnd,
        value: Opnd,
        shape: u32,
    },
    /// An atomic access to `size` bytes begins; what stands up to the end of it is one action.
    AtomicBegin {
        ptr: Opnd,
        size: u16,
        writes: bool,
        ordering: Ordering,
    },
    /// An atomic access ends, which has written if `wrote` is true, and read before that if `reads`.
    AtomicEnd {
        ptr: Opnd,
        wrote: Opnd,
        reads: bool,
        ordering: Ordering,
    },
    Fence {
        ordering: Ordering,
    },
    /// The address that the current thread has for the one of a thread-local object.
    ThreadLocal {
        dst: Reg,
        a: Opnd,
    },
    /// `base + offset`.
    Offset {
        dst: Reg,
        base: Opnd,
        offset: i64,
        distance: Distance,
    },
    /// `base + index * scale`, the index sign-extended from `width` bits.
    Index {
        dst: Reg,
        base: Opnd,
        index: Opnd,
        width: u16,
        scale: i64,
        distance: Distance,
    },
    ExtractValue {
        dst: Reg,
        a: Opnd,
        path: u32,
    },
    InsertValue {
        dst: Reg,
        a: Opnd,
        value: Opnd,
        path: u32,
    },
    ExtractElement {
        dst: Reg,
        a: Opnd,
        index: Opnd,
    },
    InsertElement {
        dst: Reg,
        a: Opnd,
        value: Opnd,
        index: Opnd,
    },
    Shuffle {
        dst: Reg,
        a: Opnd,
        b: Opnd,
        mask: u32,
    },
    /// Builds an aggregate of two.
    Pair {
        dst: Reg,
        a: Opnd,
        b: Opnd,
    },
    Jump {
        edge: u32,
    },
    Branch {
        cond: Opnd,
        then: u32,
        other: u32,
    },
    Switch {
        switch: u32,
    },
    Call {
        call: u32,
    },
    Ret {
        value: Option<Opnd>,
    },
    Unreachable,
    Unsupported {
        what: u32,
    },
}

/// No coverage site.
pub const NO_SITE: u32 = u32::MAX;

/// A way from one block to another.
#[derive(Clone, Debug)]
pub struct Edge {
    /// Where execution goes on.
    pub target: u32,
    /// The site of the edge itself, if it is one of several ways on.
    pub site: u32,
    /// The site of the block that it leads to.
    pub block_site: u32,
    /// Register copies for the phis, in an order in which none destroys what another reads.
    pub moves: Box<[(Reg, Opnd)]>,
}

/// A `switch`.
#[derive(Clone, Debug)]
pub struct Switch {
    /// The value.
    pub value: Opnd,
    /// Its bits.
    pub width: u32,
    /// The edge of each case.
    pub cases: Vec<(Val, u32)>,
    /// The edge of all other values.
    pub default: u32,
}

/// An `alloca`.
#[derive(Clone, Debug)]
pub struct Alloca {
    /// Size of one element in bytes.
    pub size: u64,
    /// The number of elements, and its width; 1 if absent.
    pub count: Option<(Opnd, u32)>,
    /// It is an array of variable length, and not what `alloca` is called for.
    pub is_array: bool,
    /// The variable's name.
    pub name: Arc<str>,
    /// The width in bytes of the integers in it; 1 if they differ.
    pub element: u32,
    /// How many elements each index has, of an array of arrays.
    pub rows: Option<Arc<[u64]>>,
    /// The binary logarithm of what it is aligned to.
    pub align: u8,
}

/// A call.
#[derive(Clone, Debug)]
pub struct Call {
    /// What is called.
    pub target: Target,
    /// The arguments.
    pub arguments: Vec<CallArgument>,
    /// Where the result goes.
    pub dst: Option<Reg>,
    /// The shape of the result.
    pub result: Option<Shape>,
    /// The result is a number without sign, by its extension to a register.
    pub zero_extended: bool,
    /// The compiler was told that it does not return.
    pub never_returns: bool,
    /// The caller may have left the stack by then: a tail call.
    pub leaves: bool,
    /// The site that is reached when the call returns.
    pub site: u32,
    /// For `invoke`: the edge taken after the return.
    pub normal: Option<u32>,
    /// For `invoke`: what an exception does that comes out of the call.
    pub unwind: Option<Box<Unwind>>,
    /// The compiler was told that no exception comes out of it.
    pub never_throws: bool,
}

/// What an exception does that comes out of a call.
#[derive(Clone, Debug)]
pub struct Unwind {
    /// The edge to the landing pad.
    pub edge: u32,
    /// The landing pad is entered for any exception that passes.
    pub cleans: bool,
    /// What is asked of an exception, in order.
    pub clauses: Box<[Clause]>,
}

/// A clause of a landing pad, with the addresses of `type_info` objects.
#[derive(Clone, Debug)]
pub enum Clause {
    /// It takes exceptions of this type; 0 is any.
    Catch(u64),
    /// It takes exceptions of all but these types.
    Filter(Box<[u64]>),
}

/// An argument of a call.
#[derive(Clone, Debug)]
pub struct CallArgument {
    /// Its value.
    pub value: Opnd,
    /// Its shape.
    pub shape: Shape,
    /// The callee gets a copy of so many bytes behind the pointer.
    pub byval: Option<u64>,
}

/// What a call calls.
#[derive(Clone, Debug)]
pub enum Target {
    /// A function with a body.
    Function(u32),
    /// A function that the interpreter knows, by its number in the table of builtins.
    Builtin(u32),
    /// A function of which only the name is known.
    External(Arc<str>),
    /// The function at an address.
    Address(Opnd),
}

/// A function with a body.
#[derive(Clone, Debug)]
pub struct Func {
    /// It is written in Rust.
    pub of_rust: bool,
    /// Its name.
    pub name: Arc<str>,
    /// Its name in the source.
    pub source_name: Arc<str>,
    /// It is a part of the library that is compiled in: reports show who calls it.
    pub library: bool,
    /// A compiler may have moved or joined what the source has: its order of instructions says nothing of the source.
    pub may_be_optimised: bool,
    /// Bytes that it takes on the stack while it calls another, at least.
    pub stack: u64,
    /// Its parameters; they arrive in registers 0, 1, …
    pub parameters: Vec<Parameter>,
    /// Takes more arguments than it names.
    pub varargs: bool,
    /// The shape of the result.
    pub result: Option<Shape>,
    /// It has a landing pad: an exception out of a call that must not throw ends the program.
    pub has_pads: bool,
    /// The number of registers.
    pub registers: u32,
    /// The shape of each register; those that have none hold what is read within one instruction of LLVM.
    pub shapes: Vec<Option<Shape>>,
    /// Instructions; the entry is the first.
    pub code: Vec<Inst>,
    /// For each instruction the number of its place.
    pub places: Vec<u32>,
    /// The first instructions of the blocks whose labels say what they are to a condition, in the order of the code.
    pub roles: Vec<(u32, BlockRole)>,
    /// The site of its entry.
    pub site: u32,
    /// The variables of the source that live in it, in the order of their declarations.
    pub variables: Vec<SourceVariable>,
}

/// A variable of the source.
#[derive(Clone, Debug)]
pub struct SourceVariable {
    /// Its name.
    pub name: Arc<str>,
    /// Where its value is.
    pub home: Home,
    /// Its type, by number.
    pub ty: u32,
    /// From 1 for parameters; `None` for others.
    pub parameter: Option<u32>,
    /// The line of its declaration.
    pub line: u32,
    /// It is declared in a block of the function, not by the function itself.
    pub inner: bool,
}

/// Where the value of a variable is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Home {
    /// In this register, as a value of so many bits.
    Register(Reg, u32),
    /// In memory, at the address in this register.
    Behind(Reg),
    /// In memory, at this address.
    At(u64),
}

/// A type of the source, as debug information has it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceType {
    /// Its size in bytes.
    pub size: u64,
    /// What it is.
    pub kind: SourceKind,
}

/// What a type of the source is. Other types are named by number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SourceKind {
    /// An integer, a character, a truth value, an enumeration.
    Integer {
        /// It has negative values.
        signed: bool,
        /// It is a character.
        character: bool,
    },
    /// A floating-point number.
    Float,
    /// A pointer or a reference.
    Pointer {
        /// To what.
        to: u32,
    },
    /// Elements, one after another.
    Array {
        /// Their type.
        element: u32,
        /// How many.
        count: u64,
    },
    /// A structure or a union.
    Structure {
        /// Its members.
        members: Rc<[SourceMember]>,
    },
    /// Something else, or `void`.
    Other,
}

/// A member of a structure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceMember {
    /// Its name.
    pub name: Arc<str>,
    /// Where it starts, in bytes.
    pub offset: u64,
    /// Its type, by number.
    pub ty: u32,
}

/// A parameter.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// The shape of its value.
    pub shape: Shape,
    /// Its name.
    pub name: Arc<str>,
    /// Whether it has a sign in the source; `None` where that is not known.
    pub signed: Option<bool>,
    /// It is a pointer.
    pub pointer: bool,
    /// What reports call its type, where that is `float` or `double`.
    pub float: Option<&'static str>,
}

/// What a function's address stands for.
#[derive(Clone, Debug)]
pub enum Callable {
    /// A function with a body.
    Function(u32),
    /// A function that the interpreter knows.
    Builtin(u32),
    /// Only a name.
    External(Arc<str>),
}

/// What a coverage site is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SiteKind {
    /// A stretch of instructions without branches or calls.
    Code,
    /// The way on when a branch's condition holds.
    True,
    /// The way on when it does not.
    False,
    /// One of a switch's ways on.
    Case,
}

/// A coverage site.
#[derive(Clone, Debug)]
pub struct SiteInfo {
    /// What it is.
    pub kind: SiteKind,
    /// The lines that are executed when it is reached (for branches: the line of the branch).
    pub lines: Vec<(Arc<str>, u32)>,
    /// The function.
    pub function: Arc<str>,
}

/// What happens where a check of the compiler fails.
#[derive(Clone, Debug)]
pub struct Trap {
    /// The class of the bug.
    pub kind: BugKind,
    /// What has happened.
    pub what: Arc<str>,
    /// Who sees it in a native run.
    pub seen: Seen,
}

/// Who sees in a native run that a check fails.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Seen {
    /// A branch of the program, which clang has put there: what it depends on has to be defined.
    Branch,
    /// A sanitizer, where there is one.
    Sanitizer,
    /// Nobody: such a path is not followed.
    Nobody,
}

/// The tables of a program.
#[derive(Clone, Debug, Default)]
pub struct Code {
    /// Functions with bodies.
    pub functions: Vec<Func>,
    /// Constants.
    pub constants: Vec<Val>,
    /// Edges of all functions.
    pub edges: Vec<Edge>,
    /// Switches of all functions.
    pub switches: Vec<Switch>,
    /// Calls of all functions.
    pub calls: Vec<Call>,
    /// Allocas of all functions.
    pub allocas: Vec<Alloca>,
    /// Shapes by number.
    pub shapes: Vec<Shape>,
    /// Paths into aggregates, and shuffle masks (`u32::MAX` is undefined).
    pub paths: Vec<Box<[u32]>>,
    /// Names of what is unsupported.
    pub unsupported: Vec<Arc<str>>,
    /// What the checks of the compiler are for.
    pub traps: Vec<Trap>,
    /// Source places; 0 is unknown.
    pub places: Vec<Place>,
    /// Coverage sites.
    pub sites: Vec<SiteInfo>,
    /// The memory before the program starts: globals and functions.
    pub memory: Memory,
    /// Functions by the number of their object.
    pub callables: rustc_hash::FxHashMap<u32, Callable>,
    /// The constant pointers that lie outside of their objects' windows.
    pub strays: Rc<Strays>,
    /// Constructors of global objects, in order.
    pub constructors: Vec<u32>,
    /// Addresses of destructors that run at the end, the last first.
    pub destructors: Vec<u64>,
    /// The functions that the program itself declares without defining them, and those of the library among them.
    pub wanted: rustc_hash::FxHashSet<Arc<str>>,
    /// Types of source variables.
    pub source_types: Vec<SourceType>,
    /// Global source variables.
    pub source_globals: Vec<SourceVariable>,
    /// The objects of thread-local variables.
    pub thread_locals: rustc_hash::FxHashSet<ObjectId>,
    /// Addresses of globals by name, for builtins that need one.
    pub addresses: rustc_hash::FxHashMap<Arc<str>, u64>,
}

/// Whether a file is one of our own headers, which are part of the tool and not of the program.
pub(crate) fn is_our_header(file: &str) -> bool {
    file.ends_with("/effigy.h") || file.ends_with("klee/klee.h")
}

impl Code {
    /// Whether a function is defined in one of our own headers: no user chooses it.
    pub(crate) fn is_of_our_headers(&self, function: &Func) -> bool {
        // What is inlined into a function of the program keeps the place of its header.
        let mut files = function.places.iter().map(|it| &*self.places[*it as usize].file).filter(|it| !it.is_empty());
        files.next().is_some_and(is_our_header) && files.all(is_our_header)
    }

    /// Whether the calls of a function without a body are inputs, by its name and what it returns.
    pub(crate) fn marks_input(&self, name: &str) -> bool {
        self.inputs().any(|it| it.0 == name)
    }

    /// The functions without a body whose calls are inputs, with the bits that they return.
    pub(crate) fn inputs(&self) -> impl Iterator<Item = (&str, u32)> {
        self.calls.iter().filter_map(|call| match (&call.target, &call.result) {
            (Target::External(name), Some(Shape::Scalar { width, .. })) => ((crate::names::nondet(name).is_some()
                || crate::names::is_uninterpreted(name))
                && crate::names::is_input_width(*width))
            .then_some((&**name, *width)),
            _ => None,
        })
    }

    /// Adds a global object that the interpreter brings along; gives its address.
    pub(crate) fn add_global(&mut self, name: &str, kind: ObjectKind, bytes: Vec<u8>) -> u64 {
        let object = Object {
            kind,
            life: Life::Live,
            ended: None,
            size: Size::Known(bytes.len() as u64),
            used: None,
            bytes: Rc::new(Bytes::concrete(bytes)),
            element: 1,
            rows: None,
            name: name.into(),
            unknown: None,
            open: false,
            align: 3,
            until: crate::memory::FOREVER,
        };
        self.memory.allocate(object).base()
    }
}

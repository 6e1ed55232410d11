//! A module of LLVM IR as it was read: types, constants, functions, debug locations.
//!
//! Knows: the constructs of the IR, with opaque pointers only (typed ones are erased by the reader).
//! Never: text, execution.
//!
//! What the reader guarantees about a module: every id is in range; every operand has the type that its instruction
//! names (as far as both types have a layout); types contain themselves only behind pointers.

pub mod attributes;
pub mod distance;
pub mod layout;
pub mod role;
pub mod target;

use attributes::{FunctionFlags, InstructionFlags, Linkage, Ordering, ParameterFlags, Tail};
use distance::Distance;
use effigy_term::BvValue;
use layout::Measure;
use role::BlockRole;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::sync::Arc;
use target::DataLayout;

effigy_term::ids! {
    /// An interned type of a module.
    TypeId,
    /// A constant of a module.
    ConstId,
    /// A global name of a module: a variable, a function or an alias.
    GlobalId,
    /// A parameter or result of a function.
    LocalId,
    /// A basic block of a function.
    BlockId
}

/// A type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// No value.
    Void,
    /// An integer of this many bits.
    Int(u32),
    /// A floating-point number.
    Float(FloatKind),
    /// A pointer.
    Ptr,
    /// So many elements.
    Array(u64, TypeId),
    /// Fields, one after another.
    Struct {
        /// Their types.
        fields: Box<[TypeId]>,
        /// Without padding.
        packed: bool,
    },
    /// So many elements, computed together.
    Vector(u32, TypeId),
    /// A function's type: only in calls.
    Function {
        /// The result.
        result: TypeId,
        /// Takes more arguments than it names.
        varargs: bool,
    },
    /// A type that has no layout or that we do not execute, by name.
    Other(Arc<str>),
}

/// The formats of floating-point numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FloatKind {
    /// IEEE binary16.
    Half,
    /// The upper half of a binary32.
    BFloat,
    /// IEEE binary32.
    Single,
    /// IEEE binary64.
    Double,
    /// 80 bits, x87.
    X86Fp80,
    /// IEEE binary128.
    Quad,
}

impl FloatKind {
    /// The number of bits.
    pub fn bits(self) -> u32 {
        match self {
            FloatKind::Half | FloatKind::BFloat => 16,
            FloatKind::Single => 32,
            FloatKind::Double => 64,
            FloatKind::X86Fp80 => 80,
            FloatKind::Quad => 128,
        }
    }
}

/// A constant.
#[derive(Clone, Debug)]
pub enum Constant {
    /// An integer or the bits of a float.
    Bits(BvValue),
    /// All zeros (also the null pointer) of a type.
    Zero(TypeId),
    /// `undef` or `poison` of a type.
    Undef(TypeId),
    /// Elements of an array, structure or vector.
    Aggregate(TypeId, Box<[ConstId]>),
    /// An array of bytes.
    Bytes(Box<[u8]>),
    /// The address of a global.
    Global(GlobalId),
    /// The address of a block of a function: of a label, as C has it with GNU's `&&label`.
    Label(GlobalId, Arc<str>),
    /// A constant expression.
    Expr(Box<ConstExpr>),
    /// Something that we do not evaluate, by name.
    Unsupported(Arc<str>),
}

/// A constant expression: an instruction over constants.
#[derive(Clone, Debug)]
pub enum ConstExpr {
    /// A conversion.
    Cast {
        /// Which.
        op: CastOp,
        /// From.
        from: TypeId,
        /// What.
        value: ConstId,
        /// To.
        to: TypeId,
    },
    /// The address of an element.
    Gep {
        /// The type that the first index steps over.
        source: TypeId,
        /// The pointer.
        base: ConstId,
        /// Type and value of the indices.
        indices: Box<[(TypeId, ConstId)]>,
        /// What it may step over.
        distance: Distance,
    },
    /// A binary operator.
    Binary {
        /// Which.
        op: BinaryOp,
        /// On this type.
        ty: TypeId,
        /// Left.
        a: ConstId,
        /// Right.
        b: ConstId,
    },
    /// A comparison of integers or pointers.
    Icmp {
        /// Which.
        pred: IntPredicate,
        /// On this type.
        ty: TypeId,
        /// Left.
        a: ConstId,
        /// Right.
        b: ConstId,
    },
    /// A choice.
    Select {
        /// An `i1`.
        cond: ConstId,
        /// If true.
        a: ConstId,
        /// If false.
        b: ConstId,
    },
}

/// Conversions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "LLVM's own names")]
pub enum CastOp {
    Trunc,
    ZExt,
    SExt,
    FpTrunc,
    FpExt,
    FpToUi,
    FpToSi,
    UiToFp,
    SiToFp,
    PtrToInt,
    IntToPtr,
    BitCast,
}

/// Binary operators.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "LLVM's own names")]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    UDiv,
    SDiv,
    URem,
    SRem,
    Shl,
    LShr,
    AShr,
    And,
    Or,
    Xor,
    FAdd,
    FSub,
    FMul,
    FDiv,
    FRem,
}

/// Predicates of `icmp`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "LLVM's own names")]
pub enum IntPredicate {
    Eq,
    Ne,
    Ugt,
    Uge,
    Ult,
    Ule,
    Sgt,
    Sge,
    Slt,
    Sle,
}

/// Predicates of `fcmp`: which of the outcomes unordered, less, greater, equal make it true (bits 3, 2, 1, 0).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FloatPredicate(pub u8);

/// An operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Operand {
    /// A parameter or result.
    Local(LocalId),
    /// A constant.
    Const(ConstId),
}

/// Something that has a global name.
#[derive(Clone, Debug)]
pub struct Global {
    /// Its name, without `@`.
    pub name: Arc<str>,
    /// What it is.
    pub kind: GlobalKind,
    /// How other modules see it.
    pub linkage: Linkage,
    /// Its alignment in bytes; 0 if none is given.
    pub align: u32,
    /// Each thread has its own.
    pub thread_local: bool,
    /// The section it is put in, such as `.init_array`.
    pub section: Option<Arc<str>>,
}

/// What a global name stands for.
#[derive(Clone, Debug)]
pub enum GlobalKind {
    /// Mentioned but not defined or declared; an error unless another module defines it.
    Unknown,
    /// A variable.
    Variable {
        /// The type of its content.
        ty: TypeId,
        /// Its initial content; `None` for an external one.
        init: Option<ConstId>,
        /// It is not written.
        constant: bool,
        /// `internal` or `private`: not visible in other modules.
        local: bool,
    },
    /// A function with or without body.
    Function(Box<Function>),
    /// Another name of this constant.
    Alias(ConstId),
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Result type.
    pub result: TypeId,
    /// Parameters: their locals are `0 .. parameters.len()`.
    pub parameters: Vec<Parameter>,
    /// Takes more arguments than it names.
    pub varargs: bool,
    /// `internal` or `private`.
    pub local: bool,
    /// The blocks, the entry first; empty for a declaration.
    pub blocks: Vec<Block>,
    /// Names of the locals, where they have one.
    pub names: Vec<Option<Arc<str>>>,
    /// Types of the locals.
    pub types: Vec<TypeId>,
    /// The number of its `!dbg` subprogram.
    pub debug: Option<u32>,
    /// Attributes of the result.
    pub result_flags: ParameterFlags,
    /// Attributes of the function.
    pub attributes: Attributes,
    /// Source variables that live behind a local, as debug information says.
    pub variables: Vec<Variable>,
}

/// A source variable whose address a local holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Variable {
    /// The local: an `alloca`, or a pointer parameter.
    pub local: LocalId,
    /// The number of its [`Metadata::Variable`].
    pub metadata: u32,
}

/// A parameter.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Its type.
    pub ty: TypeId,
    /// The callee gets a copy of this type behind the pointer.
    pub byval: Option<TypeId>,
    /// Attributes.
    pub flags: ParameterFlags,
    /// The alignment that the caller promises, in bytes; 0 for none.
    pub align: u32,
}

/// Attributes of a function or call: its own, and numbers of groups (`#3`), which may stand later in the text.
/// [`Module::flags`] joins them.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Attributes {
    /// Those written in place.
    pub own: FunctionFlags,
    /// Numbers of groups.
    pub groups: SmallVec<[u32; 2]>,
}

/// A basic block.
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// Its instructions, the last of which is a terminator.
    pub instructions: Vec<Instruction>,
    /// What its label says.
    pub role: BlockRole,
}

/// An instruction.
#[derive(Clone, Debug)]
pub struct Instruction {
    /// Where its result goes, if it has one.
    pub result: Option<LocalId>,
    /// What it does.
    pub op: Op,
    /// The number of its `!dbg` location; `u32::MAX` for none.
    pub debug: u32,
    /// Promises and modes.
    pub flags: InstructionFlags,
    /// How it is ordered with other threads' accesses.
    pub ordering: Ordering,
    /// The alignment of an access or `alloca` in bytes; 0 if none is given.
    pub align: u32,
    /// The number of the [`Metadata::Ranges`] of what is loaded; `u32::MAX` for none.
    pub range: u32,
}

/// What an instruction does.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "LLVM's own names")]
pub enum Op {
    Ret(Option<(TypeId, Operand)>),
    Br(BlockId),
    CondBr {
        cond: Operand,
        then: BlockId,
        other: BlockId,
    },
    Switch {
        ty: TypeId,
        value: Operand,
        default: BlockId,
        cases: Vec<(ConstId, BlockId)>,
    },
    Unreachable,
    Binary {
        op: BinaryOp,
        ty: TypeId,
        a: Operand,
        b: Operand,
        nuw: bool,
        nsw: bool,
    },
    FNeg {
        ty: TypeId,
        a: Operand,
    },
    Cast {
        op: CastOp,
        from: TypeId,
        value: Operand,
        to: TypeId,
    },
    Icmp {
        pred: IntPredicate,
        ty: TypeId,
        a: Operand,
        b: Operand,
    },
    Fcmp {
        pred: FloatPredicate,
        ty: TypeId,
        a: Operand,
        b: Operand,
    },
    Phi {
        ty: TypeId,
        incoming: Vec<(Operand, BlockId)>,
    },
    Select {
        cond_ty: TypeId,
        cond: Operand,
        ty: TypeId,
        a: Operand,
        b: Operand,
    },
    Freeze {
        ty: TypeId,
        a: Operand,
    },
    Alloca {
        ty: TypeId,
        count: Option<(TypeId, Operand)>,
    },
    Load {
        ty: TypeId,
        ptr: Operand,
    },
    Store {
        ty: TypeId,
        value: Operand,
        ptr: Operand,
    },
    Gep {
        source: TypeId,
        base_ty: TypeId,
        base: Operand,
        indices: Vec<(TypeId, Operand)>,
    },
    ExtractValue {
        ty: TypeId,
        a: Operand,
        path: Vec<u32>,
    },
    InsertValue {
        ty: TypeId,
        a: Operand,
        value_ty: TypeId,
        value: Operand,
        path: Vec<u32>,
    },
    ExtractElement {
        ty: TypeId,
        a: Operand,
        index_ty: TypeId,
        index: Operand,
    },
    InsertElement {
        ty: TypeId,
        a: Operand,
        value: Operand,
        index_ty: TypeId,
        index: Operand,
    },
    ShuffleVector {
        ty: TypeId,
        a: Operand,
        b: Operand,
        mask_ty: TypeId,
        mask: ConstId,
    },
    Call(Box<Call>),
    AtomicRmw {
        op: RmwOp,
        ty: TypeId,
        ptr: Operand,
        value: Operand,
    },
    CmpXchg {
        ty: TypeId,
        ptr: Operand,
        expected: Operand,
        new: Operand,
    },
    Fence,
    VaArg {
        list: Operand,
        ty: TypeId,
    },
    /// Where an exception comes in.
    LandingPad {
        ty: TypeId,
        /// It is entered for any exception that passes.
        cleanup: bool,
        clauses: Vec<Clause>,
    },
    /// An exception goes on its way.
    Resume {
        ty: TypeId,
        value: Operand,
    },
    /// An instruction that we refuse to execute, by name.
    Unsupported(Arc<str>),
}

/// A clause of a landing pad.
#[derive(Clone, Copy, Debug)]
pub struct Clause {
    /// It catches exceptions of a type; else it is a filter, which lets only some types pass.
    pub catches: bool,
    /// The type of `value`.
    pub ty: TypeId,
    /// The address of a `type_info`, null for any; or an array of such addresses.
    pub value: Operand,
}

/// Operators of `atomicrmw`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "LLVM's own names")]
pub enum RmwOp {
    Xchg,
    Binary(BinaryOp),
    Nand,
    Max,
    Min,
    UMax,
    UMin,
}

/// A call or invoke.
#[derive(Clone, Debug)]
pub struct Call {
    /// Result type.
    pub result: TypeId,
    /// What is called.
    pub callee: Callee,
    /// Arguments in order.
    pub arguments: Vec<Argument>,
    /// For `invoke`: where a normal return goes on.
    pub normal: Option<BlockId>,
    /// For `invoke`: where an exception goes on.
    pub unwind: Option<BlockId>,
    /// Whether it must or may be a tail call.
    pub tail: Tail,
    /// Attributes of the call; the callee has its own.
    pub attributes: Attributes,
    /// Attributes of the result.
    pub result_flags: ParameterFlags,
    /// Operand bundles.
    pub bundles: Vec<Bundle>,
}

/// An operand bundle: `["align"(ptr %p, i64 16)]`.
#[derive(Clone, Debug)]
pub struct Bundle {
    /// Its tag.
    pub tag: Arc<str>,
    /// What it is about.
    pub arguments: Vec<Argument>,
}

/// What is called.
#[derive(Clone, Debug)]
pub enum Callee {
    /// The function at this address.
    Operand(Operand),
    /// Inline assembly.
    Assembly(Arc<str>),
}

/// An argument of a call.
#[derive(Clone, Copy, Debug)]
pub struct Argument {
    /// Its type.
    pub ty: TypeId,
    /// Its value; `None` for metadata.
    pub value: Option<Operand>,
    /// The callee gets a copy of this type behind the pointer.
    pub byval: Option<TypeId>,
    /// Attributes.
    pub flags: ParameterFlags,
    /// The alignment that the caller promises, in bytes; 0 for none.
    pub align: u32,
}

/// Debug metadata that locations need.
#[derive(Clone, Debug)]
pub enum Metadata {
    /// Numbers from the first of a pair to the last but one, `!range`.
    Ranges(Box<[(i128, i128)]>),
    /// A source position.
    Location {
        /// Line.
        line: u32,
        /// Column.
        column: u32,
        /// Number of its scope.
        scope: u32,
        /// Number of the position of the call that was inlined.
        inlined_at: Option<u32>,
    },
    /// A function.
    Subprogram {
        /// Its source name.
        name: Arc<str>,
        /// Number of its file.
        file: Option<u32>,
        /// Its first line.
        line: u32,
        /// It was optimised.
        optimised: bool,
        /// Number of its [`Metadata::Signature`].
        ty: Option<u32>,
    },
    /// A block in a scope.
    Block {
        /// Number of the scope around it.
        scope: u32,
        /// Number of its file.
        file: Option<u32>,
    },
    /// A source file.
    File {
        /// Its name as the compiler was given it.
        name: Arc<str>,
        /// The compiler's working directory.
        directory: Arc<str>,
    },
    /// A source variable.
    Variable {
        /// Its name.
        name: Arc<str>,
        /// Number of its scope.
        scope: u32,
        /// From 1 for parameters; `None` for others.
        parameter: Option<u32>,
        /// The line of its declaration.
        line: u32,
        /// Number of its type.
        ty: Option<u32>,
    },
    /// A global source variable.
    GlobalVariable {
        /// Its name.
        name: Arc<str>,
        /// Its name in the module, where it is another.
        linkage: Option<Arc<str>>,
        /// Number of its type.
        ty: Option<u32>,
    },
    /// A source type that is its own (`int`).
    BasicType {
        /// Its name.
        name: Arc<str>,
        /// Its size.
        bits: u64,
        /// What it is, as `DW_ATE_signed`.
        encoding: Arc<str>,
    },
    /// A source type (or a member of one) on top of another.
    DerivedType {
        /// How, as `DW_TAG_pointer_type`.
        tag: Arc<str>,
        /// A member's name.
        name: Arc<str>,
        /// Number of the other type; `None` is `void`.
        base: Option<u32>,
        /// Its size.
        bits: u64,
        /// Where a member starts, in bits.
        offset: u64,
        /// A member that shares its bytes with others.
        bit_field: bool,
    },
    /// A source type made of several.
    CompositeType {
        /// How, as `DW_TAG_structure_type`.
        tag: Arc<str>,
        /// Its name.
        name: Arc<str>,
        /// Number of an array's element type.
        base: Option<u32>,
        /// Its size.
        bits: u64,
        /// Number of the list of its members, or of an array's subranges.
        elements: Option<u32>,
    },
    /// The type of a function.
    Signature {
        /// Number of the list of its result and parameters; [`u32::MAX`] in it is `void`, or `...` at the end.
        types: Option<u32>,
    },
    /// The indices of an array.
    Subrange {
        /// How many; `None` when that is not a constant.
        count: Option<u64>,
    },
    /// A list of other metadata; `null` is [`u32::MAX`].
    List(Box<[u32]>),
    /// A compilation unit.
    Unit {
        /// The source language, as `DW_LANG_C11`.
        language: Arc<str>,
        /// Number of its main file.
        file: Option<u32>,
    },
}

/// A module.
#[derive(Clone, Debug, Default)]
pub struct Module {
    /// It is a part of the library that is compiled in, not of the program.
    pub library: bool,
    /// The name of the source file, as the module says.
    pub source: Arc<str>,
    /// The target triple.
    pub triple: Arc<str>,
    /// Sizes and alignments on the target.
    pub target: DataLayout,
    /// Inline assembly of the module, line by line.
    pub assembly: Vec<Arc<str>>,
    /// The types.
    pub types: Vec<Type>,
    /// Names of structures, where they have one.
    pub type_names: FxHashMap<TypeId, Arc<str>>,
    /// The constants.
    pub constants: Vec<Constant>,
    /// The global names.
    pub globals: Vec<Global>,
    /// Attribute groups by number.
    pub attribute_groups: FxHashMap<u32, FunctionFlags>,
    /// Debug metadata by number.
    pub metadata: FxHashMap<u32, Metadata>,
    /// Layouts by type, computed once when all types are known.
    measures: Vec<Measure>,
}

impl Module {
    /// A type.
    pub fn ty(&self, id: TypeId) -> &Type {
        &self.types[id.index()]
    }

    /// A constant.
    pub fn constant(&self, id: ConstId) -> &Constant {
        &self.constants[id.index()]
    }

    /// Attributes with those of their groups.
    pub fn flags(&self, attributes: &Attributes) -> FunctionFlags {
        let groups = attributes.groups.iter().filter_map(|it| self.attribute_groups.get(it));
        groups.fold(attributes.own, |all, &group| all | group)
    }

    /// The name of the source variable behind a local of `function`.
    pub fn variable_name(&self, function: &Function, local: LocalId) -> Option<&Arc<str>> {
        let variable = function.variables.iter().find(|it| it.local == local)?;
        match self.metadata.get(&variable.metadata)? {
            Metadata::Variable { name, .. } => Some(name),
            _ => None,
        }
    }
}

impl Op {
    /// Whether it ends a block.
    pub fn is_terminator(&self) -> bool {
        match self {
            Op::Ret(_) | Op::Br(_) | Op::CondBr { .. } | Op::Switch { .. } | Op::Unreachable | Op::Resume { .. } => {
                true
            }
            Op::Call(call) => call.normal.is_some(),
            Op::Unsupported(name) => {
                matches!(&**name, "callbr" | "catchswitch" | "catchret" | "cleanupret")
            }
            _ => false,
        }
    }

    /// Calls `visit` for each block that it mentions.
    pub fn for_each_block(&mut self, mut visit: impl FnMut(&mut BlockId)) {
        match self {
            Op::Br(block) => visit(block),
            Op::CondBr { then, other, .. } => {
                visit(then);
                visit(other);
            }
            Op::Switch { default, cases, .. } => {
                visit(default);
                cases.iter_mut().for_each(|(_, it)| visit(it));
            }
            Op::Phi { incoming, .. } => incoming.iter_mut().for_each(|(_, it)| visit(it)),
            Op::Call(call) => call.normal.iter_mut().chain(&mut call.unwind).for_each(visit),
            _ => {}
        }
    }
}

//! Lowering of one function.
//!
//! Knows: blocks become a flat code with edges; local variables whose address is not taken become registers.
//! Never: execution.
//!
//! The promotion of such variables needs no phis because registers are storage, not SSA values; it makes code
//! that was compiled without optimisation run without touching memory.

use super::amounts::amounts;
use super::narrow::never_overflowing;
use super::promotion::{is_lifetime, lifetime_casts, may_be_optimised, promotable, stack};
use super::trapped::{Checked, checked, is_folded};
use super::unwritten::{Beginning, unwritten};
use super::{Linker, alignment, element_bytes, labels, places, rows, shape};
use crate::checks::UNDEFINED_BEHAVIOUR;
use crate::code::{
    Alloca, Code, Edge, Flags, Func, Inst, NO_SITE, Opnd, Parameter, Reg, Seen, Shape, SiteInfo, SiteKind, Switch, Trap,
};
use crate::ir::attributes::{InstructionFlags, Ordering};
use crate::ir::distance::Distance;
use crate::ir::role::BlockRole;
use crate::ir::{
    BinaryOp, BlockId, ConstId, Constant, Function, GlobalId, GlobalKind, Instruction, IntPredicate, LocalId, Module,
    Op, Operand, RmwOp, Type, TypeId,
};
use crate::memory::ObjectId;
use crate::names::{is_standard_library, readable};
use crate::options::Uninitialised;
use crate::value::{Val, signed};
use effigy_engine::Place;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// Why an instruction cannot be executed, by name.
pub(super) type Result<T> = std::result::Result<T, String>;

/// Lowers function `id` of module `at`.
pub(super) fn lower(linker: &mut Linker<'_>, at: usize, id: GlobalId) -> Func {
    let module = &linker.modules[at];
    let global = &module.globals[id.index()];
    let GlobalKind::Function(function) = &global.kind else { unreachable!("only functions with bodies are numbered") };
    let mut promoted = promotable(module, function);
    let inputs = match linker.uninitialised {
        Uninitialised::Input if !module.library => unwritten(module, function),
        _ => Vec::new(),
    };
    // What is an input has to be in memory.
    promoted.iter_mut().zip(&inputs).for_each(|(it, is_input)| *it &= is_input.is_none());
    let poison = may_be_optimised(module, function);
    let mut lowering = Lowering {
        at,
        module,
        function,
        promoted,
        inputs,
        poison,
        marks: lifetime_casts(module, function),
        narrow: never_overflowing(module, function),
        // What was optimised may shift where the program would not.
        amounts: if module.library || poison { FxHashMap::default() } else { amounts(function) },
        source_name: if module.library { readable(&global.name) } else { Arc::clone(&global.name) },
        library: module.library || &*global.name == "__clang_call_terminate",
        of_rust: false,
        code: Vec::new(),
        places: Vec::new(),
        place: 0,
        head: 0,
        entered_from: None,
        nowhere: None,
        registers: function.types.len() as u32,
        known_places: FxHashMap::default(),
        constants: FxHashMap::default(),
        block_sites: Vec::new(),
        pending: Vec::new(),
        site: NO_SITE,
        linker,
    };
    if let Some(head) = function.debug.and_then(|it| places::subprogram(module, it)) {
        lowering.source_name = Arc::clone(&head.function);
        lowering.of_rust = head.file.ends_with(".rs");
        lowering.library |= crate::library::is_part(&head.file) || is_standard_library(&head.file);
        lowering.place = lowering.place_id(head);
        lowering.head = lowering.place;
    }
    lowering.run(Arc::clone(&global.name))
}

pub(super) struct Lowering<'l, 'a> {
    pub(super) linker: &'l mut Linker<'a>,
    pub(super) at: usize,
    pub(super) module: &'a Module,
    pub(super) function: &'a Function,
    /// The function may have been optimised: see [`Flags::poison`].
    pub(super) poison: bool,
    /// Casts of variables' addresses that only mark their lives.
    pub(super) marks: FxHashMap<LocalId, LocalId>,
    /// Amounts of shifts that clang has brought to the width of what is shifted, and whether that is to the right.
    pub(super) amounts: FxHashMap<LocalId, bool>,
    /// Results of signed operations that cannot overflow.
    narrow: FxHashSet<LocalId>,
    /// Variables that become registers.
    promoted: Vec<bool>,
    /// Variables of which what is in them at first is an input.
    inputs: Vec<Option<Beginning>>,
    source_name: Arc<str>,
    /// It is a part of the library, or was made to call a function of the program.
    library: bool,
    /// It is written in Rust, whose compiler writes `undef` for bytes that no value has.
    pub(super) of_rust: bool,
    code: Vec<Inst>,
    places: Vec<u32>,
    /// The place of the instruction that is being lowered.
    place: u32,
    /// The place of the function.
    pub(super) head: u32,
    /// For each block from where it is entered, once it was asked for.
    pub(super) entered_from: Option<Vec<Entrance>>,
    /// The function without a line, for blocks of which no instruction has a place.
    pub(super) nowhere: Option<u32>,
    registers: u32,
    pub(super) known_places: FxHashMap<u32, u32>,
    constants: FxHashMap<(ConstId, TypeId), Opnd>,
    block_sites: Vec<u32>,
    /// Edges that still name a block where they will have an address.
    pending: Vec<(u32, BlockId)>,
    /// The coverage site of the stretch that is being lowered.
    pub(super) site: u32,
}

/// From where a block is entered.
#[derive(Clone, Copy)]
pub(super) enum Entrance {
    /// From nowhere so far.
    Unknown,
    /// Always from this place.
    From(u32),
    /// From several places, or from one that is not known.
    Several,
}

impl Lowering<'_, '_> {
    fn run(mut self, name: Arc<str>) -> Func {
        let mut starts = Vec::with_capacity(self.function.blocks.len());
        for _ in &self.function.blocks {
            let site = self.new_site(SiteKind::Code, Vec::new());
            self.block_sites.push(site);
        }
        for (index, block) in self.function.blocks.iter().enumerate() {
            starts.push(self.code.len() as u32);
            self.site = self.block_sites[index];
            // What stands before a block in the text need not be executed before it.
            if index > 0 {
                self.place = self.first_place(BlockId(index as u32));
            }
            for instruction in &block.instructions {
                if !self.is_mark(instruction) {
                    self.set_place(instruction.debug);
                }
                if let Err(what) = self.instruction(BlockId(index as u32), instruction) {
                    self.unsupported(&what);
                }
            }
        }
        let labelled = self.function.blocks.iter().zip(&starts).filter(|it| it.0.role != BlockRole::Other);
        let roles = labelled.map(|(block, &start)| (start, block.role)).collect();
        for &(edge, block) in &self.pending {
            self.linker.code.edges[edge as usize].target = starts[block.index()];
        }
        // A variable that has become a register holds what it would hold in memory.
        let promoted = self.function.blocks.iter().flat_map(|it| &it.instructions).filter_map(|it| match it {
            Instruction { op: Op::Alloca { ty, .. }, result: Some(local), .. } if self.promoted[local.index()] => {
                Some((local.index(), *ty))
            }
            _ => None,
        });
        let mut types = self.function.types.clone();
        promoted.for_each(|(local, ty)| types[local] = ty);
        let shapes = types.into_iter().map(|it| shape(self.module, it).ok()).collect();
        let mut instructions = self.function.blocks.iter().flat_map(|it| &it.instructions);
        let has_pads = instructions.any(|it| matches!(it.op, Op::LandingPad { .. }));
        let variables = self.linker.source_variables(self.at, self.function, &self.promoted);
        let labels = labels::parameters(self.module, self.function);
        let parameters = self.function.parameters.iter().zip(labels).map(|(parameter, label)| {
            let shape = shape(self.module, parameter.ty).unwrap_or(Shape::Scalar { size: 8, width: 64 });
            let of_source = variables.iter().find(|it| it.parameter.is_some() && it.name == label.name);
            let signed = of_source.filter(|_| label.is_variable).and_then(|it| self.linker.sign_of(it.ty));
            let float = match self.module.ty(parameter.ty) {
                Type::Float(crate::ir::FloatKind::Single) => Some("f32"),
                Type::Float(crate::ir::FloatKind::Double) => Some("f64"),
                _ => None,
            };
            let pointer = matches!(self.module.ty(parameter.ty), Type::Ptr);
            Parameter { shape, name: label.name, signed, pointer, float }
        });
        let parameters: Vec<Parameter> = parameters.collect();
        Func {
            of_rust: self.of_rust,
            library: self.library,
            may_be_optimised: self.poison,
            stack: stack(self.module, self.function, self.poison),
            variables,
            name,
            source_name: Arc::clone(&self.source_name),
            parameters,
            varargs: self.function.varargs,
            has_pads,
            result: shape(self.module, self.function.result).ok(),
            registers: self.registers,
            shapes,
            site: self.block_sites.first().copied().unwrap_or(NO_SITE),
            code: self.code,
            places: self.places,
            roles,
        }
    }

    pub(super) fn code_tables(&mut self) -> &mut Code {
        &mut self.linker.code
    }

    pub(super) fn emit(&mut self, inst: Inst) {
        self.code.push(inst);
        self.places.push(self.place);
    }

    fn unsupported(&mut self, what: &str) {
        let index = self.code_tables().unsupported.len() as u32;
        self.code_tables().unsupported.push(what.into());
        self.emit(Inst::Unsupported { what: index });
    }

    /// Whether an instruction only says that a variable begins or ceases to live, which is not executed by the line
    /// that it stands in.
    pub(super) fn is_mark(&self, instruction: &Instruction) -> bool {
        matches!(&instruction.op, Op::Call(call) if is_lifetime(self.module, call))
            || instruction.result.is_some_and(|it| self.marks.contains_key(&it))
    }

    fn set_place(&mut self, debug: u32) {
        let Some(known) = self.known_place(debug) else { return };
        self.place = known;
        let place = &self.linker.code.places[self.place as usize];
        let line = (Arc::clone(&place.file), place.line);
        if self.site != NO_SITE && line.1 != 0 && !self.library {
            let lines = &mut self.linker.code.sites[self.site as usize].lines;
            if lines.last() != Some(&line) {
                lines.push(line);
            }
        }
    }

    pub(super) fn place_id(&mut self, place: Place) -> u32 {
        let places = &mut self.code_tables().places;
        places.push(place);
        places.len() as u32 - 1
    }

    pub(super) fn new_site(&mut self, kind: SiteKind, lines: Vec<(Arc<str>, u32)>) -> u32 {
        // All that the library does is one site, which belongs to no line.
        if self.library {
            return *self.linker.library_site.get_or_insert_with(|| {
                let sites = &mut self.linker.code.sites;
                sites.push(SiteInfo { kind: SiteKind::Code, lines: Vec::new(), function: "the C library".into() });
                sites.len() as u32 - 1
            });
        }
        let function = Arc::clone(&self.source_name);
        let sites = &mut self.code_tables().sites;
        sites.push(SiteInfo { kind, lines, function });
        sites.len() as u32 - 1
    }

    pub(super) fn temporary(&mut self) -> Reg {
        self.registers += 1;
        self.registers - 1
    }

    pub(super) fn constant(&mut self, value: Val) -> Opnd {
        let constants = &mut self.code_tables().constants;
        constants.push(value);
        Opnd::constant(constants.len() as u32 - 1)
    }

    pub(super) fn operand(&mut self, operand: Operand, ty: TypeId) -> Result<Opnd> {
        match operand {
            Operand::Local(local) => Ok(Opnd::reg(local.0)),
            Operand::Const(id) => {
                if let Some(&known) = self.constants.get(&(id, ty)) {
                    return Ok(known);
                }
                if self.linker.rests_on_addresses(self.at, id) {
                    return self.computed(id);
                }
                let value = self.linker.constant_value(self.at, id, ty)?;
                let res = self.constant(value.clone());
                if let Some(own) = self.own_copy(&value, res) {
                    return Ok(own);
                }
                self.constants.insert((id, ty), res);
                Ok(res)
            }
        }
    }

    /// Lanes (0 for a scalar) and bits of a scalar or vector type.
    pub(super) fn lanes(&self, ty: TypeId) -> Result<(u16, u16)> {
        let (lanes, element) = match *self.module.ty(ty) {
            Type::Vector(count, element) => (count, element),
            _ => (0, ty),
        };
        let bits = self.module.bits(element).filter(|&it| it <= 4096);
        let bits = bits.ok_or_else(|| "an operation on integers of this width".to_owned())?;
        let lanes = u16::try_from(lanes).map_err(|_| "a vector of this length".to_owned())?;
        Ok((lanes, bits as u16))
    }

    pub(super) fn float_lanes(&self, ty: TypeId) -> Result<(u16, u16)> {
        let (lanes, bits) = self.lanes(ty)?;
        let element = match *self.module.ty(ty) {
            Type::Vector(_, element) => element,
            _ => ty,
        };
        match self.module.ty(element) {
            Type::Float(crate::ir::FloatKind::BFloat) => Err("floating point of kind BFloat".to_owned()),
            Type::Float(_) => Ok((lanes, bits)),
            _ => Err("a floating-point operation on another type".to_owned()),
        }
    }

    pub(super) fn shape_id(&mut self, ty: TypeId) -> Result<u32> {
        let shape = shape(self.module, ty)?;
        let shapes = &mut self.code_tables().shapes;
        if let Some(at) = shapes.iter().rposition(|it| *it == shape) {
            return Ok(at as u32);
        }
        shapes.push(shape);
        Ok(shapes.len() as u32 - 1)
    }

    /// Whether what is in a variable is an input where its life begins so.
    pub(super) fn is_input(&self, variable: LocalId, at: Beginning) -> bool {
        self.inputs.get(variable.index()).copied().flatten() == Some(at)
    }

    pub(super) fn is_promoted(&self, operand: Operand) -> Option<Reg> {
        match operand {
            Operand::Local(local) if self.promoted[local.index()] => Some(local.0),
            _ => None,
        }
    }

    fn instruction(&mut self, block: BlockId, instruction: &Instruction) -> Result<()> {
        let dst = instruction.result.map_or(u32::MAX, |it| it.0);
        if !self.poison && !self.library && !self.of_rust && is_folded(self.module, &instruction.op) {
            let never = self.constant(Val::Int(0));
            let what = "an expression without a value, which clang has folded: a division by zero, a shift too far";
            self.check(never, true, Trap { kind: UNDEFINED_BEHAVIOUR, what: what.into(), seen: Seen::Branch });
        }
        match &instruction.op {
            Op::Phi { .. } => Ok(()),
            Op::Fence => {
                self.emit(Inst::Fence { ordering: instruction.ordering });
                Ok(())
            }
            Op::Ret(value) => {
                let value = match value {
                    Some((ty, value)) => Some(self.operand(*value, *ty)?),
                    None => None,
                };
                self.emit(Inst::Ret { value });
                Ok(())
            }
            Op::Br(target) => {
                let edge = self.edge(block, *target, None)?;
                self.emit(Inst::Jump { edge });
                Ok(())
            }
            Op::CondBr { cond, then, other } => {
                if let Some(Checked { goes_on, trap }) = checked(self.module, self.function, *cond, [*then, *other]) {
                    let cond = self.condition(*cond)?;
                    self.check(cond, goes_on, trap);
                    let edge = self.edge(block, if goes_on { *then } else { *other }, None)?;
                    self.emit(Inst::Jump { edge });
                    return Ok(());
                }
                let cond = self.condition(*cond)?;
                let then = self.edge(block, *then, Some(SiteKind::True))?;
                let other = self.edge(block, *other, Some(SiteKind::False))?;
                self.emit(Inst::Branch { cond, then, other });
                Ok(())
            }
            Op::Switch { ty, value, default, cases } => self.switch(block, *ty, *value, *default, cases),
            Op::Unreachable => {
                self.emit(Inst::Unreachable);
                Ok(())
            }
            Op::FNeg { ty, a } => {
                let (lanes, width) = self.float_lanes(*ty)?;
                let a = self.operand(*a, *ty)?;
                self.emit(Inst::FNeg { lanes, width, dst, a });
                Ok(())
            }
            Op::Fcmp { pred, ty, a, b } => {
                let (lanes, width) = self.float_lanes(*ty)?;
                let (a, b) = (self.operand(*a, *ty)?, self.operand(*b, *ty)?);
                self.emit(Inst::Fcmp { pred: *pred, lanes, width, dst, a, b });
                Ok(())
            }
            Op::Cast { .. } if instruction.result.is_some_and(|it| self.marks.contains_key(&it)) => Ok(()),
            op @ (Op::Binary { .. } | Op::Icmp { .. } | Op::Cast { .. }) => {
                self.check_amount(op, instruction.result)?;
                match *op {
                    Op::Binary { op, ty, a, b, nuw, .. }
                        if instruction.result.is_some_and(|it| self.narrow.contains(&it)) =>
                    {
                        self.operation(&Op::Binary { op, ty, a, b, nuw, nsw: false }, dst)
                    }
                    _ => self.operation(op, dst),
                }
            }
            Op::Select { cond_ty, cond, ty, a, b } => {
                let cond = self.operand(*cond, *cond_ty)?;
                let (a, b) = (self.operand(*a, *ty)?, self.operand(*b, *ty)?);
                let width = self.lanes(*ty).map_or(0, |it| it.1);
                self.emit(Inst::Select { width, dst, cond, a, b });
                Ok(())
            }
            Op::Freeze { ty, a } => {
                let shape = self.shape_id(*ty)?;
                let a = self.operand(*a, *ty)?;
                self.emit(Inst::Freeze { dst, a, shape });
                Ok(())
            }
            Op::Alloca { ty, count } => self.alloca(instruction, *ty, *count, dst),
            Op::Load { ty, ptr } => {
                let defined = instruction.flags.has(InstructionFlags::NOUNDEF);
                match self.is_promoted(*ptr) {
                    Some(reg) => {
                        self.emit(Inst::Mov { dst, a: Opnd::reg(reg) });
                        if defined && let Ok((0, width)) = self.lanes(*ty) {
                            self.emit(Inst::Defined { a: Opnd::reg(dst), width });
                        }
                    }
                    None => {
                        let ptr = self.pointer(*ptr)?;
                        self.begin_atomic(ptr, *ty, false, instruction.ordering)?;
                        self.load(dst, ptr, *ty, defined)?;
                        self.end_atomic(ptr, None, true, instruction.ordering);
                    }
                }
                if defined { self.check_range(dst, *ty, instruction.range) } else { Ok(()) }
            }
            Op::Store { ty, value, ptr } => {
                let value = self.operand(*value, *ty)?;
                if let Some(reg) = self.is_promoted(*ptr) {
                    self.emit(Inst::Mov { dst: reg, a: value });
                    return Ok(());
                }
                let ptr = self.pointer(*ptr)?;
                self.begin_atomic(ptr, *ty, true, instruction.ordering)?;
                self.store(ptr, value, *ty)?;
                let wrote = self.constant(Val::Int(1));
                self.end_atomic(ptr, Some(wrote), false, instruction.ordering);
                Ok(())
            }
            Op::Gep { source, base_ty, base, indices } => {
                self.gep(*source, (*base_ty, *base), indices, Distance::of(instruction.flags), dst)
            }
            Op::ExtractValue { ty, a, path } => {
                let a = self.operand(*a, *ty)?;
                let path = self.path(path);
                self.emit(Inst::ExtractValue { dst, a, path });
                Ok(())
            }
            Op::InsertValue { ty, a, value_ty, value, path } => {
                let a = self.aggregate_operand(*a, *ty)?;
                let value = self.operand(*value, *value_ty)?;
                let path = self.path(path);
                self.emit(Inst::InsertValue { dst, a, value, path });
                Ok(())
            }
            Op::ExtractElement { ty, a, index_ty, index } => {
                let a = self.operand(*a, *ty)?;
                let index = self.operand(*index, *index_ty)?;
                self.emit(Inst::ExtractElement { dst, a, index });
                Ok(())
            }
            Op::InsertElement { ty, a, value, index_ty, index } => {
                let element = self.module.element(*ty, 0).ok_or("a vector without elements")?;
                let a = self.aggregate_operand(*a, *ty)?;
                let value = self.operand(*value, element)?;
                let index = self.operand(*index, *index_ty)?;
                self.emit(Inst::InsertElement { dst, a, value, index });
                Ok(())
            }
            Op::ShuffleVector { ty, a, b, mask_ty, mask } => self.shuffle(*ty, *a, *b, *mask_ty, *mask, dst),
            Op::Call(call) => self.call(block, call, instruction.result),
            Op::AtomicRmw { op, ty, ptr, value } => self.atomic_rmw(*op, *ty, *ptr, *value, instruction.ordering, dst),
            Op::CmpXchg { ty, ptr, expected, new } => {
                let (_, width) = self.lanes(*ty)?;
                let ptr = self.pointer(*ptr)?;
                let (expected, new) = (self.operand(*expected, *ty)?, self.operand(*new, *ty)?);
                let (old, same, stored) = (self.temporary(), self.temporary(), self.temporary());
                self.begin_atomic(ptr, *ty, true, instruction.ordering)?;
                self.load(old, ptr, *ty, false)?;
                let (a, b) = (Opnd::reg(old), expected);
                match self.module.ty(*ty) {
                    Type::Ptr => self.emit(Inst::IcmpPtr { pred: IntPredicate::Eq, dst: same, a, b }),
                    _ => self.emit(Inst::Icmp { pred: IntPredicate::Eq, lanes: 0, width, dst: same, a, b }),
                }
                self.emit(Inst::Select { width, dst: stored, cond: Opnd::reg(same), a: new, b: Opnd::reg(old) });
                self.store(ptr, Opnd::reg(stored), *ty)?;
                self.end_atomic(ptr, Some(Opnd::reg(same)), true, instruction.ordering);
                self.emit(Inst::Pair { dst, a: Opnd::reg(old), b: Opnd::reg(same) });
                Ok(())
            }
            Op::VaArg { .. } => Err("the instruction va_arg".to_owned()),
            Op::LandingPad { ty, .. } => self.landing_pad(*ty, dst),
            Op::Resume { ty, value } => self.resume(*ty, *value),
            Op::Unsupported(name) => Err(format!("the instruction {name}")),
        }
    }

    pub(super) fn check(&mut self, cond: Opnd, holds: bool, trap: Trap) {
        let traps = &mut self.code_tables().traps;
        traps.push(trap);
        let trap = traps.len() as u32 - 1;
        self.emit(Inst::Check { cond, holds, trap });
    }

    fn condition(&mut self, cond: Operand) -> Result<Opnd> {
        match cond {
            Operand::Local(local) => Ok(Opnd::reg(local.0)),
            Operand::Const(id) if self.linker.rests_on_addresses(self.at, id) => self.computed(id),
            Operand::Const(id) => {
                let value = self.linker.constant_bits(self.at, id, 1)?;
                Ok(self.constant(value))
            }
        }
    }

    pub(super) fn pointer(&mut self, ptr: Operand) -> Result<Opnd> {
        match ptr {
            Operand::Local(local) => Ok(Opnd::reg(local.0)),
            Operand::Const(id) if self.linker.rests_on_addresses(self.at, id) => self.computed(id),
            Operand::Const(id) => {
                let value = self.linker.constant_bits(self.at, id, 64)?;
                let known = self.constant(value.clone());
                Ok(self.own_copy(&value, known).unwrap_or(known))
            }
        }
    }

    /// An aggregate that is about to get an element: `undef` is spelled out by elements.
    fn aggregate_operand(&mut self, operand: Operand, ty: TypeId) -> Result<Opnd> {
        if let Operand::Const(id) = operand
            && matches!(self.module.constant(id), Constant::Undef(_))
        {
            let value = undefined(&shape(self.module, ty)?);
            return Ok(self.constant(value));
        }
        self.operand(operand, ty)
    }

    fn load(&mut self, dst: Reg, ptr: Opnd, ty: TypeId, defined: bool) -> Result<()> {
        match shape(self.module, ty)? {
            Shape::Scalar { size, width } if size <= 4096 => {
                let number = matches!(self.module.ty(ty), Type::Int(_));
                self.emit(Inst::Load { dst, ptr, size: size as u16, width: width as u16, number, defined });
            }
            _ => {
                let shape = self.shape_id(ty)?;
                self.emit(Inst::LoadShape { dst, ptr, shape });
            }
        }
        Ok(())
    }

    fn store(&mut self, ptr: Opnd, value: Opnd, ty: TypeId) -> Result<()> {
        match shape(self.module, ty)? {
            Shape::Scalar { size, width } if size <= 4096 => {
                self.emit(Inst::Store { ptr, value, size: size as u16, width: width as u16 });
            }
            _ => {
                let shape = self.shape_id(ty)?;
                self.emit(Inst::StoreShape { ptr, value, shape });
            }
        }
        Ok(())
    }

    fn alloca(
        &mut self,
        instruction: &Instruction,
        ty: TypeId,
        count: Option<(TypeId, Operand)>,
        dst: Reg,
    ) -> Result<()> {
        if let Some(local) = instruction.result
            && self.promoted[local.index()]
        {
            let a = self.constant(Val::Undef);
            self.emit(Inst::Mov { dst, a });
            return Ok(());
        }
        let size = self.module.layout(ty).ok_or("a local variable without a size")?.size;
        let count = match count {
            Some((ty, operand)) => {
                let width = self.module.bits(ty).ok_or("a count that is no integer")?;
                Some((self.operand(operand, ty)?, width))
            }
            None => None,
        };
        let written = instruction.result.and_then(|it| self.function.names[it.index()].as_deref());
        // clang calls every array of variable length so, and nothing else that is of a size that is computed.
        let is_array = count.is_some() && written.is_some_and(|it| it.starts_with("vla"));
        let name = instruction.result.map(|it| labels::local(self.module, self.function, it));
        let name = name.unwrap_or_else(|| "a local variable".into());
        let align = alignment(instruction.align, self.module.layout(ty));
        let (element, rows) = (element_bytes(self.module, ty), rows(self.module, ty));
        let alloca = Alloca { size, count, is_array, name, element, rows, align };
        let allocas = &mut self.code_tables().allocas;
        allocas.push(alloca);
        let alloca = allocas.len() as u32 - 1;
        self.emit(Inst::Alloca { dst, alloca });
        if instruction.result.is_some_and(|it| self.is_input(it, Beginning::Allocation)) {
            self.emit(Inst::AnyContent { ptr: Opnd::reg(dst) });
        }
        Ok(())
    }

    fn gep(
        &mut self,
        source: TypeId,
        (base_ty, base): (TypeId, Operand),
        indices: &[(TypeId, Operand)],
        distance: Distance,
        dst: Reg,
    ) -> Result<()> {
        let is_vector = |ty: TypeId| matches!(self.module.ty(ty), Type::Vector(..));
        if is_vector(base_ty) || indices.iter().any(|it| is_vector(it.0)) {
            return Err("getelementptr on vectors".to_owned());
        }
        self.element_address(source, base, indices, distance, dst)
    }

    /// The address of an element, by indices of which each steps over a type, or into it.
    pub(super) fn element_address(
        &mut self,
        source: TypeId,
        base: Operand,
        indices: &[(TypeId, Operand)],
        distance: Distance,
        dst: Reg,
    ) -> Result<()> {
        let mut base = self.pointer(base)?;
        let mut constant = 0i64;
        let mut variable = Vec::new();
        let mut ty = source;
        for (position, &(index_ty, index)) in indices.iter().enumerate() {
            let known = match index {
                Operand::Const(id) if self.linker.rests_on_addresses(self.at, id) => None,
                Operand::Const(id) => {
                    let width = self.module.bits(index_ty).ok_or("an index that is no integer")?;
                    match self.linker.constant_bits(self.at, id, width)? {
                        Val::Int(bits) => Some(signed(bits, width)),
                        _ => return Err("an undefined index".to_owned()),
                    }
                }
                Operand::Local(_) => None,
            };
            let is_field = position > 0 && matches!(self.module.ty(ty), Type::Struct { .. });
            if let Some(index) = known
                && is_field
            {
                let offset = self.module.field_offset(ty, index as u64).ok_or("an index into a type without size")?;
                constant = constant.wrapping_add(offset as i64);
                ty = self.module.element(ty, index as u64).ok_or("an index that does not exist")?;
                continue;
            }
            if position > 0 {
                ty = self.module.element(ty, 0).ok_or("an index that does not exist")?;
            }
            let size = self.module.layout(ty).ok_or("an index into a type without size")?.size as i64;
            // A distance that is not allowed is left to the run.
            match known.and_then(|it| constant.checked_add(distance.bytes(it, size)?)) {
                Some(sum) => constant = sum,
                None => {
                    let (_, width) = self.lanes(index_ty)?;
                    variable.push((self.operand(index, index_ty)?, width, size));
                }
            }
        }
        if variable.is_empty() {
            self.emit(Inst::Offset { dst, base, offset: constant, distance });
            return Ok(());
        }
        let last = variable.len() - 1;
        for (position, (index, width, scale)) in variable.into_iter().enumerate() {
            let to = if position == last && constant == 0 { dst } else { self.temporary() };
            self.emit(Inst::Index { dst: to, base, index, width, scale, distance });
            base = Opnd::reg(to);
        }
        if constant != 0 {
            self.emit(Inst::Offset { dst, base, offset: constant, distance });
        }
        Ok(())
    }

    pub(super) fn path(&mut self, path: &[u32]) -> u32 {
        let paths = &mut self.code_tables().paths;
        paths.push(path.into());
        paths.len() as u32 - 1
    }

    fn shuffle(&mut self, ty: TypeId, a: Operand, b: Operand, mask_ty: TypeId, mask: ConstId, dst: Reg) -> Result<()> {
        let (a, b) = (self.aggregate_operand(a, ty)?, self.aggregate_operand(b, ty)?);
        let count = self.module.elements(mask_ty).ok_or("a mask without elements")? as usize;
        let mask: Vec<u32> = match self.linker.constant_value(self.at, mask, mask_ty)? {
            Val::Agg(elements) => elements.iter().map(|it| it.as_int().map_or(u32::MAX, |it| it as u32)).collect(),
            _ => vec![u32::MAX; count],
        };
        let mask = self.path(&mask);
        self.emit(Inst::Shuffle { dst, a, b, mask });
        Ok(())
    }

    /// What follows is one atomic access, if the ordering says that it is one.
    fn begin_atomic(&mut self, ptr: Opnd, ty: TypeId, writes: bool, ordering: Ordering) -> Result<()> {
        if ordering != Ordering::NotAtomic {
            let size = self.module.layout(ty).ok_or("an atomic access to a type without a size")?.size;
            let size = u16::try_from(size).map_err(|_| "an atomic access of this size")?;
            self.emit(Inst::AtomicBegin { ptr, size, writes, ordering });
        }
        Ok(())
    }

    /// The end of an atomic access, which has written where `wrote` is true.
    fn end_atomic(&mut self, ptr: Opnd, wrote: Option<Opnd>, reads: bool, ordering: Ordering) {
        if ordering != Ordering::NotAtomic {
            let wrote = match wrote {
                Some(wrote) => wrote,
                None => self.constant(Val::Int(0)),
            };
            self.emit(Inst::AtomicEnd { ptr, wrote, reads, ordering });
        }
    }

    /// The address of a thread-local object is another in each thread.
    fn own_copy(&mut self, value: &Val, known: Opnd) -> Option<Opnd> {
        let Val::Int(address) = value else { return None };
        let id = ObjectId::of_address(*address).0;
        if !self.linker.code.thread_locals.contains(&id) {
            return None;
        }
        let dst = self.temporary();
        self.emit(Inst::ThreadLocal { dst, a: known });
        Some(Opnd::reg(dst))
    }

    fn atomic_rmw(
        &mut self,
        op: RmwOp,
        ty: TypeId,
        ptr: Operand,
        value: Operand,
        ordering: Ordering,
        dst: Reg,
    ) -> Result<()> {
        let (_, width) = self.lanes(ty)?;
        let ptr = self.pointer(ptr)?;
        let value = self.operand(value, ty)?;
        let old = self.temporary();
        self.begin_atomic(ptr, ty, true, ordering)?;
        self.load(old, ptr, ty, false)?;
        let new = self.temporary();
        let a = Opnd::reg(old);
        let flags = Flags::default();
        let keep_if = match op {
            RmwOp::Xchg => {
                self.emit(Inst::Mov { dst: new, a: value });
                None
            }
            RmwOp::Binary(op) => {
                if matches!(op, BinaryOp::FAdd | BinaryOp::FSub) {
                    self.float_lanes(ty)?;
                }
                self.emit(Inst::Bin { op, flags, lanes: 0, width, dst: new, a, b: value });
                None
            }
            RmwOp::Nand => {
                let both = self.temporary();
                self.emit(Inst::Bin { op: BinaryOp::And, flags, lanes: 0, width, dst: both, a, b: value });
                let ones = self.constant(Val::Int(crate::value::truncate(u64::MAX, u32::from(width))));
                self.emit(Inst::Bin {
                    op: BinaryOp::Xor,
                    flags,
                    lanes: 0,
                    width,
                    dst: new,
                    a: Opnd::reg(both),
                    b: ones,
                });
                None
            }
            RmwOp::Max => Some(IntPredicate::Sgt),
            RmwOp::Min => Some(IntPredicate::Slt),
            RmwOp::UMax => Some(IntPredicate::Ugt),
            RmwOp::UMin => Some(IntPredicate::Ult),
        };
        if let Some(pred) = keep_if {
            let keep = self.temporary();
            self.emit(Inst::Icmp { pred, lanes: 0, width, dst: keep, a, b: value });
            self.emit(Inst::Select { width, dst: new, cond: Opnd::reg(keep), a, b: value });
        }
        self.store(ptr, Opnd::reg(new), ty)?;
        let wrote = self.constant(Val::Int(1));
        self.end_atomic(ptr, Some(wrote), true, ordering);
        if dst != u32::MAX {
            self.emit(Inst::Mov { dst, a });
        }
        Ok(())
    }

    fn switch(
        &mut self,
        block: BlockId,
        ty: TypeId,
        value: Operand,
        default: BlockId,
        cases: &[(ConstId, BlockId)],
    ) -> Result<()> {
        let (_, width) = self.lanes(ty)?;
        // Where to go after the variables of a block have ended is clang's bookkeeping, not the program's choice.
        let is_cleanup = matches!(value, Operand::Local(it) if self.function.names[it.index()].as_ref().is_some_and(|it| it.starts_with("cleanup.dest")));
        let kind = (!is_cleanup).then_some(SiteKind::Case);
        let value = self.operand(value, ty)?;
        let default = self.edge(block, default, kind)?;
        let mut lowered = Vec::with_capacity(cases.len());
        for &(case, target) in cases {
            let case = self.linker.constant_bits(self.at, case, u32::from(width))?;
            lowered.push((case, self.edge(block, target, kind)?));
        }
        let switches = &mut self.code_tables().switches;
        switches.push(Switch { value, width: u32::from(width), cases: lowered, default });
        let switch = switches.len() as u32 - 1;
        self.emit(Inst::Switch { switch });
        Ok(())
    }

    /// The edge from `from` to `to`, with the copies for the phis there.
    pub(super) fn edge(&mut self, from: BlockId, to: BlockId, kind: Option<SiteKind>) -> Result<u32> {
        let mut moves: Vec<(Reg, Opnd)> = Vec::new();
        let function = self.function;
        for instruction in &function.blocks[to.index()].instructions {
            let Op::Phi { ty, incoming } = &instruction.op else { break };
            let found = incoming.iter().find(|it| it.1 == from);
            let (value, _) = found.ok_or_else(|| "a phi without a value for one of its predecessors".to_owned())?;
            if let Some(LocalId(dst)) = instruction.result {
                moves.push((dst, self.operand(*value, *ty)?));
            }
        }
        let overlaps = moves
            .iter()
            .enumerate()
            .any(|(at, (dst, _))| moves[at + 1..].iter().any(|(_, source)| *source == Opnd::reg(*dst)));
        if overlaps {
            let through: Vec<(Reg, Opnd)> = moves.iter().map(|&(_, source)| (self.temporary(), source)).collect();
            let back: Vec<(Reg, Opnd)> =
                moves.iter().zip(&through).map(|(&(dst, _), &(reg, _))| (dst, Opnd::reg(reg))).collect();
            moves = through.into_iter().chain(back).collect();
        }
        let site = match kind {
            Some(kind) => {
                let place = &self.linker.code.places[self.place as usize];
                let lines = vec![(Arc::clone(&place.file), place.line)];
                self.new_site(kind, lines)
            }
            None => NO_SITE,
        };
        let block_site = self.block_sites[to.index()];
        let edges = &mut self.code_tables().edges;
        edges.push(Edge { target: 0, site, block_site, moves: moves.into() });
        let edge = edges.len() as u32 - 1;
        self.pending.push((edge, to));
        Ok(edge)
    }
}

/// An aggregate of undefined elements.
fn undefined(shape: &Shape) -> Val {
    match shape {
        Shape::Scalar { .. } => Val::Undef,
        Shape::Aggregate(elements) => Val::Agg(elements.iter().map(|(_, it)| undefined(it)).collect()),
    }
}

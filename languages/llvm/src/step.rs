//! Execution: from one question to the next.
//!
//! Knows: what each instruction does to a state. Never: φ, which path goes on.
//!
//! `fast` runs concrete instructions in a tight loop; everything else goes through [`Machine::instruction`], which
//! runs one instruction again from its start when a question of its has been answered.

pub(crate) mod access;
mod addresses;
pub(crate) mod arithmetic;
mod arms;
mod call;
mod control;
mod distance;
pub(crate) mod ending;
mod fast;
mod floats;
mod ideal;
mod indices;
pub(crate) mod inputs;
mod locals;
mod merging;
mod outside;
mod placement;
mod poison;
mod provenance;
mod racing;
mod scheduling;
mod uninterpreted;
mod unwinding;
mod vector;

use crate::call_frame::Frame;
use crate::checks::{SHIFT_TOO_LARGE, SIGNED_OVERFLOW, UNINITIALISED_VALUE};
use crate::code::{Inst, Opnd, Reg, Seen, Trap};
use crate::machine::{Executable, Flow, Machine};
use crate::memory::bytes::Undefined;
use crate::state::State;
use crate::threads::TurnState;
use crate::value::Val;
use effigy_engine::{BugKind, Context, Note, Outcome, Place, Resolution, Step, Violation};
use effigy_term::{Term, Width};
use std::rc::Rc;

pub(crate) use call::frame as new_frame;
use fast::run_fast;

/// An instruction that touches more bytes counts as several steps: a walk looks at its clock every few thousand of them.
const BYTES_OF_A_STEP: u64 = 4096;

/// From this size on, an instruction counts as so many steps that the clock is looked at behind it: twenty copies of
/// 256 MiB within one look took 4 s longer than the time that was given.
const LARGE: u64 = 1 << 20;

/// The steps of an instruction that touches these bytes.
fn steps(touched: u64) -> u64 {
    1 + if touched < LARGE { touched / BYTES_OF_A_STEP } else { touched / 64 }
}

/// Runs a state to its next question.
pub(crate) fn run(program: &Executable, ctx: &mut Context<'_>, state: &mut State, fuel: &mut u64) -> Step {
    let merges = merging::begin(ctx, state);
    let step = loop {
        if *fuel == 0 {
            break Step::Next;
        }
        if state.answers.is_empty() && state.threads.turn != TurnState::Open {
            run_fast(program, ctx, state, fuel, merges);
            if *fuel == 0 {
                break Step::Next;
            }
        }
        let mut machine = Machine::new(program, ctx, state);
        let done = if machine.is_turn_open() { machine.choose_thread() } else { machine.instruction() };
        match done {
            Ok(()) => {
                machine.end_turn();
                *fuel = fuel.saturating_sub(steps(machine.touched));
                machine.settle();
                let meets = merges && machine.meets_after();
                state.answers.clear();
                if meets {
                    break Step::Next;
                }
            }
            Err(step) => break step,
        }
    };
    if merges {
        merging::end(ctx, state);
    }
    step
}

impl Machine<'_, '_> {
    /// Runs one instruction.
    fn instruction(&mut self) -> Flow<()> {
        let program = self.program;
        let code = &program.code;
        let Some(frame) = self.state.frames.last() else {
            return Err(Step::Exit(Outcome::Exit { code: Some(0) }));
        };
        let inst = &code.functions[frame.function as usize].code[frame.pc as usize];
        match *inst {
            Inst::Life { ptr, begins } => {
                let ptr = self.value(ptr);
                if let Val::Int(address) = ptr
                    && !begins
                {
                    self.ends_life(crate::memory::ObjectId::of_address(address).0)?;
                }
                self.variable_lives(&ptr, begins);
                self.advance();
                Ok(())
            }
            Inst::AnyContent { ptr } => {
                let ptr = self.value(ptr);
                self.any_content(&ptr)?;
                self.advance();
                Ok(())
            }
            Inst::Mov { dst, a } => self.finish(dst, self.value(a)),
            Inst::Bin { op, flags, lanes, width, dst, a, b } => {
                let (a, b) = (self.value(a), self.value(b));
                let res = self.lanes2(lanes, &a, &b, |it, x, y| it.binary(op, flags, u32::from(width), x, y))?;
                self.finish(dst, res)
            }
            Inst::FNeg { lanes, width, dst, a } => {
                let a = self.value(a);
                let res = self.lanes1(lanes, &a, |it, x| it.fneg(u32::from(width), x))?;
                self.finish(dst, res)
            }
            Inst::Icmp { pred, lanes, width, dst, a, b } => {
                let (a, b) = (self.value(a), self.value(b));
                let res = self.lanes2(lanes, &a, &b, |it, x, y| it.icmp(pred, u32::from(width), x, y))?;
                self.finish(dst, res)
            }
            Inst::IcmpPtr { pred, dst, a, b } => {
                let (a, b) = (self.value(a), self.value(b));
                let (a, b) = (self.pointer_of(&a), self.pointer_of(&b));
                let res = self.icmp_pointers(pred, a, b)?;
                self.finish(dst, res)
            }
            Inst::Fcmp { pred, lanes, width, dst, a, b } => {
                let (a, b) = (self.value(a), self.value(b));
                let res = self.lanes2(lanes, &a, &b, |it, x, y| it.fcmp(pred, u32::from(width), x, y))?;
                self.finish(dst, res)
            }
            Inst::Cast { op, lanes, from, to, dst, a } => {
                let a = self.value(a);
                let res = self.lanes1(lanes, &a, |it, x| it.cast(op, u32::from(from), u32::from(to), x))?;
                self.finish(dst, res)
            }
            Inst::BitCast { from_lanes, from, to_lanes, to, dst, a } => {
                let a = self.value(a);
                let res = self.bitcast(&a, from_lanes, from, to_lanes, to);
                self.finish(dst, res)
            }
            Inst::Select { width, dst, cond, a, b } => {
                let (cond, a, b) = (self.value(cond), self.value(a), self.value(b));
                let res = self.select(&cond, a, b, u32::from(width))?;
                self.finish(dst, res)
            }
            Inst::Freeze { dst, a, shape } => {
                let a = self.value(a);
                let res = self.freeze(&a, &code.shapes[shape as usize]);
                self.finish(dst, res)
            }
            Inst::Alloca { dst, alloca } => self.alloca(dst, &code.allocas[alloca as usize]),
            Inst::Load { dst, ptr, size, width, number, defined } => {
                let ptr = self.value(ptr);
                let (size, width) = (u64::from(size), u32::from(width));
                let res = match number {
                    true => self.load_number(&ptr, size, width)?,
                    false => self.load_scalar(&ptr, size, width)?,
                };
                let res = if defined { self.require_read(res, width)? } else { res };
                self.finish(dst, res)
            }
            Inst::Defined { a, width } => {
                self.require_read(self.value(a), u32::from(width))?;
                self.advance();
                Ok(())
            }
            Inst::LoadShape { dst, ptr, shape } => {
                let ptr = self.value(ptr);
                let res = self.load_shape(&ptr, &code.shapes[shape as usize])?;
                self.finish(dst, res)
            }
            Inst::Store { ptr, value, size, width } => {
                let (ptr, value) = (self.value(ptr), self.value(value));
                self.store_scalar(&ptr, &value, u64::from(size), u32::from(width))?;
                self.advance();
                Ok(())
            }
            Inst::StoreShape { ptr, value, shape } => {
                let (ptr, value) = (self.value(ptr), self.value(value));
                self.store_shape(&ptr, &value, &code.shapes[shape as usize])?;
                self.advance();
                Ok(())
            }
            Inst::AtomicBegin { ptr, size, writes, ordering } => self.begin_atomic(ptr, size, writes, ordering),
            Inst::AtomicEnd { ptr, wrote, reads, ordering } => self.end_atomic(ptr, wrote, reads, ordering),
            Inst::Fence { ordering } => {
                self.fence(ordering);
                Ok(())
            }
            Inst::ThreadLocal { dst, a } => {
                let value = match self.value(a) {
                    Val::Int(address) => Val::Int(self.thread_local(address)),
                    other => other,
                };
                self.finish(dst, value)
            }
            Inst::Offset { dst, base, offset, distance } => {
                let base = self.value(base);
                let res = self.add_constant(&base, offset, distance);
                self.finish(dst, res)
            }
            Inst::Index { dst, base, index, width, scale, distance } => {
                let (base, index) = (self.value(base), self.value(index));
                let res = self.add_index(&base, &index, u32::from(width), (scale, distance));
                self.finish(dst, res)
            }
            Inst::ExtractValue { dst, a, path } => {
                let a = self.value(a);
                let res = vector::extract(&a, &code.paths[path as usize]);
                self.finish(dst, res)
            }
            Inst::InsertValue { dst, a, value, path } => {
                let (a, value) = (self.value(a), self.value(value));
                let res = vector::insert(&a, &code.paths[path as usize], value);
                self.finish(dst, res)
            }
            Inst::ExtractElement { dst, a, index } => {
                let (a, index) = (self.value(a), self.value(index));
                let index = self.lane_index(&index)?;
                self.finish(dst, vector::extract(&a, &[index]))
            }
            Inst::InsertElement { dst, a, value, index } => {
                let (a, value, index) = (self.value(a), self.value(value), self.value(index));
                let index = self.lane_index(&index)?;
                self.finish(dst, vector::insert(&a, &[index], value))
            }
            Inst::Shuffle { dst, a, b, mask } => {
                let (a, b) = (self.value(a), self.value(b));
                self.finish(dst, vector::shuffle(&a, &b, &code.paths[mask as usize]))
            }
            Inst::Pair { dst, a, b } => {
                let pair = Val::Agg(Rc::from([self.value(a), self.value(b)]));
                self.finish(dst, pair)
            }
            Inst::Jump { edge } => {
                self.take(edge);
                Ok(())
            }
            Inst::Branch { cond, then, other } => {
                let cond = self.value(cond);
                let taken = self.decide(&cond)?;
                self.take(if taken { then } else { other });
                Ok(())
            }
            Inst::Check { cond, holds, trap } => {
                let cond = self.value(cond);
                self.check(&cond, holds, &code.traps[trap as usize])
            }
            Inst::Switch { switch } => self.switch(&code.switches[switch as usize]),
            Inst::Call { call } => self.call(&code.calls[call as usize]),
            Inst::Ret { value } => {
                let value = value.map(|it| self.value(it));
                self.ret(value)
            }
            Inst::Unreachable => Err(self.violation(
                crate::checks::UNREACHABLE_REACHED,
                "execution reaches a place that the compiler was told is unreachable".to_owned(),
            )),
            Inst::Unsupported { what } => Err(self.unsupported(&code.unsupported[what as usize])),
        }
    }

    pub(crate) fn frame(&self) -> &Frame {
        match self.state.frames.last() {
            Some(frame) => frame,
            None => unreachable!("instructions run only inside of a frame"),
        }
    }

    pub(crate) fn frame_mut(&mut self) -> &mut Frame {
        match self.state.frames.last_mut() {
            Some(frame) => Rc::make_mut(frame),
            None => unreachable!("instructions run only inside of a frame"),
        }
    }

    pub(super) fn value(&self, operand: Opnd) -> Val {
        match operand.decode() {
            Ok(reg) => self.frame().registers[reg].clone(),
            Err(constant) => self.program.code.constants[constant].clone(),
        }
    }

    /// Writes a result and goes on to the next instruction.
    fn finish(&mut self, dst: Reg, value: Val) -> Flow<()> {
        let frame = self.frame_mut();
        if let Some(register) = frame.registers.get_mut(dst as usize) {
            *register = value;
        }
        frame.pc += 1;
        Ok(())
    }

    fn advance(&mut self) {
        self.frame_mut().pc += 1;
    }

    // Questions.

    /// The answer to a question: given already, or asked for now.
    pub(crate) fn ask(&mut self, question: Step) -> Flow<Resolution> {
        let answer = self.state.answers.get(self.asked).cloned();
        self.asked += 1;
        answer.ok_or(question)
    }

    /// `cond` must hold here.
    pub(crate) fn require(&mut self, cond: Term, kind: BugKind, message: impl FnOnce() -> String) -> Flow<()> {
        let cond = self.settled(cond, "what must hold");
        let terms = self.ctx.terms;
        match terms.as_bool(cond) {
            Some(true) => Ok(()),
            Some(false) => Err(self.violation(kind, message())),
            None if self.state.answers.len() > self.asked => {
                self.asked += 1;
                Ok(())
            }
            None if !self.on(kind) => {
                self.not_looked_for(kind);
                self.ask(Step::Assume(cond)).map(drop)
            }
            None => self.require_or(cond, self.describe(kind, message())),
        }
    }

    /// `cond` must hold here; else there is this violation, of a class that is looked for.
    fn require_or(&mut self, cond: Term, violation: Violation) -> Flow<()> {
        let cond = self.settled(cond, "what must hold");
        let violation = Box::new(violation);
        match self.ctx.terms.as_bool(cond) {
            Some(true) => Ok(()),
            Some(false) => Err(Step::Exit(Outcome::Violation(violation))),
            None => self.ask(Step::Require { cond, violation }).map(drop),
        }
    }

    /// Only inputs with this condition matter.
    pub(crate) fn assume(&mut self, cond: Term) -> Flow<()> {
        let cond = self.settled(cond, "an assumption");
        match self.ctx.terms.as_bool(cond) {
            Some(true) => Ok(()),
            Some(false) => Err(Step::Exit(Outcome::Silent)),
            None => self.ask(Step::Assume(cond)).map(drop),
        }
    }

    /// Whether a class of bugs is looked for.
    pub(crate) fn on(&self, kind: BugKind) -> bool {
        self.program.options.checks.is_on(kind)
    }

    /// Runs with this bug are not followed. What a program does by itself to end, it may do.
    fn not_looked_for(&mut self, kind: BugKind) {
        if !crate::checks::is_an_end(kind) {
            self.note(Note::NOT_LOOKED_FOR, kind.0, false);
        }
    }

    /// The end of a path in a bug; silent if the class is switched off.
    pub(crate) fn violation(&mut self, kind: BugKind, message: String) -> Step {
        if !self.on(kind) {
            self.not_looked_for(kind);
            return Step::Exit(Outcome::Silent);
        }
        Step::Exit(Outcome::Violation(Box::new(self.describe(kind, message))))
    }

    pub(crate) fn describe(&self, kind: BugKind, message: String) -> Violation {
        let mut places = self.program.stack(self.state).into_iter();
        let place = places.next().unwrap_or_default();
        let message = crate::names::in_file(&message, &place.file);
        Violation { kind, message, place, stack: places.collect() }
    }

    /// The end of a path at something that is not executed.
    pub(crate) fn unsupported(&self, what: &str) -> Step {
        Step::unsupported(what, self.place())
    }

    pub(crate) fn place(&self) -> Place {
        self.program.place(self.state)
    }

    pub(crate) fn note(&mut self, kind: &'static str, what: &str, incomplete: bool) {
        let note = Note { kind: kind.into(), what: what.to_owned(), incomplete };
        let place = self.place();
        self.ctx.notes.add(note, || place);
    }

    // Values as terms.

    /// The bitvector of a scalar; undefined values get a name.
    pub(crate) fn term(&mut self, value: &Val, width: Width) -> Term {
        match value.to_term(self.ctx.terms, width) {
            Some(term) => term,
            None => self.undefined().fresh(width),
        }
    }

    /// The truth of an `i1`.
    pub(crate) fn truth(&mut self, value: &Val) -> Term {
        let terms = self.ctx.terms;
        match value {
            Val::Int(bits) => terms.bool(bits & 1 == 1),
            Val::Term(term) if terms.sort(*term).width().is_none() => *term,
            _ => {
                let term = self.term(value, Width::W1);
                terms.eq(term, terms.bv_u64(Width::W1, 1))
            }
        }
    }

    pub(crate) fn undefined(&mut self) -> Undefined<'_> {
        Undefined { terms: self.ctx.terms, count: &mut self.state.undefined }
    }

    /// A value that decides something must not depend on uninitialised storage: it must be the same for any two
    /// contents of that storage. `what` says what it decides.
    pub(crate) fn require_defined(&mut self, term: Term, what: &str) -> Flow<()> {
        let terms = self.ctx.terms;
        if !terms.is_undefined(term) {
            return Ok(());
        }
        let violation = self
            .poisoned(term, what)
            .unwrap_or_else(|| self.describe(UNINITIALISED_VALUE, format!("{what} depends on an uninitialised value")));
        if !self.on(violation.kind) {
            return Ok(());
        }
        let is_defined = terms.eq(term, terms.rename_undefined(term));
        self.require_or(is_defined, violation)?;
        if terms.as_bool(is_defined).is_none() && !self.state.defined.contains(&is_defined) {
            Rc::make_mut(&mut self.state.defined).push(is_defined);
        }
        Ok(())
    }

    /// What was read must be defined: the compiler was told so. Whatever comes of it is told once.
    fn require_read(&mut self, value: Val, width: u32) -> Flow<Val> {
        match value {
            Val::Undef if self.on(UNINITIALISED_VALUE) => {
                Err(self.violation(UNINITIALISED_VALUE, "a value is read that is uninitialised".to_owned()))
            }
            Val::Term(term) if self.ctx.terms.is_undefined(term) => {
                let term = self.term(&value, Width::of(width));
                self.require_defined(term, "a value that is read")?;
                Ok(self.frozen_term(term))
            }
            other => Ok(other),
        }
    }

    /// What the compiler checks must hold.
    fn check(&mut self, cond: &Val, holds: bool, trap: &Trap) -> Flow<()> {
        let terms = self.ctx.terms;
        let is_branch = trap.seen == Seen::Branch;
        if is_branch && matches!(cond, Val::Undef) && self.on(UNINITIALISED_VALUE) {
            return Err(self.violation(UNINITIALISED_VALUE, "a check depends on an uninitialised value".to_owned()));
        }
        let cond = self.truth(cond);
        if is_branch {
            self.require_defined(cond, "a check")?;
        }
        let cond = if holds { cond } else { terms.not(cond) };
        match trap.seen {
            // Where nobody looks for it, arithmetic goes on with what it has computed, with clang's check or without.
            _ if matches!(trap.kind, SIGNED_OVERFLOW | SHIFT_TOO_LARGE) && !self.on(trap.kind) => {}
            Seen::Branch | Seen::Sanitizer => self.require(cond, trap.kind, || trap.what.to_string())?,
            Seen::Nobody if self.decide_term(cond)? => {}
            Seen::Nobody => return Err(self.unsupported(&trap.what)),
        }
        self.advance();
        Ok(())
    }

    /// Which side of a branch is taken.
    pub(crate) fn decide(&mut self, cond: &Val) -> Flow<bool> {
        let term = match cond {
            Val::Int(bits) => return Ok(bits & 1 == 1),
            Val::Undef if self.on(UNINITIALISED_VALUE) => {
                return Err(
                    self.violation(UNINITIALISED_VALUE, "a branch depends on an uninitialised value".to_owned())
                );
            }
            _ => self.truth(cond),
        };
        self.require_defined(term, "a branch")?;
        self.decide_term(term)
    }
}

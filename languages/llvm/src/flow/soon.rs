//! What is soon asked of: the values on which one of the next branches, an address, a size or a bound depends.
//!
//! Knows: how values flow to questions within a function, and what a call asks of its arguments. Never: states, which of
//! them become one.
//! Source: Kuznetsov, Kinder, Bucur, Candea, "Efficient state merging in symbolic execution", PLDI 2012, section 3.2:
//! query count estimation. The queries that a variable takes part in are not counted here: it is hot if there is one
//! within the next branches. Two paths in which a hot variable has two numbers stay apart, as they do there.

use super::blocks::edges;
use super::operands::{reads, written};
use super::{Flow, Flows};
use crate::code::{Code, Inst, Opnd, Reg, Target};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// So many branches ahead are looked at.
const AHEAD: u8 = 5;

/// So many calls within each other are followed.
const DEEPEST: usize = 64;

/// Something that holds a value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Holder {
    /// A register.
    Register(Reg),
    /// The variable in memory whose address is in this register.
    Variable(Reg),
    /// Anything else in memory.
    Elsewhere,
}

/// What is soon asked of from some instruction on, after how many branches.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Soon {
    hot: BTreeMap<Holder, u8>,
}

impl Soon {
    /// Whether a holder is asked of.
    pub(crate) fn asks(&self, holder: Holder) -> bool {
        self.hot.contains_key(&holder)
    }

    fn after(&self, holder: Holder) -> Option<u8> {
        self.hot.get(&holder).copied()
    }

    fn add(&mut self, holder: Holder, after: u8) {
        let known = self.hot.entry(holder).or_insert(after);
        *known = after.min(*known);
    }

    fn add_operand(&mut self, operand: Opnd, after: u8) {
        if let Ok(register) = operand.decode() {
            self.add(Holder::Register(register as Reg), after);
        }
    }

    fn remove(&mut self, holder: Holder) -> Option<u8> {
        self.hot.remove(&holder)
    }
}

/// What is soon asked of in one function, and which of its registers are addresses of its variables.
#[derive(Debug)]
pub(crate) struct Asked {
    /// From the start of each block on.
    blocks: Vec<Soon>,
    /// The variable that a register's address lies in.
    variables: BTreeMap<Reg, Reg>,
    /// Variables whose addresses go to where they are not followed.
    shared: BTreeSet<Reg>,
    /// From instructions on that were asked for.
    known: RefCell<BTreeMap<u32, Rc<Soon>>>,
}

/// What is asked of what a function is given.
#[derive(Clone, Default, Debug)]
struct OfCall {
    arguments: Vec<Option<u8>>,
    elsewhere: Option<u8>,
}

impl Asked {
    /// That of a function, which the functions `within` call.
    pub(super) fn of(flows: &Flows, code: &Code, function: u32, within: &mut Vec<u32>) -> Asked {
        let flow = flows.of(code, function);
        let variables = variables(code, function);
        let shared = shared(code, function, &variables);
        let mut res =
            Asked { blocks: vec![Soon::default(); flow.blocks.len()], variables, shared, known: RefCell::default() };
        within.push(function);
        let mut calls: BTreeMap<u32, OfCall> = BTreeMap::new();
        let mut work: Vec<usize> = (0..flow.blocks.len()).collect();
        let mut waits = vec![true; flow.blocks.len()];
        while let Some(block) = work.pop() {
            waits[block] = false;
            let mut of_call =
                |call: u32| calls.entry(call).or_insert_with(|| of_call(flows, code, call, within)).clone();
            let soon = res.walk(code, function, flow, flow.blocks.start(block as u32), &mut of_call);
            if soon != res.blocks[block] {
                res.blocks[block] = soon;
                for &before in flow.topology.before(block as u32) {
                    if !std::mem::replace(&mut waits[before as usize], true) {
                        work.push(before as usize);
                    }
                }
            }
        }
        within.pop();
        res
    }

    /// What is asked of from an instruction on.
    pub(crate) fn at(&self, flows: &Flows, code: &Code, function: u32, pc: u32) -> Rc<Soon> {
        if let Some(known) = self.known.borrow().get(&pc) {
            return Rc::clone(known);
        }
        let flow = flows.of(code, function);
        let soon = self.walk(code, function, flow, pc, &mut |call| of_call(flows, code, call, &mut vec![function]));
        let soon = Rc::new(soon);
        self.known.borrow_mut().insert(pc, Rc::clone(&soon));
        soon
    }

    /// Whether the address of a variable is known elsewhere: what is asked of anything is asked of it.
    pub(crate) fn is_shared(&self, variable: Reg) -> bool {
        self.shared.contains(&variable)
    }

    /// The registers with the addresses of variables.
    pub(crate) fn variables(&self) -> impl Iterator<Item = Reg> {
        self.variables.iter().filter(|it| it.0 == it.1).map(|it| *it.0)
    }

    /// Where the content behind a pointer is.
    fn behind(&self, pointer: Opnd) -> Holder {
        let register = pointer.decode().ok().map(|it| it as Reg);
        match register.and_then(|it| self.variables.get(&it)) {
            Some(&variable) => Holder::Variable(variable),
            None => Holder::Elsewhere,
        }
    }

    /// The address itself: that of a variable is the same on all paths.
    fn address(&self, pointer: Opnd, soon: &mut Soon) {
        if !pointer.decode().is_ok_and(|it| self.variables.get(&(it as Reg)) == Some(&(it as Reg))) {
            soon.add_operand(pointer, 0);
        }
    }

    /// From the end of the block of `pc` back to it.
    fn walk(&self, code: &Code, function: u32, flow: &Flow, pc: u32, of_call: &mut dyn FnMut(u32) -> OfCall) -> Soon {
        let insts = &code.functions[function as usize].code;
        let end = flow.blocks.end(flow.blocks.of_instruction(pc));
        let mut soon = Soon::default();
        for inst in insts[pc as usize..end as usize].iter().rev() {
            let leaving = edges(code, inst);
            let step = u8::from(leaving.len() > 1);
            for edge in leaving {
                let edge = &code.edges[edge as usize];
                let mut after = self.blocks[flow.blocks.of_instruction(edge.target)].clone();
                for &(to, from) in edge.moves.iter().rev() {
                    if let Some(hot) = after.remove(Holder::Register(to)) {
                        after.add_operand(from, hot);
                    }
                }
                for (holder, hot) in after.hot {
                    if hot + step <= AHEAD {
                        soon.add(holder, hot + step);
                    }
                }
            }
            self.before(code, inst, &mut soon, of_call);
        }
        soon
    }

    /// What is asked of before an instruction, from what is asked of after it.
    fn before(&self, code: &Code, inst: &Inst, soon: &mut Soon, of_call: &mut dyn FnMut(u32) -> OfCall) {
        let result = written(code, inst).and_then(|it| soon.remove(Holder::Register(it)));
        match *inst {
            Inst::Load { ptr, .. } | Inst::LoadShape { ptr, .. } => {
                self.address(ptr, soon);
                if let Some(hot) = result {
                    soon.add(self.behind(ptr), hot);
                }
            }
            Inst::Store { ptr, value, .. } | Inst::StoreShape { ptr, value, .. } => {
                let behind = self.behind(ptr);
                let hot = soon.after(behind);
                // The variable itself is written as a whole; of what lies in it, a part.
                if let (Holder::Variable(variable), Ok(register)) = (behind, ptr.decode())
                    && variable == register as Reg
                    && matches!(inst, Inst::Store { .. })
                    && !self.shared.contains(&variable)
                {
                    soon.remove(behind);
                }
                self.address(ptr, soon);
                if let Some(hot) = hot {
                    soon.add_operand(value, hot);
                }
            }
            Inst::Index { base, index, .. } => {
                if let Some(hot) = result {
                    self.hot_address(base, hot, soon);
                    soon.add_operand(index, hot);
                }
            }
            Inst::Offset { base, .. } => {
                if let Some(hot) = result {
                    self.hot_address(base, hot, soon);
                }
            }
            Inst::Branch { cond, .. } | Inst::Check { cond, .. } => soon.add_operand(cond, 0),
            Inst::Switch { switch } => soon.add_operand(code.switches[switch as usize].value, 0),
            // Whoever has called it may ask.
            Inst::Ret { value } => value.into_iter().for_each(|it| soon.add_operand(it, 1)),
            Inst::Alloca { alloca, .. } => {
                code.allocas[alloca as usize].count.iter().for_each(|it| soon.add_operand(it.0, 0));
            }
            Inst::Call { call } => self.before_call(code, call, result, soon, of_call),
            Inst::Life { .. } | Inst::AnyContent { .. } => {}
            _ => {
                if let Some(hot) = result {
                    reads(code, inst, &mut |it| soon.add_operand(it, hot));
                }
            }
        }
    }

    fn hot_address(&self, base: Opnd, hot: u8, soon: &mut Soon) {
        if !base.decode().is_ok_and(|it| self.variables.get(&(it as Reg)) == Some(&(it as Reg))) {
            soon.add_operand(base, hot);
        }
    }

    fn before_call(
        &self,
        code: &Code,
        call: u32,
        result: Option<u8>,
        soon: &mut Soon,
        of_call: &mut dyn FnMut(u32) -> OfCall,
    ) {
        let of = of_call(call);
        let call = &code.calls[call as usize];
        if let Target::Address(address) = call.target {
            soon.add_operand(address, 0);
        }
        if let Some(hot) = of.elsewhere {
            soon.add(Holder::Elsewhere, hot);
        }
        for (at, argument) in call.arguments.iter().enumerate() {
            let asked = of.arguments.get(at).copied().flatten();
            let hot = [asked, result].into_iter().flatten().min();
            if let Holder::Variable(variable) = self.behind(argument.value) {
                if let Some(hot) = [hot, of.elsewhere].into_iter().flatten().min() {
                    soon.add(Holder::Variable(variable), hot);
                }
            } else if let Some(hot) = hot {
                soon.add_operand(argument.value, hot);
            }
        }
    }
}

/// What a call asks of what it is given.
fn of_call(flows: &Flows, code: &Code, call: u32, within: &mut Vec<u32>) -> OfCall {
    let it = &code.calls[call as usize];
    let all = |hot| OfCall { arguments: vec![hot; it.arguments.len()], elsewhere: hot };
    match &it.target {
        // Of a recursion, and of what is too deep, anything is asked.
        Target::Function(function) if within.contains(function) || within.len() > DEEPEST => all(Some(0)),
        Target::Function(function) => {
            let asked = flows.asked(code, *function, within);
            let Some(soon) = asked.blocks.first() else { return all(None) };
            let parameters = code.functions[*function as usize].parameters.len();
            let asked_of = |at: usize| match at < parameters {
                true => soon.after(Holder::Register(at as Reg)),
                false => soon.after(Holder::Elsewhere),
            };
            OfCall {
                arguments: (0..it.arguments.len()).map(asked_of).collect(),
                elsewhere: soon.after(Holder::Elsewhere),
            }
        }
        Target::Builtin(number) if (flows.asks_nothing)(*number) => all(None),
        Target::Builtin(_) | Target::External(_) | Target::Address(_) => all(Some(0)),
    }
}

/// For each register with an address in a variable, the register with the address of all of it.
pub(crate) fn variables(code: &Code, function: u32) -> BTreeMap<Reg, Reg> {
    let mut res: BTreeMap<Reg, Reg> = BTreeMap::new();
    for inst in &code.functions[function as usize].code {
        match *inst {
            Inst::Alloca { dst, .. } => {
                res.insert(dst, dst);
            }
            Inst::Offset { dst, base, .. } | Inst::Index { dst, base, .. } => {
                if let Some(&variable) = base.decode().ok().and_then(|it| res.get(&(it as Reg))) {
                    res.insert(dst, variable);
                }
            }
            _ => {}
        }
    }
    res
}

/// The variables whose addresses are not only used to read and write them.
fn shared(code: &Code, function: u32, variables: &BTreeMap<Reg, Reg>) -> BTreeSet<Reg> {
    let mut res = BTreeSet::new();
    let mut goes = |operand: Opnd| {
        if let Some(&variable) = operand.decode().ok().and_then(|it| variables.get(&(it as Reg))) {
            res.insert(variable);
        }
    };
    for inst in &code.functions[function as usize].code {
        for edge in edges(code, inst) {
            code.edges[edge as usize].moves.iter().for_each(|it| goes(it.1));
        }
        match *inst {
            Inst::Load { .. }
            | Inst::LoadShape { .. }
            | Inst::Offset { .. }
            | Inst::Index { .. }
            | Inst::Icmp { .. }
            | Inst::IcmpPtr { .. }
            | Inst::Life { .. }
            | Inst::AnyContent { .. } => {}
            Inst::Store { value, .. } | Inst::StoreShape { value, .. } => goes(value),
            _ => reads(code, inst, &mut goes),
        }
    }
    res
}

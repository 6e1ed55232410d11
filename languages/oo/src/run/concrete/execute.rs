//! ⟨S, V⟩ →* ⟨S', V'⟩: moves, and the threads that make them.
//!
//! Knows: the order of what happens in a statement, calls, interleaving. Never: the host's stack: what is left to do
//! of a thread is data, so a recursion of the program is bounded by the number of moves only.
//! Source: de Boer and Bonsangue 2021, section 3 (stacks of closures), section 4 (objects), section 5 (threads).

use super::super::program::{Block, Call, Expr, Program, RoutineId, Semantics, StmtId, StmtKind, Target, VarId};
use super::evaluate::{Location, View};
use super::value::length_field;
use super::{End, Fault, Locals, Run, Valuation, Value};
use num_traits::Signed;
use std::collections::BTreeMap;

/// Runs a program from a valuation. `schedule` says which thread moves at each point at which more than one can (by
/// its place among those that can, modulo their number; the first where nothing is said).
pub fn run(
    program: &Program,
    semantics: Semantics,
    valuation: &Valuation,
    schedule: &[usize],
    max_steps: usize,
) -> Run {
    let mut machine = Machine {
        program,
        semantics,
        valuation: valuation.clone(),
        environments: BTreeMap::from([(MAIN, defaults(program, Program::MAIN))]),
        next_environment: MAIN + 1,
        threads: vec![Thread::of(program.routine(Program::MAIN).body.clone(), MAIN)],
        holders: Vec::new(),
        branches: Vec::new(),
        choices: Vec::new(),
        result: None,
    };
    let (mut steps, mut moved) = (0, 0);
    let end = loop {
        let mut movable = machine.movable();
        let Some(&first) = movable.first() else { break End::Completed };
        if steps == max_steps {
            break End::OutOfSteps;
        }
        moved = first;
        if movable.len() > 1 {
            let wanted = schedule.get(machine.choices.len()).copied().unwrap_or(0) % movable.len();
            machine.choices.push((wanted, movable.len()));
            moved = movable.swap_remove(wanted);
        }
        steps += 1;
        match machine.make_move(moved) {
            Ok(Next::Goes) => {}
            Ok(Next::Ended) => break End::Completed,
            Ok(Next::Refused) => break End::AssumptionFailed,
            Err((fault, stmt)) => break End::Fault { fault, stmt },
        }
    };
    let frames = machine.frames(moved);
    let Machine { valuation, branches, choices, result, .. } = machine;
    Run { end, valuation, frames, branches, choices, result, steps }
}

/// The key of the environment of the main statement.
const MAIN: usize = 0;

/// What came of a move that had a successor, or needed none.
enum Next {
    Goes,
    Ended,
    Refused,
}

/// What a thread has still to do, topmost last.
enum Work {
    /// The rest of a block.
    Block { block: Block, next: usize, environment: usize },
    /// The end of a call's body.
    Return { pending: PendingCall, result: Option<Value> },
    /// The end of an `atomic` block.
    Release,
}

/// A call that has not ended.
struct PendingCall {
    target: Option<Target>,
    stmt: StmtId,
    /// The environments of caller and callee, by index.
    caller: usize,
    callee: usize,
    routine: RoutineId,
}

struct Thread {
    work: Vec<Work>,
    /// The threads of the `par` that it waits for.
    children: Vec<usize>,
    parent: Option<usize>,
    /// How many of them have not ended.
    awaited: usize,
}

impl Thread {
    fn of(block: Block, environment: usize) -> Thread {
        let work = vec![Work::Block { block, next: 0, environment }];
        Thread { work, children: Vec::new(), parent: None, awaited: 0 }
    }
}

struct Machine<'a> {
    program: &'a Program,
    semantics: Semantics,
    valuation: Valuation,
    environments: BTreeMap<usize, Locals>,
    next_environment: usize,
    threads: Vec<Thread>,
    /// The threads that are inside of `atomic`, each started by the one before (or the same once more).
    holders: Vec<usize>,
    branches: Vec<bool>,
    choices: Vec<(usize, usize)>,
    result: Option<Value>,
}

fn defaults(program: &Program, routine: RoutineId) -> Locals {
    let of = |var: &VarId| Some((*var, Value::default_of(&program.variable(*var).typ).ok()?));
    program.routine(routine).locals.iter().filter_map(of).collect()
}

impl Machine<'_> {
    /// The threads that can move, in the order in which they were started, after all that is not seen has happened.
    fn movable(&mut self) -> Vec<usize> {
        let (mut res, mut todo) = (Vec::new(), vec![0]);
        while let Some(thread) = todo.pop() {
            if self.settle(thread) {
                res.push(thread);
            } else if self.threads[thread].awaited > 0 {
                todo.extend(self.threads[thread].children.iter().rev());
            } else if let Some(parent) = self.threads[thread].parent.take() {
                self.threads[parent].awaited -= 1;
                if self.threads[parent].awaited == 0 {
                    self.threads[parent].children.clear();
                    todo.push(parent);
                }
            }
        }
        res.sort_unstable();
        if let Some(&holder) = self.holders.last() {
            res.retain(|&it| self.is_within(it, holder));
        }
        res
    }

    fn is_within(&self, thread: usize, holder: usize) -> bool {
        let mut at = Some(thread);
        while let Some(it) = at {
            if it == holder {
                return true;
            }
            at = self.threads[it].parent;
        }
        false
    }

    /// Does what is not seen; whether the thread then can move.
    fn settle(&mut self, thread: usize) -> bool {
        if self.threads[thread].awaited > 0 {
            return false;
        }
        loop {
            let Some(work) = self.threads[thread].work.last_mut() else { return false };
            match work {
                Work::Return { .. } => return true,
                Work::Release => {
                    self.holders.pop();
                    self.threads[thread].work.pop();
                }
                Work::Block { block, next, environment } => {
                    let environment = *environment;
                    match block.get(*next).map(|it| it.kind.clone()).as_deref() {
                        None => {
                            self.threads[thread].work.pop();
                        }
                        Some(StmtKind::Block(inner)) => {
                            *next += 1;
                            self.enter(thread, inner, environment);
                        }
                        Some(_) => return true,
                    }
                }
            }
        }
    }

    fn enter(&mut self, thread: usize, block: &Block, environment: usize) {
        self.threads[thread].work.push(Work::Block { block: block.clone(), next: 0, environment });
    }

    fn start(&mut self, parent: usize, blocks: &[Block], environment: usize) {
        let first = self.threads.len();
        for block in blocks {
            self.threads.push(Thread { parent: Some(parent), ..Thread::of(block.clone(), environment) });
        }
        self.threads[parent].children = (first..self.threads.len()).collect();
        self.threads[parent].awaited = blocks.len();
    }

    /// Makes the next move of a thread that can move. A fault comes with its statement.
    fn make_move(&mut self, thread: usize) -> Result<Next, (Fault, StmtId)> {
        let (kind, id, environment) = match self.threads[thread].work.last_mut() {
            Some(Work::Block { block, next, environment }) if *next < block.len() => {
                let stmt = &block[*next];
                *next += 1;
                (stmt.kind.clone(), stmt.id, *environment)
            }
            // The end of a body.
            _ => return self.give_back(thread),
        };
        match &*kind {
            StmtKind::Return(value) => {
                let value = value.as_ref().map(|it| self.view(environment).value(it)).transpose();
                let value = value.map_err(|fault| (fault, id))?;
                if let Some(result) = self.unwind(thread) {
                    *result = value;
                    return Ok(Next::Goes);
                }
                if self.threads[thread].parent.is_some() {
                    return Err((Fault::Unfit, id));
                }
                self.result = value;
                Ok(Next::Ended)
            }
            kind => self.statement(thread, environment, kind, id).map_err(|fault| (fault, id)),
        }
    }

    /// A statement other than `return`; its block already points behind it.
    fn statement(&mut self, thread: usize, environment: usize, kind: &StmtKind, id: StmtId) -> Result<Next, Fault> {
        match kind {
            StmtKind::Assign(target, value) => {
                let view = self.view(environment);
                let location = view.location(target)?;
                let value = view.value(value)?;
                self.store(environment, location, value)?;
            }
            StmtKind::New(target, class) => {
                let object = self.valuation.heap.create(*class);
                self.assign(environment, target, Value::Object(object))?;
            }
            StmtKind::NewArray(target, class, size) => {
                let size = self.view(environment).number(size)?;
                if size.is_negative() {
                    return Err(Fault::NegativeSize);
                }
                let object = self.valuation.heap.create(*class);
                let length = length_field(self.program, *class)?;
                self.valuation.heap.set_field(self.program, object, length, Value::Int(size))?;
                self.assign(environment, target, Value::Object(object))?;
            }
            StmtKind::Call(call) => self.call(thread, environment, call, id)?,
            StmtKind::If(cond, then, other) => {
                let block = if self.test(environment, cond)? { then } else { other };
                self.enter(thread, block, environment);
            }
            StmtKind::While(cond, body) => {
                if self.test(environment, cond)? {
                    if let Some(Work::Block { next, .. }) = self.threads[thread].work.last_mut() {
                        *next -= 1;
                    }
                    self.enter(thread, body, environment);
                }
            }
            StmtKind::Assume(cond) => {
                if !self.view(environment).truth(cond)? {
                    return Ok(Next::Refused);
                }
            }
            StmtKind::Assert(cond) => {
                if !self.view(environment).truth(cond)? {
                    return Err(Fault::Assertion);
                }
            }
            StmtKind::Bound(array, length) => {
                let length = self.view(environment).number(length)?;
                if self.valuation.map(self.program, *array)?.length != length {
                    return Ok(Next::Refused);
                }
            }
            StmtKind::Atomic(body) => {
                self.threads[thread].work.push(Work::Release);
                self.holders.push(thread);
                self.enter(thread, body, environment);
            }
            StmtKind::Par(blocks) => self.start(thread, blocks, environment),
            // `settle` takes blocks apart, `make_move` does `return`.
            StmtKind::Block(_) | StmtKind::Return(_) => {}
        }
        Ok(Next::Goes)
    }

    fn view(&self, environment: usize) -> View<'_> {
        static NONE: Locals = Locals::new();
        View {
            program: self.program,
            semantics: self.semantics,
            valuation: &self.valuation,
            locals: self.environments.get(&environment).unwrap_or(&NONE),
        }
    }

    fn test(&mut self, environment: usize, cond: &Expr) -> Result<bool, Fault> {
        let outcome = self.view(environment).truth(cond)?;
        self.branches.push(outcome);
        Ok(outcome)
    }

    fn call(&mut self, thread: usize, environment: usize, call: &Call, id: StmtId) -> Result<(), Fault> {
        let view = self.view(environment);
        let this = call.receiver.as_ref().map(|it| view.receiver(it)).transpose()?;
        let arguments = call.arguments.iter().map(|it| view.value(it)).collect::<Result<Vec<_>, _>>()?;
        let routine = self.program.routine(call.callee);
        if arguments.len() != routine.parameters.len() || this.is_some() != routine.this.is_some() {
            return Err(Fault::Unfit);
        }
        let mut locals = defaults(self.program, call.callee);
        locals.extend(routine.this.zip(this).map(|(var, object)| (var, Value::Object(object))));
        locals.extend(routine.parameters.iter().copied().zip(arguments));
        let callee = self.next_environment;
        self.next_environment += 1;
        self.environments.insert(callee, locals);
        let target = call.target.clone();
        let pending = PendingCall { target, stmt: id, caller: environment, callee, routine: call.callee };
        self.threads[thread].work.push(Work::Return { pending, result: None });
        self.enter(thread, &routine.body, callee);
        Ok(())
    }

    /// Leaves all blocks of the topmost call of this thread; where its result goes, if there is such a call.
    fn unwind(&mut self, thread: usize) -> Option<&mut Option<Value>> {
        let work = &mut self.threads[thread].work;
        while let Some(top) = work.pop_if(|it| !matches!(it, Work::Return { .. })) {
            if let Work::Release = top {
                self.holders.pop();
            }
        }
        match work.last_mut() {
            Some(Work::Return { result, .. }) => Some(result),
            _ => None,
        }
    }

    /// Ends the topmost call, which is at its end: `h := r`.
    fn give_back(&mut self, thread: usize) -> Result<Next, (Fault, StmtId)> {
        let Some(Work::Return { pending, result }) = self.threads[thread].work.pop() else { return Ok(Next::Goes) };
        self.environments.remove(&pending.callee);
        if let Some(target) = pending.target {
            let typ = self.program.routine(pending.routine).result.as_ref().ok_or(Fault::Unfit);
            let default = typ.and_then(Value::default_of);
            let assigned = default.and_then(|it| self.assign(pending.caller, &target, result.unwrap_or(it)));
            assigned.map_err(|fault| (fault, pending.stmt))?;
        }
        Ok(Next::Goes)
    }

    fn assign(&mut self, environment: usize, target: &Target, value: Value) -> Result<(), Fault> {
        let location = self.view(environment).location(target)?;
        self.store(environment, location, value)
    }

    fn store(&mut self, environment: usize, location: Location, value: Value) -> Result<(), Fault> {
        match location {
            Location::Var(var) if self.program.variable(var).global => {
                self.valuation.globals.insert(var, value);
            }
            Location::Var(var) => {
                self.environments.entry(environment).or_default().insert(var, value);
            }
            Location::Field(object, field) => self.valuation.heap.set_field(self.program, object, field, value)?,
            Location::Element(array, index) => {
                let mut map = self.valuation.map(self.program, array)?;
                map.set(index, value);
                self.valuation.maps.insert(array, map);
            }
            Location::Item(object, index) => self.valuation.heap.set_item(self.program, object, index, value)?,
        }
        Ok(())
    }

    /// The open calls of a thread, outermost first.
    fn frames(&self, thread: usize) -> Vec<Locals> {
        let mut keys = vec![MAIN];
        let mut chain = vec![thread];
        while let Some(parent) = chain.last().and_then(|&it| self.threads[it].parent) {
            chain.push(parent);
        }
        for work in chain.iter().rev().flat_map(|&it| &self.threads[it].work) {
            if let Work::Return { pending, .. } = work {
                keys.push(pending.callee);
            }
        }
        keys.iter().filter_map(|it| self.environments.get(it).cloned()).collect()
    }
}

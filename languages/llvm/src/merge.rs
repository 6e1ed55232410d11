//! Two states that stand at one place become one: the implementation of [`Merge`].
//!
//! Knows: what of a state must agree, and what becomes an if-then-else. Never: which states meet, guards.
//!
//! What only tells of a path (its inputs, its output) is that of one of the two: whoever wants to know runs the path.

use crate::call_frame::Frame;
use crate::code::{Func, Inst, Shape};
use crate::flow::{Holder, Soon};
use crate::frames::At;
use crate::memory::{ASKED_OF, Asked, Merging, ObjectId, are_two_numbers};
use crate::process::Process;
use crate::program::Program;
use crate::state::{Poison, State, counter};
use crate::value::Val;
use effigy_engine::{Apart, Context, Joins, LoopRounds, Meeting, Merge, Place, Round, TurnId, Turning};
use effigy_term::eval::Evaluator;
use effigy_term::{Term, Terms};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The number of a recursive function among what goes round in it.
const RECURSION: u32 = u32::MAX;

fn turn(function: u32, index: u32) -> TurnId {
    TurnId(u64::from(function) << 32 | u64::from(index))
}

impl Program {
    /// All that can go round: each function of the program but those of our own headers, and each of its loops.
    pub fn turnings(&self) -> Vec<Turning> {
        let code = &self.executable.code;
        let is_own = |it: &Func| !it.code.is_empty() && !code.is_of_our_headers(it);
        let own = (0..code.functions.len() as u32).filter(|it| is_own(&code.functions[*it as usize]));
        own.flat_map(|function| {
            let loops = self.executable.flows.of(code, function).topology().loops();
            let all = std::iter::once(RECURSION).chain(0..loops);
            all.map(move |index| self.turning(turn(function, index)))
        })
        .collect()
    }
}

impl Merge for Program {
    /// For each call, from the outermost: the function, its block's place among those of each loop around it with that
    /// loop's round, the instruction.
    fn meeting(&self, state: &State) -> Meeting {
        let mut res = Vec::with_capacity(state.frames.len() * 6);
        state.frames.calls().for_each(|it| self.stands(it, &mut res));
        Meeting(res.into())
    }

    fn order(&self, a: &State, b: &State) -> Ordering {
        let (mut of_a, mut of_b) = (Vec::new(), Vec::new());
        a.frames.order(&b.frames, |a, b| {
            of_a.clear();
            of_b.clear();
            self.stands(a, &mut of_a);
            self.stands(b, &mut of_b);
            of_a.cmp(&of_b)
        })
    }

    fn round(&self, state: &State) -> Option<Round> {
        let frame = state.frames.last()?;
        let flow = self.executable.flows.of(&self.executable.code, frame.function);
        let (index, rounds) = match flow.headed(frame.pc) {
            Some(header) => (header, *frame.rounds.loops.last()?),
            None if frame.pc == 0 => (RECURSION, LoopRounds { open: frame.around.open, ..LoopRounds::default() }),
            None => return None,
        };
        let LoopRounds { made, open, .. } = rounds;
        Some(Round { of: turn(frame.function, index), count: open, made })
    }

    fn turning(&self, id: TurnId) -> Turning {
        let (function, index) = ((id.0 >> 32) as u32, id.0 as u32);
        let code = &self.executable.code;
        let func = &code.functions[function as usize];
        let flow = self.executable.flows.of(code, function);
        let (index, pc) = match index {
            RECURSION => (None, 0),
            header => (Some(flow.topology().index(header)), flow.header(header)),
        };
        let place = code.places[func.places[pc as usize] as usize].clone();
        Turning { index, place: Place { function: func.source_name.clone(), ..place } }
    }

    fn merge(&self, ctx: &mut Context<'_>, cond: Term, then: &State, other: &State) -> Result<State, Apart> {
        let joins = ctx.common().map_or(Joins::Always, |it| it.joins);
        if joins == Joins::Marked && (then.marks.closed.is_none() || then.marks.closed != other.marks.closed) {
            return Err(Apart("the program closes no mark here that both have opened"));
        }
        let undefined = then.undefined.max(other.undefined);
        let (calls, asked) = (joins == Joins::Heuristic).then(|| self.soon(then)).unzip();
        let mut with = Merging { terms: ctx.terms, cond, undefined, asked };
        if let Some(common) = ctx.common() {
            with.undefined = with.undefined.max(common.counters[counter::UNDEFINED]);
        }
        if then.begun != other.begun || !then.answers.is_empty() || !other.answers.is_empty() {
            return Err(Apart("an instruction that has asked"));
        }
        let innermost = then.frames.len().saturating_sub(1);
        let frames = then.frames.joined(&other.frames, |at, a, b| {
            let soon = calls.as_ref().and_then(|it| it.get(at)).map(|it| &**it);
            self.frame(a, b, at == innermost, soon, &mut with)
        })?;
        let memory = then.memory.merge(&other.memory, &mut with)?;
        let strays = match Rc::ptr_eq(&then.strays, &other.strays) {
            true => Rc::clone(&then.strays),
            false => Rc::new(then.strays.merge(&other.strays, &with)?),
        };
        let longer = if then.inputs.len() < other.inputs.len() { &other.inputs } else { &then.inputs };
        let res = State {
            memory,
            strays,
            frames,
            begun: then.begun,
            answers: Vec::new(),
            inputs: Rc::clone(longer),
            input_names: united(&then.input_names, &other.input_names, |a, b| Ok(*a.max(b)))?,
            undefined: with.undefined,
            defined: defined(ctx.terms, cond, &then.defined, &other.defined),
            poison: poison(&then.poison, &other.poison),
            fresh: then.fresh.max(other.fresh),
            called_unknown: then.called_unknown || other.called_unknown,
            placed: then.placed || other.placed,
            nan_bits: then.nan_bits || other.nan_bits,
            layout: match then.layout == other.layout {
                true => Rc::clone(&then.layout),
                false => return Err(Apart("where objects lie")),
            },
            output: then.output.clone(),
            random: then.random.max(other.random),
            process: process(&then.process, &other.process)?,
            threads: match Rc::ptr_eq(&then.threads, &other.threads) {
                true => Rc::clone(&then.threads),
                false => return Err(Apart("what threads have done")),
            },
            marks: then.marks.clone(),
            exit: then.exit.clone(),
            panic: then.panic.clone(),
            outside: None,
        };
        if let Some(common) = ctx.common() {
            common.counters[counter::UNDEFINED] = res.undefined;
        }
        Ok(res)
    }

    fn content(&self, state: &State, evaluator: &mut Evaluator<'_>) -> effigy_engine::Content {
        crate::content::content(self, state, evaluator)
    }
}

impl Program {
    /// Appends where one of the calls stands.
    fn stands(&self, At { frame, above }: At<'_, Frame>, into: &mut Vec<u32>) {
        let flow = self.executable.flows.of(&self.executable.code, frame.function);
        into.push(frame.function);
        frame.rounds.order(flow.topology(), flow.block(frame.pc), into);
        // What is called by an instruction comes after it was come to, and before the next; what runs before it (the
        // constructors of globals) comes first.
        let stands = match above {
            None => 1,
            Some(above) if above.ignore_result => 0,
            Some(_) => 2,
        };
        into.push(frame.pc * 3 + stands);
    }

    /// What is soon asked of where a state stands: of each call's registers, of memory. That of the other one is the
    /// same: they stand at the same place.
    fn soon(&self, state: &State) -> (Vec<Rc<Soon>>, Asked) {
        let code = &self.executable.code;
        let flows = &self.executable.flows;
        let (mut calls, mut res) = (Vec::new(), Asked::default());
        for At { frame, above } in state.frames.calls() {
            let asked = flows.asked(code, frame.function, &mut Vec::new());
            // A caller goes on after its call.
            let called = above.is_some();
            let pc = match &code.functions[frame.function as usize].code[frame.pc as usize] {
                Inst::Call { call } if called => match code.calls[*call as usize].normal {
                    Some(edge) => code.edges[edge as usize].target,
                    None => frame.pc + 1,
                },
                _ => frame.pc,
            };
            let soon = asked.at(flows, code, frame.function, pc);
            res.elsewhere |= soon.asks(Holder::Elsewhere);
            for variable in asked.variables() {
                let Some(Val::Int(address)) = frame.registers.get(variable as usize) else { continue };
                let is_shared = asked.is_shared(variable);
                let hot = soon.asks(Holder::Variable(variable)) || is_shared && soon.asks(Holder::Elsewhere);
                // What a callee asks of anything, it may ask of what it was lent.
                if hot || !is_shared {
                    *res.variables.entry(ObjectId::of_address(*address).0).or_insert(false) |= hot;
                }
            }
            calls.push(soon);
        }
        (calls, res)
    }

    fn frame(
        &self,
        a: &Frame,
        b: &Frame,
        innermost: bool,
        soon: Option<&Soon>,
        with: &mut Merging<'_>,
    ) -> Result<Frame, Apart> {
        let code = &self.executable.code;
        if a.ignore_result != b.ignore_result || !Rc::ptr_eq(&a.variadic, &b.variadic) && a.variadic != b.variadic {
            return Err(Apart("the arguments of a call that takes any number"));
        }
        let flow = self.executable.flows.of(code, a.function);
        // A caller goes on after its call, whose result it has not read.
        let live = flow.live_at(code, a.function, a.pc);
        let result = if innermost { None } else { a.called_for(code) };
        let shapes = &code.functions[a.function as usize].shapes;
        let asks = |at: usize| soon.is_some_and(|it| it.asks(Holder::Register(at as u32)));
        let mut registers = Vec::with_capacity(a.registers.len());
        for (at, (x, y)) in a.registers.iter().zip(&b.registers).enumerate() {
            registers.push(match live.contains(at) && result != Some(at as u32) {
                false => Val::Undef,
                true if x == y => x.clone(),
                true if are_two_numbers(x, y) && asks(at) => return Err(Apart(ASKED_OF)),
                true => match shapes.get(at).and_then(Option::as_ref) {
                    Some(shape) => value(x, y, shape, with)?,
                    None => return Err(Apart("a value within an instruction")),
                },
            });
        }
        let both = |a: &[ObjectId], b: &[ObjectId]| {
            let more = b.iter().filter(|it| !a.contains(it));
            a.iter().chain(more).copied().collect()
        };
        Ok(Frame {
            function: a.function,
            pc: a.pc,
            registers,
            allocas: both(&a.allocas, &b.allocas),
            dynamic: in_order(&a.dynamic, &b.dynamic),
            variadic: Rc::clone(&a.variadic),
            ignore_result: a.ignore_result,
            rounds: a.rounds.joined(&b.rounds),
            around: a.around.joined(&b.around),
        })
    }
}

/// The objects of two lists that are in the order of their numbers, in that order.
fn in_order(a: &[ObjectId], b: &[ObjectId]) -> Vec<ObjectId> {
    let both: BTreeSet<ObjectId> = a.iter().chain(b).copied().collect();
    both.into_iter().collect()
}

/// One value for two of one shape.
fn value(a: &Val, b: &Val, shape: &Shape, with: &mut Merging<'_>) -> Result<Val, Apart> {
    let elements = match shape {
        Shape::Scalar { width, .. } => return with.scalar(a, b, *width),
        Shape::Aggregate(elements) => elements,
    };
    let element = |it: &Val, at: usize| match it {
        Val::Agg(elements) => elements.get(at).cloned().ok_or(Apart("an aggregate in one register")),
        Val::Undef => Ok(Val::Undef),
        _ => Err(Apart("an aggregate in one register")),
    };
    let mut res = Vec::with_capacity(elements.len());
    for (at, (_, shape)) in elements.iter().enumerate() {
        let (a, b) = (element(a, at)?, element(b, at)?);
        res.push(if a == b { a } else { value(&a, &b, shape, with)? });
    }
    Ok(Val::Agg(res.into()))
}

/// What stands for poison on either side.
fn poison(a: &Rc<Vec<Poison>>, b: &Rc<Vec<Poison>>) -> Rc<Vec<Poison>> {
    if Rc::ptr_eq(a, b) || b.is_empty() {
        return Rc::clone(a);
    }
    let mut res = (**a).clone();
    let more = b.iter().filter(|it| !a.iter().any(|other| other.term == it.term));
    res.extend(more.cloned());
    Rc::new(res)
}

/// What either of two maps has; where both have something, what `both` makes of it.
fn united<K: Ord + Clone, V: Clone + PartialEq>(
    a: &Rc<BTreeMap<K, V>>,
    b: &Rc<BTreeMap<K, V>>,
    both: impl Fn(&V, &V) -> Result<V, Apart>,
) -> Result<Rc<BTreeMap<K, V>>, Apart> {
    if Rc::ptr_eq(a, b) {
        return Ok(Rc::clone(a));
    }
    // Mostly one has all that the other has.
    let (more, less) = if a.len() >= b.len() { (a, b) } else { (b, a) };
    let mut res = Rc::clone(more);
    for (key, theirs) in less.iter() {
        let merged = match more.get(key) {
            Some(mine) => both(mine, theirs)?,
            None => theirs.clone(),
        };
        if more.get(key) != Some(&merged) {
            Rc::make_mut(&mut res).insert(key.clone(), merged);
        }
    }
    Ok(res)
}

/// What the C library remembers is the same, but for its output.
pub(crate) fn same_process(a: &Process, b: &Process) -> Result<(), Apart> {
    if a.families != b.families || a.environment != b.environment || a.sizes != b.sizes {
        return Err(Apart("what the C library remembers"));
    }
    process(a, b).map(|_| ())
}

/// What either has asked for, where it is the path.
fn defined(terms: &Terms, cond: Term, then: &Rc<Vec<Term>>, other: &Rc<Vec<Term>>) -> Rc<Vec<Term>> {
    if Rc::ptr_eq(then, other) {
        return Rc::clone(then);
    }
    let common = then.iter().zip(other.iter()).take_while(|(a, b)| a == b).count();
    let mut res = then[..common].to_vec();
    res.extend(then[common..].iter().map(|&it| terms.or(terms.not(cond), it)));
    res.extend(other[common..].iter().map(|&it| terms.or(cond, it)));
    Rc::new(res)
}

/// What the C library remembers must agree, but for what nobody asks it for again.
fn process(a: &Process, b: &Process) -> Result<Process, Apart> {
    let apart = Apart("what the C library remembers");
    let same_ends = a.at_exit.shared_with(&b.at_exit) == a.at_exit.len().max(b.at_exit.len())
        && a.at_quick_exit.shared_with(&b.at_quick_exit) == a.at_quick_exit.len().max(b.at_quick_exit.len());
    if !same_ends {
        return Err(Apart("functions that run at the end of the program"));
    }
    if a.rounding != b.rounding {
        return Err(Apart("the rounding mode"));
    }
    if a.applied.shared_with(&b.applied) != a.applied.len().max(b.applied.len()) {
        return Err(Apart("what an uninterpreted function has returned"));
    }
    if !Rc::ptr_eq(&a.files, &b.files) && a.files != b.files {
        return Err(Apart("files that one of them has read or written"));
    }
    Ok(Process {
        at_exit: a.at_exit.clone(),
        at_quick_exit: a.at_quick_exit.clone(),
        allocations: b.allocations.iter().fold(a.allocations.clone(), |all, it| match all.contains_key(it.0) {
            true => all,
            false => all.insert(*it.0, Rc::clone(it.1)),
        }),
        applied: a.applied.clone(),
        flushed: a.flushed,
        families: united(&a.families, &b.families, |x, y| if x == y { Ok(*x) } else { Err(apart) })?,
        environment: united(&a.environment, &b.environment, |x, y| if x == y { Ok(x.clone()) } else { Err(apart) })?,
        files: Rc::clone(&a.files),
        rounding: a.rounding,
        sizes: united(&a.sizes, &b.sizes, |x, y| if x == y { Ok(*x) } else { Err(apart) })?,
    })
}

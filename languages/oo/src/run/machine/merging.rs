//! Two states that stand at one place become one: the implementation of [`Merge`], and of [`Havoc`].
//!
//! Knows: control, where paths meet. Never: how values are merged (`memory`), guards.
//!
//! Each statement is a place. A state with threads is not merged: which of them moves is nobody's decision, and a path
//! that ends there says so.

use super::super::control::{Control, Item, PendingCall, Thread};
use super::super::memory::{Holders, Memory};
use super::super::program::{Block, Expr, ExprKind, RoutineId, StmtKind, Type, VarId};
use super::super::query_count::{Holder, HotHolders};
use super::super::vocabulary::Instance;
use super::{Machine, Question, State};
use effigy_contracts::Span;
use effigy_engine::{Apart, Content, Context, Havoc, Joins, LoopRounds, Meeting, Merge, Place, Round, TurnId, Turning};
use effigy_term::eval::Evaluator;
use effigy_term::{Sort, Term};
use rpds::List;
use std::rc::Rc;
use std::sync::Arc;

/// What goes round by its number: a loop by its statement, a routine behind all of them.
fn routine_turn(statements: usize, routine: RoutineId) -> TurnId {
    TurnId(statements as u64 + u64::from(routine.0))
}

/// The first statement of a block: there is one, since something of it is executed.
fn first(block: &Block) -> u32 {
    block.first().map_or(u32::MAX, |it| it.id.0)
}

fn is_loop(block: &Block, at: usize) -> bool {
    block.get(at).is_some_and(|it| matches!(&*it.kind, StmtKind::While(..)))
}

/// Puts where a thread stands, from the outermost block: what is within a statement comes before the next one, a round of
/// a loop between the tests around it.
fn order(thread: &Thread, into: &mut Vec<u32>) {
    let mut items: Vec<&Item> = thread.items.iter().collect();
    items.reverse();
    for (at, item) in items.iter().enumerate() {
        let is_top = at + 1 == items.len();
        match item {
            Item::Block(block, index, rounds) => {
                into.extend([first(block), *index as u32]);
                // In the body of a loop the statement is still the loop; elsewhere it is the one that follows.
                let within = matches!(items.get(at + 1), Some(Item::Block(body, ..)) if is_body(block, *index, body));
                into.extend(match (is_top, within) {
                    (true, _) => [1, rounds.made, 1],
                    (false, true) => [1, rounds.made, 0],
                    (false, false) => [0, 0, 0],
                });
            }
            Item::Return(pending) => {
                into.extend([pending.site.0, u32::from(is_top), u32::from(thread.returned && is_top)])
            }
            Item::EndAtomic => into.push(u32::from(is_top)),
        }
    }
}

/// Whether a block is the body of the loop that stands at a place of another, or of a block within that body.
fn is_body(block: &Block, at: usize, body: &Block) -> bool {
    match block.get(at).map(|it| &*it.kind) {
        Some(StmtKind::While(_, inner)) => Rc::ptr_eq(inner, body),
        _ => false,
    }
}

impl<M: Memory> Machine<M> {
    /// All that can go round: each routine of the program, and each of its loops.
    pub fn turnings(&self) -> Vec<Turning> {
        let statements = self.program.statements.len();
        let mut loops = Vec::new();
        for routine in &self.program.routines {
            super::visit(&routine.body, &mut |it| {
                if matches!(&*it.kind, StmtKind::While(..)) {
                    loops.push(it.id.index());
                }
            });
        }
        let routines = (0..self.program.routines.len()).map(|it| statements + it);
        loops.into_iter().chain(routines).map(|it| self.turning(TurnId(it as u64))).collect()
    }
}

impl<M: Memory> Merge for Machine<M> {
    fn meeting(&self, state: &State<M>) -> Meeting {
        let mut res = Vec::new();
        for (id, thread) in state.control.threads.iter() {
            res.push(*id);
            order(thread, &mut res);
        }
        if state.control.threads.is_empty() {
            // The end comes after all.
            res.push(u32::MAX);
        }
        Meeting(res.into())
    }

    fn round(&self, state: &State<M>) -> Option<Round> {
        let thread = state.control.thread(0)?;
        match thread.items.first()? {
            Item::Block(block, at, rounds) if is_loop(block, *at) => {
                let LoopRounds { made, open, .. } = *rounds;
                let of = TurnId(u64::from(block[*at].id.0));
                Some(Round { of, count: open, made })
            }
            Item::Block(block, 0, _) => {
                let called = matches!(thread.items.iter().nth(1), Some(Item::Return(_)));
                let body = &self.program.routine(thread.routine).body;
                if !called || !Rc::ptr_eq(block, body) {
                    return None;
                }
                let calls = thread.items.iter().filter_map(|it| match it {
                    Item::Return(pending) => Some(pending),
                    _ => None,
                });
                let open = calls.filter(|it| it.caller.0 == thread.routine && it.asked).count() as u32;
                let of = routine_turn(self.program.statements.len(), thread.routine);
                Some(Round { of, count: open, made: 0 })
            }
            _ => None,
        }
    }

    fn turning(&self, id: TurnId) -> Turning {
        let statements = self.program.statements.len();
        let number = id.0 as usize;
        if number >= statements {
            let routine = self.program.routine(RoutineId((number - statements) as u32));
            let place = routine.body.first().map_or_else(Place::default, |it| self.place_of(it.id));
            return Turning { index: None, place };
        }
        let routine = self.program.statements[number].routine;
        let mut loops = Vec::new();
        super::visit(&self.program.routine(routine).body, &mut |it| {
            if matches!(&*it.kind, StmtKind::While(..)) {
                loops.push(it.id);
            }
        });
        let at = loops.iter().position(|it| it.index() == number).unwrap_or(0);
        let place = loops.get(at).map_or_else(Place::default, |it| self.place_of(*it));
        Turning { index: Some(at as u32), place }
    }

    fn merge(&self, ctx: &mut Context<'_>, cond: Term, then: &State<M>, other: &State<M>) -> Result<State<M>, Apart> {
        if !then.is_between() || !other.is_between() {
            return Err(Apart("a statement that has asked"));
        }
        let asked = match ctx.common().map_or(Joins::Always, |it| it.joins) {
            Joins::Always => Holders::default(),
            Joins::Heuristic => self.asked(&then.control),
            Joins::Marked => return Err(Apart("the language has no marks")),
        };
        let control = control(&then.control, &other.control)?;
        let with = self.translation(ctx.terms, then);
        let memory = then.memory.merge(&other.memory, cond, &asked, with)?;
        let longer = if then.explained.len() < other.explained.len() { other } else { then };
        Ok(State {
            memory,
            words: Rc::clone(&then.words),
            control,
            chosen: None,
            sleep: then.sleep.clone(),
            begun: false,
            started: true,
            leaving: None,
            passed: 0,
            granted: false,
            tested: None,
            question: Question::None,
            fault: None,
            redundant: false,
            clock: then.clock.max(other.clock),
            explained: longer.explained.clone(),
        })
    }

    fn content(&self, state: &State<M>, evaluator: &mut Evaluator<'_>) -> Content {
        let mut calls: Vec<Instance> = vec![0];
        if let Some(thread) = state.control.thread(0) {
            let mut inner: Vec<Instance> = thread
                .items
                .iter()
                .filter_map(|it| match it {
                    Item::Return(pending) => Some(pending.instance),
                    _ => None,
                })
                .collect();
            inner.reverse();
            calls.extend(inner);
        }
        state.memory.content(self.translation(evaluator.terms(), state), &calls, evaluator)
    }
}

impl<M: Memory> Machine<M> {
    /// What is soon asked of, in any of the calls.
    fn asked(&self, control: &Control) -> Holders {
        let mut res = Holders::default();
        let Some(thread) = control.thread(0) else { return res };
        let soon = self.soon.get_or_init(|| HotHolders::of(&self.program));
        // The statement at which the call goes on was found.
        let (mut instance, mut found) = (thread.instance, false);
        for item in thread.items.iter() {
            match item {
                Item::Return(pending) => (instance, found) = (pending.caller.1, false),
                Item::Block(block, at, _) if !found => {
                    let Some(stmt) = block.get(*at) else { continue };
                    found = true;
                    for holder in soon[stmt.id.index()].holders() {
                        match holder {
                            Holder::Family(family) => res.families.insert(family),
                            Holder::Variable(id) => {
                                let global = self.program.variable(id).global;
                                res.variables.insert((id, if global { 0 } else { instance }))
                            }
                        };
                    }
                }
                Item::Block(..) | Item::EndAtomic => {}
            }
        }
        res
    }
}

impl<M> State<M> {
    /// Whether it stands between two statements.
    fn is_between(&self) -> bool {
        self.started
            && !self.begun
            && self.fault.is_none()
            && matches!(self.question, Question::None)
            && !self.redundant
    }
}

/// One control for two: the same statements in the same calls.
fn control(then: &Control, other: &Control) -> Result<Control, Apart> {
    let mut res = then.clone();
    res.next_instance = then.next_instance.max(other.next_instance);
    let threads = (then.threads.size(), other.threads.size());
    let (a, b) = match (threads, then.thread(0), other.thread(0)) {
        ((0, 0), ..) => return Ok(res),
        ((1, 1), Some(a), Some(b)) => (a, b),
        _ => return Err(Apart("threads")),
    };
    if a.returned != b.returned || a.instance != b.instance || a.children != b.children {
        return Err(Apart("calls"));
    }
    let mut items = Vec::new();
    for (a, b) in a.items.iter().zip(b.items.iter()) {
        items.push(match (a, b) {
            (Item::Block(block, at, mine), Item::Block(same, there, theirs))
                if Rc::ptr_eq(block, same) && at == there =>
            {
                let (open, asked) = (mine.open.max(theirs.open), mine.asked || theirs.asked);
                Item::Block(Rc::clone(block), *at, LoopRounds { made: mine.made, open, asked })
            }
            (Item::Return(a), Item::Return(b)) if Rc::ptr_eq(a, b) || a.asked == b.asked && is_same(a, b) => {
                Item::Return(Rc::clone(a))
            }
            (Item::Return(a), Item::Return(b)) if is_same(a, b) => {
                Item::Return(Rc::new(PendingCall { asked: true, ..(**a).clone() }))
            }
            (Item::EndAtomic, Item::EndAtomic) => Item::EndAtomic,
            _ => return Err(Apart("calls")),
        });
    }
    if items.len() != a.items.len() || items.len() != b.items.len() {
        return Err(Apart("calls"));
    }
    let mut thread = a.clone();
    thread.asked |= b.asked;
    thread.items = items.into_iter().rev().fold(List::new(), |res, it| res.push_front(it));
    res.threads.insert_mut(0, thread);
    Ok(res)
}

fn is_same(a: &PendingCall, b: &PendingCall) -> bool {
    a.site == b.site && a.callee == b.callee && a.caller == b.caller && a.instance == b.instance
}

impl<M: Memory> Havoc for Machine<M> {
    type Changes = Holders;

    fn changes(&self, ctx: &mut Context<'_>, before: &State<M>, after: &State<M>) -> Result<Holders, Apart> {
        if !before.is_between() || !after.is_between() {
            return Err(Apart("a statement that has asked"));
        }
        // They stand in the same calls, at the same statements.
        control(&before.control, &after.control)?;
        after.memory.changes(&before.memory, self.translation(ctx.terms, before))
    }

    fn joined(&self, a: &Holders, b: &Holders) -> Holders {
        Holders {
            variables: &a.variables | &b.variables,
            families: &a.families | &b.families,
            elements: &a.elements | &b.elements,
        }
    }

    fn havoc(&self, ctx: &mut Context<'_>, state: &State<M>, changes: &Holders) -> State<M> {
        let memory =
            state.memory.havoc(changes, self.translation(ctx.terms, state), &mut |sort| ctx.any_of_rounds(sort));
        State { memory, ..state.clone() }
    }

    fn numbers(&self, ctx: &mut Context<'_>, state: &State<M>, changes: &Holders) -> Vec<Option<Term>> {
        let value = |id: VarId, instance: Instance| {
            let expr = Expr { kind: Rc::new(ExprKind::Var(id)), span: Span::default() };
            state.memory.value(self.at(ctx.terms, &state.words, instance), &expr)
        };
        let of_integers = |id: VarId| self.program.variable(id).typ == Type::Int;
        let variables = changes.variables.iter().map(|it| of_integers(it.0).then(|| value(it.0, it.1)));
        let with = self.translation(ctx.terms, state);
        let is_integer = |it: &Term| ctx.terms.sort(*it) == Sort::Int;
        let elements = changes.elements.iter().map(|it| state.memory.element(it.0, it.1, with).filter(is_integer));
        variables.chain(elements).collect()
    }

    /// As the routine calls them that the state stands in.
    fn assigned_values(&self, ctx: &mut Context<'_>, state: &State<M>) -> Vec<(Arc<str>, Term)> {
        effigy_engine::formulas_of(effigy_engine::Inspect::variables(self, ctx, state))
    }

    fn names(&self, state: &State<M>, changes: &Holders) -> Vec<Option<String>> {
        let here = state.control.thread(0).map(|it| it.instance);
        let name = |(id, instance): &(VarId, Instance)| {
            let variable = self.program.variable(*id);
            let is_known = (variable.global || Some(*instance) == here) && !variable.temporary;
            is_known.then(|| variable.name.to_string())
        };
        changes.variables.iter().map(name).collect()
    }
}

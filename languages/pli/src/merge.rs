//! Two states that stand at one place become one: the implementation of [`Merge`], and of [`Havoc`].
//!
//! Knows: what of a state must agree, and what becomes conditional. Never: which states meet, guards.
//!
//! What only tells of a path (its inputs, its output) is that of one of the two: whoever wants to know runs the path.

use crate::array::Array;
use crate::code::Procedure;
use crate::language::value_text;
use crate::program::Program;
use crate::state::{Binding, Cell, CellId, Frame, State};
use effigy_engine::{
    Apart, Content, Context, Havoc, Joins, LoopRounds, Meeting, Merge, Place, Round, Rounds, Thing, TurnId, Turning,
};
use effigy_term::eval::Evaluator;
use effigy_term::{Sort, Term, Terms, Value};
use rpds::{HashTrieMap, Vector};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

/// The number of a recursive procedure among what goes round in it.
const RECURSION: u32 = u32::MAX;

fn turn(procedure: &Procedure, index: u32) -> TurnId {
    TurnId(u64::from(procedure.number()) << 32 | u64::from(index))
}

/// The calls in progress, the innermost first, each with the operation that it stands at.
fn calls(state: &State) -> impl Iterator<Item = (&Rc<Frame>, u32)> {
    let first = Some((&state.frame, state.pc));
    // A caller stands behind its CALL.
    std::iter::successors(first, |it| it.0.caller.as_ref().map(|(frame, pc)| (frame, pc.saturating_sub(1))))
}

impl Program {
    /// All that can go round: each procedure of the program, and each of its loops.
    pub fn turnings(&self) -> Vec<Turning> {
        let each = |procedure: &Rc<Procedure>| {
            let loops = procedure.topology().loops();
            let all = std::iter::once(RECURSION).chain(0..loops);
            all.map(|index| self.turning(turn(procedure, index))).collect::<Vec<_>>()
        };
        self.code.procedures.iter().flat_map(each).collect()
    }
}

impl Merge for Program {
    /// For each call, from the outermost: the procedure, its operation's place among those of each loop around it with
    /// that loop's round, the operation.
    fn meeting(&self, state: &State) -> Meeting {
        let calls: Vec<(&Rc<Frame>, u32)> = calls(state).collect();
        let mut res = Vec::with_capacity(calls.len() * 6);
        let none = Rounds::default();
        for (depth, (frame, pc)) in calls.iter().rev().enumerate() {
            let procedure = &frame.procedure;
            res.push(procedure.number());
            if (*pc as usize) < procedure.ops.len() {
                state.rounds.get(depth).unwrap_or(&none).order(procedure.topology(), *pc, &mut res);
            }
            // What is called by an operation comes after it was come to, and before the next.
            let called = u32::from(depth + 1 < calls.len());
            res.push(pc * 2 + called);
        }
        Meeting(res.into())
    }

    fn round(&self, state: &State) -> Option<Round> {
        let procedure = &state.frame.procedure;
        let (index, rounds) = match procedure.topology().headed(state.pc) {
            Some(header) => (header, *state.rounds.last()?.loops.last()?),
            None if state.pc == 0 => {
                let asked = |it: &usize| state.rounds.get(*it).is_some_and(|it| it.asked);
                let depths = calls(state).skip(1).filter(|it| Rc::ptr_eq(&it.0.procedure, procedure));
                let open = depths.map(|it| it.0.depth).filter(asked).count() as u32;
                (RECURSION, LoopRounds { open, ..LoopRounds::default() })
            }
            None => return None,
        };
        let LoopRounds { made, open, .. } = rounds;
        Some(Round { of: turn(procedure, index), count: open, made })
    }

    fn turning(&self, id: TurnId) -> Turning {
        let (number, index) = ((id.0 >> 32) as u32, id.0 as u32);
        let of_number = |it: &&Rc<Procedure>| it.number() == number;
        let procedure = self.code.procedures.iter().find(of_number).unwrap_or(&self.call);
        let (index, pc) = match index {
            RECURSION => (None, 0),
            header => (Some(procedure.topology().index(header)), procedure.topology().header(header)),
        };
        let place = match procedure.ops.get(pc as usize) {
            Some(op) => self.place_of_statement(procedure.statements.get(op.statement as usize)),
            None => Place::default(),
        };
        Turning { index, place }
    }

    fn merge(&self, ctx: &mut Context<'_>, cond: Term, then: &State, other: &State) -> Result<State, Apart> {
        let joins = ctx.common().map_or(Joins::Always, |it| it.joins);
        if joins == Joins::Marked {
            return Err(Apart("the language has no marks"));
        }
        if then.begun != other.begun || !then.answers.is_empty() || !other.answers.is_empty() {
            return Err(Apart("a statement that has asked"));
        }
        if then.at_cut != other.at_cut || then.ended != other.ended || then.next_cell != other.next_cell {
            return Err(Apart("calls"));
        }
        if then.statics.size() != other.statics.size() || then.statics.keys().any(|it| !other.statics.contains_key(it))
        {
            return Err(Apart("a STATIC variable that only one of them has"));
        }
        let asked = if joins == Joins::Heuristic { asked(then) } else { BTreeSet::new() };
        let with = Merging { terms: ctx.terms, cond, asked };
        let frame = with.frames(&then.frame, &other.frame)?;
        let cells = with.cells(&then.cells, &other.cells)?;
        let value = match (then.value, other.value) {
            (a, b) if a == b => a,
            (Some(a), Some(b)) => Some(with.term(a, b)),
            _ => return Err(Apart("a value that only one of them returns")),
        };
        let rounds = then.rounds.iter().zip(other.rounds.iter()).map(|(a, b)| a.joined(b)).collect::<Vector<Rounds>>();
        let longer = |a: &Vector<Term>, b: &Vector<Term>| if a.len() < b.len() { b.clone() } else { a.clone() };
        Ok(State {
            frame,
            pc: then.pc,
            cells,
            next_cell: then.next_cell,
            statics: then.statics.clone(),
            answers: Vec::new(),
            begun: then.begun,
            open: then.open || other.open,
            clock: then.clock.max(other.clock),
            reads: then.reads.max(other.reads),
            inputs: longer(&then.inputs, &other.inputs),
            assumed: longer(&then.assumed, &other.assumed),
            output: longer(&then.output, &other.output),
            value,
            ended: then.ended,
            asked: None,
            at_cut: then.at_cut,
            rounds,
        })
    }

    fn content(&self, state: &State, evaluator: &mut Evaluator<'_>) -> Content {
        let terms = evaluator.terms();
        let mut res = Content::new();
        for (id, cell) in state.cells.iter() {
            content_of_cell(terms, &format!("cell {id}"), cell, evaluator, &mut res);
        }
        for (frame, _) in calls(state) {
            for (slot, binding) in frame.bindings.iter().enumerate() {
                let (cell, at) = match *binding {
                    Binding::Cell(cell) => (cell, None),
                    Binding::Element(cell, at) => (cell, evaluator.value(at).map(|it| value_text(&it))),
                };
                res.insert(format!("call {} slot {slot}", frame.depth), Thing::Value(format!("{cell} {at:?}")));
            }
            for (slot, old) in frame.old.iter().enumerate() {
                let name = format!("call {} old {slot}", frame.depth);
                content_of_cell(terms, &name, old.as_ref().unwrap_or(&Cell::Scalar(None)), evaluator, &mut res);
            }
        }
        let statics =
            state.statics.iter().map(|(number, cell)| (format!("static {number}"), Thing::Value(cell.to_string())));
        res.extend(statics);
        let value = state.value.and_then(|it| evaluator.value(it));
        res.insert("value".to_owned(), held(value));
        res
    }
}

/// The indices at which the elements of arrays are part of a state's content.
const TOLD: std::ops::Range<i32> = -4..12;

fn held(value: Option<Value>) -> Thing {
    value.map_or(Thing::Nothing, |it| Thing::Value(value_text(&it)))
}

fn content_of_cell(terms: &Terms, name: &str, cell: &Cell, evaluator: &mut Evaluator<'_>, into: &mut Content) {
    match cell {
        Cell::Scalar(_) | Cell::Partly(..) => {
            let (defined, value) = cell.scalar(terms).unwrap_or((terms.bool(false), None));
            let value = value.filter(|_| evaluator.truth(defined) == Some(true));
            into.insert(name.to_owned(), held(value.and_then(|it| evaluator.value(it))));
        }
        Cell::Array(array) => {
            into.insert(format!("{name} lower"), held(evaluator.value(array.lower)));
            into.insert(format!("{name} upper"), held(array.upper.and_then(|it| evaluator.value(it))));
            for at in TOLD {
                let index = terms.int(at);
                let is_defined = evaluator.truth(array.is_defined(terms, index)) == Some(true);
                let value = Some(terms.select(array.content, index)).filter(|_| is_defined);
                into.insert(format!("{name}({at})"), held(value.and_then(|it| evaluator.value(it))));
            }
        }
    }
}

/// What two states are merged with.
struct Merging<'a> {
    terms: &'a Terms,
    /// Where it holds, the state is the first of the two.
    cond: Term,
    /// What is soon asked of may not be one number or another.
    asked: BTreeSet<CellId>,
}

/// The cells that are soon asked of, in any of the calls.
fn asked(state: &State) -> BTreeSet<CellId> {
    let mut res = BTreeSet::new();
    for (depth, (frame, pc)) in calls(state).enumerate() {
        // A caller goes on behind its CALL.
        let soon = frame.procedure.soon(if depth == 0 { pc } else { pc + 1 });
        res.extend(soon.iter().filter_map(|it| frame.bindings.get(*it as usize)).map(|it| match it {
            Binding::Cell(cell) | Binding::Element(cell, _) => *cell,
        }));
    }
    res
}

impl Merging<'_> {
    fn term(&self, then: Term, other: Term) -> Term {
        self.terms.either(self.cond, then, other)
    }

    /// One stack of calls for two of the same calls.
    fn frames(&self, then: &Rc<Frame>, other: &Rc<Frame>) -> Result<Rc<Frame>, Apart> {
        let mut differ: Vec<(&Rc<Frame>, &Rc<Frame>)> = Vec::new();
        let (mut a, mut b) = (then, other);
        let mut shared = loop {
            if Rc::ptr_eq(a, b) {
                break Some(Rc::clone(a));
            }
            differ.push((a, b));
            match (&a.caller, &b.caller) {
                (Some((next, pc)), Some((others, same))) if pc == same => (a, b) = (next, others),
                (None, None) => break None,
                _ => return Err(Apart("calls")),
            }
        };
        for (a, b) in differ.into_iter().rev() {
            shared = Some(Rc::new(self.frame(a, b, shared)?));
        }
        shared.ok_or(Apart("calls"))
    }

    fn frame(&self, a: &Frame, b: &Frame, caller: Option<Rc<Frame>>) -> Result<Frame, Apart> {
        let same = Rc::ptr_eq(&a.procedure, &b.procedure) && a.own == b.own && a.result == b.result;
        if !same || a.bindings.len() != b.bindings.len() || a.old.len() != b.old.len() {
            return Err(Apart("calls"));
        }
        let bindings = a.bindings.iter().zip(&b.bindings).map(|it| match it {
            (Binding::Cell(a), Binding::Cell(b)) if a == b => Ok(Binding::Cell(*a)),
            (Binding::Element(a, at), Binding::Element(b, other)) if a == b => {
                Ok(Binding::Element(*a, self.term(*at, *other)))
            }
            _ => Err(Apart("what a parameter stands for")),
        });
        let old = a.old.iter().zip(&b.old).map(|it| match it {
            (None, None) => Ok(None),
            (Some(a), Some(b)) => self.cell(a, b).map(Some),
            (Some(Cell::Array(_)), None) | (None, Some(Cell::Array(_))) => {
                Err(Apart("an array that only one of them has"))
            }
            (Some(it), None) => self.cell(it, &Cell::Scalar(None)).map(Some),
            (None, Some(it)) => self.cell(&Cell::Scalar(None), it).map(Some),
        });
        Ok(Frame {
            procedure: Rc::clone(&a.procedure),
            bindings: bindings.collect::<Result<_, _>>()?,
            own: a.own.clone(),
            caller: caller.zip(a.caller.as_ref().map(|it| it.1)),
            result: a.result,
            depth: a.depth,
            old: old.collect::<Result<_, _>>()?,
        })
    }

    /// One store for two. Cells are compared by their handles first: what neither has changed costs nothing more.
    fn cells(
        &self,
        then: &HashTrieMap<CellId, Cell>,
        other: &HashTrieMap<CellId, Cell>,
    ) -> Result<HashTrieMap<CellId, Cell>, Apart> {
        let mut res = then.clone();
        if then.size() != other.size() {
            return Err(Apart("variables that only one of them has"));
        }
        for (id, theirs) in other.iter() {
            let Some(mine) = then.get(id) else { return Err(Apart("variables that only one of them has")) };
            if !mine.is(theirs) {
                if self.asked.contains(id) && self.are_two_numbers(mine, theirs) {
                    return Err(Apart("numbers that are soon asked of"));
                }
                res.insert_mut(*id, self.cell(mine, theirs)?);
            }
        }
        Ok(res)
    }

    fn are_two_numbers(&self, a: &Cell, b: &Cell) -> bool {
        let is_number = |it: Term| self.terms.symbols(it).is_empty();
        matches!((a, b), (Cell::Scalar(Some(a)), Cell::Scalar(Some(b))) if a != b && is_number(*a) && is_number(*b))
    }

    fn cell(&self, then: &Cell, other: &Cell) -> Result<Cell, Apart> {
        let terms = self.terms;
        if let (Cell::Array(a), Cell::Array(b)) = (then, other) {
            let merged = a.merge(b, terms, self.cond).ok_or(Apart("an array of two extents"))?;
            return Ok(Cell::Array(Rc::new(merged)));
        }
        match (then.scalar(terms), other.scalar(terms)) {
            (Some((defined, a)), Some((also, b))) => {
                // Where it has no value, any will do.
                let value = match (a, b) {
                    (Some(a), Some(b)) => Some(self.term(a, b)),
                    (a, b) => a.or(b),
                };
                Ok(Cell::of_scalar(terms, terms.ite(self.cond, defined, also), value))
            }
            _ => Err(Apart("an array and a number")),
        }
    }
}

/// The variables that an iteration of a loop changes.
pub type Changes = BTreeSet<CellId>;

impl Havoc for Program {
    type Changes = Changes;

    fn changes(&self, _: &mut Context<'_>, before: &State, after: &State) -> Result<Changes, Apart> {
        if !Rc::ptr_eq(&before.frame, &after.frame) || before.statics.size() != after.statics.size() {
            return Err(Apart("calls"));
        }
        if before.cells.size() != after.cells.size() {
            return Err(Apart("variables that come or go"));
        }
        let mut res = Changes::new();
        for (id, now) in after.cells.iter() {
            match (before.cells.get(id), now) {
                (Some(was), now) if was.is(now) => continue,
                (Some(Cell::Scalar(Some(_))), Cell::Scalar(Some(_))) => {}
                (Some(Cell::Array(a)), Cell::Array(b)) => {
                    if a.defined != b.defined || a.lower != b.lower || a.upper != b.upper {
                        return Err(Apart("elements that get their first value"));
                    }
                }
                _ => return Err(Apart("a variable that gets its first value")),
            }
            res.insert(*id);
        }
        Ok(res)
    }

    fn joined(&self, a: &Changes, b: &Changes) -> Changes {
        a.union(b).copied().collect()
    }

    fn havoc(&self, ctx: &mut Context<'_>, state: &State, changes: &Changes) -> State {
        let mut res = state.clone();
        for id in changes {
            let cell = match state.cells.get(id) {
                Some(Cell::Array(array)) => {
                    let content = ctx.any_of_rounds(crate::array::content_sort(ctx.terms));
                    Cell::Array(Rc::new(Array { content, ..Array::clone(array) }))
                }
                _ => Cell::Scalar(Some(ctx.any_of_rounds(Sort::Int))),
            };
            res.cells.insert_mut(*id, cell);
        }
        res
    }

    fn numbers(&self, _: &mut Context<'_>, state: &State, changes: &Changes) -> Vec<Option<Term>> {
        let number = |id: &CellId| match state.cells.get(id) {
            Some(Cell::Scalar(value)) => *value,
            _ => None,
        };
        changes.iter().map(number).collect()
    }

    /// As the procedure calls them that the state stands in.
    fn assigned_values(&self, ctx: &mut Context<'_>, state: &State) -> Vec<(Arc<str>, Term)> {
        effigy_engine::formulas_of(effigy_engine::Inspect::variables(self, ctx, state))
    }

    fn names(&self, state: &State, changes: &Changes) -> Vec<Option<String>> {
        let frame = &state.frame;
        let slot = |id: &CellId| frame.bindings.iter().position(|it| matches!(it, Binding::Cell(cell) if cell == id));
        let name = |id: &CellId| Some(frame.procedure.slots.get(slot(id)?)?.name.to_string());
        changes.iter().map(|it| name(it).filter(|it| !it.is_empty())).collect()
    }
}

//! Procedures cut at their ASSERT statements.
//!
//! Knows: which variables have a value at a cut point, which loops have none. Never: a solver.
//! Source: King 1976, section 8, steps 1 to 3 of the method.

use crate::array::{Array, content_sort};
use crate::code::{Argument, ArrayBounds, Expr, OpKind, Procedure, Target};
use crate::evaluate::Evaluation;
use crate::program::Program;
use crate::state::{Binding, Cell, CellId, Frame, State};
use effigy_engine::{Context, CutProcedure, Cuts, Place, Statement};
use effigy_term::{Sort, SymbolKind, Term};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

impl Cuts for Program {
    fn cut_procedures(&self) -> Vec<CutProcedure> {
        self.code.procedures.iter().map(|it| self.cut(it)).collect()
    }

    fn start_at(&self, ctx: &mut Context<'_>, procedure: usize, cut: usize) -> Option<State> {
        let procedure = self.code.procedures.get(procedure)?;
        let pc = *cut_points(procedure).get(cut)?;
        Some(if cut == 0 { self.entry(ctx, procedure, pc) } else { self.inside(ctx, procedure, pc) })
    }
}

impl Program {
    fn cut(&self, procedure: &Procedure) -> CutProcedure {
        let statement = |pc: u32| {
            let it = &procedure.statements[procedure.ops[pc as usize].statement as usize];
            Statement {
                number: it.number,
                procedure: Arc::clone(&it.procedure),
                text: Arc::clone(&it.text),
                branches: it.branches,
                place: Place {
                    file: Arc::clone(&self.code.file),
                    line: it.line,
                    column: it.column,
                    function: Arc::clone(&it.procedure),
                },
            }
        };
        let arrays = procedure.slots[procedure.parameters..].iter().filter(|it| it.bounds.is_some());
        let locals: Vec<&str> = arrays.map(|it| &*it.name).collect();
        let mut assumptions = Vec::new();
        if procedure.parameters > 1 {
            assumptions.push("no two arguments are the same variable".to_owned());
        }
        let has_statics = self.code.procedures.iter().any(|it| it.slots.iter().any(|it| it.is_static.is_some()));
        if procedure.parameters > 0 && has_statics {
            assumptions.push("no argument is a STATIC variable".to_owned());
        }
        if procedure.slots[..procedure.parameters].iter().any(|it| it.bounds.is_some()) {
            assumptions.push("every array has the bounds that are declared, and (*) begins at 1".to_owned());
        }
        if !locals.is_empty() {
            assumptions.push(format!("every element of {} that is read has a value", locals.join(", ")));
        }
        if has_statics {
            assumptions.push("every STATIC variable has a value".to_owned());
        }
        CutProcedure {
            name: Arc::clone(&procedure.name),
            entry: cut_points(procedure).first().filter(|it| **it > 0).map(|&it| statement(it).place),
            cuts: cut_points(procedure).into_iter().map(statement).collect(),
            uncut_loops: uncut_loops(procedure).into_iter().map(statement).collect(),
            assumptions,
        }
    }

    /// At the entry, parameters are symbols, and other variables have no value yet.
    fn entry(&self, ctx: &mut Context<'_>, procedure: &Rc<Procedure>, pc: u32) -> State {
        let mut state = self.blank(ctx, procedure);
        let parameters = procedure.parameters as u32;
        for slot in 0..parameters {
            let cell = self.symbolic(ctx, &mut state, procedure, slot, "");
            state.cells.insert_mut(slot, cell);
        }
        let old = (0..procedure.slots.len() as u32).map(|it| state.cells.get(&state.frame.cell(it)).cloned()).collect();
        self.give_old(&mut state, old);
        // The first statement is an assertion: the initial predicate.
        state.at_cut = pc > 0;
        state
    }

    /// At an assertion inside, all variables are symbols.
    fn inside(&self, ctx: &mut Context<'_>, procedure: &Rc<Procedure>, pc: u32) -> State {
        let mut state = self.blank(ctx, procedure);
        let assigned = definitely_assigned(&self.code.procedures, procedure, pc);
        for (slot, declared) in procedure.slots.iter().enumerate() {
            let slot = slot as u32;
            if declared.is_static.is_some() {
                continue;
            }
            let has_value = declared.bounds.is_some() || assigned.contains(&slot);
            let cell = match has_value && declared.mirrors.is_none() {
                true => self.symbolic(ctx, &mut state, procedure, slot, ""),
                false => Cell::Scalar(None),
            };
            state.cells.insert_mut(slot, cell);
        }
        // What keeps the value of an expression that does not change meanwhile.
        for (slot, declared) in procedure.slots.iter().enumerate() {
            if let Some(expr) = &declared.mirrors {
                let value = Evaluation::total(self, ctx, &state).number(expr).ok();
                state.cells.insert_mut(slot as u32, Cell::Scalar(value));
            }
        }
        let changed = changed(procedure);
        let mut old = Vec::with_capacity(procedure.slots.len());
        for (slot, declared) in procedure.slots.iter().enumerate() {
            let name = format!("OLD({})", declared.name);
            old.push(match state.cells.get(&state.frame.cell(slot as u32)) {
                _ if slot >= procedure.parameters && declared.is_static.is_none() => None,
                Some(cell) if !changed.contains(&(slot as u32)) => Some(cell.clone()),
                Some(Cell::Array(array)) => {
                    let content = ctx.input(&name, content_sort(ctx.terms), SymbolKind::Input);
                    state.inputs.push_back_mut(content);
                    Some(Cell::Array(Rc::new(Array { content, base: content, ..Array::clone(array) })))
                }
                _ => {
                    let value = ctx.input(&name, Sort::Int, SymbolKind::Input);
                    state.inputs.push_back_mut(value);
                    Some(Cell::Scalar(Some(value)))
                }
            });
        }
        self.give_old(&mut state, old);
        state.pc = pc;
        state.at_cut = true;
        state
    }

    /// No variable of the procedure has a value, and every STATIC variable any: earlier calls may have set it.
    fn blank(&self, ctx: &mut Context<'_>, procedure: &Rc<Procedure>) -> State {
        let mut state = self.start_of(&self.call);
        let slots = procedure.slots.len() as u32;
        let cell_of = |slot: u32| procedure.slots[slot as usize].is_static.map_or(slot, |it| CellId::MAX - it);
        state.frame = Rc::new(Frame {
            procedure: Rc::clone(procedure),
            bindings: (0..slots).map(|it| Binding::Cell(cell_of(it))).collect(),
            own: 0..slots,
            caller: None,
            result: None,
            depth: 1,
            old: Box::default(),
        });
        state.next_cell = slots;
        for owner in &self.code.procedures {
            for (slot, declared) in owner.slots.iter().enumerate() {
                let Some(number) = declared.is_static else { continue };
                let prefix = if Rc::ptr_eq(owner, procedure) { String::new() } else { format!("{}.", owner.name) };
                let cell = self.symbolic(ctx, &mut state, owner, slot as u32, &prefix);
                state.cells.insert_mut(CellId::MAX - number, cell);
                state.statics.insert_mut(number, CellId::MAX - number);
            }
        }
        state
    }

    fn give_old(&self, state: &mut State, old: Vec<Option<Cell>>) {
        let frame = &state.frame;
        state.frame = Rc::new(Frame {
            procedure: Rc::clone(&frame.procedure),
            bindings: frame.bindings.clone(),
            own: frame.own.clone(),
            caller: None,
            result: None,
            depth: 1,
            old: old.into(),
        });
    }

    /// A variable whose value is a symbol of its own.
    fn symbolic(
        &self,
        ctx: &mut Context<'_>,
        state: &mut State,
        procedure: &Procedure,
        slot: u32,
        prefix: &str,
    ) -> Cell {
        let terms = ctx.terms;
        let declared = &procedure.slots[slot as usize];
        let mut input = |name: &str, sort: Sort| -> Term {
            let it = ctx.input(name, sort, SymbolKind::Input);
            if !declared.name.is_empty() {
                state.met(it);
            }
            it
        };
        let name =
            if declared.name.is_empty() { format!("temporary({slot})") } else { format!("{prefix}{}", declared.name) };
        let Some(bounds) = &declared.bounds else { return Cell::Scalar(Some(input(&name, Sort::Int))) };
        let content = input(&name, content_sort(terms));
        let (lower, upper) = match bounds {
            ArrayBounds::Argument => (terms.int(1), input(&format!("HBOUND({name})"), Sort::Int)),
            ArrayBounds::Range(lower, upper) => {
                let mut bound = |it: &Expr, which: &str| match it {
                    Expr::Number(value) => terms.int(value.clone()),
                    _ => input(&format!("{which}({name})"), Sort::Int),
                };
                (bound(lower, "LBOUND"), bound(upper, "HBOUND"))
            }
        };
        Cell::Array(Rc::new(Array::symbolic(content, lower, Some(upper))))
    }
}

/// The entry, or the assertion that is the first statement; then the other assertions.
fn cut_points(procedure: &Procedure) -> Vec<u32> {
    let is_assert = |pc: &u32| matches!(procedure.ops[*pc as usize].kind, OpKind::Assert(_));
    let mut res: Vec<u32> = (0..procedure.ops.len() as u32).filter(is_assert).collect();
    // Operation 0 is the entry.
    if res.first() != Some(&1) {
        res.insert(0, 0);
    } else if procedure.ops.iter().enumerate().any(|(pc, op)| pc > 0 && successors(&op.kind, pc as u32).contains(&1)) {
        // The assertion at the entry is come back to: it is cut there once more, with any values.
        res.insert(0, 1);
    }
    res
}

fn successors(op: &OpKind, pc: u32) -> Vec<u32> {
    match op {
        OpKind::Jump(to) => vec![*to],
        OpKind::Branch(_, then, otherwise) => vec![*then, *otherwise],
        OpKind::Return(_) => Vec::new(),
        _ => vec![pc + 1],
    }
}

/// The operations that go back to one that they come from, without an assertion between.
fn uncut_loops(procedure: &Procedure) -> Vec<u32> {
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        Open,
        Done,
    }
    let ops = &procedure.ops;
    let mut marks = vec![Mark::New; ops.len()];
    let mut res = BTreeSet::new();
    for start in 0..ops.len() as u32 {
        if marks[start as usize] != Mark::New {
            continue;
        }
        // Depth first; what is open is on the way here.
        let mut work = vec![(start, 0)];
        marks[start as usize] = Mark::Open;
        while let Some((pc, at)) = work.last_mut() {
            let next = match &ops[*pc as usize].kind {
                // The path ends at an assertion.
                OpKind::Assert(_) => None,
                op => successors(op, *pc).get(*at).copied(),
            };
            *at += 1;
            match next {
                None => {
                    marks[*pc as usize] = Mark::Done;
                    work.pop();
                }
                Some(next) => match marks.get(next as usize) {
                    Some(Mark::New) => {
                        marks[next as usize] = Mark::Open;
                        work.push((next, 0));
                    }
                    Some(Mark::Open) => {
                        res.insert(next);
                    }
                    _ => {}
                },
            }
        }
    }
    // One for each statement.
    let mut statements = BTreeSet::new();
    res.into_iter().filter(|&it| statements.insert(ops[it as usize].statement)).collect()
}

/// The scalars that a procedure may change.
fn changed(procedure: &Procedure) -> BTreeSet<u32> {
    let mut res = BTreeSet::new();
    let mut target = |it: &Target| match it {
        Target::Scalar(slot) | Target::Element(slot, _) => {
            res.insert(*slot);
        }
    };
    for op in &procedure.ops {
        match &op.kind {
            OpKind::Assign(it, _) | OpKind::Read(it) => target(it),
            OpKind::Call(_, arguments, result) => {
                for argument in arguments {
                    match argument {
                        Argument::Reference(it) => target(it),
                        Argument::Array(slot) => target(&Target::Scalar(*slot)),
                        Argument::Dummy(_) => {}
                    }
                }
                if let Some(slot) = result {
                    target(&Target::Scalar(*slot));
                }
            }
            _ => {}
        }
    }
    res
}

/// The scalars that have a value whenever `at` is reached, parameters included.
fn definitely_assigned(all: &[Rc<Procedure>], procedure: &Procedure, at: u32) -> BTreeSet<u32> {
    assigned_before(all, procedure, 8, &mut AssignedAtEnd::new())[at as usize].clone().unwrap_or_default()
}

/// What procedures have assigned at their end, by procedure and depth.
type AssignedAtEnd = std::collections::BTreeMap<(u32, u32), BTreeSet<u32>>;

/// For each operation, the scalars that have a value before it; `None` where it is not reached. What callees assign
/// counts where they do so on every way, down to `depth` calls.
fn assigned_before(
    all: &[Rc<Procedure>],
    procedure: &Procedure,
    depth: u32,
    known: &mut AssignedAtEnd,
) -> Vec<Option<BTreeSet<u32>>> {
    let mut before: Vec<Option<BTreeSet<u32>>> = vec![None; procedure.ops.len()];
    let mut work = vec![(0, (0..procedure.parameters as u32).collect::<BTreeSet<u32>>())];
    while let Some((pc, now)) = work.pop() {
        let Some(slot) = before.get_mut(pc as usize) else { continue };
        let merged = match slot {
            Some(known) => known.intersection(&now).copied().collect(),
            None => now,
        };
        if slot.as_ref() == Some(&merged) {
            continue;
        }
        *slot = Some(merged.clone());
        let mut after = merged;
        let op = &procedure.ops[pc as usize].kind;
        match op {
            OpKind::Enter => {
                let initial = procedure.slots.iter().zip(0..).filter(|it| !it.0.initial.is_empty());
                after.extend(initial.map(|it| it.1));
            }
            OpKind::Assign(Target::Scalar(slot), _) | OpKind::Read(Target::Scalar(slot)) => {
                after.insert(*slot);
            }
            OpKind::Call(callee, arguments, result) => {
                after.extend(*result);
                let given = if depth > 0 { assigned_at_end(all, *callee, depth - 1, known) } else { BTreeSet::new() };
                for (parameter, argument) in arguments.iter().enumerate() {
                    if let Argument::Reference(Target::Scalar(slot)) = argument
                        && given.contains(&(parameter as u32))
                    {
                        after.insert(*slot);
                    }
                }
            }
            _ => {}
        }
        work.extend(successors(op, pc).into_iter().map(|it| (it, after.clone())));
    }
    before
}

/// The parameters that a procedure has given a value whenever it returns, whether or not they had one.
fn assigned_at_end(all: &[Rc<Procedure>], callee: u32, depth: u32, known: &mut AssignedAtEnd) -> BTreeSet<u32> {
    if let Some(res) = known.get(&(callee, depth)) {
        return res.clone();
    }
    let procedure = &*all[callee as usize];
    // Parameters count only where they are assigned: begin without them.
    let without = Procedure { parameters: 0, ..procedure.clone() };
    let before = assigned_before(all, &without, depth, known);
    let ends = procedure.ops.iter().zip(&before).filter(|it| matches!(it.0.kind, OpKind::Return(_)));
    let mut res: Option<BTreeSet<u32>> = None;
    for (_, assigned) in ends {
        let Some(assigned) = assigned else { continue };
        res = Some(match res {
            Some(others) => others.intersection(assigned).copied().collect(),
            None => assigned.clone(),
        });
    }
    let res = res.unwrap_or_default();
    known.insert((callee, depth), res.clone());
    res
}

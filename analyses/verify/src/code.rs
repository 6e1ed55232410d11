//! A method's body as a graph: instructions in a row, with jumps.
//!
//! Knows: where control goes, which instructions a loop has and which variables it assigns. Never: states.
//!
//! A loop head is where a cycle is entered: a `while`, or a label. What is in a loop is its natural loop; a jump into its
//! middle from outside is allowed (the head is then reached as if for the first time).

use effigy_contracts::program::{Exp, LabelId, Method, Span, Stmt, StmtKind, VarId};
use effigy_engine::Topology;
use std::cell::OnceCell;

/// The index of an instruction.
pub(crate) type Pc = usize;

/// An instruction of a method's body.
#[derive(Debug)]
pub(crate) enum Inst<'a> {
    /// A statement without control flow.
    Stmt(&'a Stmt),
    /// Goes on, or jumps there if the condition does not hold.
    Branch { cond: &'a Exp, otherwise: Pc, of_loop: bool },
    /// Goes on at this instruction.
    Jump(Pc),
    /// Remembers the heap under this name.
    Label(LabelId),
    /// The head of a loop with its invariants.
    Head { invariants: &'a [Exp], span: Span, looping: Option<Loop> },
    /// The end of the body.
    End,
}

/// The instructions of a loop and the variables that it assigns.
#[derive(Debug, Default)]
pub(crate) struct Loop {
    members: Vec<bool>,
    /// The variables that are assigned in it.
    pub(crate) assigned: Vec<VarId>,
}

impl Loop {
    /// Whether an instruction is in the loop.
    pub(crate) fn contains(&self, pc: Pc) -> bool {
        self.members.get(pc).copied().unwrap_or(false)
    }
}

/// The code of a method.
#[derive(Debug)]
pub(crate) struct Code<'a> {
    /// The method whose body it is.
    pub(crate) method: &'a Method,
    pub(crate) insts: Vec<Inst<'a>>,
    /// The order in which paths come together: computed only where they are merged.
    topology: OnceCell<Topology>,
}

impl<'a> Code<'a> {
    /// Lays out a body, if there is one.
    pub(crate) fn new(method: &'a Method) -> Option<Code<'a>> {
        let mut layout = Layout { insts: Vec::new(), labels: vec![None; method.labels.len()], gotos: Vec::new() };
        layout.block(method.body.as_ref()?);
        layout.insts.push(Inst::End);
        let end = layout.insts.len() - 1;
        for (at, label) in std::mem::take(&mut layout.gotos) {
            // The checker has seen every label; were one missing, the path would end.
            let to = layout.labels.get(label.index()).copied().flatten().unwrap_or(end);
            layout.insts[at] = Inst::Jump(to);
        }
        let mut code = Code { method, insts: layout.insts, topology: OnceCell::new() };
        code.find_loops();
        Some(code)
    }

    /// Where the instruction stands in the source.
    pub(crate) fn span(&self, pc: Pc) -> Option<Span> {
        match self.insts.get(pc)? {
            Inst::Stmt(stmt) => Some(stmt.span),
            Inst::Branch { cond, .. } => Some(cond.span),
            Inst::Head { span, looping: Some(_), .. } => Some(*span),
            _ => None,
        }
    }

    /// Where an instruction stands in the order in which paths come to it, if several ways lead there: when its turn
    /// comes, each path that can come has come, but for those that come round a loop.
    pub(crate) fn meeting(&self, pc: Pc) -> Option<&[u32]> {
        let topology = self.topology.get_or_init(|| {
            let ways = (0..self.insts.len()).map(|it| self.successors(it).into_iter().map(|it| it as u32).collect());
            Topology::of(ways.collect(), &|it| matches!(self.insts.get(it as usize), Some(Inst::End)))
        });
        (pc < self.insts.len() && topology.joins(pc as u32)).then(|| topology.orders(pc as u32))
    }

    fn successors(&self, pc: Pc) -> Vec<Pc> {
        match &self.insts[pc] {
            Inst::Branch { otherwise, .. } => vec![pc + 1, *otherwise],
            Inst::Jump(to) => vec![*to],
            Inst::End => Vec::new(),
            _ => vec![pc + 1],
        }
    }

    /// The edges that lead back to an instruction on the way to them, in a search from the start that goes straight on
    /// first: source and target.
    fn back_edges(&self) -> Vec<(Pc, Pc)> {
        let mut res = Vec::new();
        let mut seen = vec![false; self.insts.len()];
        let mut on_way = vec![false; self.insts.len()];
        let mut way: Vec<(Pc, Vec<Pc>)> = vec![(0, self.successors(0))];
        seen[0] = true;
        on_way[0] = true;
        while let Some((pc, rest)) = way.last_mut() {
            let pc = *pc;
            if rest.is_empty() {
                on_way[pc] = false;
                way.pop();
                continue;
            }
            let next = rest.remove(0);
            if on_way[next] {
                res.push((pc, next));
            } else if !std::mem::replace(&mut seen[next], true) {
                on_way[next] = true;
                way.push((next, self.successors(next)));
            }
        }
        res
    }

    /// Everything that can be reached from `start` by `next`, which itself is reached only around a cycle.
    fn reached(&self, start: Vec<Pc>, next: &dyn Fn(Pc) -> Vec<Pc>, but: Option<Pc>) -> Vec<bool> {
        let mut res = vec![false; self.insts.len()];
        let mut work = start;
        while let Some(pc) = work.pop() {
            if Some(pc) != but && !std::mem::replace(&mut res[pc], true) {
                work.extend(next(pc));
            }
        }
        res
    }

    fn find_loops(&mut self) {
        let mut before: Vec<Vec<Pc>> = vec![Vec::new(); self.insts.len()];
        for pc in 0..self.insts.len() {
            for next in self.successors(pc) {
                before[next].push(pc);
            }
        }
        let mut edges = self.back_edges();
        if edges.iter().any(|&(_, to)| !matches!(self.insts[to], Inst::Head { .. })) {
            // A cycle that is entered in its middle, and not at a label: each jump back in the text heads a loop.
            let jumps = (0..self.insts.len()).flat_map(|pc| self.successors(pc).into_iter().map(move |to| (pc, to)));
            edges = jumps.filter(|(from, to)| to < from).collect();
        }
        let mut heads: Vec<Pc> = edges.iter().map(|it| it.1).collect();
        heads.sort_unstable();
        heads.dedup();
        for head in heads {
            let sources = edges.iter().filter(|it| it.1 == head).map(|it| it.0).collect();
            let forward = self.reached(self.successors(head), &|it| self.successors(it), None);
            let mut members = self.reached(sources, &|it| before[it].clone(), Some(head));
            members.iter_mut().zip(&forward).for_each(|(member, reached)| *member &= reached);
            members[head] = true;
            let mut assigned: Vec<VarId> = Vec::new();
            for (pc, inst) in self.insts.iter().enumerate() {
                if let (true, Inst::Stmt(stmt)) = (members[pc], inst) {
                    match &stmt.kind {
                        StmtKind::Local(it) | StmtKind::Assign(it, _) | StmtKind::New(it, _) => assigned.push(*it),
                        StmtKind::Call { targets, .. } => assigned.extend(targets),
                        _ => {}
                    }
                }
            }
            assigned.sort_unstable();
            assigned.dedup();
            if let Inst::Head { looping, .. } = &mut self.insts[head] {
                *looping = Some(Loop { members, assigned });
            }
        }
    }
}

struct Layout<'a> {
    insts: Vec<Inst<'a>>,
    labels: Vec<Option<Pc>>,
    gotos: Vec<(Pc, LabelId)>,
}

impl<'a> Layout<'a> {
    fn block(&mut self, body: &'a [Stmt]) {
        for stmt in body {
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &'a Stmt) {
        match &stmt.kind {
            StmtKind::Block(body) => self.block(body),
            StmtKind::If(cond, then, other) => {
                let branch = self.insts.len();
                self.insts.push(Inst::Branch { cond, otherwise: 0, of_loop: false });
                self.block(then);
                let jump = self.insts.len();
                if !other.is_empty() {
                    self.insts.push(Inst::End);
                }
                let otherwise = self.insts.len();
                self.block(other);
                if !other.is_empty() {
                    self.insts[jump] = Inst::Jump(self.insts.len());
                }
                self.insts[branch] = Inst::Branch { cond, otherwise, of_loop: false };
            }
            StmtKind::While(cond, invariants, body) => {
                let head = self.insts.len();
                self.insts.push(Inst::Head { invariants, span: stmt.span, looping: None });
                let branch = self.insts.len();
                self.insts.push(Inst::Branch { cond, otherwise: 0, of_loop: true });
                self.block(body);
                self.insts.push(Inst::Jump(head));
                let otherwise = self.insts.len();
                self.insts[branch] = Inst::Branch { cond, otherwise, of_loop: true };
            }
            StmtKind::Label(label, invariants) => {
                if let Some(place) = self.labels.get_mut(label.index()) {
                    *place = Some(self.insts.len());
                }
                self.insts.push(Inst::Head { invariants, span: stmt.span, looping: None });
                self.insts.push(Inst::Label(*label));
            }
            StmtKind::Goto(label) => {
                self.gotos.push((self.insts.len(), *label));
                self.insts.push(Inst::End);
            }
            _ => self.insts.push(Inst::Stmt(stmt)),
        }
    }
}

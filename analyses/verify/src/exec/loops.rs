//! Loops: what is known where one is entered, gone round and left.
//!
//! Knows: the frames of the loops that a path is in, and what each of them assigns. Never: what a statement does.
//! Source: Smans et al. 2010, section 3.4 (`while`).

use crate::code::{Code, Inst, Loop, Pc};
use crate::failure::ErrorKind;
use crate::machine::{Machine, Res};
use crate::state::{Blame, Env, Frame, Give, State, Take, Task, Work};
use crate::walk::Next;
use effigy_contracts::program::{Exp, Span, VarId};
use effigy_heap::heap::Heap;
use effigy_term::Term;

impl<'a> Machine<'a, '_> {
    /// What was framed away comes back where a loop is left.
    pub(super) fn leave_loops(&mut self, state: &mut State<'a>, code: &Code<'a>, pc: Pc) -> Res<()> {
        let left = |frame: &Frame| match &code.insts[frame.head] {
            Inst::Head { looping: Some(looping), .. } => !looping.contains(pc),
            _ => false,
        };
        // Loops that are entered in two places need not be nested: also one that is not the innermost may be left.
        while let Some(at) = state.loops.iter().rposition(left) {
            let frame = state.loops.remove(at);
            let into = match state.loops.get_mut(at) {
                Some(inner) => &mut inner.heap,
                None => &mut state.heap,
            };
            for chunk in frame.heap.iter() {
                self.add(into, chunk.clone())?;
            }
            for chunk in frame.heap.quantified() {
                into.insert_quantified(chunk.clone());
            }
        }
        Ok(())
    }

    pub(super) fn head(
        &mut self,
        mut state: State<'a>,
        pc: Pc,
        invariants: &'a [Exp],
        span: Span,
        looping: &Loop,
    ) -> Res<Option<Next<'a>>> {
        let again = state.loops.iter().any(|it| it.head == pc);
        let error = if again { ErrorKind::InvariantNotPreserved } else { ErrorKind::InvariantNotEstablished };
        let blame = Blame::conjunct(error, span);
        if !again {
            let failed = self.account.failed;
            self.check_invariants(&state, invariants, span, looping)?;
            // A loop whose invariants mean nothing proves nothing; what they say is checked as far as it goes.
            if self.account.failed > failed {
                state.work.clear();
                let task = Task { exps: invariants, env: state.env.clone(), blame, scale: None, trusted: false };
                let heap = state.heap.clone();
                state.mode.lenient = true;
                self.push();
                let res = self.walk(state.with(Work::Consume(task, heap, Take::Amount)), &mut |_, _| Ok(()));
                self.pop();
                return res.map(|()| None);
            }
        }
        let next = if again { Work::End } else { Work::Enter(pc) };
        state.work.push(next);
        state.work.push(Work::Drop);
        let task = Task { exps: invariants, env: state.env.clone(), blame, scale: None, trusted: false };
        let heap = state.heap.clone();
        Ok(Some(Next::On(state.with(Work::Consume(task, heap, Take::Amount)))))
    }

    /// The invariants mean something in every state in which the body may start.
    pub(super) fn check_invariants(
        &mut self,
        state: &State<'a>,
        invariants: &'a [Exp],
        span: Span,
        looping: &Loop,
    ) -> Res<()> {
        let mut env = state.env.clone();
        self.havoc(&mut env, &looping.assigned);
        let blame = Blame::conjunct(ErrorKind::NotWellformed, span);
        let task = Task { exps: invariants, env: env.clone(), blame, scale: None, trusted: false };
        let start = State::within(env, Heap::default(), state.mode).with(Work::Produce(task, None, Give::Amount));
        self.push();
        let res = self.walk(start, &mut |_, _| Ok(()));
        self.pop();
        res
    }

    /// Enters the loop: only the invariants are known there.
    pub(super) fn enter(&mut self, state: &mut State<'a>, pc: Pc) {
        let Some(code) = self.code.clone() else { return };
        let Inst::Head { invariants, span, looping: Some(looping) } = &code.insts[pc] else { return };
        let heap = std::mem::take(&mut state.heap);
        state.loops.push(Frame { head: pc, heap });
        let mut env = state.env.clone();
        self.havoc(&mut env, &looping.assigned);
        // What a label in the loop has remembered is from another iteration.
        for (at, inst) in code.insts.iter().enumerate() {
            if let (true, Inst::Label(label)) = (looping.contains(at), inst) {
                env.labels = env.labels.remove(label);
            }
        }
        state.env = env.clone();
        let task = Task {
            exps: invariants,
            env,
            blame: Blame::conjunct(ErrorKind::NotWellformed, *span),
            scale: None,
            trusted: false,
        };
        state.work.push(Work::Run(pc + 1));
        state.work.push(Work::Produce(task, None, Give::Amount));
    }

    pub(crate) fn havoc(&mut self, env: &mut Env<'a>, variables: &[VarId]) {
        for &variable in variables {
            let value = self.fresh_value(env, variable);
            env.set(variable, value);
        }
    }

    /// An unknown value for a variable.
    pub(crate) fn fresh_value(&mut self, env: &Env<'a>, variable: VarId) -> Term {
        let info = &env.table[variable.index()];
        self.fresh_of(&info.name, &info.typ)
    }
}

//! Functions equal their bodies: how they are defined.
//!
//! Knows: what a definition is over, and what of it is not supported. Never: axioms with quantifiers over snapshots, or
//! where a definition is used (`unrolled`).
//! Source: Smans et al. 2010, `use` and `using` (section 3.4.3) and their inference (section 4.1).

mod callees;
mod unrolled;

use crate::definitions::Definition;
use crate::failure::ErrorKind;
use crate::machine::{Machine, Res, Scene, Stop};
use crate::state::{Blame, Env, Give, Mode, State, Task, Work};
use callees::recursive;

pub use callees::UnprovedRecursion;
use effigy_contracts::program::{Exp, FunctionId, Span};
use effigy_heap::heap::Heap;
use effigy_term::{Node, Sort, Symbol, Term};
use rustc_hash::FxHashSet;
use std::rc::Rc;
use std::sync::Arc;

impl<'a, 't> Machine<'a, 't> {
    /// Defines all functions. Called before anything is assumed: a definition depends on no path.
    pub(crate) fn define_functions(&mut self) -> Res<()> {
        self.definitions.recursive = recursive(self.program);
        for at in 0..self.program.functions.len() as u32 {
            let function = FunctionId(at);
            let info = &self.program.functions[function.index()];
            let two_sides = info.body.is_some() && info.pre.iter().any(Exp::has_two_sides);
            let by_exhaled = if two_sides { self.define_by_exhaled(function)? } else { None };
            let definition = match by_exhaled {
                Some(it) => it,
                None => self.define(function, false)?,
            };
            self.definitions.known.insert(function, Rc::new(definition));
        }
        Ok(())
    }

    /// The definition of a function with two readings of its precondition, over the snapshot of the one that is exhaled,
    /// which is what an application has; `None` where something is read that only the other one is sure to have.
    fn define_by_exhaled(&mut self, function: FunctionId) -> Res<Option<Definition>> {
        self.definitions.missed = false;
        let definition = self.define(function, true)?;
        if self.definitions.missed || definition.body.is_none() {
            return Ok(None);
        }
        self.definitions.by_exhaled.insert(function);
        Ok(Some(definition))
    }

    fn define(&mut self, function: FunctionId, exhale_side: bool) -> Res<Definition> {
        let info = &self.program.functions[function.index()];
        let snapshot = self.fresh_bound("s", self.vocabulary.snapshot());
        let mut args = Vec::new();
        for parameter in &info.variables[..info.parameters] {
            let sort = self.vocabulary.sort(self.terms, &parameter.typ);
            args.push(self.fresh_bound(&parameter.name, sort));
        }
        self.bound = std::iter::once(snapshot).chain(args.iter().copied()).collect();
        self.definitions.formals = self.bound.len();
        self.push();
        let before = self.facts().len();
        let res = self.define_inside(function, exhale_side, snapshot, &args);
        let mut learnt = self.pop();
        self.bound.clear();
        let mut inner_of_posts = std::mem::take(&mut self.definitions.collecting);
        let opened = std::mem::take(&mut self.definitions.opened);
        let (body, posts, of_body, inner_of_body) = match res {
            Ok(it) => it,
            // The precondition cannot hold, or the function is not one that is understood: nothing is known of it.
            Err(Stop::Infeasible) => (None, Vec::new(), before, 0),
            Err(Stop::Unsupported(what, span)) => {
                let what = format!("function {}, of which this is not supported: {what}", info.name);
                let symbol = self.vocabulary.function(self.terms, function);
                self.definitions.unsupported.insert(symbol, (what.into(), span));
                (None, Vec::new(), before, 0)
            }
            Err(stop) => return Err(stop),
        };
        // Amounts in a precondition are of no interest to those who apply the function.
        let mut body_facts = learnt.split_off(of_body - before);
        learnt.retain(|&it| !self.speaks_of_amounts(it));
        body_facts.retain(|&it| !self.speaks_of_amounts(it));
        let inner_of_body = inner_of_posts.split_off(inner_of_body.min(inner_of_posts.len()));
        let facts = learnt;
        Ok(Definition { snapshot, args, body, posts, facts, body_facts, inner_of_posts, inner_of_body, opened })
    }

    /// The body, the postconditions, and how many facts and applications there are without those of the body.
    fn define_inside(
        &mut self,
        function: FunctionId,
        exhale_side: bool,
        snapshot: Symbol,
        args: &[Symbol],
    ) -> Res<(Option<Term>, Vec<Term>, usize, usize)> {
        let info = &self.program.functions[function.index()];
        let snapshot = self.terms.of_symbol(snapshot);
        let args: Vec<Term> = args.iter().map(|&it| self.terms.of_symbol(it)).collect();
        let result = self.application(function, snapshot, &args);
        let env = Env { result: Some(result), ..Env::new(&args, &info.variables) };
        let mode = Mode { defining: true, exhale_side, ..Mode::default() };
        let mut values = Vec::new();
        let (mut of_body, mut inner_of_body) = (self.facts().len(), self.definitions.collecting.len());
        for (at, exp) in info.post.iter().chain(&info.body).enumerate() {
            if at == info.post.len() {
                of_body = self.facts().len();
                inner_of_body = self.definitions.collecting.len();
            }
            let blame = Blame::at(ErrorKind::FunctionNotWellformed, info.span);
            let task = Task { exps: &info.pre, env: env.clone(), blame, scale: None, trusted: false };
            let state =
                State::within(env.clone(), Heap::default(), mode).with(Work::Produce(task, Some(snapshot), Give::Some));
            values.push(self.joined(state, &mut |machine, state| {
                let scene = Scene {
                    env: &env,
                    heap: &state.heap,
                    held: &state.heap,
                    blame,
                    checked: false,
                    amounts: false,
                    mode,
                };
                machine.eval(&scene, exp)
            })?);
        }
        let body = if info.body.is_some() { values.pop() } else { None };
        Ok((body, values, of_body, inner_of_body))
    }

    /// What is not supported of a function that the goal, or what is known, speaks of: what is not proved then may be
    /// true all the same.
    pub(crate) fn rests_on_unsupported(&self, goal: Term) -> Option<(Arc<str>, Span)> {
        let unknown = &self.definitions.unsupported;
        if unknown.is_empty() {
            return None;
        }
        let mut work: Vec<Term> = self.facts().iter().copied().chain(self.conditions()).chain([goal]).collect();
        let mut seen = FxHashSet::default();
        while let Some(term) = work.pop() {
            if seen.insert(term) {
                let node = self.terms.node(term);
                if let Node::Apply(function, _) = node
                    && let Some(it) = unknown.get(function)
                {
                    return Some(it.clone());
                }
                node.for_each_argument(|it| work.push(it));
            }
        }
        None
    }

    fn speaks_of_amounts(&self, fact: Term) -> bool {
        let mut work = vec![fact];
        let mut seen = FxHashSet::default();
        while let Some(term) = work.pop() {
            if seen.insert(term) {
                let node = self.terms.node(term);
                if matches!(node, Node::Apply(..)) && self.terms.sort(term) == Sort::Real {
                    return true;
                }
                node.for_each_argument(|it| work.push(it));
            }
        }
        false
    }
}

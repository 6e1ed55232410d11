//! Functions equal their bodies: how they are defined, and where they are unrolled.
//!
//! Knows: when the definition of a function is used. Never: axioms with quantifiers over snapshots: an application is unrolled when it is evaluated,
//! and the recursive applications in its body when a predicate's snapshot is known or opened.
//! Source: Smans et al. 2010, `use` and `using` (section 3.4.3) and their inference (section 4.1).

use crate::definitions::{Definition, Extent, Inner};
use crate::failure::ErrorKind;
use crate::machine::{Machine, Res, Scene, Stop};
use crate::state::{Blame, Env, Give, Mode, State, Task, Work};
use effigy_contracts::program::{Exp, ExpKind, FunctionId, PredicateId, Program, Span};
use effigy_heap::heap::Heap;
use effigy_term::{Node, Sort, Symbol, Term};
use rustc_hash::FxHashSet;
use std::rc::Rc;
use std::sync::Arc;

/// So many applications are unrolled for one evaluation.
const MOST_UNROLLED: u32 = 60;

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

    /// The term of an application.
    pub(crate) fn application(&self, function: FunctionId, snapshot: Term, args: &[Term]) -> Term {
        let mut all = vec![snapshot];
        all.extend(args);
        self.terms.apply(self.vocabulary.function(self.terms, function), &all)
    }

    /// Remembers an application in the definition that is being made.
    pub(crate) fn note_inner(&mut self, function: FunctionId, snapshot: Term, args: &[Term], revealed: bool) {
        // Under a quantifier inside of the definition, the application is not one but many.
        if self.bound.len() > self.definitions.formals {
            return;
        }
        let guard = self.branch();
        let open = self.is_open(function, revealed);
        self.definitions.collecting.push(Inner { guard, function, snapshot, args: args.to_vec(), open });
    }

    /// Nothing that rests on the body of this function is used from here on: it is what is verified.
    ///
    /// Nor of those with which it calls itself in circles. A circle through the body of a predicate is none: what a
    /// predicate's body applies a function to is inside of the predicate, and what a function's body does, inside of what
    /// the function was given; so such a circle ends.
    pub(crate) fn distrust(&mut self, function: FunctionId) {
        let callees = callees(self.program, false);
        let circle = reached(&callees, function);
        self.definitions.unproved =
            circle.into_iter().filter(|&it| reached(&callees, it).contains(&function)).chain([function]).collect();
    }

    /// The application means something here. What is known of it is known from now on.
    pub(crate) fn unroll_applied(
        &mut self,
        function: FunctionId,
        snapshot: Term,
        args: &[Term],
        revealed: bool,
        terminates: bool,
    ) {
        let open = self.is_open(function, revealed);
        let inner = Inner { guard: self.terms.bool(true), function, snapshot, args: args.to_vec(), open };
        if !terminates && self.definitions.unproved.contains(&function) {
            return self.instantiate(inner, Extent::Unproved, &mut { MOST_UNROLLED });
        }
        let extent = if open { Extent::Whole } else { Extent::Limited };
        self.instantiate(inner, extent, &mut { MOST_UNROLLED });
    }

    fn is_open(&self, function: FunctionId, revealed: bool) -> bool {
        revealed || !self.program.functions[function.index()].opaque
    }

    /// The application equals the function's body here.
    pub(crate) fn unroll(&mut self, function: FunctionId, snapshot: Term, args: &[Term]) {
        let guard = self.terms.bool(true);
        let mut budget = MOST_UNROLLED;
        let inner = Inner { guard, function, snapshot, args: args.to_vec(), open: true };
        self.instantiate(inner, Extent::Whole, &mut budget);
    }

    /// A predicate with this snapshot was opened: what depends on it can be unrolled further.
    pub(crate) fn unfolded_snapshot(&mut self, snapshot: Term, mode: Mode) {
        if mode.defining {
            if self.bound.len() == self.definitions.formals {
                self.definitions.opened.push(snapshot);
            }
            return;
        }
        if !self.config.inference.functions {
            return;
        }
        let limited = self.definitions.limited.clone();
        let mut budget = MOST_UNROLLED;
        for inner in limited {
            if inner.open && self.opened_by(&inner).contains(&snapshot) {
                self.instantiate(Inner::clone(&inner), Extent::Whole, &mut budget);
            }
        }
    }

    /// The snapshots of the predicates that an application opens.
    fn opened_by(&mut self, of: &Inner) -> Vec<Term> {
        let Some(definition) = self.definitions.known.get(&of.function).cloned() else { return Vec::new() };
        definition.opened.iter().map(|&it| self.instance(&definition, of, it)).collect()
    }

    fn is_known_in_parts(&mut self, snapshot: Term) -> bool {
        if self.snapshots.is_combination(self.terms, snapshot) {
            return true;
        }
        // With inference, instances of definitions say this of what they open themselves, which would not end.
        let combined = self.snapshots.is_combined(self.terms, snapshot);
        !self.config.inference.open && self.known(combined)
    }

    /// `use p(args)`: whatever is inferred.
    pub(crate) fn use_function(&mut self, scene: &Scene<'_, 'a>, call: &'a Exp) -> Res<()> {
        let value = self.eval(scene, call)?;
        if let (ExpKind::Call(function, _), Node::Apply(_, args)) = (&*call.kind, self.terms.node(value)) {
            self.unroll(*function, args[0], &args[1..]);
        }
        Ok(())
    }

    fn instantiate(&mut self, of: Inner, extent: Extent, budget: &mut u32) {
        let mut work = vec![(of, extent)];
        while let Some((of, extent)) = work.pop() {
            // Out of time: the next step says so.
            if *budget == 0 || self.tick().is_err() {
                return;
            }
            let application = self.application(of.function, of.snapshot, &of.args);
            if !self.definitions.begin(application, extent, of.guard == self.terms.bool(true)) {
                continue;
            }
            let Some(definition) = self.definitions.known.get(&of.function).cloned() else { continue };
            *budget -= 1;
            for &post in &definition.posts {
                let post = self.instance(&definition, &of, post);
                // What is being shown may be used only where the function calls itself.
                match extent {
                    Extent::Unproved => self.assume(self.terms.implies(of.guard, post)),
                    _ => self.assume_instance(&of, post),
                }
            }
            if extent == Extent::Unproved {
                // What its postcondition says in other words is said only where the postcondition is.
                for inner in &definition.inner_of_posts {
                    if let Some(inner) = self.inner(&definition, &of, inner) {
                        let extent = self.extent_inside(&inner);
                        work.push((inner, extent));
                    }
                }
                continue;
            }
            if let (Extent::Whole, Some(body)) = (extent, definition.body) {
                let body = self.instance(&definition, &of, body);
                let equal = self.equal(application, body);
                self.assume_instance(&of, equal);
            }
            for &fact in &definition.facts {
                let fact = self.instance(&definition, &of, fact);
                self.assume_instance(&of, fact);
            }
            if extent == Extent::Limited {
                self.definitions.limited.push(Rc::new(of));
                continue;
            }
            for &fact in &definition.body_facts {
                let fact = self.instance(&definition, &of, fact);
                self.assume_instance(&of, fact);
            }
            for inner in definition.inner_of_posts.iter().chain(&definition.inner_of_body) {
                if let Some(inner) = self.inner(&definition, &of, inner) {
                    let extent = self.extent_inside(&inner);
                    work.push((inner, extent));
                }
            }
        }
    }

    /// An application inside of a definition, for actual snapshot and arguments; `None` where it is not evaluated.
    fn inner(&mut self, definition: &Definition, of: &Inner, inner: &Inner) -> Option<Inner> {
        let guard = self.instance(definition, of, inner.guard);
        let guard = self.terms.and(of.guard, guard);
        let guard = match self.prover.evident(self.terms, guard) {
            Some(false) => return None,
            Some(true) => self.terms.bool(true),
            None => guard,
        };
        let snapshot = self.instance(definition, of, inner.snapshot);
        let args = inner.args.iter().map(|&it| self.instance(definition, of, it)).collect();
        Some(Inner { guard, function: inner.function, snapshot, args, open: inner.open })
    }

    /// How far an application inside of another one is unrolled. What was closed or opened here is known in its parts,
    /// each smaller than the whole: that ends.
    fn extent_inside(&mut self, inner: &Inner) -> Extent {
        if self.definitions.unproved.contains(&inner.function) {
            return Extent::Unproved;
        }
        let recursive = self.definitions.recursive.contains(&inner.function);
        let opened = self.opened_by(inner);
        let small = !recursive || opened.iter().any(|&it| self.is_known_in_parts(it));
        if inner.open && small { Extent::Whole } else { Extent::Limited }
    }

    /// An instance of a definition holds where the precondition did; without one, everywhere.
    fn assume_instance(&mut self, of: &Inner, fact: Term) {
        if self.program.functions[of.function.index()].pre.is_empty() {
            return self.assume_always(fact);
        }
        let fact = self.terms.implies(of.guard, fact);
        self.assume(fact);
    }

    /// A term of a definition, for actual snapshot and arguments. What is put in for them is not looked into.
    fn instance(&mut self, definition: &Definition, of: &Inner, term: Term) -> Term {
        let terms = self.terms;
        let replace = |symbol: Symbol| {
            if symbol == definition.snapshot {
                return Some(of.snapshot);
            }
            definition.args.iter().position(|&it| it == symbol).map(|at| of.args[at])
        };
        let stop = |it: Term| {
            if !terms.symbols(it).iter().any(|&it| replace(it).is_some()) {
                return Some(it);
            }
            match terms.node(it) {
                Node::Symbol(symbol) => replace(*symbol),
                _ => None,
            }
        };
        terms.fold(term, stop, |it, done| {
            // Many facts, and few that need them: with inference there are statements that say where.
            if self.config.inference.open
                && let Some(shape) = self.snapshots.shape(terms, it, |it| done[&it])
            {
                return shape;
            }
            let rebuilt = terms.with_arguments(it, &|it| done[&it]);
            self.snapshots.simplified(terms, rebuilt)
        })
    }
}

/// The functions that can reach themselves.
fn recursive(program: &Program) -> FxHashSet<FunctionId> {
    let callees = callees(program, true);
    let all = (0..callees.len() as u32).map(FunctionId);
    all.filter(|&it| reached(&callees, it).contains(&it)).collect()
}

/// The functions that each function applies, in its body or contract, or also in a predicate that it may open.
fn callees(program: &Program, also_in_predicates: bool) -> Vec<Vec<FunctionId>> {
    let in_predicates: Vec<(Vec<FunctionId>, Vec<PredicateId>)> =
        program.predicates.iter().map(|it| mentioned(it.body.iter())).collect();
    let of = |function: &effigy_contracts::program::Function| {
        let (mut res, mut opened) = mentioned(function.body.iter().chain(&function.post).chain(&function.pre));
        if !also_in_predicates {
            return res;
        }
        let mut seen = FxHashSet::default();
        while let Some(predicate) = opened.pop() {
            if seen.insert(predicate) {
                let (functions, predicates) = &in_predicates[predicate.index()];
                res.extend(functions);
                opened.extend(predicates);
            }
        }
        res
    };
    program.functions.iter().map(of).collect()
}

/// The functions and predicates in some expressions.
fn mentioned<'e>(exps: impl Iterator<Item = &'e Exp>) -> (Vec<FunctionId>, Vec<PredicateId>) {
    let (mut functions, mut predicates) = (Vec::new(), Vec::new());
    for exp in exps {
        exp.walk(&mut |it| match &*it.kind {
            ExpKind::Call(callee, _) => functions.push(*callee),
            ExpKind::AccPredicate(it) | ExpKind::Unfolding(it, _) => predicates.push(it.predicate),
            _ => {}
        });
    }
    (functions, predicates)
}

/// The functions that a function applies, directly or by others.
fn reached(callees: &[Vec<FunctionId>], start: FunctionId) -> FxHashSet<FunctionId> {
    let mut res = FxHashSet::default();
    let mut work = callees[start.index()].clone();
    while let Some(at) = work.pop() {
        if res.insert(at) {
            work.extend(&callees[at.index()]);
        }
    }
    res
}

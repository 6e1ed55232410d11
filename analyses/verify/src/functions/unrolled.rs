//! Applications of functions: what is known of one where it is evaluated.
//!
//! Knows: when a definition is used: an application is unrolled when it is evaluated, and the recursive applications in its
//! body when a predicate's snapshot is known or opened. Never: how definitions come about.
//! Source: Smans et al. 2010, `use` and `using` (section 3.4.3) and their inference (section 4.1).

use super::callees::{callees, reached};
use crate::definitions::{Definition, Extent, Inner};
use crate::machine::{Machine, Res, Scene};
use crate::state::Mode;
use effigy_contracts::program::{Exp, ExpKind, FunctionId};
use effigy_term::{Node, Symbol, Term};
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// The most applications that are unrolled for one evaluation.
const MOST_UNROLLED: u32 = 60;

impl<'a> Machine<'a, '_> {
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
        if self.snapshots.is_combination(self.terms, snapshot) || self.is_empty_in_parts(snapshot) {
            return true;
        }
        // With inference, instances of definitions say this of what they open themselves, which would not end.
        let combined = self.snapshots.is_combined(self.terms, snapshot);
        !self.config.inference.open && self.known(combined)
    }

    /// Whether a snapshot is that of a predicate that holds nothing, on some side of conditionals: what is inside of one
    /// that ends there is known, too.
    fn is_empty_in_parts(&self, snapshot: Term) -> bool {
        match self.terms.node(snapshot) {
            Node::Ite(_, then, other) => [*then, *other]
                .iter()
                .all(|&it| self.snapshots.is_combination(self.terms, it) || self.is_empty_in_parts(it)),
            _ => snapshot == self.snapshots.unit(self.terms),
        }
    }

    /// Whether what a goal says rests on a recursive application that was not unrolled: then no model tells what the
    /// program does.
    pub(crate) fn rests_on_limited(&self, goal: Term) -> bool {
        let is_left = |it: &Inner| {
            let application = self.application(it.function, it.snapshot, &it.args);
            let whole = self.definitions.is_unrolled.contains(&(application, Extent::Whole));
            let left = it.open && !whole && self.definitions.recursive.contains(&it.function);
            left.then_some(application)
        };
        let left: FxHashSet<Term> = self.definitions.limited.iter().filter_map(|it| is_left(it)).collect();
        if left.is_empty() {
            return false;
        }
        let mut reached = self.applications(goal);
        let mut rest: Vec<FxHashSet<Term>> = self.facts().iter().map(|&it| self.applications(it)).collect();
        loop {
            if !reached.is_disjoint(&left) {
                return true;
            }
            let before = rest.len();
            rest.retain(|it| {
                let meets = !it.is_disjoint(&reached);
                if meets {
                    reached.extend(it);
                }
                !meets
            });
            if rest.len() == before {
                return false;
            }
        }
    }

    /// The applications of the program's functions in a formula.
    fn applications(&self, formula: Term) -> FxHashSet<Term> {
        let symbols: FxHashSet<_> =
            self.definitions.known.keys().map(|&it| self.vocabulary.function(self.terms, it)).collect();
        let (mut res, mut seen, mut pending) = (FxHashSet::default(), FxHashSet::default(), vec![formula]);
        while let Some(term) = pending.pop() {
            if seen.insert(term) {
                let node = self.terms.node(term);
                if matches!(node, Node::Apply(function, _) if symbols.contains(function)) {
                    res.insert(term);
                }
                node.for_each_argument(|it| pending.push(it));
            }
        }
        res
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
        // The same application is met on many paths, and its parts in many terms of the definition.
        let application = self.application(of.function, of.snapshot, &of.args);
        let mut instances = self.definitions.instances.remove(&application).unwrap_or_default();
        let res = terms.fold_into(&mut instances, term, stop, |it, done| {
            // Many facts, and few that need them: with inference there are statements that say where.
            if self.config.inference.open
                && let Some(shape) = self.snapshots.shape(terms, it, |it| done[&it])
            {
                return shape;
            }
            let rebuilt = terms.with_arguments(it, &|it| done[&it]);
            self.snapshots.simplified(terms, rebuilt)
        });
        self.definitions.instances.insert(application, instances);
        res
    }
}

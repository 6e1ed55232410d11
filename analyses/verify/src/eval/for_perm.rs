//! `forperm`: a formula about each location that is held.
//!
//! Knows: which chunk binds the variables to what, and under which condition it is one of those asked for. Never: how
//! chunks come about.
//!
//! The heap that is asked, and in which the body is evaluated, is the one at the point of evaluation: while an assertion
//! is exhaled, what is left of it. Two chunks may be of one location: then the body is said of it twice.

use crate::machine::{Machine, Res, Scene};
use crate::state::Env;
use effigy_contracts::program::{Exp, ExpKind, ForPerm, ForPermResource, VarId};
use effigy_heap::heap::{Chunk, QuantifiedChunk, Resource};
use effigy_term::{Symbol, Term};

impl<'a> Machine<'a, '_> {
    pub(super) fn for_perm(&mut self, scene: &Scene<'_, 'a>, forperm: &'a ForPerm) -> Res<Term> {
        let resource = match forperm.resource {
            ForPermResource::Field(field) => Resource::Field(field),
            ForPermResource::Predicate(predicate) => Resource::Predicate(predicate),
        };
        let scene = Scene { heap: scene.held, ..*scene };
        let chunks: Vec<Chunk> = scene.held.of(resource).map(|(_, chunk)| chunk.clone()).collect();
        let mut all = Vec::with_capacity(chunks.len());
        for chunk in &chunks {
            let fact = self.for_chunk(&scene, forperm, chunk)?;
            all.push(fact);
        }
        let quantified: Vec<QuantifiedChunk> = scene.held.quantified_of(resource).map(|it| it.1.clone()).collect();
        for chunk in &quantified {
            let fact = self.for_quantified_chunk(&scene, forperm, chunk)?;
            all.push(fact);
        }
        Ok(self.terms.and_all(all))
    }

    /// That the body holds for the location of a chunk, if the chunk is one of those asked for and anything of it is held.
    fn for_chunk(&mut self, scene: &Scene<'_, 'a>, forperm: &'a ForPerm, chunk: &Chunk) -> Res<Term> {
        let mut env: Env<'a> = scene.env.clone();
        let mut bound: Vec<VarId> = Vec::new();
        let mut guard = vec![self.has_any(chunk.perm)];
        for (arg, &value) in forperm.args.iter().zip(chunk.args.iter()) {
            let wanted = match variable_of(arg, forperm) {
                Some(variable) if !bound.contains(&variable) => {
                    bound.push(variable);
                    env.set(variable, value);
                    continue;
                }
                // The variable stands there a second time.
                Some(variable) => env.get(variable).unwrap_or(value),
                None => self.eval(scene, arg)?,
            };
            guard.push(self.equal(wanted, value));
        }
        let guard = self.terms.and_all(guard);
        let refuted = self.terms.not(guard);
        if self.known(refuted) {
            return Ok(self.terms.bool(true));
        }
        let scene = Scene { env: &env, ..*scene };
        if self.known(guard) {
            return self.eval(&scene, &forperm.body);
        }
        let body = self.under(guard, &mut |it| it.eval(&scene, &forperm.body))?;
        Ok(body.map_or(refuted, |body| self.terms.implies(guard, body)))
    }

    /// That the body holds for each object of which a quantified chunk has anything.
    fn for_quantified_chunk(
        &mut self,
        scene: &Scene<'_, 'a>,
        forperm: &'a ForPerm,
        chunk: &QuantifiedChunk,
    ) -> Res<Term> {
        let formals = self.vocabulary.formals(self.terms, chunk.resource);
        let bound: Vec<Symbol> =
            formals.iter().map(|&it| self.fresh_bound("held", self.terms.symbol_info(it).sort)).collect();
        let args: Vec<Term> = bound.iter().map(|&it| self.terms.of_symbol(it)).collect();
        let depth = self.bound.len();
        self.bound.extend(&bound);
        self.push();
        let share = self.share(chunk, &args);
        let whole = Chunk { resource: chunk.resource, args: args.into(), value: share.value, perm: share.perm };
        let fact = self.for_chunk(scene, forperm, &whole);
        let learnt = self.pop();
        self.bound.truncate(depth);
        let fact = fact?;
        self.assume_for_all(&bound, learnt);
        Ok(self.for_all(&bound, fact))
    }
}

/// The variable of `forperm` that an argument is.
fn variable_of(arg: &Exp, forperm: &ForPerm) -> Option<VarId> {
    match *arg.kind {
        ExpKind::Var(variable) if forperm.variables.contains(&variable) => Some(variable),
        _ => None,
    }
}

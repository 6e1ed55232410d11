//! Merged against alone: a merged state, evaluated at a model, is the state of the one path that the model takes.
//!
//! Knows: the walk of merged paths, and the run of a model's inputs. Never: a solver, which language it is.
//!
//! Models are chosen first, and only what one of them takes is walked: so nothing is asked of a solver, loops end where
//! the runs do, and each merged state stands for several of them. Paths are merged in any order.

use effigy_engine::{
    BugKind, Common, Content, Context, Coverage, Gathered, Guard, Inputs, Meeting, Merge, Merged, Notes, Ordered,
    Origin, Outcome, PathOutcome, Place, gather,
};
use effigy_term::eval::Evaluator;
use effigy_term::{Model, Symbol, Term, Terms, Value};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// The limits of a walk that compares merged paths with single ones.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The number of models that are tried.
    pub models: usize,
    /// The most transitions of one path.
    pub path_steps: u64,
    /// The most steps of the whole walk.
    pub steps: usize,
    /// The bugs that a run ends in alone where an input is not what a merged path assumes of it.
    pub assumed: &'static [BugKind],
}

/// The counts of a comparison, so that a test can say that it has tested something.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Seen {
    /// The number of paths that were merged with another.
    pub merges: usize,
    /// The number of paths that met and could not be merged.
    pub apart: usize,
    /// The number of states of runs that were compared with a merged one.
    pub compared: usize,
    /// The number of those whose merged state stands for several of the models.
    pub shared: usize,
    /// The number of things that these states hold.
    pub things: usize,
    /// The number of runs that ended by themselves.
    pub ends: usize,
    /// The number of runs into bugs.
    pub bugs: usize,
    /// The number of runs that the program dropped.
    pub dropped: usize,
    /// The number of runs of which nothing can be said: they rest on storage that was never written, or are too long.
    pub left: usize,
}

/// The way in which a run ends.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Fate {
    Ends,
    Bug(BugKind, Place),
    Dropped,
    Unsupported,
}

impl Fate {
    fn of(outcome: &PathOutcome) -> Fate {
        match outcome {
            Ok(Outcome::Exit { .. }) => Fate::Ends,
            Ok(Outcome::Violation(it)) => Fate::Bug(it.kind, it.place.clone()),
            Ok(Outcome::Silent) => Fate::Dropped,
            Err(_) => Fate::Unsupported,
        }
    }
}

/// A choice of one below a bound.
pub type Choose<'a> = &'a mut dyn FnMut(usize) -> usize;

/// The value of a symbol in a model, by the model's number.
pub type Choice<'a> = &'a dyn Fn(usize, Symbol, &Terms) -> Value;

struct Standing<S> {
    guard: Guard,
    state: S,
}

struct Walk<'a, L: Merge> {
    language: &'a L,
    terms: &'a Terms,
    limits: Limits,
    choice: Choice<'a>,
    models: Vec<Model>,
    /// What became of the run of each model, with its inputs.
    fates: Vec<Option<(Fate, Vec<Value>)>>,
    common: Common,
    coverage: Coverage,
    notes: Notes,
    waiting: BTreeMap<Meeting, Vec<Merged<L::State>>>,
    /// The merged states at each place; those of the end have no place.
    stood: BTreeMap<Option<Meeting>, Vec<Standing<L::State>>>,
    seen: Seen,
    steps: usize,
}

/// Walks the paths of a program merged, runs the inputs of each model alone, and compares what they hold wherever both
/// stand.
///
/// # Errors
/// What differs.
pub fn merged_is_alone<L: Merge>(
    language: &L,
    terms: &Terms,
    limits: Limits,
    choice: Choice<'_>,
    choose: Choose<'_>,
    seen: &mut Seen,
) -> Result<(), String> {
    let mut walk = Walk {
        language,
        terms,
        limits,
        choice,
        models: vec![Model::new(); limits.models],
        fates: vec![None; limits.models],
        common: Common::default(),
        coverage: Coverage::default(),
        notes: Notes::default(),
        waiting: BTreeMap::new(),
        stood: BTreeMap::new(),
        seen: Seen::default(),
        steps: 0,
    };
    let path = walk.with_context(|ctx, language| {
        let state = language.start(ctx);
        Merged::start(ctx, state)
    });
    walk.wait(path)?;
    while let Some((at, paths)) = walk.waiting.pop_first() {
        for path in walk.merge(paths, choose)? {
            walk.stands(Some(at.clone()), &path);
            walk.advance(path)?;
        }
    }
    for model in 0..limits.models {
        walk.compare(model)?;
    }
    let more = walk.seen;
    seen.merges += more.merges;
    seen.apart += more.apart;
    seen.compared += more.compared;
    seen.shared += more.shared;
    seen.things += more.things;
    seen.ends += more.ends;
    seen.bugs += more.bugs;
    seen.dropped += more.dropped;
    seen.left += more.left;
    Ok(())
}

impl<L: Merge> Walk<'_, L> {
    fn with_context<R>(&mut self, body: impl FnOnce(&mut Context<'_>, &L) -> R) -> R {
        let inputs = Inputs::Symbolic;
        let ctx = Context::new(self.terms, &inputs, &mut self.coverage, &mut self.notes);
        body(&mut ctx.merging(&mut self.common), self.language)
    }

    /// Gives the inputs of a path values in each model.
    fn know(&mut self, origin: &Origin) {
        for symbol in origin.symbols() {
            for (at, model) in self.models.iter_mut().enumerate() {
                if model.get(symbol).is_none() {
                    model.set(symbol, (self.choice)(at, symbol, self.terms));
                }
            }
        }
    }

    fn holds(&self, model: usize, term: Term) -> bool {
        Evaluator::new(self.terms, &self.models[model]).truth(term) == Some(true)
    }

    /// The models whose run is on a path and goes on.
    fn takers(&self, guard: &Guard) -> Vec<usize> {
        let guard = guard.term(self.terms);
        (0..self.models.len()).filter(|it| self.fates[*it].is_none() && self.holds(*it, guard)).collect()
    }

    fn wait(&mut self, path: Merged<L::State>) -> Result<(), String> {
        self.know(&path.origin);
        if self.takers(&path.guard).is_empty() {
            return Ok(());
        }
        let at = self.language.meeting(&path.state);
        for (other, waiting) in &self.waiting {
            let of_states = waiting.first().map(|it| self.language.order(&path.state, &it.state));
            if of_states.is_some_and(|it| it != at.cmp(other)) {
                return Err(format!("the order of two states is not that of {at:?} and {other:?}"));
            }
        }
        self.waiting.entry(at).or_default().push(path);
        Ok(())
    }

    fn stands(&mut self, at: Option<Meeting>, path: &Merged<L::State>) {
        let standing = Standing { guard: path.guard.clone(), state: path.state.clone() };
        self.stood.entry(at).or_default().push(standing);
    }

    fn merge(&mut self, mut paths: Vec<Merged<L::State>>, choose: Choose<'_>) -> Result<Vec<Merged<L::State>>, String> {
        let mut res: Vec<Merged<L::State>> = Vec::new();
        while !paths.is_empty() {
            let path = paths.swap_remove(choose(paths.len()));
            let mut left = Some(path);
            for known in &mut res {
                let Some(path) = left.take() else { break };
                let takers = self.takers(&path.guard);
                if let Some(both) = self.takers(&known.guard).iter().find(|it| takers.contains(it)) {
                    return Err(format!("two paths at one place are both taken by model {both}"));
                }
                let merged = known.guard.merge(&path.guard, self.terms).and_then(|(guard, cond)| {
                    let state = self.with_context(|ctx, it| it.merge(ctx, cond, &known.state, &path.state));
                    state.ok().map(|it| known.both(&path, it, guard, cond))
                });
                match merged {
                    Some(merged) => {
                        self.seen.merges += 1;
                        *known = merged;
                    }
                    None => {
                        self.seen.apart += 1;
                        left = Some(path);
                    }
                }
            }
            res.extend(left);
        }
        Ok(res)
    }

    /// These models come to an end of theirs on this path.
    fn end(&mut self, models: &[usize], fate: &Fate, origin: &Origin) -> Result<(), String> {
        self.know(origin);
        for &model in models {
            let inputs = origin.inputs(self.terms, &self.models[model]).ok_or("a path that a model does not tell")?;
            self.fates[model] = Some((fate.clone(), inputs));
        }
        Ok(())
    }

    fn advance(&mut self, path: Merged<L::State>) -> Result<(), String> {
        let mut work = vec![path];
        while let Some(mut path) = work.pop() {
            loop {
                let takers = self.takers(&path.guard);
                self.steps += 1;
                if takers.is_empty() || path.steps > self.limits.path_steps || self.steps > self.limits.steps {
                    break;
                }
                let event =
                    self.with_context(|ctx, language| gather(language, ctx, &mut path, &mut 1_000_000, &mut |_| false));
                self.know(&path.origin);
                match event {
                    Gathered::Moved | Gathered::Dropped => {
                        let on = self.takers(&path.guard);
                        let left: Vec<usize> = takers.into_iter().filter(|it| !on.contains(it)).collect();
                        self.end(&left, &Fate::Dropped, &path.origin)?;
                    }
                    Gathered::Meets => {
                        self.wait(path)?;
                        break;
                    }
                    Gathered::Sides(sides) => {
                        let on: Vec<usize> = sides.iter().flat_map(|it| self.takers(&it.guard)).collect();
                        if on.len() != takers.len() {
                            return Err(format!("of {takers:?}, the sides of a branch are taken by {on:?}"));
                        }
                        work.extend(sides);
                        break;
                    }
                    Gathered::Value(term) => {
                        let mut values: Vec<Value> = Vec::new();
                        for model in takers {
                            let value = Evaluator::new(self.terms, &self.models[model]).value(term);
                            values.extend(value.filter(|it| !values.contains(it)));
                        }
                        let guard = path.guard.clone();
                        work.extend(
                            values.into_iter().map(|it| path.with_value(self.language, self.terms, &guard, term, it)),
                        );
                        break;
                    }
                    Gathered::Required(cond, violation) => {
                        let fails: Vec<usize> = takers.into_iter().filter(|it| !self.holds(*it, cond)).collect();
                        self.end(&fails, &Fate::Bug(violation.kind, violation.place.clone()), &path.origin)?;
                    }
                    Gathered::Ended(outcome) => {
                        self.stands(None, &path);
                        self.end(&takers, &Fate::of(&outcome), &path.origin)?;
                        break;
                    }
                }
            }
        }
        Ok(())
    }

    /// The run of a model alone: where it stands, and what becomes of it; nothing where that rests on storage that was
    /// never written.
    #[expect(clippy::type_complexity, reason = "the places, and the end")]
    fn alone(&self, model: usize, inputs: &[Value]) -> Option<(Vec<(Option<Meeting>, L::State)>, Fate)> {
        let on_values = self.language.runs_on_values();
        let inputs = if on_values { Inputs::Ordered(Ordered::new(inputs.to_vec())) } else { Inputs::Symbolic };
        let (mut coverage, mut notes, mut common) = (Coverage::default(), Notes::default(), Common::default());
        let mut ctx = Context::new(self.terms, &inputs, &mut coverage, &mut notes).merging(&mut common);
        let state = self.language.start(&mut ctx);
        let mut path = Merged::start(&mut ctx, state);
        let mut res = Vec::new();
        loop {
            match gather(self.language, &mut ctx, &mut path, &mut 1_000_000, &mut |_| false) {
                _ if path.steps > 2 * self.limits.path_steps => return None,
                Gathered::Meets => res.push((Some(self.language.meeting(&path.state)), path.state.clone())),
                Gathered::Ended(outcome) => {
                    res.push((None, path.state));
                    return Some((res, Fate::of(&outcome)));
                }
                // What holds of the model, where the run follows it.
                Gathered::Moved if !self.holds(model, path.guard.term(self.terms)) => {
                    return Some((res, Fate::Dropped));
                }
                Gathered::Moved => {}
                Gathered::Sides(sides) if !on_values => {
                    path = sides.into_iter().find(|it| self.holds(model, it.guard.term(self.terms)))?;
                }
                Gathered::Required(cond, _) if !on_values && self.holds(model, cond) => {}
                Gathered::Required(_, violation) if !on_values => {
                    return Some((res, Fate::Bug(violation.kind, violation.place.clone())));
                }
                Gathered::Dropped => return Some((res, Fate::Dropped)),
                Gathered::Sides(_) | Gathered::Value(_) | Gathered::Required(..) => return None,
            }
        }
    }

    fn compare(&mut self, model: usize) -> Result<(), String> {
        let Some((fate, inputs)) = self.fates[model].clone() else {
            self.seen.left += 1;
            return Ok(());
        };
        let Some((places, ends)) = self.alone(model, &inputs) else {
            self.seen.left += 1;
            return Ok(());
        };
        let with = |it: &str| format!("on the inputs {inputs:?}: {it}");
        let is_assumed = matches!(&ends, Fate::Bug(kind, _) if self.limits.assumed.contains(kind));
        if fate != ends && !(fate == Fate::Dropped && is_assumed) {
            return Err(with(&format!("merged, the run comes to {fate:?}; alone, to {ends:?}")));
        }
        match fate {
            Fate::Ends => self.seen.ends += 1,
            Fate::Bug(..) => self.seen.bugs += 1,
            Fate::Dropped => self.seen.dropped += 1,
            Fate::Unsupported => self.seen.left += 1,
        }
        let nothing = if self.language.runs_on_values() { Model::new() } else { self.models[model].clone() };
        for (at, state) in places {
            // Where a run ends in something, nothing is merged.
            if at.is_none() && fate != Fate::Ends {
                continue;
            }
            let standing: Vec<&Standing<L::State>> = self.stood.get(&at).map_or_else(Vec::new, |it| {
                it.iter().filter(|it| self.holds(model, it.guard.term(self.terms))).collect()
            });
            let [standing] = standing[..] else {
                return Err(with(&format!("{} merged states stand at {at:?}", standing.len())));
            };
            let mine = self.language.content(&standing.state, &mut Evaluator::new(self.terms, &self.models[model]));
            let alone = self.language.content(&state, &mut Evaluator::new(self.terms, &nothing));
            differ(&mine, &alone).map_or(Ok(()), |it| Err(with(&format!("at {at:?}, {it}"))))?;
            self.seen.compared += 1;
            self.seen.things += alone.len();
            let guard = standing.guard.term(self.terms);
            let several = (0..self.models.len()).filter(|it| self.holds(*it, guard)).nth(1).is_some();
            self.seen.shared += usize::from(several);
        }
        Ok(())
    }
}

/// The first thing that a merged state holds differently.
fn differ(mine: &Content, alone: &Content) -> Option<String> {
    let wrong = alone.iter().find(|(name, held)| mine.get(*name).is_none_or(|it| !it.stands_for(held)));
    wrong.map(|(name, held)| format!("{name} is {held:?} alone, and {:?} merged", mine.get(name)))
}

/// A chain of pseudo-random numbers, for [`Choose`].
pub fn numbers(seed: u64) -> impl FnMut(usize) -> usize {
    let state = RefCell::new(seed);
    move |below| {
        let mut state = state.borrow_mut();
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*state >> 33) as usize % below.max(1)
    }
}

/// A number for a symbol in a model: the same for the same name.
pub fn mixed(seed: u64, model: usize, name: &str) -> u64 {
    let mix = |it: u64, byte: u8| (it ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3).rotate_left(17);
    let mut res = name.bytes().fold(seed ^ (model as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15), mix);
    res = (res ^ (res >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    res ^ (res >> 27)
}

//! Σ: what is known on a path, and where the prover stands.
//!
//! Knows: facts, births and what was unrolled, in layers that states share. Never: what follows from them (that is the
//! prover's), who assumes them (`assume`).
//! Source: Smans et al. 2010, definition 2 (Σ is a part of the symbolic state).

use crate::definitions::{Inner, Limited, Unrolled, Used};
use effigy_term::{PersistentList, Term, Terms};
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// Σ: all that is known on a path, first to last.
pub(crate) type Knowledge = PersistentList<Layer>;

/// A layer of Σ: a branch condition and what was learnt after it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Layer {
    /// Whether the prover opens a scope for it, so that it can be taken back: at each side of a fork, and at each
    /// start.
    pub(crate) opens: bool,
    /// The condition of the branch that was taken.
    pub(crate) cond: Option<Term>,
    /// The knowledge that was added after that.
    pub(crate) learnt: Vec<Learnt>,
    /// The recursive applications of which only the postconditions were used.
    pub(crate) limited: Vec<Limited>,
    pub(crate) unrolled: Vec<Unrolled>,
}

/// A piece of knowledge that is added to Σ.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Learnt {
    /// A formula of sort Bool that holds on the path.
    Fact(Term),
    /// An object was created: it differs from every reference that was noted before.
    Born(Term),
    /// A reference is in the state: it differs from every object that is created later.
    Noted(Term),
}

impl Layer {
    /// The layer at the start of a path.
    pub(crate) fn start() -> Layer {
        Layer { opens: true, ..Layer::default() }
    }

    /// The layer at one side of a fork.
    pub(crate) fn branch(cond: Term) -> Layer {
        Layer { cond: Some(cond), ..Layer::start() }
    }
}

/// Σ of two paths that are merged, of which the first is taken where `cond` holds and the other elsewhere.
///
/// What both began with stays; what one has learnt since holds under its condition, births and what was there before them
/// included: a formula that only the other side gives its meaning may be anything here. `always` tells of facts that
/// hold on every path. No two paths may have a name for different things.
pub(crate) fn merged(
    terms: &Terms,
    cond: Term,
    [then, other]: [&Knowledge; 2],
    null: Term,
    always: &dyn Fn(Term) -> bool,
) -> Knowledge {
    let shared = then.shared_with(other);
    let since = |it: &Knowledge| {
        let mut res: Vec<Layer> = it.iter_back().take(it.len() - shared).cloned().collect();
        res.reverse();
        res
    };
    let (then, res) = (since(then), then.first(shared));
    let sides = [(cond, &then), (terms.not(cond), &since(other))];
    let facts = |layers: &[Layer]| -> FxHashSet<Term> {
        let all = layers.iter().flat_map(|it| &it.learnt);
        all.filter_map(|it| if let Learnt::Fact(fact) = it { Some(*fact) } else { None }).collect()
    };
    let unrolled =
        |layers: &[Layer]| -> FxHashSet<Unrolled> { layers.iter().flat_map(|it| &it.unrolled).copied().collect() };
    let (in_then, in_other) = (facts(sides[0].1), facts(sides[1].1));
    let mut layer = Layer::default();
    let mut born: FxHashSet<Term> = FxHashSet::default();
    for (cond, layers) in sides {
        for it in layers.iter() {
            // The condition by which the paths have parted says nothing here.
            let under = it.cond.filter(|&it| it != cond).map(|it| terms.implies(cond, it));
            layer.learnt.extend(under.map(Learnt::Fact));
            for &learnt in &it.learnt {
                let learnt = match learnt {
                    Learnt::Fact(fact) if always(fact) || (in_then.contains(&fact) && in_other.contains(&fact)) => {
                        Learnt::Fact(fact)
                    }
                    Learnt::Fact(fact) => Learnt::Fact(terms.implies(cond, fact)),
                    // Both may have parted from one path only after it came into being, one of them having met others
                    // since: it came once.
                    Learnt::Born(object) if !born.insert(object) => continue,
                    // Elsewhere its name means nothing, so that it may as well mean an object that nobody has seen.
                    Learnt::Born(object) => Learnt::Born(object),
                    // What comes into being later differs from it in any case.
                    Learnt::Noted(reference) if born.contains(&reference) => continue,
                    Learnt::Noted(reference) => Learnt::Noted(terms.ite(cond, reference, null)),
                };
                layer.learnt.push(learnt);
            }
            for inner in &it.limited {
                let guard = terms.and(cond, inner.guard);
                layer.limited.push(Rc::new(Inner { guard, ..Inner::clone(inner) }));
            }
        }
    }
    // What was unrolled on one side only can be unrolled again.
    let elsewhere = unrolled(sides[1].1);
    let both = sides[0].1.iter().flat_map(|it| &it.unrolled).filter(|it| elsewhere.contains(*it)).copied();
    layer.unrolled = both.collect();
    let mut res = res;
    if !(layer.learnt.is_empty() && layer.limited.is_empty() && layer.unrolled.is_empty()) {
        res.push(layer);
    }
    res
}

/// An open scope of assumptions.
#[derive(Debug)]
pub(crate) struct Scope {
    pub(crate) facts: usize,
    pub(crate) log: usize,
    pub(crate) used: Used,
    /// The condition of the branch that the scope is for.
    pub(crate) cond: Option<Term>,
}

/// The Σ that the prover has assumed, with the scopes that are open.
#[derive(Debug, Default)]
pub(crate) struct Stand {
    pub(crate) facts: Vec<Term>,
    /// The same as a set: what is assumed twice says nothing new.
    pub(crate) assumed: FxHashSet<Term>,
    pub(crate) scopes: Vec<Scope>,
    /// All that was learnt, in order.
    pub(crate) log: Vec<Learnt>,
    /// The Σ that the prover has assumed; so much of the log is in it.
    pub(crate) sigma: Knowledge,
    pub(crate) told: usize,
    pub(crate) used: Used,
    /// The layers that opened the scopes, outermost first. Scopes beyond these are within a step.
    pub(crate) opening: Vec<usize>,
}

impl Stand {
    /// Whether something was learnt that is not in Σ yet.
    pub(crate) fn is_dirty(&self, used: Used) -> bool {
        self.log.len() > self.told || used != self.used
    }
}

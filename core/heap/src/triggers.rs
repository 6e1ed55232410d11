//! Triggers for quantified formulas that were written without.
//!
//! Knows: which terms of a body can be patterns, and which sets of them mention all variables. Never: programs, heaps,
//! what a function means.
//! Source: the rules are those of Silver's `GenericTriggerGenerator` and `GenericAxiomRewriter`, over terms; where those
//! add a variable that nothing constrains, the variable is here defined by an equality, so that the formula stays
//! equivalent.

use crate::collections::is_equality;
use effigy_term::{Node, Sort, Symbol, SymbolKind, Term, Terms};
use num_traits::{One, Signed};
use rustc_hash::{FxHashMap, FxHashSet};

/// More applications than these are not combined; those with the most variables are kept.
const MOST_CANDIDATES: usize = 48;

/// So many combinations are tried.
const MOST_COMBINATIONS: usize = 20_000;

/// So many triggers one formula gets.
const MOST_TRIGGERS: usize = 64;

/// What a quantified formula becomes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PreparedQuantifier {
    /// The variables that it binds.
    pub variables: Vec<Symbol>,
    /// Its triggers; none if there is no application to choose.
    pub triggers: Vec<Vec<Term>>,
    /// Its body: over these variables, the formula is equivalent to the one that was given.
    pub body: Term,
}

/// An application that can stand in a trigger.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Candidate {
    pattern: Term,
    /// The variables in it: bit i is the i-th.
    variables: u64,
    /// The fresh variables in it.
    fresh: Vec<Symbol>,
}

/// The triggers of a formula that binds `bound`: each mentions all of them. Empty if the body does not have the
/// applications for it.
pub fn infer(terms: &Terms, bound: &[Symbol], body: Term) -> Vec<Vec<Term>> {
    let body = Body::new(terms, body);
    let plain: Vec<Candidate> = body.applications(bound).into_iter().filter(|it| body.clean[&it.pattern]).collect();
    let sets = covers(bound, plain);
    let sets = without_redundant(terms, sets);
    let sets = without_looping(terms, bound, &body, sets);
    sets.into_iter().map(|it| it.into_iter().map(|it| it.pattern).collect()).collect()
}

/// A quantified formula with triggers: those that [`infer`] finds; or, if all applications have arithmetic or logic in
/// their arguments, those of an equivalent formula in which variables stand for these arguments.
pub fn prepare(terms: &Terms, universal: bool, bound: &[Symbol], body: Term) -> PreparedQuantifier {
    let triggers = infer(terms, bound, body);
    if !triggers.is_empty() {
        return PreparedQuantifier { variables: bound.to_vec(), triggers, body };
    }
    with_other_variables(terms, bound, body)
        .or_else(|| with_named_arguments(terms, universal, bound, body))
        .unwrap_or(PreparedQuantifier { variables: bound.to_vec(), triggers: Vec::new(), body })
}

/// The body of a quantified formula, taken apart.
struct Body<'a> {
    terms: &'a Terms,
    root: Term,
    /// Of each term in it, whether it is free of arithmetic, logic and quantifiers.
    clean: FxHashMap<Term, bool>,
    /// What is bound by the quantifiers in it.
    bound_inside: FxHashSet<Symbol>,
}

impl<'a> Body<'a> {
    fn new(terms: &'a Terms, root: Term) -> Body<'a> {
        let mut res = Body { terms, root, clean: FxHashMap::default(), bound_inside: FxHashSet::default() };
        let bound_inside = &mut res.bound_inside;
        terms.fold_into(
            &mut res.clean,
            root,
            |_| None,
            |it, clean| {
                if let Node::Quantifier(it) = terms.node(it) {
                    bound_inside.extend(it.variables.iter());
                }
                let mut res = may_stand_in_pattern(terms, it);
                terms.node(it).for_each_argument(|it| res &= clean[&it]);
                res
            },
        );
        res
    }

    /// Applications that mention some of `bound`, and nothing that is bound further inside, in the order of their
    /// making. Patterns of quantified formulas inside are not looked at.
    fn applications(&self, bound: &[Symbol]) -> Vec<Candidate> {
        let mut res: Vec<Candidate> = Vec::new();
        let mut seen: FxHashSet<(Term, Vec<Symbol>)> = FxHashSet::default();
        let mut work: Vec<(Term, Vec<Symbol>)> = vec![(self.root, Vec::new())];
        while let Some((next, hidden)) = work.pop() {
            // What mentions no variable has nothing in it.
            let symbols = self.terms.symbols(next);
            if !bound.iter().any(|it| symbols.contains(it)) || !seen.insert((next, hidden.clone())) {
                continue;
            }
            if let Node::Quantifier(it) = self.terms.node(next) {
                let mut hidden = hidden;
                hidden.extend(it.variables.iter());
                hidden.sort_unstable();
                hidden.dedup();
                work.push((it.body, hidden));
                continue;
            }
            if is_application(self.terms, next) && !symbols.iter().any(|it| hidden.contains(it)) {
                res.push(self.candidate(bound, next, Vec::new()));
            }
            self.terms.node(next).for_each_argument(|it| work.push((it, hidden.clone())));
        }
        res.sort_by_key(|it| it.pattern);
        res.dedup();
        res
    }

    fn candidate(&self, bound: &[Symbol], pattern: Term, fresh: Vec<Symbol>) -> Candidate {
        let symbols = self.terms.symbols(pattern);
        let mentioned = bound.iter().take(64).enumerate().filter(|it| symbols.contains(it.1));
        Candidate { pattern, variables: mentioned.fold(0, |set, (at, _)| set | 1 << at), fresh }
    }

    /// The largest terms in the arguments of an application that cannot stand in a pattern.
    fn obstacles(&self, application: Term) -> Vec<Term> {
        let mut res = Vec::new();
        let mut seen = FxHashSet::default();
        let mut work = vec![application];
        while let Some(next) = work.pop() {
            if self.clean[&next] || !seen.insert(next) {
                continue;
            }
            if may_stand_in_pattern(self.terms, next) {
                self.terms.node(next).for_each_argument(|it| work.push(it));
            } else {
                res.push(next);
            }
        }
        res.sort_unstable();
        res
    }

    /// A variable that nothing in the body knows.
    fn fresh(&self, like: &str, sort: Sort, taken: &[Symbol]) -> Symbol {
        let mut name = format!("{like}'");
        loop {
            let symbol = self.terms.symbol(&name, sort, SymbolKind::Bound);
            let known = self.terms.symbols(self.root).contains(&symbol) || self.bound_inside.contains(&symbol);
            if !known && !taken.contains(&symbol) {
                return symbol;
            }
            name.push('\'');
        }
    }
}

/// Whether an operator is nothing that a theory interprets: applications, arrays, variables, constants.
fn may_stand_in_pattern(terms: &Terms, term: Term) -> bool {
    match terms.node(term) {
        Node::Apply(function, _) => !is_equality(terms, *function),
        Node::Select(..)
        | Node::Store(..)
        | Node::ConstArray(..)
        | Node::Symbol(_)
        | Node::Bool(_)
        | Node::Int(_)
        | Node::Real(_)
        | Node::BitVec(_) => true,
        _ => false,
    }
}

fn is_application(terms: &Terms, term: Term) -> bool {
    match terms.node(term) {
        Node::Apply(function, _) => !is_equality(terms, *function),
        Node::Select(..) => true,
        _ => false,
    }
}

/// The sets of candidates that mention all variables, each of which needs all its members.
fn covers(bound: &[Symbol], mut candidates: Vec<Candidate>) -> Vec<Vec<Candidate>> {
    if bound.is_empty() || bound.len() > 64 {
        return Vec::new();
    }
    let all = u64::MAX >> (64 - bound.len());
    if candidates.len() > MOST_CANDIDATES {
        candidates.sort_by_key(|it| std::cmp::Reverse(it.variables.count_ones()));
        candidates.truncate(MOST_CANDIDATES);
        candidates.sort_by_key(|it| it.pattern);
    }
    let (mut res, mut combinations) = (Vec::new(), 0);
    // Sets that are begun: members, and where to go on.
    let mut work: Vec<(Vec<usize>, usize)> = vec![(Vec::new(), 0)];
    while let Some((members, from)) = work.pop() {
        combinations += 1;
        if combinations > MOST_COMBINATIONS || res.len() >= MOST_TRIGGERS {
            break;
        }
        let covered = members.iter().fold(0, |set, &it| set | candidates[it].variables);
        if covered == all {
            if needs_all(&candidates, &members, all) {
                res.push(members.iter().map(|&it| candidates[it].clone()).collect());
            }
            continue;
        }
        // Backwards: the stack hands out the first one first.
        for at in (from..candidates.len()).rev() {
            if candidates[at].variables & !covered != 0 {
                let mut longer = members.clone();
                longer.push(at);
                work.push((longer, at + 1));
            }
        }
    }
    res
}

fn needs_all(candidates: &[Candidate], members: &[usize], all: u64) -> bool {
    members.iter().all(|&left_out| {
        let rest = members.iter().filter(|&&it| it != left_out);
        rest.fold(0, |set, &it| set | candidates[it].variables) != all
    })
}

/// Leaves out sets with a term inside another of the same set (there is a set without it), and sets all of whose terms
/// are inside those of another set: the larger terms fire less often.
fn without_redundant(terms: &Terms, sets: Vec<Vec<Candidate>>) -> Vec<Vec<Candidate>> {
    let inside = |small: &Candidate, large: &Candidate| is_inside(terms, small.pattern, large.pattern);
    let sets: Vec<Vec<Candidate>> =
        sets.into_iter().filter(|set| !set.iter().any(|x| set.iter().any(|y| inside(x, y)))).collect();
    let kept = |set: &&Vec<Candidate>| {
        let within = |other: &Vec<Candidate>| set.iter().all(|x| other.iter().any(|y| inside(x, y)));
        !sets.iter().any(within)
    };
    sets.iter().filter(kept).cloned().collect()
}

/// Whether `small` is a proper part of `large`.
fn is_inside(terms: &Terms, small: Term, large: Term) -> bool {
    let mut seen = FxHashSet::default();
    let mut work = vec![large];
    let mut found = false;
    while let Some(next) = work.pop() {
        terms.node(next).for_each_argument(|it| {
            found |= it == small;
            // Parts are made before the whole.
            if it > small && seen.insert(it) {
                work.push(it);
            }
        });
        if found {
            return true;
        }
    }
    false
}

/// Leaves out sets that make larger and larger instances of themselves (`f(x)` beside `f(g(x))`), if others are left.
fn without_looping(terms: &Terms, bound: &[Symbol], body: &Body<'_>, sets: Vec<Vec<Candidate>>) -> Vec<Vec<Candidate>> {
    let applications = body.applications(bound);
    let loops = |set: &Vec<Candidate>| {
        let grows =
            |it: &Candidate| applications.iter().any(|of| is_larger_instance(terms, bound, it.pattern, of.pattern));
        set.iter().any(grows)
    };
    let quiet: Vec<Vec<Candidate>> = sets.iter().filter(|it| !loops(it)).cloned().collect();
    if quiet.is_empty() { sets } else { quiet }
}

/// Whether `term` is the pattern with an application of a bound variable in place of some variable.
fn is_larger_instance(terms: &Terms, bound: &[Symbol], pattern: Term, term: Term) -> bool {
    let mut values: FxHashMap<Symbol, Term> = FxHashMap::default();
    let mut seen = FxHashSet::default();
    let mut work = vec![(pattern, term)];
    while let Some((pattern, term)) = work.pop() {
        if !seen.insert((pattern, term)) {
            continue;
        }
        let (arguments, values_of): (Vec<Term>, Vec<Term>) = match (terms.node(pattern), terms.node(term)) {
            (Node::Symbol(symbol), _) if bound.contains(symbol) => {
                if *values.entry(*symbol).or_insert(term) != term {
                    return false;
                }
                continue;
            }
            _ if pattern == term && !terms.symbols(pattern).iter().any(|it| bound.contains(it)) => continue,
            (Node::Apply(f, xs), Node::Apply(g, ys)) if f == g => (xs.to_vec(), ys.to_vec()),
            (&Node::Select(a, i), &Node::Select(b, j)) => (vec![a, i], vec![b, j]),
            (&Node::Store(a, i, x), &Node::Store(b, j, y)) => (vec![a, i, x], vec![b, j, y]),
            (&Node::ConstArray(s, a), &Node::ConstArray(t, b)) if s == t => (vec![a], vec![b]),
            _ => return false,
        };
        work.extend(arguments.into_iter().zip(values_of));
    }
    values.values().any(|&it| is_application(terms, it) && terms.symbols(it).iter().any(|it| bound.contains(it)))
}

/// Other variables in place of sums: `f(i + 1)` becomes `f(j)` for `j = i + 1`, and `i` is `j - 1` elsewhere. The sum
/// has its variable once, with factor 1 or -1, so that each integer is the sum of exactly one.
fn with_other_variables(terms: &Terms, bound: &[Symbol], body: Term) -> Option<PreparedQuantifier> {
    let (mut variables, mut body) = (bound.to_vec(), body);
    let mut old: Vec<Symbol> = bound.to_vec();
    while !old.is_empty() {
        let parts = Body::new(terms, body);
        let obstacles = parts.applications(&variables).into_iter().flat_map(|it| parts.obstacles(it.pattern));
        let (variable, sum, factor) = obstacles.into_iter().find_map(|it| solvable(terms, &old, it))?;
        // A variable that is bound again inside, or would be caught there, must not be replaced.
        let caught = |it: &Symbol| parts.bound_inside.contains(it);
        if caught(&variable) || terms.symbols(sum).iter().any(caught) {
            return None;
        }
        let info = terms.symbol_info(variable);
        let fresh = parts.fresh(&info.name, info.sort, &variables);
        let old_variable = terms.of_symbol(variable);
        let rest = terms.int_sub(sum, terms.int_mul(terms.int(factor), old_variable));
        let value = terms.int_mul(terms.int(factor), terms.int_sub(terms.of_symbol(fresh), rest));
        body = terms.substitute(body, &mut |it| (it == variable).then_some(value));
        variables.iter_mut().filter(|it| **it == variable).for_each(|it| *it = fresh);
        old.retain(|&it| it != variable);
        let triggers = infer(terms, &variables, body);
        if !triggers.is_empty() {
            return Some(PreparedQuantifier { variables, triggers, body });
        }
    }
    None
}

/// A variable for which `sum` can be solved, with its factor.
fn solvable(terms: &Terms, variables: &[Symbol], sum: Term) -> Option<(Symbol, Term, i64)> {
    let Node::IntPoly(poly) = terms.node(sum) else { return None };
    poly.monomials.iter().find_map(|(factor, monomial)| {
        let &[(atom, 1)] = monomial.as_ref() else { return None };
        let &Node::Symbol(symbol) = terms.node(atom) else { return None };
        let once =
            poly.monomials.iter().flat_map(|it| it.1.iter()).filter(|it| terms.symbols(it.0).contains(&symbol)).count();
        let factor = if factor.abs().is_one() { if factor.is_negative() { -1 } else { 1 } } else { return None };
        (once == 1 && variables.contains(&symbol)).then_some((symbol, sum, factor))
    })
}

/// Variables in place of arguments that cannot stand in a pattern: `∀x. B` is `∀x, v. v = d ⇒ B`, and then `f(x, v)` is
/// a trigger where `f(x, d)` is none. Triggers are those that need the fewest such variables.
fn with_named_arguments(terms: &Terms, universal: bool, bound: &[Symbol], body: Term) -> Option<PreparedQuantifier> {
    let parts = Body::new(terms, body);
    let mut names: Vec<(Term, Symbol)> = Vec::new();
    let mut candidates: Vec<Candidate> = Vec::new();
    for it in parts.applications(bound) {
        let obstacles = parts.obstacles(it.pattern);
        let mut fresh: Vec<Symbol> = Vec::new();
        for obstacle in obstacles {
            let known = names.iter().find(|it| it.0 == obstacle).map(|it| it.1);
            let name = known.unwrap_or_else(|| {
                let taken: Vec<Symbol> = names.iter().map(|it| it.1).chain(bound.iter().copied()).collect();
                let name = parts.fresh("argument", terms.sort(obstacle), &taken);
                names.push((obstacle, name));
                name
            });
            fresh.push(name);
        }
        let pattern = replace(terms, it.pattern, &names);
        let candidate = parts.candidate(bound, pattern, fresh);
        if candidate.variables != 0 && names.len() <= MOST_CANDIDATES {
            candidates.push(candidate);
        }
    }
    let sets = without_redundant(terms, covers(bound, candidates));
    let fresh_of = |set: &Vec<Candidate>| {
        let mut res: Vec<Symbol> = set.iter().flat_map(|it| it.fresh.iter().copied()).collect();
        res.sort_unstable();
        res.dedup();
        res
    };
    // All triggers of a formula mention the same variables.
    let fresh = sets.iter().map(fresh_of).min_by_key(Vec::len)?;
    let triggers = sets.iter().filter(|it| fresh_of(it) == fresh);
    let triggers = triggers.map(|it| it.iter().map(|it| it.pattern).collect()).collect();
    let defined = names.iter().filter(|it| fresh.contains(&it.1)).map(|it| terms.eq(terms.of_symbol(it.1), it.0));
    let defined = terms.and_all(defined);
    let body = if universal { terms.implies(defined, body) } else { terms.and(defined, body) };
    let variables = bound.iter().copied().chain(fresh).collect();
    Some(PreparedQuantifier { variables, triggers, body })
}

/// `pattern` with names in place of what they stand for.
fn replace(terms: &Terms, pattern: Term, names: &[(Term, Symbol)]) -> Term {
    let mut done: FxHashMap<Term, Term> = names.iter().map(|it| (it.0, terms.of_symbol(it.1))).collect();
    terms.fold_into(
        &mut done,
        pattern,
        |_| None,
        |it, done| {
            let of = |it: &Term| done[it];
            match terms.node(it) {
                Node::Apply(function, args) => terms.apply(*function, &args.iter().map(of).collect::<Vec<Term>>()),
                Node::Select(a, i) => terms.select(of(a), of(i)),
                Node::Store(a, i, x) => terms.store(of(a), of(i), of(x)),
                Node::ConstArray(_, x) => terms.const_array(terms.sort(it), of(x)),
                // Variables and constants; everything else has a name.
                _ => it,
            }
        },
    )
}

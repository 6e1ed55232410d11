//! Path conditions and values for people: nothing that the rest implies, nothing that φ decides.
//!
//! Knows: which equivalences under φ make a formula shorter. Never: a notation.
//! Source: King 1976, figure 5 ("or simply α₂ = 1") and section 6 (`a > 0 & a > 5` is `a > 5`).
//!
//! All of it is for display: what the engine computes with is never replaced by what is shown here.

use crate::engine::Engine;
use crate::inspect::Inspect;
use crate::path::Trail;
use effigy_solver::Answer;
use effigy_term::plain::{flatten, plain, plain_conjuncts, said_once};
use effigy_term::print::is_between;
use effigy_term::{Node, Sort, Term, Terms};

/// Longer conditions are only made shorter without the solver.
const MOST_CONJUNCTS: usize = 48;

/// Of longer disjunctions nothing is left out.
const MOST_DISJUNCTS: usize = 6;

/// The number of parts of a value that are simplified under the conditions of the arms around them; chosen without
/// measuring. It bounds the recursion, too.
const MOST_PARTS_IN_ARMS: u32 = 100;

impl Engine<'_> {
    /// φ without what the rest of it implies. `given` are conjuncts of φ that are told elsewhere (assumptions) and not
    /// shown, nor is what followed from them when it was assumed. Together with `given`, the result is equivalent to φ.
    pub fn readable(&mut self, trail: &Trail, given: &[Term]) -> Vec<Term> {
        let terms = self.terms;
        let mut known: Vec<Term> = Vec::new();
        given.iter().for_each(|&it| flatten(terms, it, &mut known));
        let shown =
            if known.is_empty() { trail.condition.readable(terms) } else { self.new_information(trail, &known) };
        let mut res = said_once(terms, plainly(terms, shown));
        if res.len() <= MOST_CONJUNCTS {
            res = self.decided(trail, res, &known);
            res = said_once(terms, plainly(terms, res));
            res = self.irredundant(trail, res);
        }
        res
    }

    /// [`Engine::readable`] in a language: that a result exists is told only where no other condition is about it.
    pub fn readable_in<L: Inspect>(&mut self, language: &L, trail: &Trail, given: &[Term]) -> Vec<Term> {
        let terms = self.terms;
        let conjuncts = trail.condition.conjuncts();
        let defining: Vec<(Term, Term)> =
            conjuncts.iter().filter_map(|&it| Some((it, language.defined(terms, it)?))).collect();
        if defining.is_empty() || defining.len() > MOST_CONJUNCTS {
            return self.readable(trail, given);
        }
        let mut known = given.to_vec();
        known.extend(defining.iter().map(|it| it.0));
        let mut shown = self.readable(trail, &known);
        if shown.len() <= MOST_CONJUNCTS {
            let mut at = 0;
            while at < shown.len() {
                let others = self.without(trail, &shown, at, &known);
                match self.implied(&others, shown[at]) {
                    true => drop(shown.remove(at)),
                    false => at += 1,
                }
            }
        }
        // A result that is mentioned speaks for those that it was computed from.
        let (mut told_of, mut untold) = (shown.clone(), defining);
        loop {
            let before = untold.len();
            let told = |it: &(Term, Term)| told_of.iter().any(|&cond| mentions(terms, cond, it.1));
            let (found, rest): (Vec<_>, Vec<_>) = untold.into_iter().partition(told);
            untold = rest;
            told_of = found.into_iter().map(|it| it.0).collect();
            if untold.len() == before {
                break;
            }
        }
        let told = shown.len();
        for (cond, _) in untold {
            let before = self.without(trail, &shown, usize::MAX, given);
            if !self.implied(&before, cond) {
                shown.push(cond);
            }
        }
        // What was there first says less than what came after it.
        let mut at = told;
        while at < shown.len() {
            let others = self.without(trail, &shown, at, given);
            match self.implied(&others, shown[at]) {
                true => drop(shown.remove(at)),
                false => at += 1,
            }
        }
        shown
    }

    /// The conjuncts that no earlier ones imply, without the known ones: "pc remains unchanged for nonforking
    /// executions of IF statements" (King 1976, section 2), also where an assumption is what resolves them.
    fn new_information(&mut self, trail: &Trail, known: &[Term]) -> Vec<Term> {
        let mut before = Trail { witness: trail.witness.clone(), ..Trail::default() };
        let mut res = Vec::new();
        for cond in trail.condition.conjuncts() {
            let said = known.contains(&cond) || res.len() <= MOST_CONJUNCTS && self.implied(&before, cond);
            if !said {
                res.push(cond);
            }
            before.condition.assume(self.terms, cond);
        }
        res
    }

    /// `term` in a simpler form that is equal to it under φ.
    pub fn simplified(&mut self, trail: &Trail, term: Term) -> Term {
        let terms = self.terms;
        if !worth_deciding(terms, term) {
            return term;
        }
        let res = terms.rewrite(term, &mut |it| self.rule(trail, it));
        let res = plain(terms, res, &[]);
        // Only here are elements of updated arrays told by cases.
        let decided = self.arms_decided(trail, res, &mut Vec::new(), &mut { MOST_PARTS_IN_ARMS });
        if decided == res { res } else { plain(terms, decided, &[]) }
    }

    /// `term` without the conditions that φ and the conditions of the arms around them, `given`, decide: of a value by
    /// cases the last case, where φ says that there is no other.
    fn arms_decided(&mut self, trail: &Trail, term: Term, given: &mut Vec<Term>, left: &mut u32) -> Term {
        let terms = self.terms;
        let node = terms.node(term);
        if *left == 0 || !worth_deciding(terms, term) {
            return term;
        }
        *left -= 1;
        let Some((cond, then, other)) = self.cases(term) else {
            let mut arguments = Vec::new();
            node.for_each_argument(|it| arguments.push(it));
            let done: Vec<(Term, Term)> =
                arguments.into_iter().map(|it| (it, self.arms_decided(trail, it, given, left))).collect();
            let of = |it: Term| done.iter().find(|(was, _)| *was == it).map_or(it, |(_, is)| *is);
            return terms.with_arguments(term, &of);
        };
        let negated = terms.not(cond);
        // What φ alone decides is decided already.
        if !given.is_empty() {
            for (excluded, arm) in [(negated, then), (cond, other)] {
                let happens = terms.and_all(given.iter().copied().chain([excluded]));
                if self.check(trail, happens) == Answer::Unsat {
                    return self.arms_decided(trail, arm, given, left);
                }
            }
        }
        let mut arm = |engine: &mut Self, cond: Term, arm: Term| {
            given.push(cond);
            let res = engine.arms_decided(trail, arm, given, left);
            given.pop();
            res
        };
        let decided = (arm(self, cond, then), arm(self, negated, other));
        // An element stays one if nothing of it is decided.
        if decided == (then, other) { term } else { terms.ite(cond, decided.0, decided.1) }
    }

    /// A value by cases: the condition, and the value where it holds and elsewhere. An element of an updated array is one.
    fn cases(&self, term: Term) -> Option<(Term, Term, Term)> {
        let terms = self.terms;
        match *terms.node(term) {
            Node::Ite(cond, then, other) => Some((cond, then, other)),
            Node::Select(array, index) if !matches!(terms.sort(term), Sort::Array(_)) => match *terms.node(array) {
                Node::Store(inner, at, value) => {
                    let same = terms.eq(at, index);
                    terms.as_bool(same).is_none().then(|| (same, value, terms.select(inner, index)))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Each conjunct simplified under the others.
    fn decided(&mut self, trail: &Trail, mut conjuncts: Vec<Term>, known: &[Term]) -> Vec<Term> {
        let mut at = 0;
        while at < conjuncts.len() {
            let cond = conjuncts[at];
            let ways = disjuncts(self.terms, cond);
            let simpler = match ways.is_some() || worth_deciding(self.terms, cond) {
                true => {
                    let others = self.without(trail, &conjuncts, at, known);
                    let cond = ways.map_or(cond, |it| self.possible(&others, &it));
                    self.simplified(&others, cond)
                }
                false => cond,
            };
            if simpler == cond {
                at += 1;
                continue;
            }
            let mut parts = Vec::new();
            flatten(self.terms, simpler, &mut parts);
            let count = parts.len();
            conjuncts.splice(at..=at, parts);
            at += count;
        }
        conjuncts
    }

    /// The disjunction without what `trail` excludes, and without what the rest of it says already.
    fn possible(&mut self, trail: &Trail, ways: &[Term]) -> Term {
        let terms = self.terms;
        let mut kept: Vec<Term> = ways.iter().copied().filter(|&it| self.check(trail, it) != Answer::Unsat).collect();
        // φ is satisfiable, so that something is left, unless that was not found out.
        if kept.is_empty() {
            return terms.or_all(ways.to_vec());
        }
        let mut at = 0;
        while at < kept.len() && kept.len() > 1 {
            let others = kept.iter().enumerate().filter(|it| it.0 != at).map(|it| terms.not(*it.1));
            let alone = terms.and_all(others.chain([kept[at]]));
            match self.check(trail, alone) {
                Answer::Unsat => drop(kept.remove(at)),
                _ => at += 1,
            }
        }
        consecutive(terms, &kept).unwrap_or_else(|| terms.or_all(kept))
    }

    /// What no other conjuncts imply. The oldest are asked about first, since the newest say most.
    fn irredundant(&mut self, trail: &Trail, mut conjuncts: Vec<Term>) -> Vec<Term> {
        let mut at = 0;
        while at < conjuncts.len() {
            let others = self.without(trail, &conjuncts, at, &[]);
            let negated = self.terms.not(conjuncts[at]);
            if self.check(&others, negated) == Answer::Unsat {
                conjuncts.remove(at);
            } else {
                at += 1;
            }
        }
        conjuncts
    }

    /// The trail of all conjuncts but one, and of what is known. Its witness is that of φ, which satisfies less.
    fn without(&self, trail: &Trail, conjuncts: &[Term], at: usize, known: &[Term]) -> Trail {
        let mut condition = trail.condition.emptied();
        known.iter().for_each(|&it| condition.assume(self.terms, it));
        let others = conjuncts.iter().enumerate().filter(|it| it.0 != at);
        others.for_each(|(_, &it)| condition.assume(self.terms, it));
        Trail { condition, witness: trail.witness.clone(), ..Trail::default() }
    }

    /// Whether φ is known to imply `cond`.
    pub fn implied(&mut self, trail: &Trail, cond: Term) -> bool {
        let negated = self.terms.not(cond);
        self.check(trail, negated) == Answer::Unsat
    }

    fn rule(&mut self, trail: &Trail, term: Term) -> Option<Term> {
        let terms = self.terms;
        match *terms.node(term) {
            // match: (quot a #c), φ implies 0 <= a   result: the quotient with whole parts taken out
            Node::IntQuot(a, c) => self.quotient(trail, a, c),
            // match: (ite c a b), φ decides c   result: a or b
            Node::Ite(cond, then, other) => {
                if self.implied(trail, cond) {
                    return Some(then);
                }
                let negated = terms.not(cond);
                self.implied(trail, negated).then_some(other)
            }
            // match: (select (store a i v) j), φ decides i = j   result: v or (select a j)
            Node::Select(array, index) => {
                let mut below = array;
                while let Node::Store(inner, at, value) = *terms.node(below) {
                    let same = terms.eq(at, index);
                    let differ = terms.not(same);
                    if self.implied(trail, differ) {
                        below = inner;
                    } else if self.implied(trail, same) {
                        return Some(value);
                    } else {
                        break;
                    }
                }
                (below != array).then(|| terms.select(below, index))
            }
            _ => None,
        }
    }

    /// Euclidean and truncated quotients agree on what is not negative, and only the former takes whole parts out
    /// whatever the rest.
    fn quotient(&mut self, trail: &Trail, a: Term, c: Term) -> Option<Term> {
        let terms = self.terms;
        if terms.as_int(c).is_none_or(|it| it.sign() != num_bigint::Sign::Plus) {
            return None;
        }
        let apart = terms.int_div(a, c);
        let rest = remaining_quotient(terms, apart, c);
        if rest == Some(a) {
            return None;
        }
        if !self.implied(trail, terms.int_le(terms.int(0), a)) {
            return None;
        }
        match rest {
            None => Some(apart),
            Some(rest) if self.implied(trail, terms.int_le(terms.int(0), rest)) => {
                let whole = terms.int_sub(apart, terms.int_div(rest, c));
                Some(terms.int_add(whole, terms.int_quot(rest, c)))
            }
            Some(_) => None,
        }
    }
}

/// The dividend of the Euclidean quotient by `c` that is left in a sum.
fn remaining_quotient(terms: &Terms, sum: Term, c: Term) -> Option<Term> {
    let quotient = |it: Term| match *terms.node(it) {
        Node::IntDiv(a, by) if by == c => Some(a),
        _ => None,
    };
    match terms.node(sum) {
        Node::IntPoly(poly) => poly.monomials.iter().find_map(|(_, monomial)| match &monomial[..] {
            [(it, 1)] => quotient(*it),
            _ => None,
        }),
        _ => quotient(sum),
    }
}

/// The conditions as a person would say them, by what is seen without a solver.
pub fn plainly(terms: &Terms, conjuncts: Vec<Term>) -> Vec<Term> {
    if conjuncts.len() > MOST_CONJUNCTS {
        return conjuncts;
    }
    // What one becomes may say more than those before it.
    let once = plain_conjuncts(terms, &conjuncts);
    if once == conjuncts { once } else { plain_conjuncts(terms, &once) }
}

/// Conditions on one line; a disjunction among several stands in parentheses.
pub fn conjunction(conjuncts: &[impl AsRef<str>]) -> String {
    match conjuncts {
        [] => "true".to_owned(),
        [only] => only.as_ref().to_owned(),
        several => several.iter().map(|it| operand(it.as_ref())).collect::<Vec<_>>().join(" & "),
    }
}

/// A condition as a part of a conjunction: in parentheses, if it is a disjunction.
pub fn operand(text: &str) -> String {
    if binds_less(text) { format!("({text})") } else { text.to_owned() }
}

/// Whether there is a connective other than `&` outside of all parentheses.
fn binds_less(text: &str) -> bool {
    let mut depth = 0;
    text.char_indices().any(|(at, it)| {
        depth += i32::from(matches!(it, '(' | '[')) - i32::from(matches!(it, ')' | ']'));
        depth == 0 && [" ∨ ", " | ", " ⊃ ", " ∧ "].iter().any(|sign| text[at..].starts_with(sign))
    }) || text.starts_with(['∀', '∃'])
}

/// The conjuncts with two bounds of one term, where they stand beside each other, as one.
pub fn paired(terms: &Terms, conjuncts: &[Term]) -> Vec<Term> {
    let mut res = Vec::with_capacity(conjuncts.len());
    let mut rest = conjuncts.iter().copied().peekable();
    while let Some(it) = rest.next() {
        match rest.next_if(|&next| is_between(terms, it, next)) {
            Some(other) => res.push(terms.and(it, other)),
            None => res.push(it),
        }
    }
    res
}

/// What a condition is a disjunction of, if it is one of a few.
fn disjuncts(terms: &Terms, cond: Term) -> Option<Vec<Term>> {
    let res: Vec<Term> = match terms.node(cond) {
        Node::Or(args) => args.to_vec(),
        Node::Not(inner) => match terms.node(*inner) {
            Node::And(args) => args.iter().map(|&it| terms.not(it)).collect(),
            _ => return None,
        },
        _ => return None,
    };
    (res.len() <= MOST_DISJUNCTS).then_some(res)
}

/// A number is one of at least three that follow each other: it is between the first and the last.
fn consecutive(terms: &Terms, ways: &[Term]) -> Option<Term> {
    let mut numbers = Vec::with_capacity(ways.len());
    let mut number = None;
    for &way in ways {
        let Node::Eq(a, b) = *terms.node(way) else { return None };
        let (of, value) = match (terms.as_int(a), terms.as_int(b)) {
            (None, Some(value)) => (a, value),
            (Some(value), None) => (b, value),
            _ => return None,
        };
        if number.is_some_and(|it| it != of) {
            return None;
        }
        number = Some(of);
        numbers.push(value.clone());
    }
    numbers.sort();
    let (first, last) = (numbers.first()?.clone(), numbers.last()?.clone());
    let follow = numbers.windows(2).all(|it| &it[0] + 1u32 == it[1]);
    let between = |of: Term| terms.and(terms.int_le(terms.int(first), of), terms.int_le(of, terms.int(last)));
    (follow && numbers.len() >= 3).then(|| number.map(between)).flatten()
}

/// Whether `part` is a part of `term`.
fn mentions(terms: &Terms, term: Term, part: Term) -> bool {
    let mut work = vec![term];
    let mut seen = std::collections::BTreeSet::new();
    while let Some(next) = work.pop() {
        if next == part {
            return true;
        }
        terms.node(next).for_each_argument(|it| {
            if seen.insert(it) {
                work.push(it);
            }
        });
    }
    false
}

/// Whether there is anything in a term that φ could decide.
fn worth_deciding(terms: &Terms, term: Term) -> bool {
    let mut work = vec![term];
    let mut seen = std::collections::BTreeSet::new();
    while let Some(next) = work.pop() {
        match terms.node(next) {
            Node::IntQuot(..) | Node::Ite(..) => return true,
            Node::Select(array, _) if matches!(terms.node(*array), Node::Store(..)) => return true,
            Node::Quantifier(_) => {}
            node => node.for_each_argument(|it| {
                if seen.insert(it) {
                    work.push(it);
                }
            }),
        }
    }
    false
}

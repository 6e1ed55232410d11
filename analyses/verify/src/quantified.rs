//! Quantified permissions: `forall x: T :: c(x) ==> acc(e(x).f, p(x))`, and the same of predicates.
//!
//! Knows: the conjuncts of a quantified assertion, and how one is evaluated for variables of which nothing is known but
//! its conditions. Never: where the permissions go (`produce`, `consume`), what is held (`locations`).
//! Source: Müller, Schwerhoff, Summers, "Automatic Verification of Iterative Separating Conjunctions using Symbolic
//! Execution" (CAV 2016): a chunk says for each receiver what is held; inverse functions say which instance a receiver
//! belongs to.
//!
//! What is held of a receiver `r` is `c(i) ∧ e(i) = r ? p(i) : none`, where `i = inverse(r)`. Of the inverse it is known
//! that it finds `x` from `e(x)`, wherever `c(x)` holds and `p(x)` is positive: that is so because `e` is injective there,
//! which is checked. So the permissions that are held are right also where nobody can tell what the inverse is.

mod consume;
mod inverse;
mod locations;
mod produce;
mod snapshots;

use crate::machine::{Machine, Res, Scene};
use crate::state::Give;
use effigy_contracts::program::{BinaryOp, Exp, ExpKind, Quantified, Span, VarId};
use effigy_heap::heap::{Amount, Resource};
use effigy_heap::vocabulary::substituted;
use effigy_term::{Symbol, Term};

/// What stands between the assertion and one of its conjuncts.
#[derive(Clone, Copy, Debug)]
enum Step<'a> {
    /// A quantifier.
    Bind(&'a Quantified),
    /// The condition of an implication or a conditional, and whether it holds there.
    Under(&'a Exp, bool),
    /// `let x == (e) in`.
    Let(VarId, &'a Exp),
}

/// A conjunct of a quantified assertion: a permission, or a pure formula.
#[derive(Clone, Debug)]
pub(crate) struct Conjunct<'a> {
    path: Vec<Step<'a>>,
    exp: &'a Exp,
}

/// A quantified permission, evaluated for some values of the variables.
#[derive(Clone, Debug)]
struct Access {
    /// The variables that are bound.
    bound: Vec<Symbol>,
    /// The condition under which the permission is spoken of.
    guard: Term,
    resource: Resource,
    /// The object, or the arguments of the predicate.
    args: Vec<Term>,
    amount: Amount,
    /// That the amount is positive.
    any: Term,
    /// That the inverse functions find the variables from the arguments.
    inverse: Term,
    /// Where the location stands.
    culprit: Span,
}

/// The reason why a quantified assertion is not supported.
type Refusal = (&'static str, Span);

/// The conjuncts of a quantified assertion, in order. `exhaled`: of `[a, b]` it is `b` that is meant.
pub(crate) fn conjuncts(exp: &Exp, exhaled: bool) -> Result<Vec<Conjunct<'_>>, Refusal> {
    let mut res = Vec::new();
    collect(exp, exhaled, &mut Vec::new(), &mut res)?;
    Ok(res)
}

fn collect<'a>(
    exp: &'a Exp,
    exhaled: bool,
    path: &mut Vec<Step<'a>>,
    out: &mut Vec<Conjunct<'a>>,
) -> Result<(), Refusal> {
    if exp.is_pure() {
        out.push(Conjunct { path: path.clone(), exp });
        return Ok(());
    }
    let mut inside = |step: Step<'a>, exp: &'a Exp| {
        path.push(step);
        let res = collect(exp, exhaled, path, out);
        path.pop();
        res
    };
    match &*exp.kind {
        ExpKind::Binary(BinaryOp::And, left, right) => {
            collect(left, exhaled, path, out)?;
            collect(right, exhaled, path, out)
        }
        ExpKind::Binary(BinaryOp::Implies, cond, then) => inside(Step::Under(cond, true), then),
        ExpKind::Cond(cond, then, other) => {
            inside(Step::Under(cond, true), then)?;
            inside(Step::Under(cond, false), other)
        }
        ExpKind::Let(variable, value, body) => inside(Step::Let(*variable, value), body),
        ExpKind::Quantified(it) if it.universal => inside(Step::Bind(it), &it.body),
        ExpKind::InhaleExhale(a, b) => collect(if exhaled { b } else { a }, exhaled, path, out),
        ExpKind::AccField(..) | ExpKind::AccPredicate(_) => {
            out.push(Conjunct { path: path.clone(), exp });
            Ok(())
        }
        _ => Err(("quantified permissions of this form", exp.span)),
    }
}

impl<'a> Machine<'a, '_> {
    /// Evaluates `leaf` where a conjunct stands, in the scope of its conditions; `None` where they contradict what is
    /// known. The variables are added to `bound`.
    fn along<T>(
        &mut self,
        scene: &Scene<'_, 'a>,
        path: &[Step<'a>],
        guard: Term,
        bound: &mut Vec<Symbol>,
        leaf: &mut dyn FnMut(&mut Self, &Scene<'_, 'a>, Term) -> Res<T>,
    ) -> Res<Option<T>> {
        let Some((step, rest)) = path.split_first() else { return leaf(self, scene, guard).map(Some) };
        match *step {
            Step::Bind(quantified) => {
                let mut env = scene.env.clone();
                for &variable in &quantified.variables {
                    let Some(info) = scene.env.table.get(variable.index()) else {
                        return self.unsupported("a bound variable without a type", quantified.body.span);
                    };
                    let typ = substituted(&info.typ, &scene.env.types);
                    let sort = self.vocabulary.sort(self.terms, &typ);
                    let symbol = self.fresh_bound(&info.name, sort);
                    env.set(variable, self.terms.of_symbol(symbol));
                    self.bound.push(symbol);
                    bound.push(symbol);
                }
                self.along(&Scene { env: &env, ..*scene }, rest, guard, bound, leaf)
            }
            Step::Under(cond, side) => {
                let holds = self.eval(scene, cond)?;
                let holds = if side { holds } else { self.terms.not(holds) };
                if self.terms.as_bool(holds) == Some(false) {
                    return Ok(None);
                }
                let guard = self.terms.and(guard, holds);
                let res = self.under(holds, &mut |it| it.along(scene, rest, guard, bound, leaf))?;
                Ok(res.flatten())
            }
            Step::Let(variable, value) => {
                let value = self.eval(scene, value)?;
                let mut env = scene.env.clone();
                env.set(variable, value);
                self.along(&Scene { env: &env, ..*scene }, rest, guard, bound, leaf)
            }
        }
    }

    /// Evaluates `leaf` where a conjunct stands, for variables of which nothing is known. What is learnt on the way is
    /// assumed for all of them.
    fn for_any<T>(
        &mut self,
        scene: &Scene<'_, 'a>,
        conjunct: &Conjunct<'a>,
        leaf: &mut dyn FnMut(&mut Self, &Scene<'_, 'a>, Term) -> Res<T>,
    ) -> Res<(Option<T>, Vec<Symbol>)> {
        let depth = self.bound.len();
        let mut bound = Vec::new();
        self.push();
        let truth = self.terms.bool(true);
        let res = self.along(scene, &conjunct.path, truth, &mut bound, leaf);
        let learnt = self.pop();
        self.bound.truncate(depth);
        let res = res?;
        self.assume_for_all(&bound, learnt);
        Ok((res, bound))
    }

    /// A pure conjunct: that it holds for all values of its variables.
    fn pure_conjunct(&mut self, scene: &Scene<'_, 'a>, conjunct: &Conjunct<'a>) -> Res<Term> {
        let (formula, bound) = self.for_any(scene, conjunct, &mut |machine, scene, guard| {
            let formula = machine.eval(scene, conjunct.exp)?;
            Ok(machine.terms.implies(guard, formula))
        })?;
        Ok(match formula {
            Some(formula) => self.for_all(&bound, formula),
            None => self.terms.bool(true),
        })
    }

    /// A permission for any values of its variables; `None` if there are none for which it is spoken of.
    fn access(
        &mut self,
        scene: &Scene<'_, 'a>,
        conjunct: &Conjunct<'a>,
        scale: Option<Amount>,
        give: Give,
    ) -> Res<Option<Access>> {
        let (access, bound) = self.for_any(scene, conjunct, &mut |machine, scene, guard| {
            let (resource, args, perm, culprit) = match &*conjunct.exp.kind {
                ExpKind::AccField(object, field, perm) => {
                    let args = vec![machine.eval(scene, object)?];
                    (Resource::Field(*field), args, perm.as_ref(), machine.location(object.span, *field))
                }
                ExpKind::AccPredicate(it) => {
                    let args = machine.eval_all(scene, &it.args)?;
                    (Resource::Predicate(it.predicate), args, it.perm.as_deref(), it.span)
                }
                _ => return machine.unsupported("quantified permissions of this form", conjunct.exp.span),
            };
            let amount = machine.amount(scene, perm, give)?;
            let amount = machine.scaled(amount, scale);
            let any = machine.has_any(amount.term);
            let inverse = machine.terms.bool(true);
            Ok(Access { bound: Vec::new(), guard, resource, args, amount, any, inverse, culprit })
        })?;
        Ok(access.map(|it| Access { bound, ..it }))
    }

    /// A term about any values of the variables, about these.
    fn at_values(&self, term: Term, bound: &[Symbol], values: &[Term]) -> Term {
        self.terms.substitute(term, &mut |symbol| {
            let at = bound.iter().position(|it| *it == symbol)?;
            values.get(at).copied()
        })
    }

    /// Names for values of the variables of which nothing is known.
    fn some_values(&mut self, bound: &[Symbol]) -> Vec<Term> {
        bound.iter().map(|&it| self.fresh_unnoted("some", self.terms.symbol_info(it).sort)).collect()
    }

    /// A fact about all values of an access's variables, found by its arguments where those can be a trigger.
    fn for_each_instance(&mut self, access: &Access, fact: Term) -> Term {
        let trigger: Vec<Term> = access.args.iter().copied().filter(|&it| self.is_plain_application(it)).collect();
        let said = |symbol: &Symbol| trigger.iter().any(|&it| self.terms.symbols(it).contains(symbol));
        if !trigger.is_empty() && access.bound.iter().all(said) {
            return self.terms.forall(&access.bound, &[trigger], fact);
        }
        self.for_all(&access.bound, fact)
    }
}

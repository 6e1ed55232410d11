//! Which of an operator's meanings fits its arguments.
//!
//! Knows: signatures, how to try them one after the other. Never: names, scopes.
//! Source: `unifySequenceWithSubstitutions` in silver's `Resolver.scala`: the first signature that fits is preferred, but
//! what surrounds the expression may ask for another; a signature for assertions counts only if none for truth values
//! fits.

use super::checker::{Checker, InferredNode};
use super::tree::{Node, Op};
use super::types::{Steps, Ty, UnifierMark, Unknown};
use crate::ast::{BinaryOp, Span, UnaryOp};

/// A meaning of an operator.
pub struct Meaning {
    /// What each argument has to be; `None` is anything.
    pub parameters: Vec<Option<Ty>>,
    pub result: Ty,
}

/// No expression has more possible types, as far as we look.
const MAX_CHOICES: usize = 32;
/// So often an argument is tried with a parameter, for one expression.
const MAX_TRIES: usize = 2_000;
/// No type has more parts: `let b == (Map(a := a)) in let c == (Map(b := b)) in ...` doubles it every time.
const MAX_TYPE_SIZE: usize = 1_000;

struct Search<'s, 'a> {
    args: &'s [InferredNode<'a>],
    wanted: Option<&'s Ty>,
    horizon: Unknown,
    start: UnifierMark,
    found: Vec<OverloadMatch>,
    tries: usize,
    /// The last argument that some meaning came to, and what was wrong there.
    furthest: usize,
    mismatch: Option<(Ty, Ty)>,
}

struct OverloadMatch {
    result: Ty,
    steps: Steps,
    /// What it says about unknowns outside of the expression.
    outside: Vec<(Unknown, Ty)>,
}

impl<'a> Checker<'_, 'a> {
    /// The operation with these arguments, of which none is an error; with the type `wanted` if it is written there.
    pub fn apply(
        &mut self,
        op: Op<'a>,
        args: Vec<InferredNode<'a>>,
        meanings: Vec<Meaning>,
        (span, horizon): (Span, Unknown),
        wanted: Option<&Ty>,
    ) -> InferredNode<'a> {
        let start = self.unifier.mark();
        let (found, tries) = (Vec::new(), 0);
        let mut search = Search { args: &args, wanted, horizon, start, found, tries, furthest: 0, mismatch: None };
        for meaning in &meanings {
            self.search(&mut search, meaning, 0);
        }
        let Search { mut found, furthest, mismatch, tries, .. } = search;
        if found.is_empty() {
            let at = args.get(furthest).map_or(span, |it| it.node.span);
            let message = match mismatch {
                Some((actual, wanted)) => {
                    format!("found {}, expected {}", actual.show(self.table), wanted.show(self.table))
                }
                None if tries >= MAX_TRIES => "there are too many arguments to find their types".to_owned(),
                None => "type error".to_owned(),
            };
            self.error(at, message);
            return InferredNode { node: Node::error(span), choices: Vec::new() };
        }
        let args = args.into_iter().map(|it| it.node).collect();
        if found.len() == 1 {
            let OverloadMatch { result, steps, .. } = found.swap_remove(0);
            self.unifier.apply(&steps);
            if result.is_larger(&mut MAX_TYPE_SIZE.clone()) {
                self.error(span, "the type is too large");
                return InferredNode { node: Node::error(span), choices: Vec::new() };
            }
            return InferredNode { node: Node { op, args, ty: result, span }, choices: Vec::new() };
        }
        let ty = self.unifier.fresh();
        let mut choices = Vec::new();
        for OverloadMatch { result, steps, .. } in found {
            self.unifier.apply(&steps);
            self.unifier.equal(&ty, &result);
            choices.push(self.unifier.since(start));
            self.unifier.undo(start);
        }
        InferredNode { node: Node { op, args, ty, span }, choices }
    }

    fn search(&mut self, search: &mut Search<'_, 'a>, meaning: &Meaning, idx: usize) {
        let args = search.args;
        let Some(arg) = args.get(idx) else {
            self.record(search, meaning);
            return;
        };
        let nothing: [Steps; 1] = [[].into()];
        for steps in if arg.choices.is_empty() { &nothing } else { &arg.choices[..] } {
            search.tries += 1;
            if search.tries > MAX_TRIES || search.found.len() >= MAX_CHOICES {
                return;
            }
            let mark = self.unifier.mark();
            let possible = self.unifier.apply(steps);
            let parameter = meaning.parameters.get(idx).and_then(|it| it.as_ref());
            if possible && parameter.is_none_or(|it| self.unifier.fits(&arg.node.ty, it)) {
                self.search(search, meaning, idx + 1);
            } else if idx >= search.furthest {
                self.unifier.undo(mark);
                if idx > search.furthest || search.mismatch.is_none() {
                    let parameter = parameter.cloned().unwrap_or(Ty::Error);
                    search.mismatch = Some((self.unifier.whole(&arg.node.ty), self.unifier.whole(&parameter)));
                }
                search.furthest = idx;
            }
            self.unifier.undo(mark);
        }
    }

    fn record(&mut self, search: &mut Search<'_, 'a>, meaning: &Meaning) {
        let mark = self.unifier.mark();
        if let Some(wanted) = search.wanted
            && !self.unifier.equal(&meaning.result, wanted)
        {
            self.unifier.undo(mark);
            search.furthest = search.args.len();
            search.mismatch = Some((self.unifier.whole(&meaning.result), wanted.clone()));
            return;
        }
        let steps = self.unifier.since(search.start);
        let result = self.unifier.whole(&meaning.result);
        let older = steps.iter().filter(|(unknown, _)| *unknown < search.horizon);
        let outside: Vec<_> = older.map(|(unknown, ty)| (*unknown, self.unifier.whole(ty))).collect();
        self.unifier.undo(mark);
        let covers = |it: &OverloadMatch| {
            let same = it.result == result || it.result == Ty::Bool && result == Ty::Impure;
            let better = it.result == Ty::Instance && result == Ty::Impure;
            (same || better) && it.outside == outside
        };
        if !search.found.iter().any(covers) {
            search.found.push(OverloadMatch { result, steps, outside });
        }
    }

    /// What an operator with two operands can mean.
    pub fn binary(&mut self, op: BinaryOp) -> Vec<Meaning> {
        use BinaryOp::*;
        let (int, perm, bool, impure) = (Ty::Int, Ty::Perm, Ty::Bool, Ty::Impure);
        match op {
            Iff | Or => vec![Meaning::new([&bool, &bool], &bool)],
            And => vec![Meaning::new([&bool, &bool], &bool), Meaning::new([&impure, &impure], &impure)],
            Implies => vec![Meaning::new([&bool, &bool], &bool), Meaning::new([&bool, &impure], &impure)],
            Wand => vec![Meaning::new([&impure, &impure], &Ty::Wand)],
            Eq | Ne => {
                let any = self.unifier.fresh();
                vec![Meaning::new([&any, &any], &bool)]
            }
            Le | Ge | Lt | Gt => vec![Meaning::new([&perm, &perm], &bool), Meaning::new([&int, &int], &bool)],
            Add | Sub => vec![Meaning::new([&perm, &perm], &perm), Meaning::new([&int, &int], &int)],
            IntDiv | Mod => vec![Meaning::new([&int, &int], &int)],
            Mul => vec![
                Meaning::new([&perm, &perm], &perm),
                Meaning::new([&int, &perm], &perm),
                Meaning::new([&perm, &int], &perm),
                Meaning::new([&int, &int], &int),
            ],
            Div => vec![
                Meaning::new([&perm, &perm], &perm),
                Meaning::new([&perm, &int], &perm),
                Meaning::new([&int, &int], &perm),
                Meaning::new([&int, &int], &int),
            ],
            In => {
                let (element, value) = (self.unifier.fresh(), self.unifier.fresh());
                vec![
                    Meaning::new([&element, &Ty::set(element.clone())], &bool),
                    Meaning::new([&element, &Ty::seq(element.clone())], &bool),
                    Meaning::new([&element, &Ty::multiset(element.clone())], &int),
                    Meaning::new([&element, &Ty::map(element.clone(), value)], &bool),
                ]
            }
            Append => {
                let seq = Ty::seq(self.unifier.fresh());
                vec![Meaning::new([&seq, &seq], &seq)]
            }
            Union | Intersection | Setminus | Subset => {
                let element = self.unifier.fresh();
                let meaning = |it: Ty| Meaning::new([&it, &it], if op == Subset { &Ty::Bool } else { &it });
                vec![meaning(Ty::set(element.clone())), meaning(Ty::multiset(element))]
            }
        }
    }
}

impl Meaning {
    pub fn new<'p>(parameters: impl IntoIterator<Item = &'p Ty>, result: &Ty) -> Meaning {
        Meaning { parameters: parameters.into_iter().cloned().map(Some).collect(), result: result.clone() }
    }

    /// What an operator with one operand can mean.
    pub fn unary(op: UnaryOp) -> Vec<Meaning> {
        match op {
            UnaryOp::Not => vec![Meaning::new([&Ty::Bool], &Ty::Bool)],
            UnaryOp::Neg => vec![Meaning::new([&Ty::Perm], &Ty::Perm), Meaning::new([&Ty::Int], &Ty::Int)],
        }
    }
}

impl Ty {
    /// Whether it has more parts than are left.
    fn is_larger(&self, left: &mut usize) -> bool {
        if *left == 0 {
            return true;
        }
        *left -= 1;
        match self {
            Ty::Seq(a) | Ty::Set(a) | Ty::Multiset(a) => a.is_larger(left),
            Ty::Map(a, b) => a.is_larger(left) || b.is_larger(left),
            Ty::Domain(_, args) | Ty::Adt(_, args) => args.iter().any(|it| it.is_larger(left)),
            _ => false,
        }
    }
}

//! Expressions and assertions for the verifier.
//!
//! Knows: which operation an operator is, by its operands' types. Never: statements, members.

use super::{Emitter, adt, unsupported};
use crate::ast::{self, BinaryOp};
use crate::check::tree::{Node, Op};
use crate::check::types::Ty;
use effigy_contracts::program::{
    self as heap, CollectionOp, Exp, ExpKind, ForPerm, ForPermResource, PredicateUse, Quantified,
};
use std::sync::Arc;

impl<'a> Emitter<'_, 'a> {
    pub fn exp(&mut self, node: &Node<'a>) -> Exp {
        let unknown = self.unknown_type(&node.ty);
        let typ = self.typ(&node.ty).unwrap_or(heap::Type::Ref);
        match unknown.map_or_else(|| self.kind(node), Err) {
            Ok(kind) => Exp::new(kind, typ, node.span),
            Err(what) => unsupported(what, typ, node.span),
        }
    }

    /// What it is for the verifier, or what in it the verifier does not know.
    fn kind(&mut self, node: &Node<'a>) -> Result<ExpKind, &'static str> {
        let args = &node.args;
        Ok(match &node.op {
            Op::Int(it) => ExpKind::Int((*it).clone()),
            Op::Bool(it) => ExpKind::Bool(*it),
            Op::Null => ExpKind::Null,
            Op::NoPerm => ExpKind::NoPerm,
            Op::Write => ExpKind::FullPerm,
            Op::Wildcard => ExpKind::Wildcard,
            Op::Epsilon => return Err("epsilon permissions"),
            Op::Result => ExpKind::Result,
            Op::Var(id) => ExpKind::Var(self.here(*id)),
            Op::Function(id) => {
                let check = self.at_application(*id, args, node.span);
                self.checked(check, node, |it| ExpKind::Call(*id, it.exps(args)))
            }
            Op::DomainFunction(id, types) => {
                let domain = self.table.domain_functions[id.index()].domain;
                if self.table.domains[domain.index()].interpretations.is_some() {
                    return Err("interpreted domains");
                }
                let types = types.iter().map(|it| self.typ(it)).collect::<Option<_>>().ok_or("this type")?;
                ExpKind::DomainCall(*id, self.exps(args), types)
            }
            Op::Reveal => {
                let applied = &args[0];
                let check = match applied.op {
                    Op::Function(id) => self.at_application(id, &applied.args, applied.span),
                    _ => None,
                };
                self.checked(check, node, |it| {
                    let call = match applied.op {
                        Op::Function(id) => {
                            let typ = it.typ(&applied.ty).unwrap_or(heap::Type::Ref);
                            Exp::new(ExpKind::Call(id, it.exps(&applied.args)), typ, applied.span)
                        }
                        _ => it.exp(applied),
                    };
                    ExpKind::Reveal(call)
                })
            }
            Op::Predicate(_) | Op::Acc => return self.access(node),
            Op::Field(id) => ExpKind::Field(self.exp(&args[0]), *id),
            Op::Constructor(id) => {
                let types = self.type_arguments(&node.ty)?;
                ExpKind::DomainCall(adt::constructor(self.table, *id), self.exps(args), types)
            }
            Op::Destructor(it) => {
                let types = self.type_arguments(&args[0].ty)?;
                ExpKind::DomainCall(adt::destructor(self.table, *it), self.exps(args), types)
            }
            Op::Discriminator(id) => {
                let types = self.type_arguments(&args[0].ty)?;
                adt::discriminator(self.table, *id, self.exp(&args[0]), types)
            }
            Op::Measure => return Err("predicate instances"),
            Op::Unary(op) => {
                let op = match op {
                    ast::UnaryOp::Not => heap::UnaryOp::Not,
                    ast::UnaryOp::Neg => heap::UnaryOp::Neg,
                };
                ExpKind::Unary(op, self.exp(&args[0]))
            }
            Op::Binary(op) => return self.binary(*op, node),
            Op::Cond => ExpKind::Cond(self.exp(&args[0]), self.exp(&args[1]), self.exp(&args[2])),
            Op::Perm => match args[0].op {
                Op::Field(id) => ExpKind::PermField(self.exp(&args[0].args[0]), id),
                Op::Predicate(id) => ExpKind::PermPredicate(id, self.exps(&args[0].args)),
                _ => return Err("magic wands"),
            },
            Op::Old => ExpKind::Old(None, self.exp(&args[0])),
            Op::OldLabel(name) => {
                let label = self.labels.get(&name.text).ok_or("this label")?;
                ExpKind::Old(Some(label), self.exp(&args[0]))
            }
            Op::OldLhs | Op::Applying => return Err("magic wands"),
            Op::Quantified { universal, variables, triggers } => {
                let variables: Vec<_> = variables.iter().map(|(id, _)| self.here(*id)).collect();
                self.bound(&variables)?;
                // A trigger is a pattern: nothing is applied in it.
                let caller = self.caller.take();
                let triggers = triggers.iter().map(|it| self.exps(&it.exps)).collect();
                self.caller = caller;
                let body = self.exp(&args[0]);
                ExpKind::Quantified(Box::new(Quantified { universal: *universal, variables, triggers, body }))
            }
            Op::ForPerm(variables) => {
                let variables: Vec<_> = variables.iter().map(|it| self.here(*it)).collect();
                self.bound(&variables)?;
                let resource = match args[0].op {
                    Op::Field(id) => ForPermResource::Field(id),
                    Op::Predicate(id) => ForPermResource::Predicate(id),
                    _ => return Err("magic wands"),
                };
                let (args, body) = (self.exps(&args[0].args), self.exp(&args[1]));
                ExpKind::ForPerm(Box::new(ForPerm { variables, resource, args, body }))
            }
            Op::Let(id) => ExpKind::Let(self.here(*id), self.exp(&args[0]), self.exp(&args[1])),
            Op::Unfolding => {
                let of = self.predicate_use(&args[0]).ok_or("this unfolding")?;
                ExpKind::Unfolding(of, self.exp(&args[1]))
            }
            Op::Asserting => ExpKind::Asserting(self.exp(&args[0]), self.exp(&args[1])),
            Op::InhaleExhale => ExpKind::InhaleExhale(self.exp(&args[0]), self.exp(&args[1])),
            Op::Error => return Err("this expression"),
            _ => return self.collection(node),
        })
    }

    fn typ(&self, ty: &Ty) -> Option<heap::Type> {
        adt::typ(self.table, ty)
    }

    /// What the type variables of a value's ADT stand for.
    fn type_arguments(&self, ty: &Ty) -> Result<Arc<[heap::Type]>, &'static str> {
        let Ty::Adt(_, args) = ty else { return Err("this type") };
        args.iter().map(|it| self.typ(it)).collect::<Option<_>>().ok_or("this type")
    }

    /// An expression behind a check, if there is one.
    fn checked(&mut self, check: Option<Exp>, node: &Node<'a>, kind: impl FnOnce(&mut Self) -> ExpKind) -> ExpKind {
        let kind = kind(self);
        match check {
            Some(check) => {
                let typ = self.typ(&node.ty).unwrap_or(heap::Type::Ref);
                ExpKind::Asserting(check, Exp::new(kind, typ, node.span))
            }
            None => kind,
        }
    }

    fn bound(&self, variables: &[heap::VarId]) -> Result<(), &'static str> {
        let unknown = variables.iter().find_map(|it| self.unknown_variables.get(it));
        unknown.map_or(Ok(()), |it| Err(*it))
    }

    fn access(&mut self, node: &Node<'a>) -> Result<ExpKind, &'static str> {
        if let Some(of) = self.predicate_use(node) {
            return Ok(ExpKind::AccPredicate(of));
        }
        let location = &node.args[0];
        let Op::Field(id) = location.op else { return Err("this access") };
        let perm = node.args.get(1).map(|it| self.exp(it));
        Ok(ExpKind::AccField(self.exp(&location.args[0]), id, perm))
    }

    /// Translates a predicate instance, `P(e)` or `acc(P(e), p)`; `None` if it is neither.
    pub fn predicate_use(&mut self, node: &Node<'a>) -> Option<PredicateUse> {
        let (location, perm) = match node.op {
            Op::Acc => (&node.args[0], node.args.get(1)),
            _ => (node, None),
        };
        let Op::Predicate(predicate) = location.op else { return None };
        let perm = perm.map(|it| Box::new(self.exp(it)));
        Some(PredicateUse { predicate, args: self.exps(&location.args), perm, span: node.span })
    }

    fn binary(&mut self, op: BinaryOp, node: &Node<'a>) -> Result<ExpKind, &'static str> {
        let (left, right) = (&node.args[0], &node.args[1]);
        let of_set = matches!(right.ty, Ty::Set(_));
        let op = match op {
            BinaryOp::Wand => return Err("magic wands"),
            BinaryOp::Iff => heap::BinaryOp::Iff,
            BinaryOp::Implies => heap::BinaryOp::Implies,
            BinaryOp::Or => heap::BinaryOp::Or,
            BinaryOp::And => heap::BinaryOp::And,
            BinaryOp::Eq => heap::BinaryOp::Eq,
            BinaryOp::Ne => heap::BinaryOp::Ne,
            BinaryOp::Le => heap::BinaryOp::Le,
            BinaryOp::Ge => heap::BinaryOp::Ge,
            BinaryOp::Lt => heap::BinaryOp::Lt,
            BinaryOp::Gt => heap::BinaryOp::Gt,
            BinaryOp::Add => heap::BinaryOp::Add,
            BinaryOp::Sub => heap::BinaryOp::Sub,
            BinaryOp::Mul => heap::BinaryOp::Mul,
            BinaryOp::Div if node.ty == Ty::Perm => heap::BinaryOp::PermDiv,
            BinaryOp::Div | BinaryOp::IntDiv => heap::BinaryOp::Div,
            BinaryOp::Mod => heap::BinaryOp::Mod,
            BinaryOp::In => {
                let op = match right.ty {
                    Ty::Seq(_) => CollectionOp::SeqContains,
                    Ty::Set(_) => CollectionOp::SetContains,
                    Ty::Multiset(_) => CollectionOp::MultisetCount,
                    _ => CollectionOp::MapContains,
                };
                return Ok(ExpKind::Collection(op, vec![self.exp(left), self.exp(right)]));
            }
            BinaryOp::Append | BinaryOp::Union | BinaryOp::Intersection | BinaryOp::Setminus | BinaryOp::Subset => {
                let op = match (op, of_set) {
                    (BinaryOp::Append, _) => CollectionOp::SeqAppend,
                    (BinaryOp::Union, true) => CollectionOp::SetUnion,
                    (BinaryOp::Union, false) => CollectionOp::MultisetUnion,
                    (BinaryOp::Intersection, true) => CollectionOp::SetIntersection,
                    (BinaryOp::Intersection, false) => CollectionOp::MultisetIntersection,
                    (BinaryOp::Setminus, true) => CollectionOp::SetDifference,
                    (BinaryOp::Setminus, false) => CollectionOp::MultisetDifference,
                    (_, true) => CollectionOp::SetSubset,
                    (_, false) => CollectionOp::MultisetSubset,
                };
                return Ok(ExpKind::Collection(op, vec![self.exp(left), self.exp(right)]));
            }
        };
        Ok(ExpKind::Binary(op, self.exp(left), self.exp(right)))
    }

    fn collection(&mut self, node: &Node<'a>) -> Result<ExpKind, &'static str> {
        let args = &node.args;
        if let Op::Slice { from, to } = node.op {
            return Ok(self.slice(node, from, to));
        }
        let of = args.first().map(|it| &it.ty);
        let op = match (&node.op, of) {
            (Op::Index, Some(Ty::Seq(_))) => CollectionOp::SeqIndex,
            (Op::Index, _) => CollectionOp::MapLookup,
            (Op::Update, Some(Ty::Seq(_))) => CollectionOp::SeqUpdate,
            (Op::Update, _) => CollectionOp::MapUpdate,
            (Op::Range, _) => CollectionOp::SeqRange,
            (Op::Size, Some(Ty::Seq(_))) => CollectionOp::SeqLength,
            (Op::Size, Some(Ty::Set(_))) => CollectionOp::SetCardinality,
            (Op::Size, Some(Ty::Multiset(_))) => CollectionOp::MultisetCardinality,
            (Op::Size, _) => CollectionOp::MapCardinality,
            (Op::MapDomain, _) => CollectionOp::MapDomain,
            (Op::MapRange, _) => CollectionOp::MapRange,
            (Op::Map, _) => CollectionOp::MapLiteral,
            (Op::Collection(ast::Collection::Seq), _) => CollectionOp::SeqLiteral,
            (Op::Collection(ast::Collection::Set), _) => CollectionOp::SetLiteral,
            (Op::Collection(ast::Collection::Multiset), _) => CollectionOp::MultisetLiteral,
            _ => return Err("this expression"),
        };
        Ok(ExpKind::Collection(op, self.exps(args)))
    }

    /// Translates a slice: `s[a..b]` is `s[..b][a..]`.
    fn slice(&mut self, node: &Node<'a>, from: bool, to: bool) -> ExpKind {
        let typ = self.typ(&node.ty).unwrap_or(heap::Type::Ref);
        let mut args: Vec<Exp> = self.exps(&node.args);
        let to = if to { args.pop() } else { None };
        let from = if from { args.pop() } else { None };
        let seq = args.swap_remove(0);
        let taken = |seq, to| ExpKind::Collection(CollectionOp::SeqTake, vec![seq, to]);
        match (from, to) {
            (None, None) => *seq.kind,
            (None, Some(to)) => taken(seq, to),
            (Some(from), None) => ExpKind::Collection(CollectionOp::SeqDrop, vec![seq, from]),
            (Some(from), Some(to)) => {
                let taken = Exp::new(taken(seq, to), typ, node.span);
                ExpKind::Collection(CollectionOp::SeqDrop, vec![taken, from])
            }
        }
    }
}

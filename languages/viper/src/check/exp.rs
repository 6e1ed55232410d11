//! The types of expressions.
//!
//! Knows: what each kind of expression wants of its parts. Never: statements, members, consistency.
//! Source: `checkInternal` in silver's `Resolver.scala` and the signatures in `ParseAst.scala`.

use super::checker::{Checker, InferredNode, NameLookup};
use super::overload::Meaning;
use super::tree::{Node, Op, Role, Trigger};
use super::types::{Ty, Unknown};
use crate::ast::{self, BinaryOp, Collection, Exp, ExpKind, OldLabel, Span};

impl<'a> InferredNode<'a> {
    /// There is but one possibility.
    pub fn one(op: Op<'a>, args: Vec<Node<'a>>, ty: Ty, span: Span) -> InferredNode<'a> {
        InferredNode { node: Node { op, args, ty, span }, choices: Vec::new() }
    }

    /// Something is wrong, which was reported.
    pub fn error(span: Span) -> InferredNode<'a> {
        InferredNode { node: Node::error(span), choices: Vec::new() }
    }
}

impl<'a> Checker<'_, 'a> {
    /// The type of an expression, or its possible types.
    pub fn infer(&mut self, exp: &'a Exp) -> InferredNode<'a> {
        use ExpKind::*;
        let at = (exp.span, self.unifier.horizon());
        let leaf = |op, ty| InferredNode::one(op, Vec::new(), ty, exp.span);
        match &exp.kind {
            Int(it) => leaf(Op::Int(it), Ty::Int),
            Bool(it) => leaf(Op::Bool(*it), Ty::Bool),
            Null => leaf(Op::Null, Ty::Ref),
            NoPerm => leaf(Op::NoPerm, Ty::Perm),
            Write => leaf(Op::Write, Ty::Perm),
            Wildcard => leaf(Op::Wildcard, Ty::Perm),
            Epsilon => leaf(Op::Epsilon, Ty::Perm),
            Result => match self.place.result.clone() {
                Some(ty) => leaf(Op::Result, ty),
                None => self.fail(exp.span, "`result` can only be used in function postconditions"),
            },
            Var(name) => match self.lookup(&name.text, |_| true) {
                NameLookup::One(id) => leaf(Op::Var(id), self.variables[id.index()].ty.clone()),
                NameLookup::Nothing => self.fail(exp.span, format!("undeclared identifier `{}`", name.text)),
                NameLookup::Many => self.fail(exp.span, format!("ambiguous identifier `{}`", name.text)),
            },
            Call(name, args, typ) => self.call(exp, name, args, typ.as_deref(), at),
            Field(receiver, name) => self.member_access(exp, receiver, name, at),
            Quantified(it) => self.quantified(exp.span, it),
            ForPerm(variables, resource, body) => self.for_perm(exp.span, variables, resource, body),
            Let(name, bound, body) => {
                let scope = self.open();
                let bound = self.infer(bound);
                let var = self.declare(name, bound.node.ty.clone(), Role::Bound);
                let body = self.infer(body);
                self.close(scope);
                let result = body.node.ty.clone();
                self.operation(Op::Let(var), vec![bound, body], vec![Meaning { parameters: Vec::new(), result }], at)
            }
            New(_) => self.fail(exp.span, "unexpected use of `new` as an expression"),
            Annotated(annotation, inner) => {
                let mut res = self.infer(inner);
                res.node.span = exp.span;
                if &*annotation.key.text == "reveal" && matches!(res.node.op, Op::Function(_)) {
                    res.node = Node { ty: res.node.ty.clone(), span: exp.span, op: Op::Reveal, args: vec![res.node] };
                }
                res
            }
            PredicateInstance(name, args) => self.measure(exp.span, name, args),
            _ => self.compound(exp, at),
        }
    }

    /// Operators and the like: their arguments first, then what they can mean.
    fn compound(&mut self, exp: &'a Exp, at: (Span, Unknown)) -> InferredNode<'a> {
        use ExpKind::*;
        let mut children = Vec::new();
        exp.kind.each_child(&mut |it| children.push(it));
        let args: Vec<InferredNode> = children.into_iter().map(|it| self.infer(it)).collect();
        if let Collection(_, Some(typ), _) = &exp.kind {
            return self.empty_collection(exp, typ, at);
        }
        if args.iter().any(|it| matches!(it.node.ty, Ty::Error)) {
            return InferredNode::error(exp.span);
        }
        let (op, meanings) = match &exp.kind {
            Unary(op, _) => (Op::Unary(*op), Meaning::unary(*op)),
            Binary(op, ..) => {
                if matches!(op, BinaryOp::Eq | BinaryOp::Ne) && !self.all_pure(&args) {
                    return InferredNode::error(exp.span);
                }
                (Op::Binary(*op), self.binary(*op))
            }
            Old(label, _) => {
                if !self.all_pure(&args) {
                    return InferredNode::error(exp.span);
                }
                let op = match label {
                    None => Op::Old,
                    Some(OldLabel::Lhs(_)) => Op::OldLhs,
                    Some(OldLabel::Label(name)) => Op::OldLabel(name),
                };
                let any = self.unifier.fresh();
                (op, vec![Meaning::new([&any], &any)])
            }
            Acc(..) => match self.accessed(&args[0].node) {
                Some(result) => {
                    let parameters = vec![None, Some(Ty::Perm)];
                    (Op::Acc, vec![Meaning { parameters, result }])
                }
                None => {
                    let span = args[0].node.span;
                    return self.fail(span, "specified location is not a field nor a predicate");
                }
            },
            Perm(_) => {
                if let Some(place) = self.place.perm_ban {
                    return self.fail(exp.span, format!("{place} are not allowed to contain `perm` expressions"));
                }
                if self.accessed(&args[0].node).is_none() && !args[0].node.is_wand() {
                    return self.fail(args[0].node.span, "expected a field, predicate or magic wand");
                }
                (Op::Perm, vec![Meaning { parameters: vec![None], result: Ty::Perm }])
            }
            Unfolding(..) => {
                if !self.accept_predicate(&args[0].node, "abstract predicates cannot be unfolded") {
                    return InferredNode::error(exp.span);
                }
                let any = self.unifier.fresh();
                (Op::Unfolding, vec![Meaning::new([&Ty::Instance, &any], &any)])
            }
            Applying(..) => {
                if !args[0].node.is_wand() {
                    return self.fail(args[0].node.span, "expected magic wand");
                }
                let any = self.unifier.fresh();
                (Op::Applying, vec![Meaning::new([&Ty::Wand, &any], &any)])
            }
            Asserting(..) => {
                let any = self.unifier.fresh();
                (Op::Asserting, vec![Meaning::new([&Ty::Impure, &any], &any)])
            }
            InhaleExhale(..) => {
                let meanings = [Ty::Bool, Ty::Impure].map(|it| Meaning::new([&it, &it], &it));
                (Op::InhaleExhale, meanings.into())
            }
            Cond(..) => {
                let any = self.unifier.fresh();
                let meanings = [any, Ty::Impure].map(|it| Meaning::new([&Ty::Bool, &it, &it], &it));
                (Op::Cond, meanings.into())
            }
            _ => self.collection(&exp.kind, args.len()),
        };
        self.operation(op, args, meanings, at)
    }

    fn collection(&mut self, kind: &ExpKind, n_args: usize) -> (Op<'a>, Vec<Meaning>) {
        use ExpKind::*;
        let (key, any) = (self.unifier.fresh(), self.unifier.fresh());
        let (seq, map) = (Ty::seq(any.clone()), Ty::map(key.clone(), any.clone()));
        match kind {
            Index(..) => (Op::Index, vec![Meaning::new([&seq, &Ty::Int], &any), Meaning::new([&map, &key], &any)]),
            Update(..) => {
                let of_seq = Meaning::new([&seq, &Ty::Int, &any], &seq);
                (Op::Update, vec![of_seq, Meaning::new([&map, &key, &any], &map)])
            }
            Slice(_, from, to) => {
                let op = Op::Slice { from: from.is_some(), to: to.is_some() };
                (op, vec![Meaning::new([&seq, &Ty::Int, &Ty::Int].into_iter().take(n_args), &seq)])
            }
            Range(..) => (Op::Range, vec![Meaning::new([&Ty::Int, &Ty::Int], &Ty::seq(Ty::Int))]),
            Size(_) => {
                let all = [seq, Ty::set(any.clone()), Ty::multiset(any), map];
                (Op::Size, all.map(|it| Meaning::new([&it], &Ty::Int)).into())
            }
            MapDomain(_) => (Op::MapDomain, vec![Meaning::new([&map], &Ty::set(key))]),
            MapRange(_) => (Op::MapRange, vec![Meaning::new([&map], &Ty::set(any))]),
            Map(types, _) => {
                let result = match types.as_deref() {
                    Some((key, value)) => Ty::map(self.resolve(key), self.resolve(value)),
                    None => map,
                };
                let parameters = (0..n_args).map(|it| if it % 2 == 0 { &key } else { &any });
                (Op::Map, vec![Meaning::new(parameters, &result)])
            }
            Collection(of, _, _) => {
                let parameters = std::iter::repeat_n(&any, n_args);
                (Op::Collection(*of), vec![Meaning::new(parameters, &of.ty(any.clone()))])
            }
            _ => (Op::Error, Vec::new()),
        }
    }

    fn empty_collection(&mut self, exp: &'a Exp, typ: &'a ast::Type, at: (Span, Unknown)) -> InferredNode<'a> {
        let ExpKind::Collection(of, ..) = &exp.kind else { return InferredNode::error(exp.span) };
        let result = of.ty(self.resolve(typ));
        self.operation(Op::Collection(*of), Vec::new(), vec![Meaning::new([], &result)], at)
    }

    /// [`Checker::apply`], unless something is wrong with an argument.
    pub fn operation(
        &mut self,
        op: Op<'a>,
        args: Vec<InferredNode<'a>>,
        meanings: Vec<Meaning>,
        at: (Span, Unknown),
    ) -> InferredNode<'a> {
        if args.iter().any(|it| matches!(it.node.ty, Ty::Error)) {
            return InferredNode::error(at.0);
        }
        self.apply(op, args, meanings, at, None)
    }

    pub fn fail(&mut self, span: Span, message: impl Into<String>) -> InferredNode<'a> {
        self.error(span, message);
        InferredNode::error(span)
    }

    fn quantified(&mut self, span: Span, it: &'a ast::Quantified) -> InferredNode<'a> {
        let scope = self.open();
        let variables = self.declare_typed(&it.variables, Role::Bound);
        let wanted = if it.universal { Ty::Impure } else { Ty::Bool };
        let body = self.check(&it.body, Some(&wanted));
        let mut triggers = Vec::new();
        for trigger in &it.triggers {
            let exps = trigger.exps.iter().map(|it| self.check(it, None)).collect();
            triggers.push(Trigger { exps, span: trigger.span });
        }
        self.close(scope);
        let ty = match &body.ty {
            Ty::Error => Ty::Error,
            Ty::Bool => Ty::Bool,
            _ => Ty::Impure,
        };
        InferredNode::one(Op::Quantified { universal: it.universal, variables, triggers }, vec![body], ty, span)
    }

    fn for_perm(
        &mut self,
        span: Span,
        variables: &'a [ast::Binding],
        resource: &'a Exp,
        body: &'a Exp,
    ) -> InferredNode<'a> {
        if let Some(place) = self.place.perm_ban {
            self.error(span, format!("{place} are not allowed to contain `forperm` expressions"));
        }
        let scope = self.open();
        let variables = self.declare_typed(variables, Role::Bound);
        let ban = self.place.perm_ban.replace("forperm quantifier bodies");
        let body = self.check(body, Some(&Ty::Bool));
        self.place.perm_ban = ban;
        let resource = self.check(resource, None);
        if !matches!(resource.ty, Ty::Error) && self.accessed(&resource).is_none() && !resource.is_wand() {
            self.error(resource.span, "expected a field, predicate or magic wand");
        }
        self.close(scope);
        let variables = variables.into_iter().map(|(id, _)| id).collect();
        InferredNode::one(Op::ForPerm(variables), vec![resource, body], Ty::Bool, span)
    }

    /// The type of `acc(...)` of this; `None`: there is no permission to it.
    fn accessed(&self, location: &Node) -> Option<Ty> {
        match location.op {
            Op::Field(_) => Some(Ty::Impure),
            Op::Predicate(_) => Some(Ty::Instance),
            _ => None,
        }
    }

    /// Whether it is an instance of a predicate with a body; reports if not.
    pub fn accept_predicate(&mut self, exp: &Node, if_abstract: &str) -> bool {
        let location = match exp.op {
            Op::Acc => &exp.args[0],
            _ => exp,
        };
        let message = match location.op {
            Op::Predicate(id) if self.table.predicates[id.index()].0.body.is_some() => return true,
            Op::Predicate(_) => if_abstract,
            Op::Error => return false,
            _ => "expected predicate access",
        };
        self.error(location.span, message);
        false
    }

    fn all_pure(&mut self, args: &[InferredNode]) -> bool {
        let mut res = true;
        for it in args {
            if self.unifier.head(&it.node.ty).asks_permission() {
                self.error(it.node.span, "argument is not pure");
                res = false;
            }
        }
        res
    }
}

impl Collection {
    fn ty(self, element: Ty) -> Ty {
        match self {
            Collection::Seq => Ty::seq(element),
            Collection::Set => Ty::set(element),
            Collection::Multiset => Ty::multiset(element),
        }
    }
}

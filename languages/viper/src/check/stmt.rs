//! The types of statements.
//!
//! Knows: what each statement wants of its expressions. Never: kinds of expressions, consistency.
//! Source: `check(stmt)` and `checkAssign` in silver's `Resolver.scala`.

use super::checker::{Checker, InferredNode, NameLookup};
use super::table::Callable;
use super::tree::{self, Node, Op, Role, Stmt, StmtKind, Target};
use super::types::Ty;
use crate::ast::{self, Block, Exp, ExpKind, Name, NewFields, Span};
use effigy_contracts::program::{FieldId, MethodId};

impl<'a> Checker<'_, 'a> {
    pub fn block(&mut self, block: &'a Block) -> Vec<Stmt<'a>> {
        let scope = self.open();
        let mut res = Vec::new();
        for it in &block.stmts {
            self.stmt(it, &mut res);
        }
        self.close(scope);
        res
    }

    fn stmt(&mut self, stmt: &'a ast::Stmt, out: &mut Vec<Stmt<'a>>) {
        use ast::StmtKind::*;
        let span = stmt.span;
        let kind = match &stmt.kind {
            Annotated(_, inner) => return self.stmt(inner, out),
            Var(bindings, init) => {
                let ids = self.declare_typed(bindings, Role::Local);
                out.push(Stmt { kind: StmtKind::Local(ids.iter().map(|(id, _)| *id).collect()), span });
                let Some(rhs) = init else { return };
                let targets: Vec<_> = ids.into_iter().map(|(id, span)| Target::Var(id, span)).collect();
                let types = targets.iter().map(|it| self.target_type(it)).collect();
                self.assign(span, targets, types, rhs)
            }
            Assign(targets, rhs) => {
                let mut checked = Vec::new();
                for it in targets {
                    if let Some(target) = self.target(it) {
                        checked.push(target);
                    }
                }
                let types: Vec<Ty> = checked.iter().map(|it| self.target_type(it)).collect();
                if checked.len() == targets.len() {
                    self.assign(span, checked, types, rhs)
                } else {
                    // The error at the target was reported; the right side may have one too.
                    if !matches!(rhs.kind, ExpKind::New(_)) && !self.is_method_call(rhs, targets.len()) {
                        self.check(rhs, None);
                    }
                    StmtKind::Error
                }
            }
            Call(exp) => self.call_stmt(span, exp),
            Assert(e) => StmtKind::Assert(self.assertion(e)),
            Assume(e) => StmtKind::Assume(self.assertion(e)),
            Inhale(e) => StmtKind::Inhale(self.assertion(e)),
            Exhale(e) => StmtKind::Exhale(self.assertion(e)),
            Refute(e) => StmtKind::Refute(self.assertion(e)),
            Fold(e) => StmtKind::Fold(self.instance(e, "abstract predicates cannot be folded")),
            Unfold(e) => StmtKind::Unfold(self.instance(e, "abstract predicates cannot be unfolded")),
            If(cond, then, other) => {
                let cond = self.check(cond, Some(&Ty::Bool));
                let then = self.block(then);
                StmtKind::If(cond, then, other.as_ref().map_or(Vec::new(), |it| self.block(it)))
            }
            While { cond, invariants, decreases, body } => {
                let cond = self.check(cond, Some(&Ty::Bool));
                let invariants: Vec<_> = invariants.iter().map(|it| self.contract(it, false)).collect();
                let decreases = self.decreases(decreases);
                StmtKind::While { cond, invariants, decreases, body: self.block(body) }
            }
            Goto(name) => StmtKind::Goto(name),
            Label { name, invariants, decreases } => {
                let invariants = invariants.iter().map(|it| self.assertion(it)).collect();
                StmtKind::Label { name, invariants, decreases: self.decreases(decreases) }
            }
            Package(wand, script) => {
                let wand = self.wand(wand);
                StmtKind::Package(wand, script.as_ref().map_or(Vec::new(), |it| self.block(it)))
            }
            Apply(wand) => StmtKind::Apply(self.wand(wand)),
            Block(block) => StmtKind::Block(self.block(block)),
            Define(_) => StmtKind::Block(Vec::new()),
            Quasihavoc(cond, resource) => {
                let (cond, resource) = self.havoc(span, cond.as_ref(), resource);
                StmtKind::Quasihavoc(cond, resource)
            }
            Quasihavocall(variables, cond, resource) => {
                let scope = self.open();
                self.declare_typed(variables, Role::Bound);
                let (cond, resource) = self.havoc(span, cond.as_ref(), resource);
                self.close(scope);
                StmtKind::Quasihavocall(cond, resource)
            }
        };
        out.push(Stmt { kind, span });
    }

    pub fn assertion(&mut self, exp: &'a Exp) -> Node<'a> {
        self.check(exp, Some(&Ty::Impure))
    }

    /// A precondition, postcondition or invariant: `perm` and `forperm` only inside of `[a, b]`.
    pub fn contract(&mut self, exp: &'a Exp, for_perm_too: bool) -> Node<'a> {
        let res = self.assertion(exp);
        self.no_introspection(&res, for_perm_too);
        res
    }

    pub fn no_introspection(&mut self, node: &Node<'a>, for_perm_too: bool) {
        match node.op {
            Op::InhaleExhale => return,
            Op::Perm => {}
            Op::ForPerm(_) if !for_perm_too => {}
            _ => return node.parts().for_each(|it| self.no_introspection(it, for_perm_too)),
        }
        let message = "preconditions, postconditions and invariants may only contain `perm` and `forperm` expressions \
                       inside of an inhale-exhale";
        self.error(node.span, message);
    }

    pub fn decreases(&mut self, clauses: &'a [ast::Decreases]) -> Vec<tree::Decreases<'a>> {
        let mut res = Vec::new();
        for it in clauses {
            let condition = it.condition.as_ref().map(|it| self.check(it, Some(&Ty::Bool)));
            let (kind, exps): (_, &[Exp]) = match &it.measure {
                ast::Measure::Tuple(exps) => (tree::MeasureKind::Tuple, exps),
                ast::Measure::Wildcard => (tree::MeasureKind::Wildcard, &[]),
                ast::Measure::Star => (tree::MeasureKind::Star, &[]),
            };
            let tuple = exps.iter().map(|it| self.check(it, None)).collect();
            res.push(tree::Decreases { kind, tuple, condition, span: it.span });
        }
        res
    }

    fn instance(&mut self, exp: &'a Exp, if_abstract: &str) -> Node<'a> {
        let node = self.check(exp, None);
        if self.accept_predicate(&node, if_abstract) { node } else { Node::error(exp.span) }
    }

    fn wand(&mut self, exp: &'a Exp) -> Node<'a> {
        let node = self.check(exp, None);
        if !matches!(node.ty, Ty::Error) && !node.is_wand() {
            self.error(exp.span, "expected magic wand");
        }
        node
    }

    fn havoc(&mut self, span: Span, cond: Option<&'a Exp>, resource: &'a Exp) -> (Option<Node<'a>>, Node<'a>) {
        let cond = cond.map(|it| self.check(it, Some(&Ty::Bool)));
        let resource = self.check(resource, None);
        if !matches!(resource.op, Op::Field(_) | Op::Predicate(_) | Op::Error) && !resource.is_wand() {
            self.error(span, "havoc statement must take a field access, predicate, or wand");
        }
        (cond, resource)
    }

    fn target_type(&self, target: &Target) -> Ty {
        match target {
            Target::Var(id, _) => self.variables[id.index()].ty.clone(),
            Target::Field(node) => node.ty.clone(),
        }
    }

    fn target(&mut self, exp: &'a Exp) -> Option<Target<'a>> {
        match &exp.kind {
            ExpKind::Annotated(_, inner) => self.target(inner),
            ExpKind::Var(name) => {
                let message = match self.lookup(&name.text, |it| matches!(it, Role::Result | Role::Local)) {
                    NameLookup::One(id) => return Some(Target::Var(id, exp.span)),
                    NameLookup::Many => format!("ambiguous identifier `{}`", name.text),
                    NameLookup::Nothing => format!("expected an assignable identifier, found `{}`", name.text),
                };
                self.error(exp.span, message);
                None
            }
            ExpKind::Field(receiver, name) => {
                let horizon = self.unifier.horizon();
                let receiver = self.check(receiver, Some(&Ty::Ref));
                let receiver = InferredNode { node: receiver, choices: Vec::new() };
                let InferredNode { node, .. } = self.field(receiver, name, (exp.span, horizon));
                (!matches!(node.ty, Ty::Error)).then_some(Target::Field(node))
            }
            _ => {
                self.error(exp.span, "expected a variable or field as target");
                None
            }
        }
    }

    fn is_method_call(&self, exp: &Exp, n_targets: usize) -> bool {
        let ExpKind::Call(name, ..) = &exp.kind else { return false };
        n_targets != 1 || self.table.callables(&name.text).iter().all(|it| matches!(it, Callable::Method(_)))
    }

    fn assign(&mut self, span: Span, mut targets: Vec<Target<'a>>, types: Vec<Ty>, rhs: &'a Exp) -> StmtKind<'a> {
        if let ExpKind::Call(name, args, _) = &rhs.kind
            && self.is_method_call(rhs, targets.len())
        {
            return self.method_call(span, name, args, targets, rhs.span);
        }
        if targets.len() != 1 {
            self.error(span, "expected a method call when assigning to multiple targets");
            return StmtKind::Error;
        }
        let (target, ty) = (targets.swap_remove(0), &types[0]);
        match &rhs.kind {
            ExpKind::New(fields) => {
                if !self.unifier.equal(ty, &Ty::Ref) {
                    let message = format!("found {}, expected Ref", ty.show(self.table));
                    self.error(target.span(), message);
                }
                StmtKind::New(target, self.new_fields(fields))
            }
            _ => StmtKind::Assign(target, self.check(rhs, Some(ty))),
        }
    }

    fn new_fields(&mut self, fields: &NewFields) -> Vec<FieldId> {
        let names = match fields {
            NewFields::All => return (0..self.table.fields.len() as u32).map(FieldId).collect(),
            NewFields::These(names) => names,
        };
        let mut res = Vec::new();
        for name in names {
            match self.table.fields(&name.text) {
                [id] => res.push(*id),
                [] => self.error(name.span, format!("undeclared field `{}`", name.text)),
                _ => self.error(name.span, format!("ambiguous field `{}`", name.text)),
            }
        }
        res
    }

    fn call_stmt(&mut self, span: Span, exp: &'a Exp) -> StmtKind<'a> {
        match &exp.kind {
            ExpKind::Call(name, args, _) => self.method_call(span, name, args, Vec::new(), exp.span),
            ExpKind::Annotated(_, inner) => self.call_stmt(span, inner),
            _ => {
                let message = "invalid expression in statement position, only method calls with no returns are allowed";
                self.error(span, message);
                StmtKind::Error
            }
        }
    }

    fn method_call(
        &mut self,
        span: Span,
        name: &'a Name,
        args: &'a [Exp],
        targets: Vec<Target<'a>>,
        call: Span,
    ) -> StmtKind<'a> {
        let methods: Vec<MethodId> = self.table.callables(&name.text).iter().filter_map(Callable::method).collect();
        let signature = |id: &MethodId| &self.table.methods[id.index()].1;
        let fitting: Vec<_> = methods.iter().filter(|it| signature(it).parameters.len() == args.len()).collect();
        let returning: Vec<_> = fitting.iter().filter(|it| signature(it).results.len() == targets.len()).collect();
        let (at, message) = match returning[..] {
            [id] => {
                let (id, signature) = (**id, signature(id));
                let args = args.iter().zip(&signature.parameters).map(|(it, ty)| self.check(it, Some(ty))).collect();
                for (target, result) in targets.iter().zip(&signature.results) {
                    let ty = self.target_type(target);
                    if !self.unifier.equal(&ty, result) {
                        let message = format!("found {}, expected {}", ty.show(self.table), result.show(self.table));
                        self.error(target.span(), message);
                    }
                }
                return StmtKind::Call { method: id, args, targets };
            }
            [] if methods.is_empty() => {
                (name.span, format!("undeclared call `{}`, expected function or method", name.text))
            }
            [] if fitting.is_empty() => (call, "wrong number of arguments".to_owned()),
            [] => (span, "wrong number of targets".to_owned()),
            _ => (span, "ambiguous method call".to_owned()),
        };
        self.error(at, message);
        StmtKind::Error
    }
}

impl Callable {
    fn method(&self) -> Option<MethodId> {
        match self {
            Callable::Method(id) => Some(*id),
            _ => None,
        }
    }
}

impl Target<'_> {
    pub fn span(&self) -> Span {
        match self {
            Target::Var(_, span) => *span,
            Target::Field(node) => node.span,
        }
    }
}

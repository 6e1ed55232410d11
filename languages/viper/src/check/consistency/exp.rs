//! Consistency of expressions: purity, wildcards, labels, triggers.
//!
//! Knows: the rules for single expressions and where they stand in one another. Never: members, statements.

use super::Consistency;
use crate::ast::{BinaryOp, Span, UnaryOp};
use crate::check::tree::{Node, Op, Trigger};
use effigy_contracts::program::VarId;
use rustc_hash::FxHashSet;

/// What surrounds an expression: silver allows some constructs only in certain contexts.
#[derive(Clone, Copy, Default)]
pub struct ExpContext {
    /// Within the argument of `acc(...)`.
    pub in_access: bool,
    /// In a magic wand or its proof script.
    pub in_wand: bool,
    /// In `assume`, where silver makes comparisons with `perm` of permissions before it checks purity.
    pub assumed: bool,
}

impl<'a> Consistency<'_, 'a> {
    /// All rules for an expression and its parts.
    pub fn expression(&mut self, node: &Node<'a>) {
        self.in_context(node, ExpContext::default());
    }

    pub fn in_context(&mut self, node: &Node<'a>, context: ExpContext) {
        self.own_rules(node, context.assumed);
        let mut inner = context;
        match &node.op {
            Op::OldLhs if !context.in_wand => {
                self.error(node.span, "old[lhs] may only occur inside wands and their proof scripts");
            }
            Op::Wildcard if !context.in_access => {
                self.error(node.span, "`wildcard` can only be used in accessibility predicates");
            }
            Op::DomainFunction(id, _) if self.hidden.contains(id) => {
                self.error(node.span, "the name of the function is that of an axiom");
            }
            Op::Acc | Op::Predicate(_) => inner.in_access = true,
            _ if node.is_wand() => {
                inner.in_wand = true;
                self.wand(node);
            }
            _ => {}
        }
        node.parts().for_each(|it| self.in_context(it, inner));
    }

    fn own_rules(&mut self, node: &Node<'a>, assumed: bool) {
        let args = &node.args;
        match &node.op {
            Op::Function(_)
            | Op::DomainFunction(..)
            | Op::Predicate(_)
            | Op::Constructor(_)
            | Op::Destructor(_)
            | Op::Discriminator(_)
            | Op::Collection(_)
            | Op::Map => args.iter().for_each(|it| self.pure(it)),
            Op::Binary(BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Or | BinaryOp::Iff) => {
                args.iter().for_each(|it| self.pure(it))
            }
            Op::Binary(BinaryOp::Implies) | Op::Cond | Op::Unary(UnaryOp::Not) => self.pure(&args[0]),
            Op::Old | Op::OldLhs | Op::Let(_) => self.pure(&args[0]),
            Op::OldLabel(name) => {
                self.pure(&args[0]);
                if !self.has_label(name) {
                    self.error(node.span, format!("no label `{}`", name.text));
                }
            }
            Op::Unfolding | Op::Applying | Op::Asserting if assumed => {}
            Op::Unfolding | Op::Applying | Op::Asserting => self.pure(&args[1]),
            Op::Update => self.pure(&args[2]),
            Op::ForPerm(_) => {
                self.pure(&args[1]);
                let message = "the body of forperm is not allowed to contain perm and forperm expressions";
                self.ban(&args[1], |it| matches!(it, Op::Perm | Op::ForPerm(_)), message);
            }
            Op::Quantified { universal, variables, triggers } => {
                if *universal {
                    self.quantified_permission(node);
                } else {
                    self.pure(&args[0]);
                }
                self.triggers(variables, triggers);
            }
            _ => {}
        }
    }

    /// Each trigger mentions all variables, each of its expressions at least one.
    fn triggers(&mut self, variables: &[(VarId, Span)], triggers: &[Trigger<'a>]) {
        let mut mentioned = Vec::new();
        for trigger in triggers {
            let mut all = FxHashSet::default();
            trigger.exps.iter().for_each(|it| mentions(it, &mut all));
            mentioned.push(all);
        }
        for (id, span) in variables {
            if mentioned.iter().any(|it| !it.contains(id)) {
                let message = format!("variable {} is not mentioned in one or more triggers", self.name(*id));
                self.error(*span, message);
            }
        }
        for exp in triggers.iter().flat_map(|it| &it.exps) {
            let is_bound = |it: &Op| matches!(it, Op::Var(id) if variables.iter().any(|(var, _)| var == id));
            if !exp.any(&mut |it| is_bound(&it.op)) {
                self.error(exp.span, "the trigger expression does not contain any quantified variable");
            }
        }
    }

    fn name(&self, id: VarId) -> String {
        self.variables.get(id.index()).map_or(String::new(), |it| it.name.to_string())
    }

    /// In an amount, `wildcard` stands alone.
    pub fn wildcards(&mut self, node: &Node<'a>) {
        node.each(&mut |it| {
            if let (Op::Acc, Some(perm)) = (&it.op, it.args.get(1))
                && !matches!(perm.op, Op::Wildcard)
                && perm.any(&mut |it| matches!(it.op, Op::Wildcard))
            {
                self.error(perm.span, "wildcard occurs inside compound expression");
            }
        });
    }

    /// What silver reports while it translates.
    pub fn translation(&mut self, node: &Node<'a>) {
        match &node.op {
            Op::ForPerm(variables) => self.for_perm_arguments(node, variables),
            Op::Quantified { triggers, .. } => {
                for trigger in triggers {
                    if !trigger.exps.iter().all(|it| is_trigger(it)) {
                        self.translation_error(trigger.span, "not a valid trigger");
                    }
                }
            }
            _ => {}
        }
    }
}

/// The variables in it; those of a `let` count only if the variable it binds is used.
fn mentions(node: &Node, out: &mut FxHashSet<VarId>) {
    match node.op {
        Op::Var(id) => drop(out.insert(id)),
        Op::Let(id) => {
            let mut inner = FxHashSet::default();
            mentions(&node.args[1], &mut inner);
            if inner.remove(&id) {
                mentions(&node.args[0], &mut inner);
            }
            out.extend(inner);
        }
        _ => node.parts().for_each(|it| mentions(it, out)),
    }
}

/// Whether it can be a trigger: an application of a function or an operation on collections, a field or predicate,
/// without interpreted operations inside.
fn is_trigger(node: &Node) -> bool {
    match node.op {
        Op::Old | Op::OldLabel(_) | Op::OldLhs | Op::Reveal => is_trigger(&node.args[0]),
        Op::Function(_)
        | Op::DomainFunction(..)
        | Op::Constructor(_)
        | Op::Destructor(_)
        | Op::Predicate(_)
        | Op::Field(_)
        | Op::Index
        | Op::Update
        | Op::Slice { .. }
        | Op::Collection(_)
        | Op::Map
        | Op::Range
        | Op::Size
        | Op::MapDomain
        | Op::MapRange => !node.any(&mut |it| is_forbidden(&it.op)),
        Op::Binary(op) if is_collection_op(op) => !node.any(&mut |it| is_forbidden(&it.op)),
        Op::Binary(BinaryOp::Wand) => true,
        _ => false,
    }
}

fn is_collection_op(op: BinaryOp) -> bool {
    use BinaryOp::*;
    matches!(op, In | Append | Union | Intersection | Setminus | Subset)
}

fn is_forbidden(op: &Op) -> bool {
    match op {
        Op::Binary(op) => !is_collection_op(*op),
        Op::Unary(_) | Op::Cond | Op::Discriminator(_) | Op::Measure => true,
        _ => false,
    }
}

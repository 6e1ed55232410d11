//! The form of quantified permissions.
//!
//! Knows: how silver takes `forall x :: c ==> acc(a) && acc(b)` apart, and what must be left. Never: other rules.
//! Source: `QuantifiedPermissions.scala`: conjunctions, implications, conditionals, nested quantifiers and lets are
//! pulled out; what remains must be a permission behind an implication, or be pure.

use super::Consistency;
use crate::ast::BinaryOp;
use crate::check::tree::{Node, Op};

impl<'a> Consistency<'_, 'a> {
    pub fn quantified_permission(&mut self, forall: &Node<'a>) {
        let body = &forall.args[0];
        if forall.is_pure() {
            // Not taken apart: an assertion in it is in `asserting` or `applying`.
            if mentions_access(body) && !is_binary(body, BinaryOp::Implies) {
                self.error(body.span, "quantified permissions must have an implication as expression");
            }
        } else if !taken_apart(body) && mentions_access(body) {
            self.error(body.span, "quantified permissions must have an implication as expression");
        }
    }
}

/// Whether silver makes an implication with a permission on its right side of it, or it is one.
fn taken_apart(body: &Node) -> bool {
    if body.is_pure() || body.is_wand() {
        return true;
    }
    match body.op {
        Op::Acc | Op::Predicate(_) | Op::Binary(BinaryOp::And | BinaryOp::Implies) => true,
        Op::Cond | Op::Quantified { universal: true, .. } | Op::InhaleExhale => true,
        Op::Let(_) => taken_apart(&body.args[1]),
        _ => false,
    }
}

fn is_binary(node: &Node, op: BinaryOp) -> bool {
    matches!(node.op, Op::Binary(it) if it == op)
}

/// Whether there is an access predicate in it, other than in `unfolding`.
fn mentions_access(node: &Node) -> bool {
    match node.op {
        Op::Acc => true,
        Op::Unfolding => false,
        Op::Perm | Op::ForPerm(_) => node.args.iter().flat_map(|it| it.parts()).any(mentions_access),
        Op::Predicate(_) => true,
        _ if node.is_wand() => true,
        _ => node.args.iter().any(mentions_access),
    }
}

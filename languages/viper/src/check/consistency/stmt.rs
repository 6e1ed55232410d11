//! Consistency of statements.
//!
//! Knows: the rules for single statements. Never: members, expressions.

use super::Consistency;
use super::exp::ExpContext;
use crate::check::tree::{Node, Op, Stmt, StmtKind, Target};

impl<'a> Consistency<'_, 'a> {
    pub fn statement(&mut self, stmt: &Stmt<'a>) {
        self.statement_in(stmt, ExpContext::default());
    }

    fn statement_in(&mut self, stmt: &Stmt<'a>, context: ExpContext) {
        match &stmt.kind {
            StmtKind::Assign(_, rhs) => self.pure(rhs),
            StmtKind::If(cond, ..) | StmtKind::While { cond, .. } => self.pure(cond),
            StmtKind::Call { args, targets, .. } => {
                args.iter().for_each(|it| self.pure(it));
                if has_duplicates(targets, |it| if let Target::Var(id, _) = it { Some(*id) } else { None }) {
                    self.error(stmt.span, "targets are not allowed to have duplicates");
                }
            }
            StmtKind::Goto(name) if !self.has_label(name) => {
                self.error(stmt.span, format!("no label `{}`", name.text));
            }
            StmtKind::Package(_, script) => self.proof_script(script),
            _ => {}
        }
        let in_wand = context.in_wand || matches!(stmt.kind, StmtKind::Package(..));
        let inner = ExpContext { in_wand, assumed: matches!(stmt.kind, StmtKind::Assume(_)), ..context };
        stmt.parts(
            &mut |it: &Node<'a>| {
                self.wildcards(it);
                self.in_context(it, inner);
            },
            &mut |_| {},
        );
        stmt.parts(&mut |_| {}, &mut |it| self.statement_in(it, inner));
    }

    /// Checks that the fields assigned by `a.f, b.f := m()` differ.
    pub fn targets_differ(&mut self, stmt: &Stmt<'a>) {
        if let StmtKind::Call { targets, .. } = &stmt.kind {
            let field = |it: &Target| match it {
                Target::Field(node) => match node.op {
                    Op::Field(id) => Some(id),
                    _ => None,
                },
                Target::Var(..) => None,
            };
            if has_duplicates(targets, field) {
                self.translation_error(stmt.span, "multiple targets which access the same field are not allowed");
            }
        }
        stmt.parts(&mut |_| {}, &mut |it| self.targets_differ(it));
    }
}

fn has_duplicates<'s, 'a: 's, T: Ord>(targets: &'s [Target<'a>], key: impl Fn(&'s Target<'a>) -> Option<T>) -> bool {
    let mut keys: Vec<T> = targets.iter().filter_map(key).collect();
    let count = keys.len();
    keys.sort();
    keys.dedup();
    keys.len() < count
}

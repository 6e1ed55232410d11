//! `decreases` clauses, and functions that need one.
//!
//! Knows: which clauses may stand together and what a measure may contain. Never: whether anything terminates.
//! Source: silver's `TerminationPlugin.scala`.

use super::Consistency;
use super::cycle::{components, mentions};
use crate::ast::Span;
use crate::check::tree::{Bodies, Decreases, Function, MeasureKind, Node, Op, Stmt, StmtKind};

impl<'a> Consistency<'_, 'a> {
    pub fn measures(&mut self, bodies: &Bodies<'a>) {
        let components = components(&mentions(bodies, |it| it.body.iter()));
        for (idx, function) in bodies.functions.iter().enumerate() {
            if function.decreases.is_empty() {
                self.self_reference(function, &|other| components[other] == components[idx]);
            }
            self.clauses(&function.decreases);
        }
        for method in &bodies.methods {
            self.clauses(&method.decreases);
            method.body.iter().flatten().for_each(|it| self.loop_clauses(it));
        }
    }

    /// A postcondition that mentions the function, or one that its body leads to and back from, needs a measure. Of nested applications, the outermost is reported.
    fn self_reference(&mut self, function: &Function<'a>, in_cycle: &dyn Fn(usize) -> bool) {
        let mut found: Vec<Span> = Vec::new();
        function.post.iter().for_each(|it| outermost(it, in_cycle, &mut found));
        for span in found {
            let name = &function.decl.name.text;
            self.error(span, format!("the postcondition of {name} refers to {name} and needs a \"decreases\" clause"));
        }
    }

    fn loop_clauses(&mut self, stmt: &Stmt<'a>) {
        if let StmtKind::While { decreases, .. } = &stmt.kind {
            self.clauses(decreases);
        }
        stmt.parts(&mut |_| {}, &mut |it| self.loop_clauses(it));
    }

    fn clauses(&mut self, clauses: &[Decreases<'a>]) {
        clauses.iter().flat_map(|it| &it.tuple).for_each(|it| self.measure(it));
        let kinds = [
            (MeasureKind::Tuple, "multiple decreases tuples"),
            (MeasureKind::Wildcard, "multiple decreases wildcards"),
            (MeasureKind::Star, "multiple decreases stars"),
        ];
        for (kind, message) in kinds {
            let mut same = clauses.iter().filter(|it| it.kind == kind);
            if let (Some(first), Some(_)) = (same.next(), same.next()) {
                self.error(first.span, message);
            }
        }
    }

    fn measure(&mut self, node: &Node<'a>) {
        match node.op {
            Op::InhaleExhale => self.error(node.span, "inhale-exhale expressions are not allowed as measures"),
            Op::Perm => return,
            _ if node.is_wand() => self.error(node.span, "magic wands are not allowed as measures"),
            _ => {}
        }
        let skipped = match node.op {
            Op::Cond | Op::Applying | Op::Unfolding => 1,
            _ => 0,
        };
        node.args.iter().skip(skipped).for_each(|it| self.measure(it));
    }
}

fn outermost(node: &Node, in_cycle: &dyn Fn(usize) -> bool, out: &mut Vec<Span>) {
    match node.op {
        Op::Function(id) if in_cycle(id.index()) => out.push(node.span),
        _ => node.parts().for_each(|it| outermost(it, in_cycle, out)),
    }
}

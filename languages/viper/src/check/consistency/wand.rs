//! Magic wands, their proof scripts, and `forperm`.
//!
//! Knows: where `old[lhs]` and ghost operations may stand, what a proof script may do. Never: other rules.

use super::{Consistency, assigns_field};
use crate::check::tree::{Node, Op, Stmt, StmtKind, Target};
use effigy_contracts::program::VarId;
use rustc_hash::FxHashSet;

/// Which side of a wand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Left,
    Right,
}

impl<'a> Consistency<'_, 'a> {
    pub fn wand(&mut self, wand: &Node<'a>) {
        self.old_lhs(&wand.args[0], Side::Left);
        self.old_lhs(&wand.args[1], Side::Right);
        let impure_ghost = |it: &Node| matches!(it.op, Op::Unfolding | Op::Applying) && !it.is_pure();
        if wand.any(&mut |it| impure_ghost(it)) {
            self.error(wand.span, "ghost operations may not occur inside of wands");
        }
    }

    fn old_lhs(&mut self, node: &Node<'a>, side: Side) {
        if node.is_wand() {
            self.old_lhs(&node.args[0], Side::Left);
            return self.old_lhs(&node.args[1], Side::Right);
        }
        if matches!(node.op, Op::OldLhs) && side != Side::Right {
            self.error(node.span, "wands may use old[lhs] on the right side and in their proof script only");
        }
        node.parts().for_each(|it| self.old_lhs(it, side));
    }

    /// What a proof script may not do.
    pub fn proof_script(&mut self, script: &[Stmt<'a>]) {
        let mut own = FxHashSet::default();
        for stmt in script {
            if let StmtKind::Local(ids) = &stmt.kind {
                own.extend(ids.iter().copied());
            }
        }
        script.iter().for_each(|it| self.proof_step(it, &own));
    }

    fn proof_step(&mut self, stmt: &Stmt<'a>, own: &FxHashSet<VarId>) {
        let message = match &stmt.kind {
            StmtKind::New(..) => "new statements are not allowed in magic wand proof scripts",
            StmtKind::While { .. } => "while statements are not allowed in magic wand proof scripts",
            StmtKind::Assign(Target::Var(id, _), _) if !own.contains(id) => {
                "can only assign to local variables that were declared inside the proof script"
            }
            // It has its own script.
            StmtKind::Package(..) => return,
            _ if assigns_field(stmt) => "field assignments are not allowed in magic wand proof scripts",
            _ => return stmt.parts(&mut |_| {}, &mut |it| self.proof_step(it, own)),
        };
        self.error(stmt.span, message);
    }

    /// The variables of `forperm` are used, directly, as arguments of the resource.
    pub fn for_perm_arguments(&mut self, node: &Node<'a>, variables: &[VarId]) {
        let mut args = Vec::new();
        resource_arguments(&node.args[0], &mut args);
        let uses = |arg: &Node<'a>, id: VarId| arg.any(&mut |it| matches!(it.op, Op::Var(var) if var == id));
        for id in variables {
            if !args.iter().any(|it| uses(it, *id)) {
                self.translation_error(node.span, "all quantified variables need to be used in a resource");
            }
            for arg in &args {
                if !matches!(arg.op, Op::Var(_)) && uses(arg, *id) {
                    self.translation_error(arg.span, "quantified arguments can only be used directly");
                }
            }
        }
    }
}

/// The arguments of a field, predicate or wand; those of a wand are what it depends on.
fn resource_arguments<'n, 'a>(node: &'n Node<'a>, out: &mut Vec<&'n Node<'a>>) {
    match node.op {
        Op::Field(_) | Op::Predicate(_) => out.extend(&node.args),
        _ if node.is_wand() => node.args.iter().for_each(|it| wand_holes(it, out)),
        _ => {}
    }
}

/// The largest parts of a wand that do not depend on the heap.
fn wand_holes<'n, 'a>(node: &'n Node<'a>, out: &mut Vec<&'n Node<'a>>) {
    let heap = &mut |it: &Node<'a>| {
        let location = matches!(it.op, Op::Field(_) | Op::Predicate(_) | Op::Acc | Op::Function(_));
        location || matches!(it.op, Op::Old | Op::OldLabel(_) | Op::OldLhs | Op::Perm) || it.is_wand()
    };
    if node.any(heap) {
        node.args.iter().for_each(|it| wand_holes(it, out));
    } else {
        out.push(node);
    }
}

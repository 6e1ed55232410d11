//! Smaller programs, for people: one statement less, or a part instead of the whole.

use effigy_oo::run::program::*;
use std::rc::Rc;

/// The smallest program that still fails, by removing greedily, with what it fails with.
pub fn smallest(program: Program, why: String, fails: &dyn Fn(&Program) -> Option<String>) -> (Program, String) {
    let (mut best, mut why) = (program, why);
    while let Some(found) = candidates(&best).into_iter().find_map(|it| fails(&it).map(|why| (it, why))) {
        (best, why) = found;
    }
    (best, why)
}

fn candidates(program: &Program) -> Vec<Program> {
    let mut res = Vec::new();
    for (at, routine) in program.routines.iter().enumerate() {
        for body in blocks(&routine.body) {
            let mut smaller = program.clone();
            smaller.routines[at].body = body;
            res.push(smaller);
        }
    }
    res
}

/// The blocks that are one step smaller, the smallest first.
fn blocks(block: &Block) -> Vec<Block> {
    let with = |at: usize, instead: &[Stmt]| -> Block {
        block[..at].iter().chain(instead).chain(&block[at + 1..]).cloned().collect()
    };
    let mut res: Vec<Block> = (0..block.len()).map(|at| with(at, &[])).collect();
    for (at, stmt) in block.iter().enumerate() {
        let own = |kind| Stmt { kind: Rc::new(kind), id: stmt.id };
        let mut inside = |parts: &[&Block], build: &dyn Fn(Vec<Block>) -> StmtKind| {
            res.extend(parts.iter().map(|it| with(at, it)));
            for (index, part) in parts.iter().enumerate() {
                for smaller in blocks(part) {
                    let mut parts: Vec<Block> = parts.iter().map(|it| Rc::clone(it)).collect();
                    parts[index] = smaller;
                    res.push(with(at, &[own(build(parts))]));
                }
            }
        };
        match &*stmt.kind {
            StmtKind::If(cond, then, other) => {
                inside(&[then, other], &|it| StmtKind::If(cond.clone(), it[0].clone(), it[1].clone()))
            }
            StmtKind::While(cond, body) => inside(&[body], &|it| StmtKind::While(cond.clone(), it[0].clone())),
            StmtKind::Block(body) => inside(&[body], &|it| StmtKind::Block(it[0].clone())),
            StmtKind::Atomic(body) => inside(&[body], &|it| StmtKind::Atomic(it[0].clone())),
            StmtKind::Par(threads) => inside(&threads.iter().collect::<Vec<_>>(), &|it| StmtKind::Par(it)),
            StmtKind::Assign(target, value) => {
                for value in expressions(value) {
                    res.push(with(at, &[own(StmtKind::Assign(target.clone(), value))]));
                }
            }
            StmtKind::Assert(cond) => {
                for cond in expressions(cond) {
                    res.push(with(at, &[own(StmtKind::Assert(cond))]));
                }
            }
            _ => {}
        }
    }
    res
}

/// Operands of the same type, in the expression's place.
fn expressions(of: &Expr) -> Vec<Expr> {
    match &*of.kind {
        ExprKind::Cond(cond, then, other) => {
            let rebuilt = |it| Expr { kind: Rc::new(it), span: of.span };
            let mut res = vec![then.clone(), other.clone()];
            res.extend(
                expressions(cond).into_iter().map(|it| rebuilt(ExprKind::Cond(it, then.clone(), other.clone()))),
            );
            res.extend(
                expressions(then).into_iter().map(|it| rebuilt(ExprKind::Cond(cond.clone(), it, other.clone()))),
            );
            res.extend(
                expressions(other).into_iter().map(|it| rebuilt(ExprKind::Cond(cond.clone(), then.clone(), it))),
            );
            res
        }
        ExprKind::Op(op, operands) => {
            let same = matches!(op, Op::And | Op::Or | Op::Implies | Op::Not | Op::Add | Op::Sub | Op::Mul | Op::Neg);
            let mut res = if same { operands.clone() } else { Vec::new() };
            for (at, operand) in operands.iter().enumerate() {
                for smaller in expressions(operand) {
                    let mut operands = operands.clone();
                    operands[at] = smaller;
                    res.push(Expr { kind: Rc::new(ExprKind::Op(*op, operands)), span: of.span });
                }
            }
            res
        }
        _ => Vec::new(),
    }
}

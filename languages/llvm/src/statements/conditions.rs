//! How the condition of a line came out, as its source has it.
//!
//! Knows: branches, where they lead, the text of lines. Never: states.
//!
//! `if (a && b)` is two branches, and `!a` is one whose sides are exchanged: what is asked is not which side a branch took
//! but where the line was left. The compiler lays out what a condition guards before what comes otherwise: of the two
//! places to which the branches of a line lead, the first is where it holds. Where there are not two, or the line has
//! several conditions or only a part of one, nothing is claimed; nor of a function that was optimised.

use crate::code::{Code, Func, Inst};
use effigy_engine::{Conditional, Place, Standing};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

/// The conditions of a program.
#[derive(Clone, Debug, Default)]
pub(crate) struct Conditions {
    /// For a branch, by function and instruction, the places to which it leads and what came out there.
    outcomes: HashMap<(u32, u32), Vec<(u32, bool)>>,
    lines: HashMap<(Arc<str>, u32), Conditional>,
}

impl Conditions {
    pub(super) fn find(code: &Code, text: &dyn Fn(&Place) -> Option<Arc<str>>) -> Conditions {
        let mut res = Conditions::default();
        for (number, function) in code.functions.iter().enumerate().filter(|it| !it.1.library) {
            let mut lines: BTreeMap<(Arc<str>, u32), Vec<u32>> = BTreeMap::new();
            for (at, (inst, &place)) in function.code.iter().zip(&function.places).enumerate() {
                let place = &code.places[place as usize];
                if matches!(inst, Inst::Branch { .. }) && place.line > 0 {
                    lines.entry((Arc::clone(&place.file), place.line)).or_default().push(at as u32);
                }
            }
            for (line, branches) in lines {
                let place = &code.places[function.places[branches[0] as usize] as usize];
                let text = text(place).filter(|it| has_one_condition(it) && !function.may_be_optimised);
                let found = text.and_then(|it| exits(code, function, &branches, is_for(&it)));
                let known = if found.is_some() { Conditional::One } else { Conditional::Ambiguous };
                // Of a macro or a template there may be several.
                let entry = res.lines.entry(line).or_insert(known);
                if *entry != known {
                    *entry = Conditional::Ambiguous;
                }
                for (branch, ways) in found.into_iter().flatten() {
                    res.outcomes.insert((number as u32, branch), ways);
                }
            }
        }
        res
    }

    pub(crate) fn outcome(&self, from: Standing, to: Standing) -> Option<bool> {
        if (from.procedure, from.depth) != (to.procedure, to.depth) {
            return None;
        }
        let ways = self.outcomes.get(&(from.procedure, from.position))?;
        ways.iter().find(|it| it.0 == to.position).map(|it| it.1)
    }

    pub(crate) fn of_line(&self, file: &Arc<str>, line: u32) -> Conditional {
        self.lines.get(&(Arc::clone(file), line)).copied().unwrap_or(Conditional::NoCondition)
    }
}

/// Whether a line has one condition and all of it.
fn has_one_condition(text: &str) -> bool {
    let code = text.split("//").next().unwrap_or(text);
    let open = code.matches('(').count();
    let words = code.split(|it: char| !it.is_alphanumeric() && it != '_');
    let conditions = words.filter(|it| matches!(*it, "if" | "while" | "for" | "switch")).count();
    open == code.matches(')').count() && conditions + code.matches('?').count() <= 1
}

/// Where a way out of a line's branches leads, with the branches and sides by which it is taken.
type Exits = (u32, Vec<(u32, bool)>);

/// What of each branch of a line leads where its condition holds, and where it does not.
fn exits(code: &Code, function: &Func, branches: &[u32], is_for: bool) -> Option<Vec<Exits>> {
    let mut all = BTreeSet::new();
    let mut ways: Vec<(u32, Vec<u32>)> = Vec::new();
    for &branch in branches {
        let Inst::Branch { then, other, .. } = function.code[branch as usize] else { continue };
        let targets = [then, other].map(|it| code.edges[it as usize].target);
        let outside: Vec<u32> =
            targets.into_iter().filter(|&it| !leads_on(code, function, branches, it, branch)).collect();
        all.extend(outside.iter().copied());
        ways.push((branch, outside));
    }
    let [first, second] = all.into_iter().collect::<Vec<_>>()[..] else { return None };
    let key = |it| if is_for { behind(code, function, it) } else { it };
    let (holds, fails) = match key(first).cmp(&key(second)) {
        std::cmp::Ordering::Less => (first, second),
        std::cmp::Ordering::Greater => (second, first),
        std::cmp::Ordering::Equal => return None,
    };
    let outcome = |target: u32| (target == holds || target == fails).then_some((target, target == holds));
    Some(
        ways.into_iter().map(|(branch, targets)| (branch, targets.into_iter().filter_map(outcome).collect())).collect(),
    )
}

fn is_for(text: &str) -> bool {
    text.split(|it: char| !it.is_alphanumeric() && it != '_').any(|it| it == "for")
}

/// Where the way goes on that begins with the end of variables' lives: a `for` that declares one has such a block, which
/// stands before its body.
fn behind(code: &Code, function: &Func, from: u32) -> u32 {
    let mut at = from;
    loop {
        match function.code.get(at as usize) {
            // The address of the variable is another type's first.
            Some(Inst::Life { .. } | Inst::AnyContent { .. } | Inst::Mov { .. } | Inst::Cast { .. }) => at += 1,
            Some(Inst::Jump { edge }) if code.edges[*edge as usize].target > at => {
                return code.edges[*edge as usize].target;
            }
            _ => return from,
        }
    }
}

/// Whether what begins at `from` is the next part of the condition: forward, on its line, up to one of its branches.
fn leads_on(code: &Code, function: &Func, branches: &[u32], from: u32, branch: u32) -> bool {
    let line = code.places[function.places[branch as usize] as usize].line;
    let mut at = from;
    let mut before = branch;
    while at > before {
        if branches.contains(&at) {
            return true;
        }
        let place = &code.places[function.places[at as usize] as usize];
        if place.line != line && place.line != 0 {
            return false;
        }
        before = at;
        at = match function.code[at as usize] {
            Inst::Jump { edge } => code.edges[edge as usize].target,
            Inst::Branch { .. } | Inst::Switch { .. } | Inst::Ret { .. } | Inst::Unreachable => return false,
            _ => at + 1,
        };
    }
    false
}

#[cfg(test)]
mod tests {
    use super::has_one_condition;

    #[test]
    fn a_line_has_one_condition_or_nothing_is_claimed() {
        assert!(has_one_condition("if (a && (b || c)) {"));
        assert!(has_one_condition("x = y ? 1 : 2;"));
        assert!(!has_one_condition("if (a &&"));
        assert!(!has_one_condition("if (a) if (b) f();"));
        assert!(!has_one_condition("while (a ? b : c)"));
    }
}

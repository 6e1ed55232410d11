//! How conditions come out, as the source has them.
//!
//! Knows: branches, where they lead, the text of sources. Never: states.
//!
//! `if (a && b)` is two branches, and `!a` is one whose sides are exchanged: what is asked is not which side a branch took
//! but where the condition was left. clang's labels say that (`if.then`, `while.end`), and its columns say which condition
//! of the text a branch belongs to. The condition is on the line of its keyword, wherever its parts stand: of an `if` or a
//! `do … while` over several lines as well. Where several conditions share a line nothing is claimed of it; nor of a
//! function that was optimised.
//!
//! Where labels were discarded, or a condition is no keyword's (`? :`, a macro), a line has one condition if its text has:
//! of two places to which its branches lead, the first is where it holds, as clang lays them out.

use super::constructs::{Construct, constructs};
use crate::code::{Code, Func, Inst};
use crate::ir::role::BlockRole;
use effigy_engine::{Conditional, Standing};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

/// File and line.
type Line = (Arc<str>, u32);

/// For a branch, the places to which it leads and what came out there.
type Outcomes = Vec<(u32, bool)>;

/// The conditions of a program.
#[derive(Clone, Debug, Default)]
pub(crate) struct Conditions {
    /// By function and instruction.
    outcomes: HashMap<(u32, u32), Outcomes>,
    lines: HashMap<Line, Conditional>,
    /// The line of the keyword of a branch that stands on another line, by function and instruction.
    pub(super) moved: BTreeMap<(u32, u32), u32>,
}

/// What a line has to do with conditions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Claim {
    /// It is the line of the condition of this keyword.
    Of(u32, u32),
    /// It is the line of a condition without a keyword, by its function and first branch.
    Other(u32, u32),
    /// It has a part of a condition, or nobody knows what.
    Unclear,
}

impl Conditions {
    pub(super) fn find(code: &Code, text: &dyn Fn(&str) -> Option<Arc<str>>) -> Conditions {
        let mut res = Conditions::default();
        let mut texts: HashMap<Arc<str>, Text> = HashMap::new();
        let mut claims: BTreeMap<Line, BTreeSet<Claim>> = BTreeMap::new();
        for (number, function) in code.functions.iter().enumerate().filter(|it| !it.1.library) {
            let number = number as u32;
            let place = |at: u32| &code.places[function.places[at as usize] as usize];
            for group in groups(code, function) {
                let Some(&first) = group.first() else { continue };
                let file = Arc::clone(&place(first).file);
                let source = texts.entry(Arc::clone(&file)).or_insert_with(|| Text::new(text(&file).as_deref()));
                let mut claim = |line: u32, claim: Claim| {
                    claims.entry((Arc::clone(&file), line)).or_default().insert(claim);
                };
                let lines: BTreeSet<u32> = group.iter().map(|&at| place(at).line).collect();
                let construct =
                    (!function.may_be_optimised).then(|| source.construct(code, function, &group)).flatten();
                if let Some(construct) = construct {
                    let keyword = construct.keyword;
                    claim(keyword.0, Claim::Of(keyword.0, keyword.1));
                    let (from, to) = (construct.condition.0.0, construct.condition.1.0);
                    (from..=to).chain(lines).filter(|it| *it != keyword.0).for_each(|it| claim(it, Claim::Unclear));
                    // A value that is computed before (`x = a && b;`) may lead here, too, and is no part of the condition.
                    for &branch in group.iter().filter(|it| is_in(construct, code, function, **it)) {
                        if place(branch).line != keyword.0 {
                            res.moved.insert((number, branch), keyword.0);
                        }
                        res.outcomes.insert((number, branch), by_labels(code, function, branch));
                    }
                    continue;
                }
                let line = lines.first().copied().filter(|_| lines.len() == 1 && !function.may_be_optimised);
                let condition = line.and_then(|line| source.line(line)).filter(|it| has_one_condition(it));
                let found = condition.and_then(|it| {
                    if function.roles.is_empty() {
                        return exits(code, function, &group, is_for(it));
                    }
                    // Of a keyword whose condition was not found nothing is known; without one there is a macro, or `? :`.
                    let ends = || group.iter().flat_map(|&it| targets(code, function, it)).map(|it| role(function, it));
                    match ends().any(|it| matches!(it, BlockRole::Holds | BlockRole::Fails | BlockRole::Choice)) {
                        true if !has_keyword(it) => exits(code, function, &group, false),
                        _ => None,
                    }
                });
                for &line in &lines {
                    claim(line, if found.is_some() { Claim::Other(number, first) } else { Claim::Unclear });
                }
                for (branch, ways) in found.into_iter().flatten() {
                    res.outcomes.insert((number, branch), ways);
                }
            }
        }
        res.lines = claims
            .into_iter()
            .map(|(line, claims)| {
                let is_one = claims.len() == 1 && !claims.contains(&Claim::Unclear);
                (line, if is_one { Conditional::One } else { Conditional::Ambiguous })
            })
            .collect();
        res.forget_the_unclear(code);
        res
    }

    /// What comes out on a line of which nothing is claimed is nothing.
    fn forget_the_unclear(&mut self, code: &Code) {
        let Conditions { outcomes, lines, moved } = self;
        outcomes.retain(|&(function, branch), _| {
            let place = &code.places[code.functions[function as usize].places[branch as usize] as usize];
            let line = moved.get(&(function, branch)).copied().unwrap_or(place.line);
            lines.get(&(Arc::clone(&place.file), line)) == Some(&Conditional::One)
        });
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

/// A source text.
struct Text {
    lines: Vec<String>,
    constructs: Vec<Construct>,
}

impl Text {
    fn new(text: Option<&str>) -> Text {
        let text = text.unwrap_or_default();
        Text { lines: text.lines().map(|it| it.trim().to_owned()).collect(), constructs: constructs(text) }
    }

    fn line(&self, number: u32) -> Option<&str> {
        self.lines.get((number as usize).checked_sub(1)?).map(String::as_str)
    }

    /// The condition that these branches are; `None` where they are none or parts of several.
    fn construct(&self, code: &Code, function: &Func, group: &[u32]) -> Option<&Construct> {
        let mut found: Option<&Construct> = None;
        for &branch in group {
            // The innermost ends first.
            let Some(own) = self.constructs.iter().find(|it| is_in(it, code, function, branch)) else { continue };
            if found.is_some_and(|it| it != own) {
                return None;
            }
            found = Some(own);
        }
        // At least one of them leaves it by a label.
        found.filter(|_| group.iter().any(|&it| !by_labels(code, function, it).is_empty()))
    }
}

/// Whether a branch decides a condition, or stands in it.
fn is_in(construct: &Construct, code: &Code, function: &Func, branch: u32) -> bool {
    let place = &code.places[function.places[branch as usize] as usize];
    let at = (place.line, place.column);
    let goes_back = targets(code, function, branch).iter().any(|it| *it <= branch);
    let decides = match construct.body {
        // There the body may begin or end with another branch.
        Some((begin, end)) => goes_back && (at == begin || Some(at) == end),
        None => !goes_back && at == construct.keyword,
    };
    decides || construct.contains(at)
}

fn targets(code: &Code, function: &Func, branch: u32) -> [u32; 2] {
    match function.code[branch as usize] {
        Inst::Branch { then, other, .. } => [then, other].map(|it| code.edges[it as usize].target),
        _ => [branch, branch],
    }
}

fn role(function: &Func, at: u32) -> BlockRole {
    let found = function.roles.binary_search_by_key(&at, |it| it.0);
    found.map_or(BlockRole::Other, |it| function.roles[it].1)
}

/// Where a branch leaves its condition, and what came out there.
fn by_labels(code: &Code, function: &Func, branch: u32) -> Outcomes {
    let ways = targets(code, function, branch).into_iter().filter_map(|target| match role(function, target) {
        BlockRole::Holds => Some((target, true)),
        BlockRole::Fails => Some((target, false)),
        BlockRole::Part | BlockRole::Choice | BlockRole::Other => None,
    });
    ways.collect()
}

/// The branches of a function, those of one condition together: they leave it for the same places. Where labels were
/// discarded, those of one line.
fn groups(code: &Code, function: &Func) -> Vec<Vec<u32>> {
    let is_branch = |at: &u32| {
        let place = &code.places[function.places[*at as usize] as usize];
        matches!(function.code[*at as usize], Inst::Branch { .. }) && place.line > 0
    };
    let branches: Vec<u32> = (0..function.code.len() as u32).filter(is_branch).collect();
    if function.roles.is_empty() {
        let mut lines: BTreeMap<Line, Vec<u32>> = BTreeMap::new();
        for branch in branches {
            let place = &code.places[function.places[branch as usize] as usize];
            lines.entry((Arc::clone(&place.file), place.line)).or_default().push(branch);
        }
        return lines.into_values().collect();
    }
    // Each branch is in the group of the first place at which it meets another: later branches decide.
    let mut group_of: HashMap<u32, usize> = HashMap::new();
    let mut res: Vec<Vec<u32>> = Vec::new();
    let mut of_target: HashMap<u32, usize> = HashMap::new();
    for &branch in branches.iter().rev() {
        let ends = targets(code, function, branch);
        let known = ends.iter().find_map(|&target| match role(function, target) {
            BlockRole::Holds | BlockRole::Fails | BlockRole::Choice => of_target.get(&target).copied(),
            BlockRole::Part => next_branch(code, function, target).and_then(|it| group_of.get(&it).copied()),
            BlockRole::Other => None,
        });
        let group = known.unwrap_or_else(|| {
            res.push(Vec::new());
            res.len() - 1
        });
        res[group].push(branch);
        group_of.insert(branch, group);
        for target in ends {
            if matches!(role(function, target), BlockRole::Holds | BlockRole::Fails | BlockRole::Choice) {
                of_target.insert(target, group);
            }
        }
    }
    res.iter_mut().for_each(|it| it.reverse());
    res.reverse();
    res
}

/// The branch to which the block at `from` leads, which is a part of a condition.
fn next_branch(code: &Code, function: &Func, from: u32) -> Option<u32> {
    let mut at = from;
    loop {
        at = match function.code.get(at as usize)? {
            Inst::Branch { .. } => return Some(at),
            // The value of a condition is put together in a block of its own.
            Inst::Jump { edge } => {
                let target = code.edges[*edge as usize].target;
                if target <= at || role(function, target) != BlockRole::Part {
                    return None;
                }
                target
            }
            _ => only_successor(code, function, at)?,
        };
    }
}

/// The instruction that always follows the one at `at`; `None` if there are several or none: a call that does not return
/// may be the last instruction of its function.
fn only_successor(code: &Code, function: &Func, at: u32) -> Option<u32> {
    let target = |edge: u32| code.edges[edge as usize].target;
    match function.code.get(at as usize)? {
        Inst::Jump { edge } => Some(target(*edge)),
        Inst::Branch { .. } | Inst::Switch { .. } | Inst::Ret { .. } | Inst::Unreachable => None,
        Inst::Call { call } => match &code.calls[*call as usize] {
            call if call.never_returns => None,
            call => Some(call.normal.map_or(at + 1, target)),
        },
        _ => Some(at + 1),
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

fn has_keyword(text: &str) -> bool {
    text.split(|it: char| !it.is_alphanumeric() && it != '_').any(|it| matches!(it, "if" | "while" | "for" | "do"))
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
            Some(
                Inst::Life { .. }
                | Inst::AnyContent { .. }
                | Inst::Mov { .. }
                | Inst::Cast { .. }
                | Inst::ThreadLocal { .. }
                | Inst::Defined { .. },
            ) => at += 1,
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
        let Some(next) = only_successor(code, function, at) else { return false };
        at = next;
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

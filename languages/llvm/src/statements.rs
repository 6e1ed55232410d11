//! The statements of a program, as a person counts them: lines.
//!
//! Knows: places of instructions, lines of source texts. Never: states; files (the source text is given).

mod braces;
mod conditions;
mod constructs;
mod reach;

use crate::code::{Code, Inst, is_our_header};
use conditions::Conditions;
use effigy_engine::{Place, Statement};
use reach::Reach;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

/// The statements of a program.
#[derive(Clone, Debug, Default)]
pub(crate) struct Statements {
    /// In the order of the source.
    pub(crate) all: Vec<Statement>,
    /// The statement of each place, by its number.
    of_place: Vec<Option<u32>>,
    /// The statement of a branch that decides a condition whose keyword is on another line, by function and instruction.
    of_branch: BTreeMap<(u32, u32), u32>,
    /// For each function its last brace, where the source is known.
    pub(crate) ends: HashMap<u32, Statement>,
    /// How conditions come out.
    pub(crate) conditions: Conditions,
    /// Which lines lie ahead.
    pub(crate) reach: Reach,
}

/// Whether nothing stands on a line but the end of a block, and the `else` after it.
fn ends_block(text: &str) -> bool {
    let rest = text.trim_start_matches(['}', ' ', '\t']);
    text.starts_with('}') && (rest.is_empty() || rest.starts_with("else") || rest.starts_with("//") || rest == "{")
}

/// File, line and function of a statement: in the order of the source.
type Line = (Arc<str>, u32, Arc<str>);

impl Statements {
    /// The statements of a program; `read` gives the text of a file.
    pub(crate) fn find(code: &Code, read: &dyn Fn(&str) -> Option<String>) -> Statements {
        let mut texts: HashMap<Arc<str>, Vec<Arc<str>>> = HashMap::new();
        let mut res = Statements {
            all: Vec::new(),
            of_place: vec![None; code.places.len()],
            of_branch: BTreeMap::new(),
            ends: HashMap::new(),
            conditions: Conditions::default(),
            reach: Reach::default(),
        };
        let mut raw: HashMap<Arc<str>, String> = HashMap::new();
        let mut only_jumps: BTreeMap<Line, bool> = BTreeMap::new();
        let mut found: BTreeMap<Line, (Vec<u32>, Statement)> = BTreeMap::new();
        let mut heads = Vec::new();
        for (index, function) in code.functions.iter().enumerate() {
            let mut first = None;
            let mut last = 0;
            let mut before_body = BTreeSet::new();
            for (inst, &number) in function.code.iter().zip(&function.places) {
                let place = &code.places[number as usize];
                if is_our_header(&place.file) {
                    continue;
                }
                // The stores of the parameters stand at the function's head, which has no column.
                if place.line == 0 || (place.column == 0 && first.is_none()) {
                    if place.line != 0 {
                        before_body.insert(number);
                    }
                    continue;
                }
                first.get_or_insert(number);
                last = last.max(place.line);
                let key = (Arc::clone(&place.file), place.line, Arc::clone(&place.function));
                let is_jump = matches!(inst, Inst::Jump { .. });
                let entry = found.entry(key.clone()).or_insert_with(|| {
                    let lines = texts.entry(Arc::clone(&place.file)).or_insert_with(|| {
                        let text = read(&place.file).unwrap_or_default();
                        text.lines().map(|it| it.trim().into()).collect()
                    });
                    let text = lines.get(place.line as usize - 1).cloned().unwrap_or_default();
                    let (number, procedure) = (place.line, Arc::clone(&place.function));
                    (Vec::new(), Statement { number, procedure, text, branches: false, place: place.clone() })
                });
                only_jumps.entry(key).and_modify(|it| *it &= is_jump).or_insert(is_jump);
                entry.1.branches |= matches!(inst, Inst::Branch { .. } | Inst::Switch { .. });
                if entry.0.last() != Some(&number) {
                    entry.0.push(number);
                }
            }
            heads.extend(before_body.into_iter().map(|it| (it, first)));
            let Some(place) = first.map(|it| &code.places[it as usize]) else { continue };
            let text = raw.entry(Arc::clone(&place.file)).or_insert_with(|| read(&place.file).unwrap_or_default());
            if let Some(line) = braces::closing(text, (place.line, place.column), last) {
                let place = Place { line, column: 0, ..place.clone() };
                let procedure = Arc::clone(&place.function);
                let end = Statement { number: line, procedure, text: "}".into(), branches: false, place };
                res.ends.insert(index as u32, end);
            }
        }
        // Where a block ends there is nothing to execute.
        found.retain(|line, (_, statement)| !(only_jumps[line] && ends_block(&statement.text)));
        for (at, (places, statement)) in found.into_values().enumerate() {
            for place in places {
                res.of_place[place as usize] = Some(at as u32);
            }
            res.all.push(statement);
        }
        res.conditions = Conditions::find(code, &|file| read(file).map(Arc::from));
        res.move_branches(code, &texts);
        for (head, first) in heads {
            if res.of_place[head as usize].is_none() {
                res.of_place[head as usize] = first.and_then(|it| res.of_place[it as usize]);
            }
        }
        res
    }

    /// The statement of an instruction.
    pub(crate) fn of_instruction(&self, code: &Code, function: u32, at: u32) -> Option<&Statement> {
        let place = code.functions[function as usize].places.get(at as usize).copied().unwrap_or(0);
        let of_place = || self.of_place.get(place as usize).copied().flatten();
        let number = self.of_branch.get(&(function, at)).copied().or_else(of_place)?;
        self.all.get(number as usize)
    }

    /// The places of instructions that are on a line of the source, by number.
    pub(crate) fn places_on(&self, code: &Code, is_file: &dyn Fn(&str) -> bool, line: u32) -> Vec<u32> {
        let here = |it: &(usize, &Place)| it.1.line == line && is_file(&it.1.file);
        let mut res: Vec<u32> = code.places.iter().enumerate().filter(here).map(|it| it.0 as u32).collect();
        for (&(function, branch), &statement) in &self.of_branch {
            let place = &self.all[statement as usize].place;
            if place.line == line && is_file(&place.file) {
                res.push(code.functions[function as usize].places[branch as usize]);
            }
        }
        res.sort_unstable();
        res.dedup();
        res
    }

    /// A branch stands on the line of its keyword.
    fn move_branches(&mut self, code: &Code, texts: &HashMap<Arc<str>, Vec<Arc<str>>>) {
        let mut added: BTreeMap<Line, Vec<(u32, u32)>> = BTreeMap::new();
        for (&(function, branch), &line) in &self.conditions.moved {
            let place = &code.places[code.functions[function as usize].places[branch as usize] as usize];
            let key = (Arc::clone(&place.file), line, Arc::clone(&place.function));
            added.entry(key).or_default().push((function, branch));
        }
        for ((file, line, procedure), branches) in added {
            let is_it = |it: &Statement| it.place.line == line && it.place.file == file && it.procedure == procedure;
            let number = self.all.iter().position(is_it).unwrap_or_else(|| {
                let text = texts.get(&file).and_then(|it| it.get(line as usize - 1).cloned()).unwrap_or_default();
                let place = Place { file, line, column: 0, function: Arc::clone(&procedure) };
                self.all.push(Statement { number: line, procedure, text, branches: true, place });
                self.all.len() - 1
            });
            self.all[number].branches = true;
            branches.into_iter().for_each(|it| {
                self.of_branch.insert(it, number as u32);
            });
        }
    }
}

//! StateDetail: what a person reads of a position.
//!
//! Knows: wording and tables. Never: what a formula means (the language shows it).

use crate::command::Shown;
use crate::position::label_text;
use crate::position::{End, Open, Position, is_known};
use crate::session::{Said, Session, undecided};
use crate::table::table;
use effigy_engine::readable::{self, paired};
use effigy_engine::{
    InputData, Inputs, Inspect, Outcome, Place, Statement, Trail, Variable, VariableValue, Witness, run_concretely_from,
};
use effigy_solver::Answer;
use effigy_term::eval::Evaluator;
use effigy_term::{Model, Symbol, SymbolKind, Term};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;
use std::sync::Arc;

/// A concrete run is given up after so many transitions.
const CONCRETE_STEPS: u64 = 10_000_000;

impl<L: Inspect> Session<'_, L> {
    /// A formula in the language's notation, on the path that is looked at.
    pub(crate) fn formula(&self, term: Term) -> String {
        self.language.show_on(self.terms, term, &self.here.trail.bounds(self.terms))
    }

    /// `SEARCH:7`; the file too where several have such a line.
    pub(crate) fn place(&self, statement: &Statement) -> String {
        if statement.procedure.is_empty() {
            return statement.number.to_string();
        }
        format!("{}:{}", statement.procedure, statement.number)
    }

    /// `SEARCH:7  IF X = A(J) THEN DO;`
    pub(crate) fn statement_text(&self, statement: &Statement) -> String {
        let place = self.place(statement);
        if statement.text.is_empty() { place } else { format!("{place}  {}", statement.text) }
    }

    /// Where a position stands, for the table of states.
    pub(crate) fn place_of(&mut self, position: &Position<L::State>) -> String {
        if let Some(end) = &position.end {
            return self.end_summary(end, &position.state);
        }
        self.next_text(&position.state)
    }

    fn next_text(&self, state: &L::State) -> String {
        if self.language.depth(state) == 0 {
            return "no program runs".to_owned();
        }
        let statement = self.language.statement(state);
        if is_known(&statement) { self.statement_text(&statement) } else { "code without source lines".to_owned() }
    }

    /// The statement and what is asked there, for the tree.
    pub(crate) fn question_place(&self, base: &L::State, open: &Open) -> String {
        let place = self.next_text(base);
        match open {
            Open::Branch(_) => place,
            Open::Require { violated, .. } => format!("{place}  ({})", violated.violation.kind.0),
            Open::Value { term, .. } => format!("{place}  (the value of {})", self.formula(*term)),
        }
    }

    /// Everything that is to be said on arrival.
    pub(crate) fn situation(&mut self) -> String {
        let here = Rc::clone(&self.here);
        if let Some(end) = &here.end {
            return self.end_text(&here, end);
        }
        let mut res = self.next_text(&here.state);
        if let Some(question) = &here.question {
            res.push('\n');
            res.push_str(&self.ways(&question.open));
        }
        res.push_str(&undecided(&here.trail));
        res
    }

    /// The ways on from an open question.
    pub(crate) fn ways(&self, open: &Open) -> String {
        let note = |trail: &Trail| match &trail.undecided {
            Some(reason) => format!("  (the solver could not tell: {reason})"),
            None => String::new(),
        };
        match open {
            Open::Branch(sides) => {
                let mut rows = Vec::new();
                for (at, side) in sides.iter().enumerate() {
                    let label = match &*label_text(side) {
                        label @ ("true" | "false") => format!("  go {label}"),
                        label => format!("  go {}  ({label})", at + 1),
                    };
                    rows.push(vec![label, format!("{}{}", self.formula(side.cond), note(&side.trail))]);
                }
                format!("unresolved; choose, or assume more and go:\n{}", table(&rows))
            }
            Open::Require { violated, past } => {
                let (holds, fails) = (violated.cond, self.terms.not(violated.cond));
                let rows = [
                    vec!["  go true".to_owned(), format!("{}{}", self.formula(holds), note(past))],
                    vec![
                        "  go false".to_owned(),
                        format!("{}{}, into the error", self.formula(fails), note(&violated.into)),
                    ],
                ];
                let violation = &violated.violation;
                format!(
                    "{} is possible: {}; choose, or assume more and go:\n{}",
                    violation.kind.0,
                    violation.message,
                    table(&rows)
                )
            }
            Open::Value { term, example, .. } => {
                let example = if example.is_empty() { "V" } else { example };
                format!("the value of {} must be chosen here; for example:\n  go = {example}", self.formula(*term))
            }
        }
    }

    /// How a path ended, in a few words.
    pub(crate) fn end_summary(&mut self, end: &End, state: &L::State) -> String {
        match end {
            End::Impossible(what) => format!("not a path: {what}"),
            End::By(Outcome::Exit { code }) => {
                let results = self.results(state);
                let code = code.filter(|_| results.is_empty()).map(|it| format!("exit code {it}"));
                let results: Vec<String> = results.iter().map(|it| self.variable_text(it)).chain(code).collect();
                if results.is_empty() { "ended".to_owned() } else { format!("ended: {}", results.join(", ")) }
            }
            End::By(Outcome::Silent) => "dropped: nothing satisfies an assumption of the program".to_owned(),
            End::By(Outcome::Violation(violation)) => format!("{}: {}", violation.kind.0, violation.message),
            End::GaveUp(it) => it.to_string(),
        }
    }

    fn end_text(&mut self, here: &Position<L::State>, end: &End) -> String {
        let mut res = self.end_summary(end, &here.state);
        let place = match end {
            End::By(Outcome::Violation(violation)) => Some(&violation.place),
            End::GaveUp(it) => Some(&it.place),
            _ => None,
        };
        if let Some(place) = place {
            res.push_str(&place_text(place));
        }
        res.push_str(&format!("\npc: {}", self.path_condition_text(&here.trail)));
        res.push_str(&undecided(&here.trail));
        res
    }

    /// The results of a path that has ended.
    pub(crate) fn results(&mut self, state: &L::State) -> Vec<Variable> {
        let language = self.language;
        language.results(&mut self.context(), state)
    }

    pub(crate) fn value_text(&self, value: &VariableValue) -> String {
        value.text(|it| self.formula(it)).unwrap_or_else(|| "?".to_owned())
    }

    pub(crate) fn variable_text(&self, variable: &Variable) -> String {
        format!("{} = {}", variable.name, self.value_text(&variable.value))
    }

    /// The path condition on one line.
    pub(crate) fn path_condition_text(&mut self, trail: &Trail) -> String {
        let conjuncts = self.readable(trail);
        self.conjunction(&conjuncts)
    }

    fn conjunction(&self, conjuncts: &[Term]) -> String {
        let conjuncts = paired(self.terms, conjuncts);
        let shown: Vec<String> = conjuncts.into_iter().map(|it| self.formula(it)).collect();
        readable::conjunction(&shown)
    }

    pub(crate) fn show(&mut self, what: &Shown) -> Said {
        let here = Rc::clone(&self.here);
        let language = self.language;
        match what {
            Shown::PathCondition { full: false } => Ok(self.path_condition_text(&here.trail)),
            Shown::PathCondition { full: true } => {
                let conjuncts = here.trail.condition.conjuncts();
                let lines: Vec<String> = conjuncts.iter().map(|&it| self.formula(it)).collect();
                Ok(if lines.is_empty() { "true".to_owned() } else { lines.join("\n") })
            }
            Shown::All => {
                let variables = language.variables(&mut self.context(), &here.state);
                let mut rows: Vec<Vec<String>> = Vec::new();
                for it in &variables {
                    rows.push(vec![it.name.to_string(), format!("= {}", self.value_text(&it.value))]);
                }
                rows.push(vec!["pc".to_owned(), format!("= {}", self.path_condition_text(&here.trail))]);
                Ok(table(&rows))
            }
            Shown::Expression(text) => {
                let text = text.trim();
                let variables = language.variables(&mut self.context(), &here.state);
                let exactly = variables.iter().find(|it| &*it.name == text);
                let found = exactly.or_else(|| variables.iter().find(|it| it.name.eq_ignore_ascii_case(text)));
                if let Some(found) = found {
                    return Ok(self.variable_text(found));
                }
                let value = language.describe(&mut self.context(), &here.state, text).map_err(|it| it.to_string())?;
                Ok(format!("{text} = {}", self.value_text(&value)))
            }
        }
    }

    pub(crate) fn list(&self, around: Option<u32>) -> Said {
        let all = self.language.statements();
        let current = self.statement();
        let wanted = match (around, &current) {
            (Some(number), _) => number,
            (None, Some(current)) => current.number,
            (None, None) => 0,
        };
        let procedure = current.as_ref().map(|it| Arc::clone(&it.procedure));
        let of_current = |it: &&Statement| procedure.as_ref().is_none_or(|name| it.procedure == *name);
        let mut listed: Vec<&Statement> = all.iter().filter(of_current).collect();
        if around.is_some() && !listed.iter().any(|it| it.number == wanted) {
            listed = all.iter().collect();
        }
        let at = listed.iter().position(|it| it.number >= wanted).unwrap_or(listed.len());
        let lines = listed.iter().skip(at.saturating_sub(5)).take(11).map(|it| {
            let mark = if current.as_ref().is_some_and(|now| same(now, it)) { "=>" } else { "  " };
            format!("{mark} {}", self.statement_text(it))
        });
        let lines: Vec<String> = lines.collect();
        if lines.is_empty() { Err("there is nothing to list".to_owned()) } else { Ok(lines.join("\n")) }
    }

    pub(crate) fn whereabouts(&mut self) -> String {
        let here = Rc::clone(&self.here);
        let situation = self.situation();
        let depth = self.language.depth(&here.state);
        if here.end.is_some() || depth <= 1 {
            return situation;
        }
        let (first, rest) = situation.split_once('\n').unwrap_or((&situation, ""));
        let rest = if rest.is_empty() { String::new() } else { format!("\n{rest}") };
        format!("{first}\nat depth {depth} of calls{rest}")
    }

    // Witnesses.

    /// A model of the path condition.
    fn model(&mut self, trail: &Trail) -> Result<Model, String> {
        if let Some(model) = &trail.witness {
            return Ok(model.clone().into_model());
        }
        match self.engine().satisfiable(trail) {
            Answer::Sat(model) => Ok(model),
            Answer::Unsat => Err("nothing satisfies the path condition".to_owned()),
            Answer::Unknown(reason) => Err(format!("the solver could not tell: {reason}")),
        }
    }

    /// The symbols that a person would know: of the path condition, the variables and `more`.
    fn symbols(&mut self, position: &Position<L::State>, more: &[Term]) -> BTreeSet<Symbol> {
        let language = self.language;
        let mut found = position.trail.condition.conjuncts();
        found.extend_from_slice(more);
        for variable in language.variables(&mut self.context(), &position.state) {
            found.extend(variable.value.terms());
        }
        let terms = self.terms;
        let all = found.into_iter().flat_map(|it| terms.symbols(it).iter().copied());
        all.filter(|&it| matches!(terms.symbol_info(it).kind, SymbolKind::Input | SymbolKind::Fresh)).collect()
    }

    /// The inputs with their values under a model: those that the program has read, and the user's own symbols.
    pub(crate) fn inputs_under(&mut self, position: &Position<L::State>, model: &Model, more: &[Term]) -> Vec<String> {
        let language = self.language;
        let witness = language.witness(&self.context(), &position.state, model);
        let mut res = Vec::new();
        let mut named: Vec<String> = Vec::new();
        for input in &witness.inputs {
            res.push(format!("{} = {}", input.name, data_text(&input.data)));
            named.push(input.name.clone());
        }
        let mut others = BTreeMap::new();
        for symbol in self.symbols(position, more) {
            let info = self.terms.symbol_info(symbol);
            let part =
                |it: &String| info.name.strip_prefix(&**it).is_some_and(|it| it.is_empty() || it.starts_with('['));
            if named.iter().any(part) {
                continue;
            }
            if let Some(value) = Evaluator::new(self.terms, model).value(self.terms.of_symbol(symbol)) {
                others.insert(info.name.to_string(), self.formula(self.terms.of_value(info.sort, &value)));
            }
        }
        res.extend(others.into_iter().map(|(name, value)| format!("{name} = {value}")));
        res
    }

    pub(crate) fn witness(&mut self) -> Said {
        let here = Rc::clone(&self.here);
        let model = self.model(&here.trail)?;
        let inputs = self.inputs_under(&here, &model, &[]);
        Ok(if inputs.is_empty() { "no input is needed to come here".to_owned() } else { inputs.join("\n") })
    }

    /// Runs the program concretely on the witness, and says how it ends.
    pub(crate) fn test(&mut self) -> Said {
        let here = Rc::clone(&self.here);
        let model = self.model(&here.trail)?;
        let mut text = self.inputs_under(&here, &model, &[]).join(", ");
        let terms = self.terms;
        let mut values = HashMap::new();
        for symbol in model.symbols().map(|it| it.0).chain(self.symbols(&here, &[])) {
            let value = Evaluator::new(terms, &model).value(terms.of_symbol(symbol));
            values.extend(value.map(|it| (terms.symbol_info(symbol).name.to_string(), it)));
        }
        let inputs = Inputs::Concrete(values);
        let language = self.language;
        let mut failure = None;
        let (run, state) = run_concretely_from(language, terms, &inputs, CONCRETE_STEPS, |ctx| match &here.origin {
            None => language.start(ctx),
            Some(call) => language.call(ctx, call).unwrap_or_else(|error| {
                failure = Some(error.to_string());
                language.start(ctx)
            }),
        });
        if let Some(failure) = failure {
            return Err(failure);
        }
        text = if text.is_empty() { "no input".to_owned() } else { text };
        let end = match run.outcome {
            None => format!("no end after {} transitions", run.steps),
            Some(Ok(Outcome::Exit { code })) => {
                let results = language.results(
                    &mut effigy_engine::Context::new(
                        terms,
                        &inputs,
                        &mut effigy_engine::Coverage::default(),
                        &mut effigy_engine::Notes::default(),
                    ),
                    &state,
                );
                let mut results: Vec<String> = results.iter().map(|it| self.variable_text(it)).collect();
                if results.is_empty() {
                    results.extend(code.map(|it| format!("exit code {it}")));
                    results.extend(output_text(&run.witness));
                }
                if results.is_empty() { "ended".to_owned() } else { format!("ended: {}", results.join(", ")) }
            }
            Some(outcome) => {
                let place = match &outcome {
                    Ok(Outcome::Violation(violation)) => place_text(&violation.place),
                    _ => String::new(),
                };
                format!("{}{place}", self.end_summary(&outcome.map_or_else(End::GaveUp, End::By), &state))
            }
        };
        let mut res = format!("with {text}\n{end}");
        if here.edited {
            res.push_str("\n(what was `set` by hand is no part of this run)");
        }
        Ok(res)
    }
}

fn same(a: &Statement, b: &Statement) -> bool {
    a.number == b.number && a.procedure == b.procedure && a.place.column == b.place.column
}

/// The place for people, with a word before it: ` at file.c:12`; empty if it is unknown.
pub(crate) fn place_text(place: &Place) -> String {
    match (&*place.file, &*place.function) {
        (_, _) if place.line == 0 && place.file.is_empty() => String::new(),
        ("", "") => format!(" at line {}", place.line),
        ("", function) => format!(" at {function}:{}", place.line),
        (file, _) => format!(" at {file}:{}", place.line),
    }
}

fn output_text(witness: &Witness) -> Option<String> {
    (!witness.output.is_empty()).then(|| format!("it wrote {:?}", String::from_utf8_lossy(&witness.output)))
}

/// An input's value: a number, a list of numbers, or a text.
fn data_text(data: &InputData) -> String {
    let (bytes, element, signed) = match data {
        InputData::Scalar(text) => return text.clone(),
        InputData::Bytes { bytes, element, signed } => (bytes, *element as usize, *signed),
    };
    if !matches!(element, 1 | 2 | 4 | 8) || bytes.len() % element != 0 {
        return format!("{bytes:?}");
    }
    let number = |it: &[u8]| {
        let sign = if signed && it.last().is_some_and(|it| it & 0x80 != 0) { 0xff } else { 0 };
        let mut word = [sign; 16];
        word[..element].copy_from_slice(it);
        i128::from_le_bytes(word)
    };
    let numbers: Vec<String> = bytes.chunks(element).map(|it| number(it).to_string()).collect();
    match &numbers[..] {
        [only] => only.clone(),
        _ => format!("[{}]", numbers.join(", ")),
    }
}

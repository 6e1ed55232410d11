//! The stack of assertions, what is asked of a solver, and what is answered.
//!
//! Knows: commands, a solver. Never: text that was not read.

use crate::command::{ScriptCommand, Status};
use crate::error::{Position, Problem};
use crate::print::{constant_text, function_text, value_text};
use crate::scope::DeclaredFunction;
use crate::typed::ScriptSort;
use effigy_solver::{Answer, LayerSet, PathCondition, Query, QueryBudget, Solver};
use effigy_term::eval::{Evaluator, default_value};
use effigy_term::model::FunctionValue;
use effigy_term::{Model, Symbol, Term, Terms};
use std::time::{Duration, Instant};

/// How the assertions are put to the solver as φ ∧ q.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum QueryForm {
    /// φ is what was found to be satisfiable, with its model, and q what came after: layers build on that.
    Grown,
    /// The last assertion is q and those before it are φ, as in a query log, where that is how it was asked. Only for a
    /// chain without layers that build on φ being satisfiable.
    Logged,
}

/// One query and its answer.
#[derive(Clone, PartialEq, Debug)]
pub struct CheckedQuery {
    /// The position of the query in the script.
    pub place: Position,
    /// The answer that the solver gave.
    pub answer: Status,
    /// Why the answer is unknown; `None` if it is not.
    pub reason: Option<String>,
    /// The answer that the script says is right, if it says so.
    pub expected: Option<Status>,
    /// Time for reading what was said since the query before.
    pub reading: Duration,
    /// Time that the solver took.
    pub solving: Duration,
}

impl CheckedQuery {
    /// The answer contradicts what the script says.
    pub fn is_wrong(&self) -> bool {
        let decided = |it: Status| it != Status::Unknown;
        self.expected.is_some_and(|it| decided(it) && decided(self.answer) && it != self.answer)
    }
}

/// Assertions that were found to be satisfiable together: the first so many.
struct SatisfiablePrefix {
    count: usize,
    path: PathCondition,
    model: Model,
}

/// The state of a script that is carried out.
pub struct ScriptSession<'a> {
    terms: &'a Terms,
    solver: &'a mut dyn Solver,
    budget: QueryBudget,
    posing: QueryForm,
    assertions: Vec<Term>,
    /// How many assertions there were when each level was opened.
    levels: Vec<usize>,
    /// Prefixes of the assertions that were found satisfiable, the shortest first.
    satisfied: Vec<SatisfiablePrefix>,
    expected: Option<Status>,
    print_success: bool,
    model: Option<Model>,
    /// What was assumed beside the assertions for that model.
    assumed: Vec<Term>,
    reading: Duration,
    queries: Vec<CheckedQuery>,
}

/// φ of which nothing is left out: what a script asserts, it asserts.
fn as_said() -> PathCondition {
    PathCondition::of(LayerSet::NONE)
}

impl std::fmt::Debug for ScriptSession<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Session({} assertions, {:?})", self.assertions.len(), self.queries)
    }
}

impl<'a> ScriptSession<'a> {
    /// A session in which nothing is asserted yet.
    pub fn new(
        terms: &'a Terms,
        solver: &'a mut dyn Solver,
        budget: QueryBudget,
        posing: QueryForm,
    ) -> ScriptSession<'a> {
        ScriptSession {
            terms,
            solver,
            budget,
            posing,
            assertions: Vec::new(),
            levels: Vec::new(),
            satisfied: Vec::new(),
            expected: None,
            print_success: false,
            model: None,
            assumed: Vec::new(),
            reading: Duration::ZERO,
            queries: Vec::new(),
        }
    }

    /// The queries so far, with their answers.
    pub fn queries(&self) -> &[CheckedQuery] {
        &self.queries
    }

    /// Adds to the time spent on reading the script.
    pub fn has_read(&mut self, time: Duration) {
        self.reading += time;
    }

    /// Carries out a command; what is printed.
    ///
    /// # Errors
    /// When it has no sense now.
    pub fn execute(&mut self, command: ScriptCommand, place: Position) -> Result<String, Problem> {
        match command {
            ScriptCommand::Noted => {}
            ScriptCommand::Expect(status) => self.expected = Some(status),
            ScriptCommand::PrintSuccess(on) => self.print_success = on,
            ScriptCommand::Unsupported => return Ok("unsupported\n".to_owned()),
            ScriptCommand::Assert(term) => {
                self.model = None;
                self.assertions.push(term);
            }
            ScriptCommand::CheckSat(assumed) => return Ok(format!("{}\n", self.check(assumed, place))),
            ScriptCommand::Push(count) => {
                self.model = None;
                self.levels.extend((0..count).map(|_| self.assertions.len()));
            }
            ScriptCommand::Pop(count) => {
                self.model = None;
                for _ in 0..count {
                    self.assertions.truncate(self.levels.pop().unwrap_or(0));
                }
                let left = self.assertions.len();
                self.satisfied.retain(|it| it.count <= left);
            }
            ScriptCommand::GetModel { constants, functions } => return self.show_model(&constants, &functions),
            ScriptCommand::GetValue(values) => return self.show_values(&values),
            ScriptCommand::GetInfo(info) => return Ok(self.info(&info)),
            ScriptCommand::Echo(text) => return Ok(format!("{text}\n")),
            ScriptCommand::ResetAssertions => self.forget(),
            ScriptCommand::Reset => {
                self.forget();
                (self.expected, self.print_success) = (None, false);
            }
            ScriptCommand::Exit => {}
        }
        Ok(if self.print_success { "success\n".to_owned() } else { String::new() })
    }

    fn forget(&mut self) {
        self.assertions.clear();
        self.levels.clear();
        self.satisfied.clear();
        self.assumed.clear();
        self.model = None;
    }

    fn check(&mut self, assumed: Vec<Term>, place: Position) -> Status {
        let since = Instant::now();
        self.model = None;
        let (path, witness, goal) = self.posed(&assumed);
        let query =
            Query { path: &path, only: None, goal, witness: witness.as_ref(), tried: false, budget: self.budget };
        let (answer, reason) = match self.solver.check(self.terms, &query) {
            Answer::Sat(model) => {
                self.remember(path, goal, &assumed, &model);
                self.model = Some(model);
                (Status::Sat, None)
            }
            Answer::Unsat => (Status::Unsat, None),
            Answer::Unknown(reason) => (Status::Unknown, Some(reason.to_string())),
        };
        self.assumed = assumed;
        let (expected, reading) = (self.expected.take(), std::mem::take(&mut self.reading));
        self.queries.push(CheckedQuery { place, answer, reason, expected, reading, solving: since.elapsed() });
        answer
    }

    /// The assertions and what is assumed, as φ with a model of it, and q.
    fn posed(&self, assumed: &[Term]) -> (PathCondition, Option<Model>, Term) {
        let terms = self.terms;
        match self.posing {
            QueryForm::Logged => {
                let mut all = self.assertions.iter().chain(assumed).copied();
                let goal = all.next_back().unwrap_or_else(|| terms.bool(true));
                let mut path = as_said();
                all.for_each(|it| path.assume(terms, it));
                (path, None, goal)
            }
            QueryForm::Grown => {
                let (count, path, model) = match self.satisfied.last() {
                    Some(it) => (it.count, it.path.clone(), it.model.clone()),
                    None => (0, as_said(), Model::new()),
                };
                let goal = terms.and_all(self.assertions[count..].iter().chain(assumed).copied());
                (path, Some(model), goal)
            }
        }
    }

    /// A model satisfies all assertions.
    fn remember(&mut self, mut path: PathCondition, goal: Term, assumed: &[Term], model: &Model) {
        if self.posing == QueryForm::Logged {
            return;
        }
        let count = self.assertions.len();
        let known = self.satisfied.last().map_or(0, |it| it.count);
        if assumed.is_empty() {
            path.assume(self.terms, goal);
        } else {
            self.assertions[known..].iter().for_each(|&it| path.assume(self.terms, it));
        }
        // What `pop` cannot cut away is one with what comes now.
        let level = self.levels.last().copied().unwrap_or(0);
        if self.satisfied.last().is_some_and(|it| it.count >= level) {
            self.satisfied.pop();
        }
        self.satisfied.push(SatisfiablePrefix { count, path, model: model.clone() });
    }

    /// The model of the last query; what is shown of it was evaluated on what was asserted.
    fn shown(&self) -> Result<&Model, Problem> {
        let model = self.model.as_ref().ok_or(Problem::Now("there is no model: the last answer was not sat"))?;
        let mut evaluator = Evaluator::new(self.terms, model);
        let wrong = self.assertions.iter().chain(&self.assumed).any(|&it| evaluator.truth(it) == Some(false));
        if wrong {
            Err(Problem::Now("the model does not satisfy the assertions: a bug of the solver"))
        } else {
            Ok(model)
        }
    }

    fn show_model(
        &self,
        constants: &[(String, Symbol, ScriptSort)],
        functions: &[DeclaredFunction],
    ) -> Result<String, Problem> {
        let (terms, model) = (self.terms, self.shown()?);
        let mut res = String::from("(\n");
        for (name, symbol, sort) in constants {
            let default = || default_value(terms, sort.in_arena());
            let value = model.get(*symbol).cloned().unwrap_or_else(default);
            res.push_str(&constant_text(terms, name, sort, &value));
        }
        for DeclaredFunction { name, function, signature } in functions {
            let result = terms.function_info(*function).result;
            let default = || FunctionValue { default: default_value(terms, result), entries: Default::default() };
            let value = model.function(*function).cloned().unwrap_or_else(default);
            res.push_str(&function_text(terms, name, signature, &value));
        }
        res.push_str(")\n");
        Ok(res)
    }

    fn show_values(&self, values: &[(String, Term, ScriptSort)]) -> Result<String, Problem> {
        let mut evaluator = Evaluator::new(self.terms, self.shown()?);
        let mut res = Vec::new();
        for (text, term, sort) in values {
            let Some(value) = evaluator.value(*term) else {
                return Err(Problem::Now("a model says nothing of a division by zero or a quantified formula"));
            };
            res.push(format!("({text} {})", value_text(self.terms, sort, &value)));
        }
        Ok(format!("({})\n", res.join("\n ")))
    }

    fn info(&self, info: &str) -> String {
        match info {
            ":name" => "(:name \"effigy\")\n".to_owned(),
            ":version" => concat!("(:version \"", env!("CARGO_PKG_VERSION"), "\")\n").to_owned(),
            ":authors" => "(:authors \"The authors of effigy\")\n".to_owned(),
            ":error-behavior" => "(:error-behavior immediate-exit)\n".to_owned(),
            ":assertion-stack-levels" => format!("(:assertion-stack-levels {})\n", self.levels.len()),
            ":reason-unknown" => match self.queries.last().and_then(|it| it.reason.as_ref()) {
                Some(reason) => format!("(:reason-unknown \"{}\")\n", reason.replace('"', "\"\"")),
                None => "unsupported\n".to_owned(),
            },
            _ => "unsupported\n".to_owned(),
        }
    }
}

//! A concrete run and a symbolic path say the same: the end, what was done, and V' = V ∘ σ.

use super::follow::{Answer, Followed, SymbolicEnd, kind_of, place_of};
use super::generate::{Generator, PROBE, make};
use super::inputs::term_value;
use super::show;
use effigy_oo::run::concrete::{End, Locals, Run, Valuation, Value, evaluate};
use effigy_oo::run::machine::Machine;
use effigy_oo::run::memory::{At, Memory};
use effigy_oo::run::program::*;
use effigy_term::eval::Evaluator;
use effigy_term::{Model, Node, Symbol, SymbolKind, Term, Terms};

/// How many random expressions are compared in the last state.
const EXPRESSIONS: usize = 8;

/// What is compared: a run from V, a path, and V as a model.
pub struct Pair<'a, M> {
    pub machine: &'a Machine<M>,
    pub terms: &'a Terms,
    pub valuation: &'a Valuation,
    pub model: &'a Model,
    pub run: &'a Run,
    pub path: &'a Followed<M>,
}

impl<M: Memory> Pair<'_, M> {
    fn program(&self) -> &Program {
        self.machine.program()
    }

    /// Same end, same number of moves, same choices of threads.
    pub fn same_path(&self) -> Result<(), String> {
        let (run, path) = (self.run, self.path);
        let same = match (run.end, &path.end) {
            (End::Completed, SymbolicEnd::Completed)
            | (End::AssumptionFailed, SymbolicEnd::Dropped)
            | (End::OutOfSteps, SymbolicEnd::OutOfSteps) => true,
            (End::Fault { fault, stmt }, SymbolicEnd::Fault(kind, place)) => {
                kind_of(fault) == Some(*kind) && place_of(self.program(), stmt) == (place.line, place.column)
            }
            _ => false,
        };
        if !same {
            return Err(format!("the run ends with {:?}, the path with {:?}", run.end, path.end));
        }
        if run.steps != path.moves {
            return Err(format!("the run makes {} moves, the path {}", run.steps, path.moves));
        }
        let threads = path.answers.iter().filter_map(|it| match it {
            Answer::Thread(at, count) => Some((*at, *count)),
            _ => None,
        });
        let threads: Vec<_> = threads.collect();
        if run.choices != threads {
            return Err(format!("threads move {:?} in the run, {threads:?} in the path", run.choices));
        }
        Ok(())
    }

    /// V' = V ∘ σ, for all variables, all objects of V, and random expressions over both.
    pub fn same_state(&self, seed: u64) -> Result<(), String> {
        let program = self.program();
        let globals = (0..program.variables.len() as u32).map(VarId).filter(|it| {
            let variable = program.variable(*it);
            variable.global && !variable.temporary
        });
        for var in globals {
            if !matches!(program.variable(var).typ, Type::Map(_)) {
                self.same_value(&make(ExprKind::Var(var)))?;
            }
        }
        let mut random = Generator::over(program, seed);
        for _ in 0..EXPRESSIONS {
            let types = random.types();
            let Some(typ) = random.numbers.one_of(&types).cloned() else { continue };
            let expr = random.expr(&typ, 3);
            self.same_value(&expr)?;
        }
        self.same_objects()
    }

    /// Fields and items of all objects of the start state, through variables that the program does not know.
    fn same_objects(&self) -> Result<(), String> {
        let program = self.program();
        for (index, class) in program.classes.iter().enumerate() {
            let typ = Type::Object(ClassId(index as u32));
            let is_probe = |it: &VarId| {
                let variable = program.variable(*it);
                variable.global && variable.typ == typ && variable.name.starts_with(PROBE)
            };
            let Some(probe) = (0..program.variables.len() as u32).map(VarId).find(is_probe) else { continue };
            let var = make(ExprKind::Var(probe));
            let mut exprs: Vec<Expr> = class.fields.iter().map(|it| make(ExprKind::Field(var.clone(), *it))).collect();
            if class.element.is_some() {
                let item = |at: i64| make(ExprKind::Item(var.clone(), make(ExprKind::Int(at.into()))));
                exprs.extend((0..4).map(item));
            }
            let Some(symbol) = self.symbol(&var) else { return Err("a probe was assigned".to_owned()) };
            for (id, _) in self.valuation.heap.objects.iter().filter(|it| it.1.class.index() == index) {
                let mut last = self.run.valuation.clone();
                last.globals.insert(probe, Value::Object(*id));
                let mut model = self.model.clone();
                model.set(symbol, term_value(&Value::Object(*id)));
                for expr in &exprs {
                    self.same(&last, &model, expr)?;
                }
            }
        }
        Ok(())
    }

    fn symbol(&self, expr: &Expr) -> Option<Symbol> {
        match *self.terms.node(self.term(expr)) {
            Node::Symbol(symbol) => Some(symbol),
            _ => None,
        }
    }

    /// eσ.
    pub fn term(&self, expr: &Expr) -> Term {
        let translation = self.machine.translation(self.terms, &self.path.state);
        self.path.state.memory.value(At { translation, instance: 0 }, expr)
    }

    fn same_value(&self, expr: &Expr) -> Result<(), String> {
        self.same(&self.run.valuation, self.model, expr)
    }

    /// Lemma 2.1: V ∘ σ(e) = V(eσ), where the left side is not ⊥.
    fn same(&self, last: &Valuation, model: &Model, expr: &Expr) -> Result<(), String> {
        let semantics = self.machine.options().semantics;
        let Ok(expected) = evaluate(self.program(), semantics, last, &Locals::new(), expr) else { return Ok(()) };
        let term = self.term(expr);
        no_locals(self.terms, term)?;
        let found = Evaluator::new(self.terms, model).value(term);
        if found == Some(term_value(&expected)) {
            return Ok(());
        }
        let (text, expected) = (self.program().show(expr), show::value(&expected));
        Err(format!("at the end {text} is {expected} in the run, {found:?} in the path"))
    }
}

/// No local variable occurs in a term over the start state (proposition 3.1).
pub fn no_locals(terms: &Terms, term: Term) -> Result<(), String> {
    for &symbol in terms.symbols(term) {
        let info = terms.symbol_info(symbol);
        if info.kind != SymbolKind::Input && !info.name.contains('#') {
            return Err(format!("the local variable {} is in a term over the start state", info.name));
        }
    }
    Ok(())
}

/// Nothing but inputs occurs in a condition: no local variable, no new object (corollary 3.2, section 4.1).
pub fn start_only(terms: &Terms, term: Term) -> Result<(), String> {
    let fresh = |it: &&Symbol| terms.symbol_info(**it).kind != SymbolKind::Input;
    match terms.symbols(term).iter().find(fresh) {
        Some(symbol) => Err(format!("{} is in φ", terms.symbol_info(*symbol).name)),
        None => Ok(()),
    }
}

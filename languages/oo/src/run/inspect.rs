//! What a person sees of a state: statements, variables, values as formulas over the start state.
//!
//! Knows: names, text. Never: a terminal.

use super::machine::{Machine, State};
use super::memory::{At, Change, ChangedSite, Memory};
use super::program::{Expr, ExprKind, Program, Stmt, StmtId, StmtKind, Type, VarId};
use super::vocabulary::{Family, Key, is_length, name_of_nil};
use effigy_engine::{Context, Inspect, InspectError, Language, Place, Statement, Variable, VariableValue};
use effigy_term::print::math;
use effigy_term::{Symbol, SymbolKind, Term, Terms};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

impl<M: Memory> Machine<M> {
    fn shown(&self, id: StmtId) -> Statement {
        let info = &self.program().statements[id.index()];
        let line = self.program().lines.get(info.span.line.saturating_sub(1) as usize);
        Statement {
            number: info.span.line,
            procedure: Arc::clone(&self.program().routine(info.routine).name),
            text: line.map_or_else(|| "".into(), |it| it.trim().into()),
            branches: false,
            place: Place {
                file: Arc::clone(&self.program().name),
                line: info.span.line,
                column: info.span.column,
                function: Arc::clone(&self.program().routine(info.routine).name),
            },
        }
    }

    /// Where the state stands: routine and call.
    fn standing(&self, state: &State<M>) -> (super::program::RoutineId, u32) {
        let id = state.chosen.or_else(|| state.control.runnable().first().copied());
        let thread = id.and_then(|it| state.control.thread(it));
        thread.map_or((Program::MAIN, 0), |it| (it.routine, it.instance))
    }

    /// The value of a variable of a call, as a formula over the start state; `None` for arrays.
    pub fn value_of(&self, terms: &Terms, state: &State<M>, id: VarId, instance: u32) -> Option<Term> {
        if matches!(self.program().variable(id).typ, Type::Map(_)) {
            return None;
        }
        let expr = Expr { kind: Rc::new(ExprKind::Var(id)), span: effigy_contracts::Span::default() };
        let at = At { translation: self.translation(terms, state), instance };
        Some(state.memory.value(at, &expr))
    }

    /// path(ρ), where the model has a ρ (definition 4.2).
    pub fn path_condition(&self, terms: &Terms, state: &State<M>) -> Option<Term> {
        state.memory.condition(self.translation(terms, state))
    }

    /// The globals of the program that a person sees, in the order of the text.
    pub fn globals(&self) -> impl Iterator<Item = VarId> + '_ {
        let all = self.program().variables.iter().zip(0..);
        all.filter(|(it, _)| it.global && !it.temporary).map(|(_, id)| VarId(id))
    }

    /// The arrays and fields that were changed, each over what it was at the start: σ(a) is `a[i := 1]`.
    fn updated(&self, terms: &Terms, state: &State<M>) -> Vec<Variable> {
        let with = self.translation(terms, state);
        let mut arrays: BTreeMap<Family, Term> = BTreeMap::new();
        let Some(changes) = state.memory.updates(with) else {
            return vec![Variable { name: "arrays and fields".into(), value: VariableValue::Text("…".to_owned()) }];
        };
        for (family, Key { first, second }, value) in changes {
            if let Family::Field(field) = family
                && is_length(with.program, field)
            {
                continue;
            }
            let Some(array) = arrays.get(&family).copied().or_else(|| with.words.base(family)) else { continue };
            let value = match second {
                Some(index) => terms.store(terms.select(array, first), index, value),
                None => value,
            };
            arrays.insert(family, terms.store(array, first, value));
        }
        let mut res = Vec::new();
        for (family, array) in arrays {
            let Some(base) = with.words.base(family).filter(|it| *it != array) else { continue };
            res.push(Variable { name: math(terms, base).into(), value: VariableValue::Term(array) });
        }
        res
    }

    /// A change as a transition shows it: `x := e`.
    pub fn show_change(&self, terms: &Terms, change: &Change) -> String {
        match change {
            Change::Created(object, class) => {
                format!("{} := new {}", math(terms, *object), self.program().class(*class).name)
            }
            Change::Set(site, value) => format!("{} := {}", self.show_site(terms, site), math(terms, *value)),
        }
    }

    fn show_site(&self, terms: &Terms, site: &ChangedSite) -> String {
        match *site {
            ChangedSite::Variable(id, instance) => {
                let variable = self.program().variable(id);
                if variable.global { variable.name.to_string() } else { format!("{}@{instance}", variable.name) }
            }
            ChangedSite::Element(family, Key { first, second }) => {
                let key = math(terms, first);
                match (family, second) {
                    (Family::Field(field), _) => format!("{key}.{}", self.program().field(field).name),
                    (Family::Map(map), _) => format!("{}[{key}]", self.program().name_of(map)),
                    (Family::Items(_), Some(index)) => format!("{key}[{}]", math(terms, index)),
                    (Family::Items(_), None) => key,
                }
            }
            ChangedSite::Result(instance) => format!("r@{instance}"),
            ChangedSite::None => "nil".to_owned(),
        }
    }
}

fn branches(kind: &StmtKind) -> bool {
    matches!(kind, StmtKind::If(..) | StmtKind::While(..))
}

impl<M: Memory> Inspect for Machine<M> {
    fn statement(&self, state: &Self::State) -> Statement {
        match self.next_statement(state) {
            Some(id) => {
                let branching = state.next_kind().is_some_and(|it| branches(&it.kind));
                Statement { branches: branching, ..self.shown(id) }
            }
            None => Statement { place: self.place(state), ..Statement::default() },
        }
    }

    fn clock(&self, state: &Self::State) -> u64 {
        state.clock
    }

    fn depth(&self, state: &Self::State) -> usize {
        let id = state.chosen.or_else(|| state.control.runnable().first().copied());
        id.and_then(|it| state.control.thread(it)).map_or(0, |it| it.depth)
    }

    fn statements(&self) -> Vec<Statement> {
        let mut res: Vec<Statement> = Vec::new();
        for routine in &self.program().routines {
            super::program::visit(&routine.body, &mut |stmt: &Stmt| {
                res.push(Statement { branches: branches(&stmt.kind), ..self.shown(stmt.id) });
            });
        }
        res.sort_by_key(|it| (it.place.line, it.place.column));
        res.dedup_by_key(|it| (it.place.line, it.place.column));
        res
    }

    fn variables(&self, ctx: &mut Context<'_>, state: &Self::State) -> Vec<Variable> {
        let (routine, instance) = self.standing(state);
        let locals = self.program().routine(routine).locals.iter().copied();
        let ids = locals.filter(|it| !self.program().variable(*it).temporary).chain(self.globals());
        ids.filter_map(|id| {
            let value = VariableValue::Term(self.value_of(ctx.terms, state, id, instance)?);
            Some(Variable { name: Arc::clone(&self.program().variable(id).name), value })
        })
        .collect()
    }

    fn evaluate(&self, ctx: &mut Context<'_>, state: &Self::State, text: &str) -> Result<Term, InspectError> {
        let (routine, instance) = self.standing(state);
        let read = super::read_expression(self.program(), routine, text);
        let (expr, _) = read.map_err(|error| InspectError::Syntax {
            message: error.message.clone(),
            column: error.span.column.saturating_sub(1) as usize,
        })?;
        let at = At { translation: self.translation(ctx.terms, state), instance };
        Ok(state.memory.value(at, &expr))
    }

    fn assign(&self, _: &mut Context<'_>, _: &mut Self::State, _: &str, _: &str) -> Result<(), InspectError> {
        Err(InspectError::Unsupported("assigning a variable"))
    }

    fn call(&self, _: &mut Context<'_>, _: &str) -> Result<Self::State, InspectError> {
        Err(InspectError::Unsupported("a call that is typed"))
    }

    fn results(&self, ctx: &mut Context<'_>, state: &Self::State) -> Vec<Variable> {
        let value = |id| Some((id, self.value_of(ctx.terms, state, id, 0)?));
        let scalars = self.globals().filter_map(value).map(|(id, value)| Variable {
            name: Arc::clone(&self.program().variable(id).name),
            value: VariableValue::Term(value),
        });
        let mut res: Vec<Variable> = scalars.collect();
        res.extend(self.updated(ctx.terms, state));
        res
    }

    fn mover(&self, state: &Self::State) -> Option<String> {
        state.chosen.map(|it| format!("thread {it}"))
    }

    fn assumptions(&self, state: &Self::State) -> Vec<Term> {
        state.words.naturals.clone()
    }

    fn is_redundant(&self, state: &State<M>) -> bool {
        state.is_redundant()
    }

    fn is_named_value(&self, terms: &Terms, symbol: Symbol) -> bool {
        let info = terms.symbol_info(symbol);
        *info.name == *name_of_nil(self.program()) || info.kind == SymbolKind::Fresh && info.name.contains('#')
    }

    fn show(&self, terms: &Terms, term: Term) -> String {
        math(terms, term)
    }

    fn names(&self, _state: Option<&Self::State>) -> Vec<Arc<str>> {
        let routines = self.program().routines.iter().map(|it| Arc::clone(&it.name));
        let shown = self.program().variables.iter().filter(|it| !it.temporary);
        routines.chain(shown.map(|it| Arc::clone(&it.name))).collect()
    }
}

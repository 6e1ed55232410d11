//! What a person sees of a moment: the symbolic state ⟨heap, old heap, store, path condition⟩ (Smans et al. 2010,
//! definition 2), in the notation of the paper's figures.
//!
//! Knows: names and notation. Never: a terminal.

use super::expression::{Scope, read};
use super::{Verifier, VerifierState};
use crate::Member;
use crate::moment::Action;
use crate::plain::plain;
use effigy_contracts::program::{Exp, Span, Stmt, StmtKind};
use effigy_engine::{Context, Inspect, InspectError, Statement, Variable, VariableValue};
use effigy_heap::heap::Heap;
use effigy_term::{Term, Terms};
use std::sync::Arc;

/// The most chunks or facts that are shown on one line.
const MOST: usize = 40;

impl<'a> Inspect for Verifier<'a> {
    fn statement(&self, state: &VerifierState<'a>) -> Statement {
        let moment = self.moment(state);
        let quote = |span| self.source.quote(span).unwrap_or_default();
        match moment.action {
            Action::Start | Action::End => self.statement_at(moment.span, self.line(moment.span), false),
            Action::Execute { branches } => self.executed(moment.span, branches),
            Action::Produce | Action::Consume => {
                let action = if matches!(moment.action, Action::Produce) { "produce" } else { "consume" };
                if moment.part {
                    let it = self.statement_at(moment.span, quote(moment.span), false);
                    return Statement { procedure: action.into(), ..it };
                }
                self.statement_at(moment.span, format!("{action} {}", quote(moment.span)), false)
            }
        }
    }

    fn clock(&self, state: &VerifierState<'a>) -> u64 {
        self.moment(state).clock
    }

    fn depth(&self, state: &VerifierState<'a>) -> usize {
        let moment = self.moment(state);
        match moment.action {
            Action::End => 0,
            _ => 1 + usize::from(moment.part),
        }
    }

    fn statements(&self) -> Vec<Statement> {
        let mut res = Vec::new();
        let contract = |action: &str, exps: &[Exp], res: &mut Vec<Statement>| {
            for exp in exps {
                let quote = self.source.quote(exp.span).unwrap_or_default();
                res.push(self.statement_at(exp.span, format!("{action} {quote}"), false));
            }
        };
        match self.member {
            Member::Function(it) => {
                let function = &self.program.functions[it.index()];
                res.push(self.statement_at(function.span, self.line(function.span), false));
                contract("produce", &function.pre, &mut res);
            }
            Member::Predicate(it) => {
                let predicate = &self.program.predicates[it.index()];
                res.push(self.statement_at(predicate.span, self.line(predicate.span), false));
                contract("produce", predicate.body.as_slice(), &mut res);
            }
            Member::Method(it) => {
                let method = &self.program.methods[it.index()];
                res.push(self.statement_at(method.span, self.line(method.span), false));
                contract("produce", &method.pre, &mut res);
                for stmt in method.body.iter().flatten() {
                    stmt.walk(&mut |it| res.extend(self.listed(it)));
                }
                contract("consume", &method.post, &mut res);
            }
        }
        res.sort_by_key(|it| (it.place.file.clone(), it.place.line, it.place.column));
        res
    }

    /// The store, both heaps, and what is assumed.
    fn variables(&self, ctx: &mut Context<'_>, state: &VerifierState<'a>) -> Vec<Variable> {
        let moment = &state.shown;
        let mut res: Vec<Variable> = self
            .table()
            .iter()
            .zip(moment.store.iter())
            .filter_map(|(it, value)| {
                let value = VariableValue::Term(plain(ctx.terms, (*value)?));
                Some(Variable { name: Arc::from(&*it.name), value })
            })
            .collect();
        res.push(text("heap", braced(self.chunks(ctx.terms, &moment.heap).into_iter())));
        if let Some(old) = &moment.old {
            res.push(text("old", braced(self.chunks(ctx.terms, old).into_iter())));
        }
        let facts = moment.facts.to_vec();
        if !facts.is_empty() {
            res.push(text("facts", braced(facts.iter().map(|&it| self.show(ctx.terms, it)))));
        }
        res
    }

    fn evaluate(&self, ctx: &mut Context<'_>, state: &VerifierState<'a>, text: &str) -> Result<Term, InspectError> {
        let moment = &state.shown;
        let labels = match self.member {
            Member::Method(it) => &self.program.methods[it.index()].labels[..],
            _ => &[],
        };
        let (terms, program, table) = (ctx.terms, self.program, self.table());
        let value = read(text, &Scope { terms, program, table, labels, moment, heap: &moment.heap })?;
        Ok(plain(terms, value))
    }

    fn describe(
        &self,
        ctx: &mut Context<'_>,
        state: &VerifierState<'a>,
        text: &str,
    ) -> Result<VariableValue, InspectError> {
        let moment = &state.shown;
        let lines = |all: Vec<String>| VariableValue::Text(all.iter().map(|it| format!("\n  {it}")).collect());
        match text {
            "chunks" => Ok(lines(self.chunks(ctx.terms, &moment.heap))),
            "old chunks" => Ok(lines(moment.old.iter().flat_map(|it| self.chunks(ctx.terms, it)).collect())),
            _ => self.evaluate(ctx, state, text).map(VariableValue::Term),
        }
    }

    fn assign(&self, _: &mut Context<'_>, _: &mut VerifierState<'a>, _: &str, _: &str) -> Result<(), InspectError> {
        Err(InspectError::Unsupported("giving a variable a value: what is verified was walked already,"))
    }

    fn call(&self, _: &mut Context<'_>, _: &str) -> Result<VerifierState<'a>, InspectError> {
        Err(InspectError::Unsupported("a call (--entry names what is verified)"))
    }

    fn results(&self, ctx: &mut Context<'_>, state: &VerifierState<'a>) -> Vec<Variable> {
        let moment = &state.shown;
        let (parameters, results) = self.parameters();
        let values = self.table().iter().zip(moment.store.iter()).skip(parameters).take(results);
        values
            .filter_map(|(it, value)| {
                Some(Variable { name: Arc::from(&*it.name), value: VariableValue::Term(plain(ctx.terms, (*value)?)) })
            })
            .collect()
    }

    fn assumptions(&self, state: &VerifierState<'a>) -> Vec<Term> {
        state.shown.told.to_vec()
    }

    fn show(&self, terms: &Terms, term: Term) -> String {
        self.names.borrow().shown(terms, term)
    }

    fn names(&self, _: Option<&VerifierState<'a>>) -> Vec<Arc<str>> {
        let words = ["heap", "old", "facts", "chunks"].map(Arc::from);
        let variables = self.table().iter().map(|it| Arc::from(&*it.name));
        std::iter::once(Arc::from(self.name())).chain(variables).chain(words).collect()
    }
}

impl Verifier<'_> {
    fn chunks(&self, terms: &Terms, heap: &Heap) -> Vec<String> {
        heap.shown(terms, self.program, &|it| self.show(terms, it)).collect()
    }

    fn line(&self, span: Span) -> String {
        self.source.line(span).unwrap_or_default()
    }

    fn statement_at(&self, span: Span, text: String, branches: bool) -> Statement {
        let place = self.place_at(span);
        Statement { number: span.line, procedure: self.name().into(), text: text.into(), branches, place }
    }

    /// A statement in execution: alone, as there may be several on its line, or the line that a condition stands on.
    fn executed(&self, span: Span, branches: bool) -> Statement {
        let alone = !branches && span.line == span.end_line;
        let text = if alone { self.source.quote(span) } else { self.source.line(span) };
        self.statement_at(span, text.unwrap_or_default(), branches)
    }

    /// What is executed of a statement without those in it.
    fn listed(&self, stmt: &Stmt) -> Option<Statement> {
        match &stmt.kind {
            StmtKind::If(cond, ..) => Some(self.executed(cond.span, true)),
            StmtKind::While(..) => Some(self.executed(stmt.span, true)),
            StmtKind::Block(_) | StmtKind::Goto(_) | StmtKind::Label(..) => None,
            _ => Some(self.executed(stmt.span, false)),
        }
    }
}

fn text(name: &str, value: String) -> Variable {
    Variable { name: name.into(), value: VariableValue::Text(value) }
}

/// `{a, b}`; of many only the first.
fn braced(mut all: impl ExactSizeIterator<Item = String>) -> String {
    let more = all.len().saturating_sub(MOST);
    let mut shown: Vec<String> = all.by_ref().take(MOST).collect();
    if more > 0 {
        shown.push(format!("… {more} more"));
    }
    format!("{{{}}}", shown.join(", "))
}

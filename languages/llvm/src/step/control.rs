//! Branches and switches.
//!
//! Knows: which questions they ask. Never: which side is feasible.

use crate::checks::UNINITIALISED_VALUE;
use crate::code::{NO_SITE, Switch};
use crate::machine::{Flow, Machine};
use crate::value::Val;
use effigy_engine::{Alternative, AlternativeLabel, Resolution, Site, Step};
use effigy_term::{Term, Width};
use std::sync::Arc;

impl Machine<'_, '_> {
    /// Goes along an edge.
    pub(super) fn take(&mut self, edge: u32) {
        let program = self.program;
        let edge = &program.code.edges[edge as usize];
        if edge.site != NO_SITE {
            self.ctx.coverage.reach(Site(edge.site));
        }
        self.ctx.coverage.reach(Site(edge.block_site));
        let merges = self.ctx.common().is_some();
        if merges {
            self.count_rounds(edge.target);
        }
        for &(dst, source) in &edge.moves {
            let value = self.value(source);
            self.frame_mut().registers[dst as usize] = value;
        }
        self.frame_mut().pc = edge.target;
    }

    /// Asks which side of a condition is taken.
    pub(crate) fn decide_term(&mut self, cond: Term) -> Flow<bool> {
        if let Some(known) = self.decide_null(cond)? {
            return Ok(known);
        }
        if let Some(known) = self.decide_placement(cond)? {
            return Ok(known);
        }
        let cond = self.settled(cond, "a decision");
        let terms = self.ctx.terms;
        if let Some(value) = terms.as_bool(cond) {
            return Ok(value);
        }
        let alternatives = vec![
            Alternative { cond, label: AlternativeLabel::True },
            Alternative { cond: terms.not(cond), label: AlternativeLabel::False },
        ];
        Ok(self.ask(Step::Branch(alternatives))? == Resolution::Alternative(0))
    }

    /// Asks which of several conditions holds; they exclude one another and together are exhaustive.
    pub(crate) fn decide_among(&mut self, cases: &[(Term, Arc<str>)]) -> Flow<usize> {
        let cases: Vec<_> =
            cases.iter().map(|it| (self.settled(it.0, "a choice among several"), Arc::clone(&it.1))).collect();
        let terms = self.ctx.terms;
        if let Some(index) = cases.iter().position(|it| terms.as_bool(it.0) == Some(true)) {
            return Ok(index);
        }
        let alternatives = cases
            .iter()
            .map(|(cond, label)| Alternative { cond: *cond, label: AlternativeLabel::Case(Arc::clone(label)) });
        match self.ask(Step::Branch(alternatives.collect()))? {
            Resolution::Alternative(index) => Ok((index as usize).min(cases.len() - 1)),
            _ => Ok(0),
        }
    }

    pub(super) fn switch(&mut self, switch: &Switch) -> Flow<()> {
        let value = self.value(switch.value);
        if matches!(value, Val::Int(_) | Val::Wide(_)) {
            let case = switch.cases.iter().find(|it| it.0 == value);
            self.take(case.map_or(switch.default, |it| it.1));
            return Ok(());
        }
        if matches!(value, Val::Undef) && self.on(UNINITIALISED_VALUE) {
            return Err(self.violation(UNINITIALISED_VALUE, "a switch depends on an uninitialised value".to_owned()));
        }
        let terms = self.ctx.terms;
        let width = Width::of(switch.width);
        let term = self.term(&value, width);
        self.require_defined(term, "a switch")?;
        // One alternative for each way on, not for each value.
        let target = |edge: u32| self.program.code.edges[edge as usize].target;
        let mut ways: Vec<(u32, Vec<Term>, String)> = Vec::new();
        let mut any = Vec::new();
        for (case, edge) in &switch.cases {
            let Some(constant) = case.to_term(terms, width) else { continue };
            let cond = terms.eq(term, constant);
            any.push(cond);
            let name = terms.as_bv(constant).map_or(String::new(), ToString::to_string);
            match ways.iter_mut().find(|it| target(it.0) == target(*edge)) {
                Some(way) => {
                    way.1.push(cond);
                    way.2 = format!("{}, {name}", way.2);
                }
                None => ways.push((*edge, vec![cond], format!("case {name}"))),
            }
        }
        let default = terms.not(terms.or_all(any));
        let mut cases = Vec::new();
        let mut edges = Vec::new();
        for (edge, conds, name) in ways {
            let joins_default = target(edge) == target(switch.default);
            if !joins_default {
                cases.push((terms.or_all(conds), name.into()));
                edges.push(edge);
            }
        }
        let with_default = switch.cases.iter().zip(0..).filter(|(it, _)| target(it.1) == target(switch.default));
        let with_default = with_default.filter_map(|(it, _)| Some(terms.eq(term, it.0.to_term(terms, width)?)));
        let rest = terms.or(default, terms.or_all(with_default.collect::<Vec<_>>()));
        cases.push((rest, "default".into()));
        edges.push(switch.default);
        let chosen = self.decide_among(&cases)?;
        self.take(edges[chosen]);
        Ok(())
    }
}

//! Breakpoints: where execution is to stop.
//!
//! Knows: statements by number, conditions by text. Never: what a condition means (the language evaluates it).
//! Source: King 1976, section 6: before or after any statement, or between any pair.

use crate::command::{Point, Spot};
use crate::points::{Breakpoint, Resolved, Statements};
use crate::position::Mark;
use crate::session::{Said, Session};
use effigy_engine::{Inspect, InspectError, Statement, Trail};
use effigy_solver::Answer;
use std::rc::Rc;
use std::sync::Arc;

/// The most names of procedures that are listed.
const MOST_LISTED: usize = 20;

impl<L: Inspect> Session<'_, L> {
    pub(crate) fn add_breakpoint(&mut self, point: Option<Point>, condition: Option<String>) -> Said {
        let here = Rc::clone(&self.here);
        if let Some(condition) = &condition {
            // A variable may exist elsewhere; what cannot be read can be read nowhere.
            let language = self.language;
            if let Err(error @ (InspectError::Syntax { .. } | InspectError::Unsupported(_))) =
                language.evaluate(&mut self.context(), &here.state, condition)
            {
                return Err(error.to_string());
            }
        }
        let (point, mut text) = match point {
            None => (None, String::new()),
            Some(Point::Before(spot)) => {
                let (found, text) = self.find(&spot)?;
                (Some(Resolved::Before(found)), format!("before {text}"))
            }
            Some(Point::After(spot)) => {
                let (found, text) = self.find(&spot)?;
                (Some(Resolved::After(found)), format!("after {text}"))
            }
            Some(Point::Between(first, second)) => {
                let ((first, one), (second, other)) = (self.find(&first)?, self.find(&second)?);
                (Some(Resolved::Between(first, second)), format!("between {one} and {other}"))
            }
        };
        if let Some(condition) = &condition {
            text.push_str(if text.is_empty() { "if " } else { " if " });
            text.push_str(condition);
        }
        self.last_breakpoint += 1;
        let number = self.last_breakpoint;
        let said = format!("breakpoint {number} {text}");
        self.breakpoints.push(Breakpoint { number, point, condition, text });
        Ok(said)
    }

    /// The statements that a spot names, and how they are called.
    fn find(&self, spot: &Spot) -> Result<(Statements, String), String> {
        let all = self.language.statements();
        let within = |it: &Statement| match &spot.within {
            None => true,
            Some(name) => {
                let file = it.place.file.strip_suffix(&**name);
                it.procedure.eq_ignore_ascii_case(name) || file.is_some_and(|it| it.is_empty() || it.ends_with('/'))
            }
        };
        let mut found: Vec<&Statement> = match spot.number {
            Some(number) => all.iter().filter(|it| it.number == number && within(it)).collect(),
            None => all.iter().filter(|it| within(it)).take(1).collect(),
        };
        let wanted = match (&spot.within, spot.number) {
            (None, Some(number)) => number.to_string(),
            (Some(name), None) => name.clone(),
            (Some(name), Some(number)) => format!("{name}:{number}"),
            (None, None) => String::new(),
        };
        if let Some(name) = spot.within.as_ref().filter(|_| !all.iter().any(within)) {
            let mut names: Vec<&str> = Vec::new();
            for it in all.iter().filter(|it| !it.procedure.is_empty()) {
                if !names.contains(&&*it.procedure) {
                    names.push(&it.procedure);
                }
            }
            let more = if names.len() > MOST_LISTED { ", …" } else { "" };
            names.truncate(MOST_LISTED);
            return Err(format!("there is no procedure {name}; there are {}{more}", names.join(", ")));
        }
        if found.is_empty() {
            let nearest = all.iter().filter(|it| within(it) && Some(it.number) > spot.number).map(|it| it.number).min();
            let hint = nearest.map_or_else(String::new, |it| format!("; the next one is {it}"));
            return Err(format!("there is no statement {wanted}{hint}"));
        }
        if spot.within.is_none() {
            let current = self.language.statement(&self.here.state);
            if found.iter().any(|it| it.procedure == current.procedure) {
                found.retain(|it| it.procedure == current.procedure);
            } else if let Some(other) = found.iter().find(|it| it.procedure != found[0].procedure) {
                let (one, other) = (&found[0].procedure, &other.procedure);
                return Err(format!("which statement {wanted}: {one}:{wanted} or {other}:{wanted}?"));
            }
        }
        let text = self.statement_text(found[0]);
        let mut res: Statements = Vec::new();
        for it in found {
            match res.iter_mut().find(|known| known.0 == it.procedure && known.1 == it.number) {
                Some(known) => known.2 = known.2.min(it.place.column),
                None => res.push((Arc::clone(&it.procedure), it.number, it.place.column)),
            }
        }
        Ok((res, text))
    }

    pub(crate) fn list_breakpoints(&self) -> String {
        if self.breakpoints.is_empty() {
            return "there are no breakpoints".to_owned();
        }
        let lines = self.breakpoints.iter().map(|it| format!("{}  {}", it.number, it.text));
        lines.collect::<Vec<_>>().join("\n")
    }

    pub(crate) fn delete_breakpoint(&mut self, number: Option<u64>) -> Said {
        let Some(number) = number else {
            self.breakpoints.clear();
            return Ok("all breakpoints are deleted".to_owned());
        };
        let count = self.breakpoints.len();
        self.breakpoints.retain(|it| it.number != number);
        match self.breakpoints.len() < count {
            true => Ok(format!("breakpoint {number} is deleted")),
            false => Err(format!("there is no breakpoint {number}")),
        }
    }

    /// Why execution stops here, if it does. `is_next` is false back in a statement that made a call.
    pub(crate) fn hit(
        &mut self,
        state: &L::State,
        trail: &Trail,
        finished: &[Mark],
        next: &Statement,
        is_next: bool,
    ) -> Option<String> {
        if self.breakpoints.is_empty() {
            return None;
        }
        let within = |it: &Statements| it.iter().any(|it| it.1 == next.number && it.0 == next.procedure);
        let here = (Arc::clone(&next.procedure), next.number, next.place.column);
        let comes = |it: &Statements| is_next && it.contains(&here);
        let was = |it: &Statements| {
            finished.iter().any(|mark| it.iter().any(|it| it.1 == mark.number && it.0 == mark.procedure))
        };
        for breakpoint in self.breakpoints.clone() {
            let reached = match &breakpoint.point {
                None => is_next,
                Some(Resolved::Before(at)) => comes(at),
                // What is within a statement is not after it.
                Some(Resolved::After(at)) => was(at) && !within(at),
                Some(Resolved::Between(first, second)) => was(first) && comes(second),
            };
            if !reached {
                continue;
            }
            let stops = format!("breakpoint {}: {}", breakpoint.number, breakpoint.text);
            let Some(condition) = &breakpoint.condition else { return Some(stops) };
            let Ok(condition) = self.condition(state, condition) else { continue };
            match self.engine().check(trail, condition) {
                Answer::Sat(_) => return Some(stops),
                Answer::Unsat => {}
                Answer::Unknown(reason) => {
                    return Some(format!("{stops}\n(the solver could not tell whether it can hold: {reason})"));
                }
            }
        }
        None
    }
}

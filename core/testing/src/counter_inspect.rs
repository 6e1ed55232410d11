//! How a person sees the states of the toy language: lines, variables, conditions such as `x0 + 1 < "a"`.
//!
//! Knows: the syntax that the language's own listing has. Never: who asks.

use crate::counter::{Program, State};
use effigy_engine::{Context, Inspect, InspectError, Statement, Variable, VariableValue};
use effigy_term::print::math;
use effigy_term::{Sort, SymbolKind, Term, Terms, Width};
use std::sync::Arc;

/// Conditions nest at most this deep.
const DEPTH: u32 = 100;

impl Inspect for Program {
    fn statement(&self, state: &State) -> Statement {
        self.statement_at(state.line)
    }

    fn clock(&self, state: &State) -> u64 {
        state.clock
    }

    fn depth(&self, _state: &State) -> usize {
        1
    }

    fn statements(&self) -> Vec<Statement> {
        (0..self.lines.len()).map(|it| self.statement_at(it)).collect()
    }

    fn variables(&self, _ctx: &mut Context<'_>, state: &State) -> Vec<Variable> {
        let variable = |(at, value): (usize, &Term)| Variable {
            name: format!("x{at}").into(),
            value: VariableValue::Term(*value),
        };
        state.store.iter().enumerate().map(variable).collect()
    }

    fn evaluate(&self, ctx: &mut Context<'_>, state: &State, text: &str) -> Result<Term, InspectError> {
        let mut reader = Reader { ctx, state, width: Width::of(self.bits), text, at: 0, depth: 0 };
        let term = reader.condition()?;
        reader.space();
        if reader.at < text.len() { Err(reader.expected("the end")) } else { Ok(term) }
    }

    fn assign(&self, ctx: &mut Context<'_>, state: &mut State, target: &str, value: &str) -> Result<(), InspectError> {
        let at = target.strip_prefix('x').and_then(|it| it.parse::<usize>().ok()).filter(|&it| it < state.store.len());
        let Some(at) = at else { return Err(InspectError::Meaning(format!("there is no variable {target}"))) };
        let value = self.evaluate(ctx, state, value)?;
        if ctx.terms.sort(value) == Sort::Bool {
            return Err(InspectError::Meaning("a number was expected, not a condition".to_owned()));
        }
        state.store[at] = value;
        Ok(())
    }

    fn call(&self, _ctx: &mut Context<'_>, _text: &str) -> Result<State, InspectError> {
        Err(InspectError::Unsupported("call"))
    }

    fn results(&self, _ctx: &mut Context<'_>, state: &State) -> Vec<Variable> {
        let printed = |(at, value): (usize, &Term)| Variable {
            name: format!("out{at}").into(),
            value: VariableValue::Term(*value),
        };
        state.output.iter().enumerate().map(printed).collect()
    }

    fn show(&self, terms: &Terms, term: Term) -> String {
        math(terms, term)
    }

    fn names(&self, _state: Option<&State>) -> Vec<Arc<str>> {
        (0..self.variables).map(|it| format!("x{it}").into()).collect()
    }
}

impl Program {
    fn statement_at(&self, line: usize) -> Statement {
        let text = self.lines.get(line).map_or_else(|| "end".to_owned(), ToString::to_string);
        Statement {
            number: line as u32,
            procedure: Arc::default(),
            branches: text.starts_with("unless"),
            text: text.into(),
            place: effigy_engine::Place { line: line as u32, ..Default::default() },
        }
    }
}

struct Reader<'a, 'c> {
    ctx: &'a mut Context<'c>,
    state: &'a State,
    width: Width,
    text: &'a str,
    at: usize,
    depth: u32,
}

impl Reader<'_, '_> {
    fn space(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
    }

    fn take(&mut self, what: &str) -> bool {
        self.space();
        let found = self.text[self.at..].starts_with(what);
        self.at += if found { what.len() } else { 0 };
        found
    }

    fn expected(&self, what: &str) -> InspectError {
        let column = self.text[..self.at].chars().count();
        InspectError::Syntax { message: format!("{what} was expected at column {}", column + 1), column }
    }

    fn condition(&mut self) -> Result<Term, InspectError> {
        self.depth += 1;
        if self.depth > DEPTH {
            return Err(self.expected("something less deep"));
        }
        let terms = self.ctx.terms;
        let res = if self.take("not ") {
            let inner = self.condition()?;
            if terms.sort(inner) != Sort::Bool {
                return Err(self.expected("a condition"));
            }
            terms.not(inner)
        } else {
            let left = self.sum()?;
            let relation = ["<", ">", "="].into_iter().find(|it| self.take(it));
            match relation {
                None => left,
                Some(relation) => {
                    let right = self.sum()?;
                    if terms.sort(left) == Sort::Bool || terms.sort(right) == Sort::Bool {
                        return Err(self.expected("a number"));
                    }
                    match relation {
                        "<" => terms.bv_ult(left, right),
                        ">" => terms.bv_ult(right, left),
                        _ => terms.eq(left, right),
                    }
                }
            }
        };
        self.depth -= 1;
        Ok(res)
    }

    fn sum(&mut self) -> Result<Term, InspectError> {
        let mut res = self.atom()?;
        loop {
            let Some(op) = ["+", "-", "*"].into_iter().find(|it| self.take(it)) else { return Ok(res) };
            let other = self.atom()?;
            let terms = self.ctx.terms;
            if terms.sort(res) == Sort::Bool || terms.sort(other) == Sort::Bool {
                return Err(self.expected("a number"));
            }
            res = match op {
                "+" => terms.bv_add(res, other),
                "-" => terms.bv_sub(res, other),
                _ => terms.bv_mul(res, other),
            };
        }
    }

    fn atom(&mut self) -> Result<Term, InspectError> {
        let sort = Sort::BitVec(self.width);
        if self.take("(") {
            let inner = self.condition()?;
            return if self.take(")") { Ok(inner) } else { Err(self.expected("`)`")) };
        }
        self.space();
        let rest = &self.text[self.at..];
        if let Some(name) = rest.strip_prefix('"').and_then(|it| it.split('"').next()).filter(|it| !it.is_empty()) {
            if rest.len() < name.len() + 2 {
                return Err(self.expected("a closed quote"));
            }
            self.at += name.len() + 2;
            return Ok(self.ctx.input(name, sort, SymbolKind::Input));
        }
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
        let word = &rest[..end];
        let known = word.strip_prefix('x').and_then(|it| it.parse::<usize>().ok());
        if let Some(value) = known.and_then(|it| self.state.store.get(it)) {
            self.at += end;
            return Ok(*value);
        }
        if word.starts_with('x') {
            return Err(InspectError::Meaning(format!("there is no variable {word}")));
        }
        let Ok(number) = word.parse::<u64>() else { return Err(self.expected("a number, a variable or a symbol")) };
        self.at += end;
        Ok(self.ctx.terms.bv_u64(self.width, number & ((1 << self.width.bits()) - 1)))
    }
}

//! Statements.

use super::{Label, Lowering, for_each_statement};
use crate::code::{Argument, Arithmetic, Cond, Expr, OpKind, Target};
use crate::syntax::{self, Comparison, Control, ExprKind, Loop, Name, Span, StatementKind};
use num_bigint::BigInt;
use num_traits::Signed;
use std::sync::Arc;

impl Lowering<'_, '_> {
    pub(super) fn statements(&mut self, statements: &[syntax::Statement]) {
        statements.iter().for_each(|it| self.statement(it));
    }

    fn statement(&mut self, statement: &syntax::Statement) {
        for label in &statement.labels {
            let new = Label { op: self.here(), loops: self.loops.clone() };
            if self.labels.insert(Arc::clone(&label.text), new).is_some() {
                self.error(label.span, format!("there is a label {} already", label.text));
            }
        }
        let span = statement.span;
        match &statement.kind {
            StatementKind::Declare(_) | StatementKind::Error => {}
            StatementKind::Assign(targets, value) => {
                self.begin(span, false);
                let value = self.number(value);
                match targets.as_slice() {
                    [target] => {
                        if let Some(target) = self.target(target) {
                            self.emit(OpKind::Assign(target, value));
                        }
                    }
                    _ => {
                        let temporary = self.temporary();
                        self.emit(OpKind::Assign(Target::Scalar(temporary), value));
                        for target in targets {
                            if let Some(target) = self.target(target) {
                                self.emit(OpKind::Assign(target, Expr::Load(temporary)));
                            }
                        }
                    }
                }
            }
            StatementKind::If(condition, then, otherwise) => {
                self.conditional(span, condition, then, otherwise.as_deref())
            }
            StatementKind::Group(body, _) => self.statements(body),
            StatementKind::Loop(it) => self.repetition(span, it),
            StatementKind::Goto(label) => {
                self.begin(span, false);
                let at = self.emit(OpKind::Null);
                self.gotos.push((label.clone(), at, self.loops.clone()));
            }
            StatementKind::Call(name, arguments) => {
                self.begin(span, false);
                self.call(name, arguments, None);
            }
            StatementKind::Return(value) => {
                self.begin(span, false);
                let value = value.as_ref().map(|it| self.number(it));
                self.emit(OpKind::Return(value));
            }
            StatementKind::Read(targets) => {
                self.begin(span, false);
                for target in targets {
                    if let Some(target) = self.target(target) {
                        self.emit(OpKind::Read(target));
                    }
                }
            }
            StatementKind::Write(values) => {
                self.begin(span, false);
                let values = values.iter().map(|it| self.number(it)).collect();
                self.emit(OpKind::Write(values));
            }
            StatementKind::Assume(condition) => {
                self.begin(span, false);
                let condition = self.plain_condition(condition);
                self.emit(OpKind::Assume(condition));
            }
            StatementKind::Prove(condition) => {
                self.begin(span, false);
                let condition = self.plain_condition(condition);
                self.emit(OpKind::Prove(condition));
            }
            StatementKind::Assert(condition) => {
                self.begin(span, false);
                let condition = self.plain_condition(condition);
                self.emit(OpKind::Assert(condition));
            }
            StatementKind::Null => {
                self.begin(span, false);
                self.emit(OpKind::Null);
            }
        }
    }

    fn conditional(
        &mut self,
        span: Span,
        condition: &syntax::Expr,
        then: &syntax::Statement,
        otherwise: Option<&syntax::Statement>,
    ) {
        self.begin(span, true);
        let condition = self.condition(condition);
        let branch = self.emit(OpKind::Branch(condition, 0, 0));
        self.lead(branch);
        self.statement(then);
        let Some(otherwise) = otherwise else {
            let after = self.here();
            return self.land(branch, after);
        };
        let over = self.emit(OpKind::Jump(0));
        let start = self.here();
        self.land(branch, start);
        self.statement(otherwise);
        let after = self.here();
        self.land(over, after);
    }

    /// Makes the true side of a branch continue here.
    fn lead(&mut self, at: usize) {
        let here = self.here();
        if let OpKind::Branch(_, to, _) = &mut self.ops[at].kind {
            *to = here;
        }
    }

    fn repetition(&mut self, span: Span, it: &Loop) {
        self.begin(span, true);
        let statement = self.statement;
        let mut exits = Vec::new();
        let mut advance = None;
        if let Some(control) = &it.control {
            advance = self.control(control, &it.body);
        }
        let head = self.here();
        if let Some((test, _)) = &advance
            && let Some(test) = test
        {
            let branch = self.emit(OpKind::Branch(test.clone(), 0, 0));
            self.lead(branch);
            exits.push(branch);
        }
        if let Some(condition) = &it.condition {
            // A condition with a call in it is several operations.
            let condition = self.condition(condition);
            let branch = self.emit(OpKind::Branch(condition, 0, 0));
            self.lead(branch);
            exits.push(branch);
        }
        self.n_loops += 1;
        self.loops.push(self.n_loops);
        self.statements(&it.body);
        self.loops.pop();
        // `DO I = 1;` and `DO I = 1 WHILE (c);` go round once.
        let once = it.control.as_ref().is_some_and(|it| it.to.is_none() && it.by.is_none());
        if !once {
            match advance {
                Some((_, (target, next))) => {
                    self.begin_again(statement);
                    self.emit(OpKind::Assign(target, next));
                    self.emit(OpKind::Jump(head));
                }
                None => {
                    self.emit(OpKind::Jump(head));
                }
            }
        }
        // The first operation after the loop belongs to another statement.
        let after = self.here();
        exits.into_iter().for_each(|it| self.land(it, after));
    }

    /// Sets the control variable before the loop; returns the test and the step of the loop.
    fn control(&mut self, control: &Control, body: &[syntax::Statement]) -> Option<(Option<Cond>, (Target, Expr))> {
        let mut from = self.number(&control.from);
        let constant = |it: &Option<syntax::Expr>| it.as_ref().is_none_or(|it| matches!(it.kind, ExprKind::Number(_)));
        // The first value is computed before the others: calls of functions in them may change its variables.
        let alone = constant(&control.to) && constant(&control.by);
        if !alone && !matches!(from, Expr::Number(_)) {
            let temporary = self.temporary();
            self.emit(OpKind::Assign(Target::Scalar(temporary), from));
            from = Expr::Load(temporary);
        }
        let to = control.to.as_ref().map(|it| self.kept(it, control, body));
        let by = match &control.by {
            Some(by) => self.kept(by, control, body),
            None => Expr::Number(BigInt::from(1)),
        };
        let target = self.target(&control.variable)?;
        let value = match &target {
            Target::Scalar(slot) => Expr::Load(*slot),
            Target::Element(slot, at) => Expr::Element(*slot, at.clone()),
        };
        self.emit(OpKind::Assign(target.clone(), from));
        let test = to.map(|to| {
            let compare = |op| Cond::Compare(op, value.clone(), to.clone());
            match &by {
                Expr::Number(by) if by.is_negative() => compare(Comparison::GreaterEqual),
                Expr::Number(_) => compare(Comparison::LessEqual),
                _ => {
                    let zero = || Expr::Number(BigInt::from(0));
                    let up = Cond::Compare(Comparison::GreaterEqual, by.clone(), zero());
                    let down = Cond::Compare(Comparison::Less, by.clone(), zero());
                    let both = |a, b| Box::new(Cond::And(Box::new(a), Box::new(b)));
                    let (upward, downward) = (compare(Comparison::LessEqual), compare(Comparison::GreaterEqual));
                    Cond::Or(both(up, upward), both(down, downward))
                }
            }
        });
        let next = Expr::Binary(Arithmetic::Add, Box::new(value), Box::new(by));
        Some((test, (target, next)))
    }

    /// The value of an expression now: a constant, or a variable that keeps it.
    fn kept(&mut self, expr: &syntax::Expr, control: &Control, body: &[syntax::Statement]) -> Expr {
        let value = self.number(expr);
        if matches!(value, Expr::Number(_)) {
            return value;
        }
        let temporary = self.temporary();
        let mut names = Vec::new();
        if variables(&value, &mut names) {
            let mut assigned = vec![&control.variable.name.text];
            assigned_names(body, &mut assigned);
            let changes = |slot: &u32| assigned.iter().any(|it| self.find(it) == Some(*slot));
            // A call may change what is STATIC.
            let is_static = |slot: &u32| self.slots[*slot as usize].is_static.is_some();
            if !names.iter().any(|it| changes(it) || is_static(it)) {
                self.slots[temporary as usize].mirrors = Some(value.clone());
            }
        }
        self.emit(OpKind::Assign(Target::Scalar(temporary), value));
        Expr::Load(temporary)
    }

    pub(crate) fn target(&mut self, target: &syntax::Target) -> Option<Target> {
        let slot = self.variable(&target.name)?;
        let is_array = self.slots[slot as usize].bounds.is_some();
        match (&target.subscript, is_array) {
            (None, false) => Some(Target::Scalar(slot)),
            (Some(subscript), true) => Some(Target::Element(slot, Box::new(self.number(subscript)))),
            (None, true) => {
                self.error(target.span, format!("a subscript was expected: {} is an array", target.name.text));
                None
            }
            (Some(_), false) => {
                self.no_array(target.span, &target.name.text);
                None
            }
        }
    }

    /// A variable, which comes into being by use.
    pub(super) fn variable(&mut self, name: &Name) -> Option<u32> {
        if let Some(slot) = self.find(&name.text) {
            return Some(slot);
        }
        if name.text.is_empty() {
            return None;
        }
        if self.closed {
            self.error(name.span, format!("there is no variable {} here", name.text));
            return None;
        }
        if self.signatures.contains_key(&name.text) {
            self.error(name.span, format!("{} is a procedure; its arguments are missing", name.text));
            return None;
        }
        Some(self.add_slot(Arc::clone(&name.text), None))
    }

    /// `CALL p(...)`, or a function's call; whether there is such a procedure.
    pub(super) fn call(&mut self, name: &Name, arguments: &[syntax::Expr], result: Option<u32>) {
        let Some(signature) = self.signatures.get(&name.text).cloned() else {
            if !name.text.is_empty() {
                self.error(name.span, format!("there is no procedure {}", name.text));
            }
            return;
        };
        if signature.arrays.len() != arguments.len() {
            let (expected, given) = (signature.arrays.len(), arguments.len());
            let plural = if expected == 1 { "" } else { "s" };
            let arguments = if given == 1 { "argument is" } else { "arguments are" };
            self.error(
                name.span,
                format!("{} has {expected} parameter{plural}, and {given} {arguments} given", name.text),
            );
            return;
        }
        let mut lowered = Vec::with_capacity(arguments.len());
        for (argument, is_array) in arguments.iter().zip(&signature.arrays) {
            lowered.extend(self.argument(argument, *is_array));
        }
        if lowered.len() == arguments.len() {
            let statement = self.statement;
            self.emit(OpKind::Call(signature.index, lowered.into(), result));
            // What is left of the statement is executed after the callee's.
            if result.is_some() {
                self.begin_again(statement);
            }
        }
    }

    fn argument(&mut self, argument: &syntax::Expr, is_array: bool) -> Option<Argument> {
        let span = argument.span;
        // An argument between parentheses is an expression, and gets a dummy, as in PL/I.
        let parenthesised = self.source.as_bytes().get(span.start as usize) == Some(&b'(');
        if is_array {
            if let ExprKind::Name(name) = &argument.kind {
                let known = self.find(name);
                let slot = match known {
                    None if self.is_call => self.add_slot(Arc::clone(name), Some(crate::code::ArrayBounds::Argument)),
                    None => self.variable(&Name { text: Arc::clone(name), span })?,
                    Some(slot) => slot,
                };
                if self.slots[slot as usize].bounds.is_some() {
                    return Some(Argument::Array(slot));
                }
            }
            self.error(span, "an array was expected: this parameter is declared as one");
            return None;
        }
        match &argument.kind {
            ExprKind::Name(name) if !parenthesised => {
                let slot = self.variable(&Name { text: Arc::clone(name), span })?;
                if self.slots[slot as usize].bounds.is_some() {
                    self.error(
                        span,
                        format!(
                            "a number was expected, and {name} is an array; DCL p(*) makes an array of a parameter"
                        ),
                    );
                    return None;
                }
                Some(Argument::Reference(Target::Scalar(slot)))
            }
            ExprKind::Apply(name, subscripts) if !parenthesised && self.is_array(&name.text) => {
                let [subscript] = subscripts.as_slice() else {
                    self.error(span, "one subscript was expected");
                    return None;
                };
                let slot = self.find(&name.text)?;
                Some(Argument::Reference(Target::Element(slot, Box::new(self.number(subscript)))))
            }
            _ => Some(Argument::Dummy(self.number(argument))),
        }
    }

    pub(super) fn is_array(&self, name: &str) -> bool {
        self.find(name).is_some_and(|it| self.slots[it as usize].bounds.is_some())
    }
}

/// The scalars of an expression; false if it has anything but scalars and constants in it.
fn variables(expr: &Expr, into: &mut Vec<u32>) -> bool {
    match expr {
        Expr::Number(_) | Expr::Symbol(_) => true,
        Expr::Load(slot) => {
            into.push(*slot);
            true
        }
        Expr::Binary(_, a, b) => variables(a, into) && variables(b, into),
        Expr::Abs(a) | Expr::At(_, a) => variables(a, into),
        // The bounds of an array do not change.
        Expr::LowerBound(_) | Expr::UpperBound(_) => true,
        Expr::Element(..) | Expr::Bound(_) | Expr::Old(_) | Expr::OldElement(..) | Expr::Conditional(..) => false,
    }
}

/// The variables that statements may assign to, by name: two names are taken for two variables.
fn assigned_names<'a>(statements: &'a [syntax::Statement], into: &mut Vec<&'a Arc<str>>) {
    for_each_statement(statements, &mut |it| match &it.kind {
        StatementKind::Assign(targets, value) => {
            into.extend(targets.iter().map(|it| &it.name.text));
            passed_names(value, into);
        }
        StatementKind::Read(targets) => into.extend(targets.iter().map(|it| &it.name.text)),
        StatementKind::Loop(it) => {
            into.extend(it.control.iter().map(|it| &it.variable.name.text));
            let parts = it.control.iter().flat_map(|it| [Some(&it.from), it.to.as_ref(), it.by.as_ref()]).flatten();
            parts.chain(&it.condition).for_each(|it| passed_names(it, into));
        }
        StatementKind::Call(_, arguments) | StatementKind::Write(arguments) => {
            arguments.iter().for_each(|it| named(it, into));
        }
        StatementKind::If(condition, ..) => passed_names(condition, into),
        StatementKind::Return(Some(value)) => passed_names(value, into),
        _ => {}
    });
}

/// An argument by reference, and those of the calls in it.
fn named<'a>(expr: &'a syntax::Expr, into: &mut Vec<&'a Arc<str>>) {
    if let ExprKind::Name(name) = &expr.kind {
        into.push(name);
    }
    passed_names(expr, into);
}

/// The variables that calls of functions in an expression may change.
fn passed_names<'a>(expr: &'a syntax::Expr, into: &mut Vec<&'a Arc<str>>) {
    match &expr.kind {
        ExprKind::Apply(_, arguments) => arguments.iter().for_each(|it| named(it, into)),
        ExprKind::Prefix(_, a) | ExprKind::Quantifier(_, _, a) => passed_names(a, into),
        ExprKind::Conditional(a, b, c) => [a, b, c].into_iter().for_each(|it| passed_names(it, into)),
        ExprKind::Infix(_, a, b) => {
            passed_names(a, into);
            passed_names(b, into);
        }
        _ => {}
    }
}

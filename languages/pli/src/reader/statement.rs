//! Statements.

use super::Reader;
use super::token::TokenKind;
use crate::syntax::{Comparison, Control, Expr, ExprKind, Loop, Name, Span, Statement, StatementKind, Target};

impl Reader<'_> {
    /// Statements up to an END, or to where no statement can be.
    pub(super) fn statements(&mut self) -> Vec<Statement> {
        let mut res = Vec::new();
        while !self.at(&TokenKind::End) && !self.at_end() {
            if self.at_procedure() && self.depth == 0 {
                // The END of the procedure before is missing.
                break;
            }
            let before = self.at;
            res.push(self.statement());
            if self.at == before {
                self.advance();
            }
        }
        res
    }

    /// `END`, and not a variable of this name.
    fn at_end(&self) -> bool {
        self.at_word("END") && !self.assigns(1)
    }

    /// Whether the token `ahead` makes the words before it the target of an assignment.
    fn assigns(&self, ahead: usize) -> bool {
        matches!(self.peek(ahead), TokenKind::Compare(Comparison::Equal) | TokenKind::Arrow)
    }

    /// `END name;` of what began at `begin`.
    pub(super) fn end(&mut self, name: Option<&Name>, begin: Span, what: &str) -> Span {
        let start = self.span();
        if !self.at_end() {
            let (line, found) = (self.lines.line(begin.start), self.kind().name());
            let nested = if self.at_procedure() { ", and procedures do not stand inside of others" } else { "" };
            let message = format!("`END` was expected before {found}: {what} of line {line} has none{nested}");
            self.wrong_here(start, message);
            return start;
        }
        self.advance();
        if let TokenKind::Word(text) = self.kind().clone()
            && !self.at_end()
            && !self.begins_line()
        {
            let span = self.span();
            match name {
                Some(name) if name.text == text => {}
                Some(name) => {
                    self.error_at(span, format!("`END {}` was expected: {text} is not what ends here", name.text))
                }
                None => self.error_at(span, format!("`END` without a name was expected: {text} is not what ends here")),
            }
            self.advance();
        }
        let span = start.to(self.span());
        self.end_of_statement();
        span
    }

    /// `;`. Before ELSE it may be missing, as in King's figure 10.
    pub(super) fn end_of_statement(&mut self) {
        if self.take(&TokenKind::Semicolon) || self.at_word("ELSE") {
            return;
        }
        // What begins a line begins a statement.
        if self.begins_line() {
            let before = self.before();
            let span = Span { start: before.end, end: before.end };
            self.wrong_here(span, "`;` was expected here".to_owned());
            if matches!(self.kind(), TokenKind::Word(_)) {
                return;
            }
        }
        self.expected("`;`");
        self.skip_statement();
    }

    /// Goes on after the next semicolon, or before what must begin a statement.
    fn skip_statement(&mut self) {
        while !self.at(&TokenKind::End) {
            if self.take(&TokenKind::Semicolon) || self.at_end() || self.at_procedure() {
                return;
            }
            self.advance();
        }
    }

    pub(super) fn statement(&mut self) -> Statement {
        let start = self.span();
        self.operators = 0;
        let mut labels = Vec::new();
        while matches!(self.kind(), TokenKind::Word(_)) && self.peek_is(1, &TokenKind::Colon) {
            if self.at_procedure() {
                let message = "`END` was expected before this: procedures do not stand inside of others".to_owned();
                if std::mem::replace(&mut self.nested, true) {
                    self.give_up(message);
                } else {
                    self.error_at(start, message);
                }
                let kind = self.deeper(Self::procedure).flatten().map_or(StatementKind::Error, |_| StatementKind::Null);
                if matches!(kind, StatementKind::Error) {
                    self.skip_statement();
                }
                return Statement { labels, kind: StatementKind::Error, span: start };
            }
            labels.push(self.name("a label"));
            self.advance();
        }
        let (kind, span) = match self.deeper(|it| it.unlabelled(labels.last().cloned())) {
            Some(kind) => kind,
            None => {
                self.skip_statement();
                (StatementKind::Error, self.before())
            }
        };
        Statement { labels, kind, span: start.to(span) }
    }

    /// A statement after its labels, with the end of its own text.
    fn unlabelled(&mut self, label: Option<Name>) -> (StatementKind, Span) {
        if self.take(&TokenKind::Semicolon) {
            return (StatementKind::Null, self.before());
        }
        // A label before END: the empty statement there.
        if label.is_some() && self.at_end() {
            return (StatementKind::Null, self.before());
        }
        let TokenKind::Word(word) = self.kind().clone() else {
            self.expected("a statement");
            self.advance();
            self.skip_statement();
            return (StatementKind::Error, self.before());
        };
        if self.assigns(1) || self.peek_is(1, &TokenKind::Comma) {
            return self.assignment();
        }
        match &*word {
            "DECLARE" | "DCL" => {
                self.advance();
                let declarations = self.declarations();
                self.finished(StatementKind::Declare(declarations))
            }
            "IF" => self.conditional(),
            "DO" => self.group(label.as_ref()),
            "GO" | "GOTO" => {
                self.advance();
                if &*word == "GO" && !self.take_word("TO") {
                    self.expected("`TO`");
                }
                let target = self.name("a label");
                self.finished(StatementKind::Goto(target))
            }
            "CALL" => {
                self.advance();
                let name = self.name("the name of a procedure");
                let arguments = if self.take(&TokenKind::Open) { self.arguments() } else { Vec::new() };
                self.finished(StatementKind::Call(name, arguments))
            }
            "RETURN" => {
                self.advance();
                let value = self.at(&TokenKind::Open).then(|| self.expression());
                if value.is_none() && !self.at(&TokenKind::Semicolon) && !self.begins_line() && !self.at_word("ELSE") {
                    self.expected("`;`, or a value between `(` and `)`,");
                }
                self.finished(StatementKind::Return(value))
            }
            "READ" => {
                self.advance();
                let open = self.take(&TokenKind::Open);
                let targets = self.targets();
                if open {
                    self.expect(&TokenKind::Close, "`)`");
                }
                self.finished(StatementKind::Read(targets))
            }
            "WRITE" => {
                self.advance();
                let values = if self.take(&TokenKind::Open) { self.arguments() } else { vec![self.expression()] };
                self.finished(StatementKind::Write(values))
            }
            "ASSUME" | "PROVE" | "ASSERT" => {
                self.advance();
                let condition = self.expression();
                self.finished(match &*word {
                    "ASSUME" => StatementKind::Assume(condition),
                    "PROVE" => StatementKind::Prove(condition),
                    _ => StatementKind::Assert(condition),
                })
            }
            "ELSE" | "THEN" => {
                let message =
                    format!("a statement was expected, not {word}: no IF is open here, or an END is missing before it");
                self.error_at(self.span(), message);
                self.advance();
                self.skip_statement();
                (StatementKind::Error, self.before())
            }
            "WHILE" | "FOR" | "BEGIN" | "SELECT" => {
                let meant = match &*word {
                    "WHILE" => "`DO WHILE (X > 0);`",
                    "FOR" => "`DO I = 1 TO 5;`",
                    "BEGIN" => "`DO;`",
                    _ => "IF",
                };
                self.error_at(self.span(), format!("{meant} was expected: there is no statement {word}"));
                let start = self.span();
                self.skip_statement();
                // What other languages close by END.
                self.deeper(Self::statements);
                self.end(None, start, "the block");
                (StatementKind::Error, self.before())
            }
            _ if self.peek_is(1, &TokenKind::Open) => self.assignment(),
            _ if matches!(self.peek(1), TokenKind::Word(_) | TokenKind::Number(_) | TokenKind::Semicolon) => {
                let message = match &*word {
                    "PRINT" | "PUT" | "OUTPUT" => format!("`WRITE (X);` was expected: there is no statement {word}"),
                    "INPUT" | "GET" => format!("`READ (X);` was expected: there is no statement {word}"),
                    "LET" | "SET" => format!("`X = 5;` was expected: there is no statement {word}"),
                    _ => format!(
                        "a statement was expected, not `{word}`: X = 5, IF, DO, GO TO, CALL, RETURN, READ, WRITE, \
                         ASSUME, PROVE, ASSERT or DECLARE"
                    ),
                };
                self.error_at(self.span(), message);
                self.skip_statement();
                (StatementKind::Error, self.before())
            }
            _ => {
                self.advance();
                self.expected("`=`");
                self.skip_statement();
                (StatementKind::Error, self.before())
            }
        }
    }

    fn finished(&mut self, kind: StatementKind) -> (StatementKind, Span) {
        let span = self.before();
        self.end_of_statement();
        (kind, span)
    }

    fn targets(&mut self) -> Vec<Target> {
        let mut res = vec![self.target()];
        while self.take(&TokenKind::Comma) {
            res.push(self.target());
        }
        res
    }

    fn target(&mut self) -> Target {
        let name = self.name("a variable");
        let subscript = self.take(&TokenKind::Open).then(|| {
            let subscript = self.expression();
            if self.at(&TokenKind::Comma) {
                self.wrong_here(self.span(), "`)` was expected: arrays have one dimension".to_owned());
                self.skip_to(&[TokenKind::Close]);
            }
            self.expect(&TokenKind::Close, "`)`");
            subscript
        });
        let span = name.span.to(self.before());
        Target { name, subscript, span }
    }

    fn assignment(&mut self) -> (StatementKind, Span) {
        let targets = self.targets();
        if self.assigns(0) {
            self.advance();
        } else {
            self.expected("`=`");
            self.skip_statement();
            return (StatementKind::Error, self.before());
        }
        let value = self.expression();
        self.finished(StatementKind::Assign(targets, value))
    }

    fn conditional(&mut self) -> (StatementKind, Span) {
        self.advance();
        let condition = self.expression();
        if !self.take_word("THEN") {
            self.expected("`THEN`");
        }
        let span = self.before();
        let then = Box::new(self.statement());
        let otherwise = self.take_word("ELSE").then(|| Box::new(self.statement()));
        (StatementKind::If(condition, then, otherwise), span)
    }

    /// `DO; ...`, `DO WHILE (c); ...`, `DO I = a TO b BY c WHILE (d); ...`
    fn group(&mut self, label: Option<&Name>) -> (StatementKind, Span) {
        let start = self.span();
        self.advance();
        let mut control = None;
        let mut condition = None;
        let mut loops = false;
        loop {
            if self.at_word("WHILE") && !self.assigns(1) && condition.is_none() {
                self.advance();
                if !self.at(&TokenKind::Open) {
                    self.expected("`(`");
                }
                condition = Some(self.expression());
                loops = true;
            } else if control.is_none() && !loops && matches!(self.kind(), TokenKind::Word(_)) {
                control = Some(self.control());
                loops = true;
            } else {
                break;
            }
        }
        let span = self.before();
        self.end_of_statement();
        let body = self.statements();
        let end = self.end(label, start, "the DO");
        let kind = match loops {
            true => StatementKind::Loop(Box::new(Loop { control, condition, body, end })),
            false => StatementKind::Group(body, end),
        };
        (kind, span)
    }

    fn control(&mut self) -> Control {
        let variable = self.target();
        if self.assigns(0) {
            self.advance();
        } else {
            self.expected("`=`");
            self.skip_to(&[]);
            let from = Expr { kind: ExprKind::Error, span: self.span() };
            return Control { variable, from, to: None, by: None };
        }
        let from = self.expression();
        let (mut to, mut by) = (None, None);
        loop {
            if to.is_none() && self.take_word("TO") {
                to = Some(self.expression());
            } else if by.is_none() && self.take_word("BY") {
                by = Some(self.expression());
            } else {
                return Control { variable, from, to, by };
            }
        }
    }

    /// Expressions up to a closing parenthesis, the opening one being taken.
    pub(super) fn arguments(&mut self) -> Vec<Expr> {
        let mut res = Vec::new();
        if self.take(&TokenKind::Close) {
            return res;
        }
        loop {
            res.push(self.expression());
            if !self.take(&TokenKind::Comma) {
                self.expect(&TokenKind::Close, "`,` or `)`");
                return res;
            }
        }
    }
}

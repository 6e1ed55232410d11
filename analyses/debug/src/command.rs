//! Commands: what a person can type, as data.
//!
//! Knows: the words and their arguments. Never: what they do, or what an expression of the language means.

/// A command with its arguments, as it was typed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// `call SEARCH(A, 1, 5, "X", FOUND, J)`
    Call(String),
    /// `go`, `go true`: executes to the next breakpoint or question.
    Go(Option<Choice>),
    /// `step 3`: statements, into calls.
    Step(u64, Option<Choice>),
    /// `next 3`: statements, over calls.
    Next(u64, Option<Choice>),
    /// `finish`: executes until the current procedure has returned.
    Finish(Option<Choice>),
    /// `assume (X > 10)`: adds a condition to the path condition.
    Assume(String),
    /// `prove (X > 10)`: asks whether the path condition implies a condition.
    Prove(String),
    /// `break after 7 if (X > 10)`
    Break(Option<Point>, Option<String>),
    /// `breaks`: lists the breakpoints with their numbers.
    Breaks,
    /// `delete 2`; all of them without a number.
    Delete(Option<u64>),
    /// `trace number values 3-7`: prints statements as they are executed.
    Trace(Tracing),
    /// `show`, `show pc`, `show X + 1`
    Show(Shown),
    /// `list 7`: prints the source around a statement.
    List(Option<u32>),
    /// `where`: prints the statement that comes next, and the calls that lead to it.
    Where,
    /// `set X = "a"`: gives a variable the value of an expression.
    Set(String, String),
    /// `save`: keeps the current position under a number.
    Save,
    /// `restore 1`: goes back to a saved position.
    Restore(u64),
    /// `states`: lists the positions that were saved.
    States,
    /// `undo`: takes the last command back that moved or changed something.
    Undo,
    /// `witness`: prints inputs that lead to this position.
    Witness,
    /// `test`: concretely, with the witness.
    Test,
    /// `test (200) SEARCH(A, 1, 5, "X", FOUND, J)`: exhaustively, so many statements deep.
    Explore(u64, Option<String>),
    /// `tree`: prints the execution tree as far as it was walked.
    Tree,
    /// `help break`: explains a command; without a name, lists all.
    Help(Option<String>),
    /// `quit`: ends the session; what follows on the line is not read.
    Quit,
}

/// The answer of the user to an open question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Choice {
    /// `go true`: the condition in question holds.
    True,
    /// `go false`: the condition in question does not hold.
    False,
    /// `go 2`, `go default`: by number from 1, or by label.
    Side(String),
    /// `go = 5`: the term in question has this value.
    Value(String),
}

/// A statement as the user names it: `7`, `SEARCH:7`, `file.c:12`, `SEARCH`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spot {
    /// A procedure, or a file.
    pub within: Option<String>,
    /// The statement's number; the first of the procedure without one.
    pub number: Option<u32>,
}

/// A place at which execution is to stop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Point {
    /// `break 7`, `break before 7`
    Before(Spot),
    /// `break after 7`: stops when this statement is finished.
    After(Spot),
    /// `break between 6 7`: stops on the way from the first statement to the second.
    Between(Spot, Spot),
}

/// The argument of `trace`: what is printed of each statement that is executed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Tracing {
    /// Ends the tracing: nothing is printed any more.
    Off,
    /// Print these of each statement in the scopes; no scope is all.
    On {
        /// Whether the statement's number is printed.
        number: bool,
        /// Whether the source text of the statement is printed.
        source: bool,
        /// The values that it changed.
        values: bool,
        /// What had to hold for it, and does.
        checks: bool,
        /// The statements that are traced; none means all.
        scopes: Vec<Scope>,
    },
}

/// A set of statements that are traced.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Scope {
    /// The statements with these numbers, first and last: `3-7`, `5`.
    Numbers(u32, u32),
    /// The statements of this procedure: `SEARCH`.
    Procedure(String),
}

/// The argument of `show`: what is to be printed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Shown {
    /// `show`: the variables and the path condition.
    All,
    /// `show pc`: the path condition.
    PathCondition {
        /// Whether every conjunct is shown that was ever assumed: `show pc full`.
        full: bool,
    },
    /// A variable or an expression.
    Expression(String),
}

/// Why a line is no command.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CommandError {
    /// No command has this name.
    #[error("`{0}` is no command; `help` lists them")]
    Unknown(String),
    /// Several commands begin with this word: it, and their names.
    #[error("`{0}` could be {1}")]
    Ambiguous(String, String),
    /// The arguments do not fit.
    #[error("`{0}` is written: {1}")]
    Usage(&'static str, &'static str),
}

/// A command: a row of [`COMMANDS`], for the reader, the help and completion.
#[derive(Clone, Copy, Debug)]
pub struct Described {
    /// The name of the command, which may be shortened.
    pub name: &'static str,
    /// Its other names, from other debuggers.
    aliases: &'static [&'static str],
    /// The form in which the command is typed, with its arguments.
    pub usage: &'static str,
    /// The effect of the command, for the help.
    pub what: &'static str,
    /// Reads its arguments; `None` when they do not fit.
    read: fn(&str) -> Option<Command>,
}

/// All commands, in the order of the help.
pub const COMMANDS: &[Described] = &[
    Described {
        name: "call",
        aliases: &[],
        usage: "call PROC(arguments)",
        what: "start a program by a call; \"A\" in an argument is a symbolic input",
        read: |it| expression(it).map(Command::Call),
    },
    Described {
        name: "go",
        aliases: &["run", "continue", "c"],
        usage: "go | go true | go false | go 2 | go LABEL | go = 5",
        what: "run to the next stop; at an unresolved branch, choose the way (`run`, `continue` are the same)",
        read: |it| choice(it).map(Command::Go),
    },
    Described {
        name: "step",
        aliases: &["s"],
        usage: "step [N] [true | false]",
        what: "execute one statement or N, into calls",
        read: |it| counted(it).map(|(count, choice)| Command::Step(count, choice)),
    },
    Described {
        name: "next",
        aliases: &["n"],
        usage: "next [N] [true | false]",
        what: "execute one statement or N, over calls",
        read: |it| counted(it).map(|(count, choice)| Command::Next(count, choice)),
    },
    Described {
        name: "finish",
        aliases: &[],
        usage: "finish",
        what: "run to the end of the current procedure",
        read: |it| choice(it).map(Command::Finish),
    },
    Described {
        name: "assume",
        aliases: &[],
        usage: "assume (P)",
        what: "add P, with the values of now, to the path condition",
        read: |it| expression(it).map(Command::Assume),
    },
    Described {
        name: "prove",
        aliases: &[],
        usage: "prove (P)",
        what: "does the path condition imply P?",
        read: |it| expression(it).map(Command::Prove),
    },
    Described {
        name: "break",
        aliases: &["b"],
        usage: "break [before | after] N | break between N M | break if (P) | break N if (P)",
        what: "stop there; N is 7, PROC:7, PROC or file.c:7; with `if`, where P can hold",
        read: breakpoint,
    },
    Described {
        name: "breaks",
        aliases: &[],
        usage: "breaks",
        what: "list the breakpoints",
        read: |it| alone(it, Command::Breaks),
    },
    Described {
        name: "delete",
        aliases: &[],
        usage: "delete [N]",
        what: "delete breakpoint N, or all",
        read: deletion,
    },
    Described {
        name: "trace",
        aliases: &[],
        usage: "trace [number] [source] [values] [checks] [all | 3-7 | PROC] | trace off",
        what: "print number, source text, changed values of the statements that are executed, and the checks that hold",
        read: |it| tracing(it).map(Command::Trace),
    },
    Described {
        name: "show",
        aliases: &["p", "print"],
        usage: "show | show X | show EXPRESSION | show pc | show pc full",
        what: "show variables, the value of an expression, the path condition",
        read: |it| Some(Command::Show(shown(it))),
    },
    Described {
        name: "list",
        aliases: &["l"],
        usage: "list [N]",
        what: "show the statements around the current one, or around N",
        read: |it| optional(it, |it| it.parse().ok()).map(Command::List),
    },
    Described {
        name: "where",
        aliases: &["w"],
        usage: "where",
        what: "which statement comes next, and how deep in calls",
        read: |it| alone(it, Command::Where),
    },
    Described {
        name: "set",
        aliases: &[],
        usage: "set X = EXPRESSION",
        what: "give a variable a value; \"a\" is a fresh symbol",
        read: |it| assignment(it).map(|(target, value)| Command::Set(target, value)),
    },
    Described {
        name: "save",
        aliases: &[],
        usage: "save",
        what: "keep this state under a number",
        read: |it| alone(it, Command::Save),
    },
    Described {
        name: "restore",
        aliases: &[],
        usage: "restore N",
        what: "go back to a kept state",
        read: |it| it.parse().ok().map(Command::Restore),
    },
    Described {
        name: "states",
        aliases: &[],
        usage: "states",
        what: "list the kept states",
        read: |it| alone(it, Command::States),
    },
    Described {
        name: "undo",
        aliases: &["u"],
        usage: "undo",
        what: "back to before the last command that moved or changed the state",
        read: |it| alone(it, Command::Undo),
    },
    Described {
        name: "witness",
        aliases: &[],
        usage: "witness",
        what: "concrete inputs that come here",
        read: |it| alone(it, Command::Witness),
    },
    Described {
        name: "test",
        aliases: &[],
        usage: "test | test (N) | test (N) PROC(arguments)",
        what: "run the witness concretely; with N, explore all paths of fewer than N statements and list their ends",
        read: |it| if it.is_empty() { Some(Command::Test) } else { exploration(it) },
    },
    Described {
        name: "tree",
        aliases: &[],
        usage: "tree",
        what: "the part of the execution tree that was walked so far",
        read: |it| alone(it, Command::Tree),
    },
    Described {
        name: "help",
        aliases: &["h", "?"],
        usage: "help [COMMAND]",
        what: "this list, or one command",
        read: |it| optional(it, |it| Some(it.to_owned())).map(Command::Help),
    },
    Described {
        name: "quit",
        aliases: &["q", "exit"],
        usage: "quit",
        what: "end the session",
        read: |it| alone(it, Command::Quit),
    },
];

/// The commands of a line, as texts: parted at each `;` that is neither quoted nor in parentheses.
pub fn split(line: &str) -> Vec<&str> {
    let mut res = Vec::new();
    let (mut start, mut depth, mut quoted) = (0, 0usize, false);
    let mut before = ' ';
    for (at, c) in line.char_indices() {
        // `';'` and `'"'` are characters of C.
        let literal = before == '\'' && line[at + c.len_utf8()..].starts_with('\'');
        match c {
            _ if literal => {}
            '"' => quoted = !quoted,
            _ if quoted => {}
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            ';' if depth == 0 => {
                res.push(&line[start..at]);
                start = at + 1;
            }
            _ => {}
        }
        before = c;
    }
    res.push(&line[start..]);
    res.into_iter().map(str::trim).filter(|it| !it.is_empty() && !it.starts_with('#')).collect()
}

/// Reads one command.
///
/// # Errors
/// When there is no such command, or its arguments do not fit.
pub fn parse(text: &str) -> Result<Command, CommandError> {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_alphabetic() && c != '?').unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    let command = named(if word.is_empty() { text } else { word })?;
    (command.read)(rest.trim()).ok_or(CommandError::Usage(command.name, command.usage))
}

/// The command of this name, or the only one that begins so.
pub(crate) fn named(word: &str) -> Result<&'static Described, CommandError> {
    let word: String = word.chars().take(40).collect::<String>().to_lowercase();
    let by_name = COMMANDS.iter().find(|it| it.name == word);
    if let Some(found) = by_name.or_else(|| COMMANDS.iter().find(|it| it.aliases.contains(&&*word))) {
        return Ok(found);
    }
    let mut found = COMMANDS.iter().filter(|it| it.name.starts_with(&*word));
    match (found.next(), found.next()) {
        (Some(only), None) => Ok(only),
        (Some(first), Some(second)) => {
            let all = [first, second].into_iter().chain(found);
            let all = all.map(|it| format!("`{}`", it.name)).collect::<Vec<_>>();
            Err(CommandError::Ambiguous(word, all.join(" or ")))
        }
        _ => Err(CommandError::Unknown(word)),
    }
}

/// A command that has no arguments.
fn alone(rest: &str, command: Command) -> Option<Command> {
    rest.is_empty().then_some(command)
}

/// An argument that must be there.
fn expression(rest: &str) -> Option<String> {
    (!rest.is_empty()).then(|| rest.to_owned())
}

/// An argument that may be missing; `None` when it does not fit.
fn optional<T>(rest: &str, read: impl FnOnce(&str) -> Option<T>) -> Option<Option<T>> {
    if rest.is_empty() { Some(None) } else { read(rest).map(Some) }
}

/// Reads the argument of `delete`: `2`, `all`, or nothing.
fn deletion(rest: &str) -> Option<Command> {
    let rest = if rest.eq_ignore_ascii_case("all") { "" } else { rest };
    optional(rest, |it| it.parse().ok()).map(Command::Delete)
}

/// `true`, `2`, `= 5`, a label, or nothing.
fn choice(rest: &str) -> Option<Option<Choice>> {
    if rest.is_empty() {
        return Some(None);
    }
    if let Some(value) = rest.strip_prefix('=') {
        let value = value.trim();
        return (!value.is_empty()).then(|| Some(Choice::Value(value.to_owned())));
    }
    Some(Some(match rest.to_lowercase().as_str() {
        "yes" => Choice::True,
        "no" => Choice::False,
        it if "true".starts_with(it) => Choice::True,
        it if "false".starts_with(it) => Choice::False,
        _ => Choice::Side(rest.to_owned()),
    }))
}

/// `3`, `true`, `3 true`, or nothing.
fn counted(rest: &str) -> Option<(u64, Option<Choice>)> {
    let (first, other) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    match first.parse::<u64>() {
        Ok(0) => None,
        Ok(count) => Some((count, choice(other.trim())?)),
        Err(_) => Some((1, choice(rest)?)),
    }
}

fn spot(text: &str) -> Option<Spot> {
    if let Ok(number) = text.parse() {
        return Some(Spot { within: None, number: Some(number) });
    }
    let (within, number) = match text.rsplit_once(':') {
        Some((within, number)) => (within, Some(number.parse().ok()?)),
        None => (text, None),
    };
    let named = !within.is_empty() && !within.contains(|c: char| c.is_whitespace() || c == '(' || c == '"');
    named.then(|| Spot { within: Some(within.to_owned()), number })
}

/// `[before | after] N [if (P)]`, `between N M [if (P)]`, `if (P)`
fn breakpoint(rest: &str) -> Option<Command> {
    let mut words: Vec<&str> = Vec::new();
    let mut left = rest;
    let mut condition = None;
    while !left.is_empty() {
        let end = left.find(|c: char| c.is_whitespace() || c == '(').unwrap_or(left.len());
        let (word, after) = left.split_at(end);
        let after = after.trim_start();
        if word.eq_ignore_ascii_case("if") {
            if after.is_empty() {
                return None;
            }
            condition = Some(after.to_owned());
            break;
        }
        if word.is_empty() {
            return None;
        }
        words.push(word);
        left = after;
    }
    let is = |at: usize, word: &str| words.get(at).is_some_and(|it| it.eq_ignore_ascii_case(word));
    let point = match &words[..] {
        [] => None,
        [_, at] if is(0, "before") => Some(Point::Before(spot(at)?)),
        [_, at] if is(0, "after") => Some(Point::After(spot(at)?)),
        [_, first, second] if is(0, "between") => Some(Point::Between(spot(first)?, spot(second)?)),
        [_, first, and, second] if is(0, "between") && and.eq_ignore_ascii_case("and") => {
            Some(Point::Between(spot(first)?, spot(second)?))
        }
        [at] => Some(Point::Before(spot(at)?)),
        _ => return None,
    };
    (point.is_some() || condition.is_some()).then_some(Command::Break(point, condition))
}

fn tracing(rest: &str) -> Option<Tracing> {
    if rest.eq_ignore_ascii_case("off") {
        return Some(Tracing::Off);
    }
    let (mut number, mut source, mut values, mut checks, mut scopes) = (false, false, false, false, Vec::new());
    for word in rest.split_whitespace() {
        match word.to_lowercase().as_str() {
            "number" | "numbers" => number = true,
            "source" => source = true,
            "value" | "values" => values = true,
            "check" | "checks" => checks = true,
            "all" => scopes.clear(),
            "off" => return None,
            _ => scopes.push(scope(word)?),
        }
    }
    if !(number || source || values || checks) {
        (number, source, values) = (true, true, true);
    }
    Some(Tracing::On { number, source, values, checks, scopes })
}

fn scope(word: &str) -> Option<Scope> {
    let (low, high) = word.split_once('-').unwrap_or((word, word));
    match (low.parse(), high.parse()) {
        (Ok(low), Ok(high)) => (low <= high).then_some(Scope::Numbers(low, high)),
        _ => {
            let starts = word.starts_with(|c: char| c.is_alphabetic() || c == '_');
            starts.then(|| Scope::Procedure(word.to_owned()))
        }
    }
}

fn shown(rest: &str) -> Shown {
    let words: Vec<String> = rest.split_whitespace().take(4).map(str::to_lowercase).collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => Shown::All,
        ["pc"] => Shown::PathCondition { full: false },
        ["pc", "full"] => Shown::PathCondition { full: true },
        _ => Shown::Expression(rest.to_owned()),
    }
}

/// `X = 5`: parted at the first `=` (or `←`) outside of parentheses that is no part of a comparison.
fn assignment(rest: &str) -> Option<(String, String)> {
    let (mut quoted, mut depth) = (false, 0i64);
    let mut before = ' ';
    for (at, c) in rest.char_indices() {
        let after = rest[at + c.len_utf8()..].chars().next();
        match c {
            '"' => quoted = !quoted,
            _ if quoted => {}
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            '=' | '←' if depth == 0 && !matches!(before, '<' | '>' | '!' | '=' | '¬' | '^') && after != Some('=') => {
                let (target, value) = (rest[..at].trim(), rest[at + c.len_utf8()..].trim());
                let good = !target.is_empty() && !value.is_empty();
                return good.then(|| (target.to_owned(), value.to_owned()));
            }
            _ => {}
        }
        before = c;
    }
    None
}

/// `(200)`, `(200) SEARCH(...)`, `(200) call SEARCH(...)`
fn exploration(rest: &str) -> Option<Command> {
    let (limit, call) = match rest.strip_prefix('(') {
        Some(inner) => inner.split_once(')')?,
        None => rest.split_once(char::is_whitespace).unwrap_or((rest, "")),
    };
    let limit = limit.trim().parse().ok().filter(|&it| it > 0)?;
    let call = call.trim();
    let starts_with_call = call.get(..5).is_some_and(|it| it.eq_ignore_ascii_case("call "));
    let call = if starts_with_call { call[5..].trim() } else { call };
    Some(Command::Explore(limit, (!call.is_empty()).then(|| call.to_owned())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(number: u32) -> Spot {
        Spot { within: None, number: Some(number) }
    }

    #[test]
    fn a_line_is_parted_at_semicolons_outside_of_quotes_and_parentheses() {
        assert_eq!(split("save; go true"), ["save", "go true"]);
        assert_eq!(split("assume (\"a;b\" > 10); go;"), ["assume (\"a;b\" > 10)", "go"]);
        assert_eq!(split("call P(1; 2)"), ["call P(1; 2)"]);
        assert_eq!(split("prove c == ';'; go"), ["prove c == ';'", "go"]);
        assert_eq!(split("# a remark"), Vec::<&str>::new());
        assert_eq!(split(" ;; "), Vec::<&str>::new());
    }

    #[test]
    fn no_two_commands_have_one_name() {
        let names = COMMANDS.iter().flat_map(|it| [it.name].into_iter().chain(it.aliases.iter().copied()));
        let mut names: Vec<&str> = names.collect();
        names.sort_unstable();
        assert!(names.windows(2).all(|it| it[0] != it[1]), "{names:?}");
    }

    #[test]
    fn commands_are_read_in_any_case_and_by_their_beginning() {
        assert_eq!(parse("GO TRUE"), Ok(Command::Go(Some(Choice::True))));
        assert_eq!(parse("rest 3"), Ok(Command::Restore(3)));
        assert_eq!(parse("step"), Ok(Command::Step(1, None)));
        assert_eq!(parse("s 4 false"), Ok(Command::Step(4, Some(Choice::False))));
        assert_eq!(parse("go = 5"), Ok(Command::Go(Some(Choice::Value("5".to_owned())))));
        assert_eq!(parse("go case 3"), Ok(Command::Go(Some(Choice::Side("case 3".to_owned())))));
        assert_eq!(parse("assume(X > 10)"), Ok(Command::Assume("(X > 10)".to_owned())));
        assert_eq!(parse("set A(1) = \"a\""), Ok(Command::Set("A(1)".to_owned(), "\"a\"".to_owned())));
        assert_eq!(parse("set a[i == 1] = 3"), Ok(Command::Set("a[i == 1]".to_owned(), "3".to_owned())));
        assert_eq!(parse("set A(I = 1) ← 3"), Ok(Command::Set("A(I = 1)".to_owned(), "3".to_owned())));
        assert_eq!(parse("TEST (200) SEARCH(A, 1)"), Ok(Command::Explore(200, Some("SEARCH(A, 1)".to_owned()))));
        assert!(matches!(parse("st"), Err(CommandError::Ambiguous(..))));
        assert!(matches!(parse("fly"), Err(CommandError::Unknown(_))));
        assert!(matches!(parse("restore"), Err(CommandError::Usage("restore", _))));
        assert!(matches!(parse("(("), Err(CommandError::Unknown(_))));
    }

    #[test]
    fn breakpoints_are_before_after_between_and_if() {
        assert_eq!(parse("break 7"), Ok(Command::Break(Some(Point::Before(at(7))), None)));
        assert_eq!(parse("break after 7"), Ok(Command::Break(Some(Point::After(at(7))), None)));
        assert_eq!(parse("break between 6 7"), Ok(Command::Break(Some(Point::Between(at(6), at(7))), None)));
        let spot = Spot { within: Some("file.c".to_owned()), number: Some(12) };
        assert_eq!(
            parse("break file.c:12 if (x > 3)"),
            Ok(Command::Break(Some(Point::Before(spot)), Some("(x > 3)".to_owned())))
        );
        assert_eq!(parse("break if(x > 3)"), Ok(Command::Break(None, Some("(x > 3)".to_owned()))));
        for wrong in ["break", "break if", "break 7 8", "break between 6", "break (7)"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn traces_have_kinds_and_scopes() {
        let all = Tracing::On { number: true, source: true, values: true, checks: false, scopes: Vec::new() };
        assert_eq!(parse("trace"), Ok(Command::Trace(all.clone())));
        assert_eq!(parse("trace all"), Ok(Command::Trace(all)));
        assert_eq!(parse("trace off"), Ok(Command::Trace(Tracing::Off)));
        let scopes = vec![Scope::Numbers(3, 7)];
        let some = Tracing::On { number: true, source: false, values: true, checks: false, scopes };
        assert_eq!(parse("trace number values 3-7"), Ok(Command::Trace(some)));
        let checks = Tracing::On { number: false, source: false, values: false, checks: true, scopes: Vec::new() };
        assert_eq!(parse("trace checks"), Ok(Command::Trace(checks)));
        assert!(parse("trace 7-3").is_err());
    }
}

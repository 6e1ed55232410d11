//! The notation of the axioms: parentheses, names, comments after `;`.
//!
//! Knows: how a theory's text is read. Never: what it says.
//!
//! The texts are part of the program: what is wrong with one is our bug, and the tests read all of them.

/// A name, or a list.
#[derive(Clone, Debug)]
pub(super) enum Text {
    /// A name or a number.
    Atom(&'static str),
    /// A list in parentheses, of any length.
    List(Vec<Text>),
}

/// What a theory's text declares.
#[derive(Clone, Debug)]
pub(super) enum Declaration {
    /// A constant with its sort: `(constant name Sort)`.
    Constant(&'static str, &'static str),
    /// A function with its sorts: `(function name (Sort ...) Sort)`.
    Function(&'static str, Vec<&'static str>, &'static str),
    /// `(axiom name ((variable Sort) ...) (needs function)... (trigger term ...)... body)`.
    Axiom(AxiomText),
}

/// An axiom, not yet of particular sorts.
#[derive(Clone, Debug)]
pub(super) struct AxiomText {
    /// Its name within the theory.
    pub name: &'static str,
    /// Bound variables with their sorts.
    pub variables: Vec<(&'static str, &'static str)>,
    /// Functions without which it is of no use, though its triggers could match.
    pub needs: Vec<&'static str>,
    /// The triggers, each a list of terms.
    pub triggers: Vec<Vec<Text>>,
    /// The formula that the axiom asserts.
    pub body: Text,
}

impl Text {
    fn atom(&self) -> &'static str {
        match self {
            Text::Atom(name) => name,
            Text::List(_) => panic!("a name is expected, not {self:?}"),
        }
    }

    pub(super) fn list(&self) -> &[Text] {
        match self {
            Text::List(items) => items,
            Text::Atom(_) => panic!("a list is expected, not {self:?}"),
        }
    }

    /// Adds all names that occur in the text.
    pub(super) fn names(&self, res: &mut Vec<&'static str>) {
        match self {
            Text::Atom(name) => res.push(name),
            Text::List(items) => items.iter().for_each(|it| it.names(res)),
        }
    }
}

/// The declarations of a theory's text.
pub(super) fn read(text: &'static str) -> Vec<Declaration> {
    let mut open: Vec<Vec<Text>> = vec![Vec::new()];
    for line in text.lines() {
        let code = line.split(';').next().unwrap_or("");
        for token in tokens(code) {
            match token {
                "(" => open.push(Vec::new()),
                ")" => {
                    let list = Text::List(open.pop().expect("the outermost list stays"));
                    open.last_mut().expect("parentheses are balanced").push(list);
                }
                _ => open.last_mut().expect("the outermost list stays").push(Text::Atom(token)),
            }
        }
    }
    assert_eq!(open.len(), 1, "parentheses are balanced");
    open[0].iter().map(declaration).collect()
}

fn tokens(code: &'static str) -> impl Iterator<Item = &'static str> {
    let mut rest = code;
    std::iter::from_fn(move || {
        rest = rest.trim_start();
        let length = match rest.chars().next()? {
            '(' | ')' => 1,
            _ => rest.find(|it: char| it.is_whitespace() || it == '(' || it == ')').unwrap_or(rest.len()),
        };
        let (token, after) = rest.split_at(length);
        rest = after;
        Some(token)
    })
}

fn declaration(text: &Text) -> Declaration {
    match text.list() {
        [Text::Atom("constant"), name, sort] => Declaration::Constant(name.atom(), sort.atom()),
        [Text::Atom("function"), name, arguments, result] => {
            Declaration::Function(name.atom(), arguments.list().iter().map(Text::atom).collect(), result.atom())
        }
        [Text::Atom("axiom"), name, variables, parts @ .., body] => {
            let variables = variables.list().iter().map(|it| (it.list()[0].atom(), it.list()[1].atom())).collect();
            let (mut needs, mut triggers) = (Vec::new(), Vec::new());
            for part in parts {
                match part.list() {
                    [Text::Atom("needs"), names @ ..] => needs.extend(names.iter().map(Text::atom)),
                    [Text::Atom("trigger"), patterns @ ..] => triggers.push(patterns.to_vec()),
                    _ => panic!("{part:?} is no part of an axiom"),
                }
            }
            Declaration::Axiom(AxiomText { name: name.atom(), variables, needs, triggers, body: body.clone() })
        }
        _ => panic!("{text:?} is no declaration"),
    }
}

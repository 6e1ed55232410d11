//! A trace: the steps that another tool reports of a way through a program.
//!
//! Knows: lines, outcomes, constraints as text. Never: the formats that they are read from, programs.

/// The steps of a way through a program, as another tool reports it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Trace {
    /// The steps in the order in which they are passed.
    pub steps: Vec<Step>,
    /// The parts of the file that were not used, a sentence each.
    pub remarks: Vec<String>,
}

/// A line that is passed, perhaps with what is decided there, or what holds.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Step {
    /// The file, as the tool named it.
    pub file: String,
    /// The number of the line, from 1.
    pub line: u32,
    /// The outcome of the condition on the line, if the tool gives one.
    pub outcome: Option<bool>,
    /// The condition that holds there, if the tool gives one.
    pub constraint: Option<Constraint>,
}

/// A constraint on the program at a step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Constraint {
    /// A condition in the program's language, before the line is executed.
    Condition(String),
    /// The number that the line gets from outside stands in this relation to another.
    Input(Relation, i128),
}

/// A relation of two integers, as C has them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the names of the relations of C")]
pub enum Relation {
    Equal,
    NotEqual,
    Less,
    AtMost,
    Greater,
    AtLeast,
}

impl Relation {
    /// The relation that C writes so.
    pub fn of(sign: &str) -> Option<Relation> {
        Some(match sign {
            "==" => Relation::Equal,
            "!=" => Relation::NotEqual,
            "<" => Relation::Less,
            "<=" => Relation::AtMost,
            ">" => Relation::Greater,
            ">=" => Relation::AtLeast,
            _ => return None,
        })
    }

    /// The operator by which C writes the relation.
    pub fn sign(self) -> &'static str {
        match self {
            Relation::Equal => "==",
            Relation::NotEqual => "!=",
            Relation::Less => "<",
            Relation::AtMost => "<=",
            Relation::Greater => ">",
            Relation::AtLeast => ">=",
        }
    }
}

impl Step {
    /// The step without what it says beyond its line, if it says anything.
    pub fn is_plain(&self) -> bool {
        self.outcome.is_none() && self.constraint.is_none()
    }
}

impl std::fmt::Display for Step {
    /// Writes the step as `prog.c:7:T`, with its constraint behind it.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.file, self.line)?;
        match self.outcome {
            Some(true) => f.write_str(":T")?,
            Some(false) => f.write_str(":F")?,
            None => {}
        }
        match &self.constraint {
            Some(Constraint::Condition(it)) => write!(f, "  where {it}"),
            Some(Constraint::Input(relation, it)) => write!(f, "  where the input is {} {it}", relation.sign()),
            None => Ok(()),
        }
    }
}

/// Whether a tool's name of a file is that of the compiler: one may be told from further up than the other.
pub fn is_same_file(told: &str, known: &str) -> bool {
    let parts = |it: &str| {
        let parts = it.split(['/', '\\']).filter(|it| !it.is_empty() && *it != ".");
        parts.map(str::to_owned).collect::<Vec<_>>()
    };
    let (told, known) = (parts(told), parts(known));
    let count = told.len().min(known.len());
    count > 0 && told[told.len() - count..] == known[known.len() - count..]
}

#[cfg(test)]
mod tests {
    use super::is_same_file;

    #[test]
    fn files_are_told_from_anywhere() {
        assert!(is_same_file("./prog.c", "/work/src/prog.c"));
        assert!(is_same_file("/home/other/src/prog.c", "src/prog.c"));
        assert!(!is_same_file("src/prog.c", "lib/prog.c"));
        assert!(!is_same_file("og.c", "prog.c"));
        assert!(!is_same_file("", "prog.c"));
    }
}

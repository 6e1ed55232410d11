//! The annotations of Viper's tests: `//:: ExpectedOutput(assert.failed:assertion.false)`.
//!
//! Knows: their grammar and which line they speak of. Never: what a verifier says.
//! Source: silver's `TestAnnotationParser.scala` and `TestAnnotations.scala`, read for behaviour.

/// The projects whose own annotations concern us; `silver` concerns every verifier.
const PROJECTS: [&str; 2] = ["silver", "effigy"];

/// What the annotations of one test say.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Annotations {
    pub(super) outputs: Vec<Annotation>,
    /// The test is not to be run.
    pub(super) ignored: bool,
    /// Lines that look like annotations and are none.
    pub(super) malformed: Vec<u32>,
}

/// One annotation that speaks of a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Annotation {
    pub(super) kind: Kind,
    /// Which of the test's files it stands in.
    pub(super) file: usize,
    /// The line that it speaks of.
    pub(super) line: u32,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// An error is due here.
    Expected(Id),
    /// A known false alarm, which must come as long as it is annotated.
    Unexpected(Id),
    /// A known gap: the paired expectation is not met, and must not be as long as it is annotated.
    Missing(Id),
    /// What another prover is known to say here, though it should not.
    Elsewhere(Id),
    /// Whatever comes here is right.
    IgnoreOthers,
}

/// The id of an error: `key` or `key:value`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Id {
    key: String,
    value: Option<String>,
}

impl Id {
    fn parse(text: &str) -> Id {
        match text.split_once(':') {
            Some((key, value)) => Id { key: key.to_owned(), value: Some(value.to_owned()) },
            None => Id { key: text.to_owned(), value: None },
        }
    }

    /// Whether an error of this id is meant. Without a value any reason is; an error without one needs none here too.
    pub(super) fn matches(&self, id: &str) -> bool {
        let mut parts = id.split(':');
        let key = parts.next().unwrap_or("");
        match (parts.next(), &self.value) {
            (None, value) => self.key == key && value.is_none(),
            (Some(_), None) => self.key == key,
            (Some(reason), Some(value)) => self.key == key && reason == value,
        }
    }
}

impl std::fmt::Display for Id {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.value {
            Some(value) => write!(f, "{}:{value}", self.key),
            None => write!(f, "{}", self.key),
        }
    }
}

enum AnnotationKind {
    Located(Kind),
    IgnoreFile(String),
    IgnoreFileList,
    /// An annotation of another project.
    Foreign,
}

impl Annotations {
    /// Of the files of one test, in their order.
    pub(super) fn of<'a>(texts: impl IntoIterator<Item = &'a str>) -> Annotations {
        let mut res = Annotations::default();
        for (file, text) in texts.into_iter().enumerate() {
            res.add(file, text);
        }
        res
    }

    /// Whether an error of exactly this id is due in this line, or is one that other provers give.
    pub(super) fn speaks_of(&self, line: u32, id: &str) -> bool {
        let same =
            |it: &Annotation| matches!(&it.kind, Kind::Expected(it) | Kind::Elsewhere(it) if it.to_string() == id);
        self.outputs.iter().any(|it| it.line == line && same(it))
    }

    fn add(&mut self, file: usize, text: &str) {
        let mut waiting: Vec<Kind> = Vec::new();
        for (line, number) in text.split('\n').zip(1..) {
            // As Java trims: everything up to the space.
            let line = line.trim_matches(|c: char| c <= ' ');
            let Some(comment) = line.strip_prefix("//") else {
                // The first line that is no comment is what they speak of, blank or not.
                self.outputs.extend(waiting.drain(..).map(|kind| Annotation { kind, file, line: number }));
                continue;
            };
            let Some(annotation) = comment.strip_prefix("::") else { continue };
            match annotation.strip_prefix(' ').and_then(parse) {
                Some(AnnotationKind::Located(kind)) => waiting.push(kind),
                Some(AnnotationKind::IgnoreFile(project)) => self.ignored |= concerns_us(&project),
                Some(AnnotationKind::IgnoreFileList) => self.ignored = true,
                Some(AnnotationKind::Foreign) => {}
                None => self.malformed.push(number),
            }
        }
    }
}

fn concerns_us(project: &str) -> bool {
    PROJECTS.iter().any(|it| it.eq_ignore_ascii_case(project))
}

fn parse(text: &str) -> Option<AnnotationKind> {
    if text == "IgnoreOthers" {
        return Some(AnnotationKind::Located(Kind::IgnoreOthers));
    }
    let (name, rest) = text.split_once('(')?;
    let inner = rest.strip_suffix(')')?;
    match name {
        "ExpectedOutput" => Some(AnnotationKind::Located(Kind::Expected(Id::parse(inner)))),
        "UnexpectedOutput" | "MissingOutput" => {
            let (id, issue) = inner.rsplit_once(", /")?;
            let project = project_of(issue)?;
            let id = Id::parse(id);
            Some(match (name, concerns_us(project)) {
                ("MissingOutput", true) => AnnotationKind::Located(Kind::Missing(id)),
                ("MissingOutput", false) => AnnotationKind::Foreign,
                (_, true) => AnnotationKind::Located(Kind::Unexpected(id)),
                (_, false) => AnnotationKind::Located(Kind::Elsewhere(id)),
            })
        }
        "IgnoreFile" => Some(AnnotationKind::IgnoreFile(project_of(inner.strip_prefix('/')?)?.to_owned())),
        "IgnoreFileList" => project_of(inner.strip_prefix('/')?).map(|_| AnnotationKind::IgnoreFileList),
        _ => None,
    }
}

/// The project of an issue, such as `silver/issue/12/`.
fn project_of(text: &str) -> Option<&str> {
    let (project, number) = text.strip_suffix('/')?.rsplit_once("/issue/")?;
    (!number.is_empty() && number.bytes().all(|it| it.is_ascii_digit())).then_some(project)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mutants_of_tests_have_annotations_of_their_lines() {
        use effigy_testing::reader_trial::{corpus, try_reader};
        let words = ["//::", "ExpectedOutput", "UnexpectedOutput", "MissingOutput", "IgnoreOthers", "IgnoreFile", "<"];
        try_reader("annotations", corpus("viper/features", "vpr"), &words, |text| {
            let text = String::from_utf8_lossy(text);
            let count = text.lines().count() as u32;
            let found = Annotations::of([&*text]);
            assert!(found.outputs.iter().all(|it| it.line <= count + 1), "{found:?}");
            assert!(found.malformed.iter().all(|it| (1..=count).contains(it)), "{found:?}");
        });
    }

    fn lines(text: &str) -> Vec<(u32, String)> {
        let name = |it: &Annotation| match &it.kind {
            Kind::Expected(id) => format!("expected {id}"),
            Kind::Unexpected(id) => format!("unexpected {id}"),
            Kind::Missing(id) => format!("missing {id}"),
            Kind::Elsewhere(id) => format!("elsewhere {id}"),
            Kind::IgnoreOthers => "others".to_owned(),
        };
        Annotations::of([text]).outputs.iter().map(|it| (it.line, name(it))).collect()
    }

    #[test]
    fn an_annotation_speaks_of_the_next_line_that_is_no_comment() {
        let text = "method m()\n{\n  //:: ExpectedOutput(assert.failed:assertion.false)\n  // why\n  assert false\n}\n";
        assert_eq!(lines(text), [(5, "expected assert.failed:assertion.false".to_owned())]);
    }

    #[test]
    fn several_stack_and_a_blank_line_counts() {
        let text = "//:: ExpectedOutput(a)\n//:: IgnoreOthers\n\nx\n";
        assert_eq!(lines(text), [(3, "expected a".to_owned()), (3, "others".to_owned())]);
    }

    #[test]
    fn what_nothing_follows_is_dropped() {
        assert_eq!(lines("x\n//:: ExpectedOutput(a)"), []);
    }

    #[test]
    fn other_projects_are_none_of_our_business() {
        let text = "//:: UnexpectedOutput(a:b, /silicon/issue/1/)\n//:: MissingOutput(a:b, /Silver/issue/2/)\nx\n";
        assert_eq!(lines(text), [(3, "elsewhere a:b".to_owned()), (3, "missing a:b".to_owned())]);
        assert!(!Annotations::of(["//:: IgnoreFile(/carbon/issue/1/)\n"]).ignored);
        assert!(Annotations::of(["//:: IgnoreFile(/Silver/issue/1/)\n"]).ignored);
        assert!(Annotations::of(["//:: IgnoreFileList(/carbon/issue/1/)\n"]).ignored);
    }

    #[test]
    fn what_looks_like_an_annotation_must_be_one() {
        assert_eq!(Annotations::of(["//::ExpectedOutput(a)\nx"]).malformed, [1]);
        assert_eq!(Annotations::of(["//:: ExpectedOutput(a) b\nx"]).malformed, [1]);
        assert_eq!(Annotations::of(["x\n//:: MissingOutput(a, /silver/issue/x/)\nx"]).malformed, [2]);
    }

    #[test]
    fn an_id_without_a_reason_stands_for_all() {
        assert!(Id::parse("assert.failed").matches("assert.failed:assertion.false"));
        assert!(!Id::parse("assert.failed:insufficient.permission").matches("assert.failed:assertion.false"));
        assert!(Id::parse("parser.error").matches("parser.error"));
        assert!(!Id::parse("parser.error:x").matches("parser.error"));
    }
}

//! The corpus of theorems: how it is read.
//!
//! `(theorem name ((x Int) (s Seq<Int>)) assumption ... goal)`; `not-a-theorem` in the same form does not follow.

use effigy_contracts::program::CollectionOp::{self, *};
use effigy_heap::collections::{CollectionKind, Collections};
use effigy_term::{Sort, Symbol, SymbolKind, Term, Terms};
use std::collections::HashMap;

#[derive(Clone, Debug)]
pub enum Text {
    Atom(String),
    List(Vec<Text>),
}

/// A claim, as it stands in the file.
#[derive(Clone, Debug)]
pub struct Claim {
    pub holds: bool,
    pub name: String,
    pub variables: Vec<(String, String)>,
    pub formulas: Vec<Text>,
}

/// A claim in an arena of its own.
pub struct Built {
    pub terms: Terms,
    pub collections: Collections,
    pub variables: Vec<Symbol>,
    pub assumptions: Vec<Term>,
    pub goal: Term,
    pub quantified: bool,
}

impl Text {
    fn atom(&self) -> &str {
        match self {
            Text::Atom(it) => it,
            Text::List(_) => panic!("a name, not {self:?}"),
        }
    }

    fn list(&self) -> &[Text] {
        match self {
            Text::List(it) => it,
            Text::Atom(_) => panic!("a list, not {self:?}"),
        }
    }
}

pub fn read(text: &str) -> Vec<Claim> {
    let spaced: String = text.lines().map(|it| it.split(';').next().unwrap_or("").to_owned() + "\n").collect();
    let spaced = spaced.replace('(', " ( ").replace(')', " ) ");
    let mut open: Vec<Vec<Text>> = vec![vec![]];
    for token in spaced.split_whitespace() {
        match token {
            "(" => open.push(vec![]),
            ")" => {
                let list = Text::List(open.pop().expect("balanced"));
                open.last_mut().expect("balanced").push(list);
            }
            _ => open.last_mut().expect("balanced").push(Text::Atom(token.to_owned())),
        }
    }
    assert_eq!(open.len(), 1, "balanced");
    let claim = |it: &Text| {
        let [what, name, variables, formulas @ ..] = it.list() else { panic!("{it:?} is no claim") };
        assert!(["theorem", "not-a-theorem"].contains(&what.atom()), "{what:?}");
        let variable = |it: &Text| (it.list()[0].atom().to_owned(), it.list()[1].atom().to_owned());
        Claim {
            holds: what.atom() == "theorem",
            name: name.atom().to_owned(),
            variables: variables.list().iter().map(variable).collect(),
            formulas: formulas.to_vec(),
        }
    };
    open[0].iter().map(claim).collect()
}

pub fn build(claim: &Claim) -> Built {
    let mut builder = Builder { terms: Terms::new(), collections: Collections::new(), scope: HashMap::new() };
    let mut variables = Vec::new();
    for (name, sort) in &claim.variables {
        let sort = builder.sort(sort);
        let symbol = builder.terms.symbol(name, sort, SymbolKind::Input);
        variables.push(symbol);
        builder.scope.insert(name.clone(), builder.terms.of_symbol(symbol));
    }
    let mut formulas: Vec<Term> = claim.formulas.iter().map(|it| builder.term(it, false)).collect();
    let goal = formulas.pop().expect("a claim has a goal");
    let quantified = format!("{:?}", claim.formulas).contains("forall");
    let Builder { terms, collections, .. } = builder;
    Built { terms, collections, variables, assumptions: formulas, goal, quantified }
}

struct Builder {
    terms: Terms,
    collections: Collections,
    scope: HashMap<String, Term>,
}

impl Builder {
    fn sort(&self, text: &str) -> Sort {
        let inner = |from: &str| text.strip_prefix(from).and_then(|it| it.strip_suffix('>')).map(str::to_owned);
        let of = |kind: CollectionKind| self.collections.sort(&self.terms, kind);
        if let Some(it) = inner("Seq<") {
            return of(CollectionKind::Seq(self.sort(&it)));
        }
        if let Some(it) = inner("Set<") {
            return of(CollectionKind::Set(self.sort(&it)));
        }
        if let Some(it) = inner("Multiset<") {
            return of(CollectionKind::Multiset(self.sort(&it)));
        }
        if let Some(it) = inner("Map<") {
            let (key, value) = it.split_once(',').expect("a key and a value");
            return of(CollectionKind::Map(self.sort(key), self.sort(value)));
        }
        match text {
            "Int" => Sort::Int,
            "Bool" => Sort::Bool,
            _ => self.terms.uninterpreted_sort(text),
        }
    }

    fn kind(&self, term: Term) -> CollectionKind {
        self.collections.kind(self.terms.sort(term)).expect("a collection")
    }

    fn term(&mut self, text: &Text, trigger: bool) -> Term {
        let items = match text {
            Text::Atom(name) => {
                if let Some(&it) = self.scope.get(name) {
                    return it;
                }
                return match name.as_str() {
                    "true" => self.terms.bool(true),
                    "false" => self.terms.bool(false),
                    _ => self.terms.int(name.parse::<i64>().unwrap_or_else(|_| panic!("{name} is not declared"))),
                };
            }
            Text::List(items) => items,
        };
        let name = items[0].atom();
        match name {
            "empty" => {
                let sort = self.sort(items[1].atom());
                let kind = self.collections.kind(sort).expect("a collection");
                let op = match kind {
                    CollectionKind::Seq(_) => SeqLiteral,
                    CollectionKind::Set(_) => SetLiteral,
                    CollectionKind::Multiset(_) => MultisetLiteral,
                    CollectionKind::Map(..) => MapLiteral,
                };
                return self.collections.apply(&self.terms, op, kind, &[]);
            }
            "forall" => return self.forall(&items[1..]),
            _ => {}
        }
        let args: Vec<Term> = items[1..].iter().map(|it| self.term(it, trigger)).collect();
        let terms = &self.terms;
        match (name, args.as_slice()) {
            ("=", &[a, b]) => self.collections.equal(terms, a, b),
            ("not", &[a]) => terms.not(a),
            ("and", args) => terms.and_all(args.iter().copied()),
            ("or", args) => terms.or_all(args.iter().copied()),
            ("=>", &[a, b]) => terms.implies(a, b),
            ("ite", &[c, a, b]) => terms.ite(c, a, b),
            ("<=", &[a, b]) => terms.int_le(a, b),
            ("<", &[a, b]) => terms.int_lt(a, b),
            ("+", &[a, b]) => terms.int_add(a, b),
            ("-", &[a, b]) => terms.int_sub(a, b),
            ("p", &[a]) => {
                let function = terms.function("p", &[terms.sort(a)], Sort::Bool);
                terms.apply(function, &args)
            }
            (_, args) => self.operation(name, args, trigger),
        }
    }

    fn operation(&mut self, name: &str, args: &[Term], trigger: bool) -> Term {
        let sort = |at: usize| self.terms.sort(args[at]);
        let (op, kind): (CollectionOp, CollectionKind) = match name {
            "seq" => (SeqLiteral, CollectionKind::Seq(sort(0))),
            "set" => (SetLiteral, CollectionKind::Set(sort(0))),
            "multiset" => (MultisetLiteral, CollectionKind::Multiset(sort(0))),
            "map" => (MapLiteral, CollectionKind::Map(sort(0), sort(1))),
            "interval" => (SeqRange, CollectionKind::Seq(Sort::Int)),
            "in" | "count" => {
                let kind = self.kind(args[1]);
                let op = match kind {
                    CollectionKind::Seq(_) => SeqContains,
                    CollectionKind::Set(_) => SetContains,
                    CollectionKind::Multiset(_) => MultisetCount,
                    CollectionKind::Map(..) => MapContains,
                };
                (op, kind)
            }
            _ => {
                let kind = self.kind(args[0]);
                let op = match (name, kind) {
                    ("size", CollectionKind::Seq(_)) => SeqLength,
                    ("size", CollectionKind::Set(_)) => SetCardinality,
                    ("size", CollectionKind::Multiset(_)) => MultisetCardinality,
                    ("size", CollectionKind::Map(..)) => MapCardinality,
                    ("at", CollectionKind::Seq(_)) => SeqIndex,
                    ("put", CollectionKind::Seq(_)) => SeqUpdate,
                    ("take", _) => SeqTake,
                    ("drop", _) => SeqDrop,
                    ("++", _) => SeqAppend,
                    ("union", CollectionKind::Set(_)) => SetUnion,
                    ("union", _) => MultisetUnion,
                    ("intersection", CollectionKind::Set(_)) => SetIntersection,
                    ("intersection", _) => MultisetIntersection,
                    ("setminus", CollectionKind::Set(_)) => SetDifference,
                    ("setminus", _) => MultisetDifference,
                    ("subset", CollectionKind::Set(_)) => SetSubset,
                    ("subset", _) => MultisetSubset,
                    ("at", _) => MapLookup,
                    ("put", _) => MapUpdate,
                    ("domain", _) => MapDomain,
                    ("range", _) => MapRange,
                    _ => panic!("{name} of {kind:?}"),
                };
                (op, kind)
            }
        };
        if trigger {
            return self.collections.apply_in_trigger(&self.terms, op, kind, args);
        }
        self.collections.apply(&self.terms, op, kind, args)
    }

    /// `(forall ((x Int) ...) (trigger term ...) body)`.
    fn forall(&mut self, parts: &[Text]) -> Term {
        let [variables, trigger, body] = parts else { panic!("variables, a trigger, a body") };
        let outer = self.scope.clone();
        let mut symbols = Vec::new();
        for it in variables.list() {
            let sort = self.sort(it.list()[1].atom());
            let symbol = self.terms.symbol(it.list()[0].atom(), sort, SymbolKind::Bound);
            symbols.push(symbol);
            self.scope.insert(it.list()[0].atom().to_owned(), self.terms.of_symbol(symbol));
        }
        let trigger: Vec<Term> = trigger.list()[1..].iter().map(|it| self.term(it, true)).collect();
        let body = self.term(body, false);
        self.scope = outer;
        self.terms.forall(&symbols, &[trigger], body)
    }
}

//! A theory in use: its functions over concrete sorts, and the axioms that are added when their functions are used.
//!
//! Knows: how the text of an axiom becomes a term, and when an axiom can fire. Never: what the axioms say.

use super::notation::{AxiomText, Declaration, Text, read};
use super::{CollectionKind, Collections, map, name_of_sort};
use effigy_term::{FunctionSymbol, Sort, Symbol, SymbolKind, Term, Terms};
use rustc_hash::FxHashMap;

/// What a name of a theory stands for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Operator {
    /// A function, to be applied to arguments.
    Function(FunctionSymbol),
    /// A constant, which takes no arguments.
    Constant(Term),
}

#[derive(Clone, Debug)]
struct Entry {
    operator: Operator,
    /// Whether a term was made with it, or could be made by an axiom that was taken.
    used: bool,
}

/// The theory of one kind of collection.
#[derive(Debug)]
pub(super) struct Theory {
    /// The sort's name, in front of the names of functions and axioms.
    pub prefix: String,
    pub kind: CollectionKind,
    sort: Sort,
    sets: Option<(Sort, Sort)>,
    entries: FxHashMap<&'static str, Entry>,
    waiting: Vec<AxiomText>,
}

/// A bound variable of the axiom that is being built.
type Scope = FxHashMap<&'static str, Symbol>;

impl Theory {
    /// `sort` is the sort of the kind; `sets` are those of a map's domain and range.
    pub(super) fn new(terms: &Terms, kind: CollectionKind, sort: Sort, sets: Option<(Sort, Sort)>) -> Theory {
        let prefix = name_of_sort(terms, sort);
        let mut res = Theory { prefix, kind, sort, sets, entries: FxHashMap::default(), waiting: Vec::new() };
        for text in texts(kind) {
            for it in read(text) {
                res.declare(terms, it);
            }
        }
        res
    }

    fn declare(&mut self, terms: &Terms, declaration: Declaration) {
        let operator = match declaration {
            Declaration::Axiom(axiom) => {
                self.waiting.push(axiom);
                return;
            }
            Declaration::Constant(name, sort) => {
                let full = format!("{}.{name}", self.prefix);
                let symbol = terms.symbol(&full, self.sort_of(sort), SymbolKind::Fresh);
                (name, Operator::Constant(terms.of_symbol(symbol)))
            }
            Declaration::Function(name, arguments, result) => {
                let full = format!("{}.{name}", self.prefix);
                let arguments: Vec<Sort> = arguments.into_iter().map(|it| self.sort_of(it)).collect();
                (name, Operator::Function(terms.function(&full, &arguments, self.sort_of(result))))
            }
        };
        self.entries.insert(operator.0, Entry { operator: operator.1, used: false });
    }

    fn sort_of(&self, name: &str) -> Sort {
        if let (Some((keys, values)), "KeySet" | "ValueSet") = (self.sets, name) {
            return if name == "KeySet" { keys } else { values };
        }
        match (name, self.kind) {
            ("Self", _) => self.sort,
            ("Int", _) => Sort::Int,
            ("Bool", _) => Sort::Bool,
            ("Element", CollectionKind::Seq(it) | CollectionKind::Set(it) | CollectionKind::Multiset(it)) => it,
            ("Key", CollectionKind::Map(key, _)) => key,
            ("Value", CollectionKind::Map(_, value)) => value,
            _ => panic!("{} has no sort {name}", self.prefix),
        }
    }

    pub(super) fn empty(&self) -> Term {
        match self.entries["empty"].operator {
            Operator::Constant(it) => it,
            Operator::Function(_) => panic!("empty is a constant of every theory"),
        }
    }

    pub(super) fn functions(&self) -> impl Iterator<Item = (FunctionSymbol, &'static str)> + '_ {
        self.entries.iter().filter_map(|(&name, it)| match it.operator {
            Operator::Function(function) => Some((function, name)),
            Operator::Constant(_) => None,
        })
    }

    /// What a name stands for, and whether this is its first use.
    pub(super) fn mention(&mut self, name: &str) -> (Operator, bool) {
        let Some(entry) = self.entries.get_mut(name) else { panic!("{} has no {name}", self.prefix) };
        (entry.operator, !std::mem::replace(&mut entry.used, true))
    }

    pub(super) fn use_everything(&mut self) {
        self.entries.values_mut().for_each(|it| it.used = true);
    }
}

impl Collections {
    /// Moves the axioms that can fire now to those that the prover is to be told. An axiom's own functions come into
    /// use with it, so that others may follow.
    pub(super) fn activate(&mut self, terms: &Terms) {
        while std::mem::take(&mut self.grown) {
            for at in 0..self.theories.len() {
                let waiting = std::mem::take(&mut self.theories[at].waiting);
                let (ready, rest): (Vec<_>, Vec<_>) = waiting.into_iter().partition(|it| self.can_fire(at, it));
                self.theories[at].waiting = rest;
                for axiom in ready {
                    let formula = self.formula(terms, at, &axiom);
                    self.pending.push((format!("{}.{}", self.theories[at].prefix, axiom.name), formula));
                }
            }
        }
    }

    /// Whether all functions of some trigger are in use; of an axiom without triggers, all functions.
    fn can_fire(&self, at: usize, axiom: &AxiomText) -> bool {
        let used = |text: &Text| {
            let mut names = Vec::new();
            text.names(&mut names);
            names.into_iter().all(|it| self.is_used(at, it))
        };
        axiom.needs.iter().all(|it| self.is_used(at, it))
            && match axiom.triggers.as_slice() {
                [] => used(&axiom.body),
                triggers => triggers.iter().any(|it| it.iter().all(used)),
            }
    }

    /// Whether a name is in use; what is no function of a theory always is.
    fn is_used(&self, at: usize, name: &str) -> bool {
        let (at, name) = self.resolve(at, name);
        self.theories[at].entries.get(name).is_none_or(|it| it.used)
    }

    /// `keys.f` and `values.f` are functions of the sets of a map's keys and values.
    fn resolve<'n>(&self, at: usize, name: &'n str) -> (usize, &'n str) {
        let kind = self.theories[at].kind;
        if let Some(name) = name.strip_prefix("keys.") {
            return (self.by_kind[&map::keys(kind)], name);
        }
        if let Some(name) = name.strip_prefix("values.") {
            return (self.by_kind[&map::values(kind)], name);
        }
        (at, name)
    }

    fn formula(&mut self, terms: &Terms, at: usize, axiom: &AxiomText) -> Term {
        let scope: Scope = axiom
            .variables
            .iter()
            .map(|&(name, sort)| {
                let sort = self.theories[at].sort_of(sort);
                (name, terms.symbol(name, sort, SymbolKind::Bound))
            })
            .collect();
        let variables: Vec<Symbol> = axiom.variables.iter().map(|(name, _)| scope[name]).collect();
        let triggers: Vec<Vec<Term>> =
            axiom.triggers.iter().map(|it| it.iter().map(|it| self.term(terms, at, &scope, it)).collect()).collect();
        let body = self.term(terms, at, &scope, &axiom.body);
        terms.forall(&variables, &triggers, body)
    }

    fn term(&mut self, terms: &Terms, at: usize, scope: &Scope, text: &Text) -> Term {
        let (name, args) = match text {
            Text::Atom(name) => (*name, Vec::new()),
            Text::List(items) => {
                let [Text::Atom(name), args @ ..] = items.as_slice() else { panic!("{text:?} applies nothing") };
                (*name, args.iter().map(|it| self.term(terms, at, scope, it)).collect())
            }
        };
        match (name, args.as_slice()) {
            ("not", &[a]) => terms.not(a),
            ("and", args) => terms.and_all(args.iter().copied()),
            ("or", args) => terms.or_all(args.iter().copied()),
            ("=>", &[a, b]) => terms.implies(a, b),
            ("ite", &[c, a, b]) => terms.ite(c, a, b),
            ("=", &[a, b]) => terms.eq(a, b),
            ("same", &[a, b]) => self.same(terms, a, b),
            ("<=", &[a, b]) => terms.int_le(a, b),
            ("<", &[a, b]) => terms.int_lt(a, b),
            ("+", &[a, b]) => terms.int_add(a, b),
            ("-", &[a, b]) => terms.int_sub(a, b),
            (name, args) => {
                if let Ok(number) = name.parse::<i64>() {
                    return terms.int(number);
                }
                if let Some(&symbol) = scope.get(name) {
                    return terms.of_symbol(symbol);
                }
                let (at, name) = self.resolve(at, name);
                self.build_in(terms, at, name, args)
            }
        }
    }

    /// Equality of elements: extensional if they are collections themselves.
    fn same(&mut self, terms: &Terms, a: Term, b: Term) -> Term {
        let plain = terms.eq(a, b);
        match self.kind(terms.sort(a)) {
            Some(kind) if terms.as_bool(plain).is_none() => {
                let at = self.theory(terms, kind);
                self.build_in(terms, at, "equal", &[a, b])
            }
            _ => plain,
        }
    }
}

fn texts(kind: CollectionKind) -> Vec<&'static str> {
    match kind {
        CollectionKind::Seq(Sort::Int) => vec![include_str!("seq.axioms"), include_str!("range.axioms")],
        CollectionKind::Seq(_) => vec![include_str!("seq.axioms")],
        CollectionKind::Set(_) => vec![include_str!("set.axioms")],
        CollectionKind::Multiset(_) => vec![include_str!("multiset.axioms")],
        CollectionKind::Map(..) => vec![include_str!("map.axioms")],
    }
}

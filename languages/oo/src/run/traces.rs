//! Model 2, traces: the symbolic execution trace ρ of tests, assignments and creations, and its path condition by
//! weakest preconditions.
//!
//! Knows: ρ, the substitutions [x := e], [h.f := e], [x := new C]. Never: statements, σ: no state is represented.
//! Source: de Boer and Bonsangue 2021, section 4, definitions 4.1 and 4.2.
//!
//! Expressions in ρ are terms over the *current* state: a variable is its symbol, e.f is `select(f, e)`. A substitution
//! rewrites the term; what is left behind the first action is about the start state. Terms share their parts, and so do
//! the conditional expressions that aliasing makes.
//!
//! Where we differ from the paper: `this` becomes a fresh variable like every parameter (replaced by e0, as written
//! there, it would change its meaning when the body assigns what e0 reads); `return e` ends the body (the rest of it is
//! not executed); a test b contributes δ(b) ∧ b, since the solver's logic has no ⊥ that makes b false.

use super::memory::{At, Change, ChangedSite, MOST_UPDATES, Memory};
use super::program::{ClassId, Expr, FieldId, Target, Type, VarId};
use super::vocabulary::{Family, Instance, Key, StateReader, Translation, is_length, sort_of};
use effigy_term::{Node, Sort, Symbol, SymbolKind, Term, Terms};
use rpds::List;

/// A trace, and the numbers of what is fresh.
#[derive(Clone, Debug, Default)]
pub struct Traces {
    /// The actions, the last one first.
    actions: List<Action>,
    created: u32,
}

/// One action of a trace. Terms are over the state before it.
#[derive(Clone, Copy, Debug)]
pub enum Action {
    /// The test of b: a conjunction of δ(b) and b.
    Test(Term),
    /// h := e, with δ(h) ∧ δ(e).
    Assign {
        /// h, the location that is assigned.
        place: AssignedPlace,
        /// e, the value that is assigned.
        value: Term,
        /// δ(h) ∧ δ(e): the condition under which both sides have a value.
        defined: Term,
    },
    /// x := new C, x fresh.
    New(Symbol, ClassId),
}

/// What is assigned in a trace.
#[derive(Clone, Copy, Debug)]
pub enum AssignedPlace {
    /// A variable, by its symbol.
    Variable(Symbol),
    /// An element of the family with this symbol.
    Element(Family, Key),
}

/// The current state, as symbols.
struct CurrentState<'a>(At<'a>);

impl CurrentState<'_> {
    fn symbol(&self, id: VarId) -> Symbol {
        let Translation { terms, program, words, .. } = self.0.translation;
        let variable = program.variable(id);
        if let Some(global) = words.globals[id.index()]
            && let Node::Symbol(symbol) = *terms.node(global)
        {
            return symbol;
        }
        let name = format!("{}@{}", words.locals[id.index()], self.0.instance);
        terms.symbol(&name, sort_of(terms, words.object, &variable.typ), SymbolKind::Fresh)
    }
}

impl StateReader for CurrentState<'_> {
    fn variable(&self, id: VarId) -> Term {
        self.0.translation.terms.of_symbol(self.symbol(id))
    }

    fn at(&self, family: Family, key: Key) -> Term {
        select(self.0.translation, family, key)
    }

    fn equal(&self, a: Term, b: Term) -> Term {
        self.0.translation.terms.eq(a, b)
    }
}

fn select(with: Translation<'_>, family: Family, key: Key) -> Term {
    with.words.base(family).map_or_else(|| with.terms.int(0), |it| key.of(with.terms, it))
}

/// The variable r of a call.
fn result(with: Translation<'_>, instance: Instance, sort: Sort) -> Symbol {
    with.terms.symbol(&format!("r@{instance}"), sort, SymbolKind::Fresh)
}

fn symbol_of(terms: &Terms, term: Term) -> Option<Symbol> {
    match *terms.node(term) {
        Node::Symbol(symbol) => Some(symbol),
        _ => None,
    }
}

/// The substitution of one action.
#[derive(Debug)]
pub struct Substitution<'a> {
    with: Translation<'a>,
}

impl<'a> Substitution<'a> {
    /// Substitutions in terms of this program.
    pub fn new(with: Translation<'a>) -> Substitution<'a> {
        Substitution { with }
    }

    fn mentions(&self, term: Term, symbol: Symbol) -> bool {
        self.with.terms.symbols(term).binary_search(&symbol).is_ok()
    }

    /// `of[h := e]`: its value before `h := e` is that of `of` behind it. Lemma 4.4.
    pub fn assigned(&self, of: Term, place: AssignedPlace, value: Term) -> Term {
        let terms = self.with.terms;
        match place {
            AssignedPlace::Variable(symbol) if self.mentions(of, symbol) => {
                terms.substitute(of, &mut |it| (it == symbol).then_some(value))
            }
            AssignedPlace::Variable(_) => of,
            AssignedPlace::Element(family, key) => {
                let Some(base) = self.with.words.base(family) else { return of };
                let touched = symbol_of(terms, base).is_some_and(|it| self.mentions(of, it));
                if !touched {
                    return of;
                }
                // match: h'.f, h' rewritten already   result: if h' = h then e else h'.f fi
                terms.rewrite_from(of, &mut |was, it| {
                    // What became a read by being built again is about the state before already.
                    read_of(terms, base, was)?;
                    let read = read_of(terms, base, it)?;
                    let same = match (read.second, key.second) {
                        (None, None) => terms.eq(read.first, key.first),
                        (Some(index), Some(at)) => terms.and(terms.eq(read.first, key.first), terms.eq(index, at)),
                        // The row of an array by reference: its elements are looked at one by one.
                        _ => return None,
                    };
                    Some(terms.ite(same, value, it))
                })
            }
        }
    }

    /// `of[x := new C]`: x.f is `nil`, `0` or `false`, x equals only itself. Conditional expressions with x as an
    /// argument are taken apart first, as the paper assumes. Where the value of `of` is x itself, it stays.
    pub fn created(&self, of: Term, new: Symbol) -> Term {
        let Translation { terms, words, .. } = self.with;
        if !self.mentions(of, new) {
            return of;
        }
        terms.rewrite(of, &mut |it| match *terms.node(it) {
            Node::Select(array, key) => self.read_of_new(array, key, new),
            Node::Eq(a, b) if terms.sort(a) == words.object => Some(words.equal(terms, a, b)),
            _ => None,
        })
    }

    /// `array` at `key`, where it is an array of the state or a conditional expression of such.
    fn read_of_new(&self, array: Term, key: Term, new: Symbol) -> Option<Term> {
        let terms = self.with.terms;
        // match: (if b then x else e fi).f   result: if b then nil else e.f fi
        if let Node::Ite(cond, yes, no) = *terms.node(key)
            && self.mentions(key, new)
        {
            let of = |key| self.read_of_new(array, key, new).unwrap_or_else(|| terms.select(array, key));
            return Some(terms.ite(cond, of(yes), of(no)));
        }
        // match: x.f   result: nil
        if matches!(*terms.node(key), Node::Symbol(symbol) if symbol == new) {
            let Sort::Array(parts) = terms.sort(array) else { return None };
            return Some(self.with.words.default_of(terms, terms.array_parts(parts).1));
        }
        // What was a row of an array by reference may be a conditional expression now.
        if let Node::Ite(cond, yes, no) = *terms.node(array) {
            let of = |array| self.read_of_new(array, key, new).unwrap_or_else(|| terms.select(array, key));
            return Some(terms.ite(cond, of(yes), of(no)));
        }
        None
    }

    /// The value at the start of a term over the state behind these actions (the last first).
    pub fn before<'b>(&self, of: Term, actions: impl Iterator<Item = &'b Action>) -> Term {
        let mut res = of;
        for action in actions {
            // What mentions nothing of the state is the same in every state.
            if self.with.terms.symbols(res).is_empty() {
                return res;
            }
            res = match action {
                Action::Test(_) => res,
                Action::Assign { place, value, .. } => self.assigned(res, *place, *value),
                Action::New(new, _) => self.created(res, *new),
            };
        }
        self.at_start(res)
    }

    /// path(ρ), definition 4.2, in one pass from the last action (given first) to the first.
    pub fn path<'b>(&self, actions: impl Iterator<Item = &'b Action>) -> Term {
        let terms = self.with.terms;
        let res = actions.fold(terms.bool(true), |path, action| match action {
            Action::Test(cond) => terms.and(path, *cond),
            Action::Assign { place, value, defined } => terms.and(self.assigned(path, *place, *value), *defined),
            Action::New(new, _) => self.created(path, *new),
        });
        self.at_start(res)
    }

    /// Lengths at the start are not negative.
    fn at_start(&self, of: Term) -> Term {
        let Translation { terms, program, words, .. } = self.with;
        let lengths: Vec<(FieldId, Term)> = (0..program.fields.len() as u32)
            .map(FieldId)
            .filter(|it| is_length(program, *it))
            .filter_map(|it| Some((it, words.base(Family::Field(it))?)))
            .filter(|it| symbol_of(terms, it.1).is_some_and(|it| self.mentions(of, it)))
            .collect();
        if lengths.is_empty() {
            return of;
        }
        terms.rewrite(of, &mut |it| {
            let Node::Select(array, first) = *terms.node(it) else { return None };
            let (field, _) = lengths.iter().find(|it| it.1 == array)?;
            Some(words.at_start(terms, program, Family::Field(*field), Key { first, second: None }))
        })
    }
}

/// Whether a term reads from the array `base`, or from a row of it.
fn read_of(terms: &Terms, base: Term, term: Term) -> Option<Key> {
    let Node::Select(array, index) = *terms.node(term) else { return None };
    if array == base {
        return Some(Key { first: index, second: None });
    }
    match *terms.node(array) {
        Node::Select(outer, first) if outer == base => Some(Key { first, second: Some(index) }),
        _ => None,
    }
}

impl Traces {
    /// The actions, the last first.
    pub fn actions(&self) -> impl Iterator<Item = &Action> {
        self.actions.iter()
    }

    fn push(&mut self, action: Action) {
        self.actions.push_front_mut(action);
    }

    fn place(&self, at: At<'_>, target: &Target) -> Option<(AssignedPlace, ChangedSite)> {
        let current = CurrentState(at);
        let term = |it: &Expr| at.translation.term(&current, it);
        let (family, key) = match target {
            Target::Var(id) => {
                return Some((AssignedPlace::Variable(current.symbol(*id)), ChangedSite::Variable(*id, at.instance)));
            }
            Target::Field(of, field) => (Family::Field(*field), Key { first: term(of), second: None }),
            Target::Element(map, index) => (Family::Map(*map), Key { first: term(index), second: None }),
            Target::Item(of, index) => {
                let key = Key { first: term(of), second: Some(term(index)) };
                (Family::Items(at.translation.program.class_of(of)?), key)
            }
        };
        Some((AssignedPlace::Element(family, key), ChangedSite::Element(family, key)))
    }

    fn set(&mut self, at: At<'_>, target: &Target, value: Term, defined: Term) -> Change {
        match self.place(at, target) {
            Some((place, site)) => {
                self.push(Action::Assign { place, value, defined });
                Change::Set(site, value)
            }
            None => Change::Set(ChangedSite::None, value),
        }
    }

    fn bind(&mut self, at: At<'_>, id: VarId, value: Term) -> Change {
        let symbol = CurrentState(at).symbol(id);
        let defined = at.translation.terms.bool(true);
        self.push(Action::Assign { place: AssignedPlace::Variable(symbol), value, defined });
        Change::Set(ChangedSite::Variable(id, at.instance), value)
    }

    fn current(at: At<'_>, expr: &Expr) -> Term {
        at.translation.term(&CurrentState(at), expr)
    }
}

impl Memory for Traces {
    const NAME: &'static str = "traces";

    fn value(&self, at: At<'_>, expr: &Expr) -> Term {
        Substitution::new(at.translation).before(Self::current(at, expr), self.actions.iter())
    }

    fn shown(&self, at: At<'_>, expr: &Expr) -> Term {
        Self::current(at, expr)
    }

    fn assign(&mut self, at: At<'_>, target: &Target, expr: &Expr, defined: &Expr) -> Change {
        let (value, defined) = (Self::current(at, expr), Self::current(at, defined));
        self.set(at, target, value, defined)
    }

    fn create(&mut self, at: At<'_>, target: &Target, class: ClassId, length: Option<(&Expr, FieldId)>) -> Vec<Change> {
        let Translation { terms, program, words, .. } = at.translation;
        let length = length.map(|(size, field)| (Self::current(at, size), field));
        self.created += 1;
        let symbol = words.new_object(terms, program, class, self.created);
        let (object, always) = (terms.of_symbol(symbol), terms.bool(true));
        self.push(Action::New(symbol, class));
        let mut res = vec![Change::Created(object, class)];
        if let Some((size, field)) = length {
            let (family, key) = (Family::Field(field), Key { first: object, second: None });
            self.push(Action::Assign { place: AssignedPlace::Element(family, key), value: size, defined: always });
            res.push(Change::Set(ChangedSite::Element(family, key), size));
        }
        res.push(self.set(at, target, object, always));
        res
    }

    fn enter(&mut self, at: At<'_>, callee: Instance, bindings: &[(VarId, &Expr)]) -> Vec<Change> {
        let values: Vec<Term> = bindings.iter().map(|(_, it)| Self::current(at, it)).collect();
        let inside = At { instance: callee, ..at };
        bindings.iter().zip(values).map(|((id, _), value)| self.bind(inside, *id, value)).collect()
    }

    fn returns(&mut self, at: At<'_>, value: &Expr) -> Change {
        let value = Self::current(at, value);
        let symbol = result(at.translation, at.instance, at.translation.terms.sort(value));
        let defined = at.translation.terms.bool(true);
        self.push(Action::Assign { place: AssignedPlace::Variable(symbol), value, defined });
        Change::Set(ChangedSite::Result(at.instance), value)
    }

    fn leave(
        &mut self,
        at: At<'_>,
        callee: Instance,
        _locals: &[VarId],
        target: Option<(&Target, &Type)>,
    ) -> Option<Change> {
        let (target, typ) = target?;
        let Translation { terms, words, .. } = at.translation;
        let symbol = result(at.translation, callee, sort_of(terms, words.object, typ));
        Some(self.set(at, target, terms.of_symbol(symbol), terms.bool(true)))
    }

    fn test(&mut self, at: At<'_>, cond: &Expr) {
        self.push(Action::Test(Self::current(at, cond)));
    }

    fn condition(&self, with: Translation<'_>) -> Option<Term> {
        Some(Substitution::new(with).path(self.actions.iter()))
    }

    fn updates(&self, with: Translation<'_>) -> Option<Vec<(Family, Key, Term)>> {
        let substitution = Substitution::new(with);
        let mut res = Vec::new();
        let mut actions = self.actions.clone();
        while let Some(&action) = actions.first() {
            actions = actions.drop_first().unwrap_or_default();
            let Action::Assign { place: AssignedPlace::Element(family, key), value, .. } = action else { continue };
            if res.len() == MOST_UPDATES {
                return None;
            }
            // What is written there is about the state before it.
            let at_start = |it| substitution.before(it, actions.iter());
            let key = Key { first: at_start(key.first), second: key.second.map(at_start) };
            res.push((family, key, at_start(value)));
        }
        res.reverse();
        Some(res)
    }

    fn effort(&self) -> usize {
        self.actions.len()
    }

    fn size(&self) -> usize {
        self.actions.len() * size_of::<Action>()
    }
}

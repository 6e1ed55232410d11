//! The symbols of a program in one arena of terms, and what is known of objects by their form alone.
//!
//! Knows: names of symbols, default values, which references are new objects. Never: states.
//! Source: de Boer and Bonsangue 2021, section 4.1 (fields as arrays), definition of [x := new C].
//!
//! References have the uninterpreted sort `Object`; `nil` is a symbol. A new object is a symbol `C#n` that differs from
//! `nil`, from every other new object and from every object that existed at the start. None of that is told to the
//! solver: conditions in which a new object occurs are resolved here, so that none reaches it. An object term is *old*
//! where no new object occurs in it: it then denotes `nil` or an object of the start state, which is consistent (what
//! an existing object's fields refer to exists).

use super::program::{ClassId, Expr, ExprKind, FieldId, Op, Program, Semantics, Type, VarId};
use effigy_engine::Context;
use effigy_term::{Node, Sort, Symbol, SymbolKind, Term, Terms};
use num_traits::Zero;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// A call, numbered along the path; 0 is the main statement.
pub type Instance = u32;

/// What can be updated at a key: a field, an array, the elements of arrays by reference.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Family {
    /// f, a function from objects to values.
    Field(FieldId),
    /// The array variable a, from its indices.
    Map(VarId),
    /// The elements of `T[]`, from objects and indices.
    Items(ClassId),
}

/// A key of a family.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Key {
    /// The object, or the index of a map.
    pub first: Term,
    /// The index, for items; `None` for fields and maps.
    pub second: Option<Term>,
}

impl Key {
    /// An array, or an array of arrays, at this key.
    pub fn of(self, terms: &Terms, array: Term) -> Term {
        let row = terms.select(array, self.first);
        self.second.map_or(row, |second| terms.select(row, second))
    }
}

/// The symbols of a program.
#[derive(Debug)]
pub struct ProgramSymbols {
    /// The uninterpreted sort of references.
    pub object: Sort,
    /// The reference `nil`, of the sort `object`.
    pub nil: Term,
    /// The values of the globals at the start (maps: the array), by variable; locals have `None`.
    pub globals: Vec<Option<Term>>,
    /// How the symbols of locals begin, by variable: their names, told apart where several of a routine have one.
    pub locals: Vec<Arc<str>>,
    /// |a| of bounded maps, by variable.
    pub lengths: Vec<Option<Term>>,
    /// What is known of the start state: lengths are not negative.
    pub naturals: Vec<Term>,
    /// The fields at the start, as arrays from objects.
    pub fields: Vec<Term>,
    /// The elements of arrays by reference at the start, as arrays from objects to arrays.
    pub items: Vec<Option<Term>>,
}

/// The name under which nil is printed: another one where a global of the program is called so.
pub(super) fn name_of_nil(program: &Program) -> &'static str {
    let taken = program.variables.iter().any(|it| it.global && &*it.name == "nil");
    if taken { "null" } else { "nil" }
}

impl ProgramSymbols {
    /// The symbols of a program.
    pub fn new(program: &Program, ctx: &Context<'_>) -> ProgramSymbols {
        let terms = ctx.terms;
        let object = terms.uninterpreted_sort("Object");
        let input = |name: &str, sort: Sort| ctx.input(name, sort, SymbolKind::Input);
        let globals = program.variables.iter().map(|it| {
            let sort = sort_of(terms, object, &it.typ);
            // A temporary is assigned before it is read; it is no input.
            let kind = if it.temporary { SymbolKind::Fresh } else { SymbolKind::Input };
            it.global.then(|| ctx.input(&it.name, sort, kind))
        });
        let lengths = program.variables.iter().map(|it| match &it.typ {
            Type::Map(map) if map.bounded => Some(input(&format!("|{}|", it.name), Sort::Int)),
            _ => None,
        });
        let fields = program.fields.iter().map(|it| {
            let sort = terms.array_sort(object, sort_of(terms, object, &it.typ));
            // Printed as `e.f`. Fields of the same name in other classes are told apart.
            let shared = program.fields.iter().filter(|other| other.name == it.name).count() > 1;
            let class = if shared { format!("{}::", program.class(it.class).name) } else { String::new() };
            input(&format!(".{class}{}", it.name), sort)
        });
        let items = program.classes.iter().map(|it| {
            let row = terms.array_sort(Sort::Int, sort_of(terms, object, it.element.as_ref()?));
            Some(input(&format!(".[]{}", it.name), terms.array_sort(object, row)))
        });
        // A variable may have this name: it is another symbol.
        // What is declared first is compared first: `i < |a|`.
        let globals: Vec<Option<Term>> = globals.collect();
        let lengths: Vec<Option<Term>> = lengths.collect();
        ProgramSymbols {
            object,
            nil: input(name_of_nil(program), object),
            locals: labels(program),
            globals,
            naturals: lengths.iter().flatten().map(|&it| terms.int_le(terms.int(0), it)).collect(),
            lengths,
            fields: fields.collect(),
            items: items.collect(),
        }
    }

    /// The base of a family: an array over the start state.
    pub fn base(&self, family: Family) -> Option<Term> {
        match family {
            Family::Field(field) => self.fields.get(field.index()).copied(),
            Family::Map(map) => self.globals.get(map.index()).copied().flatten(),
            Family::Items(class) => self.items.get(class.index()).copied().flatten(),
        }
    }

    /// What a family holds for an object of the start state, or an index. Lengths of arrays are not negative, whatever
    /// a model says of them.
    pub fn at_start(&self, terms: &Terms, program: &Program, family: Family, key: Key) -> Term {
        let Some(base) = self.base(family) else { return terms.int(0) };
        let value = key.of(terms, base);
        match family {
            Family::Field(field) if is_length(program, field) => {
                terms.ite(terms.int_le(terms.int(0), value), value, terms.int(0))
            }
            _ => value,
        }
    }

    /// What fields and elements of a new object are: `0`, `false`, `nil`.
    pub fn default_of(&self, terms: &Terms, sort: Sort) -> Term {
        match sort {
            Sort::Bool => terms.bool(false),
            Sort::Array(parts) => terms.const_array(sort, self.default_of(terms, terms.array_parts(parts).1)),
            Sort::Uninterpreted(_) => self.nil,
            _ => terms.int(0),
        }
    }

    /// The default value of a type.
    pub fn default_of_type(&self, terms: &Terms, typ: &Type) -> Term {
        self.default_of(terms, sort_of(terms, self.object, typ))
    }

    /// The new object of this number along the path.
    pub fn new_object(&self, terms: &Terms, program: &Program, class: ClassId, number: u32) -> Symbol {
        terms.symbol(&format!("{}#{number}", program.class(class).name), self.object, SymbolKind::Fresh)
    }

    /// Whether a term is a new object (and nothing else).
    pub fn is_new(&self, terms: &Terms, term: Term) -> bool {
        matches!(*terms.node(term), Node::Symbol(symbol) if self.is_new_symbol(terms, symbol))
    }

    fn is_new_symbol(&self, terms: &Terms, symbol: Symbol) -> bool {
        let info = terms.symbol_info(symbol);
        info.sort == self.object && info.kind == SymbolKind::Fresh && info.name.contains('#')
    }

    /// Whether a new object occurs in a term.
    pub fn mentions_new(&self, terms: &Terms, term: Term) -> bool {
        terms.symbols(term).iter().any(|it| self.is_new_symbol(terms, *it))
    }

    /// Equality, with what is known of new objects: `if b then e1 else e2 fi = e` becomes
    /// `if b then e1 = e else e2 = e fi` as far as needed.
    pub fn equal(&self, terms: &Terms, a: Term, b: Term) -> Term {
        if terms.sort(a) != self.object {
            return terms.eq(a, b);
        }
        self.equal_objects(terms, a, b, &mut FxHashMap::default())
    }

    fn equal_objects(&self, terms: &Terms, a: Term, b: Term, done: &mut FxHashMap<(Term, Term), Term>) -> Term {
        if a == b || !(self.mentions_new(terms, a) || self.mentions_new(terms, b)) {
            return terms.eq(a, b);
        }
        if let Some(&known) = done.get(&(a, b)) {
            return known;
        }
        let res = match (terms.node(a), terms.node(b)) {
            (&Node::Ite(cond, yes, no), _) => {
                let yes = self.equal_objects(terms, yes, b, done);
                terms.ite(cond, yes, self.equal_objects(terms, no, b, done))
            }
            (_, &Node::Ite(cond, yes, no)) => {
                let yes = self.equal_objects(terms, a, yes, done);
                terms.ite(cond, yes, self.equal_objects(terms, a, no, done))
            }
            // Two different leaves, one of which is new at least.
            _ if self.is_new(terms, a) || self.is_new(terms, b) => terms.bool(false),
            _ => terms.eq(a, b),
        };
        done.insert((a, b), res);
        res
    }
}

/// A name for each variable that no other of its routine has: threads of one call may each have a local `n`. `r` is what
/// the call returns.
fn labels(program: &Program) -> Vec<Arc<str>> {
    let mut res: Vec<Arc<str>> = program.variables.iter().map(|it| Arc::clone(&it.name)).collect();
    for routine in &program.routines {
        let mut met: FxHashSet<&str> = FxHashSet::from_iter(["r"]);
        for &id in &routine.locals {
            let name = program.name_of(id);
            if !met.insert(name) {
                res[id.index()] = format!("{name}'{}", id.0).into();
            }
        }
    }
    res
}

/// Whether a field is the length of an array by reference.
pub fn is_length(program: &Program, field: FieldId) -> bool {
    program.class(program.field(field).class).element.is_some()
}

/// The sort of a type's values.
pub fn sort_of(terms: &Terms, object: Sort, typ: &Type) -> Sort {
    match typ {
        Type::Int => Sort::Int,
        Type::Bool => Sort::Bool,
        Type::Object(_) => object,
        Type::Map(map) => terms.array_sort(sort_of(terms, object, &map.index), sort_of(terms, object, &map.element)),
    }
}

/// The state that expressions read while they are translated.
pub trait StateReader {
    /// The value of a variable.
    fn variable(&self, id: VarId) -> Term;
    /// The content of a family at a key.
    fn at(&self, family: Family, key: Key) -> Term;
    /// Equality of two terms of one sort, as the model expresses it.
    fn equal(&self, a: Term, b: Term) -> Term;
}

/// The translation from expressions to terms in one state.
#[derive(Clone, Copy, Debug)]
pub struct Translation<'a> {
    /// The arena of the terms.
    pub terms: &'a Terms,
    /// The program that the expressions belong to.
    pub program: &'a Program,
    /// The symbols for the program's variables, fields and arrays.
    pub words: &'a ProgramSymbols,
    /// What division by zero is.
    pub semantics: Semantics,
}

impl Translation<'_> {
    /// The value of an expression. Where the expression has none (⊥) it is some value.
    pub fn term(&self, from: &dyn StateReader, expr: &Expr) -> Term {
        let terms = self.terms;
        let key = |first| Key { first, second: None };
        match &*expr.kind {
            ExprKind::Nil => self.words.nil,
            ExprKind::Int(value) => terms.int(value.clone()),
            ExprKind::Bool(value) => terms.bool(*value),
            ExprKind::Var(id) => from.variable(*id),
            ExprKind::Field(of, field) => from.at(Family::Field(*field), key(self.term(from, of))),
            ExprKind::Element(map, at) => from.at(Family::Map(*map), key(self.term(from, at))),
            ExprKind::Length(map) => {
                self.words.lengths.get(map.index()).copied().flatten().unwrap_or_else(|| terms.int(0))
            }
            ExprKind::Item(of, at) => {
                let first = self.term(from, of);
                let second = Some(self.term(from, at));
                match self.program.class_of(of) {
                    Some(class) => from.at(Family::Items(class), Key { first, second }),
                    // An element of `nil`: no value.
                    None => terms.int(0),
                }
            }
            ExprKind::Cond(cond, yes, no) => {
                terms.ite(self.term(from, cond), self.term(from, yes), self.term(from, no))
            }
            ExprKind::Op(op, parts) => {
                let parts: Vec<Term> = parts.iter().map(|it| self.term(from, it)).collect();
                self.operation(from, *op, &parts)
            }
        }
    }

    fn operation(&self, from: &dyn StateReader, op: Op, parts: &[Term]) -> Term {
        let terms = self.terms;
        match (op, parts) {
            (Op::And, _) => terms.and_all(parts.iter().copied()),
            (Op::Or, _) => terms.or_all(parts.iter().copied()),
            (Op::Not, &[a]) => terms.not(a),
            (Op::Neg, &[a]) => terms.int_neg(a),
            (Op::Implies, &[a, b]) => terms.implies(a, b),
            (Op::Eq, &[a, b]) => from.equal(a, b),
            (Op::Ne, &[a, b]) => terms.not(from.equal(a, b)),
            (Op::Lt, &[a, b]) => terms.int_lt(a, b),
            (Op::Le, &[a, b]) => terms.int_le(a, b),
            (Op::Add, &[a, b]) => terms.int_add(a, b),
            (Op::Sub, &[a, b]) => terms.int_sub(a, b),
            (Op::Mul, &[a, b]) => terms.int_mul(a, b),
            (Op::Div, &[a, b]) => self.divided(a, b, terms.int(0), Terms::int_div),
            (Op::Mod, &[a, b]) => self.divided(a, b, a, Terms::int_mod),
            // The checker counts operands.
            _ => terms.bool(false),
        }
    }

    /// A quotient or remainder; `of_zero` is the paper's for division by zero.
    fn divided(&self, a: Term, b: Term, of_zero: Term, build: fn(&Terms, Term, Term) -> Term) -> Term {
        match self.terms.as_int(b) {
            Some(value) if value.is_zero() => of_zero,
            Some(_) => build(self.terms, a, b),
            None if self.semantics.paper => {
                let zero = self.terms.eq(b, self.terms.int(0));
                self.terms.ite(zero, of_zero, build(self.terms, a, b))
            }
            None => build(self.terms, a, b),
        }
    }
}

//! The words in which a program is spoken of in terms: sorts of its types, symbols of its functions.
//!
//! Knows: which sort a type has, which uninterpreted function stands for what. Never: states, proofs.
//! Source: Smans et al. 2010, section 3.2.1 (signature).

use crate::collections::{CollectionKind, Collections};
use crate::heap::Resource;
use effigy_contracts::program::{DomainFunctionId, FunctionId, MemberVariable, Program, Type};
use effigy_term::{FunctionSymbol, Sort, Symbol, SymbolKind, Term, Terms};

/// The vocabulary of one program in one arena.
pub struct Vocabulary<'p> {
    program: &'p Program,
    reference: Sort,
    snapshot: Sort,
    /// The collections that came into use.
    pub collections: Collections,
}

impl<'p> Vocabulary<'p> {
    /// The words of a program; nothing was said in them yet.
    pub fn new(terms: &Terms, program: &'p Program) -> Vocabulary<'p> {
        Vocabulary {
            program,
            reference: terms.uninterpreted_sort("Ref"),
            snapshot: terms.uninterpreted_sort("snapshot of a heap"),
            collections: Collections::default(),
        }
    }

    /// The uninterpreted sort of references.
    pub fn reference(&self) -> Sort {
        self.reference
    }

    /// The uninterpreted sort of snapshots.
    pub fn snapshot(&self) -> Sort {
        self.snapshot
    }

    /// The reference `null`, as a symbol.
    pub fn null(&self, terms: &Terms) -> Term {
        terms.of_symbol(terms.symbol("null", self.reference, SymbolKind::Fresh))
    }

    /// The symbols for the arguments of which a quantified chunk says what is held: the receiver of a field, or the
    /// arguments of a predicate.
    pub fn formals(&self, terms: &Terms, resource: Resource) -> Vec<Symbol> {
        match resource {
            Resource::Field(_) => vec![terms.symbol("receiver", self.reference, SymbolKind::Bound)],
            Resource::Predicate(predicate) => {
                let info = &self.program.predicates[predicate.index()];
                let symbol = |it: &MemberVariable| {
                    terms.symbol(&format!("argument {}", it.name), self.sort(terms, &it.typ), SymbolKind::Bound)
                };
                info.variables[..info.parameters].iter().map(symbol).collect()
            }
        }
    }

    /// The value of a field of an object, or the snapshot of an instance of a predicate, in a snapshot of many of them.
    pub fn lookup(&self, terms: &Terms, resource: Resource, values: Term, args: &[Term]) -> Term {
        let (name, sort) = match resource {
            Resource::Field(field) => {
                let info = &self.program.fields[field.index()];
                (format!("lookup {}", info.name), self.sort(terms, &info.typ))
            }
            Resource::Predicate(predicate) => {
                let info = &self.program.predicates[predicate.index()];
                (format!("lookup instance {}", info.name), self.snapshot)
            }
        };
        let sorts: Vec<Sort> = [self.snapshot].into_iter().chain(args.iter().map(|&it| terms.sort(it))).collect();
        let all: Vec<Term> = [values].into_iter().chain(args.iter().copied()).collect();
        terms.apply(terms.function(&name, &sorts, sort), &all)
    }

    /// The sort of a type without type variables.
    pub fn sort(&self, terms: &Terms, typ: &Type) -> Sort {
        match typ {
            Type::Int => Sort::Int,
            Type::Bool => Sort::Bool,
            Type::Ref => self.reference,
            Type::Perm => Sort::Real,
            Type::Domain(..) => terms.uninterpreted_sort(&self.name(typ)),
            // The reader leaves none; were one left, it is a type of which nothing is known.
            Type::Var(number) => terms.uninterpreted_sort(&format!("T{number}")),
            _ => {
                let kind = self.kind(terms, typ).expect("what remains are the collections");
                self.collections.sort(terms, kind)
            }
        }
    }

    /// Which collection a type is.
    pub fn kind(&self, terms: &Terms, typ: &Type) -> Option<CollectionKind> {
        Some(match typ {
            Type::Seq(element) => CollectionKind::Seq(self.sort(terms, element)),
            Type::Set(element) => CollectionKind::Set(self.sort(terms, element)),
            Type::Multiset(element) => CollectionKind::Multiset(self.sort(terms, element)),
            Type::Map(key, value) => CollectionKind::Map(self.sort(terms, key), self.sort(terms, value)),
            _ => return None,
        })
    }

    /// The name of a type, as the user writes it.
    pub fn name(&self, typ: &Type) -> String {
        match typ {
            Type::Int => "Int".to_owned(),
            Type::Bool => "Bool".to_owned(),
            Type::Ref => "Ref".to_owned(),
            Type::Perm => "Perm".to_owned(),
            Type::Seq(it) => format!("Seq[{}]", self.name(it)),
            Type::Set(it) => format!("Set[{}]", self.name(it)),
            Type::Multiset(it) => format!("Multiset[{}]", self.name(it)),
            Type::Map(key, value) => format!("Map[{}, {}]", self.name(key), self.name(value)),
            Type::Var(number) => format!("T{number}"),
            Type::Domain(domain, types) => {
                let name = &self.program.domains[domain.index()].name;
                match types.is_empty() {
                    true => name.to_string(),
                    false => {
                        let types: Vec<String> = types.iter().map(|it| self.name(it)).collect();
                        format!("{name}[{}]", types.join(", "))
                    }
                }
            }
        }
    }

    /// The function symbol of a program function: the snapshot of its precondition comes first (section 3.2.1).
    pub fn function(&self, terms: &Terms, function: FunctionId) -> FunctionSymbol {
        let info = &self.program.functions[function.index()];
        let mut sorts = vec![self.snapshot];
        sorts.extend(info.variables[..info.parameters].iter().map(|it| self.sort(terms, &it.typ)));
        terms.function(&format!("{}()", info.name), &sorts, self.sort(terms, &info.result))
    }

    /// A domain function applied, its type variables standing for `types`.
    pub fn domain_call(&self, terms: &Terms, function: DomainFunctionId, types: &[Type], args: &[Term]) -> Term {
        let info = &self.program.domain_functions[function.index()];
        let result = self.sort(terms, &substituted(&info.result, types));
        let domain = &self.program.domains[info.domain.index()].name;
        let suffix: Vec<String> = types.iter().map(|it| self.name(it)).collect();
        let name = match suffix.is_empty() {
            true => format!("{domain}.{}", info.name),
            false => format!("{domain}.{}[{}]", info.name, suffix.join(", ")),
        };
        if args.is_empty() {
            return terms.of_symbol(terms.symbol(&name, result, SymbolKind::Fresh));
        }
        let sorts: Vec<Sort> = args.iter().map(|&it| terms.sort(it)).collect();
        terms.apply(terms.function(&name, &sorts, result), args)
    }
}

/// `typ` with `types` for the type variables.
pub fn substituted(typ: &Type, types: &[Type]) -> Type {
    let of = |it: &Type| std::sync::Arc::new(substituted(it, types));
    match typ {
        Type::Var(number) => types.get(*number as usize).cloned().unwrap_or(Type::Var(*number)),
        Type::Seq(it) => Type::Seq(of(it)),
        Type::Set(it) => Type::Set(of(it)),
        Type::Multiset(it) => Type::Multiset(of(it)),
        Type::Map(key, value) => Type::Map(of(key), of(value)),
        Type::Domain(domain, args) => Type::Domain(*domain, args.iter().map(|it| substituted(it, types)).collect()),
        _ => typ.clone(),
    }
}

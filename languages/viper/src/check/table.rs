//! What is declared in the program, by name and by number.
//!
//! Knows: declarations and their signatures. Never: bodies, expressions.

use super::types::{AdtId, Ty, TypeNames};
use crate::ReadError;
use crate::ast::{self, Item, Name, TypeKind};
use effigy_contracts::program::{DomainFunctionId, DomainId, FieldId, FunctionId, MethodId, PredicateId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// What a name at a call can mean.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Callable {
    Function(FunctionId),
    DomainFunction(DomainFunctionId),
    Predicate(PredicateId),
    Method(MethodId),
    Constructor(ConstructorId),
}

/// An index into the field [`Table::constructors`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ConstructorId(pub u32);

/// The declarations of a program, by name and by index.
#[derive(Default)]
pub struct Table<'a> {
    pub fields: Vec<(&'a ast::Binding, Ty)>,
    pub domains: Vec<&'a ast::Domain>,
    pub domain_functions: Vec<DomainFunction<'a>>,
    pub functions: Vec<(&'a ast::Function, FunctionSignature)>,
    pub predicates: Vec<(&'a ast::Predicate, Vec<Ty>)>,
    pub methods: Vec<(&'a ast::Method, MethodSignature)>,
    pub adts: Vec<&'a ast::Adt>,
    pub constructors: Vec<Constructor<'a>>,
    /// Every call that a name can be; more than one is an error where it is used.
    pub callables: FxHashMap<Arc<str>, Vec<Callable>>,
    fields_by_name: FxHashMap<Arc<str>, Vec<FieldId>>,
    types_by_name: FxHashMap<Arc<str>, Vec<NamedType>>,
    /// The parameters of constructors, as destructors.
    destructors: FxHashMap<Arc<str>, Vec<Destructor>>,
}

/// The parameter types and result type of a function.
#[derive(Clone, Debug)]
pub struct FunctionSignature {
    pub parameters: Vec<Ty>,
    pub result: Ty,
}

/// The parameter types and result types of a method.
#[derive(Clone, Debug, Default)]
pub struct MethodSignature {
    pub parameters: Vec<Ty>,
    pub results: Vec<Ty>,
}

/// A function of a domain.
pub struct DomainFunction<'a> {
    pub domain: DomainId,
    pub decl: &'a ast::DomainFunction,
    pub signature: FunctionSignature,
}

/// A constructor of an ADT.
pub struct Constructor<'a> {
    pub adt: AdtId,
    pub decl: &'a ast::Constructor,
    pub parameters: Vec<Ty>,
    /// How many constructors and parameters of constructors are declared before it.
    pub offset: u32,
}

/// A parameter of a constructor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Destructor {
    pub adt: AdtId,
    pub constructor: ConstructorId,
    pub index: usize,
}

#[derive(Clone, Copy)]
enum NamedType {
    Domain(DomainId),
    Adt(AdtId),
}

/// The domain or ADT in which a type stands: its type variables.
#[derive(Clone, Copy, Default)]
pub struct TypeScope<'a> {
    pub variables: &'a [Name],
}

impl TypeNames for Table<'_> {
    fn domain(&self, id: DomainId) -> &str {
        self.domains.get(id.index()).map_or("?", |it| &it.name.text)
    }

    fn adt(&self, id: AdtId) -> &str {
        self.adts.get(id.0 as usize).map_or("?", |it| &it.name.text)
    }
}

impl<'a> Table<'a> {
    /// What the program declares; what is wrong with the types in its signatures goes to `errors`.
    pub fn new(program: &'a ast::Program, errors: &mut Vec<ReadError>) -> Table<'a> {
        let mut table = Table::default();
        for item in &program.items {
            table.name_types(item);
        }
        for item in &program.items {
            table.declare(item, errors);
        }
        for (idx, decl) in table.domains.clone().into_iter().enumerate() {
            table.declare_domain(DomainId(idx as u32), decl, errors);
        }
        for (idx, decl) in table.adts.clone().into_iter().enumerate() {
            table.declare_adt(AdtId(idx as u32), decl, errors);
        }
        table
    }

    /// The fields of this name.
    pub fn fields(&self, name: &str) -> &[FieldId] {
        self.fields_by_name.get(name).map_or(&[], |it| it)
    }

    /// The calls of this name.
    pub fn callables(&self, name: &str) -> &[Callable] {
        self.callables.get(name).map_or(&[], |it| it)
    }

    /// The destructors of this name.
    pub fn destructors(&self, name: &str) -> &[Destructor] {
        self.destructors.get(name).map_or(&[], |it| it)
    }

    /// The constructor that a discriminator `isName` asks for.
    pub fn discriminated(&self, name: &str) -> Option<ConstructorId> {
        self.constructor(name.strip_prefix("is")?)
    }

    /// The constructor of this name.
    pub fn constructor(&self, name: &str) -> Option<ConstructorId> {
        self.callables(name).iter().find_map(|it| match it {
            Callable::Constructor(id) => Some(*id),
            _ => None,
        })
    }

    pub fn constructor_of(&self, id: ConstructorId) -> &Constructor<'a> {
        &self.constructors[id.0 as usize]
    }

    /// What a type as it is written means.
    pub fn resolve(&self, typ: &ast::Type, scope: TypeScope, errors: &mut Vec<ReadError>) -> Ty {
        match &typ.kind {
            TypeKind::Int => Ty::Int,
            TypeKind::Bool => Ty::Bool,
            TypeKind::Ref => Ty::Ref,
            TypeKind::Perm => Ty::Perm,
            TypeKind::Seq(a) => Ty::seq(self.resolve(a, scope, errors)),
            TypeKind::Set(a) => Ty::set(self.resolve(a, scope, errors)),
            TypeKind::Multiset(a) => Ty::multiset(self.resolve(a, scope, errors)),
            TypeKind::Map(a, b) => {
                let key = self.resolve(a, scope, errors);
                Ty::map(key, self.resolve(b, scope, errors))
            }
            TypeKind::Named(name, args) => {
                let args = args.iter().map(|it| self.resolve(it, scope, errors)).collect();
                self.named(typ, name, args, scope, errors)
            }
        }
    }

    fn named(&self, typ: &ast::Type, name: &Name, args: Vec<Ty>, scope: TypeScope, errors: &mut Vec<ReadError>) -> Ty {
        let mut error = |message: String| {
            errors.push(ReadError::typechecker(typ.span, message));
            Ty::Undeclared(name.text.clone())
        };
        let declared = self.types_by_name.get(&name.text).map_or(&[][..], |it| it);
        // A name of an ADT is never a type variable; with a domain, the number of arguments decides.
        if let Some(NamedType::Adt(id)) = declared.iter().find(|it| matches!(it, NamedType::Adt(_))) {
            let wanted = self.adts[id.0 as usize].type_variables.len();
            return match (declared.len(), wanted == args.len()) {
                (1, true) => Ty::Adt(*id, args.into()),
                (1, false) => error(format!("`{}` has {wanted} type arguments", name.text)),
                _ => error(format!("ambiguous type `{}`", name.text)),
            };
        }
        let variables = scope.variables.iter().enumerate().filter(|(_, it)| args.is_empty() && it.text == name.text);
        let mut fitting: Vec<Ty> = variables.map(|(idx, _)| Ty::Rigid(idx as u32)).collect();
        let mut others = 0;
        for it in declared {
            match it {
                NamedType::Domain(id) if self.domains[id.index()].type_variables.len() == args.len() => {
                    fitting.push(Ty::Domain(*id, args.clone().into()))
                }
                _ => others += 1,
            }
        }
        match (fitting.len(), others) {
            (1, _) => fitting.swap_remove(0),
            (0, 0) => error(format!("undeclared type `{}`", name.text)),
            (0, _) => error(format!("type `{}` has another number of type arguments", name.text)),
            _ => error(format!("ambiguous type `{}`", name.text)),
        }
    }

    fn name_types(&mut self, item: &'a Item) {
        let (name, typ) = match item {
            Item::Domain(it) => {
                self.domains.push(it);
                (&it.name, NamedType::Domain(DomainId(self.domains.len() as u32 - 1)))
            }
            Item::Adt(it) => {
                self.adts.push(it);
                (&it.name, NamedType::Adt(AdtId(self.adts.len() as u32 - 1)))
            }
            _ => return,
        };
        self.types_by_name.entry(name.text.clone()).or_default().push(typ);
    }

    fn declare(&mut self, item: &'a Item, errors: &mut Vec<ReadError>) {
        let none = TypeScope::default();
        match item {
            Item::Import(_) | Item::Macro(_) | Item::Domain(_) | Item::Adt(_) => {}
            Item::Fields(it) => {
                for field in &it.fields {
                    let ty = self.resolve(&field.typ, none, errors);
                    let id = FieldId(self.fields.len() as u32);
                    self.fields.push((field, ty));
                    self.fields_by_name.entry(field.name.text.clone()).or_default().push(id);
                }
            }
            Item::Method(it) => {
                let parameters = self.types(&it.parameters, none, errors);
                let results = self.types(&it.results, none, errors);
                let id = MethodId(self.methods.len() as u32);
                self.methods.push((it, MethodSignature { parameters, results }));
                self.callable(&it.name, Callable::Method(id));
            }
            Item::Function(it) => {
                let parameters = self.types(&it.parameters, none, errors);
                let result = self.resolve(&it.result, none, errors);
                let id = FunctionId(self.functions.len() as u32);
                self.functions.push((it, FunctionSignature { parameters, result }));
                self.callable(&it.name, Callable::Function(id));
            }
            Item::Predicate(it) => {
                let parameters = self.types(&it.parameters, none, errors);
                let id = PredicateId(self.predicates.len() as u32);
                self.predicates.push((it, parameters));
                self.callable(&it.name, Callable::Predicate(id));
            }
        }
    }

    fn declare_domain(&mut self, domain: DomainId, decl: &'a ast::Domain, errors: &mut Vec<ReadError>) {
        let scope = TypeScope { variables: &decl.type_variables };
        for function in &decl.functions {
            let result = self.resolve(&function.result, scope, errors);
            let parameters = function.parameters.iter().map(|(_, it)| self.resolve(it, scope, errors)).collect();
            let mut names: FxHashSet<&str> = FxHashSet::default();
            for name in function.parameters.iter().filter_map(|(it, _)| it.as_ref()) {
                if !names.insert(&name.text) {
                    let message = format!("duplicate argument name `{}`", name.text);
                    errors.push(ReadError::typechecker(name.span, message));
                }
            }
            let id = DomainFunctionId(self.domain_functions.len() as u32);
            let signature = FunctionSignature { parameters, result };
            self.domain_functions.push(DomainFunction { domain, decl: function, signature });
            self.callable(&function.name, Callable::DomainFunction(id));
        }
    }

    fn declare_adt(&mut self, adt: AdtId, decl: &'a ast::Adt, errors: &mut Vec<ReadError>) {
        let scope = TypeScope { variables: &decl.type_variables };
        for constructor in &decl.constructors {
            let parameters = self.types(&constructor.parameters, scope, errors);
            let id = ConstructorId(self.constructors.len() as u32);
            for (index, it) in constructor.parameters.iter().enumerate() {
                let destructor = Destructor { adt, constructor: id, index };
                self.destructors.entry(it.name.text.clone()).or_default().push(destructor);
            }
            let offset = self.constructors.last().map_or(0, |it| it.offset + 1 + it.parameters.len() as u32);
            self.constructors.push(Constructor { adt, decl: constructor, parameters, offset });
            self.callable(&constructor.name, Callable::Constructor(id));
        }
    }

    fn callable(&mut self, name: &Name, it: Callable) {
        self.callables.entry(name.text.clone()).or_default().push(it);
    }

    fn types(&self, bindings: &[ast::Binding], scope: TypeScope, errors: &mut Vec<ReadError>) -> Vec<Ty> {
        bindings.iter().map(|it| self.resolve(&it.typ, scope, errors)).collect()
    }
}

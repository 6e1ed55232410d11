//! What the classes of a program declare: types, members, their numbers.
//!
//! Knows: names of classes and members. Never: bodies.

use crate::ReadError;
use crate::syntax::{Class, Name, Routine, RoutineKind, Source, TypeName};
use effigy_contracts::Span;
use effigy_contracts::program::{Field, FieldId, FunctionId, MethodId, PredicateId, Type};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A type of the language.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Typ {
    Int,
    Bool,
    /// The type of the literal `null`.
    Null,
    /// The type of any reference.
    Object,
    /// A class, by its index into [`Classes::list`].
    Class(usize),
    Array(Arc<Typ>),
    /// The elements of an array as one value (`a.elems`).
    Elems(Arc<Typ>),
    /// Of something that is wrong: an error was reported, and no other follows from it.
    Wrong,
}

impl Typ {
    /// The type of its values in the program.
    pub(crate) fn lowered(&self) -> Type {
        match self {
            Typ::Int => Type::Int,
            Typ::Bool => Type::Bool,
            Typ::Elems(of) => Type::Seq(Arc::new(of.lowered())),
            _ => Type::Ref,
        }
    }

    pub(crate) fn is_reference(&self) -> bool {
        matches!(self, Typ::Null | Typ::Object | Typ::Class(_) | Typ::Array(_))
    }

    /// Whether a value of type `other` may be put where this one is expected. Arrays are invariant.
    pub(crate) fn accepts(&self, other: &Typ) -> bool {
        self == other
            || *self == Typ::Wrong
            || *other == Typ::Wrong
            || (*self == Typ::Object && other.is_reference())
            || (self.is_reference() && *other == Typ::Null)
    }
}

/// The parameters of a member, without the receiver: name, type, place.
pub(crate) type Parameters = Vec<(Name, Typ)>;

/// A member that is called.
#[derive(Clone, Debug)]
pub(crate) enum Member {
    Mutator { id: MethodId, parameters: Parameters, result: Option<Typ> },
    Pure { id: FunctionId, parameters: Parameters, result: Typ },
    Predicate { id: PredicateId, parameters: Parameters },
}

impl Member {
    pub(crate) fn parameters(&self) -> &Parameters {
        match self {
            Member::Mutator { parameters, .. } | Member::Pure { parameters, .. } => parameters,
            Member::Predicate { parameters, .. } => parameters,
        }
    }
}

#[derive(Debug)]
pub(crate) struct ClassInfo {
    pub(crate) name: Arc<str>,
    /// In the order of the text.
    pub(crate) fields: Vec<(Arc<str>, FieldId, Typ)>,
    field_names: FxHashMap<Arc<str>, usize>,
    pub(crate) members: FxHashMap<Arc<str>, Member>,
    pub(crate) constructor: Option<Member>,
}

impl ClassInfo {
    pub(crate) fn field(&self, name: &str) -> Option<(FieldId, Typ)> {
        let (_, id, typ) = &self.fields[*self.field_names.get(name)?];
        Some((*id, typ.clone()))
    }
}

/// The classes of a program, by name and by index.
#[derive(Debug, Default)]
pub(crate) struct Classes {
    pub(crate) list: Vec<ClassInfo>,
    names: FxHashMap<Arc<str>, usize>,
    /// Names of mutators of any class: a call of one may have an effect.
    pub(crate) mutators: rustc_hash::FxHashSet<Arc<str>>,
}

impl Classes {
    pub(crate) fn find(&self, name: &str) -> Option<usize> {
        self.names.get(name).copied()
    }

    /// How a type is written.
    pub(crate) fn name(&self, typ: &Typ) -> String {
        match typ {
            Typ::Int => "int".to_owned(),
            Typ::Bool => "bool".to_owned(),
            Typ::Null => "null".to_owned(),
            Typ::Object => "Object".to_owned(),
            Typ::Class(class) => self.list[*class].name.to_string(),
            Typ::Array(of) => format!("{}[]", self.name(of)),
            Typ::Elems(of) => format!("the elements of a {}[]", self.name(of)),
            Typ::Wrong => "a wrong type".to_owned(),
        }
    }

    /// The type that a name stands for; what is no type is reported.
    pub(crate) fn resolve(&self, name: &TypeName, errors: &mut Vec<ReadError>) -> Typ {
        let mut res = match &*name.base.text {
            "int" => Typ::Int,
            "bool" => Typ::Bool,
            "Object" => Typ::Object,
            other => match self.find(other) {
                Some(class) => Typ::Class(class),
                None => {
                    errors.push(ReadError::typechecker(
                        name.base.span,
                        format!("a type was expected: there is no class `{other}`"),
                    ));
                    return Typ::Wrong;
                }
            },
        };
        for _ in 0..name.dimensions {
            res = Typ::Array(Arc::new(res));
        }
        res
    }

    /// Declares everything, in the order of the text, and gives the program's fields.
    pub(crate) fn declare(source: &Source, errors: &mut Vec<ReadError>) -> (Classes, Vec<Field>) {
        let mut res = Classes::default();
        for class in &source.classes {
            let name = class.name.text.clone();
            if &*name == "Object" {
                errors.push(ReadError::typechecker(class.name.span, "another name was expected: `Object` is built in"));
            } else if res.names.insert(name.clone(), res.list.len()).is_some() {
                errors.push(ReadError::typechecker(
                    class.name.span,
                    format!("another name was expected: class `{name}` is declared twice"),
                ));
            }
            res.list.push(ClassInfo {
                name,
                fields: Vec::new(),
                field_names: FxHashMap::default(),
                members: FxHashMap::default(),
                constructor: None,
            });
        }
        let mut fields = Vec::new();
        let mut numbers = Numbers::default();
        for (index, class) in source.classes.iter().enumerate() {
            res.declare_fields(index, class, &mut fields, errors);
            for routine in &class.routines {
                res.declare_routine(index, routine, &mut numbers, errors);
            }
        }
        (res, fields)
    }

    fn declare_fields(&mut self, index: usize, class: &Class, fields: &mut Vec<Field>, errors: &mut Vec<ReadError>) {
        for (typ, name) in &class.fields {
            let typ = self.resolve(typ, errors);
            let info = &mut self.list[index];
            let id = FieldId(fields.len() as u32);
            if info.field_names.contains_key(&name.text) {
                errors.push(twice("field", name));
                continue;
            }
            info.field_names.insert(name.text.clone(), info.fields.len());
            let full_name = format!("{}.{}", info.name, name.text);
            fields.push(Field { name: full_name.into(), typ: typ.lowered(), span: name.span });
            info.fields.push((name.text.clone(), id, typ));
        }
    }

    fn declare_routine(&mut self, index: usize, routine: &Routine, numbers: &mut Numbers, errors: &mut Vec<ReadError>) {
        let mut parameters = Parameters::new();
        for (typ, name) in &routine.parameters {
            let typ = self.resolve(typ, errors);
            if parameters.iter().any(|it| it.0.text == name.text) {
                errors.push(twice("parameter", name));
            }
            parameters.push((name.clone(), typ));
        }
        let member = match &routine.kind {
            RoutineKind::Constructor(_) => Member::Mutator { id: numbers.method(), parameters, result: None },
            RoutineKind::Mutator(result, _) => {
                let result = result.as_ref().map(|it| self.resolve(it, errors));
                self.mutators.insert(routine.name.text.clone());
                Member::Mutator { id: numbers.method(), parameters, result }
            }
            RoutineKind::Pure(result, _) => {
                Member::Pure { id: numbers.function(), parameters, result: self.resolve(result, errors) }
            }
            RoutineKind::Predicate(_) => Member::Predicate { id: numbers.predicate(), parameters },
        };
        let info = &mut self.list[index];
        if matches!(routine.kind, RoutineKind::Constructor(_)) {
            if info.constructor.replace(member).is_some() {
                errors.push(twice("constructor", &routine.name));
            }
        } else if info.members.insert(routine.name.text.clone(), member).is_some() {
            errors.push(twice("method", &routine.name));
        }
        if info.constructor.is_some() && &*routine.name.text == "init" {
            let message = "another name was expected: `init` is the constructor's";
            errors.push(ReadError::typechecker(routine.name.span, message));
        }
    }
}

/// Numbers members as they are lowered later.
#[derive(Default)]
struct Numbers {
    methods: u32,
    functions: u32,
    predicates: u32,
}

impl Numbers {
    fn method(&mut self) -> MethodId {
        self.methods += 1;
        MethodId(self.methods - 1)
    }

    fn function(&mut self) -> FunctionId {
        self.functions += 1;
        FunctionId(self.functions - 1)
    }

    fn predicate(&mut self) -> PredicateId {
        self.predicates += 1;
        PredicateId(self.predicates - 1)
    }
}

fn twice(what: &str, name: &Name) -> ReadError {
    ReadError::typechecker(name.span, format!("another name was expected: {what} `{}` is declared twice", name.text))
}

/// A place for what the language adds.
pub(crate) fn nowhere() -> Span {
    Span { file: 0, line: 1, column: 1, end_line: 1, end_column: 1 }
}

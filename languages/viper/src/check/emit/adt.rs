//! Algebraic data types as domains with axioms.
//!
//! Knows: which functions and axioms stand for an ADT. Never: how they are proved with, where an ADT is used.
//!
//! An ADT becomes a domain with a function for each constructor and each destructor, and one that numbers the
//! constructors (its tag). A discriminator `e.isC` is an equation of the tag. The axioms: a destructor gives back what
//! the constructor got, the tag of `C(…)` is the number of `C`, and every value is what some constructor makes of the
//! value's own parts.
//! `derives { contains }` says that a constructor's arguments are contained in its value, and that to be contained is
//! transitive.
//! Source: the documentation of silver's ADT plugin; the axioms are those of its `AdtEncoder`.

use super::measure;
use crate::ast::{self, Span};
use crate::check::table::{Callable, Constructor, ConstructorId, Destructor, Table};
use crate::check::types::{AdtId, Ty};
use effigy_contracts::program::{
    Axiom, BinaryOp, Domain, DomainFunction, DomainFunctionId, DomainId, Exp, ExpKind, MemberVariable, Quantified,
    Type, VarId,
};
use num_bigint::BigInt;
use std::sync::Arc;

/// The function of `<adt/contains.vpr>`.
const CONTAINS: &str = "contains";

/// The type as the verifier knows it; `None`: it knows no such type.
pub fn typ(table: &Table, ty: &Ty) -> Option<Type> {
    let part = |it: &Ty| typ(table, it).map(Arc::new);
    let all = |args: &[Ty]| args.iter().map(|it| typ(table, it)).collect::<Option<Arc<[Type]>>>();
    Some(match ty {
        Ty::Int => Type::Int,
        Ty::Bool | Ty::Impure | Ty::Wand | Ty::Instance => Type::Bool,
        Ty::Ref => Type::Ref,
        Ty::Perm => Type::Perm,
        Ty::Seq(a) => Type::Seq(part(a)?),
        Ty::Set(a) => Type::Set(part(a)?),
        Ty::Multiset(a) => Type::Multiset(part(a)?),
        Ty::Map(a, b) => Type::Map(part(a)?, part(b)?),
        Ty::Domain(id, args) => Type::Domain(*id, all(args)?),
        Ty::Adt(id, args) => Type::Domain(domain_of(table, *id), all(args)?),
        Ty::Rigid(it) => Type::Var(*it),
        Ty::Unknown(_) | Ty::Measure | Ty::Undeclared(_) | Ty::Error => return None,
    })
}

/// Domains of ADTs stand behind those that are declared.
fn domain_of(table: &Table, adt: AdtId) -> DomainId {
    DomainId((table.domains.len() + adt.0 as usize) as u32)
}

/// The function that stands for a constructor; those of its destructors follow.
pub fn constructor(table: &Table, id: ConstructorId) -> DomainFunctionId {
    DomainFunctionId(table.domain_functions.len() as u32 + table.constructor_of(id).offset)
}

/// The function that stands for a destructor.
pub fn destructor(table: &Table, it: Destructor) -> DomainFunctionId {
    DomainFunctionId(constructor(table, it.constructor).0 + 1 + it.index as u32)
}

/// The function that numbers the constructors of an ADT: they stand behind all others.
fn tag(table: &Table, adt: AdtId) -> DomainFunctionId {
    let functions = table.constructors.last().map_or(0, |it| it.offset + 1 + it.parameters.len() as u32);
    DomainFunctionId(table.domain_functions.len() as u32 + functions + adt.0)
}

/// `e.isC`: whether the tag of the value is that of the constructor.
pub fn discriminator(table: &Table, id: ConstructorId, value: Exp, types: Arc<[Type]>) -> ExpKind {
    let span = value.span;
    let tag = ExpKind::DomainCall(tag(table, table.constructor_of(id).adt), vec![value], types);
    // The constructors of an ADT are numbered one after the other.
    let number = Exp::new(ExpKind::Int(BigInt::from(id.0)), Type::Int, span);
    ExpKind::Binary(BinaryOp::Eq, Exp::new(tag, Type::Int, span), number)
}

/// The functions of all ADTs, in the order of their numbers.
pub fn functions(table: &Table) -> Vec<DomainFunction> {
    let mut res = Vec::new();
    for it in &table.constructors {
        let adt = Adt::new(table, it.adt);
        let parameters: Vec<Type> = it.parameters.iter().map(|ty| adt.part(ty)).collect();
        let function = |name: &ast::Name, parameters, result, span| DomainFunction {
            name: name.text.clone(),
            domain: adt.domain,
            parameters,
            result,
            unique: false,
            span,
        };
        let destructors = it.decl.parameters.iter().zip(&parameters);
        let destructors =
            destructors.map(|(decl, ty)| function(&decl.name, vec![adt.whole()], ty.clone(), decl.span)).collect();
        let made: Vec<DomainFunction> = destructors;
        res.push(function(&it.decl.name, parameters, adt.whole(), it.decl.span));
        res.extend(made);
    }
    for (at, decl) in table.adts.iter().enumerate() {
        let adt = Adt::new(table, AdtId(at as u32));
        res.push(DomainFunction {
            name: format!("{}_tag", decl.name.text).into(),
            domain: adt.domain,
            parameters: vec![adt.whole()],
            result: Type::Int,
            unique: false,
            span: decl.span,
        });
    }
    res
}

/// The domains of all ADTs, and one for what is contained in their values where that is derived.
pub fn domains(table: &Table) -> Vec<Domain> {
    let mut res: Vec<Domain> = (0..table.adts.len()).map(|at| Adt::new(table, AdtId(at as u32)).domain()).collect();
    let derived = table.adts.iter().any(|it| contains_of(it).is_some());
    if let Some((function, span)) = contains(table).filter(|_| derived) {
        res.push(transitive(function, span));
    }
    if let Some((decreasing, bounded)) = measure::order(table) {
        let declared = |adt: &Adt| {
            let name = format!("{}WellFoundedOrder", adt.decl.name.text);
            table.domains.iter().any(|it| *it.name.text == *name)
        };
        let adts = (0..table.adts.len()).map(|at| Adt::new(table, AdtId(at as u32)));
        res.extend(adts.filter(|it| !declared(it)).map(|it| it.order(decreasing, bounded)));
    }
    res
}

/// The entry `contains` of a `derives` block.
fn contains_of(decl: &ast::Adt) -> Option<&ast::Derive> {
    decl.derives.iter().flatten().find(|it| &*it.name.text == CONTAINS)
}

/// The function `contains` of the library, if it was imported.
fn contains(table: &Table) -> Option<(DomainFunctionId, Span)> {
    let [Callable::DomainFunction(id)] = table.callables(CONTAINS) else { return None };
    let function = table.domain_functions.get(id.index())?;
    let fits = function.signature.parameters.len() == 2
        && function.signature.result == Ty::Bool
        && table.domains.get(function.domain.index()).is_some_and(|it| it.type_variables.len() == 2);
    fits.then_some((*id, function.decl.span))
}

/// `contains(a, b) && contains(b, c) ==> contains(a, c)`
fn transitive(function: DomainFunctionId, span: Span) -> Domain {
    let variables = ["a", "b", "c"].map(|it| variable(it.into(), Type::Var(0), span));
    let variables: Vec<MemberVariable> =
        variables.into_iter().enumerate().map(|(at, it)| MemberVariable { typ: Type::Var(at as u32), ..it }).collect();
    let call = |x: usize, y: usize| {
        let args = [x, y].map(|it| Exp::new(ExpKind::Var(VarId(it as u32)), variables[it].typ.clone(), span));
        let types = [x, y].map(|it| Type::Var(it as u32));
        Exp::new(ExpKind::DomainCall(function, args.into(), types.into()), Type::Bool, span)
    };
    let boolean = |op, a, b| Exp::new(ExpKind::Binary(op, a, b), Type::Bool, span);
    let both = boolean(BinaryOp::And, call(0, 1), call(1, 2));
    let body = boolean(BinaryOp::Implies, both, call(0, 2));
    let axiom = forall(variables.clone(), vec![vec![call(0, 1), call(1, 2)]], body);
    let type_variables = ["A", "B", "C"].map(Into::into).into();
    Domain { name: "contains is transitive".into(), type_variables, axioms: vec![axiom], span }
}

fn variable(name: Arc<str>, typ: Type, span: Span) -> MemberVariable {
    MemberVariable { name, typ, span }
}

/// An axiom over all these variables.
fn forall(variables: Vec<MemberVariable>, triggers: Vec<Vec<Exp>>, body: Exp) -> Axiom {
    let (span, bound) = (body.span, (0..variables.len() as u32).map(VarId).collect::<Vec<_>>());
    let body = match bound.is_empty() {
        true => body,
        false => {
            let quantified = Quantified { universal: true, variables: bound, triggers, body };
            Exp::new(ExpKind::Quantified(Box::new(quantified)), Type::Bool, span)
        }
    };
    Axiom { name: None, variables, body }
}

/// One ADT on its way to a domain, at its own type variables.
struct Adt<'t, 'a> {
    table: &'t Table<'a>,
    decl: &'a ast::Adt,
    id: AdtId,
    domain: DomainId,
    types: Arc<[Type]>,
}

impl<'t, 'a> Adt<'t, 'a> {
    fn new(table: &'t Table<'a>, id: AdtId) -> Adt<'t, 'a> {
        let decl = table.adts[id.0 as usize];
        let types = (0..decl.type_variables.len() as u32).map(Type::Var).collect();
        Adt { table, decl, id, domain: domain_of(table, id), types }
    }

    /// The type itself.
    fn whole(&self) -> Type {
        Type::Domain(self.domain, self.types.clone())
    }

    /// The type of a constructor's parameter.
    fn part(&self, ty: &Ty) -> Type {
        // A type that is not known was an error of the checker, behind which nothing is emitted.
        typ(self.table, ty).unwrap_or(Type::Ref)
    }

    fn domain(&self) -> Domain {
        let mut axioms = Vec::new();
        let constructors = self.table.constructors.iter().enumerate().filter(|(_, it)| it.adt == self.id);
        let constructors: Vec<(ConstructorId, &Constructor)> =
            constructors.map(|(at, it)| (ConstructorId(at as u32), it)).collect();
        for (id, it) in &constructors {
            self.constructed(*id, it, &mut axioms);
        }
        axioms.push(self.exhausted(&constructors));
        Domain {
            name: self.decl.name.text.clone(),
            type_variables: self.decl.type_variables.iter().map(|it| it.text.clone()).collect(),
            axioms,
            span: self.decl.span,
        }
    }

    fn call(&self, function: DomainFunctionId, args: Vec<Exp>, result: Type, span: Span) -> Exp {
        Exp::new(ExpKind::DomainCall(function, args, self.types.clone()), result, span)
    }

    fn tag_of(&self, value: Exp, span: Span) -> Exp {
        self.call(tag(self.table, self.id), vec![value], Type::Int, span)
    }

    /// What holds of `C(x, …)`: its parts, its tag, what is contained in it.
    fn constructed(&self, id: ConstructorId, it: &Constructor, axioms: &mut Vec<Axiom>) {
        let span = it.decl.span;
        let parameters = it.decl.parameters.iter().zip(&it.parameters);
        let variables: Vec<MemberVariable> =
            parameters.map(|(decl, ty)| variable(decl.name.text.clone(), self.part(ty), decl.span)).collect();
        let x = |at: usize| Exp::new(ExpKind::Var(VarId(at as u32)), variables[at].typ.clone(), span);
        let function = constructor(self.table, id);
        let made = || self.call(function, (0..variables.len()).map(x).collect(), self.whole(), span);
        let eq = |a, b| Exp::new(ExpKind::Binary(BinaryOp::Eq, a, b), Type::Bool, span);
        let mut put = |body| axioms.push(forall(variables.clone(), vec![vec![made()]], body));
        for (at, it) in variables.iter().enumerate() {
            let destructor = DomainFunctionId(function.0 + 1 + at as u32);
            put(eq(self.call(destructor, vec![made()], it.typ.clone(), span), x(at)));
        }
        let number = Exp::new(ExpKind::Int(BigInt::from(id.0)), Type::Int, span);
        put(eq(self.tag_of(made(), span), number));
        if let (Some((contains, _)), Some(derive)) = (contains(self.table), contains_of(self.decl)) {
            for (at, decl) in it.decl.parameters.iter().enumerate() {
                if !derive.without.iter().any(|it| it.text == decl.name.text) {
                    let types = [variables[at].typ.clone(), self.whole()].into();
                    let call = ExpKind::DomainCall(contains, vec![x(at), made()], types);
                    put(Exp::new(call, Type::Bool, span));
                }
            }
        }
    }

    /// The order of measures: a value is larger than those of its own type that it is made of, and every value has a
    /// bound, since it is finite.
    ///
    /// Parts that stand inside of values of other types are not compared.
    fn order(&self, decreasing: DomainFunctionId, bounded: DomainFunctionId) -> Domain {
        let span = self.decl.span;
        let types: Arc<[Type]> = [self.whole()].into();
        let said = |function, args| Exp::new(ExpKind::DomainCall(function, args, types.clone()), Type::Bool, span);
        let mut axioms = Vec::new();
        for (at, it) in self.table.constructors.iter().enumerate().filter(|(_, it)| it.adt == self.id) {
            let parts: Vec<Type> = it.parameters.iter().map(|ty| self.part(ty)).collect();
            let names = it.decl.parameters.iter().zip(&parts);
            let variables: Vec<MemberVariable> =
                names.map(|(decl, ty)| variable(decl.name.text.clone(), ty.clone(), decl.span)).collect();
            let x = |at: usize| Exp::new(ExpKind::Var(VarId(at as u32)), parts[at].clone(), span);
            let function = constructor(self.table, ConstructorId(at as u32));
            let made = || self.call(function, (0..parts.len()).map(x).collect(), self.whole(), span);
            for (part, _) in parts.iter().enumerate().filter(|(_, ty)| **ty == self.whole()) {
                let body = said(decreasing, vec![x(part), made()]);
                axioms.push(forall(variables.clone(), vec![vec![made()]], body));
            }
        }
        let variables = |names: &[&str]| -> Vec<MemberVariable> {
            names.iter().map(|it| variable((*it).into(), self.whole(), span)).collect()
        };
        let value = |at: u32| Exp::new(ExpKind::Var(VarId(at)), self.whole(), span);
        let less = |a, b| said(decreasing, vec![value(a), value(b)]);
        let both = Exp::new(ExpKind::Binary(BinaryOp::And, less(0, 1), less(1, 2)), Type::Bool, span);
        let body = Exp::new(ExpKind::Binary(BinaryOp::Implies, both, less(0, 2)), Type::Bool, span);
        axioms.push(forall(variables(&["a", "b", "c"]), vec![vec![less(0, 1), less(1, 2)]], body));
        let has_bound = || said(bounded, vec![value(0)]);
        axioms.push(forall(variables(&["value"]), vec![vec![has_bound()]], has_bound()));
        Domain {
            name: format!("{}WellFoundedOrder", self.decl.name.text).into(),
            type_variables: self.decl.type_variables.iter().map(|it| it.text.clone()).collect(),
            axioms,
            span,
        }
    }

    /// Every value is what one of the constructors makes of its parts.
    fn exhausted(&self, constructors: &[(ConstructorId, &Constructor)]) -> Axiom {
        let span = self.decl.span;
        let value = || Exp::new(ExpKind::Var(VarId(0)), self.whole(), span);
        let mut triggers = vec![vec![self.tag_of(value(), span)]];
        let mut body = Exp::new(ExpKind::Bool(false), Type::Bool, span);
        for (id, it) in constructors {
            let function = constructor(self.table, *id);
            let part = |(at, ty): (usize, &Ty)| {
                self.call(DomainFunctionId(function.0 + 1 + at as u32), vec![value()], self.part(ty), span)
            };
            let parts: Vec<Exp> = it.parameters.iter().enumerate().map(part).collect();
            triggers.extend(parts.iter().map(|it| vec![it.clone()]));
            let made = self.call(function, parts, self.whole(), span);
            let equal = Exp::new(ExpKind::Binary(BinaryOp::Eq, value(), made), Type::Bool, span);
            let number = Exp::new(ExpKind::Int(BigInt::from(id.0)), Type::Int, span);
            let tagged = Exp::new(ExpKind::Binary(BinaryOp::Eq, self.tag_of(value(), span), number), Type::Bool, span);
            let case = Exp::new(ExpKind::Binary(BinaryOp::And, tagged, equal), Type::Bool, span);
            body = Exp::new(ExpKind::Binary(BinaryOp::Or, body, case), Type::Bool, span);
        }
        forall(vec![variable("value".into(), self.whole(), span)], triggers, body)
    }
}

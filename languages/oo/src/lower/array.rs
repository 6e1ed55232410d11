//! Arrays: an object with a field that holds a sequence, and a length that never changes.
//!
//! Knows: the field of each element type; `array.length`, a domain function of the reference with `>= 0` as its axiom;
//! `array.filled`, a sequence of equal elements. Never: statements.
//!
//! Sound because lengths are assumed only of new objects, of which nothing was known.

use super::default;
use crate::classes::{Classes, Typ, nowhere};
use effigy_contracts::program::{
    Axiom, BinaryOp, CollectionOp, Domain, DomainFunction, DomainFunctionId, DomainId, Exp, ExpKind, Field, FieldId,
    Function, FunctionId, MemberVariable, Quantified, Type, VarId,
};
use effigy_contracts::{Program, Span};
use num_bigint::BigInt;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Arrays of a constant size up to here are made of that many elements; larger ones by `array.filled`.
const LITERAL_SIZE: u32 = 64;

/// What the program needs for its arrays. Nothing is added to a program without arrays.
pub(super) struct Arrays {
    first_field: u32,
    fields: FxHashMap<Typ, FieldId>,
    declared: Vec<Field>,
    lengths: bool,
    first_function: u32,
    filled: Vec<(Type, FunctionId)>,
}

impl Arrays {
    pub(super) fn new(first_field: u32, first_function: u32) -> Arrays {
        let (fields, declared, filled) = (FxHashMap::default(), Vec::new(), Vec::new());
        Arrays { first_field, fields, declared, lengths: false, first_function, filled }
    }

    /// The field of arrays with elements of this type.
    pub(super) fn field(&mut self, element: &Typ, classes: &Classes) -> FieldId {
        let next = FieldId(self.first_field + self.declared.len() as u32);
        let res = *self.fields.entry(element.clone()).or_insert(next);
        if res == next {
            let name = format!("{}[].elems", classes.name(element)).into();
            self.declared.push(Field { name, typ: Type::Seq(Arc::new(element.lowered())), span: nowhere() });
        }
        res
    }

    /// The elements `a.elems` as a sequence, without a check.
    pub(super) fn elements(&mut self, array: Exp, element: &Typ, classes: &Classes, span: Span) -> Exp {
        let field = self.field(element, classes);
        Exp::new(ExpKind::Field(array, field), Type::Seq(Arc::new(element.lowered())), span)
    }

    /// The length `array.length(a)`, without a check.
    pub(super) fn length(&mut self, array: Exp, span: Span) -> Exp {
        self.lengths = true;
        Exp::new(ExpKind::DomainCall(DomainFunctionId(0), vec![array], Arc::new([])), Type::Int, span)
    }

    /// `n` elements that were not set, as a sequence.
    pub(super) fn unset(&mut self, element: &Typ, size: &Exp, span: Span) -> Exp {
        let value = default(element, span);
        let typ = Type::Seq(Arc::new(value.typ.clone()));
        let constant = match &*size.kind {
            ExpKind::Int(size) => u32::try_from(size).ok().filter(|it| *it <= LITERAL_SIZE),
            _ => None,
        };
        if let Some(size) = constant {
            let elements = vec![value; size as usize];
            return Exp::new(ExpKind::Collection(CollectionOp::SeqLiteral, elements), typ, span);
        }
        let next = FunctionId(self.first_function + self.filled.len() as u32);
        let found = self.filled.iter().find(|it| it.0 == value.typ).map(|it| it.1);
        let function = found.unwrap_or_else(|| {
            self.filled.push((value.typ.clone(), next));
            next
        });
        Exp::new(ExpKind::Call(function, vec![size.clone(), value]), typ, span)
    }

    /// Adds the fields, functions and domains that arrays needed.
    pub(super) fn finish(self, program: &mut Program) {
        program.fields.extend(self.declared);
        if self.lengths {
            let span = nowhere();
            program.domains.push(Domain {
                name: "array".into(),
                type_variables: Vec::new(),
                axioms: vec![length_is_not_negative(span)],
                span,
            });
            program.domain_functions.push(DomainFunction {
                name: "array.length".into(),
                domain: DomainId(0),
                parameters: vec![Type::Ref],
                result: Type::Int,
                unique: false,
                span,
            });
        }
        for (typ, id) in self.filled {
            program.functions.push(filled(id, typ));
        }
    }
}

fn int(value: i32, span: Span) -> Exp {
    Exp::new(ExpKind::Int(BigInt::from(value)), Type::Int, span)
}

fn binary(op: BinaryOp, a: Exp, b: Exp, typ: Type) -> Exp {
    let span = a.span;
    Exp::new(ExpKind::Binary(op, a, b), typ, span)
}

/// `forall r: Ref :: { array.length(r) } array.length(r) >= 0`.
fn length_is_not_negative(span: Span) -> Axiom {
    let variable = Exp::new(ExpKind::Var(VarId(0)), Type::Ref, span);
    let length = Exp::new(ExpKind::DomainCall(DomainFunctionId(0), vec![variable], Arc::new([])), Type::Int, span);
    let body = binary(BinaryOp::Ge, length.clone(), int(0, span), Type::Bool);
    let quantified = Quantified { universal: true, variables: vec![VarId(0)], triggers: vec![vec![length]], body };
    Axiom {
        name: Some("array_length".into()),
        variables: vec![MemberVariable { name: "r".into(), typ: Type::Ref, span }],
        body: Exp::new(ExpKind::Quantified(Box::new(quantified)), Type::Bool, span),
    }
}

/// A function like others, with a body that can be run and a contract that is verified:
///
/// ```text
/// function array.filled(n: Int, v: T): Seq[T]
///   requires n >= 0
///   ensures |result| == n
///   ensures forall i: Int :: { result[i] } 0 <= i && i < n ==> result[i] == v
/// { n == 0 ? Seq() : array.filled(n - 1, v) ++ Seq(v) }
/// ```
fn filled(id: FunctionId, element: Type) -> Function {
    let span = nowhere();
    let typ = Type::Seq(Arc::new(element.clone()));
    let n = || Exp::new(ExpKind::Var(VarId(0)), Type::Int, span);
    let v = || Exp::new(ExpKind::Var(VarId(1)), element.clone(), span);
    let i = || Exp::new(ExpKind::Var(VarId(2)), Type::Int, span);
    let result = || Exp::new(ExpKind::Result, typ.clone(), span);
    let collection = |op, args, typ: &Type| Exp::new(ExpKind::Collection(op, args), typ.clone(), span);
    let at = collection(CollectionOp::SeqIndex, vec![result(), i()], &element);
    let range = binary(
        BinaryOp::And,
        binary(BinaryOp::Le, int(0, span), i(), Type::Bool),
        binary(BinaryOp::Lt, i(), n(), Type::Bool),
        Type::Bool,
    );
    let body = binary(BinaryOp::Implies, range, binary(BinaryOp::Eq, at.clone(), v(), Type::Bool), Type::Bool);
    let all = Quantified { universal: true, variables: vec![VarId(2)], triggers: vec![vec![at]], body };
    let length = collection(CollectionOp::SeqLength, vec![result()], &Type::Int);
    let less = binary(BinaryOp::Sub, n(), int(1, span), Type::Int);
    let shorter = Exp::new(ExpKind::Call(id, vec![less, v()]), typ.clone(), span);
    let last = collection(CollectionOp::SeqLiteral, vec![v()], &typ);
    let longer = collection(CollectionOp::SeqAppend, vec![shorter, last], &typ);
    let empty = collection(CollectionOp::SeqLiteral, Vec::new(), &typ);
    let is_empty = binary(BinaryOp::Eq, n(), int(0, span), Type::Bool);
    let variable = |name: &str, typ: Type| MemberVariable { name: name.into(), typ, span };
    let element_name = match element {
        Type::Int => "int",
        Type::Bool => "bool",
        _ => "Object",
    };
    Function {
        name: format!("array.filled.{element_name}").into(),
        variables: vec![variable("n", Type::Int), variable("v", element), variable("i", Type::Int)],
        parameters: 2,
        result: typ.clone(),
        pre: vec![binary(BinaryOp::Ge, n(), int(0, span), Type::Bool)],
        post: vec![
            binary(BinaryOp::Eq, length, n(), Type::Bool),
            Exp::new(ExpKind::Quantified(Box::new(all)), Type::Bool, span),
        ],
        body: Some(Exp::new(ExpKind::Cond(is_empty, empty, longer), typ, span)),
        opaque: false,
        measured: false,
        span,
    }
}

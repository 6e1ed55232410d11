//! Applications of functions, predicates and constructors; fields and destructors.
//!
//! Knows: what a name in front of `(` or behind `.` means. Never: operators, statements.
//! Source: the case of `PCall` in silver's `Resolver.scala`; its ADT plugin.

use super::checker::{Checker, InferredNode};
use super::overload::Meaning;
use super::table::{Callable, ConstructorId, Destructor};
use super::tree::Op;
use super::types::{AdtId, Ty, Unknown};
use crate::ast::{self, Exp, Name, Span};
use effigy_contracts::program::DomainFunctionId;

impl<'a> Checker<'_, 'a> {
    pub fn call(
        &mut self,
        exp: &'a Exp,
        name: &'a Name,
        args: &'a [Exp],
        typ: Option<&'a ast::Type>,
        at: (Span, Unknown),
    ) -> InferredNode<'a> {
        let args: Vec<InferredNode> = args.iter().map(|it| self.infer(it)).collect();
        let wanted = typ.map(|it| self.resolve(it));
        let Some(callable) = self.called(name) else { return InferredNode::error(exp.span) };
        let (op, meaning) = match callable {
            Callable::Function(id) => {
                let (function, signature) = &self.table.functions[id.index()];
                if self.place.axiom_of.is_some() && !function.pre.is_empty() {
                    let message = format!("function `{}`, which has preconditions, inside axiom", name.text);
                    return self.fail(name.span, message);
                }
                (Op::Function(id), Meaning::new(&signature.parameters, &signature.result))
            }
            Callable::DomainFunction(id) => self.domain_function(id),
            Callable::Predicate(_) if wanted.is_some() => {
                return self.fail(exp.span, "predicate call cannot have an explicit type");
            }
            Callable::Predicate(id) => {
                let parameters = &self.table.predicates[id.index()].1;
                (Op::Predicate(id), Meaning::new(parameters, &Ty::Instance))
            }
            Callable::Constructor(id) => self.constructor(id),
            Callable::Method(_) => {
                let message = format!("invalid method call `{}` in expression position", name.text);
                return self.fail(name.span, message);
            }
        };
        if meaning.parameters.len() != args.len() {
            return self.fail(exp.span, "wrong number of arguments");
        }
        if args.iter().any(|it| matches!(it.node.ty, Ty::Error)) {
            return InferredNode::error(exp.span);
        }
        self.apply(op, args, vec![meaning], at, wanted.as_ref())
    }

    /// What the name in front of arguments means in an expression; reports if it means nothing.
    fn called(&mut self, name: &Name) -> Option<Callable> {
        let all = self.table.callables(&name.text);
        let mut usable = all.iter().filter(|it| !matches!(it, Callable::Method(_)));
        let message = match (usable.next(), usable.next()) {
            (Some(it), None) => return Some(*it),
            (Some(_), Some(_)) => format!("ambiguous call `{}`", name.text),
            (None, _) if all.is_empty() => format!("undeclared call `{}`, expected function or predicate", name.text),
            (None, _) => format!("invalid method call `{}` in expression position", name.text),
        };
        self.error(name.span, message);
        None
    }

    fn domain_function(&mut self, id: DomainFunctionId) -> (Op<'a>, Meaning) {
        let function = &self.table.domain_functions[id.index()];
        let n_types = self.table.domains[function.domain.index()].type_variables.len();
        let types: Vec<Ty> =
            (0..n_types as u32).map(|it| self.unifier.fresh_for(Some((function.domain, it)))).collect();
        let parameters = function.signature.parameters.iter().map(|it| Some(it.instantiate(&types))).collect();
        let result = function.signature.result.instantiate(&types);
        (Op::DomainFunction(id, types), Meaning { parameters, result })
    }

    fn constructor(&mut self, id: ConstructorId) -> (Op<'a>, Meaning) {
        let constructor = self.table.constructor_of(id);
        let types = self.type_arguments(constructor.adt);
        let parameters = constructor.parameters.iter().map(|it| Some(it.instantiate(&types))).collect();
        (Op::Constructor(id), Meaning { parameters, result: Ty::Adt(constructor.adt, types.into()) })
    }

    fn type_arguments(&mut self, adt: AdtId) -> Vec<Ty> {
        let n_types = self.table.adts[adt.0 as usize].type_variables.len();
        (0..n_types).map(|_| self.unifier.fresh()).collect()
    }

    /// `e.name`: destructors and discriminators go before fields.
    pub fn member_access(
        &mut self,
        exp: &'a Exp,
        receiver: &'a Exp,
        name: &'a Name,
        at: (Span, Unknown),
    ) -> InferredNode<'a> {
        let receiver = self.infer(receiver);
        if matches!(receiver.node.ty, Ty::Error) {
            return InferredNode::error(exp.span);
        }
        let (op, meaning) = if !self.table.destructors(&name.text).is_empty() {
            let Some(destructor) = self.destructor(exp, &receiver, name) else { return InferredNode::error(exp.span) };
            let types = self.type_arguments(destructor.adt);
            let constructor = self.table.constructor_of(destructor.constructor);
            let result = constructor.parameters[destructor.index].instantiate(&types);
            let receiver = Ty::Adt(destructor.adt, types.into());
            (Op::Destructor(destructor), Meaning::new([&receiver], &result))
        } else if let Some(id) = self.table.discriminated(&name.text) {
            let adt = self.table.constructor_of(id).adt;
            let receiver = Ty::Adt(adt, self.type_arguments(adt).into());
            (Op::Discriminator(id), Meaning::new([&receiver], &Ty::Bool))
        } else {
            return self.field(receiver, name, at);
        };
        self.operation(op, vec![receiver], vec![meaning], at)
    }

    /// `e.name` where that can only be a field.
    pub fn field(&mut self, receiver: InferredNode<'a>, name: &'a Name, at: (Span, Unknown)) -> InferredNode<'a> {
        let id = match self.table.fields(&name.text) {
            [id] => *id,
            [] => return self.fail(name.span, format!("undeclared field `{}`", name.text)),
            _ => return self.fail(name.span, format!("ambiguous field `{}`", name.text)),
        };
        let result = self.table.fields[id.index()].1.clone();
        self.operation(Op::Field(id), vec![receiver], vec![Meaning::new([&Ty::Ref], &result)], at)
    }

    fn destructor(&mut self, exp: &Exp, receiver: &InferredNode, name: &Name) -> Option<Destructor> {
        let Ty::Adt(adt, _) = self.unifier.head(&receiver.node.ty) else {
            let message = format!("incompatible receiver when destructing `{}`, expected an adt", name.text);
            self.error(exp.span, message);
            return None;
        };
        let mut fitting = self.table.destructors(&name.text).iter().filter(|it| it.adt == adt);
        let message = match (fitting.next(), fitting.next()) {
            (Some(it), None) => return Some(*it),
            (None, _) => format!("undefined adt field `{}`", name.text),
            _ => format!("ambiguous adt field `{}`", name.text),
        };
        self.error(exp.span, message);
        None
    }

    /// Infers the type of `#P(e)`, a predicate instance as a termination measure.
    pub fn measure(&mut self, span: Span, name: &'a Name, args: &'a [Exp]) -> InferredNode<'a> {
        let horizon = self.unifier.horizon();
        let args: Vec<InferredNode> = args.iter().map(|it| self.infer(it)).collect();
        let Some(Callable::Predicate(id)) = self.called(name) else {
            return self.fail(span, format!("undefined predicate instance `{}`", name.text));
        };
        let parameters = &self.table.predicates[id.index()].1;
        if parameters.len() != args.len() {
            return self.fail(span, "wrong number of arguments");
        }
        let meaning = Meaning::new(parameters, &Ty::Measure);
        self.operation(Op::Measure, args, vec![meaning], (span, horizon))
    }
}

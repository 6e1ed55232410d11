//! The program with names resolved and types known: what consistency is checked on, and what is handed over.
//!
//! Knows: everything that silver's checks ask about. Never: how it was found out.

use super::table::{ConstructorId, Destructor};
use super::types::{AdtId, Ty};
use crate::ast::{self, Name, Span};
use effigy_contracts::program::{
    DomainFunctionId, DomainId, FieldId, FunctionId, LabelId, MethodId, PredicateId, VarId,
};
use num_bigint::BigInt;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// An expression whose names are resolved and whose type is inferred.
pub struct Node<'a> {
    pub op: Op<'a>,
    pub args: Vec<Node<'a>>,
    pub ty: Ty,
    pub span: Span,
}

/// What an expression does with its arguments.
pub enum Op<'a> {
    Int(&'a BigInt),
    Bool(bool),
    Null,
    NoPerm,
    Write,
    Wildcard,
    Epsilon,
    Result,
    Var(VarId),
    Function(FunctionId),
    /// `@reveal()` before an application of a function.
    Reveal,
    /// With what its domain's type variables are.
    DomainFunction(DomainFunctionId, Vec<Ty>),
    Predicate(PredicateId),
    Constructor(ConstructorId),
    /// `#P(e)`: a predicate instance as a termination measure.
    Measure,
    Field(FieldId),
    Destructor(Destructor),
    /// `e.isC`: whether a value was made by this constructor.
    Discriminator(ConstructorId),
    Index,
    Update,
    Slice {
        from: bool,
        to: bool,
    },
    Unary(ast::UnaryOp),
    Binary(ast::BinaryOp),
    Cond,
    Acc,
    Perm,
    Old,
    OldLabel(&'a Name),
    OldLhs,
    Quantified {
        universal: bool,
        variables: Vec<(VarId, Span)>,
        triggers: Vec<Trigger<'a>>,
    },
    /// The resource and the body.
    ForPerm(Vec<VarId>),
    Let(VarId),
    Unfolding,
    Applying,
    Asserting,
    Collection(ast::Collection),
    /// A map literal, in which keys and values alternate.
    Map,
    Range,
    InhaleExhale,
    Size,
    MapDomain,
    MapRange,
    /// Something is wrong with it, which was reported.
    Error,
}

/// `{ e, ... }`: one trigger of a quantifier.
pub struct Trigger<'a> {
    pub exps: Vec<Node<'a>>,
    pub span: Span,
}

/// A statement whose names are resolved and whose types are inferred.
pub struct Stmt<'a> {
    pub kind: StmtKind<'a>,
    pub span: Span,
}

/// What a statement does. Annotations are gone.
pub enum StmtKind<'a> {
    /// The variables, and where they are declared.
    Local(Vec<VarId>),
    Assign(Target<'a>, Node<'a>),
    New(Target<'a>, Vec<FieldId>),
    Call {
        method: MethodId,
        args: Vec<Node<'a>>,
        targets: Vec<Target<'a>>,
    },
    Assert(Node<'a>),
    Assume(Node<'a>),
    Inhale(Node<'a>),
    Exhale(Node<'a>),
    Refute(Node<'a>),
    Fold(Node<'a>),
    Unfold(Node<'a>),
    If(Node<'a>, Vec<Stmt<'a>>, Vec<Stmt<'a>>),
    While {
        cond: Node<'a>,
        invariants: Vec<Node<'a>>,
        decreases: Vec<Decreases<'a>>,
        body: Vec<Stmt<'a>>,
    },
    Goto(&'a Name),
    Label {
        name: &'a Name,
        invariants: Vec<Node<'a>>,
        decreases: Vec<Decreases<'a>>,
    },
    Package(Node<'a>, Vec<Stmt<'a>>),
    Apply(Node<'a>),
    Block(Vec<Stmt<'a>>),
    Quasihavoc(Option<Node<'a>>, Node<'a>),
    Quasihavocall(Option<Node<'a>>, Node<'a>),
    /// Something is wrong with it, which was reported.
    Error,
}

/// The left side of an assignment.
pub enum Target<'a> {
    Var(VarId, Span),
    /// A field, as an [`Op::Field`] node.
    Field(Node<'a>),
}

/// A `decreases` clause whose expressions are typed.
pub struct Decreases<'a> {
    pub kind: MeasureKind,
    /// The expressions of the tuple, in order.
    pub tuple: Vec<Node<'a>>,
    pub condition: Option<Node<'a>>,
    pub span: Span,
}

/// The forms of a termination measure.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum MeasureKind {
    Tuple,
    Wildcard,
    Star,
}

/// A method whose contract and body are typed.
pub struct Method<'a> {
    pub decl: &'a ast::Method,
    pub variables: Vec<Var>,
    pub labels: Labels,
    pub pre: Vec<Node<'a>>,
    pub post: Vec<Node<'a>>,
    pub decreases: Vec<Decreases<'a>>,
    pub body: Option<Vec<Stmt<'a>>>,
}

/// A function whose contract and body are typed.
pub struct Function<'a> {
    pub decl: &'a ast::Function,
    pub result: Ty,
    pub variables: Vec<Var>,
    pub pre: Vec<Node<'a>>,
    pub post: Vec<Node<'a>>,
    pub decreases: Vec<Decreases<'a>>,
    pub body: Option<Node<'a>>,
}

/// A predicate whose body is typed.
pub struct Predicate<'a> {
    pub decl: &'a ast::Predicate,
    pub variables: Vec<Var>,
    pub body: Option<Node<'a>>,
}

/// An axiom whose formula is typed.
pub struct Axiom<'a> {
    pub domain: DomainId,
    pub decl: &'a ast::Axiom,
    pub variables: Vec<Var>,
    pub body: Node<'a>,
}

/// The bodies of all members; the declarations are in the tables.
#[derive(Default)]
pub struct Bodies<'a> {
    pub axioms: Vec<Axiom<'a>>,
    pub functions: Vec<Function<'a>>,
    pub predicates: Vec<Predicate<'a>>,
    pub methods: Vec<Method<'a>>,
    pub adts: Vec<(AdtId, &'a ast::Adt)>,
}

/// A variable of a member.
pub struct Var {
    pub name: Arc<str>,
    pub ty: Ty,
    pub span: Span,
    pub role: Role,
}

/// The role in which a variable is declared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    Parameter,
    Result,
    Local,
    /// By a quantifier, `let`, `forperm`.
    Bound,
}

impl<'a> Node<'a> {
    /// Its parts: triggers, then arguments.
    pub fn parts(&self) -> impl Iterator<Item = &Node<'a>> {
        let triggers: &[Trigger] = match &self.op {
            Op::Quantified { triggers, .. } => triggers,
            _ => &[],
        };
        triggers.iter().flat_map(|it| &it.exps).chain(&self.args)
    }

    /// Whether it or one of its parts is one.
    pub fn any(&self, is: &mut dyn FnMut(&Node<'a>) -> bool) -> bool {
        is(self) || self.parts().any(|it| it.any(is))
    }

    /// Calls `visit` with it and all its parts, itself first.
    pub fn each(&self, visit: &mut dyn FnMut(&Node<'a>)) {
        visit(self);
        self.parts().for_each(|it| it.each(visit));
    }

    /// Whether it is a magic wand.
    pub fn is_wand(&self) -> bool {
        matches!(self.op, Op::Binary(ast::BinaryOp::Wand))
    }

    /// Whether it asks for no permission.
    pub fn is_pure(&self) -> bool {
        match &self.op {
            Op::Acc | Op::Predicate(_) => false,
            Op::Binary(ast::BinaryOp::Wand) => false,
            Op::Unfolding | Op::Applying | Op::Asserting | Op::Let(_) => self.args[1].is_pure(),
            Op::Unary(_) | Op::Binary(_) | Op::Cond | Op::Old | Op::OldLabel(_) | Op::OldLhs => {
                self.args.iter().all(Node::is_pure)
            }
            Op::InhaleExhale | Op::Quantified { .. } => self.args.iter().all(Node::is_pure),
            _ => true,
        }
    }
}

impl<'a> Stmt<'a> {
    /// The expressions directly in it, and the statements directly in it.
    pub fn parts<'s>(&'s self, exp: &mut dyn FnMut(&'s Node<'a>), stmt: &mut dyn FnMut(&'s Stmt<'a>)) {
        use StmtKind::*;
        let measures = |decreases: &'s [Decreases<'a>], exp: &mut dyn FnMut(&'s Node<'a>)| {
            decreases.iter().flat_map(Decreases::exps).for_each(exp)
        };
        let fields = |target: &'s Target<'a>, exp: &mut dyn FnMut(&'s Node<'a>)| {
            if let Target::Field(it) = target {
                exp(it)
            }
        };
        match &self.kind {
            Local(_) | Goto(_) | Error => {}
            Assign(target, rhs) => {
                fields(target, exp);
                exp(rhs);
            }
            New(target, _) => fields(target, exp),
            Call { args, targets, .. } => {
                targets.iter().for_each(|it| fields(it, exp));
                args.iter().for_each(exp);
            }
            Assert(e) | Assume(e) | Inhale(e) | Exhale(e) | Refute(e) | Fold(e) | Unfold(e) | Apply(e) => exp(e),
            If(cond, then, other) => {
                exp(cond);
                then.iter().chain(other).for_each(stmt);
            }
            While { cond, invariants, decreases, body } => {
                exp(cond);
                invariants.iter().for_each(&mut *exp);
                measures(decreases, exp);
                body.iter().for_each(stmt);
            }
            Label { invariants, decreases, .. } => {
                invariants.iter().for_each(&mut *exp);
                measures(decreases, exp);
            }
            Package(wand, script) => {
                exp(wand);
                script.iter().for_each(stmt);
            }
            Block(body) => body.iter().for_each(stmt),
            Quasihavoc(cond, resource) | Quasihavocall(cond, resource) => {
                cond.iter().for_each(&mut *exp);
                exp(resource);
            }
        }
    }
}

impl<'a> Decreases<'a> {
    /// The tuple and the condition.
    pub fn exps(&self) -> impl Iterator<Item = &Node<'a>> {
        self.tuple.iter().chain(&self.condition)
    }
}

/// The labels of a method, in the order of the source.
#[derive(Clone, Default)]
pub struct Labels {
    pub names: Vec<Arc<str>>,
    /// The first one of a name.
    first: FxHashMap<Arc<str>, LabelId>,
    /// Where a name is used again.
    pub duplicates: Vec<(Arc<str>, Span)>,
}

impl Labels {
    pub fn add(&mut self, name: &Arc<str>, span: Span) {
        let id = LabelId(self.names.len() as u32);
        self.names.push(name.clone());
        if *self.first.entry(name.clone()).or_insert(id) != id {
            self.duplicates.push((name.clone(), span));
        }
    }

    pub fn get(&self, name: &str) -> Option<LabelId> {
        self.first.get(name).copied()
    }
}

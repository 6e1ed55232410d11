//! The program that is verified: what a reader of `.vpr` or `.oo` hands over, names resolved and types checked.
//!
//! Knows: members, statements, expressions, assertions, where they stand. Never: text, terms, states.
//!
//! An assertion is an expression of type Bool that may ask for permission ([`Exp::is_pure`] is false then).
//! Everything here is immutable and `Send`: methods are verified in parallel over one program.

use num_bigint::BigInt;
use std::sync::Arc;

/// A place in the source, line and column from 1 (columns in characters); the end is exclusive.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Span {
    /// The file, an index into [`Program::files`].
    pub file: u32,
    /// The line of the first character.
    pub line: u32,
    /// The column of the first character.
    pub column: u32,
    /// The line of the last character.
    pub end_line: u32,
    /// The column after the last character.
    pub end_column: u32,
}

effigy_term::ids! {
    /// The number of a field, an index into [`Program::fields`].
    FieldId,
    /// The number of a domain, an index into [`Program::domains`].
    DomainId,
    /// The number of a domain function, an index into [`Program::domain_functions`].
    DomainFunctionId,
    /// The number of a function, an index into [`Program::functions`].
    FunctionId,
    /// The number of a predicate, an index into [`Program::predicates`].
    PredicateId,
    /// The number of a method, an index into [`Program::methods`].
    MethodId,
    /// Index into the variables of a member ([`Method::variables`] and so on); bound variables are among them.
    VarId,
    /// The number of a label, an index into [`Method::labels`].
    LabelId
}

/// A whole program with contracts.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The names of the files that it was read from, as the user gave them.
    pub files: Vec<Arc<str>>,
    /// The fields that objects have.
    pub fields: Vec<Field>,
    /// The domains that are declared.
    pub domains: Vec<Domain>,
    /// The functions of all domains.
    pub domain_functions: Vec<DomainFunction>,
    /// Functions that may read the heap.
    pub functions: Vec<Function>,
    /// The predicates that are declared.
    pub predicates: Vec<Predicate>,
    /// The methods that are declared.
    pub methods: Vec<Method>,
    /// Functions must be shown to terminate: in them, `opening` takes the predicate away, and an application takes each
    /// chunk that its precondition asks for at most once (Smans et al., section 3.6).
    pub functions_terminate: bool,
    /// Function applications in the bodies of functions that must leave a chunk of the heap over, so that the function
    /// terminates (Smans et al., section 3.6). Empty where termination is nobody's question.
    pub shrinking: Vec<Span>,
}

/// The type of an expression.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Type {
    /// `Int`, the integers without a bound.
    Int,
    /// Truth values; also the type of assertions.
    Bool,
    /// References to objects, and `null`.
    Ref,
    /// Permission amounts, which are rational numbers.
    Perm,
    /// Finite sequences of this type.
    Seq(Arc<Type>),
    /// Finite sets of this type.
    Set(Arc<Type>),
    /// Finite multisets of this type.
    Multiset(Arc<Type>),
    /// Finite maps from the first type to the second.
    Map(Arc<Type>, Arc<Type>),
    /// A domain, applied to types for its type variables.
    Domain(DomainId, Arc<[Type]>),
    /// A type variable of the domain in which this stands, by number.
    Var(u32),
}

/// A field of every object.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its name as the user wrote it (`Cell.x` in `.oo`).
    pub name: Arc<str>,
    /// The type of its values.
    pub typ: Type,
    /// Where the field is declared.
    pub span: Span,
}

/// A type with functions and axioms.
#[derive(Clone, Debug)]
pub struct Domain {
    /// The domain's name as the user wrote it.
    pub name: Arc<str>,
    /// The names of its type variables.
    pub type_variables: Vec<Arc<str>>,
    /// The axioms that the domain declares.
    pub axioms: Vec<Axiom>,
    /// Where the domain is declared.
    pub span: Span,
}

/// An axiom of a domain: pure, without free variables.
#[derive(Clone, Debug)]
pub struct Axiom {
    /// Its name, if it has one.
    pub name: Option<Arc<str>>,
    /// The variables that it binds.
    pub variables: Vec<MemberVariable>,
    /// The formula that the axiom asserts, of type Bool.
    pub body: Exp,
}

/// A function of a domain: total, independent of the heap.
#[derive(Clone, Debug)]
pub struct DomainFunction {
    /// The function's name as the user wrote it.
    pub name: Arc<str>,
    /// The domain that declares the function.
    pub domain: DomainId,
    /// The types of its parameters; may mention type variables.
    pub parameters: Vec<Type>,
    /// The type of its result; may mention type variables.
    pub result: Type,
    /// Nullary `unique` functions differ from one another.
    pub unique: bool,
    /// Where the function is declared.
    pub span: Span,
}

/// A variable of a member: parameter, local, result or bound.
#[derive(Clone, Debug)]
pub struct MemberVariable {
    /// Its name as the user wrote it.
    pub name: Arc<str>,
    /// The type of the variable.
    pub typ: Type,
    /// Where the variable is declared.
    pub span: Span,
}

/// A function that may read the part of the heap that its precondition asks for.
#[derive(Clone, Debug)]
pub struct Function {
    /// The function's name as the user wrote it.
    pub name: Arc<str>,
    /// All variables; the first `parameters` are the parameters.
    pub variables: Vec<MemberVariable>,
    /// How many parameters there are.
    pub parameters: usize,
    /// The type of its result.
    pub result: Type,
    /// The preconditions, in the order of the source.
    pub pre: Vec<Exp>,
    /// The postconditions: pure, over [`ExpKind::Result`].
    pub post: Vec<Exp>,
    /// Its body; `None` is abstract.
    pub body: Option<Exp>,
    /// Only [`ExpKind::Reveal`] shows the body to whoever applies it; the postconditions are known anyway.
    pub opaque: bool,
    /// Its `decreases` clause holds for all arguments, and its body checks it ([`ExpKind::Terminates`]).
    pub measured: bool,
    /// Where the head of the function stands.
    pub span: Span,
}

/// A predicate: a name for an assertion.
#[derive(Clone, Debug)]
pub struct Predicate {
    /// The predicate's name as the user wrote it.
    pub name: Arc<str>,
    /// All variables; the first `parameters` are the parameters.
    pub variables: Vec<MemberVariable>,
    /// How many parameters there are.
    pub parameters: usize,
    /// Its body; `None` is abstract.
    pub body: Option<Exp>,
    /// Where the head of the predicate stands.
    pub span: Span,
}

/// A method: what the body does, seen by callers only through the contract.
#[derive(Clone, Debug)]
pub struct Method {
    /// The method's name as the user wrote it.
    pub name: Arc<str>,
    /// All variables: parameters, then results, then locals and bound variables.
    pub variables: Vec<MemberVariable>,
    /// How many parameters there are.
    pub parameters: usize,
    /// How many results there are.
    pub results: usize,
    /// The names of its labels.
    pub labels: Vec<Arc<str>>,
    /// The preconditions, in the order of the source.
    pub pre: Vec<Exp>,
    /// The postconditions, in the order of the source.
    pub post: Vec<Exp>,
    /// Its body; `None` is abstract.
    pub body: Option<Vec<Stmt>>,
    /// Where the head of the method stands.
    pub span: Span,
}

/// A statement with its place.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// The statement's kind, with its parts.
    pub kind: StmtKind,
    /// Where the statement stands in the source.
    pub span: Span,
}

/// The kinds of statements, with their parts.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// The variable comes into scope with an unknown value.
    Local(VarId),
    /// `x := e`, for a variable.
    Assign(VarId, Exp),
    /// `e.f := v`, which needs full permission to the field.
    FieldAssign(Exp, FieldId, Exp),
    /// `x := new(f, g)`: a new object with full permission to these fields.
    New(VarId, Vec<FieldId>),
    /// `x, y := m(e)`: the call of a method by its contract.
    Call {
        /// The method that is called.
        method: MethodId,
        /// One argument for each parameter.
        args: Vec<Exp>,
        /// The variables that receive the results.
        targets: Vec<VarId>,
    },
    /// `inhale`: adds the permissions of the assertion and assumes the rest.
    Inhale(Exp),
    /// Checks and removes permissions; what is no longer held is forgotten.
    Exhale(Exp),
    /// `assert`: checks the assertion and removes no permission.
    Assert(Exp),
    /// Assumes, and adds no permission.
    Assume(Exp),
    /// Checks that the assertion does not hold on some path to here.
    Refute(Exp),
    /// Body to predicate (`fold`, `close`).
    Fold(PredicateUse),
    /// Predicate to body (`unfold`, `open`).
    Unfold(PredicateUse),
    /// A conditional: condition, then-branch, else-branch.
    If(Exp, Vec<Stmt>, Vec<Stmt>),
    /// A loop with its invariants.
    While(Exp, Vec<Exp>, Vec<Stmt>),
    /// A jump; the label may stand before or after.
    Goto(LabelId),
    /// The target of jumps and of `old[label]`, with the invariants of the loop that it heads, if it does.
    Label(LabelId, Vec<Exp>),
    /// A sequence of statements in a scope of its own.
    Block(Vec<Stmt>),
    /// `use e.p(...)`: the function application equals its body here (Smans et al., section 3.4.3). The expression is a
    /// [`ExpKind::Call`].
    Use(Exp),
    /// `join φ`: only φ is known from here on (section 6.1).
    Join(Exp),
    /// Something that the verifier does not know: its name (`magic wands`). The method gets no verdict.
    Unsupported(Arc<str>),
}

/// What is to be shown of a `decreases` clause where something is called, or at the end of a loop's body.
#[derive(Clone, Debug)]
pub struct MeasureCheck {
    /// The rule by which this is asked for.
    pub rule: MeasureRule,
    /// The formula; it stands where the clause does.
    pub holds: Exp,
}

/// The rules of termination measures.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MeasureRule {
    /// What is called terminates in this state.
    TerminationCondition,
    /// The tuple of what is called recursively counts in this state.
    TupleCondition,
    /// The tuple becomes smaller, and is bounded.
    Decreases,
}

/// An accessibility predicate `acc(P(e, ...), p)`.
#[derive(Clone, Debug)]
pub struct PredicateUse {
    /// The predicate of the instance.
    pub predicate: PredicateId,
    /// The arguments of the predicate.
    pub args: Vec<Exp>,
    /// The amount; `None` is write.
    pub perm: Option<Box<Exp>>,
    /// Where the predicate instance stands.
    pub span: Span,
}

/// An expression or assertion with its type and place.
#[derive(Clone, Debug)]
pub struct Exp {
    /// The operator and its operands.
    pub kind: Box<ExpKind>,
    /// The type of the expression; Bool for an assertion.
    pub typ: Type,
    /// Where the expression stands in the source.
    pub span: Span,
    pure: bool,
}

/// The kinds of expressions and assertions, with their parts.
#[derive(Clone, Debug)]
pub enum ExpKind {
    /// The literal `true` or `false`.
    Bool(bool),
    /// The literal of an integer.
    Int(BigInt),
    /// The reference `null`, which points to no object.
    Null,
    /// `none`, as a permission amount.
    NoPerm,
    /// `write`, the full permission amount.
    FullPerm,
    /// `wildcard`: some positive permission amount.
    Wildcard,
    /// A variable of the member, or a bound one.
    Var(VarId),
    /// The result of the function whose postcondition this is.
    Result,
    /// An operator with one operand.
    Unary(UnaryOp, Exp),
    /// Two operands. `&&`, `||`, `==>` evaluate the right one only where it matters; `&&` of assertions is separating.
    Binary(BinaryOp, Exp, Exp),
    /// `c ? a : b`; of assertions too.
    Cond(Exp, Exp, Exp),
    /// `let x == (e) in b`.
    Let(VarId, Exp, Exp),
    /// `old(e)` or `old[label](e)`: e in the heap of the old state, or of the state at the label.
    Old(Option<LabelId>, Exp),
    /// A quantified formula, or a quantified permission if the body is not pure.
    Quantified(Box<Quantified>),
    /// `e.f`: the value of a field.
    Field(Exp, FieldId),
    /// `acc(e.f, p)`; no amount is write.
    AccField(Exp, FieldId, Option<Exp>),
    /// `acc(P(e), p)` or just `P(e)`.
    AccPredicate(PredicateUse),
    /// The application of a function that may read the heap.
    Call(FunctionId, Vec<Exp>),
    /// A domain function applied, with the types for the type variables of its domain.
    DomainCall(DomainFunctionId, Vec<Exp>, Arc<[Type]>),
    /// `unfolding acc(P(e), p) in b` (`opening`).
    Unfolding(PredicateUse, Exp),
    /// `using p(e) in b`: the application (the first) equals its body while the second is evaluated.
    Using(Exp, Exp),
    /// `@reveal() f(e)`: the application of an opaque function, which equals its body here.
    Reveal(Exp),
    /// `asserting (a) in b`: b, after the check that a holds.
    Asserting(Exp, Exp),
    /// What a `decreases` clause asks for here, as an assertion that is pure.
    Terminates(MeasureCheck),
    /// `[a, b]`: `a` where it is inhaled, `b` where it is exhaled.
    InhaleExhale(Exp, Exp),
    /// `perm(e.f)`: the amount that is held.
    PermField(Exp, FieldId),
    /// `perm(P(e))`: the amount held of the predicate instance.
    PermPredicate(PredicateId, Vec<Exp>),
    /// `forperm x: Ref [x.f] :: e`: e holds for each location of the resource that is held.
    ForPerm(Box<ForPerm>),
    /// `untouched(φ)`: what φ asks for has the snapshot that it had in the old state (Smans et al., section 3.1).
    Untouched(Exp),
    /// An operation on sequences, sets, multisets, maps.
    Collection(CollectionOp, Vec<Exp>),
    /// Something that the verifier does not know: its name (`magic wands`). The member gets no verdict.
    Unsupported(Arc<str>),
}

/// A formula with its quantifier.
#[derive(Clone, Debug)]
pub struct Quantified {
    /// True for `forall`, false for `exists`.
    pub universal: bool,
    /// The variables that the quantifier binds.
    pub variables: Vec<VarId>,
    /// Triggers, each a set of expressions; none given means none.
    pub triggers: Vec<Vec<Exp>>,
    /// The formula under the quantifier.
    pub body: Exp,
}

/// A formula about each location of a resource to which some permission is held.
#[derive(Clone, Debug)]
pub struct ForPerm {
    /// The variables that are bound to arguments of the location.
    pub variables: Vec<VarId>,
    /// The field or predicate whose permissions are looked at.
    pub resource: ForPermResource,
    /// The receiver of the field, or the arguments of the predicate. A variable of [`ForPerm::variables`] stands there
    /// alone, or not at all.
    pub args: Vec<Exp>,
    /// The formula about each location.
    pub body: Exp,
}

/// The locations that `forperm` asks about.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ForPermResource {
    /// The locations of a field.
    Field(FieldId),
    /// The instances of a predicate.
    Predicate(PredicateId),
}

/// The operators with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    /// Negation of a pure operand: `!`.
    Not,
    /// `-` on Int or Perm, by the type.
    Neg,
}

/// The operators with two operands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinaryOp {
    /// Conjunction; separating if an operand is not pure.
    And,
    /// Disjunction of two pure operands: `||`.
    Or,
    /// Implication; the right operand may be an assertion.
    Implies,
    /// Equivalence of two pure operands: `<==>`.
    Iff,
    /// Equality of two values of any one type.
    Eq,
    /// Inequality of two values of any one type.
    Ne,
    /// On Int or Perm, by the operands' types, as are the next ones.
    Lt,
    /// Less or equal, `<=`, on Int or Perm.
    Le,
    /// Greater, `>`, on Int or Perm.
    Gt,
    /// Greater or equal, `>=`, on Int or Perm.
    Ge,
    /// The sum of two Int or two Perm.
    Add,
    /// The difference of two Int or two Perm.
    Sub,
    /// `*`: Int · Int, Perm · Perm, Int · Perm (the type tells the result; an Int operand beside a Perm is converted).
    Mul,
    /// Integer quotient (Euclidean, SMT-LIB `div`); the divisor must not be zero.
    Div,
    /// Integer remainder (Euclidean, SMT-LIB `mod`); the divisor must not be zero.
    Mod,
    /// `a / b` of type Perm; Int or Perm operands; the divisor must not be zero.
    PermDiv,
}

/// Operations on collections; the element types are in the types of the expression and its arguments.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CollectionOp {
    /// `Seq(a, b, ...)`; no arguments: empty, its type tells the elements'.
    SeqLiteral,
    /// `[a..b)`: the integers from `a` up to, and without, `b`.
    SeqRange,
    /// `|s|`: the number of elements.
    SeqLength,
    /// `s[i]`; the index must be in range.
    SeqIndex,
    /// `s[i := v]`; the index must be in range.
    SeqUpdate,
    /// `s[..n]`: the first n elements.
    SeqTake,
    /// `s[n..]`: all but the first n elements.
    SeqDrop,
    /// `s ++ t`: the elements of `s`, then those of `t`.
    SeqAppend,
    /// `x in s`: element, sequence.
    SeqContains,
    /// `Set(a, ...)`: the set of these values.
    SetLiteral,
    /// `|s|`: the number of elements.
    SetCardinality,
    /// `x in s`: element, set; a Bool.
    SetContains,
    /// `s union t`: the elements of either set.
    SetUnion,
    /// `s intersection t`: the elements of both sets.
    SetIntersection,
    /// `s setminus t`: the elements of `s` that `t` lacks.
    SetDifference,
    /// `s subset t`: whether `t` has all elements of `s`.
    SetSubset,
    /// `Multiset(a, ...)`: each value as often as it stands here.
    MultisetLiteral,
    /// `|s|`: the sum of all multiplicities.
    MultisetCardinality,
    /// `x in s`: how often, an Int.
    MultisetCount,
    /// `s union t`: multiplicities are added.
    MultisetUnion,
    /// `s intersection t`: the smaller multiplicity of each element.
    MultisetIntersection,
    /// `s setminus t`: multiplicities are subtracted, and are at least 0.
    MultisetDifference,
    /// `s subset t`: whether no multiplicity in `s` exceeds that in `t`.
    MultisetSubset,
    /// `Map(k := v, ...)`: keys and values alternate.
    MapLiteral,
    /// `|m|`: the number of keys.
    MapCardinality,
    /// `k in m`: whether the map has the key.
    MapContains,
    /// `m[k]`; the key must be in the domain.
    MapLookup,
    /// `m[k := v]`: the map with one entry added or replaced.
    MapUpdate,
    /// `domain(m)`: the set of the keys.
    MapDomain,
    /// `range(m)`: the set of the values.
    MapRange,
}

impl Exp {
    /// An expression; whether it is pure follows from its parts.
    pub fn new(kind: ExpKind, typ: Type, span: Span) -> Exp {
        let pure = kind.is_pure();
        Exp { kind: Box::new(kind), typ, span, pure }
    }

    /// Whether it asks for no permission (`acc`, predicates, quantified permissions, `untouched`).
    pub fn is_pure(&self) -> bool {
        self.pure
    }
}

impl ExpKind {
    fn is_pure(&self) -> bool {
        match self {
            ExpKind::AccField(..) | ExpKind::AccPredicate(_) | ExpKind::InhaleExhale(..) | ExpKind::Untouched(_) => {
                false
            }
            ExpKind::Unary(_, a) | ExpKind::Old(_, a) => a.pure,
            ExpKind::Binary(_, a, b) => a.pure && b.pure,
            ExpKind::Cond(_, a, b) => a.pure && b.pure,
            ExpKind::Let(_, _, body) | ExpKind::Using(_, body) | ExpKind::Unfolding(_, body) => body.pure,
            ExpKind::Asserting(_, body) => body.pure,
            ExpKind::Quantified(it) => it.body.pure,
            _ => true,
        }
    }
}

impl Exp {
    /// Calls `visit` for each direct part, in order.
    pub fn for_each_part<'e>(&'e self, mut visit: impl FnMut(&'e Exp)) {
        match &*self.kind {
            ExpKind::Bool(_)
            | ExpKind::Int(_)
            | ExpKind::Null
            | ExpKind::NoPerm
            | ExpKind::FullPerm
            | ExpKind::Wildcard
            | ExpKind::Var(_)
            | ExpKind::Result
            | ExpKind::Unsupported(_) => {}
            ExpKind::Unary(_, a)
            | ExpKind::Old(_, a)
            | ExpKind::Field(a, _)
            | ExpKind::PermField(a, _)
            | ExpKind::Reveal(a)
            | ExpKind::Untouched(a) => visit(a),
            ExpKind::Terminates(it) => visit(&it.holds),
            ExpKind::Binary(_, a, b)
            | ExpKind::Let(_, a, b)
            | ExpKind::Using(a, b)
            | ExpKind::Asserting(a, b)
            | ExpKind::InhaleExhale(a, b) => {
                visit(a);
                visit(b);
            }
            ExpKind::Cond(a, b, c) => {
                visit(a);
                visit(b);
                visit(c);
            }
            ExpKind::Quantified(it) => {
                it.triggers.iter().flatten().for_each(&mut visit);
                visit(&it.body);
            }
            ExpKind::ForPerm(it) => {
                it.args.iter().for_each(&mut visit);
                visit(&it.body);
            }
            ExpKind::AccField(a, _, perm) => {
                visit(a);
                perm.iter().for_each(visit);
            }
            ExpKind::AccPredicate(it) => it.for_each_part(visit),
            ExpKind::Call(_, args)
            | ExpKind::DomainCall(_, args, _)
            | ExpKind::PermPredicate(_, args)
            | ExpKind::Collection(_, args) => args.iter().for_each(visit),
            ExpKind::Unfolding(it, body) => {
                it.for_each_part(&mut visit);
                visit(body);
            }
        }
    }

    /// Whether it asks for no permission, whichever side of `[a, b]` is meant.
    pub fn asks_for_nothing(&self) -> bool {
        if self.pure {
            return true;
        }
        let mut res = self.has_two_sides();
        self.walk(&mut |it| {
            res &= !matches!(
                &*it.kind,
                ExpKind::AccField(..) | ExpKind::AccPredicate(_) | ExpKind::Untouched(_) | ExpKind::Quantified(_)
            );
        });
        res && !matches!(&*self.kind, ExpKind::InhaleExhale(..))
    }

    /// Whether it is one assertion where it is inhaled and another where it is exhaled.
    pub fn has_two_sides(&self) -> bool {
        let mut res = false;
        self.walk(&mut |it| res |= matches!(&*it.kind, ExpKind::InhaleExhale(..)));
        res
    }

    /// Calls `visit` for this expression and everything in it.
    pub fn walk<'e>(&'e self, visit: &mut dyn FnMut(&'e Exp)) {
        let mut work = vec![self];
        while let Some(exp) = work.pop() {
            visit(exp);
            exp.for_each_part(|it| work.push(it));
        }
    }
}

impl PredicateUse {
    /// Calls `visit` for the arguments and the amount.
    pub fn for_each_part<'e>(&'e self, mut visit: impl FnMut(&'e Exp)) {
        self.args.iter().for_each(&mut visit);
        self.perm.iter().for_each(|it| visit(it));
    }
}

impl Stmt {
    /// Calls `visit` for this statement and every statement in it, in order.
    pub fn walk<'s>(&'s self, visit: &mut dyn FnMut(&'s Stmt)) {
        let mut work = vec![self];
        while let Some(stmt) = work.pop() {
            visit(stmt);
            match &stmt.kind {
                StmtKind::If(_, then, other) => work.extend(other.iter().rev().chain(then.iter().rev())),
                StmtKind::While(_, _, body) | StmtKind::Block(body) => work.extend(body.iter().rev()),
                _ => {}
            }
        }
    }

    /// Calls `visit` for each expression that stands directly in this statement.
    pub fn for_each_exp<'s>(&'s self, mut visit: impl FnMut(&'s Exp)) {
        match &self.kind {
            StmtKind::Local(_)
            | StmtKind::New(..)
            | StmtKind::Goto(_)
            | StmtKind::Block(_)
            | StmtKind::Unsupported(_) => {}
            StmtKind::Assign(_, exp)
            | StmtKind::Inhale(exp)
            | StmtKind::Exhale(exp)
            | StmtKind::Assert(exp)
            | StmtKind::Assume(exp)
            | StmtKind::Refute(exp)
            | StmtKind::Use(exp)
            | StmtKind::Join(exp)
            | StmtKind::If(exp, ..) => visit(exp),
            StmtKind::FieldAssign(receiver, _, value) => {
                visit(receiver);
                visit(value);
            }
            StmtKind::Call { args, .. } => args.iter().for_each(visit),
            StmtKind::Fold(it) | StmtKind::Unfold(it) => it.for_each_part(visit),
            StmtKind::While(cond, invariants, _) => {
                visit(cond);
                invariants.iter().for_each(visit);
            }
            StmtKind::Label(_, invariants) => invariants.iter().for_each(visit),
        }
    }
}

impl Program {
    /// Calls `visit` for every outermost expression of the program.
    pub fn for_each_exp<'p>(&'p self, mut visit: impl FnMut(&'p Exp)) {
        self.domains.iter().flat_map(|it| &it.axioms).for_each(|it| visit(&it.body));
        for it in &self.functions {
            it.pre.iter().chain(&it.post).chain(&it.body).for_each(&mut visit);
        }
        self.predicates.iter().flat_map(|it| &it.body).for_each(&mut visit);
        for method in &self.methods {
            method.pre.iter().chain(&method.post).for_each(&mut visit);
            for stmt in method.body.iter().flatten() {
                stmt.walk(&mut |it| it.for_each_exp(&mut visit));
            }
        }
    }
}

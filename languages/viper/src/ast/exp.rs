//! Expressions and assertions as they are written.
//!
//! Knows: their shape, how deep and how large they are. Never: names' meanings, types.

use super::{Annotation, Binding, Name, Span, Type};
use num_bigint::BigInt;

/// No expression is deeper, operators included; a chain of `&&` is as deep as it is long.
pub const MAX_DEPTH: u32 = 500;

/// An expression or assertion.
#[derive(Clone, Debug)]
pub struct Exp {
    /// What it is.
    pub kind: ExpKind,
    /// Where it stands; without the parentheses around it.
    pub span: Span,
    depth: u32,
    size: u32,
}

/// An expression would be deeper than [`MAX_DEPTH`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooDeep;

/// What an expression is.
#[derive(Clone, Debug)]
pub enum ExpKind {
    /// An integer.
    Int(BigInt),
    /// `true`, `false`.
    Bool(bool),
    /// `null`.
    Null,
    /// `result`.
    Result,
    /// `none`.
    NoPerm,
    /// `write`.
    Write,
    /// `wildcard`.
    Wildcard,
    /// `epsilon`.
    Epsilon,
    /// A variable, or a macro without parentheses.
    Var(Name),
    /// `f(e, ...)`: a function, domain function, predicate, constructor, method or macro. In parentheses, a type may
    /// follow: `(f(e): T)`.
    Call(Name, Vec<Exp>, Option<Box<Type>>),
    /// `e.f`: a field, destructor (`e.head`) or discriminator (`e.isCons`).
    Field(Box<Exp>, Name),
    /// `e[i]`.
    Index(Box<Exp>, Box<Exp>),
    /// `e[i := v]`.
    Update(Box<Exp>, Box<Exp>, Box<Exp>),
    /// `e[a..b]`; one of the bounds may be missing.
    Slice(Box<Exp>, Option<Box<Exp>>, Option<Box<Exp>>),
    /// One operand.
    Unary(UnaryOp, Box<Exp>),
    /// Two operands. `a < b <= c` is `a < b && b <= c`.
    Binary(BinaryOp, Box<Exp>, Box<Exp>),
    /// `c ? a : b`.
    Cond(Box<Exp>, Box<Exp>, Box<Exp>),
    /// `acc(e.f, p)`, `acc(P(e), p)`. The location is a [`ExpKind::Field`] or a [`ExpKind::Call`].
    Acc(Box<Exp>, Option<Box<Exp>>),
    /// `perm(e.f)`, `perm(P(e))`, `perm(a --* b)`.
    Perm(Box<Exp>),
    /// `old(e)`, `old[label](e)`.
    Old(Option<OldLabel>, Box<Exp>),
    /// `forall`, `exists`.
    Quantified(Box<Quantified>),
    /// `forperm x: Ref [x.f] :: e`: the variables, the resource, the body.
    ForPerm(Vec<Binding>, Box<Exp>, Box<Exp>),
    /// `let x == (e) in body`.
    Let(Name, Box<Exp>, Box<Exp>),
    /// `unfolding acc(P(e), p) in body`. The predicate is a [`ExpKind::Acc`] or a [`ExpKind::Call`].
    Unfolding(Box<Exp>, Box<Exp>),
    /// `applying (a --* b) in body`. What is applied may be a macro.
    Applying(Box<Exp>, Box<Exp>),
    /// `asserting (a) in body`.
    Asserting(Box<Exp>, Box<Exp>),
    /// `Seq(a, b)`, `Set[Int]()`; a type is written only if there are no elements.
    Collection(Collection, Option<Box<Type>>, Vec<Exp>),
    /// `Map(k := v)`, `Map[K, V]()`; types are written only if there are no entries.
    Map(Option<Box<(Type, Type)>>, Vec<(Exp, Exp)>),
    /// `[a..b)`.
    Range(Box<Exp>, Box<Exp>),
    /// `[a, b]`.
    InhaleExhale(Box<Exp>, Box<Exp>),
    /// `|e|`.
    Size(Box<Exp>),
    /// `domain(m)`.
    MapDomain(Box<Exp>),
    /// `range(m)`.
    MapRange(Box<Exp>),
    /// `new(f, g)`; only the whole right side of an assignment may be one, which the checker checks.
    New(NewFields),
    /// `@key("value") e`.
    Annotated(Box<Annotation>, Box<Exp>),
    /// `#P(e)`: the predicate instance, as a termination measure.
    PredicateInstance(Name, Vec<Exp>),
}

/// Which state `old` means.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OldLabel {
    /// `old[lhs]`: the left side of the magic wand.
    Lhs(Span),
    /// `old[name]`.
    Label(Name),
}

/// Which fields a new object has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NewFields {
    /// `new(*)`.
    All,
    /// `new(f, g)`.
    These(Vec<Name>),
}

/// `forall x: Int, y: Ref :: { t1, t2 } { t3 } body`.
#[derive(Clone, Debug)]
pub struct Quantified {
    /// `forall` or `exists`.
    pub universal: bool,
    /// The bound variables, at least one.
    pub variables: Vec<Binding>,
    /// The triggers as written.
    pub triggers: Vec<Trigger>,
    /// The body.
    pub body: Exp,
}

/// `{ e, ... }` before a quantifier's body.
#[derive(Clone, Debug)]
pub struct Trigger {
    /// The expressions; may be empty.
    pub exps: Vec<Exp>,
    /// All of it.
    pub span: Span,
}

/// Which collection.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Collection {
    /// `Seq`.
    Seq,
    /// `Set`.
    Set,
    /// `Multiset`.
    Multiset,
}

/// Operators with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    /// `!`.
    Not,
    /// `-`.
    Neg,
}

/// Operators with two operands, by their text: what they mean depends on the operands' types.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinaryOp {
    /// `<==>`.
    Iff,
    /// `==>`.
    Implies,
    /// `--*`.
    Wand,
    /// `||`.
    Or,
    /// `&&`.
    And,
    /// `==`.
    Eq,
    /// `!=`.
    Ne,
    /// `<=`.
    Le,
    /// `>=`.
    Ge,
    /// `<`.
    Lt,
    /// `>`.
    Gt,
    /// `in`.
    In,
    /// `+`.
    Add,
    /// `-`.
    Sub,
    /// `++`.
    Append,
    /// `union`.
    Union,
    /// `intersection`.
    Intersection,
    /// `setminus`.
    Setminus,
    /// `subset`.
    Subset,
    /// `*`.
    Mul,
    /// `/`: a fraction, or integer division where an Int is wanted.
    Div,
    /// `\`: integer division.
    IntDiv,
    /// `%`.
    Mod,
}

impl BinaryOp {
    /// As it is written.
    pub fn text(self) -> &'static str {
        match self {
            BinaryOp::Iff => "<==>",
            BinaryOp::Implies => "==>",
            BinaryOp::Wand => "--*",
            BinaryOp::Or => "||",
            BinaryOp::And => "&&",
            BinaryOp::Eq => "==",
            BinaryOp::Ne => "!=",
            BinaryOp::Le => "<=",
            BinaryOp::Ge => ">=",
            BinaryOp::Lt => "<",
            BinaryOp::Gt => ">",
            BinaryOp::In => "in",
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Append => "++",
            BinaryOp::Union => "union",
            BinaryOp::Intersection => "intersection",
            BinaryOp::Setminus => "setminus",
            BinaryOp::Subset => "subset",
            BinaryOp::Mul => "*",
            BinaryOp::Div => "/",
            BinaryOp::IntDiv => "\\",
            BinaryOp::Mod => "%",
        }
    }
}

impl Exp {
    /// An expression, unless it would be too deep.
    pub fn new(kind: ExpKind, span: Span) -> Result<Exp, TooDeep> {
        let mut depth = 0;
        let mut size: u32 = 1;
        kind.each_child(&mut |it| {
            depth = depth.max(it.depth);
            size = size.saturating_add(it.size);
        });
        if depth >= MAX_DEPTH { Err(TooDeep) } else { Ok(Exp { kind, span, depth: depth + 1, size }) }
    }

    /// How many expressions it consists of, types and annotations not counted.
    pub fn size(&self) -> u32 {
        self.size
    }
}

impl ExpKind {
    /// Calls `visit` with each direct part, in the order of the source.
    pub fn each_child<'a>(&'a self, visit: &mut dyn FnMut(&'a Exp)) {
        use ExpKind::*;
        match self {
            Int(_) | Bool(_) | Null | Result | NoPerm | Write | Wildcard | Epsilon | Var(_) | New(_) => {}
            Call(_, args, _) | Collection(_, _, args) | PredicateInstance(_, args) => args.iter().for_each(visit),
            Field(a, _)
            | Unary(_, a)
            | Perm(a)
            | Old(_, a)
            | Size(a)
            | MapDomain(a)
            | MapRange(a)
            | Annotated(_, a) => visit(a),
            Index(a, b)
            | Binary(_, a, b)
            | ForPerm(_, a, b)
            | Let(_, a, b)
            | Unfolding(a, b)
            | Applying(a, b)
            | Asserting(a, b)
            | Range(a, b)
            | InhaleExhale(a, b) => {
                visit(a);
                visit(b);
            }
            Update(a, b, c) | Cond(a, b, c) => {
                visit(a);
                visit(b);
                visit(c);
            }
            Slice(a, from, to) => {
                visit(a);
                from.iter().chain(to).for_each(|it| visit(it));
            }
            Acc(a, perm) => {
                visit(a);
                perm.iter().for_each(|it| visit(it));
            }
            Quantified(it) => {
                it.triggers.iter().flat_map(|trigger| &trigger.exps).for_each(&mut *visit);
                visit(&it.body);
            }
            Map(_, entries) => {
                for (key, value) in entries {
                    visit(key);
                    visit(value);
                }
            }
        }
    }
}

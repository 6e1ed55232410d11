//! Expressions and assertions as they are written.
//!
//! Knows: their shape, how deep and how large they are. Never: names' meanings, types.

use super::{Annotation, Binding, Name, Span, Type};
use num_bigint::BigInt;

/// No expression is deeper, operators included; a chain of `&&` is as deep as it is long.
pub const MAX_DEPTH: u32 = 500;

/// An expression or assertion as it is written, macros included.
#[derive(Clone, Debug)]
pub struct Exp {
    /// The operator and its operands.
    pub kind: ExpKind,
    /// Where it stands; without the parentheses around it.
    pub span: Span,
    depth: u32,
    size: u32,
}

/// An expression would be deeper than [`MAX_DEPTH`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooDeep;

/// The forms of expressions and assertions.
#[derive(Clone, Debug)]
pub enum ExpKind {
    /// The literal of an integer.
    Int(BigInt),
    /// The literal `true` or `false`.
    Bool(bool),
    /// The reference `null`, which points to no object.
    Null,
    /// `result`, in the postcondition of a function.
    Result,
    /// `none`, the permission amount zero.
    NoPerm,
    /// `write`, the full permission amount.
    Write,
    /// `wildcard`, some positive permission amount.
    Wildcard,
    /// `epsilon`, a permission amount of Chalice.
    Epsilon,
    /// A variable, or a macro without parentheses.
    Var(Name),
    /// `f(e, ...)`: a function, domain function, predicate, constructor, method or macro. In parentheses, a type may
    /// follow: `(f(e): T)`.
    Call(Name, Vec<Exp>, Option<Box<Type>>),
    /// `e.f`: a field, destructor (`e.head`) or discriminator (`e.isCons`).
    Field(Box<Exp>, Name),
    /// `e[i]`: an element of a sequence, or the value at a key.
    Index(Box<Exp>, Box<Exp>),
    /// `e[i := v]`: a sequence or map with one entry replaced.
    Update(Box<Exp>, Box<Exp>, Box<Exp>),
    /// `e[a..b]`; one of the bounds may be missing.
    Slice(Box<Exp>, Option<Box<Exp>>, Option<Box<Exp>>),
    /// An operator with one operand.
    Unary(UnaryOp, Box<Exp>),
    /// Two operands. `a < b <= c` is `a < b && b <= c`.
    Binary(BinaryOp, Box<Exp>, Box<Exp>),
    /// `c ? a : b`, of expressions or of assertions.
    Cond(Box<Exp>, Box<Exp>, Box<Exp>),
    /// `acc(e.f, p)`, `acc(P(e), p)`. The location is a [`ExpKind::Field`] or a [`ExpKind::Call`].
    Acc(Box<Exp>, Option<Box<Exp>>),
    /// `perm(e.f)`, `perm(P(e))`, `perm(a --* b)`: the permission that is held.
    Perm(Box<Exp>),
    /// `old(e)` or `old[label](e)`: the value in an earlier state.
    Old(Option<OldLabel>, Box<Exp>),
    /// A formula under `forall` or `exists`.
    Quantified(Box<Quantified>),
    /// `forperm x: Ref [x.f] :: e`: the variables, the resource, the body.
    ForPerm(Vec<Binding>, Box<Exp>, Box<Exp>),
    /// `let x == (e) in body`.
    Let(Name, Box<Exp>, Box<Exp>),
    /// `unfolding acc(P(e), p) in body`. The predicate is a [`ExpKind::Acc`] or a [`ExpKind::Call`].
    Unfolding(Box<Exp>, Box<Exp>),
    /// `applying (a --* b) in body`. What is applied may be a macro.
    Applying(Box<Exp>, Box<Exp>),
    /// `asserting (a) in body`: the body, after a check of `a`.
    Asserting(Box<Exp>, Box<Exp>),
    /// `Seq(a, b)`, `Set[Int]()`; a type is written only if there are no elements.
    Collection(Collection, Option<Box<Type>>, Vec<Exp>),
    /// `Map(k := v)`, `Map[K, V]()`; types are written only if there are no entries.
    Map(Option<Box<(Type, Type)>>, Vec<(Exp, Exp)>),
    /// `[a..b)`: the sequence of integers from `a` to `b` without `b`.
    Range(Box<Exp>, Box<Exp>),
    /// `[a, b]`: `a` where it is inhaled, `b` where it is exhaled.
    InhaleExhale(Box<Exp>, Box<Exp>),
    /// `|e|`: the number of elements.
    Size(Box<Exp>),
    /// `domain(m)`: the set of the map's keys.
    MapDomain(Box<Exp>),
    /// `range(m)`: the set of the map's values.
    MapRange(Box<Exp>),
    /// `new(f, g)`; only the whole right side of an assignment may be one, which the checker checks.
    New(NewFields),
    /// `@key("value") e`: an expression with an annotation.
    Annotated(Box<Annotation>, Box<Exp>),
    /// `#P(e)`: the predicate instance, as a termination measure.
    PredicateInstance(Name, Vec<Exp>),
}

/// The state that `old[...]` refers to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OldLabel {
    /// `old[lhs]`: the left side of the magic wand.
    Lhs(Span),
    /// `old[name]`: the state in which the label was reached.
    Label(Name),
}

/// Which fields a new object has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NewFields {
    /// `new(*)`: every field that the program declares.
    All,
    /// `new(f, g)`: the fields of this list.
    These(Vec<Name>),
}

/// `forall x: Int, y: Ref :: { t1, t2 } { t3 } body`.
#[derive(Clone, Debug)]
pub struct Quantified {
    /// True for `forall`, false for `exists`.
    pub universal: bool,
    /// The bound variables, at least one.
    pub variables: Vec<Binding>,
    /// The triggers that the program gives; none where it gives none.
    pub triggers: Vec<Trigger>,
    /// The formula under the quantifier.
    pub body: Exp,
}

/// `{ e, ... }` before a quantifier's body.
#[derive(Clone, Debug)]
pub struct Trigger {
    /// The expressions; may be empty.
    pub exps: Vec<Exp>,
    /// The source range of the whole trigger.
    pub span: Span,
}

/// The kinds of collections that have literals of this form.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Collection {
    /// `Seq`, a finite sequence of elements.
    Seq,
    /// `Set`, a finite set of elements.
    Set,
    /// `Multiset`, in which elements have multiplicities.
    Multiset,
}

/// The operators with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    /// `!`: negation of a pure Bool.
    Not,
    /// `-`: negation of an Int or Perm.
    Neg,
}

/// Operators with two operands, by their text: what they mean depends on the operands' types.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinaryOp {
    /// `<==>`: equivalence of two pure Bool.
    Iff,
    /// `==>`: implication; the right side may be an assertion.
    Implies,
    /// `--*`: the magic wand of two assertions.
    Wand,
    /// `||`: disjunction of two pure Bool.
    Or,
    /// `&&`: conjunction, which is separating between assertions.
    And,
    /// `==`: equality of two values of one type.
    Eq,
    /// `!=`: inequality of two values of one type.
    Ne,
    /// `<=`: less or equal, of numbers or permissions.
    Le,
    /// `>=`: greater or equal, of numbers or permissions.
    Ge,
    /// `<`: less, of numbers or permissions.
    Lt,
    /// `>`: greater, of numbers or permissions.
    Gt,
    /// `in`: element of a collection, or key of a map.
    In,
    /// `+`: the sum of two numbers or permissions.
    Add,
    /// `-`: the difference of two numbers or permissions.
    Sub,
    /// `++`: the concatenation of two sequences.
    Append,
    /// `union` of two sets or multisets.
    Union,
    /// `intersection` of two sets or multisets.
    Intersection,
    /// `setminus`: the difference of two sets or multisets.
    Setminus,
    /// `subset`: inclusion of sets or multisets.
    Subset,
    /// `*`: the product of two numbers or permissions.
    Mul,
    /// `/`: a fraction, or integer division where an Int is wanted.
    Div,
    /// `\`: the Euclidean quotient of integers.
    IntDiv,
    /// `%`: the Euclidean remainder of integers.
    Mod,
}

impl BinaryOp {
    /// The operator as programs write it.
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

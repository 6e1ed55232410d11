//! The shape of a term.
//!
//! Knows: operators and their arguments. Never: how they simplify (`rules`), what they mean (`eval`).

use crate::bv::BvValue;
use crate::float::FloatOp;
use crate::sort::Width;
use crate::symbol::{FunctionSymbol, Symbol};
use num_bigint::BigInt;
use num_rational::BigRational;
use std::num::NonZeroU32;

/// A handle to a hash-consed term: 4 bytes, `Copy`; equal handles of one arena are equal terms.
/// The order of handles is the order of creation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Term(pub(crate) NonZeroU32);

impl Term {
    /// A dense index, for tables keyed by term.
    pub fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// Binary operators on bitvectors of one width that have no canonical sum of their own.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum BvOp {
    /// Product of two non-constants (constant factors are coefficients of a [`Node::BvSum`]).
    Mul,
    /// Unsigned quotient; all ones when the divisor is zero (SMT-LIB).
    UDiv,
    /// Unsigned remainder; the dividend when the divisor is zero (SMT-LIB).
    URem,
    /// Signed quotient, truncated (SMT-LIB `bvsdiv`).
    SDiv,
    /// Signed remainder, sign of the dividend (SMT-LIB `bvsrem`).
    SRem,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// Shift left; zero when the amount is at least the width.
    Shl,
    /// Logical shift right; zero when the amount is at least the width.
    LShr,
    /// Arithmetic shift right; the sign everywhere when the amount is at least the width.
    AShr,
}

/// A canonical sum of bitvectors, modulo 2^width: `constant + Σ coefficient · term`.
///
/// Invariants: terms strictly ascending by handle; no zero coefficient; no term is itself a constant or a sum.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct BvSum {
    /// The constant summand.
    pub constant: BvValue,
    /// Coefficient and term.
    pub summands: Box<[(BvValue, Term)]>,
}

/// A product of powers: factors strictly ascending by handle, exponents at least 1. Empty means 1.
pub type Monomial = Box<[(Term, u32)]>;

/// A canonical polynomial over the integers, or over the fractions: the constant and the monomials with nonzero
/// coefficients, in the order in which they are printed (graded, then by handle).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Polynomial<N = BigInt> {
    /// The constant summand.
    pub constant: N,
    /// Coefficient and monomial.
    pub monomials: Box<[(N, Monomial)]>,
}

/// One operator with its arguments.
///
/// Built only by [`crate::Terms`]; the invariants of each form are the constructors' results
/// (for example, no [`Node::Eq`] has two constants).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// A truth value.
    Bool(bool),
    /// A bitvector constant.
    BitVec(BvValue),
    /// An integer constant.
    Int(BigInt),
    /// A fraction.
    Real(Box<BigRational>),
    /// A free constant.
    Symbol(Symbol),

    /// Negation of a Bool that is not itself a negation.
    Not(Term),
    /// Conjunction: at least two, sorted, distinct, flat.
    And(Box<[Term]>),
    /// Disjunction: at least two, sorted, distinct, flat.
    Or(Box<[Term]>),
    /// Equality of two terms of one sort (on Bool: if and only if); the smaller handle first, a constant second.
    Eq(Term, Term),
    /// If-then-else; the condition is not a negation.
    Ite(Term, Term, Term),

    /// A canonical sum; also negation and multiplication by a constant.
    BvSum(Box<BvSum>),
    /// A binary operator.
    Bv(BvOp, Term, Term),
    /// Bitwise complement.
    BvNot(Term),
    /// Unsigned less-than.
    Ult(Term, Term),
    /// Signed less-than.
    Slt(Term, Term),
    /// Bits `low ..= high` of the argument.
    Extract {
        /// The highest bit taken.
        high: u32,
        /// The lowest bit taken.
        low: u32,
        /// The argument.
        arg: Term,
    },
    /// The first argument in the high bits.
    Concat(Term, Term),
    /// Zero extension to a larger width.
    ZeroExtend(Width, Term),
    /// Sign extension to a larger width.
    SignExtend(Width, Term),

    /// An operation on floats, which are bitvectors.
    Float(Box<FloatApplication>),

    /// A canonical polynomial with at least one monomial that is more than a single atom.
    IntPoly(Box<Polynomial>),
    /// `left <= right` on integers.
    IntLe(Term, Term),
    /// Quotient truncated toward zero, as PL/I and C divide; unspecified (an uninterpreted value) for divisor zero.
    IntQuot(Term, Term),
    /// Remainder with the sign of the dividend, as PL/I and C; unspecified for divisor zero.
    IntRem(Term, Term),
    /// Euclidean quotient (SMT-LIB `div`, Viper's `\`); unspecified for divisor zero.
    IntDiv(Term, Term),
    /// Euclidean remainder (SMT-LIB `mod`, Viper's `%`); unspecified for divisor zero.
    IntMod(Term, Term),
    /// Power with a nonconstant or large exponent; the exponent is taken as at least 0, `x ** e` with e < 0 is unspecified.
    IntPow(Term, Term),

    /// A canonical polynomial of reals with at least one monomial that is more than a single atom.
    RealPoly(Box<Polynomial<BigRational>>),
    /// `left <= right` on reals; the monomial that is printed first has coefficient 1 and stands at either side.
    RealLe(Term, Term),
    /// Quotient; the divisor is no constant but zero; unspecified (an uninterpreted value) for divisor zero.
    RealDiv(Term, Term),
    /// An integer that is no sum, as a real.
    IntToReal(Term),

    /// The element of an array at an index.
    Select(Term, Term),
    /// The array with one element replaced.
    Store(Term, Term, Term),
    /// The array of this sort with the same element everywhere.
    ConstArray(crate::sort::ArraySort, Term),

    /// An uninterpreted function applied.
    Apply(FunctionSymbol, Box<[Term]>),
    /// A quantified formula.
    Quantifier(Box<Quantification>),
}

/// An operation on floats with its arguments.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FloatApplication {
    /// The operation.
    pub op: FloatOp,
    /// As many as [`FloatOp`] says.
    pub arguments: Box<[Term]>,
}

/// A quantified formula. The evaluator does not decide it; a solver with quantifiers may.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Quantification {
    /// Universal or existential.
    pub universal: bool,
    /// The bound variables; symbols of kind [`crate::SymbolKind::Bound`].
    pub variables: Box<[Symbol]>,
    /// Patterns for instantiation: each a set of terms that together mention all variables.
    pub triggers: Box<[Box<[Term]>]>,
    /// The body, of sort Bool.
    pub body: Term,
}

impl Node {
    /// Calls `visit` for each argument, in order.
    pub fn for_each_argument(&self, mut visit: impl FnMut(Term)) {
        match self {
            Node::Bool(_) | Node::BitVec(_) | Node::Int(_) | Node::Real(_) | Node::Symbol(_) => {}
            &Node::Not(a)
            | &Node::BvNot(a)
            | &Node::Extract { arg: a, .. }
            | &Node::ZeroExtend(_, a)
            | &Node::SignExtend(_, a)
            | &Node::ConstArray(_, a)
            | &Node::IntToReal(a) => visit(a),
            Node::And(args) | Node::Or(args) | Node::Apply(_, args) => {
                args.iter().copied().for_each(visit);
            }
            Node::Float(it) => it.arguments.iter().copied().for_each(visit),
            &Node::Eq(a, b)
            | &Node::Bv(_, a, b)
            | &Node::Ult(a, b)
            | &Node::Slt(a, b)
            | &Node::Concat(a, b)
            | &Node::IntLe(a, b)
            | &Node::IntQuot(a, b)
            | &Node::IntRem(a, b)
            | &Node::IntDiv(a, b)
            | &Node::IntMod(a, b)
            | &Node::IntPow(a, b)
            | &Node::RealLe(a, b)
            | &Node::RealDiv(a, b)
            | &Node::Select(a, b) => {
                visit(a);
                visit(b);
            }
            &Node::Ite(a, b, c) | &Node::Store(a, b, c) => {
                visit(a);
                visit(b);
                visit(c);
            }
            Node::BvSum(sum) => sum.summands.iter().for_each(|&(_, it)| visit(it)),
            Node::IntPoly(poly) => {
                poly.monomials.iter().flat_map(|(_, monomial)| monomial.iter()).for_each(|&(it, _)| visit(it))
            }
            Node::RealPoly(poly) => {
                poly.monomials.iter().flat_map(|(_, monomial)| monomial.iter()).for_each(|&(it, _)| visit(it))
            }
            Node::Quantifier(quantified) => {
                quantified.triggers.iter().flatten().copied().for_each(&mut visit);
                visit(quantified.body);
            }
        }
    }
}

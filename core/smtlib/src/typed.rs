//! Terms with the sorts that a script gives them. Of a float the arena knows only the bits.
//!
//! Knows: sorts of a script, what a bitvector must be to stand for a float or a rounding mode. Never: text.
//!
//! SMT-LIB has one NaN and five rounding modes, bits have more. So each term of these sorts is kept canonical: its NaN is
//! [`Format::nan`], its mode one of the five. Then `=` of bits is `=` of floats. What is free (a constant, an element of
//! an array, what a function gives) is made so where it is used.

use effigy_term::float::{Format, Number, Rounding};
use effigy_term::{BvValue, Node, Sort, Term, Terms, Value};
use std::rc::Rc;

/// A sort of a script.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum ScriptSort {
    /// One of which the arena knows all.
    Plain(Sort),
    /// Floats of a format: bitvectors to the arena.
    Float(Format),
    /// Rounding modes: bitvectors to the arena.
    Rounding,
    /// Arrays that have such a sort within.
    Array(Rc<ArraySorts>),
}

/// The sorts of an array.
#[derive(PartialEq, Eq, Hash, Debug)]
pub struct ArraySorts {
    /// The sort of the arena.
    sort: Sort,
    index: ScriptSort,
    element: ScriptSort,
}

/// A term and its sort in the script.
#[derive(Clone, Debug)]
pub(crate) struct Typed {
    pub(crate) term: Term,
    pub(crate) sort: ScriptSort,
}

impl From<Sort> for ScriptSort {
    fn from(sort: Sort) -> ScriptSort {
        ScriptSort::Plain(sort)
    }
}

impl ScriptSort {
    /// Arrays of these, which the arena has as `sort`.
    pub(crate) fn array(sort: Sort, index: ScriptSort, element: ScriptSort) -> ScriptSort {
        match (&index, &element) {
            (ScriptSort::Plain(_), ScriptSort::Plain(_)) => ScriptSort::Plain(sort),
            _ => ScriptSort::Array(Rc::new(ArraySorts { sort, index, element })),
        }
    }

    /// The sort of the arena.
    pub(crate) fn in_arena(&self) -> Sort {
        match self {
            ScriptSort::Plain(sort) => *sort,
            ScriptSort::Float(format) => Sort::BitVec(format.width()),
            ScriptSort::Rounding => Sort::BitVec(Rounding::WIDTH),
            ScriptSort::Array(parts) => parts.sort,
        }
    }

    /// The sorts of indices and elements, of an array.
    pub(crate) fn array_parts(&self, terms: &Terms) -> Option<(ScriptSort, ScriptSort)> {
        match self {
            ScriptSort::Plain(Sort::Array(parts)) => {
                let (index, element) = terms.array_parts(*parts);
                Some((index.into(), element.into()))
            }
            ScriptSort::Array(parts) => Some((parts.index.clone(), parts.element.clone())),
            _ => None,
        }
    }

    /// Whether these are arrays with floats within: two of them may differ in bits that mean the same.
    pub(crate) fn is_array_of_floats(&self) -> bool {
        matches!(self, ScriptSort::Array(_))
    }

    /// The term that means what any bits of this sort mean.
    pub(crate) fn canonical(&self, terms: &Terms, free: Term) -> Term {
        match self {
            ScriptSort::Float(format) if makes(terms, free) == Some(*format) => free,
            // Said of bits, since more is known of bits than of floats.
            ScriptSort::Float(format) => {
                let magnitude = terms.float_abs(*format, free);
                let is_nan = terms.bv_ult(terms.bv(format.infinity(false)), magnitude);
                terms.ite(is_nan, terms.bv(format.nan()), free)
            }
            ScriptSort::Rounding => {
                let last = terms.rounding(Rounding::TowardZero);
                terms.ite(terms.bv_ult(free, last), free, last)
            }
            _ => free,
        }
    }

    /// Whether a term can have this value; others are in a model where nobody asks for them.
    pub(crate) fn has_value(&self, value: &Value) -> bool {
        match (self, value) {
            (ScriptSort::Float(format), Value::BitVec(bits)) => !is_nan(*format, bits) || *bits == format.nan(),
            (ScriptSort::Rounding, Value::BitVec(bits)) => bits.to_u64().is_some_and(|it| it < 5),
            _ => true,
        }
    }
}

/// The format of what an operation on floats makes.
fn makes(terms: &Terms, term: Term) -> Option<Format> {
    match terms.node(term) {
        Node::Float(it) => it.op.result_format(),
        _ => None,
    }
}

/// Whether a canonical float is the NaN.
pub(crate) fn is_the_nan(terms: &Terms, format: Format, float: Term) -> Term {
    match makes(terms, float) {
        // Rules know which operations make none.
        Some(_) => terms.float_is_nan(format, float),
        None => terms.eq(float, terms.bv(format.nan())),
    }
}

/// Whether these bits are a NaN.
pub(crate) fn is_nan(format: Format, bits: &BvValue) -> bool {
    Number::of_bits(format, bits) == Number::Nan
}

impl Typed {
    /// A term of which the arena knows all.
    pub(crate) fn plain(terms: &Terms, term: Term) -> Typed {
        Typed { term, sort: ScriptSort::Plain(terms.sort(term)) }
    }

    /// A float that is one of those that operations make.
    pub(crate) fn float(format: Format, term: Term) -> Typed {
        Typed { term, sort: ScriptSort::Float(format) }
    }

    /// What any bits of this sort mean.
    pub(crate) fn free(terms: &Terms, sort: ScriptSort, term: Term) -> Typed {
        Typed { term: sort.canonical(terms, term), sort }
    }
}

//! The operators of the theories, by name: which arguments each takes and the term that it makes of them.
//!
//! Knows: Core, ArraysEx, and which theory an operator is of. Never: how a term is written, what the script has declared.
//! Source: SMT-LIB's theory declarations; each theory is a file.

mod arithmetic;
mod bitvectors;
mod conversions;
mod floats;

use crate::error::Problem;
use crate::print::sort_text;
use crate::typed::{ScriptSort, Typed};
use effigy_term::{Sort, Term, Terms};

pub(crate) use floats::{Special, constant};

/// `distinct` of more is not read: it compares each with each.
const MOST_DISTINCT: usize = 2000;

/// An operator that is applied to arguments.
pub(crate) struct Call<'a> {
    pub(crate) terms: &'a Terms,
    pub(crate) name: &'a str,
    /// `7` and `0` in `(_ extract 7 0)`.
    pub(crate) indices: &'a [u32],
    pub(crate) arguments: &'a [Term],
    /// The sorts of the arguments.
    pub(crate) sorts: &'a [ScriptSort],
}

pub(crate) type TermResult = Result<Term, Problem>;
pub(crate) type TypedResult = Result<Typed, Problem>;

/// The term of an operator; none where there is no operator of this name.
pub(crate) fn apply(call: &Call<'_>) -> Option<TypedResult> {
    let plain = core(call).or_else(|| bitvectors::apply(call)).or_else(|| arithmetic::apply(call));
    let plain = plain.map(|it| it.map(|term| Typed::plain(call.terms, term)));
    plain
        .or_else(|| choice(call))
        .or_else(|| arrays(call))
        .or_else(|| floats::apply(call))
        .or_else(|| conversions::apply(call))
}

impl Call<'_> {
    /// That the arguments are not what the operator takes.
    pub(crate) fn refuse<T>(&self, expected: impl Into<String>) -> Result<T, Problem> {
        let mut sorts: Vec<String> = self.sorts.iter().take(4).map(|it| sort_text(self.terms, it)).collect();
        if self.arguments.len() > 4 {
            sorts.push("..".to_owned());
        }
        let found = if sorts.is_empty() { "nothing".to_owned() } else { sorts.join(" ") };
        let indices: String = self.indices.iter().map(|it| format!(" {it}")).collect();
        let operator = if indices.is_empty() { self.name.to_owned() } else { format!("(_ {}{indices})", self.name) };
        Err(Problem::Arguments { operator, expected: expected.into(), found })
    }

    /// The arguments, if there are at least this many and all have this sort.
    pub(crate) fn all(&self, sort: Sort, least: usize) -> Result<&[Term], Problem> {
        let sort = ScriptSort::Plain(sort);
        let fits = self.arguments.len() >= least && self.sorts.iter().all(|it| *it == sort);
        match fits {
            true => Ok(self.arguments),
            false => self.refuse(format!("at least {least} of sort {}", sort_text(self.terms, &sort))),
        }
    }

    /// The arguments, if there are exactly N.
    pub(crate) fn exactly<const N: usize>(&self) -> Result<[Term; N], Problem> {
        match self.arguments.try_into() {
            Ok(arguments) => Ok(arguments),
            Err(_) => self.refuse(match N {
                1 => "one argument".to_owned(),
                _ => format!("{N} arguments"),
            }),
        }
    }

    /// At least two arguments of one sort, whichever.
    fn alike(&self) -> Result<&[Term], Problem> {
        let fits = self.sorts.len() >= 2 && self.sorts.iter().all(|it| *it == self.sorts[0]);
        if !fits {
            return self.refuse("at least 2 of one sort");
        }
        // Bits that mean the same would make them different.
        match self.sorts[0].is_array_of_floats() {
            true => Err(Problem::Unsupported(format!("`{}` of arrays of floats", self.name))),
            false => Ok(self.arguments),
        }
    }

    /// That no indices were given.
    pub(crate) fn plain(&self) -> Result<(), Problem> {
        if self.indices.is_empty() { Ok(()) } else { self.refuse("no indices") }
    }

    /// The indices, if there are exactly this many.
    pub(crate) fn indexed<const N: usize>(&self) -> Result<[u32; N], Problem> {
        match self.indices.try_into() {
            Ok(indices) => Ok(indices),
            Err(_) => self.refuse(match N {
                1 => "one index".to_owned(),
                _ => format!("{N} indices"),
            }),
        }
    }

    /// The conjunction of `of` over all neighbouring arguments.
    pub(crate) fn chain(&self, of: impl Fn(Term, Term) -> Term) -> Term {
        self.terms.and_all(self.arguments.windows(2).map(|pair| of(pair[0], pair[1])))
    }

    /// An operator from left to right.
    pub(crate) fn left(&self, of: impl Fn(Term, Term) -> Term) -> Term {
        let mut arguments = self.arguments.iter().copied();
        let first = arguments.next().unwrap_or_else(|| self.terms.bool(true));
        arguments.fold(first, of)
    }
}

fn core(call: &Call<'_>) -> Option<TermResult> {
    let terms = call.terms;
    let built = match call.name {
        "not" => call.all(Sort::Bool, 1).and_then(|_| call.exactly()).map(|[a]| terms.not(a)),
        "and" => call.all(Sort::Bool, 1).map(|it| terms.and_all(it.iter().copied())),
        "or" => call.all(Sort::Bool, 1).map(|it| terms.or_all(it.iter().copied())),
        "xor" => call.all(Sort::Bool, 2).map(|_| call.left(|a, b| terms.ne(a, b))),
        "=>" => call.all(Sort::Bool, 2).map(|it| {
            // From right to left: all but the last hold, so the last does.
            let (premises, last) = it.split_at(it.len() - 1);
            terms.or_all(premises.iter().map(|&it| terms.not(it)).chain(last.iter().copied()))
        }),
        "=" => call.alike().map(|_| call.chain(|a, b| terms.eq(a, b))),
        "distinct" => call.alike().and_then(|it| {
            if it.len() > MOST_DISTINCT {
                return Err(Problem::Limit(format!("{MOST_DISTINCT} arguments of `distinct`")));
            }
            let pairs = it.iter().enumerate().flat_map(|(at, &a)| it[at + 1..].iter().map(move |&b| (a, b)));
            Ok(terms.and_all(pairs.map(|(a, b)| terms.ne(a, b))))
        }),
        _ => return None,
    };
    Some(call.plain().and(built))
}

fn choice(call: &Call<'_>) -> Option<TypedResult> {
    if call.name != "ite" {
        return None;
    }
    let built = call.exactly().and_then(|[cond, then, other]| {
        let fits = call.sorts[0] == ScriptSort::Plain(Sort::Bool) && call.sorts[1] == call.sorts[2];
        match fits {
            true => Ok(Typed { term: call.terms.ite(cond, then, other), sort: call.sorts[1].clone() }),
            false => call.refuse("Bool and two of one sort"),
        }
    });
    Some(call.plain().and(built))
}

fn arrays(call: &Call<'_>) -> Option<TypedResult> {
    let terms = call.terms;
    let parts = || call.sorts.first().and_then(|it| it.array_parts(terms));
    let built = match call.name {
        "select" => call.exactly().and_then(|[array, index]| match parts() {
            Some((index_sort, element_sort)) if call.sorts[1] == index_sort => {
                Ok(Typed::free(terms, element_sort, terms.select(array, index)))
            }
            _ => call.refuse("an array and an index of it"),
        }),
        "store" => call.exactly().and_then(|[array, index, element]| match parts() {
            Some(sorts) if call.sorts[1] == sorts.0 && call.sorts[2] == sorts.1 => {
                Ok(Typed { term: terms.store(array, index, element), sort: call.sorts[0].clone() })
            }
            _ => call.refuse("an array, an index and an element of it"),
        }),
        _ => return None,
    };
    Some(call.plain().and(built))
}

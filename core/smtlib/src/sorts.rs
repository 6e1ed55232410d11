//! Sorts as a script writes them.
//!
//! Knows: `Bool`, `(_ BitVec n)`, `(_ FloatingPoint e s)`, `RoundingMode`, `(Array i e)`, `Int`, `Real`, sorts that the
//! script names. Never: terms.

use crate::error::{Problem, ScriptError};
use crate::scope::{NamedSort, Scope, Shape};
use crate::tokens::{Kind, Tokens};
use crate::typed::ScriptSort;
use effigy_term::float::Format;
use effigy_term::{Sort, Terms, Width};
use std::collections::HashMap;

/// Wider bitvectors are not read: no backend decides them, and a constant of one is a page of text.
pub(crate) const MOST_WIDTH: u32 = 1 << 16;

/// Arrays of arrays nest at most this deep.
pub(crate) const MOST_DEPTH: u32 = 50;

/// The most sorts that the definition of a sort may contain.
const MOST_PARTS: usize = 1000;

/// A script has at most so many sorts of arrays: the arena looks for them one after the other.
const MOST_SORTS: usize = 2000;

/// The sorts of one script.
#[derive(Debug, Default)]
pub(crate) struct Sorts {
    arrays: HashMap<(Sort, Sort), Sort>,
    declared: usize,
}

impl Sorts {
    /// The sort that is written at `index`.
    pub(crate) fn read(
        &mut self,
        terms: &Terms,
        scope: &Scope,
        tokens: &Tokens<'_>,
        index: usize,
    ) -> Result<ScriptSort, ScriptError> {
        let shape = read(scope, tokens, index, &[], MOST_DEPTH)?;
        self.build(terms, &shape).map_err(|problem| tokens.error(index, problem))
    }

    /// Declares a sort of which only equality is known.
    pub(crate) fn declare(&mut self, terms: &Terms, name: &str) -> Result<NamedSort, Problem> {
        self.declared += 1;
        if self.declared > MOST_SORTS {
            return Err(Problem::Limit(format!("{MOST_SORTS} declared sorts")));
        }
        Ok(NamedSort { parameters: 0, shape: Shape::Sort(terms.uninterpreted_sort(name).into()) })
    }

    fn build(&mut self, terms: &Terms, shape: &Shape) -> Result<ScriptSort, Problem> {
        match shape {
            Shape::Sort(sort) => Ok(sort.clone()),
            // `read` gave every parameter its argument.
            Shape::Parameter(_) => Err(Problem::expected("a sort", "a parameter")),
            Shape::Array(parts) => {
                let (index, element) = (self.build(terms, &parts.0)?, self.build(terms, &parts.1)?);
                // Two such indices may be equal and differ in bits.
                if index.is_array_of_floats() {
                    return Err(Problem::Unsupported("an array with arrays of floats as indices".to_owned()));
                }
                let key = (index.in_arena(), element.in_arena());
                if !self.arrays.contains_key(&key) && self.arrays.len() >= MOST_SORTS {
                    return Err(Problem::Limit(format!("{MOST_SORTS} sorts of arrays")));
                }
                let sort = *self.arrays.entry(key).or_insert_with(|| terms.array_sort(key.0, key.1));
                Ok(ScriptSort::array(sort, index, element))
            }
        }
    }
}

/// The shape that is written at `index`, with these parameters.
pub(crate) fn read(
    scope: &Scope,
    tokens: &Tokens<'_>,
    index: usize,
    parameters: &[&str],
    depth: u32,
) -> Result<Shape, ScriptError> {
    let expected = || tokens.expected(index, "a sort");
    match tokens.kind(index) {
        Kind::Name => {
            let name = tokens.text(index)?;
            if let Some(at) = parameters.iter().position(|it| *it == name) {
                return Ok(Shape::Parameter(at));
            }
            if let Some(named) = scope.sort(name) {
                return match named.parameters {
                    0 => Ok(named.shape.clone()),
                    _ => Err(tokens.expected(index, "a sort without parameters")),
                };
            }
            match name {
                "BitVec" | "FloatingPoint" | "Array" | "_" => Err(expected()),
                _ => of_language(name)
                    .map(Shape::Sort)
                    .ok_or_else(|| tokens.error(index, Problem::Unknown(name.to_owned()))),
            }
        }
        Kind::Open => {
            let Some(depth) = depth.checked_sub(1) else {
                return Err(tokens.error(index, Problem::Limit(format!("{MOST_DEPTH} sorts within each other"))));
            };
            let close = tokens.close(index);
            if tokens.word(index + 1) == Some("_") {
                return match (tokens.word(index + 2), close - index) {
                    (Some("BitVec"), 4) => Ok(Shape::Sort(Sort::BitVec(width(tokens, index + 3)?).into())),
                    (Some("FloatingPoint"), 5) => Ok(Shape::Sort(ScriptSort::Float(format(tokens, index + 3)?))),
                    _ => Err(tokens.expected(index + 2, "`BitVec` and a width, or `FloatingPoint` and two,")),
                };
            }
            if tokens.kind(index + 1) != Kind::Name {
                return Err(tokens.expected(index + 1, "the name of a sort"));
            }
            let name = tokens.text(index + 1)?;
            let mut arguments = Vec::new();
            let mut at = index + 2;
            while at < close {
                arguments.push(read(scope, tokens, at, parameters, depth)?);
                at = tokens.behind(at);
            }
            let named = scope.sort(name);
            let due = match &named {
                Some(named) => named.parameters,
                None if name == "Array" => 2,
                None => return Err(tokens.error(index + 1, Problem::Unknown(name.to_owned()))),
            };
            if arguments.len() != due || due == 0 {
                return Err(tokens.error(
                    index + 1,
                    Problem::Arguments {
                        operator: name.to_owned(),
                        expected: format!("{due} sorts"),
                        found: arguments.len().to_string(),
                    },
                ));
            }
            let shape = match named {
                Some(named) => instance(&named.shape, &arguments),
                None => {
                    let second = arguments.pop();
                    match (arguments.pop(), second) {
                        (Some(first), Some(second)) => Shape::Array(Box::new((first, second))),
                        _ => return Err(expected()),
                    }
                }
            };
            match parts(&shape) <= MOST_PARTS {
                true => Ok(shape),
                false => Err(tokens.error(index, Problem::Limit(format!("{MOST_PARTS} sorts in a sort")))),
            }
        }
        _ => Err(expected()),
    }
}

/// A shape with arguments for its parameters. A shape has few parts, and so has its instance: at most their product.
fn instance(shape: &Shape, arguments: &[Shape]) -> Shape {
    match shape {
        Shape::Sort(_) => shape.clone(),
        Shape::Parameter(at) => arguments.get(*at).unwrap_or(shape).clone(),
        Shape::Array(parts) => Shape::Array(Box::new((instance(&parts.0, arguments), instance(&parts.1, arguments)))),
    }
}

fn parts(shape: &Shape) -> usize {
    match shape {
        Shape::Array(inner) => 1 + parts(&inner.0) + parts(&inner.1),
        _ => 1,
    }
}

/// The width that is written at `index`.
fn width(tokens: &Tokens<'_>, index: usize) -> Result<Width, ScriptError> {
    let number = small(tokens, index, "a width")?;
    if number > MOST_WIDTH {
        return Err(tokens.error(index, Problem::Limit(format!("bitvectors of {MOST_WIDTH} bits"))));
    }
    Width::new(number).ok_or_else(|| tokens.expected(index, "a width of at least one bit"))
}

/// The sort that the language calls so.
pub(crate) fn of_language(name: &str) -> Option<ScriptSort> {
    Some(match name {
        "Bool" => Sort::Bool.into(),
        "Int" => Sort::Int.into(),
        "Real" => Sort::Real.into(),
        "RoundingMode" => ScriptSort::Rounding,
        "Float16" => ScriptSort::Float(Format::HALF),
        "Float32" => ScriptSort::Float(Format::SINGLE),
        "Float64" => ScriptSort::Float(Format::DOUBLE),
        "Float128" => ScriptSort::Float(Format::QUAD),
        _ => return None,
    })
}

/// The format whose bits of exponent and of significand are written from `index` on.
pub(crate) fn format(tokens: &Tokens<'_>, index: usize) -> Result<Format, ScriptError> {
    let exponent = small(tokens, index, "the bits of an exponent")?;
    let significand = small(tokens, index + 1, "the bits of a significand")?;
    format_of(exponent, significand).map_err(|problem| tokens.error(index, problem))
}

/// The format of these many bits.
pub(crate) fn format_of(exponent: u32, significand: u32) -> Result<Format, Problem> {
    let too_small = exponent < 2 || significand < 2;
    Format::new(exponent, significand).ok_or_else(|| match too_small {
        true => Problem::expected(
            "a format of at least 2 bits of exponent and 2 of significand",
            format!("{exponent} and {significand}"),
        ),
        false => {
            let most = (Format::MOST_EXPONENT, Format::MOST_SIGNIFICAND);
            Problem::Limit(format!("floats of {} bits of exponent and {} of significand", most.0, most.1))
        }
    })
}

/// The small number that is written at `index`; one that is too large for anything is the largest.
pub(crate) fn small(tokens: &Tokens<'_>, index: usize, expected: &str) -> Result<u32, ScriptError> {
    if tokens.kind(index) != Kind::Numeral {
        return Err(tokens.expected(index, expected));
    }
    Ok(tokens.text(index)?.parse().unwrap_or(u32::MAX))
}

//! Bounds on sums of unknowns: is there a rational solution, and which?
//!
//! Knows: a tableau, bounds that can be taken back, the current assignment. Never: formulas.
//! Source: Dutertre, de Moura 2006, "A fast linear-arithmetic solver for DPLL(T)", section 3.

use super::rational::Rational;
use std::cmp::Ordering;

/// A column: an unknown, or the sum of a row.
pub(super) type Column = usize;

/// What a step of arithmetic can end in besides a result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct GaveUp;

/// So many times the column that is farthest from its bounds is chosen.
const GREEDY_ROUNDS: usize = 50;

type Result<T> = std::result::Result<T, GaveUp>;

/// The tableau. All bounds are integers, since all columns are.
#[derive(Debug, Default)]
pub(super) struct Simplex {
    columns: Vec<ColumnState>,
    rows: Vec<Row>,
    trail: Vec<(Column, Bound, Option<i128>)>,
    pivots: usize,
}

#[derive(Debug)]
struct ColumnState {
    lower: Option<i128>,
    upper: Option<i128>,
    value: Rational,
    /// The row in which it is basic.
    row: Option<usize>,
    /// What it is the sum of, at the beginning.
    sum: Box<[(Column, i128)]>,
}

/// `basic = Σ coefficient · column`; columns ascending, none of them basic.
#[derive(Debug)]
struct Row {
    basic: Column,
    cells: Vec<(Column, Rational)>,
}

/// The side on which a column is bounded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bound {
    Lower,
    Upper,
}

impl Simplex {
    /// A new unknown with a value to begin with.
    pub(super) fn unknown(&mut self, value: i128) -> Column {
        self.columns.push(ColumnState {
            lower: None,
            upper: None,
            value: Rational::of(value),
            row: None,
            sum: Box::default(),
        });
        self.columns.len() - 1
    }

    /// A new column that is a sum of unknowns; made before the first pivot.
    pub(super) fn sum(&mut self, parts: &[(Column, i128)]) -> Result<Column> {
        debug_assert_eq!(self.pivots, 0);
        let mut value = Rational::ZERO;
        for &(column, coefficient) in parts {
            value = add_product(value, Rational::of(coefficient), self.columns[column].value)?;
        }
        let basic = self.columns.len();
        let row = Some(self.rows.len());
        self.columns.push(ColumnState { lower: None, upper: None, value, row, sum: parts.into() });
        let mut cells: Vec<(Column, Rational)> = parts.iter().map(|&(it, k)| (it, Rational::of(k))).collect();
        cells.sort_unstable_by_key(|it| it.0);
        self.rows.push(Row { basic, cells });
        Ok(basic)
    }

    /// The value of a column.
    pub(super) fn value(&self, column: Column) -> Rational {
        self.columns[column].value
    }

    /// The bounds of a column, those that its summands imply included.
    pub(super) fn bounds(&self, column: Column) -> (Option<i128>, Option<i128>) {
        let state = &self.columns[column];
        if state.sum.is_empty() {
            return (state.lower, state.upper);
        }
        let side = |bound: Bound| {
            state.sum.iter().try_fold(0i128, |res, &(it, coefficient)| {
                let part = &self.columns[it];
                let end = if (coefficient > 0) == (bound == Bound::Lower) { part.lower } else { part.upper };
                res.checked_add(coefficient.checked_mul(end?)?)
            })
        };
        let lower = [state.lower, side(Bound::Lower)].into_iter().flatten().max();
        let upper = [state.upper, side(Bound::Upper)].into_iter().flatten().min();
        (lower, upper)
    }

    /// The number of columns of the tableau.
    pub(super) fn len(&self) -> usize {
        self.columns.len()
    }

    /// The bounds that were set.
    pub(super) fn own_bounds(&self, column: Column) -> (Option<i128>, Option<i128>) {
        (self.columns[column].lower, self.columns[column].upper)
    }

    /// What a column is the sum of; nothing for an unknown.
    pub(super) fn summands(&self, column: Column) -> &[(Column, i128)] {
        &self.columns[column].sum
    }

    /// Whether some sum has one value left, though its summands have more.
    pub(super) fn has_new_equation(&self) -> bool {
        let one = |it: Column| self.columns[it].lower.is_some() && self.columns[it].lower == self.columns[it].upper;
        let is_sum = |it: Column| !self.columns[it].sum.is_empty();
        (0..self.columns.len()).any(|it| is_sum(it) && one(it) && self.columns[it].sum.iter().any(|it| !one(it.0)))
    }

    /// How many bounds were set; to go back to.
    pub(super) fn mark(&self) -> usize {
        self.trail.len()
    }

    /// Takes back the bounds set since.
    pub(super) fn back(&mut self, mark: usize) {
        for (column, bound, before) in self.trail.drain(mark..).rev() {
            match bound {
                Bound::Lower => self.columns[column].lower = before,
                Bound::Upper => self.columns[column].upper = before,
            }
        }
    }

    /// Sets a bound; false when it contradicts the other one.
    pub(super) fn bound(&mut self, column: Column, bound: Bound, at: i128) -> Result<bool> {
        let state = &mut self.columns[column];
        let outside = match bound {
            Bound::Lower => {
                if state.lower.is_some_and(|it| it >= at) {
                    return Ok(true);
                }
                if state.upper.is_some_and(|it| it < at) {
                    return Ok(false);
                }
                self.trail.push((column, bound, state.lower.replace(at)));
                Ordering::Less
            }
            Bound::Upper => {
                if state.upper.is_some_and(|it| it <= at) {
                    return Ok(true);
                }
                if state.lower.is_some_and(|it| it > at) {
                    return Ok(false);
                }
                self.trail.push((column, bound, state.upper.replace(at)));
                Ordering::Greater
            }
        };
        if state.row.is_none() && state.value.compare(at).ok_or(GaveUp)? == outside {
            let difference = Rational::of(at).sub(state.value).ok_or(GaveUp)?;
            self.shift(column, difference)?;
        }
        Ok(true)
    }

    /// Moves a column that is not basic, and the basic ones with it.
    fn shift(&mut self, column: Column, difference: Rational) -> Result<()> {
        for row in &self.rows {
            if let Some(coefficient) = cell(row, column) {
                let value = &mut self.columns[row.basic].value;
                *value = add_product(*value, coefficient, difference)?;
            }
        }
        let value = &mut self.columns[column].value;
        *value = value.add(difference).ok_or(GaveUp)?;
        Ok(())
    }

    /// Whether the bounds have a rational solution; then the values are one. The cells that are computed are taken
    /// from `budget`.
    pub(super) fn check(&mut self, budget: &mut usize) -> Result<bool> {
        for round in 0.. {
            // The column that is farthest from its bounds; after a while the first one, at both choices: so it ends
            // (Bland's rule).
            let mut wrong: Option<(Column, i128, bool)> = None;
            let mut farthest = 0;
            for row in &self.rows {
                let state = &self.columns[row.basic];
                let found = if let Some(lower) = state.lower
                    && state.value.compare(lower).ok_or(GaveUp)? == Ordering::Less
                {
                    (row.basic, lower, true)
                } else if let Some(upper) = state.upper
                    && state.value.compare(upper).ok_or(GaveUp)? == Ordering::Greater
                {
                    (row.basic, upper, false)
                } else {
                    continue;
                };
                let distance = state.value.floor().abs_diff(found.1);
                let better = match wrong {
                    None => true,
                    Some(it) if round >= GREEDY_ROUNDS => it.0 > row.basic,
                    Some(_) => distance > farthest,
                };
                if better {
                    (wrong, farthest) = (Some(found), distance);
                }
            }
            let Some((basic, target, up)) = wrong else { return Ok(true) };
            let at = self.columns[basic].row.ok_or(GaveUp)?;
            let mut entering = None;
            for &(column, coefficient) in &self.rows[at].cells {
                let state = &self.columns[column];
                let (end, blocked) = if coefficient.is_positive() == up {
                    (state.upper, Ordering::Less)
                } else {
                    (state.lower, Ordering::Greater)
                };
                let free = match end {
                    Some(end) => state.value.compare(end).ok_or(GaveUp)? == blocked,
                    None => true,
                };
                if free {
                    entering = Some((column, coefficient));
                    break;
                }
            }
            let Some((entering, coefficient)) = entering else { return Ok(false) };
            self.pivots += 1;
            let cells: usize = self.rows.iter().map(|it| it.cells.len()).sum();
            *budget = budget.checked_sub(1 + cells).ok_or(GaveUp)?;
            let missing = Rational::of(target).sub(self.columns[basic].value).ok_or(GaveUp)?;
            let inverse = coefficient.inverse().ok_or(GaveUp)?;
            self.shift(entering, missing.mul(inverse).ok_or(GaveUp)?)?;
            self.pivot(at, entering, inverse)?;
        }
        Err(GaveUp)
    }

    /// Makes `entering` basic in a row.
    fn pivot(&mut self, at: usize, entering: Column, inverse: Rational) -> Result<()> {
        let leaving = self.rows[at].basic;
        let mut cells = Vec::with_capacity(self.rows[at].cells.len());
        for &(column, coefficient) in &self.rows[at].cells {
            if column != entering {
                cells.push((column, coefficient.mul(inverse).and_then(Rational::neg).ok_or(GaveUp)?));
            }
        }
        cells.push((leaving, inverse));
        cells.sort_unstable_by_key(|it| it.0);
        for (other, row) in self.rows.iter_mut().enumerate() {
            if other == at {
                continue;
            }
            let Some(factor) = cell(row, entering) else { continue };
            let mut merged = Vec::with_capacity(row.cells.len() + cells.len());
            let mut left = row.cells.iter().filter(|it| it.0 != entering).peekable();
            let mut right = cells.iter().peekable();
            loop {
                let next = match (left.peek(), right.peek()) {
                    (None, None) => break,
                    (Some(a), None) => a.0,
                    (None, Some(b)) => b.0,
                    (Some(a), Some(b)) => a.0.min(b.0),
                };
                let mut value = left.next_if(|it| it.0 == next).map_or(Rational::ZERO, |it| it.1);
                if let Some((_, it)) = right.next_if(|it| it.0 == next) {
                    value = add_product(value, factor, *it)?;
                }
                if !value.is_zero() {
                    merged.push((next, value));
                }
            }
            drop((left, right));
            row.cells = merged;
        }
        self.rows[at] = Row { basic: entering, cells };
        self.columns[leaving].row = None;
        self.columns[entering].row = Some(at);
        Ok(())
    }
}

fn cell(row: &Row, column: Column) -> Option<Rational> {
    row.cells.binary_search_by_key(&column, |it| it.0).ok().map(|at| row.cells[at].1)
}

fn add_product(to: Rational, a: Rational, b: Rational) -> Result<Rational> {
    if a == Rational::ONE {
        return to.add(b).ok_or(GaveUp);
    }
    a.mul(b).and_then(|it| to.add(it)).ok_or(GaveUp)
}

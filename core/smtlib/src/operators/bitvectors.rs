//! FixedSizeBitVectors and the extensions of QF_BV, with the overflow predicates of SMT-LIB 2.7.
//!
//! Knows: how each is made of the operators that terms have. Never: other theories.

use super::{Call, TermResult};
use crate::error::Problem;
use crate::sorts::MOST_WIDTH;
use crate::typed::ScriptSort;
use effigy_term::{BvOp, BvValue, Sort, Term, Terms, Width};

impl Call<'_> {
    /// The common width of the arguments, if there are at least this many and all are bitvectors.
    fn words(&self, least: usize) -> Result<Width, Problem> {
        match self.sorts.first() {
            Some(first @ ScriptSort::Plain(Sort::BitVec(width)))
                if self.sorts.len() >= least && self.sorts.iter().all(|it| it == first) =>
            {
                Ok(*width)
            }
            _ if least == 1 => self.refuse("a bitvector"),
            _ => self.refuse(format!("{least} bitvectors of one width")),
        }
    }

    /// The only argument, a bitvector, with its width.
    fn one(&self) -> Result<(Term, Width), Problem> {
        let width = self.words(1)?;
        let [word] = self.exactly()?;
        Ok((word, width))
    }

    /// Two bitvectors of one width.
    fn two(&self) -> Result<(Term, Term, Width), Problem> {
        let width = self.words(2)?;
        let [a, b] = self.exactly()?;
        Ok((a, b, width))
    }

    /// Two bitvectors of one width under an operator.
    fn binary(&self, of: impl FnOnce(&Terms, Term, Term) -> Term) -> TermResult {
        self.two().map(|(a, b, _)| of(self.terms, a, b))
    }

    /// A width that is not too large.
    pub(super) fn width(&self, bits: u64) -> Result<Width, Problem> {
        let width = u32::try_from(bits).ok().filter(|it| *it <= MOST_WIDTH).and_then(Width::new);
        width.ok_or_else(|| Problem::Limit(format!("bitvectors of {MOST_WIDTH} bits")))
    }
}

/// A word whose lowest bit is the exclusive or of all bits: it is folded over itself, by the distances of powers of two.
fn folded(terms: &Terms, word: Term, width: Width) -> Term {
    let distances = (0..u32::BITS).map(|it| 1u64 << it).take_while(|it| *it < u64::from(width.bits()));
    distances.fold(word, |sum, distance| {
        let moved = terms.bv_lshr(sum, terms.bv(BvValue::from_u64(width, distance)));
        terms.bv_xor(sum, moved)
    })
}

/// The term of an operator; none where it is of another theory.
pub(super) fn apply(call: &Call<'_>) -> Option<TermResult> {
    indexed(call).or_else(|| overflow(call)).or_else(|| plain(call))
}

fn plain(call: &Call<'_>) -> Option<TermResult> {
    let terms = call.terms;
    let op = |op: BvOp| call.binary(|terms, a, b| terms.bv_op(op, a, b));
    let many = |op: BvOp| call.words(2).map(|_| call.left(|a, b| terms.bv_op(op, a, b)));
    let not = |built: TermResult| built.map(|it| terms.bv_not(it));
    let chain = |of: fn(&Terms, Term, Term) -> Term| call.words(2).map(|_| call.chain(|a, b| of(terms, a, b)));
    let built = match call.name {
        "concat" => concat(call),
        "bvnot" => call.one().map(|it| terms.bv_not(it.0)),
        "bvneg" => call.one().map(|it| terms.bv_neg(it.0)),
        "bvand" => many(BvOp::And),
        "bvor" => many(BvOp::Or),
        "bvxor" => many(BvOp::Xor),
        "bvnand" => not(op(BvOp::And)),
        "bvnor" => not(op(BvOp::Or)),
        "bvxnor" => not(op(BvOp::Xor)),
        "bvadd" => call.words(2).map(|_| call.left(|a, b| terms.bv_add(a, b))),
        "bvsub" => call.words(2).map(|_| call.left(|a, b| terms.bv_sub(a, b))),
        "bvmul" => call.words(2).map(|_| call.left(|a, b| terms.bv_mul(a, b))),
        "bvudiv" => op(BvOp::UDiv),
        "bvurem" => op(BvOp::URem),
        "bvsdiv" => op(BvOp::SDiv),
        "bvsrem" => op(BvOp::SRem),
        "bvsmod" => call.two().map(|(a, b, width)| signed_modulo(terms, a, b, width)),
        "bvshl" => op(BvOp::Shl),
        "bvlshr" => op(BvOp::LShr),
        "bvashr" => op(BvOp::AShr),
        "bvcomp" => call.binary(|terms, a, b| terms.bv_of_bool(Width::W1, terms.eq(a, b))),
        // Not in the standard, but in the benchmarks of several solvers: whether any bit is set, whether all are, whether an
        // odd number of them is.
        "bvredor" => {
            call.one().map(|(it, width)| terms.bv_of_bool(Width::W1, terms.ne(it, terms.bv(BvValue::zero(width)))))
        }
        "bvredand" => call
            .one()
            .map(|(it, width)| terms.bv_of_bool(Width::W1, terms.eq(it, terms.bv(BvValue::zero(width).not())))),
        "bvredxor" => call.one().map(|(it, width)| terms.bv_extract(0, 0, folded(terms, it, width))),
        "bvult" => chain(Terms::bv_ult),
        "bvule" => chain(Terms::bv_ule),
        "bvugt" => chain(|terms, a, b| terms.bv_ult(b, a)),
        "bvuge" => chain(|terms, a, b| terms.bv_ule(b, a)),
        "bvslt" => chain(Terms::bv_slt),
        "bvsle" => chain(Terms::bv_sle),
        "bvsgt" => chain(|terms, a, b| terms.bv_slt(b, a)),
        "bvsge" => chain(|terms, a, b| terms.bv_sle(b, a)),
        _ => return None,
    };
    Some(call.plain().and(built))
}

fn concat(call: &Call<'_>) -> TermResult {
    let mut bits = 0;
    for it in call.sorts {
        match it {
            ScriptSort::Plain(Sort::BitVec(width)) => bits += u64::from(width.bits()),
            _ => return call.refuse("bitvectors"),
        }
    }
    if call.arguments.len() < 2 {
        return call.refuse("at least 2 bitvectors");
    }
    call.width(bits)?;
    Ok(call.left(|a, b| call.terms.bv_concat(a, b)))
}

/// The remainder with the sign of the divisor; the dividend when the divisor is zero.
fn signed_modulo(terms: &Terms, a: Term, b: Term, width: Width) -> Term {
    let zero = terms.bv(BvValue::zero(width));
    let rest = terms.bv_op(BvOp::SRem, a, b);
    let signs_agree = terms.eq(terms.bv_slt(rest, zero), terms.bv_slt(b, zero));
    let stays = terms.or(terms.eq(rest, zero), signs_agree);
    terms.ite(stays, rest, terms.bv_add(rest, b))
}

fn indexed(call: &Call<'_>) -> Option<TermResult> {
    let terms = call.terms;
    let by = || call.one().and_then(|it| Ok((it.0, it.1, call.indexed::<1>()?[0])));
    let extended = |of: fn(&Terms, Width, Term) -> Term| {
        let (word, width, by) = by()?;
        Ok(of(terms, call.width(u64::from(width.bits()) + u64::from(by))?, word))
    };
    Some(match call.name {
        "extract" => call.one().and_then(|(word, width)| {
            let [high, low] = call.indexed()?;
            match low <= high && high < width.bits() {
                true => Ok(terms.bv_extract(high, low, word)),
                false => call.refuse("a bitvector that has these bits"),
            }
        }),
        "zero_extend" => extended(Terms::bv_zero_extend),
        "sign_extend" => extended(Terms::bv_sign_extend),
        "rotate_left" => by().map(|(word, width, by)| rotated_left(terms, word, width, by % width.bits())),
        "rotate_right" => by().map(|(word, width, by)| {
            let left = (width.bits() - by % width.bits()) % width.bits();
            rotated_left(terms, word, width, left)
        }),
        "repeat" => by().and_then(|(word, width, times)| {
            if times == 0 {
                return call.refuse("an index of at least 1");
            }
            call.width(u64::from(width.bits()) * u64::from(times))?;
            Ok((1..times).fold(word, |res, _| terms.bv_concat(res, word)))
        }),
        _ => return None,
    })
}

fn rotated_left(terms: &Terms, word: Term, width: Width, by: u32) -> Term {
    if by == 0 {
        return word;
    }
    let cut = width.bits() - by;
    terms.bv_concat(terms.bv_extract(cut - 1, 0, word), terms.bv_extract(width.bits() - 1, cut, word))
}

/// Whether the exact result does not fit the width.
fn overflow(call: &Call<'_>) -> Option<TermResult> {
    let terms = call.terms;
    let is_negative = |word: Term, width: Width| terms.bv_slt(word, terms.bv(BvValue::zero(width)));
    let smallest = |word: Term, width: Width| terms.eq(word, terms.bv(BvValue::min_signed(width)));
    let doubled = |width: Width| call.width(2 * u64::from(width.bits()));
    let built = match call.name {
        "bvnego" => call.one().map(|(a, width)| smallest(a, width)),
        "bvuaddo" => call.binary(|terms, a, b| terms.bv_ult(terms.bv_add(a, b), a)),
        "bvusubo" => call.binary(Terms::bv_ult),
        "bvsaddo" => call.two().map(|(a, b, width)| {
            let sign = is_negative(a, width);
            let sum = is_negative(terms.bv_add(a, b), width);
            terms.and(terms.eq(sign, is_negative(b, width)), terms.ne(sign, sum))
        }),
        "bvssubo" => call.two().map(|(a, b, width)| {
            let sign = is_negative(a, width);
            let difference = is_negative(terms.bv_sub(a, b), width);
            terms.and(terms.ne(sign, is_negative(b, width)), terms.ne(sign, difference))
        }),
        "bvumulo" => call.two().and_then(|(a, b, width)| {
            let wide = doubled(width)?;
            let product = terms.bv_mul(terms.bv_zero_extend(wide, a), terms.bv_zero_extend(wide, b));
            let high = terms.bv_extract(wide.bits() - 1, width.bits(), product);
            Ok(terms.ne(high, terms.bv(BvValue::zero(width))))
        }),
        "bvsmulo" => call.two().and_then(|(a, b, width)| {
            let wide = doubled(width)?;
            let product = terms.bv_mul(terms.bv_sign_extend(wide, a), terms.bv_sign_extend(wide, b));
            let low = terms.bv_extract(width.bits() - 1, 0, product);
            Ok(terms.ne(terms.bv_sign_extend(wide, low), product))
        }),
        "bvsdivo" => {
            call.two().map(|(a, b, width)| terms.and(smallest(a, width), terms.eq(b, terms.bv(BvValue::ones(width)))))
        }
        _ => return None,
    };
    Some(call.plain().and(built))
}

//! Substitution: a term with other terms in place of its symbols.
//!
//! Knows: rebuilding through the constructors. Never: what the symbols mean.

use crate::node::{BvOp, Node, Term};
use crate::symbol::{Symbol, SymbolKind};
use crate::terms::Terms;

impl Terms {
    /// `term` with `replace(symbol)` in place of each symbol for which there is one.
    ///
    /// Bound variables are not renamed: a replacement must not mention a variable that is bound around its place.
    pub fn substitute(&self, term: Term, replace: &mut dyn FnMut(Symbol) -> Option<Term>) -> Term {
        let stop = |it: Term| match self.node(it) {
            Node::Symbol(symbol) => Some(replace(*symbol).unwrap_or(it)),
            _ => self.symbols(it).is_empty().then_some(it),
        };
        self.fold(term, stop, |it, done| self.with_arguments(it, &|it| done[&it]))
    }

    /// `term` with `rule` applied to each of its subterms, arguments first; what a quantifier binds is left alone.
    /// `rule` answers for the equality of what it is given and what it returns.
    pub fn rewrite(&self, term: Term, rule: &mut dyn FnMut(Term) -> Option<Term>) -> Term {
        self.rewrite_from(term, &mut |_, it| rule(it))
    }

    /// As [`Terms::rewrite`]; `rule` is given each subterm as it was, and as it is with its arguments rewritten. Built
    /// again it may have become simpler: a rule that is no equality but a substitution must look at what it was, or it
    /// is applied to its own result (`n := -1 - n` in `-1 - n` builds `n`).
    pub fn rewrite_from(&self, term: Term, rule: &mut dyn FnMut(Term, Term) -> Option<Term>) -> Term {
        let stop = |it: Term| {
            let same = self.symbols(it).is_empty() || matches!(self.node(it), Node::Quantifier(_));
            same.then_some(it)
        };
        self.fold(term, stop, |was, done| {
            let res = self.with_arguments(was, &|it| done[&it]);
            rule(was, res).unwrap_or(res)
        })
    }

    /// `term` with another content for all uninitialised storage in it: two terms that must be equal for the value
    /// to be well defined.
    pub fn rename_undefined(&self, term: Term) -> Term {
        self.substitute(term, &mut |symbol| {
            let info = self.symbol_info(symbol);
            (info.kind == SymbolKind::Undefined).then(|| {
                let name = format!("{}'", info.name);
                let copy = self.symbol(&name, info.sort, SymbolKind::Undefined);
                self.copy_sign(symbol, copy);
                self.of_symbol(copy)
            })
        })
    }

    /// Whether a symbol is one that [`Terms::rename_undefined`] has made.
    pub fn is_renamed_undefined(&self, symbol: Symbol) -> bool {
        let info = self.symbol_info(symbol);
        info.kind == SymbolKind::Undefined && info.name.ends_with('\'')
    }

    /// `term` built again with `of(argument)` in place of each of its arguments; what a quantifier binds is the caller's
    /// care.
    pub fn with_arguments(&self, term: Term, of: &dyn Fn(Term) -> Term) -> Term {
        match self.node(term) {
            Node::Bool(_) | Node::BitVec(_) | Node::Int(_) | Node::Real(_) | Node::Symbol(_) => term,
            &Node::Not(a) => self.not(of(a)),
            Node::And(args) => self.and_all(args.iter().map(|&it| of(it))),
            Node::Or(args) => self.or_all(args.iter().map(|&it| of(it))),
            &Node::Eq(a, b) => self.eq(of(a), of(b)),
            &Node::Ite(c, a, b) => self.ite(of(c), of(a), of(b)),
            Node::BvSum(sum) => {
                let constant = self.bv(sum.constant.clone());
                sum.summands
                    .iter()
                    .fold(constant, |res, (factor, it)| self.bv_add(res, self.bv_mul(self.bv(factor.clone()), of(*it))))
            }
            &Node::Bv(BvOp::Mul, a, b) => self.bv_mul(of(a), of(b)),
            &Node::Bv(op, a, b) => self.bv_op(op, of(a), of(b)),
            &Node::BvNot(a) => self.bv_not(of(a)),
            &Node::Ult(a, b) => self.bv_ult(of(a), of(b)),
            &Node::Slt(a, b) => self.bv_slt(of(a), of(b)),
            &Node::Extract { high, low, arg } => self.bv_extract(high, low, of(arg)),
            &Node::Concat(a, b) => self.bv_concat(of(a), of(b)),
            &Node::ZeroExtend(width, a) => self.bv_zero_extend(width, of(a)),
            &Node::SignExtend(width, a) => self.bv_sign_extend(width, of(a)),
            Node::Float(it) => {
                let arguments: Vec<Term> = it.arguments.iter().map(|&it| of(it)).collect();
                self.float(it.op, &arguments)
            }
            Node::IntPoly(poly) => {
                let constant = self.int(poly.constant.clone());
                poly.monomials.iter().fold(constant, |res, (factor, monomial)| {
                    let product = monomial.iter().fold(self.int(factor.clone()), |product, &(it, exponent)| {
                        (0..exponent).fold(product, |product, _| self.int_mul(product, of(it)))
                    });
                    self.int_add(res, product)
                })
            }
            &Node::IntLe(a, b) => self.int_le(of(a), of(b)),
            &Node::IntQuot(a, b) => self.int_quot(of(a), of(b)),
            &Node::IntRem(a, b) => self.int_rem(of(a), of(b)),
            &Node::IntDiv(a, b) => self.int_div(of(a), of(b)),
            &Node::IntMod(a, b) => self.int_mod(of(a), of(b)),
            &Node::IntPow(a, b) => self.int_pow(of(a), of(b)),
            Node::RealPoly(poly) => {
                let constant = self.real(poly.constant.clone());
                poly.monomials.iter().fold(constant, |res, (factor, monomial)| {
                    let product = monomial.iter().fold(self.real(factor.clone()), |product, &(it, exponent)| {
                        (0..exponent).fold(product, |product, _| self.real_mul(product, of(it)))
                    });
                    self.real_add(res, product)
                })
            }
            &Node::RealLe(a, b) => self.real_le(of(a), of(b)),
            &Node::RealDiv(a, b) => self.real_div(of(a), of(b)),
            &Node::IntToReal(a) => self.int_to_real(of(a)),
            &Node::Select(a, b) => self.select(of(a), of(b)),
            &Node::Store(a, b, c) => self.store(of(a), of(b), of(c)),
            &Node::ConstArray(_, a) => self.const_array(self.sort(term), of(a)),
            Node::Apply(function, args) => {
                let args: Vec<Term> = args.iter().map(|&it| of(it)).collect();
                self.apply(*function, &args)
            }
            Node::Quantifier(quantified) => {
                let triggers: Vec<Vec<Term>> =
                    quantified.triggers.iter().map(|it| it.iter().map(|&it| of(it)).collect()).collect();
                let body = of(quantified.body);
                if quantified.universal {
                    self.forall(&quantified.variables, &triggers, body)
                } else {
                    self.exists(&quantified.variables, &triggers, body)
                }
            }
        }
    }
}

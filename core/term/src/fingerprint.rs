//! What a term says, in 128 bits: the same in every arena in which it is built, in whatever order.
//!
//! Knows: which operators do not care for the order of their arguments. Never: what the number is good for.
//!
//! Two terms of one fingerprint are taken for the same by whoever believes the answers of others: it is the beginning of
//! a SHA-256.

use crate::node::{BvOp, Node, Polynomial, Term};
use crate::sort::Sort;
use crate::symbol::FunctionSymbol;
use crate::terms::Terms;
use rustc_hash::FxHashMap;
use sha2::{Digest, Sha256};
use std::fmt::Display;

/// What a term says.
pub type Fingerprint = u128;

/// The fingerprints of the terms of one arena, as far as they were asked for.
#[derive(Default)]
pub struct Fingerprints {
    known: FxHashMap<Term, Fingerprint>,
}

/// What goes into one fingerprint, each piece with its length.
struct Text(Vec<u8>);

impl Text {
    fn word(mut self, word: impl Display) -> Text {
        let word = word.to_string();
        self.0.extend((word.len() as u64).to_le_bytes());
        self.0.extend(word.as_bytes());
        self
    }

    fn print(mut self, print: Fingerprint) -> Text {
        self.0.extend(print.to_le_bytes());
        self
    }

    fn prints(self, prints: impl IntoIterator<Item = Fingerprint>) -> Text {
        prints.into_iter().fold(self, Text::print)
    }

    fn hash(&self) -> Fingerprint {
        let hash = Sha256::digest(&self.0);
        let mut res = [0; 16];
        res.copy_from_slice(&hash[..16]);
        Fingerprint::from_le_bytes(res)
    }
}

fn text(name: &str) -> Text {
    Text(Vec::with_capacity(64)).word(name)
}

fn sorted(prints: impl Iterator<Item = Fingerprint>) -> Vec<Fingerprint> {
    let mut res: Vec<Fingerprint> = prints.collect();
    res.sort_unstable();
    res
}

impl Fingerprints {
    /// The fingerprint of a term; `None` of one with a quantifier.
    pub fn of(&mut self, terms: &Terms, term: Term) -> Option<Fingerprint> {
        // Terms are as deep as programs run long.
        let mut work = vec![(term, false)];
        while let Some((term, ready)) = work.pop() {
            if self.known.contains_key(&term) {
                continue;
            }
            if ready {
                let print = self.print(terms, term)?;
                self.known.insert(term, print);
                continue;
            }
            work.push((term, true));
            terms.node(term).for_each_argument(|it| work.push((it, false)));
        }
        self.known.get(&term).copied()
    }

    /// That of a term whose arguments are known.
    fn print(&self, terms: &Terms, term: Term) -> Option<Fingerprint> {
        let of = |it: &Term| self.known.get(it).copied();
        let ordered = |name: &str, args: &[Term]| -> Option<Text> {
            Some(text(name).prints(args.iter().map(of).collect::<Option<Vec<_>>>()?))
        };
        let unordered = |name: &str, args: &[Term]| -> Option<Text> {
            Some(text(name).prints(sorted(args.iter().map(of).collect::<Option<Vec<_>>>()?.into_iter())))
        };
        let res = match terms.node(term) {
            Node::Quantifier(_) => return None,
            Node::Bool(value) => text("bool").word(value),
            Node::BitVec(value) => text("bits").word(terms.width(term).bits()).word(value),
            Node::Int(value) => text("int").word(value),
            Node::Real(value) => text("real").word(value),
            Node::Symbol(symbol) => {
                let info = terms.symbol_info(*symbol);
                text("symbol").word(&info.name).word(sort(terms, info.sort))
            }
            Node::Not(a) => ordered("not", &[*a])?,
            Node::And(args) => unordered("and", args)?,
            Node::Or(args) => unordered("or", args)?,
            Node::Eq(a, b) => unordered("=", &[*a, *b])?,
            Node::Ite(a, b, c) => ordered("ite", &[*a, *b, *c])?,
            Node::BvSum(sum) => {
                let summand = |(factor, it): &(crate::BvValue, Term)| Some(text("").word(factor).print(of(it)?).hash());
                let summands = sum.summands.iter().map(summand).collect::<Option<Vec<_>>>()?;
                let head = text("sum").word(terms.width(term).bits()).word(&sum.constant);
                head.prints(sorted(summands.into_iter()))
            }
            Node::Bv(op, a, b) => {
                let any_order = matches!(op, BvOp::Mul | BvOp::And | BvOp::Or | BvOp::Xor);
                let name = format!("{op:?}");
                if any_order { unordered(&name, &[*a, *b])? } else { ordered(&name, &[*a, *b])? }
            }
            Node::BvNot(a) => ordered("bvnot", &[*a])?,
            Node::Ult(a, b) => ordered("ult", &[*a, *b])?,
            Node::Slt(a, b) => ordered("slt", &[*a, *b])?,
            Node::Extract { high, low, arg } => ordered("extract", &[*arg])?.word(high).word(low),
            Node::Concat(a, b) => ordered("concat", &[*a, *b])?,
            Node::ZeroExtend(width, a) => ordered("zero", &[*a])?.word(width.bits()),
            Node::SignExtend(width, a) => ordered("sign", &[*a])?.word(width.bits()),
            Node::Float(it) => ordered("float", &it.arguments)?.word(format!("{:?}", it.op)),
            Node::IntPoly(it) => self.polynomial("int", it)?,
            Node::RealPoly(it) => self.polynomial("real", it)?,
            Node::IntLe(a, b) => ordered("int<=", &[*a, *b])?,
            Node::IntQuot(a, b) => ordered("quot", &[*a, *b])?,
            Node::IntRem(a, b) => ordered("rem", &[*a, *b])?,
            Node::IntDiv(a, b) => ordered("div", &[*a, *b])?,
            Node::IntMod(a, b) => ordered("mod", &[*a, *b])?,
            Node::IntPow(a, b) => ordered("pow", &[*a, *b])?,
            Node::RealLe(a, b) => ordered("real<=", &[*a, *b])?,
            Node::RealDiv(a, b) => ordered("real/", &[*a, *b])?,
            Node::IntToReal(a) => ordered("to_real", &[*a])?,
            Node::Select(a, b) => ordered("select", &[*a, *b])?,
            Node::Store(a, b, c) => ordered("store", &[*a, *b, *c])?,
            Node::ConstArray(of, a) => ordered("const", &[*a])?.word(sort(terms, Sort::Array(*of))),
            Node::Apply(it, args) => ordered("apply", args)?.word(function(terms, *it)),
        };
        Some(res.hash())
    }

    fn polynomial<N: Display>(&self, name: &str, of: &Polynomial<N>) -> Option<Text> {
        let monomial = |(factor, powers): &(N, Box<[(Term, u32)]>)| {
            let power = |(it, exponent): &(Term, u32)| Some(text("").word(exponent).print(*self.known.get(it)?).hash());
            let powers = powers.iter().map(power).collect::<Option<Vec<_>>>()?;
            Some(text("").word(factor).prints(sorted(powers.into_iter())).hash())
        };
        let monomials = of.monomials.iter().map(monomial).collect::<Option<Vec<_>>>()?;
        Some(text(name).word("poly").word(&of.constant).prints(sorted(monomials.into_iter())))
    }
}

fn sort(terms: &Terms, of: Sort) -> String {
    match of {
        Sort::Bool | Sort::Int | Sort::Real | Sort::BitVec(_) => format!("{of:?}"),
        Sort::Uninterpreted(name) => format!("sort {:?}", terms.sort_name(name)),
        Sort::Array(parts) => {
            let (index, element) = terms.array_parts(parts);
            format!("({} -> {})", sort(terms, index), sort(terms, element))
        }
    }
}

fn function(terms: &Terms, of: FunctionSymbol) -> String {
    let info = terms.function_info(of);
    let arguments: Vec<String> = info.arguments.iter().map(|it| sort(terms, *it)).collect();
    format!("{:?} ({}) {}", info.name, arguments.join(" "), sort(terms, info.result))
}

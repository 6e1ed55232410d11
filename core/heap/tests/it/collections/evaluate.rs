//! What terms over collections mean, said a second time, with the library's own collections.
//!
//! Knows: nothing of the axioms. What a theory leaves open is a value that depends on the seed and the arguments;
//! the witnesses that axioms speak of are searched, and any of them may be taken.

use super::random::{Random, value};
use effigy_heap::collections::{CollectionKind, Collections};
use effigy_term::{Node, Sort, Symbol, Term, Terms};
use num_traits::ToPrimitive;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Value {
    Bool(bool),
    Int(i64),
    Element(u64),
    Seq(Vec<Value>),
    Set(BTreeSet<Value>),
    Multiset(BTreeMap<Value, i64>),
    Map(BTreeMap<Value, Value>),
}

use Value::{Bool, Int, Map, Multiset, Seq, Set};

impl Value {
    pub fn truth(&self) -> bool {
        match self {
            Bool(it) => *it,
            _ => panic!("{self:?} is no truth value"),
        }
    }

    pub fn int(&self) -> i64 {
        match self {
            Int(it) => *it,
            _ => panic!("{self:?} is no integer"),
        }
    }

    fn set(&self) -> &BTreeSet<Value> {
        match self {
            Set(it) => it,
            _ => panic!("{self:?} is no set"),
        }
    }
}

pub type Store = HashMap<Symbol, Value>;

pub struct Evaluator<'a> {
    pub terms: &'a Terms,
    pub collections: &'a Collections,
    pub seed: u64,
}

impl Evaluator<'_> {
    pub fn truth(&self, term: Term, store: &Store) -> bool {
        self.eval(term, store).truth()
    }

    pub fn eval(&self, term: Term, store: &Store) -> Value {
        let of = |it: Term| self.eval(it, store);
        match self.terms.node(term) {
            Node::Bool(it) => Bool(*it),
            Node::Int(it) => Int(it.to_i64().expect("small")),
            Node::Symbol(symbol) => match store.get(symbol) {
                Some(it) => it.clone(),
                None => self.constant(*symbol),
            },
            &Node::Not(a) => Bool(!of(a).truth()),
            Node::And(args) => Bool(args.iter().all(|&it| of(it).truth())),
            Node::Or(args) => Bool(args.iter().any(|&it| of(it).truth())),
            &Node::Eq(a, b) => Bool(of(a) == of(b)),
            &Node::Ite(c, a, b) => {
                if of(c).truth() {
                    of(a)
                } else {
                    of(b)
                }
            }
            Node::IntPoly(poly) => {
                let sum = poly.monomials.iter().map(|(factor, monomial)| {
                    let product: i64 = monomial.iter().map(|&(it, exponent)| of(it).int().pow(exponent)).product();
                    factor.to_i64().expect("small") * product
                });
                Int(poly.constant.to_i64().expect("small") + sum.sum::<i64>())
            }
            &Node::IntLe(a, b) => Bool(of(a).int() <= of(b).int()),
            Node::Apply(function, args) => {
                let info = self.terms.function_info(*function);
                let operation = info.name.rsplit('.').next().expect("a name has a last part");
                let args: Vec<Value> = args.iter().map(|&it| of(it)).collect();
                self.apply(operation, info.result, &args)
            }
            it => panic!("no axiom needs {it:?}"),
        }
    }

    fn constant(&self, symbol: Symbol) -> Value {
        let info = self.terms.symbol_info(symbol);
        assert!(info.name.ends_with(".empty"), "{} has a value", info.name);
        match self.collections.kind(info.sort) {
            Some(CollectionKind::Seq(_)) => Seq(vec![]),
            Some(CollectionKind::Set(_)) => Set(BTreeSet::new()),
            Some(CollectionKind::Multiset(_)) => Multiset(BTreeMap::new()),
            Some(CollectionKind::Map(..)) => Map(BTreeMap::new()),
            None => panic!("{} is a collection", info.name),
        }
    }

    /// Any value of the sort: always the same for the same arguments.
    fn any(&self, operation: &str, sort: Sort, args: &[&Value]) -> Value {
        value(&mut self.dice(operation, args), self.collections, sort)
    }

    fn dice(&self, operation: &str, args: &[&Value]) -> Random {
        let mut hasher = DefaultHasher::new();
        (self.seed, operation, args).hash(&mut hasher);
        Random::new(hasher.finish())
    }

    /// Any of the witnesses, or any value at all if there is none.
    fn witness(&self, operation: &str, sort: Sort, args: &[Value], witnesses: Vec<Value>) -> Value {
        let args: Vec<&Value> = args.iter().collect();
        if witnesses.is_empty() {
            return self.any(operation, sort, &args);
        }
        let at = self.dice(operation, &args).below(witnesses.len() as u64);
        witnesses[at as usize].clone()
    }

    fn apply(&self, operation: &str, sort: Sort, args: &[Value]) -> Value {
        let witness = |witnesses: Vec<Value>| self.witness(operation, sort, args, witnesses);
        let cut = |n: i64, length: usize| n.clamp(0, length as i64) as usize;
        let within = |i: i64, length: usize| usize::try_from(i).ok().filter(|&it| it < length);
        let at = |s: &[Value], i: i64| within(i, s.len()).map(|it| s[it].clone());
        let count = |s: &BTreeMap<Value, i64>, x: &Value| s.get(x).copied().unwrap_or(0);
        let merge = |s: &BTreeMap<Value, i64>, t: &BTreeMap<Value, i64>, f: fn(i64, i64) -> i64| {
            let keys: BTreeSet<&Value> = s.keys().chain(t.keys()).collect();
            let counts = keys.into_iter().map(|it| (it.clone(), f(count(s, it), count(t, it))));
            Multiset(counts.filter(|it| it.1 > 0).collect())
        };
        let keys = |m: &BTreeMap<Value, Value>| m.keys().cloned().collect::<BTreeSet<Value>>();
        match (operation, args) {
            ("equal", [a, b]) => Bool(a == b),

            ("singleton", [x]) => Seq(vec![x.clone()]),
            ("append", [Seq(s), Seq(t)]) => Seq([s.as_slice(), t].concat()),
            ("length", [Seq(s)]) => Int(s.len() as i64),
            ("index", [Seq(s), Int(i)]) => at(s, *i).unwrap_or_else(|| witness(vec![])),
            ("update", [Seq(s), Int(i), v]) => {
                let mut res = s.clone();
                if let Some(place) = within(*i, s.len()) {
                    res[place] = v.clone();
                }
                Seq(res)
            }
            ("take", [Seq(s), Int(n)]) => Seq(s[..cut(*n, s.len())].to_vec()),
            ("drop", [Seq(s), Int(n)]) => Seq(s[cut(*n, s.len())..].to_vec()),
            ("contains" | "occurs", [x, Seq(s)]) => Bool(s.contains(x)),
            ("range", [Int(a), Int(b)]) => Seq((*a..*b).map(Int).collect()),
            ("place", [x, Seq(s)]) => {
                witness((0..s.len()).filter(|&it| s[it] == *x).map(|it| Int(it as i64)).collect())
            }
            ("difference_at", [Seq(s), Seq(t)]) => {
                let places = if s.len() == t.len() { 0..s.len() } else { 0..0 };
                witness(places.filter(|&it| s[it] != t[it]).map(|it| Int(it as i64)).collect())
            }

            ("add", [Set(s), x]) => {
                let mut res = s.clone();
                res.insert(x.clone());
                Set(res)
            }
            ("contains", [x, Set(s)]) => Bool(s.contains(x)),
            ("cardinality", [Set(s)]) => Int(s.len() as i64),
            ("union", [Set(s), Set(t)]) => Set(s | t),
            ("intersection", [Set(s), Set(t)]) => Set(s & t),
            ("difference", [Set(s), Set(t)]) => Set(s - t),
            ("subset", [Set(s), Set(t)]) => Bool(s.is_subset(t)),
            ("element", [Set(s)]) => witness(s.iter().cloned().collect()),
            ("outside", [Set(s), Set(t)]) => witness((s - t).into_iter().collect()),
            ("difference_at", [Set(s), Set(t)]) => witness((s ^ t).into_iter().collect()),

            ("add", [Multiset(s), x]) => {
                let mut res = s.clone();
                *res.entry(x.clone()).or_insert(0) += 1;
                Multiset(res)
            }
            ("count", [x, Multiset(s)]) => Int(count(s, x)),
            ("cardinality", [Multiset(s)]) => Int(s.values().sum()),
            ("union", [Multiset(s), Multiset(t)]) => merge(s, t, |a, b| a + b),
            ("intersection", [Multiset(s), Multiset(t)]) => merge(s, t, i64::min),
            ("difference", [Multiset(s), Multiset(t)]) => merge(s, t, |a, b| a - b),
            ("subset", [Multiset(s), Multiset(t)]) => Bool(s.iter().all(|(it, &n)| n <= count(t, it))),
            ("element", [Multiset(s)]) => witness(s.keys().cloned().collect()),
            ("outside", [Multiset(s), Multiset(t)]) => {
                witness(s.keys().filter(|it| count(s, it) > count(t, it)).cloned().collect())
            }
            ("difference_at", [Multiset(s), Multiset(t)]) => {
                let all = s.keys().chain(t.keys());
                witness(all.filter(|it| count(s, it) != count(t, it)).cloned().collect())
            }

            ("update", [Map(m), k, v]) => {
                let mut res = m.clone();
                res.insert(k.clone(), v.clone());
                Map(res)
            }
            // Outside the domain: of the key only.
            ("lookup", [Map(m), k]) => m.get(k).cloned().unwrap_or_else(|| self.any(operation, sort, &[k])),
            ("domain", [Map(m)]) => Set(keys(m)),
            ("range", [Map(m)]) => Set(m.values().cloned().collect()),
            ("key_of", [Map(m), v]) => witness(m.iter().filter(|it| it.1 == v).map(|it| it.0.clone()).collect()),
            ("difference_at", [Map(m), Map(n)]) => {
                let (m_keys, n_keys) = (Set(keys(m)), Set(keys(n)));
                let both = m_keys.set() & n_keys.set();
                witness(both.into_iter().filter(|it| m[it] != n[it]).collect())
            }
            _ => panic!("{operation} of {args:?} means nothing"),
        }
    }
}

//! Symbols, constants of any sort, applications and quantifiers.

use crate::node::{Node, Quantification, Term};
use crate::sort::Sort;
use crate::symbol::{FunctionSymbol, Symbol, SymbolKind};
use crate::terms::Terms;
use crate::value::Value;

impl Terms {
    /// The input of this name.
    pub fn input(&self, name: &str, sort: Sort) -> Term {
        self.of_symbol(self.symbol(name, sort, SymbolKind::Input))
    }

    /// The term that is just `symbol`.
    pub fn of_symbol(&self, symbol: Symbol) -> Term {
        self.intern(Node::Symbol(symbol), self.symbol_info(symbol).sort)
    }

    /// The constant term of a value. `sort` decides the array sort; for the other values it is checked.
    pub fn of_value(&self, sort: Sort, value: &Value) -> Term {
        match (value, sort) {
            (Value::Bool(it), Sort::Bool) => self.bool(*it),
            (Value::BitVec(it), Sort::BitVec(width)) if width == it.width() => self.bv(it.clone()),
            (Value::Int(it), Sort::Int) => self.int(it.clone()),
            (Value::Real(it), Sort::Real) => self.real((**it).clone()),
            (Value::Array(array), Sort::Array(parts)) => {
                let (index_sort, element_sort) = self.array_parts(parts);
                let mut res = self.const_array(sort, self.of_value(element_sort, &array.default));
                for (index, element) in &array.entries {
                    let index = self.of_value(index_sort, index);
                    let element = self.of_value(element_sort, element);
                    res = self.store(res, index, element);
                }
                res
            }
            (Value::Element(number), Sort::Uninterpreted(name)) => {
                let name = format!("{}!{number}", self.sort_name(name));
                self.of_symbol(self.symbol(&name, sort, SymbolKind::Fresh))
            }
            _ => panic!("value {value:?} is not of sort {sort:?}"),
        }
    }

    /// An uninterpreted function applied to arguments of its sorts.
    pub fn apply(&self, function: FunctionSymbol, arguments: &[Term]) -> Term {
        let info = self.function_info(function);
        assert!(
            info.arguments.len() == arguments.len()
                && info.arguments.iter().zip(arguments).all(|(&sort, &it)| sort == self.sort(it)),
            "arguments of {} have the sorts of its signature",
            info.name
        );
        self.intern(Node::Apply(function, arguments.into()), info.result)
    }

    /// A universally quantified formula; `triggers` may be empty.
    pub fn forall(&self, variables: &[Symbol], triggers: &[Vec<Term>], body: Term) -> Term {
        self.quantifier(true, variables, triggers, body)
    }

    /// An existentially quantified formula; `triggers` may be empty.
    pub fn exists(&self, variables: &[Symbol], triggers: &[Vec<Term>], body: Term) -> Term {
        self.quantifier(false, variables, triggers, body)
    }

    fn mentions(&self, terms: &[Term], symbol: Symbol) -> bool {
        terms.iter().any(|&it| self.symbols(it).binary_search(&symbol).is_ok())
    }

    fn quantifier(&self, universal: bool, variables: &[Symbol], triggers: &[Vec<Term>], body: Term) -> Term {
        let mut triggers: Vec<&Vec<Term>> = triggers.iter().collect();
        let variables: Box<[Symbol]> = loop {
            let used =
                |it: &Symbol| self.symbols(body).contains(it) || triggers.iter().any(|at| self.mentions(at, *it));
            let kept: Box<[Symbol]> = variables.iter().copied().filter(used).collect();
            // A trigger that leaves a variable open matches nothing.
            let before = triggers.len();
            triggers.retain(|at| kept.iter().all(|&it| self.mentions(at, it)));
            if triggers.len() == before {
                break kept;
            }
        };
        if !variables.iter().any(|it| self.symbols(body).contains(it)) {
            return body;
        }
        let triggers = triggers.iter().map(|it| it.as_slice().into()).collect();
        let quantified = Quantification { universal, variables, triggers, body };
        self.intern(Node::Quantifier(Box::new(quantified)), Sort::Bool)
    }
}

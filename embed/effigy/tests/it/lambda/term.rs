//! Terms, values and path conditions: figures 4 and 7, with the symbolic values of figures 5, 8 and 9.

use std::fmt;
use std::rc::Rc;

pub type Name = Rc<str>;

#[derive(Clone, PartialEq, Debug)]
pub enum Term {
    Var(Name),
    Lambda(Name, Rc<Term>),
    App(Rc<Term>, Rc<Term>),
    True,
    False,
    If(Rc<Term>, Rc<Term>, Rc<Term>),
    Zero,
    Succ(Rc<Term>),
    Pred(Rc<Term>),
    IsZero(Rc<Term>),
    // Figure 7.
    Unit,
    Ref(Rc<Term>),
    Deref(Rc<Term>),
    Assign(Rc<Term>, Rc<Term>),
    Location(usize),
    // Symbolic values: inputs, variables of the symbolic store, expressions.
    Sym(u32),
    State(usize),
    Exp(&'static str, Vec<Term>),
    /// Figure 9: `(SYM_TAG, vals)`, what is in the store in place of a variable of σ.
    States(Vec<(Cond, Term)>),
    // What the redefined primitives are made of.
    Let(Name, Rc<Term>, Rc<Term>),
    IsSym(Rc<Term>),
    Make(&'static str, Vec<Term>),
    /// `!pc`, as a truth value: whether it is `true`.
    Unconditional,
    /// `pc := old ∧ c` (or `¬c`) around a term, and back.
    Under(bool, Rc<Term>, Rc<Term>),
    /// `sym({(!pc ∧ pc', b)} ∪ {(¬!pc ∧ pc', v)})`, of `!a` and `b`.
    Duplicate(Rc<Term>, Rc<Term>),
    /// `sym({(pc, b), (¬pc, !a)})`.
    Split(Rc<Term>, Rc<Term>),
}

#[derive(Clone, PartialEq, Debug, Default)]
pub enum Cond {
    #[default]
    True,
    Is(Rc<Term>),
    Not(Rc<Cond>),
    And(Rc<Cond>, Rc<Cond>),
}

impl Cond {
    /// Conjunction; with `true` it is the other.
    pub fn and(&self, other: &Cond) -> Cond {
        match (self, other) {
            (Cond::True, it) | (it, Cond::True) => it.clone(),
            (a, b) => Cond::And(Rc::new(a.clone()), Rc::new(b.clone())),
        }
    }

    pub fn not(&self) -> Cond {
        Cond::Not(Rc::new(self.clone()))
    }

    pub fn map(&self, change: &mut dyn FnMut(&Term) -> Term) -> Cond {
        match self {
            Cond::True => Cond::True,
            Cond::Is(it) => Cond::Is(Rc::new(change(it))),
            Cond::Not(it) => Cond::Not(Rc::new(it.map(change))),
            Cond::And(a, b) => Cond::And(Rc::new(a.map(change)), Rc::new(b.map(change))),
        }
    }

    /// Whether it holds under values of the symbols.
    pub fn holds(&self, values: &[(u32, Term)]) -> bool {
        match self {
            Cond::True => true,
            Cond::Is(it) => it.under(values) == Term::True,
            Cond::Not(it) => !it.holds(values),
            Cond::And(a, b) => a.holds(values) && b.holds(values),
        }
    }
}

pub fn atom(term: &Term) -> Cond {
    Cond::Is(Rc::new(term.clone()))
}

pub fn app(f: Term, x: Term) -> Term {
    Term::App(Rc::new(f), Rc::new(x))
}

pub fn lambda(name: &str, body: Term) -> Term {
    Term::Lambda(name.into(), Rc::new(body))
}

pub fn reference(it: Term) -> Term {
    Term::Ref(Rc::new(it))
}

pub fn deref(it: Term) -> Term {
    Term::Deref(Rc::new(it))
}

pub fn assign(a: Term, b: Term) -> Term {
    Term::Assign(Rc::new(a), Rc::new(b))
}

impl Term {
    pub fn is_numeral(&self) -> bool {
        match self {
            Term::Zero => true,
            Term::Succ(it) => it.is_numeral(),
            _ => false,
        }
    }

    pub fn is_symbolic(&self) -> bool {
        matches!(self, Term::Sym(_) | Term::State(_) | Term::Exp(..) | Term::States(_))
    }

    pub fn is_value(&self) -> bool {
        let plain = matches!(self, Term::Lambda(..) | Term::True | Term::False | Term::Unit | Term::Location(_));
        plain || self.is_numeral() || self.is_symbolic()
    }

    /// The same operator on changed operands.
    pub fn map(&self, change: &mut dyn FnMut(&Term) -> Term) -> Term {
        let mut new = |it: &Rc<Term>| Rc::new(change(it));
        match self {
            Term::App(a, b) => Term::App(new(a), new(b)),
            Term::If(a, b, c) => Term::If(new(a), new(b), new(c)),
            Term::Succ(a) => Term::Succ(new(a)),
            Term::Pred(a) => Term::Pred(new(a)),
            Term::IsZero(a) => Term::IsZero(new(a)),
            Term::Ref(a) => Term::Ref(new(a)),
            Term::Deref(a) => Term::Deref(new(a)),
            Term::Assign(a, b) => Term::Assign(new(a), new(b)),
            Term::Lambda(name, body) => Term::Lambda(name.clone(), new(body)),
            Term::Let(name, a, b) => Term::Let(name.clone(), new(a), new(b)),
            Term::IsSym(a) => Term::IsSym(new(a)),
            Term::Under(holds, a, b) => Term::Under(*holds, new(a), new(b)),
            Term::Duplicate(a, b) => Term::Duplicate(new(a), new(b)),
            Term::Split(a, b) => Term::Split(new(a), new(b)),
            Term::Exp(op, all) => Term::Exp(op, all.iter().map(change).collect()),
            Term::Make(op, all) => Term::Make(op, all.iter().map(change).collect()),
            Term::States(all) => Term::States(all.iter().map(|(cond, it)| (cond.map(change), change(it))).collect()),
            Term::Var(_)
            | Term::True
            | Term::False
            | Term::Zero
            | Term::Unit
            | Term::Location(_)
            | Term::Sym(_)
            | Term::State(_)
            | Term::Unconditional => self.clone(),
        }
    }

    /// [x ↦ v]t. Values are closed, so nothing is captured.
    pub fn substitute(&self, name: &Name, value: &Term) -> Term {
        match self {
            Term::Var(own) if own == name => value.clone(),
            Term::Lambda(own, _) if own == name => self.clone(),
            Term::Let(own, a, b) if own == name => {
                Term::Let(own.clone(), Rc::new(a.substitute(name, value)), b.clone())
            }
            // A value that stands here has no free variables.
            it if it.is_symbolic() => self.clone(),
            _ => self.map(&mut |it| it.substitute(name, value)),
        }
    }

    pub fn with_symbols(&self, values: &[(u32, Term)]) -> Term {
        match self {
            Term::Sym(own) => values.iter().find(|it| it.0 == *own).map_or(self.clone(), |it| it.1.clone()),
            _ => self.map(&mut |it| it.with_symbols(values)),
        }
    }

    /// The value that a symbolic value stands for.
    pub fn under(&self, values: &[(u32, Term)]) -> Term {
        match self {
            Term::Sym(_) => self.with_symbols(values),
            Term::States(all) => {
                let there: Vec<&Term> = all.iter().filter(|it| it.0.holds(values)).map(|it| &it.1).collect();
                // One path is taken, and only one.
                assert_eq!(there.len(), 1, "{self} with {values:?}");
                there[0].under(values)
            }
            Term::Exp(op, all) => {
                // Only the side that is taken has a meaning.
                let of = |at: usize| all[at].under(values);
                match (*op, of(0)) {
                    ("if", Term::True) => of(1),
                    ("if", _) => of(2),
                    ("succ", it) => Term::Succ(Rc::new(it)),
                    ("pred", Term::Succ(it)) => (*it).clone(),
                    ("pred", it) => it,
                    ("iszero", Term::Zero) => Term::True,
                    (_, _) => Term::False,
                }
            }
            Term::Lambda(..) => Term::Unit,
            _ => self.map(&mut |it| it.under(values)),
        }
    }

    /// How many operators it has, up to a limit.
    pub fn size(&self, most: usize) -> usize {
        let mut res = 1;
        self.map(&mut |it| {
            if res < most {
                res += it.size(most - res);
            }
            Term::Unit
        });
        res
    }
}

impl fmt::Display for Cond {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cond::True => f.write_str("true"),
            Cond::Is(it) => write!(f, "{it}"),
            Cond::Not(it) => match &**it {
                Cond::And(..) => write!(f, "¬({it})"),
                _ => write!(f, "¬{it}"),
            },
            Cond::And(a, b) => write!(f, "{a} ∧ {b}"),
        }
    }
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |all: &[Term]| all.iter().map(|it| format!(", {it}")).collect::<String>();
        match self {
            Term::Var(name) => f.write_str(name),
            Term::Lambda(name, body) => write!(f, "(λ{name}. {body})"),
            Term::App(a, b) => write!(f, "({a} {b})"),
            Term::True => f.write_str("true"),
            Term::False => f.write_str("false"),
            Term::If(a, b, c) => write!(f, "if {a} then {b} else {c}"),
            Term::Zero => f.write_str("0"),
            Term::Succ(it) => write!(f, "succ {it}"),
            Term::Pred(it) => write!(f, "pred {it}"),
            Term::IsZero(it) => write!(f, "iszero {it}"),
            Term::Unit => f.write_str("unit"),
            Term::Ref(it) => write!(f, "ref {it}"),
            Term::Deref(it) => write!(f, "!{it}"),
            Term::Assign(a, b) => write!(f, "({a} := {b})"),
            Term::Location(at) => write!(f, "l{at}"),
            Term::Sym(at) => write!(f, "s{at}"),
            Term::State(at) => write!(f, "sx{at}"),
            Term::Exp(op, all) | Term::Make(op, all) => write!(f, "Exp({op}{})", list(all)),
            Term::States(all) => {
                let all: Vec<String> = all.iter().map(|(cond, it)| format!("({cond} ⇒ {it})")).collect();
                write!(f, "{{{}}}", all.join(", "))
            }
            Term::Let(name, a, b) => write!(f, "let {name} = {a} in {b}"),
            Term::IsSym(it) => write!(f, "sym? {it}"),
            Term::Unconditional => f.write_str("!pc = true"),
            Term::Under(holds, c, it) => write!(f, "[pc ∧ {}{c}: {it}]", if *holds { "" } else { "¬" }),
            Term::Duplicate(a, b) => write!(f, "sym(.. {a} {b})"),
            Term::Split(a, b) => write!(f, "sym({{(pc, {b}), (¬pc, {a})}})"),
        }
    }
}

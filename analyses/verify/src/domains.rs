//! Domains: which instances a program mentions, and their axioms.
//!
//! Knows: types and axioms. Never: states of a path: axioms hold everywhere and are told before anything is assumed.

use crate::failure::ErrorKind;
use crate::machine::{Machine, Res, Scene};
use crate::state::{Blame, Env, Mode};
use effigy_contracts::program::{DomainId, Exp, ExpKind, Program, Type};
use effigy_heap::heap::Heap;
use effigy_heap::vocabulary::substituted;
use effigy_term::{Sort, Term};
use rustc_hash::FxHashSet;

/// The most instances of generic domains: a domain can mention itself at ever larger types.
const MOST_INSTANCES: usize = 200;

/// Instances are looked through so often: a domain with many type variables has as many combinations.
const MOST_TRIES: usize = 20_000;

/// Up to so many constants that differ from one another are told so in pairs.
const MOST_PAIRS: usize = 20;

type Instance = (DomainId, Vec<Type>);

impl<'a, 't> Machine<'a, 't> {
    /// Tells the prover the axioms of all domains, at the types at which the program uses them.
    pub(crate) fn tell_domains(&mut self) -> Res<()> {
        let program = self.program;
        for (domain, types) in instances(program) {
            self.tell_unique(domain, &types);
            let heap = Heap::default();
            for axiom in &program.domains[domain.index()].axioms {
                let env = Env { types: types.clone().into(), ..Env::new(&[], &axiom.variables) };
                let blame = Blame::at(ErrorKind::NotWellformed, axiom.body.span);
                let scene = Scene {
                    env: &env,
                    heap: &heap,
                    held: &heap,
                    blame,
                    checked: false,
                    amounts: false,
                    mode: Mode::default(),
                };
                let fact = self.eval(&scene, &axiom.body)?;
                self.prover.axiom(self.terms, fact);
            }
        }
        Ok(())
    }

    /// Nullary `unique` functions differ from one another.
    fn tell_unique(&mut self, domain: DomainId, types: &[Type]) {
        let mut by_sort: Vec<(Sort, Vec<Term>)> = Vec::new();
        for (at, function) in self.program.domain_functions.iter().enumerate() {
            if function.domain != domain || !function.unique || !function.parameters.is_empty() {
                continue;
            }
            let id = effigy_contracts::program::DomainFunctionId(at as u32);
            let term = self.vocabulary.domain_call(self.terms, id, types, &[]);
            let sort = self.terms.sort(term);
            match by_sort.iter_mut().find(|it| it.0 == sort) {
                Some((_, group)) => group.push(term),
                None => by_sort.push((sort, vec![term])),
            }
        }
        for (sort, group) in by_sort {
            if group.len() <= MOST_PAIRS {
                for (at, &left) in group.iter().enumerate() {
                    for &right in &group[at + 1..] {
                        let fact = self.terms.ne(left, right);
                        self.prover.axiom(self.terms, fact);
                    }
                }
                continue;
            }
            let number = self.terms.function("unique.number", &[sort], Sort::Int);
            for (at, &it) in group.iter().enumerate() {
                let fact = self.terms.eq(self.terms.apply(number, &[it]), self.terms.int(at));
                self.prover.axiom(self.terms, fact);
            }
        }
    }
}

/// The instances that the program mentions, each after those that made it necessary.
fn instances(program: &Program) -> Vec<Instance> {
    let mut found = Found::default();
    for (at, domain) in program.domains.iter().enumerate() {
        if domain.type_variables.is_empty() {
            found.add(DomainId(at as u32), Vec::new());
        }
    }
    let variables = program.functions.iter().flat_map(|it| &it.variables);
    let variables = variables.chain(program.predicates.iter().flat_map(|it| &it.variables));
    let variables = variables.chain(program.methods.iter().flat_map(|it| &it.variables));
    variables.for_each(|it| found.typ(&it.typ, &[]));
    program.fields.iter().for_each(|it| found.typ(&it.typ, &[]));
    program.functions.iter().for_each(|it| found.typ(&it.result, &[]));
    program.for_each_exp(|it| it.walk(&mut |it| found.exp(program, it, &[])));
    let spoken_of = spoken_of(program);
    let mut at = 0;
    found.close(program, &spoken_of, &mut at);
    // A type parameter on which nothing depends is Int.
    for (at, domain) in program.domains.iter().enumerate() {
        if !found.order.iter().any(|it| it.0.index() == at) {
            found.add(DomainId(at as u32), vec![Type::Int; domain.type_variables.len()]);
        }
    }
    found.close(program, &spoken_of, &mut at);
    found.order
}

/// The instances that the axioms of a generic domain speak of, with its type variables.
struct AxiomPatterns {
    domain: DomainId,
    variables: usize,
    patterns: Vec<Instance>,
}

/// What the axioms of generic domains speak of.
fn spoken_of(program: &Program) -> Vec<AxiomPatterns> {
    let mut res = Vec::new();
    for (at, domain) in program.domains.iter().enumerate() {
        let mut patterns: Vec<Instance> = Vec::new();
        for axiom in domain.axioms.iter().filter(|_| !domain.type_variables.is_empty()) {
            axiom.body.walk(&mut |it: &Exp| {
                if let ExpKind::DomainCall(function, _, args) = &*it.kind {
                    let pattern = (program.domain_functions[function.index()].domain, args.to_vec());
                    if !patterns.contains(&pattern) {
                        patterns.push(pattern);
                    }
                }
            });
        }
        if !patterns.is_empty() {
            res.push(AxiomPatterns { domain: DomainId(at as u32), variables: domain.type_variables.len(), patterns });
        }
    }
    res
}

/// What type variables stand for where a pattern is this type; `false` where it is not.
fn matches(pattern: &Type, typ: &Type, found: &mut [Option<Type>]) -> bool {
    match (pattern, typ) {
        (Type::Var(at), typ) => match found.get_mut(*at as usize) {
            Some(Some(known)) => known == typ,
            Some(unknown) => {
                *unknown = Some(typ.clone());
                true
            }
            None => false,
        },
        (Type::Seq(a), Type::Seq(b)) | (Type::Set(a), Type::Set(b)) | (Type::Multiset(a), Type::Multiset(b)) => {
            matches(a, b, found)
        }
        (Type::Map(a, b), Type::Map(c, d)) => matches(a, c, found) && matches(b, d, found),
        (Type::Domain(a, of), Type::Domain(b, args)) => {
            a == b && of.len() == args.len() && of.iter().zip(args.iter()).all(|(a, b)| matches(a, b, found))
        }
        (a, b) => a == b,
    }
}

#[derive(Default)]
struct Found {
    order: Vec<Instance>,
    seen: FxHashSet<Instance>,
    /// How many instances were looked through for what is open.
    tries: usize,
}

impl Found {
    fn add(&mut self, domain: DomainId, types: Vec<Type>) {
        if types.iter().all(is_ground) && self.seen.insert((domain, types.clone())) {
            self.order.push((domain, types));
        }
    }

    /// Adds what the instances make necessary, and the axioms of other domains that speak of them.
    fn close(&mut self, program: &Program, spoken_of: &[AxiomPatterns], at: &mut usize) {
        while *at < self.order.len() && self.order.len() < MOST_INSTANCES {
            let (domain, types) = self.order[*at].clone();
            *at += 1;
            for axiom in &program.domains[domain.index()].axioms {
                axiom.variables.iter().for_each(|it| self.typ(&it.typ, &types));
                axiom.body.walk(&mut |it: &Exp| self.exp(program, it, &types));
            }
            for function in program.domain_functions.iter().filter(|it| it.domain == domain) {
                function.parameters.iter().chain([&function.result]).for_each(|it| self.typ(it, &types));
            }
            for of in spoken_of {
                for pattern in of.patterns.iter().filter(|it| it.0 == domain) {
                    let mut variables = vec![None; of.variables];
                    if pattern.1.iter().zip(&types).all(|(a, b)| matches(a, b, &mut variables)) {
                        self.complete(of, variables);
                    }
                }
            }
        }
    }

    /// Adds a domain at these types for its type variables. What is open is found in other instances that its axioms
    /// speak of: `contains[A, B]` and `contains[B, C]` together say what A, B and C are.
    fn complete(&mut self, of: &AxiomPatterns, variables: Vec<Option<Type>>) {
        if let Some(all) = variables.iter().cloned().collect::<Option<Vec<Type>>>() {
            return self.add(of.domain, all);
        }
        let is_bound = |it: &Type| mentions(it, &mut |at| variables.get(at as usize).is_some_and(Option::is_some));
        let is_open = |it: &Type| mentions(it, &mut |at| variables.get(at as usize).is_some_and(Option::is_none));
        let next = of.patterns.iter().find(|(_, args)| args.iter().any(is_bound) && args.iter().any(is_open));
        let Some((domain, args)) = next else { return };
        for at in 0..self.order.len().min(MOST_INSTANCES) {
            self.tries += 1;
            if self.tries > MOST_TRIES {
                return;
            }
            let (known, types) = &self.order[at];
            let mut variables = variables.clone();
            if known == domain && args.iter().zip(types).all(|(a, b)| matches(a, b, &mut variables)) {
                self.complete(of, variables);
            }
        }
    }

    fn typ(&mut self, typ: &Type, types: &[Type]) {
        match substituted(typ, types) {
            Type::Seq(it) | Type::Set(it) | Type::Multiset(it) => self.typ(&it, &[]),
            Type::Map(key, value) => {
                self.typ(&key, &[]);
                self.typ(&value, &[]);
            }
            Type::Domain(domain, args) => {
                args.iter().for_each(|it| self.typ(it, &[]));
                self.add(domain, args.to_vec());
            }
            _ => {}
        }
    }

    fn exp(&mut self, program: &Program, exp: &Exp, types: &[Type]) {
        self.typ(&exp.typ, types);
        if let ExpKind::DomainCall(function, _, args) = &*exp.kind {
            let args: Vec<Type> = args.iter().map(|it| substituted(it, types)).collect();
            args.iter().for_each(|it| self.typ(it, &[]));
            self.add(program.domain_functions[function.index()].domain, args);
        }
    }
}

/// Whether a type mentions a type variable of which this is said.
fn mentions(typ: &Type, said: &mut dyn FnMut(u32) -> bool) -> bool {
    match typ {
        Type::Var(at) => said(*at),
        Type::Seq(it) | Type::Set(it) | Type::Multiset(it) => mentions(it, said),
        Type::Map(key, value) => mentions(key, said) || mentions(value, said),
        Type::Domain(_, types) => types.iter().any(|it| mentions(it, said)),
        _ => false,
    }
}

fn is_ground(typ: &Type) -> bool {
    !mentions(typ, &mut |_| true)
}

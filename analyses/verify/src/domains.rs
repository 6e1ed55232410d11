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

/// What the axioms of generic domains speak of: the domain whose axiom it is, and the instance, with its type variables.
fn spoken_of(program: &Program) -> Vec<(DomainId, Instance)> {
    let mut res = Vec::new();
    for (at, domain) in program.domains.iter().enumerate() {
        if domain.type_variables.is_empty() {
            continue;
        }
        let at = DomainId(at as u32);
        for axiom in &domain.axioms {
            axiom.body.walk(&mut |it: &Exp| {
                if let ExpKind::DomainCall(function, _, args) = &*it.kind {
                    res.push((at, (program.domain_functions[function.index()].domain, args.to_vec())));
                }
            });
        }
    }
    res.sort_by_key(|it| it.0.index());
    res.dedup();
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
}

impl Found {
    fn add(&mut self, domain: DomainId, types: Vec<Type>) {
        if types.iter().all(is_ground) && self.seen.insert((domain, types.clone())) {
            self.order.push((domain, types));
        }
    }

    /// Adds what the instances make necessary, and the axioms of other domains that speak of them.
    fn close(&mut self, program: &Program, spoken_of: &[(DomainId, Instance)], at: &mut usize) {
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
            for (of, (spoken, patterns)) in spoken_of {
                let mut variables = vec![None; program.domains[of.index()].type_variables.len()];
                if *spoken == domain
                    && patterns.iter().zip(&types).all(|(a, b)| matches(a, b, &mut variables))
                    && let Some(all) = variables.into_iter().collect::<Option<Vec<Type>>>()
                {
                    self.add(*of, all);
                }
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

fn is_ground(typ: &Type) -> bool {
    match typ {
        Type::Var(_) => false,
        Type::Seq(it) | Type::Set(it) | Type::Multiset(it) => is_ground(it),
        Type::Map(key, value) => is_ground(key) && is_ground(value),
        Type::Domain(_, types) => types.iter().all(is_ground),
        _ => true,
    }
}

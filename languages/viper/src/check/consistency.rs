//! What is well-typed and still means nothing.
//!
//! Knows: Viper's consistency rules. Never: inference, how to hand over.
//! Source: silver's `Consistency.scala`, the `check` of the nodes in `Program.scala`, `Statement.scala` and
//! `Expression.scala`; each rule reports where silver does.

pub mod cycle;
mod exp;
mod measure;
mod quantified;
mod stmt;
mod wand;

use super::table::Table;
use super::tree::{Axiom, Bodies, Function, Labels, Method, Node, Op, Predicate, Role, Stmt, StmtKind, Target, Var};
use crate::ReadError;
use crate::ast::{self, Item, Span};
use effigy_contracts::program::DomainFunctionId;
use rustc_hash::FxHashSet;

/// Checks a program for inconsistencies and collects them.
pub struct Consistency<'t, 'a> {
    table: &'t Table<'a>,
    errors: Vec<ReadError>,
    /// The labels and variables of the current member.
    labels: Option<&'t Labels>,
    variables: &'t [Var],
    /// Functions whose names are those of axioms.
    hidden: FxHashSet<DomainFunctionId>,
}

/// The inconsistencies of a program.
pub fn errors<'a>(program: &ast::Program, table: &Table<'a>, bodies: &Bodies<'a>) -> Vec<ReadError> {
    let mut check = Consistency::new(table);
    check.axiom_names(program);
    table.domains.iter().for_each(|it| check.domain(it));
    bodies.adts.iter().for_each(|(_, it)| check.adt(it));
    bodies.axioms.iter().for_each(|it| check.axiom(it));
    bodies.functions.iter().for_each(|it| check.function(it));
    bodies.predicates.iter().for_each(|it| check.predicate(it));
    bodies.methods.iter().for_each(|it| check.method(it));
    check.recursive_preconditions(bodies);
    check.errors
}

/// What silver's translation reports, as type errors: triggers, arguments in `forperm`, fields that are assigned to
/// twice.
pub fn translation_errors<'a>(table: &Table<'a>, bodies: &Bodies<'a>) -> Vec<ReadError> {
    let mut check = Consistency::new(table);
    let visit = &mut |it: &Node<'a>| check.translation(it);
    bodies.axioms.iter().for_each(|it| it.body.each(visit));
    for it in &bodies.functions {
        it.pre.iter().chain(&it.post).chain(&it.body).for_each(|it| it.each(visit));
    }
    bodies.predicates.iter().flat_map(|it| &it.body).for_each(|it| it.each(visit));
    for it in &bodies.methods {
        it.pre.iter().chain(&it.post).for_each(|it| it.each(visit));
        it.body.iter().flatten().for_each(|it| each_exp(it, visit));
    }
    for it in &bodies.methods {
        it.body.iter().flatten().for_each(|it| check.targets_differ(it));
    }
    check.errors
}

/// What silver's plugins report last: about `decreases` clauses, and functions that need one.
pub fn plugin_errors<'a>(table: &Table<'a>, bodies: &Bodies<'a>) -> Vec<ReadError> {
    let mut check = Consistency::new(table);
    check.measures(bodies);
    check.errors
}

fn each_exp<'a>(stmt: &Stmt<'a>, visit: &mut dyn FnMut(&Node<'a>)) {
    // Twice, as both closures would borrow `visit`.
    stmt.parts(&mut |it| it.each(visit), &mut |_| {});
    stmt.parts(&mut |_| {}, &mut |it| each_exp(it, visit));
}

impl<'t, 'a> Consistency<'t, 'a> {
    fn new(table: &'t Table<'a>) -> Consistency<'t, 'a> {
        Consistency { table, errors: Vec::new(), labels: None, variables: &[], hidden: FxHashSet::default() }
    }

    fn error(&mut self, span: Span, message: impl Into<String>) {
        self.errors.push(ReadError::consistency(span, message));
    }

    fn translation_error(&mut self, span: Span, message: impl Into<String>) {
        self.errors.push(ReadError::typechecker(span, message));
    }

    fn has_label(&self, name: &ast::Name) -> bool {
        self.labels.is_some_and(|it| it.get(&name.text).is_some())
    }

    /// Reports at `at` if it contains one of these.
    fn ban(&mut self, at: &Node<'a>, is: impl Fn(&Op) -> bool, message: &str) {
        if at.any(&mut |it| is(&it.op)) {
            self.error(at.span, message);
        }
    }

    fn pure(&mut self, node: &Node<'a>) {
        if !node.is_pure() {
            self.error(node.span, "only a pure expression is allowed here");
        }
    }

    /// Axioms have names of their own, which nothing else may have. In each domain they go before the functions: it is the
    /// function that is reported, and wherever it is applied, its name means the axiom.
    fn axiom_names(&mut self, program: &ast::Program) {
        let mut taken: FxHashSet<&str> = FxHashSet::default();
        for item in &program.items {
            match item {
                Item::Import(_) | Item::Macro(_) => {}
                Item::Fields(it) => taken.extend(it.fields.iter().map(|it| &*it.name.text)),
                Item::Method(it) => drop(taken.insert(&it.name.text)),
                Item::Function(it) => drop(taken.insert(&it.name.text)),
                Item::Predicate(it) => drop(taken.insert(&it.name.text)),
                Item::Adt(it) => drop(taken.insert(&it.name.text)),
                Item::Domain(it) => drop(taken.insert(&it.name.text)),
            }
        }
        // All domain functions, domain after domain.
        let mut function_idx = 0;
        for domain in &self.table.domains {
            for axiom in &domain.axioms {
                if let Some(name) = &axiom.name
                    && !taken.insert(&name.text)
                {
                    self.error(axiom.span, format!("duplicate identifier `{}`", name.text));
                }
            }
            for function in &domain.functions {
                if !taken.insert(&function.name.text) {
                    self.error(function.span, format!("duplicate identifier `{}`", function.name.text));
                    self.hidden.insert(DomainFunctionId(function_idx));
                }
                function_idx += 1;
            }
        }
    }

    fn domain(&mut self, decl: &ast::Domain) {
        if let Some(interpretations) = &decl.interpretations {
            if !decl.type_variables.is_empty() {
                self.error(decl.span, "interpreted domains cannot have type arguments");
            }
            if !interpretations.iter().any(|it| *it.backend.text == *"SMTLIB") {
                self.error(decl.span, format!("domain {} has no interpretation for SMTLIB", decl.name.text));
            }
        }
        for function in &decl.functions {
            if function.unique && !function.parameters.is_empty() {
                self.error(function.span, "only constants, i.e. nullary domain functions, can be unique");
            }
        }
    }

    fn adt(&mut self, decl: &ast::Adt) {
        if decl.constructors.is_empty() {
            self.error(decl.span, format!("ADT {} must have at least one constructor", decl.name.text));
        }
    }

    fn axiom(&mut self, axiom: &'t Axiom<'a>) {
        (self.labels, self.variables) = (None, &axiom.variables);
        let body = &axiom.body;
        self.ban(body, |it| matches!(it, Op::Old), "axioms can never contain old expressions");
        let location = |it: &Op| matches!(it, Op::Field(_) | Op::Predicate(_));
        self.ban(body, location, "axioms can never contain location accesses");
        self.ban(body, |it| matches!(it, Op::Asserting), "axioms can never contain asserting expressions");
        self.pure(body);
        self.expression(body);
    }

    fn function(&mut self, function: &'t Function<'a>) {
        (self.labels, self.variables) = (None, &function.variables);
        for it in &function.pre {
            self.precondition(it);
            it.each(&mut |it| {
                if it.is_wand() {
                    self.error(it.span, "magic wands are not supported in functions' preconditions");
                }
            });
        }
        for it in &function.post {
            self.ban(it, |it| matches!(it, Op::Old), "function postconditions must not have old expressions");
            self.ban(it, is_introspection, "function postconditions must not have perm and forperm expressions");
            self.postcondition(it);
            if asks_permission(it) {
                self.error(it.span, "function postconditions must not contain permissions");
            }
        }
        if let Some(body) = &function.body {
            self.ban(body, |it| matches!(it, Op::Old), "old expressions are not allowed in function bodies");
            self.ban(body, |it| matches!(it, Op::Result), "result expressions are not allowed in function bodies");
            self.ban(body, is_introspection, "function bodies are not allowed to contain perm and forperm expressions");
            self.pure(body);
        }
        let measures = function.decreases.iter().flat_map(|it| it.exps());
        function
            .pre
            .iter()
            .chain(&function.post)
            .chain(&function.body)
            .chain(measures)
            .for_each(|it| self.expression(it));
    }

    fn predicate(&mut self, predicate: &'t Predicate<'a>) {
        (self.labels, self.variables) = (None, &predicate.variables);
        let Some(body) = &predicate.body else { return };
        self.wildcards(body);
        self.ban(body, |it| matches!(it, Op::Old), "predicates must not contain old expressions");
        self.ban(body, is_introspection, "perm and forperm expressions are not allowed in predicate bodies");
        self.expression(body);
    }

    fn method(&mut self, method: &'t Method<'a>) {
        (self.labels, self.variables) = (Some(&method.labels), &method.variables);
        for (name, span) in &method.labels.duplicates {
            self.error(*span, format!("duplicate identifier `{name}`"));
        }
        for it in &method.pre {
            self.precondition(it);
            it.each(&mut |it| match it.op {
                Op::Var(id) if self.variables[id.index()].role == Role::Result => {
                    let message = format!("{} cannot be accessed in a precondition", self.variables[id.index()].name);
                    self.error(it.span, message);
                }
                _ => {}
            });
        }
        method.post.iter().for_each(|it| self.postcondition(it));
        let measures = method.decreases.iter().flat_map(|it| it.exps());
        for it in method.pre.iter().chain(&method.post).chain(measures) {
            self.wildcards(it);
            self.expression(it);
        }
        method.body.iter().flatten().for_each(|it| self.statement(it));
    }

    fn precondition(&mut self, exp: &Node<'a>) {
        self.ban(exp, |it| matches!(it, Op::Old), "old expressions are not allowed in preconditions");
        self.ban(exp, |it| matches!(it, Op::OldLabel(_)), "labelled-old expressions are not allowed in preconditions");
        self.ban(exp, |it| matches!(it, Op::Result), "result is only allowed in postconditions of functions");
    }

    fn postcondition(&mut self, exp: &Node<'a>) {
        self.ban(exp, |it| matches!(it, Op::OldLabel(_)), "labelled-old expressions are not allowed in postconditions");
    }
}

fn is_introspection(op: &Op) -> bool {
    matches!(op, Op::Perm | Op::ForPerm(_))
}

/// Whether it asks for permission other than in front of `unfolding` and `applying`.
fn asks_permission(node: &Node) -> bool {
    match node.op {
        Op::Acc | Op::Predicate(_) => true,
        Op::Unfolding | Op::Applying => node.args[0].parts().any(inside_asks) || asks_permission(&node.args[1]),
        // What is named there is not asked for.
        Op::Perm => false,
        _ if node.is_wand() => true,
        _ => node.args.iter().any(asks_permission),
    }
}

fn inside_asks(node: &Node) -> bool {
    match node.op {
        Op::Predicate(_) => node.args.iter().any(asks_permission),
        _ => asks_permission(node),
    }
}

/// Whether a field is assigned to.
fn assigns_field(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Assign(Target::Field(_), _) | StmtKind::New(Target::Field(_), _) => true,
        StmtKind::Call { targets, .. } => targets.iter().any(|it| matches!(it, Target::Field(_))),
        _ => false,
    }
}

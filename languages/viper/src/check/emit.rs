//! The program that is verified, from the checked one.
//!
//! Knows: how silver's constructs are represented there, which of them are not known to the verifier yet.
//! Never: errors: whatever comes here is well-typed and consistent.
//!
//! What the verifier does not know is [`heap::ExpKind::Unsupported`] where it stands. What concerns a member as a whole
//! (a parameter or a variable of an interpreted domain's type) is an unsupported precondition or body, so that
//! neither the member nor whoever uses it gets a verdict.

mod adt;
mod exp;
mod measure;
mod stmt;

use self::measure::{Caller, Foreign, Measures};
use super::table::Table;
use super::tree::{self, Bodies, Labels, Node, Role, Var};
use super::types::Ty;
use crate::ast::{self, Span};
use effigy_contracts::program::{self as heap, VarId};
use std::collections::BTreeMap;
use std::sync::Arc;

/// One member on its way out.
pub struct Emitter<'t, 'a> {
    table: &'t Table<'a>,
    variables: Vec<heap::MemberVariable>,
    labels: Labels,
    /// Something in a parameter's or result's type that the verifier does not know.
    unsupported: Option<(&'static str, Span)>,
    /// What it does not know about the types of other variables: they are reported where they come into scope.
    unknown_variables: BTreeMap<VarId, &'static str>,
    /// The measures of the program; none where nothing is called.
    measures: Option<&'t Measures<'t, 'a>>,
    /// Whose measure is checked in what is emitted.
    caller: Option<Caller<'t, 'a>>,
    /// What is emitted stands in another member.
    foreign: Option<Foreign<'t>>,
}

/// The program for the verifier.
pub fn program(source: &ast::Program, table: &Table, bodies: &Bodies) -> heap::Program {
    let fields = table.fields.iter().map(|(decl, ty)| heap::Field {
        name: decl.name.text.clone(),
        typ: adt::typ(table, ty).unwrap_or(heap::Type::Ref),
        span: decl.span,
    });
    let measures = Measures::new(table, bodies);
    let functions = bodies.functions.iter().enumerate();
    let methods = bodies.methods.iter().enumerate();
    heap::Program {
        files: source.files.clone(),
        fields: fields.collect(),
        domains: domains(table, bodies),
        domain_functions: domain_functions(table),
        functions: functions.map(|(at, it)| function(table, &measures, at, it)).collect(),
        predicates: bodies.predicates.iter().map(|it| predicate(table, it)).collect(),
        methods: methods.map(|(at, it)| method(table, &measures, at, it)).collect(),
        functions_terminate: false,
        shrinking: Vec::new(),
    }
}

fn domains(table: &Table, bodies: &Bodies) -> Vec<heap::Domain> {
    let domain = |decl: &&ast::Domain| heap::Domain {
        name: decl.name.text.clone(),
        type_variables: decl.type_variables.iter().map(|it| it.text.clone()).collect(),
        axioms: Vec::new(),
        span: decl.span,
    };
    let mut res: Vec<heap::Domain> = table.domains.iter().map(domain).collect();
    for it in &bodies.axioms {
        res[it.domain.index()].axioms.push(axiom(table, it));
    }
    res.extend(adt::domains(table));
    res
}

fn axiom(table: &Table, axiom: &tree::Axiom) -> heap::Axiom {
    let mut emitter = Emitter::new(table, &axiom.variables, Labels::default(), []);
    let body = emitter.exp(&axiom.body);
    let name = axiom.decl.name.as_ref().map(|it| it.text.clone());
    heap::Axiom { name, variables: emitter.variables, body }
}

fn domain_functions(table: &Table) -> Vec<heap::DomainFunction> {
    let typ = |it: &Ty| adt::typ(table, it).unwrap_or(heap::Type::Ref);
    let functions = table.domain_functions.iter().map(|it| heap::DomainFunction {
        name: it.decl.name.text.clone(),
        domain: it.domain,
        parameters: it.signature.parameters.iter().map(typ).collect(),
        result: typ(&it.signature.result),
        unique: it.decl.unique,
        span: it.decl.span,
    });
    functions.chain(adt::functions(table)).collect()
}

fn function<'t, 'a>(
    table: &'t Table<'a>,
    measures: &'t Measures<'t, 'a>,
    at: usize,
    function: &tree::Function<'a>,
) -> heap::Function {
    let result = (&function.result, function.decl.result.span);
    let mut emitter = Emitter::new(table, &function.variables, Labels::default(), [result]);
    let mut pre = emitter.exps(&function.pre);
    let mut post = emitter.exps(&function.post);
    emitter.measures = Some(measures);
    emitter.caller = measures.of_function(at);
    let body = function.body.as_ref().map(|it| emitter.exp(it));
    if let Some((what, span)) = emitter.unsupported {
        pre.push(unsupported(what, heap::Type::Bool, span));
    }
    if let Some(span) = measures.in_contract(at) {
        // Before the others: they may rest on the recursion that the measure allows.
        post.insert(0, unsupported(measure::NAME, heap::Type::Bool, span));
    }
    heap::Function {
        name: function.decl.name.text.clone(),
        parameters: function.decl.parameters.len(),
        result: adt::typ(table, &function.result).unwrap_or(heap::Type::Ref),
        pre,
        post,
        body,
        measured: measures.is_measured(at),
        opaque: function.decl.annotations.iter().any(|it| &*it.key.text == "opaque"),
        span: head(function.decl.span, &function.decl.name),
        variables: emitter.variables,
    }
}

fn predicate(table: &Table, predicate: &tree::Predicate) -> heap::Predicate {
    let mut emitter = Emitter::new(table, &predicate.variables, Labels::default(), []);
    let mut body = predicate.body.as_ref().map(|it| emitter.exp(it));
    if let Some((what, span)) = emitter.unsupported {
        body = Some(unsupported(what, heap::Type::Bool, span));
    }
    heap::Predicate {
        name: predicate.decl.name.text.clone(),
        parameters: predicate.decl.parameters.len(),
        body,
        span: head(predicate.decl.span, &predicate.decl.name),
        variables: emitter.variables,
    }
}

fn method<'t, 'a>(
    table: &'t Table<'a>,
    measures: &'t Measures<'t, 'a>,
    at: usize,
    method: &'t tree::Method<'a>,
) -> heap::Method {
    let mut emitter = Emitter::new(table, &method.variables, method.labels.clone(), []);
    let mut pre = emitter.exps(&method.pre);
    let post = emitter.exps(&method.post);
    emitter.measures = Some(measures);
    emitter.caller = measures.of_method(at);
    let mut body = method.body.as_ref().map(|it| emitter.stmts(it));
    if let Some((what, span)) = emitter.unsupported {
        pre.push(unsupported(what, heap::Type::Bool, span));
    }
    if let Some(span) = measures.of_jumps(at) {
        let unknown = heap::Stmt { kind: heap::StmtKind::Unsupported(measure::NAME.into()), span };
        body.iter_mut().for_each(|it| it.insert(0, unknown.clone()));
    }
    heap::Method {
        name: method.decl.name.text.clone(),
        parameters: method.decl.parameters.len(),
        results: method.decl.results.len(),
        labels: method.labels.names.clone(),
        pre,
        post,
        body,
        span: head(method.decl.span, &method.decl.name),
        variables: emitter.variables,
    }
}

/// From the start of a member to its name.
fn head(member: Span, name: &ast::Name) -> Span {
    Span { end_line: name.span.end_line, end_column: name.span.end_column, ..member }
}

fn unsupported(what: &str, typ: heap::Type, span: Span) -> heap::Exp {
    heap::Exp::new(heap::ExpKind::Unsupported(what.into()), typ, span)
}

impl<'t, 'a> Emitter<'t, 'a> {
    fn new<'x>(
        table: &'t Table<'a>,
        variables: &'x [Var],
        labels: Labels,
        others: impl IntoIterator<Item = (&'x Ty, Span)>,
    ) -> Emitter<'t, 'a> {
        let mut emitter = Emitter {
            table,
            variables: Vec::new(),
            labels,
            unsupported: None,
            unknown_variables: BTreeMap::new(),
            measures: None,
            caller: None,
            foreign: None,
        };
        let mut others: Vec<(&Ty, Span)> = others.into_iter().collect();
        for it in variables {
            if matches!(it.role, Role::Parameter | Role::Result) {
                others.push((&it.ty, it.span));
            }
            emitter.variable(it.name.clone(), &it.ty, it.span);
        }
        let unknown = others.into_iter().find_map(|(ty, span)| Some((emitter.unknown_type(ty)?, span)));
        emitter.unsupported = unknown;
        emitter
    }

    /// Adds a variable to the current member.
    fn variable(&mut self, name: Arc<str>, ty: &Ty, span: Span) -> VarId {
        let id = VarId(self.variables.len() as u32);
        if let Some(what) = self.unknown_type(ty) {
            self.unknown_variables.insert(id, what);
        }
        let typ = adt::typ(self.table, ty).unwrap_or(heap::Type::Ref);
        self.variables.push(heap::MemberVariable { name, typ, span });
        id
    }

    fn exps(&mut self, nodes: &[Node<'a>]) -> Vec<heap::Exp> {
        nodes.iter().map(|it| self.exp(it)).collect()
    }

    /// What the verifier does not know about a type.
    fn unknown_type(&self, ty: &Ty) -> Option<&'static str> {
        let mut todo = vec![ty.clone()];
        while let Some(ty) = todo.pop() {
            match &ty {
                Ty::Measure => return Some("predicate instances"),
                Ty::Domain(id, _) if self.table.domains[id.index()].interpretations.is_some() => {
                    return Some("interpreted domains");
                }
                _ => {}
            }
            ty.map_parts(&mut |it| {
                todo.push(it.clone());
                Ty::Error
            });
        }
        None
    }
}

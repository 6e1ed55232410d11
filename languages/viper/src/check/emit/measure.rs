//! `decreases` clauses as assertions where something is called, and at the end of a loop's body.
//!
//! Knows: what a clause asks for, and where. Never: how that is proved, which orders there are (`<decreases/...>`).
//!
//! A tuple promises that its member terminates where its condition holds. What the member calls must then terminate:
//! it says so itself, or, where it leads back to the member, its tuple is smaller than the member's was at the start.
//! Tuples are compared from left to right; one that ends first is larger. `_` is taken for granted, `*` and no clause at
//! all promise nothing.
//! An application in the body of a function is `asserting (…) in f(e)`, which the verifier checks where it looks at the
//! body and nowhere else. The callee's measure stands in the caller's member: its parameters are bound by `let`.
//! Source: silver's `FunctionCheck.scala`, `MethodCheck.scala` and `DecreasesCheck.scala`.

use super::Emitter;
use crate::ast::Span;
use crate::check::consistency::cycle::{Mentions, components, mentions};
use crate::check::table::{Callable, Table};
use crate::check::tree::{Bodies, Decreases, Function, MeasureKind, Method, Node, Op, Role, Stmt, StmtKind, Var};
use crate::check::types::Ty;
use effigy_contracts::program::{
    BinaryOp, DomainFunctionId, Exp, ExpKind, FunctionId, MeasureCheck, MeasureRule, MethodId, Type, UnaryOp, VarId,
};
use rustc_hash::FxHashMap;

/// The name by which a measure is reported that the verifier does not know.
pub const NAME: &str = "termination measures";

/// All `decreases` clauses of a program, and who leads back to whom.
pub struct Measures<'b, 'a> {
    bodies: &'b Bodies<'a>,
    /// Two functions have the same number if each applies the other.
    functions: Vec<usize>,
    methods: Vec<usize>,
    /// `decreasing` and `bounded`, if they are declared.
    order: Option<(DomainFunctionId, DomainFunctionId)>,
}

/// The member whose measure is checked.
pub struct Caller<'b, 'a> {
    tuple: &'b Decreases<'a>,
    component: usize,
    /// Applications of functions are checked, otherwise calls of methods and loops.
    is_function: bool,
}

/// What is emitted of another member: its variables, and what they are here.
pub struct Foreign<'b> {
    variables: &'b [Var],
    here: FxHashMap<VarId, VarId>,
}

/// What is called, by its clauses and variables.
struct Callee<'b, 'a> {
    clauses: &'b [Decreases<'a>],
    variables: &'b [Var],
    component: usize,
    span: Span,
}

impl<'b, 'a> Measures<'b, 'a> {
    /// The clauses of a program.
    pub fn new(table: &Table, bodies: &'b Bodies<'a>) -> Measures<'b, 'a> {
        let parts = |it: &'b Function<'a>| it.pre.iter().chain(&it.post).chain(&it.body);
        let methods: Mentions = bodies.methods.iter().map(|it| called(it.body.iter().flatten())).collect();
        Measures {
            bodies,
            functions: components(&mentions(bodies, parts)),
            methods: components(&methods),
            order: order(table),
        }
    }

    /// The measure that the body of a function is held to.
    pub fn of_function(&self, at: usize) -> Option<Caller<'b, 'a>> {
        let function = &self.bodies.functions[at];
        function.body.as_ref()?;
        Some(Caller { tuple: tuple(&function.decreases)?, component: self.functions[at], is_function: true })
    }

    /// The measure that the body of a method is held to.
    pub fn of_method(&self, at: usize) -> Option<Caller<'b, 'a>> {
        let method = &self.bodies.methods[at];
        method.body.as_ref()?;
        Some(Caller { tuple: tuple(&method.decreases)?, component: self.methods[at], is_function: false })
    }

    fn function(&self, id: FunctionId) -> Callee<'b, 'a> {
        let Function { decreases, variables, decl, .. } = &self.bodies.functions[id.index()];
        Callee { clauses: decreases, variables, component: self.functions[id.index()], span: decl.name.span }
    }

    fn method(&self, id: MethodId) -> Callee<'b, 'a> {
        let Method { decreases, variables, decl, .. } = &self.bodies.methods[id.index()];
        Callee { clauses: decreases, variables, component: self.methods[id.index()], span: decl.name.span }
    }

    /// The clause of a function whose contract applies something of which it is not plain that it terminates: that is
    /// not checked yet.
    pub fn in_contract(&self, at: usize) -> Option<Span> {
        let function = &self.bodies.functions[at];
        let clause = tuple(&function.decreases)?;
        let matters = |it: &Node| match it.op {
            Op::Function(id) => {
                self.functions[id.index()] == self.functions[at]
                    || !always(&self.bodies.functions[id.index()].decreases)
            }
            _ => false,
        };
        let mut parts = function.pre.iter().chain(&function.post);
        parts.any(|it| it.any(&mut |it| matters(it))).then_some(clause.span)
    }

    /// Whether the clause of a function is checked and holds for all arguments.
    pub fn is_measured(&self, at: usize) -> bool {
        let is_known = |it: &Node| self.order.is_some() && !it.ty.asks_permission() && it.ty != Ty::Measure;
        let clause = tuple(&self.bodies.functions[at].decreases);
        clause.is_some_and(|it| it.condition.is_none() && it.tuple.iter().all(is_known))
    }

    /// The clause of a method whose body jumps: which loops that makes is not looked at.
    pub fn of_jumps(&self, at: usize) -> Option<Span> {
        let method = &self.bodies.methods[at];
        let clause = tuple(&method.decreases)?;
        method.body.iter().flatten().any(jumps).then_some(clause.span)
    }
}

/// The functions `decreasing` and `bounded` of `<decreases/declaration.vpr>`, if they are declared.
pub fn order(table: &Table) -> Option<(DomainFunctionId, DomainFunctionId)> {
    let find = |name: &str, parameters: usize| match table.callables(name) {
        [Callable::DomainFunction(id)] => {
            let function = table.domain_functions.get(id.index())?;
            let types = table.domains.get(function.domain.index())?.type_variables.len();
            let signature = &function.signature;
            (types == 1 && signature.parameters.len() == parameters && signature.result == Ty::Bool).then_some(*id)
        }
        _ => None,
    };
    find("decreasing", 2).zip(find("bounded", 1))
}

/// The clause with a tuple, if there is one.
pub fn tuple<'b, 'a>(clauses: &'b [Decreases<'a>]) -> Option<&'b Decreases<'a>> {
    clauses.iter().find(|it| it.kind == MeasureKind::Tuple)
}

/// Whether clauses promise termination without a condition.
fn always(clauses: &[Decreases]) -> bool {
    clauses.iter().any(|it| it.kind != MeasureKind::Star && it.condition.is_none())
}

/// The methods that statements call.
fn called<'s, 'a: 's>(stmts: impl Iterator<Item = &'s Stmt<'a>>) -> Vec<usize> {
    let (mut res, mut todo): (Vec<usize>, Vec<&Stmt>) = (Vec::new(), stmts.collect());
    while let Some(it) = todo.pop() {
        if let StmtKind::Call { method, .. } = &it.kind {
            res.push(method.index());
        }
        it.parts(&mut |_| {}, &mut |it| todo.push(it));
    }
    res
}

fn jumps(stmt: &Stmt) -> bool {
    let mut res = matches!(stmt.kind, StmtKind::Goto(_));
    stmt.parts(&mut |_| {}, &mut |it| res |= jumps(it));
    res
}

impl<'b, 'a> Emitter<'b, 'a> {
    /// The number that a variable has in the member that is emitted.
    pub fn here(&mut self, id: VarId) -> VarId {
        let Some(foreign) = &self.foreign else { return id };
        if let Some(known) = foreign.here.get(&id) {
            return *known;
        }
        let Some(variable) = foreign.variables.get(id.index()) else { return id };
        let new = self.variable(variable.name.clone(), &variable.ty, variable.span);
        if let Some(foreign) = &mut self.foreign {
            foreign.here.insert(id, new);
        }
        new
    }

    /// What the measure of the function that is emitted asks for where another is applied.
    pub fn at_application(&mut self, id: FunctionId, args: &[Node<'a>], span: Span) -> Option<Exp> {
        if !self.caller.as_ref()?.is_function {
            return None;
        }
        let callee = self.measures?.function(id);
        let checks = self.at_call(&callee, args, span);
        checks.into_iter().reduce(|a, b| truth(ExpKind::Binary(BinaryOp::And, a, b), span))
    }

    /// What the measure of the method that is emitted asks for where another is called.
    pub fn at_method_call(&mut self, id: MethodId, args: &[Node<'a>], span: Span) -> Vec<Exp> {
        match (self.measures, &self.caller) {
            (Some(measures), Some(caller)) if !caller.is_function => self.at_call(&measures.method(id), args, span),
            _ => Vec::new(),
        }
    }

    /// What the measure of the method that is emitted asks for where a loop begins.
    pub fn at_loop(&mut self, cond: &Node<'a>, clauses: &'b [Decreases<'a>], span: Span) -> Vec<Exp> {
        let Some(caller) = self.caller.take() else { return Vec::new() };
        let mut res = Vec::new();
        if !always(clauses) {
            let promised = self.promised(clauses, span);
            let cond = self.exp(cond);
            let entered = implies(Some(cond), promised);
            let holds = implies(self.condition(&caller), entered);
            res.push(check(MeasureRule::TerminationCondition, holds, span));
        }
        self.caller = Some(caller);
        res
    }

    fn at_call(&mut self, callee: &Callee<'b, 'a>, args: &[Node<'a>], span: Span) -> Vec<Exp> {
        // What is applied in the arguments is checked where they are evaluated.
        let Some(caller) = self.caller.take() else { return Vec::new() };
        let mut res = Vec::new();
        if callee.component != caller.component {
            if !always(callee.clauses) {
                let promised = self.of_callee(callee, args, |it| it.promised(callee.clauses, callee.span));
                let holds = implies(self.condition(&caller), promised);
                res.push(check(MeasureRule::TerminationCondition, holds, span));
            }
        } else if let Some(smaller) = tuple(callee.clauses) {
            if let Some(condition) = &smaller.condition {
                let counts = self.of_callee(callee, args, |it| it.exp(condition));
                let holds = implies(self.condition(&caller), counts);
                res.push(check(MeasureRule::TupleCondition, holds, span));
            }
            let larger: Vec<Exp> = caller.tuple.tuple.iter().map(|it| old(self.measure(it))).collect();
            let decreases = self.of_callee(callee, args, |it| {
                let smaller: Vec<Exp> = smaller.tuple.iter().map(|node| it.measure(node)).collect();
                it.smaller(&smaller, &larger, caller.tuple.span)
            });
            let holds = implies(self.condition(&caller), decreases);
            res.push(check(MeasureRule::Decreases, holds, span));
        } else {
            let never = truth(ExpKind::Bool(false), callee.span);
            let holds = implies(self.condition(&caller), never);
            res.push(check(MeasureRule::TupleCondition, holds, span));
        }
        self.caller = Some(caller);
        res
    }

    /// The condition of the caller's tuple, as it was at the start.
    fn condition(&mut self, caller: &Caller<'b, 'a>) -> Option<Exp> {
        caller.tuple.condition.as_ref().map(|it| old(self.exp(it)))
    }

    /// Where clauses promise that something terminates.
    fn promised(&mut self, clauses: &[Decreases<'a>], span: Span) -> Exp {
        let mut res: Option<Exp> = None;
        for it in clauses.iter().filter(|it| it.kind != MeasureKind::Star) {
            let condition = match &it.condition {
                Some(condition) => self.exp(condition),
                None => truth(ExpKind::Bool(true), it.span),
            };
            res = Some(match res {
                Some(other) => truth(ExpKind::Binary(BinaryOp::Or, other, condition), it.span),
                None => condition,
            });
        }
        res.unwrap_or_else(|| truth(ExpKind::Bool(false), span))
    }

    /// Something that speaks of a callee's parameters, at these arguments.
    fn of_callee(&mut self, callee: &Callee<'b, 'a>, args: &[Node<'a>], emit: impl FnOnce(&mut Self) -> Exp) -> Exp {
        let outer = self.foreign.replace(Foreign { variables: callee.variables, here: FxHashMap::default() });
        let mut res = emit(self);
        let inner = std::mem::replace(&mut self.foreign, outer);
        let parameters = callee.variables.iter().take_while(|it| it.role == Role::Parameter).count();
        let mut bound: Vec<(VarId, VarId)> = inner.into_iter().flat_map(|it| it.here).collect();
        bound.retain(|it| it.0.index() < parameters);
        bound.sort_unstable_by_key(|it| it.0.index());
        for (parameter, here) in bound.into_iter().rev() {
            let Some(arg) = args.get(parameter.index()) else { continue };
            let (arg, span) = (self.exp(arg), res.span);
            res = truth(ExpKind::Let(here, arg, res), span);
        }
        res
    }

    /// A part of a tuple. A predicate instance is one too, which the verifier does not know.
    pub fn measure(&mut self, node: &Node<'a>) -> Exp {
        match node.ty.asks_permission() {
            true => super::unsupported("predicate instances as measures", Type::Bool, node.span),
            false => self.exp(node),
        }
    }

    /// Whether a tuple is smaller than another, and bounded: by the first place at which they differ.
    pub fn smaller(&self, smaller: &[Exp], larger: &[Exp], span: Span) -> Exp {
        let binary = |op, a, b| truth(ExpKind::Binary(op, a, b), span);
        // One that ends is larger than one that goes on.
        let common = smaller.iter().zip(larger).take_while(|(a, b)| a.typ == b.typ);
        let common: Vec<(&Exp, &Exp)> = common.collect();
        let mut res = truth(ExpKind::Bool(common.len() == larger.len() && smaller.len() > larger.len()), span);
        if common.is_empty() {
            return res;
        }
        let Some((decreasing, bounded)) = self.measures.and_then(|it| it.order) else {
            let what = "termination measures without an order (import <decreases/all.vpr>)";
            return truth(ExpKind::Unsupported(what.into()), span);
        };
        for (a, b) in common.into_iter().rev() {
            let types = || [a.typ.clone()].into();
            let less = truth(ExpKind::DomainCall(decreasing, vec![a.clone(), b.clone()], types()), span);
            let has_bound = truth(ExpKind::DomainCall(bounded, vec![b.clone()], types()), span);
            let here = binary(BinaryOp::And, less, has_bound);
            let equal = binary(BinaryOp::Eq, a.clone(), b.clone());
            res = binary(BinaryOp::Or, here, binary(BinaryOp::And, equal, res));
        }
        res
    }
}

/// An assertion of a measure, which is reported at `span`.
pub fn check(rule: MeasureRule, holds: Exp, span: Span) -> Exp {
    truth(ExpKind::Terminates(MeasureCheck { rule, holds }), span)
}

/// `!condition || holds`, in which the whole stands where `holds` does.
pub fn implies(condition: Option<Exp>, holds: Exp) -> Exp {
    let Some(condition) = condition else { return holds };
    let span = holds.span;
    let not = truth(ExpKind::Unary(UnaryOp::Not, condition), span);
    truth(ExpKind::Binary(BinaryOp::Or, not, holds), span)
}

fn old(exp: Exp) -> Exp {
    let (typ, span) = (exp.typ.clone(), exp.span);
    Exp::new(ExpKind::Old(None, exp), typ, span)
}

fn truth(kind: ExpKind, span: Span) -> Exp {
    Exp::new(kind, Type::Bool, span)
}

//! The concrete interpreter on programs that no `.oo` text gives: jumps, labels, fractions, collections, quantifiers.

use super::{ConcreteBudget, ConcreteErrorKind, ConcreteValue, World, holds_before, run, run_in};
use crate::program::{
    BinaryOp, CollectionOp, Exp, ExpKind, Field, FieldId, Function, FunctionId, LabelId, MemberVariable, Method,
    MethodId, Predicate, PredicateId, PredicateUse, Quantified, Stmt, StmtKind, Type, VarId,
};
use crate::{Program, Span};
use std::sync::Arc;

fn exp(kind: ExpKind, typ: Type) -> Exp {
    Exp::new(kind, typ, Span::default())
}

fn int(value: i64) -> Exp {
    exp(ExpKind::Int(value.into()), Type::Int)
}

fn var(id: u32, typ: Type) -> Exp {
    exp(ExpKind::Var(VarId(id)), typ)
}

fn binary(op: BinaryOp, a: Exp, b: Exp, typ: Type) -> Exp {
    exp(ExpKind::Binary(op, a, b), typ)
}

fn truth(op: BinaryOp, a: Exp, b: Exp) -> Exp {
    binary(op, a, b, Type::Bool)
}

fn collection(op: CollectionOp, args: Vec<Exp>, typ: Type) -> Exp {
    exp(ExpKind::Collection(op, args), typ)
}

fn seq() -> Type {
    Type::Seq(Arc::new(Type::Int))
}

fn stmt(kind: StmtKind) -> Stmt {
    Stmt { kind, span: Span::default() }
}

fn variable(typ: &Type) -> MemberVariable {
    MemberVariable { name: "x".into(), typ: typ.clone(), span: Span::default() }
}

/// A method with these variables; the first are parameters, then one result.
fn method(variables: &[Type], parameters: usize, pre: Vec<Exp>, body: Vec<Stmt>) -> Method {
    Method {
        name: "m".into(),
        variables: variables.iter().map(variable).collect(),
        parameters,
        results: 1,
        labels: vec!["l".into(), "k".into()],
        pre,
        post: Vec::new(),
        body: Some(body),
        span: Span::default(),
    }
}

/// A program with a field `f: Int` and one method.
fn program(method: Method) -> Program {
    let field = Field { name: "f".into(), typ: Type::Int, span: Span::default() };
    Program { fields: vec![field], methods: vec![method], ..Program::default() }
}

fn result_of(
    variables: &[Type],
    parameters: usize,
    body: Vec<Stmt>,
    args: &[ConcreteValue],
) -> Result<ConcreteValue, ConcreteErrorKind> {
    let program = program(method(variables, parameters, Vec::new(), body));
    let results = run(&program, MethodId(0), args, ConcreteBudget::of(100_000));
    results.map(|it| it[0].clone()).map_err(|it| it.kind)
}

/// The value of an expression over one argument.
fn value_of(argument: Type, value: ConcreteValue, result: Type, body: Exp) -> Result<ConcreteValue, ConcreteErrorKind> {
    result_of(&[argument, result, Type::Int], 1, vec![stmt(StmtKind::Assign(VarId(1), body))], &[value])
}

#[test]
fn jumps_go_backwards_and_out_of_blocks() {
    // label l; if (r < n) { { r := r + 2; goto l } }
    let (n, r) = (var(0, Type::Int), var(1, Type::Int));
    let more = stmt(StmtKind::Assign(VarId(1), binary(BinaryOp::Add, r.clone(), int(2), Type::Int)));
    let inner = stmt(StmtKind::Block(vec![more, stmt(StmtKind::Goto(LabelId(0)))]));
    let body = vec![
        stmt(StmtKind::Label(LabelId(0), Vec::new())),
        stmt(StmtKind::If(truth(BinaryOp::Lt, r, n), vec![inner], Vec::new())),
    ];
    assert_eq!(result_of(&[Type::Int, Type::Int], 1, body, &[7.into()]), Ok(8.into()));
    let forever = vec![stmt(StmtKind::Label(LabelId(0), Vec::new())), stmt(StmtKind::Goto(LabelId(0)))];
    assert_eq!(result_of(&[Type::Int], 0, forever, &[]), Err(ConcreteErrorKind::OutOfSteps));
}

#[test]
fn an_empty_loop_runs_out_of_steps() {
    let yes = exp(ExpKind::Bool(true), Type::Bool);
    let body = vec![stmt(StmtKind::While(yes, Vec::new(), Vec::new()))];
    assert_eq!(result_of(&[Type::Int], 0, body, &[]), Err(ConcreteErrorKind::OutOfSteps));
}

#[test]
fn an_old_label_remembers_the_heap() {
    let object = || var(1, Type::Ref);
    let read = || exp(ExpKind::Field(object(), FieldId(0)), Type::Int);
    let labelled = |label| exp(ExpKind::Old(Some(LabelId(label)), read()), Type::Int);
    let body = |label| {
        vec![
            stmt(StmtKind::New(VarId(1), vec![FieldId(0)])),
            stmt(StmtKind::FieldAssign(object(), FieldId(0), int(3))),
            stmt(StmtKind::Label(LabelId(0), Vec::new())),
            stmt(StmtKind::FieldAssign(object(), FieldId(0), int(4))),
            stmt(StmtKind::Assign(VarId(0), labelled(label))),
        ]
    };
    assert_eq!(result_of(&[Type::Int, Type::Ref], 0, body(0), &[]), Ok(3.into()));
    assert_eq!(result_of(&[Type::Int, Type::Ref], 0, body(1), &[]), Err(ConcreteErrorKind::LabelNotReached));
}

#[test]
fn sequences_are_as_in_viper() {
    let s = || var(0, seq());
    let numbers = ConcreteValue::seq([5.into(), 6.into(), 7.into()]);
    let of = |op, args, typ: Type| value_of(seq(), numbers.clone(), typ.clone(), collection(op, args, typ));
    assert_eq!(of(CollectionOp::SeqLength, vec![s()], Type::Int), Ok(3.into()));
    assert_eq!(of(CollectionOp::SeqIndex, vec![s(), int(2)], Type::Int), Ok(7.into()));
    assert_eq!(of(CollectionOp::SeqIndex, vec![s(), int(3)], Type::Int), Err(ConcreteErrorKind::IndexOutOfRange));
    assert_eq!(of(CollectionOp::SeqIndex, vec![s(), int(-1)], Type::Int), Err(ConcreteErrorKind::IndexOutOfRange));
    assert_eq!(of(CollectionOp::SeqTake, vec![s(), int(-4)], seq()), Ok(ConcreteValue::seq([])));
    assert_eq!(of(CollectionOp::SeqDrop, vec![s(), int(1)], seq()), Ok(ConcreteValue::seq([6.into(), 7.into()])));
    assert_eq!(of(CollectionOp::SeqRange, vec![int(4), int(2)], seq()), Ok(ConcreteValue::seq([])));
    assert_eq!(of(CollectionOp::SeqRange, vec![int(0), int(1 << 40)], seq()), Err(ConcreteErrorKind::OutOfSteps));
    let updated = of(CollectionOp::SeqUpdate, vec![s(), int(0), int(1)], seq());
    assert_eq!(updated, Ok(ConcreteValue::seq([1.into(), 6.into(), 7.into()])));
}

#[test]
fn quantifiers_range_between_their_bounds() {
    // forall i: Int :: 0 <= i && i < n ==> i * i < 50
    let i = || var(2, Type::Int);
    let low = truth(BinaryOp::Le, int(0), i());
    let range = truth(BinaryOp::And, low, truth(BinaryOp::Lt, i(), var(0, Type::Int)));
    let square = truth(BinaryOp::Lt, binary(BinaryOp::Mul, i(), i(), Type::Int), int(50));
    let forall = |body| {
        let quantified = Quantified { universal: true, variables: vec![VarId(2)], triggers: Vec::new(), body };
        exp(ExpKind::Quantified(Box::new(quantified)), Type::Bool)
    };
    let bounded = forall(truth(BinaryOp::Implies, range, square.clone()));
    assert_eq!(value_of(Type::Int, 8.into(), Type::Bool, bounded.clone()), Ok(true.into()));
    assert_eq!(value_of(Type::Int, 9.into(), Type::Bool, bounded), Ok(false.into()));
    let unbounded = value_of(Type::Int, 9.into(), Type::Bool, forall(square));
    assert!(matches!(unbounded, Err(ConcreteErrorKind::Unsupported(_))));
}

#[test]
fn the_tightest_of_several_bounds_decides() {
    // forall i: Int :: 0 <= i && i >= 5 && i < 9 && i < 7 ==> i == 5 || i == 6
    let i = || var(2, Type::Int);
    let bounds = [(BinaryOp::Ge, 0), (BinaryOp::Ge, 5), (BinaryOp::Lt, 9), (BinaryOp::Lt, 7)];
    let guard = bounds.into_iter().map(|(op, n)| truth(op, i(), int(n)));
    let guard = guard.reduce(|a, b| truth(BinaryOp::And, a, b)).expect("bounds");
    let body = truth(BinaryOp::Or, truth(BinaryOp::Eq, i(), int(5)), truth(BinaryOp::Eq, i(), int(6)));
    let body = truth(BinaryOp::Implies, guard, body);
    let quantified = Quantified { universal: true, variables: vec![VarId(2)], triggers: Vec::new(), body };
    let all = exp(ExpKind::Quantified(Box::new(quantified)), Type::Bool);
    assert_eq!(value_of(Type::Int, 0.into(), Type::Bool, all), Ok(true.into()));
}

#[test]
fn amounts_of_one_location_add_up() {
    let half = || binary(BinaryOp::PermDiv, int(1), int(2), Type::Perm);
    let access = |id, amount| exp(ExpKind::AccField(var(id, Type::Ref), FieldId(0), amount), Type::Bool);
    let both = |amount: Option<Exp>| truth(BinaryOp::And, access(0, amount.clone()), access(1, amount));
    let fits = |pre: Exp, same: bool| {
        let program = program(method(&[Type::Ref, Type::Ref, Type::Int], 2, vec![pre], Vec::new()));
        let mut world = World::default();
        let a = world.allocate([(FieldId(0), 0.into())]);
        let b = world.allocate([(FieldId(0), 0.into())]);
        let args = [a.clone(), if same { a } else { b }];
        holds_before(&program, &world, MethodId(0), &args, ConcreteBudget::of(1_000)).map_err(|it| it.kind)
    };
    assert_eq!(fits(both(None), true), Ok(false));
    assert_eq!(fits(both(None), false), Ok(true));
    assert_eq!(fits(both(Some(half())), true), Ok(true));
    assert_eq!(fits(truth(BinaryOp::And, both(Some(half())), access(0, Some(half()))), true), Ok(false));
}

#[test]
fn endless_predicates_and_functions_end() {
    let again = PredicateUse { predicate: PredicateId(0), args: Vec::new(), perm: None, span: Span::default() };
    let endless = exp(ExpKind::AccPredicate(again), Type::Bool);
    let mut subject = program(method(&[Type::Int], 0, vec![endless.clone()], Vec::new()));
    subject.predicates.push(Predicate {
        name: "p".into(),
        variables: Vec::new(),
        parameters: 0,
        body: Some(endless),
        span: Span::default(),
    });
    let ends = |program: &Program| run(program, MethodId(0), &[], ConcreteBudget::of(100_000)).map_err(|it| it.kind);
    assert_eq!(ends(&subject), Err(ConcreteErrorKind::TooDeep));

    let call = exp(ExpKind::Call(FunctionId(0), Vec::new()), Type::Int);
    let mut subject =
        program(method(&[Type::Int], 0, Vec::new(), vec![stmt(StmtKind::Assign(VarId(0), call.clone()))]));
    subject.functions.push(Function {
        name: "f".into(),
        variables: Vec::new(),
        parameters: 0,
        result: Type::Int,
        pre: Vec::new(),
        post: Vec::new(),
        body: Some(call),
        opaque: false,
        measured: false,
        span: Span::default(),
    });
    assert_eq!(ends(&subject), Err(ConcreteErrorKind::TooDeep));
}

#[test]
fn recursive_methods_need_no_stack_of_the_machine() {
    // if (n > 0) { r := m(n - 1); r := r + 1 }
    let less = binary(BinaryOp::Sub, var(0, Type::Int), int(1), Type::Int);
    let call = StmtKind::Call { method: MethodId(0), args: vec![less], targets: vec![VarId(1)] };
    let more = StmtKind::Assign(VarId(1), binary(BinaryOp::Add, var(1, Type::Int), int(1), Type::Int));
    let positive = truth(BinaryOp::Gt, var(0, Type::Int), int(0));
    let body = vec![stmt(StmtKind::If(positive, vec![stmt(call), stmt(more)], Vec::new()))];
    let program = program(method(&[Type::Int, Type::Int], 1, Vec::new(), body));
    let results = run(&program, MethodId(0), &[20_000.into()], ConcreteBudget::of(10_000_000));
    assert_eq!(results, Ok(vec![20_000.into()]));
}

#[test]
fn a_large_number_is_out_of_steps() {
    let square = binary(BinaryOp::Mul, var(1, Type::Int), var(1, Type::Int), Type::Int);
    let yes = exp(ExpKind::Bool(true), Type::Bool);
    let body = vec![
        stmt(StmtKind::Assign(VarId(1), int(3))),
        stmt(StmtKind::While(yes, Vec::new(), vec![stmt(StmtKind::Assign(VarId(1), square))])),
    ];
    assert_eq!(result_of(&[Type::Int, Type::Int], 1, body, &[0.into()]), Err(ConcreteErrorKind::OutOfSteps));
}

#[test]
fn ghosts_do_nothing_and_assumptions_are_no_failures() {
    let no = || exp(ExpKind::Bool(false), Type::Bool);
    let ends = |kind| result_of(&[Type::Int], 0, vec![stmt(kind)], &[]).err();
    assert_eq!(ends(StmtKind::Refute(no())), None);
    assert_eq!(ends(StmtKind::Assume(no())), Some(ConcreteErrorKind::Infeasible));
    assert!(!ConcreteErrorKind::Infeasible.is_failure());
    assert_eq!(ends(StmtKind::Assert(no())), Some(ConcreteErrorKind::AssertionFalse));
    assert!(ConcreteErrorKind::AssertionFalse.is_failure());
    assert!(matches!(ends(StmtKind::Unsupported("magic wands".into())), Some(ConcreteErrorKind::Unsupported(_))));
}

#[test]
fn inhaled_access_brings_a_field_into_being() {
    let mut world = World::default();
    let object = world.allocate([]);
    let access = exp(ExpKind::AccField(var(0, Type::Ref), FieldId(0), None), Type::Bool);
    let write = StmtKind::FieldAssign(var(0, Type::Ref), FieldId(0), int(9));
    let body = |with: bool| {
        let inhale = with.then(|| stmt(StmtKind::Inhale(access.clone())));
        inhale.into_iter().chain([stmt(write.clone())]).collect()
    };
    let mut ends = |with| {
        let program = program(method(&[Type::Ref, Type::Int], 1, Vec::new(), body(with)));
        run_in(&program, &mut world, MethodId(0), std::slice::from_ref(&object), ConcreteBudget::of(100))
            .map_err(|it| it.kind)
    };
    assert_eq!(ends(false), Err(ConcreteErrorKind::MissingField));
    assert_eq!(ends(true), Ok(vec![0.into()]));
}

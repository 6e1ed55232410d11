//! What the checker hands over: operators by their types, places, what the verifier does not know.

use effigy_contracts::program::{
    BinaryOp, CollectionOp, Exp, ExpKind, ForPermResource, Method, Program, Stmt, StmtKind, Type,
};
use effigy_viper::{NoImports, read};

fn program(text: &str) -> Program {
    read("test.vpr", text, &mut NoImports).unwrap_or_else(|it| panic!("{it:?}"))
}

fn method(text: &str) -> Method {
    program(text).methods.swap_remove(0)
}

fn body(method: &Method) -> &[Stmt] {
    method.body.as_deref().expect("a body")
}

/// The expression of the first `assert`.
fn asserted(method: &Method) -> &Exp {
    let found = body(method).iter().find_map(|it| match &it.kind {
        StmtKind::Assert(exp) => Some(exp),
        _ => None,
    });
    found.expect("an assert statement")
}

fn operands(exp: &Exp) -> (BinaryOp, &Exp, &Exp) {
    match &*exp.kind {
        ExpKind::Binary(op, left, right) => (*op, left, right),
        other => panic!("{other:?}"),
    }
}

fn unsupported(exp: &Exp) -> &str {
    match &*exp.kind {
        ExpKind::Unsupported(what) => what,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_quotient_is_what_its_surroundings_want() {
    let with = |typ: &str| method(&format!("method m(a: Int) {{ var x: {typ}\n assert a / 2 == x }}"));
    assert_eq!(operands(operands(asserted(&with("Int"))).1).0, BinaryOp::Div);
    assert_eq!(operands(operands(asserted(&with("Perm"))).1).0, BinaryOp::PermDiv);
    let free = method("method m(a: Int) { assert a / 2 == a / 3 }");
    assert_eq!(operands(asserted(&free)).1.typ, Type::Perm);
}

#[test]
fn conjuncts_know_their_places() {
    let it = method("field f: Int\nmethod m(x: Ref)\n  requires acc(x.f) &&\n    x.f == 1\n  requires true\n");
    assert_eq!(it.pre.len(), 2);
    let (op, left, right) = operands(&it.pre[0]);
    assert_eq!((op, left.span.line, right.span.line), (BinaryOp::And, 3, 4));
    assert_eq!((left.span.column, left.span.end_column), (12, 20));
    assert!(!left.is_pure() && right.is_pure());
}

#[test]
fn domain_functions_carry_their_types() {
    let text = "domain D[A, B] { function d(a: A): D[A, B] }\nmethod m(x: D[Ref, Bool]) { assert d(null) == x }";
    let it = method(text);
    let ExpKind::DomainCall(_, args, types) = &*operands(asserted(&it)).1.kind else { panic!("not a call") };
    assert_eq!((args.len(), &types[..]), (1, &[Type::Ref, Type::Bool][..]));
}

#[test]
fn empty_collections_have_the_types_of_what_they_are_compared_with() {
    let it = method("method m(s: Seq[Set[Ref]]) { assert s == Seq() }");
    assert_eq!(operands(asserted(&it)).2.typ, operands(asserted(&it)).1.typ);
    let open = method("method m() { assert |Set()| == 0 }");
    let ExpKind::Collection(CollectionOp::SetCardinality, args) = &*operands(asserted(&open)).1.kind else {
        panic!("not a cardinality")
    };
    assert_eq!(args[0].typ, Type::Set(Type::Int.into()));
}

#[test]
fn a_slice_is_taken_from_its_end_first() {
    let it = method("method m(s: Seq[Int]) { assert s[1..2] == s }");
    let ExpKind::Collection(CollectionOp::SeqDrop, args) = &*operands(asserted(&it)).1.kind else { panic!("no drop") };
    assert!(matches!(&*args[0].kind, ExpKind::Collection(CollectionOp::SeqTake, _)));
}

#[test]
fn a_field_gets_a_result_through_a_variable() {
    let text = "field f: Int\nmethod m(x: Ref) { var i: Int\n x.f, i := two() }\n\
                method two() returns (a: Int, b: Int)";
    let it = method(text);
    let StmtKind::Block(block) = &body(&it)[1].kind else { panic!("no block") };
    let kinds: Vec<&str> = block.iter().map(|it| kind(&it.kind)).collect();
    assert_eq!(kinds, ["local", "local", "assign", "call", "field"]);
}

fn kind(stmt: &StmtKind) -> &'static str {
    match stmt {
        StmtKind::Local(_) => "local",
        StmtKind::Assign(..) => "assign",
        StmtKind::Call { .. } => "call",
        StmtKind::FieldAssign(..) => "field",
        StmtKind::Unsupported(_) => "unsupported",
        StmtKind::While(..) => "while",
        StmtKind::Assert(_) => "assert",
        _ => "other",
    }
}

#[test]
fn bound_variables_are_variables_of_the_member() {
    let it = method("method m(x: Int) { assert forall y: Int, z: Ref :: let u == (y) in u == x }");
    let names: Vec<&str> = it.variables.iter().map(|it| &*it.name).collect();
    assert_eq!((names, it.parameters), (vec!["x", "y", "z", "u"], 1));
}

#[test]
fn quantified_permissions_are_quantifiers_with_impure_bodies() {
    let text = "field f: Int\nmethod m(s: Set[Ref])\n  requires forall x: Ref :: { x.f } x in s ==> acc(x.f)";
    let it = method(text);
    let ExpKind::Quantified(quantified) = &*it.pre[0].kind else { panic!("no quantifier") };
    assert!(!quantified.body.is_pure() && quantified.triggers.len() == 1);
}

#[test]
fn forperm_has_its_resource_and_its_variables() {
    let text = "predicate P(x: Ref, i: Int)\nmethod m(y: Ref) { assert forperm i: Int [P(y, i)] :: i == 0 }";
    let it = method(text);
    let ExpKind::ForPerm(forperm) = &*asserted(&it).kind else { panic!("no forperm") };
    assert!(matches!(forperm.resource, ForPermResource::Predicate(_)));
    let kinds = forperm.args.iter().map(|it| match *it.kind {
        ExpKind::Var(variable) => forperm.variables.contains(&variable),
        _ => panic!("no variable"),
    });
    assert_eq!(kinds.collect::<Vec<_>>(), [false, true]);
}

#[test]
fn what_the_verifier_does_not_know_is_named_where_it_stands() {
    let it = method("field f: Int\nmethod m(x: Ref) { assert acc(x.f) --* acc(x.f) }");
    assert_eq!(unsupported(asserted(&it)), "magic wands");
    let wand = "forperm x: Ref [acc(x.f) --* acc(x.f)] :: x != null";
    let it = method(&format!("field f: Int\nmethod m() {{ assert true && {wand} }}"));
    assert_eq!(unsupported(operands(asserted(&it)).2), "magic wands");
    let bits = "domain B interpretation (SMTLIB: \"(_ BitVec 8)\") { function b(i: Int): B interpretation \"int2bv\" }";
    let it = method(&format!("{bits}\nmethod m() {{ assert b(1) != b(2) }}"));
    assert_eq!(unsupported(operands(asserted(&it)).1), "interpreted domains");
}

#[test]
fn measures_are_checked_where_something_is_called() {
    let text = "function f(i: Int): Int decreases i { i <= 0 ? 0 : f(i - 1) }";
    let function = program(text).functions.swap_remove(0);
    let ExpKind::Cond(_, _, applied) = &*function.body.as_ref().expect("a body").kind else { panic!("no condition") };
    assert!(matches!(&*applied.kind, ExpKind::Asserting(check, _) if matches!(&*check.kind, ExpKind::Terminates(_))));
    assert!(function.measured && function.post.is_empty());
    // The postcondition itself, and that what it applies is not checked.
    let post = |text: &str| program(text).functions.swap_remove(0).post.len();
    assert_eq!(post("function f(i: Int): Int decreases i ensures f(0) == 0"), 2);
    assert_eq!(post("function f(i: Int): Int decreases i ensures result == 0 { 0 }"), 1);
    let measured = |text: &str| program(text).functions.swap_remove(0).measured;
    assert!(!measured("function f(i: Int): Int decreases _ { f(i) }"));
    assert!(!measured("function f(i: Int): Int decreases i if i > 3 { f(i) }"));
    let first = |text: &str| method(text).body.map(|it| kind(&it[0].kind));
    assert_eq!(first("method m(i: Int) decreases i { var x: Int }"), Some("local"));
    assert_eq!(first("method m(i: Int) decreases i { m(i - 1) }"), Some("assert"));
    assert_eq!(first("method m(i: Int) decreases * { m(i - 1) }"), Some("call"));
    assert_eq!(first("method m(i: Int) { while (i > 0) decreases i { } }"), Some("while"));
    assert_eq!(first("method m(i: Int) decreases { while (i > 0) { } }"), Some("assert"));
    assert_eq!(first("method m(i: Int) decreases { label l goto l }"), Some("unsupported"));
}

//! The grammar of Viper, as the parser reads it: trees are printed with every parenthesis.

#[path = "parser/print.rs"]
mod print;

use effigy_viper::{Loader, NoImports, ReadError, SourceFile, expand, parse};
use expect_test::{Expect, expect};
use std::path::Path;

fn errors(errors: &[ReadError]) -> String {
    let line = |it: &ReadError| {
        format!("{}:{}:{}: {}: {}\n", it.span.file, it.span.line, it.span.column, it.kind.id(), it.message)
    };
    errors.iter().map(line).collect()
}

/// An expression, as it is understood.
fn exp(text: &str) -> String {
    match parse("exp.vpr", &format!("function f(): Int {{\n{text}\n}}")) {
        Ok(program) => match &program.items[..] {
            [effigy_viper::ast::Item::Function(it)] => it.body.as_ref().map(print::exp).unwrap_or_default(),
            items => format!("{} items", items.len()),
        },
        Err(it) => errors(&it),
    }
}

fn same(text: &str, as_if: &str) {
    assert_eq!(exp(text), exp(as_if), "{text}");
    assert!(!exp(text).contains("error"), "{}", exp(text));
}

fn check(text: &str, expected: Expect) {
    expected.assert_eq(&match parse("test.vpr", text) {
        Ok(program) => print::program(&program),
        Err(it) => errors(&it),
    });
}

fn check_expanded(text: &str, expected: Expect) {
    expected.assert_eq(&match expand("test.vpr", text, &mut NoImports) {
        Ok(program) => print::program(&program) + &errors(&program.warnings),
        Err(it) => errors(&it),
    });
}

#[test]
fn operators_bind_as_in_silver() {
    same("a + b * c - d", "(a + (b * c)) - d");
    same("a ? b : c ? d : e", "a ? b : (c ? d : e)");
    same("a ==> b ==> c", "a ==> (b ==> c)");
    same(
        "a <==> b ==> c || d && e == f < g + h * -i.f",
        "a <==> (b ==> (c || (d && (e == (f < (g + (h * (-(i.f)))))))))",
    );
    same("a && b ==> c", "(a && b) ==> c");
    same("a == b == c", "a == (b == c)");
    same("a == b != c == d", "a == (b != (c == d))");
    same("a ++ b union c subset d", "((a ++ b) union c) subset d");
    same("a \\ b % c / d", "((a \\ b) % c) / d");
    same("!a && -b.f == 0", "(!a) && ((-(b.f)) == 0)");
    same("a ==> b --* c && d ? e : f", "a ==> (b --* ((c && d) ? e : f))");
    same("a --* b --* c", "a --* (b --* c)");
    same("x in s && y in t", "(x in s) && (y in t)");
    same("||s| - 1|", "| (|s|) - 1 |");
}

#[test]
fn comparisons_chain() {
    same("a < b <= c", "(a < b) && (b <= c)");
    same("a < b <= c > d", "((a < b) && (b <= c)) && (c > d)");
    assert_eq!(exp("(a < b) < c"), "((a < b) < c)");
    same("a < b < c == d", "((a < b) && (b < c)) == d");
}

#[test]
fn binders_swallow_what_follows() {
    same("a && forall x: Int :: b || c ==> d", "a && (forall x: Int :: ((b || c) ==> d))");
    same("let x == (1) in x + 1 == y ? a : b", "let x == (1) in (((x + 1) == y) ? a : b)");
    same("a || unfolding P(x) in x.f == 1 && b", "a || (unfolding P(x) in ((x.f == 1) && b))");
    assert_eq!(
        exp("forall x: Int, y: Ref :: { f(x), y.g } { h(x) } f(x) == y.g"),
        "(forall x: Int, y: Ref :: {f(x), y.g} {h(x)} (f(x) == y.g))"
    );
}

#[test]
fn suffixes() {
    assert_eq!(exp("s[i][a..b][..b][a..][i := e].f[0]"), "s[i][a..b][..b][a..][i := e].f[0]");
    assert_eq!(exp("f(x)[0].g"), "f(x)[0].g");
    same("-s[0].f", "-(s[0].f)");
}

#[test]
fn literals_and_keywords() {
    for text in [
        "Seq[Int]()",
        "Seq(1, 2)",
        "Set()",
        "Multiset[Seq[Ref]]()",
        "Map[Int, Bool]()",
        "Map(1 := true, 2 := false)",
        "[a..b)",
        "[a, b]",
        "|s|",
        "domain(m)",
        "range(m)",
        "old(x)",
        "old[lhs](x)",
        "old[l](x)",
        "acc(x.f)",
        "acc(P(x), p)",
        "perm(x.f)",
        "perm((a --* b))",
        "(forperm x: Ref [x.f] :: true)",
        "new(*)",
        "new(f, g)",
        "new()",
        "@a.b(\"c\", \"d\") x",
        "#P(x)",
        "(f(x): Seq[Int])",
        "(asserting a in b)",
        "none",
        "write",
        "wildcard",
        "epsilon",
        "null",
        "result",
        "123456789012345678901234567890",
    ] {
        let printed = exp(&text.replace("asserting a in", "asserting (a) in"));
        assert_eq!(printed, text);
    }
}

#[test]
fn a_call_is_typed_only_where_it_comes_first_in_parentheses() {
    same("((f(x): Int) + 1)", "(f(x): Int) + 1");
    assert_eq!(exp("a ? f(x) : g(x)"), "(a ? f(x) : g(x))");
    assert_eq!(exp("(a ? (f(x)) : g(x))"), "(a ? f(x) : g(x))");
    assert_eq!(
        exp("(1 + f(x): Int)"),
        "0:2:10: parser.error: expected `)` after the expression in parentheses, found `:`\n"
    );
}

#[test]
fn a_line_break_ends_a_name_but_not_an_expression() {
    check(
        "method m() { x := y\n(z).f := 1\n a.f := b\n[0] n (1) }",
        expect![[r#"
            method m()
            {
              x := y
              z.f := 1
              a.f := b[0]
              n(1)
            }
        "#]],
    );
}

#[test]
fn every_declaration() {
    check(
        r#"
        import "a/b.vpr" import <decreases/int.vpr>
        field f: Int, g: Ref; field h: Perm
        @x() @y.z("1") method m(a: Int) returns (r: Int, s: Seq[Ref])
          requires a > 0; decreases a if a > 1; requires true ensures r == 1 decreases _ { r := 1; }
        method abstract()
        function fun(x: Ref): Int requires acc(x.f, wildcard) ensures result > 0 decreases * { x.f }
        function nothing(): Bool decreases
        @opaque() function next(): Bool
        predicate P(x: Ref, i: Int) { acc(x.f) && x.f == i } predicate Q()
        domain Pair[A, B] { function pair(a: A, B): Pair[A, B]; unique function one(): Int axiom { true } axiom ax { 1 == 1 } }
        domain BV interpretation (SMTLIB: "(_ BitVec 32)", Boogie: "bv32") { function add(BV, BV): BV interpretation "bvadd" }
        adt List[T] { Nil() @a() Cons(head: T, tail: List[T]) } derives { contains[T] without tail other }
        define A acc(x.f) define B(x, y) { x := y } define C (x + 1) define D() 1
        "#,
        expect![[r#"
            import "a/b.vpr" false
            import "decreases/int.vpr" true
            field f: Int, g: Ref
            field h: Perm
            @x() @y.z("1") method m(a: Int) returns (r: Int, s: Seq[Ref])
              requires (a > 0)
              requires true
              ensures (r == 1)
              decreases a if (a > 1)
              decreases _
            {
              r := 1
            }
            method abstract()
            function fun(x: Ref): Int
              requires acc(x.f, wildcard)
              ensures (result > 0)
              decreases *
            { x.f }
            function nothing(): Bool
              decreases 
            @opaque() function next(): Bool
            predicate P(x: Ref, i: Int) { (acc(x.f) && (x.f == i)) }
            predicate Q()
            domain Pair[A, B] {
              function pair(a: A, B): Pair[A, B]
              unique function one(): Int
              axiom { true }
              axiom ax { (1 == 1) }
            }
            domain BV SMTLIB: "(_ BitVec 32)" Boogie: "bv32" {
              function add(BV, BV): BV is "bvadd"
            }
            adt List[T] {
              Nil()
              @a() Cons(head: T, tail: List[T])
            } derives contains[T] without tail derives other without 
            define A acc(x.f)
            define B(x, y) {
              x := y
            }
            define C (x + 1)
            define D() 1
        "#]],
    );
}

#[test]
fn every_statement() {
    check(
        r#"method m() {
            var x: Int, y: Ref := e; x, y.f, n(1) := m(2) m(3) lone
            assert a assume b; inhale c exhale d refute e
            fold P(x) unfold acc(P(x), 1/2)
            if (a) {} elseif (b) { x := 1 } else { x := 2 }
            while (c) invariant i; decreases x { label l invariant j goto l }
            package a --* b { fold P(x) } package a --* b apply a --* b
            { var z: Int } define M(x) x
            quasihavoc x.f quasihavoc a ==> b ==> P(x) quasihavocall z: Ref :: z in s ==> z.f
            @a() x := 1
            x := new(*)
        }"#,
        expect![[r#"
            method m()
            {
              var x: Int, y: Ref := e
              x, y.f, n(1) := m(2)
              m(3)
              lone
              assert a
              assume b
              inhale c
              exhale d
              refute e
              fold P(x)
              unfold acc(P(x), (1 / 2))
              if a {
              } else {
                if b {
                  x := 1
                } else {
                  x := 2
                }
              }
              while c invariant i
              decreases x {
                label l invariant j
                goto l
              }
              package (a --* b) {
                fold P(x)
              }
              package (a --* b)
              apply (a --* b)
              {
                var z: Int
              }
              define M(x) x
              quasihavoc x.f
              quasihavoc a ==> (b ==> P(x))
              quasihavocall z: Ref :: (z in s) ==> z.f
              @a() x := 1
              x := new(*)
            }
        "#]],
    );
}

#[test]
fn every_declaration_reports_its_first_error() {
    check(
        "method a() { var x Int }\nfunction b(): { 1 }\nmethod c() {}\npredicate d(x: Ref { true }\n)\nmethod e() { x.f }",
        expect![[r#"
            0:1:20: parser.error: expected `:` and a type after the name, found the keyword `Int`
            0:2:15: parser.error: expected a type, found `{`
            0:4:20: parser.error: expected `,` or `)` in the parameters, found `{`
            0:6:18: parser.error: expected `:=` after the target of an assignment, found `}`
        "#]],
    );
}

#[test]
fn columns_count_characters() {
    check(
        "// ä\n/* ö\n ü */ method é()",
        expect![[r#"
            0:3:14: parser.error: expected the name of the method, found a character that means nothing here
        "#]],
    );
}

#[test]
fn macros_are_expanded_hygienically() {
    check_expanded(
        r#"
        define all(p) (forall i: Int :: i == p)
        define twice(t) { var tmp: Int := t; t := tmp + tmp }
        method m(i: Int) { assert all(i) var x: Int twice(x) twice(x) if (true) { twice(tmp) } }
        "#,
        expect![[r#"
            method m(i: Int)
            {
              assert (forall i$0: Int :: (i$0 == i))
              var x: Int
              var tmp: Int := x
              x := (tmp + tmp)
              var tmp$0: Int := x
              x := (tmp$0 + tmp$0)
              if true {
                var tmp$1: Int := tmp
                tmp := (tmp$1 + tmp$1)
              }
            }
        "#]],
    );
}

#[test]
fn a_bound_name_hides_a_parameter_of_its_macro() {
    check_expanded(
        "define m(i) (i == 1 && (forall i: Int :: i == i)) function f(j: Int): Bool { m(j) }",
        expect![[r#"
            function f(j: Int): Bool
            { ((j == 1) && (forall i: Int :: (i == i))) }
        "#]],
    );
}

#[test]
fn labels_of_macros_are_renamed_and_passed() {
    check_expanded(
        r#"
        define back(l) { label here goto here goto l }
        define name(l, f) { label l x.f := old[l](x.f) }
        method m() { back(out) back(out) label out name(a, g) }
        "#,
        expect![[r#"
            method m()
            {
              label here
              goto here
              goto out
              label here$0
              goto here$0
              goto out
              label out
              label a
              x.g := old[a](x.g)
            }
        "#]],
    );
}

#[test]
fn macros_stand_for_targets_and_locations() {
    check_expanded(
        r#"
        define cell(x) x.f
        define inner(x) P(x)
        define outer(x) inner(x)
        method m() { define y z.f cell(a) := 1; y := 2; inhale acc(cell(a)) && acc(outer(b), 1/2) fold outer(c) }
        "#,
        expect![[r#"
            method m()
            {
              a.f := 1
              z.f := 2
              inhale (acc(a.f) && acc(P(b), (1 / 2)))
              fold P(c)
            }
        "#]],
    );
}

#[test]
fn what_a_macro_cannot_be() {
    for (text, message) in [
        ("define m(x) x method t() { assert m(1, 2) }", "the macro `m` takes 1 arguments, not 2"),
        ("define m(x) x method t() { assert m }", "the macro `m` is used without its arguments"),
        (
            "define m 1 method t() { m() }",
            "the macro `m` cannot stand here: this must be the name of a function or predicate",
        ),
        ("define m 1 method t() { m }", "the macro `m` stands for an expression, not for statements"),
        ("define m { } method t() { assert m }", "the macro `m` stands for statements, not for an expression"),
        ("define m n define n m method t() { assert m }", "the macro `m` expands to itself"),
        ("define m 1 define m 2", "there is a macro `m` already, in line 1"),
        ("define m 1 method m()", "`m` is not only a macro: another declaration has the same name"),
        ("define m() 1 method t() { m() := 2 }", "what the macro stands for cannot be assigned to"),
        ("method t() { t() := 2 }", "a call cannot be assigned to, unless it is a macro's"),
        (
            "define m() true method t() { inhale acc(m()) }",
            "this macro must stand for a field `e.f` or a predicate `P(e)` here",
        ),
        ("define m(l) { label l } method t() { m(3) }", "the argument for `l` must be a name: it is used as a label"),
        ("define T 1 method t(x: T)", "the macro `T` cannot stand here: this must be a type"),
        ("method t() { package a --* b { define m 1 } }", "a macro cannot be defined in the script of a magic wand"),
    ] {
        let found = expand("test.vpr", text, &mut NoImports).expect_err(text);
        assert_eq!(found[0].message, message, "{text}");
    }
}

/// Files by name.
struct Files(&'static [(&'static str, &'static str)]);

impl Loader for Files {
    fn load(&mut self, path: &str, standard: bool, _: &str) -> Result<SourceFile, String> {
        let name = if standard { format!("<{path}>") } else { path.to_string() };
        if name == "main.vpr" {
            return Ok(SourceFile { name: name.into(), text: "method again()".to_string() });
        }
        let (_, text) = self.0.iter().find(|(it, _)| *it == name).ok_or("there is no such file")?;
        Ok(SourceFile { name: name.into(), text: text.to_string() })
    }
}

#[test]
fn every_file_is_read_once() {
    let mut files = Files(&[
        ("a.vpr", "import \"b.vpr\" import \"a.vpr\" method a()"),
        ("b.vpr", "import \"a.vpr\" import \"main.vpr\" import <lib/x.vpr> method b()"),
        ("<lib/x.vpr>", "import \"y.vpr\" import \"../z.vpr\" method x()"),
        ("<lib/y.vpr>", "import \"x.vpr\" method y()"),
        ("<z.vpr>", "method z()"),
    ]);
    let program = expand("main.vpr", "import \"a.vpr\" import \"b.vpr\" method main()", &mut files).expect("it reads");
    let methods: Vec<&str> = program
        .items
        .iter()
        .filter_map(|it| match it {
            effigy_viper::ast::Item::Method(it) => Some(&*it.name.text),
            _ => None,
        })
        .collect();
    assert_eq!(methods, ["main", "a", "b", "x", "y", "z"]);
    assert_eq!(program.files.join(" "), "main.vpr a.vpr b.vpr <lib/x.vpr> <lib/y.vpr> <z.vpr>");
}

#[test]
fn an_error_in_an_imported_file_names_the_file() {
    let mut files = Files(&[("a.vpr", "\nimport \"none.vpr\"\nmethod {")]);
    let found = expand("main.vpr", "import \"a.vpr\"", &mut files).expect_err("it does not read");
    expect![[r#"
        1:2:1: parser.error: cannot import none.vpr: there is no such file
        1:3:8: parser.error: expected the name of the method, found `{`
    "#]]
    .assert_eq(&errors(&found));
}

/// `corpus/viper/parse`: what is marked `//~ message` in its line is the error there, and there is no other.
#[test]
fn the_corpus() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/viper/parse");
    let mut files = 0;
    for entry in std::fs::read_dir(directory).expect("the corpus").flatten() {
        let text = std::fs::read_to_string(entry.path()).expect("a text");
        let marked: Vec<(u32, String)> = (1..)
            .zip(text.lines())
            .filter_map(|(at, line)| Some((at, line.split_once("//~ ")?.1.to_string())))
            .collect();
        let found: Vec<(u32, String)> = match expand("corpus.vpr", &text, &mut NoImports) {
            Ok(_) => Vec::new(),
            Err(it) => it.into_iter().map(|it| (it.span.line, it.message)).collect(),
        };
        assert_eq!(found, marked, "{}", entry.path().display());
        files += 1;
    }
    assert!(files > 5, "the corpus is missing");
}

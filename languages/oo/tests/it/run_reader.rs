//! Programs that are executed, from text to statements.

use crate::printed::{body, expr, typ};
use effigy_oo::run::program::{Program, RoutineId, StmtKind};
use effigy_oo::run::{read, read_expression};
use std::fs;
use std::path::{Path, PathBuf};

fn files(folder: &str) -> Vec<(PathBuf, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/oo").join(folder);
    let mut res: Vec<PathBuf> =
        fs::read_dir(folder).expect("the corpus").map(|it| it.expect("a file").path()).collect();
    res.sort();
    res.into_iter().map(|it| (it.clone(), fs::read_to_string(it).expect("text"))).collect()
}

fn program(text: &str) -> Program {
    read("test.oo", text).unwrap_or_else(|_| panic!("{text}\n{}", errors(text)))
}

fn main_of(text: &str) -> String {
    body(&program(text), "main")
}

fn errors(text: &str) -> String {
    match read("test.oo", text) {
        Ok(_) => "read".to_owned(),
        Err(errors) => errors.iter().map(|it| it.to_string()).collect::<Vec<_>>().join("\n"),
    }
}

#[test]
fn every_program_of_the_corpus_is_read_and_says_what_it_does() {
    let programs = files("run");
    assert!(programs.len() >= 15);
    for (path, text) in programs {
        assert!(text.starts_with("// "), "{}", path.display());
        assert_eq!(errors(&text), "read", "{}", path.display());
    }
}

#[test]
fn programs_with_contracts_are_executed_if_they_have_a_main_statement_and_no_object() {
    for (path, text) in files("verified").into_iter().chain(files("fig9")) {
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let expected = match &*name {
            "fig10" => "`Object` is not supported",
            "ending" | "join" | "length" | "untouched" | "visits" => "a main statement was expected",
            _ => "read",
        };
        assert!(errors(&text).contains(expected), "{name}: {}", errors(&text));
    }
}

#[test]
fn every_statement_has_an_id_of_its_own_and_a_place() {
    fn visit(program: &Program, routine: usize, block: &[effigy_oo::run::program::Stmt], seen: &mut Vec<u32>) {
        for stmt in block {
            let info = &program.statements[stmt.id.index()];
            assert_eq!(info.routine, RoutineId(routine as u32));
            assert!(info.span.line >= 1 && info.span.line as usize <= program.lines.len());
            seen.push(stmt.id.0);
            match &*stmt.kind {
                StmtKind::If(_, positive, negative) => {
                    visit(program, routine, positive, seen);
                    visit(program, routine, negative, seen);
                }
                StmtKind::While(_, body) | StmtKind::Atomic(body) | StmtKind::Block(body) => {
                    visit(program, routine, body, seen);
                }
                StmtKind::Par(threads) => threads.iter().for_each(|it| visit(program, routine, it, seen)),
                _ => {}
            }
        }
    }
    for (path, text) in files("run").into_iter().chain(files("verified")) {
        let Ok(program) = read("test.oo", &text) else { continue };
        let mut seen = Vec::new();
        for (index, routine) in program.routines.iter().enumerate() {
            visit(&program, index, &routine.body, &mut seen);
        }
        let total = seen.len();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), total, "{}", path.display());
        assert_eq!(total, program.statements.len(), "{}: nothing is left over", path.display());
    }
}

/// Two notations of one program.
#[test]
fn both_notations_mean_the_same() {
    let pairs = [
        ("if x > 0 {y := 1} {y := 2}", "if (x > 0) { y := 1; } else { y := 2; }"),
        ("if x > 0 {y := 1}; {y := 2}", "if (x > 0) { y := 1; }; { y := 2; }"),
        ("if (x > 0) && b {y := 1} {y := 2}", "if ((x > 0) && b) { y := 1; } else { y := 2; }"),
        ("while x > 0 {x := x - 1}; skip", "while (x > 0) { x--; }"),
        ("x := if b then 1 else 2 fi", "x := b ? 1 : 2;"),
        ("x := y div 2 + y mod 2", "x := y / 2 + y % 2;"),
        ("b := c = nil ∧ ¬(x ≤ y)", "b := c == null && !(x <= y);"),
        ("P(1); x := Q(y);;;", "P(1); x := Q(y);"),
    ];
    let rest = "class C { int f } int x, y; bool b; C c; P(int u) :: { x := u } int Q(int u) { return u; }";
    for (one, other) in pairs {
        assert_eq!(main_of(&format!("{rest} {one}")), main_of(&format!("{rest} {other}")));
    }
}

/// What becomes of a main statement, behind declarations that all of these share.
fn desugared(text: &str) -> String {
    main_of(&format!(
        "class C {{ int f; C next; C(int v) {{ f := v; }} int get(int u) {{ return f + u; }} pure int p() {{ return f; }} }}
         class D {{ C c }}
         int x, y; bool b; C c; D d; nat -> int a; int[] r;
         int F(int u) {{ return u; }}
         bool G() {{ return true; }}
         void P() {{}}
         {text}"
    ))
}

#[test]
fn what_has_no_effect_stays_an_expression() {
    assert_eq!(desugared("x := a[x + y] * r[1] - |a|"), "x := ((a[(x + y)] * r[1]) - |a|)");
    assert_eq!(desugared("c.next.f := b && c != nil ? 1 : r.length"), "c.next.f := ((b && (c != nil)) ? 1 : r.length)");
    assert_eq!(desugared("b := 0 <= x < 3 ==> x >= y"), "b := (((0 <= x) && (x < 3)) ==> (y <= x))");
    assert_eq!(desugared("while x > 0 { x := x - 1 }"), "while (0 < x) {x := (x - 1)}");
    assert_eq!(desugared("x++; c.f--; a[x]++"), "x := (x + 1); c.f := (c.f - 1); a[x] := (a[x] + 1)");
}

#[test]
fn calls_and_creations_go_into_their_target() {
    assert_eq!(desugared("x := F(y)"), "x := F(y)");
    assert_eq!(desugared("a[x] := c.next.get(y)"), "a[x] := c.next.C.get(y)");
    assert_eq!(desugared("F(1); P()"), "F(1); P()");
    assert_eq!(desugared("c := new C"), "c := new C");
    assert_eq!(desugared("d := new D()"), "d := new D");
    assert_eq!(desugared("d.c := new C(x)"), "t1 := new C; t1.C.init(x); d.c := t1");
    assert_eq!(desugared("r := new int[x]"), "r := new int[] of x");
    assert_eq!(desugared("int k := F(y); k := c.p()"), "k := F(y); k := c.C.p()");
}

#[test]
fn effects_happen_from_left_to_right_and_what_is_left_of_them_keeps_its_value() {
    assert_eq!(desugared("x := x + F(y)"), "t1 := x; t2 := F(y); x := (t1 + t2)");
    assert_eq!(desugared("x := F(y) + x"), "t1 := F(y); x := (t1 + x)");
    assert_eq!(desugared("x := F(F(y))"), "t1 := F(y); x := F(t1)");
    assert_eq!(desugared("x := a[x++] + 1"), "t1 := x; x := (t1 + 1); x := (a[t1] + 1)");
    assert_eq!(desugared("a[x] := F(y) + 1"), "t1 := x; t2 := F(y); a[t1] := (t2 + 1)");
    assert_eq!(desugared("a[x++] := F(x)"), "t1 := x; x := (t1 + 1); a[t1] := F(x)");
    assert_eq!(desugared("r[x++]++"), "t1 := r; t2 := x; x := (t2 + 1); t1[t2] := (t1[t2] + 1)");
    assert_eq!(desugared("x := c.get(x++)"), "t1 := c; t2 := x; x := (t2 + 1); x := t1.C.get(t2)");
    assert_eq!(desugared("x := new C(1).get(2)"), "t1 := new C; t1.C.init(1); x := t1.C.get(2)");
    assert_eq!(desugared("assert c.p() = 1"), "t1 := c.C.p(); assert (t1 = 1)");
}

#[test]
fn effects_that_may_not_happen_become_choices() {
    assert_eq!(desugared("b := b && G() && x = 1"), "t1 := b; if t1 {t2 := G(); t1 := (t2 && (x = 1))} {}; b := t1");
    assert_eq!(desugared("b := G() || b"), "t1 := G(); b := (t1 || b)");
    assert_eq!(desugared("b := b || G()"), "t1 := b; if t1 {} {t2 := G(); t1 := t2}; b := t1");
    assert_eq!(desugared("b := b ==> G()"), "t1 := b; if t1 {t2 := G(); t1 := t2} {t1 := true}; b := t1");
    assert_eq!(desugared("x := b ? F(1) : y"), "if b {t1 := F(1); t2 := t1} {t2 := y}; x := t2");
    assert_eq!(desugared("c := b ? nil : new C"), "if b {t2 := nil} {t1 := new C; t2 := t1}; c := t2");
    assert_eq!(desugared("if x = 0 && G() {P()}"), "t1 := (x = 0); if t1 {t2 := G(); t1 := t2} {}; if t1 {P()} {}");
    assert_eq!(
        desugared("while F(x) > 0 { P() }"),
        "t2 := F(x); t1 := (0 < t2); while t1 {P(); t3 := F(x); t1 := (0 < t3)}"
    );
    assert_eq!(desugared("while G() { int k; P() }"), "t1 := G(); while t1 {P(); t1 := G()}");
}

#[test]
fn temporaries_have_names_that_the_text_does_not_use() {
    assert_eq!(main_of("int t1; int F() { return 1; } t1 := 1 + F();"), "t2 := F(); t1 := (1 + t2)");
    let program = program("int x; void P() { x := 1 + F(); } int F() { return 1; } x := 1 + F();");
    let temporaries: Vec<bool> = program.variables.iter().filter(|it| it.temporary).map(|it| it.global).collect();
    assert_eq!(temporaries, [true, false], "of main and of P");
    assert_eq!(program.routines[1].locals.len(), 1);
}

#[test]
fn routines_end_with_the_default_of_their_result() {
    let text = "class C { C m(bool b) { if (b) { return this; } } bool n() { } int k(bool b) {
                  if b { return 1 } { atomic { return 2 } } } }
                C c; skip";
    let program = program(text);
    assert_eq!(body(&program, "C.m"), "if b {return this} {}; return nil");
    assert_eq!(body(&program, "C.n"), "return false");
    assert_eq!(body(&program, "C.k"), "if b {return 1} {atomic {return 2}}");
}

#[test]
fn contracts_have_no_effect() {
    let text = "class C {
        int f;
        C() ensures valid(); { close valid(); use get(); }
        predicate valid() { return acc(f); }
        pure int get() requires valid(); { return opening valid() in f; }
        void set(int v) requires valid(); ensures valid() * get() = v; ensures untouched(valid());
        { open valid(); while (f < v) invariant acc(f) * f <= v; { f++; } join acc(f); }
      }
      C c := new C();
      assert c.valid();
      assert c.valid() * c.get() = 0;
      assert acc(c.f) && 1 = 2;
      assert c.get() * 2 = 0;";
    let program = program(text);
    assert_eq!(body(&program, "C.get"), "return this.f");
    assert_eq!(body(&program, "C.set"), "while (this.f < v) {this.f := (this.f + 1)}");
    assert_eq!(body(&program, "C.init"), "");
    let main = body(&program, "main");
    assert_eq!(main, "t1 := new C; t1.C.init(); c := t1; t2 := c.C.get(); assert ((t2 * 2) = 0)");
}

#[test]
fn globals_are_known_everywhere_and_locals_in_their_block() {
    let text = "void P(int y) { x := y; { int z := x; x := z; } { bool z; b := z; } }
                int x, y; bool b;
                while b { int n; x := n }
                if b { int n := 1; x := n }";
    let program = program(text);
    assert_eq!(body(&program, "P"), "x := y; {z := x; x := z}; {b := z}");
    assert_eq!(body(&program, "main"), "while b {x := n}; if b {n_2 := 1; x := n_2} {}");
    let globals: Vec<&str> = program.variables.iter().filter(|it| it.global).map(|it| &*it.name).collect();
    assert_eq!(globals, ["x", "y", "b", "n", "n_2"]);
    let locals: Vec<&str> = program.routines[1].locals.iter().map(|it| &*program.variable(*it).name).collect();
    assert_eq!(locals, ["y", "z", "z"]);
}

#[test]
fn locals_of_loops_start_anew() {
    let text = "void P(int n) { int k; while (n > 0) { int i; C c; i++; n--; } } class C {} skip";
    assert_eq!(body(&program(text), "P"), "while (0 < n) {i := 0; c := nil; i := (i + 1); n := (n - 1)}");
}

#[test]
fn types_are_those_of_the_paper_and_arrays_by_reference() {
    let text = "class C {} int -> int a; nat → bool n; C -> C m; bool -> int o; int[][] r; C c; skip";
    let program = program(text);
    let types: Vec<String> = program.variables.iter().map(|it| typ(&program, &it.typ)).collect();
    assert_eq!(types, ["int -> int", "nat -> bool", "C -> C", "bool -> int", "int[][]", "C"]);
    let classes: Vec<&str> = program.classes.iter().map(|it| &*it.name).collect();
    assert_eq!(classes, ["C", "int[]", "int[][]"]);
    let array = &program.classes[1];
    assert_eq!(&*program.field(array.fields[0]).name, "length");
    assert_eq!(typ(&program, array.element.as_ref().expect("an array")), "int");
}

#[test]
fn threads_and_assumptions_are_read() {
    let text = "int x; nat -> int a; assume x > 0; |a| = x; par { x := 1 } { atomic { x++; x++ } } { skip }";
    assert_eq!(main_of(text), "assume (0 < x); |a| = x; par {x := 1} {atomic {x := (x + 1); x := (x + 1)}} {}");
}

#[test]
fn new_words_are_names_where_they_are_declared() {
    let text = "class nat { int f } class nil {} nat par; int div, mod, then, fi, skip; bool atomic; nat -> int assume;
                nil x; par := new nat; div := mod div then; skip := 1; assume[par] := 2; par.f := fi;
                if atomic then { skip };";
    assert!(errors(text).contains("`then`"), "{}", errors(text));
    let text = text.replace("if atomic then", "if atomic");
    assert_eq!(
        main_of(&text),
        "par := new nat; div := (mod div then); skip := 1; assume[par] := 2; par.f := fi; if atomic {} {}"
    );
    let text = "int x; void assume(int par) { x := par; } assume(x + 1); int nil; nil := 2; x := nil";
    assert_eq!(main_of(text), "assume((x + 1)); nil := 2; x := nil");
    assert_eq!(
        main_of("int x; assume(x > 1) && x < 3; assume (x mod 2 = 0)"),
        "assume ((1 < x) && (x < 3)); assume ((x mod 2) = 0)"
    );
    assert_eq!(main_of("class assume {} assume x; skip"), "");
    assert_eq!(main_of("bool x; assume x; assume -1 < 2; assume !x"), "assume x; assume (-1 < 2); assume !x");
}

#[test]
fn expressions_of_the_debugger_see_the_variables_of_a_routine() {
    let text = "class C { int f; C next; int m(int u) { int k := u; return k + F(k); } }
                int F(int w) { return w; } nat -> int a; int x; C c; int r := F(1) + x;";
    let program = program(text);
    let method = program.routines.iter().position(|it| &*it.name == "C.m").expect("a method") as u32;
    let say = |routine: u32, text: &str| match read_expression(&program, RoutineId(routine), text) {
        Ok((it, of)) => format!("{}: {}", expr(&program, &it), typ(&program, &of)),
        Err(error) => error.message,
    };
    assert_eq!(say(0, "x + |a| * a[x]"), "(x + (|a| * a[x])): int");
    assert_eq!(say(0, "c.next"), "c.next: C");
    assert_eq!(say(method, "k + u < f && this = c"), "(((k + u) < this.f) && (this = c)): bool");
    assert_eq!(say(method, "b ? nil : next"), "a variable or field was expected: there is no `b` here");
    assert_eq!(say(method, "x = 1 ? nil : next"), "((x = 1) ? nil : this.next): C");
    assert_eq!(say(0, "k"), "a variable or field was expected: there is no `k` here");
    for effect in ["F(1)", "new C", "x++", "c.m(1)", "new int[3]", "true && F(1) = 1"] {
        assert!(say(0, effect).contains("without effects"), "{effect}: {}", say(0, effect));
    }
    assert!(say(0, "nil").contains("of a known type"));
    assert!(say(0, "1 2").contains("the end of the expression"));
    assert!(say(0, "").contains("an expression was expected"));
    assert!(say(0, "a").contains("an element"));
    assert!(say(99, "k").contains("there is no `k`"));
}

/// What is wrong, and what is said.
#[test]
fn errors_say_what_was_expected() {
    let table = [
        ("", "1:1: a main statement was expected"),
        ("class C {}", "a main statement was expected"),
        ("int x, x;", "1:8: another name was expected: variable `x` is declared twice"),
        ("int x; { int x; }", "`x` is declared in this routine"),
        ("P() :: { int x; int x } skip", "`x` is declared in this routine"),
        ("P(int x, int x) :: { } skip", "parameter `x` is declared twice"),
        ("P() :: { } P() :: { } skip", "procedure `P` is declared twice"),
        ("class C {} class C {} skip", "class `C` is declared twice"),
        ("class C { int f; bool f } skip", "field `f` is declared twice"),
        ("class C { void m() {} int m() {} } skip", "method `m` is declared twice"),
        ("x := 1; int x;", "`x` is declared further below"),
        ("int x := y;", "there is no `y` here"),
        ("int x; x = 1;", "`:=` was expected, not `=`"),
        ("int x; x := true", "`int` was expected, not `bool`"),
        ("int x; if x {skip}", "`bool` was expected, not `int`"),
        ("int x; if (x = 1) {skip} {skip}", "`else` or `;` was expected before this block"),
        ("int x; if x = 1 then {skip}", "`{` was expected, not `then`"),
        ("int x; x := 1 y := 2", "`;` was expected, not `y`"),
        ("int x; x := nil", "`int` was expected, not `nil`"),
        ("class C {} class D {} C c; D d; c := d", "`C` was expected, not `D`"),
        ("class C {} class D {} C c; D d; assert c = d", "two values of one type were expected, not `C` and `D`"),
        ("class C {} C c; assert c < nil", "`int` was expected, not `C`"),
        ("C c; skip", "there is no class `C`"),
        ("Object o; skip", "`Object` is not supported in programs that are executed"),
        ("P(Object o) :: { } skip", "`Object` is not supported in programs that are executed"),
        ("int x; x := new Object", "`Object` is not supported in programs that are executed"),
        ("class C {} C c; c.f := 1", "a field of `C` was expected: there is no `f`"),
        ("int x; x.f := 1", "an object was expected: `int` has no fields"),
        ("class C {} C c; c.m()", "a method of `C` was expected: there is no `m`"),
        ("Q(1)", "a procedure was expected: there is no `Q`"),
        ("P(int u) :: { } P()", "as many arguments as parameters were expected: 1, not 0"),
        ("P(int u) :: { } P(true)", "`int` was expected, not `bool`"),
        ("int x; P() :: { } x := P()", "a value was expected: `P` has no result"),
        ("bool b; int P() { return 1; } b := P()", "`bool` was expected, not `int`"),
        ("P() :: { return 1 } skip", "`return` without a value was expected"),
        ("int P() { return; } skip", "a value was expected: this routine has a result"),
        ("return 1", "`return` without a value was expected"),
        ("par { return } { skip }", "a thread of `par` cannot `return`"),
        ("par { skip }", "a second thread"),
        ("class C {} C c := new C(1)", "no arguments were expected: `C` has no constructor"),
        ("class C { C(int v) {} } C c := new C()", "as many arguments as parameters were expected: 1, not 0"),
        ("int -> int a; a := 1", "an array `T -> T'` is not assigned as a whole"),
        ("int -> int a, b; b := a", "an array `T -> T'` is not assigned as a whole"),
        ("int -> int a; int x := a", "an element `a[..]` was expected"),
        ("int -> int a; assert a = a", "an element `a[..]` was expected"),
        ("int -> int a := 1", "`;` (arrays `T -> T'` are assigned by element) was expected"),
        ("P(int -> int a) :: { } skip", "arrays `T -> T'` are variables of the main statement, nothing else"),
        ("class C { int -> int a } skip", "arrays `T -> T'` are variables of the main statement, nothing else"),
        ("void P() { nat -> int a; } skip", "arrays `T -> T'` are not local"),
        ("int -> int -> int a; skip", "a type of values"),
        ("int[] -> int a; skip", "`int`, `bool` or a class was expected"),
        ("int -> int a; |a| = 1", "an array with a length"),
        ("int a; assert |a| = 1", "an array with a length"),
        ("nat -> int a; a[true] := 1", "`int` was expected, not `bool`"),
        ("nat a; skip", "there is no class `nat`"),
        ("int[] a; a.length := 3", "an array's length is not assigned"),
        ("int[] a; assert a.elems = a", "there is no `elems`"),
        ("int x; x[1] := 2", "an array was expected, not `int`"),
        ("int x; x := this.f", "`this` was expected only in a method"),
        ("int x; x := old(x)", "`old` belongs into contracts"),
        ("bool b; b := b * b", "the separating `*` belongs into contracts"),
        ("int x; assert x = 1 = true", "parentheses were expected"),
        ("int x; x + 1", "`:=` was expected"),
        ("nil := 1", "not `nil`"),
        ("class C { predicate p() { return true; } } C c; bool b := c.p()", "a predicate belongs into contracts"),
        ("int x; x := b ? 1 : true", "there is no `b`"),
        ("int x; x := true ? 1 : true", "two values of one type were expected"),
        ("int[][][][][][][][][] a; skip", "at most 8 dimensions"),
    ];
    for (text, message) in table {
        assert!(errors(text).contains(message), "{text}\n  said: {}\n  expected: {message}", errors(text));
    }
}

#[test]
fn one_mistake_is_one_error() {
    for text in [
        "Foo x; x := 1; x.f := x + 1; assert x[1] = |x|",
        "int x; while F(y) > 0 { skip } int F(int u) { return u; }",
        "class C { Foo f; Foo m(Foo u) { return u; } } skip",
    ] {
        let found = errors(text);
        let distinct = found.lines().filter(|it| !it.contains("`Foo`") && !it.contains("`y`")).count();
        assert_eq!(distinct, 0, "{text}\n{found}");
    }
}

#[test]
fn contracts_do_not_know_what_is_only_executed() {
    let table = [
        ("par { } { }", "`par`"),
        ("atomic { }", "`atomic`"),
        ("assume true;", "`assume`"),
        ("skip;", "`skip`"),
        ("int -> int a;", "arrays `T -> T'`"),
        ("int n := |a|;", "`|a|`"),
        ("|a| = 1;", "`|a| = e`"),
        ("P() :: { } int x := 1;", "a procedure"),
        ("void P() { } int x := 1;", "a procedure"),
    ];
    for (text, construct) in table {
        let errors = effigy_oo::read("test.oo", text).expect_err(text);
        let message = format!("contracts do not know {construct}");
        assert!(errors.iter().any(|it| it.message.contains(&message)), "{text}: {errors:?}");
    }
    let errors = effigy_oo::read("test.oo", "int x := 1; class C { }").expect_err("a late class");
    assert!(errors[0].message.contains("classes come before the main routine"));
}

#[test]
fn hostile_texts_are_refused_in_bounded_time() {
    for (open, close) in [("(", ")"), ("!", ""), ("- ", ""), ("true ==> ", ""), ("true ? true : ", ""), ("F(", ")")] {
        let text = format!("assert {}true{};", open.repeat(10_000), close.repeat(10_000));
        assert!(errors(&text).contains("nested too deeply"), "{open}");
    }
    assert!(errors(&"if true then ".repeat(10_000)).contains("expected"));
    assert!(errors(&format!("int x := {}", "if true then ".repeat(10_000))).contains("nested too deeply"));
    for block in ["{", "atomic {", "par {", "while true {", "if true {"] {
        assert!(errors(&block.repeat(10_000)).contains("nested too deeply"), "{block}");
    }
    // Parentheses inside of rows: deeper than either limit alone.
    let mut text = "x".to_owned();
    for _ in 0..150 {
        text = format!("({text}{})", " + 1".repeat(190));
    }
    assert!(errors(&format!("int x; x := {text}")).contains("nested too deeply"));
    let mut text = "x".to_owned();
    for _ in 0..90 {
        text = format!("(0 <= {text} + 1 < 9 ? 1 : 0)");
    }
    assert!(errors(&format!("int x; x := {text}")).contains("in the middle of a chain"));
    let effects = format!("bool F() {{ return true; }} bool b := true{};", " && F()".repeat(10_000));
    assert!(errors(&effects).contains("operands with effects"));
    assert!(errors(&format!("int x := {}1;", "1 + ".repeat(100_000))).contains("use parentheses"));
    read("long.oo", &format!("assert {}true;", "true && ".repeat(100_000))).expect("a long row");
    read("long.oo", &format!("int x; {}", "x := x + 1;\n".repeat(90_000))).expect("a long text");
    read("long.oo", &format!("int x; {}", "{ int y := 1; x := y };\n".repeat(40_000))).expect("many of one name");
    let mut text = "F(1)".to_owned();
    for _ in 0..60 {
        text = format!("F({text} > 0 && G() ? 1 : 2)");
    }
    let nested = format!("int F(int u) {{ return u; }} bool G() {{ return true; }} int x := {text};");
    let program = program(&nested);
    assert!(program.statements.len() < 2_000, "{} statements", program.statements.len());
}

#[test]
fn mutants_of_the_corpus_are_read_or_refused() {
    let texts: Vec<String> = files("run").into_iter().chain(files("verified")).map(|it| it.1).collect();
    let mut state = 1u64;
    let mut below = |n: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % n.max(1)
    };
    let mut readable = 0;
    for _ in 0..4000 {
        let text = &texts[below(texts.len())];
        let mut words: Vec<&str> = text.split_inclusive([' ', '\n', '(', '.', ';', '[']).collect();
        for _ in 0..1 + below(3) {
            let (at, other) = (below(words.len()), below(words.len()));
            match below(3) {
                0 => drop(words.remove(at)),
                1 => words.insert(at, words[other]),
                _ => words.swap(at, other),
            }
        }
        match read("mutant.oo", &words.concat()) {
            Ok(program) => {
                readable += 1;
                assert!(!program.routines.is_empty());
            }
            Err(errors) => assert!(!errors.is_empty()),
        }
    }
    assert!(readable > 200, "only {readable} mutants were read: the test says little");
}

//! Prints a syntax tree with every parenthesis, one statement a line: what tests compare.

use effigy_viper::ast::*;
use std::fmt::Write;

pub fn program(program: &Program) -> String {
    program.items.iter().map(|it| item(it) + "\n").collect()
}

fn list<T>(items: &[T], print: impl Fn(&T) -> String) -> String {
    items.iter().map(print).collect::<Vec<_>>().join(", ")
}

fn bindings(items: &[Binding]) -> String {
    list(items, |it| format!("{}: {}", it.name.text, typ(&it.typ)))
}

fn exps(items: &[Exp]) -> String {
    list(items, exp)
}

fn names(items: &[Name]) -> String {
    list(items, |it| it.text.to_string())
}

fn type_variables(items: &[Name]) -> String {
    if items.is_empty() { String::new() } else { format!("[{}]", names(items)) }
}

fn annotations(items: &[Annotation]) -> String {
    items.iter().map(|it| format!("@{}({}) ", it.key.text, list(&it.values, |it| format!("{:?}", it.text)))).collect()
}

fn contract(pre: &[Exp], post: &[Exp], decreases: &[Decreases]) -> String {
    let mut res = String::new();
    pre.iter().for_each(|it| write!(res, "\n  requires {}", exp(it)).expect("a string"));
    post.iter().for_each(|it| write!(res, "\n  ensures {}", exp(it)).expect("a string"));
    res + &measures(decreases)
}

fn measures(decreases: &[Decreases]) -> String {
    let print = |it: &Decreases| {
        let measure = match &it.measure {
            Measure::Tuple(it) => exps(it),
            Measure::Wildcard => "_".to_string(),
            Measure::Star => "*".to_string(),
        };
        let condition = it.condition.as_ref().map_or(String::new(), |it| format!(" if {}", exp(it)));
        format!("\n  decreases {measure}{condition}")
    };
    decreases.iter().map(print).collect()
}

fn item(item: &Item) -> String {
    match item {
        Item::Import(it) => format!("import {:?} {}", it.path.text, it.standard),
        Item::Macro(it) => {
            let parameters = it.parameters.as_ref().map_or(String::new(), |it| format!("({})", names(it)));
            let body = match &it.body {
                MacroBody::Exp(it) => exp(it),
                MacroBody::Block(it) => block(it, 0),
            };
            format!("{}define {}{parameters} {body}", annotations(&it.annotations), it.name.text)
        }
        Item::Fields(it) => format!("{}field {}", annotations(&it.annotations), bindings(&it.fields)),
        Item::Method(it) => {
            let head = format!("{}method {}({})", annotations(&it.annotations), it.name.text, bindings(&it.parameters));
            let results =
                if it.results.is_empty() { String::new() } else { format!(" returns ({})", bindings(&it.results)) };
            let body = it.body.as_ref().map_or(String::new(), |it| format!("\n{}", block(it, 0)));
            head + &results + &contract(&it.pre, &it.post, &it.decreases) + &body
        }
        Item::Function(it) => {
            let head =
                format!("{}function {}({})", annotations(&it.annotations), it.name.text, bindings(&it.parameters));
            let body = it.body.as_ref().map_or(String::new(), |it| format!("\n{{ {} }}", exp(it)));
            head + ": " + &typ(&it.result) + &contract(&it.pre, &it.post, &it.decreases) + &body
        }
        Item::Predicate(it) => {
            let body = it.body.as_ref().map_or(String::new(), |it| format!(" {{ {} }}", exp(it)));
            format!("{}predicate {}({}){body}", annotations(&it.annotations), it.name.text, bindings(&it.parameters))
        }
        Item::Domain(it) => domain(it),
        Item::Adt(it) => {
            let mut res = format!(
                "{}adt {}{} {{",
                annotations(&it.annotations),
                it.name.text,
                type_variables(&it.type_variables)
            );
            for it in &it.constructors {
                write!(res, "\n  {}{}({})", annotations(&it.annotations), it.name.text, bindings(&it.parameters))
                    .expect("a string");
            }
            res += "\n}";
            for it in it.derives.iter().flatten() {
                let parameter = it.parameter.as_ref().map_or(String::new(), |it| format!("[{}]", typ(it)));
                write!(res, " derives {}{parameter} without {}", it.name.text, names(&it.without)).expect("a string");
            }
            res
        }
    }
}

fn domain(it: &Domain) -> String {
    let mut res =
        format!("{}domain {}{}", annotations(&it.annotations), it.name.text, type_variables(&it.type_variables));
    for it in it.interpretations.iter().flatten() {
        write!(res, " {}: {:?}", it.backend.text, it.text.text).expect("a string");
    }
    res += " {";
    for it in &it.functions {
        let unique = if it.unique { "unique " } else { "" };
        let parameters = list(&it.parameters, |(name, it)| {
            name.as_ref().map_or(String::new(), |it| format!("{}: ", it.text)) + &typ(it)
        });
        let head = format!("\n  {}{unique}function {}({parameters})", annotations(&it.annotations), it.name.text);
        let meaning = it.interpretation.as_ref().map_or(String::new(), |it| format!(" is {:?}", it.text));
        res += &(head + ": " + &typ(&it.result) + &meaning);
    }
    for it in &it.axioms {
        let name = it.name.as_ref().map_or(String::new(), |it| format!("{} ", it.text));
        write!(res, "\n  {}axiom {name}{{ {} }}", annotations(&it.annotations), exp(&it.body)).expect("a string");
    }
    res + "\n}"
}

fn typ(it: &Type) -> String {
    match &it.kind {
        TypeKind::Int => "Int".into(),
        TypeKind::Bool => "Bool".into(),
        TypeKind::Ref => "Ref".into(),
        TypeKind::Perm => "Perm".into(),
        TypeKind::Seq(it) => format!("Seq[{}]", typ(it)),
        TypeKind::Set(it) => format!("Set[{}]", typ(it)),
        TypeKind::Multiset(it) => format!("Multiset[{}]", typ(it)),
        TypeKind::Map(key, value) => format!("Map[{}, {}]", typ(key), typ(value)),
        TypeKind::Named(name, args) if args.is_empty() => name.text.to_string(),
        TypeKind::Named(name, args) => format!("{}[{}]", name.text, list(args, typ)),
    }
}

fn block(it: &Block, depth: usize) -> String {
    let mut res = "{\n".to_string();
    it.stmts
        .iter()
        .for_each(|it| writeln!(res, "{}{}", "  ".repeat(depth + 1), stmt(it, depth + 1)).expect("a string"));
    res + &"  ".repeat(depth) + "}"
}

fn stmt(it: &Stmt, depth: usize) -> String {
    use StmtKind::*;
    let value = |it: &Option<Exp>| it.as_ref().map_or(String::new(), |it| format!(" := {}", exp(it)));
    let guard = |it: &Option<Exp>| it.as_ref().map_or(String::new(), |it| format!("{} ==> ", exp(it)));
    let invariants = |it: &[Exp]| it.iter().map(|it| format!(" invariant {}", exp(it))).collect::<String>();
    match &it.kind {
        Var(variables, it) => format!("var {}{}", bindings(variables), value(it)),
        Assign(targets, it) => format!("{} := {}", exps(targets), exp(it)),
        Call(it) => exp(it),
        Assert(it) => format!("assert {}", exp(it)),
        Assume(it) => format!("assume {}", exp(it)),
        Inhale(it) => format!("inhale {}", exp(it)),
        Exhale(it) => format!("exhale {}", exp(it)),
        Refute(it) => format!("refute {}", exp(it)),
        Fold(it) => format!("fold {}", exp(it)),
        Unfold(it) => format!("unfold {}", exp(it)),
        If(cond, then, otherwise) => {
            let otherwise = otherwise.as_ref().map_or(String::new(), |it| format!(" else {}", block(it, depth)));
            format!("if {} {}{otherwise}", exp(cond), block(then, depth))
        }
        While { cond, invariants: it, decreases, body } => {
            format!("while {}{}{} {}", exp(cond), invariants(it), measures(decreases), block(body, depth))
        }
        Goto(it) => format!("goto {}", it.text),
        Label { name, invariants: it, decreases } => {
            format!("label {}{}{}", name.text, invariants(it), measures(decreases))
        }
        Package(wand, script) => {
            format!(
                "package {}{}",
                exp(wand),
                script.as_ref().map_or(String::new(), |it| " ".to_string() + &block(it, depth))
            )
        }
        Apply(it) => format!("apply {}", exp(it)),
        Block(it) => block(it, depth),
        Define(it) => item(&Item::Macro((**it).clone())),
        Quasihavoc(cond, it) => format!("quasihavoc {}{}", guard(cond), exp(it)),
        Quasihavocall(variables, cond, it) => {
            format!("quasihavocall {} :: {}{}", bindings(variables), guard(cond), exp(it))
        }
        Annotated(annotation, it) => annotations(std::slice::from_ref(annotation)) + &stmt(it, depth),
    }
}

pub fn exp(it: &Exp) -> String {
    use ExpKind::*;
    match &it.kind {
        Int(it) => it.to_string(),
        Bool(it) => it.to_string(),
        Null => "null".into(),
        Result => "result".into(),
        NoPerm => "none".into(),
        Write => "write".into(),
        Wildcard => "wildcard".into(),
        Epsilon => "epsilon".into(),
        Var(it) => it.text.to_string(),
        Call(name, args, None) => format!("{}({})", name.text, exps(args)),
        Call(name, args, Some(it)) => format!("({}({}): {})", name.text, exps(args), typ(it)),
        Field(of, name) => format!("{}.{}", exp(of), name.text),
        Index(a, b) => format!("{}[{}]", exp(a), exp(b)),
        Update(a, b, c) => format!("{}[{} := {}]", exp(a), exp(b), exp(c)),
        Slice(a, from, to) => {
            let bound = |it: &Option<Box<Exp>>| it.as_ref().map_or(String::new(), |it| exp(it));
            format!("{}[{}..{}]", exp(a), bound(from), bound(to))
        }
        Unary(UnaryOp::Not, a) => format!("!{}", exp(a)),
        Unary(UnaryOp::Neg, a) => format!("-{}", exp(a)),
        Binary(op, a, b) => format!("({} {} {})", exp(a), op.text(), exp(b)),
        Cond(a, b, c) => format!("({} ? {} : {})", exp(a), exp(b), exp(c)),
        Acc(a, None) => format!("acc({})", exp(a)),
        Acc(a, Some(b)) => format!("acc({}, {})", exp(a), exp(b)),
        Perm(a) => format!("perm({})", exp(a)),
        Old(None, a) => format!("old({})", exp(a)),
        Old(Some(OldLabel::Lhs(_)), a) => format!("old[lhs]({})", exp(a)),
        Old(Some(OldLabel::Label(it)), a) => format!("old[{}]({})", it.text, exp(a)),
        Quantified(it) => {
            let which = if it.universal { "forall" } else { "exists" };
            let triggers: String = it.triggers.iter().map(|it| format!(" {{{}}}", exps(&it.exps))).collect();
            format!("({which} {} ::{triggers} {})", bindings(&it.variables), exp(&it.body))
        }
        ForPerm(variables, a, b) => format!("(forperm {} [{}] :: {})", bindings(variables), exp(a), exp(b)),
        Let(name, a, b) => format!("(let {} == {} in {})", name.text, exp(a), exp(b)),
        Unfolding(a, b) => format!("(unfolding {} in {})", exp(a), exp(b)),
        Applying(a, b) => format!("(applying {} in {})", exp(a), exp(b)),
        Asserting(a, b) => format!("(asserting {} in {})", exp(a), exp(b)),
        Collection(which, it, elements) => {
            let element = it.as_ref().map_or(String::new(), |it| format!("[{}]", typ(it)));
            format!("{which:?}{element}({})", exps(elements))
        }
        Map(types, entries) => {
            let types = types.as_ref().map_or(String::new(), |it| format!("[{}, {}]", typ(&it.0), typ(&it.1)));
            format!("Map{types}({})", list(entries, |(key, value)| format!("{} := {}", exp(key), exp(value))))
        }
        Range(a, b) => format!("[{}..{})", exp(a), exp(b)),
        InhaleExhale(a, b) => format!("[{}, {}]", exp(a), exp(b)),
        Size(a) => format!("|{}|", exp(a)),
        MapDomain(a) => format!("domain({})", exp(a)),
        MapRange(a) => format!("range({})", exp(a)),
        New(NewFields::All) => "new(*)".into(),
        New(NewFields::These(it)) => format!("new({})", names(it)),
        Annotated(annotation, a) => annotations(std::slice::from_ref(annotation)) + &exp(a),
        PredicateInstance(name, args) => format!("#{}({})", name.text, exps(args)),
    }
}

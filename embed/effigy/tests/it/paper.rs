//! Every listing of Near and Jackson 2014, section 2, with the result that is printed there.

use effigy::Exp;
use effigy::object::Object;
use effigy::prelude::*;
use effigy::session::Verdict;
use effigy::{Report, input, verify};

fn run(body: impl FnMut()) -> Report {
    verify("it", &Options::default(), false, body)
}

fn x_and_y() -> (Object, Object) {
    (Object::new("x"), Object::new("y"))
}

/// Section 2: the specification of Fat Free CRM.
fn specification() -> Object {
    Object::forall("User", "u", |u| {
        Object::forall("Contact", "c", |c| {
            Object::forall("Opportunity", "o", |o| {
                let field = |of: &Object, name: &str| of.call("field_ref", &[&Object::value(name)]);
                let private = field(o, ":access").equals(&Object::value("'private'"));
                let foreign = field(o, ":user").call("!=", &[u]);
                let shown = field(c, ":opportunities").call("include", &[o]);
                Object(Exp::of("implies", [Exp::of("and", [private.0, foreign.0]), Exp::of("not", [shown.0])]))
            })
        })
    })
}

#[test]
fn section_2_the_verification_condition() {
    assert_eq!(
        specification().0.tree(),
        "Exp(forall, [User, Exp(forall, [Contact, Exp(forall, [Opportunity, \
         Exp(implies, [Exp(and, [Exp(==, [Exp(field_ref, [o, :access]), 'private']), \
         Exp(!=, [Exp(field_ref, [o, :user]), u])]), \
         Exp(not, [Exp(include, [Exp(field_ref, [c, :opportunities]), o])])])])])])"
    );
    assert_eq!(
        specification().0.to_string(),
        "all u: User, c: Contact, o: Opportunity | \
         o.access = 'private' and o.user != u implies not (o in c.opportunities)"
    );
}

#[test]
fn section_2_1_any_method() {
    let (x, y) = x_and_y();
    assert_eq!(x.call("foo", &[&y]).0.tree(), "Exp(foo, [x, y])");
    // x + y == y + x
    assert_eq!((&x + &y).equals(&(&y + &x)).0.tree(), "Exp(==, [Exp(+, [x, y]), Exp(+, [y, x])])");
}

#[test]
fn section_2_1_1_conditionals() {
    // if x.even? then (x+1).odd? end; the paper prints no value of the missing side, Ruby's is nil.
    let x = Object::new("x");
    let value = x.call("even?", &[]).branch(|| (&x + 1).call("odd?", &[]), || Object::value("nil"));
    assert_eq!(value.0.tree(), "Exp(if, [Exp(even?, [x]), Exp(odd?, [Exp(+, [x, 1])]), nil])");
}

#[test]
fn section_2_3_a_query() {
    // @user = User.my.find(params[:id])
    let found = Object::value("Exp(query, [User])").call("find", &[&Object::new("SymbolicObject1")]);
    assert_eq!(
        found.0.tree().replace("Exp(find", "Exp(:find").replace("Exp(query", "Exp(:query"),
        "Exp(:find, [Exp(:query, [User]), SymbolicObject1])"
    );
}

#[test]
fn section_2_4_quantifiers_and_should() {
    let all = Object::forall("Integer", "i", |i| Object::forall("Integer", "j", |j| (i + j).equals(&(j + i))));
    assert_eq!(
        all.0.tree(),
        "Exp(forall, [Integer, Exp(forall, [Integer, Exp(==, [Exp(+, [i, j]), Exp(+, [j, i])])])])"
    );
    assert_eq!(all.0.to_string(), "all i: Integer, j: Integer | i + j = j + i");
    let users = Object::value("User").call("all", &[]);
    let should = users.should("include?", &Object::new("SymbolicObject1"));
    assert_eq!(should.0.tree(), "Exp(should, [Exp(all, [User]), include?, SymbolicObject1])");
}

// The same with types: what the library makes of them.

#[test]
fn integers_commute() {
    let report = run(|| {
        forall(|i: Sym<i32>| forall(move |j: Sym<i32>| expect(i.wrapping_add(j)).to_equal(j.wrapping_add(i))));
    });
    assert_eq!(report.account.verdict(), Verdict::Passed);
    assert_eq!(report.conditions, ["all i: i32, j: i32 | i + j = i + j"]);
}

#[derive(Symbolic, Clone, Copy, Debug)]
struct User {
    id: Sym<u8>,
}

#[derive(Symbolic, Clone, Copy, Debug)]
struct Opportunity {
    id: Sym<u8>,
    private: Sym<bool>,
    user: Sym<u8>,
}

#[derive(Symbolic, Clone, Debug)]
struct Contact {
    opportunities: Vec<Opportunity>,
}

/// The controller of section 2: whoever may see the contact sees all of its opportunities; `checked` is the fix.
fn show(contact: &Contact, user: User, checked: bool) -> Vec<Sym<u8>> {
    let shown = contact.opportunities.iter().filter(|it| !checked || !*it.private || it.user == user.id);
    shown.map(|it| it.id).collect()
}

fn private_opportunities_are_not_shown(checked: bool) -> Report {
    run(|| {
        forall(|u: User, c: Contact, o: Opportunity| {
            // An opportunity of the contact with this number is this opportunity.
            for it in &c.opportunities {
                let same = it.private.equals(o.private) & it.user.equals(o.user);
                assume!(it.id.differs(o.id) | same);
            }
            let shown = show(&c, u, checked);
            let foreign = o.private.and(expect(o.user).not().to_equal(u.id));
            foreign.implies(|| expect(shown).named("c.opportunities").not().to_include(o.id))
        });
    })
}

#[test]
fn the_bug_of_section_2_is_found_and_its_fix_is_verified() {
    let report = private_opportunities_are_not_shown(false);
    assert_eq!(report.account.verdict(), Verdict::Failed, "{report}");
    assert_eq!(
        report.conditions.last().map(String::as_str),
        Some(
            "all u: User, c: Contact, o: Opportunity | \
             o.private and o.user != u.id implies not (o.id in c.opportunities)"
        ),
        "{report}"
    );
    let report = private_opportunities_are_not_shown(true);
    assert_eq!(report.account.verdict(), Verdict::Passed, "{report}");
}

#[test]
fn sections_2_1_1_and_2_2_with_types() {
    #[effigy::symbolic(merge)]
    fn even(x: Sym<i32>) -> Sym<bool> {
        let mut y = Sym::plain(false);
        if (x % 2).equals(0) {
            y = Sym::plain(true)
        } else {
            y = Sym::plain(false)
        }
        y
    }
    let report = run(|| {
        let x: Sym<i32> = input("x");
        expect(even(x)).to_equal((x & 1).equals(0));
    });
    assert_eq!(report.account.verdict(), Verdict::Passed, "{report}");
}

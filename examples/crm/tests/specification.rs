//! What users must not see, said as specifications: each finds the fault that was planted, and holds without it.

mod common;

use axum::body::Body;
use axum::http::Request;
use common::{App, get, signed_in, world};
use effigy_sea::{Answer, Path};

fn send(method: &str, uri: String, cookie: &str, body: &str) -> Request<Body> {
    let request = Request::builder().method(method).uri(uri).header("cookie", cookie);
    request.header("content-type", "application/json").body(Body::from(body.to_owned())).expect("a request")
}

fn ids(answer: &Answer, of: &str) -> Vec<i64> {
    let json = answer.json();
    let list = if of.is_empty() { &json } else { &json[of] };
    list.as_array().into_iter().flatten().filter_map(|it| it["id"].as_i64()).collect()
}

/// Near and Jackson 2014, section 2: the private opportunities of others are not displayed with a contact.
async fn contact_page(path: Path, app: App) {
    let (u, cookie) = signed_in(&path);
    let c = path.any("contact", "c");
    let answer = path.send(&app(path.connection()), get(format!("/contacts/{}", c.id()), &cookie)).await;
    let shown = ids(&answer, "opportunities");
    path.check_every(&path.every("opportunity", "o"), |o| {
        (o.is("access", "private") & o.get("user_id").differs(&u.number())).implies(!o.is_in(&shown, "c.opportunities"))
    });
}

#[test]
fn private_opportunities_are_shown_with_a_contact() {
    let report = world().check(async |path| contact_page(path, crm::planted::app).await);
    println!("{report}");
    let found = report.counterexample();
    assert_eq!(
        report.formula(),
        "all u: user, s: session, c: contact, o: opportunity |\n  given s.user_id = u, o.access = 'private' and \
         o.user_id != u implies not (o in c.opportunities)"
    );
    // It is written as a test of its own, which fails with the fault and passes without it.
    let written = found.as_test("private_opportunities_are_shown");
    if std::env::var_os("EFFIGY_BLESS").is_some() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/written/private_opportunities_are_shown.rs");
        std::fs::write(file, &written).expect("a file");
    } else {
        let before = include_str!("written/private_opportunities_are_shown.rs");
        assert_eq!(before, written, "EFFIGY_BLESS=1 writes it");
    }
    // The rows are those of a database, and SQLite answers the same on them.
    assert!(found.confirmed && found.rows("opportunity").iter().any(|it| it[5].to_string() == "'private'"));
}

#[test]
fn private_opportunities_are_not_shown() {
    world().check(async |path| contact_page(path, crm::app).await).assert_holds();
}

async fn search(path: Path, app: App) {
    let (u, cookie) = signed_in(&path);
    let answer = path.send(&app(path.connection()), get("/opportunities?least=1000".to_owned(), &cookie)).await;
    let shown = ids(&answer, "");
    path.check_every(&path.every("opportunity", "o"), |o| {
        o.is_in(&shown, "found").implies(o.is("access", "public") | o.refers("user_id", &u))
    });
}

#[test]
fn a_search_finds_what_is_private() {
    let report = world().check(async |path| search(path, crm::planted::app).await);
    assert!(report.counterexample().confirmed, "{report}");
}

#[test]
fn a_search_finds_what_one_may_see() {
    world().check(async |path| search(path, crm::app).await).assert_holds();
}

async fn address(path: Path, app: App) {
    let (u, cookie) = signed_in(&path);
    let other = path.any("user", "v");
    let answer = path.send(&app(path.connection()), get(format!("/users/{}", other.id()), &cookie)).await;
    let told = path.fact(answer.json()["email"].is_string(), "v.email is told");
    path.check(&told.implies(path.fact(u.id() == other.id(), "v = u") | u.get("is_admin").holds()));
}

#[test]
fn addresses_are_told() {
    let report = world().check(async |path| address(path, crm::planted::app).await);
    assert!(report.counterexample().confirmed, "{report}");
}

#[test]
fn addresses_are_not_told() {
    world().check(async |path| address(path, crm::app).await).assert_holds();
}

async fn opportunity_page(path: Path, app: App) {
    let (u, cookie) = signed_in(&path);
    let o = path.any("opportunity", "o");
    let answer = path.send(&app(path.connection()), get(format!("/opportunities/{}", o.id()), &cookie)).await;
    let shown = path.fact(answer.is_success(), "o is shown");
    path.check(&shown.implies(o.is("access", "public") | o.refers("user_id", &u)));
}

#[test]
fn an_opportunity_is_shown_to_whoever_knows_its_number() {
    let report = world().check(async |path| opportunity_page(path, crm::planted::app).await);
    assert!(report.counterexample().confirmed, "{report}");
}

#[test]
fn an_opportunity_is_shown_to_who_may_see_it() {
    world().check(async |path| opportunity_page(path, crm::app).await).assert_holds();
}

/// What is written: nobody changes a contact but its owner and administrators.
#[test]
fn a_contact_is_changed_by_its_owner() {
    let report = world().rows_of("opportunity", 0).check(async |path| {
        let (u, cookie) = signed_in(&path);
        let c = path.any("contact", "c");
        let request = send("PATCH", format!("/contacts/{}", c.id()), &cookie, r#"{"name":"new","access":"public"}"#);
        path.send(&crm::app(path.connection()), request).await;
        let mine = c.refers("user_id", &u) | u.get("is_admin").holds();
        path.check(&(mine | c.unchanged().await));
    });
    report.assert_holds();
}

/// A contact that is deleted takes its opportunities and permissions with it, in a transaction or not.
#[test]
fn a_contact_is_deleted_by_its_owner() {
    let report = world().rows(1).check(async |path| {
        let (u, cookie) = signed_in(&path);
        let c = path.any("contact", "c");
        path.send(&crm::app(path.connection()), send("DELETE", format!("/contacts/{}", c.id()), &cookie, "")).await;
        let mine = c.refers("user_id", &u) | u.get("is_admin").holds();
        path.check(&(mine.clone() | c.unchanged().await));
        let again = path.send(&crm::app(path.connection()), get("/contacts".to_owned(), &cookie)).await;
        path.check(&mine.implies(!c.is_in(&ids(&again, ""), "contacts")));
    });
    report.assert_holds();
}

/// Who was granted a permission sees the contact; the same again changes nothing.
#[test]
fn a_permission_lets_a_user_see_a_contact() {
    let report = world().rows_of("opportunity", 0).rows_of("contact", 1).check(async |path| {
        let (u, cookie) = signed_in(&path);
        let c = path.any("contact", "c");
        path.assume(&(c.refers("user_id", &u) & c.is("access", "shared")));
        let app = crm::app(path.connection());
        let request = send("POST", format!("/contacts/{}/permissions", c.id()), &cookie, r#"{"user_id":2}"#);
        let granted = path.send(&app, request).await;
        let listed = path.send(&app, get(format!("/contacts/{}/permissions", c.id()), &cookie)).await;
        let is_there = path.fact(granted.is_success(), "the permission is granted");
        path.check(&is_there.implies(path.fact(ids(&listed, "").contains(&2), "the user is listed")));
    });
    report.assert_holds();
}

/// The database's own constraint is what the application relies on: an address is refused if, and only if, it is there.
#[test]
fn an_address_is_that_of_one_user() {
    let report = world().check(async |path| {
        let (u, cookie) = signed_in(&path);
        path.assume(&u.get("is_admin").holds());
        let form = r#"{"name":"new","email":"new@a.org","code":"1"}"#;
        let answer = path.send(&crm::app(path.connection()), send("POST", "/users".to_owned(), &cookie, form)).await;
        let refused = path.fact(answer.status == 422, "it is refused");
        let known = path.every("user", "v").into_iter().map(|v| v.there() & v.is("email", "new@a.org"));
        let known = known.reduce(|a, b| a | b).expect("rows");
        path.check(&(refused.clone().implies(known.clone()) & known.implies(refused)));
    });
    println!("{report}");
    report.assert_holds();
}

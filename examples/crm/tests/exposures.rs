//! The same faults without a specification: what is shown though no pattern of access control allows it.

mod common;

use common::{App, get, signed_in, world};
use effigy_sea::{Exposures, Pattern};

/// The application's own idea of who may see what, in five lines.
fn patterns() -> Vec<Pattern> {
    vec![
        Pattern::owner("user_id"),
        Pattern::public("access", "public"),
        Pattern::admin("is_admin", &["contact", "user"]),
        Pattern::member("permission", "contact_id", "user_id", "contact"),
        Pattern::oneself("user"),
        Pattern::signed_in("user", "name"),
    ]
}

fn exposures(app: App, table: &'static str, uri: &'static str) -> Exposures {
    let request = move |path: &effigy_sea::Path| {
        let (me, cookie) = signed_in(path);
        let uri = if uri.contains("{}") {
            uri.replace("{}", &path.any(table, "it").id().to_string())
        } else {
            uri.to_owned()
        };
        (me, get(uri, &cookie))
    };
    // What is compared with SQLite here was compared for the specifications.
    world().rows_of("permission", 1).compared(50).exposures(app, request, &patterns())
}

fn unprotected(of: &Exposures) -> Vec<&str> {
    assert!(of.report.is_ok(), "{of}");
    of.unprotected().iter().map(|it| it.what.as_str()).collect()
}

#[test]
fn a_contact_with_its_opportunities() {
    let planted = exposures(crm::planted::app, "contact", "/contacts/{}");
    println!("{planted}");
    assert_eq!(unprotected(&planted), ["opportunity.name"]);
    assert_eq!(unprotected(&exposures(crm::app, "contact", "/contacts/{}")), [""; 0]);
}

#[test]
fn a_search() {
    assert_eq!(unprotected(&exposures(crm::planted::app, "", "/opportunities?least=1000")), ["opportunity.name"]);
    assert_eq!(unprotected(&exposures(crm::app, "", "/opportunities?least=1000")), [""; 0]);
}

#[test]
fn a_user() {
    let planted = exposures(crm::planted::app, "user", "/users/{}");
    println!("{planted}");
    assert_eq!(unprotected(&planted), ["user.email"]);
    assert_eq!(unprotected(&exposures(crm::app, "user", "/users/{}")), [""; 0]);
}

#[test]
fn an_opportunity() {
    assert_eq!(unprotected(&exposures(crm::planted::app, "opportunity", "/opportunities/{}")), ["opportunity.name"]);
    assert_eq!(unprotected(&exposures(crm::app, "opportunity", "/opportunities/{}")), [""; 0]);
}

#[test]
fn lists() {
    assert_eq!(unprotected(&exposures(crm::app, "", "/contacts")), [""; 0]);
    assert_eq!(unprotected(&exposures(crm::app, "", "/users")), [""; 0]);
}

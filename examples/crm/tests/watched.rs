//! Faults that depend on what a plain column is: missed by `cargo test`, which says so. `cargo effigy test` finds those of
//! numbers, and of texts that are ordered; of equal texts only where lengths are.

use axum::Router;
use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::{Request, StatusCode};
use axum::routing::get;
use effigy_sea::{Report, World, watches};
use sea_orm::entity::prelude::*;
use std::cell::RefCell;
use std::collections::BTreeSet;

mod offer {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "offer")]
    pub struct Model {
        #[sea_orm(primary_key)]
        pub id: i32,
        pub amount: i32,
        pub name: String,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

fn world() -> World {
    let table = "CREATE TABLE offer (id integer NOT NULL PRIMARY KEY, amount integer NOT NULL, name varchar NOT NULL)";
    World::of(async |database: DatabaseConnection| database.execute_unprepared(table).await.map(drop))
        .expect("a table")
        .entity(offer::Entity)
        .rows(1)
}

/// What the application says of an offer: plain numbers and texts, compared as anybody does.
fn class(amount: i32, name: &str) -> &'static str {
    if amount > 1_000 {
        return if name == "gift" { "a large gift" } else { "large" };
    }
    match amount {
        0 => "free",
        -5..=-1 => "owed",
        7 => "seven",
        _ if name.is_empty() => "nameless",
        _ if name < "b" => "early",
        _ => "usual",
    }
}

async fn show(State(database): State<DatabaseConnection>, Path(id): Path<i32>) -> Result<String, StatusCode> {
    let found = offer::Entity::find_by_id(id).one(&database).await;
    let it = found.ok().flatten().ok_or(StatusCode::NOT_FOUND)?;
    Ok(class(it.amount, &it.name).to_owned())
}

fn app(database: DatabaseConnection) -> Router {
    Router::new().route("/offers/{id}", get(show)).with_state(database)
}

/// Whether some offer is said to be this; what is said on all paths.
fn says(what: &str) -> (Report, BTreeSet<String>) {
    let said = RefCell::new(BTreeSet::new());
    let report = world().check(async |path| {
        let offer = path.any("offer", "o");
        let request = Request::get(format!("/offers/{}", offer.id())).body(Body::empty()).expect("a request");
        let answer = path.send(&app(path.connection()), request).await;
        said.borrow_mut().insert(answer.body.clone());
        path.check(&path.fact(answer.body != what, &format!("o is not {what}")));
    });
    (report, said.into_inner())
}

#[test]
fn a_number_that_is_compared() {
    let (report, _) = says("large");
    println!("{report}");
    if watches() {
        let found = report.counterexample();
        let amount: i64 = found.rows("offer")[0][1].to_string().parse().expect("a number");
        assert!(found.confirmed && amount > 1_000, "{report}");
    }
}

#[test]
fn a_text_that_is_a_literal() {
    let (report, _) = says("a large gift");
    println!("{report}");
    if watches() {
        // Lengths are compared where the compiler tells nothing of it: what the report claims is that.
        report.assert_holds();
        assert!(report.to_string().contains("not seen: whether a text is one of another length"), "{report}");
    } else {
        // One value of each column was sent: no counterexample, and the report says what it stands for.
        report.assert_holds();
        assert!(report.to_string().contains("one value was taken for all of: offer.amount, offer.name"), "{report}");
    }
}

/// The oracle: all amounts around those that matter, and all texts that do.
#[test]
fn what_is_said_is_what_can_be_said() {
    let (report, said) = says("nothing");
    println!("{report}");
    let amounts = (-10..20).chain(990..1_010);
    let names = ["", "a", "ab", "b", "c", "gift", "gifts", "gif"];
    let all: BTreeSet<String> = amounts.flat_map(|it| names.map(|name| class(it, name).to_owned())).collect();
    if watches() {
        let unseen = BTreeSet::from(["a large gift".to_owned()]);
        assert!(said.is_subset(&all) && all.difference(&said).all(|it| unseen.contains(it)), "{said:?}");
        assert!(
            report.to_string().contains("every comparison that was seen was followed of: offer.amount, offer.name")
        );
    } else {
        assert!(said.is_subset(&all) && said.len() == 1, "{said:?}");
    }
    report.assert_holds();
}

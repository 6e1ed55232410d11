//! An entity whose numbers are symbolic: what the application compares forks, no value stands for all, and SQLite agrees.

use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::{Request, StatusCode};
use axum::routing::{get, post};
use axum::{Json, Router};
use effigy_sea::{Report, World};
use sea_orm::entity::prelude::*;
use sea_orm::{IntoActiveModel, Set};
use std::cell::RefCell;
use std::collections::BTreeSet;

mod offer {
    use sea_orm::entity::prelude::*;
    use serde::Serialize;

    /// An application has `i64` here, and this under a feature of its tests.
    pub type Amount = effigy_sea::Sym<i64>;
    pub type Percent = effigy_sea::Sym<i32>;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, Serialize)]
    #[sea_orm(table_name = "offer")]
    pub struct Model {
        #[sea_orm(primary_key)]
        pub id: i32,
        pub amount: Amount,
        pub discount: Option<Percent>,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

fn world(rows: usize) -> World {
    let table = "CREATE TABLE offer (id integer NOT NULL PRIMARY KEY, amount bigint NOT NULL, discount integer)";
    World::of(async |database: DatabaseConnection| database.execute_unprepared(table).await.map(drop))
        .expect("a table")
        .entity(offer::Entity)
        .rows(rows)
}

/// What the application says of an offer, of whatever kind its numbers are.
macro_rules! class {
    ($amount:expr, $discount:expr) => {
        match ($amount, $discount) {
            (amount, _) if amount > 1_000 => "large",
            (amount, _) if 1_000 == amount => "just",
            (amount, Some(discount)) if discount >= 90 && amount != 3 => "a steal",
            (amount, Some(discount)) if discount < 0 && amount % 50 == 42 => "odd",
            (amount, None) if amount / 7 == -3 && 10 > amount => "owed",
            _ => "usual",
        }
    };
}

type Found = Result<offer::Model, StatusCode>;

async fn find(database: &DatabaseConnection, id: i32) -> Found {
    let found = offer::Entity::find_by_id(id).one(database).await;
    found.map_err(|_| StatusCode::INTERNAL_SERVER_ERROR)?.ok_or(StatusCode::NOT_FOUND)
}

async fn show(State(database): State<DatabaseConnection>, Path(id): Path<i32>) -> Result<String, StatusCode> {
    let it = find(&database, id).await?;
    Ok(class!(it.amount, it.discount).to_owned())
}

async fn whole(
    State(database): State<DatabaseConnection>,
    Path(id): Path<i32>,
) -> Result<Json<offer::Model>, StatusCode> {
    find(&database, id).await.map(Json)
}

/// The numbers of offers that are cheaper; `not_dearer` is the same with a fault.
async fn cheaper(database: DatabaseConnection, id: i32, faulty: bool) -> Result<String, StatusCode> {
    let it = find(&database, id).await?;
    let column = offer::Column::Amount;
    let cond = if faulty { column.lte(it.amount) } else { column.lt(it.amount) };
    let found = offer::Entity::find().filter(cond).filter(offer::Column::Id.ne(id)).all(&database).await;
    let found = found.map_err(|_| StatusCode::INTERNAL_SERVER_ERROR)?;
    Ok(format!("{:?}", found.iter().map(|it| it.id).collect::<Vec<_>>()))
}

/// Adds one to an amount that is not negative, and says whether it is read again as such.
async fn raise(State(database): State<DatabaseConnection>, Path(id): Path<i32>) -> Result<&'static str, StatusCode> {
    let it = find(&database, id).await?;
    let before = it.amount;
    if before < 0 {
        return Ok("a debt");
    }
    let mut raised = it.into_active_model();
    raised.amount = Set(before + 1);
    raised.update(&database).await.map_err(|_| StatusCode::INTERNAL_SERVER_ERROR)?;
    let after = find(&database, id).await?.amount;
    Ok(if after == before + 1 && after > 0 { "raised" } else { "lost" })
}

fn app(database: DatabaseConnection) -> Router {
    let cheap = |faulty| {
        get(move |State(database): State<DatabaseConnection>, Path(id): Path<i32>| cheaper(database, id, faulty))
    };
    Router::new()
        .route("/offers/{id}", get(show))
        .route("/offers/{id}/whole", get(whole))
        .route("/offers/{id}/cheaper", cheap(false))
        .route("/offers/{id}/not_dearer", cheap(true))
        .route("/offers/{id}/raise", post(raise))
        .with_state(database)
}

/// Whether some offer is said to be this; what is said on all paths.
fn says(method: &str, page: &str, what: &str) -> (Report, BTreeSet<String>) {
    let said = RefCell::new(BTreeSet::new());
    let report = world(1).check(async |path| {
        let offer = path.any("offer", "o");
        let request = Request::builder().method(method).uri(format!("/offers/{}{page}", offer.id()));
        let answer = path.send(&app(path.connection()), request.body(Body::empty()).expect("a request")).await;
        said.borrow_mut().insert(answer.body.clone());
        path.check(&path.fact(answer.body != what, &format!("o is not {what}")));
    });
    println!("{report}");
    (report, said.into_inner())
}

/// The oracle: the same words about plain numbers, all around those that matter.
#[test]
fn what_is_said_is_what_can_be_said() {
    let (report, said) = says("GET", "", "nothing");
    let amounts = || (-30..50).chain(990..1_010);
    let discounts = || [None, Some(-1), Some(0), Some(89), Some(90), Some(91)];
    let all: BTreeSet<String> = amounts()
        .flat_map(|amount: i64| discounts().map(|discount: Option<i32>| class!(amount, discount).to_owned()))
        .collect();
    assert_eq!(said, all);
    report.assert_holds();
    let text = report.to_string();
    assert!(!text.contains("stands for") && !text.contains("was taken for"), "{text}");
}

#[test]
fn a_fault_of_rare_numbers_is_found_with_its_rows() {
    let (report, _) = says("GET", "", "odd");
    let found = report.counterexample();
    let row = &found.rows("offer")[0];
    let number = |at: usize| row[at].to_string().parse::<i64>().expect("a number");
    assert!(found.confirmed && number(1) % 50 == 42 && number(2) < 0, "{report}");
}

#[test]
fn an_overflow_is_a_path() {
    let (report, _) = says("POST", "/raise", "lost");
    let found = report.counterexample();
    assert_eq!(found.rows("offer")[0][1].to_string(), i64::MAX.to_string(), "{report}");
    assert!(found.confirmed && report.to_string().contains("attempt to add with overflow"), "{report}");
}

/// What is written is a term, and is read again as one: the one fault left is the overflow.
#[test]
fn what_is_written_is_symbolic() {
    let said = RefCell::new(BTreeSet::new());
    let report = world(1).check(async |path| {
        let offer = path.any("offer", "o");
        path.assume(&!offer.is("amount", i64::MAX));
        let request = Request::post(format!("/offers/{}/raise", offer.id())).body(Body::empty()).expect("a request");
        let answer = path.send(&app(path.connection()), request).await;
        said.borrow_mut().insert(answer.body);
    });
    println!("{report}");
    report.assert_holds();
    assert_eq!(said.into_inner(), BTreeSet::from(["a debt", "raised"].map(str::to_owned)));
}

/// A symbolic number as a parameter of a statement.
#[test]
fn a_statement_compares_it() {
    let shows = |page: &str| {
        world(2).check(async |path| {
            let offer = path.any("offer", "o");
            let request = Request::get(format!("/offers/{}{page}", offer.id())).body(Body::empty());
            let answer = path.send(&app(path.connection()), request.expect("a request")).await;
            let numbers: Vec<i64> = serde_json::from_str(&answer.body).expect("numbers");
            path.check_every(&path.every("offer", "x"), |x| {
                let same = x.get("amount").differs(&offer.get("amount"));
                x.is_in(&numbers, "the answer").implies(same)
            });
        })
    };
    let report = shows("/cheaper");
    println!("{report}");
    report.assert_holds();
    let report = shows("/not_dearer");
    let found = report.counterexample();
    let rows = found.rows("offer");
    assert!(found.confirmed && rows[0][1] == rows[1][1], "{report}");
}

#[test]
fn what_is_sent_as_json_is_one_value_and_named() {
    let (report, _) = says("GET", "/whole", "nothing");
    report.assert_holds();
    assert!(report.to_string().contains("offer.amount, offer.discount"), "{report}");
}

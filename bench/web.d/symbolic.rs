//! Put into sea-orm's axum example by `bench/web`: its handlers on a symbolic database.

use super::*;
use axum::body::Body;
use axum::http::Request;
use effigy_sea::{Path as Run, World};
use sea_orm::DatabaseConnection;

fn world() -> World {
    World::of(|database| async move { Migrator::up(&database, None).await }).expect("its tables").entity(post::Entity)
}

/// The routes of `start`.
fn app(conn: DatabaseConnection) -> Router {
    let templates = Tera::new(concat!(env!("CARGO_MANIFEST_DIR"), "/templates/**/*")).expect("its templates");
    Router::new()
        .route("/", get(list_posts).post(create_post))
        .route("/{id}", get(edit_post).post(update_post))
        .route("/delete/{id}", post(delete_post))
        .layer(CookieManagerLayer::new())
        .with_state(AppState { templates, conn })
}

fn request(method: &str, uri: String, form: &'static str) -> Request<Body> {
    let request = Request::builder().method(method).uri(uri);
    request.header("content-type", "application/x-www-form-urlencoded").body(Body::from(form)).expect("a request")
}

fn shows(run: &Run, body: &str, id: i64) -> effigy_sea::Formula {
    run.fact(body.contains(&format!("post-title-{id}")), "p is shown")
}

#[test]
fn the_first_page_has_the_first_post_only() {
    let report = world().rows(3).check(async |run: Run| {
        let page = run.send(&app(run.connection()), request("GET", "/?page=1&posts_per_page=1".to_owned(), "")).await;
        run.check_every(&run.every("post", "p"), |p| {
            let first = run.fact(p.id() == 1, "p is the first");
            let shown = shows(&run, &page.body, p.id());
            shown.clone().implies(first.clone()) & first.implies(shown)
        });
    });
    println!("{report}");
    report.assert_holds();
}

#[test]
fn a_deleted_post_is_gone() {
    let report = world().rows(3).check(async |run: Run| {
        let p = run.any("post", "p");
        let app = app(run.connection());
        run.send(&app, request("POST", format!("/delete/{}", p.id()), "")).await;
        let page = run.send(&app, request("GET", "/".to_owned(), "")).await;
        run.check(&!shows(&run, &page.body, p.id()));
        run.check_every(&run.every("post", "q"), |q| {
            run.fact(q.id() != p.id(), "q != p").implies(shows(&run, &page.body, q.id()))
        });
    });
    println!("{report}");
    report.assert_holds();
}

#[test]
fn an_update_changes_one_post() {
    let report = world().check(async |run: Run| {
        let p = run.any("post", "p");
        let q = run.any("post", "q");
        let app = app(run.connection());
        run.send(&app, request("POST", format!("/{}", p.id()), "title=new&text=text")).await;
        run.check(&run.fact(p.id() == q.id(), "p = q").implies(!q.unchanged().await));
        run.check(&run.fact(p.id() != q.id(), "p != q").implies(q.unchanged().await));
    });
    println!("{report}");
    report.assert_holds();
}

/// It panics for a post that is not there: the request is never answered.
#[test]
fn a_post_that_is_not_there() {
    let report = world().check(async |run: Run| {
        run.send(&app(run.connection()), request("GET", "/2".to_owned(), "")).await;
    });
    println!("{report}");
    let found = report.counterexample();
    assert!(found.confirmed && found.rows("post").len() < 2);
}

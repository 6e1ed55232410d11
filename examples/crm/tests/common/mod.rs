//! The application on a symbolic database, and who sends requests to it.

use axum::Router;
use axum::body::Body;
use axum::http::Request;
use crm::entity::{contact, opportunity, permission, session, user};
use crm::migration::Migrator;
use effigy_sea::{Path, Row, World};
use sea_orm::DatabaseConnection;
use sea_orm_migration::MigratorTrait;

pub type App = fn(DatabaseConnection) -> Router;

pub fn world() -> World {
    World::of(|database| async move { Migrator::up(&database, None).await })
        .expect("the tables of the application")
        .entity(user::Entity)
        .entity(session::Entity)
        .entity(contact::Entity)
        .entity(opportunity::Entity)
        .entity(permission::Entity)
        .key("session", "token")
        .rows(2)
        .rows_of("session", 1)
        .written_with("crm::app_with_tables(&database).await.unwrap()")
}

/// The user of some session, and its cookie.
pub fn signed_in(path: &Path) -> (Row, String) {
    let user = path.any("user", "u");
    let session = path.any("session", "s");
    path.assume(&session.refers("user_id", &user));
    (user, format!("session={}", session.key("token")))
}

pub fn get(uri: String, cookie: &str) -> Request<Body> {
    Request::get(uri).header("cookie", cookie).body(Body::empty()).expect("a request")
}

//! A customer relationship management as such applications are written: axum, sea-orm, a migration.
//!
//! It knows nothing of effigy. [`planted`] is the same application with four faults of authorisation.

pub mod access;
pub mod auth;
pub mod entity;
pub mod error;
pub mod handlers;
pub mod migration;
pub mod planted;

use axum::Router;
use axum::routing::{delete, get, patch, post};
use sea_orm::{DatabaseConnection, DbErr};
use sea_orm_migration::MigratorTrait;

/// The routes, on a database that has its tables.
pub fn app(database: DatabaseConnection) -> Router {
    use handlers::{contacts, opportunities, permissions, sessions, users};
    Router::new()
        .route("/", get(handlers::page))
        .route("/sessions", post(sessions::sign_in))
        .route("/sessions/mine", delete(sessions::sign_out))
        .route("/users", get(users::list).post(users::create))
        .route("/users/{id}", get(users::show))
        .route("/users/me", patch(users::change))
        .route("/contacts", get(contacts::list).post(contacts::create))
        .route("/contacts/{id}", get(contacts::show).patch(contacts::change).delete(contacts::remove))
        .route("/contacts/{id}/permissions", get(permissions::list).post(permissions::grant))
        .route("/contacts/{id}/permissions/{user}", delete(permissions::revoke))
        .route("/opportunities", get(opportunities::list).post(opportunities::create))
        .route("/opportunities/{id}", get(opportunities::show))
        .with_state(database)
}

/// The routes, on a database that is given its tables first.
pub async fn app_with_tables(database: &DatabaseConnection) -> Result<Router, DbErr> {
    migration::Migrator::up(database, None).await?;
    Ok(app(database.clone()))
}

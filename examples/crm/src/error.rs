//! What a request is refused with.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use sea_orm::DbErr;
use serde::Serialize;

#[derive(Debug)]
pub enum Error {
    NotSignedIn,
    Forbidden,
    NotFound,
    Invalid(&'static str),
    Database(DbErr),
}

#[derive(Serialize)]
struct Told {
    error: String,
}

impl From<DbErr> for Error {
    fn from(error: DbErr) -> Error {
        Error::Database(error)
    }
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        let (status, error) = match self {
            Error::NotSignedIn => (StatusCode::UNAUTHORIZED, "not signed in".to_owned()),
            Error::Forbidden => (StatusCode::FORBIDDEN, "not yours".to_owned()),
            Error::NotFound => (StatusCode::NOT_FOUND, "no such thing".to_owned()),
            Error::Invalid(what) => (StatusCode::UNPROCESSABLE_ENTITY, what.to_owned()),
            // What the database says is for the log.
            Error::Database(_) => (StatusCode::INTERNAL_SERVER_ERROR, "something went wrong".to_owned()),
        };
        (status, Json(Told { error })).into_response()
    }
}

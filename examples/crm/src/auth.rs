//! Who sends a request: the user of the session whose token is in the cookie.

use crate::entity::{session, user};
use crate::error::Error;
use axum::extract::FromRequestParts;
use axum::http::header::COOKIE;
use axum::http::request::Parts;
use sea_orm::{ColumnTrait, DatabaseConnection, EntityTrait, QueryFilter};

/// The user who is signed in.
pub struct Me {
    pub user: user::Model,
    pub session: session::Model,
}

impl FromRequestParts<DatabaseConnection> for Me {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, database: &DatabaseConnection) -> Result<Me, Error> {
        let cookies = parts.headers.get(COOKIE).and_then(|it| it.to_str().ok()).unwrap_or_default();
        let token = cookies.split(';').find_map(|it| it.trim().strip_prefix("session=")).ok_or(Error::NotSignedIn)?;
        let found = session::Entity::find()
            .filter(session::Column::Token.eq(token))
            .find_also_related(user::Entity)
            .one(database)
            .await?;
        match found {
            Some((session, Some(user))) => Ok(Me { user, session }),
            _ => Err(Error::NotSignedIn),
        }
    }
}

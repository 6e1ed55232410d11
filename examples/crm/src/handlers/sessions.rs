use crate::auth::Me;
use crate::entity::{session, user};
use crate::error::Error;
use axum::Json;
use axum::extract::State;
use axum::http::header::SET_COOKIE;
use axum::response::{AppendHeaders, IntoResponse};
use sea_orm::{ActiveModelTrait, ColumnTrait, DatabaseConnection, EntityTrait, ModelTrait, QueryFilter, Set};
use serde::Deserialize;
use std::hash::{BuildHasher, RandomState};

#[derive(Deserialize)]
pub struct SignIn {
    email: String,
    code: String,
}

pub async fn sign_in(
    State(database): State<DatabaseConnection>,
    Json(form): Json<SignIn>,
) -> Result<impl IntoResponse, Error> {
    let user = user::Entity::find().filter(user::Column::Email.eq(form.email)).one(&database).await?;
    let user = user.filter(|it| it.code == form.code).ok_or(Error::NotSignedIn)?;
    let token: String = (0..4).map(|it| format!("{:016x}", RandomState::new().hash_one(it))).collect();
    let new = session::ActiveModel { token: Set(token.clone()), user_id: Set(user.id), ..Default::default() };
    new.insert(&database).await?;
    Ok((AppendHeaders([(SET_COOKIE, format!("session={token}; HttpOnly; SameSite=Strict"))]), Json(user.id)))
}

pub async fn sign_out(State(database): State<DatabaseConnection>, me: Me) -> Result<(), Error> {
    me.session.delete(&database).await?;
    Ok(())
}

use crate::auth::Me;
use crate::entity::user;
use crate::error::Error;
use axum::Json;
use axum::extract::{Path, State};
use sea_orm::{ActiveModelTrait, DatabaseConnection, EntityTrait, IntoActiveModel, QueryOrder, Set, SqlErr};
use serde::{Deserialize, Serialize};

#[derive(Serialize)]
pub struct Named {
    pub id: i32,
    pub name: String,
}

#[derive(Serialize)]
pub struct Profile {
    pub id: i32,
    pub name: String,
    /// Only for the user and for administrators.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
}

pub async fn list(State(database): State<DatabaseConnection>, _: Me) -> Result<Json<Vec<Named>>, Error> {
    let users = user::Entity::find().order_by_asc(user::Column::Id).all(&database).await?;
    Ok(Json(users.into_iter().map(|it| Named { id: it.id, name: it.name }).collect()))
}

pub async fn show(
    State(database): State<DatabaseConnection>,
    me: Me,
    Path(id): Path<i32>,
) -> Result<Json<Profile>, Error> {
    let user = user::Entity::find_by_id(id).one(&database).await?.ok_or(Error::NotFound)?;
    let email = (me.user.is_admin || me.user.id == user.id).then_some(user.email);
    Ok(Json(Profile { id: user.id, name: user.name, email }))
}

#[derive(Deserialize)]
pub struct Change {
    pub name: String,
}

pub async fn change(
    State(database): State<DatabaseConnection>,
    me: Me,
    Json(form): Json<Change>,
) -> Result<Json<Named>, Error> {
    if form.name.is_empty() {
        return Err(Error::Invalid("a name is missing"));
    }
    let mut user = me.user.into_active_model();
    user.name = Set(form.name);
    let user = user.update(&database).await?;
    Ok(Json(Named { id: user.id, name: user.name }))
}

#[derive(Deserialize)]
pub struct New {
    pub name: String,
    pub email: String,
    pub code: String,
}

/// A new user, by an administrator.
pub async fn create(
    State(database): State<DatabaseConnection>,
    me: Me,
    Json(form): Json<New>,
) -> Result<Json<Named>, Error> {
    if !me.user.is_admin {
        return Err(Error::Forbidden);
    }
    let new =
        user::ActiveModel { name: Set(form.name), email: Set(form.email), code: Set(form.code), ..Default::default() };
    match new.insert(&database).await {
        Ok(user) => Ok(Json(Named { id: user.id, name: user.name })),
        Err(error) => match error.sql_err() {
            Some(SqlErr::UniqueConstraintViolation(_)) => Err(Error::Invalid("there is a user with this address")),
            _ => Err(error.into()),
        },
    }
}

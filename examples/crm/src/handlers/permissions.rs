use super::users::Named;
use crate::auth::Me;
use crate::entity::{contact, permission, user};
use crate::error::Error;
use axum::Json;
use axum::extract::{Path, State};
use sea_orm::{ActiveModelTrait, ColumnTrait, DatabaseConnection, EntityTrait, QueryFilter, Set, TransactionTrait};
use serde::Deserialize;

/// The contact, if the user may say who sees it.
async fn mine(database: &DatabaseConnection, me: &Me, id: i32) -> Result<contact::Model, Error> {
    let contact = contact::Entity::find_by_id(id).one(database).await?.ok_or(Error::NotFound)?;
    if contact.user_id == me.user.id || me.user.is_admin { Ok(contact) } else { Err(Error::NotFound) }
}

pub async fn list(
    State(database): State<DatabaseConnection>,
    me: Me,
    Path(id): Path<i32>,
) -> Result<Json<Vec<Named>>, Error> {
    let contact = mine(&database, &me, id).await?;
    let found = permission::Entity::find()
        .filter(permission::Column::ContactId.eq(contact.id))
        .find_also_related(user::Entity)
        .all(&database)
        .await?;
    Ok(Json(found.into_iter().filter_map(|it| it.1).map(|it| Named { id: it.id, name: it.name }).collect()))
}

#[derive(Deserialize)]
pub struct Grant {
    pub user_id: i32,
}

pub async fn grant(
    State(database): State<DatabaseConnection>,
    me: Me,
    Path(id): Path<i32>,
    Json(form): Json<Grant>,
) -> Result<(), Error> {
    let contact = mine(&database, &me, id).await?;
    let transaction = database.begin().await?;
    user::Entity::find_by_id(form.user_id).one(&transaction).await?.ok_or(Error::NotFound)?;
    let known = permission::Entity::find()
        .filter(permission::Column::ContactId.eq(contact.id))
        .filter(permission::Column::UserId.eq(form.user_id))
        .one(&transaction)
        .await?;
    if known.is_none() {
        let new =
            permission::ActiveModel { contact_id: Set(contact.id), user_id: Set(form.user_id), ..Default::default() };
        new.insert(&transaction).await?;
    }
    transaction.commit().await?;
    Ok(())
}

pub async fn revoke(
    State(database): State<DatabaseConnection>,
    me: Me,
    Path((id, user)): Path<(i32, i32)>,
) -> Result<Json<u64>, Error> {
    let contact = mine(&database, &me, id).await?;
    let gone = permission::Entity::delete_many()
        .filter(permission::Column::ContactId.eq(contact.id))
        .filter(permission::Column::UserId.eq(user))
        .exec(&database)
        .await?;
    Ok(Json(gone.rows_affected))
}

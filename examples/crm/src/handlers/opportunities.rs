use super::contacts::Line;
use crate::access;
use crate::auth::Me;
use crate::entity::opportunity;
use crate::error::Error;
use axum::Json;
use axum::extract::{Path, Query, State};
use sea_orm::{ActiveModelTrait, ColumnTrait, DatabaseConnection, EntityTrait, QueryFilter, QueryOrder, Set};
use serde::{Deserialize, Serialize};

#[derive(Deserialize)]
pub struct Search {
    /// The least amount.
    pub least: Option<i64>,
}

pub async fn list(
    State(database): State<DatabaseConnection>,
    me: Me,
    Query(search): Query<Search>,
) -> Result<Json<Vec<Line>>, Error> {
    let mut query = opportunity::Entity::find().filter(access::visible_opportunities(&me));
    if let Some(least) = search.least {
        query = query.filter(opportunity::Column::Amount.gte(least));
    }
    let found = query.order_by_asc(opportunity::Column::Id).all(&database).await?;
    Ok(Json(found.into_iter().map(Line::from).collect()))
}

#[derive(Serialize)]
pub struct Page {
    pub id: i32,
    pub name: String,
    pub amount: i64,
}

pub async fn show(
    State(database): State<DatabaseConnection>,
    me: Me,
    Path(id): Path<i32>,
) -> Result<Json<Page>, Error> {
    let found = opportunity::Entity::find_by_id(id).filter(access::visible_opportunities(&me)).one(&database).await?;
    let it = found.ok_or(Error::NotFound)?;
    Ok(Json(Page { id: it.id, name: it.name, amount: it.amount }))
}

#[derive(Deserialize)]
pub struct Form {
    pub name: String,
    pub amount: i64,
    pub contact_id: i32,
    pub access: String,
}

pub async fn create(
    State(database): State<DatabaseConnection>,
    me: Me,
    Json(form): Json<Form>,
) -> Result<Json<Line>, Error> {
    if !matches!(form.access.as_str(), "public" | "private") {
        return Err(Error::Invalid("access is public or private"));
    }
    let contact = access::contact(&database, &me, form.contact_id).await?.ok_or(Error::NotFound)?;
    let new = opportunity::ActiveModel {
        name: Set(form.name),
        amount: Set(form.amount),
        user_id: Set(me.user.id),
        contact_id: Set(contact.id),
        access: Set(form.access),
        ..Default::default()
    };
    Ok(Json(new.insert(&database).await?.into()))
}

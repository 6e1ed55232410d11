use crate::access;
use crate::auth::Me;
use crate::entity::{contact, opportunity};
use crate::error::Error;
use axum::Json;
use axum::extract::{Path, State};
use sea_orm::{
    ActiveModelTrait, DatabaseConnection, EntityTrait, IntoActiveModel, ModelTrait, QueryFilter, QueryOrder, Set,
};
use serde::{Deserialize, Serialize};

#[derive(Serialize)]
pub struct Line {
    pub id: i32,
    pub name: String,
}

#[derive(Serialize)]
pub struct Page {
    pub id: i32,
    pub name: String,
    pub opportunities: Vec<Line>,
}

impl From<opportunity::Model> for Line {
    fn from(it: opportunity::Model) -> Line {
        Line { id: it.id, name: it.name }
    }
}

impl From<contact::Model> for Line {
    fn from(it: contact::Model) -> Line {
        Line { id: it.id, name: it.name }
    }
}

pub async fn list(State(database): State<DatabaseConnection>, me: Me) -> Result<Json<Vec<Line>>, Error> {
    let contacts = contact::Entity::find()
        .filter(access::visible_contacts(&me))
        .order_by_asc(contact::Column::Id)
        .all(&database)
        .await?;
    Ok(Json(contacts.into_iter().map(Line::from).collect()))
}

pub async fn show(
    State(database): State<DatabaseConnection>,
    me: Me,
    Path(id): Path<i32>,
) -> Result<Json<Page>, Error> {
    let contact = access::contact(&database, &me, id).await?.ok_or(Error::NotFound)?;
    let opportunities =
        contact.find_related(opportunity::Entity).filter(access::visible_opportunities(&me)).all(&database).await?;
    Ok(Json(Page {
        id: contact.id,
        name: contact.name,
        opportunities: opportunities.into_iter().map(Line::from).collect(),
    }))
}

#[derive(Deserialize)]
pub struct Form {
    pub name: String,
    pub access: String,
}

impl Form {
    fn valid(&self) -> Result<(), Error> {
        if self.name.is_empty() {
            return Err(Error::Invalid("a name is missing"));
        }
        match self.access.as_str() {
            "public" | "private" | "shared" => Ok(()),
            _ => Err(Error::Invalid("access is public, private or shared")),
        }
    }
}

pub async fn create(
    State(database): State<DatabaseConnection>,
    me: Me,
    Json(form): Json<Form>,
) -> Result<Json<Line>, Error> {
    form.valid()?;
    let new = contact::ActiveModel {
        name: Set(form.name),
        access: Set(form.access),
        user_id: Set(me.user.id),
        ..Default::default()
    };
    Ok(Json(new.insert(&database).await?.into()))
}

/// The contact, if it is the user's.
async fn own(database: &DatabaseConnection, me: &Me, id: i32) -> Result<contact::Model, Error> {
    let contact = access::contact(database, me, id).await?.ok_or(Error::NotFound)?;
    if contact.user_id == me.user.id || me.user.is_admin { Ok(contact) } else { Err(Error::Forbidden) }
}

pub async fn change(
    State(database): State<DatabaseConnection>,
    me: Me,
    Path(id): Path<i32>,
    Json(form): Json<Form>,
) -> Result<Json<Line>, Error> {
    form.valid()?;
    let mut contact = own(&database, &me, id).await?.into_active_model();
    contact.name = Set(form.name);
    contact.access = Set(form.access);
    Ok(Json(contact.update(&database).await?.into()))
}

pub async fn remove(State(database): State<DatabaseConnection>, me: Me, Path(id): Path<i32>) -> Result<(), Error> {
    own(&database, &me, id).await?.delete(&database).await?;
    Ok(())
}

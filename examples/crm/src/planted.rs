//! The same application with four faults of authorisation, as they are made.

use crate::access;
use crate::auth::Me;
use crate::entity::{opportunity, user};
use crate::error::Error;
use crate::handlers::contacts::{Line, Page};
use crate::handlers::opportunities::{self, Search};
use crate::handlers::users::Profile;
use axum::extract::{Path, Query, State};
use axum::routing::get;
use axum::{Json, Router};
use sea_orm::{ColumnTrait, DatabaseConnection, EntityTrait, ExprTrait, ModelTrait, QueryFilter, QueryOrder};

/// The routes, four of them faulty.
pub fn app(database: DatabaseConnection) -> Router {
    Router::new()
        .route("/contacts/{id}", get(show_contact))
        .route("/opportunities", get(list_opportunities))
        .route("/users/{id}", get(show_user))
        .route("/opportunities/{id}", get(show_opportunity))
        .fallback_service(crate::app(database.clone()))
        .with_state(database)
}

/// The fault of Fat Free CRM that Rubicon found: whether the contact may be seen is looked at, and then all of its
/// opportunities are shown.
async fn show_contact(
    State(database): State<DatabaseConnection>,
    me: Me,
    Path(id): Path<i32>,
) -> Result<Json<Page>, Error> {
    let contact = access::contact(&database, &me, id).await?.ok_or(Error::NotFound)?;
    let opportunities = contact.find_related(opportunity::Entity).all(&database).await?;
    Ok(Json(Page {
        id: contact.id,
        name: contact.name,
        opportunities: opportunities.into_iter().map(Line::from).collect(),
    }))
}

/// `or` binds weaker than `and`: a search by amount finds everybody's opportunities.
async fn list_opportunities(
    State(database): State<DatabaseConnection>,
    me: Me,
    Query(search): Query<Search>,
) -> Result<Json<Vec<Line>>, Error> {
    let public = opportunity::Column::Access.eq("public");
    let mine = opportunity::Column::UserId.eq(me.user.id);
    let wanted = match search.least {
        Some(least) => public.or(mine).or(opportunity::Column::Amount.gte(least)),
        None => public.or(mine),
    };
    let found = opportunity::Entity::find().filter(wanted).order_by_asc(opportunity::Column::Id).all(&database).await?;
    Ok(Json(found.into_iter().map(Line::from).collect()))
}

/// The address of everybody is in the answer, since the page does not show it.
async fn show_user(
    State(database): State<DatabaseConnection>,
    _: Me,
    Path(id): Path<i32>,
) -> Result<Json<Profile>, Error> {
    let user = user::Entity::find_by_id(id).one(&database).await?.ok_or(Error::NotFound)?;
    Ok(Json(Profile { id: user.id, name: user.name, email: Some(user.email) }))
}

/// Whoever knows the number of an opportunity may see it.
async fn show_opportunity(
    State(database): State<DatabaseConnection>,
    _: Me,
    Path(id): Path<i32>,
) -> Result<Json<opportunities::Page>, Error> {
    let it = opportunity::Entity::find_by_id(id).one(&database).await?.ok_or(Error::NotFound)?;
    Ok(Json(opportunities::Page { id: it.id, name: it.name, amount: it.amount }))
}

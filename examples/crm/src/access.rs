//! Who may see what.

use crate::auth::Me;
use crate::entity::{contact, opportunity, permission};
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, DbErr, EntityTrait, ExprTrait, QueryFilter, QuerySelect, QueryTrait,
};

/// Contacts that a user may see: public ones, own ones, and those that are shared with them. An administrator sees all.
pub fn visible_contacts(me: &Me) -> Condition {
    if me.user.is_admin {
        return Condition::all();
    }
    let shared = permission::Entity::find()
        .select_only()
        .column(permission::Column::ContactId)
        .filter(permission::Column::UserId.eq(me.user.id))
        .into_query();
    Condition::any()
        .add(contact::Column::Access.eq("public"))
        .add(contact::Column::UserId.eq(me.user.id))
        .add(contact::Column::Access.eq("shared").and(contact::Column::Id.in_subquery(shared)))
}

/// Opportunities that a user may see: public ones and own ones.
pub fn visible_opportunities(me: &Me) -> Condition {
    Condition::any().add(opportunity::Column::Access.eq("public")).add(opportunity::Column::UserId.eq(me.user.id))
}

/// The contact, if the user may see it.
pub async fn contact(database: &impl ConnectionTrait, me: &Me, id: i32) -> Result<Option<contact::Model>, DbErr> {
    contact::Entity::find_by_id(id).filter(visible_contacts(me)).one(database).await
}

//! The tables.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{big_integer, boolean, integer, pk_auto, string, string_uniq};

pub struct Migrator;

#[async_trait::async_trait]
impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![Box::new(Tables)]
    }
}

struct Tables;

impl MigrationName for Tables {
    fn name(&self) -> &str {
        "m20261124_000001_tables"
    }
}

#[derive(DeriveIden)]
enum User {
    Table,
    Id,
    Name,
    Email,
    Code,
    IsAdmin,
}

#[derive(DeriveIden)]
enum Session {
    Table,
    Id,
    Token,
    UserId,
}

#[derive(DeriveIden)]
enum Contact {
    Table,
    Id,
    Name,
    UserId,
    Access,
}

#[derive(DeriveIden)]
enum Opportunity {
    Table,
    Id,
    Name,
    Amount,
    UserId,
    ContactId,
    Access,
}

#[derive(DeriveIden)]
enum Permission {
    Table,
    Id,
    ContactId,
    UserId,
}

#[async_trait::async_trait]
impl MigrationTrait for Tables {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let user = Table::create()
            .table(User::Table)
            .col(pk_auto(User::Id))
            .col(string(User::Name))
            .col(string_uniq(User::Email))
            .col(string(User::Code))
            .col(boolean(User::IsAdmin).default(false))
            .to_owned();
        manager.create_table(user).await?;
        let session = Table::create()
            .table(Session::Table)
            .col(pk_auto(Session::Id))
            .col(string_uniq(Session::Token))
            .col(integer(Session::UserId))
            .foreign_key(
                ForeignKey::create()
                    .from(Session::Table, Session::UserId)
                    .to(User::Table, User::Id)
                    .on_delete(ForeignKeyAction::Cascade),
            )
            .to_owned();
        manager.create_table(session).await?;
        let contact = Table::create()
            .table(Contact::Table)
            .col(pk_auto(Contact::Id))
            .col(string(Contact::Name))
            .col(integer(Contact::UserId))
            .col(string(Contact::Access).check(Expr::col(Contact::Access).is_in(["public", "private", "shared"])))
            .foreign_key(ForeignKey::create().from(Contact::Table, Contact::UserId).to(User::Table, User::Id))
            .to_owned();
        manager.create_table(contact).await?;
        let opportunity = Table::create()
            .table(Opportunity::Table)
            .col(pk_auto(Opportunity::Id))
            .col(string(Opportunity::Name))
            .col(big_integer(Opportunity::Amount))
            .col(integer(Opportunity::UserId))
            .col(integer(Opportunity::ContactId))
            .col(string(Opportunity::Access).check(Expr::col(Opportunity::Access).is_in(["public", "private"])))
            .foreign_key(ForeignKey::create().from(Opportunity::Table, Opportunity::UserId).to(User::Table, User::Id))
            .foreign_key(
                ForeignKey::create()
                    .from(Opportunity::Table, Opportunity::ContactId)
                    .to(Contact::Table, Contact::Id)
                    .on_delete(ForeignKeyAction::Cascade),
            )
            .to_owned();
        manager.create_table(opportunity).await?;
        let permission = Table::create()
            .table(Permission::Table)
            .col(pk_auto(Permission::Id))
            .col(integer(Permission::ContactId))
            .col(integer(Permission::UserId))
            .index(Index::create().unique().name("once").col(Permission::ContactId).col(Permission::UserId))
            .foreign_key(
                ForeignKey::create()
                    .from(Permission::Table, Permission::ContactId)
                    .to(Contact::Table, Contact::Id)
                    .on_delete(ForeignKeyAction::Cascade),
            )
            .foreign_key(
                ForeignKey::create()
                    .from(Permission::Table, Permission::UserId)
                    .to(User::Table, User::Id)
                    .on_delete(ForeignKeyAction::Cascade),
            )
            .to_owned();
        manager.create_table(permission).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in ["permission", "opportunity", "contact", "session", "user"] {
            manager.drop_table(Table::drop().table(table).to_owned()).await?;
        }
        Ok(())
    }
}

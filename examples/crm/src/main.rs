//! Serves the application on SQLite: `crm [--planted] [ADDRESS]`.

use crm::entity::{contact, opportunity, user};
use sea_orm::{ActiveModelTrait, Database, DatabaseConnection, DbErr, EntityTrait, PaginatorTrait, Set};
use std::error::Error;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let planted = arguments.iter().any(|it| it == "--planted");
    let address = arguments.iter().find(|it| !it.starts_with("--")).map_or("127.0.0.1:3000", String::as_str);
    let url = std::env::var("DATABASE_URL").unwrap_or_else(|_| "sqlite::memory:".to_owned());
    let database = Database::connect(url).await?;
    let app = crm::app_with_tables(&database).await?;
    if user::Entity::find().count(&database).await? == 0 {
        people(&database).await?;
    }
    let app = if planted { crm::planted::app(database) } else { app };
    let listener = tokio::net::TcpListener::bind(address).await?;
    println!("http://{} (ada@example.org, bob@example.org, eve@example.org; the code is 1234)", listener.local_addr()?);
    axum::serve(listener, app).await?;
    Ok(())
}

/// Somebody to be.
async fn people(database: &DatabaseConnection) -> Result<(), DbErr> {
    let mut ids = Vec::new();
    for (name, is_admin) in [("Ada", true), ("Bob", false), ("Eve", false)] {
        let email = format!("{}@example.org", name.to_lowercase());
        let new = user::ActiveModel {
            name: Set(name.to_owned()),
            email: Set(email),
            code: Set("1234".to_owned()),
            is_admin: Set(is_admin),
            ..Default::default()
        };
        ids.push(new.insert(database).await?.id);
    }
    let contact = contact::ActiveModel {
        name: Set("Globex".to_owned()),
        user_id: Set(ids[1]),
        access: Set("public".to_owned()),
        ..Default::default()
    };
    let contact = contact.insert(database).await?;
    for (name, access) in [("Turbines", "public"), ("Takeover", "private")] {
        let new = opportunity::ActiveModel {
            name: Set(name.to_owned()),
            amount: Set(50_000),
            user_id: Set(ids[1]),
            contact_id: Set(contact.id),
            access: Set(access.to_owned()),
            ..Default::default()
        };
        new.insert(database).await?;
    }
    Ok(())
}

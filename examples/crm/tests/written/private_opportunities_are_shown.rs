// Written by effigy from a counterexample; it needs nothing of it.
#[tokio::test]
async fn private_opportunities_are_shown() {
    use sea_orm::ConnectionTrait;
    use tower::ServiceExt;
    let database = sea_orm::Database::connect("sqlite::memory:").await.unwrap();
    let app = crm::app_with_tables(&database).await.unwrap();
    database.execute_unprepared("PRAGMA foreign_keys = OFF").await.unwrap();
    database.execute_unprepared("INSERT INTO \"user\" (\"id\", \"name\", \"email\", \"code\", \"is_admin\") VALUES (1, 'user-name-1', 'user-email-1', 'user-code-1', FALSE)").await.unwrap();
    database.execute_unprepared("INSERT INTO \"user\" (\"id\", \"name\", \"email\", \"code\", \"is_admin\") VALUES (2, 'user-name-2', 'user-email-2', 'user-code-2', FALSE)").await.unwrap();
    database.execute_unprepared("INSERT INTO \"session\" (\"id\", \"token\", \"user_id\") VALUES (1, 'session-token-1', 1)").await.unwrap();
    database.execute_unprepared("INSERT INTO \"contact\" (\"id\", \"name\", \"user_id\", \"access\") VALUES (1, 'contact-name-1', 1, 'shared')").await.unwrap();
    database.execute_unprepared("INSERT INTO \"contact\" (\"id\", \"name\", \"user_id\", \"access\") VALUES (2, 'contact-name-2', 1, 'public')").await.unwrap();
    database.execute_unprepared("INSERT INTO \"opportunity\" (\"id\", \"name\", \"amount\", \"user_id\", \"contact_id\", \"access\") VALUES (1, 'opportunity-name-1', 5201, 1, 2, 'public')").await.unwrap();
    database.execute_unprepared("INSERT INTO \"opportunity\" (\"id\", \"name\", \"amount\", \"user_id\", \"contact_id\", \"access\") VALUES (2, 'opportunity-name-2', 5202, 2, 1, 'private')").await.unwrap();
    database.execute_unprepared("INSERT INTO \"permission\" (\"id\", \"contact_id\", \"user_id\") VALUES (1, 1, 1)").await.unwrap();
    database.execute_unprepared("DELETE FROM sqlite_sequence WHERE name = 'user'").await.unwrap();
    database.execute_unprepared("INSERT INTO sqlite_sequence (name, seq) VALUES ('user', 2)").await.unwrap();
    database.execute_unprepared("DELETE FROM sqlite_sequence WHERE name = 'session'").await.unwrap();
    database.execute_unprepared("INSERT INTO sqlite_sequence (name, seq) VALUES ('session', 1)").await.unwrap();
    database.execute_unprepared("DELETE FROM sqlite_sequence WHERE name = 'contact'").await.unwrap();
    database.execute_unprepared("INSERT INTO sqlite_sequence (name, seq) VALUES ('contact', 2)").await.unwrap();
    database.execute_unprepared("DELETE FROM sqlite_sequence WHERE name = 'opportunity'").await.unwrap();
    database.execute_unprepared("INSERT INTO sqlite_sequence (name, seq) VALUES ('opportunity', 2)").await.unwrap();
    database.execute_unprepared("DELETE FROM sqlite_sequence WHERE name = 'permission'").await.unwrap();
    database.execute_unprepared("INSERT INTO sqlite_sequence (name, seq) VALUES ('permission', 2)").await.unwrap();
    database.execute_unprepared("PRAGMA foreign_keys = ON").await.unwrap();
    let request = axum::http::Request::builder().method("GET").uri("/contacts/1").header("cookie", "session=session-token-1").body(axum::body::Body::empty()).unwrap();
    let answer = app.clone().oneshot(request).await.unwrap();
    let body = axum::body::to_bytes(answer.into_body(), 1 << 24).await.unwrap();
    // o.access = 'private' and o.user_id != u implies not (o in c.opportunities)
    assert_ne!(String::from_utf8_lossy(&body), "{\"id\":1,\"name\":\"contact-name-1\",\"opportunities\":[{\"id\":2,\"name\":\"opportunity-name-2\"}]}");
}

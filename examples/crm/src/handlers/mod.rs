//! What requests do.

pub mod contacts;
pub mod opportunities;
pub mod permissions;
pub mod sessions;
pub mod users;

use axum::response::Html;

/// The page that a browser shows.
pub async fn page() -> Html<&'static str> {
    Html(include_str!("../page.html"))
}

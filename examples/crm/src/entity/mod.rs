//! Tables as sea-orm has them.

pub mod contact;
pub mod opportunity;
pub mod permission;
pub mod session;
pub mod user;

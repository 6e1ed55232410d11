//! What several test programs need; each uses a part of it.

#[allow(dead_code, reason = "each test program is compiled with all of it")]
pub(crate) mod build_folder;
#[allow(dead_code, reason = "each test program is compiled with all of it")]
pub(crate) mod server;

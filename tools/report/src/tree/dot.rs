//! stub
/// stub
pub fn render(_: &super::Tree) -> String {
    String::new()
}

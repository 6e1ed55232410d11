//! stub
/// stub
pub fn render(_: &super::Tree, _: usize) -> String {
    String::new()
}

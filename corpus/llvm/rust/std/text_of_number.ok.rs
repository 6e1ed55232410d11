//@ entry: back
//@ apart: the order and the places of merged nodes depend on where objects lie
/// A number comes back from its text.
#[unsafe(no_mangle)]
pub extern "C" fn back(number: u8) {
    assert_eq!(number.to_string().parse(), Ok(number));
}

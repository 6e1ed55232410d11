//@ entry: two_keys
//@ apart: the order and the places of merged nodes depend on where objects lie
use std::collections::BTreeMap;

#[unsafe(no_mangle)]
pub extern "C" fn two_keys(a: u8, b: u8) {
    let map = BTreeMap::from([(a, 1), (b, 2)]);
    assert_eq!(map.len(), if a == b { 1 } else { 2 });
    assert_eq!(map[&b], 2);
}

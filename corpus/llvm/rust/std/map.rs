//@ entry: two_keys
use std::collections::BTreeMap;

/// Two keys may be one.
#[unsafe(no_mangle)]
pub extern "C" fn two_keys(a: u8, b: u8) {
    let map = BTreeMap::from([(a, 1), (b, 2)]);
    assert_eq!(map.len(), 2); //~ bug: panic
}

//! The sources are where cargo unpacks them; else the other tests of this crate are not there.

use effigy_published::SOURCE_FOUND;
use effigy_testing::requirements::has_with;

#[test]
fn the_source_is_found() {
    has_with("source of utf8parse", || SOURCE_FOUND);
}

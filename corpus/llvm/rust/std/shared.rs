//@ entry: twice
use std::cell::RefCell;
use std::rc::Rc;

/// A cell is borrowed twice where both are one.
#[unsafe(no_mangle)]
pub extern "C" fn twice(same: bool) {
    let one = Rc::new(RefCell::new(1));
    let other = if same { Rc::clone(&one) } else { Rc::new(RefCell::new(2)) };
    let mut a = one.borrow_mut();
    let b = other.borrow(); //~ bug: panic
    *a += *b;
}

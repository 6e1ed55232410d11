//@ entry: twice
unsafe extern "C" {
    fn malloc(size: usize) -> *mut u8;
    fn free(it: *mut u8);
}

/// Frees what it points to when it is dropped.
struct Owner(*mut u8);

impl Drop for Owner {
    fn drop(&mut self) {
        unsafe { free(self.0) } //~ bug: double-free
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn twice(a: u8) {
    let owner = Owner(unsafe { malloc(2) });
    if a == 1 {
        drop(unsafe { std::ptr::read(&owner) });
    }
}

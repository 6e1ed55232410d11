//@ entry: release
use std::alloc::{Layout, alloc, dealloc, realloc};

#[unsafe(no_mangle)]
pub extern "C" fn release(n: u8) -> u8 {
    let size = usize::from(n % 4) + 1;
    let layout = Layout::from_size_align(size, 2).unwrap();
    unsafe {
        let it = alloc(layout);
        it.write(n);
        let it = realloc(it, layout, size + 4);
        let res = it.read();
        dealloc(it, Layout::from_size_align(size + 4, 2).unwrap());
        let mut numbers: Vec<u32> = Vec::with_capacity(2);
        numbers.push(7);
        drop(Box::new(numbers[0]));
        assert!(res == n);
        res
    }
}

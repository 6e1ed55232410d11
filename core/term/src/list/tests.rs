//! What is shared stays as it was, and long lists are freed.

use super::PersistentList;

#[test]
fn what_is_pushed_to_one_list_is_in_no_other() {
    let common: PersistentList<u32> = (0..3).collect();
    let (mut left, mut right) = (common.clone(), common.clone());
    left.push(10);
    right.extend([20, 21]);
    assert_eq!((common.to_vec(), common.last()), (vec![0, 1, 2], Some(&2)));
    assert_eq!((left.to_vec(), left.len()), (vec![0, 1, 2, 10], 4));
    assert_eq!((right.to_vec(), right.len()), (vec![0, 1, 2, 20, 21], 5));
    drop(common);
    drop(left);
    assert_eq!(right.iter_back().copied().collect::<Vec<u32>>(), [21, 20, 2, 1, 0]);
    assert_eq!(format!("{right:?}"), "[0, 1, 2, 20, 21]");
}

#[test]
fn the_empty_list_has_nothing() {
    let empty: PersistentList<u32> = PersistentList::new();
    assert!(empty.is_empty() && empty.last().is_none() && empty.to_vec().is_empty());
}

/// A chain of a million would overflow the stack in a recursive drop; so would one whose end alone is shared.
#[test]
fn long_lists_are_freed_in_a_loop() {
    let list: PersistentList<u32> = (0..1_000_000).collect();
    let mut longer = list.clone();
    longer.extend(0..1_000_000);
    drop(longer);
    assert_eq!(list.len(), 1_000_000);
}

#[test]
fn a_beginning_is_shared() {
    let list: PersistentList<u32> = (0..5).collect();
    let mut other = list.first(3);
    assert_eq!(other.to_vec(), [0, 1, 2]);
    assert_eq!((other.shared_with(&list), list.shared_with(&other)), (3, 3));
    other.push(9);
    other.pop();
    other.pop();
    assert_eq!((other.to_vec(), other.shared_with(&list)), (vec![0, 1], 2));
    assert_eq!(list.to_vec(), [0, 1, 2, 3, 4]);
    assert_eq!(list.shared_with(&(0..5).collect()), 0);
}

//! Room for what is about to be written.
//!
//! What has no room yet is made anew with as much as it needs: growing it would be 40 instructions more, as many as a slot takes.

/// For so many bytes more.
#[inline]
pub(crate) fn for_bytes(text: &mut String, bytes: usize) {
    if text.capacity() - text.len() < bytes {
        match text.capacity() {
            0 => *text = String::with_capacity(bytes),
            _ => text.reserve(bytes),
        }
    }
}

/// For so many items more.
#[inline]
pub(crate) fn for_items<T>(list: &mut Vec<T>, items: usize) {
    if list.capacity() - list.len() < items {
        match list.capacity() {
            0 => *list = Vec::with_capacity(items),
            _ => list.reserve(items),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_none_takes_what_it_needs() {
        let (mut text, mut list) = (String::new(), Vec::<u64>::new());
        for_bytes(&mut text, 1000);
        for_items(&mut list, 1000);
        assert_eq!((text.capacity(), list.capacity()), (1000, 1000));
    }

    #[test]
    fn what_is_there_stays() {
        let (mut text, mut list) = ("Hello".to_owned(), vec![1, 2]);
        for more in [0, 1, 1000] {
            for_bytes(&mut text, more);
            for_items(&mut list, more);
            assert!(text.capacity() >= text.len() + more);
            assert!(list.capacity() >= list.len() + more);
            assert_eq!((&*text, &list[..]), ("Hello", &[1, 2][..]));
        }
    }

    #[test]
    fn what_has_room_is_not_moved() {
        let mut text = String::with_capacity(100);
        text.push_str("Hello");
        let place = text.as_ptr();
        for_bytes(&mut text, 95);
        assert_eq!((text.as_ptr(), text.capacity()), (place, 100));
    }
}

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

/// Each name once, for as long as the program runs: data is marked with the names of slots, and there are as many of them
/// as the templates of a program have.
pub(super) fn interned(name: &str) -> &'static str {
    static NAMES: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = names.get(name) {
        return known;
    }
    let kept: &'static str = Box::leak(name.into());
    names.insert(kept);
    kept
}

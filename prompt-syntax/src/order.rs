//! Sorting, compiled once.

use std::cmp::Ordering;

/// Sorts. Equal items keep their order.
///
/// The standard sort is compiled anew for each type and each order, which takes as long as a file of this crate. This one
/// sorts indexes, so that each type only adds the moves.
///
/// ```
/// use prompt_syntax::order::sort_by;
///
/// let mut words = ["pear", "fig", "plum", "apple"];
/// sort_by(&mut words, |one, other| one.len().cmp(&other.len()));
/// assert_eq!(words, ["fig", "pear", "plum", "apple"]);
/// ```
pub fn sort_by<T>(items: &mut [T], order: impl Fn(&T, &T) -> Ordering) {
    let mut targets = targets(items.len(), &|one, other| order(&items[one], &items[other]));
    for at in 0..items.len() {
        while targets[at] != at {
            let target = targets[at];
            items.swap(at, target);
            targets.swap(at, target);
        }
    }
}

/// Where each item belongs.
fn targets(len: usize, order: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut sorted: Vec<usize> = (0..len).collect();
    sorted.sort_by(|one, other| order(*one, *other));
    let mut targets = vec![0; len];
    for (target, from) in sorted.into_iter().enumerate() {
        targets[from] = target;
    }
    targets
}

#[cfg(test)]
mod tests {
    use super::sort_by;

    #[test]
    fn sorts_as_the_standard_library() {
        let mut number = 1_u32;
        for len in 0..200 {
            let mut items: Vec<(u32, usize)> = Vec::new();
            for index in 0..len {
                number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                items.push((number >> 28, index));
            }
            let mut expected = items.clone();
            expected.sort_by_key(|item| item.0);
            sort_by(&mut items, |one, other| one.0.cmp(&other.0));
            assert_eq!(items, expected);
        }
    }
}

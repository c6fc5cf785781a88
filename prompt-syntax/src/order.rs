//! Sorting, compiled once.

use std::cmp::Ordering;

/// Sorts, and leaves what is equal in its order.
///
/// The standard sort is compiled anew for each type and each order, which takes as long as a file of this crate. This one
/// sorts places, so that each type only adds the moves.
///
/// ```
/// use prompt_syntax::order::sort_by;
///
/// let mut words = ["pear", "fig", "plum", "apple"];
/// sort_by(&mut words, |one, other| one.len().cmp(&other.len()));
/// assert_eq!(words, ["fig", "pear", "plum", "apple"]);
/// ```
pub fn sort_by<T>(items: &mut [T], order: impl Fn(&T, &T) -> Ordering) {
    if items.len() <= FEW {
        for end in 1..items.len() {
            let mut at = end;
            while at > 0 && order(&items[at - 1], &items[at]) == Ordering::Greater {
                items.swap(at - 1, at);
                at -= 1;
            }
        }
        return;
    }
    let mut targets = targets(items.len(), &|one, other| order(&items[one], &items[other]));
    for at in 0..items.len() {
        while targets[at] != at {
            let target = targets[at];
            items.swap(at, target);
            targets.swap(at, target);
        }
    }
}

/// So many items are sorted in less time than a list of their places takes.
const FEW: usize = 12;

/// Where each item belongs: places are sorted by merging, runs twice as long each time.
fn targets(len: usize, order: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut sorted: Vec<usize> = (0..len).collect();
    let mut merged = vec![0; len];
    let mut run = 1;
    while run < len {
        for start in (0..len).step_by(2 * run) {
            let middle = len.min(start + run);
            let end = len.min(middle + run);
            let (mut left, mut right) = (start, middle);
            for place in &mut merged[start..end] {
                let is_left = right == end
                    || left < middle && order(sorted[left], sorted[right]) != Ordering::Greater;
                let from = if is_left { &mut left } else { &mut right };
                *place = sorted[*from];
                *from += 1;
            }
        }
        std::mem::swap(&mut sorted, &mut merged);
        run *= 2;
    }
    let mut targets = merged;
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
            for place in 0..len {
                number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                items.push((number >> 28, place));
            }
            let mut expected = items.clone();
            expected.sort_by_key(|item| item.0);
            sort_by(&mut items, |one, other| one.0.cmp(&other.0));
            assert_eq!(items, expected);
        }
    }
}

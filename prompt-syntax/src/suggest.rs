//! Did-you-mean, from a closed list of names.

/// The candidate that a name was most likely meant to be; `None` when none is close.
///
/// Distance is that of Damerau and Levenshtein (optimal string alignment), without regard to case; up to a third of the
/// name's characters may differ. Of equally close candidates the first wins.
///
/// ```
/// use prompt_syntax::suggest::closest;
///
/// assert_eq!(closest("contxt", ["question", "context"]), Some("context"));
/// assert_eq!(closest("contxt", ["question"]), None);
/// ```
pub fn closest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let mut search = Search {
        name: name.to_lowercase().chars().collect(),
        best: None,
    };
    for candidate in candidates {
        search.see(candidate);
    }
    search.best.map(|(_, candidate)| candidate)
}

struct Search<'a> {
    name: Vec<char>,
    best: Option<(usize, &'a str)>,
}

impl<'a> Search<'a> {
    fn see(&mut self, candidate: &'a str) {
        let name = &self.name[..];
        let allowed = (name.len() / 3).max(1);
        let other: Vec<char> = candidate.to_lowercase().chars().collect();
        if name.len().abs_diff(other.len()) > allowed {
            return;
        }
        let distance = distance(name, &other);
        // A name of one or two letters is near everything: only another order or case of it counts.
        let near =
            distance <= allowed && (name.len() > 2 || distance == 0 || is_swap(name, &other));
        if near && self.best.is_none_or(|(least, _)| distance < least) {
            self.best = Some((distance, candidate));
        }
    }
}

fn is_swap(a: &[char], b: &[char]) -> bool {
    matches!((a, b), ([a0, a1], [b0, b1]) if a0 == b1 && a1 == b0)
}

fn distance(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, y) in b.iter().enumerate() {
            let mut least = (above[j] + usize::from(x != y))
                .min(above[j + 1] + 1)
                .min(row[j] + 1);
            if i > 0 && j > 0 && *x == b[j - 1] && a[i - 1] == *y {
                least = least.min(before[j - 1] + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut above, row);
    }
    above[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_and_far() {
        let check = |name, candidates: &[&str], expected: Option<&str>| {
            let found = closest(name, candidates.iter().copied());
            assert_eq!(found, expected, "{name} in {candidates:?}");
        };
        check("question", &["question"], Some("question"));
        check("qestion", &["context", "question"], Some("question"));
        check("quesiton", &["question"], Some("question"));
        check("Question", &["question"], Some("question"));
        check("questions", &["question"], Some("question"));
        check("answer", &["question"], None);
        check("", &["a"], None);
        check("a", &["b"], None);
        check("A", &["a"], Some("a"));
        check("ab", &["ba"], Some("ba"));
        check("ab", &["ac"], None);
        check("anything", &[], None);
        // Of equally close ones the first.
        check("cat", &["bat", "hat"], Some("bat"));
        check("问体", &["问题"], None);
        check("背景知识", &["背景知道"], Some("背景知道"));
    }
}

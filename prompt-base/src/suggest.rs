//! Did-you-mean, from a closed list of names.

/// The candidate that a name was most likely meant to be; `None` when none is close.
///
/// [`distance`] defines which candidates are close. Of equally close candidates the first wins.
///
/// ```
/// use prompt_base::suggest::closest;
///
/// assert_eq!(closest("contxt", ["question", "context"]), Some("context"));
/// assert_eq!(closest("contxt", ["question"]), None);
/// ```
pub fn closest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let distances = candidates
        .into_iter()
        .filter_map(|candidate| Some((distance(name, candidate)?, candidate)));
    let closest = distances.min_by_key(|(distance, _)| *distance);
    closest.map(|(_, candidate)| candidate)
}

/// The same for names of versions, such as those of model families: another number is another version and not a misspelling.
///
/// ```
/// use prompt_base::suggest::closest_version;
///
/// assert_eq!(closest_version("lama3.1", ["llama3", "llama3_1"]), Some("llama3_1"));
/// assert_eq!(closest_version("llama5", ["llama3", "llama4"]), None);
/// ```
pub fn closest_version<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let digits = |name: &str| {
        name.chars()
            .filter(char::is_ascii_digit)
            .collect::<String>()
    };
    let version = digits(name);
    let candidates = candidates.into_iter();
    closest(
        name,
        candidates.filter(|candidate| digits(candidate) == version),
    )
}

/// The names that are other versions of this one: they have the same letters, or, if there are none, several begin with the same word.
///
/// ```
/// use prompt_base::suggest::other_versions;
///
/// assert_eq!(other_versions("Llama-5", ["llama3", "llama3_1", "qwen3"]), ["llama3", "llama3_1"]);
/// assert_eq!(other_versions("llama-2-chat", ["llama2", "llama3", "qwen3"]), ["llama2", "llama3"]);
/// assert!(other_versions("gpt-4o", ["gpt_oss", "llama2"]).is_empty());
/// ```
pub fn other_versions<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Vec<&'a str> {
    let letters = |name: &str| {
        let letters = name.chars().filter(|c| c.is_alphabetic());
        letters.flat_map(char::to_lowercase).collect::<String>()
    };
    let meant = letters(name);
    let first_word = |name: &str| {
        let words = name.split(|c: char| !c.is_alphabetic());
        words.map(letters).next().unwrap_or_default()
    };
    let word = first_word(name);
    let (mut same, mut near) = (Vec::new(), Vec::new());
    for candidate in candidates {
        if letters(candidate) == meant {
            same.push(candidate);
        } else if !word.is_empty() && first_word(candidate) == word {
            near.push(candidate);
        }
    }
    match same.is_empty() && near.len() > 1 {
        true => near,
        false => same,
    }
}

/// How many characters differ between a name and a candidate; `None` if they are not close, or longer than 64 characters.
///
/// It is the distance of Damerau and Levenshtein (optimal string alignment), without regard to the case of ASCII letters; up to a
/// third of the name's characters may differ. It is `const` so that the compiler can suggest the field of another type.
pub const fn distance(name: &str, candidate: &str) -> Option<usize> {
    let (Some(name), Some(other)) = (
        FoldedName::from_name(name),
        FoldedName::from_name(candidate),
    ) else {
        return None;
    };
    let allowed = if name.count < 6 { 1 } else { name.count / 3 };
    if name.count.abs_diff(other.count) > allowed {
        return None;
    }
    let distance = name.edit_distance(&other);
    // A name of one or two letters is near everything: only another order or case of it counts.
    if distance > allowed || (name.count <= 2 && distance > 0 && !name.is_swap(&other)) {
        return None;
    }
    Some(distance)
}

const LONGEST: usize = 64;

/// The characters of a name, in lowercase as far as they are ASCII.
struct FoldedName {
    letters: [u32; LONGEST],
    count: usize,
}

impl FoldedName {
    const fn from_name(name: &str) -> Option<FoldedName> {
        let (bytes, mut at) = (name.as_bytes(), 0);
        let (mut letters, mut count) = ([0; LONGEST], 0);
        while at < bytes.len() {
            let byte = bytes[at].to_ascii_lowercase() as u32;
            at += 1;
            if byte & 0xC0 == 0x80 {
                letters[count - 1] = letters[count - 1] << 8 | byte;
                continue;
            }
            if count == LONGEST {
                return None;
            }
            letters[count] = byte;
            count += 1;
        }
        Some(FoldedName { letters, count })
    }

    const fn is_swap(&self, other: &FoldedName) -> bool {
        let (a, b) = (&self.letters, &other.letters);
        self.count == 2 && other.count == 2 && a[0] == b[1] && a[1] == b[0]
    }

    const fn edit_distance(&self, other: &FoldedName) -> usize {
        let (a, b) = (&self.letters, &other.letters);
        let mut before = [0; LONGEST + 1];
        let mut above = [0; LONGEST + 1];
        let mut j = 0;
        while j <= other.count {
            above[j] = j;
            j += 1;
        }
        let mut i = 0;
        while i < self.count {
            let mut row = [0; LONGEST + 1];
            row[0] = i + 1;
            j = 0;
            while j < other.count {
                let mut least = above[j] + (a[i] != b[j]) as usize;
                least = min(least, min(above[j + 1], row[j]) + 1);
                if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] {
                    least = min(least, before[j - 1] + 1);
                }
                row[j + 1] = least;
                j += 1;
            }
            (before, above) = (above, row);
            i += 1;
        }
        above[other.count]
    }
}

const fn min(a: usize, b: usize) -> usize {
    if a < b { a } else { b }
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

//! Comparison of names that ignores case, accents and separators.

use std::cmp::Ordering;

/// Returns the letters and digits of a text, lowercase and without accents: `firstName`, `First name` and `first_name` all
/// become `firstname`, and `Résumé` becomes `resume`. Between two digits, what separates them becomes a space: `1-5` becomes
/// `1 5` and not `15`.
pub(crate) fn fold_name(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    let mut is_apart = false;
    for letter in text.chars() {
        if is_apart && letter.is_ascii_digit() && folded.ends_with(|c: char| c.is_ascii_digit()) {
            folded.push(' ');
        }
        let length = folded.len();
        fold_char(letter, &mut folded);
        is_apart = folded.len() == length;
    }
    folded
}

/// Appends the folded form of one character, which may be empty.
fn fold_char(letter: char, out: &mut String) {
    if letter.is_ascii() {
        if letter.is_ascii_alphanumeric() {
            out.push(letter.to_ascii_lowercase());
        }
        return;
    }
    for lower in letter.to_lowercase() {
        match strip_accent(lower) {
            Some(letters) => out.push_str(letters),
            None if lower.is_alphanumeric() => out.push(lower),
            None => {}
        }
    }
}

/// Returns the plain letters of an accented Latin letter. [`fold_char`] drops combining marks itself.
fn strip_accent(letter: char) -> Option<&'static str> {
    Some(match letter {
        'à' | 'á' | 'â' | 'ã' | 'ä' | 'å' | 'ā' | 'ă' | 'ą' => "a",
        'ç' | 'ć' | 'ĉ' | 'ċ' | 'č' => "c",
        'ð' | 'ď' | 'đ' => "d",
        'è' | 'é' | 'ê' | 'ë' | 'ē' | 'ĕ' | 'ė' | 'ę' | 'ě' => "e",
        'ĝ' | 'ğ' | 'ġ' | 'ģ' => "g",
        'ĥ' | 'ħ' => "h",
        'ì' | 'í' | 'î' | 'ï' | 'ĩ' | 'ī' | 'ĭ' | 'į' | 'ı' => "i",
        'ĵ' => "j",
        'ķ' => "k",
        'ĺ' | 'ļ' | 'ľ' | 'ŀ' | 'ł' => "l",
        'ñ' | 'ń' | 'ņ' | 'ň' => "n",
        'ò' | 'ó' | 'ô' | 'õ' | 'ö' | 'ø' | 'ō' | 'ŏ' | 'ő' => "o",
        'ŕ' | 'ŗ' | 'ř' => "r",
        'ś' | 'ŝ' | 'ş' | 'š' | 'ș' => "s",
        'ţ' | 'ť' | 'ŧ' | 'ț' => "t",
        'ù' | 'ú' | 'û' | 'ü' | 'ũ' | 'ū' | 'ŭ' | 'ů' | 'ű' | 'ų' => "u",
        'ŵ' => "w",
        'ý' | 'ÿ' | 'ŷ' => "y",
        'ź' | 'ż' | 'ž' => "z",
        'ß' => "ss",
        'æ' => "ae",
        'œ' => "oe",
        'þ' => "th",
        _ => return None,
    })
}

/// All field names of a schema. Where a text is ambiguous, a word that is one of them is a key and not prose.
#[derive(Debug)]
pub(crate) struct Names {
    exact: NameIndex,
    folded: NameIndex,
    /// The schema contains a map, so any word may be a key.
    pub accept_any: bool,
}

impl Names {
    pub(crate) fn new(names: &[&String], open: bool) -> Names {
        let mut exact = Vec::with_capacity(names.len());
        let mut folded = Vec::with_capacity(names.len());
        for name in names {
            exact.push(((*name).clone(), None));
            folded.push((fold_name(name), None));
        }
        Names {
            exact: NameIndex::new(exact, |first, _| first),
            folded: NameIndex::new(folded, |first, _| first),
            accept_any: open,
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.exact.0.is_empty()
    }

    /// Whether a name begins with a text, in its exact spelling.
    pub(crate) fn has_prefix(&self, text: &str) -> bool {
        self.exact.0.iter().any(|(name, _)| name.starts_with(text))
    }

    pub(crate) fn contains(&self, name: &str) -> bool {
        self.exact.get(name).is_some() || self.folded.get(&fold_name(name)).is_some()
    }
}

/// Names with an optional field index each, sorted by length and then by text. Most comparisons end at the length, which is
/// cheaper than a hash.
#[derive(Debug)]
pub(crate) struct NameIndex(Vec<(String, FieldIndex)>);

type FieldIndex = Option<usize>;

impl NameIndex {
    /// `both` combines the values of a name that occurs twice.
    pub(crate) fn new(
        mut names: Vec<(String, FieldIndex)>,
        both: fn(FieldIndex, FieldIndex) -> FieldIndex,
    ) -> NameIndex {
        names.sort_by(|(one, _), (other, _)| compare_names(one, other));
        names.dedup_by(|(later, second), (name, first)| {
            let same = later == name;
            if same {
                *first = both(*first, *second);
            }
            same
        });
        NameIndex(names)
    }

    pub(crate) fn get(&self, name: &str) -> Option<FieldIndex> {
        let found = self
            .0
            .binary_search_by(|(other, _)| compare_names(other, name));
        found.ok().map(|index| self.0[index].1)
    }
}

fn compare_names(one: &str, other: &str) -> Ordering {
    one.len().cmp(&other.len()).then_with(|| one.cmp(other))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_one_name_are_equal() {
        for (one, other) in [
            ("firstName", "first_name"),
            ("First name", "FIRST-NAME"),
            ("Résumé", "resume"),
            ("re\u{301}sume\u{301}", "résumé"),
            ("Straße", "STRASSE"),
            ("k-2-3.1_1", "K2 3 1 1"),
        ] {
            assert_eq!(fold_name(one), fold_name(other), "{one} and {other}");
        }
        assert_ne!(fold_name("SPAM"), fold_name("NOT_SPAM"));
        assert_eq!(fold_name("1-5"), fold_name("1 - 5"));
        assert_ne!(fold_name("1-5"), fold_name("15"));
        assert_eq!(fold_name("北京"), "北京");
    }
}

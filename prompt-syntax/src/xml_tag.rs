//! XML tags: `<name>` is text where `</name>` occurs too.

use std::collections::{HashMap, HashSet};

use crate::Spanned;
use crate::name::path_len;
use prompt_base::Span;

/// A `<name>` that is text because `</name>` occurs too.
///
/// ```
/// use prompt_syntax::{Options, parse};
///
/// let parsed = parse("<docs>…</docs>", Options::default());
/// let tag = &parsed.tags[0];
/// assert_eq!((tag.name.as_str(), tag.close.unwrap().start), ("docs", 9));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct XmlTag {
    /// The name between the brackets.
    pub name: Spanned<String>,
    /// The closing tag, if it is in the same text.
    pub close: Option<Span>,
}

/// The names of the XML tags that the messages of a prompt close: `<name>` is text in all of them where one contains `</name>`.
///
/// ```
/// use prompt_syntax::{Dialect, KnownNames, Options, Plain, XmlTags, parse_in};
///
/// let tags = XmlTags::from_texts(["The document is in <document> tags.", "<document><input:document></document>"]);
/// let system = parse_in::<Plain>("The document is in <document> tags.", Options::default(), &tags, KnownNames::Unknown);
/// assert_eq!(system.tags[0].name.as_str(), "document");
/// ```
#[derive(Clone, Default, Debug)]
pub struct XmlTags(HashSet<String>);

impl XmlTags {
    /// The tags that the texts of a prompt close.
    pub fn from_texts<T: AsRef<str>>(texts: impl IntoIterator<Item = T>) -> XmlTags {
        let mut names = HashSet::new();
        for text in texts {
            names.extend(closers(text.as_ref()).into_keys().map(str::to_owned));
        }
        XmlTags(names)
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.0.contains(name)
    }
}

/// The names of all `</name>` and `</a.b>` of the text, each with its first position.
pub(crate) fn closers(text: &str) -> HashMap<&str, Span> {
    let mut closers = HashMap::new();
    // One character is looked for by words of memory, and slashes are rare.
    for (slash, _) in text.match_indices('/') {
        if !text[..slash].ends_with('<') {
            continue;
        }
        let inside = slash + 1;
        let (name, after) = text[inside..].split_at(path_len(&text[inside..]));
        let blank = after.len() - after.trim_start_matches([' ', '\t']).len();
        if !name.is_empty() && after[blank..].starts_with('>') {
            let end = inside + name.len() + blank + 1;
            closers.entry(name).or_insert(Span::new(slash - 1, end));
        }
    }
    closers
}

//! The filters of the template language: `<passages | join(", ")>` calls [`join`].
//!
//! They keep the origin of their text: data stays data after a filter.

use std::borrow::Cow;
use std::fmt;
use std::rc::Rc;
use std::sync::Arc;

use serde_core::ser::Error as _;
use serde_core::{Serialize, Serializer};

use crate::list::Sort;
use crate::untrusted::{self, ReadsBefore};
use crate::{Error, Json, List, Origin, Text, ToPrompt, Truthy, Writer};

/// The result of a filter: text that can fill a slot or be filtered again.
///
/// ```
/// use typed_prompt::filter;
///
/// assert_eq!(filter::trim(" a ").as_str(), "a");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Filtered {
    text: Text,
    fault: Option<Error>,
    /// Whether it contains the text of an [`Untrusted`](crate::Untrusted).
    untrusted: bool,
}

impl Filtered {
    /// Returns what `write` writes. Text written with `out.text` is template text, and all other text keeps its origin.
    fn from_writer(write: impl FnOnce(&mut Writer)) -> Filtered {
        let mut inner = Writer::new();
        let before = ReadsBefore::default();
        write(&mut inner);
        let untrusted = inner.has_untrusted() || before.has_more();
        let (text, fault) = inner.into_text();
        Filtered {
            text,
            fault,
            untrusted,
        }
    }

    fn from_value(value: &dyn ToPrompt) -> Filtered {
        Filtered::from_writer(|out| value.write(out))
    }

    /// Changes each segment of the text separately; each keeps its origin.
    fn map_text(self, change: impl Fn(&str) -> String) -> Filtered {
        let mut text = Text::new();
        for (piece, source) in self.text.pieces() {
            match source {
                Origin::Data(slot) => text.push_data(slot, &change(piece)),
                _ => text.push_own(&change(piece)),
            }
        }
        Filtered { text, ..self }
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        self.text.as_str()
    }
}

#[diagnostic::do_not_recommend]
/// Serializes as a string, so that `json` can follow another filter.
impl Serialize for Filtered {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.fault {
            Some(fault) => Err(S::Error::custom(fault)),
            None => {
                if self.untrusted {
                    untrusted::note_read();
                }
                serializer.serialize_str(self.as_str())
            }
        }
    }
}

#[diagnostic::do_not_recommend]
impl ToPrompt for Filtered {
    fn write(&self, out: &mut Writer) {
        match self.untrusted {
            true => out.untrusted(&self.text),
            false => out.push(&self.text),
        }
        if let Some(fault) = &self.fault {
            out.fail(fault.clone());
        }
    }
}

#[diagnostic::do_not_recommend]
impl Truthy for Filtered {
    fn is_truthy(&self) -> bool {
        !self.text.is_empty()
    }
}

/// Joins the items of a list with a separator.
///
/// ```
/// use typed_prompt::filter;
///
/// assert_eq!(filter::join(&["a", "b"], ", ").as_str(), "a, b");
/// ```
pub fn join<L: List + ?Sized>(list: &L, separator: &str) -> Filtered
where
    L::Item: ToPrompt,
{
    Filtered::from_writer(|out| {
        for (index, item) in list.items().enumerate() {
            if index > 0 {
                out.data(separator);
            }
            item.write(out);
        }
    })
}

/// Any value that implements `Display`, as it prints itself: for types of other crates, such as a `Uuid` or a `Decimal`.
///
/// ```
/// assert_eq!(typed_prompt::filter::display(&std::net::Ipv4Addr::LOCALHOST).as_str(), "127.0.0.1");
/// ```
pub fn display(value: &(impl Displayed + ?Sized)) -> Filtered {
    Filtered::from_value(&crate::display(value))
}

/// The input of the filter [`display`]: every type that implements [`Display`](fmt::Display).
///
/// ```
/// fn shown(value: &impl typed_prompt::filter::Displayed) -> String {
///     value.to_string()
/// }
///
/// assert_eq!(shown(&1.5), "1.5");
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be used with the filter `display`",
    label = "this has no `Display`",
    note = "an `Option`: write `<x ?? \"none\">`, or `<if x>…<x | display>…</if>`",
    note = "an image, audio, video or file: write `<x>`, and `#[prompt(media)]` at the field if the name of its type is not `Media`",
    note = "any other type: write `<x | debug>`, or implement `Display`"
)]
pub trait Displayed: fmt::Display {}

#[diagnostic::do_not_recommend]
impl<T: fmt::Display + ?Sized> Displayed for T {}

/// Any value that implements `Debug`, as it prints itself.
///
/// ```
/// assert_eq!(typed_prompt::filter::debug(&Some(1)).as_str(), "Some(1)");
/// ```
pub fn debug(value: &(impl fmt::Debug + ?Sized)) -> Filtered {
    Filtered::from_value(&crate::debug(value))
}

/// The items of a set or list in their order, or the pairs of a map in the order of the keys. Equal items keep theirs.
///
/// ```
/// use typed_prompt::filter;
///
/// assert_eq!(filter::join(&filter::sort(&["b", "a"]), ", ").as_str(), "a, b");
/// ```
pub fn sort<C: Sort + ?Sized>(collection: &C) -> Vec<C::Item<'_>> {
    collection.sorted()
}

/// Removes leading and trailing white space.
///
/// ```
/// assert_eq!(typed_prompt::filter::trim("\n a b ").as_str(), "a b");
/// ```
pub fn trim(text: &(impl ToPrompt + ?Sized)) -> Filtered {
    let filtered = Filtered::from_value(&text);
    let whole = filtered.as_str();
    let start = whole.len() - whole.trim_start().len();
    let text = filtered.text.slice(start..start + whole.trim().len());
    Filtered { text, ..filtered }
}

/// Indents all lines but the first by `width` spaces; empty lines stay empty.
///
/// ```
/// assert_eq!(typed_prompt::filter::indent("a\n\nb", 2).as_str(), "a\n\n  b");
/// ```
pub fn indent(text: &(impl ToPrompt + ?Sized), width: usize) -> Filtered {
    let filtered = Filtered::from_value(&text);
    let spaces = " ".repeat(width);
    let mut text = Text::new();
    let mut at = 0;
    for line in filtered.as_str().split_inclusive('\n') {
        if at > 0 && !line.trim_end_matches(['\n', '\r']).is_empty() {
            text.push_own(&spaces);
        }
        text.push(&filtered.text.slice(at..at + line.len()));
        at += line.len();
    }
    Filtered { text, ..filtered }
}

/// Any serializable value as JSON without white space.
///
/// A value that JSON cannot express is an error when the prompt is used.
///
/// ```
/// assert_eq!(typed_prompt::filter::json(&("a", 1)).as_str(), r#"["a",1]"#);
/// ```
pub fn json(value: &(impl Serialize + ?Sized)) -> Filtered {
    Filtered::from_writer(|out| match Json::from_serialize(value) {
        Ok(json) => out.data(json.as_str()),
        Err(error) => out.fail(error),
    })
}

/// Converts text to uppercase.
///
/// ```
/// assert_eq!(typed_prompt::filter::upper("straße").as_str(), "STRASSE");
/// ```
pub fn upper(text: &(impl ToPrompt + ?Sized)) -> Filtered {
    Filtered::from_value(&text).map_text(str::to_uppercase)
}

/// Returns the text in lowercase.
///
/// ```
/// assert_eq!(typed_prompt::filter::lower("ÀB").as_str(), "àb");
/// ```
pub fn lower(text: &(impl ToPrompt + ?Sized)) -> Filtered {
    Filtered::from_value(&text).map_text(str::to_lowercase)
}

/// At most `length` characters; text that is cut ends in `…`.
///
/// ```
/// use typed_prompt::filter::truncate;
///
/// assert_eq!(truncate("abcd", 4).as_str(), "abcd");
/// assert_eq!(truncate("abcde", 4).as_str(), "abc…");
/// ```
pub fn truncate(text: &(impl ToPrompt + ?Sized), length: usize) -> Filtered {
    let filtered = Filtered::from_value(&text);
    let Some((kept, _)) = length.checked_sub(1).map_or(Some((0, ' ')), |last| {
        filtered.as_str().char_indices().nth(last)
    }) else {
        return filtered;
    };
    if length > 0 && filtered.as_str()[kept..].chars().nth(1).is_none() {
        return filtered;
    }
    let mut text = filtered.text.slice(0..kept);
    if length > 0 {
        text.push_own("…");
    }
    Filtered { text, ..filtered }
}

/// The lines of a text, or the items of a list, one on each line.
///
/// ```
/// use typed_prompt::{filter, value::List};
///
/// assert_eq!(filter::lines("a\nb").items().count(), 2);
/// assert_eq!(filter::lines(&[1, 2]).as_str(), "1\n2");
/// ```
pub fn lines<T: ToLines + ?Sized>(value: &T) -> Lines {
    value.to_lines()
}

/// See [`lines`].
///
/// ```
/// use typed_prompt::{filter, value::List};
///
/// let lines: filter::Lines = filter::lines("a\r\nb");
/// assert_eq!(lines.items().nth(1).unwrap().as_str(), "b");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Lines {
    whole: Filtered,
    lines: Vec<Text>,
}

impl Lines {
    /// The lines with a line break between each two.
    pub fn as_str(&self) -> &str {
        self.whole.as_str()
    }

    fn of_text(text: &dyn ToPrompt) -> Lines {
        let whole = Filtered::from_value(text);
        let mut at = 0;
        let mut lines = Vec::new();
        for line in whole.as_str().split_inclusive('\n') {
            let kept = line
                .strip_suffix('\n')
                .map_or(line, |line| line.strip_suffix('\r').unwrap_or(line));
            lines.push(whole.text.slice(at..at + kept.len()));
            at += line.len();
        }
        Lines { lines, whole }
    }
}

#[diagnostic::do_not_recommend]
/// As a list of strings.
impl Serialize for Lines {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.whole.fault {
            Some(fault) => Err(S::Error::custom(fault)),
            None => serializer.collect_seq(self.lines.iter().map(Text::as_str)),
        }
    }
}

#[diagnostic::do_not_recommend]
impl ToPrompt for Lines {
    fn write(&self, out: &mut Writer) {
        self.whole.write(out);
    }
}

#[diagnostic::do_not_recommend]
impl Truthy for Lines {
    fn is_truthy(&self) -> bool {
        self.whole.is_truthy()
    }
}

#[diagnostic::do_not_recommend]
impl List for Lines {
    type Item = Text;
    type Iter<'a> = std::slice::Iter<'a, Text>;

    fn items(&self) -> Self::Iter<'_> {
        self.lines.iter()
    }
}

/// The input of the filter [`lines`]: text, or a list.
///
/// ```
/// use typed_prompt::filter::ToLines;
///
/// assert_eq!("a\nb".to_lines().as_str(), ["a", "b"].to_lines().as_str());
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no lines",
    label = "neither text nor a list of what can fill a slot"
)]
pub trait ToLines {
    /// The lines.
    fn to_lines(&self) -> Lines;
}

#[diagnostic::do_not_recommend]
impl<L: List + ?Sized> ToLines for L
where
    L::Item: ToPrompt,
{
    fn to_lines(&self) -> Lines {
        let items = self.items().map(|item| Filtered::from_value(&item));
        let (mut lines, mut fault, mut untrusted) = (Vec::new(), None, false);
        for item in items {
            lines.push(item.text);
            fault = fault.or(item.fault);
            untrusted |= item.untrusted;
        }
        Lines {
            whole: Filtered {
                fault,
                untrusted,
                ..join(&lines, "\n")
            },
            lines,
        }
    }
}

macro_rules! texts {
    ($($ty:ty)*) => {$(
        #[diagnostic::do_not_recommend]
        impl ToLines for $ty {
            fn to_lines(&self) -> Lines {
                Lines::of_text(&self)
            }
        }
    )*};
}

texts! { str &str &&str String &String Cow<'_, str> Box<str> Rc<str> Arc<str> Text Filtered &Text &Filtered }

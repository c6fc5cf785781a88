//! Lists of texts as arguments.

/// A list of texts as an argument: an array, a `Vec` or another iterator of strings, such as `["a", "b"]`. A single string, and the iterator of its
/// characters, are a compile error.
///
/// ```
/// use typed_prompt::value::Texts;
///
/// assert_eq!(["a", "b"].into_texts().collect::<Vec<_>>(), ["a", "b"]);
/// assert_eq!(vec!["a".to_owned()].into_texts().count(), 1);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a list of texts",
    label = "no list of texts",
    note = "write one text in brackets, `[\"…\"]`, and several as `[\"…\", \"…\"]`; a `Vec` and other iterators are lists too"
)]
pub trait Texts {
    /// The texts, in order.
    fn into_texts(self) -> impl Iterator<Item = String>;
}

// Without it, rustc reports that `&str` is not an iterator, and proposes `.chars()`.
#[diagnostic::do_not_recommend]
impl<L> Texts for L
where
    L: IntoIterator<Item: AsRef<str>>,
{
    fn into_texts(self) -> impl Iterator<Item = String> {
        self.into_iter().map(|text| text.as_ref().to_owned())
    }
}

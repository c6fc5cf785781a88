//! The words that begin blocks.

/// A word that begins a block with an end.
///
/// ```
/// use prompt_syntax::dialect::Keyword;
///
/// assert_eq!((Keyword::FOR.name, Keyword::FOR.example), ("for", "for item in list"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Keyword {
    /// The word.
    pub name: &'static str,
    /// An example of its tag.
    pub example: &'static str,
    /// What is wrong with a tag that contains the word alone. `None` if the rest may be left out.
    pub alone: Option<&'static str>,
}

impl Keyword {
    /// A condition.
    pub const IF: Keyword = Keyword {
        name: "if",
        example: "if name",
        alone: Some("has no condition"),
    };

    /// A loop.
    pub const FOR: Keyword = Keyword {
        name: "for",
        example: "for item in list",
        alone: Some("has no list"),
    };
}

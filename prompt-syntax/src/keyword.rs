//! The words that begin blocks.

/// The blocks that have an end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Keyword {
    If,
    For,
    #[cfg(feature = "jinja")]
    Set,
    #[cfg(feature = "jinja")]
    With,
    #[cfg(feature = "jinja")]
    Macro,
    #[cfg(feature = "jinja")]
    Filter,
}

impl Keyword {
    pub(crate) const ALL: &[Keyword] = &[
        Keyword::If,
        Keyword::For,
        #[cfg(feature = "jinja")]
        Keyword::Set,
        #[cfg(feature = "jinja")]
        Keyword::With,
        #[cfg(feature = "jinja")]
        Keyword::Macro,
        #[cfg(feature = "jinja")]
        Keyword::Filter,
    ];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Keyword::If => "if",
            Keyword::For => "for",
            #[cfg(feature = "jinja")]
            Keyword::Set => "set",
            #[cfg(feature = "jinja")]
            Keyword::With => "with",
            #[cfg(feature = "jinja")]
            Keyword::Macro => "macro",
            #[cfg(feature = "jinja")]
            Keyword::Filter => "filter",
        }
    }

    /// An example of such a block.
    pub(crate) const fn example(self) -> &'static str {
        match self {
            Keyword::If => "if name",
            Keyword::For => "for item in list",
            #[cfg(feature = "jinja")]
            Keyword::Set => "set name = value",
            #[cfg(feature = "jinja")]
            Keyword::With => "with name = value",
            #[cfg(feature = "jinja")]
            Keyword::Macro => "macro name(parameter)",
            #[cfg(feature = "jinja")]
            Keyword::Filter => "filter upper",
        }
    }
}

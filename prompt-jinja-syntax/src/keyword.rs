//! The words that begin the blocks of Jinja.

use prompt_syntax::dialect::Keyword;

/// A name for the text of a block.
pub(crate) const SET: Keyword = Keyword {
    name: "set",
    example: "set name = value",
    alone: Some("names nothing"),
};

/// Names that hold within a block. It may have none.
pub(crate) const WITH: Keyword = Keyword {
    name: "with",
    example: "with name = value",
    alone: None,
};

/// A piece of the template with parameters.
pub(crate) const MACRO: Keyword = Keyword {
    name: "macro",
    example: "macro name(parameter)",
    alone: Some("names no macro"),
};

/// The text of a block, through filters.
pub(crate) const FILTER: Keyword = Keyword {
    name: "filter",
    example: "filter upper",
    alone: Some("names no filter"),
};

/// All of them.
pub(crate) const ALL: [Keyword; 6] = [Keyword::IF, Keyword::FOR, SET, WITH, MACRO, FILTER];

//! Dialects, the options of the parser, and its result.

use crate::{Error, Span, Spanned, Template};

/// A way to write slots and blocks.
///
/// ```
/// use prompt_syntax::Dialect;
///
/// assert_eq!(Dialect::from_name("brace"), Some(Dialect::Brace));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Dialect {
    /// `<name>`, `<input:name>`, `<if x>…</if>`.
    #[default]
    Angle,
    /// `{name}`, `{input:name}`.
    Brace,
    /// `{{ name }}`, `{% if x %}…{% endif %}`.
    Jinja,
}

impl Dialect {
    /// All dialects.
    pub const ALL: [Dialect; 3] = [Dialect::Angle, Dialect::Brace, Dialect::Jinja];

    /// The name that `syntax = "…"` takes.
    pub const fn name(self) -> &'static str {
        match self {
            Dialect::Angle => "angle",
            Dialect::Brace => "brace",
            Dialect::Jinja => "jinja",
        }
    }

    /// The slot of a name.
    ///
    /// ```
    /// use prompt_syntax::Dialect;
    ///
    /// assert_eq!(Dialect::ALL.map(|dialect| dialect.slot("x")), ["<x>", "{x}", "{{ x }}"]);
    /// ```
    pub fn slot(self, name: &str) -> String {
        match self {
            Dialect::Angle => format!("<{name}>"),
            Dialect::Brace => format!("{{{name}}}"),
            Dialect::Jinja => format!("{{{{ {name} }}}}"),
        }
    }

    /// The dialect of that name.
    pub fn from_name(name: &str) -> Option<Dialect> {
        Dialect::ALL
            .into_iter()
            .find(|dialect| dialect.name() == name)
    }
}

/// How to read a template.
///
/// ```
/// use prompt_syntax::{Dialect, Options, parse};
///
/// let text = "<user>Hi</user>";
/// assert_eq!(parse(text, Options::message(Dialect::Angle)).tags.len(), 1, "an XML tag in a message");
/// assert_eq!(parse(text, Options::document(Dialect::Angle)).tags.len(), 0, "a role in a file");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Options {
    /// How slots and blocks are written.
    pub dialect: Dialect,
    /// Whether `<system>…</system>` and the like are structure, as in files, or text, as in the text of one message.
    pub roles: bool,
    /// Jinja: whether the line break right after a tag `{% … %}` belongs to the tag.
    pub trim_blocks: bool,
    /// Jinja: whether the blanks between the beginning of a line and a tag `{% … %}` belong to the tag.
    pub lstrip_blocks: bool,
    /// Jinja: whether a line break at the end of the template is kept.
    pub keep_trailing_newline: bool,
    /// Jinja, with `roles`: whether a line `system:`, `user:` or `assistant:` begins what that role says, as in Prompty
    /// files.
    pub role_lines: bool,
}

impl Options {
    /// For the text of one message.
    pub const fn message(dialect: Dialect) -> Options {
        Options {
            dialect,
            roles: false,
            trim_blocks: false,
            lstrip_blocks: false,
            keep_trailing_newline: false,
            role_lines: false,
        }
    }

    /// For a file or a literal with role blocks.
    pub const fn document(dialect: Dialect) -> Options {
        Options {
            roles: true,
            ..Options::message(dialect)
        }
    }
}

impl From<Dialect> for Options {
    /// For the text of one message.
    fn from(dialect: Dialect) -> Options {
        Options::message(dialect)
    }
}

/// What was read: the tree, and everything that is wrong with it.
///
/// ```
/// use prompt_syntax::{Options, parse};
///
/// let parsed = parse("<a> <if>", Options::default());
/// assert_eq!(parsed.template.nodes.len(), 3);
/// assert_eq!(parsed.errors[0].message(), "`<if>` says nothing to decide it");
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Parsed {
    /// The tree. Where there are errors, it holds what could be read.
    pub template: Template,
    /// `<name>…</name>` pairs that stay text.
    pub tags: Vec<Tag>,
    /// The errors, in the order of their places.
    pub errors: Vec<Error>,
}

/// A `<name>` that is text because `</name>` occurs too.
///
/// ```
/// use prompt_syntax::{Options, parse};
///
/// let parsed = parse("<docs>…</docs>", Options::default());
/// let tag = &parsed.tags[0];
/// assert_eq!((tag.name.as_str(), tag.close.start), ("docs", 9));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tag {
    /// The name between the brackets.
    pub name: Spanned<String>,
    /// The closing tag.
    pub close: Span,
}

impl Dialect {
    /// A tag with these words in it: `<if x>`, `{% if x %}`.
    pub(crate) fn tag(self, words: &str) -> String {
        match self {
            Dialect::Angle | Dialect::Brace => format!("<{words}>"),
            Dialect::Jinja => format!("{{% {words} %}}"),
        }
    }

    /// The tag that closes a block: `</if>`, `{% endif %}`.
    pub(crate) fn end(self, block: &str) -> String {
        match self {
            Dialect::Angle | Dialect::Brace => format!("</{block}>"),
            Dialect::Jinja => format!("{{% end{block} %}}"),
        }
    }

    /// How a tag that was written is kept as text.
    pub(crate) fn as_text(self, written: &str) -> String {
        match self {
            Dialect::Angle | Dialect::Brace => format!("\\{written}"),
            Dialect::Jinja => format!("{{% raw %}}{written}{{% endraw %}}"),
        }
    }

    /// The tags of the three roles, for help that names them.
    pub(crate) fn roles(self) -> String {
        let block = |role| format!("`{}…{}`", self.tag(role), self.end(role));
        format!(
            "{}, {} or {}",
            block("system"),
            block("user"),
            block("assistant")
        )
    }
}

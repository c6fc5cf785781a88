//! The dialects, and how a template is read.

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
    /// `{name}` as Python's `str.format` reads it, so `{{` and `}}` are braces.
    Fstring,
    /// `{{ name }}`, `{% if x %}…{% endif %}`.
    Jinja,
}

impl Dialect {
    /// All dialects.
    pub const ALL: [Dialect; 4] = [
        Dialect::Angle,
        Dialect::Brace,
        Dialect::Fstring,
        Dialect::Jinja,
    ];

    /// The name that `syntax = "…"` takes.
    pub const fn name(self) -> &'static str {
        match self {
            Dialect::Angle => "angle",
            Dialect::Brace => "brace",
            Dialect::Fstring => "fstring",
            Dialect::Jinja => "jinja",
        }
    }

    /// The name in a sentence.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Dialect::Fstring => "f-string",
            Dialect::Jinja => "Jinja",
            dialect => dialect.name(),
        }
    }

    /// The slot of a name.
    ///
    /// ```
    /// use prompt_syntax::Dialect;
    ///
    /// assert_eq!(Dialect::ALL.map(|dialect| dialect.slot("x")), ["<x>", "{x}", "{x}", "{{ x }}"]);
    /// ```
    pub fn slot(self, name: &str) -> String {
        match self {
            Dialect::Angle => format!("<{name}>"),
            Dialect::Brace | Dialect::Fstring => format!("{{{name}}}"),
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
    /// Angle: whether a line that contains only block tags keeps its white space and its line break.
    pub keep_block_lines: bool,
    /// Jinja: whether the line break right after a tag `{% … %}` belongs to the tag.
    pub trim_blocks: bool,
    /// Jinja: whether the blanks between the beginning of a line and a tag `{% … %}` belong to the tag.
    pub lstrip_blocks: bool,
    /// Jinja: whether a line break at the end of the template is kept.
    pub keep_trailing_newline: bool,
    /// Jinja, with `roles`: whether a line `system:`, `user:` or `assistant:` begins a message of that role, as in Prompty
    /// files.
    pub role_lines: bool,
    /// Angle and brace: whether only `<input:name>` or `{input:name}` is a slot, and everything else but the tags of roles is
    /// text.
    pub input_only: bool,
}

impl Options {
    /// A slot for this field.
    ///
    /// ```
    /// use prompt_syntax::{Dialect, Options};
    ///
    /// let options = Options::message(Dialect::Brace);
    /// assert_eq!(options.slot("tone"), "{tone}");
    /// assert_eq!(Options { input_only: true, ..options }.slot("tone"), "{input:tone}");
    /// ```
    pub fn slot(&self, field: &str) -> String {
        match self.input_only {
            true => self.dialect.slot(&format!("input:{field}")),
            false => self.dialect.slot(field),
        }
    }

    /// Whether lines begin messages: in the Jinja dialect, if [`role_lines`](Options::role_lines) is set. A Prompty file of another dialect has tags.
    ///
    /// ```
    /// use prompt_syntax::{Dialect, Options};
    ///
    /// let prompty = |dialect| Options { role_lines: true, ..Options::document(dialect) };
    /// assert!(prompty(Dialect::Jinja).has_role_lines());
    /// assert!(!prompty(Dialect::Angle).has_role_lines());
    /// ```
    pub fn has_role_lines(&self) -> bool {
        self.role_lines && self.dialect == Dialect::Jinja
    }

    /// For the text of one message.
    pub const fn message(dialect: Dialect) -> Options {
        Options {
            dialect,
            roles: false,
            keep_block_lines: false,
            trim_blocks: false,
            lstrip_blocks: false,
            keep_trailing_newline: false,
            role_lines: false,
            input_only: false,
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

impl Dialect {
    /// A tag with this text in it: `<if x>`, `{% if x %}`.
    pub fn tag(self, words: &str) -> String {
        match self {
            Dialect::Angle | Dialect::Brace | Dialect::Fstring => format!("<{words}>"),
            Dialect::Jinja => format!("{{% {words} %}}"),
        }
    }

    /// The tag that closes a block: `</if>`, `{% endif %}`.
    pub fn end(self, block: &str) -> String {
        match self {
            Dialect::Angle | Dialect::Brace | Dialect::Fstring => format!("</{block}>"),
            Dialect::Jinja => format!("{{% end{block} %}}"),
        }
    }

    /// How a tag is kept as text.
    pub fn as_text(self, written: &str) -> String {
        match self {
            Dialect::Angle | Dialect::Brace | Dialect::Fstring => format!("\\{written}"),
            Dialect::Jinja => format!("{{% raw %}}{written}{{% endraw %}}"),
        }
    }

    /// The tags of the three roles, for help that names them.
    pub(crate) fn role_tags(self) -> String {
        let block = |role| format!("`{}…{}`", self.tag(role), self.end(role));
        format!(
            "{}, {} or {}",
            block("system"),
            block("user"),
            block("assistant")
        )
    }
}

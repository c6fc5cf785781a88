//! How a dialect writes what a message names: one parser speaks of the tags of three dialects.

use crate::Dialect;

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

//! The template language of typed-prompt: parses templates into trees, with the position of every error.
//!
//! ```
//! use prompt_syntax::{Dialect, Options, parse, snippet};
//!
//! let text = "Translate <text | uper> into <language>.";
//! let parsed = parse(text, Options::message(Dialect::Angle));
//! assert!(parsed.errors.is_empty(), "what a filter is called is for the macros to know");
//!
//! let text = "Hello <input:name";
//! let parsed = parse(text, Options::message(Dialect::Angle));
//! let error = &parsed.errors[0];
//! assert_eq!(error.message(), "this slot is never closed");
//! let source = snippet::Source { name: Some("hello.prompt"), text, line: 1, column: 0 };
//! println!("{}", snippet::draw(&source, error.span, "opened here", error.related()));
//! ```
//!
//! # Structure and text
//!
//! | angle | |
//! | --- | --- |
//! | `<input:name>`, `<input:user.name>` | a slot, always |
//! | `<name>` | a slot; text where `</name>` occurs too ([`ParsedTemplate::tags`]), and in `<<name>>` |
//! | `Vec<T>`, `f::<T>()`, `<br>` | text, unless the name is in scope |
//! | `<raw>…</raw>` | its content, as text |
//! | `<user.name>`, `<docs \| join(", ")>`, `<context ?? "none">` | slots |
//! | `<if a and not (b or c)>`, `<else if d>`, `<else>`, `</if>` | a condition |
//! | `<for p in passages>`, `<else>`, `</for>` | a loop, and the content for an empty list |
//! | `<system>…</system>`, `<user>…`, `<assistant>…` | a message of that role, with [`Options::roles`] |
//! | `\<name>`, `\<if a>` | text; of backslashes before such a tag pairs are halved, elsewhere they stay |
//! | `<br/>`, `<a b="c">`, `<\|im_start\|>`, `a < b`, `<name >` | text, as everything else |
//!
//! | brace | |
//! | --- | --- |
//! | `{name}`, `{input:name}` | slots |
//! | `{{name}}`, `{{{name}}}`, `{{{{name}}}}` | `{name}`, a slot between braces, `{{name}}`: braces on both sides of a name are halved |
//! | `{"a": 1}`, `{}`, `{0}`, `{a b}` | text, as everything else |
//! | `<raw>…</raw>` | its content, as text |
//!
//! | fstring | |
//! | --- | --- |
//! | `{name}` | a slot |
//! | `{{`, `}}` | `{`, `}` |
//!
//! With known names ([`parse_in`]), text that another template language would read as a slot for one of them, such as `{name}` or
//! `<name />` in the angle dialect, is an error. A backslash before it makes it text, in Jinja `{% raw %}`. With
//! [`Options::input_only`] only `<input:name>` or `{input:name}` is a slot.
//!
//! | jinja | |
//! | --- | --- |
//! | `{{ name }}`, `{{ user.name }}`, `{{ docs[0] \| join(", ") }}`, `{{ "a" if x else "b" }}` | slots |
//! | `{% if a < b and c is none %}`, `{% elif d %}`, `{% else %}`, `{% endif %}` | a condition |
//! | `{% for k, v in map.items() if v %}`, `{% else %}`, `{% endfor %}` | a loop |
//! | `{% set a = 1 %}`, `{% set a %}…{% endset %}`, `{% with a = 1 %}…{% endwith %}` | names |
//! | `{% macro m(a, b=1) %}…{% endmacro %}`, `{% filter upper %}…{% endfilter %}`, `{% include "file" %}` | parts |
//! | `{% system %}…{% endsystem %}`, `{% user %}…`, `{% assistant %}…` | a message of that role, with [`Options::roles`] |
//! | `system:`, `user:`, `assistant:` on a line of its own | the same, with [`Options::role_lines`] |
//! | `{% raw %}…{% endraw %}` | text |
//! | `{# … #}`, the white space beside `{%-` and `-}}` | nothing |
//! | `{ name }`, `}}`, `{"a": 1}`, `# a line` | text, as everything else |
//!
//! The end of text, the white space that white-space control, [`Options::trim_blocks`] and [`Options::lstrip_blocks`] remove, the precedence of operators
//! and the content of quoted strings equal Jinja2's, to the byte. Constructs outside of the subset (`{% extends %}`,
//! `{% call %}`, `namespace`, recursive loops, …) are errors that name them.
//!
//! A construct that is meant as one of these but is wrong is an error, not text: `<input:a b>`, `<if a == b>`, `<if>`, `</for>` alone,
//! `<elif a>`, `<else/>`, `{input:a.b}`, `{input:name` without its end, `{{ name }`. In angle and brace a tag ends on the line
//! that it begins on, except that a quoted string may contain line breaks.
//!
//! # Invariants
//!
//! - [`parse`] performs no I/O, never fails and never panics.
//! - Spans are byte ranges of the input, at character boundaries. Those of the top level cover it without gaps;
//!   in Jinja, white space that a comment, white-space control or an option removes belongs to none.
//! - Time grows linearly with the length of the text. Blocks nest at most 128 levels deep; an expression has at most 128 operators and 32 nested
//!   brackets. More is one error.
//! - A tag has one error, and an error causes no second one.
//! - A tree without errors that is printed (`tests/print`) and parsed again is equal.
//! - Each dialect has its own lexer, and Jinja its own expressions. All lexers produce the same tokens, and one parser builds the
//!   tree.

#![cfg_attr(docsrs, feature(doc_cfg))]

#[doc(hidden)]
pub mod analysis;
mod ast;
#[cfg(feature = "jinja")]
pub mod builtin;
mod expr;
pub mod family;
pub mod filters;
pub mod front_matter;
pub mod json;
mod lex;
#[cfg(feature = "lexing")]
#[doc(hidden)]
pub mod lexing;
pub(crate) mod literal;
pub mod near;
pub mod order;
mod parse;
pub mod problem;
pub mod snippet;
pub mod suggest;
pub mod tool;
mod unicode;

pub use analysis::Kind;
pub use ast::*;
pub use literal::{is_type, joined};
pub use parse::{
    Dialect, KnownNames, Options, ParsedTemplate, XmlTag, XmlTags, is_outside_of_roles, parse,
    parse_in,
};

//! Replacement fields of the f-string dialect that are more than a name (number 3).

use super::Problem;
use crate::name::name_len;
use crate::notation::{computed_name, expression};

problems! {
    /// `{` without its `}`.
    pub fn lone_opening() = "this `{{` is not closed",
        label "begins a slot in Python's formats", help "write `{{{{` for a brace, or `{{name}}` for the field `name`";

    /// `}` alone.
    pub fn lone_closing() = "this `}}` closes nothing",
        label "no `{{` before it", help "write `}}}}` for a brace";

    /// `{% if name %}`
    pub fn jinja_tag(written: &str) = "`{written}` is a tag of Jinja",
        label "not of the f-string dialect", help "add `syntax = \"jinja\"` if all slots are written so; or write `{text}` for the text `{written}`: the f-string dialect has no conditions and loops",
        where text = written.replace('{', "{{").replace('}', "}}");

    /// Several of them, such as those of JSON.
    pub fn lone_braces() = "these braces are not doubled and name no field",
        label "the first of them", help "write `{{{{` and `}}}}` for braces in the text, `{{name}}` for the field `name`; or use the brace dialect, in which single braces are text: `syntax = \"brace\"`";
}

problems! {
    /// `{user-name}`
    pub fn hyphen_in_name(words: &str) = "the name of a field has no hyphen",
        label "not a name", help "write `{{{name}}}`, or `{{{{{words}}}}}` for the text `{{{words}}}`", where name = words.replace('-', "_");
}

/// `', '.join(names)`, `name if known else 'none'`, `len(names)`, `price * 2`: what is more than a name and how it is formatted.
fn is_computed(words: &str) -> bool {
    let rest = &words[name_len(words)..];
    let is_formatted = rest.trim_start().starts_with(['!', ':', '.', '[']);
    let is_computed = computed_name(words).is_some() || expression(words).is_some();
    is_computed && !is_formatted && !rest.is_empty()
}

/// `{}`, `{0}`, `{name!r}`, `{name:.2f}`, `{user.name}`, `{ name }`, `{"a": 1}`
pub fn unsupported_field(words: &str) -> Problem {
    let trimmed = words.trim();
    let name = &trimmed[..name_len(trimmed)];
    let rest = &trimmed[name.len()..];
    let as_text = format!("`{{{{{words}}}}}` for the text `{{{words}}}`");
    let is_number = !trimmed.is_empty() && trimmed.bytes().all(|byte| byte.is_ascii_digit());
    let (message, label, help) = if name.is_empty() && (trimmed.is_empty() || is_number) {
        (
            "a slot of the f-string dialect has a name".to_owned(),
            "counted by position in Python",
            "write `{name}` with the name of a field, or ".to_owned(),
        )
    } else if is_computed(trimmed) {
        (
            "a slot of the f-string dialect is one name".to_owned(),
            "an expression of Python",
            "compute the value in Rust, give it as a field, and write the name of the field between the braces, or write ".to_owned(),
        )
    } else if name.is_empty() {
        (
            "this is not the name of a field".to_owned(),
            "between single braces",
            "write ".to_owned(),
        )
    } else if rest.is_empty() {
        (
            format!("`{{{words}}}` has white space beside its name"),
            "another name in Python",
            format!("write `{{{name}}}`, or "),
        )
    } else if rest.starts_with('!') {
        (
            format!("the conversion `{rest}` is not supported"),
            "more than a name",
            format!("write `{{{name}}}` and convert the value in Rust, or "),
        )
    } else if let Some(spec) = rest.strip_prefix(':') {
        (
            format!("the format `{spec}` is not supported"),
            "more than a name",
            format!("write `{{{name}}}` and give the field as a formatted string, or "),
        )
    } else if rest.starts_with(['.', '[']) {
        (
            "a slot of the f-string dialect is one name".to_owned(),
            "more than a name",
            format!("write `{{{name}}}` and give the value as a field of its own, or "),
        )
    } else {
        (
            "this is not the name of a field".to_owned(),
            "between single braces",
            "write ".to_owned(),
        )
    };
    Problem::new(message)
        .with_label(label)
        .with_help(help + &as_text)
}

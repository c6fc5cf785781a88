//! What the analysis of a template is given: the fields, and what is known of them.

use crate::{Dialect, Kind, XmlTags};

/// A field that a template can name, as far as it is known before it has a value.
#[derive(Clone)]
pub struct FieldInfo {
    /// The name that templates use.
    pub name: String,
    /// The kind of its values.
    pub kind: Kind,
    /// Whether its text may be used in a system message.
    pub trusted: bool,
    /// The attribute key that keeps the field out of slots: `skip`, `history`, `tools` or `extra`.
    pub excluded_by: Option<&'static str>,
    /// Whether it is the answer that a model is to find out.
    pub answer: bool,
}

/// The context of a template.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// The dialect of the template.
    pub dialect: Dialect,
    /// The fields that it can name.
    pub fields: &'a [FieldInfo],
    /// The name of the struct or variant, for messages.
    pub owner: &'a str,
    /// Whether the names are those of variables around `prompt!`.
    pub captures: bool,
    /// The XML tags that the messages of the prompt close.
    pub tags: &'a XmlTags,
    /// Names that a part of the template with a syntax error may have bound.
    pub unparsed_names: &'a [String],
    /// Whether the fields themselves could not be parsed, so that no name is unknown.
    pub fields_unparsed: bool,
    /// Whether the template is interpreted at run time.
    pub run_time: bool,
    /// Names that variables of generated code must not have.
    pub reserved: &'a [&'a str],
}

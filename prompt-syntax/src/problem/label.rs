//! `#[derive(Label)]` of an enum.

use super::{Problem, suggest_name};

problems! {
    /// `rename_all = "…"` with a rule that serde does not have.
    pub fn unknown_rule(rule: &str, known: &[&str]) = "unknown rule `{rule}` of `rename_all`",
        label "not a rule of serde", help "{meant}", where meant = suggest_name(rule, known);

    /// A struct, or a union.
    pub fn no_enum(name: &str) = "`{name}` is not an enum, and only the variants of an enum have labels",
        label "not an enum", help "remove `Label` from its derives";

    /// A variant that contains values.
    pub fn variant_with_fields(name: &str) = "the variant `{name}` has fields, and a label is only a name",
        label "has fields", help "remove the fields, or derive a fragment: `#[prompt(fragment = \"…\")]`";

    /// Two variants with one name.
    pub fn same_label(name: &str) = "two variants have the label `{name}`",
        label "the second one", help "give one of them another name: `#[serde(rename = \"…\")]`";
}

//! The item that a macro is applied to (number 11).

use super::Problem;

problems! {
    /// Number 11: `enum Step {}`
    pub fn no_variants() = "an enum without variants cannot be a prompt", help "add a variant with a template";

    /// Number 11: a union.
    pub fn union_item() = "a union cannot be a prompt: its active field is unknown",
        help "make it a struct or an enum";

    /// Number 11: `struct Ask(String)`
    pub fn unnamed_fields() = "the fields of a prompt need names: slots are found by them",
        help "write the fields as `{{ name: Type }}`";

    /// `#[derive(Fields)]` on an enum or a union without a template.
    pub fn no_struct_fields(name: &str) = "only a struct has fields that a template can name",
        help "for the variants of an enum without fields write `#[derive(typed_prompt::Label)]` above `{name}`";

    /// `#[template]` on anything but a struct, an enum or a union.
    pub fn template_on_no_struct() = "`template` is for structs",
        help "write it above `struct Name;`, and `#[typed_prompt::function]` above a function";

    /// `#[derive(Clone)]` above `#[template]`, where the struct has no fields yet.
    pub fn derive_above_template() = "the derive above `template` sees no fields: `template` makes them",
        help "write `#[derive(…)]` below `#[typed_prompt::template(…)]`";
}

/// `#[template]` on an item whose fields are there already; `what` names the item.
pub fn template_has_fields(name: &str, what: UnsupportedItem) -> Problem {
    Problem::new(match what {
        UnsupportedItem::Fields => {
            "`template` makes the fields of a struct from the slots, and this one has fields"
        }
        UnsupportedItem::Enum => "`template` makes the fields of a struct, and this is an enum",
        UnsupportedItem::Union => "`template` makes the fields of a struct, and this is a union",
    })
    .with_help(format!(
        "write `struct {name};` with types in `fields(…)`, or derive: `#[derive(Prompt)] #[prompt(…)]`"
    ))
}

/// An item that `#[template]` cannot generate fields for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnsupportedItem {
    /// A struct with fields.
    Fields,
    /// An enum.
    Enum,
    /// A union.
    Union,
}

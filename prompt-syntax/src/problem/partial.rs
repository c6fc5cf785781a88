//! `#[derive(Partial)]`.

use super::Problem;

problems! {
    /// A union.
    pub fn partial_union() = "a union has no part that has arrived: its active field is unknown",
        help "make it a struct or an enum";

    /// `struct Page<T>`
    pub fn partial_with_parameters() = "`Partial` is derived for types without parameters",
        help "name the types, or implement `typed_prompt::output::Partial` by hand";

    /// `#[serde(with = "…")]`
    pub fn partial_with_function() = "a part of this field cannot be read: a function of your program reads its JSON",
        help "leave the field out: `#[partial(skip)]`";

    /// `#[partial(name = "…")]` on an enum
    pub fn partial_key_without_struct(key: &str) = "`{key}` has no effect here: no struct is generated for the parts of this type",
        help "remove it: a struct is generated for a struct with named fields, which serde reads field by field";
}

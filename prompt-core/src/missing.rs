//! Methods of the feature `schema`, where it is not enabled: a call is a compile error that names the feature.

/// No type implements it.
#[diagnostic::on_unimplemented(
    message = "this method needs the feature `schema` of typed-prompt",
    label = "the feature `schema` is not enabled",
    note = "write `typed-prompt = {{ version = \"…\", features = [\"schema\"] }}` in Cargo.toml"
)]
pub trait HasSchema {}

#[doc(hidden)]
impl crate::Tool {
    pub fn from_type<T: HasSchema>() {}
}

#[doc(hidden)]
impl crate::ToolCall {
    pub fn parse_arguments<T: HasSchema>(&self) {}
}

//! Methods of features that are not enabled: a call is a compile error that names the feature.

/// No type implements it.
#[cfg(not(feature = "schema"))]
#[diagnostic::on_unimplemented(
    message = "this method needs the feature `schema` of typed-prompt",
    label = "the feature `schema` is not enabled",
    note = "write `typed-prompt = {{ version = \"…\", features = [\"schema\"] }}` in Cargo.toml"
)]
pub trait HasSchema {}

#[cfg(not(feature = "schema"))]
#[doc(hidden)]
impl crate::Tool {
    pub fn from_type<T: HasSchema>() {}
}

#[cfg(not(feature = "schema"))]
#[doc(hidden)]
impl crate::ToolCall {
    pub fn parse_arguments<T: HasSchema>(&self) {}
}

/// No type implements it. [`Prompt::to_tokens`](crate::Prompt::to_tokens) requires it.
#[cfg(not(feature = "tokens"))]
#[diagnostic::on_unimplemented(
    message = "this method needs the feature `tokens` of typed-prompt",
    label = "the feature `tokens` is not enabled",
    note = "write `typed-prompt = {{ version = \"…\", features = [\"tokens\"] }}` in Cargo.toml"
)]
pub trait HasTokens {}

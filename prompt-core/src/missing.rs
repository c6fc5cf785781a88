//! Methods of features that are not enabled: a call is a compile error that names the feature.

/// No type implements it.
#[cfg(not(feature = "parse"))]
#[diagnostic::on_unimplemented(
    message = "this method needs the feature `parse` of typed-prompt",
    label = "the feature `parse` is not enabled",
    note = "write `typed-prompt = {{ version = \"…\", features = [\"parse\"] }}` in Cargo.toml"
)]
pub trait HasParse {}

#[cfg(not(feature = "parse"))]
#[doc(hidden)]
impl crate::format::NativeFormat {
    pub fn parse(&self, _: impl HasParse) {}

    pub fn parse_answer(&self, _: impl HasParse) {}
}

#[cfg(not(any(feature = "parse", feature = "recording")))]
#[doc(hidden)]
impl crate::Reply {
    pub fn from_openai(_: impl HasParse) {}
}

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

/// No type implements it.
#[cfg(not(feature = "tools"))]
#[diagnostic::on_unimplemented(
    message = "this method needs the feature `tools` of typed-prompt",
    label = "the feature `tools` is not enabled",
    note = "write `typed-prompt = {{ version = \"…\", features = [\"tools\"] }}` in Cargo.toml"
)]
pub trait HasTools {}

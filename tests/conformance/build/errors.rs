//! Text of compile errors for mistakes that the original reports at run time, or never.

use serde_json::Value;

/// A slot without a field.
pub(crate) fn unknown_slot(name: &str) -> String {
    format!("unknown slot `{name}`")
}

/// A field without a slot.
pub(crate) fn unused_field(name: &str) -> String {
    format!("no slot uses the field `{name}`")
}

/// Fields that are missing in the call.
pub(crate) const MISSING: &str = "in initializer of `Case`";

/// An unknown attribute, or one with an invalid value.
pub(crate) fn attribute(key: &str) -> String {
    format!("`{key}`")
}

/// An option that the layout does not have.
pub(crate) fn no_method(name: &str) -> String {
    format!("no method named `{name}`")
}

/// An unknown key of a model configuration.
pub(crate) fn unknown_config(key: &str) -> String {
    format!("has no field named `{key}`")
}

/// A string for a prompt of several fields.
pub(crate) const QUERY: &str = "mismatched types";

/// `None` in a slot.
pub(crate) const OPTION: &str = "can be `None`: it is an `Option`";

/// A list in a slot.
pub(crate) const LIST: &str = "is a list";

/// A map in a slot.
pub(crate) const NOT_TEXT: &str = "cannot fill";

/// An argument of another type.
pub(crate) const MISMATCHED: &str = "is not satisfied";

/// Tools of both the constructor and the call.
pub(crate) const TOOLS_TWICE: &str = "tools";

/// The text of the compile error for a value whose type cannot fill a slot.
pub(crate) fn judge(value: &Value) -> Option<String> {
    match value {
        Value::Null => Some(OPTION.to_owned()),
        Value::Array(_) => Some(LIST.to_owned()),
        Value::Object(_) => Some(NOT_TEXT.to_owned()),
        Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    }
}

/// An empty template.
pub(crate) const EMPTY: &str = "this template is empty";
